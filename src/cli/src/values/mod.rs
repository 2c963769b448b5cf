//! `sgf values`: how many values of an archive can be read as their types.
//!
//! The inputs are cut into parts, which are read on all cores ([`jobs`], [`work`]). Every value is looked up in the
//! registry and read twice, strictly and leniently ([`count`]). At the end there is a row for each property, with the
//! most frequent values that could not be read.

mod count;
mod work;

use std::convert::Infallible;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;

use serde::ser::{Serialize, SerializeStruct, Serializer};
use sgf_stream::property::Property;

use self::count::{Counts, Row};
use self::work::{Counted, Reading};
use crate::decoding;
use crate::failure::{Failure, TROUBLE, complain};
use crate::input::Paths;
use crate::jobs::{self, Threads};
use crate::json;
use crate::progress::Progress;
use crate::terminal::{self, Writes};
use crate::visible::{Blanks, fitted};

/// Print how many values of each property can be read as its type, and which cannot.
///
/// Looks up every property in the registry, by game, version and dialect, and reads its values as the type found
/// there: strictly, as FF[4] defines it, and leniently, as programs write it. Values are decoded first, and files in
/// UTF-16, UTF-32, HZ or ISO-2022-* are transcoded as a whole.
#[derive(clap::Args)]
#[command(after_long_help = MORE)]
pub(crate) struct Args {
    #[command(flatten)]
    paths: Paths,

    /// Print a JSON list instead of a table.
    #[arg(long)]
    json: bool,

    /// Number of unreadable values to print for each property.
    #[arg(long, value_name = "N", default_value_t = 3)]
    samples: usize,

    /// Print only properties with values that strict reading rejects.
    #[arg(long)]
    faulty: bool,

    #[command(flatten)]
    threads: Threads,
}

const MORE: &str = r#"The table:
  values    the number of values
  strict    values that follow FF[4] exactly
  lenient   values that do not, but can be read as programs write them
  unread    all others; the most frequent ones follow, each with its count
  A property has one row for each game that defines it differently. Texts follow
  FF[4], whatever they say: RO, too, for which FF[4] only recommends a form. A
  rank (BR, WR) is unread if it is not a kyu or a dan, such as a rating. The
  last row counts unknown identifiers.

JSON:
  A list of {property, game, type, values, strict, lenient, unread, samples}:
  game is null if the property is the same in all games; samples is a list of
  [value, count]. In the last object, property and type are null, and samples
  are the unknown identifiers.

Exit codes:
  0  everything was read
  2  wrong usage, or something could not be read (reported on standard error)"#;

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    args.threads.set()?;
    let progress = Arc::new(Progress::new(Writes::AtEnd, || args.paths.total_size()));
    let (mut counts, mut has_troubles) = (Counts::default(), false);
    let Ok(()) = jobs::run::<_, Infallible>(Reading, &args.paths, &progress, |done: Counted| {
        counts.append(done.counts);
        for (name, ended) in done.ended {
            progress.suspend(|| match &ended {
                Ok(detected) => decoding::note_detected(&name, *detected),
                Err(error) => complain(format_args!("{name}: {error}")),
            });
            has_troubles |= ended.is_err();
        }
        Ok(())
    });
    progress.finish();
    let rows = counts.into_rows();
    let rows: Vec<&Row> = rows.iter().filter(|row| !args.faulty || row.strict < row.values).collect();
    print(&rows, args).map_err(Failure::Output)?;
    Ok(ExitCode::from(if has_troubles { TROUBLE } else { 0 }))
}

fn print(rows: &[&Row], args: &Args) -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout());
    if args.json {
        let rows: Vec<_> = rows.iter().map(|row| Json { row, samples: args.samples }).collect();
        json::write(&mut out, &rows)?;
        writeln!(out)?;
        return out.flush();
    }
    let columns = terminal::get().columns().unwrap_or(usize::MAX);
    let kinds = columns.saturating_sub(COUNTS).clamp(KIND.0, KIND.1);
    writeln!(
        out,
        "{:<10} {:<11} {:<kinds$} {:>9} {:>9} {:>8} {:>7}  most frequent unread values",
        "property", "game", "type", "values", "strict", "lenient", "unread"
    )?;
    for row in rows {
        let (ident, game, kind) = match row.property {
            Some(property) => (property.ident(), property.game().map_or("", |game| game.name()), kind(property)),
            None => ("others", "", "not in the registry".to_owned()),
        };
        let samples: Vec<String> = (row.samples.iter().take(args.samples))
            .map(|(value, count)| format!("{count} × [{}]", fitted(value, VALUE, Blanks::Kept)))
            .collect();
        let unread = row.values - row.strict - row.lenient;
        let line = format!(
            "{ident:<10} {game:<11.11} {kind:<kinds$.kinds$} {:>9} {:>9} {:>8} {unread:>7}  {}",
            row.values,
            row.strict,
            row.lenient,
            samples.join("  ")
        );
        // Samples are cut at the width of the terminal, counts are not.
        writeln!(out, "{}", fitted(line.trim_end(), columns.max(COUNTS + kinds), Blanks::Kept))?;
    }
    out.flush()
}

/// Returns the type in the words of the specification, or the name of its format, if it has one.
fn kind(property: &Property) -> String {
    let value = property.value_type();
    if value.basic() == value { property.value().to_string() } else { format!("{value:?}") }
}

/// Width of a value in columns.
const VALUE: usize = 40;

/// Minimum and maximum width of the type column, and the width of the other columns before the samples.
const KIND: (usize, usize) = (12, 40);
const COUNTS: usize = 61;

/// A row that serializes as JSON.
struct Json<'a> {
    row: &'a Row,
    samples: usize,
}

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Row { property, values, strict, lenient, samples } = self.row;
        let mut row = serializer.serialize_struct("Row", 8)?;
        row.serialize_field("property", &property.map(|property| property.ident()))?;
        row.serialize_field("game", &property.and_then(|property| property.game()).map(|game| game.name()))?;
        row.serialize_field("type", &property.map(|property| property.value().to_string()))?;
        row.serialize_field("values", values)?;
        row.serialize_field("strict", strict)?;
        row.serialize_field("lenient", lenient)?;
        row.serialize_field("unread", &(values - strict - lenient))?;
        row.serialize_field("samples", &samples[..samples.len().min(self.samples)])?;
        row.end()
    }
}
