//! Repairs: the stream unchanged, except for what can be put right without loss.
//!
//! [`stream`] reads the stream and cuts it into games. Each game is repaired by itself, in memory ([`game`]): first its
//! syntax ([`write::rewrite`](crate::write::Rewriter)), then what the rules find ([`edits`]). A game without faults, and
//! the text between games, is copied.

mod edits;
mod game;
#[cfg(feature = "charset")]
mod label;
mod report;
mod stream;

use std::fmt;
use std::io::{self, Read, Write};

pub use self::report::{Change, Fate, FixError, Fixed, Note};
use self::stream::FixStream;
use super::Rules;
use crate::read::listener::Listener;
use crate::read::parser::Parser;

/// Number of bytes read at a time.
const CHUNK: usize = 1 << 16;

/// Repairs what can be repaired without loss, and copies everything else byte for byte.
///
/// The [module's page](super#repairs) lists the repairs. [`fix`] and [`fix_slice`] use a fixer with its defaults.
///
/// ```
/// use sgf_stream::check::{Fate, Fixer, Rules};
///
/// let input = b"A mail.\n(;FF[4]SZ[9:9];B[dd]\n(;FF[4];B[dd];[a comment];W[b b])";
/// let mut out = Vec::new();
/// let fixed = Fixer::new(Rules::new()).fix(&input[..], &mut out)?;
/// assert_eq!(out, b"A mail.\n(;FF[4]SZ[9];B[dd])\n(;FF[4];B[dd];[a comment];W[b b])");
/// assert_eq!((fixed.count(), fixed.left_games()), (2, 1));
///
/// let mut dropped = Vec::new();
/// let mut out = Vec::new();
/// let mut fixer = Fixer::new(Rules::new()).lossy(true).on_note(|note| {
///     assert_eq!(note.fate, Fate::Dropped);
///     dropped.push((note.position.line, note.rule.as_str(), note.shown.escape_ascii().to_string()));
/// });
/// fixer.fix(&input[..], &mut out)?;
/// drop(fixer);
/// assert_eq!(out, b"\n(;FF[4]SZ[9];B[dd])\n(;FF[4];B[dd];;W[bb])");
/// assert_eq!(dropped, [
///     (1, "junk-outside-tree", "A mail.".to_owned()),
///     (3, "value-without-ident", "[a comment]".to_owned()),
/// ]);
/// # Ok::<(), sgf_stream::check::FixError>(())
/// ```
pub struct Fixer<'a> {
    parser: Parser,
    listener: Listener,
    rules: Rules,
    is_lossy: bool,
    guesses_charset: bool,
    on_note: Option<OnNote<'a>>,
    on_change: Option<OnChange<'a>>,
}

type OnNote<'a> = Box<dyn FnMut(&Note<'_>) + 'a>;
type OnChange<'a> = Box<dyn FnMut(&Change<'_>) + 'a>;

impl<'a> Fixer<'a> {
    /// A fixer for the findings of these rules, and for faults of syntax whatever the rules. [`Parser::fixer`] makes one
    /// with other limits, or with charsets.
    pub fn new(rules: Rules) -> Self {
        Parser::new().fixer(rules)
    }

    pub(crate) fn with(parser: &Parser, rules: Rules) -> Self {
        Fixer {
            parser: parser.lenient(),
            listener: parser.listener.clone(),
            rules,
            is_lossy: false,
            guesses_charset: false,
            on_note: None,
            on_change: None,
        }
    }

    /// Sets whether text that is not SGF is left out (default: no): text outside of games, text among properties, values
    /// without an identifier, identifiers without a value, and in FF\[4\] properties with digits in their
    /// identifier. By default text outside of games stays, and a game with such faults stays unchanged.
    ///
    /// Where the charset is detected (`Parser::charset`), a text before the end of the first game may have told it, and
    /// the output may be read in another one. By default a repair that would change what is detected is not made.
    #[must_use]
    pub fn lossy(self, is_lossy: bool) -> Self {
        Fixer { is_lossy, ..self }
    }

    /// Sets whether the most likely charset is written into `CA` where `CA` is missing, unknown or false, and the texts are
    /// neither ASCII nor UTF-8 (default: no): see [`GameCharset::is_guess`](crate::charset::GameCharset::is_guess). Such a
    /// repair counts as one of [`CharsetMismatch`](crate::Code::CharsetMismatch). It is made in games that stay unchanged
    /// otherwise too, since their other faults do not matter to it. The texts stay as they are.
    ///
    /// Nothing is guessed where the [parser](Parser::fixer) has no charsets, or is given one (`Parser::charset`).
    ///
    /// ```
    /// use sgf_stream::Parser;
    /// use sgf_stream::charset::Decoding;
    /// use sgf_stream::check::Rules;
    ///
    /// let mut fixer = Parser::new().charset(Decoding::new()).fixer(Rules::new()).guess_charset(true);
    /// let text = b"\xCE\xA7\xC6\xE5\xCA\xC7\xD2\xBB\xD6\xD6\xB2\xDF\xC2\xD4\xC6\xE5";
    /// let (out, fixed) = fixer.fix_slice(&[b"(;FF[4]C[", &text[..], b"])"].concat())?;
    /// assert_eq!(out, [b"(;CA[GBK]FF[4]C[", &text[..], b"])"].concat());
    /// assert_eq!(fixed.count(), 1);
    /// # Ok::<(), sgf_stream::check::FixError>(())
    /// ```
    #[cfg(feature = "charset")]
    #[must_use]
    pub fn guess_charset(self, guesses_charset: bool) -> Self {
        Fixer { guesses_charset, ..self }
    }

    /// Calls `handler` for everything that was not repaired or was left out, in the order of the stream.
    #[must_use]
    pub fn on_note(self, handler: impl FnMut(&Note<'_>) + 'a) -> Self {
        Fixer { on_note: Some(Box::new(handler)), ..self }
    }

    /// Calls `handler` for every change, in the order of the stream: a game as a whole, or text outside of games.
    #[must_use]
    pub fn on_change(self, handler: impl FnMut(&Change<'_>) + 'a) -> Self {
        Fixer { on_change: Some(Box::new(handler)), ..self }
    }

    /// Repairs a stream. Holds one game in memory; a game of more than 16 MiB stays unchanged.
    ///
    /// # Errors
    ///
    /// If reading or writing fails, or the stream [cannot be repaired](FixError::Refused). Part of the output may be
    /// written then.
    pub fn fix<R: Read, W: Write>(&mut self, mut reader: R, writer: W) -> Result<Fixed, FixError> {
        let mut stream = FixStream::new(self, writer);
        let mut buffer = vec![0; CHUNK];
        loop {
            let len = match reader.read(&mut buffer) {
                Ok(len) => len,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(FixError::Read(error)),
            };
            stream.push(&buffer[..len])?;
            if len == 0 {
                return stream.finish();
            }
        }
    }

    /// Repairs a slice.
    ///
    /// # Errors
    ///
    /// If it [cannot be repaired](FixError::Refused).
    pub fn fix_slice(&mut self, bytes: &[u8]) -> Result<(Vec<u8>, Fixed), FixError> {
        let mut out = Vec::with_capacity(bytes.len());
        let fixed = self.fix(bytes, &mut out)?;
        Ok((out, fixed))
    }
}

impl fmt::Debug for Fixer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fixer").field("rules", &self.rules).field("is_lossy", &self.is_lossy).finish_non_exhaustive()
    }
}

/// Repairs a stream: see [`Fixer`].
///
/// ```
/// use sgf_stream::check::{Rules, fix};
///
/// let mut out = Vec::new();
/// let fixed = fix(&Rules::new(), &b"(;FF[4] SZ[9:9]\n;B[ d d ]C[a\n comment]AB[])"[..], &mut out)?;
/// assert_eq!(out, b"(;FF[4] SZ[9]\n;B[dd]C[a\n comment])");
/// assert_eq!(fixed.count(), 3);
/// # Ok::<(), sgf_stream::check::FixError>(())
/// ```
///
/// # Errors
///
/// See [`Fixer::fix`].
pub fn fix<R: Read, W: Write>(rules: &Rules, reader: R, writer: W) -> Result<Fixed, FixError> {
    Fixer::new(rules.clone()).fix(reader, writer)
}

/// Repairs a slice: see [`Fixer`].
///
/// ```
/// use sgf_stream::check::{Rules, fix_slice};
///
/// let (out, fixed) = fix_slice(&Rules::new(), b"(;FF[4];AB[aa]AW[cc]AB[bb][aa]C[cut o")?;
/// assert_eq!(out, b"(;FF[4];AB[aa][bb]AW[cc]C[cut o])");
/// assert_eq!(fixed.count(), 4);
/// # Ok::<(), sgf_stream::check::FixError>(())
/// ```
///
/// # Errors
///
/// If it [cannot be repaired](FixError::Refused).
pub fn fix_slice(rules: &Rules, bytes: &[u8]) -> Result<(Vec<u8>, Fixed), FixError> {
    Fixer::new(rules.clone()).fix_slice(bytes)
}
