//! Tables of counts for people.

pub(crate) use sgf_input::size::grouped;
use unicode_width::UnicodeWidthStr;

use crate::tally::Table;
use crate::visible::{Blanks, fitted};

/// Maximum width of a key in columns.
const KEY: usize = 40;

/// Returns a text with blanks before it, so that it has a width in columns of a terminal, or more.
pub(crate) fn right_aligned(text: &str, width: usize) -> String {
    " ".repeat(width.saturating_sub(text.width())) + text
}

/// Returns the lines of a table: its title, at most `limit` rows, and the number of omitted ones. With `of`, each
/// count is also given as a percentage of that.
pub(crate) fn table(title: &str, table: &Table, limit: usize, of: Option<u64>) -> Vec<String> {
    let width = table.rows.first().map_or(0, |&(_, most)| grouped(most).len()).max(7);
    let mut lines = vec![title.to_owned()];
    for (key, count) in table.rows.iter().take(limit) {
        let share = match of {
            Some(all) => format!("{:>6.1} %", *count as f64 * 100.0 / all.max(1) as f64),
            None => String::new(),
        };
        let key = if key.is_empty() { "(none)".to_owned() } else { fitted(key, KEY, Blanks::Kept) };
        lines.push(format!("{:>width$}{share}  {key}", grouped(*count)));
    }
    if let Some(left) = table.rows.get(limit..).filter(|left| !left.is_empty()) {
        lines.push(format!("{:>width$}  more", grouped(left.len() as u64)));
    }
    if table.dropped > 0 {
        lines.push(format!("{:>width$}  not in the table, which is full", grouped(table.dropped)));
    }
    lines
}

/// Number of blanks between two blocks.
const GAP: usize = 4;

/// Returns blocks of lines side by side. Blocks that do not fit into the columns come below the others.
pub(crate) fn side_by_side(blocks: &[Vec<String>], columns: Option<usize>) -> String {
    let mut all = String::new();
    let mut rest = blocks;
    while !rest.is_empty() {
        let widths = rest.iter().map(|lines| lines.iter().map(|line| line.width()).max().unwrap_or(0));
        let (mut fitting, mut end) = (Vec::new(), 0);
        for width in widths {
            end += width;
            if !fitting.is_empty() && columns.is_some_and(|columns| end > columns) {
                break;
            }
            fitting.push(width);
            end += GAP;
        }
        let (row, below) = rest.split_at(fitting.len());
        if !all.is_empty() {
            all.push('\n');
        }
        for n in 0..row.iter().map(Vec::len).max().unwrap_or(0) {
            let mut line = String::new();
            for (lines, width) in row.iter().zip(&fitting) {
                let cell = lines.get(n).map_or("", String::as_str);
                line += &format!("{cell}{:1$}", "", width - cell.width() + GAP);
            }
            all += line.trim_end();
            all.push('\n');
        }
        rest = below;
    }
    all
}

/// Formats a count and a noun: `1 file`, `2,000 files`.
pub(crate) fn counted(count: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(count), if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_placed_side_by_side_if_they_fit() {
        let block = |lines: &[&str]| lines.iter().map(|&line| line.to_owned()).collect::<Vec<_>>();
        let blocks = [block(&["ab", "c"]), block(&["囲碁"]), block(&["x", "y", "z"])];
        let wide = "ab    囲碁    x\nc             y\n              z\n";
        assert_eq!(side_by_side(&blocks, None), wide);
        assert_eq!(side_by_side(&blocks, Some(15)), wide);
        assert_eq!(side_by_side(&blocks, Some(14)), "ab    囲碁\nc\n\nx\ny\nz\n");
        assert_eq!(side_by_side(&blocks, Some(1)), "ab\nc\n\n囲碁\n\nx\ny\nz\n");
    }

    #[test]
    fn digits_are_grouped() {
        for (number, expected) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), expected);
        }
    }
}
