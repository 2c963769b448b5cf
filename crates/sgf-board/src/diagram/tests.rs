use quickcheck::quickcheck;
use sgf_stream::value::{Color, Size};
use sgf_stream::{Event, Parser};

use super::{Diagram, DiagramError, Mark, Painter, PointState, Shape, Spot};
use crate::{Board, Replay};

/// Returns the painter after the last node of a game, which has no variations.
fn painter(sgf: &str) -> Painter {
    let mut painter = Painter::new();
    let to_node = |event: Event<'_>, _| {
        if event != Event::EndTree {
            painter.event(event);
        }
    };
    Parser::new().parse(sgf.as_bytes(), to_node).unwrap();
    painter
}

fn diagram(sgf: &str) -> Diagram {
    painter(sgf).diagram().unwrap()
}

/// Returns the point of a name such as `Q16`.
fn at<'d>(diagram: &'d Diagram, name: &str) -> &'d PointState {
    diagram.points().find(|&(spot, _)| diagram.name(spot) == name).unwrap().1
}

#[test]
fn a_node_is_drawn_with_its_markup() {
    let diagram = diagram(
        "(;SZ[9]CR[aa];B[ee];W[ec]AB[ba:bb]CR[ee]MA[aa]SQ[ab]TR[ac]SL[ad]TB[ha]TW[hb:hc]LB[ie:a\\:b]AR[aa:cc]LN[ii:gi])",
    );
    for (name, mark) in [
        ("E5", Mark::Circle),
        ("A9", Mark::Cross),
        ("A8", Mark::Square),
        ("A7", Mark::Triangle),
        ("A6", Mark::Selected),
        ("H9", Mark::Territory(Color::Black)),
        ("H8", Mark::Territory(Color::White)),
        ("H7", Mark::Territory(Color::White)),
    ] {
        assert_eq!(at(&diagram, name).mark, Some(mark), "{name}");
    }
    assert_eq!(at(&diagram, "J5").label.as_deref(), Some("a:b"));
    assert_eq!(at(&diagram, "B8").stone, Some(Color::Black));
    assert_eq!(diagram.lines.iter().map(|line| line.has_head).collect::<Vec<_>>(), [true, false]);
    assert_eq!(diagram.last_move().map(|spot| diagram.name(spot)).as_deref(), Some("E7"));
}

#[test]
fn only_dim_points_and_the_view_are_inherited() {
    let node = diagram("(;SZ[9];DD[aa]VW[aa:cc]TR[bb];B[cc])");
    assert!(at(&node, "A9").is_dim && !at(&node, "B8").is_dim);
    assert!(at(&node, "D9").is_hidden && !at(&node, "C9").is_hidden);
    assert_eq!(at(&node, "B8").mark, None);
    let ended = diagram("(;SZ[9];DD[aa]VW[aa:cc];DD[]VW[])");
    assert!(ended.points().all(|(_, point)| !point.is_dim && !point.is_hidden));
}

#[test]
fn a_view_that_leaves_the_board_shows_all_of_it() {
    for (value, hidden) in [("[bb:tt]", 0), ("[aa:cc][tt:uu]", 0), ("[bb:ss]", 37), ("[aa:sa]", 342)] {
        let node = diagram(&format!("(;GM[1]SZ[19]VW{value};B[aa];W[pd])"));
        assert_eq!(node.points().filter(|(_, point)| point.is_hidden).count(), hidden, "{value}");
    }
}

#[test]
fn a_board_with_too_many_points_is_not_drawn() {
    for (head, rectangle) in [("SZ[52]", "AB[aa:ZZ]"), ("GM[11]SZ[52]", "AB[a1:az52]")] {
        let drawn = |times: usize| painter(&format!("(;{head}{};N[])", rectangle.repeat(times))).diagram();
        // 2,703 points more than values each time.
        assert!(drawn(369).is_ok(), "{head}");
        assert_eq!(drawn(370), Err(DiagramError::Position), "{head}");
    }
}

#[test]
fn a_variation_begins_where_it_branches_off() {
    let mut painter = Painter::new();
    let mut drawn = Vec::new();
    Parser::new()
        .parse(b"(;SZ[9];B[aa](;DD[bb];W[ab](;B[ba])(;B[ac];W[]))(;W[ii]))", |event, _| {
            painter.event(event);
            if event == Event::EndTree {
                return;
            }
            let diagram = painter.diagram();
            let mut diagram = diagram.unwrap_or_else(|_| Diagram::new(Shape::Grid, Size::square(9).unwrap()).unwrap());
            painter.number_moves(&mut diagram, 9);
            let label = |(spot, point): (Spot, &PointState)| Some(diagram.name(spot) + ":" + point.label.as_ref()?);
            let mut labels: Vec<String> = diagram.points().filter_map(label).collect();
            labels.sort();
            let dim = if diagram.points().any(|(_, point)| point.is_dim) { " dim" } else { "" };
            drawn.push(format!("{} {}{dim}", painter.move_number(), labels.join(" ")));
        })
        .unwrap();
    drawn.dedup();
    assert_eq!(
        drawn,
        [
            "0 ",
            "1 A9:1",
            "1 A9:1 dim",
            "2 A8:2 A9:1 dim",
            "3 A8:2 A9:1 B9:3 dim",
            "2 A8:2 A9:1 dim",
            "3 A7:3 A8:2 A9:1 dim",
            "4 A7:3 A8:2 A9:1 dim",
            "1 A9:1",
            "2 A9:1 J1:2",
        ]
    );
}

#[test]
fn stones_of_the_last_moves_are_numbered() {
    // White captures the first stone, and Black plays there again.
    let painter = painter("(;SZ[9];B[aa];W[ba];B[ii];W[ab];B[aa];W[hh]LB[hh:x])");
    let numbers = |last| {
        let mut diagram = painter.diagram().unwrap();
        painter.number_moves(&mut diagram, last);
        let mut labels: Vec<String> = diagram.points().filter_map(|(_, point)| point.label.clone()).collect();
        labels.sort();
        labels.join(" ")
    };
    assert_eq!(numbers(0), "x");
    assert_eq!(numbers(4), "3 4 x", "the fifth move was suicide");
    assert_eq!(numbers(99), "2 3 4 x");
}

#[test]
fn hex_has_swaps_and_its_own_names() {
    let node = diagram("(;GM[11]SZ[11]AB[a1];B[f4];W[swap-pieces];B[c3]LB[b2:x];W[resign])");
    assert_eq!(node.shape(), Shape::Rhombus);
    for (name, stone) in
        [("D6", Some(Color::White)), ("F4", None), ("A1", Some(Color::White)), ("C3", Some(Color::Black))]
    {
        assert_eq!(at(&node, name).stone, stone, "{name}");
    }
    assert_eq!(node.last_move(), None);
    assert_eq!(node.column_name(8), "I");
    assert_eq!(node.column_name(27), "AB");
}

#[test]
fn other_games_and_sizes_are_refused() {
    for (sgf, expected) in [
        ("(;GM[6];B[31])", "cannot draw Backgammon (GM[6]); only Go and Hex boards are supported"),
        ("(;GM[11]SZ[53];B[a1])", "cannot draw the board; its size is unknown or exceeds 52 columns or rows"),
        ("(;SZ[60];B[aa])", "cannot draw the board; its size is unknown or exceeds 52 columns or rows"),
    ] {
        assert_eq!(painter(sgf).diagram().unwrap_err().to_string(), expected, "{sgf}");
    }
    assert_eq!(painter("(;GM[11]SZ[60];B[a1])").diagram(), Err(DiagramError::Size));
}

#[test]
fn star_points_are_those_that_players_know() {
    let stars = |side| {
        let diagram = Diagram::new(Shape::Grid, Size::square(side).unwrap()).unwrap();
        diagram.star_points().into_iter().map(|spot| diagram.name(spot)).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(stars(19), "D16 K16 Q16 D10 K10 Q10 D4 K4 Q4");
    assert_eq!(stars(13), "D10 K10 G7 D4 K4");
    assert_eq!(stars(9), "C7 G7 E5 C3 G3");
    assert_eq!(stars(10), "C8 H8 C3 H3");
    assert_eq!(stars(5), "");
}

#[test]
fn texts_cannot_leave_their_place() {
    let mut diagram = Diagram::new(Shape::Grid, Size::square(9).unwrap()).unwrap();
    diagram.label(Spot { column: 0, row: 0 }, "<script>alert(\"x\")</script>");
    diagram.label(Spot { column: 1, row: 0 }, "&\u{1}\u{FFFF}");
    let svg = diagram.svg().title("</title><script>").to_string();
    assert!(!svg.contains("<script") && svg.contains("&amp;\u{FFFD}\u{FFFD}"), "{svg}");
    assert!(svg.contains("&lt;scri…"), "{svg}");
}

#[test]
fn a_picture_has_what_its_options_say() {
    let mut diagram = diagram("(;SZ[9];B[ee]TR[ee];W[cc]LB[aa:A])");
    diagram.arrow(Spot { column: 0, row: 0 }, Spot { column: 99, row: 0 });
    assert_eq!(diagram.lines, []);
    let svg = diagram.svg();
    assert!(svg.to_string().contains(">J</text>") && svg.to_string().contains(">A</text>"));
    assert!(!svg.clone().thumbnail().to_string().contains("<text"));
    assert!(svg.clone().coordinates(false).width(90).to_string().contains(r#"width="90" height="90""#));
    assert!(svg.to_string().contains("<title>Board 9x9, last move C7</title>"));
}

quickcheck! {
    /// The stones of a diagram are those of the board, for every game.
    fn stones_are_those_of_the_board(moves: Vec<(bool, u8, u8)>) -> bool {
        let mut sgf = "(;SZ[5]".to_owned();
        for (black, x, y) in moves {
            let letter = |n: u8| char::from(b'a' + n % 6);
            sgf += &format!(";{}[{}{}]", if black { "B" } else { "W" }, letter(x), letter(y));
        }
        sgf.push(')');
        let mut replay = Replay::new();
        Parser::new().parse(sgf.as_bytes(), |event, _| replay.event(event)).unwrap();
        let board: Option<Board> = replay.into_board();
        let (drawn, expected) = (diagram(&sgf), Diagram::of(&board.unwrap()));
        let stones = |diagram: &Diagram| diagram.points().map(|(_, point)| point.stone).collect::<Vec<_>>();
        stones(&drawn) == stones(&expected)
    }
}

#[test]
fn a_cropped_board_reaches_to_the_edges_that_are_near() {
    for (sgf, expected) in [
        ("(;SZ[19]AB[jj])", "J11-L9"),
        ("(;SZ[19]AB[dd])", "A19-E15"), // the edge is two lines beyond the margin
        ("(;SZ[19]AB[dd][dp])", "A19-E1"),
        ("(;SZ[19]AB[ee])", "D16-F14"),
        ("(;SZ[19]LB[aa:x]AB[bb])", "A19-C17"),
        ("(;SZ[19]AR[jj:ll])", "J11-N7"),
        ("(;SZ[19]VW[aa:ff]AB[cc][pp])", "A19-D16"),
        ("(;SZ[9]AB[ee])", "D6-F4"),
        ("(;SZ[19])", "A19-T1"),
        ("(;GM[11]SZ[11];B[f6])", "A1-K11"),
    ] {
        let mut painter = painter(sgf);
        painter.event(Event::EndTree); // so that the root has its stones
        let mut diagram = painter.diagram().unwrap();
        diagram.crop();
        let shown: Vec<_> = diagram.points().filter(|(_, point)| !point.is_hidden).map(|(spot, _)| spot).collect();
        let (first, last) = (*shown.first().unwrap(), *shown.last().unwrap());
        assert_eq!(format!("{}-{}", diagram.name(first), diagram.name(last)), expected, "{sgf}");
        let points = (last.column - first.column + 1) * (last.row - first.row + 1);
        assert!(sgf.contains("VW") || shown.len() == points as usize, "{sgf}: a rectangle");
    }
}
