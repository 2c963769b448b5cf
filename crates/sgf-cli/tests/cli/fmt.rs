//! `sgf fmt`. The last two go through `../shared/corpus`, where it exists.

use std::fs;
use std::io::Read;
use std::path::PathBuf;

use sgf_stream::charset::{Charset, Decoding, TreeDecoder};
use sgf_stream::{Event, OwnedEvent, Parser};

use super::{directory, run, run_with, shared, str};
use crate::each_event::EachEvent;

/// What a file becomes, and what is said about it.
fn fmt(input: &[u8], args: &[&str]) -> (Vec<u8>, String, Option<i32>) {
    let run = run_with(input, &[&["fmt"], args, &["-"]].concat());
    (run.stdout, run.stderr, run.code)
}

#[track_caller]
fn assert_becomes(input: &[u8], args: &[&str], output: &[u8]) {
    let (written, said, code) = fmt(input, args);
    assert_eq!(written.escape_ascii().to_string(), output.escape_ascii().to_string());
    assert_eq!((said.as_str(), code), ("", Some(0)));
}

#[test]
fn canonical_form_goes_to_standard_output() {
    assert_becomes(b"(;SZ[19]\nFF[4] ;B[ tt];\n\nW[aa]C[\\a])", &[], b"(;FF[4]SZ[19]\n;B[];W[aa]C[a])\n");
    assert_becomes(b"(;FF[3]M[aa])(;)", &[], b"(;FF[4]MA[aa])\n(;FF[4])\n");
}

#[test]
fn nodes_after_variations_get_parentheses() {
    for (input, canonical, exact) in [
        (
            "(;FF[4];B[aa]\n(;W[bb]C[aside])\n;W[cc];B[dd])",
            "(;FF[4]\n;B[aa](;W[bb]C[aside])(;W[cc];B[dd]))\n",
            "(;FF[4];B[aa]\n(;W[bb]C[aside])\n(;W[cc];B[dd]))",
        ),
        (
            "(;FF[4];B[aa](;W[bb]);W[cc](;B[dd])(;B[ee]);B[ff])",
            "(;FF[4]\n;B[aa](;W[bb])(;W[cc](;B[dd])(;B[ee])(;B[ff])))\n",
            "(;FF[4];B[aa](;W[bb])(;W[cc](;B[dd])(;B[ee])(;B[ff])))",
        ),
    ] {
        for (args, expected) in [(&[][..], canonical), (&["--exact"], exact)] {
            let (written, said, code) = fmt(input.as_bytes(), args);
            assert_eq!((String::from_utf8(written).unwrap().as_str(), code), (expected, Some(0)), "{said}");
            assert_becomes(expected.as_bytes(), args, expected.as_bytes());
        }
    }
}

/// The mark said UTF-8, and is not written.
#[test]
fn a_game_that_cannot_be_converted_says_utf8_in_place_of_the_mark() {
    for (input, output) in [
        (&b"\xEF\xBB\xBF(;FF[4]PB[\xE6\x98\x9F]C[caf\xE9])"[..], &b"(;FF[4]CA[UTF-8]PB[\xE6\x98\x9F]C[caf\xE9])\n"[..]),
        (b"\xEF\xBB\xBF(;CA[GBK]PB[\xE6\x98\x9F]C[caf\xE3])", b"(;FF[4]CA[UTF-8]PB[\xE6\x98\x9F]C[caf\xE3])\n"),
    ] {
        let (written, said, code) = fmt(input, &[]);
        assert_eq!(written.escape_ascii().to_string(), output.escape_ascii().to_string());
        assert!(said.contains("invalid in UTF-8; the texts are left unchanged"), "{said}");
        assert_eq!(code, Some(0));
        assert_eq!(fmt(&written, &[]).0.escape_ascii().to_string(), output.escape_ascii().to_string());
    }
    // The label is not part of what follows it.
    let (written, ..) = fmt(b"\xEF\xBB\xBF(;\xC3\xA9]B[aa])", &[]);
    assert_eq!(written.escape_ascii().to_string(), "(;CA[UTF-8]\\n\\xc3\\xa9]B[aa])\\n");
    // Without the mark, these bytes would be one.
    let (written, ..) = fmt(b"\xEF\xBB\xBF\xFF\xFE(;C[a])", &[]);
    assert_eq!(written.escape_ascii().to_string(), "\\xef\\xbb\\xbf\\xff\\xfe(;FF[4]C[a])\\n");
}

/// A value goes on after its `]` where nothing but the line break told otherwise.
#[test]
fn text_after_a_game_is_no_part_of_its_last_value() {
    let output = b"(;FF[4]B[aa]\n;W[bb];)\n]\n(;FF[4]C[x])\n";
    for input in [&b"(;B[aa];W[bb]\n;)]\n(;C[x])"[..], output] {
        let (written, ..) = fmt(input, &[]);
        assert_eq!(written.escape_ascii().to_string(), output.escape_ascii().to_string());
    }
}

/// In a game whose last value is cut off, closing it may show a head.
#[test]
fn one_game_does_not_become_two() {
    for (args, input) in [
        (&["--exact"][..], &b"(;FF[4];B[aa];W[bb](;GM[1"[..]),
        (&["--exact"], b"(;FF[4];B[aa](;PB[x]PW[y]C[cut"),
        (&["--lossy"], b"(;FF[4];B[aa](;GM[1"),
    ] {
        let (written, said, _) = fmt(input, args);
        assert_eq!(written.escape_ascii().to_string(), input.escape_ascii().to_string());
        assert!(said.contains("this was left unchanged [unterminated-value]"), "{said}");
    }
}

#[test]
fn repairs_are_reported() {
    let (written, said, code) = fmt(b"(;B[aa]\n(;W[bb])", &[]);
    assert_eq!((&*written, code), (&b"(;FF[4]B[aa](;W[bb]))\n"[..], Some(0)));
    assert_eq!(said, "-:2:9: warning: the data ends inside a game; the open trees were closed [unclosed-tree]\n");

    let (_, said, _) = fmt(&b"(;FF[4]PB[a]b]))".repeat(30), &[]);
    assert_eq!(said.lines().count(), 21, "{said}");
    assert!(said.ends_with("sgf: -: 40 more repairs\n"), "{said}");
}

#[test]
fn texts_become_utf8() {
    let utf8 = "(;FF[4]CA[UTF-8]PB[\u{5433}\u{6E05}\u{6E90}])\n".as_bytes();
    // What a mark says, and what the bytes do.
    assert_becomes(&[b"\xEF\xBB\xBF", &b"(;PB[\xC3\xA9])"[..]].concat(), &[], b"(;FF[4]CA[UTF-8]PB[\xC3\xA9])\n");
    assert_becomes(b"(;PB[\xC3\xA9])(;PB[e])", &[], b"(;FF[4]CA[UTF-8]PB[\xC3\xA9])\n(;FF[4]PB[e])\n");
    let wide: Vec<u8> =
        "\u{FEFF}(;CA[UTF-16]PB[\u{5433}\u{6E05}\u{6E90}])".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_becomes(&wide, &[], utf8);
    let shifted = b"(;CA[ISO-2022-JP]PB[\x1B$B8b@6\x1B(B])";
    assert_becomes(shifted, &[], "(;FF[4]CA[UTF-8]PB[\u{5449}\u{6E05}])\n".as_bytes());
    // What the user says.
    assert_becomes(b"(;PB[\xE9])", &["--default-charset", "latin1"], b"(;FF[4]CA[UTF-8]PB[\xC3\xA9])\n");
    assert_becomes(b"(;CA[UTF-8]PB[\xE9])", &["--charset", "latin1"], b"(;FF[4]CA[UTF-8]PB[\xC3\xA9])\n");
}

#[test]
fn what_cannot_be_decoded_stays_in_its_charset() {
    let games = b"(;CA[UTF-8]PB[\xE9]C[\xC3\xA9])(;CA[UTF-8]C[\\a])";
    let (written, said, code) = fmt(games, &[]);
    assert_eq!(written, b"(;FF[4]CA[UTF-8]PB[\xE9]C[\xC3\xA9])\n(;FF[4]CA[UTF-8]C[a])\n");
    let kept = "-:1:14: warning: 1 text has bytes that are invalid in UTF-8; the texts are left unchanged";
    assert_eq!((said, code), (format!("{kept}\n"), Some(0)));
    // No option replaces them.
    let (lossy, said, code) = fmt(games, &["--lossy"]);
    assert_eq!((lossy, said, code), (written, format!("{kept}\n"), Some(0)));
    for args in [&["--exact"][..], &["--exact", "--lossy"]] {
        assert_becomes(games, args, games);
    }

    // Nobody knows, and nothing is guessed.
    let (written, said, code) = fmt(b"(;PB[\xA7\x64\xB2\x4D\xB7\xBD])", &[]);
    assert_eq!((&*written, code), (&b"(;FF[4]PB[\xA7\x64\xB2\x4D\xB7\xBD])\n"[..], Some(0)));
    let read = "no charset declared; decoding as Big5 (detected; use --default-charset to override)";
    let option = "`sgf check --fix --guess-charset` writes it into CA, and `sgf fmt --guess-charset` converts to UTF-8";
    assert_eq!(said, format!("sgf: warning: -: {read}; {option}\n"));
    let (written, said, _) = fmt(b"(;CA[foo]PB[\xE9])", &[]);
    assert_eq!(written, b"(;FF[4]CA[foo]PB[\xE9])\n");
    assert!(said.contains(": unknown charset name \"foo\"; its texts are left unchanged\n"), "{said}");

    // A whole file.
    let bad = b"\xFF\xFE(\0;\0C\0[\0\0\xD8]\0)\0";
    for (args, output, why) in [
        (&[][..], &b""[..], "contains bytes that are invalid in its charset"),
        (&["--lossy"], b"", "contains bytes that are invalid in its charset"),
        (&["--exact"], bad, "not valid UTF-16LE; left unchanged"),
        (&["--exact", "--lossy"], bad, "not valid UTF-16LE; left unchanged"),
    ] {
        let (written, said, code) = fmt(bad, args);
        assert_eq!((&*written, said, code), (output, format!("sgf: error: -: {why}\n"), Some(1)), "{args:?}");
    }
}

/// Nothing of it can be repaired in place, and what would be read as bytes is not SGF.
#[test]
fn exact_style_leaves_a_file_as_it_is_that_would_have_to_be_transcoded() {
    let text = "\u{FEFF}(;FF[4]PB[\u{E9}];B[dd]";
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text[3..].encode_utf16().flat_map(u16::to_be_bytes).collect();
    let korean = b"(;CA[ISO-2022-KR]PB[\x1B$)C\x0E1\x388.\x0F];B[dd]";
    for (file, charset) in [(&little[..], "UTF-16LE"), (&big, "UTF-16BE"), (korean, "ISO-2022-KR")] {
        for args in [&["--exact"][..], &["--exact", "--lossy"]] {
            let (written, said, code) = fmt(file, args);
            let why = format!("{charset} is left unchanged; without --exact, `sgf fmt` converts it to UTF-8");
            assert_eq!((&*written, said, code), (file, format!("sgf: error: -: {why}\n"), Some(1)), "{args:?}");
        }
        // And so it does.
        let (written, said, code) = fmt(file, &[]);
        assert!(
            written.starts_with(b"(;FF[4]CA[UTF-8]PB[") && said.contains("unclosed-tree") && code == Some(0),
            "{said}"
        );
        let folder = directory("fmt-wide");
        let path = folder.join("a.sgf");
        fs::write(&path, file).unwrap();
        assert_eq!(run(&["fmt", "--exact", "--write", str(&path)]).code, Some(1));
        assert_eq!(fs::read(&path).unwrap(), file);
    }
    // It only says so, and is in UTF-8.
    let korean = "(;CA[ISO-2022-KR]PB[\u{AD6C}\u{B9AC}];B[dd]";
    let (written, _, code) = fmt(korean.as_bytes(), &["--exact"]);
    assert_eq!((written, code), (format!("{korean})").into_bytes(), Some(0)));
    let utf8 = korean.replace("ISO-2022-KR", "UTF-8").replace("(;", "(;FF[4]").replace(";B", "\n;B");
    assert_eq!(fmt(korean.as_bytes(), &[]).0, format!("{utf8})\n").into_bytes());
}

/// The second byte of `ソ` is a backslash, and hides no bracket.
#[test]
fn the_charset_that_is_given_or_found_tells_values_apart() {
    let game = b"(;PB[\x83\x5C]BR[9d];B[dd]";
    let exact = [&game[..], b")"].concat();
    let utf8 = "(;FF[4]CA[UTF-8]PB[\u{30BD}]BR[9d]\n;B[dd])\n".as_bytes();
    for option in ["--charset", "--default-charset"] {
        for (args, output) in [(&[][..], utf8), (&["--exact"][..], &exact)] {
            let (written, said, code) = fmt(game, &[args, &[option, "Shift_JIS"]].concat());
            assert_eq!(written.escape_ascii().to_string(), output.escape_ascii().to_string(), "{option} {args:?}");
            assert!(said.contains("unclosed-tree") && code == Some(0), "{said}");
        }
    }
    let text = Charset::SHIFT_JIS.encoding().unwrap().encode("\u{30BD}の予定表は能力のある棋士の対局です\u{30BD}").0;
    let file = |tail: &str| [b"(;PB[", &text[..], b"]BR[9d]", tail.as_bytes()].concat();
    for (args, input, output) in [
        (&[][..], file(";B[dd])(;C[x]"), [&file("\n;B[dd])\n")[..], b"(;FF[4]C[x])\n"].concat()),
        (&["--exact"][..], file(";B[dd])(;C[x]"), file(";B[dd])(;C[x])")),
        (&["--lossy"][..], file(";B[dd]x)"), file("\n;B[dd])\n")),
    ] {
        let (written, said, code) = fmt(&input, args);
        let output = match args.contains(&"--exact") {
            true => output,
            false => [b"(;FF[4]", &output[2..]].concat(),
        };
        assert_eq!(written.escape_ascii().to_string(), output.escape_ascii().to_string(), "{args:?}");
        assert!(said.contains("no charset declared; decoding as Shift_JIS") && code == Some(0), "{said}");
        assert_eq!(fmt(&written, args).0, written);
    }
}

/// A byte-order mark overrules the default charset: `\x83]` is not a character of Shift_JIS then, wherever a game is read.
#[test]
fn a_mark_overrules_the_default_charset_in_a_game_that_is_repaired() {
    let input = b"\xEF\xBB\xBF(;C[\x83];B[dd](;C[\x83];W[pp]";
    let (written, said, code) = fmt(input, &["--exact", "--default-charset", "Shift_JIS"]);
    assert_eq!(written.escape_ascii().to_string(), [&input[..], b"))"].concat().escape_ascii().to_string());
    assert!(said.contains("unclosed-tree") && code == Some(0), "{said}");
}

#[test]
fn quiet_says_what_could_not_be_done_and_nothing_else() {
    for input in [&b"mail (;B[aa]\n(;W[bb])x"[..], b"(;P0[a])", b"(;CA[UTF-8]C[\xE9])"] {
        let (loud, said, code) = fmt(input, &[]);
        assert!(!said.is_empty());
        assert_eq!(fmt(input, &["-q"]), (loud, String::new(), code));
    }
    let long = [b"(;C[", &vec![b'a'; 17 << 20][..], b"])\n"].concat();
    assert!(!fmt(&long, &["-q"]).1.is_empty());
}

#[test]
fn what_is_too_much_for_a_parser_stays_as_it_is_and_is_an_error() {
    let long = [b"(;C[", &vec![b'a'; (16 << 20) + 1][..], b"])\n"].concat();
    let deep = [&b"(;".repeat(1_050_000)[..], &b")".repeat(1_050_000), b"\n"].concat();
    for args in [&[][..], &["--exact"], &["--lossy"], &["--exact", "--lossy"]] {
        let (written, said, code) = fmt(b"hello", args);
        assert_eq!(written, b"hello");
        assert_eq!((said.as_str(), code), ("sgf: warning: -: no SGF data\n", Some(0)));
        for (game, what) in [
            (&long, "-:1:1: error: the game is longer than the limit; the game was left unchanged [game-too-long]"),
            (&deep, "the tree is nested deeper than the limit; the game was left unchanged [tree-too-deep]"),
        ] {
            let (written, said, code) = fmt(&[game, &b"(;FF[4]C[a])\n"[..]].concat(), args);
            assert!(written == [game, &b"(;FF[4]C[a])\n"[..]].concat(), "{args:?} {what}");
            assert!(said.contains(what), "{said}");
            // The deep one is also too long to be held.
            assert!(said.lines().count() <= 2, "{said}");
            assert_eq!(code, Some(1));
        }
    }
}

/// What goes in, what comes out in canonical form, with --exact, and of both with --lossy; and the code of what is
/// said without --lossy.
type Loss = (&'static [u8], &'static [u8], &'static [u8], &'static [u8], &'static [u8], &'static str);

const LOSSES: &[Loss] = &[
    // Text between games.
    (
        b"From: me\n\n(;B[aa])\nbye\n(;)\n\n-- \nme",
        b"From: me\n\n(;FF[4]B[aa])\nbye\n(;FF[4])\n\n-- \nme",
        b"From: me\n\n(;B[aa])\nbye\n(;)\n\n-- \nme",
        b"(;FF[4]B[aa])\n(;FF[4])\n",
        b"\n\n(;B[aa])\n\n(;)\n\n",
        "junk-outside-tree",
    ),
    (
        b"(;B[aa]))) W[bb])(;)",
        b"(;FF[4]B[aa]))) W[bb])(;FF[4])\n",
        b"(;B[aa]))) W[bb])(;)",
        b"(;FF[4]B[aa])\n(;FF[4])\n",
        b"(;B[aa]) (;)",
        "junk-outside-tree",
    ),
    // Junk in a tree: a word, conflict markers, what came after a bracket that was meant as text.
    (
        b"(;B[aa])\n(; well ;W[bb])\n(;B[cc])",
        b"(;FF[4]B[aa])\n(; well ;W[bb])\n(;FF[4]B[cc])\n",
        b"(;B[aa])\n(; well ;W[bb])\n(;B[cc])",
        b"(;FF[4]B[aa])\n(;FF[4]\n;W[bb])\n(;FF[4]B[cc])\n",
        b"(;B[aa])\n(;  ;W[bb])\n(;B[cc])",
        "junk-in-tree",
    ),
    (
        b"(;B[aa]\n<<<<<<< mine\n;W[bb]\n=======\n;W[cc]\n>>>>>>> theirs\n)",
        b"(;B[aa]\n<<<<<<< mine\n;W[bb]\n=======\n;W[cc]\n>>>>>>> theirs\n)\n",
        b"(;B[aa]\n<<<<<<< mine\n;W[bb]\n=======\n;W[cc]\n>>>>>>> theirs\n)",
        b"(;FF[4]B[aa]\n;W[bb];W[cc])\n",
        b"(;B[aa]\n\n;W[bb]\n\n;W[cc]\n\n)",
        "junk-in-tree",
    ),
    // A lower-case word before `[`.
    (b"(;W[bb]c[text])", b"(;W[bb]c[text])\n", b"(;W[bb]c[text])", b"(;FF[4]W[bb])\n", b"(;W[bb])", "junk-in-tree"),
    // A value without an identifier, and the reverse.
    (
        b"(;B[aa];[a precious comment];W[bb])",
        b"(;B[aa];[a precious comment];W[bb])\n",
        b"(;B[aa];[a precious comment];W[bb])",
        b"(;FF[4]B[aa]\n;;W[bb])\n",
        b"(;B[aa];;W[bb])",
        "value-without-ident",
    ),
    (
        b"(;B[aa];KO;W[bb]",
        b"(;B[aa];KO;W[bb])\n",
        b"(;B[aa];KO;W[bb])",
        b"(;FF[4]B[aa]\n;;W[bb])\n",
        b"(;B[aa];;W[bb])",
        "property-without-value",
    ),
    // A value that is cut off is closed.
    (
        b"(;B[aa]C[A very long comment of a file whose upload was cut o",
        b"(;FF[4]B[aa]C[A very long comment of a file whose upload was cut o])\n",
        b"(;B[aa]C[A very long comment of a file whose upload was cut o])",
        b"(;FF[4]B[aa]C[A very long comment of a file whose upload was cut o])\n",
        b"(;B[aa]C[A very long comment of a file whose upload was cut o])",
        "unterminated-value",
    ),
    (b"(;C[a\\", b"(;FF[4]C[a\\\\])\n", b"(;C[a\\\\])", b"(;FF[4]C[a\\\\])\n", b"(;C[a\\\\])", "unterminated-value"),
    (
        b"(;CA[GBK]C[a\xC6",
        b"(;FF[4]CA[GBK]C[a\xC6 ])\n",
        b"(;CA[GBK]C[a\xC6 ])",
        b"(;FF[4]CA[GBK]C[a\xC6 ])\n",
        b"(;CA[GBK]C[a\xC6 ])",
        "unterminated-value",
    ),
    (
        b"(;C[cut\n(;FF[4]B[aa])",
        b"(;FF[4]C[cut\n])\n(;FF[4]B[aa])\n",
        b"(;C[cut\n])(;FF[4]B[aa])",
        b"(;FF[4]C[cut\n])\n(;FF[4]B[aa])\n",
        b"(;C[cut\n])(;FF[4]B[aa])",
        "missing-close-bracket",
    ),
    // What FF[4] has no identifiers for.
    (
        b"(;B[aa]P0[id])",
        b"(;B[aa]P0[id])\n",
        b"(;B[aa]P0[id])",
        b"(;FF[4]B[aa])\n",
        b"(;B[aa]P0[id])",
        "digit-in-ident",
    ),
];

#[test]
fn nothing_is_lost_unless_that_is_asked_for() {
    for (input, canonical, exact, lossy, exact_lossy, code) in LOSSES {
        for (args, output) in [
            (&[][..], canonical),
            (&["--exact"][..], exact),
            (&["--lossy"][..], lossy),
            (&["--exact", "--lossy"][..], exact_lossy),
        ] {
            let (written, said, exit) = fmt(input, args);
            let case = format!("{} {args:?}", input.escape_ascii());
            assert_eq!(written.escape_ascii().to_string(), output.escape_ascii().to_string(), "{case}");
            assert_eq!(exit, Some(0), "{case}");
            let is_kept = args.contains(&"--exact") && *code == "digit-in-ident";
            assert!(is_kept || said.contains(code), "{case}: {said}");
            let (again, _, _) = fmt(&written, args);
            assert_eq!(again.escape_ascii().to_string(), written.escape_ascii().to_string(), "{case}, again");
        }
    }
}

#[test]
fn what_stays_says_why() {
    let input = b"From: me\n(;FF[4]B[aa] x [bb] y)\n(;FF[4]P0[a]P1[b])(;FF[4]B[aa)";
    let (_, said, code) = fmt(input, &[]);
    assert_eq!(
        said,
        "\
-:1:1: warning: text outside of games was left unchanged (use --lossy to drop it) [junk-outside-tree]
-:2:14: warning: expected `(`, `)`, `;` or a property; this was left unchanged (use --lossy to drop it) [junk-in-tree]
-:2:21: warning: expected `(`, `)`, `;` or a property; this was left unchanged (use --lossy to drop it) [junk-in-tree]
-:3:8: warning: FF[4] does not allow digits in identifiers [digit-in-ident], and 1 more; the game keeps its form (use --lossy to drop it)
-:3:27: warning: a truncated value was closed [unterminated-value]
-:3:31: warning: the data ends inside a game; the open trees were closed [unclosed-tree]
"
    );
    assert_eq!(code, Some(0));
    let (_, said, _) = fmt(&b"(;FF[4]P0[a])\n".repeat(30), &[]);
    assert_eq!(said.lines().count(), 21, "{said}");
    assert!(said.ends_with("sgf: -: 10 more left unchanged\n"), "{said}");
    // What is dropped is shown.
    let (_, said, _) = fmt(input, &["--exact", "--lossy"]);
    assert!(said.contains("-:1:1: warning: dropped [junk-outside-tree]: From: me"), "{said}");
}

#[test]
fn lower_case_letters_go_where_something_is_called_as_the_others() {
    assert_eq!(fmt(b"(;GaMe[1]CoPyright[x])", &[]).0, b"(;FF[4]GM[1]CP[x])\n");
    let (written, said, code) = fmt(b"(;GaMe[1]QqQq[x])", &[]);
    assert_eq!(written, b"(;GaMe[1]QqQq[x])\n");
    let why = "unknown identifier `QqQq`: its lower-case letters may be significant, so it is not shortened to `QQ`; the game keeps its form (use --lossy to shorten it)";
    assert_eq!((said, code), (format!("-:1:10: warning: {why}\n"), Some(0)));
    assert_eq!(fmt(b"(;GaMe[1]QqQq[x])", &["--lossy"]).0, b"(;FF[4]GM[1]QQ[x])\n");
}

/// Canonical style writes a version of its own, and whatever was said in its place would go.
#[test]
fn a_version_that_is_no_number_is_not_replaced() {
    let (written, said, code) = fmt(b"(;GM[1]FF[4CA[x]PB[a])(;FF[ 3 ])", &[]);
    assert_eq!(written, b"(;GM[1]FF[4CA[x]PB[a])\n(;FF[4])\n");
    let why = "the value of FF is not a number; it would be replaced with 4; the game keeps its form (use --lossy to replace it)";
    assert_eq!((said, code), (format!("-:1:10: warning: {why}\n"), Some(0)));
    // What goes does not decide in what charset the game is.
    let (once, _, _) = fmt(b"(;FF[\xFF]PB[\xC3\xA9])", &["--lossy"]);
    assert_eq!(once, b"(;FF[4]CA[UTF-8]PB[\xC3\xA9])\n");
    let (once, _, _) = fmt(b"(;P0[\xFF]PB[\xC3\xA9])", &["--lossy"]);
    assert_eq!(once, b"(;FF[4]CA[UTF-8]PB[\xC3\xA9])\n");
}

/// The file is told by a mark or by its units of two bytes, and these do not come out: `CA` has to say it.
#[test]
fn a_game_that_stays_as_it_is_says_in_what_it_is_now() {
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    for (input, output) in [
        (wide("\u{FEFF}(;CA[UTF-16]PB[\u{E9}] x )"), "(;CA[UTF-8]PB[\u{E9}] x )\n"),
        (wide("\u{FEFF}(;PB[\u{E9}] x )"), "(;CA[UTF-8]PB[\u{E9}] x )\n"),
        (wide("\u{FEFF}(;PB[e] x )\u{E9}"), "(;PB[e] x )\u{E9}"),
        ("\u{FEFF}(PB[\u{E9}] x )".into(), "(;CA[UTF-8]PB[\u{E9}] x )\n"),
        ("\u{FEFF}(;CA[GBK]PB[\u{E9}] x )".into(), "(;CA[UTF-8]PB[\u{E9}] x )\n"),
    ] {
        let (written, _, code) = fmt(&input, &[]);
        assert_eq!(String::from_utf8(written).unwrap(), output);
        assert_eq!(code, Some(0));
    }
}

#[test]
fn what_is_too_long_to_be_held_stays_as_it_is() {
    let long = [b"(;FF[4]B[aa]", &b";W[bb]".repeat(3_000_000)[..], b"KO)"].concat();
    let input = [&b"a\n(;FF[4] B[aa])\n"[..], &long, b"\n\n(;FF[4] B[cc])"].concat();
    let expected = [&b"a\n(;FF[4]B[aa])\n"[..], &long, b"\n(;FF[4]B[cc])\n"].concat();
    let (written, said, code) = fmt(&input, &[]);
    assert!(written == expected);
    assert!(
        said.contains(": error: the game is longer than the limit; the game was left unchanged [game-too-long]"),
        "{said}"
    );
    assert_eq!(code, Some(1));
    let (written, _, code) = fmt(&input, &["--exact"]);
    assert!(written == input);
    assert_eq!(code, Some(1));
    // Text between games is not held either.
    let junk = "junk (of some kind)\n".repeat(500_000);
    let blank = " \n".repeat(1_000_000);
    let input = format!("{junk}(;B[aa]){blank}(;){blank}{junk}(;)");
    let (written, _, code) = fmt(input.as_bytes(), &["--exact"]);
    assert!(written == input.as_bytes());
    assert_eq!(code, Some(0));
    let (written, _, _) = fmt(input.as_bytes(), &["--lossy"]);
    assert_eq!(written, b"(;FF[4]B[aa])\n(;FF[4])\n(;FF[4])\n");
}

#[test]
fn exact_repairs_and_keeps_everything_else() {
    for (input, output) in [
        (&b"\xEF\xBB\xBF\n(; FF [4]\r\n\tC[\\a]; ;(;B [aa]\n[bb])\n\n( ;W[] ) )\n"[..], None),
        (b"(;CoPyright[x]P0[\xE9])", None),
        (b"(;CA[Big5]C[\xA6]])", None),
        (b"(;B[aa]\n", Some(&b"(;B[aa])\n"[..])),
        (b"From: me\n\n(;B[aa])\nbye\n(;)", None),
        (b"(;B[aa]);W[bb])\n(;)", None),
        (b"(;B[aa])) )\n(;)", Some(b"(;B[aa]) \n(;)")),
        (b"(\n;B[aa](;W[bb])\n;W[cc])", Some(b"(\n;B[aa](;W[bb])\n(;W[cc]))")),
        (b"(;B[aa](;W[bb])\nW[cc])", Some(b"(;B[aa](;W[bb])\n(;W[cc]))")),
        (b"( FF[4])", Some(b"( ;FF[4])")),
        (b"(;PB[Foo [3d]]PW[x] )", Some(b"(;PB[Foo [3d\\]]PW[x] )")),
        (b"(;PB[Foo [3d]]PW[x] x )", Some(b"(;PB[Foo [3d\\]]PW[x] x )")),
        (b"(;A;B x [aa][bb)", None),
        (b"(;C[a\n(;FF[4])", Some(b"(;C[a\n])(;FF[4])")),
        (b"(;B[aa]\n(;FF[4])", Some(b"(;B[aa])\n(;FF[4])")),
        (b"(;((;B[aa])())(;W[bb]))", Some(b"(;(;B[aa])(;W[bb]))")),
        (b"(;B [aa][bb)", Some(b"(;B [aa][bb)])")),
        (b"(;B[aa]\nx (;XX[4]))", None),
        (b"(;CA[Big5]C[\xA6];B[aa])", Some(b"(;CA[Big5]C[\xA6 ];B[aa])")),
        (b"(;GM[1]foo C[abc(;FF[4]x]C[y];B[aa])", Some(b"(;GM[1]foo C[abc])(;FF[4]x]C[y];B[aa])")),
        (b"(;FF[4]x]C[y];B[aa])", Some(b"(;FF[4\\]x]C[y];B[aa])")),
        // With a `;`, the bracket before a game might be the end of a value, but for the line break.
        (b"(;x C[x])](B[aa])", Some(b"(;x C[x])](;B[aa])")),
        (b"(;C[x];)](A[y])", Some(b"(;C[x];)\n](;A[y])")),
        (b"(;C[x];)] z ] (A[y])", Some(b"(;C[x];)] z ] (;A[y])")),
        (b"(;C[x];)](FF[4]C[y])", Some(b"(;C[x];)\n](;FF[4]C[y])")),
        (b"(;C[x];)](A[y]z)", Some(b"(;C[x];)\n](;A[y]z)")),
        (b"(;x C[x])]\n(B[aa])", Some(b"(;x C[x])]\n(;B[aa])")),
    ] {
        let (written, _, code) = fmt(input, &["--exact"]);
        assert_eq!(written.escape_ascii().to_string(), output.unwrap_or(input).escape_ascii().to_string());
        assert_eq!(code, Some(0));
        let again = fmt(&written, &["--exact"]);
        let is_repair = |line: &&str| !line.contains("left unchanged");
        assert_eq!((&again.0, again.1.lines().find(is_repair)), (&written, None), "{}", input.escape_ascii());
    }
}

#[test]
fn a_vertical_tab_is_white_space() {
    // With any white space the value goes with its word, or it would place a stone.
    for white in ["", " ", "\t", "\x0B", "\x0C", "\n"] {
        let input = format!("(;AB[aa]foo{white}[bb])");
        assert_eq!(fmt(input.as_bytes(), &["--lossy"]).0, b"(;FF[4]AB[aa])\n", "{white:?}");
        let (exact, ..) = fmt(input.as_bytes(), &["--exact", "--lossy"]);
        assert_eq!(exact, format!("(;AB[aa]{white})").as_bytes(), "{white:?}");
        // The `;` of the second game occurs.
        let input = format!("(;x C[x])](\x0B;{white}B[aa]");
        let expected = format!("(;x C[x])](\x0B;{white}B[aa])");
        assert_eq!(
            fmt(input.as_bytes(), &["--exact"]).0.escape_ascii().to_string(),
            expected.as_bytes().escape_ascii().to_string()
        );
    }
}

#[test]
fn text_after_a_game_stays_text() {
    // Canonical form, where the first game stays as it is.
    let (written, _, code) = fmt(b"(;x C[x];)](A[y])", &[]);
    assert_eq!((&*written, code), (&b"(;x C[x];)\n](;FF[4]A[y])\n"[..], Some(0)));
    assert_eq!(fmt(&written, &[]).0, written);
}

#[test]
fn brackets_without_a_game_stay() {
    for input in [")", "( ) )", "((", "\n)\n"] {
        for args in [&["--exact"][..], &[]] {
            let (written, said, code) = fmt(input.as_bytes(), args);
            assert_eq!((&*written, code), (input.as_bytes(), Some(0)), "{args:?}: {said}");
            assert_eq!(said, "sgf: warning: -: no SGF data\n");
        }
    }
}

#[test]
fn long_files_pass_in_pieces() {
    // Lexemes lie across pieces, and white space and junk are longer than one.
    let blanks = " ".repeat(400_000);
    let text = "\\]a".repeat(300_000);
    let moves = ";B[dd];W[pp]\n".repeat(200_000);
    let sound = format!("(;C[{text}]{moves})\n(;B[aa])");
    assert_becomes(sound.as_bytes(), &["--exact"], sound.as_bytes());
    let junk = format!(" {} ", "junk".repeat(500_000));
    let (written, _, code) = fmt(format!("{junk}(;B{blanks}[aa]{junk})").as_bytes(), &["--exact", "--lossy"]);
    assert_eq!(code, Some(0));
    let bare: Vec<u8> = written.iter().copied().filter(|b| *b != b' ').collect();
    assert_eq!(bare, b"(;B[aa])");
    let (written, _, code) = fmt(sound.as_bytes(), &[]);
    assert_eq!((written.iter().filter(|b| **b == b';').count(), code), (400_002, Some(0)));
}

/// A directory of three files: canonical, not canonical, and refused, since not all of it is in its charset.
fn three_files(name: &str) -> std::path::PathBuf {
    let folder = directory(name);
    fs::write(folder.join("good.sgf"), "(;FF[4]B[aa])\n").unwrap();
    fs::write(folder.join("other.SGF"), "(;B[aa])").unwrap();
    fs::write(folder.join("refused.sgf"), b"\xFF\xFE(\0;\0C\0[\0\0\xD8]\0)\0").unwrap();
    folder
}

#[test]
fn check_lists_what_would_change() {
    let folder = three_files("fmt-check");
    let path = |name: &str| str(&folder.join(name)).to_owned();
    let checked = run(&["fmt", "--check", str(&folder)]);
    assert_eq!(checked.text(), format!("{}\n", path("other.SGF")));
    assert!(
        checked.stderr.contains("refused.sgf: contains bytes that are invalid in its charset"),
        "{}",
        checked.stderr
    );
    assert_eq!(checked.code, Some(1));
    assert_eq!(fs::read(path("other.SGF")).unwrap(), b"(;B[aa])");

    assert_eq!(run(&["fmt", "--check", &path("good.sgf")]).code, Some(0));
    fs::write(folder.join("refused.sgf"), "(;P0[aa]x)").unwrap();
    let exact = run(&["fmt", "--check", "--exact", "--lossy", str(&folder)]);
    assert_eq!((exact.text(), exact.code), (&*format!("{}\n", path("refused.sgf")), Some(1)));
    assert_eq!(run(&["fmt", "--check", "--exact", str(&folder)]).code, Some(0));
    assert_eq!(run_with(b"(;FF[4]B[aa])\n", &["fmt", "--check", "-"]).code, Some(0));
    let stdin = run_with(b"(;FF[4]B[aa])\n\n", &["fmt", "--check", "-"]);
    assert_eq!((stdin.text(), stdin.code), ("-\n", Some(1)));
    assert_eq!(run_with(b"(;FF[4]B[aa])", &["fmt", "--check", "-"]).code, Some(1));
}

#[test]
fn write_puts_the_result_in_place_and_touches_nothing_else() {
    let folder = three_files("fmt-write");
    let good = folder.join("good.sgf");
    let before = fs::metadata(&good).unwrap().modified().unwrap();
    let written = run(&["fmt", "--write", str(&folder)]);
    assert_eq!((written.text(), written.code), ("", Some(1)));
    assert_eq!(fs::read(folder.join("other.SGF")).unwrap(), b"(;FF[4]B[aa])\n");
    assert_eq!(fs::read(folder.join("refused.sgf")).unwrap(), b"\xFF\xFE(\0;\0C\0[\0\0\xD8]\0)\0");
    assert_eq!(fs::metadata(&good).unwrap().modified().unwrap(), before);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 3, "nothing is left beside them");

    fs::write(folder.join("refused.sgf"), "(;P0[aa]x)").unwrap();
    assert_eq!(run(&["fmt", "--write", "--exact", "--lossy", "--sync", str(&folder)]).code, Some(0));
    assert_eq!(fs::read(folder.join("refused.sgf")).unwrap(), b"(;P0[aa])");
}

#[cfg(unix)]
#[test]
fn write_keeps_links_and_permissions() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = directory("fmt-link");
    let file = folder.join("file");
    fs::write(&file, "(;B[aa])").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("file", folder.join("link.sgf")).unwrap();
    assert_eq!(run(&["fmt", "--write", str(&folder.join("link.sgf"))]).code, Some(0));
    assert!(fs::symlink_metadata(folder.join("link.sgf")).unwrap().is_symlink());
    assert_eq!(fs::read(&file).unwrap(), b"(;FF[4]B[aa])\n");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn wrong_usage_and_missing_files_are_code_2() {
    let folder = three_files("fmt-usage");
    for args in [
        &["fmt"][..],
        &["fmt", "a.sgf", "b.sgf"],
        &["fmt", str(&folder)],
        &["fmt", "--write", "-"],
        &["fmt", "--write", "--check", "x"],
        &["fmt", "--sync", "x"],
        &["fmt", "--charset", "klingon", "x"],
        &["fmt", "no-such-file"],
        &["fmt", "--check", "no-such-file"],
    ] {
        let run = run(args);
        assert_eq!((run.code, run.text()), (Some(2), ""), "{args:?}");
        assert!(!run.stderr.is_empty(), "{args:?}");
    }
}

/// Every thirteenth file of the corpus.
fn part_of_corpus() -> impl Iterator<Item = PathBuf> {
    shared::corpus().into_iter().step_by(13)
}

#[test]
fn the_corpus_keeps_its_events_exactly() {
    for path in part_of_corpus() {
        let bytes = fs::read(&path).unwrap();
        let run = run(&["fmt", "--exact", str(&path)]);
        if Parser::strict().each_event(&bytes, |_, _| {}).is_ok() {
            assert_eq!((&run.stdout, run.stderr.as_str()), (&bytes, ""), "{}", path.display());
        }
        // A bracket that was taken as text is escaped in what is written.
        let is_escaped = run.stderr.contains("[unescaped-bracket]");
        let bare = |event: Event<'_>| match event {
            Event::Value(raw) if is_escaped => {
                // A run of them goes: the first may be the second byte of a character.
                let mut bare = Vec::new();
                for &byte in raw.as_bytes() {
                    while matches!(byte, b'[' | b']') && bare.last() == Some(&b'\\') {
                        bare.pop();
                    }
                    bare.push(byte);
                }
                OwnedEvent::Value(bare.into())
            }
            event => event.to_owned(),
        };
        let events = |bytes: &[u8]| {
            let mut events = Vec::new();
            let parsed = Parser::new().each_event(bytes, |event, _| events.push(bare(event)));
            parsed.ok().map(|_| events)
        };
        assert_eq!(events(&run.stdout), events(&bytes), "{}", path.display());
    }
}

#[test]
fn the_corpus_keeps_its_texts() {
    for path in part_of_corpus() {
        let bytes = fs::read(&path).unwrap();
        let run = run(&["fmt", str(&path)]);
        if run.code != Some(0) || run.stderr.contains("its texts stay") {
            continue;
        }
        let (written, read) = (comments(&run.stdout), comments(&bytes));
        if run.stderr.contains("[node-after-variation]") {
            // What follows variations goes before them.
            let sorted = |text: String| {
                let mut letters: Vec<char> = text.chars().collect();
                letters.sort_unstable();
                letters
            };
            assert_eq!(sorted(written), sorted(read), "{}", path.display());
            continue;
        }
        assert_eq!(written, read, "{}", path.display());
    }
}

/// Comments, which have no other form than their text; in one, as a node may have several.
fn comments(bytes: &[u8]) -> String {
    let decoding = Decoding::new().default_charset(Charset::UTF_8);
    let mut reader = decoding.reader(bytes);
    let mut text = Vec::new();
    let (bytes, mut decoder) = if reader.charset().unwrap().is_ascii_compatible() {
        (bytes, TreeDecoder::new(decoding).with_bom(Charset::from_bom(bytes).map(|(charset, _)| charset)))
    } else {
        reader.read_to_end(&mut text).unwrap();
        (&text[..], TreeDecoder::new(Decoding::utf8()))
    };
    let (mut comments, mut is_comment) = (String::new(), false);
    let parsed = Parser::new().each_event(bytes, |event, offset| {
        decoder.observe(event, offset);
        match event {
            Event::Property(ident) => is_comment = ident == "C",
            Event::Value(raw) if is_comment => {
                comments.extend(decoder.text(raw, offset).unwrap().chars().filter(|&c| c != '\n'));
            }
            _ => {}
        }
    });
    parsed.unwrap();
    comments
}
