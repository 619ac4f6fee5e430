r"""Go's regular expressions, implemented with RE2: validity and matching, in bounded time.

Go's package follows RE2 and accepts the same patterns, with these exceptions:

- ``\C`` and group names beyond ASCII are unknown to Go.
- A count of nine or more digits is literal text to RE2, and an error to Go.
- In Go, Unicode categories have long names, and names of scripts and categories have any case.
- Go refuses groups that are nested a thousand deep. This module accepts them, and patterns that are too large for RE2.

Source: Go 1.26 standard library, packages regexp and regexp/syntax; google-re2 1.1.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import re2

from ..diagnostics.budget import cache_by_text
from .strconv import quote

if TYPE_CHECKING:
    from collections.abc import Callable

_LONGEST_PATTERN: Final = 10_000
"""Longer patterns are not matched, because compiling them takes too long. The match counts as undecidable."""
_MOST_STEPS: Final = 10_000
"""Maximum size of a pattern that is matched, in instructions of RE2. Each character may visit every instruction."""
MOST_WORK: Final = 200_000_000
"""Maximum of instructions times bytes of the text, which takes about two seconds without RE2's fast paths."""

_CONTINUATION: Final = frozenset(bytes([byte]) for byte in range(0x80, 0xC0))
"""Bytes inside a character in UTF-8."""

_TOO_LARGE: Final = "pattern too large"
_WORDS: Final = {
    "bad repetition operator": "invalid nested repetition operator",
    "invalid named capture group": "invalid named capture",
    "invalid perl operator": "invalid or unsupported Perl syntax",
    "invalid repetition size": "invalid repeat count",
    "missing )": "missing closing )",
    "missing ]": "missing closing ]",
    "no argument for repetition operator": "missing argument to repetition operator",
    "trailing \\": "trailing backslash at end of expression",
}
"""Go's error messages by those of RE2, if the two differ."""

_TOKEN: Final = re.compile(
    r"""
      \\Q .*? (?: \\E | \Z )
    | (?P<byte> \\C )
    | (?P<name> \(\?P?< (?! [=!] ) [^>]* > )
    | \\[pP] (?: \{ (?P<negated> \^? ) (?P<long> [^}]* ) \} | (?P<short> [a-z] ) )
    | \\.
    | \{ (?P<counts> [1-9]\d{8,} (?: ,\d* )? | \d+,[1-9]\d{8,} ) \}
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)

_LONG_NAMES: Final = (
    "L=Letter Lu=Uppercaseletter Ll=Lowercaseletter Lt=Titlecaseletter Lm=Modifierletter Lo=Otherletter M=Mark"
    " M=Combiningmark Mn=Nonspacingmark Mc=Spacingmark Me=Enclosingmark N=Number Nd=Decimalnumber Nd=Digit"
    " Nl=Letternumber No=Othernumber P=Punctuation P=Punct Pc=Connectorpunctuation Pd=Dashpunctuation"
    " Ps=Openpunctuation Pe=Closepunctuation Pi=Initialpunctuation Pf=Finalpunctuation Po=Otherpunctuation S=Symbol"
    " Sm=Mathsymbol Sc=Currencysymbol Sk=Modifiersymbol So=Othersymbol Z=Separator Zs=Spaceseparator"
    " Zl=Lineseparator Zp=Paragraphseparator Cc=Control Cc=Cntrl Cf=Format Co=Privateuse Cs=Surrogate"
    " SignWriting=Signwriting"
)
_NAMES: Final = {long: name for name, _, long in (pair.partition("=") for pair in _LONG_NAMES.split())}
_WITHOUT_TABLE: Final = frozenset({"Ascii", "Assigned", "C", "Casedletter", "Cn", "Lc", "Other", "Unassigned"})
"""Character classes that only Go has, or that have other members in RE2."""


class PatternError(ValueError):
    """The text is not a regular expression of Go."""


class GoPattern:
    """A compiled regular expression of Go; ``text`` is its source. `compile_pattern` creates it."""

    __slots__ = ("_search", "_size", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._search: Callable[[bytes], object] | None = None
        self._size = 0
        if len(text) > _LONGEST_PATTERN:
            return
        rewritten, is_clear = _for_re2(text)
        program = _compile(text, rewritten)
        if program is not None and is_clear and program.programsize <= _MOST_STEPS:
            self._search, self._size = program.search, program.programsize

    def search(self, text: str) -> bool:
        """Return whether the pattern matches anywhere in ``text``.

        If the match cannot be decided, return true: RE2 lacks a class of the pattern, or the search would take too
        long.
        """
        if self._search is None:
            return True
        data = _utf8(text)
        return len(data) * self._size > MOST_WORK or self._search(data) is not None

    def find_all(self, text: str) -> list[str]:
        """Return the matches in ``text`` from left to right; an empty list if the matches cannot be decided."""
        data = _utf8(text)
        if self._search is None or len(data) * self._size > MOST_WORK:
            return []
        options = re2.Options()
        options.log_errors = False
        out, end = [], -1
        for match in re2.compile(_utf8(_for_re2(self.text)[0]), options).finditer(data):
            if data[match.start() : match.start() + 1] in _CONTINUATION:  # RE2 steps by bytes here, Go by characters
                continue
            if match.end() > match.start() or match.start() != end:  # Go omits an empty match right after another match
                out.append(match[0].decode("utf-8", "surrogatepass"))
            end = match.end()
        return out

    def work(self, text: str) -> int:
        """Return the maximum cost of searching ``text``, up to ``MOST_WORK``, or 0 for a pattern unknown to RE2."""
        return 0 if self._search is None else min(len(text) * self._size, MOST_WORK)


@cache_by_text(128)  # files repeat the same few patterns, and a large one takes much memory
def compile_pattern(text: str) -> GoPattern:
    """Return the compiled regular expression ``text``.

    Raises:
        PatternError: Go would refuse ``text``.
    """
    return GoPattern(text)


def _compile(text: str, rewritten: str) -> re2._Regexp | None:
    options = re2.Options()
    options.log_errors = False
    options.never_capture = True  # without groups, RE2 can search with its fast automaton
    try:
        return re2.compile(_utf8(rewritten), options)
    except re2.error as error:
        kind, _, part = error.args[0].decode("utf-8", "replace").partition(": ")
    if kind.startswith(_TOO_LARGE):
        return None
    raise _refusal(text, _WORDS.get(kind, kind), part)


def _for_re2(text: str) -> tuple[str, bool]:
    """Return the pattern in RE2's spelling, and whether RE2 supports all of its classes."""
    is_clear = True

    def rewrite(match: re.Match[str]) -> str:
        nonlocal is_clear
        token = match[0]
        if match["byte"]:
            raise _refusal(text, "invalid escape sequence", token)
        # Syntax that is an error only outside of [] is rewritten so that RE2 refuses it there: a name with a space, and
        # a count above 1000.
        if match["name"]:
            return token if token.isascii() else f"{token[:-1]} >"
        if match["counts"]:
            return re.sub(r"\d{9,}", "1001", token)
        written = match["long"] or match["short"]
        if written is None or not written.isascii():
            return token
        name = re.sub("[ _-]", "", written).capitalize()
        if name in _WITHOUT_TABLE:
            is_clear = False
            name = "L"
        elif name not in _NAMES and "_" in written:
            return token
        return f"{token[:2]}{{{match['negated'] or ''}{_NAMES.get(name, name)}}}"

    return _TOKEN.sub(rewrite, text), is_clear


def _refusal(text: str, reason: str, part: str) -> PatternError:
    # A hostile pattern may have any length, so the message quotes only its start.
    quoted_part = f": {quote(part[:20])}" if part and part != text else ""
    return PatternError(f"{quote(text[:200])} is not a regular expression for Go: {reason}{quoted_part}")


def _utf8(text: str) -> bytes:
    """Return a text in UTF-8. Lone surrogates become U+FFFD, as when Go reads them in JSON."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()
