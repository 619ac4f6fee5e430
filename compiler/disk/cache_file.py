"""Cache files: authenticated parts in a folder of the user, written atomically.

A file that is damaged, or writable by another user, is ignored. Each part has an authentication code, made with a key
in the same folder. If a code is wrong, no part is returned, so nothing is decoded.
"""

from __future__ import annotations

import os
import stat
from itertools import chain
from typing import TYPE_CHECKING, Final

from ..diagnostics import file_path
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
    key = _known_key()
    if key is None:
        return None
    try:
        with open(path, "rb") as file:
            status = os.fstat(file.fileno())
            if not (stat.S_ISREG(status.st_mode) and _is_ours(status)):
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
    temporary = f"{path}.{os.getpid()}"
    try:
        if not _own_folder():
            return
        part_codes = _Codes(_known_key() or _new_key(), path, basis)
        codes = [part_codes.code(number, pieces) for number, pieces in enumerate(parts[1:], 1)]
        codes = [part_codes.first(parts[0], codes), *codes]
        head = [_MAGIC, len(parts).to_bytes(_NUMBER, "big")]
        head += [length.to_bytes(_NUMBER, "big") + code for length, code in zip(lengths, codes, strict=True)]
        # O_EXCL: an existing link of that name must not be followed.
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(chain(head, *parts))
        os.replace(temporary, path)
        _prune()
    except OSError:
        _remove(temporary)


def folder() -> str:
    """Return the folder of the caches: below ``XDG_CACHE_HOME`` if it is set, or else the system's cache folder."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(base):
        return file_path.join(base, "mcpcfg")
    from platformdirs import user_cache_dir

    return user_cache_dir("mcpcfg", appauthor=False)


def clear() -> int:
    """Remove all caches and the key, and return the number of removed caches."""
    count = sum(_remove(path) for path, _ in _caches())
    _remove(file_path.join(folder(), _KEY))
    return count


class _Codes:
    """Computes the authentication codes of a cache file's parts.

    The codes depend on the key, the name of the file and the basis.
    """

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
        """Return the authentication code of the first part.

        It covers the codes of the other parts, so parts of different writes cannot be combined.
        """
        return self.code(0, (len(others).to_bytes(_NUMBER, "big"), *others, *pieces))


def _known_key() -> bytes | None:
    """Return the user's key, or ``None`` if it is missing or another user could have written it."""
    try:
        with open(file_path.join(folder(), _KEY), "rb") as file:
            status = os.fstat(file.fileno())
            if not (stat.S_ISREG(status.st_mode) and _is_ours(status)):
                return None
            key = file.read(_KEY_BYTES + 1)
    except OSError:
        return None
    return key if len(key) == _KEY_BYTES else None


def _new_key() -> bytes:
    """Write a new key, and return the key that is then in the file, because another process may have been faster."""
    path = file_path.join(folder(), _KEY)
    temporary = f"{path}.{os.getpid()}"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(os.urandom(_KEY_BYTES))
    os.replace(temporary, path)
    key = _known_key()
    if key is None:
        raise OSError(path)
    return key


def _own_folder() -> bool:
    """Create the folder of the caches if it is missing, and return whether it belongs to the user.

    Also remove the permissions of other users.
    """
    path = folder()
    os.makedirs(os.path.dirname(path), exist_ok=True)
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:
        status = os.lstat(path)
        if not (stat.S_ISDIR(status.st_mode) and _is_ours(status)):
            return False
        if status.st_mode & 0o077 and os.name == "posix":
            os.chmod(path, 0o700)
    return True


def _is_ours(status: os.stat_result) -> bool:
    return not hasattr(os, "getuid") or status.st_uid == os.getuid()


def _caches() -> list[tuple[str, os.stat_result]]:
    try:
        with os.scandir(folder()) as entries:
            caches = [
                (entry.path, entry.stat(follow_symlinks=False))
                for entry in entries
                if entry.is_file(follow_symlinks=False) and entry.name != _KEY
            ]
    except OSError:
        return []
    return sorted(caches, key=lambda entry: -entry[1].st_mtime_ns)


def _prune() -> None:
    size = 0
    for number, (path, status) in enumerate(_caches()):
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
