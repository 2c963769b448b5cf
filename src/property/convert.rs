//! Conversion of older properties, and those of dialects, to FF\[4\].
//!
//! Other changes of FF\[4\] need no conversion: [`Ident::name`](crate::Ident::name) removes lower-case letters from
//! identifiers, and the types of FF\[4\] accept the values of older versions. Two rules apply to a node instead of a
//! property, and are up to the caller: setup and move properties in one node are split into two nodes, `TE` before
//! `BM` becomes `IT`, and `BM` before `TE` becomes `DO` (red-bean.com/sgf, converting.html).

use std::borrow::Cow;

use super::{Context, Origin, Property, Successor, ValueType, lookup};
use crate::raw::RawValue;
use crate::syntax::event::Ident;
use crate::value::typed::trim;
use crate::value::{Dates, Number, Real};

/// The result of converting a property to FF\[4\].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Converted<'a> {
    /// A property with its raw values. Unchanged values are borrowed.
    Property {
        /// The identifier.
        ident: &'static str,
        /// The raw values, escaped and in the charset of the file.
        values: Vec<Cow<'a, [u8]>>,
    },
    /// A component of this property, which also needs another property of the node; see [`overtime`].
    PartOf(&'static str),
    /// No equivalent in FF\[4\]. Programs may keep it as a private property.
    NoSuccessor,
}

/// Converts a property to FF\[4\]. Returns `None` if it is left unchanged.
///
/// ```text
/// before                   in FF[4]
/// ------------------------------------------
/// FF[3]                    FF[4]
/// L[fg][es][jk]            LB[fg:A][es:B][jk:C]
/// M[fg]                    MA[fg]
/// VW[ba][db] (FF[3])       VW[ba:db]       the corners of a rectangle, of Go
/// KI[11]                   KM[5.5]         counted in halves
/// TE KO RD GK HD (SGF2)    EV KM DT GM HA
/// RD[2007-05-01]           DT[2007-05-01]  if it is a date
/// LKM PDT PTM              KM DT TM
/// TL[8h]                   TM[28800]       if it is a time
/// OM OP                    parts of OT
/// BS WS CH EL EX ID …      nothing
/// ```
///
/// (Sources: red-bean.com/sgf, converting.html, proplist_ff.html; Brouwer for the aliases.) Labels are upper-case
/// letters; SGFC writes lower-case ones, like the page until 2001. After `Z` come `AA`, `AB` and so on, like
/// columns of a spreadsheet. According to the page, a mark on a stone becomes a triangle; this function does not
/// know the stones, and converts every mark to `MA`, like SGFC.
///
/// A property with invalid values is left unchanged. An alias keeps its values, valid or not. Other private
/// properties are left unchanged.
///
/// The function converts one property, not its node. If a node has both `L` and `LB`, or `M` and `MA`, the caller
/// must merge them; if it has both `KI` and `KM`, which takes one value, `KI` should be left unchanged. The root
/// needs `FF[4]`. [`Writer::canonical`](crate::write::Writer::canonical) does all this.
///
/// ```
/// use sgf_stream::property::{Context, convert::{self, Converted}};
/// use sgf_stream::{Ident, RawValue};
///
/// let convert = |ident: &'static str, value: &'static str| {
///     let values = [RawValue::new(value.as_bytes())];
///     convert::to_ff4(Ident::new(ident.as_bytes()), &values, &Context::default())
/// };
/// let komi = Converted::Property { ident: "KM", values: vec![b"5.5".into()] };
/// assert_eq!(convert("KomiInteger", "11"), Some(komi));
/// assert_eq!(convert("CH", "1"), Some(Converted::NoSuccessor));
/// assert_eq!(convert("KM", "5.5"), None);
/// ```
pub fn to_ff4<'a>(ident: Ident<'_>, values: &[RawValue<'a>], context: &Context) -> Option<Converted<'a>> {
    let property = lookup(ident, context)?;
    if property.origin() == Origin::Sgf2 && !context.is_sgf2() && !is_date(property, values) {
        return None;
    }
    let (ident, values) = match (property.ident(), property.successor()) {
        ("FF", _) => ("FF", version(values)?),
        ("VW", _) => ("VW", if context.ff() == 3 { corners(values)? } else { return None }),
        (_, Successor::Itself) => return None,
        (_, Successor::None) => return Some(Converted::NoSuccessor),
        ("OM" | "OP", Successor::Other(whole)) => return Some(Converted::PartOf(whole)),
        (name, Successor::Other(successor)) => {
            let values = match name {
                "L" => letters(values)?,
                "KI" => one(values, |value| Some(halved(Number::parse_lenient(value).ok()?)))?,
                "TL" => one(values, seconds)?,
                _ => values.iter().map(|value| Cow::Borrowed(value.as_bytes())).collect(),
            };
            (successor, values)
        }
    };
    Some(Converted::Property { ident, values })
}

/// Combines `OM` and `OP` of FF\[3\] into a raw value of `OT`.
///
/// `OM` is the number of moves in a period, and `OP` its length in seconds. `OM[25]OP[600]` becomes
/// `OT[25/600 Canadian]`, the notation of CGoban. Returns `None` if a value is not a positive number; zero means no
/// overtime.
///
/// ```
/// use sgf_stream::RawValue;
/// use sgf_stream::property::convert::overtime;
///
/// let overtime = |om: &'static [u8], op: &'static [u8]| overtime(RawValue::new(om), RawValue::new(op));
/// assert_eq!(overtime(b"30", b"300.0").as_deref(), Some("30/300 Canadian"));
/// assert_eq!(overtime(b"0", b"0.0"), None);
/// ```
pub fn overtime(om: RawValue<'_>, op: RawValue<'_>) -> Option<String> {
    let moves = Number::parse_lenient(om).ok()?.get();
    let seconds = Real::parse_lenient(op).ok()?.get();
    (moves > 0 && seconds > 0.0).then(|| format!("{moves}/{seconds} Canadian"))
}

/// Returns whether a property of SGF2 has a valid date. Such a property is converted in any file, since FF\[4\] has
/// no other meaning for it.
fn is_date(property: &Property, values: &[RawValue<'_>]) -> bool {
    property.value_type() == ValueType::Date && matches!(values, [value] if Dates::parse_lenient(value).is_ok())
}

type Values<'a> = Vec<Cow<'a, [u8]>>;

/// Changes a single value. Returns `None` for several.
fn one<'a>(values: &[RawValue<'a>], change: impl Fn(RawValue<'a>) -> Option<Cow<'a, [u8]>>) -> Option<Values<'a>> {
    match values {
        [value] => Some(vec![change(*value)?]),
        _ => None,
    }
}

fn version<'a>(values: &[RawValue<'a>]) -> Option<Values<'a>> {
    one(values, |value| {
        let version = Number::parse_lenient(value).ok()?.get();
        (version != 4).then_some(Cow::Borrowed(&b"4"[..]))
    })
}

/// Halves a komi.
fn halved<'a>(twice: Number) -> Cow<'a, [u8]> {
    let twice = twice.get();
    let sign = if twice < 0 { "-" } else { "" };
    let half = if twice % 2 == 0 { "" } else { ".5" };
    format!("{sign}{}{half}", twice.unsigned_abs() / 2).into_bytes().into()
}

/// Adds labels to points.
fn letters<'a>(values: &[RawValue<'a>]) -> Option<Values<'a>> {
    let label = |(n, value): (usize, &RawValue<'a>)| {
        let (point, _) = trim(value.as_bytes());
        // The points of a rectangle have no order for labels. A point has no backslash; one before trimmed white
        // space would escape the colon.
        let is_point = !point.is_empty() && !point.contains(&b':') && !point.contains(&b'\\');
        is_point.then(|| Cow::Owned([point, b":", &letter(n)].concat()))
    };
    values.iter().enumerate().map(label).collect()
}

/// Returns `A` for 0, `Z` for 25, `AA` for 26.
fn letter(mut n: usize) -> Vec<u8> {
    let mut letters = Vec::new();
    loop {
        letters.push(b'A' + (n % 26) as u8);
        match n / 26 {
            0 => break,
            rest => n = rest - 1,
        }
    }
    letters.reverse();
    letters
}

/// Converts two opposite corners, in any order, to a rectangle.
fn corners<'a>(values: &[RawValue<'a>]) -> Option<Values<'a>> {
    let [first, second] = values else { return None };
    let point = |value: &RawValue<'_>| match trim(value.as_bytes()).0 {
        // FF[3] has boards of up to 19x19.
        [column @ b'a'..=b's', row @ b'a'..=b's'] => Some((*column, *row)),
        _ => None,
    };
    let ((a, b), (c, d)) = (point(first)?, point(second)?);
    Some(vec![match (a, b) == (c, d) {
        // FF[4] has no rectangles of one point.
        true => Cow::Owned(vec![a, b]),
        false => Cow::Owned(vec![a.min(c), b.min(d), b':', a.max(c), b.max(d)]),
    }])
}

/// Converts a time in Brouwer's format to seconds: a Real with an optional `s`, `m` or `h`.
fn seconds<'a>(value: RawValue<'a>) -> Option<Cow<'a, [u8]>> {
    let (raw, _) = trim(value.as_bytes());
    let (number, factor) = match raw {
        [number @ .., b's'] => (number, 1.0),
        [number @ .., b'm'] => (number, 60.0),
        [number @ .., b'h'] => (number, 3600.0),
        number => return Real::parse(number).ok().map(|_| Cow::Borrowed(number)),
    };
    let seconds = Real::new(Real::parse(number).ok()?.get() * factor)?;
    Some(seconds.to_string().into_bytes().into())
}
