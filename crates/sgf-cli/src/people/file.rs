//! The file of names: CSV with the columns `name` and `person`, and others that are not read.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sgf_input::Output;
use sgf_table::Names;

use super::games::Players;
use super::groups::Groups;
use crate::failure::Failure;
use crate::input::{Name, read_names};

/// The option `--names`.
#[derive(clap::Args, Clone)]
pub(crate) struct NamesFile {
    /// Replace names of players: a CSV file that `sgf names` writes.
    ///
    /// Its columns `name` and `person` are read. In tables, PB_raw and PW_raw keep the names in the files.
    #[arg(long, value_name = "FILE")]
    names: Option<PathBuf>,
}

impl NamesFile {
    pub(crate) fn is_given(&self) -> bool {
        self.names.is_some()
    }

    /// Returns the file, which is not written to.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.names.as_deref()
    }

    /// Reads the file. Without the option, there are no names.
    pub(crate) fn read(&self) -> Result<Arc<Names>, Failure> {
        let Some(path) = &self.names else { return Ok(Arc::default()) };
        read_names(path).map(Arc::new).map_err(Failure::input(&Name::of(path)))
    }
}

/// Writes a line per name of the people who have several names, or of all.
pub(super) fn write(mut out: Output, players: &Players, groups: &Groups, all: bool) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(&mut out);
    writer.write_record(["name", "person", "games", "evidence", "joined_to", "copies"])?;
    for person in groups.people.iter().filter(|person| all || person.names.len() > 1) {
        let Some((first, _)) = person.names.first() else { continue };
        let (first, _) = &players.names[*first as usize];
        for (name, evidence) in &person.names {
            let (name, games) = &players.names[*name as usize];
            let (evidence, joined_to, copies) = match evidence {
                None => (String::new(), "", String::new()),
                Some((evidence, other)) => {
                    let copies = evidence.copies().map_or_else(String::new, |copies| copies.to_string());
                    (evidence.to_string(), players.names[*other as usize].0.as_str(), copies)
                }
            };
            writer.write_record([name, first, &games.to_string(), &evidence, joined_to, &copies])?;
        }
    }
    writer.flush()?;
    drop(writer);
    out.finish()
}
