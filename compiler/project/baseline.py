"""Baselines: files of accepted findings, which later checks do not report.

A finding is identified by rule, resource and message, or by its file if it has no resource. The line does not count,
because files are edited, moved and renamed. A baseline states how many findings of each identity it accepts.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.retired import current_id
from ..diagnostics.span import InputError
from ..disk.files import read_named

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..diagnostics.finding import Finding

VERSION = 1
"""Version of the format of baselines. `read` refuses other versions, which may identify findings otherwise."""
_TEXTS = ("rule", "kind", "namespace", "resource", "file", "message")


class BaselineEntry(NamedTuple):
    """The identity of an accepted finding.

    Attributes:
        kind: Kind of the resource; empty if the finding has none.
        file: Path with ``/`` as separator; empty if the finding has a resource.
    """

    rule: str
    kind: str
    namespace: str
    resource: str
    file: str
    message: str


class Comparison(NamedTuple):
    """The outcome of comparing findings with a baseline.

    Attributes:
        new: Findings that the baseline does not accept, in their order.
        gone: Entries of which the baseline accepts more findings than there are, sorted, each with the difference.
    """

    new: list[Finding]
    accepted: int
    gone: list[tuple[BaselineEntry, int]]


def entry_of(finding: Finding) -> BaselineEntry:
    """Return the identity of a finding in a baseline."""
    subject = finding.subject
    if subject is None:
        # With one separator, a baseline from Windows is also valid on Linux.
        return BaselineEntry(finding.rule, "", "", "", finding.span.file.replace("\\", "/"), finding.message)
    return BaselineEntry(finding.rule, subject.kind, subject.namespace, subject.name, "", finding.message)


def write(findings: Iterable[Finding]) -> str:
    """Return the JSON of a baseline that accepts the findings, sorted for review and for stable output."""
    counts = Counter(map(entry_of, findings))
    rows = []
    for entry in sorted(counts):
        row: dict[str, Any] = {field: value for field, value in entry._asdict().items() if value}
        if counts[entry] > 1:
            row["count"] = counts[entry]
        rows.append(row)
    return json.dumps({"version": VERSION, "findings": rows}, indent=2, ensure_ascii=False) + "\n"


def read(text: str | bytes, file: str) -> dict[BaselineEntry, int]:
    """Parse a baseline, and return how many findings it accepts for each entry.

    Args:
        file: Path of the baseline, for messages.

    Raises:
        InputError: The text is not a baseline of this version.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file}: the baseline is not JSON: {error}") from error
    if not isinstance(data, dict) or not isinstance(data.get("findings"), list):
        raise InputError(f"{file}: this is not a baseline; write one with --write-baseline")
    if data.get("version") != VERSION:
        raise InputError(f"{file}: the baseline is of version {data.get('version')}, not {VERSION}; write it anew")
    accepted = Counter[BaselineEntry]()
    for number, row in enumerate(data["findings"]):
        entry, count = _read_entry(row, f"{file}: findings[{number}]")
        accepted[entry] += count
    return accepted


def load(file: str) -> dict[BaselineEntry, int]:
    """Read a baseline file, and return how many findings it accepts for each entry.

    Raises:
        InputError: The file cannot be read, is too large, or is not a baseline of this version.
    """
    return read(read_named(file), file)


def compare(findings: Iterable[Finding], accepted: dict[BaselineEntry, int]) -> Comparison:
    """Compare findings with a baseline. Of identical findings, the first ones are accepted."""
    left = Counter[BaselineEntry]()
    for entry, count in accepted.items():
        left[entry._replace(rule=current_id(entry.rule))] += count
    new: list[Finding] = []
    suppressed = 0
    for finding in findings:
        entry = entry_of(finding)
        if left[entry] > 0:
            left[entry] -= 1
            suppressed += 1
        else:
            new.append(finding)
    gone = [(entry, count) for entry, count in sorted(left.items()) if count > 0]
    return Comparison(new, suppressed, gone)


def _read_entry(row: Any, place: str) -> tuple[BaselineEntry, int]:
    if not isinstance(row, dict) or not isinstance(row.get("rule"), str) or not isinstance(row.get("message"), str):
        raise InputError(f"{place} needs a rule and a message")
    texts = [row.get(field, "") for field in _TEXTS]
    count = row.get("count", 1)
    if not all(isinstance(text, str) for text in texts) or type(count) is not int or count < 1:
        raise InputError(f"{place} has a value of another type than a baseline's")
    rule, kind, namespace, resource, file, message = texts
    return BaselineEntry(rule, kind, namespace, resource, file, message), count
