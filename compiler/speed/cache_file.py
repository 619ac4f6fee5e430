"""The files that caches are: in a folder of the user's own, made of authenticated parts, written at once or not.

A file that is damaged, or that another user could have written, counts as none. Each part has a code made with a key
that lies in the same folder: what that does not authenticate is not returned, and so never decoded.
"""

from __future__ import annotations

import os
import stat
from itertools import chain
from typing import TYPE_CHECKING, Final

from ..disk.stamp import keyed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MAGIC: Final = b"mcpcfg\x00\x0a"
_NUMBER: Final = 8
_CODE: Final = 32
_START: Final = len(_MAGIC) + _NUMBER
_ENTRY: Final = _NUMBER + _CODE
_KEY: Final = "key"
_KEY_BYTES: Final = 32
_MOST_PARTS: Final = 8
_MOST_BYTES: Final = 512 * 1024 * 1024
"""Of one cache, and of all together: the oldest are removed."""
_MOST_FILES: Final = 64


def read(path: str, basis: bytes, *, first_alone: bool = False) -> list[bytes] | None:
    """Read the parts of a file of ours, or the first alone; ``None`` where they are not as they were written.

    Args:
        path: The file.
        basis: What they were written for; for anything else there are none.
        first_alone: Whether only the first part is read.
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
            # The length is compared before a part is read: a forged one cannot ask for much memory.
            if len(head) != count * _ENTRY or sum(lengths) + _START + len(head) != status.st_size:
                return None
            parts = [file.read(length) for length in (lengths[:1] if first_alone else lengths)]
    except OSError:
        return None
    codes = [head[at + _NUMBER : at + _ENTRY] for at in range(0, len(head), _ENTRY)]
    own = _Codes(key, path, basis)
    if not parts or own.first(parts[:1], codes[1:]) != codes[0]:
        return None
    others = enumerate(zip(parts[1:], codes[1:], strict=False), 1)
    return parts if all(own.code(number, [part]) == code for number, (part, code) in others) else None


def write(path: str, basis: bytes, parts: Sequence[Sequence[bytes]]) -> None:
    """Write a file of ours at once, or not at all. Arguments as of `read`.

    There is at least one part. Each comes in pieces: to join those of a large one would double it in memory.
    """
    lengths = [sum(map(len, pieces)) for pieces in parts]
    if sum(lengths) > _MOST_BYTES or len(parts) > _MOST_PARTS:
        return
    temporary = f"{path}.{os.getpid()}"
    try:
        if not _own_folder():
            return
        own = _Codes(_known_key() or _new_key(), path, basis)
        codes = [own.code(number, pieces) for number, pieces in enumerate(parts[1:], 1)]
        codes = [own.first(parts[0], codes), *codes]
        head = [_MAGIC, len(parts).to_bytes(_NUMBER, "big")]
        head += [length.to_bytes(_NUMBER, "big") + code for length, code in zip(lengths, codes, strict=True)]
        # O_EXCL: a link that lies under that name is not followed.
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(chain(head, *parts))
        os.replace(temporary, path)
        _prune()
    except OSError:
        _remove(temporary)


def folder() -> str:
    """Return the folder that holds the caches: in ``XDG_CACHE_HOME`` on every system, else in the system's place."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(base):
        return os.path.join(base, "mcpcfg")
    from platformdirs import user_cache_dir

    return user_cache_dir("mcpcfg", appauthor=False)


def clear() -> int:
    """Remove all caches, and the key; return how many caches there were."""
    count = sum(_remove(path) for path, _ in _caches())
    _remove(os.path.join(folder(), _KEY))
    return count


class _Codes:
    """Makes the codes of the parts of one file: of another file, or for another basis, they are others."""

    def __init__(self, key: bytes, path: str, basis: bytes) -> None:
        self._begun = keyed(key, _CODE)
        self._begun.update(basis)
        self._begun.update(os.fsencode(os.path.basename(path)))

    def code(self, number: int, pieces: Iterable[bytes]) -> bytes:
        made = self._begun.copy()
        made.update(number.to_bytes(_NUMBER, "big"))
        for piece in pieces:
            made.update(piece)
        return made.digest()

    def first(self, pieces: Iterable[bytes], others: Sequence[bytes]) -> bytes:
        """Return the code of the first part, which stands for the others too: all are of one writing."""
        return self.code(0, (len(others).to_bytes(_NUMBER, "big"), *others, *pieces))


def _known_key() -> bytes | None:
    """Return the user's key; ``None`` where there is none, or one that another user could have written."""
    try:
        with open(os.path.join(folder(), _KEY), "rb") as file:
            status = os.fstat(file.fileno())
            if not (stat.S_ISREG(status.st_mode) and _is_ours(status)):
                return None
            key = file.read(_KEY_BYTES + 1)
    except OSError:
        return None
    return key if len(key) == _KEY_BYTES else None


def _new_key() -> bytes:
    """Write a new key, and return the one that is there then: another process may have been faster."""
    path = os.path.join(folder(), _KEY)
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
    """Create the folder; return whether it is the user's own, closed to others."""
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
    """List the files of the folder, the newest first."""
    try:
        with os.scandir(folder()) as entries:
            found = [
                (one.path, one.stat(follow_symlinks=False))
                for one in entries
                if one.is_file(follow_symlinks=False) and one.name != _KEY
            ]
    except OSError:
        return []
    return sorted(found, key=lambda one: -one[1].st_mtime_ns)


def _prune() -> None:
    size = 0
    for number, (path, status) in enumerate(_caches()):
        size += status.st_size
        # The newest stays, however large it is.
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
