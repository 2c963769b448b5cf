//! The table of properties. See [`Property`] for the columns.
//!
//! An identifier with several meanings has several rows; the module docs define their precedence. To add a
//! property, add a row to its section; the index of the lookup is built from the table.

use Drawing::*;
use OneOf::*;
use Swap::*;
use ValueType::*;

use super::facts::{Drawing, OneOf, Swap};
use super::{Group, List, Origin, Property, PropertyType, Successor, ValueType, Versions};
use crate::value::game::Game;

/// The property type and the group.
type Kind = (PropertyType, Group);

const ROOT: Kind = (PropertyType::Root, Group::Root);
const INFO: Kind = (PropertyType::GameInfo, Group::GameInfo);
const SETUP: Kind = (PropertyType::Setup, Group::Setup);
const MOVE: Kind = (PropertyType::Move, Group::Move);
const RATE: Kind = (PropertyType::Move, Group::MoveAnnotation);
const TIME: Kind = (PropertyType::Move, Group::Timing);
const NOTE: Kind = (PropertyType::None, Group::NodeAnnotation);
const MARK: Kind = (PropertyType::None, Group::Markup);
const AREA: Kind = (PropertyType::None, Group::Territory);
const SHOW: Kind = (PropertyType::None, Group::Display);
const EVAL: Kind = (PropertyType::None, Group::Analysis);
const ANY: Kind = (PropertyType::None, Group::Other);

#[rustfmt::skip] // aligned columns
pub(super) static TABLE: &[Property] = &[
    // FF[4], all games: red-bean.com/sgf, properties.html and proplist_ff.html. Differences between them: LN and VW
    // exist since FF[4] (changes.html), FF since FF[2], and ON is a SimpleText since 2001.
    //  ident  versions property type and value     meaning
    ff("AB", "1234", SETUP, list(Stone),            "add black stones").pair("AW").one_of(Stones),
    ff("AE", "1234", SETUP, list(Point),            "make points empty").one_of(Stones),
    ff("AN", "--34", INFO,  one(SimpleText),        "who made the annotations"),
    ff("AP", "---4", ROOT,  one(Application),       "the program that wrote the file, and its version"),
    ff("AR", "---4", MARK,  list(PointPair),        "arrow from a point to another").draws(Arrow),
    ff("AW", "1234", SETUP, list(Stone),            "add white stones").pair("AB").one_of(Stones),
    ff("B",  "1234", MOVE,  one(Move),              "black move").pair("W"),
    ff("BL", "1234", TIME,  one(Seconds),           "time left for black").pair("WL"),
    ff("BM", "1234", RATE,  one(Double),            "bad move").one_of(Annotation),
    ff("BR", "1234", INFO,  one(Rank),              "rank of the black player").pair("WR"),
    ff("BT", "--34", INFO,  one(SimpleText),        "name of the black team").pair("WT"),
    ff("C",  "1234", NOTE,  one(Text),              "comment"),
    ff("CA", "---4", ROOT,  one(Charset),           "charset of the texts"),
    ff("CP", "--34", INFO,  one(SimpleText),        "copyright"),
    ff("CR", "--34", MARK,  list(Point),            "mark with a circle").one_of(Marks).draws(Circle),
    ff("DD", "---4", MARK,  elist(Point),           "show points dimmed").inherited().draws(Dim),
    ff("DM", "--34", NOTE,  one(Double),            "the position is even").one_of(Evaluation),
    ff("DO", "--34", RATE,  one(None),              "doubtful move").one_of(Annotation),
    ff("DT", "1234", INFO,  one(Date),              "when the game was played"),
    ff("EV", "1234", INFO,  one(SimpleText),        "event"),
    ff("FF", "-234", ROOT,  one(Number),            "version of the format"),
    ff("FG", "1234", SHOW,  one(Figure),            "a new figure begins, when printed"),
    ff("GB", "1234", NOTE,  one(Double),            "good for black").pair("GW").one_of(Evaluation),
    ff("GC", "1234", INFO,  one(Text),              "comment on the game"),
    ff("GM", "1234", ROOT,  one(Number),            "which game it is"),
    ff("GN", "1234", INFO,  one(SimpleText),        "name of the game"),
    ff("GW", "1234", NOTE,  one(Double),            "good for white").pair("GB").one_of(Evaluation),
    ff("HO", "--34", NOTE,  one(Double),            "hotspot, a node of interest"),
    ff("IT", "--34", RATE,  one(None),              "interesting move").one_of(Annotation),
    ff("KO", "--34", MOVE,  one(None),              "execute the move even if it is illegal"),
    ff("LB", "--34", MARK,  list(PointText),        "label on a point").draws(Label),
    ff("LN", "---4", MARK,  list(PointPair),        "line from a point to another").draws(Line),
    ff("MA", "--34", MARK,  list(Point),            "mark with an X").one_of(Marks).draws(Cross),
    ff("MN", "--34", MOVE,  one(Number),            "set the move number"),
    ff("N",  "1234", NOTE,  one(SimpleText),        "name of the node"),
    ff("OB", "--34", TIME,  one(Number),            "moves, or periods, left for black in overtime").pair("OW"),
    ff("ON", "--34", INFO,  one(SimpleText),        "the opening"),
    ff("OT", "---4", INFO,  one(Overtime),          "how overtime works"),
    ff("OW", "--34", TIME,  one(Number),            "moves, or periods, left for white in overtime").pair("OB"),
    ff("PB", "1234", INFO,  one(SimpleText),        "name of the black player").pair("PW"),
    ff("PC", "1234", INFO,  one(SimpleText),        "where the game was played"),
    ff("PL", "1234", SETUP, one(Color),             "whose turn it is"),
    ff("PM", "---4", SHOW,  one(Number),            "how to print move numbers").inherited(),
    ff("PW", "1234", INFO,  one(SimpleText),        "name of the white player").pair("PB"),
    ff("RE", "1234", INFO,  one(GameResult),        "result"),
    ff("RO", "1234", INFO,  one(Round),             "round"),
    ff("RU", "--34", INFO,  one(Ruleset),           "rules"),
    ff("SL", "1234", MARK,  list(Point),            "points selected").one_of(Marks).draws(Selected),
    ff("SO", "1234", INFO,  one(SimpleText),        "source, such as a book"),
    ff("SQ", "---4", MARK,  list(Point),            "mark with a square").one_of(Marks).draws(Square),
    ff("ST", "---4", ROOT,  one(Number),            "how to show variations"),
    ff("SZ", "1234", ROOT,  one(Size),              "size of the board"),
    ff("TE", "1234", RATE,  one(Double),            "good move, tesuji").one_of(Annotation),
    ff("TM", "1234", INFO,  one(Seconds),           "time limit"),
    ff("TR", "--34", MARK,  list(Point),            "mark with a triangle").one_of(Marks).draws(Triangle),
    ff("UC", "--34", NOTE,  one(Double),            "the position is unclear").one_of(Evaluation),
    ff("US", "1234", INFO,  one(SimpleText),        "who entered the game"),
    ff("V",  "1234", NOTE,  one(Real),              "value of the node, positive for black").swaps(Negated),
    ff("VW", "---4", SHOW,  elist(Point),           "the part of the board to show").inherited().draws(View),
    ff("W",  "1234", MOVE,  one(Move),              "white move").pair("B"),
    ff("WL", "1234", TIME,  one(Seconds),           "time left for white").pair("BL"),
    ff("WR", "1234", INFO,  one(Rank),              "rank of the white player").pair("BR"),
    ff("WT", "--34", INFO,  one(SimpleText),        "name of the white team").pair("BT"),

    // Go: go.html.
    ff("HA", "1234", INFO,  one(Handicap),          "handicap; the stones are placed by AB").of(Game::Go),
    ff("KM", "1234", INFO,  one(Komi),              "komi").of(Game::Go),
    ff("TB", "1234", AREA,  elist(Point),           "black territory").of(Game::Go).pair("TW")
        .one_of(Territory).draws(BlackArea),
    ff("TW", "1234", AREA,  elist(Point),           "white territory").of(Game::Go).pair("TB")
        .one_of(Territory).draws(WhiteArea),

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
    ff("AS", "---4", MARK,  list(StonePoint),       "arrow from a stone to a point").of(Game::Octi),
    ff("BO", "---4", INFO,  list(Point),            "black octi squares").of(Game::Octi).pair("WO"),
    ff("CS", "---4", MARK,  list(Stone),            "circle on a stone").of(Game::Octi),
    ff("MS", "---4", MARK,  list(Stone),            "X on a stone").of(Game::Octi),
    ff("NP", "---4", INFO,  one(Number),            "number of prongs").of(Game::Octi),
    ff("NR", "---4", INFO,  one(Number),            "number of pods in reserve").of(Game::Octi),
    ff("NS", "---4", INFO,  one(Number),            "number of superprongs").of(Game::Octi),
    ff("RP", "---4", SETUP, list(Stone),            "remove pods").of(Game::Octi),
    ff("RU", "---4", INFO,  one(Ruleset),           "full, fast or kids, and variations").of(Game::Octi),
    ff("SS", "---4", MARK,  list(Stone),            "square on a stone").of(Game::Octi),
    ff("TS", "---4", MARK,  list(Stone),            "triangle on a stone").of(Game::Octi),
    ff("WO", "---4", INFO,  list(Point),            "white octi squares").of(Game::Octi).pair("BO"),

    // Twixt: twixt.html of 2021, whose type for HA is unknown.
    ff("HA", "---4", INFO,  one(SimpleText),        "handicap, for a board that is not square").of(Game::Twixt),

    // FF[1] to FF[3] only: proplist_ff.html; their replacements: converting.html. BS and WS: -1 modem, 0 human,
    // 1 computer; in FF[1] 2 computer, 3 modem. CI: Explorer and Fuego.
    ff("BS", "123-", INFO,  one(Number),            "species of the black player").gone().pair("WS"),
    ff("CH", "123-", NOTE,  one(Double),            "check mark").gone(),
    ff("CI", "--3-", ROOT,  one(Number),            "Chinese handicap").gone(),
    ff("EL", "12--", EVAL,  one(Number),            "evaluation of the computer's move").gone(),
    ff("EX", "12--", EVAL,  one(Move),              "move expected next").gone(),
    ff("ID", "--3-", INFO,  one(SimpleText),        "identifier of the game").gone(),
    ff("L",  "12--", MARK,  list(Point),            "points lettered A, B, C in the order of the list")
        .becomes("LB").draws(Letters),
    ff("LT", "--3-", TIME,  one(None),              "losing on time is enforced").gone().anywhere(),
    ff("M",  "12--", MARK,  list(Point),            "mark").becomes("MA").draws(Cross),
    ff("OM", "--3-", TIME,  one(Number),            "moves in a period of overtime").becomes("OT").anywhere(),
    ff("OP", "--3-", TIME,  one(Real),              "length of a period of overtime").becomes("OT").anywhere(),
    ff("OV", "--3-", TIME,  one(Real),              "overhead of the operator per move").gone().anywhere(),
    ff("RG", "123-", MARK,  list(Point),            "region").gone(),
    ff("SC", "123-", AREA,  list(Point),            "secure stones").gone(),
    ff("SE", "--3-", ANY,   list(Point),            "moves tried in a self test").gone(),
    ff("SI", "--3-", NOTE,  one(Double),            "sigma mark").gone(),
    ff("TC", "--3-", ANY,   one(Number),            "territory count").of(Game::Go).gone(),
    ff("WS", "123-", INFO,  one(Number),            "species of the white player").gone().pair("BS"),

    // Othello in FF[1]: ff1.html, which files of other games do not follow. Their meaning is unknown.
    ff("OE", "12--", ANY,   one(Number),            "a number of FF[1]").of(Game::Othello).gone(),
    ff("OS", "12--", ANY,   one(Number),            "a number of FF[1]").of(Game::Othello).gone(),
    ff("PE", "12--", ANY,   one(Number),            "a number of FF[1]").of(Game::Othello).gone(),

    // FF[5] drafts: ff5/new.htm. Brouwer found them in 392 files.
    draft("AX",      ANY,   one(SimpleText),        "a small number"),
    draft("PI",      INFO,  list(TextPair),         "people involved, such as W1:Hasegawa Sunao"),
    draft("UN",      MOVE,  one(Number),            "number of nodes to undo"),

    // Brouwer's own, and aliases he found.
    brouwer("BC",    INFO,  one(SimpleText),        "country of the black player").pair("WC"),
    brouwer("JD",    INFO,  one(SimpleText),        "date in the Japanese era"),
    brouwer("LC",    INFO,  one(Number),            "number of byo-yomi periods"),
    brouwer("LT",    INFO,  one(Seconds),           "length of a byo-yomi period"),
    brouwer("OH",    INFO,  one(SimpleText),        "old handicap, such as B-W-B"),
    brouwer("WC",    INFO,  one(SimpleText),        "country of the white player").pair("BC"),
    brouwer("LKM",   INFO,  one(Komi),              "komi").of(Game::Go).becomes("KM"),
    brouwer("PDT",   INFO,  one(Date),              "when the game was played").becomes("DT"),
    brouwer("PTM",   INFO,  one(Seconds),           "time limit").becomes("TM"),
    // Also "0,0" in nodes, and "Black: 3:59  White: 3:57" in the root.
    brouwer("TL",    TIME,  one(SimpleText),        "time limit").becomes("TM").anywhere(),

    // Others he found, in files of various origins.
    brouwer("BE",    INFO,  one(SimpleText),         "name of the black player in English").pair("WE"),
    brouwer("BP",    INFO,  list(SimpleText),        "black players").pair("WP"),
    brouwer("DG",    SHOW,  one(SimpleText),         "diagram"),
    brouwer("DTX",   INFO,  one(SimpleText),         "more about the date"),
    brouwer("E",     ANY,   elist(Point),            "stones captured by the move before"),
    brouwer("EVX",   INFO,  one(SimpleText),         "more about the event"),
    brouwer("PT",    ANY,   one(SimpleText),         "begins a variation"),
    brouwer("RN",    ANY,   one(SimpleText),         "begins a variation; in files of Fox: unknown"),
    brouwer("TEV",   INFO,  one(SimpleText),         "event"),
    brouwer("TI",    INFO,  one(Number),             "number of the tournament"),
    brouwer("WE",    INFO,  one(SimpleText),         "name of the white player in English").pair("BE"),
    brouwer("WP",    INFO,  list(SimpleText),        "white players").pair("BP"),
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
    by("KGS",               "KGSDE",     AREA, elist(Point),     "stones regarded as dead"),
    by("KGS",               "KGSSB",     ANY,  one(Real),        "black's score").pair("KGSSW"),
    by("KGS",               "KGSSW",     ANY,  one(Real),        "white's score").pair("KGSSB"),
    by("MultiGo",           "MULTIGOBM", NOTE, one(SimpleText),  "bookmark"),
    by("MultiGo",           "MULTIGOGM", ROOT, one(Number),      "which game it is"),
    by("GoGoD",             "KK",        INFO, one(SimpleText),  "key of a problem"),
    by("Dragon Go Server",  "XM",        NOTE, one(SimpleText),  "number of the next move, or: the game ends here"),
    by("goproblems.com",    "CO",        INFO, one(Number),      "a number of the problem"),
    by("goproblems.com",    "DI",        INFO, one(SimpleText),  "difficulty of the problem, such as 7k"),
    by("goproblems.com",    "DP",        INFO, one(Number),      "a number of the problem"),
    by("goproblems.com",    "GE",        INFO, one(SimpleText),  "kind of problem, such as joseki"),
    by("GoWrite",           "WV",        ROOT, one(SimpleText),  "version of GoWrite"),
    by("GoWrite",           "WX",        ROOT, one(SimpleText),  "settings of GoWrite"),
    by("CGoban 1, GoBase",  "SY",        ROOT, one(SimpleText),  "the program that wrote the file"),
    by("Aya",               "T",         TIME, one(SimpleText),  "time used for the move; a time limit elsewhere")
        .anywhere(),
    // The komi of FF[1] programs, in halves; SGFC also supports it.
    by("Smart Game Board",  "KI",        INFO, one(Number),      "twice the komi").of(Game::Go)
        .becomes("KM").swaps(Negated),
    by("GNU Go",            "IL",        ANY,  list(Point),      "where a move is illegal"),
    // Pandanet's own files. The observers are one list.
    by("IGS",               "NB",        INFO, one(Number),      "a number for black").pair("NW"),
    by("IGS",               "NW",        INFO, one(Number),      "a number for white").pair("NB"),
    by("IGS",               "OS",        ANY,  list(SimpleText), "observers"),
    by("IGS",               "RR",        INFO, one(SimpleText),  "how the game is rated, such as Normal"),
    // Fox's own files.
    by("Fox",               "RL",        INFO, one(Number),      "unknown: 0 or 1"),
    by("Fox",               "TC",        INFO, one(Number),      "number of byo-yomi periods").of(Game::Go),
    by("Fox",               "TT",        INFO, one(Seconds),     "length of a byo-yomi period"),
    // SmartGo, Explorer and Fuego. Only their TC, NB and NW are point lists.
    by("SmartGo",           "DE",        EVAL, one(Number),      "depth of the search"),
    by("SmartGo",           "DN",        EVAL, one(Number),      "disproof number"),
    by("SmartGo",           "EG",        ANY,  list(SimpleText), "coupons of environmental Go"),
    by("SmartGo",           "KB",        ANY,  list(Point),      "ko points favorable for black").pair("KW"),
    by("SmartGo",           "KW",        ANY,  list(Point),      "ko points favorable for white").pair("KB"),
    by("SmartGo",           "MD",        EVAL, one(Number),      "greatest depth of the search"),
    by("SmartGo",           "MM",        EVAL, list(SimpleText), "all motives of the move"),
    by("SmartGo",           "MO",        EVAL, one(SimpleText),  "motive of the move"),
    by("SmartGo",           "NL",        EVAL, one(Number),      "leaves of the search"),
    by("SmartGo",           "NN",        EVAL, one(Number),      "nodes of the search"),
    by("SmartGo",           "PD",        EVAL, one(Number),      "top-level moves at the deepest search"),
    by("SmartGo",           "PN",        EVAL, one(Number),      "proof number"),
    by("SmartGo",           "QB",        ANY,  list(Point),      "not black, in a pattern").pair("QW"),
    by("SmartGo",           "QE",        ANY,  list(Point),      "not empty, in a pattern"),
    by("SmartGo",           "QW",        ANY,  list(Point),      "not white, in a pattern").pair("QB"),
    by("SmartGo",           "TK",        ANY,  list(Point),      "ko points that territory depends on"),
    by("SmartGo",           "TP",        ANY,  list(Point),      "one of these blocks can be captured"),
    by("SmartGo",           "TU",        EVAL, one(Real),        "time used to solve a problem"),
    by("SmartGo",           "TY",        AREA, list(Point),      "moyo points"),
    by("SmartGo",           "TZ",        AREA, list(Point),      "unsettled points"),
    // Analysis, from files. SBKV is Black's winning rate in percent.
    by("Sabaki",            "SBKV",      EVAL, one(Real),        "black's winning rate").swaps(Percentage),
    by("KaTrain",           "KT",        EVAL, list(SimpleText), "analysis, compressed"),
    by("KaTrain",           "KTV",       ROOT, one(SimpleText),  "version of the analysis"),
    by("Lizzie",            "LZ",        EVAL, one(Text),        "analysis"),
    by("Lizzie",            "LZ2",       EVAL, one(Text),        "analysis from a second engine"),
    by("Lizzie",            "LZOP",      EVAL, one(Text),        "analysis of the empty board"),
    by("Lizzie",            "LZOP2",     EVAL, one(Text),        "analysis of the empty board from a second engine"),
    by("q5Go",              "QKGV",      EVAL, one(SimpleText),  "analysis: visits, winning rate, score, engine"),
    by("KifuwarabeGo",      "CC",        EVAL, one(Text),        "analysis, in JSON"),
    by("KifuwarabeGo",      "KFA",       EVAL, one(Text),        "analysis, in JSON"),
    by("KifuwarabeGo",      "KFAV",      ROOT, one(SimpleText),  "version of the analysis"),
    // GNU Backgammon's sgf.c. BC, DC, IC and TC judge the cube like BM, DO, IT and TE judge the move. LU would be a
    // Real, but one in four is "-inf".
    by("GNU Backgammon",    "A",         EVAL, list(SimpleText), "analysis of the moves").of(Game::Backgammon),
    by("GNU Backgammon",    "BC",        RATE, one(Double),      "bad cube decision").of(Game::Backgammon).anywhere(),
    by("GNU Backgammon",    "DA",        EVAL, one(SimpleText),  "analysis of the cube").of(Game::Backgammon),
    by("GNU Backgammon",    "DC",        RATE, one(None),        "doubtful cube decision")
        .of(Game::Backgammon).anywhere(),
    by("GNU Backgammon",    "GS",        EVAL, list(TextPair),   "statistics of the game").of(Game::Backgammon),
    by("GNU Backgammon",    "IC",        RATE, one(None),        "interesting cube decision")
        .of(Game::Backgammon).anywhere(),
    by("GNU Backgammon",    "LU",        EVAL, one(SimpleText),  "luck").of(Game::Backgammon),
    by("GNU Backgammon",    "MR",        EVAL, one(SimpleText),  "moves marked for rollout").of(Game::Backgammon),
    by("GNU Backgammon",    "TC",        RATE, one(Double),      "good cube decision").of(Game::Backgammon).anywhere(),
    // Boardspace's files of Hive, in which P0 and P1 contain the moves.
    by("Boardspace",        "CM",        INFO, one(SimpleText),  "colors of the players").of(Game::Hive),
    by("Boardspace",        "P0",        MOVE, one(SimpleText),  "the first player, or an action of that player")
        .anywhere(),
    by("Boardspace",        "P1",        MOVE, one(SimpleText),  "the second player, or an action of that player")
        .anywhere(),
    by("Boardspace",        "SU",        INFO, one(SimpleText),  "variant of the game").of(Game::Hive),
    by("Boardspace",        "TC",        INFO, one(SimpleText),  "time control").of(Game::Hive),
    by("Boardspace",        "VV",        ROOT, one(Number),      "version of the notation"),
];

/// Creates a property of the specification. `versions` has a digit or a dash per version: `"--34"`.
const fn ff(
    ident: &'static str,
    versions: &str,
    kind: Kind,
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
    Property { versions, ..row(origin, ident, kind, (list, value), meaning) }
}

const fn draft(ident: &'static str, kind: Kind, value: (List, ValueType), meaning: &'static str) -> Property {
    row(Origin::Draft, ident, kind, value, meaning)
}

const fn brouwer(ident: &'static str, kind: Kind, value: (List, ValueType), meaning: &'static str) -> Property {
    row(Origin::Brouwer, ident, kind, value, meaning)
}

const fn sgf2(ident: &'static str, kind: Kind, value: (List, ValueType), meaning: &'static str) -> Property {
    row(Origin::Sgf2, ident, kind, value, meaning)
}

const fn by(
    program: &'static str,
    ident: &'static str,
    kind: Kind,
    value: (List, ValueType),
    meaning: &'static str,
) -> Property {
    row(Origin::Private(program), ident, kind, value, meaning)
}

const fn row(
    origin: Origin,
    ident: &'static str,
    kind: Kind,
    (list, value): (List, ValueType),
    meaning: &'static str,
) -> Property {
    Property {
        ident,
        meaning,
        value,
        list,
        property_type: kind.0,
        group: kind.1,
        inherits: false,
        counterpart: Option::None,
        exclusion: Option::None,
        drawing: Option::None,
        swap: Option::None,
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

    /// The property is allowed in any node, which its kind is not.
    const fn anywhere(self) -> Self {
        Property { property_type: PropertyType::None, ..self }
    }

    const fn pair(self, ident: &'static str) -> Self {
        Property { counterpart: Some(ident), ..self }
    }

    const fn one_of(self, set: OneOf) -> Self {
        Property { exclusion: Some(set), ..self }
    }

    const fn draws(self, drawing: Drawing) -> Self {
        Property { drawing: Some(drawing), ..self }
    }

    const fn swaps(self, swap: Swap) -> Self {
        Property { swap: Some(swap), ..self }
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
