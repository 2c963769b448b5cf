//! The grammar: events, diagnostics and positions, and the tokenizer that produces them.
//!
//! Nothing here reads a stream. The readers in [`read`](crate::read) drive the tokenizer.

pub(crate) mod diagnostic;
pub(crate) mod error;
pub(crate) mod event;
pub(crate) mod fault;
pub(crate) mod flow;
pub(crate) mod lines;
pub(crate) mod simd;
pub(crate) mod tokenizer;
