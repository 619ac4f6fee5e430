"""``mcpcfg simulate tools``: find the tools that clients of a virtual server see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..complete import PATH
from ..option import namespace_option
from .answer import answer_options, write
from .input import find, value_file

if TYPE_CHECKING:
    from ...simulate.backend import Backend
    from .input import Subject


@click.command("tools")
@click.argument("subject", metavar="VMCP", required=False)
@click.argument("paths", nargs=-1, type=PATH, metavar="[PATH]...")
@click.option(
    "--backend-tools",
    type=PATH,
    metavar="FILE",
    help="File that maps each backend to its tools: names, or answers of tools/list.",
)
@namespace_option
@answer_options("tools")
def command(
    subject: str, paths: tuple[str, ...], backend_tools: str | None, namespace: str | None, format_: str
) -> int:
    """Show which tools clients of VMCP see, and where each goes.

    VMCP is the name of a VirtualMCPServer among the paths, a file that holds one, or a configuration file of its
    process. Without --backend-tools it shows what registry files among the paths and the configuration itself state.
    """
    from ...report import simulated_tools
    from ...simulate.session import session

    given = find(subject, paths, ("VirtualMCPServer",), namespace=namespace, stands_alone=_is_configuration)
    config, members = _configuration(given)
    backends = _known(given, config)
    if backend_tools is not None:
        stated = {backend.name: backend for backend in _from_file(backend_tools)}
        unknown = [name for name in stated if members is not None and name not in members]
        if unknown:
            raise click.UsageError(f'no backend is called "{unknown[0]}"; there are {", ".join(members or ())}')
        updated = [stated.get(backend.name, backend) for backend in backends]
        backends = [*updated, *(stated[name] for name in stated if name not in {backend_.name for backend_ in updated})]
    name = given.resource.name if given.resource is not None else str(config.get("name") or subject)
    session_ = session(config, backends)
    return write(format_, lambda: simulated_tools.text(name, session_), lambda: simulated_tools.data(name, session_))


def _is_configuration(data: dict[str, Any]) -> bool:
    return any(key in data for key in ("aggregation", "groupRef", "incomingAuth", "compositeTools"))


def _configuration(given: Subject) -> tuple[dict[str, Any], list[str] | None]:
    """Return the configuration of the process, and the names of its backends, or ``None`` if they are not known."""
    if given.resource is None:
        backends = given.data.get("backends")
        if not isinstance(backends, list) or not backends:
            return given.data, None
        return given.data, [str(backend.get("name")) for backend in backends if isinstance(backend, dict)]
    from ...emit import vmcpconfig

    config = vmcpconfig.config(given.workspace, given.resource)
    return config, [member.name for member in _members(given)]


def _members(given: Subject) -> list[Any]:
    assert given.resource is not None
    group = given.workspace.target(given.resource, "spec", "groupRef", "name")
    return given.workspace.members(group, given.resource) if group is not None else []


def _known(given: Subject, config: dict[str, Any]) -> list[Backend]:
    from ...diagnostics.plain import listed, mapping
    from ...simulate.backend import declared_backends, mentioned_backend

    if given.resource is not None:
        return declared_backends(given.workspace, _members(given), config, _records(given))
    names = [mapping(item).get("name") for item in listed(config.get("backends"))]
    names += [mapping(item).get("workload") for item in listed(mapping(config.get("aggregation")).get("tools"))]
    unique = dict.fromkeys(name for name in names if isinstance(name, str) and name)
    return [mentioned_backend(name, config) for name in unique]


def _records(given: Subject) -> list[dict[str, Any]]:
    """Return the entries of the registry files in the project."""
    from ...records.registry.file import decode_registry, load_registry

    entries = []
    for document in given.loaded.records.get("registry", ()):
        decoded = decode_registry(document.data)
        if not decoded.misfits:
            data = load_registry(decoded).data
            for side in ("servers", "remote_servers"):
                entries += [entry for entry in (data.get(side) or {}).values() if isinstance(entry, dict)]
    return entries


def _from_file(file: str) -> list[Backend]:
    from ...simulate.backend import BackendToolsError, given_backends

    try:
        return given_backends(value_file(file, "--backend-tools"))
    except BackendToolsError as error:
        raise click.UsageError(f"--backend-tools: {file}: {error}") from error
