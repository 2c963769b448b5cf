"""Tables: what pyarrow, polars, DuckDB and pandas make of them, and how much is read."""

from __future__ import annotations

import errno
import gzip
import os
import subprocess
import sys
import tarfile
import threading
import warnings
from pathlib import Path
from typing import Literal

import duckdb
import polars
import pyarrow
import pytest

import sgf_stream

GAMES = [("a.sgf", 0, "Shusaku"), ("a.sgf", 1, "Shuei"), ("c.sgf", 0, "Dosaku"), ("d.sgf", 0, None)]


def names(rows: list[tuple[str, int, str | None]]) -> list[tuple[str, int, str | None]]:
    return [(Path(file).name, game, black) for file, game, black in rows]


@pytest.mark.parametrize("dictionaries", [True, False])
def test_each_library_takes_the_stream(directory: Path, dictionaries: bool) -> None:
    def reader() -> sgf_stream.Reader:
        return sgf_stream.read(directory, columns=["file", "game", "black"], dictionaries=dictionaries)

    assert names(reader().to_polars().rows()) == GAMES
    assert names(polars.DataFrame(reader()).rows()) == GAMES
    assert names([tuple(row.values()) for row in pyarrow.table(reader()).to_pylist()]) == GAMES
    assert names([tuple(row.values()) for row in reader().to_pyarrow().to_pylist()]) == GAMES
    assert names(duckdb.from_arrow(reader()).fetchall()) == GAMES
    stream = reader()  # DuckDB finds variables by their names
    assert duckdb.sql("SELECT count(*) FROM stream WHERE black IS NOT NULL").fetchall() == [(3,)]
    assert stream.rows_read == 4
    assert [row.black for row in reader().to_pandas().itertuples()][:3] == ["Shusaku", "Shuei", "Dosaku"]
    assert sum(pyarrow.record_batch(batch).num_rows for batch in reader()) == 4


def test_a_schema_is_there_before_any_row(directory: Path) -> None:
    reader = sgf_stream.read(directory, columns=["date", "komi"])
    assert reader.columns == ["date", "komi"]
    assert [str(field.type) for field in pyarrow.schema(reader)] == ["date32[day]", "decimal128(6, 2)"]
    assert reader.rows_read == 0


def test_tables_and_columns() -> None:
    assert [column.name for column in sgf_stream.columns("moves")][:3] == ["file", "offset", "game"]
    assert {"black", "moves", "canonical"} <= {column.name for column in sgf_stream.columns()}


def test_moves_and_properties(directory: Path) -> None:
    moves = sgf_stream.read(directory / "a.sgf", table="moves", columns=["game", "color", "x", "y"]).to_polars()
    assert moves.rows() == [(0, "B", 16, 3), (0, "W", 3, 2), (1, "B", 3, 3)]
    properties = sgf_stream.read(directory / "d.sgf", table="properties").to_polars()
    assert properties.height == 3


def test_a_cut_game_is_a_row_with_an_error(directory: Path) -> None:
    def cut(strict: bool) -> list[tuple[object, ...]]:
        # The moves are in it so that games are read to their ends.
        columns = ["black", "error", "diagnostic_count", "moves"]
        table = sgf_stream.read(directory, columns=columns, dictionaries=False, strict=strict).to_polars()
        return table.filter(polars.col("black") == "Dosaku").drop("moves").rows()

    assert cut(strict=False) == [("Dosaku", "unterminated-value", 2)]
    assert cut(strict=True) == [("Dosaku", "unterminated-value", 0)]


def test_a_reader_is_read_once(directory: Path) -> None:
    reader = sgf_stream.read(directory)
    reader.to_polars()
    with pytest.raises(ValueError, match="the reader has been read already"):
        reader.to_polars()


def test_archives_are_read(directory: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    archive = tmp_path_factory.mktemp("archive") / "games.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        tar.add(directory / "a.sgf", "x/a.sgf")
    table = sgf_stream.read(archive, columns=["file", "black"], dictionaries=False).to_polars()
    assert table["file"].to_list() == [f"{archive}!/x/a.sgf"] * 2


def test_a_limit_ends_reading(tmp_path: Path) -> None:
    game = "(;PB[Shusaku];" + "B[dd];W[pp];" * 100 + "B[aa])\n"
    (tmp_path / "many.sgf").write_text(game * 40_000)
    reader = sgf_stream.read(tmp_path, columns=["black"], limit=10)
    assert reader.to_polars().height == 10
    assert reader.rows_read == 10
    assert reader.bytes_read < 10 * 2**20 < (tmp_path / "many.sgf").stat().st_size


def test_scan_pushes_down(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[list[str] | None, int | None]] = []
    read = sgf_stream._tables.read

    def counted(paths: object, **options: object) -> sgf_stream.Reader:
        asked.append((options["columns"], options.get("limit")))  # type: ignore[arg-type]
        return read(paths, **options)  # type: ignore[arg-type]

    frame = sgf_stream.scan(directory)
    monkeypatch.setattr(sgf_stream._tables, "read", counted)
    black = frame.filter(polars.col("winner") == "W").select("black").collect()
    assert black.rows() == [("Shuei",)]
    assert frame.select("black").head(2).collect().height == 2
    assert frame.select("komi").collect().height == 4
    assert [sorted(columns or []) for columns, _ in asked] == [["black", "winner"], ["black"], ["komi"]]
    assert asked[1][1] == 2


def test_progress_counts_all_bytes(directory: Path) -> None:
    steps: list[int] = []
    sgf_stream.read(directory, progress=steps.append).to_polars()
    assert sum(steps) == sgf_stream.total_size(directory) > 0


def test_an_exception_of_the_callback_is_that_of_the_reader(directory: Path) -> None:
    def fail(_: int) -> None:
        raise RuntimeError("as told")

    with pytest.raises(RuntimeError, match="as told"):
        sgf_stream.read(directory, progress=fail).to_polars()


def test_errors_name_what_is_wrong(directory: Path) -> None:
    with pytest.raises(FileNotFoundError, match="missing"):
        sgf_stream.read([directory, directory / "missing"]).to_polars()
    skipped = sgf_stream.read([directory, directory / "missing"], on_error="skip")
    assert skipped.to_polars().height == 4
    assert [type(error) for error in skipped.errors] == [FileNotFoundError]
    for arguments, message in [
        ({"columns": ["blak"]}, "unknown column 'blak' of 'games'; did you mean 'black'"),
        ({"table": "move"}, "unknown table 'move'; did you mean 'moves'"),
        ({"charset": "UTF-9"}, "unknown charset 'UTF-9'"),
        ({"on_error": "ignore"}, "on_error: use 'raise' or 'skip', not 'ignore'"),
    ]:
        with pytest.raises(ValueError, match=message.replace("?", r"\?")):
            sgf_stream.read(directory, **arguments)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="unexpected keyword argument 'thread'; beside its own ones"):
        sgf_stream.read(directory, thread=2)  # type: ignore[call-arg]
    for paths, message in [
        (5, "paths: expected a path or several, found int"),
        (b"a.sgf", "paths: expected a path or several, found bytes"),
        (["a.sgf", b"b.sgf"], "paths: expected str or os.PathLike, found bytes"),
    ]:
        with pytest.raises(TypeError, match=message):
            sgf_stream.read(paths)  # type: ignore[arg-type]


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_ends_a_long_read(tmp_path: Path) -> None:
    game = "(;PB[Shusaku];" + "B[dd];W[pp];" * 100 + "B[aa])\n"
    (tmp_path / "many.sgf").write_text(game * 20_000)
    program = (
        "import os, signal, sgf_stream, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a job in the background ignores it
        "def step(_):\n"
        "    step.calls += 1\n"
        "    if step.calls == 3: os.kill(os.getpid(), signal.SIGINT)\n"
        "step.calls = 0\n"
        "try:\n"
        f"    sgf_stream.read({str(tmp_path)!r}, table='properties', progress=step).to_pyarrow()\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted', step.calls)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.startswith("interrupted"), done
    assert int(done.stdout.split()[1]) < 10


def test_other_threads_run_while_games_are_read(tmp_path: Path) -> None:
    (tmp_path / "many.sgf").write_text("(;PB[Shusaku];B[dd])\n" * 100_000)
    heights: list[int] = []
    read = lambda: heights.append(sgf_stream.read(tmp_path, columns=["black"]).to_polars().height)  # noqa: E731
    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert heights == [100_000] * 3


@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork of POSIX")
def test_a_forked_process_reads_large_files_too(tmp_path: Path) -> None:
    (tmp_path / "many.sgf").write_text("(;PB[Shusaku];B[dd])\n" * 200_000)
    program = (
        "import multiprocessing, sgf_stream\n"
        "def rows(_=None):\n"
        f"    return sum(b.num_rows for b in sgf_stream.read({str(tmp_path)!r}, columns=['black'], threads=2))\n"
        "print(rows())\n"
        "with multiprocessing.get_context('fork').Pool(2) as pool:\n"
        "    print(pool.map(rows, range(2)))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout == "200000\n[200000, 200000]\n"


def test_games_have_their_fields_and_trees(directory: Path) -> None:
    games = list(sgf_stream.games(directory, fields=["black", "date", "komi", "moves"], strict=True))
    assert [(Path(game.file).name, game.number, game.black) for game in games] == GAMES
    assert str(games[0].date) == "1846-09-11"
    assert games[0].moves == [("b", "qd"), ("w", "dc")]
    assert games[0].fields()["black"] == "Shusaku"
    assert [len(game.tree()) for game in games] == [3, 2, 3, 2]
    assert [game.error for game in games] == [None, None, "unterminated-value", None]
    assert games[1].data == b"(;PB[Shuei]RE[W+R];B[dd])"
    with pytest.raises(AttributeError, match="the game has no field 'white'"):
        games[0].white


def test_games_that_fulfill_conditions(directory: Path) -> None:
    games = list(sgf_stream.games(directory, fields=["PB"], where=["game_type=Go", "black~u"]))
    assert [(Path(game.file).name, game.number, game.PB) for game in games] == [
        ("a.sgf", 0, "Shusaku"), ("a.sgf", 1, "Shuei"), ("c.sgf", 0, "Dosaku")
    ]
    assert games[0].fields() == {"PB": "Shusaku"}
    [game] = sgf_stream.games(directory, where=["komi>6"])
    assert game.fields() == {} and game.data.startswith(b"(;PB[Dosaku]")
    with pytest.raises(ValueError, match="where: use a column, an operator and a value"):
        sgf_stream.games(directory, where=["komi"])


def test_an_iterator_over_games_has_its_errors(directory: Path) -> None:
    (directory / "e.sgf.gz").write_bytes(gzip.compress(b"")[:-4])
    games = sgf_stream.games(directory, on_error="skip")
    assert len(list(games)) == 4
    [error] = games.errors
    assert isinstance(error, sgf_stream.SgfError) and error.file and error.file.endswith("e.sgf.gz")


@pytest.mark.parametrize("on_error", ["raise", "skip"])
def test_a_file_without_a_game_ends_nothing(directory: Path, on_error: Literal["raise", "skip"]) -> None:
    (directory / "0.sgf").write_bytes(b"")
    (directory / "e.sgf").write_bytes(b"not SGF")
    reader = sgf_stream.read(directory, on_error=on_error)
    games = sgf_stream.games(directory, on_error=on_error)
    hits = sgf_stream.find("(;SZ[19]AB[qd])", directory, on_error=on_error)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert sgf_stream.scan(directory, on_error=on_error).select("black").collect().height == 4
    assert (reader.to_polars().height, len(list(games)), hits.to_polars().height) == (4, 4, 3)
    for errors in (reader.errors, games.errors, hits.errors):
        assert [(Path(error.file or "").name, error.code) for error in errors if isinstance(error, sgf_stream.SgfError)] == [
            ("0.sgf", "no-sgf-data"), ("e.sgf", "no-sgf-data")
        ]


def test_a_query_warns_of_files_that_were_skipped(directory: Path) -> None:
    (directory / "e.sgf.gz").write_bytes(gzip.compress(b"")[:-4])
    query = sgf_stream.scan(directory, on_error="skip").select("black")
    with pytest.warns(RuntimeWarning, match=r"files that could not be read: 1, the first is .*e\.sgf\.gz"):
        assert query.collect().height == 4


def test_errors_of_the_system_are_those_of_python(directory: Path) -> None:
    missing = str(directory / "missing")
    for read in (
        lambda: list(sgf_stream.read(missing)),
        lambda: list(sgf_stream.positions(missing)),
        lambda: sgf_stream.index(missing, directory / "index"),
    ):
        with pytest.raises(FileNotFoundError) as caught:
            read()
        error = caught.value
        assert (error.errno, error.filename, error.strerror) == (errno.ENOENT, missing, "No such file or directory")
    # An archive that is nested too deep is no error of the system, and the package has no option for it.
    data = b"(;B[dd])"
    for _ in range(10):
        data = gzip.compress(data)
    (directory / "deep.sgf.gz").write_bytes(data)
    with pytest.raises(sgf_stream.SgfError, match="nested more than 8 deep$") as deep:
        list(sgf_stream.read(directory / "deep.sgf.gz"))
    assert deep.value.file and deep.value.file.endswith("deep.sgf.gz")
    reader = sgf_stream.positions(directory / "deep.sgf.gz")
    assert list(reader) == [] and reader.errors[0].endswith("nested more than 8 deep")


def test_record_batches_need_no_other_package(directory: Path) -> None:
    program = (
        "import importlib.abc, sys\n"
        "class Nothing(importlib.abc.MetaPathFinder):\n"
        "    def find_spec(self, name, path, target=None):\n"
        "        if name.split('.')[0] in ('arro3', 'pyarrow', 'polars', 'pandas', 'numpy'): raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Nothing())\n"
        "import sgf_stream\n"
        f"for batch in sgf_stream.read({str(directory)!r}, columns=['black', 'komi']):\n"
        "    print(batch, batch.num_rows, batch.column_names, sorted(name for name in dir(batch) if name[0] != '_'))\n"
        "    for name in dir(batch): getattr(batch, name)\n"
        "    batch.__arrow_c_schema__(), batch.__arrow_c_array__()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True)
    text = "<sgf_stream.RecordBatch: 4 rows of 2 columns> 4 ['black', 'komi'] ['column_names', 'num_rows']\n"
    assert done.stdout == text
    [batch] = sgf_stream.read(directory, columns=["black"], dictionaries=False)
    assert polars.DataFrame(batch)["black"].to_list() == [black for _, _, black in GAMES]
    assert pyarrow.record_batch(batch)["black"].to_pylist() == [black for _, _, black in GAMES]


def test_scan_has_the_columns_that_are_named(directory: Path) -> None:
    query = sgf_stream.scan(directory, columns=["PB", "KM_raw", "komi"]).filter(polars.col("komi") > 1).select("PB")
    assert query.collect().rows() == [("Dosaku",)]
    assert sgf_stream.scan(directory, columns="PB").collect().columns == ["PB"]


def test_trees_of_games_have_the_options_of_the_call(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_bytes("(;PB[山下])".encode("gbk"))
    (tmp_path / "b.sgf").write_bytes("(;CA[UTF-16]PB[山下])".encode("utf-16"))
    for options in ({"default_charset": "GBK"}, {"charset": "GBK"}):
        for game in sgf_stream.games(tmp_path / "a.sgf", fields=["PB"], **options):  # type: ignore[arg-type]
            assert game.PB == game.tree().root.get("PB") == "山下"
    [game] = sgf_stream.games(tmp_path / "b.sgf", fields=["PB"])
    assert game.PB == game.tree().root.get("PB") == "山下"


def test_the_whole_corpus_is_read(corpus: Path) -> None:
    reader = sgf_stream.read(corpus, columns=["file", "game", "error"], on_error="skip")
    table = reader.to_polars()
    count = sum(1 for _ in sgf_stream.games(corpus, on_error="skip"))
    assert table.height == count > 15_000
