r"""Go's regular expressions, by RE2: whether a text is one, and whether it matches, in bounded time.

Go's package follows RE2, and takes and refuses the same patterns but for these:

* ``\C`` and group names beyond ASCII are unknown to Go.
* A count of nine or more digits is text to RE2, and a fault to Go.
* Unicode categories have long names for Go, and names of scripts and categories any case.
* Groups in a thousand groups, and what RE2 finds too large, are beyond anybody's patterns; they pass.

Source: Go 1.26 standard library, packages regexp and regexp/syntax; google-re2 1.1.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import re2

from .strconv import quote

if TYPE_CHECKING:
    from collections.abc import Callable

_LONGEST_PATTERN: Final = 10_000
_MOST_STEPS: Final = 10_000
MOST_WORK: Final = 200_000_000
"""Steps times bytes of the text; some two seconds where RE2's fast ways do not apply."""

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
"""RE2's error messages to Go's, where they differ."""

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
"""Classes that Go has and RE2 has not, or has with other members."""


class PatternError(ValueError):
    """A text that is no regular expression for Go."""


class Pattern:
    """A regular expression of Go; ``text`` is how it was written."""

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

        What cannot be decided counts as a match: classes of which RE2 has no table, and patterns and texts that are
        too large to be worth the time.
        """
        if self._search is None:
            return True
        data = _utf8(text)
        return len(data) * self._size > MOST_WORK or self._search(data) is not None

    def find_all(self, text: str) -> list[str]:
        """Return what the pattern matches in ``text``, from left to right; nothing where that cannot be decided."""
        data = _utf8(text)
        if self._search is None or len(data) * self._size > MOST_WORK:
            return []
        options = re2.Options()
        options.log_errors = False
        out, end = [], -1
        for match in re2.compile(_utf8(_for_re2(self.text)[0]), options).finditer(data):
            if match.end() > match.start() or match.start() != end:  # Go leaves out an empty one right after another
                out.append(match[0].decode("utf-8", "surrogatepass"))
            end = match.end()
        return out

    def work(self, text: str) -> int:
        """Return the most that looking for the pattern in ``text`` costs: its steps times characters."""
        return 0 if self._search is None else min(len(text) * self._size, MOST_WORK)


@lru_cache(maxsize=128)
def compile_pattern(text: str) -> Pattern:
    """Compile a regular expression.

    Raises:
        PatternError: Go would refuse it.
    """
    return Pattern(text)


def _compile(text: str, rewritten: str) -> re2._Regexp | None:
    """Compile a pattern, shown as ``text`` in errors; ``None`` where it is too large for RE2."""
    options = re2.Options()
    options.log_errors = False
    options.never_capture = True  # where no groups are asked for, RE2 searches with its automaton
    try:
        return re2.compile(_utf8(rewritten), options)
    except re2.error as error:
        kind, _, part = error.args[0].decode("utf-8", "replace").partition(": ")
    if kind.startswith(_TOO_LARGE):
        return None
    raise _refusal(text, _WORDS.get(kind, kind), part)


def _for_re2(text: str) -> tuple[str, bool]:
    """Return the pattern as RE2 spells it, and whether RE2 has a table for all of its classes.

    Raises:
        PatternError: It holds what RE2 takes and Go refuses.
    """
    is_clear = True

    def rewrite(match: re.Match[str]) -> str:
        nonlocal is_clear
        token = match[0]
        if match["byte"]:
            raise _refusal(text, "invalid escape sequence", token)
        # What is a fault outside of [] only is spelt so that RE2 refuses it there.
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


def _refusal(text: str, why: str, part: str) -> PatternError:
    where = f": {quote(part[:20])}" if part and part != text else ""
    return PatternError(f"{quote(text[:200])} is not a regular expression for Go: {why}{where}")


def _utf8(text: str) -> bytes:
    """Encode a text; halves of characters become U+FFFD, as Go reads them in JSON."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()
