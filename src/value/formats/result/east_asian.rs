//! Results in Korean, Chinese and Japanese: the winner, and how the game was won.
//!
//! Sites add the number of moves: `207수 흑불계승`, `共185手 黑中盘胜`, `257手完, 黒中押し勝ち`. Wins counted in stones
//! (`黑胜3子`) are rejected, since a stone may be one point or two.

use super::words::says_more;
use crate::value::formats::units::{in_points, joined, unsigned};
use crate::value::{Color, GameResult, Score, WonBy};

/// Words for a draw, without spaces.
const DRAWS: &[&str] =
    &["和棋", "和局", "和", "平局", "持碁", "持棋", "ジゴ", "引き分け", "引分け", "引分", "무승부", "빅"];

/// Words for no result, or suspended play.
const VOID: &[&str] = &["无胜负", "無勝負", "無勝負試合", "무효", "打挂", "打掛", "打掛け", "打ち掛け"];

const SIDES: &[(&str, Color)] =
    &[("흑", Color::Black), ("黑", Color::Black), ("黒", Color::Black), ("백", Color::White), ("白", Color::White)];

/// Words that may follow the color: side, stones.
const SIDE: &[&str] = &["方", "棋"];

/// Words for the ways to win.
const WINS: &[(WonBy, &[&str])] = &[
    (WonBy::Unspecified, &["승", "승리", "胜", "勝", "勝ち", "勝利", "获胜", "獲勝"]),
    (
        WonBy::Resign(None),
        &[
            "불계승",
            "不計勝",
            "不计胜",
            "中盘胜",
            "中盤勝",
            "中盘获胜",
            "中盤獲勝",
            "中押胜",
            "中押勝",
            "中押し勝",
            "中押勝ち",
            "中押し勝ち",
        ],
    ),
    (WonBy::Time, &["시간승", "超时胜", "超時勝", "时间胜", "時間勝", "時間切れ勝", "時間切れ勝ち"]),
    (
        WonBy::Forfeit,
        &[
            "기권승",
            "부전승",
            "몰수승",
            "반칙승",
            "弃权胜",
            "棄權勝",
            "棄権勝",
            "棄権勝ち",
            "不战胜",
            "不戰勝",
            "不戦勝",
            "反则胜",
            "反則勝",
            "反則勝ち",
        ],
    ),
];

/// Words for the ways to lose.
const LOSSES: &[(WonBy, &[&str])] = &[
    (WonBy::Unspecified, &["패", "负", "負", "負け", "败", "敗"]),
    (
        WonBy::Resign(None),
        &[
            "불계패",
            "认输",
            "認輸",
            "认负",
            "認負",
            "投子",
            "投了",
            "中盘负",
            "中盤負",
            "中盘败",
            "中押し負け",
            "中押負け",
        ],
    ),
    (WonBy::Time, &["시간패", "超时", "超時", "超时负", "超時負", "時間切れ", "時間切れ負", "時間切れ負け"]),
    (WonBy::Forfeit, &["기권패", "몰수패", "반칙패", "弃权", "棄權", "棄権", "反则负", "反則負", "反則負け", "不戦敗"]),
];

pub(super) fn in_east_asian(words: &[&str]) -> Option<GameResult> {
    let text: String = joined(words)?.chars().map(narrow).filter(|&c| c != '\u{3000}').collect();
    let text = without_count_of_moves(text.trim_end_matches(['!', '。', '.']))?;
    if DRAWS.contains(&text) {
        return Some(GameResult::Draw);
    }
    if VOID.contains(&text) {
        return Some(GameResult::Void);
    }
    // A Korean server writes the result twice and cuts the second one: `백불계승:백불계`, `흑불계승:`.
    let text = text.split_once(':').map_or(text, |(first, cut)| if first.starts_with(cut) { first } else { text });
    // The clauses of `黑超时,白胜` or `백불계승:백불계승` must agree; one may be less specific.
    let mut clauses = text.split([',', '、', ':', ';']).map(clause);
    let first = clauses.next()??;
    let (winner, by) = clauses.try_fold(first, |(winner, by), clause| {
        let (other, other_by) = clause?;
        let by = match (by, other_by) {
            (by, other) if by == other => by,
            (WonBy::Unspecified, by) | (by, WonBy::Unspecified) => by,
            _ => return None,
        };
        (winner == other).then_some((winner, by))
    })?;
    Some(GameResult::Win { winner, by })
}

/// Converts full-width digits and signs of results to half-width.
fn narrow(c: char) -> char {
    match c {
        '０'..='９' | '．' | '，' | '：' | '；' | '！' | '（' | '）' => {
            char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c)
        }
        c => c,
    }
}

/// Strips `共185手`, `207수,`, `257手完,` from the start, or `(185手)`, `,共185手` from the end.
fn without_count_of_moves(text: &str) -> Option<&str> {
    let unmarked = |text: &str| text.strip_prefix(['共', '全', '총']).map_or(text.len(), str::len);
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let front = &text[text.len() - unmarked(text)..];
    let moves = digits(front);
    if moves > 0
        && let Some(rest) = front[moves..].strip_prefix(['手', '수'])
    {
        let rest = rest.strip_prefix(['完', '终', '終', '끝']).unwrap_or(rest);
        return Some(rest.strip_prefix([',', '、', ':']).unwrap_or(rest));
    }
    if let Some((result, count)) = text.rsplit_once(['(', ','])
        && let count = count.strip_suffix(')').unwrap_or(count)
        && let count = &count[count.len() - unmarked(count)..]
        && let Some(number) = count.strip_suffix(['手', '수'])
    {
        let is_count = !number.is_empty() && digits(number) == number.len();
        return is_count.then_some(result);
    }
    Some(text)
}

/// Parses one clause: the winner, and how the game was won.
fn clause(text: &str) -> Option<(Color, WonBy)> {
    let (how, side) = SIDES.iter().find_map(|(name, side)| Some((text.strip_prefix(name)?, *side)))?;
    let how = SIDE.iter().find_map(|word| how.strip_prefix(word)).unwrap_or(how);
    let known = |list: &[(WonBy, &[&str])]| list.iter().find(|(_, words)| words.contains(&how)).map(|(by, _)| *by);
    if let Some(by) = known(WINS) {
        return Some((side, by));
    }
    if let Some(by) = known(LOSSES) {
        return Some((side.opponent(), by));
    }
    Some((side, WonBy::Score(points(how)?)))
}

/// Words for a win, each before its prefixes.
const WON: [&str; 6] = ["승", "勝ち", "勝", "获胜", "獲勝", "胜"];

/// Parses points before or after the word for a win: `3.5집승`, `3目半勝ち`, `胜1目半`.
///
/// Korean results may lack the unit (`1.5승`). Only half points are accepted then: `3승` may be three wins.
fn points(how: &str) -> Option<Score> {
    let before = || WON.iter().find_map(|won| how.strip_suffix(won));
    let after = || WON.iter().find_map(|won| how.strip_prefix(won));
    let halves = || unsigned(how.strip_suffix('승')?).filter(|points| points.get().fract() == 0.5);
    Score::new(before().or_else(after).and_then(in_points).or_else(halves)?.get())
}

/// Parses what follows `B+` in words of these languages: `7.5目`, `불계승`, `中盘`.
///
/// The word for a win may be missing, since `+` says the same.
pub(super) fn after_plus(words: &[&str]) -> Option<WonBy> {
    let how: String = joined(words)?.chars().map(narrow).collect();
    let score = || Score::new(in_points(&how)?.get()).map(WonBy::Score);
    let is_how = |word: &str| word == how || WON.iter().any(|won| word.strip_suffix(won) == Some(&how));
    let known = || WINS.iter().find(|(_, words)| words.iter().any(|word| is_how(word))).map(|(by, _)| *by);
    score().or_else(|| points(&how).map(WonBy::Score)).or_else(known)
}

impl GameResult {
    /// Returns whether lenient parsing drops a detail of this text.
    ///
    /// Such details are the number of moves, a reason that SGF cannot express, the reason of a forfeit, a remark, and that
    /// play was suspended.
    pub(crate) fn leaves_out_of(text: &str) -> bool {
        let words = ["수", "手", "반칙", "反则", "反則", "부전", "不战", "不戰", "不戦", "打挂", "打掛", "打ち掛け"];
        says_more(text) || words.iter().any(|word| text.contains(word))
    }
}

#[cfg(test)]
mod tests {
    use crate::value::GameResult;

    #[test]
    fn lenient_parsing_accepts_unambiguous_words() {
        for (raw, result) in [
            ("207수 흑불계승", "B+Resign"),
            ("302수 백3.5집승", "W+3.5"),
            ("흑반집승", "B+0.5"),
            ("백 11집반승", "W+11.5"),
            ("흑 1.5집 승", "B+1.5"),
            ("149수, 흑불계승", "B+Resign"),
            ("155수,흑 불계승!", "B+Resign"),
            ("244수, 백1.5집승", "W+1.5"),
            ("281수, 흑 1.5집 승!", "B+1.5"),
            ("백불계승:백불계승", "W+Resign"),
            ("백불계승:백불계", "W+Resign"),
            ("흑불계승:", "B+Resign"),
            ("백 1.5승", "W+1.5"),
            ("흑 7목반승", "B+7.5"),
            ("B+7.5목", "B+7.5"),
            ("B+7.5目", "B+7.5"),
            ("W+3目半", "W+3.5"),
            ("W+3.5집승", "W+3.5"),
            ("B + 불계승", "B+Resign"),
            ("White+中押し", "W+Resign"),
            ("W+불계", "W+Resign"),
            ("B+中盘胜", "B+Resign"),
            ("B+超时", "B+Time"),
            ("흑 시간승", "B+Time"),
            ("백 기권승", "W+Forfeit"),
            ("흑 불계패", "W+Resign"),
            ("무승부", "Draw"),
            ("빅", "Draw"),
            ("白中盘胜", "W+Resign"),
            ("共185手 黑中盘胜", "B+Resign"),
            ("共156手 白中盘胜", "W+Resign"),
            ("共238手 白胜1目", "W+1"),
            ("共285手 黑胜5目", "B+5"),
            ("共246手 和棋", "Draw"),
            ("黑中盘胜（185手）", "B+Resign"),
            ("黑中盘胜，共185手", "B+Resign"),
            ("和棋", "Draw"),
            ("和", "Draw"),
            ("平局", "Draw"),
            ("无胜负", "Void"),
            ("黑胜", "B+"),
            ("黑方胜", "B+"),
            ("白棋中盘胜。", "W+Resign"),
            ("黑胜1目半", "B+1.5"),
            ("黑胜半目", "B+0.5"),
            ("黑胜２．５目", "B+2.5"),
            ("白胜5½目", "W+5.5"),
            ("黑超时,白胜", "W+Time"),
            ("白胜，黑超时", "W+Time"),
            ("黑超时", "W+Time"),
            ("白认输", "B+Resign"),
            ("黑中盘负", "W+Resign"),
            ("黑弃权", "W+Forfeit"),
            ("黒3目半勝ち", "B+3.5"),
            ("黒半目勝", "B+0.5"),
            ("257手完, 黒中押し勝ち", "B+Resign"),
            ("白時間切れ勝ち", "W+Time"),
            ("白 投了", "B+Resign"),
            ("黒反則負け", "W+Forfeit"),
            ("持碁", "Draw"),
            ("ジゴ", "Draw"),
            ("無勝負", "Void"),
            ("打ち掛け", "Void"),
        ] {
            let read = GameResult::parse_lenient(raw).map(|result| result.to_string());
            assert_eq!(read.as_deref(), Ok(result), "{raw:?}");
        }
    }

    #[test]
    fn other_words_are_rejected() {
        for raw in [
            "黑胜3子",
            "白胜14子半",
            "黑胜3又1/4子",
            "黒3.5目半勝ち",
            "黒半目半勝ち",
            "黑胜3目1",
            "黑胜目",
            "黑胜-3目",
            "3目",
            "수 흑승",
            "共手 黑胜",
            "共185手",
            "185手",
            "黑白胜",
            "黑胜,白胜",
            "黑中盘胜,黑超时",
            "黑中盘胜,黑胜3目",
            "黑中盘胜(手)",
            "黑中盘胜(185)",
            "黑中盘胜,",
            "흑불계승:백불계승",
            "흑불계승:백",
            "백 3승",
            "백 1.7승",
            "백 1.5",
            "B+3子",
            "B+5 1目",
            "B+불계패",
            "W+白中押し負け",
            "胜",
            "黑",
            "흑 1집",
            "白胜5 1目",
            "白胜5 1/2目",
        ] {
            assert!(GameResult::parse_lenient(raw).is_err(), "{raw:?}");
        }
    }
}
