//! Pictures of many games in a directory, and pages of thumbnails.
//!
//! The pictures are also the thumbnails: browsers scale them, and load those that come into view. A page has [`PER_PAGE`] of
//! them. It is written when it is full, so memory does not grow with the number of games, but for the names of files.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use maud::{DOCTYPE, Markup, PreEscaped, html};
use sgf_input::{Inputs, Output};

use super::picture::Format;
use crate::failure::Failure;
use crate::input::Name;
use crate::split::component;
use crate::split::names::Names;
use crate::visible::Visible;

/// Number of pictures on a page.
const PER_PAGE: usize = 500;

/// The mark of pages that this program has written, and may replace.
const GENERATOR: &str = "sgf show";

/// Number of bytes at the start of a page that have the mark.
const HEAD: usize = 1024;

const STYLE: &str = "\
:root{color-scheme:light dark}\
body{font:15px/1.4 system-ui,sans-serif;margin:1.5rem auto;max-width:90rem;padding:0 1rem}\
main{display:grid;grid-template-columns:repeat(auto-fill,minmax(13rem,1fr));gap:1.5rem 1.2rem}\
figure{margin:0;overflow-wrap:anywhere}\
img{display:block;width:100%;height:13rem;object-fit:contain;object-position:left bottom}\
figcaption{margin-top:.4rem}\
small{display:block;opacity:.75}\
nav{margin:1rem 0;display:flex;gap:1.5rem}\
@media print{nav{display:none}figure{break-inside:avoid}}";

/// A directory of pictures.
pub(super) struct Gallery {
    directory: PathBuf,
    format: Format,
    title: String,
    names: Names,
    /// The inputs, none of which is overwritten.
    inputs: Inputs,
    /// The pages of an earlier run and the pictures on them, which may be replaced: their URLs.
    old: HashSet<String>,
    entries: Vec<Entry>,
    /// Number of pages that are written.
    pages: usize,
    pub(super) pictures: u64,
    pub(super) games: u64,
    /// Number of games that have no picture.
    pub(super) skipped: u64,
    /// The error that ends the run, and the file that it is about.
    pub(super) failure: Option<(PathBuf, io::Error)>,
}

/// A picture, and what is said below it.
pub(super) struct Entry {
    /// Its file in the directory.
    file: String,
    pub(super) title: String,
    /// The position, the event, and where the game is.
    pub(super) lines: Vec<String>,
}

impl Gallery {
    /// # Errors
    ///
    /// Fails if the directory has other things in it than the pictures of an earlier run, which are replaced.
    pub(super) fn new(directory: &Path, format: Format, title: String, inputs: Inputs) -> Result<Self, Failure> {
        let Some(old) = replaceable(directory).map_err(Failure::input(&Name::of(directory)))? else {
            return Err(Failure::Usage(format!(
                "{}: the directory contains files that `sgf show` did not write; use a new one",
                Name::of(directory)
            )));
        };
        Ok(Gallery {
            directory: directory.to_owned(),
            format,
            title,
            names: Names::replacing(directory),
            inputs,
            old,
            entries: Vec::new(),
            pages: 0,
            pictures: 0,
            games: 0,
            skipped: 0,
            failure: None,
        })
    }

    /// Writes a picture. `numbers` are those of the game in its file, and of the move, if the name needs them.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be written: see [`failure`](Self::failure).
    pub(super) fn add(
        &mut self,
        source: &Name,
        numbers: &[(usize, usize)],
        bytes: &[u8],
        title: String,
        lines: Vec<String>,
    ) -> io::Result<()> {
        if self.entries.len() >= PER_PAGE {
            self.page(true)?;
        }
        let stem =
            stem(source) + &numbers.iter().map(|(number, digits)| format!("-{number:0digits$}")).collect::<String>();
        let extension = self.format.extension();
        let path = self.names.take(|copy| match copy {
            1 => component(&stem, &format!(".{extension}")),
            copy => component(&stem, &format!("-{copy}.{extension}")),
        });
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.write(&path, bytes)?;
        self.entries.push(Entry { file, title, lines });
        self.pictures += 1;
        Ok(())
    }

    /// Writes the last page.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        match self.entries.is_empty() {
            true => Ok(()),
            false => self.page(false),
        }
    }

    fn page(&mut self, has_next: bool) -> io::Result<()> {
        self.pages += 1;
        let page = page(&self.title, &self.entries, self.pages, has_next).into_string();
        self.entries.clear();
        self.write(&self.directory.join(page_name(self.pages)), page.as_bytes())
    }

    /// Refuses to replace a file that is not of an earlier run.
    fn refuse(&self, path: &Path) -> io::Result<()> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        match self.old.contains(&url(&name)) || path.symlink_metadata().is_err() {
            true => Ok(()),
            false => Err(io::Error::new(
                io::ErrorKind::AlreadyExists,
                "not overwritten, because it is not a picture from an earlier run",
            )),
        }
    }

    fn write(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let is_first = self.pictures == 0 && self.pages == 0;
        let made = if is_first { fs::create_dir_all(&self.directory) } else { Ok(()) };
        let written = made
            .and_then(|()| self.inputs.refuse(path))
            .and_then(|()| self.refuse(path))
            .and_then(|()| Output::write(path, bytes, &self.inputs));
        written.map_err(|error| {
            let kind = error.kind();
            self.failure = Some((path.to_owned(), error));
            kind.into()
        })
    }
}

/// Returns the files of an earlier run that a directory has, as URLs: pages, and the pictures on them. `None` if the directory
/// has other files, but no page.
fn replaceable(directory: &Path) -> io::Result<Option<HashSet<String>>> {
    let mut old = HashSet::new();
    let mut entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Some(old)),
        entries => entries?,
    };
    if entries.next().is_none() {
        return Ok(Some(old));
    }
    for number in 1.. {
        let name = page_name(number);
        let page = match fs::read(directory.join(&name)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => break,
            page => page?,
        };
        let head = &page[..page.len().min(HEAD)];
        if !String::from_utf8_lossy(head).contains(&format!("content=\"{GENERATOR}")) {
            break;
        }
        old.insert(name);
        // No text has a `<` in it.
        let page = String::from_utf8_lossy(&page);
        let pictures = page.split("<img src=\"").skip(1);
        old.extend(pictures.filter_map(|rest| rest.split_once('"')).map(|(url, _)| url.to_owned()));
    }
    Ok((!old.is_empty()).then_some(old))
}

/// The name of the file that a game is in, without directories and extensions.
fn stem(source: &Name) -> String {
    let name = source.as_str();
    let name = name.rsplit(['/', std::path::MAIN_SEPARATOR]).next().unwrap_or(name);
    let mut stem = name;
    for ending in [".gz", ".zst", ".bz2", ".xz", ".sgf", ".sgfs"] {
        let front = stem.len().checked_sub(ending.len()).and_then(|at| stem.split_at_checked(at));
        if let Some((front, _)) = front.filter(|(front, end)| !front.is_empty() && end.eq_ignore_ascii_case(ending)) {
            stem = front;
        }
    }
    if stem == "-" { "game".to_owned() } else { stem.to_owned() }
}

fn page_name(number: usize) -> String {
    match number {
        1 => "index.html".to_owned(),
        number => format!("index-{number}.html"),
    }
}

fn page(title: &str, entries: &[Entry], number: usize, has_next: bool) -> Markup {
    let pages = html! {
        @if number > 1 || has_next {
            nav aria-label="Pages" {
                @if number > 1 { a href=(page_name(number - 1)) rel="prev" { "← Page " (number - 1) } }
                span { "Page " (number) }
                @if has_next { a href=(page_name(number + 1)) rel="next" { "Page " (number + 1) " →" } }
            }
        }
    };
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="generator" content=(concat!("sgf show, sgf-stream ", env!("CARGO_PKG_VERSION")));
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                link rel="icon" href="data:,";
                title { (Visible(title)) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { (Visible(title)) }
                (pages)
                main { @for entry in entries { (figure(entry)) } }
                (pages)
            }
        }
    }
}

fn figure(entry: &Entry) -> Markup {
    let Entry { file, title, lines } = entry;
    let alt = lines.first().map_or(title.clone(), |position| format!("{title}, {position}"));
    html! {
        figure {
            a href=(url(file)) { img src=(url(file)) alt=(Visible(&alt)) loading="lazy"; }
            figcaption {
                strong { (Visible(title)) }
                @for line in lines { small { (Visible(line)) } }
            }
        }
    }
}

/// The relative URL of a file beside the page.
fn url(file: &str) -> String {
    let mut url = String::new();
    for byte in file.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => url.push(byte.into()),
            byte => url += &format!("%{byte:02X}"),
        }
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_called_as_their_files() {
        for (name, expected) in [
            ("a.sgf", "a"),
            ("d/e/a b.SGF.gz", "a b"),
            ("d/x.zip!/y/c.sgfs", "c"),
            ("-", "game"),
            (".sgf", ".sgf"),
            ("notes.txt", "notes.txt"),
        ] {
            assert_eq!(stem(&Name::of(Path::new(name))), expected, "{name}");
        }
        assert_eq!(url("a b#1%?é.svg"), "a%20b%231%25%3F%C3%A9.svg");
    }

    #[test]
    fn pages_are_linked() {
        let entry = || Entry { file: "a&b.svg".into(), title: "<A> – B".into(), lines: vec!["Move 1".into()] };
        let middle = page("Games", &[entry()], 2, true).into_string();
        for text in [
            "href=\"index.html\" rel=\"prev\"",
            "href=\"index-3.html\" rel=\"next\"",
            "src=\"a%26b.svg\" alt=\"&lt;A&gt; – B, Move 1\"",
        ] {
            assert!(middle.contains(text), "{text}: {middle}");
        }
        assert!(!page("Games", &[entry()], 1, false).into_string().contains("<nav"));
        assert!(middle.find(GENERATOR).is_some_and(|at| at < HEAD));
    }
}
