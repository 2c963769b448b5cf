//! L6: tests of each layer with inputs of n and of 2 n bytes, of each shape.

use std::io;

use sgf_board::{CanonicalLine, Fingerprint, Orientation, Painter, Replay, Walk, walk};
use sgf_check::{Checker, Rewriter, Rewritten, Rules};
use sgf_search::{Pattern, Search};
use sgf_stream::tree::Collection;
use sgf_stream::value::Color;
use sgf_stream::work::{self, count, count_read};
use sgf_stream::write::Writer;
use sgf_stream::{Event, Game, NodeRecord, Parser};
use sgf_table::{Table, TableBuilder};

use crate::hostile::inputs;

/// Length of inputs, in bytes.
const LEN: usize = 8 << 10;

/// Maximum number of steps per byte, for any shape: a diagnostic counts lines from the last mark on.
const STEPS_PER_BYTE: u64 = 160;

/// The same, with a board of 19x19. A game of three bytes has one, and a pattern may be everywhere on it.
const STEPS_OF_BOARD: u64 = 800;

/// The same, with a board of 52x52. A rectangle names its 2,704 points in five bytes.
const STEPS_OF_LARGE_BOARD: u64 = 2400;

/// Checks that twice the bytes take at most 2.2 times the steps, and no input more than `most` per byte.
#[track_caller]
fn is_linear(most: u64, layer: &str, run: impl Fn(&[u8])) {
    let (mut largest, mut steepest, mut wrong) = ((0.0, String::new()), (0.0, String::new()), Vec::new());
    for ((name, short), (_, long)) in inputs(LEN).into_iter().zip(inputs(2 * LEN)) {
        let (few, many) = (count(|| run(&short)), count(|| run(&long)));
        let most = if name.contains("SZ[52]") { STEPS_OF_LARGE_BOARD } else { most };
        // What is left of small counts are those of the first bytes.
        let is_even = 10 * many <= 22 * few + 10 * LEN as u64;
        if !is_even || many > most * long.len() as u64 {
            wrong.push(format!("{name}: {few} steps for {} bytes, {many} for {}", short.len(), long.len()));
        }
        let (per_byte, ratio) = (many as f64 / long.len() as f64, many as f64 / few as f64);
        if per_byte > largest.0 {
            largest = (per_byte, name.clone());
        }
        if many > long.len() as u64 && ratio > steepest.0 {
            steepest = (ratio, name);
        }
    }
    println!(
        "{layer}: {:.1} steps per byte in {:?}, {:.2} times in {:?}",
        largest.0, largest.1, steepest.0, steepest.1
    );
    assert!(wrong.is_empty(), "{layer}: {wrong:#?}");
}

#[test]
fn checking_is_linear() {
    for rules in [Rules::new, Rules::strict] {
        is_linear(STEPS_PER_BYTE, "check", |bytes| {
            let mut checker = Checker::with_rules(rules(), |_: &_| {});
            checker.check(bytes).unwrap();
        });
    }
}

#[test]
fn counting_lines_is_linear() {
    is_linear(STEPS_PER_BYTE, "events with lines", |bytes| {
        _ = Parser::new().count_lines(true).on_diagnostic(|_| {}).parse(bytes, |_, _| {});
    });
}

#[test]
fn records_are_linear() {
    is_linear(STEPS_PER_BYTE, "records of a slice", |bytes| {
        let (mut reader, mut node) = (Parser::new().slice(bytes), NodeRecord::new());
        while let Ok(true) = reader.read_node(&mut node) {
            for property in &node {
                assert!(node.contains(&property.ident().name()) && property.values().len() > 0);
            }
        }
    });
    is_linear(STEPS_PER_BYTE, "records of a stream", |bytes| {
        let (mut reader, mut node) = (Parser::new().reader(io::BufReader::with_capacity(64, bytes)), NodeRecord::new());
        while let Ok(true) = reader.read_node(&mut node) {}
    });
}

#[test]
fn writing_is_linear() {
    for writer in [Writer::new as fn(io::Sink) -> _, Writer::canonical] {
        is_linear(STEPS_PER_BYTE, "write", |bytes| {
            let mut writer = writer(io::sink());
            _ = Parser::new().parse(bytes, |event, _| writer.write(event).unwrap());
            writer.finish().unwrap();
        });
    }
}

#[test]
fn rewriting_is_linear() {
    let parser = Parser::new();
    for rewriter in [Rewriter::new(&parser), Rewriter::with_rules(&parser, Rules::new())] {
        is_linear(STEPS_PER_BYTE, "rewrite", |bytes| _ = rewriter.rewrite(bytes, io::sink()).unwrap());
    }
}

/// Damaged inputs: a head, a section that is repeated, and a tail.
const DAMAGED: &[(&str, &str, &str)] = &[
    ("(;FF[4];B[aa])", ")", ""),
    ("(;FF[4];B[aa])", ")", " a text"),
    ("(;FF[4]", "()", ")"),
    ("(;FF[4](;B[aa](;B[bb](;C[a](;C[a](;C[a](;C[a](;C[a](;C[a](;C[a](;C[a]", " ", ""),
    ("(;FF[4](;B[aa]foo", " ", ";C[a];C[a];C[a];C[a];C[a];C[a];C[a];C[a];C[a];C[a];C[a];C[a])"),
    ("(;FF[4]", ";B[aa]foo[x] ", ")"),
    ("(;FF[4]", "(;B[aa]);W[bb]", ")"),
    ("(;FF[4]", "(;B[aa]);W[bb](;C[a]", ""),
    ("(;FF[4]", "(;B[aa](;B[bb]);C[]);W[bb]oops ", ")"),
    ("(;FF[4]", "(;B[aa](;B[bb]);W[bb]", ""),
    ("", "(;B[aa](;B[bb]);W[bb]oops)\n", ""),
    ("", "(;FF[4](;B[aa]);W[bb]", ""),
    ("", "(;C[x];)](A[y])", ""),
    ("", "(B[aa](;W[bb]);C[x]()", ""),
    ("", "(;C[x];)](A[y])(;B[]B[](;HA[6.5]P0[x]C[x", ""),
    ("", "(;)]", ""),
    ("\u{FEFF}", "(;C[x];)](A[y]", ""),
    ("", "(;C[\u{E9}]CA[GBK](;B[aa]))", ""),
    ("", "(;C[\u{E9}]CA[GB2(;B[aa]))", ""),
    ("(;FF[4]", ";AB[aa]AB[bb]AB[cc]AB[aa]", ")"),
    ("(;FF[4];", "AB[aa]AB[bb]C[x]", ")"),
    ("(;FF[4]", ";B[ d d ]C[a\n comment]AB[]", ")"),
    ("(;FF[4];C[", "a [x] ", "])"),
    ("(;FF[4]", ";C[a [x] b]", ")"),
    ("", "(;FF[4]PB[a\n", ""),
    ("(;FF[4]", ";P0[x]B[aa]", ")"),
    ("(FF[4]", "(B[aa])", ")"),
    ("(;FF[4]", ";White[aa]Black[bb]", ")"),
    ("(;FF[4];", "[x] ", ")"),
];

#[test]
fn damaged_games_are_rewritten_in_linear_time() {
    let parser = Parser::new();
    let rewriters =
        [Rewriter::new(&parser), Rewriter::with_rules(&parser, Rules::new()), Rewriter::new(&parser).canonical()];
    for rewriter in rewriters.iter().flat_map(|rewriter| [rewriter.clone(), rewriter.clone().lossy(true)]) {
        for &(head, part, tail) in DAMAGED {
            let [few, many] = [LEN / 4, LEN].map(|len| {
                let text = [head, &*part.repeat(len / part.len()), tail].concat();
                let mut read = 0;
                let steps = count(|| read = count_read(|| _ = rewriter.rewrite_slice(text.as_bytes())));
                assert!(read <= 80 * text.len() as u64, "{head}{part}{tail}: {read} bytes read for {len}");
                steps
            });
            assert!(many <= 6 * few + LEN as u64, "{head}{part}{tail}: {few} steps, {many} for four times the bytes");
        }
    }
}

#[test]
fn a_game_that_is_too_long_is_watched_up_to_its_first_fault() {
    let moves = ";B[aa];W[bb]".repeat(8 * LEN);
    let fixer = Rewriter::with_rules(&Parser::new().max_game_len(LEN), Rules::new());
    let read = |game: &str| {
        let mut done = Rewritten::default();
        let read = count_read(|| done = fixer.rewrite(game.as_bytes(), io::sink()).unwrap());
        (read as f64 / game.len() as f64, done.left().next())
    };
    // The game is read to find its end, and once more by the checker; a stone on a stone has no repair.
    let (sound, left) = read(&format!("(;FF[4]{moves})"));
    assert!(sound <= 2.1 && left.is_none(), "{sound} {left:?}");
    let (broken, left) = read(&format!("(;FF[4]foo{moves})"));
    assert!(broken <= 1.1 && left == Some(("game-too-long", 1)), "{broken} {left:?}");
}

#[test]
fn trees_are_linear() {
    is_linear(STEPS_PER_BYTE, "tree", |bytes| {
        let Ok(games) = Collection::from_slice(bytes) else { return };
        for game in games {
            let nodes = game.nodes().filter(|node| node.properties().all(|p| p.values().count() > 0)).count();
            assert_eq!(nodes, game.len());
            assert_eq!(game.events().filter(|event| matches!(event, Event::Node)).count(), nodes);
            assert!(game.nodes().all(|node| node.number() < nodes && node.children().count() < nodes));
            assert!(game.leaves().count() <= nodes && game.main_line().count() <= nodes);
            assert!(game == game.clone() && !game.to_vec().unwrap().is_empty());
        }
    });
    is_linear(STEPS_PER_BYTE, "tree to FF[4]", |bytes| {
        let Ok(games) = Collection::from_slice(bytes) else { return };
        games.into_iter().for_each(|mut game| _ = game.convert_to_ff4().unwrap());
    });
    is_linear(STEPS_PER_BYTE, "tree, edited", |bytes| {
        use sgf_stream::tree::Place;

        let Ok(games) = Collection::from_slice(bytes) else { return };
        for mut game in games {
            let ids: Vec<_> = game.nodes().map(|node| node.id()).collect();
            // The cost of each is proportional to its node.
            for &id in ids.iter().filter(|_| ids.len() > 2) {
                game.add(Place::LastChildOf(id)).unwrap();
                game.set(id, "N", "a name").unwrap();
                game.set(id, "N", "another and longer name").unwrap();
                game.unset(id, "N").unwrap();
            }
            for &id in &ids[1..] {
                game.promote(id).unwrap();
            }
            for &id in ids[1..].iter().rev() {
                game.remove(id).unwrap();
            }
            game.renumber();
        }
    });
}

#[test]
fn walks_are_linear() {
    is_linear(STEPS_OF_BOARD, "walk of all nodes", |bytes| {
        _ = walk(&Parser::new(), bytes, |step| work::note(step.changes().count()));
    });
    is_linear(STEPS_OF_BOARD, "walk of main lines", |bytes| {
        let mut reader = Parser::new().slice(bytes);
        let mut line = Walk::line_visitor(|step| work::note(step.changes().count()));
        while let Ok(Some(())) = reader.read_game(&mut line) {}
    });
    is_linear(STEPS_OF_BOARD, "replay", |bytes| {
        let mut replay = Replay::new();
        _ = Parser::new().parse(bytes, |event, _| replay.event(event));
    });
    is_linear(STEPS_OF_BOARD, "fingerprint", |bytes| {
        let mut reader = Parser::new().slice(bytes);
        while let Ok(Some(print)) = reader.read_game(&mut Fingerprint::visitor()) {
            assert!(print.canonical() != [0; 16]);
        }
    });
    is_linear(STEPS_OF_BOARD, "canonical line", |bytes| {
        let Ok(games) = Collection::from_slice(bytes) else { return };
        for game in games {
            _ = CanonicalLine::of(|| game.events(), Game::Go, Orientation::from_bits(1), Color::Black);
        }
    });
}

#[test]
fn painting_is_linear() {
    is_linear(STEPS_OF_BOARD, "painter, last node of each game", |bytes| {
        let (mut painter, mut depth) = (Painter::new(), 0);
        _ = Parser::new().parse(bytes, |event, _| {
            if event == Event::StartTree {
                depth += 1;
            }
            painter.event(event);
            if event == Event::EndTree {
                depth -= 1;
                if depth == 0 {
                    draw(&painter);
                }
            }
        });
    });
    is_linear(STEPS_OF_BOARD, "painter, all nodes", |bytes| {
        let mut painter = Painter::new();
        _ = Parser::new().parse(bytes, |event, _| {
            if event == Event::Node {
                draw(&painter);
            }
            painter.event(event);
        });
    });
}

fn draw(painter: &Painter) {
    if let Ok(mut diagram) = painter.diagram() {
        painter.number_moves(&mut diagram, 100);
    }
}

#[test]
fn searching_is_linear() {
    let patterns =
        ["X/./././O", "(;SZ[19]AB[aa]VW[aa:bb])", "(;SZ[9]AB[cc]VW[aa:ee];W[cd];B[dd])", "(;SZ[19]VW[bb:dd];B[cc])"];
    for pattern in patterns {
        let search = Search::new(Pattern::parse(pattern).unwrap());
        // The layouts of the pattern are made once.
        search.find(&Parser::new(), b"(;)(;SZ[52])", |_| {}).unwrap();
        is_linear(STEPS_OF_BOARD, &format!("search of {pattern}"), |bytes| {
            _ = search.find(&Parser::new(), bytes, |_| {});
        });
        let search = search.variations(true).every_place(true);
        is_linear(STEPS_OF_BOARD, &format!("search of {pattern} in variations, at every place"), |bytes| {
            _ = search.matcher().read(&mut Parser::new().reader(bytes), |_| {});
        });
    }
}

#[test]
fn tables_are_linear() {
    for (name, table) in [("games", Table::Games), ("moves", Table::Moves), ("properties", Table::Properties)] {
        let builder = TableBuilder::new(&Parser::new(), table);
        is_linear(STEPS_OF_BOARD, &format!("table of {name}"), |bytes| {
            let mut rows = builder.rows(Parser::new().reader(bytes));
            while let Ok(true) = rows.next_game(|row| (0..row.len()).for_each(|column| _ = row.cell(column))) {}
        });
    }
}

#[cfg(feature = "serde")]
#[test]
fn serde_is_linear() {
    use std::collections::BTreeMap;

    use serde::Deserialize;
    use serde::de::IgnoredAny;

    #[derive(Deserialize)]
    struct Main {
        #[serde(rename = "$mainline", default)]
        nodes: Vec<BTreeMap<String, IgnoredAny>>,
    }
    fn read<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> Vec<T> {
        let slice = Parser::new().slice(bytes).games::<T>().count();
        let games: Vec<_> = Parser::new().reader(io::BufReader::with_capacity(64, bytes)).games::<T>().collect();
        assert!(slice <= games.len());
        games.into_iter().flatten().collect()
    }
    is_linear(STEPS_PER_BYTE, "header", |bytes| _ = read::<BTreeMap<String, IgnoredAny>>(bytes));
    is_linear(STEPS_PER_BYTE, "main line", |bytes| {
        assert!(read::<Main>(bytes).iter().all(|game| game.nodes.len() < bytes.len()))
    });
    is_linear(STEPS_PER_BYTE, "raw", |bytes| {
        for properties in read::<sgf_stream::de::Properties>(bytes) {
            _ = sgf_stream::to_vec(&properties);
        }
    });
}

/// Checks invalid bytes: each ends a call of the decoder, and each call clears its whole output space.
#[cfg(feature = "charset")]
#[test]
fn decoding_bad_bytes_is_linear() {
    use sgf_stream::charset::Charset;

    for label in ["UTF-8", "GBK", "Big5", "ISO-2022-JP"] {
        let charset = Charset::for_name(label.as_bytes()).unwrap();
        for len in [LEN, 8 * LEN] {
            let bytes = vec![0xFF; len];
            let steps = count(|| assert!(!charset.decode(&bytes).is_sound()));
            assert!(steps <= 4096 * len as u64, "{label}: {steps} steps for {len} bytes");
        }
    }
}
