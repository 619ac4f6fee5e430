"""A call that is made again when nothing has changed says what it said last time."""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcpcfg.compiler.intake.cache import Cache


def repeated(cache: Cache, call: tuple[object, ...], tell: Callable[[], int]) -> int:
    """Say what the same call said about the same outcome, and give its exit status.

    Args:
        cache: Where the outcome is kept.
        call: All that decides what is said, beside the outcome.
        tell: Says it, on standard output and standard error, and gives the exit status.
    """
    name = repr(call)
    said: Any = cache.said(name)
    if said is None:
        output, errors = io.StringIO(), io.StringIO()
        with redirect_stdout(output), redirect_stderr(errors):
            status = tell()
        said = (output.getvalue(), errors.getvalue(), status)
        cache.say(name, said)
    sys.stdout.write(said[0])
    sys.stdout.flush()
    sys.stderr.write(said[1])
    return int(said[2])
