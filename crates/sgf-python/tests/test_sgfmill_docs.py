"""Every example in sgfmill's documentation (1.1.1), done by sgfmill and by this package.

The names of the tests are those of the pages. What differs is said where it does.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sgfmill import ascii_boards, boards, common, sgf, sgf_grammar, sgf_moves

import sgf_stream

#: What both have: `from_bytes`, `from_string`, and a game from nothing.
BOTH = pytest.mark.parametrize("game_type", [sgf.Sgf_game, sgf_stream.Tree])


@BOTH
def test_examples_reading_from_a_file(game_type: Any, tmp_path: Path) -> None:
    path = tmp_path / "foo.sgf"
    path.write_bytes(b"(;FF[4]CA[UTF-8]GM[1]SZ[9]PB[Black]PW[White]RE[W+R];B[ee];W[ge];B[])")
    with open(path, "rb") as f:
        game = game_type.from_bytes(f.read())
    root_node = game.get_root()
    assert (game.get_winner(), game.get_size(), root_node.get("PB"), root_node.get("PW")) == ("w", 9, "Black", "White")
    moves = [node.get_move() for node in game.get_main_sequence()]
    assert moves == [(None, None), ("b", (4, 4)), ("w", (4, 6)), ("b", None)]


@BOTH
def test_examples_recording_a_game(game_type: Any) -> None:
    game = game_type(size=13)
    for colour, move, comment in [("b", (2, 3), None), ("w", (3, 2), "a comment"), ("b", None, None)]:
        node = game.extend_main_sequence()
        node.set_move(colour, move)
        if comment is not None:
            node.set("C", comment)
    again = sgf.Sgf_game.from_bytes(game.serialise())
    assert again.get_size() == 13
    nodes = [(*node.get_move(), node.get("C") if node.has_property("C") else None) for node in again.get_main_sequence()]
    assert nodes[1:] == [("b", (2, 3), None), ("w", (3, 2), "a comment"), ("b", None, None)]


@BOTH
def test_examples_modifying_a_game(game_type: Any) -> None:
    game = game_type.from_string("(;FF[4]GM[1]SZ[9];B[ee];W[ge])")
    game.get_root().set("RE", "B+R")
    game.extend_main_sequence().set_move("b", (2, 3))
    moves = [node.get_move() for node in game.get_main_sequence()]
    assert moves == [(None, None), ("b", (4, 4)), ("w", (4, 6)), ("b", (2, 3))]
    # sgfmill sorts properties, and writes CA; this package keeps both as they are.
    written = game.serialise()
    assert written in (
        b"(;FF[4]CA[UTF-8]GM[1]RE[B+R]SZ[9];B[ee];W[ge];B[dg])\n",
        b"(;FF[4]GM[1]SZ[9]RE[B+R];B[ee];W[ge];B[dg])\n",
    )


def test_examples_show_sgf() -> None:
    data = b"(;SZ[5]AB[bb];W[ab];B[cc];W[ba];B[aa])"
    board, plays = sgf_moves.get_setup_and_moves(sgf.Sgf_game.from_bytes(data))
    for colour, move in plays:
        board.play(*move, colour)
    # A node has its board; illegal moves are executed, as SGF says, where sgfmill raises.
    [game] = sgf_stream.parse(data)
    rows = game.get_last_node().board()
    signs = {"b": "#", "w": "o", None: "."}
    ours = [f"{row + 1}  " + "  ".join(signs[stone] for stone in rows[row]) for row in reversed(range(5))]
    assert ours == ascii_boards.render_board(board).splitlines()[:-1]


def test_examples_split_sgf_collection() -> None:
    data = b"(;FF[4]GM[1]SZ[9];B[ee])(;FF[4]GM[1]SZ[9]C[second];B[aa])"
    theirs = []
    for number, coarse in enumerate(sgf_grammar.parse_sgf_collection(data), start=1):
        game = sgf.Sgf_game.from_coarse_game_tree(coarse)
        game.get_root().add_comment_text(f"Split from a.sgf (game {number})")
        theirs.append(game.get_root().get("C"))
    ours = []
    for number, tree in enumerate(sgf_stream.parse(data), start=1):
        tree.root.add_comment_text(f"Split from a.sgf (game {number})")
        [again] = sgf_stream.parse(tree.serialise())
        ours.append(again.root.get("C"))
    assert ours == theirs == ["Split from a.sgf (game 1)", "second\n\nSplit from a.sgf (game 2)"]


def test_sgf_games_from_bytes_and_from_string() -> None:
    data = b"(;FF[4]GM[1]SZ[9]CA[UTF-8];B[ee];W[ge])"
    theirs = sgf.Sgf_game.from_bytes(data, override_encoding="iso8859-1")
    ours = sgf_stream.Tree.from_bytes(data, charset="iso8859-1")
    assert [node.get_move() for node in ours.get_main_sequence()] == [node.get_move() for node in theirs.get_main_sequence()]
    assert ours.get_charset().lower().replace("-", "") in (theirs.get_charset().lower().replace("-", ""), "windows1252")
    assert len(sgf_stream.Tree.from_string(data.decode())) == len(sgf.Sgf_game.from_string(data.decode()).get_main_sequence())


def test_tree_nodes_leaf_comments() -> None:
    data = b"(;C[root];B[aa](;W[bb]C[one])(;W[cc](;B[dd])(;B[ee]C[two])))"

    def leaf_comments(node: Any, is_leaf: Callable[[Any], bool]) -> list[str]:
        if is_leaf(node):
            return [node.get("C") if node.has_property("C") else "--"]
        return [comment for child in node for comment in leaf_comments(child, is_leaf)]

    theirs = leaf_comments(sgf.Sgf_game.from_bytes(data).get_root(), lambda node: not node)
    # A node is true, also without children.
    [game] = sgf_stream.parse(data)
    assert leaf_comments(game.root, lambda node: not len(node)) == theirs == ["one", "--", "two"]
    assert [node.get("C", "--") for node in game.leaves()] == theirs


@BOTH
def test_tree_nodes_reparent(game_type: Any) -> None:
    game = game_type.from_bytes(b"(;SZ[9](;B[aa])(;B[bb];W[cc]))")
    node = game.get_root()[1]
    node.reparent(node.parent, 0)
    assert [node.get_move() for node in game.get_main_sequence()] == [(None, None), ("b", (7, 1)), ("w", (6, 2))]


def test_encoding_changing_it() -> None:
    data = "(;CA[iso-8859-1]PB[Zürich])".encode("latin-1")
    theirs = sgf.Sgf_game.from_bytes(data)
    theirs.get_root().set("CA", "utf-8")
    theirs = sgf.Sgf_game.from_bytes(theirs.serialise())
    theirs.get_root().set("PB", "本因坊秀策")
    # One call, without writing and reading the game.
    [ours] = sgf_stream.parse(data)
    assert ours.root.get("PB") == "Zürich"
    ours.to_utf8()
    ours.root.set("PB", "本因坊秀策")
    for written in (theirs.serialise(), ours.serialise()):
        assert sgf_stream.parse(written)[0].root.get("PB") == "本因坊秀策"
        assert sgf.Sgf_game.from_bytes(written).get_root().get("PB") == "本因坊秀策"


@BOTH
def test_property_types(game_type: Any) -> None:
    node = game_type(size=9).extend_main_sequence()
    node.set("KO", True)
    assert node.get_raw("KO") == b""
    for identifier, value in [("HA", 3), ("KM", 5.5), ("GB", 2), ("PL", "w"), ("RE", "W+R")]:
        node.set(identifier, value)
        assert node.get(identifier) == value
    node.set("GC", "Example game\n[for documentation]")
    assert node.get_raw("GC") == b"Example game\n[for documentation\\]"
    node.set("B", (2, 3))
    assert node.get_raw("B") == b"dg"
    node.set("LB", [((6, 0), "label 1"), ((6, 1), "label 2")])
    assert node.get_raw_list("LB") == [b"ac:label 1", b"bc:label 2"]


def test_ascii_boards() -> None:
    theirs = boards.Board(9)
    theirs.play(2, 5, "b")
    theirs.play(3, 6, "w")
    game = sgf_stream.Tree(9)
    game.extend_main_sequence().set_move("b", (2, 5))
    game.extend_main_sequence().set_move("w", (3, 6))
    rows = game.get_last_node().board()
    occupied = [(rows[row][column], (row, column)) for row in range(9) for column in range(9) if rows[row][column]]
    assert occupied == theirs.list_occupied_points() == [("b", (2, 5)), ("w", (3, 6))]


def test_common() -> None:
    for package in (common, sgf_stream):
        assert (package.format_vertex((3, 0)), package.format_vertex(None)) == ("A4", "pass")
        assert [package.move_from_vertex(vertex, 9) for vertex in ("A4", "a4", "pass")] == [(3, 0), (3, 0), None]
        for vertex in ("I3", "A0", "K1", "4A", "", "A", "A1x"):
            with pytest.raises(ValueError):
                package.move_from_vertex(vertex, 9)
        points = [(row, column) for row in range(25) for column in range(25)]
        assert [package.move_from_vertex(package.format_vertex(point), 25) for point in points] == points
    # The names of colors, and lists of vertices, are plain Python.
    assert common.opponent_of("b") == {"b": "w", "w": "b"}["b"]
    assert common.colour_name("b") == {"b": "black", "w": "white"}["b"]
    moves = [(0, 1), (2, 3), None]
    assert common.format_vertex_list(moves) == ",".join(map(sgf_stream.format_vertex, moves)) == "B1,D3,pass"
    # Boards that are not square, which sgfmill does not have.
    assert sgf_stream.move_from_vertex("E3", (5, 3)) == (2, 4)
    with pytest.raises(ValueError, match="'E4' is off the 5x3 board"):
        sgf_stream.move_from_vertex("E4", (5, 3))
