//! L15 on real games: streams, indexes and a naive replay find the same.
//!
//! The tests take a sample of the corpus. For all of its games and 1,000 patterns, which takes long:
//! `SGF_PATTERNS=1000 cargo test --release -p sgf-search --all-features --test laws -- corpus --nocapture`. With
//! `SGF_FIRST=300` it begins with the 301st pattern. With `SGF_HITS=FILE` the hits of the replay are written to a file, with
//! which the tests of `sgf-sql` compare those of SQL.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use quickcheck::Gen;
use rayon::prelude::*;
use sgf_search::index::{Index, IndexOptions, IndexWriter, Stamp};
use sgf_search::{GameHits, Search};
use sgf_stream::Parser;

use crate::games::below;
use crate::index::Directory;
use crate::naive::{Hit, Pattern, Settings};
use crate::search::{naive_hits, search, sorted};

mod find;
mod game;
mod pattern;
mod save;

use self::find::{History, Variant, find, variants};
use self::game::{RealGame, Traits};
use self::save::HitsFile;

/// A file that all readers can read, and its games.
struct RealFile {
    name: String,
    bytes: Vec<u8>,
    games: Vec<RealGame>,
}

/// A game: its file and its number.
type Key = (String, u64);

/// The hits of games.
type Hits = BTreeMap<Key, Vec<Hit>>;

/// A pattern, and how to search for it.
type Case = (Pattern, Settings);

/// The sum of what was compared.
#[derive(Debug, Default)]
struct Sums {
    games_with_hits: AtomicUsize,
    hits: AtomicUsize,
    differences: AtomicUsize,
}

/// The number of patterns that are searched in one replay of all games.
const CHUNK: usize = 50;

#[test]
fn real_games_are_searched_as_by_a_naive_replay() {
    let asked = number("SGF_PATTERNS");
    // A replay of all games for 64 patterns takes longer than all other tests together.
    let (step, patterns) = match (asked, quickcheck::is_long()) {
        (Some(patterns), _) => (1, patterns),
        (None, true) => (19, 32),
        (None, false) => (97, 16),
    };
    let files = read_files(step);
    if files.is_empty() {
        return;
    }
    let (mut games, mut all_traits): (Vec<(usize, usize)>, Vec<Traits>) = Default::default();
    let mut files = files;
    for (n, file) in files.iter_mut().enumerate() {
        for (number, game) in file.games.iter_mut().enumerate() {
            games.push((n, number));
            all_traits.push(game.replay().1);
        }
    }
    let cases = cases(&mut files, (&games, &all_traits), patterns);
    let indexes = [false, true].map(|variations| index(&files, variations));
    let (sums, first) = (Sums::default(), number("SGF_FIRST").unwrap_or(0));
    let mut compared = first;
    let mut saved = HitsFile::create(&files);
    for cases in cases[first..].chunks(CHUNK) {
        let naive = compare(&files, cases, &indexes, &sums);
        for (case, hits) in cases.iter().zip(naive) {
            saved.iter_mut().for_each(|file| file.write(case, &hits));
        }
        compared += cases.len();
        eprintln!("patterns {first} to {compared} compared: {sums:?}");
    }
    eprintln!("{} files, {} games, {} patterns: {sums:?}", files.len(), games.len(), cases.len() - first);
    assert_eq!(sums.differences.into_inner(), 0);
    assert!(sums.games_with_hits.into_inner() > cases.len(), "most patterns are in no game");
}

fn number(variable: &str) -> Option<usize> {
    std::env::var(variable).ok()?.parse().ok()
}

/// Reads each `step`th file of the corpus.
fn read_files(step: usize) -> Vec<RealFile> {
    let folder = Path::new(crate::PROJECT).join("../shared/corpus");
    if !folder.is_dir() {
        eprintln!("skipped: {} is not there", folder.display());
        return Vec::new();
    }
    let mut files = Vec::new();
    for path in crate::shared::files_of(folder.clone()).into_iter().step_by(step) {
        let bytes = fs::read(&path).unwrap();
        let name = path.strip_prefix(&folder).unwrap().to_string_lossy().into_owned();
        // A game with several roots has no positions that all agree on.
        let Some(games) = game::read(&name, &bytes).filter(|games| !games.iter().any(|game| game.has_roots)) else {
            eprintln!("left out: {name}");
            continue;
        };
        files.push(RealFile { name, bytes, games });
    }
    files
}

/// Makes patterns of games that have something rare each in turn.
fn cases(files: &mut [RealFile], (games, traits): (&[(usize, usize)], &[Traits]), most: usize) -> Vec<Case> {
    let mut g = Gen::from_size_and_seed(100, 1987);
    let is_kind = |n: usize, kind: usize| {
        let ((file, game), traits) = (games[n], traits[n]);
        let size = files[file].games[game].size;
        match kind {
            0 | 1 => size == Some((19, 19)),
            2 => traits.variations,
            3 => traits.setup,
            4 => traits.captures,
            5 => traits.replaced,
            6 => size == Some((13, 13)),
            7 => size == Some((9, 9)),
            8 => size.is_some_and(|(columns, rows)| columns != rows),
            _ => size.is_some_and(|(columns, rows)| columns == rows && ![9, 13, 19].contains(&columns)),
        }
    };
    let kinds: Vec<Vec<usize>> = (0..10).map(|kind| (0..games.len()).filter(|n| is_kind(*n, kind)).collect()).collect();
    eprintln!("games of each kind: {:?}", kinds.iter().map(Vec::len).collect::<Vec<_>>());
    let kinds: Vec<Vec<usize>> = kinds.into_iter().filter(|games| !games.is_empty()).collect();
    let mut cases = Vec::new();
    for n in 0.. {
        if cases.len() == most {
            break;
        }
        let of_kind = &kinds[n % kinds.len()];
        let (file, game) = games[of_kind[below(&mut g, of_kind.len())]];
        let game = &mut files[file].games[game];
        let (positions, _) = game.replay();
        cases.extend(pattern::pattern(&mut g, n / kinds.len(), game, &positions));
    }
    cases
}

/// Builds an index of all files.
fn index(files: &[RealFile], variations: bool) -> (Directory, Index) {
    let directory = Directory::new();
    let mut writer = IndexWriter::open(&directory.0, &IndexOptions::new().variations(variations)).unwrap();
    let (parser, reader) = (Parser::new(), writer.reader());
    for RealFile { name, bytes, .. } in files {
        writer.write(reader.read(&parser, name, || parser.reader(&bytes[..])).unwrap()).unwrap();
        writer.set_file(name, Stamp { size: bytes.len() as u64, modified: 0, hash: String::new() });
    }
    let written = writer.finish().unwrap();
    eprintln!("index: {written:?}");
    assert_eq!(written.games.too_large, 0);
    let index = Index::open_in_memory(&directory.0).unwrap();
    (directory, index)
}

/// Compares the hits of some patterns in all games. Returns those of the naive replay.
fn compare(files: &[RealFile], cases: &[Case], indexes: &[(Directory, Index); 2], sums: &Sums) -> Vec<Hits> {
    let searches: Vec<(Search, Hits)> = cases
        .par_iter()
        .map(|(pattern, settings)| {
            let search = search(&pattern.text(), *settings);
            let streamed = in_files(files, &search);
            let several = settings.variations || streamed.len().is_multiple_of(2);
            let indexed = in_index(&indexes[usize::from(several)].1, &search);
            report(&streamed, &indexed, (pattern, *settings), "stream, index", sums);
            (search, streamed)
        })
        .collect();
    let sizes: BTreeSet<(usize, usize)> =
        files.iter().flat_map(|file| file.games.iter().filter_map(|game| game.size)).collect();
    let variants_on = |size| cases.iter().map(|(pattern, settings)| variants(pattern, *settings, size)).collect();
    let by_size: BTreeMap<(usize, usize), Vec<Vec<Variant>>> =
        sizes.into_iter().map(|size| (size, variants_on(size))).collect();
    let in_file = |file: &RealFile| {
        let mut found: Vec<(usize, Key, Vec<Hit>)> = Vec::new();
        for mut game in game::read(&file.name, &file.bytes).unwrap_or_default() {
            let Some(size) = game.size else { continue };
            let (positions, _) = game.replay();
            let history = History::new(&positions, size.0 * size.1);
            for (n, (variants, (_, settings))) in by_size[&size].iter().zip(cases).enumerate() {
                let hits = find(&game, &history, variants, *settings);
                if !hits.is_empty() {
                    found.push((n, (game.file.clone(), game.number), hits));
                }
            }
        }
        found
    };
    let mut naive: Vec<Hits> = cases.iter().map(|_| Hits::new()).collect();
    for (n, game, hits) in files.par_iter().flat_map_iter(in_file).collect::<Vec<_>>() {
        naive[n].insert(game, hits);
    }
    for (((pattern, settings), (_, streamed)), naive) in cases.iter().zip(&searches).zip(&naive) {
        report(streamed, naive, (pattern, *settings), "stream, naive", sums);
        sums.games_with_hits.fetch_add(naive.len(), Ordering::Relaxed);
        sums.hits.fetch_add(naive.values().map(Vec::len).sum(), Ordering::Relaxed);
    }
    naive
}

/// Searches the files: those with even numbers as slices, the others by their steps.
fn in_files(files: &[RealFile], search: &Search) -> Hits {
    let mut found = Hits::new();
    let mut matcher = search.matcher();
    for (n, file) in files.iter().enumerate() {
        let mut note = |game: &GameHits<'_>| {
            found.insert((file.name.clone(), game.number()), sorted(naive_hits(search, game.hits())));
        };
        match n % 4 {
            0 => _ = matcher.read(&mut Parser::new().reader(&file.bytes[..]), &mut note).unwrap(),
            _ => _ = search.find(&Parser::new(), &file.bytes, &mut note).unwrap(),
        }
    }
    found
}

fn in_index(index: &Index, search: &Search) -> Hits {
    let mut found = Hits::new();
    let each = |game: &sgf_search::index::IndexGame<'_>| {
        let hits = sorted(naive_hits(search, game.hits()));
        found.insert((game.file().to_owned(), game.number().unwrap()), hits);
    };
    index.find(search, &[], each).unwrap();
    found
}

/// Counts differences, and prints the first ones.
fn report(one: &Hits, other: &Hits, (pattern, settings): (&Pattern, Settings), sides: &str, sums: &Sums) {
    let games = one.keys().chain(other.keys().filter(|game| !one.contains_key(game)));
    for game in games.filter(|game| one.get(*game) != other.get(*game)) {
        if sums.differences.fetch_add(1, Ordering::Relaxed) < 20 {
            let (one, other) = (one.get(game), other.get(game));
            eprintln!("{sides}: {game:?}, {} by {settings:?}:\n  {one:?}\n  {other:?}", pattern.text());
        }
    }
}
