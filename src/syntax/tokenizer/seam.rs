//! Seams: the places between the games of a stream where a part of it may end, and another tokenizer go on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::declared::Given;
use super::{MachineState, Tokenizer};
use crate::syntax::diagnostic::Position;
use crate::syntax::error::SyntaxError;
use crate::syntax::lines::LineCounter;

/// A place between the games of a stream, and what has to be known there to go on reading.
#[derive(Clone, Debug)]
pub(crate) struct Seam {
    pub(crate) position: Position,
    lines: LineCounter,
    is_start: bool,
    bom: bool,
    /// With what was detected, if that was asked for.
    pub(crate) given: Given,
    resync: bool,
    junk_reported: bool,
    is_after_games: bool,
    error: Option<SyntaxError>,
}

/// Whether a part of a stream ends at a seam, and not with the stream.
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
    /// After games, at an offset, with the lines before it if they were counted.
    pub(crate) fn after_games(offset: u64, lines: LineCounter, bom: bool) -> Self {
        let position = Position { offset, ..lines.position() };
        Seam { position, lines, is_start: false, bom, is_after_games: true, ..Seam::start() }
    }

    /// This place, with what is known of the charset of games.
    pub(crate) fn with_given(self, given: Given) -> Self {
        Seam { given, ..self }
    }

    /// The lines before it, if they were counted.
    pub(crate) fn lines(&self) -> &LineCounter {
        &self.lines
    }

    /// Whether the stream starts with a byte-order mark, as far as it was read.
    pub(crate) fn has_bom(&self) -> bool {
        self.bom
    }

    /// The start of a stream.
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
    /// The place before the input, or before the `(` that is held back, outside of games: a part of the
    /// stream may end there.
    pub(crate) fn seam(&self) -> Seam {
        debug_assert!(self.levels.is_empty());
        let position = match self.held {
            Some(held) => held.position,
            None if self.tracks_lines() => self.lines.position(),
            None => Position { offset: self.base, ..Position::START },
        };
        // A `(` is no half of a line break.
        let lines = if self.held.is_some() { LineCounter::new(position) } else { self.lines.clone() };
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

    /// A tokenizer for the part of a stream after a seam, which ends with the stream or at another seam.
    pub(crate) fn restart_at_seam(&self, seam: &Seam, goes_on: GoesOn) -> Self {
        let Seam { position, bom, resync, junk_reported, is_after_games, error, is_start, .. } = *seam;
        let mut restarted = self.restart(position);
        restarted.config.given = self.config.given.or(seam.given);
        Tokenizer {
            place: if is_start { MachineState::Start } else { restarted.place },
            // The stream may have been cut without counting lines; then they start anew.
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

    /// Whether the last game ended where the head of another begins, which comes next.
    pub(crate) fn is_at_head(&self) -> bool {
        self.head == Some(self.base)
    }
}
