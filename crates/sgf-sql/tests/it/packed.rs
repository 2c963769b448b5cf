//! Compressed files, archives and charsets.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::support::{archive, ask, context_of, directory};

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, content) in members {
        let mut header = tar::Header::new_ustar();
        header.set_size(content.len() as u64);
        archive.append_data(&mut header, name, *content).unwrap();
    }
    archive.into_inner().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn compressed_files_have_the_rows_of_their_content() {
    let games = archive(9_000);
    let members =
        tar(&[("one.sgf", games.as_bytes()), ("no.txt", b"(;PB[not SGF by its name])"), ("d/two.sgf", b"(;PB[last])")]);
    let sums = "SELECT count(*), sum(length), sum(move_count), max(\"offset\"), sum(game) FROM games";
    let (_directory, path) = directory(&[("games.sgf", games.as_bytes())]);
    let plain = ask(&context_of(&path, 1), sums).await;
    for partitions in [1, 7] {
        let (_directory, path) = directory(&[("a.sgf.gz", &gzip(games.as_bytes()))]);
        assert_eq!(ask(&context_of(&path, partitions), sums).await, plain);
        // The content says what a file is. Its name lets it be cut, which must not matter.
        let (_directory, path) = directory(&[("a.sgf", &gzip(games.as_bytes()))]);
        assert_eq!(ask(&context_of(&path, partitions), sums).await, plain);
        let (_directory, path) = directory(&[("a.tar.gz", &gzip(&members))]);
        let ctx = context_of(&path, partitions);
        let files = ask(&ctx, "SELECT file, count(*) FROM games GROUP BY file ORDER BY 2").await;
        assert_eq!(files, format!("{path}/a.tar.gz!/d/two.sgf 1\n{path}/a.tar.gz!/one.sgf 9000"));
        // Roots are also filtered in archives.
        let of_white = ask(&ctx, "SELECT count(*), sum(move_count) FROM games WHERE white = 'white 3'").await;
        let (_directory, path) = directory(&[("games.sgf", games.as_bytes())]);
        let query = "SELECT count(*), sum(move_count) FROM games WHERE white = 'white 3'";
        assert_eq!(of_white, ask(&context_of(&path, 1), query).await);
    }
}

#[tokio::test]
async fn texts_are_decoded() {
    let utf16: Vec<u8> = "\u{feff}(;PB[秀策];B[qd])(;PB[é])".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let euc = b"(;CA[EUC-JP]PB[\xBD\xA8\xBA\xF6])";
    let (_directory, path) = directory(&[
        ("a.sgf", &utf16),
        ("b.sgf", euc),
        ("c.sgf", &gzip(&utf16)),
        ("d.sgf", "\u{feff}(;CA[EUC-JP]PB[é])".as_bytes()),
    ]);
    for partitions in [1, 3] {
        let ctx = context_of(&path, partitions);
        let rows = ask(&ctx, "SELECT right(file, 5), black FROM games ORDER BY file, \"offset\"").await;
        assert_eq!(rows, "a.sgf 秀策\na.sgf é\nb.sgf 秀策\nc.sgf 秀策\nc.sgf é\nd.sgf é");
    }
}

#[tokio::test]
async fn charsets_are_those_of_the_texts() {
    let utf16: Vec<u8> = "\u{feff}(;CA[UTF-16]PB[Lee];B[aa])".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let (_directory, path) = directory(&[
        ("a.sgf", &utf16),
        ("b.sgf", "(;FF[4]GM[1]CA[ISO-2022-KR]PB[이창호];B[aa])".as_bytes()),
        ("c.sgf", b"(;CA[GBK]PB[\xC9\xCF\xBA\xA3])"),
    ]);
    for partitions in [1, 3] {
        let ctx = context_of(&path, partitions);
        let rows = ask(&ctx, "SELECT charset, black FROM games ORDER BY file").await;
        assert_eq!(rows, "UTF-16LE Lee\nUTF-8 이창호\nGBK 上海");
    }
}
