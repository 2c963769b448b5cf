//! Games as values: one set of structs, read from SGF, JSON, XML and CSV.
//!
//! This crate reads SGF, `serde_json` JSON, `quick-xml` XML, and `csv` tables; the trees of `sgf-parse` are
//! converted.
//!
//! The games are those that all readers read alike ([`Records::of`] compares the values). Each format has them
//! concatenated, and each reader reads them one by one. The formats differ in size, so the speed of every job is
//! computed from the size of the SGF.
//!
//! For headers, the other formats contain the moves too, to be skipped as in SGF (but no comments or variations).
//! The CSV of headers has one row for each game, with the moves in one field, as `sgf records --moves` writes it;
//! that of main lines has one row for each node, which the reader collects into a list for each game; there is none
//! for trees.

use std::hint::black_box;
use std::mem;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sgf_parse::GameTree;
use sgf_parse::go::Prop;
use sgf_stream::value::go::Move;
use sgf_stream::{Event, Parser};

use super::data::games;

/// Maximum bytes of a data set that are used.
const SHARE: usize = 3 << 19;

/// The fields shown in a list of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Header {
    #[serde(rename = "PB", skip_serializing_if = "Option::is_none")]
    black: Option<String>,
    #[serde(rename = "PW", skip_serializing_if = "Option::is_none")]
    white: Option<String>,
    #[serde(rename = "RE", skip_serializing_if = "Option::is_none")]
    result: Option<String>,
    #[serde(rename = "DT", skip_serializing_if = "Option::is_none")]
    date: Option<String>,
}

/// A game in the other formats, for readers that want its header.
#[derive(Deserialize)]
struct Whole {
    #[serde(rename = "$root")]
    header: Header,
    #[serde(rename = "$mainline")]
    steps: Vec<Step>,
}

/// A game in the other formats, as they are written.
#[derive(Serialize)]
struct Flat {
    #[serde(flatten)]
    header: Header,
    #[serde(rename = "$value")]
    steps: Vec<Step>,
}

/// The main line of a game. XML needs its own name for the list.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct Line {
    #[serde(rename = "$mainline", alias = "$value", default)]
    steps: Vec<Step>,
}

/// A node of the main line.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Step {
    B(Move),
    W(Move),
    #[serde(other)]
    Other,
}

/// A game with all its variations, and the most frequent properties.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Tree {
    #[serde(rename(deserialize = "$root", serialize = "root"), alias = "root")]
    root: Node,
    #[serde(rename(deserialize = "$nodes", serialize = "nodes"), alias = "nodes", default)]
    nodes: Vec<Node>,
    #[serde(rename(deserialize = "$variations", serialize = "variations"), alias = "variations", default)]
    variations: Vec<Tree>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Node {
    #[serde(rename = "B", skip_serializing_if = "Option::is_none")]
    black: Option<Move>,
    #[serde(rename = "W", skip_serializing_if = "Option::is_none")]
    white: Option<Move>,
    #[serde(rename = "N", skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(rename = "C", skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
}

/// A set of games in several formats, each as one text.
pub(crate) struct Format {
    sgf: Vec<u8>,
    /// The texts for `sgf-parse`, which reads one game at a time.
    sgf_texts: Vec<String>,
    json: Vec<String>,
    xml: Vec<String>,
    /// A table of all games.
    csv: Vec<u8>,
}

/// Reads all records of a table.
type ReadTable<T> = fn(&[u8], &mut dyn FnMut(T)) -> csv::Result<()>;

/// A main line alone: a list without a name becomes one element for each item in `quick-xml`.
#[derive(Serialize)]
struct Steps {
    #[serde(rename = "$value")]
    steps: Vec<Step>,
}

impl From<Whole> for Steps {
    fn from(whole: Whole) -> Self {
        Steps { steps: whole.steps }
    }
}

impl From<Whole> for Flat {
    fn from(Whole { header, steps }: Whole) -> Self {
        Flat { header, steps }
    }
}

impl Format {
    /// Selects the games that all readers read as equal values of type `T`. The other formats are written from `W`;
    /// `rows` makes the rows of CSV, unless CSV cannot represent the game.
    fn of<T, U, W>(texts: &[String], columns: &str, rows: impl Fn(usize, &T, &U) -> Option<Vec<u8>>) -> Self
    where
        T: DeserializeOwned + PartialEq,
        U: DeserializeOwned,
        W: From<U> + Serialize,
    {
        let mut format = Format {
            sgf: Vec::new(),
            sgf_texts: Vec::new(),
            json: Vec::new(),
            xml: Vec::new(),
            csv: columns.as_bytes().to_vec(),
        };
        for text in texts {
            let Ok(value) = sgf_stream::from_str::<T>(text) else { continue };
            let Ok(whole) = sgf_stream::from_str::<U>(text) else { continue };
            let Some(rows) = rows(format.json.len(), &value, &whole) else { continue };
            let written = W::from(whole);
            let Ok(json) = serde_json::to_string(&written) else { continue };
            let Ok(xml) = quick_xml::se::to_string_with_root("game", &written) else { continue };
            let alike = serde_json::from_str::<T>(&json).is_ok_and(|read| read == value)
                && quick_xml::de::from_str::<T>(&xml).is_ok_and(|read| read == value);
            if alike {
                format.sgf.extend(text.as_bytes());
                format.sgf.push(b'\n');
                format.sgf_texts.push(text.clone());
                format.json.push(json);
                format.xml.push(xml);
                format.csv.extend(rows);
            }
        }
        format
    }

    pub(crate) fn bytes(&self) -> usize {
        self.sgf.len()
    }

    pub(crate) fn describe(&self) -> String {
        let sum = |texts: &[String]| texts.iter().map(String::len).sum::<usize>();
        let (json, xml, csv) = (sum(&self.json), sum(&self.xml), self.csv.len());
        let (games, sgf) = (self.json.len(), self.sgf.len());
        format!("{games} games, {sgf} bytes of SGF, {json} of JSON, {xml} of XML, {csv} of CSV")
    }

    /// Pushes all events, for comparison.
    pub(crate) fn events(&self) {
        let mut values = 0;
        let count = |event: Event<'_>, _| values += usize::from(matches!(event, Event::Value(_)));
        black_box(Parser::new().parse(black_box(&self.sgf), count).is_ok());
        black_box(values);
    }

    pub(crate) fn sgf_stream<T: DeserializeOwned>(&self) {
        for game in Parser::new().slice(black_box(&self.sgf)).games::<T>() {
            black_box(game.is_ok());
        }
    }

    pub(crate) fn serde_json<T: DeserializeOwned>(&self) {
        for text in &self.json {
            black_box(serde_json::from_str::<T>(black_box(text)).is_ok());
        }
    }

    pub(crate) fn quick_xml<T: DeserializeOwned>(&self) {
        for text in &self.xml {
            black_box(quick_xml::de::from_str::<T>(black_box(text)).is_ok());
        }
    }

    pub(crate) fn csv<T>(&self, read: ReadTable<T>) {
        let read = read(black_box(&self.csv), &mut |value| _ = black_box(value));
        black_box(read.is_ok());
    }

    /// Parses with `sgf-parse` and takes the value from its tree; for trees, the tree itself.
    pub(crate) fn sgf_parse<T>(&self, take: fn(&sgf_parse::SgfNode<Prop>) -> T) {
        for text in &self.sgf_texts {
            if let Ok([GameTree::GoGame(root)]) = sgf_parse::parse(black_box(text)).as_deref() {
                black_box(take(root));
            }
        }
    }
}

/// Games as headers, lines and trees.
pub(crate) struct Records {
    pub(crate) headers: Format,
    pub(crate) lines: Format,
    pub(crate) trees: Format,
}

impl Records {
    /// Samples games from a whole data set.
    pub(crate) fn of(data: &[u8]) -> Self {
        let step = data.len().div_ceil(SHARE);
        let texts = games(data).into_iter().step_by(step).map(|game| String::from_utf8_lossy(&data[game]).into_owned());
        // Games that the peer reads as games of Go.
        let texts: Vec<_> =
            texts.filter(|text| matches!(sgf_parse::parse(text).as_deref(), Ok([GameTree::GoGame(_)]))).collect();
        Records {
            headers: Format::of::<Header, Whole, Flat>(&texts, HEADER_COLUMNS, header_row),
            lines: Format::of::<Line, Whole, Steps>(&texts, LINE_COLUMNS, |game, line, _| line_rows(game, line)),
            trees: Format::of::<Tree, Tree, Tree>(&texts, "", |_, _, _| Some(Vec::new())),
        }
    }
}

// --- CSV ---------------------------------------------------------------------------------------

const HEADER_COLUMNS: &str = "PB,PW,RE,DT,moves\n";

/// Returns a row, if it is equal to the header. An empty field is not a value.
fn header_row(_: usize, header: &Header, whole: &Whole) -> Option<Vec<u8>> {
    let moves: Vec<_> =
        whole.steps.iter().filter_map(Step::shown).map(|(color, at)| format!("{color}[{at}]")).collect();
    let Header { black, white, result, date } = header;
    let mut row = csv::Writer::from_writer(Vec::new());
    row.serialize((black, white, result, date, moves.join(" "))).ok()?;
    let row = row.into_inner().ok()?;
    let mut read = Vec::new();
    csv_headers(&[HEADER_COLUMNS.as_bytes(), &row].concat(), &mut |header| read.push(header)).ok()?;
    (read == [header.clone()]).then_some(row)
}

/// Reads the headers of a table.
pub(crate) fn csv_headers(table: &[u8], take: &mut dyn FnMut(Header)) -> csv::Result<()> {
    let mut rows = csv::Reader::from_reader(table);
    let columns = rows.byte_headers()?.clone();
    let mut row = csv::ByteRecord::new();
    while rows.read_byte_record(&mut row)? {
        take(row.deserialize(Some(&columns))?);
    }
    Ok(())
}

const LINE_COLUMNS: &str = "game,step,at\n";

/// Returns one row for each node. An empty field is a pass.
fn line_rows(game: usize, line: &Line) -> Option<Vec<u8>> {
    let mut rows = csv::Writer::from_writer(Vec::new());
    for step in &line.steps {
        let (color, at) = step.shown().map_or(("Other", String::new()), |(color, at)| (color, at.to_string()));
        rows.serialize((game, color, at)).ok()?;
    }
    let rows = rows.into_inner().ok()?;
    let mut read = Vec::new();
    csv_lines(&[LINE_COLUMNS.as_bytes(), &rows].concat(), &mut |line| read.push(line)).ok()?;
    (read == [line.clone()]).then_some(rows)
}

#[derive(Deserialize)]
struct StepRow {
    game: usize,
    step: Kind,
    at: Option<Move>,
}

#[derive(Deserialize)]
enum Kind {
    B,
    W,
    Other,
}

/// Reads the main lines of a table.
pub(crate) fn csv_lines(table: &[u8], take: &mut dyn FnMut(Line)) -> csv::Result<()> {
    let mut rows = csv::Reader::from_reader(table);
    let columns = rows.byte_headers()?.clone();
    let (mut row, mut game, mut steps) = (csv::ByteRecord::new(), None, Vec::new());
    while rows.read_byte_record(&mut row)? {
        let StepRow { game: of, step, at } = row.deserialize(Some(&columns))?;
        if game.replace(of).is_some_and(|before| before != of) {
            take(Line { steps: mem::take(&mut steps) });
        }
        let at = at.unwrap_or(Move::Pass);
        steps.push(match step {
            Kind::B => Step::B(at),
            Kind::W => Step::W(at),
            Kind::Other => Step::Other,
        });
    }
    if game.is_some() {
        take(Line { steps });
    }
    Ok(())
}

impl Step {
    /// Returns a move as it is written.
    fn shown(&self) -> Option<(&'static str, &Move)> {
        match self {
            Step::B(at) => Some(("B", at)),
            Step::W(at) => Some(("W", at)),
            Step::Other => None,
        }
    }
}

// --- sgf-parse ---------------------------------------------------------------------------------

/// Returns the header of a tree of `sgf-parse`.
pub(crate) fn header(root: &sgf_parse::SgfNode<Prop>) -> Header {
    let mut header = Header { black: None, white: None, result: None, date: None };
    for property in root.properties() {
        match property {
            Prop::PB(text) => header.black = Some(text.text.clone()),
            Prop::PW(text) => header.white = Some(text.text.clone()),
            Prop::RE(text) => header.result = Some(text.text.clone()),
            Prop::DT(text) => header.date = Some(text.text.clone()),
            _ => {}
        }
    }
    header
}

/// Returns the main line of a tree of `sgf-parse`.
pub(crate) fn line(root: &sgf_parse::SgfNode<Prop>) -> Vec<(bool, sgf_parse::go::Move)> {
    let moves = root.main_variation().skip(1).filter_map(|node| match node.get_move() {
        Some(Prop::B(play)) => Some((true, *play)),
        Some(Prop::W(play)) => Some((false, *play)),
        _ => None,
    });
    moves.collect()
}

/// Returns the number of nodes of the tree as it is.
pub(crate) fn tree(root: &sgf_parse::SgfNode<Prop>) -> usize {
    root.children().count()
}
