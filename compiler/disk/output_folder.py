"""Write compiled files into a folder: all of them or none, and never outside the folder."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Final

from ..diagnostics import file_path
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.span import InputError
from .files import FoundFile, lies_in, read_file
from .output_file import opened, reason
from .stamp import digest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

MANIFEST = ".mcpcfg-manifest"
"""Name of the file that lists the files that mcpcfg wrote: on each line the digest of a text, and the path as JSON.

mcpcfg only removes files whose content still has the listed digest.
"""
_ENTRY: Final = r"([0-9a-f]{32}) (\".*\")"


class Written(NamedTuple):
    """The paths of the files that `write` changed, kept or removed, sorted and relative to the folder.

    Attributes:
        removed: Files of an earlier run that are no longer compiled.
        kept: Files of an earlier run that are no longer compiled but were changed by somebody else.
    """

    written: list[str]
    removed: list[str]
    kept: list[str]


def write(folder: str, files: Mapping[str, str]) -> Written:
    """Write ``files`` into ``folder``, and remove the files of earlier runs that are no longer compiled.

    Changed files are replaced atomically. Unchanged files keep their time stamps.

    Args:
        folder: The folder, created if it does not exist.
        files: Texts by path below the folder.

    Raises:
        InputError: A path is outside the folder, also through a link, or cannot be written.
    """
    texts = {path: text.encode() for path, text in files.items()}
    entries = {(path, digest(text).hex()) for path, text in texts.items()}
    try:
        os.makedirs(folder, exist_ok=True)
        # Every path is checked before the first file is written.
        for path in (*files, MANIFEST):
            _inside(folder, path)
        earlier = _manifest(folder)
        if entries - earlier:  # written first, so after an interruption it lists all files that may exist
            _replace(folder, MANIFEST, _as_text(earlier | entries))
        _refuse_spellings(folder, files)
        written = [path for path in sorted(files) if _replace(folder, path, texts[path])]
        stale = _stale(folder, files, earlier)
        removed = [path for path in stale if _remove(folder, path, earlier)]
        _replace(folder, MANIFEST, _as_text(entries))
    except FileExistsError as error:
        raise InputError(f"cannot write to {folder}: {error.filename} already exists, and is not a folder") from error
    except OSError as error:
        raise InputError(f"cannot write to {folder}: {error.filename or folder}: {reason(error)}") from error
    return Written(written, removed, [path for path in stale if path not in removed])


def replace_all(folder: str, files: Mapping[str, str]) -> None:
    """Write ``files`` into ``folder``, and leave all other files there.

    Raises:
        InputError: A path is outside of the folder, also through a link, or cannot be written.
    """
    try:
        os.makedirs(folder, exist_ok=True)
        for path, text in files.items():
            _replace(folder, path, text.encode())
    except OSError as error:
        raise InputError(f"cannot write {folder}: {reason(error)}") from error


def differences(folder: str, files: Mapping[str, str]) -> list[str]:
    """Return one line for each change that `write` would make in ``folder``, sorted by path. Nothing is written."""
    lines = []
    for path in sorted(files):
        try:
            present = _read(file_path.join(folder, path))
        except InputError as error:
            lines.append(str(error).removeprefix(file_path.join(folder, "")))
            continue
        if present is None:
            lines.append(f"{path}: missing")
        elif present != files[path].encode():
            lines.append(f"{path}: differs")
    try:
        earlier = _manifest(folder)
    except InputError as error:
        return [*lines, str(error).removeprefix(file_path.join(folder, ""))]
    stale = _stale(folder, files, earlier)
    return lines + [f"{path}: no longer compiled" for path in stale if _is_as_written(folder, path, earlier)]


def content(folder: str, path: str) -> bytes | None:
    """Return the content of a file below ``folder``, or ``None`` if it does not exist or cannot be read."""
    try:
        return _read(file_path.join(folder, path))
    except InputError:
        return None


def _inside(folder: str, path: str) -> None:
    root = file_path.realpath(folder)
    target = file_path.realpath(file_path.join(folder, path))
    if os.path.isabs(path) or not lies_in(target, root) or target == root:
        raise InputError(f"refusing to write outside {folder}: {path}")


def _refuse_spellings(folder: str, files: Iterable[str]) -> None:
    spelled: dict[str, str] = {}
    for path in sorted(files):
        other = spelled.setdefault(path.casefold(), path)
        if other != path and os.path.lexists(file_path.join(folder, MANIFEST.upper())):
            raise InputError(f"cannot write to {folder}: {other} and {path} are the same file on this file system")


def _stale(folder: str, files: Collection[str], earlier: set[tuple[str, str]]) -> list[str]:
    spelled = {path.casefold(): path for path in files}
    present = {path for path, _ in earlier if path not in files and _exists(folder, path)}
    return sorted(
        path
        for path in present
        if not file_path.is_same(file_path.join(folder, path), file_path.join(folder, spelled.get(path.casefold(), "")))
    )


def _replace(folder: str, path: str, data: bytes) -> bool:
    with opened(file_path.join(folder, path), (file_path.realpath(folder),), create=True) as (place, name):
        present, status = place.read(name) or (None, None)
        if present == data:
            return False
        place.put(place.stage((data,), status and status.st_mode), name)
    return True


def _remove(folder: str, path: str, earlier: set[tuple[str, str]]) -> bool:
    with opened(file_path.join(folder, path), (file_path.realpath(folder),)) as (place, name):
        present = place.read(name)
        is_as_written = present is not None and (path, digest(present[0]).hex()) in earlier
        if is_as_written:
            place.remove(name)
    return is_as_written


def _read(file: str) -> bytes | None:
    """Return the content of a file, or ``None`` if it does not exist."""
    if not os.path.lexists(file):
        return None
    text = read_file(FoundFile(file, is_named=True))
    return text if isinstance(text, bytes) else b""  # larger than any that is compiled


def _manifest(folder: str) -> set[tuple[str, str]]:
    """Return path and digest of each file that earlier runs wrote. Unreadable lines of the manifest are skipped."""
    data = _read(file_path.join(folder, MANIFEST)) or b""
    lines = re.findall(rf"(?m)^{_ENTRY}$", data.decode("ascii", "replace"))
    earlier = set()
    for sum_, quoted in lines:
        try:
            earlier.add((str(json.loads(quoted)), sum_))
        except ValueError:
            continue
    return earlier


def _as_text(entries: set[tuple[str, str]]) -> bytes:
    return "".join(f"{sum_} {json.dumps(path)}\n" for path, sum_ in sorted(entries)).encode()


def _exists(folder: str, path: str) -> bool:
    """Return whether ``path`` is a regular file inside the folder. It is false for links, which are never removed."""
    try:
        _inside(folder, path)
    except (InputError, ValueError):
        return False
    file = file_path.join(folder, path)
    return os.path.isfile(file) and not os.path.islink(file)


def _is_as_written(folder: str, path: str, earlier: set[tuple[str, str]]) -> bool:
    text = content(folder, path)
    return text is not None and (path, digest(text).hex()) in earlier
