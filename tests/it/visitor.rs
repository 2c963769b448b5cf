//! Laws of visitors: their calls correspond to the events, for any reader.

use std::io::BufReader;
use std::ops::ControlFlow;

use sgf_stream::internal::Moves;
use sgf_stream::{Code, Event, Ident, OwnedEvent, Parser, RawValue, Skip, Variation, Visitor};

use crate::support::generate::{Chunks, Input};
use crate::support::{Events, Finding, Rules, finding, games, holds, parse, parser, syntax};

/// Turns a game back into events, but for the last: visitors do not hear where a game ends.
struct Recorder;

type Game = Vec<(u64, OwnedEvent)>;

fn note<B, C>(game: &mut Game, offset: u64, event: OwnedEvent, go_on: C) -> ControlFlow<B, C> {
    game.push((offset, event));
    ControlFlow::Continue(go_on)
}

impl Visitor for Recorder {
    type Game = Game;
    type Output = Game;

    fn begin_game(&mut self, offset: u64) -> ControlFlow<Game, Game> {
        ControlFlow::Continue(vec![(offset, OwnedEvent::StartTree)])
    }

    fn start_tree(&mut self, game: &mut Game, variation: Variation) -> ControlFlow<Game, Skip> {
        note(game, variation.offset, OwnedEvent::StartTree, Skip::No)
    }

    fn node(&mut self, game: &mut Game, offset: u64) -> ControlFlow<Game, Skip> {
        note(game, offset, OwnedEvent::Node, Skip::No)
    }

    fn property(&mut self, game: &mut Game, ident: Ident<'_>, offset: u64) -> ControlFlow<Game, Skip> {
        note(game, offset, OwnedEvent::Property(ident.as_bytes().to_vec().into()), Skip::No)
    }

    fn value(&mut self, game: &mut Game, value: RawValue<'_>, offset: u64) -> ControlFlow<Game> {
        note(game, offset, OwnedEvent::Value(value.as_bytes().to_vec().into()), ())
    }

    fn end_tree(&mut self, game: &mut Game, offset: u64) -> ControlFlow<Game> {
        note(game, offset, OwnedEvent::EndTree, ())
    }

    fn end_game(&mut self, game: Game) -> Game {
        game
    }
}

/// Takes some runs of moves whole.
struct RunRecorder {
    takes_one_in: usize,
}

impl Visitor for RunRecorder {
    type Game = Game;
    type Output = Game;

    fn begin_game(&mut self, offset: u64) -> ControlFlow<Game, Game> {
        Recorder.begin_game(offset)
    }

    fn start_tree(&mut self, game: &mut Game, variation: Variation) -> ControlFlow<Game, Skip> {
        Recorder.start_tree(game, variation)
    }

    fn node(&mut self, game: &mut Game, offset: u64) -> ControlFlow<Game, Skip> {
        Recorder.node(game, offset)
    }

    fn property(&mut self, game: &mut Game, ident: Ident<'_>, offset: u64) -> ControlFlow<Game, Skip> {
        Recorder.property(game, ident, offset)
    }

    fn value(&mut self, game: &mut Game, value: RawValue<'_>, offset: u64) -> ControlFlow<Game> {
        Recorder.value(game, value, offset)
    }

    fn end_tree(&mut self, game: &mut Game, offset: u64) -> ControlFlow<Game> {
        Recorder.end_tree(game, offset)
    }

    fn moves(&mut self, game: &mut Game, moves: Moves<'_>) -> ControlFlow<Game, bool> {
        assert_eq!(moves.nodes().next().map(|node| node.offset()), Some(moves.offset()));
        assert_eq!([moves.nodes().count(), moves.events().count()], [1, 3].map(|times| times * moves.len()));
        let takes_run = game.len().is_multiple_of(self.takes_one_in);
        if takes_run {
            note_events(game, moves);
        }
        ControlFlow::Continue(takes_run)
    }

    fn end_game(&mut self, game: Game) -> Game {
        game
    }
}

fn note_events(game: &mut Game, moves: Moves<'_>) {
    game.extend(moves.events().map(|(event, at)| (at, event.to_owned())));
}

/// Has no opinion on variations.
struct Nodes;

impl Visitor for Nodes {
    type Game = Vec<u64>;
    type Output = Vec<u64>;

    fn begin_game(&mut self, _: u64) -> ControlFlow<Vec<u64>, Vec<u64>> {
        ControlFlow::Continue(Vec::new())
    }

    fn node(&mut self, nodes: &mut Vec<u64>, offset: u64) -> ControlFlow<Vec<u64>, Skip> {
        nodes.push(offset);
        ControlFlow::Continue(Skip::No)
    }

    fn end_game(&mut self, nodes: Vec<u64>) -> Vec<u64> {
        nodes
    }
}

/// Has heard enough after so many events, and says how many games there were before.
struct Impatient {
    patience: usize,
    games: usize,
}

impl Visitor for Impatient {
    type Game = usize;
    type Output = (usize, usize);

    fn begin_game(&mut self, _: u64) -> ControlFlow<(usize, usize), usize> {
        self.games += 1;
        self.heard(&mut 0).map_continue(|()| 1)
    }

    fn node(&mut self, heard: &mut usize, _: u64) -> ControlFlow<(usize, usize), Skip> {
        self.heard(heard).map_continue(|()| Skip::No)
    }

    fn property(&mut self, heard: &mut usize, _: Ident<'_>, _: u64) -> ControlFlow<(usize, usize), Skip> {
        self.heard(heard).map_continue(|()| Skip::No)
    }

    fn value(&mut self, heard: &mut usize, _: RawValue<'_>, _: u64) -> ControlFlow<(usize, usize)> {
        self.heard(heard)
    }

    fn end_game(&mut self, heard: usize) -> (usize, usize) {
        (self.games, heard)
    }
}

impl Impatient {
    fn heard(&self, heard: &mut usize) -> ControlFlow<(usize, usize)> {
        if *heard == self.patience {
            return ControlFlow::Break((self.games, *heard));
        }
        *heard += 1;
        ControlFlow::Continue(())
    }
}

/// The results of all games, and the errors between them. Every front end has to have the same.
fn visit<V: Visitor>(
    bytes: &[u8],
    sizes: &[usize],
    parser: &Parser,
    visitor: impl Fn() -> V,
) -> Vec<Result<V::Output, Finding>>
where
    V::Output: PartialEq + std::fmt::Debug,
{
    let mut slice = parser.slice(bytes);
    let mut visiting = visitor();
    let seen: Vec<_> = std::iter::from_fn(|| slice.read_game(&mut visiting).map_err(finding).transpose()).collect();

    let mut stream = parser.reader(BufReader::with_capacity(1 + sizes[0], bytes));
    let mut visiting = visitor();
    let read: Vec<_> = std::iter::from_fn(|| stream.read_game(&mut visiting).map_err(syntax).transpose()).collect();
    assert_eq!(read, seen, "left: a reader, right: the slice reader");

    let mut push = parser.push_games(visitor());
    let mut pushed = Vec::new();
    let take: &mut dyn FnMut(_) = &mut |game: Result<_, _>| pushed.push(game.map_err(finding));
    let mut rest = bytes;
    for &size in sizes.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let (chunk, after) = rest.split_at(size.min(rest.len()));
        push.feed(chunk, &mut *take);
        rest = after;
    }
    push.finish(take);
    assert_eq!(pushed, seen, "left: chunks, right: the slice reader");
    seen
}

#[test]
fn a_visitor_sees_the_events_of_each_game() {
    fn law(Input(bytes): Input, rules: Rules, Chunks(sizes): Chunks) {
        let parser = parser(&rules);
        let visited = visit(&bytes, &sizes, &parser, || Recorder);
        let whole = parse(&bytes, &parser);
        match whole.error {
            None => {
                let seen = games(&whole.events).into_iter().map(|game| Ok(game[..game.len() - 1].to_vec()));
                assert_eq!(visited, seen.collect::<Vec<_>>());
            }
            Some((Code::NoSgfData, _)) => assert_eq!(visited, [Err(whole.error.unwrap())]),
            // After a fault the visitor goes on with the next game, as nobody else does.
            Some(error) => {
                assert_eq!(visited.iter().find_map(|game| game.as_ref().err()), Some(&error));
                for game in visited.iter().flatten() {
                    assert_eq!(Some(game), alone(&bytes, game[0].0, &parser).as_ref(), "right: the game alone");
                }
            }
        }
    }
    holds(5000, law as fn(Input, Rules, Chunks));
}

#[test]
fn a_visitor_that_takes_runs_of_moves_sees_the_same_events() {
    fn law(Input(bytes): Input, rules: Rules, Chunks(sizes): Chunks, takes_one_in: u8) {
        let parser = parser(&rules);
        let expected = visit(&bytes, &sizes, &parser, || Recorder);
        let visitor = || RunRecorder { takes_one_in: usize::from(takes_one_in % 4) + 1 };
        assert_eq!(visit(&bytes, &sizes, &parser, visitor), expected);
    }
    holds(2000, law as fn(Input, Rules, Chunks, u8));
}

/// Skips some nodes and properties, and ends some games early. Takes a run of moves if it would read all of it.
struct Choosy<'a> {
    takes_moves: bool,
    answers: &'a [u8],
}

impl Choosy<'_> {
    fn answer(&self, game: &mut Game) -> ControlFlow<Game, Skip> {
        match self.answer_after(game.len()) {
            0..3 => ControlFlow::Continue(Skip::Yes),
            3 if game.len() > 20 => ControlFlow::Break(std::mem::take(game)),
            _ => ControlFlow::Continue(Skip::No),
        }
    }

    fn answer_after(&self, events: usize) -> u8 {
        self.answers.get(events % self.answers.len().max(1)).map_or(u8::MAX, |answer| answer % 16)
    }
}

impl Visitor for Choosy<'_> {
    type Game = Game;
    type Output = Game;

    fn begin_game(&mut self, offset: u64) -> ControlFlow<Game, Game> {
        Recorder.begin_game(offset)
    }

    fn start_tree(&mut self, game: &mut Game, variation: Variation) -> ControlFlow<Game, Skip> {
        Recorder.start_tree(game, variation)?;
        self.answer(game)
    }

    fn node(&mut self, game: &mut Game, offset: u64) -> ControlFlow<Game, Skip> {
        Recorder.node(game, offset)?;
        self.answer(game)
    }

    fn property(&mut self, game: &mut Game, ident: Ident<'_>, offset: u64) -> ControlFlow<Game, Skip> {
        Recorder.property(game, ident, offset)?;
        self.answer(game)
    }

    fn value(&mut self, game: &mut Game, value: RawValue<'_>, offset: u64) -> ControlFlow<Game> {
        Recorder.value(game, value, offset)?;
        self.answer(game).map_continue(drop)
    }

    fn moves(&mut self, game: &mut Game, moves: Moves<'_>) -> ControlFlow<Game, bool> {
        let takes_run = self.takes_moves && (1..=3 * moves.len()).all(|n| self.answer_after(game.len() + n) > 3);
        if takes_run {
            note_events(game, moves);
        }
        ControlFlow::Continue(takes_run)
    }

    fn end_tree(&mut self, game: &mut Game, offset: u64) -> ControlFlow<Game> {
        Recorder.end_tree(game, offset)
    }

    fn end_game(&mut self, game: Game) -> Game {
        game
    }
}

#[test]
fn a_visitor_that_takes_some_runs_of_moves_loses_nothing() {
    fn law(Input(bytes): Input, rules: Rules, Chunks(sizes): Chunks, answers: Vec<u8>) {
        let parser = parser(&rules);
        let visited = |takes_moves| visit(&bytes, &sizes, &parser, || Choosy { takes_moves, answers: &answers });
        assert_eq!(visited(true), visited(false));
    }
    holds(2000, law as fn(Input, Rules, Chunks, Vec<u8>));
    // More of the node that was skipped last.
    let sgf = b"(;;B[aa];W[bb]C[x][y];B[cc])";
    let answers: Vec<u8> = (0..100).map(|n| if n == 6 { 0 } else { 9 }).collect();
    for takes_moves in [true, false] {
        let visited = visit(sgf, &[sgf.len()], &Parser::new(), || Choosy { takes_moves, answers: &answers });
        let game = visited[0].as_ref().unwrap();
        assert!(game.iter().all(|(_, event)| event.borrow() != Event::Property(Ident::new(b"C"))), "{game:?}");
        assert!(game.iter().any(|(_, event)| event.borrow() == Event::Value(RawValue::new(b"cc"))), "{game:?}");
    }
}

#[test]
fn runs_of_moves_consist_of_complete_nodes() {
    let sgf = b"(;FF[4];B[aa];W[bb];B[cc][dd];W[ee]C[x];B[ff]\n;W[gg]\nC[y](;B[hh];W[ii])(;B[jj]))";
    /// The letters of runs. (The first node after a root comes as events.)
    struct Runs;
    impl Visitor for Runs {
        type Game = String;
        type Output = String;
        fn begin_game(&mut self, _: u64) -> ControlFlow<String, String> {
            ControlFlow::Continue(String::new())
        }
        fn start_tree(&mut self, _: &mut String, _: Variation) -> ControlFlow<String, Skip> {
            ControlFlow::Continue(Skip::No)
        }
        fn moves(&mut self, runs: &mut String, moves: Moves<'_>) -> ControlFlow<String, bool> {
            moves.nodes().for_each(|node| runs.push_str(std::str::from_utf8(node.value().as_bytes()).unwrap()));
            runs.push(' ');
            ControlFlow::Continue(true)
        }
        fn end_game(&mut self, runs: String) -> String {
            runs
        }
    }
    let mut reader = Parser::new().slice(sgf);
    assert_eq!(reader.read_game(&mut Runs).unwrap().unwrap(), "bb ff ");
}

/// The game that starts there, for a parser that has seen nothing of what is before it.
fn alone(bytes: &[u8], start: u64, parser: &Parser) -> Option<Vec<(u64, OwnedEvent)>> {
    let game = parser.slice(&bytes[start as usize..]).read_game(&mut Recorder).ok()??;
    Some(game.into_iter().map(|(at, event)| (start + at, event)).collect())
}

#[test]
fn a_visitor_without_an_opinion_sees_the_main_line() {
    fn law(Input(bytes): Input, rules: Rules, Chunks(sizes): Chunks) {
        let parser = parser(&Rules { strict: false, ..rules });
        let visited = visit(&bytes, &sizes, &parser, || Nodes);
        let whole = parse(&bytes, &parser);
        let main_lines = games(&whole.events).into_iter().map(main_line);
        assert_eq!(visited.into_iter().filter_map(Result::ok).collect::<Vec<_>>(), main_lines.collect::<Vec<_>>());
    }
    holds(5000, law as fn(Input, Rules, Chunks));
}

/// The nodes up to the end of the first tree that ends: after it, and after it only, there are
/// other variations.
fn main_line(game: &Events) -> Vec<u64> {
    let line = game.iter().take_while(|(_, event)| *event != OwnedEvent::EndTree);
    line.filter(|(_, event)| *event == OwnedEvent::Node).map(|&(at, _)| at).collect()
}

#[test]
fn a_visitor_that_breaks_misses_the_rest_of_that_game_only() {
    fn law(Input(bytes): Input, rules: Rules, Chunks(sizes): Chunks, patience: u8) {
        let parser = parser(&Rules { strict: false, ..rules });
        let patience = usize::from(patience % 16);
        let visited = visit(&bytes, &sizes, &parser, || Impatient { patience, games: 0 });
        let whole = parse(&bytes, &parser);
        let heard = |game: &Events| {
            let line = game[1..].iter().take_while(|(_, event)| *event != OwnedEvent::EndTree);
            (1 + line.filter(|(_, event)| *event != OwnedEvent::StartTree).count()).min(patience)
        };
        let expected = games(&whole.events).into_iter().enumerate().map(|(before, game)| (before + 1, heard(game)));
        assert_eq!(visited.into_iter().filter_map(Result::ok).collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    }
    holds(5000, law as fn(Input, Rules, Chunks, u8));
}
