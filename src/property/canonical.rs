//! The canonical form of a value, which canonical output and the repairs of the checker write.
//!
//! A value is changed only if the new form preserves all of its information. Two facts decide this, and both are
//! here: which values of a type [contain more](says_more) than the type prints, and which values of a root imply
//! [another property of it](InNode), or depend on one.

use std::borrow::Cow;

use super::{Context, Property, TypedValue, ValueType, lookup};
use crate::raw::RawValue;
use crate::syntax::event::Ident;
use crate::value::{AnyMove, AnyRect, GameResult, Handicap, Komi, Overtime, Rank, Ruleset, Seconds, go};

/// Returns the canonical form of a value in UTF-8. `None` if no form of its type preserves its information.
///
/// The form, parsed strictly, yields the same value and prints the same.
pub fn canonical<'a>(row: &Property, text: &'a str, context: &Context) -> Option<Cow<'a, str>> {
    let raw = RawValue::new(text.as_bytes());
    let value = match row.parse(raw, context) {
        // In strict parsing, every text is a rule set, and `japanese` is not the Japanese one.
        Ok(_) if row.value_type() == ValueType::Ruleset => row.parse_lenient(raw, context).ok()?,
        // Most values are points of Go, which print as written.
        Ok(TypedValue::Move(AnyMove::Go(go::Move::Play(_))) | TypedValue::Points(AnyRect::Go(_)))
            if text.len() == 2 =>
        {
            return Some(Cow::Borrowed(text));
        }
        Ok(value) => value,
        // `g5` is one point in Go and another in Hex.
        Err(_) if context.leaves_points(text.as_bytes()) && row.value_type().has_points() => return None,
        Err(_) => row.parse_lenient(raw, context).ok().filter(|_| !says_more(row.value_type(), text))?,
    };
    // In points, the number differs.
    if matches!(value, TypedValue::Komi(komi) if komi.is_in_hundredths()) {
        return None;
    }
    let printed = value.to_string();
    if printed == text {
        return Some(Cow::Borrowed(text));
    }
    if row.value_type() == ValueType::Date && !has_same_numbers(text, &printed) {
        return None;
    }
    let again = row.parse(RawValue::new(printed.as_bytes()), context).ok()?;
    (again == value).then_some(Cow::Owned(printed))
}

/// Returns whether a value that only lenient parsing accepts contains more than its type prints.
pub fn says_more(value_type: ValueType, text: &str) -> bool {
    match value_type {
        // It may contain a time of day or words. The units of East Asian dates are allowed.
        ValueType::Date => {
            let is_known = |c: char| c.is_ascii_digit() || c.is_ascii_whitespace() || "-/.,年月日년월일".contains(c);
            !text.chars().all(is_known) || text.split(',').any(may_be_a_span)
        }
        ValueType::GameResult => GameResult::leaves_out_of(text),
        ValueType::Rank => Rank::leaves_out_of(text),
        ValueType::Handicap => Handicap::parse_lenient(text).is_ok_and(|read| read.komi().is_some()),
        ValueType::Seconds => Seconds::with_overtime(text).is_ok_and(|(_, overtime)| overtime.is_some()),
        _ => false,
    }
}

/// Returns whether a date is or may be a span of years. `1842-1843` and `1832-40` contain more than the list of their
/// years, and `1857-8` may be August or a span.
fn may_be_a_span(date: &str) -> bool {
    let date = date.trim_ascii();
    let (year, rest) = date.split_at(date.bytes().take_while(u8::is_ascii_digit).count());
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || "-/.".contains(c));
    let is_number = !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit());
    year.len() == 4 && is_number && (rest.len() != 2 || rest > "12")
}

/// Returns whether two dates have the same numbers, in any order, so that nothing was dropped.
fn has_same_numbers(a: &str, b: &str) -> bool {
    let digits = |text: &str| text.bytes().filter(u8::is_ascii_digit).collect::<Vec<_>>();
    // `20070314` has no separators.
    if a.len() == 8 && digits(a) == digits(b) {
        return true;
    }
    let numbers = |text: &str| {
        let runs = text.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty());
        let mut numbers: Vec<String> = runs.map(|run| run.trim_start_matches('0').to_owned()).collect();
        numbers.sort_unstable();
        numbers
    };
    numbers(a) == numbers(b)
}

/// The canonical form of a root value that implies another property, or depends on one.
///
/// Game information in later nodes is left unchanged: a node before or after them may have the other property.
///
/// ```text
/// before                       canonical                        if
/// --------------------------------------------------------------------------------------------------
/// HA[호선 - 6집 반 공제]       HA[0]KM[6.5]                     the root has no KM, or one that says this
/// TM[10분40초3회]              TM[600]OT[3x40 byo-yomi]         the root has no OT, or one that says this
/// KM[375]                      KM[7.5]                          RU leaves one meaning
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InNode {
    /// The form of the value.
    pub value: String,
    /// The identifier and the value of the other property that it implies.
    pub beside: Option<(&'static str, String)>,
}

impl InNode {
    /// Reads a value in UTF-8. `None` for all other values. `rules` is the value of RU in the node.
    #[doc(hidden)]
    pub fn of(row: &Property, text: &str, rules: Option<&str>) -> Option<Self> {
        match (row.value_type(), row.ident()) {
            (ValueType::Komi, _) => {
                let komi = Komi::parse_lenient(text).ok().filter(|komi| komi.is_in_hundredths())?;
                Some(InNode { value: Komi::new(points(komi, rules)?)?.to_string(), beside: None })
            }
            (ValueType::Handicap, "HA") => {
                let handicap = Handicap::parse_lenient(text).ok()?;
                let komi = ("KM", handicap.komi()?.to_string());
                Some(InNode { value: handicap.stones().to_string(), beside: Some(komi) })
            }
            (ValueType::Seconds, "TM") => {
                let (seconds, overtime) = Seconds::with_overtime(text).ok()?;
                Some(InNode { value: seconds.to_string(), beside: Some(("OT", overtime?.to_string())) })
            }
            _ => None,
        }
    }

    /// Returns whether a value of the other property means the same.
    ///
    /// `rules` is the RU of the node.
    #[doc(hidden)]
    pub fn agrees_with(&self, other: &str, rules: Option<&str>) -> bool {
        match &self.beside {
            Some(("KM", komi)) => {
                let read = Komi::parse_lenient(other).ok().and_then(|komi| points(komi, rules));
                read.is_some() && read == Komi::parse(komi).ok().map(Komi::get)
            }
            Some((_, overtime)) => Overtime::parse(other).is_ok_and(|other| Overtime::parse(overtime) == Ok(other)),
            None => true,
        }
    }

    /// Returns whether the other property is one of FF\[4\] in this context.
    #[doc(hidden)]
    pub fn fits(&self, context: &Context) -> bool {
        self.beside.as_ref().is_none_or(|(name, _)| {
            let wanted = if *name == "KM" { ValueType::Komi } else { ValueType::Overtime };
            lookup(Ident::new(name.as_bytes()), context).is_some_and(|row| row.value_type() == wanted)
        })
    }
}

/// Returns a komi in points under the rules of its node.
fn points(komi: Komi, rules: Option<&str>) -> Option<f64> {
    match rules.and_then(|rules| Ruleset::parse_lenient(rules).ok()) {
        Some(rules) => komi.points_under(&rules),
        None => komi.points(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(ident: &str) -> &'static Property {
        lookup(Ident::new(ident.as_bytes()), &Context::default()).unwrap()
    }

    #[test]
    fn a_value_that_says_more_than_its_type_has_no_form() {
        for (ident, text, form) in [
            ("RE", "b+res", Some("B+Resign")),
            ("RE", "흑불계승", Some("B+Resign")),
            ("RE", "white wins by 3.5 points", Some("W+3.5")),
            ("RE", "207수 흑불계승", None),
            ("RE", "B+Offline", None),
            ("RE", "W+J", None),
            ("RE", "W+Repetition", None),
            ("RE", "? (No further moves known)", None),
            ("RE", "W+Time Over", Some("W+Time")),
            ("RE", "B+7.5目", Some("B+7.5")),
            ("RE", "백불계승:백불계", Some("W+Resign")),
            ("DT", "2009. 10. 11.", Some("2009-10-11")),
            ("DT", "1600 approx.", None),
            ("DT", "2000/9/8", Some("2000-09-08")),
            ("DT", "2000-9-8", Some("2000-09-08")),
            ("DT", "2000-9-8,9", Some("2000-09-08,09")),
            ("DT", "1968년 9월", Some("1968-09")),
            ("DT", "1968-08-", Some("1968-08")),
            ("DT", "1832, 1840", Some("1832,1840")),
            ("DT", "1842-1843", None),
            ("DT", "1842 - 1843", None),
            ("DT", "1832-40", None),
            ("DT", "1857-8", None),
            ("DT", "1968/9", None),
            ("DT", "1968-9,1970", None),
            ("DT", "Summer 1857", None),
            ("DT", "1940年(庚辰)", None),
            ("DT", "ca. 1665", None),
            ("DT", "2007-03-14 12:30", None),
            ("BR", "9 Dan", Some("9d")),
            ("BR", "초단", Some("1d")),
            ("BR", "P9", Some("9p")),
            ("BR", "9p, Honinbo", None),
            ("BR", "6d ama", None),
            ("BR", "아마7단", None),
            ("KM", "6집 반", Some("6.5")),
            ("KM", "375", None),
            ("HA", "호선", Some("0")),
            ("HA", "호선 - 6집 반 공제", None),
            ("TM", "1h", Some("3600")),
            ("TM", "각 2시간", Some("7200")),
            ("TM", "10분40초3회", None),
            ("BL", "5:00:00(5x1:00)", None),
        ] {
            assert_eq!(canonical(row(ident), text, &Context::default()).as_deref(), form, "{ident}[{text}]");
        }
    }

    #[test]
    fn a_value_may_tell_another_property() {
        for (ident, text, rules, form) in [
            ("HA", "호선 - 6집 반 공제", None, Some(("0", Some(("KM", "6.5"))))),
            ("HA", "호선 - 덤 없음", None, Some(("0", Some(("KM", "0"))))),
            ("HA", "호선", None, None),
            ("TM", "10분40초3회", None, Some(("600", Some(("OT", "3x40 byo-yomi"))))),
            ("TM", "5:00:00(5x1:00)", None, Some(("18000", Some(("OT", "5x1:00"))))),
            ("TM", "1h", None, None),
            ("BL", "10분40초3회", None, None),
            ("KM", "375", None, Some(("7.5", None))),
            ("KM", "375", Some("Chinese"), Some(("7.5", None))),
            ("KM", "375", Some("Japanese"), None),
            ("KM", "675", Some("Chinese"), None),
            ("KM", "225", Some("Chinese"), None),
            ("KM", "450", None, None),
            ("KM", "450", Some("korean"), Some(("4.5", None))),
            ("KM", "6.5", None, None),
        ] {
            let read = InNode::of(row(ident), text, rules);
            let read =
                read.as_ref().map(|read| (&*read.value, read.beside.as_ref().map(|(name, value)| (*name, &**value))));
            assert_eq!(read, form, "{ident}[{text}] {rules:?}");
        }
        let handicap = InNode::of(row("HA"), "호선 - 6집 반 공제", None).unwrap();
        let agree = ["6.5", "6.50", "6집반", "650", "325"].map(|komi| handicap.agrees_with(komi, None));
        assert_eq!((agree, handicap.agrees_with("0", None), handicap.agrees_with("", None)), ([true; 5], false, false));
        let time = InNode::of(row("TM"), "10분40초3회", None).unwrap();
        assert!(time.agrees_with("3x40 Byo-Yomi", None) && !time.agrees_with("3x30 byo-yomi", None));
        assert!(
            handicap.fits(&Context::default()) && !handicap.fits(&Context::new(crate::value::game::Game::Chess, 4))
        );
    }
}
