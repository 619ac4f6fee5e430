"""``build --target runconfig`` of workload requests: the exact RunConfig texts that the service would store."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .document_check import read_workload, with_files
from .finding import findings_of
from .workload.compile import compile_workload, runconfig_text

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from ..reading.document import Document
    from ..toolhive.machine import Machine


class CompiledWorkloads(NamedTuple):
    """What came of the workload requests of a call.

    Attributes:
        texts: Where a RunConfig goes below the output folder, to its exact text; sorted.
        left_out: File and reason of each request that only a file beside it, or a placeholder, keeps from being
            compiled.
    """

    texts: dict[str, str]
    left_out: list[tuple[str, str]]


def compiled_workloads(
    records: Mapping[str, Sequence[Document]], machine: Machine, *, files: Collection[str] | None = None
) -> CompiledWorkloads:
    """Compile the workload requests that the service would take; of two with one name the first.

    Args:
        records: The documents of the call by input kind.
        machine: What the service takes from its machine.
        files: Those alone whose requests are compiled; all where ``None``.
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
        config = compile_workload(checked.request, checked.lookup, with_files(machine, document, records))
        texts.setdefault(f"default/workload-{config['base_name']}.json", runconfig_text(config))
    return CompiledWorkloads(dict(sorted(texts.items())), left_out)
