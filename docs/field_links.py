"""Links the fields that the page of a rule names to the reference of their kind, and the rules to their pages."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Container

FOLDER = Path(__file__).parent / "reference"
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"(?<!\[)`([A-Za-z][\w.\[\]]*)`(?!\])|\b([A-Z]{3}\d{3})\b")
"""A field between backticks, or the id of a rule."""
ROW = re.compile(r"^\| `([^`]+)`[^|]*\| ([^|]*)", re.MULTILINE)
ANCHOR = re.compile(r"\(#([\w-]+)\)")
Tables: TypeAlias = dict[str, dict[str, str]]
"""The tables of a reference page by anchor: for each field the anchor of the table with its own fields, or an empty
string."""


@cache
def tables(name: str) -> Tables:
    """Return the tables of the reference page of a kind or file format. The table of the page itself has no anchor."""
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    found: Tables = {}
    for part in re.split(r"^## ", f"\n{text}", flags=re.MULTILINE):
        title, _, body = part.partition("\n")
        rows = {field: ANCHOR.search(kind) for field, kind in ROW.findall(body)}
        found[title.strip().lower().replace(" ", "-")] = {
            field: link[1] if link else "" for field, link in rows.items()
        }
    return found


@cache
def names() -> tuple[str, ...]:
    """Return the kinds and file formats that have a reference page."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.md") if path.stem not in ("index", "states")))


def address(name: str, path: str, *, is_whole: bool) -> str | None:
    """Return the link to the table with the last field of a path, or ``None`` if the page has no such field.

    A path begins at the root or in ``spec`` or, unless ``is_whole``, at a field that only one table of the page has.
    """
    steps = path.replace("[]", "").split(".")
    page = tables(name)
    holders = [anchor for anchor in ("", page[""].get("spec", "")) if steps[0] in page.get(anchor, {})]
    if not holders and not is_whole and (len(steps) > 1 or not steps[0].islower()):  # not a value
        holders = [anchor for anchor, fields in page.items() if steps[0] in fields]
    if len(holders) != 1:
        return None
    anchor = holders[0]
    for step in steps[:-1]:
        anchor = page.get(anchor, {}).get(step, "") or "?"
    if steps[-1] not in page.get(anchor, {}):
        return None
    return f"../reference/{name}.md{'#' if anchor else ''}{anchor}"


def linked(text: str, rules: Container[str] = ()) -> str:
    """Return the Markdown of a page with links at the fields of kinds and file formats, and at the ids of rules."""
    mentions = {name: mention.start() for name in names() if (mention := re.search(rf"\b{re.escape(name)}s?\b", text))}
    kinds = sorted(mentions, key=mentions.__getitem__)

    def replace(code: re.Match[str]) -> str:
        if code[2]:
            return f"[{code[2]}]({code[2]}.md)" if code[2] in rules else code[2]
        first, _, rest = code[1].partition(".")
        paths = [(first, rest)] if first in names() and rest else [(kind, code[1]) for kind in kinds]
        found = (address(*path, is_whole=is_whole) for is_whole in (True, False) for path in paths)
        link = next(filter(None, found), None)
        return code[0] if link is None else f"[{code[0]}]({link})"

    parts, end = [], 0
    for fence in FENCE.finditer(text):
        parts += [CODE.sub(replace, text[end : fence.start()]), fence[0]]
        end = fence.end()
    return "".join([*parts, CODE.sub(replace, text[end:])])
