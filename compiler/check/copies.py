"""Check each copy of a resource on its own, if its file is applied by several routes.

Several routes make one copy if they have the same root and namespace, and give the same values to the variables of the
resource.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from ..admission.admit import with_namespace
from ..admission.table import KINDS
from ..diagnostics.finding import Note
from ..diagnostics.named_tuple import NamedTuple
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
"""One copy of a resource: its subject, and the ``copy_id`` that distinguishes it from copies with the same subject."""
Occurrence: TypeAlias = "tuple[str, Span, Path | None, int | None]"
"""Key that equal findings about all copies of a resource share: rule, span, path and document."""
_DELIVERY_MESSAGE = "it is so where this applies it"
_MOST_NOTES = 3
"""Maximum number of notes that point to objects of Flux or Argo CD, so that the report stays readable."""


class Copies(NamedTuple):
    """All copies of one resource.

    Attributes:
        plain: The copies that are applied as written, without a patch or another name.
        deliveries: The ``folder`` of the delivery that applies each copy, as in `DeliveryRoute`; empty if a
            kustomization applies the copy.
    """

    all: frozenset[Copy]
    plain: frozenset[Copy]
    deliveries: Mapping[Copy, str]


CopiesOf: TypeAlias = "dict[tuple[Copy, str, int | None], Copies]"
"""All copies of a resource. The key is one of the copies, its file, and the index of its document."""


class _Version(NamedTuple):
    """The facts of a file as one route applies it.

    Attributes:
        namespace: The namespace of resources that state none.
    """

    route: DeliveryRoute
    namespace: str | None
    facts: Facts

    def namespace_of(self, resource: Resource) -> str | None:
        return self.route.namespace_of(resource.namespace) or self.namespace


def pair_clusters(placements: Mapping[str, Placement], stated: Iterable[Facts]) -> frozenset[frozenset[str]]:
    """Return the pairs of roots that must be applied to different clusters.

    The roots of a pair apply the same object to the same namespace, so they would overwrite each other in one cluster.
    """
    pairs: set[frozenset[str]] = set()
    for facts in stated:
        placement = placements.get(facts.file)
        if placement is None or len(placement.roots) < 2:
            continue
        resources = [
            resource for resource in facts.resources if resource.kind in KINDS and not is_placeholder(resource.name)
        ]
        roots_by_namespace: dict[str, set[str]] = {}
        for route in placement.routes:
            for namespace in (
                {route.namespace_of(resource.namespace) for resource in resources} - {None} if route.root else ()
            ):
                roots_by_namespace.setdefault(namespace or "", set()).add(route.root)
        pairs |= {
            frozenset((root, other_root))
            for roots in roots_by_namespace.values()
            for root in roots
            for other_root in roots
        }
    return frozenset(pair for pair in pairs if len(pair) == 2)


def placed_copies(
    facts: Facts,
    placement: Placement,
    unstated: str | None,
    profile: Profile,
    fill_in: Callable[[Facts, DeliveryRoute], Facts],
    plain_roots: tuple[str, ...],
) -> tuple[list[Resource], list[Finding], CopiesOf]:
    """Return a copy of each resource of a file for each different route, and the findings of admission.

    Args:
        unstated: The namespace of resources that neither state nor get one.
        fill_in: Returns the facts with the values that a route gives to variables.
        plain_roots: The roots of the file that no object of Flux or Argo CD applies.

    Returns:
        The resources, with the first copy of each before all other copies; the findings without duplicates; and the
        copies of each resource that has several.
    """
    versions = [
        _Version(route, route.namespace if route.namespace or route.is_unknown else unstated, fill_in(facts, route))
        for route in placement.routes
    ]
    resources: list[list[Resource]] = []
    copied: CopiesOf = {}
    for position, resource in enumerate(facts.resources):
        groups: dict[tuple[str, str | None, int], list[_Version]] = {}
        for version in versions:
            base = version.facts.resources[position]
            groups.setdefault((version.route.root, version.namespace_of(base), id(base)), []).append(version)
        placed: list[Resource] = []
        for version, *_ in groups.values():
            label = f"{version.route.root} {version.route.delivery}".strip() if len(groups) > 1 else ""
            placed.append(_placed(version, position, profile, plain_roots, label))
        resources.append(placed)
        if len(placed) > 1:
            pairs = [*zip(placed, groups.values(), strict=True)]
            copies = Copies(
                frozenset(map(copy_of, placed)),
                frozenset(copy_of(copy) for copy, group in pairs if all(version.route.is_plain for version in group)),
                {copy_of(copy): group[0].route.delivery for copy, group in pairs},
            )
            file, index = resource.document.file, resource.document.index
            copied |= {(copy_of(copy), file, index): copies for copy in placed}
    first_copies = [placed[0] for placed in resources]
    return first_copies + [copy for placed in resources for copy in placed[1:]], _findings(versions), copied


def _placed(version: _Version, position: int, profile: Profile, plain_roots: tuple[str, ...], label: str) -> Resource:
    """Return a resource of a file as one route applies it.

    Args:
        plain_roots: The roots of a copy whose route has none.
        label: Distinguishes the copy from others; empty if there is only one.
    """
    base, route = version.facts.resources[position], version.route
    is_from_route = route.overrides or not base.namespace
    roots = (route.root,) if route.root else plain_roots
    return base.placed(version.namespace_of(base), profile, route.place if is_from_route else None, roots, label)


def _findings(versions: Sequence[_Version]) -> list[Finding]:
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
    """Merge equal findings about copies of one resource, and return them with all other findings.

    A finding about all copies stays. A finding about some copies stays if it is not a lint and one of the copies is
    plain, because a patch may fix the other copies. Notes then point to the objects that apply the plain copies.

    Args:
        findings: The findings, in any order.
        found_in: Receives, for each finding that stays, the copies that it is about.
    """
    reported: list[Finding] = []
    findings_by_occurrence: dict[Occurrence, dict[Copy, list[Finding]]] = {}
    for finding in findings:
        copy = None if finding.subject is None else (finding.subject, finding.copy_id)
        if copy is not None and (copy, finding.span.file, finding.document) in copied:
            findings_by_occurrence.setdefault(occurrence(finding), {}).setdefault(copy, []).append(finding)
        else:
            reported.append(finding)
    for key, findings_by_copy in findings_by_occurrence.items():
        first = next(iter(findings_by_copy))
        copies = copied[first, key[1].file, key[3]]
        is_in_all = findings_by_copy.keys() >= copies.all
        if not is_in_all and findings_by_copy[first][0].stage == "lint":
            continue
        decisive = findings_by_copy.keys() if is_in_all else findings_by_copy.keys() & copies.plain
        if decisive:
            notes = () if is_in_all else tuple(_delivery_notes(sorted(decisive), copies, texts))
            reported += [_with_notes(finding, notes) for finding in findings_by_copy[min(decisive)]]
            found_in[key] = frozenset(findings_by_copy)
    return reported


def repeat_for_copies(findings: Iterable[Finding], found_in: Mapping[Occurrence, frozenset[Copy]]) -> Iterator[Finding]:
    """Undo `reported_once`: yield a merged finding for every copy that it is about, and other findings unchanged."""
    for finding in findings:
        copies = found_in.get(occurrence(finding), ())
        yield from (finding._replace(subject=subject, copy_id=copy_id) for subject, copy_id in sorted(copies))
        if not copies:
            yield finding


def copy_of(resource: Resource) -> Copy:
    """Return the key of a resource among its copies."""
    return resource.subject, resource.copy_id


def occurrence(finding: Finding) -> Occurrence:
    """Return the key that equal findings about all copies of a resource share."""
    return (finding.rule, finding.span, finding.path, finding.document)


def _with_notes(finding: Finding, notes: tuple[Note, ...]) -> Finding:
    files = {note.span.file for note in finding.notes if note.span is not None}
    added = tuple(note for note in notes if note.span is not None and note.span.file not in files)
    return finding._replace(notes=(*finding.notes, *added)) if added else finding


def _delivery_notes(selected: Sequence[Copy], copies: Copies, texts: Texts) -> Iterator[Note]:
    deliveries = sorted({copies.deliveries[copy] for copy in selected} - {""})
    for delivery in deliveries[:_MOST_NOTES]:
        file, _, name = delivery.rpartition("#")
        index = int(name.split(".")[1])
        documents = [document for document in read_documents(texts[file], file)[0] if document.index == index]
        if documents:
            yield Note(_DELIVERY_MESSAGE, documents[0].span(("metadata", "name")))
