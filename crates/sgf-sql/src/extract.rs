//! Copies games out of their files, byte for byte.

use std::collections::{HashMap, HashSet};
use std::io::{self, BufReader, Read, Write};

use datafusion::catalog::Session;
use datafusion::error::Result;
use datafusion::execution::object_store::ObjectStoreUrl;
use sgf_input::{Found, HEAD, Limits, Name, Opener, is_packed};
use sgf_stream::charset::OpenedReader;
use sgf_stream::parallel::ReadAt;
use tokio::runtime::Handle;

use crate::bytes::{Counters, FileBytes, Sequential, Stored};
use crate::external;
use crate::fault::{Fault, ReadError};
use crate::files;
use crate::job::FilePlace;
use crate::progress::Progress;
use crate::source::path_of;
use crate::table::SgfTable;

/// A game in a file: the columns `file`, `offset` and `length` of its row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GamePlace {
    /// The file, or the member of an archive.
    pub file: String,
    /// The offset in bytes.
    pub offset: u64,
    /// The length in bytes.
    pub length: u64,
}

/// Offsets and lengths of games.
type Ranges = Vec<(u64, u64)>;

/// Sorted places of games, by file.
#[derive(Clone, Debug, Default)]
struct Wanted {
    /// Games of files that are not archives.
    files: HashMap<String, Ranges>,
    /// Games of members of archives, by the archive and then by the member.
    archives: HashMap<String, HashMap<String, Ranges>>,
}

/// A file that is listed.
struct Listed {
    name: String,
    place: FilePlace,
}

impl SgfTable {
    /// Writes games byte for byte, in file order, each with a line break after it.
    ///
    /// Games of compressed files and archives are unpacked. Games of a transcoded file, such as one in UTF-16, are written
    /// in UTF-8.
    ///
    /// # Errors
    ///
    /// Fails if a file has changed since the places were read, if it cannot be read, or if writing fails.
    pub async fn copy_games<W: Write + Send + 'static>(
        &self,
        session: &dyn Session,
        games: impl IntoIterator<Item = GamePlace>,
        mut out: W,
    ) -> Result<W> {
        let files = self.listed(session).await?;
        let names: HashSet<&str> = files.iter().map(|file| file.name.as_str()).collect();
        let mut wanted = Wanted::of(games, &names);
        let options = self.options().clone();
        let work = move || {
            for file in &files {
                let copied = copy(file, &mut wanted, &options, &mut out);
                copied.map_err(|fault| match fault {
                    Fault::Query(error) => error,
                    Fault::Io(error) => ReadError::external(&file.name, error),
                    Fault::Unreadable(message) | Fault::NoSgf(message) => {
                        ReadError::external(&file.name, io::Error::other(message))
                    }
                    Fault::Enough => external("the output is closed"),
                })?;
            }
            match wanted.files.into_keys().chain(wanted.archives.into_keys()).next() {
                Some(file) => {
                    Err(ReadError::external(&file, io::Error::other("the file was removed while the query ran")))
                }
                None => Ok(out),
            }
        };
        tokio::task::spawn_blocking(work).await.map_err(external)?
    }

    /// Sorts games: files as the table lists them, offsets ascending.
    ///
    /// # Errors
    ///
    /// Fails if the files cannot be listed.
    pub async fn in_order(&self, session: &dyn Session, mut games: Vec<GamePlace>) -> Result<Vec<GamePlace>> {
        let files = self.listed(session).await?;
        let names: HashSet<&str> = files.iter().map(|file| file.name.as_str()).collect();
        let order: HashMap<&str, usize> = files.iter().enumerate().map(|(n, file)| (file.name.as_str(), n)).collect();
        games.sort_by_cached_key(|game| {
            let file = archive_of(&game.file, &names).unwrap_or(&game.file);
            (order.get(file).copied(), game.clone())
        });
        Ok(games)
    }

    /// The files of the table, in order.
    async fn listed(&self, session: &dyn Session) -> Result<Vec<Listed>> {
        let mut listed = Vec::new();
        // Files that cannot be found were reported by the query.
        let options = self.options().clone().on_unreadable(|_| ());
        for list in files::list(self.roots(), &options, session).await? {
            let is_local = list.url == ObjectStoreUrl::local_filesystem();
            for file in list.files {
                let name = list.names.name(&file.location);
                let place = match is_local {
                    true => FilePlace::Disk(path_of(&file.location)?, file.size),
                    false => FilePlace::Store(Stored {
                        store: session.runtime_env().object_store(&list.url)?,
                        location: file.location,
                        size: file.size,
                        e_tag: file.e_tag,
                        handle: Handle::current(),
                    }),
                };
                listed.push(Listed { name, place });
            }
        }
        Ok(listed)
    }
}

impl Wanted {
    fn of(games: impl IntoIterator<Item = GamePlace>, names: &HashSet<&str>) -> Self {
        let mut wanted = Wanted::default();
        for GamePlace { file, offset, length } in games {
            let ranges = match archive_of(&file, names) {
                Some(archive) => wanted.archives.entry(archive.to_owned()).or_default().entry(file).or_default(),
                None => wanted.files.entry(file).or_default(),
            };
            ranges.push((offset, length));
        }
        let of_members = wanted.archives.values_mut().flat_map(HashMap::values_mut);
        wanted.files.values_mut().chain(of_members).for_each(|ranges| ranges.sort_unstable());
        wanted
    }
}

/// Returns the archive that a file is a member of.
fn archive_of<'n>(file: &'n str, names: &HashSet<&str>) -> Option<&'n str> {
    if names.contains(file) {
        return None;
    }
    Name::archives_of(file).find(|archive| names.contains(archive))
}

/// Copies the wanted games of a file.
fn copy(file: &Listed, wanted: &mut Wanted, options: &crate::Options, out: &mut dyn Write) -> Result<(), Fault> {
    let (ranges, mut members) = (wanted.files.remove(&file.name), wanted.archives.remove(&file.name));
    if ranges.is_none() && members.is_none() {
        return Ok(());
    }
    let counters = Counters { progress: options.reading().clone(), bytes: Default::default() };
    let bytes = match &file.place {
        FilePlace::Disk(path, size) => FileBytes::on_disk(path, *size, counters)?,
        FilePlace::Store(stored) => FileBytes::in_store(stored.clone(), 0..stored.size, counters)?,
    };
    let mut head = Vec::new();
    Sequential { file: &bytes, at: 0 }.take(HEAD as u64).read_to_end(&mut head)?;
    let name = Name::of(std::path::Path::new(&file.name));
    let mut ranges = ranges.unwrap_or_default();
    if !is_packed(&head, &name) {
        let charset = options.decoding().reader(Sequential { file: &bytes, at: 0 }).charset()?;
        if charset.is_ascii_compatible() {
            return ranges.iter().try_for_each(|&range| copy_range(&bytes, range, out));
        }
        return copy_stream(&mut BufReader::new(Sequential { file: &bytes, at: 0 }), &ranges, options, out);
    }
    let mut members = members.take().unwrap_or_default();
    let mut take = |found: Found<'_>| match found {
        Found::Unreadable(..) => Ok(()), // it was reported when it was read
        Found::Input(input) => {
            let ranges = match input.name.as_str() {
                own if own == file.name => std::mem::take(&mut ranges),
                member => members.remove(member).unwrap_or_default(),
            };
            copy_stream(input.data, &ranges, options, out)
        }
    };
    let mut opener = Opener::new(Limits::default()).excluding(options.excluded());
    match &file.place {
        FilePlace::Disk(path, _) => opener.each_as(name, path, &Progress::none(), &mut take)?,
        FilePlace::Store(_) => {
            opener.each_in(name, &mut Sequential { file: &bytes, at: 0 }, &Progress::none(), &mut take)?
        }
    }
    match members.into_keys().next() {
        Some(member) => Err(Fault::Query(ReadError::external(&member, changed()))),
        None => Ok(()),
    }
}

/// Copies games of a file whose offsets are those of its bytes.
fn copy_range(bytes: &FileBytes, (offset, length): (u64, u64), out: &mut dyn Write) -> Result<(), Fault> {
    if offset.checked_add(length).is_none_or(|end| bytes.size().is_ok_and(|size| end > size)) {
        return Err(Fault::Io(changed()));
    }
    let mut game = Sequential { file: bytes, at: offset }.take(length);
    if pump(&mut game, out)? != length {
        return Err(Fault::Io(changed()));
    }
    out.write_all(b"\n").map_err(writing)
}

/// Copies games of a stream, which is transcoded if it has to be.
fn copy_stream(
    data: &mut dyn io::BufRead,
    ranges: &[(u64, u64)],
    options: &crate::Options,
    out: &mut dyn Write,
) -> Result<(), Fault> {
    if ranges.is_empty() {
        return Ok(());
    }
    let mut data: Box<dyn Read + '_> = match options.decoding().open(data)? {
        OpenedReader::Bytes(whole, _) => Box::new(whole),
        OpenedReader::Text(text) => text,
    };
    let mut at = 0;
    for &(offset, length) in ranges {
        // Games follow one another: a game may begin where the last one ends, but not before.
        let skipped = offset.checked_sub(at).ok_or_else(|| Fault::Io(changed()))?;
        let is_there = pump(&mut (&mut data).take(skipped), &mut io::sink())? == skipped
            && pump(&mut (&mut data).take(length), out)? == length;
        if !is_there {
            return Err(Fault::Io(changed()));
        }
        out.write_all(b"\n").map_err(writing)?;
        at = offset + length;
    }
    Ok(())
}

/// Copies all bytes, and returns their number. Errors of reading are those of the file.
fn pump(from: &mut dyn Read, to: &mut dyn Write) -> Result<u64, Fault> {
    let mut buffer = vec![0; 64 * 1024];
    let mut copied = 0;
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return Ok(copied),
            Ok(len) => {
                to.write_all(&buffer[..len]).map_err(writing)?;
                copied += len as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// An error of writing is not one of the file.
fn writing(error: io::Error) -> Fault {
    Fault::Query(external(error))
}

#[cold]
fn changed() -> io::Error {
    io::Error::other("the file changed while the query ran")
}
