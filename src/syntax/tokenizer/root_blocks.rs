//! Root properties, read with bit masks of blocks.
//!
//! A root has a dozen properties, most of them so short that the masks of 64 bytes show the starts and ends of
//! several. As in [`fast`](super::fast), results do not change: anything unusual is left to `Nodes::property`.

use fearless_simd::{Simd, dispatch};

use super::Sink;
use super::blocks::{BLOCK, Block};
use super::emit::{After, Muted};
use super::fast::{Nodes, Stop};
use crate::syntax::event::{Event, Ident};
use crate::syntax::simd::SimdLevel;

/// The brackets of a block, and the bytes that make a value not plain.
struct Brackets {
    open: u64,
    close: u64,
    backslash: u64,
    high: u64,
}

impl Brackets {
    fn of(level: SimdLevel, bytes: &[u8; BLOCK]) -> Self {
        dispatch!(level.0, simd => Brackets::by(simd, bytes))
    }

    #[inline(always)]
    fn by<S: Simd>(simd: S, bytes: &[u8; BLOCK]) -> Self {
        let block = Block::of(simd, bytes);
        Brackets {
            open: block.equal(b'['),
            close: block.equal(b']'),
            backslash: block.equal_if_any(b'\\'),
            high: block.high(),
        }
    }
}

/// Returns the lowest bit of a mask, from `from` on.
#[inline(always)]
fn first_from(mask: u64, from: usize) -> Option<usize> {
    let rest = mask & u64::MAX.checked_shl(from as u32)?;
    (rest != 0).then(|| rest.trailing_zeros() as usize)
}

/// Returns an identifier of one or two upper-case letters, up to the `[` after it.
#[inline(always)]
fn ident_from(bytes: &[u8; BLOCK], open: u64, from: usize) -> Option<(usize, usize)> {
    let bracket = first_from(open, from)?;
    let is_ident = match bytes[from..bracket] {
        [first] => first.is_ascii_uppercase(),
        [first, second] => first.is_ascii_uppercase() && second.is_ascii_uppercase(),
        _ => false,
    };
    is_ident.then_some((from, bracket))
}

impl<S: Sink + ?Sized> Nodes<'_, S> {
    /// Reads root properties, as many as the next block shows, up to one that needs care.
    #[inline(always)]
    pub(super) fn root_properties(&mut self) -> Result<(), Stop> {
        let (input, start) = (self.input, self.pos);
        let Some(bytes) = input[start..].first_chunk() else { return Ok(()) };
        self.t.count(BLOCK);
        // Until most of it proves to be plain.
        self.t.root_blocks_from = self.at() + BLOCK as u64;
        let Brackets { open, close, backslash, high } = Brackets::of(self.t.config.simd, bytes);
        let special = if self.t.declared.is_nothing() { open | backslash } else { open | backslash | high };
        let mut next = ident_from(bytes, open, 0);
        while let Some((from, bracket)) = next
            && let Some(end) = first_from(close, bracket)
        {
            let (ident, raw) = (&bytes[from..bracket], &bytes[bracket + 1..end]);
            let is_plain = first_from(special, bracket + 1).is_none_or(|special| special > end)
                && ident.len() <= self.t.config.max_ident_len
                && raw.len() <= self.t.config.max_value_len;
            next = ident_from(bytes, open, end + 1);
            // A property after it proves that it ends there.
            if !is_plain || next.is_none() && !self.ends_at(start + end) {
                break;
            }
            self.t.declared.note_ascii_property(ident, raw);
            let at = self.t.base + (start + from) as u64;
            self.pos = start + bracket;
            self.is_in_list = true;
            if self.muted != Muted::Node {
                self.muted = Muted::Nothing;
                self.send(Event::Property(Ident::new(ident)), at, After::Property, Some(raw.len()))?;
            }
            self.pos = start + end + 1;
            self.send_value(raw, at + ident.len() as u64)?;
        }
        if self.pos >= start + BLOCK / 2 {
            self.t.root_blocks_from = 0;
        }
        Ok(())
    }
}
