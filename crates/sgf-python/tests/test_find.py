"""Search: files and indexes have the same hits, and they are those of a replay."""

from __future__ import annotations

import gzip
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


def test_a_single_file_is_searched(tmp_path: Path) -> None:
    file = tmp_path / "a.sgf"
    file.write_text("(;SZ[9]RE[B+R];B[gc];W[gg])(;SZ[9];B[gc];W[gg])(;SZ[9]RE[W+R];B[gc];W[gg])")
    for paths, hits in ((file, 3), (str(file), 3), ([file], 3), ([file, file], 6)):
        assert sgf_stream.find(PATTERN, paths).to_polars().height == hits
    # As in SQL, a missing value fulfills no comparison.
    for condition, games in [("winner!=B", [2]), ("winner=", [1]), ("winner!=", [0, 2]), ("winner <> 'B'", [2])]:
        assert sgf_stream.find(PATTERN, file, where=[condition]).to_polars()["game"].to_list() == games
    with pytest.raises(ValueError, match=r"where: column 14: expected the end of the condition.*\(where takes a list\)"):
        sgf_stream.find(PATTERN, file, where=["winner = 'B' AND PB = 'A'"])
    with pytest.raises(ValueError, match="where: the column 'winner' never has the value 'b'; did you mean 'B'"):
        sgf_stream.find(PATTERN, file, where=["winner=b"])


def test_an_index_honors_or_refuses_every_option(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "a.sgf").write_text("(;SZ[9]PB[Rin];B[gc];W[gg])(;SZ[9]PB[Cho];B[gc];W[gg])")
    (tmp_path / "old" / "b.sgf").write_text("(;SZ[9]PB[Rin];B[gc];W[gg])")
    index = tmp_path / "index"
    sgf_stream.index([tmp_path / "a.sgf", tmp_path / "old"], index)
    hits = sgf_stream.find(PATTERN, index, columns=["black", "game_type"], where=["black=Rin"], exclude=["old"])
    assert hits.to_polars().select("game", "black", "game_type").rows() == [(0, "Rin", "Go")]
    assert sgf_stream.find(PATTERN, index, limit=1).to_polars().height == 1
    with pytest.raises(ValueError, match="is an index, which is searched alone"):
        sgf_stream.find(PATTERN, [index, index])
    with pytest.raises(ValueError, match="exclude: for an index, use names without a '/'"):
        sgf_stream.find(PATTERN, index, exclude=["old/*"])
    for options in ({"charset": "GBK"}, {"default_charset": "GBK"}, {"follow_links": True}, {"strict": True}):
        with pytest.raises(ValueError, match=f"{next(iter(options))}: an index is searched without reading"):
            sgf_stream.find(PATTERN, index, **options)  # type: ignore[arg-type]


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


def test_hits_have_columns_of_their_games(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_text(
        "(;SZ[9]PB[Rin]DT[1999];B[gc];W[cc])(;SZ[9]PB[Cho];B[ee])(;SZ[9]PB[Cho]DT[2001-02-03];B[ee];W[gc];B[gg];W[aa])"
    )
    columns = ["black", "date", "move_count", "game"]
    hits = sgf_stream.find(PATTERN, tmp_path, columns=columns)
    assert hits.columns[-3:] == ["black", "date", "move_count"]
    assert hits.to_polars().select("game", "black", "move_count").rows() == [(0, "Rin", 2), (2, "Cho", 4)]
    hits = sgf_stream.find(PATTERN, tmp_path, columns=["PB"], where=["date>=2000", "black~^C"])
    assert hits.to_polars().select("game", "PB").rows() == [(2, "Cho")]
    with pytest.raises(ValueError, match="unknown column 'blakc' of 'games'; did you mean 'black'?"):
        sgf_stream.find(PATTERN, tmp_path, columns=["blakc"])
    with pytest.raises(ValueError, match="where: unknown column 'dote'; did you mean 'date'?"):
        sgf_stream.find(PATTERN, tmp_path, where=["dote=1"])


def test_wrong_arguments_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_text("(;SZ[9]PB[Rin]DT[1999];B[gc];W[gg])")
    # A text is one name.
    assert sgf_stream.find(PATTERN, tmp_path, columns="PB", where="komi=").to_polars()["PB"].to_list() == ["Rin"]
    with pytest.raises(TypeError, match="symmetries: .*bool"):
        sgf_stream.find(PATTERN, tmp_path, symmetries="all")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="unexpected keyword argument 'symmetry'"):
        sgf_stream.find(PATTERN, tmp_path, symmetry=True)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="pattern: the pattern has variations"):
        sgf_stream.find("(;SZ[9]AB[gc](;W[gg])(;W[cc]))", tmp_path)
    for condition, message in [
        ("komi=abc", "where: 'abc' is not a number, as the column 'komi' has"),
        ("date>=2000-13-01", "where: '2000-13-01' is not a date such as 1990"),
        ("dote=1", r"unknown column 'dote'; did you mean 'date'\? \(sgf_stream.columns\(\) lists all\)"),
    ]:
        with pytest.raises(ValueError, match=message):
            sgf_stream.find(PATTERN, tmp_path, where=[condition])


def test_a_large_file_is_searched_by_all_threads(tmp_path: Path) -> None:
    games = [
        f"(;SZ[9]PB[{number}]" + ("C[" + 500 * "x" + "]") + (";B[gc];W[gg]" if number % 7 == 3 else ";B[ee]") + ")\n" for number in range(6000)
    ]
    (tmp_path / "a.sgf").write_text("".join(games))
    found = {}
    for threads in (1, 2, 5):
        hits = sgf_stream.find(PATTERN, tmp_path, columns=["PB"], threads=threads).to_polars()
        assert hits["game"].to_list() == [number for number in range(6000) if number % 7 == 3]
        assert hits["PB"].to_list() == [str(number) for number in hits["game"]]
        found[threads] = hits.drop("file").rows()
        read = list(sgf_stream.games(tmp_path, fields=["PB"], threads=threads))
        assert [(game.number, game.PB) for game in read] == [(number, str(number)) for number in range(6000)]
        assert all(game.data.decode() + "\n" == games[game.number] for game in read)
    assert found[1] == found[2] == found[5]


def test_an_index_has_the_same_hits(corpus: Path, tmp_path: Path) -> None:
    games, columns = corpus / "unknown", ["PB", "date", "winner", "komi", "move_count"]
    counts = sgf_stream.index(games, tmp_path / "index", on_error="skip")
    assert counts["games"] > 1000 and counts["new_files"] > 1000
    pattern = PATTERN.replace("9", "19")
    keys = ["file", "offset", "game", "ply", "symmetry", "swapped", "next_point", *columns]
    one = sgf_stream.find(pattern, games, columns=columns, on_error="skip").to_polars().select(keys)
    other = sgf_stream.find(pattern, tmp_path / "index", columns=columns).to_polars().select(keys)
    assert one.height > 100
    assert sorted(one.rows(), key=str) == sorted(other.rows(), key=str)
    where = ["date>=2000", "winner=W"]
    one = sgf_stream.find(pattern, games, columns=columns, where=where, on_error="skip").to_polars().select(keys)
    other = sgf_stream.find(pattern, tmp_path / "index", columns=columns, where=where).to_polars().select(keys)
    assert 0 < one.height < other.height + 1
    assert sorted(one.rows(), key=str) == sorted(other.rows(), key=str)


def test_an_index_follows_its_files(tmp_path: Path) -> None:
    games, directory = tmp_path / "games", tmp_path / "index"
    games.mkdir()
    (games / "a.sgf").write_text("(;SZ[9]PB[a];B[gc];W[gg])")
    (games / "b.sgf").write_text("(;SZ[9]PB[b];B[gc];W[gg])")

    def black() -> list[str]:
        return sorted(sgf_stream.find(PATTERN, directory, columns=["PB"]).to_polars()["PB"].to_list())

    counts = sgf_stream.index(games, directory)
    assert (counts["games"], counts["new_files"], counts["unread_files"]) == (2, 2, 0)
    (games / "a.sgf").unlink()
    (games / "b.sgf").write_text("(;SZ[9]PB[B];B[gc];W[gg])")
    (games / "c.sgf").write_text("(;SZ[9]PB[c];B[gc];W[gg])")
    (games / "d.sgf").write_text("(;GM[6])")
    counts = sgf_stream.index([games], str(directory))
    assert black() == ["B", "c"]
    assert [counts[name] for name in ("new_files", "changed_files", "removed_files", "unchanged_files")] == [2, 1, 1, 0]
    assert counts["without_board"] == 1

    # A file that cannot be read ends the call, and the index is as it was; or it is skipped, and tried again later.
    (games / "c.sgf").write_text("(;SZ[9]PB[C];B[gc];W[gg])")
    (games / "e.sgf.gz").write_bytes(gzip.compress(b"")[:-4])
    with pytest.raises((OSError, ValueError), match="e.sgf.gz"):
        sgf_stream.index(games, directory)
    assert black() == ["B", "c"]
    for _ in range(2):
        assert sgf_stream.index(games, directory, on_error="skip")["unread_files"] == 1
        assert black() == ["B", "C"]

    # So does an interrupt.
    (games / "c.sgf").write_text("(;SZ[9]PB[x];B[gc];W[gg])")
    (games / "e.sgf.gz").unlink()

    def stop(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sgf_stream.index(games, directory, progress=stop)
    assert black() == ["B", "C"]


def test_an_index_knows_files_from_anywhere_and_keeps_what_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games, directory = tmp_path / "games", tmp_path / "index"
    games.mkdir()
    (games / "a.sgf").write_text("(;SZ[9]PB[a];B[gc];W[gg])")
    sgf_stream.index(games, directory)
    for start, path in [(tmp_path, "games"), (games, "."), (games, "../games/../games")]:
        monkeypatch.chdir(start)
        assert sgf_stream.index(path, directory)["unchanged_files"] == 1
    games.rename(tmp_path / "away")
    with pytest.raises(FileNotFoundError, match="games"):
        sgf_stream.index(games, directory)
    counts = sgf_stream.index(games, directory, on_error="skip")
    assert (counts["games"], counts["removed_files"], counts["unread_files"]) == (1, 0, 1)
    counts = sgf_stream.index(tmp_path / "away", directory, prune=True)
    assert (counts["games"], counts["new_files"], counts["removed_files"]) == (1, 1, 1)

    # What was interrupted is no index, and not a directory of games either.
    unfinished = tmp_path / "unfinished"
    unfinished.mkdir()
    (unfinished / "sgf-index.lock").touch()
    with pytest.raises(ValueError, match="it is not an index yet"):
        sgf_stream.find(PATTERN, unfinished)


def test_what_an_index_cannot_do_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_text("(;SZ[9];B[gc];W[gg])")
    directory = tmp_path / "index"
    with pytest.raises(ValueError, match="unknown column 'blakc' of 'games'; did you mean 'black'"):
        sgf_stream.index(tmp_path, directory, columns=["blakc"])
    with pytest.raises(ValueError, match="it has files, but is not an index"):
        sgf_stream.index(tmp_path, tmp_path)
    sgf_stream.index(tmp_path / "a.sgf", directory, columns=["PB"])
    with pytest.raises(ValueError, match="variations=True rebuild=True"):
        sgf_stream.index(tmp_path / "a.sgf", directory, variations=True)
    with pytest.raises(ValueError, match="variations=True rebuild=True"):
        sgf_stream.find(PATTERN, directory, variations=True)
    with pytest.raises(ValueError, match="the index has no column 'PW'; it has .*PB"):
        sgf_stream.find(PATTERN, directory, columns=["PW"])
    with pytest.raises(ValueError, match="an index has no lists, so the column 'moves' is only known for files"):
        sgf_stream.find(PATTERN, directory, columns=["moves"])
    counts = sgf_stream.index(tmp_path / "a.sgf", directory, variations=True, columns=["PW"], rebuild=True)
    assert counts["games"] == 1
    assert sgf_stream.find(PATTERN, directory, columns=["PW"], variations=True).to_polars()["PW"].to_list() == [None]


def test_an_index_of_the_command_is_the_same(corpus: Path, tmp_path: Path) -> None:
    sgf = shutil.which("sgf")
    if sgf is None:
        pytest.skip("the command sgf is not there")
    games = corpus / "unknown"
    subprocess.run([sgf, "index", str(games), "-o", str(tmp_path / "index")], check=True, capture_output=True)
    assert sgf_stream.index(games, tmp_path / "index")["new_files"] == 0
    assert sgf_stream.find(PATTERN.replace("9", "19"), tmp_path / "index").to_polars().height > 100
