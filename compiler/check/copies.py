"""What the resources of a file become that is applied in several ways: a copy for each, judged on its own.

Ways are the same to a resource where they begin alike, lead into one namespace, and have the same values put in place
of its variables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ..admission.admit import with_namespace
from ..admission.table import KINDS
from ..diagnostics.finding import Note
from ..diagnostics.placeholder import is_placeholder
from ..reading.document import read_documents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ..diagnostics.finding import Finding, Subject
    from ..diagnostics.span import Path, Span
    from ..disk.files import Texts
    from ..project.placement import Placement, Way
    from ..toolhive.profile import Profile
    from ..workspace.resource import Resource
    from .facts import Facts

Copy: TypeAlias = "tuple[Subject, str]"
"""Of a resource: its subject and its way."""
Occurrence: TypeAlias = "tuple[str, Span, Path | None, int | None]"
"""What a finding is about, whichever copy of a resource it was found of: rule, place, path and document."""
_DECIDES = "it is so where this applies it"
_MOST_NOTES = 3


class Copies(NamedTuple):
    """What one resource becomes.

    Attributes:
        all: Of them.
        sure: Those of them that are as they are written: no patch and no other name on the way.
        deliveries: What has them applied: an object of a controller, as `delivery.as_kustomizations` calls it.
    """

    all: frozenset[Copy]
    sure: frozenset[Copy]
    deliveries: Mapping[Copy, str]


CopiesOf: TypeAlias = "dict[tuple[Copy, str, int | None], Copies]"
"""What belongs to a copy of a resource, by file and document."""


class _Version(NamedTuple):
    """A file as it is applied in one way."""

    way: Way
    namespace: str | None
    facts: Facts

    def namespace_of(self, resource: Resource) -> str | None:
        """Return the namespace into which a resource of the file comes."""
        return self.way.namespace_of(resource.namespace) or self.namespace


def apart(placed: Mapping[str, Placement], stated: Iterable[Facts]) -> frozenset[frozenset[str]]:
    """Return the pairs of roots that are for different clusters: both put one object into one namespace."""
    found: set[frozenset[str]] = set()
    for facts in stated:
        placement = placed.get(facts.file)
        if placement is None or len(placement.roots) < 2:
            continue
        own = [one for one in facts.resources if one.kind in KINDS and not is_placeholder(one.name)]
        by_namespace: dict[str, set[str]] = {}
        for way in placement.ways:
            for namespace in {way.namespace_of(one.namespace) for one in own} - {None} if way.root else ():
                by_namespace.setdefault(namespace or "", set()).add(way.root)
        found |= {frozenset((one, other)) for roots in by_namespace.values() for one in roots for other in roots}
    return frozenset(one for one in found if len(one) == 2)


def placed_copies(
    facts: Facts,
    placement: Placement,
    unstated: str | None,
    profile: Profile,
    fill: Callable[[Facts, Way], Facts],
    others: tuple[str, ...],
) -> tuple[list[Resource], list[Finding], CopiesOf]:
    """Return the resources of a file as the ways have them in which it is applied, and what admission finds of them.

    Args:
        facts: Of the file.
        placement: Where it goes.
        unstated: The namespace of what gets none otherwise.
        profile: The names that the operator goes by.
        fill: Returns the facts with the values that come in place of variables on a way.
        others: The outermost kustomizations that lead to it without a controller.

    Returns:
        The resources, a copy for each way that makes a difference; findings, each once; and what belongs to copies.
    """
    versions = [
        _Version(way, way.namespace if way.namespace or way.is_unknown else unstated, fill(facts, way))
        for way in placement.ways
    ]
    found: list[list[Resource]] = []
    copied: CopiesOf = {}
    for number, one in enumerate(facts.resources):
        groups: dict[tuple[str, str | None, int], list[_Version]] = {}
        for version in versions:
            base = version.facts.resources[number]
            groups.setdefault((version.way.root, version.namespace_of(base), id(base)), []).append(version)
        own: list[Resource] = []
        for version, *_ in groups.values():
            label = f"{version.way.root} {version.way.delivery}".strip() if len(groups) > 1 else ""
            own.append(_placed(version, number, profile, others, label))
        found.append(own)
        if len(own) > 1:
            pairs = [*zip(own, groups.values(), strict=True)]
            copies = Copies(
                frozenset(map(copy_of, own)),
                frozenset(copy_of(copy) for copy, same in pairs if all(one.way.is_plain for one in same)),
                {copy_of(copy): same[0].way.delivery for copy, same in pairs},
            )
            file, index = one.document.file, one.document.index
            copied |= {(copy_of(copy), file, index): copies for copy in own}
    first = [own[0] for own in found]
    return first + [copy for own in found for copy in own[1:]], _findings(versions), copied


def _placed(version: _Version, number: int, profile: Profile, others: tuple[str, ...], label: str) -> Resource:
    """Return a resource of a file as one way applies it; ``label`` tells the way from others, if it differs."""
    base, way = version.facts.resources[number], version.way
    decides = way.overrides or not base.namespace
    roots = (way.root,) if way.root else others
    return base.placed(version.namespace_of(base), profile, way.place if decides else None, roots, label)


def _findings(versions: Sequence[_Version]) -> list[Finding]:
    """Return what admission finds in a file, in whichever way it is applied."""
    first = versions[0]
    if all(one.facts is first.facts for one in versions):
        return [*with_namespace(first.facts.findings, first.namespace)]
    found: dict[tuple[str, Span, Path | None, str], Finding] = {}
    for one in versions:
        for finding in with_namespace(one.facts.findings, one.namespace):
            found.setdefault((finding.rule, finding.span, finding.path, finding.message), finding)
    return [*found.values()]


def reported_once(
    findings: Iterable[Finding], copied: CopiesOf, found_in: dict[Occurrence, frozenset[Copy]], texts: Texts
) -> list[Finding]:
    """Return findings with those about copies of one resource made one.

    A finding about a copy that is as it is written stays. About others, and where it would be no error, it stays only
    if all copies have it: a patch may have fixed it. One that not all have points to what has the others applied.

    Args:
        findings: In any order.
        copied: The copies.
        found_in: Takes the copies that each finding which stays was found of.
        texts: Of the files.
    """
    out: list[Finding] = []
    of_copies: dict[Occurrence, dict[Copy, list[Finding]]] = {}
    for one in findings:
        if one.subject is not None and ((copy := (one.subject, one.way)), one.span.file, one.document) in copied:
            of_copies.setdefault(occurrence(one), {}).setdefault(copy, []).append(one)
        else:
            out.append(one)
    for key, by_copy in of_copies.items():
        first = next(iter(by_copy))
        copies = copied[first, key[1].file, key[3]]
        is_of_all = by_copy.keys() >= copies.all
        if not is_of_all and by_copy[first][0].stage == "lint":
            continue
        counts = by_copy.keys() if is_of_all else by_copy.keys() & copies.sure
        if counts:
            notes = () if is_of_all else tuple(_deciding(sorted(counts), copies, texts))
            out += [_noted(one, notes) for one in by_copy[min(counts)]]
            found_in[key] = frozenset(by_copy)
    return out


def of_each_copy(findings: Iterable[Finding], found_in: Mapping[Occurrence, frozenset[Copy]]) -> Iterator[Finding]:
    """Yield findings as they were found, of each copy of a resource; arguments as of `reported_once`."""
    for one in findings:
        copies = found_in.get(occurrence(one), ())
        yield from (one._replace(subject=subject, way=way) for subject, way in sorted(copies))
        if not copies:
            yield one


def copy_of(resource: Resource) -> Copy:
    """Return what tells a copy of a resource from others of it."""
    return resource.subject, resource.way


def occurrence(finding: Finding) -> Occurrence:
    """Return what is the same in a finding about each copy of a resource."""
    return (finding.rule, finding.span, finding.path, finding.document)


def _noted(finding: Finding, notes: tuple[Note, ...]) -> Finding:
    known = {note.span.file for note in finding.notes if note.span is not None}
    more = tuple(one for one in notes if one.span is not None and one.span.file not in known)
    return finding._replace(notes=(*finding.notes, *more)) if more else finding


def _deciding(copies_with: Sequence[Copy], copies: Copies, texts: Texts) -> Iterator[Note]:
    """Yield notes to the objects of controllers that have copies applied, the first few."""
    deliveries = sorted({copies.deliveries[one] for one in copies_with} - {""})
    for one in deliveries[:_MOST_NOTES]:
        file, _, name = one.rpartition("#")
        number = int(name.split(".")[1])
        found = [document for document in read_documents(texts[file], file)[0] if document.index == number]
        if found:
            yield Note(_DECIDES, found[0].span(("metadata", "name")))
