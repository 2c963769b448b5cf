//! Planes and targets are those of the naive model.

use sgf_stream::value::Size;
use sgf_training::{Batch, MOST_HISTORY, Plane, Positions, ReadError, Symmetries};

use crate::games::{Directory, Numbers, game};
use crate::naive::{Move, Position};

fn all_planes() -> Vec<Plane> {
    let mut planes = vec![Plane::Board, Plane::Empty, Plane::Ko, Plane::Turn];
    planes.extend((1..=3).map(Plane::Liberties));
    planes.extend((1..=5).map(Plane::Move));
    for ago in [0, 1, 2, 7, MOST_HISTORY] {
        planes.extend([Plane::Own(ago), Plane::Opponent(ago), Plane::Black(ago), Plane::White(ago)]);
    }
    planes
}

/// Reads all positions as one batch.
pub(crate) fn read_all(positions: Positions) -> Result<Batch, ReadError> {
    let mut reader = positions.batch(1_000_000).read()?;
    Ok(reader.next_batch().unwrap_or_default())
}

fn compare(batch: &Batch, dense: &[u8], planes: &[Plane], expected: &[(Position, Move)]) {
    assert_eq!(batch.len(), expected.len());
    let Some((first, _)) = expected.first() else { return };
    let (columns, rows) = (first.board()[0].len(), first.board().len());
    let points = columns * rows;
    for (n, (position, (color, at))) in expected.iter().enumerate() {
        let row = &dense[n * planes.len() * points..][..planes.len() * points];
        for (&plane, found) in planes.iter().zip(row.chunks(points)) {
            assert_eq!(found, position.plane(plane, *color), "{plane} after {:?}", position.moves);
        }
        assert_eq!(batch.turn[n], if *color == 'X' { 1 } else { -1 });
        assert_eq!(batch.next_move[n] as usize, at.map_or(points, |(x, y)| y * columns + x));
    }
}

#[test]
fn planes_and_targets_are_those_of_a_naive_model() {
    fn law(seed: u64) -> bool {
        let mut numbers = Numbers(seed);
        // Small boards are full of captures and kos.
        let (columns, rows) = [(3, 3), (4, 3), (5, 5), (7, 7), (8, 8), (9, 9), (19, 19)][numbers.below(7)];
        let games: Vec<_> = (0..5).map(|_| game(&mut numbers, columns, rows, 150)).collect();
        let directory = Directory::new();
        directory.add("a.sgf", &games.iter().map(|game| game.text.as_str()).collect::<String>());
        let (planes, size) = (all_planes(), Size::new(columns as u32, rows as u32).unwrap());
        let positions = Positions::new([&directory.0]).board(size).planes(planes.clone());
        let shape = positions.shape();
        let batch = read_all(positions).unwrap();
        let expected: Vec<_> = games.into_iter().flat_map(|game| game.positions).collect();
        compare(&batch, &batch.dense_planes(shape), &planes, &expected);
        true
    }
    quickcheck::holds(60, law as fn(u64) -> bool);
}

/// The images of a position under all symmetries are those of the points of each plane.
#[test]
fn symmetries_move_planes_and_targets_alike() {
    fn law(seed: u64) -> bool {
        let mut numbers = Numbers(seed);
        let (columns, rows) = [(5, 5), (4, 3), (9, 9)][numbers.below(3)];
        let game = game(&mut numbers, columns, rows, 60);
        let directory = Directory::new();
        directory.add("a.sgf", &game.text);
        let (planes, size) = (all_planes(), Size::new(columns as u32, rows as u32).unwrap());
        let positions = Positions::new([&directory.0]).board(size).planes(planes.clone());
        let shape = positions.shape();
        let plain = read_all(positions.clone()).unwrap();
        let all = read_all(positions.clone().symmetries(Symmetries::All)).unwrap();
        let one = read_all(positions.symmetries(Symmetries::Random).seed(seed)).unwrap();
        let images = if columns == rows { 8 } else { 4 };
        assert_eq!((all.len(), one.len()), (images * plain.len(), plain.len()));
        let (points, row) = (columns * rows, planes.len() * columns * rows);
        let (plain_dense, all_dense, one_dense) =
            (plain.dense_planes(shape), all.dense_planes(shape), one.dense_planes(shape));
        // Where the point in a column and a row goes, in the order of the images.
        let (right, bottom) = (columns - 1, rows - 1);
        let maps: [&dyn Fn(usize, usize) -> (usize, usize); 8] = [
            &|x, y| (x, y),
            &|x, y| (right - x, y),
            &|x, y| (x, bottom - y),
            &|x, y| (right - x, bottom - y),
            &|x, y| (y, x),
            &|x, y| (y, right - x),
            &|x, y| (bottom - y, x),
            &|x, y| (bottom - y, right - x),
        ];
        let mapped = |image: usize, point: usize| match point < points {
            true => {
                let (x, y) = maps[image](point % columns, point / columns);
                y * columns + x
            }
            false => point, // a pass
        };
        for n in 0..plain.len() {
            let mut seen = Vec::new();
            for image in 0..images {
                let at = n * images + image;
                let found = &all_dense[at * row..][..row];
                let target = all.next_move[at] as usize;
                assert_eq!(target, mapped(image, plain.next_move[n] as usize));
                for (before, after) in plain_dense[n * row..][..row].chunks(points).zip(found.chunks(points)) {
                    assert!((0..points).all(|point| before[point] == after[mapped(image, point)]), "image {image}");
                }
                seen.push((found.to_vec(), target));
            }
            assert_eq!(seen[0], (plain_dense[n * row..][..row].to_vec(), plain.next_move[n] as usize));
            let random = (one_dense[n * row..][..row].to_vec(), one.next_move[n] as usize);
            assert!(seen.contains(&random));
        }
        true
    }
    quickcheck::holds(30, law as fn(u64) -> bool);
}

/// KataGo's history and ko, case by case: moves, and the points of a plane for the player to move.
#[test]
fn history_and_ko_are_those_of_katago() {
    const KO: &str = ";B[ba];W[ca];B[ab];W[db];B[bc];W[cc];B[cb];W[bb]";
    let cases: [(&str, &str, &[&str]); 12] = [
        (";B[aa];W[bb];B[cc];W[dd]", "move1", &["cc"]),
        (";B[aa];W[bb];B[cc];W[dd]", "move2", &["bb"]),
        (";B[aa];W[bb];B[cc];W[dd]", "move3", &["aa"]),
        (";B[aa];W[bb];B[cc];W[dd]", "move4", &[]),
        // A pass has no point, and the history goes on before it.
        (";B[aa];W[bb];B[];W[dd]", "move1", &[]),
        (";B[aa];W[bb];B[];W[dd]", "move2", &["bb"]),
        // One player moved twice: the history ends.
        (";B[aa];W[bb];W[cc];B[dd]", "move1", &["cc"]),
        (";B[aa];W[bb];W[cc];B[dd]", "move2", &[]),
        (";B[aa];B[bb];B[dd]", "move1", &[]),
        // White took the ko: Black may not take back at once.
        (";B[ba];W[ca];B[ab];W[db];B[bc];W[cc];B[cb];W[bb];B[ee]", "ko", &["cb"]),
        (";B[ba];W[ca];B[ab];W[db];B[bc];W[cc];B[cb];W[bb];B[ee];W[ed]", "ko", &[]),
        (";B[ba];W[ca];B[ab];W[db];B[bc];W[cc];B[cb];W[bb];W[ee]", "ko", &[]),
    ];
    assert!(cases.iter().filter(|(moves, ..)| moves.starts_with(KO)).count() == 3);
    for (moves, plane, expected) in cases {
        let directory = Directory::new();
        directory.add("a.sgf", &format!("(;SZ[5]{moves})"));
        let positions = Positions::new([&directory.0]).board(Size::square(5).unwrap()).planes([plane.parse().unwrap()]);
        let shape = positions.shape();
        let batch = read_all(positions).unwrap();
        let dense = batch.dense_planes(shape);
        let last = &dense[dense.len() - 25..];
        let name = |at: usize| [at % 5, at / 5].map(|n| char::from(b'a' + n as u8)).iter().collect::<String>();
        let points: Vec<String> = (0..25).filter(|&at| last[at] == 1).map(name).collect();
        assert_eq!(points, expected, "{plane} before the last of {moves}");
    }
}

#[test]
fn results_are_those_of_the_player() {
    let directory = Directory::new();
    let games = ["RE[B+3.5]", "RE[W+R]", "RE[0]", "RE[Void]", ""].map(|result| format!("(;SZ[5]{result};B[aa];W[bb])"));
    directory.add("a.sgf", &games.concat());
    let batch = read_all(Positions::new([&directory.0]).board(Size::square(5).unwrap())).unwrap();
    let values: Vec<_> = batch.result.iter().zip(&batch.score).map(|pair| format!("{:?}", pair)).collect();
    let nan = "(NaN, NaN)";
    let expected =
        ["(1.0, 3.5)", "(-1.0, -3.5)", "(-1.0, NaN)", "(1.0, NaN)", "(0.0, 0.0)", "(0.0, 0.0)", nan, nan, nan, nan];
    assert_eq!(values, expected);
}
