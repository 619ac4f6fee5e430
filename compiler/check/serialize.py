"""The facts of a file as bytes, for the cache and other machines, and back.

What comes back has its data at hand. Its text is opened again when a place in it is asked for, which few need.
"""

from __future__ import annotations

import marshal
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ..diagnostics.secret_value import holds_secret
from ..diagnostics.span import Span
from ..project import input_kind
from ..project.kustomize import DeliveryObjects
from ..reading.document import Document, Place, read_documents
from ..reading.excerpt import Excerpt
from ..workspace.resource import Resource
from ..workspace.stated_reference import StatedReference
from .facts import Facts, Judgment, Stored

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..diagnostics.doubt import Doubt
    from ..diagnostics.finding import Finding
    from ..diagnostics.span import Path
    from ..disk.files import Texts
    from ..project.alteration import Alteration
    from ..project.delivery import Delivery
    from ..project.kustomization import Kustomization
    from ..project.pin import Pin
    from ..reading.node import Dialect
    from ..reading.suppression_comment import Ignore

Plain: TypeAlias = tuple[Any, ...]
"""Numbers, texts and tuples of them; data of documents holds lists and mappings, too. `marshal` and JSON take it.
"""
_ALTERATIONS: Final = ("alterations", "self_alterations")
_SETS: Final = ("listed", "patches", "replacements", "components")
"""Fields of a kustomization that are sets."""
NOT_PACKABLE: Final = b""
"""Stands for facts that bytes cannot express: the folder of a skill is many files."""


def is_packable(facts: Facts) -> bool:
    """Return whether plain data can stand for facts: not for those of a skill's folder, which is many files."""
    return all(_is_document(kind) for kind, _ in facts.records)


def pack(facts: Facts) -> bytes:
    """Return the facts of a file as bytes; ``NOT_PACKABLE`` where they cannot stand for it."""
    return marshal.dumps((facts.stored.digest, plain_of(facts))) if is_packable(facts) else NOT_PACKABLE


def unpack_all(packed: Mapping[str, bytes | None], texts: Texts) -> dict[str, Facts | None]:
    """Return the facts of files, by path, from the bytes of each; ``None`` where that is nothing of ours.

    Args:
        packed: What `pack` returned of each.
        texts: Opens the files again.
    """
    return {path: None if one is None else unpack(one, texts) for path, one in packed.items()}


def pack_all(
    read: Mapping[str, Facts | None], known: Mapping[str, Facts | None]
) -> dict[str, tuple[bytes, bytes] | None]:
    """Return what the cache is to keep of files, by path: the digest of the text, and the facts as bytes.

    Args:
        read: The facts of each, by path.
        known: What the cache knew of them before: that is fit to be kept.
    """
    return {
        path: facts and (facts.stored.digest, _to_keep(facts, is_known=path in known)) for path, facts in read.items()
    }


def _to_keep(facts: Facts, *, is_known: bool) -> bytes:
    if is_known:
        return facts.stored.packed
    return pack(facts) if may_be_kept(facts) else NOT_PACKABLE


def may_be_kept(facts: Facts) -> bool:
    """Return whether the facts of a file may be written to a disk: it can be packed, and holds no secret."""
    data = [one.data for one in (*facts.resources, *facts.others)] + [one.data for _, one in facts.records]
    return is_packable(facts) and not any(map(holds_secret, data))


def unpack(packed: bytes, texts: Texts) -> Facts:
    """Return the facts of a file.

    Args:
        packed: What `pack` returned of it.
        texts: Opens the file again.
    """
    digest, plain = marshal.loads(packed)  # noqa: S302 - our own
    return facts_of(plain, texts)._replace(stored=Stored(digest, packed))


def _is_document(kind: str) -> bool:
    found = input_kind.kind_named(kind)
    return found is not None and found.form == "document"


def plain_of(facts: Facts) -> Plain:
    """Return the facts of a file as plain data."""
    return (
        (facts.file, facts.documents, facts.delivery.templates, tuple(sorted(facts.skills))),
        (*facts.judgment, [(one.release, _plain_place(one.place), *one[2:]) for one in facts.delivery.pins]),
        [_plain_finding(one) for one in facts.findings],
        [[_plain_resource(one) for one in objects] for objects in (facts.resources, facts.others)],
        [(kind, one.place(), one.data) for kind, one in facts.records],
        [_plain_kustomization(one) for one in facts.delivery.kustomizations],
        [_plain_delivery(one) for one in facts.delivery.controllers],
        [(one.rule, one.line, tuple(one.span)) for one in facts.ignores],
    )


def facts_of(plain: Plain, texts: Texts) -> Facts:
    """Return the facts of a file from the plain data that `plain_of` returned; ``texts`` opens it again."""
    (file, documents, templates, skills), (release, newer, pins), findings, objects, records, *applied, ignores = plain
    kustomizations, deliveries = applied
    resources, others = (tuple([_resource(file, one, texts) for one in plain]) for plain in objects)
    return Facts(
        file=file,
        findings=tuple(map(_finding, findings)),
        documents=documents,
        resources=resources,
        others=others,
        records=tuple([(kind, UnreadDocument(file, place, texts, data)) for kind, place, data in records]),
        delivery=DeliveryObjects(
            tuple([_kustomization(file, one, texts) for one in kustomizations]),
            tuple([_delivery(file, one, texts) for one in deliveries]),
            tuple([_pin(file, one, texts) for one in pins]),
            templates,
        ),
        skills=frozenset(skills),
        ignores=tuple(map(_ignore, ignores)),
        judgment=Judgment(release, newer),
    )


@lru_cache(1)  # the documents of a file are mostly asked for in a row
def _data_by_place(text: str, file: str, dialect: Dialect) -> dict[tuple[int, Path], Any]:
    """Return the data of all documents of a file, by index and prefix; nobody changes it."""
    documents, _ = read_documents(text, file, dialect=dialect)
    elements = [one for whole in documents for one in (whole, *whole.elements())]
    return {(one.index, one.prefix): one.data for one in reversed(elements)}


class UnreadDocument(Document):
    """A document whose text is opened again when a place in it is asked for, or its data where that is not known.

    Args:
        file: Its file.
        place: What `Document.place` returns.
        texts: Opens the file again.
        data: Its data, where that is known.
    """

    __slots__ = ("_data", "_extent", "_known", "_texts")

    def __init__(self, file: str, place: Plain, texts: Texts, data: Any = None) -> None:
        self.file = file
        self.index, self.prefix, self.dialect, self._ordinal, *self._extent = place
        self._texts = texts
        self._data = data
        self._known: Excerpt | None = None

    def with_data(self, data: Any) -> UnreadDocument:
        """Return the document as one of other data of the same shape."""
        place = (self.index, self.prefix, self.dialect, self._ordinal, *self._extent)
        return UnreadDocument(self.file, place, self._texts, data)

    @property
    def data(self) -> Any:
        """The plain data, as the text states it; ``None`` where the file is another by now."""
        if self._data is None:
            known = _data_by_place(self._texts.decoded(self.file), self.file, self.dialect)
            self._data = known.get((self.index, self.prefix))
        return self._data

    @property
    def _excerpt(self) -> Excerpt:  # type: ignore[override] # stands in for an attribute
        if self._known is None:
            self._known = Excerpt(self.file, self._texts.decoded(self.file), *self._extent)
        return self._known


def _plain_resource(one: Resource) -> Plain:
    names = [tuple(name) for name in one.stated_references]
    doubts = [tuple(doubt) for doubt in one.doubts]
    facts = (one.kind, one.name, one.namespace, one.admitted, one.has_unknown_values, one.refused)
    # What is made of a part of a document cannot be read again without the inputs that it is filled in with.
    made = one.document.data if one.document.prefix[:1] == ("spec",) else None
    return (facts, one.document.place(), one.data, one.renamed, doubts, names, made)


def _resource(file: str, plain: Plain, texts: Texts) -> Resource:
    (kind, name, namespace, admitted, unknown, refused), place, data, renamed, doubts, names, made = plain
    return Resource(
        UnreadDocument(file, place, texts, made),
        data,
        kind,
        name,
        namespace,
        admitted=admitted,
        has_unknown_values=unknown,
        renamed=renamed,
        doubts=_doubts(doubts) if doubts else (),
        refused=refused,
        stated_references=tuple(map(StatedReference._make, names)),
    )


def _doubts(plain: Iterable[Plain]) -> tuple[Doubt, ...]:
    from ..diagnostics.doubt import Doubt

    return tuple(map(Doubt._make, plain))


def _plain_kustomization(one: Kustomization) -> Plain:
    plain: dict[str, Any] = {field: tuple(sorted(getattr(one, field))) for field in _SETS}
    plain |= {field: tuple(map(_plain_alteration, getattr(one, field))) for field in _ALTERATIONS}
    return tuple(one._replace(**plain | {"place": _plain_place(one.place)}))


def _kustomization(file: str, plain: Plain, texts: Texts) -> Kustomization:
    from ..project.kustomization import Kustomization

    one = Kustomization._make(plain)
    sets: dict[str, Any] = {field: frozenset(getattr(one, field)) for field in _SETS}
    known: dict[str, Any] = {
        field: tuple(_alteration(file, each, texts) for each in getattr(one, field)) for field in _ALTERATIONS
    }
    return one._replace(**sets | known, place=_place(file, one.place, texts))


def _plain_delivery(one: Delivery) -> Plain:
    plain: dict[str, Any] = {"document": one.document.place(), "applied": _plain_kustomization(one.applied)}
    return tuple(one._replace(**plain))


def _delivery(file: str, plain: Plain, texts: Texts) -> Delivery:
    from ..project.delivery import Delivery

    one = Delivery._make(plain)
    place: Any = one.document
    return one._replace(document=UnreadDocument(file, place, texts), applied=_kustomization(file, one.applied, texts))


def _plain_alteration(one: Alteration) -> Plain:
    plain: dict[str, Any] = {"place": _plain_place(one.place)}
    return tuple(one._replace(**plain))


def _alteration(file: str, plain: Plain, texts: Texts) -> Alteration:
    from ..project.alteration import Alteration

    one = Alteration._make(plain)
    return one._replace(place=_place(file, one.place, texts))


def _plain_place(one: Place | None) -> Plain | None:
    return None if one is None else (one.document.place(), one.path)


def _place(file: str, plain: Plain | None, texts: Texts) -> Place | None:
    return None if plain is None else Place(UnreadDocument(file, plain[0], texts), plain[1])


def _pin(file: str, plain: Plain, texts: Texts) -> Pin:
    from ..project.pin import Pin

    one = Pin._make(plain)
    place: Any = one.place
    return one._replace(place=Place(UnreadDocument(file, place[0], texts), place[1]))


def _ignore(plain: Plain) -> Ignore:
    from ..reading.suppression_comment import Ignore

    rule, line, span = plain
    return Ignore(rule, line, Span(*span))


def _plain_finding(one: Finding) -> Plain:
    """Return a finding as plain data; the tuples within it are tuples of texts, numbers and tuples already."""
    notes = tuple([(note.message, note.span and tuple(note.span)) for note in one.notes])
    subject = one.subject and tuple(one.subject)
    hidden = tuple(map(tuple, one.hidden))
    plain: dict[str, Any] = {"span": tuple(one.span), "subject": subject, "notes": notes, "hidden": hidden}
    return tuple(one._replace(**plain))


def _finding(plain: Plain) -> Finding:
    from ..diagnostics.finding import Finding, Note, Subject

    one = Finding._make(plain)
    return one._replace(
        span=Span._make(one.span),
        subject=one.subject and Subject._make(one.subject),
        notes=tuple([Note(message, span and Span._make(span)) for message, span in one.notes]),
        hidden=tuple(map(Span._make, one.hidden)),
    )
