//! The rows against the tables of `../shared/spec/SGF.md`, §6.

use std::collections::HashSet;

use sgf_stream::Game;
use sgf_stream::property::{self, Context, Origin, PropertyType, Successor};

use super::lookup;
use crate::support::shared;

/// A row of a table of the fact sheet, as far as it says something.
struct Said {
    ident: String,
    game: Option<Game>,
    value: Option<String>,
    property_type: Option<PropertyType>,
    inherits: bool,
    versions: Vec<u8>,
    successor: Option<String>,
}

/// The rows of a section, cell by cell.
fn section(sheet: &str, heading: &str) -> Vec<Vec<String>> {
    let (_, section) = sheet.split_once(heading).unwrap_or_else(|| panic!("no section {heading}"));
    let section = section.split("\n### ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with('|')).skip(2);
    rows.map(|line| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()).collect()
}

/// `SimpleText:SimpleText (proplist_t: …)` and `composed SimpleText ':' SimpleText` alike: the words
/// that are types, up to the first that is none.
fn plain(value: &str) -> Option<String> {
    const WORDS: [&str; 14] = [
        "list",
        "elist",
        "of",
        "or",
        "none",
        "number",
        "real",
        "double",
        "color",
        "simpletext",
        "text",
        "point",
        "move",
        "stone",
    ];
    if value == "?" {
        return None;
    }
    let value = value.to_lowercase().replace("composed ", "").replace(" ':' ", ":").replace(" | ", " or ");
    let words = value.split(' ').map(|word| word.trim_end_matches(','));
    let types: Vec<_> = words.take_while(|word| word.split(':').all(|part| WORDS.contains(&part))).collect();
    Some(types.join(" "))
}

fn property_type(cell: &str) -> Option<PropertyType> {
    Some(match cell.trim_end_matches('*') {
        "mv" => PropertyType::Move,
        "su" => PropertyType::Setup,
        "ro" => PropertyType::Root,
        "gi" => PropertyType::GameInfo,
        "-" => PropertyType::None,
        "?" => return None,
        other => panic!("property type {other}"),
    })
}

/// `1234`, `234 (SGFC 1234)`, `RB 34, SGFC 4`, `SGB`: the digits it begins with.
fn versions(cell: &str) -> Vec<u8> {
    let digits = cell.trim_start_matches("RB ").bytes().take_while(u8::is_ascii_digit);
    digits.map(|digit| digit - b'0').collect()
}

fn said(sheet: &str) -> Vec<Said> {
    let mut said = Vec::new();
    for row in section(sheet, "### 6.1") {
        let [ident, _, value, kind, ff] = &row[..] else { panic!("{row:?}") };
        said.push((ident.clone(), None, value.clone(), kind.clone(), versions(ff), None));
    }
    let mut game = None;
    for row in section(sheet, "### 6.2") {
        let [name, ident, value, kind, meaning] = &row[..] else { panic!("{row:?}") };
        let number = |name: &String| name.rsplit(' ').next().unwrap().parse().map(Game::from_number).unwrap();
        game = if name.is_empty() { game } else { Some(number(name)) };
        if !kind.is_empty() {
            let ff = meaning.split_once("(FF ").map_or(vec![4], |(_, ff)| versions(ff));
            said.push((ident.clone(), game, value.clone(), kind.clone(), ff, None));
        }
    }
    for row in section(sheet, "### 6.3") {
        let [ident, ff, value, kind, meaning] = &row[..] else { panic!("{row:?}") };
        let successor = meaning.rsplit("-> ").next().unwrap().split(' ').next().unwrap().to_owned();
        said.push((ident.clone(), None, value.clone(), kind.clone(), versions(ff), Some(successor)));
    }
    let each = said.into_iter().flat_map(|(idents, game, value, kind, versions, successor)| {
        let ids: Vec<String> = idents.split(", ").map(str::to_owned).collect();
        ids.into_iter().map(move |ident| Said {
            ident,
            game,
            value: plain(&value),
            property_type: property_type(&kind),
            inherits: kind.ends_with('*'),
            versions: versions.clone(),
            successor: successor.clone(),
        })
    });
    each.collect()
}

#[test]
fn the_table_agrees_with_the_fact_sheet() {
    /// Identifier and column in which the table differs, and why.
    const DIFFERENT: [(&str, &str, &str); 3] = [
        ("LN", "versions", "the sheet gives proplist_ff first; new in FF[4] by changes.html, and D23"),
        ("TC", "game", "the sheet names the game in the column of meanings"),
        ("KI", "game", "it is komi, which only Go has"),
    ];
    let Some(sheet) = shared::text("spec/SGF.md") else { return };
    let said = said(&sheet);
    assert!(said.len() > 110, "only {} rows", said.len());

    let mut differences = Vec::new();
    let mut matched = HashSet::new();
    for Said { ident, game, value, property_type, inherits, versions, successor } in said {
        // A row of a game, of no game, of an older version: the three tables.
        let older = successor.is_some();
        let rows = property::find(&ident).filter(|row| {
            older == (row.successor() != Successor::Itself)
                && (game.is_none() || row.game() == game)
                && (matches!(row.origin(), Origin::Ff4 | Origin::Older) || ident == "KI")
                && (game.is_some() || older || row.game().is_none())
        });
        let rows: Vec<_> = rows.collect();
        let [row] = rows[..] else { panic!("{ident} of {game:?}: {rows:?}") };
        matched.insert(std::ptr::from_ref(row));

        let mut compare = |column: &str, same: bool, ours: String| {
            if !same {
                differences.push((ident.clone(), column.to_owned(), ours));
            }
        };
        compare("game", row.game() == game, format!("{:?}", row.game()));
        let ours = plain(&row.value().to_string());
        compare("value", value.is_none() || value == ours, format!("{ours:?}, not {value:?}"));
        let ours = row.property_type();
        compare("property type", property_type.is_none_or(|said| said == ours), format!("{ours}"));
        compare("inherit", row.inherits() == inherits, format!("{}", row.inherits()));
        let ours: Vec<u8> = row.versions().iter().collect();
        compare("versions", ours == versions, format!("{ours:?}, not {versions:?}"));
        let ours = match row.successor() {
            Successor::Itself => None,
            Successor::Other(ident) => Some(ident),
            Successor::None => Some("none"),
            successor => unreachable!("{successor:?}"),
        };
        compare("successor", successor.as_deref() == ours, format!("{ours:?}, not {successor:?}"));
    }
    let known: Vec<_> = DIFFERENT.iter().map(|(ident, column, _)| (*ident, *column)).collect();
    let mut found: Vec<_> = differences.iter().map(|(ident, column, _)| (ident.as_str(), column.as_str())).collect();
    found.retain(|difference| !known.contains(difference));
    assert!(found.is_empty(), "{differences:#?}");
    assert_eq!(differences.len(), known.len(), "a difference is none any more: {differences:?}");

    // What the specification has, the sheet has: but for Othello's of FF[1], and Twixt's.
    let unsaid = property::all().iter().filter(|row| matches!(row.origin(), Origin::Ff4 | Origin::Older));
    let unsaid = unsaid.filter(|row| !matched.contains(&std::ptr::from_ref(*row)));
    let unsaid: Vec<_> = unsaid.map(|row| (row.ident(), row.game().unwrap())).collect();
    let othello = ["OE", "OS", "PE"].map(|ident| (ident, Game::Othello));
    assert_eq!(unsaid, [&[("HA", Game::Twixt)][..], &othello].concat());
}

#[test]
fn brouwers_types_are_known() {
    // §6.4, as far as it gives types, and the aliases.
    for (ident, value) in [
        ("BC", "SimpleText"),
        ("WC", "SimpleText"),
        ("JD", "SimpleText"),
        ("LC", "Number"),
        ("LT", "Real"),
        ("OH", "SimpleText"),
        ("KGSDE", "elist of point"),
        ("KGSSB", "Real"),
        ("KGSSW", "Real"),
    ] {
        assert_eq!(lookup(ident, &Context::default()).unwrap().value().to_string(), value, "{ident}");
    }
    let others = "MULTIGOGM MULTIGOBM KK XM TI TC TT TEV DTX EVX SY BP WP PI AX ZZ GE DI CO DP WV WX RN PT E IL DG TY TZ \
                  TP TK KB KW EG TU NN NL MD DE PD MO MM PN DN QE QB QW NW NB RR OS RL TL LKM PTM PDT GK RD T KI SBKV";
    for ident in others.split_whitespace() {
        assert!(lookup(ident, &Context::default()).is_some(), "{ident} is not known");
    }
}
