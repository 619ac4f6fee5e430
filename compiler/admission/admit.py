"""Admit a document: report what the API server would refuse, and return the object that it would store."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.finding import Subject
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.placeholder import is_placeholder
from ..reading.bound import MAX_FINDINGS
from ..toolhive.profile import TOOLHIVE, Profile
from ..workspace.index import CORE_KINDS
from ..workspace.resource import UNKNOWN_NAMESPACE, Resource
from .table import FILES, checks_of
from .violation import Sort, Violation

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..diagnostics.doubt import Doubt
    from ..diagnostics.finding import Finding
    from ..diagnostics.span import Path
    from ..reading.document import Document, Place
    from .reference import SchemaOf

UNSTATED: Final = ""
"""Namespace of the subject of a finding if the document states none, until other files decide the namespace."""


class Admission(NamedTuple):
    """The result of admitting a document.

    Attributes:
        kind: The kind if the operator owns it, or ``None`` for all other documents, which stay unchecked.
        data: The object as the API server would store it, with defaults and without nulls and unknown fields. If the
            API server refuses the object, only its sound parts (`sound.py`).
        findings: Everything that the API server would refuse, and numbers that the operator cannot decode.
        has_unknown_values: True if a placeholder replaces a number, boolean, list or object, or a string that must
            match a pattern or a list of values.
        renamed: Fields written in another spelling: the path as written, and the name in ``data``.
        doubts: Paths at which rules of later stages report nothing.
    """

    kind: str | None
    data: Any
    findings: list[Finding]
    has_unknown_values: bool = False
    renamed: tuple[tuple[Path, str], ...] = ()
    doubts: tuple[Doubt, ...] = ()

    @property
    def admitted(self) -> bool:
        """True if the API server would store the object: no finding is an error of admission."""
        return not any(
            finding.severity == "error" and finding.stage in ("admission", "syntax") for finding in self.findings
        )


def is_object(data: Any, profile: Profile = TOOLHIVE) -> bool:
    """Return whether a value has both ``kind`` and ``apiVersion``, or one of them with a value of the operator."""
    if type(data) is not dict:
        return False
    kind, api_version = data.get("kind"), data.get("apiVersion")
    if "kind" in data and "apiVersion" in data:
        return True
    return (
        kind in checks_of(profile).table.kinds
        if isinstance(kind, str)
        else str(api_version).startswith(f"{profile.api_group}/")
    )


def admit(
    document: Document,
    *,
    profile: Profile = TOOLHIVE,
    namespace: str = "default",
    reference: SchemaOf | None = None,
    most: int = MAX_FINDINGS,
) -> Admission:
    """Check a document, and return the findings and the data with defaults.

    Args:
        document: Any document. Objects of other API groups are returned unchecked, unless the profile has their CRD.
        namespace: The namespace that findings print if the document states none.
        reference: Returns the JSON Schema of a kind in a release. If given, the libraries jsonschema and cel-python
            decide instead of the generated checks.
        most: The maximum number of faults that get a finding.
    """
    data = document.data
    if type(data) is not dict:
        return Admission(None, data, [])
    if profile.crds is not None:
        admission: Admission | None = profile.crds.admission(document, profile, namespace, most)
        if admission is not None:
            return admission
    kind: Any = data.get("kind")
    api_version = data.get("apiVersion")
    _, checks, versions, table = checks_of(profile)
    kinds = table.kinds
    unserved: list[Finding] = []
    if not (type(kind) is str and type(api_version) is str and kind in kinds and api_version in versions) or (
        kind in table.first_version_only and not profile.serves(api_version)
    ):
        # Imported here: most documents need no findings, and a start without them is faster.
        from .identity import identity_findings

        unserved = identity_findings(document, profile, namespace)
        # A release that is not modelled may serve the version: the other resources refer to the object all the same.
        is_read = not profile.is_modelled and isinstance(kind, str) and kind in kinds
        if not is_read or str(api_version).rpartition("/")[0] != profile.api_group:
            return Admission(None, data, unserved)
    faults: list[Violation] = []
    if reference is not None:
        from .reference import judge

        stored = judge(kind, data, profile, faults, reference)
    else:
        stored = checks.check(kinds[kind])(data, faults)
    if not faults:
        return Admission(kind, stored, unserved)
    outcome = _explained(document, stored, faults, profile, namespace=namespace, most=most)
    return outcome._replace(findings=[*unserved, *outcome.findings]) if unserved else outcome


def _explained(
    document: Document, stored: Any, faults: list[Violation], profile: Profile, *, namespace: str, most: int
) -> Admission:
    from .explain import explain
    from .identity import subject_of
    from .sound import sound

    subject = subject_of(document.data, namespace)
    findings = explain(document, subject, faults, profile, most=most)
    _, checks, _, table = checks_of(profile)
    remains = sound(subject.kind, stored, faults, checks, table)
    unknown = bool(remains.doubts) or any(fault.sort is Sort.PLACEHOLDER for fault in faults)
    return Admission(subject.kind, remains.data, findings, unknown, remains.renamed, remains.doubts)


def admit_document(
    document: Document,
    origins: Mapping[Path, Place] = MappingProxyType({}),
    *,
    profile: Profile = TOOLHIVE,
    reference: SchemaOf | None = None,
    most: int = MAX_FINDINGS,
) -> tuple[Resource | None, list[Finding]]:
    """Return the resource that a document declares, and the findings of `admit`.

    The resource is ``None`` if the object has no name, or is neither of the operator nor a core object that resources
    refer to, such as a Secret. A refused object has a resource too, so references to it still resolve.

    Args:
        origins: The places of values that other files set, such as a namespace, by the paths of the values.
        reference: The schemas for jsonschema and cel-python, as in `admit`.
        most: The maximum number of faults that get a finding, as in `admit`.
    """
    outcome = admit(document, profile=profile, namespace=UNSTATED, reference=reference, most=most)
    data = document.data
    kind = outcome.kind
    if kind is None and data.get("apiVersion") == "v1":
        kind = next((core for core in CORE_KINDS if core == data.get("kind")), None)
    metadata = data.get("metadata")
    name = metadata.get("name") if isinstance(metadata, dict) else None
    if kind is None or not isinstance(name, str):
        return None, outcome.findings
    stated = metadata.get("namespace") if isinstance(metadata, dict) else None
    resource = Resource(
        document,
        outcome.data,
        kind,
        name,
        # A placeholder leaves the namespace unknown, as if the document stated none.
        stated if isinstance(stated, str) and stated and not is_placeholder(stated) else None,
        admitted=outcome.admitted,
        has_unknown_values=outcome.has_unknown_values,
        renamed=outcome.renamed,
        doubts=outcome.doubts,
        # The API server stores it, and the operator cannot read it.
        refused=next((finding.rule for finding in reversed(outcome.findings) if finding.stage == "operator"), None),
        origins=origins,
    )
    return resource, outcome.findings


def with_namespace(findings: Sequence[Finding], namespace: str | None) -> Sequence[Finding]:
    """Return the findings with ``namespace`` filled in for subjects whose documents state no namespace.

    ``None`` stands for an unknown namespace, which subjects show as ``default``.
    """
    if not any(finding.subject is not None and finding.subject.namespace == UNSTATED for finding in findings):
        return findings
    return [
        finding._replace(subject=finding.subject._replace(namespace=namespace or UNKNOWN_NAMESPACE))
        if finding.subject is not None and finding.subject.namespace == UNSTATED
        else finding
        for finding in findings
    ]


def admit_file(name: str, document: Document) -> tuple[list[Finding], Any]:
    """Return the findings about a configuration file of mcpcfg, and its data with defaults and without nulls.

    No tool replaces placeholders in this file, so they count as ordinary strings.

    Args:
        name: The name of the file's schema.
    """
    faults: list[Violation] = []
    data = checks_of(TOOLHIVE).checks.check(FILES[name])(document.data, faults)
    if not faults:
        return [], data
    from .explain import explain

    for fault in faults:
        fault.sort = fault.unless or fault.sort
    return explain(document, Subject(name, "", ""), faults, TOOLHIVE), data
