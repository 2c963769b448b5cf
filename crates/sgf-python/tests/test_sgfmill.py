"""Games are those that sgfmill reads, and the examples of its documentation have their counterparts.

What differs, and why:

* sgfmill reads the first game of a file, and none of a file with a syntax error; here a file has all its games, and they are repaired.
* sgfmill refuses boards that are not square, and games without a root property that it needs.
* A value that is not what FF[4] wants (`KM[6,5]`) is a `ValueError` there, and read leniently here.
* Without `CA`, texts are ISO-8859-1 there, as FF[4] wants, and what they look like here, so that only ASCII is compared.
* `KO` is a number in the dialect SGF2, and always `True` there.
* A pass on a 19x19 board may be written `tt` in both.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from sgfmill import sgf, sgf_moves

import sgf_stream

#: Properties whose values both give in the same types.
SAME = ["PB", "PW", "BR", "WR", "EV", "RO", "PC", "GN", "SO", "US", "AN", "CP", "ON", "GC", "C", "N", "AB", "AW", "AE", "TR", "SQ", "CR", "MA", "PL", "MN"]


def same_text(ours: str, theirs: str) -> bool:
    """Whether two texts are the same but for white space, which sgfmill keeps in one more way."""
    return ours.split() == theirs.split()


def is_broken(data: bytes) -> bool:
    """Whether strict reading fails, so that both libraries make something else of the file."""
    try:
        sgf_stream.parse(data, strict=True)
    except sgf_stream.SgfError:
        return True
    return False


def test_moves_and_properties_are_those_of_sgfmill(corpus: Path) -> None:
    counts: Counter[str] = Counter()
    for path in sorted(corpus.rglob("*.sgf"))[::5]:
        data = path.read_bytes()
        try:
            theirs = sgf.Sgf_game.from_bytes(data)
            nodes = theirs.get_main_sequence()
            moves = [node.get_move() for node in nodes]
        except (ValueError, LookupError):
            counts["not read by sgfmill"] += 1
            continue
        ours = sgf_stream.parse(data)[0]
        is_utf8 = theirs.get_root().has_property("CA") and theirs.get_charset() == "UTF-8"
        counts["files"] += 1
        main = ours.get_main_sequence()
        try:
            assert ours.get_size() == theirs.get_size(), path
            assert [node.get_move() for node in main] == moves, path
        except AssertionError:
            if is_broken(data):
                counts["repaired here"] += 1
                continue
            counts["other moves"] += 1
            print("other moves:", path)
            continue
        for node, other in zip(main, nodes, strict=True):
            for identifier in other.properties():
                if identifier not in SAME or not (is_utf8 or all(raw.isascii() for raw in other.get_raw_list(identifier))):
                    continue
                try:
                    value = other.get(identifier)
                except (ValueError, LookupError):
                    continue
                mine = node.get(identifier)
                counts["values"] += 1
                if not (same_text(mine, value) if isinstance(value, str) else mine == value):
                    counts["other values"] += 1
                    print("other value:", path, identifier, mine, value)
    print(dict(counts))
    assert counts["files"] > 1000 and counts["values"] > 10_000
    assert counts["repaired here"] < 10
    assert counts["other moves"] == 0 and counts["other values"] == 0


def test_the_examples_of_its_documentation() -> None:
    text = b"(;FF[4]CA[UTF-8]GM[1]SZ[9]PB[B]PW[W]KM[7.5]RE[W+R]AB[ee];B[ac];W[gh];B[])"
    ours, theirs = sgf_stream.Tree.from_bytes(text), sgf.Sgf_game.from_bytes(text)
    # "Reading": size, winner, players, komi, and the moves.
    for game in (ours, theirs):
        assert (game.get_size(), game.get_winner(), game.get_komi()) == (9, "w", 7.5)
        assert (game.get_player_name("b"), game.get_player_name("w")) == ("B", "W")
        assert [node.get_move() for node in game.get_main_sequence()] == [
            (None, None), ("b", (6, 0)), ("w", (1, 6)), ("b", None),
        ]
        assert game.get_root().has_setup_stones()
        black, white, empty = game.get_root().get_setup_stones()
        assert (black, white, empty) == ({(4, 4)}, set(), set())
        last = game.get_last_node()
        assert last.parent.get("W") == (1, 6) and last.find_property("KM") == 7.5
    board, moves = ours.get_setup_and_moves()
    other, other_moves = sgf_moves.get_setup_and_moves(theirs)
    assert moves == other_moves
    assert [(row, column) for row in range(9) for column in range(9) if board[row][column]] == [
        point for _, point in other.list_occupied_points()
    ]
    # "Creating": a game from nothing.
    written = []
    for new in (sgf_stream.Tree(size=13), sgf.Sgf_game(size=13)):
        for colour, move in [("b", (2, 3)), ("w", (9, 9)), ("b", None)]:
            node = new.extend_main_sequence()
            node.set_move(colour, move)
        node.set("C", "the end")
        new.get_root().set("KM", 0.5)
        new.get_root().set("LB", [((0, 0), "A")])
        written.append(sgf.Sgf_game.from_bytes(new.serialise()))
    first, second = written
    assert first.get_size() == second.get_size() == 13
    for one, two in zip(first.get_main_sequence(), second.get_main_sequence(), strict=True):
        assert {name: one.get(name) for name in one.properties()} == {name: two.get(name) for name in two.properties()}


@pytest.mark.parametrize("wrap", [None, 20, 79])
def test_sgfmill_reads_what_is_written(wrap: int | None) -> None:
    game = sgf_stream.Tree(9)
    for number in range(30):
        node = game.extend_main_sequence()
        node.set_move("bw"[number % 2], divmod(number, 9))
        node.set("C", f"move {number} ] \\ :")
    theirs = sgf.Sgf_game.from_bytes(game.serialise(wrap))
    assert [node.get_move() for node in theirs.get_main_sequence()] == [
        node.get_move() for node in game.get_main_sequence()
    ]
    assert [node.get("C") for node in theirs.get_main_sequence()[1:]] == [
        node.get("C") for node in game.get_main_sequence()[1:]
    ]


def test_two_moves_in_a_node_are_one_in_trees_and_two_in_tables(tmp_path: Path) -> None:
    # As in sgfmill, the move of a node is Black's. Tables have both, in the order of the file.
    for text, own, moves in [
        (b"(;SZ[9];W[ee]B[])", b"", [("W", "ee"), ("B", "")]),
        (b"(;SZ[9];B[aa]W[ee])", b"aa", [("B", "aa"), ("W", "ee")]),
        (b"(;SZ[9];W[ee]B[aa])", b"aa", [("W", "ee"), ("B", "aa")]),
    ]:
        [game] = sgf_stream.parse(text)
        other = sgf.Sgf_game.from_bytes(text)
        node = game.root[0]
        assert node.get_move() == other.get_root()[0].get_move()
        assert node.get_raw_move() == other.get_root()[0].get_raw_move() == ("b", own)
        assert game.get_setup_and_moves()[1] == [node.get_move()] == sgf_moves.get_setup_and_moves(other)[1]
        (tmp_path / "a.sgf").write_bytes(text)
        table = sgf_stream.read(tmp_path, table="moves", columns=["color", "point"]).to_polars()
        assert table.rows() == moves
        [row] = sgf_stream.games(tmp_path, fields=["moves", "move_count"])
        assert row.move_count == 2
        assert row.moves == [(color.lower(), point) for color, point in moves]
