"""The copies of resources whose file is applied by several routes: each copy is judged on its own.

Several routes make one copy if they have the same root, lead into one namespace, and put the same values in place of
the variables of the resource.
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
    from ..project.placement import DeliveryRoute, Placement
    from ..toolhive.profile import Profile
    from ..workspace.resource import Resource
    from .facts import Facts

Copy: TypeAlias = "tuple[Subject, str]"
"""One copy of a resource, by its subject and the ``way`` that tells it from copies of the same subject."""
Occurrence: TypeAlias = "tuple[str, Span, Path | None, int | None]"
"""What a finding is about, the same for all copies of a resource: rule, place, path and document."""
_DECIDES = "it is so where this applies it"
_MOST_NOTES = 3


class Copies(NamedTuple):
    """All copies of one resource.

    Attributes:
        all: Every copy that the resource is applied as.
        plain: The copies that are applied as they are written, without a patch or another name.
        deliveries: The controller's object that applies each copy, as `delivery.as_kustomizations` calls it.
    """

    all: frozenset[Copy]
    plain: frozenset[Copy]
    deliveries: Mapping[Copy, str]


CopiesOf: TypeAlias = "dict[tuple[Copy, str, int | None], Copies]"
"""The copies that belong together, by one of them with its file and document."""


class _Version(NamedTuple):
    """A file as one route applies it."""

    route: DeliveryRoute
    namespace: str | None
    facts: Facts

    def namespace_of(self, resource: Resource) -> str | None:
        """Return the namespace into which a resource of the file comes."""
        return self.route.namespace_of(resource.namespace) or self.namespace


def pair_clusters(placements: Mapping[str, Placement], stated: Iterable[Facts]) -> frozenset[frozenset[str]]:
    """Return the pairs of roots that are for different clusters, as both put one object into one namespace."""
    pairs: set[frozenset[str]] = set()
    for facts in stated:
        placement = placements.get(facts.file)
        if placement is None or len(placement.roots) < 2:
            continue
        resources = [one for one in facts.resources if one.kind in KINDS and not is_placeholder(one.name)]
        roots_by_namespace: dict[str, set[str]] = {}
        for route in placement.routes:
            for namespace in {route.namespace_of(one.namespace) for one in resources} - {None} if route.root else ():
                roots_by_namespace.setdefault(namespace or "", set()).add(route.root)
        pairs |= {
            frozenset((root, other)) for roots in roots_by_namespace.values() for root in roots for other in roots
        }
    return frozenset(pair for pair in pairs if len(pair) == 2)


def placed_copies(
    facts: Facts,
    placement: Placement,
    unstated: str | None,
    profile: Profile,
    fill: Callable[[Facts, DeliveryRoute], Facts],
    other_roots: tuple[str, ...],
) -> tuple[list[Resource], list[Finding], CopiesOf]:
    """Return the resources of a file as its routes apply them, the findings of admission, and the copies.

    Args:
        facts: The facts of the file.
        placement: The routes of the file.
        unstated: The namespace of resources that state none and get none.
        profile: The names that the operator goes by.
        fill: Returns the facts with the values that a route puts in place of variables.
        other_roots: The roots of the file from which no controller applies it.

    Returns:
        The resources, of which the first copies come first; the findings, each once; and the copies of each resource
        that has several.
    """
    versions = [
        _Version(route, route.namespace if route.namespace or route.is_unknown else unstated, fill(facts, route))
        for route in placement.routes
    ]
    resources: list[list[Resource]] = []
    copied: CopiesOf = {}
    for number, resource in enumerate(facts.resources):
        groups: dict[tuple[str, str | None, int], list[_Version]] = {}
        for version in versions:
            base = version.facts.resources[number]
            groups.setdefault((version.route.root, version.namespace_of(base), id(base)), []).append(version)
        placed: list[Resource] = []
        for version, *_ in groups.values():
            label = f"{version.route.root} {version.route.delivery}".strip() if len(groups) > 1 else ""
            placed.append(_placed(version, number, profile, other_roots, label))
        resources.append(placed)
        if len(placed) > 1:
            pairs = [*zip(placed, groups.values(), strict=True)]
            copies = Copies(
                frozenset(map(copy_of, placed)),
                frozenset(copy_of(copy) for copy, group in pairs if all(one.route.is_plain for one in group)),
                {copy_of(copy): group[0].route.delivery for copy, group in pairs},
            )
            file, index = resource.document.file, resource.document.index
            copied |= {(copy_of(copy), file, index): copies for copy in placed}
    first = [placed[0] for placed in resources]
    return first + [copy for placed in resources for copy in placed[1:]], _findings(versions), copied


def _placed(version: _Version, number: int, profile: Profile, other_roots: tuple[str, ...], label: str) -> Resource:
    """Return a resource of a file as one route applies it; ``label`` tells it from its other copies, if any."""
    base, route = version.facts.resources[number], version.route
    decides = route.overrides or not base.namespace
    roots = (route.root,) if route.root else other_roots
    return base.placed(version.namespace_of(base), profile, route.place if decides else None, roots, label)


def _findings(versions: Sequence[_Version]) -> list[Finding]:
    """Return the findings of admission about a file, those that several versions share once."""
    first = versions[0]
    if all(version.facts is first.facts for version in versions):
        return [*with_namespace(first.facts.findings, first.namespace)]
    findings: dict[tuple[str, Span, Path | None, str], Finding] = {}
    for version in versions:
        for finding in with_namespace(version.facts.findings, version.namespace):
            findings.setdefault((finding.rule, finding.span, finding.path, finding.message), finding)
    return [*findings.values()]


def reported_once(
    findings: Iterable[Finding], copied: CopiesOf, found_in: dict[Occurrence, frozenset[Copy]], texts: Texts
) -> list[Finding]:
    """Return findings in which those about copies of one resource are one.

    A finding that all copies have stays. One that only some copies have stays if a plain copy has it, as a patch may
    have fixed the others, and if it is no lint. It then points to the controller's object that applies the copy.

    Args:
        findings: The findings, in any order.
        copied: The copies of each resource that has several.
        found_in: Takes up, for each finding that stays, the copies that have it.
        texts: The texts of the files.
    """
    reported: list[Finding] = []
    of_copies: dict[Occurrence, dict[Copy, list[Finding]]] = {}
    for finding in findings:
        copy = None if finding.subject is None else (finding.subject, finding.way)
        if copy is not None and (copy, finding.span.file, finding.document) in copied:
            of_copies.setdefault(occurrence(finding), {}).setdefault(copy, []).append(finding)
        else:
            reported.append(finding)
    for key, by_copy in of_copies.items():
        first = next(iter(by_copy))
        copies = copied[first, key[1].file, key[3]]
        is_of_all = by_copy.keys() >= copies.all
        if not is_of_all and by_copy[first][0].stage == "lint":
            continue
        decisive = by_copy.keys() if is_of_all else by_copy.keys() & copies.plain
        if decisive:
            notes = () if is_of_all else tuple(_delivery_notes(sorted(decisive), copies, texts))
            reported += [_with_notes(finding, notes) for finding in by_copy[min(decisive)]]
            found_in[key] = frozenset(by_copy)
    return reported


def repeat_for_copies(findings: Iterable[Finding], found_in: Mapping[Occurrence, frozenset[Copy]]) -> Iterator[Finding]:
    """Yield findings, those about a resource with copies once for each copy that has it; see `reported_once`."""
    for finding in findings:
        copies = found_in.get(occurrence(finding), ())
        yield from (finding._replace(subject=subject, way=way) for subject, way in sorted(copies))
        if not copies:
            yield finding


def copy_of(resource: Resource) -> Copy:
    """Return what tells a copy of a resource from its other copies."""
    return resource.subject, resource.way


def occurrence(finding: Finding) -> Occurrence:
    """Return what findings about the copies of a resource have in common."""
    return (finding.rule, finding.span, finding.path, finding.document)


def _with_notes(finding: Finding, notes: tuple[Note, ...]) -> Finding:
    """Return the finding with those notes whose files none of its own notes is about."""
    files = {note.span.file for note in finding.notes if note.span is not None}
    added = tuple(note for note in notes if note.span is not None and note.span.file not in files)
    return finding._replace(notes=(*finding.notes, *added)) if added else finding


def _delivery_notes(selected: Sequence[Copy], copies: Copies, texts: Texts) -> Iterator[Note]:
    """Yield notes to the controllers' objects that apply the selected copies, the first few."""
    deliveries = sorted({copies.deliveries[copy] for copy in selected} - {""})
    for delivery in deliveries[:_MOST_NOTES]:
        file, _, name = delivery.rpartition("#")
        number = int(name.split(".")[1])
        documents = [document for document in read_documents(texts[file], file)[0] if document.index == number]
        if documents:
            yield Note(_DECIDES, documents[0].span(("metadata", "name")))
