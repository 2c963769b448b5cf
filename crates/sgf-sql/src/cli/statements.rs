//! The statements of a text, run in a session.

use datafusion::logical_expr::LogicalPlan;
use datafusion::sql::parser::DFParser;

use super::Common;
use super::errors::Failure;
use super::output::Target;
use super::session::{Session, shows_progress};
use super::spinner::Spinner;

/// Runs the statements of a text, one after the other.
pub(super) async fn statements(session: &Session, text: &str, target: &Target, common: &Common) -> Result<(), Failure> {
    session.add_columns_of(text)?;
    let of_query = |error| Failure::of_query(&error, text);
    let statements = DFParser::parse_sql(text).map_err(of_query)?;
    if statements.len() > 1 && target.output.is_some() {
        let has_rows = "only one statement can be written to a file with -o";
        return Err(Failure::Usage(has_rows.to_owned()));
    }
    for statement in statements {
        let state = session.ctx.state();
        let plan = state.statement_to_plan(statement).await.map_err(of_query)?;
        let is_silent = matches!(&plan, LogicalPlan::Ddl(_) | LogicalPlan::Statement(_));
        let inputs = session.inputs(&plan)?;
        let frame = session.ctx.execute_logical_plan(plan).await.map_err(of_query)?;
        let spinner = Spinner::start(&session.progress, shows_progress(common, target.prints_meanwhile()));
        let rows = frame.execute_stream().await.map_err(of_query)?;
        if is_silent {
            continue;
        }
        let written = target.write(rows, text, &inputs, spinner).await;
        session.report_files();
        written?;
    }
    Ok(())
}
