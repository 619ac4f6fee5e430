"""Select findings about unreadable documents, because some are templates or belong to other programs."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Final

from ..admission.identity import is_nearly_ours
from ..admission.table import checks_of
from ..diagnostics.named_tuple import NamedTuple
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
"""Maximum number of API versions and of kinds that are read from a document. More than two only occur if the line
between documents is missing.
"""


class Unread(NamedTuple):
    """The findings to report about unreadable documents, and the templates among these documents.

    Attributes:
        templates: The first and the last line of each template that may belong to the operator.
        documents: The zero-based indices of the documents that are templates.
    """

    findings: list[Finding]
    templates: list[tuple[int, int]]
    documents: frozenset[int | None]


def sort_unread(text: str, file: str, findings: Sequence[Finding], profile: Profile, *, named: bool) -> Unread:
    """Separate findings of the reader about the operator's documents from those about templates and other documents.

    Args:
        text: The content of the file.
        named: True if the call names the file. Then findings are only dropped if they are about templates, or about
            documents that clearly state a kind of another program.
    """

    @cache
    def may_be_operators() -> bool:
        return named or has_hint(text, file, profile)

    kept: list[Finding] = []
    templates: list[tuple[int, int]] = []
    documents: set[int | None] = set()
    for (first, last, body), document_findings in _findings_by_part(text, file, findings):
        if is_template(body):
            documents.update(finding.document for finding in document_findings)
            if may_be_operators():
                templates.append((first, last))
            continue
        is_operators = _has_operator_types(body, profile)
        if is_operators or (is_operators is None and may_be_operators()):
            kept += document_findings
    return Unread(kept, templates, frozenset(documents))


def _findings_by_part(
    text: str, file: str, findings: Sequence[Finding]
) -> list[tuple[tuple[int, int, str], list[Finding]]]:
    """Return the parts of a file that have findings: each as first line, last line and text, with its findings."""
    whole = (1, text.count("\n") + 1, text)
    parts = [whole]
    if not file.endswith(".json"):
        excerpts_of_file = list(excerpts(text, file))
        ends = [excerpt.first_line for excerpt in excerpts_of_file[1:]]
        parts = [
            (excerpt.first_line + 1, end, excerpt.body)
            for excerpt, end in zip(excerpts_of_file, [*ends, whole[1]], strict=True)
        ]
    starts = [first for first, _, _ in parts]
    findings_by_part: dict[int, list[Finding]] = {}
    for finding in findings:
        part_index = -1 if finding.document is None else bisect_right(starts, finding.span.line) - 1
        findings_by_part.setdefault(part_index, []).append(finding)
    return [
        (whole if part_index < 0 else parts[part_index], part_findings)
        for part_index, part_findings in findings_by_part.items()
    ]


def _has_operator_types(body: str, profile: Profile) -> bool | None:
    """Return whether an unreadable document states an API version or kind of the operator.

    The result is ``None``, for unknown, if the document states no type, is a list, or is of a core kind.
    """
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
    """Return 1 for a ytt template that may belong to the operator, 0 for other ytt templates, else ``None``."""
    decoded = decode(text)
    return int(has_hint(decoded, file, profile)) if is_of_ytt(decoded) else None


def has_hint(text: str, file: str, profile: Profile) -> bool:
    """Return whether an unreadable text contains the operator's API group, one of its kinds, or a field of a record."""
    group = re.escape(profile.api_group.rpartition(".")[0])
    kinds = "|".join(checks_of(profile).table.kinds)
    return re.search(
        rf"(?i:{group}\.)|\bkind\b\W{{0,8}}(?:{kinds})(?:List)?\b", text
    ) is not None or input_kind.resembles_record(text, is_json=file.endswith(".json") or text.lstrip()[:1] == "{")
