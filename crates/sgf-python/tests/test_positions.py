"""Positions: the same as an independent replay, in any order, and resumable."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from pathlib import Path

import numpy
import pytest
from sgfmill import boards

import sgf_stream

PLANES = ["board", "own", "opponent", "empty", "own-1", "opponent-1", "own-3", "liberties1", "liberties2", "liberties3", "ko", "turn"]


def liberties(board: boards.Board, row: int, column: int) -> int:
    """Count the liberties of a chain with a flood."""
    colour, seen, left, free = board.get(row, column), {(row, column)}, [(row, column)], set()
    while left:
        row, column = left.pop()
        for point in [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]:
            if not (0 <= point[0] < board.side and 0 <= point[1] < board.side) or point in seen:
                continue
            stone = board.get(*point)
            if stone is None:
                free.add(point)
            elif stone == colour:
                seen.add(point)
                left.append(point)
    return len(free)


def expected(history: list[boards.Board], colour: str, ko: tuple[int, int] | None) -> numpy.ndarray:
    """Compute the planes of the last board, with row 0 at the top."""
    planes = numpy.zeros((len(PLANES), 19, 19), dtype=numpy.uint8)
    other = "w" if colour == "b" else "b"
    for number, plane in enumerate(PLANES):
        name, _, ago = plane.partition("-")
        if len(history) <= int(ago or 0):
            continue
        board = history[-1 - int(ago or 0)]
        for row in range(19):
            for column in range(19):
                stone = board.get(row, column)
                planes[number, 18 - row, column] = {
                    "board": True,
                    "own": stone == colour,
                    "opponent": stone == other,
                    "empty": stone is None,
                    "ko": ko == (row, column),
                    "turn": colour == "b",
                }.get(name, stone is not None and name == f"liberties{liberties(board, row, column) if stone else 0}")
    return planes


def test_a_thousand_positions_are_those_of_sgfmill(corpus: Path) -> None:
    compared = kos = 0
    for path in sorted((corpus / "copyleft").rglob("*.sgf"))[::6]:
        reader = sgf_stream.positions(path, planes=PLANES, batch=100_000)
        try:
            [batch] = reader
        except ValueError:
            continue
        if reader.counts["used"] != 1 or reader.counts["ended_illegal"] or len(batch) < 20:
            continue
        game = sgf_stream.parse(path.read_bytes())[0]
        setup, moves = game.get_setup_and_moves()
        board, ko = boards.Board(19), None
        points = lambda colour: [(r, c) for r in range(19) for c in range(19) if setup[r][c] == colour]  # noqa: E731, B023
        board.apply_setup(points("b"), points("w"), [])
        history = [board.copy()]
        for at, (colour, point) in enumerate(moves[: len(batch)]):
            is_ko = ko is not None and moves[at - 1][0] != colour
            # Some positions of each game, and all with a ko.
            if at % 40 == 7 or is_ko:
                planes = expected(history, colour, ko if is_ko else None)
                assert (batch.planes[at] == planes).all(), (path, at)
                assert batch.next_move[at] == (361 if point is None else (18 - point[0]) * 19 + point[1])
                compared, kos = compared + 1, kos + is_ko
            ko = None
            if point is not None:
                ko = board.play(*point, colour)
            history.append(board.copy())
        if compared >= 1000:
            break
    print(compared, "positions,", kos, "with a ko")
    assert compared >= 1000 and kos > 200


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Forty games on 9x9, in four files."""
    for file in range(4):
        games = []
        for number in range(10):
            points = [chr(97 + (n * 7 + number + file) % 9) + chr(97 + (n * 5 + number) % 9) for n in range(12)]
            moves = "".join(f";{'BW'[n % 2]}[{point}]" for n, point in enumerate(dict.fromkeys(points)))
            games.append(f"(;SZ[9]RE[{'BW'[number % 2]}+R]KM[6.5]BR[{1 + number % 4}d]DT[{1990 + number}]{moves})\n")
        (tmp_path / f"{file}.sgf").write_text("".join(games))
    return tmp_path


def rows(reader: sgf_stream.Positions) -> list[tuple[object, ...]]:
    return [
        (batch.planes[n].tobytes(), int(batch.next_move[n]), float(batch.result[n]), int(batch.key[n]), int(batch.file[n]))
        for batch in reader
        for n in range(len(batch))
    ]


def test_shards_are_disjoint_and_make_the_whole(archive: Path) -> None:
    whole = rows(sgf_stream.positions(archive, size=9))
    for count in (2, 3):
        shards = [rows(sgf_stream.positions(archive, size=9, shard=(index, count), shuffle=100)) for index in range(count)]
        assert sorted(sum(shards, [])) == sorted(whole)
        assert all(len(shard) > 0 for shard in shards)


def test_a_reader_continues_where_it_was(archive: Path) -> None:
    settings = {"size": 9, "batch": 16, "shuffle": 100, "seed": 4, "symmetries": "random", "most_per_game": 7}
    whole = rows(sgf_stream.positions(archive, **settings))
    for after in (0, 1, 5, 9):
        reader = sgf_stream.positions(archive, **settings)
        for _ in range(after):
            next(reader)
        again = sgf_stream.positions(archive, **settings, state=reader.state, threads=2)
        assert rows(again) == whole[after * 16 :]
    with pytest.raises(ValueError, match="the state is of other files or other settings"):
        sgf_stream.positions(archive, **{**settings, "seed": 5}, state=reader.state)


def test_another_process_continues(archive: Path, tmp_path: Path) -> None:
    settings = {"size": 9, "batch": 16, "shuffle": 50, "seed": 4, "where": ["winner=B", "date>=1992"], "symmetries": "random"}
    reader = sgf_stream.positions(archive, **settings)
    states = [reader.state]
    for _ in range(3):
        next(reader)
        states.append(reader.state)
    whole = rows(sgf_stream.positions(archive, **settings))
    # There, the archive has another name.
    program = (
        "import sgf_stream, sys\n"
        f"for batch in sgf_stream.positions('.', **{settings!r}, state=sys.argv[1]):\n"
        "    for n in range(len(batch)): print(batch.planes[n].tobytes().hex(), batch.next_move[n], batch.key[n])\n"
    )
    for at, state in enumerate(states):
        done = subprocess.run(
            [sys.executable, "-c", program, state], cwd=archive, capture_output=True, text=True, timeout=120, check=True
        )
        assert done.stdout.splitlines() == [f"{row[0].hex()} {row[1]} {row[3]}" for row in whole[at * 16 :]]  # type: ignore[attr-defined]


def test_copies_that_are_cut_have_the_key_of_the_game(tmp_path: Path) -> None:
    moves = [f";{'BW'[n % 2]}[{chr(97 + n * 7 % 19)}{chr(97 + (n * 11 + n // 19) % 19)}]" for n in range(120)]
    (tmp_path / "a.sgf").write_text(f"(;SZ[19]{''.join(moves)})(;SZ[19]{''.join(moves[:40])})(;SZ[19]EV[x]{''.join(moves[:30])})")
    [batch] = sgf_stream.positions(tmp_path, most_per_game=1)
    assert len(batch) == 3 and len(set(batch.key.tolist())) == 1


def test_files_are_listed_once(archive: Path) -> None:
    reader = sgf_stream.positions(archive, size=9)
    assert reader.files is reader.files and [Path(file).name for file in reader.files] == [f"{n}.sgf" for n in range(4)]


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_ends_a_wait_for_positions(tmp_path: Path) -> None:
    game = "(;SZ[19]" + "B[dd];W[pp];" * 100 + "B[aa])\n"
    with gzip.open(tmp_path / "many.sgf.gz", "wb", compresslevel=1) as file:
        for _ in range(200):
            file.write(game.encode() * 1000)
    program = (
        "import signal, sgf_stream\n"
        "signal.signal(signal.SIGALRM, signal.default_int_handler)\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.3)\n"
        "try:\n"
        f"    list(sgf_stream.positions({str(tmp_path)!r}, where=['komi=99']))\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted')\n"
        "else:\n"
        "    print('read all')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout == "interrupted\n", done


def test_packed_planes_are_the_bits_of_the_dense_ones(archive: Path) -> None:
    [dense] = sgf_stream.positions(archive, size=9, batch=10_000)
    [packed] = sgf_stream.positions(archive, size=9, batch=10_000, packed=True)
    assert packed.planes.shape == (len(dense), 12, 11)
    bits = numpy.unpackbits(packed.planes, axis=2)[:, :, :81].reshape(dense.planes.shape)
    assert (bits == dense.planes).all()


def test_conditions_and_parts(archive: Path) -> None:
    reader = sgf_stream.positions(archive, size=9, where=["date>=1995", "black_rank_n>=2"])
    [batch] = reader
    assert set(batch.black_rank.tolist()) == {2.0, 3.0, 4.0}
    assert reader.counts["used"] + reader.counts["condition"] == 40
    train = {row[3] for row in rows(sgf_stream.positions(archive, size=9, part=(0.0, 0.7)))}
    test = {row[3] for row in rows(sgf_stream.positions(archive, size=9, part=(0.7, 1.0)))}
    assert train and test and not train & test


def test_wrong_settings_are_errors(archive: Path) -> None:
    for settings, message in [
        ({"planes": ["onw"]}, "unknown plane 'onw'"),
        ({"where": ["daet>=2000"]}, "where: unknown column 'daet'; did you mean 'date'"),
        ({"symmetries": "some"}, "symmetries: use 'none', 'random' or 'all', not 'some'"),
        ({"part": (0.5, 2.0)}, "part: "),
        ({"shard": (2, 2)}, "shard: "),
        ({"size": 0}, "boards have"),
        ({"size": 60}, "size: 60: boards have 1 to 52 lines in Go"),
        ({"size": 0}, "size: 0x0: boards have 1 to 52 lines in Go"),
        ({"batch": 0}, "batch: expected a number from 1, found 0"),
        ({"most_per_game": 0}, "most_per_game: expected a number from 1, found 0"),
        ({"state": "x"}, "not a state"),
    ]:
        with pytest.raises(ValueError, match=message.replace("?", r"\?")):
            sgf_stream.positions(archive, **settings)
    with pytest.raises(FileNotFoundError):
        sgf_stream.positions(archive / "missing")


def test_torch_workers_read_disjoint_halves(archive: Path) -> None:
    torch = pytest.importorskip("torch")
    from torch.utils.data import DataLoader

    from sgf_stream.torch import PositionDataset

    dataset = PositionDataset(archive, size=9, batch=32, shuffle=1000, seed=1)
    whole = sorted(row[:2] for row in rows(sgf_stream.positions(archive, size=9)))
    for workers in (0, 2):
        batches = list(DataLoader(dataset, batch_size=None, num_workers=workers))
        read = [(b["planes"][n].numpy().tobytes(), int(b["next_move"][n])) for b in batches for n in range(len(b["turn"]))]
        assert sorted(read) == whole
        assert batches[0]["next_move"].dtype == torch.int64


def test_torch_workers_that_live_on_see_the_epoch(archive: Path) -> None:
    torch = pytest.importorskip("torch")
    from torch.utils.data import DataLoader

    from sgf_stream.torch import PositionDataset

    def epoch(loader: DataLoader, number: int) -> list[bytes]:
        loader.dataset.set_epoch(number)
        return [batch["planes"].numpy().tobytes() for batch in loader]

    dataset = PositionDataset(archive, size=9, batch=32, shuffle=1000, seed=1, most_per_game=4, epoch=0)
    loader = DataLoader(dataset, batch_size=None, num_workers=2, persistent_workers=True)
    fresh = DataLoader(dataset, batch_size=None, num_workers=2)
    assert torch.int64 == dataset.epoch.dtype
    first, second, again = epoch(loader, 0), epoch(loader, 1), epoch(loader, 0)
    assert first == again != second
    assert [first, second] == [epoch(fresh, 0), epoch(fresh, 1)]
