"""SGF as bytes: trees, checks, repairs, formatting."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Union

from . import _sgf_stream

Source = Union[bytes, str, "os.PathLike[str]"]


def _bytes(source: Source) -> bytes:
    """Return bytes as they are, and the content of a file."""
    if isinstance(source, bytes):
        return source
    if isinstance(source, str) and source.lstrip().startswith("("):
        raise TypeError("a str is the path of a file; pass SGF as bytes, or use Tree.from_string")
    return Path(source).read_bytes()


def parse(
    source: Source, *, charset: str | None = None, default_charset: str | None = None, strict: bool = False
) -> list[_sgf_stream.Tree]:
    """Read all games of some bytes, or of a file, as trees.

    >>> [game] = parse(b"(;SZ[9]PB[Shusaku];B[gc];W[cc](;B[ee])(;B[gg]))")
    >>> game.get_player_name("b"), len(game)
    ('Shusaku', 5)
    >>> [node.get_move() for node in game.get_main_sequence()[1:]]
    [('b', (6, 6)), ('w', (6, 2)), ('b', (4, 4))]
    >>> new = game.root.new_child()
    >>> new.set("B", (0, 0))
    >>> game.serialise()
    b'(;SZ[9]PB[Shusaku](;B[gc];W[cc](;B[ee])(;B[gg]))(;B[ai]))\\n'

    Points are `(row, column)` as in sgfmill: both count from 0, and row 0 is at the bottom. With `strict`, a syntax error is an
    `SgfError`; otherwise games are repaired. Bytes without a game are an `SgfError`.
    """
    try:
        return _sgf_stream.parse(_bytes(source), charset, default_charset, strict)
    except _sgf_stream.SgfError as error:
        if not isinstance(source, bytes):
            error.file = os.fspath(source)
        raise


def check(source: Source, *, strict: bool = False) -> list[_sgf_stream.Diagnostic]:
    """Return what is wrong with some bytes, or with a file, in the order of the text.

    >>> for diagnostic in check(b"(;FF[4]SZ[9];B[dd]W[jj])"):
    ...     print(diagnostic)
    line 1, column 19 (byte 18): W: the node also has a black move [two-moves]
    line 1, column 20 (byte 19): W[jj] is off the 9x9 board [point-off-board]

    `strict` turns on all rules, also those of style.
    """
    return _sgf_stream.check(_bytes(source), strict)


def fix(source: Source, *, lossy: bool = False, guess_charset: bool = False) -> _sgf_stream.Rewritten:
    """Repair some bytes, or the content of a file, without losing content; everything else stays byte for byte.

    >>> fixed = fix(b"(;FF[4]KM[6,5]RE[b+res];B[dd]")
    >>> fixed.data
    b'(;FF[4]KM[6.5]RE[B+Resign];B[dd])'
    >>> [(note.code, note.column) for note in fixed.notes]
    [('sloppy-value', 11), ('sloppy-value', 18), ('unclosed-tree', 30)]

    The file itself is not changed: write `fixed.data` where you want it. `lossy` also drops what cannot be repaired. `guess_charset` writes the charset that the texts are in. `notes` has a
    note for each repair and for what was left unchanged: its `code` is the rule, and `kind` says what became of it. `has_errors` says
    whether something exceeds a limit or cannot be written; `check(fixed.data)` says what else is still wrong.
    """
    return _sgf_stream.fix(_bytes(source), lossy, guess_charset)


def fmt(
    source: Source, *, exact: bool = False, lossy: bool = False, guess_charset: bool = False
) -> _sgf_stream.Rewritten:
    """Write some bytes, or the content of a file, in canonical form: FF[4], UTF-8, one form for each value.

    >>> fmt(b"(;FF[3]GM[1]SZ[9]KM[6,5] ;B [dd] ;W[tt])").data
    b'(;FF[4]GM[1]SZ[9]KM[6.5]\\n;B[dd];W[])\\n'

    With `exact`, only the syntax is repaired, and values stay as they are.
    """
    return _sgf_stream.fmt(_bytes(source), exact, lossy, guess_charset)
