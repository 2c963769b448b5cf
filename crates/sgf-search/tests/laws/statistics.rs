//! Sums of continuations are those of the hits, however they are divided.

use std::collections::BTreeMap;

use quickcheck::quickcheck;
use sgf_search::{Continuations, GameFacts, Outcome, Search};
use sgf_stream::Parser;
use sgf_stream::value::Color;

use crate::naive::{Game, Pattern};

/// The outcomes and years of games, by their numbers.
fn facts(number: usize) -> (Outcome, Option<i32>, String) {
    let outcomes = [Outcome::Win(Color::Black), Outcome::Win(Color::White), Outcome::Draw, Outcome::Unknown];
    (
        outcomes[number % 4],
        (!number.is_multiple_of(3)).then_some(1900 + number as i32),
        ["", "a", "b"][number % 3].to_owned(),
    )
}

quickcheck! {
    fn sums_are_those_of_the_hits_however_they_are_divided(games: Vec<Game>, every_place: bool, seed: u8) -> bool {
        let games = &games[..games.len().min(12)];
        let Some(first) = games.first() else { return true };
        let mut g = quickcheck::Gen::from_size_and_seed(usize::from(seed) + 10, seed.into());
        let Some(pattern) = Pattern::of(&mut g, first) else { return true };
        let search = Search::new(pattern.text().parse().unwrap()).variations(true).every_place(every_place);
        let mut all = Continuations::new();
        let mut halves = [Continuations::new(), Continuations::new()];
        let mut naive: BTreeMap<Option<(bool, u8, u8)>, [u64; 5]> = BTreeMap::new();
        let text: String = games.iter().map(Game::text).collect();
        search.find(&Parser::new(), text.as_bytes(), |game| {
            let (outcome, year, group) = facts(game.number() as usize);
            let of_game = GameFacts { outcome, year, group: Some((0, &group)) };
            for hit in game.hits() {
                all.add(hit, &of_game);
                halves[game.number() as usize % 2].add(hit, &of_game);
                let next = hit.next().map(|next| (next.color == Color::White, next.point.y(), next.point.x()));
                let sums = naive.entry(next).or_default();
                let winner = match (outcome, hit.is_swapped()) {
                    (Outcome::Win(Color::Black), false) | (Outcome::Win(Color::White), true) => 1,
                    (Outcome::Win(_), _) => 2,
                    (Outcome::Draw, _) => 3,
                    (Outcome::Unknown, _) => 4,
                };
                sums[0] += 1;
                sums[winner] += 1;
            }
        }).unwrap();
        let [mut merged, other] = halves;
        merged.merge(other);
        assert_eq!(merged, all);
        let list = all.list();
        let counted: BTreeMap<_, _> = list.iter().map(|row| {
            let next = row.next.map(|(color, point)| (color == Color::White, point.y(), point.x()));
            let sums = row.sums;
            let by_group: u64 = row.groups.iter().map(|(_, sums)| sums.games).sum();
            assert_eq!(by_group, sums.games);
            (next, [sums.games, sums.black_wins, sums.white_wins, sums.draws, sums.unknown()])
        }).collect();
        assert_eq!(counted, naive);
        assert_eq!(list.iter().map(|row| row.sums.games).sum::<u64>(), all.sums().games);
        assert!(list.iter().filter(|row| row.next.is_some()).is_sorted_by(|a, b| a.sums.games >= b.sums.games));
        true
    }
}
