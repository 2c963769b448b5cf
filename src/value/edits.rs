//! For tests: values that are nearly right, and the laws that every type keeps on them.

use quickcheck::{Arbitrary, Gen};

/// Changes to make to a sample: most of what they give still looks like a value.
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

/// The laws of reading, over samples with edits and over any bytes: lenient reading gives what
/// strict reading gives, whatever is read prints to what reads back, errors lie within the value.
/// `again` reads back.
macro_rules! reading_laws {
    ($type:ty, $again:expr, $samples:expr) => {
        #[test]
        fn strict_reading_is_kept_by_lenient_reading_and_both_read_back() {
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
            fn edited(edits: $crate::value::edits::Edits) -> bool {
                law(&edits.of(&$samples))
            }
            fn any(raw: Vec<u8>) -> bool {
                law(&raw)
            }
            $samples.iter().for_each(|sample| assert!(law(sample.as_bytes()), "{sample}"));
            quickcheck::QuickCheck::new().tests(3000).quickcheck(edited as fn($crate::value::edits::Edits) -> bool);
            quickcheck::quickcheck(any as fn(Vec<u8>) -> bool);
        }
    };
    ($type:ty, $samples:expr) => {
        $crate::value::edits::reading_laws!($type, |raw| <$type>::parse(raw), $samples);
    };
}

pub(crate) use reading_laws;
