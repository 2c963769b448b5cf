//! The kinds of bytes in a value, for the rules that hold for all values.

/// The kinds of bytes that a value has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Glance(u8);

/// Values longer than this are searched for one kind of bytes after the other, which takes longer to begin.
const SHORT: usize = 32;

/// The kind of each byte.
static KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    (kinds[b'[' as usize], kinds[0]) = (Glance::BRACKET.0, Glance::NUL.0);
    let mut byte = 0x80;
    while byte < kinds.len() {
        kinds[byte] = Glance::HIGH.0;
        byte += 1;
    }
    kinds
};

impl Glance {
    /// A `[`.
    const BRACKET: Glance = Glance(1);
    const NUL: Glance = Glance(1 << 1);
    /// A byte that is not ASCII.
    const HIGH: Glance = Glance(1 << 2);

    /// Looks at each byte once, or nearly so.
    #[inline]
    pub(super) fn at(raw: &[u8]) -> Self {
        if raw.len() <= SHORT {
            return Glance(raw.iter().fold(0, |kinds, &byte| kinds | KINDS[usize::from(byte)]));
        }
        let kind = |kind: Glance, is_there| if is_there { kind.0 } else { 0 };
        let has = |byte| memchr::memchr(byte, raw).is_some();
        Glance(kind(Self::BRACKET, has(b'[')) | kind(Self::NUL, has(0)) | kind(Self::HIGH, !raw.is_ascii()))
    }

    #[inline]
    pub(super) fn has_bracket(self) -> bool {
        self.has(Self::BRACKET)
    }

    #[inline]
    pub(super) fn has_nul(self) -> bool {
        self.has(Self::NUL)
    }

    #[inline]
    pub(super) fn is_ascii(self) -> bool {
        !self.has(Self::HIGH)
    }

    #[inline]
    fn has(self, kind: Glance) -> bool {
        self.0 & kind.0 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    quickcheck! {
        fn a_glance_sees_what_is_there(picks: Vec<u8>) -> bool {
            let raw: Vec<u8> = picks.iter().map(|pick| b"[\0\x80\xFFabcdefghijklmnop]:"[usize::from(pick % 22)]).collect();
            let glance = Glance::at(&raw);
            (glance.has_bracket(), glance.has_nul(), glance.is_ascii())
                == (raw.contains(&b'['), raw.contains(&0), raw.is_ascii())
        }
    }
}
