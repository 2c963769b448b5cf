//! Text, SimpleText and composed values.

use sgf_stream::RawValue;

use super::cases::{Case, Report, readable, room, string};

room! {
    excused: [];
    texts_are_read_by_the_rules_of_ff4: "text" | "simpletext" => text;
    composed_values_are_split_at_the_first_bare_colon: "compose" => parts;
}

fn text(case: &Case, report: &mut Report) {
    let value = RawValue::new(&case.input);
    let text = if case.kind == "text" { value.text() } else { value.simple_text() };
    report.check(case, "value", text == string(&case.expect["value"]), || format!("{text:?}"));
}

fn parts(case: &Case, report: &mut Report) {
    let (first, second) = RawValue::new(&case.input).compose().expect("a colon");
    let parts = serde_json::json!([readable(first.as_bytes()), readable(second.as_bytes())]);
    report.check(case, "parts", parts == case.expect["parts"], || format!("{parts}"));
    if let Some(unescaped) = case.expect.get("unescaped") {
        let texts = serde_json::json!([first.text(), second.text()]);
        report.check(case, "texts", texts == *unescaped, || format!("{texts}"));
    }
}
