//! `--drop`, `--drop-final-passes` and `--drop-empty-nodes`: what is removed.

use regex::Regex;
use sgf_stream::tree::{EditError, GameTree, Node, NodeId};
use sgf_stream::value::go;
use sgf_stream::{Game, Ident, property};

use super::parse;

/// A property that is dropped, or some of its values.
#[derive(Clone, Debug)]
pub(super) struct Drop {
    ident: String,
    /// The values that are dropped; all of them without a test.
    test: Option<Test>,
}

#[derive(Clone, Debug)]
enum Test {
    Is(String),
    Matches(Regex),
}

/// The properties of one `--drop`.
#[derive(Clone, Debug)]
pub(super) struct Drops(pub(super) Vec<Drop>);

/// Parses `IDENT,…`, `IDENT~REGEX` or `IDENT=VALUE`.
pub(super) fn parse(text: &str) -> Result<Drops, String> {
    let Some(at) = text.find(['~', '=']) else {
        let drops = text.split(',').map(|ident| Ok(Drop { ident: parse::ident(ident)?, test: None }));
        return drops.collect::<Result<_, String>>().map(Drops);
    };
    let (ident, value) = (parse::ident(&text[..at])?, &text[at + 1..]);
    let test = match text.as_bytes()[at] {
        b'~' => Test::Matches(Regex::new(value).map_err(|error| error.to_string())?),
        _ => Test::Is(value.to_owned()),
    };
    Ok(Drops(vec![Drop { ident, test: Some(test) }]))
}

impl Drop {
    /// Returns whether a property of this name is dropped, whatever its values are.
    pub(super) fn drops_all(&self, ident: Ident<'_>) -> bool {
        self.test.is_none() && ident == *self.ident
    }

    pub(super) fn has_test(&self) -> bool {
        self.test.is_some()
    }

    /// Drops the values of a node for which the test holds, and the property if none is left.
    pub(super) fn apply(&self, tree: &mut GameTree, id: NodeId) -> Result<(), EditError> {
        let Some(node) = tree.node(id).filter(|node| node.contains(&self.ident)) else { return Ok(()) };
        let Ok(texts) = node.list::<String>(&self.ident) else { return Ok(()) };
        let is_kept = |text: &String| match &self.test {
            Some(Test::Is(value)) => text != value,
            Some(Test::Matches(regex)) => !regex.is_match(text),
            None => true,
        };
        let all: Vec<Vec<u8>> = node.values(&self.ident).map(|value| value.as_bytes().to_vec()).collect();
        let kept: Vec<Vec<u8>> = match all.len() == texts.len() {
            true => all.iter().zip(&texts).filter(|(_, text)| is_kept(text)).map(|(raw, _)| raw.clone()).collect(),
            // Several values of a text are one.
            false if texts.iter().all(is_kept) => all.clone(),
            false => Vec::new(),
        };
        match kept.len() {
            len if len == all.len() => Ok(()),
            0 => tree.unset(id, &self.ident).map(drop),
            _ => tree.set_raw(id, &self.ident, kept),
        }
    }
}

/// Drops the passes at the ends of lines, and the clock of each. A node with anything else stays.
pub(super) fn final_passes(tree: &mut GameTree) -> Result<(), EditError> {
    if tree.context().game() != Game::Go {
        return Ok(());
    }
    let leaves: Vec<NodeId> = tree.leaves().map(Node::id).collect();
    for leaf in leaves {
        let mut at = tree.node(leaf);
        while let Some(node) = at.filter(|node| node.is_leaf() && !node.is_root() && is_pass(*node)) {
            let (id, parent) = (node.id(), node.parent().map(Node::id));
            tree.remove(id)?;
            at = parent.and_then(|parent| tree.node(parent));
        }
    }
    Ok(())
}

/// Returns whether a node has a pass, and nothing but that and a clock.
fn is_pass(node: Node<'_>) -> bool {
    let context = node.tree().context().after_root();
    let size = context.board();
    let mut moves = 0;
    let is_all = node.properties().all(|property| {
        let (ident, mut values) = (property.ident(), property.values());
        let is_move = ident == "B" || ident == "W";
        moves += usize::from(is_move);
        match (is_move, size) {
            (true, Some(size)) => values.all(|value| go::Move::parse_on_lenient(value, size) == Ok(go::Move::Pass)),
            (true, None) => false,
            _ => property::lookup(ident, &context).is_some_and(|row| row.is_time()),
        }
    });
    is_all && moves == 1
}

/// Drops the nodes without properties, except for the root. Their children take their place.
pub(super) fn empty_nodes(tree: &mut GameTree) -> Result<(), EditError> {
    let is_empty = |node: &Node<'_>| !node.is_root() && node.properties().next().is_none();
    let nodes: Vec<NodeId> = tree.nodes().filter(is_empty).map(Node::id).collect();
    nodes.into_iter().try_for_each(|node| tree.remove_node_keep_children(node))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dropped(edit: impl FnOnce(&mut GameTree) -> Result<(), EditError>, game: &str) -> String {
        let mut tree: GameTree = game.parse().unwrap();
        edit(&mut tree).unwrap();
        String::from_utf8(tree.to_vec().unwrap()).unwrap().trim_end().to_owned()
    }

    #[test]
    fn values_are_dropped_for_which_the_test_holds() {
        for (text, game, expected) in [
            ("C~^bot: ", "(;C[bot: 50%];C[good\n\nbot: x])", "(;;C[good\n\nbot: x])"),
            ("C~(?m)^bot", "(;C[x\nbot: 50%])", "(;)"),
            ("LB~:[A-C]$", "(;LB[aa:A][bb:B][cc:1]TR[aa])", "(;LB[cc:1]TR[aa])"),
            ("N=a,b", "(;N[a,b];N[a])", "(;;N[a])"),
            ("N=", "(;N[];N[a])", "(;;N[a])"),
            ("N", "(;N[x])", "(;N[x])"),
        ] {
            let Drops(drops) = parse(text).unwrap();
            let apply = |tree: &mut GameTree| {
                let nodes: Vec<NodeId> = tree.nodes().map(Node::id).collect();
                nodes.into_iter().try_for_each(|node| drops[0].apply(tree, node))
            };
            assert_eq!(dropped(apply, game), expected, "{text}");
        }
        for (text, message) in [("c~x", "use an identifier"), ("C~(", "regex parse error"), ("C,", "use an identifier")]
        {
            assert!(parse(text).unwrap_err().contains(message), "{text}");
        }
    }

    #[test]
    fn only_final_passes_without_anything_else_are_dropped() {
        for (game, expected) in [
            ("(;GM[1];B[aa];W[];B[])", "(;GM[1];B[aa])"),
            ("(;GM[1];B[];W[bb];B[tt]BL[3]OB[1])", "(;GM[1];B[];W[bb])"),
            ("(;GM[1];B[aa];W[];B[]C[end])", "(;GM[1];B[aa];W[];B[]C[end])"),
            ("(;GM[1]SZ[21];B[tt])", "(;GM[1]SZ[21];B[tt])"),
            ("(;GM[1];B[aa](;W[];B[])(;W[pass]))", "(;GM[1];B[aa])"),
            ("(;GM[1];B[aa](;W[])(;W[bb];B[]))", "(;GM[1];B[aa];W[bb])"),
            ("(;GM[1]B[])", "(;GM[1]B[])"),
            ("(;GM[11];B[])", "(;GM[11];B[])"),
            ("(;GM[1];B[aa];)", "(;GM[1];B[aa];)"),
        ] {
            assert_eq!(dropped(final_passes, game), expected, "{game}");
        }
    }

    #[test]
    fn the_children_of_an_empty_node_take_its_place() {
        for (game, expected) in [
            ("(;;B[aa];;W[bb];)", "(;;B[aa];W[bb])"),
            ("(;GM[1](;;B[aa](;W[bb])(;W[cc]))(;))", "(;GM[1];B[aa](;W[bb])(;W[cc]))"),
            ("(;GM[1](;(;B[aa])(;B[bb]))(;B[cc]))", "(;GM[1](;B[aa])(;B[bb])(;B[cc]))"),
            ("(;;;)", "(;)"),
        ] {
            assert_eq!(dropped(empty_nodes, game), expected, "{game}");
        }
    }
}
