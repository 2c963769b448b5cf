//! The tree of openings as text and JSON.

use std::cmp::Reverse;
use std::io::{self, Write};

use serde_json::json;
use sgf_search::{OpeningNode, OpeningTree, Openings, Sums};
use sgf_stream::value::Color;
use unicode_width::UnicodeWidthStr;

use crate::find::statistics::{extend, of_group, sums};
use crate::json;
use crate::tables::{counted, grouped, right_aligned};
use crate::visible::Visible;

/// The most groups that have columns of a text, and lines of a comment.
const SHOWN_GROUPS: usize = 8;

/// A tree with what is said of it.
pub(super) struct Printed<'t> {
    tree: &'t OpeningTree,
    /// The node before each one.
    parents: Vec<Option<usize>>,
    /// Number of games with the first position.
    games: u64,
    /// Number of games at most that are missing in the numbers of a position.
    missing: u64,
    /// The groups of games, in their order.
    groups: Vec<(&'t str, Sums)>,
}

impl<'t> Printed<'t> {
    pub(super) fn new(tree: &'t OpeningTree, openings: &'t Openings) -> Self {
        let mut parents = vec![None; tree.nodes().len()];
        for (number, node) in tree.nodes().iter().enumerate() {
            node.children.iter().for_each(|child| parents[*child] = Some(number));
        }
        Printed { tree, parents, games: openings.games(), missing: openings.dropped(), groups: openings.groups() }
    }

    pub(super) fn tree(&self) -> &'t OpeningTree {
        self.tree
    }

    pub(super) fn node(&self, number: usize) -> &'t OpeningNode {
        &self.tree.nodes()[number]
    }

    pub(super) fn parent(&self, number: usize) -> Option<usize> {
        self.parents[number]
    }

    /// Returns the share of the games of a node.
    pub(super) fn share(&self, node: &OpeningNode) -> f64 {
        node.sums.games as f64 / self.games.max(1) as f64
    }

    /// Returns a move as players write it.
    pub(super) fn played(&self, node: &OpeningNode) -> String {
        let point =
            node.point.map(|point| point.name_on(self.tree.start().size()).unwrap_or_else(|| point.to_string()));
        let color = node.color.map_or("", Color::as_str);
        format!("{color} {}", point.unwrap_or_else(|| "pass".to_owned()))
    }

    pub(super) fn text(&self, out: &mut impl Write) -> io::Result<()> {
        let order = self.tree.in_order();
        let mut lines: Vec<usize> = vec![0; self.tree.nodes().len()];
        order.iter().enumerate().for_each(|(line, node)| lines[*node] = line);
        let Some((&root, rest)) = order.split_first() else { return Ok(()) };
        let root = self.node(root);
        let games = counted(self.games, "game");
        writeln!(out, "{games}: Black wins {}{}\n", wins(root.sums), years_after("; ", root.sums))?;
        let moves: Vec<String> = rest
            .iter()
            .map(|&number| {
                let node = self.node(number);
                let same = node.same_as.map_or(String::new(), |other| format!(" = {}", lines[other]));
                format!("{}{}{same}", "  ".repeat(node.ply - 1), self.played(node))
            })
            .collect();
        let width = moves.iter().map(String::len).max().unwrap_or(0);
        let digits = rest.len().to_string().len();
        writeln!(
            out,
            "{:digits$}  {:width$}  {:>9}  {:>7}  {:<22}  years",
            "", "move", "games", "share", "Black wins"
        )?;
        for (line, (&number, text)) in (1..).zip(rest.iter().zip(moves)) {
            let node = self.node(number);
            let (games, wins, years) = match node.same_as {
                None => (node.sums.games, wins(node.sums), years(node.sums)),
                Some(_) => (node.by_move, String::new(), String::new()),
            };
            let share = games as f64 * 100.0 / self.games.max(1) as f64;
            let games = grouped(games);
            let text = format!("{line:>digits$}  {text:width$}  {games:>9}  {share:>5.1} %  {wins:<22}  {years}");
            writeln!(out, "{}", text.trim_end())?;
        }
        self.groups_text(out, rest)
    }

    /// Prints the share of the games of each group that have the positions.
    fn groups_text(&self, out: &mut impl Write, nodes: &[usize]) -> io::Result<()> {
        let groups = self.shown_groups();
        if groups.is_empty() {
            return Ok(());
        }
        let mut rows = vec![vec!["".to_owned(), "move".to_owned()], vec!["".to_owned(), "games".to_owned()]];
        for (group, sums) in &groups {
            rows[0].push(Visible(group).to_string());
            rows[1].push(grouped(sums.games));
        }
        for (line, number) in (1..).zip(nodes) {
            let node = self.node(*number);
            if node.same_as.is_some() {
                continue;
            }
            let mut row = vec![line.to_string(), format!("{}{}", "  ".repeat(node.ply - 1), self.played(node))];
            row.extend(groups.iter().map(|(group, all)| match of(node, group) {
                Some(sums) => format!("{:.1} %", sums.games as f64 * 100.0 / all.games.max(1) as f64),
                None => "-".to_owned(),
            }));
            rows.push(row);
        }
        let width = |at: usize| rows.iter().map(|row| row[at].width()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..groups.len() + 2).map(width).collect();
        writeln!(out)?;
        for row in &rows {
            let mut text = format!("{:>1$}  {2:3$}", row[0], widths[0], row[1], widths[1]);
            row.iter()
                .zip(&widths)
                .skip(2)
                .for_each(|(cell, width)| text += &format!("  {}", right_aligned(cell, *width)));
            writeln!(out, "{}", text.trim_end())?;
        }
        match self.groups.len() - groups.len() {
            0 => Ok(()),
            left => writeln!(out, "\n{left} more groups with fewer games; --json has all"),
        }
    }

    /// Returns the groups with most games, in their order.
    pub(super) fn shown_groups(&self) -> Vec<(&'t str, Sums)> {
        let mut order: Vec<usize> = (0..self.groups.len()).collect();
        order.sort_by_key(|group| Reverse(self.groups[*group].1.games));
        order.truncate(SHOWN_GROUPS);
        order.sort_unstable();
        order.into_iter().map(|group| self.groups[group]).collect()
    }

    /// Prints JSON. `read` is the number of all games.
    pub(super) fn json(&self, out: &mut impl Write, read: u64, plies: u16, min_games: u64) -> io::Result<()> {
        let node = |(id, node): (usize, &OpeningNode)| {
            let mut value = json!({
                "id": id,
                "parent": self.parents[id],
                "ply": node.ply,
                "color": node.color.map(Color::as_str),
                "point": node.point.map(|point| point.to_string()),
                "by_move": node.by_move,
                "share": (self.share(node) * 10_000.0).round() / 10_000.0,
                "same_as": node.same_as,
            });
            extend(&mut value, sums(node.sums));
            if !self.groups.is_empty() {
                let groups: Vec<_> = node.groups.iter().map(|(group, sums)| of_group(group, *sums)).collect();
                extend(&mut value, json!({"groups": groups}));
            }
            value
        };
        let size = self.tree.start().size();
        let value = json!({
            "read": read,
            "games": self.games,
            "size": [size.columns(), size.rows()],
            "plies": plies,
            "min_games": min_games,
            "missing": self.missing,
            "groups": self.groups.iter().map(|(group, sums)| of_group(group, *sums)).collect::<Vec<_>>(),
            "nodes": self.tree.nodes().iter().enumerate().map(node).collect::<Vec<_>>(),
        });
        json::write(&mut *out, &value)?;
        writeln!(out)
    }

    /// Returns the moves to a node.
    pub(super) fn line(&self, number: usize) -> String {
        let nodes = std::iter::successors(Some(number), |at| self.parents[*at]).filter(|at| *at > 0);
        let mut moves: Vec<String> = nodes.map(|at| self.played(self.node(at))).collect();
        moves.reverse();
        moves.join(", ")
    }
}

/// Returns the sums of a group in a node.
pub(super) fn of(node: &OpeningNode, group: &str) -> Option<Sums> {
    node.groups.iter().find(|(name, _)| name == group).map(|(_, sums)| *sums)
}

/// Returns Black's share of wins with its interval: `51.2 % (49.8–52.6 %)`.
pub(super) fn wins(sums: Sums) -> String {
    sums.wins(Color::Black).map_or("-".to_owned(), |wins| {
        format!("{:.1} % ({:.1}–{:.1} %)", wins.share * 100.0, wins.low * 100.0, wins.high * 100.0)
    })
}

fn years(sums: Sums) -> String {
    match sums.years {
        Some((first, last)) if first == last => first.to_string(),
        Some((first, last)) => format!("{first}–{last}"),
        None => String::new(),
    }
}

/// Returns the years of games after a separator. The text is empty if no game has a date.
pub(super) fn years_after(separator: &str, sums: Sums) -> String {
    sums.years.map_or(String::new(), |_| format!("{separator}{}", years(sums)))
}
