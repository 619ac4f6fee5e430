"""Writing compiled files into a folder: whole files or none, and never outside it."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from ..diagnostics.span import InputError
from .files import FoundFile, open_file
from .output_file import reason, replace
from .stamp import digest

if TYPE_CHECKING:
    from collections.abc import Mapping

MANIFEST = ".mcpcfg-manifest"
"""Lists what mcpcfg wrote into the folder, a line each: the digest of the text, and the path as JSON. Only a file that
still holds such a text is ever removed.
"""
_ENTRY: Final = r"([0-9a-f]{32}) (\".*\")"


class Written(NamedTuple):
    """What writing has changed: paths below the folder, sorted.

    Attributes:
        written: Files that were written.
        removed: Files that an earlier call wrote and this one does not.
        kept: Files that an earlier call wrote, and that somebody has changed since.
    """

    written: list[str]
    removed: list[str]
    kept: list[str]


def write(folder: str, files: Mapping[str, str]) -> Written:
    """Make ``folder`` hold ``files``: changed ones are replaced atomically, unchanged ones keep their time stamps.

    Args:
        folder: Made where it does not exist.
        files: Path below the folder to text.

    Raises:
        InputError: A path leads outside the folder, also through a link, or cannot be written.
    """
    texts = {path: text.encode() for path, text in files.items()}
    entries = {(path, digest(text).hex()) for path, text in texts.items()}
    try:
        os.makedirs(folder, exist_ok=True)
        # Every path is checked before the first file is written.
        for path in (*files, MANIFEST):
            _inside(folder, path)
        known = _manifest(folder)
        if entries - known:  # first, with what was known: after an interruption it lists all that there may be
            _replace(folder, MANIFEST, _as_text(known | entries))
        written = [path for path in sorted(files) if _replace(folder, path, texts[path])]
        stale = sorted({path for path, _ in known if path not in files and _exists(folder, path)})
        removed = [path for path in stale if _is_as_written(folder, path, known)]
        for path in removed:
            os.unlink(os.path.join(folder, path))
        _replace(folder, MANIFEST, _as_text(entries))
    except FileExistsError as error:
        raise InputError(f"cannot write to {folder}: {error.filename} already exists, and is not a folder") from error
    except OSError as error:
        raise InputError(f"cannot write to {folder}: {error.filename or folder}: {reason(error)}") from error
    return Written(written, removed, [path for path in stale if path not in removed])


def differences(folder: str, files: Mapping[str, str]) -> list[str]:
    """Return, a line each, how ``folder`` differs from what ``write`` would make of it. Writes nothing."""
    found = []
    for path in sorted(files):
        try:
            present = _read(os.path.join(folder, path))
        except InputError as error:
            found.append(str(error).removeprefix(os.path.join(folder, "")))
            continue
        if present is None:
            found.append(f"{path}: missing")
        elif present != files[path].encode():
            found.append(f"{path}: differs")
    try:
        known = _manifest(folder)
    except InputError as error:
        return [*found, str(error).removeprefix(os.path.join(folder, ""))]
    stale = sorted({path for path, _ in known if path not in files and _exists(folder, path)})
    return found + [f"{path}: no longer compiled" for path in stale if _is_as_written(folder, path, known)]


def content(folder: str, path: str) -> bytes | None:
    """Return what a file below ``folder`` holds, ``None`` where none can be read."""
    try:
        return _read(os.path.join(folder, path))
    except InputError:
        return None


def _inside(folder: str, path: str) -> None:
    root = os.path.realpath(folder)
    target = os.path.realpath(os.path.join(folder, path))
    if os.path.isabs(path) or os.path.commonpath([root, target]) != root or target == root:
        raise InputError(f"refusing to write outside {folder}: {path}")


def _replace(folder: str, path: str, data: bytes) -> bool:
    """Write a file; ``False`` where it already holds the text."""
    file = os.path.join(folder, path)
    if _read(file) == data:
        return False
    os.makedirs(os.path.dirname(file), exist_ok=True)
    replace(file, data)
    return True


def _read(file: str) -> bytes | None:
    """Return what a file holds; ``None`` where there is none.

    Raises:
        InputError: Something else is in its place, or it cannot be read.
    """
    if not os.path.lexists(file):
        return None
    text, _ = open_file(FoundFile(file, is_named=True))
    return text if isinstance(text, bytes) else b""  # larger than any that is compiled


def _manifest(folder: str) -> set[tuple[str, str]]:
    """Return what earlier calls wrote into the folder: paths, and the digests of their texts."""
    data = _read(os.path.join(folder, MANIFEST)) or b""
    found = re.findall(rf"(?m)^{_ENTRY}$", data.decode("ascii", "replace"))
    known = set()
    for sum_, quoted in found:
        try:
            known.add((str(json.loads(quoted)), sum_))
        except ValueError:
            continue
    return known


def _as_text(entries: set[tuple[str, str]]) -> bytes:
    return "".join(f"{sum_} {json.dumps(path)}\n" for path, sum_ in sorted(entries)).encode()


def _exists(folder: str, path: str) -> bool:
    """Return whether there is a regular file of ours: links and what they lead to are never removed."""
    try:
        _inside(folder, path)
    except (InputError, ValueError):
        return False
    file = os.path.join(folder, path)
    return os.path.isfile(file) and not os.path.islink(file)


def _is_as_written(folder: str, path: str, known: set[tuple[str, str]]) -> bool:
    text = content(folder, path)
    return text is not None and (path, digest(text).hex()) in known
