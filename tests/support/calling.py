"""Calls of the program, as the shell makes them, within this process."""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from unittest import mock

from mcpcfg.compiler.cli.main import main

if TYPE_CHECKING:
    from collections.abc import Iterator

CHECKOUT = Path(__file__).parents[2]


class Outcome(NamedTuple):
    """How a call ended."""

    status: int
    out: str
    err: str


def call(*args: str, stdin: str = "") -> Outcome:
    """Call the program. If it reads standard input, the checkout is not the project around that."""
    written = io.BytesIO()
    out, err = io.TextIOWrapper(written, encoding="utf-8", newline="", write_through=True), io.StringIO()
    given = io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
    with contextlib.ExitStack() as stack:
        if "-" in args and Path.cwd() == CHECKOUT:
            stack.enter_context(contextlib.chdir(stack.enter_context(tempfile.TemporaryDirectory())))
        stack.enter_context(contextlib.redirect_stdout(out))
        stack.enter_context(contextlib.redirect_stderr(err))
        stack.enter_context(mock.patch.object(sys, "stdin", given))
        status = _status(list(args))
    return Outcome(status, written.getvalue().decode("utf-8", "surrogateescape"), err.getvalue())


def _status(args: list[str]) -> int:
    try:
        main(args)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    return 0


def lines(text: str) -> Iterator[str]:
    """Yield the lines that are not empty."""
    return (line for line in text.splitlines() if line.strip())
