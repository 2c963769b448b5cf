#!/usr/bin/env python3
"""Times `sgf` beside what people use today: `sgfmill` (Python), SGFC and `sgfinfo` of sgfutils.

    cargo build --release -p sgf-cli
    pip install sgfmill
    python3 benches/compare.py [FILE]

FILE is an archive; without one, `sgf synth` makes one of SGF_BENCH_MB (16) megabytes. Each job is done by `sgf` and by
the other program, in turns on one core, and the best of three runs counts. Both read the same bytes and print the same
facts. What is not installed is named and left out.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time

REPEATS = 3
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SGF = os.environ.get("SGF", os.path.join(ROOT, "target", "release", "sgf"))

SGFMILL = """
import sys
from sgfmill import sgf, sgf_grammar

def main():
    with open(sys.argv[2], "rb") as file:
        games = sgf_grammar.parse_sgf_collection(file.read())
    for coarse in games:
        game = sgf.Sgf_game.from_coarse_game_tree(coarse)
        root = game.get_root()
        if sys.argv[1] == "headers":
            print(*(root.get(name) if root.has_property(name) else "" for name in ("PB", "PW", "DT", "RE")), sep=",")
        else:
            print(*(node.get_move() for node in game.get_main_sequence()))

main()
"""


def sgfmill(job):
    try:
        import sgfmill as _
    except ImportError:
        return None
    return [sys.executable, "-c", SGFMILL, job]


def program(name, *options):
    return [name, *options] if shutil.which(name) else None


def seconds(command, archive):
    """The time that a command takes for an archive, or None if it fails."""
    start = time.perf_counter()
    status = subprocess.run([*command, archive], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
    # Exit code 1 is for findings.
    return time.perf_counter() - start if status in (0, 1) else None


def best_in_turns(ours, theirs, archive):
    turns = [(seconds(ours, archive), seconds(theirs, archive)) for _ in range(REPEATS)]
    if any(None in turn for turn in turns):
        return None
    return [min(times) for times in zip(*turns)]


JOBS = [
    ("players, date and result of each game", ["records", "--columns", "PB,PW,DT,RE"], "sgfmill", sgfmill("headers")),
    ("moves of the main line", ["records", "--moves"], "sgfmill", sgfmill("moves")),
    ("checking", ["check", "--summary"], "SGFC", program("sgfc", "-e")),
    ("counting games", ["scan"], "sgfinfo", program("sgfinfo", "-m")),
]


def main():
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as directory:
        if len(sys.argv) > 1:
            archive = sys.argv[1]
        else:
            archive = os.path.join(directory, "archive.sgf")
            with open(archive, "wb") as file:
                megabytes = os.environ.get("SGF_BENCH_MB", "16")
                subprocess.run([SGF, "synth", "--bytes", f"{megabytes}M"], stdout=file, check=True)
        megabytes = os.path.getsize(archive) / 1e6
        print(f"{megabytes:.0f} MB, one core, best of {REPEATS} runs in turns\n")
        print("| job | `sgf` | MB/s | other | MB/s | ratio |\n|---|---|--:|---|--:|--:|")
        for job, options, name, theirs in JOBS:
            if theirs is None:
                print(f"| {job} | | | {name}: not installed | | |")
                continue
            ours = [SGF, *options]
            times = best_in_turns(ours, theirs, archive)
            if times is None:
                print(f"| {job} | | | {name}: failed | | |")
                continue
            ours_speed, other_speed = (megabytes / time for time in times)
            command = "sgf " + " ".join(options)
            print(f"| {job} | `{command}` | {ours_speed:.0f} | {name} | {other_speed:.2f} | {ours_speed / other_speed:.0f} |")


if __name__ == "__main__":
    main()
