"""Search for positions and patterns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _sgf_stream
from ._options import Options, Paths, sources

if TYPE_CHECKING:
    from typing_extensions import Unpack


def find(
    pattern: str,
    paths: Paths,
    *,
    place: str = "sides",
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
    >>> _ = (directory / "a.sgf").write_text("(;SZ[9];B[gc];W[cc];B[ee])(;SZ[9];B[ee])")
    >>> hits = find("(;SZ[9]AB[gc]AW[gg]VW[ea:ii])", directory)
    >>> hits.to_polars().select("game", "ply", "next_point").rows()
    [(0, 2, 'ee')]

    The pattern is SGF (`AB`, `AW`, `AE`, `VW`, moves that must follow) or a diagram of `X`, `O` and `.`; the guide's page *Search*
    says what they mean. `paths` is anything that `read` takes, or the directory of an index that `sgf index` wrote.

    `place` is where the pattern may be: `"sides"` (at the sides of the board that it touches), `"fixed"` or `"anywhere"`. By default it
    may be turned and mirrored (`symmetries`) and have exchanged colors (`swap_colors`), only main lines are searched
    (`variations`), a game has one hit (`every_place`), and points without a stone may be anything (`empty_rest`).

    Columns: `file`, `offset` and `game` as in `read`; `ply` and `end_ply`, the numbers of moves before the position and before the end
    of the moves that had to follow; `symmetry` and `swapped`; `next_color`, `next_point` and `next_ply`, the next move in
    the region in the pattern's own terms; `elsewhere`, the number of moves elsewhere before it.
    """
    asked = {
        "pattern": pattern,
        "place": place,
        "symmetries": symmetries,
        "swap_colors": swap_colors,
        "variations": variations,
        "every_place": every_place,
        "empty_rest": empty_rest,
    }
    return _sgf_stream.find(asked, sources(paths, options), paths, limit)
