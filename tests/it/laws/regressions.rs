//! Inputs that once went wrong, found by the laws and the fuzz targets. Each is put through all
//! laws, with several limits, pieces and plans.

use sgf_stream::Parser;

use crate::support::generate::Answers;
use crate::support::{Given, Rules, every_front_end, laws};

const FOUND: &[&[u8]] = &[
    // Junk between a doubtful `(` and its `;` went unnoticed by reading, not by skipping.
    b"(;\n(,;AP[",
    b"(;\n(AB;FF[4]",
    // Faults in a tree that is too deep were reported if it could have been a new game.
    b"(;\n(;FF((",
    b"(;\n(;ffFF;",
    // A reader that had run ahead forgot the `(` `;` that it held back when it was told to skip …
    b"(;\n(;AP[])(;",
    // … and how deep it was in a tree that it was dropping.
    b"(;(B[])(G[",
    b"(;(;(;))(;C[x]))(;FF[4])",
    // The offset of a part of a value was that of the `[`, its bytes began after it.
    b"(G[)]",
    b"(P[\x97a]",
    // An identifier that was read in an earlier filling of the buffer was looked for in this one.
    b"(;FF[4]AB[a value that is longer than a short one][and another one that is not short]CD\n\n[x])",
    // An escaped `]` matches a bare `[`; a word directly after a `]` may be an identifier.
    br"(;PB[Foo [x\]]P0[1];B[aa])",
    br"(;EV[a [b\]]goWrite[1])",
    b"(;EV[a [b]goWrite[1] x])",
];

#[test]
fn inputs_that_once_went_wrong_keep_the_laws() {
    for bytes in FOUND {
        for (strict, max_value_len, max_ident_len, max_depth) in [
            (false, 1 << 20, 256, 1 << 20),
            (true, 1 << 20, 256, 1 << 20),
            (false, 1, 2, 1),
            (false, 4, 2, 2),
            (true, 4, 2, 2),
        ] {
            let rules = Rules { strict, max_value_len, max_ident_len, max_depth, given: Given::Nothing };
            laws::model(bytes, &rules);
            laws::modes(bytes, &rules);
            laws::well_formed(bytes, &rules);
            for sizes in [&[1][..], &[2, 0, 5], &[3], &[64]] {
                laws::chunks(bytes, &rules, sizes);
                laws::spans(bytes, &rules, sizes);
                laws::parts(bytes, &rules, sizes);
                for n in 0..6 {
                    laws::answers(bytes, &rules, sizes, &Answers::new(1 + n % 3, n));
                    laws::skipped_games(bytes, &rules, &[n as usize], sizes[0]);
                    laws::skipped_games(bytes, &rules, &[n as usize, 0, 2], sizes[0]);
                }
            }
        }
    }
}

#[test]
fn identifiers_that_only_look_lost_are_found_after_escaped_brackets() {
    let seen = every_front_end(br"(;PB[Foo [x\]]P0[1];B[aa])", &Parser::new());
    assert_eq!(seen.events.len(), 2 + 2 + 2 + 1 + 2 + 1, "{seen:?}");
}
