"""Search: files and indexes have the same hits, and they are those of a replay."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import sgf_stream

#: A small knight's approach, and the answer that must follow.
PATTERN = "(;SZ[9]AB[gc]AW[gg]VW[ea:ii])"


def test_a_hit_has_its_place_and_the_next_move(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_text("(;SZ[9];B[gc];W[cc];B[ee])(;SZ[9];B[ee])(;SZ[9];B[ee];W[gc];B[gg];W[aa])")
    rows = sgf_stream.find(PATTERN, tmp_path).to_polars().drop("file").to_dicts()
    assert [(row["offset"], row["game"], row["ply"], row["swapped"]) for row in rows] == [(0, 0, 2, False), (40, 2, 3, False)]
    assert [(row["next_color"], row["next_point"], row["elsewhere"]) for row in rows] == [("B", "ee", 0), (None, None, None)]
    assert sgf_stream.find(PATTERN, tmp_path, swap_colors=False).to_polars().height == 2
    assert sgf_stream.find(PATTERN, tmp_path, symmetries=False).to_polars()["swapped"].to_list() == [True]
    assert sgf_stream.find(PATTERN, tmp_path, symmetries=False, swap_colors=False).to_polars().height == 0
    assert sgf_stream.find(PATTERN, tmp_path, limit=1).to_polars().height == 1


def test_a_wrong_pattern_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(sgf_stream.SgfError, match="pattern: "):
        sgf_stream.find("(;SZ[9]AB[zz])", tmp_path)
    with pytest.raises(ValueError, match="place: use 'sides', 'fixed' or 'anywhere', not 'corner'"):
        sgf_stream.find(PATTERN, tmp_path, place="corner")


def test_hits_in_real_games_are_those_of_a_replay(corpus: Path) -> None:
    games = corpus / "copyleft"
    stones = {(15, 16): "b", (16, 14): "w"}
    pattern = "(;SZ[19]AB[qd]AW[oc]VW[ka:sj])"
    hits = sgf_stream.find(pattern, games, symmetries=False, swap_colors=False, on_error="skip")
    found = {(file, offset): ply for file, offset, ply in hits.to_polars().select("file", "offset", "ply").rows()}
    looked = 0
    for game in sgf_stream.games(games, fields=["size_x", "size_y", "game_type"], on_error="skip"):
        if looked == 150:
            break
        if (game.game_type, game.size_x, game.size_y) != ("Go", 19, 19):
            continue
        looked += 1
        ply, at = 0, None
        for node in game.tree().get_main_sequence():
            ply += node.get_move()[0] is not None
            board = node.board()
            if all(board[row][column] == stone for (row, column), stone in stones.items()):
                at = ply
                break
        assert found.get((game.file, game.offset)) == at, game
    assert looked == 150


def test_an_index_has_the_same_hits(corpus: Path, tmp_path: Path) -> None:
    sgf = shutil.which("sgf")
    if sgf is None:
        pytest.skip("the command sgf is not there")
    games = corpus / "unknown"
    subprocess.run([sgf, "index", str(games), "-o", str(tmp_path / "index")], check=True, capture_output=True)
    columns = ["file", "offset", "game", "ply", "symmetry", "swapped", "next_point"]
    one = sgf_stream.find(PATTERN.replace("9", "19"), games, on_error="skip").to_polars().select(columns)
    other = sgf_stream.find(PATTERN.replace("9", "19"), tmp_path / "index").to_polars().select(columns)
    assert sorted(one.rows()) == sorted(other.rows())
