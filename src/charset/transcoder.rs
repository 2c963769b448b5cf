//! Transcoding without I/O: bytes go in, text comes out. [`DecodingReader`](super::DecodingReader) does the
//! reading, blocking or async.

use std::ops::Range;

use super::decoder::Decoder;
use super::detect::MAX_SAMPLE;
use super::sniff::Sniffer;
use super::{BadBytes, Charset, CharsetError, Decoding, TreeCharset};

/// Initial size of the input space, in bytes.
const FIRST_ROOM: usize = 4 * 1024;

/// State machine that transcodes one stream to UTF-8.
#[derive(Debug)]
pub(super) struct Transcoder {
    decoding: Decoding,
    sniffer: Sniffer,
    chosen: Option<(TreeCharset, Decoder)>,
    /// The input. `at..end` is not decoded yet; `at..plain` is already UTF-8.
    raw: Vec<u8>,
    /// Size of the input space, in bytes. Small at first, since most files are short, and allocating costs time.
    room: usize,
    at: usize,
    plain: usize,
    end: usize,
    at_end: bool,
    /// Output, read up to `text_at`.
    text: String,
    text_at: usize,
    /// The length of the byte-order mark.
    bom: u64,
    bad: BadRuns,
    /// Indices in `text` where runs of invalid bytes start, as U+FFFD.
    bad_in_text: Vec<usize>,
    state: Stage,
}

/// The invalid bytes so far.
#[derive(Clone, Debug, Default)]
pub(super) struct BadRuns {
    pub(super) runs: u64,
    pub(super) first: Option<Range<u64>>,
    /// Where the last run ended.
    end: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Stage {
    Reading,
    /// All input has been decoded.
    Finished,
    /// An error has ended the output.
    Failed(CharsetError),
}

/// The result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step<T> {
    /// The result is available.
    Ready(T),
    /// More input must be read into [`Transcoder::space`].
    Input,
}

impl Transcoder {
    /// Creates a transcoder. `charset` applies to a stream without a byte-order mark, if it is known.
    pub(super) fn new(decoding: Decoding, charset: Option<Charset>) -> Self {
        Transcoder {
            decoding,
            sniffer: Sniffer::new(decoding, charset),
            chosen: None,
            raw: Vec::new(),
            room: FIRST_ROOM,
            at: 0,
            plain: 0,
            end: 0,
            at_end: false,
            text: String::new(),
            text_at: 0,
            bom: 0,
            bad: BadRuns::default(),
            bad_in_text: Vec::new(),
            state: Stage::Reading,
        }
    }

    pub(super) fn bad(&self) -> &BadRuns {
        &self.bad
    }

    /// Returns the starts of runs of invalid bytes; see
    /// [`DecodingReader::bad_in_buffer`](super::DecodingReader::bad_in_buffer).
    pub(super) fn bad_in_output(&self) -> impl Iterator<Item = usize> + '_ {
        self.bad_in_text.iter().filter_map(|at| at.checked_sub(self.text_at))
    }

    /// Returns the charset, if it has been found.
    pub(super) fn chosen(&self) -> Option<TreeCharset> {
        self.chosen.as_ref().map(|chosen| chosen.0)
    }

    /// Returns the space that input is to be read into.
    pub(super) fn space(&mut self) -> &mut [u8] {
        if self.raw.len() < self.room {
            self.raw.resize(self.room, 0);
        }
        &mut self.raw[self.end..]
    }

    /// Records that `len` bytes were read into [`space`](Self::space); 0 at the end of the stream.
    pub(super) fn read(&mut self, len: usize) {
        self.end += len;
        self.at_end = len == 0;
        if self.end == self.raw.len() {
            self.room = MAX_SAMPLE;
        }
    }

    /// Finds the charset.
    pub(super) fn choose(&mut self) -> Result<Step<TreeCharset>, CharsetError> {
        if let Stage::Failed(error) = &self.state {
            return Err(error.clone());
        }
        if let Some((charset, _)) = &self.chosen {
            return Ok(Step::Ready(*charset));
        }
        let full = self.at_end || self.end == MAX_SAMPLE;
        match self.sniffer.sniff(&self.raw[..self.end], full, self.at_end) {
            Ok(Some((charset, bom))) => {
                self.chosen = Some((charset, Decoder::new(charset.charset)));
                (self.at, self.plain, self.bom) = (bom, bom, bom as u64);
                Ok(Step::Ready(charset))
            }
            Ok(None) => Ok(Step::Input),
            Err(error) => {
                self.state = Stage::Failed(error.clone());
                Err(error)
            }
        }
    }

    /// Produces output: passes UTF-8 on, or else decodes. At the end of the stream the output is empty.
    pub(super) fn advance(&mut self) -> Result<Step<()>, CharsetError> {
        while !self.has_output() && self.state != Stage::Finished {
            if self.choose()? == Step::Input {
                return Ok(Step::Input);
            }
            if self.at == self.end && !self.at_end {
                (self.at, self.plain, self.end) = (0, 0, 0);
                return Ok(Step::Input);
            }
            self.decode();
        }
        Ok(Step::Ready(()))
    }

    fn has_output(&self) -> bool {
        self.text_at < self.text.len() || self.at < self.plain
    }

    /// Returns the output that [`advance`](Self::advance) produced.
    pub(super) fn output(&self) -> &[u8] {
        let text = &self.text.as_bytes()[self.text_at..];
        if text.is_empty() { &self.raw[self.at..self.plain] } else { text }
    }

    pub(super) fn consume(&mut self, amount: usize) {
        if self.text_at < self.text.len() {
            self.text_at = self.text.len().min(self.text_at + amount);
        } else {
            self.at = self.plain.min(self.at + amount);
        }
    }

    fn decode(&mut self) {
        let Some((charset, decoder)) = &mut self.chosen else { return };
        let input = &self.raw[self.at..self.end];
        let plain = decoder.plain_up_to(input);
        if plain > 0 {
            decoder.pass(plain);
            self.plain = self.at + plain;
            return;
        }
        // In UTF-8, one character: split across two reads, or invalid. After it, the bytes are plain again.
        let is_utf8 = charset.charset == Charset::UTF_8;
        let chunk = &input[..if is_utf8 { input.len().min(8) } else { input.len() }];
        let last = self.at_end && chunk.len() == input.len();
        self.text.clear();
        self.text_at = 0;
        self.bad_in_text.clear();
        let (bad, bad_in_text, bom) = (&mut self.bad, &mut self.bad_in_text, self.bom);
        let mut first = None;
        decoder.feed(chunk, last, &mut self.text, |range, text_len| {
            let range = range.start + bom..range.end + bom;
            first.get_or_insert((range.start, text_len));
            if bad.push(range) {
                bad_in_text.push(text_len);
            }
        });
        self.at += chunk.len();
        self.plain = self.at;
        if last {
            self.state = Stage::Finished;
        }
        if let Some((offset, text_len)) = first.filter(|_| self.decoding.bad_bytes == BadBytes::Error) {
            self.text.truncate(text_len);
            self.bad_in_text.clear();
            self.state = Stage::Failed(CharsetError::BadBytes { charset: charset.charset, offset });
        }
    }
}

impl BadRuns {
    /// Adds a range; returns whether it starts a new run.
    fn push(&mut self, range: Range<u64>) -> bool {
        let is_new = self.runs == 0 || self.end != range.start;
        self.runs += u64::from(is_new);
        let first = self.first.get_or_insert(range.clone());
        if self.runs == 1 {
            first.end = range.end;
        }
        self.end = range.end;
        is_new
    }
}
