use quickcheck::quickcheck;
use sgf_stream::{Event, Parser};

use super::*;

/// Any position in a game: sizes that make captures likely, and a big one at times.
fn size(seed: u8) -> Size {
    let sides = [1, 2, 3, 4, 5, 9, 19, 52];
    Size::new(sides[usize::from(seed % 8)], sides[usize::from(seed / 8 % 5)]).unwrap()
}

fn point(size: Size, seed: u16) -> Point {
    let number = u32::from(seed) % (size.columns() * size.rows());
    Point::new((number % size.columns()) as u8, (number / size.columns()) as u8).unwrap()
}

fn color(is_white: bool) -> Color {
    if is_white { Color::White } else { Color::Black }
}

/// An operation on a board: a move, or setup.
type Op = (u16, bool, u8);

fn apply(board: &mut Board, (at, is_white, kind): Op, symmetry: Symmetry, from: Size) -> Option<Played> {
    let point = symmetry.apply(point(from, at), from).unwrap();
    match kind % 16 {
        0 => _ = board.set(point, None),
        1 => _ = board.set(point, Some(color(is_white))),
        _ => return board.play(color(is_white), point),
    }
    None
}

/// As plain as can be: looks at the whole board for each group.
#[derive(Clone)]
struct Model {
    size: Size,
    stones: Vec<Option<Color>>,
    /// The position before the last move, and who played it. `None` after setup, and after a move onto a stone.
    before: Option<(Color, Vec<Option<Color>>)>,
}

impl Model {
    fn new(size: Size) -> Self {
        Model { size, stones: vec![None; (size.columns() * size.rows()) as usize], before: None }
    }

    /// Tries the move.
    fn check(&self, color: Color, at: usize) -> Result<(), IllegalMoveError> {
        match self.clone().play(color, at) {
            Played { replaced: Some(_), .. } => Err(IllegalMoveError::Occupied),
            Played { retakes_ko: true, .. } => Err(IllegalMoveError::Ko),
            Played { suicide: 1.., .. } => Err(IllegalMoveError::Suicide),
            _ => Ok(()),
        }
    }

    fn group(&self, start: usize) -> (Vec<usize>, usize) {
        let (width, height) = (self.size.columns() as usize, self.size.rows() as usize);
        let (mut group, mut liberties, mut next) = (vec![start], Vec::new(), 0);
        while next < group.len() {
            let (x, y) = (group[next] % width, group[next] / width);
            next += 1;
            let around = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
            for (x, y) in around.into_iter().filter(|&(x, y)| x < width && y < height) {
                let at = y * width + x;
                if self.stones[at].is_none() && !liberties.contains(&at) {
                    liberties.push(at);
                } else if self.stones[at] == self.stones[start] && !group.contains(&at) {
                    group.push(at);
                }
            }
        }
        (group, liberties.len())
    }

    fn remove_dead(&mut self, at: usize) -> usize {
        let (group, liberties) = self.group(at);
        if liberties > 0 {
            return 0;
        }
        group.iter().for_each(|&stone| self.stones[stone] = None);
        group.len()
    }

    fn play(&mut self, color: Color, at: usize) -> Played {
        let before = self.stones.clone();
        let replaced = self.stones[at].replace(color);
        let width = self.size.columns() as usize;
        let (x, y) = (at % width, at / width);
        let mut captured = 0;
        for (nx, ny) in [(x, y.wrapping_sub(1)), (x.wrapping_sub(1), y), (x + 1, y), (x, y + 1)] {
            if nx < width && ny < self.size.rows() as usize && self.stones[ny * width + nx] == Some(color.opponent()) {
                captured += self.remove_dead(ny * width + nx);
            }
        }
        let suicide = self.remove_dead(at);
        let restores = self.before.as_ref().is_some_and(|(last, stones)| *last != color && *stones == self.stones);
        let retakes_ko = restores && replaced.is_none() && suicide == 0;
        self.before = replaced.is_none().then_some((color, before));
        Played { replaced, captured, suicide, retakes_ko }
    }
}

fn rehashed(board: &Board) -> [u64; 8] {
    let mut fresh = Board::new(board.size()).unwrap();
    for color in [Color::Black, Color::White] {
        for point in board.stones(color) {
            fresh.set(point, Some(color));
        }
    }
    fresh.hashes()
}

quickcheck! {
    fn a_board_is_what_a_plain_model_says(seed: u8, ops: Vec<Op>) -> bool {
        let size = size(seed % 30);
        let (mut board, mut model) = (Board::new(size).unwrap(), Model::new(size));
        let mut captured = [0; 2];
        for op in ops {
            let played = apply(&mut board, op, Symmetry::IDENTITY, size);
            let at = usize::from(op.0) % model.stones.len();
            let expected = match op.2 % 16 {
                0 => { (model.stones[at], model.before) = (None, None); None }
                1 => { (model.stones[at], model.before) = (Some(color(op.1)), None); None }
                _ => Some(model.play(color(op.1), at)),
            };
            assert_eq!(played, expected, "{op:?} makes\n{board}");
            if let Some(played) = played {
                captured[color(!op.1) as usize] += played.captured as u32;
                captured[color(op.1) as usize] += played.suicide as u32;
            }
            let stones: Vec<_> = board.points().map(|point| board.get(point)).collect();
            assert_eq!(stones, model.stones);
            assert_eq!(stones, board.as_slice());
            for color in [Color::Black, Color::White] {
                assert!(board.stones(color).eq(board.points().filter(|point| board.get(*point) == Some(color))));
                for (at, point) in board.points().enumerate().filter(|_| size.columns() < 10) {
                    assert_eq!(board.check(color, point), model.check(color, at), "{color:?} {point} on\n{board}");
                }
            }
            let liberties = |at: usize| model.stones[at].map_or(0, |_| model.group(at).1);
            assert!(board.points().enumerate().all(|(at, point)| board.liberties(point) == liberties(at)));
        }
        assert_eq!([board.captured(Color::Black), board.captured(Color::White)], captured);
        board.hashes() == rehashed(&board)
    }

    fn turned_boards_have_the_same_canonical_hash(seed: u8, ops: Vec<Op>, turn: usize) -> bool {
        let (size, symmetry) = (size(seed), Symmetry::ALL[turn % 8]);
        let mut board = Board::new(size).unwrap();
        let mut turned = Board::new(symmetry.apply_to_size(size)).unwrap();
        for op in ops {
            apply(&mut board, op, Symmetry::IDENTITY, size);
            apply(&mut turned, op, symmetry, size);
        }
        assert_eq!(turned.hash(), board.hashes()[turn % 8]);
        let transformed = board.transformed(symmetry);
        let facts = |board: &Board| (board.size(), board.as_slice().to_vec(), board.hashes(), board.captured, board.ko());
        assert_eq!(facts(&transformed), facts(&turned));
        let sorted = |board: &Board| { let mut all = board.hashes(); all.sort(); all };
        sorted(&board) == sorted(&turned) && board.canonical_hash() == turned.canonical_hash()
    }

    fn boards_are_transformed_as_their_symmetries_say(seed: u8, ops: Vec<Op>) -> bool {
        let mut board = Board::new(size(seed)).unwrap();
        for op in ops {
            apply(&mut board, op, Symmetry::IDENTITY, size(seed));
        }
        let (hash, symmetries) = board.canonical();
        let symmetries: Vec<Symmetry> = symmetries.collect();
        let canonical = board.transformed(symmetries[0]);
        assert_eq!((canonical.hash(), hash), (hash, board.canonical_hash()));
        Symmetry::ALL.into_iter().all(|one| {
            let turned = board.transformed(one);
            assert_eq!(turned.hash(), board.hashes()[one.index()]);
            assert_eq!(turned == canonical, symmetries.contains(&one), "{one:?} on\n{board}");
            Symmetry::ALL.into_iter().all(|other| turned.transformed(other) == board.transformed(one.then(other)))
        })
    }

    fn a_replay_has_the_board_of_the_open_path(seed: u8, ops: Vec<(Op, u8)>) -> bool {
        // A game with variations, and for each node the path to it.
        let size = size(seed % 30);
        let mut game = format!("(;GM[1]SZ[{}:{}]", size.columns(), size.rows());
        let (mut path, mut branches, mut paths): (Vec<Op>, Vec<usize>, Vec<Vec<Op>>) = Default::default();
        for (op, tree) in ops {
            match tree % 8 {
                0 | 1 => { game.push('('); branches.push(path.len()); }
                2 if !branches.is_empty() && paths.last().is_some_and(|last| *last == path) => {
                    game.push(')');
                    path.truncate(branches.pop().unwrap());
                    continue;
                }
                _ => {}
            }
            if paths.last().is_some_and(|last| *last != path) && !matches!(tree % 8, 0 | 1) {
                game.push('(');
                branches.push(path.len());
            }
            let name = match (op.2 % 16, op.1) {
                (0, _) => "AE",
                (1, false) => "AB",
                (1, true) => "AW",
                (_, false) => "B",
                (_, true) => "W",
            };
            game += &format!(";{name}[{}]", point(size, op.0));
            path.push(op);
            paths.push(path.clone());
        }
        game += &")".repeat(branches.len() + 1);

        let (mut replay, mut nodes, mut node) = (Replay::new(), Vec::new(), false);
        Parser::new().parse(game.as_bytes(), |event, _| {
            if !matches!(event, Event::Property(_) | Event::Value(_)) && std::mem::take(&mut node) {
                nodes.extend(replay.board().cloned());
            }
            node = event == Event::Node;
            replay.event(event);
            node |= matches!(event, Event::Value(_));
        }).unwrap();
        let expected: Vec<Board> = paths.iter().map(|path| {
            let mut board = Board::new(size).unwrap();
            path.iter().for_each(|&op| _ = apply(&mut board, op, Symmetry::IDENTITY, size));
            board
        }).collect();
        assert_eq!(nodes.len(), expected.len(), "{game}");
        for (board, expected) in nodes.iter().zip(&expected) {
            assert_eq!((board, board.hashes(), board.captured), (expected, expected.hashes(), expected.captured), "{game}");
        }
        true
    }

    fn turned_games_have_the_same_fingerprint(seed: u8, ops: Vec<Op>, turn: usize) -> bool {
        let (size, symmetry) = (size(seed), Symmetry::ALL[turn % 8]);
        let written = |symmetry: Symmetry, ops: &[Op]| {
            let turned = symmetry.apply_to_size(size);
            let mut game = format!("(;SZ[{}:{}]", turned.columns(), turned.rows());
            for &(at, is_white, kind) in ops {
                let name = match (kind % 16, is_white) {
                    (0, _) => "AE",
                    (1, false) => "AB",
                    (1, true) => "AW",
                    (_, false) => "B",
                    (_, true) => "W",
                };
                game += &format!(";{name}[{}]", symmetry.apply(point(size, at), size).unwrap());
            }
            game + ")"
        };
        let games = [Symmetry::IDENTITY, symmetry].map(|symmetry| written(symmetry, &ops));
        #[cfg(feature = "tree")]
        {
            let lines = games.each_ref().map(|game| line(game));
            assert_eq!(lines[0], lines[1], "{games:?}");
            // Truncated after any stone.
            for end in (1..=ops.len()).filter(|&end| ops[end - 1].2 % 16 > 1) {
                let cut = written(symmetry, &ops[..end]);
                assert!(lines[0].starts_with(&line(&cut)), "{} and {cut}", games[0]);
            }
        }
        let [one, other] = games.each_ref().map(|game| print(game));
        assert_eq!(one.moves(), ops.iter().filter(|op| op.2 % 16 > 1).count());
        assert_eq!(one.canonical_dyer(), other.canonical_dyer());
        assert_eq!(one.line().setup_count(Color::White), other.line().setup_count(Color::White));
        (one.canonical(), one.opening(), one.final_position())
            == (other.canonical(), other.opening(), other.final_position())
    }
}

fn print(game: &str) -> Fingerprint {
    Parser::new().slice(game.as_bytes()).read_game(&mut Fingerprint::visitor()).unwrap().unwrap()
}

/// The line of a game, which its hash only suggests.
#[cfg(feature = "tree")]
fn line(game: &str) -> CanonicalLine {
    let (tree, print) = (game.parse::<sgf_stream::tree::GameTree>().unwrap(), print(game));
    let first = print.line().first_color().unwrap_or(Color::Black);
    CanonicalLine::of(|| tree.events(), sgf_stream::Game::Go, print.line().orientation(), first)
}

#[test]
fn lines_that_differ_have_different_hashes() {
    let games = [
        "(;)",
        "(;SZ[9])",
        "(;SZ[9:5])",
        "(;B[dd])",
        "(;SZ[9];B[dd])",
        "(;B[dd];W[cc])",
        "(;B[cc];W[dd])",
        "(;B[dd];W[dd])",
        "(;AB[dd])",
        "(;AB[dd][pp])",
        "(;AB[dd]AW[pp])",
        "(;AB[dd];B[cc])",
        "(;AB[dd];W[cc])",
        "(;B[cc];AB[dd])",
        "(;B[cc];AE[cc])",
        "(;B[cc];AB[dd];W[ee])",
        "(;GM[11]AB[a1])",
        "(;GM[11];B[a1])",
        "(;GM[11];B[a2])",
        "(;GM[11];B[a1];W[swap-pieces])",
        "(;GM[11]SZ[13];B[a1])",
        "(;GM[9];B[a1])",
        "(;GM[9]AB[a1])",
        "(;GM[9]AW[a1]AB[b1])",
        // The two that were copies of each other.
        "(;GM[1]FF[4]SZ[19]AB[aa][bb][cc]AW[dd][ee];B[qq])",
        "(;GM[1]FF[4]SZ[19]AB[pp][pq]AW[jj][jk];B[cc])",
        // At the same point, but by the other side.
        "(;AB[aa][bb]AW[cd];B[qq])",
        "(;AB[aa][bb]AW[cd];W[qq])",
    ];
    let mut prints: Vec<_> = games.iter().map(|game| (print(game).canonical(), *game)).collect();
    prints.sort();
    for two in prints.windows(2) {
        assert_ne!(two[0].0, two[1].0, "{} and {}", two[0].1, two[1].1);
        #[cfg(feature = "tree")]
        assert_ne!(line(two[0].1), line(two[1].1), "{} and {}", two[0].1, two[1].1);
    }
}

#[test]
fn what_does_not_count_in_a_line_changes_no_hash() {
    for same in [
        // Headers, variations, spelling, passes, and the order of setup.
        &[
            "(;AB[dd][pp]AW[dp];B[cc];W[])",
            "(;PB[Shusaku]GM[1]FF[4]SZ[19]AW[dp]AB[pp]AB[dd:dd]KM[6.5];Black[cc]C[good](;White[tt])(;W[dd]))",
            "(;AB[dd];AB[pp]AW[dp];AE[aa];B[cc];W[pass])",
            "(;AB[dd][pp][ss];W[tt];AE[ss]AW[dp]AB[ab];AE[ab];B[cc])",
            "(;AW[dd][pp]AB[dp];W[cc])",
            "(;AB[dp][pd]AW[pp];B[qc])",
        ][..],
        // What is not on the board.
        &["(;SZ[9]AB[aa:ii]AW[pp];B[ss])", "(;SZ[9]AB[aa:ss])"],
        &["(;GM[11]SZ[5]AB[a1:z99][zz])", "(;GM[11]SZ[5]AB[a1:e5])"],
        // Colors of moves.
        &["(;B[cc];W[dd])", "(;W[cc];B[dd])", "(;B[cc];B[dd])", "(;B[];W[qc];B[nonsense];B[pd])"],
        // The side that plays first, without a stone.
        &["(;AB[dd]AW[ee])", "(;AB[dd]AW[ee]PL[B])", "(;AW[dd]AB[ee]PL[W])", "(;AW[dd]AB[ee];PL[white])"],
        // A board that is turned, where it is not square.
        &["(;SZ[9:5];B[ba];W[cd])", "(;SZ[5:9];B[ab];W[dc])", "(;SZ[9:5];B[ha];W[gd])"],
        // Points of Hex in every notation, turned; and words.
        &[
            "(;GM[11]SZ[13];B[ge];W[ab])",
            "(;GM[11]SZ[13];W[g5];B[swap-sides];B[A2];W[resign])",
            "(;GM[11]SZ[13];B[G09];W[m12])",
        ],
        // Other games are compared as they are written.
        &["(;GM[9]AB[a1][b1]AW[c3];B[a1 ];W[x])", "(;GM[9]AW[a1][b1]AB[c3];W[a1];B[x])"],
    ] {
        let prints: Vec<_> = same.iter().map(|game| print(game).canonical()).collect();
        let differ = (1..same.len()).find(|&n| prints[n] != prints[0]);
        assert_eq!(differ.map(|n| same[n]), None, "is not like {}", same[0]);
        #[cfg(feature = "tree")]
        for game in same {
            assert_eq!(line(game), line(same[0]), "{game} and {}", same[0]);
        }
    }
}

/// The hash after some stones is that of the game that was cut short there.
#[test]
fn a_line_begins_with_the_hashes_of_its_beginnings() {
    let moves = ["ee", "ba", "aa", "hh", "bb"];
    let cut = |stones: usize| {
        let moves: String = moves[..stones].iter().map(|point| format!(";B[{point}]")).collect();
        format!("(;SZ[9]AB[ii]AW[ai]{moves})")
    };
    let mut hashes = Vec::new();
    let whole = cut(moves.len());
    let mut prints = Fingerprint::visitor_with(|line| hashes.push(line.canonical()));
    Parser::new().slice(whole.as_bytes()).read_game(&mut prints).unwrap();
    drop(prints);
    let expected: Vec<_> = (1..=moves.len()).map(|stones| print(&cut(stones)).canonical()).collect();
    assert_eq!(hashes, expected);
    let game = |moves| format!("(;{})", ";B[aa];W[ba];B[ca]".repeat(moves));
    assert_eq!(print(&game(9)).opening(), None);
    assert_eq!(print(&game(10)).opening(), Some(print(&game(10)).canonical()));
    assert_eq!(print(&game(10)).opening(), print(&game(20)).opening());
}

#[test]
fn copies_know_how_they_are_turned() {
    let likeness = |one: &str, other: &str| {
        let [one, other] = [one, other].map(|game| print(game).line().orientation());
        one.likeness(other)
    };
    let game = "(;B[qd];W[dc];B[cp])";
    assert_eq!(likeness(game, "(;W[qd];B[dc];W[cp])"), Likeness::Same);
    assert_eq!(likeness(game, "(;B[cp];W[pq];B[qd])"), Likeness::Turned);
    assert_eq!(likeness(game, "(;B[cd];W[pc];B[qp])"), Likeness::Mirrored);
    // A symmetric game is the same however it is mirrored.
    assert_eq!(likeness("(;B[jj];W[jd])", "(;B[jj];W[jd])"), Likeness::Same);
    assert_eq!(likeness("(;GM[11];B[c3])", "(;GM[11];B[i9])"), Likeness::Turned);
}

#[test]
fn final_positions_of_hex_have_two_symmetries() {
    let hash = |game: &str| print(game).final_position().unwrap();
    let game = hash("(;GM[11]SZ[5];B[b1];W[c3])");
    assert_eq!(game, hash("(;GM[11]SZ[5]AB[ba];W[cc];B[pass])"));
    assert_eq!(game, hash("(;GM[11]SZ[5];W[c3];B[d5])"));
    assert_eq!(game, hash("(;GM[11]SZ[5];B[a2];W[swap-pieces]AE[b1]AB[b1];W[c3])"));
    for other in ["(;GM[11]SZ[5];B[a2];W[c3])", "(;GM[11]SZ[5];W[b1];B[c3])", "(;SZ[5];B[ba];W[cc])"] {
        assert_ne!(game, hash(other), "{other}");
    }
    assert_eq!(print("(;GM[9];B[a1])").final_position(), None);
}

#[test]
fn files_of_little_golem_look_like_hex() {
    assert!(print("(;SZ[13];W[ge];B[swap];W[fg];B[resign])").looks_like_hex());
    for game in ["(;SZ[13];W[ge];B[])", "(;GM[1];B[swap])", "(;GM[11];B[swap])", "(;B[nonsense])", "(;B[pass])"] {
        assert!(!print(game).looks_like_hex(), "{game}");
    }
}

#[test]
fn hashes_are_those_of_their_version() {
    // If one of these changes, HASH_VERSION has to.
    assert_eq!(Board::HASH_VERSION, 2);
    let board = Board::after(b"(;AB[dd];B[qd];W[dc])", 2).unwrap().unwrap();
    let hash = |game| u128::from_be_bytes(print(game).canonical());
    let found = [
        board.hash().into(),
        board.canonical_hash().into(),
        hash("(;AB[dd];B[qd];W[dc])"),
        hash("(;GM[11]AB[a1];B[c3])"),
        hash("(;GM[9]AB[a1];B[c3])"),
        print("(;GM[11]AB[a1];B[c3])").final_position().unwrap().into(),
    ];
    let expected: [u128; 6] = [
        0x97276392b01bb3f5,
        0x3b40a2ada1a81b9c,
        0x793f2c803653742c18a3caf0469e9612,
        0xb74bc7f194ce860bd2933bfea9c22e32,
        0xaa3574580fda57ccab38387f15396cf9,
        0x82d9cdf21e153175,
    ];
    assert_eq!(found, expected, "{found:#x?}");
}

#[test]
fn the_position_after_a_move_is_the_one_before_the_next() {
    let game = b"(;SZ[5]B[aa];AB[cc];W[bb];AE[cc];B[];W[ee](;B[dd])(;B[cd]))";
    let stones = |moves| {
        let board = Board::after(game, moves).unwrap().unwrap();
        [Color::Black, Color::White].map(|color| board.stones(color).map(|point| point.to_string()).collect::<String>())
    };
    assert_eq!(stones(0), ["", ""]);
    assert_eq!(stones(1), ["aacc", ""]);
    assert_eq!(stones(2), ["aa", "bb"]);
    assert_eq!(stones(3), ["aa", "bb"]);
    assert_eq!(stones(5), ["aadd", "bbee"]);
    assert_eq!(stones(99), ["aadd", "bbee"]);
    for other in ["(;GM[11])", "(;SZ[53])"] {
        assert_eq!(Board::after(other.as_bytes(), 1).unwrap(), None);
    }
    assert!(Board::after(b"no game", 1).is_err());
}

#[test]
fn values_that_cannot_be_read_are_counted_and_left_out() {
    let mut replay = Replay::new();
    Parser::new()
        .parse(b"(;SZ[9];B[dd];W[nonsense]AB[zz][aa:bb]AE[a:];B[ee])", |event, _| replay.event(event))
        .unwrap();
    assert_eq!((replay.move_number(), replay.unread()), (2, 2));
    assert_eq!(replay.board().unwrap().to_string().lines().next(), Some("X X . . . . . . ."));
}

/// Returns the letters of moves on a board, including passes.
fn letters(size: Size, seeds: &[u16]) -> String {
    let of = |&seed: &u16| if seed % 9 == 0 { "--".to_owned() } else { point(size, seed).to_string() };
    seeds.iter().map(of).collect()
}

fn turned(text: &str, symmetry: Symmetry, size: Size) -> String {
    let moves = MoveText::new(text).unwrap().moves();
    let turned = moves.map(|played| played.point().map(|point| symmetry.apply(point, size).unwrap().to_string()));
    turned.map(|point| point.unwrap_or("--".to_owned())).collect()
}

quickcheck! {
    fn openings_and_corners_do_not_depend_on_the_direction(side: u8, seeds: Vec<u16>, most: u8) -> bool {
        let (size, most) = (size(side), usize::from(most % 16));
        let text = letters(size, &seeds);
        let line = MoveText::new(&text).unwrap();
        let (canonical, corners) = (line.canonical(size, most).unwrap(), line.corners(size, most).unwrap());
        let is_begun = |text: String, longer: String| longer.starts_with(&text);
        Symmetry::ALL.into_iter().all(|symmetry| {
            let (text, size) = (turned(&text, symmetry, size), symmetry.apply_to_size(size));
            let line = MoveText::new(&text).unwrap();
            *canonical <= text[..2 * most.min(line.len())]
                && line.canonical(size, most) == Some(canonical.clone())
                && line.corners(size, most) == Some(corners.clone())
                && is_begun(canonical.clone(), line.canonical(size, most + 1).unwrap())
        })
    }

    /// As it is said: the moves of a corner are those that are nearer to it, with a mark where a player moves twice.
    fn corners_have_the_moves_of_a_naive_count(side: u8, seeds: Vec<u16>) -> bool {
        let size = size(side);
        let text = letters(size, &seeds);
        let moves: Vec<_> = MoveText::new(&text).unwrap().moves().collect();
        let (columns, rows) = (size.columns() as u8, size.rows() as u8);
        let mut expected: Vec<(usize, String)> = Vec::new();
        for (right, below) in [(false, false), (false, true), (true, false), (true, true)] {
            let mut texts = [String::new(), String::new()];
            let mut turns: Vec<usize> = Vec::new();
            for (turn, played) in moves.iter().enumerate() {
                let Some(point) = played.point() else { continue };
                let x = if right { columns - 1 - point.x() } else { point.x() };
                let y = if below { rows - 1 - point.y() } else { point.y() };
                if 2 * x + 1 >= columns || 2 * y + 1 >= rows {
                    continue;
                }
                let is_twice = turns.last().is_some_and(|last| last % 2 == turn % 2);
                for (text, (x, y)) in texts.iter_mut().zip([(x, y), (y, x)]) {
                    text.push_str(if is_twice { "--" } else { "" });
                    text.push_str(&Point::new(x, y).unwrap().to_string());
                }
                turns.push(turn);
            }
            if let Some(first) = turns.first() {
                expected.push((*first, texts.into_iter().min().unwrap()));
            }
        }
        expected.sort();
        let expected: Vec<String> = expected.into_iter().map(|(_, text)| text).collect();
        MoveText::new(&text).unwrap().corners(size, usize::MAX) == Some(expected)
    }

    fn a_line_contains_its_parts_and_no_others(seeds: Vec<u16>, others: Vec<u16>, start: usize, len: usize) -> bool {
        // Few points, so that the letters of moves often occur across moves.
        let size = Size::square(3).unwrap();
        let (text, other) = (letters(size, &seeds), letters(size, &others[..others.len().min(3)]));
        let start = start % (seeds.len() + 1);
        let part = &text[2 * start..2 * (start + len % (seeds.len() - start + 1))];
        let line = MoveText::new(&text).unwrap();
        let naive = text.match_indices(&other).any(|(at, _)| at % 2 == 0)
            || (0..=text.len()).step_by(2).any(|at| text[at..].starts_with(&other));
        line.contains(MoveText::new(part).unwrap()) && line.contains(MoveText::new(&other).unwrap()) == naive
    }
}

#[test]
fn texts_that_are_not_moves_are_refused() {
    for (text, moves) in
        [("", Some(0)), ("--", Some(1)), ("aaZZ--", Some(3)), ("a", None), ("a-", None), ("é", None), ("a1", None)]
    {
        assert_eq!(MoveText::new(text).map(MoveText::len), moves, "{text}");
    }
    let nineteen = Size::square(19).unwrap();
    let line = MoveText::new("aatt").unwrap();
    assert_eq!((line.canonical(nineteen, 1).as_deref(), line.canonical(nineteen, 2)), (Some("aa"), None));
    assert_eq!((line.corners(nineteen, 1), line.corners(nineteen, 0)), (None, None));
    assert_eq!(MoveText::new("aa").unwrap().corners(nineteen, 0), Some(Vec::new()));
    assert_eq!(MoveText::new("aaab").unwrap().corners(Size::square(1).unwrap(), 9), None);
    assert_eq!(MoveText::new("aa").unwrap().corners(Size::square(1).unwrap(), 9), Some(Vec::new()));
}
