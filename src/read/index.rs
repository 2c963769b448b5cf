//! An index of the games of a collection.

use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;

use crate::raw::RawValue;
use crate::read::parser::Parser;
use crate::read::visit::{Skip, Variation, Visitor};
use crate::syntax::diagnostic::Position;
use crate::syntax::error::Error;
use crate::syntax::event::Ident;

/// An index of a collection: the positions of its games and selected root properties.
///
/// One pass over the collection builds it. A saved index lets later runs seek to any game
/// ([`Reader::seek`](crate::Reader::seek)).
///
/// ```
/// use std::io::Cursor;
/// use sgf_stream::{Event, GameIndex, Parser, Reader};
///
/// let collection = b"(;FF[4]PB[Shusaku];B[qd])\n(;FF[4]PB[Shuei];B[dp])\n";
/// let index = GameIndex::build(&Parser::new(), &collection[..], &["PB", "PW"])?;
/// assert_eq!(index.len(), 2);
///
/// let second = index.position(1).unwrap();
/// assert_eq!((second.offset, second.line), (26, 2));
/// assert_eq!(index.value(1, "PB").unwrap().simple_text(), "Shuei");
///
/// // Save the index, and load it again.
/// let mut file = Vec::new();
/// index.save(&mut file)?;
/// assert_eq!(GameIndex::load(&file[..])?, index);
///
/// // Seek to the second game.
/// let mut reader = Reader::new(Cursor::new(collection));
/// reader.seek(second)?;
/// assert_eq!(reader.next_event()?, Some(Event::StartTree));
/// assert_eq!(reader.offset(), 26);
/// # Ok::<(), sgf_stream::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct GameIndex {
    fields: Vec<String>,
    entries: Vec<Entry>,
}

/// One game of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    /// The position of the game's `(`.
    position: Position,
    /// The first value of each field in the root, if any.
    values: Vec<Option<Vec<u8>>>,
}

impl GameIndex {
    /// Reads a collection and builds its index.
    ///
    /// For each of `fields`, it stores the first value in the root that the parser does not drop. The rest of a game
    /// is skipped.
    ///
    /// # Errors
    ///
    /// Fails if reading fails, or if the data contains no SGF. In strict mode, games with a syntax error in the root
    /// are omitted; nothing after a root is checked.
    pub fn build<R: BufRead>(parser: &Parser, archive: R, fields: &[&str]) -> Result<Self, Error> {
        let mut index =
            GameIndex { fields: fields.iter().map(|&field| field.to_owned()).collect(), entries: Vec::new() };
        let mut reader = parser.clone().count_lines(true).reader(archive);
        loop {
            match reader.read_game(&mut Root { fields, seen: vec![false; fields.len()], open: Vec::new() }) {
                Ok(Some(values)) => {
                    if let Some(position) = reader.game_position() {
                        index.entries.push(Entry { position, values });
                    }
                }
                Ok(None) => return Ok(index),
                Err(Error::Syntax(error)) if !error.is_final() => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Returns the number of games.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether the collection has no games.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the position of the `(` of the `n`th game, counting from 0.
    pub fn position(&self, n: usize) -> Option<Position> {
        self.entries.get(n).map(|entry| entry.position)
    }

    /// Iterates over the positions of the games, in the order of the file.
    pub fn positions(&self) -> impl ExactSizeIterator<Item = Position> {
        self.entries.iter().map(|entry| entry.position)
    }

    /// Returns the first value of a property in the root of the `n`th game.
    ///
    /// `None` if the root has no such property, or the property is not one of the index's fields.
    pub fn value(&self, n: usize, field: &str) -> Option<RawValue<'_>> {
        let field = Ident::new(field.as_bytes());
        let column = self.fields.iter().position(|name| field == **name)?;
        self.entries.get(n)?.values.get(column)?.as_deref().map(RawValue::new)
    }

    /// Writes the index as text with tab-separated columns.
    ///
    /// The first line names the fields; one line per game follows. In values, `\`, TAB, CR and LF are written as
    /// `\\`, `\t`, `\r` and `\n`. A missing value is written as `\-`.
    ///
    /// # Errors
    ///
    /// Fails if writing fails.
    pub fn save<W: Write>(&self, mut writer: W) -> io::Result<()> {
        let mut line = MAGIC.as_bytes().to_vec();
        for field in &self.fields {
            line.push(b'\t');
            escape(field.as_bytes(), &mut line);
        }
        for entry in &self.entries {
            line.push(b'\n');
            writer.write_all(&line)?;
            line.clear();
            let Position { offset, line: number, column } = entry.position;
            write!(line, "{offset}\t{number}\t{column}")?;
            for value in &entry.values {
                line.push(b'\t');
                match value {
                    Some(value) => escape(value, &mut line),
                    None => line.extend(ABSENT),
                }
            }
        }
        line.push(b'\n');
        writer.write_all(&line)?;
        writer.flush()
    }

    /// Reads an index written by [`save`](Self::save).
    ///
    /// # Errors
    ///
    /// Fails if reading fails, or if the input is not an index ([`io::ErrorKind::InvalidData`], naming the line).
    pub fn load<R: BufRead>(reader: R) -> io::Result<Self> {
        let mut lines = reader.split(b'\n').zip(1..);
        let invalid = |number: usize, what: &str| {
            io::Error::new(io::ErrorKind::InvalidData, format!("line {number} of the index: expected {what}"))
        };
        let (head, _) = lines.next().ok_or_else(|| invalid(1, MAGIC))?;
        let head = head?;
        let mut columns = head.split(|&b| b == b'\t');
        if columns.next() != Some(MAGIC.as_bytes()) {
            return Err(invalid(1, MAGIC));
        }
        let field = |column| String::from_utf8(unescape(column)?).ok();
        let fields: Option<Vec<String>> = columns.map(field).collect();
        let fields = fields.ok_or_else(|| invalid(1, "field names"))?;
        let mut entries = Vec::new();
        for (row, number) in lines {
            let row = row?;
            let mut columns = row.split(|&b| b == b'\t');
            let mut numeral = || std::str::from_utf8(columns.next()?).ok()?.parse().ok();
            let (Some(offset), Some(line), Some(column)) = (numeral(), numeral(), numeral()) else {
                return Err(invalid(number, "an offset, a line and a column"));
            };
            let position = Position { offset, line, column };
            // Lines and columns are 1-based, and no line starts before the stream.
            if line == 0 || column == 0 || column - 1 > offset || i64::try_from(offset).is_err() {
                return Err(invalid(number, "a position"));
            }
            let value = |column| if column == ABSENT { Some(None) } else { unescape(column).map(Some) };
            let values: Option<Vec<_>> = columns.map(value).collect();
            match values {
                Some(values) if values.len() == fields.len() => {
                    entries.push(Entry { position, values });
                }
                _ => return Err(invalid(number, "a value for each field")),
            }
        }
        Ok(GameIndex { fields, entries })
    }
}

const MAGIC: &str = "sgf-index 1";
const ABSENT: &[u8] = b"\\-";
/// Bytes that must be escaped (separators and the backslash), each with its escape letter.
const ESCAPES: [(u8, u8); 4] = [(b'\\', b'\\'), (b'\t', b't'), (b'\r', b'r'), (b'\n', b'n')];

fn escape(value: &[u8], line: &mut Vec<u8>) {
    for &byte in value {
        match ESCAPES.iter().find(|(escaped, _)| *escaped == byte) {
            Some((_, letter)) => line.extend([b'\\', *letter]),
            None => line.push(byte),
        }
    }
}

fn unescape(column: &[u8]) -> Option<Vec<u8>> {
    let mut value = Vec::with_capacity(column.len());
    let mut bytes = column.iter();
    while let Some(&byte) = bytes.next() {
        value.push(match byte {
            b'\\' => {
                let letter = bytes.next()?;
                ESCAPES.iter().find(|(_, escape)| escape == letter)?.0
            }
            _ => byte,
        });
    }
    Some(value)
}

/// Collects some properties of the root and skips the rest of the game.
struct Root<'f> {
    fields: &'f [&'f str],
    /// For each field, whether its property has occurred; later occurrences are ignored.
    seen: Vec<bool>,
    /// The fields that take the next value.
    open: Vec<usize>,
}

type Values = Vec<Option<Vec<u8>>>;

impl Visitor for Root<'_> {
    /// The values, and whether the root has started.
    type Game = (Values, bool);
    type Output = Values;

    fn begin_game(&mut self, _: u64) -> ControlFlow<Values, Self::Game> {
        ControlFlow::Continue((vec![None; self.fields.len()], false))
    }

    fn start_tree(&mut self, game: &mut Self::Game, _: Variation) -> ControlFlow<Values, Skip> {
        ControlFlow::Break(std::mem::take(&mut game.0))
    }

    fn node(&mut self, game: &mut Self::Game, _: u64) -> ControlFlow<Values, Skip> {
        if game.1 {
            return ControlFlow::Break(std::mem::take(&mut game.0));
        }
        game.1 = true;
        ControlFlow::Continue(Skip::No)
    }

    fn property(&mut self, _: &mut Self::Game, ident: Ident<'_>, _: u64) -> ControlFlow<Values, Skip> {
        self.open.clear();
        for (field, name) in self.fields.iter().enumerate() {
            if ident == *name && !std::mem::replace(&mut self.seen[field], true) {
                self.open.push(field);
            }
        }
        ControlFlow::Continue(if self.open.is_empty() { Skip::Yes } else { Skip::No })
    }

    fn value(&mut self, game: &mut Self::Game, value: RawValue<'_>, _: u64) -> ControlFlow<Values> {
        for field in self.open.drain(..) {
            game.0[field] = Some(value.as_bytes().to_vec());
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: Self::Game) -> Values {
        game.0
    }
}
