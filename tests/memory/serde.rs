//! Typed games: allocations for the strings of their types, and nothing else.

use std::borrow::Cow;
use std::io::BufReader;

use serde::Deserialize;
use serde::de::IgnoredAny;
use sgf_stream::Parser;

/// Runs something and answers how often it allocated, and the most bytes at once.
fn allocations(run: impl FnOnce()) -> (u64, usize) {
    let _profiler = dhat::Profiler::builder().testing().build();
    run();
    let stats = dhat::HeapStats::get();
    (stats.total_blocks, stats.max_bytes)
}

#[derive(Deserialize)]
#[allow(dead_code)]
struct Owned {
    #[serde(rename = "PB")]
    black: String,
    #[serde(rename = "SZ")]
    size: u8,
    #[serde(rename = "KM")]
    komi: f32,
}

#[derive(Deserialize)]
#[allow(dead_code)]
struct Borrowed<'a> {
    #[serde(rename = "PB")]
    black: &'a str,
    #[serde(rename = "PW", borrow)]
    white: Cow<'a, str>,
    #[serde(rename = "SZ")]
    size: u8,
}

#[derive(Deserialize)]
#[allow(dead_code)]
struct Moves<'a> {
    #[serde(rename = "$mainline", borrow)]
    moves: Count<'a>,
}

/// Nodes, counted and forgotten.
#[allow(dead_code)]
struct Count<'a>(usize, std::marker::PhantomData<&'a ()>);

impl<'de: 'a, 'a> Deserialize<'de> for Count<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Nodes;
        impl<'de> serde::de::Visitor<'de> for Nodes {
            type Value = usize;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("nodes")
            }
            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> Result<usize, A::Error> {
                let mut count = 0;
                while seq.next_element::<Step<'de>>()?.is_some() {
                    count += 1;
                }
                Ok(count)
            }
        }
        deserializer.deserialize_seq(Nodes).map(|count| Count(count, std::marker::PhantomData))
    }
}

#[derive(Deserialize)]
#[allow(dead_code)]
enum Step<'a> {
    #[serde(borrow)]
    B(Cow<'a, str>),
    W(&'a str),
    #[serde(other)]
    Other,
}

const GAME: &str =
    "(;FF[4]GM[1]SZ[19]PB[Shusaku]PW[Gennan]KM[0]C[a comment];B[qd];W[dc]BL[1]OB[2];B[pq](;W[oc])(;W[po]))\n";

pub(crate) fn games_cost_the_strings_of_their_type() {
    let archive = |games| GAME.repeat(games);
    let (few, many) = (archive(100), archive(1100));
    /// The cost of a thousand more games.
    fn more(run: impl Fn(usize)) -> (u64, usize) {
        let (few, many) = (allocations(|| run(0)), allocations(|| run(1)));
        (many.0 - few.0, many.1 - few.1)
    }
    let archives = [&few, &many];
    let count = |n: usize| [100, 1100][n];

    // From a slice: one string a game, or none.
    let owned = more(|n| {
        let games = Parser::new().slice(archives[n].as_bytes()).games::<Owned>();
        assert_eq!(games.map(Result::unwrap).count(), count(n));
    });
    assert_eq!(owned, (1000, 0), "a string a game");
    let borrowed = more(|n| {
        let games = Parser::new().slice(archives[n].as_bytes()).games::<Borrowed<'_>>();
        assert_eq!(games.map(Result::unwrap).count(), count(n));
    });
    assert_eq!(borrowed, (0, 0), "nothing");
    let moves = more(|n| {
        let games = Parser::new().slice(archives[n].as_bytes()).games::<Moves<'_>>();
        assert_eq!(games.map(|game| game.unwrap().moves.0).sum::<usize>(), 4 * count(n));
    });
    assert_eq!(moves, (0, 0), "nothing");
    let ignored = more(|n| {
        let games = Parser::new().slice(archives[n].as_bytes()).games::<IgnoredAny>();
        assert_eq!(games.map(Result::unwrap).count(), count(n));
    });
    assert_eq!(ignored, (0, 0), "nothing");

    // From a stream: the same, but for what strings in the buffer need.
    let streamed = more(|n| {
        let source = BufReader::with_capacity(4096, archives[n].as_bytes());
        let games = Parser::new().reader(source).games::<Owned>();
        assert_eq!(games.map(Result::unwrap).count(), count(n));
    });
    assert!(streamed.0 < 1050 && streamed.1 < 1024, "{streamed:?}");

    // However long the archive, and however long its nodes are now and then.
    let used = |games: usize| {
        let long = format!("(;PB[{}]SZ[9]KM[1];C[{}])", "x".repeat(100_000), "x".repeat(200_000));
        let whole = [GAME.repeat(500).as_bytes(), long.as_bytes()].concat();
        let whole = whole.repeat(games);
        let read = |whole: &[u8]| {
            let source = BufReader::with_capacity(64 * 1024, whole);
            let games = Parser::new().reader(source).games::<Vec<IgnoredAny>>();
            assert_eq!(games.map(Result::unwrap).count() % 501, 0);
        };
        allocations(|| read(&whole)).1
    };
    let (short, long) = (used(4), used(40));
    assert!(long <= short + 4096 && long < 2 << 20, "{short} {long}");

    // An error costs what it says.
    let errors = more(|n| {
        let games = Parser::new().slice(archives[n].as_bytes()).games::<Vec<u8>>();
        assert_eq!(games.filter(Result::is_err).count(), count(n));
    });
    assert!(errors.0 <= 4000 && errors.1 == 0, "{errors:?}");
}
