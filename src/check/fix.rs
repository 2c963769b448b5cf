//! Repairs: the stream as it is, but for what the rules find and can be put right without loss.
//!
//! Two stages, one behind the other. The first takes the faults of syntax out
//! ([`Rewriter`](crate::write::Rewriter)); what comes out of it has nothing but white space between its
//! lexemes. The second checks that, and its findings bring [`Edit`]s: other bytes for some spans. A
//! node is held until it has been checked, its edits are made, and all else goes out as it came.
//!
//! Edits of a finding are made together or not at all. Where those of two findings touch the same bytes, the
//! second has to wait for the next pass; and there is one until nothing is left to do.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};

use super::core::Core;
use super::finding::{Edit, Finding};
use super::{Rule, Rules};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::event::Event;
use crate::parser::Parser;
use crate::push::PushParser;
use crate::write::{Rewriter, WriteError};

/// So much of a node is held, in bytes. Behind that nothing of it is repaired.
const MOST: usize = 16 << 20;

/// So many edits of a node are made in one pass.
const MOST_EDITS: usize = 1 << 16;

/// How much is read at a time.
const CHUNK: usize = 1 << 16;

/// So many passes are enough for anything: nearly always the second finds nothing to do.
const MOST_PASSES: usize = 64;

/// What was repaired.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Fixed {
    repairs: BTreeMap<Rule, u64>,
    is_done: bool,
}

impl Fixed {
    /// How many findings of each rule were repaired.
    pub fn repairs(&self) -> impl ExactSizeIterator<Item = (Rule, u64)> {
        self.repairs.iter().map(|(&rule, &count)| (rule, count))
    }

    /// How many there were in all.
    pub fn count(&self) -> u64 {
        self.repairs.values().sum()
    }

    /// Whether a second pass over the output is known to leave it as it is. One repair can be in the way of
    /// another, or bring it to light, so that is known where nothing was left to repair.
    pub fn is_done(&self) -> bool {
        self.is_done
    }
}

/// Why a stream was not repaired.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FixError {
    /// It could not be read.
    #[error(transparent)]
    Read(io::Error),
    /// The output could not be written.
    #[error(transparent)]
    Write(io::Error),
    /// Something in it is too long or too deep to be kept, or it is no SGF.
    #[error("{0}")]
    Refused(Diagnostic),
}

/// Repairs what can be repaired without loss, and copies everything else.
///
/// Faults of syntax are repaired as the lenient parser repairs them; what else is, the
/// [module's page](super) says. Constant memory, one pass: see [`Fixed::is_done`] for what that may
/// leave.
///
/// ```
/// use sgf_stream::check::{Rules, fix};
///
/// let mut out = Vec::new();
/// let fixed = fix(&Rules::new(), &b"(;FF[4] SZ[9:9]\n;B[ d d ]C[a\n comment]AB[])"[..], &mut out)?;
/// assert_eq!(out, b"(;FF[4] SZ[9]\n;B[dd]C[a\n comment])");
/// assert_eq!((fixed.count(), fixed.is_done()), (3, false));
/// # Ok::<(), sgf_stream::check::FixError>(())
/// ```
///
/// # Errors
///
/// If reading or writing fails, or the stream cannot be kept whole. Part of the output may be written then.
pub fn fix<R: Read, W: Write>(rules: &Rules, mut reader: R, writer: W) -> Result<Fixed, FixError> {
    let heard = Arc::new(Mutex::new(Heard::default()));
    let listener = {
        let heard = Arc::clone(&heard);
        move |found: &Diagnostic| heard.lock().unwrap_or_else(PoisonError::into_inner).hear(found)
    };
    let mut parser = Parser::new().on_diagnostic(listener).push();
    let mut rewriter = Rewriter::new(Editor::new(rules.clone(), writer));
    let mut buffer = vec![0; CHUNK];
    loop {
        let len = match reader.read(&mut buffer) {
            Ok(len) => len,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(FixError::Read(error)),
        };
        rewriter.read(&buffer[..len]);
        let mut written = Ok(());
        let event = |event: Event<'_>, at: u64| {
            if written.is_ok() {
                written = rewriter.event(event, at);
            }
        };
        let parsed = if len == 0 { parser.finish(event) } else { parser.feed(&buffer[..len], event) };
        written.map_err(write_error)?;
        if let Err(error) = parsed {
            return Err(FixError::Refused(Diagnostic::new(error.code(), error.position())));
        }
        if let Some(lost) = heard.lock().unwrap_or_else(PoisonError::into_inner).lost {
            return Err(FixError::Refused(lost));
        }
        if len == 0 {
            break;
        }
    }
    let mut editor = rewriter.finish().map_err(write_error)?;
    editor.finish().map_err(FixError::Write)?;
    let Editor { mut repairs, has_left, .. } = editor;
    let heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
    let is_done = !has_left && heard.repaired.is_empty();
    for (&code, &count) in &heard.repaired {
        *repairs.entry(Rule::Syntax(code)).or_default() += count;
    }
    Ok(Fixed { repairs, is_done })
}

fn write_error(error: WriteError) -> FixError {
    match error {
        WriteError::Io(error) => FixError::Write(error),
        // A parser gives no events that cannot be written.
        error => FixError::Write(io::Error::other(error)),
    }
}

/// Repairs a slice, in as many passes as it takes.
///
/// ```
/// use sgf_stream::check::{Rules, fix_slice};
///
/// let (out, fixed) = fix_slice(&Rules::new(), b"(;FF[4];AB[aa]AW[cc]AB[bb][aa]")?;
/// assert_eq!(out, b"(;FF[4];AB[aa][bb]AW[cc])");
/// assert_eq!(fixed.count(), 3);
/// # Ok::<(), sgf_stream::check::FixError>(())
/// ```
///
/// # Errors
///
/// If it cannot be kept whole.
pub fn fix_slice(rules: &Rules, bytes: &[u8]) -> Result<(Vec<u8>, Fixed), FixError> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut fixed = fix(rules, bytes, &mut out)?;
    for _ in 1..MOST_PASSES {
        if fixed.is_done {
            break;
        }
        let before = std::mem::take(&mut out);
        let next = fix(rules, &before[..], &mut out)?;
        for (rule, count) in next.repairs {
            *fixed.repairs.entry(rule).or_default() += count;
        }
        fixed.is_done = next.is_done;
    }
    Ok((out, fixed))
}

/// What the parser has repaired.
#[derive(Debug, Default)]
struct Heard {
    repaired: BTreeMap<Code, u64>,
    /// The first thing that had to be left out, being more than a parser can hold.
    lost: Option<Diagnostic>,
}

impl Heard {
    fn hear(&mut self, found: &Diagnostic) {
        match found.code {
            code if code.severity() == Severity::Error => self.lost = self.lost.or(Some(*found)),
            // Spelling is kept here.
            Code::LowercaseInIdent | Code::DigitInIdent => {}
            code => *self.repaired.entry(code).or_default() += 1,
        }
    }
}

/// The second stage: edits what is written to it.
struct Editor<W> {
    out: W,
    core: Core,
    depth: usize,
    parser: Option<PushParser>,
    /// What may still be edited, and its offset.
    held: Vec<u8>,
    start: u64,
    edits: Accepted,
    repairs: BTreeMap<Rule, u64>,
    /// Something may be left for another pass.
    has_left: bool,
}

impl<W: Write> Editor<W> {
    fn new(rules: Rules, out: W) -> Self {
        Editor {
            out,
            core: Core::new(rules),
            depth: 0,
            parser: Some(Parser::new().push()),
            held: Vec::new(),
            start: 0,
            edits: Accepted::default(),
            repairs: BTreeMap::new(),
            has_left: false,
        }
    }

    /// Parses the next bytes; none at the end.
    fn feed(&mut self, bytes: &[u8], is_last: bool) {
        let Some(mut parser) = self.parser.take() else { return };
        let Editor { core, depth, edits, repairs, has_left, start, .. } = self;
        let mut take = |finding: &Finding| {
            if finding.edits.is_empty() {
                return;
            }
            // Behind an edit other things may come to light: what is in a list, say, that came in two pieces.
            *has_left = true;
            if edits.accept(&finding.edits, *start) {
                *repairs.entry(finding.rule).or_default() += 1;
            }
        };
        let mut event = |event: Event<'_>, at: u64| match event {
            Event::Property(ident) => core.property(ident, at, &mut take),
            Event::Value(value) => core.value(value, at, &mut take),
            Event::Node => core.node(at, &mut take),
            Event::StartTree => {
                *depth += 1;
                match *depth {
                    1 => core.begin_game(&mut take),
                    _ => core.start_tree(at, &mut take),
                }
            }
            Event::EndTree => {
                *depth -= 1;
                match *depth {
                    0 => _ = core.end_game(&mut take),
                    _ => core.end_tree(&mut take),
                }
            }
            Event::ValuePart(_) => {}
        };
        // The first stage has seen to it that there is nothing to be said of syntax.
        let _ = match is_last {
            true => parser.finish(&mut event),
            false => parser.feed(bytes, &mut event),
        };
        self.parser = Some(parser);
    }

    /// Writes what is settled: all in front of the open node.
    fn settle(&mut self, is_last: bool) -> io::Result<()> {
        let end = self.start + self.held.len() as u64;
        let open = self.core.node.offset;
        let upto = match () {
            () if is_last => end,
            () if self.held.len() > MOST => end,
            // Between nodes the parser may still hold a lexeme, which no edit is for before it comes.
            () if open == u64::MAX => self.parser.as_ref().map_or(end, PushParser::offset).clamp(self.start, end),
            () => open.clamp(self.start, end),
        };
        let mut at = self.start;
        for edit in self.edits.take_up_to(upto) {
            let from = self.index(edit.range.start);
            self.out.write_all(&self.held[self.index(at)..from])?;
            self.out.write_all(&edit.with)?;
            at = edit.range.end;
        }
        self.out.write_all(&self.held[self.index(at)..self.index(upto)])?;
        self.held.drain(..(upto - self.start) as usize);
        self.start = upto;
        Ok(())
    }

    fn index(&self, offset: u64) -> usize {
        (offset - self.start) as usize
    }

    fn finish(&mut self) -> io::Result<()> {
        self.feed(&[], true);
        self.settle(true)?;
        self.out.flush()
    }
}

impl<W: Write> Write for Editor<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.held.extend_from_slice(bytes);
        self.feed(bytes, false);
        self.settle(false)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(()) // nothing goes out before it is settled
    }
}

/// Edits that are to be made, none of which meets another.
#[derive(Debug, Default)]
struct Accepted(Vec<Edit>);

impl Accepted {
    /// Takes the edits of a finding, if they meet none that is there; all behind `start`, where bytes are
    /// still held.
    fn accept(&mut self, edits: &[Edit], start: u64) -> bool {
        // The list is in the order of the stream, and what comes is near its end.
        let near = |edit: &Edit| {
            let first = self.0.partition_point(|there| there.range.end < edit.range.start);
            self.0[first..]
                .iter()
                .take_while(|there| there.range.start <= edit.range.end)
                .any(|there| meet(there, edit))
        };
        if self.0.len() + edits.len() > MOST_EDITS || edits.iter().any(|edit| edit.range.start < start || near(edit)) {
            return false;
        }
        for edit in edits {
            let at = self.0.partition_point(|there| order(there, edit) != Ordering::Greater);
            self.0.insert(at, edit.clone());
        }
        true
    }

    /// Those that end in front of an offset, in the order of the stream.
    fn take_up_to(&mut self, upto: u64) -> Vec<Edit> {
        let count = self.0.partition_point(|edit| edit.range.end <= upto);
        self.0.drain(..count).collect()
    }
}

/// By place; what is put in comes in front of what is taken out there.
fn order(one: &Edit, other: &Edit) -> Ordering {
    (one.range.start, one.range.end).cmp(&(other.range.start, other.range.end))
}

/// Whether two edits are about the same bytes, or one puts something into what the other takes out.
fn meet(one: &Edit, other: &Edit) -> bool {
    one.range.start < other.range.end && other.range.start < one.range.end
}
