//! What a PATH stands for: compressed files and archives of all kinds, in each other, damaged, and made to do harm.

use std::fs;

use quickcheck::holds;
use serde_json::{Value, json};

use super::pack::{
    Format, GNU, USTAR, Zipped, bzip2, deflate, gzip, pack, tar, tar_header, tar_member, xz, zip, zipped, zstd,
    zstd_skippable,
};
use super::{Run, directory, run, run_with, shared, str};

const ONE: &[u8] = b"(;GM[1]SZ[19]PB[One];B[aa];W[bb])";
const TWO: &[u8] = b"(;PB[Two])(;PB[Too];B[cc])";

/// The inputs of a run of `records`, and how many games each has.
fn games(run: &Run) -> Vec<(String, u64)> {
    let mut games: Vec<(String, u64)> = Vec::new();
    for line in run.lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        let file = record["file"].as_str().unwrap();
        match games.last_mut() {
            Some((last, count)) if last == file => *count += 1,
            _ => games.push((file.to_owned(), 1)),
        }
    }
    games
}

/// The records of a file of no telling name, and that they are the same from standard input; with the names of its
/// inputs, where `@` is the file.
fn records(name: &str, bytes: &[u8], args: &[&str]) -> (Vec<(String, u64)>, Option<i32>, String) {
    let file = directory(&format!("inputs/{name}")).join("data.bin");
    fs::write(&file, bytes).unwrap();
    let args = [&["records", "--fields", "file,PB"], args].concat();
    let (named, piped) = (run(&[&args[..], &[str(&file)]].concat()), run_with(bytes, &[&args[..], &["-"]].concat()));
    let at = |name: &str, text: &str| text.replace(name, "@");
    let of = |run: &Run, name: &str| -> Vec<_> {
        games(run).into_iter().map(|(file, count)| (at(name, &file), count)).collect()
    };
    let found = of(&named, str(&file));
    let piped: Vec<_> = of(&piped, "-");
    assert_eq!(found, piped, "a file, and the same from a pipe");
    (found, named.code, at(str(&file), &named.stderr))
}

/// The same, where nothing is wrong.
fn sound(name: &str, bytes: &[u8]) -> Vec<(String, u64)> {
    let (found, code, stderr) = records(name, bytes, &[]);
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{name}");
    found
}

/// What could not be read. Of the game that was cut off with it there may be something to say too.
fn troubles(stderr: &str) -> Vec<&str> {
    stderr.lines().filter_map(|line| line.strip_prefix("sgf: error: ")).collect()
}

fn names(found: &[(&str, u64)]) -> Vec<(String, u64)> {
    found.iter().map(|&(name, count)| (name.to_owned(), count)).collect()
}

#[test]
fn compressed_files_are_known_by_their_content() {
    for (name, format) in [("gzip", gzip as Format), ("zstd", zstd), ("bzip2", bzip2), ("xz", xz)] {
        assert_eq!(sound(name, &format(TWO)), names(&[("@", 2)]), "{name}");
        let long = TWO.repeat(50_000);
        assert_eq!(sound(name, &format(&long)), names(&[("@", 100_000)]), "{name}, long");
        assert_eq!(sound(name, &pack(TWO, &[format, gzip, format, xz])), names(&[("@", 2)]), "{name}, in each other");
    }
}

#[test]
fn streams_after_each_other_are_one_file() {
    let zeros = [0; 8];
    for (name, bytes) in [
        ("gzip", [gzip(ONE), gzip(b""), gzip(TWO)].concat()),
        ("gzip and padding", [&gzip(ONE)[..], &zeros, &gzip(TWO), &zeros].concat()),
        ("zstd", [zstd(ONE), zstd(TWO)].concat()),
        (
            "zstd, some skipped",
            [zstd_skippable(3), zstd(ONE), zstd_skippable(0), zstd(TWO), zstd_skippable(9)].concat(),
        ),
        ("bzip2", [bzip2(ONE), bzip2(b""), bzip2(TWO)].concat()),
        ("xz", [xz(ONE), xz(b""), xz(TWO)].concat()),
        ("xz and padding", [&xz(ONE)[..], &zeros, &xz(TWO), &zeros].concat()),
        ("in the middle of a game", [gzip(&TWO[..15]), gzip(&TWO[15..]), gzip(ONE)].concat()),
    ] {
        assert_eq!(sound("streams", &bytes), names(&[("@", 3)]), "{name}");
    }
}

#[test]
fn what_stands_after_the_end_is_an_error() {
    for (name, bytes) in [("gzip", gzip(TWO)), ("zstd", zstd(TWO)), ("bzip2", bzip2(TWO)), ("xz", xz(TWO))] {
        let (found, code, stderr) = records("after", &[&bytes[..], ONE].concat(), &[]);
        let expected = format!(
            "sgf: error: @: {name}: there is more data after the end of the compressed data (byte {} of the compressed data)\n",
            bytes.len()
        );
        assert_eq!((found, code, stderr), (names(&[("@", 2)]), Some(2), expected));
    }
    let archive = tar(&[("a.sgf", TWO)]);
    let (found, code, stderr) = records("after", &[&archive[..], &archive].concat(), &[]);
    let expected = "sgf: error: @: tar: there is more data after the end of the archive, which is not read (byte 1536 of the archive)\n";
    assert_eq!((found, code, stderr.as_str()), (names(&[("@!/a.sgf", 2)]), Some(2), expected));
}

#[test]
fn plain_files_are_never_taken_for_others() {
    for junk in
        [&b"BZh9 says: "[..], b"PK ", b"\x1F\x8B", b"\x1F\x8B\x08\xFF", b"7zXZ\0", b"ustar\0", &[0; 600], b"\n \t"]
    {
        let plain = [junk, TWO].concat();
        let run = run_with(&plain, &["records", "-"]);
        assert_eq!((games(&run), run.code), (names(&[("-", 2)]), Some(0)), "{}", junk.escape_ascii());
    }
    // A member of that name would be one of tar, were it not for the game at the start.
    let mut plain = tar_header(b"(;PB[aa])", b'0', 0, USTAR).to_vec();
    plain.extend(TWO);
    assert_eq!(games(&run_with(&plain, &["records", "-"])), names(&[("-", 3)]));
    for short in [&b""[..], b"B", b"PK", b"\x1F\x8B\x08", b"\xFD7zX"] {
        let run = run_with(short, &["scan", "--json", "-"]);
        assert_eq!((run.json()["files"].clone(), run.code), (json!(1), Some(0)));
    }
}

#[test]
fn members_of_archives_have_names_of_their_own() {
    let members: [(&str, &[u8]); 5] =
        [("d/one.sgf", ONE), ("README", b"no game"), ("d/two.SGFS", TWO), ("d/._two.sgf", b"Mac OS X"), ("d/", b"")];
    let expected = names(&[("@!/d/one.sgf", 1), ("@!/d/two.SGFS", 2)]);
    let archive = tar(&members);
    assert_eq!(sound("members", &archive), expected);
    for format in [gzip, zstd, bzip2, xz] {
        assert_eq!(sound("members", &format(&archive)), expected);
    }
    let zip_of = |method, flags, is_zip64| {
        zip(&members.map(|(name, bytes)| Zipped { method, flags, is_zip64, ..zipped(name, bytes) }))
    };
    for method in [0, 8, 12, 93, 95] {
        assert_eq!(sound("members", &zip_of(method, 0, false)), expected, "method {method}");
        assert_eq!(sound("members", &zip_of(method, 0, true)), expected, "method {method}, zip64");
    }
    assert_eq!(sound("members", &zip_of(8, 8, false)), expected, "written to a pipe");
    assert_eq!(sound("members", &zip(&[])), []);
}

#[test]
fn archives_and_compressed_files_can_be_in_each_other() {
    let inner = tar(&[("x/one.sgf.gz", &gzip(ONE)), ("two.sgf", TWO), ("left/out.gz", &gzip(ONE))]);
    let archive = zip(&[
        zipped("a.tar.xz", &xz(&inner)),
        zipped("b.TGZ", &gzip(&inner)),
        zipped("c.zip", &zip(&[zipped("d.tar", &inner)])),
        zipped("not what its name says.sgf", &gzip(&tar(&[("e.sgf", ONE)]))),
    ]);
    let expected = [
        ("@!/a.tar.xz!/x/one.sgf.gz", 1),
        ("@!/a.tar.xz!/two.sgf", 2),
        ("@!/b.TGZ!/x/one.sgf.gz", 1),
        ("@!/b.TGZ!/two.sgf", 2),
        ("@!/c.zip!/d.tar!/x/one.sgf.gz", 1),
        ("@!/c.zip!/d.tar!/two.sgf", 2),
        ("@!/not what its name says.sgf!/e.sgf", 1),
    ];
    assert_eq!(sound("nested", &archive), names(&expected));
    assert_eq!(sound("nested", &gzip(&archive)), names(&expected));
}

#[test]
fn directories_are_searched_for_archives_too() {
    let root = directory("inputs/walk");
    fs::create_dir(root.join("d")).unwrap();
    for (name, bytes) in [
        ("a.sgf", ONE),
        ("b.SGF.GZ", &gzip(ONE)),
        ("c.txt", ONE),
        ("d/e.tar.zst", &zstd(&tar(&[("x.sgf", TWO)]))),
        ("f.gz", &gzip(ONE)),
        ("g.zip", &zip(&[zipped("y.sgf", ONE)])),
        ("h.sgf", &bzip2(ONE)),
    ] {
        fs::write(root.join(name), bytes).unwrap();
    }
    let found = run(&["records", str(&root)]);
    let at = |name: &str| format!("{}/{name}", str(&root));
    let expected = [("a.sgf", 1), ("b.SGF.GZ", 1), ("d/e.tar.zst!/x.sgf", 2), ("g.zip!/y.sgf", 1), ("h.sgf", 1)];
    assert_eq!(games(&found), expected.map(|(name, count)| (at(name), count)));
    assert_eq!((found.code, found.stderr.as_str()), (Some(0), ""));
    let report = run(&["scan", "--json", str(&root)]).json();
    assert_eq!((&report["files"], &report["games"]), (&json!(5), &json!(6)), "members count as files");
    assert_eq!(report["bytes"], json!(4 * ONE.len() + TWO.len()), "unpacked");
}

#[test]
fn headers_of_old_and_new_tar_are_read() {
    let long = format!("{}/{}.sgf", "d".repeat(120), "n".repeat(120));
    let pax = |key: &str, value: &str| {
        let len = key.len() + value.len() + 3;
        let len = (len..).find(|all| len + all.to_string().len() == *all).unwrap();
        format!("{len} {key}={value}\n").into_bytes()
    };
    let cut = &long.as_bytes()[..100];
    let end = [0; 1024];
    for (name, archive, expected) in [
        ("version 7", [tar_member(b"a.sgf", 0, ONE, b""), end.to_vec()].concat(), "a.sgf"),
        (
            "GNU",
            [
                tar_member(b"././@LongLink", b'L', format!("{long}\0").as_bytes(), GNU),
                tar_member(cut, b'0', ONE, GNU),
                end.to_vec(),
            ]
            .concat(),
            &long[..],
        ),
        (
            "pax",
            [
                tar_member(b"pax_global_header", b'g', &pax("comment", "of no interest"), USTAR),
                tar_member(b"x", b'x', &pax("path", &long), USTAR),
                tar_member(cut, b'0', ONE, USTAR),
                end.to_vec(),
            ]
            .concat(),
            &long,
        ),
        ("links", [tar_member(b"b.sgf", b'2', b"", USTAR), tar(&[("./a.sgf", ONE)])].concat(), "a.sgf"),
        ("padded", [&tar(&[("/a.sgf", ONE)])[..], &[0; 8192]].concat(), "a.sgf"),
    ] {
        assert_eq!(sound("tar", &archive), names(&[(&format!("@!/{expected}"), 1)]), "{name}");
    }
}

#[test]
fn what_of_an_archive_cannot_be_read_is_said_and_the_rest_is_read() {
    let sparse = tar_member(b"x", b'x', b"26 GNU.sparse.numblocks=1\n", USTAR);
    let sparse = [sparse, tar_member(b"b.sgf", b'0', ONE, USTAR), tar(&[("a.sgf", ONE)])].concat();
    let damaged = {
        let mut bytes = gzip(ONE);
        let at = bytes.len() - 8;
        bytes[at] ^= 1;
        bytes
    };
    let bad = |member| zip(&[zipped("z.sgf", TWO), member, zipped("a.sgf", ONE)]);
    let wrong = bad(Zipped { wrong: 1, ..zipped("b.sgf", ONE) });
    let encrypted = bad(Zipped { flags: 1, ..zipped("b.sgf", ONE) });
    let unknown = bad(Zipped { method: 98, ..zipped("b.sgf", ONE) });
    let checksum = tar(&[("z.sgf", TWO), ("b.sgf.gz", &damaged), ("a.sgf", ONE)]);
    let both = [("@!/z.sgf", 2), ("@!/a.sgf", 1)];
    let with_bad = [("@!/z.sgf", 2), ("@!/b.sgf", 1), ("@!/a.sgf", 1)];
    let with_gz = [("@!/z.sgf", 2), ("@!/b.sgf.gz", 1), ("@!/a.sgf", 1)];
    for (archive, expected, message) in [
        (sparse, &both[1..], "@!/b.sgf: sparse files are not supported"),
        (wrong, &with_bad, "@!/b.sgf: zip: the data is damaged: its checksum does not match"),
        (encrypted, &both, "@!/b.sgf: zip: encrypted, which is not supported"),
        (unknown, &both, "@!/b.sgf: zip: compressed by method 98, PPMD, which is not supported"),
        (checksum, &with_gz, "@!/b.sgf.gz: gzip: the data is damaged: incorrect data check (byte "),
    ] {
        let (found, code, stderr) = records("faulty", &archive, &[]);
        assert_eq!((found, code), (names(expected), Some(2)), "{message}");
        assert!(stderr.starts_with(&format!("sgf: error: {message}")) && stderr.lines().count() == 1, "{stderr}");
    }
}

#[test]
fn a_faulty_member_of_many_does_not_stop_the_rest() {
    let (sound, mut damaged) = (gzip(ONE), gzip(ONE));
    damaged.truncate(damaged.len() - 12);
    let names: Vec<String> = (0..200).map(|n| format!("dir/{n:03}.sgf.gz")).collect();
    let members: Vec<(&str, &[u8])> =
        names.iter().enumerate().map(|(n, name)| (&name[..], if n == 100 { &damaged[..] } else { &sound })).collect();
    let zip = zip(&members.iter().map(|(name, bytes)| zipped(name, bytes)).collect::<Vec<_>>());
    for (name, archive) in [("tar", tar(&members)), ("tar.gz", gzip(&tar(&members))), ("zip", zip)] {
        let (found, code, stderr) = records("200", &archive, &[]);
        let others = found.iter().filter(|(name, count)| *count == 1 && !name.contains("/100.")).count();
        assert_eq!((others, code), (199, Some(2)), "{name}");
        let troubles = troubles(&stderr);
        assert!(troubles[0].starts_with("@!/dir/100.sgf.gz: gzip: the data ends in the middle (byte "), "{stderr}");
        assert_eq!(troubles.len(), 1, "{name}");
        let report = run_with(&archive, &["scan", "--json", "-"]).json();
        assert_eq!((&report["files"], &report["errors"][0]["file"]), (&json!(199), &json!("-!/dir/100.sgf.gz")));
    }
}

#[test]
fn a_bad_header_of_tar_ends_the_archive() {
    let mut archive = tar(&[("a.sgf", TWO), ("b.sgf", ONE), ("c.sgf", ONE)]);
    archive[1024 + 3] ^= 1;
    let (found, code, stderr) = records("header", &archive, &[]);
    assert_eq!((found, code), (names(&[("@!/a.sgf", 2)]), Some(2)));
    assert_eq!(stderr, "sgf: error: @: tar: archive header checksum mismatch (byte 1024 of the archive)\n");
}

#[test]
fn a_zip_from_a_pipe_needs_lengths_or_deflate() {
    let piped = |method, flags| Zipped { method, flags, ..zipped("b.sgf", ONE) };
    for (member, what) in [(piped(0, 8), "not compressed"), (piped(8, 9), "encrypted, which is not supported")] {
        let archive = zip(&[zipped("a.sgf", TWO), member, zipped("c.sgf", ONE)]);
        let run = run_with(&archive, &["records", "-"]);
        assert_eq!((games(&run), run.code), (names(&[("-!/a.sgf", 2)]), Some(2)));
        let rest = "the rest of the archive cannot be read as a stream";
        let expected =
            format!("sgf: error: -!/b.sgf: zip: {what}; and its length is not stored before it, so {rest}\n");
        assert_eq!(run.stderr, expected);
    }
    // A file has a directory, which says all.
    let file = directory("inputs/pipe").join("stored.zip");
    fs::write(&file, zip(&[piped(0, 8), zipped("c.sgf", ONE)])).unwrap();
    let run = run(&["records", str(&file)]);
    assert_eq!((games(&run).len(), run.code, run.stderr.as_str()), (2, Some(0), ""));
}

/// Everything that can be cut, and where nobody would see that it was.
fn cuttable() -> Vec<(&'static str, Vec<u8>, Vec<usize>)> {
    let text = TWO.repeat(12);
    let members = [("a.sgf", TWO), ("dir/b.sgf", &text), ("c.sgf", ONE)];
    let streams = |name, streams: &[Vec<u8>]| {
        let ends = (1..=streams.len()).map(|n| streams[..n].concat().len()).collect();
        (name, streams.concat(), ends)
    };
    let archive = tar(&members);
    let zipped = members.map(|(name, bytes)| zipped(name, bytes));
    vec![
        streams("gzip", &[gzip(&text), gzip(ONE)]),
        streams("zstd", &[zstd(&text), zstd_skippable(3), zstd(&text)]),
        streams("bzip2", &[bzip2(&text), bzip2(&text)]),
        streams("xz", &[xz(&text), xz(&text)]),
        streams("tgz", &[gzip(&archive)]),
        // The second block of zeros may be missing.
        ("tar", archive.clone(), (archive.len() - 512..=archive.len()).collect()),
        streams("zip", &[zip(&zipped)]),
        streams("piped", &[zip(&zipped.map(|member| Zipped { flags: 8, ..member }))]),
    ]
}

#[test]
fn cut_anywhere_a_file_gives_what_is_there_and_an_error() {
    for (name, bytes, unseen) in cuttable() {
        let root = directory(&format!("inputs/cut-{name}"));
        for cut in 0..=bytes.len() {
            fs::write(root.join(format!("{cut:05}.zip")), &bytes[..cut]).unwrap();
        }
        let run = run(&["records", "--verbose", "--fields", "file,PB", str(&root)]);
        assert_eq!(run.code, Some(2), "{name}");
        let mut counts = vec![0; bytes.len() + 1];
        let cut_of = |file: &str| -> usize { file.split('/').next_back().unwrap()[..5].parse().unwrap() };
        for (file, count) in games(&run) {
            counts[cut_of(file.split("!/").next().unwrap())] += count;
        }
        assert!(counts.is_sorted(), "{name}: what is longer has no less: {counts:?}");
        assert!(counts[bytes.len()] > 20, "{name}");
        let mut faulty = vec![false; bytes.len() + 1];
        for line in run.stderr.lines() {
            let file = line
                .trim_start_matches("sgf: error: ")
                .trim_start_matches("sgf: warning: ")
                .split(".zip")
                .next()
                .unwrap();
            faulty[cut_of(file)] = true;
        }
        let sound: Vec<_> = (0..faulty.len()).filter(|&cut| !faulty[cut]).collect();
        assert_eq!(sound, unseen, "{name}");
    }
}

#[test]
fn cut_anywhere_the_bytes_are_those_of_the_front() {
    // So much that no format keeps all of it back until its end.
    let text: Vec<u8> =
        (0..60_000u32).flat_map(|n| format!("(;C[{}])", n.wrapping_mul(2_654_435_761)).into_bytes()).collect();
    let events = run_with(&text, &["events", "-"]);
    let root = directory("inputs/front");
    for (name, bytes) in [("gzip", gzip(&text)), ("zstd", zstd(&text)), ("bzip2", bzip2(&text)), ("xz", xz(&text))] {
        for tenth in 1..10 {
            let file = root.join(name);
            fs::write(&file, &bytes[..bytes.len() * tenth / 10]).unwrap();
            let cut = run(&["events", str(&file)]);
            assert_eq!(cut.code, Some(2));
            assert_eq!(cut.stderr.lines().count(), 1);
            assert!(cut.stderr.contains(": the data ends in the middle (byte "), "{}", cut.stderr);
            let same = cut.stdout.iter().zip(&events.stdout).take_while(|(a, b)| a == b).count();
            assert_eq!(same, cut.stdout.len(), "{name}");
            assert!(tenth < 8 || same > events.stdout.len() / 8, "{name}: {same} of {}", events.stdout.len());
        }
    }
}

#[test]
fn limits_hold_what_unpacks_to_too_much() {
    let zeros = vec![0; 3 << 20];
    let bomb = gzip(&zeros);
    let game = gzip(ONE);
    let nest = |times| (0..times).fold(ONE.to_owned(), |bytes, _| gzip(&bytes));
    let members: Vec<String> = (0..20).map(|n| format!("{n}.sgf")).collect();
    let members: Vec<_> = members.iter().map(|name| (&name[..], ONE)).collect();
    let unpacked = "more than 1M would be unpacked from this file (--max-unpacked)";
    let nesting = "archives and compressed files are nested more than 8 deep (--max-nesting)";
    let window = {
        // A frame that asks for 2 GiB.
        let mut bytes = zstd(ONE);
        bytes.splice(4.., [0, (31 - 10) << 3]);
        bytes
    };
    let window_message =
        "zstd: needs 2G of memory, which is more than 128M (--max-window) (byte 6 of the compressed data)";
    for (args, bytes, found, messages) in [
        (&["--max-unpacked", "1M"][..], bomb.clone(), &[][..], &[("@", unpacked)][..]),
        (&["--max-unpacked", "4M"], gzip(ONE), &[("@", 1)], &[]),
        (
            &["--max-unpacked", "1M"],
            tar(&[("a.sgf", ONE), ("b.sgf.gz", &bomb), ("c.sgf.gz", &game)]),
            &[("@!/a.sgf", 1)],
            &[("@!/b.sgf.gz", unpacked)],
        ),
        (&[], nest(8), &[("@", 1)], &[]),
        (&[], nest(9), &[], &[("@", nesting)]),
        (&["--max-nesting", "9"], nest(9), &[("@", 1)], &[]),
        (&["--max-nesting", "0"], ONE.to_owned(), &[("@", 1)], &[]),
        (&["--max-members", "1"], tar(&members), &[("@!/0.sgf", 1)], &[("@", "more than 1 members (--max-members)")]),
        (&[], window.clone(), &[], &[("@", window_message)]),
    ] {
        let (there, code, stderr) = records("limits", &bytes, args);
        let messages: Vec<_> = messages.iter().map(|(name, what)| format!("{name}: {what}")).collect();
        assert_eq!(
            (there, troubles(&stderr)),
            (names(found), messages.iter().map(String::as_str).collect()),
            "{args:?}"
        );
        assert_eq!(code == Some(2), !messages.is_empty(), "{args:?}");
    }
}

#[test]
fn a_bomb_is_met_early_and_other_members_are_read() {
    let mut zeros = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    for _ in 0..300 {
        std::io::Write::write_all(&mut zeros, &[0; 1 << 20]).unwrap();
    }
    // The same as a stream of gzip, with a checksum that nobody comes to.
    let bomb = [b"\x1F\x8B\x08\0\0\0\0\0\0\0", &zeros.finish().unwrap()[..]].concat();
    let archive = tar(&[("a.sgf", TWO), ("b.sgf.gz", &bomb), ("c.sgf.gz", &bomb), ("d.sgf.gz", &gzip(ONE))]);
    let (found, code, stderr) = records("bomb", &archive, &[]);
    assert_eq!((found, code), (names(&[("@!/a.sgf", 2), ("@!/d.sgf.gz", 1)]), Some(2)));
    let message = "unpacks to more than 250 times its size (--max-ratio)";
    // Both are one line.
    assert_eq!(troubles(&stderr), [format!("@!/b.sgf.gz: {message}, as in 1 more file; --verbose names all")]);
    let report = run_with(&archive, &["scan", "--json", "-"]).json();
    assert!(report["bytes"].as_u64().unwrap() < 400 << 20, "the second is given less");
    let run = run_with(&bomb, &["records", "--max-ratio", "10000", "-"]);
    assert!(run.stderr.contains("the data ends in the middle"), "{}", run.stderr);
}

#[test]
fn members_that_lie_in_each_other_are_a_bomb_too() {
    let text = ONE.repeat(30_000);
    let mut archive = zip(&[Zipped { method: 0, ..zipped("a.sgf", &text) }]);
    // The directory lists a member a thousand times.
    let start = archive.len() - 22 - (46 + 5);
    let entry = archive[start..archive.len() - 22].to_owned();
    let mut end = archive.split_off(archive.len() - 22);
    archive.truncate(start);
    archive.extend(entry.repeat(1000));
    end[8..10].copy_from_slice(&1000u16.to_le_bytes());
    end[10..12].copy_from_slice(&1000u16.to_le_bytes());
    end[12..16].copy_from_slice(&(1000 * entry.len() as u32).to_le_bytes());
    archive.extend(end);
    let file = directory("inputs/overlap").join("a.zip");
    fs::write(&file, &archive).unwrap();
    let run = run(&["scan", "--json", str(&file)]);
    let report = run.json();
    assert!(report["bytes"].as_u64().unwrap() < 700 << 20, "{}", report["bytes"]);
    assert_eq!((run.code, report["errors"].as_array().unwrap().len()), (Some(2), 16));
    let message = "unpacks to more than 250 times its size (--max-ratio)";
    assert_eq!(report["errors"][0]["message"], json!(message));
    let last = format!("{message}, as did 15 before it: the rest of the file is not read");
    assert_eq!(report["errors"][15]["message"], json!(last));
}

#[test]
fn an_archive_that_ends_in_a_member_says_that_more_is_lost() {
    let archive = gzip(&tar(&[("a.sgf", TWO), ("b.sgf", &ONE.repeat(2000)), ("c.sgf", ONE)]));
    let cut = &archive[..archive.len() - 60];
    let (found, code, stderr) = records("lost", cut, &[]);
    assert_eq!((&found[0], found.len(), code), (&("@!/a.sgf".to_owned(), 2), 2, Some(2)));
    let troubles = troubles(&stderr);
    assert!(troubles[0].starts_with("@!/b.sgf: gzip: the data ends in the middle (byte "), "{stderr}");
    assert_eq!(troubles[1..], ["@: the rest of the archive cannot be read"]);
}

#[test]
fn headers_of_tar_are_bounded() {
    // A name of a gigabyte, which the crate would hold in memory.
    let mut archive = tar(&[("a.sgf", ONE)]);
    archive.truncate(1024);
    archive.extend(tar_header(b"././@LongLink", b'L', 1 << 30, GNU));
    archive.extend(vec![b'x'; 2 << 20]);
    let (found, code, stderr) = records("bounded", &archive, &[]);
    assert_eq!((found, code), (names(&[("@!/a.sgf", 1)]), Some(2)));
    assert!(stderr.starts_with("sgf: error: @: tar: a header is longer than 1 MiB (byte "), "{stderr}");
}

#[test]
fn names_are_shown_safely_and_told_as_they_are() {
    let member = |name: &'static [u8]| tar_member(name, b'0', b"no game", USTAR);
    let names: [(&[u8], &str, &str); 6] = [
        (b"../../etc/a.sgf", "../../etc/a.sgf", "../../etc/a.sgf"),
        (b"/etc/a.sgf", "etc/a.sgf", "etc/a.sgf"),
        (b"a\nb.sgf", "a\nb.sgf", r"a\nb.sgf"),
        (b"\x1B[31m.sgf", "\x1B[31m.sgf", r"\u{1b}[31m.sgf"),
        (b"\xFF.sgf", "\u{FFFD}.sgf", "\u{FFFD}.sgf"),
        ("\u{202E}fgs.sgf".as_bytes(), "\u{202E}fgs.sgf", r"\u{202e}fgs.sgf"),
    ];
    let mut archive: Vec<u8> = names.iter().flat_map(|(name, _, _)| member(name)).collect();
    archive.extend([0; 1024]);
    let report = run_with(&archive, &["scan", "--json", "-"]).json();
    let files: Vec<_> = report["errors"].as_array().unwrap().iter().map(|error| error["file"].clone()).collect();
    assert_eq!(files, names.map(|(_, told, _)| json!(format!("-!/{told}"))));
    let run = run_with(&archive, &["scan", "-"]);
    for (_, _, shown) in names {
        assert!(run.text().contains(&format!("\n  -!/{shown}:1:1: ")), "{shown}: {}", run.text());
    }
    let run = run_with(&archive, &["records", "-"]);
    assert!(run.stderr.contains("-!/\\u{1b}[31m.sgf") && !run.stderr.contains('\x1B'), "{}", run.stderr);
}

#[test]
fn every_command_reads_them() {
    let root = directory("inputs/commands");
    let file = root.join("one.sgf.zst");
    fs::write(&file, zstd(ONE)).unwrap();
    let archive = root.join("two.zip");
    fs::write(&archive, zip(&[zipped("d/a.sgf", ONE), zipped("b.sgf", b"(;PW[x]ZZ[y];W[aa])")])).unwrap();
    let (file, archive) = (str(&file), str(&archive));
    let plain = |args: &[&str]| run_with(ONE, args).stdout;
    for args in [&["events"][..], &["fmt"], &["fmt", "--exact"]] {
        let packed = run(&[args, &[file]].concat());
        assert_eq!((packed.code, packed.stderr.as_str()), (Some(0), ""));
        assert_eq!(packed.stdout, plain(&[args, &["-"]].concat()), "{args:?}");
    }
    let tree = run(&["show", "--tree", archive]);
    assert!(tree.text().starts_with(&format!("{archive}!/d/a.sgf")), "{}", tree.text());
    assert!(tree.text().contains(&format!("\n{archive}!/b.sgf")), "{}", tree.text());
    let check = run(&["check", "--json", "--deny", "all", archive]);
    assert!(check.text().contains(&format!(r#"{{"file":"{archive}!/b.sgf","#)), "{}", check.text());
    assert_eq!(check.code, Some(1));
    for command in ["events", "fmt"] {
        let run = run(&[command, archive]);
        assert_eq!(run.code, Some(2));
        assert!(
            run.stderr.starts_with(&format!("sgf: error: {archive}: the archive contains several SGF files; ")),
            "{}",
            run.stderr
        );
        let none = run_with(&tar(&[("README", b"")]), &[command, "-"]);
        assert_eq!((none.code, none.stderr.as_str()), (Some(1), "sgf: error: -: the archive contains no SGF file\n"));
    }
}

#[test]
fn help_tells_of_them_everywhere() {
    for command in ["scan", "records", "check", "fmt", "show", "dups"] {
        let help = run(&[command, "--help"]);
        assert!(help.text().contains("`archive.tar.gz!/dir/game.sgf`") && help.text().contains("--max-ratio N "));
        assert!(!run(&[command, "-h"]).text().contains("--max-ratio"), "{command}: not in the short one");
    }
    assert!(run(&["events", "--help"]).text().contains("--max-ratio N "));
}

#[test]
fn what_is_compressed_is_not_rewritten() {
    let root = directory("inputs/rewrite");
    let untidy = b"(; FF[4] SZ[19:19]\r\n;B[ee]AB[aa][aa])";
    let file = |name: &str, bytes: &[u8]| {
        let path = root.join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let plain = file("a.sgf", untidy);
    let packed = [
        file("b.sgf.gz", &gzip(untidy)),
        file("c.zip", &zip(&[zipped("x.sgf", untidy), zipped("y.sgf", untidy)])),
        file("d.tar", &tar(&[("x.sgf", untidy)])),
    ];
    let before = packed.each_ref().map(|path| fs::read(path).unwrap());
    let said = |run: &Run, what: &str| {
        let archived = "it is an archive; unpack it first";
        let lines =
            [("b.sgf.gz", "it is gzip-compressed; decompress it first"), ("c.zip", archived), ("d.tar", archived)];
        for (name, why) in lines {
            let line = format!("sgf: error: {}/{name}: {what}: {why}\n", str(&root));
            assert_eq!(run.stderr.matches(&line).count(), 1, "{line}{}", run.stderr);
        }
    };
    let listed = run(&["fmt", "--check", str(&root)]);
    let at = |name: &str| format!("{}/{name}", str(&root));
    let expected = ["a.sgf", "b.sgf.gz", "c.zip!/x.sgf", "c.zip!/y.sgf", "d.tar!/x.sgf"].map(at);
    assert_eq!((listed.lines(), listed.code), (expected.iter().map(String::as_str).collect(), Some(1)));
    let fixed = run(&["check", "--fix", "--verbose", str(&root)]);
    said(&fixed, "not repaired");
    assert_eq!(fixed.code, Some(2));
    assert_ne!(fs::read(&plain).unwrap(), untidy, "the others are repaired");
    let written = run(&["fmt", "--write", "--verbose", str(&root)]);
    said(&written, "not rewritten");
    // The same cause, the same code: see `check --fix` above.
    assert_eq!(written.code, Some(2));
    assert_eq!(run(&["fmt", "--check", str(&plain)]).code, Some(0));
    assert_eq!(packed.each_ref().map(|path| fs::read(path).unwrap()), before);
    // What is canonical is known to be, to its last byte.
    let tidy = fs::read(&plain).unwrap().repeat(10_000);
    for (end, differs) in [("", false), ("\n", true), ("(;)", true)] {
        let game = [&tidy[..], end.as_bytes()].concat();
        for (packed, name) in [(gzip(&game), "-"), (zip(&[zipped("x.sgf", &game)]), "-!/x.sgf"), (game, "-")] {
            let checked = run_with(&packed, &["fmt", "--check", "-"]);
            let expected = if differs { vec![name] } else { Vec::new() };
            assert_eq!((checked.lines(), checked.code), (expected, Some(differs.into())), "{}", checked.stderr);
        }
    }
}

/// Writes files and lets all of them be read, which must not end in a panic, or never.
fn reads(name: &str, files: impl IntoIterator<Item = Vec<u8>>) -> bool {
    let root = directory(&format!("inputs/{name}"));
    for (n, bytes) in files.into_iter().enumerate() {
        fs::write(root.join(format!("{n}.zip")), bytes).unwrap();
    }
    let run = run(&["scan", "--json", "--max-unpacked", "64M", str(&root)]);
    assert!(matches!(run.code, Some(0 | 2)), "{:?}: {}", run.code, run.stderr);
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    true
}

const MARKS: [&[u8]; 9] = [
    b"\x1F\x8B\x08\0",
    b"\x28\xB5\x2F\xFD",
    b"\x50\x2A\x4D\x18",
    b"BZh9\x31\x41\x59\x26\x53\x59",
    b"\xFD7zXZ\0\0\x01\x69\x22\xDE\x36",
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"PK\x03\x04\x14\0\x08\0\x08\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x05\0\0\0a.sgf",
    b"PK\x03\x04\x14\0\0\0\x08\0\0\0\0\0\0\0\0\0\x40\0\0\0\0\0\0\0\x05\0\0\0a.sgf",
];

#[test]
fn any_bytes_after_a_mark_are_read_without_a_panic() {
    fn law(tails: Vec<Vec<u8>>) -> bool {
        let headed = |tail: &Vec<u8>| {
            let mut tar = tar_header(b"a.sgf", b'0', tail.len(), USTAR).to_vec();
            tar.extend(tail);
            MARKS.iter().map(|mark| [mark, &tail[..]].concat()).chain([tar]).collect::<Vec<_>>()
        };
        reads("marks", tails.iter().take(20).flat_map(headed))
    }
    holds(100, law as fn(Vec<Vec<u8>>) -> bool);
}

#[test]
fn damaged_files_are_read_without_a_panic() {
    fn law(places: Vec<(u16, u8)>) -> bool {
        let damaged = |(_, mut bytes, _): (&str, Vec<u8>, Vec<usize>)| {
            for (place, byte) in places.iter().take(1 + places.len() / 4) {
                let at = usize::from(*place) % bytes.len();
                bytes[at] ^= byte;
            }
            bytes
        };
        reads("damaged", cuttable().into_iter().map(damaged))
    }
    holds(100, law as fn(Vec<(u16, u8)>) -> bool);
}

#[test]
fn the_corpus_packed_gives_what_it_gives_unpacked() {
    let Some(folder) = shared::path("corpus") else { return };
    let named = |(n, path): (usize, &std::path::PathBuf)| (format!("{n:06}.sgf"), fs::read(path).unwrap());
    let members: Vec<(String, Vec<u8>)> = shared::corpus().iter().enumerate().map(named).collect();
    let members: Vec<(&str, &[u8])> = members.iter().map(|(name, bytes)| (&name[..], &bytes[..])).collect();
    let archive = tar(&members);
    let zip = zip(&members.iter().map(|(name, bytes)| zipped(name, bytes)).collect::<Vec<_>>());
    let report = |run: Run| {
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
        let mut report = run.json();
        report["seconds"] = Value::Null;
        report["longest_value"]["file"] = Value::Null; // in an archive it has another name
        report
    };
    let plain = report(run(&["scan", "-q", "--json", "--max-errors", "0", str(&folder)]));
    assert_eq!(plain["files"], json!(members.len()));
    for (name, bytes) in [("tar.gz", gzip(&archive)), ("tar.zst", zstd(&archive)), ("tar", archive), ("zip", zip)] {
        let packed = report(run_with(&bytes, &["scan", "-q", "--json", "--max-errors", "0", "-"]));
        assert_eq!(packed, plain, "{name}");
    }
}

#[test]
fn deflate_without_a_frame_is_no_file() {
    assert_eq!(games(&run_with(&deflate(ONE), &["records", "-"])), []);
}
