//! Inputs of the commands `sgf` and `sgf-sql`: finds, decompresses and opens files. What is in them is not parsed here,
//! unless the feature `games` is on.
//!
//! Reading has two steps. [`files`] finds the files on disk that a path names, without opening any. An [`Opener`]
//! opens a file and calls back for each input in it: once for a plain file, and for every member of an archive. Files and
//! members that the user does not want are excluded ([`Exclude`]). The content decides what a file is. Formats can be
//! nested as deep as [`Limits`] allows. Nothing is unpacked to disk or to memory.
//!
//! ```
//! use sgf_input::{Exclude, Found, Limits, Opener, Progress, files};
//!
//! struct Silent;
//! impl Progress for Silent {
//!     fn advance(&self, _bytes: u64) {}
//! }
//!
//! # let directory = std::env::temp_dir().join(format!("sgf-input {}", std::process::id()));
//! # std::fs::create_dir_all(&directory)?;
//! # std::fs::write(directory.join("game.sgf"), "(;B[dd])")?;
//! let mut opener = Opener::new(Limits::default());
//! let mut bytes = 0;
//! for file in files(&directory, false, Exclude::default()) {
//!     let file = file.map_err(|(_, error)| error)?;
//!     opener.each(&file, &Silent, |found| match found {
//!         Found::Input(input) => std::io::copy(input.data, &mut std::io::sink()).map(|len| bytes += len),
//!         Found::Unreadable(_, error) => Err(error),
//!     })?;
//! }
//! assert_eq!(bytes, 8);
//! # std::fs::remove_dir_all(&directory)?;
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! For parallel programs: paths and [`Limits`] can be sent to any thread, a [`Progress`] is shared, and each thread
//! has its own `Opener`.
//!
//! With the feature `clap`, the options of both commands are here: `Paths`, `Selection`, and [`Limits`]. With the feature
//! `games`, `Files` parses the inputs on all cores and returns their games as Rust values. With the feature `output`, `Output`
//! writes files, but none of the inputs.
//!
//! # In this package
//!
//! `kind` and `foreign` recognize formats from their first bytes. `unpack` decompresses, `tar` and `zip` read archives, and
//! each of them passes its contents to `content`, which examines them in turn.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod buffered;
#[cfg(feature = "changes")]
mod changes;
#[cfg(feature = "conditions")]
mod condition;
mod exclude;
mod fault;
mod foreign;
#[cfg(feature = "games")]
mod games;
mod kind;
mod limits;
mod name;
#[cfg(feature = "names")]
mod names;
pub mod near;
#[cfg(feature = "output")]
mod output;
#[cfg(any(feature = "conditions", feature = "games", feature = "names"))]
mod parser;
mod part;
#[cfg(feature = "clap")]
mod paths;
#[cfg(any(feature = "conditions", feature = "games", feature = "names"))]
mod problems;
mod progress;
#[cfg(feature = "clap")]
mod select;
pub mod size;
mod tar;
mod unpack;
pub mod visible;
mod walk;
mod zip;

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;

use self::buffered::Buffered;
#[cfg(feature = "changes")]
pub use self::changes::{Changes, Missing, Seen, content_hash, full_path};
#[cfg(feature = "conditions")]
pub use self::condition::{Condition, Conditions, column_hint};
pub use self::exclude::{Exclude, Pattern};
pub use self::fault::{Fault, Remedy, reason};
#[cfg(feature = "games")]
pub use self::games::{FileError, FileGame, FileGames, Files, Outputs};
use self::kind::Kind;
pub use self::kind::{BOM, HEAD};
use self::limits::Account;
#[cfg(feature = "clap")]
pub use self::limits::LIMITS;
pub use self::limits::Limits;
pub use self::name::Name;
#[cfg(feature = "names")]
pub use self::names::{parse_names, read_names};
#[cfg(feature = "output")]
pub use self::output::{Inputs, Output, RowFormat, expect_distinct, in_place_refusal};
#[cfg(any(feature = "conditions", feature = "games", feature = "names"))]
pub use self::parser::{MAX_VALUE_LEN, limited};
#[cfg(feature = "clap")]
pub use self::paths::Paths;
#[cfg(any(feature = "conditions", feature = "games", feature = "names"))]
pub use self::problems::{Problem, Problems};
pub use self::progress::Progress;
#[cfg(feature = "clap")]
pub use self::select::{HOW, INPUTS, Selection};
use self::unpack::{Format, Unpacked};
pub use self::walk::{files, has_packed_name, has_plain_name, has_wanted_name, is_stdin};

/// Returns whether a file is compressed, an archive, in an unsupported format, or not text.
///
/// The first bytes decide.
pub fn is_packed(head: &[u8], name: &Name) -> bool {
    Kind::of(head).is_some() || foreign::refusal(head, name).is_some()
}

/// Number of bytes read at a time.
pub const CHUNK: usize = 256 * 1024;

/// An input, or the error that prevents reading it.
pub enum Found<'a> {
    /// An input, which is open.
    Input(Input<'a>),
    /// The name of a file or a member, and why it cannot be read.
    Unreadable(&'a Name, io::Error),
}

/// A file, or a member of an archive.
pub struct Input<'a> {
    /// Its name, for messages.
    pub name: &'a Name,
    /// Its content, decompressed. It need not be read to the end.
    pub data: &'a mut dyn BufRead,
    /// Its path, if the file on disk has this content unchanged; otherwise why it cannot be rewritten.
    place: Place<'a>,
}

/// The path of a file, or why it cannot be rewritten in place.
type Place<'a> = Result<&'a Path, &'static str>;

/// The reasons why an input cannot be rewritten in place, besides compression.
const IN_ARCHIVE: &str = "it is an archive; unpack it first";
const STREAM: &str = "it is a stream, not a file; save it to a file first";

impl<'a> Input<'a> {
    /// Returns the path of a file that can be rewritten, or why it cannot. All subcommands that rewrite files use
    /// this.
    pub fn place(&self) -> Place<'a> {
        self.place
    }
}

/// Opens files, with one buffer for all of them.
pub struct Opener {
    limits: Limits,
    /// The members of archives that are not read.
    exclude: Exclude,
    buffer: Vec<u8>,
}

impl Opener {
    /// Opens files within these limits.
    pub fn new(limits: Limits) -> Self {
        Opener { limits, exclude: Exclude::default(), buffer: vec![0; CHUNK] }
    }

    /// Excludes members of archives.
    #[must_use]
    pub fn excluding(self, exclude: &Exclude) -> Self {
        Opener { exclude: exclude.clone(), ..self }
    }

    /// Calls `take` for each input in a file, or in standard input. An error from `take` ends the iteration.
    pub fn each<E>(
        &mut self,
        path: &Path,
        progress: &dyn Progress,
        take: impl FnMut(Found<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.each_as(Name::of(path), path, progress, take)
    }

    /// Calls `take` for each input in a stream that is not a file. Members of a zip archive are read in their order.
    pub fn each_in<E>(
        &mut self,
        name: Name,
        stream: &mut dyn Read,
        progress: &dyn Progress,
        mut take: impl FnMut(Found<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let account = Account::new(&self.limits, progress);
        let mut visit = Visit { account: &account, exclude: &self.exclude, take: &mut take };
        let mut stream = Counted { inner: stream, account: &account };
        let input = &mut Buffered::new(&mut stream as &mut dyn Read, &mut self.buffer);
        visit.content(&name, input, 0, Err(STREAM))
    }

    /// Calls `take` for each input in a file, under another name than the path.
    pub fn each_as<E>(
        &mut self,
        name: Name,
        path: &Path,
        progress: &dyn Progress,
        mut take: impl FnMut(Found<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let account = Account::new(&self.limits, progress);
        let mut visit = Visit { account: &account, exclude: &self.exclude, take: &mut take };
        if is_stdin(path) {
            let mut stdin = Counted { inner: io::stdin().lock(), account: &account };
            let input = &mut Buffered::new(&mut stdin as &mut dyn Read, &mut self.buffer);
            return visit.content(&name, input, 0, Err(STREAM));
        }
        let mut file = match File::open(path) {
            Ok(file) => Counted { inner: file, account: &account },
            Err(error) => return visit.unreadable(&name, error),
        };
        let mut input = Buffered::new(&mut file, &mut self.buffer);
        let kind = Kind::of(input.ahead(kind::HEAD, kind::is_sgf));
        // The directory of a zip archive is at its end, so it needs a second reader.
        let again = (kind == Some(Kind::Zip)).then(|| input.inner().inner.try_clone().ok()).flatten();
        match again {
            Some(again) => zip::file(&mut visit, &name, again, &mut input.erased()),
            None => visit.content(&name, &mut input.erased(), 0, Ok(path)),
        }
    }
}

/// The message for a directory where a file is wanted.
#[doc(hidden)]
pub const IS_DIRECTORY: &str = "it is a directory; use one of the files in it";

/// Opens a file for reading at offsets: an uncompressed file on disk.
pub fn open_for_offsets(path: &Path) -> io::Result<File> {
    let unfit = |why: &str| Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    if is_stdin(path) {
        return unfit("standard input is not seekable; save it to a file first");
    }
    match std::fs::metadata(path)? {
        found if found.is_dir() => return unfit(IS_DIRECTORY),
        found if !found.is_file() => {
            return unfit("it is not a regular file, and not seekable; save it to a file first");
        }
        _ => {}
    }
    let file = File::open(path)?;
    let mut head = Vec::new();
    (&file).take(kind::HEAD as u64).read_to_end(&mut head)?;
    if Kind::of(&head).is_some() {
        return unfit("it is compressed, or an archive of files; unpack it first");
    }
    if let Some(why) = foreign::refusal(&head, &Name::of(path)) {
        return unfit(&why);
    }
    Ok(file)
}

/// A file on disk that is being read.
struct Visit<'v, E> {
    account: &'v Account<'v>,
    exclude: &'v Exclude,
    take: &'v mut dyn FnMut(Found<'_>) -> Result<(), E>,
}

impl<E> Visit<'_, E> {
    /// Returns whether to open a member of an archive, by its path in the archive.
    fn wants(&self, path: &[u8]) -> bool {
        has_wanted_name(path) && !self.exclude.has_member(path)
    }

    fn unreadable(&mut self, name: &Name, error: impl Into<io::Error>) -> Result<(), E> {
        (self.take)(Found::Unreadable(name, error.into()))
    }

    /// Reports that the rest of an archive is lost, after an error in one of its members.
    fn rest_is_lost(&mut self, name: &Name) -> Result<(), E> {
        match self.account.is_over() {
            true => Ok(()),
            false => self.unreadable(name, Fault::new("the rest of the archive cannot be read")),
        }
    }

    /// Examines the content of a file, a member or a compressed stream that is nested `depth` deep.
    fn content(
        &mut self,
        name: &Name,
        input: &mut Buffered<'_, &mut dyn Read>,
        depth: u32,
        place: Place<'_>,
    ) -> Result<(), E> {
        let head = input.ahead(kind::HEAD, kind::is_sgf);
        let Some(kind) = Kind::of(head) else {
            if let Some(why) = foreign::refusal(head, name) {
                return self.unreadable(name, Fault::new(why));
            }
            let mut data = ErrorWatch { inner: input, account: self.account };
            return (self.take)(Found::Input(Input { name, data: &mut data, place }));
        };
        if let Err(fault) = self.account.nest(depth) {
            return self.unreadable(name, fault);
        }
        let (format, why) = match kind {
            Kind::Tar => return tar::members(self, name, input, depth + 1),
            Kind::Zip => return zip::stream(self, name, input, depth + 1, None),
            Kind::Gzip => (Format::Gzip, "it is gzip-compressed; decompress it first"),
            Kind::Zstd => (Format::Zstd, "it is zstd-compressed; decompress it first"),
            Kind::Bzip2 => (Format::Bzip2, "it is bzip2-compressed; decompress it first"),
            Kind::Xz => (Format::Xz, "it is xz-compressed; decompress it first"),
        };
        let mut unpacked = Unpacked::new(format, input, self.account);
        let mut buffer = vec![0; CHUNK];
        let input = &mut Buffered::new(&mut unpacked as &mut dyn Read, &mut buffer);
        // The outermost reason stays.
        self.content(name, input, depth + 1, place.and(Err(why)))
    }
}

/// Counts the bytes read from disk.
struct Counted<'a, R> {
    inner: R,
    account: &'a Account<'a>,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(out)?;
        self.account.read(len);
        Ok(len)
    }
}

/// Records whether its caller has received an error.
struct ErrorWatch<'a, R> {
    inner: R,
    account: &'a Account<'a>,
}

impl<R: Read> Read for ErrorWatch<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.inner.read(out).inspect_err(|_| self.account.note_error())
    }
}

impl<R: BufRead> BufRead for ErrorWatch<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf().inspect_err(|_| self.account.note_error())
    }

    fn consume(&mut self, len: usize) {
        self.inner.consume(len);
    }
}

/// Worker threads need these to be `Send` or `Sync`.
const _: fn() = || {
    fn can_be_sent<T: Send>() {}
    fn can_be_shared<T: Sync>() {}
    can_be_sent::<(Opener, Limits, Exclude, Name)>();
    can_be_shared::<Limits>();
};
