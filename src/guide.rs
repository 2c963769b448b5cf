#![doc = include_str!("guide/links.txt")]
#![doc = include_str!("guide/README.md")]
//
// How the pages work
//
// A page is Markdown that reads well in two places: in a repository, and in rustdoc. Each link is a reference, as
// [`Parser`] or [tutorial]. The page ends with definitions that lead to files, for the repository. Rustdoc sees those of
// `guide/links.txt` first, which lead to items, and of two definitions the first one counts. A page has no hidden lines.
// `guide/README.md` lists the pages. tests/it/guide.rs checks all of this.
//
// Blocks marked `rust` run as doc tests. Blocks marked `console` run as src/cli/tests/cli/pages.rs says.

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
/// [`sgf filter`]: crate::guide::sql#writing-the-matching-games
/// [game starts]: crate::guide::repairs#game-starts
/// [one file per game]: crate::guide::pictures#one-file-per-game
/// [running a service]: crate::guide::limits#running-a-service
#[doc = include_str!("guide/cookbook.md")]
/// [`AnyMove`]: crate::value::AnyMove
/// [`Board::after`]: crate::board::Board::after
/// [`Decoding::new`]: crate::charset::Decoding::new
/// [`DiagnosticLog`]: crate::DiagnosticLog
/// [`Fingerprint`]: crate::board::Fingerprint
/// [`GameIndex`]: crate::GameIndex
/// [`GameTree`]: crate::tree::GameTree
/// [`Games::span`]: crate::de::Games::span
/// [`LineHash`]: crate::board::LineHash
/// [`NodeRecord`]: crate::NodeRecord
/// [`Parser::strict`]: crate::Parser::strict
/// [`Parser`]: crate::Parser
/// [`PushGames`]: crate::PushGames
/// [`Replay`]: crate::board::Replay
/// [`Serializer`]: crate::ser::Serializer
/// [`Split::parts`]: crate::parallel::Split::parts
/// [`Visitor`]: crate::Visitor
/// [`check`]: mod@crate::check
/// [`invalid_option`]: crate::de::invalid_option
/// [`moves`]: crate::de::moves
/// [`name_on`]: crate::value::go::Point::name_on
/// [`par_reader`]: crate::Parser::par_reader
/// [`played`]: crate::tree::Node::played
/// [nodes in `de`]: crate::de#nodes
/// [the mapping of `de`]: crate::de#mapping
pub mod cookbook {}

#[doc = include_str!("guide/links.txt")]
/// [node after variations]: crate::guide::repairs#nodes-after-variations
#[doc = include_str!("guide/tables.md")]
/// [`ColumnType`]: crate::table::ColumnType
/// [`TableBuilder`]: crate::table::TableBuilder
pub mod tables {}

#[doc = include_str!("guide/links.txt")]
/// [columns]: crate::guide::tables#columns
#[doc = include_str!("guide/sql.md")]
/// [`MoveText`]: crate::board::MoveText
pub mod sql {}

#[doc = include_str!("guide/links.txt")]
#[doc = include_str!("guide/cluster.md")]
pub mod cluster {}

#[doc = include_str!("guide/links.txt")]
/// [columns]: crate::guide::tables#columns
#[doc = include_str!("guide/machine-learning.md")]
/// [`Replay`]: crate::board::Replay
/// [`Visitor`]: crate::Visitor
/// [`par_reader`]: crate::Parser::par_reader
pub mod machine_learning {}

#[doc = include_str!("guide/links.txt")]
#[doc = include_str!("guide/pictures/inline.md")]
/// [columns]: crate::guide::tables#columns
#[doc = include_str!("guide/pictures.md")]
/// [`Board`]: crate::board::Board
/// [`Diagram::svg`]: crate::board::Diagram::svg
/// [`Painter`]: crate::board::Painter
pub mod pictures {}

#[doc = include_str!("guide/links.txt")]
#[doc = include_str!("guide/charsets.md")]
/// [`Decoding::new`]: crate::charset::Decoding::new
/// [`DecodingReader`]: crate::charset::DecodingReader
/// [`Decoding`]: crate::charset::Decoding
/// [`GameTexts`]: crate::charset::GameTexts
/// [`GameTree::to_utf8`]: crate::tree::GameTree::to_utf8
/// [`Parser::charset`]: crate::Parser::charset
/// [`Parser::checker`]: crate::Parser::checker
/// [`Parser::fixer`]: crate::Parser::fixer
/// [`Parser::rewriter`]: crate::Parser::rewriter
/// [`RawValue::text`]: crate::RawValue::text
/// [`Serializer::replace_charset`]: crate::ser::Serializer::replace_charset
/// [`TreeBuilder`]: crate::tree::TreeBuilder
/// [`TreeDecoder`]: crate::charset::TreeDecoder
/// [`Writer`]: crate::write::Writer
/// [`charset`]: mod@crate::charset
/// [`default_charset`]: crate::charset::Decoding::default_charset
/// [`force`]: crate::charset::Decoding::force
/// [`game_charset`]: crate::charset::Decoding::game_charset
/// [`sniff`]: crate::charset::Decoding::sniff
/// [`trust_ca`]: crate::charset::Decoding::trust_ca
/// [frame]: mod@crate::codec
/// [part]: crate::parallel::Split::parts
pub mod charsets {}

#[doc = include_str!("guide/links.txt")]
#[doc = include_str!("guide/repairs.md")]
pub mod repairs {}

#[doc = include_str!("guide/links.txt")]
/// [Laws L5 and L6]: crate::guide::architecture#laws
/// [limits recipe]: crate::guide::cookbook#limits-for-untrusted-input
/// [node after variations]: crate::guide::repairs#nodes-after-variations
#[doc = include_str!("guide/limits.md")]
/// [`DiagnosticLog`]: crate::DiagnosticLog
/// [`EventListCodec`]: crate::codec::EventListCodec
/// [`Games::max_depth`]: crate::de::Games::max_depth
/// [`NodeRecord`]: crate::NodeRecord
/// [`Parser::max_depth`]: crate::Parser::max_depth
/// [`Parser::max_game_len`]: crate::Parser::max_game_len
/// [`Parser::max_ident_len`]: crate::Parser::max_ident_len
/// [`Parser::max_node_len`]: crate::Parser::max_node_len
/// [`Parser::max_value_len`]: crate::Parser::max_value_len
/// [`Parser::value_parts`]: crate::Parser::value_parts
/// [`PointList::MAX_POINTS`]: crate::value::PointList::MAX_POINTS
/// [`TreeBuilder::max_len`]: crate::tree::TreeBuilder::max_len
/// [`Writer::max_node_len`]: crate::write::Writer::max_node_len
/// [`parallel`]: mod@crate::parallel
/// [`tree`]: mod@crate::tree
/// [codecs]: mod@crate::codec
/// [untrusted peers]: crate::codec#untrusted-peers
/// [values in `de`]: crate::de#values
pub mod limits {}

#[doc = include_str!("guide/links.txt")]
#[doc = include_str!("guide/troubleshooting.md")]
pub mod troubleshooting {}

#[doc = include_str!("guide/links.txt")]
/// [a struct of your own]: crate::guide::cookbook#a-struct-of-your-own
/// [edit a tree]: crate::guide::cookbook#edit-a-tree
#[doc = include_str!("guide/migration.md")]
/// [SGFC's numbers]: crate::check#sgfcs-numbers
/// [`Board::after`]: crate::board::Board::after
/// [`Board::play`]: crate::board::Board::play
/// [`Collection::from_slice`]: crate::tree::Collection::from_slice
/// [`GameResult`]: crate::value::GameResult
/// [`GameTree::from_slice`]: crate::tree::GameTree::from_slice
/// [`GameTree::new`]: crate::tree::GameTree::new
/// [`GameTree::retain`]: crate::tree::GameTree::retain
/// [`GameTree`]: crate::tree::GameTree
/// [`Node`]: crate::tree::Node
/// [`Reader::read_game`]: crate::Reader::read_game
/// [`Size`]: crate::value::Size
/// [`SyntaxError`]: crate::SyntaxError
/// [`TreeBuilder`]: crate::tree::TreeBuilder
/// [`Writer`]: crate::write::Writer
/// [`check_slice`]: crate::check::check_slice
/// [`from_slice`]: crate::from_slice
/// [`game_charset`]: crate::charset::Decoding::game_charset
/// [`played`]: crate::tree::Node::played
/// [`tree`]: mod@crate::tree
pub mod migration {}

#[doc = include_str!("guide/links.txt")]
#[doc = include_str!("guide/stability.md")]
/// [`Board::HASH_VERSION`]: crate::board::Board::HASH_VERSION
/// [`Code`]: crate::Code
/// [`GameIndex`]: crate::GameIndex
/// [`Rule`]: crate::check::Rule
/// [`SCHEMA_VERSION`]: crate::table::SCHEMA_VERSION
pub mod stability {}

#[doc = include_str!("guide/links.txt")]
/// [game starts]: crate::guide::repairs#game-starts
/// [node after variations]: crate::guide::repairs#nodes-after-variations
#[doc = include_str!("guide/glossary.md")]
/// [`Parser::max_value_len`]: crate::Parser::max_value_len
/// [`Parser::parse`]: crate::Parser::parse
/// [`Part`]: crate::parts::Part
/// [`PushParser`]: crate::PushParser
/// [`Reader`]: crate::Reader
/// [`SliceReader`]: crate::SliceReader
/// [the rules]: crate::check#the-rules
pub mod glossary {}

#[doc = include_str!("guide/links.txt")]
/// [tools that change files]: crate::guide::repairs#tools-that-change-files
/// [what is repaired]: crate::guide::repairs#what-is-repaired
#[doc = include_str!("guide/architecture.md")]
/// [`RawValue`]: crate::RawValue
/// [`charset`]: mod@crate::charset
/// [`property`]: mod@crate::property
/// [`value`]: mod@crate::value
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
