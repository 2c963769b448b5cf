"""Positions as NumPy arrays, for training."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from . import _sgf_stream
from ._options import Paths, names


def planes(*, all: bool = False) -> list[str]:
    """Return the names of the planes of `positions` by default, or of all planes.

    >>> planes()
    ['board', 'own', 'opponent', 'liberties1', 'liberties2', 'liberties3', 'ko', 'move1', 'move2', 'move3', 'move4', 'move5']

    `own` is the player to move, and `own-1` are that player's stones one position ago. `ko` is the point that a simple ko forbids,
    `move1` the last move. The default planes are those of KataGo's features (V7: 0 to 6 and 9 to 13) that a game alone determines.
    """
    return _sgf_stream.planes(all)


def positions(
    paths: Paths,
    *,
    size: int | tuple[int, int] = 19,
    planes: Sequence[str] | None = None,
    batch: int = 1024,
    packed: bool = False,
    where: Sequence[str] = (),
    part: tuple[float, float] = (0.0, 1.0),
    most_per_game: int | None = None,
    shuffle: int = 0,
    seed: int = 0,
    epoch: int = 0,
    symmetries: Literal["none", "random", "all"] = "none",
    shard: tuple[int, int] = (0, 1),
    threads: int = 1,
    exclude: Sequence[str] = (),
    state: str | None = None,
) -> _sgf_stream.Positions:
    """Return an iterator over batches of positions of Go, for training.

    >>> import pathlib, tempfile
    >>> directory = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (directory / "a.sgf").write_text("(;SZ[19]RE[B+R];B[qd];W[dc];B[pq])(;SZ[9];B[ee])")
    >>> reader = positions(directory, planes=["own", "opponent", "ko"])
    >>> [batch] = reader
    >>> batch.planes.shape, batch.next_move.tolist(), batch.result.tolist()
    ((3, 3, 19, 19), [73, 41, 319], [1.0, -1.0, 1.0])
    >>> {reason: count for reason, count in reader.counts.items() if count}
    {'used': 1, 'other_size': 1}

    Each move of a main line, also a pass, is the target of the position before it. A `Batch` has `planes`, the targets `next_move`
    (`y * columns + x`, row 0 at the top; `rows * columns` is a pass), `result` and `score` for the player to move, facts (`turn`,
    `komi`, `handicap`, `black_rank`, `white_rank`, `move_number`), and the game: `key`, `file`, `offset`.

    `size`
        The board: a number, or columns and rows. Games on other boards are skipped.
    `planes`, `packed`
        The names of the planes: see the function `planes`. They are bytes of 0 and 1; packed, bits as `numpy.packbits` makes them.
    `where`
        Conditions on columns of the table `games`, which must all hold: `["date>=2000", "black_rank_n>=1", "rated=1",
        "handicap_real=0", "black_is_bot=0"]`. As in SQL, a missing value fulfills no comparison: `black_is_bot!=1` has no game in which that is
        not known, either, but `black_is_bot=` has only those.
    `part`
        The part of all games that is used. Games are ordered by their `key`, a hash of the setup and the first 30 stones. A copy of a game is
        in the same part even if it is rotated, mirrored, truncated, different in later moves, or has another header, so
        `(0.0, 0.9)` and `(0.9, 1.0)` have no game in common. The key of a game with fewer stones is a hash of all of them; a truncated copy of
        such a game has another key.
    `most_per_game`
        The maximum number of positions of a game, chosen at random.
    `shuffle`, `seed`, `epoch`
        How many positions are shuffled together, in memory; 0 keeps the order. The same seed and epoch give the same batches.
    `symmetries`
        `"none"`, `"random"` (one of eight for each position) or `"all"`.
    `shard`
        `(index, count)`: this reader has one of `count` disjoint parts. For the workers of a loader.
    `threads`
        The number of threads. The batches do not depend on it.
    `state`
        The `state` of an earlier reader with the same settings and files, in this or another process: continues exactly there. `threads`
        and the directory of the files may differ; their names below `paths` and their lengths may not.

    Games of other kinds, without moves, cut or broken are skipped, and a game ends before an illegal move and before stones that are set
    up after the first move. `reader.counts` has all numbers: each game is in one of `used`, `not_go`, `other_size`, `condition`, `part`,
    `no_moves`, `cut`, `broken` and `too_long`; `ended_illegal` and `ended_setup` count games that end early, beside that; and
    `unreadable_files` counts files, which are skipped, with messages in `reader.errors`.
    """
    import numpy  # noqa: F401  # a missing NumPy is an ordinary error here

    asked = {
        "planes": None if planes is None else names(planes),
        "batch": batch,
        "packed": packed,
        "where": names(where),
        "part": part,
        "most_per_game": most_per_game,
        "shuffle": shuffle,
        "seed": seed,
        "epoch": epoch,
        "symmetries": symmetries,
        "shard": shard,
        "threads": threads,
        "exclude": names(exclude),
        "state": state,
    }
    return _sgf_stream.positions(paths, size, asked)
