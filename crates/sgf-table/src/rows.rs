//! Rows, game by game, from any reader.

use std::cell::OnceCell;
use std::fmt;
use std::io::BufRead;
use std::sync::Arc;

use sgf_stream::node::RootFacts;
use sgf_stream::{Code, Diagnostic, Error, Game, Ident, Parser, Reader, SyntaxError};

use super::columns::{Column, GameColumn, MoveColumn, Scope, Source};
use super::game::{GameSink, Needs, PlaceInGame};
use super::log::{Log, MoveLog, PropertyLog};
use super::names::Names;
use super::row::{Item, ReadGame, Row};
use super::texts::{TextPolicy, Texts};
use super::{Table, TableBuilder};

/// A reader of the rows of a table, game by game. Created by [`TableBuilder::rows`].
pub struct Rows<R> {
    reader: Reader<R>,
    shared: Arc<Shared>,
    file: Option<Arc<str>>,
    sink: GameSink,
    /// Number of the next game.
    number: Option<u64>,
    /// A strict error between games, which is reported with the next game.
    pending: Option<SyntaxError>,
}

/// The settings that all readers of a table share.
#[derive(Clone, Debug)]
pub(super) struct Shared {
    pub(super) table: Table,
    pub(super) columns: Arc<[Column]>,
    pub(super) policy: TextPolicy,
    /// The game of roots that name none.
    pub(super) default_game: Game,
    /// The names that stand for those in the files.
    pub(super) names: Arc<Names>,
}

impl Shared {
    /// Returns an empty log of the rows of a game.
    fn log(&self) -> Log {
        match self.table {
            Table::Games => Log::Nothing,
            Table::Moves => {
                let has = |wanted: fn(&Column) -> bool| self.columns.iter().any(wanted);
                Log::Moves(MoveLog::new(has(is_of_position), has(is_of_engine)))
            }
            Table::Properties => Log::Properties(PropertyLog::default()),
        }
    }

    fn needs(&self, parser: &Parser) -> Needs {
        // In strict mode the end of a game depends on where its first fault is, and so do the games after it.
        let least = match self.table {
            _ if parser.is_strict() => Scope::Game,
            Table::Games => Scope::Root,
            Table::Moves => Scope::MainLine,
            Table::Properties => Scope::Game,
        };
        let scope = self.columns.iter().map(Column::scope).fold(least, Ord::max);
        let has = |wanted: &[GameColumn]| {
            self.columns.iter().any(|column| matches!(&column.source, Source::Game(game) if wanted.contains(game)))
        };
        Needs {
            scope,
            keeps_line: has(&[
                GameColumn::Moves,
                GameColumn::SgfMoves,
                GameColumn::Error,
                GameColumn::HandicapReal,
                GameColumn::FactRules,
            ]),
            prints: has(&[GameColumn::Dyer, GameColumn::Canonical, GameColumn::OpeningKey, GameColumn::FinalPosition]),
            replays: has(&[GameColumn::FinalPosition]),
            default_game: self.default_game,
            names: self.columns.iter().fold(root_names(scope), |names, column| names | column.name_bits()),
            charsets: self.policy.wanted(),
            all_charsets: scope != Scope::Root && (self.table != Table::Games || has(&[GameColumn::Charset])),
            max_node_len: parser.node_limit(),
        }
    }
}

fn is_of_position(column: &Column) -> bool {
    matches!(column.source, Source::Move(MoveColumn::PositionHash | MoveColumn::CanonicalPosition))
}

fn is_of_engine(column: &Column) -> bool {
    use MoveColumn as C;
    matches!(column.source, Source::Move(C::Winrate | C::ScoreLead | C::Visits | C::Analysis))
}

/// Returns the [name bits](Ident::name_bit) of the root properties that all games need: the facts, and the properties that
/// are counted if more than the root is read.
fn root_names(scope: Scope) -> u64 {
    let counted = if scope == Scope::Root { &[][..] } else { &["B", "W", "AB", "AW", "C"] };
    let bit = |name: &str| Ident::new(name.as_bytes()).name_bit();
    RootFacts::NAMES.iter().chain(counted).fold(0, |names, name| names | bit(name))
}

impl<R: BufRead> Rows<R> {
    pub(super) fn new(reader: Reader<R>, builder: &TableBuilder) -> Self {
        let shared = Arc::clone(&builder.shared);
        let needs = shared.needs(&builder.parser);
        let sink = GameSink::new(needs, shared.log(), builder.parser.clone());
        Rows { reader, shared, file: builder.file.clone(), sink, number: Some(0), pending: None }
    }

    /// Sets the number of the next game in the stream; `None` if unknown. Default: 0.
    #[must_use]
    #[doc(hidden)]
    pub fn first_game(mut self, number: impl Into<Option<u64>>) -> Self {
        self.number = number.into();
        self
    }

    /// Reads the next game, and calls a function with each of its rows.
    ///
    /// Returns false at the end.
    ///
    /// # Errors
    ///
    /// Fails if reading fails, or if there is no SGF data at all; in strict mode, also at a syntax error after the last
    /// game. A game with a syntax error is a row, even in strict mode: see [`Row::error`].
    pub fn next_game(&mut self, mut row: impl FnMut(&Row<'_>)) -> Result<bool, Error> {
        if !self.begin_game()? {
            return Ok(false);
        }
        self.sink.game.number = self.number;
        let has_bom = self.reader.has_bom();
        let mut texts = self.shared.policy.of_game(&mut self.sink.game, has_bom);
        loop {
            let is_over = !self.sink.is_paused();
            self.sink.log.end_node();
            let print = self.sink.game.print.take_if(|_| is_over).map(|print| print.end());
            let read = ReadGame::new(&self.sink.game, texts, print);
            let (columns, file, names) = (&self.shared.columns[..], self.file.as_deref(), &*self.shared.names);
            let mut give = |item| row(&Row { columns, file, names, read: &read, item });
            match self.shared.table {
                Table::Games => give(Item::Game),
                Table::Moves => self.sink.log.moves().for_each(|of_game| give(Item::Move(of_game, OnceCell::new()))),
                Table::Properties => self.sink.log.properties().for_each(|of_game| give(Item::Property(of_game))),
            }
            texts = read.texts;
            if is_over {
                break;
            }
            self.sink.resume();
            self.go_on()?;
            if !texts.is_decided() {
                texts = self.shared.policy.of_rest(&mut self.sink.game, has_bom, texts);
            }
        }
        self.number = self.number.map(|number| number + 1);
        self.report(texts);
        Ok(true)
    }

    /// Skips the next game without returning rows; it still counts as a game.
    ///
    /// Returns false at the end.
    ///
    /// ```
    /// use sgf_stream::Parser;
    /// use sgf_table::{Table, TableBuilder};
    ///
    /// let parser = Parser::new();
    /// let table = TableBuilder::new(&parser, Table::Games).columns(["game", "black"])?;
    /// let mut rows = table.rows(parser.reader(&b"(;PB[Shusaku];B[qd])(;PB[Shuei])"[..]));
    /// let mut cells = Vec::new();
    /// assert!(rows.skip_game()?);
    /// rows.next_game(|row| cells.extend([row.cell(0).to_string(), row.cell(1).to_string()]))?;
    /// assert_eq!(cells, ["1", "Shuei"]);
    /// assert!(!rows.skip_game()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if reading fails, or if there is no SGF data at all; in strict mode, also at a syntax error before the game, or
    /// if its end is missing.
    pub fn skip_game(&mut self) -> Result<bool, Error> {
        let is_game = self.reader.skip_game()?;
        self.number = self.number.map(|number| number + u64::from(is_game));
        Ok(is_game)
    }

    /// Reads a game into the sink, to its end or until it is long; false if there is none.
    fn begin_game(&mut self) -> Result<bool, Error> {
        loop {
            let (mut is_reading, rest) = self.reader.resume();
            self.sink.expect_game();
            if rest {
                is_reading = self.reader.drive(&mut self.sink)?;
                self.sink.expect_game();
            }
            if !is_reading {
                return self.no_game();
            }
            match self.go_on() {
                Ok(()) if self.sink.place() == PlaceInGame::Before => return self.no_game(),
                Err(Error::Syntax(error)) if !error.is_final() => self.pending = Some(error),
                read => {
                    read?;
                    break;
                }
            }
        }
        if let Some(error) = self.pending.take() {
            self.sink.lose(error.code());
            self.sink.game.failure.get_or_insert(error);
        }
        Ok(true)
    }

    /// Handles the end of the stream. A pending error of strict mode comes after the last game.
    fn no_game(&mut self) -> Result<bool, Error> {
        self.pending.take().map_or(Ok(false), |error| Err(Error::Syntax(error)))
    }

    /// Continues reading the current game. A syntax error in strict mode ends the game; other errors are returned.
    fn go_on(&mut self) -> Result<(), Error> {
        match self.reader.drive(&mut self.sink) {
            Ok(_) if self.sink.is_paused() => return Ok(()),
            Ok(_) => {}
            Err(Error::Syntax(error)) if self.sink.place() != PlaceInGame::Before && !error.is_final() => {
                self.sink.lose(error.code());
                self.sink.game.failure = Some(error);
                self.end_faulty()?;
            }
            Err(error) => return Err(error),
        }
        let game = &mut self.sink.game;
        game.end = self.reader.game_end().max(game.offset);
        Ok(())
    }

    /// Skips to the end of a game in which strict reading failed.
    fn end_faulty(&mut self) -> Result<(), Error> {
        self.sink.end_faulty();
        if self.reader.resume().1 {
            self.reader.drive(&mut self.sink)?;
        }
        Ok(())
    }

    /// Reports the diagnostics of reading the columns.
    fn report(&mut self, texts: Texts) {
        let (parser, reader) = (&self.sink.parser, &self.reader);
        if !parser.is_observed() {
            return;
        }
        for &(code, at) in &self.sink.game.faults {
            parser.report(Diagnostic::new(code, reader.position_of(at)));
        }
        let node = reader.position_of(self.sink.game.root.offset());
        texts.into_diagnostics(node, |at| reader.position_of(at)).for_each(|found| parser.report(found));
    }

    /// Returns the rule of the error that lost data in the last game: see [`Row::error`].
    pub fn error(&self) -> Option<Code> {
        self.sink.game.error
    }

    /// Returns the error that ended the strict reading of the last game.
    #[doc(hidden)]
    pub fn failure(&self) -> Option<&SyntaxError> {
        self.sink.game.failure.as_ref()
    }

    /// Returns the byte offset of the last game.
    pub fn offset(&self) -> u64 {
        self.sink.game.offset
    }

    /// Returns the reader.
    pub fn reader(&self) -> &Reader<R> {
        &self.reader
    }

    /// Returns the reader, after the last game.
    pub fn into_reader(self) -> Reader<R> {
        self.reader
    }
}

impl<R: fmt::Debug> fmt::Debug for Rows<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rows").field("reader", &self.reader).field("table", &self.shared.table).finish_non_exhaustive()
    }
}
