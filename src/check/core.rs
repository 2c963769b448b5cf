//! The checker's core: it takes events in, and hands each to the rules that it concerns.
//!
//! [`state`](super::state) has what is known of the open game, path and node, and [`report`](super::report) what was
//! found. The rules are in one file a group, and get both as arguments:
//!
//! | file | rules about |
//! |---|---|
//! | `identity` | which properties exist |
//! | `places` | which properties may stand where |
//! | `property` | properties that stand in a node twice, and empty ones |
//! | `value` | values |
//! | `lists` | points in lists |
//! | `go` | positions of Go |
//! | `charset` | whether `CA` is true |
//! | `structure` | variations, and games that differ from the first |
//!
//! Values come one by one and are checked at once, so nothing of a node is kept but what stands in it.
//! The root is the exception: which game it is, in which version and on which board, may come last in
//! it, so it is held back, and goes through the same checks when it is over.
//!
//! What holds for a path, and not for a node alone, is a few words ([`Path`]) and the position of the
//! game ([`GoPosition`]); both are saved where a variation begins, and taken back where it ends. That is
//! all that grows with the depth, and the position stops doing so at 1,024 nested variations.

use super::Rules;
use super::board::Cell;
use super::finding::Summary;
use super::go::GoPosition;
use super::lists::Lists;
use super::report::{Report, To};
use super::state::{Bits, GameState, NOWHERE, Node, OpenProperty, Path};
use super::structure::Structure;
use super::value::Values;
use super::window::Window;
use super::{places, property};
use crate::node::{EventList, RootFacts};
use crate::read::parser::Parser;
use crate::syntax::event::{Event, Ident};
use crate::value::RawValue;

/// The most that is held back of a root: in bytes of the stream, and in [weight](EventList::weight), since two bytes can
/// be a value.
const MAX_ROOT: u64 = 4 << 20;

#[derive(Debug)]
pub(super) struct Core {
    pub(super) report: Report,
    game: GameState,
    path: Path,
    node: Node,
    lists: Lists,
    position: GoPosition,
    structure: Structure,
    #[cfg(feature = "charset")]
    ca: super::charset::Declared,
    root: EventList,
    /// The root is being held back.
    collecting: bool,
}

impl Core {
    /// By these rules, and with the charsets of a parser.
    pub(super) fn new(rules: Rules, parser: &Parser) -> Self {
        Core {
            position: GoPosition::new(&rules),
            structure: Structure::new(&rules),
            report: Report::new(rules, parser),
            game: GameState::default(),
            path: Path::default(),
            node: Node::default(),
            lists: Lists::default(),
            #[cfg(feature = "charset")]
            ca: super::charset::Declared::default(),
            root: EventList::new(),
            collecting: false,
        }
    }

    /// A stream begins that the checker reads itself.
    pub(super) fn begin_stream(&mut self) {
        self.report.summary = Summary::default();
        self.report.window = Some(Window::default());
    }

    /// The next bytes of a stream that the checker reads itself.
    pub(super) fn read(&mut self, chunk: &[u8]) {
        let Some(window) = &mut self.report.window else { return };
        window.push(chunk);
        self.game.has_bom = self.game.has_bom || window.get(0, 3) == Some(b"\xEF\xBB\xBF");
    }

    /// A stream has ended that the checker reads itself. Returns `total` with what was found after its last game.
    pub(super) fn end_stream(&mut self, total: Summary, to: To<'_>) -> Summary {
        (self.structure.first, self.game.has_bom) = (None, false);
        self.report.end_stream(total, to)
    }

    pub(super) fn begin_game(&mut self, at: u64, to: To<'_>) {
        self.report.begin_game(at, to);
        self.collecting = true;
        self.game.begin();
        self.path = Path::default();
        self.position.begin_game();
        self.structure.begin_game();
        self.node.start(NOWHERE);
        self.node.property = OpenProperty::default();
    }

    pub(super) fn start_tree(&mut self, at: u64, to: To<'_>) {
        self.end_node(to);
        self.structure.start_tree(self.path, &mut self.position, &mut self.report, at);
    }

    pub(super) fn end_tree(&mut self, to: To<'_>) {
        self.end_node(to);
        self.structure.end_children(&mut self.report, to);
        self.structure.end_tree(&mut self.path, &mut self.position);
    }

    pub(super) fn end_game(&mut self, to: To<'_>) -> Summary {
        self.end_node(to);
        self.structure.end_children(&mut self.report, to);
        #[cfg(feature = "charset")]
        self.ca.end_game(&mut self.report, to);
        self.report.end_game(self.game.is_ff4())
    }

    #[inline]
    pub(super) fn node(&mut self, at: u64, to: To<'_>) {
        self.end_node(to);
        self.node.start(at);
        self.node.starts_tree = std::mem::take(&mut self.structure.tree_starts);
        (self.node.last_end, self.node.is_doubtful) = (at + 1, false);
        if let Some(window) = &mut self.report.window {
            window.forget_up_to(at);
        }
        if self.collecting {
            self.root.clear();
            self.report.begin_root(at);
        }
    }

    #[inline]
    pub(super) fn property(&mut self, ident: Ident<'_>, at: u64, to: To<'_>) {
        if self.collecting {
            return self.hold(Event::Property(ident), at, to);
        }
        self.enter(ident, at);
    }

    #[inline]
    pub(super) fn value(&mut self, value: RawValue<'_>, at: u64, to: To<'_>) {
        if self.collecting {
            return self.hold(Event::Value(value), at, to);
        }
        self.take(value, at);
        if self.report.has_batch() {
            self.report.hand_on(to);
        }
    }

    /// A value that came in parts, and was not looked at.
    pub(super) fn long_value(&mut self, at: u64, to: To<'_>) {
        self.settle_root(to);
        #[cfg(feature = "charset")]
        self.ca.note_unseen();
        self.node.property.values = self.node.property.values.saturating_add(1);
        self.node.last_end = at;
    }

    /// A property begins. A single move, which most are, is looked up only if it has to be.
    #[inline]
    fn enter(&mut self, ident: Ident<'_>, at: u64) {
        let (stone, color) = match ident.as_bytes() {
            b"B" => (Cell::Black, Bits::B),
            b"W" => (Cell::White, Bits::W),
            _ => return self.enter_any(ident, at),
        };
        let node = &mut self.node;
        if node.has != Bits::default() || self.game.is_root {
            return self.enter_any(ident, at);
        }
        node.has = color.and(Bits::MOVE).and(Bits::ANY);
        // The rest is as it was at the start: nodes that leave anything else there are closed by `close_node`.
        let behind = node.front();
        let property = &mut node.property;
        (property.row, property.is_open, property.values) = (None, true, 0);
        (property.at, property.ident_len, property.behind) = (at, 1, behind);
        (property.stone, property.point) = (Some(stone), None);
        (node.last_end, node.is_doubtful) = (at + 1, false);
    }

    fn enter_any(&mut self, ident: Ident<'_>, at: u64) {
        let Core { game, path, node, lists, report, .. } = self;
        property::enter(game, path, node, lists, report, ident, at);
    }

    /// A value of the open property.
    #[inline]
    fn take(&mut self, value: RawValue<'_>, at: u64) {
        let Core { game, path, node, lists, position, report, .. } = self;
        let property = &mut node.property;
        if let (&[x, y], Some(stone), 0, None) = (value.as_bytes(), property.stone, property.values, property.row)
            && let Some(point) = position.small_point([x, y])
        {
            (property.values, property.point) = (1, Some([x, y]));
            (node.last_end, node.is_doubtful) = (at + 4, false);
            return position.moved(path, node, report, (stone, Some(point)), at);
        }
        #[cfg(feature = "charset")]
        let ca = &mut self.ca;
        Values {
            game,
            path,
            node,
            lists,
            position,
            report,
            #[cfg(feature = "charset")]
            ca,
        }
        .check(value.as_bytes(), at);
    }

    /// Holds a part of the root back, unless the root is too long to be waited for.
    fn hold(&mut self, event: Event<'_>, at: u64, to: To<'_>) {
        if at.saturating_sub(self.node.offset) <= MAX_ROOT && self.root.weight() as u64 <= MAX_ROOT {
            return self.root.push(event, at);
        }
        self.settle_root(to);
        self.check_held(event, at);
        self.report.hand_on(to);
    }

    /// Checks a property or a value.
    fn check_held(&mut self, event: Event<'_>, at: u64) {
        match event {
            Event::Property(ident) => self.enter(ident, at),
            Event::Value(value) => self.take(value, at),
            _ => {}
        }
    }

    /// The root is known, as far as it is waited for: checks what was held back of it.
    fn settle_root(&mut self, to: To<'_>) {
        if !std::mem::take(&mut self.collecting) {
            return;
        }
        let root = std::mem::take(&mut self.root);
        let (mut ident, mut facts) = (Ident::new(b""), RootFacts::new());
        for (event, _) in root.iter() {
            match event {
                Event::Property(property) => ident = property,
                Event::Value(value) => facts.note(ident, value),
                _ => {}
            }
        }
        (self.game.context, self.game.ff) = (facts.root_context(), facts.version());
        let ca = facts.charset();
        #[cfg(feature = "charset")]
        if let Some(decoding) = self.report.decoding {
            let bom = self.game.has_bom.then_some(crate::charset::Charset::UTF_8);
            let values =
                root.iter().filter_map(|(event, _)| if let Event::Value(value) = event { Some(value) } else { None });
            self.report.texts.charset = decoding.decide(bom, ca, values).ok();
        }
        self.position.start(&self.game);
        let ca = ca.map(RawValue::as_bytes);
        self.structure.compare_with_first(&self.game, &self.node, &mut self.report, ca);
        for (event, at) in root.iter() {
            self.check_held(event, at);
            self.report.hand_on(to);
        }
        self.root = root;
    }

    /// The open node, if there is one, is over: at the end of a root node, the root facts are final.
    #[inline]
    fn end_node(&mut self, to: To<'_>) {
        if !self.collecting && self.node.is_quiet() && self.report.is_empty() {
            self.node.property.is_open = false;
            return;
        }
        self.end_node_slowly(to);
    }

    fn end_node_slowly(&mut self, to: To<'_>) {
        if self.node.offset == NOWHERE {
            return self.report.flush(to);
        }
        self.settle_root(to);
        self.close_node();
        if std::mem::take(&mut self.game.is_root) {
            self.game.context = self.game.context.after_root();
        }
        self.node.start(NOWHERE);
        self.report.flush(to);
    }

    fn close_node(&mut self) {
        property::end(&self.game, &mut self.node, &mut self.report);
        self.node.property = OpenProperty::default();
        places::close(&self.game, &self.node, &mut self.report);
        self.lists.clear();
    }

    /// Whether an edit of the root's CA may come when the game is over.
    pub(super) fn may_mend_charset(&self) -> bool {
        #[cfg(feature = "charset")]
        return self.ca.may_be_mended();
        #[cfg(not(feature = "charset"))]
        false
    }
}
