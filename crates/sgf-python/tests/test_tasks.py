"""Ten tasks of a newcomer, in at most ten lines each."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import polars as pl
import pytest

import sgf_stream as sgf

GAMES = Path(__file__).parents[2] / "guide" / "games"


@pytest.fixture
def games() -> Path:
    if not GAMES.is_dir():
        pytest.skip(f"{GAMES} is not there")
    return GAMES


def test_1_who_won_most_games(games: Path) -> None:
    table = sgf.scan(games).with_columns(pl.when(pl.col("winner") == "B").then("black").otherwise("white").alias("name"))
    best = table.group_by("name").len().sort("len", descending=True).head(1).collect()
    assert best.height == 1 and best["len"][0] > 5


def test_2_how_long_are_games_per_decade(games: Path) -> None:
    decade = (pl.col("date").dt.year() // 10 * 10).alias("decade")
    lengths = sgf.scan(games).group_by(decade).agg(pl.col("move_count").mean()).sort("decade").collect()
    assert lengths["decade"].to_list() == [1960, 1970]


def test_3_the_most_frequent_first_moves(games: Path) -> None:
    first = Counter(game.moves[0][1] for game in sgf.games(games, fields=["moves"]) if game.moves)
    assert first.most_common(1)[0][1] > 3


def test_4_all_comments_with_a_word(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_text("(;C[start];B[dd]C[a fine move];W[pp]C[a mistake])")
    for game in sgf.games(tmp_path):
        found = [node.get("C") for node in game.tree().nodes() if "fine" in node.get("C", "")]
    assert found == ["a fine move"]


def test_5_the_board_after_ten_moves(games: Path) -> None:
    game = next(iter(sgf.games(games))).tree()
    rows = game.get_main_sequence()[10].board()
    assert sum(stone is not None for row in rows for stone in row) == 10


def test_6_write_main_lines_only(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_text("(;SZ[9];B[dd](;W[ee])(;W[ff]))")
    for game in sgf.games(tmp_path):
        tree = game.tree()
        tree.keep_main_line()
        (tmp_path / f"main-{game.number}.sgf").write_bytes(tree.serialise())
    assert (tmp_path / "main-0.sgf").read_bytes() == b"(;SZ[9];B[dd];W[ee])\n"


def test_7_repair_a_directory(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_bytes(b"(;SZ[9];B[dd];W[ee]")
    for path in tmp_path.glob("*.sgf"):
        fixed = sgf.fix(path.read_bytes())
        if fixed.has_changed:
            path.write_bytes(fixed.data)
    assert sgf.check((tmp_path / "a.sgf").read_bytes()) == []


def test_8_which_files_have_errors(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_bytes(b"(;FF[4]GM[1]SZ[9];B[zz])")
    (tmp_path / "b.sgf").write_bytes(b"(;FF[4]GM[1]SZ[9];B[aa])")
    wrong = [path.name for path in sorted(tmp_path.iterdir()) if any(d.severity == "error" for d in sgf.check(path.read_bytes()))]
    assert wrong == ["a.sgf"]


def test_9_what_follows_a_position(games: Path) -> None:
    hits = sgf.find("(;SZ[19]AB[pd]VW[ka:sj])", games).to_polars()
    answers = hits.group_by("next_point").len().sort("len", descending=True)
    assert hits.height > 20 and answers["len"][0] >= 1


def test_10_positions_for_a_model(games: Path) -> None:
    for batch in sgf.positions(games, batch=64, shuffle=1000, most_per_game=4, symmetries="random"):
        inputs, targets = batch.planes.astype("float32"), batch.next_move
        assert inputs.shape[1:] == (12, 19, 19) and len(targets) == len(inputs)
