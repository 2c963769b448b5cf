//! The file, or standard output, that rows go to.

use std::io::{self, BufWriter, IsTerminal, Write};

#[cfg(feature = "arrow")]
use arrow_schema::ArrowError;
use sgf_table::TableBuilder;

use super::output::Output;
use super::{Format, expect_feature};
use crate::failure::Failure;
use crate::jobs::Buffers;

/// Number of bytes written at a time.
const BUFFER: usize = 64 * 1024;

type Out = BufWriter<sgf_input::Output>;

/// Takes rows, in their order.
pub(super) enum Sink {
    Lines(Out),
    #[cfg(feature = "arrow")]
    Arrow(Box<arrow_ipc::writer::StreamWriter<Out>>),
    #[cfg(feature = "parquet")]
    Parquet(Box<sgf_arrow::ParquetWriter<Out>>),
}

impl Sink {
    /// Writes what comes before all rows; in CSV only if that has a header.
    pub(super) fn open(
        format: Format,
        out: sgf_input::Output,
        table: &TableBuilder,
        has_header: bool,
    ) -> Result<Sink, Failure> {
        expect_feature(format)?;
        if out.is_stdout() && format.is_binary() && io::stdout().is_terminal() {
            return Err(Failure::Usage(format!(
                "refusing to write {format} to a terminal; use --output FILE or a pipe"
            )));
        }
        let mut out = BufWriter::with_capacity(BUFFER, out);
        match format {
            Format::Jsonl | Format::Csv => {
                if has_header {
                    out.write_all(&Output::head(format, table)).map_err(Failure::Output)?;
                }
                Ok(Sink::Lines(out))
            }
            #[cfg(feature = "arrow")]
            Format::Arrow => {
                let writer =
                    arrow_ipc::writer::StreamWriter::try_new(out, &sgf_arrow::ArrowTable::new(table.clone()).schema());
                Ok(Sink::Arrow(Box::new(writer.map_err(|error| Failure::Output(io_error(error)))?)))
            }
            #[cfg(feature = "parquet")]
            Format::Parquet => {
                let schema = sgf_arrow::ArrowTable::new(table.clone()).schema();
                let writer = sgf_arrow::ParquetWriter::new(out, schema);
                Ok(Sink::Parquet(Box::new(writer.map_err(|error| Failure::Output(io_error(error)))?)))
            }
            #[cfg(not(all(feature = "arrow", feature = "parquet")))]
            other => Err(Failure::Usage(format!("this build has no {other} support"))),
        }
    }

    /// Writes rows, `before` games of whose file have been written. The buffer that they were in goes to `buffers`.
    pub(super) fn write(&mut self, mut output: Output, before: u64, buffers: &Buffers) -> io::Result<()> {
        match self {
            Sink::Lines(out) => {
                let (mut lines, numbers) = output.lines();
                numbers.write(&lines, before, out)?;
                buffers.give_back(&mut lines);
                Ok(())
            }
            #[cfg(feature = "arrow")]
            Sink::Arrow(writer) => {
                output.batches(before).into_iter().try_for_each(|batch| writer.write(&batch?)).map_err(io_error)
            }
            #[cfg(feature = "parquet")]
            Sink::Parquet(writer) => {
                output.batches(before).into_iter().try_for_each(|batch| writer.write(batch?)).map_err(io_error)
            }
        }
    }

    /// Writes what a terminal is to show before a message.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        match self {
            Sink::Lines(out) => out.flush(),
            #[cfg(feature = "arrow")]
            _ => Ok(()),
        }
    }

    /// Writes what comes after all rows, and ends the file.
    pub(super) fn close(self) -> io::Result<()> {
        let finish = |out: Out| out.into_inner().map_err(io::IntoInnerError::into_error)?.finish();
        match self {
            Sink::Lines(out) => finish(out),
            #[cfg(feature = "arrow")]
            Sink::Arrow(writer) => finish(writer.into_inner().map_err(io_error)?),
            #[cfg(feature = "parquet")]
            Sink::Parquet(writer) => finish(writer.close().map_err(io_error)?),
        }
    }
}

/// The error of the system, if it is one, so that a closed pipe is recognized.
#[cfg(feature = "arrow")]
fn io_error(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        other => io::Error::other(other),
    }
}
