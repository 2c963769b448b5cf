//! Real games, read, written and read again: `../shared/corpus`.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::fs;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sgf_stream::de::Properties;
use sgf_stream::from_slice;
use sgf_stream::property::{self, List};
use sgf_stream::ser::Serializer;
use sgf_stream::{Parser, to_vec};

use crate::support::EachEvent;

/// What few games are refused for: texts in UTF-8 under another label, identifiers with digits, and raw values with
/// brackets that nobody escaped, which are text to a reader that repairs.
fn judge((count, refused): (usize, BTreeMap<String, usize>)) {
    eprintln!("{count} games, refused: {refused:#?}");
    for why in refused.keys() {
        let known = [
            "expected UTF-8, because the game has texts that are not ASCII",
            "expected an identifier of upper-case letters",
            "expected a raw value in which every `]` is escaped",
        ];
        assert!(known.iter().any(|known| why.starts_with(known)), "{why}");
    }
    assert!(refused.values().sum::<usize>() <= count / 100);
}

/// A game, raw.
#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Raw {
    #[serde(rename = "$nodes")]
    nodes: Vec<Properties>,
    #[serde(rename = "$root")]
    root: Properties,
    #[serde(rename = "$variations")]
    variations: Vec<Raw>,
}

/// Reads every game of the corpus as this type, writes it, and reads it again. Answers how many there
/// were, and why some were refused.
fn read_and_write<T>(prepare: fn(&mut T)) -> (usize, BTreeMap<String, usize>)
where
    T: Serialize + DeserializeOwned + PartialEq + Debug,
{
    let (mut count, mut refused) = (0, BTreeMap::new());
    for path in crate::support::shared::corpus() {
        let file = fs::read(&path).unwrap();
        for game in Parser::new().slice(&file).games::<T>().filter_map(Result::ok) {
            let mut game = game;
            prepare(&mut game);
            count += 1;
            let mut serializer = Serializer::new(Vec::new());
            if let Err(error) = game.serialize(&mut serializer) {
                *refused.entry(error.message()).or_default() += 1;
                continue;
            }
            let sgf = serializer.finish().unwrap();
            Parser::strict().each_event(&sgf, |_, _| {}).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let [read]: [T; 1] = from_slice(&sgf).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            // Where a text is not ASCII, it may have got a CA.
            assert!(read == game || !sgf.is_ascii(), "{}: {game:?}\n\n{read:?}", path.display());
            let again = to_vec(&read).unwrap();
            let [twice]: [T; 1] = from_slice(&again).unwrap();
            assert!(twice == read, "{}: {read:?}\n\n{twice:?}", path.display());
        }
    }
    (count, refused)
}

#[test]
fn raw_games_read_back() {
    judge(read_and_write::<Raw>(|_| {}));
}

/// An empty list that FF[4] does not allow is missing: `AB[]`.
fn without_empty_lists(value: &mut Value) {
    match value {
        Value::Object(tree) => {
            let may_be_empty = |name: &str| property::find(name).any(|row| row.list() == List::EList);
            tree.retain(|name, value| may_be_empty(name) || value.as_array().is_none_or(|list| !list.is_empty()));
            tree.values_mut().for_each(without_empty_lists);
        }
        Value::Array(items) => items.iter_mut().for_each(without_empty_lists),
        _ => {}
    }
}

#[test]
fn games_as_json_read_back() {
    judge(read_and_write(without_empty_lists));
}
