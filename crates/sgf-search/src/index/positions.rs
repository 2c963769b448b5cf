//! Which positions occur in several games, and what was played there.
//!
//! The table is computed from the lines of the index whenever it changes: each occurrence of a position is a [`Record`], and
//! sorted records are counted. If there are more than four million, which are those of about 70,000 games, they are sorted on
//! disk, 16 bytes each: about as many in all as the index has.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use arrow_array::builder::{Int32Builder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Int32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch, UInt64Array};
use arrow_schema::{DataType, Field, Schema};
use bytes::Bytes;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use rayon::prelude::*;
use sgf_board::{Board, Symmetry};
use sgf_stream::value::go::Point;
use sgf_stream::value::{Color, Size};

use super::IndexError;
use super::batch::FILE_BYTES;
use super::checked::Hash;
use super::line::{Codes, Op, point};
use super::manifest::SegmentsOfFiles;
use super::query::{IndexGame, is_live, read_sizes};
use super::segment::Segment;
use super::sort::Sorter;
use crate::year::is_plausible_year;

/// The positions of a game that are counted: those up to this number of moves.
pub const MOST_MOVES: usize = 60;

/// The most records that are sorted in memory.
const MOST_RECORDS: usize = 4 << 20;

/// The rows of a batch of the table.
const BATCH: usize = 64 << 10;

/// The games that have a position, and what was played there. Returned by [`Index::position`](super::Index::position).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Position {
    /// Number of games.
    pub games: u64,
    /// The next moves, the most frequent first.
    pub next: Vec<NextMoves>,
}

/// The games in which a move was played in a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct NextMoves {
    /// The move; `None` if the game ends with the position. The point is `None` for a pass.
    pub played: Option<(Color, Option<Point>)>,
    /// Number of games.
    pub games: u64,
    /// Number of games that Black has won.
    pub black_wins: u64,
    /// Number of games that White has won.
    pub white_wins: u64,
    /// The years of the first and the last of these games.
    ///
    /// `None` if no game has a date.
    pub years: Option<(i32, i32)>,
}

/// A next move, in the orientation of the canonical position; `None` if the game ends with it.
type Next = Option<(Color, Option<Point>)>;

/// A position of a game, with the next move.
///
/// As a number, it is sorted by the position, and then by the next move.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Record {
    hash: u64,
    next: Next,
    winner: Option<Color>,
    year: Option<i32>,
}

/// The most columns and rows of a board.
const LINES: u16 = 52;

impl Record {
    fn to_number(self) -> u128 {
        let next = self.next.map_or(0, |(color, point)| {
            let at = point.map_or(0, |point| 1 + u16::from(point.y()) * LINES + u16::from(point.x()));
            1 + color as u16 * (1 + LINES * LINES) + at
        });
        let winner = self.winner.map_or(0, |color| 1 + color as u16);
        let year = self.year.unwrap_or(i32::MIN) as u32;
        u128::from(self.hash) << 64 | u128::from(next) << 48 | u128::from(winner) << 32 | u128::from(year)
    }

    fn of_number(number: u128) -> Self {
        let color = |n: u16| if n == Color::Black as u16 { Color::Black } else { Color::White };
        let (next, winner, year) = ((number >> 48) as u16, (number >> 32) as u16, number as u32 as i32);
        let next = next.checked_sub(1).map(|next| {
            let at = (next % (1 + LINES * LINES)).checked_sub(1);
            let point = at.and_then(|at| Point::new((at % LINES) as u8, (at / LINES) as u8));
            (color(next / (1 + LINES * LINES)), point)
        });
        Record {
            hash: (number >> 64) as u64,
            next,
            winner: winner.checked_sub(1).map(color),
            year: (year != i32::MIN).then_some(year),
        }
    }
}

/// The results and years of the games in which a move came next.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    games: u32,
    black_wins: u32,
    white_wins: u32,
    years: Option<(i32, i32)>,
}

impl Sums {
    fn add(&mut self, record: Record) {
        self.games += 1;
        self.black_wins += u32::from(record.winner == Some(Color::Black));
        self.white_wins += u32::from(record.winner == Some(Color::White));
        if let Some(year) = record.year {
            let (first, last) = self.years.unwrap_or((year, year));
            self.years = Some((first.min(year), last.max(year)));
        }
    }
}

/// Writes the table of positions for these segments. Returns the hash of its file.
pub(super) fn write(path: &Path, segments: &[Segment], files: &SegmentsOfFiles<'_>) -> Result<Hash, IndexError> {
    let groups: Vec<(&Segment, usize)> =
        segments.iter().flat_map(|segment| (0..segment.groups()).map(move |group| (segment, group))).collect();
    let runs = path.with_extension("runs");
    let on_disk = IndexError::io(&runs);
    let mut sorter = Sorter::new(runs.clone(), MOST_RECORDS);
    for some in groups.chunks(rayon::current_num_threads()) {
        let read = |&(segment, group): &(&Segment, usize)| {
            let mut records = Vec::new();
            each_position(segment, group, files, |record| records.push(record.to_number()))?;
            Ok(records)
        };
        let read: Vec<Vec<u128>> = some.par_iter().map(read).collect::<Result<_, IndexError>>()?;
        read.into_iter().try_for_each(|records| sorter.extend(records)).map_err(&on_disk)?;
    }
    let mut table = TableWriter::create(path)?;
    for number in sorter.sorted().map_err(&on_disk)? {
        table.add(Record::of_number(number.map_err(&on_disk)?))?;
    }
    table.close()
}

/// Calls a function with each position of the main lines of a row group, once for each game.
fn each_position(
    segment: &Segment,
    group: usize,
    files: &SegmentsOfFiles<'_>,
    mut on_position: impl FnMut(Record),
) -> Result<(), IndexError> {
    let damaged = || IndexError::damaged(&segment.path, "a line cannot be replayed");
    let lines = segment.lines(group)?;
    let names = ["file", FILE_BYTES, "winner", "date"];
    let known: Vec<&str> = names.into_iter().filter(|name| segment.schema().field_with_name(name).is_ok()).collect();
    let fields: Vec<_> = known.iter().filter_map(|name| segment.schema().field_with_name(name).ok().cloned()).collect();
    let batch =
        RecordBatch::try_new(Schema::new(fields).into(), segment.read(group, &known)?).map_err(|_| damaged())?;
    let sizes = match segment.class.size() {
        Some(_) => None,
        None => Some(read_sizes(segment, group)?),
    };
    let mut board: Option<Board> = None;
    let mut seen = HashSet::new();
    for rows in lines.games() {
        let row = rows.start;
        let game = IndexGame::of(&batch, row);
        if segment.has_stale && !is_live(&game, segment.number, files) {
            continue;
        }
        let size = segment.class.size().or_else(|| Some(sizes.as_ref()?[row])).ok_or_else(damaged)?;
        let board = match &mut board {
            Some(board) if board.size() == size => {
                board.clear();
                board
            }
            other => other.insert(Board::new(size).ok_or_else(damaged)?),
        };
        seen.clear();
        let of_game = record_of(&batch, row);
        replay(lines.steps(row), board, &mut seen, of_game, &mut on_position).ok_or_else(damaged)?;
    }
    Ok(())
}

/// Returns the record of a game, without a position.
fn record_of(batch: &RecordBatch, row: usize) -> Record {
    let winner = match IndexGame::of(batch, row).text("winner").as_deref() {
        Some("B") => Some(Color::Black),
        Some("W") => Some(Color::White),
        _ => None,
    };
    let date = batch.column_by_name("date").and_then(|dates| dates.as_primitive_opt::<Date32Type>());
    let day = date.filter(|dates| !dates.is_null(row)).map(|dates| dates.value(row));
    Record { hash: 0, next: None, winner, year: day.map(year_of).filter(|year| is_plausible_year(*year)) }
}

/// Returns the year of a day, counted from 1970-01-01, in the Gregorian calendar.
fn year_of(day: i32) -> i32 {
    // Days of a 400-year cycle that starts on 0000-03-01: the algorithm of Howard Hinnant.
    let day = i64::from(day) + 719_468;
    let (era, of_era) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let is_before_march = of_year >= 306;
    (year + era * 400 + i64::from(is_before_march)) as i32
}

/// Replays the first moves of a line. `None` if it is damaged.
fn replay(
    ops: impl Iterator<Item = u16> + Clone,
    board: &mut Board,
    seen: &mut HashSet<u64>,
    of_game: Record,
    on_position: &mut impl FnMut(Record),
) -> Option<()> {
    let size = board.size();
    let mut moves = 0;
    let codes = Codes::of(size);
    let mut ops = ops.map(|code| codes.op(code)).peekable();
    while let Some(op) = ops.next() {
        match op? {
            Op::Move(color, at) | Op::Place(color, at) => _ = board.set(point(at, size)?, Some(color)),
            Op::Remove(at) => _ = board.set(point(at, size)?, None),
            Op::Pass(_) | Op::Node | Op::Played(..) | Op::PlayedPass(_) | Op::Earlier => {}
        }
        let is_move = !matches!(op?, Op::Place(..) | Op::Remove(_) | Op::Node);
        moves += usize::from(is_move);
        let ends_node = ops.peek().is_none_or(|next| next.is_none_or(Op::is_node));
        if !ends_node {
            continue;
        }
        if moves > MOST_MOVES {
            break;
        }
        let hash = board.canonical_hash();
        if seen.insert(hash) {
            let next = ops.clone().flatten().find_map(|op| match op {
                Op::Move(color, at) | Op::Played(color, at) => Some((color, point(at, size))),
                Op::Pass(color) | Op::PlayedPass(color) => Some((color, None)),
                Op::Node | Op::Place(..) | Op::Remove(_) | Op::Earlier => None,
            });
            let next = next.map(|(color, at)| (color, at.and_then(|at| canonical_point(board, at))));
            on_position(Record { hash, next, ..of_game });
        }
    }
    Some(())
}

/// Returns the point in the orientation of the canonical position: the first one, if the position is symmetric.
fn canonical_point(board: &Board, at: Point) -> Option<Point> {
    let (_, symmetries) = board.canonical();
    symmetries.filter_map(|symmetry| symmetry.apply(at, board.size())).min_by_key(|point| (point.y(), point.x()))
}

/// Returns the schema of the table.
fn schema() -> Arc<Schema> {
    let field = |name, data, can_be_null| Field::new(name, data, can_be_null);
    Arc::new(Schema::new(vec![
        field("position", DataType::UInt64, false),
        field("color", DataType::Utf8, true),
        field("next", DataType::Utf8, true),
        field("games", DataType::Int32, false),
        field("black_wins", DataType::Int32, false),
        field("white_wins", DataType::Int32, false),
        field("first_year", DataType::Int32, true),
        field("last_year", DataType::Int32, true),
    ]))
}

/// Writes the table, from records in order.
struct TableWriter<'p> {
    path: &'p Path,
    writer: ArrowWriter<File>,
    /// The position of the last record, and its next moves.
    position: u64,
    next: Vec<(Next, Sums)>,
    rows: Vec<(u64, Next, Sums)>,
}

impl<'p> TableWriter<'p> {
    fn create(path: &'p Path) -> Result<Self, IndexError> {
        let file = File::create(path).map_err(IndexError::io(path))?;
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let writer =
            ArrowWriter::try_new(file, schema(), Some(properties)).map_err(IndexError::writing_parquet(path))?;
        Ok(TableWriter { path, writer, position: 0, next: Vec::new(), rows: Vec::new() })
    }

    fn add(&mut self, record: Record) -> Result<(), IndexError> {
        if record.hash != self.position {
            self.end_position()?;
            self.position = record.hash;
        }
        match self.next.last_mut().filter(|(next, _)| *next == record.next) {
            Some((_, sums)) => sums.add(record),
            None => {
                let mut sums = Sums::default();
                sums.add(record);
                self.next.push((record.next, sums));
            }
        }
        Ok(())
    }

    /// Adds the rows of a position that occurs in several games.
    fn end_position(&mut self) -> Result<(), IndexError> {
        let is_of_several = self.next.len() > 1 || self.next.iter().any(|(_, sums)| sums.games > 1);
        if is_of_several {
            self.next.sort_by_key(|(_, sums)| Reverse(sums.games)); // those with as many games stay in order
            self.rows.extend(self.next.iter().map(|&(next, sums)| (self.position, next, sums)));
        }
        self.next.clear();
        if self.rows.len() >= BATCH { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> Result<(), IndexError> {
        let positions = UInt64Array::from_iter_values(self.rows.iter().map(|(hash, ..)| *hash));
        let (mut color, mut next) = (StringBuilder::new(), StringBuilder::new());
        let mut numbers: [Int32Builder; 5] = Default::default();
        for (_, played, sums) in self.rows.drain(..) {
            color.append_option(played.map(|(color, _)| if color == Color::Black { "B" } else { "W" }));
            next.append_option(played.map(|(_, point)| point.map_or(String::new(), |point| point.to_string())));
            let count = |number: u32| Some(i32::try_from(number).unwrap_or(i32::MAX));
            let values = [
                count(sums.games),
                count(sums.black_wins),
                count(sums.white_wins),
                sums.years.map(|(first, _)| first),
                sums.years.map(|(_, last)| last),
            ];
            numbers.iter_mut().zip(values).for_each(|(numbers, value)| numbers.append_option(value));
        }
        let mut columns: Vec<ArrayRef> = vec![Arc::new(positions), Arc::new(color.finish()), Arc::new(next.finish())];
        columns.extend(numbers.iter_mut().map(|numbers| Arc::new(numbers.finish()) as ArrayRef));
        let batch = RecordBatch::try_new(schema(), columns).map_err(|error| IndexError::damaged(self.path, error))?;
        self.writer.write(&batch).map_err(IndexError::writing_parquet(self.path))
    }

    fn close(mut self) -> Result<Hash, IndexError> {
        self.end_position()?;
        self.write()?;
        self.writer.close().map_err(IndexError::writing_parquet(self.path))?;
        Hash::of_file(self.path).map_err(IndexError::io(self.path))
    }
}

/// The table, in memory, sorted by the hashes.
#[derive(Debug, Default)]
pub(super) struct Positions {
    hashes: Vec<u64>,
    next: Vec<NextMoves>,
}

impl Positions {
    pub(super) fn read(path: &Path, hash: Hash) -> Result<Self, IndexError> {
        let damaged = |reason: &dyn std::fmt::Display| IndexError::damaged(path, reason);
        let bytes = fs::read(path).map_err(IndexError::io(path))?;
        if Hash::of(&bytes) != hash {
            return Err(damaged(&"it is not as it was written"));
        }
        let reader = ParquetRecordBatchReaderBuilder::try_new(Bytes::from(bytes)).and_then(|reader| reader.build());
        let mut positions = Positions::default();
        for batch in reader.map_err(|error| damaged(&error))? {
            let batch = batch.map_err(|error| damaged(&error))?;
            if batch.schema_ref().fields() != schema().fields() {
                return Err(damaged(&"it has other columns"));
            }
            positions.hashes.extend(batch.column(0).as_primitive::<UInt64Type>().values());
            let (colors, points) = (batch.column(1).as_string::<i32>(), batch.column(2).as_string::<i32>());
            let numbers: Vec<_> = (3..8).map(|column| batch.column(column).as_primitive::<Int32Type>()).collect();
            for row in 0..batch.num_rows() {
                let count =
                    |n: usize| u64::try_from(numbers[n].value(row)).map_err(|_| damaged(&"a count is negative"));
                let year = |n: usize| (!numbers[n].is_null(row)).then(|| numbers[n].value(row));
                let played = match (!colors.is_null(row)).then(|| colors.value(row)) {
                    None => None,
                    Some(color) => {
                        let color = if color == "B" { Color::Black } else { Color::White };
                        let point = match points.value(row) {
                            "" => None,
                            text => Some(Point::parse(text).map_err(|error| damaged(&error))?),
                        };
                        Some((color, point))
                    }
                };
                positions.next.push(NextMoves {
                    played,
                    games: count(0)?,
                    black_wins: count(1)?,
                    white_wins: count(2)?,
                    years: year(3).zip(year(4)),
                });
            }
        }
        match positions.hashes.is_sorted() {
            true => Ok(positions),
            false => Err(damaged(&"its positions are not in order")),
        }
    }

    /// Returns what is known of a position, in its own orientation.
    pub(super) fn find(&self, board: &Board) -> Option<Position> {
        let hash = board.canonical_hash();
        let start = self.hashes.partition_point(|of| *of < hash);
        let len = self.hashes[start..].iter().take_while(|of| **of == hash).count();
        let back = board.canonical().1.next().map(Symmetry::inverse)?;
        let size: Size = board.size();
        let turned = |next: &NextMoves| {
            let in_canonical = board.canonical().1.next()?.apply_to_size(size);
            let played = match next.played {
                Some((color, Some(point))) => Some((color, Some(back.apply(point, in_canonical)?))),
                other => other,
            };
            Some(NextMoves { played, ..*next })
        };
        let next: Vec<NextMoves> = self.next[start..start + len].iter().filter_map(turned).collect();
        (len > 0).then(|| Position { games: next.iter().map(|next| next.games).sum(), next })
    }
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    quickcheck! {
        fn a_record_is_its_number(hash: u64, next: Option<(bool, Option<(u8, u8)>)>, winner: Option<bool>, year: i16) -> bool {
            let color = |is_black| if is_black { Color::Black } else { Color::White };
            let point = |(x, y): (u8, u8)| Point::new(x % 52, y % 52);
            let next = next.map(|(is_black, at)| (color(is_black), at.and_then(point)));
            let year = (year != 0).then_some(i32::from(year));
            let record = Record { hash, next, winner: winner.map(color), year };
            Record::of_number(record.to_number()) == record
        }

        fn records_are_in_the_order_of_moves(first: (bool, u8, u8), second: (bool, u8, u8)) -> bool {
            let key = |(is_white, x, y): (bool, u8, u8)| (is_white, y % 52, x % 52);
            let number = |(is_white, x, y): (bool, u8, u8)| {
                let color = if is_white { Color::White } else { Color::Black };
                let next = Some((color, Point::new(x % 52, y % 52)));
                Record { hash: 1, next, winner: None, year: None }.to_number()
            };
            key(first).cmp(&key(second)) == number(first).cmp(&number(second))
        }
    }

    #[test]
    fn days_have_their_years() {
        for (day, year) in [
            (0, 1970),
            (-1, 1969),
            (364, 1970),
            (365, 1971),
            (11_016, 2000),
            (10_956, 1999),
            (10_957, 2000),
            (-45_037, 1846),
            (-719_528, 0),
            (-719_529, -1),
        ] {
            assert_eq!(year_of(day), year, "{day}");
        }
    }
}
