//! Cases and laws of rewriting. The laws over the public API are in `tests/it/write/rewrite.rs`.

use quickcheck::{Arbitrary, Gen, QuickCheck};

use crate::check::Rules;
use crate::{Event, Parser};

fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn rewritten(bytes: &[u8], is_lossy: bool) -> Vec<u8> {
    Parser::new().rewriter().lossy(is_lossy).rewrite_slice(bytes).0
}

#[test]
fn faults_of_syntax_are_mended_where_nothing_is_lost() {
    for (source, kept, lossy) in [
        ("(;C[x];)](A[y])", "(;C[x];)\n](;A[y])", "(;C[x];)(;A[y])"),
        ("(B[aa]", "(;B[aa])", "(;B[aa])"),
        ("(;B[aa]\n(;FF[4]", "(;B[aa])\n(;FF[4])", "(;B[aa])\n(;FF[4])"),
        ("(;a(;B[aa]);W[bb])", "(;a(;W[bb])(;B[aa]))", "(;(;W[bb])(;B[aa]))"),
        ("(;GM[1](;B[aa]);W[bb]", "(;GM[1](;W[bb])(;B[aa]))", "(;GM[1](;W[bb])(;B[aa]))"),
        ("mail (;B[aa]))) \n", "mail (;B[aa]) \n", " (;B[aa]) \n"),
        ("(;PB[Foo [3d]]PW[x]", "(;PB[Foo [3d\\]]PW[x])", "(;PB[Foo [3d\\]]PW[x])"),
        ("(;C[cut o", "(;C[cut o])", "(;C[cut o])"),
        ("(;C[cut\\", "(;C[cut\\\\])", "(;C[cut\\\\])"),
        ("(;B[", "(;B[", "(;)"),
        ("(;()B[aa](()(;W[bb])))", "(;B[aa](;W[bb]))", "(;B[aa](;W[bb]))"),
        ("(;AB[aa]foo\x0B[bb])", "(;AB[aa]foo\x0B[bb])", "(;AB[aa]\x0B)"),
        ("(;GM[1];)]P0[x])", "(;GM[1\\];)]P0[x])", "(;GM[1\\];)]P0[x])"),
        // It would be no head any more, and end no game before it.
        ("(;GM[1])(;GM[1];)]P0[x])", "(;GM[1])(;GM[1];)]P0[x])", "(;GM[1])(;GM[1];)]P0[x])"),
        (")", ")", ")"),
    ] {
        assert_eq!(shown(&rewritten(source.as_bytes(), false)), kept, "{source}");
        assert_eq!(shown(&rewritten(source.as_bytes(), true)), lossy, "{source}");
    }
}

/// Bytes that are odd at the seams of games, values and texts.
#[derive(Clone, Debug)]
struct Seams(Vec<u8>);

impl Arbitrary for Seams {
    fn arbitrary(random: &mut Gen) -> Self {
        const PIECES: &[&[u8]] = &[
            b"(",
            b")",
            b";",
            b"[",
            b"]",
            b"(;",
            b";)",
            b";)]",
            b"](",
            b"(A[y])",
            b"B[aa]",
            b"C[x",
            b"C[x]",
            b" ",
            b"\n",
            b"\x0B",
            b"foo",
            b"FF",
            b"(;FF[4]",
            b"(;GM[1]",
            b"\\",
            b"[bb]",
            b"CA[GBK]",
            b"\xB9\xC5",
            b"\xB9",
            b"C[\xB9\xC5\xB9\xC5]",
            b"C[\x83\\\x83\x5D\x83]",
            b"CA[UTF-8]",
            b"CA[Big5",
            b"P0[x]",
            b"()",
            b"x]",
            b"]C[y",
            b"(;EV[a]PB[b];",
            b"B[]",
            b"AB[",
            b"AB[aa]",
            b"HA[6.5]",
            b"SZ[9:9]",
            b"B[ d d ]",
            b"(;B[aa])",
        ];
        let len = usize::arbitrary(random) % 14;
        let start: &[u8] =
            random.choose(&[&b"(;"[..], b"", b"(;FF[4]", b"(;CA[GBK]", b"\xEF\xBB\xBF(;"]).unwrap_or(&&b""[..]);
        let rest = (0..len).flat_map(|_| random.choose(PIECES).unwrap_or(&&b""[..]).to_vec());
        Seams(start.iter().copied().chain(rest).collect())
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        Box::new(self.0.shrink().map(Seams))
    }
}

fn holds(law: fn(Seams) -> bool) {
    let tests = std::env::var("QUICKCHECK_TESTS").ok().and_then(|tests| tests.parse().ok()).unwrap_or(2_000);
    QuickCheck::new().rng(Gen::from_size_and_seed(100, 34)).tests(tests).quickcheck(law);
}

#[test]
fn a_second_rewriting_changes_nothing() {
    fn law(Seams(bytes): Seams) -> bool {
        let modes = [Parser::new().rewriter(), Parser::new().fixer(Rules::new()), Parser::new().rewriter().canonical()];
        modes.iter().flat_map(|mode| [mode.clone(), mode.clone().lossy(true)]).all(|mode| {
            let (once, _) = mode.rewrite_slice(&bytes);
            mode.rewrite_slice(&once).0 == once
        })
    }
    holds(law);
}

#[cfg(feature = "charset")]
#[test]
fn a_second_rewriting_changes_nothing_in_any_charset() {
    use crate::charset::{Charset, Decoding};
    fn law((Seams(bytes), pick): (Seams, u8)) -> bool {
        let decoding = match pick % 4 {
            0 => Decoding::new(),
            1 => Decoding::new().force(Charset::for_label(b"GBK").unwrap()),
            2 => Decoding::new().force(Charset::for_label(b"Shift_JIS").unwrap()),
            _ => Decoding::new().default_charset(Charset::for_label(b"Big5").unwrap()),
        };
        let parser = Parser::new().charset(decoding);
        let exact = parser.rewriter();
        let fix = parser.fixer(Rules::new());
        let mut modes = vec![exact.clone(), fix.clone(), exact.clone().lossy(true), fix.clone().lossy(true)];
        // What is left out may have told the charset that is guessed.
        modes.push(fix.guess_charset(true));
        // Canonical form is in UTF-8, which a charset for all that is read contradicts. A mark that says UTF-8 is false where the
        // bytes are not; once it is gone, they may say something else.
        let is_false = bytes.starts_with(b"\xEF") && str::from_utf8(&bytes).is_err();
        if !matches!(pick % 4, 1 | 2) && !is_false {
            let canonical = exact.canonical();
            modes.extend([canonical.clone(), canonical.clone().lossy(true), canonical.guess_charset(true)]);
        }
        modes.iter().all(|mode| {
            let (once, _) = mode.rewrite_slice(&bytes);
            mode.rewrite_slice(&once).0 == once
        })
    }
    let tests = std::env::var("QUICKCHECK_TESTS").ok().and_then(|tests| tests.parse().ok()).unwrap_or(2_000);
    QuickCheck::new().rng(Gen::from_size_and_seed(100, 34)).tests(tests).quickcheck(law as fn((Seams, u8)) -> bool);
}

/// The games of a stream: the number of nodes, properties and values of each.
fn games(bytes: &[u8]) -> Vec<[usize; 3]> {
    let (mut games, mut depth) = (Vec::new(), 0_usize);
    for event in Parser::new().slice(bytes).map_while(Result::ok) {
        match event {
            Event::StartTree => {
                if depth == 0 {
                    games.push([0; 3]);
                }
                depth += 1;
            }
            Event::EndTree => depth -= 1,
            _ => {
                let kind =
                    [Event::Node == event, matches!(event, Event::Property(_)), matches!(event, Event::Value(_))];
                if let Some(game) = games.last_mut() {
                    kind.into_iter().zip(game).for_each(|(is_kind, count)| *count += usize::from(is_kind));
                }
            }
        }
    }
    games
}

#[test]
fn no_game_node_or_value_is_gained_or_lost() {
    fn law(Seams(bytes): Seams) -> bool {
        let (once, done) = Parser::new().rewriter().rewrite_slice(&bytes);
        let has_closed =
            done.repairs().any(|(code, _)| code == "unterminated-value" || code == "missing-close-bracket");
        has_closed || games(&bytes) == games(&once)
    }
    holds(law);
}

#[test]
fn without_leave_only_brackets_escapes_and_blanks_change() {
    fn law(Seams(bytes): Seams) -> bool {
        let rest = |bytes: &[u8]| -> Vec<u8> {
            let mut rest: Vec<u8> = bytes.iter().copied().filter(|byte| !b"();[]\\ \n".contains(byte)).collect();
            rest.sort_unstable(); // a node after a variation goes before it
            rest
        };
        rest(&rewritten(&bytes, false)) == rest(&bytes)
    }
    holds(law);
}
