"""``mcpcfg registry``: show and convert registry files as the management API does."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from ..records.registry.query import DEFAULT_LIMIT, MOST_ON_A_PAGE
from . import record
from .option import PATH

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..records.registry.file import LoadedRegistry

Command = Any

_ONLY_IN_REGISTRY = frozenset({"data", "groups", "remote_servers", "servers"})
_ONLY_IN_RECORD = frozenset({"name", "packages", "remotes"})
"""Keys of a catalog record that no registry has. They tell the two apart even if the file is otherwise invalid."""


def _search_options(function: Command) -> Command:
    for option in (
        click.option(
            "--limit",
            type=click.IntRange(1, MOST_ON_A_PAGE),
            default=DEFAULT_LIMIT,
            show_default=True,
            help="Number of records on a page.",
        ),
        click.option("--page", type=click.IntRange(1), default=1, show_default=True, help="Number of the page."),
        click.option("--query", "-q", default="", help="Text that the name or the description must contain."),
    ):
        function = option(function)
    return function


@click.group("registry")
def command() -> None:
    """List, search and convert registry files, in both formats."""


@command.command("list", short_help="List registries, or the servers of one.")
@click.argument("files", nargs=-1, type=PATH, metavar="[PATH]...")
@click.option("--servers", is_flag=True, help="List the servers of a single registry (RegistryServerList).")
@record.format_option
def list_command(files: tuple[str, ...], *, servers: bool, format_: str) -> None:
    """List registries (RegistrySummary). Without PATH, list the one that comes with mcpcfg.

    server_count of --format json only counts servers that run in containers, like the API. The table also counts remote
    servers.
    """
    from ..records.registry.query import registry_summary, server_list
    from ..report.record_table import table

    if servers:
        if len(files) > 1:
            raise click.UsageError("--servers lists the servers of one PATH")
        listed = server_list(record.registry(files[0] if files else None))
        columns = ("name", "transport", "status", "description")
        record.write(format_, listed, lambda shown: table(columns, _server_rows(shown)))
        return
    registries = [record.registry(file) for file in files] or [record.registry(None)]
    names = files or (record.BUILT_IN,)
    summaries = [registry_summary(registry, name) for registry, name in zip(registries, names, strict=True)]
    heads = ("name", "version", "containers", "remote servers", "last updated", "type", "source")
    counted = [
        [
            *(summary.get(key) for key in ("name", "version", "server_count")),
            len(registry.data["remote_servers"] or ()),
            *(summary.get(key) for key in ("last_updated", "type", "source")),
        ]
        for registry, summary in zip(registries, summaries, strict=True)
    ]
    record.write(format_, {"registries": summaries}, lambda _: table(heads, counted))


@command.command("show", short_help="Show a registry, or one server of it.")
@click.argument("words", nargs=-1, type=PATH, metavar="[PATH] [SERVER]")
@click.option("--record", "as_record", is_flag=True, help="Show SERVER as a catalog record (ServerRecord).")
@record.format_option
def show_command(words: tuple[str, ...], *, as_record: bool, format_: str) -> None:
    """Show a registry (Registry), or one of its servers (RegistryServerResult).

    Without PATH, the registry is the one that comes with mcpcfg.
    """
    from ..records.registry.convert import ConvertError
    from ..records.registry.query import NoSuchServerError, registry_detail, server_record, server_result
    from ..report.record_table import facts

    file, server = _named(words)
    registry = record.registry(file)
    name = file or record.BUILT_IN
    if server is None:
        if as_record:
            raise click.UsageError("--record shows one SERVER")
        detail = registry_detail(registry, name)
        record.write(format_, detail, lambda shown: facts(_registry_facts(shown)))
        return
    try:
        result = server_record(registry, server) if as_record else server_result(registry, server)
    except (NoSuchServerError, ConvertError) as error:
        raise click.ClickException(f"{name}: {error}{_near(registry, server)}") from None

    def text(shown: Any) -> str:
        entry = shown if as_record else shown.get("server") or shown["remote_server"]
        return facts([*entry.items()])

    record.write(format_, result, text)


@command.command("search", short_help="Search the servers of a registry.")
@click.argument("file", type=PATH, required=False, metavar="[PATH]")
@_search_options
@record.format_option
def search_command(file: str | None, query: str, page: int, limit: int, format_: str) -> None:
    """Search the servers of a registry (a page of ServerRecords). Without PATH, search the one that comes with mcpcfg.

    mcpcfg add MCPServer NAME --from-registry SERVER takes the settings of a server.
    """
    from ..records.registry.query import search_servers

    result = search_servers(record.registry(file), query, str(page), str(limit))
    record.write(format_, result, lambda shown: _page_text(shown, "servers", ("name", "version", "description")))


@command.command("skills", short_help="Search the skills of a registry, or show one.")
@click.argument("file", type=PATH, metavar="PATH")
@click.argument("skill", required=False, metavar="[NAMESPACE/NAME]")
@_search_options
@record.format_option
def skills_command(file: str, skill: str | None, query: str, page: int, limit: int, format_: str) -> None:
    """Search the skills of a registry (a page of RegistrySkills), or show one."""
    from ..records.registry.query import find_skill, search_skills
    from ..report.record_table import facts

    loaded = record.registry(file)
    if skill is not None:
        namespace, _, name = skill.rpartition("/")
        found_skill = find_skill(loaded, namespace, name)
        if found_skill is None:
            raise click.ClickException(f"{file}: there is no skill {skill}")
        record.write(format_, found_skill, lambda shown: facts([*shown.items()]))
        return
    result = search_skills(loaded, query, str(page), str(limit))
    columns = ("namespace", "name", "version", "description")
    record.write(format_, result, lambda shown: _page_text(shown, "skills", columns))


@command.command("convert", short_help="Write a registry in the other format.")
@click.argument("file", type=PATH, metavar="PATH")
@click.option(
    "--to",
    "target",
    type=click.Choice(["legacy", "upstream"]),
    help="Format to write.  [default: the format that PATH does not have]",
)
def convert_command(file: str, target: str | None) -> None:
    """Write a registry in the other format, and report on standard error what is lost.

    A catalog record (server.json) is converted to the entry that the service makes of it (RegistryServerResult).
    """
    from ..records.registry.convert import ConvertError, legacy_to_upstream, upstream_to_legacy
    from ..records.registry.file import decode_registry
    from ..records.shape import encode

    data = record.document(file, "registry").data
    if isinstance(data, dict) and data.keys() & _ONLY_IN_RECORD and not data.keys() & _ONLY_IN_REGISTRY:
        if target == "upstream":
            raise click.UsageError(f"{file} is a catalog record already")
        _convert_record(file)
        return
    record.registry(file)
    decoded = decode_registry(data)
    convert: dict[str, Callable[[Any], Any]] = {"legacy": upstream_to_legacy, "upstream": legacy_to_upstream}
    wanted = target or ("legacy" if decoded.format == "upstream" else "upstream")
    losses = []
    converted = decoded.data
    if wanted != decoded.format:
        try:
            converted, losses = convert[wanted](decoded.data)
        except ConvertError as error:
            raise click.ClickException(f"{file}: {error}") from None
    name = "RegistryData" if wanted == "legacy" else "UpstreamRegistry"
    click.echo(record.as_json(encode(converted, name)))
    record.report_losses(losses)


def _convert_record(file: str) -> None:
    from ..records.registry.loss import record_losses
    from ..records.shape import decode, encode

    given, misfits, _ = decode(record.document(file, "server").data, "ServerRecord")
    if misfits:
        raise click.ClickException(f"{file} cannot be decoded as a catalog record; mcpcfg check reports why")
    is_remote, entry = record.entry(file, given)
    side, kind = ("remote_server", "RemoteServer") if is_remote else ("server", "ImageServer")
    click.echo(record.as_json({"is_remote": is_remote, side: encode(entry, kind)}))
    record.report_losses(record_losses(given, ()))


def _named(words: tuple[str, ...]) -> tuple[str | None, str | None]:
    """Return the file and the server that ``[PATH] [SERVER]`` names. A single word that is no file is a server."""
    if len(words) > 2:
        raise click.UsageError("name a PATH, a SERVER, or both")
    first, second = (*words, None, None)[:2]
    is_server = first is not None and second is None and not (os.path.exists(first) or first.endswith(".json"))
    return (None, first) if is_server else (first, second)


def _server_rows(listed: dict[str, Any]) -> list[list[Any]]:
    return [
        [
            server.get("name"),
            f"{server.get('transport')}{' (remote)' if side == 'remote_servers' else ''}",
            server.get("status"),
            server.get("description"),
        ]
        for side in ("servers", "remote_servers")
        for server in listed.get(side) or ()
    ]


def _registry_facts(detail: dict[str, Any]) -> list[tuple[str, Any]]:
    registry = detail.get("registry") or {}
    pairs = [(key.replace("_", " "), value) for key, value in detail.items() if key != "registry"]
    return [
        *pairs,
        *((side.replace("_", " "), sorted(registry.get(side) or ())) for side in ("servers", "remote_servers")),
    ]


def _page_text(result: dict[str, Any], key: str, columns: tuple[str, ...]) -> str:
    from ..report.record_table import table

    metadata = result["metadata"]
    rows = [[row.get(column) for column in columns] for row in result[key]]
    shown = f"{len(rows)} of {metadata['total']} {key}, page {metadata['page']} of {metadata['limit']} each\n"
    return table(columns, rows) + shown


def _near(registry: LoadedRegistry, name: str) -> str:
    from ..diagnostics.suggestion import several

    names = [*(registry.data["servers"] or ()), *(registry.data["remote_servers"] or ())]
    by_end = {full.rpartition("/")[2]: full for full in names}
    near = several(name, names) or [by_end[end] for end in several(name, by_end)]
    return f"; did you mean {', '.join(near)}?" if near else ""
