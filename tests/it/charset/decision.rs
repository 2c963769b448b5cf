//! One decision per game: every consumer of a game reads its texts in the same charset.

use quickcheck::{Arbitrary, Gen};
use serde::Deserialize;
use sgf_check::{Checker, Rewriter, Rules};
use sgf_stream::charset::{Charset, Decoding, GameCharset, GameTexts, TreeDecoder};
use sgf_stream::tree::TreeBuilder;
use sgf_stream::{Event, Parser, RawValue};
use sgf_table::{Table, TableBuilder};

use crate::support::{EachEvent, holds};

/// Charsets, and texts in them: short ones are ambiguous.
const TEXTS: [(&str, &str); 6] = [
    ("GBK", "围棋是一种抽象的策略棋类游戏，双方在棋盘上落子。陈李王中盘胜第三手"),
    ("Shift_JIS", "囲碁は古代のゲームであり、中国で起こった。本因坊中押し勝ち黒番"),
    ("EUC-KR", "바둑은두사람이흑돌과백돌을번갈아놓는놀이이다이창호흑승"),
    ("Big5", "圍棋是一種古老的遊戲黑中盤勝林海峰第一局"),
    ("UTF-8", "囲碁은 é 陈 Ж ü ß"),
    ("windows-1252", "Schöner Zug, aber zu spät für Weiß é à ç ÜÖ"),
];

/// A game whose nodes have texts.
#[derive(Clone, Debug)]
struct Game {
    bytes: Vec<u8>,
    /// Whether `CA` is correct, or missing.
    is_true: bool,
}

fn text(g: &mut Gen, (charset, all): (&str, &str)) -> Vec<u8> {
    let all: Vec<char> = all.chars().collect();
    let longest = *g.choose(&[1, 2, 4, 20, 60]).unwrap();
    let len = 1 + usize::arbitrary(g) % longest;
    let at = usize::arbitrary(g) % all.len();
    let text: String = all.iter().cycle().skip(at).take(len).collect();
    let encoded = Charset::for_name(charset.as_bytes()).unwrap().encoding().unwrap().encode(&text).0.into_owned();
    // What looks like a bracket is another law's matter: a game without CA ends there.
    let has_syntax = encoded.iter().any(|byte| matches!(byte, b'[' | b']' | b'\\' | b'(' | b')' | b';'));
    if has_syntax { b"x".to_vec() } else { encoded }
}

impl Arbitrary for Game {
    fn arbitrary(g: &mut Gen) -> Self {
        let of_game = *g.choose(&TEXTS).unwrap();
        let is_mixed = u8::arbitrary(g) % 5 == 0;
        let (ascii_root, mut is_true) = (bool::arbitrary(g), true);
        let mut bytes = b"(;".to_vec();
        if bool::arbitrary(g) {
            let label = if u8::arbitrary(g) % 4 == 0 { g.choose(&TEXTS).unwrap().0 } else { of_game.0 };
            is_true = label == of_game.0;
            bytes.extend([b"CA[", label.as_bytes(), b"]"].concat());
        }
        let put = |bytes: &mut Vec<u8>, name: &str, g: &mut Gen, is_ascii: bool| {
            let from = if is_mixed { *g.choose(&TEXTS).unwrap() } else { of_game };
            let value = if is_ascii { b"Lee ~ Gu".to_vec() } else { text(g, from) };
            bytes.extend([name.as_bytes(), b"[", &value, b"]"].concat());
        };
        put(&mut bytes, "PB", g, ascii_root);
        let is_ascii = ascii_root || bool::arbitrary(g);
        put(&mut bytes, "PW", g, is_ascii);
        for _ in 0..usize::arbitrary(g) % 5 {
            bytes.extend(b";B[aa]".repeat(usize::arbitrary(g) % 90));
            bytes.extend(b";B[aa]");
            let is_ascii = u8::arbitrary(g) % 4 == 0;
            put(&mut bytes, "C", g, is_ascii);
        }
        // The checker has something to say at the end.
        bytes.extend(b";KM[x]");
        if bool::arbitrary(g) {
            bytes.extend(b"(;W[bb]C[x])(;W[cc]");
            put(&mut bytes, "C", g, false);
            bytes.extend(b";KM[x])");
        }
        bytes.extend(b")");
        Game { bytes, is_true: is_true && !is_mixed }
    }
}

#[derive(Deserialize)]
struct Read {
    #[serde(rename = "PB")]
    black: String,
    #[serde(rename = "$mainline")]
    nodes: Vec<ReadNode>,
}

#[derive(Deserialize)]
struct ReadNode {
    #[serde(rename = "C")]
    comment: Option<String>,
}

/// The decision, and whether the texts of the main line were enough for it.
fn decided(parser: &Parser, game: &[u8]) -> (GameCharset, bool) {
    let (mut texts, mut decoded_first) = (GameTexts::new(), None);
    let decide = |texts: &GameTexts| Decoding::new().game_charset(None, texts).unwrap();
    parser
        .each_event(game, |event, _| {
            texts.observe(event);
            if event == Event::EndTree && decoded_first.is_none() {
                decoded_first = Some(decide(&texts).tree());
            }
        })
        .unwrap();
    let all = decide(&texts);
    (all, decoded_first == Some(all.tree()))
}

/// The cells of a column.
fn column(parser: &Parser, table: Table, name: &str, game: &[u8]) -> Vec<String> {
    let table = TableBuilder::new(parser, table).columns([name]).unwrap();
    let (mut rows, mut cells) = (table.rows(parser.reader(game)), Vec::new());
    while rows.next_game(|row| cells.extend((!row.cell(0).is_null()).then(|| row.cell(0).to_string()))).unwrap() {}
    cells
}

#[test]
fn every_consumer_reads_the_texts_of_a_game_in_the_same_charset() {
    fn law(Game { bytes, is_true }: Game) {
        let shown = bytes.escape_ascii();
        // The charset of the first game also decides where values end, which is not this law's matter.
        let parser = Parser::new().charset(Decoding::new().sniff(false));
        let (game, is_line_enough) = decided(&parser, &bytes);
        let (mut texts, mut comments, mut line, mut name, mut in_line) = (vec![], vec![], vec![], "".to_owned(), true);
        let mut decoder = TreeDecoder::new(Decoding::new());
        parser
            .each_event(&bytes, |event, at| {
                decoder.observe(event, at);
                match event {
                    Event::Property(ident) => name = ident.name().into_owned(),
                    Event::Value(value) => {
                        let text = match name.as_str() {
                            "C" => game.tree().text(value),
                            _ => game.tree().simple_text(value),
                        };
                        texts.push(text.text().to_owned());
                        if name == "C" {
                            comments.push(text.text().to_owned());
                            line.extend(in_line.then(|| text.text().to_owned()));
                        }
                    }
                    Event::EndTree => in_line = false,
                    _ => {}
                }
            })
            .unwrap();
        let black = bytes.windows(3).position(|at| at == b"PB[").map(|at| at + 3).unwrap();
        let end = black + bytes[black..].iter().position(|&byte| byte == b']').unwrap();
        let black = game.tree().simple_text(RawValue::new(&bytes[black..end])).text().to_owned();

        assert_eq!(column(&parser, Table::Games, "charset", &bytes), [game.charset().name()], "{shown}");
        assert_eq!(column(&parser, Table::Games, "black", &bytes), [&*black], "{shown}");
        assert_eq!(column(&parser, Table::Moves, "comment", &bytes), line, "{shown}");
        assert_eq!(column(&parser, Table::Properties, "value", &bytes), texts, "{shown}");

        let mut builder = TreeBuilder::new().charset(Decoding::new());
        let tree = parser.slice(&bytes).read_game(&mut builder).unwrap().unwrap().unwrap();
        assert_eq!(tree.charset(), Some(game.tree()), "{shown}");
        assert!(tree.nodes().filter_map(|node| node.text("C")).eq(comments.iter().map(|text| &**text)), "{shown}");

        // These trust CA, since they cannot know the whole game.
        if !game.replaces_ca() {
            assert_eq!(decoder.tree_charset(), Ok(game.tree()), "{shown}");
            let mut charset = None;
            let mut checker = Checker::with_parser(&parser, Rules::default(), |found| charset = Some(found.charset()));
            checker.check(&bytes[..]).unwrap();
            drop(checker);
            assert!(charset.is_none_or(|found| found == Some(game.tree())), "{charset:?} {shown}");
        }
        if !game.replaces_ca() && is_line_enough {
            let read: Read = parser.slice(&bytes).games().next().unwrap().unwrap();
            assert_eq!(read.black, black, "{shown}");
            let read = read.nodes.into_iter().filter_map(|node| node.comment);
            assert_eq!(read.collect::<Vec<_>>(), line, "{shown}");
        }
        let (written, _) = Rewriter::new(&parser).guess_charset(true).canonical().rewrite_slice(&bytes);
        if is_true && written.starts_with(b"(;FF[4]CA[UTF-8]") {
            let read = column(&Parser::new(), Table::Moves, "comment", &written);
            assert_eq!(read, line, "{shown}");
        }
    }
    holds(3_000, law as fn(Game));
}
