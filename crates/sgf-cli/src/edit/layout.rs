//! The layout of a game: white space and spelling, which an edit keeps where it changes nothing.

use std::collections::HashMap;
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
    let index_of = |all: &[NodeProperty<'_>]| -> HashMap<String, usize> {
        all.iter().enumerate().map(|(index, property)| (property.ident().name().into_owned(), index)).collect()
    };
    let count = |property: &NodeProperty<'_>| property.values().count();
    let (new_index, old_index) = (index_of(&new), index_of(&old));
    let old_counts: Vec<usize> = old.iter().map(count).collect();
    // A property that has got another name is where it was. Where some are dropped or added, names tell.
    let is_parallel = new.len() == old.len();
    let mut rest: Vec<_> = new.iter().map(|property| (property.values(), count(property), false)).collect();
    let counts: Vec<usize> = rest.iter().map(|(_, count, _)| *count).collect();
    for place in span.map_or(&[][..], |span| &span.properties) {
        let spelled = Ident::new(text(&place.ident));
        let name = spelled.name();
        let Some(&index) = old_index.get(&*name) else { continue };
        let Some(found) = (if is_parallel { Some(index) } else { new_index.get(&*name).copied() }) else { continue };
        let (property, (values, left, is_written)) = (new[found], &mut rest[found]);
        // Each place of a repeated property keeps its values, if their number is the same.
        let gaps = if counts[found] == old_counts[index] { &place.values[..] } else { &[] };
        let wanted = if gaps.is_empty() { *left } else { gaps.len() };
        if *left == 0 {
            continue;
        }
        out.extend_from_slice(text(&place.gap));
        out.extend_from_slice(if property.ident() == spelled { spelled } else { property.ident() }.as_bytes());
        for (number, value) in values.by_ref().take(wanted).enumerate() {
            out.extend_from_slice(gaps.get(number).map_or(b"", text));
            write_value(value, out);
        }
        (*left, *is_written) = (left.saturating_sub(wanted), true);
    }
    for (property, _) in new.iter().zip(&rest).filter(|(_, (.., is_written))| !is_written) {
        out.extend_from_slice(property.ident().as_bytes());
        property.values().for_each(|value| write_value(value, out));
    }
}

fn write_value(value: RawValue<'_>, out: &mut Vec<u8>) {
    out.push(b'[');
    out.extend_from_slice(value.as_bytes());
    out.push(b']');
}
