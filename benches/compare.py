#!/usr/bin/env python3
"""Compares `sgf` with what people use today: `sgfmill` (Python), `@sabaki/sgf` (JavaScript), SGFC, `sgfinfo` of sgfutils.

    cargo build --release -p sgf-cli
    pip install sgfmill
    npm install @sabaki/sgf
    python3 benches/compare.py [FILE]     # speed
    python3 benches/compare.py DIR        # how many files each reads

FILE is a collection; without one, `sgf synth` generates one of SGF_BENCH_MB (16) megabytes. `sgf` and the other program
take turns on one core, and the best of three runs counts. Both read the same bytes and print the same facts.

With a directory, a file counts as read if the reader finds a game and returns no error. The concatenated files are then
read once more, as one collection. `cargo run -p sgf-stream-benches --example survival -- DIR` does the same with Rust crates.

A program that is not installed is named and skipped.
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


# Prints, for each of the paths on standard input, the number of games, and "error" if the reader returned one.
COUNTERS = {
    "sgfmill": [sys.executable, "-c", """
import sys
from sgfmill import sgf, sgf_grammar

for path in sys.stdin.read().split("\\0"):
    try:
        with open(path, "rb") as file:
            games = sgf_grammar.parse_sgf_collection(file.read())
        for game in games:
            sgf.Sgf_game.from_coarse_game_tree(game)
        print(len(games))
    except Exception as error:
        print(0, "error:", " ".join(str(error).split()))
"""],
    "@sabaki/sgf": ["node", "-e", """
const sgf = require("@sabaki/sgf")

for (const path of require("fs").readFileSync(0, "utf8").split("\\0")) {
    try {
        console.log(sgf.parseFile(path).filter(game => game != null).length)
    } catch (error) {
        console.log("0 error: " + String(error.message).replace(/\\s+/g, " "))
    }
}
"""],
}


def survival(directory):
    """Prints how many files each reader reads, and how many games it finds in the concatenated files."""
    paths = sorted(
        os.path.join(folder, name) for folder, _, names in os.walk(directory) for name in names if name.lower().endswith(".sgf")
    )
    print(f"| reader | files read, of {len(paths)} | games in them | games in the concatenated files | |\n|---|--:|--:|--:|---|")
    with tempfile.NamedTemporaryFile(suffix=".sgf") as concatenated:
        for path in paths:
            with open(path, "rb") as file:
                shutil.copyfileobj(file, concatenated)
        concatenated.flush()
        for name, command in COUNTERS.items():
            run = subprocess.run(command, input="\0".join([*paths, concatenated.name]), capture_output=True, text=True)
            lines = [line.split(" ", 1) for line in run.stdout.splitlines()]
            if run.returncode != 0 or len(lines) != len(paths) + 1:
                print(f"| {name}: not installed | | | | |")
                continue
            (*each, all_games) = lines
            files = sum(1 for games, *error in each if not error and games != "0")
            print(f"| {name} | {files} | {sum(int(games) for games, *_ in each)} | {all_games[0]} | {' '.join(all_games[1:])} |")


def program(name, *options):
    return [name, *options] if shutil.which(name) else None


def seconds(command, archive):
    """Returns the time that a command takes for a collection, or None if it fails."""
    start = time.perf_counter()
    status = subprocess.run([*command, archive], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
    # Exit code 1 is for diagnostics.
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
    if len(sys.argv) > 1 and os.path.isdir(sys.argv[1]):
        return survival(sys.argv[1])
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
