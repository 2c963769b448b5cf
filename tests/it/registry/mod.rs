//! The registry of properties, from outside: its look-up against one that reads every row, its
//! rows against the fact sheet (`registry/fact_sheet.rs`), conversions (`registry/convert.rs`), and
//! real files.

mod convert;
mod fact_sheet;

use std::collections::{HashMap, HashSet};

use quickcheck::quickcheck;
use sgf_stream::node::RootFacts;
use sgf_stream::property::convert::to_ff4;
use sgf_stream::property::{self, Context, List, Origin, Property, Successor, ValueType};
use sgf_stream::{Game, Ident, NodeRecord, Parser, RawValue};

use crate::support::EachEvent;
use crate::support::shared::corpus;

fn lookup(ident: &str, context: &Context) -> Option<&'static Property> {
    property::lookup(Ident::new(ident.as_bytes()), context)
}

/// Every context that can make a difference, and some that cannot.
fn contexts() -> Vec<Context> {
    let mut contexts = Vec::new();
    for game in (0..=41).map(Game::from_number) {
        for ff in 0..=5 {
            for sgf2 in [false, true] {
                contexts.push(Context::new(game, ff).with_sgf2(sgf2));
            }
        }
    }
    contexts
}

/// The rules of the module's page for several rows of an identifier: one rule after the other takes
/// out the rows that are worse by it than another.
fn naive(rows: &[&'static Property], context: &Context) -> Vec<&'static Property> {
    let version = if (1..=4).contains(&context.ff()) { context.ff() } else { 4 };
    let mut rows: Vec<_> = rows.iter().copied().filter(|r| r.game().is_none_or(|g| g == context.game())).collect();
    let rules: [&dyn Fn(&Property) -> u8; 3] = [
        &|row| match (row.origin() == Origin::Sgf2, context.is_sgf2()) {
            (true, sgf2) => 2 * u8::from(sgf2),
            (false, _) => 1,
        },
        &|row| u8::from(row.game().is_some()),
        &|row| match row.versions().iter().collect::<Vec<_>>() {
            versions if versions.contains(&version) => 2,
            versions => u8::from(versions.is_empty()),
        },
    ];
    for rule in rules {
        let best = rows.iter().map(|row| rule(row)).max();
        rows.retain(|row| Some(rule(row)) == best);
    }
    rows
}

#[test]
fn the_look_up_finds_what_reading_every_row_finds() {
    let contexts = contexts();
    let letters: Vec<String> = ('A'..='Z').map(String::from).collect();
    let longer = |names: &[String]| -> Vec<String> {
        names.iter().flat_map(|name| letters.iter().map(move |letter| format!("{name}{letter}"))).collect()
    };
    let two = longer(&letters);
    let three = longer(&two);
    let mut names: HashSet<String> = letters.iter().chain(&two).chain(&three).cloned().collect();
    names.extend(property::all().iter().map(|row| row.ident().to_owned()));
    names.extend(["", "P", "P00", "P01", "0", "0P", "LZ20", "MULTIGO", "MULTIGOGMX", "ÄÖ"].map(String::from));
    for name in names {
        let rows: Vec<_> = property::all().iter().filter(|row| row.ident() == name).collect();
        assert!(property::find(&name).eq(rows.iter().copied()), "{name}");
        for context in &contexts {
            let expected = naive(&rows, context);
            assert!(expected.len() < 2, "{name} has two answers in {context:?}: {expected:?}");
            assert_eq!(lookup(&name, context), expected.first().copied(), "{name} in {context:?}");
        }
    }
}

#[test]
fn every_row_answers_somewhere() {
    let contexts = contexts();
    for row in property::all() {
        let answers = |context: &&Context| lookup(row.ident(), context).is_some_and(|found| std::ptr::eq(found, row));
        assert!(contexts.iter().any(|context| answers(&context)), "{row} never answers");
    }
}

#[test]
fn rows_are_sound() {
    let mut seen = HashSet::new();
    for row in property::all() {
        let ident = row.ident();
        assert!(!ident.is_empty() && ident.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit()), "{ident}");
        assert!(!row.meaning().is_empty() && !row.meaning().ends_with('.'), "{row}");
        assert!(seen.insert((ident, row.game(), row.versions(), row.origin())), "{row} is there twice");
        let standard = matches!(row.origin(), Origin::Ff4 | Origin::Older);
        assert_eq!(standard, !row.versions().is_empty(), "{row}: {}", row.origin());
        assert_eq!(row.origin() == Origin::Ff4, row.versions().contains(4), "{row}");
        if row.origin() == Origin::Ff4 {
            assert_eq!(row.successor(), Successor::Itself, "{row}");
        }
        if let Successor::Other(successor) = row.successor() {
            assert!(property::find(successor).any(|row| row.origin() == Origin::Ff4), "{row}: no {successor} in FF[4]");
        }
        let value = row.value().to_string();
        assert_eq!(
            row.is_point_list(),
            ["list of point", "list of stone"].iter().any(|list| value.ends_with(list)),
            "{row}"
        );
        assert_eq!(row.inherits(), ["DD", "PM", "VW"].contains(&ident), "{row}");
    }
}

#[test]
fn lower_case_letters_do_not_count() {
    for (spelled, name) in [
        ("Black", "B"),
        ("thisisaWhitemove", "W"),
        ("AddBlack", "AB"),
        ("CoPyright", "CP"),
        ("WerLeerreoi", "WL"),
        ("GaMe", "GM"),
        ("goWriteVersion", "WV"),
        ("Sbkvx", "S"),
        ("xSBxKVx", "SBKV"),
        ("MULTIgoGOGM", "MULTIGOGM"),
        ("pP0", "P0"),
    ] {
        assert_eq!(lookup(spelled, &Context::default()), lookup(name, &Context::default()), "{spelled}");
        assert_eq!(property::find(spelled).count(), property::find(name).count(), "{spelled}");
    }
    assert_eq!(lookup("black", &Context::default()), None);
}

#[test]
fn one_identifier_is_several_properties() {
    use ValueType::*;
    let go = Context::new(Game::Go, 4);
    let old = Context::new(Game::Go, 3);
    let sgf2 = Context::new(Game::Go, 0).with_sgf2(true);
    let game = |game| Context::new(game, 4);
    for (ident, context, list, value) in [
        ("AS", game(Game::LinesOfAction), List::Single, SimpleText),
        ("AS", game(Game::Octi), List::List, StonePoint),
        ("SE", game(Game::LinesOfAction), List::Single, Point),
        ("SE", go, List::List, Point),
        ("SU", game(Game::Hive), List::Single, SimpleText),
        ("CO", game(Game::Backgammon), List::Single, SimpleText),
        ("CO", go, List::Single, Number),
        ("DI", game(Game::Backgammon), List::Single, Number),
        ("DI", go, List::Single, SimpleText),
        ("BC", game(Game::Backgammon), List::Single, Double),
        ("BC", go, List::Single, SimpleText),
        ("OS", game(Game::Othello), List::Single, Number),
        ("OS", go, List::List, SimpleText),
        ("LT", go, List::Single, Seconds),
        ("LT", old, List::Single, None),
        ("LT", sgf2, List::Single, Seconds),
        ("TC", go, List::Single, Number),
        ("TC", old, List::Single, Number),
        ("TC", sgf2, List::Single, Text),
        ("TC", game(Game::Backgammon), List::Single, Double),
        ("TC", game(Game::Hive), List::Single, SimpleText),
        ("TE", go, List::Single, Double),
        ("TE", sgf2, List::Single, SimpleText),
        ("TE", sgf2.after_root(), List::Single, Double),
        ("KO", go, List::Single, None),
        ("KO", sgf2, List::Single, SimpleText),
        ("RD", go, List::Single, Date),
    ] {
        let row = lookup(ident, &context).unwrap();
        assert_eq!((row.list(), row.value_type()), (list, value), "{ident} in {context:?}");
    }
    assert_eq!(lookup("SE", &old).unwrap().origin(), Origin::Older);
    assert_eq!(lookup("TC", &old).unwrap().origin(), Origin::Older);
    assert_eq!(lookup("TC", &go).unwrap().origin(), Origin::Private("Fox"));
    assert_eq!(lookup("TC", &game(Game::Hex)), Option::None);
    // Known in any version, though it is of one.
    assert_eq!(lookup("L", &go), lookup("L", &Context::new(Game::Go, 1)));
}

#[test]
fn the_root_says_what_the_context_is() {
    let of = |root: &str| {
        let mut facts = RootFacts::new();
        Parser::new().each_event(root.as_bytes(), |event, _| facts.observe(event)).unwrap();
        facts.root_context()
    };
    for (root, game, ff, sgf2) in [
        ("(;)", Game::Go, 4, false),
        ("(;FF[03]GM[ 11 ])", Game::Hex, 3, false),
        ("(;GaMe[6]FileFormat[1])", Game::Backgammon, 1, false),
        ("(;GM[Go]FF[x])", Game::Go, 4, false),
        ("(;GM[999]FF[7])", Game::Other(999), 4, false),
        ("(;FF[0])", Game::Go, 4, false),
        ("(;FF[-3])", Game::Go, 4, false),
        ("(;FF[99999])", Game::Go, 4, false),
        ("(TE[第1回]RD[2025-06-12]KO[黒6目半]GK[1])", Game::Go, 4, true),
        ("(;GK[2])", Game::Othello, 4, true),
        ("(;TE[an event])", Game::Go, 4, true),
        ("(;KO[6.5])", Game::Go, 4, true),
        // Those are FF[4]'s.
        ("(;TE[1])", Game::Go, 4, false),
        ("(;TE[])", Game::Go, 4, false),
        ("(;KO[])", Game::Go, 4, false),
        // The first value that says something counts, and GM more than GK.
        ("(;GM[Go]GM[11]GM[6])", Game::Hex, 4, false),
        ("(;FF[x]FF[0]FF[3]FF[4])", Game::Go, 3, false),
        ("(;GK[2]GM[11])", Game::Hex, 4, true),
        ("(;GM[11]GK[2])", Game::Hex, 4, true),
        // Other nodes and games have no say.
        ("(;FF[3](;B[aa]GM[11]);W[bb]FF[1]GM[6])", Game::Go, 3, false),
        ("(;FF[3]GM[6])(;GM[11])", Game::Hex, 4, false),
        // One real file has both.
        ("(;RD[2015-10-20]FF[3]DT[2015-10-20])", Game::Go, 3, false),
        ("(;FF[3]RD[2015-10-20]DT[2015-10-20])", Game::Go, 3, false),
    ] {
        let context = of(root);
        assert_eq!((context.game(), context.ff(), context.is_sgf2()), (game, ff, sgf2), "{root}");
    }
}

/// Hardly any property of real files is unknown, and conversions take them all.
#[test]
fn real_files_have_known_properties() {
    let files = corpus();
    if files.is_empty() {
        return;
    }
    let (mut known, mut unknown) = (0u64, HashMap::<String, u64>::new());
    for file in &files {
        let bytes = std::fs::read(file).unwrap();
        let (mut node, mut context) = (NodeRecord::new(), Context::default());
        let mut reader = Parser::new().slice(&bytes);
        while let Ok(true) = reader.read_node(&mut node) {
            let is_root = node.starts_tree() && node.depth() == 1;
            context = if is_root { RootFacts::of_root(&node).root_context() } else { context.after_root() };
            for property in &node {
                match property::lookup(property.ident(), &context) {
                    Some(_) => known += 1,
                    None => *unknown.entry(property.ident().name().into_owned()).or_default() += 1,
                }
                to_ff4(property.ident(), &property.values().collect::<Vec<_>>(), &context);
            }
        }
    }
    let mut most: Vec<_> = unknown.iter().collect();
    most.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let count: u64 = unknown.values().sum();
    eprintln!("known {known}, unknown {count}: {most:?}");
    assert!(known > 2_000_000 && count < known / 5_000, "known {known}, unknown {count}: {most:?}");
}

quickcheck! {
    fn any_bytes_can_be_looked_up(ident: Vec<u8>, game: i64, ff: u8, value: Vec<u8>) -> bool {
        let (ident, value) = (Ident::new(&ident), RawValue::new(&value));
        let mut facts = RootFacts::new();
        facts.note(ident, value);
        for context in [facts.context(), facts.root_context()] {
            property::lookup(ident, &context);
        }
        let context = Context::new(Game::from_number(game), ff);
        let found = property::lookup(ident, &context);
        let converted = to_ff4(ident, &[value, value], &context);
        found.is_none_or(|row| ident == row.ident()) && (converted.is_none() || found.is_some())
    }
}
