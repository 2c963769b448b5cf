//! Results in words and other spellings than the format of `RE`, for lenient parsing.

use super::east_asian::in_east_asian;
use crate::value::formats::units::unsigned;
use crate::value::{Color, GameResult, Score, WonBy};

pub(super) fn in_words(text: &[u8]) -> Option<GameResult> {
    let text = std::str::from_utf8(text).ok()?.to_ascii_lowercase();
    let text = match text.strip_suffix('.') {
        // Keep the period of `B+42.`
        Some(sentence) if !sentence.ends_with(|c: char| c.is_ascii_digit()) => sentence,
        _ => &text,
    };
    let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
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
                let how: Vec<&str> = how.split(' ').filter(|word| !word.is_empty()).collect();
                win(side(winner.trim_end())?, by(&how)?)
            }
            None => in_east_asian(&words),
        },
    }
}

fn win(winner: Color, by: WonBy) -> Option<GameResult> {
    Some(GameResult::Win { winner, by })
}

fn side(word: &str) -> Option<Color> {
    Color::from_word(word)
}

/// Reasons that SGF cannot express, so that only the winner is read. (A server writes `offline` if the loser left, which need
/// not be a forfeit.)
const REASONS: [&str; 6] = ["offline", "illegal", "bye", "aw", "j", "v"];

/// Returns whether a result has a reason that parsing drops.
pub(super) fn has_reason(text: &str) -> bool {
    let reason = text.rsplit(['+', ' ']).next().unwrap_or_default();
    REASONS.iter().any(|known| known.eq_ignore_ascii_case(reason.trim_end_matches('.')))
}

/// Parses the words after `B+` or `black wins by`, in lower case.
fn by(words: &[&str]) -> Option<WonBy> {
    match *words {
        [] | ["?"] => Some(WonBy::Unspecified),
        [reason] if REASONS.contains(&reason) => Some(WonBy::Unspecified),
        ["r" | "res" | "resign" | "resigns" | "resigned" | "resignation"] => Some(WonBy::Resign(None)),
        ["t" | "tim" | "time" | "timeout"] => Some(WonBy::Time),
        ["f" | "for" | "forfeit"] => Some(WonBy::Forfeit),
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
            "White resigns. W 6.5 B 157.0",
            "Game won by Quodlibet",
            "? (No further moves known)",
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
