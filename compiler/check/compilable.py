"""Select the resources of a report that can be compiled, with sentences about those that cannot.

Sound resources are left out, too, if their output depends on placeholders, missing objects or fields of later releases.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ...validators.pod import unfilled_places
from ..admission.identity import UNKNOWN_KIND, refused_namespace
from ..admission.table import KINDS, checks_of
from ..admission.violation import Sort, Violation
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.placeholder import is_placeholder
from ..diagnostics.shown import sanitized
from ..toolhive.release import NEWEST_MODELLED
from ..workspace.reference import DATA_FIELDS, declared_keys
from ..workspace.workspace import CORE_KINDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ..diagnostics.finding import Finding, Subject
    from ..reading.document import Document
    from ..workspace.reference import Reference
    from ..workspace.resource import Resource
    from ..workspace.workspace import Workspace
    from .full import Report

_MOST_FOLDERS: Final = 3
"""Maximum number of folders that a sentence names, so that it stays readable."""
_MEMBER_FIELDS: Final = ("transport", "proxyMode", "proxyPort")
"""Fields of group members that the configuration of a virtual server contains, in addition to authentication."""


class Compilable(NamedTuple):
    """The resources of a report that can be compiled.

    Attributes:
        resources: The compilable resources, in reading order.
        left_out: Sentences about resources that cannot be compiled although they have no error.
        has_errors: True if a resource was refused or left out.
    """

    resources: list[Resource]
    left_out: tuple[str, ...]
    has_errors: bool


class Unknown(NamedTuple):
    """The reason why a resource cannot be compiled.

    Attributes:
        missing: The reference of ``resource`` to an object that is outside the files or is filled at run time; ``None``
            if a placeholder is the reason.
    """

    resource: Resource
    missing: Reference | None = None


def refusing_later(report: Report) -> Report:
    """Return the report with the warnings of stage admission as errors, except those about a misspelled kind.

    Most of these warnings say that only a later release accepts a value. The compiled objects would lack the value, for
    example the authorization of a server. The other warnings are about files that nothing applies.
    """
    unapplied = report.loaded.plan.unapplied
    hint = sanitized(f"mcpcfg compiles what releases up to {NEWEST_MODELLED} of the operator make of a resource")
    findings = [
        finding._replace(severity="error", hint=finding.hint if finding.span.file in unapplied else hint)
        if (finding.stage, finding.severity) == ("admission", "warning") and finding.rule != UNKNOWN_KIND.id
        else finding
        for finding in report.findings
    ]
    return report._replace(findings=findings)


def compilable(
    report: Report, name: Callable[[str], str] = str, wanted: frozenset[Resource] | None = None
) -> Compilable:
    """Return the resources that can be compiled.

    A resource that the API server or the operator refuses is never compiled, even if the configuration lowers the
    severity of the error, because compile steps rely on the checks of rules. A resource with another reported error
    that is not a lint is not compiled either. In files that nothing applies, warnings and all faults of stage process
    count as errors.

    A resource is also left out if its output depends on a placeholder or on an object outside the files, directly or
    through other resources.

    Args:
        name: Returns the name of a file for sentences.
        wanted: The resources to select from; default: all.
    """
    selected = [resource for resource in report.loaded.resources if wanted is None or resource in wanted]
    unapplied = report.loaded.plan.unapplied
    blocking_findings = [
        finding
        for finding in report.findings
        if finding.stage != "lint"
        and (
            finding.severity == "error"
            # The check lowers the severity of findings in files that nothing applies, so warnings count there, and
            # faults of stage process count at any severity.
            or (finding.span.file in unapplied and (finding.severity == "warning" or finding.stage == "process"))
        )
    ]
    findings_by_resource: dict[tuple[Subject | None, str, str], list[Finding]] = {}
    for finding in blocking_findings:
        for subject, copy_id in _affected_copies(finding, report):
            findings_by_resource.setdefault((subject, copy_id, finding.span.file), []).append(finding)
    accepted = [
        resource
        for resource in selected
        if resource.admitted
        and not report.workspace.is_refused(resource)
        and not refused_namespace(resource)
        and not any(
            _is_about(finding, resource.document)
            for finding in findings_by_resource.get((resource.subject, resource.copy_id, resource.document.file), ())
        )
    ]
    compilable_resources: list[Resource] = []
    left_out: list[str] = []
    for resource in accepted:
        unknown = first_unknown(resource, report.workspace)
        if unknown is None:
            compilable_resources.append(resource)
        else:
            left_out.append(sanitized(f"{name(resource.document.file)}: {_why_not_compiled(resource, unknown)}"))
    left_out += _uncertain_copies(report, selected, name)
    selected_keys = {(resource.subject, resource.copy_id, resource.document.file) for resource in selected}
    has_errors = any(wanted is None or key[0] is None or key in selected_keys for key in findings_by_resource)
    return Compilable(compilable_resources, tuple(left_out), has_errors=has_errors or bool(left_out))


def altered(report: Report, compiled: Iterable[Resource], name: Callable[[str], str] = str) -> tuple[str, ...]:
    """Return a sentence about the kustomizations whose changes the compiled output lacks; an empty tuple if none.

    Args:
        name: Returns the name of a file for sentences.
    """
    return _altered(report, compiled, name, "pipe the output of kustomize to mcpcfg build -")


def unapplied(report: Report) -> tuple[str, ...]:
    """Return a sentence about the kustomizations whose changes the check ignores; an empty tuple if none."""
    reported = report.project.reported
    checked = [
        resource for resource in report.loaded.resources if reported is None or resource.document.file in reported
    ]
    cure = "pipe the output of kustomize or flux to mcpcfg check -"
    return _altered(report, [resource for resource in checked if resource.kind in KINDS], str, cure)


def _altered(report: Report, resources: Iterable[Resource], name: Callable[[str], str], advice: str) -> tuple[str, ...]:
    """Return a sentence about the kustomizations that change ``resources``; an empty tuple if none."""
    overlays = report.loaded.plan.overlays
    folders = (
        overlays.altering_folders(resource.document.file for resource in resources) if overlays is not None else []
    )
    if not folders:
        return ()
    named = ", ".join(name(folder) for folder in folders[:_MOST_FOLDERS])
    more = f" and {len(folders) - _MOST_FOLDERS} more" if len(folders) > _MOST_FOLDERS else ""
    return (sanitized(f"patches, components and other names in {named}{more} are not applied; {advice}"),)


def _affected_copies(finding: Finding, report: Report) -> Iterator[tuple[Subject | None, str]]:
    """Yield the key of each copy that a finding is about: its subject, and its `Resource.copy_id`.

    A report has one finding for several copies, so one finding may yield several keys.
    """
    yield finding.subject, finding.copy_id
    if finding.subject is not None and report.found_in:
        from .copies import occurrence

        yield from report.found_in.get(occurrence(finding), ())


def _is_about(finding: Finding, document: Document) -> bool:
    prefix = document.prefix
    return finding.document in {None, document.index} and (
        finding.path is None or finding.path[: len(prefix)] == prefix
    )


def _uncertain_copies(report: Report, selected: Iterable[Resource], name: Callable[[str], str]) -> Iterator[str]:
    """Yield sentences about copies that are left out although the report has no error about them.

    The operator refuses such a copy as written, but an overlay may fix it, so `reported_once` drops the error.
    """
    loaded = report.loaded
    reported_copies = {(copy, key[1].file, key[3]) for key, copies in report.found_in.items() for copy in copies}
    for resource in selected if loaded.copied else ():
        file = resource.document.file
        identity = ((resource.subject, resource.copy_id), file, resource.document.index)
        is_reported = identity not in loaded.copied or identity in reported_copies
        if resource.admitted and report.workspace.is_refused(resource) and not is_reported:
            what = f"{resource.kind} {resource.name!r} is not compiled for namespace {resource.printed_namespace}"
            why = "as it is written the operator refuses it there, and what its overlay makes of it is not known"
            advice = "pipe the output of kustomize to mcpcfg build -"
            yield sanitized(f"{name(file)}: {what}: {why}; {advice}")


def _why_not_compiled(resource: Resource, unknown: Unknown) -> str:
    what = f"{resource.kind} {resource.name!r}"
    if unknown.resource is not resource:
        what += f" depends on {unknown.resource.kind} {unknown.resource.name!r}, which"
    if needs_other_build(unknown.resource):
        return f"{what} is of type obo, which only other builds of the operator know, and is left out"
    if any(doubt.is_lint_alone for doubt in unknown.resource.doubts) or needs_unmodelled_release(unknown.resource):
        return f"{what} has fields of a later release than {NEWEST_MODELLED}, the newest modelled one, and is left out"
    if unknown.missing is None:
        advice = "fill them in first (envsubst, flux build) and pipe the result to mcpcfg build -"
        return f"{what} holds placeholders and is not compiled; {advice}"
    missing = f"{unknown.missing.kind} {unknown.missing.name!r}"
    if unknown.missing.target is not None:
        return (
            f"{what} depends on {missing}, which is declared without data, and is not compiled; state what it will hold"
        )
    return f"{what} depends on {missing}, which is in no file, and is not compiled; name the file that declares it too"


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
