//! The tree of openings: positions that one walks through by their links.

use std::collections::BTreeMap;

use maud::{Markup, PreEscaped, html};
use sgf_stream::board::{Diagram, Shape, Spot};
use sgf_stream::value::{Color, Size};

use super::Report;
use crate::report::charts::{percent, point_name};
use crate::report::gather::{DEPTH, Opening};
use crate::report::stats::Share;
use crate::report::view::{Section, Table, Value};
use crate::tables::{counted, grouped};

/// The most moves that are named after a position, by its depth.
const MOST_NEXT: [usize; DEPTH] = [6, 5, 4, 3, 2, 2];

/// The most positions that are drawn.
const MOST_POSITIONS: usize = 160;

/// The least number of games of a position.
const LEAST: u64 = 5;

/// A position: the moves to it, its games, and the moves after it.
struct Position {
    opening: Option<Opening>,
    sums: [u64; 3],
    /// The numbers of the positions after it.
    next: Vec<usize>,
    parent: usize,
}

pub(super) fn section(report: &Report) -> Section {
    let lead = "The first moves of even games on 19×19, turned and mirrored to one corner, with Black’s share of wins. Choose a \
        move to see what follows it.";
    let mut section = Section::new("openings", "Openings", lead);
    let openings = &report.sums.played.openings;
    let mut after: BTreeMap<Option<Opening>, Vec<(Opening, [u64; 3])>> = BTreeMap::new();
    for (opening, sums) in openings.sorted() {
        let before = (opening.len > 1).then(|| opening.start(opening.len - 1));
        after.entry(before).or_default().push((*opening, *sums));
    }
    let Some(first) = after.get(&None) else {
        section.missing("openings", "Openings", "There are no even games of Go on 19×19 that Black begins.");
        return section;
    };
    let mut all = [0; 3];
    first.iter().for_each(|(_, sums)| all.iter_mut().zip(sums).for_each(|(sum, more)| *sum += more));
    let positions = choose(all, &after);
    let notes = section.chart("openings", "", draw(&positions), table(&positions));
    notes.push(format!(
        "Drawn are the most frequent moves with at least {LEAST} games. Order counts: the same stones in another order are another \
         opening."
    ));
    notes.extend(openings.limit("openings"));
    section
}

/// Chooses the positions to draw, level by level.
fn choose(all: [u64; 3], after: &BTreeMap<Option<Opening>, Vec<(Opening, [u64; 3])>>) -> Vec<Position> {
    let mut positions = vec![Position { opening: None, sums: all, next: Vec::new(), parent: 0 }];
    let mut at = 0;
    while at < positions.len() {
        let opening = positions[at].opening;
        let depth = opening.map_or(0, |opening| usize::from(opening.len));
        let most = MOST_NEXT.get(depth).copied().unwrap_or(0);
        for (next, sums) in after.get(&opening).into_iter().flatten().take(most) {
            if sums[0] < LEAST && depth > 0 || positions.len() >= MOST_POSITIONS {
                break;
            }
            let number = positions.len();
            positions[at].next.push(number);
            positions.push(Position { opening: Some(*next), sums: *sums, next: Vec::new(), parent: at });
        }
        at += 1;
    }
    positions
}

fn last_point(position: &Position) -> Option<(u32, u32)> {
    position.opening.as_ref()?.points().last()
}

fn point_text(position: &Position) -> String {
    last_point(position).map_or(String::new(), |(x, y)| point_name(x as u8, y as u8, 19))
}

/// The moves of a position, in words.
fn line(position: &Position) -> String {
    let points = position.opening.iter().flat_map(Opening::points).map(|(x, y)| point_name(x as u8, y as u8, 19));
    points.collect::<Vec<_>>().join(" ")
}

fn letter(n: usize) -> char {
    char::from(b'A' + (n % 26) as u8)
}

/// The board, with the moves numbered and the next ones as letters.
fn board(positions: &[Position], position: &Position) -> String {
    let Some(mut diagram) = Size::square(19).and_then(|size| Diagram::new(Shape::Grid, size)) else {
        return String::new();
    };
    for (n, (column, row)) in position.opening.iter().flat_map(Opening::points).enumerate() {
        let spot = Spot { column, row };
        let color = if n % 2 == 0 { Color::Black } else { Color::White };
        diagram.stone(spot, color).label(spot, (n + 1).to_string());
    }
    for (n, next) in position.next.iter().enumerate() {
        if let Some((column, row)) = last_point(&positions[*next]) {
            diagram.label(Spot { column, row }, letter(n).to_string());
        }
    }
    let title = if position.opening.is_some() { line(position) } else { "Empty board".to_owned() };
    diagram.svg().coordinates(false).title(&title).to_string()
}

fn draw(positions: &[Position]) -> Markup {
    html! {
        div .openings {
            @for (number, position) in positions.iter().enumerate() {
                article .opening id=(format!("op-{number}")) {
                    (PreEscaped(board(positions, position)))
                    div {
                        p .path {
                            @if number == 0 { b { "Start" } } @else { a href="#op-0" { "Start" } }
                            @for (n, ancestor) in ancestors(positions, number).into_iter().enumerate() {
                                " › "
                                @let text = format!("{} {}", n + 1, point_text(&positions[ancestor]));
                                @if ancestor == number { b { (text) } } @else { a href=(format!("#op-{ancestor}")) { (text) } }
                            }
                        }
                        p { (counted(position.sums[0], "game")) (share_text(&position.sums)) }
                        (next(positions, position))
                    }
                }
            }
        }
    }
}

/// The moves after a position, with links to theirs.
fn next(positions: &[Position], position: &Position) -> Markup {
    html! {
        @if position.next.is_empty() {
            p .quiet { "No move after it is frequent enough." }
        } @else {
            ol .next {
                @for (n, number) in position.next.iter().enumerate() {
                    @let child = &positions[*number];
                    @let part = child.sums[0] as f64 / position.sums[0].max(1) as f64;
                    li {
                        a href=(format!("#op-{number}")) {
                            b { (letter(n)) }
                            span .point { (point_text(child)) }
                            span .track { span .fill .k0 style=(format!("width:{:.1}%", part * 100.0)) {} }
                            span .value { (percent(part)) }
                        }
                        small { (grouped(child.sums[0])) (share_text(&child.sums)) }
                    }
                }
            }
        }
    }
}

fn share_text(sums: &[u64; 3]) -> String {
    match Share::of(sums[1], sums[1] + sums[2]) {
        Some(share) => format!(" · Black wins {}", percent(share.share)),
        None => String::new(),
    }
}

/// The positions on the way to one, itself included, without the start.
fn ancestors(positions: &[Position], number: usize) -> Vec<usize> {
    let mut way = Vec::new();
    let mut at = number;
    while at != 0 {
        way.push(at);
        at = positions[at].parent;
    }
    way.reverse();
    way
}

fn table(positions: &[Position]) -> Table {
    let mut table = Table::new(["moves", "games", "Black won", "White won", "Black’s share", "from", "to"]);
    for position in &positions[1..] {
        let [games, black, white] = position.sums;
        let share = Share::of(black, black + white);
        let of = |share: Option<f64>| share.map_or(Value::Null, Value::Share);
        table.row([
            line(position).into(),
            games.into(),
            black.into(),
            white.into(),
            of(share.map(|share| share.share)),
            of(share.map(|share| share.low)),
            of(share.map(|share| share.high)),
        ]);
    }
    table
}
