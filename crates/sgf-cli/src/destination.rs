//! Messages about outputs, which [`Output`] opens.

use std::io;
use std::path::{Path, PathBuf};

use sgf_input::{Exclude, Inputs, Output, expect_distinct};

use crate::failure::{Failure, warn};
use crate::input::{Name, is_stdin};

/// Opens a file, or standard output without one.
pub(crate) fn open(path: Option<&Path>, inputs: &Inputs) -> Result<Output, Failure> {
    path.map_or_else(|| Ok(Output::stdout()), |path| Output::open(path, inputs)).map_err(failure(path))
}

/// Writes a file as a whole.
pub(crate) fn write(path: &Path, bytes: &[u8], inputs: &[PathBuf]) -> io::Result<()> {
    Output::write(path, bytes, &Inputs::new(inputs, false, Exclude::default()))
}

/// Returns an error if two outputs are one place, or if one of them is an input. An output is the option that names it, and
/// its path: for those that are written after a long time.
pub(crate) fn expect(outputs: &[(&str, Option<&Path>)], inputs: &Inputs) -> Result<(), Failure> {
    expect_distinct(outputs).map_err(Failure::Usage)?;
    let mut paths = outputs.iter().filter_map(|(_, path)| *path);
    paths.try_for_each(|path| inputs.refuse(path).map_err(failure(Some(path))))
}

/// Turns an error of writing to a file, or to standard output, into one that names it.
pub(crate) fn failure(path: Option<&Path>) -> impl Fn(io::Error) -> Failure {
    move |error| match path {
        // Whoever reads a pipe may have seen enough.
        Some(path) if !is_stdin(path) && error.kind() != io::ErrorKind::BrokenPipe => {
            Failure::Input(Name::of(path), error)
        }
        _ => Failure::Output(error),
    }
}

/// Warns that nothing could be read, so that a file is not written.
pub(crate) fn warn_unwritten(path: &Path) {
    let what = if path.is_file() { "left unchanged" } else { "not written" };
    warn(format_args!("{}: {what}, because nothing could be read", Name::of(path)));
}
