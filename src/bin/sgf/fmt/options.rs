//! The options that decide how games are rewritten.

use sgf_stream::Code;
use sgf_stream::charset::{Charset, Decoding};

use super::canonical::Canonical;
use super::exact::{self, Exact};
use super::style::Style;

/// How games are rewritten, and how their charsets are found.
#[derive(Clone, Copy)]
pub(super) struct Options {
    pub(super) exact: bool,
    pub(super) lossy: bool,
    pub(super) charset: Option<Charset>,
    pub(super) default_charset: Option<Charset>,
}

impl Options {
    /// Returns the style of a file.
    pub(super) fn style(&self, is_transcoded: bool) -> Box<dyn Style> {
        match self.exact {
            true => Box::new(Exact { is_lossy: self.lossy }),
            false => Box::new(Canonical::new(self, is_transcoded)),
        }
    }

    /// Returns the codes that are not reported.
    pub(super) fn ignored(&self) -> &'static [Code] {
        if self.exact { exact::KEPT } else { &[] }
    }

    pub(super) fn decoding(&self) -> Decoding {
        let decoding = self.decoding_without_default();
        self.default_charset.map_or(decoding, |charset| decoding.default_charset(charset))
    }

    /// How charsets are found in a file with a byte-order mark, which overrules the default charset.
    pub(super) fn decoding_without_default(&self) -> Decoding {
        self.charset.map_or(Decoding::new(), |charset| Decoding::new().force(charset))
    }
}
