//! `sgf synth`: archives of any size, for tests and benchmarks.
//!
//! Equal arguments produce equal bytes, on every machine and in every version: there is no clock, hash map or
//! floating-point number here, and the random numbers are our own ([`random`]). [`archive`] writes the games of the
//! default set, [`mixed`] those of `--mixed`, both with the [`writer`]; names and comments come from [`texts`].

mod archive;
mod mixed;
mod random;
mod scripts;
mod texts;
mod writer;

use std::io::{self, Write};
use std::process::ExitCode;

use self::texts::{Charset, Texts};
use self::writer::Writer;
use crate::failure::Failure;
use crate::size;

/// Write a collection of any size, for tests and benchmarks.
///
/// Writes whole Go games, one after another, to standard output; the game that reaches the size is the last one. The
/// same arguments always produce the same bytes.
///
/// Root properties, the number of moves (204 on average) and the rare comments follow the
/// statistics of A. Brouwer's 1.6 million games. Moves are about 89 % of the bytes; half of the
/// games have a line break after every ten moves.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Size of the output: bytes, or a number with K, M, G or T.
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    bytes: u64,

    /// Seed of the random numbers.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Add data that makes parsers slow or wrong.
    ///
    /// Comments of all lengths, with escapes; nested variations; markup and point lists;
    /// identifiers with lower-case letters (FF[3]), private properties, long root nodes, CRLF; and
    /// a few broken games in a thousand. Moves are about half of the bytes.
    #[arg(long)]
    mixed: bool,

    /// Write names and comments in this charset, and CA[NAME] in each root.
    ///
    /// A name in the WHATWG Encoding Standard: UTF-8, Shift_JIS, GBK, Big5, EUC-KR, windows-1251,
    /// and so on. The texts are in a script of that charset. The characters `]` and `\` are
    /// escaped; bytes of other characters that look like them are not. Default: ASCII texts, and CA
    /// in 38 % of the games.
    #[arg(long, value_name = "NAME", value_parser = Charset::from_label)]
    charset: Option<Charset>,
}

/// Approximate number of bytes written at a time.
const CHUNK: usize = 256 * 1024;

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    synth(args, &mut io::stdout().lock()).map_err(Failure::Output)?;
    Ok(ExitCode::SUCCESS)
}

fn synth(args: &Args, out: &mut impl Write) -> io::Result<()> {
    let texts = args.charset.as_ref().map_or_else(Texts::ascii, Texts::of);
    let mut writer = Writer::new(args.seed, texts);
    let mut written = 0;
    while written < args.bytes {
        let want = usize::try_from(args.bytes - written).unwrap_or(CHUNK).min(CHUNK);
        while writer.out.len() < want {
            if args.mixed { mixed::game(&mut writer) } else { archive::game(&mut writer) }
        }
        out.write_all(&writer.out)?;
        written += writer.out.len() as u64;
        writer.out.clear();
    }
    out.flush()
}
