//! `sgf fmt`. The last two go through `../shared/corpus`, where it is there.

use std::fs;
use std::io::Read;
use std::path::Path;

use sgf_stream::charset::{Charset, Decoding, TreeDecoder};
use sgf_stream::{Event, OwnedEvent, Parser};

use super::{directory, run, run_with, str};

/// What a file becomes, and what is said about it.
fn fmt(input: &[u8], args: &[&str]) -> (Vec<u8>, String, Option<i32>) {
    let run = run_with(input, &[&["fmt"], args, &["-"]].concat());
    (run.stdout, run.stderr, run.code)
}

#[track_caller]
fn assert_becomes(input: &[u8], args: &[&str], output: &[u8]) {
    let (written, said, code) = fmt(input, args);
    assert_eq!(written.escape_ascii().to_string(), output.escape_ascii().to_string());
    assert_eq!((said.as_str(), code), ("", Some(0)));
}

#[test]
fn canonical_form_goes_to_standard_output() {
    assert_becomes(b"(;SZ[19]\nFF[4] ;B[ tt];\n\nW[aa]C[\\a])", &[], b"(;FF[4]SZ[19]\n;B[];W[aa]C[a])\n");
    assert_becomes(b"(;FF[3]M[aa])(;)", &[], b"(;FF[4]MA[aa])\n(;FF[4])\n");
}

#[test]
fn repairs_are_reported() {
    let (written, said, code) = fmt(b"(;B[aa]\n(;W[bb])", &[]);
    assert_eq!((&*written, code), (&b"(;FF[4]B[aa](;W[bb]))\n"[..], Some(0)));
    assert_eq!(
        said,
        "sgf: -: line 2, column 9 (byte 16): the data end inside a tree, which was closed [unclosed-tree]\n"
    );

    let (_, said, _) = fmt(&b"(;Bx[aa];B[]))".repeat(30), &[]);
    assert_eq!(said.lines().count(), 21, "{said}");
    assert!(said.ends_with("sgf: -: 40 more repairs\n"), "{said}");
}

#[test]
fn texts_become_utf8() {
    let utf8 = "(;FF[4]CA[UTF-8]PB[\u{5433}\u{6E05}\u{6E90}])\n".as_bytes();
    // What CA says.
    assert_becomes(b"(;CA[Big5]PB[\xA7\x64\xB2\x4D\xB7\xBD])", &[], utf8);
    assert_becomes(b"(;PB[\xA7\x64\xB2\x4D\xB7\xBD]CA[Big5])", &[], utf8);
    assert_becomes("(;CA[GB2312]PB[\u{5433}\u{6E05}\u{6E90}])".as_bytes(), &[], utf8);
    assert_becomes(b"(;CA[utf8]PB[a])", &[], b"(;FF[4]CA[UTF-8]PB[a])\n");
    // A backslash in a character is none behind it.
    let sou = "(;FF[4]CA[UTF-8]C[\u{30BD}\\]])\n".as_bytes();
    assert_becomes(b"(;CA[Shift_JIS]C[\x83\\\\]])", &[], sou);
    // What a mark says, and what the bytes do.
    assert_becomes(&[b"\xEF\xBB\xBF", &b"(;PB[\xC3\xA9])"[..]].concat(), &[], b"(;FF[4]CA[UTF-8]PB[\xC3\xA9])\n");
    assert_becomes(b"(;PB[\xC3\xA9])(;PB[e])", &[], b"(;FF[4]CA[UTF-8]PB[\xC3\xA9])\n(;FF[4]PB[e])\n");
    let wide: Vec<u8> =
        "\u{FEFF}(;CA[UTF-16]PB[\u{5433}\u{6E05}\u{6E90}])".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_becomes(&wide, &[], utf8);
    let shifted = b"(;CA[ISO-2022-JP]PB[\x1B$B8b@6\x1B(B])";
    assert_becomes(shifted, &[], "(;FF[4]CA[UTF-8]PB[\u{5449}\u{6E05}])\n".as_bytes());
    // What the user says.
    assert_becomes(b"(;PB[\xE9])", &["--default-charset", "latin1"], b"(;FF[4]CA[UTF-8]PB[\xC3\xA9])\n");
    assert_becomes(b"(;CA[UTF-8]PB[\xE9])", &["--charset", "latin1"], b"(;FF[4]CA[UTF-8]PB[\xC3\xA9])\n");
}

#[test]
fn what_cannot_be_decoded_stays_in_its_charset() {
    let games = b"(;CA[UTF-8]PB[\xE9]C[\xC3\xA9])(;CA[UTF-8]C[\\a])";
    let (written, said, code) = fmt(games, &[]);
    assert_eq!(written, b"(;FF[4]CA[UTF-8]PB[\xE9]C[\xC3\xA9])\n(;FF[4]CA[UTF-8]C[a])\n");
    let kept = "the game at byte 0: the text at byte 13 is not in UTF-8; its texts stay as they are (or see --lossy)";
    assert_eq!((said, code), (format!("sgf: -: {kept}\n"), Some(0)));
    assert_becomes(games, &["--lossy"], "(;FF[4]CA[UTF-8]PB[\u{FFFD}]C[\u{E9}])\n(;FF[4]CA[UTF-8]C[a])\n".as_bytes());

    // Nobody knows, and nothing is guessed.
    assert_becomes(b"(;PB[\xA7\x64\xB2\x4D\xB7\xBD])", &[], b"(;FF[4]PB[\xA7\x64\xB2\x4D\xB7\xBD])\n");
    let (written, said, _) = fmt(b"(;CA[foo]PB[\xE9])", &[]);
    assert_eq!(written, b"(;FF[4]CA[foo]PB[\xE9])\n");
    assert_eq!(said, "sgf: -: the game at byte 0: no charset is called \"foo\", and its texts stay as they are\n");

    // A whole file.
    let (written, said, code) = fmt(b"\xFF\xFE(\0;\0C\0[\0\0\xD8]\0)\0", &[]);
    assert_eq!((&*written, code), (&b""[..], Some(1)));
    assert_eq!(said, "sgf: -: not all of it is in its charset (--lossy replaces what is not)\n");
}

#[test]
fn what_cannot_be_kept_is_refused() {
    for (input, args, why) in [
        (&b"(;B[aa];P0[id])"[..], &[][..], "byte 8: FF[4] has no digits in identifiers, as in P0 (--exact keeps it)"),
        (b"hello", &[], "line 1, column 1 (byte 0): no SGF data: expected \"(\" followed by \";\""),
        (&[b"(;C[", &vec![b'a'; 1 << 21][..], b"])"].concat(), &["--exact"], "value-too-long"),
        (&[b"(;C[", &vec![b'a'; 1 << 21][..], b"])"].concat(), &[], "value-too-long"),
    ] {
        let (_, said, code) = fmt(input, args);
        assert!(said.contains(why) && said.starts_with("sgf: -: "), "{said}");
        assert_eq!(code, Some(1));
    }
}

#[test]
fn exact_repairs_and_keeps_everything_else() {
    for (input, output) in [
        (&b"\xEF\xBB\xBF\n(; FF [4]\r\n\tC[\\a]; ;(;B [aa]\n[bb])\n\n( ;W[] ) )\n"[..], None),
        (b"(;CoPyright[x]P0[\xE9])", None),
        (b"(;CA[Big5]C[\xA6]])", None),
        (b"(;B[aa]\n", Some(&b"(;B[aa])\n"[..])),
        (b"From: me\n\n(;B[aa])\nbye\n(;)", Some(b" \n\n(;B[aa])\n\n(;)")),
        (b"(;B[aa]);W[bb])\n(;)", Some(b"(;B[aa])\n(;)")),
        (b"(\n;B[aa](;W[bb])\n;W[cc])", Some(b"(\n;B[aa](;W[bb])(\n;W[cc]))")),
        (b"(;B[aa](;W[bb])\nW[cc])", Some(b"(;B[aa](;W[bb])(\n;W[cc]))")),
        (b"( FF[4])", Some(b"( ;FF[4])")),
        (b"(;PB[Foo [3d]]PW[x] x )", Some(b"(;PB[Foo [3d\\]]PW[x]  )")),
        (b"(;A;B x [aa][bb)", Some(b"(;;B  [aa])")),
        (b"(;C[a\n(;FF[4])", Some(b"(;)\n(;FF[4])")),
        (b"(;B[aa]\n(;FF[4])", Some(b"(;B[aa])\n(;FF[4])")),
        (b"(;((;B[aa])())(;W[bb]))", Some(b"(;(;B[aa])(;W[bb]))")),
        // Without what stands in front of it, this would start a game.
        (b"(;B[aa]\nx (;FF[4]))", Some(b"(;B[aa](;FF[4]))")),
        (b"(;CA[Big5]C[\xA6];B[aa])", Some(b"(;CA[Big5]C[\xA6 ];B[aa])")),
    ] {
        let (written, _, code) = fmt(input, &["--exact"]);
        assert_eq!(written.escape_ascii().to_string(), output.unwrap_or(input).escape_ascii().to_string());
        assert_eq!(code, Some(0));
        let again = fmt(&written, &["--exact"]);
        assert_eq!((&again.0, again.1.as_str()), (&written, ""), "{}", input.escape_ascii());
    }
}

#[test]
fn long_files_pass_in_pieces() {
    // Lexemes lie across pieces, and white space and junk are longer than one.
    let blanks = " ".repeat(400_000);
    let text = "\\]a".repeat(300_000);
    let moves = ";B[dd];W[pp]\n".repeat(200_000);
    let sound = format!("(;C[{text}]{moves})\n(;B[aa])");
    assert_becomes(sound.as_bytes(), &["--exact"], sound.as_bytes());
    let junk = "junk, ".repeat(500_000);
    let (written, _, code) = fmt(format!("{junk}(;B{blanks}[aa]{junk})").as_bytes(), &["--exact"]);
    assert_eq!(code, Some(0));
    let bare: Vec<u8> = written.iter().copied().filter(|b| *b != b' ').collect();
    assert_eq!(bare, b"(;B[aa])");
    let (written, _, code) = fmt(sound.as_bytes(), &[]);
    assert_eq!((written.iter().filter(|b| **b == b';').count(), code), (400_002, Some(0)));
}

/// A directory of three files: canonical, not canonical, and refused.
fn three_files(name: &str) -> std::path::PathBuf {
    let folder = directory(name);
    fs::write(folder.join("good.sgf"), "(;FF[4]B[aa])\n").unwrap();
    fs::write(folder.join("other.SGF"), "(;B[aa])").unwrap();
    fs::write(folder.join("refused.sgf"), "(;P0[aa]x)").unwrap();
    folder
}

#[test]
fn check_lists_what_would_change() {
    let folder = three_files("fmt-check");
    let path = |name: &str| str(&folder.join(name)).to_owned();
    let checked = run(&["fmt", "--check", str(&folder)]);
    assert_eq!(checked.text(), format!("{}\n", path("other.SGF")));
    assert!(checked.stderr.contains("refused.sgf: byte 2: FF[4] has no digits"), "{}", checked.stderr);
    assert_eq!(checked.code, Some(1));
    assert_eq!(fs::read(path("other.SGF")).unwrap(), b"(;B[aa])");

    assert_eq!(run(&["fmt", "--check", &path("good.sgf")]).code, Some(0));
    let exact = run(&["fmt", "--check", "--exact", str(&folder)]);
    assert_eq!((exact.text(), exact.code), (&*format!("{}\n", path("refused.sgf")), Some(1)));
    assert_eq!(run_with(b"(;FF[4]B[aa])\n", &["fmt", "--check", "-"]).code, Some(0));
    let stdin = run_with(b"(;FF[4]B[aa])\n\n", &["fmt", "--check", "-"]);
    assert_eq!((stdin.text(), stdin.code), ("-\n", Some(1)));
    assert_eq!(run_with(b"(;FF[4]B[aa])", &["fmt", "--check", "-"]).code, Some(1));
}

#[test]
fn write_puts_the_result_in_place_and_touches_nothing_else() {
    let folder = three_files("fmt-write");
    let good = folder.join("good.sgf");
    let before = fs::metadata(&good).unwrap().modified().unwrap();
    let written = run(&["fmt", "--write", str(&folder)]);
    assert_eq!((written.text(), written.code), ("", Some(1)));
    assert_eq!(fs::read(folder.join("other.SGF")).unwrap(), b"(;FF[4]B[aa])\n");
    assert_eq!(fs::read(folder.join("refused.sgf")).unwrap(), b"(;P0[aa]x)");
    assert_eq!(fs::metadata(&good).unwrap().modified().unwrap(), before);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 3, "nothing is left beside them");

    assert_eq!(run(&["fmt", "--write", "--exact", str(&folder)]).code, Some(0));
    assert_eq!(fs::read(folder.join("refused.sgf")).unwrap(), b"(;P0[aa])");
}

#[cfg(unix)]
#[test]
fn write_keeps_links_and_permissions() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = directory("fmt-link");
    let file = folder.join("file");
    fs::write(&file, "(;B[aa])").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("file", folder.join("link.sgf")).unwrap();
    assert_eq!(run(&["fmt", "--write", str(&folder.join("link.sgf"))]).code, Some(0));
    assert!(fs::symlink_metadata(folder.join("link.sgf")).unwrap().is_symlink());
    assert_eq!(fs::read(&file).unwrap(), b"(;FF[4]B[aa])\n");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn wrong_usage_and_missing_files_are_code_2() {
    let folder = three_files("fmt-usage");
    for args in [
        &["fmt"][..],
        &["fmt", "a.sgf", "b.sgf"],
        &["fmt", str(&folder)],
        &["fmt", "--write", "-"],
        &["fmt", "--write", "--check", "x"],
        &["fmt", "--exact", "--lossy", "x"],
        &["fmt", "--charset", "klingon", "x"],
        &["fmt", "no-such-file"],
        &["fmt", "--check", "no-such-file"],
    ] {
        let run = run(args);
        assert_eq!((run.code, run.text()), (Some(2), ""), "{args:?}");
        assert!(!run.stderr.is_empty(), "{args:?}");
    }
}

/// Every file of a part of the corpus.
fn part_of_corpus() -> Vec<std::path::PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    if !corpus.exists() {
        eprintln!("skipped: {} is not there", corpus.display());
        return Vec::new();
    }
    let (mut folders, mut files) = (vec![corpus], Vec::new());
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            match path.is_dir() {
                true => folders.push(path),
                false => files.extend(path.extension().is_some_and(|e| e.eq_ignore_ascii_case("sgf")).then_some(path)),
            }
        }
    }
    files.sort();
    files.into_iter().step_by(13).collect()
}

#[test]
fn the_corpus_keeps_its_events_exactly() {
    for path in part_of_corpus() {
        let bytes = fs::read(&path).unwrap();
        let run = run(&["fmt", "--exact", str(&path)]);
        if Parser::strict().parse(&bytes, |_, _| {}).is_ok() {
            assert_eq!((&run.stdout, run.stderr.as_str()), (&bytes, ""), "{}", path.display());
        }
        let events = |bytes: &[u8]| {
            let mut events: Vec<OwnedEvent> = Vec::new();
            Parser::new().parse(bytes, |event, _| events.push(event.to_owned())).ok().map(|_| events)
        };
        assert_eq!(events(&run.stdout), events(&bytes), "{}", path.display());
    }
}

#[test]
fn the_corpus_keeps_its_texts() {
    for path in part_of_corpus() {
        let bytes = fs::read(&path).unwrap();
        let run = run(&["fmt", str(&path)]);
        if run.code != Some(0) || run.stderr.contains("its texts stay") {
            continue;
        }
        let (written, read) = (comments(&run.stdout), comments(&bytes));
        assert_eq!(written, read, "{}", path.display());
    }
}

/// Comments, which have no other form than their text; in one, as a node may have several.
fn comments(bytes: &[u8]) -> String {
    let decoding = Decoding::new().default_charset(Charset::UTF_8);
    let mut reader = decoding.reader(bytes);
    let mut text = Vec::new();
    let (bytes, mut decoder) = if reader.charset().unwrap().is_ascii_compatible() {
        (bytes, TreeDecoder::new(decoding).with_bom(Charset::from_bom(bytes).map(|(charset, _)| charset)))
    } else {
        reader.read_to_end(&mut text).unwrap();
        (&text[..], TreeDecoder::new(Decoding::utf8()))
    };
    let (mut comments, mut is_comment) = (String::new(), false);
    let parsed = Parser::new().parse(bytes, |event, offset| {
        decoder.observe(event, offset);
        match event {
            Event::Property(ident) => is_comment = ident == "C",
            Event::Value(raw) if is_comment => {
                comments.extend(decoder.text(raw, offset).unwrap().chars().filter(|&c| c != '\n'));
            }
            _ => {}
        }
    });
    parsed.unwrap();
    comments
}
