"""Look up the Secret that a configuration names, like the operator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..compiler.diagnostics.span import Path
    from ..compiler.workspace.resource import Resource
    from ..compiler.workspace.workspace import Workspace


def secret_problem(workspace: Workspace, config: Resource, path: Path) -> str | None:
    """Return why the operator cannot read the Secret key that ``config`` names, as a clause, or ``None`` if it can.

    The result is also ``None`` if ``config`` has no such reference.

    Args:
        path: The path of the reference below ``spec``.
    """
    ref: Any = config.spec
    for step in path:
        ref = ref.get(str(step)) or {}
    if not ref:
        return None
    if not ref.get("name"):
        return "it names no Secret"
    if not ref.get("key"):
        return f'it names no key of Secret "{ref["name"]}"'
    reference = workspace.reference(config, "spec", *path, "name")
    if reference is None or reference.problem is None:
        return None
    if reference.problem == "key-missing":
        return f'Secret "{reference.name}" has no key "{reference.key}"'
    return f'Secret "{reference.name}" does not exist in namespace "{config.printed_namespace}"'
