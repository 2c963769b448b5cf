use super::*;
use crate::Rewriter;

const NONE: Conversion = Conversion { is_lossy: false, guesses_charset: false, is_marked: false };

/// Returns a game in canonical form, as a text, and its remarks.
#[track_caller]
fn convert(conversion: &Conversion, parser: &Parser, game: &[u8]) -> (String, Vec<(&'static str, Option<usize>)>) {
    let Converted { bytes, remarks } = conversion.convert(parser, game).unwrap();
    (bytes.escape_ascii().to_string(), remarks.iter().map(|remark| (remark.code(), remark.at)).collect())
}

const LOSSY: Conversion = Conversion { is_lossy: true, ..NONE };

/// Returns the code of the reason, whether it is an error, and what is said about it.
fn refusal(conversion: &Conversion, parser: &Parser, game: &[u8]) -> (&'static str, bool, Option<usize>, String) {
    let remark = conversion.convert(parser, game).unwrap_err();
    assert_eq!(remark.kind(), NoteKind::Left);
    (remark.code(), remark.is_error(), remark.at, remark.message())
}

#[test]
fn only_the_style_changes_where_texts_are_bytes() {
    let game = b"(;PB[\xCE\xA7]CA[GBK]C[\\a\xE9 ])";
    let (bytes, remarks) = convert(&NONE, &Parser::new(), game);
    assert_eq!((&*bytes, remarks.len()), ("(;FF[4]CA[GBK]PB[\\xce\\xa7]C[a\\xe9 ])", 0));
}

#[test]
fn what_would_be_lost_is_told() {
    let long = "(;FF[four]QqQ[x]P0[x]P1[x])";
    for (game, code, at, message, lossy) in [
        (
            long,
            "digit-in-ident",
            16,
            "FF[4] does not allow digits in identifiers [digit-in-ident], and 1 more",
            "(;FF[4]QQ[x])",
        ),
        (
            "(;FF[four]QqQ[x])",
            "unknown-ident",
            10,
            "unknown identifier `QqQ`: its lower-case letters may be significant, so it is not shortened to `QQ`",
            "(;FF[4]QQ[x])",
        ),
        (
            "(;FF[four]C[x])",
            "version",
            4,
            "the value of FF is not a number; it would be replaced with 4",
            "(;FF[4]C[x])",
        ),
    ] {
        let said = refusal(&NONE, &Parser::new(), game.as_bytes());
        assert_eq!(said, (code, false, Some(at), message.to_owned()));
        let (bytes, remarks) = convert(&LOSSY, &Parser::new(), game.as_bytes());
        assert_eq!(bytes, lossy);
        assert_eq!(remarks, if game == long { vec![("digit-in-ident", Some(16))] } else { vec![] });
    }
    let parser = Parser::new();
    for (game, remarks) in [
        (&b"(;AP[GNU Go:3.8]KM[0]AP[foxwq])"[..], vec![("second-application", Some(23))]),
        (b"(;AP[a:1][b][c])", vec![("second-application", Some(9))]),
        (b"(;AP[a]AP[a:])", vec![]),
        (b"(;AP[a];AP[b])", vec![]),
    ] {
        assert_eq!(convert(&NONE, &parser, game).1, remarks);
    }
    assert_eq!(convert(&NONE, &parser, b"(;FF[ 3.\x0B]CoPyright[x])").0, "(;FF[4]CP[x])");
    for conversion in [NONE, LOSSY] {
        let long = format!("(;C[{}])", "x".repeat(1000));
        let (code, is_error, ..) = refusal(&conversion, &Parser::new().max_node_len(500), long.as_bytes());
        assert_eq!((code, is_error), ("not-written", true));
        let (code, is_error, _, said) = refusal(&conversion, &Parser::new(), b"(;C[x] y B[aa])");
        assert_eq!((code, is_error), ("junk-in-tree", true), "{said}");
    }
}

mod charsets {
    use sgf_stream::internal::apply;
    use std::collections::HashSet;

    use quickcheck::{Arbitrary, Gen, TestResult, holds, holds_of, inputs};

    use super::*;
    use crate::Rules;
    use sgf_stream::charset::Decoding;
    use sgf_stream::internal::{Follows, find_head};

    /// Returns a parser that takes over what the start of the stream tells.
    fn parser_of(stream: &[u8]) -> Parser {
        let mut parser = Parser::new().charset(Decoding::new());
        parser.set_given(parser.detect(stream, true).expect("the whole stream is enough"));
        parser
    }

    const GUESSING: Conversion = Conversion { guesses_charset: true, ..NONE };

    const GBK: &[u8] = b"\xCE\xA7\xC6\xE5\xCA\xC7\xD2\xBB\xD6\xD6\xB2\xDF\xC2\xD4\xC6\xE5";

    #[test]
    fn texts_become_utf8() {
        let name = "(;FF[4]CA[UTF-8]PB[\u{5433}\u{6E05}\u{6E90}])".as_bytes().escape_ascii().to_string();
        for (game, output) in [
            (&b"(;CA[Big5]PB[\xA7\x64\xB2\x4D\xB7\xBD])"[..], &*name),
            (b"(;PB[\xA7\x64\xB2\x4D\xB7\xBD]CA[Big5])", &name),
            ("(;CA[GB2312]PB[\u{5433}\u{6E05}\u{6E90}])".as_bytes(), &name),
            ("(;CA[foo]PB[\u{5433}\u{6E05}\u{6E90}])".as_bytes(), &name),
            ("(;PB[\u{5433}\u{6E05}\u{6E90}])".as_bytes(), &name),
            (b"(;CA[utf8]PB[a])", "(;FF[4]CA[UTF-8]PB[a])"),
            (b"(;PB[a])", "(;FF[4]PB[a])"),
            (b"(;CA[Shift_JIS]C[\x83\\\\]])", "(;FF[4]CA[UTF-8]C[\\xe3\\x82\\xbd\\\\]])"),
            (b"(;CA[latin1]C[\xE9])", "(;FF[4]CA[UTF-8]C[\\xc3\\xa9])"),
            // Only the first CA counts, and another would not be true.
            (b"(;CA[UTF-8]CA[UTF-8]C[x])", "(;FF[4]CA[UTF-8]C[x])"),
            (b"(;CA[UTF-8]CA[UTF-8]C[\xC3\xA9];C[x])", "(;FF[4]CA[UTF-8]C[\\xc3\\xa9]\\n;C[x])"),
            (b"(;CA[UTF-8][Shift_JIS]C[x])", "(;FF[4]CA[UTF-8]C[x])"),
            (b"(;CA[latin1][UTF-8]C[\xE9]CA[GBK])", "(;FF[4]CA[UTF-8]C[\\xc3\\xa9])"),
            // Elsewhere than in the root CA is a property like others. Words that name no charset are content.
            (b"(;FF[4]CA[UTF-8];B[aa]CA[x];W[bb]CA[y])", "(;FF[4]CA[UTF-8]\\n;B[aa]CA[x];W[bb]CA[y])"),
            (b"(;FF[4]CA[UTF-8];B[aa][bb])", "(;FF[4]CA[UTF-8]\\n;B[aa][bb])"),
            (b"(;FF[4]CA[UTF-8];C[aa]CA[x])", "(;FF[4]CA[UTF-8]\\n;C[aa]CA[x])"),
            (b"(;FF[4]CA[UTF-8][hello world]C[a])", "(;FF[4]CA[UTF-8][hello world]C[a])"),
            (b"(;FF[4]CA[UTF-8]CA[hello][GBK])", "(;FF[4]CA[UTF-8][hello])"),
            // What is said twice is written once.
            (b"(;SZ[19]SZ[ 19 ]C[x]C[x\\\n])", "(;FF[4]SZ[19]C[x])"),
            (b"(;C[a]C[b][a];B[dd]B[dd])", "(;FF[4]C[a\\n\\nb]\\n;B[dd])"),
            (b"(;SZ[19]SZ[13])", "(;FF[4]SZ[19][13])"),
            (b"(;CA[][note: GBK][GBK]C[\xC3\xA9])", "(;FF[4]CA[UTF-8][note: GBK]C[\\xc3\\xa9])"),
            (b"(;CA[UTF-8];B[aa]CA[some text])", "(;FF[4]CA[UTF-8]\\n;B[aa]CA[some text])"),
            (b"(;FF[3]CA[EUC-KR]C[caf\xC3\\\xA9])", "(;FF[4]CA[UTF-8]C[caf\\xc3\\xa9])"),
        ] {
            assert_eq!(convert(&NONE, &parser_of(game), game), (output.to_owned(), vec![]));
        }
    }

    #[test]
    fn texts_that_cannot_be_decoded_stay() {
        for (game, output, code, at, message) in [
            (
                &b"(;CA[UTF-8]PB[\xE9]C[\xC3\xA9\xE9])"[..],
                "(;FF[4]CA[UTF-8]PB[\\xe9]C[\\xc3\\xa9\\xe9])",
                "bad-bytes",
                Some(13),
                "2 texts have bytes that are invalid in UTF-8; the texts are left unchanged",
            ),
            (
                b"(;CA[UTF-8]PB[\xE9\\a])",
                "(;FF[4]CA[UTF-8]PB[\\xe9a])",
                "bad-bytes",
                None,
                "1 text has bytes that are invalid in UTF-8; the texts are left unchanged",
            ),
            (
                b"(;CA[foo]PB[\xE9])",
                "(;FF[4]CA[foo]PB[\\xe9])",
                "unknown",
                None,
                "unknown charset name \"foo\"; its texts are left unchanged",
            ),
        ] {
            for conversion in [NONE, LOSSY] {
                assert_eq!(convert(&conversion, &parser_of(game), game), (output.to_owned(), vec![(code, at)]));
                let remark = &conversion.convert(&parser_of(game), game).unwrap().remarks[0];
                assert_eq!((&*remark.message(), remark.kind(), remark.is_error()), (message, NoteKind::Left, false));
            }
        }
        // What goes does not decide.
        for game in [&b"(;FF[\xFF]PB[\xC3\xA9])"[..], b"(;P0[\xFF]PB[\xC3\xA9])"] {
            assert_eq!(convert(&LOSSY, &parser_of(game), game).0, "(;FF[4]CA[UTF-8]PB[\\xc3\\xa9])");
        }
    }

    #[test]
    fn a_guess_is_made_if_that_is_wanted() {
        for (front, ca) in
            [("(;C[", ""), ("(;CA[]C[", "CA[]"), ("(;CA[foo]C[", "CA[foo]"), ("(;CA[UTF-8]C[", "CA[UTF-8]")]
        {
            let game = [front.as_bytes(), GBK, b"])"].concat();
            let parser = parser_of(&game);
            let (kept, _) = convert(&NONE, &parser, &game);
            assert_eq!(kept, format!("(;FF[4]{ca}C[{}])", GBK.escape_ascii()));
            let (bytes, remarks) = convert(&GUESSING, &parser, &game);
            let text = Charset::GBK.decode(GBK).into_text();
            assert_eq!(bytes, format!("(;FF[4]CA[UTF-8]C[{}])", text.as_bytes().escape_ascii()));
            assert_eq!(remarks, [("GBK", None)]);
            // The checker names the same.
            let fixer =
                Rewriter::with_rules(&Parser::new().charset(Decoding::new()), Rules::none()).guess_charset(true);
            let facts = CharsetFacts::of(&parser, &game, &|_, _| true);
            let labelled = facts.labelled(&parser, facts.likely(&parser).unwrap().charset).unwrap();
            assert_eq!(fixer.rewrite_slice(&game).0, labelled);
        }
    }

    /// It is split by the charset that was detected in the stream.
    #[test]
    fn an_unknown_charset_does_not_grow() {
        let parser = Parser::new().charset(Decoding::new().default_charset(Charset::GBK));
        let game = b"(;CA[\x95\\]C[x])";
        assert_eq!(convert(&NONE, &parser, game).0, "(;FF[4]CA[\\x95\\\\]C[x])");
    }

    /// A damaged text in UTF-8 looks like GBK. It is not, where another text is in UTF-8.
    #[test]
    fn a_text_in_utf8_speaks_against_a_guess() {
        let damaged = b"\xE4\xB8\x80\xE7\x94\x9F\xE5?\x9A\xE6 ";
        let game = [b"(;PB[", &damaged[..], b"]BR[", "9\u{6BB5} x".as_bytes(), b"])"].concat();
        let output = format!("(;FF[4]PB[{}]BR[9\\xe6\\xae\\xb5 x])", damaged.escape_ascii());
        let parser = parser_of(&game);
        assert_eq!(convert(&GUESSING, &parser, &game), (output, vec![]));
        assert_eq!(GUESSING.relabel(&parser, &game), None);
        // By itself it does.
        let game = [b"(;PB[", &damaged[..], b"])"].concat();
        assert_eq!(convert(&GUESSING, &parser_of(&game), &game).1, [("GBK", None)]);
    }

    /// What told the charset is not written, and `CA` has to say it.
    #[test]
    fn a_game_says_utf8_in_place_of_the_mark() {
        let marked = Conversion { is_marked: true, ..NONE };
        for (game, output) in [
            (&b"(;FF[4]PB[\xE6\x98\x9F]C[caf\xE9])"[..], "(;FF[4]CA[UTF-8]PB[\\xe6\\x98\\x9f]C[caf\\xe9])"),
            (b"(;CA[GBK]PB[\xE6\x98\x9F]C[caf\xE9 ])", "(;FF[4]CA[UTF-8]PB[\\xe6\\x98\\x9f]C[caf\\xe9 ])"),
            (b"(;CA[GBK]PB[\xE6\x98\x9F])", "(;FF[4]CA[UTF-8]PB[\\xe6\\x98\\x9f])"),
            (b"(;PB[a])", "(;FF[4]PB[a])"),
        ] {
            assert_eq!(convert(&marked, &parser_of(b"(;"), game).0, output);
        }
        for (game, output) in [
            (&b"(;CA[UTF-16]PB[\xC3\xA9] x )"[..], Some("(;CA[UTF-8]PB[\\xc3\\xa9] x )")),
            (b"(;PB[\xC3\xA9] x )", Some("(;CA[UTF-8]PB[\\xc3\\xa9] x )")),
            (b"(PB[\xC3\xA9] x )", Some("(CA[UTF-8]PB[\\xc3\\xa9] x )")),
            (b"(;\xC3\xA9]B[aa])", Some("(;CA[UTF-8]\\n\\xc3\\xa9]B[aa])")),
            (b"(;CA[GBK]PB[e] x )", Some("(;CA[UTF-8]PB[e] x )")),
            (b"(;CA[UTF-8]PB[\xC3\xA9] x )", None),
            (b"(;PB[e] x )", None),
        ] {
            let relabelled =
                marked.relabel(&parser_of(b"(;"), game).map(|(edit, name)| (apply(game, std::iter::once(&edit)), name));
            let relabelled = relabelled.map(|(bytes, name)| (bytes.escape_ascii().to_string(), name));
            assert_eq!(relabelled, output.map(|output| (output.to_owned(), "UTF-8")));
            assert_eq!(NONE.relabel(&parser_of(b"(;"), game), None);
        }
        let game = [b"(;C[", GBK, b"]P0[x])"].concat();
        let (edit, name) = GUESSING.relabel(&parser_of(&game), &game).unwrap();
        let bytes = apply(&game, std::iter::once(&edit));
        assert_eq!((bytes, name), ([b"(;CA[GBK]C[", GBK, b"]P0[x])"].concat(), "GBK"));
    }

    /// A game, and the texts in it.
    #[derive(Clone, Debug)]
    struct Texts {
        charset: Charset,
        /// What CA says; `None` where there is none.
        label: Option<&'static str>,
        /// The nodes: identifiers, each once, and texts.
        nodes: Vec<Vec<(&'static str, String)>>,
    }

    const CHARSETS: [Charset; 6] =
        [Charset::UTF_8, Charset::GBK, Charset::SHIFT_JIS, Charset::BIG5, Charset::EUC_KR, Charset::WINDOWS_1252];

    const TEXTS: [&str; 14] = [
        "a",
        "",
        "x]y\\",
        "5:3",
        "\u{5433}\u{6E05}\u{6E90}",
        "\u{30BD}\u{8868}\u{80FD}",
        "\u{30BD}\\",
        "\u{30BD}]",
        "\u{56E0}\u{529F}",
        "caf\u{E9}",
        "\u{D751} 5\u{C9D1}\u{BC18} \u{C2B9}",
        "\u{56F2}\u{68CB}\u{306F}\u{697D}\u{3057}\u{3044}\u{5BFE}\u{5C40}\u{3067}\u{3059}",
        "\u{56F4}\u{68CB}\u{662F}\u{4E00}\u{79CD}\u{7B56}\u{7565}\u{68CB}",
        "see (;GM[1",
    ];

    const IDENTS: [&str; 7] = ["C", "GC", "N", "PB", "EV", "QQ", "XY"];

    impl Arbitrary for Texts {
        fn arbitrary(random: &mut Gen) -> Self {
            let charset = *random.choose(&CHARSETS).unwrap();
            let label = match u8::arbitrary(random) % 8 {
                0 | 1 => None,
                2 => Some(""),
                3 => random.choose(&["foo", "UTF-8", "GBK", "latin1"]).copied(),
                _ => Some(charset.name()),
            };
            let node = |random: &mut Gen| {
                let mut known = HashSet::new();
                let count = u8::arbitrary(random) % 5;
                let idents = (0..count).map(|_| *random.choose(&IDENTS).unwrap()).filter(|ident| known.insert(*ident));
                let idents: Vec<_> = idents.collect();
                idents
                    .into_iter()
                    .map(|ident| {
                        let texts: String =
                            (0..1 + u8::arbitrary(random) % 2).map(|_| *random.choose(&TEXTS).unwrap()).collect();
                        (ident, if encode(charset, &texts).is_some() { texts } else { "x".to_owned() })
                    })
                    .collect()
            };
            let nodes = (0..1 + u8::arbitrary(random) % 3).map(|_| node(random)).collect();
            Texts { charset, label, nodes }
        }

        fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
            let game = self.clone();
            let places = (0..game.nodes.len()).flat_map(|n| (0..game.nodes[n].len()).map(move |at| (n, at)));
            Box::new(places.collect::<Vec<_>>().into_iter().map(move |(n, at)| {
                let mut less = game.clone();
                less.nodes[n].remove(at);
                less
            }))
        }
    }

    fn encode(charset: Charset, text: &str) -> Option<Vec<u8>> {
        let (bytes, _, is_lossy) = charset.encoding().unwrap().encode(text);
        (!is_lossy).then(|| bytes.into_owned())
    }

    impl Texts {
        fn bytes(&self) -> Vec<u8> {
            let mut game = b"(".to_vec();
            for (n, node) in self.nodes.iter().enumerate() {
                game.push(b';');
                if let Some(label) = self.label.filter(|_| n == 0) {
                    game.extend(format!("CA[{label}]").into_bytes());
                }
                for (ident, text) in node {
                    let raw = text.replace('\\', "\\\\").replace(']', "\\]");
                    game.extend_from_slice(ident.as_bytes());
                    game.push(b'[');
                    game.extend(encode(self.charset, &raw).unwrap());
                    game.push(b']');
                }
            }
            game.push(b')');
            game
        }

        /// Returns the texts, in the order of their nodes and names.
        fn sorted(&self) -> Vec<(usize, String, String)> {
            let node = |(n, node): (usize, &Vec<(&str, String)>)| {
                node.iter().map(|(ident, text)| (n, (*ident).to_owned(), text.clone())).collect::<Vec<_>>()
            };
            let mut texts: Vec<_> = self.nodes.iter().enumerate().flat_map(node).collect();
            texts.sort();
            texts
        }
    }

    /// Returns the texts of a game, except for FF and CA, in the order of their nodes and names; and the number of
    /// nodes.
    fn texts_of(parser: &Parser, charset: Charset, game: &[u8]) -> (usize, Vec<(usize, String, String)>) {
        let (mut nodes, mut name, mut texts) = (0, String::new(), Vec::new());
        for event in parser.slice(game) {
            match event.unwrap() {
                Event::Node => nodes += 1,
                Event::Property(ident) => name = ident.name().into_owned(),
                Event::Value(value) if !matches!(&*name, "FF" | "CA") => {
                    texts.push((nodes - 1, name.clone(), charset.simple_text(value).into_text().into_owned()));
                }
                _ => {}
            }
        }
        texts.sort();
        (nodes, texts)
    }

    /// Returns whether a lenient reader finds one game in the bytes, which has no fault but for the spelling of its
    /// identifiers.
    fn is_sound(parser: &Parser, game: &[u8]) -> bool {
        struct Sound(bool, usize);
        impl EventSink for Sound {
            fn event(&mut self, event: Event<'_>, _: u64) -> Flow {
                self.1 += usize::from(event == Event::StartTree);
                Flow::Continue
            }
            fn diagnostic(&mut self, fault: Diagnostic) {
                self.0 &= matches!(fault.code, Code::DigitInIdent | Code::LowercaseInIdent);
            }
        }
        let mut sound = Sound(true, 0);
        parser.parse_into(game, &mut sound).is_ok() && sound.0 && sound.1 == 1
    }

    fn is_head(game: &[u8]) -> bool {
        find_head(game, 0, Follows::End) == Ok(Some(0))
    }

    #[test]
    fn the_texts_stay_the_same() {
        fn law(texts: Texts, guesses_charset: bool) -> TestResult {
            let game = texts.bytes();
            let parser = parser_of(&game);
            if !is_sound(&parser, &game) || texts_of(&parser, texts.charset, &game).1 != texts.sorted() {
                return TestResult::discard(); // another charset splits the values
            }
            let Converted { bytes, remarks } = Conversion { guesses_charset, ..NONE }.convert(&parser, &game).unwrap();
            let shown = bytes.escape_ascii();
            // A false CA is believed if the texts fit it, and so is UTF-8 by chance; a guess may be wrong.
            let is_true = texts.label == Some(texts.charset.name()) || texts.charset == Charset::UTF_8;
            let is_utf8 = |text: &String| {
                let raw = encode(texts.charset, text).unwrap();
                !raw.is_ascii() && str::from_utf8(&raw).is_ok()
            };
            let is_believed = texts.label.is_some_and(|label| !label.is_empty() && label != texts.charset.name())
                || texts.charset != Charset::UTF_8 && texts.nodes.iter().flatten().any(|(_, text)| is_utf8(text));
            let guess = remarks.iter().find(|remark| remark.kind() == NoteKind::Repaired);
            if is_believed || guess.is_some_and(|guess| guess.about != About::Guess(texts.charset)) {
                return TestResult::discard();
            }
            let is_utf8 = bytes.windows(9).any(|bytes| bytes == b"CA[UTF-8]");
            let charset = if is_utf8 { Charset::UTF_8 } else { texts.charset };
            assert_eq!(texts_of(&parser, charset, &bytes), (texts.nodes.len(), texts.sorted()), "{shown}");
            assert!(is_head(&bytes) && is_sound(&parser, &bytes), "{shown}");
            assert!(!is_true || is_utf8 || game.is_ascii(), "{shown}");
            TestResult::passed()
        }
        holds(3000, law as fn(Texts, bool) -> TestResult);
    }

    /// Any game: damaged texts, escapes in characters, values with other forms.
    #[derive(Clone, Debug)]
    struct AnyGame(Vec<u8>);

    impl Arbitrary for AnyGame {
        fn arbitrary(random: &mut Gen) -> Self {
            const IDENTS: [&str; 22] = [
                "FF", "GM", "CA", "SZ", "KM", "DT", "RE", "RD", "BR", "RU", "AP", "TM", "C", "N", "GC", "PB", "LB",
                "QQ", "B", "P0", "Qq", "GaMe",
            ];
            const VALUES: [&str; 26] = [
                "27.12.1996",
                "2005\u{5E74}3\u{6708}12\u{65E5}",
                "207\u{C218} \u{D751}\u{BD88}\u{ACC4}\u{C2B9}",
                "x]y",
                "\u{D751} 5\u{C9D1}\u{BC18} \u{C2B9}",
                "9\u{B2E8}",
                "b+r",
                "japanese",
                "aa:caf\u{E9}",
                "\u{5433}\u{6E05}\u{6E90}",
                "\u{30BD}\u{8868}",
                "6,5",
                "1h",
                "aa",
                "4",
                "1",
                "19",
                "GBK",
                "UTF-8",
                "EUC-KR",
                "Shift_JIS",
                "Big5",
                "latin1",
                "klingon",
                "",
                "a\r\nb",
            ];
            let charset = *random.choose(&CHARSETS).unwrap();
            let is_escaped = u8::arbitrary(random).is_multiple_of(2);
            let mut game = b"(".to_vec();
            for n in 0..1 + u8::arbitrary(random) % 3 {
                game.push(b';');
                if n == 0 && u8::arbitrary(random) % 2 == 0 {
                    game.extend(format!("CA[{}]", charset.name()).into_bytes());
                }
                for _ in 0..u8::arbitrary(random) % 5 {
                    game.extend_from_slice(random.choose(&IDENTS).unwrap().as_bytes());
                    for _ in 0..1 + u8::arbitrary(random) % 5 / 4 {
                        game.push(b'[');
                        let (value, ..) = charset.encoding().unwrap().encode(random.choose(&VALUES).unwrap());
                        for &byte in value.iter() {
                            if is_escaped && u8::arbitrary(random).is_multiple_of(8) {
                                let more = [&b"\\"[..], b"\\\n", b"\x83", b"\\:", b"\xC3"];
                                game.extend_from_slice(random.choose(&more).unwrap());
                            }
                            game.push(byte);
                        }
                        game.push(b']');
                    }
                }
            }
            game.push(b')');
            AnyGame(game)
        }

        /// Without a part.
        fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
            let game = self.0.clone();
            let len = game.len();
            let parts = [32, 16, 8, 4, 2, 1].into_iter().flat_map(move |step| (0..len).map(move |at| at..at + step));
            Box::new(
                parts
                    .filter(move |part| part.end <= len)
                    .map(move |part| AnyGame([&game[..part.start], &game[part.end..]].concat())),
            )
        }
    }

    #[test]
    fn a_game_in_canonical_form_stays_as_it_is() {
        fn law(AnyGame(game): AnyGame, is_lossy: bool, guesses: bool, has_mark: bool, other: AnyGame) -> TestResult {
            // The stream may have another first game.
            let parser = parser_of(if is_lossy { &game } else { &other.0 });
            // A second run does not know of the mark, and would guess.
            let guesses_charset = guesses && !has_mark;
            let conversion = Conversion { is_lossy, guesses_charset, is_marked: has_mark };
            if !is_sound(&conversion.parser_of_game(&parser), &game) {
                return TestResult::discard();
            }
            let Ok(once) = conversion.convert(&parser, &game) else { return TestResult::discard() };
            // A value in UTF-8 speaks against a guess, and may have a canonical form in ASCII: `9\u{6BB5}` is `9d`.
            let is_utf8 = |raw: &[u8]| !raw.is_ascii() && str::from_utf8(raw).is_ok();
            let speaks = |event| matches!(event, Ok(Event::Value(value)) if is_utf8(value.as_bytes()));
            let is_converted =
                str::from_utf8(&once.bytes).is_ok() && once.bytes.windows(9).any(|part| part == b"CA[UTF-8]");
            if guesses_charset && !is_converted && parser.slice(&game).any(speaks) {
                return TestResult::discard();
            }
            let shown = once.bytes.escape_ascii();
            let again = Conversion { guesses_charset, ..NONE }.convert(&parser, &once.bytes);
            let again = again.unwrap_or_else(|remark| panic!("{shown}: {remark:?}"));
            assert_eq!(again.bytes.escape_ascii().to_string(), shown.to_string());
            assert!(again.remarks.iter().all(|remark| remark.kind() == NoteKind::Left), "{shown}: {again:?}");
            assert!(is_head(&once.bytes) && is_sound(&parser, &once.bytes), "{shown}");
            TestResult::passed()
        }
        holds(6000, law as fn(AnyGame, bool, bool, bool, AnyGame) -> TestResult);
    }

    /// Several games, with junk among them, as all of the library rewrites them.
    #[test]
    fn an_archive_that_was_rewritten_stays_as_it_is() {
        const JUNK: [&[u8]; 14] =
            [b"\n", b"", b"\n\n", b" x ", b"bye\n", b"P0[x]", b"w[x]", b"[x]", b"Q", b")", b"(", b"]", b"C[cut", b"\\"];
        fn law(games: Vec<(AnyGame, u8, u8)>, is_exact: bool, is_lossy: bool) {
            let mut input = Vec::new();
            for (AnyGame(mut game), at, junk) in games {
                // One in three is faulty: something is in it or behind it, or its end is missing.
                let (junk, is_faulty) = (JUNK[usize::from(junk) % JUNK.len()], junk % 3 == 0);
                if is_faulty {
                    let at = usize::from(at) % (game.len() + 1);
                    game.splice(at..at, junk.iter().copied());
                    game.truncate(game.len().saturating_sub(usize::from(at % 4 == 0)));
                }
                input.extend(game);
                input.extend_from_slice(JUNK[usize::from(at) % if is_faulty { JUNK.len() } else { 3 }]);
            }
            let rewriter = Rewriter::new(&Parser::new().charset(Decoding::new())).lossy(is_lossy);
            let rewriter = if is_exact { rewriter } else { rewriter.canonical() };
            let (once, _) = rewriter.rewrite_slice(&input);
            let shown = |bytes: &[u8]| bytes.escape_ascii().to_string();
            assert_eq!(shown(&rewriter.rewrite_slice(&once).0), shown(&once), "{}", shown(&input));
            let count = |bytes: &[u8]| {
                let mut reader = Parser::new().charset(Decoding::new()).reader(bytes);
                std::iter::from_fn(|| reader.skip_game().ok().filter(|is_game| *is_game)).count()
            };
            assert_eq!(count(&once), count(&input), "{}\n{}", shown(&input), shown(&once));
        }
        holds_of(inputs(24), 2000, law as fn(Vec<(AnyGame, u8, u8)>, bool, bool));
    }

    /// To guess does what naming the most likely charset in CA does, and then no guess.
    #[test]
    fn a_guess_is_what_ca_could_name() {
        fn law(AnyGame(game): AnyGame) -> TestResult {
            let parser = parser_of(&game);
            // Canonical form looks at texts without such escapes, which stay where CA is written.
            if !is_sound(&parser, &game) || has_escaped_high_bytes(&parser, &game) {
                return TestResult::discard();
            }
            let facts = CharsetFacts::of(&parser, &game, &|_, _| true);
            let likely = facts.likely(&parser).map(|likely| likely.charset);
            let labelled = likely.and_then(|charset| facts.labelled(&parser, charset)).unwrap_or(game.clone());
            let guessed = GUESSING.convert(&parser, &game);
            let named = NONE.convert(&parser, &labelled);
            match (guessed, named) {
                // CA may have more values, which stay if they are not replaced.
                (Ok(guessed), Ok(named)) if guessed.remarks.iter().any(|remark| remark.code() == "bad-bytes") => {
                    assert_eq!(guessed.remarks[0].about, named.remarks[0].about);
                }
                (Ok(guessed), Ok(named)) => {
                    assert_eq!(guessed.bytes.escape_ascii().to_string(), named.bytes.escape_ascii().to_string());
                }
                (Err(_), Err(_)) => {}
                other => panic!("{other:?}"),
            }
            TestResult::passed()
        }
        holds(3000, law as fn(AnyGame) -> TestResult);
    }
}
