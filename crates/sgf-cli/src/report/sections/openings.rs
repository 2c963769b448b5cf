//! The tree of openings: positions with links to those that follow.

use std::collections::BTreeMap;

use maud::{Markup, PreEscaped, html};
use sgf_board::{Diagram, Shape, Spot};
use sgf_search::{OpeningTree, Openings, Sums};
use sgf_stream::Game;
use sgf_stream::value::{Color, Size};

use super::Report;
use crate::report::charts::{hex_name, percent, point_name};
use crate::report::facts::{GO_19, Ground};
use crate::report::gather::{DEPTH, HexOpening, Step};
use crate::report::stats::Share;
use crate::report::view::{Section, Table};
use crate::tables::{counted, grouped};

/// The most moves that are named after a position, by its depth.
const MOST_NEXT: [usize; DEPTH] = [6, 5, 4, 3, 2, 2];

/// The most positions that are drawn.
const MOST_POSITIONS: usize = 160;

/// The least number of games of a move.
const LEAST: u64 = 5;

/// The openings of Hex that are one move longer than another, with their sums.
type Followers = BTreeMap<Option<HexOpening>, Vec<(HexOpening, [u64; 3])>>;

/// A position that is drawn.
struct Position {
    /// Games, and those that Black and White won.
    sums: [u64; 3],
    /// The moves after it.
    next: Vec<Next>,
    /// The position before it and the move from there; `None` at the start.
    before: Option<(usize, Step)>,
}

/// A move after a position.
struct Next {
    step: Step,
    /// Number of games in which it is played after the position.
    games: u64,
    /// The sums of the position to which it leads.
    sums: [u64; 3],
    /// The number of that position, if it is drawn.
    to: Option<usize>,
}

/// A move to a position that may be drawn.
struct Choice<K> {
    next: Next,
    /// The position to which it leads.
    key: K,
    /// Whether the position is drawn after this move, and not only after another one.
    is_first: bool,
}

pub(super) fn section(report: &Report) -> Section {
    let (go, hex) = (report.sums.played.openings.as_ref(), &report.sums.played.hex);
    let of_go = go.and_then(of_go).map(|positions| Tree { ground: GO_19, positions });
    let of_hex = of_hex(hex.sorted().into_iter());
    let of = match (&of_go, &of_hex) {
        (_, None) => "even games of Go on 19×19".to_owned(),
        (None, Some(hex)) => format!("games of {}", hex.ground.name()),
        (Some(_), Some(hex)) => format!("even games of Go on 19×19, and of games of {}", hex.ground.name()),
    };
    let turned = if of_go.is_none() && of_hex.is_some() {
        "turned to one half of the board"
    } else {
        "turned and mirrored to one corner"
    };
    let lead =
        format!("The first moves of {of}, {turned}, with Black’s share of wins. Choose a move to see what follows it.");
    let mut section = Section::new("openings", "Openings", lead);
    if of_go.is_none() && of_hex.is_none() {
        section.missing("openings", "Openings", "There are no even games of Go on 19×19 that have moves.");
    }
    let has_both = of_go.is_some() && of_hex.is_some();
    let title = |name: &str| if has_both { format!("Openings of {name}") } else { String::new() };
    let drawn = format!("Drawn are the most frequent moves with at least {LEAST} games.");
    if let Some(tree) = &of_go {
        let notes = section.chart("openings", title("Go"), tree.draw("op"), tree.table());
        notes.push(format!(
            "{drawn} The order of moves does not count: a position has the games that reach it in any order."
        ));
        notes.extend(go.map(Openings::dropped).filter(|dropped| *dropped > 0).map(|dropped| {
            format!("There are more openings than can be kept: the rarest were dropped, and a number may be up to {dropped} too low.")
        }));
    }
    if let Some(tree) = &of_hex {
        let notes = section.chart("openings-hex", title("Hex"), tree.draw("hex"), tree.table());
        notes.push(format!("{drawn} Order counts: the same stones in another order are another opening."));
        notes.push("A board counts as the same after a rotation of 180°. After swap-pieces the stone has the other color, and is reflected in the long diagonal.".to_owned());
        notes.extend(hex.limit("openings"));
    }
    section
}

/// Chooses the openings of Go that are drawn. `None` if no game has a move.
fn of_go(openings: &Openings) -> Option<Vec<Position>> {
    let tree: OpeningTree = openings.tree(1);
    let nodes = tree.nodes();
    let sums = |sums: Sums| [sums.games, sums.black_wins, sums.white_wins];
    let choice = |&key: &usize| {
        let node = &nodes[key];
        let color = node.color?;
        let step = node.point.map_or(Step::Pass(color), |point| Step::Stone(color, point.x(), point.y()));
        let next = Next { step, games: node.by_move, sums: sums(node.sums), to: None };
        // The board of another node with the position may be turned.
        Some(Choice { next, key: node.same_as.unwrap_or(key), is_first: node.same_as.is_none() })
    };
    let root = nodes.first()?;
    let positions = choose(0, sums(root.sums), |key| nodes[*key].children.iter().filter_map(choice).collect());
    (!root.children.is_empty()).then_some(positions)
}

/// Chooses the openings of Hex that are drawn, on the board with most games. `None` if they are too few.
fn of_hex<'o>(openings: impl Iterator<Item = (&'o HexOpening, &'o [u64; 3])>) -> Option<Tree> {
    let mut after: BTreeMap<Ground, Followers> = BTreeMap::new();
    for (opening, sums) in openings {
        let before = (opening.len > 1).then(|| opening.start(opening.len - 1));
        after.entry(opening.ground).or_default().entry(before).or_default().push((*opening, *sums));
    }
    let of_ground = after.into_iter().filter_map(|(ground, after)| {
        let mut all = [0; 3];
        after.get(&None)?.iter().for_each(|(_, sums)| all.iter_mut().zip(sums).for_each(|(sum, more)| *sum += more));
        Some((ground, after, all))
    });
    let most = of_ground.max_by_key(|(ground, _, all)| (all[0], std::cmp::Reverse(*ground)));
    let (ground, after, all) = most.filter(|(.., all)| all[0] >= LEAST)?;
    let choice = |(opening, sums): &(HexOpening, [u64; 3])| {
        let next = Next { step: opening.last()?, games: sums[0], sums: *sums, to: None };
        Some(Choice { next, key: Some(*opening), is_first: true })
    };
    let positions = choose(None, all, |key| after.get(key).into_iter().flatten().filter_map(choice).collect());
    Some(Tree { ground, positions })
}

/// Chooses the positions to draw, level by level, from the first one with its sums. `after` lists the moves after a
/// position, the most frequent ones first.
fn choose<K: Ord + Clone>(first: K, sums: [u64; 3], after: impl Fn(&K) -> Vec<Choice<K>>) -> Vec<Position> {
    let mut positions = vec![Position { sums, next: Vec::new(), before: None }];
    let (mut keys, mut known) = (vec![(first.clone(), 0)], BTreeMap::from([(first, 0)]));
    let (mut at, mut links) = (0, Vec::new());
    while let Some((key, depth)) = keys.get(at).cloned() {
        let most = MOST_NEXT.get(depth).copied().unwrap_or(0);
        for Choice { next, key, is_first } in after(&key).into_iter().take(most) {
            if next.games < LEAST && depth > 0 || positions.len() >= MOST_POSITIONS {
                break;
            }
            if is_first {
                known.insert(key.clone(), positions.len());
                positions.push(Position { sums: next.sums, next: Vec::new(), before: Some((at, next.step)) });
                keys.push((key.clone(), depth + 1));
            }
            links.push((at, positions[at].next.len(), key));
            positions[at].next.push(next);
        }
        at += 1;
    }
    for (at, n, key) in links {
        positions[at].next[n].to = known.get(&key).copied();
    }
    positions
}

/// The openings on a board.
struct Tree {
    ground: Ground,
    positions: Vec<Position>,
}

fn letter(n: usize) -> char {
    char::from(b'A' + (n % 26) as u8)
}

impl Tree {
    /// A move in words, after the move before it. Its color is said where it is not the other player's.
    fn words(&self, before: Option<Step>, step: Step) -> String {
        let color_of = |step: Step| match step {
            Step::Stone(color, ..) | Step::Pass(color) => Some(color),
            Step::SwapSides | Step::SwapPieces => None,
        };
        let expected = before.map_or(Some(Color::Black), |before| color_of(before).map(Color::opponent));
        let turn = match color_of(step).filter(|color| self.ground.game == Game::Go && expected != Some(*color)) {
            Some(color) => format!("{color} "),
            None => String::new(),
        };
        turn + &match step {
            Step::Stone(_, x, y) if self.ground.game == Game::Hex => hex_name(x, y),
            Step::Stone(_, x, y) => point_name(x, y, 19),
            Step::Pass(_) => "pass".to_owned(),
            Step::SwapSides => "swap-sides".to_owned(),
            Step::SwapPieces => "swap-pieces".to_owned(),
        }
    }

    /// The positions on the way to one, itself included, without the start.
    fn way(&self, number: usize) -> Vec<usize> {
        let before = |at: &usize| self.positions[*at].before.map(|(before, _)| before);
        let mut way: Vec<usize> = std::iter::successors(Some(number), before).filter(|at| *at != 0).collect();
        way.reverse();
        way
    }

    /// The move that leads to a position.
    fn last(&self, number: usize) -> Option<Step> {
        self.positions[number].before.map(|(_, step)| step)
    }

    fn last_words(&self, number: usize) -> String {
        let before = self.positions[number].before;
        before.map_or(String::new(), |(before, step)| self.words(self.last(before), step))
    }

    /// The moves of a position, in words.
    fn line(&self, number: usize) -> String {
        self.way(number).into_iter().map(|at| self.last_words(at)).collect::<Vec<_>>().join(" ")
    }

    /// The board, with the moves numbered and the next ones as letters.
    fn board(&self, number: usize) -> String {
        let shape = if self.ground.game == Game::Hex { Shape::Rhombus } else { Shape::Grid };
        let size = self.ground.side.and_then(|side| Size::square(side.into()));
        let Some(mut diagram) = size.and_then(|size| Diagram::new(shape, size)) else {
            return String::new();
        };
        let mut stones: Vec<(Color, Spot, usize)> = Vec::new();
        for (n, step) in self.way(number).into_iter().filter_map(|at| self.last(at)).enumerate() {
            match step {
                Step::Stone(color, x, y) => stones.push((color, spot(x, y), n + 1)),
                Step::Pass(_) | Step::SwapSides => {}
                Step::SwapPieces => stones.iter_mut().for_each(|(color, spot, _)| {
                    *color = color.opponent();
                    *spot = Spot { column: spot.row, row: spot.column };
                }),
            }
        }
        for (color, spot, number) in stones {
            diagram.stone(spot, color).label(spot, number.to_string());
        }
        for (n, next) in self.positions[number].next.iter().enumerate() {
            if let Step::Stone(_, x, y) = next.step {
                diagram.label(spot(x, y), letter(n).to_string());
            }
        }
        let title = if number > 0 { self.line(number) } else { "Empty board".to_owned() };
        diagram.svg().coordinates(shape == Shape::Rhombus).title(&title).to_string()
    }

    /// Draws all positions. `id` begins their anchors.
    fn draw(&self, id: &str) -> Markup {
        let anchor = |number: usize| format!("{id}-{number}");
        html! {
            div .openings {
                @for (number, position) in self.positions.iter().enumerate() {
                    article .opening id=(anchor(number)) {
                        (PreEscaped(self.board(number)))
                        div {
                            p .path {
                                @if number == 0 { b { "Start" } } @else { a href=(format!("#{}", anchor(0))) { "Start" } }
                                @for (n, ancestor) in self.way(number).into_iter().enumerate() {
                                    " › "
                                    @let text = format!("{} {}", n + 1, self.last_words(ancestor));
                                    @if ancestor == number { b { (text) } }
                                    @else { a href=(format!("#{}", anchor(ancestor))) { (text) } }
                                }
                            }
                            p { (counted(position.sums[0], "game")) (share_text(&position.sums)) }
                            (self.next(number, &anchor))
                        }
                    }
                }
            }
        }
    }

    /// The moves after a position, with links to theirs.
    fn next(&self, number: usize, anchor: &dyn Fn(usize) -> String) -> Markup {
        let position = &self.positions[number];
        html! {
            @if position.next.is_empty() {
                p .quiet { "No move after it is frequent enough." }
            } @else {
                ol .next {
                    @for (n, next) in position.next.iter().enumerate() {
                        @let part = next.games as f64 / position.sums[0].max(1) as f64;
                        li {
                            a href=[next.to.map(|to| format!("#{}", anchor(to)))] {
                                b { (letter(n)) }
                                span .point { (self.words(self.last(number), next.step)) }
                                span .track { span .fill .k0 style=(format!("width:{:.1}%", part * 100.0)) {} }
                                span .value { (percent(part)) }
                            }
                            small { (grouped(next.games)) (share_text(&next.sums)) }
                        }
                    }
                }
            }
        }
    }

    fn table(&self) -> Table {
        let mut table = Table::new(["moves", "games", "Black won", "White won", "Black’s share", "from", "to"]);
        for (number, position) in self.positions.iter().enumerate().skip(1) {
            let [games, black, white] = position.sums;
            let cells = [self.line(number).into(), games.into(), black.into(), white.into()];
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
