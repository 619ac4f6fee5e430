"""Whether the Secret that a configuration names can be read, as the operator looks it up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..compiler.diagnostics.span import Path
    from ..compiler.workspace.resource import Resource
    from ..compiler.workspace.workspace import Workspace


def secret_problem(workspace: Workspace, config: Resource, path: Path) -> str | None:
    """Return why the key of a Secret that ``config`` names at ``spec`` and ``path`` cannot be read; ``None``: it can.

    A name that is optional and not given is no problem.
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
