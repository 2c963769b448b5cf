//! The lines above a tree: players, event, date, and the size of the tree.

use sgf_stream::Game;
use sgf_stream::tree::{GameTree, Node};
use sgf_stream::value::{GameResult, Handicap, Komi, Size};

use super::runs::{Runs, Start};
use crate::tables::counted;

pub(super) struct Summary {
    /// Names and result, or the name of the game.
    pub(super) players: String,
    event: Vec<String>,
    rules: Vec<String>,
    pub(super) counts: Counts,
}

#[derive(Default)]
pub(super) struct Counts {
    pub(super) nodes: usize,
    /// Number of moves in the main line.
    pub(super) moves: usize,
    pub(super) variations: usize,
    /// Maximum nesting of variations.
    pub(super) depth: usize,
    pub(super) comments: usize,
}

impl Counts {
    pub(super) fn of(game: &GameTree) -> Self {
        let mut counts = Counts { moves: game.main_line().flat_map(Node::moves).count(), ..Counts::default() };
        for run in Runs::of(game.root(), usize::MAX, false) {
            counts.nodes += run.len;
            counts.variations += usize::from(run.start == Start::Variation);
            counts.depth = counts.depth.max(run.level);
            counts.comments += run.nodes().filter(|node| node.contains("C")).count();
        }
        counts
    }
}

impl Summary {
    pub(super) fn of(game: &GameTree) -> Self {
        // Nearly all files have it in the root; a merged one has it where its games part.
        let info = game.main_line().find(|node| node.contains("PB") || node.contains("PW")).unwrap_or(game.root());
        let text = |name: &str| said(info, name);
        let player = |name: &str, rank: &str| {
            let name = text(name)?;
            Some(text(rank).map_or_else(|| name.clone(), |rank| format!("{name} ({rank})")))
        };
        let (black, white) = (player("PB", "BR"), player("PW", "WR"));
        let mut players = match (black, white) {
            (None, None) => text("GN").unwrap_or_default(),
            (black, white) => {
                let name = |name: Option<String>| name.unwrap_or_else(|| "?".to_owned());
                format!("{} – {}", name(black), name(white))
            }
        };
        if let Some(result) = text("RE") {
            let result = info.get::<GameResult>("RE").ok().flatten().map_or(result, |result| result.to_string());
            let comma = if players.is_empty() { "" } else { ", " };
            players += &format!("{comma}{result}");
        }
        let event = ["EV", "RO", "PC", "DT"].into_iter().filter_map(text).collect();
        Summary { players, event, rules: rules(game, info), counts: Counts::of(game) }
    }

    /// Returns the lines after the first.
    pub(super) fn lines(&self) -> impl Iterator<Item = String> {
        let Counts { nodes, moves, variations, depth, comments } = self.counts;
        let mut size = vec![counted(nodes as u64, "node")];
        if moves > 0 {
            let line = if variations > 0 { " in the main line" } else { "" };
            size.push(counted(moves as u64, "move") + line);
        }
        if variations > 0 {
            let deep = if depth > 1 { format!(", {depth} deep") } else { String::new() };
            size.push(counted(variations as u64, "variation") + &deep);
        }
        if comments > 0 {
            size.push(counted(comments as u64, "comment"));
        }
        let lines = [self.event.join(", "), self.rules.join(", "), size.join("; ")];
        lines.into_iter().filter(|line| !line.is_empty())
    }
}

fn rules(game: &GameTree, info: Node<'_>) -> Vec<String> {
    let context = game.context();
    let board = context.board().map(|board: Size| format!(" {}x{}", board.columns(), board.rows())).unwrap_or_default();
    let name = match context.game() {
        Game::Other(number) => format!("GM[{number}]"),
        game => game.name().to_owned(),
    };
    let mut rules = vec![name + &board];
    let handicap = info.get::<Handicap>("HA").ok().flatten();
    if let Some(stones) = handicap.map(Handicap::stones).filter(|&stones| stones > 0) {
        rules.push(format!("handicap {stones}"));
    }
    let komi = info.get::<Komi>("KM").ok().flatten().or(handicap.and_then(Handicap::komi));
    rules.extend(komi.map(|komi| format!("komi {}", komi.points().unwrap_or(komi.get()))));
    rules.extend(said(info, "RU").map(|rules| format!("{rules} rules")));
    rules
}

/// Returns the text of a property, unless it is blank.
pub(super) fn said(node: Node<'_>, name: &str) -> Option<String> {
    node.text(name).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}
