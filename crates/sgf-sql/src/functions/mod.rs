//! Functions of SQL over games that DataFusion does not have.

pub(crate) mod dates;
mod moves;
mod positions;

use datafusion::common::{exec_datafusion_err, plan_datafusion_err};
use datafusion::error::DataFusionError;
use datafusion::logical_expr::ScalarUDF;

/// Returns the functions. Those with names of DataFusion's replace them.
pub(crate) fn all() -> impl Iterator<Item = ScalarUDF> {
    dates::all().chain(moves::all()).chain(positions::all())
}

/// Returns the error of a call with wrong arguments.
fn wrong_call(usage: &str, problem: &str) -> DataFusionError {
    plan_datafusion_err!("{problem}; write {usage}")
}

/// Returns the error of an argument that has a value that is wrong.
fn wrong_value(function: &str, problem: &str) -> DataFusionError {
    exec_datafusion_err!("{function}: {problem}")
}
