"""Which resources of a report can be compiled, and why the others cannot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from ..admission.identity import refused_namespace
from ..admission.table import KINDS
from ..diagnostics.shown import sanitized
from ..toolhive.release import NEWEST
from .unfilled import is_beyond, is_of_other_builds, unknown_beneath

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ..diagnostics.finding import Finding, Subject
    from ..reading.document import Document
    from ..workspace.resource import Resource
    from .full import Report
    from .unfilled import Unknown

_MOST_FOLDERS: Final = 3
"""Folders that are named where one sentence is about many."""


class Compilable(NamedTuple):
    """What of a report can be compiled.

    Attributes:
        resources: In reading order.
        left_out: Why others cannot, though nothing refuses them; a sentence each.
        has_errors: Whether a resource is refused or left out.
    """

    resources: list[Resource]
    left_out: tuple[str, ...]
    has_errors: bool


def refusing_later(report: Report) -> Report:
    """Return a report with errors where a check warns that a later release takes what ours does not.

    What is compiled would lack it: a server without the authorization that its file asks for.
    """
    hint = f"mcpcfg compiles what releases up to {NEWEST} of the operator make of a resource"
    findings = [
        one._replace(severity="error", hint=hint) if (one.stage, one.severity) == ("admission", "warning") else one
        for one in report.findings
    ]
    return report._replace(findings=findings)


def compilable(
    report: Report, name: Callable[[str], str] = str, wanted: frozenset[Resource] | None = None
) -> Compilable:
    """Return the resources that can be compiled.

    What the operator refuses is never compiled, also where the configuration takes the error back: the compile steps
    rely on what the rules have seen. What holds placeholders where values decide, or leans on such a resource or on one
    that is elsewhere, is left out.

    Args:
        report: As `refusing_later` returns it.
        name: Returns the name by which sentences call a file.
        wanted: Those that are asked for; all where it is left out.
    """
    asked = [one for one in report.loaded.resources if wanted is None or one in wanted]
    unapplied = report.loaded.plan.unapplied
    errors = [
        one
        for one in report.findings
        if one.stage != "lint"
        and (
            one.severity == "error"
            or (one.span.file in unapplied and (one.severity == "warning" or one.stage == "process"))
        )
    ]
    refused: dict[tuple[Subject | None, str, str], list[Finding]] = {}
    for finding in errors:
        for subject, way in _copies(finding, report):
            refused.setdefault((subject, way, finding.span.file), []).append(finding)
    sound = [
        resource
        for resource in asked
        if resource.admitted
        and not report.workspace.is_refused(resource)
        and not refused_namespace(resource)
        and not any(
            _is_about(finding, resource.document)
            for finding in refused.get((resource.subject, resource.way, resource.document.file), ())
        )
    ]
    good: list[Resource] = []
    left_out: list[str] = []
    for resource in sound:
        unknown = unknown_beneath(resource, report.workspace)
        if unknown is None:
            good.append(resource)
        else:
            left_out.append(sanitized(f"{name(resource.document.file)}: {_why_not_compiled(resource, unknown)}"))
    left_out += _unsure(report, asked, name)
    ours = {(one.subject, one.way, one.document.file) for one in asked}
    has_errors = any(wanted is None or key[0] is None or key in ours for key in refused)
    return Compilable(good, tuple(left_out), has_errors=has_errors or bool(left_out))


def altered(report: Report, compiled: Iterable[Resource], name: Callable[[str], str] = str) -> tuple[str, ...]:
    """Return which kustomizations have patches, names or components that what is compiled does not show, if any has.

    Args:
        report: Of the check.
        compiled: The resources that are compiled.
        name: Returns the name by which sentences call a file.
    """
    return _altered(report, compiled, name, "compiled", "pipe the output of kustomize to mcpcfg build -")


def unapplied(report: Report) -> tuple[str, ...]:
    """Return which kustomizations have patches, names or components that a check does not apply, if any has."""
    reported = report.project.reported
    asked = [one for one in report.loaded.resources if reported is None or one.document.file in reported]
    cure = "pipe the output of kustomize or flux to mcpcfg check -"
    return _altered(report, [one for one in asked if one.kind in KINDS], str, "checked", cure)


def _altered(
    report: Report, resources: Iterable[Resource], name: Callable[[str], str], done: str, cure: str
) -> tuple[str, ...]:
    made = report.loaded.plan.overlays
    folders = made.altering_folders(resource.document.file for resource in resources) if made is not None else []
    if not folders:
        return ()
    named = ", ".join(name(folder) for folder in folders[:_MOST_FOLDERS])
    more = f" and {len(folders) - _MOST_FOLDERS} more" if len(folders) > _MOST_FOLDERS else ""
    what = "what it lists" if len(folders) == 1 else "what they list"
    said = f"{what} is {done} as it is written, without patches, components and other names: {named}{more}; {cure}"
    return (sanitized(said),)


def _copies(finding: Finding, report: Report) -> Iterator[tuple[Subject | None, str]]:
    """Yield the resource that a finding is about, and its copies that it was found of as well."""
    yield finding.subject, finding.way
    if finding.subject is not None and report.found_in:
        from .copies import occurrence

        yield from report.found_in.get(occurrence(finding), ())


def _is_about(finding: Finding, document: Document) -> bool:
    """Return whether a finding on a resource of its name is about that of ``document``, and not about a namesake."""
    at = document.prefix
    return finding.document in {None, document.index} and (finding.path is None or finding.path[: len(at)] == at)


def _unsure(report: Report, asked: Iterable[Resource], name: Callable[[str], str]) -> Iterator[str]:
    """Yield which copies are left out that the operator refuses as they are written, and an overlay may fix."""
    loaded = report.loaded
    known = {(copy, key[1].file, key[3]) for key, found in report.found_in.items() for copy in found}
    for resource in asked if loaded.copied else ():
        file = resource.document.file
        identity = ((resource.subject, resource.way), file, resource.document.index)
        is_reported = identity not in loaded.copied or identity in known
        if resource.admitted and report.workspace.is_refused(resource) and not is_reported:
            named = f"{resource.kind} {resource.name!r} is not compiled for namespace {resource.printed_namespace}"
            why = "as it is written the operator refuses it there, and what its overlay makes of it is not known"
            cure = "pipe the output of kustomize to mcpcfg build -"
            yield sanitized(f"{name(file)}: {named}: {why}; {cure}")


def _why_not_compiled(resource: Resource, unknown: Unknown) -> str:
    named = f"{resource.kind} {resource.name!r}"
    if unknown.resource is not resource:
        named += f" leans on {unknown.resource.kind} {unknown.resource.name!r}, which"
    if is_of_other_builds(unknown.resource):
        return f"{named} is of type obo, which only other builds of the operator know, and is left out"
    if any(one.is_lint_alone for one in unknown.resource.doubts) or is_beyond(unknown.resource):
        return f"{named} has fields of a later release than {NEWEST}, the newest that is known, and is left out"
    if unknown.missing is None:
        cure = "fill them in first (envsubst, flux build) and pipe the result to mcpcfg build -"
        return f"{named} holds placeholders and is not compiled; {cure}"
    missing = f"{unknown.missing.kind} {unknown.missing.name!r}"
    if unknown.missing.target is not None:
        return (
            f"{named} leans on {missing}, which is declared without data, and is not compiled; state what it will hold"
        )
    return f"{named} leans on {missing}, which is in no file, and is not compiled; name the file that declares it too"
