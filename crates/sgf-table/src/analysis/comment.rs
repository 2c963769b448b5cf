//! Values in comments.

use sgf_stream::value::Color;

use super::property::{number, player, playouts};
use super::{NodeTexts, Values};

/// Returns the rest of the first line that begins with some text.
fn line<'t>(node: &'t NodeTexts<'_>, start: &str) -> Option<&'t str> {
    node.comment.lines().find_map(|line| line.strip_prefix(start)).map(str::trim)
}

/// Reads `W 60.38%` as Black's win rate.
fn rate(text: &str) -> Option<f64> {
    let (letter, percent) = text.split_once(' ')?;
    let rate = Values { winrate: Some(number(percent.trim().strip_suffix('%')?)? / 100.0), ..Values::default() };
    rate.of(player(letter)?).winrate
}

pub(super) fn katago(node: &NodeTexts<'_>) -> Option<Values> {
    let mut words = node.comment.split_ascii_whitespace();
    let mut next = || words.next().and_then(number);
    let (win, loss, none, score) = (next()?, next()?, next()?, next()?);
    let sum = win + loss + none;
    if ![win, loss, none].iter().all(|part| (0.0..=1.0).contains(part)) || !(0.97..=1.03).contains(&sum) {
        return None;
    }
    let visits = words.find_map(|word| word.strip_prefix("v=")).and_then(playouts);
    let winrate = Some((0.5 * (1.0 + win - loss)).clamp(0.0, 1.0));
    Some(Values { winrate, score: Some(score), visits }.of(Color::White))
}

pub(super) fn analyze_sgf(node: &NodeTexts<'_>) -> Option<Values> {
    let lead = |text: &str| {
        let (letter, points) = text.split_once(' ')?;
        Values { score: number(points), ..Values::default() }.of(player(letter)?).score
    };
    let values = Values {
        winrate: line(node, "* Win rate:").and_then(rate),
        score: line(node, "* Score lead:").and_then(lead),
        visits: line(node, "* Visits:").and_then(playouts),
    };
    (!values.is_empty()).then_some(values)
}

pub(super) fn katrain(node: &NodeTexts<'_>) -> Option<Values> {
    let lead = |text: &str| {
        let (letter, points) = text.split_once('+')?;
        Values { score: number(points), ..Values::default() }.of(player(letter)?).score
    };
    let values = Values {
        winrate: line(node, "Win rate:").and_then(rate),
        score: line(node, "Score:").and_then(lead),
        visits: None,
    };
    (values.winrate.is_some()).then_some(values)
}

pub(super) fn lizzie(node: &NodeTexts<'_>) -> Option<Values> {
    let of = |start: &str, player: Color| {
        let percent = line(node, start)?.split(['%', ' ']).next()?;
        Values { winrate: Some(number(percent)? / 100.0), ..Values::default() }.of(player).winrate
    };
    let winrate = of("Black's winrate:", Color::Black).or_else(|| of("White's winrate:", Color::White))?;
    let count = node.comment.lines().find_map(|line| line.strip_suffix(" playouts)")?.rsplit(' ').next());
    Some(Values { winrate: Some(winrate), score: None, visits: count.and_then(playouts) })
}
