"""Writing a file whole or not at all, whatever interrupts it."""

from __future__ import annotations

import os
import stat

from ..diagnostics.span import InputError

_STREAMS = ("/dev/", "/proc/")


def write_file(file: str, text: str) -> None:
    """Write a file that the call names. See `replace`; a text that is no Unicode is escaped.

    Raises:
        InputError: It cannot be written.
    """
    try:
        replace(file, text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise InputError(f"cannot write {file}: {reason(error)}") from error


def replace(file: str, data: bytes) -> None:
    """Replace what a file holds at once, by way of a temporary one beside it; of a link, what it leads to.

    The file keeps its mode; a new one gets that of the process. What is no regular file, a pipe or ``/dev/stdout``, is
    written as it is.

    Raises:
        OSError: The file or its folder cannot be written; then the file is what it was.
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

    target = os.path.realpath(file)
    # In the folder of the file: only within one file system is the replacement atomic.
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(target), prefix=".mcpcfg-")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.chmod(temporary, mode & 0o7777)
        os.replace(temporary, target)
    # Ctrl-C too must leave no temporary file behind.
    except BaseException:
        os.unlink(temporary)
        raise


def reason(error: OSError) -> str:
    """Return why a file cannot be read or written, in a few words."""
    return (error.strerror or str(error)).lower()


def _umask() -> int:
    # The mask can only be read by setting it.
    mask = os.umask(0)
    os.umask(mask)
    return mask
