"""The part of google-re2 that ``mcpcfg.compiler.golang.regexp`` calls, for a browser, where google-re2 does not run.

The page offers re2js, a port of Go's package, as the module ``go_regexp`` (``program.js``). Its messages are those of
Go. Patterns that re2js cannot compile although Go may accept them count as too large, so mcpcfg leaves their matches
undecided.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import go_regexp

if TYPE_CHECKING:
    from collections.abc import Iterator

_SLOWNESS: Final = 8
"""How much slower an instruction is than in google-re2, at most. The caller bounds work by `_Regexp.programsize`."""
_BEYOND: Final = frozenset({"duplicate capture group name", "expression nests too deeply", "expression too large"})
"""Reasons of re2js for patterns that Go accepts, or may accept."""


class error(Exception):  # noqa: N801, N818 - the name in google-re2
    """The pattern is invalid."""


class Options:
    """Options of google-re2. They only change its speed and its log, so the port ignores them."""

    log_errors = True
    never_capture = False


class _Match:
    """A match: the indexes of its first byte and after its last, and its bytes as group 0."""

    def __init__(self, start: int, end: int, text: str) -> None:
        self._start, self._end, self._text = start, end, text

    def start(self) -> int:
        return self._start

    def end(self) -> int:
        return self._end

    def __getitem__(self, group: int) -> bytes:
        return (self._text,)[group].encode()


class _Regexp:
    """A compiled pattern."""

    def __init__(self, program: go_regexp.Program) -> None:
        self._program = program
        self.programsize = program.size * _SLOWNESS

    def search(self, data: bytes) -> object | None:
        return self._program.test(data.decode()) or None

    def finditer(self, data: bytes) -> Iterator[_Match]:
        for start, end, text in self._program.matches(data.decode()):
            yield _Match(start, end, text)


def compile(pattern: bytes, _: Options) -> _Regexp:  # noqa: A001 - the name in google-re2
    """Compile a pattern.

    Raises:
        error: The pattern is invalid or too large.
    """
    compiled = go_regexp.compile(pattern.decode())
    reason = compiled.reason
    if reason is None:
        return _Regexp(compiled)
    kind = "pattern too large" if reason in _BEYOND else reason
    raise error(f"{kind}: {compiled.part}".encode())
