//! Laws of positions, with a naive model that shares no code with the library's boards.

mod corpus;
mod games;
mod naive;
mod order;
mod planes;
