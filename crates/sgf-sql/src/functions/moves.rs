//! Functions of lines of moves, as the column `sgf_moves` has them: those of [`MoveText`].

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, Int64Array, ListBuilder, StringArray, StringBuilder,
};
use datafusion::arrow::datatypes::{DataType, Field, Int64Type};
use datafusion::common::ScalarValue;
use datafusion::error::Result;
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility};
use sgf_board::MoveText;
use sgf_stream::value::Size;

use super::{wrong_call, wrong_value};

pub(super) fn all() -> impl Iterator<Item = ScalarUDF> {
    let signature = || Signature::user_defined(Volatility::Immutable);
    [Kind::Has, Kind::Canonical, Kind::Corners]
        .into_iter()
        .map(move |kind| ScalarUDF::from(OfMoves { kind, signature: signature() }))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct OfMoves {
    kind: Kind,
    signature: Signature,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Has,
    Canonical,
    Corners,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Has => "has_moves",
            Kind::Canonical => "canonical_moves",
            Kind::Corners => "corner_moves",
        }
    }

    fn usage(self) -> &'static str {
        match self {
            Kind::Has => "has_moves(sgf_moves, 'qdqc')",
            Kind::Canonical => "canonical_moves(sgf_moves, size_x, size_y, 6)",
            Kind::Corners => "corner_moves(sgf_moves, size_x, size_y, 6)",
        }
    }

    /// The types of its arguments.
    fn arguments(self) -> &'static [DataType] {
        match self {
            Kind::Has => &[DataType::Utf8, DataType::Utf8],
            Kind::Canonical | Kind::Corners => &[DataType::Utf8, DataType::Int64, DataType::Int64, DataType::Int64],
        }
    }
}

/// Whether a value of a type may be an argument of another one.
fn fits(given: &DataType, wanted: &DataType) -> bool {
    match given {
        DataType::Null => true,
        DataType::Dictionary(_, value) => fits(value, wanted),
        given if *wanted == DataType::Utf8 => given.is_string(),
        given => given.is_integer(),
    }
}

impl ScalarUDFImpl for OfMoves {
    fn name(&self) -> &str {
        self.kind.name()
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        let (wanted, name, usage) = (self.kind.arguments(), self.name(), self.kind.usage());
        if given.len() != wanted.len() {
            return Err(wrong_call(usage, &format!("{name} has {} arguments, not {}", wanted.len(), given.len())));
        }
        for (number, (given, wanted)) in (1..).zip(given.iter().zip(wanted)) {
            if !fits(given, wanted) {
                let kind = if *wanted == DataType::Utf8 { "text" } else { "a whole number" };
                return Err(wrong_call(usage, &format!("argument {number} of {name} is not {kind}")));
            }
        }
        Ok(wanted.to_vec())
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(match self.kind {
            Kind::Has => DataType::Boolean,
            Kind::Canonical => DataType::Utf8,
            Kind::Corners => DataType::List(Arc::new(Field::new_list_field(DataType::Utf8, true))),
        })
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let is_scalar = args.args.iter().all(|arg| matches!(arg, ColumnarValue::Scalar(_)));
        let arrays = ColumnarValue::values_to_arrays(&args.args)?;
        let result: ArrayRef = match self.kind {
            Kind::Has => {
                let (lines, wanted) = (arrays[0].as_string::<i32>(), arrays[1].as_string::<i32>());
                let has = |(line, wanted): (Option<&str>, Option<&str>)| -> Result<Option<bool>> {
                    let (Some(line), Some(wanted)) = (line, wanted) else { return Ok(None) };
                    Ok(Some(self.read(line)?.contains(self.read(wanted)?)))
                };
                Arc::new(lines.iter().zip(wanted).map(has).collect::<Result<BooleanArray>>()?)
            }
            Kind::Canonical => {
                let canonical = |row| {
                    let line = self.line(&arrays, row)?;
                    Ok(line.and_then(|Line { moves, size, most }| moves.canonical(size, most)))
                };
                Arc::new((0..arrays[0].len()).map(canonical).collect::<Result<StringArray>>()?)
            }
            Kind::Corners => {
                let mut lists = ListBuilder::new(StringBuilder::new());
                for row in 0..arrays[0].len() {
                    let line = self.line(&arrays, row)?;
                    let corners = line.and_then(|Line { moves, size, most }| moves.corners(size, most));
                    lists.append_option(corners.map(|corners| corners.into_iter().map(Some)));
                }
                Arc::new(lists.finish())
            }
        };
        Ok(match is_scalar {
            true => ColumnarValue::Scalar(ScalarValue::try_from_array(&result, 0)?),
            false => ColumnarValue::Array(result),
        })
    }
}

/// The first moves of a line on a board.
struct Line<'t> {
    moves: MoveText<'t>,
    size: Size,
    most: usize,
}

impl OfMoves {
    fn read<'t>(&self, text: &'t str) -> Result<MoveText<'t>> {
        MoveText::new(text).ok_or_else(|| {
            let problem = format!(
                "{text:?} is not a line of moves; write two letters per move and -- for a pass, as in 'qddc--'"
            );
            wrong_value(self.name(), &problem)
        })
    }

    /// The arguments of a row; `None` if one of them is null, or if no board has the size.
    fn line<'t>(&self, arrays: &'t [ArrayRef], row: usize) -> Result<Option<Line<'t>>> {
        if arrays.iter().any(|array| array.is_null(row)) {
            return Ok(None);
        }
        let number = |at: usize| {
            let numbers: &Int64Array = arrays[at].as_primitive::<Int64Type>();
            numbers.value(row)
        };
        let most = usize::try_from(number(3))
            .map_err(|_| wrong_value(self.name(), &format!("{} is not a number of moves", number(3))))?;
        let side = |at: usize| u32::try_from(number(at)).ok();
        let size = side(1).zip(side(2)).and_then(|(columns, rows)| Size::new(columns, rows));
        let moves = self.read(arrays[0].as_string::<i32>().value(row))?;
        Ok(size.map(|size| Line { moves, size, most }))
    }
}
