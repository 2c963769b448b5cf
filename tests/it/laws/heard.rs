//! The diagnostics that a callback receives. A reader of everything reports those of [`Parser::parse`], in its order.
//! A reader that skips reports some of them, in that order, with all about the bounds of games.

use std::io::BufReader;
use std::ops::ControlFlow;

#[cfg(feature = "serde")]
use sgf_stream::de::Options;
use sgf_stream::{NodeRecord, Parser, Reader, Visitor};
use sgf_table::{Table, TableBuilder};

use crate::support::generate::Input;
use crate::support::whole_games::Events;
use crate::support::{
    self, Finding, Rules, fold_slice, holds, laws, parse, parser, push, read_each, read_slice, read_stream,
};

/// The diagnostics of a parser at work.
fn heard(parser: &Parser, run: impl FnOnce(&Parser)) -> Vec<Finding> {
    support::heard(parser, run).1
}

/// A way to read: its name, and a function of the bytes, a parser, and the size of a buffer or chunk.
type Way = (&'static str, fn(&[u8], &Parser, usize) -> Vec<Finding>);

fn stream<'b>(parser: &Parser, bytes: &'b [u8], size: usize) -> Reader<BufReader<&'b [u8]>> {
    parser.reader(BufReader::with_capacity(size, bytes))
}

/// A visitor that wants nothing of a game.
struct Nothing;

impl Visitor for Nothing {
    type Game = ();
    type Output = ();

    fn begin_game(&mut self, _: u64) -> ControlFlow<()> {
        ControlFlow::Break(())
    }

    fn end_game(&mut self, (): ()) {}
}

const READ_ALL: &[Way] = &[
    ("push", |bytes, parser, size| push(bytes, &[size], parser).findings),
    ("slice", |bytes, parser, _| read_slice(bytes, parser).findings),
    ("slice, folded", |bytes, parser, size| fold_slice(bytes, size, parser).findings),
    ("reader", |bytes, parser, size| read_stream(bytes, size, parser).findings),
    ("reader, each event", |bytes, parser, size| {
        read_each(size, parser, |parser| stream(parser, bytes, size)).findings
    }),
    ("push, games", |bytes, parser, size| {
        heard(parser, |parser| {
            let mut push = parser.push_games(Events);
            bytes.chunks(size).for_each(|chunk| push.feed(chunk, |_| {}));
            push.finish(|_| {});
        })
    }),
    ("slice, games", |bytes, parser, _| {
        heard(parser, |parser| {
            let mut reader = parser.slice(bytes);
            while reader.read_game(&mut Events).is_ok_and(|game| game.is_some()) {}
        })
    }),
    ("reader, games", |bytes, parser, size| {
        heard(parser, |parser| {
            let mut reader = stream(parser, bytes, size);
            while reader.read_game(&mut Events).is_ok_and(|game| game.is_some()) {}
        })
    }),
    ("slice, nodes", |bytes, parser, _| {
        heard(parser, |parser| {
            let (mut reader, mut record) = (parser.slice(bytes), NodeRecord::new());
            while reader.read_node(&mut record).unwrap_or(false) {}
        })
    }),
    ("reader, nodes", |bytes, parser, size| {
        heard(parser, |parser| {
            let (mut reader, mut record) = (stream(parser, bytes, size), NodeRecord::new());
            while reader.read_node(&mut record).unwrap_or(false) {}
        })
    }),
    ("table of properties", |bytes, parser, size| {
        heard(parser, |parser| {
            let mut rows = TableBuilder::new(parser, Table::Properties).rows(stream(parser, bytes, size));
            while rows.next_game(|_| {}).unwrap_or(false) {}
        })
    }),
    #[cfg(feature = "serde")]
    ("serde, slice", |bytes, parser, _| {
        heard(parser, |parser| {
            parser.slice(bytes).games_with::<serde::Whole>(Options::new().accept_truncated(true)).for_each(drop)
        })
    }),
    #[cfg(feature = "serde")]
    ("serde, reader", |bytes, parser, size| {
        heard(parser, |parser| {
            stream(parser, bytes, size).games_with::<serde::Whole>(Options::new().accept_truncated(true)).for_each(drop)
        })
    }),
    #[cfg(feature = "codec")]
    ("codec of events", |bytes, parser, size| crate::support::codec::events(bytes, &[size], parser).findings),
    #[cfg(feature = "codec")]
    ("codec of lists", |bytes, parser, size| crate::support::codec::event_lists(bytes, &[size], parser).findings),
];

const SKIP: &[Way] = &[
    ("slice, games skipped", |bytes, parser, _| {
        heard(parser, |parser| {
            let mut reader = parser.slice(bytes);
            while reader.skip_game().unwrap_or(false) {}
        })
    }),
    ("reader, games skipped", |bytes, parser, size| {
        heard(parser, |parser| {
            let mut reader = stream(parser, bytes, size);
            while reader.skip_game().unwrap_or(false) {}
        })
    }),
    ("reader, a few events of each game", |bytes, parser, size| {
        heard(parser, |parser| {
            let mut reader = stream(parser, bytes, 1 + size % 100);
            loop {
                if !(0..size % 10).all(|_| reader.next_event().is_ok_and(|event| event.is_some())) {
                    break;
                }
                if !reader.skip_game().unwrap_or(false) {
                    break;
                }
            }
        })
    }),
    ("reader, broken games", |bytes, parser, size| {
        heard(parser, |parser| {
            let mut reader = stream(parser, bytes, size);
            while reader.read_game(&mut Nothing).is_ok_and(|game| game.is_some()) {}
        })
    }),
    ("table of games", |bytes, parser, size| {
        heard(parser, |parser| {
            let mut rows = TableBuilder::new(parser, Table::Games).rows(stream(parser, bytes, size));
            while rows.next_game(|_| {}).unwrap_or(false) {}
        })
    }),
    #[cfg(feature = "serde")]
    ("serde, a field", |bytes, parser, size| {
        heard(parser, |parser| {
            stream(parser, bytes, size)
                .games_with::<serde::Header>(Options::new().accept_truncated(true))
                .for_each(drop)
        })
    }),
    #[cfg(feature = "serde")]
    ("serde, the line", |bytes, parser, size| {
        heard(parser, |parser| {
            stream(parser, bytes, size).games_with::<serde::Line>(Options::new().accept_truncated(true)).for_each(drop)
        })
    }),
    #[cfg(feature = "serde")]
    ("serde, nothing", |bytes, parser, _| {
        heard(parser, |parser| {
            parser.slice(bytes).games_with::<()>(Options::new().accept_truncated(true)).for_each(drop)
        })
    }),
];

#[cfg(feature = "serde")]
mod serde {
    use serde::Deserialize;
    use sgf_stream::de::Properties;

    #[derive(Deserialize)]
    pub(super) struct Whole {
        #[serde(rename = "$root")]
        _root: Properties,
        #[serde(rename = "$nodes")]
        _nodes: Vec<Properties>,
        #[serde(rename = "$variations")]
        _variations: Vec<Whole>,
    }

    #[derive(Deserialize)]
    pub(super) struct Header {
        #[serde(rename = "FF")]
        _version: Option<Vec<String>>,
    }

    #[derive(Deserialize)]
    pub(super) struct Line {
        #[serde(rename = "$line")]
        _line: Vec<Properties>,
    }
}

#[test]
fn whatever_reads_all_is_heard_to_report_what_parse_reports() {
    fn law(Input(bytes): Input, rules: Rules, size: usize) {
        let parser = parser(&Rules { strict: false, ..rules });
        let whole = parse(&bytes, &parser).findings;
        let size = [1, 2, 3, 7, 64 * 1024][size % 5];
        for (way, read) in READ_ALL {
            assert_eq!(read(&bytes, &parser, size), whole, "left: {way} with {size}, right: `parse`");
        }
        for (way, read) in SKIP {
            let some = read(&bytes, &parser, size);
            assert!(laws::is_part(&some, &whole), "{way} with {size}: {some:?} of {whole:?}");
        }
    }
    holds(1000, law as fn(Input, Rules, usize));
}
