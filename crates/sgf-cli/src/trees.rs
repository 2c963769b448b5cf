//! Games of the inputs as trees, one in memory at a time: what `show` reads.

use std::io::{self, BufReader};
use std::process::ExitCode;

use sgf_stream::Parser;
use sgf_stream::tree::{GameTree, TreeBuilder};

use crate::decoding::{self, Charsets};
use crate::failure::{self, Failure, TROUBLE, complain, note_trouble};
use crate::input::{Found, Input, Name, Paths};
use crate::jobs::{self, Reading};
use crate::progress::Progress;
use crate::tables::counted;

/// Maximum memory of the tree of a game, in bytes. The largest tree of a corpus of 10,887 real files takes 1.3 MB.
const LARGEST_TREE: usize = 32 << 20;

/// Why a game is skipped.
pub(crate) const TOO_LARGE: &str = "its tree would exceed 32 MiB";

/// Returns a builder of trees that are not too large.
pub(crate) fn builder(input: &jobs::Input) -> TreeBuilder {
    // The builder does not see the byte-order mark.
    let given = input.bom.and_then(|bom| input.decoding.decide(Some(bom), None, []).ok());
    let decoding = given.map_or(input.decoding, |given| input.decoding.force(given.charset()));
    TreeBuilder::new().max_len(LARGEST_TREE).charset(decoding)
}

/// Reads games as trees, and remembers whether something was wrong.
pub(crate) struct Trees {
    charsets: Charsets,
    /// The number of the only game of each file that is wanted, from 0.
    wanted: Option<u64>,
    has_troubles: bool,
    /// Number of games that cannot be shown.
    faults: u64,
}

/// A game, and where it is.
pub(crate) struct TreeOf<'a> {
    pub(crate) name: &'a Name,
    /// From 0.
    pub(crate) number: u64,
    /// Whether the number says something: a file with one game has none, unless it was asked for.
    pub(crate) is_numbered: bool,
    pub(crate) tree: &'a mut GameTree,
}

/// The work on each game.
type OnGame<'a> = dyn FnMut(TreeOf<'_>) -> io::Result<()> + 'a;

/// An error that ends a file.
enum Stop {
    /// The file cannot be read.
    Input(io::Error),
    Output(io::Error),
}

impl Trees {
    /// `wanted`: the number of a game, from 1.
    pub(crate) fn new(charsets: Charsets, wanted: Option<u64>) -> Self {
        Trees { charsets, wanted: wanted.map(|number| number.saturating_sub(1)), has_troubles: false, faults: 0 }
    }

    /// Reads the games of all inputs.
    pub(crate) fn each(&mut self, paths: &Paths, on_game: &mut OnGame<'_>) -> Result<(), Failure> {
        let (mut opener, mut is_empty) = (paths.opener(), true);
        for file in paths.walk() {
            is_empty = false;
            match file {
                Ok(file) => opener.each(&file, &Progress::none(), |found| match found {
                    Found::Input(input) => self.file(input, on_game),
                    Found::Unreadable(name, error) => {
                        self.trouble(name, &error);
                        Ok(())
                    }
                })?,
                Err((name, error)) => self.trouble(&name, &error),
            }
        }
        if is_empty {
            failure::note_no_input(&paths.paths);
        }
        Ok(())
    }

    /// Returns the exit code: whether everything could be read, and whether all games were found.
    pub(crate) fn exit_code(&self) -> ExitCode {
        self.exit_code_with(0)
    }

    /// Returns the exit code, with the errors that the caller has found.
    pub(crate) fn exit_code_with(&self, faults: u64) -> ExitCode {
        ExitCode::from(if self.has_troubles { TROUBLE } else { u8::from(self.faults + faults > 0) })
    }

    fn file(&mut self, input: Input<'_>, on_game: &mut OnGame<'_>) -> Result<(), Failure> {
        let name = input.name;
        match self.games(input, on_game) {
            Ok(()) => Ok(()),
            Err(Stop::Output(error)) => Err(Failure::Output(error)),
            Err(Stop::Input(error)) => {
                self.trouble(name, &error);
                Ok(())
            }
        }
    }

    fn games(&mut self, input: Input<'_>, on_game: &mut OnGame<'_>) -> Result<(), Stop> {
        let name = input.name;
        let reading = Reading::new(Parser::new(), self.charsets.decoding());
        let (input, bytes) = reading.open(name, None, input.data).map_err(Stop::Input)?;
        let (mut reader, mut builder) = (input.parser.reader(BufReader::new(bytes)), builder(&input));
        let mut number = 0;
        let mut has_told = false;
        let mut give = |number, is_numbered, tree: &mut GameTree| {
            on_game(TreeOf { name, number, is_numbered, tree }).map_err(Stop::Output)
        };
        // The only game of a file has no number.
        let mut first = None;
        loop {
            let skips = self.wanted.is_some_and(|wanted| number < wanted);
            let read = match skips {
                true => reader.skip_game().map(|is_there| is_there.then_some(None)),
                false => reader.read_game(&mut builder).map(|game| game.map(Some)),
            };
            if !std::mem::replace(&mut has_told, true) {
                decoding::note_detected(name, reader.detected_charset());
            }
            match read {
                Ok(Some(None)) => {}
                Ok(Some(Some(Ok(game)))) if number == 0 && self.wanted.is_none() => first = Some(game),
                Ok(Some(Some(Ok(mut game)))) => {
                    if let Some(mut first) = first.take() {
                        give(0, true, &mut first)?;
                    }
                    give(number, true, &mut game)?;
                    if self.wanted == Some(number) {
                        return Ok(());
                    }
                }
                Ok(Some(Some(Err(_)))) => {
                    self.fault(name, &format!("game {} is skipped: {TOO_LARGE}", number + 1));
                    if self.wanted == Some(number) {
                        return Ok(());
                    }
                }
                Ok(None) => break,
                Err(sgf_stream::Error::Syntax(error)) if error.is_final() => {
                    failure::note_no_sgf(name);
                    break;
                }
                Err(sgf_stream::Error::Syntax(error)) => {
                    self.fault(name, &error.message());
                    break;
                }
                Err(sgf_stream::Error::Io(error)) => return Err(Stop::Input(error)),
                Err(error) => return Err(Stop::Input(io::Error::other(error))),
            }
            number += 1;
        }
        if let Some(mut first) = first {
            give(0, false, &mut first)?;
        }
        if let Some(wanted) = self.wanted.filter(|_| number > 0) {
            self.fault(name, &format!("there is no game {}: the file has {}", wanted + 1, counted(number, "game")));
        }
        Ok(())
    }

    /// Returns the number of games that cannot be shown.
    pub(crate) fn faults(&self) -> u64 {
        self.faults
    }

    /// Reports that a game cannot be shown.
    pub(crate) fn fault(&mut self, name: &Name, message: &str) {
        self.faults += 1;
        complain(format_args!("{name}: {message}"));
    }

    fn trouble(&mut self, name: &Name, error: &io::Error) {
        self.has_troubles = true;
        note_trouble(name, error);
    }
}
