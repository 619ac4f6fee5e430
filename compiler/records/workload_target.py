"""``build --target runconfig`` for workload requests: the exact RunConfig texts that the service would store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnostics.named_tuple import NamedTuple
from .document_check import read_workload, with_authz_files
from .finding import findings_of
from .runconfig.text import runconfig_text
from .workload.compile import compile_workload

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from ..reading.document import Document
    from ..toolhive.machine import Machine


class CompiledWorkloads(NamedTuple):
    """The compiled workload requests of a call.

    Attributes:
        texts: The exact text of each RunConfig by its path in the output folder, sorted.
        left_out: The files of requests that lack an authorization file or contain placeholders, with the reason.
    """

    texts: dict[str, str]
    left_out: list[tuple[str, str]]


def compiled_workloads(
    records: Mapping[str, Sequence[Document]], machine: Machine, *, files: Collection[str] | None = None
) -> CompiledWorkloads:
    """Compile the workload requests that the service would accept.

    Of several requests with the same name, only the first is compiled.

    Args:
        records: The documents by input kind.
        machine: The settings that the service takes from its machine.
        files: The files whose requests are compiled, or ``None`` for all.
    """
    texts: dict[str, str] = {}
    left_out: list[tuple[str, str]] = []
    for document in records.get("workload", ()):
        if files is not None and document.file not in files:
            continue
        checked = read_workload(document, records, machine)
        if checked.refused:
            missing = [fault.message for fault in checked.faults if fault.path == ("authz_config",)]
            if not any(finding.severity == "error" for finding in findings_of(document, checked.faults)):
                missing = ["it holds placeholders; fill them in first (envsubst)"]
            left_out += [(document.file, message) for message in missing]
            continue
        config = compile_workload(checked.request, checked.lookup, with_authz_files(machine, document, records))
        # The service writes a newline at the end.
        texts.setdefault(f"default/workload-{config['base_name']}.json", runconfig_text(config) + "\n")
    return CompiledWorkloads(dict(sorted(texts.items())), left_out)
