//! No input is amplified: memory and allocations of each consumer of events, for each hostile input.
//!
//! Inputs have 4 and 8 kB, because dhat takes long for each allocation: the test takes 45 CPU seconds in the debug profile.
//! Where a consumer has a constant of megabytes (boards, diagrams), the bounds are for what has no limit, such as rectangles
//! without a budget (thousands of bytes per byte), and not for small factors. The steps of loops are counted in
//! `tests/it/laws/linear.rs`, for the same inputs.

use std::fmt::Write as _;
use std::io::{self, BufReader};
use std::ops::ControlFlow;

use serde::Deserialize;
use serde::de::IgnoredAny;
use sgf_board::{CanonicalLine, DiagramError, Fingerprint, Orientation, Painter, Replay, Symmetry, Walk};
use sgf_check::{Checker, Rewriter, Rules, fix};
use sgf_stream::charset::{Charset, Decoding, DecodingReader, GameTexts, TreeDecoder};
use sgf_stream::node::EventList;
use sgf_stream::tree::{GameTree, TreeBuilder};
use sgf_stream::value::Color;
use sgf_stream::write::Writer;
use sgf_stream::{Event, Flow, Game, Parser, Skip, Variation, Visitor};
use sgf_table::{Table, TableBuilder};

/// Length of the shorter inputs, in bytes. The others have twice as many.
const LEN: usize = 4 << 10;

/// What a consumer may take for any input: buffers, a position of 52x52, its tables.
const BASE: usize = 256 << 10;

/// What a consumer may keep per byte of input, unless it says otherwise.
const PER_BYTE: usize = 24;

/// What a consumer may keep per open variation beyond that: `(;` is the shortest, and `Parser::max_depth` limits their number.
const PER_LEVEL: usize = 160;

/// A consumer of a stream.
struct Consumer {
    name: &'static str,
    /// Maximum number of bytes in memory per byte of input.
    per_byte: usize,
    /// What it may take beyond [`BASE`].
    extra: usize,
    run: fn(&[u8]),
}

impl Consumer {
    const fn new(name: &'static str, run: fn(&[u8])) -> Self {
        Consumer { name, per_byte: PER_BYTE, extra: 0, run }
    }

    /// Sets another factor.
    const fn per_byte(self, per_byte: usize) -> Self {
        Consumer { per_byte, ..self }
    }

    /// Sets a constant beyond the base.
    const fn extra(self, extra: usize) -> Self {
        Consumer { extra, ..self }
    }
}

const CONSUMERS: &[Consumer] = &[
    Consumer::new("push parser", |bytes| {
        let (mut parser, mut events) = (Parser::new().push(), 0);
        for chunk in bytes.chunks(1000) {
            _ = parser.feed(chunk, |_, _| events += 1);
        }
        _ = parser.finish(|_, _| events += 1);
    }),
    Consumer::new("slice reader", |bytes| assert!(Parser::new().slice(bytes).count() < 2 * bytes.len())),
    Consumer::new("reader that skips", |bytes| {
        struct Skipping;
        impl Visitor for Skipping {
            type Game = ();
            type Output = ();
            fn begin_game(&mut self, _: u64) -> ControlFlow<()> {
                ControlFlow::Continue(())
            }
            fn start_tree(&mut self, (): &mut (), _: Variation) -> ControlFlow<(), Skip> {
                ControlFlow::Continue(Skip::Yes)
            }
            fn end_game(&mut self, (): ()) {}
        }
        let mut reader = Parser::new().reader(bytes);
        while let Ok(Some(())) = reader.read_game(&mut Skipping) {}
    }),
    // A record has 32 bytes per identifier and per value.
    Consumer::new("nodes", |bytes| _ = Parser::new().reader(bytes).nodes().filter_map(Result::ok).count()).per_byte(48),
    // A node takes some thirty bytes, and the shortest one has a single byte. It grows by doubling.
    Consumer::new("trees", |bytes| each_tree(bytes, drop)).per_byte(48),
    Consumer::new("trees, written", |bytes| each_tree(bytes, |tree| _ = tree.to_vec().unwrap())).per_byte(48),
    // Three trees, and a key for each node.
    Consumer::new("trees, merged", |bytes| {
        each_tree(bytes, |mut tree| {
            let other = tree.clone();
            tree.merge(&other).unwrap();
        });
    })
    .per_byte(120),
    Consumer::new("trees, transformed", |bytes| {
        each_tree(bytes, |mut tree| {
            let turned = Symmetry::ALL[1];
            _ = tree.transform(turned);
            _ = tree.swap_colors();
            _ = tree.convert_to_ff4();
        });
    })
    .per_byte(80),
    Consumer::new("serde: header", each_value::<Header>),
    Consumer::new("serde: main line", each_value::<MainLine>),
    Consumer::new("serde: raw properties", each_value::<sgf_stream::de::Properties>).per_byte(80),
    // A value of the type takes 48 bytes, and the shortest variation three.
    Consumer::new("serde: variations", each_value::<Variations>).per_byte(80),
    Consumer::new("serde: a list of games", |bytes| _ = sgf_stream::from_slice::<Vec<Header>>(bytes)).per_byte(60),
    // A draft of the game beside the game.
    Consumer::new("serializer", |bytes| {
        for game in Parser::new().slice(bytes).games::<sgf_stream::de::Properties>().flatten() {
            _ = sgf_stream::to_vec(&game);
        }
    })
    .per_byte(120),
    Consumer::new("walk", |bytes| {
        let mut reader = Parser::new().slice(bytes);
        while let Ok(Some(())) = reader.read_game(&mut Walk::visitor(|step| {
            assert!(step.changes().count() < usize::MAX);
            Flow::Continue
        })) {}
    })
    .extra(POSITIONS),
    Consumer::new("walk of a line", |bytes| {
        let mut reader = Parser::new().slice(bytes);
        while let Ok(Some(())) = reader.read_game(&mut Walk::line_visitor(|_| Flow::Continue)) {}
    })
    .extra(LINE_STATES),
    Consumer::new("replay", |bytes| {
        let mut replay = Replay::new();
        each_event(bytes, |event, _| replay.event(event));
    })
    .extra(POSITIONS),
    Consumer::new("fingerprint", |bytes| {
        let mut reader = Parser::new().slice(bytes);
        while let Ok(Some(found)) = reader.read_game(&mut Fingerprint::visitor()) {
            assert!(found.canonical() != [0; 16]);
        }
    })
    .extra(LINE_STATES),
    Consumer::new("canonical line", |bytes| {
        let events = || Parser::new().slice(bytes).map_while(Result::ok);
        _ = CanonicalLine::of(events, Game::Go, Orientation::from_bits(0), Color::Black);
    }),
    Consumer::new("painter", |bytes| {
        let mut nodes = 0_u32;
        each_event(bytes, |event, _| nodes += u32::from(event == Event::Node));
        // Diagrams of some nodes: each costs a board.
        let (mut painter, every) = (Painter::new(), nodes / 4 + 1);
        nodes = 0;
        each_event(bytes, |event, _| {
            if event == Event::Node {
                if nodes % every == every - 1 {
                    draw(&painter);
                }
                nodes += 1;
            }
            painter.event(event);
        });
        draw(&painter);
    })
    .extra(POSITIONS + DIAGRAM),
    Consumer::new("checker", |bytes| _ = Checker::with_rules(Rules::strict(), |_: &_| {}).check(bytes).unwrap())
        .per_byte(PER_FAULT)
        .extra(POSITIONS),
    Consumer::new("fixer", |bytes| _ = fix(&Rules::new(), bytes, io::sink()).unwrap())
        .per_byte(PER_FAULT)
        .extra(POSITIONS),
    Consumer::new("rewriter", |bytes| _ = Rewriter::new(&Parser::new()).rewrite(bytes, io::sink()).unwrap())
        .per_byte(PER_FAULT),
    Consumer::new("canonical rewriter", |bytes| {
        _ = Rewriter::new(&Parser::new()).canonical().rewrite(bytes, io::sink()).unwrap();
    })
    .per_byte(PER_FAULT),
    // It holds a node, with 32 bytes per identifier and per value.
    Consumer::new("canonical writer", |bytes| {
        let mut writer = Writer::canonical(io::sink());
        each_event(bytes, |event, _| writer.write(event).unwrap());
    })
    .per_byte(80),
    Consumer::new("table of games", |bytes| each_row(bytes, Table::Games)).extra(POSITIONS + LINE_STATES),
    Consumer::new("table of moves", |bytes| each_row(bytes, Table::Moves)).extra(POSITIONS + LINE_STATES),
    Consumer::new("table of properties", |bytes| each_row(bytes, Table::Properties)).per_byte(60).extra(LINE_STATES),
    // A list has 16 bytes per event, and the shortest event is a semicolon.
    Consumer::new("list of events", |bytes| {
        let mut list = EventList::new();
        each_event(bytes, |event, offset| list.push(event, offset));
    })
    .per_byte(60),
    Consumer::new("charset of a file", |bytes| {
        _ = io::copy(&mut DecodingReader::new(BufReader::new(bytes)), &mut io::sink());
        _ = Charset::detect([bytes]);
    }),
    Consumer::new("charset of a game", |bytes| {
        let (mut texts, mut decoder) = (GameTexts::new(), TreeDecoder::new(Decoding::new()));
        each_event(bytes, |event, offset| {
            decoder.observe(event, offset);
            texts.observe(event);
            if let Event::Value(value) = event {
                _ = decoder.text(value, offset);
            }
        });
    }),
];

/// The positions to which open variations return: 1,024 of 52x52.
const POSITIONS: usize = 8 << 20;

/// The states of a main line at variations that may still end it: 4 MiB.
const LINE_STATES: usize = 8 << 20;

/// A diagram of 52x52 with all of its marks, and in Hex the stones of a million points of rectangles.
const DIAGRAM: usize = 20 << 20;

/// The checker holds the diagnostics of 64 kB, and a rewriter the changes and notes of its game: each byte may be a fault.
/// A rewriter makes at most 262,144 repairs.
const PER_FAULT: usize = 480;

/// What may be allocated beyond 2.2 times the bytes for half of the input: buffers that double.
const ROUNDING: usize = 1 << 20;

#[derive(Deserialize)]
#[allow(dead_code)]
struct Header {
    #[serde(rename = "PB")]
    black: Option<String>,
    #[serde(rename = "KM")]
    komi: Option<f64>,
}

#[derive(Deserialize)]
#[allow(dead_code)]
struct MainLine {
    #[serde(rename = "$mainline", default)]
    nodes: Vec<IgnoredAny>,
}

#[derive(Deserialize)]
#[allow(dead_code)]
struct Variations {
    #[serde(rename = "$nodes", default)]
    nodes: Vec<IgnoredAny>,
    #[serde(rename = "$variations", default)]
    variations: Vec<Variations>,
}

fn each_event(bytes: &[u8], run: impl FnMut(Event<'_>, u64)) {
    _ = Parser::new().parse(bytes, run);
}

fn each_tree(bytes: &[u8], mut run: impl FnMut(GameTree)) {
    let (mut reader, mut builder) = (Parser::new().slice(bytes), TreeBuilder::new());
    while let Ok(Some(Ok(tree))) = reader.read_game(&mut builder) {
        run(tree);
    }
}

fn each_value<T: serde::de::DeserializeOwned>(bytes: &[u8]) {
    Parser::new().reader(bytes).games::<T>().for_each(drop);
}

fn each_row(bytes: &[u8], table: Table) {
    let mut rows = TableBuilder::new(&Parser::new(), table).rows(Parser::new().reader(bytes));
    while let Ok(true) = rows.next_game(|row| {
        for column in 0..row.len() {
            _ = row.cell(column);
        }
    }) {}
}

fn draw(painter: &Painter) {
    let diagram: Result<_, DiagramError> = painter.diagram();
    if let Ok(mut diagram) = diagram {
        painter.number_moves(&mut diagram, 100);
        let mut counted = Length(0);
        _ = write!(counted, "{}", diagram.svg());
        assert!(counted.0 > 0);
    }
}

/// Counts the bytes of a text.
struct Length(usize);

impl std::fmt::Write for Length {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

/// The most bytes that were allocated at once, and all bytes that were allocated.
struct Cost {
    peak: usize,
    total: u64,
}

fn cost(run: impl FnOnce()) -> Cost {
    let profiler = dhat::Profiler::builder().testing().trim_backtraces(Some(1)).build();
    run();
    let stats = dhat::HeapStats::get();
    drop(profiler);
    Cost { peak: stats.max_bytes, total: stats.total_bytes }
}

/// Returns the most trees that are open at once.
fn depth(bytes: &[u8]) -> usize {
    let (mut open, mut most) = (0_usize, 0);
    each_event(bytes, |event, _| {
        match event {
            Event::StartTree => open += 1,
            Event::EndTree => open -= 1,
            _ => {}
        }
        most = most.max(open);
    });
    most
}

pub(crate) fn no_input_is_amplified() {
    let mut wrong = Vec::new();
    let inputs: Vec<_> = super::hostile::inputs(LEN)
        .into_iter()
        .zip(super::hostile::inputs(2 * LEN))
        .map(|((name, short), (_, long))| (name, depth(&long), short, long))
        .collect();
    for consumer in CONSUMERS {
        let start = std::time::Instant::now();
        let mut most = (0.0, "");
        for (name, depth, short, long) in &inputs {
            let (few, many) = (cost(|| (consumer.run)(short)), cost(|| (consumer.run)(long)));
            let bound = BASE + consumer.extra + consumer.per_byte * long.len() + PER_LEVEL * depth;
            let ratio = many.peak.saturating_sub(PER_LEVEL * depth) as f64 / long.len() as f64;
            if ratio > most.0 {
                most = (ratio, name);
            }
            if many.peak > bound {
                wrong.push(format!("{}, {name}: {} bytes in memory for {}", consumer.name, many.peak, long.len()));
            }
            if many.total > few.total * 22 / 10 + (ROUNDING + consumer.extra) as u64 {
                wrong.push(format!(
                    "{}, {name}: {} bytes allocated, {} for twice the input",
                    consumer.name, few.total, many.total
                ));
            }
        }
        eprintln!("{:<24}{:>7.1} bytes per byte at most: {:<60} {:?}", consumer.name, most.0, most.1, start.elapsed());
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
