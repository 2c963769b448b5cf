//! Feeding a tokenizer in chunks.
//!
//! A lexeme may lie across chunks; the tokenizer wants it in one piece. [`Carry`] keeps what it
//! was not done with, and copies no more of the next chunk than it takes to get past that: as
//! soon as the tokenizer is done with everything that was kept, it reads from the chunk itself.

use crate::tokenizer::{Outcome, Sink, Step, Tokenizer};

/// The unfinished lexeme between two chunks.
#[derive(Debug, Default)]
pub(crate) struct Carry {
    bytes: Vec<u8>,
    /// The tokenizer is done with so many of them, or reads on in the chunk.
    done: usize,
    /// Offset of the first of them in the stream.
    origin: u64,
}

/// How much of a chunk is copied at first; then twice as much each time.
const FIRST_COPY: usize = 64;

impl Carry {
    /// Runs the tokenizer over what was kept and `chunk`. Answers how many bytes of the chunk
    /// are done with or kept, and why it stopped. With [`Outcome::NeedMore`] that is all of them.
    pub(crate) fn run<S: Sink>(
        &mut self,
        tokenizer: &mut Tokenizer,
        chunk: &[u8],
        eof: bool,
        sink: &mut S,
    ) -> (usize, Outcome) {
        let mut taken = 0;
        let mut copy = FIRST_COPY;
        if self.is_empty() {
            self.bytes.clear();
            self.done = 0;
        }
        while !self.is_empty() {
            let more = copy.min(chunk.len() - taken);
            self.keep(&chunk[taken..taken + more]);
            taken += more;
            copy *= 2;
            self.origin = tokenizer.offset() - self.done as u64;
            let Step { consumed, outcome } = tokenizer.run(&self.bytes[self.done..], eof && taken == chunk.len(), sink);
            self.done += consumed;
            let left = self.bytes.len() - self.done;
            if left <= taken {
                // What is left is in the chunk too: read on there. The bytes stay until the next
                // call, since an event may point at them.
                taken -= left;
                self.done = self.bytes.len();
            }
            if outcome != Outcome::NeedMore || !self.is_empty() && taken == chunk.len() {
                return (taken, outcome);
            }
        }
        let Step { consumed, outcome } = tokenizer.run(&chunk[taken..], eof, sink);
        taken += consumed;
        if outcome == Outcome::NeedMore {
            self.keep(&chunk[taken..]);
            taken = chunk.len();
        }
        (taken, outcome)
    }

    /// Keeps bytes that follow what is kept.
    pub(crate) fn keep(&mut self, bytes: &[u8]) {
        if self.done * 2 >= self.bytes.len() {
            self.bytes.drain(..self.done);
            self.done = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// The bytes of the stream from `at` on, if the last call had to keep them.
    pub(crate) fn get(&self, at: u64, len: usize) -> Option<&[u8]> {
        let start = usize::try_from(at.checked_sub(self.origin)?).ok()?;
        self.bytes.get(start..start + len)
    }

    fn is_empty(&self) -> bool {
        self.done == self.bytes.len()
    }
}
