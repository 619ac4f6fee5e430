"""Turn faults into findings. Imported only if a document has faults."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.secret.source import SecretPlaces
from ..diagnostics.secret.text import MASK, has_credential_form, is_nearly_sensitive, looks_secret
from ..diagnostics.secret.value import Secrets, secrets_of
from ..diagnostics.suggestion import MOST_HINTS, is_slip
from ..models.history import version_of_change
from ..reading.bound import BEYOND_BOUNDS, MAX_FINDINGS
from ..toolhive.unmodelled import deferred, downgrade_unmodelled
from .consequence import independent
from .describe import STRUCTURAL, Description, FaultPlace, describe_later
from .describe_bound import BOUNDS
from .explain_metadata import metadata_findings
from .later import release_without
from .table import table_of
from .violation import CelRule, Sort, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..diagnostics.finding import Finding, Subject
    from ..diagnostics.span import Path, Span
    from ..reading.document import Document
    from ..toolhive.profile import Profile
    from .table import Table

_DESCRIBERS: Final = STRUCTURAL | BOUNDS
_BETWEEN_WORDS: Final = re.compile("(?<=[a-z])(?=[A-Z])")
_NAME: Final = re.compile("[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?")
_MAY_SHOW_A_SECRET: Final = frozenset({Sort.UNKNOWN, Sort.TYPE, Sort.ENUM, Sort.PATTERN, Sort.FORMAT})


class Judge(NamedTuple):
    """The table that a document was checked against, and its origin.

    Attributes:
        kind: The name under which hints for the kind are stored.
        is_certain: True if the installed release surely refuses the same values, because its CRDs are known or given.
    """

    kind: str
    table: Table
    release: str
    is_certain: bool = False


def explain(
    document: Document,
    subject: Subject,
    faults: list[Violation],
    profile: Profile,
    judge: Judge | None = None,
    *,
    most: int = MAX_FINDINGS,
) -> list[Finding]:
    """Return the findings for the independent faults of a document. The last finding says if there are too many.

    Args:
        subject: The identity that findings name.
        faults: All faults that the checks recorded.
        judge: The table that the document was checked against. Default: the table of the profile's release.
        most: Maximum number of findings: what the file has left of `MAX_FINDINGS`.
    """
    if judge is None:
        release = profile.judging_release
        judge = Judge(subject.kind, table_of(release), release, is_certain=profile.has_known_schemas)
    out: list[Finding] = []
    unknown = 0
    secrets = secrets_of(document.data)
    places = SecretPlaces(secrets.paths, document.span)
    for fault in independent(faults, judge.kind, judge.release):
        unknown += fault.sort is Sort.UNKNOWN
        named = Violation(fault.sort, fault.path, fault.value, _respelt(fault.detail, profile))
        path = tuple(reversed(fault.path))
        place = FaultPlace(document, judge.kind, path, judge.release, judge.table, has_hint=unknown <= MOST_HINTS)
        findings = list(islice(_findings(place, subject, named, secrets), most + 1 - len(out)))
        findings = [finding._replace(hidden=(*finding.hidden, *places.near(finding.span))) for finding in findings]
        if not judge.is_certain and not _is_too_old(fault, path, judge, profile):
            missing = fault.detail if fault.sort is Sort.MISSING else None
            change = version_of_change(judge.kind, path, fault.value, missing)
            findings = [deferred(downgrade_unmodelled(finding, profile), change, profile) for finding in findings]
        out.extend(findings)
        if len(out) > most:
            message = f"the file has more than {MAX_FINDINGS:,} faults: others of this document are not reported"
            span = document.span(("kind",))
            out[most:] = [BEYOND_BOUNDS.finding(span, message, document=document.index, subject=subject)]
            break
    return out


def _is_too_old(fault: Violation, path: Path, judge: Judge, profile: Profile) -> bool:
    """Return whether the installed release surely lacks a field, because only a release after the oldest one has it."""
    if not profile.is_older or fault.sort is not Sort.UNKNOWN:
        return False
    from .later import release_of_field

    return release_of_field(judge.kind, path, judge.release) is not None


def _respelt(detail: Any, profile: Profile) -> Any:
    if isinstance(detail, CelRule):
        field = detail.field and profile.spell(detail.field)
        return detail._replace(message=profile.spell(detail.message), field=field)
    if isinstance(detail, tuple):
        return tuple([_respelt(item, profile) for item in detail])
    return profile.spell(detail) if isinstance(detail, str) else detail


def _findings(place: FaultPlace, subject: Subject, fault: Violation, secrets: Secrets) -> Iterator[Finding]:
    document, path = place.document, place.path
    if fault.sort is Sort.METADATA or (fault.sort is Sort.MISSING and fault.detail == "metadata" and not path):
        yield from metadata_findings(document, subject, secrets)
        return
    hidden = _secret(place, fault)
    if hidden and isinstance(fault.value, str):
        # Masked before it is described: the message quotes the value.
        fault = Violation(fault.sort, fault.path, MASK, fault.detail)
    if fault.sort is Sort.UNKNOWN and is_nearly_sensitive(str(path[-1]), _sibling_name(place)):
        hidden = (document.span(path),)
    release = release_without(fault, place.kind, path, place.release)
    described = _DESCRIBERS[fault.sort](place, fault) if release is None else describe_later(place, fault, release)
    finding = described.rule.finding(
        _span(document, described, path),
        described.message,
        document=document.index,
        subject=subject,
        path=document.prefix + path,
        hint=described.hint,
        notes=described.notes,
        hidden=hidden,
        secrets=secrets,
    )
    if release is None and _is_misspelled(place, fault):
        change = version_of_change(place.kind, path, fault.value)
        # A release before the renaming takes the field by its old name.
        finding = finding._replace(unmodelled="newer" if change else "all")
    yield finding


def _is_misspelled(place: FaultPlace, fault: Violation) -> bool:
    """Return whether an unknown field differs by one typing error from a field that its object lacks.

    The result is false after very many unknown fields in the document, because the comparison takes time.
    """
    if fault.sort is not Sort.UNKNOWN or not place.has_hint:
        return False
    fields = place.siblings
    return any(name not in fields and is_slip(str(place.path[-1]), name) for name in fault.detail)


def _secret(place: FaultPlace, fault: Violation) -> tuple[Span, ...]:
    """Return the span of the fault's value if it looks like a secret, so reports mask it; otherwise nothing.

    Users write secrets in unknown fields, and in fields that expect the name of a Secret.
    """
    if fault.sort not in _MAY_SHOW_A_SECRET:
        return ()
    value = place.value
    if not isinstance(value, str):
        return ()
    name = _BETWEEN_WORDS.sub("_", str(place.path[-1] if place.path else ""))
    is_reference = name.endswith("_Ref") and _NAME.fullmatch(value) is not None
    is_secret = has_credential_form(value) or (looks_secret(name.removesuffix("_Ref"), value) and not is_reference)
    return (place.document.span(place.path),) if is_secret else ()


def _sibling_name(place: FaultPlace) -> Any:
    holder = place.siblings
    return holder.get("name") if isinstance(holder, dict) else None


def _span(document: Document, described: Description, path: Path) -> Span:
    place = path if described.place is None else described.place
    if described.on_key and place and isinstance(place[-1], str):
        return document.key_span(place)
    return document.span(place or ("kind",))
