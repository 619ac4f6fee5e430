"""What keeps a sound resource from being compiled: placeholders, objects elsewhere, fields of a later release."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ...validators.unknown_value import unfilled_places
from ..admission.fault import Sort, Violation
from ..admission.table import checks_of
from ..diagnostics.placeholder import is_placeholder
from ..workspace.reference import DATA_FIELDS, declared_keys
from ..workspace.workspace import CORE_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..workspace.reference import Reference
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace

_READ_OF_MEMBERS: Final = ("transport", "proxyMode", "proxyPort")
"""Fields of a virtual server's configuration about the members of its group, beside their authentication."""


class Unknown(NamedTuple):
    """Why a resource cannot be compiled.

    Attributes:
        resource: Where that lies: the resource itself, or one that its compilation reads.
        missing: The reference of it that leads out of the files, or to what is filled at run time; ``None`` where it
            holds placeholders.
    """

    resource: Resource
    missing: Reference | None = None


def unknown_beneath(resource: Resource, workspace: Workspace) -> Unknown | None:
    """Return the first of ``resource`` and what its compilation reads of which something is unknown that decides."""
    seen = {id(resource)}
    following = [resource]
    while following:
        one = following.pop()
        is_unknown = one.has_unknown_values or _holds_unread_text(one) or unfilled_places(one)
        if is_unknown or is_beyond(one) or is_of_other_builds(one):
            return Unknown(one)
        for reference in workspace.references(one):
            unknown = _unknown_source(reference, workspace) if _decides(reference) else None
            if unknown is not None:
                return unknown
            target = reference.target
            if target is not None and id(target) not in seen:
                seen.add(id(target))
                following.append(target)
    group = workspace.resolved(resource, "spec", "groupRef", "name")
    if group is None or resource.kind != "VirtualMCPServer":
        return None
    of_members = (_unknown_of_member(member, workspace) for member in workspace.members(group[1], resource))
    return next((one for one in of_members if one is not None), None)


def is_beyond(resource: Resource) -> bool:
    """Return whether a resource has what the release that judges does not take, and the unmodelled one may take."""
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


def is_of_other_builds(resource: Resource[Any]) -> bool:
    """Return whether an MCPExternalAuthConfig is of a type that the operator leaves to builds with more in them.

    Source: the handler of type obo in the operator, v0.29.0.
    """
    return resource.kind == "MCPExternalAuthConfig" and resource.spec.get("type") == "obo"


def _decides(reference: Reference) -> bool:
    """Return whether what is compiled depends on what stands in the object that is referred to.

    Of Secrets, volumes and the like only the names are written; so is the name of the group that a server is in.
    """
    if reference.kind in CORE_KINDS:
        return reference.path[-3:] == ("authzConfig", "configMap", "name")
    return reference.kind != "MCPGroup" or reference.source.kind == "VirtualMCPServer"


def _unknown_source(reference: Reference, workspace: Workspace) -> Unknown | None:
    """Return why it is not known what stands in the object that is referred to."""
    if is_placeholder(reference.name) or (reference.key is not None and is_placeholder(reference.key)):
        return Unknown(reference.source)
    is_complete = workspace.context.complete or workspace.context.closed
    may_exist = reference.is_unknown or (reference.target is None and not is_complete)
    is_shell = (
        reference.target is not None and reference.kind in DATA_FIELDS and declared_keys(reference.target) is None
    )
    return Unknown(reference.source, reference) if (may_exist or is_shell) and not reference.may_dangle else None


def _unknown_of_member(member: Resource, workspace: Workspace) -> Unknown | None:
    """Return what is unknown of a member of a group and decides what a virtual server makes of it."""
    auth = workspace.reference(member, "spec", "externalAuthConfigRef", "name")
    unknown = None if auth is None else _unknown_source(auth, workspace)
    if unknown is not None:
        return unknown
    given = (member.spec.get(field) for field in _READ_OF_MEMBERS)
    is_unknown = member.has_unknown_values and any(isinstance(one, str) and is_placeholder(one) for one in given)
    return Unknown(member) if is_unknown else None


def _holds_unread_text(resource: Resource[Any]) -> bool:
    """Return whether a placeholder stands in a text that the operator reads and writes anew: a quantity, a duration."""
    return any(isinstance(text, str) and is_placeholder(text) for text in _read_texts(resource.spec))


def _read_texts(spec: dict[str, Any]) -> Iterator[Any]:
    resources, limits, cache = spec.get("resources"), spec.get("rateLimiting"), spec.get("modelCache")
    if isinstance(cache, dict):
        yield cache.get("size")
    if isinstance(resources, dict):
        for amounts in resources.values():
            yield from amounts.values() if isinstance(amounts, dict) else ()
    if isinstance(limits, dict):
        tools = limits.get("tools")
        for one in (limits, *(tools if isinstance(tools, list) else ())):
            for bucket in one.values() if isinstance(one, dict) else ():
                yield bucket.get("refillPeriod") if isinstance(bucket, dict) else None
