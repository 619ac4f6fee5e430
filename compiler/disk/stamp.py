"""By what to tell that a file is the one that was read, without a look into it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_MOST: Final = 2**63 - 1

Stamp = tuple[int, int, int, int]
"""Of a file: when it and its entry were last changed, in nanoseconds, its size in bytes, its number."""


def stamp_of(status: os.stat_result) -> Stamp:
    """Give the stamp of a file."""
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino & _MOST


def stamps_of(paths: Iterable[str]) -> dict[str, Stamp]:
    """Give the stamps of files; of one that is not there, none."""
    stamps: dict[str, Stamp] = {}
    for path in paths:
        try:
            stamps[path] = stamp_of(os.stat(path))
        except OSError:
            continue
    return stamps
