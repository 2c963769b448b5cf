//! Conversions to FF[4], in short.

use sgf_stream::property::Context;
use sgf_stream::property::convert::{Converted, to_ff4};
use sgf_stream::{Event, Parser};

/// What a property, as it stands in a file, is converted to: `LB[fg:A][es:B]`.
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
    written(to_ff4(ident.unwrap(), &values, context))
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
