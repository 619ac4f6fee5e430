"""Recognize texts with template actions of Helm, Jinja, Terraform or ytt, which are not YAML until rendered."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

# Compiled where a document that cannot be read has braces in it.
_OPENING: Final = r"(?<!\$)\{\{|\{%"
_TOKEN: Final = rf"""(?P<action>{_OPENING})|(?<![^\s\[{{,:(-])(?P<quote>["'])|(?<!\S)(?P<comment>\#)"""
_QUOTED: Final = {'"': r'(?:[^"\\]|\\.)*+"', "'": r"(?:[^']|'')*+'"}
_DIRECTIVE: Final = r"\s*%\{~?\s*(?:if|else|endif|for|endfor)\b"
"""Pattern of a directive of Terraform's templates at the start of a line."""
_BLOCK: Final = r"(?:^|[\s:-])[|>][+-]?[1-9]?[+-]?\s*$"
_LEAD: Final = r" *(?P<dashes>(?>(?:-[ \t]+)*))"
_ROOT: Final = r"(?<![\w.)\]])\.([A-Za-z_])"


def is_template(text: str) -> bool:
    """Return whether a document that cannot be read is a template: it has actions outside quotes, blocks and comments.

    An expression of a composite tool, such as ``{{.params.url}}``, does not make a template: the user forgot to quote
    it. Its names are in lower case, and names of Helm's objects begin with a capital.
    """
    if "{{" not in text and "{%" not in text and "%{" not in text:
        return False
    is_expression = is_other = False
    for action in _actions(text):
        roots = re.findall(_ROOT, action)
        if action.startswith(("{%", "%{")) or any(root.isupper() for root in roots):
            return True
        is_expression = is_expression or bool(roots)
        is_other = is_other or not roots
    return is_other and not is_expression


def is_of_ytt(text: str) -> bool:
    """Return whether ytt renders a file, because it has code or annotations in comments that begin with ``#@``.

    Source: ytt (Carvel), as of 2026.
    """
    return re.search(r"(?m)^[ \t]*#@[ \t/@a-z]|[:-][ \t]+#@[ \t]", text) is not None


def _actions(text: str) -> Iterator[str]:
    """Yield the template actions outside quotes, block scalars and comments. Actions of several lines are left out."""
    block: int | None = None
    for line in text.splitlines():
        if block is not None:
            if not line.strip() or len(line) - len(line.lstrip()) > block:
                continue
            block = None
        if "%{" in line and re.match(_DIRECTIVE, line):
            yield line.lstrip()
        if "{{" in line or "{%" in line:
            yield from _actions_of_line(line)
        if ("|" in line or ">" in line) and re.search(_BLOCK, line):
            block = _indentation(line)


def _indentation(line: str) -> int:
    """Return the column of the key or dash on a line. A block scalar that begins on the line is indented further."""
    lead = re.match(_LEAD, line)
    if lead is None:
        return 0
    is_item = line[lead.end() :].lstrip()[:1] in {"|", ">"} and lead["dashes"]
    return lead.start("dashes") + lead["dashes"].rindex("-") if is_item else lead.end()


def _actions_of_line(line: str) -> Iterator[str]:
    at = 0
    while (token := re.compile(_TOKEN).search(line, at)) is not None:
        if token["comment"]:
            return
        start = at = token.start()
        if token["quote"]:
            quoted = re.compile(_QUOTED[token["quote"]]).match(line, start + 1)
            at = len(line) if quoted is None else quoted.end()
            opening = line.rfind("{{", start, at)
            if opening < 0 or line.find("}}", opening, at) >= 0:
                continue
            start = opening  # the quote ends within the action: to YAML it is not quoted as a whole
        closing = line.find("%}" if line.startswith("{%", start) else "}}", start)
        if closing < 0:
            yield line[start:]
            return
        yield line[start : closing + 2]
        at = closing + 2
