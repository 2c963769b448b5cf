//! The peak memory of `sgf scan`, as the system counts it.

use std::fs;
use std::io::{self, BufRead, Write};
use std::process::{Command, Stdio};

use super::binary::SGF;

/// Returns the peak memory of `sgf scan -` over a stream, in bytes: its maximum resident size, program included.
/// `None` if the system does not report it (Linux does).
pub(crate) fn peak_memory(mut stream: impl BufRead) -> io::Result<Option<u64>> {
    let mut scan = Command::new(&*SGF)
        .args(["scan", "--json", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let mut stdin = scan.stdin.take().expect("a pipe, as was asked for");
    loop {
        let chunk = stream.fill_buf()?;
        if chunk.is_empty() {
            break;
        }
        stdin.write_all(chunk)?;
        let len = chunk.len();
        stream.consume(len);
    }
    // `sgf` has read all but what fits into a pipe, and waits for more: the last moment to look.
    let peak = fs::read_to_string(format!("/proc/{}/status", scan.id())).ok().and_then(|status| high_water(&status));
    drop(stdin);
    assert!(scan.wait()?.success(), "`sgf scan` reads everything");
    Ok(peak)
}

/// Parses `VmHWM:      5304 kB` into bytes.
fn high_water(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kib| kib * 1024)
}
