"""Compare the Python package with sgfmill, and with the command `sgf` for the same job. Prints a table.

    pip install sgf-stream sgfmill
    python benches/python.py FILES ARCHIVE [--sgf SGF] [--rate RATE]

FILES is a directory of SGF files, and ARCHIVE one large file, such as `sgf synth --bytes 256M > archive.sgf`. All figures of a run
are from one machine and one core, unless the row says otherwise; compare them only with each other.
"""

from __future__ import annotations

import argparse
import itertools
import os
import resource
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import sgf_stream


def seconds(run: Callable[[], int]) -> tuple[float, int]:
    """Return the least time of three runs, and the count that they return."""
    best, count = float("inf"), 0
    for _ in range(3):
        start = time.perf_counter()
        count = run()
        best = min(best, time.perf_counter() - start)
    return best, count


def peak() -> float:
    """Return the peak of the memory of this process so far, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def small_files(directory: Path) -> None:
    from sgfmill import sgf

    files = [path.read_bytes() for path in sorted(directory.rglob("*.sgf"))]
    # Those that sgfmill reads, so that both do the same.
    readable, size = [], 0
    for data in files:
        try:
            game = sgf.Sgf_game.from_bytes(data)
            [node.get_move() for node in game.get_main_sequence()]
        except (ValueError, LookupError):
            continue
        readable.append(data)
        size += len(data)
    print(f"{len(readable)} of {len(files)} files, {size / 1e6:.1f} MB, that sgfmill reads\n")

    def theirs() -> int:
        moves = 0
        for data in readable:
            moves += sum(node.get_move()[0] is not None for node in sgf.Sgf_game.from_bytes(data).get_main_sequence())
        return moves

    def ours() -> int:
        moves = 0
        for data in readable:
            moves += sum(node.get_move()[0] is not None for node in sgf_stream.parse(data)[0].get_main_sequence())
        return moves

    def table() -> int:
        rows = sgf_stream.read(directory, columns=["moves"], threads=1, on_error="skip")
        return sum(batch.num_rows for batch in rows)

    print("| main lines of files | MB/s | times sgfmill |\n|---|--:|--:|")
    base, moves = seconds(theirs)
    print(f"| sgfmill, trees and moves ({moves} moves) | {size / base / 1e6:.2f} | 1 |")
    own, own_moves = seconds(ours)
    print(f"| `parse`, trees and moves ({own_moves} moves) | {size / own / 1e6:.1f} | {base / own:.1f} |")
    total = sum(len(data) for data in files)
    columns, _ = seconds(table)
    print(f"| `read(columns=['moves'])`, from disk | {total / columns / 1e6:.1f} | {total / columns / (size / base):.0f} |")


def sgfmill_rates(path: Path) -> tuple[float, float, float]:
    """Return what sgfmill does in a second: bytes that it reads (trees and moves), positions on its boards, and positions as arrays."""
    import numpy
    from sgfmill import boards, sgf

    games = [game.data for game in itertools.islice(sgf_stream.games(path), 2000)]

    def moves() -> int:
        return sum(
            node.get_move()[0] is not None for data in games for node in sgf.Sgf_game.from_bytes(data).get_main_sequence()
        )

    def plays(as_array: bool = False) -> int:
        played = 0
        for data in games[:200]:
            game = sgf.Sgf_game.from_bytes(data)
            board = boards.Board(game.get_size())
            for node in game.get_main_sequence():
                colour, point = node.get_move()
                if as_array and colour is not None:
                    planes = numpy.zeros((2, board.side, board.side), numpy.uint8)
                    for stone, (row, column) in board.list_occupied_points():
                        planes[int(stone != colour), board.side - 1 - row, column] = 1
                try:
                    if point is not None:
                        board.play(*point, colour)
                        played += 1
                except (ValueError, IndexError):
                    break
        return played

    read, _ = seconds(moves)
    replay, played = seconds(plays)
    arrays, _ = seconds(lambda: plays(as_array=True))
    return sum(map(len, games)) / read, played / replay, played / arrays


def archive(path: Path, command: str | None, rate: str | None) -> None:
    size = path.stat().st_size
    threads = len(os.sched_getaffinity(0))

    their_bytes, their_positions, their_arrays = sgfmill_rates(path)
    print(f"\n{path.name}, {size / 1e6:.0f} MB, {threads} cores")
    print(f"sgfmill: {their_bytes / 1e6:.2f} MB/s, {their_positions:.0f} positions/s on its boards, {their_arrays:.0f} as arrays")
    print("\n| table | threads | MB/s | times sgfmill | of `sgf records` |\n|---|--:|--:|--:|--:|")
    for columns, count in itertools.product((["black", "white", "date", "winner"], ["moves"]), sorted({1, threads})):
        def read() -> int:
            return sum(batch.num_rows for batch in sgf_stream.read(path, columns=columns, threads=count))

        took, _ = seconds(read)
        ratio = ""
        if command is not None:
            arguments = [command, "records", "--threads", str(count), "--format", "arrow", "--columns", ",".join(columns)]

            def run() -> int:
                return subprocess.run([*arguments, "-o", os.devnull, str(path)], check=True, stderr=subprocess.DEVNULL).returncode

            native, _ = seconds(run)
            ratio = f"{native / took:.2f}"
        print(f"| {', '.join(columns)} | {count} | {size / took / 1e6:.0f} | {size / took / their_bytes:.0f} | {ratio} |")

    stones = ["own", "opponent"]
    history = [f"{plane}{ago}" for ago in ("", "-1", "-2", "-3") for plane in stones]
    print("\n| positions, one thread | positions/s | times sgfmill, as arrays | its boards alone | of Rust |\n|---|--:|--:|--:|--:|")
    for name, planes, packed in [
        ("stones and targets, dense", stones, False),
        ("stones and targets, packed", stones, True),
        ("stones, ko, last moves and targets, packed", [*stones, "ko", "move1", "move2", "move3", "move4", "move5"], True),
        ("four positions of stones and targets, packed", history, True),
        ("the default planes (with liberties), packed", None, True),
        ("the default planes, dense", None, False),
    ]:
        def positions() -> int:
            reader = sgf_stream.positions(path, planes=planes, packed=packed, batch=4096)
            return sum(len(batch) for batch in reader)

        took, count = seconds(positions)
        ratio = ""
        if rate is not None:
            how = "packed" if packed else "dense"

            def native() -> float:
                done = subprocess.run([rate, str(path), how, *(planes or [])], check=True, capture_output=True, text=True)
                return float(done.stdout.split()[1])

            ratio = f"{min(native() for _ in range(3)) / took:.2f}"
        own = count / took
        print(f"| {name} | {own:.0f} | {own / their_arrays:.0f} | {own / their_positions:.0f} | {ratio} |")
    before = peak()
    reader = sgf_stream.positions(path, packed=True, batch=4096, shuffle=65_536)
    count = sum(len(batch) for batch in reader)
    print(f"\npeak memory: {before:.0f} MiB before, {peak():.0f} MiB after {count} positions, shuffled in blocks of 65,536")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("files", type=Path)
    arguments.add_argument("archive", type=Path)
    arguments.add_argument("--sgf", help="the command, to compare with")
    arguments.add_argument("--rate", help="the example `rate` of sgf-training, to compare with")
    options = arguments.parse_args()
    small_files(options.files)
    archive(options.archive, options.sgf, options.rate)


if __name__ == "__main__":
    main()
