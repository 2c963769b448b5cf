//! Games as rows of an index.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io::BufRead;
use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, ListBuilder, UInt16Builder};
use arrow_array::{ArrayRef, Int16Array, Int32Array, RecordBatch, UInt32Array};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use arrow_select::take::take_record_batch;
use sgf_arrow::{ArrowTable, BatchBuilder};
use sgf_board::{Step, Walk};
use sgf_stream::value::Size;
use sgf_stream::value::go::Point;
use sgf_stream::{Error, Flow, Parser, Reader, Visitor};
use sgf_table::TableBuilder;

use super::line::{Codes, Lines, Op, Path, point};
use crate::matcher::has_illegal;

/// The sizes of boards whose points have columns.
pub(super) const SIDES: [u32; 3] = [19, 13, 9];

/// The columns of the table `games` that every index has.
pub(super) const KEYS: [&str; 5] = ["file", "offset", "game", "size_x", "size_y"];

/// The columns of lines, before those of points.
pub(super) const FILE_BYTES: &str = "file_bytes";
pub(super) const LINE: &str = "line";
pub(super) const FROM: &str = "from";
pub(super) const FIRST_NODE: &str = "first_node";
pub(super) const LATER: &str = "later_points";
pub(super) const STEPS: &str = "steps";

/// The greatest depth in a column of a point. A stone that comes later counts as one that may come at any time.
pub(super) const MOST_DEPTH: i16 = i16::MAX - 1;

/// The most work for the lines of a game: the number of operations of all lines from the root.
const MOST_WORK: usize = 64 << 20;

/// The rows of a board size, of which only some have columns of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Class {
    Square(u32),
    Other,
}

impl Class {
    pub(super) const ALL: [Class; 4] =
        [Class::Square(SIDES[0]), Class::Square(SIDES[1]), Class::Square(SIDES[2]), Class::Other];

    fn of(size: Size) -> Self {
        match SIDES.into_iter().find(|side| Size::square(*side) == Some(size)) {
            Some(side) => Class::Square(side),
            None => Class::Other,
        }
    }

    /// Returns the size of the boards; `None` if it differs.
    pub(super) fn size(self) -> Option<Size> {
        match self {
            Class::Square(side) => Size::square(side),
            Class::Other => None,
        }
    }

    /// Returns the part of a file name.
    pub(super) fn name(self) -> String {
        match self {
            Class::Square(side) => side.to_string(),
            Class::Other => "other".to_owned(),
        }
    }

    /// Returns the names of the columns of points, row by row.
    pub(super) fn points(self) -> Vec<String> {
        let Some(size) = self.size() else { return Vec::new() };
        let numbers = 0..(size.columns() * size.rows()) as u16;
        numbers.filter_map(|at| point(at, size)).map(column_of).collect()
    }
}

/// Returns the name of the column of a point.
pub(super) fn column_of(point: Point) -> String {
    format!("p_{point}")
}

/// Reads games as rows of an index.
#[derive(Clone, Debug)]
pub(super) struct IndexTable {
    headers: ArrowTable,
    variations: bool,
}

/// Consecutive games of a file.
#[derive(Debug)]
pub(super) struct Piece {
    /// The bytes of the name of the file.
    pub(super) file: Vec<u8>,
    /// Number of games of their stream before them, from which the numbers in their rows count.
    pub(super) first: u64,
    pub(super) counts: super::IndexedGames,
    /// The number of their rows in each class.
    pub(super) rows: Vec<(Class, usize)>,
}

/// The rows of some games, for each class of boards.
#[derive(Debug, Default)]
pub(super) struct Batches {
    pub(super) batches: Vec<(Class, RecordBatch)>,
    /// The games of the rows, in the same order.
    pub(super) pieces: Vec<Piece>,
}

/// Reads games as rows. Rows of many files become one batch: its hundreds of columns take as long to make as many rows.
pub(super) struct BatchesBuilder {
    table: IndexTable,
    headers: BatchBuilder,
    /// The bytes of the name of the file of each header, if they are not UTF-8.
    names: BinaryBuilder,
    /// Number of headers.
    games: u32,
    classes: Vec<(Class, Builder)>,
    pieces: Vec<Piece>,
}

impl IndexTable {
    pub(super) fn new(table: TableBuilder, variations: bool) -> Self {
        IndexTable { headers: ArrowTable::new(table).batch_rows(usize::MAX), variations }
    }

    /// Returns the schema of a class.
    pub(super) fn schema(&self, class: Class) -> SchemaRef {
        let headers = self.headers.schema();
        let mut fields: Vec<Arc<Field>> = headers.fields().iter().cloned().collect();
        let mut add = |name: &str, data| fields.push(Arc::new(Field::new(name, data, name == FILE_BYTES)));
        add(FILE_BYTES, DataType::Binary);
        for name in [LINE, FROM, FIRST_NODE] {
            add(name, DataType::Int32);
        }
        add(LATER, DataType::List(list_item()));
        add(STEPS, DataType::Binary);
        for name in class.points() {
            add(&name, DataType::Int16);
        }
        Arc::new(Schema::new_with_metadata(fields, headers.metadata().clone()))
    }

    /// Returns a reader of games.
    pub(super) fn builder(&self) -> BatchesBuilder {
        BatchesBuilder {
            table: self.clone(),
            headers: self.headers.batch_builder(),
            names: BinaryBuilder::new(),
            games: 0,
            classes: Vec::new(),
            pieces: Vec::new(),
        }
    }
}

impl BatchesBuilder {
    /// Returns the number of rows.
    pub(super) fn rows(&self) -> usize {
        self.classes.iter().map(|(_, builder)| builder.games.len()).sum()
    }

    /// Reads all games of a stream, which `open` opens as often as it is called. Between games, `pass_on` takes the rows so far
    /// if they are `most` or more, and returns whether more are wanted.
    pub(super) fn read<R: BufRead>(
        &mut self,
        parser: &Parser,
        file: &[u8],
        open: impl Fn() -> Reader<R>,
        most: usize,
        pass_on: &mut dyn FnMut(BatchesBuilder) -> bool,
    ) -> Result<(), ArrowError> {
        let lines = RefCell::new(Collector::default());
        let add = |step: &Step<'_>| lines.borrow_mut().add(step);
        let streams = Streams { parser, file, open: &open, lines: &lines };
        match self.table.variations {
            true => self.read_with(Walk::visitor(add), &streams, most, pass_on),
            false => self.read_with(Walk::line_visitor(add), &streams, most, pass_on),
        }
    }

    fn read_with<R: BufRead>(
        &mut self,
        mut walk: impl Visitor,
        streams: &Streams<'_, impl Fn() -> Reader<R>>,
        most: usize,
        pass_on: &mut dyn FnMut(BatchesBuilder) -> bool,
    ) -> Result<(), ArrowError> {
        let Streams { parser, file, open, lines } = streams;
        let text = String::from_utf8_lossy(file);
        let bytes = matches!(text, Cow::Owned(_)).then_some(*file);
        let table = self.table.headers.table().with_parser(parser).file(&*text);
        let (mut walked, mut rows) = (open(), table.rows(open()).first_game(Some(0)));
        let mut piece = OpenPiece::new(self, 0);
        let mut outcome = Ok(());
        loop {
            match walked.read_game(&mut walk) {
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(error) => {
                    outcome = Err(external(error));
                    break;
                }
            }
            let game = self.games;
            let mut pushed = Ok(());
            let read = rows.next_game(|row| {
                pushed = self.headers.push(row);
                self.names.append_option(bytes);
                self.games += 1;
            });
            outcome = pushed.and(read.map(drop).map_err(external));
            if outcome.is_err() {
                break;
            }
            piece.counts.games += 1;
            match lines.borrow_mut().end() {
                Found::Lines(lines, has_illegal) => {
                    piece.counts.with_illegal_moves += u64::from(has_illegal);
                    self.class(Class::of(lines.size)).add(game, &lines);
                }
                Found::NoBoard => piece.counts.without_board += 1,
                Found::TooLarge => piece.counts.too_large += 1,
            }
            if self.rows() + self.games as usize >= most {
                let next = piece.first + piece.counts.games;
                self.end_piece(file, piece);
                let empty = self.table.builder();
                let goes_on = pass_on(std::mem::replace(self, empty));
                piece = OpenPiece::new(self, next);
                if !goes_on {
                    break;
                }
            }
        }
        self.end_piece(file, piece);
        outcome
    }

    /// Adds the games of a file that were read since the last ones.
    fn end_piece(&mut self, file: &[u8], piece: OpenPiece) {
        let OpenPiece { first, counts, before } = piece;
        if counts.games == 0 {
            return;
        }
        let before = before.into_iter().chain(std::iter::repeat(0));
        let rows =
            self.classes.iter().zip(before).map(|((class, builder), before)| (*class, builder.games.len() - before));
        let rows = rows.collect();
        self.pieces.push(Piece { file: file.to_vec(), first, counts, rows });
    }

    fn class(&mut self, class: Class) -> &mut Builder {
        let at = match self.classes.iter().position(|(of, _)| *of == class) {
            Some(at) => at,
            None => {
                self.classes.push((class, Builder::new(class)));
                self.classes.len() - 1
            }
        };
        &mut self.classes[at].1
    }

    /// Returns the rows.
    pub(super) fn finish(mut self) -> Result<Batches, ArrowError> {
        let headers = self.headers.finish()?;
        let mut fields: Vec<Arc<Field>> = headers.schema().fields().iter().cloned().collect();
        fields.push(Arc::new(Field::new(FILE_BYTES, DataType::Binary, true)));
        let columns = headers.columns().iter().cloned().chain([Arc::new(self.names.finish()) as ArrayRef]).collect();
        let headers = RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)?;
        let mut batches = Vec::new();
        for (class, builder) in self.classes {
            batches.push((class, builder.finish(self.table.schema(class), &headers)?));
        }
        Ok(Batches { batches, pieces: self.pieces })
    }
}

fn external(error: Error) -> ArrowError {
    ArrowError::ExternalError(Box::new(error))
}

fn list_item() -> Arc<Field> {
    Arc::new(Field::new_list_field(DataType::UInt16, false))
}

/// What was found of a game.
#[derive(Debug)]
enum Found {
    /// The lines, and whether they have unreadable values, such as moves off the board.
    Lines(Lines, bool),
    NoBoard,
    TooLarge,
}

/// Collects the lines of a game.
#[derive(Debug, Default)]
struct Collector {
    lines: Option<Lines>,
    /// The number of operations of all lines from the root.
    work: usize,
    has_illegal: bool,
}

impl Collector {
    fn add(&mut self, step: &Step<'_>) -> Flow {
        let lines = self.lines.get_or_insert_with(|| Lines::new(step.board().size()));
        let before = lines.lines.len();
        lines.add(step);
        self.has_illegal |= has_illegal(step);
        self.work += if lines.lines.len() > before { 4 * step.depth() + 400 } else { 4 };
        if self.work > MOST_WORK { Flow::SkipGame } else { Flow::Continue }
    }

    fn end(&mut self) -> Found {
        let Collector { lines, work, has_illegal } = std::mem::take(self);
        match lines {
            _ if work > MOST_WORK => Found::TooLarge,
            Some(lines) => Found::Lines(lines, has_illegal),
            None => Found::NoBoard,
        }
    }
}

/// A stream that is read as lines and as headers, game by game.
struct Streams<'s, O> {
    parser: &'s Parser,
    /// The bytes of the name of its file.
    file: &'s [u8],
    open: &'s O,
    /// The lines of the game that is read.
    lines: &'s RefCell<Collector>,
}

/// The games of a piece so far.
struct OpenPiece {
    first: u64,
    counts: super::IndexedGames,
    /// The number of rows in each class before them.
    before: Vec<usize>,
}

impl OpenPiece {
    fn new(builder: &BatchesBuilder, first: u64) -> Self {
        let before = builder.classes.iter().map(|(_, builder)| builder.games.len()).collect();
        OpenPiece { first, counts: super::IndexedGames::default(), before }
    }
}

/// The rows of a class.
struct Builder {
    class: Class,
    /// The row of the game's header.
    games: Vec<u32>,
    numbers: [Vec<i32>; 3],
    later: ListBuilder<UInt16Builder>,
    steps: BinaryBuilder,
    points: Vec<Vec<i16>>,
    path: Path,
    /// The first stones of the line, and the points with later changes.
    first: Vec<i16>,
    later_points: Vec<u16>,
}

impl Builder {
    fn new(class: Class) -> Self {
        let points = class.size().map_or(0, |size| (size.columns() * size.rows()) as usize);
        Builder {
            class,
            games: Vec::new(),
            numbers: Default::default(),
            later: ListBuilder::new(UInt16Builder::new()).with_field(list_item()),
            steps: BinaryBuilder::new(),
            points: vec![Vec::new(); points],
            path: Path::default(),
            first: Vec::new(),
            later_points: Vec::new(),
        }
    }

    fn add(&mut self, game: u32, lines: &Lines) {
        self.path.clear();
        let codes = Codes::of(lines.size);
        for (number, line) in (0..).zip(&lines.lines) {
            self.games.push(game);
            for (column, value) in self.numbers.iter_mut().zip([number, line.from, line.first_node]) {
                column.push(i32::try_from(value).unwrap_or(i32::MAX));
            }
            self.steps.append_value(line.own.iter().flat_map(|code| code.to_le_bytes()).collect::<Vec<u8>>());
            if line.from == 0 {
                self.path.clear();
            }
            self.path.follow(codes, line.from, line.own.iter().copied());
            self.first.clear();
            self.later_points.clear();
            if self.class != Class::Other {
                self.first.resize(self.points.len(), 0);
                find_first(codes, &self.path.ops, &mut self.first, &mut self.later_points);
            }
            self.later.values().append_slice(&self.later_points);
            self.later.append(true);
            self.points.iter_mut().zip(&self.first).for_each(|(column, first)| column.push(*first));
        }
    }

    fn finish(mut self, schema: SchemaRef, headers: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        let headers = take_record_batch(headers, &UInt32Array::from(self.games))?;
        let mut arrays: Vec<ArrayRef> = headers.columns().to_vec();
        for numbers in self.numbers {
            arrays.push(Arc::new(Int32Array::from(numbers)));
        }
        arrays.push(Arc::new(self.later.finish()));
        arrays.push(Arc::new(self.steps.finish()));
        arrays.extend(self.points.into_iter().map(|column| Arc::new(Int16Array::from(column)) as ArrayRef));
        RecordBatch::try_new(schema, arrays)
    }
}

/// Finds when the first stone of each point comes, and the points that change later: the depth plus one, negative for
/// White.
fn find_first(codes: Codes, ops: &[u16], first: &mut [i16], later: &mut Vec<u16>) {
    let mut depth: usize = 0; // of the node, plus one
    let mut seen = vec![false; first.len()];
    for op in ops.iter().filter_map(|code| codes.op(*code)) {
        depth += usize::from(op.is_node());
        let (at, color) = match op {
            Op::Move(color, at) | Op::Place(color, at) => (at, Some(color)),
            Op::Remove(at) => (at, None),
            Op::Pass(_) | Op::Node | Op::Played(..) | Op::PlayedPass(_) | Op::Earlier => continue,
        };
        let Some(first) = first.get_mut(usize::from(at)) else { continue };
        let is_later = *first != 0 || depth > MOST_DEPTH as usize;
        if let Some(color) = color.filter(|_| *first == 0) {
            let value = i16::try_from(depth).unwrap_or(MOST_DEPTH).min(MOST_DEPTH);
            *first = if color == sgf_stream::value::Color::Black { value } else { -value };
        }
        if is_later && !std::mem::replace(&mut seen[usize::from(at)], true) {
            later.push(at);
        }
    }
}
