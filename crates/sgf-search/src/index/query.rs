//! Searches in an index.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Decimal128Type, Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, Schema};
use rayon::prelude::*;
use sgf_board::Board;
use sgf_stream::property::{self, ValueType};
use sgf_stream::value::go::{Move, Point};
use sgf_stream::value::{Color, Size};
use sgf_stream::{Flow, Game, Parser};
use sgf_table::{Cell, PropertyValue, Table, TableBuilder};

use super::batch::{Class, FILE_BYTES, KEYS, column_of};
use super::line::{Codes, Op, Path as LinePath, number, point};
use super::manifest::{LOCK, Manifest, NAME, SegmentsOfFiles};
use super::positions::{Position, Positions};
use super::segment::{Lines, Segment};
use super::{IndexError, IndexedGames, filter};
use crate::hit::{Hit, NodePlace};
use crate::matcher::{Matcher, NodeFacts};
use crate::search::Search;

/// Columns of players, by the name of the column and of the property. An index that has one of them answers for both.
const PLAYERS: [(&str, &str); 2] = [("black", "PB"), ("white", "PW")];

/// The column of games that every index has, since all of its games are Go.
const GAME_TYPE: &str = "game_type";

/// Returns the other name of a column of players.
fn other_name(column: &str) -> Option<&'static str> {
    PLAYERS.into_iter().find_map(|(one, other)| match () {
        () if column == one => Some(other),
        () if column == other => Some(one),
        () => None,
    })
}

/// Returns the cell of a text that was indexed: a number, if the column is a property that has one.
fn cell_of<'t>(column: &str, text: &'t str) -> Cell<'t> {
    let has = |types: &[ValueType]| {
        let mut rows = property::find(column).peekable();
        rows.peek().is_some() && rows.all(|row| types.contains(&row.value_type()))
    };
    let number = || match () {
        () if has(&[ValueType::Number, ValueType::Handicap]) => Some(PropertyValue::Number(text.parse().ok()?)),
        () if has(&[ValueType::Real, ValueType::Seconds, ValueType::Komi]) => {
            Some(PropertyValue::Real(text.parse().ok()?))
        }
        () => None,
    };
    number().map_or_else(|| Cell::Text(text.into()), Cell::Property)
}

/// Returns whether a column has lists, which cannot be read from an index.
fn has_lists(column: &str) -> bool {
    let table = TableBuilder::new(&Parser::new(), Table::Games).columns([column]);
    table.is_ok_and(|table| {
        let column = table.column_list().first();
        column.is_some_and(|column| matches!(sgf_arrow::data_type(column.column_type()), DataType::List(_)))
    })
}

/// An index, open for searches.
pub struct Index {
    directory: PathBuf,
    manifest: Manifest,
    segments: Vec<Segment>,
    positions: OnceLock<Positions>,
}

/// A game of an index that has the pattern.
#[derive(Debug)]
pub struct IndexGame<'i> {
    headers: &'i RecordBatch,
    row: usize,
    hits: &'i [Hit],
    paths: &'i [Option<String>],
}

impl<'i> IndexGame<'i> {
    /// Returns the game of a row, without hits.
    pub(super) fn of(headers: &'i RecordBatch, row: usize) -> Self {
        IndexGame { headers, row, hits: &[], paths: &[] }
    }

    /// Returns the name of the file, or of the member of an archive.
    ///
    /// It has U+FFFD for bytes that are not UTF-8.
    pub fn file(&self) -> &str {
        self.word("file").unwrap_or_default()
    }

    /// Returns the bytes of the name of the file.
    pub fn file_bytes(&self) -> &[u8] {
        let bytes = self.headers.column_by_name(FILE_BYTES).and_then(|bytes| bytes.as_binary_opt::<i32>());
        match bytes.filter(|bytes| !bytes.is_null(self.row)) {
            Some(bytes) => bytes.value(self.row),
            None => self.file().as_bytes(),
        }
    }

    /// Returns the byte offset of the game's `(`.
    pub fn offset(&self) -> u64 {
        self.number_in("offset").and_then(|offset| u64::try_from(offset).ok()).unwrap_or_default()
    }

    /// Returns the number of the game in its file, from 0.
    pub fn number(&self) -> Option<u64> {
        self.number_in("game").and_then(|number| u64::try_from(number).ok())
    }

    /// Returns the hits, in the order of their nodes; at least one.
    pub fn hits(&self) -> &[Hit] {
        self.hits
    }

    /// Returns the paths of the nodes of the hits.
    ///
    /// A path has the number of the variation at each branch, from 1: `2.1`. Ones at its end are left out. It is `None` on
    /// the main line.
    pub fn paths(&self) -> &[Option<String>] {
        self.paths
    }

    /// Returns the header columns that were asked for, and the row of the game.
    pub fn headers(&self) -> (&RecordBatch, usize) {
        (self.headers, self.row)
    }

    /// Returns the text in a column; `None` if it has none.
    pub fn text(&self, column: &str) -> Option<String> {
        match self.cell(column) {
            Cell::Text(text) => Some(text.into_owned()),
            _ => None,
        }
    }

    /// Returns the cell in a header column that was asked for.
    ///
    /// It is that of the [table](sgf_table) `games`. It is null if the column was not asked for. `black` and `PB` are one
    /// column, and so are `white` and `PW`. `game_type` is Go.
    pub fn cell(&self, column: &str) -> Cell<'_> {
        let cell = self.cell_in(column).or_else(|| self.cell_in(other_name(column)?));
        cell.unwrap_or_else(|| match column {
            GAME_TYPE => Cell::Text(Game::Go.name().into()),
            _ => Cell::Null,
        })
    }

    fn cell_in(&self, column: &str) -> Option<Cell<'_>> {
        if let Some(word) = self.word(column) {
            return Some(Cell::Text(word.into()));
        }
        let (array, row) = (self.headers.column_by_name(column)?, self.row);
        if array.is_null(row) {
            return None;
        }
        Some(match array.data_type() {
            DataType::Utf8 => cell_of(column, array.as_string_opt::<i32>()?.value(row)),
            DataType::Int32 => Cell::Integer(array.as_primitive_opt::<Int32Type>()?.value(row).into()),
            DataType::Int64 => Cell::Integer(array.as_primitive_opt::<Int64Type>()?.value(row)),
            DataType::Float64 => Cell::Real(array.as_primitive_opt::<Float64Type>()?.value(row)),
            DataType::Date32 => Cell::Date(array.as_primitive_opt::<Date32Type>()?.value(row)),
            DataType::Decimal128(..) => {
                Cell::Decimal(i32::try_from(array.as_primitive_opt::<Decimal128Type>()?.value(row)).ok()?)
            }
            DataType::FixedSizeBinary(_) => Cell::Hash(array.as_fixed_size_binary_opt()?.value(row).into()),
            _ => return None,
        })
    }

    fn word(&self, column: &str) -> Option<&str> {
        let words = self.headers.column_by_name(column)?.as_dictionary_opt::<Int32Type>()?;
        let texts = words.values().as_string_opt::<i32>()?;
        words.key(self.row).map(|key| texts.value(key))
    }

    fn number_in(&self, column: &str) -> Option<i64> {
        let numbers = self.headers.column_by_name(column)?.as_primitive_opt::<Int64Type>()?;
        (!numbers.is_null(self.row)).then(|| numbers.value(self.row))
    }
}

/// The games of a row group that have the pattern: their first rows and their hits.
struct FoundGames {
    headers: RecordBatch,
    games: Vec<(usize, Vec<Hit>, Vec<Option<String>>)>,
}

impl Index {
    /// Opens an index.
    ///
    /// Columns are read when a search needs them, and dropped afterwards.
    ///
    /// # Errors
    ///
    /// Fails if the directory is not an index, if a file is damaged, or if another version has written it.
    pub fn open(directory: impl AsRef<Path>) -> Result<Self, IndexError> {
        Self::open_with(directory.as_ref(), false)
    }

    /// Opens an index that keeps what searches have read in memory.
    ///
    /// It keeps 1 kB per game at most.
    ///
    /// # Errors
    ///
    /// Fails if [`open`](Self::open) would fail.
    pub fn open_in_memory(directory: impl AsRef<Path>) -> Result<Self, IndexError> {
        Self::open_with(directory.as_ref(), true)
    }

    fn open_with(directory: &Path, keeps: bool) -> Result<Self, IndexError> {
        let manifest = Manifest::read(directory)?.ok_or_else(|| match directory.join(LOCK).exists() {
            true => IndexError::Unfinished(directory.to_owned()),
            false => IndexError::None(directory.to_owned()),
        })?;
        let segments = Self::segments(directory, &manifest, keeps)?;
        Ok(Index { directory: directory.to_owned(), manifest, segments, positions: OnceLock::new() })
    }

    /// Opens the segments of an index.
    pub(super) fn segments(directory: &Path, manifest: &Manifest, keeps: bool) -> Result<Vec<Segment>, IndexError> {
        let mut segments = Vec::new();
        for (&number, entry) in &manifest.segments {
            for class in Class::ALL {
                if entry.parts.contains_key(&class.name()) {
                    let path = Manifest::path(directory, number, class);
                    segments.push(Segment::open(path, (number, class), entry, keeps)?);
                }
            }
        }
        Ok(segments)
    }

    /// Returns whether a directory is an index. It may be damaged, unfinished, or of another version.
    pub fn is_at(path: impl AsRef<Path>) -> bool {
        [NAME, LOCK].iter().any(|name| path.as_ref().join(name).is_file())
    }

    /// Returns the directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Returns whether the index has variations.
    pub fn has_variations(&self) -> bool {
        self.manifest.variations
    }

    /// Returns the names of its header columns.
    pub fn columns(&self) -> &[String] {
        &self.manifest.columns
    }

    /// Returns the numbers of its games.
    pub fn games(&self) -> IndexedGames {
        let mut all = IndexedGames::default();
        self.manifest.files.values().for_each(|file| all.add(file.games));
        all
    }

    /// Returns the names of its files, as bytes.
    pub fn files(&self) -> impl Iterator<Item = &[u8]> {
        self.manifest.files.keys().map(Vec::as_slice)
    }

    /// Returns what is known of a position: its games and next moves.
    ///
    /// Games have it in their first [60 moves](super::MOST_MOVES). `None` if no two games have it; a search for it finds the
    /// only one. Rotated and mirrored positions are the same; those with exchanged colors are not. Points are those of
    /// `board`. If it is symmetric, moves that its symmetries exchange are counted together. Only main lines count, and each game once.
    ///
    /// # Errors
    ///
    /// Fails if the table of positions cannot be read.
    pub fn position(&self, board: &Board) -> Result<Option<Position>, IndexError> {
        let positions = match self.positions.get() {
            Some(positions) => positions,
            None => {
                let path = self.manifest.path_of_positions(&self.directory);
                let read = Positions::read(&path, self.manifest.positions_hash)?;
                self.positions.get_or_init(|| read)
            }
        };
        Ok(positions.find(board))
    }

    /// Returns the column of the index that has the content of a column; `None` if it is the same for all games.
    fn stored<'c>(&self, column: &'c str) -> Result<Option<&'c str>, IndexError> {
        let is_stored = |name: &str| self.manifest.columns.iter().any(|known| known == name);
        match other_name(column) {
            _ if has_lists(column) => Err(IndexError::List(column.to_owned())),
            _ if is_stored(column) => Ok(Some(column)),
            Some(other) if is_stored(other) => Ok(Some(other)),
            _ if column == GAME_TYPE => Ok(None),
            _ => Err(IndexError::Column(column.to_owned())),
        }
    }

    /// Calls a function with each game that has the pattern.
    ///
    /// The search ends when it returns another [`Flow`] than `Continue`. It gets these header columns of each. Row groups
    /// are searched on all cores, some at a time; the games come in the order of the index. Returns `Break` if the function
    /// ended the search before all games were searched.
    ///
    /// # Errors
    ///
    /// Fails if a column does not exist or has lists, if variations are wanted that the index does not have, or if a file is
    /// damaged.
    pub fn find<F: Into<Flow>>(
        &self,
        search: &Search,
        columns: &[&str],
        mut on_game: impl FnMut(&IndexGame<'_>) -> F,
    ) -> Result<Flow, IndexError> {
        if search.has_variations() && !self.has_variations() {
            return Err(IndexError::NoVariations);
        }
        let mut headers: Vec<&str> = KEYS.into_iter().chain([FILE_BYTES]).collect();
        for column in columns {
            headers.extend(self.stored(column)?.filter(|stored| !headers.contains(stored)));
        }
        let files = self.manifest.segments_of_files();
        let groups: Vec<(&Segment, usize)> =
            self.segments.iter().flat_map(|segment| (0..segment.groups()).map(move |group| (segment, group))).collect();
        // Some at a time, so that memory is that of a few row groups. The first ones may be enough for a limit.
        let (mut left, mut most) = (&groups[..], rayon::current_num_threads());
        while !left.is_empty() {
            let (some, rest) = left.split_at(left.len().min(most));
            let query = |&(segment, group): &(&Segment, usize)| query(search, segment, group, (&headers, &files));
            let found: Vec<Option<FoundGames>> = some.par_iter().map(query).collect::<Result<_, _>>()?;
            let mut games =
                found.iter().flatten().flat_map(|found| found.games.iter().map(move |game| (&found.headers, game)));
            while let Some((headers, (row, hits, paths))) = games.next() {
                if on_game(&IndexGame { headers, row: *row, hits, paths }).into() != Flow::Continue {
                    let is_end = rest.is_empty() && games.next().is_none();
                    return Ok(if is_end { Flow::Continue } else { Flow::Break });
                }
            }
            (left, most) = (rest, 2 * rayon::current_num_threads());
        }
        Ok(Flow::Continue)
    }
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Index").field("directory", &self.directory).finish_non_exhaustive()
    }
}

/// Searches a row group.
fn query(
    search: &Search,
    segment: &Segment,
    group: usize,
    (headers, files): (&[&str], &SegmentsOfFiles<'_>),
) -> Result<Option<FoundGames>, IndexError> {
    #[cfg(test)]
    tests::SEARCHED.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let Some(candidates) = candidates(search, segment, group)? else { return Ok(None) };
    let lines = segment.lines(group)?;
    let mut sizes = None;
    let mut replay = Replay::new(search);
    let mut games = Vec::new();
    for rows in lines.games() {
        if !candidates[rows.clone()].contains(&true) {
            continue;
        }
        let size = match segment.class.size() {
            Some(size) => size,
            None => {
                if sizes.is_none() {
                    sizes = Some(read_sizes(segment, group)?);
                }
                sizes.as_ref().map(|sizes| sizes[rows.start]).ok_or_else(|| damaged(segment))?
            }
        };
        let hits = replay.game(&lines, (rows.clone(), &candidates), size).ok_or_else(|| damaged(segment))?;
        if !hits.is_empty() {
            let paths = hits.iter().map(|hit| (!hit.is_on_main_line()).then(|| lines.path(rows.clone(), hit.node())));
            games.push((rows.start, hits.to_vec(), paths.collect()));
        }
    }
    if games.is_empty() {
        return Ok(None);
    }
    let arrays = segment.read(group, headers)?;
    let fields: Vec<_> =
        headers.iter().filter_map(|name| segment.schema().field_with_name(name).ok().cloned()).collect();
    let batch = RecordBatch::try_new(Schema::new(fields).into(), arrays).map_err(|_| damaged(segment))?;
    if segment.has_stale {
        games.retain(|(row, ..)| is_live(&IndexGame::of(&batch, *row), segment.number, files));
    }
    Ok((!games.is_empty()).then_some(FoundGames { headers: batch, games }))
}

fn damaged(segment: &Segment) -> IndexError {
    IndexError::damaged(&segment.path, "a line cannot be replayed")
}

/// Returns whether a game is of the last state of its file, which may be an archive that has it.
pub(super) fn is_live(game: &IndexGame<'_>, segment: u32, files: &SegmentsOfFiles<'_>) -> bool {
    let mut name = game.file_bytes();
    loop {
        if let Some(of) = files.get(name) {
            return *of == segment;
        }
        let Some(end) = name.windows(2).rposition(|two| two == b"!/") else { return false };
        name = &name[..end];
    }
}

/// Returns for each line of a row group whether it may have the pattern; `None` if none has.
fn candidates(search: &Search, segment: &Segment, group: usize) -> Result<Option<Vec<bool>>, IndexError> {
    let rows = segment.rows_of(group);
    let Some(size) = segment.class.size() else { return Ok(Some(vec![true; rows])) };
    let Some(layout) = search.layout_on(size) else { return Ok(None) };
    let mut points: BTreeMap<usize, String> = BTreeMap::new();
    for variant in &layout.variants {
        for (x, y) in variant.corners() {
            for ((dx, dy), _) in &variant.wanted {
                if let Some(point) = Point::new(x + dx, y + dy) {
                    points.entry(number(point, size).into()).or_insert_with(|| column_of(point));
                }
            }
        }
    }
    let points: Vec<(usize, String)> = points.into_iter().collect();
    let columns = segment.points(group, &points)?;
    let mut lines = vec![false; rows];
    let board = (size.columns() as usize, (size.columns() * size.rows()) as usize);
    filter::candidates(&layout.variants, board, |number| columns.column(number), &mut lines);
    Ok(lines.contains(&true).then_some(lines))
}

/// Returns the size of the board of each row.
pub(super) fn read_sizes(segment: &Segment, group: usize) -> Result<Vec<Size>, IndexError> {
    let arrays = segment.read(group, &["size_x", "size_y"])?;
    let numbers = |n: usize| arrays[n].as_primitive_opt::<Int32Type>().map(|numbers| numbers.values().to_vec());
    let (columns, rows) = numbers(0).zip(numbers(1)).ok_or_else(|| damaged(segment))?;
    let size = |(columns, rows): (i32, i32)| {
        let size = Size::new(u32::try_from(columns).ok()?, u32::try_from(rows).ok()?)?;
        (size.columns().max(size.rows()) <= 52).then_some(size)
    };
    columns.into_iter().zip(rows).map(size).collect::<Option<_>>().ok_or_else(|| damaged(segment))
}

/// Replays lines of games.
struct Replay<'s> {
    search: &'s Search,
    matcher: Matcher,
    path: LinePath,
    /// The open path: the first depth and the number of the first node of each line that is a part of it.
    parts: Vec<(usize, usize)>,
}

impl<'s> Replay<'s> {
    fn new(search: &'s Search) -> Self {
        Replay { search, matcher: search.matcher(), path: LinePath::default(), parts: Vec::new() }
    }

    /// Searches the lines of a game that are candidates. `None` if they are damaged.
    fn game(
        &mut self,
        lines: &Lines,
        (rows, candidates): (std::ops::Range<usize>, &[bool]),
        size: Size,
    ) -> Option<&[Hit]> {
        self.path.clear();
        self.parts.clear();
        if !self.matcher.begin(size) {
            return Some(self.matcher.end_game());
        }
        // Another first line follows the main line if a node follows a variation: then the main line is for itself.
        let has_other = lines.from.get(rows.start + 1).is_some_and(|from| rows.len() > 1 && *from == 0);
        let rows = match (self.search.has_variations(), has_other) {
            (false, _) => rows.start..rows.start + 1,
            (true, true) => rows.start + 1..rows.end,
            (true, false) => rows,
        };
        for row in rows {
            let from = lines.from[row];
            if !self.path.follow(Codes::of(size), from, lines.steps(row)) {
                return None;
            }
            while self.parts.last().is_some_and(|(first, _)| *first >= from) {
                self.parts.pop();
            }
            self.parts.push((from, lines.first_node[row]));
            if candidates[row] {
                self.matcher.begin_line();
                self.line(size)?;
                if self.matcher.is_done() {
                    break;
                }
            }
        }
        Some(self.matcher.end_game())
    }

    /// Replays the open path.
    fn line(&mut self, size: Size) -> Option<()> {
        let Replay { matcher, path, parts, .. } = self;
        let codes = Codes::of(size);
        let mut ops = path.ops.iter().map(|code| codes.op(*code)).peekable();
        let (mut depth, mut ply) = (0, 0);
        while let Some(first) = ops.next() {
            matcher.clear_changes();
            let mut played: Option<(Color, Move)> = None;
            let mut op = first;
            loop {
                match op? {
                    Op::Move(color, at) => {
                        let at = point(at, size)?;
                        matcher.change(at, Some(color));
                        played = Some((color, Move::Play(at)));
                    }
                    Op::Pass(color) | Op::PlayedPass(color) => played = Some((color, Move::Pass)),
                    Op::Node => {}
                    Op::Earlier => ply += 1,
                    Op::Place(color, at) => matcher.change(point(at, size)?, Some(color)),
                    Op::Remove(at) => matcher.change(point(at, size)?, None),
                    Op::Played(color, at) => played = Some((color, Move::Play(point(at, size)?))),
                }
                match ops.next_if(|next| next.is_some_and(|op| !op.is_node())) {
                    Some(next) => op = next,
                    None => break,
                }
            }
            ply += usize::from(played.is_some());
            let (from, first_node) = *parts.iter().rev().find(|(from, _)| *from <= depth)?;
            let place =
                NodePlace { offset: None, number: first_node + (depth - from), ply, is_on_main_line: from == 0 };
            if matcher.search(NodeFacts { place, depth, played, has_tree: false }) != Flow::Continue {
                break;
            }
            depth += 1;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use sgf_stream::{Flow, Parser};

    use super::Index;
    use crate::index::{IndexOptions, IndexWriter, Stamp};
    use crate::{Pattern, Search};

    /// The number of row groups that were searched.
    pub(super) static SEARCHED: AtomicUsize = AtomicUsize::new(0);

    #[test]
    fn a_search_that_has_enough_leaves_the_other_row_groups() {
        let directory = std::env::temp_dir().join(format!("sgf-search limit {}", std::process::id()));
        let games = &b"(;SZ[9];B[ee])(;SZ[9];B[gc])"[..];
        // Each run adds a segment.
        for name in 0..7 {
            let mut writer = IndexWriter::open(&directory, &IndexOptions::new()).unwrap();
            let (parser, reader, name) = (Parser::new(), writer.reader(), format!("{name}.sgf"));
            writer.write(reader.read(&parser, &name, || parser.reader(games)).unwrap()).unwrap();
            writer.set_file(&name, Stamp { size: 0, modified: 0, hash: String::new() });
            writer.finish().unwrap();
        }
        let index = Index::open(&directory).unwrap();
        let search = Search::new(Pattern::parse("X").unwrap());
        let searched = |most: usize| {
            let (before, mut found) = (SEARCHED.load(Ordering::Relaxed), 0);
            let on_game = |_: &super::IndexGame<'_>| {
                found += 1;
                if found == most { Flow::Break } else { Flow::Continue }
            };
            index.find(&search, &[], on_game).unwrap();
            (found, SEARCHED.load(Ordering::Relaxed) - before)
        };
        // One for each thread, and then two.
        let two = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let all = two.install(|| [1, 4, 5, 12, 13, 99].map(searched));
        assert_eq!(all, [(1, 2), (4, 2), (5, 6), (12, 6), (13, 7), (14, 7)]);
        std::fs::remove_dir_all(&directory).unwrap();
    }
}
