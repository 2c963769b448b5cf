//! `find --index`: searches an index.

use std::path::Path;
use std::process::ExitCode;

use sgf_search::Search;

use super::Args;
use super::facts::Facts;
use crate::failure::Failure;

#[cfg(not(feature = "index"))]
pub(super) fn run(_: &Args, _: Search, _: Facts, _: &Path) -> Result<ExitCode, Failure> {
    Err(crate::index::missing())
}

#[cfg(feature = "index")]
pub(super) fn run(args: &Args, search: Search, facts: Facts, directory: &Path) -> Result<ExitCode, Failure> {
    with_index::run(args, &search, &facts, directory)
}

#[cfg(feature = "index")]
mod with_index {
    use std::io::{self, BufWriter, Write};
    use std::path::Path;
    use std::process::ExitCode;

    use sgf_search::Search;
    use sgf_search::index::{Index, IndexError};
    use sgf_stream::{Flow, Game};

    use super::super::facts::{self, Facts, Header};
    use super::super::output::{Line, Output};
    use super::super::{All, Args, Searched};
    use crate::failure::Failure;
    use crate::input::Name;
    use crate::numbers::{NextGame, Numbers};

    /// Number of bytes of lines after which they are written.
    const FULL: usize = 1 << 16;

    pub(super) fn run(args: &Args, search: &Search, facts: &Facts, directory: &Path) -> Result<ExitCode, Failure> {
        let failure = |error: IndexError| match &error {
            IndexError::Column(name) => Failure::Usage(format!(
                "the index has no column '{name}'; it has {}",
                Index::open(directory).map(|index| index.columns().join(", ")).unwrap_or_default()
            )),
            error => Failure::Usage(error.to_string()),
        };
        let exclude = &args.paths.exclude;
        if exclude.has_paths() {
            let message = "--exclude: with --index, use names without a `/`; an index does not know where paths start";
            return Err(Failure::Usage(message.to_owned()));
        }
        if args.game_type.default_game() != Game::Go {
            let message = "--game-type: an index has only games of Go, and does not know which of them have no GM; search the files";
            return Err(Failure::Usage(message.to_owned()));
        }
        let index = Index::open(directory).map_err(failure)?;
        let format = args.format();
        let output = Output::new(format, &facts.printed(format));
        let columns = facts.read(format, args.statistics, false);
        let mut out = BufWriter::with_capacity(FULL, io::stdout());
        out.write_all(&output.head()).map_err(Failure::Output)?;
        let games = index.games();
        let mut all = All::default();
        all.counts.games = games.games;
        let (mut lines, mut numbers, mut written) = (Vec::new(), Numbers::default(), Ok(()));
        let most = args.limit.unwrap_or(u64::MAX);
        let found = index.find(search, &columns, |game| {
            let header = Header::Index(game, &facts.names);
            if exclude.has_name(game.file()) || !facts.conditions.hold_for(|name| header.cell(name)) {
                return Flow::Continue;
            }
            all.matched += 1;
            if args.statistics {
                let group = facts.by.as_ref().map(|by| by.group(header));
                let of_game = facts::game_facts(header, &group);
                game.hits().iter().for_each(|hit| all.continuations.add(hit, &of_game));
            }
            let file = Name::of_bytes(game.file_bytes());
            for (hit, path) in game.hits().iter().zip(game.paths()) {
                let line = Line {
                    file: &file,
                    game: NextGame::OfFile(game.number()),
                    offset: game.offset(),
                    hit,
                    path: path.as_deref(),
                    row: Some(header),
                };
                output.write(&line, &mut lines, &mut numbers);
            }
            if lines.len() >= FULL {
                written = out.write_all(&lines);
                lines.clear();
            }
            if written.is_err() || all.matched == most { Flow::Break } else { Flow::Continue }
        });
        let found = found.map_err(failure)?;
        written.and_then(|()| out.write_all(&lines)).map_err(Failure::Output)?;
        // An index counts the games of files, and does not know which games of an archive are excluded.
        let of_all = |number: u64| exclude.is_empty().then_some(number);
        let searched = Searched {
            games: of_all(games.games),
            without_board: of_all(games.without_board),
            too_small: None,
            with_illegal_moves: of_all(games.with_illegal_moves),
            not_indexed: games.too_large,
        };
        all.print_sums(args, search.pattern(), searched, &mut out)?;
        out.flush().map_err(Failure::Output)?;
        all.note(found == Flow::Break, searched);
        Ok(ExitCode::from(u8::from(all.matched == 0)))
    }
}
