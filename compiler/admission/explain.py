"""Faults to findings. Imported only when something is wrong."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..diagnostics.secret_detection import gives_itself_away, looks_secret
from ..diagnostics.secret_text import MASK, is_nearly_sensitive
from ..diagnostics.secret_value import Secrets, secrets_of
from ..diagnostics.suggestion import MOST_HINTS, is_slip
from ..models.history import version_of_change
from ..reading.bound import MAX_FINDINGS
from ..reading.rules import BEYOND_BOUNDS
from ..toolhive.unmodelled import deferred, softened
from .consequence import independent
from .describe import DESCRIBERS, Description, Place, describe_later, value_at
from .explain_metadata import metadata_findings
from .fault import CelRule, Sort, Violation
from .later import release_without
from .table import table_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..diagnostics.finding import Finding, Subject
    from ..diagnostics.span import Path, Span
    from ..reading.document import Document
    from ..toolhive.profile import Profile
    from .table import Table

_BETWEEN_WORDS: Final = re.compile("(?<=[a-z])(?=[A-Z])")
_NAME: Final = re.compile("[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?")
_MAY_SHOW_A_SECRET: Final = frozenset({Sort.UNKNOWN, Sort.TYPE, Sort.ENUM, Sort.PATTERN, Sort.FORMAT})


class Judge(NamedTuple):
    """By what a document was checked.

    Attributes:
        kind: The name by which more is known of its kind.
        table: What its checks were built from.
        release: The release of the operator.
        is_certain: Whether the installed release surely refuses the same: it is modelled, or its CRDs are given.
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
    """Return a finding for each fault of a document that does not follow from another, and one that there are more.

    Args:
        document: The document.
        subject: Its identity.
        faults: What its checks noted.
        profile: The names that the operator goes by.
        judge: By what it was checked: by the models of the profile's release, unless this states something else.
        most: How many findings are made.
    """
    if judge is None:
        release = profile.judging_release
        judge = Judge(subject.kind, table_of(release), release, is_certain=profile.is_modelled)
    out: list[Finding] = []
    unknown = 0
    secrets = secrets_of(document.data)
    for fault in independent(faults, judge.kind, judge.release):
        unknown += fault.sort is Sort.UNKNOWN
        named = Violation(fault.sort, fault.path, fault.value, _respelt(fault.detail, profile))
        path = tuple(reversed(fault.path))
        place = Place(document, judge.kind, path, judge.release, judge.table, has_hint=unknown <= MOST_HINTS)
        found = list(islice(_findings(place, subject, named, secrets), most + 1 - len(out)))
        if not judge.is_certain:
            missing = fault.detail if fault.sort is Sort.MISSING else None
            change = version_of_change(judge.kind, path, fault.value, missing)
            found = [deferred(softened(finding, profile), change, profile) for finding in found]
        out.extend(found)
        if len(out) > most:
            message = f"the file has more than {MAX_FINDINGS:,} faults: others of this document are not reported"
            span = document.span(("kind",))
            out[most:] = [BEYOND_BOUNDS.finding(span, message, document=document.index, subject=subject)]
            break
    return out


def _respelt(detail: Any, profile: Profile) -> Any:
    """Return what a fault notes of the table in the names of a profile: fields, texts and rules."""
    if isinstance(detail, CelRule):
        field = detail.field and profile.spell(detail.field)
        return detail._replace(message=profile.spell(detail.message), field=field)
    if isinstance(detail, tuple):
        return tuple([_respelt(one, profile) for one in detail])
    return profile.spell(detail) if isinstance(detail, str) else detail


def _findings(place: Place, subject: Subject, fault: Violation, secrets: Secrets) -> Iterator[Finding]:
    document, path = place.document, place.path
    if fault.sort is Sort.METADATA or (fault.sort is Sort.MISSING and fault.detail == "metadata" and not path):
        yield from metadata_findings(document, subject, secrets)
        return
    hidden = _secret(place, fault)
    if hidden and isinstance(fault.value, str):
        # Masked before it is described: the message quotes the value.
        fault = Violation(fault.sort, fault.path, MASK, fault.detail)
    if fault.sort is Sort.UNKNOWN and is_nearly_sensitive(str(path[-1]), _name_beside(place)):
        hidden = (document.span(path),)
    release = release_without(fault, place.kind, path, place.release)
    described = DESCRIBERS[fault.sort](place, fault) if release is None else describe_later(place, fault, release)
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


def _is_misspelled(place: Place, fault: Violation) -> bool:
    """Return whether an unknown field is one slip away from a field that its object lacks, if a hint may say so."""
    if fault.sort is not Sort.UNKNOWN or not place.has_hint:
        return False
    fields = value_at(place._replace(path=place.path[:-1]))
    return any(name not in fields and is_slip(str(place.path[-1]), name) for name in fault.detail)


def _secret(place: Place, fault: Violation) -> tuple[Span, ...]:
    """Return the place of a text at a fault that looks like a secret: it is on the line that is shown.

    Such stand under unknown fields, and where the name of a Secret is asked for.
    """
    if fault.sort not in _MAY_SHOW_A_SECRET:
        return ()
    value = value_at(place)
    if not isinstance(value, str):
        return ()
    name = _BETWEEN_WORDS.sub("_", str(place.path[-1] if place.path else ""))
    is_reference = name.endswith("_Ref") and _NAME.fullmatch(value) is not None
    is_secret = gives_itself_away(value) or (looks_secret(name.removesuffix("_Ref"), value) and not is_reference)
    return (place.document.span(place.path),) if is_secret else ()


def _name_beside(place: Place) -> Any:
    holder = value_at(place._replace(path=place.path[:-1]))
    return holder.get("name") if isinstance(holder, dict) else None


def _span(document: Document, described: Description, path: Path) -> Span:
    place = path if described.place is None else described.place
    if described.on_key and place and isinstance(place[-1], str):
        return document.key_span(place)
    return document.span(place or ("kind",))
