//! zstd. The crate decodes one block at a time, from a slice that holds all of it, and keeps back a window of
//! output until the frame ends.

use std::io::Read;

use ruzstd::decoding::errors::FrameDecoderError;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::{Codec, Step, Then};

pub(super) struct Zstd {
    decoder: FrameDecoder,
    state: State,
    wants: usize,
    has_checksum: bool,
}

enum State {
    /// Before a frame.
    Front,
    /// In a skippable frame, with this many bytes left.
    Skipped(u64),
    Blocks,
    /// After the last complete block; with what is wrong with the next one.
    Cut(Option<String>),
}

/// Maximum length of a block.
const LONGEST_BLOCK: usize = 128 << 10;

/// An empty last block and a checksum: makes the decoder release the window of a truncated frame.
const LAST: [u8; 7] = [1, 0, 0, 0, 0, 0, 0];

impl Zstd {
    /// Limits the window to this many bytes.
    pub(super) fn new(max_window: u64) -> Self {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(max_window);
        Zstd { decoder, state: State::Front, wants: 5, has_checksum: false }
    }

    /// Reads the header of a frame.
    fn front(&mut self, input: &[u8]) -> (usize, Then) {
        let Some(&[first, _, _, _, descriptor]) = input.first_chunk() else { return (0, Then::More) };
        if first != 0x28 {
            self.wants = 8;
            let Some(&[.., a, b, c, d]) = input.first_chunk::<8>() else { return (0, Then::More) };
            let len = u32::from_le_bytes([a, b, c, d]);
            self.state = State::Skipped(len.into());
            self.wants = usize::from(len > 0);
            return (8, Then::More);
        }
        let is_single = descriptor & 0x20 != 0;
        let window = usize::from(!is_single);
        let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
        let size = [usize::from(is_single), 2, 4, 8][usize::from(descriptor >> 6)];
        self.wants = 5 + window + dictionary + size;
        let Some(header) = input.get(..self.wants) else { return (0, Then::More) };
        let then = match self.decoder.reset(header) {
            Ok(()) => Then::More,
            Err(FrameDecoderError::WindowSizeTooBig { requested, .. }) => Then::Window(requested),
            Err(FrameDecoderError::DictNotProvided { dict_id }) => {
                Then::Broken(format!("it needs dictionary {dict_id}"))
            }
            Err(_) => Then::Broken("the header of a frame is wrong".to_owned()),
        };
        self.state = State::Blocks;
        self.wants = 3;
        self.has_checksum = descriptor & 4 != 0;
        (header.len(), then)
    }

    /// Decodes the next block, or ends a frame.
    fn block(&mut self, input: &[u8]) -> (usize, Then) {
        if self.decoder.is_finished() {
            let written = self.decoder.get_checksum_from_data();
            let is_right = written.is_none() || written == self.decoder.get_calculated_checksum();
            let then = if is_right { Then::End } else { Then::Broken("its checksum does not match".to_owned()) };
            return (0, then);
        }
        let Some(&[a, b, c]) = input.first_chunk() else { return self.cut(None) };
        let header = u32::from_le_bytes([a, b, c, 0]);
        let (is_last, is_run, len) = (header & 1 != 0, (header >> 1) & 3 == 1, (header >> 3) as usize);
        if len > LONGEST_BLOCK {
            return self.cut(Some("a block is longer than 128 KiB".to_owned()));
        }
        // The crate reads the checksum together with the last block.
        let needs = 3 + if is_run { 1 } else { len } + if is_last && self.has_checksum { 4 } else { 0 };
        let Some(mut block) = input.get(..needs) else {
            if self.wants >= needs {
                return self.cut(None);
            }
            self.wants = needs;
            return (0, Then::More);
        };
        self.wants = 3;
        match self.decoder.decode_blocks(&mut block, BlockDecodingStrategy::UptoBlocks(1)) {
            Ok(_) => (needs, Then::More),
            Err(error) => self.cut(Some(error.to_string())),
        }
    }

    /// Ends a frame early, and releases the output in its window.
    fn cut(&mut self, why: Option<String>) -> (usize, Then) {
        self.wants = if why.is_some() { 1 } else { usize::MAX };
        self.state = State::Cut(why);
        // If even this fails, nothing more can be recovered.
        let _ = self.decoder.decode_blocks(&LAST[..], BlockDecodingStrategy::UptoBlocks(1));
        (0, Then::More)
    }
}

impl Codec for Zstd {
    fn restart(&mut self) {
        (self.state, self.wants) = (State::Front, 5);
    }

    fn wants(&self) -> usize {
        self.wants
    }

    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Step {
        if matches!(self.state, State::Blocks | State::Cut(_)) && self.decoder.can_collect() > 0 {
            return match self.decoder.read(output) {
                Ok(written) => Step { read: 0, written, then: Then::More },
                Err(error) => Step { read: 0, written: 0, then: Then::Broken(error.to_string()) },
            };
        }
        let (read, then) = match &mut self.state {
            State::Front => self.front(input),
            State::Blocks => self.block(input),
            State::Skipped(0) => (0, Then::End),
            State::Skipped(left) => {
                let len = usize::try_from(*left).unwrap_or(usize::MAX).min(input.len());
                *left -= len as u64;
                // A frame may end at the end of the input.
                self.wants = usize::from(*left > 0);
                (len, Then::More)
            }
            State::Cut(None) => (0, Then::More),
            State::Cut(Some(why)) => (0, Then::Broken(std::mem::take(why))),
        };
        Step { read, written: 0, then }
    }
}
