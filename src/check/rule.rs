//! The rules: one table, from which everything that is said about a rule comes.

use std::fmt;
use std::str::FromStr;

use crate::diagnostic::{Code, Repair, Severity};

/// Whether a rule is on where nobody says otherwise.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    On,
    Off,
}

/// Writes [`Rule`] and its table, so that a rule cannot lack a row.
macro_rules! rules {
    ($( $(#[doc = $doc:literal])+ $variant:ident: $name:literal, $severity:ident, $default:ident, $repair:ident, $sgfc:expr, $advice:literal; )+) => {
        /// What [`Checker`](super::Checker) looks for.
        ///
        /// The numbers are those of the messages that SGFC, the reference implementation, prints for the
        /// same or the nearest fault ([`sgfc`](Rule::sgfc)).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Rule {
            /// A fault that another layer names, under its code there: nearly all are faults of syntax.
            Syntax(Code),
            $( $(#[doc = $doc])+ $variant, )+
        }

        /// The rules of this module's own.
        const OWN: &[Rule] = &[$(Rule::$variant),+];

        impl Rule {
            /// The rule as a word: `two-moves`.
            pub const fn as_str(self) -> &'static str {
                match self {
                    Rule::Syntax(code) => code.as_str(),
                    $(Rule::$variant => $name,)+
                }
            }

            /// How much its findings matter, where nobody says otherwise.
            ///
            /// An *error* is a contradiction, or a value that even lenient reading cannot make out: two
            /// programs will make different things of it, or nothing. A *warning* is a fault with one
            /// obvious meaning.
            pub const fn severity(self) -> Severity {
                match self {
                    Rule::Syntax(code) => severity(code),
                    $(Rule::$variant => Severity::$severity,)+
                }
            }

            /// Whether it is off where nobody says otherwise: what is legal, and only better done in
            /// another way, or worth knowing.
            pub const fn is_style(self) -> bool {
                match self {
                    Rule::Syntax(_) => false,
                    $(Rule::$variant => matches!(Standing::$default, Standing::Off),)+
                }
            }

            /// Whether [`fix`](super::fix) repairs what it finds, and whether anything is lost by that.
            pub const fn repair(self) -> Repair {
                match self {
                    Rule::Syntax(code) => code.repair(),
                    $(Rule::$variant => Repair::$repair,)+
                }
            }

            /// The numbers of the messages that SGFC prints for it.
            pub const fn sgfc(self) -> &'static [u8] {
                match self {
                    Rule::Syntax(code) => sgfc(code),
                    $(Rule::$variant => &$sgfc,)+
                }
            }

            /// Why it is a fault, and what to do about it: for people.
            pub const fn explanation(self) -> &'static str {
                match self {
                    Rule::Syntax(code) => explain(code),
                    $(Rule::$variant => $advice,)+
                }
            }
        }
    };
}

rules! {
    // Where properties stand.

    /// A root property (`FF`, `GM`, `SZ`, `CA`, `AP`, `ST`, in Hex `IS`) in a node that is not the root.
    RootPropertyOutsideRoot: "root-property-outside-root", Error, On, None, [32],
        "Root properties hold for a whole game, so only the first node of a game may have them; elsewhere programs \
         ignore them, or refuse the file. Move it to the root, or leave it out if the root says the same.";
    /// Setup and move properties in one node.
    SetupAndMove: "setup-and-move", Error, On, None, [30],
        "A node is about a move, or it sets up a position: FF[4] allows no mixture, as the order of the two would be \
         unclear. Give the setup (AB, AW, AE, PL) a node of its own, in front of the move.";
    /// Game-info in a second node of one path.
    SecondGameInfo: "second-game-info", Error, On, None, [44],
        "Players, result, date and the like may stand in one node of each path from the root: a second one would be \
         about another game. Put all of it into the root, or, where several games are merged, into the first node \
         that belongs to one of them only.";
    /// A black and a white move in one node.
    TwoMoves: "two-moves", Error, On, None, [37],
        "A node has one move; of two, nobody knows which was first. Give each a node of its own.";
    /// `KO` without a move.
    KoWithoutMove: "ko-without-move", Error, On, None, [43],
        "KO means that the move of its node is to be executed even if it is illegal, and there is none. Leave it out.";
    /// `BM`, `TE`, `DO` or `IT` without a move.
    AnnotationWithoutMove: "annotation-without-move", Error, On, None, [43],
        "BM, TE, DO and IT say how good a move is, so they belong into the node of that move.";
    /// More than one of `BM`, `TE`, `DO`, `IT`.
    AnnotationConflict: "annotation-conflict", Error, On, None, [42],
        "A move is bad, doubtful, interesting or good: one of BM, DO, IT, TE. (In FF[3], TE before BM meant \
         interesting, which is IT now, and BM before TE doubtful, DO.)";
    /// More than one of `DM`, `UC`, `GB`, `GW`.
    EvaluationConflict: "evaluation-conflict", Error, On, None, [41],
        "A position is even, unclear, good for Black or good for White: one of DM, UC, GB, GW. Keep the one that is meant.";
    /// A property twice in a node.
    DuplicateProperty: "duplicate-property", Error, On, Keeps, [28],
        "A node has each property once; programs that read the second forget the first, or the other way round. Lists \
         can be joined (AB[aa]AB[bb] is AB[aa][bb]), and so can comments; of two other values, keep one.";

    // What properties there are.

    /// A property that the registry does not know.
    UnknownProperty: "unknown-property", Warning, On, None, [35],
        "No version of SGF and no program known here has this property. Private properties are legal, and kept by \
         good programs; a misspelt one (PWN for PW) is lost. Once a game for each.";
    /// A property of another game's.
    PropertyOfAnotherGame: "property-of-another-game", Warning, On, None, [],
        "The property belongs to another game than GM says, so it means nothing here. Check GM, or leave the property out. \
         Once a game for each.";
    /// A property that the version of the file does not have.
    PropertyNotInVersion: "property-not-in-version", Warning, On, None, [40],
        "The version that FF names does not have this property: either an older one did (then `sgf fmt` converts it), \
         or FF names too old a version. Once a game for each.";
    /// A private property with a successor: `KI`, `LKM`, `PDT`.
    SupersededProperty: "superseded-property", Warning, On, None, [59],
        "A program's own property that says what a standard one is for, which other programs read. `sgf fmt` converts it, \
         unless its value is none of the standard one's, or the node has that too and it says something else there.";
    /// A private property under the identifier of a standard one.
    PrivateClash: "private-clash", Warning, On, None, [],
        "Private properties must not take the identifier of a standard one: programs that know the standard \
         misunderstand it. The writer of the file should choose another. Once a game for each.";
    /// What the version of the file does not have: rectangles, boards that are not square.
    NotInVersion: "not-in-version", Warning, On, None, [51],
        "The version that FF names does not have this; a program that takes FF at its word cannot read it. FF[4] has it.";
    /// `[]` as a pass in FF\[1\] to FF\[3\].
    PassNotInVersion: "pass-not-in-version", Warning, On, None, [65],
        "In FF[1] to FF[3] a pass is written [tt]; the empty value is new in FF[4]. Say FF[4], or write [tt].";
    /// `VW` of FF\[3\] with other than two values.
    ViewCorners: "view-corners", Warning, On, None, [52],
        "In FF[3], VW has two points, the corners of the part to show; in FF[4] it has a list of all points of it. \
         Which one is meant, only the program knows that wrote it.";

    // Values.

    /// A value that is not of its property's type, even read leniently.
    BadValue: "bad-value", Error, On, None, [14],
        "The value is not of the type that the property has, and what is meant is not clear, so programs leave it out. \
         It may be that a bracket is missing in front of it.";
    /// A value that is written wrongly, with one obvious meaning.
    SloppyValue: "sloppy-value", Warning, On, Keeps, [15, 25],
        "The value is not written as FF[4] wants it, but what it means is clear. Programs that are strict leave it out. \
         --fix writes it properly where nothing is lost by that.";
    /// `AP` without a version.
    MissingProgramVersion: "missing-program-version", Warning, On, None, [23],
        "AP has two parts, the name of a program and its version, as AP[GoGui:1.4], so that readers can step around the \
         faults of that version. Only who wrote the file knows which it was.";
    /// A faulty value of `FF`, `GM`, `SZ`, `ST`, `AP` or `CA`.
    BadRootValue: "bad-root-value", Error, On, None, [18],
        "Root properties say how to read the game; this one cannot be read, so its default is assumed.";
    /// A faulty value of a game-info property.
    BadGameInfo: "bad-game-info", Error, On, None, [33],
        "The value has not the form that FF[4] prescribes, so no program can sort or search by it. It stays readable for \
         people. Results are like B+3.5, W+Resign, Draw; dates like 1996-12-27; komi and times are numbers.";
    /// A colon is missing: `LB[dd]`.
    MissingColon: "missing-colon", Error, On, None, [23],
        "The value has two parts with a colon between them, as in LB[dd:A] or AR[dd:pp]. One of them is missing.";
    /// An empty value where the type has none.
    EmptyValue: "empty-value", Warning, On, Keeps, [17],
        "The property has nothing to say if it is empty, and its type does not allow it. --fix leaves it out.";
    /// A number beyond the range of its property.
    NumberOutOfRange: "number-out-of-range", Warning, On, None, [],
        "The number has no meaning for this property.";
    /// A handicap below two.
    HandicapBelowTwo: "handicap-below-two", Warning, Off, None, [],
        "HA says how many stones Black has in advance, at least two. An even game, or one without komi, has no HA. (HA[0] \
         is common, and everybody understands it.)";
    /// A word that the property does not have.
    UnknownWord: "unknown-word", Warning, On, None, [],
        "The property takes one of a few words, and this is none of them.";
    /// A square board in two numbers.
    SquareSize: "square-size", Warning, On, Keeps, [47],
        "A square board has one number, SZ[13]; two are for boards that are not square, SZ[13:9]. --fix writes one.";
    /// A board of Go beyond 52x52.
    BoardTooBig: "board-too-big", Error, On, None, [50],
        "Go has letters for 52 columns and rows. Points beyond them cannot be written.";
    /// `FF` names a version that does not exist.
    UnknownVersion: "unknown-version", Error, On, None, [46],
        "There are FF[1] to FF[4]. A program cannot know how to read a later one; this one reads it as FF[4].";
    /// `GM` names a game that does not exist.
    UnknownGame: "unknown-game", Warning, On, None, [],
        "No game has this number, so moves and points cannot be checked.";
    /// A point beside the board.
    PointOffBoard: "point-off-board", Error, On, None, [14],
        "The point is not on the board. Either it is wrong, or SZ is (without SZ a board of Go has 19x19 points).";
    /// A NUL byte in a value.
    NulByte: "nul-byte", Warning, On, None, [22],
        "A NUL byte is no text: it comes from a program's fault, and ends the text for many readers.";
    /// The byte-order mark of the file and `CA` differ.
    CharsetConflict: "charset-conflict", Warning, On, None, [73],
        "The file starts with a byte-order mark, so it is in that charset, and CA names another. Correct CA.";

    // Points.

    /// A point, an arrow or a line twice in a list.
    DuplicatePoint: "duplicate-point", Error, On, Keeps, [38],
        "The points of a list are all different, and rectangles do not overlap. --fix leaves out what is written again.";
    /// A point in two lists that exclude each other.
    ConflictingPoint: "conflicting-point", Error, On, None, [38],
        "A point is in one only of AB, AW, AE; of CR, MA, SL, SQ, TR; of TB, TW. Decide for one.";
    /// An arrow or a line from a point to itself.
    OnePointLine: "one-point-line", Error, On, None, [],
        "An arrow or a line has two different ends.";

    // Positions of Go.

    /// Setup that changes nothing.
    SetupWithoutEffect: "setup-without-effect", Warning, On, None, [39],
        "AB, AW or AE puts there what is there already. It does no harm, but often the position is not what the writer thought.";
    /// A move onto a stone.
    OccupiedPoint: "occupied-point", Warning, On, None, [58],
        "There is a stone already. Programs play the move all the same, over that stone. A typing error, a missing \
         capture, or a move that belongs to another variation; if it is meant, KO says so.";
    /// `HA` differs from the stones in its node.
    HandicapStones: "handicap-stones", Warning, On, None, [61],
        "HA only says how many stones the handicap was; AB, in the same node, has to place them. Numbers that differ leave \
         the reader with a wrong position.";

    // Style.

    /// A move in the root.
    MoveInRoot: "move-in-root", Warning, Off, None, [24],
        "Legal, but bad style: there is no node left for the empty board. Give the move a node of its own.";
    /// Setup behind the root.
    SetupAfterRoot: "setup-after-root", Warning, Off, None, [62],
        "Legal, but in the record of a game the position changes by moves only.";
    /// Two moves of one color in a row.
    OutOfTurn: "out-of-turn", Warning, Off, None, [63],
        "Legal, but in the record of a game the players take turns; a pass is a move too.";
    /// A node without properties.
    EmptyNode: "empty-node", Warning, Off, None, [55],
        "Legal, but it says nothing. Leave it out, if it is no placeholder.";
    /// An empty text.
    EmptyText: "empty-text", Warning, Off, Keeps, [17],
        "Legal, but a property without a text says no more than no property. --fix leaves it out.";
    /// A lone child tree: `(;a(;b))`.
    LoneVariation: "lone-variation", Warning, Off, None, [],
        "Legal, but a variation without another one beside it is no variation: (;a(;b)) is the same game as (;a;b).";
    /// An identifier of more than two letters.
    LongIdentifier: "long-identifier", Warning, Off, None, [31],
        "Legal, but some programs read two letters only. Once a game for each.";
    /// A game without `FF`.
    MissingVersion: "missing-version", Warning, Off, None, [],
        "By the letter, a game without FF is in FF[1], of 1987. Nearly all are newer: say FF[4].";
    /// A game whose `FF` is another than that of the first game.
    VersionDiffers: "version-differs", Warning, Off, None, [45],
        "Legal, but the games of this file are in different versions of the format.";
    /// A game of another kind than the first.
    GameDiffers: "game-differs", Warning, Off, None, [53],
        "Legal, but the games of this file are of different kinds (GM), and some programs read the first kind only.";
    /// A game in another charset than the first.
    CharsetDiffers: "charset-differs", Warning, Off, None, [74, 75],
        "Legal, but the games of this file are in different charsets, which many programs cannot read.";
    /// A game whose moves and points have no notation here.
    GameNotChecked: "game-not-checked", Warning, Off, None, [19],
        "No notation is known for this game, so its moves and points were not checked.";
    /// A rank, round or program that is not written as recommended.
    UnusualFormat: "unusual-format", Warning, Off, None, [],
        "Legal, but not as FF[4] recommends: ranks are like 5k, 3d or 1d?, rounds like 5 (final).";
}

impl Rule {
    /// Every rule: those of this module, then the codes of the other layers.
    pub fn all() -> impl Iterator<Item = Rule> {
        OWN.iter().copied().chain(Code::ALL.iter().copied().map(Rule::Syntax))
    }

    /// How many there are.
    pub(super) const COUNT: usize = OWN.len() + Code::ALL.len();

    /// Its place in [`all`](Self::all).
    pub(super) fn index(self) -> usize {
        Rule::all().position(|rule| rule == self).unwrap_or(0)
    }

    /// Whether [`fix`](super::fix) repairs what it finds where nothing is lost by that.
    pub const fn is_fixable(self) -> bool {
        matches!(self.repair(), Repair::Keeps)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The error of [`Rule::from_str`]: no rule has that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no rule is called {0:?}")]
pub struct UnknownRule(String);

impl FromStr for Rule {
    type Err = UnknownRule;

    fn from_str(name: &str) -> Result<Self, UnknownRule> {
        Rule::all().find(|rule| rule.as_str() == name).ok_or_else(|| UnknownRule(name.to_owned()))
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Rule {
    /// As its word.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// The parser has a repair for nearly everything, and so no errors; but whoever checks a file wants to
/// know what was lost by it.
const fn severity(code: Code) -> Severity {
    match code {
        Code::UnterminatedValue | Code::MissingCloseBracket => Severity::Error,
        Code::ValueWithoutIdent | Code::PropertyWithoutValue | Code::JunkInTree => Severity::Error,
        code => code.severity(),
    }
}

/// The numbers beside the first.
const fn sgfc(code: Code) -> &'static [u8] {
    match code {
        Code::MissingSemicolon => &[36, 67],
        Code::TreeWithoutNodes => &[12, 21],
        Code::BadBytes => &[71, 70],
        Code::JunkOutsideTree => &[6],
        Code::NoSgfData => &[7],
        Code::JunkInTree | Code::DigitInIdent => &[8],
        Code::UnclosedTree | Code::MissingCloseParen => &[9],
        Code::UnterminatedValue => &[10],
        Code::IdentTooLong => &[11],
        Code::ExtraValues => &[13],
        Code::LowercaseInIdent => &[16],
        Code::PropertyWithoutValue => &[20],
        Code::ValueWithoutIdent => &[54],
        Code::NodeAfterVariation => &[66],
        Code::UnknownCharset => &[72],
        _ => &[],
    }
}

const fn explain(code: Code) -> &'static str {
    match code {
        Code::JunkOutsideTree => {
            "A file of SGF holds game trees and nothing else; mail headers and the like are skipped by many programs, \
             but not by all. --fix keeps them."
        }
        Code::ExtraCloseParen => "There are more `)` than `(`: one too many here, or a `(` missing in front of it.",
        Code::NoSgfData => "There is no game in it: no `(` that is followed by `;`.",
        Code::JunkInTree => {
            "Between properties and nodes only white space may stand. Often a bracket is missing, or was not escaped, in \
             front of it. Programs skip it, so --fix leaves its game as it is."
        }
        Code::LowercaseInIdent => {
            "FF[4] has identifiers of upper-case letters only; lower-case letters were allowed before, and ignored. --fix \
             leaves them out where FF[4] has the property."
        }
        Code::DigitInIdent => {
            "Identifiers are made of upper-case letters. Programs that are strict stop here. In FF[4] no form without \
             digits says the same, so --fix leaves such a game as it is."
        }
        Code::IdentTooLong => "No real identifier is this long; a bracket is missing, or this is no SGF.",
        Code::PropertyWithoutValue => {
            "Every property has a value, if an empty one. Programs skip the identifier, so --fix leaves its game as it is."
        }
        Code::ValueWithoutIdent => {
            "A value belongs to the identifier in front of it, and there is none, so programs skip it. --fix leaves its \
             game as it is."
        }
        Code::MissingSemicolon => "Every node starts with `;`. --fix adds it.",
        Code::TreeWithoutNodes => "A tree has at least one node: `(;`. --fix leaves the parentheses out.",
        Code::NodeAfterVariation => {
            "Behind the variations of a node nothing can follow but their end: what belongs to the main line comes first, \
             as a variation too. It was read as one more variation, and --fix writes it so."
        }
        Code::UnclosedTree => "The file ends too early: it was cut off, or a `)` is missing. --fix adds it.",
        Code::MissingCloseParen => {
            "A game starts inside another: a `)` is missing, or the file was cut off and another put behind it. --fix adds it."
        }
        Code::UnterminatedValue => {
            "The file ends inside a value: it was cut off, or a `]` is missing. Programs lose the value; --fix closes it."
        }
        Code::MissingCloseBracket => {
            "A game starts inside a value: a `]` is missing, or the file was cut off and another put behind it. Programs \
             lose the value; --fix closes it."
        }
        Code::UnescapedBracket => {
            "Inside a text, `]` is written `\\]`; a bare one ends the value. --fix adds the backslash."
        }
        Code::CutCharacter => {
            "A program has cut the text in the middle of a character. --fix puts a blank in its place."
        }
        Code::ValueTooLong => "The value is longer than this program keeps (1 MiB), and was not checked.",
        Code::TreeTooDeep => "The variations are nested deeper than this program goes, and were not checked.",
        Code::NodeTooLong => "The node is longer than this program keeps, and was not checked to its end.",
        Code::GameTooLong => "The game is longer than this program keeps whole, and was not checked.",
        Code::ExtraValues => {
            "The property has one value, and here are several. Often a `]` or an identifier is missing: (;B[cc;AW[dd][ee])."
        }
        Code::InvalidField => {
            "The value does not fit the field of a program's own type that it is read into. `check` knows no such types."
        }
        Code::UnknownCharset => {
            "Nobody knows a charset of this name; texts are read as Latin-1, the default of FF[4]. Correct CA."
        }
        Code::CharsetMismatch => {
            "The text is in UTF-8, and CA names another charset; programs that believe CA show it as gibberish. Once a \
             game. --fix writes CA[UTF-8] where all texts of the game are in UTF-8."
        }
        Code::BadBytes => {
            "The text is not in the charset that CA (or the file's byte-order mark) names. Correct CA, or the text."
        }
    }
}

/// Which rules hold, and how much each matters.
///
/// ```
/// use sgf_stream::Severity;
/// use sgf_stream::check::{Rule, Rules};
///
/// let rules = Rules::new()
///     .allow(Rule::UnknownProperty)
///     .warn(Rule::MoveInRoot)
///     .deny("sloppy-value".parse()?);
/// assert_eq!(rules.severity(Rule::UnknownProperty), None);
/// assert_eq!(rules.severity(Rule::SloppyValue), Some(Severity::Error));
/// # Ok::<(), sgf_stream::check::UnknownRule>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    severities: [Option<Severity>; Rule::COUNT],
    #[cfg(feature = "charset")]
    pub(super) decoding: Option<crate::charset::Decoding>,
}

impl Rules {
    /// Every rule at its own severity, but for those of [style](Rule::is_style), which are off.
    pub fn new() -> Self {
        Rules::of(|rule| (!rule.is_style()).then_some(rule.severity()))
    }

    /// Every rule, those of style too, and every finding an error.
    pub fn strict() -> Self {
        Rules::of(|_| Some(Severity::Error))
    }

    /// No rule, to add some.
    pub fn none() -> Self {
        Rules::of(|_| None)
    }

    fn of(severity: impl Fn(Rule) -> Option<Severity>) -> Self {
        let mut rules = Rules {
            severities: [None; Rule::COUNT],
            #[cfg(feature = "charset")]
            decoding: None,
        };
        rules.severities.iter_mut().zip(Rule::all()).for_each(|(slot, rule)| *slot = severity(rule));
        rules
    }

    /// Checks, and has [`fix`](super::fix) mend, what [`Checker::charset`](super::Checker::charset) says. Default:
    /// texts are bytes.
    ///
    /// ```
    /// use sgf_stream::charset::Decoding;
    /// use sgf_stream::check::{Rules, fix_slice};
    ///
    /// let rules = Rules::new().charset(Decoding::new());
    /// let (out, fixed) = fix_slice(&rules, "(;FF[4]CA[ISO-2022-KR]PB[구리])".as_bytes())?;
    /// assert_eq!(out, "(;FF[4]CA[UTF-8]PB[구리])".as_bytes());
    /// assert_eq!(fixed.count(), 1);
    /// # Ok::<(), sgf_stream::check::FixError>(())
    /// ```
    #[cfg(feature = "charset")]
    #[must_use]
    pub fn charset(mut self, decoding: crate::charset::Decoding) -> Self {
        self.decoding = Some(decoding);
        self
    }

    /// Nothing is said of it.
    #[must_use]
    pub fn allow(self, rule: Rule) -> Self {
        self.set(rule, None)
    }

    /// Its findings are warnings.
    #[must_use]
    pub fn warn(self, rule: Rule) -> Self {
        self.set(rule, Some(Severity::Warning))
    }

    /// Its findings are errors.
    #[must_use]
    pub fn deny(self, rule: Rule) -> Self {
        self.set(rule, Some(Severity::Error))
    }

    fn set(mut self, rule: Rule, severity: Option<Severity>) -> Self {
        self.severities[rule.index()] = severity;
        self
    }

    /// How much its findings matter; `None` if nothing is said of it.
    pub fn severity(&self, rule: Rule) -> Option<Severity> {
        self.severities[rule.index()]
    }
}

impl Default for Rules {
    fn default() -> Self {
        Rules::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_a_name_of_its_own_that_parses_back() {
        for rule in Rule::all() {
            assert_eq!(rule.as_str().parse(), Ok(rule));
            assert!(rule.as_str().bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{rule}");
            assert!(rule.explanation().len() > 20 && rule.explanation().ends_with(['.', ')']), "{rule}");
        }
        assert_eq!(Rule::all().count(), Rule::COUNT);
        assert!("nonsense".parse::<Rule>().is_err());
    }

    #[test]
    fn the_numbers_of_codes_start_with_their_own() {
        for &code in Code::ALL {
            assert_eq!(sgfc(code).first().copied(), code.sgfc(), "{code}");
        }
    }
}
