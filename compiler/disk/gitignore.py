"""Match paths with patterns in the syntax of ``.gitignore``: for ``exclude``, and in place of a missing Git."""

from __future__ import annotations

import os
import re
import stat
from typing import TYPE_CHECKING, Final

from ..diagnostics import file_path
from ..diagnostics.named_tuple import NamedTuple

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
_STAR: Final = "*"
_NEVER: Final = "(?!)"
_OPEN_FLAGS: Final = (
    os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
)
_MOST_CHARACTERS: Final = 4096
"""Maximum characters of a pattern, as many as the longest path of Linux has (``PATH_MAX``)."""
_MOST_BYTES: Final = 1 << 20
"""Maximum bytes of an ignore file that are read, because each pattern is compared with each path below its folder.

Later patterns are dropped, so fewer files are ignored.
"""


class IgnorePattern(NamedTuple):
    """A compiled line of an ignore file.

    Attributes:
        expression: Matches a whole path, relative to the folder of the ignore file.
        is_negated: True for a pattern with ``!``: a path that matches is not ignored.
        only_folders: True if only folders can match.
    """

    expression: re.Pattern[str]
    is_negated: bool
    only_folders: bool


def patterns(lines: Iterable[str]) -> list[IgnorePattern]:
    """Return the compiled patterns of an ignore file. Blank lines, comments and invalid patterns are dropped.

    Source: gitignore(5), section PATTERN FORMAT.
    """
    return [pattern for line in lines if (pattern := _pattern(line)) is not None]


def is_ignored(path: str, pattern_list: Iterable[IgnorePattern], *, is_folder: bool) -> bool | None:
    """Return whether the last pattern that matches ``path`` excludes it, or ``None`` if no pattern matches.

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
    """The ``.gitignore`` files of a repository, each read when a walk reaches its folder, and ``.git/info/exclude``.

    Args:
        real: The walked folder, with all links resolved.
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

        If the walked folder itself is ignored, no path below it is, because the user named the folder.
        """
        return not self._is_off and self._is_excluded(self._prefix + path, is_folder=is_folder)

    def _is_excluded(self, path: str, *, is_folder: bool) -> bool:
        verdict = False
        for base, list_patterns in self._pattern_lists(path.rpartition("/")[0]):
            matched = is_ignored(path[len(base) :], list_patterns, is_folder=is_folder)
            verdict = verdict if matched is None else matched
        return verdict

    def _pattern_lists(self, folder: str) -> tuple[tuple[str, list[IgnorePattern]], ...]:
        """Return the pattern lists that apply in a folder, outermost first, each after its ignore file's folder."""
        if folder not in self._lists:
            own_patterns = self._read(file_path.join(folder, ".gitignore"), folder + "/" if folder else "")
            if folder:
                self._lists[folder] = self._pattern_lists(folder.rpartition("/")[0]) + own_patterns
            else:
                self._lists[folder] = self._read(".git/info/exclude", "") + own_patterns
        return self._lists[folder]

    def _read(self, path: str, base: str) -> tuple[tuple[str, list[IgnorePattern]], ...]:
        """Return ``base`` and the patterns of an ignore file; nothing for other than regular files, like Git."""
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
    """Return the regular expression of a pattern. ``*``, ``?`` and ``[…]`` match no ``/``.

    The text between two ``**``, or between two ``*`` of one path component, is matched only at its first possible
    place, by an atomic group ``(?>…)``. A later place would leave less text for the rest of the pattern. Therefore no
    pattern takes more than quadratic time.
    """
    first, *later = _groups(text)
    if not later:
        return _names(first)
    *between, last = map(_names, later)
    end = f"(?:.*/)?{last}" if last else ".+"
    return _names(first) + "".join(f"(?>(?:.*?/)??{part})" for part in between if part) + end


def _groups(text: str) -> list[list[str]]:
    """Split a pattern at each ``**``. A group lists the expressions for single characters, and ``_STAR`` for ``*``."""
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
    """Return the regular expression for a set ``[…]``, and the position after the set in ``text``.

    ``at`` is the position after the opening bracket. A set without closing bracket matches nothing.

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
        elif high is None or high < low:  # Git takes the first character of an inverted range
            items.append(re.escape(low))
        else:
            items.append(f"{re.escape(low)}-{re.escape(high)}")
    return f"(?!/)[{'^' if is_negated else ''}{''.join(items)}]", at + 1
