//! The sink of games, which collects a batch of the nodes that the type of the game needs.
//!
//! Memory: a batch ends after 64 nodes, or 64 KiB; a node is as long as
//! [`Parser::max_node_len`](crate::Parser::max_node_len) allows. The next batch reuses the memory.

use super::names::{Known, Names};
use crate::node::{MOVE_WEIGHT, MovePlace, MoveRun, Moves, NodeRef, Nodes, Token, TokenKind};
use crate::read::listener::Listener;
use crate::read::pull::Puller;
use crate::syntax::diagnostic::Diagnostic;
use crate::syntax::event::Event;
use crate::syntax::fault::Code;
use crate::syntax::flow::Flow;
use crate::syntax::tokenizer::Sink;

/// Maximum number of nodes in a batch.
const AHEAD: usize = 64;
/// Maximum number of items in a batch: nodes, and starts and ends of trees.
const MOST_ITEMS: usize = 4 * AHEAD;
/// Maximum weight of a batch without its last node.
const WEIGHT: usize = 64 * 1024;

/// The parts of a game that a type needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// The root properties that the type needs; `None` for all.
    pub(super) root: Option<&'static [&'static str]>,
    pub(super) rest: Rest,
}

/// The nodes after the root that a type needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    Nothing,
    /// The nodes of the main line.
    MainLine,
    Everything,
}

impl Plan {
    pub(super) const WHOLE: Plan = Plan { root: None, rest: Rest::Everything };
    pub(super) const ROOT: Plan = Plan { root: None, rest: Rest::Nothing };
    pub(super) const MAIN_LINE: Plan = Plan { root: None, rest: Rest::MainLine };
    /// Skips everything, including the root.
    pub(super) const NOTHING: Plan = Plan { root: Some(&[]), rest: Rest::Nothing };

    /// Returns whether the type needs any property of the game.
    pub(super) fn rest_is_wanted(&self) -> bool {
        self.rest != Rest::Nothing || self.root.is_none_or(|fields| !fields.is_empty())
    }
}

/// An item of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// The start of a variation.
    Start,
    /// A node, as its number in the batch.
    Node(usize),
    /// A node with a one-letter property and a two-letter value.
    Move(MovePlace),
    /// The end of a tree.
    End,
}

/// An item of a batch, or a run of moves, which needs no record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    token: Token,
    /// Number of properties before the node.
    properties: u32,
    /// Number of properties of the node, once it is complete.
    count: u32,
}

impl Entry {
    /// Returns the offset of the node's `;` or of the bracket.
    pub(super) fn at(&self) -> u64 {
        self.token.at
    }

    /// Returns whether the item is a node with a record.
    pub(super) fn is_node(&self) -> bool {
        self.token.run(true).is_none() && !matches!(self.token.kind, TokenKind::StartTree | TokenKind::EndTree)
    }
}

/// Position of the sink in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlaceInGame {
    /// Before its root, or before the game.
    Front,
    Root,
    /// After its root.
    Rest,
    /// After its end, or after skipping it.
    Over,
}

/// A sink that collects a batch of nodes.
pub struct NodeBatch<'de> {
    pub(super) input: Option<&'de [u8]>,
    listener: Listener,
    plan: Plan,
    /// The root properties that the type needs, unless it needs all.
    pub(super) names: Names,
    /// The property that is open in the root.
    known: Known,
    /// The root properties that are fields, as pairs of property index and field index.
    fields: Vec<(u32, u32)>,
    pub(super) place: PlaceInGame,
    /// The nodes of this batch.
    pub(super) nodes: Nodes<'de>,
    pub(super) items: Vec<Entry>,
    /// Number of nodes among the items.
    node_count: usize,
    /// Number of items that have been returned, the current one included.
    pub(super) next: usize,
    /// The rest of the run that is being returned.
    moves: MoveRun,
    /// Copies of all runs of moves of the batch. They are in one buffer even if the input is in memory.
    copies: Vec<u8>,
    /// Whether the last node of the batch is incomplete.
    pub(super) is_open: bool,
    weight: usize,
    /// Number of nodes that may be read ahead.
    pub(super) ahead: usize,
    /// Whether runs of moves are accepted: nothing needs decoding, and they are within the limits.
    takes_moves: bool,
    /// Whether the rest of a game, after the part that the type needs, stays unread.
    pub(super) leaves_rest: bool,
    /// The first diagnostic of the game about something that was dropped because it exceeds a limit.
    pub(super) dropped: Option<Diagnostic>,
    max_node_len: usize,
    /// Whether the open node exceeds the maximum length.
    pub(super) is_full: bool,
    /// Whether a tree inside the game has ended, and the main line with it.
    is_line_over: bool,
    /// Trees open after the last item received.
    depth: usize,
    /// Number of games that have started.
    pub(super) games: u64,
    /// Offset of the last game.
    pub(super) game_at: u64,
}

impl<'de> NodeBatch<'de> {
    pub(super) fn new(input: Option<&'de [u8]>, puller: &Puller) -> Self {
        let listener = puller.queue.listener.clone();
        let runs_ahead = !puller.tokenizer.is_strict();
        let max_node_len = puller.tokenizer.max_node_len();
        #[cfg(feature = "charset")]
        let decodes = puller.tokenizer.config().decoding.is_some();
        #[cfg(not(feature = "charset"))]
        let decodes = false;
        NodeBatch {
            input,
            listener,
            plan: Plan::NOTHING,
            names: Names::new(),
            known: Known::Nothing,
            fields: Vec::new(),
            place: PlaceInGame::Front,
            nodes: Nodes::of(input),
            items: Vec::new(),
            node_count: 0,
            next: 0,
            moves: MoveRun::default(),
            copies: Vec::new(),
            is_open: false,
            weight: 0,
            ahead: if runs_ahead { AHEAD } else { 1 },
            takes_moves: runs_ahead && !decodes && max_node_len >= MOVE_WEIGHT,
            leaves_rest: false,
            dropped: None,
            max_node_len,
            is_full: false,
            is_line_over: false,
            depth: 0,
            games: 0,
            game_at: 0,
        }
    }

    /// Prepares for the next game.
    pub(super) fn expect_game(&mut self, plan: Plan) {
        self.plan = plan;
        if let Some(fields) = plan.root {
            self.names.set(fields);
        }
        self.clear();
    }

    /// Discards the last game.
    fn clear(&mut self) {
        self.known = Known::Nothing;
        self.fields.clear();
        self.place = PlaceInGame::Front;
        self.depth = 0;
        self.nodes.clear();
        self.items.clear();
        self.copies.clear();
        self.moves = MoveRun::default();
        (self.next, self.node_count, self.weight) = (0, 0, 0);
        (self.is_open, self.is_full, self.is_line_over) = (false, false, false);
    }

    /// Prepares for other data.
    #[cfg(feature = "codec")]
    pub(super) fn restart(&mut self) {
        (self.games, self.game_at) = (0, 0);
        self.plan = Plan::NOTHING;
        self.dropped = None;
        self.clear();
    }

    /// Returns the items that are complete.
    pub(super) fn whole_items(&self) -> &[Entry] {
        &self.items[..self.items.len() - usize::from(self.is_open)]
    }

    /// Returns whether the game goes on and more of it may be kept in memory.
    pub(super) fn may_grow(&self) -> bool {
        let needs_rest = self.plan.rest != Rest::Nothing;
        needs_rest && self.place == PlaceInGame::Rest && self.weight <= WEIGHT
    }

    /// Returns the next complete item.
    #[inline]
    pub(super) fn peek(&mut self) -> Option<Item> {
        if let Some(next) = self.moves.peek() {
            return Some(Item::Move(next));
        }
        let entry = self.whole_items().get(self.next)?;
        if let Some(run) = entry.token.run(true) {
            self.moves = run;
            self.next += 1;
            return run.peek().map(Item::Move);
        }
        Some(match entry.token.kind {
            TokenKind::StartTree => Item::Start,
            TokenKind::EndTree => Item::End,
            _ => Item::Node(self.next),
        })
    }

    /// Takes the next item if it is a move.
    #[inline]
    pub(super) fn take_move(&mut self) -> Option<MovePlace> {
        self.moves.take()
    }

    /// Returns the bytes of runs of moves.
    #[inline]
    pub(super) fn move_bytes(&self) -> &[u8] {
        &self.copies
    }

    /// Returns the number of received nodes up to the next start or end of a tree.
    pub(super) fn nodes_ahead(&self) -> usize {
        let items = self.items.get(self.next..).unwrap_or_default().iter();
        let nodes = items.map_while(|entry| match entry.token.kind {
            TokenKind::StartTree | TokenKind::EndTree => None,
            _ => Some(entry.token.run(true).map_or(1, |run| run.count())),
        });
        self.moves.count() + nodes.sum::<usize>()
    }

    /// Takes the item that [`peek`](Self::peek) returned.
    #[inline]
    pub(super) fn take(&mut self) {
        if self.take_move().is_none() {
            self.next += 1;
        }
    }

    /// Adds a token after the last node.
    #[inline(always)]
    fn push(&mut self, token: Token) {
        self.items.push(Entry { token, properties: self.nodes.len() as u32, count: 0 });
    }

    /// Clears the batch if all complete items have been returned. Frees the buffer of a long node.
    pub(super) fn rewind(&mut self) {
        let open = self.items.pop().filter(|_| self.is_open);
        self.items.clear();
        (self.next, self.node_count, self.weight) = (0, 0, 0);
        self.moves = MoveRun::default();
        match open {
            Some(open) => self.items.push(Entry { properties: 0, ..open }),
            None => self.nodes.clear(),
        }
        self.copies.clear();
        self.nodes.keep_last(WEIGHT);
        self.node_count = self.items.len();
    }

    /// Starts a node.
    #[inline(always)]
    fn begin(&mut self, at: u64) {
        self.nodes.start_node();
        self.push(Token::new(Event::Node, at));
        self.node_count += 1;
        (self.is_open, self.is_full) = (true, false);
    }

    /// Returns a node of the batch.
    #[inline]
    pub(super) fn node(&self, node: usize) -> NodeRef<'_> {
        let Entry { properties, count, .. } = self.items[node];
        let is_open = self.is_open && node + 1 == self.items.len();
        self.nodes.node(properties as usize, (!is_open).then(|| (properties + count) as usize))
    }

    /// Returns the root properties that are these fields, if only those were read. They are pairs of property index
    /// and field index.
    #[inline]
    pub(super) fn fields_of_root(&self, fields: &'static [&'static str]) -> Option<&[(u32, u32)]> {
        self.plan.root.filter(|wanted| std::ptr::eq(*wanted, fields)).map(|_| &self.fields[..])
    }

    /// Returns the first node of the batch.
    pub(super) fn first_node(&self) -> Option<NodeRef<'_>> {
        self.items.first().map(|_| self.node(0))
    }

    /// Ends the open node.
    #[inline]
    fn end_node(&mut self) {
        if self.is_open {
            self.is_open = false;
            self.weight += self.nodes.weight();
            let properties = self.nodes.len() as u32;
            if let Some(last) = self.items.last_mut() {
                last.count = properties - last.properties;
            }
        }
    }

    /// Returns the flow after a node, or after the start or end of a tree.
    #[inline]
    fn flow(&mut self, is_whole: bool) -> Flow {
        if self.place == PlaceInGame::Root {
            self.place = PlaceInGame::Rest;
            if self.plan.rest == Rest::Nothing {
                self.items.truncate(1);
                self.is_open = false;
                return if self.leaves_rest { Flow::Break } else { Flow::SkipGame };
            }
            return Flow::Break;
        }
        let is_enough = if self.ahead == 1 {
            self.items.len() > usize::from(!is_whole)
        } else {
            self.node_count > self.ahead || self.weight > WEIGHT || self.items.len() >= MOST_ITEMS
        };
        if is_enough { Flow::Break } else { Flow::Continue }
    }

    /// Starts a tree inside the game.
    fn start_tree(&mut self, at: u64) -> Flow {
        self.end_node();
        if self.is_line_over && self.plan.rest == Rest::MainLine {
            return Flow::Skip;
        }
        self.depth += 1;
        self.push(Token::new(Event::StartTree, at));
        self.flow(true)
    }

    /// Ends a tree.
    fn end_tree(&mut self, at: u64) -> Flow {
        self.end_node();
        self.depth -= 1;
        self.is_line_over = true;
        self.push(Token::new(Event::EndTree, at));
        if self.depth == 0 {
            self.place = PlaceInGame::Over;
            return Flow::Break;
        }
        match self.flow(true) {
            Flow::Continue if self.plan.rest == Rest::MainLine && self.ahead == 1 => Flow::Break,
            flow => flow,
        }
    }

    #[inline(always)]
    fn keep(&mut self, event: Event<'_>, at: u64) -> Flow {
        if self.nodes.take_up_to(self.max_node_len, event, at) {
            return Flow::Continue;
        }
        self.is_full = true;
        Flow::Break
    }
}

impl Sink for NodeBatch<'_> {
    #[inline(always)]
    fn event(&mut self, event: Event<'_>, at: u64) -> Flow {
        match event {
            Event::Property(ident) if self.place == PlaceInGame::Root && self.plan.root.is_some() => {
                self.known = self.names.known(ident);
                if self.known == Known::Nothing { Flow::Skip } else { self.keep(event, at) }
            }
            Event::Value(_) | Event::ValuePart(_) if self.place == PlaceInGame::Root => {
                let before = self.nodes.len();
                let flow = self.keep(event, at);
                if let Known::Field(field) = self.known
                    && self.nodes.len() > before
                {
                    self.fields.push((before as u32, field));
                }
                flow
            }
            Event::Property(_) | Event::Value(_) | Event::ValuePart(_) => self.keep(event, at),
            Event::Node if self.place == PlaceInGame::Front => {
                self.place = PlaceInGame::Root;
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
            Event::StartTree => self.start_tree(at),
            Event::EndTree => self.end_tree(at),
        }
    }

    #[inline]
    fn moves(&mut self, bytes: &[u8], lines: &[(u16, u16)], at: u64) -> Option<Flow> {
        if !self.takes_moves || self.place != PlaceInGame::Rest {
            return None;
        }
        self.end_node();
        for line in Moves::new(bytes, lines, at).lines() {
            let token = Token::moves(line, Some(&mut self.copies));
            self.push(token);
            self.node_count += 1;
            self.weight += line.as_bytes().len();
        }
        Some(self.flow(true))
    }

    fn game_skipped(&mut self) -> Flow {
        self.place = PlaceInGame::Over;
        Flow::Break
    }

    #[cold]
    fn diagnostic(&mut self, fault: Diagnostic) {
        if self.dropped.is_none() && matches!(fault.code, Code::ValueTooLong | Code::IdentTooLong) {
            self.dropped = Some(fault.clone());
        }
        self.listener.report(fault);
    }
}
