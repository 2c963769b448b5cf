"""Trees: reading, walking, editing, writing."""

from __future__ import annotations

import copy
import datetime
from pathlib import Path

import pytest
from sgfmill import sgf, sgf_moves

from sgf_stream import Node, SgfError, Tree, check, fix, fmt, parse

GAME = b"(;FF[4]GM[1]SZ[9]KM[6.5]PB[Abe]RE[B+2];B[gc]C[good];W[cg](;B[gg];W[])(;B[cc]LB[aa:A][bb:B]TR[aa:bb]))"


@pytest.fixture
def game() -> Tree:
    return Tree.from_bytes(GAME)


def test_facts_of_the_root(game: Tree) -> None:
    assert (game.get_size(), game.size) == (9, (9, 9))
    assert (game.get_komi(), game.get_handicap(), game.get_winner()) == (6.5, None, "b")
    assert (game.get_player_name("b"), game.get_player_name("w")) == ("Abe", None)
    assert game.get_charset() == "UTF-8"
    with pytest.raises(ValueError, match="unknown colour 'x'; use 'b' or 'w'"):
        game.get_player_name("x")


def test_walking(game: Tree) -> None:
    assert len(game) == len(game.nodes()) == 6
    main = game.get_main_sequence()
    assert [node.get_move() for node in main] == [
        (None, None), ("b", (6, 6)), ("w", (2, 2)), ("b", (2, 6)), ("w", None),
    ]
    assert game.get_last_node() == main[-1] != main[0]
    assert game.get_main_sequence_below(main[2]) == main[3:]
    assert game.get_sequence_above(main[2]) == main[:2]
    branch = main[2]
    assert len(branch) == 2 and [child.get_move()[1] for child in branch] == [(2, 6), (6, 2)]
    assert branch[-1] == branch.children[1] and branch.index(branch[1]) == 1
    assert branch[1].parent == branch and game.root.parent is None
    assert [node.is_on_main_line for node in branch] == [True, False]
    assert [leaf.get_move()[0] for leaf in game.leaves()] == ["w", "b"]
    assert len({branch, main[2], main[1]}) == 2
    with pytest.raises(IndexError):
        branch[2]


def test_values_have_the_types_of_the_registry(game: Tree) -> None:
    node = game.nodes()[-1]
    assert node.get("LB") == [((8, 0), "A"), ((7, 1), "B")]
    assert node.get("TR") == {(8, 0), (8, 1), (7, 0), (7, 1)}
    assert game.root.get("KM") == 6.5 and game.root.get("SZ") == 9 and game.root.get("GM") == 1
    assert node.get_raw("LB") == b"aa:A" and node.get_raw_list("LB") == [b"aa:A", b"bb:B"]
    assert node.properties() == ["B", "LB", "TR"] and "B" in node
    assert node.find("KM") == game.root and node.find_property("KM") == 6.5 and node.find("XX") is None
    with pytest.raises(KeyError):
        node.get("C")
    assert node.get("C", None) is None and node.get("C", "-") == "-"


@pytest.mark.parametrize(
    ("identifier", "value", "written", "again"),
    [
        ("C", "a ] and \\", b"C[a \\] and \\\\]", None),
        ("KM", 0.5, b"KM[0.5]", None),
        ("KM", 7, b"KM[7]", 7.0),
        ("MN", 3, b"MN[3]", None),
        ("GB", 2, b"GB[2]", None),
        ("PL", "w", b"PL[W]", None),
        ("KO", True, b"KO[]", None),
        ("DD", [], b"DD[]", set()),
        ("TR", [(8, 0), (0, 8)], b"TR[aa][ii]", {(8, 0), (0, 8)}),
        ("TR", {(8, 8), (8, 0), (0, 8)}, b"TR[aa][ia][ii]", None),
        ("LB", [((8, 0), "1:2]")], b"LB[aa:1\\:2\\]]", None),
        ("AR", [((8, 0), (7, 1))], b"AR[aa:bb]", None),
        ("SZ", (9, 13), b"SZ[9:13]", None),
        ("AP", ("mine", "1"), b"AP[mine:1]", None),
        ("FG", None, b"FG[]", None),
        ("FG", (257, "Dia. 1"), b"FG[257:Dia. 1]", None),
        ("B", None, b"B[]", None),
        ("B", (0, 0), b"B[ai]", None),
        ("B", "ai", b"B[ai]", (0, 0)),
        ("XX", "private", b"XX[private]", None),
        ("RE", "B+Resign", b"RE[B+Resign]", None),
    ],
)
def test_set_writes_what_get_reads(identifier: str, value: object, written: bytes, again: object) -> None:
    game = Tree(9)
    node = game.root if identifier == "SZ" else game.extend_main_sequence()
    node.set(identifier, value)
    assert written in bytes(game)
    if identifier != "SZ":
        assert node.get(identifier) == (value if again is None else again)


@pytest.mark.parametrize(
    ("identifier", "value", "error"),
    [
        ("B", (9, 0), ValueError),
        ("B", (0, 9), ValueError),
        ("B", "zz", ValueError),
        ("KM", float("nan"), ValueError),
        ("KM", [], TypeError),
        ("MN", "three", ValueError),
        ("b", "x", ValueError),
        ("SZ", (0, 0), ValueError),
    ],
)
def test_set_refuses_what_is_not_a_value(identifier: str, value: object, error: type[Exception]) -> None:
    game = Tree(9)
    before = bytes(game)
    with pytest.raises(error):
        game.root.set(identifier, value)
    assert bytes(game) == before


def test_a_game_from_nothing() -> None:
    game = Tree(13)
    game.root.set_setup_stones({(3, 3), (9, 9)}, [])
    game.set_date(datetime.date(2024, 2, 29))
    for colour, point in [("w", (2, 2)), ("b", None)]:
        game.extend_main_sequence().set_move(colour, point)
    game.get_last_node().add_comment_text("one")
    game.get_last_node().add_comment_text("two")
    # Sets are written in the order of their points' names.
    assert bytes(game) == b"(;FF[4]CA[UTF-8]GM[1]SZ[13]AB[dj][jd]DT[2024-02-29];W[ck];B[]C[one\n\ntwo])\n"
    board, moves = game.get_setup_and_moves()
    assert moves == [("w", (2, 2)), ("b", None)]
    assert [(row, column) for row in range(13) for column in range(13) if board[row][column]] == [(3, 3), (9, 9)]
    assert game.get_last_node().board()[2][2] == "w"


def test_structure(game: Tree) -> None:
    branch = game.get_main_sequence()[2]
    new = branch.new_child(0)
    new.set_move("b", (0, 0))
    assert branch[0] == new and len(branch) == 3
    branch[2].reparent(new)
    assert len(branch) == 2 and len(new) == 1
    new.delete()
    assert len(branch) == 1
    with pytest.raises(ValueError, match="the node has been deleted"):
        new.get_move()
    with pytest.raises(ValueError, match="the parent is in another tree"):
        branch.reparent(Tree().root)
    with pytest.raises(ValueError, match="root"):
        game.root.delete()


def test_a_node_stays_when_others_change(game: Tree) -> None:
    last = game.leaves()[-1]
    game.root.new_child(0)
    assert last.get_move() == ("b", (6, 2))
    last.make_main_line()
    assert last.is_on_main_line
    assert game.keep_main_line() == 3
    assert game.get_last_node() == last


def test_copies_are_independent(game: Tree) -> None:
    for other in [game.copy(), copy.copy(game), copy.deepcopy(game)]:
        assert other == game
        other.root.set("PB", "Doi")
        assert game.get_player_name("b") == "Abe" and other != game


def test_transformations(game: Tree) -> None:
    game.transform("rotate-90")
    assert [node.get_move() for node in game.get_main_sequence()[1:3]] == [("b", (2, 6)), ("w", (6, 2))]
    game.transform("rotate-270")
    assert bytes(game) == bytes(Tree.from_bytes(GAME))
    game.swap_colors()
    assert game.get_winner() == "w" and game.get_player_name("w") == "Abe"
    with pytest.raises(ValueError, match="unknown transformation 'left'"):
        game.transform("left")


def test_merge_and_split(game: Tree) -> None:
    lines = game.split()
    assert [len(line) for line in lines] == [5, 4]
    lines[0].merge(lines[1])
    assert len(lines[0]) == len(game)


def test_charsets() -> None:
    text = "(;CA[GB18030]PB[古力];B[dd])".encode("gb18030")
    [game] = parse(text)
    assert (game.get_player_name("b"), game.get_charset()) == ("古力", "gb18030")
    game.root.set("PW", "常昊")
    assert "常昊".encode("gb18030") in bytes(game)
    game.to_utf8()
    assert "古力".encode() in bytes(game) and game.get_charset() == "UTF-8"
    [wide] = parse("(;PB[古力];B[dd])".encode("utf-16"))
    assert wide.get_player_name("b") == "古力"


def test_setting_ca_converts_the_texts() -> None:
    """As in sgfmill, for every text that fits."""
    for data, label in [
        ("(;CA[GB2312]PB[汉字])".encode("gb2312"), "UTF-8"),
        ("(;CA[UTF-8]PB[汉字])".encode(), "GB18030"),
        ("(;CA[UTF-8]PB[Zürich])".encode(), "ISO-8859-1"),
    ]:
        [game], theirs = parse(data), sgf.Sgf_game.from_bytes(data)
        before = game.root.get("PB")
        game.root.set("CA", label)
        theirs.get_root().set("CA", label)
        assert game.root.get("PB") == before == theirs.get_root().get("PB")
        written = game.serialise()
        assert parse(written)[0].root.get("PB") == before == sgf.Sgf_game.from_bytes(written).get_root().get("PB")
    [game] = parse("(;CA[GB2312]PB[汉字])".encode("gb2312"))
    for label, message in [
        ("nonsense", "CA: \"nonsense\" is unknown"),
        ("ISO-8859-1", r"PB\[汉字\] cannot be written in ISO-8859-1"),
    ]:
        with pytest.raises(SgfError, match=message):
            game.root.set("CA", label)
        assert game.root.get("PB") == "汉字" and game.get_charset() == "GBK"
    with pytest.raises(SgfError, match=r"^PW: the text cannot be written in the charset .*; call Tree.to_utf8 first$"):
        game.root.set("PW", "Жук😀")
    [damaged] = parse(b"(;CA[UTF-8]PB[\xff])")
    with pytest.raises(SgfError, match="PB has bytes that are invalid in UTF-8; Tree.to_utf8 replaces them"):
        damaged.root.set("CA", "GBK")
    assert damaged.to_utf8() == 1
    # A raw label converts nothing.
    game.root.set_raw("CA", b"UTF-8")
    assert game.root.get_raw("PB") == "汉字".encode("gb2312")


def test_a_point_off_the_board_is_an_error() -> None:
    [game] = parse(b"(;SZ[9]AB[jj]LB[ja:x];B[jj])")
    for read, message in [
        (game.root[0].get_move, r"B\[jj\] is off the 9x9 board"),
        (lambda: game.root[0].get("B"), r"B\[jj\] is off"),
        (lambda: game.root.get("AB"), r"AB\[jj\] is off"),
        (game.root.get_setup_stones, r"AB\[jj\] is off"),
        (lambda: game.root.get("LB"), r"LB\[ja\] is off"),
        (parse(b"(;SZ[9];B[jj])")[0].get_setup_and_moves, r"B\[jj\] is off"),
    ]:
        with pytest.raises(SgfError, match=message):
            read()
    assert game.root[0].get_raw_move() == ("b", b"jj")


@pytest.mark.parametrize(
    "data",
    [
        b"(;SZ[9];B[cc];W[dd]AB[ee])",
        b"(;SZ[9]B[cc]AB[ee])",
        b"(;SZ[9];B[cc];AB[ee])",
        b"(;SZ[9];B[jj])",
        b"(;SZ[9]AW[cc]B[cc];AB[ee])",
    ],
)
def test_what_is_no_setup_and_moves_raises_as_in_sgfmill(data: bytes) -> None:
    with pytest.raises(ValueError):
        sgf_moves.get_setup_and_moves(sgf.Sgf_game.from_bytes(data))
    [game] = parse(data)
    with pytest.raises(SgfError):
        game.get_setup_and_moves()


def test_setup_before_the_first_move_may_have_a_node_of_its_own() -> None:
    [game] = parse(b"(;SZ[9]AB[ee];AE[ee]AW[ii];B[cc])")
    board, moves = game.get_setup_and_moves()
    assert [(row, column) for row in range(9) for column in range(9) if board[row][column]] == [(0, 8)]
    assert moves == [("b", (6, 2))]


def test_two_moves_in_a_node_are_one_in_all_methods() -> None:
    for data in (
        b"(;SZ[9];W[ee]B[cc])",
        b"(;SZ[9];B[cc]W[ee])",
        b"(;SZ[9];W[ee]B[])",
        b"(;SZ[9]W[ee]B[aa][bb])",
        b"(;SZ[9];B[aa][bb])",
    ):
        [game], theirs = parse(data), sgf.Sgf_game.from_bytes(data)
        node, other = game.get_last_node(), theirs.get_last_node()
        assert (node.get_move(), node.get_raw_move()) == (other.get_move(), other.get_raw_move())
        assert game.get_setup_and_moves()[1] == sgf_moves.get_setup_and_moves(theirs)[1] == [node.get_move()]


def test_private_properties_are_texts() -> None:
    data = b"(;SZ[9]TC[3]TT[1.5]LC[2]SBKV[0.5];B[cc]TC[5x])"
    [game], theirs = parse(data), sgf.Sgf_game.from_bytes(data)
    for node, other in zip(game.get_main_sequence(), theirs.get_main_sequence(), strict=True):
        for name in other.properties():
            assert node.get(name) == other.get(name)
    game.root.set("TC", "4")
    assert game.root.get("TC") == "4"


def test_long_names_are_those_of_ff4() -> None:
    data = b"(;FF[3]SZ[9]VieW[aa:cc]CoPyright[x])"
    [game], theirs = parse(data), sgf.Sgf_game.from_bytes(data)
    assert sorted(game.root.properties()) == sorted(theirs.get_root().properties()) == ["CP", "FF", "SZ", "VW"]
    assert game.root.get_raw_property_map() == theirs.get_root().get_raw_property_map()
    assert all(name in game.root for name in game.root.properties())


def test_errors_of_values_name_the_property() -> None:
    node = Tree(9).extend_main_sequence()
    for name, value, error, message in [
        ("LB", [(0, 0)], TypeError, "^LB: "),
        ("LB", 5, TypeError, "^LB: "),
        ("AB", [(0, 9)], ValueError, r"^AB: \(0, 9\) is off the board"),
        ("C", 5, TypeError, "^C: "),
        ("B", "zz", ValueError, "^B: "),
        ("MN", [], TypeError, "^MN: expected "),
    ]:
        with pytest.raises(error, match=message):
            node.set(name, value)


def test_nodes_by_number_and_as_text() -> None:
    [game] = parse(b"(;SZ[3];B[aa];W[bb](;B[cc])(;C[none]))")
    assert game[-1].get("C") == "none" and game[0] == game[-5] == game.root
    with pytest.raises(IndexError):
        game[-6]
    game.root.new_child().set("C", "new")
    assert [node.get("C", None) for node in game] == [node.get("C", None) for node in game.nodes()]
    assert [node.move_number for node in game.nodes()] == [0, 1, 2, 3, 2, 0]
    assert game.get_last_node().diagram() == "X . .\n. O .\n. . X\n"


def test_text_is_not_a_path(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="pass SGF as bytes, or use Tree.from_string"):
        parse("(;B[dd])")
    (tmp_path / "a.sgf").write_bytes(b"(;B[dd]")
    with pytest.raises(SgfError) as caught:
        parse(tmp_path / "a.sgf", strict=True)
    assert caught.value.file == str(tmp_path / "a.sgf")


def test_errors_say_where() -> None:
    with pytest.raises(SgfError) as caught:
        parse(b"(;B[dd]\n;W[)", strict=True)
    error = caught.value
    assert (error.line, error.code) == (2, "unterminated-value") and error.offset is not None
    with pytest.raises(SgfError):
        parse(b"not SGF")
    with pytest.raises(SgfError, match="expected one game, found 2"):
        Tree.from_bytes(b"(;)(;)")


def test_bytes_and_files_are_the_same(tmp_path: Path) -> None:
    path = tmp_path / "a.sgf"
    path.write_bytes(b"(;FF[4]KM[6,5];B[dd]")
    data = path.read_bytes()
    for source in (path, str(path)):
        assert parse(source) == parse(data)
        assert fix(source).data == fix(data).data != data
        assert fmt(source).data == fmt(data).data
        assert [str(one) for one in check(source)] == [str(one) for one in check(data)] != []
    assert path.read_bytes() == data
    with pytest.raises(FileNotFoundError):
        check(tmp_path / "missing.sgf")


def test_other_games_are_text() -> None:
    [hexagons] = parse(b"(;GM[11]SZ[11];B[a1];W[swap-pieces])")
    assert [node.get("B", None) for node in hexagons.nodes()] == [None, "a1", None]


def test_nodes_keep_their_tree() -> None:
    def root() -> Node:
        return Tree.from_bytes(GAME).root

    assert root().get("PB") == "Abe"
