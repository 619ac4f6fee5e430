"""``mcpcfg convert``: convert one kind of record to another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..diagnostics import file_path
from . import record
from .call import find_project
from .environment_option import machine_options
from .option import PATH

if TYPE_CHECKING:
    from ..check.full import Loaded
    from ..records.workload.server import Converted
    from ..toolhive.machine import Machine
    from ..toolhive.profile import Profile
    from ..workspace.resource import Resource

TARGETS = ("MCPServer", "workload", "runconfig")
FROM = {
    "MCPServer": (
        "a workload request, a run configuration, an entry of a registry or a catalog record",
        "an MCPServer",
    ),
    "workload": ("an MCPServer, a workload request or a run configuration", "a workload request"),
    "runconfig": ("a workload request or a run configuration", "a run configuration"),
}
"""Kinds of input, and the name of the output, by the target of the conversion."""


@click.command("convert")
@click.argument("paths", nargs=-1, required=True, type=PATH, metavar="PATH...")
@click.option(
    "--to", "target", type=click.Choice(TARGETS, case_sensitive=False), required=True, help="Kind of record to write."
)
@click.option(
    "--name", help="MCPServer (or NAMESPACE/NAME) or registry entry to convert, if the first PATH has several."
)
@machine_options
def command(paths: tuple[str, ...], target: str, name: str | None, machine: dict[str, Any]) -> int:
    """Convert the first PATH, and report on standard error what is lost.

    \b
    MCPServer               to workload
    workload request        to MCPServer or runconfig
    run configuration       to MCPServer or workload
    entry of a registry     to MCPServer
    catalog record          to MCPServer

    The other paths are files that the first one refers to, such as the registry of a request or the MCPToolConfig of an
    MCPServer.
    """  # noqa: D301 - the escape is meant for click
    from ..records.registry.convert import ConvertError
    from ..records.runconfig.edition_name import EditionNames
    from ..toolhive.machine import Machine

    project = find_project(paths)
    profile = project.settings.profile
    loaded = record.read_project(project, paths)
    try:
        converted = _converted(paths[0], loaded, target, name, Machine(**machine, profile=profile))
    except ConvertError as error:
        raise click.ClickException(f"{paths[0]} cannot be converted: {error}") from None
    if target == "MCPServer":
        from ..golang.yaml.sigs import dump

        click.echo(dump(converted.document | {"apiVersion": profile.api_version()}), nl=False)
    else:
        click.echo(record.as_json(EditionNames(profile).to_edition(converted.document)))
    record.report_losses(converted.losses)
    return 0


def _converted(file: str, loaded: Loaded, target: str, name: str | None, machine: Machine) -> Converted:
    path = file_path.normpath(file)
    servers = [item for item in loaded.resources if item.kind == "MCPServer" and item.document.file == path]
    kinds = {kind: [item for item in items if item.file == path] for kind, items in loaded.records.items()}
    if servers and target == "workload":
        return _from_server(_chosen(servers, name, "MCPServer"), loaded)
    if kinds.get("workload"):
        return _from_request(loaded, kinds["workload"][0], target, machine)
    if kinds.get("runconfig"):
        return _from_runconfig(kinds["runconfig"][0], target, machine.profile)
    if kinds.get("registry") and target == "MCPServer":
        return _from_entry(file, name)
    if kinds.get("server") and target == "MCPServer":
        return _from_record(file, kinds["server"][0])
    given, output = FROM[target]
    raise click.UsageError(f"{file} holds nothing that can be made into {output}: that takes {given}")


def _chosen(servers: list[Resource], name: str | None, kind: str) -> Resource:
    kept = [server for server in servers if name in (None, server.name, f"{server.printed_namespace}/{server.name}")]
    if len(kept) == 1:
        return kept[0]
    all_names = [server.name for server in servers]
    names = ", ".join(
        sorted(
            server.name if all_names.count(server.name) == 1 else f"{server.printed_namespace}/{server.name}"
            for server in servers
        )
    )
    if kept:
        raise click.UsageError(f"state which {kind} with --name: {names}")
    raise click.UsageError(f"no {kind} is called {name!r}; there is {names}")


def _from_server(server: Resource, loaded: Loaded) -> Converted:
    from ..records.workload.server import server_to_request
    from ..workspace.workspace import Workspace

    if not server.admitted:
        raise click.ClickException(f"{server.document.file}: the MCPServer has errors; mcpcfg check reports them")
    if not server.spec:
        raise click.ClickException(f"{server.document.file}: the MCPServer has no spec")
    tools = Workspace(loaded.resources).target(server, "spec", "toolConfigRef", "name")
    filled = [key for key in server.spec if not server.states("spec", key)]
    return server_to_request(server.data, tools.spec if tools is not None else None, filled=filled)


def _from_request(loaded: Loaded, document: Any, target: str, machine: Machine) -> Converted:
    from ..records.document_check import read_workload, with_authz_files
    from ..records.runconfig.text import encoded_runconfig
    from ..records.shape import encode
    from ..records.workload.compile import compile_workload
    from ..records.workload.server import Converted, request_to_server

    checked = read_workload(document, loaded.records, machine)
    if checked.refused:
        reason = next(fault.message for fault in checked.faults)
        raise click.ClickException(f"{document.file}: the service refuses the request: {reason}")
    if target == "MCPServer":
        return request_to_server(checked.request, checked.lookup)
    if target == "workload":
        return Converted(encode(checked.request, "WorkloadRequest"), [])
    config = compile_workload(checked.request, checked.lookup, with_authz_files(machine, document, loaded.records))
    return Converted(encoded_runconfig(config), [])


def _from_runconfig(document: Any, target: str, profile: Profile) -> Converted:
    from ..records.runconfig.edition_name import EditionNames
    from ..records.shape import decode, encode
    from ..records.workload.record import loaded_runconfig, workload_details
    from ..records.workload.server import Converted, runconfig_to_server

    config, misfits, _ = decode(EditionNames(profile).to_models(document.data), "RunConfig")
    if misfits:
        raise click.ClickException(f"{document.file} cannot be decoded; mcpcfg check reports why")
    if target == "MCPServer":
        converted = runconfig_to_server(loaded_runconfig(config))
        return converted._replace(
            losses=[
                loss._replace(path=tuple(profile.spell(str(step)) for step in loss.path)) for loss in converted.losses
            ]
        )
    if target == "workload":
        return Converted(workload_details(loaded_runconfig(config)), [])
    return Converted(encode(config, "RunConfig"), [])


def _from_entry(file: str, name: str | None) -> Converted:
    from ..records.registry.query import NoSuchServerError, find_server
    from ..records.workload.server import entry_to_server

    registry = record.registry(file)
    names = sorted(registry.data["servers"] or ())
    if name is None and len(names) == 1:
        name = names[0]
    if name is None:
        raise click.UsageError(f"state which entry with --name: {', '.join(names)}")
    try:
        is_remote, entry = find_server(registry, name)
    except NoSuchServerError as error:
        raise click.UsageError(str(error)) from None
    if is_remote:
        raise click.ClickException(f"{name!r} is a remote server, which is an MCPRemoteProxy in Kubernetes")
    return entry_to_server(entry["name"], entry)


def _from_record(file: str, document: Any) -> Converted:
    from ..records.registry.loss import record_losses
    from ..records.shape import decode
    from ..records.workload.server import Converted, entry_to_server

    given, misfits, _ = decode(document.data, "ServerRecord")
    if misfits:
        raise click.ClickException(f"{file} cannot be decoded as a catalog record; mcpcfg check reports why")
    is_remote, entry = record.entry(file, given)
    if is_remote:
        raise click.ClickException(f"{file} is of a remote server, which is an MCPRemoteProxy in Kubernetes")
    converted = entry_to_server(entry["name"].rpartition("/")[2], entry)
    return Converted(converted.document, [*record_losses(given, ()), *converted.losses])
