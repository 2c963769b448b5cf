//! Games that occur more than once.

use maud::{Markup, PreEscaped, html};
use sgf_board::{Board, Diagram};
use sgf_stream::value::{Color, Size, go};

use super::Report;
use super::figures::Bars;
use crate::dups::{LEAST_STONES, LEAST_STONES_OF_PROBLEM};
use crate::report::charts::{Bar, percent};
use crate::report::facts::{PASS, WHITE};
use crate::report::gather::Group;
use crate::report::view::{Section, Table, Value};
use crate::tables::{counted, grouped};
use crate::visible::Visible;

/// The number of groups that are drawn, and of those in the table.
const MOST: usize = 12;
const MOST_ROWS: usize = 200;

pub(super) fn section(report: &Report) -> Section {
    let copies = &report.sums.copies;
    let lead = format!(
        "Games with at least {LEAST_STONES} stones ({LEAST_STONES_OF_PROBLEM} in problems), the same setup, and stones on the same points in the same order. The \
         board may be turned or mirrored; colors, passes and root properties do not count. sgf dups lists all of them, and also \
         finds truncated games."
    );
    let mut section = Section::new("copies", "Copies", lead);
    let (compared, twice) = copies.compared();
    let largest = copies.largest(MOST_ROWS);
    if largest.is_empty() {
        let why = match compared {
            0 => format!("No game has {LEAST_STONES} stones."),
            _ => format!("No copies among {}.", counted(compared, "game")),
        };
        section.missing("copies", "Largest groups", why);
        return section;
    }
    let mut table = Table::new(["games", "black", "white", "date", "moves", "example file", "offset"]);
    for group in &largest {
        let [black, white] = group.players.clone().map(Value::from);
        table.row([
            group.games.into(),
            black,
            white,
            group.date.clone().into(),
            Value::Count(group.move_count),
            group.file.clone().into(),
            group.offset.into(),
        ]);
    }
    let picture = html! {
        div .boards .groups {
            @for group in largest.iter().take(MOST) { (draw(group)) }
        }
    };
    let notes = section.chart("copies", "Largest groups, with their last positions", picture, table);
    notes.push(format!(
        "{} of {} are copies of another ({}).",
        grouped(twice),
        counted(compared, "compared game"),
        percent(twice as f64 / compared.max(1) as f64)
    ));
    notes.extend(copies.limit());
    let mut sizes = Bars::new(["games in a group", "groups"], 15);
    for (size, groups) in copies.sizes() {
        let label = format!("{} games", grouped(size));
        let bar = Bar { label, value: groups as f64, text: counted(groups, "group"), color: 0 };
        sizes.row([size.into(), groups.into()], |_| bar);
    }
    sizes.add(&mut section, "copies-sizes", "Groups by number of copies");
    section
}

fn draw(group: &Group) -> Markup {
    let name = |player: &Option<String>| Visible(player.as_deref().unwrap_or("?")).to_string();
    let players = format!("{} – {}", name(&group.players[0]), name(&group.players[1]));
    html! {
        div {
            @if let Some(board) = last_position(group) {
                (PreEscaped(Diagram::of(&board).svg().thumbnail().title(&players).to_string()))
            }
            p { b { (grouped(group.games)) " ×" } " " (players) br; small { (group.date.as_deref().unwrap_or("undated")) } }
        }
    }
}

/// The board after the last move, if it is a square board of Go.
fn last_position(group: &Group) -> Option<Board> {
    let side = u16::from(group.side?);
    let mut board = Board::new(Size::square(u32::from(side))?)?;
    let point = |code: u16| go::Point::new((code % side) as u8, (code / side) as u8);
    let color = |code: u16| if code & WHITE == 0 { Color::Black } else { Color::White };
    for code in &group.setup {
        board.set(point(code & !WHITE)?, Some(color(*code)));
    }
    for code in group.moves.iter().filter(|code| **code & !WHITE != PASS) {
        board.play(color(*code), point(code & !WHITE)?);
    }
    Some(board)
}
