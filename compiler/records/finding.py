"""Turn faults of records into findings with a rule and a position in the text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..diagnostics.fault_to_finding import finding_of
from ..diagnostics.placeholder import is_placeholder, is_template_placeholder
from ..diagnostics.plain import written_path
from ..diagnostics.secret.source import SecretPlaces
from ..diagnostics.secret.text import is_nearly_sensitive, masked
from ..diagnostics.secret.value import Secrets, secrets_of
from ..diagnostics.span import Span
from ..reading.bound import BEYOND_BOUNDS, MAX_FINDINGS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..diagnostics.fault import Fault
    from ..diagnostics.finding import Finding
    from ..diagnostics.span import Path
    from ..reading.document import Document

RULE_MODULES: dict[str, list[str]] = {
    "REG": "registry.breach registry.check registry.entry_lint".split(),
    "CAT": "registry.extension_lint registry.record_lint registry.skill".split(),
    "PRM": "permission.check secret.check".split(),
    "SKL": "skill.check skill.lint".split(),
    "FIL": (
        "document_check side_file.audit side_file.authz side_file.body side_file.env_file side_file.tool_override"
        " side_file.webhook"
    ).split(),
    "RUN": (
        "runconfig.auth_server runconfig.auth_server_storage runconfig.block runconfig.browser_origin runconfig.check"
        " runconfig.container runconfig.image_build runconfig.lint runconfig.middleware runconfig.sts"
    ).split(),
    "WRK": "document_check workload.check workload.lint workload.registry_entry".split(),
}
"""The modules of ``records`` that declare rules, by the first letters of the rule ids."""

_LONGEST = 400
"""The maximum length of a message in characters. A message quotes names, which may have any length."""


def findings_of(document: Document, faults: Iterable[Fault]) -> list[Finding]:
    """Return the findings for the faults of a document. The finding for a missing field is at the object that lacks it.

    Faults at placeholders are left out, because their values are unknown. After ``MAX_FINDINGS`` findings, a last
    finding reports that the others are left out.
    """
    values: Secrets | None = None
    places: SecretPlaces | None = None
    out: list[Finding] = []
    for fault in faults:
        if len(out) == MAX_FINDINGS:
            out.append(beyond_bounds(document.file))
            break
        if not _is_at_placeholder(document.data, fault.path):
            if values is None or places is None:
                values = secrets_of(document.data)
                places = SecretPlaces(values.paths, document.span)
            out.append(_finding(document, fault, places, values))
    return out


def beyond_bounds(file: str) -> Finding:
    """Return the finding that a file has more than ``MAX_FINDINGS`` faults."""
    message = f"the file has more than {MAX_FINDINGS:,} faults: others are not reported"
    return BEYOND_BOUNDS.finding(Span(file, 1, 1, 1, 1), message, document=0)


def _is_at_placeholder(value: Any, path: Path) -> bool:
    for step in written_path(value, path):
        value = value[step]
    return isinstance(value, str) and (is_placeholder(value) or is_template_placeholder(value))


def _finding(document: Document, fault: Fault, places: SecretPlaces, values: Secrets) -> Finding:
    path = written_path(document.data, fault.path)
    shown = fault._replace(
        message=_cut(masked(values.without(fault.message))),
        hint=fault.hint and _cut(masked(values.without(fault.hint))),
        on_key=fault.on_key and len(path) == len(fault.path),
    )
    finding = finding_of(document, shown, path)
    sensitive_spans = (document.span(path),) if shown.on_key and path and is_nearly_sensitive(str(path[-1])) else ()
    return finding._replace(hidden=(*places.near(finding.span), *sensitive_spans))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
