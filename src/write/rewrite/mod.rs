//! Rewriting: a stream with the same content in another form, with its faults repaired where that costs nothing.
//!
//! A stream is cut into pieces, from the head of a game to the next ([`piece`]). A piece is read into a [`document`], a plan
//! turns its odd places into fixes ([`syntax`]), the fixes are made ([`edit`](super::edit)), and the output is read again ([`readback`]). What
//! is not read as it was meant is not written. Nothing here predicts what a parser would do.
//!
//! | plan | what it adds to the fixes of syntax |
//! |---|---|
//! | [`Exact`] | nothing |
//! | that of [`Parser::fixer`](crate::Parser::fixer) | the edits of rules |
//! | canonical | it writes whole games anew |

mod canonical;
pub(crate) mod document;
mod effort;
mod order;
pub(crate) mod piece;
mod quiet;
mod readback;
mod report;
pub(crate) mod syntax;

use std::cell::Cell;
use std::fmt;
use std::io::{self, BufRead, Read, Write};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use self::canonical::CanonicalPlan;
use self::document::Document;
use self::piece::{Context, Piece, Printed};
pub use self::report::{Change, Fate, Note, RewriteError, Rewritten};
use crate::node::Moves;
use crate::raw::{BOM, trim};
use crate::read::parser::Parser;
use crate::read::parts::{LongGame, Meets, Next, Part};
use crate::read::push::PushParser;
use crate::read::sink::EventSink;
use crate::syntax::diagnostic::{Code, Diagnostic, Position};
use crate::syntax::error::SyntaxError;
use crate::syntax::event::Event;
use crate::syntax::flow::Flow;
use crate::syntax::tokenizer::declared::Given;
use crate::syntax::tokenizer::head::{self, Follows};
use crate::write::edit::Fix;

/// The longest piece that is rewritten, in bytes. A longer one stays as it is.
const MOST_PIECE: usize = 16 << 20;

/// Detection of charsets looks at no more bytes than these.
const SAMPLE: u64 = 1 << 16;

/// The least number of bytes that are rewritten at a time.
const PART_LEN: usize = 1 << 17;

/// Writes a stream in another form, or with its faults of syntax repaired.
///
/// [`Parser::rewriter`] makes one that changes only what a strict parser refuses: missing brackets and semicolons are added,
/// brackets in texts are escaped, brackets without meaning are left out, a node after a variation goes before it, and a value
/// that is cut off is closed. All other bytes stay, and a stream without such faults is written byte for byte. (Identifiers keep
/// their spelling, with lower-case letters and digits.) [`Parser::fixer`](crate::Parser::fixer) makes one that also repairs what the
/// rules of the checker find.
///
/// No content is lost. Text that is no SGF stays where it is, a [note](Note) says so, and the rest of its game is repaired.
/// [`lossy`](Self::lossy) leaves such text out. Every change is read again before it is written; if it would be read
/// differently, it is not made. The [guide](crate::guide::repairs#tools-that-change-files) has all promises, and compares the
/// kinds of rewriters.
///
/// ```
/// use sgf_stream::Parser;
/// use sgf_stream::write::Fate;
///
/// let rewriter = Parser::new().rewriter();
/// let (out, done) = rewriter.rewrite_slice(b"A mail.\n(;FF [4]\n C[sic [!]]  (B[dd])(;C[not lost");
/// assert_eq!(out, b"A mail.\n(;FF [4]\n C[sic [!\\]]  (;B[dd])(;C[not lost]))");
///
/// let left: Vec<_> = done.notes().iter().filter(|note| note.fate == Fate::Left).collect();
/// assert_eq!((left.len(), left[0].code, left[0].range.clone()), (1, "junk-outside-tree", 0..7));
/// ```
///
/// Memory holds a part of a stream: 128 KiB, and the next game to its end. A game of more than 16 MiB stays as it is.
#[derive(Clone, Debug)]
pub struct Rewriter {
    /// Lenient, without a listener.
    parser: Parser,
    plan: Arc<dyn Plan>,
    is_lossy: bool,
    guesses_charset: bool,
}

/// A way to rewrite the pieces of a stream, besides the fixes of syntax.
pub(crate) trait Plan: fmt::Debug + Send + Sync {
    /// The places of a part at which there is something to do.
    ///
    /// # Errors
    ///
    /// If the stream has no SGF data.
    fn look(&self, context: &Context<'_>, part: &Part<'_>) -> Result<Look, SyntaxError>;

    /// Whether there is something to do in a game that is too long to be rewritten.
    fn watch<'w>(&self, context: &Context<'w>, parser: PushParser) -> Watch<'w> {
        let _ = context;
        let found = Rc::new(Cell::new(false));
        watch_with(parser, Rc::clone(&found), Faults(move |_| found.set(true)))
    }

    /// Whether games that say FF\[4\] have no digits in their identifiers.
    fn refuses_digits(&self) -> bool {
        false
    }

    /// The fixes of the findings in a piece, whose syntax is repaired. None of them costs content.
    fn fixes(&self, context: &Context<'_>, bytes: &[u8]) -> Vec<Fix> {
        let _ = (context, bytes);
        Vec::new()
    }

    /// Whether games are written anew.
    fn prints(&self) -> bool {
        false
    }

    /// A piece, whose faults are repaired, with its games written anew; `None` if games stay as they are.
    fn print(&self, context: &Context<'_>, piece: Piece<'_>, document: &Document<'_>) -> Option<Printed> {
        let _ = (context, piece, document);
        None
    }
}

/// Where a part has something to do.
#[derive(Debug)]
pub(crate) enum Look {
    /// In the pieces that have these offsets, or end there.
    At(Vec<usize>),
    /// In all pieces.
    Everywhere,
}

/// The plan that changes nothing but faults of syntax.
#[derive(Debug)]
struct Exact;

impl Plan for Exact {
    fn look(&self, context: &Context<'_>, part: &Part<'_>) -> Result<Look, SyntaxError> {
        let (start, mut places) = (part.span().start, Vec::new());
        let mut faults = Faults(|at: u64| places.push(at.saturating_sub(start) as usize));
        part.parse_into(context.parser, &mut faults)?;
        Ok(Look::At(places))
    }
}

/// Takes the bytes of a game in order, an empty chunk at its end. Returns whether there is something to do in it: the rest
/// of its bytes are not needed then.
pub(crate) type Watch<'w> = Box<dyn FnMut(&[u8]) -> bool + 'w>;

/// Passes what a parser reads to a sink, which sets the flag where there is something to do.
pub(crate) fn watch_with<'w>(
    mut parser: PushParser,
    found: Rc<Cell<bool>>,
    mut sink: impl EventSink + 'w,
) -> Watch<'w> {
    Box::new(move |chunk| {
        let parsed = match chunk {
            [] => parser.finish_into(&mut sink),
            _ => parser.feed_into(chunk, &mut sink),
        };
        found.get() || parsed.is_err() // the stream has no SGF data
    })
}

/// Calls a closure with the offset of each fault that is more than a spelling.
struct Faults<F>(F);

impl<F: FnMut(u64)> EventSink for Faults<F> {
    fn event(&mut self, _: Event<'_>, _: u64) -> Flow {
        Flow::Continue
    }

    fn fault(&mut self, fault: Diagnostic) {
        if !matches!(fault.code, Code::LowercaseInIdent | Code::DigitInIdent) {
            (self.0)(fault.position.offset);
        }
    }

    fn moves(&mut self, _: Moves<'_>) -> Option<Flow> {
        Some(Flow::Continue)
    }
}

impl Parser {
    /// A rewriter that repairs the syntax of streams, with the limits and charsets of this parser: see [`Rewriter`].
    pub fn rewriter(&self) -> Rewriter {
        Rewriter::with(self, Arc::new(Exact))
    }
}

impl Default for Rewriter {
    fn default() -> Self {
        Parser::new().rewriter()
    }
}

/// A part of a stream that was rewritten.
#[derive(Debug)]
pub struct Step<'s> {
    /// The offset of its first byte in the stream.
    pub offset: u64,
    /// Its bytes.
    pub source: &'s [u8],
    /// Their new form.
    pub rewritten: &'s Rewritten,
}

impl Rewriter {
    pub(crate) fn with(parser: &Parser, plan: Arc<dyn Plan>) -> Self {
        let longest = parser.config.max_game_len.min(MOST_PIECE);
        let parser = parser.lenient().count_lines(true).max_game_len(longest);
        Rewriter { parser, plan, is_lossy: false, guesses_charset: false }
    }

    /// Sets whether text that is no SGF is left out (default: no): text outside of games, text among properties, values without
    /// an identifier, identifiers without a value; and in games that say FF\[4\], where rules are repaired, properties with
    /// digits in their identifier.
    #[must_use]
    pub fn lossy(self, is_lossy: bool) -> Self {
        Rewriter { is_lossy, ..self }
    }

    /// Sets whether the most likely charset of a game is believed where `CA` is missing, unknown or false, and the texts are
    /// neither ASCII nor UTF-8 (default: no): see [`GameCharset::is_guess`](crate::charset::GameCharset::is_guess). A
    /// [fixer](crate::Parser::fixer) writes it into `CA` and keeps the texts; that counts as a repair of
    /// [`CharsetMismatch`](crate::Code::CharsetMismatch). Exact style does nothing with it.
    ///
    /// Nothing is guessed where the parser has no charsets, or is given one (`Parser::charset`).
    ///
    /// ```
    /// use sgf_stream::Parser;
    /// use sgf_stream::charset::Decoding;
    /// use sgf_stream::check::Rules;
    ///
    /// let fixer = Parser::new().charset(Decoding::new()).fixer(Rules::new()).guess_charset(true);
    /// let text = b"\xCE\xA7\xC6\xE5\xCA\xC7\xD2\xBB\xD6\xD6\xB2\xDF\xC2\xD4\xC6\xE5";
    /// let (out, fixed) = fixer.rewrite_slice(&[b"(;FF[4]C[", &text[..], b"])"].concat());
    /// assert_eq!(out, [b"(;CA[GBK]FF[4]C[", &text[..], b"])"].concat());
    /// assert_eq!(fixed.count(), 1);
    /// ```
    #[cfg(feature = "charset")]
    #[must_use]
    pub fn guess_charset(self, guesses_charset: bool) -> Self {
        Rewriter { guesses_charset, ..self }
    }

    /// Writes each game in canonical style, in UTF-8 where that loses nothing.
    #[must_use]
    pub fn canonical(self) -> Self {
        Rewriter { plan: Arc::new(CanonicalPlan { is_transcoded: false }), ..self }
    }

    /// This, for streams that were transcoded to UTF-8, whatever their games say.
    #[must_use]
    pub fn canonical_of_transcoded(self) -> Self {
        Rewriter { plan: Arc::new(CanonicalPlan { is_transcoded: true }), ..self }
    }

    /// The parser that cuts streams into parts for this rewriter.
    pub fn parser(&self) -> &Parser {
        &self.parser
    }

    /// Writes a stream in its new form. Returns what was found, without changes and notes: for those, see
    /// [`rewrite_each`](Self::rewrite_each).
    ///
    /// # Errors
    ///
    /// If reading or writing fails. A part of the output may have been written then.
    pub fn rewrite<R: Read, W: Write>(&self, reader: R, mut writer: W) -> Result<Rewritten, RewriteError> {
        let done = self.rewrite_each(reader, |step| step.rewritten.write_to(step.source, step.offset, &mut writer))?;
        writer.flush().map_err(RewriteError::Write)?;
        Ok(done)
    }

    /// Rewrites a slice. Returns its new form, and all that was found.
    pub fn rewrite_slice(&self, bytes: &[u8]) -> (Vec<u8>, Rewritten) {
        let (mut out, mut all) = (Vec::with_capacity(bytes.len()), Rewritten::default());
        let done = self.rewrite_each(bytes, |step| {
            all.append(step.rewritten);
            step.rewritten.write_to(step.source, step.offset, &mut out)
        });
        debug_assert!(done.is_ok(), "a slice is read, and a vector written, without errors");
        (out, all)
    }

    /// Rewrites a stream part by part: calls a closure with each, in order.
    ///
    /// ```
    /// use sgf_stream::Parser;
    ///
    /// let mut out = Vec::new();
    /// let rewriter = Parser::new().rewriter().lossy(true);
    /// let done = rewriter.rewrite_each(&b"(;B[dd];[a comment];W[bb])"[..], |step| {
    ///     for note in step.rewritten.notes() {
    ///         println!("{}: {:?} {}", note.position, note.fate, note.code);
    ///     }
    ///     step.rewritten.write_to(step.source, step.offset, &mut out)
    /// })?;
    /// assert_eq!(out, b"(;B[dd];;W[bb])");
    /// assert!(done.dropped().eq([("value-without-ident", 1)]));
    /// # Ok::<(), sgf_stream::write::RewriteError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If reading fails, or the closure.
    pub fn rewrite_each<R: Read>(
        &self,
        reader: R,
        mut take: impl FnMut(Step<'_>) -> io::Result<()>,
    ) -> Result<Rewritten, RewriteError> {
        let mut parts = self.parser.parts(reader).part_len(PART_LEN).whole_pieces();
        let mut all = Rewritten::default();
        while let Some(next) = parts.next_part().map_err(RewriteError::Read)? {
            match next {
                Next::Part(part) => {
                    let rewritten = self.rewrite_part(&part);
                    all.add(&rewritten);
                    let step = Step { offset: part.span().start, source: part.bytes(), rewritten: &rewritten };
                    take(step).map_err(RewriteError::Write)?;
                }
                Next::Long(game) => all.add(&self.pass_long(game, &mut take)?),
            }
        }
        Ok(all)
    }

    /// Rewrites a part of a stream, on any thread: a part of [`parser`](Self::parser), of [whole
    /// pieces](crate::parts::Parts::whole_pieces).
    pub fn rewrite_part(&self, part: &Part<'_>) -> Rewritten {
        let (seam, span, bytes) = (part.seam(), part.span(), part.bytes());
        let has_bom = seam.has_bom() || span.start == 0 && bytes.starts_with(BOM);
        let parser = self.in_stream(seam.given, has_bom);
        let (plan, context) = (&self.plan, self.context(&parser, seam.given, has_bom));
        let mut done = Rewritten::default();
        let offsets = match plan.look(&context, part) {
            Ok(Look::At(mut offsets)) => {
                if offsets.is_empty() {
                    return done;
                }
                offsets.sort_unstable();
                Some(offsets)
            }
            Ok(Look::Everywhere) => None,
            // A value or a game exceeds a limit.
            Err(error) if error.code() != Code::NoSgfData => None,
            Err(error) => {
                // A file that is no SGF stays.
                let range = span.start..span.start;
                let (code, position) = (error.code().as_str(), error.position());
                done.note(Note { fate: Fate::Left, code, position, range, message: None, is_error: true });
                return done;
            }
        };
        let mut lines = seam.lines().clone();
        let Meets { before, after } = part.meets();
        let mut is_first = span.start == 0;
        for range in pieces(&parser, bytes) {
            let is_wanted = |offsets: &Vec<usize>| {
                offsets.get(offsets.partition_point(|at| *at < range.start)).is_some_and(|at| *at <= range.end)
            };
            if !offsets.as_ref().is_none_or(is_wanted) {
                is_first &= is_blank(&bytes[range]);
                continue;
            }
            let piece = Piece {
                bytes: &bytes[range.clone()],
                is_first,
                is_last: part.is_last() && range.end == bytes.len(),
                meets: Meets { before: range.start > 0 || before, after: range.end < bytes.len() || after },
            };
            let rewritten = piece::rewrite(&context, piece);
            is_first &= is_blank(rewritten.bytes.as_deref().unwrap_or(piece.bytes));
            for note in rewritten.notes {
                let place = |at: usize| span.start + (range.start + at) as u64;
                let position = lines.locate(bytes, span.start, place(note.range.start).max(lines.offset()));
                let range = place(note.range.start)..place(note.range.end);
                done.note(Note {
                    fate: note.fate,
                    code: note.code,
                    position,
                    range,
                    message: note.message,
                    is_error: note.is_error,
                });
            }
            if let Some(with) = rewritten.bytes {
                let place = |at: usize| span.start + at as u64;
                done.change(place(range.start)..place(range.end), with);
            }
        }
        if span.start == 0 && self.parser.detects() {
            self.keep_charset(&context, part, &mut done);
        }
        done
    }

    /// Takes changes back with which another charset would be detected in the stream: those in what detection looks at, or
    /// all of the part.
    fn keep_charset(&self, context: &Context<'_>, part: &Part<'_>, done: &mut Rewritten) {
        for most in [SAMPLE, u64::MAX] {
            if !done.has_changed() || self.has_charset_of(context, part, done) {
                return;
            }
            let message =
                "repaired, the file would be read in another charset: it stays as it is, unless its charset is given";
            done.take_back(
                most,
                Note {
                    fate: Fate::Left,
                    code: "charset",
                    position: Position::START,
                    range: 0..0,
                    message: Some(message.to_owned()),
                    is_error: false,
                },
            );
        }
    }

    /// Passes a game that is too long to be rewritten: it stays as it is.
    ///
    /// # Errors
    ///
    /// If reading fails, or the closure.
    pub fn pass_long<R: Read>(
        &self,
        mut game: LongGame<'_, R>,
        mut take: impl FnMut(Step<'_>) -> io::Result<()>,
    ) -> Result<Rewritten, RewriteError> {
        let position = game.position();
        let parser = game.push(&self.parser);
        let seam = game.seam();
        let inner = self.in_stream(seam.given, seam.has_bom());
        let mut watch = self.plan.watch(&self.context(&inner, seam.given, seam.has_bom()), parser);
        let (mut offset, mut found, nothing) = (position.offset, false, Rewritten::default());
        loop {
            let chunk = match game.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                chunk => chunk.map_err(RewriteError::Read)?,
            };
            let len = chunk.len();
            found = found || watch(chunk);
            if len == 0 {
                let mut all = Rewritten::default();
                if found {
                    let code = Code::GameTooLong.as_str();
                    let range = position.offset..offset;
                    all.note(Note { fate: Fate::Left, code, position, range, message: None, is_error: true });
                }
                take(Step { offset, source: chunk, rewritten: &all }).map_err(RewriteError::Write)?;
                return Ok(all);
            }
            take(Step { offset, source: chunk, rewritten: &nothing }).map_err(RewriteError::Write)?;
            offset += len as u64;
            game.consume(len);
        }
    }

    fn context<'c>(&'c self, parser: &'c Parser, detected: Given, has_bom: bool) -> Context<'c> {
        let Rewriter { plan, is_lossy, guesses_charset, .. } = self;
        let unmarked = self.parser.config.given.or(detected);
        Context { parser, unmarked, has_bom, is_lossy: *is_lossy, guesses_charset: *guesses_charset, plan: &**plan }
    }

    /// A parser for pieces of a stream in which this was detected.
    fn in_stream(&self, detected: Given, has_bom: bool) -> Parser {
        let mut parser = self.parser.clone().count_lines(false);
        let given = parser.config.given.or(detected);
        parser.config.given = if has_bom { given.after_mark() } else { given };
        parser
    }

    /// Whether the same charset is detected in the stream after the changes of its first part, or all games name theirs.
    fn has_charset_of(&self, context: &Context<'_>, part: &Part<'_>, done: &Rewritten) -> bool {
        let detect = |bytes: &[u8]| {
            let mut tokenizer = self.parser.tokenizer();
            let is_known = tokenizer.detect(bytes, part.is_last());
            is_known.then(|| tokenizer.given())
        };
        let mut new = Vec::with_capacity(part.bytes().len());
        let written = done.write_to(part.bytes(), 0, &mut new);
        debug_assert!(written.is_ok(), "a vector is written without errors");
        detect(part.bytes()).is_some_and(|given| detect(&new) == Some(given))
            || self.guesses_charset && readback::names_charsets(context.parser, &new)
    }
}

/// Whether there is nothing but white space, and a byte-order mark.
fn is_blank(bytes: &[u8]) -> bool {
    trim(bytes.strip_prefix(BOM).unwrap_or(bytes)).is_empty()
}

/// Whether a game begins in the bytes.
fn has_game(parser: &Parser, bytes: &[u8]) -> bool {
    let mut has_game = false;
    let read = parser.parse(bytes, |_, _| {
        has_game = true;
        Flow::Break
    });
    has_game && read.is_ok()
}

/// The ranges of the pieces of a part.
fn pieces<'b>(parser: &Parser, bytes: &'b [u8]) -> impl Iterator<Item = Range<usize>> + use<'b> {
    let find =
        |from: usize| head::find(bytes, from.min(bytes.len()), Follows::End).ok().flatten().unwrap_or(bytes.len());
    // A byte-order mark belongs to the first game, also where text is between them.
    let mark = if bytes.starts_with(BOM) { find(BOM.len()) } else { 0 };
    let mark = if has_game(parser, &bytes[..mark]) { 0 } else { mark };
    let mut start = 0;
    std::iter::from_fn(move || {
        let end = find(start.max(mark) + 1);
        let piece = std::mem::replace(&mut start, end)..end;
        (!piece.is_empty()).then_some(piece)
    })
}
