"""``mcpcfg workload``: show workloads as the management API does, from their run configurations."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import click

from ..diagnostics import file_path
from ..diagnostics.span import InputError
from ..disk.files import read_whole
from . import record
from .environment_option import machine_options
from .option import FOLDER, PATH

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..reading.document import Document

MOST_BYTES = 1024 * 1024
"""Maximum bytes of a status file, which is read as a whole and has only a few fields."""


@click.group("workload")
def command() -> None:
    """Show and list workloads from their run configurations."""


@command.command("show", short_help="Show a workload.")
@click.argument("paths", nargs=-1, required=True, type=PATH, metavar="PATH [REGISTRY]")
@machine_options
@record.format_option
def show_command(paths: tuple[str, ...], machine: dict[str, Any], format_: str) -> None:
    """Show a workload (WorkloadDetails) from its run configuration, or from the request that creates it.

    REGISTRY resolves the server that a request names.
    """
    from ..records.workload.record import loaded_runconfig, workload_details
    from ..report.record_table import facts

    records = record.load(paths, alone=True).records
    in_file = _records_in(paths[0], records)
    if not in_file.get("workload") and not in_file.get("runconfig"):
        records = record.load(paths, read_as="workload", alone=True).records
        in_file = {
            "workload": [
                document
                for document in _records_in(paths[0], records).get("workload", ())
                if _names_a_server(document.data)
            ]
        }
    if in_file.get("workload"):
        config = _compiled(in_file["workload"][0], records, machine)
    elif in_file.get("runconfig"):
        config = loaded_runconfig(_decoded(in_file["runconfig"][0]))
    else:
        raise click.ClickException(f"{paths[0]} holds neither a run configuration nor a workload request")
    details = workload_details(config)

    def text(shown: Any) -> str:
        pairs = [(key.replace("_", " "), _without_empty(value)) for key, value in shown.items()]
        return facts([pair for pair in pairs if pair[1]])

    record.write(format_, details, text)


def _records_in(file: str, records: Mapping[str, Sequence[Document]]) -> dict[str, list[Document]]:
    return {
        kind: [document for document in documents if document.file == file_path.normpath(file)]
        for kind, documents in records.items()
    }


def _names_a_server(data: Any) -> bool:
    return isinstance(data, dict) and bool(data.keys() & {"image", "url"}) and "apiVersion" not in data


@command.command("list", short_help="List the workloads of a folder of run configurations.")
@click.argument("folder", type=FOLDER, default=".", metavar="[PATH]")
@click.option("--all", "-a", "every", is_flag=True, help="Also list workloads that are not running.")
@click.option("--group", help="List only members of a group.")
@click.option(
    "--statuses",
    type=FOLDER,
    metavar="DIR",
    help="Folder of status files; without it, the status of every workload is unknown.",
)
@record.format_option
def list_command(folder: str, *, every: bool, group: str | None, statuses: str | None, format_: str) -> None:
    """List the workloads of a folder of run configurations (WorkloadSummary), sorted by name."""
    from ..records.workload.group_name import group_fault
    from ..records.workload.record import loaded_runconfig, workload_summary
    from ..report.record_table import table

    for path in (folder, statuses):
        if path is not None:
            record.folder(path)
    if group is not None and (reason := group_fault(group)) is not None:
        raise click.UsageError(f"no group can be called {group!r}: {reason}")
    summaries = []
    for name in sorted(os.listdir(folder)):
        if name.endswith(".json"):
            config = loaded_runconfig(_decoded(record.document(file_path.join(folder, name), "runconfig")))
            status = None if statuses is None else _status(statuses, config["base_name"] or config["name"])
            summaries.append(workload_summary(config, status))
    shown = [
        config
        for config in sorted(summaries, key=lambda config: str(config["name"]))
        if (group is None or config.get("group", "") == group)
        and (every or statuses is None or config["status"] == "running")
    ]
    keys = ("name", "package", "status", "url", "port", "group")

    def text(data: Any) -> str:
        return table(keys, [[config.get(key) for key in keys] for config in data["workloads"]])

    record.write(format_, {"workloads": shown}, text)


def _decoded(document: Any) -> dict[str, Any]:
    from ..records.shape import decode

    config, misfits, _ = decode(document.data, "RunConfig")
    if misfits:
        first = misfits[0]
        where = "/".join(map(str, first.path)) or "the file"
        raise click.ClickException(f"{document.file}: {where}: {first.expected} is expected, not {first.actual}")
    return config


def _compiled(document: Document, records: dict[str, list[Any]], stated: dict[str, Any]) -> dict[str, Any]:
    from ..records.document_check import read_workload, with_authz_files
    from ..records.workload.compile import compile_workload
    from ..toolhive.machine import Machine

    machine = Machine(**stated)
    checked = read_workload(document, records, machine)
    if checked.refused:
        reason = next(fault.message for fault in checked.faults)
        raise click.ClickException(f"{document.file}: the service refuses the request: {reason}")
    return compile_workload(checked.request, checked.lookup, with_authz_files(machine, document, records))


def _status(folder: str, name: str) -> dict[str, Any] | None:
    file = file_path.join(folder, f"{os.path.basename(name)}.json")
    if not os.path.exists(file):
        return None
    try:
        status = json.loads(read_whole(file, MOST_BYTES))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file}: {error}") from None
    return status if isinstance(status, dict) else None


def _without_empty(value: Any) -> Any:
    return {key: inner for key, inner in value.items() if inner} if isinstance(value, dict) else value
