//! Random edits of trees, against a plain model.

use crate::support::generate::Input;
use crate::support::holds;
use crate::support::tree::{self, Op};

#[test]
fn edits_do_what_a_plain_model_does() {
    fn of_a_new_tree(ops: Vec<Op>) {
        tree::edits_do_what_a_plain_model_does(b"", &ops);
    }
    fn of_a_tree_that_was_read(input: Input, ops: Vec<Op>) {
        tree::edits_do_what_a_plain_model_does(&input.0, &ops);
    }
    holds(1000, of_a_new_tree as fn(Vec<Op>));
    holds(1000, of_a_tree_that_was_read as fn(Input, Vec<Op>));
}
