"""What some files say, together: as it was read, or as plain data from another process, the cache or another machine.

Plain data is lazy when it comes back. Columns tell resources apart; what else there is to a resource is decoded when
somebody asks for it, and its data, where it was not kept, is read again. Most resources are never looked at so closely.
"""

from __future__ import annotations

import marshal
from bisect import bisect_right
from itertools import accumulate, chain, repeat
from typing import TYPE_CHECKING, Any, NamedTuple

from ..diagnostics.secret_value import holds_secret
from ..diagnostics.span import Span
from ..project import input_kind
from ..workspace.resource_table import Columns
from .stored import StoredDocument, StoredResource, pack_findings, unpack_findings

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from ..diagnostics.finding import Finding
    from ..project.kustomization import Kustomization
    from ..reading.document import Document
    from ..reading.suppression_comment import Ignore
    from ..workspace.resource import Resource
    from .facts import Facts
    from .stored import Plain, Texts


class Said(NamedTuple):
    """What one file says beside its resources. See `Facts`.

    Attributes:
        findings: Of the reader and of admission.
        records: Documents that are no Kubernetes objects, each with the name of its input kind.
        kustomizations: The file as a kustomization.
        ignores: What its comments silence.
        later: Which of its resources is the first of a version that only later operators serve.
        templates: How many templates it holds.
        skills: The folders of skills that its records name.
    """

    findings: Sequence[Finding]
    records: Sequence[tuple[str, Document]]
    kustomizations: Sequence[Kustomization]
    ignores: Sequence[Ignore]
    later: int | None
    templates: int
    skills: Collection[str]


class Part(NamedTuple):
    """What some files say.

    Attributes:
        files: Those that hold something of ours, in reading order.
        documents: How many non-empty documents each has.
        columns: Their resources, with the namespaces that documents state; those of one file follow one another.
        said: What else files say, by file; most say nothing else.
        make: Gives a resource by its number among them.
    """

    files: Sequence[str]
    documents: Sequence[int]
    columns: Columns
    said: Mapping[str, Said]
    make: Callable[[int], Resource]


def as_read(found: Sequence[Facts]) -> Part:
    """Put the facts of files together as they were read."""
    resources = [resource for facts in found for resource in facts.resources]
    said = {facts.file: _said(facts) for facts in found if _says_more(facts)}
    return Part(
        [facts.file for facts in found],
        [facts.documents for facts in found],
        Columns.of(resources),
        said,
        resources.__getitem__,
    )


def _says_more(facts: Facts) -> bool:
    own = (facts.findings, facts.records, facts.kustomizations, facts.ignores, facts.templates, facts.skills)
    return any(own) or facts.later is not None


def _said(facts: Facts) -> Said:
    later = None if facts.later is None else list(facts.resources).index(facts.later)
    said = (facts.findings, facts.records, facts.kustomizations, facts.ignores)
    return Said(*said, later, facts.templates, facts.skills)


# --- as plain data ------------------------------------------------------------------------------------------------

_OF_FILES = 3
"""Columns of plain data about files, before those about resources."""
_FLAGS = 6
"""Which column is bytes."""


def is_packable(facts: Facts) -> bool:
    """Return whether plain data can stand for what a file says: not for the folder of a skill, which is many files."""
    return not facts.records or all(_form(kind) == "document" for kind, _ in facts.records)


def _form(kind: str) -> str:
    found = input_kind.named(kind)
    return "" if found is None else found.form


def pack(part: Part, found: Sequence[Facts], *, whole: bool) -> Plain:
    """Return the facts of files as plain data.

    Args:
        part: What `as_read` gives of them.
        found: Of each file. Those that are not packable have no resources, and are left out.
        whole: Whether it is to hold what resources say; else that is read again when it is asked for.
    """
    packable = [facts for facts in found if is_packable(facts)]
    kinds, names, namespaces, admitted, unknown, targets, _ = part.columns
    resources = [resource for facts in packable for resource in facts.resources]
    return (
        [facts.file for facts in packable],
        [facts.documents for facts in packable],
        [len(facts.resources) for facts in packable],
        kinds,
        names,
        namespaces,
        bytes([is_in | is_unknown << 1 for is_in, is_unknown in zip(admitted, unknown, strict=True)]),
        targets,
        [_pack_detail(one) for one in resources] if whole else [None] * len(resources),
        [_pack_data(one.data) for one in resources] if whole else [None] * len(resources),
        {facts.file: _pack_said(part.said[facts.file]) for facts in packable if facts.file in part.said},
    )


def _pack_data(data: Any) -> bytes | None:
    """Return the data of a document; ``None`` for one with a secret, which is read again rather than kept anywhere."""
    return None if holds_secret(data) else marshal.dumps(data)


def _pack_detail(resource: Resource) -> bytes:
    named = [tuple(one) for one in resource.named]
    doubts = [tuple(one) for one in resource.doubts]
    return marshal.dumps((resource.document.place(), resource.renamed, doubts, named))


def with_left(unpacked: Part, whole: Part) -> Part:
    """Return a part that comes from plain data with the files that no plain data can stand for, as they were read.

    Args:
        unpacked: The part.
        whole: The same, as it was read. The files that it alone has hold no resources.
    """
    if len(unpacked.files) == len(whole.files):
        return unpacked
    said = {file: unpacked.said.get(file, own) for file, own in whole.said.items()}
    return unpacked._replace(files=whole.files, documents=whole.documents, said=said)


def data_of(plain: Plain) -> list[bytes | None]:
    """Return the data of resources, which may be filled in as long as nobody has asked for it."""
    data: list[bytes | None] = plain[-2]
    return data


def reduce(plain: Plain) -> Plain:
    """Return plain data without what resources say."""
    *columns, _, data, said = plain
    nothing = [None] * len(data)
    return (*columns, nothing, nothing, said)


def concatenate(plains: Sequence[Plain]) -> Plain:
    """Put plain data about files together that follow one another."""
    if len(plains) == 1:
        return plains[0]
    columns = list(zip(*plains, strict=True))
    said: dict[str, Plain] = {file: one for of_part in columns[-1] for file, one in of_part.items()}
    flags = b"".join(columns[_FLAGS])
    joined: list[Any] = [[one for part in column for one in part] for column in columns[:-1]]
    joined[_FLAGS] = flags
    return (*joined, said)


def _pack_said(said: Said) -> Plain:
    return (
        pack_findings(said.findings) if said.findings else (),
        [(kind, one.place(), _pack_data(one.data)) for kind, one in said.records],
        [_pack_kustomization(one) for one in said.kustomizations],
        [(one.rule, one.line, tuple(one.span)) for one in said.ignores],
        said.later,
        said.templates,
        tuple(sorted(said.skills)),
    )


def _pack_kustomization(one: Kustomization) -> Plain:
    return tuple(one._replace(listed=tuple(sorted(one.listed)), patches=tuple(sorted(one.patches))))  # type: ignore[arg-type]


def unpack(plain: Plain, texts: Texts) -> Part:
    """Return what plain data stands for; ``texts`` opens files again."""
    files, documents, counts, kinds, names, namespaces, flags, targets, details, data, said = plain
    of_rows = files if counts == [1] * len(files) else list(chain.from_iterable(map(repeat, files, counts)))
    admitted = [bool(flag & 1) for flag in flags]
    columns = Columns(kinds, names, namespaces, admitted, [flag > 1 for flag in flags], targets, of_rows)

    starts = list(accumulate(counts, initial=0))

    def make(row: int) -> Resource:
        number = row - starts[bisect_right(starts, row) - 1]
        identity = (kinds[row], names[row], namespaces[row])
        kept = (details[row], data[row])
        return StoredResource(identity, kept, of_rows[row], number, texts, unknown=flags[row] > 1)

    return Part(files, documents, columns, {file: _unpack_said(file, one, texts) for file, one in said.items()}, make)


def _unpack_said(file: str, plain: Plain, texts: Texts) -> Said:
    findings, records, kustomizations, ignores, later, templates, skills = plain
    return Said(
        unpack_findings(findings) if findings else (),
        [
            (kind, StoredDocument(place, file, texts, data, number))
            for number, (kind, place, data) in enumerate(records)
        ],
        _unpack_kustomizations(kustomizations) if kustomizations else (),
        _unpack_ignores(ignores) if ignores else (),
        later,
        templates,
        skills,
    )


def _unpack_kustomizations(plain: Iterable[Plain]) -> list[Kustomization]:
    from ..project.kustomization import Kustomization

    found = (Kustomization(*one) for one in plain)
    return [one._replace(listed=frozenset(one.listed), patches=frozenset(one.patches)) for one in found]


def _unpack_ignores(plain: Iterable[Plain]) -> list[Ignore]:
    from ..reading.suppression_comment import Ignore

    return [Ignore(rule, line, Span(*span)) for rule, line, span in plain]


def select(plain: Plain, wanted: Collection[str]) -> tuple[Plain, list[int]]:
    """Return what plain data says of some of its files alone, and the numbers that its resources had."""
    files, documents, counts, *columns, said = plain
    kept = [number for number, file in enumerate(files) if file in wanted]
    starts = list(accumulate(counts, initial=0))
    rows = [row for number in kept for row in range(starts[number], starts[number + 1])]
    taken: list[Any] = [[column[row] for row in rows] for column in columns]
    taken[_FLAGS - _OF_FILES] = bytes(taken[_FLAGS - _OF_FILES])
    of_files = [[column[number] for number in kept] for column in (files, documents, counts)]
    return (*of_files, *taken, {file: one for file, one in said.items() if file in wanted}), rows
