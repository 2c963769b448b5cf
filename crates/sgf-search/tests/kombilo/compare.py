#!/usr/bin/env python3
"""Compares `sgf find` with libkombilo, the search of Kombilo 0.8.4, on random patterns of the games in a directory.

    python3 compare.py SGF DIRECTORY [PATTERNS]

SGF is the program. Needs g++ and the headers of SQLite; pip gets Kombilo's sources. Games that the two do not read alike
are left out and counted: libkombilo gives up a game at its first illegal move or unreadable value.
"""

import json
import pathlib
import random
import subprocess
import sys
import tarfile
import tempfile

PARTS = ["sgfparser", "abstractboard", "search", "algos", "pattern"]
BOARD = 19


def build(folder):
    """Compiles libkombilo with search.cpp."""
    download = [sys.executable, "-m", "pip", "download", "kombilo==0.8.4", "--no-deps", "--no-binary", ":all:", "-d", folder]
    # It fails after the download, since the package is one of Python 2.
    subprocess.run(download, capture_output=True, check=False)
    with tarfile.open(folder / "kombilo-0.8.4.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    sources = folder / "kombilo-0.8.4/kombilo/libkombilo"
    files = [sources / f"{part}.cpp" for part in PARTS] + [pathlib.Path(__file__).with_name("search.cpp")]
    compile = ["g++", "-O2", "-w", "-std=c++11", "-fopenmp", f"-I{sources}", "-o", folder / "search", *files, "-lsqlite3"]
    subprocess.run(compile, check=True)
    return folder / "search"


def games_of(sgf, directory):
    """Returns the files with one game of Go on 19x19, and the moves of its main line."""
    columns = "file,game_type,size_x,size_y,moves"
    output = subprocess.run([sgf, "records", "--columns", columns, directory], capture_output=True, check=False).stdout
    by_file = {}
    for line in output.splitlines():
        row = json.loads(line)
        by_file.setdefault(row["file"], []).append(row)
    games = {}
    for file, rows in by_file.items():
        [row, *others] = rows
        moves = row["moves"]
        if not others and row["game_type"] == "Go" and row["size_x"] == row["size_y"] == BOARD and moves:
            games[file] = moves
    return games


def points_of(moves):
    """Returns colors and points of moves; passes are left out."""
    for color, point in moves:
        if point:
            yield color, ord(point[0]) - ord("a"), ord(point[1]) - ord("a")


def pattern_of(moves):
    """Returns a random part of an early position: where its upper left corner may be, and its rows."""
    board = [["."] * BOARD for _ in range(BOARD)]
    for color, x, y in list(points_of(moves))[: random.randint(8, 90)]:
        if board[y][x] == ".":
            board[y][x] = "X" if color == "B" else "O"
    kind = random.choice(["corner", "corner", "side", "anywhere"])
    columns, rows = (random.randint(3, 6) if kind == "anywhere" else random.randint(4, 9) for _ in range(2))
    left, top = random.randrange(BOARD - columns + 1), random.randrange(BOARD - rows + 1)
    if kind == "corner":
        left, top = BOARD - columns, 0
    elif kind == "side":
        top = 0
    cut = [row[left : left + columns] for row in board[top : top + rows]]
    for row in cut:
        for x, point in enumerate(row):
            if random.random() < 0.15:
                row[x] = "*" if random.random() < 0.5 else {"X": "x", "O": "o", ".": random.choice("xo")}[point]
    if sum(point in "XO" for row in cut for point in row) < 2:
        return None
    places = {
        "corner": (left, left, 0, 0),
        "side": (0, BOARD - columns, 0, 0),
        "anywhere": (0, BOARD - columns, 0, BOARD - rows),
    }
    return kind, places[kind], ["".join(row) for row in cut]


def ours(sgf, kind, rows, files):
    """Returns the numbers of the files that `sgf find` finds."""
    if kind == "corner":
        rows = ["-" * len(rows[0]) + "+"] + [row + "|" for row in rows]
    elif kind == "side":
        rows = ["-" * len(rows[0])] + rows
    find = [sgf, "find", "\n".join(rows), "--json", *(["--anywhere"] if kind == "anywhere" else []), "."]
    output = subprocess.run(find, cwd=files, capture_output=True, check=False)
    if output.returncode not in (0, 1):
        raise SystemExit(output.stderr.decode())
    return {int(pathlib.Path(json.loads(line)["file"]).stem) for line in output.stdout.splitlines()}


def main():
    sgf, directory = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    wanted = int(sys.argv[3]) if len(sys.argv) > 3 else 200
    random.seed(1987)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program, games = build(folder), games_of(sgf, directory)
        copies = folder / "games"
        copies.mkdir()
        for number, file in enumerate(games):
            (copies / f"{number}.sgf").write_bytes((directory / file).read_bytes())
        patterns = []
        moves = list(games.values())
        while len(patterns) < wanted:
            pattern = pattern_of(random.choice(moves))
            patterns += [pattern] if pattern else []
        text = "".join(f"{copies / f'{number}.sgf'}\n" for number in range(len(games))) + "\n"
        for _, place, rows in patterns:
            text += f"{' '.join(map(str, place))} {len(rows[0])} {len(rows)} {''.join(rows)}\n"
        theirs = subprocess.run([program, folder / "games.db"], input=text.encode(), capture_output=True, check=True)
        problems, found = theirs.stdout.decode().split("patterns\n", 1)
        left_out = {int(line.split()[1]) for line in problems.splitlines() if line.startswith("problem ")}
        both, differ, hits = 0, {}, 0
        for (kind, place, rows), line in zip(patterns, found.splitlines(), strict=True):
            kombilo = {int(word) for word in line.split()} - left_out
            own = ours(sgf, kind, rows, copies) - left_out
            hits += len(own)
            both += len(games) - len(left_out) - len(kombilo ^ own)
            for game in kombilo ^ own:
                side = "kombilo" if game in kombilo else "sgf"
                differ.setdefault(game, []).append((side, kind, place, "/".join(rows)))
        names = list(games)
        print(f"{len(games)} games, {len(left_out)} of them left out; {wanted} patterns; {hits} games found")
        print(f"{both} answers agree, {sum(map(len, differ.values()))} differ, in {len(differ)} games")
        for game, cases in differ.items():
            print(names[game], cases[:3])


main()
