"""The options that all functions share."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, TypedDict, Union

Paths = Union[str, "os.PathLike[str]", Iterable[Union[str, "os.PathLike[str]"]]]


class Options(TypedDict, total=False):
    """The options that all functions share: see the module `sgf_stream`."""

    exclude: Sequence[str]
    follow_links: bool
    threads: int | None
    charset: str | None
    default_charset: str | None
    strict: bool
    progress: Callable[[int], object] | None
    on_error: Literal["raise", "skip"]


DEFAULTS: Options = {
    "exclude": (),
    "follow_links": False,
    "threads": None,
    "charset": None,
    "default_charset": None,
    "strict": False,
    "progress": None,
    "on_error": "raise",
}


def names(value: str | Sequence[str]) -> list[str]:
    """Return names as a list. A text is one name, not a sequence of letters."""
    return [value] if isinstance(value, str) else list(value)


def sources(paths: Paths, options: Options) -> dict[str, object]:
    """Return the paths and all options as one dictionary."""
    unknown = set(options) - set(DEFAULTS)
    if unknown:
        found = sorted(unknown)[0]
        raise TypeError(f"unexpected keyword argument {found!r}; beside its own ones, the function has {', '.join(DEFAULTS)}")
    exclude = names(options.get("exclude", ()))
    return {"paths": paths, **DEFAULTS, **options, "exclude": exclude}
