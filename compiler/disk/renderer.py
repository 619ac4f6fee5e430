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
    from collections.abc import Iterable, Sequence

_SECONDS: Final = 120
_LONGEST_REASON: Final = 400
_NO_PROXY: Final = "http://127.0.0.1:9"
_BLOCKED: Final = {
    name: _NO_PROXY for one in ("http", "https", "all") for name in (f"{one}_proxy", f"{one.upper()}_PROXY")
}


_MOST_COPIED: Final = 64 * 1024 * 1024
"""Bytes of a folder of which a program gets a copy."""


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


def output_over_copy(program: str, arguments: Sequence[str], folder: str, beside: Iterable[str]) -> bytes:
    """Return what a program writes to standard output that may write into a folder, too: it gets a copy of that.

    Flux writes the kustomization of a folder anew while it builds that, and puts the old one back at the end.

    Args:
        program: Its path.
        arguments: Of the call, ``folder`` after ``--path``.
        folder: That is built.
        beside: Files and folders that go into it, and may lie outside of it.

    Raises:
        InputError: As of `output_of`; or the folder is too large.
    """
    whole = os.path.commonpath([os.path.abspath(one) for one in (folder, *beside)])
    with tempfile.TemporaryDirectory(prefix="mcpcfg-") as copy:
        _copy(whole if os.path.isdir(whole) else os.path.dirname(whole), copy)
        own = os.path.normpath(os.path.join(copy, os.path.relpath(os.path.abspath(folder), whole)))
        at = arguments.index("--path") + 1
        try:
            return output_of(program, [*arguments[:at], own, *arguments[at + 1 :]])
        except InputError as error:
            raise InputError(str(error).replace(own, folder).replace(copy, whole)) from None


def _copy(folder: str, into: str) -> None:
    """Copy the files of a folder: no links, and nothing of Git."""
    left = _MOST_COPIED
    for here, folders, files in os.walk(folder):
        folders[:] = sorted(one for one in folders if one != ".git" and not os.path.islink(os.path.join(here, one)))
        there = os.path.normpath(os.path.join(into, os.path.relpath(here, folder)))
        os.makedirs(there, exist_ok=True)
        for name in sorted(files):
            path = os.path.join(here, name)
            if os.path.isfile(path) and not os.path.islink(path):
                left -= os.path.getsize(path)
                if left < 0:
                    raise InputError(f"{folder} holds more than {_MOST_COPIED:,} bytes, and flux builds a copy of it")
                shutil.copyfile(path, os.path.join(there, name))
