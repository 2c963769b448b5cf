//! Which positions occur in several games, and what was played there.
//!
//! The table is computed from the lines of the index whenever it changes. Most positions occur once; to find the others, the
//! hashes of all are sorted, some millions at a time.

use std::collections::{HashMap, HashSet};
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
use sgf_stream::board::{Board, Symmetry};
use sgf_stream::value::go::Point;
use sgf_stream::value::{Color, Size};

use super::IndexError;
use super::checked::Hash;
use super::line::{Codes, Op, point};
use super::query::{IndexGame, is_live, read_sizes};
use super::segment::Segment;

/// The positions of a game that are counted: those up to this number of moves.
pub const MOST_MOVES: usize = 60;

/// The most hashes that are sorted at a time.
const MOST_HASHES: usize = 8 << 20;

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

/// A next move, in the orientation of the canonical position.
type Key = (u64, Option<(Color, Option<Point>)>);

/// What is known of games with a next move.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    games: u32,
    black_wins: u32,
    white_wins: u32,
    years: Option<(i32, i32)>,
}

impl Sums {
    fn add(&mut self, other: Sums) {
        self.games += other.games;
        self.black_wins += other.black_wins;
        self.white_wins += other.white_wins;
        self.years = match (self.years, other.years) {
            (Some((first, last)), Some((from, to))) => Some((first.min(from), last.max(to))),
            (years, None) | (None, years) => years,
        };
    }
}

/// Writes the table of positions for these segments. Returns the hash of its file.
pub(super) fn write(path: &Path, segments: &[Segment], files: &HashMap<&str, u32>) -> Result<Hash, IndexError> {
    let groups: Vec<(&Segment, usize)> =
        segments.iter().flat_map(|segment| (0..segment.groups()).map(move |group| (segment, group))).collect();
    let rows: usize = groups.iter().map(|(segment, group)| segment.rows_of(*group)).sum();
    let rounds = (rows * (MOST_MOVES + 1)).div_ceil(MOST_HASHES).max(1) as u64;
    let mut table: Vec<(Key, Sums)> = Vec::new();
    for round in 0..rounds {
        let is_wanted = |hash: u64| hash % rounds == round;
        let mut hashes: Vec<u64> = Vec::new();
        for some in groups.chunks(rayon::current_num_threads()) {
            let read = |&(segment, group): &(&Segment, usize)| {
                let mut hashes = Vec::new();
                each_position(segment, group, files, |hash, _, _| {
                    if is_wanted(hash) {
                        hashes.push(hash);
                    }
                })?;
                Ok(hashes)
            };
            let read: Vec<Vec<u64>> = some.par_iter().map(read).collect::<Result<_, IndexError>>()?;
            hashes.extend(read.into_iter().flatten());
        }
        hashes.par_sort_unstable();
        let several: HashSet<u64> = hashes.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        drop(hashes);
        let mut sums: HashMap<Key, Sums> = HashMap::new();
        for some in groups.chunks(rayon::current_num_threads()) {
            let read = |&(segment, group): &(&Segment, usize)| {
                let mut sums: HashMap<Key, Sums> = HashMap::new();
                each_position(segment, group, files, |hash, next, of_game| {
                    if several.contains(&hash) {
                        sums.entry((hash, next())).or_default().add(of_game);
                    }
                })?;
                Ok(sums)
            };
            let read: Vec<HashMap<Key, Sums>> = some.par_iter().map(read).collect::<Result<_, IndexError>>()?;
            for (key, of_some) in read.into_iter().flatten() {
                sums.entry(key).or_default().add(of_some);
            }
        }
        table.extend(sums);
    }
    let order = |key: &Key| key.1.map(|(color, point)| (color as u8, point.map(|point| (point.y(), point.x()))));
    table.par_sort_unstable_by_key(|(key, sums)| (key.0, u32::MAX - sums.games, order(key)));
    write_table(path, &table)
}

/// Calls a function with each position of the main lines of a row group, once for each game: its canonical hash, a function that returns
/// the next move, and what the game counts.
fn each_position(
    segment: &Segment,
    group: usize,
    files: &HashMap<&str, u32>,
    mut on_position: impl FnMut(u64, &dyn Fn() -> Option<(Color, Option<Point>)>, Sums),
) -> Result<(), IndexError> {
    let damaged = || IndexError::damaged(&segment.path, "a line cannot be replayed");
    let lines = segment.lines(group)?;
    let names = ["file", "winner", "date"];
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
        replay(lines.steps(row), board, &mut seen, sums_of(&batch, row), &mut on_position).ok_or_else(damaged)?;
    }
    Ok(())
}

/// Returns what a game counts.
fn sums_of(batch: &RecordBatch, row: usize) -> Sums {
    let winner = IndexGame::of(batch, row).text("winner");
    let is = |name: &str| u32::from(winner.as_deref() == Some(name));
    let date = batch.column_by_name("date").and_then(|dates| dates.as_primitive_opt::<Date32Type>());
    let day = date.filter(|dates| !dates.is_null(row)).map(|dates| dates.value(row));
    let years = day.map(year_of).map(|year| (year, year));
    Sums { games: 1, black_wins: is("B"), white_wins: is("W"), years }
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
    of_game: Sums,
    on_position: &mut impl FnMut(u64, &dyn Fn() -> Option<(Color, Option<Point>)>, Sums),
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
            let rest = ops.clone();
            let next = || {
                let next = rest.clone().flatten().find_map(|op| match op {
                    Op::Move(color, at) | Op::Played(color, at) => Some((color, point(at, size))),
                    Op::Pass(color) | Op::PlayedPass(color) => Some((color, None)),
                    Op::Node | Op::Place(..) | Op::Remove(_) | Op::Earlier => None,
                });
                next.map(|(color, at)| (color, at.and_then(|at| canonical_point(board, at))))
            };
            on_position(hash, &next, of_game);
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

fn write_table(path: &Path, table: &[(Key, Sums)]) -> Result<Hash, IndexError> {
    let file = File::create(path).map_err(IndexError::io(path))?;
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let writing = IndexError::reading(path);
    let mut writer = ArrowWriter::try_new(file, schema(), Some(properties)).map_err(&writing)?;
    for rows in table.chunks(64 << 10) {
        let positions = UInt64Array::from_iter_values(rows.iter().map(|((hash, _), _)| *hash));
        let (mut color, mut next) = (StringBuilder::new(), StringBuilder::new());
        let mut numbers: [Int32Builder; 5] = Default::default();
        for ((_, played), sums) in rows {
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
        let batch = RecordBatch::try_new(schema(), columns).map_err(|error| IndexError::damaged(path, error))?;
        writer.write(&batch).map_err(&writing)?;
    }
    writer.close().map_err(&writing)?;
    fs::read(path).map(|bytes| Hash::of(&bytes)).map_err(IndexError::io(path))
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
    use super::year_of;

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
