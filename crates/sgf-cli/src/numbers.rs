//! The numbers of games, which count from the start of a file: of `records` and `find`.
//!
//! The threads that format rows do not know how many games come before theirs: counting these in advance would mean
//! parsing the file twice. So they count from the start of their result, and note where a number of that kind is
//! ([`Numbers`]); when the results are taken in order, the number of games before is added ([`GamesBefore`]).

use std::io::{self, Write};
use std::ops::Range;

use crate::json;

/// Places in a text where a number is too small.
#[derive(Debug, Default)]
pub(crate) struct Numbers(Vec<(Range<usize>, u64)>);

impl Numbers {
    /// Notes a number in a place after the others.
    pub(crate) fn note(&mut self, place: Range<usize>, number: u64) {
        self.0.push((place, number));
    }

    /// Writes the text of these places, with the number of games before it added to each number.
    pub(crate) fn write(&self, text: &[u8], before: u64, out: &mut impl Write) -> io::Result<()> {
        if before == 0 {
            return out.write_all(text);
        }
        let mut written = 0;
        for (place, number) in &self.0 {
            out.write_all(&text[written..place.start])?;
            json::write(&mut *out, &(before + number))?;
            written = place.end;
        }
        out.write_all(&text[written..])
    }

    /// Forgets the places from here on.
    pub(crate) fn cut(&mut self, end: usize) {
        self.0.retain(|(place, _)| place.end <= end);
    }

    /// Adds the number of games before it to each number of these places in a text.
    pub(crate) fn raise(&self, mut text: String, before: u64) -> String {
        if before > 0 {
            for (place, number) in self.0.iter().rev() {
                text.replace_range(place.clone(), &(before + number).to_string());
            }
        }
        text
    }
}

/// The number of the next game of a result.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NextGame {
    /// It counts from the start of the result, since the file started before it.
    OfResult(u64),
    /// It counts from the start of the file. `None` where games are not counted.
    OfFile(Option<u64>),
}

impl Default for NextGame {
    fn default() -> Self {
        NextGame::OfResult(0)
    }
}

impl NextGame {
    pub(crate) fn number(self) -> Option<u64> {
        match self {
            NextGame::OfResult(number) => Some(number),
            NextGame::OfFile(number) => number,
        }
    }

    /// Returns the number if the games before the result are to be added to it.
    pub(crate) fn of_result(self) -> Option<u64> {
        match self {
            NextGame::OfResult(number) => Some(number),
            NextGame::OfFile(_) => None,
        }
    }

    /// Splits a result in two, whose second half goes on with this number. Returns that of the first half, which counts
    /// no games, so that those of the second go on counting from the start of the first.
    pub(crate) fn split(self) -> NextGame {
        match self {
            NextGame::OfResult(_) => NextGame::OfResult(0),
            of_file => of_file,
        }
    }

    /// Counts a game.
    pub(crate) fn advance(&mut self) {
        self.advance_by(1);
    }

    /// Counts some games.
    pub(crate) fn advance_by(&mut self, games: u64) {
        match self {
            NextGame::OfResult(number) | NextGame::OfFile(Some(number)) => *number += games,
            NextGame::OfFile(None) => {}
        }
    }
}

/// The number of games of a file in the results that have been taken.
#[derive(Debug, Default)]
pub(crate) struct GamesBefore(u64);

impl GamesBefore {
    /// Returns the number of games before a result, and takes the result, whose end is at this game.
    pub(crate) fn take(&mut self, end: NextGame) -> u64 {
        let before = self.0;
        self.0 = match end {
            NextGame::OfResult(games) => before + games,
            NextGame::OfFile(games) => games.unwrap_or_default(),
        };
        before
    }
}

#[cfg(test)]
mod tests {
    use super::{GamesBefore, NextGame, Numbers};

    #[test]
    fn numbers_are_raised_by_the_games_before() {
        let text = b"0: a\n9: b\nof 10\n";
        let mut numbers = Numbers::default();
        numbers.note(0..1, 0);
        numbers.note(5..6, 9);
        numbers.note(13..15, 10);
        for (before, expected) in
            [(0, "0: a\n9: b\nof 10\n"), (1, "1: a\n10: b\nof 11\n"), (990, "990: a\n999: b\nof 1000\n")]
        {
            let mut out = Vec::new();
            numbers.write(text, before, &mut out).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), expected);
            assert_eq!(numbers.raise(String::from_utf8(text.to_vec()).unwrap(), before), expected);
        }
    }

    #[test]
    fn games_count_from_the_start_of_each_file() {
        let mut before = GamesBefore::default();
        let ends = [NextGame::OfResult(3), NextGame::OfResult(2), NextGame::OfFile(Some(0)), NextGame::OfResult(7)];
        assert_eq!(ends.map(|end| before.take(end)), [0, 3, 5, 0]);
        assert_eq!(before.take(NextGame::OfFile(Some(4))), 7);
        assert_eq!(before.take(NextGame::OfFile(None)), 4);
        assert_eq!(before.take(NextGame::OfResult(1)), 0);
    }
}
