//! Rewriting: the same content in another form, with syntax errors repaired if that loses nothing.
//!
//! A stream is cut into pieces, from one game start to the next ([`piece`]). A piece is read into a [`document`], a plan
//! turns its syntax errors into repairs ([`syntax`]), the repairs are applied ([`edit`](super::edit)), and the output is
//! parsed again ([`readback`]). A change that would be parsed differently is not written. Nothing here predicts the
//! behavior of a parser.
//!
//! | plan | addition to the repairs of syntax |
//! |---|---|
//! | [`Exact`] | nothing |
//! | [`Rewriter::with_rules`] | the edits of rules |
//! | canonical | whole games in canonical form |

mod canonical;
pub(crate) mod document;
mod effort;
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

use sgf_stream::internal::{BOM, Follows, Given, LongGame, Meets, Moves, Next, find_head, trim};
use sgf_stream::parts::Part;
use sgf_stream::{Code, Diagnostic, Event, EventSink, Flow, Parser, Position, PushParser, SyntaxError};

use self::canonical::CanonicalPlan;
use self::document::Document;
use self::piece::{Context, Piece, Printed};
pub use self::report::{Change, Note, NoteKind, RewriteError, Rewritten};
use crate::edit::Fix;

/// Maximum length of a piece that is rewritten, in bytes. A longer one is left unchanged.
const MOST_PIECE: usize = 16 << 20;

/// Maximum number of bytes that the detection of charsets examines.
const SAMPLE: u64 = 1 << 16;

/// Minimum number of bytes that are rewritten at a time.
const PART_LEN: usize = 1 << 17;

/// A rewriter of streams: it repairs syntax errors, or writes another form.
///
/// [`Rewriter::new`] creates one that changes only what a strict parser rejects: missing brackets and semicolons are
/// added, brackets in texts are escaped, meaningless brackets are dropped, a node after a variation gets parentheses, and
/// a truncated value is closed. All other bytes are left unchanged, and a stream without syntax errors is written byte for
/// byte. (Identifiers keep their spelling, with lower-case letters and digits.) [`Rewriter::with_rules`]
/// creates one that also repairs the diagnostics of the checker.
///
/// No content is lost. Text that is not SGF is left unchanged, a [note](Note) says so, and the rest of its game is repaired.
/// [`lossy`](Self::lossy) drops such text. Every change is verified before it is written: one that would be parsed
/// differently is not applied. The guide lists all guarantees, and compares
/// the kinds of rewriters.
///
/// ```
/// use sgf_stream::Parser;
/// use sgf_check::{NoteKind, Rewriter};
///
/// let rewriter = Rewriter::new(&Parser::new());
/// let (out, done) = rewriter.rewrite_slice(b"A mail.\n(;FF [4]\n C[sic [!]]  (B[dd])(;C[not lost");
/// assert_eq!(out, b"A mail.\n(;FF [4]\n C[sic [!\\]]  (;B[dd])(;C[not lost]))");
///
/// let left: Vec<_> = done.notes().iter().filter(|note| note.kind == NoteKind::Left).collect();
/// assert_eq!((left.len(), left[0].code, left[0].range.clone()), (1, "junk-outside-tree", 0..7));
/// ```
///
/// Memory is bounded by one part of the stream: 128 KiB plus one game. A game longer than 16 MiB is left unchanged.
#[derive(Clone, Debug)]
pub struct Rewriter {
    /// Lenient, without a callback.
    parser: Parser,
    plan: Arc<dyn Plan>,
    is_lossy: bool,
    guesses_charset: bool,
}

/// A way to rewrite the pieces of a stream, besides the repairs of syntax.
pub(crate) trait Plan: fmt::Debug + Send + Sync {
    /// Returns the locations in a part that need a change.
    ///
    /// # Errors
    ///
    /// Fails if the stream has no SGF data.
    fn look(&self, context: &Context<'_>, part: &Part<'_>) -> Result<Look, SyntaxError>;

    /// Returns whether a game that is too long to be rewritten needs a change.
    fn watch<'w>(&self, context: &Context<'w>, parser: PushParser) -> Watch<'w> {
        let _ = context;
        let found = Rc::new(Cell::new(false));
        watch_with(parser, Rc::clone(&found), Faults(move |_| found.set(true)))
    }

    /// Returns whether digits in identifiers are dropped in games that declare FF\[4\].
    fn refuses_digits(&self) -> bool {
        false
    }

    /// Returns the repairs of the diagnostics in a piece whose syntax is repaired. None of them loses content.
    fn fixes(&self, context: &Context<'_>, bytes: &[u8]) -> Vec<Fix> {
        let _ = (context, bytes);
        Vec::new()
    }

    /// Returns whether games are written in another form.
    fn prints(&self) -> bool {
        false
    }

    /// Returns a repaired piece with its games in another form; `None` if games keep their form.
    fn print(&self, context: &Context<'_>, piece: Piece<'_>, document: &Document<'_>) -> Option<Printed> {
        let _ = (context, piece, document);
        None
    }
}

/// The pieces of a part that need a change.
#[derive(Debug)]
pub(crate) enum Look {
    /// In the pieces that have these offsets, or end there.
    At(Vec<usize>),
    /// In all pieces.
    Everywhere,
}

/// The plan that only repairs syntax errors.
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

/// Takes the bytes of a game in order, with an empty chunk at its end. Returns whether the game needs a change; if so, the
/// rest of its bytes is not needed.
pub(crate) type Watch<'w> = Box<dyn FnMut(&[u8]) -> bool + 'w>;

/// Passes the events of a parser to a sink, which sets the flag if a change is needed.
pub(crate) fn watch_with<'w>(
    mut parser: PushParser,
    found: Rc<Cell<bool>>,
    mut sink: impl EventSink + 'w,
) -> Watch<'w> {
    Box::new(move |chunk| {
        let parsed = parser.chunk_into(chunk, &mut sink);
        found.get() || parsed.is_err() // the stream has no SGF data
    })
}

/// Calls a closure with the offset of each syntax error that is more than a spelling.
struct Faults<F>(F);

impl<F: FnMut(u64)> EventSink for Faults<F> {
    fn event(&mut self, _: Event<'_>, _: u64) -> Flow {
        Flow::Continue
    }

    fn diagnostic(&mut self, fault: Diagnostic) {
        if !matches!(fault.code, Code::LowercaseInIdent | Code::DigitInIdent) {
            (self.0)(fault.position.offset);
        }
    }

    fn moves(&mut self, _: Moves<'_>) -> Option<Flow> {
        Some(Flow::Continue)
    }
}

/// A part of a stream that was rewritten.
#[derive(Debug)]
pub struct Step<'s> {
    /// The offset of its first byte in the stream.
    pub offset: u64,
    /// The source bytes of the part.
    pub source: &'s [u8],
    /// Their new form.
    pub rewritten: &'s Rewritten,
}

impl Rewriter {
    /// Creates a rewriter that repairs the syntax of streams.
    ///
    /// It has the limits and charsets of the parser.
    pub fn new(parser: &Parser) -> Self {
        Rewriter::with(parser, Arc::new(Exact))
    }

    pub(crate) fn with(parser: &Parser, plan: Arc<dyn Plan>) -> Self {
        let longest = parser.game_limit().min(MOST_PIECE);
        let parser = parser.lenient().count_lines(true).max_game_len(longest);
        Rewriter { parser, plan, is_lossy: false, guesses_charset: false }
    }

    /// Sets whether text that is not SGF is dropped. Default: false.
    ///
    /// Such text is: text outside games, text among properties, values without an identifier, and identifiers without a
    /// value. If rules are repaired, in games that declare FF\[4\] also properties with digits in their identifier.
    #[must_use]
    pub fn lossy(self, is_lossy: bool) -> Self {
        Rewriter { is_lossy, ..self }
    }

    /// Sets whether to use the most likely charset of a game if `CA` is wrong. Default: false.
    ///
    /// This applies if `CA` is missing, unknown or wrong, and the texts are neither ASCII nor UTF-8: see
    /// [`GameCharset::is_guess`](sgf_stream::charset::GameCharset::is_guess). A [fixer](Rewriter::with_rules) writes the charset
    /// into `CA` and keeps the texts; that counts as a repair of [`CharsetMismatch`](sgf_stream::Code::CharsetMismatch). An
    /// exact copy is not affected.
    ///
    /// Nothing is guessed if the parser does not decode, or has a fixed charset (`Parser::charset`).
    ///
    /// ```
    /// use sgf_stream::Parser;
    /// use sgf_stream::charset::Decoding;
    /// use sgf_check::{Rewriter, Rules};
    ///
    /// let fixer = Rewriter::with_rules(&Parser::new().charset(Decoding::new()), Rules::new()).guess_charset(true);
    /// let text = b"\xCE\xA7\xC6\xE5\xCA\xC7\xD2\xBB\xD6\xD6\xB2\xDF\xC2\xD4\xC6\xE5";
    /// let (out, fixed) = fixer.rewrite_slice(&[b"(;FF[4]C[", &text[..], b"])"].concat());
    /// assert_eq!(out, [b"(;CA[GBK]FF[4]C[", &text[..], b"])"].concat());
    /// assert_eq!(fixed.count(), 1);
    /// ```
    #[must_use]
    pub fn guess_charset(self, guesses_charset: bool) -> Self {
        Rewriter { guesses_charset, ..self }
    }

    /// Writes each game in canonical form, in UTF-8 if that loses nothing.
    #[must_use]
    pub fn canonical(self) -> Self {
        Rewriter { plan: Arc::new(CanonicalPlan { is_transcoded: false }), ..self }
    }

    /// Assumes that streams were transcoded to UTF-8, regardless of `CA`.
    #[must_use]
    #[doc(hidden)]
    pub fn canonical_of_transcoded(self) -> Self {
        Rewriter { plan: Arc::new(CanonicalPlan { is_transcoded: true }), ..self }
    }

    /// Returns the parser that cuts streams into parts for this rewriter.
    #[doc(hidden)]
    pub fn parser(&self) -> &Parser {
        &self.parser
    }

    /// Writes a stream in its new form. Returns the counts of the diagnostics.
    ///
    /// For changes and notes, see [`rewrite_each`](Self::rewrite_each).
    ///
    /// # Errors
    ///
    /// Fails if reading or writing fails. A part of the output may have been written then.
    pub fn rewrite<R: Read, W: Write>(&self, reader: R, mut writer: W) -> Result<Rewritten, RewriteError> {
        let done = self.rewrite_each(reader, |step| step.rewritten.write_to(step.source, step.offset, &mut writer))?;
        writer.flush().map_err(RewriteError::Write)?;
        Ok(done)
    }

    /// Rewrites a slice. Returns its new form, and the changes, notes and counts.
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
    /// use sgf_check::Rewriter;
    /// use sgf_stream::Parser;
    ///
    /// let mut out = Vec::new();
    /// let rewriter = Rewriter::new(&Parser::new()).lossy(true);
    /// let done = rewriter.rewrite_each(&b"(;B[dd];[a comment];W[bb])"[..], |step| {
    ///     for note in step.rewritten.notes() {
    ///         println!("{}: {:?} {}", note.position, note.kind, note.code);
    ///     }
    ///     step.rewritten.write_to(step.source, step.offset, &mut out)
    /// })?;
    /// assert_eq!(out, b"(;B[dd];;W[bb])");
    /// assert!(done.dropped().eq([("value-without-ident", 1)]));
    /// # Ok::<(), sgf_check::RewriteError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if reading or the closure fails.
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

    /// Rewrites a part of a stream, on any thread.
    ///
    /// The part comes from [`parser`](Self::parser), cut into [whole pieces](sgf_stream::parts::Parts::whole_pieces).
    #[doc(hidden)]
    pub fn rewrite_part(&self, part: &Part<'_>) -> Rewritten {
        let (seam, span, bytes) = (part.seam(), part.span(), part.bytes());
        let has_bom = seam.has_bom() || span.start == 0 && bytes.starts_with(BOM);
        let parser = self.in_stream(seam.given(), has_bom);
        let (plan, context) = (&self.plan, self.context(&parser, seam.given(), has_bom));
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
                // A file that is not SGF is left unchanged.
                let range = span.start..span.start;
                let (code, position) = (error.code().as_str(), error.position());
                done.note(Note { kind: NoteKind::Left, code, position, range, message: None, is_error: true });
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
                    kind: note.kind,
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

    /// Reverts changes that would change the detected charset: those in the bytes that detection examines, or all of the
    /// part.
    fn keep_charset(&self, context: &Context<'_>, part: &Part<'_>, done: &mut Rewritten) {
        for most in [SAMPLE, u64::MAX] {
            if !done.has_changed() || self.has_charset_of(context, part, done) {
                return;
            }
            let message = "left unchanged, because a different charset would be detected in the repaired file; set its charset to repair it";
            done.take_back(
                most,
                Note {
                    kind: NoteKind::Left,
                    code: "charset",
                    position: Position::START,
                    range: 0..0,
                    message: Some(message.to_owned()),
                    is_error: false,
                },
            );
        }
    }

    /// Passes a game that is too long to be rewritten, and so is left unchanged.
    ///
    /// # Errors
    ///
    /// Fails if reading or the closure fails.
    #[doc(hidden)]
    pub fn pass_long<R: Read>(
        &self,
        mut game: LongGame<'_, R>,
        mut take: impl FnMut(Step<'_>) -> io::Result<()>,
    ) -> Result<Rewritten, RewriteError> {
        let position = game.position();
        let parser = game.push(&self.parser);
        let seam = game.seam();
        let inner = self.in_stream(seam.given(), seam.has_bom());
        let mut watch = self.plan.watch(&self.context(&inner, seam.given(), seam.has_bom()), parser);
        let (mut offset, mut found, nothing) = (position.offset, false, Rewritten::default());
        loop {
            let chunk = game.fill_buf().map_err(RewriteError::Read)?;
            let len = chunk.len();
            found = found || watch(chunk);
            if len == 0 {
                let mut all = Rewritten::default();
                if found {
                    let code = Code::GameTooLong.as_str();
                    let range = position.offset..offset;
                    all.note(Note { kind: NoteKind::Left, code, position, range, message: None, is_error: true });
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
        let unmarked = self.parser.given().or(detected);
        Context { parser, unmarked, has_bom, is_lossy: *is_lossy, guesses_charset: *guesses_charset, plan: &**plan }
    }

    /// Returns a parser for pieces of a stream with this detected charset.
    fn in_stream(&self, detected: Given, has_bom: bool) -> Parser {
        let mut parser = self.parser.clone().count_lines(false);
        let given = parser.given().or(detected);
        parser.set_given(if has_bom { given.after_mark() } else { given });
        parser
    }

    /// Returns whether the changes of the first part keep the detected charset, or all games declare theirs.
    fn has_charset_of(&self, context: &Context<'_>, part: &Part<'_>, done: &Rewritten) -> bool {
        let detect = |bytes: &[u8]| self.parser.detect(bytes, part.is_last());
        let mut new = Vec::with_capacity(part.bytes().len());
        let written = done.write_to(part.bytes(), 0, &mut new);
        debug_assert!(written.is_ok(), "a vector is written without errors");
        detect(part.bytes()).is_some_and(|given| detect(&new) == Some(given))
            || self.guesses_charset && readback::names_charsets(context.parser, &new)
    }
}

/// Returns whether the bytes are only white space and a byte-order mark.
fn is_blank(bytes: &[u8]) -> bool {
    trim(bytes.strip_prefix(BOM).unwrap_or(bytes)).is_empty()
}

/// Returns whether a game starts in the bytes.
fn has_game(parser: &Parser, bytes: &[u8]) -> bool {
    let mut has_game = false;
    let read = parser.parse(bytes, |_, _| {
        has_game = true;
        Flow::Break
    });
    has_game && read.is_ok()
}

/// Returns the ranges of the pieces of a part.
fn pieces<'b>(parser: &Parser, bytes: &'b [u8]) -> impl Iterator<Item = Range<usize>> + use<'b> {
    let find =
        |from: usize| find_head(bytes, from.min(bytes.len()), Follows::End).ok().flatten().unwrap_or(bytes.len());
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

#[cfg(test)]
mod tests;
