//! Games on all cores: laws.

use std::io::{self, BufRead, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

use quickcheck::{Arbitrary, Gen};
#[cfg(feature = "serde")]
use sgf_stream::de::{self, Options};
use sgf_stream::parts::{Next, Part};
#[cfg(feature = "serde")]
use sgf_stream::{Code, DiagnosticLog};
use sgf_stream::{Error, Event, Parser};

#[cfg(feature = "serde")]
use crate::support::EachEvent;
use crate::support::generate::{Chunks, Input};
use crate::support::parallel::{self, Cut};
use crate::support::{Given, Rules, holds};

impl Arbitrary for Cut {
    fn arbitrary(random: &mut Gen) -> Self {
        let lens = [0, 1, 8, 40, 1 << 20];
        let len = |random: &mut Gen| *random.choose(&lens).unwrap() + usize::arbitrary(random) % 8;
        Cut { part_len: len(random), max_game_len: len(random), whole_pieces: bool::arbitrary(random) }
    }
}

#[test]
fn parts_one_after_the_other_are_the_stream() {
    fn law(Input(bytes): Input, rules: Rules, cut: Cut, Chunks(sizes): Chunks) {
        parallel::parts(&bytes, &rules, &cut, &sizes);
    }
    holds(5000, law as fn(Input, Rules, Cut, Chunks));
}

#[test]
fn games_too_long_for_a_part_are_errors_of_the_iterator() {
    fn law(Input(bytes): Input, rules: Rules, cut: Cut, Chunks(sizes): Chunks) {
        parallel::long_games_are_errors(&bytes, &rules, &cut, &sizes);
    }
    holds(5000, law as fn(Input, Rules, Cut, Chunks));
}

/// Nobody knows where the first game ends before the blanks do, and no part can hold them.
#[test]
fn a_game_that_may_begin_with_any_number_of_blanks_is_read_in_sequence() {
    let bytes = format!("(;FF[4]\n({};FF[4];B[aa])\n(;FF[4])", " ".repeat(1_000_000)).into_bytes();
    let parser = Parser::new().max_game_len(1000);
    let mut parts = parser.parts(&bytes[..]).part_len(1000);
    let Some(Next::Long(mut games)) = parts.next_part().unwrap() else { panic!("it is long") };
    let mut longest = 0;
    let mut nodes = 0;
    let mut push = parser.push();
    loop {
        let piece = games.fill_buf().unwrap();
        let len = piece.len();
        longest = longest.max(len);
        let count = |event: Event<'_>, _| nodes += usize::from(event == Event::Node);
        _ = if len == 0 { push.finish(count) } else { push.feed(piece, count) }.unwrap();
        if len == 0 {
            break;
        }
        games.consume(len);
    }
    assert!(nodes == 3 && longest < 200_000, "{nodes} nodes, {longest} bytes at once");
    let Some(Next::Part(part)) = parts.next_part().unwrap() else { panic!("the third game is a part") };
    assert_eq!((part.bytes(), parts.next_part().unwrap().is_none()), (&b"(;FF[4])"[..], true));
}

#[test]
fn parts_of_a_slice_are_the_slice() {
    fn law(Input(bytes): Input, rules: Rules, cut: Cut) {
        for pool in pools() {
            pool.install(|| parallel::slice(&bytes, &rules, &cut));
        }
    }
    holds(3000, law as fn(Input, Rules, Cut));
}

/// Pools of one thread, and of several.
fn pools() -> &'static [rayon::ThreadPool] {
    static POOLS: LazyLock<Vec<rayon::ThreadPool>> = LazyLock::new(|| {
        let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        vec![pool(1), pool(3)]
    });
    &POOLS
}

#[cfg(feature = "serde")]
type Game = std::collections::BTreeMap<String, String>;

/// Games and errors as they were told, and the findings, sorted: parts are read at the same time.
#[cfg(feature = "serde")]
type Games = (Vec<Result<Game, String>>, Vec<(u64, Code)>);

#[cfg(feature = "serde")]
fn told<I: IntoIterator<Item = de::Result<Game>>>(parser: &Parser, read: impl Fn(Parser) -> I) -> Games {
    let log = DiagnosticLog::new(usize::MAX);
    let games = read(parser.clone().log_to(&log)).into_iter();
    let games = games.map(|game| game.map_err(|error| error.to_string())).collect();
    let mut findings: Vec<_> = log.take().iter().map(|found| (found.position.offset, found.code)).collect();
    findings.sort_by_key(|&(at, code)| (at, code.as_str()));
    (games, findings)
}

#[cfg(feature = "serde")]
#[test]
fn games_on_all_cores_are_the_games() {
    fn law(Input(bytes): Input, rules: Rules, cut: Cut, Chunks(sizes): Chunks, keep: bool) {
        let parser = crate::support::parser(&rules).max_game_len(cut.max_game_len);
        if rules.strict && parser.each_event(&bytes, |_, _| {}).is_err() {
            return; // where a faulty game ends, and what is a fault, depends on what is read of it
        }
        let kept = Options::new().accept_truncated(keep);
        let expected = told(&parser, |parser| parser.reader(&bytes[..]).games_with(kept));
        for pool in pools() {
            let found = pool.install(|| {
                let stream = || parallel::trickle(&bytes, &sizes);
                told(&parser, |parser| parser.par_reader(stream()).part_len(cut.part_len).games_with(kept))
            });
            assert_eq!(found, expected, "left: on all cores, right: one after the other");
            let found = pool
                .install(|| told(&parser, |parser| parser.par_slice(&bytes).part_len(cut.part_len).games_with(kept)));
            assert_eq!(found, expected, "left: a slice on all cores, right: one after the other");
        }
    }
    holds(1000, law as fn(Input, Rules, Cut, Chunks, bool));
}

/// The options are those of games in sequence.
#[cfg(feature = "serde")]
#[test]
fn a_cut_game_may_be_kept_and_depth_is_limited() {
    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Tree {
        #[serde(rename = "$variations", default)]
        variations: Vec<Tree>,
    }

    let archive = "(;FF[4](;B[aa](;W[bb])(;W[cc]))(;B[dd]))\n(;FF[4];B[aa])\n".repeat(20) + "(;FF[4](;B[aa]";
    let (parser, bytes) = (Parser::new(), archive.as_bytes());
    for (keep, depth) in [(false, 512), (true, 512), (false, 2), (true, 2), (true, 1)] {
        let options = Options::new().accept_truncated(keep).max_depth(depth);
        let games = parser.reader(bytes).games_with::<Tree>(options);
        let expected: Vec<Option<Tree>> = games.map(Result::ok).collect();
        assert_eq!(expected.len(), 41);
        assert_eq!(expected[40].is_some(), keep && depth > 1);
        let reader = parser.par_reader(bytes).part_len(50);
        assert_eq!(reader.games_with::<Tree>(options).map(Result::ok).collect::<Vec<_>>(), expected);
        let slice = parser.par_slice(bytes).part_len(50);
        assert_eq!(slice.games_with::<Tree>(options).map(Result::ok).collect::<Vec<_>>(), expected);
    }
}

/// They are read in sequence, wherever they occur.
#[cfg(feature = "serde")]
#[test]
fn games_too_long_for_a_part_are_read() {
    let long = "C[a text]".repeat(20);
    let games = [
        format!("(;FF[4]PB[a];{long})"),
        format!("(;FF[4]PB[an end that is missing];{long}(;{long}"),
        format!("(;FF[4]PB[a text that is not closed];{long}C[cut"),
        format!("(;FF[4]PB[junk];{long} !? {long}C)"),
        format!("(;FF[4]PB[brackets];{long}(;)))))"),
        format!("(;FF[4]PB[a field {long}];{long})"),
        format!("(;PB[no head];{long})"),
        format!("mail {long} (;FF[4]PB[text before];{long})"),
        "(;FF[4]PB[short])".to_owned(),
    ];
    let (mut glued, mut on_lines) = (String::new(), String::new());
    for first in &games {
        for second in &games {
            glued += &format!("{first}{second}");
            on_lines += &format!("{first}\n{second}(;FF[4]PB[short])\r\n");
        }
    }
    for archive in games.iter().chain([&glued, &on_lines]) {
        for limit in [0, 100, 250, 1000] {
            let parser = Parser::new().max_game_len(limit).max_value_len(50);
            let expected = told(&parser, |parser| parser.reader(archive.as_bytes()).games());
            for (pool, part_len) in pools().iter().zip([1000, 100]) {
                let reader = |parser: Parser| parser.par_reader(archive.as_bytes()).part_len(part_len);
                let found = pool.install(|| told(&parser, |parser| reader(parser).games()));
                assert_eq!(found, expected, "limit {limit}, left: on all cores, right: one after the other");
                let mut found = pool.install(|| told(&parser, |parser| reader(parser).unordered().games()));
                let mut expected = expected.clone();
                found.0.sort();
                expected.0.sort();
                assert_eq!(found, expected, "limit {limit}, left: as they come, right: one after the other");
            }
        }
    }
}

/// In strict mode the value goes on over the `]`, into the next game, until it is too long. With the repairs that find
/// the end of a faulty game, it ends there.
#[test]
fn a_part_does_not_end_before_the_bytes_that_a_fault_depends_on() {
    let rules = Rules { strict: true, max_value_len: 8, max_ident_len: 256, max_depth: 100, given: Given::Nothing };
    let cut = Cut { part_len: 1 << 20, max_game_len: 1, whole_pieces: false };
    for len in 0..20 {
        let archive = [&b"(;CA[Big5][\x90])(;A["[..], &b"B".repeat(len)[..], b"](;FF[4])"].concat();
        for sizes in [1, 2, 7, 100] {
            parallel::parts(&archive, &rules, &cut, &[sizes]);
            parallel::parts(&archive[..archive.len() - 9], &rules, &cut, &[sizes]);
            parallel::parts(&archive[..archive.len() - 10], &rules, &cut, &[sizes]);
        }
    }
}

/// With the limits as they are if nobody sets them.
#[cfg(feature = "serde")]
#[test]
fn a_game_beyond_16_mib_is_a_game() {
    let text = "C[a text of 64 bytes, which stands in each node of a long game...]";
    let long = format!("(;FF[4]PB[long];B[aa]{})", format!(";{text}").repeat(17 * 1024 * 1024 / text.len()));
    let archive = format!("(;FF[4]PB[a])\n{long}\n(;FF[4]PB[b])").into_bytes();
    let names = Parser::new().par_reader(&archive[..]).games::<Game>().map(|game| Ok(game?.remove("PB").unwrap()));
    assert_eq!(names.collect::<de::Result<Vec<_>>>().unwrap(), ["a", "long", "b"]);
}

/// Strict reading cannot tell where faulty games end: if all are faulty, no thread gets a part.
#[cfg(feature = "serde")]
#[test]
fn games_too_long_for_a_part_come_as_they_are_read() {
    let game = b"(;FF[4]B ";
    let read = Arc::new(AtomicU64::new(0));
    let stream = Endless { game, read: Arc::clone(&read) };
    let mut games = Parser::strict().max_game_len(1000).par_reader(stream).part_len(1000).games::<Game>();
    assert!(games.next().is_some_and(|game| game.is_err()));
    let read = read.load(Ordering::Relaxed);
    assert!(read <= 100_000, "{read} bytes");
}

#[cfg(feature = "serde")]
#[test]
fn fields_that_do_not_fit_may_be_left_out() {
    type Game = std::collections::BTreeMap<String, u8>;
    let archive = "(;AA[1]BB[x])\n(;CC[]DD[2])".repeat(20);
    let parser = Parser::new().count_lines(true);
    let lenient = Options::new().lenient_fields(true);
    let expected: Vec<Game> = parser.slice(archive.as_bytes()).games_with(lenient).map(Result::unwrap).collect();
    assert!(expected.len() == 40 && expected.iter().all(|game| game.len() == 1));
    let reader = parser.par_reader(archive.as_bytes()).part_len(50);
    assert_eq!(reader.games_with::<Game>(lenient).map(Result::unwrap).collect::<Vec<_>>(), expected);
    let slice = parser.par_slice(archive.as_bytes()).part_len(50);
    assert_eq!(slice.games_with::<Game>(lenient).map(Result::unwrap).collect::<Vec<_>>(), expected);
    let exact = |parsed: sgf_stream::de::Result<Game>| parsed.map_err(|error| error.message());
    let slice = parser.par_slice(b"(;KM[x]AB[1])(;AB[x])");
    let slice = slice.games_with::<Game>(Options::new().lenient_header(true)).map(exact);
    assert_eq!(slice.collect::<Vec<_>>(), [Ok(Game::from([("AB".into(), 1)])), Err("expected u8, found \"x\"".into())]);
    // Lines are those of the stream.
    let error = parser.par_slice(archive.as_bytes()).part_len(50).games::<Game>().nth(38).unwrap().unwrap_err();
    assert_eq!(error.to_string(), "game 39, root, BB at line 20, column 22 (byte 503): expected u8, found \"x\"");
}

fn archive(games: usize) -> Vec<u8> {
    (0..games).map(|n| format!("(;FF[4]C[game {n}];B[aa])\n")).collect::<String>().into_bytes()
}

/// Parts that come first take longest.
#[test]
fn results_come_in_order_or_as_they_come() {
    let archive = archive(1000);
    for pool in pools() {
        let number = |part: Part<'_>| {
            let start = part.span().start;
            std::thread::sleep(std::time::Duration::from_micros(2000 / (1 + start / 25)));
            Ok(start)
        };
        let reader = || Parser::new().par_reader(&archive[..]).part_len(100);
        let numbers = |result: Result<_, Error>| result.unwrap();
        let in_order: Vec<_> = pool.install(|| reader().map(number).map(numbers).collect());
        assert!(in_order.is_sorted() && in_order.len() == 250, "{in_order:?}");
        let mut as_they_come: Vec<_> = pool.install(|| reader().unordered().map(number).map(numbers).collect());
        as_they_come.sort();
        assert_eq!(as_they_come, in_order);
    }
}

/// One game, again and again; and how many bytes have been read.
struct Endless {
    game: &'static [u8],
    read: Arc<AtomicU64>,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.game.len();
        buffer[..len].copy_from_slice(self.game);
        self.read.fetch_add(len as u64, Ordering::Relaxed);
        Ok(len)
    }
}

/// An endless stream is read no further than the threads need.
#[test]
fn no_more_is_read_than_is_asked_for() {
    for (pool, threads) in pools().iter().zip([1, 3]) {
        let read = Arc::new(AtomicU64::new(0));
        pool.install(|| {
            let reader =
                Parser::new().par_reader(Endless { game: b"(;B[aa])", read: Arc::clone(&read) }).part_len(1000);
            let mut spans = reader.map(|part| Ok::<_, Error>(part.span()));
            assert_eq!(spans.next().unwrap().unwrap(), 0..1000);
        });
        let read = read.load(Ordering::Relaxed);
        assert!(read <= 1008 * (3 * threads + 1), "{read} bytes");
    }
}

#[test]
fn a_panic_comes_where_the_result_would() {
    let archive = archive(100);
    for pool in pools() {
        let panicking = |part: Part<'_>| match part.span().start {
            0 => Ok::<_, Error>(()),
            _ => panic!("as told"),
        };
        let mut results = Parser::new().par_reader(&archive[..]).part_len(100).map(panicking);
        pool.install(|| {
            assert!(results.next().is_some_and(|result| result.is_ok()));
            let panic = catch_unwind(AssertUnwindSafe(|| results.next())).unwrap_err();
            assert_eq!(panic.downcast_ref(), Some(&"as told"));
        });
    }
}

#[derive(Debug)]
struct Failing;

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("the cable is out"))
    }
}

#[test]
fn an_io_error_is_the_last_item() {
    let mut archive = archive(12);
    archive.truncate(archive.len() - 5);
    let stream = || archive.as_slice().chain(Failing);
    let results = Parser::new().par_reader(stream()).part_len(100).map(|part| Ok(part.game_count(&Parser::new())));
    let told: Vec<_> = results.map(|result: Result<_, Error>| result.map_err(|error| error.to_string())).collect();
    assert_eq!(told, [Ok(5), Ok(5), Ok(1), Err("the cable is out".to_owned())], "all whole games, and the error");

    // One that has not come far enough to be cut.
    let results: Vec<_> =
        Parser::new().parts(stream()).map(|part| part.map(|part| part.game_count(&Parser::new()))).collect();
    assert_eq!((results.len(), results[0].as_ref().unwrap(), results[1].is_err()), (2, &11, true));

    let mut parts = Parser::new().parts(stream());
    for _ in 0..2 {
        assert_eq!(parts.next_part().unwrap_err().to_string(), "the cable is out");
    }
    let rest = parts.into_rest().unwrap();
    assert_eq!(
        (rest.bytes(), rest.game_count(&Parser::new())),
        (archive.rsplitn(2, |&byte| byte == b'\n').last().unwrap(), 11)
    );
}

/// Wherever it comes, and however the parts are cut.
#[test]
fn all_whole_games_before_an_io_error_are_in_parts() {
    let archive = b"(;FF[4]PB[a])\n(;FF[4]PB[b]C[x];C[a text])(;FF[4]PB[c];B[aa](;FF[4]PB[d])(;B[aa])".repeat(3);
    let parser = Parser::new();
    for cut in 0..=archive.len() {
        for part_len in [1, 20, 50, 1000] {
            let read = |whole_pieces| {
                let parts = parser.parts(archive[..cut].chain(Failing)).part_len(part_len);
                let mut parts = if whole_pieces { parts.whole_pieces() } else { parts };
                let (mut games, mut end) = (0, 0);
                let mut add = |part: &Part<'_>| {
                    assert_eq!(part.span().start, end);
                    (games, end) = (games + part.game_count(&parser), part.span().end);
                };
                while let Ok(next) = parts.next_part() {
                    let Some(Next::Part(part)) = next else { panic!("no game is long") };
                    add(&part);
                }
                parts.into_rest().iter().for_each(add);
                games
            };
            assert_eq!(read(false), read(true), "{cut} bytes in parts of {part_len}");
        }
    }
}

/// Wherever it comes, and whatever is too long for a part.
#[cfg(feature = "serde")]
#[test]
fn games_end_at_an_io_error_as_those_of_a_reader_do() {
    let archive = b"(;FF[4]PB[a])\n(;FF[4]PB[b]C[x];C[a text])(;FF[4]PB[c];B[aa](;FF[4]PB[d])".repeat(3);
    for cut in 0..=archive.len() {
        for limit in [0, 20, 1000] {
            let parser = Parser::new().max_game_len(limit);
            let stream = || archive[..cut].chain(Failing);
            let tell = |game: de::Result<Game>| game.map_err(|error| error.is_io());
            let expected: Vec<_> = parser.reader(io::BufReader::new(stream())).games().map(tell).collect();
            let found: Vec<_> = parser.par_reader(stream()).part_len(30).games().map(tell).collect();
            assert_eq!(found, expected, "{cut} bytes, limit {limit}, left: on all cores, right: one after the other");
        }
    }
}

#[test]
fn parts_of_a_stream_know_their_lines_and_those_of_a_slice_where_they_are_counted() {
    let archive = b"(;FF[4]\n)\n(;FF[4]\n;)(;FF[4])";
    let counting = Parser::new().count_lines(true);
    let cut = |parser: &Parser| parser.parts(&archive[..]).part_len(1).collect::<Result<Vec<_>, _>>().unwrap();
    let lines = |parts: &[Part<'_>]| -> Vec<_> {
        let line = |part: &Part<'_>| {
            let mut reader = part.reader(&counting);
            reader.skip_game().unwrap();
            reader.game_position().map(|position| (position.line, position.offset))
        };
        parts.iter().map(line).collect()
    };
    let whole = [Some((1, 0)), Some((3, 10)), Some((4, 20))];
    assert_eq!(lines(&cut(&counting)), whole);
    assert_eq!(lines(&cut(&Parser::new())), whole);
    assert_eq!(lines(&counting.par_slice(archive).part_len(1).parts()), whole);
    // Otherwise they start anew at each head.
    let slice = Parser::new().par_slice(archive).part_len(1).parts();
    assert_eq!(lines(&slice), [Some((1, 0)), Some((1, 10)), Some((1, 20))]);
}

/// However the bytes come.
#[test]
fn a_game_is_too_long_from_the_first_byte_beyond_the_limit() {
    let archive = b"(;)(;B[aa])(;B[aa];)(;)";
    for sizes in [&[1][..], &[7], &[100]] {
        for (limit, whole) in [(8, "[(;)(;B[aa])]<(;B[aa];)>[(;)]"), (9, "[(;)(;B[aa])(;B[aa];)(;)]")] {
            let parser = Parser::new().max_game_len(limit);
            let mut parts = parser.parts(parallel::trickle(archive, sizes)).part_len(1000);
            let mut told = String::new();
            while let Some(next) = parts.next_part().unwrap() {
                match next {
                    Next::Part(part) => told += &format!("[{}]", part.bytes().escape_ascii()),
                    Next::Long(mut game) => told += &format!("<{}>", io::read_to_string(&mut game).unwrap()),
                }
            }
            assert_eq!(told, whole, "{limit}, {sizes:?}");
        }
    }
}
