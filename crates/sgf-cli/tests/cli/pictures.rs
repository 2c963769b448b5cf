//! Compares the pictures of the guide with the output of the commands above them.
//!
//! `UPDATE_PAGES=1 cargo test --test cli pictures` regenerates them. A picture is a file, which the page shows wherever
//! Markdown is read from the repository; in the documentation, `inline.md` has the same picture as a `data:` URL, because
//! rustdoc copies no files.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use super::{directory, run, str};

const PAGE: &str = "crates/sgf-guide/src/pictures.md";

#[test]
fn pictures_of_the_guide_are_those_of_its_commands() {
    let folder = Path::new(crate::PROJECT).join("crates/sgf-guide/src/pictures");
    let page = fs::read_to_string(Path::new(crate::PROJECT).join(PAGE)).unwrap();
    let drawn = directory("pictures").join("board.svg");
    let (mut args, mut files, mut inline) = (Vec::new(), Vec::new(), String::new());
    for line in page.lines() {
        if let Some(command) = line.strip_prefix("sgf show ") {
            args = ["show"].into_iter().chain(command.split(' ')).collect();
        } else if let Some((_, name)) = line.strip_prefix("![").and_then(|image| image.split_once("][")) {
            let name = name.trim_end_matches(']');
            args.iter_mut().filter(|arg| **arg == "board.svg").for_each(|arg| *arg = str(&drawn));
            let run = run(&args);
            assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)), "{args:?}");
            let svg = fs::read_to_string(&drawn).unwrap();
            writeln!(inline, "[{name}]: data:image/svg+xml,{}", percent_encoded(&svg)).unwrap();
            assert!(page.contains(&format!("\n[{name}]: pictures/{name}.svg\n")), "{PAGE} does not define [{name}]");
            files.push((format!("{name}.svg"), svg));
        }
    }
    assert_eq!(files.len(), 3);
    files.push(("inline.md".to_owned(), inline));
    for (name, new) in files {
        let file = folder.join(&name);
        if std::env::var_os("UPDATE_PAGES").is_some() {
            fs::write(file, new).unwrap();
        } else {
            let is_equal = fs::read_to_string(file).is_ok_and(|old| old == new);
            assert!(is_equal, "crates/sgf-guide/src/pictures/{name} has changed; UPDATE_PAGES=1 regenerates it");
        }
    }
}

/// Encodes a text as a part of a URL.
fn percent_encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |mut url, byte| {
        if byte.is_ascii_alphanumeric() || b"-._~/:=,;".contains(&byte) {
            url.push(char::from(byte));
        } else {
            write!(url, "%{byte:02X}").unwrap();
        }
        url
    })
}
