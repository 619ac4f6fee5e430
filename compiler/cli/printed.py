"""What a call prints, and the one place that prints it."""

from __future__ import annotations

import sys
from typing import TypeAlias

from ..diagnostics.timing import clear

Printed: TypeAlias = tuple[str, str, int]
"""What goes to standard output, what goes to standard error, and the exit status."""


def write(printed: Printed, *, to_stderr: bool = False) -> int:
    """Write what a call prints; return the exit status.

    Args:
        printed: What it prints.
        to_stderr: Whether all goes to standard error: standard output is taken.
    """
    text, errors, status = printed
    clear()
    stream = sys.stderr if to_stderr else sys.stdout
    stream.write(text)
    stream.flush()
    sys.stderr.write(errors)
    return status
