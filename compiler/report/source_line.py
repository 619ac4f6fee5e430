"""The lines of the texts that were read, as reports show them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def source_line(texts: Mapping[str, bytes]) -> Callable[[str, int], str | None]:
    """Return a function that finds line N of a file among the texts that were read.

    Findings are told file after file: the one that was asked for last is kept, cut into lines as far as it was needed.
    Secrets in it are hidden.
    """
    from ..diagnostics.source_mask import hidden

    current: str | None = None
    lines: list[str] = []
    """The last one holds the rest of the text."""

    def line(file: str, number: int) -> str | None:
        nonlocal current, lines
        if file != current:
            text = hidden(texts.get(file, b"").decode("utf-8", "replace").removeprefix("\ufeff"))
            current, lines = file, [text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text]
        if number >= len(lines):
            rest = lines.pop()
            lines += rest.split("\n", number - len(lines))
        return lines[number - 1] if 0 < number <= len(lines) else None

    return line
