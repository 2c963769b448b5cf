//! Test support: the laws of every typed value, for generated values ([`printing_laws`]) and for nearly valid input
//! ([`parsing_laws`]).

use std::fmt;

use quickcheck::{Arbitrary, Gen};

use super::{RawValue, SgfValue};

/// Random edits of a sample, most of which leave it looking like a value.
#[derive(Clone, Debug)]
pub(crate) struct Edits {
    sample: usize,
    changes: Vec<(usize, Change)>,
}

#[derive(Clone, Copy, Debug)]
enum Change {
    Put(u8),
    Insert(u8),
    Remove,
}

impl Arbitrary for Edits {
    fn arbitrary(g: &mut Gen) -> Self {
        let common = b"0123456789 \\:,.-+/()?*xXBWbwRrkdp\n\t";
        let byte = |g: &mut Gen| if u8::arbitrary(g) < 240 { *g.choose(common).unwrap() } else { u8::arbitrary(g) };
        let changes = (0..u8::arbitrary(g) % 4)
            .map(|_| {
                let change = match u8::arbitrary(g) % 3 {
                    0 => Change::Put(byte(g)),
                    1 => Change::Insert(byte(g)),
                    _ => Change::Remove,
                };
                (usize::arbitrary(g), change)
            })
            .collect();
        Edits { sample: usize::arbitrary(g), changes }
    }
}

impl Edits {
    pub(crate) fn of(&self, samples: &[&str]) -> Vec<u8> {
        let mut raw = samples[self.sample % samples.len()].as_bytes().to_vec();
        for &(at, change) in &self.changes {
            match change {
                Change::Insert(byte) => raw.insert(at % (raw.len() + 1), byte),
                _ if raw.is_empty() => {}
                Change::Put(byte) => {
                    let at = at % raw.len();
                    raw[at] = byte;
                }
                Change::Remove => drop(raw.remove(at % raw.len())),
            }
        }
        raw
    }
}

/// Tests the laws of parsing on edited samples and on random bytes.
///
/// A value that parses strictly parses leniently to the same result, every parsed value round-trips through
/// `Display`, and error offsets are within the value. `$again` parses the printed value.
macro_rules! parsing_laws {
    ($type:ty, $again:expr, $samples:expr) => {
        #[test]
        fn parsing_laws_hold() {
            fn law(raw: &[u8]) -> bool {
                let (strict, lenient) = (<$type>::parse(raw), <$type>::parse_lenient(raw));
                let again: fn(String) -> Result<$type, $crate::value::ValueError> = $again;
                for error in [&strict, &lenient].into_iter().filter_map(|read| read.as_ref().err()) {
                    assert!(error.at() <= raw.len(), "{error} in {:?}", raw.escape_ascii().to_string());
                }
                if let Ok(value) = &lenient {
                    assert_eq!(again(value.to_string()).as_ref(), Ok(value), "{:?}", raw.escape_ascii().to_string());
                }
                strict.is_err() || strict == lenient
            }
            fn edited(edits: $crate::value::laws::Edits) -> bool {
                law(&edits.of(&$samples))
            }
            fn any(raw: Vec<u8>) -> bool {
                law(&raw)
            }
            $samples.iter().for_each(|sample| assert!(law(sample.as_bytes()), "{sample}"));
            quickcheck::holds(3000, edited as fn($crate::value::laws::Edits) -> bool);
            quickcheck::holds(1000, any as fn(Vec<u8>) -> bool);
        }
    };
    ($type:ty, $samples:expr) => {
        $crate::value::laws::parsing_laws!($type, |raw| <$type>::parse(raw), $samples);
    };
}

/// Tests the laws of printing on generated values.
///
/// A printed value parses back in both modes. On edits of it, and on random bytes, lenient agrees with strict
/// parsing, and nothing panics. With several types, each has its own module:
/// `printing_laws!(points: Point, moves: Move)`.
macro_rules! printing_laws {
    ($($module:ident: $type:ty),+) => {
        $(
            mod $module {
                use super::*;
                $crate::value::laws::printing_laws!($type);
            }
        )+
    };
    ($type:ty) => {
        quickcheck::quickcheck! {
            fn printed_values_parse_back(value: $type) -> bool {
                let printed = value.to_string();
                <$type>::parse(&printed).as_ref() == Ok(&value) && <$type>::parse_lenient(&printed) == Ok(value)
            }

            fn lenient_agrees_with_strict(value: $type, at: usize, byte: u8, instead: bool) -> bool {
                let mut raw = value.to_string().into_bytes();
                let at = at % (raw.len() + 1);
                let byte = if byte < 128 { byte } else { b" :-+xX!,.[a9"[usize::from(byte) % 12] };
                raw.splice(at..raw.len().min(at + usize::from(instead)), [byte]);
                let (strict, lenient) = (<$type>::parse(&raw), <$type>::parse_lenient(&raw));
                let within = [&strict, &lenient].iter().all(|r| r.as_ref().err().is_none_or(|e| e.at() <= raw.len()));
                within && (strict.is_err() || strict == lenient)
            }

            fn random_bytes_do_not_panic(raw: Vec<u8>) -> bool {
                let (strict, lenient) = (<$type>::parse(&raw), <$type>::parse_lenient(&raw));
                strict.is_err() || strict == lenient
            }
        }
    };
}

/// Asserts that strict parsing rejects each value with this expectation at this byte offset.
pub(crate) fn assert_faults<T: SgfValue + fmt::Debug>(rows: &[(&str, &str, usize)]) {
    for &(raw, expected, at) in rows {
        let error = T::from_raw(RawValue::new(raw.as_bytes())).unwrap_err();
        assert_eq!((error.kind(), error.expected(), error.at()), (T::KIND, expected, at), "{raw:?}");
    }
}

pub(crate) use {parsing_laws, printing_laws};
