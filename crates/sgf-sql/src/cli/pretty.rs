//! Tables for people: columns below each other, numbers to the right, long cells cut.

use std::io::{self, IsTerminal, Write};

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use sgf_input::visible::Visible;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Widest cell of a table with several columns.
const CELL: usize = 40;

/// A table that is collected before it is printed.
pub(super) struct Pretty {
    names: Vec<String>,
    is_number: Vec<bool>,
    /// Whether the rows are plans of EXPLAIN, which have lines.
    is_plan: bool,
    rows: Vec<Vec<String>>,
    max_rows: usize,
    /// Number of rows, those that are not kept among them.
    count: usize,
}

impl Pretty {
    pub(super) fn new(schema: SchemaRef, max_rows: usize) -> Self {
        Pretty {
            names: schema.fields().iter().map(|field| visible(field.name())).collect(),
            is_number: schema.fields().iter().map(|field| field.data_type().is_numeric()).collect(),
            is_plan: schema.fields().iter().map(|field| field.name().as_str()).eq(["plan_type", "plan"]),
            rows: Vec::new(),
            max_rows,
            count: 0,
        }
    }

    pub(super) fn push(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        let options = FormatOptions::default();
        let columns = batch.columns().iter().map(|column| ArrayFormatter::try_new(column, &options));
        let columns = columns.collect::<Result<Vec<_>, _>>()?;
        self.count += batch.num_rows();
        for row in 0..batch.num_rows().min(self.max_rows - self.rows.len()) {
            let shown = |text: &str| match self.is_plan {
                true => text.lines().map(visible).collect::<Vec<_>>().join("\n"),
                false => visible(text),
            };
            self.rows.push(columns.iter().map(|column| shown(&column.value(row).to_string())).collect());
        }
        Ok(())
    }

    /// Prints the table, no wider than a terminal if there is one.
    pub(super) fn print(&self, out: &mut dyn Write, width: Option<usize>) -> io::Result<()> {
        if self.is_plan {
            return self.rows.iter().try_for_each(|row| writeln!(out, "{}:\n{}", row[0], row[1]));
        }
        let most = match (self.names.len(), width) {
            (1, Some(width)) => width,
            (1, None) | (_, None) => usize::MAX,
            _ => CELL,
        };
        let widths: Vec<usize> = (0..self.names.len())
            .map(|n| {
                let cells = self.rows.iter().map(|row| row[n].width());
                cells.chain([self.names[n].width()]).max().unwrap_or(0).min(most)
            })
            .collect();
        self.line(out, &self.names, &widths)?;
        let rule: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
        writeln!(out, "{}", rule.join("──"))?;
        for row in &self.rows {
            self.line(out, row, &widths)?;
        }
        let left = self.count - self.rows.len();
        match left {
            0 => writeln!(out, "({} row{})", self.count, if self.count == 1 { "" } else { "s" }),
            _ => writeln!(out, "({} rows, {left} not shown; use --max-rows N or another --format)", self.count),
        }
    }

    fn line(&self, out: &mut dyn Write, cells: &[String], widths: &[usize]) -> io::Result<()> {
        let mut line = String::new();
        for ((cell, &width), &is_number) in cells.iter().zip(widths).zip(&self.is_number) {
            let cell = fitted(cell, width);
            let blanks = " ".repeat(width.saturating_sub(cell.width()));
            let (before, after) = if is_number { (blanks, String::new()) } else { (String::new(), blanks) };
            line.push_str(&before);
            line.push_str(&cell);
            line.push_str(&after);
            line.push_str("  ");
        }
        writeln!(out, "{}", line.trim_end())
    }
}

/// The width of the terminal, if the output is one.
pub(super) fn width() -> Option<usize> {
    io::stdout().is_terminal().then(|| terminal_size::terminal_size().map_or(80, |(width, _)| width.0.into()))
}

/// Escapes control characters and invisible ones: names and comments can hold codes for terminals.
fn visible(text: &str) -> String {
    Visible(text).to_string()
}

/// Cuts a text that is wider than a cell.
fn fitted(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut end = 0;
    let fits = |c: &char| {
        end += c.width().unwrap_or(0);
        end < width
    };
    let mut cut: String = text.chars().take_while(fits).collect();
    cut.push('…');
    cut
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use datafusion::arrow::array::{Int32Array, StringArray};
    use datafusion::arrow::datatypes::{DataType, Field, Schema};

    use super::*;

    #[test]
    fn a_plan_has_lines() {
        let fields = ["plan_type", "plan"].map(|name| Field::new(name, DataType::Utf8, true));
        let schema = Arc::new(Schema::new(fields.to_vec()));
        let column = |text: &str| Arc::new(StringArray::from(vec![text.to_owned()]));
        let batch =
            RecordBatch::try_new(Arc::clone(&schema), vec![column("logical_plan"), column("Limit\n  Scan \u{7}")])
                .unwrap();
        let mut table = Pretty::new(schema, 10);
        table.push(&batch).unwrap();
        let mut out = Vec::new();
        table.print(&mut out, Some(80)).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "logical_plan:\nLimit\n  Scan \\u{7}\n");
    }

    #[test]
    fn a_table_has_aligned_columns() {
        let fields = vec![Field::new("black", DataType::Utf8, true), Field::new("n", DataType::Int32, true)];
        let schema = Arc::new(Schema::new(fields));
        let black = StringArray::from(vec![Some("本因坊"), None, Some("\u{1b}[2J")]);
        let numbers = Int32Array::from(vec![7, 1234, 5]);
        let batch = RecordBatch::try_new(Arc::clone(&schema), vec![Arc::new(black), Arc::new(numbers)]).unwrap();
        let mut table = Pretty::new(schema, 2);
        table.push(&batch).unwrap();
        let mut out = Vec::new();
        table.print(&mut out, Some(80)).unwrap();
        let expected = "black      n\n────────────\n本因坊     7\n        1234\n\
                        (3 rows, 1 not shown; use --max-rows N or another --format)\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
        assert_eq!(visible("\u{1b}[2J"), "\\u{1b}[2J");
        assert_eq!(visible("a\u{202e}b"), "a\\u{202e}b");
        assert_eq!((fitted("abcdef", 4), fitted("本因坊", 4)), ("abc…".to_owned(), "本…".to_owned()));
    }
}
