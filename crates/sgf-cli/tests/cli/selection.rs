//! Laws of options that select games: L17, they find the same in files and in an index, or are refused there; L19, a condition
//! selects the games that its documented meaning selects.

use std::fs;
use std::path::{Path, PathBuf};

use quickcheck::holds;
use serde_json::Value;

use super::pack::{gzip, tar};
use super::random::Random;
use super::{Run, directory, run, run_with, str};

/// The upper right corner of a 9x9 board.
const CORNER: &str = "(;SZ[9]AB[gc]AW[gf]VW[ea:ig])";

/// What a game says, as far as conditions ask for it. `None` is missing.
#[derive(Clone, Debug)]
struct Game {
    black: Option<&'static str>,
    winner: Option<&'static str>,
    date: Option<&'static str>,
    komi: Option<&'static str>,
    moves: &'static str,
}

const LINES: [(&str, usize); 4] = [
    (";B[gc];W[gf];B[ec]", 3),
    (";B[ee];W[gc];B[gf]", 3),
    (";B[ee](;W[gg])(;W[gc];B[gf])", 2),
    (";B[cc];W[cf](;B[gc];W[ee];B[aa];W[gf])(;B[gc];W[gf])", 6),
];

impl Game {
    fn random(random: &mut Random) -> Game {
        Game {
            black: random.of(&[None, Some(""), Some("Lee"), Some("Yi"), Some("O'Brien"), Some("Ann and Bob")]),
            winner: random.of(&[None, Some("B"), Some("W")]),
            date: random.of(&[None, Some("1990-05-01"), Some("1990"), Some("2001-12"), Some("2016-03-15")]),
            komi: random.of(&[None, Some("0"), Some("6.5"), Some("7.5")]),
            moves: random.of(&LINES).0,
        }
    }

    fn text(&self) -> String {
        let property =
            |ident: &str, value: Option<&str>| value.map_or(String::new(), |value| format!("{ident}[{value}]"));
        let winner = self.winner.map(|winner| format!("{winner}+R"));
        [
            "(;SZ[9]C[x]".to_owned(),
            property("PB", self.black),
            property("RE", winner.as_deref()),
            property("DT", self.date),
            property("KM", self.komi),
            format!("{})", self.moves),
        ]
        .concat()
    }
}

/// A condition, and its value without quotes.
#[derive(Clone, Debug)]
struct Asked {
    text: String,
    column: &'static str,
    operator: &'static str,
    value: &'static str,
}

impl Asked {
    fn random(random: &mut Random) -> Asked {
        let (column, values): (_, &[&str]) = random.of(&[
            ("black", &["", "Lee", "Yi", "O'Brien", "Ann and Bob", "M"][..]),
            ("PB", &["", "Lee", "Yi", "O'Brien", "N"]),
            ("winner", &["", "B", "W"]),
            ("date", &["", "1990", "1990-05", "1990-05-01", "2001", "2010-01"]),
            ("komi", &["", "0", "6.5", "7"]),
            ("move_count", &["", "2", "3", "5"]),
            ("game_type", &["Go", "Hex"]),
        ]);
        let value = random.of(values);
        let operators = ["=", "!=", "<", "<=", ">", ">=", "==", "<>"];
        let operator = random.of(if value.is_empty() { &operators[..2] } else { &operators });
        let quoted = [value.to_owned(), format!("'{}'", value.replace('\'', "''")), format!("\"{value}\"")];
        let written = if value.is_empty() { String::new() } else { random.of(&quoted) };
        let blank = random.of(&["", " "]);
        Asked { text: format!("{column}{blank}{operator}{blank}{written}"), column, operator, value }
    }

    /// The meaning that the help of `--where` documents.
    fn selects(&self, game: &Game, names: bool) -> bool {
        let black = game.black.map(|name| if names && name == "Yi" { "Lee" } else { name });
        let moves = LINES.iter().find(|(line, _)| *line == game.moves).unwrap().1.to_string();
        // A month and a year are their first day.
        let date = game.date.map(|date| format!("{date}{}", &"0000-01-01"[date.len()..]));
        let cell = match self.column {
            "black" | "PB" => black,
            "winner" => game.winner,
            "date" => date.as_deref(),
            "komi" => game.komi,
            "move_count" => Some(&*moves),
            _ => Some("Go"),
        };
        if self.value.is_empty() {
            return cell.unwrap_or_default().is_empty() == (self.operator == "=");
        }
        let Some(cell) = cell else { return false };
        let order = match self.column {
            "komi" | "move_count" => {
                cell.parse::<f64>().unwrap().partial_cmp(&self.value.parse::<f64>().unwrap()).unwrap()
            }
            "date" => cell[..self.value.len()].cmp(self.value),
            _ => cell.cmp(self.value),
        };
        match self.operator {
            "=" | "==" => order.is_eq(),
            "!=" | "<>" => order.is_ne(),
            "<" => order.is_lt(),
            "<=" => order.is_le(),
            ">" => order.is_gt(),
            _ => order.is_ge(),
        }
    }
}

/// The hits of a run, without the offsets of nodes, which an index does not have.
fn hits(run: &Run) -> Vec<String> {
    let mut hits: Vec<String> = run
        .lines()
        .iter()
        .map(|line| {
            let mut hit: Value = serde_json::from_str(line).unwrap();
            hit.as_object_mut().unwrap().remove("node_offset");
            hit.to_string()
        })
        .collect();
    hits.sort();
    hits
}

/// Files and archives of random games, and their index. Returns the games by the names of their inputs.
fn archive(random: &mut Random, top: &Path) -> (PathBuf, PathBuf, Vec<(String, Vec<Game>)>) {
    let (games, index) = (top.join("games"), top.join("index"));
    fs::create_dir_all(games.join("old")).unwrap();
    let mut all = Vec::new();
    let mut some = |name: &str| {
        let of_file: Vec<Game> = (0..1 + random.below(4)).map(|_| Game::random(random)).collect();
        let junk = random.of(&["\n", " junk ", ")", "(;GM[11];B[a1])"]);
        let end = random.of(&["", "(;SZ[9]PB[cut];B[ee", "(;SZ[9]PB[cut"]);
        let text: String = of_file
            .iter()
            .map(|game| format!("{}{}", game.text(), if junk.contains("GM") { "" } else { junk }))
            .collect();
        all.push((format!("{}/{name}", str(&games)), of_file));
        format!("{text}{}{end}", if junk.contains("GM") { junk } else { "" }).into_bytes()
    };
    fs::write(games.join("a.sgf"), some("a.sgf")).unwrap();
    fs::write(games.join("old/b.sgf.gz"), gzip(&some("old/b.sgf.gz"))).unwrap();
    let (one, two) = (some("c.tar!/x/1.sgf"), some("c.tar!/2.sgf"));
    fs::write(games.join("c.tar"), tar(&[("x/1.sgf", &one), ("2.sgf", &two)])).unwrap();
    let built = run(&["index", "--variations", str(&games), "-o", str(&index)]);
    assert_eq!(built.code, Some(0), "{}", built.stderr);
    (games, index, all)
}

#[test]
fn options_select_the_same_in_files_and_in_an_index_or_are_refused() {
    fn law(seed: u64) -> bool {
        let random = &mut Random(seed);
        let top = directory("selection/options");
        let (games, index, _) = archive(random, &top);
        let names = top.join("names.csv");
        fs::write(&names, "name,person\nYi,Lee\n").unwrap();
        let names = str(&names).to_owned();
        let options: [&[&str]; 25] = [
            &["--variations"],
            &["--every-place"],
            &["--keep-colors"],
            &["--no-symmetries"],
            &["--fixed"],
            &["--anywhere"],
            &["--empty-rest"],
            &["--names", &names],
            &["--where", "black=Lee"],
            &["--where", "PB!=Lee"],
            &["--where", "game_type=Go"],
            &["--where", "winner="],
            &["--where", "PW="],
            &["--columns", "black,PB,game_type,komi,date"],
            &["--exclude", "a.sgf"],
            &["--exclude", "old"],
            &["--exclude", "x"],
            &["--exclude", "*.tar"],
            &["--exclude", "old/*"],
            &["--game-type", "Go"],
            &["--game-type", "Hex"],
            &["--charset", "GBK"],
            &["--default-charset", "GBK"],
            &["-L"],
            &["--max-nesting", "3"],
        ];
        for _ in 0..6 {
            let mut chosen: Vec<&[&str]> = Vec::new();
            for _ in 0..1 + random.below(3) {
                let option = random.of(&options);
                // Options that cannot be repeated, or not be combined.
                let kind = |option: &[&str]| match option[0] {
                    "--where" => None,
                    "--fixed" | "--anywhere" => Some("place".to_owned()),
                    other => Some(other.to_owned()),
                };
                let is_taken = kind(option).is_some() && chosen.iter().any(|other| kind(other) == kind(option));
                if !is_taken {
                    chosen.push(option);
                }
            }
            let chosen = chosen.concat();
            let find = |of: &[&str], more: &[&str]| run(&[&["find", CORNER], more, &chosen[..], of].concat());
            let (of_files, of_index): (&[&str], &[&str]) = (&[str(&games)], &["--index", str(&index)]);
            let [files, indexed] = [of_files, of_index].map(|of| find(of, &["--json"]));
            assert!(matches!(files.code, Some(0 | 1)), "{chosen:?}: {}", files.stderr);
            let is_unknown = |option: &&str| {
                ["--charset", "--default-charset", "-L", "--max-nesting", "Hex", "old/*"].contains(option)
            };
            if chosen.iter().any(is_unknown) {
                assert_eq!((indexed.code, indexed.text()), (Some(2), ""), "{chosen:?}");
                let is_told = ["--index", "an index"].iter().any(|word| indexed.stderr.contains(word));
                assert!(is_told, "{chosen:?}: {}", indexed.stderr);
                continue;
            }
            assert_eq!(hits(&indexed), hits(&files), "{chosen:?}: {}", indexed.stderr);
            // Lines too, and some of the games.
            let [mut files, mut indexed] =
                [of_files, of_index].map(|of| find(of, &[]).lines().into_iter().map(str::to_owned).collect::<Vec<_>>());
            files.sort();
            indexed.sort();
            assert_eq!(indexed, files, "{chosen:?}");
            let [files, indexed] =
                [of_files, of_index].map(|of| find(of, &["--count", "--limit", "2"]).text().to_owned());
            assert_eq!(indexed, files, "{chosen:?}");
        }
        true
    }
    holds(40, law as fn(u64) -> bool);
}

#[test]
fn a_condition_selects_what_its_meaning_says() {
    fn law(seed: u64) -> bool {
        let random = &mut Random(seed);
        let top = directory("selection/conditions");
        let (games, index, all) = archive(random, &top);
        let names = top.join("names.csv");
        fs::write(&names, "name,person\nYi,Lee\n").unwrap();
        let names = str(&names);
        for _ in 0..6 {
            let asked: Vec<Asked> = (0..1 + random.below(2)).map(|_| Asked::random(random)).collect();
            let has_names = random.below(2) == 0;
            let mut options = asked.iter().flat_map(|asked| ["--where", &asked.text]).collect::<Vec<_>>();
            if has_names {
                options.extend(["--names", names]);
            }
            let selects = |game: &Game| asked.iter().all(|asked| asked.selects(game, has_names));
            // Every game has one of these stones.
            let found = |of: &[&str]| {
                let pattern = ["find", "(;SZ[9]AB[gc])", "--anywhere", "--json", "--variations"];
                let run = run(&[&pattern[..], of, &options].concat());
                let key = |line: &&str| {
                    let hit: Value = serde_json::from_str(line).unwrap();
                    (hit["file"].as_str().unwrap().to_owned(), hit["game"].as_u64().unwrap())
                };
                let mut keys: Vec<_> = run.lines().iter().map(key).collect();
                keys.sort();
                (keys, run.stderr)
            };
            let mut expected: Vec<(String, u64)> = Vec::new();
            for (name, games) in &all {
                let chosen =
                    (0..).zip(games).filter(|(_, game)| selects(game)).map(|(number, _)| (name.clone(), number));
                expected.extend(chosen);
            }
            expected.sort();
            for of in [&[str(&games)][..], &["--index", str(&index)]] {
                let (keys, said) = found(of);
                assert_eq!(keys, expected, "{asked:?} {has_names}: {said} in {all:?}");
            }
            let of_first: Vec<bool> = all[0].1.iter().map(selects).collect();
            let text: String = all[0].1.iter().map(|game| format!("{}\n", game.text())).collect();
            let edited = run_with(text.as_bytes(), &[&["edit", "--strip", "comments"], &options[..], &["-"]].concat());
            let stripped: Vec<bool> = edited.lines().iter().map(|game| !game.contains("C[x]")).collect();
            assert_eq!(stripped, of_first, "{asked:?} {has_names}: {}", edited.stderr);
        }
        true
    }
    holds(40, law as fn(u64) -> bool);
}
