//! The trait of types that can be set as values in a tree.

use std::fmt::{Display, Write};

/// A type that can be the value of a property; see [`GameTree::set`](crate::tree::GameTree::set).
///
/// The trait is sealed.
///
/// Implemented for the types of [`value`](crate::value) in their canonical form, [`TypedValue`](crate::property::TypedValue), strings (as
/// texts, which are escaped), integers, `f64` and `f32`, `()` (the empty value), `bool` (`true` is the empty
/// value, `false` no property at all), and pairs of these, composed.
pub trait ToProperty {
    #[doc(hidden)]
    fn print(&self, to: &mut Printer);
}

/// A printed value.
#[derive(Default)]
pub struct Printer {
    /// The value in UTF-8, as written between the brackets.
    pub(crate) text: String,
    /// Whether the value is a component of a composed one, so that its colons are escaped.
    pub(crate) in_compose: bool,
    /// Whether the value stands for an absent property, as `false` does.
    pub(crate) is_absent: bool,
    /// Whether a number is infinite or NaN, which SGF cannot represent.
    pub(crate) is_not_finite: bool,
}

impl Printer {
    pub(crate) fn of(value: impl ToProperty) -> Self {
        let mut printed = Printer::default();
        value.print(&mut printed);
        printed
    }

    pub(crate) fn put(&mut self, value: &impl Display) {
        let out = &mut self.text;
        let printed = if self.in_compose { write!(out, "{value:#}") } else { write!(out, "{value}") };
        printed.expect("values print, and writing to a string does not fail");
    }
}
