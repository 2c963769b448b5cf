//! The pictures of the guide are those that its commands make. `UPDATE_PAGES=1 cargo test --test cli
//! pictures` makes them anew.

use std::fs;
use std::path::Path;

use super::{directory, run, str};

const PAGE: &str = "src/guide/pictures.md";

/// The line before a picture, and the one that begins it.
const MARK: &str = "<!-- picture -->";
const FRAME: &str = "<div style=\"max-width:420px\">";

#[test]
fn pictures_of_the_guide_are_those_of_its_commands() {
    let page_file = Path::new(crate::PROJECT).join(PAGE);
    let page = fs::read_to_string(&page_file).unwrap();
    let picture = directory("pictures").join("board.svg");
    let (mut new, mut args, mut pictures) = (String::new(), Vec::new(), 0);
    for line in page.lines().filter(|line| !line.starts_with(FRAME)) {
        new += line;
        new.push('\n');
        if let Some(command) = line.strip_prefix("sgf show ") {
            args = ["show"].into_iter().chain(command.split(' ')).collect();
        } else if line == MARK {
            args.iter_mut().filter(|arg| **arg == "board.svg").for_each(|arg| *arg = str(&picture));
            let run = run(&args);
            assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)), "{args:?}");
            let svg = fs::read_to_string(&picture).unwrap();
            new += &format!("{FRAME}{}</div>\n", svg.trim_end().replace('\n', " "));
            pictures += 1;
        }
    }
    assert_eq!(pictures, 3);
    if std::env::var_os("UPDATE_PAGES").is_some() {
        fs::write(page_file, new).unwrap();
    } else {
        assert!(new == page, "{PAGE}: UPDATE_PAGES=1 writes it anew");
    }
}
