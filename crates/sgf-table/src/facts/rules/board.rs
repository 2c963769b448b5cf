//! Komi, handicap and rules of games of Go.

use super::events::{CHINESE, JAPANESE, KOREAN};
use super::{KATAGO, KATAGO_SGF};
use crate::facts::Facts;
use crate::facts::root::{contains, contains_start};
use crate::facts::rule::{Fact, FactRule, Value, fact_rules};
use crate::facts::words::{Origin, RulesFamily};

/// The largest komi that is taken as written. KataGo plays training games with a komi of this size.
const MOST_KOMI: f64 = 199.0;

/// Returns the number in KM of a game of Go.
fn komi(facts: &Facts<'_>) -> Option<f64> {
    facts.texts().is_go().then(|| facts.texts().komi()).flatten().map(|komi| komi.get())
}

/// Returns the number in HA; 0 if it is missing.
fn stones(facts: &Facts<'_>) -> Option<i64> {
    match facts.texts().raw("HA", "HD") {
        Some(_) => Some(facts.texts().handicap()?.stones()),
        None => Some(0),
    }
}

fn rules_are(facts: &Facts<'_>, name: &str) -> bool {
    facts.texts().text("RU").is_some_and(|text| text.trim().eq_ignore_ascii_case(name))
}

/// Returns whether Fox wrote no komi: 0 in an even game.
fn is_unset_on_fox(facts: &Facts<'_>) -> bool {
    komi(facts) == Some(0.0) && stones(facts) == Some(0) && facts.is_from(&[Origin::Fox])
}

fact_rules! {
    /// The rules of the komi.
    KOMI: Komi;
    "fox-komi-0" ["KM" "HA" "RU"] + Origin, "Fox writes 0 for the komi of its even games under Japanese rules: it is 6.5.", "KataGo, `writetrainingdata.cpp`; margins in RE",
        "(;TC[3]TT[30]KM[0]HA[0]RU[Japanese])" => "6.5",
        |facts, _| (is_unset_on_fox(facts) && rules_are(facts, "Japanese")).then_some(Value::Points(6.5));
    "komi-hundredths" ["KM" "RU"], "KM is in hundredths: of points, or of Chinese stones, which are two points. 375 is 7.5.", "Fox; KataGo, `sgf.cpp`",
        "(;KM[375]RU[Chinese])" => "7.5",
        |facts, _| {
            let written = facts.texts().is_go().then(|| facts.texts().komi())??;
            written.is_in_hundredths().then(|| facts.texts().points(written)).flatten().map(Value::Points)
        };
    "komi-quarters" ["KM"], "A komi with a quarter is in Chinese stones, which are two points: 3.75 is 7.5.", KATAGO_SGF,
        "(;KM[3.75])" => "7.5",
        |facts, _| {
            let written = komi(facts)?;
            let has_quarter = written * 4.0 % 2.0 != 0.0 && (written * 4.0).fract() == 0.0;
            (has_quarter && written.abs() < 5.0).then_some(Value::Points(written * 2.0))
        };
    "gogod-komi" ["KM" "RU"] + Origin, "GoGoD writes a komi under Chinese rules in stones, which are two points.", KATAGO,
        "(;US[GoGoD95]RU[Chinese]KM[2.5])" => "5",
        |facts, _| {
            let written = komi(facts)?;
            let is_in_stones = written.abs() < 4.0 && rules_are(facts, "Chinese") && facts.is_from(&[Origin::GoGod]);
            is_in_stones.then_some(Value::Points(written * 2.0))
        };
    "go4go-komi-8" ["KM"] + Origin, "Go4Go writes 8 where Black wins ties: the same as 7.5.", KATAGO,
        "(;SO[Go4Go.net]KM[8])" => "7.5",
        |facts, _| (komi(facts)? == 8.0 && facts.is_from(&[Origin::Go4Go])).then_some(Value::Points(7.5));
    "white-wins-ties" ["KM" "RU"], "RU says that White wins ties: half a point more.", KATAGO,
        "(;RU[W wins jigo]KM[5])" => "5.5",
        |facts, _| {
            let written = komi(facts)?;
            (written.fract() == 0.0 && rules_are(facts, "W wins jigo")).then_some(Value::Points(written + 0.5))
        };
    "komi-in-handicap" ["KM" "KO" "HA" "HD"], "KM is missing, and HA says the komi in words.", "files of Korean servers",
        "(;HA[호선 - 6집 반 공제])" => "6.5",
        |facts, _| {
            if !facts.texts().is_go() || facts.texts().raw("KM", "KO").is_some() { return None }
            let komi = facts.texts().handicap()?.komi()?;
            facts.texts().points(komi).map(Value::Points)
        };
    "komi-as-written" ["KM" "KO" "HA" "HD"] + Origin, "KM is the komi in points. On Fox, a 0 in an even game is unknown.", "FF[4]",
        "(;KM[6.5])" => "6.5",
        |facts, _| {
            let written = komi(facts)?;
            (written.abs() <= MOST_KOMI && !is_unset_on_fox(facts)).then_some(Value::Points(written))
        };
}

/// The setup of a game of Go, with its first moves.
struct Setup {
    /// HA; 0 if it is missing.
    written: i64,
    is_missing: bool,
    black: i64,
    white: i64,
    /// Moves by Black before the first one by White.
    first: i64,
    is_white_next: bool,
}

/// Returns the setup of a game of Go with moves.
fn setup(facts: &Facts<'_>) -> Option<Setup> {
    let (first, texts) = (facts.first?, facts.texts());
    if !texts.is_go() || (first.black == 0 && !first.is_white_next) {
        return None;
    }
    Some(Setup {
        written: stones(facts)?,
        is_missing: texts.raw("HA", "HD").is_none(),
        black: texts.stones("AB") as i64,
        white: texts.stones("AW") as i64,
        first: first.black.into(),
        is_white_next: first.is_white_next,
    })
}

/// The most stones that are a handicap if nothing says so.
const MOST_STONES: i64 = 9;

fact_rules! {
    /// The rules of the handicap.
    HANDICAP: Handicap;
    "two-and-two" ["HA" "HD" "AB" "AW"], "Two stones of each color are on the star points of the corners: an even game of old China.", "GoGoD",
        "(;AB[dd][pp]AW[pd][dp];W[cn];B[fc])" => "0",
        |facts, _| {
            let setup = setup(facts)?;
            let record = facts.texts().record();
            let stones = ["AB", "AW"].into_iter().filter_map(|name| record.get(name));
            let mut points: Vec<_> = stones.flat_map(|property| property.values().map(|value| value.as_bytes())).collect();
            points.sort_unstable();
            let is_old = points == [b"dd", b"dp", b"pd", b"pp"] && setup.black == 2;
            (is_old && setup.written == 0).then_some(Value::Number(0))
        };
    "handicap-set-up" ["HA" "HD" "AB" "AW"], "AB has as many stones as HA says.", "FF[4]",
        "(;HA[2]AB[dd][pp];W[dp])" => "2",
        |facts, _| {
            let setup = setup(facts)?;
            (setup.white == 0 && setup.black >= 2 && setup.black == setup.written).then_some(Value::Number(setup.black))
        };
    "handicap-counted" ["HA" "HD" "AB" "AW"], "AB has two or more stones, AW none, and White moves first: AB counts, not HA.", "files that lack HA",
        "(;AB[dd][pp][dp];W[pd])" => "3",
        |facts, _| {
            let setup = setup(facts)?;
            let most = if setup.written > 1 { i64::MAX } else { MOST_STONES };
            let is_given = setup.white == 0 && (2..=most).contains(&setup.black) && setup.first == 0;
            is_given.then_some(Value::Number(setup.black))
        };
    "handicap-by-moves" ["HA" "HD" "AB" "AW"], "AB is missing, and the main line begins with moves of Black: as many as HA says, or HA is missing.", "KataGo, `sgf.cpp`; free placement in GTP",
        "(;HA[3];B[dd];B[pp];B[dp];W[pd])" => "3",
        |facts, _| {
            let setup = setup(facts)?;
            let is_written = setup.first == setup.written || (setup.is_missing && setup.first <= MOST_STONES);
            let is_given = setup.black == 0 && setup.white == 0 && setup.first >= 2 && setup.is_white_next && is_written;
            is_given.then_some(Value::Number(setup.first))
        };
    "handicap-not-placed" ["HA" "HD" "AB" "AW"], "HA says two or more, no stones are placed, and White moves first: the stones are missing in the file. KataGo leaves such games out.", "Fox; KataGo, `writetrainingdata.cpp`",
        "(;HA[3];W[qc];B[dp])" => "3",
        |facts, _| {
            let setup = setup(facts)?;
            let is_given = setup.black == 0 && setup.white == 0 && setup.first == 0 && (2..=25).contains(&setup.written);
            is_given.then_some(Value::Number(setup.written))
        };
    "handicap-1" ["HA" "HD" "AB" "AW"], "HA is 1: Black moves first, without a stone on the board.", "FF[4]: HA is at least 2",
        "(;HA[1];B[dd];W[pp])" => "0",
        |facts, _| {
            let setup = setup(facts)?;
            let is_even = setup.written == 1 && setup.black == 0 && setup.white == 0 && setup.first == 1;
            is_even.then_some(Value::Number(0))
        };
    "even" ["HA" "HD" "AB" "AW"], "HA is 0 or missing, no stones are set up, and Black moves first.", "FF[4]",
        "(;KM[6.5];B[dd];W[pp])" => "0",
        |facts, _| {
            let setup = setup(facts)?;
            let is_even = setup.written == 0 && setup.black == 0 && setup.white == 0 && setup.first == 1;
            is_even.then_some(Value::Number(0))
        };
}

/// Names of rules in RU, in lower-case letters, and their families.
const NAMES: &[(&str, RulesFamily)] = &[
    ("japanese", RulesFamily::Japanese),
    ("japan", RulesFamily::Japanese),
    ("jp", RulesFamily::Japanese),
    ("jpn", RulesFamily::Japanese),
    ("日本", RulesFamily::Japanese),
    ("日本规则", RulesFamily::Japanese),
    ("일본", RulesFamily::Japanese),
    ("chinese", RulesFamily::Chinese),
    ("china", RulesFamily::Chinese),
    ("cn", RulesFamily::Chinese),
    ("chn", RulesFamily::Chinese),
    ("中国", RulesFamily::Chinese),
    ("中国规则", RulesFamily::Chinese),
    ("중국", RulesFamily::Chinese),
    ("korean", RulesFamily::Korean),
    ("korea", RulesFamily::Korean),
    ("kr", RulesFamily::Korean),
    ("한국", RulesFamily::Korean),
    ("aga", RulesFamily::Aga),
    ("bga", RulesFamily::Aga),
    ("french", RulesFamily::Aga),
    ("ing", RulesFamily::Ing),
    ("goe", RulesFamily::Ing),
    ("ing goe", RulesFamily::Ing),
    ("sst", RulesFamily::Ing),
    ("nz", RulesFamily::NewZealand),
    ("new zealand", RulesFamily::NewZealand),
    ("new-zealand", RulesFamily::NewZealand),
    ("tromp-taylor", RulesFamily::TrompTaylor),
    ("tromp taylor", RulesFamily::TrompTaylor),
    ("old chinese", RulesFamily::OldChinese),
    ("ancient chinese", RulesFamily::OldChinese),
    ("stone scoring", RulesFamily::OldChinese),
    ("tang", RulesFamily::OldChinese),
];

/// Returns the family of rules in the form of KataGo.
fn in_form_of_katago(text: &str) -> Option<RulesFamily> {
    use RulesFamily as F;
    let text = text.strip_prefix("ko")?;
    let (ko, rest) = text.split_once("score")?;
    let (scoring, rest) = rest.split_once("tax").unwrap_or((rest, ""));
    let (tax, sui) = rest.split_once("sui").unwrap_or((rest, ""));
    let has_button = sui.contains("button1");
    let suicide = sui.starts_with('1');
    Some(match (ko, scoring, tax, suicide) {
        (_, "AREA", _, _) if has_button => F::Area,
        ("POSITIONAL", "AREA", "NONE", true) => F::TrompTaylor,
        ("SITUATIONAL", "AREA", "NONE", true) => F::NewZealand,
        ("SITUATIONAL", "AREA", "NONE", false) => F::Aga,
        ("SIMPLE", "AREA", "NONE", false) => F::Chinese,
        ("SIMPLE", "AREA", "ALL", false) => F::OldChinese,
        ("SIMPLE", "TERRITORY", "SEKI", false) => F::Japanese,
        (_, "TERRITORY", ..) => F::Territory,
        _ if scoring.starts_with("AREA") => F::Area,
        _ => return None,
    })
}

fact_rules! {
    /// The rules of the family of rules.
    FAMILY: RulesFamily;
    "rules-name" ["RU"], "RU names the rules, in English, Chinese or Korean.", "FF[4], and files of servers",
        "(;RU[ing])" => "ing",
        |facts, _| {
            let text = facts.texts().is_go().then(|| facts.texts().text("RU"))??;
            let name = text.trim();
            let name = name.strip_suffix(" rules").or(name.strip_suffix(" Rules")).unwrap_or(name);
            let name = if contains(name.get(..5).unwrap_or_default(), "tang ") { "tang" } else { name };
            let known = NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
            known.map(|&(_, family)| Value::Family(family))
        };
    "rules-of-katago" ["RU"], "RU is in the form of KataGo: that of named rules, or else how they count.", "KataGo, `rules.cpp`",
        "(;RU[koPOSITIONALscoreAREAtaxNONEsui1])" => "tromp-taylor",
        |facts, _| {
            let text = facts.texts().is_go().then(|| facts.texts().text("RU"))??;
            in_form_of_katago(text.trim()).map(Value::Family)
        };
    "rules-of-server" ["RU"] + Origin, "RU is missing. On IGS and NNGS the rules are Japanese, on Hangame and CyberOro Korean.", "the rules of the servers",
        "(;PC[IGS])" => "japanese",
        |facts, _| {
            if !facts.texts().is_go() || facts.texts().text("RU").is_some_and(|text| !text.trim().is_empty()) { return None }
            match facts.origin()?.value {
                Origin::Igs | Origin::Nngs => Some(Value::Family(RulesFamily::Japanese)),
                Origin::Hangame | Origin::CyberOro => Some(Value::Family(RulesFamily::Korean)),
                _ => None,
            }
        };
    "rules-of-event" ["RU" "PC" "EV" "TE"] { KOREAN JAPANESE CHINESE }, "RU does not name rules, and PC and EV name places and events of one country: Korea, Japan or China.", KATAGO,
        "(;EV[26th Tengen]PC[Nihon Ki-in])" => "japanese",
        |facts, _| {
            let texts = facts.texts();
            let unknown = texts.text("RU").is_none_or(|text| text.trim().is_empty() || text.contains("jigo"));
            if !texts.is_go() || !unknown { return None }
            let places = [texts.text("PC"), texts.raw("EV", "TE")];
            let is_in = |words: &[&str]| {
                places.iter().flatten().any(|text| words.iter().any(|word| contains_start(text, word)))
            };
            let countries = [(KOREAN, RulesFamily::Korean), (JAPANESE, RulesFamily::Japanese), (CHINESE, RulesFamily::Chinese)];
            let mut named = countries.into_iter().filter(|(words, _)| is_in(words));
            match (named.next(), named.next()) {
                (Some((_, family)), None) => Some(Value::Family(family)),
                _ => None,
            }
        };
}
