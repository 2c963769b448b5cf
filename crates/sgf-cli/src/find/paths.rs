//! The paths of nodes in variations, as `sgf show --path` takes them.

use std::ops::ControlFlow;

use sgf_stream::{Ident, RawValue, Skip, Variation, Visitor};

/// A visitor that finds the paths of nodes of a game.
pub(super) struct PathsOf<'w> {
    /// The numbers of the nodes, in order.
    pub(super) wanted: &'w [usize],
}

/// What is known of a game.
#[derive(Default)]
pub(super) struct Reading {
    nodes: usize,
    /// For each open tree, the branch at its last node.
    trees: Vec<Option<u32>>,
    /// The branches on the path to the current node, and the number of the variation that is taken there, from 1.
    path: Vec<(u32, u32)>,
    /// The number of variations of each branch.
    variations: Vec<u32>,
    found: Vec<Vec<(u32, u32)>>,
}

impl Visitor for PathsOf<'_> {
    type Game = Reading;
    /// The paths of the wanted nodes.
    type Output = Vec<String>;

    fn begin_game(&mut self, _: u64) -> ControlFlow<Vec<String>, Reading> {
        ControlFlow::Continue(Reading { trees: vec![None], ..Reading::default() })
    }

    fn start_tree(&mut self, game: &mut Reading, _: Variation) -> ControlFlow<Vec<String>, Skip> {
        let Reading { trees, path, variations, .. } = game;
        let new = variations.len() as u32;
        let branch = match trees.last_mut() {
            Some(branch) => *branch.get_or_insert(new),
            None => new,
        };
        if branch == new {
            variations.push(0);
        }
        let count = &mut variations[branch as usize];
        *count += 1;
        path.push((branch, *count));
        trees.push(None);
        ControlFlow::Continue(Skip::No)
    }

    fn node(&mut self, game: &mut Reading, _: u64) -> ControlFlow<Vec<String>, Skip> {
        if self.wanted.binary_search(&game.nodes).is_ok() {
            game.found.push(game.path.clone());
        }
        game.nodes += 1;
        ControlFlow::Continue(Skip::No)
    }

    fn property(&mut self, _: &mut Reading, _: Ident<'_>, _: u64) -> ControlFlow<Vec<String>, Skip> {
        ControlFlow::Continue(Skip::Yes)
    }

    fn value(&mut self, _: &mut Reading, _: RawValue<'_>, _: u64) -> ControlFlow<Vec<String>> {
        ControlFlow::Continue(())
    }

    fn end_tree(&mut self, game: &mut Reading, _: u64) -> ControlFlow<Vec<String>> {
        game.trees.pop();
        game.path.pop();
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: Reading) -> Vec<String> {
        let Reading { variations, found, .. } = game;
        let text = |path: Vec<(u32, u32)>| {
            let branches = path.into_iter().filter(|(branch, _)| variations[*branch as usize] > 1);
            let mut numbers: Vec<u32> = branches.map(|(_, number)| number).collect();
            // After the path, a line goes on with first variations.
            while numbers.len() > 1 && numbers.last() == Some(&1) {
                numbers.pop();
            }
            numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(".")
        };
        found.into_iter().map(text).collect()
    }
}
