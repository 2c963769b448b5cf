//! The sink of games: takes in a batch of nodes, as far as the type of the game wants them.
//!
//! Memory: a batch ends after 64 nodes, or 64 KiB; a node is as long as
//! [`Parser::max_node_len`](crate::Parser::max_node_len) allows. What a batch held is used again by
//! the next.

use crate::diagnostic::Position;
use crate::event::{Event, Ident};
use crate::flow::Flow;
use crate::pull::Puller;
use crate::record::{NodeRef, Nodes};
use crate::tokenizer::Sink;
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
    /// A tree ends.
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Start,
    Node,
    /// A node of one letter with a value of two, which needs no record.
    Short,
    End,
}

/// What has come in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    kind: Kind,
    /// Of a short node.
    letters: [u8; 3],
    /// How many properties are in front of it: a node has those between it and the next entry.
    properties: u32,
    /// Offset of a node's `;`.
    pub(super) at: u64,
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
    plan: Plan,
    pub(super) place: Place,
    /// The nodes of this batch.
    pub(super) nodes: Nodes<'de>,
    /// What has come in.
    pub(super) items: Vec<Entry>,
    /// Nodes among them.
    node_count: usize,
    /// Of each, if it is not read ahead.
    pub(super) positions: Vec<Position>,
    /// So many of them have been given out.
    pub(super) next: usize,
    /// The last node of the batch is still coming in.
    pub(super) is_open: bool,
    weight: usize,
    /// Nodes that may come in before they are asked for.
    pub(super) ahead: usize,
    /// Short nodes may come in as such: nobody is told of positions, there is nothing to decode, and they
    /// are within the limits.
    takes_short: bool,
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
        let runs_ahead = puller.tokenizer.may_run_ahead();
        let max_node_len = puller.tokenizer.max_node_len();
        #[cfg(feature = "charset")]
        let decodes = puller.tokenizer.config().decoding.is_some();
        #[cfg(not(feature = "charset"))]
        let decodes = false;
        Feed {
            input,
            plan: Plan::NOTHING,
            place: Place::Front,
            nodes: Nodes::of(input),
            items: Vec::new(),
            node_count: 0,
            positions: Vec::new(),
            next: 0,
            is_open: false,
            weight: 0,
            ahead: if runs_ahead { AHEAD } else { 1 },
            takes_short: runs_ahead && !decodes && max_node_len >= NODE_OF_ONE,
            max_node_len,
            is_full: false,
            depth: 0,
            games: 0,
            game_at: 0,
        }
    }

    /// Sets out to read the next game.
    pub(super) fn expect_game(&mut self, plan: Plan) {
        self.plan = plan;
        self.place = Place::Front;
        self.depth = 0;
        self.nodes.clear();
        self.items.clear();
        self.positions.clear();
        (self.next, self.node_count, self.weight) = (0, 0, 0);
        (self.is_open, self.is_full) = (false, false);
    }

    /// The next item that is whole.
    #[inline]
    pub(super) fn peek(&self) -> Option<Item> {
        let whole = self.items.len() - usize::from(self.is_open);
        self.items[..whole].get(self.next).map(|entry| match entry.kind {
            Kind::Start => Item::Start,
            Kind::Node | Kind::Short => Item::Node(self.next),
            Kind::End => Item::End,
        })
    }

    #[inline(always)]
    fn push(&mut self, kind: Kind, properties: usize, at: u64) {
        self.items.push(Entry { kind, letters: [0; 3], properties: properties as u32, at });
        if self.ahead == 1 {
            self.positions.push(Position::START);
        }
    }

    /// Makes room, where all whole items have been given out. A long node leaves no long buffer
    /// behind.
    pub(super) fn rewind(&mut self) {
        let open = self.items.pop().filter(|_| self.is_open);
        let position = self.positions.pop().filter(|_| self.is_open);
        self.items.clear();
        self.positions.clear();
        self.positions.extend(position);
        if open.is_none_or(|open| open.kind == Kind::Short) {
            self.nodes.clear();
        }
        self.nodes.keep_last(WEIGHT);
        self.items.extend(open.map(|open| Entry { properties: 0, ..open }));
        (self.next, self.node_count, self.weight) = (0, self.items.len(), 0);
    }

    /// A node begins.
    #[inline(always)]
    fn begin(&mut self, at: u64) {
        let properties = self.nodes.start_node();
        self.push(Kind::Node, properties, at);
        self.node_count += 1;
        (self.is_open, self.is_full) = (true, false);
    }

    pub(super) fn position(&self, item: usize) -> Position {
        self.positions.get(item).copied().unwrap_or(Position::START)
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
            if !self.is_last_short() {
                self.weight += self.nodes.weight();
            }
        }
    }

    #[inline]
    fn is_last_short(&self) -> bool {
        self.items.last().is_some_and(|last| last.kind == Kind::Short)
    }

    /// The last node is short, and there is more of it: it becomes one like others.
    #[cold]
    fn lengthen(&mut self) {
        if let Some(last) = self.items.last_mut() {
            let ([ident, value @ ..], at) = (last.letters, last.at);
            last.kind = Kind::Node;
            last.properties = self.nodes.add_node_of_one(Ident::new(&[ident]), RawValue::new(&value), at) as u32;
        }
    }

    /// The letters and the offset of a node, if it is a short one.
    #[inline]
    pub(super) fn short(&self, node: usize) -> Option<(&[u8; 3], u64)> {
        let entry = &self.items[node];
        (entry.kind == Kind::Short).then_some((&entry.letters, entry.at))
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
            self.node_count > self.ahead || self.weight > WEIGHT || self.items.len() >= MOST_ITEMS
        };
        if is_enough { Flow::Break } else { Flow::Continue }
    }

    /// Whether the type wants this property of the root.
    #[inline]
    fn wants(&self, ident: Ident<'_>) -> bool {
        let Some(fields) = self.plan.root else { return true };
        let spelling = ident.as_bytes();
        is_about_game(spelling)
            || fields.iter().any(|field| ident.is_spelt(field.as_bytes()))
            || ident.has_lowercase()
                && (is_about_game(ident.name().as_bytes()) || fields.iter().any(|field| ident == *field))
    }

    #[inline(always)]
    fn keep(&mut self, event: Event<'_>, at: u64) -> Flow {
        if self.is_last_short() {
            self.lengthen();
        }
        if self.nodes.take_up_to(self.max_node_len, event, at) {
            return Flow::Continue;
        }
        self.is_full = true;
        Flow::Break
    }
}

/// What has to be known of a game whatever its type wants: its context and its charset.
fn is_about_game(name: &[u8]) -> bool {
    matches!(name, b"GM" | b"FF" | b"SZ" | b"CA" | b"GK" | b"RD" | b"TE" | b"KO")
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
    fn node_of_one(&mut self, ident: Ident<'_>, value: RawValue<'_>, at: u64) -> bool {
        if self.place != Place::Rest || self.node_count >= self.ahead || self.items.len() >= MOST_ITEMS {
            return false;
        }
        let ([ident], [column, row]) = (ident.as_bytes(), value.as_bytes()) else { return false };
        if !self.takes_short {
            return false;
        }
        self.end_node();
        let (letters, properties) = ([*ident, *column, *row], self.nodes.len() as u32);
        self.items.push(Entry { kind: Kind::Short, letters, properties, at });
        self.node_count += 1;
        self.is_open = true;
        true
    }

    fn game_skipped(&mut self) -> Flow {
        self.place = Place::Over;
        Flow::Break
    }
}
