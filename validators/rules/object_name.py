"""Rules about names of resources that make names of created objects invalid or equal."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, cast

from ...compiler.diagnostics.fault_to_finding import restaged
from ...compiler.diagnostics.placeholder import is_placeholder
from ..rule import facts_of, rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ...compiler.diagnostics.finding import Stage
    from ...compiler.models.mcpserver import MCPServerSpec
    from ..rule import Check, Finding, ProjectRule, Resource, Workspace

UNFIT = rule(
    "NAM001 unfit-name-for-service", "operator", "A resource's name is not valid for its Service or its labels"
)
COLLISION = rule("NAM002 colliding-objects", "lint", "Two resources make the operator create the same object")

CREATING = ("MCPServer", "MCPRemoteProxy", "VirtualMCPServer", "MCPRegistry", "EmbeddingServer")
STATEFUL_SET_LENGTH = 52
"""Maximum characters of a StatefulSet's name.

The StatefulSet controller appends the hash of the revision to it, as a label of at most 63 characters.
"""


_CREATED: dict[str, tuple[str, ...]] = {
    "MCPServer": (
        "Deployment/%s",
        "StatefulSet/%s",
        "ConfigMap/%s-runconfig",
        "ServiceAccount/%s-proxy-runner",
        "Service/mcp-%s-proxy",
    ),
    "MCPRemoteProxy": ("Deployment/%s", "ConfigMap/%s-runconfig", "Service/mcp-%s-remote-proxy"),
    "VirtualMCPServer": ("Deployment/%s", "ConfigMap/%s-vmcp-config", "Service/vmcp-%s"),
    "MCPRegistry": (
        "Deployment/%s-api",
        "Service/%s-api",
        "ServiceAccount/%s-registry-api",
        "ConfigMap/%s-registry-server-config",
    ),
    "EmbeddingServer": ("StatefulSet/%s", "Service/%s"),
}
_SERVICES = ("Service/mcp-%s", "Service/mcp-%s-headless")
"""More objects of an MCPServer with a transport other than stdio."""
_ACCOUNTS = {
    "MCPServer": "ServiceAccount/%s-sa",
    "MCPRemoteProxy": "ServiceAccount/%s-remote-proxy-runner",
    "VirtualMCPServer": "ServiceAccount/%s-vmcp",
}
"""The ServiceAccount that is created if the resource names none, by kind."""
_POLICIES = "ConfigMap/%s-authz-inline"


def created(resource: Resource) -> tuple[str, ...]:
    """Return the objects that are created for a resource and must be unique, as ``KIND/NAME``.

    In the names, ``%s`` stands for the name of the resource, so resources with the same objects share the same tuple.
    """
    spec = cast("MCPServerSpec", resource.spec)  # the other kinds have some of these fields
    listens = resource.kind == "MCPServer" and spec.get("transport") != "stdio"
    has_policies = (spec.get("authzConfig") or {}).get("type") == "inline"
    return _created(resource.kind, listens=listens, has_account="serviceAccount" in spec, has_policies=has_policies)


@cache
def _created(kind: str, *, listens: bool, has_account: bool, has_policies: bool) -> tuple[str, ...]:
    more: tuple[str, ...] = _SERVICES if listens else ()
    if kind in _ACCOUNTS:
        more += () if has_account else (_ACCOUNTS[kind],)
        more += (_POLICIES,) if has_policies else ()
    return (*_CREATED[kind], *more)


LABELS = {"MCPRegistry": "{}-registry-api"}
"""Label value that the operator derives from the name of a resource, if it is not the name itself."""
STATEFUL = ("MCPServer", "EmbeddingServer")
LONGEST_FIT = 40
"""Maximum characters of a name that is valid with every prefix and suffix that the operator adds."""


def check_name(resource: Resource, _: Workspace) -> Iterator[Finding]:
    """Report a name that makes the name of a created Service or StatefulSet, or a label value, invalid."""
    name = resource.name
    if (len(name) <= LONGEST_FIT and "." not in name and not name[0].isdigit()) or is_placeholder(name):
        return
    why = next(_refused_by_api_server(resource), None)
    stage: Stage = "operator"
    if why is None:
        why, stage = next(_refused_later(resource), None), "process"
    if why is not None:
        hint = "choose a name of at most 40 letters, digits and dashes that begins with a letter"
        yield restaged(resource.finding(UNFIT, ("metadata", "name"), why, hint=hint), stage)


def _refused_by_api_server(resource: Resource) -> Iterator[str]:
    from ...compiler.kube.names import label_value_faults

    yield from _services(resource, _CREATED[resource.kind])
    label = LABELS.get(resource.kind, "{}").format(resource.name)
    for reason in label_value_faults(label):
        yield f'Kubernetes refuses the label value "{label}" that is derived from it: it {reason}'


def _refused_later(resource: Resource) -> Iterator[str]:
    yield from _services(resource, (object_name for object_name in created(resource) if object_name in _SERVICES))
    if resource.kind in STATEFUL and len(resource.name) > STATEFUL_SET_LENGTH:
        yield f"the StatefulSet of that name gets no pods: more than {STATEFUL_SET_LENGTH} characters leave no room"


def _services(resource: Resource, objects: Iterable[str]) -> Iterator[str]:
    from ...compiler.kube.names import dns_1035_label_faults

    for kind, _, name in ((object_name % resource.name).partition("/") for object_name in objects):
        for reason in dns_1035_label_faults(name) if kind == "Service" else ():
            yield f'Kubernetes refuses the Service "{name}" that is created for it: it {reason}'


def find_collisions(workspace: Workspace) -> Iterator[Finding]:
    """Yield a finding for each resource for which the operator creates the same object as for an earlier resource.

    Also yield one for each declared ConfigMap or ServiceAccount that the operator creates too.
    """
    units = workspace.context.layout.units
    owners: dict[tuple[str | None, str], dict[str, Resource]] = {}
    for resource, objects in facts_of(CREATING, _created_for, workspace):
        names = [template % resource.name for template in objects]
        shared: dict[str, Resource] = {}
        for unit in units(resource.document.file, resource.roots):
            here = owners.setdefault((resource.namespace, unit), {})
            # The first resource keeps the object; every later one collides with it.
            first = {template: here.setdefault(template, resource) for template in names}
            others = {template: other for template, other in first.items() if other is not resource}
            shared |= {template: other for template, other in others.items() if other.identity != resource.identity}
        if shared and not is_placeholder(resource.name):
            yield _collision(resource, [*shared.values()][-1], [template.replace("/", " ") for template in shared])
    for kind in ("ConfigMap", "ServiceAccount"):
        for resource in workspace.of_kind(kind) if owners else ():
            made_here = [
                owners.get((resource.namespace, unit), {}).get(f"{kind}/{resource.name}")
                for unit in units(resource.document.file, resource.roots)
            ]
            maker = next((template for template in made_here if template is not None), None)
            if maker is not None:
                yield _collision(resource, maker, [f"{kind} {resource.name}"])


def _created_for(resource: Resource, _: Workspace) -> tuple[str, ...]:
    return created(resource)


def _collision(resource: Resource, first: Resource, shared: list[str]) -> Finding:
    message = f'{first.kind} "{first.name}" makes the operator create {", ".join(shared)} too'
    notes = (first.note("it is here"),)
    return resource.finding(COLLISION, ("metadata", "name"), message, hint="rename one of the two", notes=notes)


CHECKS: dict[str, tuple[Check, ...]] = dict.fromkeys(CREATING, (check_name,))
PROJECT_RULES: tuple[ProjectRule, ...] = (find_collisions,)
