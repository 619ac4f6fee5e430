"""Start and end the process in a way that saves a few milliseconds."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress
from io import TextIOWrapper

from ..diagnostics.version import VERSION
from .status import GONE, WRONG


def run() -> None:
    """Run mcpcfg with the arguments of the process, and end the process without freeing its memory.

    Commands that run for days collect garbage as usual. For the others, the collector is off: they make hardly any
    reference cycles, and the search for them would take a fifth of their time.
    """
    _settle_streams()
    if sys.argv[1:] == ["--version"]:
        os._exit(_write_and_flush(f"mcpcfg {VERSION}\n", 0))
    if "--watch" not in sys.argv and sys.argv[1:2] not in (["lsp"], ["mcp"]):  # these run for days
        gc.disable()
    from .postponed import import_click

    import_click()
    from .main import main

    status = 0
    try:
        main()
    except SystemExit as leaving:
        status = leaving.code if isinstance(leaving.code, int) else 0
    os._exit(_write_and_flush("", status))


def _settle_streams() -> None:
    """Set the encodings of the standard streams so that every character can be printed, and open closed streams.

    Files and pipes get UTF-8 in every locale, so the same input gives the same bytes. On a terminal, characters that
    its encoding does not have are escaped.
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
    """Write ``text`` to standard output and flush it. Return ``status``, or another exit status if that fails."""
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
