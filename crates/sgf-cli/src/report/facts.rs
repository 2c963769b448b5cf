//! The facts of a game that sections of the report count: read from a row of the table of games.

use std::collections::BTreeMap;

use sgf_board::CanonicalLine;
use sgf_search::{Outcome, Way};
use sgf_stream::Game;
use sgf_stream::value::Color;
use sgf_table::{Cell, PropertyValue, Row};

use super::stats;

/// The length of the sides of a square board.
pub(super) type Side = u8;

/// A game and its board: what games need to have in common for their moves to be counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Ground {
    pub(super) game: Game,
    /// The side of a square board. Only boards of Go and Hex are told apart by it: those of most other games have one size.
    pub(super) side: Option<Side>,
}

/// The board on which openings and komi of Go are counted.
pub(super) const GO_19: Ground = Ground { game: Game::Go, side: Some(19) };

impl Ground {
    /// Its name in a sentence: `19×19`, `Hex, 11×11`, `Backgammon`.
    pub(super) fn name(self) -> String {
        match (self.game, self.side) {
            (Game::Go, Some(side)) => format!("{side}×{side}"),
            (game, Some(side)) => format!("{game}, {side}×{side}"),
            (game, None) => game.name().to_owned(),
        }
    }
}

/// A pass in the codes of moves, and the bit of White's moves: see the column `moves`.
pub(super) const PASS: u16 = 0x7FFF;
pub(super) const WHITE: u16 = 0x8000;

/// The words of Hex in the codes of moves.
pub(super) const SWAP_SIDES: u16 = 0x7FFE;
pub(super) const SWAP_PIECES: u16 = 0x7FFD;
pub(super) const RESIGN: u16 = 0x7FFC;
pub(super) const FORFEIT: u16 = 0x7FFB;

/// The properties of the root whose presence is counted, and their meanings.
pub(super) const COVERAGE: [(&str, &str); 20] = [
    ("PB", "Black’s name"),
    ("PW", "White’s name"),
    ("BR", "Black’s rank"),
    ("WR", "White’s rank"),
    ("DT", "date"),
    ("RE", "result"),
    ("KM", "komi"),
    ("HA", "handicap"),
    ("RU", "rules"),
    ("TM", "main time"),
    ("OT", "overtime"),
    ("EV", "event"),
    ("RO", "round"),
    ("PC", "place"),
    ("SZ", "size"),
    ("CA", "charset"),
    ("AP", "program"),
    ("SO", "source"),
    ("GN", "name of the game"),
    ("AN", "annotator"),
];

/// The columns, before the raw values for [`COVERAGE`].
const NAMES: [&str; 19] = [
    "game_type",
    "size_x",
    "size_y",
    "black",
    "white",
    "date",
    "result",
    "winner",
    "margin",
    "komi",
    "handicap",
    "application",
    "charset",
    "move_count",
    "moves",
    "node_count",
    "length",
    "AB",
    "AW",
];

/// Returns all columns that are read: those above, then the raw values for [`COVERAGE`].
pub(super) fn columns() -> Vec<String> {
    let raw = COVERAGE.iter().map(|(ident, _)| format!("{ident}_raw"));
    NAMES.iter().map(|name| (*name).to_owned()).chain(raw).collect()
}

/// Returns the number of a column. To be called by the compiler, which refuses an unknown name.
const fn column(name: &str) -> usize {
    let mut at = 0;
    while !is_equal(NAMES[at].as_bytes(), name.as_bytes()) {
        at += 1;
    }
    at
}

const fn is_equal(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

/// The cell of a column, by its name.
macro_rules! cell {
    ($row:expr, $name:literal) => {
        $row.cell(const { column($name) })
    };
}

/// The facts of a game.
#[derive(Debug, Default)]
pub(super) struct Facts {
    pub(super) offset: u64,
    pub(super) game: Game,
    pub(super) is_go: bool,
    /// The side of a square board of Go.
    pub(super) side: Option<Side>,
    /// The board on which its moves are counted. `None` for Go on a board that is not square.
    pub(super) ground: Option<Ground>,
    pub(super) players: [Option<String>; 2],
    pub(super) date: Option<String>,
    pub(super) year: Option<i32>,
    /// The year of DT, if it cannot be that of the game; then `year` is `None`.
    pub(super) odd_year: Option<i32>,
    pub(super) result: Option<&'static str>,
    pub(super) winner: Option<Color>,
    /// In hundredths.
    pub(super) margin: Option<i32>,
    pub(super) komi: Option<i32>,
    pub(super) handicap: Option<i64>,
    pub(super) application: Option<String>,
    /// The charset that CA names, and the one in which texts were read.
    pub(super) declared: Option<String>,
    pub(super) charset: String,
    pub(super) move_count: u64,
    /// Codes of the moves, where the column `moves` has them, and of the stones that the root of a game of Go sets up.
    pub(super) moves: Vec<u16>,
    pub(super) setup: Vec<u16>,
    /// The first moves of a game that starts on the empty board. Of Go only.
    pub(super) way: Option<Way>,
    /// Whether the root sets up stones.
    pub(super) has_setup: bool,
    /// The line, if the game is compared with others, and its hash.
    pub(super) line: Option<(CanonicalLine, u64)>,
    pub(super) nodes: u64,
    pub(super) length: u64,
    /// A bit for each property of [`COVERAGE`] that the root has.
    pub(super) present: u32,
}

/// Words of the column `result`.
pub(super) const RESULTS: [&str; 7] = ["resign", "points", "time", "forfeit", "draw", "void", "unknown"];

impl Facts {
    /// Reads the facts of a game. The row has [`columns`]; `way` is the game's, if its first position is the empty board.
    pub(super) fn of(row: &Row<'_>, way: Option<Way>) -> Facts {
        let text = |cell: Cell<'_>| match cell {
            Cell::Text(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
            _ => None,
        };
        let integer = |cell: Cell<'_>| if let Cell::Integer(number) = cell { Some(number) } else { None };
        let hundredths = |cell: Cell<'_>| if let Cell::Decimal(number) = cell { Some(number) } else { None };
        let has_points = |cell: Cell<'_>| match cell {
            Cell::Property(PropertyValue::Points(points) | PropertyValue::List(points)) => !points.is_empty(),
            _ => false,
        };
        let count = |cell: Cell<'_>| integer(cell).unwrap_or(0).max(0) as u64;
        let game = text(cell!(row, "game_type")).map_or(Game::Go, |name| named(&name));
        let is_go = game == Game::Go;
        let (width, height) = (integer(cell!(row, "size_x")), integer(cell!(row, "size_y")));
        let square = width.filter(|_| width == height).and_then(|side| Side::try_from(side).ok());
        let square = square.filter(|side| (1..=52).contains(side));
        let side = square.filter(|_| is_go);
        let ground = match game {
            Game::Go | Game::Hex => square.map(|_| Ground { game, side: square }),
            _ => Some(Ground { game, side: None }),
        };
        let date = match cell!(row, "date") {
            date @ Cell::Date(_) => Some(date.to_string()),
            _ => None,
        };
        let year: Option<i32> = date.as_ref().and_then(|date| date.split('-').next()?.parse().ok());
        let result = text(cell!(row, "result"));
        let (mut declared, mut present) = (None, 0);
        for (n, (ident, _)) in COVERAGE.iter().enumerate() {
            let Cell::Raw(values) = row.cell(NAMES.len() + n) else { continue };
            let mut is_there = values.iter().any(|value| !value.is_empty());
            if *ident == "CA" {
                let name = values.first().map(|value| String::from_utf8_lossy(value.as_bytes()).trim().to_owned());
                declared = name.filter(|name| !name.is_empty());
                is_there = declared.is_some();
            }
            present |= u32::from(is_there) << n;
        }
        Facts {
            offset: row.offset(),
            is_go,
            side,
            ground,
            players: [text(cell!(row, "black")), text(cell!(row, "white"))],
            year: year.filter(|year| stats::is_plausible(*year)),
            odd_year: year.filter(|year| !stats::is_plausible(*year)),
            date,
            result: result.and_then(|word| RESULTS.into_iter().find(|known| *known == word)),
            winner: match text(cell!(row, "winner")).as_deref() {
                Some("B") => Some(Color::Black),
                Some("W") => Some(Color::White),
                _ => None,
            },
            margin: hundredths(cell!(row, "margin")),
            komi: hundredths(cell!(row, "komi")),
            handicap: integer(cell!(row, "handicap")),
            application: text(cell!(row, "application")),
            declared,
            charset: text(cell!(row, "charset")).unwrap_or_default(),
            move_count: count(cell!(row, "move_count")),
            moves: cell!(row, "moves").move_codes().unwrap_or_default(),
            setup: side.map(|side| setup(row, side)).unwrap_or_default(),
            way: way.filter(|_| is_go),
            has_setup: has_points(cell!(row, "AB")) || has_points(cell!(row, "AW")),
            line: None,
            nodes: count(cell!(row, "node_count")),
            length: count(cell!(row, "length")),
            present,
            game,
        }
    }

    /// Whether it is a game without handicap that starts on an empty board.
    pub(super) fn is_even(&self) -> bool {
        sgf_search::is_even(self.handicap) && if self.is_go { self.way.is_some() } else { !self.has_setup }
    }

    /// The year, as a sum of games by year.
    pub(super) fn years(&self) -> BTreeMap<i32, u64> {
        self.year.map(|year| (year, 1)).into_iter().collect()
    }

    pub(super) fn outcome(&self) -> Outcome {
        match self.winner {
            Some(color) => Outcome::Win(color),
            None if self.result == Some("draw") => Outcome::Draw,
            None => Outcome::Unknown,
        }
    }

    /// Whether its result is known.
    pub(super) fn has_outcome(&self) -> bool {
        self.outcome() != Outcome::Unknown
    }
}

/// The game of a name in the column `game_type`.
fn named(name: &str) -> Game {
    (1..)
        .map(Game::from_number)
        .take_while(|game| !matches!(game, Game::Other(_)))
        .find(|game| game.name() == name)
        .unwrap_or(Game::Other(0))
}

/// The stones that the root sets up, as codes.
fn setup(row: &Row<'_>, side: Side) -> Vec<u16> {
    let mut codes = Vec::new();
    for (cell, color) in [(cell!(row, "AB"), 0), (cell!(row, "AW"), WHITE)] {
        let Cell::Property(PropertyValue::Points(points)) = cell else { continue };
        for point in points {
            let Ok(point) = sgf_stream::value::go::Point::parse(point.as_str()) else { continue };
            if point.x() < side && point.y() < side {
                codes.push((u16::from(point.y()) * u16::from(side) + u16::from(point.x())) | color);
            }
        }
    }
    codes
}
