//! Conversions to FF[4]: their laws, and what a property is converted to, in short.

use std::borrow::Cow;

use sgf_stream::property::convert::{self, Converted};
use sgf_stream::property::{self, Context, ValueType};
use sgf_stream::value::{Number, Overtime};
use sgf_stream::{Event, Ident, Parser, RawValue};

use super::EachEvent;

/// Converts a property, in the form of a file: `LB[fg:A][es:B]`.
pub fn converted(property: &str, context: &Context) -> String {
    let game = format!("(;{property})");
    let (mut ident, mut values) = (None, Vec::new());
    for event in Parser::new().slice(game.as_bytes()) {
        match event.unwrap() {
            Event::Property(name) => ident = Some(name),
            Event::Value(value) => values.push(value),
            _ => {}
        }
    }
    written(convert::to_ff4(ident.unwrap(), &values, context))
}

fn written(converted: Option<Converted<'_>>) -> String {
    match converted {
        Some(Converted::Property { ident, values }) => {
            let values = values.iter().map(|value| format!("[{}]", String::from_utf8_lossy(value)));
            ident.to_owned() + &values.collect::<String>()
        }
        Some(Converted::PartOf(ident)) => format!("part of {ident}"),
        Some(Converted::NoSuccessor) => "none".to_owned(),
        None => "as it is".to_owned(),
        _ => unreachable!(),
    }
}

/// A property of some file in FF[4]: there it is a property of the same game, and its values are of
/// their type if they were before.
pub fn to_ff4(ident: &[u8], values: &[&[u8]], context: &Context) {
    let raw: Vec<_> = values.iter().map(|value| RawValue::new(value)).collect();
    let ident = Ident::new(ident);
    let row = property::lookup(ident, context);
    match convert::to_ff4(ident, &raw, context) {
        None => {}
        Some(Converted::Property { ident: successor, values: converted }) => {
            let row = row.expect("what is converted is known");
            let mut ff4 = Context::new(context.game(), 4);
            if let Some(size) = context.board() {
                ff4 = ff4.with_size(size);
            }
            let successor = property::lookup(Ident::new(successor.as_bytes()), &ff4).expect("the successor is known");
            assert!(successor.versions().contains(4), "{successor}");
            // The komi of SGF2 is a text.
            let is_of_type = row.value_type() == successor.value_type() || row.value_type() != ValueType::SimpleText;
            if is_of_type && raw.iter().all(|value| row.parse(*value, context).is_ok()) {
                for value in &converted {
                    let read = successor.parse(RawValue::new(value), &ff4);
                    assert!(read.is_ok(), "{successor}: {} is {read:?}", value.escape_ascii());
                }
            }
            if is_of_type && raw.iter().all(|value| row.parse_lenient(*value, context).is_ok()) {
                for value in &converted {
                    let read = successor.parse_lenient(RawValue::new(value), &ff4);
                    assert!(read.is_ok(), "{successor}: {} is {read:?}", value.escape_ascii());
                }
            }
            if are_values(values.iter().copied()) {
                assert!(are_values(converted.iter().map(Cow::as_ref)), "{converted:?}");
            }
            // What is in FF[4] stays as it is.
            let again: Vec<_> = converted.iter().map(|value| RawValue::new(value)).collect();
            assert_eq!(convert::to_ff4(Ident::new(successor.ident().as_bytes()), &again, &ff4), None);
        }
        Some(Converted::PartOf(whole)) => assert_eq!(whole, "OT"),
        Some(Converted::NoSuccessor) => assert!(row.is_some()),
        Some(other) => panic!("{other:?}"),
    }
}

/// Overtime, put together, is an overtime that is recognized, unless nobody lives long enough.
pub fn overtime(moves: &[u8], length: &[u8]) {
    if let Some(overtime) = convert::overtime(RawValue::new(moves), RawValue::new(length)) {
        assert!(are_values([overtime.as_bytes()]));
        let read = Overtime::parse(&overtime).expect("it is a text");
        let fits = Number::parse_lenient(moves).is_ok_and(|moves| u32::try_from(moves.get()).is_ok());
        assert_eq!(matches!(read, Overtime::Canadian { .. }), fits, "{overtime}");
        assert_eq!(read.to_string(), overtime);
    }
}

/// Whether these can be the values of a property of a file.
fn are_values<'a>(values: impl IntoIterator<Item = &'a [u8]>) -> bool {
    let values: Vec<&[u8]> = values.into_iter().collect();
    let file = [b"(;XX[", &*values.join(&b"]["[..]), b"])"].concat();
    let mut read: Vec<Vec<u8>> = Vec::new();
    let end = Parser::strict().max_value_len(file.len()).each_event(&file, |event, _| {
        if let Event::Value(value) = event {
            read.push(value.as_bytes().to_vec());
        }
    });
    end.is_ok() && read == values
}
