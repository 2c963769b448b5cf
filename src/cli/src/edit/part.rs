//! Edits the games of a part of a file.

use sgf_stream::charset::Decoding;
use sgf_stream::parts::Part;
use sgf_stream::tree::{GameTree, TooLong, TreeBuilder};
use sgf_stream::write::{Note, Rewritten};
use sgf_stream::{Code, Parser, Position};

use super::edits::Edits;
use super::layout::{Finder, Game};
use crate::jobs::Input;
use crate::trees;

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
        Editor { edits, parser: Parser::new().charset(decoding).count_lines(true) }
    }

    pub(crate) fn parser(&self) -> &Parser {
        &self.parser
    }

    /// Edits the games of a part.
    pub(crate) fn edit_part(&self, input: &Input, part: &Part<'_>) -> Rewritten {
        let offset = part.span().start;
        let mut finder = Finder::new(offset);
        let (mut changes, mut notes, mut expected) = (Vec::new(), Vec::new(), Vec::new());
        if let Err(error) = part.parse_into(&input.parser, &mut finder) {
            return Rewritten::made_of([], [Note::left(error.code().as_str(), error.position(), None, true)]);
        }
        let (mut reader, mut builder) = (part.reader(&input.parser), trees::builder(input));
        for game in &finder.games {
            let Ok(Some(tree)) = reader.read_game(&mut builder) else { break };
            let position = reader.game_position().unwrap_or(part.position());
            let start = (position.offset.saturating_sub(offset)) as usize;
            let (tree, edited) = match tree {
                Ok(tree) if !self.edits.conditions.hold(&tree, &input.parser) => (Some(tree), Ok(None)),
                Ok(tree) if start == game.range.start => {
                    let edited = self.edited(&tree, game, part.bytes());
                    (Some(tree), edited)
                }
                Ok(tree) => (Some(tree), Err((SYNTAX, SEE_CHECK.to_owned()))),
                Err(TooLong { .. }) => (None, Err((EDIT, trees::TOO_LARGE.to_owned()))),
            };
            match edited {
                Ok(None) => expected.extend(tree),
                Ok(Some(Edited { trees, bytes, left })) => {
                    notes.extend((left > 0).then(|| unread(left, position)));
                    if let Some(bytes) = bytes {
                        let [from, to] = [game.range.start, game.range.end].map(|at| offset + at as u64);
                        changes.push((from..to, bytes));
                    }
                    expected.extend(trees);
                }
                Err((code, message)) => {
                    notes.push(Note::left(code, position, Some(message), true));
                    expected.extend(tree);
                }
            }
        }
        let rewritten = Rewritten::made_of(changes, notes);
        match !rewritten.has_changed() || self.reads_as(&rewritten, input, part, &expected) {
            true => rewritten,
            false => {
                let message = "after the edit, the games would be read in another way".to_owned();
                Rewritten::made_of([], [Note::left(EDIT, part.position(), Some(message), true)])
            }
        }
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

    /// Returns whether the new form of a part is read as these games.
    fn reads_as(&self, rewritten: &Rewritten, input: &Input, part: &Part<'_>, expected: &[GameTree]) -> bool {
        let mut bytes = Vec::with_capacity(part.bytes().len());
        if rewritten.write_to(part.bytes(), part.span().start, &mut bytes).is_err() {
            return false;
        }
        let (mut reader, mut builder, mut expected) = (input.parser.slice(&bytes), TreeBuilder::new(), expected.iter());
        loop {
            match reader.read_game(&mut builder) {
                Ok(Some(Ok(tree))) if expected.next() == Some(&tree) => {}
                Ok(Some(_)) => return false,
                Ok(None) => return expected.next().is_none(),
                Err(error) => return error.code() == Code::NoSgfData && expected.next().is_none(),
            }
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

fn unread(left: usize, position: Position) -> Note {
    let values = crate::tables::counted(left as u64, "value");
    Note::left(
        UNREAD,
        position,
        Some(format!("left {values} unchanged that cannot be read or are off the board")),
        false,
    )
}
