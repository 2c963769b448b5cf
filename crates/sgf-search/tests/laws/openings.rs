//! The tree of openings has what a naive count of positions has.

use std::collections::BTreeMap;

use quickcheck::quickcheck;
use sgf_board::Board;
use sgf_search::{GameFacts, OpeningTree, Openings, Outcome};
use sgf_stream::Parser;
use sgf_stream::value::{Color, Size};

use crate::naive::{Game, Node, Rows, images};

/// Returns the facts of a game: those with even numbers are in one group, the others in another.
fn facts(number: u64) -> GameFacts<'static> {
    let group = if number.is_multiple_of(2) { (2, "even") } else { (1, "odd") };
    GameFacts { outcome: Outcome::Win(Color::Black), year: Some(2000), group: Some(group) }
}

/// Returns the least of all rotations and reflections.
fn canonical(board: &Rows) -> Rows {
    images(board).into_iter().min().unwrap()
}

/// Returns the positions of a game from the first one on, with the number of moves before each.
fn way(game: &Game, start: &Rows, plies: usize) -> Vec<Rows> {
    let line = game.main_line();
    let is_on = |(x, y): (usize, usize)| x < game.columns && y < game.rows;
    // Setup off the board changes nothing.
    let is_read = |node: &Node| node.played.is_none_or(|(_, at)| at.is_none_or(is_on));
    let (start, board_of) = (canonical(start), |n: usize| game.position_of(&line[..n]));
    let mut way = Vec::new();
    let mut n = 0;
    let empty = board_of(0);
    let root = &game.nodes[0];
    // A move in the root is the first one, unless the root also sets up stones.
    let sets_up = root.setup.iter().any(|(stone, at)| *stone != '.' && is_on(*at));
    let has_move = root.played.is_some_and(|(_, at)| at.is_none_or(is_on)) && !sets_up;
    if has_move && canonical(&empty) == start {
        way.push(empty);
    } else {
        let stones = |board: &Rows| board.iter().flatten().filter(|stone| **stone != '.').count();
        let is_first = |n: &usize| canonical(&board_of(*n)) == start || stones(&board_of(*n)) > stones(&start);
        let Some(first) = (1..=line.len()).find(is_first) else { return way };
        if canonical(&board_of(first)) != start {
            return way;
        }
        way.push(board_of(first));
        n = first;
    }
    while n < line.len() && way.len() <= plies {
        let (node, before) = (&game.nodes[line[n]], way[way.len() - 1].clone());
        n += 1;
        let after = board_of(n);
        if !is_read(node) {
            break;
        }
        let mut by_move = before.clone();
        game.play(&mut by_move, &Node { setup: Vec::new(), ..node.clone() });
        match node.played {
            None if after == before => continue,
            Some(_) if after == by_move => way.push(after),
            _ => break,
        }
    }
    way
}

/// Returns the positions of a tree with their games.
fn positions(tree: &OpeningTree, start: &Rows) -> BTreeMap<(usize, Rows), u64> {
    let mut found = BTreeMap::new();
    let mut by_move = BTreeMap::new();
    let mut boards: BTreeMap<usize, Rows> = BTreeMap::from([(0, start.clone())]);
    let game = Game { columns: start[0].len(), rows: start.len(), nodes: Vec::new() };
    for number in tree.in_order() {
        let (node, board) = (&tree.nodes()[number], boards[&number].clone());
        let key = (node.ply, canonical(&board));
        *by_move.entry(key.clone()).or_insert(0) += node.by_move;
        match node.same_as {
            None => assert_eq!(found.insert(key, node.sums.games), None, "a position occurs once with children"),
            Some(other) => assert_eq!(tree.nodes()[other].sums, node.sums),
        }
        for &child in &node.children {
            let after = &tree.nodes()[child];
            let at = after.point.map(|point| (usize::from(point.x()), usize::from(point.y())));
            let color = if after.color == Some(Color::Black) { 'X' } else { 'O' };
            let mut board = board.clone();
            game.play(&mut board, &Node { played: Some((color, at)), ..Node::default() });
            boards.insert(child, board);
        }
    }
    assert_eq!(by_move, found, "each game comes to a position by one move");
    found
}

fn stones(board: &Rows) -> Board {
    let mut stones = Board::new(Size::new(board[0].len() as u32, board.len() as u32).unwrap()).unwrap();
    for (y, row) in board.iter().enumerate() {
        for (x, stone) in row.iter().enumerate() {
            let color = match stone {
                'X' => Color::Black,
                'O' => Color::White,
                _ => continue,
            };
            stones.set(sgf_stream::value::go::Point::new(x as u8, y as u8).unwrap(), Some(color));
        }
    }
    stones
}

quickcheck! {
    fn openings_are_the_positions_of_a_naive_count(games: Vec<Game>, cut: u8, plies: u8) -> bool {
        let games = &games[..games.len().min(12)];
        let Some(first) = games.first() else { return true };
        let plies = usize::from(plies % 8);
        // From the empty board, or from a position of the first game.
        let start = match cut % 4 {
            0 => first.position_of(&[0]),
            _ => vec![vec!['.'; first.columns]; first.rows],
        };
        let text: String = games.iter().map(Game::text).collect();
        let mut all = Openings::new(stones(&start)).plies(plies as u16);
        let mut halves = [all.empty(), all.empty()];
        let mut reader = all.reader();
        let read = reader.read(&mut Parser::new().reader(text.as_bytes()), |number, way| {
            all.add(way, &facts(number));
            halves[number as usize % 2].add(way, &facts(number));
        });
        assert_eq!(read.unwrap(), games.len() as u64);
        let mut naive = BTreeMap::new();
        for game in games {
            for (ply, board) in way(game, &start, plies).into_iter().enumerate() {
                *naive.entry((ply, canonical(&board))).or_insert(0_u64) += 1;
            }
        }
        let tree = all.tree(1);
        assert_eq!(positions(&tree, &start), naive, "{text}");
        let [mut merged, other] = halves;
        // The groups are the halves, in the order of groups.
        let of_halves = [("odd", other.games()), ("even", merged.games())];
        let of_groups: Vec<_> = all.groups().into_iter().map(|(group, sums)| (group, sums.games)).collect();
        assert!(of_groups.iter().copied().eq(of_halves.into_iter().filter(|(_, games)| *games > 0)));
        for node in tree.nodes() {
            assert_eq!(node.groups.iter().map(|(_, sums)| sums.games).sum::<u64>(), node.sums.games);
        }
        merged.merge(other);
        assert_eq!(positions(&merged.tree(1), &start), naive);
        // Positions with fewer games are missing, and nothing else changes.
        let most = naive.values().copied().max().unwrap_or(0);
        let kept = all.tree(most);
        assert!(kept.nodes().iter().all(|node| node.sums.games >= most));
        true
    }
}

#[test]
fn positions_with_few_games_are_dropped_when_there_are_too_many() {
    let mut openings = Openings::from_empty(Size::square(9).unwrap()).unwrap().max_positions(10);
    let points: Vec<String> = ('a'..='i').flat_map(|x| ('a'..='i').map(move |y| format!("{x}{y}"))).collect();
    let mut text = String::new();
    for (n, point) in points.iter().enumerate() {
        let answer = if point == "ee" { "ce" } else { "ee" };
        text += &format!("(;SZ[9];B[ec];W[gg];B[cg])(;SZ[9];B[{point}];W[{answer}];B[{}])", points[(n * 7 + 1) % 81]);
    }
    let mut reader = openings.reader();
    reader.read(&mut Parser::new().reader(text.as_bytes()), |_, way| openings.add(way, &GameFacts::default())).unwrap();
    assert!(openings.positions() <= 10 && openings.dropped() > 0 && openings.games() == 162);
    let tree = openings.tree(50);
    let moves: Vec<_> = tree.nodes().iter().map(|node| node.point.map(|point| point.to_string())).collect();
    assert_eq!(moves[1].as_deref(), Some("ge"), "{moves:?}");
    assert_eq!(moves.len(), 4);
}
