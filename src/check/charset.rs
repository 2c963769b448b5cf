//! Whether `CA` is true of a game: its texts are counted, and what they say is known when the game is over.

use std::ops::Range;

use super::Rule;
use super::finding::Edit;
use super::report::{Report, Site, To};
use crate::charset::{CharsetSource, TreeCharset};
use crate::syntax::diagnostic::{Code, Position};
use crate::value::RawValue;

/// What the texts of a game say of its `CA`.
#[derive(Debug, Default)]
pub(super) struct Declared {
    /// Its place.
    found: Option<(Range<u64>, Option<Position>)>,
    /// Values with characters beyond ASCII: in UTF-8 though `CA` says otherwise, and others.
    in_utf8: u64,
    others: u64,
}

impl Declared {
    /// No `CA` has come yet.
    pub(super) fn is_first(&self) -> bool {
        self.found.is_none()
    }

    pub(super) fn found(&mut self, span: Range<u64>, position: Option<Position>) {
        self.found = Some((span, position));
    }

    /// A value of the game.
    pub(super) fn note(&mut self, charset: TreeCharset, raw: &[u8]) {
        let value = RawValue::new(raw);
        if charset.is_contradicted_by(value) {
            self.in_utf8 += 1;
        } else if !charset.reads_as_utf8(value) {
            self.others += 1;
        }
    }

    /// A value that nobody has looked at.
    pub(super) fn note_unseen(&mut self) {
        self.others += 1;
    }

    /// Whether it may have to be mended when the game is over.
    pub(super) fn may_be_mended(&self) -> bool {
        self.found.is_some() && self.others == 0
    }

    /// The game is over: is its `CA` true?
    pub(super) fn end_game(&mut self, report: &mut Report, to: To<'_>) {
        let Declared { found, in_utf8, others } = std::mem::take(self);
        let (Some(place), 1..) = (found, in_utf8) else { return };
        let Some(charset) = report.texts.charset else { return };
        let name = match charset.source() {
            CharsetSource::UnknownLabel => "no charset that is known".to_owned(),
            _ => charset.charset().to_string(),
        };
        let (message, edits) = match others {
            0 => {
                let edit = Edit::new(place.0.start + 1..place.0.end - 1, *b"UTF-8");
                (format!("CA names {name}, and the texts are in UTF-8"), vec![edit])
            }
            _ => (format!("CA names {name}, and {in_utf8} of {} texts are in UTF-8", in_utf8 + others), Vec::new()),
        };
        let site = Site { span: place.0, position: place.1, property: Some("CA".into()) };
        report.find_at(Rule::Syntax(Code::CharsetMismatch), site, message, edits);
        report.flush(to);
    }
}
