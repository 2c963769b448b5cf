//! The sink of games: takes in a batch of nodes, as far as the type of the game wants them.
//!
//! Memory: a batch ends after 64 nodes, or 64 KiB; a node is as long as
//! [`Parser::max_node_len`](crate::Parser::max_node_len) allows. What a batch held is used again by
//! the next.

use std::ops::Range;

use crate::node::{NodeRef, Nodes, RootFacts};
use crate::read::listener::Listener;
use crate::read::pull::Puller;
use crate::syntax::diagnostic::Diagnostic;
use crate::syntax::event::{Event, Ident};
use crate::syntax::flow::Flow;
use crate::syntax::tokenizer::Sink;
use crate::syntax::tokenizer::fast::MOVE;
use crate::value::RawValue;

/// Nodes in a batch.
const AHEAD: usize = 64;
/// Items in a batch: a node, and the starts and ends of trees.
const MOST_ITEMS: usize = 4 * AHEAD;
/// The weight of a batch, but for its last node.
const WEIGHT: usize = 64 * 1024;

/// No less than a node of one letter and two weighs.
const NODE_OF_ONE: usize = 256;

/// What a type wants of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// The properties that are wanted of the root; all, if there is no list.
    pub(super) root: Option<&'static [&'static str]>,
    pub(super) rest: Rest,
}

/// What a type wants of the nodes behind the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    Nothing,
    /// Those up to the first end of a tree.
    MainLine,
    Everything,
}

impl Plan {
    pub(super) const WHOLE: Plan = Plan { root: None, rest: Rest::Everything };
    pub(super) const ROOT: Plan = Plan { root: None, rest: Rest::Nothing };
    pub(super) const MAIN_LINE: Plan = Plan { root: None, rest: Rest::MainLine };
    /// Not even the root.
    pub(super) const NOTHING: Plan = Plan { root: Some(&[]), rest: Rest::Nothing };

    /// Whether any text is wanted.
    pub(super) fn rest_is_wanted(&self) -> bool {
        self.rest != Rest::Nothing || self.root.is_none_or(|fields| !fields.is_empty())
    }
}

/// What comes next in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// A variation begins.
    Start,
    /// A node, by its number in the batch.
    Node(usize),
    /// A node of one letter with a value of two.
    Move(Move),
    /// A tree ends.
    End,
}

/// A node like `;B[dd]`: where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Move {
    /// Its place in the input, or in the feed's own copy.
    place: usize,
    /// Its offset.
    pub(super) at: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Start,
    Node,
    /// Nodes like `;B[dd]`, which need no record. Of two such entries that follow one another the
    /// second may be the node that is open.
    Moves,
    End,
}

/// What has come in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    kind: Kind,
    /// How many properties are in front of it: a node has those between it and the next entry.
    properties: u32,
    /// Of moves: their bytes, with the line breaks between them, ...
    len: u32,
    /// ... and where these are in the feed's own copy.
    copy: u32,
    /// Offset of a node's `;`.
    pub(super) at: u64,
}

/// Moves that are being given out.
#[derive(Clone, Copy, Debug, Default)]
struct Moves {
    /// Where the next one is, in the input or in the feed's own copy.
    next: usize,
    end: usize,
    /// How far their offsets are from these places.
    shift: u64,
}

/// Where the sink stands in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In front of its root, or of the game.
    Front,
    Root,
    /// Behind its root.
    Rest,
    /// Its end has come in, or it was skipped.
    Over,
}

/// Takes in a batch of nodes.
pub struct Feed<'de> {
    pub(super) input: Option<&'de [u8]>,
    listener: Listener,
    /// Faults that wait for the items before them to be given out; kept only for a listener.
    faults: Vec<Diagnostic>,
    plan: Plan,
    /// The bits of the properties that are wanted of the root.
    names: u64,
    pub(super) place: Place,
    /// The nodes of this batch.
    pub(super) nodes: Nodes<'de>,
    /// What has come in.
    pub(super) items: Vec<Entry>,
    /// Nodes among them.
    node_count: usize,
    /// So many of them have been given out, or begun to be.
    pub(super) next: usize,
    /// What is left of the moves that have begun to be given out.
    moves: Moves,
    /// The bytes of all moves of the batch, if there is no input to leave them in.
    copies: Vec<u8>,
    /// The last node of the batch is still coming in.
    pub(super) is_open: bool,
    weight: usize,
    /// Nodes that may come in before they are asked for.
    pub(super) ahead: usize,
    /// Moves may come in as such: there is nothing to decode, and they are within the limits.
    takes_moves: bool,
    max_node_len: usize,
    /// The open node has become longer than that.
    pub(super) is_full: bool,
    /// Trees open behind the last item that came in.
    depth: usize,
    /// Games that have begun, and where the last one did.
    pub(super) games: u64,
    pub(super) game_at: u64,
}

impl<'de> Feed<'de> {
    pub(super) fn new(input: Option<&'de [u8]>, puller: &Puller) -> Self {
        let listener = puller.queue.listener.clone();
        let runs_ahead = !puller.tokenizer.is_strict();
        let max_node_len = puller.tokenizer.max_node_len();
        #[cfg(feature = "charset")]
        let decodes = puller.tokenizer.config().decoding.is_some();
        #[cfg(not(feature = "charset"))]
        let decodes = false;
        Feed {
            input,
            listener,
            faults: Vec::new(),
            plan: Plan::NOTHING,
            names: 0,
            place: Place::Front,
            nodes: Nodes::of(input),
            items: Vec::new(),
            node_count: 0,
            next: 0,
            moves: Moves::default(),
            copies: Vec::new(),
            is_open: false,
            weight: 0,
            ahead: if runs_ahead { AHEAD } else { 1 },
            takes_moves: runs_ahead && !decodes && max_node_len >= NODE_OF_ONE,
            max_node_len,
            is_full: false,
            depth: 0,
            games: 0,
            game_at: 0,
        }
    }

    /// Sets out to read the next game.
    pub(super) fn expect_game(&mut self, plan: Plan) {
        let is_same = match (plan.root, self.plan.root) {
            (Some(fields), Some(before)) => std::ptr::eq(fields, before) && self.names != 0,
            _ => false,
        };
        self.plan = plan;
        if !is_same {
            let names = plan.root.unwrap_or_default().iter().copied().chain(RootFacts::NAMES);
            self.names = names.fold(0, |names, name| names | Ident::new(name.as_bytes()).name_bit());
        }
        self.place = Place::Front;
        self.depth = 0;
        self.nodes.clear();
        self.items.clear();
        self.copies.clear();
        self.moves = Moves::default();
        (self.next, self.node_count, self.weight) = (0, 0, 0);
        (self.is_open, self.is_full) = (false, false);
    }

    /// The next item that is whole.
    #[inline]
    pub(super) fn peek(&mut self) -> Option<Item> {
        if let Some(next) = self.next_move() {
            return Some(Item::Move(next));
        }
        let whole = self.items.len() - usize::from(self.is_open);
        if !self.faults.is_empty() && self.next < whole {
            self.report_faults();
        }
        let entry = self.items[..whole].get(self.next)?;
        Some(match entry.kind {
            Kind::Start => Item::Start,
            Kind::Node => Item::Node(self.next),
            Kind::End => Item::End,
            Kind::Moves => {
                let next = self.bytes_of(entry).start;
                let end = next + entry.len as usize;
                self.moves = Moves { next, end, shift: entry.at.wrapping_sub(next as u64) };
                self.next += 1;
                Item::Move(Move { place: next, at: entry.at })
            }
        })
    }

    /// Reports the faults before the end of the next item, which is whole.
    #[cold]
    fn report_faults(&mut self) {
        let end = self.items.get(self.next + 1).map_or(u64::MAX, |after| after.at);
        let due = self.faults.partition_point(|fault| fault.position.offset < end);
        self.faults.drain(..due).for_each(|fault| self.listener.report(fault));
    }

    /// The caller is done with the game, whatever of it has been given out: reports what skipping the rest of it
    /// would have reported.
    pub(super) fn end_game(&mut self) {
        if !self.faults.is_empty() {
            self.faults.retain(|fault| fault.code.is_about_bounds());
            self.report_all();
        }
    }

    /// Reports all faults: nothing more is given out before which they could be reported.
    pub(super) fn report_all(&mut self) {
        self.faults.drain(..).for_each(|fault| self.listener.report(fault));
    }

    /// The offset of the first item of this batch.
    pub(super) fn first_offset(&self) -> Option<u64> {
        self.items.first().map(|item| item.at)
    }

    /// Where the bytes of an entry of moves are, in the input or in the copies.
    #[inline]
    fn bytes_of(&self, entry: &Entry) -> Range<usize> {
        let start = if self.input.is_some() { entry.at as usize } else { entry.copy as usize };
        start..start + entry.len as usize
    }

    /// The next item, if it is one of the moves that have begun to be given out.
    #[inline]
    fn next_move(&self) -> Option<Move> {
        let Moves { next, end, shift } = self.moves;
        (next < end).then(|| Move { place: next, at: shift.wrapping_add(next as u64) })
    }

    /// Takes the move that is next.
    #[inline]
    pub(super) fn take_move(&mut self) -> Option<Move> {
        let taken = self.next_move()?;
        let mut next = taken.place + MOVE;
        while next < self.moves.end && self.move_bytes()[next] != b';' {
            next += 1; // line breaks
        }
        self.moves.next = next;
        Some(taken)
    }

    #[inline]
    fn move_bytes(&self) -> &[u8] {
        self.input.unwrap_or(&self.copies)
    }

    /// The bytes of a move.
    #[inline]
    pub(super) fn move_at(&self, place: Move) -> &[u8; MOVE] {
        self.move_bytes()[place.place..].first_chunk().expect("a run consists of whole moves")
    }

    /// Takes what [`peek`](Self::peek) has shown.
    #[inline]
    pub(super) fn take(&mut self) {
        if self.take_move().is_none() {
            self.next += 1;
        }
    }

    #[inline(always)]
    fn push(&mut self, kind: Kind, properties: usize, at: u64) {
        self.items.push(Entry { kind, properties: properties as u32, len: 0, copy: 0, at });
    }

    /// Adds moves behind the last node.
    #[inline]
    fn push_moves(&mut self, run: &[u8], at: u64) {
        let (copy, properties) = (self.copies.len() as u32, self.nodes.len() as u32);
        if self.input.is_none() {
            self.copies.extend_from_slice(run);
        }
        self.items.push(Entry { kind: Kind::Moves, properties, len: run.len() as u32, copy, at });
        self.node_count += 1;
    }

    /// Makes room, where all whole items have been given out. A long node leaves no long buffer
    /// behind.
    pub(super) fn rewind(&mut self) {
        let open = self.items.pop().filter(|_| self.is_open);
        self.items.clear();
        (self.next, self.node_count, self.weight) = (0, 0, 0);
        self.moves = Moves::default();
        match open {
            Some(open) if open.kind == Kind::Moves => {
                let of_copies = open.copy as usize..self.copies.len();
                self.copies.copy_within(of_copies.clone(), 0);
                self.copies.truncate(of_copies.len());
                self.nodes.clear();
                self.items.push(Entry { properties: 0, copy: 0, ..open });
            }
            Some(open) => {
                self.copies.clear();
                self.items.push(Entry { properties: 0, ..open });
            }
            None => {
                self.copies.clear();
                self.nodes.clear();
            }
        }
        self.nodes.keep_last(WEIGHT);
        self.node_count = self.items.len();
    }

    /// A node begins.
    #[inline(always)]
    fn begin(&mut self, at: u64) {
        let properties = self.nodes.start_node();
        self.push(Kind::Node, properties, at);
        self.node_count += 1;
        (self.is_open, self.is_full) = (true, false);
    }

    /// A node of the batch.
    #[inline]
    pub(super) fn node(&self, node: usize) -> NodeRef<'_> {
        let properties = self.items[node].properties;
        self.nodes.node(properties as usize, self.items.get(node + 1).map(|next| next.properties as usize))
    }

    /// The node that was open is whole.
    #[inline]
    fn end_node(&mut self) {
        if self.is_open {
            self.is_open = false;
            if !self.is_last_a_move() {
                self.weight += self.nodes.weight();
            }
        }
    }

    #[inline]
    fn is_last_a_move(&self) -> bool {
        self.items.last().is_some_and(|last| last.kind == Kind::Moves)
    }

    /// The last node is a move, and there is more of it: it becomes a node like others.
    #[cold]
    fn lengthen(&mut self) {
        let Some(last) = self.items.last() else { return };
        let (at, place) = (last.at, self.bytes_of(last).start);
        let &[_, ident, _, column, row, _] = self.move_at(Move { place, at });
        let properties = self.nodes.add_node_of_one(Ident::new(&[ident]), RawValue::new(&[column, row]), at) as u32;
        if let Some(last) = self.items.last_mut() {
            (last.kind, last.properties) = (Kind::Node, properties);
        }
    }

    /// A node, or the start or end of a tree, in a game: what to do behind it.
    #[inline]
    fn flow(&mut self, is_whole: bool) -> Flow {
        if self.place == Place::Root {
            self.place = Place::Rest;
            if self.plan.rest == Rest::Nothing {
                self.items.truncate(1);
                self.is_open = false;
                return Flow::SkipGame;
            }
            return Flow::Break;
        }
        let is_enough = if self.ahead == 1 {
            self.items.len() > usize::from(!is_whole)
        } else {
            self.node_count > self.ahead || self.weight > WEIGHT || self.items.len() >= MOST_ITEMS || self.is_long()
        };
        if is_enough { Flow::Break } else { Flow::Continue }
    }

    /// Whether the batch takes so many bytes of the stream that the lines in it could be too many to keep. White space
    /// between nodes has no weight.
    #[inline]
    fn is_long(&self) -> bool {
        self.listener.is_some()
            && self.items.last().zip(self.items.first()).is_some_and(|(last, first)| last.at - first.at > WEIGHT as u64)
    }

    /// Whether the type wants this property of the root.
    #[inline]
    fn wants(&self, ident: Ident<'_>) -> bool {
        let Some(fields) = self.plan.root else { return true };
        if self.names & ident.name_bit() == 0 {
            return false;
        }
        // Whatever its type wants, the context and the charset of a game have to be known.
        fields.iter().any(|field| ident.is_spelt(field.as_bytes()))
            || RootFacts::is_fact(ident)
            || ident.has_lowercase() && fields.iter().any(|field| ident == *field)
    }

    #[inline(always)]
    fn keep(&mut self, event: Event<'_>, at: u64) -> Flow {
        if self.is_last_a_move() {
            self.lengthen();
        }
        if self.nodes.take_up_to(self.max_node_len, event, at) {
            return Flow::Continue;
        }
        self.is_full = true;
        Flow::Break
    }
}

impl Sink for Feed<'_> {
    #[inline(always)]
    fn event(&mut self, event: Event<'_>, at: u64) -> Flow {
        match event {
            Event::Property(ident) if self.place == Place::Root && !self.wants(ident) => Flow::Skip,
            Event::Property(_) | Event::Value(_) | Event::ValuePart(_) => self.keep(event, at),
            Event::Node if self.place == Place::Front => {
                self.place = Place::Root;
                self.begin(at);
                if self.ahead == 1 { Flow::Break } else { Flow::Continue }
            }
            Event::Node => {
                self.end_node();
                self.begin(at);
                self.flow(false)
            }
            Event::StartTree if self.depth == 0 => {
                self.depth = 1;
                self.games += 1;
                self.game_at = at;
                Flow::Continue
            }
            Event::StartTree => {
                self.end_node();
                self.depth += 1;
                self.push(Kind::Start, self.nodes.len(), at);
                self.flow(true)
            }
            Event::EndTree => {
                self.end_node();
                self.depth -= 1;
                self.push(Kind::End, self.nodes.len(), at);
                if self.depth == 0 {
                    self.place = Place::Over;
                    return Flow::Break;
                }
                match self.flow(true) {
                    Flow::Continue if self.plan.rest == Rest::MainLine => Flow::Break,
                    flow => flow,
                }
            }
        }
    }

    #[inline(always)]
    fn room_for_moves(&self) -> usize {
        let has_room = self.place == Place::Rest
            && self.takes_moves
            && self.node_count < self.ahead
            && self.items.len() < MOST_ITEMS;
        if has_room { WEIGHT.saturating_sub(self.weight) } else { 0 }
    }

    /// The last of them is open: there may be more of it.
    #[inline]
    fn moves(&mut self, run: &[u8], at: u64) -> Flow {
        self.end_node();
        let (others, last) = run.split_at(run.len() - MOVE);
        if !others.is_empty() {
            self.push_moves(others, at);
        }
        self.push_moves(last, at + others.len() as u64);
        self.weight += run.len();
        self.is_open = true;
        Flow::Continue
    }

    fn game_skipped(&mut self) -> Flow {
        self.place = Place::Over;
        Flow::Break
    }

    #[cold]
    fn fault(&mut self, fault: Diagnostic) {
        if self.listener.is_some() {
            self.faults.push(fault);
        }
    }
}
