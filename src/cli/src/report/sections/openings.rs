//! The tree of openings: positions with links to those that follow.

use std::collections::BTreeMap;

use maud::{Markup, PreEscaped, html};
use sgf_stream::Game;
use sgf_stream::board::{Diagram, Shape, Spot};
use sgf_stream::value::{Color, Size};

use super::Report;
use crate::report::charts::{hex_name, percent, point_name};
use crate::report::facts::Ground;
use crate::report::gather::{DEPTH, Opening, Step};
use crate::report::stats::Share;
use crate::report::view::{Section, Table};
use crate::tables::{counted, grouped};

/// The most moves that are named after a position, by its depth.
const MOST_NEXT: [usize; DEPTH] = [6, 5, 4, 3, 2, 2];

/// The most positions that are drawn.
const MOST_POSITIONS: usize = 160;

/// The least number of games of a position.
const LEAST: u64 = 5;

/// The openings that are one move longer than another, with their sums.
type Followers = BTreeMap<Option<Opening>, Vec<(Opening, [u64; 3])>>;

/// A position: the moves to it, its games, and the moves after it.
struct Position {
    opening: Option<Opening>,
    sums: [u64; 3],
    /// The numbers of the positions after it.
    next: Vec<usize>,
    parent: usize,
}

pub(super) fn section(report: &Report) -> Section {
    let openings = &report.sums.played.openings;
    let mut after: BTreeMap<Ground, Followers> = BTreeMap::new();
    for (opening, sums) in openings.sorted() {
        let before = (opening.len > 1).then(|| opening.start(opening.len - 1));
        after.entry(opening.ground).or_default().entry(before).or_default().push((*opening, *sums));
    }
    let trees = after.into_iter().filter_map(|(ground, after)| {
        let mut all = [0; 3];
        after.get(&None)?.iter().for_each(|(_, sums)| all.iter_mut().zip(sums).for_each(|(sum, more)| *sum += more));
        Some(Tree { ground, positions: choose(all, &after) })
    });
    // One of each game: of Hex, that of the board with most games.
    let (go, hex): (Vec<Tree>, Vec<Tree>) = trees.partition(|tree| tree.ground.game == Game::Go);
    let hex = hex.into_iter().max_by_key(|tree| (tree.games(), std::cmp::Reverse(tree.ground)));
    let hex = hex.filter(|tree| tree.games() >= LEAST);
    let of = match (go.first(), &hex) {
        (_, None) => "even games of Go on 19×19".to_owned(),
        (None, Some(hex)) => format!("games of {}", hex.ground.name()),
        (Some(_), Some(hex)) => format!("even games of Go on 19×19, and of games of {}", hex.ground.name()),
    };
    let turned = if go.is_empty() && hex.is_some() {
        "turned to one half of the board"
    } else {
        "turned and mirrored to one corner"
    };
    let lead =
        format!("The first moves of {of}, {turned}, with Black’s share of wins. Choose a move to see what follows it.");
    let mut section = Section::new("openings", "Openings", lead);
    if go.is_empty() && hex.is_none() {
        section.missing("openings", "Openings", "There are no even games of Go on 19×19 that Black begins.");
    }
    let title = |name: &str| if go.is_empty() || hex.is_none() { String::new() } else { format!("Openings of {name}") };
    for (id, name, tree) in
        go.iter().map(|tree| ("openings", "Go", tree)).chain(hex.iter().map(|tree| ("openings-hex", "Hex", tree)))
    {
        let notes = section.chart(id, title(name), tree.draw(id), tree.table());
        notes.push(format!(
            "Drawn are the most frequent moves with at least {LEAST} games. Order counts: the same stones in another order are another \
             opening."
        ));
        if tree.ground.game == Game::Hex {
            notes.push("A board counts as the same after a rotation of 180°. After swap-pieces the stone has the other color, and is reflected in the long diagonal.".to_owned());
        }
        notes.extend(openings.limit("openings"));
    }
    section
}

/// The openings on a board.
struct Tree {
    ground: Ground,
    positions: Vec<Position>,
}

/// Chooses the positions to draw, level by level.
fn choose(all: [u64; 3], after: &Followers) -> Vec<Position> {
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

fn letter(n: usize) -> char {
    char::from(b'A' + (n % 26) as u8)
}

impl Tree {
    fn games(&self) -> u64 {
        self.positions[0].sums[0]
    }

    /// A move in words.
    fn words(&self, step: Step) -> String {
        match step {
            Step::Stone(_, x, y) if self.ground.game == Game::Hex => hex_name(x, y),
            Step::Stone(_, x, y) => point_name(x, y, 19),
            Step::SwapSides => "swap-sides".to_owned(),
            Step::SwapPieces => "swap-pieces".to_owned(),
        }
    }

    /// The last move of a position.
    fn last(&self, position: &Position) -> Option<Step> {
        position.opening.as_ref()?.steps().last()
    }

    fn last_words(&self, position: &Position) -> String {
        self.last(position).map_or(String::new(), |step| self.words(step))
    }

    /// The moves of a position, in words.
    fn line(&self, position: &Position) -> String {
        position.opening.iter().flat_map(Opening::steps).map(|step| self.words(step)).collect::<Vec<_>>().join(" ")
    }

    /// The board, with the moves numbered and the next ones as letters.
    fn board(&self, position: &Position) -> String {
        let shape = if self.ground.game == Game::Hex { Shape::Rhombus } else { Shape::Grid };
        let size = self.ground.side.and_then(|side| Size::square(side.into()));
        let Some(mut diagram) = size.and_then(|size| Diagram::new(shape, size)) else {
            return String::new();
        };
        let mut stones: Vec<(Color, Spot, usize)> = Vec::new();
        for (n, step) in position.opening.iter().flat_map(Opening::steps).enumerate() {
            match step {
                Step::Stone(color, x, y) => stones.push((color, spot(x, y), n + 1)),
                Step::SwapSides => {}
                Step::SwapPieces => stones.iter_mut().for_each(|(color, spot, _)| {
                    *color = color.opponent();
                    *spot = Spot { column: spot.row, row: spot.column };
                }),
            }
        }
        for (color, spot, number) in stones {
            diagram.stone(spot, color).label(spot, number.to_string());
        }
        for (n, next) in position.next.iter().enumerate() {
            if let Some(Step::Stone(_, x, y)) = self.last(&self.positions[*next]) {
                diagram.label(spot(x, y), letter(n).to_string());
            }
        }
        let title = if position.opening.is_some() { self.line(position) } else { "Empty board".to_owned() };
        diagram.svg().coordinates(shape == Shape::Rhombus).title(&title).to_string()
    }

    fn draw(&self, id: &str) -> Markup {
        let anchor = |number: usize| format!("{}-{number}", if id == "openings" { "op" } else { "hex" });
        html! {
            div .openings {
                @for (number, position) in self.positions.iter().enumerate() {
                    article .opening id=(anchor(number)) {
                        (PreEscaped(self.board(position)))
                        div {
                            p .path {
                                @if number == 0 { b { "Start" } } @else { a href=(format!("#{}", anchor(0))) { "Start" } }
                                @for (n, ancestor) in ancestors(&self.positions, number).into_iter().enumerate() {
                                    " › "
                                    @let text = format!("{} {}", n + 1, self.last_words(&self.positions[ancestor]));
                                    @if ancestor == number { b { (text) } }
                                    @else { a href=(format!("#{}", anchor(ancestor))) { (text) } }
                                }
                            }
                            p { (counted(position.sums[0], "game")) (share_text(&position.sums)) }
                            (self.next(position, &anchor))
                        }
                    }
                }
            }
        }
    }

    /// The moves after a position, with links to theirs.
    fn next(&self, position: &Position, anchor: &dyn Fn(usize) -> String) -> Markup {
        html! {
            @if position.next.is_empty() {
                p .quiet { "No move after it is frequent enough." }
            } @else {
                ol .next {
                    @for (n, number) in position.next.iter().enumerate() {
                        @let child = &self.positions[*number];
                        @let part = child.sums[0] as f64 / position.sums[0].max(1) as f64;
                        li {
                            a href=(format!("#{}", anchor(*number))) {
                                b { (letter(n)) }
                                span .point { (self.last_words(child)) }
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

    fn table(&self) -> Table {
        let mut table = Table::new(["moves", "games", "Black won", "White won", "Black’s share", "from", "to"]);
        for position in &self.positions[1..] {
            let [games, black, white] = position.sums;
            let cells = [self.line(position).into(), games.into(), black.into(), white.into()];
            table.row(cells.into_iter().chain(super::share_cells(black, black + white)));
        }
        table
    }
}

fn spot(x: u8, y: u8) -> Spot {
    Spot { column: x.into(), row: y.into() }
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
