"""Facts as plain data, for other processes and for the cache, and back.

What comes back is lazy: the data of a resource is decoded when somebody looks at it, or read again where it was not
kept, and its text is opened again when a place in it is asked for. Most resources are never looked at so closely.
"""

from __future__ import annotations

import marshal
from collections import deque
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar, overload

from mcpcfg.compiler import inputs
from mcpcfg.compiler.disk.files import FoundFile, read_file
from mcpcfg.compiler.document import Document, decode, read_documents
from mcpcfg.compiler.naming import Named
from mcpcfg.compiler.profile import TOOLHIVE
from mcpcfg.compiler.reading.excerpt import Excerpt
from mcpcfg.compiler.resource import Resource
from mcpcfg.compiler.source import InputError, Span

from .facts import Facts, read_facts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from mcpcfg.compiler.finding import Finding
    from mcpcfg.compiler.profile import Profile
    from mcpcfg.compiler.project.kustomize import Kustomization
    from mcpcfg.compiler.reading.scalar import Dialect
    from mcpcfg.compiler.reading.silence import Ignore
    from mcpcfg.compiler.source import Path

Key = TypeVar("Key")
Held = TypeVar("Held")
Plain: TypeAlias = tuple[Any, ...]
"""Numbers, texts, bytes and tuples of them: what `marshal` writes and reads."""


class Entry(NamedTuple):
    """What is kept of one file.

    Attributes:
        digest: Of its text; empty where nothing is to be kept.
        facts: As plain data; ``None`` where the file holds nothing of ours.
    """

    digest: bytes
    facts: Plain | None


_MOST_DECODED = 10_000
_MOST_READ_AGAIN = 256
_decoded: deque[StoredResource] = deque()
"""Resources whose data is decoded, the oldest first; of very many only the last keep it."""


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
        self._resources: dict[str, dict[Plain, Resource]] = {}
        self._held: dict[str, bytes | None] = {}
        self._decoded: dict[str, str] = {}
        self._documents: dict[tuple[str, str], dict[tuple[int, Path], Document]] = {}

    def __getitem__(self, file: str) -> bytes:
        text = self._held[file]
        if text is None:
            again = self._buffers[file] if file in self._buffers else read_file(FoundFile(file, is_named=True))
            text = self._held[file] = again if isinstance(again, bytes) else b""
        return text

    def __iter__(self) -> Iterator[str]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)

    def add(self, file: str, text: bytes | None = None) -> None:
        """Take a file up, with its text where that is held."""
        self._held[file] = text

    def add_unread(self, files: Iterable[str]) -> None:
        """Take files up whose texts are read when they are asked for."""
        self._held.update(dict.fromkeys(files))

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

    def resource(self, file: str, place: Plain) -> Resource:
        """Read and admit the resource at ``place`` again, which is what `Document.place` gives.

        Raises:
            InputError: The file is no longer what it was when the check began.
        """

        def read() -> dict[Plain, Resource]:
            facts = read_facts(self[file], file, profile=self._profile)
            return {one.document.place(): one for one in facts.resources}

        found = _held(self._resources, file, read).get(place)
        if found is None:
            raise _changed(file)
        return found


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
    """

    __slots__ = ("_again", "_extent", "_packed", "_texts")

    def __init__(self, plain: Plain, file: str, texts: Texts, data: bytes | None = None) -> None:
        self.file = file
        self.index, self.prefix, self.dialect, self._ordinal, *self._extent = plain
        self._texts = texts
        self._packed = data
        self._again: Excerpt | None = None

    @property
    def data(self) -> Any:
        """The plain data, as the text states it."""
        if self._packed is None:
            return self._texts.document(self.file, self.index, self.prefix, self.dialect).data
        return marshal.loads(self._packed)  # noqa: S302 - our own

    @property
    def _excerpt(self) -> Excerpt:  # type: ignore[override] # stands in for an attribute
        if self._again is None:
            self._again = Excerpt(self.file, self._texts.decoded(self.file), *self._extent)
        return self._again


class StoredResource(Resource):
    """A resource whose data is decoded, and whose document is read again, when they are asked for."""

    __slots__ = ("_content", "_document", "_file", "_named_plain", "_packed", "_place", "_texts")

    def __init__(self, plain: Plain, file: str, texts: Texts) -> None:
        self._place, self.kind, self.name, self.namespace, self.admitted, self.has_unknown_values = plain[:6]
        self.renamed, self._named_plain, self._packed = plain[6:]
        self._named = None
        self._worked_out = {}
        self._file = file
        self._texts = texts
        self._content: dict[str, Any] | None = None
        self._document: StoredDocument | None = None

    def copy_in(self, namespace: str) -> StoredResource:
        """As `Resource.copy_in`."""
        facts = (self._place, self.kind, self.name, namespace, self.admitted, self.has_unknown_values)
        plain = (*facts, self.renamed, self._named_plain, self._packed)
        return StoredResource(plain, self._file, self._texts)

    @property
    def data(self) -> dict[str, Any]:  # type: ignore[override] # stands in for an attribute
        """The object as the API server would store it."""
        content = self._content
        if content is None:
            if self._packed is None:
                content = self._texts.resource(self._file, self._place).data
            else:
                content = marshal.loads(self._packed)  # noqa: S302 - our own
            self._content = content
            _decoded.append(self)
            if len(_decoded) > _MOST_DECODED:
                _decoded.popleft()._content = None  # noqa: SLF001 - another of the same kind
        return content

    @property
    def spec(self) -> dict[str, Any]:  # type: ignore[override] # stands in for an attribute
        """``data["spec"]``, or an empty mapping."""
        spec = self.data.get("spec")
        return spec if isinstance(spec, dict) else {}

    @property
    def document(self) -> Document:  # type: ignore[override] # stands in for an attribute
        """Where it was read from."""
        if self._document is None:
            self._document = StoredDocument(self._place, self._file, self._texts)
        return self._document

    @property
    def named(self) -> tuple[Named, ...]:
        """The names of other objects that it gives."""
        if self._named is None:
            self._named = tuple(map(Named._make, self._named_plain))
        return self._named

    @property
    def targets(self) -> list[tuple[str, str]]:
        """Kind and name of the objects that it names."""
        return [(one[1], one[2]) for one in self._named_plain]


def packed(facts: Facts, *, whole: bool = True) -> Plain | None:
    """Give facts as plain data; ``None`` where they hold what none can stand for, as the folder of a skill.

    Args:
        facts: Of one file.
        whole: With the data of resources, which is else read again when it is asked for.
    """
    if any(_form(kind) != "document" for kind, _ in facts.records):
        return None  # more than one text decides about a folder
    later = None if facts.later is None else list(facts.resources).index(facts.later)
    try:
        return (
            facts.file,
            pack_findings(facts.findings) if facts.findings else (),
            facts.documents,
            tuple([_pack_resource(one, whole=whole) for one in facts.resources]),
            tuple([(kind, one.place(), marshal.dumps(one.data)) for kind, one in facts.records]),
            tuple(_pack_kustomization(one) for one in facts.kustomizations),
            tuple((one.rule, one.line, tuple(one.span)) for one in facts.ignores),
            later,
        )
    except ValueError:
        return None


def unpacked(plain: Plain, texts: Texts) -> Facts:
    """Give the facts that plain data stands for; ``texts`` opens files again."""
    file, findings, documents, resources, records, kustomizations, ignores, later = plain
    restored = [StoredResource(one, file, texts) for one in resources]
    return Facts(
        file,
        unpack_findings(findings) if findings else (),
        documents,
        restored,
        [(kind, StoredDocument(place, file, texts, data)) for kind, place, data in records] if records else (),
        _unpack_kustomizations(kustomizations) if kustomizations else (),
        _unpack_ignores(ignores) if ignores else (),
        None if later is None else restored[later],
    )


def _form(kind: str) -> str:
    found = inputs.named(kind)
    return "" if found is None else found.form


def _pack_resource(resource: Resource, *, whole: bool) -> Plain:
    return (
        resource.document.place(),
        resource.kind,
        resource.name,
        resource.namespace,
        resource.admitted,
        resource.has_unknown_values,
        resource.renamed,
        tuple(map(tuple, resource.named)),
        marshal.dumps(resource.data) if whole else None,
    )


def _pack_kustomization(one: Kustomization) -> Plain:
    plain = one._replace(listed=tuple(sorted(one.listed)), patches=tuple(sorted(one.patches)))  # type: ignore[arg-type]
    return tuple(plain)


def _unpack_kustomizations(plain: Plain) -> list[Kustomization]:
    from mcpcfg.compiler.project.kustomize import Kustomization

    found = (Kustomization(*one) for one in plain)
    return [one._replace(listed=frozenset(one.listed), patches=frozenset(one.patches)) for one in found]


def _unpack_ignores(plain: Plain) -> list[Ignore]:
    from mcpcfg.compiler.reading.silence import Ignore

    return [Ignore(rule, line, Span(*span)) for rule, line, span in plain]


class StoredFindings(Sequence["Finding"]):
    """Findings from plain data, made when the first of them is looked at."""

    def __init__(self, plain: Plain) -> None:
        self._plain = plain
        self._made: list[Finding] | None = None

    def __len__(self) -> int:
        return len(self._plain)

    @overload
    def __getitem__(self, at: int) -> Finding: ...

    @overload
    def __getitem__(self, at: slice) -> list[Finding]: ...

    def __getitem__(self, at: int | slice) -> Finding | list[Finding]:
        if self._made is None:
            self._made = unpack_findings(self._plain)
        return self._made[at]


def pack_findings(findings: Sequence[Finding]) -> Plain:
    """Give findings as plain data."""
    return tuple(
        (
            *(one.rule, one.name, one.severity, one.stage, tuple(one.span), one.message, one.document),
            None if one.subject is None else (one.subject.kind, one.subject.namespace, one.subject.name),
            *(one.path, one.hint),
            tuple((note.message, None if note.span is None else tuple(note.span)) for note in one.notes),
            one.is_secret,
            tuple(map(tuple, one.hidden)),
        )
        for one in findings
    )


def unpack_findings(plain: Plain) -> list[Finding]:
    """Give the findings that plain data stands for."""
    from mcpcfg.compiler.finding import Finding, Note, Subject

    return [
        Finding(
            rule=rule,
            name=name,
            severity=severity,
            stage=stage,
            span=Span(*span),
            message=message,
            document=document,
            subject=None if subject is None else Subject(*subject),
            path=path,
            hint=hint,
            notes=tuple(Note(text, None if place is None else Span(*place)) for text, place in notes),
            is_secret=is_secret,
            hidden=tuple(Span(*place) for place in hidden),
        )
        for rule, name, severity, stage, span, message, document, subject, path, hint, notes, is_secret, hidden in plain
    ]
