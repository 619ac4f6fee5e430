"""Read the settings of a server from a registry file, for ``mcpcfg add --from-registry``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..diagnostics.shown import line
from ..records.registry.file import built_in_registry
from ..records.registry.query import NoSuchServerError, find_server
from . import record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..check.full import Report
    from ..records.registry.file import LoadedRegistry


def server_settings(name: str, file: str | None, report: Report, *, is_remote: bool) -> dict[str, Any]:
    """Return the settings of a server: ``image`` or ``url``, ``transport``, ``port``, ``args``, ``env``, ``secrets``.

    Unset settings are missing. ``env`` maps each required variable that is not secret to its default or ``None``.
    ``secrets`` lists the names of the required secret variables. Required headers of a remote server are only printed.

    Args:
        file: Path of the registry file. ``None`` to search those of the project and the one that comes with mcpcfg.
        is_remote: True if the server must be remote, false if it must be a container.

    Raises:
        click.ClickException: No registry has the server, the name is ambiguous, or the server is not of that type.
    """
    sides: list[bool] = []
    for registry in _registries(file, report):
        try:
            remote, entry = find_server(registry, name)
        except NoSuchServerError as error:
            if error.names:
                raise click.ClickException(f"--from-registry: {error}") from None
            continue
        sides.append(remote)
        if remote == is_remote:
            return _remote(entry) if remote else _container(entry)
    if sides:
        hint = "add it as an MCPRemoteProxy or MCPServerEntry" if sides[0] else "add it as an MCPServer"
        raise click.ClickException(f'--from-registry: "{name}" is {"remote" if sides[0] else "a container"}: {hint}')
    raise click.ClickException(f'--from-registry: no registry has a server "{name}"; --registry names another file')


def _registries(file: str | None, report: Report) -> Iterator[LoadedRegistry]:
    if file is not None:
        yield record.registry(file)
        return
    from ..records.document_check import loaded_registry

    for document in report.loaded.records.get("registry", ()):
        registry = loaded_registry(document)
        if registry is not None:
            yield registry
    yield built_in_registry()


def _container(entry: dict[str, Any]) -> dict[str, Any]:
    variables = [variable for variable in entry["env_vars"] or () if variable is not None]
    settings = {
        "image": entry["image"],
        "transport": entry["transport"],
        "port": entry["target_port"],
        "args": entry["args"],
        "env": {
            variable["name"]: variable["default"] or None
            for variable in variables
            if variable["required"] and not variable["secret"]
        },
        "secrets": [variable["name"] for variable in variables if variable["secret"] and variable["required"]],
    }
    return {key: value for key, value in settings.items() if value}


def _remote(entry: dict[str, Any]) -> dict[str, Any]:
    headers = [header["name"] for header in entry["headers"] or () if header is not None and header["required"]]
    if headers:
        click.echo(line(f"note: the server requires the headers {', '.join(headers)}: set headerForward"), err=True)
    settings = {"url": entry["url"], "transport": entry["transport"]}
    return {key: value for key, value in settings.items() if value}
