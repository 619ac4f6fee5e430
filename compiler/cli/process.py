"""The program as a process of its own: how it starts and ends, where a few milliseconds are all there is to save."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress
from io import TextIOWrapper

from ..diagnostics.version import READ, RELEASE, VERSION
from .status import GONE, WRONG


def run() -> None:
    """Run the program on the arguments of the process, and end the process.

    The collector of reference cycles is off: a call makes none worth the fifth of its time that looking for them takes.
    At the end nothing is taken apart; the memory goes back to the system as it is.
    """
    _settle_streams()
    if sys.argv[1:] == ["--version"]:
        os._exit(_written(f"mcpcfg, for operator releases {RELEASE} to {READ}, version {VERSION}\n", 0))
    if "--watch" not in sys.argv and sys.argv[1:2] != ["lsp"]:  # which go on for days
        gc.disable()
    from .main import main

    status = 0
    try:
        main()
    except SystemExit as leaving:
        status = leaving.code if isinstance(leaving.code, int) else 0
    os._exit(_written("", status))


def _settle_streams() -> None:
    """Make the streams such that nothing fails for their sake but writing itself.

    What does not go to a terminal is UTF-8, whatever the locale: programs read it, and the same input makes the same
    bytes. What the encoding of a terminal cannot express is escaped.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:  # closed: the next file to be opened would be taken for it
            # Writing to standard output fails then; what cannot be reported is not.
            held = os.open(os.devnull, os.O_RDWR if name == "stderr" else os.O_RDONLY)
            if held != number:
                os.dup2(held, number)
                os.close(held)
            if number:
                setattr(sys, name, os.fdopen(number, "w", encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            encoding = stream.encoding if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace")


def _written(text: str, status: int) -> int:
    """Write a text and what is still held back; return the exit status."""
    try:
        if text:  # an empty one is refused by a full disk too
            sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has gone
        status = status or GONE
    except (OSError, ValueError) as error:
        if status != WRONG:  # else the call has reported it
            reason = getattr(error, "strerror", None) or error
            with suppress(OSError, ValueError):
                sys.stderr.write(f"mcpcfg: cannot write to standard output: {str(reason).lower()}\n")
        status = WRONG
    with suppress(OSError, ValueError):
        sys.stderr.flush()
    return status
