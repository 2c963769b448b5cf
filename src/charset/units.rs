//! Decoders for charsets that `encoding_rs` lacks: UTF-32, HZ, ISO-2022-KR and ISO-2022-CN.
//!
//! A unit is a byte sequence that decodes to one character or to none: four bytes of UTF-32, a letter, two bytes
//! between shifts, an escape sequence. No unit is longer than four bytes, so a decoder keeps the first bytes of a
//! unit and examines them again when the next byte arrives. The two-byte characters of the seven-bit charsets are
//! those of GBK and EUC-KR without the top bits, and `encoding_rs` has tables for these.

use encoding_rs::{DecoderResult, EUC_KR, Encoding, GBK};

/// Maximum length of a unit.
const MAX_UNIT: usize = 4;

/// A charset that encodes everything in seven bits and shifts between sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum SevenBit {
    Hz,
    Iso2022Kr,
    Iso2022Cn,
}

/// The decoder of one stream.
#[derive(Clone, Debug)]
pub(super) struct Units {
    state: ShiftState,
    /// The first bytes of a unit.
    held: [u8; MAX_UNIT],
    len: usize,
}

#[derive(Clone, Debug)]
enum ShiftState {
    Utf32 {
        big_endian: bool,
    },
    Hz {
        shifted: bool,
    },
    Iso2022 {
        shifted: bool,
        /// The charset, without its top bits, that SO shifts to; `None` for a set without a table.
        set: Option<&'static Encoding>,
    },
}

/// The kind of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Char(char),
    /// A shift, or another sequence without a character.
    Silent,
    Bad,
}

impl Units {
    pub(super) fn utf32(big_endian: bool) -> Self {
        Units::new(ShiftState::Utf32 { big_endian })
    }

    pub(super) fn seven_bit(charset: SevenBit) -> Self {
        Units::new(match charset {
            SevenBit::Hz => ShiftState::Hz { shifted: false },
            // Designated from the start, since a single value lacks the header of its file.
            SevenBit::Iso2022Kr => ShiftState::Iso2022 { shifted: false, set: Some(EUC_KR) },
            SevenBit::Iso2022Cn => ShiftState::Iso2022 { shifted: false, set: Some(GBK) },
        })
    }

    fn new(state: ShiftState) -> Self {
        Units { state, held: [0; MAX_UNIT], len: 0 }
    }

    /// Decodes a chunk; `last` marks the final one. Calls `unit` with every unit and its length in bytes,
    /// in order; every byte belongs to one of them.
    pub(super) fn feed(&mut self, chunk: &[u8], last: bool, mut unit: impl FnMut(Unit, usize)) {
        for &byte in chunk {
            self.held[self.len] = byte;
            self.len += 1;
            self.settle(false, &mut unit);
        }
        if last {
            self.settle(true, &mut unit);
        }
    }

    /// Removes complete units from the held bytes.
    fn settle(&mut self, last: bool, unit: &mut impl FnMut(Unit, usize)) {
        while self.len > 0 {
            let Some((what, len)) = self.state.unit(&self.held[..self.len], last) else { break };
            self.held.copy_within(len..self.len, 0);
            self.len -= len;
            unit(what, len);
        }
    }
}

impl ShiftState {
    /// Returns the unit at the start of `bytes`, and its length. `None` if more bytes are needed, which never happens
    /// with four of them.
    fn unit(&mut self, bytes: &[u8], last: bool) -> Option<(Unit, usize)> {
        match self {
            ShiftState::Utf32 { big_endian } => match *bytes {
                [a, b, c, d] => {
                    let unit = [a, b, c, d];
                    let code = if *big_endian { u32::from_be_bytes(unit) } else { u32::from_le_bytes(unit) };
                    Some((char::from_u32(code).map_or(Unit::Bad, Unit::Char), MAX_UNIT))
                }
                _ => last.then_some((Unit::Bad, bytes.len())),
            },
            ShiftState::Hz { shifted } => hz(shifted, bytes, last),
            ShiftState::Iso2022 { shifted, set } => iso_2022(shifted, set, bytes, last),
        }
    }
}

/// ```text
/// ~{ and ~} shift to GB2312 and back, ~~ is a tilde, ~ and a line break stand for nothing (RFC 1843)
/// ```
///
/// Decodes a unit. A line break shifts back to ASCII.
fn hz(shifted: &mut bool, bytes: &[u8], last: bool) -> Option<(Unit, usize)> {
    match *bytes {
        [b'~', b'{', ..] => {
            *shifted = true;
            Some((Unit::Silent, 2))
        }
        [b'~', b'}', ..] => {
            *shifted = false;
            Some((Unit::Silent, 2))
        }
        [b'~', b'~', ..] => Some((Unit::Char('~'), 2)),
        [b'~', b'\n', ..] => Some((Unit::Silent, 2)),
        [b'~', b'\r', b'\n', ..] => Some((Unit::Silent, 3)),
        [b'~'] | [b'~', b'\r'] if !last => None,
        [b'~', ..] => Some((Unit::Bad, 1)),
        [b'\n', ..] => {
            *shifted = false;
            Some((Unit::Char('\n'), 1))
        }
        _ => Some(letters(*shifted, Some(GBK), bytes, last)?),
    }
}

/// ```text
/// ESC $ ) C   designates KS C 5601 (RFC 1557)       SO, SI   shift to the designated set and back
/// ESC $ ) A   designates GB2312    (RFC 1922)       ESC $ ) E, G; ESC $ * H; ESC $ + I to M
/// ESC N, ESC O   shift for one character                     designate sets without a table here
/// ```
///
/// Decodes a unit. A line break shifts back to ASCII.
fn iso_2022(
    shifted: &mut bool,
    set: &mut Option<&'static Encoding>,
    bytes: &[u8],
    last: bool,
) -> Option<(Unit, usize)> {
    match *bytes {
        [0x0E, ..] => {
            *shifted = true;
            Some((Unit::Silent, 1))
        }
        [0x0F, ..] => {
            *shifted = false;
            Some((Unit::Silent, 1))
        }
        [0x1B, b'$', b')', designated @ (b'A' | b'C' | b'E' | b'G')] => {
            *set = match designated {
                b'A' => Some(GBK),
                b'C' => Some(EUC_KR),
                _ => None,
            };
            Some((Unit::Silent, MAX_UNIT))
        }
        [0x1B, b'$', b'*', b'H'] | [0x1B, b'$', b'+', b'I'..=b'M'] => Some((Unit::Silent, MAX_UNIT)),
        // One character of a set without a table.
        [0x1B, b'N' | b'O', 0x21..=0x7E, 0x21..=0x7E] => Some((Unit::Bad, MAX_UNIT)),
        [0x1B] | [0x1B, b'$' | b'N' | b'O'] if !last => None,
        [0x1B, b'$', b')' | b'*' | b'+'] | [0x1B, b'N' | b'O', 0x21..=0x7E] if !last => None,
        [0x1B, ..] => Some((Unit::Bad, 1)),
        [b'\n', ..] => {
            *shifted = false;
            Some((Unit::Char('\n'), 1))
        }
        _ => Some(letters(*shifted, *set, bytes, last)?),
    }
}

/// Decodes an ASCII letter, or a two-byte character of the shifted set.
fn letters(shifted: bool, set: Option<&'static Encoding>, bytes: &[u8], last: bool) -> Option<(Unit, usize)> {
    match *bytes {
        [byte, ..] if byte.is_ascii() && (!shifted || byte <= b' ') => Some((Unit::Char(char::from(byte)), 1)),
        [0x21..=0x7E] if !last => None,
        [lead @ 0x21..=0x7E, trail @ 0x21..=0x7E, ..] => {
            let char = set.and_then(|set| two_bytes(set, lead | 0x80, trail | 0x80));
            Some((char.map_or(Unit::Bad, Unit::Char), 2))
        }
        _ => Some((Unit::Bad, 1)),
    }
}

/// Decodes a two-byte character.
fn two_bytes(encoding: &'static Encoding, lead: u8, trail: u8) -> Option<char> {
    let mut text = [0; 16];
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let (result, _, written) = decoder.decode_to_utf8_without_replacement(&[lead, trail], &mut text, true);
    let text = str::from_utf8(&text[..written]).ok()?;
    // GBK maps the user-defined rows of the national standard to private characters.
    let is_private = |char: &char| ('\u{E000}'..='\u{F8FF}').contains(char);
    text.chars().next().filter(|char| result == DecoderResult::InputEmpty && !is_private(char))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decodes `bytes` at once and byte by byte; `!` stands for invalid units.
    fn decode(units: &Units, bytes: &[u8]) -> String {
        let run = |chunks: &mut dyn Iterator<Item = &[u8]>| {
            let (mut units, mut text, mut covered) = (units.clone(), String::new(), 0);
            let mut push = |unit, len| {
                covered += len;
                match unit {
                    Unit::Char(char) => text.push(char),
                    Unit::Silent => {}
                    Unit::Bad => text.push('!'),
                }
            };
            chunks.for_each(|chunk| units.feed(chunk, false, &mut push));
            units.feed(b"", true, &mut push);
            assert_eq!(covered, bytes.len(), "every byte is in one unit");
            text
        };
        let whole = run(&mut std::iter::once(bytes));
        assert_eq!(run(&mut bytes.chunks(1)), whole);
        whole
    }

    #[test]
    fn hz_shifts_with_tildes() {
        let hz = Units::seven_bit(SevenBit::Hz);
        for (bytes, text) in [
            (&b"ASCII ~{<:Ky2;S{#,NpJ)l6HK!#~}Bye."[..], "ASCII 己所不欲，勿施於人。Bye."),
            (b"a~~b", "a~b"),
            (b"line ~\ngoes ~\r\non", "line goes on"),
            (b"~{<:\nKy", "己\nKy"),
            (b"~{<:~}~{Ky~}", "己所"),
            (b"~x~", "!x!"),
            (b"~{<:K", "己!"),
            (b"~{<:\xFFKy~}", "己!所"),
            (b"\xCE", "!"),
            (b"~{!~}!~}", "〓!"),
        ] {
            assert_eq!(decode(&hz, bytes), text, "{:?}", bytes.escape_ascii().to_string());
        }
    }

    #[test]
    fn iso_2022_shifts_with_so_and_si() {
        let kr = Units::seven_bit(SevenBit::Iso2022Kr);
        for (bytes, text) in [
            (&b"\x1B$)CGo \x0E9Y5O\x0F."[..], "Go 바둑."),
            (b"\x0E9Y5O\n9Y", "바둑\n9Y"),
            (b"\x0E9Y 5O", "바 둑"),
            (b"\x0E9Y5", "바!"),
            (b"\x1B$)Z", "!$)Z"),
            (b"\x1B", "!"),
            (b"\x1B$)", "!$)"),
            (b"\xB9\xD9", "!!"),
        ] {
            assert_eq!(decode(&kr, bytes), text, "{:?}", bytes.escape_ascii().to_string());
        }
        let cn = Units::seven_bit(SevenBit::Iso2022Cn);
        for (bytes, text) in [
            (&b"\x1B$)A\x0E=;;;\x0F."[..], "交换."),
            (b"\x1B$)G\x0E=;;;\x0F.", "!!."),
            (b"\x1B$*H\x1BN!!a", "!a"),
            (b"\x1BN!", "!N!"),
        ] {
            assert_eq!(decode(&cn, bytes), text, "{:?}", bytes.escape_ascii().to_string());
        }
    }

    #[test]
    fn utf_32_is_four_bytes_a_character() {
        let (little, big) = (Units::utf32(false), Units::utf32(true));
        assert_eq!(decode(&little, b"(\0\0\0\xF2\x56\0\0"), "(囲");
        assert_eq!(decode(&big, b"\0\0\0(\0\x01\xF0\x04"), "(🀄");
        assert_eq!(decode(&big, b"\0\0\xD8\0\0\x11\0\0\0\0\0a"), "!!a");
        assert_eq!(decode(&big, b"\0\0\0a\0\0"), "a!");
    }
}
