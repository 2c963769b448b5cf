//! What a pattern wants on one point.

use sgf_stream::value::Color;

/// The states of a point that a pattern allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Need {
    /// Anything.
    #[default]
    Any,
    /// No stone (`AE`).
    Empty,
    /// A black stone (`AB`).
    Black,
    /// A white stone (`AW`).
    White,
    /// A stone (`QE`: not empty).
    NotEmpty,
    /// A white stone or none (`QB`: not black).
    NotBlack,
    /// A black stone or none (`QW`: not white).
    NotWhite,
}

/// The signs of diagrams.
const SIGNS: [(Need, char); 7] = [
    (Need::Any, '*'),
    (Need::Empty, '.'),
    (Need::Black, 'X'),
    (Need::White, 'O'),
    (Need::NotEmpty, '@'),
    (Need::NotBlack, 'o'),
    (Need::NotWhite, 'x'),
];

impl Need {
    /// Returns whether a stone, or `None` for an empty point, is what is wanted.
    pub fn allows(self, stone: Option<Color>) -> bool {
        self.states().contains(State::of(stone))
    }

    /// Returns the need after black and white stones have been exchanged.
    #[must_use]
    pub fn swapped(self) -> Self {
        match self {
            Need::Black => Need::White,
            Need::White => Need::Black,
            Need::NotBlack => Need::NotWhite,
            Need::NotWhite => Need::NotBlack,
            Need::Any | Need::Empty | Need::NotEmpty => self,
        }
    }

    /// Returns the sign in a diagram.
    pub(crate) fn sign(self) -> char {
        SIGNS.iter().find(|(need, _)| *need == self).map_or('*', |(_, sign)| *sign)
    }

    /// Returns the need that a sign of a diagram stands for.
    pub(super) fn of_sign(sign: char) -> Option<Self> {
        SIGNS.iter().find(|(_, of)| *of == sign).map(|(need, _)| *need)
    }

    /// Returns the states of a point that are wanted.
    pub(crate) fn states(self) -> State {
        match self {
            Need::Any => State(0b111),
            Need::Empty => State::EMPTY,
            Need::Black => State::BLACK,
            Need::White => State::WHITE,
            Need::NotEmpty => State(0b110),
            Need::NotBlack => State(0b101),
            Need::NotWhite => State(0b011),
        }
    }
}

/// The state of a point, or several states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State(u8);

impl State {
    pub(crate) const EMPTY: State = State(0b001);
    pub(crate) const BLACK: State = State(0b010);
    pub(crate) const WHITE: State = State(0b100);
    /// That of cells around the board, which nothing wants.
    pub(crate) const OFF: State = State(0b1000);

    #[inline]
    pub(crate) fn of(stone: Option<Color>) -> Self {
        match stone {
            None => State::EMPTY,
            Some(Color::Black) => State::BLACK,
            Some(Color::White) => State::WHITE,
        }
    }

    /// Returns whether a state is one of these.
    #[inline]
    pub(crate) fn contains(self, one: State) -> bool {
        self.0 & one.0 != 0
    }

    /// Returns these states and others.
    #[inline]
    pub(crate) fn or(self, other: State) -> State {
        State(self.0 | other.0)
    }

    /// Returns a number for a single state: 0 to 2 for points of the board, and 4 for cells around it.
    #[inline]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0 >> 1)
    }

    /// Returns how many states these are.
    pub(crate) fn count(self) -> u32 {
        self.0.count_ones()
    }
}
