//! Values in properties.

use sgf_stream::value::Color;

use super::{NodeTexts, Values, json, packed};

/// Returns a number without the white space around it.
pub(super) fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let is_number = text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+'));
    text.parse().ok().filter(|number: &f64| is_number && number.is_finite())
}

/// Returns a number of playouts: `512`, `12.3k`, `1.2m`.
pub(super) fn playouts(text: &str) -> Option<i64> {
    let unit = |text: &str| match text.as_bytes().last()? {
        b'k' | b'K' => Some(1e3),
        b'm' | b'M' => Some(1e6),
        _ => None,
    };
    let visits = match unit(text) {
        Some(factor) => number(&text[..text.len() - 1])? * factor,
        None => number(text)?,
    };
    (0.0..1e15).contains(&visits).then_some(visits.round() as i64)
}

pub(super) fn katrain(node: &NodeTexts<'_>) -> Option<Values> {
    let json = packed::unpack(node.value("KT", 2)?)?;
    let root = json::find(&json, "root", 1)?;
    let values = Values {
        winrate: json::number(root, "winrate", 1),
        score: json::number(root, "scoreLead", 1),
        visits: json::number(root, "visits", 1).map(|visits| visits as i64),
    };
    (!values.is_empty()).then_some(values)
}

pub(super) fn sabaki(node: &NodeTexts<'_>) -> Option<Values> {
    let winrate = node.value("SBKV", 0).and_then(number).map(|percent| percent / 100.0);
    let values = Values { winrate, score: node.value("SBKS", 0).and_then(number), visits: None };
    (!values.is_empty()).then_some(values)
}

/// The engine's name may have spaces, so the win rate is the first number with one decimal before playouts.
pub(super) fn lizzie(node: &NodeTexts<'_>) -> Option<Values> {
    let text = node.value("LZ", 0).or_else(|| node.value("LZ2", 0))?;
    let words: Vec<&str> = text.lines().next()?.split(' ').filter(|word| !word.is_empty()).collect();
    let is_rate = |pair: &&[&str]| {
        let has_decimal = pair[0].split_once('.').is_some_and(|(_, decimals)| decimals.len() == 1);
        has_decimal && number(pair[0]).is_some_and(|rate| (0.0..=100.0).contains(&rate)) && playouts(pair[1]).is_some()
    };
    let at = words.windows(2).enumerate().skip(1).find(|(_, pair)| is_rate(pair))?.0;
    let score = words.get(at + 2).and_then(|score| number(score)).map(|score| -score);
    let winrate = number(words[at]).map(|percent| percent / 100.0);
    Some(Values { winrate, score, visits: playouts(words[at + 1]) }.of(node.player))
}

pub(super) fn cgos(node: &NodeTexts<'_>) -> Option<Values> {
    let json = node.value("CC", 0)?;
    let in_first = |key: &str| json::number(json::find(json, "moves", 1)?, key, 2);
    let get = |key: &str| json::number(json, key, 1).or_else(|| in_first(key));
    let values =
        Values { winrate: get("winrate"), score: get("score"), visits: get("visits").map(|visits| visits as i64) };
    (!values.is_empty()).then(|| values.of(node.player))
}

/// Returns the player of a letter.
pub(super) fn player(letter: &str) -> Option<Color> {
    match letter {
        "B" => Some(Color::Black),
        "W" => Some(Color::White),
        _ => None,
    }
}
