//! `sgf synth`.

use serde_json::json;
use sgf_stream::Parser;

use super::{run, run_with};
use crate::each_event::EachEvent;

/// FNV-1a, 64 bits.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, &b| (hash ^ u64::from(b)).wrapping_mul(0x0100_0000_01B3))
}

#[test]
fn synth_writes_the_same_bytes_for_ever() {
    for (args, expected) in [
        (&["--bytes", "64K"][..], 0x074D_8139_2921_7306),
        (&["--bytes", "64K", "--seed", "2"], 0x3C09_EF28_643E_FA13),
        (&["--bytes", "1M", "--mixed"], 0x46E5_2ACD_6DEE_BF66),
        (&["--bytes", "64K", "--charset", "Shift_JIS"], 0x5104_6361_23E8_B49F),
    ] {
        let bytes = run(&[&["synth"], args].concat()).stdout;
        assert_eq!(hash(&bytes), expected, "{args:?}: {:#018X}", hash(&bytes));
    }
    let start =
        b"(;PB[Nobi Lin]PW[Tesuji Taro]WR[2d]RO[1]DT[1959-04-02]KM[4.5]RE[W+R]C[Sente.]AW[cs][sd][qm];B[aq];W[al]";
    assert!(run(&["synth", "--bytes", "1"]).stdout.starts_with(start));
}

#[test]
fn synth_ends_with_the_game_that_reaches_the_size() {
    let long = run(&["synth", "--bytes", "600K"]).stdout;
    assert!(long.len() >= 600 * 1024 && long.ends_with(b")\n"));
    let last = long.windows(2).rposition(|two| two == b"(;").unwrap();
    assert!(last < 600 * 1024);
    let exact = run(&["synth", "--bytes", &last.to_string()]).stdout;
    assert_eq!(exact, long[..last]);
    let one_more = run(&["synth", "--bytes", &(last + 1).to_string()]).stdout;
    assert_eq!(one_more, long);
    assert_eq!(run(&["synth", "--bytes", "0"]).stdout, b"");
}

/// The part of `bytes` that is `;B[dd]` or `;W[dd]`.
fn share_of_moves(bytes: &[u8]) -> f64 {
    let moves = bytes.windows(6).filter(|w| matches!(w, [b';', b'B' | b'W', b'[', b'a'..=b's', b'a'..=b's', b']']));
    moves.count() as f64 * 6.0 / bytes.len() as f64
}

#[test]
fn a_synth_archive_is_sound_and_has_the_figures_of_brouwers() {
    let bytes = run(&["synth", "--bytes", "4M"]).stdout;
    assert!((0.88..0.90).contains(&share_of_moves(&bytes)), "{}", share_of_moves(&bytes));
    Parser::strict().each_event(&bytes, |_, _| {}).unwrap();

    let report = run_with(&bytes, &["scan", "--json", "-"]).json();
    assert_eq!((&report["diagnostics"], &report["errors"], &report["max_depth"]), (&json!({}), &json!([]), &json!(1)));
    let games = report["games"].as_f64().unwrap();
    let a_game = |table: &str, name: &str| report[table][name].as_f64().unwrap() / games;
    let moves = a_game("other", "B") + a_game("other", "W");
    assert!((moves - 204.0).abs() < 3.0, "{moves}");
    for (name, expected) in [("PW", 1.0), ("RE", 0.99), ("SZ", 0.60), ("FF", 0.49), ("CA", 0.38), ("AP", 0.25)] {
        assert!((a_game("root", name) - expected).abs() < 0.04, "{name}: {}", a_game("root", name));
    }
    let with_breaks = bytes.split(|&b| b == b')').filter(|game| game.windows(2).any(|two| two == b"\n;")).count();
    assert!((with_breaks as f64 / games - 0.5).abs() < 0.05);
}

#[test]
fn a_mixed_archive_is_half_moves_and_has_faults() {
    let bytes = run(&["synth", "--bytes", "4M", "--mixed"]).stdout;
    assert!((0.45..0.55).contains(&share_of_moves(&bytes)), "{}", share_of_moves(&bytes));
    let report = run_with(&bytes, &["scan", "--json", "-"]).json();
    assert!(report["max_depth"].as_u64() >= Some(9));
    for code in
        ["missing-close-paren", "junk-outside-tree", "unescaped-bracket", "lowercase-in-ident", "digit-in-ident"]
    {
        assert!(report["diagnostics"][code].as_u64() > Some(0), "{code}");
    }
    for name in ["LB", "TR", "MA", "CR", "SQ", "KGSDE", "BL"] {
        assert!(report["other"][name].as_u64() > Some(0), "{name}");
    }
}

#[test]
fn texts_are_in_the_charset_that_every_game_names() {
    for label in [
        "UTF-8",
        "Shift_JIS",
        "EUC-JP",
        "ISO-2022-JP",
        "GBK",
        "gb18030",
        "Big5",
        "EUC-KR",
        "windows-1251",
        "koi8-r",
        "greek",
        "windows-1255",
        "windows-1256",
        "windows-874",
        "latin1",
        "iso-8859-2",
    ] {
        let bytes = run(&["synth", "--bytes", "64K", "--charset", label]).stdout;
        let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
        let text = encoding.decode_without_bom_handling_and_without_replacement(&bytes).expect(label);
        assert_eq!(text.matches(&format!("CA[{label}]")).count(), text.matches("(;").count(), "{label}");
        assert!(!text.is_ascii(), "{label}");
        // Trail bytes that look like brackets are for parsers that know the charset.
        if !["Shift_JIS", "ISO-2022-JP", "GBK", "gb18030", "Big5"].contains(&label) {
            Parser::strict().each_event(&bytes, |_, _| {}).expect(label);
        }
    }
    let shift_jis = run(&["synth", "--bytes", "64K", "--charset", "Shift_JIS"]).stdout;
    assert!(shift_jis.windows(2).any(|two| two == b"\x8F\x5C"), "十");
    let mixed = run(&["synth", "--bytes", "64K", "--charset", "Big5", "--mixed"]).stdout;
    assert!(mixed.windows(8).filter(|w| w == b"CA[Big5]").count() > 10);
    for label in ["UTF-16LE", "replacement", "nonsense", ""] {
        assert_eq!(run(&["synth", "--bytes", "1K", "--charset", label]).code, Some(2), "{label}");
    }
}
