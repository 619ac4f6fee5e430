"""``build --target runconfig`` of workload requests: the exact RunConfig texts that the service would store."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .document_check import read_workload
from .workload_compile import compile_workload, runconfig_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mcpcfg.compiler.document import Document

    from .workload_compile import Machine


class CompiledWorkload(NamedTuple):
    """The RunConfig of one request: where it goes below the output folder, and its exact text."""

    path: str
    text: str


def compiled_workloads(records: Mapping[str, Sequence[Document]], machine: Machine) -> list[CompiledWorkload]:
    """Compile the workload requests of a call that the service would take; of two with one name the first."""
    made = {one.path: one for one in reversed(list(_compiled(records, machine)))}
    return [made[path] for path in sorted(made)]


def _compiled(records: Mapping[str, Sequence[Document]], machine: Machine) -> Iterator[CompiledWorkload]:
    for document in records.get("workload", ()):
        checked = read_workload(document, records, machine)
        if not checked.refused:
            config = compile_workload(checked.request, checked.lookup, machine)
            yield CompiledWorkload(f"default/workload-{config['name']}.json", runconfig_text(config))
