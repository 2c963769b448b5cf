//! Where a game is from, and whether it was rated there.

use super::{KATAGO, OWN_NAME, WRITES};
use crate::facts::Facts;
use crate::facts::rule::{Fact, FactRule, Value, fact_rules};
use crate::facts::words::Origin;

/// Returns an origin if a property contains one of some words.
fn named(facts: &Facts<'_>, names: &[&str], words: &[&str], origin: Origin) -> Option<Value> {
    facts.texts().says(names, words).then_some(Value::Origin(origin))
}

/// Returns whether a property contains a whole word.
fn says_word(facts: &Facts<'_>, name: &str, word: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric();
    facts.texts().text(name).is_some_and(|text| text.split(|c| !is_letter(c)).any(|part| part == word))
}

/// Returns whether a property is a whole number.
fn is_count(facts: &Facts<'_>, name: &str) -> bool {
    let text = facts.texts().text(name);
    text.is_some_and(|text| !text.is_empty() && text.len() < 7 && text.bytes().all(|b| b.is_ascii_digit()))
}

/// The time control in EV of a Tygem game.
pub(super) struct TygemTime {
    pub(super) minutes: u32,
    pub(super) periods: u32,
    pub(super) seconds: u32,
}

/// Reads EV in the data set of Tygem games: `0,1,220,30/3 5m` is byo-yomi with 3 periods of 30 seconds after 5 minutes.
pub(super) fn tygem_event(facts: &Facts<'_>) -> Option<TygemTime> {
    let event = facts.texts().text("EV")?;
    let number = |text: &str| text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse::<u32>().ok()).flatten();
    let mut parts = event.trim().split(',');
    for _ in 0..3 {
        number(parts.next()?)?;
    }
    let (periods, main) = parts.next()?.split_once(' ')?;
    let (seconds, periods) = periods.split_once('/')?;
    let is_last = parts.next().is_none();
    let time =
        TygemTime { minutes: number(main.strip_suffix('m')?)?, periods: number(periods)?, seconds: number(seconds)? };
    (is_last && time.periods > 0 && time.seconds > 0).then_some(time)
}

fact_rules! {
    /// The rules of the origin. Editors such as Sabaki and CGoban are applications, not origins.
    ORIGIN: Origin;
    "kgs-place" ["PC"], "PC names KGS or one of its addresses.", WRITES,
        "(;PC[The KGS Go Server at http://www.gokgs.com/])" => "kgs",
        |facts, _| {
            let is_named = says_word(facts, "PC", "KGS");
            if is_named { Some(Value::Origin(Origin::Kgs)) } else { named(facts, &["PC"], &["gokgs.com", "kiseido go server"], Origin::Kgs) }
        };
    "ogs-place" ["PC" "CP"], "PC or CP names online-go.com, or PC begins with `OGS`.", WRITES,
        "(;PC[OGS: https://online-go.com/game/1])" => "ogs",
        |facts, _| {
            let is_named = facts.texts().text("PC").is_some_and(|place| place.starts_with("OGS"));
            if is_named { Some(Value::Origin(Origin::Ogs)) } else { named(facts, &["PC", "CP"], &["online-go.com"], Origin::Ogs) }
        };
    "igs-place" ["PC" "US" "CP" "EV"], "PC names IGS, US or CP names Pandanet, or EV says `Internet Go Server`.", WRITES,
        "(;EV[Internet Go Server game: a vs b])" => "igs",
        |facts, _| {
            if says_word(facts, "PC", "IGS") { return Some(Value::Origin(Origin::Igs)) }
            named(facts, &["PC", "US", "CP"], &["pandanet"], Origin::Igs)
                .or_else(|| named(facts, &["EV"], &["internet go server"], Origin::Igs))
        };
    "nngs-place" ["PC"], "PC names NNGS.", WRITES,
        "(;PC[NNGS])" => "nngs",
        |facts, _| says_word(facts, "PC", "NNGS").then_some(Value::Origin(Origin::Nngs));
    "cgos-place" ["PC"], "PC names CGOS.", WRITES,
        "(;PC[(CGOS) 9x9 Computer Go Server])" => "cgos",
        |facts, _| says_word(facts, "PC", "CGOS").then_some(Value::Origin(Origin::Cgos));
    "dgs-place" ["PC" "AP" "SO"], "PC, AP or SO names the Dragon Go Server.", OWN_NAME,
        "(;PC[Dragon Go Server: http://www.dragongoserver.net/])" => "dgs",
        |facts, _| named(facts, &["PC", "AP", "SO"], &["dragon go server", "dragongoserver"], Origin::Dgs);
    "fox-place" ["AP" "PC" "SO" "US"], "AP, PC, SO or US names foxwq, 野狐, or AP is YuanYu.", "copies of games of the server",
        "(;AP[foxwq])" => "fox",
        |facts, _| named(facts, &["AP", "PC", "SO", "US"], &["foxwq", "野狐"], Origin::Fox)
            .or_else(|| named(facts, &["AP"], &["yuanyu"], Origin::Fox));
    "fox-clock" ["TC" "TT" "TM"], "TC and TT are numbers: periods and their seconds. Only Fox writes both; its AP is that of GNU Go.", KATAGO,
        "(;AP[GNU Go:3.8]TM[60]TC[3]TT[30])" => "fox",
        |facts, _| ["TC", "TT"].iter().all(|name| is_count(facts, name)).then_some(Value::Origin(Origin::Fox));
    "tygem-place" ["PC" "SO" "US" "AP"], "PC, SO, US or AP names Tygem, in Latin letters, Korean or Chinese.", OWN_NAME,
        "(;PC[Tygem])" => "tygem",
        |facts, _| named(facts, &["PC", "SO", "US", "AP"], &["tygem", "타이젬", "弈城"], Origin::Tygem);
    "tygem-event" ["EV"], "EV is a list of numbers, such as `0,1,220,30/3 5m`: its third is the number of moves, and the time control follows.", "the data set of yenw",
        "(;GN[75803708]EV[0,1,220,30/3 5m])" => "tygem",
        |facts, _| tygem_event(facts).map(|_| Value::Origin(Origin::Tygem));
    "hangame-place" ["PC"], "PC names Hangame.", WRITES,
        "(;PC[http://baduk.hangame.com/])" => "hangame",
        |facts, _| named(facts, &["PC"], &["hangame", "한게임"], Origin::Hangame);
    "cyberoro-place" ["PC" "SO" "US" "AP" "TC"], "PC, SO, US, AP, or TC, its comment on the game, names CyberOro or WBaduk.", WRITES,
        "(;GK[1]TE[Final]TC[www.cyberoro.com])" => "cyberoro",
        |facts, _| named(facts, &["PC", "SO", "US", "AP", "TC"], &["cyberoro", "wbaduk", "사이버오로"], Origin::CyberOro);
    "little-golem-place" ["SO" "PC"], "SO or PC names Little Golem.", WRITES,
        "(;SO[http://www.littlegolem.com])" => "little-golem",
        |facts, _| named(facts, &["SO", "PC"], &["littlegolem", "little golem"], Origin::LittleGolem);
    "gogod-user" ["US" "SO" "CP"], "US, SO or CP names GoGoD.", "files of the collection",
        "(;US[GoGoD95])" => "gogod",
        |facts, _| named(facts, &["US", "SO", "CP"], &["gogod"], Origin::GoGod);
    "go4go-source" ["SO" "US" "CP"], "SO, US or CP names Go4Go.", "files of the collection",
        "(;SO[Go4Go.net])" => "go4go",
        |facts, _| named(facts, &["SO", "US", "CP"], &["go4go"], Origin::Go4Go);
    "gobase-source" ["SO" "US" "CP"], "SO, US or CP names GoBase, or US its author.", "files of the collection",
        "(;SO[http://gobase.org/9x9/book/])" => "gobase",
        |facts, _| named(facts, &["SO", "US", "CP"], &["gobase", "jansteen@cwi.nl"], Origin::GoBase);
    "gogameguru-source" ["SO" "CP"], "SO or CP names Go Game Guru.", "files of the collection",
        "(;SO[https://gogameguru.com/])" => "gogameguru",
        |facts, _| named(facts, &["SO", "CP"], &["gogameguru"], Origin::GoGameGuru);
    "flygo-source" ["SO"], "SO names flygo.net.", "files of the collection",
        "(;SO[http://www.flygo.net])" => "flygo",
        |facts, _| named(facts, &["SO"], &["flygo.net"], Origin::Flygo);
    "101weiqi-source" ["SO" "AP"], "SO or AP names 101weiqi.", "files of the collection",
        "(;SO[https://www.101weiqi.com/3D/1/])" => "101weiqi",
        |facts, _| named(facts, &["SO", "AP"], &["101weiqi"], Origin::Weiqi101);
    "goproblems-source" ["SO" "PC" "AP"], "SO, PC or AP names goproblems.com.", OWN_NAME,
        "(;SO[http://www.goproblems.com/prob.php3?id=1])" => "goproblems",
        |facts, _| named(facts, &["SO", "PC", "AP"], &["goproblems"], Origin::GoProblems);
    "twogtp" ["AP" "US"], "AP or US is a program that lets two programs play.", "files of GoGui and others",
        "(;AP[GoGuiTwoGtp:1.1]PB[Fuego]PW[GNU Go])" => "twogtp",
        |facts, _| named(facts, &["AP", "US"], &["twogtp"], Origin::TwoGtp);
    "minigo-application" ["AP"], "AP is Minigo.", OWN_NAME,
        "(;AP[Minigo_sgfgenerator])" => "minigo",
        |facts, _| named(facts, &["AP"], &["minigo"], Origin::Minigo);
    "leela-zero-application" ["AP"], "AP is Leela Zero.", OWN_NAME,
        "(;AP[Leela Zero:0.17])" => "leela-zero",
        |facts, _| named(facts, &["AP"], &["leela zero", "leelaz"], Origin::LeelaZero);
    "katago-rules-text" ["RU"], "RU has the form in which KataGo writes rules, such as `koSIMPLEscoreAREAtaxNONEsui0`.", KATAGO_RULES,
        "(;RU[koPOSITIONALscoreAREAtaxNONEsui1])" => "katago",
        |facts, _| {
            let text = facts.texts().text("RU")?;
            (text.starts_with("ko") && text.contains("score")).then_some(Value::Origin(Origin::KataGo))
        };
}

const KATAGO_RULES: &str = "files of KataGo";

fact_rules! {
    /// The rules of whether a game was rated.
    RATED: Rated;
    "ogs-ranked" ["GC"] + Origin, "On OGS: GC is a list with the word `ranked` or `unranked`.", KATAGO,
        "(;PC[OGS: https://online-go.com/game/1]GC[correspondence,unranked])" => "0",
        |facts, _| {
            if !facts.is_from(&[Origin::Ogs]) { return None }
            let comment = facts.texts().lines("GC")?;
            let has = |word| comment.split(',').any(|part| part.trim() == word);
            match (has("ranked"), has("unranked")) {
                (true, false) => Some(Value::Is(true)),
                (false, true) => Some(Value::Is(false)),
                _ => None,
            }
        };
    "cgos-rated" [] + Origin, "On CGOS, all games are rated.", "the purpose of the server",
        "(;PC[(CGOS) 9x9 Computer Go Server])" => "1",
        |facts, _| facts.is_from(&[Origin::Cgos]).then_some(Value::Is(true));
    "collection-rated" [] + Origin, "The games of GoGoD and Go4Go were serious.", KATAGO,
        "(;US[GoGoD95])" => "1",
        |facts, _| facts.is_from(&[Origin::GoGod, Origin::Go4Go]).then_some(Value::Is(true));
}
