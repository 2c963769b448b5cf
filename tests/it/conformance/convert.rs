//! Conversions to FF[4], of properties of FF[3].

use sgf_stream::Game;
use sgf_stream::property::Context;

use super::cases::{Case, Report, room};
use crate::support::convert::converted;

room! {
    excused: [];
    properties_are_converted_to_ff4: "convert" => converted_property;
}

fn converted_property(case: &Case, report: &mut Report) {
    let property = std::str::from_utf8(&case.input).expect("these are ASCII");
    let converted = converted(property, &Context::new(Game::Go, 3));
    report.check(case, "ff4", case.expect["ff4"] == *converted, || converted.clone());
}
