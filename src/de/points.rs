//! Deserializes point lists: `AB[aa:ba][cc]` has three points.

use serde::de::value::StringDeserializer;
use serde::de::{DeserializeSeed, Deserializer, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;

use super::error::{Error, Result};
use super::value::Value;
use super::values::ValuesOf;
use crate::raw::RawValue;
use crate::value::typed::serde_impl::{ON_BOARD, RAW, RECT};
use crate::value::typed::trim;
use crate::value::{AnyRect, Budget, PointList};

/// Maximum number of points of a property. A rectangle of any size takes only a few bytes.
const MAX_POINTS: u32 = <PointList>::MAX_POINTS as u32;

/// The elements of a point list. Single points are yielded as written, rectangles in canonical form, point by point,
/// or whole for types that request them ([`RECT`]). The element type parses values that are not rectangles.
pub(super) struct Points<'r, 'de> {
    values: ValuesOf<'r, 'de>,
    rect: Option<Open>,
    /// The points that may follow those yielded or started.
    budget: Budget,
}

/// A rectangle that is being expanded.
struct Open {
    rect: AnyRect,
    at: u64,
    next: u64,
    area: u64,
}

impl<'r, 'de> Points<'r, 'de> {
    pub(super) fn new(values: ValuesOf<'r, 'de>) -> Self {
        Points { values, rect: None, budget: Budget::new(MAX_POINTS) }
    }

    /// Fails if elements are left.
    pub(super) fn expect_end(mut self, len: usize) -> Result<()> {
        let mut more = self.rect.take().map_or(0, |open| open.area - open.next) as usize;
        more += self.values.by_ref().filter(|value| !trim(value.raw.get()).0.is_empty()).count();
        if more == 0 { Ok(()) } else { Err(Error::count(len, len + more, "point")) }
    }

    /// Returns the rectangle that a value denotes, unless it is a single point.
    fn open(value: &Value<'_, '_>) -> Option<Open> {
        let raw = value.raw.get();
        RawValue::new(raw).compose()?;
        let context = value.env.known_context();
        let rect = AnyRect::parse_lenient(raw, context.game(), context.board()).ok()?;
        let area = rect.count()?;
        Some(Open { rect, at: value.at, next: 0, area })
    }
}

impl Points<'_, '_> {
    /// Adds to the number of points, within the limit.
    fn add(&mut self, points: u64, at: u64) -> Result<()> {
        if self.budget.take(points) {
            return Ok(());
        }
        Err(Error::data("the point list exceeds the limit of 1,000,000 points").at(at))
    }
}

impl<'de> SeqAccess<'de> for Points<'_, 'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        loop {
            if let Some(open) = &mut self.rect {
                let (n, area, at) = (open.next, open.area, open.at);
                if n < area {
                    open.next += 1;
                    let Some(point) = open.rect.nth(n).map(|point| point.to_string()) else {
                        debug_assert!(false, "a game names all points of a rectangle between two that it names");
                        return Err(Error::data("expected a rectangle of points that the game can name").at(at));
                    };
                    match n {
                        // The element type may take the rectangle as a whole.
                        0 => self.add(1, at)?,
                        // The type takes single points: all others follow.
                        1 => {
                            self.add(area - 1, at)?;
                            self.values.env.expand(area - 1).map_err(|error| error.at(at))?;
                        }
                        _ => {}
                    }
                    let rect = (n == 0).then_some(&mut self.rect);
                    return seed.deserialize(Point { point, rect }).map(Some).map_err(|error| error.near(at));
                }
                self.rect = None;
            }
            let Some(value) = self.values.next() else { return Ok(None) };
            if trim(value.raw.get()).0.is_empty() {
                continue; // an empty list, to which others are appended
            }
            self.rect = Points::open(&value);
            if self.rect.is_none() {
                self.add(1, value.at)?;
                return seed.deserialize(value).map(Some).map_err(|error| error.at(value.at));
            }
        }
    }

    fn size_hint(&self) -> Option<usize> {
        SeqAccess::size_hint(&self.values)
    }
}

/// A point of a rectangle. Points have no escapes in any notation, so raw and unescaped bytes are equal.
struct Point<'p> {
    point: String,
    /// The rectangle, if this is its first point, for types that take it whole.
    rect: Option<&'p mut Option<Open>>,
}

impl<'de> Deserializer<'de> for Point<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_string(self.point)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_bool(true)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_byte_buf(self.point.into_bytes())
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        match name {
            RECT => match self.rect.and_then(Option::take) {
                Some(open) => visitor.visit_string(open.rect.to_string()),
                None => visitor.visit_string(self.point),
            },
            RAW | ON_BOARD => visitor.visit_string(self.point),
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        StringDeserializer::new(self.point).deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string unit unit_struct
        seq tuple tuple_struct map struct identifier ignored_any
    }
}
