//! Nodes as text: the move, as players write it, and its annotations.

use sgf_stream::tree::Node;
use sgf_stream::value::{Color, go};
use sgf_stream::{Game, RawValue};

use super::runs::is_move;
use crate::visible::{Blanks, fitted};

/// The notation of moves.
#[derive(Clone, Copy)]
pub(super) struct Moves {
    /// Whether to print them as in the file.
    pub(super) raw: bool,
    pub(super) ascii: bool,
}

/// Maximum length of a move or a name in characters.
const LONGEST: usize = 24;

impl Moves {
    /// Formats a node. `before` is the color of the move before it; returns the color of its own too.
    pub(super) fn token(self, node: Node<'_>, before: Option<char>) -> (String, Option<char>) {
        let mut token = String::new();
        let mut color = None;
        for (player, raw) in node.moves() {
            let of = if player == Color::Black { 'B' } else { 'W' };
            if color.is_some() {
                token.push('+'); // several in one node
            }
            if before.or(color).is_none_or(|before| before == of) || color.is_some() {
                token.push(of);
                token.push(' ');
            }
            let point = (!self.raw).then(|| point(node, raw)).flatten();
            token += &point.unwrap_or_else(|| fitted(&raw.simple_text(), LONGEST, Blanks::Joined));
            if raw.is_empty() && self.raw {
                token += "[]";
            }
            color = Some(of);
        }
        let setup = setup(node);
        if !setup.is_empty() {
            token = [token, setup].iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join(" ");
        }
        for (name, mark) in [("TE", "!"), ("BM", "?"), ("IT", "!?"), ("DO", "?!")] {
            if node.contains(name) {
                token += mark;
            }
        }
        let is_named = node.text("N").is_some_and(|name| !name.trim().is_empty());
        if token.is_empty() && !is_named && !node.is_root() {
            token.push_str(if self.ascii { "o" } else { "◦" });
        }
        if node.contains("C") && !(node.is_root() && token.is_empty()) {
            token.push('*');
        }
        if let Some(name) = node.text("N").filter(|name| !name.trim().is_empty()) {
            let blank = if token.is_empty() { "" } else { " " };
            token += &format!("{blank}\"{}\"", fitted(&name, LONGEST, Blanks::Joined));
        }
        (token, color.or(before.filter(|_| !is_move(node))))
    }
}

/// Number of columns whose names have one letter.
const ONE_LETTER: u32 = 25;

/// Returns a point of Go as letter and number, or a pass. Points of larger boards stay as in the file.
fn point(node: Node<'_>, raw: RawValue<'_>) -> Option<String> {
    let context = node.tree().context();
    if context.game() != Game::Go {
        return None;
    }
    let board = context.board()?;
    match go::Move::parse_on_lenient(raw, board).ok()? {
        go::Move::Pass => Some("pass".to_owned()),
        go::Move::Play(point) => point.name_on(board).filter(|_| board.columns() <= ONE_LETTER),
    }
}

/// Returns the counts of stones that are set up or removed.
fn setup(node: Node<'_>) -> String {
    let mut parts = Vec::new();
    for (name, sign, color) in [("AB", '+', "B"), ("AW", '+', "W"), ("AE", '-', "")] {
        if node.contains(name) {
            let count = match node.list::<sgf_stream::value::AnyPoint>(name) {
                Ok(points) => points.len(),
                Err(_) => node.values(name).count(),
            };
            parts.push(format!("{sign}{count}{color}"));
        }
    }
    if parts.is_empty() { String::new() } else { format!("[{}]", parts.join(" ")) }
}
