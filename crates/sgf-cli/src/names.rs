//! Names that options take: shells complete them, and a wrong one gets a hint.

use std::ffi::OsStr;
use std::sync::LazyLock;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command};
use sgf_check::Rule;
use sgf_stream::charset::Charset;
use sgf_table::{Column, Table};

use crate::near;

/// Charsets by their usual names.
const CHARSETS: [&str; 32] = [
    "UTF-8",
    "GB18030",
    "GBK",
    "GB2312",
    "Big5",
    "Shift_JIS",
    "EUC-JP",
    "EUC-KR",
    "ISO-2022-JP",
    "ISO-2022-KR",
    "ISO-2022-CN",
    "HZ",
    "UTF-16LE",
    "UTF-16BE",
    "UTF-32LE",
    "UTF-32BE",
    "ISO-8859-1",
    "ISO-8859-2",
    "ISO-8859-5",
    "ISO-8859-9",
    "ISO-8859-15",
    "windows-874",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1257",
    "windows-1258",
    "KOI8-R",
    "KOI8-U",
    "macintosh",
];

/// Groups of rules.
pub(crate) const GROUPS: [&str; 3] = ["all", "syntax", "style"];

/// Parses the name of a charset on the command line.
pub(crate) fn charset(name: &str) -> Result<Charset, String> {
    Charset::for_name(name.as_bytes()).ok_or_else(|| format!("unknown charset{}", near::hint(name, charsets())))
}

pub(crate) fn charsets() -> Vec<&'static str> {
    CHARSETS.to_vec()
}

/// Returns the rules of `check` and their groups.
pub(crate) fn rules() -> Vec<&'static str> {
    GROUPS.into_iter().chain(Rule::all().map(Rule::as_str)).collect()
}

/// Returns the columns of all tables, each once.
pub(crate) fn columns() -> Vec<&'static str> {
    static COLUMNS: LazyLock<Vec<Column>> =
        LazyLock::new(|| [Table::Games, Table::Moves, Table::Properties].into_iter().flat_map(Column::all).collect());
    let mut names = Vec::new();
    for column in &*COLUMNS {
        if !names.contains(&column.name()) {
            names.push(column.name());
        }
    }
    names
}

/// A parser of values that are, or contain, names that shells can complete. It may also accept others.
#[derive(Clone)]
pub(crate) struct Named<P> {
    parser: P,
    names: fn() -> Vec<&'static str>,
}

/// Returns a parser of values that contain names. The help does not list them.
pub(crate) fn named<P>(parser: P, names: fn() -> Vec<&'static str>) -> Named<P> {
    Named { parser, names }
}

impl<P: TypedValueParser> TypedValueParser for Named<P> {
    type Value = P::Value;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<P::Value, clap::Error> {
        self.parser.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.names)().into_iter().map(PossibleValue::new)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_that_options_take() {
        for name in CHARSETS {
            assert!(Charset::for_name(name.as_bytes()).is_some(), "{name}");
        }
        assert!(rules().contains(&"no-sgf-data") && columns().contains(&"black"));
    }

    #[test]
    fn a_wrong_name_gets_the_nearest_ones() {
        for (wrong, names, expected) in [
            ("bad-valeu", rules(), "; did you mean 'bad-value'?"),
            ("Bad_Value", rules(), "; did you mean 'bad-value'?"),
            ("xyz", rules(), ""),
            ("utf8x", charsets(), "; did you mean 'UTF-8'?"),
            ("shiftjis", charsets(), "; did you mean 'Shift_JIS'?"),
            ("KOI8", charsets(), "; did you mean 'KOI8-R' or 'KOI8-U'?"),
            ("", charsets(), ""),
        ] {
            assert_eq!(near::hint(wrong, names), expected, "{wrong}");
        }
    }
}
