//! The guide: how to use this crate, by example.
//!
//! | page | for |
//! |---|---|
//! | page | content |
//! |---|---|
//! | [`tutorial`] | your first hour: from one file to an archive of gigabytes |
//! | [`cookbook`] | programs to copy |
//! | [`tables`] | games in DuckDB, Polars, pandas and other engines |
//! | [`pictures`] | boards as pictures, one file for each game, a page of an archive |
//! | [`sql`] | SQL over archives, and games out of them |
//! | [`cluster`] | SQL on more than one machine, and from here to 100 TB |
//! | [`charsets`] | texts that are not UTF-8 |
//! | [`repairs`] | repairs of faulty files, by lenient reading and by tools that change files |
//! | [`limits`] | limits of memory and time, and untrusted input |
//! | [`architecture`] | how the crate is built, and where to change it |
//!
//! These modules hold text only. Every program in them runs as a test.

#![cfg_attr(docsrs, doc(auto_cfg = false))]
// The programs use all features, and so do the links.
#![cfg(any(not(doctest), all(feature = "serde", feature = "codec", feature = "charset", feature = "parallel")))]
#![cfg_attr(
    not(all(feature = "serde", feature = "codec", feature = "charset", feature = "parallel")),
    allow(rustdoc::broken_intra_doc_links)
)]

#[doc = include_str!("guide/architecture.md")]
pub mod architecture {}

#[doc = include_str!("guide/charsets.md")]
pub mod charsets {}

#[doc = include_str!("guide/cluster.md")]
pub mod cluster {}

#[doc = include_str!("guide/cookbook.md")]
pub mod cookbook {}

#[doc = include_str!("guide/limits.md")]
pub mod limits {}

#[doc = include_str!("guide/pictures.md")]
pub mod pictures {}

#[doc = include_str!("guide/repairs.md")]
pub mod repairs {}

#[doc = include_str!("guide/sql.md")]
pub mod sql {}

#[doc = include_str!("guide/tables.md")]
pub mod tables {}

#[doc = include_str!("guide/tutorial.md")]
pub mod tutorial {}

/// The files that the page on architecture names exist.
///
/// ```
/// let page = std::fs::read_to_string("src/guide/architecture.md").unwrap();
/// let names = page.split('`').filter(|name| name.starts_with("src/") || name.starts_with("tests/"));
/// let (there, missing): (Vec<_>, Vec<_>) = names.partition(|name| std::path::Path::new(name).exists());
/// assert!(there.len() > 40 && missing.is_empty(), "{} files are there, but not {missing:?}", there.len());
/// ```
#[cfg(doctest)]
struct Paths;
