//! The tree of openings as a game with variations, which any editor opens.

use std::fmt::Write;

use sgf_search::OpeningNode;
use sgf_stream::value::{Color, Text};

use super::print::{Printed, of, wins, years_after};
use crate::tables::{counted, grouped};

/// The most moves with a letter after a position.
const LETTERS: usize = 26;

impl Printed<'_> {
    /// Returns the tree as a game with variations.
    pub(super) fn sgf(&self) -> String {
        let start = self.tree().start();
        let size = start.size();
        let size = match size.is_square() {
            true => size.columns().to_string(),
            false => format!("{}:{}", size.columns(), size.rows()),
        };
        let mut text = format!("(;FF[4]CA[UTF-8]GM[1]SZ[{size}]GN[Openings]");
        for (color, ident) in [(Color::Black, "AB"), (Color::White, "AW")] {
            let points: String = start.stones(color).map(|point| format!("[{point}]")).collect();
            if !points.is_empty() {
                text += ident;
                text += &points;
            }
        }
        if self.tree().nodes().is_empty() {
            return text + ")\n";
        }
        // Nodes of which all before are written, or the end of a variation.
        let mut open = vec![Some(0)];
        while let Some(next) = open.pop() {
            let Some(number) = next else {
                text.push(')');
                continue;
            };
            let node = self.node(number);
            let is_variation = number > 0 && self.has_branch_before(number);
            if number > 0 {
                let point = node.point.map_or(String::new(), |point| point.to_string());
                let color = node.color.map_or("B", Color::as_str);
                _ = write!(text, "\n{};{color}[{point}]", if is_variation { "(" } else { "" });
            }
            self.markup(node, &mut text);
            if is_variation {
                open.push(None);
            }
            open.extend(node.children.iter().rev().map(|child| Some(*child)));
        }
        text + ")\n"
    }

    /// Returns whether the position before a node has other nodes after it.
    fn has_branch_before(&self, number: usize) -> bool {
        self.parent(number).is_some_and(|parent| self.node(parent).children.len() > 1)
    }

    /// Appends the statistics of a node as a comment, and the letters of the moves after it.
    fn markup(&self, node: &OpeningNode, text: &mut String) {
        let mut comment = String::new();
        _ = write!(
            comment,
            "{} ({:.1} %)\nBlack wins {}{}",
            counted(node.sums.games, "game"),
            self.share(node) * 100.0,
            wins(node.sums),
            years_after("\n", node.sums)
        );
        if node.by_move < node.sums.games {
            _ = write!(comment, "\n{} by this order of moves", grouped(node.by_move));
        }
        for (group, all) in self.shown_groups() {
            let games = of(node, group).map_or(0, |sums| sums.games);
            let share = games as f64 * 100.0 / all.games.max(1) as f64;
            _ = write!(comment, "\n{group}: {} ({share:.1} %)", counted(games, "game"));
        }
        if let Some(other) = node.same_as {
            _ = write!(comment, "\nThe same position as after {}", self.line(other));
        }
        let letters: Vec<(char, &OpeningNode)> =
            ('A'..='Z').zip(node.children.iter().take(LETTERS).map(|child| self.node(*child))).collect();
        for (letter, child) in &letters {
            _ = write!(
                comment,
                "\n{letter}: {} - {} ({:.1} %)",
                self.played(child),
                counted(child.sums.games, "game"),
                self.share(child) * 100.0
            );
        }
        _ = write!(text, "C[{}]", Text::from(comment));
        let labels: String = letters
            .iter()
            .filter_map(|(letter, child)| child.point.map(|point| format!("[{point}:{letter}]")))
            .collect();
        if !labels.is_empty() {
            *text += "LB";
            *text += &labels;
        }
    }
}
