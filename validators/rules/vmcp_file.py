"""vMCP configuration files that stand alone, as ``vmcp validate`` and ``vmcp serve`` read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.plain import value_at
from ...compiler.vmcp.load import load
from ...compiler.vmcp.start import outgoing_faults, start_faults
from ...compiler.vmcp.validate import config_faults
from ...compiler.workflow.lint.faults import lint_faults
from ...compiler.workflow.model import read
from ..page import rule
from ..told import has_placeholder, restaged
from . import composite_tool, vmcp_config_page, vmcp_strategy_page

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from ...compiler.diagnostics.finding import Finding, Rule
    from ...compiler.diagnostics.span import Path
    from ...compiler.reading.document import Document
    from ...compiler.records.environment import Environment
    from ...compiler.workflow.fault import Fault

SOURCE = "the loader of the vMCP process, v0.21.0."

UNDECODABLE = rule(
    "VMC120",
    "undecodable-vmcp-value",
    "A value in a vMCP configuration file does not fit its field.",
    flagged="a list where a text belongs, a text where a list belongs, a duration without unit, and so on. Every scalar"
    " fits a text; `yes`, `on`, `no` and `off` fit a truth value.",
    why="the process refuses the file and does not start.",
    example="operational:\n  timeouts: {default: 30}",
    cure="write the value as the field takes it: `default: 30s`.",
    source=SOURCE,
    stage="process",
)
UNKNOWN_FIELD = rule(
    "VMC121",
    "unknown-vmcp-field",
    "A vMCP configuration file has a field that does not exist.",
    flagged="a key that no field takes, at any level but in free JSON such as `parameters` and `arguments`. Keys count"
    " letter for letter.",
    why="the process reads strictly: it refuses the file and does not start.",
    example="groupref: tools",
    cure="correct the name: `groupRef`.",
    source=SOURCE,
    stage="process",
)
VARIABLE = rule(
    "VMC122",
    "environment-variable-needed",
    "A vMCP configuration file names an environment variable that must be set where the process runs.",
    flagged="`headerValueEnv` and `clientSecretEnv`, wherever they stand.",
    why="nothing is wrong with the file. The process does not start where the variable is not set.",
    example="headerInjection: {headerName: X-Key, headerValueEnv: BACKEND_KEY}",
    cure="set the variable.",
    source=SOURCE,
    stage="lint",
    severity="info",
)
RULES = (UNDECODABLE, UNKNOWN_FIELD, VARIABLE)

OF_FAULT = (
    composite_tool.OF_FAULT
    | vmcp_config_page.OF_FAULT
    | vmcp_strategy_page.OF_FAULT
    | {"undecodable": UNDECODABLE, "unknown-field": UNKNOWN_FIELD}
)


def check_file(document: Document, beside: Mapping[str, Sequence[Document]], around: Environment) -> list[Finding]:
    """Return what the process refuses in a file, what only its start refuses, and what does not work as meant."""
    del beside, around
    loaded = load(document)
    found = [_finding(document, fault) for fault in loaded.faults or _faults(loaded.config)]
    for variable in loaded.variables:
        message = f'the variable "{variable.name}" must be set where the process runs'
        found.append(_at(document, VARIABLE, variable.path, message))
    return [finding for finding in found if not has_placeholder(value_at(document.data, finding.path or ()))]


def _faults(config: Mapping[str, Any]) -> Iterator[Fault]:
    refused = config_faults(config)
    yield from refused
    yield from start_faults(config)
    yield from outgoing_faults(config)
    if refused:
        return
    for i, tool in enumerate(config.get("compositeTools") or ()):
        for fault in lint_faults(read(tool)):
            yield fault._replace(path=("compositeTools", i, *fault.path))


def _finding(document: Document, fault: Fault) -> Finding:
    finding = _at(document, OF_FAULT[fault.code], fault.path, fault.message, fault.hint, on_key=fault.on_key)
    if fault.offset is not None and finding.path == fault.path:
        finding = finding._replace(span=document.span_within(fault.path, fault.offset))
    return restaged(finding, "process" if fault.when == "validate" else "lint")


def _at(
    document: Document, rule: Rule, path: Path, message: str, hint: str | None = None, *, on_key: bool = False
) -> Finding:
    """Make a finding at ``path``, or at the mapping that lacks what belongs there."""
    asked = path
    while path and not document.has(path):
        path = path[:-1]
    on_key = rule is UNKNOWN_FIELD or (on_key and path == asked)
    span = document.key_span(path) if on_key else document.span(path)
    return rule.finding(span, message, document=document.index, path=path, hint=hint)
