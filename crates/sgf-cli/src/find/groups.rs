//! Groups of games that are counted apart: `--by`.

use sgf_table::Cell;

use super::facts::{Header, cell, column};
use crate::report::stats;

/// How games are grouped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum By {
    Decade,
    Year,
    Rank,
    Column(String),
}

/// Parses the value of `--by`.
pub(crate) fn by(text: &str) -> Result<By, String> {
    match text {
        "decade" => Ok(By::Decade),
        "year" => Ok(By::Year),
        "rank" => Ok(By::Rank),
        name => column(name).map(By::Column),
    }
}

/// A group of games.
pub(crate) struct Group {
    /// Its place in the order of groups.
    pub(crate) order: i64,
    pub(crate) name: String,
}

impl By {
    /// Returns the columns that tell the group, apart from those of sums.
    pub(crate) fn columns(&self) -> Vec<&str> {
        match self {
            By::Rank => vec!["black_rank_n", "white_rank_n"],
            By::Column(name) => vec![name],
            By::Decade | By::Year => Vec::new(),
        }
    }

    /// Returns the group of a game.
    pub(crate) fn group<'r>(&self, row: impl Into<Header<'r>>) -> Group {
        let row = row.into();
        let known = match self {
            By::Year => year(row).map(|year| (year.into(), year.to_string())),
            By::Decade => year(row).map(|year| {
                let first = year.div_euclid(10) * 10;
                (first.into(), format!("{first}s"))
            }),
            By::Rank => match (cell(row, "black_rank_n"), cell(row, "white_rank_n")) {
                (Cell::Integer(black), Cell::Integer(white)) => {
                    let rank = black.min(white);
                    Some((rank, if rank > 0 { format!("{rank} dan") } else { format!("{} kyu", 1 - rank) }))
                }
                _ => None,
            },
            By::Column(name) => match cell(row, name) {
                Cell::Null => None,
                Cell::Integer(number) => Some((number, number.to_string())),
                Cell::Decimal(hundredths) => Some((hundredths.into(), Cell::Decimal(hundredths).to_string())),
                other => Some((0, other.to_string())),
            },
        };
        let (order, name) = known.unwrap_or((i64::MAX, "unknown".to_owned()));
        Group { order, name }
    }
}

/// Returns the year of a game.
pub(super) fn year(row: Header<'_>) -> Option<i32> {
    let date = cell(row, "date").to_string();
    date.split('-').next()?.parse().ok().filter(|year| stats::is_plausible(*year))
}
