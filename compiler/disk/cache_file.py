"""Cache files: authenticated parts in a folder of the user, written whole.

Who can write into the folder can forge results, because the key is there too. Therefore `refusal` decides whether a
folder may be used at all. Each part has an authentication code, made with the key. If a code is wrong, no part is
returned, so nothing is decoded.
"""

from __future__ import annotations

import os
import re
import stat
from itertools import chain
from typing import TYPE_CHECKING, Final

from ..diagnostics import file_path
from .open_folder import OpenFolder
from .stamp import keyed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MAGIC: Final = b"mcpcfg\x00\x0a"
_NUMBER: Final = 8
"""Bytes of a length or count."""
_CODE: Final = 32
"""Bytes of an authentication code: 256 bits."""
_START: Final = len(_MAGIC) + _NUMBER
_ENTRY: Final = _NUMBER + _CODE
_KEY: Final = "key"
_NAME: Final = re.compile(r"(crds-)?[0-9a-f]{32}")
"""Names of cache files: a digest of what they are for."""
_KEY_BYTES: Final = 32
"""Bytes of the key: 256 bits, as many as a code has."""
_MOST_PARTS: Final = 8
"""Maximum number of parts. A cache has at most two, and a damaged count must not cause a large allocation."""
_MOST_BYTES: Final = 512 * 1024 * 1024
"""Maximum size of one cache, and of all together, since nobody cleans the folder. The oldest caches are removed."""
_MOST_FILES: Final = 64
"""Maximum number of caches, one for each project and current folder. The oldest are removed."""


def read(path: str, basis: bytes, *, first_alone: bool = False) -> list[bytes] | None:
    """Return the parts of a cache file, or only the first; ``None`` if any is not authentic or the file is unreadable.

    Args:
        basis: Identity with which the file was written. With any other basis, the result is ``None``.
        first_alone: True to read only the first part.
    """
    key = _known_key(os.path.dirname(path))
    if key is None:
        return None
    try:
        with open(path, "rb") as file:
            status = os.fstat(file.fileno())
            if not (stat.S_ISREG(status.st_mode) and _is_private(status)):
                return None
            start = file.read(_START)
            count = _number(start, len(_MAGIC))
            if len(start) != _START or not start.startswith(_MAGIC) or count > _MOST_PARTS:
                return None
            head = file.read(count * _ENTRY)
            lengths = [_number(head, at) for at in range(0, len(head), _ENTRY)]
            # The length is compared before reading, so a forged length cannot allocate much memory.
            if len(head) != count * _ENTRY or sum(lengths) + _START + len(head) != status.st_size:
                return None
            parts = [file.read(length) for length in (lengths[:1] if first_alone else lengths)]
    except OSError:
        return None
    codes = [head[at + _NUMBER : at + _ENTRY] for at in range(0, len(head), _ENTRY)]
    part_codes = _Codes(key, path, basis)
    if not parts or part_codes.first(parts[:1], codes[1:]) != codes[0]:
        return None
    others = enumerate(zip(parts[1:], codes[1:], strict=False), 1)
    return parts if all(part_codes.code(number, [part]) == code for number, (part, code) in others) else None


def write(path: str, basis: bytes, parts: Sequence[Sequence[bytes]]) -> None:
    """Write a cache file atomically, and remove the oldest files if there are too many. Errors are ignored.

    A cache that is too large is not written.

    Args:
        basis: Identity that `read` must repeat.
        parts: One part or more. Each part is a sequence of pieces, because joining a large part would double its
            memory.
    """
    lengths = [sum(map(len, pieces)) for pieces in parts]
    if sum(lengths) > _MOST_BYTES or len(parts) > _MOST_PARTS:
        return
    folder, name = os.path.split(path)
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        part_codes = _Codes(_known_key(folder) or _new_key(folder), path, basis)
        codes = [part_codes.code(number, pieces) for number, pieces in enumerate(parts[1:], 1)]
        codes = [part_codes.first(parts[0], codes), *codes]
        head = [_MAGIC, len(parts).to_bytes(_NUMBER, "big")]
        head += [length.to_bytes(_NUMBER, "big") + code for length, code in zip(lengths, codes, strict=True)]
        with OpenFolder(folder) as opened:
            opened.put(opened.stage(chain(head, *parts), 0o600), name)
        _prune(folder)
    except OSError:
        return


def chosen_folder(named: str) -> str | None:
    """Return the folder of the cache: the one that the call names, or that of the user for an empty name.

    In CI, there is no cache unless the call names one: it would cost time, and the next job would not have it.
    """
    if named:
        return file_path.abspath(named)
    return None if os.environ.get("CI") else folder()


def refusal(folder: str, paths: Iterable[str]) -> str | None:
    """Return why a cache folder must not be used, as a clause about it, or ``None`` if it may be used.

    Its results would be believed, so nobody else may write them: neither other users, nor the authors of checked files.

    Args:
        folder: The folder of the cache, which may be missing.
        paths: Paths that the call reads. The current folder is always added.
    """
    from .walk import boundary

    real = file_path.join(file_path.realpath(folder), "")
    places = [file_path.realpath(path) for path in (*paths, os.curdir) if path != "-"]
    if any(real.startswith(file_path.join(boundary(place), "")) for place in places):
        return "lies in the checkout, where a forged one could stand"
    forged = "can be written by others, who could forge results"
    if os.path.isdir(real) and not _is_private(os.stat(real)):
        return forged
    # Whoever can write into a folder above can put another folder in its place, unless the sticky bit is set.
    above = [real[:at] for at, char in enumerate(real[:-1], 1) if char == "/" and os.path.isdir(real[:at])]
    modes = [os.stat(path).st_mode for path in above] if os.name == "posix" else []
    return forged if any(mode & 0o002 and not mode & stat.S_ISVTX for mode in modes) else None


def folder() -> str:
    """Return the folder of the user's caches: below ``XDG_CACHE_HOME`` if it is set, or else that of the system."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(base):
        return file_path.join(base, "mcpcfg")
    from platformdirs import user_cache_dir

    return user_cache_dir("mcpcfg", appauthor=False)


def clear() -> int:
    """Remove all caches and the key, and return the number of removed caches."""
    count = sum(_remove(path) for path, _ in _caches(folder()))
    _remove(file_path.join(folder(), _KEY))
    return count


class _Codes:
    """Computes the authentication codes of a cache file's parts from the key, the file's name and the basis."""

    def __init__(self, key: bytes, path: str, basis: bytes) -> None:
        self._begun = keyed(key, _CODE)
        self._begun.update(basis)
        self._begun.update(os.fsencode(os.path.basename(path)))

    def code(self, number: int, pieces: Iterable[bytes]) -> bytes:
        hasher = self._begun.copy()
        hasher.update(number.to_bytes(_NUMBER, "big"))
        for piece in pieces:
            hasher.update(piece)
        return hasher.digest()

    def first(self, pieces: Iterable[bytes], others: Sequence[bytes]) -> bytes:
        """Return the code of the first part, which covers the others: parts of different writes cannot be combined."""
        return self.code(0, (len(others).to_bytes(_NUMBER, "big"), *others, *pieces))


def _known_key(folder: str) -> bytes | None:
    try:
        with open(file_path.join(folder, _KEY), "rb") as file:
            status = os.fstat(file.fileno())
            if not (stat.S_ISREG(status.st_mode) and _is_private(status)):
                return None
            key = file.read(_KEY_BYTES + 1)
    except OSError:
        return None
    return key if len(key) == _KEY_BYTES else None


def _new_key(folder: str) -> bytes:
    """Write a new key, and return the key that is then in the file, because another process may have been faster."""
    with OpenFolder(folder) as opened:
        opened.put(opened.stage((os.urandom(_KEY_BYTES),), 0o600), _KEY)
    key = _known_key(folder)
    if key is None:
        raise OSError(folder)
    return key


def _is_private(status: os.stat_result) -> bool:
    """Return whether only the user can write a file or into a folder."""
    return not hasattr(os, "getuid") or (status.st_uid == os.getuid() and not status.st_mode & 0o022)


def _caches(folder: str) -> list[tuple[str, os.stat_result]]:
    """Return the path and the status of each cache file, newest first. A folder that users name may hold others."""
    try:
        with os.scandir(folder) as entries:
            caches = [
                (entry.path, entry.stat(follow_symlinks=False))
                for entry in entries
                if entry.is_file(follow_symlinks=False) and _NAME.fullmatch(entry.name)
            ]
    except OSError:
        return []
    return sorted(caches, key=lambda entry: -entry[1].st_mtime_ns)


def _prune(folder: str) -> None:
    size = 0
    for number, (path, status) in enumerate(_caches(folder)):
        size += status.st_size
        # The newest cache is kept regardless of its size.
        if number and (number >= _MOST_FILES or size > _MOST_BYTES):
            _remove(path)


def _remove(path: str) -> bool:
    try:
        os.unlink(path)
    except OSError:
        return False
    return True


def _number(head: bytes, at: int) -> int:
    return int.from_bytes(head[at : at + _NUMBER], "big")
