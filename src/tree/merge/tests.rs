//! Law L6 for merging: n games, or properties, or values, take n times the steps of one.

use std::fmt::Write;

use super::*;
use crate::work;

fn tree(text: &str) -> GameTree {
    text.parse().unwrap()
}

/// Returns the number of steps of merging some games.
fn steps(games: &[GameTree]) -> u64 {
    work::count(|| {
        let mut merger = Merger::new(games[0].clone());
        games[1..].iter().for_each(|game| _ = merger.add(game).unwrap());
        merger.finish().1.unwrap();
    })
}

fn list(count: usize, item: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut all, n| {
        all.write_str(&item(n)).unwrap();
        all
    })
}

/// A name of letters.
fn name(n: usize) -> String {
    [n / 676, n / 26, n].map(|n| char::from(b'A' + (n % 26) as u8)).iter().collect::<String>() + "X"
}

fn point(n: usize) -> String {
    [n, n / 19].map(|n| char::from(b'a' + (n % 19) as u8)).iter().collect()
}

#[test]
fn merging_takes_steps_in_proportion_to_the_games() {
    type Shape = (&'static str, fn(usize) -> Vec<GameTree>);
    let shapes: [Shape; 16] = [
        ("games that differ in the first moves", |n| {
            let game = |n: usize| format!("(;GM[1]PB[p{n}];B[{}];W[{}];B[dd])", point(n), point(n / 361));
            (0..n).map(|n| tree(&game(n))).collect()
        }),
        ("comments of one letter", |n| {
            [2 * n, n].map(|n| tree(&format!("(;GM[1];B[aa]C[{}])", "a".repeat(10 * n)))).into()
        }),
        ("labels", |n| {
            let labels = |from: usize| list(n, |n| format!("[{:06}:x]", from + n));
            [0, 500_000].map(|from| tree(&format!("(;GM[1];B[aa]LB{})", labels(from)))).into()
        }),
        ("other labels of the same points", |n| {
            let labels = |text: &str| list(n, |n| format!("[{n:06}:{text}]"));
            ["x", "y"].map(|text| tree(&format!("(;GM[1];B[aa]LB{})", labels(text)))).into()
        }),
        ("unknown properties", |n| {
            [0, n].map(|from| tree(&format!("(;GM[1];B[aa]{})", list(n, |n| name(from + n) + "[x]")))).into()
        }),
        ("short games and a long one", |n| {
            let long = format!("(;GM[1]{})", list(n, |n| format!(";B[{}]", point(n))));
            [tree(&long)].into_iter().chain((0..n).map(|n| tree(&format!("(;GM[1]PB[y{n}])")))).collect()
        }),
        ("games with the same variations", |n| {
            let game = |name: &str| tree(&format!("(;GM[1]PB[{name}]{})", list(n, |n| format!("(;C[{n}];B[aa])"))));
            [game("x"), game("y"), game("x")].into()
        }),
        ("comments of the root", |n| (0..n).map(|n| tree(&format!("(;GM[1]C[text {n}];B[aa])"))).collect()),
        ("a large root and small games", |n| {
            let large = format!("(;GM[1]AB{}{})", "[aa:ss]".repeat(n), list(n, |n| name(n) + "[x]"));
            let small = |n: usize| tree(&format!("(;GM[1]AB[aa:ss]C[x];B[{}])", point(n)));
            [tree(&large)].into_iter().chain((0..n).map(small)).collect()
        }),
        ("lines that end at one node", |n| (0..n).map(|n| tree(&format!("(;GM[1]PB[y{n}];B[aa])"))).collect()),
        ("game info in each node, merged again", |n| {
            let game = |name: &str| tree(&format!("(;GM[1]{})", list(n, |n| format!(";B[aa]PB[{name}{n}]"))));
            [game("x"), game("x")].into()
        }),
        ("game info in each node, and other info in each of the other game", |n| {
            let game = |name: &str| tree(&format!("(;GM[1]{};W[{name}])", list(n, |n| format!(";B[aa]PB[{name}{n}]"))));
            [game("x"), game("y")].into()
        }),
        ("a half of the game info of a line in each node of another", |n| {
            let other = list(n, |n| format!(";B[{}]PB[x]", point(n)));
            let all = format!("(;GM[1];B[aa](;W[bb]PW[y])(;W[cc]{other}))");
            [tree(&all), tree("(;GM[1];B[aa]PB[x]PW[y])")].into()
        }),
        ("games without moves, whose game info is where a long line ends", |n| {
            let line = list(n, |n| format!(";B[{}]", point(n)));
            let long = format!("(;GM[1]{line};PB{}PW[y])", list(n, |n| format!("[x{n}]")));
            [tree(&long)].into_iter().chain((0..n).map(|n| tree(&format!("(;GM[1]PB[x{n}]PW[y])")))).collect()
        }),
        ("lines of one game that end within another", |n| {
            let ends = list(n, |n| format!("(;AB[{n:06}])"));
            let long = list(n, |n| format!("(;AB[{n:06}];B[aa])"));
            [tree(&format!("(;GM[1]{long})")), tree(&format!("(;GM[1]PB[x]DT[1]{ends})"))].into()
        }),
        ("nodes without moves", |n| {
            let game = |name: &str| tree(&format!("(;GM[1]PB[{name}]{})", ";".repeat(n)));
            [game("x"), game("y")].into()
        }),
    ];
    for (name, games) in shapes {
        let [once, twice] = [800, 1600].map(|n| steps(&games(n)));
        assert!(once > 800 && 10 * twice <= 22 * once, "{name}: {once} and {twice} steps");
    }
}

/// The key of a node is no longer than its properties.
#[test]
fn the_key_of_rectangles_has_a_bit_for_each_point() {
    let one = tree(&format!("(;SZ[52];{})", "AB[aa:ZZ]".repeat(2000)));
    let other = tree("(;SZ[52];AB[aa:ZY][aZ:ZZ])");
    let mut merged = one.clone();
    assert_eq!(merged.merge(&other).unwrap().added, 0);
    assert_eq!(merged, one);
}

/// The end of a line is not looked for in all of a longer one; then it gets an ending, and a second merge finds that.
#[test]
fn the_end_of_a_line_is_looked_for_within_bounds() {
    let line = list(6000, |n| format!(";B[{}]", point(n)));
    let mut merged = tree(&format!("(;GM[1]{line};RO[1])"));
    let short = tree(&format!("(;GM[1]RO[1];B[{}])", point(0)));
    assert_eq!(merged.merge(&short).unwrap().added, 1);
    let once = merged.clone();
    assert_eq!(merged.merge(&short).unwrap().added, 0);
    assert_eq!(merged, once);
    let games: Vec<_> = std::iter::once(once).chain(std::iter::repeat_n(short, 200)).collect();
    assert!(steps(&games) < 200 * 4096);
}
