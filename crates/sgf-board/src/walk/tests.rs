use std::collections::BTreeMap;
use std::ops::Range;

use quickcheck::quickcheck;
use sgf_stream::value::Size;

use super::*;

/// A property on a small board: its kind, and a point.
type Op = (u8, u8);

/// A node: its properties, and the number that selects its parent.
type Seed = (Vec<Op>, u8);

const SIDE: u8 = 3;

/// Returns a few nodes of few properties, at least one node.
fn small(seeds: Vec<Seed>) -> Vec<Seed> {
    let few = |(ops, parent): Seed| (ops.into_iter().take(3).collect(), parent);
    seeds.into_iter().take(30).map(few).chain([Seed::default()]).collect()
}

/// A node as a walk reports it.
#[derive(Clone, Debug, PartialEq)]
struct Seen {
    board: Board,
    hashes: [u64; 8],
    captured: [u32; 2],
    ko: Option<(Color, Point)>,
    played: Option<(Color, Move)>,
    effect: Option<Played>,
    last: (Option<(Color, Move)>, Option<Played>),
    moves: usize,
    depth: usize,
    number: usize,
    offset: u64,
    is_on_main_line: bool,
}

impl Seen {
    fn of(step: &Step<'_>) -> Self {
        let board = step.board();
        Seen {
            board: board.clone(),
            hashes: board.hashes(),
            captured: [Color::Black, Color::White].map(|color| board.captured(color)),
            ko: board.ko(),
            played: step.played(),
            effect: step.effect(),
            last: (step.last_played(), step.last_effect()),
            moves: step.move_number(),
            depth: step.depth(),
            number: step.number(),
            offset: step.offset(),
            is_on_main_line: step.is_on_main_line(),
        }
    }
}

/// Executes the properties of a path, as plain as can be.
fn seen(path: &[&Vec<Op>]) -> Seen {
    let mut board = Board::new(Size::square(SIDE.into()).unwrap()).unwrap();
    let (mut moves, mut played) = (0, Vec::new());
    for ops in path {
        played.clear();
        for &(kind, at) in *ops {
            let point = Point::new(at % SIDE, at / SIDE % SIDE).unwrap();
            let color = [Color::Black, Color::White][usize::from(kind % 2)];
            match kind / 2 % 8 {
                0 => _ = board.set(point, Some(color)),
                1 => _ = board.set(point, None),
                2 => {
                    board.pass();
                    moves += 1;
                    played.push((Some((color, Move::Pass)), None));
                }
                _ => {
                    moves += 1;
                    played.push((Some((color, Move::Play(point))), board.play(color, point)));
                }
            }
        }
    }
    let captured = [Color::Black, Color::White].map(|color| board.captured(color));
    let (hashes, ko, depth) = (board.hashes(), board.ko(), path.len() - 1);
    let [(played, effect), last] = [played.first(), played.last()].map(|of| of.copied().unwrap_or_default());
    Seen {
        board,
        hashes,
        captured,
        ko,
        played,
        effect,
        last,
        moves,
        depth,
        number: 0,
        offset: 0,
        is_on_main_line: true,
    }
}

fn text(ops: &[Op]) -> String {
    let property = |&(kind, at): &Op| {
        let (point, letter) = (Point::new(at % SIDE, at / SIDE % SIDE).unwrap(), ['B', 'W'][usize::from(kind % 2)]);
        match kind / 2 % 8 {
            0 => format!("A{letter}[{point}]"),
            1 => format!("C[a comment]AE[{point}]"),
            2 => format!("{letter}[]"),
            _ => format!("{letter}[{point}]"),
        }
    };
    ops.iter().map(property).collect()
}

/// A game, and what a walk has to say of its nodes.
struct Game {
    text: String,
    nodes: Vec<Seen>,
}

impl Game {
    fn new(seeds: &[Seed], at: u64) -> Self {
        let mut children = vec![Vec::new(); seeds.len()];
        for (n, (_, parent)) in seeds.iter().enumerate().skip(1) {
            // Mostly long lines.
            let parent = if parent % 4 == 0 { usize::from(*parent) % n } else { n - 1 };
            children[parent].push(n);
        }
        let mut game = Game { text: "(".to_owned(), nodes: Vec::new() };
        game.add(seeds, &children, &mut vec![&seeds[0].0], 0, true);
        game.text.push(')');
        game.nodes.iter_mut().for_each(|node| node.offset += at);
        game
    }

    fn add<'s>(
        &mut self,
        seeds: &'s [Seed],
        children: &[Vec<usize>],
        path: &mut Vec<&'s Vec<Op>>,
        node: usize,
        is_on_main_line: bool,
    ) {
        let (offset, number) = (self.text.len() as u64, self.nodes.len());
        self.nodes.push(Seen { number, offset, is_on_main_line, ..seen(path) });
        self.text += &format!(";{}", text(&seeds[node].0));
        if node == 0 {
            self.text += &format!("SZ[{SIDE}]"); // last, so that the moves of the root have to wait
        }
        for (n, &child) in children[node].iter().enumerate() {
            let is_tree = children[node].len() > 1 || seeds[child].1 % 8 == 1;
            path.push(&seeds[child].0);
            self.text += if is_tree { "(" } else { "" };
            self.add(seeds, children, path, child, is_on_main_line && n == 0);
            self.text += if is_tree { ")" } else { "" };
            path.pop();
        }
    }

    fn line(&self) -> Vec<Seen> {
        self.nodes.iter().filter(|node| node.is_on_main_line).cloned().collect()
    }
}

fn all_in(bytes: &[u8]) -> Vec<Seen> {
    let mut nodes = Vec::new();
    walk(&Parser::new(), bytes, |step| nodes.push(Seen::of(step))).unwrap();
    nodes
}

quickcheck! {
    fn every_walk_has_the_nodes_of_a_plain_model(first: Vec<Seed>, second: Vec<Seed>) -> bool {
        let one = Game::new(&small(first), 0);
        let other = Game::new(&small(second), one.text.len() as u64);
        let text = format!("{}{}", one.text, other.text);
        let expected: Vec<Seen> = one.nodes.iter().chain(&other.nodes).cloned().collect();
        assert_eq!(all_in(text.as_bytes()), expected, "{text}");

        let (mut reader, mut walk, mut nodes) = (Parser::new().reader(text.as_bytes()), Walk::new(), Vec::new());
        loop {
            let offset = |reader: &sgf_stream::Reader<&[u8]>| reader.offset();
            let Some(event) = reader.next_event().unwrap().map(|event| event.to_owned()) else { break };
            nodes.extend(walk.event(event.borrow(), offset(&reader)).map(|step| Seen::of(&step)));
        }
        assert_eq!(nodes, expected, "{text}");

        let (mut reader, mut lines, mut all) = (Parser::new().slice(text.as_bytes()), Vec::new(), Vec::new());
        reader.read_game(&mut Walk::visitor(|step| all.push(Seen::of(step)))).unwrap();
        assert_eq!(all, one.nodes, "{text}");
        reader.read_game(&mut Walk::line_visitor(|step| lines.push(Seen::of(step)))).unwrap();
        let mut line = other.line();
        (0..).zip(&mut line).for_each(|(number, node)| node.number = number);
        lines == line
    }

    fn a_walk_can_be_cut_short_anywhere(seeds: Vec<Seed>, cut: usize, kind: u8) -> bool {
        let game = Game::new(&small(seeds), 0);
        let (cut, len) = (cut % game.nodes.len(), game.nodes.len());
        let flow = [Flow::Continue, Flow::Skip, Flow::SkipGame, Flow::Break][usize::from(kind % 4)];
        let mut nodes = Vec::new();
        walk(&Parser::new(), game.text.repeat(2).as_bytes(), |step| {
            nodes.push((step.game(), step.number()));
            if (step.game(), step.number()) == (0, cut) { flow } else { Flow::Continue }
        }).unwrap();
        let below: Range<usize> = {
            let rest = &game.nodes[cut + 1..];
            let count = rest.iter().take_while(|node| node.depth > game.nodes[cut].depth).count();
            cut + 1..cut + 1 + count
        };
        let first = (0..len).filter(|&number| match flow {
            Flow::Skip => !below.contains(&number),
            Flow::Continue => true,
            _ => number <= cut,
        });
        let second = (0..if flow == Flow::Break { 0 } else { len }).map(|number| (1, number));
        let expected: Vec<_> = first.map(|number| (0, number)).chain(second).collect();
        assert_eq!(nodes, expected, "{flow:?} at {cut} of {}", game.text);
        true
    }
}

/// Applies the changes of each step to the stones of a game.
fn follow(stones: &mut BTreeMap<Point, Color>, step: &Step<'_>) {
    if step.number() == 0 {
        stones.clear();
    }
    for change in step.changes() {
        let before = match change.is_placed {
            true => stones.insert(change.point, change.color),
            false => stones.remove(&change.point),
        };
        assert_eq!(before, (!change.is_placed).then_some(change.color), "{change:?}");
    }
    let colors = [Color::Black, Color::White];
    let expected = colors.into_iter().flat_map(|color| step.board().stones(color).map(move |point| (point, color)));
    assert_eq!(*stones, expected.collect());
}

quickcheck! {
    fn changes_lead_from_step_to_step(seeds: Vec<Seed>, cut: usize, kind: u8) -> bool {
        let game = Game::new(&small(seeds), 0);
        let cut = cut % game.nodes.len();
        let flow = [Flow::Continue, Flow::Skip, Flow::SkipGame][usize::from(kind % 3)];
        let (text, mut stones, mut path) = (game.text.repeat(2), BTreeMap::new(), Vec::new());
        walk(&Parser::new(), text.as_bytes(), |step| {
            follow(&mut stones, step);
            // Its own changes lead from the parent to the node.
            path.truncate(step.depth());
            let mut after: BTreeMap<Point, Color> = path.last().cloned().unwrap_or_default();
            for change in step.own_changes() {
                match change.is_placed {
                    true => after.insert(change.point, change.color),
                    false => after.remove(&change.point),
                };
            }
            assert_eq!(after, stones);
            path.push(after);
            if (step.game(), step.number()) == (0, cut) { flow } else { Flow::Continue }
        }).unwrap();
        let mut reader = Parser::new().slice(text.as_bytes());
        let mut visitor = Walk::line_visitor(|step| follow(&mut stones, step));
        while let Some(()) = reader.read_game(&mut visitor).unwrap() {}
        true
    }
}

fn brief(step: &Step<'_>) -> String {
    let played = step.played().map_or("-".to_owned(), |(_, played)| played.to_string());
    format!("{}:{played}:{}", step.game(), step.board().as_slice().iter().flatten().count())
}

/// Returns the nodes of main lines: the game, the move, and the number of stones.
fn lines(games: &str) -> String {
    let (mut reader, mut seen) = (Parser::new().slice(games.as_bytes()), Vec::new());
    let mut visitor = Walk::line_visitor(|step| seen.push(brief(step)));
    while let Some(()) = reader.read_game(&mut visitor).unwrap() {}
    drop(visitor);
    seen.join(" ")
}

#[test]
fn a_node_after_a_variation_is_another_variation() {
    for (game, expected) in [
        ("(;SZ[9];B[aa](;W[bb];B[cc]);W[dd];B[ee])", "0:-:0 0:aa:1 0:bb:2 0:cc:3"),
        ("(;SZ[9]AB[ii](;W[bb](;B[cc]);B[dd](;W[ff]);W[gg]))", "0:-:1 0:bb:2 0:cc:3"),
        ("(;SZ[9];B[aa](;W[bb](;B[hh])(;B[hg]))(;W[cc]))", "0:-:0 0:aa:1 0:bb:2 0:hh:3"),
    ] {
        assert_eq!(lines(game), expected, "{game}");
    }
    let all = |game: &str| {
        let mut seen = Vec::new();
        walk(&Parser::new(), game.as_bytes(), |step| seen.push(brief(step))).unwrap();
        seen.join(" ")
    };
    assert_eq!(all("(;SZ[9];B[aa](;W[bb];B[cc]);W[dd])"), "0:-:0 0:aa:1 0:bb:2 0:cc:3 0:dd:2");
}

#[test]
fn games_without_a_board_have_no_steps() {
    let games = "(;SZ[9];B[aa])(;GM[11];B[a1])(;SZ[60];B[aa])(;AB[dd][pp])";
    assert_eq!(lines(games), "0:-:0 0:aa:1 3:-:2");
    let mut count = 0;
    let mut visitor = Walk::visitor(|_| count += 1);
    Parser::new().slice(b"(;GM[11]SZ[5];B[a1](;W[b2])(;W[c3]))").read_game(&mut visitor).unwrap();
    drop(visitor);
    assert_eq!(count, 0);
}

#[test]
fn a_visitor_goes_on_after_a_game_that_was_skipped() {
    let games = b"(;SZ[9];B[aa];W[bb](;B[cc])(;B[dd]))(;SZ[5]AB[ee](;W[aa])(;W[bb]))";
    for limit in 0..4 {
        let (mut all, mut line) = (Vec::new(), Vec::new());
        let flow = |step: &Step<'_>| if step.move_number() < limit { Flow::Continue } else { Flow::Break };
        let mut visitor = Walk::visitor(|step| {
            all.push(step.game());
            flow(step)
        });
        let mut reader = Parser::new().slice(games);
        while let Some(()) = reader.read_game(&mut visitor).unwrap() {}
        drop(visitor);
        let mut visitor = Walk::line_visitor(|step| {
            line.push(step.game());
            flow(step)
        });
        let mut reader = Parser::new().slice(games);
        while let Some(()) = reader.read_game(&mut visitor).unwrap() {}
        drop(visitor);
        let count = |games: &[usize], game| games.iter().filter(|&&n| n == game).count();
        assert_eq!([0, 1].map(|game| count(&line, game)), [limit + 1, (limit + 1).min(2)], "{limit}");
        assert_eq!(count(&all, 0), if limit == 3 { 4 } else { limit + 1 }, "{limit}");
        assert_eq!(count(&all, 1), [1, 2, 3, 3][limit], "{limit}");
    }
}

/// In any order of events nothing panics.
#[test]
fn events_that_are_no_game_have_no_steps() {
    let events = [Event::Node, Event::EndTree, Event::Node, Event::Node, Event::StartTree, Event::Node, Event::EndTree];
    for start in 0..events.len() {
        let mut walk = Walk::new();
        for _ in 0..2 {
            events[start..].iter().for_each(|event| _ = walk.event(*event, 0));
        }
    }
}

/// Returns the numbers of steps and of unread values, and the depths of the last steps.
fn counts(game: &str) -> (usize, usize, Vec<usize>) {
    let (mut steps, mut unread, mut depths) = (0, 0, Vec::new());
    walk(&Parser::new(), game.as_bytes(), |step| {
        (steps, unread) = (steps + 1, step.unread());
        depths.push(step.depth());
    })
    .unwrap();
    (steps, unread, depths.split_off(depths.len().saturating_sub(3)))
}

#[test]
fn rectangles_that_name_too_many_points_end_the_board() {
    let fits = "AB[aa:ZZ]".repeat(369);
    assert_eq!(counts(&format!("(;SZ[52]{fits};B[aa](;W[bb])(;W[cc]))")), (4, 0, vec![1, 2, 2]));
    let exceeds = "AB[aa:ZZ]".repeat(370);
    assert_eq!(counts(&format!("(;SZ[52]{exceeds};B[aa](;W[bb])(;W[cc]))")), (1, 1, vec![0]));
    assert_eq!(counts(&format!("(;SZ[52](;B[aa](;{exceeds};W[bb])(;W[cc]))(;W[dd]))")), (3, 1, vec![0, 1, 2]));
    // The next game has its own budget.
    assert_eq!(counts(&format!("(;SZ[52]{exceeds};B[aa])(;SZ[52]{fits};B[aa])")), (3, 0, vec![0, 0, 1]));
}

#[test]
fn a_variation_nested_too_deep_ends_the_board_until_the_others_end() {
    let nest = |depth: usize| {
        let end = ")".repeat(depth - 1);
        format!("(;SZ[9]{}(;AB[aa])(;AB[bb]){end}(;AB[cc]))", "(;W[dd]".repeat(depth - 1))
    };
    assert_eq!(counts(&nest(1024)), (1027, 0, vec![1024, 1024, 1]));
    assert_eq!(counts(&nest(1025)), (1027, 1, vec![1024, 1025, 1]));
    let mut last = None;
    walk(&Parser::new(), nest(1500).as_bytes(), |step| last = Some(step.board().clone())).unwrap();
    let mut expected = Board::new(Size::square(9).unwrap()).unwrap();
    expected.set(Point::parse("cc").unwrap(), Some(Color::Black));
    assert!(last.is_some_and(|last| last == expected && last.hash() == expected.hash()));
}

#[test]
fn a_long_root_is_read_with_the_size_that_is_known() {
    let long = "AB[aa]".repeat(70_000);
    for (root, side) in [(format!("AB[aa]{long}SZ[9]"), 19), (format!("SZ[9]{long}"), 9), ("AB[aa]SZ[9]".to_owned(), 9)]
    {
        let board = Board::after(format!("(;{root}AW[bb];B[cc])").as_bytes(), 9).unwrap().unwrap();
        assert_eq!((board.size().columns(), board.as_slice().iter().flatten().count()), (side, 3));
    }
}

#[test]
fn too_many_changes_are_given_out_as_their_net_effect() {
    let mut stones = BTreeMap::new();
    let many = "AB[aa]AW[aa]AE[aa]".repeat(30_000);
    walk(&Parser::new(), format!("(;SZ[9]AB[cc](;{many}AB[bb])(;W[dd]))").as_bytes(), |step| {
        follow(&mut stones, step);
        let on_board = step.board().as_slice().iter().flatten().count();
        assert_eq!(stones.len(), on_board);
        assert!(step.changes().count() <= (1 << 16) + 2);
    })
    .unwrap();
}
