//! The value types Text and SimpleText.
//!
//! Both hold *unescaped* text, with white space normalized. `parse`, `FromStr` and `Display` work on the raw form
//! between the brackets, as for all other types; `new`, `From`, `as_str` and serde work on the text itself.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

use super::typed::sgf_value;
use super::{RawValue, ValueError};
use crate::raw::unescape::{is_plain, line_break};

/// Normalizes white space to what SGF can represent.
///
/// Line breaks become `hard_break`, and other white space a space.
/// Unescaped text is in this form already.
fn normalize(text: String, hard_break: u8) -> String {
    let keeps = |b: u8| b == hard_break || !matches!(b, b'\t'..=b'\r');
    if text.bytes().all(keeps) {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find(|c| matches!(c, '\t'..='\r')) {
        let (plain, tail) = rest.split_at(at);
        out.push_str(plain);
        let breaks = line_break(tail.as_bytes());
        out.push(if breaks > 0 { hard_break.into() } else { ' ' });
        rest = &tail[breaks.max(1)..];
    }
    out.push_str(rest);
    out
}

/// Escapes `\` and `]` with a backslash. With the alternate flag, also escapes `:`.
fn escape(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let in_compose = f.alternate();
    let mut rest = text;
    while let Some(at) = rest.find(|c| matches!(c, '\\' | ']') || in_compose && c == ':') {
        let (plain, tail) = rest.split_at(at);
        f.write_str(plain)?;
        f.write_str("\\")?;
        f.write_str(&tail[..1])?;
        rest = &tail[1..];
    }
    f.write_str(rest)
}

/// A text that prints escaped, and otherwise unchanged.
pub(crate) struct Escaped<'a>(pub(crate) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        escape(self.0, f)
    }
}

/// Parses a format that is stored in a SimpleText (date, result, rank), after unescaping it.
///
/// A soft line break or a needless escape is therefore legal. Error offsets refer to the raw value.
pub(super) fn in_simple_text<T>(
    raw: &[u8],
    read: impl FnOnce(&[u8]) -> Result<T, ValueError>,
) -> Result<T, ValueError> {
    match RawValue::new(raw).simple_text_bytes() {
        Cow::Borrowed(text) => read(text),
        Cow::Owned(text) => read(&text).map_err(|e| ValueError::new(e.kind(), e.expected(), raw_position(raw, e.at()))),
    }
}

/// Returns the raw offset of the byte at offset `unescaped` of the unescaped text. Keep in step with
/// [`unescape`](crate::raw::unescape::unescape).
fn raw_position(raw: &[u8], unescaped: usize) -> usize {
    let (mut at, mut seen) = (0, 0);
    while at < raw.len() {
        let (length, yields) = match (line_break(&raw[at..]), raw[at..].split_first()) {
            (0, Some((b'\\', hidden @ [_, ..]))) => match line_break(hidden) {
                0 => (2, 1),
                soft => (1 + soft, 0),
            },
            (0, _) => (1, 1),
            (hard, _) => (hard, 1),
        };
        if yields == 1 && seen == unescaped {
            break;
        }
        seen += yields;
        at += length;
    }
    at
}

/// Defines [`Text`] and [`SimpleText`], which differ in the character that replaces a line break.
macro_rules! text_type {
    ($(#[$meta:meta])* $name:ident, $kind:literal, $unescape:ident, $hard_break:literal) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(String);

        impl $name {
            const KIND: &'static str = $kind;

            /// Creates a value from the text itself, not from its raw form.
            ///
            /// A backslash is a backslash. White space that SGF cannot represent is converted as in parsing.
            pub fn new(text: impl Into<String>) -> Self {
                $name(normalize(text.into(), $hard_break))
            }

            /// Returns the text.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// Converts the value into its text.
            pub fn into_string(self) -> String {
                self.0
            }

            /// Parses a raw value in UTF-8, unescaping it.
            ///
            /// # Errors
            ///
            /// Fails if the value is not UTF-8.
            pub fn parse(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
                let raw = raw.as_ref();
                match std::str::from_utf8(raw) {
                    Ok(text) if is_plain(raw) => Ok($name(text.to_owned())),
                    Ok(_) => Ok($name(RawValue::new(raw).$unescape().into_owned())),
                    Err(bad) => Err(ValueError::new(Self::KIND, "UTF-8", bad.valid_up_to())),
                }
            }

            /// Parses a raw value, replacing invalid UTF-8 with U+FFFD.
            ///
            /// It never fails: every value is a text.
            pub fn parse_lenient(raw: impl AsRef<[u8]>) -> Result<Self, ValueError> {
                Ok($name(RawValue::new(raw.as_ref()).$unescape().into_owned()))
            }
        }

        sgf_value!($name, $kind, serde by hand);

        /// Prints the raw form: `\` and `]` are escaped.
        ///
        /// The alternate flag also escapes `:`, for a component of a composed value.
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                escape(&self.0, f)
            }
        }

        /// Converts a text; see `new`.
        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self::new(text)
            }
        }

        /// Converts a text; see `new`.
        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self::new(text)
            }
        }

        impl From<$name> for String {
            fn from(text: $name) -> Self {
                text.0
            }
        }

        impl Deref for $name {
            type Target = str;

            fn deref(&self) -> &str {
                &self.0
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl PartialEq<str> for $name {
            fn eq(&self, text: &str) -> bool {
                self.0 == text
            }
        }

        impl PartialEq<&str> for $name {
            fn eq(&self, text: &&str) -> bool {
                self.0 == *text
            }
        }

        /// Serializes the text itself, not its raw form.
        #[cfg(feature = "serde")]
        #[automatically_derived]
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        /// Deserializes the text itself, not its raw form; see `new`.
        #[cfg(feature = "serde")]
        #[automatically_derived]
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer).map(Self::new)
            }
        }
    };
}

text_type! {
    /// *Text*: a text of many lines, such as a comment (`C`, `GC`), unescaped. Lines end with LF.
    ///
    /// ```text
    /// Text = { any character }                        (FF[4], "Text")
    /// ```
    ///
    /// Parsing removes escapes and soft line breaks (those after a backslash), and converts every other line break to
    /// one LF and any other white space character to one space. Nothing is trimmed. Values are UTF-8; lenient parsing
    /// replaces invalid bytes with U+FFFD.
    ///
    /// ```
    /// use sgf_stream::value::Text;
    ///
    /// let text = Text::parse(b"Black [1\\]\\\n resigns.\r\nThanks")?;
    /// assert_eq!(text.as_str(), "Black [1] resigns.\nThanks");
    /// assert_eq!(text.to_string(), "Black [1\\] resigns.\nThanks");
    ///
    /// // `new` takes the text itself, `parse` the raw form between the brackets.
    /// assert_eq!(Text::new(r"\o/").to_string(), r"\\o/");
    /// # Ok::<(), sgf_stream::value::ValueError>(())
    /// ```
    Text, "Text", text, b'\n'
}

text_type! {
    /// *SimpleText*: a text of one line, such as a name (`PB`, `EV`), unescaped.
    ///
    /// ```text
    /// SimpleText = { any character }                  (FF[4], "SimpleText")
    /// ```
    ///
    /// Like [`Text`], except that a line break becomes a space.
    ///
    /// ```
    /// use sgf_stream::value::SimpleText;
    ///
    /// let name = SimpleText::parse(b"Honinbo\nShusaku")?;
    /// assert_eq!(name, "Honinbo Shusaku");
    /// assert_eq!(SimpleText::parse(b"\xFF").unwrap_err().to_string(), "SimpleText: expected UTF-8 at byte 0");
    ///
    /// // The alternate flag escapes colons, for a part of a composed value.
    /// let version = SimpleText::new("1:2");
    /// assert_eq!((format!("{version}"), format!("{version:#}")), ("1:2".into(), r"1\:2".into()));
    /// # Ok::<(), sgf_stream::value::ValueError>(())
    /// ```
    SimpleText, "SimpleText", simple_text, b' '
}

/// A text other than the names that a type defines ([`Ruleset`](super::Ruleset), [`Overtime`](super::Overtime)).
///
/// Only parsing creates one, so it never contains a defined name.
///
/// ```
/// use sgf_stream::value::{Overtime, Ruleset};
///
/// let Ruleset::Other(name) = Ruleset::parse("Chinese")? else { panic!("it is not in FF[4]") };
/// assert_eq!(name, "Chinese");
/// assert_eq!(Overtime::from("20, 30, 40 stones").to_string(), "20, 30, 40 stones");
/// # Ok::<(), sgf_stream::value::ValueError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FreeText(SimpleText);

impl FreeText {
    pub(super) fn new(text: SimpleText) -> Self {
        FreeText(text)
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Converts the text into a [`SimpleText`].
    pub fn into_simple_text(self) -> SimpleText {
        self.0
    }
}

/// Prints the raw form, like [`SimpleText`].
impl fmt::Display for FreeText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Deref for FreeText {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl PartialEq<str> for FreeText {
    fn eq(&self, text: &str) -> bool {
        self.0 == *text
    }
}

impl PartialEq<&str> for FreeText {
    fn eq(&self, text: &&str) -> bool {
        self.0 == **text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::{Arbitrary, Gen, quickcheck};

    /// Generates texts with many special characters.
    fn text(g: &mut Gen) -> String {
        let common: Vec<char> = "\\\\]:[\n\r\t\u{B} a囲".chars().collect();
        let length = usize::arbitrary(g) % 12;
        (0..length).map(|_| if bool::arbitrary(g) { *g.choose(&common).unwrap() } else { char::arbitrary(g) }).collect()
    }

    impl Arbitrary for Text {
        fn arbitrary(g: &mut Gen) -> Self {
            Text::new(text(g))
        }
    }

    impl Arbitrary for SimpleText {
        fn arbitrary(g: &mut Gen) -> Self {
            SimpleText::new(text(g))
        }
    }

    #[test]
    fn a_new_text_is_normalized() {
        for (text, normalized, simple) in [
            ("", "", ""),
            ("a\\b]:c", "a\\b]:c", "a\\b]:c"),
            ("a\r\n\rb", "a\n\nb", "a  b"),
            ("\n\r\n", "\n\n", "  "),
            ("\t\u{B}\u{C}\u{A0}", "   \u{A0}", "   \u{A0}"),
            ("囲\r碁", "囲\n碁", "囲 碁"),
        ] {
            assert_eq!((&*Text::new(text), &*SimpleText::new(text)), (normalized, simple), "{text:?}");
        }
    }

    #[test]
    fn invalid_utf_8_is_rejected_or_replaced() {
        assert_eq!(Text::parse(b"ab\\]\xE5\x9B").unwrap_err().at(), 4);
        assert_eq!(Text::parse_lenient(b"ab\\]\xE5\x9B").unwrap(), "ab]\u{FFFD}");
        // A character is invalid with a backslash inside it.
        assert_eq!(SimpleText::parse(b"\xE5\\\x9B\xB2").unwrap_err().at(), 0);
    }

    #[test]
    #[cfg(feature = "serde")]
    fn serde_represents_the_text_itself() {
        let text = Text::parse(r"a \\ and a \]").unwrap();
        let json = serde_json::to_string(&text).unwrap();
        assert_eq!(json, r#""a \\ and a ]""#);
        assert_eq!(serde_json::from_str::<Text>(&json).unwrap(), text);
        assert_eq!(serde_json::from_str::<SimpleText>(r#""a\nb""#).unwrap(), "a b");
    }

    #[test]
    fn error_offsets_in_a_text_refer_to_the_raw_value() {
        let at = |raw: &str, unescaped| {
            let fails = |_: &[u8]| Err::<(), _>(ValueError::new("", "", unescaped));
            in_simple_text(raw.as_bytes(), fails).unwrap_err().at()
        };
        assert_eq!(at("abc", 2), 2);
        assert_eq!(at("a\\bc", 1), 1);
        assert_eq!(at("a\\bc", 2), 3);
        assert_eq!(at("a\\\r\nbc", 1), 4);
        assert_eq!(at("a\r\nbc", 2), 3);
        assert_eq!(at("a\\bc", 3), 4);
    }

    quickcheck! {
        fn a_text_round_trips(text: Text) -> bool {
            Text::parse(text.to_string()) == Ok(text.clone()) && Text::parse(format!("{text:#}")) == Ok(text)
        }

        fn a_simple_text_round_trips(text: SimpleText) -> bool {
            SimpleText::parse(text.to_string()) == Ok(text.clone()) && SimpleText::new(text.as_str()) == text
        }

        fn parsed_text_is_normalized(raw: Vec<u8>) -> bool {
            let text = Text::parse_lenient(&raw).unwrap();
            Text::new(text.as_str()) == text
        }

        fn lenient_parsing_agrees_with_strict_parsing(raw: String) -> bool {
            Text::parse(&raw) == Text::parse_lenient(&raw) && SimpleText::parse(&raw) == SimpleText::parse_lenient(&raw)
        }

        fn raw_positions_agree_with_unescaping(text: SimpleText, at: usize) -> bool {
            // The raw bytes before the raw position unescape to the text before the position.
            let raw = text.to_string();
            let at = at % (text.len() + 1);
            let front = RawValue::new(&raw.as_bytes()[..raw_position(raw.as_bytes(), at)]);
            *front.simple_text_bytes() == text.as_bytes()[..at]
        }
    }
}
