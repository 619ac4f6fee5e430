"""Facts as plain data, for other processes and for the cache, and back.

What comes back is lazy: the data of a resource is decoded when somebody looks at it, or read again where it was not
kept, and its text is opened again when a place in it is asked for. Most resources are never looked at so closely.
"""

from __future__ import annotations

import marshal
from collections import deque
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, overload

from mcpcfg.compiler.disk.files import FoundFile, read_file
from mcpcfg.compiler.document import Document, decode, read_documents
from mcpcfg.compiler.naming import Named
from mcpcfg.compiler.profile import TOOLHIVE
from mcpcfg.compiler.reading.excerpt import Excerpt
from mcpcfg.compiler.resource import Resource
from mcpcfg.compiler.source import InputError, Span

from .facts import read_facts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from mcpcfg.compiler.admission.sound import Doubt
    from mcpcfg.compiler.finding import Finding, Note
    from mcpcfg.compiler.profile import Profile
    from mcpcfg.compiler.reading.scalar import Dialect
    from mcpcfg.compiler.source import Path

Key = TypeVar("Key")
Held = TypeVar("Held")
Plain: TypeAlias = tuple[Any, ...]
"""Numbers, texts, bytes and tuples of them: what `marshal` writes and reads."""

_MOST_DECODED = 8_000
_MOST_READ_AGAIN = 256
_decoded: deque[Callable[[], None]] = deque()
"""What forgets what was decoded, the oldest first: of very many resources and documents only the last keep it."""


def _will_forget(forget: Callable[[], None]) -> None:
    """Note what forgets something that was decoded just now."""
    _decoded.append(forget)
    if len(_decoded) > _MOST_DECODED:
        _decoded.popleft()()


def forget() -> None:
    """Forget all that was decoded: who asks for it again has it decoded again."""
    while _decoded:
        _decoded.popleft()()


def release() -> None:
    """Let go of the resources of earlier checks: who checks again and again holds those of the last one alone."""
    _decoded.clear()


class Texts(Mapping[str, bytes]):
    """The texts of the files of a call by name: those that are held, and others, read again when they are asked for.

    Args:
        profile: The names that the operator goes by.
        buffers: Texts that count in place of what files hold, by the paths of the files.
    """

    def __init__(self, profile: Profile = TOOLHIVE, buffers: Mapping[str, bytes] | None = None) -> None:
        self._profile = profile
        self._buffers = buffers or {}
        self._resources: dict[str, Sequence[Resource]] = {}
        self._records: dict[str, Sequence[tuple[str, Document]]] = {}
        self._held: dict[str, bytes | None] = {}
        self._again: dict[str, bytes] = {}
        self._decoded: dict[str, str] = {}
        self._documents: dict[tuple[str, str], dict[tuple[int, Path], Document]] = {}
        self._order: Callable[[str], int] | None = None

    def __getitem__(self, file: str) -> bytes:
        text = self._held[file]
        return _held(self._again, file, lambda: self._read(file)) if text is None else text

    def _read(self, file: str) -> bytes:
        again = self._buffers[file] if file in self._buffers else read_file(FoundFile(file, is_named=True))
        return again if isinstance(again, bytes) else b""

    def __iter__(self) -> Iterator[str]:
        if self._order is not None:
            self._held = {file: self._held[file] for file in sorted(self._held, key=self._order)}
            self._order = None
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)

    def add(self, file: str, text: bytes | None = None) -> None:
        """Take a file up, with its text where that is held."""
        self._held[file] = text

    def add_unread(self, files: Iterable[str]) -> None:
        """Take files up whose texts are read when they are asked for, unless they are held."""
        for file in files:
            self._held.setdefault(file)

    def held(self, file: str) -> bytes | None:
        """Give the text of a file if it is held."""
        return self._held.get(file)

    def arrange(self, order: Callable[[str], int]) -> None:
        """Put the files in the order in which ``order`` numbers them."""
        self._order = order

    def decoded(self, file: str) -> str:
        """Give the text of a file as it was read."""
        return _held(self._decoded, file, lambda: decode(self[file]))

    def document(self, file: str, index: int, prefix: Path, dialect: Dialect) -> Document:
        """Read one document again.

        Raises:
            InputError: The file is no longer what it was when the check began.
        """

        def read() -> dict[tuple[int, Path], Document]:
            documents, _ = read_documents(self[file], file, dialect=dialect)
            return {(one.index, one.prefix): one for whole in documents for one in (whole, *whole.elements())}

        found = _held(self._documents, (file, dialect), read).get((index, prefix))
        if found is None:
            raise _changed(file)
        return found

    def resource(self, file: str, number: int) -> Resource:
        """Read and admit the resource of that number, counted from 0, of a file again.

        Raises:
            InputError: The file is no longer what it was when the check began.
        """
        found = _held(self._resources, file, lambda: read_facts(self[file], file, profile=self._profile).resources)
        if number >= len(found):
            raise _changed(file)
        return found[number]

    def record(self, file: str, number: int) -> Document:
        """Read the record of that number, counted from 0, of a file again.

        Raises:
            InputError: The file is no longer what it was when the check began.
        """
        found = _held(self._records, file, lambda: read_facts(self[file], file, profile=self._profile).records)
        if number >= len(found):
            raise _changed(file)
        return found[number][1]


def _held(known: dict[Key, Held], key: Key, read: Callable[[], Held]) -> Held:
    """Give what was read before under ``key``, or read it now; of many only the last are held."""
    if key not in known:
        if len(known) >= _MOST_READ_AGAIN:
            del known[next(iter(known))]
        known[key] = read()
    return known[key]


def _changed(file: str) -> InputError:
    return InputError(f"{file}: the file was changed while it was being checked")


class StoredDocument(Document):
    """A document whose text is opened again when it matters.

    Args:
        plain: What `Document.place` gives.
        file: Its file.
        texts: Opens files again.
        data: Its plain data, where that is kept.
        number: Which of the file's records it is, where it is one.
    """

    __slots__ = ("_again", "_extent", "_number", "_packed", "_texts")

    def __init__(
        self, plain: Plain, file: str, texts: Texts, data: bytes | None = None, number: int | None = None
    ) -> None:
        self.file = file
        self.index, self.prefix, self.dialect, self._ordinal, *self._extent = plain
        self._texts = texts
        self._packed = data
        self._number = number
        self._again: Excerpt | None = None

    @property
    def data(self) -> Any:
        """The plain data, as the text states it."""
        if self._packed is None and self._number is not None:
            return self._texts.record(self.file, self._number).data
        if self._packed is None:
            return self._texts.document(self.file, self.index, self.prefix, self.dialect).data
        return marshal.loads(self._packed)  # noqa: S302 - our own

    @property
    def _excerpt(self) -> Excerpt:  # type: ignore[override] # stands in for an attribute
        again = self._again
        if again is None:
            again = self._again = Excerpt(self.file, self._texts.decoded(self.file), *self._extent)
            _will_forget(self._forget_text)
        return again

    def _forget_text(self) -> None:
        self._again = None


class StoredResource(Resource):
    """A resource whose data and document are decoded, or read again, when they are asked for.

    Args:
        identity: Its kind, name and stated namespace.
        kept: What else is kept of it, as `marshal` writes it: its place, fields in another spelling and names that it
            gives; and its data. ``None`` is read again.
        file: Its file.
        number: Which of the file's resources it is.
        texts: Opens files again.
        unknown: Whether a placeholder stands where its value decides.
    """

    __slots__ = ("_file", "_kept", "_number", "_texts")

    def __init__(
        self,
        identity: tuple[str, str, str | None],
        kept: tuple[bytes | None, bytes | None],
        file: str,
        number: int,
        texts: Texts,
        *,
        unknown: bool,
    ) -> None:
        self.kind, self.name, self.namespace = identity
        self.has_unknown_values = unknown
        self._named = None
        self._spans = {}
        self._worked_out = {}
        self._file = file
        self._number = number
        self._texts = texts
        self._kept = kept

    def copy_in(self, namespace: str) -> StoredResource:
        """As `Resource.copy_in`."""
        identity = (self.kind, self.name, namespace)
        return StoredResource(
            identity, self._kept, self._file, self._number, self._texts, unknown=self.has_unknown_values
        )

    def __getattr__(self, field: str) -> Any:
        """Fill in what nobody has asked for so far, or what was forgotten since."""
        if field in {"data", "spec"}:
            self._fill_in_data()
        elif field in {"document", "renamed", "doubts"}:
            self._fill_in_places()
        return object.__getattribute__(self, field)

    def _fill_in_data(self) -> None:
        packed = self._kept[1]
        data = self._again().data if packed is None else marshal.loads(packed)  # noqa: S302 - our own
        stated = data.get("spec")
        spec: Any = stated if isinstance(stated, dict) else {}
        self.data = data
        self.spec = spec
        _will_forget(self._forget_data)

    def _forget_data(self) -> None:
        """Forget the data, and what was worked out from it; whoever asks for it again has it decoded again."""
        del self.data, self.spec
        self._named = None
        self._worked_out = {}

    def _fill_in_places(self) -> None:
        detail = self._kept[0]
        if detail is None:
            again = self._again()
            place, self.renamed, self.doubts = again.document.place(), again.renamed, again.doubts
        else:
            place, self.renamed, doubts, named = marshal.loads(detail)  # noqa: S302 - our own
            self.doubts = _doubts(doubts) if doubts else ()
            self._named = tuple(map(Named._make, named))
        self.document = StoredDocument(place, self._file, self._texts)
        _will_forget(self._forget_places)

    def _forget_places(self) -> None:
        del self.document, self.renamed, self.doubts
        self._named = None
        self._spans = {}

    def _again(self) -> Resource:
        """Read it again.

        Raises:
            InputError: The file is no longer what it was when the check began.
        """
        found = self._texts.resource(self._file, self._number)
        if (found.kind, found.name) != (self.kind, self.name):
            raise _changed(self._file)
        return found

    @property
    def named(self) -> tuple[Named, ...]:
        """The names of other objects that it gives."""
        if self._named is None and self._kept[0] is not None:
            self._fill_in_places()
        return super().named


def _doubts(plain: Plain) -> tuple[Doubt, ...]:
    from mcpcfg.compiler.admission.sound import Doubt

    return tuple(map(Doubt._make, plain))


class StoredFindings(Sequence["Finding"]):
    """Findings from plain data, made when the first of them is looked at.

    Attributes:
        packed: As `store` gave them.
    """

    def __init__(self, packed: bytes) -> None:
        self.packed = packed
        self._made: list[Finding] | None = None

    def __len__(self) -> int:
        return len(self[:])

    @overload
    def __getitem__(self, at: int) -> Finding: ...

    @overload
    def __getitem__(self, at: slice) -> list[Finding]: ...

    def __getitem__(self, at: int | slice) -> Finding | list[Finding]:
        if self._made is None:
            self._made = unpack_findings(marshal.loads(self.packed))  # noqa: S302 - our own
        return self._made[at]


def store(findings: Sequence[Finding]) -> bytes:
    """Give findings as `marshal` writes them as plain data."""
    return findings.packed if isinstance(findings, StoredFindings) else marshal.dumps(pack_findings(findings))


def join_stored(stored: Iterable[bytes]) -> bytes:
    """Give findings that follow one another, each as `store` gave them, as it gives all of them."""
    return marshal.dumps(tuple([one for some in stored for one in marshal.loads(some)]))  # noqa: S302 - our own


def pack_findings(findings: Iterable[Finding]) -> Plain:
    """Give findings as plain data."""
    return tuple(
        [
            (
                *(one.rule, one.name, one.severity, one.stage, tuple(one.span), one.message, one.document),
                None if one.subject is None else tuple(one.subject),
                *(one.path, one.hint, one.notes and pack_notes(one.notes)),
                *(one.is_secret, one.hidden and _pack_places(one.hidden), one.is_one_change),
            )
            for one in findings
        ]
    )


def _pack_places(places: Iterable[Span]) -> Plain:
    return tuple([tuple(place) for place in places])


def pack_notes(notes: Iterable[Note]) -> Plain:
    """Return notes as plain data."""
    return tuple([(message, None if span is None else tuple(span)) for message, span in notes])


def unpack_notes(plain: Iterable[Plain]) -> tuple[Note, ...]:
    """Return the notes that plain data stands for."""
    from mcpcfg.compiler.finding import Note

    return tuple([Note(message, None if span is None else Span._make(span)) for message, span in plain])


def unpack_findings(plain: Iterable[Plain]) -> list[Finding]:
    """Give the findings that plain data stands for."""
    from mcpcfg.compiler.finding import Finding, Subject

    return [
        Finding._make(
            (
                *(*told, Span._make(span), message, document),
                None if subject is None else Subject._make(subject),
                *(path, hint, notes and unpack_notes(notes)),
                *(is_secret, tuple([Span._make(place) for place in hidden]), is_one_change),
            )
        )
        for *told, span, message, document, subject, path, hint, notes, is_secret, hidden, is_one_change in plain
    ]
