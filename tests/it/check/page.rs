//! The page of the rules, `src/check/rules.md`, which the docs of `check` include, is made from the tables of rules
//! and codes. `UPDATE_PAGES=1 cargo test --test it check::page` writes it anew.

use sgf_stream::Repair;
use sgf_stream::check::Rule;

const RULES: &str = "\
<!-- Made by tests/it/check/page.rs: see there. -->
The variants of [`Rule`] say what each rule finds; this table says why. Rules of *style* are off by default. *SGFC*:
the numbers of SGFC's messages for it. *Fix*: whether its findings may have a [repair](Diagnostic::is_fixable) that keeps
all content; *lossy*: the repair drops content, so only a [lossy](crate::write::Rewriter::lossy) one is made.

| code | severity | SGFC | fix | why, and what to do |
|---|---|---|---|---|
";

const NUMBERS: &str = "
## SGFC's numbers

SGFC, the reference implementation, numbers its messages, and experts know them by these numbers. For each message,
this table has the rules for it and, where we judge otherwise, the reason.

| SGFC | |
|---|---|
";

/// What there is to say about SGFC's messages besides the rules for them.
const NOTES: &[(u8, &str)] = &[
    (1, "its command line"),
    (2, "its command line"),
    (3, "the file cannot be opened: an I/O error"),
    (4, "the file cannot be read: an I/O error"),
    (5, "out of memory"),
    (11, "more than 256 letters here, 100 there"),
    (16, "in files that say FF[4], as there"),
    (19, "games without a notation; seven games more than there are checked"),
    (26, "its output"),
    (27, "its output"),
    (29, "obsolete properties, which SGFC deletes by an option, are no fault of the file: see 40 and 59"),
    (30, "not in FF[1] to FF[3], which allow it"),
    (34, "its output"),
    (35, "not in the registry, which has a hundred properties more"),
    (40, "where FF names a version; there no FF means FF[1]"),
    (51, "where FF names a version"),
    (52, "in FF[3]; VW[][aa] is an empty value among others"),
    (56, "whether a variation belongs one node further up is a question of taste"),
    (57, "whether a variation belongs one node further up is a question of taste"),
    (58, "suicide is legal by some rules, and a ko is not looked for"),
    (60, "a collection may have any number of games"),
    (61, "where there is an HA"),
    (64, "only the depth of variations has a limit"),
];

/// The numbers that SGFC has no message for.
const UNUSED: [u8; 4] = [48, 49, 68, 69];

#[test]
fn the_page_of_rules_is_made_from_the_tables() {
    let mut page = RULES.to_owned();
    Rule::all().for_each(|rule| page += &row(rule));
    page += NUMBERS;
    (1..=75).filter(|number| !UNUSED.contains(number)).for_each(|number| page += &number_row(number));
    let path = format!("{}/src/check/rules.md", crate::PROJECT);
    if std::env::var_os("UPDATE_PAGES").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap();
    let differs = page.lines().zip(stored.lines()).find(|(new, old)| new != old);
    assert_eq!(differs, None, "left: the tables, right: {path}. UPDATE_PAGES=1 writes it anew");
    assert_eq!(page.len(), stored.len(), "UPDATE_PAGES=1 writes it anew");
}

fn row(rule: Rule) -> String {
    let severity = if rule.is_style() { "style".to_owned() } else { rule.severity().to_string() };
    let numbers: Vec<String> = rule.sgfc().iter().map(ToString::to_string).collect();
    let fixed = match rule.repair() {
        Repair::Keeps => "yes",
        Repair::Drops => "lossy",
        _ => "",
    };
    let explanation = escaped(rule.explanation());
    format!("| `{rule}` | {severity} | {} | {fixed} | {explanation} |\n", numbers.join(", "))
}

fn number_row(number: u8) -> String {
    let rules: Vec<String> =
        Rule::all().filter(|rule| rule.sgfc().contains(&number)).map(|rule| format!("`{rule}`")).collect();
    let note = NOTES.iter().find(|(noted, _)| *noted == number).map(|(_, note)| escaped(note));
    let text: Vec<String> = (!rules.is_empty()).then(|| rules.join(", ")).into_iter().chain(note).collect();
    assert!(!text.is_empty(), "no rule and no note for number {number}");
    format!("| {number} | {} |\n", text.join(": "))
}

/// Brackets are links in Markdown, but not between backticks.
fn escaped(text: &str) -> String {
    let escaped = |part: &str| part.replace('[', r"\[").replace(']', r"\]");
    let parts = text.split('`').enumerate();
    let parts: Vec<String> = parts.map(|(n, part)| if n % 2 == 0 { escaped(part) } else { part.to_owned() }).collect();
    parts.join("`")
}
