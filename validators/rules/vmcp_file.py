"""vMCP configuration files that stand alone, as ``vmcp validate`` and ``vmcp serve`` read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiler.diagnostics.fault_to_finding import finding_of
from ...compiler.diagnostics.finding import rule
from ...compiler.diagnostics.plain import value_at
from ...compiler.vmcp import rules as vmcp_rules
from ...compiler.vmcp.load import load
from ...compiler.vmcp.start import outgoing_faults, start_faults
from ...compiler.vmcp.validate import config_faults
from ...compiler.workflow import rules as workflow_rules
from ...compiler.workflow.lint import rules as lint_rules
from ...compiler.workflow.lint.faults import lint_faults
from ...compiler.workflow.model import read
from ..placeholder import has_placeholder

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from ...compiler.diagnostics.fault import Fault
    from ...compiler.diagnostics.finding import Finding
    from ...compiler.reading.document import Document
    from ...compiler.records.environment import Environment

SOURCE = "The loader of the vMCP process, v0.21.0."

UNDECODABLE = rule(
    "VMC120",
    "undecodable-vmcp-value",
    "A value in a vMCP configuration file does not fit its field",
    stage="process",
    checks="A list where a string belongs, a string where a list belongs, a duration without unit, and so on. Every"
    " scalar fits a string; `yes`, `on`, `no` and `off` fit a boolean.",
    why="The process refuses the file and does not start.",
    example="""
        operational:
          timeouts: {default: 30}
        """,
    fix="Write the value as the field takes it: `default: 30s`.",
    source=SOURCE,
)
UNKNOWN_FIELD = rule(
    "VMC121",
    "unknown-vmcp-field",
    "A vMCP configuration file has a field that does not exist",
    stage="process",
    checks="A key that no field takes, at any level but in free JSON such as `parameters` and `arguments`. Keys count"
    " letter for letter.",
    why="The process reads strictly: it refuses the file and does not start.",
    example="groupref: tools",
    fix="Correct the name: `groupRef`.",
    source=SOURCE,
)
VARIABLE = rule(
    "VMC122",
    "environment-variable-needed",
    "A vMCP configuration file names an environment variable that must be set where the process runs",
    stage="lint",
    severity="info",
    checks="`headerValueEnv` and `clientSecretEnv`, wherever they stand.",
    why="Nothing is wrong with the file. The process does not start where the variable is not set.",
    example="headerInjection: {headerName: X-Key, headerValueEnv: BACKEND_KEY}",
    fix="Set the variable.",
    source=SOURCE,
)
RULES = (UNDECODABLE, UNKNOWN_FIELD, VARIABLE)

OF_FAULT = (
    workflow_rules.OF_FAULT
    | lint_rules.OF_FAULT
    | vmcp_rules.OF_FAULT
    | {"undecodable": UNDECODABLE, "unknown-field": UNKNOWN_FIELD}
)


def check_file(document: Document, beside: Mapping[str, Sequence[Document]], around: Environment) -> list[Finding]:
    """Return what the process refuses in a file, what only its start refuses, and what does not work as meant."""
    del beside, around
    loaded = load(document)
    found = [
        finding_of(document, OF_FAULT[fault.code], fault, stage="process" if fault.stage is None else "lint")
        for fault in loaded.faults or _faults(loaded.config)
    ]
    for variable in loaded.variables:
        message = f'the variable "{variable.name}" must be set where the process runs'
        found.append(document.finding(VARIABLE, variable.path, message))
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
