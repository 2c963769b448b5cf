//! Hits as lines of text, JSON or CSV.

use sgf_board::Symmetry;
use sgf_search::Hit;
use sgf_stream::value::Size;
use sgf_stream::value::go::Point;
use sgf_table::Cell;

use super::facts::{self, Header, cell};
use crate::input::Name;
use crate::json;
use crate::numbers::{NextGame, Numbers};
use crate::records::write_cell;
use crate::visible::Visible;

/// How hits are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Text,
    Json,
    Csv,
    Nothing,
}

/// The columns of CSV before those that are asked for.
const CSV: [&str; 12] = [
    "file",
    "game",
    "offset",
    "ply",
    "path",
    "symmetry",
    "swapped",
    "next_color",
    "next_point",
    "next_ply",
    "elsewhere",
    "end_ply",
];

/// The reason why writing cannot fail.
const IN_MEMORY: &str = "writing to memory does not fail";

/// Formats hits.
pub(super) struct Output {
    format: Format,
    columns: Vec<String>,
    /// Whether the columns are those of [`facts::DEFAULT`].
    is_default: bool,
}

/// A hit, and where it is.
pub(super) struct Line<'l> {
    pub(super) file: &'l Name,
    pub(super) game: NextGame,
    pub(super) offset: u64,
    pub(super) hit: &'l Hit,
    pub(super) path: Option<&'l str>,
    pub(super) row: Option<Header<'l>>,
}

impl Output {
    pub(super) fn new(format: Format, columns: &[&str]) -> Self {
        let is_default = columns == facts::DEFAULT;
        Output { format, columns: columns.iter().map(|&name| name.to_owned()).collect(), is_default }
    }

    /// Returns the lines before all hits.
    pub(super) fn head(&self) -> Vec<u8> {
        match self.format {
            Format::Csv => {
                let mut out = csv::Writer::from_writer(Vec::new());
                out.write_record(CSV.iter().copied().chain(self.columns.iter().map(String::as_str))).expect(IN_MEMORY);
                out.into_inner().expect(IN_MEMORY)
            }
            _ => Vec::new(),
        }
    }

    /// Appends the line of a hit, and notes where the number of its game is.
    pub(super) fn write(&self, line: &Line<'_>, out: &mut Vec<u8>, numbers: &mut Numbers) {
        match self.format {
            Format::Nothing => {}
            Format::Text => self.text(line, out, numbers),
            Format::Json => self.json(line, out, numbers),
            Format::Csv => self.csv(line, out, numbers),
        }
    }

    fn text(&self, line: &Line<'_>, out: &mut Vec<u8>, numbers: &mut Numbers) {
        let &Line { file, game, hit, path, row, .. } = line;
        out.extend_from_slice(Visible(&file.to_string()).to_string().as_bytes());
        out.push(b':');
        // People count games from 1.
        number(game, 1, out, numbers);
        let mut text = format!("  move {}", hit.end_ply());
        if let Some(path) = path {
            text += &format!(" of variation {path}");
        }
        text += "  ";
        text += &match hit.played() {
            Some((color, point)) => format!("next {color} {}", name(point, row)),
            None => "no next move".to_owned(),
        };
        if let Some(row) = row {
            let cells: Vec<String> = match self.is_default {
                true => default_cells(row),
                false => self.columns.iter().map(|name| cell(row, name).to_string()).collect(),
            };
            for cell in cells {
                text += "  ";
                text += if cell.is_empty() { "-" } else { &cell };
            }
        }
        out.extend_from_slice(Visible(&text).to_string().as_bytes());
        out.push(b'\n');
    }

    fn json(&self, line: &Line<'_>, out: &mut Vec<u8>, numbers: &mut Numbers) {
        let &Line { file, game, offset, hit, path, row, .. } = line;
        out.extend_from_slice(b"{\"file\":");
        json::write_str(out, file.as_str());
        if let Some(base64) = file.base64() {
            out.extend_from_slice(b",\"path_base64\":");
            json::write_str(out, &base64);
        }
        out.extend_from_slice(format!(",\"offset\":{offset},\"game\":").as_bytes());
        number(game, 0, out, numbers);
        let path = path.map_or("null".to_owned(), json::string);
        let next = match hit.next().zip(hit.played()) {
            None => "null".to_owned(),
            Some((next, (color, point))) => format!(
                "{{\"color\":\"{}\",\"point\":\"{}\",\"ply\":{},\"elsewhere\":{},\"played\":{{\"color\":\"{color}\",\"point\":\"{point}\"}}}}",
                next.color, next.point, next.ply, next.elsewhere
            ),
        };
        out.extend_from_slice(
            format!(
                ",\"ply\":{},\"path\":{path},\"symmetry\":{},\"swapped\":{},\"next\":{next},\"end_ply\":{},\"node_offset\":{}",
                hit.ply(),
                symmetry(hit.symmetry()),
                hit.is_swapped(),
                hit.end_ply(),
                hit.node_offset().map_or("null".to_owned(), |offset| offset.to_string())
            )
            .as_bytes(),
        );
        for (name, row) in self.columns.iter().zip(std::iter::repeat(row)) {
            let Some(row) = row else { break };
            let cell = cell(row, name);
            if !cell.is_null() {
                out.push(b',');
                json::write_str(out, name);
                out.push(b':');
                write_cell(out, &cell);
            }
        }
        out.extend_from_slice(b"}\n");
    }

    fn csv(&self, line: &Line<'_>, out: &mut Vec<u8>, numbers: &mut Numbers) {
        let &Line { file, game, offset, hit, path, row, .. } = line;
        // A field of its own, since its place must be known.
        let start = out.len();
        let mut writer = csv::Writer::from_writer(std::mem::take(out));
        writer.write_field(file.as_bytes()).expect(IN_MEMORY);
        writer.flush().expect(IN_MEMORY);
        debug_assert!(writer.get_ref().len() > start);
        let counted = game.number().unwrap_or_default().to_string();
        writer.write_field(&counted).expect(IN_MEMORY);
        writer.flush().expect(IN_MEMORY);
        let end = writer.get_ref().len();
        if let Some(of_result) = game.of_result() {
            numbers.note(end - counted.len()..end, of_result);
        }
        let next = hit.next();
        let text = |value: Option<String>| value.unwrap_or_default();
        let fields = [
            offset.to_string(),
            hit.ply().to_string(),
            path.unwrap_or_default().to_owned(),
            symmetry(hit.symmetry()).to_string(),
            hit.is_swapped().to_string(),
            text(next.map(|next| next.color.to_string())),
            text(next.map(|next| next.point.to_string())),
            text(next.map(|next| next.ply.to_string())),
            text(next.map(|next| next.elsewhere.to_string())),
            hit.end_ply().to_string(),
        ];
        let cells = self.columns.iter().map(|name| row.map_or(String::new(), |row| cell(row, name).to_string()));
        writer.write_record(fields.into_iter().chain(cells)).expect(IN_MEMORY);
        *out = writer.into_inner().expect(IN_MEMORY);
    }
}

/// Appends the number of a game, counted from `first`.
fn number(game: NextGame, first: u64, out: &mut Vec<u8>, numbers: &mut Numbers) {
    let start = out.len();
    out.extend_from_slice((game.number().unwrap_or_default() + first).to_string().as_bytes());
    if let Some(of_result) = game.of_result() {
        numbers.note(start..out.len(), of_result + first);
    }
}

/// Returns the number of a symmetry in JSON.
fn symmetry(symmetry: Symmetry) -> usize {
    symmetry.index()
}

/// Returns the name of a point, as players use it, if the size of the board is known.
fn name(point: Point, row: Option<Header<'_>>) -> String {
    let side = |name: &str| match row.map(|row| cell(row, name)) {
        Some(Cell::Integer(side)) => u32::try_from(side).ok(),
        _ => None,
    };
    let size = side("size_x").zip(side("size_y")).and_then(|(columns, rows)| Size::new(columns, rows));
    size.and_then(|size| point.name_on(size)).unwrap_or_else(|| point.to_string())
}

/// Returns players with their ranks, date and result.
fn default_cells(row: Header<'_>) -> Vec<String> {
    let player = |name: &str, rank: &str| {
        let (name, rank) = (cell(row, name).to_string(), cell(row, rank).to_string());
        match (name.is_empty(), rank.is_empty()) {
            (true, true) => "?".to_owned(),
            (true, false) => format!("? {rank}"),
            (false, true) => name,
            (false, false) => format!("{name} {rank}"),
        }
    };
    let players = format!("{} – {}", player("PB", "BR"), player("PW", "WR"));
    vec![players, cell(row, "DT").to_string(), cell(row, "RE").to_string()]
}
