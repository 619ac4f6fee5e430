"""Changes of compiled objects as text, JSON and Markdown."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.secret.text import masked
from ..diagnostics.shown import in_json, line, sanitized
from ..report.markdown import cell, code
from .difference import MISSING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .difference import ObjectChange, ValueChange

SIGNS = {"added": "+", "removed": "-", "changed": "~"}


def as_text(changes: Sequence[ObjectChange]) -> str:
    """Return changes for a terminal: a line for each object with its effects, and a line for each field."""
    lines = []
    for change in changes:
        namespace, kind, name = change.identity
        effects = f"  ({'; '.join(change.effects)})" if change.effects else ""
        file = f" in {change.file}" if change.file else ""
        cluster = f" of {change.cluster}" if change.cluster else ""
        lines.append(line(f"{SIGNS[change.change]} {kind} {namespace}/{name}{cluster}{file}{effects}"))
        lines += [line(f"    {f.pointer}: {f.shown[0]} -> {f.shown[1]}") for f in change.fields]
    return "".join(f"{text}\n" for text in lines)


def as_json(changes: Sequence[ObjectChange]) -> str:
    """Return changes as JSON. The key ``old`` or ``new`` is left out if that object lacks the value."""
    shaped = [
        {
            "namespace": masked(change.identity[0]),
            "kind": change.identity[1],
            "name": masked(change.identity[2]),
            **({"cluster": masked(change.cluster)} if change.cluster else {}),
            **({"file": change.file} if change.file else {}),
            "change": change.change,
            "effects": [sanitized(effect) for effect in change.effects],
            "fields": [_field(field) for field in change.fields],
        }
        for change in changes
    ]
    return in_json(json.dumps({"version": 1, "changes": shaped}, indent=2, ensure_ascii=False)) + "\n"


def as_markdown(changes: Sequence[ObjectChange]) -> str:
    """Return changes as Markdown, for a comment on a pull request."""
    from jinja2 import Environment, PackageLoader

    environment = Environment(  # noqa: S701 - Markdown: every value passes the filter ``cell``
        loader=PackageLoader("mcpcfg.templates", ""), keep_trailing_newline=True
    )
    environment.filters.update(cell=cell, code=code)
    return environment.get_template("diff.md.j2").render(changes=changes, sections=_sections(changes), signs=SIGNS)


class _ReportSection(NamedTuple):
    """The changes in one namespace of one cluster."""

    title: str
    anchor: str
    changes: tuple[ObjectChange, ...]

    @property
    def counts(self) -> str:
        """The numbers of added, removed and changed objects as text, such as ``2 added, 1 changed``."""
        counted = Counter[str](change_.change for change_ in self.changes)
        return ", ".join(f"{counted[change]} {change}" for change in SIGNS if counted[change])

    @property
    def effects(self) -> tuple[str, ...]:
        counted = Counter(effect for change_ in self.changes for effect in change_.effects)
        return tuple(f"{effect} ({count})" if count > 1 else effect for effect, count in counted.items())


def _sections(changes: Sequence[ObjectChange]) -> list[_ReportSection]:
    by_part: dict[tuple[str, str], list[ObjectChange]] = {}
    for change in changes:
        by_part.setdefault((change.cluster, change.identity[0]), []).append(change)
    titled = [(" · ".join(filter(None, part)) or "no namespace", by_part[part]) for part in sorted(by_part)]
    return [
        _ReportSection(title, f"changes-{number}", tuple(part_changes))
        for number, (title, part_changes) in enumerate(titled, 1)
    ]


FORMATS = {"text": as_text, "json": as_json, "markdown": as_markdown}


def _field(field: ValueChange) -> dict[str, Any]:
    shaped: dict[str, Any] = {"path": field.pointer}
    if field.old is not MISSING:
        shaped["old"] = field.old
    if field.new is not MISSING:
        shaped["new"] = field.new
    return shaped
