//! Results in words and other spellings than the format of `RE`, for lenient parsing.

use super::east_asian::{after_plus, in_east_asian};
use crate::value::formats::units::unsigned;
use crate::value::{Color, GameResult, Score, WonBy};

pub(super) fn in_words(text: &[u8]) -> Option<GameResult> {
    let text = str::from_utf8(text).ok()?;
    let (text, remark) = without_remark(text);
    if remark.is_some()
        && let Ok(result) = super::read(text.as_bytes(), true)
    {
        return Some(result);
    }
    let text = text.to_ascii_lowercase();
    let words = words_of(&text);
    match *words {
        ["draw" | "jigo"] | ["the", "game", "is", "a", "draw"] => Some(GameResult::Draw),
        ["void"] | ["no", "result"] => Some(GameResult::Void),
        ["unknown"] => Some(GameResult::Unknown),
        [loser, "resigns" | "resigned"] => win(side(loser)?.opponent(), WonBy::Resign(None)),
        [loser, "forfeits" | "forfeited"] => win(side(loser)?.opponent(), WonBy::Forfeit),
        [loser, "loses" | "lost", "on" | "by", "time"] => win(side(loser)?.opponent(), WonBy::Time),
        [winner] if side(winner).is_some() => win(side(winner)?, WonBy::Unspecified),
        [winner, "wins" | "won"] => win(side(winner)?, WonBy::Unspecified),
        [winner, "wins" | "won", "by" | "on", ref how @ ..] if !how.is_empty() => win(side(winner)?, by(how)?),
        _ => match text.split_once('+') {
            Some((winner, how)) => {
                let how = words_of(how);
                let by = by(&how).or_else(|| after_plus(&how));
                let reason = || is_reason(&how).then_some(WonBy::Unspecified);
                win(side(winner.trim_end())?, by.or_else(reason)?)
            }
            None => in_east_asian(&words),
        },
    }
}

/// Splits a text at its spaces, without a final period.
fn words_of(text: &str) -> Vec<&str> {
    let text = match text.strip_suffix('.') {
        // Keep the period of `B+42.`
        Some(sentence) if !sentence.ends_with(|c: char| c.is_ascii_digit()) => sentence,
        _ => text,
    };
    text.split(' ').filter(|word| !word.is_empty()).collect()
}

/// Splits off a remark in parentheses: `B+3.5 (moves after 203 are missing)`. A remark with a `+` may be another result.
///
/// A server writes the points of both players after a resignation: `White resigns. W 6.5 B 157.0`.
fn without_remark(text: &str) -> (&str, Option<&str>) {
    let in_parentheses = || text.strip_suffix(')')?.split_once(" (").filter(|(_, remark)| !remark.contains('+'));
    let after_sentence = || text.split_once(" resigns. W ").map(|(loser, points)| (&text[..loser.len() + 8], points));
    match in_parentheses().or_else(after_sentence) {
        Some((result, remark)) => (result.trim_end(), Some(remark)),
        None => (text, None),
    }
}

fn win(winner: Color, by: WonBy) -> Option<GameResult> {
    Some(GameResult::Win { winner, by })
}

fn side(word: &str) -> Option<Color> {
    Color::from_word(word)
}

/// Short reasons that SGF cannot express, so that only the winner is read.
const REASONS: [&str; 3] = ["aw", "j", "v"];

/// Words that cannot be a reason for a win, since they contradict or qualify it.
const NO_REASONS: [&str; 16] = [
    "draw",
    "drawn",
    "jigo",
    "tie",
    "tied",
    "void",
    "no",
    "not",
    "unknown",
    "undecided",
    "loss",
    "lose",
    "loses",
    "lost",
    "or",
    "adjourned",
];

/// Returns whether words after `B+` are a reason that SGF cannot express: `Offline`, `Illegal`, `Moderator Decision`.
///
/// The winner is clear; the reason is dropped. (A server writes `offline` if the loser left, which need not be a forfeit.)
fn is_reason(words: &[&str]) -> bool {
    let is_word = |word: &&str| {
        let are_letters = word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-');
        are_letters && side(word).is_none() && !NO_REASONS.contains(word)
    };
    !words.is_empty() && (words.iter().all(is_word) || matches!(words, [short] if REASONS.contains(short)))
}

/// Returns whether a result has a reason or a remark that parsing drops.
pub(super) fn says_more(text: &str) -> bool {
    let (result, remark) = without_remark(text);
    let result = result.to_ascii_lowercase();
    let how = result.split_once('+').or_else(|| result.split_once(" by ")).map(|(_, how)| words_of(how));
    remark.is_some() || how.is_some_and(|how| by(&how).is_none_or(|by| by == WonBy::Unspecified) && is_reason(&how))
}

/// Parses the words after `B+` or `black wins by`, in lower case.
fn by(words: &[&str]) -> Option<WonBy> {
    match *words {
        [] | ["?"] => Some(WonBy::Unspecified),
        ["r" | "res" | "resign" | "resigns" | "resigned" | "resignation"] => Some(WonBy::Resign(None)),
        ["t" | "tim" | "time" | "timeout" | "timeover"] | ["time", "out" | "over"] => Some(WonBy::Time),
        ["f" | "for" | "forfeit" | "forfeits" | "forfeited"] => Some(WonBy::Forfeit),
        [number, "point" | "points" | "moku"] => score(number).map(WonBy::Score),
        [whole, half] | [whole, half, "point" | "points" | "moku"] => {
            score(&format!("{whole} {half}")).map(WonBy::Score)
        }
        [number] => match number.strip_suffix("resign").or(number.strip_suffix('r')) {
            Some(number) => score(number).map(|points| WonBy::Resign(Some(points))),
            None => score(number).map(WonBy::Score),
        },
        _ => None,
    }
}

/// Parses a score, which has no sign.
fn score(number: &str) -> Option<Score> {
    unsigned(number).and_then(|points| Score::new(points.get()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lenient_parsing_accepts_unambiguous_words() {
        for (raw, result) in [
            (" draw ", "Draw"),
            ("Jigo", "Draw"),
            ("The game is a draw", "Draw"),
            ("VOID", "Void"),
            ("b+", "B+"),
            ("B", "B+"),
            ("white", "W+"),
            ("B + 74.0", "B+74"),
            ("B+.5", "B+0.5"),
            ("B+42.", "B+42"),
            ("W+3,5", "W+3.5"),
            ("W+R.", "W+Resign"),
            ("B+Res", "B+Resign"),
            ("w+resign", "W+Resign"),
            ("W+Tim", "W+Time"),
            ("W+Timeout", "W+Time"),
            ("B+For", "B+Forfeit"),
            ("B+Offline", "B+"),
            ("W+J", "W+"),
            ("B+AW", "B+"),
            ("B+V", "B+"),
            ("B+Illegal", "B+"),
            ("B+bye", "B+"),
            ("W+Repetition", "W+"),
            ("W+Moderator Decision", "W+"),
            ("W+Time Over", "W+Time"),
            ("B+time out", "B+Time"),
            ("W+R (move 203 is the last)", "W+Resign"),
            ("b+res. (illegal)", "B+Resign"),
            ("? (No further moves known)", "?"),
            ("White resigns. W 6.5 B 157.0", "B+Resign"),
            ("B+?", "B+"),
            ("W+6R", "W+6Resign"),
            ("W resigned", "B+Resign"),
            ("White resigns.", "B+Resign"),
            ("Black lost on time", "W+Time"),
            ("black wins by resignation", "B+Resign"),
            ("White won on time", "W+Time"),
            ("White wins by 3.5 points.", "W+3.5"),
            ("black wins by 5 3/4 points", "B+5.75"),
            ("B+5 3/4", "B+5.75"),
            ("W+1/2", "W+0.5"),
            ("W+2½", "W+2.5"),
            ("white wins by 1/4 point", "W+0.25"),
        ] {
            let read = GameResult::parse_lenient(raw).map(|result| result.to_string());
            assert_eq!(read.as_deref(), Ok(result), "{raw:?}");
        }
    }

    #[test]
    fn other_words_are_rejected() {
        for raw in [
            "",
            "john wins",
            "has adjourned.",
            "black wins by 53/4 points",
            "B+5 3/4 1/2",
            "B+1/3",
            "B+5 points 3/4",
            "Game won by Quodlibet",
            "B+R (or W+R)",
            "john wins (by time)",
            "B+Draw",
            "B+not finished",
            "B+Black lost",
            "B+time or resignation",
            "black wins by",
            "b+-3",
            "b++3",
            "b+3.5t",
            "+3",
            "b+w",
            "b+x",
            "r",
        ] {
            assert!(GameResult::parse_lenient(raw).is_err(), "{raw:?}");
        }
    }
}
