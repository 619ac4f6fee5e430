"""Split a file into excerpts, parts with one or more documents. Nodes and positions are computed on first use."""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.budget import at_end
from ..diagnostics.span import Span
from ..golang.space import SPACE, trim
from .fast.data import read
from .fault import ReadError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal, TypeAlias

    from ..diagnostics.span import Path
    from .fast.place import Places
    from .node import Dialect, Location, Node

    Form: TypeAlias = Literal["yaml", "lines", "json"]
    """The reader of an excerpt: the YAML parser, the fast path, which reads line by line, or the JSON reader."""

_BREAK: Final = r"\r\n?|\n"  # patterns are compiled when first used
_MARKER: Final = r"(?:\r\n?|\n)(?=---(.?))"
_AFTER_MARKER: Final = frozenset(("", " ", "\t", "\r", "\n"))
"""Characters after ``---`` with which YAML accepts it as the start of a document."""
_ODD: Final = frozenset("#" + SPACE) - _AFTER_MARKER
"""Further characters after ``---`` with which kubectl takes the line for a separator."""

_ODD_BEGINNING: Final = (
    r"(?>(?:[ \t]*+(?:#[^\r\n]*+)?+(?:\r\n?+|\n))*)(?:(?P<directive>%[^\r\n]*)|---[ \t]*(?P<separator>[^\s#][^\r\n]*))"
)
_ODD_LINE: Final = r"\n(?P<line>---[^\r\n]*)"  # kubectl takes none for a separator: that would end the excerpt

_MOST_INDEXED: Final = 256
"""Maximum number of excerpts with position indexes, because an index takes forty times the size of its text."""
_MOST_CHARACTERS: Final = 2_000_000
"""Maximum total length of these excerpts, unless there is only one. It is compared when a long one is added."""
_LONG: Final = _MOST_CHARACTERS // _MOST_INDEXED
_SHORT: Final = 10_000
"""Maximum length of an excerpt that counts its line breaks each time, which is faster than building an index."""


class Excerpt:
    """A part of a file that starts at the start of a line.

    No index is kept until a place is needed, because an index takes forty times the size of the text.

    Attributes:
        file: The name of the file in findings.
        start: The start of the excerpt in code points.
        end: The end of the excerpt, exclusive.
        first_line: The zero-based line of ``start``.
        form: The index that finds places: ``lines`` of the fast path, or the nodes of the ``yaml`` or ``json`` reader.
    """

    __slots__ = ("_breaks", "_places", "_roots", "end", "file", "first_line", "form", "start", "text")

    def __init__(self, file: str, text: str, start: int, end: int, first_line: int, form: Form = "yaml") -> None:
        self.file = file
        self.text = text
        self.start = start
        self.end = end
        self.first_line = first_line
        self.form: Form = form
        self._breaks: list[int] | None = None
        self._roots: list[Node] | None = None
        self._places: Places | None = None

    def forget(self) -> None:
        """Drop the position indexes. They are rebuilt on demand."""
        self._breaks = self._places = self._roots = None

    def _register(self) -> None:
        if self._breaks is None and self._places is None and self._roots is None:
            _indexed.append(self)
            size = sum([excerpt.end - excerpt.start for excerpt in _indexed]) if self.end - self.start > _LONG else 0
            while len(_indexed) > _MOST_INDEXED or (size > _MOST_CHARACTERS and len(_indexed) > 1):
                oldest = _indexed.popleft()
                size -= oldest.end - oldest.start
                oldest.forget()

    @property
    def body(self) -> str:
        """The text of the excerpt."""
        return self.text[self.start : self.end]

    def read_fast(self, dialect: Dialect) -> list[Any] | None:
        """Return the data of the documents, or ``None`` if only the exact reader can read the excerpt.

        Afterwards, places are found without the exact reader too, unless the text contains carriage returns.
        """
        body = self.body
        values = read(body.replace("\r\n", "\n"), dialect)  # Go's readers take CR LF for one line break
        if values is not None and "\r" not in body:
            self.form = "lines"
        return values

    def odd_beginning(self) -> tuple[Span, str] | None:
        """Return text before or in the first document that YAML allows but kubectl refuses: its span and kind.

        This is a directive, text other than a comment after ``---``, or a line inside a string that begins with
        ``---``. Return ``None`` if there is no such text.
        """
        start, end, text = self.start, self.end, self.text
        if self.form == "json" or not (text.startswith("---", start) or _may_be_odd(text, start, end)):
            return None
        match = re.compile(_ODD_BEGINNING).match(text, start, end) or re.compile(_ODD_LINE).search(text, start, end)
        if match is None:
            return None
        at = match.start(match.lastgroup or 0)
        return self.span(at - start, match.end() - start), str(match.lastgroup)

    def locate(self, ordinal: int, path: Path, dialect: Dialect) -> Location | None:
        """Return the location of ``path`` in a document, or of the longest existing part of ``path``.

        ``ordinal`` is the zero-based number of the document in the excerpt. ``None`` means that the document cannot be
        read.
        """
        location = self._lines().locate(path) if self.form == "lines" else None
        if location is not None:
            return location
        from .location import locate

        root = self._root(ordinal)
        return None if root is None else locate(root, path, dialect)

    def extent(self, ordinal: int, path: Path, dialect: Dialect, *, of_key: bool = False) -> tuple[int, int]:
        """Return the start and end of the value at ``path``, of its key, or of the longest existing part.

        Args:
            ordinal: The zero-based number of the document in the excerpt.
            path: The path from the root of the document.
            dialect: The reader that is imitated.
            of_key: True for the key or list item instead of the value. If it does not exist, the value around it
                counts.
        """
        key = self._lines().key(path) if of_key and self.form == "lines" else None
        if key is not None:
            return key
        location = self.locate(ordinal, path, dialect)
        return (0, 0) if location is None else location.extent(self.body, of_key=of_key)

    def _lines(self) -> Places:
        if self._places is None:
            from .fast.place import Places  # most documents have no finding, and need no places

            self._register()
            self._places = Places(self.body)
        return self._places

    def _root(self, ordinal: int) -> Node | None:
        if self._roots is None:
            self._register()
            self._roots = self._compose()
        return self._roots[ordinal] if ordinal < len(self._roots) else None

    def _compose(self) -> list[Node]:
        if self.form == "json":
            from .json_text import compose_json

            return compose_json(self.body)
        from .tree import compose

        roots: list[Node] = []
        with suppress(ReadError):  # one in a later document of the excerpt; those before it are there
            roots.extend(compose(self.body))
        return roots

    def span(self, start: int, end: int) -> Span:
        """Return the span of a part of the excerpt; ``start`` and ``end`` are code points from its start.

        Lines end as in editors, at LF, CR LF and CR. YAML would also count U+0085, U+2028 and U+2029.
        """
        if self.form == "lines" and self.end - self.start < _SHORT:
            body = self.text[self.start : self.end]
            line, column = self.first_line + body.count("\n", 0, start) + 1, start - body.rfind("\n", 0, start)
            last_break = body.rfind("\n", start, end)
            if last_break < 0:
                return Span(self.file, line, column, line, column + end - start)
            return Span(self.file, line, column, line + body.count("\n", start, end), end - last_break)
        return Span(self.file, *self._place(start), *self._place(end))

    def _place(self, at: int) -> tuple[int, int]:
        if self._breaks is None:
            self._register()
            self._breaks = [0, *(match.end() for match in re.finditer(_BREAK, self.body))]
        row = bisect_right(self._breaks, at) - 1
        return self.first_line + row + 1, at - self._breaks[row] + 1


_indexed: deque[Excerpt] = deque()
"""Excerpts with position indexes, oldest first; at most `_MOST_INDEXED`."""


@at_end
def _forget_all() -> None:
    while _indexed:
        _indexed.pop().forget()


def excerpts(text: str, file: str, dialect: Dialect = "kubernetes") -> Iterator[Excerpt]:
    """Split a YAML text like kubectl, before lines that begin with ``---``.

    YAML allows such a line only between documents, so a fault in a document cannot affect later documents. After a
    directive, the text is not split further, because the directive belongs to the next document. kubectl drops a line
    such as ``---#``, which YAML takes for text, so it is in no excerpt. Of two such lines in a row, kubectl keeps the
    second.

    Source: k8s.io/apimachinery v0.35, ``YAMLReader``.
    """
    start = 1 if text.startswith("\ufeff") else 0  # a second mark, which parsers skip without counting it
    first_line, dropped_to = 0, start
    may_have_directives, has_returns = "%" in text, "\r" in text
    for cut in _cuts(text, dialect):
        is_marker, is_dropped = text[cut + 3 : cut + 4] in _AFTER_MARKER, cut > dropped_to
        line_end = text.find("\n", cut) + 1 or len(text)
        if is_dropped:
            dropped_to = line_end
        if may_have_directives and (text.startswith("%", start) or text.find("\n%", start, cut) >= 0):
            continue
        if not (is_marker or is_dropped):
            continue
        yield Excerpt(file, text, start, cut, first_line)
        begin = cut if is_marker else line_end
        first_line += len(re.findall(_BREAK, text[start:begin])) if has_returns else text.count("\n", start, begin)
        start = begin
    yield Excerpt(file, text, start, len(text), first_line)


def count_markers(text: str) -> int:
    """Return the number of lines after the first that begin with ``---`` or ``...``."""
    breaks = "\n\r" if "\r" in text else "\n"
    return sum(text.count(end + marker) for end in breaks for marker in ("---", "..."))


def _is_separator(text: str, at: int) -> bool:
    """Return whether kubectl takes the line at ``at``, which begins with ``---``, for a separator of documents."""
    end = text.find("\n", at)
    return trim(text[at + 3 : end if end >= 0 else len(text)])[:1] in {"", "#"}


def _cuts(text: str, dialect: Dialect) -> Iterator[int]:
    odd = _ODD if dialect == "kubernetes" else frozenset()
    if "\r" in text:
        for match in re.finditer(_MARKER, text):
            at, following = match.end(), match[1]
            if following in _AFTER_MARKER or (following in odd and match[0] != "\r" and _is_separator(text, at)):
                yield at
        return
    at = -1
    while (at := text.find("\n---", at + 1)) >= 0:
        following = text[at + 4 : at + 5]
        if following in _AFTER_MARKER or (following in odd and _is_separator(text, at + 1)):
            yield at + 1


def _may_be_odd(text: str, start: int, end: int) -> bool:
    return text.find("%", start, end) >= 0 or text.find("\n---", start, end) >= 0


def decode(data: bytes) -> str:
    """Decode UTF-8, or UTF-16 with a byte order mark. Other bytes become surrogates, which are reported later."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            return data.decode("utf-16")
        except UnicodeDecodeError as error:
            # The first byte becomes a surrogate, as `surrogateescape` marks it in other texts.
            return data[: error.start].decode("utf-16") + chr(0xDC80 | data[error.start])
    return data.removeprefix(codecs.BOM_UTF8).decode("utf-8", "surrogateescape")
