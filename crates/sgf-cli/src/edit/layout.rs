//! The layout of a game: white space and spelling, which an edit keeps where it changes nothing.

use std::collections::HashMap;
use std::ops::Range;

use sgf_stream::parts::Part;
use sgf_stream::tree::{GameTree, Node, NodeId, NodeProperty};
use sgf_stream::write::keep_variations;
use sgf_stream::{Event, Ident, NodeRecord, Parser, RawValue, SyntaxError, work};

/// The layout of a game of a part: offsets in the part, in the order of the source. All else is found from there, since
/// between the lexemes of a game without errors is only white space.
#[derive(Default)]
pub(super) struct Game {
    /// The bytes of the game, from the start of the part.
    pub(super) range: Range<usize>,
    /// Where each node starts.
    nodes: Vec<u32>,
    /// Where each property starts.
    properties: Vec<u32>,
    /// Where each value ends.
    values: Vec<u32>,
    /// The numbers of the nodes that an edit has changed, in ascending order. Those it removed are not among them.
    changed: Vec<u32>,
    /// It has a syntax error, so the places of its lexemes are not all known.
    pub(super) is_faulty: bool,
}

/// Converts an offset in a part. A part is shorter than 4 GiB; if it were not, the text would be missing, and the edit would
/// be refused when its result is read again.
fn short(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

/// Returns the offsets from the first one that is not before `start` to the last one before `end`.
fn between(offsets: &[u32], start: usize, end: usize) -> &[u32] {
    let is_before = |at: usize| {
        move |offset: &u32| {
            work::note(1);
            (*offset as usize) < at
        }
    };
    let [start, end] = [start, end].map(|at| offsets.partition_point(is_before(at)));
    offsets.get(start..end).unwrap_or_default()
}

/// Returns the length of the white space at the end of some bytes.
fn gap_len(bytes: &[u8]) -> usize {
    let len = bytes.iter().rev().take_while(|byte| is_white_space(**byte)).count();
    work::note(1 + len);
    len
}

/// Finds the games of a part, one after another.
pub(super) fn games<'p>(
    part: &'p Part<'_>,
    parser: &'p Parser,
) -> Games<'p, impl Iterator<Item = Result<(Event<'p>, Range<usize>), SyntaxError>>> {
    Games { source: part.bytes(), events: part.with_spans(parser), depth: 0, at: 0, last: None }
}

/// The games of a part.
pub(super) struct Games<'p, I> {
    source: &'p [u8],
    events: I,
    depth: usize,
    /// The end of the last lexeme.
    at: usize,
    /// The first byte of the last lexeme.
    last: Option<u8>,
}

impl<'p, I: Iterator<Item = Result<(Event<'p>, Range<usize>), SyntaxError>>> Games<'p, I> {
    /// Returns the next game. `edited`: its tree after an edit, if it is wanted with its nodes.
    pub(super) fn next(&mut self, edited: Option<&GameTree>) -> Result<Option<Game>, SyntaxError> {
        // A node may take many times its length, so its room is not kept for the next game.
        let (mut game, mut node) = (None, NodeRecord::new());
        for event in &mut self.events {
            let (event, span) = event?;
            let gap = self.at.min(span.start)..span.start;
            self.at = span.end;
            if event == Event::StartTree && self.depth == 0 {
                game = Some(Game { range: span.clone(), ..Game::default() });
                self.last = None;
            }
            let (is_inside, after) = (self.depth > 0, self.last);
            let (lexeme, before) = (&self.source[span.clone()], &self.source[gap]);
            self.last = lexeme.first().copied();
            let Some(game) = &mut game else { continue };
            // The parser supplied this lexeme, or dropped bytes before it, or it moved a node in front of a variation.
            game.is_faulty |= is_inside && !before.iter().all(|byte| is_white_space(*byte))
                || lexeme.is_empty()
                || matches!(event, Event::Value(_)) && !(lexeme.len() > 1 && lexeme.ends_with(b"]"))
                || !matches!(event, Event::StartTree | Event::EndTree) && after == Some(b')');
            match event {
                Event::StartTree => self.depth += 1,
                Event::EndTree => {
                    self.depth = self.depth.saturating_sub(1);
                    game.range.end = span.end;
                }
                _ => {}
            }
            if let Some(edited) = edited {
                match event {
                    Event::Node => {
                        game.compare_last(&node, edited);
                        game.nodes.push(short(span.start));
                        node.start(0);
                    }
                    Event::Property(_) => game.properties.push(short(span.start)),
                    // Values are whole: the parser is not told to give parts.
                    Event::Value(_) => game.values.push(short(span.end)),
                    _ if self.depth == 0 => game.compare_last(&node, edited),
                    _ => {}
                }
                node.push(event, 0);
            }
            if self.depth == 0 {
                break;
            }
        }
        Ok(game)
    }
}

/// Returns whether a node that was read is a node of a tree.
pub(super) fn is_same(read: &NodeRecord<'_>, node: Node<'_>) -> bool {
    let mut properties = node.properties();
    let is_same = read
        .iter()
        .all(|read| properties.next().is_some_and(|it| read.ident() == it.ident() && read.values().eq(it.values())));
    is_same && properties.next().is_none()
}

impl Game {
    /// Compares the last node with what an edit has made of it.
    fn compare_last(&mut self, read: &NodeRecord<'_>, edited: &GameTree) {
        let Some(last) = self.nodes.len().checked_sub(1) else { return };
        let node = NodeId::new(last).and_then(|id| edited.node(id));
        self.changed.extend(node.filter(|node| !is_same(read, *node)).map(|_| short(last)));
    }

    /// Returns whether the game differs from its edited form: nodes move only where others are removed.
    pub(super) fn differs(&self, after: &GameTree) -> bool {
        !self.changed.is_empty() || after.len() < self.nodes.len()
    }

    /// Returns the bytes from the `;` of a node to that of the next one.
    fn to_next(&self, node: usize) -> Option<Range<usize>> {
        let start = *self.nodes.get(node)?;
        Some(start as usize..self.nodes.get(node + 1).map_or(self.range.end, |next| *next as usize))
    }

    /// Returns a node from its `;` to the end of its last value, and what follows it: white space and parentheses.
    fn node<'s>(&self, node: usize, source: &'s [u8]) -> (&'s [u8], &'s [u8]) {
        let Some(Range { start, end }) = self.to_next(node) else { return (b"", b"") };
        let after = between(&self.values, start + 1, end + 1).last().map_or(start + 1, |end| *end as usize);
        (source.get(start..after).unwrap_or_default(), source.get(after..end).unwrap_or_default())
    }

    /// Returns the white space before an offset.
    fn gap<'s>(&self, at: usize, source: &'s [u8]) -> &'s [u8] {
        let before = source.get(self.range.start..at).unwrap_or_default();
        &before[before.len() - gap_len(before)..]
    }

    /// Returns the white space before the `(` in front of a node, if there is one, and that before its `;`.
    fn gaps<'s>(&self, node: usize, source: &'s [u8]) -> (&'s [u8], &'s [u8]) {
        let Some(&start) = self.nodes.get(node) else { return (b"", b"") };
        let gap = self.gap(start as usize, source);
        let before = (start as usize).saturating_sub(gap.len() + 1);
        (if source.get(before) == Some(&b'(') { self.gap(before, source) } else { b"" }, gap)
    }

    /// Returns the properties of a node, as spelled in the source.
    fn places<'s>(&'s self, node: usize, source: &'s [u8]) -> impl Iterator<Item = Place<'s>> {
        let Range { start, end } = self.to_next(node).unwrap_or_default();
        let mut starts = between(&self.properties, start, end).iter().map(|start| *start as usize).peekable();
        std::iter::from_fn(move || {
            let start = starts.next()?;
            let next = starts.peek().copied().unwrap_or(end);
            // A value may end where the next property starts, and never ends where its own property starts.
            let ends = between(&self.values, start + 1, next + 1);
            Some(Place { gap: self.gap(start, source), text: source.get(start..next).unwrap_or_default(), start, ends })
        })
    }
}

/// A property as spelled in the source.
struct Place<'s> {
    /// White space before it.
    gap: &'s [u8],
    /// From its identifier to the next property or node.
    text: &'s [u8],
    /// Where it starts, and where each value ends.
    start: usize,
    ends: &'s [u32],
}

impl<'s> Place<'s> {
    fn ident(&self) -> Ident<'s> {
        let (ident, _) = self.text.split_at(bracket_in(self.text));
        Ident::new(&ident[..ident.len() - gap_len(ident)])
    }

    /// Returns the white space before each value.
    fn gaps(&self) -> impl Iterator<Item = &'s [u8]> {
        let (text, start) = (self.text, self.start);
        let starts = std::iter::once(self.ident().as_bytes().len())
            .chain(self.ends.iter().map(move |end| *end as usize - start));
        starts.take(self.ends.len()).map(move |from| {
            let rest = text.get(from..).unwrap_or_default();
            &rest[..bracket_in(rest)]
        })
    }
}

/// Returns the number of bytes before the first `[`.
fn bracket_in(text: &[u8]) -> usize {
    let len = text.iter().position(|byte| *byte == b'[').unwrap_or(text.len());
    work::note(1 + len);
    len
}

/// Returns whether a byte is white space of SGF.
fn is_white_space(byte: u8) -> bool {
    matches!(byte, b' ' | 0x09..=0x0D)
}

impl Game {
    /// Writes an edited form of the game, or a line of it.
    ///
    /// `edited`: the game with which the source was compared. `origin`: the number of each node of `after` in both.
    pub(super) fn write(
        &self,
        source: &[u8],
        edited: &GameTree,
        after: &GameTree,
        origin: impl Fn(Node<'_>) -> usize,
        out: &mut Vec<u8>,
    ) {
        let (mut nodes, mut opens, mut rest) = (after.nodes(), false, &b""[..]);
        let mut variations = Vec::new();
        for event in after.events() {
            match event {
                Event::StartTree => opens = true,
                Event::Node => {
                    let Some(node) = nodes.next() else { return };
                    let number = origin(node);
                    let (open, gap) = self.gaps(number, source);
                    out.extend_from_slice(open);
                    if std::mem::take(&mut opens) {
                        if !node.is_root() {
                            variations.push(out.len());
                        }
                        out.push(b'(');
                    }
                    out.extend_from_slice(gap);
                    let text;
                    (text, rest) = self.node(number, source);
                    let is_same = self.changed.binary_search(&short(number)).is_err()
                        && NodeId::new(number).and_then(|id| edited.node(id)) == Some(node);
                    match is_same {
                        true => out.extend_from_slice(text),
                        false => self.write_node(node, number, source, out),
                    }
                }
                Event::EndTree => {
                    let len = rest.iter().take_while(|byte| is_white_space(**byte)).count();
                    work::note(1 + len);
                    if let Some((gap, after)) = rest.split_at_checked(len + 1).filter(|(gap, _)| gap.ends_with(b")")) {
                        out.extend_from_slice(gap);
                        rest = after;
                    } else {
                        out.push(b')');
                    }
                }
                _ => {}
            }
        }
        // What is left of a variation may look like a game.
        keep_variations(out, &variations);
    }

    /// Writes a node that has changed, as far as possible with the white space, the spelling and the repetitions of its source.
    /// `number` is the number of the node in the layout, which may lack it.
    fn write_node(&self, node: Node<'_>, number: usize, source: &[u8], out: &mut Vec<u8>) {
        out.push(b';');
        let new: Vec<NodeProperty<'_>> = node.properties().collect();
        let new_index: HashMap<_, usize> =
            new.iter().enumerate().map(|(index, property)| (property.ident().name(), index)).collect();
        let (mut old_index, mut old_counts) = (HashMap::new(), Vec::new());
        for place in self.places(number, source) {
            let index = *old_index.entry(place.ident().name()).or_insert(old_counts.len());
            match old_counts.get_mut(index) {
                Some(count) => *count += place.ends.len(),
                None => old_counts.push(place.ends.len()),
            }
        }
        // A property that has got another name is where it was. Where some are dropped or added, names tell.
        let is_parallel = new.len() == old_counts.len();
        let mut rest: Vec<_> = new.iter().map(|it| (it.values(), it.values().count(), false)).collect();
        let counts: Vec<usize> = rest.iter().map(|(_, count, _)| *count).collect();
        for place in self.places(number, source) {
            let spelled = place.ident();
            let name = spelled.name();
            let Some(&index) = old_index.get(&*name) else { continue };
            let Some(found) = (if is_parallel { Some(index) } else { new_index.get(&*name).copied() }) else {
                continue;
            };
            let (property, (values, left, is_written)) = (new[found], &mut rest[found]);
            if *left == 0 {
                continue;
            }
            // Each place of a repeated property keeps its values, if their number is the same.
            let keeps_gaps = counts[found] == old_counts[index];
            let wanted = if keeps_gaps { place.ends.len() } else { *left };
            out.extend_from_slice(place.gap);
            out.extend_from_slice(if property.ident() == spelled { spelled } else { property.ident() }.as_bytes());
            let mut gaps = place.gaps().take(if keeps_gaps { wanted } else { 0 });
            for value in values.by_ref().take(wanted) {
                out.extend_from_slice(gaps.next().unwrap_or_default());
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
    work::note(1 + value.as_bytes().len());
    out.push(b'[');
    out.extend_from_slice(value.as_bytes());
    out.push(b']');
}
