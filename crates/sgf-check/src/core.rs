//! The core of the checker: passes each event to the rules that it concerns.
//!
//! [`state`](super::state) holds the state of the open game, path and node, and [`report`](super::report) the
//! diagnostics. Each group of rules is a file, and gets both as arguments:
//!
//! | file | rules about |
//! |---|---|
//! | `identity` | which properties exist |
//! | `places` | which properties a node may have |
//! | `property` | duplicate and empty properties |
//! | `value` | values |
//! | `lists` | points in lists |
//! | `go` | Go positions |
//! | `charset` | whether `CA` is correct |
//! | `structure` | variations, and games that differ from the first |
//!
//! Values are checked one by one as they arrive, so only a summary of a node is kept. The root is the exception:
//! its game, version and board size may come last, so its events are held back and checked when it ends.
//!
//! The state of a path is a few words ([`Path`]) and the position of the game ([`GoPosition`]). Both are saved
//! where a variation begins and restored where it ends. Nothing else grows with the depth, and positions are saved
//! only for the first 1,024 nested variations.

use sgf_stream::charset::{Charset, CharsetSource, GameCharset, GameTexts};
use sgf_stream::internal::{BOM, HeldRoot, MoveNode, Moves};
use sgf_stream::value::Color;
use sgf_stream::{Event, Ident, Parser, Position, RawValue};

use super::diagnostic::Summary;
use super::go::GoPosition;
use super::lists::Lists;
use super::part::{FirstGame, StreamStart};
use super::report::{Report, To};
use super::state::{Bits, GameState, NOWHERE, Node, OpenProperty, Path};
use super::structure::Structure;
use super::value::Values;
use super::window::Window;
use super::{Rules, places, property, value};

#[derive(Debug)]
pub(super) struct Core {
    pub(super) report: Report,
    game: GameState,
    path: Path,
    node: Node,
    lists: Lists,
    position: GoPosition,
    structure: Structure,
    ca: super::charset::Declared,
    /// The texts of a game without `CA` that its charset is detected from.
    texts: GameTexts,
    /// Whether more of them are needed.
    detects: bool,
    root: HeldRoot,
    /// Number of open trees.
    depth: usize,
}

impl Core {
    /// Creates a core with these rules and the charsets of a parser.
    pub(super) fn new(rules: Rules, parser: &Parser) -> Self {
        Core {
            position: GoPosition::new(&rules),
            structure: Structure::new(&rules),
            report: Report::new(rules, parser),
            game: GameState::default(),
            path: Path::default(),
            node: Node::default(),
            lists: Lists::default(),
            ca: super::charset::Declared::default(),
            texts: GameTexts::new(),
            detects: false,
            root: HeldRoot::default(),
            depth: 0,
        }
    }

    /// Begins a stream that the checker reads itself, or a part of it.
    pub(super) fn begin_part(&mut self, position: Position, start: &StreamStart) {
        self.report.summary = Summary::default();
        self.report.window = Some(Window::new(position));
        self.structure.first.clone_from(&start.first);
        self.game.has_bom = start.has_bom;
    }

    /// Returns whether the stream starts with a UTF-8 byte-order mark.
    pub(super) fn has_bom(&self) -> bool {
        self.game.has_bom
    }

    pub(super) fn first_game(&self) -> Option<&FirstGame> {
        self.structure.first.as_ref()
    }

    /// Sets whether the stream starts with a UTF-8 byte-order mark.
    pub(super) fn set_bom(&mut self, has_bom: bool) {
        self.game.has_bom = has_bom;
    }

    /// Takes the next bytes of a stream that the checker reads itself.
    pub(super) fn read(&mut self, chunk: &[u8]) {
        let Some(window) = &mut self.report.window else { return };
        window.push(chunk);
        self.game.has_bom = self.game.has_bom || window.get(0, 3) == Some(BOM);
    }

    /// Ends a stream that the checker reads itself, or a part of it. Returns its summary.
    pub(super) fn end_stream(&mut self, to: To<'_>) -> Summary {
        (self.structure.first, self.game.has_bom, self.depth) = (None, false, 0);
        self.report.end_stream(to)
    }

    /// Handles an event of a stream.
    #[inline]
    pub(super) fn event(&mut self, event: Event<'_>, at: u64, to: To<'_>) {
        match event {
            Event::Property(ident) => self.property(ident, at, to),
            Event::Value(value) => self.value(value, at, to),
            Event::Node => self.node(at, to),
            Event::StartTree => {
                match self.depth {
                    0 => self.begin_game(to),
                    _ => self.start_tree(at, to),
                }
                self.depth += 1;
            }
            Event::EndTree => {
                self.depth = self.depth.saturating_sub(1);
                match self.depth {
                    0 => self.end_game(to),
                    _ => self.end_tree(to),
                }
            }
            _ => {} // parts are not enabled
        }
    }

    pub(super) fn begin_game(&mut self, to: To<'_>) {
        self.report.begin_game(to);
        self.root.start(NOWHERE);
        self.detects = false;
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

    pub(super) fn end_game(&mut self, to: To<'_>) {
        self.end_node(to);
        self.structure.end_children(&mut self.report, to);
        self.ca.end_game(&mut self.report, to);
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
        if self.root.is_held() {
            self.root.start(at);
            self.root.facts.observe(Event::StartTree);
            self.root.facts.observe(Event::Node);
        }
    }

    #[inline]
    pub(super) fn property(&mut self, ident: Ident<'_>, at: u64, to: To<'_>) {
        if self.root.is_held() {
            return self.hold(Event::Property(ident), at, to);
        }
        self.enter(ident, at);
    }

    #[inline]
    pub(super) fn value(&mut self, value: RawValue<'_>, at: u64, to: To<'_>) {
        if self.root.is_held() {
            return self.hold(Event::Value(value), at, to);
        }
        self.take(value, at);
        self.report.hand_on(to);
    }

    /// Takes a run of moves. Plain moves are only played, not checked.
    pub(super) fn moves(&mut self, moves: Moves<'_>, to: To<'_>) {
        let mut copy = None;
        let (mut rest, mut nodes) = (moves.joined(&mut copy), moves.nodes());
        loop {
            let played = if self.is_in_line() { self.position.play_plain(&mut self.path, rest) } else { 0 };
            let Some(node) = nodes.nth(played) else { break };
            self.take_move(node, to);
            rest = &rest[played + 1..];
        }
    }

    /// Returns whether a run of moves may follow the open node without checks.
    fn is_in_line(&self) -> bool {
        let is_plain = !self.root.is_held() && !self.game.is_root && !self.structure.tree_starts;
        is_plain && self.node.offset != NOWHERE && self.node.is_quiet() && self.report.is_empty()
    }

    fn take_move(&mut self, node: MoveNode<'_>, to: To<'_>) {
        self.node(node.offset(), to);
        self.property(node.ident(), node.ident_at(), to);
        self.value(node.value(), node.value_at(), to);
    }

    /// Notes a value that came in parts and is not checked.
    pub(super) fn long_value(&mut self, at: u64, to: To<'_>) {
        self.settle_root(to);
        self.ca.note_unseen();
        self.node.property.values = self.node.property.values.saturating_add(1);
        self.node.last_end = at;
    }

    /// Begins a property. A single move, the common case, is looked up only if necessary.
    #[inline]
    fn enter(&mut self, ident: Ident<'_>, at: u64) {
        let (stone, color) = match ident.as_bytes() {
            b"B" => (Color::Black, Bits::B),
            b"W" => (Color::White, Bits::W),
            _ => return self.enter_any(ident, at),
        };
        let node = &mut self.node;
        if node.has != Bits::default() || self.game.is_root {
            return self.enter_any(ident, at);
        }
        node.has = color.and(Bits::MOVE).and(Bits::ANY);
        // The other fields still have their initial values: `close_node` resets them where a node has changed them.
        let previous_end = node.front();
        let property = &mut node.property;
        (property.row, property.is_open, property.values) = (None, true, 0);
        (property.at, property.ident_len, property.previous_end) = (at, 1, previous_end);
        (property.stone, property.point) = (Some(stone), None);
        (node.last_end, node.is_doubtful) = (at + 1, false);
    }

    fn enter_any(&mut self, ident: Ident<'_>, at: u64) {
        let Core { game, path, node, lists, report, .. } = self;
        property::enter(game, path, node, lists, report, ident, at);
    }

    /// Checks a value of the open property.
    #[inline]
    fn take(&mut self, value: RawValue<'_>, at: u64) {
        let Core { path, node, position, report, .. } = self;
        let property = &mut node.property;
        if let (&[x, y], Some(stone), 0, None) = (value.as_bytes(), property.stone, property.values, property.row)
            && let Some(point) = position.small_point([x, y])
        {
            (property.values, property.point) = (1, Some([x, y]));
            (node.last_end, node.is_doubtful) = (at + 4, false);
            return position.moved(path, node, report, (stone, Some(point)), at);
        }
        if self.detects && !value.as_bytes().is_ascii() {
            self.texts.add(value);
            self.detect();
        }
        let Core { game, path, node, lists, position, report, ca, .. } = self;
        Values { game, path, node, lists, position, report, ca }.check(value.as_bytes(), at);
    }

    /// Holds back an event of the root, or settles the root if it is too long.
    fn hold(&mut self, event: Event<'_>, at: u64, to: To<'_>) {
        if self.root.hold(event, at) {
            return self.root.facts.observe(event);
        }
        self.settle_root(to);
        self.check_held(event, at);
        self.report.hand_on(to);
    }

    /// Checks a property or a value that was held back.
    fn check_held(&mut self, event: Event<'_>, at: u64) {
        match event {
            Event::Property(ident) => self.enter(ident, at),
            Event::Value(value) => self.take(value, at),
            _ => {}
        }
    }

    /// Checks the held-back events of the root, at its end or when it is too long.
    fn settle_root(&mut self, to: To<'_>) {
        let Some(root) = self.root.end() else { return };
        let facts = std::mem::take(&mut self.root.facts);
        (self.game.context, self.game.ff) = (facts.root_context(), facts.version());
        let ca = facts.charset();
        if let Some(decoding) = self.report.decoding {
            let charset = decoding.decide(self.bom(), ca, []).ok();
            self.report.texts.charset = charset;
            if charset.is_some_and(|charset| charset.source() == CharsetSource::Detected) {
                self.texts.clear();
                let values = root.iter();
                let values =
                    values.filter_map(|(event, _)| if let Event::Value(value) = event { Some(value) } else { None });
                values.for_each(|value| self.texts.add(value));
                self.texts.end_root(ca);
                self.detect();
            }
        }
        // The values of the root have been added.
        let detects = std::mem::take(&mut self.detects);
        self.position.start(&self.game);
        let ca = ca.map(RawValue::as_bytes);
        self.structure.compare_with_first(&self.game, &self.node, &mut self.report, ca);
        for (event, at) in root.iter() {
            self.check_held(event, at);
            self.report.hand_on(to);
        }
        self.detects = detects;
        self.root.reuse(root);
    }

    fn bom(&self) -> Option<Charset> {
        self.game.has_bom.then_some(Charset::UTF_8)
    }

    /// Detects the charset of the game from its texts so far.
    #[cold]
    fn detect(&mut self) {
        let found = self.report.decoding.map(|decoding| decoding.game_charset(self.bom(), &self.texts));
        self.report.texts.charset = found.and_then(Result::ok).map(GameCharset::tree);
        self.detects = !self.texts.is_decided();
    }

    /// Ends the open node, if there is one. At the end of a root node, the root facts are final.
    #[inline]
    fn end_node(&mut self, to: To<'_>) {
        if !self.root.is_held() && self.node.is_quiet() && self.report.is_empty() {
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
        value::close(&self.game, &mut self.node, &mut self.report);
        self.lists.clear();
    }
}
