//! Tests of short texts, eight bytes at a time.
//!
//! Values have about ten bytes. Wider registers are faster from about fifty bytes on.

/// Eight bytes of a text.
#[derive(Clone, Copy)]
pub(crate) struct Word(u64);

const ONES: u64 = u64::MAX / 0xFF;
const HIGH: u64 = 0x80 * ONES;

impl Word {
    /// Returns a number other than 0 if a byte is less than `limit`, which is at most 0x80.
    #[inline(always)]
    pub(crate) fn below(self, limit: u8) -> u64 {
        // The subtraction borrows from the highest bit of a byte that is less, if that bit was not set.
        self.0.wrapping_sub(ONES * u64::from(limit)) & !self.0 & HIGH
    }

    /// Returns a number other than 0 if a byte is equal to `byte`.
    #[inline(always)]
    pub(crate) fn equal(self, byte: u8) -> u64 {
        Word(self.0 ^ (ONES * u64::from(byte))).below(1)
    }

    /// Returns a number other than 0 if a byte is not ASCII.
    #[inline(always)]
    pub(crate) fn not_ascii(self) -> u64 {
        self.0 & HIGH
    }
}

/// Returns whether a test is 0 for all words of a text. The last word may overlap the one before.
#[inline(always)]
pub(crate) fn has_none(text: &[u8], test: impl Fn(Word) -> u64) -> bool {
    let has_none = |bytes: &[u8; 8]| test(Word(u64::from_le_bytes(*bytes))) == 0;
    match (text.as_chunks(), text.last_chunk()) {
        ((words, _), Some(last)) => words.iter().all(has_none) && has_none(last),
        _ => short(text).is_none_or(|word| test(word) == 0),
    }
}

/// Returns the bytes of a text of up to seven bytes, some of them repeated. `None` for an empty text.
#[inline(always)]
fn short(text: &[u8]) -> Option<Word> {
    let four = |bytes: &[u8; 4]| u64::from(u32::from_le_bytes(*bytes));
    let two = |bytes: &[u8; 2]| u64::from(u16::from_le_bytes(*bytes));
    if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
        return Some(Word(four(first) | four(last) << 32));
    }
    match (text.first_chunk(), text.last_chunk()) {
        (Some(first), Some(last)) => Some(Word((two(first) | two(last) << 16) * (1 | 1 << 32))),
        _ => text.first().map(|&byte| Word(ONES * u64::from(byte))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    quickcheck! {
        fn words_are_tested_as_their_bytes_are(text: Vec<u8>, limit: u8, wanted: u8) -> bool {
            let limit = limit % 0x81;
            let wanted = text.first().map_or(wanted, |&first| first.wrapping_add(wanted % 2));
            has_none(&text, |word| word.below(limit)) == text.iter().all(|&byte| byte >= limit)
                && has_none(&text, |word| word.equal(wanted)) == text.iter().all(|&byte| byte != wanted)
                && has_none(&text, Word::not_ascii) == text.is_ascii()
        }
    }
}
