"""A document against its kind: what the API server would report, and what it would store."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..diagnostics.placeholder import is_placeholder
from ..reading.bound import MAX_FINDINGS
from ..toolhive.profile import TOOLHIVE, Profile
from ..workspace.index import CORE_KINDS
from ..workspace.resource import UNKNOWN_NAMESPACE, Resource
from .fault import Sort, Violation
from .table import checks_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..diagnostics.doubt import Doubt
    from ..diagnostics.finding import Finding
    from ..diagnostics.span import Path
    from ..reading.document import Document, Place
    from .reference import SchemaOf

UNSTATED: Final = ""
"""The namespace of a finding's subject whose document states none: other files decide it."""


class Admission(NamedTuple):
    """What became of a document.

    Attributes:
        kind: The kind, where it is one of ours; ``None`` where the document is left alone.
        data: The object as it would be stored: defaults filled in, nulls and unknown fields gone. Of one that would be
            refused, what is sound of it (`sound.py`).
        findings: All that the API server would refuse, and numbers that the operator cannot read.
        has_unknown_values: Whether a placeholder, also one of ours, stands where its value decides: in place of a
            number, boolean, list or object, or of a text that is not free.
        renamed: Fields that were written in another spelling: their path as written, and their name in ``data``.
        doubts: Places about which rules of later stages report nothing.
    """

    kind: str | None
    data: Any
    findings: list[Finding]
    has_unknown_values: bool = False
    renamed: tuple[tuple[Path, str], ...] = ()
    doubts: tuple[Doubt, ...] = ()

    @property
    def admitted(self) -> bool:
        """Whether the API server would store it; of a document with too many faults not all are looked at."""
        return not any(one.severity == "error" and one.stage in ("admission", "syntax") for one in self.findings)


def is_object(data: Any, profile: Profile = TOOLHIVE) -> bool:
    """Return whether a value is a Kubernetes object, or would be one of ours if its identity were complete."""
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
    """Check one document and fill in its defaults.

    Args:
        document: Any document; objects of other API groups are left alone.
        profile: The names that the operator goes by.
        namespace: How findings print a namespace that the document does not state.
        reference: Returns the JSON Schema of a kind in a release, by which the libraries jsonschema and cel-python
            decide instead of the generated checks; ``None`` where they do not.
        most: How many of its faults are put into words.
    """
    data = document.data
    if type(data) is not dict:
        return Admission(None, data, [])
    if profile.crds is not None:
        judged: Admission | None = profile.crds.admission(document, profile, namespace, most)
        if judged is not None:
            return judged
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
    left = sound(subject.kind, stored, faults, checks, table)
    unknown = bool(left.doubts) or any(fault.sort is Sort.PLACEHOLDER for fault in faults)
    return Admission(subject.kind, left.data, findings, unknown, left.renamed, left.doubts)


def admit_document(
    document: Document,
    origins: Mapping[Path, Place] = MappingProxyType({}),
    *,
    profile: Profile = TOOLHIVE,
    reference: SchemaOf | None = None,
    most: int = MAX_FINDINGS,
) -> tuple[Resource | None, list[Finding]]:
    """Return the resource that a document declares, and the findings of `admit`.

    The resource is ``None`` if the object is of another program, or has no name.

    Args:
        document: An object, already taken out of its ``List``.
        origins: The places of values that the document does not state, by the paths of the values.
        profile: The names that the operator goes by.
        reference: The schemas for jsonschema and cel-python, as in `admit`.
        most: The number of faults that are reported, as in `admit`.
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
        refused=next((one.rule for one in reversed(outcome.findings) if one.stage == "operator"), None),
        origins=origins,
    )
    return resource, outcome.findings


def with_namespace(findings: Sequence[Finding], namespace: str | None) -> Sequence[Finding]:
    """Return findings with ``namespace`` as that of the subjects whose documents state none."""
    if not any(one.subject is not None and one.subject.namespace == UNSTATED for one in findings):
        return findings
    return [
        one._replace(subject=one.subject._replace(namespace=namespace or UNKNOWN_NAMESPACE))
        if one.subject is not None and one.subject.namespace == UNSTATED
        else one
        for one in findings
    ]
