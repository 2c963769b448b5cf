//! The pages of the guide: what no compiler sees.
//!
//! `UPDATE_PAGES=1 cargo test --test it guide` renews what the programs of the tutorial print.

use std::fs;
use std::path::Path;

/// The text of a page or another file of the guide.
fn text(name: &str) -> String {
    fs::read_to_string(Path::new(crate::PROJECT).join("crates/sgf-guide/src").join(name)).unwrap()
}

/// The pages, in the order of the guide.
fn pages() -> Vec<String> {
    let list = text("README.md");
    let rows = list.lines().filter(|line| line.starts_with("| ["));
    let pages: Vec<_> = rows.map(|row| row.split("][").nth(1).unwrap().split(']').next().unwrap().to_owned()).collect();
    assert!(pages.len() >= 18, "{pages:?}");
    pages
}

/// A page without its programs and transcripts, in which `#` and `[` have other meanings.
fn prose(page: &str) -> String {
    format!("\n{page}").split("\n```").step_by(2).collect()
}

/// The labels and targets of the definitions of links.
fn definitions(page: &str) -> Vec<(&str, &str)> {
    let lines = page.lines().filter(|line| line.starts_with('['));
    lines.filter_map(|line| line[1..].split_once("]: ")).collect()
}

/// How often a text has a reference, or the definition of one. `[label](target)` is neither.
fn references(words: &str, label: &str) -> usize {
    let reference = format!("[{label}]");
    let ends = words.match_indices(&reference).map(|(at, _)| &words[at + reference.len()..]);
    ends.filter(|end| !end.starts_with('(')).count()
}

/// The anchor of a heading.
fn anchor(title: &str) -> String {
    let kept = title.chars().filter(|char| char.is_alphanumeric() || " -_".contains(*char));
    kept.map(|char| if char == ' ' { '-' } else { char.to_ascii_lowercase() }).collect()
}

/// The anchors of a page.
fn anchors(page: &str) -> Vec<String> {
    let prose = prose(page);
    let headings = prose.lines().filter(|line| line.starts_with('#'));
    headings.map(|line| anchor(line.trim_start_matches('#').trim_start())).collect()
}

#[test]
fn the_cookbook_lists_all_its_recipes() {
    let page = prose(&text("cookbook.md"));
    let (tables, recipes) = page.split_at(page.find("\n# ").unwrap());
    let titles: Vec<&str> = recipes.lines().filter_map(|line| line.strip_prefix("# ")).collect();
    let missing: Vec<_> = titles.iter().filter(|title| !tables.contains(&format!("(#{})", anchor(title)))).collect();
    assert!(titles.len() >= 28, "{titles:?}");
    assert_eq!(missing, Vec::<&&str>::new(), "the tables at the top of crates/sgf-guide/src/cookbook.md lack these");
}

#[test]
fn every_page_is_a_module_and_in_the_list() {
    let guide = fs::read_to_string(Path::new(crate::PROJECT).join("crates/sgf-guide/src/lib.rs")).unwrap();
    let modules =
        guide.lines().filter_map(|line| line.strip_prefix("pub mod ")).map(|line| line.trim_end_matches(" {}"));
    assert_eq!(modules.map(|module| module.replace('_', "-")).collect::<Vec<_>>(), pages());
    let mut files =
        fs::read_dir(Path::new(crate::PROJECT).join("crates/sgf-guide/src")).unwrap().map(|file| file.unwrap().path());
    let strange = files.find(|file| {
        let name = file.file_stem().unwrap().to_str().unwrap();
        file.extension().is_some_and(|end| end == "md") && name != "README" && !pages().contains(&name.to_owned())
    });
    assert_eq!(strange, None);
}

#[test]
fn pages_are_readable_in_a_repository() {
    let items = text("links.txt") + &text("pictures/inline.md");
    let items = definitions(&items);
    let mut faults = Vec::new();
    for name in pages().iter().map(|page| format!("{page}.md")).chain(["README.md".to_owned()]) {
        let page = text(&name);
        let prose = prose(&page);
        let words = prose.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut fault = |text: &str| faults.push(format!("{name}: {text}"));
        if prose.contains("](crate::") || prose.contains("]: crate::") {
            fault("a link to `crate::`: define it in links.txt, and at the end of the page as a file");
        }
        let hidden = page.split("\n```rust").skip(1).flat_map(|block| block.split("\n```").next().unwrap().lines());
        hidden.filter(|line| line.starts_with("# ")).for_each(|line| fault(&format!("a hidden line: {line}")));
        let defined = definitions(&page);
        for (label, target) in &defined {
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let path = Path::new(crate::PROJECT).join("crates/sgf-guide/src").join(file);
            if target.starts_with("http") {
                continue;
            } else if !path.exists() {
                fault(&format!("[{label}]: {target} does not exist"));
            } else if file.ends_with(".md") && !anchor.is_empty() && !anchors(&text(file)).contains(&anchor.to_owned())
            {
                fault(&format!("[{label}]: {target} has no such heading"));
            }
            if !items.iter().any(|(item, _)| item == label) {
                fault(&format!("[{label}] is not in links.txt"));
            }
            if references(&words, label) < 2 {
                fault(&format!("[{label}] is defined, and not used"));
            }
        }
        for (label, _) in &items {
            if references(&words, label) > 0 && !defined.iter().any(|(defined, _)| defined == label) {
                fault(&format!("[{label}] is used, and not defined as a file"));
            }
        }
        for link in prose.split("](#").skip(1).map(|link| link.split(')').next().unwrap()) {
            if !anchors(&page).contains(&link.to_owned()) {
                fault(&format!("#{link} is no heading"));
            }
        }
    }
    for (label, target) in items {
        let page = target.strip_prefix("crate::guide::").and_then(|page| page.split_once('#'));
        if let Some((page, anchor)) = page
            && !anchors(&text(&format!("{}.md", page.replace('_', "-")))).contains(&anchor.to_owned())
        {
            faults.push(format!("links.txt: [{label}]: {target} has no such heading"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// `cargo run` runs the program above it, from tests/it/build.rs. The commands `sgf` run in `crates/sgf-cli/tests/cli`.
#[cfg(all(unix, feature = "serde", feature = "parallel"))]
#[test]
fn programs_of_the_tutorial_print_what_it_says() {
    use crate::transcripts::{Run, renewed, store};

    let programs = env!("CARGO_BIN_EXE_programs");
    let setup =
        format!("cargo() {{ while [ \"$1\" != -q ]; do shift; done; shift; PROGRAM=$program '{programs}' \"$@\"; }}\n");
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tutorial");
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    let file = Path::new(crate::PROJECT).join("crates/sgf-guide/src/tutorial.md");
    let page = fs::read_to_string(&file).unwrap();
    let new = renewed(&page, &dir, &setup, |command| if command.starts_with("sgf ") { Run::No } else { Run::Yes });
    if let Err(differs) = store(&file, &page, &new) {
        panic!("{differs}. UPDATE_PAGES=1 renews the page");
    }
}
