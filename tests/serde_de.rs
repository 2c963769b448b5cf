//! Games as Rust values.

mod support;

#[path = "serde_de/mapping.rs"]
mod mapping;
