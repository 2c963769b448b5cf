//! Facts: each rule on its example, and all of them on the games of the corpus.
//!
//! The rules on the page `crates/sgf-guide/src/facts.md` come from the table of rules.
//! `UPDATE_PAGES=1 cargo test -p sgf-stream-tests --all-features --test it facts::` rewrites them.

use std::fmt::Write;

use sgf_stream::value::Color;
use sgf_stream::{NodeRecord, Parser};
use sgf_table::analysis::Writer;
use sgf_table::facts::{Fact, FactRule, Facts, FirstMoves, Origin};
use sgf_table::{Table, TableBuilder};

use crate::support::generate::Input;
use crate::support::{holds, shared};

/// The cells of the games of some bytes.
fn cells(parser: &Parser, bytes: &[u8], columns: &[&str]) -> Vec<Vec<String>> {
    let (table, mut all) = (TableBuilder::new(parser, Table::Games).columns(columns).unwrap(), Vec::new());
    let mut rows = table.rows(parser.reader(bytes));
    while let Ok(true) = rows.next_game(|row| all.push((0..row.len()).map(|n| row.cell(n).to_string()).collect())) {}
    all
}

/// The cell of a game.
fn cell(game: &str, column: &str) -> String {
    cells(&Parser::new(), game.as_bytes(), &[column]).remove(0).remove(0)
}

#[test]
fn every_rule_gives_the_value_of_its_example() {
    for rule in FactRule::all() {
        let (game, value) = rule.example();
        let column = rule.fact().columns()[0];
        assert_eq!(cell(game, column), value, "{}: {game}", rule.name());
        let fired = cell(game, "fact_rules");
        let is_named = fired.split(' ').any(|fired| fired == format!("{column}={}", rule.name()));
        assert!(is_named, "{}: {game}: {fired}", rule.name());
    }
}

#[test]
fn names_of_rules_are_unique_and_their_meanings_are_sentences() {
    let mut names: Vec<&str> = FactRule::all().map(FactRule::name).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
    for rule in FactRule::all() {
        assert!(rule.meaning().ends_with('.') && !rule.basis().ends_with('.'), "{}", rule.name());
        assert!(rule.name().bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'));
    }
}

#[test]
fn what_is_not_known_is_null() {
    for (game, column) in [
        // A person, for all we know; and no program on KGS only since its name ends like one.
        ("(;PB[Goro]PC[The KGS Go Server at http://www.gokgs.com/])", "black_is_bot"),
        ("(;PB[notarobot]PC[The KGS Go Server at http://www.gokgs.com/])", "black_is_bot"),
        ("(;PB[zen]PC[The KGS Go Server at http://www.gokgs.com/])", "black_is_bot"),
        ("(;PB[zen_bot])", "black_is_bot"),
        // Editors are not origins, nor is the real GNU Go.
        ("(;AP[CGoban:3])", "origin"),
        ("(;AP[Sabaki:0.52.2])", "origin"),
        ("(;AP[GNU Go:3.8]TM[60])", "origin"),
        ("(;PC[Kgsville])", "origin"),
        // The third number of a date is none of moves.
        ("(;EV[1,2,3])", "origin"),
        ("(;EV[0,1,220,30/0 5m])", "origin"),
        // An even game of Fox under Chinese rules, hundredths of an unknown unit, and no komi of any rules.
        ("(;TC[3]TT[30]KM[0]HA[0]RU[Chinese])", "komi_points"),
        ("(;KM[450])", "komi_points"),
        ("(;KM[1000000])", "komi_points"),
        ("(;KM[x])", "komi_points"),
        ("(;GM[2]KM[6.5])", "komi_points"),
        // KGS does not say it, and these words of OGS contradict each other.
        ("(;PC[The KGS Go Server at http://www.gokgs.com/])", "rated"),
        ("(;PC[OGS: x]GC[ranked,unranked])", "rated"),
        ("(;PC[OGS: x]GC[blitz])", "rated"),
        ("(;GC[ranked])", "rated"),
        // Korea and Japan.
        ("(;PC[Seoul]EV[Honinbo])", "rules_family"),
        ("(;EV[Kozawa memorial])", "rules_family"),
        ("(;RU[house rules])", "rules_family"),
        ("(;GM[2]RU[Japanese])", "rules_family"),
        // A main time may have an overtime that nobody wrote down.
        ("(;TM[600])", "time_class"),
        ("(;TM[600]OT[3 periods])", "time_class"),
        ("(;TC[a comment]TT[30])", "time_class"),
        // Problems, and games whose handicap contradicts itself.
        ("(;AB[aa][bb]AW[cc]PL[B];B[dd])", "handicap_real"),
        ("(;AB[pd][nd]AW[dd][dp];B[cc])", "handicap_real"),
        ("(;HA[3];B[dd];W[pp])", "handicap_real"),
        ("(;HA[0];B[dd];B[pp];W[dp])", "handicap_real"),
        ("(;HA[2];B[dd];B[pp])", "handicap_real"),
        ("(;HA[2]AB[dd][pp])", "handicap_real"),
        ("(;BR[2100?])", "black_rank_n"),
        ("(;BR[9p, teacher of Honinbo])", "white_grade"),
        ("(;BR[10a])", "black_grade"),
        ("(;BR[24th])", "black_grade"),
        ("(;BR[Honinbo sect])", "black_grade"),
    ] {
        assert_eq!(cell(game, column), "", "{game}");
    }
}

#[test]
fn facts_are_told_as_the_guide_says() {
    for (game, column, value) in [
        ("(;BR[初段]WR[15级])", "white_rank_n", "-14"),
        ("(;BR[9단])", "black_grade", "dan"),
        ("(;BR[6d ama]US[GoGoD95])", "black_grade", "dan"),
        ("(;BR[Kisei, Honinbo])", "black_rank_n", "9"),
        ("(;BR[名人])", "black_grade", "pro"),
        ("(;BR[24th Honinbo])", "black_rank_n", "9"),
        ("(;BR[Women's Kisei])", "black_rank_n", ""),
        ("(;BR[Women's Kisei])", "black_grade", "pro"),
        ("(;BR[insei])", "black_rank_n", ""),
        ("(;BR[11k+])", "black_rank_n", "-10"),
        ("(;PW[AlphaGo]WR[9p])", "white_is_bot", "1"),
        ("(;PW[绝艺])", "white_is_bot", "1"),
        ("(;PB[Human]PW[Leela Zero 0.17])", "black_is_bot", "0"),
        ("(;RU[koSIMPLEscoreTERRITORYtaxALLsui0])", "rules_family", "territory"),
        ("(;RU[koSIMPLEscoreAREAtaxNONEsui0button1])", "rules_family", "area"),
        ("(;RU[koSIMPLEscoreAREAtaxNONEsui0])", "rules_family", "chinese"),
        ("(;RU[Tang (Japanese + group tax)])", "rules_family", "old-chinese"),
        ("(;RU[New Zealand])", "rules_family", "new-zealand"),
        ("(;KM[0]HA[3]TC[3]TT[30]RU[Japanese])", "komi_points", "0"),
        ("(;KM[2.75])", "komi_points", "5.5"),
        ("(;KM[3.5])", "komi_points", "3.5"),
        ("(;TM[60]TC[3]TT[30])", "overtime_count", "3"),
        ("(;TM[3시간]LT[60]LC[5])", "overtime_seconds", "60.0"),
        ("(;TM[0]PC[OGS: x])", "time_class", "none"),
        ("(;OT[none])", "time_class", "none"),
        ("(;OT[86400 fischer]TM[259200])", "time_class", "fischer"),
        ("(;HA[5]AB[dd][pp][dp][pd];W[qc])", "handicap_real", "4"),
        ("(;HA[2]AB[dd:ed];W[qc])", "handicap_real", "2"),
    ] {
        assert_eq!(cell(game, column), value, "{game}");
    }
}

/// The columns that need no moves as `Facts` gives them, in the form of cells.
fn of_facts(facts: &Facts<'_>) -> Vec<(&'static str, String)> {
    let flag = |is: Option<bool>| is.map_or(String::new(), |is| u8::from(is).to_string());
    let is_bot = |player| flag(facts.is_bot(player).map(|known| known.value));
    let rank = |player| facts.rank(player).map_or(String::new(), |known| known.value.to_string());
    let grade = |player| facts.grade(player).map_or(String::new(), |known| known.value.to_string());
    vec![
        ("origin", facts.origin().map_or(String::new(), |known| known.value.to_string())),
        ("rated", flag(facts.rated().map(|known| known.value))),
        ("black_is_bot", is_bot(Color::Black)),
        ("white_is_bot", is_bot(Color::White)),
        ("black_rank_n", rank(Color::Black)),
        ("white_rank_n", rank(Color::White)),
        ("black_grade", grade(Color::Black)),
        ("white_grade", grade(Color::White)),
        ("rules_family", facts.rules_family().map_or(String::new(), |known| known.value.to_string())),
        ("time_class", facts.time_class().map_or(String::new(), |known| known.value.to_string())),
    ]
}

/// Facts of a root are those of the table, where each column is read alone.
#[test]
fn facts_of_a_root_are_those_of_the_table() {
    fn check(bytes: &[u8]) {
        let (mut reader, mut root) = (Parser::new().slice(bytes), NodeRecord::new());
        if !matches!(reader.read_node(&mut root), Ok(true)) {
            return;
        }
        for (column, value) in of_facts(&Facts::of_root(&root)) {
            let row = cells(&Parser::new(), bytes, &[column]).remove(0);
            assert_eq!(row, [value], "{column}: {}", bytes.escape_ascii());
        }
    }
    fn law(inputs: Vec<Input>) {
        check(&inputs.into_iter().take(3).flat_map(|Input(bytes)| bytes).collect::<Vec<u8>>());
    }
    FactRule::all().for_each(|rule| check(rule.example().0.as_bytes()));
    holds(200, law as fn(Vec<Input>));
}

#[test]
fn the_first_moves_tell_a_handicap() {
    let game = b"(;HA[2];B[dd];B[pp];W[dp])";
    let (mut reader, mut root) = (Parser::new().slice(game), NodeRecord::new());
    assert!(reader.read_node(&mut root).unwrap());
    assert!(Facts::of_root(&root).handicap().is_none());
    let first = FirstMoves::of([Color::Black, Color::Black, Color::White, Color::Black]);
    let known = Facts::of_root(&root).first_moves(first).handicap().unwrap();
    assert_eq!((known.value, known.rule.name()), (2, "handicap-by-moves"));
}

/// Columns that say what the text says do not depend on facts.
#[test]
fn raw_columns_stay_as_they_are() {
    let raw = ["komi", "handicap", "rules", "black_rank", "source", "KM", "HA", "PC_raw", "RU_raw"];
    for rule in FactRule::all() {
        let bytes = rule.example().0.as_bytes();
        let with: Vec<&str> = raw.into_iter().chain(["fact_rules", "origin", "komi_points", "handicap_real"]).collect();
        let alone = cells(&Parser::new(), bytes, &raw);
        assert_eq!(cells(&Parser::new(), bytes, &with)[0][..raw.len()], alone[0][..], "{}", rule.name());
    }
}

/// Prints the share of the games of the corpus where each fact is known.
#[test]
fn facts_are_known_in_the_corpus() {
    let corpus = shared::corpus();
    if corpus.is_empty() {
        return;
    }
    let columns: Vec<&str> = Fact::all().map(|fact| fact.columns()[0]).collect();
    let (mut games, mut known) = (0_usize, vec![0_usize; columns.len()]);
    for path in corpus {
        let bytes = std::fs::read(path).unwrap();
        for row in cells(&Parser::new(), &bytes, &columns) {
            games += 1;
            known.iter_mut().zip(row).for_each(|(known, cell)| *known += usize::from(!cell.is_empty()));
        }
    }
    println!("{games} games");
    for (column, &known) in columns.iter().zip(&known) {
        println!("{column:<14} {known:6} {:5.1} %", 100.0 * known as f64 / games as f64);
        assert!(known > 50, "{column}");
    }
}

const HEADING: &str = "# Rules\n";

const ENGINES: &str = "
# Values of engines

Engines and editors write win rates, score leads and visits into the nodes of moves. The columns `winrate`, `score_lead`
and `visits` of the table `moves` have them in Black's view, also where the writer has another; `analysis` names the
programs. If several wrote the same value into a node, the first one in this table counts.

| form | program | where | what |
|---|---|---|---|
";

#[test]
fn the_page_lists_the_rules() {
    let path = format!("{}/crates/sgf-guide/src/facts.md", crate::PROJECT);
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(HEADING).unwrap();
    let (_, links) = rest.split_once("\n[").unwrap();
    let mut rules = String::from("\nFor each fact, the first rule that knows it decides.\n");
    for fact in Fact::all() {
        let columns: Vec<String> = fact.columns().iter().map(|column| format!("`{column}`")).collect();
        write!(rules, "\n## {}\n\n{}\n\n", title(fact), columns.join(", ")).unwrap();
        rules += "| rule | looks at | meaning | known from |\n|---|---|---|---|\n";
        for rule in FactRule::all().filter(|rule| rule.fact() == fact) {
            let used = rule.uses().iter().map(|fact| format!("*{}*", fact.columns()[0]));
            let reads: Vec<String> = rule.reads().iter().map(|name| (*name).to_owned()).chain(used).collect();
            let (meaning, basis) = (escaped(rule.meaning()), escaped(rule.basis()));
            writeln!(rules, "| `{}` | {} | {meaning} | {basis} |", rule.name(), reads.join(" ")).unwrap();
        }
        for rule in FactRule::all().filter(|rule| rule.fact() == fact) {
            let words: Vec<&str> = rule.words().collect();
            if !words.is_empty() {
                writeln!(rules, "\n`{}` looks for: {}.", rule.name(), words.join(", ")).unwrap();
            }
        }
        if fact == Fact::Origin {
            rules += "\nThe origins:\n\n| origin | meaning |\n|---|---|\n";
            Origin::all().for_each(|origin| writeln!(rules, "| `{origin}` | {} |", origin.meaning()).unwrap());
        }
    }
    rules += ENGINES;
    for writer in Writer::all() {
        let (place, meaning) = (writer.place(), escaped(writer.meaning()));
        writeln!(rules, "| `{}` | `{}` | {place} | {meaning} |", writer.name(), writer.program()).unwrap();
    }
    let new = format!("{before}{HEADING}{rules}\n[{links}");
    if std::env::var_os("UPDATE_PAGES").is_some() {
        std::fs::write(&path, &new).unwrap();
    }
    let differs = new.lines().zip(page.lines()).find(|(new, old)| new != old);
    let is_old = std::env::var_os("UPDATE_PAGES").is_none();
    assert!(!is_old || new == page, "{differs:?}: UPDATE_PAGES=1 regenerates {path}");
}

fn title(fact: Fact) -> &'static str {
    match fact {
        Fact::Origin => "Origin",
        Fact::Rated => "Rated",
        Fact::Bot => "Programs",
        Fact::Rank => "Ranks",
        Fact::Grade => "Grades",
        Fact::Komi => "Komi",
        Fact::Handicap => "Handicap",
        Fact::RulesFamily => "Rules of the game",
        Fact::MainTime => "Main time",
        Fact::Overtime => "Overtime",
        Fact::TimeClass => "Time control",
        _ => unreachable!("a fact without a title"),
    }
}

/// Brackets are links in Markdown, but not between backticks.
fn escaped(text: &str) -> String {
    let escaped = |part: &str| part.replace('[', r"\[").replace(']', r"\]");
    let parts = text.split('`').enumerate();
    let parts: Vec<String> = parts.map(|(n, part)| if n % 2 == 0 { escaped(part) } else { part.to_owned() }).collect();
    parts.join("`")
}
