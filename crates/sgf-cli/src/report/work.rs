//! Counts the parts of files, on any thread.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufRead};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use sgf_board::CanonicalLine;
use sgf_check::{Checker, Diagnostic, Rule, Rules};
use sgf_search::{OpeningReader, Openings, Way};
use sgf_stream::parts::Part;
use sgf_stream::value::Size;
use sgf_stream::{Game, Parser, Reader};
use sgf_table::{Names, Table, TableBuilder};

use super::facts::{self, Facts};
use super::gather::{DEPTH, Excerpt, Gathered, Key, Naming};
use crate::decoding::Charsets;
use crate::dups::compared_line;
use crate::input::Name;
use crate::jobs::{Games, Input, Reading, Steps, Work};
use crate::kept::Kept;
use crate::openings::work::ways;

/// One part in so many of a large archive is checked: checking takes twice as long as all else.
pub(super) const SAMPLE: u64 = 4;

/// Number of bytes from which on archives are large.
const LARGE: u64 = 256 << 20;

/// Which parts are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Checks {
    All,
    /// One in [`SAMPLE`], in all inputs or from this offset on.
    From(u64),
}

impl Checks {
    /// The checks of an input of this length, if it is known.
    pub(super) fn of(len: Option<u64>) -> Checks {
        match len {
            Some(..LARGE) => Checks::All,
            Some(_) => Checks::From(0),
            None => Checks::From(LARGE),
        }
    }

    /// Whether a part is checked. It depends on its place alone, and so on no thread.
    fn has(self, name: &Name, start: u64) -> bool {
        let mut hasher = DefaultHasher::new();
        (name.as_bytes(), start).hash(&mut hasher);
        match self {
            Checks::All => true,
            Checks::From(from) => start < from || hasher.finish().is_multiple_of(SAMPLE),
        }
    }
}

/// The work of `sgf report`.
pub(super) struct Counting {
    naming: Naming,
    checks: Checks,
    charsets: Charsets,
    default_game: Game,
    columns: Vec<String>,
    names: Arc<Names>,
    /// The reader of openings, of boards of any size.
    opening: Option<OpeningReader>,
}

impl Counting {
    pub(super) fn new(naming: Naming, checks: Checks, charsets: Charsets, default_game: Game) -> Self {
        let openings = Openings::from_empty(Size::default());
        let opening = openings.map(|openings| openings.plies(DEPTH as u16).reader().any_size());
        Counting { naming, checks, charsets, default_game, columns: facts::columns(), names: Arc::default(), opening }
    }

    pub(super) fn with_names(self, names: Arc<Names>) -> Self {
        Counting { names, ..self }
    }

    /// Reads the ways of some games, with the numbers of the games.
    fn ways<R: BufRead>(&self, mut reader: Reader<R>, is_long: bool) -> Vec<(u64, Way)> {
        let opening = self.opening.clone();
        opening.map(|mut opening| ways(&mut opening, &mut reader, is_long).0).unwrap_or_default()
    }

    /// Counts games with their ways, and calls a function with the range of each, which returns its line if it is compared
    /// with others.
    fn games<R: BufRead>(
        &self,
        of: &SomeGames<'_>,
        ways: Vec<(u64, Way)>,
        reader: Reader<R>,
        done: &mut Gathered,
        mut each: impl FnMut(Range<u64>, &mut Gathered) -> Option<(CanonicalLine, u64)>,
    ) {
        let Ok(table) = TableBuilder::new(of.parser, Table::Games).columns(&self.columns) else { return };
        let mut rows = table.default_game(self.default_game).names(Arc::clone(&self.names)).rows(reader);
        // A game has the diagnostics in it, those at its end (such as that it has none), and those before it. The last one also
        // has those after it, so that it is counted last.
        let (mut last, mut seen) = (None, 0);
        let (mut ways, mut numbers) = (ways.into_iter().peekable(), 0..);
        // Errors of reading come again when the input ends.
        while let Ok(true) = rows.next_game(|row| {
            let way = numbers.next().and_then(|game| ways.next_if(|(number, _)| *number == game));
            let mut facts = Facts::of(row, way.map(|(_, way)| way));
            done.like_hex += u64::from(row.looks_like_hex());
            let game = facts.offset..facts.offset + facts.length;
            let is_clean = of.faults.map(|faults| {
                let before = std::mem::replace(&mut seen, faults.partition_point(|at| *at <= game.end));
                before == seen
            });
            facts.line = each(game, done);
            if let Some((facts, is_clean)) = last.replace((facts, is_clean)) {
                done.game(of.source, of.name, &facts, is_clean);
            }
        }) {}
        let left = of.faults.map_or(0, |faults| faults.len() - seen);
        match last {
            Some((facts, is_clean)) => {
                done.game(of.source, of.name, &facts, is_clean.map(|is_clean| is_clean && left == 0));
            }
            None if left > 0 => done.sources.get(of.source).diagnostics_outside += left as u64,
            None => {}
        }
    }
}

/// Some games of an input.
struct SomeGames<'i> {
    source: &'i Key,
    name: &'i Name,
    parser: &'i Parser,
    /// The offsets of diagnostics, in order; `None` if they were not checked.
    faults: Option<&'i [u64]>,
}

impl Work for Counting {
    type Done = Gathered;

    fn begin(&self) -> Gathered {
        Gathered::default()
    }

    fn reading(&self) -> Reading {
        Reading { notes_start: true, ..Reading::new(Parser::new(), self.charsets.decoding()) }
    }

    fn read(&self, input: &Arc<Input>, games: Games<'_, '_>, done: &mut Steps<'_, Gathered>) {
        match games.part() {
            Some(part) => self.part(input, part, done),
            None => {
                if let Err(error) = self.long(input, games, done) {
                    done.unreadable(&input.name, &error);
                }
            }
        }
    }

    fn end(&self, name: &Name, input: Option<&Arc<Input>>, result: io::Result<()>, done: &mut Gathered) {
        done.inputs += 1;
        if let Some(input) = input {
            done.sources.get(&self.naming.key(name)).bytes += input.bytes_read();
        }
        if let Err(error) = result {
            done.unreadable(name, &error);
        }
    }
}

impl Counting {
    fn part(&self, input: &Input, part: &Part<'_>, done: &mut Gathered) {
        let (name, parser) = (&input.name, &input.parser);
        let source = self.naming.key(name);
        let (bytes, start) = (part.bytes(), part.span().start);
        let (mut faults, mut boards) = (None, Vec::new());
        if self.checks.has(name, start) {
            let stream_start = input.stream_start().clone();
            let faults = faults.insert(Vec::new());
            let mut checker = Checker::with_parser(parser, Rules::new(), |diagnostic: &Diagnostic| {
                faults.push(diagnostic.offset());
                let of_source = done.sources.get(&source);
                *of_source.diagnostics.entry(diagnostic.rule()).or_default() += 1;
                if done.examples.take(name, diagnostic, || Excerpt::of(bytes, start, diagnostic)) {
                    boards.push((diagnostic.offset(), diagnostic.rule()));
                }
            });
            checker.check_part(&stream_start, part);
            drop(checker);
            faults.sort_unstable();
        }
        let of = SomeGames { source: &source, name, parser, faults: faults.as_deref() };
        let ways = self.ways(part.reader(parser), false);
        self.games(&of, ways, part.reader(parser), done, |game, done| {
            let range = (game.start.saturating_sub(start) as usize)..(game.end.saturating_sub(start) as usize);
            let bytes = bytes.get(range).unwrap_or_default();
            for (_, rule) in boards.iter().filter(|(at, _)| game.contains(at)) {
                done.examples.add_game(*rule, bytes, game.start);
            }
            compared_line(input, self.default_game, input.parser.reader(bytes), input.parser.reader(bytes))
        });
    }

    fn long(&self, input: &Input, game: Games<'_, '_>, done: &mut Gathered) -> io::Result<()> {
        // It is too long for memory: only its syntax errors are known.
        let faults = Arc::new(Mutex::new(Vec::new()));
        let noted = Arc::clone(&faults);
        let parser = input.parser.clone().on_diagnostic(move |fault| {
            noted.lock().unwrap_or_else(PoisonError::into_inner).push(fault.code);
        });
        let source = self.naming.key(&input.name);
        let clean = done.sources.get(&source).clean;
        let of = SomeGames { source: &source, name: &input.name, parser: &parser, faults: Some(&[]) };
        let [print, tree, first, again] =
            [&input.parser, &input.parser, &input.parser, &parser].map(|parser| game.push(parser));
        let kept = Kept::new(game)?;
        let mut line = compared_line(input, self.default_game, kept.reader(print)?, kept.reader(tree)?);
        let ways = self.ways(kept.reader(first)?, true);
        self.games(&of, ways, kept.reader(again)?, done, |_, _| line.take());
        done.long_games += 1;
        let of_source = done.sources.get(&source);
        for code in faults.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            *of_source.diagnostics.entry(Rule::Syntax(code)).or_default() += 1;
            of_source.clean = clean; // the game is not
        }
        Ok(())
    }
}
