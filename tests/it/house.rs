//! What `ARCHITECTURE.md` says of the code is true.

use std::fs;
use std::path::Path;

use crate::PROJECT;

fn page() -> String {
    fs::read_to_string(Path::new(PROJECT).join("ARCHITECTURE.md")).unwrap()
}

/// The cells of the first column of the table with this heading, as the names in backticks; and the last cell.
fn rows(page: &str, heading: &str) -> Vec<(Vec<String>, String)> {
    let table = page.split(heading).nth(1).unwrap().lines().skip(2).take_while(|line| line.starts_with('|'));
    let names = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    table
        .map(|line| {
            let cells: Vec<_> = line.trim_matches('|').split('|').collect();
            (names(cells[0]), cells[cells.len() - 1].to_owned())
        })
        .collect()
}

#[test]
fn its_files_exist_and_it_is_short() {
    let page = page();
    let starts = ["src/", "crates/", "tests/"];
    let names = page.split('`').skip(1).step_by(2).filter(|name| starts.iter().any(|start| name.starts_with(start)));
    let (there, missing): (Vec<_>, Vec<_>) = names.partition(|name| Path::new(PROJECT).join(name).exists());
    assert!(there.len() > 60 && missing.is_empty(), "{} files are there, but not {missing:?}", there.len());
    assert!(page.lines().count() <= 130);
}

/// Calls `see` with the module and the code of each file, without comments and unit tests.
fn each_file(dir: &Path, module: &str, see: &mut dyn FnMut(&str, &str)) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            each_file(&path, module, see);
        } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with("tests.rs") {
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("\nmod tests {").next().unwrap().lines();
            let code: Vec<_> = code.filter(|line| !line.trim_start().starts_with("//")).collect();
            see(module, &code.join("\n"));
        }
    }
}

#[test]
fn modules_use_those_above_them() {
    let rooms: Vec<_> =
        rows(&page(), "| module | responsible for |").into_iter().flat_map(|(names, _)| names).collect();
    let rooms: Vec<_> = rooms.iter().map(|room| room.strip_prefix("src/").unwrap()).collect();
    assert!(rooms.len() > 10);
    let place = |room: &str| rooms.iter().position(|of| *of == room);
    let mut upwards = Vec::new();
    let mut see = |room: &str, code: &str| {
        let uses = code.split("crate::").skip(1).flat_map(|path| match path.strip_prefix('{') {
            None => vec![path.split(|c: char| !c.is_alphanumeric()).next().unwrap()],
            Some(group) => group.split('}').next().unwrap().split([',', ' ', '\n']).collect(),
        });
        // A type is imported from its module, not from the root.
        let is_upwards = |to: &&str| place(to) > place(room) || to.starts_with(|c: char| c.is_ascii_uppercase());
        upwards.extend(uses.filter(is_upwards).map(|to| format!("{room} uses {to}")));
    };
    for room in &rooms {
        each_file(&Path::new(PROJECT).join("src").join(room), room, &mut see);
    }
    upwards.sort();
    upwards.dedup();
    // The page says why.
    assert_eq!(upwards, ["syntax uses charset", "syntax uses property"]);
}

#[test]
fn packages_use_those_below_them() {
    let packages = rows(&page(), "| package | what it is | depends on |");
    let names: Vec<_> = packages.iter().map(|(names, _)| names[0].trim_start_matches("crates/").to_owned()).collect();
    assert!(names.len() > 10);
    for (at, name) in names.iter().enumerate().skip(1) {
        let manifest = fs::read_to_string(Path::new(PROJECT).join("crates").join(name).join("Cargo.toml")).unwrap();
        let needed = manifest.split("[dependencies]").nth(1).unwrap().split("\n[").next().unwrap().lines();
        let of_project = |line: &str| {
            names.iter().position(|name| line.starts_with(&**name) && !line[name.len()..].starts_with('-'))
        };
        for line in needed {
            assert!(of_project(line).is_none_or(|below| below < at), "{name}: {line}");
        }
    }
}
