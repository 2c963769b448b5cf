//! Law L12: the tables count what the events of the same files count, as `sgf scan` and `sgf events` do.

use quickcheck::holds_of;
use quickcheck::inputs;
use sgf_input::limited;
use sgf_sql::Options;
use sgf_stream::{Diagnostic, Event, EventSink, Flow, Parser};

use crate::laws::{Archive, runtime};
use crate::packed::{gzip, tar};
use crate::support::{TABLES, ask, context, directory};

/// Numbers of some files.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    games: u64,
    nodes: u64,
    /// Values of B and W in main lines.
    moves: u64,
    properties: u64,
    /// Diagnostics of games, without those of what is between them.
    diagnostics: u64,
}

/// A naive count of events.
#[derive(Default)]
struct Naive {
    counts: Counts,
    /// For each tree around: whether it is on the main line, and the number of its variations so far.
    trees: Vec<(bool, u64)>,
    is_move: bool,
}

impl EventSink for Naive {
    fn event(&mut self, event: Event<'_>, _: u64) -> Flow {
        let counts = &mut self.counts;
        match event {
            Event::StartTree => {
                let is_main = match self.trees.last_mut() {
                    None => {
                        counts.games += 1;
                        true
                    }
                    Some((is_main, variations)) => {
                        *variations += 1;
                        *is_main && *variations == 1
                    }
                };
                self.trees.push((is_main, 0));
            }
            Event::Node => counts.nodes += 1,
            Event::Property(ident) => {
                counts.properties += 1;
                let is_main = self.trees.last().is_some_and(|(is_main, _)| *is_main);
                self.is_move = is_main && ["B", "W"].contains(&&*ident.name());
            }
            Event::Value(_) => counts.moves += u64::from(self.is_move),
            Event::EndTree => _ = self.trees.pop(),
            _ => {}
        }
        Flow::Continue
    }

    fn diagnostic(&mut self, _: Diagnostic) {
        self.counts.diagnostics += u64::from(!self.trees.is_empty());
    }
}

#[test]
fn tables_count_what_events_count() {
    fn law(archives: Vec<Archive>, long: u8) -> bool {
        let mut files: Vec<Vec<u8>> = archives.into_iter().take(4).map(|Archive(bytes)| bytes).collect();
        if long.is_multiple_of(4) {
            // A text of 2 MiB, in the root or after it, or one beyond the limit of all programs.
            let len = [2 << 20, 2 << 20, (16 << 20) + 1][usize::from(long / 4) % 3];
            let node = ["", ";B[dd]"][usize::from(long / 16) % 2];
            files.push(format!("(;FF[4]PB[long]{node}C[{}];W[dd])(;PB[next])", "x".repeat(len)).into_bytes());
        }
        let mut expected = Counts::default();
        for file in &files {
            let mut naive = Naive::default();
            _ = limited(Parser::new()).parse_into(file, &mut naive);
            let Counts { games, nodes, moves, properties, diagnostics } = naive.counts;
            expected.games += games;
            expected.nodes += nodes;
            expected.moves += moves;
            expected.properties += properties;
            expected.diagnostics += diagnostics;
        }
        let packed: Vec<(String, Vec<u8>)> = (0..)
            .zip(&files)
            .map(|(n, file)| match n % 3 {
                0 => (format!("{n}.sgf"), file.clone()),
                1 => (format!("{n}.sgf.gz"), gzip(file)),
                _ => (format!("{n}.tar"), tar(&[("a.sgf", file)])),
            })
            .collect();
        let named: Vec<(&str, &[u8])> = packed.iter().map(|(name, bytes)| (name.as_str(), &bytes[..])).collect();
        let (_directory, path) = directory(&named);
        let ctx = context(2);
        for table in TABLES {
            // Files without SGF data have no game; without this, they end a query.
            let options = Options::new(table).on_unreadable(|fault| assert!(fault.has_no_sgf(), "{fault:?}"));
            sgf_sql::register(&ctx, table.name(), &path, options).unwrap();
        }
        runtime().block_on(async {
            let number = async |query: &str| ask(&ctx, query).await.parse::<u64>().unwrap();
            let found = Counts {
                games: number("SELECT count(*) FROM games").await,
                nodes: number("SELECT coalesce(sum(node_count), 0) FROM games").await,
                moves: number("SELECT coalesce(sum(move_count), 0) FROM games").await,
                properties: number("SELECT count(*) FROM properties").await,
                diagnostics: number("SELECT coalesce(sum(diagnostic_count), 0) FROM games").await,
            };
            assert_eq!(found, expected);
            assert_eq!(number("SELECT count(*) FROM moves").await, expected.moves);
            assert_eq!(number("SELECT count(DISTINCT file || '/' || \"offset\") FROM games").await, expected.games);
        });
        true
    }
    holds_of(inputs(30), 40, law as fn(Vec<Archive>, u8) -> bool);
}
