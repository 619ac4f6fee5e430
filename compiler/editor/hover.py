"""Hover texts: the page of a field, the target of a reference, and the summary of a rule."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Final

from ...validators import registry
from ..diagnostics import file_path
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.page import without_links
from ..diagnostics.shown import sanitized
from ..generate.explain.field_page import page_of
from .flow import unquoted
from .outline import outline_at
from .subject import subject_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..diagnostics.finding import Finding, Rule
    from ..generate.explain.schema_place import SchemaPlace
    from ..workspace.workspace import Workspace
    from .outline import Extent, OutlineEntry
    from .subject import CursorSubject, FileContext

_MOST_FIELDS: Final = 60
"""Maximum number of listed fields, because a hover window shows only a few dozen lines."""
_SPECIAL: Final = re.compile(r"([\\`*_{}\[\]<>#|~])")
"""Characters that Markdown may interpret."""


class Hover(NamedTuple):
    """The text that an editor shows for the word under the mouse.

    Attributes:
        extent: Range of the key or value that the text describes; ``None`` if the text only describes findings.
    """

    markdown: str
    plain: str
    extent: Extent | None


def hover(
    text: str,
    offset: int,
    file_context: FileContext,
    workspace: Workspace | None = None,
    findings: Iterable[Finding] = (),
) -> Hover | None:
    """Return the hover text at ``offset``, or ``None`` if there is nothing to show.

    Args:
        text: The whole file.
        offset: Position of the mouse.
        file_context: Facts about the file.
    """
    rules = registry.all_rules()
    broken = dict.fromkeys(finding.rule for finding in findings)
    spell = file_context.profile.spell
    parts = [_rule_summary(rules[id_].respelt(spell)) for id_ in broken if id_ in rules]
    extent: Extent | None = None
    outline = outline_at(text, offset)
    entry_at = outline.at(offset)
    if entry_at is not None:
        entry, on = entry_at
        subject = subject_of(outline, entry.path, file_context)
        place = subject.at(entry.path) if subject is not None else None
        if subject is not None and on == "value" and workspace is not None and entry.text:
            namespace = outline.scalar((*subject.prefix, "metadata", "namespace"))
            parts += _reference_target(subject, entry, namespace, workspace, file_context)
        if place is not None:
            parts.append((spell(markdown_of(place)), spell(page_of(place))))
        if parts:
            extent = entry.key if on == "key" else entry.value
    if not parts:
        return None
    return Hover("\n\n---\n\n".join(part for part, _ in parts), "\n\n".join(part for _, part in parts), extent)


def markdown_of(place: SchemaPlace, *, with_fields: bool = True) -> str:
    """Return the page of a field as Markdown, with at most `_MOST_FIELDS` of its fields."""
    parts = [f"`{place.shown}`: {escaped(place.type)}{', required' if place.is_required else ''}"]
    if place.description:
        parts.append(escaped(place.description))
    facts = [f"{label}: {_code(text)}" for label, text in place.facts]
    if facts:
        parts.append("  \n".join(facts))
    fields = place.fields() if with_fields else {}
    if fields:
        rows = [
            f"- `{name}` ({escaped(inner.type)}) {escaped(inner.description)}".rstrip()
            for name, inner in fields.items()
        ]
        left = len(rows) - _MOST_FIELDS
        parts.append("\n".join(rows[:_MOST_FIELDS] + ([f"- and {left} more"] if left > 0 else [])))
    return "\n\n".join(parts)


def escaped(text: str) -> str:
    """Return plain text with the special characters of Markdown escaped."""
    return _SPECIAL.sub(r"\\\1", text)


def _code(text: str) -> str:
    fence = "``" if "`" in text else "`"
    return f"{fence}{text}{fence}"


def _rule_summary(rule: Rule) -> tuple[str, str]:
    title = f"{rule.id} {rule.name} ({rule.stage} {rule.severity})"
    paragraphs = (f"Why this matters: {rule.page.why}", f"Fix: {rule.page.fix}")
    more = f"mcpcfg explain {rule.id}"
    plain = "\n\n".join((title, rule.title, *map(without_links, paragraphs), f"More: {more}"))
    marked = "\n\n".join((f"**{escaped(title)}**", escaped(rule.title), *paragraphs, f"More: `{more}`"))
    return marked, plain


def _reference_target(
    subject: CursorSubject, entry: OutlineEntry, namespace: str | None, workspace: Workspace, file_context: FileContext
) -> list[tuple[str, str]]:
    """Return one text, as Markdown and as plain text, that says where the reference in ``entry`` leads.

    The text also says if no file declares the target. The list is empty if the entry is not the name in a reference.
    """
    reference = subject.reference(entry.path)
    if reference is None or reference[1]:
        return []
    kind, name = reference[0].kind, unquoted(entry.text or "")
    target = workspace.find(kind, namespace, name, file_context.file)
    if target is None:
        if workspace.context.has(kind, name):
            text = f"{kind} {name} exists elsewhere, by the configuration"
        else:
            text = f"{kind} {name}: no file of the project declares it"
        return [_fit(text)]
    place = target.at(("metadata", "name"))
    file = file_path.relpath(place.file, file_context.root) if file_context.root else os.path.basename(place.file)
    return [_fit(f"{kind} {target.printed_namespace}/{target.name}, {file}:{place.line}")]


def _fit(text: str) -> tuple[str, str]:
    fit = sanitized(text)
    return escaped(fit), fit
