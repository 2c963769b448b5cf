//! From bytes to paths.
//!
//! Outside of values, and in values without a bare `[`, this takes 64 bytes at a time, as skipping does
//! (`tokenizer/blocks.rs`). A value with one is followed from bracket to bracket. What the brackets mean
//! is a matter of [`path`](super::path), and of what stands [`near`](super::near) them.

use memchr::memchr3;

use super::near::Text;
use super::path::{Limit, Mode, Path, Summary, Unmatched};
use crate::tokenizer::blocks::{BLOCK, Block, Carry};

impl Summary {
    /// The summary of a piece of a text.
    ///
    /// The three ways to enter it soon lead to the same mode: any `[` makes it inside, any `]` behind it
    /// outside. From there on there is one path, which is followed once.
    pub(super) fn of(text: Text<'_>, from: usize, to: usize) -> Summary {
        let mut walks = Mode::ALL.map(|mode| Walk::new(text, mode));
        let (mut at, mut len) = (from, BLOCK);
        while at < to {
            let next = to.min(at + len);
            for walk in &mut walks {
                walk.go(at, next);
            }
            at = next;
            let [plain, inside, hidden] = walks.each_ref().map(|walk| walk.path.mode);
            if plain == inside && inside == hidden {
                let rest = Path::of(text, plain, at, to);
                return Summary::new(walks.map(|walk| walk.path.then(&rest)));
            }
            len *= 2; // the modes of text without brackets never meet
        }
        Summary::new(walks.map(|walk| walk.path))
    }
}

impl Path {
    /// The path through a piece of a text that is entered in a mode.
    pub(super) fn of(text: Text<'_>, mode: Mode, from: usize, to: usize) -> Path {
        let mut walk = Walk::new(text, mode);
        walk.go(from, to);
        walk.path
    }
}

struct Walk<'t> {
    text: Text<'t>,
    path: Path,
}

impl<'t> Walk<'t> {
    fn new(text: Text<'t>, mode: Mode) -> Self {
        Walk { text, path: Path::empty(mode) }
    }

    /// Follows the bytes of these indices.
    fn go(&mut self, from: usize, to: usize) {
        let mut at = from;
        while at < to && !self.path.is_lost() {
            at = match self.path.mode {
                Mode::Plain => self.plain(at, to),
                Mode::Inside | Mode::Hidden => self.value(at, to),
            };
        }
    }

    /// Outside of values, up to the end or to where a value has to be followed closely.
    fn plain(&mut self, from: usize, to: usize) -> usize {
        let mut carry = Carry::default();
        let mut at = from;
        while let Some(bytes) = self.text.bytes[at..to].first_chunk() {
            let block = Block::of(bytes);
            let before = carry;
            let open = block.equal(b'[');
            let inside = carry.inside(block, open);
            let starts = open & !inside;
            let bare = open & inside;
            if bare != 0 {
                let Some(start) = (starts & below(bare.trailing_zeros())).checked_ilog2() else {
                    self.path.mode = if before.hidden == 1 { Mode::Hidden } else { Mode::Inside };
                    self.path.unmatched = Unmatched::NONE;
                    return at;
                };
                let in_front = below(start);
                self.brackets(at, block, inside | !in_front, starts & in_front);
                self.check_label(at, starts & in_front, inside, carry);
                if self.path.is_lost() {
                    return to;
                }
                self.start_value(at + start as usize);
                return at + start as usize + 1;
            }
            self.brackets(at, block, inside, starts);
            self.check_label(at, starts, inside, carry);
            if self.path.is_lost() {
                return to;
            }
            if starts != 0 {
                self.path.unmatched = Unmatched::NONE;
            }
            at += BLOCK;
        }
        if carry.inside == 1 {
            self.path.mode = if carry.hidden == 1 { Mode::Hidden } else { Mode::Inside };
            return at;
        }
        self.plain_rest(at, to)
    }

    /// The same, for less than a block.
    fn plain_rest(&mut self, from: usize, to: usize) -> usize {
        for at in from..to {
            match self.text.bytes[at] {
                b'[' => {
                    self.start_value(at);
                    return at + 1;
                }
                b'(' => self.open(at),
                b')' => self.path.close(),
                _ => {}
            }
        }
        to
    }

    /// A block's brackets outside of values, in their order.
    #[inline(always)]
    fn brackets(&mut self, at: usize, block: Block, inside: u64, mut starts: u64) {
        let (opened, closed) = block.parens();
        let mut both = (opened | closed) & !inside;
        while both != 0 {
            let bit = both & both.wrapping_neg();
            both ^= bit;
            if starts & (bit - 1) != 0 {
                self.path.value();
                starts &= !(bit - 1);
            }
            if opened & bit != 0 {
                self.open(at + bit.trailing_zeros() as usize);
            } else {
                self.path.close();
            }
        }
        if starts != 0 {
            self.path.value();
        }
    }

    /// Looks at the values of a block that may name a charset: no label has less than three letters.
    #[inline(always)]
    fn check_label(&mut self, at: usize, starts: u64, inside: u64, carry: Carry) {
        let ends = inside & !(inside >> 1 | carry.inside << 63);
        let mut long = starts & !(ends >> 1 | ends >> 2 | ends >> 3);
        while long != 0 {
            if self.text.may_name_charset(at + long.trailing_zeros() as usize) {
                return self.path.doubt(Limit::Always);
            }
            long &= long - 1;
        }
    }

    #[inline(never)]
    fn open(&mut self, at: usize) {
        let Text { at: base, .. } = self.text;
        let starts_tree = self.path.depth > self.path.low || self.text.starts_tree(at);
        self.path.open(base + at as u64, starts_tree, self.text.may_start_next_game(at));
    }

    /// At the `[` of a value.
    fn start_value(&mut self, at: usize) {
        self.path.value();
        self.path.mode = Mode::Inside;
        self.path.unmatched = Unmatched::NONE;
        if self.text.may_name_charset(at) {
            self.path.doubt(Limit::Always);
        }
    }

    /// Inside a value, up to its end or that of the piece.
    fn value(&mut self, from: usize, to: usize) -> usize {
        let bytes = self.text.bytes;
        let mut at = from;
        while at < to {
            if self.path.mode == Mode::Hidden {
                if bytes[at] == b']' {
                    self.path.unmatched.close();
                }
                self.path.mode = Mode::Inside;
                at += 1;
                continue;
            }
            let Some(found) = memchr3(b'[', b']', b'\\', &bytes[at..to]) else { return to };
            at += found + 1;
            match bytes[at - 1] {
                b'[' => self.path.unmatched.open(),
                b'\\' => self.path.mode = Mode::Hidden,
                _ => {
                    let limit = self.path.unmatched.is_any();
                    (self.path.mode, self.path.unmatched) = (Mode::Plain, Unmatched::NONE);
                    if limit != Limit::Never && self.text.is_repaired(at - 1) {
                        self.path.doubt(limit);
                    }
                    return at;
                }
            }
        }
        to
    }
}

/// The bits below one.
fn below(bit: u32) -> u64 {
    (1 << bit) - 1
}
