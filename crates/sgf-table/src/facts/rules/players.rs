//! Ranks and grades of players, and which of them are programs.

use sgf_stream::value::{Color, Grade, Rank};

use super::{KATAGO, OWN_NAME};
use crate::facts::Facts;
use crate::facts::root::contains;
use crate::facts::rule::{Fact, FactRule, Value, fact_rules};
use crate::facts::words::{Origin, PlayerGrade};

const fn rank_name(player: Color) -> &'static str {
    match player {
        Color::Black => "BR",
        Color::White => "WR",
    }
}

const fn player_name(player: Color) -> &'static str {
    match player {
        Color::Black => "PB",
        Color::White => "PW",
    }
}

/// Titles of professionals, in the place of a rank.
const TITLES: &[&str] = &[
    "honinbo",
    "meijin",
    "kisei",
    "judan",
    "oza",
    "tengen",
    "gosei",
    "tianyuan",
    "mingren",
    "kuksu",
    "guksu",
    "myeongin",
    "wangwi",
    "holder",
    "challenger",
    "本因坊",
    "名人",
    "棋聖",
    "棋圣",
    "十段",
    "王座",
    "天元",
    "碁聖",
    "小棋圣",
    "국수",
    "명인",
    "왕위",
    "천원",
    "기성",
];

/// Words for titles of women, whose holders are professionals of any dan.
const OF_WOMEN: [&str; 3] = ["women's", "women", "female"];

/// A title instead of a rank.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Title {
    Open,
    OfWomen,
}

/// Returns the title of a player: `Honinbo`, `24th Honinbo`, `Kisei, Honinbo`, `Women's Kisei`.
fn title(facts: &Facts<'_>, player: Color) -> Option<Title> {
    let text = facts.texts().text(rank_name(player))?;
    let is = |words: &[&str], word: &str| words.iter().any(|known| known.eq_ignore_ascii_case(word));
    let is_ordinal = |word: &str| {
        let number = ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end));
        number.is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
    };
    let (mut has_title, mut kind) = (false, Title::Open);
    for word in text.split([' ', ',', '/', '、']).filter(|word| !word.is_empty()) {
        match () {
            () if is(TITLES, word) => has_title = true,
            () if is(&OF_WOMEN, word) => kind = Title::OfWomen,
            () if is_ordinal(word) => {}
            () => return None,
        }
    }
    has_title.then_some(kind)
}

/// Returns the number of an amateur dan in the form of GoGoD: `5a`.
fn amateur(facts: &Facts<'_>, player: Color) -> Option<i64> {
    let text = facts.texts().text(rank_name(player))?;
    let number: i64 = text.trim().strip_suffix(['a', 'A'])?.parse().ok()?;
    (1..=9).contains(&number).then_some(number)
}

fn rank(facts: &Facts<'_>, player: Color) -> Option<Rank> {
    facts.texts().rank(rank_name(player))
}

fact_rules! {
    /// The rules of ranks as numbers.
    RANK: Rank;
    "rank" ["BR" "WR"], "BR and WR are kyu, dan or professional dan, in Latin letters, Chinese, Japanese or Korean.", "FF[4], and files of servers",
        "(;BR[P9段])" => "9",
        |facts, player| {
            let Rank { number, grade, .. } = rank(facts, player)?;
            let number = i64::from(number);
            Some(Value::Number(if grade == Grade::Kyu { 1 - number } else { number }))
        };
    "amateur-dan" ["BR" "WR"], "A rank such as `5a` is an amateur dan.", "GoGoD; KataGo, `writetrainingdata.cpp`",
        "(;BR[5a])" => "5",
        |facts, player| amateur(facts, player).map(Value::Number);
    "title" ["BR" "WR"] { TITLES }, "BR or WR is the title of a professional, such as Honinbo or 24th Honinbo: 9. Titles of women have no number.", KATAGO,
        "(;BR[Honinbo])" => "9",
        |facts, player| (title(facts, player)? == Title::Open).then_some(Value::Number(9));
}

fact_rules! {
    /// The rules of grades.
    GRADE: Grade;
    "insei" ["BR" "WR"], "BR or WR is `insei`, 院生, 원생 or 연구생: a student of an institute, of unknown rank.", KATAGO,
        "(;BR[insei])" => "insei",
        |facts, player| {
            let text = facts.texts().text(rank_name(player))?;
            let is_insei = ["insei", "院生", "원생", "연구생"].iter().any(|word| text.trim().eq_ignore_ascii_case(word));
            is_insei.then_some(Value::Grade(PlayerGrade::Insei))
        };
    "title-grade" ["BR" "WR"], "BR or WR is the title of a professional.", KATAGO,
        "(;BR[Meijin])" => "pro",
        |facts, player| title(facts, player).map(|_| Value::Grade(PlayerGrade::Pro));
    "amateur-dan-grade" ["BR" "WR"], "A rank such as `5a` is an amateur dan.", "GoGoD; KataGo, `writetrainingdata.cpp`",
        "(;BR[5a]US[GoGoD95])" => "dan",
        |facts, player| amateur(facts, player).map(|_| Value::Grade(PlayerGrade::Dan));
    "gogod-dan" ["BR" "WR"] + Origin, "In GoGoD, a dan is professional unless it says `ama`.", KATAGO,
        "(;BR[9d]US[GoGoD95])" => "pro",
        |facts, player| {
            let is_pro = rank(facts, player)?.grade == Grade::Dan
                && !facts.texts().says(&[rank_name(player)], &["ama"])
                && facts.is_from(&[Origin::GoGod]);
            is_pro.then_some(Value::Grade(PlayerGrade::Pro))
        };
    "rank-grade" ["BR" "WR"], "BR and WR say kyu, dan or professional. A `9d` of a server is a dan.", "FF[4], and files of servers",
        "(;BR[9p])" => "pro",
        |facts, player| {
            Some(Value::Grade(match rank(facts, player)?.grade {
                Grade::Kyu => PlayerGrade::Kyu,
                Grade::Dan => PlayerGrade::Dan,
                Grade::Pro => PlayerGrade::Pro,
                _ => return None,
            }))
        };
}

/// Names of programs that occur as a part of names of players. No person is likely to have one.
const PROGRAMS: &[&str] = &[
    "gnugo",
    "gnu go",
    "gnu-go",
    "fuego",
    "katago",
    "kata-bot",
    "kata1-",
    "kata9x9-",
    "crazystone",
    "crazy stone",
    "leela",
    "pachi",
    "manyfaces",
    "many faces",
    "amybot",
    "randombot",
    "random_bot",
    "random bot",
    "weakbot",
    "weak_bot",
    "weak bot",
    "alphago",
    "alpha go",
    "deepzen",
    "elf opengo",
    "elfopengo",
    "phoenixgo",
    "minigo",
    "golaxy",
    "星阵",
    "绝艺",
    "絶芸",
    "mogo-",
    "mogobot",
    "montegnu",
    "nomitan",
    "gtp_bot",
    ".bin.gz",
    ".txt.gz",
    "stonegrid",
    "sayuri",
    "kifuwarabe",
];

/// Names of programs that are whole names of players, without their versions.
const WHOLE: &[&str] = &[
    "zen",
    "aya",
    "erica",
    "steenvreter",
    "mogo",
    "gomorra",
    "caren",
    "katsunari",
    "oakfoam",
    "orego",
    "valkyria",
    "goanna",
    "dolbaram",
    "raynz",
    "rayn",
    "cgi",
    "hirabot",
    "explorer",
    "goliath",
    "handtalk",
    "go++",
    "indigo",
    "smartgo",
    "jimmy",
    "gointellect",
    "gogui",
];

/// Names of programs that names on KGS begin with.
const ON_KGS: &[&str] = &[
    "ayabot",
    "ayamc",
    "dcnn",
    "jbxkata",
    "hirabot",
    "swissbot",
    "golois",
    "hiramc",
    "petgo",
    "easybot",
    "zen19",
    "darkfmcts",
    "valkyria",
    "mogobot",
    "orego",
    "neuralz",
    "rankbot",
    "sai0bot",
    "postneo",
    "ericabot",
    "bonobot",
    "czechbot",
    "nexus5k",
    "nexus10k",
    "mfgo",
];

/// Words in EV for tournaments of programs.
const EVENTS: &[&str] = &["computer olympiad", "uec cup", "computer go uec", "computer go tournament", "computer-go"];

/// Returns that a player is a program if the name passes a test.
fn with_name(facts: &Facts<'_>, player: Color, test: impl FnOnce(&str) -> bool) -> Option<Value> {
    let name = facts.texts().text(player_name(player))?;
    test(name.trim()).then_some(Value::Is(true))
}

fn starts_with(name: &str, start: &str) -> bool {
    name.get(..start.len()).is_some_and(|front| front.eq_ignore_ascii_case(start))
}

fn ends_with(name: &str, end: &str) -> bool {
    name.len().checked_sub(end.len()).and_then(|at| name.get(at..)).is_some_and(|back| back.eq_ignore_ascii_case(end))
}

fact_rules! {
    /// The rules of programs as players.
    BOT: Bot;
    "program-name" ["PB" "PW"] { PROGRAMS }, "The name contains that of a known program, such as `katago`, `gnugo`, `leela` or `alphago`.", "KataGo, `writetrainingdata.cpp`, and files of programs",
        "(;PB[GnuGo (GNU Go 3.1.31)])" => "1",
        |facts, player| with_name(facts, player, |name| PROGRAMS.iter().any(|program| contains(name, program)));
    "bot-name-kgs" ["PB" "PW"] + Origin { ON_KGS }, "On KGS: the name begins with that of a known bot, such as `petgo` or `zen19`.", KATAGO,
        "(;PC[The KGS Go Server at http://www.gokgs.com/]PB[Zen19X])" => "1",
        |facts, player| {
            let is_bot = |name: &str| ON_KGS.iter().any(|bot| starts_with(name, bot));
            with_name(facts, player, |name| is_bot(name) && facts.is_from(&[Origin::Kgs]))
        };
    "bot-name-ogs" ["PB" "PW"] + Origin, "On OGS: the name contains `_bot_`, or ends with `_bot` or `-bot`.", KATAGO,
        "(;PC[OGS: https://online-go.com/game/1]PB[noob_bot_1])" => "1",
        |facts, player| {
            let is_bot = |name: &str| contains(name, "_bot_") || ends_with(name, "_bot") || ends_with(name, "-bot");
            with_name(facts, player, |name| is_bot(name) && facts.is_from(&[Origin::Ogs]))
        };
    "bot-name-little-golem" ["PB" "PW"] + Origin, "On Little Golem: the name ends with ` bot`.", "files of the server",
        "(;SO[http://www.littlegolem.com]PB[Valkyria9 bot])" => "1",
        |facts, player| with_name(facts, player, |name| ends_with(name, " bot") && facts.is_from(&[Origin::LittleGolem]));
    "programs-only" [] + Origin, "On CGOS, and in matches of `twogtp`, only programs play. Minigo plays against itself.", "the purpose of the server, and of the programs",
        "(;PC[(CGOS) 9x9 Computer Go Server]PB[x])" => "1",
        |facts, _| facts.is_from(&[Origin::Cgos, Origin::TwoGtp, Origin::Minigo]).then_some(Value::Is(true));
    "self-play" ["PB" "PW"] + Origin, "In a game that KataGo wrote, both players have the same name, or one is the victim of adversarial training.", "files of KataGo and its forks",
        "(;RU[koSIMPLEscoreAREAtaxNONEsui0]PB[random]PW[random])" => "1",
        |facts, _| {
            if !facts.is_from(&[Origin::KataGo]) { return None }
            let (black, white) = (facts.texts().text("PB")?, facts.texts().text("PW")?);
            let is_training = black == white || contains(&black, "victim") || contains(&white, "victim");
            (!black.is_empty() && is_training).then_some(Value::Is(true))
        };
    "computer-event" ["EV"] { EVENTS }, "EV is a tournament of programs, such as the UEC Cup or the Computer Olympiad.", OWN_NAME,
        "(;EV[13th Computer Olympiad]PB[x])" => "1",
        |facts, _| {
            facts.texts().says(&["EV"], EVENTS).then_some(Value::Is(true))
        };
    "program-name-alone" ["PB" "PW"] + Origin { WHOLE }, "The name is that of a known program, such as `Zen`, with or without a version. Not on servers where people choose such names.", "files of programs",
        "(;PB[MoGo 3.0])" => "1",
        |facts, player| with_name(facts, player, |name| {
            let program = name.trim_end_matches(|c: char| c.is_ascii_digit() || ". -_v".contains(c));
            let servers = [Origin::Kgs, Origin::Ogs, Origin::Fox, Origin::Tygem, Origin::Hangame, Origin::Dgs];
            WHOLE.iter().any(|whole| whole.eq_ignore_ascii_case(program)) && !facts.is_from(&servers)
        });
    "player-kind" ["PB" "PW"], "The name is `Human`, or begins with `Human (` or `AI (`, as KaTrain and Leela Zero name players.", "files of the programs",
        "(;PB[AI (Policy)]PW[Human (Normal Game)])" => "1",
        |facts, player| {
            let name = facts.texts().text(player_name(player))?;
            let name = name.trim();
            match () {
                () if name.starts_with("AI (") => Some(Value::Is(true)),
                () if name == "Human" || name.starts_with("Human (") => Some(Value::Is(false)),
                () => None,
            }
        };
    "professional" ["BR" "WR"] + Grade, "A professional, or a student of an institute, is a person.", "the meaning of the rank",
        "(;PB[Lee Sedol]BR[9p])" => "0",
        |facts, player| {
            let grade = facts.grade(player)?.value;
            matches!(grade, PlayerGrade::Pro | PlayerGrade::Insei).then_some(Value::Is(false))
        };
    "before-programs" ["DT" "RD"], "The game was played before 1968, when no program played Go.", "history: Zobrist's program of 1968",
        "(;PB[Shusaku]DT[1846-09-11])" => "0",
        |facts, _| (facts.texts().year()? < 1968).then_some(Value::Is(false));
}
