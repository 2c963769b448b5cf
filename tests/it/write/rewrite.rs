//! Rewriting: cases, and its laws (L13) over inputs that are odd at the seams of games, values and texts.

use std::fmt;
use std::io::Read;
use std::ops::Range;

use quickcheck::{Arbitrary, Gen};
use sgf_check::{NoteKind, Rewriter, Rewritten, Rules};
use sgf_stream::{Code, Event, OwnedEvent, Parser};

use super::shown;
use crate::support::{BOM, Given, holds, naive};

#[test]
fn faults_of_syntax_are_mended_where_nothing_is_lost() {
    for (source, kept, lossy) in [
        ("(;C[x];)](A[y])", "(;C[x];)\n](;A[y])", "(;C[x];)(;A[y])"),
        ("(B[aa]", "(;B[aa])", "(;B[aa])"),
        ("(;B[aa]\n(;FF[4]", "(;B[aa])\n(;FF[4])", "(;B[aa])\n(;FF[4])"),
        ("(;a(;B[aa]);W[bb])", "(;a(;B[aa])(;W[bb]))", "(;(;B[aa])(;W[bb]))"),
        ("(;GM[1](;B[aa]);W[bb]", "(;GM[1](;B[aa])(;W[bb]))", "(;GM[1](;B[aa])(;W[bb]))"),
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
        for (is_lossy, expected) in [(false, kept), (true, lossy)] {
            let (out, _) = Rewriter::new(&Parser::new()).lossy(is_lossy).rewrite_slice(source.as_bytes());
            assert_eq!(shown(&out), expected.as_bytes().escape_ascii().to_string(), "{source}");
        }
    }
}

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
    b"()",
    b"\\",
    b"B[aa]",
    b"[bb]",
    b"C[x",
    b"C[x]",
    b"C[x\\]]",
    b"]C[y",
    b" ",
    b"\n",
    b"\x0B",
    b"foo",
    b"w[x]",
    b"KO",
    b"FF",
    b"FF[4]",
    b"P0[x]",
    b"x]",
    b"B[",
    b"B[]",
    b"AB[",
    b"AB[aa]",
    b"KM[]",
    b"HA[6.5]",
    b"SZ[9:9]",
    b"B[ d d ]",
    b"(;B[aa])",
    b";W[bb]",
    // Heads, and files that are glued together.
    b"(;FF[4]",
    b"(;GM[1]",
    b"(;EV[a]PB[b];",
    b"\xEF\xBB\xBF(;FF[4]C[z])",
    b"\n(;GM[1]C[cut",
    // Characters with brackets in them, and halves.
    b"CA[GBK]",
    b"CA[Shift_JIS]",
    b"CA[UTF-8]",
    b"CA[Big5",
    b"\x83\\",
    b"\x83]",
    b"\xB9\xC5",
    b"\xB9",
    b"C[\xB0\x5B\xB9\xC5]",
    b"C[\xB9\xC5\xB9\xC5]",
    b"C[\x83\\\x83\x5D\x83]",
    b"C[\x83\x65\x83\x58\x83\x67]",
    "C[ソ]".as_bytes(),
];

/// Bytes that are odd at the seams of games, values and texts.
#[derive(Clone)]
struct Seams(Vec<u8>);

impl fmt::Debug for Seams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b\"{}\"", shown(&self.0))
    }
}

impl Arbitrary for Seams {
    fn arbitrary(random: &mut Gen) -> Self {
        const STARTS: &[&[u8]] =
            &[b"(;", b"(;", b"", b"(;FF[4]", b"(;CA[GBK]", b"(;CA[Shift_JIS]C[", b"\xEF\xBB\xBF(;"];
        let len = usize::arbitrary(random) % 14;
        let mut bytes = random.choose(STARTS).unwrap().to_vec();
        (0..len).for_each(|_| bytes.extend_from_slice(random.choose(PIECES).unwrap()));
        Seams(bytes)
    }

    /// Leaves out bytes.
    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let (bytes, len) = (self.0.clone(), self.0.len());
        let ranges = [8, 4, 2, 1].into_iter().filter(move |size| *size <= len);
        let ranges = ranges.flat_map(move |size| (0..=len - size).map(move |start| start..start + size));
        Box::new(ranges.map(move |range| {
            let mut rest = bytes.clone();
            rest.drain(range);
            Seams(rest)
        }))
    }
}

/// How a stream is rewritten.
#[derive(Clone, Copy, Debug)]
struct Mode {
    form: Form,
    is_lossy: bool,
    guesses_charset: bool,
    charset: Charsets,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Exact,
    /// The diagnostics of rules are repaired.
    Fixed,
    Canonical,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Charsets {
    /// The parser has none.
    None,
    Given(naive::Charset),
    /// Big5, unless something else says what it is.
    Default,
    Detected,
}

impl Arbitrary for Mode {
    fn arbitrary(random: &mut Gen) -> Self {
        use naive::Charset::{Big5, Gbk, ShiftJis};

        let charset = match u8::arbitrary(random) % 7 {
            _ if cfg!(not(feature = "charset")) => Charsets::None,
            0..2 => Charsets::None,
            2..4 => Charsets::Detected,
            4 => Charsets::Default,
            _ => Charsets::Given(*random.choose(&[Gbk, ShiftJis, Big5]).unwrap()),
        };
        let form = *random.choose(&[Form::Exact, Form::Fixed, Form::Canonical]).unwrap();
        let guesses_charset = u8::arbitrary(random) % 4 == 0 && form != Form::Exact;
        Mode { form, is_lossy: bool::arbitrary(random), guesses_charset, charset }
    }
}

impl Mode {
    fn rewriter(self) -> Rewriter {
        let parser = match self.charset {
            Charsets::None => Parser::new(),
            Charsets::Given(charset) => crate::support::parser(&rules(Given::Forced(Some(charset)))),
            #[cfg(feature = "charset")]
            Charsets::Default => crate::support::parser(&rules(Given::Default(naive::Charset::Big5))),
            #[cfg(feature = "charset")]
            Charsets::Detected => Parser::new().charset(sgf_stream::charset::Decoding::new()),
            #[cfg(not(feature = "charset"))]
            Charsets::Default | Charsets::Detected => Parser::new(),
        };
        let rewriter = match self.form {
            Form::Exact => Rewriter::new(&parser),
            Form::Fixed => Rewriter::with_rules(&parser, Rules::new()),
            Form::Canonical => Rewriter::new(&parser).canonical(),
        };
        #[cfg(feature = "charset")]
        let rewriter = rewriter.guess_charset(self.guesses_charset);
        rewriter.lossy(self.is_lossy)
    }

    fn rewrite(self, bytes: &[u8]) -> (Vec<u8>, Rewritten) {
        self.rewriter().rewrite_slice(bytes)
    }

    /// The rules of the naive model, if it knows the charset.
    fn naive(self) -> Option<naive::Rules> {
        match self.charset {
            Charsets::None => Some(rules(Given::Nothing)),
            Charsets::Given(charset) => Some(rules(Given::Forced(Some(charset)))),
            Charsets::Default | Charsets::Detected => None,
        }
    }
}

fn rules(given: Given) -> naive::Rules {
    naive::Rules { strict: false, max_value_len: 1 << 20, max_ident_len: 256, max_depth: 1 << 20, given }
}

fn places(range: &Range<u64>) -> Range<usize> {
    range.start as usize..range.end as usize
}

/// R2, R7: what has no change is written byte for byte.
#[test]
fn what_is_not_changed_keeps_its_bytes() {
    fn law(Seams(bytes): Seams, mode: Mode) {
        let (out, done) = mode.rewrite(&bytes);
        let (mut built, mut at) = (Vec::new(), 0);
        for change in done.changes() {
            let range = places(&change.range);
            assert!(range.start >= at && bytes[range.clone()] != change.with[..], "{change:?}");
            built.extend_from_slice(&bytes[at..range.start]);
            built.extend_from_slice(&change.with);
            at = range.end;
        }
        built.extend_from_slice(&bytes[at..]);
        assert_eq!(shown(&built), shown(&out));
        assert_eq!(done.has_changed(), out != bytes);
        let has_plan = done.count() > 0 || done.dropped().next().is_some();
        if mode.form != Form::Canonical {
            assert_eq!(has_plan, out != bytes, "{:?}\n{}", done.notes(), shown(&out));
        }
    }
    holds(2_000, law as fn(Seams, Mode));
}

/// R3: a cut at a head does not matter, where the charset does not depend on the rest.
#[test]
fn what_follows_a_head_is_rewritten_by_itself() {
    fn law(Seams(bytes): Seams, Seams(more): Seams, mode: Mode) {
        // In canonical form a byte-order mark decides what CA says in all games.
        let has_mark = mode.form == Form::Canonical && bytes.starts_with(b"\xEF\xBB\xBF");
        if mode.charset == Charsets::Detected || has_mark && mode.charset != Charsets::None {
            return;
        }
        let bytes = [bytes, more].concat();
        let whole = mode.rewrite(&bytes).0;
        for head in naive::heads(&bytes) {
            let (before, after) = bytes.split_at(head);
            let (before, done) = mode.rewrite(before);
            if done.has_errors() {
                continue; // alone it is no SGF
            }
            if before.iter().all(u8::is_ascii_whitespace) {
                continue; // with nothing before it, a game needs no head
            }
            // A head is needed where something is before it; and the mark of the stream is known in all of it.
            let has_mark = bytes.starts_with(BOM);
            let start = if has_mark { &b"\xEF\xBB\xBF(;FF[4])\n"[..] } else { b"(;FF[4])\n" };
            let after = mode.rewrite(&[start, after].concat()).0;
            let after = after.strip_prefix(start).expect("a game without faults stays").to_vec();
            let parts = [before, after].concat();
            assert_eq!(shown(&parts), shown(&whole), "cut at {head}");
        }
    }
    holds(1_000, law as fn(Seams, Seams, Mode));
}

/// The trees, nodes and values; identifiers too, if nothing may happen to them.
fn content(bytes: &[u8], rules: &naive::Rules) -> Vec<OwnedEvent> {
    naive::read(bytes, rules).events.into_iter().map(|(_, event)| event).collect()
}

/// A value without its escapes, and blanks at its end.
fn bare(event: &OwnedEvent) -> OwnedEvent {
    match event.borrow() {
        Event::Value(value) => {
            let mut raw: Vec<u8> = value.as_bytes().iter().copied().filter(|byte| *byte != b'\\').collect();
            raw.truncate(raw.len() - raw.iter().rev().take_while(|byte| **byte == b' ').count());
            OwnedEvent::Value(raw.into())
        }
        _ => event.clone(),
    }
}

/// R4: the naive model finds in the output what it finds in the input, and the values that were cut off.
#[test]
fn the_naive_model_reads_what_was_meant() {
    fn law(Seams(bytes): Seams, mode: Mode) {
        let mode = Mode { form: Form::Exact, guesses_charset: false, ..mode };
        let Some(rules) = mode.naive() else { return };
        let (out, done) = mode.rewrite(&bytes);
        let drops = done.dropped().next().is_some();
        let (before, after) = (content(&bytes, &rules), content(&out, &rules));
        // All old values exist, in their order; the new ones are those that were truncated. With `--lossy`, a value
        // that followed a word may be dropped.
        let mut left = before.iter().map(bare).peekable();
        let mut new = 0;
        for event in after.iter().map(bare) {
            if left.next_if_eq(&event).is_some() {
                continue;
            }
            let is_value = matches!(event, OwnedEvent::Property(_) | OwnedEvent::Value(_));
            if drops && matches!(left.peek(), Some(OwnedEvent::Property(_) | OwnedEvent::Value(_))) {
                while left
                    .next_if(|old| *old != event && matches!(old, OwnedEvent::Property(_) | OwnedEvent::Value(_)))
                    .is_some()
                {}
                if left.next_if_eq(&event).is_some() {
                    continue;
                }
            }
            assert!(is_value, "{event:?} is new in {}", shown(&out));
            new += usize::from(matches!(event, OwnedEvent::Value(_)));
        }
        let rest: Vec<_> = left.collect();
        assert!(
            rest.is_empty()
                || drops && rest.iter().all(|event| matches!(event, OwnedEvent::Property(_) | OwnedEvent::Value(_))),
            "{rest:?} are lost in {}",
            shown(&out)
        );
        let closed: u64 = done.repairs().filter(|(code, _)| is_cut(code)).map(|(_, count)| count).sum();
        assert!(new as u64 <= closed, "{new} values are new, and {closed} were closed: {}", shown(&out));
    }
    fn is_cut(code: &str) -> bool {
        [Code::UnterminatedValue, Code::MissingCloseBracket].iter().any(|cut| cut.as_str() == code)
    }
    holds(2_000, law as fn(Seams, Mode));
}

/// R5, with the charset of the first time.
#[test]
fn a_second_rewriting_plans_nothing() {
    fn law(Seams(bytes): Seams, mode: Mode) {
        // Canonical form is in UTF-8, which a charset for all that is read contradicts. A mark that says UTF-8 is false where
        // the bytes are not; once it is gone, they may say something else.
        let is_false = bytes.starts_with(b"\xEF") && str::from_utf8(&bytes).is_err();
        let has_charset = mode.charset != Charsets::None;
        if mode.form == Form::Canonical && (matches!(mode.charset, Charsets::Given(_)) || is_false && has_charset) {
            return;
        }
        let (once, first) = mode.rewrite(&bytes);
        // What was left out may have told the charset.
        let has_dropped = first.dropped().next().is_some();
        if mode.guesses_charset && has_dropped {
            return;
        }
        let (twice, done) = mode.rewrite(&once);
        assert_eq!(shown(&twice), shown(&once));
        if mode.charset == Charsets::Detected && has_dropped {
            return;
        }
        assert_eq!((done.count(), done.dropped().count(), done.has_changed()), (0, 0, false), "{:?}", done.notes());
        assert!(done.left().eq(first.left()), "{:?}\n{:?}\n{}", first.notes(), done.notes(), shown(&once));
    }
    holds(3_000, law as fn(Seams, Mode));
}

/// What is printed can make room for a repair, and without the mark it may be read differently.
#[test]
fn canonical_form_of_odd_games_stays_as_it_is() {
    const ODD: &[&[u8]] = &[
        b"(;CA[GBK];(A[y]);FF)(SZ[9:9]A-1[x]HA[6.5]HA[6.5][bb][)\xb9CoPyright[x]",
        b"\xEF\xBB\xBF(;;\xB9[bb](",
        b"\xEF\xBB\xBF(;CA[Big5C[\x83\\\x83]\x83]A-1[x]AB[](x]]C[y",
        b"\xEF\xBB\xBFGN[(;FF[4]",
    ];
    for charset in [Charsets::None, Charsets::Default, Charsets::Detected] {
        for (is_lossy, bytes) in
            [false, true].into_iter().flat_map(|is_lossy| ODD.iter().map(move |odd| (is_lossy, odd)))
        {
            let mode = Mode { form: Form::Canonical, is_lossy, guesses_charset: false, charset };
            let (once, first) = mode.rewrite(bytes);
            let (twice, done) = mode.rewrite(&once);
            assert_eq!(shown(&twice), shown(&once), "{mode:?}");
            assert!(done.left().eq(first.left()), "{:?}\n{:?}\n{}", first.notes(), done.notes(), shown(&once));
        }
    }
}

/// All bytes but brackets, escapes and blanks.
fn rest(bytes: &[u8]) -> Vec<u8> {
    let is_rest = |byte: &u8| !matches!(byte, b'(' | b')' | b';' | b'[' | b']' | b'\\' | b' ' | 0x09..=0x0D);
    bytes.iter().copied().filter(is_rest).collect()
}

/// R6: without leave only brackets, escapes and blanks come and go; with it, what is missing is what the notes say.
#[test]
fn what_is_missing_is_noted() {
    fn law(Seams(bytes): Seams, mode: Mode) {
        let mode = Mode { form: Form::Exact, guesses_charset: false, ..mode };
        let (out, done) = mode.rewrite(&bytes);
        let mut kept = bytes.clone();
        let mut dropped: Vec<Range<usize>> = Vec::new();
        for note in done.notes().iter().filter(|note| note.kind == NoteKind::Dropped) {
            assert!(mode.is_lossy && !note.range.is_empty(), "{note:?}");
            dropped.push(places(&note.range));
        }
        // Blanks stand for what went, and stay out of the comparison.
        dropped.iter().for_each(|range| kept[range.clone()].fill(b' '));
        assert_eq!(shown(&rest(&kept)), shown(&rest(&out)), "{:?}\n{}", done.notes(), shown(&out));
    }
    holds(3_000, law as fn(Seams, Mode));
}

/// A game is written twice where escapes hide bytes of its characters, and a fault of the second time has no place in the first.
#[test]
fn notes_are_about_places_of_the_source() {
    let source = b"(;CA[GBK]B[]\x0b(P0[x]CA[Shift_JIS]\xe5\xad\x97W[bb]W[bb]C[\x83\\\x83]\x83]\\FF[3]B[aa]C[\x83\\\x83]\x83]()(;B[aa])(";
    let (_, done) = Rewriter::new(&Parser::new()).lossy(true).canonical().rewrite_slice(source);
    let left = done.notes().iter().find(|note| note.code == Code::CutCharacter.as_str());
    assert_eq!(left.map(|note| note.range.clone()), Some(0..1), "{:?}", done.notes());

    fn law(Seams(bytes): Seams, mode: Mode) {
        let (_, done) = mode.rewrite(&bytes);
        for note in done.notes() {
            let is_place = note.range.start <= bytes.len() as u64;
            assert!(is_place && note.position.offset <= bytes.len() as u64, "{note:?}");
        }
    }
    holds(2_000, law as fn(Seams, Mode));
}

/// A reader that gives so many bytes at a time.
struct Chunks<'b>(&'b [u8], usize);

impl Read for Chunks<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let len = self.1.min(buffer.len());
        self.0.read(&mut buffer[..len])
    }
}

/// R3 for chunks.
#[test]
fn chunks_do_not_matter() {
    fn law(Seams(bytes): Seams, mode: Mode, size: u8) {
        let (whole, done) = mode.rewrite(&bytes);
        let mut out = Vec::new();
        let counts = mode.rewriter().rewrite(Chunks(&bytes, usize::from(size % 40) + 1), &mut out).unwrap();
        assert_eq!(shown(&out), shown(&whole));
        assert!(counts.repairs().eq(done.repairs()) && counts.left().eq(done.left()), "{counts:?}");
        assert!(counts.dropped().eq(done.dropped()) && counts.has_errors() == done.has_errors(), "{counts:?}");
    }
    holds(2_000, law as fn(Seams, Mode, u8));
}

/// R3 for parts: 256 KiB of sound games before and after make the pieces come in parts of their own.
#[test]
fn boundaries_of_parts_do_not_matter() {
    fn law(Seams(bytes): Seams, mode: Mode) {
        if mode.charset == Charsets::Detected {
            return;
        }
        let one = b"(;FF[4]GM[1]C[a game that is sound])\n";
        let game = [b"(;GM[1]C[x]", &bytes[..], b"\n"].concat();
        let between = |sound: &[u8]| {
            let (out, _) = mode.rewrite(&[sound, &game, sound].concat());
            shown(out.strip_prefix(sound).and_then(|rest| rest.strip_suffix(sound)).expect("they stay"))
        };
        assert_eq!(between(&one.repeat((1 << 18) / one.len())), between(one));
    }
    holds(60, law as fn(Seams, Mode));
}
