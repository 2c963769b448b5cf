#![doc = include_str!("links.txt")]
#![doc = include_str!("README.md")]
//
// How the pages work
//
// A page is Markdown that reads well in two places: in a repository, and in rustdoc. Each link is a reference, as
// [`Parser`] or [tutorial]. The page ends with definitions that lead to files, for the repository. Rustdoc sees those of
// `links.txt` first, which lead to items; the first of two definitions counts. A page has no hidden lines, and
// `README.md` lists the pages. tests/it/guide.rs checks all of this.
//
// Blocks marked `rust` run as doc tests, and those marked `console` as tests/support/transcripts.rs says. Those marked
// `rust,no_run` in the tutorial run in tests/it/guide.rs.

#[doc = include_str!("links.txt")]
#[doc = include_str!("tutorial.md")]
pub mod tutorial {}

#[doc = include_str!("links.txt")]
#[doc = include_str!("command.md")]
pub mod command {}

#[doc = include_str!("links.txt")]
#[doc = include_str!("broken-files.md")]
pub mod broken_files {}

#[doc = include_str!("links.txt")]
#[doc = include_str!("duplicates.md")]
pub mod duplicates {}

#[doc = include_str!("links.txt")]
#[doc = include_str!("search.md")]
pub mod search {}

#[doc = include_str!("links.txt")]
#[doc = include_str!("cookbook.md")]
pub mod cookbook {}

#[doc = include_str!("links.txt")]
#[doc = include_str!("tables.md")]
pub mod tables {}

#[doc = include_str!("links.txt")]
#[doc = include_str!("facts.md")]
pub mod facts {}

#[doc = include_str!("links.txt")]
#[doc = include_str!("sql.md")]
pub mod sql {}

#[doc = include_str!("links.txt")]
#[doc = include_str!("cluster.md")]
pub mod cluster {}

#[doc = include_str!("links.txt")]
#[doc = include_str!("python.md")]
pub mod python {}

#[doc = include_str!("links.txt")]
#[doc = include_str!("machine-learning.md")]
pub mod machine_learning {}

#[doc = include_str!("links.txt")]
#[doc = include_str!("pictures/inline.md")]
#[doc = include_str!("pictures.md")]
pub mod pictures {}

#[doc = include_str!("links.txt")]
#[doc = include_str!("charsets.md")]
pub mod charsets {}

#[doc = include_str!("links.txt")]
#[doc = include_str!("repairs.md")]
pub mod repairs {}

#[doc = include_str!("links.txt")]
#[doc = include_str!("limits.md")]
pub mod limits {}

#[doc = include_str!("links.txt")]
#[doc = include_str!("troubleshooting.md")]
pub mod troubleshooting {}

#[doc = include_str!("links.txt")]
#[doc = include_str!("migration.md")]
pub mod migration {}

#[doc = include_str!("links.txt")]
#[doc = include_str!("stability.md")]
pub mod stability {}

#[doc = include_str!("links.txt")]
#[doc = include_str!("glossary.md")]
pub mod glossary {}

#[doc = include_str!("links.txt")]
#[doc = include_str!("laws.md")]
pub mod laws {}
