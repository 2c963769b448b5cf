//! Prints values to be set in a tree.

use std::fmt::Write;

use crate::property::TypedValue;
use crate::value::{
    AnyMove, AnyPoint, AnyRect, AnyStone, Application, Color, Compose, Dates, Double, Figure, GameResult, GridPoint,
    Handicap, Komi, NoValue, Number, Overtime, Rank, Real, Rect, Round, Ruleset, Seconds, SgfValue, SimpleText, Size,
    Text,
};

/// A type that can be the value of a property: see [`GameTree::set`](super::GameTree::set).
///
/// Implemented for the types of [`value`](crate::value) in their canonical form, [`TypedValue`], strings (as
/// texts, which are escaped), integers, `f64` and `f32`, `()` (the empty value), `bool` (`true` is the empty
/// value, `false` no property at all), and pairs of these, composed.
pub trait ToProperty {
    /// Appends the value in UTF-8, as written between the brackets; in a composed value, with its colons
    /// escaped.
    fn print(&self, in_compose: bool, out: &mut String);

    /// Returns whether SGF can hold the value; it cannot hold infinite numbers and NaN. Default: yes.
    fn is_writable(&self) -> bool {
        true
    }

    /// Returns whether the value stands for an absent property, as `false` does. Default: no.
    fn is_absent(&self) -> bool {
        false
    }
}

/// Panic message for a failure to print, which would be a bug of this crate.
const PRINTS: &str = "values print, and writing to a string does not fail";

macro_rules! as_it_prints {
    ($($type:ty)+) => { $(
        impl ToProperty for $type {
            fn print(&self, in_compose: bool, out: &mut String) {
                let printed = if in_compose { write!(out, "{self:#}") } else { write!(out, "{self}") };
                printed.expect(PRINTS);
            }
        }
    )+ };
}

as_it_prints! {
    NoValue Number Real Double Color SimpleText Text
    Application Dates Figure GameResult Handicap Komi Overtime Rank Round Ruleset Seconds Size
    AnyMove AnyPoint AnyRect AnyStone TypedValue
}

macro_rules! of_notations {
    (points: $($point:ty)+; others: $($other:ty)+;) => { as_it_prints! { $($point)+ $($other)+ } };
}

crate::value::games::notation_types!(of_notations);

impl<P: GridPoint> ToProperty for Rect<P> {
    fn print(&self, _: bool, out: &mut String) {
        write!(out, "{self}").expect(PRINTS);
    }
}

impl<A, B> ToProperty for Compose<A, B>
where
    Self: SgfValue + std::fmt::Display,
{
    fn print(&self, _: bool, out: &mut String) {
        write!(out, "{self}").expect(PRINTS);
    }
}

impl ToProperty for str {
    fn print(&self, in_compose: bool, out: &mut String) {
        Text::new(self).print(in_compose, out);
    }
}

impl ToProperty for String {
    fn print(&self, in_compose: bool, out: &mut String) {
        self.as_str().print(in_compose, out);
    }
}

macro_rules! integers {
    ($($type:ty)+) => { $(
        impl ToProperty for $type {
            fn print(&self, _: bool, out: &mut String) {
                write!(out, "{self}").expect(PRINTS);
            }
        }
    )+ };
}

integers! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

macro_rules! floats {
    ($($type:ty)+) => { $(
        impl ToProperty for $type {
            fn print(&self, _: bool, out: &mut String) {
                // Without an exponent; adding zero makes negative zero positive.
                let _ = write!(out, "{}", self + 0.0);
            }

            fn is_writable(&self) -> bool {
                self.is_finite()
            }
        }
    )+ };
}

floats! { f32 f64 }

impl ToProperty for bool {
    fn print(&self, _: bool, _: &mut String) {}

    fn is_absent(&self) -> bool {
        !self
    }
}

impl ToProperty for () {
    fn print(&self, _: bool, _: &mut String) {}
}

impl<A: ToProperty, B: ToProperty> ToProperty for (A, B) {
    fn print(&self, _: bool, out: &mut String) {
        self.0.print(true, out);
        out.push(':');
        self.1.print(true, out);
    }

    fn is_writable(&self) -> bool {
        self.0.is_writable() && self.1.is_writable()
    }
}

impl<T: ToProperty + ?Sized> ToProperty for &T {
    fn print(&self, in_compose: bool, out: &mut String) {
        (**self).print(in_compose, out);
    }

    fn is_writable(&self) -> bool {
        (**self).is_writable()
    }

    fn is_absent(&self) -> bool {
        (**self).is_absent()
    }
}
