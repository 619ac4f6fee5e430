"""Write files atomically: if writing fails, the old content remains."""

from __future__ import annotations

import os
import stat

from ..diagnostics import file_path
from ..diagnostics.span import InputError

_STREAMS = ("/dev/", "/proc/")


def write_file(file: str, text: str) -> None:
    """Replace the content of a file that the command line names. Lone surrogates are escaped. See `replace`.

    Raises:
        InputError: The file cannot be written.
    """
    write_bytes(file, text.encode("utf-8", "backslashreplace"))


def write_bytes(file: str, data: bytes) -> None:
    """Replace the content of a file, and report a failure as an `InputError`. See `replace`.

    Raises:
        InputError: The file or its folder cannot be written.
    """
    try:
        replace(file, data)
    except OSError as error:
        raise InputError(f"cannot write {file}: {reason(error)}") from error


def write_inside(folder: str, file: str, text: str) -> None:
    """Write a file of a project, and create the missing folders above the file.

    Args:
        folder: Folder of the project.
        file: Path of the file.
        text: The new text. Surrogates stand for the bytes that the old text could not decode.

    Raises:
        InputError: The file is outside of the folder, also through a link, or cannot be written.
    """
    from .walk import leads_out

    try:
        if leads_out(file, folder):
            raise InputError(f"{file} is outside of the project: it was not written")
        os.makedirs(os.path.dirname(file) or ".", exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot write {file}: {reason(error)}") from error
    write_bytes(file, text.encode("utf-8", "surrogateescape"))


def replace(file: str, data: bytes) -> None:
    """Replace the content of a file atomically, by renaming a temporary file. For a link, replace its target.

    The file keeps its mode; a new file gets the default mode of the process. Special files, such as a pipe or
    ``/dev/stdout``, are written directly.

    Raises:
        OSError: The file or its folder cannot be written. The old content is kept.
    """
    try:
        mode = os.stat(file).st_mode
    except FileNotFoundError:
        mode = stat.S_IFREG | (0o666 & ~_umask())
    if not stat.S_ISREG(mode) or file.startswith(_STREAMS):
        with open(file, "wb") as stream:
            stream.write(data)
        return
    import tempfile

    target = file_path.realpath(file)
    # In the same folder, because a rename is atomic only within one file system.
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(target), prefix=".mcpcfg-")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        # 0o7777 drops the type of the file from its mode.
        os.chmod(temporary, mode & 0o7777)
        os.replace(temporary, target)
    # BaseException: Ctrl-C must not leave a temporary file behind.
    except BaseException:
        os.unlink(temporary)
        raise


def reason(error: OSError) -> str:
    """Return the reason why a file operation failed, in lower case."""
    return (error.strerror or str(error)).lower()


def _umask() -> int:
    # The mask can only be read by setting it.
    mask = os.umask(0)
    os.umask(mask)
    return mask
