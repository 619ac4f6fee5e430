"""Turn faults of ``metadata`` into findings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..diagnostics.finding import rule
from ..diagnostics.placeholder import is_placeholder, is_placeholder_key
from ..kube.objectmeta import metadata_faults
from .describe import UNKNOWN_FIELD
from .place import dotted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..diagnostics.fault import Flaw
    from ..diagnostics.finding import Finding, Rule, Subject
    from ..diagnostics.secret.value import Secrets
    from ..diagnostics.span import Path
    from ..reading.document import Document

INVALID_NAME = rule(
    "ADM020 invalid-object-name", "admission", "A name or namespace that Kubernetes does not accept", unmodelled="all"
)
MISSING_NAME = rule("ADM021 missing-object-name", "admission", "An object without a name", unmodelled="all")
INVALID_METADATA = rule(
    "ADM022 invalid-metadata",
    "admission",
    "A label, annotation or other metadata that Kubernetes does not accept",
    unmodelled="all",
)

_NAMES = frozenset({"name", "generateName", "namespace"})


def metadata_findings(document: Document, subject: Subject, secrets: Secrets) -> Iterator[Finding]:
    """Yield the findings about the metadata of an object. Values with placeholders are not checked."""
    for fault in metadata_faults(document.data):
        if not _is_unknown(document.data, fault.path):
            yield _finding(document, subject, fault, secrets)


def _finding(document: Document, subject: Subject, fault: Flaw, secrets: Secrets) -> Finding:
    place = fault.path if document.has(fault.path) else ("kind",)
    on_key = fault.code in ("unknown", "invalid-key") or (fault.code == "required" and len(fault.path) == 1)
    return _rule(fault).finding(
        document.key_span(place) if on_key else document.span(place),
        f"{dotted(fault.path)}: {fault.message}" if fault.code == "type" else fault.message,
        document=document.index,
        subject=subject,
        path=document.prefix + fault.path,
        hint=fault.hint,
        secrets=secrets,
    )


def _rule(fault: Flaw) -> Rule:
    if fault.code == "unknown":
        return UNKNOWN_FIELD
    if fault.code == "required" and len(fault.path) <= 2:
        return MISSING_NAME
    if fault.code == "invalid" and len(fault.path) == 2 and fault.path[1] in _NAMES:
        return INVALID_NAME
    return INVALID_METADATA


def _is_unknown(data: Any, path: Path) -> bool:
    for step in path:
        if isinstance(step, str) and is_placeholder_key(step):
            return True
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            return False
    return isinstance(data, str) and is_placeholder(data)
