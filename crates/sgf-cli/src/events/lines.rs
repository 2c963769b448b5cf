//! The lines of the output.

use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;
use sgf_stream::internal::{MoveNode, Moves};
use sgf_stream::{Code, Diagnostic, Event, EventSink, Flow, Position, PushParser, RawValue, Severity};

use super::digits::Digits;
use crate::json;

/// The lines and their state.
#[derive(Default)]
pub(super) struct Output {
    pub(super) lines: Vec<u8>,
    /// Whether some line is an error.
    pub(super) has_errors: bool,
    /// Whether the last line has been written.
    pub(super) is_over: bool,
}

impl Output {
    /// Parses a chunk. An empty one is the end. Returns whether more lines can follow.
    pub(super) fn feed(&mut self, parser: &mut PushParser, chunk: &[u8]) -> bool {
        if let Err(error) = parser.chunk_into(chunk, self) {
            write_finding(&mut self.lines, error.position(), error.code(), &error.message(), Some(true));
            (self.has_errors, self.is_over) = (true, true);
        }
        !self.is_over
    }
}

impl EventSink for Output {
    #[inline]
    fn event(&mut self, event: Event<'_>, offset: u64) -> Flow {
        write_event(&mut self.lines, event, offset);
        Flow::Continue
    }

    fn diagnostic(&mut self, found: Diagnostic) {
        let fatal = (found.severity() == Severity::Error).then_some(false);
        self.has_errors |= fatal.is_some();
        write_finding(&mut self.lines, found.position, found.code, found.message(), fatal);
    }

    fn moves(&mut self, moves: Moves<'_>) -> Option<Flow> {
        let mut offset = Digits::new(moves.offset());
        moves.nodes().for_each(|node| write_move(&mut self.lines, &mut offset, node));
        Some(Flow::Continue)
    }
}

/// The lines up to the offset.
const START_TREE: &[u8] = br#"{"event":"start_tree","offset":"#;
const NODE: &[u8] = br#"{"event":"node","offset":"#;
const PROPERTY: &[u8] = br#"{"event":"property","offset":"#;
const VALUE: &[u8] = br#"{"event":"value","offset":"#;
const END_TREE: &[u8] = br#"{"event":"end_tree","offset":"#;

/// The content after the offset.
const IDENT: &[u8] = br#","ident":""#;
const RAW: &[u8] = br#","raw":"#;
const RAW_BASE64: &[u8] = br#","raw_base64":""#;

/// Writes an event.
fn write_event(out: &mut Vec<u8>, event: Event<'_>, offset: u64) {
    let mut with_offset = |start: &[u8]| {
        out.extend_from_slice(start);
        out.extend_from_slice(Digits::new(offset).as_bytes());
    };
    match event {
        Event::StartTree => with_offset(START_TREE),
        Event::Node => with_offset(NODE),
        Event::EndTree => with_offset(END_TREE),
        Event::Property(ident) => {
            with_offset(PROPERTY);
            out.extend_from_slice(IDENT);
            // Letters and digits only, so no escaping is necessary.
            out.extend_from_slice(ident.as_bytes());
            out.push(b'"');
        }
        Event::Value(value) => write_raw(out, value, offset),
        // Parts of values are not enabled.
        _ => return,
    }
    out.extend_from_slice(b"}\n");
}

/// Writes the three events of a node that consists of a move. `offset` is near that of the node.
#[inline]
fn write_move(out: &mut Vec<u8>, offset: &mut Digits, node: MoveNode<'_>) {
    let (&[letter], &[x, y], at) = (node.ident().as_bytes(), node.value().as_bytes(), node.offset()) else { return };
    // Pieces of a known length are copied fastest. What is too much of the digits is written over.
    let mut lines = Pieces { bytes: [0; 256], len: 0 };
    offset.set(at);
    lines.push(*NODE.first_chunk::<{ NODE.len() }>().expect("its own length"));
    lines.push_digits(offset);
    lines.push(*b"}\n");
    offset.set(at + 1);
    lines.push(*PROPERTY.first_chunk::<{ PROPERTY.len() }>().expect("its own length"));
    lines.push_digits(offset);
    lines.push(*IDENT.first_chunk::<{ IDENT.len() }>().expect("its own length"));
    lines.push([letter, b'"', b'}', b'\n']);
    offset.set(at + 2);
    lines.push(*VALUE.first_chunk::<{ VALUE.len() }>().expect("its own length"));
    lines.push_digits(offset);
    lines.push(*RAW.first_chunk::<{ RAW.len() }>().expect("its own length"));
    lines.push([b'"', x, y, b'"', b'}', b'\n']);
    out.extend_from_slice(&lines.bytes[..lines.len]);
}

/// Some lines, at most 3 offsets and 150 bytes.
struct Pieces {
    bytes: [u8; 256],
    len: usize,
}

impl Pieces {
    #[inline(always)]
    fn push<const N: usize>(&mut self, piece: [u8; N]) {
        if let Some(place) = self.bytes.get_mut(self.len..).and_then(|rest| rest.first_chunk_mut()) {
            *place = piece;
        }
        self.len += N;
    }

    #[inline(always)]
    fn push_digits(&mut self, digits: &Digits) {
        let (bytes, len) = digits.padded();
        let start = self.len;
        self.push(*bytes);
        self.len = start + len;
    }
}

/// Writes a value without the closing brace.
fn write_raw(out: &mut Vec<u8>, value: RawValue<'_>, offset: u64) {
    out.extend_from_slice(VALUE);
    out.extend_from_slice(Digits::new(offset).as_bytes());
    match std::str::from_utf8(value.as_bytes()) {
        Ok(raw) => {
            out.extend_from_slice(RAW);
            json::write_str(out, raw);
        }
        Err(_) => {
            out.extend_from_slice(RAW_BASE64);
            out.extend_from_slice(Base64Display::new(value.as_bytes(), &STANDARD).to_string().as_bytes());
            out.push(b'"');
        }
    }
}

/// Writes a diagnostic, or, with `fatal`, an error.
fn write_finding(out: &mut Vec<u8>, at: Position, code: Code, message: &str, fatal: Option<bool>) {
    let (event, severity) = match fatal {
        Some(_) => ("error", Severity::Error),
        None => ("diagnostic", Severity::Warning),
    };
    let Position { offset, line, column } = at;
    let start = format!(r#"{{"event":"{event}","offset":{offset},"line":{line},"column":{column},"#);
    out.extend_from_slice(start.as_bytes());
    out.extend_from_slice(format!(r#""severity":"{severity}","code":"{code}","message":"#).as_bytes());
    json::write_str(out, message);
    if let Some(fatal) = fatal {
        out.extend_from_slice(format!(r#","fatal":{fatal}"#).as_bytes());
    }
    out.extend_from_slice(b"}\n");
}
