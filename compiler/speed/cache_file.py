"""The files that caches are: in a folder of the user's own, made of parts with check sums, written at once or not.

A file that is damaged, or that another user could have written, counts as none. Check sums detect damage; the owner
of the file shows who wrote it.
"""

from __future__ import annotations

import os
import stat
import zlib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_MAGIC: Final = b"mcpcfg\x00\x08"
_NUMBER: Final = 8
_SUM: Final = 4
_START: Final = len(_MAGIC) + _NUMBER
_ENTRY: Final = _NUMBER + _SUM
_MOST_PARTS: Final = 8
_MOST_BYTES: Final = 512 * 1024 * 1024
"""Of one cache, and of all together: the oldest are removed."""
_MOST_FILES: Final = 64


def read(path: str, *, first_alone: bool = False) -> list[bytes] | None:
    """Read the parts of a file of ours, or the first alone; ``None`` where they are not as they were written."""
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
    written = [head[at + _NUMBER : at + _ENTRY] for at in range(0, len(head), _ENTRY)]
    if not parts or any(_sum(part) != own for part, own in zip(parts, written, strict=False)):
        return None
    return parts


def write(path: str, parts: Sequence[bytes]) -> None:
    """Write a file of ours at once, or not at all."""
    if sum(map(len, parts)) > _MOST_BYTES or len(parts) > _MOST_PARTS:
        return
    head = [_MAGIC, len(parts).to_bytes(_NUMBER, "big")]
    head += [len(part).to_bytes(_NUMBER, "big") + _sum(part) for part in parts]
    temporary = f"{path}.{os.getpid()}"
    try:
        if not _own_folder():
            return
        # O_EXCL: a link that lies under that name is not followed.
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.writelines((*head, *parts))
        os.replace(temporary, path)
        _prune()
    except OSError:
        _remove(temporary)


def folder() -> str:
    """Return the folder that holds the caches."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):
        base = os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "mcpcfg")


def clear() -> int:
    """Remove all caches; return how many there were."""
    return sum(_remove(path) for path, _ in _caches())


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
                (one.path, one.stat(follow_symlinks=False)) for one in entries if one.is_file(follow_symlinks=False)
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


def _sum(part: bytes) -> bytes:
    return zlib.crc32(part).to_bytes(_SUM, "big")


def _number(head: bytes, at: int) -> int:
    return int.from_bytes(head[at : at + _NUMBER], "big")
