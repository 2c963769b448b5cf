//! Charsets: the options for decoding texts, and files opened accordingly.
//!
//! A parser needs ASCII brackets, so a file in UTF-16, UTF-32, HZ or ISO-2022-\* is transcoded as a whole. All
//! others are parsed unchanged, and their values decoded one by one: offsets stay those of the file, and its games
//! may be in several charsets.

use std::sync::atomic::{AtomicU64, Ordering};

use sgf_stream::charset::{Charset, Decoding};

use crate::failure::note;
use crate::input::Name;
use crate::names;
pub(crate) use crate::opened::{Opened, Whole, open};
use crate::tables::counted;
use crate::terminal;

/// The charset options.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct Charsets {
    /// Decode everything in this charset, whatever the file says.
    #[arg(long, value_name = "NAME", value_parser = charset)]
    charset: Option<Charset>,

    /// Decode games without CA in this charset. Default: the most likely one, by their texts.
    #[arg(long, value_name = "NAME", value_parser = charset)]
    default_charset: Option<Charset>,
}

/// Parses the name of a charset on the command line.
pub(crate) fn charset(name: &str) -> Result<Charset, String> {
    Charset::for_label(name.as_bytes())
        .ok_or_else(|| format!("unknown charset{}", names::hint(name, &names::charsets())))
}

impl Charsets {
    pub(crate) fn decoding(self) -> Decoding {
        let mut decoding = Decoding::new();
        if let Some(charset) = self.charset {
            decoding = decoding.force(charset);
        }
        if let Some(charset) = self.default_charset {
            decoding = decoding.default_charset(charset);
        }
        decoding
    }

    /// Returns the charset of `--charset`.
    pub(crate) fn forced(self) -> Option<Charset> {
        self.charset
    }
}

/// Returns whether a charset has two-byte characters whose second byte may look like a bracket.
pub(crate) fn has_two_bytes(charset: Charset) -> bool {
    [Charset::SHIFT_JIS, Charset::BIG5, Charset::GBK, Charset::GB18030].contains(&charset)
}

/// Returns a note if the file was parsed with a detected two-byte charset.
pub(crate) fn detection_note(detected: Option<Charset>) -> Option<String> {
    let charset = detected.filter(|&charset| has_two_bytes(charset))?;
    Some(format!("its first game names no charset before its texts, and is read as {charset}"))
}

/// Number of files for which [`note_detected`] had a note.
static GUESSED: AtomicU64 = AtomicU64::new(0);

/// Prints that note on standard error. On a terminal only the first one is printed, and the others are counted.
pub(crate) fn note_detected(name: &Name, detected: Option<Charset>) {
    let Some(said) = detection_note(detected) else { return };
    if GUESSED.fetch_add(1, Ordering::Relaxed) == 0 || !terminal::get().shows_messages() {
        note(format_args!("{name}: {said}"));
    }
}

/// Prints the number of further notes. Called at the end.
pub(crate) fn note_more_detected() {
    let more = GUESSED.load(Ordering::Relaxed).saturating_sub(1);
    if more > 0 && terminal::get().shows_messages() {
        let files = counted(more, "more file");
        note(format_args!(
            "the first game of {files} names no charset before its texts either; the most likely one is used"
        ));
    }
}
