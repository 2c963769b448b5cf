//! The rule about `CA`: reports games whose texts are in another charset.

use std::ops::Range;

use sgf_stream::charset::{CharsetSource, TreeCharset};
use sgf_stream::{Code, Position, RawValue};

use super::Rule;
use super::diagnostic::{Edit, Site};
use super::report::{Report, To};

/// Evidence from the texts of a game for or against its `CA`.
#[derive(Debug, Default)]
pub(super) struct Declared {
    /// Span and position of the value of `CA`.
    found: Option<(Range<u64>, Option<Position>)>,
    /// Values with characters beyond ASCII: those in UTF-8 although `CA` names another charset, and the others.
    in_utf8: u64,
    others: u64,
}

impl Declared {
    /// Returns whether `CA` has not come yet.
    pub(super) fn is_first(&self) -> bool {
        self.found.is_none()
    }

    pub(super) fn found(&mut self, span: Range<u64>, position: Option<Position>) {
        self.found = Some((span, position));
    }

    /// Counts a value of the game.
    #[inline]
    pub(super) fn note(&mut self, charset: TreeCharset, raw: &[u8], is_ascii: bool) {
        // Whatever the charset, such a value is in UTF-8, and in that charset too.
        if !(is_ascii && charset.charset().is_ascii_compatible()) {
            self.note_text(charset, raw);
        }
    }

    fn note_text(&mut self, charset: TreeCharset, raw: &[u8]) {
        let value = RawValue::new(raw);
        if charset.is_contradicted_by(value) {
            self.in_utf8 += 1;
        } else if !charset.reads_as_utf8(value) {
            self.others += 1;
        }
    }

    /// Counts a value that was not examined.
    pub(super) fn note_unseen(&mut self) {
        self.others += 1;
    }

    /// Reports a `CA` that the texts of the game contradict.
    pub(super) fn end_game(&mut self, report: &mut Report, to: To<'_>) {
        let Declared { found, in_utf8, others } = std::mem::take(self);
        let (Some(place), 1..) = (found, in_utf8) else { return };
        let Some(charset) = report.texts.charset else { return };
        let name = match charset.source() {
            CharsetSource::UnknownName => "an unknown charset".to_owned(),
            _ => charset.charset().to_string(),
        };
        let (message, edits) = match others {
            0 => {
                let edit = Edit::new(place.0.start + 1..place.0.end - 1, *b"UTF-8");
                (format!("CA declares {name}, but the texts are in UTF-8"), vec![edit])
            }
            _ => (format!("CA declares {name}, but {in_utf8} of {} texts are in UTF-8", in_utf8 + others), Vec::new()),
        };
        let site = Site { span: place.0, position: place.1, property: Some("CA".into()) };
        report.find_at(Rule::Syntax(Code::CharsetMismatch), site, message, edits);
        report.flush(to);
    }
}
