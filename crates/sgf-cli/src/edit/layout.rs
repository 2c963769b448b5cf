//! The layout of a game: white space and spelling, which an edit keeps where it changes nothing.

use std::collections::HashMap;
use std::ops::Range;

use sgf_stream::parts::Part;
use sgf_stream::tree::{GameTree, Node, NodeProperty};
use sgf_stream::write::keep_variation;
use sgf_stream::{Event, Ident, Parser, RawValue, SyntaxError};

/// The layout of a game of a part. What its nodes have is in one list of each kind, so that a node takes little.
#[derive(Default)]
pub(super) struct Game {
    /// The bytes of the game, from the start of the part.
    pub(super) range: Range<usize>,
    nodes: Vec<NodeSpan>,
    properties: Vec<PropertySpan>,
    /// White space before each value.
    values: Vec<Span>,
    /// White space before each `)`.
    closes: Vec<Span>,
    /// It has a syntax error, so the places of its lexemes are not all known.
    pub(super) is_faulty: bool,
}

/// Bytes of a part.
#[derive(Clone, Copy, Default)]
struct Span {
    start: u32,
    end: u32,
}

/// The bytes of a node.
struct NodeSpan {
    /// White space before the `(` in front of the node, if there is one.
    open: Option<Span>,
    /// White space before its `;`.
    gap: Span,
    /// From the `;` to the end of the last value.
    range: Span,
    /// The number of its first property.
    first_property: u32,
    /// The number of the first `)` that follows it.
    first_close: u32,
}

/// The bytes of a property.
struct PropertySpan {
    /// White space before the identifier.
    gap: Span,
    ident: Span,
    /// The number of its first value.
    first_value: u32,
}

/// Converts an offset in a part. A part is shorter than 4 GiB; if it were not, the text would be missing, and the edit would
/// be refused when its result is read again.
fn short(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

impl Span {
    fn of(range: Range<usize>) -> Self {
        Span { start: short(range.start), end: short(range.end) }
    }

    fn text(self, source: &[u8]) -> &[u8] {
        source.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// Returns the items from the first one of an owner to the first one of the next owner, if there is one.
fn between<T>(items: &[T], first: u32, next: Option<u32>) -> &[T] {
    items.get(first as usize..next.map_or(items.len(), |next| next as usize)).unwrap_or_default()
}

/// Finds the games of a part, one after another.
pub(super) fn games<'p>(
    part: &'p Part<'_>,
    parser: &'p Parser,
) -> Games<'p, impl Iterator<Item = Result<(Range<usize>, Event<'p>), SyntaxError>>> {
    Games { source: part.bytes(), events: part.with_spans(parser), depth: 0, at: 0, open: None, last: None }
}

/// The games of a part.
pub(super) struct Games<'p, I> {
    source: &'p [u8],
    events: I,
    depth: usize,
    /// The end of the last lexeme.
    at: usize,
    /// White space before the last `(`, if a node is to follow.
    open: Option<Span>,
    /// The first byte of the last lexeme.
    last: Option<u8>,
}

impl<'p, I: Iterator<Item = Result<(Range<usize>, Event<'p>), SyntaxError>>> Games<'p, I> {
    /// Returns the next game. `is_wanted`: with its nodes.
    pub(super) fn next(&mut self, is_wanted: bool) -> Result<Option<Game>, SyntaxError> {
        let mut game = None;
        for event in &mut self.events {
            let (span, event) = event?;
            let gap = self.at.min(span.start)..span.start;
            self.at = span.end;
            if event == Event::StartTree && self.depth == 0 {
                game = Some(Game { range: span.clone(), ..Game::default() });
                self.last = None;
            }
            let (is_inside, after) = (self.depth > 0, self.last);
            let (lexeme, before) = (&self.source[span.clone()], &self.source[gap.clone()]);
            self.last = lexeme.first().copied();
            let Some(game) = &mut game else { continue };
            // The parser supplied this lexeme, or dropped bytes before it, or it moved a node in front of a variation.
            game.is_faulty |= is_inside && !before.iter().all(|byte| is_white_space(*byte))
                || lexeme.is_empty()
                || matches!(event, Event::Value(_)) && !(lexeme.len() > 1 && lexeme.ends_with(b"]"))
                || !matches!(event, Event::StartTree | Event::EndTree) && after == Some(b')');
            match event {
                Event::StartTree => {
                    let before = if self.depth == 0 { span.start..span.start } else { gap.clone() };
                    self.open = Some(Span::of(before));
                    self.depth += 1;
                }
                Event::EndTree => {
                    self.depth = self.depth.saturating_sub(1);
                    game.range.end = span.end;
                }
                _ => {}
            }
            if is_wanted {
                let open = if event == Event::Node { self.open.take() } else { None };
                game.add(event, open, Span::of(gap), Span::of(span));
            }
            if self.depth == 0 {
                break;
            }
        }
        Ok(game)
    }
}

impl Game {
    /// Adds a lexeme. `open`: white space before the `(` in front of a node.
    fn add(&mut self, event: Event<'_>, open: Option<Span>, gap: Span, span: Span) {
        match event {
            Event::Node => {
                let (first_property, first_close) = (short(self.properties.len()), short(self.closes.len()));
                self.nodes.push(NodeSpan { open, gap, range: span, first_property, first_close });
            }
            Event::Property(_) => {
                self.properties.push(PropertySpan { gap, ident: span, first_value: short(self.values.len()) });
            }
            Event::Value(_) => {
                self.nodes.last_mut().into_iter().for_each(|node| node.range.end = span.end);
                self.values.push(gap);
            }
            Event::EndTree => self.closes.push(gap),
            // Values are whole: the parser is not told to give parts.
            _ => {}
        }
    }

    /// Returns the number of the first property of a node, and the properties.
    fn properties(&self, node: usize) -> (usize, &[PropertySpan]) {
        let Some(NodeSpan { first_property: first, .. }) = self.nodes.get(node) else { return (0, &[]) };
        let next = self.nodes.get(node + 1).map(|next| next.first_property);
        (*first as usize, between(&self.properties, *first, next))
    }

    /// Returns white space before each value of a property.
    fn values(&self, property: usize) -> &[Span] {
        let Some(PropertySpan { first_value: first, .. }) = self.properties.get(property) else { return &[] };
        let next = self.properties.get(property + 1).map(|next| next.first_value);
        between(&self.values, *first, next)
    }

    /// Returns white space before each `)` that follows a node.
    fn closes(&self, node: usize) -> &[Span] {
        let Some(NodeSpan { first_close: first, .. }) = self.nodes.get(node) else { return &[] };
        let next = self.nodes.get(node + 1).map(|next| next.first_close);
        between(&self.closes, *first, next)
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
        let (mut nodes, mut opens, mut closes) = (after.nodes(), false, [].iter());
        let mut variations = Vec::new();
        for event in after.events() {
            match event {
                Event::StartTree => opens = true,
                Event::Node => {
                    let Some(node) = nodes.next() else { return };
                    let number = origin(node);
                    let span = self.nodes.get(number);
                    let open = span.and_then(|span| span.open);
                    out.extend_from_slice(open.map_or(b"", |open| open.text(source)));
                    if std::mem::take(&mut opens) {
                        if !node.is_root() {
                            variations.push(out.len());
                        }
                        out.push(b'(');
                    }
                    out.extend_from_slice(span.map_or(b"", |span| span.gap.text(source)));
                    let same = before.nth(number).zip(span).filter(|(old, _)| *old == node);
                    match same {
                        Some((_, span)) => out.extend_from_slice(span.range.text(source)),
                        None => self.write_node(node, before.nth(number), number, source, out),
                    }
                    closes = self.closes(number).iter();
                }
                Event::EndTree => {
                    out.extend_from_slice(closes.next().map_or(b"", |gap| gap.text(source)));
                    out.push(b')');
                }
                _ => {}
            }
        }
        // What is left of a variation may look like a game. From the last to the first one, offsets stay true.
        variations.into_iter().rev().for_each(|at| keep_variation(out, at));
    }

    /// Writes a node that has changed, as far as possible with the white space, the spelling and the repetitions of its source.
    /// `number` is the number of the node in the layout, which may lack it.
    fn write_node(&self, node: Node<'_>, old: Option<Node<'_>>, number: usize, source: &[u8], out: &mut Vec<u8>) {
        out.push(b';');
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
        let (first, places) = self.properties(number);
        for (place, property_number) in places.iter().zip(first..) {
            let spelled = Ident::new(place.ident.text(source));
            let name = spelled.name();
            let Some(&index) = old_index.get(&*name) else { continue };
            let Some(found) = (if is_parallel { Some(index) } else { new_index.get(&*name).copied() }) else {
                continue;
            };
            let (property, (values, left, is_written)) = (new[found], &mut rest[found]);
            // Each place of a repeated property keeps its values, if their number is the same.
            let gaps = if counts[found] == old_counts[index] { self.values(property_number) } else { &[] };
            let wanted = if gaps.is_empty() { *left } else { gaps.len() };
            if *left == 0 {
                continue;
            }
            out.extend_from_slice(place.gap.text(source));
            out.extend_from_slice(if property.ident() == spelled { spelled } else { property.ident() }.as_bytes());
            for (number, value) in values.by_ref().take(wanted).enumerate() {
                out.extend_from_slice(gaps.get(number).map_or(b"", |gap| gap.text(source)));
                write_value(value, out);
            }
            (*left, *is_written) = (left.saturating_sub(wanted), true);
        }
        for (property, _) in new.iter().zip(&rest).filter(|(_, (.., is_written))| !is_written) {
            out.extend_from_slice(property.ident().as_bytes());
            property.values().for_each(|value| write_value(value, out));
        }
    }
}

fn write_value(value: RawValue<'_>, out: &mut Vec<u8>) {
    out.push(b'[');
    out.extend_from_slice(value.as_bytes());
    out.push(b']');
}
