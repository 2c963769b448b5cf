//! Names under which a site relays the games of others.
//!
//! Copies of games are evidence that two names are one person, but not if one of the names is an account that plays as
//! many people: it would join all of them. Such an account is known by its links: it is linked to names of different
//! people. So is a person whom it played as, through the account and through a spelling of the name; but the account is
//! linked to more. So the name that contradicts itself most is taken out first, until none does.

use std::collections::{BTreeMap, HashMap, HashSet};

/// Number of names to which one name is linked, from which on it is a relay whatever the names are.
const MAX_LINKS: usize = 50;

/// How many times as many copies a link needs to outweigh one that contradicts it: a few games of any collection have the
/// names of other players.
const OUTWEIGHS: u64 = 4;

/// What copies of games say about two groups of names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) groups: [u32; 2],
    /// A name of each group.
    pub(super) names: [u32; 2],
    /// How many games have copies with names of both groups for one player.
    pub(super) copies: u64,
    /// Whether the opponent has the same name in one of them.
    pub(super) has_opponent: bool,
}

impl Link {
    fn other(&self, group: u32) -> u32 {
        self.groups[usize::from(self.groups[0] == group)]
    }

    fn is_enough(&self) -> bool {
        self.has_opponent || self.copies > 1
    }
}

/// Returns the links that join people, those with most copies first. `are_different` says whether two groups are known to
/// be two people.
pub(super) fn without(mut links: Vec<Link>, mut are_different: impl FnMut(u32, u32) -> bool) -> Vec<Link> {
    links.sort_by_key(|link| (std::cmp::Reverse(link.copies), link.names)); // the result depends on the games alone
    let mut of_group: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (n, link) in links.iter().enumerate() {
        link.groups.iter().for_each(|group| of_group.entry(*group).or_default().push(n));
    }
    let mut different: HashMap<(u32, u32), bool> = HashMap::new();
    let mut are_different = |one: u32, other: u32| {
        *different.entry((one.min(other), one.max(other))).or_insert_with(|| are_different(one, other))
    };
    let mut dropped = HashSet::new();
    // For each group, how many pairs of its links contradict each other, neither of them outweighed.
    let mut count = |group: u32, own: &[usize], dropped: &HashSet<usize>| -> usize {
        let own: Vec<&Link> = own.iter().filter(|n| !dropped.contains(n)).map(|n| &links[*n]).collect();
        if own.len() > MAX_LINKS {
            return usize::MAX;
        }
        let pairs = own.iter().enumerate().flat_map(|(n, one)| own[n + 1..].iter().map(move |other| (one, other)));
        pairs
            .filter(|(one, other)| {
                one.copies < OUTWEIGHS * other.copies && are_different(one.other(group), other.other(group))
            })
            .count()
    };
    let mut contradictions: BTreeMap<u32, usize> =
        of_group.iter().map(|(group, own)| (*group, count(*group, own, &dropped))).collect();
    while let Some(most) = contradictions.values().copied().max().filter(|most| *most > 0) {
        let relays: Vec<u32> = contradictions.iter().filter(|(_, n)| **n == most).map(|(group, _)| *group).collect();
        let gone: Vec<usize> = relays.iter().flat_map(|relay| &of_group[relay]).copied().collect();
        dropped.extend(&gone);
        for group in gone.iter().flat_map(|n| links[*n].groups).collect::<HashSet<u32>>() {
            contradictions.insert(group, count(group, &of_group[&group], &dropped));
        }
    }
    // A link that is outweighed is an error in a collection.
    for (group, own) in &of_group {
        let left: Vec<usize> = own.iter().copied().filter(|n| !dropped.contains(n)).collect();
        for (at, weak) in left.iter().enumerate().skip(1) {
            let other = links[*weak].other(*group);
            if left[..at].iter().any(|strong| are_different(links[*strong].other(*group), other)) {
                dropped.insert(*weak);
            }
        }
    }
    let kept = links.into_iter().enumerate().filter(|(n, link)| !dropped.contains(n) && link.is_enough());
    kept.map(|(_, link)| link).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The links that are kept of some between groups 0-9, of which those with equal letters are of one person.
    fn kept(letters: &str, links: &[(u32, u32, u64)]) -> Vec<(u32, u32)> {
        let letters = letters.as_bytes();
        let links = links.iter().map(|&(one, other, copies)| Link {
            groups: [one, other],
            names: [one, other],
            copies,
            has_opponent: false,
        });
        // Capital letters are another script, in which nothing is known.
        let are_different = |one: u32, other: u32| {
            let [one, other] = [one, other].map(|group| letters[group as usize]);
            one.is_ascii_lowercase() == other.is_ascii_lowercase() && one != other
        };
        without(links.collect(), are_different).iter().map(|link| (link.groups[0], link.groups[1])).collect()
    }

    #[test]
    fn a_name_that_is_linked_to_several_people_joins_none() {
        assert_eq!(kept("aR", &[(0, 1, 2)]), [(0, 1)], "one alone is believed");
        assert!(kept("abR", &[(0, 2, 2), (1, 2, 2)]).is_empty());
        // Those whom it played as keep their other links.
        assert_eq!(kept("abcRA", &[(0, 3, 9), (1, 3, 9), (2, 3, 9), (0, 4, 3)]), [(0, 4)]);
        assert!(kept("aR", &[(0, 1, 1)]).is_empty(), "one copy is not enough");
    }

    #[test]
    fn a_few_errors_of_a_collection_are_outweighed() {
        assert_eq!(kept("abA", &[(0, 2, 8), (1, 2, 2)]), [(0, 2)]);
        assert!(kept("abA", &[(0, 2, 7), (1, 2, 2)]).is_empty());
    }

    #[test]
    fn more_links_than_people_have_names_are_those_of_a_relay() {
        let links = |count: u32| (1..=count).map(|other| (0, other, 2)).collect::<Vec<_>>();
        let letters = "A".repeat(MAX_LINKS + 2);
        assert_eq!(kept(&letters, &links(MAX_LINKS as u32)).len(), MAX_LINKS);
        assert!(kept(&letters, &links(MAX_LINKS as u32 + 1)).is_empty());
    }
}
