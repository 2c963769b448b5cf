//! RE: results.

use std::borrow::Cow;
use std::fmt;

mod east_asian;
mod words;

use self::words::in_words;
use crate::value::game::Game;
use crate::value::number::is_shortest_decimal;
use crate::value::texts::in_simple_text;
use crate::value::typed::{sgf_value, trim};
use crate::value::{Color, Real, ValueError};

/// *Result*: the result of a game, the value of `RE`.
///
/// ```text
/// result = "0" | "Draw" | "Void" | "?" | ( "B" | "W" ) "+" [ how ]     (FF[4], "RE")
/// how    = score | "R" | "Resign" | "T" | "Time" | "F" | "Forfeit"
/// score  = digit { digit } [ "." digit { digit } ]
/// ```
///
/// In backgammon, points may precede a resignation (`B+6R`); see [`parse_for`](Self::parse_for). Results print in
/// their long forms, and `0` as `Draw`.
///
/// Lenient parsing ignores case, spaces and a final period, and accepts values with one clear meaning:
///
/// * `B+.5`, `B+5 3/4`, `B+Res`, `W+Timeout`, `W+3.5 points`, `B`, `Jigo`;
/// * English: `White resigns`, `black wins by 3.5 points`;
/// * Korean, Chinese and Japanese: `흑불계승`, `白胜1目半`, `黒3目半勝ち`, `黑超时,白胜`, `和棋`, `持碁`, `無勝負`, optionally with the number
///   of moves, which is dropped: `207수 흑불계승`, `共185手 黑中盘胜`, `257手完, 黒中押し勝ち`;
/// * other words after `B+` with a meaning of SGF: `W+Time Over`, `B+7.5目`, `W+불계`.
///
/// A reason that SGF cannot express (`B+Offline`, `W+Illegal`, `B+Repetition`) and a remark in parentheses
/// (`? (No further moves known)`) are dropped. Points before a resignation are accepted for every game. Other text is an error, such as a win counted in stones (`黑胜3子`), since a stone may be one point or two,
/// or a winner's name without a color (`john wins`): keep it as a [`SimpleText`](crate::value::SimpleText).
///
/// ```
/// use sgf_stream::Game;
/// use sgf_stream::value::{Color, GameResult, Score, WonBy};
///
/// let result = GameResult::parse("W+2.50")?;
/// assert_eq!(result.winner(), Some(Color::White));
/// assert_eq!(result.score().map(Score::get), Some(2.5));
/// assert_eq!(result.to_string(), "W+2.5");
///
/// assert_eq!(GameResult::parse_lenient("black resigned.")?.to_string(), "W+Resign");
/// assert!(GameResult::parse("B+6R").is_err());
/// assert_eq!(GameResult::parse_for("B+6R", Game::Backgammon)?.to_string(), "B+6Resign");
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum GameResult {
    /// `0` or `Draw`: a draw (jigo).
    Draw,
    /// `Void`: no result, or suspended play.
    Void,
    /// `?`: an unknown result.
    Unknown,
    /// A win: `B+…` or `W+…`.
    Win {
        /// The winner.
        winner: Color,
        /// How the game was won.
        by: WonBy,
    },
}

/// The way in which a game was won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum WonBy {
    /// `B+`: not specified.
    Unspecified,
    /// `B+3.5`: points.
    Score(Score),
    /// `B+R` or `B+Resign`: resignation; in backgammon optionally with points, `B+6R`.
    Resign(Option<Score>),
    /// `B+T` or `B+Time`: the loser ran out of time.
    Time,
    /// `B+F` or `B+Forfeit`: forfeit.
    Forfeit,
}

/// The winning margin in points, a non-negative [`Real`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(Real);

impl Score {
    /// Creates a score. Returns `None` if `points` is negative, infinite or NaN.
    pub fn new(points: f64) -> Option<Self> {
        Real::new(points).filter(|points| points.get() >= 0.0).map(Score)
    }

    /// Returns the points.
    pub const fn get(self) -> f64 {
        self.0.get()
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl GameResult {
    const KIND: &'static str = "result";

    /// Returns the winner, if any.
    pub const fn winner(self) -> Option<Color> {
        match self {
            GameResult::Win { winner, .. } => Some(winner),
            _ => None,
        }
    }

    /// Returns the winning margin in points, if given.
    pub const fn score(self) -> Option<Score> {
        match self {
            GameResult::Win { by: WonBy::Score(points) | WonBy::Resign(Some(points)), .. } => Some(points),
            _ => None,
        }
    }

    /// Returns the text of a result without points.
    const fn fixed_text(self) -> Option<&'static str> {
        Some(match self {
            GameResult::Draw => "Draw",
            GameResult::Void => "Void",
            GameResult::Unknown => "?",
            GameResult::Win { by: WonBy::Score(_) | WonBy::Resign(Some(_)), .. } => return None,
            GameResult::Win { winner: Color::Black, by: WonBy::Unspecified } => "B+",
            GameResult::Win { winner: Color::Black, by: WonBy::Resign(None) } => "B+Resign",
            GameResult::Win { winner: Color::Black, by: WonBy::Time } => "B+Time",
            GameResult::Win { winner: Color::Black, by: WonBy::Forfeit } => "B+Forfeit",
            GameResult::Win { winner: Color::White, by: WonBy::Unspecified } => "W+",
            GameResult::Win { winner: Color::White, by: WonBy::Resign(None) } => "W+Resign",
            GameResult::Win { winner: Color::White, by: WonBy::Time } => "W+Time",
            GameResult::Win { winner: Color::White, by: WonBy::Forfeit } => "W+Forfeit",
        })
    }

    /// Returns whether a text is a result with a score that prints as this text.
    #[doc(hidden)]
    pub fn is_won_by_score(text: &[u8]) -> bool {
        matches!(text, [b'B' | b'W', b'+', score @ ..] if is_shortest_decimal(score))
    }

    /// Returns the text that it prints as.
    #[doc(hidden)]
    pub fn text(self) -> Cow<'static, str> {
        self.fixed_text().map_or_else(|| self.to_string().into(), Cow::Borrowed)
    }

    /// Parses a value strictly, for any game except backgammon.
    ///
    /// # Errors
    ///
    /// Fails if the value has another form, including `B+6R`.
    pub fn parse(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        Self::parse_for(raw, Game::Go)
    }

    /// Parses a value strictly, for one game.
    ///
    /// # Errors
    ///
    /// Fails if the value has another form.
    pub fn parse_for(raw: impl AsRef<[u8]>, game: Game) -> Result<Self, ValueError> {
        in_simple_text(raw.as_ref(), |text| read(text, game == Game::Backgammon))
    }

    /// Parses a value leniently, for any game; see [`GameResult`].
    ///
    /// # Errors
    ///
    /// Fails if the value has no meaning, or more than one.
    pub fn parse_lenient(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        in_simple_text(raw.as_ref(), |text| {
            let (text, front) = trim(text);
            read(text, true).or_else(|error| in_words(text).ok_or(error.shifted(front)))
        })
    }
}

sgf_value!(GameResult, "result");

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            GameResult::Win { winner, by: WonBy::Score(points) } => write!(f, "{winner}+{points}"),
            GameResult::Win { winner, by: WonBy::Resign(Some(points)) } => write!(f, "{winner}+{points}Resign"),
            other => other.fixed_text().map_or(Ok(()), |text| f.write_str(text)),
        }
    }
}

fn error(expected: &'static str, at: usize) -> ValueError {
    ValueError::new(GameResult::KIND, expected, at)
}

fn read(text: &[u8], points_of_resignation: bool) -> Result<GameResult, ValueError> {
    let winner = match text {
        b"0" | b"Draw" => return Ok(GameResult::Draw),
        b"Void" => return Ok(GameResult::Void),
        b"?" => return Ok(GameResult::Unknown),
        [b'B', ..] => Color::Black,
        [b'W', ..] => Color::White,
        _ => {
            let known: &[(&[u8], _)] = &[(b"0", ""), (b"?", ""), (b"Draw", "Draw"), (b"Void", "Void")];
            let fault = known.iter().find_map(|(word, name)| diverges_from(word, name, text));
            return Err(fault
                .map_or(error("a result such as B+3.5, W+Resign or Draw", 0), |(expected, at)| error(expected, at)));
        }
    };
    if text.get(1) != Some(&b'+') {
        return Err(error("a plus sign", 1));
    }
    let by = how(&text[2..], points_of_resignation).map_err(|error| error.shifted(2).of(GameResult::KIND))?;
    Ok(GameResult::Win { winner, by })
}

/// Parses `[ score | "R" | "Resign" | "T" | "Time" | "F" | "Forfeit" ]`.
///
/// In backgammon, also parses `score ( "R" | "Resign" )`.
fn how(text: &[u8], points_of_resignation: bool) -> Result<WonBy, ValueError> {
    let number = text.iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count();
    let points = |digits| Real::parse(digits).map(Score);
    match text {
        b"" => Ok(WonBy::Unspecified),
        b"R" | b"Resign" => Ok(WonBy::Resign(None)),
        b"T" | b"Time" => Ok(WonBy::Time),
        b"F" | b"Forfeit" => Ok(WonBy::Forfeit),
        // Unlike a Real, a score has no sign.
        [b'+' | b'-', ..] => Err(error("a digit", 0)),
        _ if number > 0 && points_of_resignation && matches!(&text[number..], b"R" | b"Resign") => {
            points(&text[..number]).map(|points| WonBy::Resign(Some(points)))
        }
        _ if number > 0 => points(text).map(WonBy::Score),
        _ => {
            let known: &[(&[u8], _)] = &[(b"Resign", "Resign"), (b"Time", "Time"), (b"Forfeit", "Forfeit")];
            let fault = known.iter().find_map(|(word, name)| diverges_from(word, name, text));
            let (expected, at) = fault.unwrap_or(("a score, Resign, Time or Forfeit", 0));
            Err(error(expected, at))
        }
    }
}

/// Returns what was expected, and where, if a text starts like a word and then diverges from it.
fn diverges_from(word: &[u8], name: &'static str, text: &[u8]) -> Option<(&'static str, usize)> {
    match word.iter().zip(text).take_while(|(a, b)| a == b).count() {
        0 => None,
        1 => Some(("the end of the value", 1)),
        same if same == word.len() => Some(("the end of the value", same)),
        same => Some((name, same)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::laws::parsing_laws;
    use quickcheck::{Arbitrary, Gen, quickcheck};

    impl Arbitrary for GameResult {
        fn arbitrary(g: &mut Gen) -> Self {
            let mut points = || Score::new(f64::arbitrary(g).abs()).unwrap_or_default();
            let ways = [
                WonBy::Unspecified,
                WonBy::Score(points()),
                WonBy::Resign(None),
                WonBy::Resign(Some(points())),
                WonBy::Time,
                WonBy::Forfeit,
            ];
            let win = GameResult::Win { winner: Color::arbitrary(g), by: *g.choose(&ways).unwrap() };
            *g.choose(&[GameResult::Draw, GameResult::Void, GameResult::Unknown, win, win, win]).unwrap()
        }
    }

    #[test]
    fn a_result_with_a_score_in_shortest_form_prints_as_it_is() {
        for (text, is_shortest) in [
            ("B+3.5", true),
            ("W+0", true),
            ("W+0.25", true),
            ("B+100", true),
            ("B+3.50", false),
            ("B+03", false),
            ("B+3.", false),
            ("B+.5", false),
            ("B+", false),
            ("B+R", false),
            ("b+3", false),
            ("B3", false),
            ("", false),
        ] {
            assert_eq!(GameResult::is_won_by_score(text.as_bytes()), is_shortest, "{text:?}");
            if is_shortest {
                assert_eq!(GameResult::parse(text).unwrap().to_string(), text);
            }
        }
    }

    #[test]
    fn errors_name_the_place_and_what_was_expected() {
        for (raw, expected, at) in [
            ("", "a result such as B+3.5, W+Resign or Draw", 0),
            ("Black resigns", "a plus sign", 1),
            ("1", "a result such as B+3.5, W+Resign or Draw", 0),
            ("b+R", "a result such as B+3.5, W+Resign or Draw", 0),
            ("draw", "a result such as B+3.5, W+Resign or Draw", 0),
            ("00", "the end of the value", 1),
            ("Dr", "Draw", 2),
            ("Void ", "the end of the value", 4),
            ("B", "a plus sign", 1),
            ("B+-42", "a digit", 2),
            ("B++42", "a digit", 2),
            ("B+.5", "a digit", 2),
            ("B+5.", "a digit", 4),
            ("B+5,5", "a digit", 3),
            ("B+6R", "a digit", 3),
            ("B+r", "a score, Resign, Time or Forfeit", 2),
            ("B+ ", "a score, Resign, Time or Forfeit", 2),
            ("B+Res", "Resign", 5),
            ("B+R ", "the end of the value", 3),
            ("W+Tx", "the end of the value", 3),
            ("W+Forfeited", "the end of the value", 9),
            (r"W\+\x", "a score, Resign, Time or Forfeit", 3),
        ] {
            let error = GameResult::parse(raw).unwrap_err();
            assert_eq!((error.kind(), error.expected(), error.at()), ("result", expected, at), "{raw:?}");
        }
        assert_eq!(GameResult::parse_lenient("  john wins").unwrap_err().at(), 2);
        assert_eq!(GameResult::parse_for("B+6Rx", Game::Backgammon).unwrap_err().at(), 3);
        assert_eq!(GameResult::parse_for("B+6..1R", Game::Backgammon).unwrap_err().at(), 4);
    }

    #[test]
    fn a_result_is_unescaped_like_a_simple_text() {
        assert_eq!(GameResult::parse("B+Re\\\nsign").unwrap().to_string(), "B+Resign");
    }

    #[test]
    fn only_backgammon_has_points_of_a_resignation() {
        let result = GameResult::parse_for("W+2Resign", Game::Backgammon).unwrap();
        assert_eq!(result.score().map(Score::get), Some(2.0));
        assert_eq!(GameResult::parse_lenient("w+2r"), Ok(result));
        assert!(GameResult::parse("W+2Resign").is_err());
        assert!(GameResult::parse_for("W+2T", Game::Backgammon).is_err());
    }

    #[test]
    fn a_score_is_finite_and_not_negative() {
        assert_eq!(Score::new(-0.5), None);
        assert_eq!(Score::new(f64::INFINITY), None);
        assert_eq!(Score::new(-0.0), Some(Score::default()));
    }

    quickcheck! {
        fn a_result_round_trips(result: GameResult) -> bool {
            let raw = result.to_string();
            let points = matches!(result, GameResult::Win { by: WonBy::Resign(Some(_)), .. });
            let strict = GameResult::parse(&raw);
            GameResult::parse_for(&raw, Game::Backgammon) == Ok(result)
                && if points { strict.is_err() } else { strict == Ok(result) }
        }
    }

    parsing_laws!(
        GameResult,
        |raw| GameResult::parse_for(raw, Game::Backgammon),
        [
            "B+0.5",
            "W+Resign",
            "B+T",
            "Draw",
            "?",
            "W+6R",
            "white wins by 3.5 points",
            "207수 흑불계승",
            "B+3 moku",
            "W+7.5目",
            "백불계승:백불계",
            "? (No further moves known)",
            "B+5 3/4",
            "共238手 白胜1目半",
            "黑超时,白胜",
            "和棋"
        ]
    );
}
