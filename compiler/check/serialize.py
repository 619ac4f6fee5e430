"""Convert the facts of a file to bytes and back, for the cache and for other machines.

Facts from bytes contain their data. The text of the file is only opened again to look up a position in it.
"""

from __future__ import annotations

import marshal
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ..diagnostics.budget import until_end
from ..diagnostics.secret.value import holds_secret
from ..diagnostics.span import Span
from ..project import input_kind
from ..project.kustomize import DeliveryObjects
from ..reading.document import Document, Place, read_documents
from ..reading.excerpt import Excerpt
from ..workspace.resource import Resource
from ..workspace.stated_reference import StatedReference
from .facts import Facts

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
"""Plain data for `marshal` and JSON: numbers, texts and tuples. Data of documents also has lists and mappings."""
_ALTERATIONS: Final = ("alterations", "self_alterations")
"""Fields of a kustomization that are alterations."""
_SETS: Final = ("listed", "patches", "replacements", "components")
"""Fields of a kustomization that are sets."""
NOT_PACKABLE: Final = b""
"""Placeholder for facts that cannot be converted to bytes, such as those of a skill's folder, which is many files."""


def is_packable(facts: Facts) -> bool:
    """Return whether facts can be converted to bytes. Facts of a skill cannot: a skill has many files."""
    return all(_is_document(kind) for kind, _ in facts.records)


def pack(facts: Facts) -> bytes:
    """Return the facts of a file as bytes, or ``NOT_PACKABLE``."""
    return marshal.dumps(plain_facts(facts)) if is_packable(facts) else NOT_PACKABLE


def unpack_all(packed: Mapping[str, bytes | None], texts: Texts) -> dict[str, Facts | None]:
    """Return the facts of files, by path; ``None`` for a file with nothing to check."""
    return {path: None if facts is None else unpack(facts, texts) for path, facts in packed.items()}


def pack_all(
    facts: Mapping[str, Facts | None], reused: Mapping[str, Facts | None], texts: Texts
) -> dict[str, tuple[bytes, bytes] | None]:
    """Return the digest of the text and the facts as bytes of each file that was read, by path, for the cache.

    The result is ``None`` for a file with nothing to check, and ``NOT_PACKABLE`` for facts that must not be stored.

    Args:
        reused: The facts that came from the cache, which has their bytes.
    """
    return {
        path: file_facts
        and (_digest(file_facts, texts), pack(file_facts) if may_be_stored(file_facts) else NOT_PACKABLE)
        for path, file_facts in facts.items()
        if path not in reused or file_facts is not reused[path]
    }


def _digest(facts: Facts, texts: Texts) -> bytes:
    from ..disk.stamp import digest

    text = texts.text_if_read(facts.file)
    return b"" if text is None else digest(text)


def may_be_stored(facts: Facts) -> bool:
    """Return whether facts may be written to disk: they can be packed and contain no secret."""
    data = [resource.data for resource in (*facts.resources, *facts.others)]
    data += [document.data for _, document in facts.records]
    return is_packable(facts) and not any(map(holds_secret, data))


def unpack(packed: bytes, texts: Texts) -> Facts:
    """Convert bytes back into the facts of a file."""
    return facts_from_plain(marshal.loads(packed), texts)  # noqa: S302 - the cache only reads its owner's files


def _is_document(kind: str) -> bool:
    named = input_kind.kind_named(kind)
    return named is not None and named.form == "document"


def plain_facts(facts: Facts) -> Plain:
    """Return the facts of a file as plain data."""
    return (
        (facts.file, facts.documents, facts.delivery.templates, tuple(sorted(facts.skills))),
        (facts.release, [(pin.release, _plain_place(pin.place), *pin[2:]) for pin in facts.delivery.pins]),
        [_plain_finding(finding) for finding in facts.findings],
        [[_plain_resource(resource) for resource in objects] for objects in (facts.resources, facts.others)],
        [(kind, document.place(), document.data) for kind, document in facts.records],
        [_plain_kustomization(kustomization) for kustomization in facts.delivery.kustomizations],
        [_plain_delivery(delivery) for delivery in facts.delivery.controllers],
        [(ignore.rule, ignore.line, tuple(ignore.span)) for ignore in facts.ignores],
    )


def facts_from_plain(plain: Plain, texts: Texts) -> Facts:
    """Return the facts of a file from the result of `plain_facts`."""
    ((file, documents, templates, skills), (release, pins), findings, objects, records, *plain_delivery, ignores) = (
        plain
    )
    kustomizations, deliveries = plain_delivery
    resources, others = (tuple([_resource(file, resource, texts) for resource in plain]) for plain in objects)
    return Facts(
        file=file,
        findings=tuple(map(_finding, findings)),
        documents=documents,
        resources=resources,
        others=others,
        records=tuple([(kind, UnreadDocument(file, place, texts, data)) for kind, place, data in records]),
        delivery=DeliveryObjects(
            tuple([_kustomization(file, kustomization, texts) for kustomization in kustomizations]),
            tuple([_delivery(file, delivery, texts) for delivery in deliveries]),
            tuple([_pin(file, pin, texts) for pin in pins]),
            templates,
        ),
        skills=frozenset(skills),
        ignores=tuple(map(_ignore, ignores)),
        release=release,
    )


@until_end
@lru_cache(1)  # documents of one file are usually read one after the other
def _data_by_place(text: str, file: str, dialect: Dialect) -> dict[tuple[int, Path], Any]:
    """Return the data of all documents of a file, by document index and path. It is cached, so do not change it."""
    documents, _ = read_documents(text, file, dialect=dialect)
    elements = [element for whole in documents for element in (whole, *whole.elements())]
    return {(element.index, element.prefix): element.data for element in reversed(elements)}


class UnreadDocument(Document):
    """A document whose file is only opened to look up a position, or to parse the data if they are unknown.

    Args:
        data: The data of the document, if known; it is parsed from the text otherwise.
    """

    __slots__ = ("_data", "_extent", "_opened_excerpt", "_texts")

    def __init__(self, file: str, place: Plain, texts: Texts, data: Any = None) -> None:
        self.file = file
        self.index, self.prefix, self.dialect, self._ordinal, *self._extent = place
        self._texts = texts
        self._data = data
        self._opened_excerpt: Excerpt | None = None

    def with_data(self, data: Any) -> UnreadDocument:
        """Return a copy of the document with other data, whose values are at the same paths."""
        place = (self.index, self.prefix, self.dialect, self._ordinal, *self._extent)
        return UnreadDocument(self.file, place, self._texts, data)

    @property
    def data(self) -> Any:
        """The plain data; ``None`` if the file was changed and no longer contains the document."""
        if self._data is None:
            data_by_place = _data_by_place(self._texts.decoded(self.file), self.file, self.dialect)
            self._data = data_by_place.get((self.index, self.prefix))
        return self._data

    @property
    def _excerpt(self) -> Excerpt:  # type: ignore[override] # replaces an attribute
        if self._opened_excerpt is None:
            self._opened_excerpt = Excerpt(self.file, self._texts.decoded(self.file), *self._extent)
        return self._opened_excerpt


def _plain_resource(resource: Resource) -> Plain:
    names = [tuple(name) for name in resource.stated_references]
    doubts = [tuple(doubt) for doubt in resource.doubts]
    facts = (
        resource.kind,
        resource.name,
        resource.namespace,
        resource.admitted,
        resource.has_unknown_values,
        resource.refused,
    )
    # An object inside another, such as one of a ResourceSet, may be filled in, so the text does not contain its data.
    created_data = resource.document.data if resource.document.prefix[:1] == ("spec",) else None
    return (facts, resource.document.place(), resource.data, resource.renamed, doubts, names, created_data)


def _resource(file: str, plain: Plain, texts: Texts) -> Resource:
    (kind, name, namespace, admitted, unknown, refused), place, data, renamed, doubts, names, created_data = plain
    return Resource(
        UnreadDocument(file, place, texts, created_data),
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


def _plain_kustomization(kustomization: Kustomization) -> Plain:
    plain: dict[str, Any] = {field: tuple(sorted(getattr(kustomization, field))) for field in _SETS}
    plain |= {field: tuple(map(_plain_alteration, getattr(kustomization, field))) for field in _ALTERATIONS}
    return tuple(kustomization._replace(**plain | {"place": _plain_place(kustomization.place)}))


def _kustomization(file: str, plain: Plain, texts: Texts) -> Kustomization:
    from ..project.kustomization import Kustomization

    kustomization = Kustomization._make(plain)
    sets: dict[str, Any] = {field: frozenset(getattr(kustomization, field)) for field in _SETS}
    alterations: dict[str, Any] = {
        field: tuple(_alteration(file, alteration, texts) for alteration in getattr(kustomization, field))
        for field in _ALTERATIONS
    }
    return kustomization._replace(**sets | alterations, place=_place(file, kustomization.place, texts))


def _plain_delivery(delivery: Delivery) -> Plain:
    plain: dict[str, Any] = {"document": delivery.document.place(), "applied": _plain_kustomization(delivery.applied)}
    return tuple(delivery._replace(**plain))


def _delivery(file: str, plain: Plain, texts: Texts) -> Delivery:
    from ..project.delivery import Delivery

    delivery = Delivery._make(plain)
    place: Any = delivery.document
    return delivery._replace(
        document=UnreadDocument(file, place, texts), applied=_kustomization(file, delivery.applied, texts)
    )


def _plain_alteration(alteration: Alteration) -> Plain:
    plain: dict[str, Any] = {"place": _plain_place(alteration.place)}
    return tuple(alteration._replace(**plain))


def _alteration(file: str, plain: Plain, texts: Texts) -> Alteration:
    from ..project.alteration import Alteration

    alteration = Alteration._make(plain)
    return alteration._replace(place=_place(file, alteration.place, texts))


def _plain_place(place: Place | None) -> Plain | None:
    return None if place is None else (place.document.place(), place.path)


def _place(file: str, plain: Plain | None, texts: Texts) -> Place | None:
    return None if plain is None else Place(UnreadDocument(file, plain[0], texts), plain[1])


def _pin(file: str, plain: Plain, texts: Texts) -> Pin:
    from ..project.pin import Pin

    pin = Pin._make(plain)
    place: Any = pin.place
    return pin._replace(place=Place(UnreadDocument(file, place[0], texts), place[1]))


def _ignore(plain: Plain) -> Ignore:
    from ..reading.suppression_comment import Ignore

    rule, line, span = plain
    return Ignore(rule, line, Span(*span))


def _plain_finding(finding: Finding) -> Plain:
    notes = tuple([(note.message, note.span and tuple(note.span)) for note in finding.notes])
    subject = finding.subject and tuple(finding.subject)
    hidden = tuple(map(tuple, finding.hidden))
    plain: dict[str, Any] = {"span": tuple(finding.span), "subject": subject, "notes": notes, "hidden": hidden}
    return tuple(finding._replace(**plain))


def _finding(plain: Plain) -> Finding:
    from ..diagnostics.finding import Finding, Note, Subject

    finding = Finding._make(plain)
    return finding._replace(
        span=Span._make(finding.span),
        subject=finding.subject and Subject._make(finding.subject),
        notes=tuple([Note(message, span and Span._make(span)) for message, span in finding.notes]),
        hidden=tuple(map(Span._make, finding.hidden)),
    )
