"""Games as rows: of tables, and one by one."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from . import _sgf_stream
from ._options import Options, Paths, names, sources

if TYPE_CHECKING:
    import polars
    from typing_extensions import Unpack


class Column(NamedTuple):
    """A column of a table."""

    name: str
    type: str
    meaning: str


def columns(table: Literal["games", "moves", "properties"] = "games") -> list[Column]:
    """Return the columns of a table: `"games"`, `"moves"` or `"properties"`.

    >>> columns()[7]
    Column(name='application', type='category', meaning='AP: program that wrote the file, and its version.')

    The table `games` also has a column for any property of the root, such as `PB`, and `PB_raw` for its raw values.
    """
    return [Column(*column) for column in _sgf_stream.columns(table)]


def read(
    paths: Paths,
    *,
    columns: Sequence[str] | None = None,
    table: Literal["games", "moves", "properties"] = "games",
    limit: int | None = None,
    batch_rows: int = 8192,
    dictionaries: bool = True,
    **options: Unpack[Options],
) -> _sgf_stream.Reader:
    """Read games, moves or properties as an Arrow stream.

    >>> import pathlib, tempfile
    >>> directory = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (directory / "a.sgf").write_text("(;PB[Shusaku]PW[Gennan]RE[B+2];B[qd])(;PB[Shuei]RE[W+R])")
    >>> reader = read(directory, columns=["game", "black", "winner"])
    >>> reader.to_polars().rows()
    [(0, 'Shusaku', 'B'), (1, 'Shuei', 'W')]

    Only what a column needs is read. Default: all columns. `limit` is the most rows that are read. A batch has `batch_rows` rows at
    most. With `dictionaries`, columns with few different texts are dictionaries (`Categorical` in polars); without it, plain text.

    The reader is read once: by `to_pyarrow`, `to_polars` or `to_pandas`, by any library that knows Arrow's PyCapsule interface, or
    as an iterator of record batches, which such a library takes one by one: `polars.DataFrame(batch)`,
    `pyarrow.record_batch(batch)`. See the module `sgf_stream` for the other options.

    A broken game is a row too. Its column `error` is the rule of the first syntax error that lost part of the game, such as a value
    that was cut off; with `strict=True`, of any syntax error. `diagnostic_count` is the number of repairs; `check` names them.
    """
    chosen = None if columns is None else names(columns)
    return _sgf_stream.read(sources(paths, options), table, chosen, limit, batch_rows, dictionaries)


def scan(
    paths: Paths,
    *,
    columns: Sequence[str] | None = None,
    table: Literal["games", "moves", "properties"] = "games",
    **options: Unpack[Options],
) -> polars.LazyFrame:
    """Return a polars `LazyFrame` of a table.

    >>> import pathlib, polars, tempfile
    >>> directory = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (directory / "a.sgf").write_text("(;PB[Shusaku]RE[B+2])(;PB[Shuei]RE[W+R])")
    >>> scan(directory).filter(polars.col("winner") == "B").select("black").collect().rows()
    [('Shusaku',)]

    A query reads only the columns that it needs, filters batch by batch, and ends when it has the rows that it wants. `columns` are
    those that a query may use. Default: all of `columns()`; name others, such as `["PB", "KM_raw"]`, here.

    A query has no `errors`. If files were skipped that could not be read (`on_error="skip"`), it ends with a `RuntimeWarning`.
    """
    import polars
    from polars.io.plugins import register_io_source

    def batches(
        with_columns: list[str] | None, predicate: polars.Expr | None, n_rows: int | None, batch_size: int | None
    ) -> Iterator[polars.DataFrame]:
        needed = with_columns if with_columns is not None or columns is None else names(columns)
        if needed is not None and predicate is not None:
            needed = list(dict.fromkeys([*needed, *predicate.meta.root_names()]))
        # With a predicate, the number of rows to read is not known.
        limit = n_rows if predicate is None else None
        left = n_rows
        reader = read(paths, columns=needed, table=table, limit=limit, batch_rows=batch_size or 8192, **options)
        for batch in reader:
            frame = polars.DataFrame(batch)
            if predicate is not None:
                frame = frame.filter(predicate)
            if with_columns is not None:
                frame = frame.select(with_columns)
            if left is not None:
                frame = frame.head(left)
                left -= frame.height
            yield frame
            if left == 0:
                return
        errors = [error for error in reader.errors if getattr(error, "code", None) != "no-sgf-data"]
        if errors:
            warnings.warn(f"files that could not be read: {len(errors)}, the first is {errors[0]}", RuntimeWarning, stacklevel=2)

    schema = polars.DataFrame(read((), columns=columns, table=table)).schema
    return register_io_source(io_source=batches, schema=schema)


def games(
    paths: Paths, fields: Sequence[str] = (), *, where: Sequence[str] = (), **options: Unpack[Options]
) -> _sgf_stream.Games:
    """Return an iterator over games, with some fields of each.

    >>> import pathlib, tempfile
    >>> directory = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (directory / "a.sgf").write_text("(;PB[Shusaku]DT[1846-09-11];B[qd];W[dc])(;PB[Shuei])")
    >>> for game in games(directory, fields=["black", "date"]):
    ...     print(game.number, game.black, game.date, len(game.tree()))
    0 Shusaku 1846-09-11 3
    1 Shuei None 1

    The fields are columns of the table `games`: see `columns`. `where` are conditions on such columns, which must all hold:
    `["date>=2000", "winner=B"]` (the operators are `= != < <= > >=`, and `~` for a regular expression). As in SQL, a missing value
    fulfills no comparison: `winner!=B` selects the games that White won, `winner=` those without a winner. `game.tree()` reads the
    whole game. `game.error` is as the column `error` of `read`. The iterator's `errors` are the exceptions of files without a game
    and, with `on_error="skip"`, of files that could not be read; without it the first of the latter ends the iterator.
    """
    return _sgf_stream.games(sources(paths, options), names(fields), names(where))


def total_size(paths: Paths, *, exclude: Sequence[str] = (), follow_links: bool = False) -> int:
    """Return the number of bytes on disk that the paths name, for progress bars.

    >>> import pathlib, tempfile
    >>> directory = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (directory / "a.sgf").write_text("(;B[dd])")
    >>> total_size(directory)
    8
    """
    return _sgf_stream.total_size(sources(paths, {"exclude": exclude, "follow_links": follow_links}))
