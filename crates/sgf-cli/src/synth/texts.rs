//! Names, events, places and remarks, in a charset and escaped for SGF.

use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, IBM866, ISO_2022_JP, ISO_8859_5, ISO_8859_6, ISO_8859_7, ISO_8859_8,
    ISO_8859_8_I, KOI8_R, KOI8_U, SHIFT_JIS, UTF_8, WINDOWS_874, WINDOWS_1251, WINDOWS_1253, WINDOWS_1255,
    WINDOWS_1256, X_MAC_CYRILLIC,
};

use super::scripts::{self, Script};

/// The charset of `--charset`.
#[derive(Clone)]
pub(super) struct Charset {
    encoding: &'static Encoding,
    /// The user's spelling.
    label: String,
}

impl Charset {
    /// Returns the charset of a label, if it can be encoded.
    pub(super) fn from_label(label: &str) -> Result<Self, String> {
        let Some(encoding) = Encoding::for_label(label.as_bytes()) else {
            return Err("unknown charset".to_owned());
        };
        if encoding.output_encoding() != encoding {
            return Err(format!("{} can be read, but not written", encoding.name()));
        }
        Ok(Charset { encoding, label: label.trim().to_owned() })
    }

    /// Returns the scripts that the charset is used for.
    fn scripts(&self) -> &'static [&'static Script] {
        const SCRIPTS: &[(&[&Encoding], &[&Script])] = &[
            (&[SHIFT_JIS, EUC_JP, ISO_2022_JP], &[&scripts::JAPANESE]),
            (&[GBK, GB18030], &[&scripts::SIMPLIFIED]),
            (&[BIG5], &[&scripts::TRADITIONAL]),
            (&[EUC_KR], &[&scripts::KOREAN]),
            (&[WINDOWS_1251, KOI8_R, KOI8_U, ISO_8859_5, IBM866, X_MAC_CYRILLIC], &[&scripts::CYRILLIC]),
            (&[WINDOWS_1253, ISO_8859_7], &[&scripts::GREEK]),
            (&[WINDOWS_1255, ISO_8859_8, ISO_8859_8_I], &[&scripts::HEBREW]),
            (&[WINDOWS_1256, ISO_8859_6], &[&scripts::ARABIC]),
            (&[WINDOWS_874], &[&scripts::THAI]),
            (&[UTF_8], scripts::ALL),
        ];
        let fitting = SCRIPTS.iter().find(|(charsets, _)| charsets.contains(&self.encoding));
        fitting.map_or(&[&scripts::LATIN], |(_, scripts)| scripts)
    }
}

/// Values that are ready to be written. No list is empty.
pub(super) struct Texts {
    /// The value of CA in every game, if all have the same one.
    pub(super) charset: Option<String>,
    pub(super) names: Vec<Vec<u8>>,
    pub(super) events: Vec<Vec<u8>>,
    pub(super) places: Vec<Vec<u8>>,
    pub(super) remarks: Vec<Vec<u8>>,
}

impl Texts {
    pub(super) fn ascii() -> Self {
        Texts { charset: None, ..Texts::in_scripts(UTF_8, &[&scripts::ASCII]) }
    }

    pub(super) fn of(charset: &Charset) -> Self {
        Texts { charset: Some(charset.label.clone()), ..Texts::in_scripts(charset.encoding, charset.scripts()) }
    }

    fn in_scripts(encoding: &'static Encoding, scripts: &[&Script]) -> Self {
        let encoded = |texts: fn(&Script) -> &[&str]| -> Vec<Vec<u8>> {
            scripts.iter().flat_map(|script| texts(script)).filter_map(|text| encode(encoding, text)).collect()
        };
        let names = scripts.iter().copied().flat_map(|script: &Script| {
            let full = move |family| script.given.iter().map(move |given| format!("{family}{}{given}", script.gap));
            script.family.iter().flat_map(full)
        });
        Texts {
            charset: None,
            names: names.filter_map(|name| encode(encoding, &name)).collect(),
            events: encoded(|script| script.events),
            places: encoded(|script| script.places),
            remarks: encoded(|script| script.remarks),
        }
    }
}

/// Encodes a text and escapes it, or returns `None` if the charset lacks a character.
///
/// A backslash is put before the characters `]` and `\`, but not before bytes of other characters that look like
/// them.
fn encode(encoding: &'static Encoding, text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut add = |text: &str| {
        let (bytes, _, lacking) = encoding.encode(text);
        out.extend_from_slice(&bytes);
        (!lacking).then_some(())
    };
    let mut rest = text;
    while let Some(at) = rest.find(['\\', ']']) {
        add(&rest[..at])?;
        add("\\")?;
        add(&rest[at..at + 1])?;
        rest = &rest[at + 1..];
    }
    add(rest)?;
    Some(out)
}
