//! The positions of the games of a part of a file.

use sgf_board::{Symmetry, Walk};
use sgf_input::Conditions;
use sgf_stream::parts::Part;
use sgf_stream::value::{Color, Size};
use sgf_stream::{Code, DiagnosticLog, Error, Parser};
use sgf_table::{Cell, Row, Table, TableBuilder};

use crate::line::{End, Line};
use crate::plane::Plane;
use crate::random::Random;
use crate::settings::{Settings, Symmetries};
use crate::skipped::{Reason, Skipped};
use crate::store::Batch;

/// The columns of the table `games` that are read of each game, before those of conditions.
const COLUMNS: [&str; 11] = [
    "offset",
    "game_type",
    "size_x",
    "size_y",
    "winner",
    "result",
    "margin",
    "komi_points",
    "handicap",
    "black_rank_n",
    "white_rank_n",
];
const KEY: &str = "opening_key";

/// The facts in the header of a game.
struct Header {
    offset: u64,
    /// Why the game is not used, as far as the header says.
    skip: Option<Reason>,
    winner: Option<Color>,
    /// 0 for a draw; `None` if the game was not counted.
    margin: Option<f32>,
    komi: f32,
    handicap: f32,
    ranks: [f32; 2],
    key: u64,
}

/// Reads the positions of games.
pub(crate) struct GameReader<'s> {
    settings: &'s Settings,
    table: TableBuilder,
    line: Line,
    chosen: Vec<usize>,
}

/// A game of a unit: its file and its number.
#[derive(Clone, Copy)]
pub(crate) struct GameId {
    pub(crate) file: u32,
    /// The number of the unit among all, and of the game in the unit.
    pub(crate) seed: [u64; 2],
}

impl<'s> GameReader<'s> {
    pub(crate) fn new(settings: &'s Settings) -> Self {
        let wanted = settings.conditions.columns().filter(|name| !COLUMNS.contains(name) && *name != KEY);
        let columns: Vec<&str> = COLUMNS.into_iter().chain([KEY]).chain(wanted).collect();
        let table = TableBuilder::new(&Parser::new(), Table::Games).columns(&columns);
        // The columns exist, each once.
        let table = table.unwrap_or_else(|_| TableBuilder::new(&Parser::new(), Table::Games));
        GameReader { settings, table, line: Line::new(settings.size), chosen: Vec::new() }
    }

    /// Reads the games of a part. Calls a function after each game, which may take the positions.
    ///
    /// Returns the number of games.
    pub(crate) fn part(
        &mut self,
        part: &Part<'_>,
        parser: &Parser,
        mut id: GameId,
        out: &mut (Batch, Skipped),
        mut after_game: impl FnMut(&mut (Batch, Skipped)) -> bool,
    ) -> Result<(u64, bool), Error> {
        let mut headers = Vec::new();
        let conditions = &self.settings.conditions;
        let mut rows = self.table.with_parser(parser).rows(part.reader(parser));
        loop {
            let size = self.settings.size;
            let mut header = None;
            let is_game = rows.next_game(|row| header = Some(Header::of(row, size, conditions)))?;
            let Some(mut header) = header.filter(|_| is_game) else { break };
            // A value that the data ends in makes the game a cut one.
            if rows.error().is_some_and(|code| code != Code::UnterminatedValue) {
                header.skip = header.skip.or(Some(Reason::Broken));
            }
            headers.push(header);
        }
        let log = DiagnosticLog::new(64);
        let parser = parser.clone().log_to(&log);
        let mut games = part.reader(&parser);
        let count = headers.len() as u64;
        for header in headers {
            let skip = header.skip.or_else(|| self.is_other_part(header.key).then_some(Reason::Part));
            match skip {
                Some(reason) => {
                    games.skip_game()?;
                    out.1.add(reason);
                }
                None => {
                    log.take();
                    self.line.clear();
                    games.read_game(&mut Walk::line_visitor(|step| self.line.step(step)))?;
                    let is_cut = log.take().iter().any(|diagnostic| {
                        let is_end = matches!(diagnostic.code, Code::UnclosedTree | Code::UnterminatedValue);
                        is_end && diagnostic.position.offset >= header.offset
                    });
                    self.game(&header, id, is_cut, out);
                }
            }
            id.seed[1] += 1;
            if !after_game(out) {
                return Ok((count, false));
            }
        }
        Ok((count, true))
    }

    fn is_other_part(&self, key: u64) -> bool {
        // The fraction of all keys that are smaller.
        let fraction = key as f64 / (u64::MAX as f64 + 1.0);
        !self.settings.part.contains(&fraction)
    }

    /// Adds the positions of the game that was read.
    fn game(&mut self, header: &Header, id: GameId, is_cut: bool, (batch, skipped): &mut (Batch, Skipped)) {
        let Settings { most_per_game, symmetries, planes, seed, epoch, .. } = self.settings;
        if is_cut {
            return skipped.add(Reason::Cut);
        }
        match self.line.end() {
            Some(End::IllegalMoveError) => skipped.ended_illegal += 1,
            Some(End::Setup) => skipped.ended_setup += 1,
            None => {}
        }
        let positions = self.line.len();
        if positions == 0 {
            return skipped.add(Reason::NoMoves);
        }
        skipped.used += 1;
        let mut random = Random::new(&[*seed, *epoch, id.seed[0], id.seed[1]]);
        self.chosen.clear();
        self.chosen.extend(0..positions);
        if *most_per_game < positions {
            random.shuffle_first(&mut self.chosen, *most_per_game);
            self.chosen.truncate(*most_per_game);
            self.chosen.sort_unstable();
        }
        let all: Vec<Symmetry> = self.line.grid().symmetries().collect();
        for n in 0..self.chosen.len() {
            let at = self.chosen[n];
            let used = match symmetries {
                Symmetries::None => &all[..1],
                Symmetries::Random => std::slice::from_ref(&all[random.below(all.len())]),
                Symmetries::All => &all[..],
            };
            for &symmetry in used {
                Self::position(&mut self.line, (header, id.file), (at, symmetry), planes, batch);
            }
        }
    }

    fn position(
        line: &mut Line,
        (header, file): (&Header, u32),
        (at, symmetry): (usize, Symmetry),
        planes: &[Plane],
        batch: &mut Batch,
    ) {
        let own = line.color(at);
        let sign = |winner: Color| if winner == own { 1.0 } else { -1.0 };
        line.write_planes(at, planes, symmetry, &mut batch.planes);
        batch.turn.push(if own == Color::Black { 1 } else { -1 });
        batch.next_move.push(i32::from(line.target(at, symmetry)));
        let is_draw = header.margin == Some(0.0);
        batch.result.push(header.winner.map_or(if is_draw { 0.0 } else { f32::NAN }, sign));
        let score = match (header.winner, header.margin) {
            (Some(winner), Some(margin)) => sign(winner) * margin,
            (None, Some(0.0)) => 0.0,
            _ => f32::NAN,
        };
        batch.score.push(score);
        batch.komi.push(header.komi);
        batch.handicap.push(header.handicap);
        batch.black_rank.push(header.ranks[0]);
        batch.white_rank.push(header.ranks[1]);
        batch.move_number.push(at as i32);
        batch.key.push(header.key);
        batch.file.push(file);
        batch.offset.push(header.offset);
    }
}

impl Header {
    fn of(row: &Row<'_>, size: Size, conditions: &Conditions) -> Self {
        let integer = |column: usize| match row.cell(column) {
            Cell::Integer(number) => Some(number),
            _ => None,
        };
        let decimal = |column: usize| match row.cell(column) {
            Cell::Decimal(hundredths) => Some(hundredths as f32 / 100.0),
            _ => None,
        };
        let is = |column: usize, expected: &str| matches!(row.cell(column), Cell::Text(text) if text == expected);
        let unsigned = |column: usize| integer(column).and_then(|number| u64::try_from(number).ok());
        let number = |column: usize| integer(column).map_or(f32::NAN, |number| number as f32);
        let key = match row.cell(COLUMNS.len()) {
            Cell::Hash(bytes) => bytes.first_chunk().map(|bytes| u64::from_be_bytes(*bytes)),
            _ => None,
        };
        let is_size = unsigned(2) == Some(u64::from(size.columns())) && unsigned(3) == Some(u64::from(size.rows()));
        let skip = match () {
            () if !is(1, "Go") => Some(Reason::NotGo),
            () if !is_size => Some(Reason::OtherSize),
            () if !conditions.hold_in(row) => Some(Reason::Condition),
            () if key.is_none() => Some(Reason::NoMoves),
            () => None,
        };
        let winner = if is(4, "B") {
            Some(Color::Black)
        } else if is(4, "W") {
            Some(Color::White)
        } else {
            None
        };
        Header {
            offset: row.offset(),
            skip,
            winner,
            margin: if is(5, "draw") { Some(0.0) } else { decimal(6) },
            komi: decimal(7).unwrap_or(f32::NAN),
            handicap: number(8),
            ranks: [number(9), number(10)],
            key: key.unwrap_or(0),
        }
    }
}
