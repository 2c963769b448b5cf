//! What a tree can be given as a value, besides the types of `value`.

use crate::property::TypedValue;
use crate::value::print::{Printer, ToProperty};
use crate::value::{AnyMove, AnyPoint, AnyRect, AnyStone, Escaped};

macro_rules! as_it_prints {
    ($($type:ty)+) => { $(
        impl ToProperty for $type {
            fn print(&self, to: &mut Printer) {
                to.put(self);
            }
        }
    )+ };
}

as_it_prints! {
    AnyMove AnyPoint AnyRect AnyStone TypedValue
    i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize
}

impl ToProperty for str {
    fn print(&self, to: &mut Printer) {
        to.put(&Escaped(self));
    }
}

impl ToProperty for String {
    fn print(&self, to: &mut Printer) {
        self.as_str().print(to);
    }
}

macro_rules! floats {
    ($($type:ty)+) => { $(
        impl ToProperty for $type {
            fn print(&self, to: &mut Printer) {
                to.is_not_finite |= !self.is_finite();
                // Without an exponent, and without `#`; adding zero makes negative zero positive.
                to.put(&format_args!("{}", self + 0.0));
            }
        }
    )+ };
}

floats! { f32 f64 }

impl ToProperty for bool {
    fn print(&self, to: &mut Printer) {
        to.is_absent = !self;
    }
}

impl ToProperty for () {
    fn print(&self, _: &mut Printer) {}
}

impl<A: ToProperty, B: ToProperty> ToProperty for (A, B) {
    fn print(&self, to: &mut Printer) {
        to.in_compose = true;
        self.0.print(to);
        to.text.push(':');
        self.1.print(to);
        to.is_absent = false;
    }
}

impl<T: ToProperty + ?Sized> ToProperty for &T {
    fn print(&self, to: &mut Printer) {
        (**self).print(to);
    }
}
