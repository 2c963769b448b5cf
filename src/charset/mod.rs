//! Texts in charsets other than UTF-8.
//!
//! SGF is bytes: brackets and identifiers are ASCII, and texts are in the charset that `CA` in the root of each game
//! names (FF\[4\]; ISO-8859-1 without `CA`). Real files may be in any charset, and their `CA` may be right, wrong,
//! misspelled or missing. The parser yields bytes; this module decodes them.
//!
//! | you have | use |
//! |---|---|
//! | a stream that may be in UTF-16, UTF-32, HZ or ISO-2022-\*, or that is in one charset throughout | [`DecodingReader`], before any reader |
//! | events, of games in different charsets | [`TreeDecoder`], in the event loop |
//! | the events of a whole game, whose `CA` may be missing or wrong | [`GameTexts`], then [`Decoding::game_charset`], then [`GameCharset::tree`] |
//! | the whole root of a game, whose `CA` is correct if it has one | [`Decoding::decide`], then [`TreeCharset::text`] |
//! | a value, and the charset | [`Charset::text`], [`Charset::simple_text`] |
//! | a raw value to parse as a type of [`value`](crate::value), which expects UTF-8 | [`TreeCharset::decode`], [`TreeDecoder::decode`] |
//!
//! [`Decoding`] is the policy for all of them: which sources to trust, in which order, and how to handle invalid
//! bytes.
//!
//! ```
//! use sgf_stream::RawValue;
//! use sgf_stream::charset::{Charset, Decoding, CharsetSource};
//!
//! // A file that was converted to UTF-8 but still declares GB2312: each value is judged by itself.
//! let game = Decoding::new().decide(None, Some(RawValue::new(b"GB2312")), [])?;
//! assert_eq!((game.charset(), game.source()), (Charset::GBK, CharsetSource::Declared));
//! assert_eq!(game.text(RawValue::new(b"\xCE\xA7\xC6\xE5")).text(), "围棋");
//! assert_eq!(game.text(RawValue::new("围棋".as_bytes())).text(), "围棋");
//! # Ok::<(), sgf_stream::charset::CharsetError>(())
//! ```
//!
//! The cookbook of the guide (package `sgf-guide`) has programs to copy.
//!
//! # Decode first, unescape second
//!
//! Bytes are decoded to characters before escapes are undone, because in Shift_JIS, Big5, GBK and GB18030 the
//! second byte of a character may be the byte of a backslash or a bracket. A program that ignores charsets and
//! escapes such a byte (`指\揮`, in bytes) writes text that every charset-aware program reads as another character.

mod decoder;
pub(crate) mod detect;
mod game;
mod label;
mod names;
mod opened;
mod policy;
mod reader;
mod sniff;
mod transcoder;
mod tree;
mod units;

pub use decoder::Decoded;
pub(crate) use detect::tells_charset;
pub use game::{GameCharset, GameTexts};
pub use label::Charset;
pub use opened::{OpenedReader, TranscodedReader};
pub use policy::{BadBytes, CharsetError, CharsetSource, Decoding, TreeCharset};
pub use reader::DecodingReader;
pub(crate) use sniff::GameSniffer;
pub use tree::{TextDiagnostic, TreeDecoder};
