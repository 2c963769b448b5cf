//! Laws: rows depend on the bytes, and on nothing else.

use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;

use quickcheck::{Arbitrary, Gen};
use tokio::runtime::Runtime;

use crate::support::{ask, context_of, directory, holds, in_ranges, text};

/// Bytes of an archive: sound games, parts of games, junk.
#[derive(Clone, Debug)]
pub(crate) struct Archive(pub(crate) Vec<u8>);

const PIECES: &[&str] = &[
    "(;FF[4]GM[1]SZ[19]PB[a];B[dd];W[pp])",
    "(;GM[1]SZ[9]PW[b]RE[B+R]DT[1846-09-11];B[ee](;W[dd])(;W[cc];B[aa]))",
    "(;PB[no head];B[dd])",
    "(;FF[4]C[a text with (;FF[4\\] in it];W[aa])",
    "(;CA[EUC-JP]PB[\u{3042}];B[bb])",
    "(;FF[4]PB[open",
    "(;B[dd]",
    ")",
    "]",
    "junk ",
    "\n",
    "\\",
    "(;",
    "(;FF[4]",
    "\u{feff}",
];

impl Arbitrary for Archive {
    fn arbitrary(g: &mut Gen) -> Self {
        let count = usize::arbitrary(g) % 24 + 1;
        Archive((0..count).flat_map(|_| g.choose(PIECES).unwrap().bytes()).collect())
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        Box::new(self.0.shrink().map(Archive))
    }
}

pub(crate) fn runtime() -> &'static Runtime {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| Runtime::new().unwrap())
}

const OF_GAMES: &[&str] = &["offset", "length", "black", "white", "charset", "move_count", "node_count", "error"];
const OF_MOVES: &[&str] = &["offset", "ply", "color", "point", "node_offset"];
const OF_PROPERTIES: &[&str] = &["offset", "node", "ident", "value", "property_offset"];

/// L14: any cuts of the bytes give every game once.
#[test]
fn any_ranges_read_every_game_once() {
    fn law(archive: Archive, cuts: Vec<u16>) -> bool {
        let Archive(bytes) = archive;
        let len = bytes.len() as u64;
        let ranges = ranges(len, cuts);
        let (_directory, path) = directory(&[("a.sgf", &bytes)]);
        let ctx = context_of(&path, 1);
        runtime().block_on(async {
            for (table, columns) in [("games", OF_GAMES), ("moves", OF_MOVES), ("properties", OF_PROPERTIES)] {
                // An archive without SGF data is an error, either way.
                let whole = in_ranges(&ctx, table, columns, &whole_of(len)).await.map(|rows| text(&rows));
                let parts = in_ranges(&ctx, table, columns, &ranges).await.map(|rows| text(&rows));
                match (whole, parts) {
                    (Ok(whole), Ok(parts)) => assert_eq!(sorted(&whole), sorted(&parts), "{ranges:?}"),
                    (Err(whole), Err(parts)) => assert_eq!(whole.to_string(), parts.to_string()),
                    (whole, parts) => panic!("{whole:?}\n{parts:?}\n{ranges:?}"),
                }
            }
        });
        true
    }
    holds(60, law as fn(Archive, Vec<u16>) -> bool);
}

/// A root filter rejects the games that a filter of rows rejects.
#[test]
fn a_filter_of_heads_is_a_filter_of_rows() {
    fn law(archive: Archive) -> bool {
        let (_directory, path) = directory(&[("a.sgf", &archive.0)]);
        let ctx = context_of(&path, 1);
        let len = archive.0.len() as u64;
        runtime().block_on(async {
            if in_ranges(&ctx, "games", &["offset"], &whole_of(len)).await.is_err() {
                return;
            }
            for (table, columns) in [("games", OF_GAMES), ("moves", OF_MOVES), ("properties", OF_PROPERTIES)] {
                let columns: Vec<_> = columns.iter().map(|name| format!("\"{name}\"")).collect();
                let columns = columns.join(", ");
                for filter in ["\"offset\" % 3 = 0", "\"offset\" > 40", "file IS NULL"] {
                    // What is ordered by the row cannot be filtered before the moves are read.
                    let heads = ask(&ctx, &format!("SELECT {columns} FROM {table} WHERE {filter}")).await;
                    let rows = format!(
                        "SELECT {columns} FROM (SELECT *, random() AS r FROM {table}) WHERE {filter} AND r >= 0"
                    );
                    assert_eq!(heads, ask(&ctx, &rows).await, "{table}: {filter}");
                }
            }
        });
        true
    }
    holds(25, law as fn(Archive) -> bool);
}

/// The ranges between cuts.
pub(crate) fn ranges(len: u64, cuts: Vec<u16>) -> Vec<Range<u64>> {
    let mut cuts: Vec<u64> = cuts.into_iter().map(|cut| u64::from(cut) % (len + 1)).chain([0, len]).collect();
    cuts.sort_unstable();
    cuts.windows(2).map(|pair| pair[0]..pair[1]).collect()
}

fn whole_of(len: u64) -> Vec<Range<u64>> {
    std::iter::once(0..len).collect()
}

pub(crate) fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<_> = text.lines().collect();
    lines.sort_unstable();
    lines
}

/// Files of the real world, if they exist.
#[test]
fn the_rows_of_the_corpus_do_not_depend_on_partitions() {
    let corpus = Path::new("../../../shared/corpus");
    if !corpus.exists() {
        println!("{} is not there: nothing is tested", corpus.display());
        return;
    }
    let sums =
        "SELECT count(*), sum(\"offset\"), sum(length), sum(node_count), bit_xor(\"offset\" * 31 + length) FROM games";
    runtime().block_on(async {
        let mut found = Vec::new();
        for partitions in [1, 7, 64] {
            let ctx = crate::support::context(partitions);
            let options = sgf_sql::Options::new(sgf_table::Table::Games).on_unreadable(|_| ());
            sgf_sql::register(&ctx, "games", corpus.to_str().unwrap(), options).unwrap();
            found.push(ask(&ctx, sums).await);
        }
        assert!(found[0].starts_with("15378 "), "{}", found[0]);
        assert!(found.iter().all(|sums| *sums == found[0]), "{found:?}");
    });
}
