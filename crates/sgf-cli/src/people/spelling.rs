//! Forms of a name that are equal for one person.

use std::collections::HashSet;

use sgf_stream::value::Rank;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Names that many players have, folded.
const NOBODY: [&str; 23] = [
    "black",
    "white",
    "b",
    "w",
    "unknown",
    "anonymous",
    "anon",
    "guest",
    "player",
    "player1",
    "player2",
    "player 1",
    "player 2",
    "nn",
    "n a",
    "no name",
    "noname",
    "none",
    "human",
    "computer",
    "me",
    "黑方",
    "白方",
];

/// Maximum number of letters and digits of a name that many players have, with a rank.
const MAX_NOBODY: usize = 16;

/// Returns whether a name stands for no person: many players have it, or it has no letters or digits.
pub(crate) fn is_nobody(name: &str) -> bool {
    let mut letters = name.chars().filter(|char| char.is_alphanumeric());
    match letters.by_ref().take(MAX_NOBODY + 1).count() {
        0 => !name.contains(char::REPLACEMENT_CHARACTER), // letters that could not be decoded
        letters => letters <= MAX_NOBODY && NOBODY.contains(&&*Folded::of(name).text()),
    }
}

/// Least number of letters of a name that may have a misspelled letter.
const MIN_LETTERS: usize = 8;

/// The words of a name, in lower case and without accents, punctuation and rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Folded(Vec<String>);

impl Folded {
    pub(super) fn of(name: &str) -> Self {
        // Letters that could not be decoded may be any.
        let is_sound = !name.contains(char::REPLACEMENT_CHARACTER);
        Folded(if is_sound { words(without_rank(without_marks(name))) } else { Vec::new() })
    }

    /// Returns whether it may be the name of a person: it has letters, and is none that many players have.
    pub(super) fn is_person(&self) -> bool {
        let text = self.text();
        text.chars().any(char::is_alphabetic) && !NOBODY.contains(&&*text)
    }

    /// Returns the digits in order. Versions of a program and accounts of a server differ in them.
    pub(super) fn digits(&self) -> String {
        self.0.iter().flat_map(|word| word.chars()).filter(|char| char.is_numeric()).collect()
    }

    /// Returns the words in order.
    pub(super) fn text(&self) -> String {
        self.0.join(" ")
    }

    /// Returns the words in alphabetical order, if there are at least two, without digits: `Bot 3 Engine 5` is not
    /// `Bot 5 Engine 3`.
    pub(super) fn sorted(&self) -> Option<String> {
        let mut words = self.0.clone();
        words.sort();
        (words.len() > 1 && self.digits().is_empty()).then(|| words.join(" "))
    }

    /// Returns the letters without spaces, if there are enough of them to be no coincidence. A space between two digits
    /// stays: `Bot 1 10` is not `Bot 11 0`.
    pub(super) fn joined(&self) -> Option<String> {
        let mut joined = String::new();
        for word in &self.0 {
            if joined.ends_with(char::is_numeric) && word.starts_with(char::is_numeric) {
                joined.push(' ');
            }
            joined += word;
        }
        let least = if self.digits().is_empty() { 6 } else { 3 };
        (joined.chars().count() >= least).then_some(joined)
    }

    /// Returns whether more than half of the letters are the same, in the same order. `None` for two scripts, as with
    /// `Lee Sedol` and `이세돌`.
    pub(super) fn is_like(&self, other: &Folded) -> Option<bool> {
        let [one, other] = [self, other].map(|name| name.0.concat().chars().collect::<Vec<char>>());
        let script = |name: &[char]| name.iter().copied().find(|char| char.is_alphabetic()).map(Script::of);
        if script(&one) != script(&other) {
            return None;
        }
        // The longest common subsequence.
        let mut lens = vec![0; other.len() + 1];
        for a in &one {
            let mut diagonal = 0;
            for (n, b) in other.iter().enumerate() {
                let next = if a == b { diagonal + 1 } else { lens[n].max(lens[n + 1]) };
                diagonal = std::mem::replace(&mut lens[n + 1], next);
            }
        }
        Some(2 * lens[other.len()] > one.len().max(other.len()))
    }

    /// Returns all texts with one letter less, and the whole. Two names have one of them in common if one letter differs, is
    /// missing or is exchanged with its neighbor. Empty for short names.
    pub(super) fn with_one_letter_less(&self) -> HashSet<String> {
        let letters: Vec<char> = self.text().chars().collect();
        if letters.len() < MIN_LETTERS {
            return HashSet::new();
        }
        let without = |n: usize| letters[..n].iter().chain(&letters[n + 1..]).collect::<String>();
        (0..letters.len()).map(without).chain([self.text()]).collect()
    }
}

/// The letters that a name is written in.
#[derive(PartialEq, Eq)]
enum Script {
    Han,
    Hangul,
    Kana,
    Latin,
    Other,
}

impl Script {
    fn of(letter: char) -> Self {
        match letter {
            'a'..='z' | '\u{C0}'..='\u{24F}' => Script::Latin,
            '\u{3040}'..='\u{30FF}' => Script::Kana,
            '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}' => Script::Han,
            '\u{1100}'..='\u{11FF}' | '\u{AC00}'..='\u{D7AF}' => Script::Hangul,
            _ => Script::Other,
        }
    }
}

/// Returns the words of a text: runs of letters and digits. Apostrophes, hyphens and dots join their parts; a dot between
/// two digits stays, since `GNU Go 3.5.3` is not `GNU Go 35.3`.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let letters = text.nfkd().filter(|char| !is_combining_mark(*char)).flat_map(char::to_lowercase);
    let mut letters = letters.peekable();
    while let Some(char) = letters.next() {
        match char {
            '.' if words.last().is_some_and(|word| word.ends_with(char::is_numeric))
                && letters.peek().is_some_and(|next| next.is_numeric()) =>
            {
                words.last_mut().into_iter().for_each(|word| word.push(char));
            }
            _ if char.is_alphanumeric() => words.last_mut().into_iter().for_each(|word| word.push(char)),
            '-' | '\'' | '’' | '.' | '·' => {}
            _ if words.last().is_some_and(|word| !word.is_empty()) => words.push(String::new()),
            _ => {}
        }
    }
    words.retain(|word| !word.is_empty());
    words.into_iter().map(|word| word.nfc().collect()).collect()
}

/// Returns whether a name has a mark of a server, such as `[p]` of professionals.
pub(super) fn is_marked(name: &str) -> bool {
    let name = name.trim();
    without_marks(name) != name
}

/// Returns a name without the marks of servers: `[p]` of professionals in front, which may be broken (`p)`), and `선수`
/// ("player") behind.
fn without_marks(name: &str) -> &str {
    let name = name.trim();
    let name = name.strip_suffix("선수").map(str::trim_end).filter(|name| !name.is_empty()).unwrap_or(name);
    let mark = name.strip_prefix(['[', '(', '{']).unwrap_or(name).strip_prefix(['p', 'P']);
    let rest = mark.and_then(|rest| rest.strip_prefix([']', ')', '}'])).map(str::trim_start);
    rest.filter(|name| !name.is_empty()).unwrap_or(name)
}

/// Returns a name without the rank at its end: `9p`, `(9 dan)`, `九段`.
fn without_rank(name: &str) -> &str {
    let name = name.trim();
    let is_rank = |text: &str| {
        let text = text.trim_matches(|char: char| char.is_whitespace() || "()[],（）".contains(char));
        !text.is_empty()
            && text.chars().any(|char| char.is_numeric() || !char.is_ascii())
            && Rank::parse_lenient(text).is_ok()
    };
    // The last two words, the last one, then the last three, two characters of a name without spaces.
    let places = name.char_indices().rev().filter(|(_, char)| char.is_whitespace() || "([,（".contains(*char));
    let mut words: Vec<usize> = places.map(|(at, _)| at).take(2).collect();
    words.reverse();
    let characters = name.char_indices().rev().map(|(at, _)| at).skip(1).take(2).collect::<Vec<_>>();
    let is_cjk = |at: &usize| name[*at..].chars().all(|char| !char.is_ascii() || char.is_ascii_digit());
    let places = words.into_iter().chain(characters.into_iter().rev().filter(is_cjk));
    let ends = places.filter(|&at| at > 0 && is_rank(&name[at..]));
    ends.map(|at| name[..at].trim()).find(|name| !name.is_empty()).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_folded() {
        for (name, expected) in [
            ("Lee Sedol", "lee sedol"),
            ("LEE  Se-dol 9p", "lee sedol"),
            ("Lee Sedol (9 dan)", "lee sedol"),
            ("Lee Sedol, 9p", "lee sedol"),
            ("Lee Sedol [9p]", "lee sedol"),
            ("Ōtake Hideo", "otake hideo"),
            ("O'Brien J.", "obrien j"),
            ("李昌鎬 九段", "李昌鎬"),
            ("李昌鎬九段", "李昌鎬"),
            ("李昌鎬9段", "李昌鎬"),
            ("이세돌 9단", "이세돌"),
            ("이세돌", "이세돌"),
            ("AlphaGo", "alphago"),
            ("player1", "player1"),
            ("9p", "9p"),
            ("Ｆｕｌｌ Ｗｉｄｔｈ", "full width"),
            ("...", ""),
            ("GNU Go 3.5.3", "gnu go 3.5.3"),
            ("J. Smith", "j smith"),
            ("[p]이세돌", "이세돌"),
            ("p) 이세돌 선수", "이세돌"),
            ("p}이세돌선수 9단", "이세돌선수"),
            ("P.Smith", "psmith"),
            ("선수", "선수"),
            ("[p]", "p"),
        ] {
            assert_eq!(Folded::of(name).text(), expected, "{name}");
        }
    }

    #[test]
    fn names_with_other_numbers_are_other_names() {
        let is_one = |a: &str, b: &str| {
            let [a, b] = [a, b].map(Folded::of);
            a.text() == b.text() || a.sorted().is_some_and(|sorted| Some(sorted) == b.sorted()) || {
                a.joined().is_some_and(|joined| Some(joined) == b.joined())
            }
        };
        for (a, b, expected) in [
            ("GNU Go 3.5.3", "GnuGo 3.5.3", true),
            ("GNU Go 3.5.3", "GNU Go 3.3.5", false),
            ("GNU Go 3.5.3", "GNU Go 35.3", false),
            ("ai6", "ai 6", true),
            ("bot 1 10", "bot 11 0", false),
            ("Zen19S", "Zen91S", false),
            ("cp63-v1024__victim", "victim__cp63-v1024", false),
            ("Sedol Lee (3d)", "Lee Sedol 9p", true),
            ("Fuego", "Fuego 1.1", false),
        ] {
            assert_eq!(is_one(a, b), expected, "{a}, {b}");
        }
    }

    #[test]
    fn names_in_one_script_are_alike_or_not() {
        for (a, b, expected) in [
            ("Lee Changho", "Yi Ch'ang-ho", Some(true)),
            ("李昌鎬", "李昌镐", Some(true)),
            ("Lee Sedol", "이세돌", None),
            ("Lee Sedol", "Gu Li", Some(false)),
            ("이세돌", "박영훈", Some(false)),
            ("古力", "이세돌", None),
            ("123", "이세돌", None),
        ] {
            let [a, b] = [a, b].map(Folded::of);
            assert_eq!((a.is_like(&b), b.is_like(&a)), (expected, expected), "{a:?}, {b:?}");
        }
    }

    #[test]
    fn generic_names_are_nobody() {
        for (name, is_said) in [
            ("Black", true),
            ("WHITE 9p", true),
            ("guest", true),
            ("?", true),
            ("--", true),
            ("", true),
            ("No Name", true),
            ("N.N.", true),
            ("n/a", true),
            ("黑方", true),
            // Names of accounts and broken names, which join no others.
            ("123", false),
            ("Lee \u{FFFD}", false),
            ("\u{FFFD}\u{FFFD}", false),
        ] {
            assert!(!Folded::of(name).is_person(), "{name}");
            assert_eq!(is_nobody(name), is_said, "{name}");
        }
        assert!(Folded::of("Go Seigen").is_person() && !is_nobody("Go Seigen"));
        assert!(NOBODY.iter().all(|name| is_nobody(name) && is_nobody(&format!("{name} 9 dan"))));
    }

    #[test]
    fn one_letter_may_differ_be_missing_or_be_exchanged() {
        let has_common = |a: &str, b: &str| {
            let [a, b] = [a, b].map(|name| Folded::of(name).with_one_letter_less());
            !a.is_disjoint(&b)
        };
        for (a, b, expected) in [
            ("Takemiya Masaki", "Takemiya Masski", true),
            ("Takemiya Masaki", "Takemiya Masak", true),
            ("Takemiya Masaki", "Takemiya Masaik", true),
            ("Takemiya Masaki", "Takemiya Masako", true),
            ("Takemiya Masaki", "Takemiya Msako", false),
            ("Lee A", "Lee B", false),
        ] {
            assert_eq!(has_common(a, b), expected, "{a}, {b}");
        }
    }
}
