//! The edits of a node: replacements of some spans, collected from the findings.
//!
//! The edits of a finding are made together or not at all. Where those of two findings touch the same bytes, the
//! second finding waits for the next pass. The edits of a node are collected, sorted once, and merged with the source.

use std::collections::BTreeMap;

use crate::check::Rule;
use crate::check::finding::Edit;

/// The edits of a node, in the order of their findings.
#[derive(Debug, Default)]
pub(super) struct Edits {
    edits: Vec<GroupedEdit>,
    /// A group for each finding.
    groups: Vec<Group>,
    /// Number of edits compared or moved, for tests.
    #[cfg(test)]
    pub(super) work: u64,
}

#[derive(Debug)]
struct GroupedEdit {
    edit: Edit,
    group: usize,
}

/// The edits of one finding.
#[derive(Debug)]
struct Group {
    rule: Rule,
    /// One of its edits touches an edit of another group.
    waits: bool,
}

impl Edits {
    /// Adds the edits of a finding.
    pub(super) fn add(&mut self, rule: Rule, edits: &[Edit]) {
        if edits.is_empty() {
            return;
        }
        let group = self.groups.len();
        self.groups.push(Group { rule, waits: false });
        self.edits.extend(edits.iter().map(|edit| GroupedEdit { edit: edit.clone(), group }));
        self.count(edits.len());
    }

    fn count(&mut self, work: usize) {
        #[cfg(test)]
        {
            self.work += work as u64;
        }
        #[cfg(not(test))]
        let _ = work;
    }

    /// Writes the source from `*at` to the end of the last edit, with the edits made, and counts the findings that this
    /// repairs. Forgets those that have to wait: the next pass finds them again.
    pub(super) fn apply(
        &mut self,
        source: &[u8],
        at: &mut usize,
        out: &mut Vec<u8>,
        repairs: &mut BTreeMap<Rule, u64>,
    ) {
        // They are nearly in order, which the sort exploits. An insertion comes before a removal at the same place.
        self.edits.sort_by_key(|grouped| (grouped.edit.range.start, grouped.edit.range.end));
        self.count(self.edits.len());
        let mut reach = *at as u64;
        for GroupedEdit { edit, group } in &self.edits {
            let group = &mut self.groups[*group];
            if edit.range.start < reach || edit.range.end > source.len() as u64 {
                group.waits = true;
            } else if !group.waits {
                reach = reach.max(edit.range.end);
            }
        }
        for GroupedEdit { edit, group } in self.edits.drain(..) {
            if !self.groups[group].waits {
                out.extend_from_slice(&source[*at..edit.range.start as usize]);
                out.extend_from_slice(&edit.with);
                *at = edit.range.end as usize;
            }
        }
        for group in self.groups.drain(..).filter(|group| !group.waits) {
            *repairs.entry(group.rule).or_default() += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    const RULE: Rule = Rule::DuplicatePoint;

    fn applied(source: &str, groups: &[&[(u64, u64, &str)]]) -> (String, u64) {
        let (mut edits, mut out, mut at, mut repairs) = (Edits::default(), Vec::new(), 0, BTreeMap::new());
        for group in groups {
            let group: Vec<_> = group.iter().map(|&(start, end, with)| Edit::new(start..end, with)).collect();
            edits.add(RULE, &group);
        }
        edits.apply(source.as_bytes(), &mut at, &mut out, &mut repairs);
        out.extend_from_slice(&source.as_bytes()[at..]);
        (String::from_utf8(out).unwrap(), repairs.get(&RULE).copied().unwrap_or(0))
    }

    #[test]
    fn edits_of_a_finding_are_made_together_or_wait_together() {
        assert_eq!(applied("abcdef", &[&[(4, 5, "E")], &[(0, 1, ""), (2, 2, "x")]]), ("bxcdEf".into(), 2));
        assert_eq!(applied("abcdef", &[&[(0, 3, "")], &[(2, 4, ""), (5, 6, "")]]), ("def".into(), 1));
        assert_eq!(applied("abcdef", &[&[(1, 1, "1")], &[(1, 1, "2")], &[(1, 2, "")]]), ("a12cdef".into(), 3));
    }

    #[test]
    fn work_is_linear() {
        let work = |n: u64| {
            let source = vec![b'x'; 2 * n as usize];
            let (mut edits, mut out, mut at, mut repairs) = (Edits::default(), Vec::new(), 0, BTreeMap::new());
            for place in 0..n {
                // As for a list in several pieces: all insert something at one place and remove something at others.
                edits.add(RULE, &[Edit::new(1..1, *b"y"), Edit::new(n + place..n + place + 1, [])]);
            }
            edits.apply(&source, &mut at, &mut out, &mut repairs);
            assert_eq!((out.len() as u64, repairs[&RULE]), (2 * n, n));
            edits.work
        };
        assert_eq!((work(2_000), work(4_000)), (2 * work(1_000), 4 * work(1_000)));
    }

    quickcheck! {
        fn some_edits_are_always_made(spans: Vec<Vec<(u8, u8)>>) -> bool {
            let source: Vec<u8> = (0..=255).collect();
            let (mut edits, mut out, mut at, mut repairs) = (Edits::default(), Vec::new(), 0, BTreeMap::new());
            let mut any = false;
            for group in &spans {
                let span = |&(start, len): &(u8, u8)| {
                    u64::from(start)..(u64::from(start) + u64::from(len % 7) + 1).min(256)
                };
                let mut group: Vec<_> = group.iter().map(|pick| Edit::new(span(pick), [])).collect();
                // Edits of one finding never touch each other.
                group.sort_by_key(|edit| edit.range.start);
                group.dedup_by(|next, edit| next.range.start < edit.range.end);
                any |= !group.is_empty();
                edits.add(RULE, &group);
            }
            edits.apply(&source, &mut at, &mut out, &mut repairs);
            out.extend_from_slice(&source[at..]);
            any == (out.len() < source.len()) && any != repairs.is_empty()
        }
    }
}
