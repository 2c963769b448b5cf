//! Macros that define the methods of a deserializer in a table.
//!
//! serde's `Deserializer` has thirty methods, and few of them are specific to a type: the others fail, or behave like
//! another method. [`answer!`] defines those. Each row lists methods and their common body; the names before the rows
//! are the parameters used in the bodies:
//!
//! ```text
//! answer! { self, visitor:
//!     deserialize_option => visitor.visit_some(self);
//!     deserialize_unit deserialize_unit_struct => visitor.visit_unit();
//!     deserialize_str deserialize_string => self.visit_text(visitor);
//! }
//! ```
//!
//! No such body needs the further parameters of some methods (a name, a length, the fields). [`hand_on!`] forwards a
//! method with all its parameters to another deserializer.

macro_rules! answer {
    ($self:ident, $visitor:ident: $($($method:ident)+ => $answer:expr;)+) => { $( $(
        $crate::de::with_parameters! { $method => answer_one $self $visitor $answer }
    )+ )+ };
}

/// Defines methods that call themselves on the deserializer that `self.$way` passes to a closure.
macro_rules! hand_on {
    ($way:ident: $($method:ident)+) => { $(
        $crate::de::with_parameters! { $method => hand_on_one $way }
    )+ };
}

/// Defines all scalar methods with one body.
macro_rules! answer_scalars {
    ($self:ident, $visitor:ident: $answer:expr) => {
        $crate::de::answer! { $self, $visitor:
            deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
            deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_f32 deserialize_f64
            deserialize_char deserialize_str deserialize_string deserialize_bytes deserialize_byte_buf
            deserialize_identifier => $answer;
        }
    };
}

/// Adds the parameters that a method has between `self` and the visitor.
macro_rules! with_parameters {
    (deserialize_tuple => $then:ident $($rest:tt)*) => {
        $crate::de::$then! { deserialize_tuple (_len: usize) $($rest)* }
    };
    (deserialize_tuple_struct => $then:ident $($rest:tt)*) => {
        $crate::de::$then! { deserialize_tuple_struct (_name: &'static str, _len: usize) $($rest)* }
    };
    (deserialize_struct => $then:ident $($rest:tt)*) => {
        $crate::de::$then! { deserialize_struct (_name: &'static str, _fields: &'static [&'static str]) $($rest)* }
    };
    (deserialize_enum => $then:ident $($rest:tt)*) => {
        $crate::de::$then! { deserialize_enum (_name: &'static str, _variants: &'static [&'static str]) $($rest)* }
    };
    (deserialize_unit_struct => $then:ident $($rest:tt)*) => {
        $crate::de::$then! { deserialize_unit_struct (_name: &'static str) $($rest)* }
    };
    (deserialize_newtype_struct => $then:ident $($rest:tt)*) => {
        $crate::de::$then! { deserialize_newtype_struct (_name: &'static str) $($rest)* }
    };
    ($method:ident => $then:ident $($rest:tt)*) => {
        $crate::de::$then! { $method () $($rest)* }
    };
}

macro_rules! answer_one {
    ($method:ident ($($name:ident: $type:ty),*) $self:ident $visitor:ident $answer:expr) => {
        fn $method<V: Visitor<'de>>($self, $($name: $type,)* $visitor: V) -> Result<V::Value> {
            $answer
        }
    };
}

macro_rules! hand_on_one {
    ($method:ident ($($name:ident: $type:ty),*) $way:ident) => {
        fn $method<V: Visitor<'de>>(self, $($name: $type,)* visitor: V) -> Result<V::Value> {
            self.$way(|other| other.$method($($name,)* visitor))
        }
    };
}

pub(super) use {answer, answer_one, answer_scalars, hand_on, hand_on_one, with_parameters};
