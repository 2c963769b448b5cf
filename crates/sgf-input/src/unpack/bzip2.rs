//! bzip2.

use bzip2::{Decompress, Error, Status};

use super::{Codec, Step, Then};

pub(super) struct Bzip2(Decompress);

impl Bzip2 {
    pub(super) fn new() -> Self {
        // The fast algorithm, with 4 MB of memory.
        Bzip2(Decompress::new(false))
    }
}

impl Codec for Bzip2 {
    fn restart(&mut self) {
        *self = Bzip2::new();
    }

    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Step {
        let (read, written) = (self.0.total_in(), self.0.total_out());
        let then = match self.0.decompress(input, output) {
            Ok(Status::StreamEnd) => Then::End,
            Ok(Status::MemNeeded) => Then::Broken("out of memory".to_owned()),
            Ok(_) => Then::More,
            Err(Error::DataMagic) => Then::Broken("it is not a bzip2 stream".to_owned()),
            Err(_) => Then::Broken("a block does not match its checksum".to_owned()),
        };
        Step { read: (self.0.total_in() - read) as usize, written: (self.0.total_out() - written) as usize, then }
    }
}
