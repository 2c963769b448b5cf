//! What trees and nodes are not.

/// The methods for scalars, which all answer that they find something else.
macro_rules! refuse_scalars {
    ($refuse:ident) => {
        $crate::de::refuse_scalars! { $refuse:
            deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
            deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_f32 deserialize_f64
            deserialize_char deserialize_str deserialize_string deserialize_bytes deserialize_byte_buf
            deserialize_identifier
        }
    };
    ($refuse:ident: $($method:ident)+) => { $(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            $refuse(&visitor)
        }
    )+ };
}

pub(super) use refuse_scalars;
