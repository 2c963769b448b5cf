//! Games as files of their own: read on all cores, written in order.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use sgf_input::Output;
use sgf_stream::charset::Charset;
use sgf_stream::{Parser, Reader};
use sgf_table::{Cell, Table, TableBuilder};
use tempfile::tempfile_in;

use super::Args;
use super::names::Names;
use crate::decoding::Charsets;
use crate::failure::{Failure, TROUBLE, note_trouble};
use crate::input::{BOM, Name};
use crate::jobs::{self, Games, Input, Reading, Steps, Transcoding, Work};
use crate::progress::Progress;
use crate::tables::counted;
use crate::terminal::{self, Writes};

pub(super) fn run(args: &Args, to: &Path) -> Result<ExitCode, Failure> {
    let progress = Arc::new(Progress::new(Writes::Lines, || args.paths.total_size()));
    let work = Cutting {
        columns: args.name.columns().iter().cloned().chain(["length".to_owned()]).collect(),
        charsets: args.charsets,
        spools: (!args.dry_run).then(|| to.to_owned()),
    };
    if !args.dry_run {
        fs::create_dir_all(to).map_err(Failure::input(&Name::of(to)))?;
    }
    let (mut names, mut number, mut has_troubles) = (Names::new(to), 0, false);
    let mut out = io::BufWriter::new(io::stdout());
    let written = jobs::run(work, &args.paths, &progress, |found: Found| {
        for (name, error) in found.troubles {
            has_troubles = true;
            note_trouble(&name, error);
        }
        for game in found.games {
            number += 1;
            loop {
                let path = names.take(|copy| args.name.path(&game.values, number, copy));
                if args.dry_run {
                    writeln!(out, "{}", Name::of(&path)).map_err(Failure::Output)?;
                    break;
                }
                match write(&path, &game.content) {
                    // Another program has taken the name.
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.exists() => {}
                    written => break written.map_err(Failure::input(&Name::of(&path)))?,
                }
            }
        }
        Ok(())
    });
    progress.finish();
    written.and_then(|()| out.flush().map_err(Failure::Output))?;
    if !args.dry_run && terminal::get().shows_messages() {
        crate::failure::note(format_args!("{} written to {}", counted(number, "file"), Name::of(to)));
    }
    Ok(ExitCode::from(if has_troubles { TROUBLE } else { 0 }))
}

/// Writes a file that does not exist yet.
fn write(path: &Path, content: &Content) -> io::Result<()> {
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)?;
    }
    let mut out = Output::create_new(path)?;
    match content {
        Content::Bytes(bytes) => out.write_all(bytes),
        Content::Spooled(spool, range) => copy(spool, range.clone(), &mut out),
    }?;
    out.finish()
}

/// Cuts games out of their inputs.
struct Cutting {
    /// The columns of the names, and the length of the game.
    columns: Vec<String>,
    charsets: Charsets,
    /// The directory where games are kept that are too long for memory. None if only names are wanted.
    spools: Option<PathBuf>,
}

/// Games of some parts, in order.
struct Found {
    games: Vec<OneGame>,
    troubles: Vec<(Name, io::Error)>,
}

struct OneGame {
    values: Vec<String>,
    content: Content,
}

enum Content {
    Bytes(Vec<u8>),
    /// A range of a file without a name.
    Spooled(File, Range<u64>),
}

/// Copies a range of a file to another one.
fn copy(mut spool: &File, range: Range<u64>, out: &mut impl Write) -> io::Result<()> {
    spool.seek(SeekFrom::Start(range.start))?;
    io::copy(&mut spool.take(range.end - range.start), out).map(drop)
}

impl Cutting {
    /// Calls a function with the values of each game, its offset and its length.
    fn rows<R: BufRead>(&self, input: &Input, reader: Reader<R>, mut take: impl FnMut(Vec<String>, u64, u64)) {
        let Ok(table) = TableBuilder::new(&input.parser, Table::Games).columns(&self.columns) else { return };
        let mut rows = table.file(input.name.as_str()).rows(reader);
        // The caller gets errors of reading again. An input without games has none to write.
        while let Ok(true) = rows.next_game(|row| {
            let last = row.len() - 1;
            let values = (0..last).map(|column| row.cell(column).to_string()).collect();
            let Cell::Integer(length) = row.cell(last) else { return };
            take(values, row.offset(), length as u64);
        }) {}
    }

    /// Copies a long game to a file, and cuts it out there.
    fn spooled(&self, input: &Input, games: Games<'_, '_>, directory: &Path) -> io::Result<Option<OneGame>> {
        let mut spool = tempfile_in(directory)?;
        // The first game of the file begins with the mark.
        let mark = mark(input);
        if games.position().offset > 0 {
            spool.write_all(mark)?;
        }
        io::copy(&mut games.into_bytes(), &mut spool)?;
        let mut found = None;
        spool.rewind()?;
        let reader = input.parser.reader(BufReader::new(&spool));
        self.rows(input, reader, |values, offset, length| {
            found.get_or_insert((values, offset..offset + length));
        });
        let Some((values, mut range)) = found else { return Ok(None) };
        if range.start == mark.len() as u64 {
            range.start = 0;
        }
        Ok(Some(OneGame { values, content: Content::Spooled(spool, range) }))
    }
}

/// Returns the byte-order mark that the games of an input begin with.
fn mark(input: &Input) -> &'static [u8] {
    if input.bom == Some(Charset::UTF_8) { BOM } else { &[] }
}

impl Work for Cutting {
    type Done = Found;

    fn begin(&self) -> Found {
        Found { games: Vec::new(), troubles: Vec::new() }
    }

    fn reading(&self) -> Reading {
        let transcoding = Transcoding::Refuse(
            "UTF-16, UTF-32, HZ and ISO-2022 files cannot be split byte for byte; convert to UTF-8 first (`sgf fmt`)",
        );
        Reading { transcoding, ..Reading::new(Parser::new(), self.charsets.decoding()) }
    }

    fn read(&self, input: &Arc<Input>, games: Games<'_, '_>, done: &mut Steps<'_, Found>) {
        match (games.part(), &self.spools) {
            (None, Some(directory)) => match self.spooled(input, games, directory) {
                Ok(found) => done.games.extend(found),
                Err(error) => done.troubles.push((input.name.clone(), error)),
            },
            (part, spools) => self.rows(input, games.reader(&input.parser), |values, offset, length| {
                let mut content = mark(input).to_vec();
                if let (Some(part), Some(_)) = (part, spools) {
                    let from = offset.saturating_sub(part.span().start) as usize;
                    let to = from.saturating_add(length as usize).min(part.bytes().len());
                    content.extend_from_slice(part.bytes().get(from..to).unwrap_or_default());
                }
                done.games.push(OneGame { values, content: Content::Bytes(content) });
            }),
        }
    }

    fn end(&self, name: &Name, _: Option<&Arc<Input>>, result: io::Result<()>, done: &mut Found) {
        done.troubles.extend(result.err().map(|error| (name.clone(), error)));
    }
}
