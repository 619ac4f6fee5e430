"""Report kinds, versions and API groups that resemble those of the operator but are misspelled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..diagnostics.fault_to_finding import restaged
from ..diagnostics.finding import Finding, Note, Rule, Subject, rule
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.placeholder import is_placeholder
from ..diagnostics.shown import shown
from ..diagnostics.suggestion import VAGUE, did_you_mean, nearest
from ..kube import names
from ..toolhive.profile import LATER_VERSION, Profile
from ..toolhive.release import SECOND_VERSION_SINCE
from ..toolhive.unmodelled import downgrade_unmodelled
from ..workspace.other_kind import health_checks
from ..workspace.resource import NAMESPACE
from .table import KINDS, checks_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..diagnostics.span import Path
    from ..reading.document import Document
    from ..workspace.resource import Resource

UNKNOWN_KIND = rule("ADM030 unknown-kind", "admission", "A kind that the API group does not have")
UNKNOWN_VERSION = rule("ADM031 unknown-version", "admission", "A version that the API group does not have")
WRONG_API_GROUP = rule(
    "ADM032 wrong-api-group", "admission", "An API group that resembles the operator's", unmodelled="all"
)
MISSING_TYPE = rule(
    "ADM033 missing-kind-or-version", "admission", "An object without kind or apiVersion", unmodelled="all"
)
NO_OBJECT = rule(
    "ADM091 list-element-is-no-object",
    "admission",
    "An element of a list of objects is not an object",
    unmodelled="all",
)

_RESEMBLANCE = 0.85
"""Minimum similarity, from 0 to 1, of a misspelled API group. Groups of other programs are less similar."""
_LIST = "List"


def subject_of(data: Any, namespace: str) -> Subject:
    """Return the identity of an object for findings; a missing kind or name is empty.

    ``namespace`` replaces a missing namespace.
    """
    metadata = data.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    return Subject(_text(data.get("kind")), _text(metadata.get("namespace")) or namespace, _text(metadata.get("name")))


def identity_findings(document: Document, profile: Profile, namespace: str) -> list[Finding]:
    """Return the findings about a misspelled kind, version or API group of the operator; usually none."""
    data = document.data
    # What a placeholder becomes may be any object.
    if any(isinstance(value, str) and is_placeholder(value) for value in (data.get("kind"), data.get("apiVersion"))):
        return []
    slip = _slip(data.get("kind"), data.get("apiVersion"), profile)
    if slip is None:
        return []
    is_stated = document.has((slip.field,))
    # A release that is not modelled may well serve another version: only a modelled one knows which to write.
    is_certain = profile.has_known_schemas or slip.rule is not UNKNOWN_VERSION
    finding = slip.rule.finding(
        document.span((slip.field,) if is_stated else ("kind",)),
        slip.message,
        document=document.index,
        subject=subject_of(data, namespace),
        path=(*document.prefix, slip.field) if is_stated else document.prefix,
        hint=slip.hint if is_certain else None,
        notes=slip.notes,
    )
    return [downgrade_unmodelled(finding, profile)]


def misstated_health_checks(document: Document, profile: Profile) -> Iterator[Finding]:
    """Yield a lint for each health check of a Flux Kustomization whose kind or version does not exist."""
    subject = subject_of(document.data, "")
    for path, check in health_checks(document.data).items():
        if check.get("apiVersion"):
            for finding in identity_findings(document.part(path, check), profile, ""):
                yield restaged(finding, "lint")._replace(subject=subject)


def no_object(whole: Document, element: Document, profile: Profile) -> list[Finding]:
    """Return a finding if an element of a Kubernetes list is not an object; empty otherwise, and for placeholders.

    Args:
        whole: The outermost list.
    """
    kind, group = whole.data.get("kind"), _text(whole.data.get("apiVersion")).rpartition("/")[0]
    if (kind != _LIST and group != profile.api_group) or (
        isinstance(element.data, str) and is_placeholder(element.data)
    ):
        return []
    description = (
        "nothing" if element.data is None else "a list" if isinstance(element.data, list) else shown(element.data)
    )
    message = f"{description} where {kind} has an object"
    return [
        NO_OBJECT.finding(
            element.span(()),
            message,
            document=element.index,
            path=element.prefix,
            hint="remove the entry" if element.data is None else "write the object itself, with apiVersion and kind",
        )
    ]


def is_nearly_ours(kind: str, api_version: str, profile: Profile) -> bool:
    """Return whether a kind and API version are those of the operator, or similar enough to be reported."""
    _, _, versions, table = checks_of(profile)
    return (kind in table.kinds and api_version in versions) or _slip(kind, api_version, profile) is not None


_ELSEWHERE = {
    **dict.fromkeys(("ConfigMap", "Namespace", "Secret", "Service", "ServiceAccount"), "v1"),
    **dict.fromkeys(("DaemonSet", "Deployment", "StatefulSet"), "apps/v1"),
    **dict.fromkeys(("Role", "RoleBinding"), "rbac.authorization.k8s.io/v1"),
    **dict.fromkeys(("Ingress", "NetworkPolicy"), "networking.k8s.io/v1"),
}
"""API versions of kinds of Kubernetes that often stand beside those of the operator."""


class _Slip(NamedTuple):
    rule: Rule
    field: str
    message: str
    hint: str | None
    notes: tuple[Note, ...] = ()


def _slip(kind: Any, api_version: Any, profile: Profile) -> _Slip | None:
    table = checks_of(profile).table
    ours = isinstance(kind, str) and kind.removesuffix(_LIST) in table.kinds
    if not isinstance(api_version, str) or not api_version:
        if not ours:
            return None
        message = f"{kind} has no apiVersion" if api_version in (None, "") else "apiVersion is not a string"
        return _Slip(MISSING_TYPE, "apiVersion", message, _write(kind, api_version, profile))
    group = api_version.rpartition("/")[0]
    if group != profile.api_group:
        if not (_resembles(group, profile.api_group) if ours else _is_similar_group(group, kind, profile)):
            return None
        message = f"{kind} is not of the API group {shown(group)}" if group else f"{kind} needs an API group"
        return _Slip(WRONG_API_GROUP, "apiVersion", message, _write(kind, api_version, profile))
    if not isinstance(kind, str) or not kind:
        message = f"an object of {group} has no kind" if kind in (None, "") else "kind is not a string"
        return _Slip(MISSING_TYPE, "kind", message, "add kind, such as MCPServer")
    if not ours:
        return _unknown_kind(kind, group, profile)
    return _unserved_version(kind, api_version, profile)


def _write(kind: Any, api_version: Any, profile: Profile) -> str:
    """Return the hint with the ``apiVersion`` of a kind of the operator. A stated version that is served stays."""
    _, _, versions, table = checks_of(profile)
    same_version = f"{profile.api_group}/{str(api_version).rpartition('/')[2]}"
    stored = same_version if same_version in versions else profile.api_version()
    if str(kind) in table.first_version_only:
        stored = f"{profile.api_group}/{profile.versions[0]}"
    return f"write apiVersion: {stored}"


def _unserved_version(kind: str, api_version: str, profile: Profile) -> _Slip | None:
    group, _, version = api_version.rpartition("/")
    _, _, versions, table = checks_of(profile)
    if kind in table.first_version_only and not profile.serves(api_version):
        message = f"{kind} has no version {shown(version)}"
        return _Slip(UNKNOWN_VERSION, "apiVersion", message, _write(kind, api_version, profile))
    if api_version in versions:
        return None
    if version != LATER_VERSION and profile.is_modelled:
        return _Slip(
            UNKNOWN_VERSION,
            "apiVersion",
            f"{group} has no version {shown(version)}",
            _write(kind, api_version, profile),
        )
    note = Note(f"the operator serves it from release {SECOND_VERSION_SINCE} on")
    message = f"release {profile.judging_release} does not serve {shown(version)}"
    return _Slip(
        UNKNOWN_VERSION, "apiVersion", message, _write(kind, api_version, profile), (note,) * (version == LATER_VERSION)
    )


def _unknown_kind(kind: str, group: str, profile: Profile) -> _Slip:
    from .later import release_of_kind  # what later releases have is loaded where a kind is unknown

    release = release_of_kind(kind.removesuffix(_LIST), profile.judging_release)
    if release is not None:
        note = Note(f"the operator has it from release {release} on")
        message = f"release {profile.judging_release} has no kind {shown(kind)}"
        return _Slip(UNKNOWN_KIND, "kind", message, None, (note,))
    if kind in _ELSEWHERE:
        hint: str | None = f"write apiVersion: {_ELSEWHERE[kind]}"
    else:
        hint = did_you_mean(kind, checks_of(profile).table.kinds, likeness=VAGUE)
    what = group if profile.is_modelled else f"release {profile.judging_release}"
    return _Slip(UNKNOWN_KIND, "kind", f"{what} has no kind {shown(kind)}", hint)


def _is_similar_group(group: str, kind: Any, profile: Profile) -> bool:
    is_near = bool(group) and group.rpartition(".")[0] == profile.api_group.rpartition(".")[0]
    return is_near and isinstance(kind, str) and nearest(kind, KINDS, likeness=VAGUE) is not None


def _resembles(group: str, ours: str) -> bool:
    if not group or group.rpartition(".")[0] == ours.rpartition(".")[0]:
        return True
    from difflib import SequenceMatcher

    # An API group is a DNS name of at most 253 characters; comparing longer texts would take quadratic time.
    same = sum(block.size for block in SequenceMatcher(None, group[:253], ours, autojunk=False).get_matching_blocks())
    return 2 * same / (len(group[:253]) + len(ours)) >= _RESEMBLANCE


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def refused_namespace(resource: Resource) -> names.Reasons:
    """Return why Kubernetes refuses the namespace that another file sets for a resource, as clauses.

    The result is empty for a valid namespace, for a placeholder, and if the document itself states the namespace.
    """
    namespace = resource.namespace or ""
    if NAMESPACE not in resource.origins or resource.kind not in KINDS or is_placeholder(namespace):
        return ()
    return names.dns_label_faults(namespace)


def report_namespaces(resources: Iterable[Resource]) -> Iterator[Finding]:
    """Yield a finding for each place outside the documents, such as a kustomization, that sets an invalid namespace.

    The resources stay admitted, so references between them cause no further findings.
    """
    reported: set[tuple[str, int, Path]] = set()
    for resource in resources:
        place, reasons = resource.origins.get(NAMESPACE), refused_namespace(resource)
        if place is None or not reasons:
            continue
        if place.key not in reported:
            from .explain_metadata import INVALID_NAME

            reported.add(place.key)
            message = f"namespace {shown(resource.namespace)} {', and '.join(reasons)}"
            yield INVALID_NAME.finding(
                place.span, message, document=place.document.index, path=(*place.document.prefix, *place.path)
            )
