//! Heads of games, and what is almost one, wherever they may get to; and texts with brackets that
//! nobody has escaped.

use quickcheck::Gen;

use super::{Writer, below, one_in};

const SURE: &[&str] = &["FF", "GM", "CA", "AP", "SZ", "ST", "GaMe", "FileFormat", "aAP", "sT", "SiZe"];
const INFO: &[&str] =
    &["PB", "PW", "EV", "N", "TE", "RD", "ID", "ON", "PlayerBlack", "DT", "RE", "KM", "EVX", "tEv", "GE"];
/// Properties that are neither, and some that keep a node from being a root.
const OTHERS: &[&str] = &["C", "AB", "PL", "FF4", "P1", "EVENT", "KGSDE", "B", "W", "Black", "gm", "x"];

const WHITE: &[&str] = &["", "", "", "", " ", "\n", "\r\n\t", "\x0B\x0C"];

/// Contents of short values. The first has no special meaning.
const TEXTS: &[&str] =
    &["4", "", "a", "19:19", "a\\]", "\\\\", "\\[", "a\nb", "\r", "(", ";", "(;", ")", "\u{5B57}", "\\"];

const WINDOWS: [usize; 2] = [256, 512];

/// Bytes from an alphabet in which heads are likely.
pub(super) fn soup(random: &mut Gen) -> Vec<u8> {
    const PIECES: &[&[u8]] =
        &[b"(", b";", b"[", b"]", b")", b"FF", b"PB", b"N", b"[4]", b"[]", b"(;", b"GM[1]", b"PW[y]", b"TE[1]"];
    const OTHERS: &[&[u8]] = &[
        b"(;FF[4]",
        b"(;PB[x]PW[y];",
        b"(;N[",
        b"(;AP[",
        b"\\",
        b"a",
        b"B[aa]",
        b"C[",
        b" ",
        b"\n",
        b"\x81",
        b"CA[GBK]",
        b"(;CA[sjis]C[",
        b"(;GE[x]DI[",
        b"DI[7k]",
    ];
    let mut bytes = if one_in(random, 2) { b"(;".to_vec() } else { Vec::new() };
    for _ in 0..below(random, random.size() + 1) {
        let pieces = if one_in(random, 3) { OTHERS } else { PIECES };
        bytes.extend_from_slice(random.choose(pieces).unwrap());
    }
    bytes
}

impl Writer<'_> {
    /// A head, in one of so many places where it may be.
    pub(super) fn head_in(&mut self, n: usize) {
        if self.has_heads && self.one_in(n) {
            self.head();
        }
    }

    /// A head, or almost one, directly after the existing bytes or not.
    pub(super) fn head(&mut self) {
        self.put_one(&["", "", "", "\n", "\r ", "\\", "\\\\", "x", "(", "]", "[", ";", ")", "A", "A[", "\u{E9}"]);
        if self.has_charsets && self.one_in(3) {
            self.lead();
        }
        let start = self.out.len();
        match self.below(9) {
            0..3 => self.sure_head(),
            3 => self.problem_head(),
            4..8 => self.info_head(),
            // Another one within it.
            _ => {
                self.put_one(&["(;PB[", "(;FF[", "(;PB[x]PW[", "(;", "(;N[x"]);
                self.sure_head();
            }
        }
        if self.one_in(6) {
            // Without one of its bytes, or with another one.
            let at = start + self.below(self.out.len() - start);
            match self.below(3) {
                0 => drop(self.out.remove(at)),
                1 => self.out.truncate(at),
                _ => {
                    let byte = *self.random.choose(b"()[];\\\nA1 ").unwrap();
                    self.out.insert(at, byte);
                }
            }
        }
    }

    /// `(` `;` and one of six identifiers, with a value.
    fn sure_head(&mut self) {
        let start = self.open_head();
        let ident = if self.one_in(10) { OTHERS } else { SURE };
        self.put_one(ident);
        self.put_one(WHITE);
        self.put(b"[");
        match self.below(8) {
            0 => {
                let len = 62 + self.below(5);
                self.fill(b'a', len);
            }
            1 => self.put_one(TEXTS),
            _ => self.put_one(&["4", "1", "", "UTF-8", "GBK", "a b"]),
        }
        self.put(b"]");
        self.stretch(start, 1);
    }

    /// `(` `;` and the properties of a problem.
    fn problem_head(&mut self) {
        let start = self.open_head();
        self.put_one(&["GE", "GE", "GE", "Genre", "GEnre", "SO"]);
        for _ in 0..1 + usize::from(self.one_in(8)) {
            self.put_one(WHITE);
            self.put(b"[");
            match self.below(8) {
                0 => {
                    let len = 62 + self.below(5);
                    self.fill(b'a', len);
                }
                1 => self.put_one(TEXTS),
                _ => self.put(b"life and death"),
            }
            self.put(b"]");
            self.put_one(WHITE);
        }
        self.put_one(&["DI", "DI", "DI", "DIfficulty", "DP", "DIX", "B"]);
        self.put_one(WHITE);
        self.put_one(&["[7k]", "[7k]SO[x];", "[", ""]);
        self.stretch(start, 1);
    }

    /// `(` `;` and a node with game information.
    fn info_head(&mut self) {
        let start = self.open_head();
        let properties = 1 + self.below(4);
        for property in 0..properties {
            let idents = match (property, self.below(10)) {
                (0, 1..) | (_, 3..) => INFO,
                (_, 0) => SURE,
                _ => OTHERS,
            };
            self.put_one(idents);
            loop {
                self.put_one(WHITE);
                self.put(b"[");
                let texts = if self.one_in(3) { TEXTS } else { &TEXTS[..6] };
                self.put_one(texts);
                self.put(b"]");
                if !self.one_in(6) {
                    break;
                }
            }
            self.put_one(WHITE);
        }
        self.put_one(&[";", ";", "(", ")", ";B[aa]", "", "x;", "]"]);
        self.stretch(start, 1);
    }

    fn open_head(&mut self) -> usize {
        let start = self.out.len();
        self.put(b"(");
        self.put_one(WHITE);
        self.put(b";");
        self.put_one(WHITE);
        start
    }

    /// Makes some heads as long as heads may be, or a little shorter or longer.
    fn stretch(&mut self, start: usize, spare: usize) {
        if !self.one_in(5) {
            return;
        }
        let wanted = *self.random.choose(&WINDOWS).unwrap() - 2 + self.below(4 + spare);
        let Some(missing) = wanted.checked_sub(self.out.len() - start) else { return };
        let stretches = |byte: &u8| b"(;[".contains(byte);
        let places: Vec<usize> = (start..self.out.len()).filter(|&at| stretches(&self.out[at])).collect();
        let Some(&place) = self.random.choose(&places) else { return };
        // White space may occur everywhere there, other text in values.
        let byte = if self.out[place] == b'[' && self.one_in(2) { b'a' } else { b' ' };
        self.out.splice(place + 1..place + 1, std::iter::repeat_n(byte, missing));
    }

    /// A `]` of a text, without a `[`, and what makes it text or not.
    pub(super) fn stray_bracket(&mut self) {
        self.put(b"]");
        self.put_one(&["", " ", " ", "  ", "\t", "\n"]);
        self.put_one(&[
            "a", "so!", ";)", ";B", "; b", ";;", "; 1", ".", "\\]a", "\\[", "\\\n", "\\\\", ")", "(", "", "B", "aB",
        ]);
        if self.has_charsets && self.one_in(2) {
            self.characters();
        }
        if self.one_in(8) {
            let len = self.near_window();
            self.fill(b'a', len);
        }
        self.put_one(&["", "", "", "", " ", "\n", "[", "\\", "\r"]);
        self.put(b"]");
        self.put_one(&["", "", "", "a", " b]", ";)", ";) c]", "B[aa]", "\n", " ", "(", "(;", "] d"]);
    }
}
