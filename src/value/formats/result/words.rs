//! Results in words and in other spellings than the format of RE, as programs and people write
//! them. Only what has one clear meaning.

use crate::value::{Color, GameResult, Real, Score, WonBy};

pub(super) fn in_words(text: &[u8]) -> Option<GameResult> {
    let text = std::str::from_utf8(text).ok()?.to_ascii_lowercase();
    let text = match text.strip_suffix('.') {
        // Not that of `B+42.`
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

/// What stands behind `B+` or behind `black wins by`, in lower case.
fn by(words: &[&str]) -> Option<WonBy> {
    match *words {
        // A server writes `offline` of a player who left. It is not said to be a forfeit.
        [] | ["?"] | ["offline"] => Some(WonBy::Unspecified),
        ["r" | "res" | "resign" | "resigns" | "resigned" | "resignation"] => Some(WonBy::Resign(None)),
        ["t" | "tim" | "time" | "timeout"] => Some(WonBy::Time),
        ["f" | "for" | "forfeit"] => Some(WonBy::Forfeit),
        [number, "point" | "points" | "moku"] => score(number).map(WonBy::Score),
        [number] => match number.strip_suffix("resign").or(number.strip_suffix('r')) {
            Some(number) => score(number).map(|points| WonBy::Resign(Some(points))),
            None => score(number).map(WonBy::Score),
        },
        _ => None,
    }
}

fn score(number: &str) -> Option<Score> {
    // A sign is no part of a score.
    let unsigned = number.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    if unsigned { Real::parse_lenient(number).ok().and_then(|points| Score::new(points.get())) } else { None }
}

/// Korean, Chinese and Japanese: a colour, and behind it how it won. In front the count of moves
/// may stand, as Korean sites write it: `207수 흑불계승`, `302수 백3.5집승`, `白中盘胜`,
/// `黒3目半勝ち`.
///
/// Wins counted in stones (`黑胜3子`) are left out: a stone is one point or two.
fn in_east_asian(words: &[&str]) -> Option<GameResult> {
    let words = match words {
        [moves, rest @ ..] if is_count_of_moves(moves) => rest,
        words => words,
    };
    let text = words.concat();
    let mut chars = text.chars();
    let winner = match chars.next()? {
        '흑' | '黑' | '黒' => Color::Black,
        '백' | '白' => Color::White,
        _ => return None,
    };
    let how = chars.as_str();
    let by = match how {
        "승" | "胜" | "勝" | "勝ち" => WonBy::Unspecified,
        "불계승" | "中盘胜" | "中盤勝" | "中押勝" | "中押し勝" | "中押勝ち" | "中押し勝ち" => {
            WonBy::Resign(None)
        }
        "시간승" | "超时胜" | "超時勝" => WonBy::Time,
        _ => WonBy::Score(east_asian_score(how)?),
    };
    win(winner, by)
}

fn is_count_of_moves(word: &str) -> bool {
    let number = word.strip_suffix(['수', '手']).unwrap_or_default();
    !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())
}

/// `3.5집승`, `3집반승`, `반집승`; `3目半勝ち`, `半目勝ち`: points, with a half in front of the unit
/// or behind it.
fn east_asian_score(how: &str) -> Option<Score> {
    let (unit, half, wins): (_, _, &[&str]) =
        if how.contains('집') { ('집', '반', &["승"]) } else { ('目', '半', &["勝ち", "勝", "胜"]) };
    let (number, behind) = how.split_once(unit)?;
    let (behind, and_a_half) = behind.strip_prefix(half).map_or((behind, false), |behind| (behind, true));
    if !wins.contains(&behind) {
        return None;
    }
    let points = match number.strip_suffix(half) {
        Some("") if !and_a_half => return Score::new(0.5),
        Some(_) => return None,
        None => score(number)?,
    };
    if !and_a_half {
        return Some(points);
    }
    let whole = points.get().fract() == 0.0;
    if whole { Score::new(points.get() + 0.5) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_one_meaning_are_results() {
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
            ("B+?", "B+"),
            ("W+6R", "W+6Resign"),
            ("W resigned", "B+Resign"),
            ("White resigns.", "B+Resign"),
            ("Black lost on time", "W+Time"),
            ("black wins by resignation", "B+Resign"),
            ("White won on time", "W+Time"),
            ("White wins by 3.5 points.", "W+3.5"),
            ("207수 흑불계승", "B+Resign"),
            ("302수 백3.5집승", "W+3.5"),
            ("흑반집승", "B+0.5"),
            ("白中盘胜", "W+Resign"),
            ("黒3目半勝ち", "B+3.5"),
            ("黑胜", "B+"),
        ] {
            let read = GameResult::parse_lenient(raw).map(|result| result.to_string());
            assert_eq!(read.as_deref(), Ok(result), "{raw:?}");
        }
    }

    #[test]
    fn other_words_are_none() {
        for raw in [
            "",
            "john wins",
            "has adjourned.",
            "black wins by 5 3/4 points",
            "White resigns. W 6.5 B 157.0",
            "Game won by Quodlibet",
            "? (No further moves known)",
            "black wins by",
            "b+-3",
            "b++3",
            "b+3.5t",
            "+3",
            "b+w",
            "r",
            "黑胜3子",
            "黒3.5目半勝ち",
            "黒半目半勝ち",
            "3目",
            "수 흑승",
        ] {
            assert!(GameResult::parse_lenient(raw).is_err(), "{raw:?}");
        }
    }
}
