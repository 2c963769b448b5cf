//! Laws of searches, for patterns that are any bytes and for damaged indexes.

use sgf_search::{GameHits, Hit, Pattern, Place, Search};
use sgf_stream::Parser;

/// Games to search: captures, setup after moves, moves on stones, passes, variations, and boards of several sizes.
pub const GAMES: &[&str] = &[
    "(;SZ[9];B[ba];W[aa];B[ab];W[bb];B[cb];W[ca];B[aa];W[];B[tt];W[da]AE[ba];B[ba])",
    "(;SZ[9]AB[ee:ff]AW[aa][bb];W[cc];B[ee](;W[gg];B[hh](;W[ii])(;W[gh];B[hg]))(;W[cd];B[dc];W[dd]))",
    "(;SZ[5:3]PB[a]DT[1999];B[aa];W[ec];B[ac];W[ea])",
    "(;B[pd];W[dp];B[pp];W[dd];B[fq];W[cn];B[jp];W[qf];B[nc];W[rd];B[qc];W[qi])",
    "(;SZ[13];B[dd];W[jj];B[jd];W[dj];B[cf];W[fc])",
    "(;SZ[9];B[ee]W[ff];AB[ef];B[ee];C[x](;W[zz];B[a])(;W[fe]);B[gg])",
    "(;SZ[60];B[aa])(;GM[2])",
];

/// The hits of each game that has some.
type Found = Vec<(u64, Vec<Hit>)>;

/// Searches for a pattern in the fixed games, as a slice and in steps. Returns what both find.
pub fn find(search: &Search) -> Found {
    let text = GAMES.concat();
    let (mut quick, mut steps) = (Found::new(), Found::new());
    let note = |found: &mut Found, game: &GameHits<'_>| found.push((game.number(), game.hits().to_vec()));
    let counts = search.find(&Parser::new(), text.as_bytes(), |game| note(&mut quick, game)).unwrap();
    let mut matcher = search.matcher();
    let by_steps = matcher.read(&mut Parser::new().reader(text.as_bytes()), |game| note(&mut steps, game)).unwrap();
    assert_eq!((&quick, counts), (&steps, by_steps), "left: quick, right: by steps");
    quick
}

/// A pattern of any text displays as a diagram that is the same pattern, and can be searched for.
pub fn pattern(settings: u8, text: &str) {
    let Ok(pattern) = text.parse::<Pattern>() else { return };
    is_its_diagram(&pattern);
    is_its_diagram(&pattern.clone().with_empty_rest());
    let place = [Place::BySides, Place::Fixed, Place::Anywhere][usize::from(settings & 3) % 3];
    let search = Search::new(pattern)
        .place(place)
        .symmetries(settings & 4 == 0)
        .swap_colors(settings & 8 == 0)
        .variations(settings & 16 != 0)
        .every_place(settings & 32 != 0);
    for (_, hits) in find(&search) {
        assert!(!hits.is_empty() && (settings & 32 != 0 || hits.len() == 1));
    }
}

/// Asserts that a pattern is read again from its diagram, apart from the moves that follow it.
fn is_its_diagram(pattern: &Pattern) {
    let text = pattern.to_string();
    let again = match text.parse::<Pattern>() {
        Ok(again) => again,
        Err(error) => return assert!(!pattern.continuation().is_empty(), "{text}: {error}"),
    };
    let (region, other) = (pattern.region(), again.region());
    assert_eq!((region.columns(), region.rows()), (other.columns(), other.rows()), "{text}");
    for (point, other) in region.points().zip(other.points()) {
        assert_eq!(pattern.need(point), again.need(other), "{point} is {other}: {text}");
    }
    assert_eq!(again.to_string(), text);
}

#[cfg(feature = "index")]
pub use self::damaged::damaged;

#[cfg(feature = "index")]
mod damaged {
    use std::path::{Path, PathBuf};
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::{fs, process};

    use sgf_board::Board;
    use sgf_search::index::{Index, IndexError, IndexGame, IndexOptions, IndexWriter, Stamp};
    use sgf_search::{Hit, Pattern, Search};
    use sgf_stream::Parser;
    use sgf_stream::value::Size;

    use super::GAMES;

    /// The patterns to search for.
    const PATTERNS: [&str; 3] = ["X", "(;SZ[9]AB[ab][ba]AE[aa])", "(;SZ[19]AB[pd]AW[qf]VW[ma:sg];B[nc])"];

    /// What an index answers.
    #[derive(Debug, PartialEq)]
    struct Answers {
        found: Vec<(String, u64, Vec<Hit>)>,
        positions: String,
    }

    /// A valid index: its files, and its answers.
    struct Valid {
        files: Vec<(String, Vec<u8>)>,
        answers: Answers,
    }

    /// A directory that is removed at the end.
    struct Directory(PathBuf);

    impl Directory {
        fn new() -> Self {
            static COUNT: AtomicUsize = AtomicUsize::new(0);
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let directory = std::env::temp_dir().join(format!("sgf-damaged {} {number}", process::id()));
            fs::create_dir_all(&directory).unwrap();
            Directory(directory)
        }
    }

    impl Drop for Directory {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn valid() -> &'static Valid {
        static VALID: OnceLock<Valid> = OnceLock::new();
        VALID.get_or_init(|| {
            let directory = Directory::new();
            let options = IndexOptions::new().variations(true);
            // Two runs, of which the second replaces a file of the first.
            for files in [&["a", "b"][..], &["b"]] {
                let mut writer = IndexWriter::open(&directory.0, &options).unwrap();
                let (parser, reader) = (Parser::new(), writer.reader());
                for file in files {
                    let text = GAMES.concat();
                    let rows = reader.read(&parser, file, || parser.reader(text.as_bytes())).unwrap();
                    writer.write(rows).unwrap();
                    writer.set_file(file, Stamp { size: 1, modified: 2, hash: "x".to_owned() });
                }
                writer.finish().unwrap();
            }
            let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(&directory.0)
                .unwrap()
                .map(|entry| entry.unwrap())
                .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
                .collect();
            files.sort();
            Valid { files, answers: answers(&directory.0).unwrap() }
        })
    }

    /// Asks an index all there is to ask.
    fn answers(directory: &Path) -> Result<Answers, IndexError> {
        let index = Index::open(directory)?;
        let mut found = Vec::new();
        for pattern in PATTERNS {
            let pattern: Pattern = pattern.parse().unwrap();
            for search in [Search::new(pattern.clone()), Search::new(pattern).variations(true).every_place(true)] {
                let note = |game: &IndexGame<'_>| {
                    let hits = game.hits().to_vec();
                    found.push((game.file().to_owned(), game.number().unwrap_or(u64::MAX), hits));
                };
                index.find(&search, &["PB", "date"], note)?;
            }
        }
        let mut positions = String::new();
        for side in [9, 19] {
            let mut board = Board::new(Size::square(side).unwrap()).unwrap();
            positions += &format!("{:?}", index.position(&board)?);
            board.play(sgf_stream::value::Color::Black, sgf_stream::value::go::Point::new(15, 3).unwrap());
            positions += &format!("{:?}", index.position(&board)?);
        }
        Ok(Answers { found, positions })
    }

    /// A damaged index is an error, or it answers as before.
    ///
    /// Each change has six bytes: a file, what happens to it, where, and a byte.
    pub fn damaged(changes: &[u8]) {
        let Valid { files, answers: expected } = valid();
        let mut files = files.clone();
        for change in changes.chunks_exact(6) {
            let &[file, kind, high, middle, low, byte] = change else { continue };
            let number = usize::from(file) % files.len();
            let bytes = &mut files[number].1;
            let place = usize::from(high) << 16 | usize::from(middle) << 8 | usize::from(low);
            // From the end too, where Parquet has its footer.
            let at = if kind & 8 == 0 { place } else { bytes.len().saturating_sub(1 + place) };
            let at = at.min(bytes.len().saturating_sub(1));
            match kind % 8 {
                0 | 1 => bytes.iter_mut().skip(at).take(1).for_each(|of| *of = byte),
                2 => bytes.iter_mut().skip(at).take(1).for_each(|of| *of ^= 1 << (byte % 8)),
                3 => bytes.iter_mut().skip(at).take(usize::from(byte)).for_each(|of| *of = 0xFF),
                4 => bytes.truncate(at),
                5 => bytes.insert(at, byte),
                6 => bytes.drain(at..(at + usize::from(byte)).min(bytes.len())).for_each(drop),
                _ => {
                    // The content of another file.
                    let other = files[(number + 1 + usize::from(byte)) % files.len()].1.clone();
                    files[number].1 = other;
                }
            }
        }
        let directory = Directory::new();
        for (name, bytes) in &files {
            fs::write(directory.0.join(name), bytes).unwrap();
        }
        match answers(&directory.0) {
            Ok(answers) => assert_eq!(&answers, expected, "{changes:?}"),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
        // A writer too.
        if let Ok(mut writer) = IndexWriter::open(&directory.0, &IndexOptions::new()) {
            writer.remove_file("a");
            let _ = writer.finish();
        }
    }
}
