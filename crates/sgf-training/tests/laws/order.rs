//! Order, shards, states, parts and counts.

use std::env;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;

use sgf_input::Conditions;
use sgf_stream::value::Size;
use sgf_training::{Batch, Positions, Skipped, State, Symmetries};

use crate::games::{Directory, Game, Numbers, game};
use crate::planes::read_all;

/// Returns the rows of batches, as texts that can be compared and sorted.
fn rows(batch: &Batch, plane_bytes: usize) -> Vec<String> {
    let row = |n: usize| {
        format!(
            "{:x?} {} {} {} {} {} {:x} {} {}",
            &batch.planes[n * plane_bytes..][..plane_bytes],
            batch.turn[n],
            batch.next_move[n],
            batch.result[n],
            batch.score[n],
            batch.move_number[n],
            batch.key[n],
            batch.file[n],
            batch.offset[n],
        )
    };
    (0..batch.len()).map(row).collect()
}

/// Reads all batches: their rows, and the states before them.
fn batches(positions: Positions) -> (Vec<Vec<String>>, Vec<String>, Skipped) {
    let shape = positions.shape();
    let bytes = shape.planes * shape.plane_bytes();
    let mut reader = positions.read().unwrap();
    let (mut all, mut states) = (Vec::new(), vec![reader.state().to_string()]);
    while let Some(batch) = reader.next_batch() {
        all.push(rows(&batch, bytes));
        states.push(reader.state().to_string());
    }
    (all, states, *reader.skipped())
}

/// Writes some files: one of them large enough to be cut in ranges.
fn archive(numbers: &mut Numbers) -> (Directory, usize) {
    let (directory, mut count) = (Directory::new(), 0);
    for file in 0..1 + numbers.below(4) {
        let games = if numbers.below(3) == 0 { 400 } else { 1 + numbers.below(30) };
        let games: Vec<Game> = (0..games).map(|_| game(numbers, 5, 5, 30)).collect();
        count += games.len();
        let mut text: String = games.iter().map(|game| game.text.as_str()).collect();
        if numbers.below(2) == 0 {
            text = text.replace("(;", &format!("(;C[{}]", "x".repeat(2000)));
        }
        directory.add(&format!("{file}.sgf"), &text);
    }
    (directory, count)
}

fn positions(directory: &Directory) -> Positions {
    let planes = ["own", "opponent", "move1"].map(|name| name.parse().unwrap());
    Positions::new([&directory.0]).board(Size::square(5).unwrap()).planes(planes).batch(64)
}

#[test]
fn a_state_continues_exactly_where_it_was() {
    fn law(seed: u64) -> bool {
        let mut numbers = Numbers(seed);
        let (directory, _) = archive(&mut numbers);
        let shuffle = [0, 64, 100, 1000, 100_000][numbers.below(5)];
        let shards = 1 + numbers.below(3);
        let settings = positions(&directory)
            .shuffle(shuffle)
            .seed(seed)
            .most_per_game(1 + numbers.below(30))
            .symmetries([Symmetries::None, Symmetries::Random, Symmetries::All][numbers.below(3)])
            .shard(numbers.below(shards), shards);
        let (whole, states, _) = batches(settings.clone());
        let (again, other_states, _) = batches(settings.clone().threads(3));
        assert_eq!((&whole, &states), (&again, &other_states), "threads change nothing");
        for (at, state) in states.iter().enumerate() {
            let state = State::parse(state).unwrap();
            let mut reader = settings.clone().threads(1 + at % 2).resume(&state).unwrap();
            let shape = reader.shape();
            let mut rest = Vec::new();
            while let Some(batch) = reader.next_batch() {
                rest.push(rows(&batch, shape.planes * shape.plane_bytes()));
            }
            assert_eq!(rest, whole[at..], "from {state}");
        }
        assert!(whole.iter().rev().skip(1).all(|batch| batch.len() == 64), "only the last batch is shorter");
        let other = settings.clone().seed(seed.wrapping_add(1)).resume(&State::parse(&states[0]).unwrap());
        assert!(other.is_err(), "the state of other settings is refused");
        true
    }
    quickcheck::holds(12, law as fn(u64) -> bool);
}

/// The settings of the next test, and its directory as the child process knows it.
fn of_child(root: &Path, seed: u64) -> Positions {
    let mut numbers = Numbers(seed);
    let conditions = ["winner=B", "komi>=6", "black_rank~^[1-9]d", "move_count!=7"];
    let conditions = conditions.into_iter().filter(|_| numbers.below(2) == 0).map(|text| text.parse().unwrap());
    let size = Size::square(5).unwrap();
    let positions = Positions::new([root]).board(size).conditions(Conditions::new(conditions.collect()));
    positions.seed(seed).batch(1 + numbers.below(50)).shuffle(100 * numbers.below(3)).threads(1 + numbers.below(3))
}

/// A state and the batches after it are the same in another process and for another spelling of the directory.
#[test]
fn a_state_does_not_depend_on_the_process_or_the_directory() {
    const CHILD: &str = "SGF_TRAINING_STATE_OF";
    if let Ok(text) = env::var(CHILD) {
        let (seed, state) = text.split_once(' ').unwrap();
        let mut reader = of_child(Path::new("."), seed.parse().unwrap()).resume(&State::parse(state).unwrap()).unwrap();
        let mut keys = Vec::new();
        while let Some(batch) = reader.next_batch() {
            keys.extend(batch.key);
        }
        println!("keys: {keys:?} {}", reader.state());
        return;
    }
    let mut numbers = Numbers(11);
    for seed in 0..4 {
        let (directory, _) = archive(&mut numbers);
        let mut reader = of_child(&directory.0, seed).read().unwrap();
        for _ in 0..numbers.below(4) {
            reader.next_batch();
        }
        let state = reader.state().to_string();
        let twice = directory.0.join("..").join(directory.0.file_name().unwrap());
        assert_eq!(
            of_child(&twice, seed).read().unwrap().state().to_string().split(' ').nth(1),
            state.split(' ').nth(1)
        );
        let mut keys = Vec::new();
        while let Some(batch) = reader.next_batch() {
            keys.extend(batch.key);
        }
        let test = "order::a_state_does_not_depend_on_the_process_or_the_directory";
        let mut child = Command::new(env::current_exe().unwrap());
        child.args(["--exact", test, "--nocapture"]).env(CHILD, format!("{seed} {state}")).current_dir(&directory.0);
        let output = String::from_utf8(child.output().unwrap().stdout).unwrap();
        assert!(output.contains(&format!("keys: {keys:?} {}", reader.state())), "seed {seed}, {state}: {output}");
    }
}

#[test]
fn another_length_or_name_of_a_file_is_another_state() {
    let directory = Directory::new();
    directory.add("a.sgf", "(;SZ[5];B[aa];W[bb])");
    let state = positions(&directory).read().unwrap().state().clone();
    assert!(positions(&directory).resume(&state).is_ok());
    directory.add("a.sgf", "(;SZ[5];B[aa];W[bb];B[cc])");
    assert!(positions(&directory).resume(&state).is_err());
    let other = Directory::new();
    other.add("b.sgf", "(;SZ[5];B[aa];W[bb])");
    assert!(positions(&other).resume(&state).is_err());
    let same = Directory::new();
    same.add("a.sgf", "(;SZ[5];B[aa];W[bb])");
    assert!(positions(&same).resume(&state).is_ok());
}

/// A wait that is broken off at random loses and repeats nothing, and ends soon although no game fits.
#[test]
fn a_wait_that_is_broken_off_changes_nothing() {
    let mut numbers = Numbers(5);
    let (directory, _) = archive(&mut numbers);
    for shuffle in [0, 100, 100_000] {
        let settings = positions(&directory).shuffle(shuffle).threads(2);
        let (whole, ..) = batches(settings.clone());
        let mut reader = settings.read().unwrap();
        let shape = reader.shape();
        let mut read = Vec::new();
        loop {
            match reader.next_batch_while(|| numbers.below(3) > 0) {
                ControlFlow::Continue(Some(batch)) => read.push(rows(&batch, shape.planes * shape.plane_bytes())),
                ControlFlow::Continue(None) => break,
                ControlFlow::Break(()) => {}
            }
        }
        assert_eq!(read, whole);
    }
    let nothing = Conditions::new(vec!["komi=99".parse().unwrap()]);
    let mut reader = positions(&directory).conditions(nothing).read().unwrap();
    let mut calls = 0;
    let ended = reader.next_batch_while(|| {
        calls += 1;
        calls < 2
    });
    assert!(ended.is_break() && calls == 2);
}

#[test]
fn shards_and_orders_have_the_same_positions() {
    fn law(seed: u64) -> bool {
        let mut numbers = Numbers(seed);
        let (directory, games) = archive(&mut numbers);
        let sorted = |lists: Vec<Vec<String>>| {
            let mut all = lists.concat();
            all.sort();
            all
        };
        let (whole, _, counts) = batches(positions(&directory));
        let whole = sorted(whole);
        assert_eq!(counts.games() as usize, games, "{counts:?}");
        let count = 1 + numbers.below(4);
        for shuffle in [0, 500] {
            let (mut all, mut used) = (Vec::new(), Skipped::default());
            for index in 0..count {
                let (part, _, counts) = batches(positions(&directory).shuffle(shuffle).seed(seed).shard(index, count));
                all.extend(part);
                used.used += counts.used;
            }
            assert_eq!(sorted(all), whole);
            assert_eq!(used.used, counts.used);
        }
        let order = |seed| batches(positions(&directory).shuffle(5000).seed(seed)).0.concat();
        assert_eq!(order(1), order(1));
        assert!(whole.len() < 50 || order(1) != order(2));
        true
    }
    quickcheck::holds(12, law as fn(u64) -> bool);
}

/// The parts of a split make the whole, and a game and its turned copies are in one part.
#[test]
fn copies_are_in_one_part() {
    let mut numbers = Numbers(7);
    let games: Vec<Game> = (0..300).map(|_| game(&mut numbers, 5, 5, 30)).collect();
    let text: String = games.iter().map(|game| game.text.as_str()).collect();
    // The transposed games: both letters of each point change places.
    let turned: String = games.iter().map(|game| transposed(&game.text)).collect();
    let directory = Directory::new();
    directory.add("a.sgf", &text);
    directory.add("b.sgf", &turned.replace("KM[6.5]", "KM[0]EV[copy]"));
    let keys = |part: std::ops::Range<f64>| {
        let batch = read_all(positions(&directory).part(part)).unwrap();
        let mut keys: Vec<(u64, u32)> = batch.key.iter().copied().zip(batch.file.iter().copied()).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    };
    let (train, test, all) = (keys(0.0..0.7), keys(0.7..1.0), keys(0.0..1.0));
    assert_eq!(train.len() + test.len(), all.len());
    assert!(train.len() > 2 * test.len() && !test.is_empty());
    assert!(train.iter().all(|(key, _)| test.iter().all(|(other, _)| key != other)));
    // Each game has its copy in the other file.
    assert!(all.chunks(2).all(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1));
}

/// A game and its copies have one key: truncated after 30 stones, with other later moves, turned, and with another header.
/// A game with another stone among the first 30 has another one.
#[test]
fn copies_have_the_key_of_their_first_30_stones() {
    fn law(seed: u64) -> bool {
        let mut numbers = Numbers(seed);
        let mut points: Vec<(usize, usize)> = (0..81).map(|at| (at % 9, at / 9)).collect();
        for at in 0..80 {
            let other = at + numbers.below(81 - at);
            points.swap(at, other);
        }
        let setup = points.split_off(81 - numbers.below(4));
        let text = |header: &str, points: &[(usize, usize)], turn: usize, passes: &mut Numbers| {
            let turned = |&(x, y): &(usize, usize)| {
                let (x, y) = (if turn & 1 > 0 { 8 - x } else { x }, if turn & 2 > 0 { 8 - y } else { y });
                let (x, y) = if turn & 4 > 0 { (y, x) } else { (x, y) };
                [x, y].map(|n| char::from(b'a' + n as u8)).iter().collect::<String>()
            };
            let mut text = format!("(;SZ[9]{header}");
            if !setup.is_empty() {
                text += "AW";
                setup.iter().for_each(|point| text += &format!("[{}]", turned(point)));
            }
            for (n, point) in points.iter().enumerate() {
                text += &format!(";{}[{}]", ["B", "W"][n % 2], turned(point));
                if passes.below(30) == 0 {
                    text += ["B", "W"].map(|color| format!(";{color}[]")).concat().as_str();
                }
            }
            text + ")\n"
        };
        let length = 30 + numbers.below(40);
        let mut games = text("KM[6.5]", &points[..length], 0, &mut numbers);
        for turn in 0..8 {
            let mut copy = points.clone();
            // Other moves after the first 30, and another length.
            copy[30..].rotate_left(numbers.below(40));
            copy.truncate(30 + numbers.below(20));
            games += &text(["PB[a]EV[copy]", "HA[0]"][turn % 2], &copy, turn, &mut numbers);
        }
        let mut other = points[..length].to_vec();
        other[numbers.below(30)] = points[length];
        games += &text("", &other, 0, &mut numbers);
        let directory = Directory::new();
        directory.add("a.sgf", &games);
        let settings = positions(&directory).board(Size::square(9).unwrap()).most_per_game(1);
        let keys = read_all(settings).unwrap().key;
        assert_eq!(keys.len(), 10, "{games}");
        assert!(keys[1..9].iter().all(|key| *key == keys[0]), "{keys:x?} {games}");
        assert_ne!(keys[0], keys[9], "{games}");
        true
    }
    quickcheck::holds(100, law as fn(u64) -> bool);
}

fn transposed(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for at in 0..bytes.len() - 3 {
        if bytes[at] == b'[' && bytes[at + 3] == b']' && bytes[at + 1..at + 3].iter().all(u8::is_ascii_lowercase) {
            bytes.swap(at + 1, at + 2);
        }
    }
    String::from_utf8(bytes).unwrap()
}

#[test]
fn games_that_are_not_used_are_counted_by_reason() {
    let directory = Directory::new();
    let games = [
        "(;SZ[5];B[aa];W[bb])", // used
        "(;SZ[9];B[aa])",       // another board
        "(;GM[11]SZ[5];B[a1])", // Hex
        "(;SZ[5]C[no moves])",
        "(;SZ[5];B[aa];W[aa];B[bb])",  // on a stone
        "(;SZ[5];B[zz];W[aa])",        // its first move is off the board
        "(;SZ[5];B[aa];AB[bb];W[cc])", // setup
        "(;SZ[5]BR[1k];B[aa];W[bb])",  // a condition
        "(;SZ[5];B[aa];[bb];B[cc])",   // a move without its identifier
        "(;SZ[5];B[aa];W[b",           // cut
    ];
    directory.add("a.sgf", &games.concat());
    directory.add("b.sgf", "no SGF at all");
    // Games without a rank: a missing value does not fulfill `black_rank!=1k`.
    let conditions = sgf_input::Conditions::new(vec!["black_rank=".parse().unwrap()]);
    let (all, _, counts) = batches(positions(&directory).conditions(conditions));
    let counts: Vec<(&str, u64)> = counts.each().into_iter().filter(|(_, count)| *count > 0).collect();
    let expected = [
        ("used", 3),
        ("not_go", 1),
        ("other_size", 1),
        ("condition", 1),
        ("no_moves", 2),
        ("cut", 1),
        ("broken", 1),
        ("ended_illegal", 2),
        ("ended_setup", 1),
        ("unreadable_files", 1),
    ];
    assert_eq!(counts, expected);
    assert_eq!(all.concat().len(), 2 + 1 + 1);
}

#[test]
fn at_most_so_many_positions_of_a_game_are_chosen() {
    let mut numbers = Numbers(3);
    let games: Vec<Game> = (0..200).map(|_| game(&mut numbers, 5, 5, 40)).collect();
    let directory = Directory::new();
    directory.add("a.sgf", &games.iter().map(|game| game.text.as_str()).collect::<String>());
    let chosen = |epoch| read_all(positions(&directory).most_per_game(3).epoch(epoch)).unwrap();
    let expected: usize = games.iter().map(|game| game.positions.len().min(3)).sum();
    let (first, second) = (chosen(0), chosen(1));
    assert_eq!((first.len(), second.len()), (expected, expected));
    assert_ne!(first.move_number, second.move_number, "another epoch has other positions");
    assert!(first.offset.windows(4).all(|four| four[0] != four[3]));
}

#[test]
fn a_wrong_state_or_path_is_an_error() {
    for text in
        ["", "sgf-training-1", "sgf-training-2 0 0 0 0 0", "sgf-training-1 0 0 0 0 0 0", "sgf-training-1 x 0 0 0 0"]
    {
        assert!(State::parse(text).is_err(), "{text}");
    }
    let error = Positions::new(["/missing"]).read().unwrap_err();
    assert!(error.to_string().starts_with("/missing: "), "{error}");
}

/// Nothing tells where these games start, so all of them belong to the first range of the file.
#[test]
fn games_without_a_head_are_read_from_a_large_file() {
    let directory = Directory::new();
    let games = 18_000;
    directory.add("a.sgf", &format!("(;B[dd]C[{}];W[pp])\n", "x".repeat(1000)).repeat(games));
    let positions = Positions::new([&directory.0]).planes(["own".parse().unwrap()]).batch(4096);
    let mut reader = positions.read().unwrap();
    let mut count = 0;
    while let Some(batch) = reader.next_batch() {
        count += batch.len();
    }
    assert_eq!((count, reader.skipped().too_long), (2 * games, 0));
}
