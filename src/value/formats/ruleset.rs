//! RU: rule sets.

use std::fmt;

use crate::value::game::Game;
use crate::value::texts::FreeText;
use crate::value::typed::sgf_value;
use crate::value::{RawValue, SimpleText, Size, ValueError};

/// *Rule set*: the rules of a game, the value of `RU`.
///
/// ```text
/// ruleset = "AGA" | "GOE" | "Japanese" | "NZ"                        Go
///         | "Crawford" | "Crawford:CrawfordGame" | "Jacoby"          Backgammon
///         | ( "full" | "fast" | "kids" ) [ ":" variation { "," variation } ]   Octi
///         | SimpleText                            (FF[4], "RU", and the pages of the games)
/// ```
///
/// `RU` is free text, so every value is valid, but programs must use exactly these names for these rules. Others
/// (`Chinese`, `Tromp-Taylor`) are kept as [`Other`](Ruleset::Other). [`parse`](Self::parse) recognizes the names
/// of all games; [`parse_for`](Self::parse_for) keeps those of other games as text.
///
/// Lenient parsing recognizes the names in any case and with surrounding white space, and `Ing` and `New Zealand`.
/// Unlike for other types, its result may thus differ from that of strict parsing.
///
/// ```
/// use sgf_stream::Game;
/// use sgf_stream::value::Ruleset;
///
/// assert_eq!(Ruleset::parse("GOE")?, Ruleset::Goe);
/// assert_eq!(Ruleset::parse("Chinese")?.to_string(), "Chinese");
/// assert!(matches!(Ruleset::parse("japanese")?, Ruleset::Other(_)));
/// assert_eq!(Ruleset::parse_lenient("japanese")?, Ruleset::Japanese);
/// assert!(matches!(Ruleset::parse_for("Jacoby", Game::Go)?, Ruleset::Other(_)));
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Ruleset {
    /// `AGA`: the rules of the American Go Association.
    Aga,
    /// `GOE`: the Ing rules of Goe.
    Goe,
    /// `Japanese`: the rules of the Nihon Ki-in.
    Japanese,
    /// `NZ`: the rules of New Zealand.
    Nz,
    /// `Crawford`: backgammon with the Crawford rule.
    Crawford,
    /// `Crawford:CrawfordGame`: the Crawford game of a match.
    CrawfordGame,
    /// `Jacoby`: backgammon with the Jacoby rule.
    Jacoby,
    /// `full`, `fast` or `kids`: the rules of Octi.
    Octi {
        /// The basic rules.
        rules: OctiRules,
        /// The comma-separated variations after the colon, possibly empty.
        variations: SimpleText,
    },
    /// Any other text.
    Other(FreeText),
}

/// The rules of Octi; see [`Ruleset::Octi`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum OctiRules {
    /// The full rules, `full`.
    Full,
    /// The fast rules, `fast`.
    Fast,
    /// The rules for children, `kids`.
    Kids,
}

impl OctiRules {
    /// Returns `full`, `fast` or `kids`.
    pub const fn as_str(self) -> &'static str {
        match self {
            OctiRules::Full => "full",
            OctiRules::Fast => "fast",
            OctiRules::Kids => "kids",
        }
    }
}

impl fmt::Display for OctiRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The fixed names, without those of Octi.
const NAMES: [(&str, Ruleset); 7] = [
    ("AGA", Ruleset::Aga),
    ("GOE", Ruleset::Goe),
    ("Japanese", Ruleset::Japanese),
    ("NZ", Ruleset::Nz),
    ("Crawford", Ruleset::Crawford),
    ("Crawford:CrawfordGame", Ruleset::CrawfordGame),
    ("Jacoby", Ruleset::Jacoby),
];

impl Ruleset {
    const KIND: &'static str = "ruleset";

    /// Returns the game of these rules, or `None` for [`Other`](Ruleset::Other).
    pub const fn game(&self) -> Option<Game> {
        match self {
            Ruleset::Aga | Ruleset::Goe | Ruleset::Japanese | Ruleset::Nz => Some(Game::Go),
            Ruleset::Crawford | Ruleset::CrawfordGame | Ruleset::Jacoby => Some(Game::Backgammon),
            Ruleset::Octi { .. } => Some(Game::Octi),
            Ruleset::Other(_) => None,
        }
    }

    /// Parses a value in UTF-8, recognizing the names of all games.
    ///
    /// # Errors
    ///
    /// Fails if the value is not UTF-8.
    pub fn parse(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        let text = Self::text(raw)?;
        Ok(exactly(&text).unwrap_or_else(|| Ruleset::Other(FreeText::new(text))))
    }

    /// Parses a value in UTF-8, recognizing only the names of this game.
    ///
    /// # Errors
    ///
    /// Fails if the value is not UTF-8.
    pub fn parse_for(raw: impl AsRef<[u8]>, game: Game) -> Result<Self, ValueError> {
        let text = Self::text(raw)?;
        let named = exactly(&text).filter(|ruleset| ruleset.game() == Some(game));
        Ok(named.unwrap_or_else(|| Ruleset::Other(FreeText::new(text))))
    }

    /// Parses a value leniently, recognizing the names of all games in any case.
    ///
    /// Invalid UTF-8 becomes U+FFFD.
    ///
    /// It never fails: every text is a rule set.
    pub fn parse_lenient(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
        let text = SimpleText::parse_lenient(raw)?;
        Ok(roughly(&text).unwrap_or_else(|| Ruleset::Other(FreeText::new(text))))
    }

    /// Parses a value leniently, recognizing only the names of this game, in any case.
    ///
    /// Invalid UTF-8 becomes U+FFFD.
    ///
    /// It never fails: every text is a rule set.
    pub fn parse_lenient_for(raw: impl AsRef<[u8]>, game: Game) -> Result<Self, ValueError> {
        let text = SimpleText::parse_lenient(raw)?;
        let named = roughly(&text).filter(|ruleset| ruleset.game() == Some(game));
        Ok(named.unwrap_or_else(|| Ruleset::Other(FreeText::new(text))))
    }

    fn text(raw: impl AsRef<[u8]>) -> Result<SimpleText, ValueError> {
        SimpleText::parse(raw).map_err(|error| error.of(Self::KIND))
    }
}

sgf_value!(Ruleset, "ruleset" {
    /// Accepts any text as a name of rules, and recognizes the names that programs write.
    fn from_raw_in(raw: RawValue<'_>, game: Game, _: Option<Size>) -> Result<Self, ValueError> {
        Self::parse_lenient_for(raw, game)
    }
});

impl fmt::Display for Ruleset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ruleset::Octi { rules, variations } if variations.is_empty() => rules.fmt(f),
            // SimpleText escapes the text.
            Ruleset::Octi { rules, variations } => SimpleText::new(format!("{rules}:{}", &**variations)).fmt(f),
            Ruleset::Other(text) => text.fmt(f),
            named => {
                let name = NAMES.iter().find(|(_, ruleset)| ruleset == named).map(|(name, _)| *name);
                SimpleText::new(name.unwrap_or_default()).fmt(f)
            }
        }
    }
}

fn exactly(text: &str) -> Option<Ruleset> {
    let named = NAMES.into_iter().find(|(name, _)| *name == text).map(|(_, ruleset)| ruleset);
    named.or_else(|| octi(text, |name, rules| name == rules))
}

fn roughly(text: &str) -> Option<Ruleset> {
    if let Some(ruleset) = exactly(text) {
        return Some(ruleset);
    }
    let text = text.trim_matches(' ');
    let text = match () {
        () if text.eq_ignore_ascii_case("ing") => "GOE",
        () if text.eq_ignore_ascii_case("new zealand") => "NZ",
        () => text,
    };
    let named = NAMES.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(text)).map(|(_, ruleset)| ruleset);
    named.or_else(|| octi(text, str::eq_ignore_ascii_case))
}

fn octi(text: &str, same: fn(&str, &str) -> bool) -> Option<Ruleset> {
    let (name, variations) = text.split_once(':').unwrap_or((text, ""));
    let rules = [OctiRules::Full, OctiRules::Fast, OctiRules::Kids].into_iter().find(|r| same(name, r.as_str()))?;
    Some(Ruleset::Octi { rules, variations: variations.into() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::laws::Edits;
    use quickcheck::{Arbitrary, Gen, quickcheck};

    impl Arbitrary for Ruleset {
        fn arbitrary(g: &mut Gen) -> Self {
            let rules = *g.choose(&[OctiRules::Full, OctiRules::Fast, OctiRules::Kids]).unwrap();
            match u8::arbitrary(g) % 4 {
                0 => Ruleset::Octi { rules, variations: SimpleText::arbitrary(g) },
                1 => Ruleset::parse(SimpleText::arbitrary(g).to_string()).unwrap(),
                _ => g.choose(&NAMES).unwrap().1.clone(),
            }
        }
    }

    #[test]
    fn every_name_belongs_to_a_game() {
        for (raw, game) in [
            ("AGA", Game::Go),
            ("Crawford:CrawfordGame", Game::Backgammon),
            (r"Crawford\:CrawfordGame", Game::Backgammon),
            ("fast:a,b", Game::Octi),
        ] {
            let ruleset = Ruleset::parse(raw).unwrap();
            assert_eq!(ruleset.game(), Some(game), "{raw:?}");
            assert_eq!(Ruleset::parse_for(raw, game).as_ref(), Ok(&ruleset), "{raw:?}");
            assert_eq!(Ruleset::parse_lenient_for(raw, game), Ok(ruleset), "{raw:?}");
            assert_eq!(Ruleset::parse_for(raw, Game::Hex).unwrap().game(), None, "{raw:?}");
            assert_eq!(Ruleset::parse_lenient_for(raw, Game::Hex).unwrap().game(), None, "{raw:?}");
        }
    }

    #[test]
    fn lenient_parsing_recognizes_names_in_any_case() {
        for (raw, ruleset) in [
            ("aga", Ruleset::Aga),
            (" japanese ", Ruleset::Japanese),
            ("ing", Ruleset::Goe),
            ("New Zealand", Ruleset::Nz),
            ("crawford:crawfordgame", Ruleset::CrawfordGame),
            ("Kids", Ruleset::Octi { rules: OctiRules::Kids, variations: SimpleText::default() }),
        ] {
            assert!(matches!(Ruleset::parse(raw), Ok(Ruleset::Other(_))), "{raw:?}");
            assert_eq!(Ruleset::parse_lenient(raw), Ok(ruleset), "{raw:?}");
        }
    }

    #[test]
    fn other_names_are_kept() {
        for raw in ["", "Chinese", "Old Chinese", "Crawford:Nackgammon", "koSIMPLEscoreAREAtaxNONEsui0", r"\]"] {
            for ruleset in [Ruleset::parse(raw), Ruleset::parse_lenient(raw), Ruleset::parse_for(raw, Game::Go)] {
                assert_eq!(ruleset.as_ref().unwrap().game(), None, "{raw:?}");
                assert_eq!(ruleset.unwrap().to_string(), raw, "{raw:?}");
            }
        }
        assert_eq!(Ruleset::parse(b"a\xFF").unwrap_err(), ValueError::new("ruleset", "UTF-8", 1));
    }

    quickcheck! {
        fn a_ruleset_round_trips(ruleset: Ruleset) -> bool {
            Ruleset::parse(format!("{ruleset:#}")).as_ref() == Ok(&ruleset)
                && Ruleset::parse(ruleset.to_string()) == Ok(ruleset)
        }

        fn lenient_parsing_recognizes_all_strict_names(edits: Edits) -> bool {
            let raw = edits.of(&["AGA", "GOE", "NZ", "Crawford:CrawfordGame", "full:a,b", "japanese", "Ing"]);
            let (strict, lenient) = (Ruleset::parse(&raw), Ruleset::parse_lenient(&raw).unwrap());
            let kept = strict.is_err() || matches!(strict, Ok(Ruleset::Other(_))) || strict.as_ref() == Ok(&lenient);
            kept && Ruleset::parse(lenient.to_string()) == Ok(lenient)
        }
    }
}
