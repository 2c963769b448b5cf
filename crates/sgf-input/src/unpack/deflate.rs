//! gzip, and raw deflate.

use flate2::{Decompress, FlushDecompress, Status};

use super::{Codec, Step, Then};

pub(super) struct Inflate {
    inflate: Decompress,
    make: fn() -> Decompress,
}

/// The window of deflate: 32 KiB.
const WINDOW_BITS: u8 = 15;

impl Inflate {
    /// With a header, and a checksum at the end.
    pub(super) fn gzip() -> Self {
        Inflate::of(|| Decompress::new_gzip(WINDOW_BITS))
    }

    pub(super) fn raw() -> Self {
        Inflate::of(|| Decompress::new(false))
    }

    fn of(make: fn() -> Decompress) -> Self {
        Inflate { inflate: make(), make }
    }
}

impl Codec for Inflate {
    fn restart(&mut self) {
        self.inflate = (self.make)();
    }

    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Step {
        let (read, written) = (self.inflate.total_in(), self.inflate.total_out());
        let then = match self.inflate.decompress(input, output, FlushDecompress::None) {
            Ok(Status::Ok | Status::BufError) => Then::More,
            Ok(Status::StreamEnd) => Then::End,
            Err(error) if error.needs_dictionary().is_some() => Then::Broken("it needs a dictionary".to_owned()),
            Err(error) => Then::Broken(error.message().unwrap_or("it is not a deflate stream").to_owned()),
        };
        Step {
            read: (self.inflate.total_in() - read) as usize,
            written: (self.inflate.total_out() - written) as usize,
            then,
        }
    }
}
