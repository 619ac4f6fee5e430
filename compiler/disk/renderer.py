"""Running kustomize and flux over folders that may be hostile.

What a kustomization names is not run and not fetched: neither gets flags for plugins, charts or files outside, a
`PATH` by which it would find Git, or a way to the network but a proxy that is not there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from typing import TYPE_CHECKING, Final

from ..diagnostics.span import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

_SECONDS: Final = 120
_LONGEST_REASON: Final = 400
_NO_PROXY: Final = "http://127.0.0.1:9"
_BLOCKED: Final = {
    name: _NO_PROXY for one in ("http", "https", "all") for name in (f"{one}_proxy", f"{one.upper()}_PROXY")
}


def find_program(name: str) -> str | None:
    """Return where a program is on the ``PATH``, ``None`` where it is not."""
    found = shutil.which(name)
    return None if found is None else os.path.abspath(found)


def output_of(program: str, arguments: Sequence[str]) -> bytes:
    """Return what a program writes to standard output.

    Args:
        program: Its path.
        arguments: Of the call.

    Raises:
        InputError: It fails, with the reason that it states, or does not end in time.
    """
    called = " ".join((os.path.basename(program), *arguments))
    with tempfile.TemporaryDirectory() as home:
        surroundings = {**_BLOCKED, "PATH": os.devnull, "HOME": home, "TMPDIR": home, "LC_ALL": "C"}
        try:
            done = subprocess.run(  # noqa: S603 - no shell; the program is the one that the user asks for
                [program, *arguments],
                check=False,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_SECONDS,
                env=surroundings,
            )
        except subprocess.TimeoutExpired as error:
            raise InputError(f"{called} did not end within {_SECONDS} seconds") from error
        except OSError as error:
            raise InputError(f"{called}: {error.strerror}") from error
    if done.returncode:
        reason = " ".join(done.stderr.decode("utf-8", "replace").split())
        raise InputError(f"{called} failed: {reason[:_LONGEST_REASON] or f'status {done.returncode}'}")
    return done.stdout
