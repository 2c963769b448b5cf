//! xz.

use std::io::ErrorKind;

use lzma_rust2::{Action, Status, XzStream};

use super::{Codec, Step, Then};

pub(super) struct Xz {
    stream: XzStream,
    max_kib: u32,
}

/// Memory in KiB that the crate counts in addition to the dictionary.
const BESIDES: u64 = 40;

impl Xz {
    /// Limits the dictionary to this many bytes.
    pub(super) fn new(max_window: u64) -> Self {
        let max_kib = u32::try_from(max_window.div_ceil(1024) + BESIDES).unwrap_or(u32::MAX);
        Xz { stream: XzStream::new_mem_limit(false, max_kib), max_kib }
    }
}

impl Codec for Xz {
    fn restart(&mut self) {
        self.stream = XzStream::new_mem_limit(false, self.max_kib);
    }

    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Step {
        let (read, written) = (self.stream.total_in(), self.stream.total_out());
        // `Run`, not `Finish`, at the end of input too: the caller detects truncated data.
        let then = match self.stream.process(input, output, Action::Run) {
            Ok(result) if result.status == Status::StreamEnd => Then::End,
            Ok(_) => Then::More,
            Err(error) if error.kind() == ErrorKind::OutOfMemory => {
                let needed = self.stream.memory_usage().map_or(0, |kib| u64::from(kib).saturating_sub(BESIDES) << 10);
                Then::Window(needed)
            }
            Err(error) => Then::Broken(error.to_string()),
        };
        Step {
            read: (self.stream.total_in() - read) as usize,
            written: (self.stream.total_out() - written) as usize,
            then,
        }
    }
}
