//! The table of properties. See [`Property`] for the columns.
//!
//! An identifier with several meanings has several rows; the module docs define their precedence. To add a
//! property, add a row to its group; the index of the lookup is built from the table.

use PropertyType::{GameInfo as INFO, Move as MOVE, None as ANY, Root as ROOT, Setup as SETUP};
use ValueType::*;

use super::{List, Origin, Property, PropertyType, Successor, ValueType, Versions};
use crate::value::game::Game;

#[rustfmt::skip] // aligned columns
pub(super) static TABLE: &[Property] = &[
    // FF[4], all games: red-bean.com/sgf, properties.html and proplist_ff.html. Differences between them: LN and VW
    // exist since FF[4] (changes.html), FF since FF[2], and ON is a SimpleText since 2001.
    //  ident  versions property type and value     meaning
    ff("AB", "1234", SETUP, list(Stone),            "add black stones"),
    ff("AE", "1234", SETUP, list(Point),            "make points empty"),
    ff("AN", "--34", INFO,  one(SimpleText),        "who made the annotations"),
    ff("AP", "---4", ROOT,  one(Application),       "the program that wrote the file, and its version"),
    ff("AR", "---4", ANY,   list(PointPair),        "arrow from a point to another"),
    ff("AW", "1234", SETUP, list(Stone),            "add white stones"),
    ff("B",  "1234", MOVE,  one(Move),              "black move"),
    ff("BL", "1234", MOVE,  one(Seconds),           "time left for black"),
    ff("BM", "1234", MOVE,  one(Double),            "bad move"),
    ff("BR", "1234", INFO,  one(Rank),              "rank of the black player"),
    ff("BT", "--34", INFO,  one(SimpleText),        "name of the black team"),
    ff("C",  "1234", ANY,   one(Text),              "comment"),
    ff("CA", "---4", ROOT,  one(Charset),           "charset of the texts"),
    ff("CP", "--34", INFO,  one(SimpleText),        "copyright"),
    ff("CR", "--34", ANY,   list(Point),            "mark with a circle"),
    ff("DD", "---4", ANY,   elist(Point),           "show points dimmed").inherited(),
    ff("DM", "--34", ANY,   one(Double),            "the position is even"),
    ff("DO", "--34", MOVE,  one(None),              "doubtful move"),
    ff("DT", "1234", INFO,  one(Date),              "when the game was played"),
    ff("EV", "1234", INFO,  one(SimpleText),        "event"),
    ff("FF", "-234", ROOT,  one(Number),            "version of the format"),
    ff("FG", "1234", ANY,   one(Figure),            "a new figure begins, when printed"),
    ff("GB", "1234", ANY,   one(Double),            "good for black"),
    ff("GC", "1234", INFO,  one(Text),              "comment on the game"),
    ff("GM", "1234", ROOT,  one(Number),            "which game it is"),
    ff("GN", "1234", INFO,  one(SimpleText),        "name of the game"),
    ff("GW", "1234", ANY,   one(Double),            "good for white"),
    ff("HO", "--34", ANY,   one(Double),            "hotspot, a node of interest"),
    ff("IT", "--34", MOVE,  one(None),              "interesting move"),
    ff("KO", "--34", MOVE,  one(None),              "execute the move even if it is illegal"),
    ff("LB", "--34", ANY,   list(PointText),        "label on a point"),
    ff("LN", "---4", ANY,   list(PointPair),        "line from a point to another"),
    ff("MA", "--34", ANY,   list(Point),            "mark with an X"),
    ff("MN", "--34", MOVE,  one(Number),            "set the move number"),
    ff("N",  "1234", ANY,   one(SimpleText),        "name of the node"),
    ff("OB", "--34", MOVE,  one(Number),            "moves, or periods, left for black in overtime"),
    ff("ON", "--34", INFO,  one(SimpleText),        "the opening"),
    ff("OT", "---4", INFO,  one(Overtime),          "how overtime works"),
    ff("OW", "--34", MOVE,  one(Number),            "moves, or periods, left for white in overtime"),
    ff("PB", "1234", INFO,  one(SimpleText),        "name of the black player"),
    ff("PC", "1234", INFO,  one(SimpleText),        "where the game was played"),
    ff("PL", "1234", SETUP, one(Color),             "whose turn it is"),
    ff("PM", "---4", ANY,   one(Number),            "how to print move numbers").inherited(),
    ff("PW", "1234", INFO,  one(SimpleText),        "name of the white player"),
    ff("RE", "1234", INFO,  one(GameResult),        "result"),
    ff("RO", "1234", INFO,  one(Round),             "round"),
    ff("RU", "--34", INFO,  one(Ruleset),           "rules"),
    ff("SL", "1234", ANY,   list(Point),            "points selected"),
    ff("SO", "1234", INFO,  one(SimpleText),        "source, such as a book"),
    ff("SQ", "---4", ANY,   list(Point),            "mark with a square"),
    ff("ST", "---4", ROOT,  one(Number),            "how to show variations"),
    ff("SZ", "1234", ROOT,  one(Size),              "size of the board"),
    ff("TE", "1234", MOVE,  one(Double),            "good move, tesuji"),
    ff("TM", "1234", INFO,  one(Seconds),           "time limit"),
    ff("TR", "--34", ANY,   list(Point),            "mark with a triangle"),
    ff("UC", "--34", ANY,   one(Double),            "the position is unclear"),
    ff("US", "1234", INFO,  one(SimpleText),        "who entered the game"),
    ff("V",  "1234", ANY,   one(Real),              "value of the node, positive for black"),
    ff("VW", "---4", ANY,   elist(Point),           "the part of the board to show").inherited(),
    ff("W",  "1234", MOVE,  one(Move),              "white move"),
    ff("WL", "1234", MOVE,  one(Seconds),           "time left for white"),
    ff("WR", "1234", INFO,  one(Rank),              "rank of the white player"),
    ff("WT", "--34", INFO,  one(SimpleText),        "name of the white team"),

    // Go: go.html.
    ff("HA", "1234", INFO,  one(Handicap),          "handicap; the stones are placed by AB").of(Game::Go),
    ff("KM", "1234", INFO,  one(Komi),              "komi").of(Game::Go),
    ff("TB", "1234", ANY,   elist(Point),           "black territory").of(Game::Go),
    ff("TW", "1234", ANY,   elist(Point),           "white territory").of(Game::Go),

    // Backgammon: backgammon.html. Until 2001 CO was CP, which is copyright again.
    ff("CO", "---4", SETUP, one(SimpleText),        "who owns the cube: b, w, c, n").of(Game::Backgammon),
    ff("CV", "---4", SETUP, one(Number),            "value of the cube").of(Game::Backgammon),
    ff("DI", "---4", SETUP, one(Number),            "the dice, such as 31").of(Game::Backgammon),
    ff("MI", "---4", INFO,  list(TextPair),         "the match: length, game, bs, ws").of(Game::Backgammon),
    ff("RE", "---4", INFO,  one(GameResult),        "result, and the points won").of(Game::Backgammon),
    ff("RU", "---4", INFO,  one(Ruleset),           "Crawford, Crawford:CrawfordGame, Jacoby").of(Game::Backgammon),

    // Lines of Action: loa.html.
    ff("AS", "---4", ANY,   one(SimpleText),        "who sets up stones: Black, White, None").of(Game::LinesOfAction),
    ff("IP", "---4", INFO,  one(SimpleText),        "the node to show first: End").of(Game::LinesOfAction),
    ff("IY", "---4", INFO,  one(SimpleText),        "turn the Y axis over: true, false").of(Game::LinesOfAction),
    ff("SE", "---4", ANY,   one(Point),             "show where this stone can go").of(Game::LinesOfAction),
    ff("SU", "---4", INFO,  one(SimpleText),        "the setup: Standard, Parachute and others").of(Game::LinesOfAction),

    // Hex: hex.html. IP should be empty, but is a SimpleText.
    ff("IP", "---4", INFO,  one(SimpleText),        "this is the node to show first").of(Game::Hex),
    ff("IS", "---4", ROOT,  list(TextPair),         "settings of the viewer, such as tried:on").of(Game::Hex),

    // Amazons: amazons.html.
    ff("AA", "---4", SETUP, list(Point),            "add arrows").of(Game::Amazons),

    // Octi: octi.html.
    ff("AS", "---4", ANY,   list(StonePoint),       "arrow from a stone to a point").of(Game::Octi),
    ff("BO", "---4", INFO,  list(Point),            "black octi squares").of(Game::Octi),
    ff("CS", "---4", ANY,   list(Stone),            "circle on a stone").of(Game::Octi),
    ff("MS", "---4", ANY,   list(Stone),            "X on a stone").of(Game::Octi),
    ff("NP", "---4", INFO,  one(Number),            "number of prongs").of(Game::Octi),
    ff("NR", "---4", INFO,  one(Number),            "number of pods in reserve").of(Game::Octi),
    ff("NS", "---4", INFO,  one(Number),            "number of superprongs").of(Game::Octi),
    ff("RP", "---4", SETUP, list(Stone),            "remove pods").of(Game::Octi),
    ff("RU", "---4", INFO,  one(Ruleset),           "full, fast or kids, and variations").of(Game::Octi),
    ff("SS", "---4", ANY,   list(Stone),            "square on a stone").of(Game::Octi),
    ff("TS", "---4", ANY,   list(Stone),            "triangle on a stone").of(Game::Octi),
    ff("WO", "---4", INFO,  list(Point),            "white octi squares").of(Game::Octi),

    // Twixt: twixt.html of 2021, whose type for HA is unknown.
    ff("HA", "---4", INFO,  one(SimpleText),        "handicap, for a board that is not square").of(Game::Twixt),

    // FF[1] to FF[3] only: proplist_ff.html; their replacements: converting.html. BS and WS: -1 modem, 0 human,
    // 1 computer; in FF[1] 2 computer, 3 modem. CI: Explorer and Fuego.
    ff("BS", "123-", INFO,  one(Number),            "species of the black player").gone(),
    ff("CH", "123-", ANY,   one(Double),            "check mark").gone(),
    ff("CI", "--3-", ROOT,  one(Number),            "Chinese handicap").gone(),
    ff("EL", "12--", ANY,   one(Number),            "evaluation of the computer's move").gone(),
    ff("EX", "12--", ANY,   one(Move),              "move expected next").gone(),
    ff("ID", "--3-", INFO,  one(SimpleText),        "identifier of the game").gone(),
    ff("L",  "12--", ANY,   list(Point),            "points lettered A, B, C in the order of the list").becomes("LB"),
    ff("LT", "--3-", ANY,   one(None),              "losing on time is enforced").gone(),
    ff("M",  "12--", ANY,   list(Point),            "mark").becomes("MA"),
    ff("OM", "--3-", ANY,   one(Number),            "moves in a period of overtime").becomes("OT"),
    ff("OP", "--3-", ANY,   one(Real),              "length of a period of overtime").becomes("OT"),
    ff("OV", "--3-", ANY,   one(Real),              "overhead of the operator per move").gone(),
    ff("RG", "123-", ANY,   list(Point),            "region").gone(),
    ff("SC", "123-", ANY,   list(Point),            "secure stones").gone(),
    ff("SE", "--3-", ANY,   list(Point),            "moves tried in a self test").gone(),
    ff("SI", "--3-", ANY,   one(Double),            "sigma mark").gone(),
    ff("TC", "--3-", ANY,   one(Number),            "territory count").of(Game::Go).gone(),
    ff("WS", "123-", INFO,  one(Number),            "species of the white player").gone(),

    // Othello in FF[1]: ff1.html, which files of other games do not follow. Their meaning is unknown.
    ff("OE", "12--", ANY,   one(Number),            "a number of FF[1]").of(Game::Othello).gone(),
    ff("OS", "12--", ANY,   one(Number),            "a number of FF[1]").of(Game::Othello).gone(),
    ff("PE", "12--", ANY,   one(Number),            "a number of FF[1]").of(Game::Othello).gone(),

    // FF[5] drafts: ff5/new.htm. Brouwer found them in 392 files.
    draft("AX",      ANY,   one(SimpleText),        "a small number"),
    draft("PI",      INFO,  list(TextPair),         "people involved, such as W1:Hasegawa Sunao"),
    draft("UN",      MOVE,  one(Number),            "number of nodes to undo"),

    // Brouwer's own, and aliases he found.
    brouwer("BC",    INFO,  one(SimpleText),        "country of the black player"),
    brouwer("JD",    INFO,  one(SimpleText),        "date in the Japanese era"),
    brouwer("LC",    INFO,  one(Number),            "number of byo-yomi periods"),
    brouwer("LT",    INFO,  one(Seconds),           "length of a byo-yomi period"),
    brouwer("OH",    INFO,  one(SimpleText),        "old handicap, such as B-W-B"),
    brouwer("WC",    INFO,  one(SimpleText),        "country of the white player"),
    brouwer("LKM",   INFO,  one(Komi),              "komi").of(Game::Go).becomes("KM"),
    brouwer("PDT",   INFO,  one(Date),              "when the game was played").becomes("DT"),
    brouwer("PTM",   INFO,  one(Seconds),           "time limit").becomes("TM"),
    // Also "0,0" in nodes, and "Black: 3:59  White: 3:57" in the root.
    brouwer("TL",    ANY,   one(SimpleText),        "time limit").becomes("TM"),

    // Others he found, in files of various origins.
    brouwer("BE",    INFO,  one(SimpleText),         "name of the black player in English"),
    brouwer("BP",    INFO,  list(SimpleText),        "black players"),
    brouwer("DG",    ANY,   one(SimpleText),         "diagram"),
    brouwer("DTX",   INFO,  one(SimpleText),         "more about the date"),
    brouwer("E",     ANY,   elist(Point),            "stones captured by the move before"),
    brouwer("EVX",   INFO,  one(SimpleText),         "more about the event"),
    brouwer("PT",    ANY,   one(SimpleText),         "begins a variation"),
    brouwer("RN",    ANY,   one(SimpleText),         "begins a variation; in files of Fox: unknown"),
    brouwer("TEV",   INFO,  one(SimpleText),         "event"),
    brouwer("TI",    INFO,  one(Number),             "number of the tournament"),
    brouwer("WE",    INFO,  one(SimpleText),         "name of the white player in English"),
    brouwer("WP",    INFO,  list(SimpleText),        "white players"),
    brouwer("ZZ",    ANY,   one(SimpleText),         "explains the next property"),

    // SGF2, of the Nihon Ki-in and oro. Its komi are "6.5" or "6目半"; TC is empty in oro's files, and the comment of
    // the last node elsewhere.
    sgf2("GK",       ROOT,  one(Number),            "which game it is").becomes("GM"),
    sgf2("HD",       INFO,  one(Handicap),          "handicap").of(Game::Go).becomes("HA"),
    sgf2("KO",       INFO,  one(SimpleText),        "komi").of(Game::Go).becomes("KM"),
    sgf2("RD",       INFO,  one(Date),              "when the game was played").becomes("DT"),
    sgf2("TC",       INFO,  one(Text),              "comment on the end of the game").of(Game::Go),
    sgf2("TE",       INFO,  one(SimpleText),        "event").becomes("EV"),

    // Private properties, by program. Those without a source are described by Brouwer.
    by("KGS",               "KGSDE",     ANY,  elist(Point),     "stones regarded as dead"),
    by("KGS",               "KGSSB",     ANY,  one(Real),        "black's score"),
    by("KGS",               "KGSSW",     ANY,  one(Real),        "white's score"),
    by("MultiGo",           "MULTIGOBM", ANY,  one(SimpleText),  "bookmark"),
    by("MultiGo",           "MULTIGOGM", ROOT, one(Number),      "which game it is"),
    by("GoGoD",             "KK",        INFO, one(SimpleText),  "key of a problem"),
    by("Dragon Go Server",  "XM",        ANY,  one(SimpleText),  "number of the next move, or: the game ends here"),
    by("goproblems.com",    "CO",        INFO, one(Number),      "a number of the problem"),
    by("goproblems.com",    "DI",        INFO, one(SimpleText),  "difficulty of the problem, such as 7k"),
    by("goproblems.com",    "DP",        INFO, one(Number),      "a number of the problem"),
    by("goproblems.com",    "GE",        INFO, one(SimpleText),  "kind of problem, such as joseki"),
    by("GoWrite",           "WV",        ROOT, one(SimpleText),  "version of GoWrite"),
    by("GoWrite",           "WX",        ROOT, one(SimpleText),  "settings of GoWrite"),
    by("CGoban 1, GoBase",  "SY",        ROOT, one(SimpleText),  "the program that wrote the file"),
    by("Aya",               "T",         ANY,  one(SimpleText),  "time used for the move; a time limit elsewhere"),
    // The komi of FF[1] programs, in halves; SGFC also supports it.
    by("Smart Game Board",  "KI",        INFO, one(Number),      "twice the komi").of(Game::Go).becomes("KM"),
    by("GNU Go",            "IL",        ANY,  list(Point),      "where a move is illegal"),
    // Pandanet's own files. The observers are one list.
    by("IGS",               "NB",        INFO, one(Number),      "a number for black"),
    by("IGS",               "NW",        INFO, one(Number),      "a number for white"),
    by("IGS",               "OS",        ANY,  list(SimpleText), "observers"),
    by("IGS",               "RR",        INFO, one(SimpleText),  "how the game is rated, such as Normal"),
    // Fox's own files.
    by("Fox",               "RL",        INFO, one(Number),      "unknown: 0 or 1"),
    by("Fox",               "TC",        INFO, one(Number),      "number of byo-yomi periods").of(Game::Go),
    by("Fox",               "TT",        INFO, one(Seconds),     "length of a byo-yomi period"),
    // SmartGo, Explorer and Fuego. Only their TC, NB and NW are point lists.
    by("SmartGo",           "DE",        ANY,  one(Number),      "depth of the search"),
    by("SmartGo",           "DN",        ANY,  one(Number),      "disproof number"),
    by("SmartGo",           "EG",        ANY,  list(SimpleText), "coupons of environmental Go"),
    by("SmartGo",           "KB",        ANY,  list(Point),      "ko points favorable for black"),
    by("SmartGo",           "KW",        ANY,  list(Point),      "ko points favorable for white"),
    by("SmartGo",           "MD",        ANY,  one(Number),      "greatest depth of the search"),
    by("SmartGo",           "MM",        ANY,  list(SimpleText), "all motives of the move"),
    by("SmartGo",           "MO",        ANY,  one(SimpleText),  "motive of the move"),
    by("SmartGo",           "NL",        ANY,  one(Number),      "leaves of the search"),
    by("SmartGo",           "NN",        ANY,  one(Number),      "nodes of the search"),
    by("SmartGo",           "PD",        ANY,  one(Number),      "top-level moves at the deepest search"),
    by("SmartGo",           "PN",        ANY,  one(Number),      "proof number"),
    by("SmartGo",           "QB",        ANY,  list(Point),      "not black, in a pattern"),
    by("SmartGo",           "QE",        ANY,  list(Point),      "not empty, in a pattern"),
    by("SmartGo",           "QW",        ANY,  list(Point),      "not white, in a pattern"),
    by("SmartGo",           "TK",        ANY,  list(Point),      "ko points that territory depends on"),
    by("SmartGo",           "TP",        ANY,  list(Point),      "one of these blocks can be captured"),
    by("SmartGo",           "TU",        ANY,  one(Real),        "time used to solve a problem"),
    by("SmartGo",           "TY",        ANY,  list(Point),      "moyo points"),
    by("SmartGo",           "TZ",        ANY,  list(Point),      "unsettled points"),
    // Analysis, from files. SBKV is Black's winning rate in percent.
    by("Sabaki",            "SBKV",      ANY,  one(Real),        "black's winning rate"),
    by("KaTrain",           "KT",        ANY,  list(SimpleText), "analysis, compressed"),
    by("KaTrain",           "KTV",       ROOT, one(SimpleText),  "version of the analysis"),
    by("Lizzie",            "LZ",        ANY,  one(Text),        "analysis"),
    by("Lizzie",            "LZ2",       ANY,  one(Text),        "analysis from a second engine"),
    by("Lizzie",            "LZOP",      ANY,  one(Text),        "analysis of the empty board"),
    by("Lizzie",            "LZOP2",     ANY,  one(Text),        "analysis of the empty board from a second engine"),
    by("q5Go",              "QKGV",      ANY,  one(SimpleText),  "analysis: visits, winning rate, score, engine"),
    by("KifuwarabeGo",      "CC",        ANY,  one(Text),        "analysis, in JSON"),
    by("KifuwarabeGo",      "KFA",       ANY,  one(Text),        "analysis, in JSON"),
    by("KifuwarabeGo",      "KFAV",      ROOT, one(SimpleText),  "version of the analysis"),
    // GNU Backgammon's sgf.c. BC, DC, IC and TC judge the cube like BM, DO, IT and TE judge the move. LU would be a
    // Real, but one in four is "-inf".
    by("GNU Backgammon",    "A",         ANY,  list(SimpleText), "analysis of the moves").of(Game::Backgammon),
    by("GNU Backgammon",    "BC",        ANY,  one(Double),      "bad cube decision").of(Game::Backgammon),
    by("GNU Backgammon",    "DA",        ANY,  one(SimpleText),  "analysis of the cube").of(Game::Backgammon),
    by("GNU Backgammon",    "DC",        ANY,  one(None),        "doubtful cube decision").of(Game::Backgammon),
    by("GNU Backgammon",    "GS",        ANY,  list(TextPair),   "statistics of the game").of(Game::Backgammon),
    by("GNU Backgammon",    "IC",        ANY,  one(None),        "interesting cube decision").of(Game::Backgammon),
    by("GNU Backgammon",    "LU",        ANY,  one(SimpleText),  "luck").of(Game::Backgammon),
    by("GNU Backgammon",    "MR",        ANY,  one(SimpleText),  "moves marked for rollout").of(Game::Backgammon),
    by("GNU Backgammon",    "TC",        ANY,  one(Double),      "good cube decision").of(Game::Backgammon),
    // Boardspace's files of Hive, in which P0 and P1 contain the moves.
    by("Boardspace",        "CM",        INFO, one(SimpleText),  "colors of the players").of(Game::Hive),
    by("Boardspace",        "P0",        ANY,  one(SimpleText),  "the first player, or an action of that player"),
    by("Boardspace",        "P1",        ANY,  one(SimpleText),  "the second player, or an action of that player"),
    by("Boardspace",        "SU",        INFO, one(SimpleText),  "variant of the game").of(Game::Hive),
    by("Boardspace",        "TC",        INFO, one(SimpleText),  "time control").of(Game::Hive),
    by("Boardspace",        "VV",        ROOT, one(Number),      "version of the notation"),
];

/// Creates a property of the specification. `versions` has a digit or a dash per version: `"--34"`.
const fn ff(
    ident: &'static str,
    versions: &str,
    property_type: PropertyType,
    (list, value): (List, ValueType),
    meaning: &'static str,
) -> Property {
    let digits = versions.as_bytes();
    assert!(digits.len() == 4);
    let mut set = 0;
    let mut at = 0;
    while at < 4 {
        match digits[at] {
            b'-' => {}
            digit => {
                assert!(digit == b'1' + at as u8);
                set |= 1 << (at + 1);
            }
        }
        at += 1;
    }
    let versions = Versions(set);
    let origin = if versions.contains(4) { Origin::Ff4 } else { Origin::Older };
    Property { versions, ..row(origin, ident, property_type, (list, value), meaning) }
}

const fn draft(
    ident: &'static str,
    property_type: PropertyType,
    value: (List, ValueType),
    meaning: &'static str,
) -> Property {
    row(Origin::Draft, ident, property_type, value, meaning)
}

const fn brouwer(
    ident: &'static str,
    property_type: PropertyType,
    value: (List, ValueType),
    meaning: &'static str,
) -> Property {
    row(Origin::Brouwer, ident, property_type, value, meaning)
}

const fn sgf2(
    ident: &'static str,
    property_type: PropertyType,
    value: (List, ValueType),
    meaning: &'static str,
) -> Property {
    row(Origin::Sgf2, ident, property_type, value, meaning)
}

const fn by(
    program: &'static str,
    ident: &'static str,
    property_type: PropertyType,
    value: (List, ValueType),
    meaning: &'static str,
) -> Property {
    row(Origin::Private(program), ident, property_type, value, meaning)
}

const fn row(
    origin: Origin,
    ident: &'static str,
    property_type: PropertyType,
    (list, value): (List, ValueType),
    meaning: &'static str,
) -> Property {
    Property {
        ident,
        meaning,
        value,
        list,
        property_type,
        inherits: false,
        versions: Versions(0),
        game: Option::None,
        origin,
        successor: Successor::Itself,
    }
}

const fn one(value: ValueType) -> (List, ValueType) {
    (List::Single, value)
}

const fn list(value: ValueType) -> (List, ValueType) {
    (List::List, value)
}

const fn elist(value: ValueType) -> (List, ValueType) {
    (List::EList, value)
}

impl Property {
    const fn inherited(self) -> Self {
        Property { inherits: true, ..self }
    }

    const fn of(self, game: Game) -> Self {
        Property { game: Some(game), ..self }
    }

    const fn becomes(self, ident: &'static str) -> Self {
        Property { successor: Successor::Other(ident), ..self }
    }

    const fn gone(self) -> Self {
        Property { successor: Successor::None, ..self }
    }
}
