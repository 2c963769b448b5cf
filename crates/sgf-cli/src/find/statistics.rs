//! What was played next, as text and as JSON.

use std::io::{self, Write};

use serde_json::{Value, json};
use sgf_search::{Continuations, Pattern, Share, Sums};
use sgf_stream::value::Color;

use super::Searched;
use crate::json;
use crate::visible::Visible;

/// The results of a search.
pub(super) struct Found<'f> {
    pub(super) pattern: &'f Pattern,
    pub(super) continuations: &'f Continuations,
    pub(super) searched: Searched,
    pub(super) matched: u64,
}

impl Found<'_> {
    /// Prints a table of the most frequent moves.
    pub(super) fn text(&self, out: &mut impl Write, has_board: bool, most: usize) -> io::Result<()> {
        let drawing = self.continuations.drawn_on(self.pattern).most(most);
        if has_board {
            writeln!(out, "{}", drawing.board())?;
        }
        let table = drawing.table();
        table.lines().try_for_each(|line| writeln!(out, "{}", Visible(line)))
    }

    pub(super) fn json(&self, out: &mut impl Write) -> io::Result<()> {
        let rows: Vec<Value> = self
            .continuations
            .list()
            .into_iter()
            .map(|row| {
                let next = row.next.map(|(color, point)| json!({"color": color.as_str(), "point": point.to_string()}));
                let letter = row.letter.map(String::from);
                let groups: Vec<_> = row.groups.iter().map(|(group, sums)| of_group(group, *sums)).collect();
                let mut value = sums(row.sums);
                let more = json!({"next": next, "letter": letter, "share": (row.share * 10_000.0).round() / 10_000.0, "elsewhere": row.elsewhere});
                extend(&mut value, more);
                if !groups.is_empty() {
                    extend(&mut value, json!({"groups": groups}));
                }
                value
            })
            .collect();
        let groups: Vec<_> =
            self.continuations.groups().into_iter().map(|(group, sums)| of_group(group, sums)).collect();
        let Searched { games, without_board, too_small, with_illegal_moves, not_indexed } = self.searched;
        let value = json!({
            "pattern": self.pattern.to_string(),
            "games": games,
            "found": self.matched,
            "not_go": without_board,
            "too_small": too_small,
            "with_illegal_moves": with_illegal_moves,
            "not_indexed": not_indexed,
            "hits": sums(self.continuations.sums()),
            "continuations": rows,
            "groups": groups,
        });
        json::write(&mut *out, &value)?;
        writeln!(out)
    }
}

/// Adds the entries of an object to another one.
pub(crate) fn extend(value: &mut Value, more: Value) {
    if let (Value::Object(value), Value::Object(more)) = (value, more) {
        value.extend(more);
    }
}

/// Returns the sums of a group as JSON.
pub(crate) fn of_group(group: &str, of: Sums) -> Value {
    let mut value = json!({"group": group});
    extend(&mut value, sums(of));
    value
}

/// Returns sums as JSON.
pub(crate) fn sums(sums: Sums) -> Value {
    let (first, last) = sums.years.unzip();
    json!({
        "games": sums.games,
        "black_wins": sums.black_wins,
        "white_wins": sums.white_wins,
        "draws": sums.draws,
        "unknown": sums.unknown(),
        "black_share": sums.wins(Color::Black).map(share),
        "first_year": first,
        "last_year": last,
    })
}

/// Returns a share with its interval, rounded to what a reader can use.
fn share(Share { share, low, high }: Share) -> Value {
    let rounded = |number: f64| (number * 10_000.0).round() / 10_000.0;
    json!({"share": rounded(share), "low": rounded(low), "high": rounded(high)})
}
