"""Effects of another release on a project, as text and JSON."""

from __future__ import annotations

import json
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.secret.text import masked
from ..diagnostics.shown import in_json, line, sanitized

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from .crossing import Case, Event

_MOST_CASES: Final = 10
"""Maximum number of resources that the text lists for one event. The others are only counted."""
_TITLES: Final = {
    "acts": "starts to act",
    "refused": "refused from now on",
    "warned": "warned of from now on",
    "accepted": "accepted from now on",
    "restarts": "restarts",
}


class Upgrade(NamedTuple):
    """The effects of an upgrade of the operator on a project.

    Attributes:
        since: The release that judges the project now; the earliest one if files have different releases.
        to: The target release.
        written: Titles of the rewrites of each file, in order, even if the files were not written.
        events: The effects, in the order of their releases.
        refused: Number of errors that both releases report.
        remarks: Clauses about changes that a person has to check.
        is_written: True if the files were written.
    """

    since: str
    to: str
    written: Mapping[str, Sequence[str]]
    events: Sequence[Event]
    refused: int
    remarks: Sequence[str]
    is_written: bool


def as_text(upgrade: Upgrade) -> str:
    """Return an upgrade as text: the effects of each release, with the positions of the affected resources."""
    return "".join(f"{line(text)}\n" if text else "\n" for text in _lines(upgrade))


def _lines(upgrade: Upgrade) -> Iterator[str]:
    for release, events in groupby(upgrade.events, lambda event: event.release):
        yield f"release {release}"
        for sort, some in groupby(events, lambda event: event.sort):
            yield f"  {_TITLES[sort]}"
            for event in some:
                rule = f"{event.rule}: " if event.rule else ""
                restarts = " (the pods restart)" if event.restarts and sort == "acts" else ""
                yield f"    {rule}{event.message}{restarts}"
                yield from _cases(event)
        yield ""
    yield from upgrade.remarks
    if upgrade.refused:
        errors = f"{upgrade.refused} error{'s' * (upgrade.refused != 1)}"
        yield f"{errors} of both releases: mcpcfg check --release {upgrade.to} shows them"
    effects = f"; {_counted(len(upgrade.events), 'effect')} listed above" if upgrade.events else ", and no effects"
    yield f"{upgrade.since} to {upgrade.to}: {_rewrites(upgrade)}{effects}"


def _rewrites(upgrade: Upgrade) -> str:
    if not upgrade.written:
        return "nothing to rewrite"
    edits = sum(map(len, upgrade.written.values()))
    done = "made" if upgrade.is_written else "to make"
    return f"{_counted(edits, 'edit')} {done} in {_counted(len(upgrade.written), 'file')}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


def _cases(event: Event) -> Iterator[str]:
    hint: str | None = None
    for case in event.cases[:_MOST_CASES]:
        named = "" if case.subject is None else f" {case.subject.kind}/{case.subject.name}"
        message = f": {case.message}" if case.message else ""
        yield f"      {case.span.file}:{case.span.line}:{case.span.column}{named}{message}"
        if case.hint and case.hint != hint:
            hint = case.hint
            yield f"        hint: {hint}"
    if len(event.cases) > _MOST_CASES:
        yield f"      and {len(event.cases) - _MOST_CASES} more"


def as_json(upgrade: Upgrade) -> str:
    """Return an upgrade as JSON."""
    shaped: dict[str, Any] = {
        "version": 1,
        "from": upgrade.since,
        "to": upgrade.to,
        "files": [
            {"file": file, "changes": [sanitized(masked(title)) for title in titles]}
            for file, titles in upgrade.written.items()
        ],
        "events": [_event(event) for event in upgrade.events],
        "refused": upgrade.refused,
        "remarks": [sanitized(remark) for remark in upgrade.remarks],
    }
    return in_json(json.dumps(shaped, indent=2, ensure_ascii=False)) + "\n"


def _event(event: Event) -> dict[str, Any]:
    shaped: dict[str, Any] = {"release": event.release, "what": event.sort, "message": sanitized(event.message)}
    shaped |= {"rule": event.rule} if event.rule else {}
    shaped["restarts"] = event.restarts
    shaped["resources"] = [_case(case) for case in event.cases]
    return shaped


def _case(case: Case) -> dict[str, Any]:
    shaped: dict[str, Any] = {"file": case.span.file, "line": case.span.line, "column": case.span.column}
    if case.subject is not None:
        shaped |= zip(("kind", "namespace", "resource"), map(masked, case.subject), strict=True)
    shaped |= {"message": sanitized(case.message)} if case.message else {}
    return shaped | ({"hint": sanitized(case.hint)} if case.hint else {})
