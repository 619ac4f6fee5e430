"""Findings that are known and accepted: written down once, and left out from then on.

A finding is identified by its rule, its resource and its message, not by its line: files may be edited, moved and
renamed. Of a finding without a resource the file counts. Two that are alike are counted.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from ..diagnostics.retired import current_id
from ..diagnostics.span import InputError
from ..disk.files import read_named

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..diagnostics.finding import Finding

VERSION = 1
_TEXTS = ("rule", "kind", "namespace", "resource", "file", "message")


class Entry(NamedTuple):
    """A finding that is known.

    Attributes:
        rule: Id of its rule.
        kind: Kind of the resource; empty without one.
        namespace: Namespace of the resource.
        resource: Name of the resource.
        file: The file, where the finding is about no resource.
        message: Its message.
    """

    rule: str
    kind: str
    namespace: str
    resource: str
    file: str
    message: str


class Compared(NamedTuple):
    """What a baseline makes of findings.

    Attributes:
        new: Findings that it does not know, in their order.
        known: How many it knows.
        gone: Entries whose finding is no longer there, with how many are missing.
    """

    new: list[Finding]
    known: int
    gone: list[tuple[Entry, int]]


def entry_of(finding: Finding) -> Entry:
    """Return what identifies a finding."""
    subject = finding.subject
    if subject is None:
        # The same baseline serves on Windows.
        return Entry(finding.rule, "", "", "", finding.span.file.replace("\\", "/"), finding.message)
    return Entry(finding.rule, subject.kind, subject.namespace, subject.name, "", finding.message)


def write(findings: Iterable[Finding]) -> str:
    """Write findings as a baseline: JSON for people to review, sorted, the same for the same findings."""
    counts = _counted(findings)
    rows = []
    for entry in sorted(counts):
        row: dict[str, Any] = {field: value for field, value in entry._asdict().items() if value}
        if counts[entry] > 1:
            row["count"] = counts[entry]
        rows.append(row)
    return json.dumps({"version": VERSION, "findings": rows}, indent=2, ensure_ascii=False) + "\n"


def read(text: str | bytes, file: str) -> dict[Entry, int]:
    """Read a baseline: how often each entry is known.

    Raises:
        InputError: It is no baseline of this version.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file}: the baseline is not JSON: {error}") from error
    if not isinstance(data, dict) or not isinstance(data.get("findings"), list):
        raise InputError(f"{file}: this is not a baseline; write one with --write-baseline")
    if data.get("version") != VERSION:
        raise InputError(f"{file}: the baseline is of version {data.get('version')}, not {VERSION}; write it anew")
    known: dict[Entry, int] = {}
    for i, row in enumerate(data["findings"]):
        entry, count = _entry(row, f"{file}: findings[{i}]")
        known[entry] = known.get(entry, 0) + count
    return known


def load(file: str) -> dict[Entry, int]:
    """Read the baseline that ``file`` holds, as `read`.

    Raises:
        InputError: It cannot be read, is too large, or is no baseline of this version.
    """
    return read(read_named(file), file)


def compare(findings: Iterable[Finding], known: dict[Entry, int]) -> Compared:
    """Compare findings with a baseline; of those that are alike it lists the first, as many as it counts."""
    left: dict[Entry, int] = {}
    for entry, count in known.items():
        current = entry._replace(rule=current_id(entry.rule))
        left[current] = left.get(current, 0) + count
    new: list[Finding] = []
    met = 0
    for finding in findings:
        entry = entry_of(finding)
        if left.get(entry, 0) > 0:
            left[entry] -= 1
            met += 1
        else:
            new.append(finding)
    gone = [(entry, count) for entry, count in sorted(left.items()) if count > 0]
    return Compared(new, met, gone)


def _counted(findings: Iterable[Finding]) -> dict[Entry, int]:
    counts: dict[Entry, int] = {}
    for finding in findings:
        entry = entry_of(finding)
        counts[entry] = counts.get(entry, 0) + 1
    return counts


def _entry(row: Any, where: str) -> tuple[Entry, int]:
    if not isinstance(row, dict) or not isinstance(row.get("rule"), str) or not isinstance(row.get("message"), str):
        raise InputError(f"{where} needs a rule and a message")
    texts = [row.get(field, "") for field in _TEXTS]
    count = row.get("count", 1)
    if not all(isinstance(text, str) for text in texts) or type(count) is not int or count < 1:
        raise InputError(f"{where} has a value of another type than a baseline's")
    rule, kind, namespace, resource, file, message = texts
    return Entry(rule, kind, namespace, resource, file, message), count
