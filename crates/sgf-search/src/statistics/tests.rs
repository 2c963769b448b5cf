use sgf_stream::Parser;
use sgf_stream::value::Color;

use super::{Continuations, GameFacts};
use crate::pattern::Pattern;
use crate::search::Search;
use crate::sums::Outcome;

/// Counts games with the pattern; each text is a game, its outcome, its year and its group.
fn counted(pattern: &Pattern, games: &[(&str, Outcome, i32, &str)]) -> Continuations {
    let mut continuations = Continuations::new();
    for (game, outcome, year, group) in games {
        let search = Search::new(pattern.clone());
        let facts = GameFacts { outcome: *outcome, year: Some(*year), group: Some((i64::from(*year) / 10, *group)) };
        search.find(&Parser::new(), game.as_bytes(), |found| continuations.add(&found.hits()[0], &facts)).unwrap();
    }
    continuations
}

fn joseki() -> (Pattern, Continuations) {
    let pattern: Pattern = "(;SZ[9]AB[gc]AW[gf]VW[ea:ii])".parse().unwrap();
    let (black, white) = (Outcome::Win(Color::Black), Outcome::Win(Color::White));
    let games = [
        ("(;SZ[9];B[gc];W[gf];B[ec])", black, 1990, "1990s"),
        ("(;SZ[9];B[gc];W[gf];B[aa];W[ec])", white, 1991, "1990s"),
        // Exchanged colors: White won what is Black's in the pattern.
        ("(;SZ[9];B[aa];W[gc];B[gf];W[ec])", white, 2001, "2000s"),
        ("(;SZ[9];B[gc];W[gf];B[hf])", Outcome::Draw, 1846, "1840s"),
        ("(;SZ[9];B[gc];W[gf])", Outcome::Unknown, 2001, "2000s"),
        ("(;SZ[9];B[gc];W[gf];B[bb])", black, 2002, "2000s"),
    ];
    let continuations = counted(&pattern, &games);
    (pattern, continuations)
}

#[test]
fn the_table_has_moves_results_years_and_groups() {
    let (pattern, continuations) = joseki();
    assert_eq!(
        continuations.drawn_on(&pattern).table(),
        "   next      games    share  Black wins  White wins  elsewhere first      years
A  Black E7      2   33.3 %     100.0 %       0.0 %                0  1990–2001
B  Black H4      1   16.7 %           -           -                0       1846
A  White E7      1   16.7 %       0.0 %     100.0 %                1       1991
   none          2   33.3 %     100.0 %       0.0 %                   2001–2002
   all           6  100.0 %      75.0 %      25.0 %                   1846–2002

group  games  Black wins  White wins     B A      B B     W A
1840s      1           -           -   0.0 %  100.0 %   0.0 %
1990s      2      50.0 %      50.0 %  50.0 %    0.0 %  50.0 %
2000s      3     100.0 %       0.0 %  33.3 %    0.0 %   0.0 %
"
    );
    let games = [
        ("(;SZ[9];B[gc];W[gf];B[hf])", Outcome::Draw, 1846, "天元戦"),
        ("(;SZ[9];B[gc];W[gf])", Outcome::Draw, 1846, "Cup"),
    ];
    let table = counted(&pattern, &games).drawn_on(&pattern).table();
    let ends = ["group   games  Black wins", "Cup         1", "天元戦      1"];
    assert!(
        ends.iter().all(|start| table.contains(&format!("\n{start}"))),
        "wide characters take two columns:\n{table}"
    );
    assert_eq!(Continuations::new().drawn_on(&pattern).table().lines().count(), 2);
    // The others are one row, and have no letters.
    let most = continuations.drawn_on(&pattern).most(1);
    let table = most.table();
    let rows: Vec<&str> = table.lines().take(5).collect();
    assert!(
        rows[2].starts_with("   2 more        2   33.3 %       0.0 %     100.0 %                1  1846–1991"),
        "{table}"
    );
    assert!(rows[3].starts_with("   none") && !most.board().contains('B') && most.board().contains('A'), "{table}");
}

#[test]
fn the_board_has_letters_and_the_names_of_its_points() {
    let (pattern, continuations) = joseki();
    assert_eq!(
        continuations.drawn_on(&pattern).board(),
        "   E F G H J\n   \
         ---------+\n \
         9 * * * * *|\n \
         8 * * * * *|\n \
         7 A * X * *|\n \
         6 * * * * *|\n \
         5 * * * * *|\n \
         4 * * O B *|\n \
         3 * * * * *|\n \
         2 * * * * *|\n \
         1 * * * * *|\n   \
         ---------+\n"
    );
    // A part of a board has no names, and moves that follow are numbers.
    let part: Pattern = "X 1\n. *".parse().unwrap();
    let games = [("(;SZ[9];B[ee];B[fe];W[ff])", Outcome::Unknown, 1990, "")];
    let continuations = counted(&part, &games);
    assert_eq!(continuations.drawn_on(&part).board(), "X 1\n. A\n");
    let table = continuations.drawn_on(&part).table();
    assert!(table.contains("A  White bb") && table.contains("\nunknown  "), "{table}");
}

#[test]
fn the_picture_has_letters_and_ends_where_the_pattern_does() {
    let (pattern, continuations) = joseki();
    let svg = continuations.drawn_on(&pattern).svg();
    assert!(svg.starts_with("<svg") && svg.contains(">A</text>") && svg.contains(">B</text>"), "{svg}");
    // Five columns of 24 pixels, and coordinates.
    assert!(svg.contains(r#"viewBox="0 0 168 264""#), "{svg}");
    for (text, picture) in [
        ("X 1/. *", r#"viewBox="0 0 60 60""#),
        ("X.@xo*\n......\n", r#"viewBox="0 0 156 60""#),
        ("+--\n|X.\n|..", r#"viewBox="0 0 60 60""#),
    ] {
        let svg = Continuations::new().drawn_on(&text.parse().unwrap()).svg();
        assert!(svg.contains(picture), "{text}: {svg}");
    }
    // One of 52 columns cannot be larger.
    let wide: Pattern = "X".repeat(52).parse().unwrap();
    assert!(Continuations::new().drawn_on(&wide).svg().starts_with("<svg"));
}
