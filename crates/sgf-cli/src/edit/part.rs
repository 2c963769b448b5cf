//! Edits the games of a part of a file.

use std::collections::VecDeque;
use std::mem;
use std::ops::Range;
use std::rc::Rc;

use sgf_check::{Note, Rewritten};
use sgf_stream::charset::Decoding;
use sgf_stream::parts::Part;
use sgf_stream::tree::{GameTree, Node, NodeId, TreeBuilder};
use sgf_stream::{Code, Event, NodeRecord, Parser, Position, PushParser, Reader, SyntaxError, work};

use super::edits::Edits;
use super::layout::{self, Game};
use crate::jobs::Input;
use crate::{input, trees};

/// Edits games, and keeps all bytes that do not change.
pub(crate) struct Editor {
    edits: Edits,
    parser: Parser,
}

/// Codes of the notes about a game.
const EDIT: &str = "edit";
const SYNTAX: &str = "syntax";
const UNREAD: &str = "unreadable";

impl Editor {
    pub(super) fn new(edits: Edits, decoding: Decoding) -> Self {
        Editor { edits, parser: input::limited(Parser::new()).charset(decoding).count_lines(true) }
    }

    pub(crate) fn parser(&self) -> &Parser {
        &self.parser
    }

    /// Edits the games of a part.
    ///
    /// If all changes together are much longer than the part, they go to `pass_on` in pieces, each with the range of the stream
    /// that it replaces. `pass_on` returns whether more are wanted. The rest of the part is in the result.
    pub(crate) fn edit_part(
        &self,
        input: &Input,
        part: &Part<'_>,
        pass_on: impl FnMut(Rewritten, Range<u64>) -> bool,
    ) -> Rewritten {
        let all_left = |code, position, message| Rewritten::made_of([], [Note::left(code, position, message, true)]);
        for trust in [Trust::All, Trust::Readable] {
            let mut held = Held { part, changes: Vec::new(), len: 0, most: part.bytes().len() + HELD };
            match self.pass(input, part, trust, true, &mut |range, with| held.add(range, with)) {
                Err(error) => return all_left(error.code().as_str(), error.position(), None),
                Ok(Passed::Misread) => {}
                Ok(Passed::Left(notes)) => return Rewritten::made_of([], notes),
                Ok(Passed::Edited(notes)) if held.is_full() => {
                    return self.in_pieces(input, part, trust, notes, pass_on);
                }
                Ok(Passed::Edited(notes)) => return Rewritten::made_of(held.changes, notes),
            }
        }
        let message = "after the edit, the games here would be read as other games".to_owned();
        all_left(EDIT, part.position(), Some(message))
    }

    /// Passes on the changes of a part, which are known to be right, in pieces. Returns the last one.
    fn in_pieces(
        &self,
        input: &Input,
        part: &Part<'_>,
        trust: Trust,
        notes: Vec<Note>,
        mut pass_on: impl FnMut(Rewritten, Range<u64>) -> bool,
    ) -> Rewritten {
        let (mut changes, mut len, mut at) = (Vec::new(), 0, part.span().start);
        let passed = self.pass(input, part, trust, false, &mut |range, with| {
            let end = range.end;
            len += with.len();
            changes.push((range, with));
            if len < HELD {
                return true;
            }
            let start = mem::replace(&mut at, end);
            len = 0;
            pass_on(Rewritten::made_of(mem::take(&mut changes), []), start..end)
        });
        debug_assert!(passed.is_ok(), "the part was read before");
        Rewritten::made_of(changes, notes)
    }

    /// Edits the games of a part, one in memory at a time, and gives the changes to `on_change`, which returns whether more are
    /// wanted. `checks`: whether the new bytes are read again.
    fn pass(
        &self,
        input: &Input,
        part: &Part<'_>,
        trust: Trust,
        checks: bool,
        on_change: &mut dyn FnMut(Range<u64>, Vec<u8>) -> bool,
    ) -> Result<Passed, SyntaxError> {
        let (source, offset) = (part.bytes(), part.span().start);
        let (mut reader, mut builder) = (part.reader(&input.parser), trees::builder(input));
        let mut layouts = layout::games(part, &input.parser);
        let mut notes = Vec::new();
        // Where nothing has changed so far, nothing is read again.
        let mut again: Option<Readback> = None;
        let mut originals = Originals::of(part, input);
        let (mut at, mut has_layouts) = (0, true);
        for number in 0.. {
            let Ok(Some(tree)) = reader.read_game(&mut builder) else {
                while layouts.next(None)?.is_some() {}
                break;
            };
            let position = reader.game_position().unwrap_or(part.position());
            let mut tree = tree.ok();
            // The tree of a game takes most of the memory, so there is no copy of it.
            let applied = tree
                .as_mut()
                .filter(|tree| self.edits.are_for(input.games_before(offset) + number, tree, &input.parser))
                .map(|tree| self.edits.apply(tree));
            let Some(game) = layouts.next(tree.as_ref().filter(|_| matches!(applied, Some(Ok(_)))))? else {
                // The games that were found may not be those that were read.
                has_layouts = false;
                notes.push(Note::left(SYNTAX, position, Some(SEE_CHECK.to_owned()), true));
                continue;
            };
            let tree = tree.map(Rc::new);
            let start = (position.offset.saturating_sub(offset)) as usize;
            let edited = match (&tree, applied) {
                (None, _) => Err((EDIT, trees::TOO_LARGE.to_owned())),
                (Some(_), None) => Ok(None),
                (Some(_), Some(_)) if start != game.range.start => Err((SYNTAX, SEE_CHECK.to_owned())),
                (Some(_), Some(Err(message))) => Err((EDIT, message)),
                (Some(tree), Some(Ok(left))) => self.edited(tree, &game, left),
            };
            let edited = edited.and_then(|edited| match (trust, &edited, &tree) {
                // It tells its reader something else after the edit. It is left unchanged.
                (Trust::Readable, Some(wanted), Some(tree)) if !wanted.is_read_again(tree, &game, source, input) => {
                    Err((EDIT, "after the edit, it would be read as another game".to_owned()))
                }
                _ => Ok(edited),
            });
            let is_original = edited.as_ref().is_ok_and(|edited| edited.as_ref().is_none_or(|it| !it.has_changed));
            let edited = edited.unwrap_or_else(|(code, message)| {
                notes.push(Note::left(code, position, Some(message), true));
                None
            });
            let left = edited.as_ref().map_or(0, |edited| edited.left);
            notes.extend((left > 0).then(|| unread(left, position)));
            let (range, end) = (game.range.clone(), game.range.end);
            match (edited.filter(|edited| edited.has_changed), tree) {
                (Some(edited), Some(tree)) => {
                    if checks && again.is_none() {
                        again = Some(Readback::of_unchanged(number, at, input, part));
                    }
                    if let Some(again) = &mut again {
                        again.feed(&source[at..range.start]);
                    }
                    let mut range = range.start as u64 + offset..range.end as u64 + offset;
                    let goes_on = edited.each_game(&tree, &game, source, |tree, bytes| {
                        if let Some(again) = &mut again {
                            again.expect(Some(tree));
                            again.feed(&bytes);
                        }
                        let goes_on = on_change(range.clone(), bytes);
                        range.start = range.end;
                        goes_on && again.as_ref().is_none_or(Readback::is_same)
                    });
                    if !goes_on {
                        break;
                    }
                }
                (_, tree) => {
                    if let Some(again) = &mut again {
                        again.expect(if is_original { tree } else { originals.read(number).map(Rc::new) });
                        again.feed(&source[at..end]);
                    }
                }
            }
            at = end;
        }
        Ok(match again.is_none_or(|again| again.ends_with(&source[at..])) {
            _ if !has_layouts => Passed::Left(notes),
            true => Passed::Edited(notes),
            false => Passed::Misread,
        })
    }

    /// Compares an edited game with its source. Returns `None` if there is nothing to say about it.
    fn edited(&self, tree: &GameTree, game: &Game, left: usize) -> Result<Option<Edited>, (&'static str, String)> {
        let splits = self.edits.splits() && tree.leaves().nth(1).is_some();
        let has_changed = splits || game.differs(tree);
        if has_changed && game.is_faulty {
            return Err((SYNTAX, SEE_CHECK.to_owned()));
        }
        Ok((has_changed || left > 0).then_some(Edited { splits, has_changed, left }))
    }
}

const SEE_CHECK: &str = "syntax errors; repair them first, with `sgf check --fix`";

/// Bytes of changes that are held beyond the length of their part.
const HELD: usize = 1 << 20;

/// Unchanged bytes between two changes that are shorter than what a change of its own takes.
const GAP: u64 = 64;

/// Which edits are made.
#[derive(Clone, Copy)]
enum Trust {
    /// All of them.
    All,
    /// Those whose games, read by themselves, are what they should be.
    Readable,
}

/// The outcome of a pass over a part, with notes about its games.
enum Passed {
    Edited(Vec<Note>),
    /// Nothing may be changed.
    Left(Vec<Note>),
    /// The new form would not be read as the edited games.
    Misread,
}

/// The changes of a part, as long as they are not too long.
struct Held<'p, 'b> {
    part: &'p Part<'b>,
    changes: Vec<(Range<u64>, Vec<u8>)>,
    /// The bytes of all changes, including those that are not held.
    len: usize,
    most: usize,
}

impl Held<'_, '_> {
    /// Adds a change. One that follows closely becomes a part of the change before it.
    fn add(&mut self, range: Range<u64>, with: Vec<u8>) -> bool {
        self.len += with.len();
        if self.is_full() {
            self.changes = Vec::new();
            return true;
        }
        match self.changes.last_mut() {
            Some((last, bytes)) if range.start - last.end <= GAP => {
                let [start, end] = [last.end, range.start].map(|at| (at - self.part.span().start) as usize);
                bytes.extend_from_slice(&self.part.bytes()[start..end]);
                bytes.extend_from_slice(&with);
                last.end = range.end;
            }
            _ => self.changes.push((range, with)),
        }
        true
    }

    /// Returns whether the changes are too long to be held.
    fn is_full(&self) -> bool {
        self.len > self.most
    }
}

/// Reads the games of a part once more, where an edit has changed a tree for nothing.
struct Originals<'p> {
    reader: Reader<&'p [u8]>,
    builder: TreeBuilder,
    /// The number of the next game.
    next: u64,
}

impl<'p> Originals<'p> {
    fn of(part: &'p Part<'_>, input: &Input) -> Self {
        Originals { reader: part.reader(&input.parser), builder: trees::builder(input), next: 0 }
    }

    /// Reads a game after those that were read; `None` if it is too large.
    fn read(&mut self, number: u64) -> Option<GameTree> {
        while self.next < number && self.reader.skip_game().is_ok_and(|is_there| is_there) {
            self.next += 1;
        }
        self.next += 1;
        self.reader.read_game(&mut self.builder).ok()??.ok()
    }
}

/// Reads a new form of games, and compares it with those that are expected, node by node.
struct Readback {
    parser: PushParser,
    compared: Compared,
}

impl Readback {
    fn new(input: &Input) -> Self {
        let compared = Compared { is_same: true, ..Compared::default() };
        Readback { parser: input.parser.push(), compared }
    }

    /// Reads the first games of a part, which have not changed and end at an offset.
    fn of_unchanged(games: u64, end: usize, input: &Input, part: &Part<'_>) -> Self {
        let (mut again, mut at, mut originals) = (Readback::new(input), 0, Originals::of(part, input));
        for number in 0..games {
            let game = originals.read(number);
            let start = originals.reader.game_position().unwrap_or(part.position()).offset - part.span().start;
            again.expect(game.map(Rc::new));
            again.feed(&part.bytes()[at..start as usize]);
            at = start as usize;
        }
        again.feed(&part.bytes()[at..end]);
        again
    }

    /// Expects a game; `None`: one that is too large. Its bytes are fed next, so that only few games are waited for.
    fn expect(&mut self, game: Option<Rc<GameTree>>) {
        self.compared.expected.push_back(game);
    }

    fn feed(&mut self, bytes: &[u8]) {
        let read = self.parser.feed(bytes, |event: Event<'_>, _| self.compared.event(event));
        self.compared.is_same &= read.is_ok();
    }

    /// Returns whether all games were as expected so far.
    fn is_same(&self) -> bool {
        self.compared.is_same
    }

    /// Returns whether the games end with some bytes, and all were as expected.
    fn ends_with(mut self, bytes: &[u8]) -> bool {
        self.feed(bytes);
        let Readback { mut parser, mut compared } = self;
        let has_ended = match parser.finish(|event: Event<'_>, _| compared.event(event)) {
            Ok(_) => true,
            Err(error) => error.code() == Code::NoSgfData,
        };
        has_ended && compared.is_same && compared.expected.is_empty()
    }
}

/// Compares games that come as events with trees.
#[derive(Default)]
struct Compared {
    /// The games that have not been read yet; `None` for one that is too large, of which nothing is compared.
    expected: VecDeque<Option<Rc<GameTree>>>,
    is_same: bool,
    /// The last node of the game that is read, and its properties.
    last: Option<NodeId>,
    properties: NodeRecord<'static>,
    /// The node that the next one follows; for each open tree, the node that the tree follows.
    parent: Option<NodeId>,
    open: Vec<Option<NodeId>>,
}

impl Compared {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::StartTree => self.open.push(self.parent),
            Event::Node => {
                let next = self.end_node();
                self.is_same &= !self.has_tree() || next.is_some_and(|(_, parent)| parent == self.parent);
                self.last = next.map(|(node, _)| node);
                self.parent = self.last;
                self.properties.start(0);
            }
            Event::EndTree => {
                self.parent = self.open.pop().flatten();
                if self.open.is_empty() {
                    self.is_same &= self.end_node().is_none() && self.expected.pop_front().is_some();
                    self.last = None;
                }
            }
            event => self.properties.push(event, 0),
        }
    }

    fn has_tree(&self) -> bool {
        self.expected.front().is_none_or(Option::is_some)
    }

    /// Compares the last node. Returns the next one of the tree, and its parent.
    fn end_node(&mut self) -> Option<(NodeId, Option<NodeId>)> {
        let tree = self.expected.front()?.as_ref()?;
        let next = match self.last.and_then(|last| tree.node(last)) {
            None => Some(tree.root()),
            Some(last) => {
                self.is_same &= layout::is_same(&self.properties, last);
                let mut above = std::iter::successors(Some(last), |node| node.parent()).inspect(|_| work::note(1));
                last.first_child().or_else(|| above.find_map(Node::next_sibling))
            }
        };
        next.map(|node| (node.id(), node.parent().map(Node::id)))
    }
}

/// The outcome of an edit of a game.
struct Edited {
    /// Each line becomes a game. All together may be much longer than the tree, so there is one at a time.
    splits: bool,
    has_changed: bool,
    /// Number of values that could not be read.
    left: usize,
}

impl Edited {
    /// Gives the games that it becomes and their bytes to `take`, which returns whether more are wanted. Returns that.
    fn each_game(
        &self,
        tree: &Rc<GameTree>,
        layout: &Game,
        source: &[u8],
        mut take: impl FnMut(Rc<GameTree>, Vec<u8>) -> bool,
    ) -> bool {
        if !self.splits {
            let mut bytes = Vec::with_capacity(layout.range.len());
            layout.write(source, tree, tree, |node| node.id().index(), &mut bytes);
            return take(Rc::clone(tree), bytes);
        }
        tree.leaves().zip(tree.split()).enumerate().all(|(number, (leaf, line))| {
            let path: Vec<usize> = leaf.path().map(|node| node.id().index()).collect();
            let origin = |node: Node<'_>| path.get(node.id().index()).copied().unwrap_or(usize::MAX);
            let mut bytes = Vec::new();
            layout.write(source, tree, &line, origin, &mut bytes);
            if number > 0 {
                bytes.insert(0, b'\n');
            }
            take(Rc::new(line), bytes)
        })
    }

    /// Returns whether its new bytes, by themselves, are read as the games that it becomes.
    fn is_read_again(&self, tree: &Rc<GameTree>, layout: &Game, source: &[u8], input: &Input) -> bool {
        let mut again = Readback::new(input);
        !self.has_changed
            || self.each_game(tree, layout, source, |game, bytes| {
                again.expect(Some(game));
                again.feed(&bytes);
                again.is_same()
            }) && again.ends_with(b"")
    }
}

fn unread(left: usize, position: Position) -> Note {
    let values = crate::tables::counted(left as u64, "value");
    Note::left(
        UNREAD,
        position,
        Some(format!("left {values} unchanged that cannot be read or are off the board")),
        false,
    )
}
