//! The files that paths and URLs name.
//!
//! On disk and in stores the rules are those of `sgf`: a file that is named is read regardless of its extension; in
//! directories, files are selected by extension. Files that are excluded are not listed.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path as FilePath, PathBuf};

use datafusion::catalog::Session;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::object_store::ObjectStoreUrl;
use futures::TryStreamExt;
use glob::{MatchOptions, Pattern};
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt};
use sgf_input::{Exclude, has_packed_name, has_wanted_name};
use url::Url;

use crate::bytes::io_error;
use crate::external;
use crate::fault::{Fault, ReadError, Unreadable};
use crate::names::Names;
use crate::options::Options;

/// Files, directories, or a pattern of files, in the words of the user.
#[derive(Clone, Debug)]
pub(crate) enum Root {
    /// A path on disk.
    Disk { typed: String },
    /// A URL, up to a pattern for the rest of it.
    Store { typed: String, url: Url, pattern: Option<Pattern> },
}

/// The files of one store.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    pub(crate) url: ObjectStoreUrl,
    pub(crate) files: Vec<ObjectMeta>,
    pub(crate) names: Names,
}

/// A `*` in a pattern stands for a part of a name, and `**` for directories.
const PATTERNS: MatchOptions =
    MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: false };

impl Root {
    /// Reads a path, or a URL.
    ///
    /// # Errors
    ///
    /// Fails if it begins as a URL and is not one.
    pub(crate) fn parse(typed: &str) -> Result<Self> {
        let invalid = |why: String| DataFusionError::Plan(format!("{typed}: {why}"));
        let typed_here = typed.to_owned();
        if !typed.contains("://") {
            return Ok(Root::Disk { typed: typed_here });
        }
        let (fixed, pattern) = match typed.find(['*', '[']) {
            Some(at) => {
                let start = typed[..at].rfind('/').map_or(0, |slash| slash + 1);
                let pattern = Pattern::new(&typed[start..]).map_err(|error| invalid(error.to_string()))?;
                (&typed[..start], Some(pattern))
            }
            None => (typed, None),
        };
        let url = Url::parse(fixed).map_err(|error| invalid(format!("it is not a URL: {error}")))?;
        if url.scheme() == "file" && pattern.is_none() {
            let path = url.to_file_path().map_err(|()| invalid("it is not a URL of a file".to_owned()))?;
            let typed = path.into_os_string().into_string();
            return Ok(Root::Disk { typed: typed.map_err(|_| invalid("its name is not UTF-8".to_owned()))? });
        }
        Ok(Root::Store { typed: typed_here, url, pattern })
    }

    /// The URL of the store, if it is not the disk.
    pub(crate) fn store(&self) -> Option<&Url> {
        match self {
            Root::Disk { .. } => None,
            Root::Store { url, .. } => Some(url),
        }
    }
}

/// Lists the files of roots, each after the files of the root before it.
pub(crate) async fn list(roots: &[Root], options: &Options, session: &dyn Session) -> Result<Vec<Files>> {
    let mut lists: Vec<Files> = Vec::new();
    let mut stores: BTreeMap<String, usize> = BTreeMap::new();
    for root in roots {
        let (url, base) = match root {
            Root::Disk { .. } => (ObjectStoreUrl::local_filesystem(), "/".to_owned()),
            Root::Store { url, .. } => {
                let url = &url[..url::Position::BeforePath];
                (ObjectStoreUrl::parse(url)?, format!("{url}/"))
            }
        };
        let list = *stores.entry(base.clone()).or_insert_with(|| {
            lists.push(Files { url, files: Vec::new(), names: Names::new(base) });
            lists.len() - 1
        });
        let list = &mut lists[list];
        match root {
            Root::Disk { typed } => {
                let (typed, options_here) = (typed.clone(), options.clone());
                let walk = move || walk(&typed, &options_here);
                let walked = tokio::task::spawn_blocking(walk).await.map_err(external)?;
                for (location, name) in walked.names {
                    list.names.add(&location, name);
                }
                for fault in walked.faults {
                    options.report(fault)?;
                }
                list.files.extend(walked.files);
            }
            Root::Store { typed, url, pattern } => {
                let store = session.runtime_env().object_store(&list.url)?;
                match in_store(&*store, url, pattern.as_ref(), options.excluded()).await {
                    Ok(files) => list.files.extend(files),
                    Err(error) => match Fault::opening(io_error(error)) {
                        Fault::Unreadable(message) => options.report(Unreadable::new(typed, message))?,
                        Fault::Io(error) => return Err(ReadError::external(typed, error)),
                        _ => {}
                    },
                }
            }
        }
    }
    Ok(lists)
}

/// Lists the files that a URL names in a store.
async fn in_store(
    store: &dyn ObjectStore,
    url: &Url,
    pattern: Option<&Pattern>,
    exclude: &Exclude,
) -> Result<Vec<ObjectMeta>, object_store::Error> {
    let path = Path::from_url_path(url.path())?;
    let is_directory = url.path().ends_with('/');
    if pattern.is_none() && !is_directory {
        match store.head(&path).await {
            Ok(_) if exclude.has(FilePath::new(path.as_ref())) => return Ok(Vec::new()),
            Ok(file) => return Ok(vec![file]),
            Err(error @ object_store::Error::NotFound { .. }) => {
                // It may be a directory, if the store can list any.
                let files = listed(store, &path, None).await.unwrap_or_default();
                return if files.is_empty() { Err(error) } else { Ok(kept(files, &path, exclude)) };
            }
            Err(error) => return Err(error),
        }
    }
    Ok(kept(listed(store, &path, pattern).await?, &path, exclude))
}

/// Leaves out the files that are excluded.
fn kept(mut files: Vec<ObjectMeta>, directory: &Path, exclude: &Exclude) -> Vec<ObjectMeta> {
    files.retain(|file| !exclude.has_member(below(file, directory).as_bytes()));
    files
}

/// Returns the path of a file from a directory.
fn below<'f>(file: &'f ObjectMeta, directory: &Path) -> &'f str {
    let location = file.location.as_ref();
    location.strip_prefix(directory.as_ref()).unwrap_or(location).trim_start_matches('/')
}

async fn listed(
    store: &dyn ObjectStore,
    directory: &Path,
    pattern: Option<&Pattern>,
) -> Result<Vec<ObjectMeta>, object_store::Error> {
    let is_wanted = |file: &ObjectMeta| match pattern {
        Some(pattern) => pattern.matches_with(below(file, directory), PATTERNS),
        None => has_wanted_name(file.location.as_ref().as_bytes()),
    };
    let mut files: Vec<_> =
        store.list(Some(directory)).try_filter(|file| std::future::ready(is_wanted(file))).try_collect().await?;
    files.sort_unstable_by(|a, b| a.location.cmp(&b.location));
    Ok(files)
}

/// Files on disk.
#[derive(Default)]
struct Walked {
    files: Vec<ObjectMeta>,
    names: Vec<(Path, String)>,
    faults: Vec<Unreadable>,
}

/// Finds the files of a path, or of a pattern if there is no such path.
fn walk(typed: &str, options: &Options) -> Walked {
    let mut walked = Walked::default();
    if typed == "-" {
        let why = "standard input is not seekable; save it to a file first";
        walked.faults.push(Unreadable::new(typed, why));
    } else if typed.contains(['*', '?', '[']) && std::fs::symlink_metadata(typed).is_err() {
        match glob::glob_with(typed, PATTERNS) {
            Ok(paths) => {
                let mut is_found = false;
                for path in paths {
                    is_found = true;
                    match path {
                        Ok(path) => walked.walk(&path, options),
                        Err(error) => {
                            walked.faults.push(Unreadable::new(&error.path().to_string_lossy(), error.error()))
                        }
                    }
                }
                if !is_found {
                    walked.faults.push(Unreadable::new(typed, "no file matches this pattern"));
                }
            }
            Err(error) => walked.faults.push(Unreadable::new(typed, error)),
        }
    } else {
        walked.walk(FilePath::new(typed), options);
    }
    walked
}

impl Walked {
    fn walk(&mut self, root: &FilePath, options: &Options) {
        let name = root.to_string_lossy();
        let absolute = match std::fs::canonicalize(root) {
            Ok(absolute) => absolute,
            Err(error) => return self.faults.push(Unreadable::new(&name, error)),
        };
        match Path::from_absolute_path(&absolute) {
            Ok(location) => self.names.push((location, name.into_owned())),
            Err(error) => return self.faults.push(Unreadable::new(&name, error)),
        }
        for file in sgf_input::files(root, options.follows_links(), options.excluded().clone()) {
            let added = match file {
                Ok(path) => {
                    self.add(&absolute, root, &path).map_err(|error| (path.to_string_lossy().into_owned(), error))
                }
                Err((name, error)) => Err((name.as_str().to_owned(), error)),
            };
            if let Err((name, error)) = added {
                self.faults.push(Unreadable::new(&name, error));
            }
        }
    }

    fn add(&mut self, absolute: &FilePath, root: &FilePath, path: &FilePath) -> io::Result<()> {
        let metadata = std::fs::metadata(path)?;
        if !metadata.is_file() {
            return Err(io::Error::other("it is not a regular file, and not seekable; save it to a file first"));
        }
        let rest = path.strip_prefix(root).unwrap_or(FilePath::new(""));
        let path: PathBuf = if rest.as_os_str().is_empty() { absolute.to_owned() } else { absolute.join(rest) };
        self.files.push(ObjectMeta {
            location: Path::from_absolute_path(path).map_err(io::Error::other)?,
            last_modified: metadata.modified().map(Into::into).unwrap_or_default(),
            size: metadata.len(),
            e_tag: None,
            version: None,
        });
        Ok(())
    }
}

/// The length of the shortest and the longest byte range of a file. A range costs a request or two more than its bytes.
const PIECES: std::ops::RangeInclusive<u64> = 16 << 20..=1 << 30;

/// Number of ranges for each partition: the partitions take them as they go, so that they end at about the same time.
const PIECES_EACH: u64 = 8;

/// Cuts files into byte ranges, and puts them into groups of about the same size, in order.
pub(crate) fn groups(files: Vec<ObjectMeta>, partitions: usize, is_cut: bool) -> Vec<Vec<PartitionedFile>> {
    let total: u64 = files.iter().map(|file| file.size).sum();
    let partitions = partitions.max(1);
    let piece = (total / (partitions as u64 * PIECES_EACH)).clamp(*PIECES.start(), *PIECES.end());
    // A small archive is also cut if there are cores that have nothing to do.
    let piece = if files.len() < partitions { piece.min((total / partitions as u64).max(1 << 20)) } else { piece };
    let mut groups: Vec<Vec<PartitionedFile>> = Vec::new();
    let mut before = 0u64;
    let count = files.len() as u64;
    for (at, file) in files.into_iter().enumerate() {
        let pieces = match is_cut && !has_packed_name(FilePath::new(file.location.as_ref())) {
            true => file.size.div_ceil(piece).max(1),
            false => 1,
        };
        let length = file.size.div_ceil(pieces);
        for n in 0..pieces {
            let (start, end) = (n * length, file.size.min((n + 1) * length));
            // Even the shortest files cost something.
            let done = (u128::from(before + start) + (at as u128) * 4096) * partitions as u128;
            let group = (done / (u128::from(total) + u128::from(count) * 4096).max(1)) as usize;
            groups.resize_with(groups.len().max(group.min(partitions - 1) + 1), Vec::new);
            let mut part = PartitionedFile::from(file.clone());
            if pieces > 1 {
                part = part.with_range(start as i64, end as i64);
            }
            if let Some(group) = groups.last_mut() {
                group.push(part);
            }
        }
        before += file.size;
    }
    groups.retain(|group| !group.is_empty());
    groups
}
