//! Feeding a tokenizer in chunks.
//!
//! A lexeme may span chunks, but the tokenizer needs it in one slice. [`ChunkCarry`] keeps the bytes that the
//! tokenizer did not consume, and copies no more of the next chunk than it takes to get past them: as soon as the
//! tokenizer has consumed everything that was kept, it reads from the chunk itself.

use std::mem;

use crate::syntax::tokenizer::{Outcome, Sink, Step, Tokenizer};

/// The unfinished lexeme between two chunks.
#[derive(Debug, Default)]
pub(crate) struct ChunkCarry {
    bytes: Vec<u8>,
    /// Number of kept bytes that the tokenizer has consumed, or reads from the chunk.
    done: usize,
    /// Start of the last call, as an index into `bytes`.
    start: usize,
    /// Start of the last call, as an offset in the stream.
    origin: u64,
    /// Number of bytes at the end of `bytes` that the next chunk repeats at its start.
    ahead: usize,
    /// Bytes copied and moved, for a test that limits them.
    #[cfg(test)]
    copied: usize,
}

/// Bytes of a chunk that are copied when more are needed. Doubles each time.
const FIRST_COPY: usize = 64;

impl ChunkCarry {
    /// Runs the tokenizer over the kept bytes and `chunk`. Returns how many bytes of the chunk were consumed or kept,
    /// and why it stopped. With [`Outcome::NeedMore`] it is all of them. The next chunk starts with the rest.
    pub(crate) fn run<S: Sink>(
        &mut self,
        tokenizer: &mut Tokenizer,
        chunk: &[u8],
        eof: bool,
        sink: &mut S,
    ) -> (usize, Outcome) {
        if self.done * 2 >= self.bytes.len() {
            self.bytes.drain(..self.done);
            self.done = 0;
            self.count(self.bytes.len());
        }
        self.start = self.done;
        self.origin = tokenizer.offset();
        // First only the kept bytes: the sink may have stopped in the middle of them.
        let mut taken = mem::take(&mut self.ahead).min(chunk.len()); // a reader may violate its contract
        let mut copy = 0;
        while !self.is_empty() {
            let more = copy.min(chunk.len() - taken);
            self.copy(&chunk[taken..taken + more]);
            taken += more;
            copy = (copy * 2).max(FIRST_COPY);
            let Step { consumed, outcome } = tokenizer.run(&self.bytes[self.done..], eof && taken == chunk.len(), sink);
            self.done += consumed;
            let left = self.bytes.len() - self.done;
            if left <= taken {
                // The chunk also contains the rest: continue there. The bytes are kept until the next call, since
                // events may point at them.
                taken -= left;
                self.done = self.bytes.len();
            }
            if outcome == Outcome::NeedMore {
                if !self.is_empty() && taken == chunk.len() {
                    return (taken, outcome);
                }
            } else if self.is_empty() {
                return (taken, outcome);
            } else {
                // The bytes copied from the chunk do not count as consumed yet, since the next call may read them
                // there.
                self.ahead = taken;
                return (0, outcome);
            }
        }
        let Step { consumed, outcome } = tokenizer.run(&chunk[taken..], eof, sink);
        taken += consumed;
        if outcome == Outcome::NeedMore {
            self.copy(&chunk[taken..]);
            taken = chunk.len();
        }
        (taken, outcome)
    }

    /// Keeps the rest of a chunk that the last call did not consume.
    pub(crate) fn keep(&mut self, rest: &[u8]) {
        let ahead = mem::take(&mut self.ahead);
        self.copy(&rest[ahead..]);
    }

    /// Appends to the kept bytes.
    fn copy(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.count(bytes.len());
    }

    fn count(&mut self, _bytes: usize) {
        #[cfg(test)]
        {
            self.copied += _bytes;
        }
    }

    /// Returns the bytes of the stream from `at` on, if the last call had to keep them.
    pub(crate) fn get(&self, at: u64, len: usize) -> Option<&[u8]> {
        let start = self.start + usize::try_from(at.checked_sub(self.origin)?).ok()?;
        self.bytes.get(start..start + len)
    }

    fn is_empty(&self) -> bool {
        self.done == self.bytes.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::parser::Parser;
    use crate::syntax::event::{Event, Ident};
    use crate::syntax::flow::Flow;

    /// A sink that stops after a fixed number of events.
    struct Stops(usize, usize);

    impl Sink for Stops {
        fn event(&mut self, _: Event<'_>, _: u64) -> Flow {
            self.1 += 1;
            if self.1.is_multiple_of(self.0) { Flow::Break } else { Flow::Continue }
        }
    }

    /// Regression: after a lexeme that spanned two chunks, a chunk of 64 KiB was copied whole, 64 bytes at a time,
    /// and moved at every event.
    #[test]
    fn little_is_copied_however_often_the_sink_stops() {
        let bytes = b"(;FF[4]C[a comment that is longer than a short value is];B[dd];W[pp])\n".repeat(4000);
        for stops in [1, 2, 7, usize::MAX] {
            for size in [1, 10, 100, 1000, 64 * 1024] {
                let (mut carry, mut tokenizer) = (ChunkCarry::default(), Parser::new().tokenizer());
                let mut sink = Stops(stops, 0);
                for chunk in bytes.chunks(size) {
                    let mut rest = chunk;
                    loop {
                        let (taken, outcome) = carry.run(&mut tokenizer, rest, false, &mut sink);
                        rest = &rest[taken..];
                        if outcome == Outcome::NeedMore {
                            break;
                        }
                    }
                }
                assert!(carry.copied <= 4 * bytes.len(), "{} of {}: {stops}, {size}", carry.copied, bytes.len());
                if size > 1000 {
                    assert!(carry.copied <= bytes.len() / 50, "{} of {}: {stops}, {size}", carry.copied, bytes.len());
                }
            }
        }
    }

    /// A sink that stops if the bytes of an identifier come from the previous chunk. Pull readers must do so.
    struct StopsAtHeld;

    impl Sink for StopsAtHeld {
        fn event(&mut self, _: Event<'_>, _: u64) -> Flow {
            Flow::Continue
        }

        fn held_property(&mut self, _: Ident<'_>, _: u64) -> Flow {
            Flow::Break
        }
    }

    /// Regression: such a stop caused 64-byte copies up to the end of the chunk, because the copied bytes counted as
    /// consumed, and the token across their end was then copied next.
    #[test]
    fn after_a_stop_in_what_was_kept_the_chunk_is_read_in_place() {
        let bytes = format!("(;FF[4]{})", ";B[dd]".repeat(10_000));
        for size in [1000, 1024, 4096] {
            let (mut carry, mut tokenizer) = (ChunkCarry::default(), Parser::new().tokenizer());
            for chunk in bytes.as_bytes().chunks(size) {
                let mut rest = chunk;
                loop {
                    let (taken, outcome) = carry.run(&mut tokenizer, rest, false, &mut StopsAtHeld);
                    rest = &rest[taken..];
                    if outcome == Outcome::NeedMore {
                        break;
                    }
                }
            }
            let chunks = bytes.len() / size;
            assert!(carry.copied <= 160 * chunks, "{} in {chunks} chunks of {size}", carry.copied);
        }
    }
}
