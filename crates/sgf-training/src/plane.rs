//! The planes of a position, by their names.

use std::fmt;
use std::str::FromStr;

use sgf_input::near;
use thiserror::Error;

/// A plane: one bit for each point of the board.
///
/// *Own* is the player to move, and `-k` means: `k` positions ago. Positions before the start of the game are empty.
///
/// | name | the points | KataGo's V7 |
/// |---|---|--:|
/// | `board` | all | 0 |
/// | `own`, `opponent` | stones | 1, 2 |
/// | `liberties1`, `liberties2`, `liberties3` | stones of chains with exactly so many liberties | 3, 4, 5 |
/// | `ko` | the point where a simple ko forbids the player to move | 6 |
/// | `move1` … `move5` | the last move, the one before it, …; a pass has no point, and the history ends where one player moved twice | 9–13 |
/// | `own-1` … `own-15`, `opponent-1` … | stones of earlier positions | |
/// | `black`, `white`, `black-1`, … | stones of a color | |
/// | `empty` | points without a stone | |
/// | `turn` | all points if Black is to move, none otherwise | |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Plane {
    /// All points of the board.
    Board,
    /// The stones of the player to move, so many positions ago.
    Own(u8),
    /// The stones of the opponent, so many positions ago.
    Opponent(u8),
    /// The stones of Black, so many positions ago.
    Black(u8),
    /// The stones of White, so many positions ago.
    White(u8),
    /// The points without a stone.
    Empty,
    /// The stones of chains with exactly so many liberties: 1, 2 or 3.
    Liberties(u8),
    /// The point where a simple ko forbids the player to move.
    Ko,
    /// The point of an earlier move: 1 is the last one, 5 the earliest.
    Move(u8),
    /// All points if Black is to move.
    Turn,
}

/// The number of earlier positions that planes can show.
pub const MOST_HISTORY: u8 = 15;

/// The planes of [`Positions`](crate::Positions) by default.
///
/// They are KataGo's V7 features that a game alone determines.
pub const DEFAULT: [Plane; 12] = [
    Plane::Board,
    Plane::Own(0),
    Plane::Opponent(0),
    Plane::Liberties(1),
    Plane::Liberties(2),
    Plane::Liberties(3),
    Plane::Ko,
    Plane::Move(1),
    Plane::Move(2),
    Plane::Move(3),
    Plane::Move(4),
    Plane::Move(5),
];

/// Error for the name of a plane.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown plane '{name}'{hint}")]
pub struct PlaneError {
    name: String,
    hint: String,
}

/// Makes the plane of an earlier position.
type Ago = fn(u8) -> Plane;

const STONES: [(&str, Ago); 4] =
    [("own", Plane::Own), ("opponent", Plane::Opponent), ("black", Plane::Black), ("white", Plane::White)];
const OTHERS: [(&str, Plane); 4] =
    [("board", Plane::Board), ("empty", Plane::Empty), ("ko", Plane::Ko), ("turn", Plane::Turn)];

impl FromStr for Plane {
    type Err = PlaneError;

    fn from_str(name: &str) -> Result<Self, PlaneError> {
        let number = |text: &str, most: u8| text.parse::<u8>().ok().filter(|number| (1..=most).contains(number));
        let named = OTHERS.iter().find(|(known, _)| *known == name).map(|(_, plane)| *plane);
        let stones = || {
            STONES.iter().find_map(|(known, plane)| match name.strip_prefix(known)? {
                "" => Some(plane(0)),
                ago => Some(plane(number(ago.strip_prefix('-')?, MOST_HISTORY)?)),
            })
        };
        let liberties = || name.strip_prefix("liberties").and_then(|count| number(count, 3)).map(Plane::Liberties);
        let moves = || name.strip_prefix("move").and_then(|ago| number(ago, 5)).map(Plane::Move);
        named.or_else(stones).or_else(liberties).or_else(moves).ok_or_else(|| {
            let known = STONES.iter().map(|(name, _)| *name).chain(OTHERS.iter().map(|(name, _)| *name));
            let known = known.chain(["liberties1", "liberties2", "liberties3", "move1", "own-1", "opponent-1"]);
            PlaneError { name: name.to_owned(), hint: near::hint(name, known) }
        })
    }
}

impl fmt::Display for Plane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, ago) = match self {
            Plane::Board => ("board", 0),
            Plane::Empty => ("empty", 0),
            Plane::Ko => ("ko", 0),
            Plane::Turn => ("turn", 0),
            Plane::Own(ago) => ("own", *ago),
            Plane::Opponent(ago) => ("opponent", *ago),
            Plane::Black(ago) => ("black", *ago),
            Plane::White(ago) => ("white", *ago),
            Plane::Liberties(count) => return write!(f, "liberties{count}"),
            Plane::Move(ago) => return write!(f, "move{ago}"),
        };
        match ago {
            0 => f.write_str(name),
            ago => write!(f, "{name}-{ago}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_is_its_name() {
        let stones = (0..=MOST_HISTORY).flat_map(|ago| STONES.map(|(_, plane)| plane(ago)));
        for plane in DEFAULT.into_iter().chain(stones).chain(OTHERS.map(|(_, plane)| plane)) {
            assert_eq!(plane.to_string().parse(), Ok(plane));
        }
    }

    #[test]
    fn wrong_names_are_errors() {
        for name in ["", "owns", "own-0", "own-16", "own-", "liberties4", "liberties0", "move6", "move", "ko-1", "Own"]
        {
            assert!(name.parse::<Plane>().is_err(), "{name}");
        }
        let error = "oponent".parse::<Plane>().unwrap_err();
        assert_eq!(error.to_string(), "unknown plane 'oponent'; did you mean 'opponent'?");
    }
}
