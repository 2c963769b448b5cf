//! A client that sends files and directories to the `ingest` server, and prints the errors that it reports.
//!
//! ```sh
//! cargo run --release --features codec --example send -- 127.0.0.1:7777 tests/data
//! ```
//!
//! It sends files and reads replies concurrently, so that neither side has to buffer them.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::{env, io};

use futures::StreamExt;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::Value;
use tokio::fs::File;
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpStream, ToSocketAddrs};
use tokio_util::codec::{FramedRead, LinesCodec};
use walkdir::WalkDir;

/// The files sent, each with its start offset in the sent bytes.
type Sent = Arc<Mutex<Vec<(u64, PathBuf)>>>;

/// The server's results, counted.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Tally {
    /// Valid games.
    pub(crate) games: u64,
    /// Games with an error, and other errors.
    pub(crate) errors: u64,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let mut arguments = env::args();
    let address = arguments.nth(1).ok_or("usage: send ADDRESS PATH…")?;
    let files: Vec<PathBuf> = arguments.flat_map(|path| files(Path::new(&path)).collect::<Vec<_>>()).collect();
    let tally = send(address, files, |error| println!("{error}")).await?;
    println!("{} games, {} errors", tally.games, tally.errors);
    Ok(())
}

/// Lists the SGF files in a directory, or the file itself.
pub(crate) fn files(path: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = WalkDir::new(path).sort_by_file_name().into_iter().filter_map(Result::ok);
    let is_sgf = |path: &PathBuf| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("sgf"));
    entries.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path).filter(is_sgf)
}

/// Sends files, and calls `report` with a line for every error that the server reports.
pub(crate) async fn send(
    server: impl ToSocketAddrs,
    files: Vec<PathBuf>,
    mut report: impl FnMut(String),
) -> Result<Tally, Box<dyn Error + Send + Sync>> {
    let (from, to) = TcpStream::connect(server).await?.into_split();
    let sent = Sent::default();
    let sending = tokio::spawn(send_files(to, files, Arc::clone(&sent)));

    let (mut tally, mut replies) = (Tally::default(), FramedRead::new(from, LinesCodec::new()));
    while let Some(reply) = replies.next().await {
        let reply: Value = serde_json::from_str(&reply?)?;
        if reply["error"].is_null() {
            tally.games += 1;
        } else {
            tally.errors += 1;
            let message = reply["message"].as_str().unwrap_or("the server closed the connection");
            let sent = sent.lock().expect("nobody panics while it is locked");
            // Convert the offset in the sent bytes into a file and an offset in it.
            let location = reply["at"].as_u64().and_then(|at| {
                let (start, path) = sent[..sent.partition_point(|&(start, _)| start <= at)].last()?;
                Some(format!("{}, byte {}: ", path.display(), at - start))
            });
            report(location.unwrap_or_default() + message);
        }
    }
    // The server has closed the connection. This fails if it did so before everything was sent.
    sending.await??;
    Ok(tally)
}

/// Sends the files one after another, with a progress bar.
async fn send_files(mut to: impl AsyncWrite + Unpin, files: Vec<PathBuf>, sent: Sent) -> io::Result<()> {
    let sizes = files.iter().filter_map(|path| path.metadata().ok()).map(|file| file.len() + 1);
    let style = "{bar:40} {bytes}/{total_bytes} {bytes_per_sec} {wide_msg}";
    let bar =
        ProgressBar::new(sizes.sum()).with_style(ProgressStyle::with_template(style).expect("the template is valid"));
    for path in files {
        bar.set_message(path.display().to_string());
        let mut file = bar.wrap_async_read(File::open(&path).await?);
        sent.lock().expect("nobody panics while it is locked").push((bar.position(), path));
        tokio::io::copy(&mut file, &mut to).await?;
        // Each file starts on a new line, so that an unclosed game at the end of a file does not swallow the next
        // one.
        to.write_all(b"\n").await?;
        bar.inc(1);
    }
    to.shutdown().await?;
    bar.finish_and_clear();
    Ok(())
}
