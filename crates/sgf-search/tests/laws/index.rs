//! L15: an index finds what a search of the files finds, however it was built.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};

use quickcheck::{Arbitrary, Gen, quickcheck};
use sgf_board as board;
use sgf_search::index::{Index, IndexOptions, IndexWriter, Stamp};
use sgf_search::{Hit, Search};
use sgf_stream::parts::Next;
use sgf_stream::value::Color;
use sgf_stream::{Flow, Parser};

use crate::games::below;
use crate::naive::{Game, Rows, image, images};
use crate::search::{Case, search};

/// A directory that is removed at the end.
pub(crate) struct Directory(pub(crate) PathBuf);

impl Directory {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        Directory(std::env::temp_dir().join(format!("sgf-search {} {number}", process::id())))
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A run of a writer: the files that are new or have changed, and those that are gone.
#[derive(Clone, Debug)]
struct Run {
    written: Vec<(u8, Vec<Game>)>,
    removed: Vec<u8>,
}

/// Returns a game on a board that has columns of points, mostly on one with few of them.
fn game(g: &mut Gen) -> Game {
    let sizes = [(9, 9), (9, 9), (9, 9), (9, 9), (5, 3), (4, 4), (13, 13), (19, 19)];
    let most = if below(g, 8) == 0 { 8 } else { 6 };
    let size = sizes[below(g, most)];
    Game::on(g, size)
}

/// A case of games that an index may have.
#[derive(Clone, Debug)]
struct InIndex(Case);

impl Arbitrary for InIndex {
    fn arbitrary(g: &mut Gen) -> Self {
        let games = (0..1 + below(g, 4)).map(|_| game(g)).collect();
        InIndex(Case::of(g, games))
    }
}

impl Arbitrary for Run {
    fn arbitrary(g: &mut Gen) -> Self {
        let games = |g: &mut Gen| (0..1 + below(g, 3)).map(|_| game(g)).collect();
        let written = (0..below(g, 3)).map(|_| (below(g, 4) as u8, games(g))).collect();
        Run { written, removed: (0..below(g, 2)).map(|_| below(g, 4) as u8).collect() }
    }
}

type Found = Vec<(String, u64, Option<u64>, Vec<Hit>)>;

/// Searches the files themselves.
fn in_files(files: &BTreeMap<String, String>, search: &Search) -> Found {
    let mut found = Vec::new();
    for (name, text) in files {
        let each = |game: &sgf_search::GameHits<'_>| {
            let hits = game.hits().iter().map(|hit| hit.without_node_offset()).collect();
            found.push((name.clone(), game.offset(), Some(game.number()), hits));
        };
        search.find(&Parser::new(), text.as_bytes(), each).unwrap();
    }
    found
}

/// Returns a search that reads all of each game, and of each variation if they are wanted.
fn whole(variations: bool) -> Search {
    Search::new(sgf_search::Pattern::parse("X").unwrap()).every_place(true).variations(variations)
}

/// Returns the number of games with unreadable values, as far as a search has read them.
fn unreadable(files: &BTreeMap<String, String>, search: &Search) -> u64 {
    let find = |text: &String| search.find(&Parser::new(), text.as_bytes(), |_: &sgf_search::GameHits<'_>| ()).unwrap();
    files.values().map(|text| find(text).with_illegal_moves).sum()
}

fn in_index(index: &Index, search: &Search) -> Found {
    let mut found = Vec::new();
    let each = |game: &sgf_search::index::IndexGame<'_>| {
        found.push((game.file().to_owned(), game.offset(), game.number(), game.hits().to_vec()));
    };
    index.find(search, &[], each).unwrap();
    found.sort_by(|one, other| (&one.0, one.1).cmp(&(&other.0, other.1)));
    found
}

quickcheck! {
    fn an_index_finds_what_is_in_the_files(runs: Vec<Run>, case: InIndex) -> bool {
        let case = case.0;
        let directory = Directory::new();
        let options = IndexOptions::new().variations(case.settings.variations || case.games.len() > 2);
        let mut files: BTreeMap<String, String> = BTreeMap::new();
        let first = Run { written: vec![(9, case.games.clone())], removed: Vec::new() };
        for run in [first].iter().chain(runs.iter().take(12)) {
            let mut writer = IndexWriter::open(&directory.0, &options).unwrap();
            let (parser, reader) = (Parser::new(), writer.reader());
            for name in &run.removed {
                let name = format!("{name}.sgf");
                files.remove(&name);
                writer.remove_file(&name);
            }
            for (name, games) in &run.written {
                let (name, text) = (format!("{name}.sgf"), games.iter().map(Game::text).collect::<String>());
                if run.written.iter().filter(|(other, _)| format!("{other}.sgf") == name).count() > 1 {
                    continue; // once in each run
                }
                let mut parts = parser.parts(text.as_bytes()).part_len(case.games.len() * 200);
                while let Some(next) = parts.next_part().unwrap() {
                    let Next::Part(part) = next else { panic!("the games are short") };
                    writer.write(reader.read(&parser, &name, || part.reader(&parser)).unwrap()).unwrap();
                }
                writer.set_file(&name, Stamp { size: text.len() as u64, modified: 0, hash: String::new() });
                files.insert(name, text);
            }
            let written = writer.finish().unwrap();
            let games: u64 = files.values().map(|text| text.matches("SZ[").count() as u64).sum();
            assert_eq!(written.games.games, games);
        }
        for index in [Index::open(&directory.0).unwrap(), Index::open_in_memory(&directory.0).unwrap()] {
            for pattern in case.patterns.iter().chain(&case.patterns) {
                let search = search(&pattern.text(), case.settings);
                let (found, expected) = (in_index(&index, &search), in_files(&files, &search));
                for (one, other) in found.iter().zip(&expected) {
                    let games = &files[&other.0];
                    assert_eq!(one, other, "{} in {games} by {:?}", pattern.text(), case.settings);
                }
                assert_eq!(found.len(), expected.len(), "{}", pattern.text());
                // A search reads its files as far as it needs to.
                let in_files = unreadable(&files, &search);
                let in_index = index.games().with_illegal_moves;
                assert!(in_files <= in_index, "{}: {in_files}, {in_index}", pattern.text());
            }
            assert_eq!(index.games().with_illegal_moves, unreadable(&files, &whole(index.has_variations())));
        }
        true
    }
}

/// Returns the smallest image of a board, and the symmetries that lead to it.
fn canonical(board: &Rows) -> (Rows, Vec<usize>) {
    let images = images(board);
    let least = images.iter().min().unwrap().clone();
    let symmetries = (0..8).filter(|symmetry| images[*symmetry] == least).collect();
    (least, symmetries)
}

/// A next move: the color and the point, in the orientation of the smallest image.
type Played = Option<(char, Option<(usize, usize)>)>;

fn turned(board: &Rows, played: Played) -> Played {
    let size = (board[0].len(), board.len());
    let (_, symmetries) = canonical(board);
    let least = |point| symmetries.iter().map(|symmetry| image(*symmetry, point, size)).min_by_key(|(x, y)| (*y, *x));
    played.map(|(color, point)| (color, point.and_then(least)))
}

quickcheck! {
    fn an_index_counts_positions(case: InIndex) -> bool {
        // Twice each, the second time with another end.
        let mut games: Vec<Game> = case.0.games.clone();
        games.extend(case.0.games.iter().map(|game| {
            let mut other = game.clone();
            let last = other.nodes.len() - 1;
            other.nodes[last].played = Some(('X', Some((0, 0))));
            other
        }));
        let directory = Directory::new();
        let mut writer = IndexWriter::open(&directory.0, &IndexOptions::new()).unwrap();
        let (parser, reader) = (Parser::new(), writer.reader());
        let text: String = games.iter().map(Game::text).collect();
        writer.write(reader.read(&parser, "a", || parser.reader(text.as_bytes())).unwrap()).unwrap();
        writer.set_file("a", Stamp { size: 0, modified: 0, hash: String::new() });
        writer.finish().unwrap();
        let index = Index::open(&directory.0).unwrap();

        let mut expected: BTreeMap<Rows, BTreeMap<Played, u64>> = BTreeMap::new();
        for game in &games {
            let path = game.main_line();
            let mut seen = Vec::new();
            for end in 1..=path.len() {
                let board = game.position_of(&path[..end]);
                let (least, _) = canonical(&board);
                if !seen.contains(&least) {
                    let next = path[end..].iter().find_map(|&node| game.played(node));
                    *expected.entry(least.clone()).or_default().entry(turned(&board, next)).or_default() += 1;
                    seen.push(least);
                }
            }
        }
        for game in &games {
            board::walk(&parser, game.text().as_bytes(), |step| {
                if !step.is_on_main_line() {
                    return;
                }
                let rows: Rows = (0..game.rows)
                    .map(|y| step.board().as_slice()[y * game.columns..][..game.columns].iter().map(|stone| match stone {
                        None => '.',
                        Some(Color::Black) => 'X',
                        Some(Color::White) => 'O',
                    }).collect())
                    .collect();
                let mut counts: BTreeMap<Played, u64> = BTreeMap::new();
                let position = index.position(step.board()).unwrap();
                for next in position.iter().flat_map(|position| &position.next) {
                    let played = next.played.map(|(color, point)| {
                        let color = if color == Color::Black { 'X' } else { 'O' };
                        (color, point.map(|point| (point.x().into(), point.y().into())))
                    });
                    *counts.entry(turned(&rows, played)).or_default() += next.games;
                }
                let of_position = &expected[&canonical(&rows).0];
                match of_position.values().sum::<u64>() {
                    1 => assert_eq!(position, None),
                    _ => assert_eq!(&counts, of_position, "{rows:?} in {text}"),
                }
            }).unwrap();
        }
        true
    }
}

#[test]
fn years_that_games_cannot_be_of_are_left_out() {
    let directory = Directory::new();
    let mut writer = IndexWriter::open(&directory.0, &IndexOptions::new()).unwrap();
    let (parser, reader) = (Parser::new(), writer.reader());
    let games = &b"(;SZ[9]DT[0019-05-03];B[ee])(;SZ[9]DT[2014];B[ee])(;SZ[9]DT[9014];B[ee])"[..];
    writer.write(reader.read(&parser, "a", || parser.reader(games)).unwrap()).unwrap();
    writer.set_file("a", Stamp { size: 0, modified: 0, hash: String::new() });
    writer.finish().unwrap();
    let index = Index::open(&directory.0).unwrap();
    let mut years = Vec::new();
    board::walk(&parser, games, |step| {
        years.push(index.position(step.board()).unwrap().unwrap().next[0].years);
    })
    .unwrap();
    assert_eq!(years, [Some((2014, 2014)); 6]);
}

#[test]
fn a_search_ends_when_it_is_told_to() {
    let directory = Directory::new();
    let mut writer = IndexWriter::open(&directory.0, &IndexOptions::new()).unwrap();
    let (parser, reader) = (Parser::new(), writer.reader());
    let games = &b"(;SZ[9]PB[Ada]HA[10];B[ee])(;SZ[13];B[ee])(;SZ[9];B[ee])"[..];
    writer.write(reader.read(&parser, "a", || parser.reader(games)).unwrap()).unwrap();
    writer.set_file("a", Stamp { size: 0, modified: 0, hash: String::new() });
    writer.finish().unwrap();
    assert!(Index::is_at(&directory.0) && !Index::is_at(directory.0.join("a")));
    let index = Index::open(&directory.0).unwrap();
    let search = Search::new(sgf_search::Pattern::parse("X").unwrap());
    for (most, expected) in [(1, Flow::Break), (2, Flow::Break), (3, Flow::Continue), (4, Flow::Continue)] {
        let mut found = 0;
        let ended = index.find(&search, &[], |_| {
            found += 1;
            if found == most { Flow::Break } else { Flow::Continue }
        });
        assert_eq!((ended.unwrap(), found), (expected, most.min(3)), "{most}");
    }
    // Columns by another name, and those that are known without one.
    let mut cells = Vec::new();
    let each = |game: &sgf_search::index::IndexGame<'_>| {
        cells.push(["black", "PB", "game_type"].map(|column| game.cell(column).to_string()));
    };
    index.find(&search, &["black", "game_type"], each).unwrap();
    assert!(cells.contains(&["Ada", "Ada", "Go"].map(str::to_owned)), "{cells:?}");
    for (column, message) in [("moves", "an index has no lists"), ("KK", "the index has no column")] {
        let error = index.find(&search, &[column], |_| ()).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}
