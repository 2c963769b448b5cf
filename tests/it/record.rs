//! Node records: what they say of a node, against a model made of the events; and the limit.

use sgf_stream::{Code, DiagnosticLog, Event, NodeRecord, Parser};

use crate::support::EachEvent;
use crate::support::generate::Input;

/// Offset of a node, depth, start of a tree, properties: name, offset, values with their offsets.
type Node = (u64, usize, bool, Vec<(String, u64, Vec<(u64, Vec<u8>)>)>);

/// The nodes of some bytes, from the events.
fn model(bytes: &[u8]) -> Vec<Node> {
    let (mut nodes, mut depth, mut starts, mut last) = (Vec::<Node>::new(), 0, false, 0);
    let _ = Parser::new().each_event(bytes, |event, at| match event {
        Event::StartTree => {
            depth += 1;
            starts = true;
        }
        Event::EndTree => depth -= 1,
        Event::Node => nodes.push((at, depth, std::mem::take(&mut starts), Vec::new())),
        Event::Property(ident) => {
            let properties = &mut nodes.last_mut().unwrap().3;
            let name = ident.name().into_owned();
            last = properties.iter().position(|property| property.0 == name).unwrap_or(properties.len());
            if last == properties.len() {
                properties.push((name, at, Vec::new()));
            }
        }
        Event::Value(value) => nodes.last_mut().unwrap().3[last].2.push((at, value.as_bytes().to_vec())),
        _ => unreachable!(),
    });
    nodes
}

fn node(record: &NodeRecord<'_>) -> Node {
    let properties = record.iter().map(|property| {
        let values: Vec<_> = property.values_with_offsets().map(|(raw, at)| (at, raw.as_bytes().to_vec())).collect();
        assert_eq!(values[0].1, property.first().as_bytes());
        assert_eq!(values.len(), property.len());
        assert_eq!(record.get(&property.ident().name()), Some(property));
        (property.ident().name().into_owned(), property.offset(), values)
    });
    (record.offset(), record.depth(), record.starts_tree(), properties.collect())
}

fn nodes(bytes: &[u8], parser: &Parser) -> [Vec<Node>; 5] {
    let mut record = NodeRecord::new();
    let owned_slice = parser.slice(bytes).nodes().map_while(|record| Some(node(&record.ok()?))).collect();
    let owned_stream = parser.reader(bytes).nodes().map_while(|record| Some(node(&record.ok()?))).collect();
    let (mut from_slice, mut slice) = (Vec::new(), parser.slice(bytes));
    while slice.read_node(&mut record).unwrap_or(false) {
        from_slice.push(node(&record));
    }
    [bytes.len().max(1), 1]
        .map(|capacity| {
            let (mut from_reader, mut record) = (Vec::new(), NodeRecord::new());
            let mut reader = parser.reader(std::io::BufReader::with_capacity(capacity, bytes));
            while reader.read_node(&mut record).unwrap_or(false) {
                from_reader.push(node(&record));
            }
            from_reader
        })
        .into_iter()
        .chain([from_slice, owned_slice, owned_stream])
        .collect::<Vec<_>>()
        .try_into()
        .unwrap()
}

#[test]
fn records_say_what_the_events_say() {
    crate::support::holds(
        3000,
        (|input| {
            let expected = model(&input.0);
            let log = DiagnosticLog::new(1 << 20);
            for parser in [Parser::new(), Parser::new().log_to(&log)] {
                for seen in nodes(&input.0, &parser) {
                    assert_eq!(seen, expected);
                }
            }
            true
        }) as fn(Input) -> bool,
    );
}

#[test]
fn the_values_of_a_property_that_comes_twice_are_joined() {
    let mut record = NodeRecord::new();
    Parser::new().slice(b"(;AB[aa]C[x]AB[bb][cc]AddBlack[dd]C[y])").read_node(&mut record).unwrap();
    assert_eq!(format!("{record:?}"), "[AB[aa][bb][cc][dd], C[x][y]]");
    assert_eq!((record.len(), record.contains("AB"), record.contains("A")), (2, true, false));
}

#[test]
fn many_properties_are_found_by_name_as_few_are() {
    for count in [1, 23, 24, 25, 26, 500] {
        let name = |n: usize| String::from_utf8(vec![b'A' + (n / 26) as u8, b'A' + (n % 26) as u8]).unwrap();
        let mut text = String::from("(;");
        for n in (0..count).chain(0..count) {
            text += &format!("{}[{n}]", name(n));
        }
        let (mut record, mut reader) =
            (NodeRecord::new(), Parser::new().slice((text + ";A[])").as_bytes().to_vec().leak()));
        reader.read_node(&mut record).unwrap();
        assert_eq!(record.len(), count);
        for n in 0..count {
            let values: Vec<_> = record.get(&name(n)).unwrap().values().map(|raw| raw.text().into_owned()).collect();
            assert_eq!(values, [n.to_string(), n.to_string()]);
        }
        assert!(record.get("ZZ").is_none());
        assert!(reader.read_node(&mut record).unwrap());
        assert_eq!((record.len(), record.contains("AA")), (1, false));
    }
}

#[test]
fn a_node_of_exactly_the_limit_is_whole_and_a_longer_one_is_cut_and_reported() {
    // B, aa, W, bb, cc: five entries of 32, and eight bytes.
    let text = b"(;B[aa]W[bb][cc];C[x])";
    for (limit, whole) in [(168, true), (167, false)] {
        let log = DiagnosticLog::new(10);
        for seen in nodes(text, &Parser::new().max_node_len(limit).log_to(&log)) {
            assert_eq!(seen[0].3[1].2.len(), if whole { 2 } else { 1 }, "{limit}");
            assert_eq!(seen[1].3.len(), 1);
        }
        let codes: Vec<_> = log.take().iter().map(|found| (found.code, found.position.offset)).collect();
        assert_eq!(codes, vec![(Code::NodeTooLong, 16); if whole { 0 } else { 5 }], "{limit}");
        let mut reader = Parser::strict().max_node_len(limit).slice(text);
        let mut record = NodeRecord::new();
        assert_eq!(
            reader.read_node(&mut record).map_err(|error| error.code()),
            if whole { Ok(true) } else { Err(Code::NodeTooLong) }
        );
    }
}

#[test]
fn parts_of_a_value_are_one_value() {
    let parser = Parser::new().max_value_len(3).value_parts(true);
    for seen in nodes(b"(;C[0123456789][ab]N[x])", &parser) {
        let values = vec![(3, b"0123456789".to_vec()), (15, b"ab".to_vec())];
        assert_eq!(seen[0].3[0], ("C".into(), 2, values));
        assert_eq!(seen[0].3[1].2, [(20, b"x".to_vec())]);
    }
}

#[test]
fn a_record_that_was_started_by_hand_takes_events() {
    let mut record = NodeRecord::new();
    record.push(Event::Value(sgf_stream::RawValue::new(b"of no property")), 0);
    assert!(record.is_empty());
    record.start(7);
    for event in Parser::new().slice(b"(;B[aa]B[bb])") {
        record.push(event.unwrap(), 9);
    }
    assert_eq!((format!("{record:?}"), record.offset()), ("[B[aa][bb]]".into(), 7));
}
