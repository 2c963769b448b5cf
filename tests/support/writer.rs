//! Law L4 and others of the writer. A model that shares no code with the writer says which output is right.

use std::collections::BTreeMap;
use std::str;

use sgf_stream::node::RootFacts;
use sgf_stream::property::convert::{self, Converted};
use sgf_stream::property::{self, Context, List, Successor, ValueType};
use sgf_stream::value::{Handicap, Komi, Overtime, Ruleset, Seconds};
use sgf_stream::write::Writer;
use sgf_stream::{Code, Event, Ident, OwnedEvent, PartEnd, RawValue};

use super::naive::Charset;
use super::{BOM, Given, Rules, Seen, parse, parser};

const STRICT: Rules = Rules {
    strict: true,
    max_value_len: usize::MAX,
    max_ident_len: usize::MAX,
    max_depth: usize::MAX,
    given: Given::Nothing,
};
const LENIENT: Rules = Rules { strict: false, ..STRICT };

/// Writes events.
pub fn write<'e>(mut writer: Writer<Vec<u8>>, events: impl IntoIterator<Item = &'e OwnedEvent>) -> Vec<u8> {
    for event in events {
        writer.write(event.borrow()).unwrap_or_else(|error| panic!("{event:?}: {error}"));
    }
    writer.finish().unwrap()
}

pub fn exact() -> Writer<Vec<u8>> {
    Writer::new(Vec::new())
}

pub fn canonical() -> Writer<Vec<u8>> {
    Writer::canonical(Vec::new())
}

/// L4 in exact style; false where it says nothing.
pub fn reads_back(bytes: &[u8], rules: &Rules) -> bool {
    // A writer writes no byte-order mark. Where one overruled `CA`, values may end elsewhere without it.
    let bytes = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let seen = parse(bytes, &parser(rules));
    if seen.error.is_some() {
        return false;
    }
    let events = bare(seen);
    if events.is_empty() {
        return false; // all games are too deep
    }
    let expected = sound(&events);
    if rules.strict {
        assert_eq!(expected, events, "a strict reader gives sound events only");
    }
    let output = write(exact(), &events);
    let mode = if events.iter().any(is_old) { &LENIENT } else { &STRICT };
    let written = parse(&output, &parser(mode));
    assert_eq!(written.error, None, "{}", shown(&output));
    if written.findings.iter().any(|&(code, _)| code == Code::CutCharacter) {
        return false; // a text that looks like SGF
    }
    let written = bare(written);
    assert_eq!(shown(&without_padding(&output)), shown(&without_padding(&spelled(&written))));
    // Equal bytes, but for the brackets of texts that would be heads.
    assert_eq!(written.len(), expected.len(), "{}", shown(&output));
    for (written, expected) in written.iter().zip(&expected) {
        match (written, expected) {
            (OwnedEvent::Value(written), OwnedEvent::Value(expected)) if looks_like_a_head(expected) => {
                assert_eq!(shown(&without_head_escapes(written, None)), shown(&without_head_escapes(expected, None)));
            }
            _ => assert_eq!(written, expected, "{}", shown(&output)),
        }
    }
    assert_reads(&output, &written)
}

/// An identifier as FF[4] does not have them.
fn is_old(event: &OwnedEvent) -> bool {
    matches!(event, OwnedEvent::Property(ident) if !ident.iter().all(u8::is_ascii_uppercase))
}

fn after_white(bytes: &[u8]) -> &[u8] {
    let len = bytes.iter().take_while(|byte| matches!(byte, b' ' | 0x09..=0x0D)).count();
    &bytes[len..]
}

/// `(`, `;` and a word before a `[`, with white space between them.
fn looks_like_a_head(text: &[u8]) -> bool {
    (0..text.len()).any(|at| {
        let semicolon = text[at..].strip_prefix(b"(").and_then(|rest| after_white(rest).strip_prefix(b";"));
        semicolon.map(after_white).is_some_and(|word| {
            let len = word.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
            let bracket = after_white(&word[len..]);
            len > 0 && bracket.starts_with(b"[")
        })
    })
}

/// A text that looks like a head if its escaped `[` are bare, with those bare.
fn without_head_escapes(text: &[u8], charset: Option<Charset>) -> Vec<u8> {
    let (mut bare, mut at) = (Vec::new(), 0);
    while at < text.len() {
        let hidden = text.get(at + 1).filter(|_| text[at] == b'\\' && !is_text(charset, text, at));
        match hidden {
            Some(b'[') => bare.push(b'['),
            Some(&hidden) => bare.extend([b'\\', hidden]),
            None => bare.push(text[at]),
        }
        at += 1 + usize::from(hidden.is_some());
    }
    if looks_like_a_head(&bare) { bare } else { text.to_vec() }
}

/// Without the white space that keeps a variation from being the head of a game.
pub fn without_padding(output: &[u8]) -> Vec<u8> {
    let (mut out, mut rest) = (Vec::new(), output);
    while let [byte, after @ ..] = rest {
        out.push(*byte);
        let node = after_white(after);
        let is_padding = *byte == b'(' && after.len() - node.len() >= 512 && node.starts_with(b";");
        rest = if is_padding { node } else { after };
    }
    out
}

/// L4 in exact style, of values in parts.
pub fn parts_read_back(bytes: &[u8], rules: &Rules) {
    let seen = parse(bytes, &parser(rules).value_parts(true));
    if seen.error.is_some() {
        return;
    }
    let parts = bare(seen);
    let mut whole: Vec<OwnedEvent> = Vec::new();
    let mut open: Option<Vec<u8>> = None;
    for event in &parts {
        match event {
            OwnedEvent::ValuePart(part, end) => {
                let value = open.get_or_insert_default();
                value.extend_from_slice(part);
                if *end != PartEnd::More {
                    whole.push(OwnedEvent::Value(open.take().unwrap().into()));
                }
            }
            event => whole.push(event.clone()),
        }
    }
    assert_eq!(shown(&write(exact(), &parts)), shown(&write(exact(), &whole)), "left: parts, right: whole values");
    let (parts, whole) = (without_digits(parts), without_digits(whole));
    assert_eq!(shown(&write(canonical(), &parts)), shown(&write(canonical(), &whole)), "left: parts, right: whole");
}

/// Canonical style: strict readers accept it, it stays as it is, and says what the input says. False where
/// there is nothing to write.
pub fn is_canonical_of(bytes: &[u8], rules: &Rules) -> bool {
    let seen = parse(bytes, &parser(rules));
    if seen.error.is_some() {
        return false;
    }
    let events = without_digits(bare(seen));
    if events.is_empty() {
        return false;
    }
    let output = write(canonical(), &events);
    let again = parse(&output, &parser(&STRICT));
    assert_eq!(again.error, None, "{}", shown(&output));
    let again = bare(again);
    assert_eq!(shown(&write(canonical(), &again)), shown(&output), "left: written again, right: written once");
    assert_reads(&output, &again);
    let (said, says) = (meaning(&events), meaning(&again));
    for (said, says) in said.iter().zip(&says) {
        assert_eq!(said, says, "left: the input, right: {}", shown(&output));
    }
    assert_eq!(said.len(), says.len());
    true
}

/// The events without their places.
pub fn bare(seen: Seen) -> Vec<OwnedEvent> {
    seen.events.into_iter().map(|(_, event)| event).collect()
}

/// Leaves out the properties that FF[4] has no identifiers for.
fn without_digits(events: Vec<OwnedEvent>) -> Vec<OwnedEvent> {
    let mut is_in = true;
    let keep = |event: &OwnedEvent| {
        match event {
            OwnedEvent::Property(ident) => is_in = !ident.iter().any(u8::is_ascii_digit),
            OwnedEvent::Value(_) | OwnedEvent::ValuePart(..) => {}
            _ => is_in = true,
        }
        is_in
    };
    events.into_iter().filter(keep).collect()
}

/// The output is these events; false if it need not be, to a lenient reader.
fn assert_reads(output: &[u8], events: &[OwnedEvent]) -> bool {
    if !events.iter().any(is_old) {
        let strict = parse(output, &parser(&STRICT));
        assert_eq!(strict.error, None, "{}", shown(output));
        assert_eq!(bare(strict), events);
    }
    let lenient = parse(output, &parser(&LENIENT));
    let mut codes = lenient.findings.iter().map(|&(code, _)| code);
    if codes.clone().any(|code| code == Code::CutCharacter) {
        return false; // a text that looks like SGF
    }
    assert!(codes.all(|code| matches!(code, Code::LowercaseInIdent | Code::DigitInIdent)), "{}", shown(output));
    assert_eq!(lenient.error, None);
    assert_eq!(bare(lenient), events);
    true
}

/// Writes events as SGF, one line per game.
fn spelled(events: &[OwnedEvent]) -> Vec<u8> {
    let (mut out, mut depth) = (Vec::new(), 0);
    for event in events {
        match event {
            OwnedEvent::StartTree => {
                depth += 1;
                out.push(b'(');
            }
            OwnedEvent::Node => out.push(b';'),
            OwnedEvent::Property(ident) => out.extend_from_slice(ident),
            OwnedEvent::Value(value) => out.extend([b"[", &value[..], b"]"].concat()),
            OwnedEvent::EndTree => {
                depth -= 1;
                out.push(b')');
                out.extend((depth == 0).then_some(b'\n'));
            }
            _ => unreachable!("parts have been joined"),
        }
    }
    out
}

/// The charset that values are split by, event by event.
#[derive(Default)]
struct Watch {
    depth: usize,
    /// 0 before a root, 1 in it.
    nodes: usize,
    is_label: bool,
    found: bool,
    charset: Option<Charset>,
}

impl Watch {
    fn pass(&mut self, event: &OwnedEvent) {
        match event {
            OwnedEvent::StartTree if self.depth == 0 => *self = Watch { depth: 1, ..Watch::default() },
            OwnedEvent::StartTree => (self.depth, self.nodes) = (self.depth + 1, 2),
            OwnedEvent::EndTree => (self.depth, self.nodes) = (self.depth - 1, 2),
            OwnedEvent::Node => self.nodes += 1,
            OwnedEvent::Property(ident) => {
                self.is_label = self.nodes == 1 && !self.found && Ident::new(ident) == "CA";
            }
            OwnedEvent::Value(label) if std::mem::take(&mut self.is_label) => {
                self.charset = Charset::from_label(label);
                self.found = true;
            }
            _ => {}
        }
    }
}

/// The events that a reader can find in a file: every value ends at its end.
pub fn sound(events: &[OwnedEvent]) -> Vec<OwnedEvent> {
    let mut watch = Watch::default();
    let sound = events.iter().map(|event| {
        let event = match event {
            OwnedEvent::Value(raw) => OwnedEvent::Value(sound_value(raw, watch.charset).into()),
            event => event.clone(),
        };
        watch.pass(&event);
        event
    });
    sound.collect()
}

fn is_text(charset: Option<Charset>, raw: &[u8], at: usize) -> bool {
    charset.is_some_and(|charset| charset.is_text(raw, at))
}

/// A raw value with what it takes to end at its end.
fn sound_value(raw: &[u8], charset: Option<Charset>) -> Vec<u8> {
    let (mut out, mut at) = (Vec::new(), 0);
    while at < raw.len() {
        match raw[at] {
            byte if is_text(charset, raw, at) => out.push(byte),
            b'\\' => {
                out.push(b'\\');
                at += 1;
                out.push(*raw.get(at).unwrap_or(&b'\\'));
            }
            b']' => out.extend(b"\\]"),
            byte => out.push(byte),
        }
        at += 1;
    }
    let closed = [&out[..], b"]"].concat();
    if is_text(charset, &closed, out.len()) {
        out.push(b' ');
    }
    out
}

/// A raw value as it reads, in its charset.
fn cooked(raw: &[u8], charset: Option<Charset>, hard_break: u8) -> Vec<u8> {
    let (mut out, mut at) = (Vec::new(), 0);
    let line_break = |at: usize| match raw.get(at..).unwrap_or_default() {
        [b'\r', b'\n', ..] | [b'\n', b'\r', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    };
    let charset = charset.filter(|_| !raw.is_ascii());
    while at < raw.len() {
        if is_text(charset, raw, at) {
            out.push(raw[at]);
        } else if line_break(at) > 0 {
            out.push(hard_break);
            at += line_break(at) - 1;
        } else if raw[at] == b'\\' && line_break(at + 1) > 0 {
            at += line_break(at + 1);
        } else {
            at += usize::from(raw[at] == b'\\' && at + 1 < raw.len());
            out.push(if matches!(raw[at], b'\t' | 0x0B | 0x0C) { b' ' } else { raw[at] });
        }
        at += 1;
    }
    out
}

/// A raw property: its values, in the order of the node.
type Raw = (String, Vec<Vec<u8>>);

/// The meaning of a collection, event by event; for a root, without the version.
fn meaning(events: &[OwnedEvent]) -> Vec<String> {
    let (mut said, mut at, mut depth, mut nodes) = (Vec::new(), 0, 0, 0);
    let (mut from, mut to, mut charset) = (Context::default(), Context::default(), None);
    while at < events.len() {
        match &events[at] {
            OwnedEvent::StartTree => {
                nodes = if depth == 0 { 0 } else { nodes };
                depth += 1;
                said.push("(".to_owned());
            }
            OwnedEvent::EndTree => {
                depth -= 1;
                said.push(")".to_owned());
            }
            OwnedEvent::Node => {
                nodes += 1;
                let node: Vec<&OwnedEvent> = events[at + 1..]
                    .iter()
                    .take_while(|event| matches!(event, OwnedEvent::Property(_) | OwnedEvent::Value(_)))
                    .collect();
                at += node.len();
                let node = merged(&node);
                let is_root = nodes == 1;
                if is_root {
                    (from, to, charset) = root(&node);
                    said.push(format!("{:?} {:?} {charset:?}", to.game(), to.board()));
                }
                let context = if is_root { from } else { from.after_root() };
                let mut properties: BTreeMap<String, Vec<String>> = BTreeMap::new();
                for (name, values) in told(in_ff4(&node, &context, &to, charset), &to, charset) {
                    let mut said = values_of(&name, &values, &to, charset);
                    if is_root && name == "CA" {
                        // The first value is read before the charset is known.
                        said[0] = shown(&without_head_escapes(&sound_value(&values[0], None), None));
                    }
                    properties.insert(name, said);
                }
                if is_root {
                    properties.remove("FF");
                }
                said.push(format!(";{properties:?}"));
            }
            event => unreachable!("{event:?} outside of a node"),
        }
        at += 1;
    }
    said
}

/// The properties of a node, each once.
fn merged(events: &[&OwnedEvent]) -> Vec<Raw> {
    let mut node: Vec<Raw> = Vec::new();
    let mut last = 0;
    for event in events {
        match event {
            OwnedEvent::Property(ident) => {
                let name = Ident::new(ident).name().into_owned();
                last = node.iter().position(|(known, _)| *known == name).unwrap_or(node.len());
                if last == node.len() {
                    node.push((name, Vec::new()));
                }
            }
            OwnedEvent::Value(raw) => node[last].1.push(raw.to_vec()),
            _ => unreachable!(),
        }
    }
    node
}

/// The game of a root, as written and in FF[4], and its charset.
fn root(node: &[Raw]) -> (Context, Context, Option<Charset>) {
    let mut facts = RootFacts::new();
    for (name, values) in node {
        values.iter().for_each(|raw| facts.note(Ident::new(name.as_bytes()), RawValue::new(raw)));
    }
    let from = facts.root_context();
    let to = Context::new(from.game(), 4);
    let to = from.board().map_or(to, |size| to.with_size(size));
    let label = node.iter().find(|(name, _)| name == "CA").map(|(_, values)| sound_value(&values[0], None));
    (from, to, label.and_then(|label| Charset::from_label(&label)))
}

/// The node with the komi in HA as KM, with the overtime in TM as OT, and with a komi in hundredths in points.
fn told(mut node: Vec<Raw>, to: &Context, charset: Option<Charset>) -> Vec<Raw> {
    fn find<'n>(node: &'n [Raw], name: &str) -> Option<&'n Vec<Vec<u8>>> {
        node.iter().find(|(known, _)| known == name).map(|(_, values)| values)
    }
    fn put(node: &mut Vec<Raw>, name: &str, value: String) {
        node.retain(|(known, _)| known != name);
        node.push((name.to_owned(), vec![value.into_bytes()]));
    }
    let has_type = |name: &str, wanted| {
        property::lookup(Ident::new(name.as_bytes()), to).is_some_and(|row| row.value_type() == wanted)
    };
    let only = |node: &[Raw], name: &str| {
        let values = find(node, name).filter(|values| values_of(name, values, to, charset).len() == 1)?;
        String::from_utf8(sound_value(&values[0], charset)).ok()
    };
    let is_blank = |text: &String| text.trim_ascii().is_empty();
    let points = |node: &[Raw], komi: Komi| {
        let rules = only(node, "RU").and_then(|rules| Ruleset::parse_lenient(rules).ok());
        rules.map_or(komi.points(), |rules| komi.points_under(&rules))
    };
    if has_type("HA", ValueType::Handicap)
        && let Some(handicap) = only(&node, "HA").and_then(|raw| Handicap::parse_lenient(raw).ok())
        && let Some(komi) = handicap.komi()
    {
        let known = only(&node, "KM");
        let agrees =
            |raw: &String| Komi::parse_lenient(raw).ok().and_then(|known| points(&node, known)) == Some(komi.get());
        if find(&node, "KM").is_none() || known.as_ref().is_some_and(|raw| is_blank(raw) || agrees(raw)) {
            put(&mut node, "HA", handicap.stones().to_string());
            put(&mut node, "KM", komi.to_string());
        }
    }
    if let Some((seconds, Some(overtime))) = only(&node, "TM").and_then(|raw| Seconds::with_overtime(raw).ok()) {
        let known = only(&node, "OT");
        let agrees = |raw: &String| Overtime::parse(raw).as_ref() == Ok(&overtime);
        if find(&node, "OT").is_none() || known.as_ref().is_some_and(|raw| is_blank(raw) || agrees(raw)) {
            put(&mut node, "TM", seconds.to_string());
            put(&mut node, "OT", overtime.to_string());
        }
    }
    if has_type("KM", ValueType::Komi)
        && let Some(komi) = only(&node, "KM").and_then(|raw| Komi::parse_lenient(raw).ok())
        && let Some(points) = points(&node, komi).filter(|&points| points != komi.get())
    {
        put(&mut node, "KM", points.to_string());
    }
    node
}

fn in_ff4(node: &[Raw], context: &Context, to: &Context, charset: Option<Charset>) -> Vec<Raw> {
    let get = |name: &str| node.iter().find(|(known, _)| known == name).map(|(_, values)| values);
    let overtime = match (get("OM").map(Vec::as_slice), get("OP").map(Vec::as_slice), get("OT")) {
        (Some([om]), Some([op]), None) => convert::overtime(RawValue::new(om), RawValue::new(op)),
        _ => None,
    };
    let (mut own, mut others): (Vec<Raw>, Vec<(&Raw, Raw)>) = (Vec::new(), Vec::new());
    for property @ (name, values) in node {
        let raw: Vec<_> = values.iter().map(|value| RawValue::new(value)).collect();
        match convert::to_ff4(Ident::new(name.as_bytes()), &raw, context) {
            Some(Converted::Property { ident, values }) => {
                let converted = (ident.to_owned(), values.iter().map(|value| value.to_vec()).collect());
                if ident == name { own.push(converted) } else { others.push((property, converted)) }
            }
            Some(Converted::PartOf(_)) if overtime.is_some() => {}
            _ => own.push((name.clone(), values.clone())),
        }
    }
    own.extend(overtime.map(|overtime| ("OT".to_owned(), vec![overtime.into_bytes()])));
    for (older, (name, values)) in others {
        let row = property::lookup(Ident::new(name.as_bytes()), to);
        let said = |value: &Vec<u8>| {
            let said = values_of(&name, std::slice::from_ref(value), to, charset);
            let more = said == ["Empty"] || is_lossy(row.map(|row| row.value_type()), value);
            // What it says, whatever its escapes.
            let text = || match row.is_some_and(|row| row.value_type().basic() == ValueType::SimpleText) {
                true => cooked(&sound_value(value, charset), charset, b' '),
                false => value.clone(),
            };
            (said, more.then(text))
        };
        match own.iter_mut().find(|(known, _)| *known == name) {
            None => own.push((name, values)),
            Some((_, known)) => {
                let known_said: Vec<_> = known.iter().map(said).collect();
                let new: Vec<_> = values.into_iter().filter(|value| !known_said.contains(&said(value))).collect();
                let is_list = row.is_some_and(|row| row.list() != List::Single);
                // What it would be taken for in FF[4].
                let other = property::lookup(Ident::new(older.0.as_bytes()), to);
                let other = other.filter(|row| row.successor() == Successor::Itself);
                let is_other = other
                    .is_some_and(|row| older.1.iter().any(|raw| row.parse_lenient(RawValue::new(raw), to).is_ok()));
                if new.is_empty() || is_list || is_other {
                    known.extend(new);
                } else {
                    own.push(older.clone());
                }
            }
        }
    }
    own
}

/// There may be more in a value than its type reads.
fn is_lossy(value_type: Option<ValueType>, raw: &[u8]) -> bool {
    let beyond = |known: &[u8]| !raw.iter().all(|byte| byte.is_ascii_digit() || known.contains(byte));
    match value_type {
        Some(ValueType::Date) => !raw.trim_ascii().is_empty() && beyond(b"-/., \n"),
        Some(ValueType::Seconds) => raw.contains(&b'('),
        _ => false,
    }
}

/// The meaning of the values of a property.
fn values_of(name: &str, values: &[Vec<u8>], context: &Context, charset: Option<Charset>) -> Vec<String> {
    let row = property::lookup(Ident::new(name.as_bytes()), context);
    let value_of = |raw: &Vec<u8>| {
        let raw = sound_value(raw, charset);
        let as_it_is = || shown(&without_head_escapes(&raw, charset));
        let Some(row) = row else { return as_it_is() };
        let was_not_converted = matches!(row.successor(), Successor::Other(whole) if whole != "OT");
        if was_not_converted || name == "CA" {
            return as_it_is();
        }
        match row.value_type() {
            ValueType::Text => return shown(&cooked(&raw, charset, b'\n')),
            ValueType::SimpleText => return shown(&cooked(&raw, charset, b' ')),
            _ => {}
        }
        let raw = match row.value_type().basic() {
            ValueType::SimpleText => raw_text(&cooked(&raw, charset, b' '), charset),
            _ => whole_characters(raw.clone(), charset),
        };
        match row.parse_lenient(RawValue::new(&raw), context) {
            Ok(value) if str::from_utf8(&raw).is_ok() => format!("{value:?}"),
            _ if row.value_type().basic() == ValueType::SimpleText => shown(&cooked(&raw, charset, b' ')),
            _ => as_it_is(),
        }
    };
    let said: Vec<String> = values.iter().map(value_of).collect();
    if row.is_none_or(|row| row.list() != List::Single) {
        return said;
    }
    let mut once = Vec::new();
    said.into_iter().for_each(|value| once.extend((!once.contains(&value)).then_some(value)));
    if row.is_some_and(|row| row.value_type() == ValueType::Text) { vec![once.join("\\n\\n")] } else { once }
}

/// A text as a raw value.
fn raw_text(text: &[u8], charset: Option<Charset>) -> Vec<u8> {
    let mut raw = Vec::new();
    for (at, &byte) in text.iter().enumerate() {
        if matches!(byte, b']' | b'\\') && !is_text(charset, text, at) {
            raw.push(b'\\');
        }
        raw.push(byte);
    }
    raw
}

/// A raw value without escapes of bytes that are not ASCII.
fn whole_characters(raw: Vec<u8>, charset: Option<Charset>) -> Vec<u8> {
    if charset.is_some() {
        return raw;
    }
    let (mut whole, mut is_hidden) = (Vec::new(), false);
    for byte in raw {
        if is_hidden && !byte.is_ascii() {
            whole.pop();
        }
        whole.push(byte);
        is_hidden = byte == b'\\' && !is_hidden;
    }
    whole
}

/// Whether events are the front of a sound stream, and whether they are one.
pub fn validity(events: &[Event<'_>]) -> Option<bool> {
    let mut rest = events;
    while !rest.is_empty() {
        match tree(rest) {
            Step::After(after) => rest = after,
            Step::Unfinished => return Some(false),
            Step::Wrong => return None,
        }
    }
    Some(true)
}

enum Step<'e, 'b> {
    After(&'e [Event<'b>]),
    Unfinished,
    Wrong,
}

/// `StartTree Node { Property } { Node { Property } } { GameTree } EndTree`
fn tree<'e, 'b>(events: &'e [Event<'b>]) -> Step<'e, 'b> {
    let mut rest = match events {
        [Event::StartTree, Event::Node, rest @ ..] => rest,
        [Event::StartTree] => return Step::Unfinished,
        _ => return Step::Wrong,
    };
    let mut may_have_nodes = true;
    loop {
        rest = match rest {
            [] => return Step::Unfinished,
            [Event::EndTree, rest @ ..] => return Step::After(rest),
            [Event::Node, rest @ ..] if may_have_nodes => rest,
            [Event::StartTree, ..] => {
                may_have_nodes = false;
                match tree(rest) {
                    Step::After(after) => after,
                    step => return step,
                }
            }
            [Event::Property(ident), rest @ ..] if may_have_nodes && is_ident(&ident.spelling()) => match value(rest) {
                Step::After(mut rest) => {
                    while let [Event::Value(_) | Event::ValuePart(_), ..] = rest {
                        rest = match value(rest) {
                            Step::After(after) => after,
                            step => return step,
                        };
                    }
                    rest
                }
                step => return step,
            },
            _ => return Step::Wrong,
        }
    }
}

fn value<'e, 'b>(events: &'e [Event<'b>]) -> Step<'e, 'b> {
    match events {
        [] => Step::Unfinished,
        [Event::Value(_), rest @ ..] => Step::After(rest),
        [Event::ValuePart(part), rest @ ..] if part.end == PartEnd::More => match rest {
            [Event::Value(_), ..] => Step::Wrong,
            rest => value(rest),
        },
        [Event::ValuePart(_), rest @ ..] => Step::After(rest),
        _ => Step::Wrong,
    }
}

fn is_ident(spelling: &str) -> bool {
    spelling.starts_with(|c: char| c.is_ascii_alphabetic())
        && spelling.chars().all(|c| c.is_ascii_alphanumeric())
        && spelling.chars().any(|c| c.is_ascii_uppercase())
}

fn shown(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string()
}
