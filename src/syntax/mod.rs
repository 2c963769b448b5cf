//! The grammar: events, faults and positions, and the tokenizer that makes them from bytes.
//!
//! Nothing here reads a stream by itself. The front ends in [`read`](crate::read) drive the tokenizer.

pub(crate) mod diagnostic;
pub(crate) mod error;
pub(crate) mod event;
pub(crate) mod fault;
pub(crate) mod flow;
pub(crate) mod lines;
pub(crate) mod simd;
pub(crate) mod tokenizer;
