//! Base64 and gzip, for the values of KaTrain: a small decoder, so that the crate needs no dependency for one property.
//!
//! It is made for texts of some 100 kB. A text that is longer than [`MOST`], or more than [`MOST_RATIO`] times as long as
//! its compressed form, is refused: a value is never worth that much memory and time.

/// Maximum length of an uncompressed text, in bytes.
const MOST: usize = 16 << 20;

/// Maximum length of an uncompressed text, divided by its compressed length. Numbers compress to a fourth, or little less.
const MOST_RATIO: usize = 64;

/// Decodes base64, with or without padding. White space is skipped.
pub(super) fn base64(text: &str) -> Option<Vec<u8>> {
    let (mut bytes, mut bits, mut count) = (Vec::with_capacity(text.len() / 4 * 3), 0_u32, 0);
    for byte in text.bytes() {
        let six = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' => break,
            b' ' | b'\t' | b'\r' | b'\n' => continue,
            _ => return None,
        };
        bits = (bits << 6 | u32::from(six)) & 0xFFF;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Some(bytes)
}

/// Decodes a gzip file of one member. Its checksum is not compared: a wrong text has no readable numbers.
pub(super) fn gunzip(bytes: &[u8]) -> Option<Vec<u8>> {
    let [0x1F, 0x8B, 8, flags, _, _, _, _, _, _, rest @ ..] = bytes else { return None };
    let mut rest = rest;
    if flags & 4 != 0 {
        let [low, high, more @ ..] = rest else { return None };
        rest = more.get(usize::from(u16::from_le_bytes([*low, *high]))..)?;
    }
    for flag in [8, 16] {
        if flags & flag != 0 {
            rest = &rest[rest.iter().position(|&byte| byte == 0)? + 1..];
        }
    }
    if flags & 2 != 0 {
        rest = rest.get(2..)?;
    }
    inflate(rest)
}

/// The bits of a stream, the lowest of each byte first.
struct Bits<'b> {
    bytes: &'b [u8],
    at: usize,
    held: u32,
    count: u32,
}

impl Bits<'_> {
    fn take(&mut self, count: u32) -> Option<u32> {
        while self.count < count {
            self.held |= u32::from(*self.bytes.get(self.at)?) << self.count;
            (self.at, self.count) = (self.at + 1, self.count + 8);
        }
        let taken = self.held & ((1 << count) - 1);
        (self.held, self.count) = (self.held >> count, self.count - count);
        Some(taken)
    }

    /// Returns bytes after the end of the current one.
    fn bytes(&mut self, count: usize) -> Option<&[u8]> {
        let start = self.at - (self.count / 8) as usize;
        (self.held, self.count) = (0, 0);
        self.at = start.checked_add(count)?;
        self.bytes.get(start..self.at)
    }
}

/// A prefix code: the number of symbols of each length, and the symbols in the order of their codes.
struct Code {
    counts: [u16; 16],
    symbols: Vec<u16>,
}

impl Code {
    fn new(lengths: &[u8]) -> Code {
        let mut counts = [0_u16; 16];
        lengths.iter().for_each(|&length| counts[usize::from(length)] += 1);
        let mut starts = [0_usize; 16];
        for length in 1..15 {
            starts[length + 1] = starts[length] + usize::from(counts[length]);
        }
        let mut symbols = vec![0; lengths.len()];
        for (symbol, &length) in (0..).zip(lengths) {
            if length > 0 {
                symbols[starts[usize::from(length)]] = symbol;
                starts[usize::from(length)] += 1;
            }
        }
        counts[0] = 0;
        Code { counts, symbols }
    }

    fn read(&self, bits: &mut Bits<'_>) -> Option<u16> {
        let (mut code, mut first, mut index) = (0_i32, 0_i32, 0_i32);
        for &count in &self.counts[1..] {
            code |= bits.take(1)? as i32;
            let count = i32::from(count);
            if code - count < first {
                return self.symbols.get(usize::try_from(index + code - first).ok()?).copied();
            }
            (index, first, code) = (index + count, (first + count) << 1, code << 1);
        }
        None
    }
}

/// The order in which a block has the lengths of the code of its lengths.
const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// Decodes a DEFLATE stream (RFC 1951).
fn inflate(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut bits = Bits { bytes, at: 0, held: 0, count: 0 };
    let mut out = Vec::new();
    let most = MOST.min(MOST_RATIO * bytes.len());
    loop {
        let is_last = bits.take(1)? == 1;
        match bits.take(2)? {
            0 => {
                let [low, high, ..] = *bits.bytes(4)? else { return None };
                let len = usize::from(u16::from_le_bytes([low, high]));
                out.extend_from_slice(bits.bytes(len)?);
            }
            1 => {
                let length = |symbol: usize| match symbol {
                    0..144 => 8,
                    144..256 => 9,
                    256..280 => 7,
                    _ => 8,
                };
                let lengths: Vec<u8> = (0..288).map(length).collect();
                block(&mut bits, &Code::new(&lengths), &Code::new(&[5; 30]), &mut out, most)?;
            }
            2 => {
                let (literals, distances) = codes(&mut bits)?;
                block(&mut bits, &literals, &distances, &mut out, most)?;
            }
            _ => return None,
        }
        if out.len() > most {
            return None;
        }
        if is_last {
            return Some(out);
        }
    }
}

/// Reads the codes at the start of a block.
fn codes(bits: &mut Bits<'_>) -> Option<(Code, Code)> {
    let literals = bits.take(5)? as usize + 257;
    let distances = bits.take(5)? as usize + 1;
    let count = bits.take(4)? as usize + 4;
    let mut lengths = [0_u8; 19];
    for &at in &ORDER[..count] {
        lengths[at] = bits.take(3)? as u8;
    }
    let code = Code::new(&lengths);
    let mut lengths = Vec::with_capacity(literals + distances);
    while lengths.len() < literals + distances {
        let (length, times) = match code.read(bits)? {
            symbol @ 0..16 => (symbol as u8, 1),
            16 => (*lengths.last()?, 3 + bits.take(2)?),
            17 => (0, 3 + bits.take(3)?),
            _ => (0, 11 + bits.take(7)?),
        };
        lengths.extend((0..times).map(|_| length));
    }
    let rest = lengths.get(literals..literals + distances)?;
    Some((Code::new(&lengths[..literals]), Code::new(rest)))
}

/// Decodes the content of a block, unless there are more than `most` bytes.
fn block(bits: &mut Bits<'_>, literals: &Code, distances: &Code, out: &mut Vec<u8>, most: usize) -> Option<()> {
    loop {
        match literals.read(bits)? {
            literal @ 0..256 => out.push(literal as u8),
            256 => return Some(()),
            symbol => {
                let len = length(bits, usize::from(symbol) - 257)?;
                let distance = distance(bits, distances)?;
                let start = out.len().checked_sub(distance)?;
                (start..start + len).for_each(|at| out.push(out[at]));
            }
        }
        if out.len() > most {
            return None;
        }
    }
}

/// Reads the length of a copy.
fn length(bits: &mut Bits<'_>, symbol: usize) -> Option<usize> {
    Some(match symbol {
        0..8 => symbol + 3,
        8..28 => {
            let extra = (symbol as u32 - 4) / 4;
            ((4 + symbol % 4) << extra) + 3 + bits.take(extra)? as usize
        }
        28 => 258,
        _ => return None,
    })
}

/// Reads the distance of a copy.
fn distance(bits: &mut Bits<'_>, distances: &Code) -> Option<usize> {
    let symbol = usize::from(distances.read(bits)?);
    Some(match symbol {
        0..4 => symbol + 1,
        4..30 => {
            let extra = (symbol as u32 - 2) / 2;
            ((2 + symbol % 2) << extra) + 1 + bits.take(extra)? as usize
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_all_kinds_are_decoded() {
        // Stored, fixed codes with a copy, and dynamic codes, as zlib writes them.
        let stored = [1, 3, 0, 0xFC, 0xFF, b'a', b'b', b'c'];
        assert_eq!(inflate(&stored).unwrap(), b"abc");
        let fixed = [0x4B, 0x4C, 0x4A, 0x4E, 0x84, 0x21, 0x00];
        assert_eq!(inflate(&fixed).unwrap(), b"abcabcabcabc");
        let packed = base64(DYNAMIC).unwrap();
        let text = gunzip(&packed).unwrap();
        let expected: String = (0..300).map(|n| format!("{} ", n * n % 97)).collect();
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }

    #[test]
    fn cut_and_changed_streams_end() {
        let packed = base64(DYNAMIC).unwrap();
        for len in 0..packed.len() - 8 {
            assert_eq!(gunzip(&packed[..len]), None, "{len}");
        }
        for at in 0..packed.len() {
            let mut changed = packed.clone();
            changed[at] ^= 0x55;
            let _ = gunzip(&changed);
        }
        assert_eq!(gunzip(b""), None);
        assert_eq!(base64("a*"), None);
    }

    #[test]
    fn a_text_that_is_too_long_is_refused() {
        // Stored blocks.
        let stored = |len: usize| {
            let mut bytes = Vec::with_capacity(len + len / 1000);
            let mut left = len;
            while left > 0 {
                let of_block = left.min(usize::from(u16::MAX));
                left -= of_block;
                let [low, high] = (of_block as u16).to_le_bytes();
                bytes.extend([u8::from(left == 0), low, high, !low, !high]);
                bytes.resize(bytes.len() + of_block, b'x');
            }
            bytes
        };
        assert_eq!(inflate(&stored(MOST)).map(|text| text.len()), Some(MOST));
        assert_eq!(inflate(&stored(MOST + 1)), None);
    }

    #[test]
    fn a_text_that_was_compressed_too_much_is_refused() {
        // A stored byte, and 100 copies of 258 bytes with fixed codes: 13 bits each.
        let mut bits = vec![true, true, false];
        for _ in 0..100 {
            bits.extend([true, true, false, false, false, true, false, true]); // the symbol 285
            bits.extend([false; 5]); // the distance 1
        }
        bits.extend([false; 7]); // the end
        let mut bytes = vec![0, 1, 0, 0xFE, 0xFF, b'x'];
        bytes.extend(bits.chunks(8).map(|eight| eight.iter().rev().fold(0, |byte, &bit| byte << 1 | u8::from(bit))));
        let text = 1 + 100 * 258;
        // What follows the stream counts as a part of it, so zeros make the ratio smaller.
        for (len, expected) in [(text / 64, None), (text / 64 + 1, Some(text))] {
            assert!(bytes.len() <= len);
            bytes.resize(len, 0);
            assert_eq!(inflate(&bytes).map(|text| text.len()), expected);
        }
    }

    /// The squares of numbers modulo 97, as Python's gzip writes them.
    const DYNAMIC: &str = "\
        H4sIAAAAAAACA+2Q243FIAwFW5kSYhsM9N/YDpSw31eKUBLO+yMYHKLJSTXj0IMdFDkYi5UkFXRyRBTrI5JZHNFyFfB9MD82PcnF\
        3sxBJls1pSYR7KZlbCoJkZxiT9ZhedZ73qc/veoLEipBmuR4QsopqrQG2mim5b7mRrhB4oXqG9CYhjWywfuVyFvHUlarW9KqFq5X\
        3gmOWwTfb5PfJv/f5A+jY7jhUwMAAA==\
    ";
}
