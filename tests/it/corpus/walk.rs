//! The moves of real games as a walk and a replay give them.

use std::fs;

use sgf_board::{Replay, walk};
use sgf_stream::Parser;

use crate::support::shared::corpus;

/// A replay executes each move, and a walk has one for each node: the last of those that it executes there.
#[test]
fn a_walk_has_the_moves_of_a_replay_but_one_for_each_node() {
    let parser = Parser::new();
    let (mut moves, mut beyond, mut in_roots) = (0, 0, 0);
    for path in corpus() {
        let bytes = fs::read(&path).unwrap();
        let (mut replay, mut before, mut of_replay) = (Replay::new(), 0, 0);
        let read = parser.parse(&bytes, |event, _| {
            replay.event(event);
            let after = replay.move_number();
            // In games other than Go, moves are counted but not executed.
            if replay.board().is_some() {
                of_replay += after.saturating_sub(before);
            }
            before = after;
        });
        let (mut of_walk, mut of_steps, mut numbers) = (0, 0, Vec::<usize>::new());
        let walked = walk(&parser, &bytes, |step| {
            numbers.truncate(step.depth());
            let above = numbers.last().copied().unwrap_or(0);
            numbers.push(step.move_number());
            let here = step.move_number() - above;
            of_steps += here;
            if step.played().is_some() {
                assert!(here > 0, "{}: {step:?}", path.display());
                of_walk += 1;
                beyond += here - 1;
                in_roots += usize::from(step.depth() == 0);
            } else {
                assert_eq!(here, 0, "{}: {step:?}", path.display());
            }
        });
        assert_eq!(read.is_ok(), walked.is_ok());
        assert_eq!(of_replay, of_steps, "{}", path.display());
        moves += of_walk;
    }
    eprintln!("{moves} nodes with moves, {beyond} more moves in them; {in_roots} of the nodes are roots");
}
