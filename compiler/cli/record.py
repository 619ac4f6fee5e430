"""Read records, and print them as the management API returns them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

import click

from ..check.full import Options, read
from ..diagnostics.secret.value import without_secrets
from ..diagnostics.shown import in_json, line
from ..diagnostics.span import InputError
from .call import find_project
from .option import FOLDER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ..check.full import Loaded
    from ..project.discovery import Project
    from ..reading.document import Document
    from ..records.registry.file import LoadedRegistry
    from ..records.registry.loss import Loss

Command = Any
BUILT_IN: Final = "mcpcfg"
"""Name of the registry that comes with mcpcfg, in place of a file."""


def format_option(function: Command) -> Command:
    """Add ``--format`` to a command, which gets ``format_``."""
    return click.option(
        "--format", "-f", "format_", type=click.Choice(["text", "json"]), default="text", help="Output format."
    )(function)


def home_options(function: Command) -> Command:
    """Add ``--home`` and ``--platform`` to a command."""
    home = click.option(
        "--home", type=FOLDER, metavar="DIR", help="Home folder of the user, from which the service derives paths."
    )
    platform = click.option(
        "--platform",
        type=click.Choice(["linux", "darwin", "windows"]),
        default="linux",
        help="Operating system, which determines the folders below the home folder.",
    )
    return home(platform(function))


def write(format_: str, data: Any, text: Callable[[Any], str]) -> None:
    """Print ``data`` without its secrets: as JSON if ``format_`` is ``json``, otherwise as ``text`` writes it."""
    shown = without_secrets(data)
    if format_ == "json":
        click.echo(in_json(as_json(shown)))
    else:
        click.echo(text(shown), nl=False)


def as_json(data: Any) -> str:
    """Return data as JSON that Go would write: whole numbers without a decimal point, and HTML characters escaped."""
    from ..golang.json import indented

    return indented(data)


def load(paths: tuple[str, ...], *, read_as: str | None = None, alone: bool = False) -> Loaded:
    """Read files, and return their resources and records.

    Args:
        read_as: Input kind of the first path; ``None`` to recognize it by its content.
        alone: True to read only these paths, without the surrounding project.

    Raises:
        click.ClickException: A file is not valid YAML or JSON.
    """
    return read_project(find_project(paths, alone=alone), paths, read_as=read_as)


def read_project(project: Project, paths: tuple[str, ...], *, read_as: str | None = None) -> Loaded:
    """Read the files of a project, and return their resources and records. See `load` for arguments and errors."""
    loaded = read(project, Options(read_as=read_as, first=paths[0] if paths else None))
    for finding in loaded.findings:
        if finding.stage == "syntax" and finding.severity == "error":
            span = finding.span
            raise click.ClickException(f"{span.file}:{span.line}:{span.column}: {finding.message}")
    return loaded


def document(path: str, kind: str) -> Document:
    """Return the first document of a file as a record of the kind, regardless of its content.

    Raises:
        InputError: The path is a folder.
        click.ClickException: The file is not valid YAML or JSON, or is empty.
    """
    if os.path.isdir(path):
        raise InputError(f"{path}: is a folder; name a file")
    documents = load((path,), read_as=kind, alone=True).records.get(kind)
    if not documents:
        raise click.ClickException(f"{path}: the file is empty")
    return documents[0]


def registry(path: str | None) -> LoadedRegistry:
    """Return the registry in a file, or the one that comes with mcpcfg if ``path`` is ``None``.

    Raises:
        click.ClickException: The file is not a registry, or the service cannot decode it.
    """
    if path is None:
        from ..records.registry.file import built_in_registry

        return built_in_registry()
    from ..simulate.answer.registry import registry as registry_of
    from ..simulate.answer.subject import QuestionError

    try:
        return registry_of(document(path, "registry"))
    except QuestionError as error:
        raise click.ClickException(str(error)) from None


def entry(path: str, given: Mapping[str, Any]) -> tuple[bool, dict[str, Any]]:
    """Return whether the server of a catalog record is remote, and the registry entry that the service makes of it.

    Raises:
        click.ClickException: The record has no package or remote that can be run.
    """
    from ..records.registry.convert import ConvertError, record_to_entry

    try:
        return record_to_entry(given)
    except ConvertError as error:
        raise click.ClickException(f"{path}: {error}") from None


def folder(path: str) -> str:
    """Return the path of a folder unchanged.

    Raises:
        InputError: The path is a file or does not exist.
    """
    if os.path.isdir(path):
        return path
    raise InputError(f"{path}: is a file; name a folder" if os.path.exists(path) else f"no such folder: {path}")


def report_losses(losses: Iterable[Loss]) -> None:
    """Print on standard error which fields a conversion loses, and why."""
    for loss in losses:
        path = "/".join(map(str, loss.path))
        click.echo(line(f"mcpcfg: lost: {f'{path}: ' if path else ''}{loss.message}"), err=True)
