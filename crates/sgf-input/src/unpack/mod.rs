//! Compressed streams. Each format has a [`Codec`] that turns chunks of input into chunks of output; everything
//! else is here: several streams in one file, padding, truncated data, limits, and error positions.
//!
//! Codecs are pushed and do not read by themselves, so output before damaged data is never lost.

mod bzip2;
mod deflate;
mod xz;
mod zstd;

use std::io::{self, BufRead, Read};

use super::buffered::Buffered;
use super::fault::{Fault, Remedy};
use super::kind::{self, Kind};
use super::limits::Account;
use crate::size::Size;

/// A decompressor.
trait Codec {
    /// Begins another stream of the same format.
    fn restart(&mut self);

    /// Returns the input size that the next step needs, at most 192 KiB.
    fn wants(&self) -> usize {
        1
    }

    /// Consumes some input or produces some output. Input shorter than the size needed is the last.
    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Step;
}

/// Result of a step.
struct Step {
    read: usize,
    written: usize,
    then: Then,
}

enum Then {
    /// The stream continues.
    More,
    /// The stream has ended.
    End,
    /// The stream needs a window of this many bytes, which is too large.
    Window(u64),
    /// The data is damaged.
    Broken(String),
}

/// The compression formats; deflate is that of `zip`, without a frame of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Gzip,
    Zstd,
    Bzip2,
    Xz,
    Deflate,
}

impl Format {
    fn name(self) -> &'static str {
        match self {
            Format::Gzip => "gzip",
            Format::Zstd => "zstd",
            Format::Bzip2 => "bzip2",
            Format::Xz => "xz",
            Format::Deflate => "deflate",
        }
    }

    /// Returns the kind that a further stream of this file must have; `None` if there cannot be one.
    fn kind(self) -> Option<Kind> {
        match self {
            Format::Gzip => Some(Kind::Gzip),
            Format::Zstd => Some(Kind::Zstd),
            Format::Bzip2 => Some(Kind::Bzip2),
            Format::Xz => Some(Kind::Xz),
            Format::Deflate => None,
        }
    }

    fn codec(self, max_window: u64) -> Box<dyn Codec> {
        match self {
            Format::Gzip => Box::new(deflate::Inflate::gzip()),
            Format::Deflate => Box::new(deflate::Inflate::raw()),
            Format::Bzip2 => Box::new(bzip2::Bzip2::new()),
            Format::Xz => Box::new(xz::Xz::new(max_window)),
            Format::Zstd => Box::new(zstd::Zstd::new(max_window)),
        }
    }
}

/// Reads the content of a compressed stream.
pub(super) struct Unpacked<'i, 'b, 'r> {
    input: &'i mut Buffered<'b, &'r mut dyn Read>,
    account: &'i Account<'i>,
    format: Format,
    codec: Box<dyn Codec>,
    state: State,
}

enum State {
    /// Inside a stream.
    In,
    /// After a stream.
    Between,
    /// After the last stream.
    Over,
    Failed(Fault),
}

impl<'i, 'b, 'r> Unpacked<'i, 'b, 'r> {
    pub(super) fn new(format: Format, input: &'i mut Buffered<'b, &'r mut dyn Read>, account: &'i Account<'i>) -> Self {
        let codec = format.codec(account.max_window());
        Unpacked { input, account, format, codec, state: State::In }
    }

    /// Begins the next stream after one has ended. Returns whether there is one. Zeros between them are padding.
    fn next_stream(&mut self) -> io::Result<bool> {
        let Some(kind) = self.format.kind() else { return Ok(false) };
        loop {
            // A waiting error is returned after the bytes before it.
            let padding = self.input.fill_buf()?.iter().take_while(|byte| **byte == 0).count();
            if padding == 0 {
                break;
            }
            self.input.consume(padding);
        }
        let head = self.input.ahead(kind::HEAD, |_| false);
        if head.is_empty() {
            return Ok(false);
        }
        if !kind::is_another(kind, head) {
            return Err(self.fault("there is more data after the end of the compressed data").into());
        }
        self.codec.restart();
        Ok(true)
    }

    /// Returns an error with the position.
    fn fault(&self, what: &str) -> Fault {
        Fault::new(format!("{}: {what} (byte {} of the compressed data)", self.format.name(), self.input.position()))
    }

    fn advance(&mut self, output: &mut [u8]) -> io::Result<usize> {
        loop {
            match &self.state {
                State::In => {}
                State::Between => {
                    self.state = if self.next_stream()? { State::In } else { State::Over };
                    continue;
                }
                State::Over => return Ok(0),
                State::Failed(fault) => return Err(fault.clone().into()),
            }
            let wants = self.codec.wants();
            let input = self.input.ahead(wants, |_| false);
            let (there, is_last) = (input.len(), input.len() < wants);
            let step = self.codec.step(input, output);
            self.input.consume(step.read);
            match step.then {
                Then::More if step.written > 0 || step.read > 0 => {}
                Then::More if is_last => {
                    // The input may have a more specific error.
                    let error = self.input.take_error();
                    return Err(error.unwrap_or_else(|| self.fault("the data ends in the middle").into()));
                }
                Then::More if self.codec.wants() > there => {}
                Then::More => return Err(self.fault("the data is damaged").into()),
                Then::End => self.state = State::Between,
                Then::Window(needed) => {
                    let (name, most) = (self.format.name(), Size(self.account.max_window()));
                    let message = format!("{name}: needs {} of memory, which is more than {most}", Size(needed));
                    let rest = format!(" (byte {} of the compressed data)", self.input.position());
                    self.state = State::Failed(Fault::with_remedy(message, Remedy::MaxWindow, &rest));
                }
                Then::Broken(why) => self.state = State::Failed(self.fault(&format!("the data is damaged: {why}"))),
            }
            if step.written > 0 {
                self.account.unpacked(step.written)?;
                return Ok(step.written);
            }
        }
    }
}

impl Read for Unpacked<'_, '_, '_> {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        if output.is_empty() {
            return Ok(0);
        }
        self.advance(output).inspect_err(|error| {
            if !matches!(self.state, State::Failed(_)) {
                self.state = State::Failed(Fault::new(error.to_string()));
            }
        })
    }
}
