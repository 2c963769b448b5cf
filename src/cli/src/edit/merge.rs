//! `--merge`: one tree of all games.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use sgf_stream::tree::{EditError, GameTree};
use sgf_stream::{Code, Parser};

use super::edits::Edits;
use crate::decoding::Charsets;
use crate::destination::Destination;
use crate::failure::{Failure, TROUBLE, complain, note, warn};
use crate::input::{Name, Paths, is_stdin};
use crate::jobs::{self, Games, Input, Reading, Steps, Work};
use crate::progress::Progress;
use crate::tables::counted;
use crate::trees::{self, TOO_LARGE};

/// Maximum length of a value in bytes.
const LONGEST_VALUE: usize = 16 << 20;

/// Reads and edits games.
struct Reader {
    edits: Edits,
    charsets: Charsets,
}

/// A result of reading. Results come in the order of the inputs.
enum Found {
    /// A game, and the number of its values with invalid bytes.
    Game(Box<GameTree>, usize),
    /// A game that does not fulfill the conditions.
    Other,
    /// A game that cannot be edited, or is too large.
    Fault(Name, u64, String),
    End(Name, io::Result<()>, bool),
}

impl Work for Reader {
    type Done = Vec<Found>;

    fn begin(&self) -> Vec<Found> {
        Vec::new()
    }

    fn reading(&self) -> Reading {
        Reading::new(Parser::new().count_lines(true).max_value_len(LONGEST_VALUE), self.charsets.decoding())
    }

    fn read(&self, input: &Arc<Input>, games: Games<'_, '_>, done: &mut Steps<'_, Vec<Found>>) {
        let (mut reader, mut builder) = (games.reader(&input.parser), trees::builder(input));
        // The caller gets errors of reading again.
        while let Ok(Some(tree)) = reader.read_game(&mut builder) {
            let line = reader.game_position().map_or(1, |position| position.line);
            let edited = tree.map_err(|_| TOO_LARGE.to_owned()).and_then(|mut tree| {
                if !self.edits.conditions.hold(&tree, &input.parser) {
                    return Ok(None);
                }
                self.edits.apply(&mut tree)?;
                let bad = tree.to_utf8().map_err(|error| error.to_string())?;
                Ok(Some((tree, bad)))
            });
            done.push(match edited {
                Ok(Some((tree, bad))) => Found::Game(Box::new(tree), bad),
                Ok(None) => Found::Other,
                Err(message) => Found::Fault(input.name.clone(), line, message),
            });
        }
    }

    fn end(&self, name: &Name, input: Option<&Arc<Input>>, result: io::Result<()>, done: &mut Vec<Found>) {
        done.push(Found::End(name.clone(), result, input.is_some()));
    }
}

pub(super) fn run(edits: Edits, charsets: Charsets, paths: &Paths, output: Option<&Path>) -> Result<ExitCode, Failure> {
    let to = output.unwrap_or(Path::new("-"));
    let mut out = Destination::create(to, &paths.paths).map_err(Failure::input(&Name::of(to)))?;
    let (mut trees, mut games, mut of_file, mut left) = (Vec::<GameTree>::new(), 0_u64, 0_u64, 0);
    let (mut bad, mut has_faults, mut has_troubles) = (0, false, false);
    jobs::run(Reader { edits, charsets }, paths, &Arc::new(Progress::none()), |found| {
        for found in found {
            match found {
                Found::Game(tree, bad_of_game) => {
                    (games, of_file, bad) = (games + 1, of_file + 1, bad + bad_of_game);
                    left += add(&mut trees, *tree)?;
                }
                Found::Other => of_file += 1,
                Found::Fault(name, line, message) => {
                    (has_faults, of_file) = (true, of_file + 1);
                    complain(format_args!("{name}:{line}: {message}; the game is not merged"));
                }
                Found::End(name, Err(error), _) => {
                    (has_troubles, of_file) = (true, 0);
                    complain(format_args!("{name}: {error}"));
                }
                Found::End(name, Ok(()), is_open) => {
                    if is_open && of_file == 0 {
                        has_faults = true;
                        complain(format_args!("{name}: {}", Code::NoSgfData.message()));
                    }
                    of_file = 0;
                }
            }
        }
        Ok(())
    })
    .map_err(|error: EditError| Failure::Output(io::Error::other(error)))?;
    for tree in &trees {
        let bytes = tree.to_vec().map_err(|error| Failure::Output(io::Error::other(error)))?;
        out.write_all(&bytes).map_err(Failure::Output)?;
    }
    out.finish().map_err(Failure::Output)?;
    if bad > 0 {
        let values = counted(bad as u64, "value");
        warn(format_args!("{values} with bytes that are invalid in their charset; they became U+FFFD"));
    }
    if left > 0 {
        let values = counted(left as u64, "value");
        warn(format_args!("{values} not merged, because the same node of another game has another value"));
    }
    if output.is_some_and(|path| !is_stdin(path)) {
        note(format_args!("{} merged into {}", counted(games, "game"), counted(trees.len() as u64, "tree")));
    }
    Ok(ExitCode::from(if has_troubles { TROUBLE } else { has_faults.into() }))
}

/// Merges a game into the tree of its kind and board, which may be new. Returns the number of values left out.
fn add(trees: &mut Vec<GameTree>, game: GameTree) -> Result<usize, EditError> {
    for tree in &mut *trees {
        match tree.merge(&game) {
            Err(EditError::OtherBoard) => {}
            merged => return merged.map(|merged| merged.left),
        }
    }
    trees.push(game);
    Ok(0)
}
