//! Repairs where the charset counts.

use sgf_check::{Checker, Rewriter, Rewritten, Rule, Rules, fix_slice};
use sgf_stream::charset::{Charset, Decoding};
use sgf_stream::{Code, Parser};

use super::InPieces;

fn fix(decoding: Decoding, input: &[u8]) -> (Vec<u8>, Rewritten) {
    Rewriter::with_rules(&Parser::new().charset(decoding), Rules::new()).rewrite_slice(input)
}

/// The second byte of `ソ` is a backslash, and hides no bracket.
#[test]
fn the_charset_of_the_parser_tells_values_apart() {
    let text = Charset::SHIFT_JIS.encoding().unwrap().encode("ソの予定表は能力のある棋士の対局ですソ").0;
    let detected = |tail: &str| [b"mail\n(;PB[", &text[..], b"]BR[9d]", tail.as_bytes()].concat();
    for (decoding, input, output) in [
        (
            Decoding::new().force(Charset::SHIFT_JIS),
            b"(;PB[\x83\x5C]BR[9d]SZ[9:9]".to_vec(),
            b"(;PB[\x83\x5C]BR[9d]SZ[9])".to_vec(),
        ),
        (
            Decoding::new().default_charset(Charset::SHIFT_JIS),
            b"(;PB[\x83\x5C]BR[9d];B[d d])(;CA[latin1]C[\x83\x5C]]SZ[9:9]".to_vec(),
            b"(;PB[\x83\x5C]BR[9d];B[dd])(;CA[latin1]C[\x83\x5C]]SZ[9])".to_vec(),
        ),
        (Decoding::new(), detected(";B[d d]"), detected(";B[dd])")),
        (Decoding::new(), detected(";B[d d])(;B[d d]"), detected(";B[dd])(;B[dd])")),
    ] {
        let (fixed, _) = fix(decoding, &input);
        assert_eq!(fixed.escape_ascii().to_string(), output.escape_ascii().to_string());
        // A byte at a time, and by the syntax alone.
        let mut out = Vec::new();
        Rewriter::with_rules(&Parser::new().charset(decoding), Rules::new())
            .rewrite(InPieces(&input, 1), &mut out)
            .unwrap();
        assert_eq!(out, fixed);
        let parser = Parser::new().charset(decoding);
        let (syntax, _) = Rewriter::with_rules(&parser, Rules::none()).rewrite_slice(&input);
        for size in [1, 7, input.len()] {
            let mut out = Vec::new();
            Rewriter::new(&parser).rewrite(InPieces(&input, size), &mut out).unwrap();
            assert_eq!(out, syntax, "in pieces of {size}");
        }
    }
}

#[test]
fn bad_bytes_stay() {
    for (input, output) in [
        (&b"(;CA[UTF-8]PB[\xE9]C[\xC3\xA9];B[d d])"[..], &b"(;CA[UTF-8]PB[\xE9]C[\xC3\xA9];B[dd])"[..]),
        (b"(;CA[GBK]PB[\xFF\xFF]x;B[dd])(;B[d d])", b"(;CA[GBK]PB[\xFF\xFF]x;B[dd])(;B[dd])"),
        (b"(;CA[ISO-2022-JP]PB[\x1B$B\xFF])", b"(;CA[ISO-2022-JP]PB[\x1B$B\xFF])"),
    ] {
        let fix = |is_lossy| {
            let fixer = Rewriter::with_rules(&Parser::new().charset(Decoding::new()), Rules::new()).lossy(is_lossy);
            fixer.rewrite_slice(input).0
        };
        assert_eq!(fix(false).escape_ascii().to_string(), output.escape_ascii().to_string());
        let without_junk: Vec<u8> = output.iter().copied().filter(|byte| *byte != b'x').collect();
        assert_eq!(fix(true).escape_ascii().to_string(), without_junk.escape_ascii().to_string());
    }
}

#[test]
fn a_ca_that_is_not_true_is_mended_where_all_texts_are_utf_8() {
    let long = format!("(;CA[GB2312]PB[围棋]{};C[ascii]C[棋谱])", ";B[aa];W[bb]\n".repeat(20_000));
    let mended = long.replace("GB2312", "UTF-8");
    for (input, expected) in [
        ("(;CA[ISO-2022-KR]PB[구리];C[x](;C[바둑])(;C[]))", Some("(;CA[UTF-8]PB[구리];C[x](;C[바둑])(;C[]))")),
        ("(;PB[구리]CA[latin1];C[x])\n", Some("(;PB[구리]CA[UTF-8];C[x])\n")),
        ("(;CA[foo]C[é])", Some("(;CA[UTF-8]C[é])")),
        // Each game for itself.
        ("(;CA[GBK]C[x])(;CA[GBK]C[围])(;CA[GBK]C[y])", Some("(;CA[GBK]C[x])(;CA[UTF-8]C[围])(;CA[GBK]C[y])")),
        ("(;CA[ISO-2022-KR]PB[구리]\n(;CA[GBK]C[x])", Some("(;CA[UTF-8]PB[구리])\n(;CA[GBK]C[x])")),
        (&long, Some(&mended)),
        // Private properties have texts too.
        ("(;CA[latin1]PB[é]XX[\u{E9}])", Some("(;CA[UTF-8]PB[é]XX[é])")),
        // It is true, or nobody knows.
        ("(;CA[UTF-8]C[é])", None),
        ("(;C[é])", None),
        ("(;CA[GBK]C[x])", None),
    ] {
        let (fixed, _) = fix(Decoding::new(), input.as_bytes());
        assert!(fixed == expected.unwrap_or(input).as_bytes(), "{input:.80}: {:.80}", fixed.escape_ascii().to_string());
        let (unread, _) = fix_slice(&Rules::new(), input.as_bytes());
        assert!(!input.ends_with("é])") || unread == input.as_bytes(), "nobody has asked: {input:.80}");
    }
    // Some text is in the charset after all.
    for input in [
        &b"(;CA[latin1]PB[\xC3\xA9];C[\xE9])"[..],
        b"(;CA[latin1]XX[\xE9];C[\xC3\xA9])",
        b"(;CA[ISO-2022-KR]PB[\x1B$)C\x0E9Y\x0F]PW[\xC3\xA9])",
        b"(;CA[GBK]PB[\xCA\xB1\xD4\xBD]PW[\xE5\x9B\xB4])",
    ] {
        let (fixed, _) = fix(Decoding::new(), input);
        assert_eq!(fixed, input, "{}", input.escape_ascii());
        let mut told = Vec::new();
        let mut checker = Checker::with_parser(&Parser::new().charset(Decoding::new()), Rules::new(), |finding| {
            if finding.rule() == Rule::Syntax(Code::CharsetMismatch) {
                told.push((finding.is_fixable(), finding.offset()));
            }
        });
        checker.check(input).unwrap();
        drop(checker);
        assert_eq!(told, [(false, 4)], "{}", input.escape_ascii());
    }
    let (fixed, _) = fix(Decoding::new().trust_ca(true), "(;CA[latin1]C[é])".as_bytes());
    assert_eq!(fixed, "(;CA[latin1]C[é])".as_bytes());
}
