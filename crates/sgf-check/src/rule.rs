//! The table of rules: one row for each rule, with everything that users see of it.
//!
//! To add a rule, add a row to `rules!`, the check to the file of its group (see `core.rs`), and a row of cases to
//! `tests/it/check/table.rs`; then run `UPDATE_PAGES=1 cargo test -p sgf-stream-tests --all-features --test it check::page`, which rewrites the page of
//! the rules. The enum, its docs and the output of `sgf check --explain` are generated from the row.

use std::fmt;
use std::str::FromStr;

use sgf_stream::internal::{Level, Row};
use sgf_stream::{Code, Repair, Severity};

/// Writes [`Rule`] and its table, so that a rule cannot lack a row, nor a row a field.
///
/// * doc comment: what breaks the rule
/// * `name`: its name
/// * `level`: the default [`Level`]; rules of style are off
/// * `repair`: the [`Repair`] by [`fix`](super::fix)
/// * `sgfc`: numbers of SGFC's messages
/// * `explanation`: why that is wrong and what to do about it
macro_rules! rules {
    ($(
        $(#[doc = $doc:literal])+
        $rule:ident {
            name: $name:literal, level: $level:ident, repair: $repair:ident, sgfc: [$($sgfc:literal),*],
            explanation: $explanation:literal,
        }
    )+) => {
        /// A rule of SGF that [`Checker`](super::Checker) checks.
        ///
        /// The doc line of each rule ends with the numbers of the corresponding or nearest messages of SGFC, the
        /// reference implementation ([`sgfc`](Rule::sgfc)).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Rule {
            /// A rule of another layer, with its code. Nearly all are syntax errors.
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
    // Property placement.

    /// A root property in a node that is not the root.
    ///
    /// Root properties are `FF`, `GM`, `SZ`, `CA`, `AP`, `ST`, and in Hex `IS`.
    RootPropertyOutsideRoot {
        name: "root-property-outside-root", level: Error, repair: None, sgfc: [32],
        explanation: "Root properties apply to a whole game, so only the first node of a game may have them. Elsewhere \
            programs ignore them or refuse the file. Move the property to the root, or remove it if the root already \
            has that value.",
    }

    /// Setup and move properties in one node.
    SetupAndMove {
        name: "setup-and-move", level: Error, repair: None, sgfc: [30],
        explanation: "A node either contains a move or sets up a position. FF[4] forbids both in one node, because their order \
            would be ambiguous. Put the setup (AB, AW, AE, PL) in a node of its own, before the move.",
    }

    /// Game info in a second node of one path.
    SecondGameInfo {
        name: "second-game-info", level: Error, repair: None, sgfc: [44],
        explanation: "Game info (players, result, date and so on) belongs in one node of each path from the root; a second one \
            would describe another game. Put all of it in the root or, if several games are merged, in the first node \
            that belongs to only one of them.",
    }

    /// A black and a white move in one node.
    TwoMoves {
        name: "two-moves", level: Error, repair: None, sgfc: [37],
        explanation: "A node may contain only one move, because the order of two would be ambiguous. Put each move in its own \
            node.",
    }

    /// `KO` without a move.
    KoWithoutMove {
        name: "ko-without-move", level: Error, repair: None, sgfc: [43],
        explanation: "KO tells programs to play the move of this node even if it is illegal, but the node has no move. Remove \
            KO.",
    }

    /// `BM`, `TE`, `DO` or `IT` without a move.
    AnnotationWithoutMove {
        name: "annotation-without-move", level: Error, repair: None, sgfc: [43],
        explanation: "BM, TE, DO and IT annotate a move, so they belong in the node of that move.",
    }

    /// More than one of `BM`, `TE`, `DO`, `IT`.
    AnnotationConflict {
        name: "annotation-conflict", level: Error, repair: None, sgfc: [42],
        explanation: "Use only one of BM (bad), DO (doubtful), IT (interesting) and TE (good). (In FF[3], TE before BM meant \
            interesting, which is IT now, and BM before TE meant doubtful, which is DO.)",
    }

    /// More than one of `DM`, `UC`, `GB`, `GW`.
    EvaluationConflict {
        name: "evaluation-conflict", level: Error, repair: None, sgfc: [41],
        explanation: "Use only one of DM (even position), UC (unclear), GB (good for Black) and GW (good for White). Keep the \
            intended one.",
    }

    /// A property that occurs twice in a node.
    DuplicateProperty {
        name: "duplicate-property", level: Error, repair: Keeps, sgfc: [28],
        explanation: "A node may contain each property only once. Some programs keep only the first one, others only the \
            second. Lists can be joined (AB[aa]AB[bb] becomes AB[aa][bb]), and so can comments; of two other values, \
            keep one. --fix joins lists and removes a second value with the same meaning as the first.",
    }

    // Which properties exist.

    /// A property that neither the specification nor a known program has.
    UnknownProperty {
        name: "unknown-property", level: Warning, repair: None, sgfc: [35],
        explanation: "No version of SGF has this property, and no known program uses it. Private properties are legal and \
            good programs keep them, but a misspelled standard property (PWN for PW) is lost. Reported once per game \
            and identifier.",
    }

    /// A property of another game.
    PropertyOfAnotherGame {
        name: "property-of-another-game", level: Warning, repair: None, sgfc: [],
        explanation: "The property belongs to a different game than GM declares, so it has no meaning here. Correct GM, or \
            remove the property. Reported once per game and identifier.",
    }

    /// A property that the version of the file lacks.
    PropertyNotInVersion {
        name: "property-not-in-version", level: Warning, repair: None, sgfc: [40],
        explanation: "The version that FF declares does not have this property. Either the property is obsolete (`sgf fmt` \
            converts it), or FF is too low. Reported once per game and identifier.",
    }

    /// A private property with a successor: `KI`, `LKM`, `PDT`.
    SupersededProperty {
        name: "superseded-property", level: Warning, repair: None, sgfc: [59],
        explanation: "This private property has a standard equivalent, which other programs read. `sgf fmt` converts it, \
            unless its value does not fit the standard property or the node already has that property with another \
            value.",
    }

    /// A private property under the identifier of a standard one.
    PrivateClash {
        name: "private-clash", level: Warning, repair: None, sgfc: [],
        explanation: "A private property must not use the identifier of a standard one, because programs that know the \
            standard misread it. The program that wrote the file should use another identifier. Reported once per \
            game and identifier.",
    }

    /// A feature that the version of the file lacks: rectangles, boards that are not square.
    NotInVersion {
        name: "not-in-version", level: Warning, repair: None, sgfc: [51],
        explanation: "The version that FF declares does not have this feature, so a program that relies on FF cannot read it. \
            The feature was introduced in FF[4].",
    }

    /// `[]` as a pass in FF\[1\] to FF\[3\].
    PassNotInVersion {
        name: "pass-not-in-version", level: Warning, repair: None, sgfc: [65],
        explanation: "In FF[1] to FF[3] a pass is written [tt]; the empty value was introduced in FF[4]. Change FF to 4, or \
            write [tt].",
    }

    /// `VW` of FF\[3\] with other than two values.
    ViewCorners {
        name: "view-corners", level: Warning, repair: None, sgfc: [52],
        explanation: "In FF[3], VW has two points, the corners of the visible part of the board; in FF[4] it lists all visible \
            points. Only the author of the file knows which one is meant.",
    }

    // Values.

    /// A value that cannot be parsed as the type of its property, not even leniently.
    BadValue {
        name: "bad-value", level: Error, repair: None, sgfc: [14],
        explanation: "The value does not have the type of its property and its meaning is unclear, so programs drop it. A \
            bracket may be missing before it.",
    }

    /// A malformed value with one obvious meaning.
    SloppyValue {
        name: "sloppy-value", level: Warning, repair: Keeps, sgfc: [15, 25],
        explanation: "The value is not written as FF[4] requires, but its meaning is clear. Strict programs drop it. --fix \
            corrects it if nothing is lost; a value with additional content, such as the number of moves in a result, \
            is left unchanged. A komi in HA becomes KM, and an overtime in TM becomes OT, unless the node already has \
            a different one.",
    }

    /// `AP` without a version.
    MissingProgramVersion {
        name: "missing-program-version", level: Warning, repair: None, sgfc: [23],
        explanation: "AP has two components, the name of a program and its version, as in AP[GoGui:1.4], so that readers can \
            work around the bugs of that version. Only the author of the file knows the version.",
    }

    /// A second `AP`, or a second value of it.
    SecondApplication {
        name: "second-application", level: Warning, repair: Keeps, sgfc: [28, 13],
        explanation: "AP names one program, and most readers see only the first. Games of the server Fox have two: \
            AP[GNU Go:3.8] and AP[foxwq]. --fix removes a second one with the same meaning as the first, and keeps another \
            program, since only it may tell where the game is from. `sgf edit --set AP=foxwq` keeps one.",
    }

    /// A malformed value of `FF`, `GM`, `SZ`, `ST`, `AP` or `CA`.
    BadRootValue {
        name: "bad-root-value", level: Error, repair: None, sgfc: [18],
        explanation: "Root properties determine how the game is parsed. This value is invalid, so the default is assumed.",
    }

    /// A malformed value of a game-info property.
    BadGameInfo {
        name: "bad-game-info", level: Error, repair: None, sgfc: [33],
        explanation: "The value is not in the format of FF[4], so programs cannot sort or filter games with it. People can \
            still read it. Results look like B+3.5, W+Resign or Draw; dates like 1996-12-27; komi and times are numbers.",
    }

    /// A missing colon: `LB[dd]`.
    MissingColon {
        name: "missing-colon", level: Error, repair: None, sgfc: [23],
        explanation: "The value must be two components joined by a colon, as in LB[dd:A] or AR[dd:pp]. The colon is missing.",
    }

    /// An empty value where its type does not allow one.
    EmptyValue {
        name: "empty-value", level: Warning, repair: Keeps, sgfc: [17],
        explanation: "An empty value has no meaning here, and the type of the property does not allow one. --fix removes it.",
    }

    /// A number outside the range of its property.
    NumberOutOfRange {
        name: "number-out-of-range", level: Warning, repair: Keeps, sgfc: [],
        explanation: "The number is outside the range defined for this property: 0 to 3 for ST, 0 to 2 for PM, 1 or more for CV, \
            2 or more for HA, and two dice from 1 to 6 for DI. Some servers write komi in hundredths (KM[375]); --fix converts it \
            to points, unless it is ambiguous under the rules that RU declares.",
    }

    /// A handicap below two.
    HandicapBelowTwo {
        name: "handicap-below-two", level: Style, repair: None, sgfc: [],
        explanation: "HA is the number of stones that Black places before the game, at least two. An even game, or one \
            without komi, has no HA. (HA[0] is common, and every program understands it.)",
    }

    /// A word that the property does not define.
    UnknownWord {
        name: "unknown-word", level: Warning, repair: None, sgfc: [],
        explanation: "The property takes one of a fixed set of words, and this is not one of them.",
    }

    /// The size of a square board in two numbers.
    SquareSize {
        name: "square-size", level: Warning, repair: Keeps, sgfc: [47],
        explanation: "A square board takes one number, SZ[13]; two numbers are for boards that are not square, SZ[13:9]. \
            --fix writes one number.",
    }

    /// A Go board larger than 52x52.
    BoardTooBig {
        name: "board-too-big", level: Error, repair: None, sgfc: [50],
        explanation: "SGF has letters for only 52 columns and rows, so points beyond them cannot be written.",
    }

    /// `FF` names a version that does not exist.
    UnknownVersion {
        name: "unknown-version", level: Error, repair: None, sgfc: [46],
        explanation: "The versions are FF[1] to FF[4]. Programs cannot know how to read a later one; it is read as FF[4] here.",
    }

    /// `GM` names a game that does not exist.
    UnknownGame {
        name: "unknown-game", level: Warning, repair: None, sgfc: [],
        explanation: "No game has this number, so moves and points cannot be checked. Correct GM.",
    }

    /// A point off the board.
    PointOffBoard {
        name: "point-off-board", level: Error, repair: None, sgfc: [14],
        explanation: "The point is not on the board. Either the point or SZ is wrong (without SZ, a Go board is 19x19).",
    }

    /// A NUL byte in a value.
    NulByte {
        name: "nul-byte", level: Warning, repair: None, sgfc: [22],
        explanation: "A NUL byte is not text. It comes from a bug in the program that wrote the file, and many readers end the \
            text there.",
    }

    /// The file starts with a UTF-8 byte-order mark, but `CA` declares another charset.
    CharsetConflict {
        name: "charset-conflict", level: Warning, repair: None, sgfc: [73],
        explanation: "The file starts with a UTF-8 byte-order mark, but CA declares another charset. Correct CA.",
    }

    // Points.

    /// A point, an arrow or a line that occurs twice in a list.
    DuplicatePoint {
        name: "duplicate-point", level: Error, repair: Keeps, sgfc: [38],
        explanation: "All points of a list must be different, and its rectangles must not overlap. --fix removes repeated \
            points.",
    }

    /// A point in two lists that exclude each other.
    ConflictingPoint {
        name: "conflicting-point", level: Error, repair: None, sgfc: [38],
        explanation: "A point may be in only one of AB, AW and AE; in only one of CR, MA, SL, SQ and TR; and in only one of TB \
            and TW. Keep one.",
    }

    /// An arrow or a line from a point to itself.
    OnePointLine {
        name: "one-point-line", level: Error, repair: None, sgfc: [],
        explanation: "The two ends of an arrow or a line must be different points.",
    }

    // Positions of Go.

    /// Setup that changes nothing.
    SetupWithoutEffect {
        name: "setup-without-effect", level: Warning, repair: None, sgfc: [39],
        explanation: "AB, AW or AE sets a point to the state it already has. This is harmless, but often means that the \
            position is not what the author intended.",
    }

    /// A move onto a stone.
    OccupiedPoint {
        name: "occupied-point", level: Warning, repair: None, sgfc: [58],
        explanation: "The point already has a stone. Programs play the move anyway and replace the stone. It may be a typing \
            error, a missing capture, or a move from another variation. If it is intended, add KO.",
    }

    /// A ko that is retaken at once.
    KoRetaken {
        name: "ko-retaken", level: Warning, repair: None, sgfc: [58],
        explanation: "The move captures the stone that has just captured one here, which restores the position before. Nearly \
            all rules of Go forbid this; programs play the move anyway. Often two moves elsewhere are missing, or \
            the order of moves is wrong. If it is intended, add KO.",
    }

    /// `HA` differs from the number of stones in its node.
    HandicapStones {
        name: "handicap-stones", level: Warning, repair: None, sgfc: [61],
        explanation: "HA is only the number of handicap stones; AB in the same node must place them. If the \
            numbers differ, readers get a wrong position.",
    }

    // Style.

    /// A move in the root.
    MoveInRoot {
        name: "move-in-root", level: Style, repair: None, sgfc: [24],
        explanation: "Legal, but bad style: no node shows the empty board. Put the move in a node of its own.",
    }

    /// Setup after the root.
    SetupAfterRoot {
        name: "setup-after-root", level: Style, repair: None, sgfc: [62],
        explanation: "Legal, but in the record of a played game only moves change the position.",
    }

    /// Two moves of one color in a row.
    OutOfTurn {
        name: "out-of-turn", level: Style, repair: None, sgfc: [63],
        explanation: "Legal, but in the record of a played game the players alternate; a pass is also a move.",
    }

    /// A node without properties.
    EmptyNode {
        name: "empty-node", level: Style, repair: None, sgfc: [55],
        explanation: "Legal, but meaningless. Remove the node unless it is a placeholder.",
    }

    /// An empty text.
    EmptyText {
        name: "empty-text", level: Style, repair: Keeps, sgfc: [17],
        explanation: "Legal, but a property with an empty text is meaningless. --fix removes it.",
    }

    /// A lone child tree: `(;a(;b))`.
    LoneVariation {
        name: "lone-variation", level: Style, repair: None, sgfc: [],
        explanation: "Legal, but a single child tree is not a variation: (;a(;b)) is the same game as (;a;b).",
    }

    /// An identifier of more than two letters.
    LongIdentifier {
        name: "long-identifier", level: Style, repair: None, sgfc: [31],
        explanation: "Legal, but some programs read only two letters. Reported once per game and identifier.",
    }

    /// A game without `FF`.
    MissingVersion {
        name: "missing-version", level: Style, repair: None, sgfc: [],
        explanation: "According to the specification, a game without FF is in FF[1], of 1987. Nearly all such games are \
            newer; add FF[4].",
    }

    /// A game whose `FF` differs from that of the first game.
    VersionDiffers {
        name: "version-differs", level: Style, repair: None, sgfc: [45],
        explanation: "Legal, but the games of this file are in different versions of the format.",
    }

    /// A game of another kind than the first.
    GameDiffers {
        name: "game-differs", level: Style, repair: None, sgfc: [53],
        explanation: "Legal, but the file contains different kinds of games (GM), and some programs read only the first kind.",
    }

    /// A game in another charset than the first.
    CharsetDiffers {
        name: "charset-differs", level: Style, repair: None, sgfc: [74, 75],
        explanation: "Legal, but the games of this file are in different charsets, which many programs cannot read.",
    }

    /// A move that removes its own stones.
    Suicide {
        name: "suicide", level: Style, repair: None, sgfc: [58],
        explanation: "The move captures nothing and its own stones have no liberty, so that they are removed. Most rules \
            of Go forbid this; those of New Zealand, Ing, and Tromp and Taylor allow it, and games with such an \
            RU are not reported. Often a capture before it is missing. If it is intended, add KO.",
    }

    /// A kind of game that this crate has no notation for.
    GameNotChecked {
        name: "game-not-checked", level: Style, repair: None, sgfc: [19],
        explanation: "sgf-stream has no notation for this kind of game, so its moves and points were not checked.",
    }

    /// A rank, round or program that is not written as recommended.
    UnusualFormat {
        name: "unusual-format", level: Style, repair: None, sgfc: [],
        explanation: "Legal, but not in the format that FF[4] recommends: ranks look like 5k, 3d or 1d?, rounds like 5 (final).",
    }
}

impl Rule {
    /// Returns every rule: first those of this module, then those of other layers.
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

    /// Returns the name of the rule, such as `two-moves`.
    pub const fn as_str(self) -> &'static str {
        self.row().name
    }

    /// Returns the default severity of its diagnostics.
    ///
    /// An *error* is a contradiction, lost data, or a value that lenient mode cannot parse: two programs will
    /// read it differently, or not at all. A *warning* has one obvious meaning.
    pub const fn severity(self) -> Severity {
        match self.row().level {
            Level::Error => Severity::Error,
            Level::Warning | Level::Style => Severity::Warning,
        }
    }

    /// Returns whether it is a style rule.
    ///
    /// Style rules report legal content, and are disabled by default.
    pub const fn is_style(self) -> bool {
        matches!(self.row().level, Level::Style)
    }

    /// Returns whether [`fix`](super::fix) repairs it, and whether the repair drops content.
    pub const fn repair(self) -> Repair {
        self.row().repair
    }

    /// Returns whether its diagnostics may have a repair that keeps all content.
    pub const fn is_fixable(self) -> bool {
        matches!(self.repair(), Repair::Keeps)
    }

    /// Returns the numbers of the corresponding messages of SGFC, the closest one first.
    pub const fn sgfc(self) -> &'static [u8] {
        self.row().sgfc
    }

    /// Explains why it is wrong and what to do about it.
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
#[error("unknown rule {0:?}")]
pub struct UnknownRuleError(String);

impl FromStr for Rule {
    type Err = UnknownRuleError;

    fn from_str(name: &str) -> Result<Self, UnknownRuleError> {
        Rule::all().find(|rule| rule.as_str() == name).ok_or_else(|| UnknownRuleError(name.to_owned()))
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Rule {
    /// Serializes its name.
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
