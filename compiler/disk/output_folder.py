"""Writing compiled files into a folder: whole files or none, and never outside it."""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING

from ..diagnostics.span import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

MANIFEST = ".mcpcfg-manifest"
"""Lists what mcpcfg wrote into the folder: only such files are ever removed."""


def write(folder: str, files: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """Make ``folder`` hold ``files``: changed ones are replaced atomically, unchanged ones keep their time stamps.

    Args:
        folder: Made where it does not exist.
        files: Path below the folder to text.

    Returns:
        The paths written and the paths removed, sorted. Removed is what an earlier call wrote and this one does not.

    Raises:
        InputError: A path leads outside the folder, also through a link, or cannot be written.
    """
    try:
        os.makedirs(folder, exist_ok=True)
        for path in files:
            _inside(folder, path)
        # Every path is checked before the first file is written.
        written = [path for path in sorted(files) if _replace(os.path.join(folder, path), files[path])]
        removed = [path for path in _manifest(folder) if path not in files and _remove(folder, path)]
        # Last: after an interruption the old manifest still lists what may have to be removed.
        _replace(os.path.join(folder, MANIFEST), "".join(f"{path}\n" for path in sorted(files)))
    except FileExistsError as error:
        raise InputError(f"cannot write to {folder}: {error.filename} is there already, and is no folder") from error
    except OSError as error:
        raise InputError(f"cannot write to {folder}: {error.filename or folder}: {error.strerror}") from error
    return written, removed


def differences(folder: str, files: Mapping[str, str]) -> list[str]:
    """Return, a line each, how ``folder`` differs from what ``write`` would make of it. Writes nothing."""
    found = []
    for path in sorted(files):
        present = _read(os.path.join(folder, path))
        if present is None:
            found.append(f"{path}: missing")
        elif present != files[path].encode():
            found.append(f"{path}: differs")
    found += [
        f"{path}: no longer compiled" for path in _manifest(folder) if path not in files and _exists(folder, path)
    ]
    return found


def content(folder: str, path: str) -> bytes | None:
    """Return what a file below ``folder`` holds, ``None`` where none can be read."""
    try:
        return _read(os.path.join(folder, path))
    except OSError:
        return None


def _inside(folder: str, path: str) -> None:
    root = os.path.realpath(folder)
    target = os.path.realpath(os.path.join(folder, path))
    if os.path.isabs(path) or os.path.commonpath([root, target]) != root or target == root:
        raise InputError(f"refusing to write outside {folder}: {path}")


def _replace(file: str, text: str) -> bool:
    """Write a file by way of a temporary one beside it; ``False`` where it already holds the text."""
    data = text.encode()
    if _read(file) == data:
        return False
    parent = os.path.dirname(file)
    os.makedirs(parent, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=parent, prefix=".mcpcfg-")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        # mkstemp makes a file that only its owner may read.
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, file)
    except BaseException:
        os.unlink(temporary)
        raise
    return True


def _umask() -> int:
    # The mask can only be read by setting it.
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _read(file: str) -> bytes | None:
    try:
        with open(file, "rb") as stream:
            return stream.read()
    except FileNotFoundError:
        return None


def _manifest(folder: str) -> list[str]:
    data = _read(os.path.join(folder, MANIFEST))
    # The text after the last line break is empty, and sorts first.
    return sorted(data.decode("utf-8", "replace").split("\n"))[1:] if data else []


def _exists(folder: str, path: str) -> bool:
    return os.path.isfile(os.path.join(folder, path))


def _remove(folder: str, path: str) -> bool:
    try:
        _inside(folder, path)
    except InputError:
        return False
    if not _exists(folder, path):
        return False
    os.unlink(os.path.join(folder, path))
    return True
