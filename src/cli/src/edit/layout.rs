//! The layout of a game: white space and spelling, which an edit keeps where it changes nothing.

use std::ops::Range;

use sgf_stream::tree::{GameTree, Node, NodeProperty};
use sgf_stream::{Code, CutValue, Diagnostic, Event, EventSink, Flow, Ident, RawValue};

/// A game of a part, in bytes from the start of the part.
#[derive(Default)]
pub(super) struct Game {
    pub(super) range: Range<usize>,
    nodes: Vec<NodeSpan>,
    /// It has a syntax error, so the places of its lexemes are not all known.
    pub(super) is_faulty: bool,
}

/// The bytes of a node.
#[derive(Default)]
struct NodeSpan {
    /// White space before the `(` in front of the node, if there is one.
    open: Option<Range<usize>>,
    /// White space before its `;`.
    gap: Range<usize>,
    /// From the `;` to the end of the last value.
    range: Range<usize>,
    properties: Vec<PropertySpan>,
    /// White space before each `)` that follows the node.
    closes: Vec<Range<usize>>,
}

/// The bytes of a property.
struct PropertySpan {
    /// White space before the identifier.
    gap: Range<usize>,
    ident: Range<usize>,
    /// White space before each value.
    values: Vec<Range<usize>>,
}

/// Diagnostics that leave all bytes of a game in their places: about text between games, spelling, and charsets.
const HARMLESS: [Code; 7] = [
    Code::JunkOutsideTree,
    Code::ExtraCloseParen,
    Code::LowercaseInIdent,
    Code::DigitInIdent,
    Code::UnknownCharset,
    Code::CharsetMismatch,
    Code::BadBytes,
];

/// Finds the games of a part.
pub(super) struct Finder {
    /// The offset of the part.
    start: u64,
    pub(super) games: Vec<Game>,
    depth: usize,
    /// The end of the last lexeme.
    at: usize,
    open: Option<Range<usize>>,
    /// The next game begins with a syntax error.
    is_faulty: bool,
}

impl Finder {
    pub(super) fn new(start: u64) -> Self {
        Finder { start, games: Vec::new(), depth: 0, at: 0, open: None, is_faulty: false }
    }

    fn node(&mut self) -> Option<&mut NodeSpan> {
        self.games.last_mut()?.nodes.last_mut()
    }
}

impl EventSink for Finder {
    fn event(&mut self, event: Event<'_>, offset: u64) -> Flow {
        let at = offset.saturating_sub(self.start) as usize;
        let gap = self.at.min(at)..at;
        match event {
            Event::StartTree => {
                if self.depth == 0 {
                    let is_faulty = std::mem::take(&mut self.is_faulty);
                    self.games.push(Game { range: at..at, is_faulty, ..Game::default() });
                }
                self.open = Some(if self.depth == 0 { at..at } else { gap });
                self.depth += 1;
                self.at = at + 1;
            }
            Event::Node => {
                let (open, range) = (self.open.take(), at..at + 1);
                if let Some(game) = self.games.last_mut() {
                    game.nodes.push(NodeSpan { open, gap, range, ..NodeSpan::default() });
                }
                self.at = at + 1;
            }
            Event::Property(ident) => {
                let end = at + ident.as_bytes().len();
                if let Some(node) = self.node() {
                    node.properties.push(PropertySpan { gap, ident: at..end, values: Vec::new() });
                }
                self.at = end;
            }
            Event::Value(value) => {
                let end = at + value.as_bytes().len() + 2;
                if let Some(node) = self.node() {
                    node.range.end = end;
                    if let Some(property) = node.properties.last_mut() {
                        property.values.push(gap);
                    }
                }
                self.at = end;
            }
            Event::EndTree => {
                self.depth = self.depth.saturating_sub(1);
                if let Some(node) = self.node() {
                    node.closes.push(gap);
                }
                if self.depth == 0
                    && let Some(game) = self.games.last_mut()
                {
                    game.range.end = at + 1;
                }
                self.at = at + 1;
            }
            // Values are whole: the parser is not told to give parts.
            _ => {}
        }
        Flow::Continue
    }

    fn fault(&mut self, fault: Diagnostic) {
        match self.games.last_mut() {
            _ if HARMLESS.contains(&fault.code) => {}
            Some(game) if self.depth > 0 => game.is_faulty = true,
            _ => self.is_faulty = true,
        }
    }

    fn cut_value(&mut self, _: CutValue) {
        if let Some(game) = self.games.last_mut() {
            game.is_faulty = true;
        }
    }
}

impl Game {
    /// Writes an edited form of the game.
    ///
    /// `before`: the game as it is in the source. `origin`: the number of each node of the edited game there.
    pub(super) fn write(
        &self,
        source: &[u8],
        before: &GameTree,
        after: &GameTree,
        origin: impl Fn(Node<'_>) -> usize,
        out: &mut Vec<u8>,
    ) {
        let (mut nodes, mut opens, mut last, mut closed) = (after.nodes(), false, None::<&NodeSpan>, 0);
        let text = |range: &Range<usize>| source.get(range.clone()).unwrap_or_default();
        for event in after.events() {
            match event {
                Event::StartTree => opens = true,
                Event::Node => {
                    let Some(node) = nodes.next() else { return };
                    let number = origin(node);
                    let span = self.nodes.get(number);
                    let open = span.and_then(|span| span.open.as_ref());
                    out.extend_from_slice(open.map_or(b"", text));
                    if std::mem::take(&mut opens) {
                        out.push(b'(');
                    }
                    out.extend_from_slice(span.map_or(b"", |span| text(&span.gap)));
                    let same = before.nth(number).zip(span).filter(|(old, _)| *old == node);
                    match same {
                        Some((_, span)) => out.extend_from_slice(text(&span.range)),
                        None => write_node(node, before.nth(number), span, source, out),
                    }
                    (last, closed) = (span, 0);
                }
                Event::EndTree => {
                    out.extend_from_slice(last.and_then(|last| last.closes.get(closed)).map_or(b"", text));
                    out.push(b')');
                    closed += 1;
                }
                _ => {}
            }
        }
    }
}

/// Writes a node that has changed, as far as possible with the white space, the spelling and the repetitions of its source.
fn write_node(node: Node<'_>, old: Option<Node<'_>>, span: Option<&NodeSpan>, source: &[u8], out: &mut Vec<u8>) {
    out.push(b';');
    let text = |range: &Range<usize>| source.get(range.clone()).unwrap_or_default();
    let new: Vec<NodeProperty<'_>> = node.properties().collect();
    let old: Vec<NodeProperty<'_>> = old.into_iter().flat_map(Node::properties).collect();
    // A property that has got another name is where it was. Where some are dropped or added, names tell.
    let is_parallel = new.len() == old.len();
    let mut written = vec![0; new.len()];
    for place in span.map_or(&[][..], |span| &span.properties) {
        let spelled = Ident::new(text(&place.ident));
        let Some(index) = old.iter().position(|property| property.ident() == spelled) else { continue };
        let is_same_name = |property: &NodeProperty<'_>| property.ident() == spelled;
        let found = if is_parallel { Some(index) } else { new.iter().position(is_same_name) };
        let Some(found) = found else { continue };
        let (property, done) = (new[found], &mut written[found]);
        let count = property.values().count();
        // Each place of a repeated property keeps its values, if their number is the same.
        let gaps = if count == old[index].values().count() { &place.values[..] } else { &[] };
        let wanted = if gaps.is_empty() { count } else { gaps.len() };
        if *done >= count {
            continue;
        }
        out.extend_from_slice(text(&place.gap));
        out.extend_from_slice(if is_same_name(&property) { spelled } else { property.ident() }.as_bytes());
        for (number, value) in property.values().skip(*done).take(wanted).enumerate() {
            out.extend_from_slice(gaps.get(number).map_or(b"", text));
            write_value(value, out);
        }
        *done += wanted;
    }
    for (property, _) in new.iter().zip(&written).filter(|(_, written)| **written == 0) {
        out.extend_from_slice(property.ident().as_bytes());
        property.values().for_each(|value| write_value(value, out));
    }
}

fn write_value(value: RawValue<'_>, out: &mut Vec<u8>) {
    out.push(b'[');
    out.extend_from_slice(value.as_bytes());
    out.push(b']');
}
