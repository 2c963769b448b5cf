use super::{Need, Pattern};

fn error(text: &str) -> String {
    text.parse::<Pattern>().unwrap_err().to_string()
}

#[test]
fn texts_that_are_no_pattern_say_what_is_wrong() {
    for (text, expected) in [
        ("(;SZ[9]AB[pd])", "point pd is not on the board of the pattern, which has 9 columns and 9 rows"),
        ("(;AB[pd]AW[pd])", "AB and AW of the pattern both name point pd"),
        ("(;AB[aa:cc]AE[bb])", "AB and AE of the pattern both name point bb"),
        ("(;AE[pd])", "the pattern has no stone and no move"),
        ("(;SZ[19])", "the pattern has no stone and no move"),
        ("(;VW[aa:cc])", "the pattern has no stone and no move"),
        ("(;AB[pd]VW[aa:cc])", "point pd is outside of the region of the pattern (VW)"),
        ("(;AB[aa]VW[aa:cc];B[dd])", "point dd is outside of the region of the pattern (VW)"),
        ("(;AB[aa];B[bb];W[])", "move 2 of the pattern is a pass; only moves on points can follow a pattern"),
        ("(;AB[aa];B[bb];AW[cc])", "AW comes after the moves of the pattern; only B and W may follow it"),
        ("(;AB[aa](;B[bb])(;B[cc]))", "the pattern has variations; search for each line by itself"),
        ("(;AB[?!])", "AB[?!] of the pattern is not a point"),
        ("(;AB[aa];B[a-])", "B[a-] of the pattern is not a point"),
        ("(;GM[11]AB[a1])", "the pattern is not a Go board of at most 52x52"),
        ("(;SZ[60]AB[aa])", "the pattern is not a Go board of at most 52x52"),
        ("", "the diagram has no row"),
        ("---", "the diagram has no row"),
        ("X.\nX", "row 2 of the diagram has 1 points, but row 1 has 2"),
        ("|X.\nX.", "line 2 of the diagram: only some rows have an edge ('|') at this side"),
        ("X.\n---\nX.", "line 3, column 1 of the diagram: expected X, O, '.', x, o, *, @ or a digit, found 'X'"),
        ("XZ", "line 1, column 2 of the diagram: expected X, O, '.', x, o, *, @ or a digit, found 'Z'"),
        ("|XZ", "line 1, column 3 of the diagram: expected X, O, '.', x, o, *, @ or a digit, found 'Z'"),
        ("...", "the pattern has no stone and no move"),
        ("1.3", "the moves of the diagram are not numbered from 1 on: move 2 is missing or occurs twice"),
        ("1.1", "the moves of the diagram are not numbered from 1 on: move 1 is missing or occurs twice"),
    ] {
        assert_eq!(error(text), expected, "{text}");
    }
    let wide = "X".repeat(53);
    assert_eq!(error(&wide), "the diagram has 53 columns and 1 rows; boards have at most 52");
    let no_sgf = Pattern::from_sgf(b"X.").unwrap_err().to_string();
    assert!(no_sgf.starts_with("the pattern is not SGF: "), "{no_sgf}");
}

#[test]
fn the_region_is_vw_or_the_rectangle_around_all_points() {
    for (text, expected) in [
        ("(;AB[bb][cd])", "X *\n* *\n* X\n"),
        ("(;AB[bb];W[cd])", "X *\n* *\n* *\n"),
        ("(;SZ[5]AB[bb]AE[ac]VW[aa:cc])", "+-----\n|* * *\n|* X *\n|. * *\n"),
        ("(;SZ[3]AW[bb]VW[])", "+-----+\n|* * *|\n|* O *|\n|* * *|\n+-----+\n"),
        ("(;SZ[3:2]QE[aa]QB[ba]QW[ca])", "+-----+\n|@ o x|\n"),
        ("(;SZ[9])(;AB[aa])", ""),
    ] {
        match text.parse::<Pattern>() {
            Ok(pattern) => assert_eq!(pattern.to_string(), expected, "{text}"),
            Err(_) => assert_eq!(expected, "", "{text}"),
        }
    }
    // VW need not be a rectangle: what is between its points does not count.
    let pattern: Pattern = "(;AB[bb]VW[bb][bc][cd])".parse().unwrap();
    assert_eq!(pattern.with_empty_rest().to_string(), "X *\n. *\n* .\n");
}

#[test]
fn a_diagram_has_signs_edges_and_moves() {
    for (text, expected) in [
        ("X O . , x o * ? @", "X O . . x o * * @\n"),
        ("XO/..", "X O\n. .\n"),
        ("\u{feff}XO\r\n..\r\n", "X O\n. .\n"),
        ("+---+\n|X..|\n|...|\n", "+-----+\n|X . .|\n|. . .|\n"),
        ("X.|\n1 2|\n---", "X .|\n. .|\n---+\n"),
    ] {
        assert_eq!(text.parse::<Pattern>().unwrap().to_string(), expected, "{text}");
    }
    let moves: Pattern = "3 1\nX 2".parse().unwrap();
    let played: Vec<String> = moves.continuation().iter().map(|(_, point)| point.to_string()).collect();
    assert_eq!(played, ["ba", "bb", "aa"]);
    assert_eq!(moves.need(moves.continuation()[0].1), Need::Empty);
}
