//! The table of rules: one row for each rule, with everything that users see of it.
//!
//! To add a rule, add a row to `rules!`, the check to the file of its group (see `core.rs`), and a row of cases to
//! `tests/it/check/table.rs`; then run `UPDATE_PAGES=1 cargo test --test it check::page`, which rewrites the page of
//! the rules. The enum, its docs and the output of `sgf check --explain` are generated from the row.

use std::fmt;
use std::str::FromStr;

use crate::syntax::diagnostic::{Code, Repair, Severity};
use crate::syntax::fault::{Level, Row};

/// Writes [`Rule`] and its table, so that a rule cannot lack a row, nor a row a field.
///
/// * doc comment: what the rule finds
/// * `name`: the rule as a word
/// * `level`: the default [`Level`]; rules of style are off
/// * `repair`: the [`Repair`] by [`fix`](super::fix)
/// * `sgfc`: numbers of SGFC's messages
/// * `explanation`: why it is a fault and what to do about it
macro_rules! rules {
    ($(
        $(#[doc = $doc:literal])+
        $rule:ident {
            name: $name:literal, level: $level:ident, repair: $repair:ident, sgfc: [$($sgfc:literal),*],
            explanation: $explanation:literal,
        }
    )+) => {
        /// A fault that [`Checker`](super::Checker) looks for.
        ///
        /// The doc line of each rule ends with the numbers of the messages of SGFC, the reference implementation,
        /// for this fault or the nearest one ([`sgfc`](Rule::sgfc)).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Rule {
            /// A fault that another layer reports, with its code. Nearly all are faults of syntax.
            Syntax(Code),
            $( $(#[doc = $doc])+ #[doc = concat!("\n\n`", $name, "`", $(", SGFC ", $sgfc,)* ".")] $rule, )+
        }

        /// The rules that this module defines.
        const OWN: &[Rule] = &[$(Rule::$rule),+];

        /// The table, in the order of [`OWN`].
        const ROWS: &[Row] = &[$(
            Row {
                name: $name,
                level: Level::$level,
                repair: Repair::$repair,
                sgfc: &[$($sgfc),*],
                explanation: $explanation,
            },
        )+];

        impl Rule {
            /// Returns its index in [`all`](Self::all).
            pub(super) const fn index(self) -> usize {
                enum Own { $($rule),+ }

                match self {
                    Rule::Syntax(code) => OWN.len() + code as usize,
                    $(Rule::$rule => Own::$rule as usize,)+
                }
            }
        }
    };
}

rules! {
    // Where properties stand.

    /// A root property (`FF`, `GM`, `SZ`, `CA`, `AP`, `ST`, in Hex `IS`) in a node that is not the root.
    RootPropertyOutsideRoot {
        name: "root-property-outside-root", level: Error, repair: None, sgfc: [32],
        explanation: "Root properties apply to a whole game, so only the first node of a game may have them. Elsewhere \
            programs ignore them, or refuse the file. Move the property to the root, or remove it if the root says the \
            same.",
    }

    /// Setup and move properties in one node.
    SetupAndMove {
        name: "setup-and-move", level: Error, repair: None, sgfc: [30],
        explanation: "A node either makes a move or sets up a position. FF[4] forbids both in one node, since the order of the \
            two would be unclear. Give the setup (AB, AW, AE, PL) a node of its own, before the move.",
    }

    /// Game-info in a second node of one path.
    SecondGameInfo {
        name: "second-game-info", level: Error, repair: None, sgfc: [44],
        explanation: "Players, result, date and the like belong in one node of each path from the root; a second one \
            would describe another game. Put all of it into the root or, where several games are merged, into the first node \
            that belongs to only one of them.",
    }

    /// A black and a white move in one node.
    TwoMoves {
        name: "two-moves", level: Error, repair: None, sgfc: [37],
        explanation: "A node may have only one move; the order of two is unknown. Give each a node of its own.",
    }

    /// `KO` without a move.
    KoWithoutMove {
        name: "ko-without-move", level: Error, repair: None, sgfc: [43],
        explanation: "KO means that the move of its node is to be executed even if it is illegal, but the node has no \
            move. Remove KO.",
    }

    /// `BM`, `TE`, `DO` or `IT` without a move.
    AnnotationWithoutMove {
        name: "annotation-without-move", level: Error, repair: None, sgfc: [43],
        explanation: "BM, TE, DO and IT judge a move, so they belong in the node of that move.",
    }

    /// More than one of `BM`, `TE`, `DO`, `IT`.
    AnnotationConflict {
        name: "annotation-conflict", level: Error, repair: None, sgfc: [42],
        explanation: "A move is bad, doubtful, interesting or good: one of BM, DO, IT, TE. (In FF[3], TE before BM meant \
            interesting, which is IT now, and BM before TE meant doubtful, which is DO.)",
    }

    /// More than one of `DM`, `UC`, `GB`, `GW`.
    EvaluationConflict {
        name: "evaluation-conflict", level: Error, repair: None, sgfc: [41],
        explanation: "A position is even, unclear, good for Black or good for White: one of DM, UC, GB, GW. Keep the \
            intended one.",
    }

    /// A property twice in a node.
    DuplicateProperty {
        name: "duplicate-property", level: Error, repair: Keeps, sgfc: [28],
        explanation: "A node has each property once. Some programs keep only the first, others only the second. Lists \
            can be joined (AB[aa]AB[bb] is AB[aa][bb]), and so can comments; of two other values, keep one. --fix joins lists \
            and removes a second value that says the same as the first.",
    }

    // Which properties exist.

    /// A property that the registry does not know.
    UnknownProperty {
        name: "unknown-property", level: Warning, repair: None, sgfc: [35],
        explanation: "No version of SGF has this property, and no known program uses it. Private properties are legal, \
            and good programs keep them; a misspelt one (PWN for PW) is lost. Reported once a game for each identifier.",
    }

    /// A property of another game.
    PropertyOfAnotherGame {
        name: "property-of-another-game", level: Warning, repair: None, sgfc: [],
        explanation: "The property belongs to another game than the one that GM names, so it means nothing here. Correct \
            GM, or remove the property. Reported once a game for each identifier.",
    }

    /// A property that the version of the file does not have.
    PropertyNotInVersion {
        name: "property-not-in-version", level: Warning, repair: None, sgfc: [40],
        explanation: "The version that FF names does not have this property. Either an older version did (then `sgf fmt` \
            converts it), or FF names too old a version. Reported once a game for each identifier.",
    }

    /// A private property with a successor: `KI`, `LKM`, `PDT`.
    SupersededProperty {
        name: "superseded-property", level: Warning, repair: None, sgfc: [59],
        explanation: "A private property for which a standard one exists, which other programs read. `sgf fmt` converts \
            it, unless its value does not fit the standard property, or the node also has that, with another value.",
    }

    /// A private property under the identifier of a standard one.
    PrivateClash {
        name: "private-clash", level: Warning, repair: None, sgfc: [],
        explanation: "Private properties must not take the identifier of a standard one, since programs that know the \
            standard misunderstand it. The program that wrote the file should use another identifier. Reported once a game \
            for each identifier.",
    }

    /// A feature that the version of the file does not have: rectangles, boards that are not square.
    NotInVersion {
        name: "not-in-version", level: Warning, repair: None, sgfc: [51],
        explanation: "The version that FF names does not have this feature, so a program that relies on FF cannot read \
            it. FF[4] has it.",
    }

    /// `[]` as a pass in FF\[1\] to FF\[3\].
    PassNotInVersion {
        name: "pass-not-in-version", level: Warning, repair: None, sgfc: [65],
        explanation: "In FF[1] to FF[3] a pass is written [tt]; the empty value is new in FF[4]. Change FF to 4, or \
            write [tt].",
    }

    /// `VW` of FF\[3\] with other than two values.
    ViewCorners {
        name: "view-corners", level: Warning, repair: None, sgfc: [52],
        explanation: "In FF[3], VW has two points, the corners of the visible part; in FF[4] it lists all visible \
            points. Only the program that wrote the file knows which one is meant.",
    }

    // Values.

    /// A value that even lenient reading cannot read as the type of its property.
    BadValue {
        name: "bad-value", level: Error, repair: None, sgfc: [14],
        explanation: "The value does not have the type of its property, and its meaning is unclear, so programs drop it. \
            A bracket may be missing before it.",
    }

    /// A malformed value with one obvious meaning.
    SloppyValue {
        name: "sloppy-value", level: Warning, repair: Keeps, sgfc: [15, 25],
        explanation: "The value is not written as FF[4] requires, but its meaning is clear. Strict programs drop it. \
            --fix writes it properly where nothing is lost: a value that says more, such as the number of moves in a result, \
            stays. A komi in HA becomes KM, and an overtime in TM becomes OT, unless the node has another one.",
    }

    /// `AP` without a version.
    MissingProgramVersion {
        name: "missing-program-version", level: Warning, repair: None, sgfc: [23],
        explanation: "AP has two parts, the name of a program and its version, as in AP[GoGui:1.4], so that readers can \
            work around the bugs of that version. Only the author of the file knows which version it was.",
    }

    /// A malformed value of `FF`, `GM`, `SZ`, `ST`, `AP` or `CA`.
    BadRootValue {
        name: "bad-root-value", level: Error, repair: None, sgfc: [18],
        explanation: "Root properties determine how to read the game. This one cannot be read, so its default is assumed.",
    }

    /// A malformed value of a game-info property.
    BadGameInfo {
        name: "bad-game-info", level: Error, repair: None, sgfc: [33],
        explanation: "The value does not have the form that FF[4] prescribes, so programs cannot sort or search by it. \
            People can still read it. Results look like B+3.5, W+Resign or Draw; dates like 1996-12-27; komi and times are \
            numbers.",
    }

    /// A missing colon: `LB[dd]`.
    MissingColon {
        name: "missing-colon", level: Error, repair: None, sgfc: [23],
        explanation: "The value has two parts with a colon between them, as in LB[dd:A] or AR[dd:pp]. One of them is \
            missing.",
    }

    /// An empty value where the type has none.
    EmptyValue {
        name: "empty-value", level: Warning, repair: Keeps, sgfc: [17],
        explanation: "An empty value has no meaning here, and the type of the property does not allow it. --fix removes it.",
    }

    /// A number out of the range of its property.
    NumberOutOfRange {
        name: "number-out-of-range", level: Warning, repair: Keeps, sgfc: [],
        explanation: "The number has no meaning for this property. --fix writes a komi in hundredths, as some servers have \
            it (KM[375]), in points, unless it has two meanings under the rules that RU names.",
    }

    /// A handicap below two.
    HandicapBelowTwo {
        name: "handicap-below-two", level: Style, repair: None, sgfc: [],
        explanation: "HA is the number of stones that Black places in advance, at least two. An even game, or one \
            without komi, has no HA. (HA[0] is common, and every program understands it.)",
    }

    /// A word that the property does not have.
    UnknownWord {
        name: "unknown-word", level: Warning, repair: None, sgfc: [],
        explanation: "The property takes one of a few words, and this is none of them.",
    }

    /// A square board in two numbers.
    SquareSize {
        name: "square-size", level: Warning, repair: Keeps, sgfc: [47],
        explanation: "A square board has one number, SZ[13]; two numbers are for boards that are not square, SZ[13:9]. \
            --fix writes one.",
    }

    /// A board of Go beyond 52x52.
    BoardTooBig {
        name: "board-too-big", level: Error, repair: None, sgfc: [50],
        explanation: "Go has letters for 52 columns and rows. Points beyond them cannot be written.",
    }

    /// `FF` names a version that does not exist.
    UnknownVersion {
        name: "unknown-version", level: Error, repair: None, sgfc: [46],
        explanation: "The versions are FF[1] to FF[4]. Programs cannot know how to read a later one; this program reads \
            it as FF[4].",
    }

    /// `GM` names a game that does not exist.
    UnknownGame {
        name: "unknown-game", level: Warning, repair: None, sgfc: [],
        explanation: "No game has this number, so moves and points cannot be checked.",
    }

    /// A point off the board.
    PointOffBoard {
        name: "point-off-board", level: Error, repair: None, sgfc: [14],
        explanation: "The point is not on the board. Either the point is wrong, or SZ is (without SZ a board of Go has \
            19x19 points).",
    }

    /// A NUL byte in a value.
    NulByte {
        name: "nul-byte", level: Warning, repair: None, sgfc: [22],
        explanation: "A NUL byte is not text. It comes from a bug in a program, and many readers end the text there.",
    }

    /// The file starts with the byte-order mark of UTF-8, and `CA` names another charset.
    CharsetConflict {
        name: "charset-conflict", level: Warning, repair: None, sgfc: [73],
        explanation: "The file starts with the byte-order mark of UTF-8, which gives its charset, and CA names \
            another. Correct CA.",
    }

    // Points.

    /// A point, an arrow or a line twice in a list.
    DuplicatePoint {
        name: "duplicate-point", level: Error, repair: Keeps, sgfc: [38],
        explanation: "The points of a list must all be different, and its rectangles must not overlap. --fix removes repeated \
            points.",
    }

    /// A point in two lists that exclude each other.
    ConflictingPoint {
        name: "conflicting-point", level: Error, repair: None, sgfc: [38],
        explanation: "A point may be in only one of AB, AW, AE; of CR, MA, SL, SQ, TR; of TB, TW. Keep one.",
    }

    /// An arrow or a line from a point to itself.
    OnePointLine {
        name: "one-point-line", level: Error, repair: None, sgfc: [],
        explanation: "An arrow or a line must have two different ends.",
    }

    // Positions of Go.

    /// Setup that changes nothing.
    SetupWithoutEffect {
        name: "setup-without-effect", level: Warning, repair: None, sgfc: [39],
        explanation: "AB, AW or AE sets a point to what it is already. That does no harm, but the position is often not \
            the one that the author had in mind.",
    }

    /// A move onto a stone.
    OccupiedPoint {
        name: "occupied-point", level: Warning, repair: None, sgfc: [58],
        explanation: "The point already has a stone. Programs play the move all the same and replace that stone. It may \
            be a typing error, a missing capture, or a move from another variation; if it is intended, KO says so.",
    }

    /// `HA` differs from the stones in its node.
    HandicapStones {
        name: "handicap-stones", level: Warning, repair: None, sgfc: [61],
        explanation: "HA only states the number of handicap stones; AB, in the same node, has to place them. If the \
            numbers differ, readers get a wrong position.",
    }

    // Style.

    /// A move in the root.
    MoveInRoot {
        name: "move-in-root", level: Style, repair: None, sgfc: [24],
        explanation: "Legal, but bad style: no node is left for the empty board. Give the move a node of its own.",
    }

    /// Setup after the root.
    SetupAfterRoot {
        name: "setup-after-root", level: Style, repair: None, sgfc: [62],
        explanation: "Legal, but in the record of a game only moves change the position.",
    }

    /// Two moves of one color in a row.
    OutOfTurn {
        name: "out-of-turn", level: Style, repair: None, sgfc: [63],
        explanation: "Legal, but in the record of a game the players take turns; a pass is a move too.",
    }

    /// A node without properties.
    EmptyNode {
        name: "empty-node", level: Style, repair: None, sgfc: [55],
        explanation: "Legal, but it has no meaning. Remove the node, unless it is a placeholder.",
    }

    /// An empty text.
    EmptyText {
        name: "empty-text", level: Style, repair: Keeps, sgfc: [17],
        explanation: "Legal, but a property with an empty text has no meaning. --fix removes it.",
    }

    /// A lone child tree: `(;a(;b))`.
    LoneVariation {
        name: "lone-variation", level: Style, repair: None, sgfc: [],
        explanation: "Legal, but a variation without a second one beside it is no variation: (;a(;b)) is the same game \
            as (;a;b).",
    }

    /// An identifier of more than two letters.
    LongIdentifier {
        name: "long-identifier", level: Style, repair: None, sgfc: [31],
        explanation: "Legal, but some programs read only two letters. Reported once a game for each identifier.",
    }

    /// A game without `FF`.
    MissingVersion {
        name: "missing-version", level: Style, repair: None, sgfc: [],
        explanation: "According to the specification, a game without FF is in FF[1], of 1987. Nearly all such games are \
            newer: add FF[4].",
    }

    /// A game whose `FF` differs from that of the first game.
    VersionDiffers {
        name: "version-differs", level: Style, repair: None, sgfc: [45],
        explanation: "Legal, but the games of this file are in different versions of the format.",
    }

    /// A game of another kind than the first.
    GameDiffers {
        name: "game-differs", level: Style, repair: None, sgfc: [53],
        explanation: "Legal, but the games of this file are of different kinds (GM), and some programs read only the \
            first kind.",
    }

    /// A game in another charset than the first.
    CharsetDiffers {
        name: "charset-differs", level: Style, repair: None, sgfc: [74, 75],
        explanation: "Legal, but the games of this file are in different charsets, which many programs cannot read.",
    }

    /// A game whose moves and points have no notation here.
    GameNotChecked {
        name: "game-not-checked", level: Style, repair: None, sgfc: [19],
        explanation: "This crate has no notation for the game, so its moves and points were not checked.",
    }

    /// A rank, round or program that is not written as recommended.
    UnusualFormat {
        name: "unusual-format", level: Style, repair: None, sgfc: [],
        explanation: "Legal, but not as FF[4] recommends: ranks look like 5k, 3d or 1d?, rounds like 5 (final).",
    }
}

impl Rule {
    /// Returns every rule: those of this module, then the codes of the other layers.
    pub fn all() -> impl Iterator<Item = Rule> {
        OWN.iter().copied().chain(Code::ALL.iter().copied().map(Rule::Syntax))
    }

    /// Number of rules.
    pub(super) const COUNT: usize = OWN.len() + Code::ALL.len();

    const fn row(self) -> &'static Row {
        match self {
            Rule::Syntax(code) => code.row(),
            own => &ROWS[own.index()],
        }
    }

    /// Returns the rule as a word: `two-moves`.
    pub const fn as_str(self) -> &'static str {
        self.row().name
    }

    /// Returns the default severity of its diagnostics.
    ///
    /// An *error* is a contradiction, lost data, or a value that even lenient reading cannot read: two programs will
    /// understand it differently, or not at all. A *warning* is a fault with one obvious meaning.
    pub const fn severity(self) -> Severity {
        match self.row().level {
            Level::Error => Severity::Error,
            Level::Warning | Level::Style => Severity::Warning,
        }
    }

    /// Returns whether it is off by default, since what it reports is legal.
    pub const fn is_style(self) -> bool {
        matches!(self.row().level, Level::Style)
    }

    /// Returns whether its diagnostics have a repair by [`fix`](super::fix), and whether the repair drops content.
    pub const fn repair(self) -> Repair {
        self.row().repair
    }

    /// Returns whether its diagnostics may have a repair that keeps all content.
    pub const fn is_fixable(self) -> bool {
        matches!(self.repair(), Repair::Keeps)
    }

    /// Returns the numbers of the messages that SGFC prints for it.
    pub const fn sgfc(self) -> &'static [u8] {
        self.row().sgfc
    }

    /// Returns a text that says why it is a fault and what to do about it.
    pub const fn explanation(self) -> &'static str {
        self.row().explanation
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
    /// Serializes its word.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_a_unique_name_that_parses_back() {
        for rule in Rule::all() {
            assert_eq!(rule.as_str().parse(), Ok(rule));
            assert!(rule.as_str().bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{rule}");
            assert!(rule.explanation().len() > 20 && rule.explanation().ends_with(['.', ')']), "{rule}");
        }
        assert!(Rule::all().map(Rule::index).eq(0..Rule::COUNT));
        assert!("nonsense".parse::<Rule>().is_err());
    }
}
