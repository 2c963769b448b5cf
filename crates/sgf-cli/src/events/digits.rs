//! Decimal digits of offsets. Most offsets follow one another closely.

/// A number and its digits.
pub(super) struct Digits {
    number: u64,
    /// The digits, and any bytes after them.
    bytes: [u8; Digits::MAX],
    len: usize,
}

impl Digits {
    /// The most digits of a number.
    const MAX: usize = 20;

    pub(super) fn new(number: u64) -> Self {
        let mut digits = Digits { number, bytes: [b'0'; Digits::MAX], len: 0 };
        digits.write();
        digits
    }

    /// Changes the number.
    #[inline]
    pub(super) fn set(&mut self, number: u64) {
        let more = number.checked_sub(self.number).unwrap_or(u64::MAX);
        self.number = number;
        if let Some(last) = self.bytes.get_mut(self.len.wrapping_sub(1))
            && more < 10
            && *last + more as u8 <= b'9'
        {
            *last += more as u8;
        } else {
            self.write();
        }
    }

    fn write(&mut self) {
        let (mut digits, mut start, mut rest) = ([0; Digits::MAX], Digits::MAX, self.number);
        loop {
            start -= 1;
            digits[start] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        self.len = Digits::MAX - start;
        self.bytes[..self.len].copy_from_slice(&digits[start..]);
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Returns the digits, with other bytes after them, and their number.
    #[inline]
    pub(super) fn padded(&self) -> (&[u8; Digits::MAX], usize) {
        (&self.bytes, self.len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_follow_the_number_wherever_it_goes() {
        let mut digits = Digits::new(0);
        assert_eq!(digits.as_bytes(), b"0");
        for number in
            [1, 8, 9, 10, 18, 19, 20, 99, 100, 105, 3, 999_999, 1_000_000, u64::MAX, 0, u64::MAX - 1, u64::MAX]
        {
            digits.set(number);
            assert_eq!(digits.as_bytes(), number.to_string().as_bytes());
            assert_eq!(Digits::new(number).as_bytes(), digits.as_bytes());
        }
    }
}
