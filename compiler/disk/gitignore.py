"""Patterns in the manner of ``.gitignore``: for ``exclude``, and for repositories where Git itself is not at hand."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

# Compiled when the first pattern comes; few projects have one.
_PIECE: Final = (
    r"(?P<between>/(?:\*\*+/)+)|(?P<first>\A(?:\*\*+/)+)|(?P<last>(?:/|\A)\*\*+\Z)|(?P<star>\*+)|(?P<one>\?)"
    r"|(?P<set>\[[!^]?\]?[^\]]*\])|\\?(?P<itself>(?s:.))"
)
_TRANSLATED: Final = {
    "between": "/(?:.*/)?",
    "first": "(?:.*/)?",
    "last": "(?:/|\\A).+",
    "star": "[^/]*",
    "one": "[^/]",
}


class Pattern(NamedTuple):
    """One line of a list of patterns.

    Attributes:
        expression: Matches a whole path relative to the folder of the list.
        is_negated: What matches is not ignored after all.
        only_folders: Only folders can match.
    """

    expression: re.Pattern[str]
    is_negated: bool
    only_folders: bool


def patterns(lines: Iterable[str]) -> list[Pattern]:
    """Compile the lines of a list; blank ones, comments and what makes no pattern are left out.

    Source: gitignore(5), section PATTERN FORMAT.
    """
    return [pattern for line in lines if (pattern := _pattern(line)) is not None]


def is_ignored(path: str, known: Iterable[Pattern], *, is_folder: bool) -> bool | None:
    """Tell what the last pattern that matches says about ``path``; ``None`` where none does.

    Args:
        path: Relative to the folder of the list, with ``/`` between its parts.
        known: The patterns of the list, in its order.
        is_folder: ``path`` is a folder.
    """
    verdict: bool | None = None
    for pattern in known:
        if (is_folder or not pattern.only_folders) and pattern.expression.match(path):
            verdict = not pattern.is_negated
    return verdict


class IgnoreFiles:
    """What the ``.gitignore`` files of a repository say, as far as a walk comes by them.

    Args:
        real: The folder that is walked, with all links followed.
        repository: The root of the repository.
    """

    def __init__(self, real: str, repository: str) -> None:
        self._repository = repository
        self._lists: dict[str, tuple[tuple[str, list[Pattern]], ...]] = {}
        self._prefix = ""
        parts = [] if real == repository else os.path.relpath(real, repository).split(os.sep)
        above = ["/".join(parts[: count + 1]) for count in range(len(parts))]
        self._is_off = any(self._says(folder, is_folder=True) for folder in above)
        self._prefix = f"{above[-1]}/" if above else ""

    def __call__(self, path: str, *, is_folder: bool) -> bool:
        """Tell whether a path below the walked folder is ignored; nothing is where that folder itself is."""
        return not self._is_off and self._says(self._prefix + path, is_folder=is_folder)

    def _says(self, path: str, *, is_folder: bool) -> bool:
        verdict = False
        for base, known in self._known(path.rpartition("/")[0]):
            said = is_ignored(path[len(base) :], known, is_folder=is_folder)
            verdict = verdict if said is None else said
        return verdict

    def _known(self, folder: str) -> tuple[tuple[str, list[Pattern]], ...]:
        """Give the lists that hold in a folder, the outermost first, each with the folder that it is relative to."""
        if folder not in self._lists:
            own = self._read(os.path.join(folder, ".gitignore"), folder + "/" if folder else "")
            if folder:
                self._lists[folder] = self._known(folder.rpartition("/")[0]) + own
            else:
                self._lists[folder] = self._read(".git/info/exclude", "") + own
        return self._lists[folder]

    def _read(self, path: str, base: str) -> tuple[tuple[str, list[Pattern]], ...]:
        try:
            with open(os.path.join(self._repository, path), encoding="utf-8", errors="replace") as file:
                return ((base, patterns(file)),)
        except OSError:
            return ()


def _pattern(line: str) -> Pattern | None:
    text = line.rstrip("\r\n")
    while text.endswith(" ") and not text.endswith("\\ "):
        text = text[:-1]
    is_negated = text.startswith("!")
    text = text[1:] if is_negated else text
    if text in {"", "/"} or "//" in text or line.startswith("#"):
        return None
    only_folders = text.endswith("/")
    text = text.removesuffix("/")
    anywhere = "" if "/" in text else "(?:.*/)?"
    try:
        expression = re.compile(anywhere + _expression(text.removeprefix("/")) + r"\Z", re.DOTALL)
    except re.error:
        return None
    return Pattern(expression, is_negated, only_folders)


def _expression(text: str) -> str:
    """Write a pattern as a regular expression: ``*``, ``?`` and ``[…]`` stay within one part of a path."""
    out: list[str] = []
    for match in re.finditer(_PIECE, text):
        piece = match[0]
        if match.lastgroup == "set":
            negation = "^" if piece[1] in "!^" else ""
            inside = piece[1 + len(negation) : -1].replace("[", "\\[").replace("]", "\\]")
            out.append(f"(?!/)[{negation}{inside}]")
        else:
            out.append(_TRANSLATED.get(match.lastgroup or "", "") or re.escape(match["itself"]))
    return "".join(out)
