//! Base64 and gzip, for the values of KaTrain.
//!
//! They are texts of some 100 kB. A text that is longer than [`MOST`], or more than [`MOST_RATIO`] times as long as its
//! compressed form, is refused: a value is never worth that much memory and time.

use std::io::Read;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use flate2::read::GzDecoder;
use sgf_stream::work;

/// Maximum length of an uncompressed text, in bytes.
const MOST: usize = 16 << 20;

/// Maximum length of an uncompressed text, divided by its compressed length. Numbers compress to a fourth, or little less.
const MOST_RATIO: usize = 64;

const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Decodes a gzip file in base64, with or without padding. White space is skipped.
pub(super) fn unpack(text: &str) -> Option<String> {
    let letters: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    gunzip(&BASE64.decode(letters).ok()?)
}

fn gunzip(bytes: &[u8]) -> Option<String> {
    let most = MOST.min(MOST_RATIO * bytes.len());
    let mut text = String::new();
    let read = GzDecoder::new(bytes).take(most as u64 + 1).read_to_string(&mut text);
    work::note(bytes.len() + text.len());
    read.ok()?;
    (text.len() <= most).then_some(text)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn gzip(text: &[u8], level: Compression) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), level);
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn a_text_of_another_program_is_unpacked() {
        let expected: String = (0..300).map(|n| format!("{} ", n * n % 97)).collect();
        assert_eq!(unpack(SQUARES).unwrap(), expected);
        assert_eq!(unpack(SQUARES.trim_end().trim_end_matches('=')).unwrap(), expected);
    }

    #[test]
    fn cut_and_changed_texts_are_refused() {
        let packed = gzip(b"a text of a few words, a text of more words", Compression::best());
        for len in 0..packed.len() {
            assert_eq!(gunzip(&packed[..len]), None, "{len}");
        }
        for at in 10..packed.len() {
            let mut changed = packed.clone();
            changed[at] ^= 0x55;
            assert_eq!(gunzip(&changed), None, "{at}");
        }
        assert_eq!(unpack("a*"), None);
    }

    #[test]
    fn a_text_that_is_too_long_is_refused() {
        let is_read = |len: usize| gunzip(&gzip(&vec![b'x'; len], Compression::none())).map(|text| text.len());
        assert_eq!(is_read(MOST), Some(MOST));
        assert_eq!(is_read(MOST + 1), None);
    }

    #[test]
    fn a_text_that_was_compressed_too_much_is_refused() {
        let packed = gzip(&vec![b'x'; 100_000], Compression::best());
        assert!(packed.len() < 100_000 / MOST_RATIO);
        assert_eq!(gunzip(&packed), None);
        let packed = gzip(&vec![b'x'; 1000], Compression::best());
        assert!(packed.len() > 1000 / MOST_RATIO);
        assert!(gunzip(&packed).is_some());
    }

    /// The squares of numbers modulo 97, as Python's gzip writes them.
    const SQUARES: &str = "\
        H4sIAAAAAAACA+2Q243FIAwFW5kSYhsM9N/YDpSw31eKUBLO+yMYHKLJSTXj0IMdFDkYi5UkFXRyRBTrI5JZHNFyFfB9MD82PcnF\
        3sxBJls1pSYR7KZlbCoJkZxiT9ZhedZ73qc/veoLEipBmuR4QsopqrQG2mim5b7mRrhB4oXqG9CYhjWywfuVyFvHUlarW9KqFq5X\
        3gmOWwTfb5PfJv/f5A+jY7jhUwMAAA==\
    ";
}
