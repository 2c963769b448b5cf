//! Shift_JIS, Big5, GBK and GB18030 have characters of two bytes. The second byte may be `[`, `\` or `]`. In a game
//! that names one of them in its root, such a byte is text. Tested with every reader, and, to see which of the two is
//! wrong, with the model alone.

#[cfg(feature = "charset")]
mod given;
mod rows;

use std::io::BufReader;

use rows::{CHARACTERS, CUTS, ROOTS, Row, SPLIT, UTF8};
use sgf_stream::{Code, Event, Ident, OwnedEvent, Parser, PartEnd};

use crate::support::generate::Answers;
use crate::support::naive::Charset;
use crate::support::shared::corpus;
use crate::support::table::{self, written};
use crate::support::{Given, Pull, Rules, Seen, every_front_end, laws, naive, parser};

const LENIENT: Rules =
    Rules { strict: false, max_value_len: 1 << 20, max_ident_len: 256, max_depth: 1 << 20, given: Given::Nothing };
const STRICT: Rules = Rules { strict: true, ..LENIENT };

/// Values are written in these, as some hold brackets.
const BRACKETS: [char; 2] = ['<', '>'];

fn front_ends(bytes: &[u8], rules: &Rules) -> Seen {
    every_front_end(bytes, &parser(rules))
}

/// A reader that takes rules reads each row as the row says.
fn check(rows: &[Row], read: fn(&[u8], &Rules) -> Seen) {
    for &(input, expected, findings) in rows {
        let (strict, lenient) = (read(input, &STRICT), read(input, &LENIENT).sorted());
        let expected = expected.escape_ascii().to_string();
        table::Row { input, read: &expected, brackets: BRACKETS, findings }.check(&strict, &lenient);
        assert_eq!(strict, naive::read(input, &STRICT), "{}, right: the model", input.escape_ascii());
    }
}

const ROWS: [&[Row]; 5] = [CHARACTERS, SPLIT, UTF8, ROOTS, CUTS];

#[test]
fn the_model_reads_every_row_as_it_says() {
    ROWS.iter().for_each(|rows| check(rows, naive::read));
}

#[test]
fn a_second_byte_ends_no_value_hides_nothing_and_opens_nothing() {
    check(CHARACTERS, front_ends);
}

#[test]
fn a_value_is_split_into_characters_from_its_first_byte_on() {
    check(SPLIT, front_ends);
}

#[test]
fn in_utf_8_no_byte_is_a_second_byte() {
    check(UTF8, front_ends);
}

#[test]
fn the_first_value_of_the_first_ca_of_the_root_names_the_charset() {
    check(ROOTS, front_ends);
}

#[test]
fn repairs_look_at_plain_bytes_and_a_charset_ends_with_its_game() {
    check(CUTS, front_ends);
}

/// All labels, and some that are none.
#[rustfmt::skip]
const LABELS: [(Option<Charset>, &[&str]); 5] = [
    (Some(Charset::ShiftJis), &[
        "shift_jis", "shift-jis", "sjis", "x-sjis", "ms_kanji", "csshiftjis", "windows-31j", "ms932", "cp932",
        "Shift_JIS", "SJIS", " sjis", "sjis\n", "Shift JIS", "s jis", "windows-932", "CP943",
    ]),
    (Some(Charset::Big5), &[
        "big5", "big5-hkscs", "cn-big5", "csbig5", "x-x-big5", "cp950", "ms950", "Big5", "BIG5-HKSCS", "\tbig5\x0B",
        "big-5", "windows-950",
    ]),
    (Some(Charset::Gbk), &[
        "gbk", "gb2312", "gb_2312", "gb_2312-80", "csgb2312", "csiso58gb231280", "iso-ir-58", "chinese", "x-gbk",
        "g\\bk", "gbk\0", "cp936", "ms936", "windows-936", "GBK", "GB2312", "gB_2312-80", "\x0Cgbk\r\n",
    ]),
    (Some(Charset::Gb18030), &["gb18030", "gb-18030", "gb 18030", "GB18030", "  gb 18030  ", "gb\n18030", "GB18030-2022"]),
    (None, &[
        "", " ", "UTF-8", "utf8", "EUC-JP", "EUC-KR", "ISO-2022-JP", "ISO-8859-1", "gbk,big5", "gbkk", "gb",
        "\u{FEFF}gbk", "gbk\u{A0}", "hz", "936", "950", "cp", "cp93", "EUC-CN", "euccn", "cp51936", "xx-gbk",
    ]),
];

fn is_lead(charset: Charset, byte: u8) -> bool {
    match charset {
        Charset::ShiftJis => matches!(byte, 0x81..=0x9F | 0xE0..=0xFC),
        _ => matches!(byte, 0x81..=0xFE),
    }
}

#[test]
fn every_label_names_its_charset_and_nothing_else_does() {
    for (charset, labels) in LABELS {
        for label in labels {
            assert_eq!(Charset::from_label(label.as_bytes()), charset, "{label:?}");
            for byte in [0x85, 0xB1] {
                let input = [b"(;CA[", label.as_bytes(), b"]C[", &[byte, b']', b']'], b";B[aa])"].concat();
                let seen = front_ends(&input, &LENIENT);
                let is_second = charset.is_some_and(|charset| is_lead(charset, byte));
                let junk = if is_second { 0 } else { 1 };
                assert_eq!(seen.findings.len(), junk, "{label:?} {byte:X}, {seen:?}");
                assert_eq!(seen, naive::read(&input, &LENIENT), "{label:?}");
            }
        }
    }
}

#[test]
fn a_label_has_64_bytes_at_most_white_space_included() {
    for (before, after, counts) in [
        (0, 0, true),
        (61, 0, true),
        (62, 0, false),
        (0, 61, true),
        (0, 62, false),
        (30, 31, true),
        (31, 31, false),
        (9999, 0, false),
    ] {
        let label = [" ".repeat(before), "gbk".into(), "\n".repeat(after)].concat();
        let input = [b"(;CA[", label.as_bytes(), b"]C[\x85]];B[aa])"].concat();
        assert_eq!(naive::read(&input, &LENIENT).findings.is_empty(), counts, "the model, {before} {after}");
        assert_eq!(front_ends(&input, &LENIENT).findings.is_empty(), counts, "{before} {after}");
    }
}

/// Every byte before every second byte that looks like something.
#[test]
fn the_lead_bytes_of_each_charset_are_its_own() {
    for (label, charset) in
        [("sjis", Charset::ShiftJis), ("big5", Charset::Big5), ("gbk", Charset::Gbk), ("gb18030", Charset::Gb18030)]
    {
        for lead in (0..=u8::MAX).filter(|lead| !b"[]\\".contains(lead)) {
            for second in [b']', b'\\', b'['] {
                // Without the rule, junk after the value; or an escaped `]`; or a doubtful one.
                let input = [b"(;CA[", label.as_bytes(), b"]C[", &[lead, second], b"]\nx];B[aa])"].concat();
                let (model, seen) = (naive::read(&input, &LENIENT), front_ends(&input, &LENIENT));
                let value = model.events.iter().filter_map(|(_, event)| match event {
                    OwnedEvent::Value(value) => Some(value.len()),
                    _ => None,
                });
                let len = match second {
                    _ if is_lead(charset, lead) => 2,
                    b']' => 1,
                    _ => 5,
                };
                assert_eq!(value.collect::<Vec<_>>(), [label.len(), len, 2], "{}", input.escape_ascii());
                assert_eq!(seen.sorted(), model.sorted(), "left: the parser, right: the model");
            }
        }
    }
}

/// Which bytes may be second bytes shows in what is after them: a lead byte is none any more.
#[test]
fn second_bytes_are_those_of_all_charsets() {
    for label in ["sjis", "big5", "gbk", "gb18030"] {
        for second in (0..=u8::MAX).filter(|second| !b"[]\\".contains(second)) {
            let input = [b"(;CA[", label.as_bytes(), b"]C[\x81", &[second], b"];B[aa])"].concat();
            let (model, seen) = (naive::read(&input, &LENIENT), front_ends(&input, &LENIENT));
            assert_eq!(model.events.len(), 10, "{}, {model:?}", input.escape_ascii());
            assert_eq!(model.findings, []);
            assert_eq!(seen, model, "left: the parser, right: the model");
        }
    }
}

/// Limits: the rules that are not usual, input, what is read, and the codes.
#[test]
fn limits_drop_events_but_not_the_charset() {
    use Code::{IdentTooLong, LowercaseInIdent, TreeTooDeep, ValueTooLong};
    type Row = (Rules, &'static [u8], &'static [u8], &'static [Code]);
    let rows: [Row; 11] = [
        (Rules { max_depth: 0, ..LENIENT }, b"(;CA[GBK]C[\x85])])(;C[\x85])", b"", &[TreeTooDeep, TreeTooDeep]),
        (Rules { max_depth: 0, ..LENIENT }, b"(;[a]()CA x [GBK]C[\x85])])", b"", &[TreeTooDeep]),
        (Rules { max_depth: 0, ..LENIENT }, b"(CA[GBK];C[\x85])])", b"", &[TreeTooDeep, Code::MissingSemicolon]),
        (Rules { max_depth: 0, ..LENIENT }, b"(;;CA[GBK]C[\x85])", b"", &[TreeTooDeep]),
        (
            Rules { max_depth: 1, ..LENIENT },
            b"(;CA[GBK](;C[\x85])])C[\x85]])",
            b"(;CA<GBK>)",
            &[TreeTooDeep, Code::MissingSemicolon, Code::NodeAfterVariation, TreeTooDeep],
        ),
        (Rules { max_value_len: 2, ..LENIENT }, b"(;CA[GBK]C[\x85]];B[aa])", b"(;C<\x85]>;B<aa>)", &[ValueTooLong]),
        (
            Rules { max_value_len: 2, ..LENIENT },
            b"(;CA[GBK][b]C[\x85]]])",
            b"(;CA<b>C<\x85]>)",
            &[ValueTooLong, Code::JunkInTree],
        ),
        (
            Rules { max_value_len: 2, ..LENIENT },
            b"(;CA[GBK]C[\x85]\x85]];B[aa])",
            b"(;;B<aa>)",
            &[ValueTooLong, ValueTooLong],
        ),
        (
            Rules { max_ident_len: 5, ..LENIENT },
            b"(;CoolA[GBK]C[\x85]])",
            b"(;CoolA<GBK>C<\x85]>)",
            &[LowercaseInIdent],
        ),
        (Rules { max_ident_len: 4, ..LENIENT }, b"(;CoolA[GBK]C[\x85])", b"(;C<\x85>)", &[IdentTooLong]),
        (
            Rules { max_ident_len: 4, ..LENIENT },
            b"(;CoolA[UTF-8]CA[GBK]C[\x85]])",
            b"(;CA<GBK>C<\x85]>)",
            &[IdentTooLong],
        ),
    ];
    for (rules, input, expected, codes) in rows {
        for (who, seen) in [("the model", naive::read(input, &rules)), ("the parser", front_ends(input, &rules))] {
            let seen = seen.sorted();
            let found: Vec<Code> = seen.findings.iter().map(|(code, _)| *code).collect();
            assert_eq!(
                written(&seen, BRACKETS),
                expected.escape_ascii().to_string(),
                "{who}, {}",
                input.escape_ascii()
            );
            assert_eq!(found, codes, "{who}, {}", input.escape_ascii());
            assert_eq!(seen.error, None);
        }
        laws::each_answer(input, &rules);
    }
}

/// Whatever is skipped, the rest is read as ever; and all the other laws.
#[test]
fn skipping_does_not_change_the_rest() {
    for (input, ..) in ROWS.concat() {
        for rules in [LENIENT, STRICT, Rules { max_depth: 1, ..LENIENT }, Rules { max_value_len: 1, ..LENIENT }] {
            skipping_keeps_the_laws(input, &rules);
        }
    }
}

fn skipping_keeps_the_laws(input: &[u8], rules: &Rules) {
    laws::model(input, rules);
    laws::each_answer(input, rules);
    for n in 0..6 {
        laws::answers(input, rules, &[1], &Answers::new(1 + n % 3, n));
        laws::skipped_games(input, rules, &[n as usize], 1);
        laws::skipped_games(input, rules, &[n as usize, 0, 2], 7);
    }
}

/// A digit on its own is junk; the identifier before it is still the last one.
#[test]
fn junk_between_ca_and_its_value_is_no_other_identifier() {
    for junk in [" 5", "\n0 ", "!", "x ", ""] {
        let root = [b"(;CA", junk.as_bytes(), b"[GBK]C[\x81])x];B[aa])"].concat();
        let bytes = [&root[..], b"(;FF[4]C[", &[b'x'; 64], b"])"].concat();
        laws::skipped_games(&bytes, &LENIENT, &[1], 1);
        laws::skipped_games(&bytes, &LENIENT, &[1], bytes.len());
    }
}

#[test]
fn readers_that_skip_a_game_stand_before_the_next() {
    /// The offsets of the games, so many events of each read, and the others skipped.
    fn starts(reader: &mut impl Pull, most: usize) -> Vec<u64> {
        let mut starts = Vec::new();
        while let Some((start, _)) = reader.pull().unwrap() {
            starts.push(start);
            for _ in 1..most {
                if reader.is_in_game() {
                    reader.pull().unwrap();
                }
            }
            if reader.is_in_game() {
                reader.skip().unwrap();
            }
        }
        starts
    }
    let games: [&[u8]; 5] = [
        b"(;CA[GBK]C[\x85])])",
        b"(;CA[sjis]C[\x83\\])",
        b"(;C[\x85])",
        b"(;FF[4]()CoolA[big5];N[\xA6]x(;C[](;C[\xB1]](;B[aa])))",
        b"(;FF[4](;B[aa]CA[GBK]C[\x85]))",
    ];
    let bytes = games.concat();
    let expected: Vec<u64> = (0..games.len()).map(|game| games[..game].concat().len() as u64).collect();
    let whole = naive::read(&bytes, &LENIENT);
    assert_eq!(
        crate::support::games(&whole.events).iter().map(|game| game[0].0).collect::<Vec<_>>(),
        expected,
        "the model"
    );
    for most in 1..16 {
        assert_eq!(starts(&mut Parser::new().slice(&bytes), most), expected, "{most}");
        for capacity in [1, 5, 100] {
            let mut reader = Parser::new().reader(BufReader::with_capacity(capacity, &bytes[..]));
            assert_eq!(starts(&mut reader, most), expected, "{most}, a buffer of {capacity} bytes");
        }
    }
}

/// A limit, a value, and its parts.
#[test]
fn no_part_ends_inside_a_character() {
    type Row = (usize, &'static [u8], &'static [&'static [u8]]);
    let rows: [Row; 6] = [
        (2, b"\x85]\x85]", &[b"\x85]", b"\x85]"]),
        (1, b"\x85]\x85]", &[b"\x85]", b"\x85]"]),
        (2, b"a\x85]", &[b"a\x85]"]),
        (2, b"a\x85\\b", &[b"a\x85\\", b"b"]),
        // A backslash hides the first byte of a character.
        (1, b"\\\x85]b", &[b"\\\x85]", b"b"]),
        (3, b"a\\\x85]b", &[b"a\\\x85]", b"b"]),
    ];
    for (limit, value, parts) in rows {
        let input = [b"(;CA[GBK]C[", value, b"])"].concat();
        let rules = Rules { max_value_len: limit, ..LENIENT };
        let seen = every_front_end(&input, &parser(&rules).value_parts(true));
        let c = seen.events.iter().skip_while(|(_, event)| *event != Event::Property(Ident::new(b"C")).to_owned());
        let c = c.filter_map(|(_, event)| match event {
            OwnedEvent::ValuePart(bytes, end) => Some((&bytes[..], *end == PartEnd::More)),
            _ => None,
        });
        let last = parts.len() - 1;
        let expected: Vec<_> = parts.iter().enumerate().map(|(i, &part)| (part, i < last)).collect();
        assert_eq!(c.collect::<Vec<_>>(), expected, "{limit}, {}", value.escape_ascii());
    }
}

#[test]
fn parts_keep_their_laws() {
    for (input, ..) in ROWS.concat() {
        for rules in [LENIENT, STRICT] {
            for limit in 1..6 {
                laws::parts_join(input, &rules, limit);
                laws::parts(input, &Rules { max_value_len: limit, ..rules.clone() }, &[1, 2]);
            }
        }
    }
}

/// The files of the corpus that say anywhere that they are in such a charset.
#[test]
fn real_files_in_such_charsets_are_read_as_the_model_reads_them() {
    let names_one = |bytes: &[u8]| {
        bytes.windows(3).enumerate().filter(|(_, ca)| ca == b"CA[").any(|(at, _)| {
            let value = bytes[at + 3..].split(|&b| b == b']').next().unwrap();
            Charset::from_label(value).is_some()
        })
    };
    let mut count = 0;
    for path in corpus() {
        let bytes = std::fs::read(&path).unwrap();
        if names_one(&bytes) {
            count += 1;
            for rules in [LENIENT, STRICT] {
                let seen = front_ends(&bytes, &rules).sorted();
                assert_eq!(seen, naive::read(&bytes, &rules).sorted(), "{}, {rules:?}", path.display());
            }
        }
    }
    eprintln!("{count} files");
}
