"""Write files whole or not at all: if writing fails, the old content remains."""

from __future__ import annotations

import os
import stat
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Final

from ..diagnostics import file_path
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.span import InputError
from .confinement import Place, place_of
from .open_folder import OpenFolder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_STREAMS: Final = ("/dev/", "/proc/")


class Change(NamedTuple):
    """The change of a file.

    Attributes:
        before: The content that the file had when it was read; ``None`` for a new file.
        after: The new content.
    """

    before: bytes | None
    after: bytes


class ChangedError(InputError):
    """A file is no longer what it was when the change was planned. Nothing was written."""


def write_file(file: str, text: str) -> None:
    """Replace the content of a file that the command line names. Lone surrogates are escaped.

    For a link, its target is replaced. The file keeps its mode; a new file gets the default mode of the process.
    Special files, such as a pipe or ``/dev/stdout``, are written directly.

    Raises:
        InputError: The file cannot be written. The old content is kept.
    """
    data = text.encode("utf-8", "backslashreplace")
    try:
        present = os.stat(file) if os.path.exists(file) else None
        if file.startswith(_STREAMS) or not (present is None or stat.S_ISREG(present.st_mode)):
            with open(file, "wb") as stream:
                stream.write(data)
            return
        target = file_path.realpath(file)
        with OpenFolder(os.path.dirname(target)) as folder:
            folder.put(folder.stage((data,), present and present.st_mode), os.path.basename(target))
    except OSError as error:
        raise InputError(f"cannot write {file}: {reason(error)}") from error


def write_changes(changes: Mapping[str, Change], within: Iterable[str]) -> None:
    """Write files of a project, all of them or none, and create the missing folders above them.

    Every file is judged before the first is written. Links that exist now are followed, if they stay in the folders. A
    link that appears afterwards is never followed; see `OpenFolder`.

    Args:
        within: Folders that all files must be in, with all links resolved. Files in ``.git`` are refused.

    Raises:
        ChangedError: A file is not what its change begins with.
        InputError: A file is outside of the folders, also through a link, or cannot be written.
    """
    places = {file: _own_place(file, within, is_new=change.before is None) for file, change in changes.items()}
    folders: dict[str, OpenFolder] = {}
    staged: dict[str, str] = {}
    with ExitStack() as stack:
        # In the same order in every process, so that none waits for another that waits for it.
        for file, place in sorted(places.items(), key=lambda item: item[1]):
            if place.folder not in folders:
                with _reported(file):
                    folders[place.folder] = stack.enter_context(OpenFolder(place.top, place.steps, create=True))
                    folders[place.folder].lock()
        for file, change in changes.items():
            with _reported(file):
                present, status = folders[places[file].folder].read(places[file].name) or (None, None)
                if present != change.before:
                    raise ChangedError(f"{file} has changed since it was read: nothing was written")
                staged[file] = folders[places[file].folder].stage((change.after,), status and status.st_mode)
        _put(changes, [(file, folders[places[file].folder], staged[file], places[file].name) for file in staged])


def _put(changes: Mapping[str, Change], staged: list[tuple[str, OpenFolder, str, str]]) -> None:
    """Give the temporary files their names: new files first, because the others may refer to them."""
    with ExitStack() as undo:
        for file, folder, temporary, name in sorted(staged, key=lambda item: changes[item[0]].before is not None):
            is_new = changes[file].before is None
            with _reported(file):
                folder.put(temporary, name, is_new=is_new)
            if is_new:
                undo.callback(folder.remove, name)
        undo.pop_all()


@contextmanager
def opened(file: str, within: Iterable[str], *, create: bool = False) -> Iterator[tuple[OpenFolder, str]]:
    """Open the folder of a file for one read or write, and yield it with the name of the file in it.

    Args:
        file: Path of the file. Links are followed if they stay in the folders.
        within: Folders that the file must be in, with all links resolved.
        create: True to create missing folders.

    Raises:
        InputError: The file is outside of the folders.
        OSError: A folder cannot be opened.
    """
    place = _own_place(file, within, is_new=not os.path.lexists(file))
    with OpenFolder(place.top, place.steps, create=create) as folder:
        yield folder, place.name


def read_inside(file: str, within: Iterable[str]) -> bytes | None:
    """Return the content of a file as `write_changes` compares it, or ``None`` if the file does not exist.

    Raises:
        InputError: The file is outside of the folders, also through a link, or cannot be read.
    """
    try:
        with opened(file, within) as (folder, name):
            present = folder.read(name)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"{file}: {reason(error)}") from error
    return None if present is None else present[0]


def _own_place(file: str, within: Iterable[str], *, is_new: bool) -> Place:
    place = place_of(file, within, is_new=is_new)
    if place is None:
        raise InputError(f"{file} is outside of the project: nothing was written")
    return place


@contextmanager
def _reported(file: str) -> Iterator[None]:
    try:
        yield
    except FileExistsError as error:
        raise ChangedError(f"{file} is there already: nothing was written") from error
    except OSError as error:
        raise InputError(f"cannot write {file}: {reason(error)}") from error


def reason(error: OSError) -> str:
    """Return the reason why a file operation failed, in lower case."""
    return (error.strerror or str(error)).lower()
