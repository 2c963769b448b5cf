//! Patterns of file names: text, and in braces columns of the table of games, and parts of a date and of the source's name.

use std::fmt::Write as _;

use sgf_input::near;
use sgf_stream::Parser;
use sgf_table::{Column, Table, TableBuilder};

use crate::visible::is_hidden;

/// A pattern that was parsed: [`parse`].
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    pieces: Vec<Piece>,
    /// The columns of the pieces, each once; then [`PRECISION`], [`FILE`] and [`LAST_DAY`].
    columns: Vec<String>,
    /// The number of the first piece of the last component.
    file_from: usize,
    /// The end of a name that stays at its end, with its dot: `.sgf`.
    extension: String,
}

#[derive(Clone, Debug, PartialEq)]
enum Piece {
    Text(String),
    /// The value of a column, given as its number. A whole number has at least so many digits.
    Column(usize, usize),
    /// The known part of the date in a column, given as its number.
    Date(usize, DatePart),
    /// The name of the source file, without its extension.
    Stem,
    /// The directory of the source file.
    Dir,
    /// The number of the game, with at least so many digits.
    Number(usize),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum DatePart {
    Whole,
    Year,
    Decade,
}

/// The columns with the precision of the date, the name of the source file and the last day of the date.
const PRECISION: &str = "date_precision";
const FILE: &str = "file";
const LAST_DAY: &str = "date_to";

/// Endings of compressed files, which come after the extension.
const COMPRESSED: [&str; 4] = [".gz", ".zst", ".xz", ".bz2"];

/// Maximum length of a value in bytes.
const LONGEST_VALUE: usize = 100;

/// Maximum length of a component of a path in bytes: file systems allow 255, and some of them count the bytes of UTF-16.
const LONGEST_NAME: usize = 240;

/// Maximum length of an extension in bytes.
const LONGEST_EXTENSION: usize = 20;

/// The text for a value that a game does not have.
const UNKNOWN: &str = "unknown";

/// Parses a pattern.
///
/// # Errors
///
/// Fails if a brace is open or closed alone, if there is no such column, or if the path would leave the directory.
pub(super) fn parse(pattern: &str) -> Result<Pattern, String> {
    let (mut pieces, mut columns) = (Vec::new(), Vec::new());
    let mut text = String::new();
    let mut rest = pattern;
    while let Some(at) = rest.find(['{', '}']) {
        text += &rest[..at];
        let (brace, after) = rest[at..].split_at(1);
        if let Some(after) = after.strip_prefix(brace) {
            text += brace;
            rest = after;
            continue;
        }
        if brace == "}" {
            return Err("a } has no { before it; write }} for the character".to_owned());
        }
        let (name, after) = after.split_once('}').ok_or("a { has no } after it; write {{ for the character")?;
        if !text.is_empty() {
            pieces.push(Piece::Text(std::mem::take(&mut text)));
        }
        pieces.push(placeholder(name, &mut columns)?);
        rest = after;
    }
    text += rest;
    let last = text.rsplit('/').next().unwrap_or_default();
    let extension = last.rfind('.').map_or(String::new(), |dot| safe_text(&last[dot..]));
    let extension = if extension.len() <= LONGEST_EXTENSION { extension } else { String::new() };
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    let literal: String = pieces.iter().map(|piece| if let Piece::Text(text) = piece { text } else { "x" }).collect();
    let is_component = |component: &str| !matches!(component, "" | "." | "..");
    if !literal.split('/').all(is_component) {
        return Err(
            "the pattern must name a file below --to: no `..`, no empty components, no leading or trailing `/`".into(),
        );
    }
    let in_directories = |piece: &Piece| matches!(piece, Piece::Text(text) if text.contains('/'));
    let file_from = pieces.iter().rposition(in_directories).map_or(0, |at| at + 1);
    for name in [PRECISION, FILE, LAST_DAY] {
        column(name, &mut columns);
    }
    Ok(Pattern { pieces, columns, file_from, extension })
}

/// The number of a column, which is added if it is new.
fn column(name: &str, columns: &mut Vec<String>) -> usize {
    let known = columns.iter().position(|column| column == name);
    known.unwrap_or_else(|| {
        columns.push(name.to_owned());
        columns.len() - 1
    })
}

fn placeholder(name: &str, columns: &mut Vec<String>) -> Result<Piece, String> {
    if let Some((column_name, digits)) = name.split_once(':') {
        let digits = match digits.parse() {
            Ok(digits @ 1..=20) => digits,
            _ => return Err(format!("{{{name}}}: not a number of digits from 1 to 20, such as {{n:6}}")),
        };
        return match placeholder(column_name, columns)? {
            Piece::Number(_) => Ok(Piece::Number(digits)),
            Piece::Column(column, _) => Ok(Piece::Column(column, digits)),
            _ => Err(format!("{{{name}}}: only {{n}} and columns are zero-padded")),
        };
    }
    Ok(match name {
        "n" => Piece::Number(1),
        "date" => Piece::Date(column("date", columns), DatePart::Whole),
        "year" => Piece::Date(column("date", columns), DatePart::Year),
        "decade" => Piece::Date(column("date", columns), DatePart::Decade),
        "stem" => Piece::Stem,
        "dir" => Piece::Dir,
        name if TableBuilder::new(&Parser::new(), Table::Games).columns([name]).is_err() => return Err(unknown(name)),
        name => Piece::Column(column(name, columns), 0),
    })
}

/// The message for an unknown column, with those that may be meant.
fn unknown(name: &str) -> String {
    let all = Column::all(Table::Games);
    let names = all.iter().map(Column::name).chain(["n", "year", "decade", "stem", "dir"]);
    let near = near::question(near::names(name, names).into_iter().map(|column| format!("{{{column}}}")));
    format!(
        "unknown column {{{name}}}{near} (`sgf records --list-columns` lists all; properties are also columns, as in \
         {{PB}})"
    )
}

impl Pattern {
    /// The columns whose values it needs, in the order of [`path`](Self::path).
    pub(super) fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The path of a game, with `/` between its components. `copy` is 1 for the first game of this name; others have it in
    /// their name.
    pub(super) fn path(&self, values: &[String], number: u64, copy: u64) -> String {
        let mut path = String::new();
        let source = self.value_of(FILE, values);
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => path += text,
                Piece::Column(column, digits) => path += &padded(&safe_value(value(*column, values)), *digits),
                Piece::Date(column, part) => {
                    let date = value(*column, values);
                    let (last, precision) = (self.value_of(LAST_DAY, values), self.value_of(PRECISION, values));
                    path += &safe_value(&part.of(date, last, precision));
                }
                Piece::Stem => path += &safe_value(stem_of(source)),
                Piece::Dir => path += &directory_of(source),
                Piece::Number(digits) => _ = write!(path, "{number:0digits$}"),
            }
        }
        let (directories, file) = path.rsplit_once('/').map_or((None, &*path), |(front, file)| (Some(front), file));
        let file = safe_text(file);
        let stem = match self.has_no_name(values) {
            true => safe_value(stem_of(source)),
            false => file.strip_suffix(&*self.extension).unwrap_or(&file).to_owned(),
        };
        let suffix = if copy > 1 { format!("-{copy}{}", self.extension) } else { self.extension.clone() };
        let mut safe = String::new();
        let directories = directories.into_iter().flat_map(|path| path.split('/'));
        // A source in the working directory has no directory.
        for directory in directories.filter(|directory| !directory.is_empty()) {
            safe += &component(directory, "");
            safe.push('/');
        }
        safe + &component(&stem, &suffix)
    }

    /// The value of a column by its name.
    fn value_of<'v>(&self, name: &str, values: &'v [String]) -> &'v str {
        self.columns.iter().position(|column| column == name).map_or("", |column| value(column, values))
    }

    /// Whether the name of the file has columns, none of them has a value, and the name of the source is known.
    fn has_no_name(&self, values: &[String]) -> bool {
        let (mut has_columns, mut is_known) = (false, stem_of(self.value_of(FILE, values)).is_empty());
        for piece in &self.pieces[self.file_from..] {
            match piece {
                Piece::Text(_) => {}
                Piece::Column(column, _) | Piece::Date(column, _) => {
                    has_columns = true;
                    is_known |= !value(*column, values).trim().is_empty();
                }
                Piece::Stem | Piece::Dir | Piece::Number(_) => is_known = true,
            }
        }
        has_columns && !is_known
    }
}

impl DatePart {
    /// The part of a day, `YYYY-MM-DD`, according to the precision of the date. Empty if the date does not tell it: a date of
    /// several years ends on the last day.
    fn of(self, day: &str, last: &str, precision: &str) -> String {
        let cut = |day: &str, len: usize| day.get(..len).unwrap_or_default().to_owned();
        let decade = || match cut(day, 3) {
            known if known.is_empty() => known,
            known => known + "0s",
        };
        match (self, precision) {
            (DatePart::Decade, "years") if cut(day, 3) != cut(last, 3) => String::new(),
            (DatePart::Decade, _) | (DatePart::Whole, "decade") => decade(),
            (DatePart::Year, "decade" | "years") => String::new(),
            (DatePart::Whole, "years") => format!("{}-{}", cut(day, 4), cut(last, 4)),
            (DatePart::Year, _) | (_, "year") => cut(day, 4),
            (_, "month") => cut(day, 7),
            _ => day.to_owned(),
        }
    }
}

/// A whole number with zeros before it; any other value as it is.
fn padded(value: &str, digits: usize) -> String {
    match value.bytes().all(|byte| byte.is_ascii_digit()) {
        true => format!("{value:0>digits$}"),
        false => value.to_owned(),
    }
}

fn value(column: usize, values: &[String]) -> &str {
    values.get(column).map_or("", String::as_str)
}

/// The parts of the path of a source; for a member of an archive, those of the archive come first.
fn parts(source: &str) -> impl DoubleEndedIterator<Item = &str> {
    source.split(['/', std::path::MAIN_SEPARATOR]).filter(|part| !matches!(*part, "" | "." | ".."))
}

/// The name of a source without its extension; empty for standard input.
fn stem_of(source: &str) -> &str {
    let name = parts(source).next_back().filter(|_| source != "-").unwrap_or_default();
    let cut = |ending: &str| {
        let at = name.len().checked_sub(ending.len())?;
        name.get(at..)?.eq_ignore_ascii_case(ending).then(|| &name[..at])
    };
    let name = COMPRESSED.into_iter().find_map(cut).unwrap_or(name);
    match name.rsplit_once('.') {
        Some((stem, end)) if !stem.is_empty() && end.bytes().all(|b| b.is_ascii_alphanumeric()) => stem,
        _ => name,
    }
}

/// The directory of a source, as it was given, in a form that is safe below any directory.
fn directory_of(source: &str) -> String {
    let mut parts: Vec<String> = parts(source).map(safe_value).collect();
    parts.pop();
    parts.join("/")
}

/// A value of a file as a part of a name.
fn safe_value(value: &str) -> String {
    let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
    let value = cut(&value, LONGEST_VALUE).trim();
    if value.is_empty() { UNKNOWN.to_owned() } else { safe_text(value).replace('/', "_") }
}

/// A text without characters that some file system, shell or terminal does not bear. A `/` stays.
fn safe_text(text: &str) -> String {
    let is_bad = |char: char| matches!(char, '<' | '>' | ':' | '"' | '\\' | '|' | '?' | '*') || is_hidden(char);
    text.chars().map(|char| if is_bad(char) { '_' } else { char }).collect()
}

/// Names that Windows has for devices, whatever their extension is.
const RESERVED: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// A component of a path that every file system can have.
pub(crate) fn component(stem: &str, suffix: &str) -> String {
    let stem = safe_text(stem);
    let stem = cut(&stem, LONGEST_NAME.saturating_sub(suffix.len() + 1)); // a `_` may come
    let stem = if suffix.is_empty() { stem.trim_end_matches([' ', '.']) } else { stem.trim_end() };
    let mut name = stem.trim_start().to_owned();
    if name.is_empty() {
        name = UNKNOWN.to_owned();
    }
    if name.starts_with(['.', '-', '~']) {
        name.replace_range(..1, "_");
    }
    let device = name.split('.').next().unwrap_or_default().trim_end().to_lowercase();
    let is_port = ["com", "lpt"].iter().any(|port| {
        let number = device.strip_prefix(port).map(|number| number.chars().collect::<Vec<_>>());
        matches!(number.as_deref(), Some(['0'..='9' | '¹' | '²' | '³']))
    });
    if is_port || RESERVED.contains(&&*device) {
        name.insert(0, '_');
    }
    let name = name + suffix;
    name.trim_end_matches([' ', '.']).to_owned()
}

/// The start of a text, of at most so many bytes.
fn cut(text: &str, longest: usize) -> &str {
    let end = (0..=longest.min(text.len())).rev().find(|&end| text.is_char_boundary(end));
    &text[..end.unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    use quickcheck::TestResult;

    use super::*;

    fn path(pattern: &str, values: &[&str], copy: u64) -> String {
        let values: Vec<_> = values.iter().map(|value| (*value).to_owned()).collect();
        parse(pattern).unwrap().path(&values, 7, copy)
    }

    #[test]
    fn names_are_made_of_values() {
        for (pattern, values, copy, expected) in [
            ("{date}-{black}.sgf", &["1846-09-11", "Shusaku"][..], 1, "1846-09-11-Shusaku.sgf"),
            ("{date}-{black}.sgf", &["1846-09-11", "Shusaku"], 3, "1846-09-11-Shusaku-3.sgf"),
            ("{black}", &["本因坊 秀策"], 2, "本因坊 秀策-2"),
            ("{black}.sgf", &[""], 1, "unknown.sgf"),
            ("{n}.sgf", &[], 1, "7.sgf"),
            ("{n}.s?f", &[], 2, "7-2.s_f"),
            ("{n:4}.sgf", &[], 1, "0007.sgf"),
            ("{game:3}-{game}.sgf", &["12"], 1, "012-12.sgf"),
            ("{game:3}-{RO:2}.sgf", &["1234", "1 (final)"], 1, "1234-1 (final).sgf"),
            ("{game:3}.sgf", &[""], 1, "unknown.sgf"),
            ("{{{n}}}.sgf", &[], 1, "{7}.sgf"),
            ("{black}/{white}.sgf", &["a/b", "../x"], 1, "a_b/_._x.sgf"),
            ("{black}.sgf", &[".."], 1, "_..sgf"),
            ("{black}", &["con"], 1, "_con"),
            ("{black}.sgf", &["Com1"], 1, "_Com1.sgf"),
            ("{black}.sgf", &["NUL .x"], 1, "_NUL .x.sgf"),
            ("{black}.sgf", &["common"], 1, "common.sgf"),
            ("{black}", &["end. . "], 1, "end"),
            ("{black}.sgf", &["-rf"], 1, "_rf.sgf"),
            ("{black}.sgf", &["a\n\tb\u{202E}c\0?*"], 1, "a b_c___.sgf"),
        ] {
            assert_eq!(path(pattern, values, copy), expected, "{pattern} {values:?}");
        }
        let long =
            path("{black}{white}{event}.sgf", &["囲".repeat(99).as_str(), &"x".repeat(300), &"y".repeat(300)], 12);
        assert_eq!(long.len(), LONGEST_NAME - 1);
        assert!(long.ends_with("y-12.sgf"), "{long}");
    }

    #[test]
    fn a_date_has_what_is_known_of_it() {
        for (pattern, day, precision, expected) in [
            ("{date}", "1968-05-03", "day", "1968-05-03"),
            ("{date}", "1968-05-01", "month", "1968-05"),
            ("{date}", "1968-01-01", "year", "1968"),
            ("{year}", "1968-05-03", "day", "1968"),
            ("{decade}", "1968-05-03", "day", "1960s"),
            ("{decade}", "0968-01-01", "year", "0960s"),
            ("{date}-{year}-{decade}", "", "", "unknown-unknown-unknown"),
        ] {
            assert_eq!(path(pattern, &[day, precision], 1), expected, "{pattern} {day} {precision}");
        }
        for (first, last, precision, expected) in [
            ("1660-01-01", "1669-12-31", "decade", "1660s unknown 1660s"),
            ("1832-01-01", "1840-12-31", "years", "1832-1840 unknown unknown"),
            ("1842-01-01", "1843-12-31", "years", "1842-1843 unknown 1840s"),
        ] {
            let path = path("{date} {year} {decade}", &[first, precision, "", last], 1);
            assert_eq!(path, expected, "{first} {last} {precision}");
        }
    }

    #[test]
    fn a_name_may_come_from_the_source() {
        for (pattern, values, expected) in [
            ("{stem}.sgf", &["", "games/lee.cho.sgf"][..], "lee.cho.sgf"),
            ("{stem}.sgf", &["", "games/1.SGF.GZ"], "1.sgf"),
            ("{stem}.sgf", &["", "a.zip!/b/c.mgt"], "c.sgf"),
            ("{stem}.sgf", &["", "Lee vs. Cho"], "Lee vs. Cho.sgf"),
            ("{stem}.sgf", &["", ".sgf"], "_sgf.sgf"),
            ("{stem}.sgf", &["", "-"], "unknown.sgf"),
            ("{dir}/{stem}.sgf", &["", "/home/../x/./y:z/a.sgf"], "home/x/y_z/a.sgf"),
            ("{dir}/{stem}.sgf", &["", "a.zip!/.b/c.sgf"], "a.zip!/_b/c.sgf"),
            ("{dir}/{stem}.sgf", &["", "a.sgf"], "a.sgf"),
            ("all/{dir}/{n}.sgf", &["", "a.sgf"], "all/7.sgf"),
            ("{dir}/{black}.sgf", &["Lee", "", "x/a.sgf"], "x/Lee.sgf"),
            // A game that has none of the values is named after its source.
            ("{date}-{black}.sgf", &["", "", "", "x/a.sgf"], "a.sgf"),
            ("{date}-{black}.sgf", &["", "Lee", "", "x/a.sgf"], "unknown-Lee.sgf"),
            ("{black}/{date}.sgf", &["", "", "", "x/a.sgf"], "unknown/a.sgf"),
            ("{black}/{date} {n}.sgf", &["", "", "", "x/a.sgf"], "unknown/unknown 7.sgf"),
            ("{black}/x.sgf", &["", "", "x/a.sgf"], "unknown/x.sgf"),
        ] {
            assert_eq!(path(pattern, values, 1), expected, "{pattern} {values:?}");
        }
        assert_eq!(path("{black}.sgf", &["", "", "x/a.sgf"], 2), "a-2.sgf");
    }

    #[test]
    fn faults_of_patterns_say_what_is_expected() {
        for (pattern, message) in [
            ("{datum}.sgf", "unknown column {datum}; did you mean {date} or {dates}? (`sgf records"),
            ("{blak}", "unknown column {blak}; did you mean {black}?"),
            ("{n:x}", "{n:x}: not a number of digits"),
            ("{game:0}", "{game:0}: not a number of digits"),
            ("{date:3}", "{date:3}: only {n} and columns are zero-padded"),
            ("{gmae:3}", "unknown column {gmae}; did you mean {game}?"),
            ("{black", "a { has no } after it"),
            ("a}b", "a } has no { before it"),
            ("../{n}", "the pattern must name a file below --to"),
            ("/{n}", "the pattern must name a file below --to"),
            ("{n}/", "the pattern must name a file below --to"),
            ("", "the pattern must name a file below --to"),
        ] {
            let error = parse(pattern).unwrap_err();
            assert!(error.contains(message), "{pattern}: {error}");
        }
    }

    quickcheck::quickcheck! {
        fn every_name_is_safe(black: String, white: String, file: String, copy: u64) -> TestResult {
            let source = path("{dir}/{stem}", &["", &format!("{black}/{file}/{white}.sgf")], copy);
            let path = path("{black}/{white}-{KK}.sgf", &[&black, &white, "", "", &file], copy);
            let is_safe = format!("{source}/{path}").split('/').all(|name| {
                !name.is_empty()
                    && name.len() <= LONGEST_NAME
                    && !name.starts_with(['.', '-', ' '])
                    && !name.ends_with(['.', ' '])
                    && !name.contains(['<', '>', ':', '"', '\\', '|', '?', '*'])
                    && !name.contains(is_hidden)
            });
            TestResult::from_bool(is_safe && path.split('/').count() == 2)
        }
    }
}
