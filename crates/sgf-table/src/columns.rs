//! The columns of all tables: one list per table, which defines schemas, readers and docs.
//!
//! To add a column to `games`: a row in [`GAMES`] with the properties that it is read from, and the reading of its cell in
//! `row.rs`. A column that shows a [`Fact`] is read from the properties that its rules look at. Everything else follows from the row, except the list in `crates/sgf-guide/src/tables.md`: a test prints its line.

use std::borrow::Cow;

use sgf_stream::{Ident, property};

use super::Table;
use super::property::RootProperty;
use crate::facts::Fact;

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    name: Cow<'static, str>,
    data: ColumnType,
    scope: Scope,
    meaning: Cow<'static, str>,
    pub(super) source: Source,
}

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColumnType {
    /// Text. In Arrow `Utf8`.
    Text,
    /// Text with few different values. In Arrow `Dictionary(Int32, Utf8)`.
    Category,
    /// A whole number of 32 bits. In Arrow `Int32`.
    Integer,
    /// A whole number of 64 bits: an offset, a length, a game number. In Arrow `Int64`.
    Offset,
    /// A number with two decimals, below 10,000. In Arrow `Decimal128(6, 2)`.
    Decimal,
    /// A number. In Arrow `Float64`.
    Real,
    /// A day. In Arrow `Date32`.
    Date,
    /// Days. In Arrow `List<Date32>`.
    Dates,
    /// Moves. In Arrow `List<UInt16>`.
    Moves,
    /// A hash with this number of bytes. In Arrow `FixedSizeBinary`.
    Hash(u8),
    /// Raw values. In Arrow `List<Binary>`.
    Raw,
}

impl ColumnType {
    /// Returns the name of the type, in one or two words.
    pub const fn name(self) -> &'static str {
        match self {
            ColumnType::Text => "text",
            ColumnType::Category => "category",
            ColumnType::Integer | ColumnType::Offset => "integer",
            ColumnType::Decimal => "decimal",
            ColumnType::Real => "real",
            ColumnType::Date => "date",
            ColumnType::Dates => "dates",
            ColumnType::Moves => "moves",
            ColumnType::Hash(_) => "hash",
            ColumnType::Raw => "raw values",
        }
    }
}

/// The part of a game that a column needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Scope {
    /// Only the root. The rest of the game is skipped.
    Root,
    /// The main line. Variations are skipped.
    MainLine,
    /// The whole game.
    Game,
}

/// The source of the cells of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Game(GameColumn),
    Move(MoveColumn),
    Property(PropertyColumn),
    /// A root property, as `sgf records` prints it.
    Root(RootProperty),
    /// The text of a root property, if it is not in canonical form.
    Written(RootProperty),
    /// The raw values of a root property.
    Raw(String),
}

impl GameColumn {
    /// Returns the root properties that it is read from. The second one is that of SGF2, the dialect.
    pub(super) fn properties(self) -> &'static [&'static str] {
        GAMES[self as usize].properties
    }

    /// Returns the facts that it shows.
    fn facts(self) -> impl Iterator<Item = Fact> {
        let name = GAMES[self as usize].name;
        Fact::all().filter(move |fact| self == GameColumn::FactRules || fact.columns().contains(&name))
    }
}

impl Column {
    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the type.
    pub fn column_type(&self) -> ColumnType {
        self.data
    }

    /// Returns the part of a game that the column needs.
    pub fn scope(&self) -> Scope {
        self.scope
    }

    /// Returns the [name bits](Ident::name_bit) of the root properties that it is read from.
    pub(super) fn name_bits(&self) -> u64 {
        let bit = |name: &str| Ident::new(name.as_bytes()).name_bit();
        match &self.source {
            Source::Game(column) => {
                let of_facts = column.facts().flat_map(Fact::reads);
                of_facts.chain(column.properties().iter().copied()).fold(0, |bits, name| bits | bit(name))
            }
            Source::Root(property) | Source::Written(property) => property.name_bits(),
            Source::Raw(name) => bit(name),
            Source::Move(_) | Source::Property(_) => 0,
        }
    }

    /// Returns its meaning, as a sentence.
    pub fn meaning(&self) -> &str {
        &self.meaning
    }

    /// Returns the named columns of a table, in order.
    ///
    /// Any root property is available in addition: see [`Table`].
    pub fn all(table: Table) -> Vec<Column> {
        match table {
            Table::Games => GAMES.iter().map(|row| row.column(Source::Game)).collect(),
            Table::Moves => MOVES.iter().map(|row| row.column(Source::Move)).collect(),
            Table::Properties => PROPERTIES.iter().map(|row| row.column(Source::Property)).collect(),
        }
    }

    /// Returns the column with this name.
    pub(super) fn find(table: Table, name: &str) -> Option<Column> {
        match table {
            Table::Games => named(GAMES, name, Source::Game).or_else(|| Column::of_property(name)),
            Table::Moves => named(MOVES, name, Source::Move),
            Table::Properties => named(PROPERTIES, name, Source::Property),
        }
    }

    /// Returns a column of a property: `PB`, `PB_raw`; `DT_text`, `KM_text`.
    fn of_property(name: &str) -> Option<Column> {
        let (ident, suffix) = name.split_once('_').map_or((name, None), |(ident, suffix)| (ident, Some(suffix)));
        let is_ident = !ident.is_empty() && ident.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
        if !is_ident {
            return None;
        }
        let (data, source, what) = match (suffix, ident) {
            (None, _) => (ColumnType::Text, Source::Root(RootProperty::new(ident)), "in canonical form if it is valid"),
            (Some("raw"), _) => (ColumnType::Raw, Source::Raw(ident.to_owned()), "as the raw values in the file"),
            (Some("text"), _) => {
                let written = Source::Written(RootProperty::new(ident).with_form()?);
                (ColumnType::Text, written, "as written, if that is not in the form of FF[4]")
            }
            _ => return None,
        };
        let about = property::find(ident).next().map_or("unknown property", |known| known.meaning());
        Some(Column {
            name: Cow::Owned(name.to_owned()),
            data,
            scope: Scope::Root,
            meaning: Cow::Owned(format!("{ident} of the root ({about}), {what}.")),
            source,
        })
    }
}

/// A row of a list.
struct Row<K> {
    name: &'static str,
    kind: K,
    data: ColumnType,
    scope: Scope,
    /// The root properties that it is read from. The second one is that of SGF2, the dialect.
    properties: &'static [&'static str],
    meaning: &'static str,
}

impl<K: Copy> Row<K> {
    fn column(&self, source: fn(K) -> Source) -> Column {
        Column {
            name: Cow::Borrowed(self.name),
            data: self.data,
            scope: self.scope,
            meaning: Cow::Borrowed(self.meaning),
            source: source(self.kind),
        }
    }
}

/// Returns the column of a list with this name.
fn named<K: Copy>(list: &[Row<K>], name: &str, source: fn(K) -> Source) -> Option<Column> {
    list.iter().find(|row| row.name == name).map(|row| row.column(source))
}

/// Defines the kinds of the columns of a table, and the list of its columns.
macro_rules! columns {
    ($(#[$doc:meta])* $kinds:ident, $list:ident: $(
        $kind:ident $name:literal $data:ident $(($len:literal))? $scope:ident $([$($property:ident)+])? $meaning:literal;
    )+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum $kinds { $( $kind, )+ }

        const $list: &[Row<$kinds>] = &[ $( Row {
            name: $name,
            kind: $kinds::$kind,
            data: ColumnType::$data $(($len))?,
            scope: Scope::$scope,
            properties: &[ $( $( stringify!($property) ),+ )? ],
            meaning: $meaning,
        }, )+ ];
    };
}

columns! {
    /// The columns of `games`.
    GameColumn, GAMES:
    File "file" Category Root "Name of the file, as given.";
    Offset "offset" Offset Root "Byte offset of the game's `(` in the file. With `file` it is the key.";
    Length "length" Offset Root "Length of the game in bytes, from its `(` to after its `)`.";
    Number "game" Offset Root "Number of the game in the file, from 0. Null if the file was not read from its start.";
    GameType "game_type" Category Root "Name of the game, from GM. Without GM: `Go`, or the game of `--game-type`.";
    Version "version" Integer Root "FF: version of the format.";
    Charset "charset" Category Game "Charset of the texts, decided from the root, and from later texts if the root is not enough. If all texts are ASCII: the charset that CA declares, or UTF-8.";
    Application "application" Category Root [AP] "AP: program that wrote the file, and its version.";
    SizeX "size_x" Integer Root "Number of board columns, from SZ, or the default of the game.";
    SizeY "size_y" Integer Root "Number of board rows, from SZ, or the default of the game.";
    SizeText "size_text" Text Root [SZ] "SZ as written.";
    Black "black" Text Root [PB] "PB: name of the black player.";
    BlackRank "black_rank" Text Root [BR] "BR: rank of the black player, as written.";
    BlackRankN "black_rank_n" Integer Root "BR as a number: n for n dan (professional or not), 0 for 1 kyu, 1 - n for n kyu, 9 for the holder of a title.";
    BlackGrade "black_grade" Category Root "Grade of the black player: `kyu`, `dan`, `pro` (also titles) or `insei`. With black_rank_n, it distinguishes 9 dan and 9 dan professional.";
    BlackIsBot "black_is_bot" Integer Root "1 if the black player is a program, 0 if a person.";
    BlackTeam "black_team" Text Root [BT] "BT: name of the black team.";
    White "white" Text Root [PW] "PW: name of the white player.";
    WhiteRank "white_rank" Text Root [WR] "WR: rank of the white player, as written.";
    WhiteRankN "white_rank_n" Integer Root "WR as a number, like black_rank_n.";
    WhiteGrade "white_grade" Category Root "Grade of the white player, like black_grade.";
    WhiteIsBot "white_is_bot" Integer Root "1 if the white player is a program, 0 if a person.";
    WhiteTeam "white_team" Text Root [WT] "WT: name of the white team.";
    Event "event" Category Root [EV TE] "EV: name of the event.";
    Round "round" Text Root [RO] "RO: round of the event.";
    Place "place" Category Root [PC] "PC: place where the game was played.";
    GameName "game_name" Text Root [GN] "GN: name of the game.";
    Date "date" Date Root [DT RD] "DT: first day. For a month or a year without a day, its first day.";
    DateTo "date_to" Date Root [DT RD] "DT: last day. For a month or a year without a day, its last day.";
    Dates "dates" Dates Root [DT RD] "DT: all days in order. For a month or a year without a day, its first day.";
    DatePrecision "date_precision" Category Root [DT RD] "DT: how much of `date` is known: `day`, `month`, `year`, `decade` (`1660s`) or `years` (another span of years: `1832-40`).";
    DateText "date_text" Text Root [DT RD] "DT as written; if DT is missing or empty, RD.";
    Winner "winner" Category Root [RE] "RE: winner, `B` or `W`. Null for a draw or no result.";
    Result "result" Category Root [RE] "RE: `points`, `resign`, `time`, `forfeit`, `draw`, `void` or `unknown`. Null if only the winner is known.";
    Margin "margin" Decimal Root [RE] "RE: winning margin in points.";
    ResultText "result_text" Text Root [RE] "RE as written.";
    Komi "komi" Decimal Root [KM KO HA HD RU] "KM in points; hundredths, which some servers write (`KM[375]`), are converted if they are unambiguous under RU. If KM is missing, the komi in HA.";
    KomiText "komi_text" Text Root [KM KO] "KM as written.";
    KomiPoints "komi_points" Decimal Root "Komi that the game was played with, in points: `komi` corrected by the habits of the origin, such as 0 for 6.5 on Fox.";
    Handicap "handicap" Integer Root [HA HD] "HA: number of handicap stones.";
    HandicapText "handicap_text" Text Root [HA HD] "HA as written.";
    HandicapReal "handicap_real" Integer MainLine "Number of handicap stones that were given: HA, compared with AB and the first moves.";
    Rules "rules" Category Root [RU] "RU: name of the ruleset, in the spelling of FF[4] if it defines one.";
    RulesText "rules_text" Category Root [RU] "RU as written.";
    RulesFamily "rules_family" Category Root "Family of the rules: `japanese`, `chinese`, `korean`, `aga`, `ing`, `new-zealand`, `tromp-taylor`, `old-chinese`, or `area` and `territory` for others. From RU, or the server or event.";
    MainTime "main_time" Real Root "TM: main time in seconds. If TM is missing, that in the EV of Tygem games.";
    MainTimeText "main_time_text" Text Root [TM] "TM as written.";
    Overtime "overtime" Category Root "OT: kind of overtime: `byoyomi`, `canadian`, `fischer`, `simple` or `none`. If OT is missing, the overtime in TM, or that in TC and TT (Fox) or LC and LT (CyberOro).";
    OvertimeCount "overtime_count" Integer Root "The same: number of byoyomi periods, or of stones per Canadian period.";
    OvertimeSeconds "overtime_seconds" Real Root "The same: seconds per period or move.";
    OvertimeText "overtime_text" Category Root [OT] "OT as written.";
    TimeClass "time_class" Category Root "Kind of the time control: `none`, `absolute`, `byoyomi`, `canadian`, `fischer` or `simple`.";
    Opening "opening" Category Root [ON] "ON: name of the opening.";
    Annotator "annotator" Category Root [AN] "AN: author of the comments.";
    Source "source" Category Root [SO] "SO: source of the game, such as a book.";
    Origin "origin" Category Root "Server or collection that the game is from, such as `kgs`, `ogs`, `fox` or `gogod`.";
    Rated "rated" Integer Root "1 if the game counted for a rating, 0 if not.";
    FactRules "fact_rules" Text MainLine "Rules that gave the facts, each with its column: `origin=kgs-place komi_points=komi-as-written`. The facts are `origin`, `rated`, the ranks, grades and bots, `komi_points`, `handicap_real`, `rules_family`, `overtime` and `time_class`.";
    User "user" Category Root [US] "US: person or program that entered the game.";
    Copyright "copyright" Category Root [CP] "CP: copyright.";
    MoveCount "move_count" Integer MainLine "Number of moves in the main line: values of B and W, including passes and unreadable ones.";
    Moves "moves" Moves MainLine "Moves in the main line of a Go or Hex game: y * size_x + x from the top left corner, 0x7FFF for a pass, and 0x8000 more for white. In Hex, 0x7FFE is swap-sides, 0x7FFD swap-pieces, 0x7FFC resign and 0x7FFB forfeit. Unreadable moves are skipped. Null in other games, and on boards with more than 52 columns or rows. In CSV and JSON: as written, in every game.";
    SgfMoves "sgf_moves" Text MainLine "The same moves as text without colors, two letters each (`qddcdp`): a prefix of it is an opening. A pass is `--`, as are the words of Hex.";
    Dyer "dyer" Text MainLine "Dyer signature: points of the moves 20, 40, 60, 31, 51 and 71 of a Go game; `??` where the game has no such move.";
    Canonical "canonical" Hash(16) MainLine "Hash of the board size, the setup and the points of the stones in the main line: equal for copies of a game. Colors, passes, rotations and reflections do not count. Games with equal hashes are probably copies; `sgf dups` compares their moves to be sure.";
    OpeningKey "opening_key" Hash(16) MainLine "Hash like canonical, of the first 30 stones at most: equal for copies of a game, including truncated copies and copies with other late moves. Games with equal hashes may be different. The key for splitting games into training and test data.";
    FinalPosition "final_position" Hash(8) MainLine "Hash of the final position of the main line of a Go or Hex game, after captures: equal for rotated and mirrored positions (in Hex: rotated 180 degrees). Colors count.";
    NodeCount "node_count" Integer Game "Number of nodes, variations included.";
    VariationCount "variation_count" Integer Game "Number of variations, without the first one at each branch.";
    CommentCount "comment_count" Integer Game "Number of nodes with a comment (C), variations included.";
    SetupCount "setup_count" Integer Game "Number of stones that AB and AW set up, variations included.";
    DiagnosticCount "diagnostic_count" Integer Game "Number of syntax errors that were repaired.";
    Error "error" Category Game "Name of the rule of the first syntax error that lost part of the game, such as `unterminated-value`; if the game exceeds a limit, the rule of the limit, such as `value-too-long`. Null if nothing was lost.";
}

columns! {
    /// The columns of `moves`.
    MoveColumn, MOVES:
    File "file" Category MainLine "Name of the file, as given.";
    Offset "offset" Offset MainLine "Byte offset of the game's `(` in the file. With `file` it is the key of the game.";
    Game "game" Offset MainLine "Number of the game in the file, from 0. Null if the file was not read from its start.";
    Ply "ply" Integer MainLine "Number of the move in the main line, from 1.";
    Color "color" Category MainLine "`B` or `W`.";
    X "x" Integer MainLine "Board column from the left, from 0, in a Go or Hex game. Null for a pass and for an unreadable move.";
    Y "y" Integer MainLine "Board row from the top, from 0, in a Go or Hex game. Null for a pass and for an unreadable move.";
    IsPass "pass" Integer MainLine "1 for a pass, 0 for any other move, in a Go or Hex game. Null for an unreadable move.";
    Point "point" Category MainLine "The move as written.";
    TimeLeft "time_left" Real MainLine "BL or WL of the node: seconds left for the player after the move. In the row of the player's first move in the node.";
    Comment "comment" Text MainLine "C of the node, in the row of its first move; several are joined with blank lines.";
    Winrate "winrate" Real MainLine "Probability that Black wins, from 0 to 1, as an engine wrote it into the node. In the row of the node's first move.";
    ScoreLead "score_lead" Real MainLine "Lead of Black in points, negative if White leads, as an engine wrote it into the node. In the row of the node's first move.";
    Visits "visits" Integer MainLine "Visits or playouts of the engine's search. In the row of the node's first move.";
    Analysis "analysis" Category MainLine "Programs whose form these values have: `sabaki`, `lizzie`, `katrain`, `katago`, `analyze-sgf`, `cgos`, or several, joined with `+`.";
    NodeOffset "node_offset" Offset MainLine "Byte offset of the node's `;` in the file.";
    PositionHash "position_hash" Hash(8) MainLine "Hash of the position after the move in a Go game: of the board size and the stones. Null for an unreadable move.";
    CanonicalPosition "canonical_position" Hash(8) MainLine "Hash of the position after the move in a Go game: equal for rotated and mirrored positions. Comparable with final_position.";
}

columns! {
    /// The columns of `properties`.
    PropertyColumn, PROPERTIES:
    File "file" Category Game "Name of the file, as given.";
    Offset "offset" Offset Game "Byte offset of the game's `(` in the file. With `file` it is the key of the game.";
    Game "game" Offset Game "Number of the game in the file, from 0. Null if the file was not read from its start.";
    Node "node" Integer Game "Number of the node in the game, from 0, in file order.";
    Parent "parent" Integer Game "Number of the parent node. Null for the root.";
    Ident "ident" Category Game "The identifier, in upper-case letters.";
    Value "value" Text Game "The values as text, decoded and without escapes. Several are separated by line breaks.";
    Raw "raw" Raw Game "The raw values, as the bytes in the file.";
    PropertyOffset "property_offset" Offset Game "Byte offset of the identifier in the file.";
}
