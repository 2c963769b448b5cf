//! Sources that fail.

use std::io::{self, BufRead, Read};

use sgf_stream::{Error, Reader};

#[test]
fn a_directory_cannot_be_read_and_that_is_said() {
    // Opening one works on some systems, reading it on none.
    let error = Reader::from_path(env!("CARGO_MANIFEST_DIR"))
        .map_err(Error::from)
        .and_then(|mut reader| reader.next_event().map(drop))
        .unwrap_err();
    assert!(matches!(error, Error::Io(_)), "{error}");
}

/// Fails once, in the middle of things.
struct Flaky<'a> {
    rest: &'a [u8],
    fails_at: usize,
    kind: io::ErrorKind,
}

impl Read for Flaky<'_> {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        unreachable!("readers of `BufRead` use `fill_buf`")
    }
}

impl BufRead for Flaky<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.rest.len() <= self.fails_at {
            self.fails_at = 0;
            if !self.rest.is_empty() {
                return Err(self.kind.into());
            }
        }
        Ok(&self.rest[..self.rest.len().min(1)])
    }

    fn consume(&mut self, amount: usize) {
        self.rest = &self.rest[amount..];
    }
}

#[test]
fn after_an_io_error_the_reader_goes_on_where_it_stood() {
    let bytes = b"(;FF[4]C[a comment];B[dd](;W[pp])(;W[qq]))";
    let mut whole = 0;
    let mut reader = Reader::new(&bytes[..]);
    while reader.next_event().unwrap().is_some() {
        whole += 1;
    }
    for fails_at in 1..bytes.len() {
        let read = |kind| {
            let mut reader = Reader::new(Flaky { rest: bytes, fails_at, kind });
            let (mut events, mut errors) = (0, 0);
            loop {
                match reader.next_event() {
                    Ok(Some(_)) => events += 1,
                    Ok(None) => return (events, errors),
                    Err(Error::Io(_)) => errors += 1,
                    Err(error) => panic!("{error}"),
                }
            }
        };
        assert_eq!(read(io::ErrorKind::ConnectionReset), (whole, 1));
        // Not an error to anybody who reads.
        assert_eq!(read(io::ErrorKind::Interrupted), (whole, 0));
    }
}
