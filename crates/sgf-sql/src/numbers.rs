//! Numbers beside dates.
//!
//! DataFusion takes a number for days after 1970, so that `date > 1960` finds the games after 1975-05-14. Here a number
//! that becomes a date is an error, which says what to write instead. A year in quotes gets the same advice.

use std::sync::Arc;

use datafusion::arrow::datatypes::DataType;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{Column, DFSchema, Diagnostic, ScalarValue, Span, plan_datafusion_err};
use datafusion::config::ConfigOptions;
use datafusion::error::{DataFusionError, Result};
use datafusion::logical_expr::expr::{Case, InList};
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{
    Between, BinaryExpr, Cast, Expr, ExprSchemable, LogicalPlan, Operator, TryCast, binary_expr, lit,
};
use datafusion::optimizer::AnalyzerRule;
use datafusion::prelude::SessionContext;
use datafusion::sql::sqlparser::ast;
use datafusion::sql::unparser::Unparser;
use datafusion::sql::unparser::dialect::Dialect;
use sgf_table::Table;

use crate::functions::dates::year;

/// Rejects plans in which a number becomes a date. The rule runs after the planner has added casts where types differ, so
/// it sees every such place: comparisons, lists, joins, subqueries, arguments of functions.
#[derive(Debug)]
struct NumbersAreNotDates;

const NAME: &str = "numbers_are_not_dates";

/// Adds the rule to a context that does not have it yet.
pub(crate) fn reject_as_dates(ctx: &SessionContext) {
    if !ctx.state().analyzer().rules.iter().any(|rule| rule.name() == NAME) {
        ctx.add_analyzer_rule(Arc::new(NumbersAreNotDates));
    }
}

impl AnalyzerRule for NumbersAreNotDates {
    fn name(&self) -> &str {
        NAME
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        plan.apply_with_subqueries(|node| {
            let inputs = node.inputs();
            let schema = if inputs.is_empty() { node.schema().as_ref().clone() } else { merge_schema(&inputs) };
            if let LogicalPlan::Join(join) = node {
                for (left, right) in &join.on {
                    check(&binary_expr(left.clone(), Operator::Eq, right.clone()), &schema)?;
                }
            }
            node.apply_expressions(|expr| check(expr, &schema))
        })?;
        Ok(plan)
    }
}

/// Fails if a number becomes a date somewhere in an expression.
fn check(expr: &Expr, schema: &DFSchema) -> Result<TreeNodeRecursion> {
    expr.apply(|expr| match beside_dates(expr, schema).or_else(|| alone(expr, schema)) {
        Some(error) => Err(error),
        None => Ok(TreeNodeRecursion::Continue),
    })
}

/// The error of a comparison of dates with what is not one.
fn beside_dates(comparison: &Expr, schema: &DFSchema) -> Option<DataFusionError> {
    let (mut dates, mut others) = (Vec::new(), Vec::new());
    with_operands(comparison, |operand| {
        match Other::of(operand, schema) {
            Some(other) => others.push(other),
            None => dates.push(operand.clone()),
        }
        operand.clone()
    })?;
    let (date, other) = (dates.first()?, others.first()?);
    let of_years = |operand: &Expr| match Other::of(operand, schema).and_then(|other| other.year) {
        Some(number) => number,
        None => year().call(vec![operand.clone()]),
    };
    let of_days = |operand: &Expr| match Other::of(operand, schema).and_then(|other| other.day) {
        Some(day) => lit(day),
        None => operand.clone(),
    };
    let instead = if others.iter().all(|other| other.year.is_some()) {
        with_operands(comparison, of_years)
    } else if others.iter().all(|other| other.day.is_some()) {
        with_operands(comparison, of_days)
    } else {
        None
    };
    let instead =
        instead.and_then(|instead| spell(&instead)).map_or_else(String::new, |instead| format!("{instead}, or "));
    let message = format!(
        "{} is a date, and {} is {}; write {instead}a day as in '1960-12-31'",
        name(date),
        name(&other.given),
        other.kind
    );
    Some(error(message, span_of(date)))
}

/// The error of a number that becomes a date elsewhere, such as in a list of arguments.
fn alone(expr: &Expr, schema: &DFSchema) -> Option<DataFusionError> {
    let (number, _) = to_date(expr).or_else(|| Some((default_of_window(expr, schema)?, true)))?;
    if !number.get_type(schema).is_ok_and(|from| from.is_numeric()) {
        return None;
    }
    let message = format!(
        "{} is a number, and a date is expected; write a day as in '1960-12-31', or take the year of the date: year(date)",
        name(number)
    );
    Some(error(message, span_of(number)))
}

/// The default of `lag` or `lead` of dates: it becomes a date when the query runs.
fn default_of_window<'e>(expr: &'e Expr, schema: &DFSchema) -> Option<&'e Expr> {
    let Expr::WindowFunction(window) = expr else { return None };
    let [of, _, default] = &window.params.args[..] else { return None };
    let is_date = of.get_type(schema).is_ok_and(|of| matches!(of, DataType::Date32 | DataType::Date64));
    (is_date && ["lag", "lead"].contains(&window.fun.name())).then_some(default)
}

fn error(message: String, span: Option<Span>) -> DataFusionError {
    plan_datafusion_err!("{message}").with_diagnostic(Diagnostic::new_error(message, span))
}

/// What is not a date, and becomes one: a number, or a text that is not a day.
struct Other {
    given: Expr,
    kind: &'static str,
    /// The number, if it may be meant as a year.
    year: Option<Expr>,
    /// The day that a number such as 19601231 writes.
    day: Option<String>,
}

impl Other {
    fn of(expr: &Expr, schema: &DFSchema) -> Option<Other> {
        let (from, fails) = to_date(expr)?;
        let text = if let Expr::Literal(value, _) = from { value.try_as_str().flatten() } else { None };
        if let Some(text) = text {
            if !fails || ScalarValue::from(text).cast_to(&DataType::Date32).is_ok() {
                return None;
            }
            let year = text.trim().parse::<i64>().ok().map(lit).filter(may_be_year);
            return Some(Other { given: from.clone(), kind: "a text that is not a day", year, day: None });
        }
        if !from.get_type(schema).is_ok_and(|from| from.is_numeric()) {
            return None;
        }
        let year = may_be_year(from).then(|| from.clone());
        Some(Other { given: from.clone(), kind: "a number", year, day: written_day(from) })
    }
}

/// What an expression makes a date of, and whether it fails for what is not one.
fn to_date(expr: &Expr) -> Option<(&Expr, bool)> {
    let (from, field, fails) = match expr {
        Expr::Cast(Cast { expr, field }) => (expr, field, true),
        Expr::TryCast(TryCast { expr, field }) => (expr, field, false),
        _ => return None,
    };
    matches!(field.data_type(), DataType::Date32 | DataType::Date64).then_some((from, fails))
}

/// Copies a comparison with other operands; `None` if the expression is not one.
fn with_operands(expr: &Expr, mut operand: impl FnMut(&Expr) -> Expr) -> Option<Expr> {
    let mut boxed = |of: &Expr| Box::new(operand(of));
    Some(match expr {
        Expr::BinaryExpr(BinaryExpr { left, op, right }) if compares(*op) => {
            Expr::BinaryExpr(BinaryExpr { left: boxed(left), op: *op, right: boxed(right) })
        }
        Expr::Between(Between { expr, negated, low, high }) => {
            Expr::Between(Between { expr: boxed(expr), negated: *negated, low: boxed(low), high: boxed(high) })
        }
        Expr::InList(InList { expr, list, negated }) => {
            let expr = boxed(expr);
            Expr::InList(InList { expr, list: list.iter().map(|item| *boxed(item)).collect(), negated: *negated })
        }
        Expr::Case(Case { expr: Some(base), when_then_expr, else_expr }) => {
            let base = boxed(base);
            let branches = when_then_expr.iter().map(|(when, then)| (boxed(when), then.clone())).collect();
            Expr::Case(Case { expr: Some(base), when_then_expr: branches, else_expr: else_expr.clone() })
        }
        _ => return None,
    })
}

fn compares(op: Operator) -> bool {
    use Operator as O;
    matches!(op, O::Eq | O::NotEq | O::Lt | O::LtEq | O::Gt | O::GtEq | O::IsDistinctFrom | O::IsNotDistinctFrom)
}

/// Whether a number may be meant as a year: all but literals that are not years.
fn may_be_year(number: &Expr) -> bool {
    literal(number).is_none_or(|number| (1..=9999).contains(&number)) && !matches!(number, Expr::Negative(_))
}

/// The day that a number such as 19601231 writes.
fn written_day(number: &Expr) -> Option<String> {
    let number = literal(number).and_then(|number| u32::try_from(number).ok())?;
    let (year, month, day) = (number / 10_000, number / 100 % 100, number % 100);
    chrono::NaiveDate::from_ymd_opt(year.try_into().ok().filter(|year| (1000..=9999).contains(year))?, month, day)
        .map(|day| day.to_string())
}

fn literal(expr: &Expr) -> Option<i64> {
    let Expr::Literal(value, _) = expr else { return None };
    match value.cast_to(&DataType::Int64) {
        Ok(ScalarValue::Int64(number)) => number,
        _ => None,
    }
}

/// The place of a column of an expression in the query.
fn span_of(expr: &Expr) -> Option<Span> {
    expr.column_refs().into_iter().find_map(|column| column.spans.first())
}

/// Names an expression: by its text in SQL, or by its column.
fn name(expr: &Expr) -> String {
    let of_column = || Some(expr.column_refs().into_iter().next()?.name.clone());
    spell(expr).or_else(of_column).unwrap_or_else(|| expr.to_string())
}

/// Spells an expression in SQL, as a person writes it. Returns `None` if the planner has made something else of it.
fn spell(expr: &Expr) -> Option<String> {
    let plain = expr.clone().transform(|expr| {
        Ok(match expr {
            // The planner has added the names of tables, and casts of texts and of numbers.
            Expr::Column(Column { relation: Some(table), name, spans }) if is_own(table.table()) => {
                Transformed::yes(Expr::Column(Column { relation: None, name, spans }))
            }
            Expr::Cast(Cast { expr, field }) if is_added(&expr, field.data_type()) => Transformed::yes(*expr),
            expr => Transformed::no(expr),
        })
    });
    Some(match Unparser::new(&Plain).with_pretty(true).expr_to_sql(&plain.ok()?.data).ok()? {
        ast::Expr::Nested(sql) => sql.to_string(),
        sql => sql.to_string(),
    })
}

/// Whether the planner adds such casts.
fn is_added(expr: &Expr, target: &DataType) -> bool {
    match expr {
        Expr::Literal(..) => target.is_temporal(),
        Expr::Column(_) => target.is_integer(),
        _ => false,
    }
}

fn is_own(table: &str) -> bool {
    [Table::Games, Table::Moves, Table::Properties].iter().any(|own| own.name() == table)
}

/// Quotes only names that need it. (Those of DataFusion quote `date`.) The planner calls an aggregate by its own text.
struct Plain;

impl Dialect for Plain {
    fn identifier_quote_style(&self, name: &str) -> Option<char> {
        let is_plain = |char: char| char.is_ascii_lowercase() || char.is_ascii_digit() || char == '_';
        let is_call = name.ends_with(')');
        (name == "offset" || !name.chars().all(is_plain) && !is_call).then_some('"')
    }
}
