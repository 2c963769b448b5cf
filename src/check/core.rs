//! The checker's state: game, path and node, and how events move it.
//!
//! Values come one by one and are checked at once, so nothing of a node is kept but what stands in it.
//! The root is the exception: which game it is, in which version and on which board, may come last in
//! it, so it is held back, and goes through the same checks when it is over.
//!
//! What holds for a path, and not for a node alone, is a few words ([`Path`]) and the position of the
//! game ([`Board`]); both are saved where a variation begins, and taken back where it ends. That is
//! all that grows with the depth, and the position stops doing so at [`MAX_BOARDS`].

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use super::board::{Board, Cell};
use super::finding::{Edit, Finding, Summary, Texts};
use super::heard::Heard;
use super::node::{Current, Node};
use super::points::Points;
use super::window::Window;
use super::{Rule, Rules};
use crate::Game;
use crate::diagnostic::{Position, Repair};
use crate::event::Ident;
use crate::node::RootFacts;
use crate::property::Context;
use crate::value::RawValue;

/// Findings are handed on in the order of their places, node by node. Of a node that has more than this,
/// they go out in several batches.
const BATCH: usize = 1024;

/// So much of a root is looked at to learn which game it is: in bytes of the stream, and in bytes of its
/// identifiers and values and [`WEIGHT`] more for each of them, since two bytes can be a value.
const MAX_ROOT: u64 = 4 << 20;

/// What an identifier or a value weighs beside its bytes.
const WEIGHT: usize = 32;

/// Positions are followed in so many nested variations.
const MAX_BOARDS: usize = 1024;

/// Unknown identifiers that are told of once a game; of further ones every one is.
const MAX_TOLD: usize = 1024;

/// So much of the name of a property is given in a finding, in bytes.
const MAX_NAME: u64 = 32;

/// The place of nothing: no edit begins there.
pub(super) const NOWHERE: u64 = u64::MAX;

/// Whoever hears of findings.
pub(super) type To<'t> = &'t mut dyn FnMut(&Finding);

#[derive(Debug)]
pub(super) struct Core {
    pub(super) rules: Rules,
    #[cfg(feature = "charset")]
    pub(super) ca: super::charset::Declared,
    pub(super) texts: Texts,
    /// Of a stream that this checker reads itself: its bytes, …
    pub(super) window: Option<Window>,
    /// … and what the parser has to say of it.
    pub(super) heard: Option<std::sync::Arc<Heard>>,
    /// It starts with the byte-order mark of UTF-8.
    pub(super) has_bom: bool,
    /// What was found since the last batch, and whole batches, in order.
    pending: Vec<Finding>,
    ready: Vec<Finding>,
    pub(super) summary: Summary,
    /// The open game has a fault for which repairs leave it as it is.
    stays: bool,
    /// ... or has digits in an identifier.
    has_digits: bool,
    /// FF, GM and CA of the first game.
    pub(super) first: Option<(Option<i64>, Game, Vec<u8>)>,

    /// The root is being held back.
    collecting: bool,
    root: Root,
    pub(super) is_root: bool,
    pub(super) context: Context,
    /// What FF says, if it is a number.
    pub(super) ff: Option<i64>,
    /// What has been told of this game and need not be again.
    pub(super) told: HashSet<u64>,
    /// Sides of the board as far as they have lower-case letters, if this is Go.
    pub(super) small: (u8, u8),
    pub(super) board: Board,
    pub(super) follows_board: bool,
    pub(super) checks_turns: bool,
    checks_lone: bool,

    /// The next node is the first of a variation.
    tree_starts: bool,
    pub(super) path: Path,
    /// Child trees of the open tree.
    children: Children,
    levels: Vec<Level>,
    boards: Vec<Cell>,

    pub(super) node: Node,
    pub(super) current: Current,
    /// Where the last lexeme of the node ends.
    pub(super) last_end: u64,
    /// It is a value with a `[` in it: whether its `]` is the end, lenient reading judges by what follows.
    pub(super) is_doubtful: bool,
    pub(super) stones: Points,
    pub(super) markup: Points,
    pub(super) territory: Points,
    pub(super) labels: Points,
    /// Of the open property alone.
    pub(super) own: Points,
    pub(super) pairs: HashSet<[u32; 4]>,
}

/// What holds for the path from the root to a node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Path {
    /// The node with game-info.
    pub(super) info: Option<u64>,
    /// Who moved last.
    pub(super) last: Option<Cell>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Children {
    count: u32,
    first: u64,
    /// Of the first, if it is wanted.
    position: Option<Position>,
}

/// What holds again when a variation is over.
#[derive(Clone, Copy, Debug)]
struct Level {
    path: Path,
    children: Children,
    has_board: bool,
}

/// A root that is held back, flat.
#[derive(Debug, Default)]
struct Root {
    offset: u64,
    bytes: Vec<u8>,
    lexemes: Vec<Lexeme>,
}

#[derive(Clone, Copy, Debug)]
struct Lexeme {
    is_value: bool,
    at: u64,
    len: usize,
}

impl Root {
    fn start(&mut self, offset: u64) {
        self.offset = offset;
        self.bytes.clear();
        self.bytes.shrink_to(1 << 16);
        self.lexemes.clear();
        self.lexemes.shrink_to(1 << 12);
    }

    fn push(&mut self, is_value: bool, bytes: &[u8], at: u64) {
        self.bytes.extend_from_slice(bytes);
        self.lexemes.push(Lexeme { is_value, at, len: bytes.len() });
    }

    fn weight(&self) -> u64 {
        (self.bytes.len() + self.lexemes.len() * WEIGHT) as u64
    }

    fn lexemes(&self) -> impl Iterator<Item = (Lexeme, &[u8])> {
        let mut start = 0;
        self.lexemes.iter().map(move |&lexeme| {
            start += lexeme.len;
            (lexeme, &self.bytes[start - lexeme.len..start])
        })
    }
}

impl Core {
    pub(super) fn new(rules: Rules) -> Self {
        Core {
            checks_turns: rules.severity(Rule::OutOfTurn).is_some(),
            checks_lone: rules.severity(Rule::LoneVariation).is_some(),
            rules,
            #[cfg(feature = "charset")]
            ca: Default::default(),
            texts: Texts::default(),
            window: None,
            heard: None,
            has_bom: false,
            pending: Vec::new(),
            ready: Vec::new(),
            summary: Summary::default(),
            stays: false,
            has_digits: false,
            first: None,
            collecting: false,
            root: Root::default(),
            is_root: false,
            context: Context::new(Game::Go, 0),
            ff: None,
            told: HashSet::new(),
            small: (0, 0),
            board: Board::default(),
            follows_board: false,
            tree_starts: false,
            path: Path::default(),
            children: Children::default(),
            levels: Vec::new(),
            boards: Vec::new(),
            node: Node::default(),
            current: Current::default(),
            last_end: 0,
            is_doubtful: false,
            stones: Points::default(),
            markup: Points::default(),
            territory: Points::default(),
            labels: Points::default(),
            own: Points::default(),
            pairs: HashSet::new(),
        }
    }

    pub(super) fn begin_game(&mut self, to: To<'_>) {
        self.flush(to);
        self.summary = Summary { games: 1, ..Summary::default() };
        self.collecting = true;
        self.is_root = true;
        self.context = Context::new(Game::Go, 0);
        self.ff = None;
        self.told = HashSet::new();
        self.texts = Texts::default();
        self.follows_board = false;
        self.small = (0, 0);
        self.tree_starts = false;
        self.path = Path::default();
        self.children = Children::default();
        self.levels.clear();
        self.levels.shrink_to(MAX_BOARDS);
        self.boards.clear();
        self.node.start(u64::MAX);
        self.current = Current::default();
    }

    pub(super) fn start_tree(&mut self, at: u64, to: To<'_>) {
        self.end_node(to);
        self.children.count = self.children.count.saturating_add(1);
        if self.children.count == 1 && self.checks_lone {
            self.children.first = at;
            self.children.position = self.window.as_mut().and_then(|window| window.locate(at));
        }
        let has_board = self.follows_board && self.levels.len() < MAX_BOARDS;
        if has_board {
            self.board.save(&mut self.boards);
        }
        self.follows_board = has_board;
        self.tree_starts = true;
        self.levels.push(Level { path: self.path, children: self.children, has_board });
        self.children = Children::default();
    }

    pub(super) fn end_tree(&mut self, to: To<'_>) {
        self.end_node(to);
        self.end_children(to);
        if let Some(level) = self.levels.pop() {
            (self.path, self.children) = (level.path, level.children);
            self.follows_board = level.has_board;
            if level.has_board {
                self.board.restore(&mut self.boards);
            }
        }
    }

    pub(super) fn end_game(&mut self, to: To<'_>) -> Summary {
        self.end_node(to);
        self.end_children(to);
        #[cfg(feature = "charset")]
        self.check_declared(to);
        let has_digits = std::mem::take(&mut self.has_digits) && self.ff.is_some_and(|ff| ff >= 4);
        if std::mem::take(&mut self.stays) || has_digits {
            self.summary.fixable = 0;
        }
        self.summary
    }

    fn end_children(&mut self, to: To<'_>) {
        if self.children.count == 1 && self.checks_lone {
            let Children { first, position, .. } = self.children;
            self.find_at(Rule::LoneVariation, first..first + 1, position, "the only variation of its node", Vec::new());
            self.flush(to);
        }
    }

    #[inline]
    pub(super) fn node(&mut self, at: u64, to: To<'_>) {
        self.end_node(to);
        self.node.start(at);
        self.node.starts_tree = std::mem::take(&mut self.tree_starts);
        self.last_end = at + 1;
        self.is_doubtful = false;
        if let Some(window) = &mut self.window {
            window.forget_up_to(at);
        }
        if self.collecting {
            self.root.start(at);
        }
    }

    #[inline]
    pub(super) fn property(&mut self, ident: Ident<'_>, at: u64, to: To<'_>) {
        if self.collecting {
            return self.hold(false, ident.as_bytes(), at, to);
        }
        self.enter(ident, at);
    }

    #[inline]
    pub(super) fn value(&mut self, value: RawValue<'_>, at: u64, to: To<'_>) {
        if self.collecting {
            return self.hold(true, value.as_bytes(), at, to);
        }
        self.take(value, at);
        if !self.ready.is_empty() {
            self.hand_on(to);
        }
    }

    /// A value that came in parts, and was not looked at.
    pub(super) fn long_value(&mut self, at: u64, to: To<'_>) {
        self.settle_root(to);
        #[cfg(feature = "charset")]
        self.ca.note_unseen();
        self.current.values = self.current.values.saturating_add(1);
        self.last_end = at;
    }

    /// Holds a lexeme of the root back, unless it is so far from the root's start that nothing more is
    /// waited for.
    fn hold(&mut self, is_value: bool, bytes: &[u8], at: u64, to: To<'_>) {
        let is_far = at.saturating_sub(self.root.offset) > MAX_ROOT || self.root.weight() > MAX_ROOT;
        if !is_far {
            return self.root.push(is_value, bytes, at);
        }
        self.settle_root(to);
        match is_value {
            true => self.value(RawValue::new(bytes), at, to),
            false => self.property(Ident::new(bytes), at, to),
        }
    }

    /// The root is known, as far as it is waited for: checks what was held back of it.
    fn settle_root(&mut self, to: To<'_>) {
        if !std::mem::take(&mut self.collecting) {
            return;
        }
        let root = std::mem::take(&mut self.root);
        let (mut ident, mut facts) = (Ident::new(b""), RootFacts::new());
        for (lexeme, bytes) in root.lexemes() {
            if !lexeme.is_value {
                ident = Ident::new(bytes);
                continue;
            }
            facts.note(ident, RawValue::new(bytes));
        }
        (self.context, self.ff) = (facts.root_context(), facts.version());
        let ca = facts.charset();
        #[cfg(feature = "charset")]
        if let Some(decoding) = self.rules.decoding {
            let bom = self.has_bom.then_some(crate::charset::Charset::UTF_8);
            let values = root.lexemes().filter(|(lexeme, _)| lexeme.is_value).map(|(_, bytes)| RawValue::new(bytes));
            self.texts.charset = decoding.decide(bom, ca, values).ok();
        }
        self.know_game(ca.map(RawValue::as_bytes));
        for (lexeme, bytes) in root.lexemes() {
            match lexeme.is_value {
                true => self.take(RawValue::new(bytes), lexeme.at),
                false => self.enter(Ident::new(bytes), lexeme.at),
            }
            self.hand_on(to);
        }
        self.root = root;
    }

    /// Which game it is, is known.
    fn know_game(&mut self, ca: Option<&[u8]>) {
        let game = self.context.game();
        if game == Game::Go
            && let Some(size) = self.context.board().filter(|size| size.fits(Game::Go))
        {
            // At most 52 each.
            let (columns, rows) = (size.columns() as u8, size.rows() as u8);
            self.small = (columns.min(26), rows.min(26));
            self.board.start(columns.into(), rows.into());
            self.follows_board = true;
        }
        let at = self.node.offset;
        let label = ca.unwrap_or_default().to_ascii_uppercase();
        let Some((first_ff, first_game, first_ca)) = &self.first else {
            self.first = Some((self.ff, game, label));
            return;
        };
        let differs = [
            (Rule::VersionDiffers, *first_ff != self.ff, "FF"),
            (Rule::GameDiffers, *first_game != game, "GM"),
            (Rule::CharsetDiffers, *first_ca != label, "CA"),
        ];
        for (rule, differs, ident) in differs {
            if differs {
                self.find(rule, at..at + 1, format!("{ident} is another than in the first game"));
            }
        }
    }

    /// What a game in this root, or in these nodes, knows from its own root is known: the node is over.
    #[inline]
    fn end_node(&mut self, to: To<'_>) {
        if !self.collecting && self.node.is_quiet() && self.pending.is_empty() && self.ready.is_empty() {
            self.current.is_open = false;
            if self.heard.as_ref().is_some_and(|heard| heard.is_some()) {
                self.flush(to);
            }
            return;
        }
        self.end_node_slowly(to);
    }

    fn end_node_slowly(&mut self, to: To<'_>) {
        if self.node.offset == u64::MAX {
            return self.flush(to);
        }
        self.settle_root(to);
        self.close_node();
        if std::mem::take(&mut self.is_root) {
            self.context = self.context.after_root();
        }
        self.node.start(u64::MAX);
        self.flush(to);
    }

    /// Whether an edit of the root's CA may come when the game is over.
    pub(super) fn may_mend_charset(&self) -> bool {
        #[cfg(feature = "charset")]
        return self.ca.may_be_mended();
        #[cfg(not(feature = "charset"))]
        false
    }

    /// Whether a rule says anything.
    pub(super) fn is_on(&self, rule: Rule) -> bool {
        self.rules.severity(rule).is_some()
    }

    /// Something was found.
    pub(super) fn find(&mut self, rule: Rule, span: Range<u64>, message: impl Into<Cow<'static, str>>) {
        self.find_fixable(rule, span, message, Vec::new());
    }

    /// Something was found that these edits repair, if there are any.
    #[cold]
    pub(super) fn find_fixable(
        &mut self,
        rule: Rule,
        span: Range<u64>,
        message: impl Into<Cow<'static, str>>,
        edits: Vec<Edit>,
    ) {
        if self.is_on(rule) {
            let position = self.window.as_mut().and_then(|window| window.locate(span.start));
            self.find_at(rule, span, position, message, edits);
        }
    }

    /// The same where the position is known.
    pub(super) fn find_at(
        &mut self,
        rule: Rule,
        span: Range<u64>,
        position: Option<Position>,
        message: impl Into<Cow<'static, str>>,
        edits: Vec<Edit>,
    ) {
        let Some(severity) = self.rules.severity(rule) else { return };
        self.listen();
        let is_fixable = !edits.is_empty();
        // Of a tree or a game that is over the bytes may be forgotten, or not, as the pieces come.
        let property = match rule {
            Rule::LoneVariation => None, // it is about no property
            Rule::Syntax(crate::Code::CharsetMismatch) => Some(Cow::Borrowed("CA")),
            _ => self.property_at(span.start),
        };
        let (message, texts) = (message.into(), self.texts);
        self.keep(Finding { rule, severity, span, position, property, message, edits, is_fixable, texts });
    }

    /// The name of the property that an identifier or a value at this offset belongs to.
    fn property_at(&self, at: u64) -> Option<Cow<'static, str>> {
        let window = self.window.as_ref()?;
        let ident = match window.get(at, at + 1)? {
            [letter] if letter.is_ascii_alphabetic() => {
                let len = (1..MAX_NAME).find(|&len| {
                    !window.get(at + len, at + len + 1).is_some_and(|byte| byte[0].is_ascii_alphanumeric())
                });
                window.get(at, at + len.unwrap_or(MAX_NAME))?
            }
            b"[" if self.current.ident_len > 0 && at > self.current.at => match self.current.row {
                Some(row) => return Some(Cow::Borrowed(row.ident())),
                None => window.get(self.current.at, self.current.at + (self.current.ident_len as u64).min(MAX_NAME))?,
            },
            // A move of a node that is over: its letter stands before the bracket.
            b"[" => {
                let before = window.get(at.saturating_sub(MAX_NAME).max(self.node.offset), at)?.trim_ascii_end();
                let letter = before.iter().rposition(|byte| !byte.is_ascii_alphanumeric()).map_or(0, |other| other + 1);
                &before[letter..]
            }
            _ => return None,
        };
        let name = Ident::new(ident).name();
        match crate::property::find(&name).next() {
            _ if name.is_empty() => None,
            Some(row) => Some(Cow::Borrowed(row.ident())),
            None => Some(Cow::Owned(name.into_owned())),
        }
    }

    /// Takes up what the parser has said.
    pub(super) fn listen(&mut self) {
        let Some(heard) = &self.heard else { return };
        for found in heard.take() {
            let rule = Rule::Syntax(found.code);
            self.stays |= rule.repair() == Repair::Drops && found.code != crate::Code::JunkOutsideTree;
            self.has_digits |= found.code == crate::Code::DigitInIdent;
            if let Some(severity) = self.rules.severity(rule) {
                let at = found.position.offset;
                self.keep(Finding {
                    rule,
                    severity,
                    span: at..at + 1,
                    position: Some(found.position),
                    property: None, // what was skipped may be forgotten by now
                    message: Cow::Borrowed(found.message()),
                    edits: Vec::new(),
                    is_fixable: rule.is_fixable(),
                    texts: self.texts,
                });
            }
        }
    }

    fn keep(&mut self, finding: Finding) {
        self.summary.count(&finding);
        self.pending.push(finding);
        // When a batch is full, is a matter of what was found, and not of when it was asked for: so the order is
        // the same in any pieces.
        if self.pending.len() >= BATCH {
            self.pending.sort_by_key(|finding| finding.span.start);
            self.ready.append(&mut self.pending);
        }
    }

    /// Hands on whole batches.
    pub(super) fn hand_on(&mut self, to: To<'_>) {
        self.ready.drain(..).for_each(|finding| to(&finding));
        self.ready.shrink_to(BATCH);
    }

    /// Hands on what was found, in the order of the file.
    pub(super) fn flush(&mut self, to: To<'_>) {
        self.listen();
        self.hand_on(to);
        self.pending.sort_by_key(|finding| finding.span.start);
        self.pending.drain(..).for_each(|finding| to(&finding));
        self.pending.shrink_to(BATCH);
    }

    /// How many errors there are among what the parser says when it has no data at all.
    pub(super) fn no_data(&mut self, to: To<'_>) {
        let rule = Rule::Syntax(crate::Code::NoSgfData);
        if let Some(severity) = self.rules.severity(rule) {
            self.listen();
            let (span, message) = (0..0, Cow::Borrowed(crate::Code::NoSgfData.message()));
            let position = Some(crate::Position::START);
            self.keep(Finding {
                rule,
                severity,
                span,
                position,
                property: None,
                message,
                edits: Vec::new(),
                is_fixable: false,
                texts: self.texts,
            });
        }
        self.flush(to);
    }

    /// Where what comes next may be taken out from.
    #[inline]
    pub(super) fn front(&self) -> u64 {
        if self.is_doubtful { NOWHERE } else { self.last_end }
    }

    /// Whether something with this name is to be told of: once a game.
    pub(super) fn tells_once(&mut self, rule: Rule, name: &[u8]) -> bool {
        if !self.is_on(rule) {
            return false;
        }
        let key = super::node::key(name) ^ (rule.index() as u64).rotate_right(16);
        self.told.len() >= MAX_TOLD || self.told.insert(key)
    }

    /// The version that the file says it is in, if it is one of those before FF\[4\].
    pub(super) fn old_version(&self) -> Option<i64> {
        self.ff.filter(|ff| (1..4).contains(ff))
    }
}
