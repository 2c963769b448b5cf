//! The options that decide how games are rewritten.

use sgf_stream::charset::{Charset, Decoding};

/// How games are rewritten, and how their charsets are found.
#[derive(Clone, Copy)]
pub(super) struct Options {
    pub(super) exact: bool,
    pub(super) lossy: bool,
    /// Believe the charset that detection finds.
    pub(super) guess_charset: bool,
    pub(super) charset: Option<Charset>,
    pub(super) default_charset: Option<Charset>,
}

impl Options {
    pub(super) fn decoding(&self) -> Decoding {
        let decoding = self.charset.map_or(Decoding::new(), |charset| Decoding::new().force(charset));
        self.default_charset.map_or(decoding, |charset| decoding.default_charset(charset))
    }

    /// How charsets are found in the games of a file with a byte-order mark, which overrules their CA: the game alone
    /// does not show it.
    pub(super) fn decoding_after(&self, bom: Charset) -> Decoding {
        Decoding::new().force(self.charset.unwrap_or(bom))
    }
}
