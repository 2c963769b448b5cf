//! FF[1] to FF[3] into FF[4], in place.

use std::fs;

use sgf_stream::tree::{Collection, Ff4Report, GameTree};
use sgf_stream::write::Writer;

use super::{sgf, tree};
use crate::support;

fn converted(text: &str) -> String {
    let mut game = tree(text);
    game.convert_to_ff4().unwrap();
    let once = sgf(&game);
    let again = game.convert_to_ff4().unwrap();
    assert_eq!((again.changed, again.added), (0, 0), "{text}");
    assert_eq!(sgf(&game), once);
    once
}

#[test]
fn older_games_become_ff4() {
    for (old, new) in [
        ("(;GM[1];B[dd])", "(;FF[4]GM[1];B[dd])"),
        ("(;GM[1]FF[3];B[dd])", "(;GM[1]FF[4];B[dd])"),
        ("(;FF[4];L[aa])", "(;FF[4];LB[aa:A])"),
        ("(;FF[3]VW[ba][db])", "(;FF[4]VW[ba:db])"),
        ("(;FF[1];M[aa]MA[bb])", "(;FF[4];MA[bb][aa])"),
        ("(;KomiInteger[11])", "(;FF[4]KM[5.5])"),
        ("(;Black[dd]Comment[x])", "(;FF[4]B[dd]C[x])"),
        ("(;FF[3]OM[25]OP[600])", "(;FF[4]OT[25/600 Canadian])"),
        ("(;FF[3]CH[1]EL[2])", "(;FF[4]CH[1]EL[2])"),
        ("(;FF[3]QQQ[x]MULTIGOGM[1])", "(;FF[4]QQQ[x]MULTIGOGM[1])"),
        ("(;t1A[x]CoPyright[y])", "(;FF[4]t1A[x]CP[y])"),
        // Setup and moves.
        ("(;FF[3];AB[aa]B[bb])", "(;FF[4];AB[aa];B[bb])"),
        ("(;FF[3];B[bb]N[x]C[y]PL[W](;W[cc])(;W[dd]))", "(;FF[4];N[x]PL[W];B[bb]C[y](;W[cc])(;W[dd]))"),
        ("(;FF[3]PB[x]QQ[z]AW[aa]W[bb]C[y];B[cc])", "(;FF[4]PB[x]QQ[z]AW[aa];W[bb]C[y];B[cc])"),
        ("(;FF[4];AB[aa]B[bb])", "(;FF[4];AB[aa]B[bb])"),
        // Annotations.
        ("(;FF[3];B[aa]TE[1]BM[1])", "(;FF[4];B[aa]IT[])"),
        ("(;FF[3];BM[1]B[aa]TE[1])", "(;FF[4];DO[]B[aa])"),
        ("(;FF[4];B[aa]TE[1]BM[1])", "(;FF[4];B[aa]TE[1]BM[1])"),
        // A property that occurs twice is left unchanged, if no conversion is needed.
        ("(;FF[4];AB[aa]C[x]AB[bb])", "(;FF[4];AB[aa]C[x]AB[bb])"),
    ] {
        assert_eq!(converted(old), new, "{old}");
    }
}

#[test]
fn nodes_keep_their_ids_and_what_was_done_is_told() {
    let mut game = tree("(;FF[3];AB[aa]B[bb]L[cc];W[dd];CH[1])");
    let ids: Vec<_> = game.nodes().map(|node| node.id()).collect();
    let done = game.convert_to_ff4().unwrap();
    assert_eq!((done.changed, done.added, done.left), (2, 1, 1));
    assert_eq!(sgf(&game), "(;FF[4];AB[aa];B[bb]LB[cc:A];W[dd];CH[1])");
    assert_eq!(game.node(ids[2]).unwrap().raw("W").unwrap().as_bytes(), b"dd");
    assert_eq!(game.nth(2).unwrap().raw("B").unwrap().as_bytes(), b"bb");
}

/// In canonical style a converted game is written as the game that it was, but for nodes that were split.
#[test]
fn real_files_are_converted_as_the_writer_converts_them() {
    let canonical = |game: &GameTree| {
        let mut writer = Writer::canonical(Vec::new());
        game.write(&mut writer).ok()?;
        writer.finish().ok()
    };
    let mut done = Ff4Report::default();
    let mut games = 0;
    for path in support::shared::corpus() {
        let Ok(collection) = Collection::from_slice(&fs::read(&path).unwrap()) else { continue };
        for mut game in collection {
            let Some(before) = canonical(&game) else { continue };
            let what = game.convert_to_ff4().unwrap();
            let again = game.convert_to_ff4().unwrap();
            assert_eq!((again.changed, again.added), (0, 0), "{}", path.display());
            if what.added == 0 && !before.windows(3).any(|w| [b"IT[", b"DO["].contains(&w.try_into().unwrap())) {
                let after = canonical(&game).unwrap();
                let same = game.nodes().count() > 0 && after == before;
                let doubt = || game.nodes().any(|node| node.contains("IT") || node.contains("DO"));
                assert!(same || doubt(), "{}:\n{}", path.display(), String::from_utf8_lossy(&after));
            }
            games += 1;
            (done.changed, done.added, done.left) =
                (done.changed + what.changed, done.added + what.added, done.left + what.left);
        }
    }
    eprintln!("{games} games: {done:?}");
}
