//! A client that sends files, and directories of files, to the server of `ingest`, and says what was wrong.
//!
//! ```sh
//! cargo run --release --features codec --example send -- 127.0.0.1:7777 tests/data
//! ```
//!
//! Files are sent and answers are taken at the same time, so that neither side has to hold them.

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

/// Where in what was sent each file begins.
type Sent = Arc<Mutex<Vec<(u64, PathBuf)>>>;

/// What the server has found.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Tally {
    /// Games that are right.
    pub(crate) games: u64,
    /// Games that are not, and whatever else is wrong.
    pub(crate) faults: u64,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let mut arguments = env::args();
    let address = arguments.nth(1).ok_or("usage: send ADDRESS PATH…")?;
    let files: Vec<PathBuf> = arguments.flat_map(|path| files(Path::new(&path)).collect::<Vec<_>>()).collect();
    let tally = send(address, files, |fault| println!("{fault}")).await?;
    println!("{} games, {} faults", tally.games, tally.faults);
    Ok(())
}

/// The SGF files of a directory, or the file itself.
pub(crate) fn files(path: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = WalkDir::new(path).sort_by_file_name().into_iter().filter_map(Result::ok);
    let is_sgf = |path: &PathBuf| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("sgf"));
    entries.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path).filter(is_sgf)
}

/// Sends files, and hands out a line for every fault that the server finds in them.
pub(crate) async fn send(
    server: impl ToSocketAddrs,
    files: Vec<PathBuf>,
    mut hear: impl FnMut(String),
) -> Result<Tally, Box<dyn Error + Send + Sync>> {
    let (from, to) = TcpStream::connect(server).await?.into_split();
    let sent = Sent::default();
    let sending = tokio::spawn(send_files(to, files, Arc::clone(&sent)));

    let (mut tally, mut answers) = (Tally::default(), FramedRead::new(from, LinesCodec::new()));
    while let Some(answer) = answers.next().await {
        let answer: Value = serde_json::from_str(&answer?)?;
        if answer["error"].is_null() {
            tally.games += 1;
        } else {
            tally.faults += 1;
            let message = answer["message"].as_str().unwrap_or("the server wants no more");
            let sent = sent.lock().expect("nobody panics while it is locked");
            // Where in which file is that?
            let place = answer["at"].as_u64().and_then(|at| {
                let (start, path) = sent[..sent.partition_point(|&(start, _)| start <= at)].last()?;
                Some(format!("{}, byte {}: ", path.display(), at - start))
            });
            hear(place.unwrap_or_default() + message);
        }
    }
    // The server has closed the connection. If that was too early for us, this says so.
    sending.await??;
    Ok(tally)
}

/// Sends the files, one on the heels of the other, with a bar for who looks on.
async fn send_files(mut to: impl AsyncWrite + Unpin, files: Vec<PathBuf>, sent: Sent) -> io::Result<()> {
    let sizes = files.iter().filter_map(|path| path.metadata().ok()).map(|file| file.len() + 1);
    let style = "{bar:40} {bytes}/{total_bytes} {bytes_per_sec} {wide_msg}";
    let bar = ProgressBar::new(sizes.sum()).with_style(ProgressStyle::with_template(style).expect("it is one"));
    for path in files {
        bar.set_message(path.display().to_string());
        let mut file = bar.wrap_async_read(File::open(&path).await?);
        sent.lock().expect("nobody panics while it is locked").push((bar.position(), path));
        tokio::io::copy(&mut file, &mut to).await?;
        // A game that lacks its end does not cost the next one, if that begins on a line of its own.
        to.write_all(b"\n").await?;
        bar.inc(1);
    }
    to.shutdown().await?;
    bar.finish_and_clear();
    Ok(())
}
