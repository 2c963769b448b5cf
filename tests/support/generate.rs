//! Inputs: documents that are mostly SGF, with every syntax error that lenient mode repairs, and some in charsets
//! with brackets inside characters, or with heads of games where no game should start; bytes that look like SGF; and
//! any bytes at all.

#[path = "generate/charset.rs"]
mod charset;
#[path = "generate/heads.rs"]
mod heads;

use std::fmt;
use std::ops::Range;

use quickcheck::{Arbitrary, Gen};
use sgf_stream::{Event, Flow};

use super::naive::Charset;
use super::{Given, Rules};

/// Bytes to parse. Most are a [`document`].
#[derive(Clone)]
pub struct Input(pub Vec<u8>);

/// As a byte string that can be pasted into a test.
impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b\"{}\"", self.0.escape_ascii())
    }
}

impl Arbitrary for Input {
    fn arbitrary(random: &mut Gen) -> Self {
        Input(match below(random, 10) {
            0 => Vec::arbitrary(random),
            1..3 => soup(random),
            3 => charset::soup(random),
            4 => heads::soup(random),
            _ => document(random),
        })
    }

    /// Leaves out ever shorter pieces. Changing bytes would not make a case any clearer.
    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let bytes = self.0.clone();
        let lens = std::iter::successors(Some(bytes.len()), |len| Some(len / 2)).take_while(|&len| len > 0);
        Box::new(lens.collect::<Vec<_>>().into_iter().flat_map(move |len| {
            let bytes = bytes.clone();
            (0..=bytes.len() - len).step_by(len.div_ceil(2)).map(move |start| {
                let mut rest = bytes.clone();
                rest.drain(start..start + len);
                Input(rest)
            })
        }))
    }
}

/// Either mode; the usual limits, or some so low that a short document meets them.
impl Arbitrary for Rules {
    fn arbitrary(random: &mut Gen) -> Self {
        let some_low = bool::arbitrary(random);
        let mut limit = |usual: usize, low: Range<usize>| {
            if some_low && one_in(random, 2) { low.start + below(random, low.len()) } else { usual }
        };
        let Rules { max_value_len, max_ident_len, max_depth, .. } = USUAL;
        let max_value_len = limit(max_value_len, 0..9);
        let max_ident_len = limit(max_ident_len, 1..5);
        let max_depth = limit(max_depth, 0..5);
        Rules { strict: one_in(random, 3), max_value_len, max_ident_len, max_depth, given: Given::Nothing }
    }

    /// Does without one of the limits.
    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let shrunk = [
            Rules { max_value_len: USUAL.max_value_len, ..self.clone() },
            Rules { max_ident_len: USUAL.max_ident_len, ..self.clone() },
            Rules { max_depth: USUAL.max_depth, ..self.clone() },
        ];
        let rules = self.clone();
        Box::new(shrunk.into_iter().filter(move |shrunk| *shrunk != rules))
    }
}

/// Anything, where there is the feature for it.
impl Arbitrary for Given {
    fn arbitrary(random: &mut Gen) -> Self {
        if !cfg!(feature = "charset") {
            return Given::Nothing;
        }
        let all = [Charset::ShiftJis, Charset::Big5, Charset::Gbk, Charset::Gb18030];
        let charset = all[below(random, all.len())];
        match below(random, 3) {
            0 => Given::Default(charset),
            1 => Given::Forced(Some(charset)),
            _ => Given::Forced(None),
        }
    }
}

const USUAL: Rules =
    Rules { strict: false, max_value_len: 1 << 20, max_ident_len: 256, max_depth: 1 << 20, given: Given::Nothing };

/// Sizes of chunks, used in turn.
#[derive(Clone, Debug)]
pub struct Chunks(pub Vec<usize>);

impl Arbitrary for Chunks {
    fn arbitrary(random: &mut Gen) -> Self {
        let longest = *random.choose(&[1, 2, 8, 100, 600]).unwrap();
        let mut sizes: Vec<usize> = (0..1 + below(random, 8)).map(|_| below(random, longest + 1)).collect();
        sizes.push(longest);
        Chunks(sizes)
    }
}

/// Picks events, by what and where they are: the same ones, however they come.
#[derive(Clone, Debug)]
pub struct Answers {
    one_in: u64,
    seed: u64,
}

impl Answers {
    /// Picks one event in so many.
    pub fn new(one_in: u64, seed: u64) -> Self {
        Answers { one_in, seed }
    }

    /// The answer to an event: to some of them `chosen`.
    pub fn choose(&self, event: Event<'_>, at: u64, chosen: Flow) -> Flow {
        let kind = match event {
            Event::StartTree => 1,
            Event::Node => 2,
            Event::Property(_) => 3,
            Event::Value(_) => 4,
            _ => 5,
        };
        let mixed = (at * 8 + kind + self.seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        if mixed.is_multiple_of(self.one_in) { chosen } else { Flow::Continue }
    }
}

impl Arbitrary for Answers {
    fn arbitrary(random: &mut Gen) -> Self {
        Answers { one_in: *random.choose(&[1, 2, 4, 16]).unwrap(), seed: u64::from(u16::arbitrary(random)) }
    }
}

fn below(random: &mut Gen, end: usize) -> usize {
    (u32::arbitrary(random) as usize) % end
}

fn one_in(random: &mut Gen, n: usize) -> bool {
    below(random, n) == 0
}

/// Bytes from an alphabet in which SGF is likely.
fn soup(random: &mut Gen) -> Vec<u8> {
    const BYTES: &[u8] = b"((((()))));;;;[[[[]]]]]\\\\ABFGMaf4  \n\n\r\t,:\0\xEF";
    (0..below(random, random.size() + 1)).map(|_| *random.choose(BYTES).unwrap()).collect()
}

/// A collection. Some are without a fault, the others have a few, many, or little else.
fn document(random: &mut Gen) -> Vec<u8> {
    let fault_in = *random.choose(&[None, Some(40), Some(8), Some(3)]).unwrap();
    // Where no fault is wanted there are few: most inputs with heads are not what grammar has.
    let has_heads = one_in(random, if fault_in.is_some() { 2 } else { 12 });
    let has_charsets = one_in(random, 3);
    let mut writer = Writer { random, out: Vec::new(), fault_in, has_charsets, has_heads, wants_charset: false };
    writer.collection();
    let mut bytes = writer.out;
    if fault_in.is_some() && one_in(random, 4) {
        damage(random, &mut bytes);
    }
    bytes
}

/// Damages a document as files are damaged: the end is lost, or single bytes.
fn damage(random: &mut Gen, bytes: &mut Vec<u8>) {
    if bytes.is_empty() {
        return;
    }
    let at = below(random, bytes.len());
    match below(random, 4) {
        0 => bytes.truncate(at),
        1 => drop(bytes.remove(at)),
        2 => bytes[at] = *random.choose(b"()[];\\\n").unwrap(),
        _ => bytes.insert(at, *random.choose(b"()[];\\\nA").unwrap()),
    }
}

/// Writes a document, rule by rule, as the grammar has them, and makes one of the faults of a
/// rule in so many of its uses.
struct Writer<'g> {
    random: &'g mut Gen,
    out: Vec<u8>,
    fault_in: Option<usize>,
    /// Games name charsets, and values have characters of two bytes, be it where they are none.
    has_charsets: bool,
    /// Heads occur everywhere.
    has_heads: bool,
    /// The next node is a root, and is to name one.
    wants_charset: bool,
}

impl Writer<'_> {
    fn put(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    fn put_one(&mut self, choices: &[&str]) {
        let choice = *self.random.choose(choices).unwrap();
        self.put(choice.as_bytes());
    }

    fn below(&mut self, end: usize) -> usize {
        below(self.random, end)
    }

    fn one_in(&mut self, n: usize) -> bool {
        one_in(self.random, n)
    }

    fn is_fault(&mut self) -> bool {
        self.fault_in.is_some_and(|n| one_in(self.random, n))
    }

    /// Some length near that of the look-ahead of 256 bytes.
    fn near_window(&mut self) -> usize {
        240 + self.below(20)
    }

    fn fill(&mut self, byte: u8, len: usize) {
        self.out.resize(self.out.len() + len, byte);
    }

    fn white(&mut self) {
        if self.one_in(6) {
            self.put_one(&[" ", "\n", "\r\n", "\n\r", "\r", "\t", "\x0B", "\x0C", "\n  ", "\n\n", " \r "]);
        }
    }

    fn collection(&mut self) {
        if self.one_in(12) {
            self.put(b"\xEF\xBB\xBF");
        }
        let games = 1 + self.below(3);
        for _ in 0..games {
            if self.is_fault() {
                self.junk_outside();
            }
            self.wants_charset = self.has_charsets && !self.one_in(8);
            self.tree(3);
            self.white();
        }
        if self.is_fault() {
            self.junk_outside();
        }
        if self.is_fault() {
            self.cut_off();
        }
    }

    /// A last game, which ends near the end of the window after a `]`.
    fn cut_off(&mut self) {
        self.put_one(&["(;C[[]", "(;C[[a] (", "(;C[[]B", "(;C[[]B ", "(;C[\n(;FF["]);
        let (byte, len) = (*self.random.choose(b" A").unwrap(), self.near_window());
        self.fill(byte, len);
    }

    fn junk_outside(&mut self) {
        const JUNK: &[&str] = &[
            "From: a@b (c)\n\n",
            ")",
            ") )",
            "(",
            "( A ",
            "((",
            "()",
            "(a[b])",
            "a[(;]",
            "(Bc d[",
            "(LONGEST[a])",
            "\0",
            "\u{FEFF}",
            "x;B[aa])",
            "]",
        ];
        self.put_one(JUNK);
    }

    /// `GameTree = "(" Sequence { GameTree } ")"`
    fn tree(&mut self, depth: usize) {
        if self.is_fault() {
            self.put_one(&["()", "(", "( x )", "(B)", ")", "(a;", "([a]", "\n ("]);
            self.white();
        }
        self.head_in(20);
        if depth > 0 && self.is_fault() {
            self.bracket(depth - 1);
            return;
        }
        self.put(b"(");
        self.white();
        let nodes = 1 + self.below(3);
        for node in 0..nodes {
            // The first `;`, or that after a tree, is one that gets lost.
            let has_semicolon = !(node == 0 && self.is_fault());
            self.node(has_semicolon);
        }
        let children = if depth == 0 { 0 } else { self.below(5).saturating_sub(2) };
        for _ in 0..children {
            self.child(depth - 1);
        }
        self.close();
    }

    /// A bracket without nodes of its own.
    fn bracket(&mut self, depth: usize) {
        self.put(b"(");
        let children = self.below(3);
        for _ in 0..children {
            self.child(depth);
        }
        self.close();
    }

    /// A child tree, and what may not be after it.
    fn child(&mut self, depth: usize) {
        self.white();
        self.tree(depth);
        if self.is_fault() {
            let has_semicolon = self.one_in(2);
            self.white();
            self.node(has_semicolon);
        }
    }

    fn close(&mut self) {
        if self.is_fault() {
            self.put_one(&["", "))", "()", "[a])", "A)", ";"]);
        } else {
            self.put(b")");
        }
    }

    /// `Node = ";" { Property }`
    fn node(&mut self, has_semicolon: bool) {
        if has_semicolon {
            self.put(b";");
        }
        if std::mem::take(&mut self.wants_charset) {
            self.charset();
        }
        let properties = self.below(4);
        for _ in 0..properties {
            self.white();
            self.head_in(30);
            self.property();
        }
        if self.is_fault() {
            self.junk_inside();
        }
        self.white();
    }

    fn junk_inside(&mut self) {
        self.put_one(&["x", "xy z1", ",", "]", "1A", "\0\0", "-a,b-", "[a]", "A", "aB", "\u{E9}", "\\", "()"]);
    }

    /// `Property = PropIdent PropValue { PropValue }`
    fn property(&mut self) {
        if self.is_fault() {
            self.put_one(&["Black", "aB", "P0", "fF4", "Ff", "LONGEST", "longest", "LoNG3", "b", "A B", "G1M2", ""]);
        } else {
            self.put_one(&["B", "W", "AB", "AW", "C", "N", "LB", "GC", "FF", "GM", "SZ", "CA", "AP", "ST", "KGSDE"]);
        }
        loop {
            self.white();
            self.head_in(60);
            if self.is_fault() {
                self.junk_inside();
            }
            self.value();
            if !self.one_in(4) {
                break;
            }
        }
    }

    /// `PropValue = "[" CValueType "]"`
    fn value(&mut self) {
        self.put(b"[");
        if self.has_charsets && self.one_in(2) {
            self.characters();
        } else if self.one_in(2) {
            self.put_one(&["", "aa", "dd", "4", "tt", "UTF-8", "dd:ff"]);
        } else {
            let pieces = self.below(6);
            for _ in 0..pieces {
                self.head_in(8);
                self.put_one(&["a", "text", " ", "\n", "\r\n", "\n\r", "\r", "\\]", "\\\\", "\\[", "\\\n", "\\a"]);
                if self.one_in(4) {
                    self.put_one(&["(", ";", ")", ":", "[", "\0", "\u{5B57}", "\n(;", "B", "[3d", "(;FF"]);
                }
                if self.one_in(30) {
                    let len = self.near_window();
                    self.fill(b'a', len);
                }
            }
        }
        if self.is_fault() {
            self.value_fault();
        } else {
            self.put(b"]");
        }
    }

    /// A value that does not end as it should.
    fn value_fault(&mut self) {
        match self.below(9) {
            0 => {}
            1 => self.put(b"\\"),
            // What looks like the end is the end of a character.
            2 if self.has_charsets => {
                self.lead();
                self.put(b"]");
            }
            2..4 => self.stray_bracket(),
            4..6 => {
                // A `]` as text, and what follows it, or does not, within the window.
                self.put_one(&["]", "[]", "[a]", "[]]"]);
                if self.one_in(2) {
                    let (byte, len) = (*self.random.choose(b" \nA").unwrap(), self.near_window());
                    self.put_one(&["", "(", "A "]);
                    self.fill(byte, len);
                }
                self.put_one(&["a", ".", " a]", "A", "(a", "]", "[", ";", ")", "(;", "AB[", "Ab[a]", "A;", "( ;"]);
            }
            _ if self.one_in(2) => self.head(),
            _ => self.lost_game(),
        }
    }

    /// The start of a game, inside the one before it, and inside a value at that.
    fn lost_game(&mut self) {
        self.put_one(&["\n(;", "\r (\n;", "\n\t( ;\n", "\r\n(;", "\n\r(;", " (;", "\nx(;", "\n(", "\n\\(;"]);
        self.put_one(&["FF", "GM", "CA", "AP", "SZ", "ST", "GaMe", "FF4", "B", "sT", "aAP ", "SZ\n", "1FF", "F F"]);
        self.put(b"[");
        if self.one_in(3) {
            let (byte, len) = (*self.random.choose(b"a ").unwrap(), self.near_window());
            self.fill(byte, len);
        }
        self.put_one(&["4", "", "a\\", "]", "(;"]);
        self.put(b"]");
    }
}
