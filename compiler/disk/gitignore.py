"""Patterns in the syntax of ``.gitignore``, for ``exclude``, and for repositories if Git cannot be run."""

from __future__ import annotations

import os
import re
import stat
from typing import TYPE_CHECKING, Final, NamedTuple

from ..diagnostics import file_path

if TYPE_CHECKING:
    from collections.abc import Iterable

_PIECE: Final = r"(?P<any>(?:(?<=/)|\A)\*\*+(?:/|\Z))|(?P<star>\*+)|(?P<one>\?)|(?P<set>\[)|\\?(?P<itself>(?s:.))"
_IN_SET: Final = r"\[:(?P<kind>[^\]]*):\]|\\?(?P<low>(?s:.))(?:-(?:\\(?P<escaped>(?s:.))|(?P<high>[^\]\\])))?"
_KINDS: Final = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": r" \t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r" \t\n\r\f\v",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}
_ANY: Final = "**"
_STAR: Final = "*"
_NEVER: Final = "(?!)"
_OPEN_FLAGS: Final = (
    os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
)
_MOST_CHARACTERS: Final = 4096
"""Maximum length of a pattern, which is the longest path of Linux (``PATH_MAX``)."""
_MOST_BYTES: Final = 1 << 20
"""Maximum size of an ignore file. Patterns beyond it are dropped, so more files are read."""


class IgnorePattern(NamedTuple):
    """One line of a pattern list.

    Attributes:
        expression: Matches a whole path, relative to the folder of the list.
        is_negated: True for a pattern with ``!``: a path that matches is not ignored.
        only_folders: True if only folders can match.
    """

    expression: re.Pattern[str]
    is_negated: bool
    only_folders: bool


def patterns(lines: Iterable[str]) -> list[IgnorePattern]:
    """Return the compiled lines of a pattern list. Blank lines, comments and invalid patterns are dropped.

    Source: gitignore(5), section PATTERN FORMAT.
    """
    return [pattern for line in lines if (pattern := _pattern(line)) is not None]


def is_ignored(path: str, pattern_list: Iterable[IgnorePattern], *, is_folder: bool) -> bool | None:
    """Return whether the last matching pattern excludes ``path``; ``None`` if no pattern matches.

    Args:
        path: Path relative to the folder of the list, with ``/`` as separator.
        pattern_list: Patterns in the order of the list.
        is_folder: True if ``path`` is a folder.
    """
    verdict: bool | None = None
    for pattern in pattern_list:
        if (is_folder or not pattern.only_folders) and pattern.expression.match(path):
            verdict = not pattern.is_negated
    return verdict


class IgnoreFiles:
    """The ``.gitignore`` files of a repository, read as a walk reaches them.

    Args:
        real: The walked folder, with all links resolved.
        repository: Root of the repository.
    """

    def __init__(self, real: str, repository: str) -> None:
        self._repository = repository
        self._lists: dict[str, tuple[tuple[str, list[IgnorePattern]], ...]] = {}
        self._prefix = ""
        parts = [] if real == repository else file_path.relpath(real, repository).split("/")
        above = ["/".join(parts[: count + 1]) for count in range(len(parts))]
        self._is_off = any(self._is_excluded(folder, is_folder=True) for folder in above)
        self._prefix = f"{above[-1]}/" if above else ""

    def __call__(self, path: str, *, is_folder: bool) -> bool:
        """Return whether a path below the walked folder is ignored.

        If the walked folder itself is ignored, nothing below it is.
        """
        return not self._is_off and self._is_excluded(self._prefix + path, is_folder=is_folder)

    def _is_excluded(self, path: str, *, is_folder: bool) -> bool:
        verdict = False
        for base, list_patterns in self._pattern_lists(path.rpartition("/")[0]):
            matched = is_ignored(path[len(base) :], list_patterns, is_folder=is_folder)
            verdict = verdict if matched is None else matched
        return verdict

    def _pattern_lists(self, folder: str) -> tuple[tuple[str, list[IgnorePattern]], ...]:
        """Return the pattern lists that apply in a folder, outermost first, each with the folder it is relative to."""
        if folder not in self._lists:
            own_patterns = self._read(file_path.join(folder, ".gitignore"), folder + "/" if folder else "")
            if folder:
                self._lists[folder] = self._pattern_lists(folder.rpartition("/")[0]) + own_patterns
            else:
                self._lists[folder] = self._read(".git/info/exclude", "") + own_patterns
        return self._lists[folder]

    def _read(self, path: str, base: str) -> tuple[tuple[str, list[IgnorePattern]], ...]:
        """Return the patterns of an ignore file with the folder that they are relative to.

        The result is empty for anything that is not a regular file, which Git ignores, too.
        """
        try:
            descriptor = os.open(file_path.join(self._repository, path), _OPEN_FLAGS)
        except OSError:
            return ()
        try:
            is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)
            text = os.read(descriptor, _MOST_BYTES) if is_file else b""
        finally:
            os.close(descriptor)
        lines = text.decode("utf-8", "replace").removeprefix("\ufeff").split("\n")
        return ((base, patterns(lines)),)


def _pattern(line: str) -> IgnorePattern | None:
    text = line.rstrip("\r\n")
    while text.endswith(" ") and not text.endswith("\\ "):
        text = text[:-1]
    is_negated = text.startswith("!")
    text = text[1:] if is_negated else text
    if text in {"", "/"} or "//" in text or line.startswith("#") or len(text) > _MOST_CHARACTERS:
        return None
    only_folders = text.endswith("/")
    text = text.removesuffix("/")
    if "/" not in text:
        text = f"**/{text}"
    return IgnorePattern(re.compile(_expression(text.removeprefix("/")) + r"\Z", re.DOTALL), is_negated, only_folders)


def _expression(text: str) -> str:
    """Return the regular expression of a pattern. ``*``, ``?`` and ``[…]`` stay within one path component.

    The text between two ``**``, or between two ``*`` of one component, is matched once, at its first possible place:
    ``(?>…)``. A later place would only leave less for the rest. So no pattern takes more than quadratic time.
    """
    first, *later = _groups(text)
    if not later:
        return _names(first)
    *between, last = map(_names, later)
    end = f"(?:.*/)?{last}" if last else ".+"
    return _names(first) + "".join(f"(?>(?:.*?/)??{part})" for part in between if part) + end


def _groups(text: str) -> list[list[str]]:
    """Split a pattern at its ``**``. Each group is a list of expressions for one character, and ``*``."""
    groups: list[list[str]] = [[]]
    piece = re.compile(_PIECE)
    at = 0
    while match := piece.match(text, at):
        at = match.end()
        if match.lastgroup == "any":
            groups.append([])
        elif match.lastgroup == "star":
            groups[-1].append(_STAR)
        elif match.lastgroup == "one":
            groups[-1].append("[^/]")
        elif match.lastgroup == "set":
            expression, at = _set(text, at)
            groups[-1].append(expression)
        else:
            is_cut_off = match[0] == "\\" and at == len(text)
            groups[-1].append(_NEVER if is_cut_off else re.escape(match["itself"]))
    return groups


def _names(pieces: list[str]) -> str:
    """Return the regular expression for the part of a pattern between two ``**``."""
    out = fixed = ""
    after_star = False
    for piece in [*pieces, ""]:
        if piece == _STAR:
            out += f"(?>[^/]*?{fixed})" if after_star else fixed
            fixed, after_star = "", True
            continue
        fixed += piece
        if piece in {"/", ""}:
            out += f"[^/]*{fixed}" if after_star else fixed
            fixed, after_star = "", False
    return out


def _set(text: str, at: int) -> tuple[str, int]:
    """Return the regular expression for a set ``[…]``, and the position after the set.

    The text of the set begins at ``at``, after the bracket. A set that is never closed matches nothing.

    Source: Git, wildmatch.c.
    """
    is_negated = text[at : at + 1] in {"!", "^"}
    at += is_negated
    items: list[str] = []
    piece = re.compile(_IN_SET)
    while not items or text[at : at + 1] != "]":
        match = piece.match(text, at)
        if match is None or match["kind"] not in {None, *_KINDS}:
            return _NEVER, len(text)
        at = match.end()
        low, high = match["low"], match["escaped"] or match["high"]
        if match["kind"] is not None:
            items.append(_KINDS[match["kind"]])
        elif high is None or high < low:  # of an inverted range, Git takes the first character
            items.append(re.escape(low))
        else:
            items.append(f"{re.escape(low)}-{re.escape(high)}")
    return f"(?!/)[{'^' if is_negated else ''}{''.join(items)}]", at + 1
