//! Functions of dates: `year(date)`, `month(date)`, `day(date)`, and `date_trunc` as databases have it.

use std::sync::Arc;

use chrono::{Datelike, Days, NaiveDate};
use datafusion::arrow::array::{ArrayRef, AsArray, Date32Array};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Date32Type, FieldRef};
use datafusion::common::types::{logical_date, logical_string};
use datafusion::common::{ScalarValue, exec_err};
use datafusion::error::Result;
use datafusion::functions::datetime;
use datafusion::functions::datetime::expr_fn::date_part;
use datafusion::logical_expr::simplify::{ExprSimplifyResult, SimplifyContext};
use datafusion::logical_expr::{
    Coercion, ColumnarValue, Expr, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature,
    TypeSignature, TypeSignatureClass, Volatility, lit,
};

use super::wrong_value;

pub(super) fn all() -> impl Iterator<Item = ScalarUDF> {
    ["year", "month", "day"].into_iter().map(part).chain([ScalarUDF::from(DateTrunc::new())])
}

/// The function `year`.
pub(crate) fn year() -> ScalarUDF {
    part("year")
}

fn part(name: &'static str) -> ScalarUDF {
    ScalarUDF::from(DatePart { name, signature: Signature::any(1, Volatility::Immutable) })
}

/// A part of a date, by a function of its name. The planner replaces it by `date_part`.
#[derive(Debug, PartialEq, Eq, Hash)]
struct DatePart {
    name: &'static str,
    signature: Signature,
}

impl ScalarUDFImpl for DatePart {
    fn name(&self) -> &str {
        self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Int32)
    }

    fn simplify(&self, args: Vec<Expr>, _: &SimplifyContext) -> Result<ExprSimplifyResult> {
        let args = <[Expr; 1]>::try_from(args);
        Ok(match args {
            Ok([date]) => ExprSimplifyResult::Simplified(date_part(lit(self.name), date)),
            Err(args) => ExprSimplifyResult::Original(args),
        })
    }

    fn invoke_with_args(&self, _: ScalarFunctionArgs) -> Result<ColumnarValue> {
        exec_err!("{} has to be replaced by date_part before it runs", self.name)
    }
}

/// `date_trunc`: also of decades, centuries and millennia, and the first day of a date's unit is a date.
///
/// That of DataFusion makes a date a timestamp in nanoseconds, which has no room for days before 1677.
#[derive(Debug, PartialEq, Eq, Hash)]
struct DateTrunc {
    /// That of DataFusion.
    of_times: Arc<ScalarUDF>,
    signature: Signature,
}

impl DateTrunc {
    fn new() -> Self {
        let of_times = datetime::date_trunc();
        let exact = |class| Coercion::new_exact(TypeSignatureClass::Native(class));
        let of_dates = TypeSignature::Coercible(vec![exact(logical_string()), exact(logical_date())]);
        let signatures = vec![of_dates, of_times.signature().type_signature.clone()];
        DateTrunc { of_times, signature: Signature::one_of(signatures, Volatility::Immutable) }
    }
}

impl ScalarUDFImpl for DateTrunc {
    fn name(&self) -> &str {
        self.of_times.name()
    }

    fn aliases(&self) -> &[String] {
        self.of_times.aliases()
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        self.of_times.return_type(types)
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs<'_>) -> Result<FieldRef> {
        self.of_times.return_field_from_args(args)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let [ColumnarValue::Scalar(unit), times] = &args.args[..] else {
            return self.of_times.invoke_with_args(args);
        };
        let unit = unit.try_as_str().flatten().map(str::to_lowercase).unwrap_or_default();
        let is_date = matches!(times.data_type(), DataType::Date32 | DataType::Date64);
        let first_day = match first_day_of(&unit) {
            Some((first_day, is_long)) if is_date || is_long => first_day,
            None if is_date => {
                let problem = format!(
                    "{unit:?} is not a unit of time; write millennium, century, decade, year, quarter, month, week or day"
                );
                return Err(wrong_value(self.name(), &problem));
            }
            _ => return self.of_times.invoke_with_args(args),
        };
        let truncate = |times: &ArrayRef| -> Result<ArrayRef> {
            let days = cast(times, &DataType::Date32)?;
            let days = days.as_primitive::<Date32Type>().iter().map(|day| {
                let first = first_day(Date32Type::to_naive_date_opt(day?)?)?;
                Some(Date32Type::from_naive_date(first))
            });
            Ok(cast(&days.collect::<Date32Array>(), args.return_field.data_type())?)
        };
        Ok(match times {
            ColumnarValue::Array(times) => ColumnarValue::Array(truncate(times)?),
            ColumnarValue::Scalar(time) => {
                ColumnarValue::Scalar(ScalarValue::try_from_array(&truncate(&time.to_array()?)?, 0)?)
            }
        })
    }
}

type FirstDay = fn(NaiveDate) -> Option<NaiveDate>;

/// Returns the function that finds the first day of a unit of time, and whether the unit is one that DataFusion lacks.
fn first_day_of(unit: &str) -> Option<(FirstDay, bool)> {
    let lacking = |first_day: FirstDay| Some((first_day, true));
    let known = |first_day: FirstDay| Some((first_day, false));
    match unit {
        // The first century has the years 1 to 100.
        "millennium" => lacking(|day| new_year(day.year() - (day.year() - 1).rem_euclid(1000))),
        "century" => lacking(|day| new_year(day.year() - (day.year() - 1).rem_euclid(100))),
        "decade" => lacking(|day| new_year(day.year() - day.year().rem_euclid(10))),
        "year" => known(|day| new_year(day.year())),
        "quarter" => known(|day| NaiveDate::from_ymd_opt(day.year(), day.month0() / 3 * 3 + 1, 1)),
        "month" => known(|day| day.with_day(1)),
        "week" => known(|day| day.checked_sub_days(Days::new(day.weekday().num_days_from_monday().into()))),
        "day" | "hour" | "minute" | "second" | "millisecond" | "microsecond" => known(Some),
        _ => None,
    }
}

fn new_year(year: i32) -> Option<NaiveDate> {
    NaiveDate::from_ymd_opt(year, 1, 1)
}
