"""``mcpcfg client``: list client applications, and print their settings for the servers of a project."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import click

from ..check.full import Options, read
from ..diagnostics.shown import line
from . import record
from .call import find_project
from .option import PATH, namespace_option, valid_release

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..check.full import Loaded
    from ..reading.document import Document
    from ..records.client.config import ServerEntry
    from ..workspace.resource import Resource


@click.group("client")
def command() -> None:
    """List client applications, and print their settings."""


@command.command("list", short_help="List the client applications.")
@record.home_options
@click.option(
    "--release", metavar="X.Y", callback=valid_release, help="List only clients that the service of a release knows."
)
@record.format_option
def list_command(home: str | None, platform: Any, release: str | None, format_: str) -> None:
    """List the client applications. With --home, add their status in that home folder (ClientStatus)."""
    from ..records.client.list import client_statuses
    from ..report.record_table import table
    from ..toolhive.client import clients_of_release
    from ..toolhive.release import whole_release

    release = whole_release(release) if release else None
    if home is not None:
        statuses = client_statuses(record.folder(home), platform, release)
        rows = [
            [client[key] for key in ("client_type", "installed", "registered", "supports_skills")]
            for client in statuses
        ]
        head = ("client", "installed", "registered", "skills")
        record.write(format_, {"clients": statuses}, lambda _: table(head, rows))
        return
    listed = [
        {
            "client_type": client.name,
            "description": client.description,
            "settings": client.settings_path(platform),
            "skills": client.skills_path(platform),
            "releases": client.releases,
        }
        for client in clients_of_release(release)
    ]
    rows = [list(client.values()) for client in listed]
    record.write(format_, listed, lambda _: table(("client", "description", "settings", "skills", "releases"), rows))


@command.command("config", short_help="Print the settings of a client for the servers of a project.")
@click.argument("name")
@click.argument("paths", nargs=-1, type=PATH, metavar="[PATH]...")
@click.option(
    "--server", "wanted", multiple=True, help="Name of a server to include; all servers by default. Repeatable."
)
@click.option("--host", help="Host and port at which clients reach the servers of a cluster, such as localhost:8080.")
@click.option("--url", help="Address of the server named by --server, if no file describes that server.")
@click.option(
    "--transport",
    type=click.Choice(["stdio", "sse", "streamable-http"]),
    default="streamable-http",
    help="Transport of the server at --url.  [default: streamable-http]",
)
@namespace_option
def config_command(name: str, paths: tuple[str, ...], wanted: tuple[str, ...], **given: Any) -> int:
    """Print the settings of client NAME for the servers of a project.

    The servers are the MCPServers, MCPRemoteProxies, VirtualMCPServers, workload requests and run configurations in
    PATH, by default the current folder. The settings are those that the service writes into a home folder without
    settings.
    """
    from ..records.client.config import ServerEntry, client_settings
    from ..toolhive.client import BY_NAME

    client = BY_NAME.get(name)
    if client is None:
        from ..diagnostics.suggestion import several

        near = several(name, BY_NAME)
        hint = f"did you mean {', '.join(near)}?" if near else "mcpcfg client list names them"
        raise click.UsageError(f"there is no client {name!r}; {hint}")
    if given["url"] is not None:
        if len(wanted) != 1 or paths:
            raise click.UsageError("--url is the address of one --server, and no project is read")
        click.echo(client_settings(client, [ServerEntry(wanted[0], given["url"], given["transport"])]), nl=False)
        return 0
    loaded = read(find_project(paths, alone=bool(paths)), Options(namespace=given["namespace"]))
    in_cluster = _cluster_entries(_in_namespace(loaded, given["namespace"]), given["host"])
    entries = in_cluster + _machine_entries(loaded.records)
    unknown = sorted(set(wanted) - {entry.name for entry in entries})
    if unknown:
        raise click.UsageError(f"no server is called {unknown[0]!r}")
    kept = sorted((entry for entry in entries if not wanted or entry.name in wanted), key=lambda entry: entry.name)
    for first, second in pairwise(sorted(entry for entry in in_cluster if entry in kept)):
        if first.name == second.name:
            hint = "name the files, or the namespace of the overlay with --namespace"
            raise click.UsageError(
                f"several servers are called {first.name!r}, at {first.url} and {second.url}; {hint}"
            )
    if not kept:
        click.echo("mcpcfg: no servers were found; name the files of a project", err=True)
        return 1
    by_url: dict[str, list[str]] = {}
    for entry in kept:
        by_url.setdefault(entry.url, []).append(entry.name)
    for url, names in by_url.items():
        if len(names) > 1:
            click.echo(
                line(f"mcpcfg: {' and '.join(names)} have one address, {url}: only one of them can answer there"),
                err=True,
            )
    click.echo(client_settings(client, kept), nl=False)
    return 0


def _in_namespace(loaded: Loaded, namespace: str | None) -> list[Resource]:
    """Return the resources in a namespace, or all for ``None``. One without overlay copies is always included."""
    copied = loaded.copied if namespace is not None else {}
    return [
        resource
        for resource in loaded.resources
        if resource.namespace == namespace
        or ((resource.subject, resource.copy_id), resource.document.file, resource.document.index) not in copied
    ]


def _cluster_entries(resources: Sequence[Resource[Any]], host: str | None) -> list[ServerEntry]:
    from ..emit.address import proxy_url, virtual_server_url
    from ..records.client.config import ServerEntry

    entries = []
    for resource in sorted(resources, key=lambda resource: (resource.printed_namespace, resource.name)):
        if not resource.admitted or resource.kind not in {"MCPServer", "MCPRemoteProxy", "VirtualMCPServer"}:
            continue
        if resource.kind == "VirtualMCPServer":
            address, transport = f"{virtual_server_url(resource)}/mcp", "streamable-http"
        else:
            address, transport = proxy_url(resource), resource.spec.get("transport") or "stdio"
        if host is not None:
            scheme, _, rest = address.partition("://")
            address = f"{scheme}://{host}/{rest.partition('/')[2]}"
        entries.append(ServerEntry(resource.name, address, transport))
    return list(dict.fromkeys(entries))  # the same server may be declared for several clusters


def _machine_entries(records: dict[str, list[Document]]) -> list[ServerEntry]:
    """Return the servers of workload requests and run configurations, which run on one machine."""
    from ..records.client.config import ServerEntry
    from ..records.document_check import read_workload, with_authz_files
    from ..records.shape import decode
    from ..records.workload.compile import compile_workload
    from ..records.workload.record import loaded_runconfig, proxy_url
    from ..toolhive.machine import Machine

    machine = Machine()
    configs = []
    for document in records.get("workload", ()):
        checked = read_workload(document, records, machine)
        if not checked.refused:
            machine_ = with_authz_files(machine, document, records)
            configs.append(compile_workload(checked.request, checked.lookup, machine_))
    for document in records.get("runconfig", ()):
        config, misfits, _ = decode(document.data, "RunConfig")
        if not misfits:
            configs.append(loaded_runconfig(config))
    return [ServerEntry(config["name"], proxy_url(config, config["name"]), config["transport"]) for config in configs]
