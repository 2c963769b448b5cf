//! Checking: memory grows with the depth alone, and hostile files cost no more.

use std::io::{self, BufReader};

use sgf_check::{Checker, Rules, Summary, fix};

use crate::generated::Generated;

/// Runs something and answers the most bytes that were allocated at once meanwhile, and how many allocations
/// there were.
fn cost(run: impl FnOnce()) -> (usize, u64) {
    let _profiler = dhat::Profiler::builder().testing().build();
    run();
    let stats = dhat::HeapStats::get();
    (stats.max_bytes, stats.total_blocks)
}

fn check(source: Generated) -> Summary {
    let mut heard = 0_u64;
    let mut checker = Checker::with_rules(Rules::strict(), |_: &_| heard += 1);
    let summary = checker.check(BufReader::with_capacity(64 * 1024, source)).unwrap();
    drop(checker);
    assert_eq!(heard, summary.errors);
    summary
}

const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;

pub(crate) fn memory_grows_with_the_depth_alone() {
    // An archive, and a game of a million nodes in one line: nothing a node.
    let moves = ";B[dd];W[pp];B[qd]C[a comment]LB[aa:A][bb:B];W[dp]TR[dd][pp]BL[30]";
    let game = "(;FF[4]GM[1]SZ[19]PB[a]PW[b]RE[B+R];B[dd];W[pp](;B[qd])(;B[dp];AB[aa][bb]))\n";
    for part in [game, moves] {
        let run = |times| {
            let (head, tail) = if part == moves { ("(;FF[4]", ")") } else { ("", "") };
            cost(|| _ = check(Generated::new(head, part, times, tail)))
        };
        // The fourth move of `moves` and of the next are onto stones: findings allocate, so none here.
        let quiet = |times| {
            let (head, tail) = if part == moves { ("(;FF[4]GM[2]", ")") } else { ("", "") };
            cost(|| {
                let mut checker = Checker::new(|_: &_| {});
                checker.check(BufReader::with_capacity(64 * 1024, Generated::new(head, part, times, tail))).unwrap();
            })
        };
        let (short, long) = (run(1_000), run(20_000));
        assert!(long.0 <= short.0 + 512 * KIB && long.0 < 2 * MIB, "{part}: {short:?} {long:?}");
        let (short, long) = (quiet(10_000), quiet(200_000));
        assert!(long.0 <= short.0 + 64 * KIB && long.0 < 2 * MIB, "{part}: {short:?} {long:?}");
        let times = if part == moves { 190_000 * 4 } else { 190_000 * 6 };
        eprintln!("{} allocations in {times} nodes", long.1 - short.1);
        assert!(long.1 - short.1 < times * 3, "{part}: {short:?} {long:?}");
    }

    // A million nested variations: what each needs, and the positions of the first thousand.
    let nested = |rules: fn() -> Rules, times| {
        cost(|| {
            let mut checker = Checker::with_rules(rules(), |_: &_| {});
            checker
                .check(BufReader::with_capacity(64 * 1024, Generated::new("(;FF[4]GM[2]", "(;B[dd]", times, "")))
                .unwrap();
        })
    };
    let (used, _) = nested(Rules::new, MIB - 1);
    assert!(used < 200 * MIB, "{used}");

    // What has no end: findings, values, properties, junk, white space, line breaks, rectangles, names.
    for (head, part) in [
        ("(;FF[4]", ";TE[1]B[zz]W[zz]"),
        ("(;FF[4];AB", "[aa]"),
        ("(;FF[4];MA", "[a?]\n"),
        ("(;FF[4];LB", "[]"),
        ("(;FF[4];", "C[x]"),
        ("(;FF[4];", "! "),
        ("(;FF[4];B", " \n\r"),
        ("(;GM[11];MA", "[a1:crxp65536][zzz9:zzzz99]"),
        ("(;SZ[52];AB", "[aa:ZZ]"),
        ("(;FF[4];C[", "\n"),
        ("", "(;)"),
        ("", "\n"),
        ("", ")"),
    ] {
        let (used, _) = cost(|| _ = check(Generated::new(head, part, MIB / part.len(), ")")));
        assert!(used < 48 * MIB, "{head}{part}: {used}");
    }
    // A root without end is looked at up to a limit.
    let (used, _) = cost(|| _ = check(Generated::new("(;FF[4]", "XX[abcdefgh]C[x]", MIB / 2, ")")));
    assert!(used < 64 * MIB, "{used}");

    // Repairs hold a node.
    let repair = |times| {
        cost(|| {
            let fixed = fix(&Rules::new(), Generated::new("", game, times, "(;B[d d])"), io::sink()).unwrap();
            assert_eq!(fixed.count(), 1);
        })
    };
    let (short, long) = (repair(1_000), repair(20_000));
    assert!(long.0 <= short.0 + 256 * KIB && long.0 < 4 * MIB, "{short:?} {long:?}");
}
