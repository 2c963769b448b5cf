//! The examples do what they say, on small archives and on the corpus of `../shared`.

#[path = "../../examples/edit_tree.rs"]
#[allow(dead_code)]
mod edit_tree;
#[path = "../../examples/full_tree.rs"]
#[allow(dead_code)]
mod full_tree;
#[path = "../../examples/headers.rs"]
#[allow(dead_code)]
mod headers;
#[cfg(feature = "codec")]
#[path = "../../examples/ingest.rs"]
#[allow(dead_code)]
mod ingest;
#[path = "../../examples/main_line.rs"]
#[allow(dead_code)]
mod main_line;
#[path = "../../examples/move_list.rs"]
#[allow(dead_code)]
mod move_list;
#[path = "../../crates/sgf-board/examples/positions.rs"]
#[allow(dead_code)]
mod positions;
#[cfg(feature = "codec")]
#[path = "../../examples/send.rs"]
#[allow(dead_code)]
mod send;
#[path = "../../examples/write_games.rs"]
#[allow(dead_code)]
mod write_games;

use std::fs;

use sgf_stream::Parser;

const ARCHIVE: &[u8] =
    "(;FF[4]GM[1]PB[Shusaku]PW[Gennan]KM[0]DT[1846-09-11]RE[B+2];B[qd]C[the ear-\nreddening game];W[dc]\
                        (;B[pq]C[calm])(;B[oc](;W[pp])(;W[dd]C[bold])))\
                        (;PB[Honinbo [9d\\]]RE[unknown];B[pd];W[])(;PB[cut"
        .as_bytes();

/// The output of an example.
fn written(run: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    run(&mut out);
    String::from_utf8(out).unwrap()
}

#[test]
fn headers_has_a_line_for_each_game() {
    let out = written(|out| assert_eq!(headers::headers(Parser::new().reader(ARCHIVE), out).unwrap(), 2));
    assert_eq!(out, "1846-09-11\tShusaku\tGennan\t0\tB+2\n?\tHoninbo [9d]\t\t0\t?\n");
}

#[test]
fn move_list_reads_another_format() {
    let lines = "Shusaku, Gennan, qd dc pq\nA, B\nC, D, qd zzz\nE, F, aa";
    let out = written(|out| move_list::move_list(lines.as_bytes(), out).unwrap());
    assert_eq!(
        out,
        "Shusaku - Gennan: 3 moves\nA - B: 0 moves\nmove: expected the end of the value after \"zz\", found \"z\"\nE - F: 1 moves\n"
    );
}

#[test]
fn positions_are_those_of_strong_games() {
    let strong = "BR[9p]WR[5d?]";
    let games = format!(
        "(;{strong}AB[aa][bb]AW[ab];B[ba];W[];B[ac](;W[sb];B[sb];W[cc])(;W[dd]))(;BR[9p]WR[4d];B[aa];W[bb])\
        (;SZ[9]{strong};B[aa])(;{strong};B[bb])(;B[cc])(;{strong};W[ss]"
    );
    let mut out = Vec::new();
    assert_eq!(positions::positions(games.as_bytes(), &mut out).unwrap(), 4);
    let records: Vec<&[u8]> = out.chunks(2 * 361 + 2).collect();
    let next = |record: &&[u8]| u16::from_le_bytes([record[722], record[723]]);
    assert_eq!(records.iter().map(next).collect::<Vec<_>>(), [1, 38, 37, 20]);
    let stones = |record: &[u8]| -> Vec<usize> { (0..722).filter(|&at| record[at] == 1).collect() };
    assert_eq!(stones(records[0]), [0, 20, 361 + 19]);
    assert_eq!(stones(records[2]), [361, 361 + 1, 361 + 20, 361 + 38], "W[ab] was captured, and White is to move");
    assert!(stones(records[3]).is_empty());
}

#[test]
fn main_line_counts_first_moves() {
    let out = written(|out| main_line::first_moves(Parser::new().reader(ARCHIVE), out).unwrap());
    assert_eq!(out, "2 games, 4 stones\npd\t1\nqd\t1\n");
}

#[test]
fn full_tree_prints_comments_at_their_level() {
    let whole = &ARCHIVE[..ARCHIVE.len() - b"(;PB[cut".len()];
    let out = written(|out| full_tree::outline(Parser::new().reader(whole), out).unwrap());
    let lines = "game 1\n  1. qd: the ear-\n    3. pq: calm\n      4. dd: bold\ngame 2\n";
    assert_eq!(out, lines);
}

#[test]
fn edit_tree_merges_games() {
    let games = &b"(;PB[a]PW[b]RE[B+R];B[qd];W[dc];B[pq])(;PB[c];B[qd];W[dc];B[oc](;W[cp])(;W[pp]))(;PB[d];W[qd])"[..];
    let merged = edit_tree::merge(Parser::new().reader(games)).unwrap();
    assert_eq!(
        String::from_utf8(merged.to_vec().unwrap()).unwrap(),
        "(;FF[4]CA[UTF-8](;B[qd]C[a – b, B+R];W[dc](;B[pq])(;B[oc]C[c – ?, ?](;W[cp])(;W[pp])))(;W[qd]C[d – ?, ?]))\n"
    );
}

#[test]
fn write_games_writes_what_headers_reads() {
    let lines = &b"Shusaku, Gennan, B+2, qd dc pq\nA] \\ b, \xE5\x9B\xB2, ?, \n"[..];
    let out = written(|out| write_games::write_games(lines, out).unwrap());
    let games = "(;FF[4]GM[1]PB[Shusaku]PW[Gennan]RE[B+2];B[qd];W[dc];B[pq])\n\
                 (;FF[4]GM[1]CA[UTF-8]PB[A\\] \\\\ b]PW[囲]RE[?])\n";
    assert_eq!(out, games);
    let read = written(|out| assert_eq!(headers::headers(Parser::strict().reader(games.as_bytes()), out).unwrap(), 2));
    assert_eq!(read, "?\tShusaku\tGennan\t0\tB+2\n?\tA] \\ b\t囲\t0\t?\n");
    assert!(write_games::write_games(&b"a, b"[..], Vec::new()).is_err());
}

/// Nothing in real files ends an example, but for variations that are deeper than the limit.
#[test]
fn examples_read_real_files() {
    for path in crate::support::shared::corpus() {
        let file = fs::read(&path).unwrap();
        let reader = || Parser::new().reader(&file[..]);
        written(|out| {
            headers::headers(reader(), out).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        });
        written(|out| {
            main_line::first_moves(reader(), out).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        });
    }
}

/// The server of `ingest`, and the client that speaks to it.
#[cfg(feature = "codec")]
mod over_tcp {
    use std::net::SocketAddr;
    use std::path::PathBuf;
    use std::time::Duration;
    use std::{env, fs, process};

    use serde_json::Value;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::{TcpListener, TcpStream};
    use tokio::task::JoinHandle;
    use tokio_util::sync::CancellationToken;

    use super::ingest::{self, Limits};
    use super::send::{self, Tally};
    use crate::support::shared;

    /// Longer than any test waits.
    const MINUTE: Duration = Duration::from_secs(60);
    const LIMITS: Limits = Limits { game_len: 2000, patience: MINUTE, peers: 10, grace: MINUTE };

    async fn server(limits: Limits) -> (SocketAddr, CancellationToken, JoinHandle<()>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, stop) = (listener.local_addr().unwrap(), CancellationToken::new());
        (address, stop.clone(), tokio::spawn(ingest::serve(listener, limits, stop)))
    }

    fn parsed(answers: &str) -> Vec<Value> {
        answers.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[tokio::test]
    async fn ingest_answers_every_game() {
        let (address, stop, serving) = server(LIMITS).await;
        let mut socket = TcpStream::connect(address).await.unwrap();
        let long = "long ".repeat(1000);
        let text = format!(
            "(;PB[Shusaku]PW[Gennan]RE[B+2];B[qd];C[pause];W[dc]) mail (;;B[q_])(;C[{long}])\n(;W)\n(;W[])(;B[cut"
        );
        socket.write_all(text.as_bytes()).await.unwrap();
        socket.shutdown().await.unwrap();
        let mut answers = String::new();
        socket.read_to_string(&mut answers).await.unwrap();
        let answers = parsed(&answers);
        assert_eq!(answers[0]["black"], "Shusaku");
        assert_eq!((&answers[0]["result"], &answers[0]["moves"]), (&"B+2".into(), &2.into()));
        let told: Vec<_> = answers.iter().map(|line| (line["game"].as_u64(), line["error"].as_str())).collect();
        let expected = [
            (Some(0), None),
            (None, Some("junk-outside-tree")),
            (Some(1), Some("not-a-game-of-go")),
            (Some(2), Some("game-too-long")),
            (Some(3), Some("property-without-value")),
            (Some(4), None),
            (Some(5), Some("unterminated-value")),
        ];
        assert_eq!(told, expected);
        let at = |fault: usize| &text[answers[fault]["at"].as_u64().unwrap() as usize..];
        assert!(at(1).starts_with("mail") && at(2).starts_with("_]") && at(3).starts_with("(;C[long"));
        assert!(at(4).starts_with("W)") && at(6) == "[cut");
        stop.cancel();
        serving.await.unwrap();
    }

    #[tokio::test]
    async fn ingest_does_not_wait_for_ever() {
        let (address, _stop, _) = server(Limits { patience: Duration::from_millis(50), ..LIMITS }).await;
        let mut socket = TcpStream::connect(address).await.unwrap();
        socket.write_all(b"(;;B[dd])(;B[in the mid").await.unwrap();
        let mut answers = String::new();
        socket.read_to_string(&mut answers).await.unwrap();
        let answers = parsed(&answers);
        assert_eq!((&answers[0]["moves"], &answers[1]["error"], answers.len()), (&1.into(), &"too-slow".into(), 2));
    }

    /// Connected peers get their answers, even one that sends more; a new one is refused.
    #[tokio::test]
    async fn ingest_stops_when_it_is_told_to() {
        let (address, stop, serving) = server(LIMITS).await;
        let mut socket = TcpStream::connect(address).await.unwrap();
        socket.write_all(b"(;B[dd])(;B[pp];W[in the mid").await.unwrap();
        let mut answers = vec![0; 1024];
        let mut len = 0;
        while answers[..len].iter().filter(|&&byte| byte == b'\n').count() < 1 {
            len += socket.read(&mut answers[len..]).await.unwrap();
        }
        stop.cancel();
        let mut rest = String::new();
        socket.read_to_string(&mut rest).await.unwrap();
        drop(socket);
        serving.await.unwrap();
        assert_eq!(rest, "");
        assert!(TcpStream::connect(address).await.is_err());
    }

    /// Games that have come when it is told to stop are answered.
    #[tokio::test]
    async fn ingest_answers_what_it_has_read_before_it_stops() {
        let (address, stop, serving) = server(LIMITS).await;
        let mut socket = TcpStream::connect(address).await.unwrap();
        socket.write_all("(;B[dd])".repeat(1000).as_bytes()).await.unwrap();
        let mut first = [0; 1];
        socket.read_exact(&mut first).await.unwrap();
        stop.cancel();
        let mut answers = String::from_utf8_lossy(&first).into_owned();
        socket.read_to_string(&mut answers).await.unwrap();
        assert_eq!(parsed(&answers).len(), 1000);
        drop(socket);
        serving.await.unwrap();
    }

    /// One who never stops sending does not keep it from stopping.
    #[tokio::test]
    async fn ingest_stops_though_games_keep_coming() {
        let (address, stop, serving) = server(LIMITS).await;
        let (mut answers, mut games) = TcpStream::connect(address).await.unwrap().into_split();
        let sending = tokio::spawn(async move { while games.write_all(b"(;B[dd])").await.is_ok() {} });
        let reading = tokio::spawn(async move { tokio::io::copy(&mut answers, &mut tokio::io::sink()).await });
        tokio::time::sleep(Duration::from_millis(20)).await;
        stop.cancel();
        tokio::time::timeout(MINUTE, serving).await.unwrap().unwrap();
        sending.await.unwrap();
        _ = reading.await.unwrap();
    }

    #[tokio::test]
    async fn ingest_has_so_many_seats_and_the_next_one_waits() {
        let (address, _stop, _) = server(Limits { peers: 1, ..LIMITS }).await;
        let mut first = TcpStream::connect(address).await.unwrap();
        first.write_all(b"(;B[dd])").await.unwrap();
        let mut line = vec![0; 1024];
        assert!(first.read(&mut line).await.unwrap() > 0);
        let mut second = TcpStream::connect(address).await.unwrap();
        second.write_all(b"(;B[dd])").await.unwrap();
        let waited = tokio::time::timeout(Duration::from_millis(50), second.read(&mut line)).await;
        assert!(waited.is_err(), "the only seat is taken");
        drop(first);
        assert!(second.read(&mut line).await.unwrap() > 0);
    }

    #[tokio::test]
    async fn ingest_serves_good_clients_while_idle_ones_have_all_seats() {
        let limits = Limits { peers: 5, grace: Duration::from_millis(20), ..LIMITS };
        let (address, stop, serving) = server(limits).await;
        // Some say nothing, some begin a game and do not go on, one has sent a game and now says nothing.
        let mut idle = Vec::new();
        for n in 0..20 {
            let mut socket = TcpStream::connect(address).await.unwrap();
            socket.write_all(&b"(;B[dd])(;B["[..n % 12]).await.unwrap();
            idle.push(socket);
        }
        for _ in 0..10 {
            let mut good = TcpStream::connect(address).await.unwrap();
            good.write_all(b"(;PB[good];B[dd])").await.unwrap();
            good.shutdown().await.unwrap();
            let mut answers = String::new();
            let served = tokio::time::timeout(MINUTE / 2, good.read_to_string(&mut answers)).await;
            assert!(served.is_ok(), "it waits as long as the idle ones may");
            assert_eq!(parsed(&answers)[0]["black"], "good");
        }
        // Those who had to leave know why.
        let mut last_words = String::new();
        idle[0].read_to_string(&mut last_words).await.unwrap();
        assert_eq!(parsed(&last_words)[0]["error"], "too-slow");
        stop.cancel();
        serving.await.unwrap();
    }

    /// The signal goes to the whole test process, so its handler is installed before it is sent.
    #[cfg(unix)]
    #[tokio::test]
    async fn ingest_ends_when_the_system_asks_it_to() {
        let shutdown = ingest::shutdown_signal().unwrap();
        let (address, stop, serving) = server(LIMITS).await;
        let mut socket = TcpStream::connect(address).await.unwrap();
        socket.write_all(b"(;B[dd])").await.unwrap();
        assert!(socket.read(&mut [0; 1024]).await.unwrap() > 0);
        let sent = process::Command::new("kill").args(["-TERM", &process::id().to_string()]).status().unwrap();
        assert!(sent.success());
        tokio::time::timeout(MINUTE, shutdown).await.unwrap();
        stop.cancel();
        drop(socket);
        serving.await.unwrap();
    }

    #[tokio::test]
    async fn send_says_what_is_wrong_with_which_file() {
        let folder = env::temp_dir().join(format!("sgf-stream-send-{}", process::id()));
        fs::create_dir_all(folder.join("more")).unwrap();
        for (name, text) in [
            ("a.sgf", "(;B[dd])\n(;B[dd](;W[pp])(;W[dp]))"),
            ("b.SGF", "(;B[dd])(;;B[x1])"),
            ("c.txt", "no game"),
            ("more/cut.sgf", "(;B[dd];C"),
            ("more/d.sgf", "(;FF[4];B[dd])"),
        ] {
            fs::write(folder.join(name), text).unwrap();
        }
        let (address, stop, serving) = server(LIMITS).await;
        let files: Vec<PathBuf> = send::files(&folder).collect();
        let mut errors = Vec::new();
        let tally = send::send(address, files, |error| errors.push(error)).await.unwrap();
        stop.cancel();
        serving.await.unwrap();
        fs::remove_dir_all(&folder).unwrap();
        let errors: Vec<_> = errors.iter().map(|error| error.strip_prefix(folder.to_str().unwrap()).unwrap()).collect();
        assert!(errors[0].starts_with("/b.SGF, byte 14: "), "{errors:?}");
        assert!(errors[1].starts_with("/more/"), "{errors:?}");
        assert_eq!((errors.len(), tally), (2, Tally { games: 4, errors: 2 }));
    }

    /// Real files: whatever is in them, each game is answered.
    #[tokio::test]
    async fn send_and_ingest_take_real_files() {
        let files = shared::corpus();
        if files.is_empty() {
            return;
        }
        let (address, _stop, _) = server(Limits { game_len: 1 << 20, ..LIMITS }).await;
        let tally = send::send(address, files, |_| {}).await.unwrap();
        eprintln!("{tally:?}");
        assert!(tally.games > 10_000);
    }
}
