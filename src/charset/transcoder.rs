//! Transcoding without I/O: bytes are put in, text is taken out. [`DecodingReader`](super::DecodingReader) does the
//! reading, with or without waiting.

use std::ops::Range;

use super::decoder::Decoder;
use super::detect::ENOUGH;
use super::sniff::Sniffer;
use super::{BadBytes, Charset, CharsetError, Decoding, TreeCharset};

/// A stream on its way to UTF-8.
#[derive(Debug)]
pub(super) struct Transcoder {
    decoding: Decoding,
    sniffer: Sniffer,
    chosen: Option<(TreeCharset, Decoder)>,
    /// Input. What lies in `at..end` is not decoded, and what lies in `at..plain` need not be.
    raw: Box<[u8]>,
    at: usize,
    plain: usize,
    end: usize,
    at_end: bool,
    /// Output, of which so many bytes are read.
    text: String,
    text_at: usize,
    /// The length of the byte-order mark.
    bom: u64,
    bad: Bad,
    /// Where in `text` each run of bad bytes begins, as U+FFFD.
    bad_in_text: Vec<usize>,
    state: State,
}

/// Bad bytes so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Bad {
    pub(super) runs: u64,
    pub(super) first: Option<Range<u64>>,
    /// Where the last run ended.
    end: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    Reading,
    /// Everything is decoded.
    Over,
    /// Nothing more comes out.
    Failed(CharsetError),
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next<T> {
    /// It is there.
    Ready(T),
    /// More input has to be read: into [`Transcoder::space`].
    Input,
}

impl Transcoder {
    /// `charset`: that of a stream without byte-order mark, if it is known.
    pub(super) fn new(decoding: Decoding, charset: Option<Charset>) -> Self {
        Transcoder {
            decoding,
            sniffer: Sniffer::new(decoding, charset),
            chosen: None,
            raw: vec![0; ENOUGH].into(),
            at: 0,
            plain: 0,
            end: 0,
            at_end: false,
            text: String::new(),
            text_at: 0,
            bom: 0,
            bad: Bad::default(),
            bad_in_text: Vec::new(),
            state: State::Reading,
        }
    }

    pub(super) fn bad(&self) -> &Bad {
        &self.bad
    }

    /// See [`DecodingReader::bad_in_buffer`](super::DecodingReader::bad_in_buffer).
    pub(super) fn bad_in_output(&self) -> impl Iterator<Item = usize> + '_ {
        self.bad_in_text.iter().filter_map(|at| at.checked_sub(self.text_at))
    }

    /// The charset, if it has been found.
    pub(super) fn chosen(&self) -> Option<TreeCharset> {
        self.chosen.as_ref().map(|chosen| chosen.0)
    }

    /// Room for input, where it is wanted.
    pub(super) fn space(&mut self) -> &mut [u8] {
        &mut self.raw[self.end..]
    }

    /// So many bytes were read into it; none, if the stream has ended.
    pub(super) fn read(&mut self, len: usize) {
        self.end += len;
        self.at_end = len == 0;
    }

    /// Finds out the charset.
    pub(super) fn choose(&mut self) -> Result<Next<TreeCharset>, CharsetError> {
        if let State::Failed(error) = &self.state {
            return Err(error.clone());
        }
        if let Some((charset, _)) = &self.chosen {
            return Ok(Next::Ready(*charset));
        }
        let full = self.at_end || self.end == self.raw.len();
        match self.sniffer.sniff(&self.raw[..self.end], full, self.at_end) {
            Ok(Some((charset, bom))) => {
                self.chosen = Some((charset, Decoder::new(charset.charset)));
                (self.at, self.plain, self.bom) = (bom, bom, bom as u64);
                Ok(Next::Ready(charset))
            }
            Ok(None) => Ok(Next::Input),
            Err(error) => {
                self.state = State::Failed(error.clone());
                Err(error)
            }
        }
    }

    /// Makes output: passes what need not be decoded, or else decodes. At the end of the stream there is none.
    pub(super) fn advance(&mut self) -> Result<Next<()>, CharsetError> {
        while !self.has_output() && self.state != State::Over {
            if self.choose()? == Next::Input {
                return Ok(Next::Input);
            }
            if self.at == self.end && !self.at_end {
                (self.at, self.plain, self.end) = (0, 0, 0);
                return Ok(Next::Input);
            }
            self.decode();
        }
        Ok(Next::Ready(()))
    }

    fn has_output(&self) -> bool {
        self.text_at < self.text.len() || self.at < self.plain
    }

    /// What [`advance`](Self::advance) has made.
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
        // In UTF-8 it is one character, across two readings or bad; behind it, it is plain again.
        let is_utf8 = charset.charset == Charset::UTF_8;
        let piece = &input[..if is_utf8 { input.len().min(8) } else { input.len() }];
        let last = self.at_end && piece.len() == input.len();
        self.text.clear();
        self.text_at = 0;
        self.bad_in_text.clear();
        let (bad, bad_in_text, bom) = (&mut self.bad, &mut self.bad_in_text, self.bom);
        let mut first = None;
        decoder.feed(piece, last, &mut self.text, |range, text_len| {
            let range = range.start + bom..range.end + bom;
            first.get_or_insert((range.start, text_len));
            if bad.push(range) {
                bad_in_text.push(text_len);
            }
        });
        self.at += piece.len();
        self.plain = self.at;
        if last {
            self.state = State::Over;
        }
        if let Some((offset, text_len)) = first.filter(|_| self.decoding.bad_bytes == BadBytes::Error) {
            self.text.truncate(text_len);
            self.bad_in_text.clear();
            self.state = State::Failed(CharsetError::BadBytes { charset: charset.charset, offset });
        }
    }
}

impl Bad {
    /// Answers whether it is a new run.
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
