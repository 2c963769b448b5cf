//! Functions of positions in a line of moves, as the column `moves` has it: patterns and hashes.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, FixedSizeBinaryArray, FixedSizeBinaryBuilder, ListArray, UInt16Array,
};
use datafusion::arrow::datatypes::{DataType, Field, Int64Type, UInt16Type};
use datafusion::common::{ScalarValue, plan_datafusion_err};
use datafusion::error::Result;
use datafusion::logical_expr::simplify::{ExprSimplifyResult, SimplifyContext};
use datafusion::logical_expr::{
    ColumnarValue, Expr, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use sgf_board::Board;
use sgf_search::Matcher;
use sgf_stream::value::go::{Move, Point};
use sgf_stream::value::{Color, Size};

use super::{wrong_call, wrong_value};
use crate::find::Asked;

pub(super) fn all() -> impl Iterator<Item = ScalarUDF> {
    let signature = || Signature::user_defined(Volatility::Immutable);
    [Kind::Matches, Kind::AsPlayed, Kind::Canonical]
        .into_iter()
        .map(move |kind| ScalarUDF::from(OfPositions { kind, signature: signature() }))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct OfPositions {
    kind: Kind,
    signature: Signature,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Matches,
    AsPlayed,
    Canonical,
}

/// Length of a hash in bytes.
const HASH: i32 = 8;

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Matches => "matches",
            Kind::AsPlayed => "position_hash",
            Kind::Canonical => "canonical_position",
        }
    }

    fn usage(self) -> &'static str {
        match self {
            Kind::Matches => "matches(moves, size_x, size_y, 'X./.O')",
            Kind::AsPlayed => "position_hash(moves, size_x, size_y, 30)",
            Kind::Canonical => "canonical_position(moves, size_x, size_y, 30)",
        }
    }
}

/// Options of a search that a line of moves cannot have.
const OF_GAMES: [&str; 2] = ["variations", "every_place"];

/// Reads the pattern of `matches`.
fn read(pattern: &str, words: &str) -> Result<Asked, String> {
    let asked = Asked::read(pattern, words)?;
    match OF_GAMES.into_iter().find(|word| asked.has(word)) {
        Some(word) => Err(format!("a line of moves has no {word}; use find('pattern', '{word}')")),
        None => Ok(asked),
    }
}

impl ScalarUDFImpl for OfPositions {
    fn name(&self) -> &str {
        self.kind.name()
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        let (name, usage) = (self.name(), self.kind.usage());
        let wrong = |problem: String| Err(wrong_call(usage, &problem));
        let has_options = self.kind == Kind::Matches && given.len() == 5;
        if given.len() != 4 && !has_options {
            let numbers = if self.kind == Kind::Matches { "4 or 5" } else { "4" };
            return wrong(format!("{name} has {numbers} arguments, not {}", given.len()));
        }
        let last = if self.kind == Kind::Matches { DataType::Utf8 } else { DataType::Int64 };
        let mut wanted = vec![moves_type(), DataType::Int64, DataType::Int64, last];
        wanted.extend(has_options.then_some(DataType::Utf8));
        for (number, (given, wanted)) in (1..).zip(given.iter().zip(&wanted)) {
            let (fits, what) = match wanted {
                DataType::Utf8 => (is_text(given), "text"),
                DataType::Int64 => (given.is_integer(), "a whole number"),
                _ => (is_list(given), "the column moves"),
            };
            if !fits && !given.is_null() {
                return wrong(format!("argument {number} of {name} is not {what}"));
            }
        }
        Ok(wanted)
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(match self.kind {
            Kind::Matches => DataType::Boolean,
            Kind::AsPlayed | Kind::Canonical => DataType::FixedSizeBinary(HASH),
        })
    }

    /// Rejects a wrong pattern before the query runs.
    fn simplify(&self, args: Vec<Expr>, _: &SimplifyContext) -> Result<ExprSimplifyResult> {
        let text = |at: usize| match args.get(at) {
            Some(Expr::Literal(value, _)) => value.try_as_str().flatten(),
            _ => None,
        };
        if self.kind == Kind::Matches
            && let Some(pattern) = text(3)
        {
            read(pattern, text(4).unwrap_or_default()).map_err(|error| plan_datafusion_err!("matches: {error}"))?;
        }
        Ok(ExprSimplifyResult::Original(args))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let is_scalar = args.args.iter().all(|arg| matches!(arg, ColumnarValue::Scalar(_)));
        let arrays = ColumnarValue::values_to_arrays(&args.args)?;
        let result: ArrayRef = match self.kind {
            Kind::Matches => Arc::new(self.matches(&arrays)?),
            Kind::AsPlayed => Arc::new(self.hashes(&arrays, Board::hash)?),
            Kind::Canonical => Arc::new(self.hashes(&arrays, Board::canonical_hash)?),
        };
        Ok(match is_scalar {
            true => ColumnarValue::Scalar(ScalarValue::try_from_array(&result, 0)?),
            false => ColumnarValue::Array(result),
        })
    }
}

fn moves_type() -> DataType {
    DataType::List(Arc::new(Field::new_list_field(DataType::UInt16, true)))
}

fn is_list(given: &DataType) -> bool {
    let item = match given {
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => item.data_type(),
        _ => return false,
    };
    item.is_integer() || item.is_null()
}

fn is_text(given: &DataType) -> bool {
    match given {
        DataType::Dictionary(_, value) => is_text(value),
        given => given.is_string(),
    }
}

/// The code of a pass.
const PASS: u16 = 0x7FFF;

/// The smallest code of a word of Hex, such as that of resigning.
const WORDS: u16 = 0x7FFB;

/// What codes of moves of white have more.
const WHITE: u16 = 0x8000;

/// A line of moves on a board.
struct Line {
    codes: UInt16Array,
    size: Size,
}

impl Line {
    /// Reads the line of a row; `None` if it is null, or if no board has the size.
    fn of(arrays: &[ArrayRef], row: usize) -> Option<Self> {
        let lists: &ListArray = arrays[0].as_list::<i32>();
        let side = |array: &ArrayRef| {
            let numbers = array.as_primitive::<Int64Type>();
            numbers.is_valid(row).then(|| u32::try_from(numbers.value(row)).ok()).flatten()
        };
        let size = Size::new(side(&arrays[1])?, side(&arrays[2])?)?;
        let is_line = lists.is_valid(row) && size.columns() <= 52 && size.rows() <= 52;
        is_line.then(|| Line { codes: lists.value(row).as_primitive::<UInt16Type>().clone(), size })
    }

    fn len(&self) -> usize {
        self.codes.len()
    }

    /// Returns the moves, or the first code that is not a move on the board.
    fn moves(&self) -> Result<Vec<(Color, Move)>, u16> {
        let columns = self.size.columns();
        let played = |code: u16| {
            let color = if code & WHITE == 0 { Color::Black } else { Color::White };
            let (x, y) = (u32::from(code & !WHITE) % columns, u32::from(code & !WHITE) / columns);
            let point = || Point::new(u8::try_from(x).ok()?, u8::try_from(y).ok().filter(|_| y < self.size.rows())?);
            match code & !WHITE {
                WORDS..=PASS => Ok((color, Move::Pass)),
                _ => point().map(|point| (color, Move::Play(point))).ok_or(code),
            }
        };
        self.codes.iter().flatten().map(played).collect()
    }
}

impl OfPositions {
    fn moves(&self, line: &Line) -> Result<Vec<(Color, Move)>> {
        line.moves().map_err(|code| {
            let (columns, rows) = (line.size.columns(), line.size.rows());
            let problem = format!("{code} is not a move on a board of {columns} columns and {rows} rows");
            wrong_value(self.name(), &problem)
        })
    }

    /// Whether lines have patterns.
    fn matches(&self, arrays: &[ArrayRef]) -> Result<BooleanArray> {
        let patterns = arrays[3].as_string::<i32>();
        let words = arrays.get(4).map(|words| words.as_string::<i32>());
        let mut matchers: HashMap<(&str, &str), Matcher> = HashMap::new();
        let has = |row: usize| -> Result<Option<bool>> {
            if patterns.is_null(row) || words.is_some_and(|words| words.is_null(row)) {
                return Ok(None);
            }
            let asked = (patterns.value(row), words.map_or("", |words| words.value(row)));
            let Some(line) = Line::of(arrays, row) else { return Ok(None) };
            let matcher = match matchers.entry(asked) {
                std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
                std::collections::hash_map::Entry::Vacant(new) => {
                    let asked = read(asked.0, asked.1).map_err(|error| wrong_value(self.name(), &error))?;
                    new.insert(asked.search().matcher())
                }
            };
            Ok(Some(matcher.line(line.size, self.moves(&line)?).is_some()))
        };
        (0..patterns.len()).map(has).collect()
    }

    /// The hashes of positions after so many moves; null if a line has fewer.
    fn hashes(&self, arrays: &[ArrayRef], hash: fn(&Board) -> u64) -> Result<FixedSizeBinaryArray> {
        let plies = arrays[3].as_primitive::<Int64Type>();
        let mut hashes = FixedSizeBinaryBuilder::with_capacity(plies.len(), HASH);
        for row in 0..plies.len() {
            let line = plies.is_valid(row).then(|| Line::of(arrays, row)).flatten();
            let most = usize::try_from(plies.value(row)).ok();
            let position = match (line, most) {
                (Some(line), Some(most)) if most <= line.len() => self.board(&line, most)?,
                _ => None,
            };
            match position {
                Some(board) => hashes.append_value(hash(&board).to_be_bytes())?,
                None => hashes.append_null(),
            }
        }
        Ok(hashes.finish())
    }

    /// The board after so many moves.
    fn board(&self, line: &Line, most: usize) -> Result<Option<Board>> {
        let Some(mut board) = Board::new(line.size) else { return Ok(None) };
        for (color, played) in self.moves(line)?.into_iter().take(most) {
            if let Move::Play(point) = played {
                board.play(color, point);
            }
        }
        Ok(Some(board))
    }
}
