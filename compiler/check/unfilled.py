"""Find placeholders, missing objects and fields of later releases that prevent the compilation of a sound resource."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ...validators.unknown_value import unfilled_places
from ..admission.table import checks_of
from ..admission.violation import Sort, Violation
from ..diagnostics.placeholder import is_placeholder
from ..workspace.reference import DATA_FIELDS, declared_keys
from ..workspace.workspace import CORE_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..workspace.reference import Reference
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace

_MEMBER_FIELDS: Final = ("transport", "proxyMode", "proxyPort")
"""Fields of group members that the configuration of a virtual server contains, in addition to authentication."""


class Unknown(NamedTuple):
    """The reason why a resource cannot be compiled.

    Attributes:
        missing: The reference of ``resource`` to an object that is outside the files or is filled at run time; ``None``
            if a placeholder is the reason.
    """

    resource: Resource
    missing: Reference | None = None


def first_unknown(resource: Resource, workspace: Workspace) -> Unknown | None:
    """Return the first unknown value that decides the output of ``resource``, or ``None``.

    Resources that the compilation reads, through references or group membership, are searched too.
    """
    seen = {id(resource)}
    pending = [resource]
    while pending:
        current = pending.pop()
        is_unknown = current.has_unknown_values or _has_placeholder_in_quantity(current) or unfilled_places(current)
        if is_unknown or needs_unmodelled_release(current) or needs_other_build(current):
            return Unknown(current)
        for reference in workspace.references(current):
            unknown = _unknown_source(reference, workspace) if _decides(reference) else None
            if unknown is not None:
                return unknown
            target = reference.target
            if target is not None and id(target) not in seen:
                seen.add(id(target))
                pending.append(target)
    group = workspace.resolved(resource, "spec", "groupRef", "name")
    if group is None or resource.kind != "VirtualMCPServer":
        return None
    unknowns = (_unknown_in_member(member, workspace) for member in workspace.members(group[1], resource))
    return next((unknown for unknown in unknowns if unknown is not None), None)


def needs_unmodelled_release(resource: Resource) -> bool:
    """Return whether a resource has kinds or fields that only an unmodelled release accepts.

    This is only the case if the project states a release that is not modelled.
    """
    profile = resource.profile
    if profile.is_modelled:
        return False
    _, checks, _, table = checks_of(profile)
    faults: list[Violation] = []
    if resource.kind in CORE_KINDS:
        return False
    if resource.kind not in table.kinds:
        return True
    checks.check(table.kinds[resource.kind])(resource.document.data, faults)
    return any(fault.sort not in {Sort.PLACEHOLDER, Sort.RENAMED} for fault in faults)


def needs_other_build(resource: Resource[Any]) -> bool:
    """Return whether an MCPExternalAuthConfig has a type that only other builds of the operator implement.

    Source: the handler of type obo in the operator, v0.29.0.
    """
    return resource.kind == "MCPExternalAuthConfig" and resource.spec.get("type") == "obo"


def _decides(reference: Reference) -> bool:
    """Return whether the output depends on the content of a referenced object.

    The output contains only the name of a Secret, a volume or another object of a core kind, except an authorization
    ConfigMap. It also contains only the name of the group of a server.
    """
    if reference.kind in CORE_KINDS:
        return reference.path[-3:] == ("authzConfig", "configMap", "name")
    return reference.kind != "MCPGroup" or reference.source.kind == "VirtualMCPServer"


def _unknown_source(reference: Reference, workspace: Workspace) -> Unknown | None:
    if is_placeholder(reference.name) or (reference.key is not None and is_placeholder(reference.key)):
        return Unknown(reference.source)
    is_complete = workspace.context.complete or workspace.context.closed
    may_exist = reference.is_unknown or (reference.target is None and not is_complete)
    is_filled_later = (
        reference.target is not None and reference.kind in DATA_FIELDS and declared_keys(reference.target) is None
    )
    return Unknown(reference.source, reference) if (may_exist or is_filled_later) and not reference.may_dangle else None


def _unknown_in_member(member: Resource, workspace: Workspace) -> Unknown | None:
    auth = workspace.reference(member, "spec", "externalAuthConfigRef", "name")
    unknown = None if auth is None else _unknown_source(auth, workspace)
    if unknown is not None:
        return unknown
    values = (member.spec.get(field) for field in _MEMBER_FIELDS)
    is_unknown = member.has_unknown_values and any(isinstance(value, str) and is_placeholder(value) for value in values)
    return Unknown(member) if is_unknown else None


def _has_placeholder_in_quantity(resource: Resource[Any]) -> bool:
    """Return whether a quantity or duration has a placeholder. The operator would parse and format its value."""
    return any(isinstance(text, str) and is_placeholder(text) for text in _quantities(resource.spec))


def _quantities(spec: dict[str, Any]) -> Iterator[Any]:
    resources, limits, cache = spec.get("resources"), spec.get("rateLimiting"), spec.get("modelCache")
    if isinstance(cache, dict):
        yield cache.get("size")
    if isinstance(resources, dict):
        for amounts in resources.values():
            yield from amounts.values() if isinstance(amounts, dict) else ()
    if isinstance(limits, dict):
        tools = limits.get("tools")
        for limit in (limits, *(tools if isinstance(tools, list) else ())):
            for bucket in limit.values() if isinstance(limit, dict) else ():
                yield bucket.get("refillPeriod") if isinstance(bucket, dict) else None
