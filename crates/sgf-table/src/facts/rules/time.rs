//! Time controls.

use sgf_stream::value::{Overtime, Seconds};

use super::origin::tygem_event;
use super::{KATAGO, WRITES};
use crate::facts::Facts;
use crate::facts::rule::{Fact, FactRule, Value, fact_rules};
use crate::facts::words::{Origin, TimeClass};

/// Returns byo-yomi from a property with the number of periods, and one with their seconds.
fn byoyomi(facts: &Facts<'_>, periods: &str, seconds: &str) -> Option<Value> {
    let number = |name: &str| facts.texts().text(name)?.trim().parse::<u32>().ok().filter(|&number| number > 0);
    let (periods, seconds) = (number(periods)?, Seconds::new(number(seconds)?.into())?);
    Some(Value::Overtime(Overtime::Byoyomi { periods, seconds }))
}

fn has(facts: &Facts<'_>, name: &str) -> bool {
    facts.texts().text(name).is_some_and(|text| !text.trim().is_empty())
}

fact_rules! {
    /// The rules of the main time.
    MAIN_TIME: MainTime;
    "main-time" ["TM"], "TM is a time in seconds, or with units.", "FF[4], and files of servers",
        "(;TM[1h])" => "3600.0",
        |facts, _| Some(Value::Seconds(Seconds::parse_lenient(&*facts.texts().raw("TM", "TM")?).ok()?));
    "main-time-of-tygem" ["EV" "TM"], "TM is missing, and EV is that of the data set of Tygem games: `5m` is 5 minutes.", "the data set of yenw",
        "(;EV[0,1,220,30/3 5m])" => "300.0",
        |facts, _| {
            let time = if has(facts, "TM") { None } else { tygem_event(facts) }?;
            Some(Value::Seconds(Seconds::new(f64::from(time.minutes) * 60.0)?))
        };
}

fact_rules! {
    /// The rules of the overtime.
    OVERTIME: Overtime;
    "overtime-text" ["OT"], "OT is a known notation, such as `5x30 byo-yomi`.", "files of servers",
        "(;OT[5x30 byo-yomi])" => "byoyomi",
        |facts, _| match Overtime::parse_lenient(&*facts.texts().raw("OT", "OT")?).ok()? {
            Overtime::Other(_) => None,
            overtime => Some(Value::Overtime(overtime)),
        };
    "overtime-in-tm" ["TM" "OT"], "OT is missing, and TM has a main time and an overtime in words.", "files of Korean servers",
        "(;TM[10분40초3회])" => "byoyomi",
        |facts, _| {
            if facts.texts().raw("OT", "OT").is_some() { return None }
            match Seconds::with_overtime(&*facts.texts().raw("TM", "TM")?).ok()?.1? {
                Overtime::Other(_) => None,
                overtime => Some(Value::Overtime(overtime)),
            }
        };
    "periods-of-fox" ["TC" "TT" "OT"], "TC is the number of byo-yomi periods, and TT their seconds.", KATAGO,
        "(;TM[60]TC[3]TT[30])" => "byoyomi",
        |facts, _| if has(facts, "OT") { None } else { byoyomi(facts, "TC", "TT") };
    "periods-of-tygem" ["EV" "OT"], "EV is that of the data set of Tygem games: `30/3` is 3 periods of 30 seconds.", "the data set of yenw",
        "(;EV[0,1,220,30/3 5m])" => "byoyomi",
        |facts, _| {
            let time = if has(facts, "OT") { None } else { tygem_event(facts) }?;
            let seconds = Seconds::new(time.seconds.into())?;
            Some(Value::Overtime(Overtime::Byoyomi { periods: time.periods, seconds }))
        };
    "periods-of-oro" ["LC" "LT" "OT"], "LC is the number of byo-yomi periods, and LT their seconds.", WRITES,
        "(;TM[3시간]LC[5]LT[60])" => "byoyomi",
        |facts, _| if has(facts, "OT") { None } else { byoyomi(facts, "LC", "LT") };
}

/// Returns the seconds of the main time; 0 if it is missing.
fn main_time(facts: &Facts<'_>) -> Option<f64> {
    match facts.main_time() {
        Some(known) => Some(known.value.get()),
        None => (!has(facts, "TM")).then_some(0.0),
    }
}

/// The servers that write all of a time control.
const COMPLETE: &[Origin] = &[Origin::Kgs, Origin::Ogs, Origin::Cgos, Origin::Fox];

fact_rules! {
    /// The rules of the kind of the time control.
    CLASS: TimeClass;
    "overtime-class" ["TM"] + Overtime MainTime, "The overtime is known. Without one, a main time is absolute.", "the overtime",
        "(;TM[600]OT[none])" => "absolute",
        |facts, _| Some(Value::Class(match facts.overtime()?.value {
            Overtime::Byoyomi { .. } => TimeClass::Byoyomi,
            Overtime::Canadian { .. } => TimeClass::Canadian,
            Overtime::Fischer { .. } => TimeClass::Fischer,
            Overtime::Simple { .. } => TimeClass::Simple,
            Overtime::None if main_time(facts)? > 0.0 => TimeClass::Absolute,
            Overtime::None => TimeClass::None,
            _ => return None,
        }));
    "main-time-only" ["TM" "OT"] + Origin MainTime, "On KGS, OGS, CGOS and Fox: TM is positive, and there is no overtime.", KATAGO,
        "(;PC[OGS: https://online-go.com/game/1]TM[600])" => "absolute",
        |facts, _| {
            let is_absolute = !has(facts, "OT") && main_time(facts)? > 0.0 && facts.is_from(COMPLETE);
            is_absolute.then_some(Value::Class(TimeClass::Absolute))
        };
    "no-clock" ["TM" "OT"] + Origin MainTime, "On KGS and OGS: TM is 0 or missing, and there is no overtime.", KATAGO,
        "(;PC[OGS: https://online-go.com/game/1])" => "none",
        |facts, _| {
            let is_untimed = !has(facts, "OT") && main_time(facts)? == 0.0 && facts.is_from(&[Origin::Kgs, Origin::Ogs]);
            is_untimed.then_some(Value::Class(TimeClass::None))
        };
}
