"""What overlays make of their bases: the namespaces that files go into, and the names that resources get."""

from __future__ import annotations

import os
from collections import deque
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence

    from ..diagnostics.finding import Finding
    from ..diagnostics.span import Path, Span
    from .kustomization import Kustomization

_MOST_NAMESPACES: Final = 32
"""Of a file that goes into more, the namespace is unknown: each makes copies of all its resources."""
_ANYWHERE: Final = "*"
_TEXTS: Final = (".yaml", ".yml", ".json")

Identity: TypeAlias = tuple[str, str, str, int | None]
"""Of a resource in its file: kind, name, file and document."""

Occurrence: TypeAlias = "tuple[str, Span, Path | None, Identity]"
"""What a finding is about, whichever copy of a resource it was found of: rule, place, path and resource."""


class _Way(NamedTuple):
    """A way in which a file is applied.

    Attributes:
        namespace: Into which it comes, ``None`` where nothing states one.
        is_plain: Whether it does so as it is written.
        default: The namespace where nothing else states one.
        place: Of the text that states the namespace, or the default.
        retargets: Whether the namespace is that of what controllers' objects on the way apply, too.
    """

    namespace: str | None = None
    is_plain: bool = True
    default: str | None = None
    place: Span | None = None
    retargets: bool = False

    def through(self, one: Kustomization) -> _Way:
        """Return the way of what a kustomization lists to which this one leads.

        An outer kustomization sets its namespace last, so it wins over those that it lists. What a controller applies
        on its own is not touched by what lists the controller's object.
        """
        if one.applied_by and not (self.retargets and self.namespace):
            return _Way(one.namespace, one.is_plain, one.default_namespace, one.place)
        decides = not self.namespace and bool(one.namespace)
        place = one.place if decides else self.place
        return _Way(
            self.namespace or one.namespace,
            self.is_plain and one.is_plain,
            self.default,
            place,
            self.retargets or one.retargets,
        )


_TOO_MANY: Final = _Way(_ANYWHERE, is_plain=False)


class Placement(NamedTuple):
    """Where the resources of a file go that state no namespace.

    Attributes:
        namespaces: All of them, sorted; none where that is not known.
        sure: Those of them into which the resources go as they are written: no patch and no other name on the way.
        places: Of the text that states each of them, where there is one.
    """

    namespaces: tuple[str, ...] = ()
    sure: frozenset[str] = frozenset()
    places: Mapping[str, Span] = {}

    @property
    def namespace(self) -> str | None:
        """The one namespace, where there is no other."""
        return self.namespaces[0] if len(self.namespaces) == 1 else None


def placements(kustomizations: Iterable[Kustomization]) -> dict[str, Placement]:
    """Return where the files that kustomizations list go: the outermost kustomization that sets a namespace wins.

    Files without a stated namespace are left out.
    """
    by_folder = _by_folder(kustomizations)
    by_folder = {folder: one._replace(is_plain=_is_plain(one, by_folder)) for folder, one in by_folder.items()}
    ways = _ways(by_folder)
    of_file: dict[str, set[_Way]] = {}
    for folder, one in by_folder.items():
        for path in one.listed:
            if path not in by_folder:
                known = of_file.setdefault(path, set())
                known |= ways.get(folder, set())
                _bound(known)
    placed = {path: _placement(found) for path, found in sorted(of_file.items())}
    return {path: one for path, one in placed.items() if one is not None}


def _is_plain(one: Kustomization, by_folder: Container[str]) -> bool:
    """Return whether all that a kustomization does is known: what it lists may be a folder of some repository."""
    return one.is_plain and all(path in by_folder or path.endswith(_TEXTS) for path in one.listed)


def _placement(ways: set[_Way]) -> Placement | None:
    """Return where a file goes by its ways; ``None`` where none of them states a namespace."""
    found = [(way.namespace or way.default, way.is_plain) for way in ways]
    namespaces = {namespace for namespace, _ in found}
    if namespaces == {None}:
        return None
    if None in namespaces or _ANYWHERE in namespaces:
        return Placement()
    altered = {namespace for namespace, is_plain in found if not is_plain}
    stated = sorted(namespace for namespace in namespaces if namespace is not None)
    places = {
        way.namespace or way.default or "": way.place for way in sorted(ways, key=_order, reverse=True) if way.place
    }
    return Placement(tuple(stated), frozenset(stated) - altered, places)


def _order(way: _Way) -> tuple[Span, ...]:
    """Return what ways are sorted by: the place that decides."""
    return () if way.place is None else (way.place,)


def _ways(by_folder: dict[str, Kustomization]) -> dict[str, set[_Way]]:
    """Return for each kustomization the ways in which what it lists is taken."""
    listed = {path for one in by_folder.values() for path in one.listed}
    found: dict[str, set[_Way]] = {}
    # What no other lists comes first. The rest is left where they list each other in a circle, as a cluster of Flux
    # does with its own Kustomization: that of a controller begins the chain.
    for start in sorted(by_folder, key=lambda one: (one in listed, not by_folder[one].applied_by, one)):
        if start in listed and start in found:
            continue
        waiting: deque[tuple[str, set[_Way]]] = deque([(start, {_Way()})])
        while waiting:
            folder, outer = waiting.popleft()
            one = by_folder[folder]
            known = found.setdefault(folder, set())
            new = {way.through(one) for way in outer} - known
            if not new or _TOO_MANY in known:
                continue
            known |= new
            if _bound(known):
                new = set(known)
            waiting.extend((path, new) for path in sorted(one.listed) if path in by_folder)
    return found


def _bound(ways: set[_Way]) -> bool:
    """Replace too many ways by a single one; return whether they were too many."""
    if _TOO_MANY not in ways and len({(way.namespace, way.default) for way in ways}) <= _MOST_NAMESPACES:
        return False
    ways.clear()
    ways.add(_TOO_MANY)
    return True


def _by_folder(kustomizations: Iterable[Kustomization]) -> dict[str, Kustomization]:
    return {os.path.normpath(one.folder or "."): one for one in kustomizations}


class OverlayNames:
    """The names that kustomizations make: what they generate, and those that resources get in any overlay.

    Names with a prefix or suffix are not worked out, as overlays upon overlays make of few names very many: any name
    that has them may be one.
    """

    def __init__(self, kustomizations: Iterable[Kustomization] = ()) -> None:
        self._by_folder = _by_folder(kustomizations)
        self._generated = {one for found in self._by_folder.values() for one in found.generated}
        self._affixes = {(one.prefix, one.suffix) for one in self._by_folder.values()} - {("", "")}
        self._listed = self._renamed()
        self._kinds: set[str] = set()
        self._listers: dict[str, set[str]] | None = None

    def add(self, file: str, kind: str) -> None:
        """Record a resource that a file declares."""
        if file in self._listed:
            self._kinds.add(kind)

    def differ(self, file: str, other: str) -> bool:
        """Return whether resources of one name in two files may have different names in the end."""
        if file == other or not (file in self._listed or other in self._listed):
            return False
        listers = self._by_listed()
        return listers.get(file) != listers.get(other)

    def altering(self, files: Iterable[str]) -> list[str]:
        """Return the folders, sorted, whose kustomization may make something else of what one of ``files`` declares.

        For what a controller applies on its own stands the file that has it do so.
        """
        listers = self._by_listed()
        reached = set(files)
        waiting = list(reached)
        while waiting:
            new = listers.get(waiting.pop(), set()) - reached
            reached |= new
            waiting += new
        return sorted(
            {
                folder.rpartition("#")[0] if one.applied_by else folder
                for folder, one in self._by_folder.items()
                if folder in reached and not one.is_plain
            }
        )

    def kinds(self) -> frozenset[str]:
        """Return the kinds of which names are made."""
        return frozenset(kind for kind, _ in self._generated) | self._kinds

    def have(self, kind: str, name: str) -> bool:
        """Return whether something of ``kind`` may be called ``name`` in an overlay.

        The outermost kustomization renames last, so its prefix and suffix are at the ends.
        """
        if (kind, name) in self._generated:
            return True
        return kind in self._kinds and any(
            name.startswith(prefix) and name.endswith(suffix) for prefix, suffix in self._affixes
        )

    def _by_listed(self) -> dict[str, set[str]]:
        """Return for each path that is listed the folders whose kustomization lists it."""
        if self._listers is None:
            self._listers = {}
            for folder, one in self._by_folder.items():
                for path in one.listed:
                    self._listers.setdefault(path, set()).add(folder)
        return self._listers

    def _renamed(self) -> set[str]:
        """Return what is listed by kustomizations that change names, or that such list in turn."""
        waiting = [folder for folder, one in self._by_folder.items() if one.prefix or one.suffix]
        reached: set[str] = set(waiting)
        listed: set[str] = set()
        while waiting:
            one = self._by_folder[waiting.pop()]
            listed |= one.listed
            waiting += one.listed & self._by_folder.keys() - reached
            reached |= one.listed
        return listed


def reported_once(
    findings: Sequence[Finding],
    copied: Mapping[Identity, Placement],
    found_in: dict[Occurrence, frozenset[str]],
) -> list[Finding]:
    """Return findings with those about copies of one resource made one.

    A finding about a copy that is as it is written stays. About others, and where it would be no error, it stays only
    if all copies have it: a patch may have fixed it.

    Args:
        findings: In any order.
        copied: The resources of which there are several, and where they go.
        found_in: Takes the namespaces of the copies that each finding which is given was found of.
    """
    out: list[Finding] = []
    of_copies: dict[Occurrence, list[Finding]] = {}
    for finding in findings:
        subject = finding.subject
        # Of two elements of a List that have one name, one may state a namespace: it is no copy.
        if subject and (placement := copied.get(_identity(finding))) and subject.namespace in placement.namespaces:
            of_copies.setdefault(occurrence(finding), []).append(finding)
        else:
            out.append(finding)
    for key, same in of_copies.items():
        placement = copied[_identity(same[0])]
        by_namespace: dict[str, list[Finding]] = {}
        for one in same:
            by_namespace.setdefault(one.subject.namespace if one.subject else "", []).append(one)
        is_of_all = len(by_namespace) == len(placement.namespaces)
        if is_of_all or same[0].stage != "lint":
            counts = by_namespace.keys() if is_of_all else by_namespace.keys() & placement.sure
            if counts:
                out += by_namespace[min(counts)]
                found_in[key] = frozenset(by_namespace)
    return out


def occurrence(finding: Finding) -> Occurrence:
    """Return what is the same in a finding about each copy of a resource."""
    return (finding.rule, finding.span, finding.path, _identity(finding))


def _identity(finding: Finding) -> Identity:
    subject = finding.subject
    assert subject is not None
    return (subject.kind, subject.name, finding.span.file, finding.document)
