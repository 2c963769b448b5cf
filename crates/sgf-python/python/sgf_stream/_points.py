"""Points in the notation of GTP and of books: `D4`."""

from __future__ import annotations

#: The letters of columns, without I.
_COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


def format_vertex(move: tuple[int, int] | None) -> str:
    """Return a move in the notation of GTP.

    >>> format_vertex((3, 0)), format_vertex(None)
    ('A4', 'pass')

    The move is `(row, column)`, as in trees, or `None` for a pass. The notation has letters for 25 columns.
    """
    if move is None:
        return "pass"
    row, column = move
    if row < 0 or not 0 <= column < len(_COLUMNS):
        raise ValueError(f"{move} has no name in GTP, which has letters for 25 columns")
    return f"{_COLUMNS[column]}{row + 1}"


def move_from_vertex(vertex: str, size: int | tuple[int, int]) -> tuple[int, int] | None:
    """Return the move that a vertex of GTP names: `(row, column)`, or `None` for a pass.

    >>> move_from_vertex("a4", 9), move_from_vertex("pass", 9)
    ((3, 0), None)

    `size` is that of the board: a number, or columns and rows. Raises a `ValueError` for what is not a point of it.
    """
    columns, rows = (size, size) if isinstance(size, int) else size
    name = vertex.strip().upper()
    if name == "PASS":
        return None
    column, digits = _COLUMNS.find(name[:1] or "?"), name[1:]
    if column < 0 or not (digits.isascii() and digits.isdigit()):
        raise ValueError(f"{vertex!r} is not a vertex, such as 'D4' or 'pass'")
    row = int(digits) - 1
    if column >= columns or not 0 <= row < rows:
        raise ValueError(f"{vertex!r} is off the {columns}x{rows} board")
    return row, column
