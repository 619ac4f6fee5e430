"""Check files of environment variables. The runner reads lines ``KEY=VALUE`` without any shell syntax.

Source: toolhive 0.21.0, package runner, files of environment variables.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...diagnostics.finding import rule
from ...diagnostics.named_tuple import NamedTuple
from ...diagnostics.shown import shown
from ...diagnostics.span import Span
from ...golang import space
from ...reading.bound import MAX_FINDINGS
from ..finding import beyond_bounds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...diagnostics.finding import Finding, Rule

ENV_KEY = rule("FIL050 env-key-empty", "process", "A line of an environment file names no variable")
ENV_SKIPPED = rule("FIL051 env-line-skipped", "lint", "A line of an environment file is skipped")
ENV_QUOTED = rule("FIL052 env-value-quoted", "lint", "The quotes of a value become part of it")
ENV_TWIN = rule("FIL053 env-key-twice", "lint", "An environment file sets a variable twice")
ENV_NAME = rule("FIL054 env-key-odd", "lint", "The name of a variable is one that programs cannot read")


_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_SHOWABLE = re.compile(r"[A-Za-z0-9_.\- \"']{0,40}\Z")
"""Names that messages may show. A longer or unusual name may be part of a secret, such as a line of a PEM key."""
_QUOTED = re.compile(r"""(["']).*\1\s*(?:#.*)?\Z""")
_EXPORT = "export "
_BYTE_ORDER_MARK = "\ufeff"
"""The byte order mark, which the runner reads as a part of the first line."""


class Line(NamedTuple):
    """A line that is neither empty nor a comment.

    Attributes:
        number: The line number, starting at 1.
        start: The column of the first character, starting at 0.
        key: The text before the first equals sign, or the whole line.
        value: The text after the first equals sign, or ``None`` without an equals sign.
    """

    number: int
    start: int
    key: str
    value: str | None


def lines(text: str) -> Iterator[Line]:
    """Yield the lines that are neither empty nor comments, without surrounding white space and a leading ``export``."""
    for number, written in enumerate(text.split("\n"), 1):
        line = space.trim(written)
        if not line or line.startswith("#"):
            continue
        start = written.find(line)
        if line.startswith(_EXPORT):
            line = line[len(_EXPORT) :]
            start += len(_EXPORT)
        key, equals, value = line.partition("=")
        yield Line(number, start, key, value if equals else None)


def _value_span(line: Line, file: str) -> Span:
    """Return the span that no report may show: the value, or the whole line if the key may be part of a secret.

    For example, a line of a PEM key may end with ``=``.
    """
    start, end = line.start + 1, line.start + 1 + len(line.key)
    if line.value is None or _SHOWABLE.match(line.key) is None:
        return Span(file, line.number, start, line.number, end + 1 + len(line.value or ""))
    return Span(file, line.number, end + 1, line.number, end + 1 + len(line.value))


def check_env_file(text: str, file: str) -> list[Finding]:
    """Return the findings in a file of environment variables. ``file`` is its path."""
    findings: list[Finding] = []
    first: dict[str, int] = {}

    def report(fault_rule: Rule, line: Line, message: str, hint: str | None = None, *, on_value: bool = False) -> None:
        start = line.start + 1 + (len(line.key) + 1 if on_value else 0)
        length = len(line.value or "") if on_value else len(line.key) or 1
        span = Span(file, line.number, start, line.number, start + length)
        findings.append(fault_rule.finding(span, message, document=0, hint=hint, hidden=(_value_span(line, file),)))

    for line in lines(text):
        if len(findings) >= MAX_FINDINGS:
            return [*findings, beyond_bounds(file)]
        if line.value is None:
            bare = line.key.removeprefix(_BYTE_ORDER_MARK)
            if bare and not bare.startswith("#"):
                report(ENV_SKIPPED, line, "the line has no = and is skipped")
            continue
        if not line.key:
            report(ENV_KEY, line, "the variable has no name")
            continue
        if line.key.startswith(_BYTE_ORDER_MARK):
            report(ENV_NAME, line, "the byte order mark before it becomes part of the name", "save the file without it")
        elif not _NAME.match(line.key):
            name = shown(line.key) if _SHOWABLE.match(line.key) else "what stands before the equals sign"
            report(ENV_NAME, line, f"{name} is not a name that every program can read")
        if _QUOTED.match(line.value):
            report(ENV_QUOTED, line, "the quotes become part of the value", "leave them out", on_value=True)
        seen = first.setdefault(line.key, line.number)
        if seen != line.number:
            name = line.key if _SHOWABLE.match(line.key) else "the variable"
            report(ENV_TWIN, line, f"{name} is already set on line {seen}; this line wins")
    return findings
