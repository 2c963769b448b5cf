//! Detects the charset of texts that do not declare one.

use std::fmt;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use memchr::{memchr, memchr2, memmem};

use super::Charset;
use super::label::DecoderKind;
use crate::raw::words;

/// Maximum number of bytes examined.
pub(super) const MAX_SAMPLE: usize = 64 * 1024;

impl Charset {
    /// Guesses the charset of the texts of one game, given raw values or whole files.
    ///
    /// * ASCII is UTF-8, unless it contains the shifts of ISO-2022-\* or HZ.
    /// * Texts that are all valid UTF-8 are UTF-8. So are texts with more intact UTF-8 characters of three or four
    ///   bytes than broken ones: collections contain thousands of games that lost some bytes (to `?`) in a
    ///   conversion, and no other charset looks like that. So are texts in which only characters that lost bytes to
    ///   `?` are broken, if another character of three or four bytes is intact, or no multi-byte charset is likelier.
    /// * Anything else is the most likely of the web's legacy charsets, given all texts together. A single non-ASCII
    ///   byte is [windows-1252](Charset::WINDOWS_1252), if the guess is a single-byte charset.
    ///
    /// At most 64 KiB of text are examined; plain ASCII texts are skipped and do not count.
    ///
    /// ```
    /// use sgf_stream::charset::Charset;
    ///
    /// assert_eq!(Charset::detect(["dd", "囲碁"]), Charset::UTF_8);
    /// let texts = [&b"\xCE\xA7\xC6\xE5\xCA\xC7\xD2\xBB\xD6\xD6"[..], b"\xB2\xDF\xC2\xD4\xC6\xE5"];
    /// assert_eq!(Charset::detect(texts), Charset::GBK);
    /// ```
    pub fn detect(texts: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Charset {
        let mut detector = Detector::default();
        for text in texts {
            detector.feed(text.as_ref());
        }
        detector.charset()
    }
}

/// Returns whether a text is evidence for its charset. It is if it is not ASCII, or has the shift bytes of seven-bit
/// charsets.
#[inline]
pub fn tells_charset(text: &[u8]) -> bool {
    if text.len() < LONG {
        return !words::has_none(text, |word| word.not_ascii() | word.equal(0x1B) | word.equal(b'~'));
    }
    !text.is_ascii() || memchr2(0x1B, b'~', text).is_some()
}

/// Minimum number of bytes for which registers wider than words are faster.
const LONG: usize = 64;

/// Statistics of the texts of one game so far.
#[derive(Default)]
pub(super) struct Detector {
    /// Number of bytes examined, in texts that are not ASCII or contain shifts.
    seen: usize,
    /// Number of bytes with the high bit set.
    high: usize,
    /// One of the high bytes.
    lone: Option<u8>,
    /// Number of UTF-8 characters of three or four bytes.
    long_chars: usize,
    /// Number of sequences that are not UTF-8.
    broken: usize,
    /// Number of those sequences that look like a UTF-8 character that lost bytes.
    damaged: usize,
    /// The seven-bit charset whose shifts were found.
    seven_bit: Option<Charset>,
    guesser: Option<Box<EncodingDetector>>,
}

impl Detector {
    /// Examines a text; returns false if it is not evidence.
    pub(super) fn feed(&mut self, text: &[u8]) -> bool {
        self.look(text, false)
    }

    /// Examines a text that may end inside a character.
    pub(super) fn feed_cut(&mut self, text: &[u8]) -> bool {
        self.look(text, true)
    }

    fn look(&mut self, text: &[u8], cut: bool) -> bool {
        if self.seen >= MAX_SAMPLE || !tells_charset(text) {
            return false;
        }
        let text = &text[..text.len().min(MAX_SAMPLE - self.seen)];
        self.seen += text.len();
        let high_bytes = text.iter().filter(|byte| !byte.is_ascii());
        self.lone = high_bytes.clone().next().copied().or(self.lone);
        self.high += high_bytes.count();
        let may_be_cut = cut || self.seen == MAX_SAMPLE;
        let mut left = text.len();
        for chunk in text.utf8_chunks() {
            left -= chunk.valid().len() + chunk.invalid().len();
            let is_cut = may_be_cut
                && left == 0
                && str::from_utf8(chunk.invalid()).is_err_and(|error| error.error_len().is_none());
            self.long_chars += chunk.valid().chars().filter(|char| char.len_utf8() > 2).count();
            self.broken += usize::from(!chunk.invalid().is_empty() && !is_cut);
            let end = text.len() - left;
            let is_lead = matches!(chunk.invalid(), [0xC2..=0xF4, ..]);
            let is_followed = is_lead && text.get(end) == Some(&b'?');
            let is_tail = matches!(chunk.invalid(), [0x80..=0xBF]) && was_damaged(&text[..end - 1]);
            self.damaged += usize::from(!is_cut && (is_followed || is_tail));
        }
        self.seven_bit = self.seven_bit.or_else(|| seven_bit(text));
        let guesser = self.guesser.get_or_insert_with(|| Box::new(EncodingDetector::new(Iso2022JpDetection::Allow)));
        guesser.feed(text, false);
        // Stands for the closing bracket: it is the second byte of the last character in a value
        // that the parser ended inside that character.
        guesser.feed(b"]", false);
        true
    }

    pub(super) fn charset(&self) -> Charset {
        match &self.guesser {
            Some(guesser) if self.broken > 0 && self.long_chars <= self.broken => {
                let guess = Charset(DecoderKind::Web(guesser.guess(None, Utf8Detection::Deny)));
                // One byte is too little to distinguish the many single-byte charsets.
                if self.high == 1 && guess.is_single_byte() && self.lone.is_some_and(is_latin_1) {
                    return Charset::WINDOWS_1252;
                }
                if self.damaged == self.broken && (self.long_chars > 0 || guess.is_single_byte()) {
                    return Charset::UTF_8;
                }
                guess
            }
            Some(guesser) if self.high == 0 => self.seven_bit.unwrap_or_else(|| {
                let guess = Charset(DecoderKind::Web(guesser.guess(None, Utf8Detection::Deny)));
                if guess == Charset::ISO_2022_JP { guess } else { Charset::UTF_8 }
            }),
            _ => Charset::UTF_8,
        }
    }
}

/// Returns whether a text ends like a UTF-8 character that lost bytes to `?`.
fn was_damaged(text: &[u8]) -> bool {
    let end = text.iter().rposition(|byte| !matches!(byte, b'?' | 0x80..=0xBF));
    end.is_some_and(|end| text[end] >= 0xC2 && text[end + 1..].contains(&b'?'))
}

/// Returns whether windows-1252 has a character at this byte.
fn is_latin_1(byte: u8) -> bool {
    !matches!(byte, 0x81 | 0x8D | 0x8F | 0x90 | 0x9D)
}

impl fmt::Debug for Detector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Detector").field("seen", &self.seen).field("charset", &self.charset()).finish_non_exhaustive()
    }
}

/// Returns the seven-bit charset whose shifts occur in a text. `chardetng` detects ISO-2022-JP itself.
fn seven_bit(text: &[u8]) -> Option<Charset> {
    if memmem::find(text, b"\x1B$)C").is_some() {
        return Some(Charset::ISO_2022_KR);
    }
    if memmem::find(text, b"\x1B$)A").is_some() || memmem::find(text, b"\x1B$)G").is_some() {
        return Some(Charset::ISO_2022_CN);
    }
    is_hz(text).then_some(Charset::HZ)
}

/// Returns whether a text uses `~{` and `~}` as HZ does, with pairs of GB2312 bytes between them.
fn is_hz(text: &[u8]) -> bool {
    let (mut rest, mut shifts) = (text, 0);
    while let Some(tilde) = memchr(b'~', rest) {
        rest = &rest[tilde + 1..];
        match rest {
            [b'{', shifted @ ..] => {
                let is_pair = |pair: &&[u8]| matches!(pair, [0x21..=0x77, 0x21..=0x7E]);
                let pairs = shifted.chunks(2).take_while(is_pair).count();
                rest = &shifted[pairs * 2..];
                if pairs == 0 || !rest.starts_with(b"~}") {
                    return false;
                }
                shifts += 1;
                rest = &rest[2..];
            }
            [b'~', after @ ..] => rest = after,
            _ => {}
        }
    }
    shifts > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_utf_8_and_ascii_are_utf_8() {
        assert_eq!(Charset::detect([""; 0]), Charset::UTF_8);
        assert_eq!(Charset::detect(["dd", "a ~ b", "~{not pairs~}"]), Charset::UTF_8);
        assert_eq!(Charset::detect(["\u{1B}[1mbold", "é"]), Charset::UTF_8);
        assert_ne!(Charset::detect([&b"\xC3\xA9"[..], b"\xE9"]), Charset::UTF_8);
    }

    #[test]
    fn utf_8_that_lost_some_bytes_is_utf_8() {
        // A real game: 朝阳 lost a byte, and 段 did not.
        assert_eq!(
            Charset::detect([&b"\xE6?\x9C\xE9\x98\xB3"[..], "9段".as_bytes(), "9段".as_bytes()]),
            Charset::UTF_8
        );
        assert_eq!(Charset::detect([&b"\xE4\xB8? \xE5\x9B\xB2 \xE7\xA2\x81"[..]]), Charset::UTF_8);
        // More broken ones than intact ones, all before `?`.
        assert_eq!(
            Charset::detect([&b"\xE9\x9D\x92\xE5\xB1\xB1\xE4\xBE?\xE4\xBE?"[..], "9段".as_bytes()]),
            Charset::UTF_8
        );
        assert_eq!(Charset::detect([&b"\xE4\xBE?\xE4\xBE?"[..]]), Charset::UTF_8);
        // Another charset would be likelier without 段.
        let damaged = &b"\xE5\xB0? \xE5\xAE? \xE5\xAE?6"[..];
        assert_eq!(Charset::detect([damaged, "9段".as_bytes()]), Charset::UTF_8);
        assert_eq!(Charset::detect([&b"caf\xE9? Ren\xE9"[..]]), Charset::WINDOWS_1252);
        // As many intact ones as broken ones may be chance.
        assert_ne!(Charset::detect([&b"\xB3\xE6\xB0\xB7"[..]]), Charset::UTF_8);
    }

    #[test]
    fn charsets_are_detected_by_their_characters() {
        for (charset, text) in [
            (Charset::GBK, "围棋是一种抽象的策略棋类游戏"),
            (Charset::BIG5, "圍棋是一種古老的遊戲"),
            (Charset::SHIFT_JIS, "囲碁は古代のゲームであり、中国で起こった"),
            (Charset::EUC_JP, "囲碁は古代のゲームであり、中国で起こった"),
            (Charset::EUC_KR, "바둑은 두 사람이 흑돌과 백돌을 번갈아 놓는 놀이이다"),
            (Charset::WINDOWS_1252, "Schöner Zug, aber zu spät für Weiß"),
            (Charset::for_name(b"windows-1251").unwrap(), "Это абстрактная настольная игра"),
            (Charset::ISO_2022_JP, "囲碁"),
        ] {
            let bytes = charset.encoding().unwrap().encode(text).0;
            assert_eq!(Charset::detect([&bytes]), charset, "{text}");
            // Names and moves around it make no difference.
            assert_eq!(Charset::detect([&b"Lee"[..], b"dd", &bytes, b"6.5"]), charset, "{text}");
        }
    }

    #[test]
    fn a_lone_high_byte_is_latin() {
        for text in [&b"caf\xE9"[..], b"\xE9", b"Sch\xF6n", b"9\xB0", b"Jos\xE9 Mar", b"na\xEFve", b"\xDC"] {
            assert_eq!(Charset::detect([text]), Charset::WINDOWS_1252, "{}", text.escape_ascii());
        }
        assert_eq!(Charset::detect([&b"Lee"[..], b"Fran\xE7ois", b"dd"]), Charset::WINDOWS_1252);
    }

    #[test]
    fn seven_bit_charsets_are_detected_by_their_shifts() {
        assert_eq!(Charset::detect(["~{<:Ky~}"]), Charset::HZ);
        assert_eq!(Charset::detect(["a ~~ b ~{!~~}"]), Charset::HZ);
        assert_eq!(Charset::detect(["~{<:Ky"]), Charset::UTF_8);
        assert_eq!(Charset::detect(["\u{1B}$)C\u{E}9Y5O"]), Charset::ISO_2022_KR);
        assert_eq!(Charset::detect(["\u{1B}$)A\u{E}=;;;"]), Charset::ISO_2022_CN);
    }

    #[test]
    fn a_text_that_was_cut_may_end_inside_a_character() {
        let mut detector = Detector::default();
        assert!(detector.feed_cut(&"囲碁".as_bytes()[..4]));
        assert_eq!(detector.charset(), Charset::UTF_8);
        let long = "囲".repeat(MAX_SAMPLE);
        assert_eq!(Charset::detect([&long]), Charset::UTF_8);
        assert_ne!(Charset::detect([&b"\xE5\x9B"[..]]), Charset::UTF_8);
    }
}
