//! The nodes of a game, for the tables whose rows are parts of games.
//!
//! A log is emptied whenever it becomes long, so a game of any length takes only the memory of its longest node.

use std::ops::Range;

use sgf_board::internal::{PositionHashes, Positions};
use sgf_stream::internal::Moves;
use sgf_stream::value::Color;
use sgf_stream::{Event, Ident, RawValue, work};

use crate::analysis::PROPERTIES;

/// Approximate number of bytes after which the rows so far are returned.
const LONG: usize = 1 << 20;

/// About the memory of an entry, in bytes.
const ENTRY: usize = 48;

/// The kept content of the nodes that rows are made from.
#[derive(Debug, Default)]
pub(super) enum Log {
    /// The rows are games.
    #[default]
    Nothing,
    Moves(MoveLog),
    Properties(PropertyLog),
}

/// A range of the bytes of a log.
type Span = Range<u32>;

/// The moves of a main line, with what their nodes say of them.
#[derive(Debug, Default)]
pub(super) struct MoveLog {
    bytes: Vec<u8>,
    /// The bytes of comments.
    comments: Vec<u8>,
    moves: Vec<LoggedMove>,
    nodes: Vec<MoveNode>,
    /// The last node is open, and may be without moves.
    open: Option<OpenNode>,
    /// Values of engines, in the order of their nodes, if they are wanted.
    analysis: Option<Vec<Noted>>,
    /// The property of the next value.
    place: MovePlace,
    /// Number of moves before those in the log.
    before: u64,
    /// The positions after the moves in the log, if they are wanted. In a box, since they are large.
    positions: Option<Box<Positions>>,
}

/// A value that an engine wrote into a node.
#[derive(Debug)]
struct Noted {
    node: u32,
    /// The number of the property in [`PROPERTIES`].
    property: u8,
    value: Span,
}

/// The values that engines wrote into a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct NotedValues<'r> {
    log: &'r MoveLog,
    node: u32,
}

impl<'r> NotedValues<'r> {
    /// Returns the values, each with the name of its property.
    pub(super) fn iter(self) -> impl Iterator<Item = (&'static str, RawValue<'r>)> {
        let NotedValues { log, node } = self;
        let all = log.analysis.as_deref().unwrap_or_default();
        let after = &all[all.partition_point(|noted| noted.node < node)..];
        let value = |noted: &Noted| RawValue::new(&log.bytes[get(&log.bytes, &noted.value)]);
        let of_node = after.iter().take_while(move |noted| noted.node == node).inspect(|_| work::note(1));
        of_node.map(move |noted| (PROPERTIES[usize::from(noted.property)], value(noted)))
    }
}

#[derive(Debug)]
struct LoggedMove {
    color: Color,
    point: Span,
    node: u32,
}

#[derive(Debug, Default)]
struct MoveNode {
    at: u64,
    comment: Option<(u64, Span)>,
    /// Seconds left of black and of white, as written.
    left: [Option<Span>; 2],
}

#[derive(Debug, Default)]
struct OpenNode {
    has_moves: bool,
    has_comment: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum MovePlace {
    #[default]
    Other,
    Move(Color),
    Comment,
    Left(Color),
    Analysis(u8),
}

/// A move of a log, as a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveRow<'r> {
    pub(super) ply: u64,
    pub(super) color: Color,
    pub(super) point: RawValue<'r>,
    pub(super) node_at: u64,
    /// The offset of the value, and the value. Of the moves of a node, the first has it, and what engines say. Otherwise a
    /// node of many moves with a long comment would have rows that are quadratic in its length.
    pub(super) comment: Option<(u64, RawValue<'r>)>,
    /// Of the moves of a side in a node, the first has it.
    pub(super) left: Option<RawValue<'r>>,
    pub(super) position: Option<PositionHashes>,
    /// The values of engines.
    pub(super) analysis: Option<NotedValues<'r>>,
}

fn keep(bytes: &mut Vec<u8>, more: &[u8]) -> Span {
    let start = bytes.len() as u32;
    bytes.extend_from_slice(more);
    start..bytes.len() as u32
}

fn get(bytes: &[u8], span: &Span) -> Range<usize> {
    debug_assert!(span.end as usize <= bytes.len());
    span.start as usize..span.end as usize
}

impl MoveLog {
    /// Ends the last node. Without moves it is forgotten, with its values.
    fn end(&mut self) {
        if self.open.take().is_none_or(|open| open.has_moves) {
            return;
        }
        self.nodes.pop();
        let (nodes, analysis) = (self.nodes.len() as u32, self.analysis.as_mut());
        if let Some(analysis) = analysis {
            analysis.truncate(analysis.partition_point(|noted| noted.node < nodes));
        }
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.comments.clear();
        self.before += self.moves.len() as u64;
        self.moves.clear();
        self.nodes.clear();
        if let Some(analysis) = &mut self.analysis {
            analysis.clear();
        }
        self.open = None;
        self.place = MovePlace::Other;
        if let Some(positions) = &mut self.positions {
            positions.truncate(0);
        }
    }

    fn node(&mut self, at: u64) {
        self.play(Event::Node);
        self.end();
        self.nodes.push(MoveNode { at, ..MoveNode::default() });
        (self.open, self.place) = (Some(OpenNode::default()), MovePlace::Other);
    }

    fn property(&mut self, ident: Ident<'_>) {
        self.play(Event::Property(ident));
        self.place = match () {
            () if ident == "B" => MovePlace::Move(Color::Black),
            () if ident == "W" => MovePlace::Move(Color::White),
            () if ident == "C" => MovePlace::Comment,
            () if ident == "BL" => MovePlace::Left(Color::Black),
            () if ident == "WL" => MovePlace::Left(Color::White),
            () if self.analysis.is_some() => {
                let property = (0..).zip(PROPERTIES).find(|&(_, name)| ident == name);
                property.map_or(MovePlace::Other, |(number, _)| MovePlace::Analysis(number))
            }
            () => MovePlace::Other,
        };
    }

    fn value(&mut self, value: &[u8], at: u64) {
        self.play(Event::Value(RawValue::new(value)));
        let (Some(open), Some(last)) = (&mut self.open, self.nodes.len().checked_sub(1)) else { return };
        let node = &mut self.nodes[last];
        match self.place {
            MovePlace::Move(color) => {
                let point = keep(&mut self.bytes, value);
                self.moves.push(LoggedMove { color, point, node: last as u32 });
                open.has_moves = true;
            }
            MovePlace::Comment => {
                // Several texts of a node are joined by blank lines. They are adjacent.
                let (_, whole) = node.comment.get_or_insert_with(|| (at, keep(&mut self.comments, b"")));
                if open.has_comment {
                    keep(&mut self.comments, b"\n\n");
                }
                whole.end = keep(&mut self.comments, value).end;
                open.has_comment = true;
            }
            MovePlace::Left(color) if node.left[color as usize].is_none() => {
                node.left[color as usize] = Some(keep(&mut self.bytes, value));
            }
            MovePlace::Analysis(property) => {
                let value = keep(&mut self.bytes, value);
                self.analysis.get_or_insert_default().push(Noted { node: last as u32, property, value });
            }
            _ => {}
        }
    }

    fn run(&mut self, run: Moves<'_>) {
        for node in run.nodes() {
            self.node(node.offset());
            self.property(node.ident());
            self.value(node.value().as_bytes(), node.value_at());
        }
    }

    fn rows(&self) -> impl Iterator<Item = MoveRow<'_>> {
        let raw = |span: &Span| RawValue::new(&self.bytes[get(&self.bytes, span)]);
        let comment = |span: &Span| RawValue::new(&self.comments[get(&self.comments, span)]);
        let positions = self.positions.as_ref().map_or(&[][..], |positions| positions.after());
        // The nodes of the last moves of each side.
        let mut last = [None; 2];
        self.moves.iter().zip(self.before + 1..).enumerate().map(move |(at, (logged, ply))| {
            let node = &self.nodes[logged.node as usize];
            let is_first = !last.contains(&Some(logged.node));
            let is_first_of_side = last[logged.color as usize].replace(logged.node) != Some(logged.node);
            MoveRow {
                ply,
                color: logged.color,
                point: raw(&logged.point),
                node_at: node.at,
                comment: node.comment.as_ref().filter(|_| is_first).map(|(at, span)| (*at, comment(span))),
                left: node.left[logged.color as usize].as_ref().filter(|_| is_first_of_side).map(raw),
                position: positions.get(at).copied().flatten(),
                analysis: is_first.then_some(NotedValues { log: self, node: logged.node }),
            }
        })
    }

    /// Creates a log, with the positions after its moves and the values of engines, or without.
    pub(super) fn new(has_positions: bool, has_analysis: bool) -> Self {
        let positions = has_positions.then(|| Box::new(Positions::begin()));
        MoveLog { positions, analysis: has_analysis.then(Vec::new), ..MoveLog::default() }
    }

    fn begin_game(&mut self) {
        self.clear();
        self.before = 0;
        if let Some(positions) = &mut self.positions {
            **positions = Positions::begin();
        }
    }

    /// Plays the next event of the line.
    fn play(&mut self, event: Event<'_>) {
        if let Some(positions) = &mut self.positions {
            positions.observe(event);
        }
    }
}

/// The properties of all nodes.
#[derive(Debug, Default)]
pub(super) struct PropertyLog {
    bytes: Vec<u8>,
    properties: Vec<LoggedProperty>,
    /// The spans of values, and their offsets.
    values: Vec<(Span, u64)>,
    /// Number of the open node, and of the node before it.
    node: Option<u32>,
    parent: Option<u32>,
    nodes: u32,
    /// The nodes that open trees follow.
    branches: Vec<Option<u32>>,
}

#[derive(Debug)]
struct LoggedProperty {
    node: u32,
    parent: Option<u32>,
    at: u64,
    ident: Span,
    values: Span,
}

/// A property of a log, as a row.
#[derive(Clone, Debug)]
pub(super) struct PropertyRow<'r> {
    pub(super) node: u32,
    pub(super) parent: Option<u32>,
    pub(super) at: u64,
    pub(super) ident: Ident<'r>,
    log: &'r PropertyLog,
    values: Span,
}

impl<'r> PropertyRow<'r> {
    /// Returns the values, each with its offset.
    pub(super) fn values(&self) -> impl Iterator<Item = (u64, RawValue<'r>)> + use<'r> {
        let log = self.log;
        let values = &log.values[self.values.start as usize..self.values.end as usize];
        work::note(values.len());
        values.iter().map(move |(span, at)| (*at, RawValue::new(&log.bytes[get(&log.bytes, span)])))
    }
}

impl PropertyLog {
    fn clear(&mut self) {
        // The open property goes on after the last row.
        self.bytes.clear();
        self.properties.clear();
        self.values.clear();
    }

    fn node(&mut self) {
        self.parent = self.node;
        self.node = Some(self.nodes);
        self.nodes += 1;
    }

    fn property(&mut self, ident: &[u8], at: u64) {
        let (Some(node), next) = (self.node, self.values.len() as u32) else { return };
        let ident = keep(&mut self.bytes, ident);
        self.properties.push(LoggedProperty { node, parent: self.parent, at, ident, values: next..next });
    }

    fn value(&mut self, value: &[u8], at: u64) {
        let Some(last) = self.properties.last_mut() else { return };
        self.values.push((keep(&mut self.bytes, value), at));
        last.values.end += 1;
    }

    fn rows(&self) -> impl Iterator<Item = PropertyRow<'_>> {
        self.properties.iter().map(|logged| PropertyRow {
            node: logged.node,
            parent: logged.parent,
            at: logged.at,
            ident: Ident::new(&self.bytes[get(&self.bytes, &logged.ident)]),
            log: self,
            values: logged.values.clone(),
        })
    }
}

impl Log {
    #[inline]
    pub(super) fn is_on(&self) -> bool {
        !matches!(self, Log::Nothing)
    }

    /// Notes that the rows so far have been returned.
    pub(super) fn clear(&mut self) {
        match self {
            Log::Nothing => {}
            Log::Moves(log) => log.clear(),
            Log::Properties(log) => log.clear(),
        }
    }

    /// Starts a game.
    pub(super) fn begin_game(&mut self) {
        match self {
            Log::Nothing => {}
            Log::Moves(log) => log.begin_game(),
            Log::Properties(log) => {
                log.clear();
                (log.node, log.parent, log.nodes) = (None, None, 0);
                log.branches.clear();
            }
        }
    }

    /// Returns whether the rows should be returned before the next node.
    pub(super) fn is_long(&self) -> bool {
        let len = match self {
            Log::Nothing => 0,
            Log::Moves(log) => log.bytes.len() + log.comments.len() + ENTRY * (log.moves.len() + log.nodes.len()),
            Log::Properties(log) => log.bytes.len() + ENTRY * (log.properties.len() + log.values.len()),
        };
        len > LONG
    }

    /// Starts or ends a tree inside the game.
    pub(super) fn tree(&mut self, starts: bool) {
        match self {
            Log::Nothing => {}
            Log::Moves(log) => log.play(if starts { Event::StartTree } else { Event::EndTree }),
            Log::Properties(log) if starts => log.branches.push(log.node),
            Log::Properties(log) => log.node = log.branches.pop().flatten(),
        }
    }

    /// Ends the open node before the rows so far are returned, so that the position after a move of the root is known.
    pub(super) fn end_node(&mut self) {
        if let Log::Moves(log) = self {
            log.play(Event::Node);
        }
    }

    pub(super) fn node(&mut self, at: u64) {
        match self {
            Log::Nothing => {}
            Log::Moves(log) => log.node(at),
            Log::Properties(log) => log.node(),
        }
    }

    pub(super) fn property(&mut self, ident: Ident<'_>, at: u64) {
        match self {
            Log::Nothing => {}
            Log::Moves(log) => log.property(ident),
            Log::Properties(log) => log.property(ident.as_bytes(), at),
        }
    }

    pub(super) fn value(&mut self, value: RawValue<'_>, at: u64) {
        match self {
            Log::Nothing => {}
            Log::Moves(log) => log.value(value.as_bytes(), at),
            Log::Properties(log) => log.value(value.as_bytes(), at),
        }
    }

    /// Logs a run of nodes like `;B[dd]`.
    pub(super) fn run(&mut self, run: Moves<'_>) {
        match self {
            Log::Nothing => {}
            Log::Moves(log) => log.run(run),
            Log::Properties(log) => run.nodes().for_each(|node| {
                log.node();
                log.property(node.ident().as_bytes(), node.ident_at());
                log.value(node.value().as_bytes(), node.value_at());
            }),
        }
    }

    /// Returns the moves so far.
    pub(super) fn moves(&self) -> impl Iterator<Item = MoveRow<'_>> {
        let log = if let Log::Moves(log) = self { Some(log) } else { None };
        log.into_iter().flat_map(MoveLog::rows)
    }

    /// Returns the properties so far.
    pub(super) fn properties(&self) -> impl Iterator<Item = PropertyRow<'_>> {
        let log = if let Log::Properties(log) = self { Some(log) } else { None };
        log.into_iter().flat_map(PropertyLog::rows)
    }
}
