//! Trees as lines of JSON.

use serde::ser::{Serialize, SerializeMap, SerializeStruct, Serializer};
use sgf_stream::tree::{GameTree, Node};

use crate::input::Name;
use crate::show::runs::{Hidden, Run, Runs, first_number, is_move, number};
use crate::show::summary::{Counts, said};

pub(super) struct Json<'a> {
    pub(super) file: &'a Name,
    pub(super) game: u64,
    pub(super) tree: &'a GameTree,
    pub(super) depth: usize,
}

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Counts { nodes, moves, variations, depth, comments } = Counts::of(self.tree);
        let mut game = serializer.serialize_map(None)?;
        self.file.serialize_as("file", &mut game)?;
        game.serialize_entry("game", &self.game)?;
        game.serialize_entry("root", &Root(self.tree.root()))?;
        game.serialize_entry("nodes", &nodes)?;
        game.serialize_entry("moves", &moves)?;
        game.serialize_entry("variations", &variations)?;
        game.serialize_entry("depth", &depth)?;
        game.serialize_entry("comments", &comments)?;
        game.serialize_entry("runs", &AllRuns(self.tree, self.depth))?;
        game.end()
    }
}

/// The properties of the root, as texts.
struct Root<'t>(Node<'t>);

impl Serialize for Root<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const NAMES: &[&str] =
            &["GM", "SZ", "GN", "EV", "RO", "PC", "DT", "PB", "BR", "PW", "WR", "RE", "RU", "KM", "HA", "TM", "OT"];
        let mut root = serializer.serialize_map(None)?;
        for name in NAMES {
            if let Some(text) = said(self.0, name) {
                root.serialize_entry(name, &text)?;
            }
        }
        root.end()
    }
}

struct AllRuns<'t>(&'t GameTree, usize);

impl Serialize for AllRuns<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(Runs::of(self.0.root(), self.1, false).map(JsonRun))
    }
}

struct JsonRun<'t>(Run<'t>);

impl Serialize for JsonRun<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let run = &self.0;
        let Hidden { variations, nodes } = run.hidden;
        let mut out = serializer.serialize_struct("Run", 8)?;
        out.serialize_field("node", &run.first.number())?;
        out.serialize_field("parent", &run.first.parent().map(Node::number))?;
        out.serialize_field("level", &run.level)?;
        out.serialize_field("nodes", &run.len)?;
        let mut before = run.moves_before;
        let first = run.nodes().find_map(|node| {
            let first = first_number(node, before);
            before = number(node, before);
            is_move(node).then_some(first)
        });
        out.serialize_field("first_move", &first)?;
        out.serialize_field("moves", &MovesOf(run))?;
        out.serialize_field("comments", &run.nodes().filter(|node| node.contains("C")).count())?;
        if variations > 0 {
            out.serialize_field("hidden", &[variations, nodes])?;
        } else {
            out.skip_field("hidden")?;
        }
        out.end()
    }
}

struct MovesOf<'r, 't>(&'r Run<'t>);

impl Serialize for MovesOf<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let moves = self.0.nodes().flat_map(Node::moves);
        serializer.collect_seq(moves.map(|(color, raw)| (color.as_str(), raw.simple_text())))
    }
}
