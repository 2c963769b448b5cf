//! The facts of a game that sections of the report count: read from a row of the table of games.

use sgf_stream::Game;
use sgf_stream::table::{Cell, PropertyValue, Row};
use sgf_stream::value::Color;

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

/// The columns, in the order of their numbers below.
const NAMES: [&str; 21] = [
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
    "CA_raw",
    "move_count",
    "moves",
    "node_count",
    "length",
    "AB",
    "AW",
    "canonical",
];

/// All columns that are read: those above, then the raw values for [`COVERAGE`].
pub(super) fn columns() -> Vec<String> {
    let raw = COVERAGE.iter().filter(|(ident, _)| *ident != "CA").map(|(ident, _)| format!("{ident}_raw"));
    NAMES.iter().map(|name| (*name).to_owned()).chain(raw).collect()
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
    /// Whether the root sets up stones.
    pub(super) has_setup: bool,
    /// The hash of the line: equal for copies.
    pub(super) line: u64,
    pub(super) nodes: u64,
    pub(super) length: u64,
    /// A bit for each property of [`COVERAGE`] that is there.
    pub(super) present: u32,
}

/// Words of the column `result`.
pub(super) const RESULTS: [&str; 7] = ["resign", "points", "time", "forfeit", "draw", "void", "unknown"];

impl Facts {
    /// Reads the facts of a game. The row has [`columns`].
    pub(super) fn of(row: &Row<'_>) -> Facts {
        let text = |column| match row.cell(column) {
            Cell::Text(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
            _ => None,
        };
        let integer = |column| if let Cell::Integer(number) = row.cell(column) { Some(number) } else { None };
        let hundredths = |column| if let Cell::Decimal(number) = row.cell(column) { Some(number) } else { None };
        let has_value = |column| match row.cell(column) {
            Cell::Raw(values) => values.iter().any(|value| !value.is_empty()),
            _ => false,
        };
        let game = text(0).map_or(Game::Go, |name| named(&name));
        let is_go = game == Game::Go;
        let square = (integer(1) == integer(2)).then(|| integer(1)).flatten();
        let square = square.and_then(|side| Side::try_from(side).ok()).filter(|side| (1..=52).contains(side));
        let side = square.filter(|_| is_go);
        let ground = match game {
            Game::Go | Game::Hex => square.map(|_| Ground { game, side: square }),
            _ => Some(Ground { game, side: None }),
        };
        let date = match row.cell(5) {
            date @ Cell::Date(_) => Some(date.to_string()),
            _ => None,
        };
        let year: Option<i32> = date.as_ref().and_then(|date| date.split('-').next()?.parse().ok());
        let result = text(6);
        let declared = match row.cell(13) {
            Cell::Raw(values) => {
                values.first().map(|value| String::from_utf8_lossy(value.as_bytes()).trim().to_owned())
            }
            _ => None,
        };
        let mut present = 0;
        let mut column = NAMES.len();
        for (n, (ident, _)) in COVERAGE.iter().enumerate() {
            let is_there = match *ident {
                "CA" => declared.as_ref().is_some_and(|name| !name.is_empty()),
                _ => {
                    column += 1;
                    has_value(column - 1)
                }
            };
            present |= u32::from(is_there) << n;
        }
        Facts {
            offset: row.offset(),
            is_go,
            side,
            ground,
            players: [text(3), text(4)],
            year: year.filter(|year| stats::is_plausible(*year)),
            odd_year: year.filter(|year| !stats::is_plausible(*year)),
            date,
            result: result.and_then(|word| RESULTS.into_iter().find(|known| *known == word)),
            winner: match text(7).as_deref() {
                Some("B") => Some(Color::Black),
                Some("W") => Some(Color::White),
                _ => None,
            },
            margin: hundredths(8),
            komi: hundredths(9),
            handicap: integer(10),
            application: text(11),
            declared: declared.filter(|name| !name.is_empty()),
            charset: text(12).unwrap_or_default(),
            move_count: integer(14).unwrap_or(0).max(0) as u64,
            moves: row.cell(15).move_codes().unwrap_or_default(),
            setup: side.map(|side| setup(row, side)).unwrap_or_default(),
            has_setup: [18, 19].into_iter().any(|column| match row.cell(column) {
                Cell::Property(PropertyValue::Points(points) | PropertyValue::List(points)) => !points.is_empty(),
                _ => false,
            }),
            line: match row.cell(20) {
                Cell::Hash(hash) => hash.first_chunk().map_or(0, |half| u64::from_be_bytes(*half)),
                _ => 0,
            },
            nodes: integer(16).unwrap_or(0).max(0) as u64,
            length: integer(17).unwrap_or(0).max(0) as u64,
            present,
            game,
        }
    }

    /// Whether it is a game without handicap that starts on an empty board.
    pub(super) fn is_even(&self) -> bool {
        self.handicap.is_none_or(|stones| stones <= 1) && !self.has_setup
    }

    /// Whether its result is known.
    pub(super) fn has_outcome(&self) -> bool {
        self.winner.is_some() || self.result == Some("draw")
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
    for (column, color) in [(18, 0), (19, WHITE)] {
        let Cell::Property(PropertyValue::Points(points)) = row.cell(column) else { continue };
        for point in points {
            let Ok(point) = sgf_stream::value::go::Point::parse(point.as_str()) else { continue };
            if point.x() < side && point.y() < side {
                codes.push((u16::from(point.y()) * u16::from(side) + u16::from(point.x())) | color);
            }
        }
    }
    codes
}
