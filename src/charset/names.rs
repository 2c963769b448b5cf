//! Charset names, as files write them.
//!
//! According to the standard, `CA` is a name of RFC 1345 or MIME. In practice it is the name that the program's
//! library used for the charset: `EUC-CN`, `ISO8859_1` (Java), `MS_KANJI` (IANA), `CP936` (Windows).

use encoding_rs::Encoding;

use super::Charset;
use super::label::DecoderKind;
use crate::raw::two_byte::{CODE_PAGE_PREFIXES, MAX_LABEL, TwoByte, is_utf8_label, squeeze};

impl Charset {
    /// Returns the charset with a name as in `CA`; `None` if the name is unknown.
    ///
    /// Case, hyphens, underscores and blanks are ignored. It accepts the names of the web (the Encoding Standard's
    /// labels), those of libraries (`ISO8859_1`, `EUC-CN`, `MS_KANJI`) and code pages (`CP936`, `MS950`,
    /// `windows-949`).
    ///
    /// ```
    /// use sgf_stream::charset::Charset;
    ///
    /// assert_eq!(Charset::for_name(b" gb 18030\n"), Some(Charset::GB18030));
    /// assert_eq!(Charset::for_name(b"ISO8859_1"), Some(Charset::WINDOWS_1252));
    /// assert_eq!(Charset::for_name(b"foo"), None);
    /// ```
    pub fn for_name(label: &[u8]) -> Option<Charset> {
        find(label)
    }
}

/// Returns the charset with this name. Searches the tokenizer's names first, then the web's, and then, with the name
/// reduced to letters and digits, the tables below and the web's names again.
fn find(label: &[u8]) -> Option<Charset> {
    if is_utf8_label(label) {
        return Some(Charset::UTF_8);
    }
    if let Some(two_byte) = TwoByte::of_label(label) {
        return Charset::of_two_byte(two_byte);
    }
    if let Some(charset) = web(label) {
        return Some(charset);
    }
    let mut buffer = [0; MAX_LABEL];
    let name = squeeze(label, &mut buffer)?;
    if let Some((charset, _)) = FURTHER_NAMES.iter().find(|(_, names)| names.iter().any(|n| n.as_bytes() == name)) {
        return Some(*charset);
    }
    let number = |prefix: &&[u8]| std::str::from_utf8(name.strip_prefix(*prefix)?).ok()?.parse().ok();
    if let Some(number) = CODE_PAGE_PREFIXES.iter().find_map(number) {
        let page = CODE_PAGES.iter().find(|page| page.1.contains(&number)).map(|page| page.0);
        return page.or_else(|| web(format!("cp{number}").as_bytes()));
    }
    web(name)
}

/// Returns the charset of an Encoding Standard label, if the standard decodes it.
fn web(label: &[u8]) -> Option<Charset> {
    Encoding::for_label_no_replacement(label)
        // `x-user-defined` stands for arbitrary bytes; it contains no text.
        .filter(|encoding| *encoding != encoding_rs::X_USER_DEFINED)
        .map(|encoding| Charset(DecoderKind::Web(encoding)))
}

/// Further names in use, reduced to letters and digits: `UTF 8`, `utf_8` and `utf8` are equal.
const FURTHER_NAMES: &[(Charset, &[&str])] = &[
    (Charset::UTF_8, &["utf8mb4", "utf8n", "csutf8"]),
    (Charset::UTF_16LE, &["utf16", "utf16le", "ucs2", "ucs2le"]),
    (Charset::UTF_16BE, &["utf16be", "ucs2be"]),
    (Charset::UTF_32LE, &["utf32", "utf32le", "ucs4", "ucs4le"]),
    (Charset::UTF_32BE, &["utf32be", "ucs4be"]),
    (Charset::WINDOWS_1252, &["usascii", "ansi", "isolatin1"]),
    (Charset::LATIN_9, &["latin9", "latin0"]),
    (Charset::MACINTOSH, &["macroman"]),
    (Charset(DecoderKind::Web(encoding_rs::KOI8_R)), &["koi8r"]),
    (Charset(DecoderKind::Web(encoding_rs::KOI8_U)), &["koi8u"]),
    (Charset::GBK, &["euccn"]), // GB2312 as it was: no second byte is in ASCII
    (Charset::HZ, &["hz", "hzgb2312"]),
    (Charset::ISO_2022_CN, &["iso2022cn", "iso2022cnext"]),
    (Charset::EUC_JP, &["eucjp", "eucjpms", "eucjpwin", "ujis"]),
    (Charset::ISO_2022_JP, &["iso2022jp", "iso2022jp1", "iso2022jp2", "jis"]),
    (Charset::EUC_KR, &["euckr", "uhc", "ksc56011987", "ksc56011989", "ksc56011992", "ksx1001", "wansung"]),
    (Charset::ISO_2022_KR, &["iso2022kr", "csiso2022kr"]),
];

/// Numbers of code pages, except those that the web names `cp…`.
const CODE_PAGES: &[(Charset, &[u32])] = &[
    (Charset::UTF_8, &[65001]),
    (Charset::UTF_16LE, &[1200]),
    (Charset::UTF_16BE, &[1201]),
    (Charset::UTF_32LE, &[12000]),
    (Charset::UTF_32BE, &[12001]),
    (Charset::WINDOWS_1252, &[367, 20127, 28591]),
    (Charset::LATIN_9, &[28605]),
    (Charset::MACINTOSH, &[10000]),
    (Charset(DecoderKind::Web(encoding_rs::WINDOWS_874)), &[874]),
    (Charset(DecoderKind::Web(encoding_rs::KOI8_R)), &[20866]),
    (Charset::GBK, &[20936, 51936]),
    (Charset::HZ, &[52936]),
    (Charset::EUC_JP, &[20932, 51932]),
    (Charset::ISO_2022_JP, &[50220, 50221, 50222]),
    (Charset::EUC_KR, &[949, 51949]),
    (Charset::ISO_2022_KR, &[50225]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_as_files_write_them() {
        // Every CA of the corpus, and some more spellings.
        for (label, usual) in [
            ("UTF-8", "UTF-8"),
            ("UTF8", "UTF-8"),
            ("utf-8", "UTF-8"),
            ("UTF 8", "UTF-8"),
            (r"UTF-8\", "UTF-8"),
            (" \t\u{b}utf_8\r\n", "UTF-8"),
            ("GB2312", "GBK"),
            ("EUC-CN", "GBK"),
            ("CP936", "GBK"),
            ("ms936", "GBK"),
            ("windows-936", "GBK"),
            ("x-euc-cn", "GBK"),
            ("GBK", "GBK"),
            ("GB18030", "gb18030"),
            ("GB 18030", "gb18030"),
            ("GB18030-2022", "gb18030"),
            ("Shift_JIS", "Shift_JIS"),
            ("SHIFT_JIS", "Shift_JIS"),
            ("Shift JIS", "Shift_JIS"),
            ("SJIS", "Shift_JIS"),
            ("MS_KANJI", "Shift_JIS"),
            ("cp932", "Shift_JIS"),
            ("Windows-31J", "Shift_JIS"),
            ("windows31j", "Shift_JIS"),
            ("Big5", "Big5"),
            ("BIG-5", "Big5"),
            ("MS950", "Big5"),
            ("Big5-HKSCS", "Big5"),
            ("EUC-KR", "EUC-KR"),
            ("euckr", "EUC-KR"),
            ("cp949", "EUC-KR"),
            ("x-windows-949", "EUC-KR"),
            ("KS_C_5601-1987", "EUC-KR"),
            ("EUC_JP", "EUC-JP"),
            ("ISO-2022-JP", "ISO-2022-JP"),
            ("iso2022jp", "ISO-2022-JP"),
            ("ISO-2022-KR", "ISO-2022-KR"),
            ("ISO-2022-CN-EXT", "ISO-2022-CN"),
            ("HZ-GB-2312", "HZ-GB-2312"),
            ("hz", "HZ-GB-2312"),
            ("ISO8859_1", "windows-1252"),
            ("ISO-8859-1", "windows-1252"),
            ("Latin1", "windows-1252"),
            ("Latin-1", "windows-1252"),
            ("US-ASCII", "windows-1252"),
            ("Windows-1252", "windows-1252"),
            ("Windows 1251", "windows-1251"),
            ("win1250", "windows-1250"),
            ("IBM866", "IBM866"),
            ("ISO-8859-3", "ISO-8859-3"),
            (r"ISO-8859-3\", "ISO-8859-3"),
            ("ISO-8859-5", "ISO-8859-5"),
            ("ISO 8859-15", "ISO-8859-15"),
            ("ISO8859_15", "ISO-8859-15"),
            ("macintosh", "macintosh"),
            ("KOI8R", "KOI8-R"),
            ("UTF-16", "UTF-16LE"),
            ("UTF_16BE", "UTF-16BE"),
            ("UTF-32", "UTF-32LE"),
            ("ucs-4be", "UTF-32BE"),
        ] {
            assert_eq!(find(label.as_bytes()).map(Charset::name), Some(usual), "{label:?}");
        }
    }

    #[test]
    fn other_names_are_unknown() {
        // The first three occur in the corpus; the others are not supported.
        for label in ["foo", "unknown", "ISO-8859", "", " ", "x", "cp", "cp437", "cp0", "UTF-7", "ISO-8859-12"] {
            assert_eq!(find(label.as_bytes()), None, "{label:?}");
        }
        for label in ["replacement", "x-user-defined", "EUC-TW", "围棋", "cp99999999999999999999"] {
            assert_eq!(find(label.as_bytes()), None, "{label:?}");
        }
        assert_eq!(find(&[b'8'; 1 << 20]), None);
    }

    #[test]
    fn the_tokenizer_finds_every_name_of_a_charset_with_bracket_trails() {
        let web = [
            "big5",
            "big5-hkscs",
            "cn-big5",
            "csbig5",
            "x-x-big5",
            "chinese",
            "csgb2312",
            "csiso58gb231280",
            "gb2312",
            "gb_2312",
            "gb_2312-80",
            "gbk",
            "iso-ir-58",
            "x-gbk",
            "gb18030",
            "csshiftjis",
            "ms932",
            "ms_kanji",
            "shift-jis",
            "shift_jis",
            "sjis",
            "windows-31j",
            "x-sjis",
        ];
        for label in web {
            let by_web = super::web(label.as_bytes());
            assert!(by_web.is_some_and(Charset::has_bracket_trails), "{label}");
            assert_eq!(find(label.as_bytes()), by_web, "{label}");
            assert!(TwoByte::of_label(label.as_bytes()).is_some(), "{label}");
        }
    }

    #[test]
    fn every_charset_is_found_by_its_own_name() {
        for (charset, names) in FURTHER_NAMES {
            assert_eq!(find(charset.name().as_bytes()), Some(*charset));
            for name in *names {
                assert_eq!(squeeze(name.as_bytes(), &mut [0; MAX_LABEL]), Some(name.as_bytes()), "squeezed");
                assert_eq!(find(name.as_bytes()), Some(*charset), "{name}");
            }
        }
        for (charset, numbers) in CODE_PAGES {
            for number in *numbers {
                assert_eq!(find(format!("CP{number}").as_bytes()), Some(*charset), "{number}");
            }
        }
    }
}
