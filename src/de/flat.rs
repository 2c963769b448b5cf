//! Structs with `#[serde(flatten)]`, which serde requests as maps without naming their fields.
//!
//! Their derived keys are an enum, with a variant for each field and one for all other names. Keys can be deserialized
//! at any time: a name is that of a field if its variant differs from that of a name that no field can have.

use std::any::type_name;
use std::cell::Cell;
use std::mem::discriminant;

use serde::de::value::SeqDeserializer;
use serde::de::{Deserialize, Deserializer, Unexpected, Visitor};
use serde::forward_to_deserialize_any;

use super::error::{Error, Result};
use super::node::REST;
use super::value::name;
use super::wants::{STEPS, Wants};

/// Returns whether a type is that of the keys of a derived struct. A map of such keys is a struct with flattened fields.
#[inline]
fn is_derived<K>() -> bool {
    type_name::<K>().contains("::__Field")
}

/// Returns whether these keys include a name.
fn include<'de, K: Deserialize<'de>>(key: &'static str) -> bool {
    let variant = |key| K::deserialize(name(key)).ok().map(|key| discriminant(&key));
    variant(key) != variant("$")
}

/// Returns the parts of a tree that a struct with flattened fields names, given the type of its keys.
///
/// For the keys of a map this is `None`.
pub(super) fn wants<'de, K: Deserialize<'de>>() -> Result<Option<Wants>> {
    if !is_derived::<K>() {
        return Ok(None);
    }
    refuse_rest::<K>()?;
    let fields: Vec<_> = STEPS.into_iter().filter(|&key| include::<K>(key)).collect();
    Wants::of(&fields).map(Some)
}

/// Fails if a struct has flattened fields and `$rest`, given the type of its keys.
pub(super) fn refuse_rest<'de, K: Deserialize<'de>>() -> Result<()> {
    if is_derived::<K>() && include::<K>(REST) {
        return Err(Error::data(
            "expected `$rest` or `#[serde(flatten)]`, found both: serde does not tell which properties the flattened \
             field takes; name its properties in the struct itself, or flatten a `Properties` instead of `$rest`",
        ));
    }
    Ok(())
}

/// The keys that a flattened field must not name, after one that no type names. Maps take that one too.
const FOREIGN: [&str; 7] = ["$", "$root", "$rest", "$line", "$mainline", "$nodes", "$variations"];

/// The start of a value that no field can be read from. The number of its key follows.
const MARK: &[u8] = b"\xFF$sgf_stream::flat\xFF";

thread_local! {
    /// The first key of [`FOREIGN`] whose value was refused by a type. The type may hide the error.
    static REFUSED: Cell<Option<u8>> = const { Cell::new(None) };
}

/// Notes the key of a value that a type refuses.
#[cold]
pub(super) fn note_refused(found: Unexpected<'_>) {
    if let Unexpected::Bytes(bytes) = found
        && let Some(&[number]) = bytes.strip_prefix(MARK)
        && REFUSED.get().is_none()
    {
        REFUSED.set(Some(number));
    }
}

/// The value of a key that a flattened field must not name.
pub(super) struct Mark(u8);

impl<'de> Deserializer<'de> for Mark {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_bytes(&[MARK, &[self.0]].concat())
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// An empty list of nodes or variations.
pub(super) struct NoParts;

impl<'de> Deserializer<'de> for NoParts {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_seq(SeqDeserializer::<_, Error>::new(std::iter::empty::<u8>()))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// What is known of a struct with flattened fields.
///
/// serde does not tell the fields of a flattened struct. If it names `$mainline` with a default, its moves would be lost
/// without an error. A type is therefore first given the root and values that cannot be read, with the names of all such
/// keys. If a field refuses one of them, the type names the key, which is an error. Otherwise the type is called again, by
/// the caller that called it. A type with a seed, which can be called only once, is not tested.
pub(super) struct Flat {
    /// The name of the type of its keys.
    keys: &'static str,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Untested,
    /// The type is being given values that cannot be read.
    Testing,
    /// The test failed for another reason, in this game.
    Inconclusive,
    Sound,
    /// A flattened field names this key.
    Names(&'static str),
}

impl Flat {
    pub(super) const NEW: Flat = Flat { keys: "", state: State::Untested };

    /// Returns whether to test a struct, given the type of its keys.
    ///
    /// Fails if its flattened fields name a special key.
    pub(super) fn begins_test<K>(&mut self, may_ask: &mut bool) -> Result<bool> {
        if self.keys != type_name::<K>() {
            *self = Flat { keys: type_name::<K>(), state: State::Untested };
        }
        match self.state {
            State::Names(key) => Err(Error::data(format_args!(
                "expected `{key}` in the struct that has the `#[serde(flatten)]`, found it in the flattened field, \
                 which receives properties only; move it"
            ))),
            State::Untested if std::mem::take(may_ask) => {
                REFUSED.set(None);
                self.state = State::Testing;
                Ok(true)
            }
            State::Inconclusive => {
                self.state = State::Untested;
                Ok(false)
            }
            State::Untested | State::Testing | State::Sound => Ok(false),
        }
    }

    /// Ends a test. Returns whether there was one, so that the type must be called again.
    #[inline]
    pub(super) fn ends_test(&mut self, is_err: bool) -> bool {
        if self.state != State::Testing {
            return false;
        }
        self.state = match REFUSED.take() {
            // A map takes all keys.
            Some(0) => State::Sound,
            Some(number) => State::Names(FOREIGN[usize::from(number)]),
            None if is_err => State::Inconclusive,
            None => State::Sound,
        };
        true
    }
}

/// Returns the nth key of a test; `None` at the end.
pub(super) fn foreign_key(n: u8) -> Option<&'static str> {
    FOREIGN.get(usize::from(n)).copied()
}

/// The kind of a key in a test.
pub(super) enum Key {
    /// `$root`, which the struct itself names.
    Root,
    /// Another part that the struct itself names. It is empty in a test.
    List,
    Foreign(Mark),
}

impl Key {
    /// Returns the kind of the nth key, given the parts that the struct itself names.
    pub(super) fn of(n: u8, own: Wants) -> Key {
        match STEPS.iter().position(|step| Some(*step) == foreign_key(n)) {
            Some(step) if own.first_from(step as u8) == Some(step as u8) => {
                if step == 0 {
                    Key::Root
                } else {
                    Key::List
                }
            }
            _ => Key::Foreign(Mark(n)),
        }
    }
}
