//! Skipping 64 bytes at a time, using bit masks of [blocks](super::blocks).
//!
//! A block takes a few instructions, regardless of its content. If a repair is possible, or characters matter, the
//! loop stops before the value or the bracket, which [`skip`](super::skip) then examines byte by byte: a bare `[` in
//! a value, a `]` that may be text, a `(` that may start a head, and non-ASCII bytes in a charset with two-byte
//! characters.

use fearless_simd::{Simd, dispatch};

use super::blocks::{BLOCK, Block, BlockCarry};
use super::look_ahead::ends_plainly;
use super::skip::Skip;
use super::{Tokenizer, head};

impl Tokenizer {
    /// Skips whole blocks of the input from an index on. Returns the index reached: everything before it is skipped,
    /// and the next bytes must be examined one by one.
    pub(super) fn skip_in_blocks(&mut self, skip: &mut Skip, input: &[u8], pos: usize) -> usize {
        if !self.takes_fast_paths() {
            return pos;
        }
        let repair = self.lenient();
        dispatch!(self.config.simd.0, simd => Blocks { t: &mut *self, skip: &mut *skip, input, pos, certain: pos, repair }.pass(simd))
    }
}

/// A game that is being skipped in blocks.
struct Blocks<'t, 'i> {
    t: &'t mut Tokenizer,
    skip: &'t mut Skip,
    input: &'i [u8],
    /// Index up to which everything is skipped.
    pos: usize,
    /// Index before which all values certainly end where they seem to end.
    certain: usize,
    /// Whether the repairs of lenient mode apply.
    repair: bool,
}

impl Blocks<'_, '_> {
    #[inline(always)]
    fn pass<S: Simd>(mut self, simd: S) -> usize {
        self.pass_root(simd);
        if !self.t.declared.is_in_root() {
            self.pass_nodes(simd);
        }
        self.pos
    }

    /// Switches to the byte-by-byte path up to this index.
    #[inline(always)]
    fn suspend_until(&mut self, pos: usize) {
        self.skip.suspend_blocks(self.t.base + pos as u64);
    }

    /// Skips the rest of a root, up to bytes that must be examined one by one. These are a parenthesis, a bare `[` in
    /// a value, a value longer than a block, and any possible `CA`. Each block starts outside values and words.
    #[inline(always)]
    fn pass_root<S: Simd>(&mut self, simd: S) {
        if !self.skip.is_at_root(self.t.levels.brackets() as u64) {
            return;
        }
        let mut after_value = 0;
        while self.t.declared.is_in_plain_root() {
            let Some(bytes) = self.input[self.pos..].first_chunk() else { return };
            self.t.count(BLOCK);
            let (block, mut carry) = (Block::of(simd, bytes), BlockCarry::default());
            let (open, close) = (block.equal(b'['), block.equal(b']'));
            let inside = carry.inside(block, open, close);
            let value_ends = inside & !(inside >> 1 | carry.inside << 63);
            let starts = open & !inside;
            let semicolons = block.equal(b';') & !inside;
            let (opened, closed) = block.parens();
            // Bytes that must be examined one by one, and the end of the root.
            let mut stops = semicolons | (opened | closed) & !inside;
            let doubtful = if self.repair { (open & inside | close & !inside) & !below_lowest(starts) } else { 0 };
            if doubtful != 0 {
                stops |= 1 << highest(starts & below(doubtful.trailing_zeros()));
            }
            let in_list = starts & (value_ends << 1 | after_value);
            let mut first_values = starts & !in_list & !(block.between(b'B', b'Z') << 1) & below_lowest(stops);
            while first_values != 0 {
                let at = first_values.trailing_zeros();
                if self.may_be_label(self.pos + at as usize) {
                    stops |= 1 << at;
                    break;
                }
                first_values &= first_values - 1;
            }
            let mut plain_ends = value_ends & below_lowest(stops);
            if self.repair && plain_ends != 0 {
                let end = highest(plain_ends);
                let is_followed_by_value = (starts & below_lowest(stops)) >> end != 0;
                if !is_followed_by_value && !ends_plainly(&self.input[self.pos + end + 1..]) {
                    stops |= 1 << highest(starts & below(end as u32));
                    plain_ends &= below_lowest(stops);
                }
            }
            if semicolons & stops & stops.wrapping_neg() != 0 {
                self.pos += stops.trailing_zeros() as usize + 1;
                self.t.declared.leave_root();
                return;
            }
            if stops != 0 || plain_ends == 0 {
                self.suspend_until(self.pos + BLOCK);
            }
            if plain_ends != 0 {
                self.pos += highest(plain_ends) + 1;
                self.t.declared.pass_values();
                after_value = 1;
            }
            if stops != 0 || plain_ends == 0 {
                return;
            }
        }
    }

    /// Returns whether the `[` at an index may be that of the root's CA. It must not follow a value. It is not if the
    /// identifier before it ends differently. A digit may be separate junk.
    #[inline(always)]
    fn may_be_label(&self, bracket: usize) -> bool {
        match self.input[..bracket] {
            [.., before, b'A'] => before == b'C' || !before.is_ascii_uppercase(),
            [.., last] => last == b'A' || !last.is_ascii_uppercase(),
            [] => true,
        }
    }

    /// Skips whole blocks, up to a bracket or value that must be examined byte by byte. If that is the `)` of the
    /// skipped item, it comes next.
    #[inline(always)]
    fn pass_nodes<S: Simd>(&mut self, simd: S) {
        let is_two_byte = self.t.declared.two_byte().is_some();
        self.certain = self.pos;
        let mut carry = BlockCarry::default();
        let mut pos = self.pos;
        // The last block in which values start, with their starts. Before the first one, the start of the blocks.
        let mut values = (pos, 1);
        while let Some(bytes) = self.input[pos..].first_chunk() {
            self.t.count(BLOCK);
            let block = Block::of(simd, bytes);
            let (open, close) = (block.equal(b'['), block.equal(b']'));
            let is_plain = !block.has_rare() && (!is_two_byte || block.high() == 0);
            if is_plain && carry.pass_turns(open, close) {
                if open != 0 {
                    values = (pos, open);
                }
                pos += BLOCK;
                continue;
            }
            let before = carry;
            let inside = carry.inside(block, open, close);
            let starts = open & !inside;
            // A bare `[` in a value, and a `]` outside, which may turn the one before it into text.
            let doubtful = if self.repair { open & inside | close & !inside } else { 0 };
            if (doubtful != 0 || is_two_byte || block.has_parens())
                && let Some(stop) = {
                    let masks = Masks { inside, starts, doubtful, ends_inside: carry.inside == 1 };
                    self.look_closely(block, masks, before.inside == 1, pos, last_start(values))
                }
            {
                self.pos = stop;
                self.suspend_until(pos + BLOCK);
                return;
            }
            if starts != 0 {
                values = (pos, starts);
            }
            pos += BLOCK;
        }
        let is_open = carry.inside == 1 || !self.is_end_certain(pos);
        self.pos = if is_open { last_start(values) } else { pos };
    }

    /// Examines a block that is not plain. Returns the index to stop at, if it must be examined byte by byte.
    #[inline(always)]
    fn look_closely<S: Simd>(
        &mut self,
        block: Block<S>,
        masks: Masks,
        starts_inside: bool,
        pos: usize,
        value_pos: usize,
    ) -> Option<usize> {
        let Masks { inside, starts, mut doubtful, ends_inside } = masks;
        if self.t.declared.two_byte().is_some() {
            doubtful |= block.high() & if self.repair { u64::MAX } else { inside };
        }
        if !starts_inside && self.is_end_certain(pos) {
            // The end of the last value has been decided, regardless of the bytes before the next one.
            doubtful &= !below_lowest(starts);
            self.certain = pos + starts.trailing_zeros() as usize;
        }
        let (opened, closed) = block.parens();
        if doubtful == 0 && (opened | closed) != 0 && !ends_inside && !self.is_end_certain(pos + BLOCK) {
            // Counts are not undone, so the end is decided here.
            doubtful = if inside == 0 { 1 } else { 1 << highest(inside) };
        }
        let mut stop = None;
        // The bits before the bytes that must be examined one by one.
        let mut plain = u64::MAX;
        if doubtful != 0 {
            let start = starts & below(doubtful.trailing_zeros());
            stop = Some(if start == 0 { value_pos } else { pos + highest(start) });
            plain = if start == 0 { 0 } else { below(highest(start) as u32) };
        }
        let (mut opened, mut closed) = (opened & plain & !inside, closed & plain & !inside);
        if self.repair
            && opened != 0
            && let Some(at) = self.first_candidate(pos, opened)
        {
            stop = Some(pos + at);
            (opened, closed) = (opened & below(at as u32), closed & below(at as u32));
        }
        if let Some(at) = self.skip.close(opened, closed) {
            stop = Some(pos + at);
        }
        stop
    }

    /// Returns whether the last value before an index certainly ends where it seems to end. The index is outside
    /// values, and the bytes after the value are then not text. No `]` may have occurred outside values since that
    /// was last certain.
    #[inline(always)]
    fn is_end_certain(&mut self, pos: usize) -> bool {
        if self.repair
            && let Some(end) = memchr::memrchr(b']', &self.input[self.certain..pos])
            && !ends_plainly(&self.input[self.certain + end + 1..])
        {
            return false;
        }
        self.certain = pos;
        true
    }

    /// Returns the first of these `(` that may start a head.
    #[inline(always)]
    fn first_candidate(&self, pos: usize, mut parens: u64) -> Option<usize> {
        while parens != 0 {
            let at = parens.trailing_zeros() as usize;
            if head::may_begin(&self.input[pos + at..]) {
                return Some(at);
            }
            parens &= parens - 1;
        }
        None
    }
}

/// Facts about a block.
struct Masks {
    /// The bytes inside values.
    inside: u64,
    /// The `[` of values.
    starts: u64,
    /// The bytes that must be examined one by one, unless they follow the certain end of a value.
    doubtful: u64,
    /// Whether the block ends inside a value.
    ends_inside: bool,
}

/// Returns the index of the last bit in a block that starts at an index.
fn last_start((pos, starts): (usize, u64)) -> usize {
    pos + highest(starts)
}

/// Returns the bits below a bit.
fn below(bit: u32) -> u64 {
    (1 << bit) - 1
}

/// Returns the bits below the lowest bit of a mask; all if it is empty.
fn below_lowest(mask: u64) -> u64 {
    mask.wrapping_sub(1) & !mask
}

/// Returns the index of the highest bit.
fn highest(mask: u64) -> usize {
    63 - mask.leading_zeros() as usize
}
