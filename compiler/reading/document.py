"""Read YAML and JSON texts to documents: plain data like Go's readers, with a place for every key and value."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, Literal

from ..diagnostics.budget import OF_FILE, Budget
from ..diagnostics.named_tuple import NamedTuple
from .bound import BEYOND_BOUNDS, MAX_DOCUMENTS
from .excerpt import Excerpt, count_markers, decode, excerpts
from .fault import ReadError, UnreadableError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ..diagnostics.finding import Finding, Note, Rule, Severity
    from ..diagnostics.span import Path, Span
    from .excerpt import Form
    from .node import Dialect, Location

_JSON_BEGINNING: Final = r'\s*\{\s*["}]'
_LIST = "List"


class Place(NamedTuple):
    """A path in a document, whose position in the text is only computed on demand."""

    document: Document
    path: Path

    @property
    def span(self) -> Span:
        """Return the span of the value in the text."""
        return self.document.span(self.path)

    @property
    def key(self) -> tuple[str, int, Path]:
        """The sort key: file, index of the document, and path. Paths can only be compared if they consist of names."""
        return self.document.file, self.document.index, self.path


class Document:
    """A document of a file, or an element of a list of objects, such as a ``List`` or a ``ConfigMapList``.

    Attributes:
        file: The name of the file in findings.
        index: The zero-based number of the document in the file. Empty documents are not counted.
        data: The plain data, as the reader of ``dialect`` returns it. Later steps add defaults, which the text lacks.
        prefix: ``("items", N)`` for an element of a list. Paths are relative to ``data``, so findings must add the
            prefix.
        dialect: The reader that is imitated.
    """

    __slots__ = ("_excerpt", "_ordinal", "data", "dialect", "file", "index", "prefix")

    def __init__(  # noqa: PLR0913 - one for each fact
        self, file: str, index: int, data: Any, *, prefix: Path = (), dialect: Dialect, excerpt: Excerpt, ordinal: int
    ) -> None:
        self.file = file
        self.index = index
        self.data = data
        self.prefix = prefix
        self.dialect: Dialect = dialect
        self._excerpt = excerpt
        self._ordinal = ordinal

    def with_data(self, data: Any) -> Document:
        """Return a copy of the document with other data, whose values keep their paths and positions in the text."""
        places: dict[str, Any] = {"prefix": self.prefix, "excerpt": self._excerpt, "ordinal": self._ordinal}
        return Document(self.file, self.index, data, dialect=self.dialect, **places)

    def part(self, path: Path, data: Any) -> Document:
        """Return a document with ``data`` whose positions are those of the value at ``path``."""
        places: dict[str, Any] = {"prefix": (*self.prefix, *path), "excerpt": self._excerpt, "ordinal": self._ordinal}
        return Document(self.file, self.index, data, dialect=self.dialect, **places)

    @property
    def is_json(self) -> bool:
        """True if the text was read as JSON."""
        return self._excerpt.form == "json"

    def odd_beginning(self) -> tuple[Span, str] | None:
        """Return text before or in the document that YAML allows but kubectl refuses; see `Excerpt.odd_beginning`."""
        return self._excerpt.odd_beginning() if self._ordinal == 0 else None

    def place(self) -> tuple[int, Path, Dialect, int, int, int, int, Form]:
        """Return the index, prefix, dialect and number in the excerpt, and start, end, line and form of the excerpt."""
        excerpt = self._excerpt
        extent = (excerpt.start, excerpt.end, excerpt.first_line, excerpt.form)
        return (self.index, self.prefix, self.dialect, self._ordinal, *extent)

    def span(self, path: Path) -> Span:
        """Return the span of the value at ``path``, or of the nearest existing value around it."""
        return self._excerpt.span(*self._stretch(path))

    def key_span(self, path: Path) -> Span:
        """Return the span of the key or list item at ``path``, or else the same as `span`."""
        return self._excerpt.span(*self._stretch(path, of_key=True))

    def span_within(self, path: Path, offset: int, length: int | None = None, text: str | None = None) -> Span:
        """Return the span of a part of the text at ``path``, or of the whole text if its source has escapes or folds.

        Args:
            offset: The start of the part, in code points of the text without quotes and indentation.
            length: The length of the part. Default: the word at ``offset``.
            text: The text without quotes and indentation. Default: the text at ``path``.
        """
        from .inner_place import inner_extent

        excerpt = self._excerpt
        text = self.scalar(path) if text is None else text
        start, end = self._stretch(path)
        inner = None if text is None else inner_extent(excerpt.body[start:end], text, offset, length)
        return excerpt.span(start, end) if inner is None else excerpt.span(start + inner[0], start + inner[1])

    def has(self, path: Path) -> bool:
        """Return whether the text of the document contains ``path``. Defaults that mcpcfg added are not in the text."""
        location = self._locate(path)
        return location is not None and location.is_whole

    def states(self, *path: str | int) -> bool:
        """Return whether the text states the field at ``path``, like `has`."""
        return self.has(path)

    def at_offset(self, path: Path, offset: int) -> Span:
        """Return the span of the word at ``offset`` of the text at ``path``."""
        return self.span_within(path, offset)

    def finding(  # noqa: PLR0913 - each argument is one fact of the finding
        self,
        rule: Rule,
        path: Path,
        message: str,
        *,
        hint: str | None = None,
        notes: tuple[Note, ...] = (),
        on: Literal["value", "key"] = "value",
        severity: Severity | None = None,
        span: Span | None = None,
    ) -> Finding:
        """Return a finding about the value or key at ``path``; ``span`` overrides its position."""
        return rule.finding(
            span or (self.key_span(path) if on == "key" else self.span(path)),
            message,
            document=self.index,
            path=self.prefix + path,
            hint=hint,
            notes=notes,
            severity=severity,
        )

    def scalar(self, path: Path) -> str | None:
        """Return the text of the scalar at ``path`` without quotes, such as ``1.10`` for the number 1.1.

        Go decodes this text into a string field. Return ``None`` if there is no scalar.
        """
        return _text_of(self._locate(path))

    def elements(self) -> Iterator[Document]:
        """Yield the elements of a list of objects as documents, or the document itself if it is not a list.

        An element of a typed list without kind and apiVersion gets those of the list.

        Source: kubectl's reading of lists, k8s.io/apimachinery: UnstructuredJSONScheme.
        """
        data = self.data
        kind = data.get("kind") if isinstance(data, dict) else None
        if not (isinstance(kind, str) and kind.endswith(_LIST) and isinstance(data.get("items"), list)):
            yield self
            return
        types = {"apiVersion": data.get("apiVersion"), "kind": kind.removesuffix(_LIST)}
        for number, item in enumerate(data["items"]):
            is_untyped = isinstance(item, dict) and not (item.get("kind") or item.get("apiVersion"))
            element = {**item, **types} if is_untyped and types["kind"] else item
            yield from self.part(("items", number), element).elements()

    def _stretch(self, path: Path, *, of_key: bool = False) -> tuple[int, int]:
        whole = self._whole(path) if self.prefix else path
        return self._excerpt.extent(self._ordinal, whole, self.dialect, of_key=of_key)

    def _locate(self, path: Path) -> Location | None:
        return self._excerpt.locate(self._ordinal, self._whole(path), self.dialect)

    def _whole(self, path: Path) -> Path:
        return (*self.prefix, *path) if self.prefix else path


def _text_of(location: Location | None) -> str | None:
    if location is None or not location.is_whole:
        return None
    node = location.value.value if location.value.kind == "alias" else location.value
    return node.value if node.kind == "scalar" else None


def read_documents(
    text: bytes | str,
    file: str,
    *,
    dialect: Dialect = "kubernetes",
    budget: Budget | None = None,
    drops: Callable[[Sequence[str]], Sequence[bool]] | None = None,
) -> tuple[list[Document], list[Finding]]:
    """Return all documents of a text that can be read and are not empty, and findings about the others.

    An unreadable document does not affect the others, and `count_documents` counts it. Documents end where kubectl ends
    them: at lines that begin with ``---``.

    Args:
        text: The content of the file: UTF-8 or UTF-16, with or without a byte order mark.
        file: The name of the file in findings. A name with ``.json`` is read as JSON.
        dialect: The YAML reader to imitate: Kubernetes or the vMCP process.
        budget: The file's budget for expanding aliases. Default: a new budget.
        drops: Receives the texts of all documents and returns for each whether it is only counted. Default: parse all.
    """
    decoded = decode(text) if isinstance(text, bytes) else text.removeprefix("\ufeff")
    budget = Budget(OF_FILE) if budget is None else budget
    if dialect == "kubernetes" and (file.endswith(".json") or _begins_with_brace(decoded)):
        return _read_json(decoded, file, budget)
    return _read_yaml(decoded, file, dialect, budget, drops)


def read_first_json(text: bytes, file: str) -> tuple[Document, list[Finding]] | None:
    """Return a record as Go's plain JSON decoder reads it, which accepts more texts than `read_documents`.

    The last of duplicate keys counts, and text after the first value is ignored. Both cause warnings. ``None`` means
    that even this decoder refuses the text, that `read_documents` accepts it, or that it is not JSON.
    """
    from .json_text import read_first_json as first

    decoded = decode(text)
    if not (file.endswith(".json") or _begins_with_brace(decoded)):
        return None
    try:
        value, end, refused = first(decoded)
    except UnreadableError:
        return None
    if value is None or not refused:
        return None
    document = Document(
        file, 0, value, dialect="kubernetes", excerpt=Excerpt(file, decoded, 0, end, 0, "json"), ordinal=0
    )
    whole = Excerpt(file, decoded, 0, len(decoded), 0, "json")
    return document, [_finding(fault, whole, 0)._replace(severity="warning") for fault in refused]


def with_written_numbers(document: Document) -> Document:
    """Return a JSON document with each number that has a point or an exponent as a float. YAML stays unchanged.

    Kubernetes accepts ``1.0`` as an integer, as in `Document.data`. Go's plain decoder does not.
    """
    excerpt, ordinal = document._excerpt, document._ordinal  # noqa: SLF001 - of the same kind
    if excerpt.form != "json":
        return document
    from .json_text import has_written_floats, read_as_written

    if not has_written_floats(excerpt.body):
        return document
    return document.with_data(read_as_written(excerpt.body)[ordinal])


def whole_document(text: bytes, file: str) -> Document:
    """Return a document for a file that is neither YAML nor JSON. Its data is the text, with any byte order mark."""
    decoded = text.decode("utf-8", "surrogateescape")
    excerpt = Excerpt(file, decoded, 0, len(decoded), 0)
    return Document(file, 0, decoded, dialect="kubernetes", excerpt=excerpt, ordinal=0)


def empty_document(text: bytes, file: str) -> Document:
    """Return a document with null as data, for a file that is empty or only contains null."""
    decoded = decode(text)
    form: Form = "json" if file.endswith(".json") and decoded.strip() else "yaml"
    return Document(file, 0, None, dialect="kubernetes", excerpt=Excerpt(file, decoded, 0, 0, 0, form), ordinal=0)


def count_documents(documents: list[Document], findings: list[Finding]) -> int:
    """Return the number of documents of a file that are not empty, including those that cannot be read."""
    broken = {finding.document for finding in findings if finding.document is not None}
    return len(broken.union(document.index for document in documents)) if broken else len(documents)


def _begins_with_brace(text: str) -> bool:
    first = text[:1]
    return first == "{" or (first.isspace() and text.lstrip()[:1] == "{")


def _read_json(text: str, file: str, budget: Budget) -> tuple[list[Document], list[Finding]]:
    from .json_text import read_json

    excerpt = Excerpt(file, text, 0, len(text), 0, "json")
    try:
        values = read_json(text)
    except UnreadableError as faults:
        if not file.endswith(".json"):
            documents, findings = _read_yaml(text, file, "kubernetes", budget)
            if documents or not findings or re.match(_JSON_BEGINNING, text) is None:
                return documents, findings
        return [], [_finding(fault, excerpt, 0) for fault in faults.faults]
    documents = []
    for ordinal, value in enumerate(values):
        if value is not None:
            index = len(documents)
            documents.append(Document(file, index, value, dialect="kubernetes", excerpt=excerpt, ordinal=ordinal))
    return documents, []


def _read_yaml(
    text: str,
    file: str,
    dialect: Dialect,
    budget: Budget,
    drops: Callable[[Sequence[str]], Sequence[bool]] | None = None,
) -> tuple[list[Document], list[Finding]]:
    if len(text) > MAX_DOCUMENTS and count_markers(text) > MAX_DOCUMENTS:
        fault = ReadError(BEYOND_BOUNDS, f"the file contains more than {MAX_DOCUMENTS:,} documents", 0, 0)
        return [], [_finding(fault, Excerpt(file, text, 0, 0, 0), None)]
    documents: list[Document] = []
    findings: list[Finding] = []
    index = 0
    parts = list(excerpts(text, file, dialect))
    dropped = [False] * len(parts) if drops is None else drops([part.body for part in parts])
    for excerpt, is_dropped in zip(parts, dropped, strict=True):
        if is_dropped:
            index += 1
            continue
        values = excerpt.read_fast(dialect)
        if values is None:
            index = _read_exactly(excerpt, dialect, index, documents, findings, budget)
            continue
        for ordinal, value in enumerate(values):
            documents.append(Document(file, index, value, dialect=dialect, excerpt=excerpt, ordinal=ordinal))
            index += 1
    return documents, findings


def _read_exactly(
    excerpt: Excerpt, dialect: Dialect, index: int, documents: list[Document], findings: list[Finding], budget: Budget
) -> int:
    """Read an excerpt exactly, append to ``documents`` and ``findings``, and return the index of the next document."""
    from .character import forbidden
    from .data import data_of
    from .tree import compose

    body = excerpt.body
    first = index
    try:
        forbidden(body)
        for ordinal, root in enumerate(compose(body)):
            try:
                value = data_of(root, dialect, budget=budget)
            except UnreadableError as faults:
                findings.extend(_finding(fault, excerpt, index) for fault in faults.faults)
            else:
                file = excerpt.file
                documents.append(Document(file, index, value, dialect=dialect, excerpt=excerpt, ordinal=ordinal))
            index += 1
    except ReadError as fault:
        if fault.is_after_document and index > first:
            index -= 1
        findings.append(_finding(fault, excerpt, index))
        index += 1
    return index


def _finding(fault: ReadError, excerpt: Excerpt, document: int | None) -> Finding:
    from ..diagnostics.finding import Note
    from ..diagnostics.secret.source import with_quotes_masked as masked

    body = excerpt.body
    notes = [Note(masked(aside.message, body), excerpt.span(aside.start, aside.end)) for aside in fault.asides]
    return fault.rule.finding(
        excerpt.span(fault.start, fault.end),
        masked(fault.message, body),
        document=document,
        hint=fault.hint and masked(fault.hint, body),
        notes=tuple(notes),
    )
