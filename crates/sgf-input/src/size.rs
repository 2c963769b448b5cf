//! Sizes in bytes, as users write them: `1000`, `64K`, `4G`; and large numbers, as users read them.

use std::fmt;

/// Suffixes, and the powers of two that they stand for.
const UNITS: [(char, u32); 4] = [('K', 10), ('M', 20), ('G', 30), ('T', 40)];

/// Parses a size on the command line.
pub fn parse(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.find(|c: char| !c.is_ascii_digit()) {
        Some(end) => text.split_at(end),
        None => (text, ""),
    };
    let mut chars = unit.chars().map(|char| char.to_ascii_uppercase());
    let shift = match (chars.next(), chars.next()) {
        (None, _) => 0,
        (Some(unit), None) => UNITS.iter().find(|(name, _)| *name == unit).map_or(64, |&(_, shift)| shift),
        _ => 64,
    };
    if shift == 64 {
        return Err("not a size; use a number, optionally followed by K, M, G or T".to_owned());
    }
    let number: u64 =
        digits.parse().map_err(|_| "not a size; use a number, optionally followed by K, M, G or T".to_owned())?;
    number.checked_mul(1 << shift).ok_or_else(|| "the size does not fit into 64 bits".to_owned())
}

/// A size that prints in the largest unit in which it is a whole number.
pub struct Size(pub u64);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fits = |&&(_, shift): &&(char, u32)| self.0 > 0 && self.0.trailing_zeros() >= shift;
        match UNITS.iter().rfind(fits) {
            Some((unit, shift)) => write!(f, "{}{unit}", self.0 >> shift),
            None => write!(f, "{} bytes", self.0),
        }
    }
}

/// Formats 1234567 as `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (place, digit) in digits.char_indices() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
