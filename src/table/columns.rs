//! The columns of all tables: one list for each table, from which schemas, readers and docs are made.
//!
//! To add a column to `games`: a row in [`GAMES`] with the properties that it is read from, and the reading of its cell in
//! `row.rs`. Everything else follows from the row, but the list in `src/guide/tables.md`, for which a test prints the line.

use std::borrow::Cow;

use super::Table;
use super::property::RootProperty;
use crate::property;
use crate::syntax::event::Ident;

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    name: Cow<'static, str>,
    data: ColumnType,
    reads: Reads,
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
    Word,
    /// A whole number of 32 bits. In Arrow `Int32`.
    Integer,
    /// A whole number of 64 bits: an offset, a length, a number of a game. In Arrow `Int64`.
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
    /// A hash of so many bytes. In Arrow `FixedSizeBinary`.
    Hash(u8),
    /// Raw values. In Arrow `List<Binary>`.
    Raw,
}

impl ColumnType {
    /// The name of the type, in a word or two.
    pub const fn name(self) -> &'static str {
        match self {
            ColumnType::Text => "text",
            ColumnType::Word => "word",
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
pub enum Reads {
    /// The root only. The rest of the game is skipped.
    Root,
    /// The main line. Variations are skipped.
    MainLine,
    /// The whole game.
    Game,
}

/// Where the cells of a column come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Game(GameColumn),
    Move(MoveColumn),
    Property(PropertyColumn),
    /// A property of the root, as the records of the binary print it.
    Root(RootProperty),
    /// The text of a property of the root, if it is not in canonical form.
    Written(RootProperty),
    /// The raw values of a property of the root.
    Raw(String),
}

impl GameColumn {
    /// The properties of the root that it is read from. The second one is that of SGF2, the dialect.
    pub(super) fn properties(self) -> &'static [&'static str] {
        GAMES[self as usize].properties
    }
}

impl Column {
    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The type.
    pub fn column_type(&self) -> ColumnType {
        self.data
    }

    /// The part of a game that has to be read for it.
    pub fn reads(&self) -> Reads {
        self.reads
    }

    /// The [name bits](Ident::name_bit) of the properties of the root that it is read from.
    pub(super) fn name_bits(&self) -> u64 {
        let bit = |name: &str| Ident::new(name.as_bytes()).name_bit();
        match &self.source {
            Source::Game(column) => column.properties().iter().fold(0, |bits, name| bits | bit(name)),
            Source::Root(property) | Source::Written(property) => property.name_bits(),
            Source::Raw(name) => bit(name),
            Source::Move(_) | Source::Property(_) => 0,
        }
    }

    /// Its meaning, in a sentence.
    pub fn meaning(&self) -> &str {
        &self.meaning
    }

    /// The columns of a table that have names of their own, in the order of their list. Columns of properties come in
    /// addition: see [`Table`].
    pub fn all(table: Table) -> Vec<Column> {
        match table {
            Table::Games => GAMES.iter().map(|row| row.column(Source::Game)).collect(),
            Table::Moves => MOVES.iter().map(|row| row.column(Source::Move)).collect(),
            Table::Properties => PROPERTIES.iter().map(|row| row.column(Source::Property)).collect(),
        }
    }

    /// The column of this name.
    pub(super) fn find(table: Table, name: &str) -> Option<Column> {
        match table {
            Table::Games => named(GAMES, name, Source::Game).or_else(|| Column::of_property(name)),
            Table::Moves => named(MOVES, name, Source::Move),
            Table::Properties => named(PROPERTIES, name, Source::Property),
        }
    }

    /// `PB`, `PB_raw`; `DT_text`, `KM_text`.
    fn of_property(name: &str) -> Option<Column> {
        let (ident, suffix) = name.split_once('_').map_or((name, None), |(ident, suffix)| (ident, Some(suffix)));
        let is_ident = !ident.is_empty() && ident.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
        if !is_ident {
            return None;
        }
        let (data, source, what) = match (suffix, ident) {
            (None, _) => {
                (ColumnType::Text, Source::Root(RootProperty::new(ident)), "in canonical form if it can be read")
            }
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
            reads: Reads::Root,
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
    reads: Reads,
    /// The properties of the root that it is read from. The second one is that of SGF2, the dialect.
    properties: &'static [&'static str],
    meaning: &'static str,
}

impl<K: Copy> Row<K> {
    fn column(&self, source: fn(K) -> Source) -> Column {
        Column {
            name: Cow::Borrowed(self.name),
            data: self.data,
            reads: self.reads,
            meaning: Cow::Borrowed(self.meaning),
            source: source(self.kind),
        }
    }
}

/// The column of a list that has this name.
fn named<K: Copy>(list: &[Row<K>], name: &str, source: fn(K) -> Source) -> Option<Column> {
    list.iter().find(|row| row.name == name).map(|row| row.column(source))
}

/// Makes the kinds of the columns of a table, and the list of its columns.
macro_rules! columns {
    ($(#[$doc:meta])* $kinds:ident, $list:ident: $(
        $kind:ident $name:literal $data:ident $(($len:literal))? $reads:ident $([$($property:ident)+])? $meaning:literal;
    )+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum $kinds { $( $kind, )+ }

        const $list: &[Row<$kinds>] = &[ $( Row {
            name: $name,
            kind: $kinds::$kind,
            data: ColumnType::$data $(($len))?,
            reads: Reads::$reads,
            properties: &[ $( $( stringify!($property) ),+ )? ],
            meaning: $meaning,
        }, )+ ];
    };
}

columns! {
    /// The columns of `games`.
    GameColumn, GAMES:
    File "file" Word Root "Name of the file, as it was given.";
    Offset "offset" Offset Root "Byte offset of the game's `(` in the file. With `file` it is the key.";
    Length "length" Offset Root "Length of the game in bytes, from its `(` to after its `)`.";
    Number "game" Offset Root "Number of the game in the file, from 0. Null if the file was not read from its start.";
    GameType "game_type" Word Root "Name of the game that the file is read as: `Go` if GM does not say another, or what `--game-type` says.";
    Version "version" Integer Root "FF: version of the format.";
    Charset "charset" Word Game "Charset of the texts: that of the root's, or if the root is ASCII, of the others. If all are ASCII, the one that CA names, or UTF-8.";
    Application "application" Word Root [AP] "AP: program that wrote the file, and its version.";
    SizeX "size_x" Integer Root "Columns of the board: those of SZ, or the default of the game.";
    SizeY "size_y" Integer Root "Rows of the board: those of SZ, or the default of the game.";
    SizeText "size_text" Text Root [SZ] "SZ as written.";
    Black "black" Text Root [PB] "PB: name of the player of black.";
    BlackRank "black_rank" Text Root [BR] "BR: rank of black, as written.";
    BlackRankN "black_rank_n" Integer Root [BR] "BR as a number: n for n dan (professional or not), 0 for 1 kyu, 1 - n for n kyu.";
    BlackTeam "black_team" Text Root [BT] "BT: name of the team of black.";
    White "white" Text Root [PW] "PW: name of the player of white.";
    WhiteRank "white_rank" Text Root [WR] "WR: rank of white, as written.";
    WhiteRankN "white_rank_n" Integer Root [WR] "WR as a number, like black_rank_n.";
    WhiteTeam "white_team" Text Root [WT] "WT: name of the team of white.";
    Event "event" Word Root [EV TE] "EV: name of the event.";
    Round "round" Text Root [RO] "RO: round of the event.";
    Place "place" Word Root [PC] "PC: where the game was played.";
    GameName "game_name" Text Root [GN] "GN: name of the game.";
    Date "date" Date Root [DT RD] "DT: first day. Of a month or a year without a day, its first.";
    DateTo "date_to" Date Root [DT RD] "DT: last day. Of a month or a year without a day, its last.";
    Dates "dates" Dates Root [DT RD] "DT: all its days in order. Of a month or a year without a day, its first.";
    DatePrecision "date_precision" Word Root [DT RD] "DT: how much of `date` is known: `day`, `month`, `year`, `decade` (`1660s`) or `years` (another span of years: `1832-40`).";
    DateText "date_text" Text Root [DT RD] "DT as written; if DT is missing or empty, RD.";
    Winner "winner" Word Root [RE] "RE: `B` or `W`. Null for a game that nobody won.";
    Result "result" Word Root [RE] "RE: `points`, `resign`, `time`, `forfeit`, `draw`, `void` or `unknown`. Null if it has a winner but not how.";
    Margin "margin" Decimal Root [RE] "RE: points by which the game was won.";
    ResultText "result_text" Text Root [RE] "RE as written.";
    Komi "komi" Decimal Root [KM KO HA HD RU] "KM in points; hundredths as some servers write them (`KM[375]`) are converted if RU leaves one meaning. If KM is missing, the komi in HA.";
    KomiText "komi_text" Text Root [KM KO] "KM as written.";
    Handicap "handicap" Integer Root [HA HD] "HA: number of handicap stones.";
    HandicapText "handicap_text" Text Root [HA HD] "HA as written.";
    Rules "rules" Word Root [RU] "RU: name of the rules, in the spelling of FF[4] if it has one.";
    RulesText "rules_text" Word Root [RU] "RU as written.";
    MainTime "main_time" Real Root [TM] "TM: main time in seconds.";
    MainTimeText "main_time_text" Text Root [TM] "TM as written.";
    Overtime "overtime" Word Root [OT TM] "OT: kind of overtime: `byoyomi`, `canadian`, `fischer`, `simple` or `none`. If OT is missing, the overtime in TM.";
    OvertimeCount "overtime_count" Integer Root [OT TM] "OT: number of periods of byoyomi, or stones in a period of canadian overtime.";
    OvertimeSeconds "overtime_seconds" Real Root [OT TM] "OT: seconds in a period or for a move.";
    OvertimeText "overtime_text" Word Root [OT] "OT as written.";
    Opening "opening" Word Root [ON] "ON: name of the opening.";
    Annotator "annotator" Word Root [AN] "AN: who wrote the comments.";
    Source "source" Word Root [SO] "SO: source of the game, such as a book.";
    User "user" Word Root [US] "US: who entered the game.";
    Copyright "copyright" Word Root [CP] "CP: copyright.";
    MoveCount "move_count" Integer MainLine "Number of moves of the main line: values of B and W, passes and unreadable ones among them.";
    Moves "moves" Moves MainLine "Moves of the main line of a game of Go or Hex: y * size_x + x from the top left corner, 0x7FFF for a pass, and 0x8000 more for white. In Hex, 0x7FFE is swap-sides, 0x7FFD swap-pieces, 0x7FFC resign and 0x7FFB forfeit. Unreadable moves are left out. Null in other games, and on boards with more than 52 columns or rows. In CSV and JSON: as written, in every game.";
    SgfMoves "sgf_moves" Text MainLine "The same moves as text without colors, two letters each (`qddcdp`): a beginning of it is an opening. A pass is `--`, as are the words of Hex.";
    Dyer "dyer" Text MainLine "Dyer signature: points of the moves 20, 40, 60, 31, 51 and 71 of a game of Go; `??` for a move that is not there.";
    Canonical "canonical" Hash(16) MainLine "Hash of the board, the setup and the points of the stones in the main line: equal for copies of a game, as `sgf dups` finds them. Colors and passes do not count, nor how the board is turned or mirrored.";
    FinalPosition "final_position" Hash(8) MainLine "Hash of the last position of the main line of a game of Go or Hex, after captures: equal for positions that are equal when turned or mirrored (in Hex: turned by 180 degrees). Colors count.";
    NodeCount "node_count" Integer Game "Number of nodes, those of variations among them.";
    VariationCount "variation_count" Integer Game "Number of variations beside the first one at each branch.";
    CommentCount "comment_count" Integer Game "Number of nodes with a comment (C), those of variations among them.";
    SetupCount "setup_count" Integer Game "Number of stones that AB and AW set up, those of variations among them.";
    DiagnosticCount "diagnostic_count" Integer Game "Number of faults of the grammar that were repaired.";
    Error "error" Word Game "Code of the first fault by which something of the game was lost, such as `value-too-long`. Null if nothing was.";
}

columns! {
    /// The columns of `moves`.
    MoveColumn, MOVES:
    File "file" Word MainLine "Name of the file, as it was given.";
    Offset "offset" Offset MainLine "Byte offset of the game's `(` in the file. With `file` it is the key of the game.";
    Game "game" Offset MainLine "Number of the game in the file, from 0. Null if the file was not read from its start.";
    Ply "ply" Integer MainLine "Number of the move in the main line, from 1.";
    Color "color" Word MainLine "`B` or `W`.";
    X "x" Integer MainLine "Column from the left, from 0, in a game of Go or Hex. Null for a pass and for an unreadable move.";
    Y "y" Integer MainLine "Row from the top, from 0, in a game of Go or Hex. Null for a pass and for an unreadable move.";
    IsPass "pass" Integer MainLine "1 for a pass, 0 for another move, in a game of Go or Hex. Null for an unreadable move.";
    Point "point" Word MainLine "The move as written.";
    TimeLeft "time_left" Real MainLine "BL or WL of the node: seconds left for the player after the move.";
    Comment "comment" Text MainLine "C of the node; several are joined by blank lines.";
    NodeOffset "node_offset" Offset MainLine "Byte offset of the node's `;` in the file.";
    PositionHash "position_hash" Hash(8) MainLine "Hash of the position after the move in a game of Go: of the size of the board and its stones. Null for an unreadable move.";
    CanonicalPosition "canonical_position" Hash(8) MainLine "Hash of the position after the move in a game of Go: equal for positions that are equal when turned or mirrored, and to final_position of such a game.";
}

columns! {
    /// The columns of `properties`.
    PropertyColumn, PROPERTIES:
    File "file" Word Game "Name of the file, as it was given.";
    Offset "offset" Offset Game "Byte offset of the game's `(` in the file. With `file` it is the key of the game.";
    Game "game" Offset Game "Number of the game in the file, from 0. Null if the file was not read from its start.";
    Node "node" Integer Game "Number of the node in the game, from 0, in the order of the file.";
    Parent "parent" Integer Game "Number of the node before it. Null for the root.";
    Ident "ident" Word Game "The identifier, in upper-case letters.";
    Value "value" Text Game "The values as text, decoded and without escapes. Several are separated by line breaks.";
    Raw "raw" Raw Game "The raw values, as the bytes in the file.";
    PropertyOffset "property_offset" Offset Game "Byte offset of the identifier in the file.";
}
