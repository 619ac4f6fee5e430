"""Detect changed files: by a digest of their content or, without reading them, by times, size and inode number."""

from __future__ import annotations

import os
from array import array
from struct import Struct
from typing import TYPE_CHECKING, Final, TypeAlias

try:
    from _blake2 import blake2b  # the same as in hashlib, whose import loads OpenSSL
except ImportError:
    from hashlib import blake2b

if TYPE_CHECKING:
    from collections.abc import Iterable

_FOUR: Final = Struct("=4q")
_SIZE: Final = slice(16, 24)
"""Bytes of the size in a stamp, after two times of 8 bytes each."""
_MOST: Final = 2**63 - 1
"""Mask that keeps an inode number within a signed 64-bit field. Some file systems use larger numbers."""

DIGEST: Final = 16
"""Size of a digest in bytes. 128 bits make accidental collisions impossible in practice."""
LENGTH: Final = _FOUR.size
"""Size of a stamp in bytes."""

Stamp: TypeAlias = bytes
"""Modification time and change time in nanoseconds, size in bytes, and inode number of a file, 8 bytes each."""


def digest(data: bytes) -> bytes:
    """Return the digest of a file's content."""
    return blake2b(data, digest_size=DIGEST).digest()


def keyed(key: bytes, size: int) -> blake2b:
    """Return a keyed hash with a digest of ``size`` bytes. Nobody can compute it without the key."""
    return blake2b(key=key, digest_size=size)


def stamp_of(status: os.stat_result) -> Stamp:
    """Return the stamp of a file."""
    return _FOUR.pack(status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino & _MOST)


def stamps_of(paths: Iterable[str]) -> dict[str, Stamp]:
    """Return the stamp of each file that exists, by path."""
    stamps: dict[str, Stamp] = {}
    for path in paths:
        try:
            stamps[path] = stamp_of(os.stat(path))
        except OSError:
            continue
    return stamps


def last_changes(stamps: bytes) -> list[int]:
    """Return when each file last changed, in nanoseconds: the later one of its modification time and change time.

    ``stamps`` are the concatenated stamps of the files.
    """
    numbers = array("q", stamps)
    return list(map(max, numbers[0::4], numbers[1::4]))


def are_of_one_size(stamp: Stamp, other: Stamp) -> bool:
    """Return whether two stamps have the same file size."""
    return stamp[_SIZE] == other[_SIZE]
