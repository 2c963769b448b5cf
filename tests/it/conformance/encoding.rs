//! Charsets: byte-order marks, their names, and texts and files in them.

use serde_json::{Value, json};
use sgf_stream::charset::{Charset, CharsetError, CharsetSource, Decoding, DecodingReader, TreeDecoder};
use sgf_stream::{Code, Event, Parser, RawValue, Reader};

use super::cases::{self, Case, List, Report, room, string};
use super::structure::Trees;
use crate::support::EachEvent;

room! {
    excused: [OTHER_READINGS];
    byte_order_marks_are_known: "encoding" => bom;
    the_name_of_the_charset_is_found_in_bytes: "encoding" => name;
    texts_are_decoded: "encoding" => text;
    files_are_transcoded: "encoding" => file;
    values_are_decoded_where_the_charset_lets_them_be_found: "encoding" =>
        |case, report| if !has_brackets(case) { values(case, report) };
    values_that_hold_the_bytes_of_brackets_are_decoded: "encoding" =>
        |case, report| if has_brackets(case) { values(case, report) };
    raw_values_stay_as_they_are: "encoding" => raw_values;
}

/// Cases that are read in another way, and why.
const OTHER_READINGS: List = &[
    ("sgfc/bad-utf8/01", "one U+FFFD a bad sequence, as everybody but SGFC has it, not one a run"),
    ("sgfc/file-mixed-encoding", "escapes in bytes: see escapes_are_undone_after_decoding"),
    ("libsgfc/encoding/06", "UTF-16 without a byte-order mark is detected here"),
    ("libsgfc/encoding/15", "two charsets in one stream are no reason to refuse ASCII"),
    ("libsgfc/encoding/16", "the second byte of a character ends no value here"),
    ("libsgfc/encoding/17", "the second byte of a character is no backslash here"),
];

/// Cases that need the scanner's knowledge of second bytes.
const SECOND_BYTES: &[&str] = &["libsgfc/encoding/13", "libsgfc/encoding/14"];

fn has_brackets(case: &Case) -> bool {
    SECOND_BYTES.contains(&&*case.id)
}

fn charset(value: &Value) -> Option<Charset> {
    Charset::for_name(value.as_str()?.as_bytes())
}

/// The policy that a case asks for.
fn decoding(case: &Case) -> Decoding {
    let mut decoding = Decoding::new();
    if let Some(forced) = charset(&case.expect["override"]) {
        decoding = decoding.force(forced);
    }
    if let Some(default) = charset(&case.expect["default_encoding"]) {
        decoding = decoding.default_charset(default);
    }
    decoding
}

/// What is seen of a stream: the charset (of its first game), and its trees with texts.
type Seen = (Charset, Value);

/// The whole stream transcoded, then parsed.
fn transcoded(bytes: &[u8], decoding: Decoding) -> Seen {
    let mut source = decoding.reader(bytes);
    let charset = source.charset().unwrap();
    let mut reader = Reader::new(source);
    let mut trees = Trees::default();
    while let Some(event) = reader.next_event().unwrap() {
        trees.push(event, |value| value.text().into_owned());
    }
    (charset, trees.end())
}

/// Bytes parsed, then decoded value by value, a game at a time.
fn by_value(bytes: &[u8], decoding: Decoding) -> Seen {
    let mut decoder = TreeDecoder::new(decoding).with_bom(Charset::from_bom(bytes).map(|bom| bom.0));
    let (mut game, mut trees, mut charset) = (Vec::new(), Trees::default(), None);
    Parser::strict()
        .each_event(bytes, |event, offset| {
            decoder.observe(event, offset);
            game.push((offset, event.to_owned()));
            if event == Event::EndTree {
                charset.get_or_insert(decoder.tree_charset().unwrap().charset());
                for (offset, event) in game.drain(..) {
                    trees.push(event.borrow(), |value| decoder.text(value, offset).unwrap().into_owned());
                }
            }
        })
        .unwrap();
    (charset.unwrap(), trees.end())
}

/// The values of a property of the root of the first game.
fn root(trees: &Value, ident: &str) -> Value {
    let properties = trees[0]["nodes"][0].as_array().unwrap();
    properties.iter().find(|property| property[0] == ident).unwrap()[1].clone()
}

fn check(case: &Case, report: &mut Report, (found, trees): &Seen) {
    let expect = &case.expect;
    if let Some(expected) = expect.get("encoding") {
        report.check(case, "charset", Some(*found) == charset(expected), || format!("{found} for {expected}"));
    }
    for (ident, text) in expect["root"].as_object().into_iter().flatten() {
        let values = root(trees, ident);
        report.check(case, ident, values == json!([text]), || format!("{values}"));
    }
    if let Some(expected) = expect.get("trees") {
        report.check(case, "trees", trees == expected, || format!("{trees}"));
    }
}

fn bom(case: &Case, report: &mut Report) {
    let Some(bom) = case.expect.get("bom") else { return };
    let found = Charset::from_bom(&case.input).map(|bom| bom.0.name());
    report.check(case, "mark", found == bom.as_str(), || format!("{found:?}"));
}

fn name(case: &Case, report: &mut Report) {
    let Some(name) = case.expect.get("ca") else { return };
    // None of the names is one, so a strict reader says what it found.
    let result = Decoding::new().known_names_only(true).reader(&case.input[..]).charset();
    let found = result.as_ref().err().map(|error| match error.get_ref().unwrap().downcast_ref() {
        Some(CharsetError::UnknownName { name, .. }) => name.as_str(),
        _ => panic!("{error}"),
    });
    report.check(case, "name", found == name.as_str(), || format!("{found:?}"));
}

fn text(case: &Case, report: &mut Report) {
    if case.expect.get("value").is_none() || case.is_listed(OTHER_READINGS) {
        return;
    }
    let (value, charset) = (string(&case.expect["value"]), charset(&case.expect["encoding"]).unwrap());
    let decoded = charset.decode(&case.input);
    report.check(case, "decoded", decoded.text() == value, || format!("{:?}", decoded.text()));
    let mut text = String::new();
    let mut reader = DecodingReader::with_charset(&case.input[..], charset);
    std::io::Read::read_to_string(&mut reader, &mut text).unwrap();
    report.check(case, "read", text == value, || format!("{text:?}"));
}

/// Whether a case says what is in a file, and is not excused.
fn is_file(case: &Case) -> bool {
    case.expect.get("root").or(case.expect.get("trees")).is_some() && !case.is_listed(OTHER_READINGS)
}

fn file(case: &Case, report: &mut Report) {
    if is_file(case) {
        check(case, report, &transcoded(&case.input, decoding(case)));
    }
}

fn values(case: &Case, report: &mut Report) {
    let is_found = charset(&case.expect["encoding"]).is_some_and(Charset::is_ascii_compatible)
        || case.expect["byte_level_parse_ok"] == true;
    if is_found && is_file(case) {
        check(case, report, &by_value(&case.input, decoding(case)));
    }
}

fn raw_values(case: &Case, report: &mut Report) {
    let Some(expected) = case.expect.get("root_raw_hex") else { return };
    let mut values = Vec::new();
    Parser::strict()
        .each_event(&case.input, |event, _| {
            if let Event::Value(value) = event {
                values.push(value.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect::<String>());
            }
        })
        .unwrap();
    let last = values.last().unwrap();
    report.check(case, "C", *last == expected["C"], || last.clone());
}

#[test]
fn cases_that_are_listed_are_read_as_the_list_says() {
    let cases = cases::all();
    let case = |id: &str| cases.iter().find(|case| case.id == id);
    if cases.is_empty() {
        return;
    }
    assert!(OTHER_READINGS.iter().all(|(id, _)| case(id).is_some_and(|case| case.kind == "encoding")));

    let decoded = &case("sgfc/bad-utf8/01").unwrap().input;
    assert_eq!(Charset::UTF_8.decode(decoded).text(), String::from_utf8_lossy(decoded));

    let (charset, trees) = transcoded(&case("libsgfc/encoding/06").unwrap().input, Decoding::new());
    assert_eq!((charset, root(&trees, "C")), (Charset::UTF_16BE, json!(["foo"])));

    let two = &case("libsgfc/encoding/15").unwrap().input;
    for (charset, trees) in [transcoded(two, Decoding::new()), by_value(two, Decoding::new())] {
        assert_eq!(trees.as_array().unwrap().len(), 2, "{charset}");
    }
}

/// The five games of `sgfc/file-mixed-encoding`, each in its own charset. SGFC undoes escapes in
/// bytes and decodes then; here it is the other way round, as in all that reads characters.
#[test]
fn escapes_are_undone_after_decoding() {
    for (charset, raw, text) in [
        ("UTF-16LE", &b"h\0a\0l\0l\0\xF6\0!\0 \0s\0\xAC h\0\xAC n\0"[..], "hallö! s€h€n"),
        ("ISO-8859-15", b"s\xA4h\xA4n", "s€h€n"),
        ("", b"s\xA4h\xA4n", "s¤h¤n"),
        // Both orders read the first alike, and the second not: 93 5D was meant, 揮.
        ("GB18030", b"\xBD\xBB\xCD\xA8\xDF\\\\\xDD\x94", "交通運輸"),
        ("GB18030", b"\xD6\xB8\x93\\]\x99\xE0", "指揬]權"),
        // As the web, and unlike SGFC, which has a yen sign for the backslash.
        ("SHIFT_JIS", br"Yen: \\", r"Yen: \"),
    ] {
        let (ca, value) = (RawValue::new(charset.as_bytes()), RawValue::new(raw));
        let decided = Decoding::new().default_charset(Charset::WINDOWS_1252).decide(None, Some(ca), []).unwrap();
        assert_eq!(decided.text(value).text(), text, "{charset}");
    }
}

#[test]
fn an_unknown_charset_is_latin_1_and_a_finding() {
    let file = b"(;FF[4]CA[foo]C[\xE4])";
    let mut decoder = TreeDecoder::new(Decoding::new());
    let mut texts = Vec::new();
    Parser::new()
        .each_event(file, |event, offset| {
            decoder.observe(event, offset);
            if let Event::Value(value) = event {
                texts.push(decoder.text(value, offset).unwrap().into_owned());
            }
        })
        .unwrap();
    assert_eq!(texts, ["4", "foo", "ä"]);
    assert_eq!(decoder.tree_charset().unwrap().source(), CharsetSource::UnknownName);
    let findings = decoder.take_diagnostics();
    assert_eq!((findings.len(), findings[0].code, findings[0].offset), (1, Code::UnknownCharset, 10));
}
