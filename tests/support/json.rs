//! Typed values through JSON: what was read comes back.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use sgf_stream::RawValue;
use sgf_stream::value::*;

use super::values::for_every_type;

/// One value, as every type.
pub fn types(raw: &[u8]) {
    for_every_type!(comes_back, raw);
    comes_back::<GameResult>(raw);
    comes_back::<Ruleset>(raw);
}

fn comes_back<T: SgfValue + Serialize + DeserializeOwned + Debug + PartialEq>(raw: &[u8]) {
    let Ok(read) = T::from_raw_lenient(RawValue::new(raw)) else { return };
    let json = serde_json::to_string(&read).expect("every value can be written");
    assert_eq!(serde_json::from_str::<T>(&json).as_ref().ok(), Some(&read), "{json}");
    let value = serde_json::to_value(&read).expect("every value can be written");
    assert_eq!(T::deserialize(&value).as_ref().ok(), Some(&read), "{value}");
}

/// Some values, as a list of points.
pub fn list(values: &[&[u8]]) {
    let Ok(list) = PointList::<go::Point>::parse_lenient(values) else { return };
    let json = serde_json::to_string(&list).expect("every value can be written");
    let again: PointList = serde_json::from_str(&json).expect("what was written is read");
    assert_eq!((again.points(), again.repeated()), (list.points(), &[][..]), "{json}");
}
