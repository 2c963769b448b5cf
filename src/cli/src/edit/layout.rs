//! The layout of a game: white space and spelling, which an edit keeps where it changes nothing.

use std::ops::Range;

use sgf_stream::parts::Part;
use sgf_stream::tree::{GameTree, Node, NodeProperty};
use sgf_stream::write::keep_variation;
use sgf_stream::{Event, Ident, Parser, RawValue, SyntaxError};

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

/// Finds the games of a part.
pub(super) fn games(part: &Part<'_>, parser: &Parser) -> Result<Vec<Game>, SyntaxError> {
    let mut finder = Finder { source: part.bytes(), games: Vec::new(), depth: 0, at: 0, open: None, last: None };
    for event in part.with_spans(parser) {
        let (span, event) = event?;
        finder.event(event, span);
    }
    Ok(finder.games)
}

struct Finder<'p> {
    source: &'p [u8],
    games: Vec<Game>,
    depth: usize,
    /// The end of the last lexeme.
    at: usize,
    /// White space before the last `(`, if a node is to follow.
    open: Option<Range<usize>>,
    /// The first byte of the last lexeme.
    last: Option<u8>,
}

impl Finder<'_> {
    fn event(&mut self, event: Event<'_>, span: Range<usize>) {
        let gap = self.at.min(span.start)..span.start;
        self.at = span.end;
        if event == Event::StartTree && self.depth == 0 {
            self.games.push(Game { range: span.clone(), ..Game::default() });
            self.last = None;
        }
        let (is_inside, after) = (self.depth > 0, self.last);
        let (lexeme, before) = (&self.source[span.clone()], &self.source[gap.clone()]);
        self.last = lexeme.first().copied();
        let Some(game) = self.games.last_mut() else { return };
        // The parser supplied this lexeme, or dropped bytes before it, or it moved a node in front of a variation.
        game.is_faulty |= is_inside && !before.iter().all(|byte| is_white_space(*byte))
            || lexeme.is_empty()
            || matches!(event, Event::Value(_)) && !(lexeme.len() > 1 && lexeme.ends_with(b"]"))
            || !matches!(event, Event::StartTree | Event::EndTree) && after == Some(b')');
        let node = game.nodes.last_mut();
        match event {
            Event::StartTree => {
                self.open = Some(if self.depth == 0 { span.start..span.start } else { gap });
                self.depth += 1;
            }
            Event::Node => {
                game.nodes.push(NodeSpan { open: self.open.take(), gap, range: span, ..NodeSpan::default() });
            }
            Event::Property(_) => {
                if let Some(node) = node {
                    node.properties.push(PropertySpan { gap, ident: span, values: Vec::new() });
                }
            }
            Event::Value(_) => {
                if let Some(node) = node {
                    node.range.end = span.end;
                    node.properties.last_mut().into_iter().for_each(|property| property.values.push(gap.clone()));
                }
            }
            Event::EndTree => {
                self.depth = self.depth.saturating_sub(1);
                node.into_iter().for_each(|node| node.closes.push(gap.clone()));
                game.range.end = span.end;
            }
            // Values are whole: the parser is not told to give parts.
            _ => {}
        }
    }
}

/// Returns whether a byte is white space of SGF.
fn is_white_space(byte: u8) -> bool {
    matches!(byte, b' ' | 0x09..=0x0D)
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
        let mut variations = Vec::new();
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
                        if !node.is_root() {
                            variations.push(out.len());
                        }
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
        // What is left of a variation may look like a game. From the last to the first one, offsets stay true.
        variations.into_iter().rev().for_each(|at| keep_variation(out, at));
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
