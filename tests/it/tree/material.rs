//! Turning, mirroring, the exchange of colors, and edits of raw values over the whole tree.

use std::borrow::Cow;
use std::{fs, mem};

use quickcheck::{Arbitrary, Gen};
use sgf_board::{Board, Symmetry};
use sgf_stream::property::{Property, ValueType};
use sgf_stream::tree::{EditError, GameTree, NodeId, TreeBuilder};
use sgf_stream::value::Color;
use sgf_stream::value::go::Point;
use sgf_stream::{Game, Parser, RawValue};

use super::{sgf, tree};
use crate::support::generate::Input;
use crate::support::{holds, shared};

#[test]
fn every_point_of_every_property_is_moved() {
    for (symmetry, before, after) in [
        (Symmetry::FLIP_HORIZONTAL, "(;SZ[9]AB[aa];B[ca])", "(;SZ[9]AB[ia];B[ga])"),
        (Symmetry::FLIP_VERTICAL, "(;SZ[9]AB[aa];B[ca])", "(;SZ[9]AB[ai];B[ci])"),
        (Symmetry::ROTATE_180, "(;SZ[9]AB[aa];B[ca])", "(;SZ[9]AB[ii];B[gi])"),
        (Symmetry::ROTATE_CLOCKWISE, "(;SZ[9]AB[aa];B[ca])", "(;SZ[9]AB[ia];B[ic])"),
        // Every type of values with points.
        (
            Symmetry::TRANSPOSE,
            "(;SZ[9];W[ab]CR[ab]LB[ab:x:y][ac:ab]AR[ab:cd]LN[ad:bc]VW[aa:bc]DD[ab]TB[ab:ac]TW[]L[ab][ac]KGSDE[ab])",
            "(;SZ[9];W[ba]CR[ba]LB[ba:x:y][ca:ab]AR[ba:dc]LN[da:cb]VW[aa:cb]DD[ba]TB[ba:ca]TW[]L[ba][ca]KGSDE[ba])",
        ),
        // A digit in a label says nothing about the notation of points, with and without GM.
        (Symmetry::TRANSPOSE, "(;SZ[9];B[ab]LB[ab:12])", "(;SZ[9];B[ba]LB[ba:12])"),
        // Texts, unknown properties and figures stay.
        (Symmetry::TRANSPOSE, "(;SZ[9];C[ab]N[ab]XX[ab]FG[1:ab])", "(;SZ[9];C[ab]N[ab]XX[ab]FG[1:ab])"),
        // Rectangular boards.
        (Symmetry::ROTATE_CLOCKWISE, "(;SZ[9:5];B[aa];W[ie]AE[aa:ba])", "(;SZ[5:9];B[ea];W[ai]AE[ea:eb])"),
        (Symmetry::ROTATE_180, "(;SZ[9:5];B[aa])", "(;SZ[9:5];B[ie])"),
        // Passes, points in the notation of players, and a board on which `tt` is a point.
        (
            Symmetry::ROTATE_180,
            "(;GM[1];B[tt];W[];B[pass];W[R16];B[ q d ])",
            "(;GM[1];B[tt];W[];B[pass];W[C4];B[ c p ])",
        ),
        (Symmetry::ROTATE_180, "(;SZ[21];B[tt];W[])", "(;SZ[21];B[bb];W[])"),
        // The notation, the case, the white space and the order of corners stay.
        (
            Symmetry::ROTATE_180,
            "(;GM[1];W[p1];B[ aa];W[A09]AB[ q1 : R16 ][cc:aa][ac:ca][dd:dd]LB[ q1 :q1][aa: x]AR[A1:b2]CR[jj][K 10 ])",
            "(;GM[1];W[e19];B[ ss];W[T11]AB[ c4 : D19 ][ss:qq][qs:sq][pp:pp]LB[ d19 :q1][ss: x]AR[T19:s18]CR[jj][K 10 ])",
        ),
        (Symmetry::ROTATE_CLOCKWISE, "(;GM[1]SZ[ 9 x 05 ];B[aa])", "(;GM[1]SZ[ 05 x 9 ];B[ea])"),
        (Symmetry::ROTATE_180, "(;GM[11]SZ[11];B[A01];W[b B])", "(;GM[11]SZ[11];B[K11];W[j j])"),
        // Other games.
        (Symmetry::ROTATE_180, "(;GM[11]SZ[11];B[a1];W[swap-pieces])", "(;GM[11]SZ[11];B[k11];W[swap-pieces])"),
        (Symmetry::TRANSPOSE, "(;GM[2]SZ[8];B[cd])", "(;GM[2]SZ[8];B[dc])"),
    ] {
        let mut game = tree(before);
        assert_eq!(game.transform(symmetry).unwrap().left, 0, "{before}");
        assert_eq!(sgf(&game), after, "{symmetry:?}");
    }
}

#[test]
fn values_that_cannot_be_read_stay_and_are_counted() {
    for (before, after, left) in [
        ("(;SZ[9];B[zz];W[aa])", "(;SZ[9];B[zz];W[ii])", 1),
        ("(;SZ[9]AB[aa][tt][hh:jj])", "(;SZ[9]AB[ii][tt][hh:jj])", 2),
        ("(;SZ[9];LB[aa][bb:x]AR[aa])", "(;SZ[9];LB[aa][hh:x]AR[aa])", 2),
        ("(;SZ[9];CR[nowhere]MA[])", "(;SZ[9];CR[nowhere]MA[])", 1),
        // The notation of players has no column 26.
        ("(;GM[1]SZ[30];B[A1];W[Z9])", "(;GM[1]SZ[30];B[A1];W[F22])", 1),
        // Without GM, these may be points of Hex.
        ("(;SZ[9];B[a1]AE[a1]LB[a1:x][ab:1])", "(;SZ[9];B[a1]AE[a1]LB[a1:x][ih:1])", 3),
    ] {
        let mut game = tree(before);
        assert_eq!(game.transform(Symmetry::ROTATE_180).unwrap().left, left, "{before}");
        assert_eq!(sgf(&game), after);
    }
}

#[test]
fn a_game_whose_rules_have_directions_is_refused() {
    let all = |game: &str| Symmetry::ALL.map(|symmetry| tree(game).transform(symmetry).is_ok());
    let of = |indices: &[usize]| std::array::from_fn(|index| indices.contains(&index));
    assert_eq!(all("(;GM[1])"), of(&[0, 1, 2, 3, 4, 5, 6, 7]));
    assert_eq!(all("(;GM[4]SZ[15])"), of(&[0, 1, 2, 3, 4, 5, 6, 7]));
    assert_eq!(all("(;GM[2]SZ[8])"), of(&[0, 3, 4, 7]));
    assert_eq!(all("(;GM[11])"), of(&[0, 3]));
    assert_eq!(all("(;GM[6])"), of(&[]));
    assert_eq!(all("(;GM[99])"), of(&[]));
    let error = tree("(;GM[3])").transform(Symmetry::ROTATE_180).unwrap_err();
    assert_eq!(error.to_string(), "games of Chess cannot be turned or mirrored in this way");
    assert_eq!(tree("(;GM[4])").transform(Symmetry::ROTATE_180), Err(EditError::NoSize));
    assert_eq!(tree("(;GM[11])").swap_colors(), Err(EditError::Colors(Game::Hex)));
}

/// Some games of any bytes, with a board of nine rows if they have none.
fn games(input: &Input) -> Vec<GameTree> {
    let (mut builder, mut games) = (TreeBuilder::new(), Vec::new());
    let parser = Parser::new();
    let mut reader = parser.slice(&input.0);
    while let Ok(Some(game)) = reader.read_game(&mut builder) {
        games.extend(game);
    }
    games
}

/// The position at the end of each line, if it can be played.
fn positions(game: &GameTree) -> Vec<Option<Board>> {
    let board = |line: GameTree| line.to_vec().ok().and_then(|bytes| Board::after(&bytes, usize::MAX).ok()?);
    game.split().map(board).collect()
}

#[test]
fn a_transformed_game_has_the_transformed_positions() {
    fn law(input: Input, number: usize) {
        let symmetry = Symmetry::ALL[number % 8];
        for game in games(&input).into_iter().take(4) {
            let mut image = game.clone();
            let Ok(done) = image.transform(symmetry) else { continue };
            if done.left > 0 || game.leaves().count() > 8 {
                continue; // a point off the board may be on it, once the board is turned
            }
            for (before, after) in positions(&game).into_iter().zip(positions(&image)) {
                let hash = before.map(|board| board.hashes()[symmetry.index()]);
                assert_eq!(hash, after.map(|board| board.hash()), "{symmetry:?} {game:?}");
            }
            let mut back = image.clone();
            back.transform(symmetry.inverse()).unwrap();
            assert_eq!(back, game, "{symmetry:?} {game:?}");
        }
    }
    holds(3000, law as fn(Input, usize));
}

/// A game of Go with captures, setup and marks, in pieces: text and the point after it.
#[derive(Clone, Debug)]
struct Drawn {
    columns: u8,
    rows: u8,
    pieces: Vec<(String, (u8, u8))>,
    end: String,
}

impl Arbitrary for Drawn {
    fn arbitrary(random: &mut Gen) -> Self {
        let mut below = |limit: u8| u8::arbitrary(random) % limit;
        let (columns, rows) = (3 + below(5), 3 + below(5));
        let (mut pieces, mut text) = (Vec::new(), String::new());
        for node in 0..=below(40) {
            text += match (node, below(10)) {
                (0, _) => "AB[",
                (_, 0) => ";AE[",
                (_, 1) => ";AW[",
                (_, 2) => ";B[];AB[",
                (_, 3..6) => ";W[",
                _ => ";B[",
            };
            pieces.push((mem::take(&mut text), (below(columns), below(rows))));
            let (marks, end): (&[&str], _) = match below(6) {
                0 => (&["]CR[", "]LB["], ":x]"),
                1 => (&["]TR[", "][", "]DD["], "]"),
                2 => (&["]AR[", ":"], "]"),
                _ => (&[], "]"),
            };
            for mark in marks {
                text += mark;
                pieces.push((mem::take(&mut text), (below(columns), below(rows))));
            }
            text += end;
        }
        Drawn { columns, rows, pieces, end: text }
    }
}

impl Drawn {
    /// The text, with each point where `place` puts it, on a board of this size.
    fn text(&self, (columns, rows): (u8, u8), place: impl Fn((u8, u8)) -> (u8, u8)) -> String {
        let mut text = format!("(;GM[1]SZ[{columns}:{rows}]");
        for (piece, point) in &self.pieces {
            let (x, y) = place(*point);
            text += piece;
            text.extend([x, y].map(|at| char::from(b'a' + at)));
        }
        text + &self.end + ")"
    }
}

/// Where a symmetry puts a point.
type Place<'p> = dyn Fn((u8, u8)) -> (u8, u8) + 'p;

/// Law L16: moves, setup, marks and labels, and the stones after each move, are where the symmetry puts them.
#[test]
fn a_transformed_drawing_has_each_point_where_it_goes() {
    fn law(drawn: Drawn, number: usize) {
        let (columns, rows) = (drawn.columns, drawn.rows);
        let (right, bottom) = (columns - 1, rows - 1);
        let (symmetry, place): (_, &Place<'_>) = match number % 8 {
            0 => (Symmetry::IDENTITY, &|point| point),
            1 => (Symmetry::FLIP_HORIZONTAL, &|(x, y)| (right - x, y)),
            2 => (Symmetry::FLIP_VERTICAL, &|(x, y)| (x, bottom - y)),
            3 => (Symmetry::ROTATE_180, &|(x, y)| (right - x, bottom - y)),
            4 => (Symmetry::TRANSPOSE, &|(x, y)| (y, x)),
            5 => (Symmetry::ROTATE_COUNTERCLOCKWISE, &|(x, y)| (y, right - x)),
            6 => (Symmetry::ROTATE_CLOCKWISE, &|(x, y)| (bottom - y, x)),
            _ => (Symmetry::ANTI_TRANSPOSE, &|(x, y)| (bottom - y, right - x)),
        };
        let size = if number % 8 < 4 { (columns, rows) } else { (rows, columns) };
        let before = drawn.text((columns, rows), |point| point);
        let mut game = tree(&before);
        assert_eq!(game.transform(symmetry).unwrap().left, 0, "{before}");
        let after = sgf(&game);
        assert_eq!(after, drawn.text(size, place), "{symmetry:?}");
        for moves in 0..drawn.pieces.len() {
            let board = |text: &str| Board::after(text.as_bytes(), moves).unwrap().unwrap();
            let (before, after) = (board(&before), board(&after));
            for (x, y) in (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))) {
                let stone = |board: &Board, (x, y)| board.get(Point::new(x, y).unwrap());
                assert_eq!(stone(&before, (x, y)), stone(&after, place((x, y))), "{symmetry:?}, {moves} moves");
            }
        }
    }
    holds(1000, law as fn(Drawn, usize));
}

/// Law: an edit of the geometry or of the colors changes no value that it does not have to, and can be undone.
#[test]
fn edits_of_real_games_change_only_what_they_are_about() {
    let (mut builder, mut turned, mut swapped) = (TreeBuilder::new(), 0, 0);
    for (number, path) in shared::corpus().into_iter().enumerate() {
        let bytes = fs::read(&path).unwrap();
        let parser = Parser::new();
        let mut reader = parser.slice(&bytes);
        while let Ok(Some(game)) = reader.read_game(&mut builder) {
            let Ok(game) = game else { continue };
            let symmetry = Symmetry::ALL[1 + number % 7];
            let mut image = game.clone();
            if let Ok(done) = image.transform(symmetry) {
                turned += 1;
                use ValueType::{Move, Point, PointPair, PointText, Size, Stone};
                let has_points = |row: Option<&Property>| {
                    row.is_some_and(|row| {
                        matches!(row.value_type(), Point | Stone | Move | PointPair | PointText | Size)
                    })
                };
                for (old, new) in values(&game).zip(values(&image)) {
                    let is_text = !has_points(old.row);
                    assert!(!is_text || old.bytes == new.bytes, "{}: {old:?} {new:?}", path.display());
                }
                if done.left == 0 {
                    image.transform(symmetry.inverse()).unwrap();
                    assert!(image == game, "{}: {symmetry:?}: {:?}", path.display(), first_difference(&game, &image));
                }
            }
            let mut other = game.clone();
            if other.swap_colors().is_ok() {
                swapped += 1;
                other.swap_colors().unwrap();
                let difference = first_difference(&game, &other);
                let is_sign = |(old, new): &(String, String)| *old == new.replace('[', "[+");
                assert!(difference.as_ref().is_none_or(is_sign), "{}: {difference:?}", path.display());
            }
        }
    }
    eprintln!("{turned} games turned, {swapped} with exchanged colors");
}

/// A value of a game.
#[derive(Debug)]
struct OfGame<'g> {
    ident: String,
    row: Option<&'static Property>,
    bytes: &'g [u8],
}

fn values(game: &GameTree) -> impl Iterator<Item = OfGame<'_>> {
    let context = game.context();
    let of_node = move |node: sgf_stream::tree::Node<'_>| if node.is_root() { context } else { context.after_root() };
    game.nodes().flat_map(move |node| {
        let context = of_node(node);
        node.properties().flat_map(move |property| {
            let row = sgf_stream::property::lookup(property.ident(), &context);
            let ident = property.ident().name().into_owned();
            property.values().map(move |value| OfGame { ident: ident.clone(), row, bytes: value.as_bytes() })
        })
    })
}

fn first_difference(one: &GameTree, other: &GameTree) -> Option<(String, String)> {
    let text = |value: OfGame<'_>| format!("{}[{}]", value.ident, String::from_utf8_lossy(value.bytes));
    values(one).map(text).zip(values(other).map(text)).find(|(one, other)| one != other)
}

#[test]
fn exchanged_colors_are_exchanged_in_the_positions_and_back() {
    fn law(input: Input) {
        for game in games(&input).into_iter().take(4) {
            let mut swapped = game.clone();
            if swapped.swap_colors().is_err() {
                continue;
            }
            if game.leaves().count() <= 8 {
                for (before, after) in positions(&game).into_iter().zip(positions(&swapped)) {
                    let stones = |board: Option<Board>, color| {
                        board.map(|board| board.stones(color).map(|point| point.to_string()).collect::<Vec<_>>())
                    };
                    let [black, white] = [Color::Black, Color::White].map(|color| stones(before.clone(), color));
                    assert_eq!(stones(after.clone(), Color::White), black, "{game:?}");
                    assert_eq!(stones(after, Color::Black), white, "{game:?}");
                }
            }
            let mut twice = swapped.clone();
            twice.swap_colors().unwrap();
            let mut thrice = twice.clone();
            thrice.swap_colors().unwrap();
            assert_eq!(thrice, swapped, "{game:?}");
        }
    }
    holds(3000, law as fn(Input));
}

#[test]
fn colors_are_exchanged_wherever_they_are() {
    for (before, after) in [
        ("(;PB[a]WR[3d]BT[x]WC[y])", "(;PW[a]BR[3d]WT[x]BC[y])"),
        ("(;RE[B+R]KM[0.5]HA[2]AB[dd][pp])", "(;RE[W+R]KM[-0.5]HA[2]AW[dd][pp])"),
        ("(;;B[aa]BL[3]OB[1];W[bb]WL[4]OW[2]GB[1]V[2.5])", "(;;W[aa]WL[3]OW[1];B[bb]BL[4]OB[2]GW[1]V[-2.5])"),
        ("(;AW[aa]AE[bb]PL[W]TB[cc]TW[])", "(;AB[aa]AE[bb]PL[B]TW[cc]TB[])"),
        ("(;PlayerBlack[a]C[B+2]XX[B])", "(;PW[a]C[B+2]XX[B])"),
    ] {
        let mut game = tree(before);
        assert_eq!(game.swap_colors().unwrap().left, 0);
        assert_eq!(sgf(&game), after);
    }
    // A result in words would name the wrong winner.
    for result in ["White resigns", "207수 흑불계승"] {
        let before = tree(&format!("(;PB[a]RE[{result}];B[aa])"));
        let mut game = before.clone();
        assert_eq!(game.swap_colors(), Err(EditError::Winner(result.to_owned())));
        assert_eq!(game, before);
    }
    let mut game = tree("(;RE[john wins]PL[red]KM[six])");
    assert_eq!(game.swap_colors().unwrap().left, 3);
    assert_eq!(sgf(&game), "(;RE[john wins]PL[red]KM[six])");
}

#[test]
fn raw_values_are_appended_and_replaced_one_by_one() {
    let mut game = tree("(;AB[aa]C[x]AB[bb];)");
    game.append_raw(NodeId::ROOT, "AB", ["cc", "dd"]).unwrap();
    game.append_raw(NodeId::ROOT, "AW", [RawValue::new(b"ee")]).unwrap();
    assert_eq!(sgf(&game), "(;AB[aa][bb][cc][dd]C[x]AW[ee];)");
    assert_eq!(game.append_raw(NodeId::ROOT, "AB", [""; 0]), Err(EditError::NoValue("AB".into())));
    assert_eq!(game.append_raw(NodeId::ROOT, "ab", ["x"]), Err(EditError::Ident("ab".into())));
    let missing = NodeId::new(9).unwrap();
    assert_eq!(game.append_raw(missing, "AB", ["x"]), Err(EditError::NoSuchNode(missing)));

    // Nothing changes, so the node keeps its spelling.
    let text = "(;AddBlack[aa]C[x]AB[bb])";
    let mut game = tree(text);
    assert_eq!(game.map_values(NodeId::ROOT, |_, value| Some(Cow::Borrowed(value.as_bytes()))).unwrap(), 0);
    assert_eq!(sgf(&game), text);
    let changed = game.map_values(NodeId::ROOT, |_, value| Some(value.as_bytes().to_ascii_uppercase().into()));
    assert_eq!(changed.unwrap(), 3);
    assert_eq!(sgf(&game), "(;AddBlack[AA][BB]C[X])");
    assert_eq!(game.map_values(missing, |_, _| None), Err(EditError::NoSuchNode(missing)));
}

#[test]
fn properties_are_kept_by_what_they_are_for() {
    type Is = fn(&Property) -> bool;
    let whole = "(;GM[1]PB[x]WX[1];B[aa]BL[3]C[y]TR[bb]TE[1]KT[z];XX[1]AE[aa])";
    for (what, is, rest, removed) in [
        ("comments", Property::is_comment as Is, "(;GM[1]PB[x]WX[1];B[aa]BL[3]TR[bb]TE[1]KT[z];XX[1]AE[aa])", 1),
        ("marks", Property::is_markup, "(;GM[1]PB[x]WX[1];B[aa]BL[3]C[y]TE[1]KT[z];XX[1]AE[aa])", 1),
        ("clocks", Property::is_time, "(;GM[1]PB[x]WX[1];B[aa]C[y]TR[bb]TE[1]KT[z];XX[1]AE[aa])", 1),
        ("judgments", Property::is_annotation, "(;GM[1]PB[x]WX[1];B[aa]BL[3]C[y]TR[bb]KT[z];XX[1]AE[aa])", 1),
        ("private ones", Property::is_private, "(;GM[1]PB[x];B[aa]BL[3]C[y]TR[bb]TE[1];XX[1]AE[aa])", 2),
    ] {
        let mut game = tree(whole);
        let count = game.retain_properties(|_, row| !row.is_some_and(is)).unwrap();
        assert_eq!((sgf(&game).as_str(), count), (rest, removed), "{what}");
    }
}
