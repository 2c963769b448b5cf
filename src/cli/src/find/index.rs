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
    use sgf_search::index::{Index, IndexError, IndexGame};

    use super::super::facts::{self, Facts, Header};
    use super::super::output::{Line, Output};
    use super::super::{All, Args, summary};
    use crate::failure::{Failure, note};
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
        let index = Index::open(directory).map_err(failure)?;
        let format = args.format();
        let output = Output::new(format, &facts.printed(format));
        let columns = facts.read(format, args.statistics, false);
        let mut out = BufWriter::with_capacity(FULL, io::stdout());
        out.write_all(&output.head()).map_err(Failure::Output)?;
        let games = index.games();
        let mut all = All::default();
        all.counts.games = games.games;
        all.counts.without_board = games.without_board;
        let (mut lines, mut numbers, mut written) = (Vec::new(), Numbers::default(), Ok(()));
        let most = args.limit.unwrap_or(u64::MAX);
        let found = index.find(search, &columns, |game| {
            if all.matched == most || !facts.conditions.hold_for(|name| game.cell(name)) || written.is_err() {
                return;
            }
            all.matched += 1;
            add(&mut all, args, facts, game);
            let file = Name::of_bytes(game.file_bytes());
            for (hit, path) in game.hits().iter().zip(game.paths()) {
                let line = Line {
                    file: &file,
                    game: NextGame::OfFile(game.number()),
                    offset: game.offset(),
                    is_alone: index.games_of(game.file_bytes()) == Some(1),
                    hit,
                    path: path.as_deref(),
                    row: Some(Header::Index(game)),
                };
                output.write(&line, &mut lines, &mut numbers);
            }
            if lines.len() >= FULL {
                written = out.write_all(&lines);
                lines.clear();
            }
        });
        found.map_err(failure)?;
        written.and_then(|()| out.write_all(&lines)).map_err(Failure::Output)?;
        all.print_sums(args, search.pattern(), &mut out)?;
        out.flush().map_err(Failure::Output)?;
        match all.matched == most {
            true => note(format_args!("stopped after {}", crate::tables::counted(all.matched, "game"))),
            false => note(format_args!("{}", summary(all.matched, all.counts))),
        }
        Ok(ExitCode::from(u8::from(all.matched == 0)))
    }

    /// Counts what was played next.
    fn add(all: &mut All, args: &Args, facts: &Facts, game: &IndexGame<'_>) {
        if args.statistics {
            let header = Header::Index(game);
            let group = facts.by.as_ref().map(|by| by.group(header));
            let of_game = facts::game_facts(header, &group);
            game.hits().iter().for_each(|hit| all.continuations.add(hit, &of_game));
        }
    }
}
