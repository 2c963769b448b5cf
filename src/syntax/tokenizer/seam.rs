//! Seams: positions between the games of a stream where a part may end and another tokenizer may continue.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::declared::Given;
use super::{MachineState, Tokenizer};
use crate::syntax::diagnostic::Position;
use crate::syntax::error::SyntaxError;
use crate::syntax::lines::LineCounter;

/// A position between games, with what is needed to continue reading there.
#[derive(Clone, Debug)]
pub struct Seam {
    pub(crate) position: Position,
    lines: LineCounter,
    is_start: bool,
    bom: bool,
    /// The setting for the charset, with the detected one if detection is on.
    pub(crate) given: Given,
    resync: bool,
    junk_reported: bool,
    is_after_games: bool,
    error: Option<SyntaxError>,
}

/// Whether a part of a stream ends at a seam instead of the end of the stream.
#[derive(Clone, Debug, Default)]
pub(crate) enum GoesOn {
    #[default]
    No,
    Yes,
    /// Known only when the part ends.
    Told(Arc<AtomicBool>),
}

impl GoesOn {
    pub(crate) fn new(goes_on: bool) -> Self {
        if goes_on { GoesOn::Yes } else { GoesOn::No }
    }

    pub(super) fn get(&self) -> bool {
        match self {
            GoesOn::No => false,
            GoesOn::Yes => true,
            GoesOn::Told(goes_on) => goes_on.load(Ordering::Relaxed),
        }
    }
}

impl Seam {
    /// Creates a seam after games, at an offset, with the lines before it if they were counted.
    pub(crate) fn after_games(offset: u64, lines: LineCounter, bom: bool) -> Self {
        let position = Position { offset, ..lines.position() };
        Seam { position, lines, is_start: false, bom, is_after_games: true, ..Seam::start() }
    }

    /// Returns this seam with a setting for the charset of games.
    pub(crate) fn with_given(self, given: Given) -> Self {
        Seam { given, ..self }
    }

    /// Returns the charset of the stream, with the detected one.
    pub fn given(&self) -> Given {
        self.given
    }

    /// Returns the lines before it, if they were counted.
    #[doc(hidden)]
    pub fn lines(&self) -> &LineCounter {
        &self.lines
    }

    /// Returns whether the stream starts with a byte-order mark, as far as it was read.
    #[doc(hidden)]
    pub fn has_bom(&self) -> bool {
        self.bom
    }

    /// Creates the seam at the start of a stream.
    pub(crate) fn start() -> Self {
        Seam {
            position: Position::START,
            lines: LineCounter::default(),
            is_start: true,
            bom: false,
            given: Given::Nothing,
            resync: false,
            junk_reported: false,
            is_after_games: false,
            error: None,
        }
    }
}

impl Tokenizer {
    /// Returns the seam before the input, or before the `(` that is held back, between games. A part of the stream
    /// may end there.
    pub(crate) fn seam(&self) -> Seam {
        debug_assert!(self.levels.is_empty());
        let position = match self.held() {
            Some(held) => held,
            None if self.tracks_lines() => self.lines.position(),
            None => Position { offset: self.base, ..Position::START },
        };
        // A `(` is not half of a line break.
        let lines = if self.held().is_some() { LineCounter::new(position) } else { self.lines.clone() };
        Seam {
            position,
            lines,
            is_start: self.place == MachineState::Start,
            bom: self.bom,
            given: self.config.given,
            resync: self.resync,
            junk_reported: self.junk_reported,
            is_after_games: self.has_games(),
            error: self.error,
        }
    }

    /// Returns a tokenizer for the part of a stream after a seam. The part ends with the stream or at another seam.
    pub(crate) fn restart_at_seam(&self, seam: &Seam, goes_on: GoesOn) -> Self {
        let Seam { position, bom, resync, junk_reported, is_after_games, error, is_start, .. } = *seam;
        let mut restarted = self.restart(position);
        restarted.config.given = self.config.given.or(seam.given);
        Tokenizer {
            place: if is_start { MachineState::Start } else { restarted.place },
            // The stream may have been cut without counting lines; then they start from 1.
            lines: if seam.lines.offset() == position.offset { seam.lines.clone() } else { restarted.lines.clone() },
            bom,
            resync,
            junk_reported,
            is_after_games,
            error,
            goes_on,
            ..restarted
        }
    }

    /// Returns whether the last game ended at a head, which comes next.
    pub(crate) fn is_at_head(&self) -> bool {
        self.head == Some(self.base)
    }
}
