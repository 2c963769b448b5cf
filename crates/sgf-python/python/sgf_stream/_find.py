"""Search for positions and patterns, in files and in indexes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from . import _sgf_stream
from ._options import Options, Paths, names, sources

if TYPE_CHECKING:
    from typing_extensions import Unpack


def find(
    pattern: str,
    paths: Paths,
    *,
    columns: Sequence[str] = (),
    where: Sequence[str] = (),
    place: Literal["sides", "fixed", "anywhere"] = "sides",
    symmetries: bool = True,
    swap_colors: bool = True,
    variations: bool = False,
    every_place: bool = False,
    empty_rest: bool = False,
    limit: int | None = None,
    **options: Unpack[Options],
) -> _sgf_stream.Reader:
    """Find the games with a position or a pattern, as an Arrow stream with a row per hit.

    >>> import pathlib, tempfile
    >>> directory = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (directory / "a.sgf").write_text("(;SZ[9]PB[Rin];B[gc];W[cc];B[ee])(;SZ[9];B[ee])")
    >>> hits = find("(;SZ[9]AB[gc]AW[gg]VW[ea:ii])", directory, columns=["black"])
    >>> hits.to_polars().select("game", "ply", "next_point", "black").rows()
    [(0, 2, 'ee', 'Rin')]

    The pattern is SGF: stones (`AB`, `AW`), empty points (`AE`), and moves that must follow. Its region is `VW`, else the smallest
    rectangle with all of these points; the next move of a hit is one in the region, so name a larger one to see what was played
    beside the stones. A pattern with variations is an error. Or it is a diagram, whose rows have `X`, `O`, `.` for an empty point and `*`
    for anything, with `|` beside them and `-` above or below them where the board ends: `"X.O/.X."`. The guide's page *Search* has both.
    `paths` is anything that `read` takes, or the directory of an index: see `index`.

    `columns` are columns of the table `games` that each hit has too; for an index, those that it was built with. `where` are conditions
    that must all hold: `["date>=2000", "black~^Cho"]`. As in SQL, a missing value fulfills no comparison: `winner!=B` selects the games
    that White won. `winner=` selects those without a winner, `winner!=` those with one. Columns are null for a game that is too long to be
    kept in memory (64 MiB).

    An index is searched alone, and stops at `limit`. `exclude` takes names without a `/` there, of files, members, and all directories
    and archives that they are in. The options that say how files are read (`charset`, `default_charset`, `follow_links`, `strict`, `progress`)
    are an error.

    `place` is where the pattern may be: `"sides"` (at the sides of the board that it touches), `"fixed"` or `"anywhere"`. By default it
    may be turned and mirrored (`symmetries`) and have exchanged colors (`swap_colors`), only main lines are searched
    (`variations`), a game has one hit (`every_place`), and points without a stone may be anything (`empty_rest`).

    Columns: `file`, `offset` and `game` as in `read`; `ply` and `end_ply`, the numbers of moves before the position and before the end
    of the moves that had to follow; `swapped`, and `symmetry`, how the pattern was turned (0 not, 1 columns mirrored, 2 rows mirrored, 3
    by 180 degrees, 4 columns and rows exchanged, 5 counterclockwise, 6 clockwise, 7 mirrored in the other diagonal); `next_color`,
    `next_point` and `next_ply`, the next move in the region in the pattern's own terms; `elsewhere`, the number of moves
    elsewhere before it.
    """
    asked = {
        "pattern": pattern,
        "place": place,
        "symmetries": symmetries,
        "swap_colors": swap_colors,
        "variations": variations,
        "every_place": every_place,
        "empty_rest": empty_rest,
        "columns": names(columns),
        "where": names(where),
    }
    return _sgf_stream.find(asked, sources(paths, options), paths, limit)


def index(
    paths: Paths,
    directory: str | os.PathLike[str],
    *,
    variations: bool = False,
    columns: Sequence[str] | None = None,
    rebuild: bool = False,
    prune: bool = False,
    **options: Unpack[Options],
) -> dict[str, int]:
    """Index games for `find`, or bring an index up to date. Return numbers of games and files.

    >>> import pathlib, tempfile
    >>> directory = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (directory / "a.sgf").write_text("(;SZ[9]PB[Rin];B[gc];W[cc];B[ee])(;GM[2]SZ[8])")
    >>> counts = index(directory, directory / "index")
    >>> counts["games"], counts["without_board"], counts["new_files"]
    (1, 1, 1)
    >>> index(directory, directory / "index")["unchanged_files"]
    1
    >>> find("(;SZ[9]AB[gc]AW[gg]VW[ea:ii])", directory / "index", columns=["PB"]).to_polars()["PB"].to_list()
    ['Rin']

    The index is a directory of Parquet files with a row for each game, which the command `sgf` reads too. A further call reads only
    files that are new or changed, and drops the games of files that are gone from the directories that it reads. What is not below
    one of the paths, or cannot be read, keeps its games, until `prune=True` drops all files that do not exist any more. Files are known by
    their full paths. A search sees all of the changes of a call or, if it fails, none.

    By default only main lines are indexed (`variations`). `columns` are those of the table `games` that hits can have; default: `PB`,
    `BR`, `PW`, `WR`, `DT`, `RE`, the ranks, the date and the result as values, komi, handicap, event, origin and number of
    moves. An index keeps both, and its charsets, until it is built again (`rebuild`).

    The counts: `games` in the index (all of them); games `without_board` (not Go, or larger than 52x52) and `too_large` (64 MiB, or too many
    variations); `bytes` on disk; `new_files` and `changed_files`, of which `unread_files` cannot be read and are tried again the next
    time; `removed_files` and `unchanged_files`.
    """
    chosen = None if columns is None else names(columns)
    return dict(_sgf_stream.index(sources(paths, options), directory, variations, chosen, (rebuild, prune)))
