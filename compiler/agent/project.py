"""Read and check the files of a tool call. They must be below the root of the server, which is its current folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from .. import api
from ..diagnostics import file_path
from ..diagnostics.span import InputError
from ..disk.confinement import may_be_read
from ..project.settings import Options

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..check.full import Report

Arguments = dict[str, Any]
"""The arguments of a tool call, as its schema allows them."""
_LONGEST_PATH: Final = 4096
"""Maximum characters of a path, as on Linux. Paths are kept in memory after a call."""


def inside(path: str) -> str:
    """Return a path of a tool call relative to the root.

    The result is never ``-``, so no path means standard input.

    Raises:
        InputError: The path, or the file that it links to, is outside of the root, or in Git's folder.
    """
    if len(path) > _LONGEST_PATH:
        raise InputError(f"a path has more than {_LONGEST_PATH} characters")
    if "\0" in path or file_path.is_remote(path) or not may_be_read(path):
        raise InputError(f"{path}: it is outside of the root of this server; name a file below it, relative to it")
    return file_path.relpath(path)


def texts(arguments: Arguments) -> dict[str, str]:
    """Return the texts of a tool call by file name.

    Raises:
        InputError: A name is outside of the root.
    """
    files: Mapping[str, str] = arguments.get("files") or {}
    return {inside(name): text for name, text in files.items()}


def checked(arguments: Arguments, *, base: str = ".") -> Report:
    """Check the paths and texts of a tool call.

    Args:
        arguments: Paths, files and options of the call.
        base: Path to read if the call has neither paths nor files.

    Raises:
        InputError: A path is outside of the root or cannot be read, or the configuration is invalid.
        ValueError: An option has an invalid value.
    """
    files = texts(arguments)
    paths = [inside(path) for path in arguments.get("paths") or ([] if files else [base])]
    options = Options(
        closed=arguments.get("closed", False),
        namespace=arguments.get("namespace"),
        release=arguments.get("release"),
        read_as=arguments.get("kind"),
    )
    return api.check(*paths, files=files or None, options=options)
