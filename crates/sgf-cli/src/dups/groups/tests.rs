//! L6: twice as many copies take twice as many steps.

use std::path::Path;

use sgf_board::Fingerprint;
use sgf_stream::tree::GameTree;
use sgf_stream::{Game as GameType, Parser};

use super::super::contents::Contents;
use super::super::faults::OfGame;
use super::super::games::FileGames;
use super::*;
use crate::input::Name;
use crate::progress::Progress;

/// What differs in the nth copy of a game: its root, its number of stones, and what the parser says of it.
type Copies = (&'static str, fn(usize) -> String, fn(usize) -> usize, OfGame);

const SOUND: OfGame = OfGame { count: 0, outside: false, drops: false };
const BESIDE_TEXT: OfGame = OfGame { outside: true, ..SOUND };
const INCOMPLETE: OfGame = OfGame { drops: true, ..SOUND };

/// Each property with one of two values, by the bits of a number.
fn combination(n: usize) -> String {
    let names = ["PB", "PW", "BR", "WR", "BT", "WT", "RU", "EV", "RO", "PC", "GN"];
    names.iter().enumerate().map(|(bit, name)| format!("{name}[{}]", n >> bit & 1)).collect()
}

const COPIES: &[Copies] = &[
    ("equal", |_| "PB[a]".to_owned(), |_| 40, SOUND),
    ("without game information", |_| String::new(), |_| 40, SOUND),
    ("of many names", |n| format!("PB[{n}]KM[6.5]"), |_| 40, SOUND),
    ("of a few names", |n| format!("PB[{}]KM[6.5]", n % 8), |_| 40, SOUND),
    ("with any combination of values", combination, |_| 40, SOUND),
    ("with any part of the values", |n| combination(n % 64).replace("[0]", "[]"), |_| 40, SOUND),
    ("cut short", |_| "PB[a]".to_owned(), |n| 30 + n % 128, SOUND),
    ("cut short, of many names", |n| format!("PB[{n}]"), |n| 30 + n % 128, SOUND),
    ("beside text", |_| "PB[a]".to_owned(), |_| 40, BESIDE_TEXT),
    ("beside text, of many names", |n| format!("PB[{n}]KM[6.5]"), |_| 40, BESIDE_TEXT),
    ("of which the parser dropped something", |_| "PB[a]".to_owned(), |_| 40, INCOMPLETE),
    ("of both colors", |n| if n % 3 == 0 { "PB[a]".to_owned() } else { "PL[W]PB[a]PW[b]".to_owned() }, |_| 40, SOUND),
];

fn games((_, root, stones, faults): &Copies, count: usize) -> Games {
    let name = Name::of(Path::new("games.sgf"));
    let (mut games, mut contents) = (Vec::new(), Vec::new());
    for n in 0..count {
        let letter = |at: usize| char::from(b'a' + at as u8);
        let root = root(n);
        let first = usize::from(root.contains("PL[W]"));
        let moves = (0..stones(n)).map(|stone| {
            let color = if (stone + first).is_multiple_of(2) { 'B' } else { 'W' };
            format!(";{color}[{}{}]", letter(stone * 7 % 19), letter(stone / 19))
        });
        let text = format!("(;{root}{})", moves.collect::<String>());
        let mut visitor = Fingerprint::line_visitor(GameType::Go, |_| {});
        let print = Parser::new().slice(text.as_bytes()).read_game(&mut visitor).unwrap().unwrap();
        let tree: GameTree = text.parse().unwrap();
        let game = Game::new(print.opening(), print.line(), n as u64, *faults);
        let line = game.line_in(&tree, GameType::Go);
        contents.push((n as u64, Contents::of(&tree, line, faults.drops, false)));
        games.push(game);
    }
    let file = FileGames {
        name,
        games,
        contents,
        too_large: Vec::new(),
        count: count as u64,
        like_hex: 0,
        ends_in_text: false,
        end: Some(Ok(())),
    };
    let mut all = Games::default();
    all.take(vec![file], &Progress::none());
    all.all.sort_by_key(|game| (game.opening, game.line, game.file, game.offset));
    all
}

/// Returns the numbers of steps to compare copies, and to compare them if all but one may be lost.
fn steps(copies: &Copies, count: usize) -> [u64; 2] {
    let games = games(copies, count);
    let longest = games.all.iter().max_by_key(|game| game.stones).unwrap().line;
    let lines = games.all.iter().map(|game| game.line).filter(|line| *line != longest);
    let beginnings = lines.map(|line| (line, longest)).collect();
    [false, true].map(|is_lossy| {
        work::count(|| {
            let groups = Groups::new(&games, &beginnings).with_equal_lines(&games).compare(&games, is_lossy);
            assert_eq!(groups.iter().map(|group| group.games.len()).collect::<Vec<_>>(), [count], "{}", copies.0);
        })
    })
}

#[test]
fn comparing_copies_is_linear() {
    const COUNT: usize = 1024;
    let mut wrong = Vec::new();
    for copies in COPIES {
        let [few, many] = [COUNT, 2 * COUNT].map(|count| steps(copies, count));
        for (few, many) in few.into_iter().zip(many) {
            let (per_game, ratio) = (many / (2 * COUNT) as u64, many as f64 / few as f64);
            println!("{}: {per_game} steps per game, {ratio:.2} times", copies.0);
            // To sort twice as many takes another comparison of each.
            if 10 * many > 22 * few + 10 * COUNT as u64 {
                wrong.push((copies.0, few, many));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}
