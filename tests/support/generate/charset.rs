//! Charsets in which a byte like a bracket may be half of a character: how games name them, and
//! what they do with them.

use quickcheck::Gen;

use super::{Writer, below, one_in};

/// Labels of each charset, of others, and of none.
const LABELS: &[&str] = &[
    "Shift_JIS",
    "SJIS",
    "windows-31j",
    "Big5",
    "x-x-big5",
    "GBK",
    "gb2312",
    "GB_2312-80",
    "GB18030",
    "gb 18030",
    "UTF-8",
    "EUC-JP",
    "",
    "G\\BK",
    "GBK\x00",
];

const WHITE: &[&str] = &[" ", "\n", "\r\n", "\t", "\x0B", "\x0C", "  "];

/// Bytes at the edges of the ranges of lead bytes.
const LEADS: &[u8] = b"\x80\x81\x8F\x90\x9F\xA0\xA1\xBF\xC3\xDF\xE0\xE5\xFC\xFD\xFE\xFF";

/// Second bytes, and such as are none.
const SECONDS: &[u8] = b"[]\\[]\\[]\\[]\\\x3F@A~\x7F\x80\x81\x9F\xE0\xFE\xFF1;";

/// Text in UTF-8; after some of it, the split into two-byte characters is at a lead byte.
const UTF8: &[&str] = &["\u{E9}", "\u{5B57}", "\u{56F2}\u{7881}", "\u{3042}", "\u{20000}", "\u{E9}a", "\u{7FF}"];

/// A game that names a charset, and bytes from an alphabet in which halves of characters are likely.
pub(super) fn soup(random: &mut Gen) -> Vec<u8> {
    const PIECES: &[&[u8]] =
        &[b"[", b"]", b"\\", b"[", b"]", b"\\", b"\x81", b"\x90", b"\xE5", b"\xB1", b"\xE5\xAD\x97", b"\xC3\xA9"];
    const OTHERS: &[&[u8]] =
        &[b"a", b"C", b";", b"(", b")", b"B[", b"\n(;", b"CA[", b"GBK", b"sjis", b")(;CA[Big5]", b"()", b"@", b"\xFF"];
    let mut bytes = b"(;CA[".to_vec();
    bytes.extend_from_slice(random.choose(LABELS).unwrap().as_bytes());
    bytes.extend_from_slice(b"]C[");
    for _ in 0..below(random, random.size() + 1) {
        let pieces = if one_in(random, 3) { OTHERS } else { PIECES };
        bytes.extend_from_slice(random.choose(pieces).unwrap());
    }
    bytes
}

impl Writer<'_> {
    fn put_one_byte(&mut self, choices: &[u8]) {
        let choice = *self.random.choose(choices).unwrap();
        self.put(&[choice]);
    }

    /// A root that says in what charset it is: as it should, or almost.
    pub(super) fn charset(&mut self) {
        if self.one_in(3) {
            self.property();
        }
        if self.one_in(16) {
            // What follows is not the root's.
            self.put(b";");
        } else if self.is_fault() {
            self.put_one(&[
                "()",
                "(CA)",
                "(CA)[GBK]",
                "(())",
                "(x[GBK])",
                "(CA[GBK])",
                "(CA()[GBK])",
                "((CA[GBK]))",
                "CA",
                ")",
            ]);
        }
        loop {
            if self.is_fault() {
                self.put_one(&["CoolA", "ChArset", "aCA", "CA1", "CHARSeT", "CSA", "CA x", "CA()", "LoNGCA"]);
            } else {
                self.put(b"CA");
            }
            self.white();
            self.label();
            // Another value, another property, which count for nothing; or for something, if the
            // first was none.
            match self.below(8) {
                0 => self.label(),
                1 => self.property(),
                2 => {}
                _ => break,
            }
        }
    }

    /// The value of a `CA`
    fn label(&mut self) {
        self.put(b"[");
        let at = self.out.len();
        self.padding();
        self.put_one(LABELS);
        self.padding();
        if self.one_in(3) {
            for byte in &mut self.out[at..] {
                if one_in(self.random, 2) {
                    byte.make_ascii_uppercase();
                } else {
                    byte.make_ascii_lowercase();
                }
            }
        }
        if self.is_fault() {
            self.value_fault();
        } else {
            self.put(b"]");
        }
    }

    fn padding(&mut self) {
        if self.one_in(6) {
            self.put_one(WHITE);
        }
        if self.one_in(20) {
            let len = 50 + self.below(15);
            self.fill(b' ', len);
        }
    }

    /// Contents of a value in a charset of two-byte characters, or in UTF-8 that is said to be
    /// one.
    pub(super) fn characters(&mut self) {
        if self.one_in(10) {
            self.put_one(LABELS);
            return;
        }
        let pieces = self.below(6);
        for _ in 0..pieces {
            self.head_in(12);
            match self.below(8) {
                0 => self.put_one(&["a", " ", "\n", "\\]", "\\\\", "[", "\\[", ";", "(", ":"]),
                1 | 2 => self.put_one(UTF8),
                // A backslash before a lead byte hides that, and not the byte after it.
                3 => self.put(b"\\"),
                _ => {}
            }
            if self.one_in(2) {
                self.lead();
                self.put_one_byte(SECONDS);
            }
        }
        // A backslash that hides nothing here hides the end.
        let backslashes = self.out.iter().rev().take_while(|&&b| b == b'\\').count();
        if backslashes % 2 == 1 && self.one_in(2) {
            self.put(b"\\");
        }
    }

    pub(super) fn lead(&mut self) {
        self.put_one_byte(LEADS);
    }
}
