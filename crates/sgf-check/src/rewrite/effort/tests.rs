use quickcheck::{Arbitrary, Gen, holds};
use sgf_stream::internal::{Given, Meets};
use sgf_stream::{Parser, work};

use super::{Effort, MOST_READS};
use crate::rewrite::piece::{self, Piece, RewrittenPiece};
use crate::{Rewriter, Rules};

/// Rewrites a piece with so many readings. Returns what became of it, and the number of bytes that were read.
fn rewritten(rewriter: &Rewriter, bytes: &[u8], reads: usize) -> (RewrittenPiece, u64) {
    let parser = rewriter.in_stream(Given::Nothing, false);
    let context = rewriter.context(&parser, Given::Nothing, false);
    let piece = Piece { bytes, is_first: true, is_last: true, meets: Meets { before: true, after: true } };
    let effort = Effort::of(reads, bytes.len());
    let mut result = RewrittenPiece::default();
    let read = work::count_read(|| result = piece::rewrite_within(&context, piece, &effort));
    (result, read)
}

/// Damaged games.
#[derive(Clone, Debug)]
struct Damaged(Vec<u8>);

impl Arbitrary for Damaged {
    fn arbitrary(random: &mut Gen) -> Self {
        const SEAMS: &[&[u8]] = &[
            b"(",
            b")",
            b";",
            b"[",
            b"]",
            b"(;",
            b";)]",
            b"](",
            b"(A[y])",
            b"()",
            b"\\",
            b" ",
            b"foo",
            b"x]",
            b"]C[y",
            b"(;FF[4]",
            b"(;GM[1]",
            b"(;B[aa])",
            b"B[aa]",
            b"B[ d d ]",
            b"C[x",
            b"C[x]",
            b"CA[GBK]",
            b"CA[Big5",
            b"\xB9",
            b"C[\x83\\\x83\x5D\x83]",
            b"P0[x]",
            b"AB[aa]",
            b"AB[",
            b"White[aa]",
            b"SZ[9:9]",
            b"KM[375]RU[Chinese]",
        ];
        let len = usize::arbitrary(random) % 40;
        let seam = |_| random.choose(SEAMS).copied().unwrap_or_default();
        Damaged([b"(;"].into_iter().map(|start| &start[..]).chain((0..len).map(seam)).flatten().copied().collect())
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        Box::new(self.0.shrink().map(Damaged))
    }
}

#[test]
fn a_piece_is_repaired_or_stays_however_much_may_be_read() {
    fn law(Damaged(bytes): Damaged, reads: u8) -> bool {
        let reads = usize::from(reads) % 80;
        [Rewriter::new(&Parser::new()), Rewriter::with_rules(&Parser::new(), Rules::new())].into_iter().all(
            |rewriter| {
                let rewriter = rewriter.lossy(reads % 2 == 0);
                let (most, all) = rewritten(&rewriter, &bytes, MOST_READS);
                let (some, read) = rewritten(&rewriter, &bytes, reads);
                let is_whole = some.bytes == most.bytes && some.notes.len() == most.notes.len();
                let stays =
                    some.bytes.is_none() && some.notes.iter().all(|note| note.code == "game-too-long" && note.is_error);
                // Roots are read once more, for FF.
                let is_bounded =
                    read <= ((reads + 1) * bytes.len()) as u64 && all <= ((MOST_READS + 1) * bytes.len()) as u64;
                is_bounded && (is_whole || stays) && (reads > 0 || bytes.is_empty() || stays)
            },
        )
    }
    holds(1_000, law as fn(Damaged, u8) -> bool);
}
