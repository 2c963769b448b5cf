"""Laws: with random inputs, a condition selects what its meaning says (L19), and all functions count the same (L12).

The command has the same laws over such games, and SQL has them for its tables.
"""

from __future__ import annotations

import gzip
import io
import json
import operator
import random
import re
import shutil
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars
import pytest

import sgf_stream

#: Root properties, and values of them. `None` is missing.
PROPERTIES: dict[str, list[str | None]] = {
    "PB": [None, "", "Lee", "Yi", "O'Brien", "Ann and Bob"],
    "RE": [None, "B+R", "W+R", "B+2.5", "Void"],
    "DT": [None, "1990-05-01", "1990", "2001-12", "2016-03-15"],
    "KM": [None, "0", "6.5", "7.5"],
}
LINES = {";B[gc];W[gf];B[ec]": 3, ";B[ee];W[gc];B[gf]": 3, ";B[ee](;W[gg])(;W[gc];B[gf])": 2, ";B[cc];W[cf](;B[gc])(;B[aa];W[gf])": 3}
#: What may be between games.
JUNK = ["\n", " junk ", ")", "\r\n\r\n"]
#: What conditions are about, with values. An empty value asks whether it is missing.
ASKED = {
    "black": ["", "Lee", "Yi", "O'Brien", "Ann and Bob", "M"],
    "PB": ["", "Lee", "O'Brien", "N"],
    "winner": ["", "B", "W"],
    "date": ["", "1990", "1990-05", "1990-05-01", "2001", "2010-01"],
    "komi": ["", "0", "6.5", "7"],
    "move_count": ["", "2", "3", "5"],
}
OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Facts:
    """A random game, and what its columns are."""

    def __init__(self, rng: random.Random) -> None:
        given = {ident: rng.choice(values) for ident, values in PROPERTIES.items()}
        line = rng.choice(list(LINES))
        self.text = "(;SZ[9]" + "".join(f"{ident}[{value}]" for ident, value in given.items() if value is not None) + line + ")"
        result, date = given["RE"] or "", given["DT"]
        self.cells: dict[str, str | None] = {
            "black": given["PB"],
            "PB": given["PB"],
            "winner": result[0] if result.startswith(("B+", "W+")) else None,
            # A month and a year are their first day.
            "date": date and date + "0000-01-01"[len(date) :],
            "komi": given["KM"],
            "move_count": str(LINES[line]),
        }


class Condition:
    """A random condition."""

    def __init__(self, rng: random.Random) -> None:
        self.column = rng.choice(list(ASKED))
        self.value = rng.choice(ASKED[self.column])
        self.operator = rng.choice(list(OPERATORS) if self.value else ["=", "!="])
        double = self.value.replace("'", "''")
        written = rng.choice([self.value, f"'{double}'", f'"{self.value}"']) if self.value else ""
        blank = rng.choice(["", " "])
        self.text = f"{self.column}{blank}{self.operator}{blank}{written}"

    def selects(self, game: Facts) -> bool:
        cell = game.cells[self.column]
        if not self.value:
            return (not cell) == (self.operator == "=")
        if cell is None:
            return False
        compare = OPERATORS[self.operator]
        if self.column in ("komi", "move_count"):
            return compare(float(cell), float(self.value))
        # A day is in its year and its month.
        return compare(cell[: len(self.value)] if self.column == "date" else cell, self.value)


def packed(name: str, content: bytes) -> bytes:
    if name.endswith(".gz"):
        return gzip.compress(content)
    if name.endswith(".tar"):
        archive = io.BytesIO()
        with tarfile.open(fileobj=archive, mode="w") as tar:
            info = tarfile.TarInfo("x/1.sgf")
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
        return archive.getvalue()
    return content


@pytest.mark.parametrize("seed", range(12))
def test_a_condition_selects_what_its_meaning_says(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    games: dict[str, list[Facts]] = {}
    directory = tmp_path / "games"
    directory.mkdir()
    for name in ("a.sgf", "b.sgf.gz", "c.tar"):
        of_file = [Facts(rng) for _ in range(rng.randint(1, 4))]
        text = "".join(game.text + rng.choice(JUNK) for game in of_file) + rng.choice(["", "(;SZ[9]PB[cut;B[ee"])
        (directory / name).write_bytes(packed(name, text.encode()))
        games[str(directory / name) + ("!/x/1.sgf" if name == "c.tar" else "")] = of_file
    sgf_stream.index(directory, tmp_path / "index", variations=True)
    # Every whole game has one of these stones, and the truncated one has none.
    pattern = {"pattern": "(;SZ[9]AB[gc])", "place": "anywhere", "variations": True}
    for _ in range(8):
        conditions = [Condition(rng) for _ in range(rng.randint(1, 2))]
        where = [condition.text for condition in conditions]
        expected = [
            (file, number)
            for file, of_file in sorted(games.items())
            for number, game in enumerate(of_file)
            if all(condition.selects(game) for condition in conditions)
        ]
        for paths in (directory, tmp_path / "index"):
            hits = sgf_stream.find(paths=paths, where=where, **pattern).to_polars()  # type: ignore[arg-type]
            assert sorted(hits.select("file", "game").rows()) == expected, where
        read = [(game.file, game.number) for game in sgf_stream.games(directory, where=where)]
        assert sorted(key for key in read if key[1] < len(games[key[0]])) == expected, where


#: Pieces of broken files.
PIECES = [
    "(;FF[4]GM[1]SZ[19]PB[a];B[dd];W[pp])",
    "(;GM[1]SZ[9]PW[b]RE[B+R];B[ee](;W[dd])(;W[cc];B[aa]))",
    "(;SZ[9];W[ee]B[];B[zz])",
    "(;FF[4]C[a text with (;FF[4\\] in it];W[aa])",
    "(;CA[EUC-JP]PB[\u3042];B[bb])",
    "(;GM[2];B[x])",
    "(;FF[4]PB[open",
    "(;B[dd]",
    ")",
    "]",
    "junk ",
    "\n",
    "\\",
    "(;",
    "()((;B[aa])(;W[bb]))",
    "(;B[aa] junk ;W[bb])",
]


@pytest.mark.parametrize("seed", range(12))
def test_all_functions_count_the_same(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    directory = tmp_path / "games"
    directory.mkdir()
    contents = ["".join(rng.choices(PIECES, k=rng.randint(1, 12))) for _ in range(3)]
    if seed % 3 == 0:
        contents.append("(;FF[4]PB[long]" + rng.choice(["", ";B[dd]"]) + "C[" + 2 * 1024 * 1024 * "x" + "];W[dd])" + contents[0])
    for number, content in enumerate(contents):
        name = f"{number}{rng.choice(['.sgf', '.sgf.gz', '.tar'])}"
        (directory / name).write_bytes(packed(name, content.encode()))

    columns = ["node_count", "move_count", "diagnostic_count"]
    table = sgf_stream.read(directory, columns=columns).to_polars()
    nodes, moves, diagnostics = table.select(polars.all().sum()).row(0)
    read = list(sgf_stream.games(directory, fields=columns))
    assert len(read) == table.height
    assert [tuple(game.fields().values()) for game in read] == table.rows()
    trees = [tree for content in contents for tree in parsed(content.encode())]
    assert len(trees) == table.height
    assert sum(len(tree) for tree in trees) == nodes
    assert [len(game.tree()) for game in read] == table["node_count"].to_list()
    assert sgf_stream.read(directory, table="moves").to_polars().height == moves
    assert sgf_stream.scan(directory, columns=columns).collect().height == table.height
    counts = sgf_stream.index(directory, tmp_path / "index")
    assert counts["games"] + counts["without_board"] + counts["too_large"] == table.height

    if sgf := shutil.which("sgf"):
        scanned = json.loads(subprocess.run([sgf, "scan", "--json", directory], check=True, capture_output=True).stdout)
        assert (scanned["games"], scanned["nodes"]) == (table.height, nodes)
        columns = ["--columns", ",".join(columns), "--format", "csv"]
        records = subprocess.run([sgf, "records", *columns, directory], capture_output=True, text=True).stdout
        rows = [[int(cell or 0) for cell in line.split(",")] for line in records.splitlines()[1:]]
        assert [sum(row[column] for row in rows) for column in range(3)] == [nodes, moves, diagnostics]


def parsed(content: bytes) -> list[sgf_stream.Tree]:
    """The trees of some bytes. Bytes without a game have none."""
    try:
        return sgf_stream.parse(content)
    except sgf_stream.SgfError as error:
        assert getattr(error, "code", None) == "no-sgf-data", error
        return []


def test_a_game_of_20_mib_is_found_by_its_columns(tmp_path: Path) -> None:
    text = "(;SZ[9]PB[Long]" + "".join(f";{'BW'[n % 2]}[{'abcdefghi'[n % 9]}{'abcdefghi'[n // 9]}]C[{1024 * 1024 * 'x'}]" for n in range(20)) + ")"
    (tmp_path / "a.sgf").write_text("(;SZ[9]PB[Short];B[aa])" + text + "(;SZ[9]PB[After];B[aa])")
    pattern = "(;SZ[9]AB[aa])"
    options: dict[str, Any] = {"columns": ["black"], "place": "fixed", "symmetries": False, "swap_colors": False}
    assert sgf_stream.index(tmp_path / "a.sgf", tmp_path / "index")["too_large"] == 0
    for paths in (tmp_path / "a.sgf", tmp_path / "index"):
        hits = sgf_stream.find(pattern, paths, **options).to_polars()
        assert hits.select("game", "black").rows() == [(0, "Short"), (1, "Long"), (2, "After")]
        hits = sgf_stream.find(pattern, paths, where=["black=Long", "move_count=20"], **options).to_polars()
        assert hits.select("game", "black").rows() == [(1, "Long")]


def test_hits_of_an_index_come_while_it_is_searched(tmp_path: Path) -> None:
    games = [f"(;SZ[9]PB[{number}];B[gc];W[gg])\n" for number in range(5000)]
    (tmp_path / "a.sgf").write_text("".join(games))
    sgf_stream.index(tmp_path / "a.sgf", tmp_path / "index")
    pattern = "(;SZ[9]AB[gc]AW[gg]VW[ea:ii])"

    def numbers(limit: int | None) -> list[list[int]]:
        reader = sgf_stream.find(pattern, tmp_path / "index", columns=["PB"], limit=limit)
        batches = [polars.DataFrame(batch) for batch in reader]
        assert all(batch["PB"].to_list() == [str(number) for number in batch["game"]] for batch in batches)
        return [batch["game"].to_list() for batch in batches]

    batches = numbers(None)
    assert len(batches) > 2 and sum(batches, []) == list(range(5000))
    for limit in (0, 1, 1023, 1024, 1025, 4999, 9999):
        assert sum(numbers(limit), []) == list(range(min(limit, 5000)))
    # Nobody reads the rest.
    reader = sgf_stream.find(pattern, tmp_path / "index")
    assert next(reader).num_rows < 5000
    del reader


def test_texts_name_no_options_of_other_programs() -> None:
    """Docstrings and messages name keywords of this package, and no options of the command."""
    public = [getattr(sgf_stream, name) for name in sgf_stream.__all__ if callable(getattr(sgf_stream, name))]
    docs = [sgf_stream.__doc__ or ""] + [thing.__doc__ or "" for thing in public]
    for thing in public:
        if isinstance(thing, type):
            docs += [member.__doc__ or "" for member in vars(thing).values() if callable(member)]
    source = Path(__file__).parents[1] / "src"
    code = [line for path in source.rglob("*.rs") for line in path.read_text().splitlines() if not line.lstrip().startswith("//")]
    for text in docs + code:
        assert not re.search(r"(?<![-\w])--[a-z]", text), text
    keywords = set(re.findall(r"^ {4}(\w+): ", (Path(sgf_stream.__file__).parent / "_options.py").read_text(), re.MULTILINE))
    for name in ("_find", "_options", "_points", "_positions", "_tables", "_texts"):
        text = (Path(sgf_stream.__file__).parent / f"{name}.py").read_text()
        keywords |= set(re.findall(r"(\w+): [^=\n]+(?: = |,|\))", text))
    conditions = {column.name for column in sgf_stream.columns()}
    for text in docs:
        for literal in re.findall(r"`([^`]+)`", text):
            for name in re.findall(r"\b([a-z_]+)=(?!=)", literal):
                assert name in keywords | conditions, (name, text)
    messages = re.findall(r"\b([a-z_]+)=(?:True|False|'skip')", "\n".join(code))
    assert messages and set(messages) <= keywords, messages
