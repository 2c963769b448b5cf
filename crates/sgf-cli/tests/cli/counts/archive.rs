//! Random archives, and the numbers that a reader of their text would count.
//!
//! With `SGF_COUNTS=DIR` the archives stay in `DIR`, each beside its numbers, for the tests of SQL and Python:
//!
//! ```text
//! archive-17/        the files
//! archive-17.json    {"games":31,"bytes":5120,…}: the rows of the table in `all_subcommands_print_the_same_numbers`
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use quickcheck::{Arbitrary, Gen};
use serde_json::{Value, json};

use crate::pack::{gzip, tar, zip, zipped};

/// A move: its color, and its point unless it is a pass.
type Move = (char, Option<(usize, usize)>);

/// A game, and what it says.
#[derive(Clone, Debug, Default)]
struct Game {
    text: String,
    kind: &'static str,
    /// The values of GM and SZ; empty if they are missing.
    gm: &'static str,
    sz: &'static str,
    size: (usize, usize),
    nodes: u64,
    values: u64,
    moves: u64,
    /// Moves of the main line, those included that cannot be read.
    line: u64,
    has_handicap: bool,
    has_setup: bool,
    has_black_stone: bool,
    first: Option<Move>,
    players: Vec<&'static str>,
    outcome: Option<&'static str>,
    year: Option<i32>,
    /// Which of the long lines it has.
    copy: Option<usize>,
}

/// A file with games, or with none.
struct Member {
    games: Vec<Game>,
    bytes: Vec<u8>,
    /// Whether all commands read it without a complaint.
    is_sound: bool,
    is_cut: bool,
}

/// The number of the file in UTF-16.
const WIDE: usize = 1;

pub(super) struct Archive {
    members: Vec<Member>,
}

fn below(g: &mut Gen, end: usize) -> usize {
    usize::arbitrary(g) % end
}

fn one_in(g: &mut Gen, n: usize) -> bool {
    below(g, n) == 0
}

/// The point of two letters.
pub(super) fn point_of(letters: &str) -> (usize, usize) {
    let [x, y] = *letters.as_bytes() else { panic!("{letters}") };
    (usize::from(x - b'a'), usize::from(y - b'a'))
}

/// The name of a point of 19x19, as players say it.
pub(super) fn point_name((x, y): (usize, usize)) -> String {
    format!("{}{}", char::from(b"ABCDEFGHJKLMNOPQRST"[x]), 19 - y)
}

/// The image of a point of 19x19 in the upper right corner, nearer to the right side than to the upper one.
fn folded((x, y): (usize, usize)) -> (usize, usize) {
    let (right, top) = (x.min(18 - x), y.min(18 - y));
    (18 - right.min(top), right.max(top))
}

impl Game {
    fn node(&mut self) {
        self.nodes += 1;
        self.text.push(';');
    }

    fn put(&mut self, ident: &str, value: &str) {
        self.values += 1;
        self.text += &format!("{ident}[{value}]");
    }

    fn random(g: &mut Gen) -> Game {
        let mut game = Game { text: "(".to_owned(), ..Game::default() };
        game.node();
        let kinds = [("Go", "1"), ("Go", "1"), ("Go", "1"), ("Go", ""), ("Hex", "11"), ("Othello", "2")];
        (game.kind, game.gm) = *g.choose(&kinds).unwrap();
        (game.sz, game.size) = match game.kind {
            "Go" => {
                let sizes = [("19", (19, 19)), ("19", (19, 19)), ("", (19, 19)), ("9", (9, 9)), ("19:13", (19, 13))];
                *g.choose(&sizes).unwrap()
            }
            "Hex" => ("11", (11, 11)),
            _ => ("", (8, 8)),
        };
        for (ident, value) in [("GM", game.gm), ("SZ", game.sz)] {
            if !value.is_empty() {
                game.put(ident, value);
            }
        }
        for ident in ["PB", "PW"] {
            let name = *g.choose(&["", "Lee", "Yi", "Ann", "Go Seigen"]).unwrap();
            if !name.is_empty() {
                game.put(ident, name);
                game.players.push(name);
            }
        }
        let results = [
            (None, None),
            (Some("B+R"), Some("B")),
            (Some("B+2.5"), Some("B")),
            (Some("W+R"), Some("W")),
            (Some("W+0.5"), Some("W")),
            (Some("0"), Some("draw")),
            (Some("Void"), None),
            (Some("?"), None),
        ];
        let (result, outcome) = *g.choose(&results).unwrap();
        game.outcome = outcome;
        result.into_iter().for_each(|result| game.put("RE", result));
        let dates = [
            (None, None),
            (Some("0019-05-03"), Some(19)),
            (Some("9998"), Some(9998)),
            (Some("1846-09-11"), Some(1846)),
            (Some("2016-03"), Some(2016)),
            (Some("yesterday"), None),
        ];
        let (date, year) = *g.choose(&dates).unwrap();
        game.year = year;
        date.into_iter().for_each(|date| game.put("DT", date));
        if game.kind == "Go" {
            let handicap = *g.choose(&["", "", "", "0", "1", "2", "5"]).unwrap();
            game.has_handicap = matches!(handicap, "2" | "5");
            if !handicap.is_empty() {
                game.put("HA", handicap);
            }
            game.copy = g.choose(&[None, None, None, Some(0), Some(1), Some(2)]).copied().flatten();
            game.copy = game.copy.filter(|_| game.size == (19, 19));
            if game.copy.is_none() && one_in(g, 4) {
                game.put("AB", "fe"); // where no game begins
                (game.has_setup, game.has_black_stone) = (true, true);
            }
        }
        match game.copy {
            Some(copy) => game.long_line(copy),
            None => game.short_line(g),
        }
        game.text.push(')');
        game
    }

    /// Writes a move of the main line, or of a variation.
    fn play(&mut self, color: char, written: &str) {
        self.put(&color.to_string(), written);
        self.moves += 1;
    }

    fn play_on_line(&mut self, (color, point): Move) {
        let written = point.map_or(String::new(), |(x, y)| self.written(x, y));
        self.play(color, &written);
        self.line += 1;
        self.has_black_stone |= color == 'B' && point.is_some();
    }

    fn written(&self, x: usize, y: usize) -> String {
        let letter = |n: usize| char::from(b'a' + n as u8);
        if self.kind == "Go" { format!("{}{}", letter(x), letter(y)) } else { format!("{}{}", letter(x), y + 1) }
    }

    /// 40 stones, other ones for each number.
    fn long_line(&mut self, number: usize) {
        let point = |n: usize| ((n * [1, 2, 4][number] + 60) % 19, (n * [1, 2, 4][number] + 60) / 19 % 19);
        self.first = Some(('B', Some(point(0))));
        for n in 0..40 {
            self.node();
            self.play_on_line((['B', 'W'][n % 2], Some(point(n))));
        }
    }

    fn short_line(&mut self, g: &mut Gen) {
        let (columns, rows) = self.size;
        let start = *g.choose(&[(3, 3), (15, 3), (15, 15), (16, 3), (2, 3), (9, 9), (2, 2)]).unwrap();
        let start = start.1 % rows * columns + start.0 % columns;
        // No point occurs twice: 7 divides no number of points.
        let point =
            |n: usize| ((start + 7 * n) % (columns * rows) % columns, (start + 7 * n) % (columns * rows) / columns);
        let (len, white_begins) = (below(g, 12), one_in(g, 6));
        let color = |n: usize| if n.is_multiple_of(2) == white_begins { 'W' } else { 'B' };
        let is_in_root = len > 0 && one_in(g, 6);
        let mut has_way = true;
        if !is_in_root && self.kind == "Go" && one_in(g, 8) {
            self.node();
            self.put("AW", "ee");
            has_way = false;
        }
        if !is_in_root && one_in(g, 4) {
            self.node();
            self.put("C", "a [comment\\] of (;two\nlines");
        }
        for n in 0..len {
            if n > 0 || !is_in_root {
                self.node();
            }
            let may_fail = self.kind == "Go" && (n > 0 || !is_in_root);
            if may_fail && one_in(g, 12) {
                self.play(color(n), "zz");
                self.line += 1;
                has_way &= n > 0;
                continue;
            }
            let played = (color(n), Some(point(n)).filter(|_| self.kind != "Go" || !one_in(g, 12)));
            if n == 0 && has_way {
                self.first = Some(played);
            }
            self.play_on_line(played);
        }
        if one_in(g, 3) {
            // A first variation that ends the main line, and another one.
            self.text.push('(');
            self.node();
            self.play_on_line((color(len), Some(point(len))));
            if len == 0 && has_way {
                self.first = Some((color(0), Some(point(0))));
            }
            self.text += ")(";
            self.node();
            let (x, y) = point(len + 1);
            let written = self.written(x, y);
            self.play('B', &written);
            self.text.push(')');
        }
    }

    fn is_even(&self) -> bool {
        self.kind == "Go" && self.size == (19, 19) && !self.has_setup && !self.has_handicap
    }

    fn plausible_year(&self) -> Option<i32> {
        self.year.filter(|year| (100..3000).contains(year))
    }
}

impl Archive {
    pub(super) fn random(g: &mut Gen) -> Archive {
        let mut members = Vec::new();
        for n in 0..6 {
            let mut games: Vec<Game> = (0..below(g, 14)).map(|_| Game::random(g)).collect();
            if n == 0 {
                // So many that the report draws wins by handicap.
                let mut game = Game { text: "(".to_owned(), kind: "Go", gm: "1", sz: "19", ..Game::default() };
                (game.size, game.has_handicap, game.has_setup, game.outcome) = ((19, 19), true, true, Some("B"));
                game.node();
                for (ident, value) in [("GM", "1"), ("SZ", "19"), ("HA", "2"), ("AB", "dd"), ("RE", "B+R")] {
                    game.put(ident, value);
                }
                game.has_black_stone = true;
                game.text.push(')');
                games.extend(vec![game; 10]);
                games.push(Game::random(g));
                if one_in(g, 2) {
                    let game = g.choose(&(0..games.len()).collect::<Vec<_>>()).map(|n| &mut games[*n]).unwrap();
                    // Longer than the parts of a file.
                    let text = format!("C[{}]", "2 MiB of \\] text ".repeat((2 << 20) / 17));
                    game.text.insert_str(2, &text);
                    game.values += 1;
                }
            }
            let is_cut = !games.is_empty() && one_in(g, 4);
            let has_junk = one_in(g, 4);
            let mut text = games.iter().map(|game| game.text.as_str()).collect::<Vec<_>>().join(if has_junk {
                " (for now) "
            } else {
                "\n"
            });
            if is_cut {
                text.pop();
            }
            if has_junk && games.is_empty() {
                text = "No game is in this file.".to_owned();
            }
            let is_wide = n == WIDE;
            let bytes = if is_wide { super::wide(&text, 2, true, true) } else { text.into() };
            let is_sound = !is_cut && !has_junk && !is_wide && !games.is_empty();
            members.push(Member { games, bytes, is_sound, is_cut });
        }
        Archive { members }
    }

    /// Writes the files: some alone, some compressed, and some in archives.
    pub(super) fn write(&self, folder: &Path) {
        let _ = fs::remove_dir_all(folder);
        fs::create_dir_all(folder.join("below")).unwrap();
        let bytes = |n: usize| &self.members[n].bytes[..];
        let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).unwrap();
        write("0.sgf", bytes(0));
        write("below/1.sgf", bytes(1));
        write("2.sgf.gz", &gzip(bytes(2)));
        write("3.zip", &zip(&[zipped("a/3.sgf", bytes(3)), zipped("4.sgf", bytes(4))]));
        write("below/5.tar", &tar(&[("README", b"(;C[not a game])"), ("5.sgf", bytes(5))]));
    }

    /// The content of each file, and whether all commands read it without a complaint.
    pub(super) fn members(&self) -> impl Iterator<Item = (&[u8], bool)> {
        self.members.iter().map(|member| (&member.bytes[..], member.is_sound))
    }

    /// The numbers by what they count.
    pub(super) fn facts(&self) -> Value {
        let games = || self.members.iter().flat_map(|member| &member.games);
        let count = |is: &dyn Fn(&Game) -> bool| games().filter(|game| is(game)).count() as u64;
        let sum = |of: &dyn Fn(&Game) -> u64| games().map(of).sum::<u64>();
        let by = |key: &dyn Fn(&Game) -> Option<String>| {
            let mut counts = BTreeMap::<String, u64>::new();
            games().filter_map(key).for_each(|key| *counts.entry(key).or_default() += 1);
            json!(counts)
        };
        let years = |is: &dyn Fn(&Game) -> bool| {
            let years = || games().filter(|game| is(game)).filter_map(Game::plausible_year);
            json!([years().min(), years().max()])
        };
        let outcomes = |is: &dyn Fn(&Game) -> bool| {
            json!(["B", "W", "draw"].map(|outcome| count(&|game| is(game) && game.outcome == Some(outcome))))
        };
        let first = |game: &Game| {
            let (color, point) = game.first.filter(|_| game.is_even())?;
            Some((color, point.map_or("pass".to_owned(), |point| point_name(folded(point)))))
        };
        let has_black = |game: &Game| game.kind == "Go" && game.has_black_stone;
        let mut copies: Vec<u64> =
            (0..3).map(|copy| count(&|game| game.copy == Some(copy))).filter(|games| *games > 1).collect();
        copies.sort_unstable();
        let players: BTreeSet<&str> = games().flat_map(|game| &game.players).copied().collect();
        json!({
            "files": self.members.len(),
            "bytes": self.members.iter().map(|member| member.bytes.len()).sum::<usize>(),
            "games": count(&|_| true),
            "games in sound files": self.members.iter().filter(|member| member.is_sound).map(|member| member.games.len()).sum::<usize>(),
            "games not in UTF-16": count(&|_| true) - self.members[WIDE].games.len() as u64,
            "games that are cut": self.members.iter().filter(|member| member.is_cut).count(),
            "nodes": sum(&|game| game.nodes),
            "values": sum(&|game| game.values),
            "moves": sum(&|game| game.moves),
            "moves of main lines": sum(&|game| game.line),
            "game types": by(&|game| Some(game.kind.to_owned())),
            "GM": by(&|game| Some(game.gm.to_owned())),
            "square boards of Go": by(&|game| {
                let (x, y) = game.size;
                (game.kind == "Go" && x == y).then(|| format!("{x}×{y}"))
            }),
            "SZ": by(&|game| Some(game.sz.to_owned())),
            "dated games": count(&|game| game.plausible_year().is_some()),
            "games of impossible years": count(&|game| game.year.is_some() && game.plausible_year().is_none()),
            "years": years(&|_| true),
            "games with a black stone": count(&has_black),
            "years of games with a black stone": years(&has_black),
            "outcomes of games with a black stone": outcomes(&has_black),
            "games with a black stone and winner!=B": count(&|game| has_black(game) && game.outcome == Some("W")),
            "even games": count(&Game::is_even),
            "years of even games": years(&Game::is_even),
            "outcomes of even games": outcomes(&Game::is_even),
            "even games with winner!=B": count(&|game| game.is_even() && game.outcome == Some("W")),
            "first moves": by(&|game| first(game).map(|(color, point)| format!("{color} {point}"))),
            "first moves of Black": by(&|game| first(game).filter(|(color, point)| *color == 'B' && point != "pass").map(|(_, point)| point)),
            "players": players.len(),
            "copies": copies,
        })
    }
}
