"""Two resources of one identity."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .finding import Rule

if TYPE_CHECKING:
    from .finding import Finding
    from .resource import Resource

DUPLICATE = Rule(
    id="ADM090",
    name="duplicate-resource",
    stage="admission",
    severity="error",
    title="Two resources have the same kind, namespace and name.",
    doc="""Two resources of the files have the same kind, namespace and name.

Flagged: the second of them, in the order of files and documents. Resources that state no namespace count as being in
the same one.

Why it bites: the API server knows only one object of an identity, so the one that is applied later silently replaces
the other; kustomize refuses to build.

Example: two files that both declare MCPToolConfig `read-only`.

Cure: rename one of them or remove it. Alternatives for different clusters belong into separate folders, checked one by
one.

Source: Kubernetes API conventions, names.
""",
)
RULES = (DUPLICATE,)


def duplicate(resource: Resource, first: Resource) -> Finding:
    """Tell that ``resource`` repeats ``first``."""
    message = f'{resource.kind} "{resource.name}" is declared a second time'
    hint = "rename or remove one of the two"
    if resource.namespace is None:
        message += ", and nothing says that the two are in different namespaces"
        hint += "; or state their namespaces, also in a kustomization.yaml, or check their folders one by one"
    else:
        message += f' in namespace "{resource.namespace}"'
    return resource.finding(
        DUPLICATE,
        ("metadata", "name"),
        message,
        hint=hint,
        notes=(first.note("the first one is here"),),
    )
