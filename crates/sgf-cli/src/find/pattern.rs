//! Reads the pattern of the command line.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

use sgf_search::{Pattern, PatternError};

use crate::failure::Failure;
use crate::input::{Name, Paths, is_stdin};
use crate::{help, near};

/// Reads a pattern: SGF, a diagram, or a file with either. `option` is the name of the argument.
pub(crate) fn read(option: &str, given: &OsStr, paths: &Paths) -> Result<Pattern, Failure> {
    let path = Path::new(given);
    if is_stdin(path) {
        if paths.paths.iter().any(|path| is_stdin(path)) {
            return Err(Failure::Usage("standard input cannot be both the pattern and a PATH".to_owned()));
        }
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes).map_err(Failure::input(&Name::of(path)))?;
        return of_file(option, path, &bytes);
    }
    let text = given.to_str();
    if text.is_some_and(|text| text.trim_start().starts_with(['(', ';'])) {
        return Pattern::parse(text.unwrap_or_default()).map_err(|error| wrong(option, &error));
    }
    if path.is_file() {
        let bytes = fs::read(path).map_err(Failure::input(&Name::of(path)))?;
        return of_file(option, path, &bytes);
    }
    let text = given.to_string_lossy();
    if text.strip_prefix("--").is_some_and(|name| name.starts_with(char::is_alphabetic)) {
        let command = help::command();
        let options = command.find_subcommand("find").into_iter().flat_map(|find| find.get_arguments());
        let names: Vec<String> = options.filter_map(|option| Some(format!("--{}", option.get_long()?))).collect();
        let hint = near::hint(&text, names.iter().map(String::as_str));
        return Err(Failure::Usage(format!("unknown option '{text}'{hint} (`sgf find --help` lists all)")));
    }
    Pattern::parse(&text).map_err(|error| match (&error, text.contains('\n')) {
        (PatternError::Character { .. }, false) => Failure::Usage(format!(
            "{option}: '{text}' is not SGF, which begins with '(', no such file exists, and it is not a diagram: {error}"
        )),
        _ => wrong(option, &error),
    })
}

fn of_file(option: &str, path: &Path, bytes: &[u8]) -> Result<Pattern, Failure> {
    let text = String::from_utf8_lossy(bytes);
    let is_sgf = text.trim_start_matches('\u{FEFF}').trim_start().starts_with(['(', ';']);
    let pattern = if is_sgf { Pattern::from_sgf(bytes) } else { Pattern::from_diagram(&text) };
    pattern.map_err(|error| wrong(&format!("{option} {}", Name::of(path)), &error))
}

fn wrong(what: &str, error: &PatternError) -> Failure {
    Failure::Usage(format!("{what}: {error}"))
}
