"""What all files say together: namespaces from outside of the documents, and identities that are declared twice."""

from __future__ import annotations

import os
from itertools import chain, compress, groupby, repeat
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ..diagnostics.placeholder import is_placeholder
from ..intake.facts import with_namespace
from ..project import kustomize
from ..project.applied import layout_of
from ..workspace.external import World
from ..workspace.index import CORE_KINDS
from ..workspace.resource_table import Columns, Inventory

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from ..diagnostics.finding import Finding
    from ..intake.memory import Instance
    from ..intake.part import Part, Said
    from ..intake.stored import Texts
    from ..project.discovery import Project
    from ..project.kustomization import Kustomization
    from ..project.options import Options
    from ..project.overlay import Identity, Occurrence, OverlayNames, Placement
    from ..reading.document import Document
    from ..reading.suppression_comment import Ignore
    from ..workspace.layout import Layout
    from ..workspace.resource import Resource


Origin: TypeAlias = "tuple[int, int, str | None]"
"""Where a resource comes from: the number of the piece, its row there, and the namespace that an overlay copies it to.
"""


class Loaded(NamedTuple):
    """The input of a call, read and admitted.

    Attributes:
        resources: Kubernetes objects of our kinds and of those that references lead to.
        records: Input kind to the documents of that kind.
        findings: What the reader and admission found.
        texts: File as findings name it to its text, for source lines.
        files: How many files hold something of what was read.
        documents: How many non-empty documents were read.
        templates: How many templates there are, which were not read.
        ignores: What comments silence, by file.
        made: The names that kustomizations make: of those of resources, or of their own.
        reaches_out: Whether a kustomization lists what lies outside of the folders that were read.
        copied: The resources that overlays put into several namespaces: there is one for each.
        origins: Where each of ``resources`` comes from.
        found_in: The namespaces of the copies that a finding which is reported once was found of.
        layout: How the files stand to one another.
    """

    resources: Inventory
    records: dict[str, list[Document]]
    findings: list[Finding]
    texts: Texts
    files: int
    documents: int
    templates: int
    ignores: dict[str, Sequence[Ignore]]
    made: OverlayNames | None
    reaches_out: bool
    copied: dict[Identity, Placement]
    origins: Sequence[Origin]
    found_in: dict[Occurrence, frozenset[str]]
    layout: Layout

    @property
    def is_one_matter(self) -> bool:
        """Whether more is told of a file than what it, its resources and surveys say: overlays and records do that."""
        return self.made is not None or bool(self.records)

    def records_apart(self) -> list[dict[str, list[Document]]]:
        """Return the records that see one another together: those of each isolated file, and all others."""
        found: dict[str | None, dict[str, list[Document]]] = {}
        for kind, documents in self.records.items():
            for document in documents:
                file = document.file if self.layout.is_isolated(document.file) else None
                found.setdefault(file, {}).setdefault(kind, []).append(document)
        return [*found.values()]

    def of_pieces(self, count: int) -> list[list[Instance]]:
        """Return for each of ``count`` pieces the positions of its resources, with their rows."""
        found: list[list[Instance]] = [[] for _ in range(count)]
        for position, (piece, row, _) in enumerate(self.origins):
            found[piece].append((position, row))
        return found


class Piece(NamedTuple):
    """A part of which only some files count.

    Attributes:
        part: What the files say.
        current: Those that count; ``None`` for all.
    """

    part: Part
    current: Collection[str] | None = None


def join(
    pieces: Sequence[Piece],
    texts: Texts,
    project: Project,
    options: Options,
    order: Callable[[str], int] | None = None,
    *,
    tells: Callable[[str], bool] = lambda _: True,
) -> Loaded:
    """Put the parts of a project together.

    Args:
        pieces: Of each file, one part counts.
        texts: Opens files.
        project: The files.
        options: How they are read.
        order: Gives the place of a file in reading order; ``None`` where the parts are in that order.
        tells: Tells of a file whether it is asked what shows about it only here.
    """
    if order is not None:
        texts.arrange(order)
    said = _said(pieces, order)
    kustomizations = [one for _, _, own in said for one in own.kustomizations]
    made, placed = _overlays(kustomizations)
    patches = kustomize.patches(kustomizations)
    reaches_out = bool(kustomizations) and _reaches_out(kustomizations, project)
    unstated = options.namespace or project.settings.namespace or ("default" if options.closed else None)
    if pieces and not (patches or placed or order) and all(piece.current is None for piece in pieces):
        origins, columns = _one_after_the_other(pieces)
    else:
        origins = _origins(pieces, patches, placed, order)
        columns = _columns(pieces, origins)
    inventory = _inventory(pieces, origins, columns)
    unasked = _unasked_skills(said, project, options)
    counts = _counts(pieces, said, len(texts), unasked=len(unasked))
    layout = layout_of(kustomizations, project, options)
    loaded = Loaded(inventory, {}, [], texts, *counts, {}, made, reaches_out, {}, origins, {}, layout)
    _state_namespaces(loaded, placed, unstated)
    for _, file, own in said:
        if file in unasked:
            continue
        _take(own, file, loaded, is_patch=file in patches, namespace=_namespace(placed.get(file), unstated))
    if made is not None:
        for kind, name, file in zip(inventory.kinds, inventory.names, inventory.files, strict=True):
            made.add(file, kind, name)
    duplicates = _refuse_duplicates(loaded)
    duplicates = [(again, first) for again, first in duplicates if tells(inventory.files[again])]
    if duplicates:
        from ..workspace.duplicate import duplicate

        loaded.findings.extend(duplicate(inventory[again], inventory[first]) for again, first in duplicates)
    _tell_later(said, pieces, loaded, tells)
    return loaded


def in_one(of_pieces: Sequence[Sequence[Instance]], pieces: Sequence[Piece]) -> list[Instance]:
    """Return the instances of pieces with their rows in the one part that these make together."""
    found: list[Instance] = []
    before = 0
    for instances, piece in zip(of_pieces, pieces, strict=True):
        found += [(position, before + row) for position, row in instances] if before else instances
        before += len(piece.part.columns.files)
    return found


def world_of(project: Project, options: Options, loaded: Loaded) -> World:
    """Return what the call says about resources outside its files."""
    return World(
        closed=options.closed,
        external=project.settings.external,
        complete=project.complete and not loaded.reaches_out,
        made=loaded.made,
        layout=loaded.layout,
    )


def told_once(findings: list[Finding], loaded: Loaded) -> list[Finding]:
    """Return findings with those about the copies of one resource made one."""
    if not loaded.copied:
        return findings
    from ..project.overlay import told_once

    return told_once(findings, loaded.copied, loaded.found_in)


def _overlays(kustomizations: list[Kustomization]) -> tuple[OverlayNames | None, Mapping[str, Placement]]:
    """Return the names that kustomizations make, and where the files go that they list."""
    if not kustomizations:
        return None, {}
    from ..project.overlay import OverlayNames, placements

    return OverlayNames(kustomizations), placements(kustomizations)


def _namespace(placement: Placement | None, unstated: str | None) -> str | None:
    """Return the namespace of what states none, the first where it goes into several."""
    return unstated if placement is None else next(iter(placement.namespaces), None)


def _said(pieces: Sequence[Piece], order: Callable[[str], int] | None) -> list[tuple[int, str, Said]]:
    """Return what files say beside their resources, in reading order, with the number of the piece."""
    found = [
        (number, file, own)
        for number, (part, current) in enumerate(pieces)
        for file, own in part.said.items()
        if current is None or file in current
    ]
    if order is not None:
        found.sort(key=lambda one: order(one[1]))
    return found


def _unasked_skills(said: Sequence[tuple[int, str, Said]], project: Project, options: Options) -> frozenset[str]:
    """Return the ``SKILL.md`` files that are probably of other programs."""
    found = [file for _, file, own in said if any(kind == "skill" for kind, _ in own.records)]
    if not found:
        return frozenset()
    from ..project.skill import unasked_skills

    recorded = {folder for _, _, own in said for folder in own.skills}
    return unasked_skills(found, recorded, project, options.first if options.read_as == "skill" else None)


def _counts(
    pieces: Sequence[Piece], said: Sequence[tuple[int, str, Said]], files: int, *, unasked: int
) -> tuple[int, int, int]:
    """Return how many files and documents count as checked, and how many templates do not."""
    templates = {file: own.templates for _, file, own in said if own.templates}
    documents = 0
    for part, current in pieces:
        if current is None and not templates:
            documents += sum(part.documents)
            continue
        for file, count in zip(part.files, part.documents, strict=True):
            if current is None or file in current:
                documents += count
                files -= not count and file in templates
    return files - unasked, documents - unasked, sum(templates.values())


def _origins(
    pieces: Sequence[Piece],
    patches: Collection[str],
    placed: Mapping[str, Placement],
    order: Callable[[str], int] | None,
) -> list[Origin]:
    """Return where resources come from, in reading order, but for those of patches."""
    found: list[Origin] = []
    for number, (part, current) in enumerate(pieces):
        files = part.columns.files
        rows: Iterable[int] = range(len(files))
        if current is not None or patches:
            counting = set(files if current is None else current).difference(patches)
            rows = compress(rows, map(counting.__contains__, files))
        found += zip(repeat(number), rows, repeat(None), strict=False)
    files_of = [piece.part.columns.files for piece in pieces]
    if order is not None:
        places = [order(files_of[piece][row]) for piece, row, _ in found]
        found = [found[at] for at in sorted(range(len(found)), key=places.__getitem__)]
    if all(len(placement.namespaces) < 2 for placement in placed.values()):
        return found
    with_copies: list[Origin] = []
    for file, of_file in groupby(found, key=lambda one: files_of[one[0]][one[1]]):
        own = list(of_file)
        with_copies += own
        for piece, row, _ in own:
            if pieces[piece].part.columns.namespaces[row] is None and file in placed:
                with_copies += [(piece, row, copy) for copy in placed[file].namespaces[1:]]
    return with_copies


def _inventory(pieces: Sequence[Piece], origins: Sequence[Origin], columns: Columns) -> Inventory:
    makers = [piece.part.make for piece in pieces]

    def make(position: int) -> Resource:
        piece, row, copy = origins[position]
        made = makers[piece](row)
        return made if copy is None else made.copy_in(copy)

    return Inventory(columns, make)


def _columns(pieces: Sequence[Piece], origins: Sequence[Origin]) -> Columns:
    """Return the columns about the resources of the given origins, with the namespaces that documents state."""
    of_all = zip(*(piece.part.columns for piece in pieces), strict=True)
    columns: list[list[Any]] = [[of_pieces[piece][row] for piece, row, _ in origins] for of_pieces in of_all]
    return Columns(*columns) if columns else Columns([], [], [], [], [], [], [])


def _one_after_the_other(pieces: Sequence[Piece]) -> tuple[list[Origin], Columns]:
    """Return where the resources of pieces come from that are whole and in order, and their columns."""
    rows = [range(len(piece.part.columns.files)) for piece in pieces]
    origins = [zip(repeat(number), own, repeat(None), strict=False) for number, own in enumerate(rows)]
    columns = map(chain.from_iterable, zip(*(piece.part.columns for piece in pieces), strict=True))
    return list(chain.from_iterable(origins)), Columns(*map(list, columns))


def _state_namespaces(loaded: Loaded, placed: Mapping[str, Placement], unstated: str | None) -> None:
    """Give resources that state no namespace what kustomizations or the call say."""
    inventory = loaded.resources
    if not placed and unstated is None:
        return
    for position, namespace in enumerate(inventory.namespaces):
        if namespace is None:
            placement, copy = placed.get(inventory.files[position]), loaded.origins[position][2]
            stated = copy or _namespace(placement, unstated)
            inventory.settle(position, stated, admitted=inventory.admitted[position])
            if copy is not None and placement is not None:
                loaded.copied[_identity(inventory, position)] = placement


def _identity(inventory: Inventory, position: int) -> Identity:
    """Return what tells a resource, with its copies, from others."""
    index = inventory[position].document.index
    return inventory.kinds[position], inventory.names[position], inventory.files[position], index


def _take(own: Said, file: str, loaded: Loaded, *, is_patch: bool, namespace: str | None) -> None:
    """Take what a file says beside its resources."""
    if is_patch:
        # A part of a resource: whether it is right shows only where it is laid over the rest.
        loaded.findings.extend(one for one in own.findings if one.stage == "syntax")
        return
    if own.findings:
        loaded.findings.extend(with_namespace(own.findings, namespace))
    if own.ignores:
        loaded.ignores[file] = own.ignores
    for kind, document in own.records:
        loaded.records.setdefault(kind, []).append(document)


def _refuse_duplicates(loaded: Loaded) -> list[tuple[int, int]]:
    """Mark the resources that declare again what another one does as not admitted; return both positions of each.

    Both are known to go into one namespace of one cluster. Objects of Kubernetes itself are left out: that a Namespace
    or a Secret stands in several places is usual. Of the copies of one resource the first stands for all.
    """
    inventory = loaded.resources
    identities = inventory.identities()
    if len(set(identities)) == len(identities):
        return []
    found: list[tuple[int, int]] = []
    seen: dict[tuple[str, str | None, str, str], int] = {}
    repeated: set[Identity] = set()
    for position, (kind, namespace, name) in enumerate(identities):
        if kind in CORE_KINDS or is_placeholder(name):
            continue
        file = inventory.files[position]
        places = loaded.layout.namespace_places(file, namespace)
        first = min([seen.setdefault((kind, namespace, name, place), position) for place in places])
        if first == position:
            continue
        if loaded.made is not None and loaded.made.differ(file, inventory.files[first]):
            continue
        inventory.settle(position, namespace, admitted=False)
        if not loaded.copied:
            found.append((position, first))
        elif (own := _identity(inventory, position)) not in repeated:
            found.append((position, first))
            repeated.update({own} & loaded.copied.keys())
    return found


def _tell_later(
    said: Sequence[tuple[int, str, Said]], pieces: Sequence[Piece], loaded: Loaded, tells: Callable[[str], bool]
) -> None:
    """Report the first resource of a version that only later operators serve."""
    for number, file, own in said:
        if own.later is None:
            continue
        origin = (number, pieces[number].part.columns.files.index(file) + own.later, None)
        if origin in loaded.origins:
            from ..admission.identity import later_version_finding

            if tells(file):
                resource = loaded.resources[loaded.origins.index(origin)]
                loaded.findings.append(later_version_finding(resource.document, resource.printed_namespace))
            return


def _reaches_out(kustomizations: list[Kustomization], project: Project) -> bool:
    read = {os.path.normpath(file.path) for file in project.files}
    folders = [path for path in project.asked if os.path.isdir(path)]
    if project.reported is not None:
        folders.append(project.root)
    return any(path not in read for path in kustomize.outside(kustomizations, folders))
