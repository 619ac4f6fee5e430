"""Rules about control characters that make Kubernetes refuse the pod of a server."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.diagnostics.plain import walk
from ...compiler.diagnostics.version import RECORDED
from ..pod import added_by_product, decoded
from ..rule import rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.mcpserver import MCPServerSpec
    from ..rule import Check, Finding, Path, Resource, Workspace

CONTROL_CHARACTER = rule(
    "POD007 control-character-in-pod",
    "process",
    "A text in a server's pod contains a control character that Kubernetes cannot read",
    unmodelled="all",
    verified=RECORDED,
)
FIELDS = ("args", "env", "secrets", "podTemplateSpec")
_UNREAD = "[\x7f-\x84\x86-\x9f\ufffe\uffff]"


def check(resource: Resource[MCPServerSpec], _: Workspace) -> Iterator[Finding]:
    """Report strings of the pod with control characters that the API server cannot read."""
    spec: dict[str, Any] = dict(resource.spec)
    if spec.get("podTemplateSpec") is not None:
        spec["podTemplateSpec"] = resource.once(decoded).value
    for field in FIELDS:
        for path, text in walk(spec.get(field), ("spec", field)):
            # Nearly all texts are printable, and need no search.
            if not isinstance(text, str) or text.isprintable() or _is_overwritten(resource.spec, path):
                continue
            if match := re.search(_UNREAD, text):
                message = f"the text contains the control character U+{ord(match[0]):04X}, which the API server refuses"
                yield resource.finding(CONTROL_CHARACTER, path, message, hint="remove it")


def _is_overwritten(spec: MCPServerSpec, path: Path) -> bool:
    if path[1] != "env" or path[-1] != "value" or not isinstance(path[2], int):
        return False
    name = spec["env"][path[2]].get("name", "")
    return name in added_by_product(spec) or is_placeholder(name)


CHECKS: dict[str, tuple[Check, ...]] = {"MCPServer": (check,)}
