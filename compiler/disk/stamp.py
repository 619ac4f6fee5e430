"""Whether a file is still the one that was read: by its digest, or by its stamp alone, without reading it."""

from __future__ import annotations

import os
from array import array
from struct import Struct
from typing import TYPE_CHECKING, Final, TypeAlias

try:
    from _blake2 import blake2b  # as of hashlib, which loads OpenSSL first
except ImportError:
    from hashlib import blake2b

if TYPE_CHECKING:
    from collections.abc import Iterable

_FOUR: Final = Struct("=4q")
_SIZE: Final = slice(16, 24)
_MOST: Final = 2**63 - 1

DIGEST: Final = 16
"""Bytes of a digest."""
LENGTH: Final = _FOUR.size
"""Bytes of a stamp."""

Stamp: TypeAlias = bytes
"""Of a file: when it and its entry were last changed, in nanoseconds, its size in bytes, its number; four integers of
eight bytes each.
"""


def digest(data: bytes) -> bytes:
    """Return the digest that the texts of files are known by."""
    return blake2b(data, digest_size=DIGEST).digest()


def keyed(key: bytes, size: int) -> blake2b:
    """Return a hash of ``size`` bytes that nobody can work out without the key."""
    return blake2b(key=key, digest_size=size)


def stamp_of(status: os.stat_result) -> Stamp:
    """Return the stamp of a file."""
    return _FOUR.pack(status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino & _MOST)


def stamps_of(paths: Iterable[str]) -> dict[str, Stamp]:
    """Return the stamps of files; of one that is not there, none."""
    stamps: dict[str, Stamp] = {}
    for path in paths:
        try:
            stamps[path] = stamp_of(os.stat(path))
        except OSError:
            continue
    return stamps


def last_changes(stamps: bytes) -> list[int]:
    """Return when files or their entries were last changed, from stamps that follow one another."""
    numbers = array("q", stamps)
    return list(map(max, numbers[0::4], numbers[1::4]))


def are_of_one_size(stamp: Stamp, other: Stamp) -> bool:
    """Return whether the files of two stamps are of the same size."""
    return stamp[_SIZE] == other[_SIZE]
