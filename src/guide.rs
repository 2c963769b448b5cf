#![doc = include_str!("guide/links.txt")]
#![doc = include_str!("guide/README.md")]
//
// How the pages work
//
// A page is Markdown that reads well in two places: in a repository, and in rustdoc. Each link is a reference, as
// [`Parser`] or [tutorial]. The page ends with definitions that lead to files, for the repository. Rustdoc sees those of
// `guide/links.txt` first, which lead to items; the first of two definitions counts. A page has no hidden lines, and
// `guide/README.md` lists the pages. tests/it/guide.rs checks all of this.
//
// Blocks marked `rust` run as doc tests, and those marked `console` as tests/support/transcripts.rs says. Those marked
// `rust,no_run` in the tutorial run in tests/it/guide.rs.
#![cfg_attr(docsrs, doc(auto_cfg = false))]
// The programs use all features.
#![cfg(any(
    not(doctest),
    all(
        feature = "charset",
        feature = "check",
        feature = "codec",
        feature = "parallel",
        feature = "serde",
        feature = "table",
        feature = "tree"
    )
))]

#[doc = include_str!("guide/links.txt")]
#[doc = include_str!("guide/tutorial.md")]
pub mod tutorial {}

#[doc = include_str!("guide/links.txt")]
#[doc = include_str!("guide/command.md")]
pub mod command {}

#[doc = include_str!("guide/links.txt")]
#[doc = include_str!("guide/broken-files.md")]
pub mod broken_files {}

#[doc = include_str!("guide/links.txt")]
#[doc = include_str!("guide/duplicates.md")]
pub mod duplicates {}

#[doc = include_str!("guide/links.txt")]
#[doc = include_str!("guide/search.md")]
pub mod search {}

#[doc = include_str!("guide/links.txt")]
#[doc = include_str!("guide/cookbook.md")]
pub mod cookbook {}

#[doc = include_str!("guide/links.txt")]
#[doc = include_str!("guide/tables.md")]
pub mod tables {}

#[doc = include_str!("guide/links.txt")]
#[doc = include_str!("guide/facts.md")]
pub mod facts {}

#[doc = include_str!("guide/links.txt")]
#[doc = include_str!("guide/sql.md")]
pub mod sql {}

#[doc = include_str!("guide/links.txt")]
#[doc = include_str!("guide/cluster.md")]
pub mod cluster {}

#[doc = include_str!("guide/links.txt")]
#[doc = include_str!("guide/python.md")]
pub mod python {}

#[doc = include_str!("guide/links.txt")]
#[doc = include_str!("guide/machine-learning.md")]
pub mod machine_learning {}

#[doc = include_str!("guide/links.txt")]
#[doc = include_str!("guide/pictures/inline.md")]
#[doc = include_str!("guide/pictures.md")]
pub mod pictures {}

#[doc = include_str!("guide/links.txt")]
#[doc = include_str!("guide/charsets.md")]
pub mod charsets {}

#[doc = include_str!("guide/links.txt")]
#[doc = include_str!("guide/repairs.md")]
pub mod repairs {}

#[doc = include_str!("guide/links.txt")]
#[doc = include_str!("guide/limits.md")]
pub mod limits {}

#[doc = include_str!("guide/links.txt")]
#[doc = include_str!("guide/troubleshooting.md")]
pub mod troubleshooting {}

#[doc = include_str!("guide/links.txt")]
#[doc = include_str!("guide/migration.md")]
pub mod migration {}

#[doc = include_str!("guide/links.txt")]
#[doc = include_str!("guide/stability.md")]
pub mod stability {}

#[doc = include_str!("guide/links.txt")]
#[doc = include_str!("guide/glossary.md")]
pub mod glossary {}

#[doc = include_str!("guide/links.txt")]
#[doc = include_str!("guide/architecture.md")]
pub mod architecture {}

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

/// Each room uses those above it in the table of the page on architecture; the exceptions are those that the page names.
///
/// ```
/// use std::fs;
/// use std::path::Path;
///
/// /// Calls `see` with the room and the text of each file, without comments and unit tests.
/// fn each_file(dir: &Path, see: &mut dyn FnMut(&str, &str)) {
///     for entry in fs::read_dir(dir).unwrap() {
///         let path = entry.unwrap().path();
///         if path.is_dir() {
///             each_file(&path, see);
///         } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with("tests.rs") {
///             let room = path.iter().nth(1).unwrap().to_str().unwrap();
///             let text = fs::read_to_string(&path).unwrap();
///             let code = text.split("\nmod tests {").next().unwrap().lines();
///             let code: Vec<_> = code.filter(|line| !line.trim_start().starts_with("//")).collect();
///             see(room, &code.join("\n"));
///         }
///     }
/// }
///
/// let page = fs::read_to_string("src/guide/architecture.md").unwrap();
/// let rows = page.lines().filter(|line| line.starts_with("| `src/")).take(15); // the library's
/// let rooms: Vec<_> = rows.flat_map(|row| row.split('|').nth(1).unwrap().split('`').skip(1).step_by(2)).collect();
/// let place = |room: &str| rooms.iter().position(|of| of.strip_prefix("src/") == Some(room));
/// let mut upwards = Vec::new();
/// let mut see = |room: &str, code: &str| {
///     let uses = code.split("crate::").skip(1).flat_map(|path| match path.strip_prefix('{') {
///         None => vec![path.split(|c: char| !c.is_alphanumeric()).next().unwrap()],
///         Some(group) => group.split('}').next().unwrap().split([',', ' ', '\n']).collect(),
///     });
///     // A type is imported from its room, not from the root.
///     let is_upwards = |to: &&str| place(to) > place(room) || to.starts_with(|c: char| c.is_ascii_uppercase());
///     upwards.extend(uses.filter(is_upwards).map(|to| format!("{room} uses {to}")));
/// };
/// rooms.iter().for_each(|room| each_file(Path::new(room), &mut see));
/// upwards.sort();
/// upwards.dedup();
/// assert_eq!(upwards, ["syntax uses charset", "syntax uses property"]);
/// ```
#[cfg(doctest)]
struct Rooms;
