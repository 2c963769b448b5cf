"""Smart Game Format (SGF) files: tables, trees, search, repairs.

Columns come first: `read` and `find` return Arrow streams, which pyarrow, polars, DuckDB and pandas take without a copy, and `scan`
returns a polars `LazyFrame`. Objects are made on demand: `games` is an iterator over the games of many files, and `parse` returns
trees, whose methods have the names of sgfmill. `positions` returns NumPy arrays for training; `sgf_stream.torch` has a dataset.

All functions that take paths read files, directories, compressed files and archives (`.gz`, `.bz2`, `.xz`, `.zst`, `.tar`, `.zip`), on
all cores and in bounded memory. They share these options (`positions` has its own):

`exclude`
    Patterns of files that are not read: `exclude=["*.bak"]`. Default: none.
`follow_links`
    Whether symbolic links in directories are followed. Default: no.
`threads`
    The number of threads. Default: the number of cores.
`charset`, `default_charset`
    The charset of all texts, and that of games that declare none. Default: what a game declares, or what its text looks like.
`strict`
    Whether a game ends at its first syntax error, which is then its `error`. Default: no; games are repaired, and only a syntax error
    that lost part of the game, or a limit that was exceeded, is an `error`.
`progress`
    A function that is called with numbers of bytes that were read, such as `bar.update` of tqdm. `total_size` returns their sum.
`on_error`
    What happens if a file cannot be read: `"raise"` or `"skip"`, which puts the exception in `errors` of the reader or iterator. A
    file without a game, such as an empty one, is only in `errors`: it has no row, and raises nothing. Default: `"raise"`.

Bad SGF is an `SgfError`, a `ValueError` that says where: `file`, `offset`, `line`, `column`, `code`. Errors of the system are those of
Python, such as `FileNotFoundError`, with `errno` and `filename`.
"""

from ._find import find, index
from ._points import format_vertex, move_from_vertex
from ._positions import planes, positions
from ._sgf_stream import (
    Batch,
    Diagnostic,
    Game,
    Games,
    Node,
    Note,
    Positions,
    Reader,
    RecordBatch,
    Rewritten,
    SgfError,
    Tree,
    __version__,
)
from ._tables import Column, columns, games, read, scan, total_size
from ._texts import check, fix, fmt, parse

__all__ = [
    "Batch",
    "Column",
    "Diagnostic",
    "Game",
    "Games",
    "Node",
    "Note",
    "Positions",
    "Reader",
    "RecordBatch",
    "Rewritten",
    "SgfError",
    "Tree",
    "__version__",
    "check",
    "columns",
    "find",
    "fix",
    "fmt",
    "format_vertex",
    "games",
    "index",
    "move_from_vertex",
    "parse",
    "planes",
    "positions",
    "read",
    "scan",
    "total_size",
]
