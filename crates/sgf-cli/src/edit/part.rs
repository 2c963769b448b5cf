//! Edits the games of a part of a file.

use std::ops::Range;

use sgf_check::{Note, Rewritten};
use sgf_stream::charset::Decoding;
use sgf_stream::parts::Part;
use sgf_stream::tree::{GameTree, TooLong, TreeBuilder};
use sgf_stream::{Code, Parser, Position};

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
    pub(crate) fn edit_part(&self, input: &Input, part: &Part<'_>) -> Rewritten {
        let offset = part.span().start;
        let games = match layout::games(part, &input.parser) {
            Ok(games) => games,
            Err(error) => {
                return Rewritten::made_of([], [Note::left(error.code().as_str(), error.position(), None, true)]);
            }
        };
        let (mut done, mut notes) = (Vec::new(), Vec::new());
        let (mut reader, mut builder) = (part.reader(&input.parser), trees::builder(input));
        let first = input.games_before(offset);
        for (game, number) in games.iter().zip(first..) {
            let Ok(Some(tree)) = reader.read_game(&mut builder) else { break };
            let position = reader.game_position().unwrap_or(part.position());
            let start = (position.offset.saturating_sub(offset)) as usize;
            let (before, edited) = match tree {
                Ok(tree) if !self.edits.are_for(number, &tree, &input.parser) => (Some(tree), Ok(None)),
                Ok(tree) if start == game.range.start => {
                    let edited = self.edited(&tree, game, part.bytes());
                    (Some(tree), edited)
                }
                Ok(tree) => (Some(tree), Err((SYNTAX, SEE_CHECK.to_owned()))),
                Err(TooLong { .. }) => (None, Err((EDIT, trees::TOO_LARGE.to_owned()))),
            };
            let edited = edited.unwrap_or_else(|(code, message)| {
                notes.push(Note::left(code, position, Some(message), true));
                None
            });
            let left = edited.as_ref().map_or(0, |edited| edited.left);
            notes.extend((left > 0).then(|| unread(left, position)));
            let range = game.range.start as u64 + offset..game.range.end as u64 + offset;
            done.push(Done { position, range, before, edited });
        }
        while let Ok(Some(_)) = reader.read_game(&mut builder) {
            let position = reader.game_position().unwrap_or(part.position());
            notes.push(Note::left(SYNTAX, position, Some(SEE_CHECK.to_owned()), true));
            done.clear(); // the games that were found may not be those that were read
        }
        if let Some(rewritten) = rewritten(&done, &notes, input, part) {
            return rewritten;
        }
        // Some game tells its reader something else after the edit. It is left unchanged.
        for game in done.iter_mut().filter(|game| !game.is_read_again(input)) {
            game.edited = None;
            notes.retain(|note| note.position != game.position);
            let message = "after the edit, it would be read as another game".to_owned();
            notes.push(Note::left(EDIT, game.position, Some(message), true));
        }
        notes.sort_by_key(|note| note.position.offset);
        rewritten(&done, &notes, input, part).unwrap_or_else(|| {
            let message = "after the edit, the games here would be read as other games".to_owned();
            Rewritten::made_of([], [Note::left(EDIT, part.position(), Some(message), true)])
        })
    }

    /// Edits a game. Returns `None` if nothing changes.
    fn edited(&self, tree: &GameTree, game: &Game, source: &[u8]) -> Result<Option<Edited>, (&'static str, String)> {
        let mut after = tree.clone();
        let left = self.edits.apply(&mut after).map_err(|message| (EDIT, message))?;
        let splits = self.edits.splits() && after.leaves().nth(1).is_some();
        if !splits && after == *tree {
            return Ok((left > 0).then(|| Edited { trees: vec![after], bytes: None, left }));
        }
        if game.is_faulty {
            return Err((SYNTAX, SEE_CHECK.to_owned()));
        }
        let mut bytes = Vec::new();
        if !splits {
            game.write(source, tree, &after, |node| node.id().index(), &mut bytes);
            return Ok(Some(Edited { trees: vec![after], bytes: Some(bytes), left }));
        }
        let mut trees = Vec::new();
        for (leaf, line) in after.leaves().zip(after.split()) {
            let path: Vec<usize> = leaf.path().map(|node| node.id().index()).collect();
            if !bytes.is_empty() {
                bytes.push(b'\n');
            }
            let origin = |node: sgf_stream::tree::Node<'_>| path.get(node.id().index()).copied().unwrap_or(usize::MAX);
            game.write(source, tree, &line, origin, &mut bytes);
            trees.push(line);
        }
        Ok(Some(Edited { trees, bytes: Some(bytes), left }))
    }
}

/// Returns the new form of a part; `None` if it would be read as other games than those of the edits.
fn rewritten(done: &[Done], notes: &[Note], input: &Input, part: &Part<'_>) -> Option<Rewritten> {
    let changes = done.iter().filter_map(|game| Some((game.range.clone(), game.edited.as_ref()?.bytes.clone()?)));
    let rewritten = Rewritten::made_of(changes, notes.iter().cloned());
    if !rewritten.has_changed() {
        return Some(rewritten);
    }
    let mut bytes = Vec::with_capacity(part.bytes().len());
    rewritten.write_to(part.bytes(), part.span().start, &mut bytes).ok()?;
    are_read(&bytes, input, done.iter().flat_map(Done::trees)).then_some(rewritten)
}

/// Returns whether bytes are read as these games.
fn are_read<'t>(bytes: &[u8], input: &Input, mut expected: impl Iterator<Item = &'t GameTree>) -> bool {
    let (mut reader, mut builder) = (input.parser.slice(bytes), TreeBuilder::new());
    loop {
        match reader.read_game(&mut builder) {
            Ok(Some(Ok(tree))) if expected.next().is_some_and(|expected| *expected == tree) => {}
            Ok(Some(_)) => return false,
            Ok(None) => return expected.next().is_none(),
            Err(error) => return error.code() == Code::NoSgfData && expected.next().is_none(),
        }
    }
}

const SEE_CHECK: &str = "syntax errors; repair them first, with `sgf check --fix`";

/// A game after an edit.
struct Edited {
    trees: Vec<GameTree>,
    /// The new bytes, if they differ.
    bytes: Option<Vec<u8>>,
    /// Number of values that could not be read.
    left: usize,
}

/// A game of a part, and what is made of it.
struct Done {
    position: Position,
    /// Its bytes in the stream.
    range: Range<u64>,
    /// `None` if it is too large.
    before: Option<GameTree>,
    /// `None` if nothing changes.
    edited: Option<Edited>,
}

impl Done {
    /// Returns the games that it becomes.
    fn trees(&self) -> &[GameTree] {
        self.edited.as_ref().map_or(self.before.as_slice(), |edited| &edited.trees)
    }

    /// Returns whether its new bytes, if there are any, are read as the games that it becomes.
    fn is_read_again(&self, input: &Input) -> bool {
        let bytes = self.edited.as_ref().and_then(|edited| edited.bytes.as_deref());
        bytes.is_none_or(|bytes| are_read(bytes, input, self.trees().iter()))
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
