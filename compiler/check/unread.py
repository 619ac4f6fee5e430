"""What is made of documents that cannot be read: some are templates, and some are of other programs."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Final, NamedTuple

from ..admission.identity import is_nearly_ours
from ..admission.table import checks_of
from ..project import input_kind
from ..reading.excerpt import decode, excerpts
from ..reading.template import is_of_ytt, is_template
from ..workspace.workspace import CORE_KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..diagnostics.finding import Finding
    from ..toolhive.profile import Profile

_TYPE: Final = r"""(?m)^(?:- )?(["']?)(?P<field>apiVersion|kind)\1[ \t]*:[ \t]*["']?(?P<value>[^\s"'#,{}\[\]]+)"""
_TYPE_IN_BRACES: Final = r'"(?P<field>apiVersion|kind)"\s*:\s*"(?P<value>[^"\n]*)"'
_MOST_TYPES: Final = 8
"""Of one document: more than two are there only where the line between documents is missing."""


class Unread(NamedTuple):
    """What is reported of documents that cannot be read.

    Attributes:
        findings: Why, of those that are probably ours.
        templates: Stretches of lines, from and to, that are templates in files that may be ours; the last line belongs
            to it.
        documents: The indices of the documents that are templates.
    """

    findings: list[Finding]
    templates: list[tuple[int, int]]
    documents: frozenset[int | None]


def sort_out(text: str, file: str, findings: Sequence[Finding], profile: Profile, *, named: bool) -> Unread:
    """Return what the reader found, without what is about templates and other programs' documents.

    Args:
        text: The file.
        file: Its name.
        findings: All of documents that cannot be read, or of the file as a whole.
        profile: The names that the operator goes by.
        named: The file was named itself: only documents that state to be another program's are then dropped.
    """

    @cache
    def may_be_ours() -> bool:
        return named or has_hint(text, file, profile)

    kept: list[Finding] = []
    templates: list[tuple[int, int]] = []
    documents: set[int | None] = set()
    for (first, last, body), own in _by_excerpt(text, file, findings):
        if is_template(body):
            documents.update(finding.document for finding in own)
            if may_be_ours():
                templates.append((first, last))
            continue
        ours = _is_ours(body, profile)
        if ours or (ours is None and may_be_ours()):
            kept += own
    return Unread(kept, templates, frozenset(documents))


def _by_excerpt(text: str, file: str, findings: Sequence[Finding]) -> list[tuple[tuple[int, int, str], list[Finding]]]:
    """Return the stretches of a file that findings lie in, with them: first and last line, and the text."""
    whole = (1, text.count("\n") + 1, text)
    parts = [whole]
    if not file.endswith(".json"):
        found = list(excerpts(text, file))
        ends = [one.first_line for one in found[1:]]
        parts = [(one.first_line + 1, end, one.body) for one, end in zip(found, [*ends, whole[1]], strict=True)]
    starts = [first for first, _, _ in parts]
    sorted_out: dict[int, list[Finding]] = {}
    for finding in findings:
        at = -1 if finding.document is None else bisect_right(starts, finding.span.line) - 1
        sorted_out.setdefault(at, []).append(finding)
    return [(whole if at < 0 else parts[at], own) for at, own in sorted_out.items()]


def _is_ours(body: str, profile: Profile) -> bool | None:
    """Return, by the types that a document states, whether it is ours; ``None`` where it states none, or is a list."""
    pattern = _TYPE_IN_BRACES if body.lstrip()[:1] == "{" else _TYPE
    stated: dict[str, list[str]] = {"apiVersion": [], "kind": []}
    for match in re.finditer(pattern, body):
        values = stated[match["field"]]
        if match["value"] not in values and len(values) < _MOST_TYPES:
            values.append(match["value"])
    kinds, versions = stated["kind"], stated["apiVersion"]
    if any(is_nearly_ours(kind, version, profile) for kind, version in product(kinds, versions)):
        return True
    if not kinds or not versions or any(kind.endswith("List") for kind in kinds):
        return None
    return None if "v1" in versions and not CORE_KINDS.isdisjoint(kinds) else False


def count_ytt_templates(text: bytes, file: str, profile: Profile) -> int | None:
    """Return 1 for a template of ytt that may be ours and 0 for one of others; ``None`` if the file is no template."""
    whole = decode(text)
    return int(has_hint(whole, file, profile)) if is_of_ytt(whole) else None


def has_hint(text: str, file: str, profile: Profile) -> bool:
    """Return whether something in a text that is not read hints at our API group, one of our kinds or records."""
    group = re.escape(profile.api_group.rpartition(".")[0])
    kinds = "|".join(checks_of(profile).table.kinds)
    return re.search(
        rf"(?i:{group}\.)|\bkind\b\W{{0,8}}(?:{kinds})(?:List)?\b", text
    ) is not None or input_kind.resembles_record(text, is_json=file.endswith(".json") or text.lstrip()[:1] == "{")
