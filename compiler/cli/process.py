"""The start and end of the process, which save a few milliseconds."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress
from io import TextIOWrapper

from ..diagnostics.version import VERSION
from .status import GONE, WRONG


def run() -> None:
    """Run the program on the arguments of the process, and end the process.

    The collector of reference cycles is off: a call makes hardly any, and the search takes a fifth of its time. Memory
    is not freed at the end.
    """
    _settle_streams()
    if sys.argv[1:] == ["--version"]:
        os._exit(_write_and_flush(f"mcpcfg {VERSION}\n", 0))
    if "--watch" not in sys.argv and sys.argv[1:2] not in (["lsp"], ["mcp"]):  # these run for days
        gc.disable()
    from .main import main

    status = 0
    try:
        main()
    except SystemExit as leaving:
        status = leaving.code if isinstance(leaving.code, int) else 0
    os._exit(_write_and_flush("", status))


def _settle_streams() -> None:
    """Set the encodings of the standard streams, so that printing a text cannot fail.

    If it does not go to a terminal, output is UTF-8 in every locale: programs read it, and the same input gives the
    same bytes. Characters that the encoding of a terminal does not have are escaped.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:  # closed: the next open() would reuse its number
            # Writes to standard output then fail. Writes to standard error are dropped.
            descriptor = os.open(os.devnull, os.O_RDWR if name == "stderr" else os.O_RDONLY)
            if descriptor != number:
                os.dup2(descriptor, number)
                os.close(descriptor)
            if number:
                setattr(sys, name, os.fdopen(number, "w", encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            encoding = stream.encoding if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace", newline="\n")


def _write_and_flush(text: str, status: int) -> int:
    """Write a text and flush the streams. Return the exit status."""
    try:
        if text:  # on a full disk, even an empty write fails
            sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has closed the pipe
        status = status or GONE
    except (OSError, ValueError) as error:
        if status != WRONG:  # otherwise already reported
            reason = getattr(error, "strerror", None) or error
            with suppress(OSError, ValueError):
                sys.stderr.write(f"mcpcfg: cannot write to standard output: {str(reason).lower()}\n")
        status = WRONG
    with suppress(OSError, ValueError):
        sys.stderr.flush()
    return status
