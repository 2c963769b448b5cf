//! Functions that people expect of SQL and DataFusion does not have: `year(date)`, `month(date)`, `day(date)`.

use datafusion::arrow::datatypes::DataType;
use datafusion::common::exec_err;
use datafusion::error::Result;
use datafusion::functions::datetime::expr_fn::date_part;
use datafusion::logical_expr::simplify::{ExprSimplifyResult, SimplifyContext};
use datafusion::logical_expr::{
    ColumnarValue, Expr, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility, lit,
};

/// A part of a date, by a function of its name. The planner replaces it by `date_part`.
#[derive(Debug, PartialEq, Eq, Hash)]
struct DatePart {
    name: &'static str,
    signature: Signature,
}

/// Returns the functions.
pub(crate) fn all() -> impl Iterator<Item = ScalarUDF> {
    ["year", "month", "day"]
        .into_iter()
        .map(|name| ScalarUDF::from(DatePart { name, signature: Signature::any(1, Volatility::Immutable) }))
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
