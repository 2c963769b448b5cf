//! `--merge`: one tree of all games.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{self, Write};
use std::mem;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use sgf_input::Inputs;
use sgf_stream::tree::{Conflict, EditError, GameTree, Merger};
use sgf_stream::value::Size;
use sgf_stream::{Parser, Position, RawValue, Severity};

use super::edits::Edits;
use crate::decoding::Charsets;
use crate::destination;
use crate::failure::{Failure, TROUBLE, note, note_trouble, print_located, warn};
use crate::input::{Name, Paths, is_stdin};
use crate::jobs::{self, Games, Input, Reading, Steps, Work};
use crate::progress::Progress;
use crate::rewrite::MOST_LINES;
use crate::tables::counted;
use crate::trees::{self, TOO_LARGE};

/// Number of characters that are shown of a value, and of values of a property.
const LONGEST_TEXT: usize = 40;
const MOST_VALUES: usize = 4;

/// Number of games after which they are passed on: short ones take many times their bytes.
const MOST_FOUND: usize = 256;

/// Reads and edits games.
struct Reader {
    edits: Edits,
    charsets: Charsets,
}

/// A result of reading. Results come in the order of the inputs.
enum Found {
    Game(Box<Read>),
    /// A game that cannot be edited, or is too large.
    Fault(Name, Position, String),
    /// A file that cannot be read.
    Trouble(Name, io::Error),
}

/// A game, and where it begins.
struct Read {
    tree: GameTree,
    name: Name,
    position: Position,
    /// Number of its values with invalid bytes.
    bad: usize,
}

impl Work for Reader {
    type Done = Vec<Found>;

    fn begin(&self) -> Vec<Found> {
        Vec::new()
    }

    fn reading(&self) -> Reading {
        let parser = Parser::new().count_lines(true);
        Reading { counts_games: self.edits.game.is_some(), ..Reading::new(parser, self.charsets.decoding()) }
    }

    fn read(&self, input: &Arc<Input>, games: Games<'_, '_>, done: &mut Steps<'_, Vec<Found>>) {
        let start = games.position();
        let mut numbers = input.games_before(start.offset)..;
        let (mut reader, mut builder) = (games.reader(&input.parser), trees::builder(input));
        // The caller gets errors of reading again.
        while let Ok(Some(tree)) = reader.read_game(&mut builder) {
            let position = reader.game_position().unwrap_or(start);
            let number = numbers.next().unwrap_or_default();
            let edited = tree.map_err(|_| TOO_LARGE.to_owned()).and_then(|mut tree| {
                if !self.edits.are_for(number, &tree, &input.parser) {
                    return Ok(None);
                }
                self.edits.apply(&mut tree)?;
                let bad = tree.convert_to_utf8().map_err(|error| error.to_string())?;
                Ok(Some((tree, bad)))
            });
            let name = || input.name.clone();
            done.extend(match edited {
                Ok(edited) => {
                    edited.map(|(tree, bad)| Found::Game(Box::new(Read { tree, name: name(), position, bad })))
                }
                Err(message) => Some(Found::Fault(name(), position, message)),
            });
            if done.len() >= MOST_FOUND && !done.pass_on(mem::take) {
                return;
            }
        }
    }

    fn end(&self, name: &Name, _: Option<&Arc<Input>>, result: io::Result<()>, done: &mut Vec<Found>) {
        done.extend(result.err().map(|error| Found::Trouble(name.clone(), error)));
    }
}

pub(super) fn run(
    edits: Edits,
    charsets: Charsets,
    paths: &Paths,
    inputs: &Inputs,
    output: Option<&Path>,
) -> Result<ExitCode, Failure> {
    let failure = destination::failure(output);
    let mut out = destination::open(output, inputs)?;
    let (mut trees, mut games, mut left) = (Trees::default(), 0_u64, 0);
    let (mut bad, mut has_faults, mut has_troubles) = (0, false, false);
    jobs::run(Reader { edits, charsets }, paths, &Arc::new(Progress::none()), |found| {
        for found in found {
            match found {
                Found::Game(game) => {
                    (games, bad) = (games + 1, bad + game.bad);
                    for value in trees.add(game.tree)? {
                        left += 1;
                        if left <= MOST_LINES {
                            print_located(&game.name, game.position, Severity::Warning, &left_out(&value));
                        }
                    }
                }
                Found::Fault(name, position, message) => {
                    has_faults = true;
                    let message = format!("{message}; the game is not merged");
                    print_located(&name, position, Severity::Error, &message);
                }
                Found::Trouble(name, error) => {
                    has_troubles = true;
                    note_trouble(&name, error);
                }
            }
        }
        Ok(())
    })
    .map_err(|error: EditError| Failure::Output(io::Error::other(error)))?;
    let count = trees.all.len();
    for tree in trees.all {
        let (tree, written) = tree.finish();
        written.map_err(|error| Failure::Output(io::Error::other(error)))?;
        let bytes = tree.to_vec().map_err(|error| Failure::Output(io::Error::other(error)))?;
        out.write_all(&bytes).map_err(&failure)?;
    }
    out.finish().map_err(&failure)?;
    if bad > 0 {
        let values = counted(bad as u64, "value");
        warn(format_args!("{values} with bytes that are invalid in their charset; they became U+FFFD"));
    }
    if left > 0 {
        let values = counted(left, "value");
        warn(format_args!("{values} not merged, because the same node of another game has another value"));
    }
    if output.is_some_and(|path| !is_stdin(path)) {
        note(format_args!("{} merged into {}", counted(games, "game"), counted(count as u64, "tree")));
    }
    Ok(ExitCode::from(if has_troubles { TROUBLE } else { has_faults.into() }))
}

/// The trees, one for each kind of game and size of the board.
#[derive(Default)]
struct Trees {
    all: Vec<Merger>,
    /// Indexes of trees.
    by_board: HashMap<(sgf_stream::Game, Option<Size>), usize>,
}

impl Trees {
    /// Merges a game into the tree of its kind and board, which may be new. Returns the values left out.
    fn add(&mut self, game: GameTree) -> Result<Vec<Conflict>, EditError> {
        let board = (game.context().game(), game.context().board());
        match self.by_board.entry(board) {
            Entry::Occupied(tree) => self.all[*tree.get()].add(&game).map(|merged| merged.left),
            Entry::Vacant(new) => {
                new.insert(self.all.len());
                self.all.push(Merger::new(game));
                Ok(Vec::new())
            }
        }
    }
}

/// Says which value is not merged, and what the tree has.
fn left_out(left: &Conflict) -> String {
    // Texts are UTF-8 here.
    let text = |value: &[u8]| {
        let text = RawValue::new(value).simple_text().into_owned();
        match text.char_indices().nth(LONGEST_TEXT) {
            Some((end, _)) => format!("[{}…]", &text[..end]),
            None => format!("[{text}]"),
        }
    };
    let kept: String = left.kept.iter().take(MOST_VALUES).map(|value| text(value)).collect();
    let more = if left.kept.len() > MOST_VALUES { "…" } else { "" };
    format!("{}{} is not merged; the node has {}{kept}{more}", left.ident, text(&left.value), left.kept_ident)
}
