//! That summaries are a monoid, and that they are made of the bytes alone; how much is looked at. What
//! the parts are is tested from outside, in `tests/split.rs`.

use std::fmt;

use quickcheck::{Arbitrary, Gen, QuickCheck};
use rayon::ThreadPoolBuilder;

use super::near::Text;
use super::path::{Mode, Path, Summary};
use super::{BLOCK_LEN, ReadAt};
use crate::Parser;
use crate::parallel::Split;

/// Bytes in which everything happens that a summary is about.
#[derive(Clone)]
struct Soup(Vec<u8>);

impl fmt::Debug for Soup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b\"{}\"", self.0.escape_ascii())
    }
}

impl Arbitrary for Soup {
    fn arbitrary(random: &mut Gen) -> Self {
        const PIECES: &[&[u8]] = &[
            b"(",
            b")",
            b";",
            b"[",
            b"]",
            b"\\",
            b" ",
            b"\n",
            b"B",
            b"a",
            b"\x81",
            b"[",
            b"]",
            b"(;",
            b";B[dd]",
            b"FF[4]",
            b"CA[GBK]",
            b"cA \n[\\big5]",
            b"\n(;FF[4]",
            b"\r\t( ;\nGaMe [1]",
            b"[3d]",
            b"[3d\\]",
            b"C[",
            b"]\n",
            b"; and text that is longer than a short value, and so on until it is longer than a block",
        ];
        let most = *random.choose(&[4, 30, 200]).unwrap();
        let count = usize::arbitrary(random) % most;
        Soup((0..count).flat_map(|_| random.choose(PIECES).unwrap().iter().copied()).collect())
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let bytes = self.0.clone();
        let lens = std::iter::successors(Some(bytes.len()), |len| Some(len / 2)).take_while(|&len| len > 0);
        Box::new(lens.collect::<Vec<_>>().into_iter().flat_map(move |len| {
            let bytes = bytes.clone();
            (0..=bytes.len() - len)
                .step_by(len.div_ceil(2))
                .map(move |start| Soup([&bytes[..start], &bytes[start + len..]].concat()))
        }))
    }
}

impl Soup {
    fn text(&self) -> Text<'_> {
        Text { bytes: &self.0, at: 0, eof: true }
    }

    fn summary(&self) -> Summary {
        Summary::of(self.text(), 0, self.0.len())
    }
}

fn empty() -> Summary {
    Summary::new(Mode::ALL.map(Path::empty))
}

#[test]
fn summaries_are_a_monoid() {
    fn law(a: Soup, b: Soup, c: Soup) -> bool {
        let [a, b, c] = [a, b, c].map(|soup| soup.summary());
        a.then(&b).then(&c) == a.then(&b.then(&c)) && a.then(&empty()) == a && empty().then(&a) == a
    }
    QuickCheck::new().tests(tries(20_000)).quickcheck(law as fn(Soup, Soup, Soup) -> bool);
}

/// Blocks of one byte are followed byte by byte, long ones 64 bytes at a time: so this says too that both
/// are the same.
#[test]
fn the_summaries_of_blocks_come_to_that_of_the_whole() {
    fn law(soup: Soup, sizes: Vec<u8>) -> bool {
        let mut sum = empty();
        let (text, mut at, mut sizes) = (soup.text(), 0, sizes.iter().cycle());
        while at < soup.0.len() {
            let size = sizes.next().map_or(1, |&size| if size < 128 { size / 16 } else { size }).max(1);
            let next = soup.0.len().min(at + usize::from(size));
            sum = sum.then(&Summary::of(text, at, next));
            at = next;
        }
        sum == soup.summary()
    }
    QuickCheck::new().tests(tries(20_000)).quickcheck(law as fn(Soup, Vec<u8>) -> bool);
}

#[test]
fn a_summary_has_the_path_of_each_mode() {
    fn law(soup: Soup) -> bool {
        let summary = soup.summary();
        Mode::ALL.iter().all(|&mode| *summary.path(mode) == Path::of(soup.text(), mode, 0, soup.0.len()))
    }
    QuickCheck::new().tests(tries(20_000)).quickcheck(law as fn(Soup) -> bool);
}

fn tries(usual: u64) -> u64 {
    std::env::var("QUICKCHECK_TESTS").ok().and_then(|asked| asked.parse().ok()).unwrap_or(usual)
}

/// Bytes looked at in a search, for each byte of the archive.
fn work<S: ReadAt + ?Sized>(split: &Split<'_, S>, search: impl FnOnce(&Split<'_, S>) + Send) -> f64 {
    let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    pool.install(|| search(split));
    split.work.load(std::sync::atomic::Ordering::Relaxed) as f64 / split.source.size().unwrap() as f64
}

#[test]
fn an_archive_without_faults_is_looked_at_once() {
    let game = b"(;FF[4]C[a [3d\\] and more];B[aa]\n(;W[bb]C[:-)])\n(;W[cc]))\n";
    let archive = game.repeat(20 * BLOCK_LEN as usize / game.len());
    let split = || Parser::new();
    let parts = |n| work(&split().split(&archive), |split| assert_eq!(split.parts(n).unwrap().len(), n));
    assert!(parts(1) < 0.01, "{}", parts(1));
    assert!(parts(20) < 2.0, "{}", parts(20));
    assert!(parts(20_000) < 2.1, "{}", parts(20_000));
}

#[test]
fn what_has_to_be_read_in_sequence_is_read_once() {
    let moves = b";B[aa];W[bb]".repeat(100);
    for game in [
        &[b"(;CA[GBK]C[\x81]x]", &moves[..], b")\n"].concat()[..],
        &[b"(;C[a [b] c]", &moves[..], b")\n"].concat(),
        &[b"(;FF[4]", &moves[..], b"\n"].concat(),
        &[b"(;FF[4]C[cut", &moves[..], b"\n"].concat(),
        &[b"(;FF[4]", &moves[..], b"))\n"].concat(),
        &[b"text [ (;", &moves[..], b")\n"].concat(),
    ] {
        let archive = game.repeat(100 * BLOCK_LEN as usize / game.len());
        for block_len in [1 << 14, 1 << 17] {
            let parser = Parser::new();
            let split = || parser.split(&archive).block_len(block_len);
            let all = work(&split(), |split| _ = split.parts(10).unwrap());
            let each = work(&split(), |split| _ = split.every(1).unwrap());
            let head = String::from_utf8_lossy(&game[..12]);
            assert!(all < 2.5 && each < 2.5, "{head:?}: {all}, {each}");
        }
    }
}

#[test]
fn around_a_fault_little_is_read_in_sequence() {
    let game = b"(;FF[4];B[aa];W[bb])\n";
    let faulty = b"(;FF[4]C[a [b] c];B[aa])\n";
    let archive = [&game.repeat(BLOCK_LEN as usize / game.len())[..], faulty].concat().repeat(20);
    let parser = Parser::new();
    let split = parser.split(&archive);
    let all = work(&split, |split| assert_eq!(split.parts(10).unwrap().len(), 10));
    assert!(all < 1.2, "{all}");
}

/// One game that never ends, with something doubtful in every block.
#[test]
fn a_long_game_is_read_in_sequence_once() {
    let mut archive = b"(;FF[4]".to_vec();
    archive.extend(b";B[aa];W[bb]C[a [b] c]".repeat(1 << 18));
    let parser = Parser::new();
    let split = parser.split(&archive).block_len(1 << 14);
    let all = work(&split, |split| assert_eq!(split.parts(100).unwrap().len(), 1));
    assert!(all < 2.5, "{all}");
}
