//! L15: a search finds what a naive replay finds.

use std::fs;
use std::path::PathBuf;

use quickcheck::{Arbitrary, Gen, quickcheck};
use sgf_search::{GameHits, Hit, Pattern, Place, Search};
use sgf_stream::Parser;
use sgf_stream::value::Color;

use crate::games::below;
use crate::naive::{self, Settings, find};
use crate::shared;

/// Some games, and patterns that may be in them.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) games: Vec<naive::Game>,
    pub(crate) patterns: Vec<naive::Pattern>,
    pub(crate) settings: Settings,
}

impl Arbitrary for Case {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut games: Vec<naive::Game> = (0..1 + below(g, 4)).map(|_| Arbitrary::arbitrary(g)).collect();
        // Simple games are searched in another way.
        for game in &mut games {
            if below(g, 3) > 0 {
                *game = game.simple(below(g, 2) == 0);
            }
        }
        Case::of(g, games)
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let whole = self.clone();
        let fewer_games = (0..whole.games.len()).filter(|_| whole.games.len() > 1).map({
            let whole = whole.clone();
            move |n| Case { games: vec![whole.games[n].clone()], ..whole.clone() }
        });
        let fewer_patterns: Vec<_> = (0..whole.patterns.len())
            .filter(|_| whole.patterns.len() > 1)
            .map(|n| Case { patterns: vec![whole.patterns[n].clone()], ..whole.clone() })
            .collect();
        Box::new(fewer_games.collect::<Vec<_>>().into_iter().chain(fewer_patterns))
    }
}

impl Case {
    /// Returns some patterns for games.
    pub(crate) fn of(g: &mut Gen, games: Vec<naive::Game>) -> Self {
        let patterns = (0..3).filter_map(|n| naive::Pattern::of(g, &games[n % games.len()])).collect();
        let settings = Settings {
            place: [naive::Place::BySides, naive::Place::Fixed, naive::Place::Anywhere][below(g, 3)],
            symmetries: below(g, 4) > 0,
            swaps: below(g, 4) > 0,
            variations: below(g, 2) == 0,
            every_place: below(g, 2) == 0,
        };
        Case { games, patterns, settings }
    }
}

fn color(color: Color) -> char {
    if color == Color::Black { 'X' } else { 'O' }
}

pub(crate) fn search(pattern: &str, settings: Settings) -> Search {
    let place = match settings.place {
        naive::Place::BySides => Place::BySides,
        naive::Place::Fixed => Place::Fixed,
        naive::Place::Anywhere => Place::Anywhere,
    };
    Search::new(pattern.parse().unwrap_or_else(|error| panic!("{pattern}: {error}")))
        .place(place)
        .symmetries(settings.symmetries)
        .swap_colors(settings.swaps)
        .variations(settings.variations)
        .every_place(settings.every_place)
}

/// Returns the hits of each game.
fn found(search: &Search, text: &str, games: usize) -> Vec<Vec<naive::Hit>> {
    let mut hits = vec![Vec::new(); games];
    let mut note = |game: &GameHits<'_>| hits[game.number() as usize] = naive_hits(search, game.hits());
    let counts = search.find(&Parser::new(), text.as_bytes(), &mut note).unwrap();
    assert_eq!(counts.games, games as u64);
    // A stream is searched by its steps alone.
    let mut by_steps = vec![Vec::new(); games];
    let note = |game: &GameHits<'_>| by_steps[game.number() as usize] = naive_hits(search, game.hits());
    let counts_by_steps = search.matcher().read(&mut Parser::new().reader(text.as_bytes()), note).unwrap();
    assert_eq!((&hits, counts), (&by_steps, counts_by_steps), "{text}: left: quick, right: by steps");
    hits
}

/// Returns hits as the naive search has them.
pub(crate) fn naive_hits(search: &Search, hits: &[Hit]) -> Vec<naive::Hit> {
    let first = search.pattern().region().upper_left();
    let hit = |hit: &Hit| naive::Hit {
        node: hit.node(),
        ply: hit.ply(),
        symmetry: hit.symmetry().index(),
        swapped: hit.is_swapped(),
        corner: hit.corner().map(|point| (point.x().into(), point.y().into())).unwrap(),
        next: hit.next().map(|next| {
            let point = (usize::from(next.point.x() - first.x()), usize::from(next.point.y() - first.y()));
            (color(next.color), point, next.ply)
        }),
    };
    hits.iter().map(hit).collect()
}

/// Sorts the hits of a game, and gives nodes of main lines their numbers there.
fn in_order(mut hits: Vec<naive::Hit>, game: &naive::Game, settings: Settings) -> Vec<naive::Hit> {
    if !settings.variations {
        let line = game.main_line();
        hits.iter_mut().for_each(|hit| hit.node = line.iter().position(|node| *node == hit.node).unwrap());
    }
    sorted(hits)
}

pub(crate) fn sorted(mut hits: Vec<naive::Hit>) -> Vec<naive::Hit> {
    hits.sort_by_key(|hit| (hit.node, hit.swapped, hit.symmetry, hit.corner));
    hits
}

#[test]
fn odd_games_are_searched_as_by_their_steps() {
    let games = [
        "(;SZ[9];B[aa](;W[bb];B[cc])(;W[dd]);B[ee];W[ff])",
        "(;SZ[9];B[aa](;W[bb](;B[cc](;W[dd]));B[gg](;W[hh]));B[ee](;W[ff])(;W[ee]))",
        "(;SZ[9](;B[ee];W[ff])(;B[ff]))",
        "((;SZ[9];B[ee];W[ff])(;B[ff]))",
        "(;B[ee];W[ff]SZ[9];B[ef])",
        "(;SZ[9]B[ee];W[ff];AB[ef];B[];W[tt];B[aa]W[bb];W[zz];B[a])",
        "(;SZ[9]AB[ee:ff]AW[aa][bb];W[cc]AE[ee];B[ee])",
        "(;GM[2]SZ[9];B[ee])",
        "(;SZ[9];Black[ee];White[ff];b[aa];C[ab];N[xy]B[gg])",
        "(;SZ[60];B[ee])",
        "(;SZ[21];B[tt];W[];B[uu];W[tt])",
        "(;SZ[9];B[ee](;W[ff])",
        "()",
        "(;)",
        "(;SZ[9];B[ee]W[ff];B[ee];W[ee];B[ff])",
        "(;SZ[9];B[ba];W[aa];B[ab];W[aa];W[bb];B[aa])",
        "(;SZ[9](;C[x](;B[ee];W[ff](;B[ef])(;B[fe]))))",
    ];
    let settings = |variations, every_place| Settings {
        place: naive::Place::BySides,
        symmetries: true,
        swaps: true,
        variations,
        every_place,
    };
    for pattern in
        ["(;SZ[9]AB[ee]AW[ff])", "(;SZ[9]AB[ee])", "(;SZ[9]QE[ee]VW[ee:ff];B[ef])", "(;SZ[9]AE[ab][ba]AB[aa])"]
    {
        for (variations, every_place) in [(false, false), (true, false), (false, true), (true, true)] {
            let search = search(pattern, settings(variations, every_place));
            // One after the other, and each alone.
            for text in games.iter().map(|game| game.to_string()).chain([games.concat()]) {
                let mut reader = Parser::new().reader(text.as_bytes());
                let mut count = 0;
                while let Ok(true) = reader.skip_game() {
                    count += 1;
                }
                if count > 0 {
                    found(&search, &text, count);
                }
            }
        }
    }
}

#[test]
fn real_games_are_searched_as_by_their_steps() {
    let files: Vec<PathBuf> = ["corpus", "samples"].into_iter().flat_map(shared::files).collect();
    let mut found = [0; 2];
    for (pattern, variations, every_place) in
        [("(;AB[pd]AW[qf]VW[ma:sg])", false, false), ("*X*/X.X/*X*", false, true), ("(;AB[cd][qq];W[dc])", true, false)]
    {
        let search = Search::new(pattern.parse().unwrap()).variations(variations).every_place(every_place);
        for file in &files {
            let bytes = fs::read(file).unwrap();
            let (mut quick, mut steps) = (Vec::new(), Vec::new());
            let note =
                |to: &mut Vec<_>, game: &GameHits<'_>| to.push((game.number(), game.offset(), game.hits().to_vec()));
            let counts = search.find(&Parser::new(), &bytes, |game| note(&mut quick, game));
            let by_steps = search.matcher().read(&mut Parser::new().reader(&bytes[..]), |game| note(&mut steps, game));
            assert_eq!(quick, steps, "{}: left: quick, right: by steps", file.display());
            assert_eq!(counts.as_ref().ok(), by_steps.as_ref().ok(), "{}", file.display());
            found[usize::from(variations)] += quick.len();
        }
    }
    assert!(files.is_empty() || found.iter().all(|found| *found > 100), "{found:?}");
}

quickcheck! {
    fn a_search_finds_what_a_naive_replay_finds(case: Case) -> bool {
        let text: String = case.games.iter().map(naive::Game::text).collect();
        for pattern in &case.patterns {
            let sgf = pattern.text();
            let search = search(&sgf, case.settings);
            let hits = found(&search, &text, case.games.len());
            for (game, hits) in case.games.iter().zip(hits) {
                let expected = in_order(find(game, pattern, case.settings), game, case.settings);
                assert_eq!(sorted(hits), expected, "{sgf} in {} by {:?}", game.text(), case.settings);
            }
        }
        true
    }

    fn a_pattern_displays_as_a_diagram_that_is_it(case: Case) -> bool {
        case.patterns.iter().all(|pattern| {
            let one: Pattern = pattern.text().parse().unwrap();
            let Ok(other) = one.to_string().parse::<Pattern>() else { return !one.continuation().is_empty() };
            one.to_string() == other.to_string()
        })
    }
}
