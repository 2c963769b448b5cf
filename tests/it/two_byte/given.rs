//! Charsets that the caller gives, or that are detected: they count from the first byte of a stream.

use std::io::BufReader;

use sgf_stream::charset::Decoding;
use sgf_stream::{Code, Parser};
#[cfg(feature = "parallel")]
use sgf_stream::{Event, OwnedEvent};

use super::{BRACKETS, LENIENT, ROWS, STRICT, front_ends, skipping_keeps_the_laws};
use crate::support::generate::Input;
use crate::support::naive::Charset;
#[cfg(feature = "parallel")]
use crate::support::parse;
use crate::support::{self, Given, Rules, every_front_end, laws, naive, table};

/// A charset, and what a row of the others is.
type GivenRow = (Given, &'static [u8], &'static [u8], &'static [(Code, u64)]);

const SJIS: Given = Given::Forced(Some(Charset::ShiftJis));
const SJIS_IF_NONE: Given = Given::Default(Charset::ShiftJis);

/// What the caller says counts from the first byte on.
#[rustfmt::skip]
const GIVEN: &[GivenRow] = &[
    (SJIS, b"(;PB[\x83\x5C]BR[9d];B[dd])", b"(;PB<\x83\\>BR<9d>;B<dd>)", &[]),
    (SJIS_IF_NONE, b"(;PB[\x83\x5C]BR[9d];B[dd])", b"(;PB<\x83\\>BR<9d>;B<dd>)", &[]),
    // Whatever CA says; or as long as it says nothing.
    (SJIS, b"(;CA[UTF-8]PB[\x83\x5C];C[\x83\x5C])", b"(;CA<UTF-8>PB<\x83\\>;C<\x83\\>)", &[]),
    (SJIS_IF_NONE, b"(;PB[\x83\x5C]CA[latin1]C[\xB1];C[\x81]])", b"(;PB<\x83\\>CA<latin1>C<\xB1>;C<\x81>)", &[(Code::JunkInTree, 27)]),
    (SJIS_IF_NONE, b"(;CA[ ]PB[\x83\x5C];C[\x83\x5C])", b"(;CA< >PB<\x83\\>;C<\x83\\>)", &[]),
    (SJIS_IF_NONE, b"(;CA[];C[\x83\x5C])", b"(;CA<>;C<\x83\\>)", &[]),
    (SJIS_IF_NONE, b"(;CA[x];C[\x81]])", b"(;CA<x>;C<\x81>)", &[(Code::JunkInTree, 12)]),
    (Given::Forced(None), b"(;CA[GBK]C[\x81]];B[aa])", b"(;CA<GBK>C<\x81>;B<aa>)", &[(Code::JunkInTree, 13)]),
    (Given::Default(Charset::Gbk), b"(;CA[sjis]C[\xB1])", b"(;CA<sjis>C<\xB1>)", &[]),
    // Each game for itself.
    (SJIS_IF_NONE, b"(;C[\x83\x5C])(;CA[latin1];C[\x81])(;C[\x83\x5C](;C[\x83\x5C]))", b"(;C<\x83\\>)(;CA<latin1>;C<\x81>)(;C<\x83\\>(;C<\x83\\>))", &[]),
    // The mark of UTF-8 contradicts a default.
    (SJIS_IF_NONE, b"\xEF\xBB\xBF(;C[\x81]];B[aa])", b"(;C<\x81>;B<aa>)", &[(Code::JunkInTree, 9)]),
    (SJIS, b"\xEF\xBB\xBF(;C[\x81]];B[aa])", b"(;C<\x81]>;B<aa>)", &[]),
    // UTF-8 is left alone here too.
    (SJIS, "(;C[ソ];B[aa])".as_bytes(), "(;C<ソ>;B<aa>)".as_bytes(), &[]),
];

#[test]
fn a_charset_that_the_caller_gives_counts_from_the_first_byte() {
    for &(given, input, expected, findings) in GIVEN {
        let (strict, lenient) = (Rules { given, ..STRICT }, Rules { given, ..LENIENT });
        for read in [naive::read, front_ends] {
            let expected = expected.escape_ascii().to_string();
            table::Row { input, read: &expected, brackets: BRACKETS, findings }
                .check(&read(input, &strict), &read(input, &lenient).sorted());
        }
    }
}

/// Whatever is given, and whatever is skipped, all front ends agree.
#[test]
fn a_given_charset_keeps_the_laws() {
    let charsets = [Charset::ShiftJis, Charset::Big5, Charset::Gbk, Charset::Gb18030];
    let given = charsets.iter().flat_map(|&charset| [Given::Default(charset), Given::Forced(Some(charset))]);
    let given: Vec<Given> = given.chain([Given::Forced(None)]).collect();
    let inputs = ROWS.concat().into_iter().map(|(input, ..)| input).chain(GIVEN.iter().map(|row| row.1));
    for (i, input) in inputs.enumerate() {
        // Without what they say of themselves.
        let unsaid = String::from_utf8_lossy(input).contains("CA").then(|| {
            let mut unsaid = input.to_vec();
            let at = unsaid.windows(2).position(|two| two == b"CA").unwrap();
            unsaid[at] = b'X';
            unsaid
        });
        let given = given[i % given.len()];
        for input in [Some(input), unsaid.as_deref()].into_iter().flatten() {
            for rules in
                [Rules { given, ..LENIENT }, Rules { given, ..STRICT }, Rules { given, max_value_len: 1, ..LENIENT }]
            {
                skipping_keeps_the_laws(input, &rules);
            }
        }
    }
    fn law(input: Input, rules: Rules, given: Given) {
        let rules = Rules { given, ..rules };
        let input = input.0;
        laws::model(&input, &rules);
        laws::skipped_games(&input, &rules, &[1, 0, 3], 5);
    }
    support::holds(300, law as fn(Input, Rules, Given));
}

/// What nobody names is looked for before anything is read.
#[test]
fn a_charset_that_is_detected_counts_from_the_first_byte() {
    let encode = |text: &str| sgf_stream::charset::Charset::SHIFT_JIS.encoding().unwrap().encode(text).0.into_owned();
    let text = encode("囲碁の予定表は能力のある棋士の対局です");
    let name = encode("ソ");
    let game = |head: &[u8]| [b"(;", head, b"PB[", &name, b"]BR[9d]C[", &text, b"];B[dd])"].concat();
    let parser = |strict: bool| if strict { Parser::strict() } else { Parser::new() };
    for (input, is_found) in [
        (game(b""), true),
        (game(b"CA[]"), true),
        ([game(b""), game(b""), game(b"CA[SJIS]"), b"(;C[caf\xC3\xA9])".to_vec()].concat(), true),
        (game(b"CA[Shift_JIS]"), false),
        ([b"(;FF[4])\n".to_vec(), game(b"CA[Shift_JIS]")].concat(), false),
    ] {
        for strict in [false, true] {
            let given = if is_found { SJIS_IF_NONE } else { Given::Nothing };
            let rules = Rules { given, strict, ..LENIENT };
            let seen = every_front_end(&input, &parser(strict).charset(Decoding::new()));
            assert_eq!(seen.sorted(), naive::read(&input, &rules).sorted(), "{}", input.escape_ascii());
            let off = every_front_end(&input, &parser(strict).charset(Decoding::new().sniff(false)));
            let unsaid = naive::read(&input, &Rules { given: Given::Nothing, ..rules });
            assert_eq!(off.sorted(), unsaid.sorted(), "off: {}", input.escape_ascii());
        }
        let parser = Parser::new().charset(Decoding::new());
        let mut reader = parser.reader(BufReader::with_capacity(3, &input[..]));
        assert_eq!(reader.detected_charset(), None, "nothing has been read");
        assert_eq!(reader.skip_game().map_err(|e| e.to_string()), Ok(true));
        let found = is_found.then_some(sgf_stream::charset::Charset::SHIFT_JIS);
        assert_eq!(reader.detected_charset(), found, "{}", input.escape_ascii());
    }
}

/// The ways to read Shift_JIS: detected, forced, and by default.
#[cfg(feature = "parallel")]
fn as_shift_jis() -> [Decoding; 3] {
    let shift_jis = sgf_stream::charset::Charset::SHIFT_JIS;
    [Decoding::new(), Decoding::new().force(shift_jis), Decoding::new().default_charset(shift_jis)]
}

/// The parts of a stream know what its start has shown, and what the caller says.
#[test]
#[cfg(feature = "parallel")]
fn parts_are_read_in_the_charset_of_the_stream() {
    use sgf_stream::charset::Charset;

    let text = Charset::SHIFT_JIS.encoding().unwrap().encode("囲碁の予定表は能力のある棋士の対局ですソ").0;
    let game = [b"(;FF[4]PB[\x83\x5C]BR[9d]C[", &text[..], b"](;B[dd])(;W[aa]C[\x83\x5C]))\n"].concat();
    let input = game.repeat(9);
    for decoding in as_shift_jis() {
        for parser in [Parser::new(), Parser::strict()] {
            let parser = parser.charset(decoding);
            let whole = parse(&input, &parser);
            assert_eq!(whole.events.iter().filter(|(_, event)| *event == OwnedEvent::StartTree).count(), 27);
            let read = |parts: Vec<sgf_stream::parts::Part<'_>>| {
                let mut events = Vec::new();
                for part in &parts {
                    part.parse(&parser, |event, at| events.push((at, event.to_owned()))).unwrap();
                }
                (events, parts.len())
            };
            for len in [1, game.len() + 1, input.len(), 1 << 20] {
                let (events, count) = read(parser.par_slice(&input).part_len(len).parts());
                assert_eq!(events, whole.events, "a slice, in {count} parts");
                let parts = parser.parts(&input[..]).part_len(len).collect::<Result<_, _>>().unwrap();
                let (events, count) = read(parts);
                assert_eq!(events, whole.events, "a stream, in {count} parts");
                assert!(len > 1 || count >= 9, "{count}");
            }
            for len in [1, game.len() as u64 + 1, 1 << 20] {
                let split = parser.split(&input);
                let starts = (0..input.len() as u64).step_by(len as usize);
                let ranges: Vec<_> =
                    starts.map(|start| split.range(start..start.saturating_add(len)).unwrap()).collect();
                let mut events = Vec::new();
                for range in &ranges {
                    let mut reader = range.reader(&parser);
                    while let Some(event) = reader.next_event().unwrap().map(Event::to_owned) {
                        events.push((reader.offset(), event));
                    }
                }
                assert_eq!(events, whole.events, "ranges of {len} bytes");
                let (events, _) = read(ranges.iter().map(|range| range.part().unwrap()).collect());
                assert_eq!(events, whole.events, "parts of ranges of {len} bytes");
            }
        }
    }
}

/// However a stream is cut, its games are read as those of the whole, whatever says what the charset is.
#[test]
#[cfg(all(feature = "parallel", feature = "serde"))]
fn games_of_parts_and_ranges_are_those_of_the_whole() {
    use std::collections::BTreeMap;

    use sgf_stream::charset::Charset;
    use sgf_stream::parts::Next;

    type Game = BTreeMap<String, String>;

    let text = Charset::SHIFT_JIS.encoding().unwrap().encode("囲碁の予定表は能力のある棋士の対局ですソ").0;
    let game = [b"(;FF[4]PB[\x83\x5C]BR[9d]C[", &text[..], b"];B[dd]C[\x83\x5C])\n"].concat();
    let input = game.repeat(9);
    let name = |game: sgf_stream::de::Result<Game>| game.map(|game| (game["PB"].clone(), game["BR"].clone())).unwrap();
    for decoding in as_shift_jis() {
        let parser = Parser::new().charset(decoding);
        let whole: Vec<_> = parser.slice(&input).games::<Game>().map(name).collect();
        assert_eq!(whole, vec![("ソ".to_owned(), "9d".to_owned()); 9]);
        for len in [1, 100, 1 << 20] {
            let games = parser.par_slice(&input).part_len(len).games::<Game>();
            assert_eq!(games.map(name).collect::<Vec<_>>(), whole, "a slice, parts of {len} bytes");
            for max_game_len in [8, 1 << 20] {
                let parser = parser.clone().max_game_len(max_game_len);
                let games = parser.par_reader(&input[..]).part_len(len).games::<Game>();
                assert_eq!(games.map(name).collect::<Vec<_>>(), whole, "a stream, {max_game_len} bytes a game");
                let (mut games, mut parts) = (Vec::new(), parser.parts(&input[..]).part_len(len));
                while let Some(next) = parts.next_part().unwrap() {
                    match next {
                        Next::Part(part) => games.extend(part.reader(&parser).games::<Game>().map(name)),
                        Next::Long(long) => games.extend(long.reader(&parser).games::<Game>().map(name)),
                    }
                }
                assert_eq!(games, whole, "parts, {max_game_len} bytes a game");
            }
            let (split, mut of_readers, mut of_parts) = (parser.split(&input), Vec::new(), Vec::new());
            for start in (0..input.len() as u64).step_by(len) {
                let range = split.range(start..start + len as u64).unwrap();
                of_readers.extend(range.reader(&parser).games::<Game>().map(name));
                of_parts.extend(range.part().unwrap().reader(&parser).games::<Game>().map(name));
            }
            assert_eq!(of_readers, whole, "ranges of {len} bytes");
            assert_eq!(of_parts, whole, "parts of ranges of {len} bytes");
        }
    }
}
