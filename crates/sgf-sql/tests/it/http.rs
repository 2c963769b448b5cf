//! Files on a server that answers ranges.

use std::sync::Arc;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

use crate::support::{archive, ask, context, register, try_ask};

/// Starts a server of one file, `/games.sgf`, and returns its address.
async fn server(content: Vec<u8>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let content = Arc::new(content);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(answer(stream, Arc::clone(&content)));
        }
    });
    format!("http://{address}")
}

/// Answers the requests of a connection.
async fn answer(stream: TcpStream, content: Arc<Vec<u8>>) {
    let mut stream = BufReader::new(stream);
    loop {
        let (mut request, mut range) = (String::new(), None);
        loop {
            let mut line = String::new();
            if stream.read_line(&mut line).await.unwrap_or(0) == 0 {
                return;
            }
            if let Some(bytes) = line.to_ascii_lowercase().strip_prefix("range: bytes=") {
                let (start, end) = bytes.trim().split_once('-').unwrap();
                range = Some((start.parse::<usize>().unwrap(), end.parse::<usize>().unwrap()));
            }
            if request.is_empty() {
                request = line;
            } else if line.trim().is_empty() {
                break;
            }
        }
        let (head, body) = match range {
            _ if !request.contains(" /games.sgf ") => ("404 Not Found".to_owned(), &[][..]),
            Some((start, end)) => (
                format!("206 Partial Content\r\nContent-Range: bytes {start}-{end}/{}", content.len()),
                &content[start..=end],
            ),
            None => ("200 OK".to_owned(), &content[..]),
        };
        let sent = if request.starts_with("HEAD") { &[][..] } else { body };
        let head = format!(
            "HTTP/1.1 {head}\r\nContent-Length: {}\r\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\nETag: \"x\"\r\n\r\n",
            body.len()
        );
        if stream.write_all(head.as_bytes()).await.is_err() || stream.write_all(sent).await.is_err() {
            return;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_read_from_a_server() {
    let url = server(archive(30_000).into_bytes()).await;
    for partitions in [1, 3] {
        let ctx = context(partitions);
        register(&ctx, &format!("{url}/games.sgf"));
        let rows = ask(&ctx, "SELECT count(*), sum(move_count), min(file) FROM games").await;
        assert_eq!(rows, format!("30000 585000 {url}/games.sgf"));
    }
    let ctx = context(1);
    register(&ctx, &format!("{url}/missing.sgf"));
    let error = try_ask(&ctx, "SELECT * FROM games").await.unwrap_err().to_string();
    assert!(error.starts_with(&format!("External error: {url}/missing.sgf: ")), "{error}");
}
