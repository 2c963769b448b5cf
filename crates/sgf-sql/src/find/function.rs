//! The function `find` of tables.

use std::sync::Arc;

use datafusion::catalog::{Session, TableFunctionArgs, TableFunctionImpl, TableProvider};
use datafusion::common::{TableReference, plan_datafusion_err};
use datafusion::error::Result;
use datafusion::logical_expr::Expr;
use futures::FutureExt;
use sgf_table::Table;

use super::Asked;
use crate::table::SgfTable;

/// `find('pattern', 'options', 'table')`: the games of a table that have a pattern.
#[derive(Debug)]
pub(crate) struct Find;

const USAGE: &str = "find('pattern', 'options', 'table'); options and table may be left out";

impl TableFunctionImpl for Find {
    fn call_with_args(&self, args: TableFunctionArgs<'_, '_>) -> Result<Arc<dyn TableProvider>> {
        let wrong = |problem: String| plan_datafusion_err!("find: {problem}");
        let texts: Option<Vec<&str>> = args.exprs().iter().map(text).collect();
        let texts = texts.ok_or_else(|| wrong(format!("an argument is not a text in quotes; write {USAGE}")))?;
        let (pattern, options, table) = match texts[..] {
            [pattern] => (pattern, "", None),
            [pattern, options] => (pattern, options, None),
            [pattern, options, table] => (pattern, options, Some(table)),
            _ => return Err(wrong(format!("it has 1 to 3 arguments, not {}; write {USAGE}", texts.len()))),
        };
        let asked = Asked::read(pattern, options).map_err(wrong)?;
        let table = match table {
            Some(name) => named(args.session(), TableReference::parse_str(name))
                .ok_or_else(|| wrong(format!("no table of SGF files has the name {name:?}")))?,
            None => [Table::Games, Table::Moves, Table::Properties]
                .into_iter()
                .find_map(|table| named(args.session(), TableReference::bare(table.name())))
                .ok_or_else(|| {
                    wrong(
                        "there is no table games whose files it could search; add PATHs, or write the name of a table \
                         of SGF files: find('pattern', '', 'table')"
                            .to_owned(),
                    )
                })?,
        };
        Ok(Arc::new(table.finding(asked)))
    }
}

fn text(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Literal(value, _) => value.try_as_str().flatten(),
        _ => None,
    }
}

/// Returns the table of SGF files with a name.
fn named(session: &dyn Session, name: TableReference) -> Option<SgfTable> {
    let defaults = &session.config_options().catalog;
    let name = name.resolve(&defaults.default_catalog, &defaults.default_schema);
    let schema = session.catalog_list().catalog(&name.catalog)?.schema(&name.schema)?;
    // Schemas in memory answer at once. Those of files and services have no tables of ours.
    let table = schema.table(&name.table).now_or_never()?.ok()??;
    (*table).downcast_ref::<SgfTable>().cloned()
}
