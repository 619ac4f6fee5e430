"""Patterns that derive file names, folders and names of Secrets from the names of resources."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from ...diagnostics.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

_WORD: Final = re.compile(r"[A-Za-z0-9]+")
_COMMON: Final = frozenset({"mcp", "server"})
"""Words that do not identify a resource, because many names contain them."""


class NamePattern(NamedTuple):
    """A rule that makes a text, such as a file name, from the name of a resource. Both contain the same core.

    For the Secret ``github-token`` of the resource ``mcp-github``, the core is ``github``.
    """

    before: str = ""
    after: str = ""
    name_before: str = ""
    name_after: str = ""

    def core(self, name: str) -> str:
        """Return the core of a name: the name without ``name_before`` and ``name_after``, if it has both.

        The core also loses ``before`` and ``after``, so that the text does not contain them twice.
        """
        start, end = len(self.name_before), len(name) - len(self.name_after)
        has_ends = name.startswith(self.name_before) and name.endswith(self.name_after) and start < end
        core = name[start:end] if has_ends else name
        # A name that already has what the text adds does not get it twice.
        if len(core) > len(self.after) and core.endswith(self.after):
            core = core[: len(core) - len(self.after)]
        return core.removeprefix(self.before) if len(core) > len(self.before) else core

    def apply(self, name: str) -> str:
        """Return the text that the pattern makes from a name."""
        return f"{self.before}{self.core(name)}{self.after}"


def core_of(name: str, text: str) -> str:
    """Return the longest part of a name that the text contains as whole words; empty if only common words match."""
    words = [(match.start(), match.end()) for match in _WORD.finditer(name)]
    best = ""
    for first, (start, _) in enumerate(words):
        for _, end in words[first:]:
            part = name[start:end]
            if len(part) > len(best) and not _COMMON.issuperset(part.split("-")) and _holds(text, part):
                best = part
    return best


def pattern_of(name: str, text: str) -> NamePattern | None:
    """Return the pattern that makes the text from the name, or ``None`` if the two have no core in common."""
    core = core_of(name, text)
    if not core:
        return None
    name_before, _, name_after = name.partition(core)
    before, _, after = text.partition(core)
    return NamePattern(before, after, name_before, name_after)


def common_pattern(pairs: Iterable[tuple[str, str]]) -> NamePattern | None:
    """Return the most frequent pattern of pairs of a name and a text, or ``None`` if no pair has a pattern.

    If several patterns are equally frequent, the first is returned.
    """
    patterns = Counter(pattern for name, text in pairs if (pattern := pattern_of(name, text)) is not None)
    return patterns.most_common(1)[0][0] if patterns else None


def renamed(text: str, words: Iterable[tuple[str, str]]) -> str:
    """Return a text with words replaced. If several pairs have the same word, the first replaces it.

    Lines with a URL, an ``apiVersion`` or a ``kind`` stay the same.
    """
    lines = text.splitlines(keepends=True)
    pairs = [(old, new) for old, new in words if old]
    if not pairs:
        return text
    pattern = re.compile("|".join(rf"(?<![A-Za-z0-9]){re.escape(old)}(?![A-Za-z0-9])" for old, _ in pairs))
    table = dict(reversed(pairs))
    return "".join(
        line
        if "://" in line or line.strip(" -").startswith(("apiVersion:", "kind:"))
        else pattern.sub(lambda match: table[match[0]], line)
        for line in lines
    )


def _holds(text: str, part: str) -> bool:
    return re.search(rf"(?<![A-Za-z0-9]){re.escape(part)}(?![A-Za-z0-9])", text) is not None
