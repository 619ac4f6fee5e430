"""Where the files go that kustomizations and controllers apply: into which namespaces, from where, and by what."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final, NamedTuple

from ..diagnostics.placeholder import is_placeholder
from .alteration import MORE, UNKNOWN, bounded
from .kustomization import by_folder, root_of, starts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ..diagnostics.budget import Budget
    from ..reading.document import Place
    from .alteration import Alteration
    from .kustomization import Kustomization

_MOST_NAMESPACES: Final = 32
"""Of a file that goes into more, the namespace is unknown: each makes copies of all its resources."""
_MOST_ROOTS: Final = 32
"""Of what more kustomizations lead to, the others are left out: their files are not known to go together."""
_MOST_WAYS: Final = 64
"""Of a file that is applied in more, it does not count from where, nor by which object of a controller."""
_MOST_DEEP: Final = 32
"""Components in components; what deeper ones do is unknown."""
_ANYWHERE: Final = "*"
_TEXTS: Final = (".yaml", ".yml", ".json")


class _Way(NamedTuple):
    """A way in which a file is applied.

    Attributes:
        namespace: Into which it comes, ``None`` where nothing states one.
        is_plain: Whether it does so as it is written.
        default: The namespace where nothing else states one.
        place: Of the text that states the namespace, or the default.
        retargets: Whether the namespace is that of what controllers' objects on the way apply, too.
        root: Where the way begins, as `kustomization.root_of` returns it.
        delivery: The last object of a controller on it, by its ``folder``; empty where there is none.
        filling: What patches make of what that puts in place of variables.
        altering: What patches on the way since then make of Kustomizations of Flux, inner ones first.
    """

    namespace: str | None = None
    is_plain: bool = True
    default: str | None = None
    place: Place | None = None
    retargets: bool = False
    root: str = ""
    delivery: str = ""
    filling: tuple[Alteration, ...] = ()
    altering: tuple[Alteration, ...] = ()

    def steps_through(self, one: Kustomization) -> int:
        """Return how many steps `through` takes: each patch gets the labels that the kustomization adds."""
        marks = 1 + len(one.labels) + len(one.annotations)
        return 1 + len(one.altering) + sum(marks + len(each.added) + len(each.noted) for each in self.altering)

    def through(self, one: Kustomization) -> _Way:
        """Return the way of what a kustomization lists to which this one leads.

        An outer kustomization sets its namespace last, so it wins over those that it lists. What a controller applies
        on its own is not touched by what lists the controller's object.
        """
        if one.applied_by:
            return self._applied(one)
        decides = not self.namespace and bool(one.namespace)
        return self._replace(
            namespace=self.namespace or one.namespace,
            is_plain=self.is_plain and one.is_plain,
            default=one.default_namespace or self.default,
            place=one.place if decides or (one.default_namespace and not self.namespace) else self.place,
            retargets=self.retargets or one.retargets,
            altering=bounded(one.altering + _inside(self.altering, one)),
        )

    def _applied(self, one: Kustomization) -> _Way:
        """Return the way of what an object of a controller applies to which this one leads."""
        found = _Way(
            one.namespace,
            one.is_plain,
            one.default_namespace,
            one.place,
            root=self.root,
            delivery=one.folder,
            altering=one.altering,
        )
        if not one.called:  # of Argo CD: no patch of Flux is for it
            return found
        if self.retargets and self.namespace:
            found = found._replace(namespace=self.namespace, place=self.place, retargets=True)
        own = [*one.altered, *_own(self.altering, one)]
        for alteration in own:
            found = found._replace(is_plain=found.is_plain and alteration.is_plain)
            if alteration.namespace:
                found = found._replace(namespace=alteration.namespace, place=alteration.place)
        filling = tuple(alteration for alteration in own if alteration.fills)
        # A patch that is not looked into may add variables, as well.
        return found._replace(filling=filling if self.is_plain else bounded((*filling, MORE)))


def _own(altering: Iterable[Alteration], one: Kustomization) -> Iterator[Alteration]:
    """Yield what is for an object of Flux; an unknown one for what may be."""
    is_marked = False
    for alteration in altering:
        is_for = alteration.is_for(one.called, one.labels, one.annotations)
        if is_marked and (alteration.labels or alteration.annotations):
            is_for = None if alteration._replace(labels="", annotations="").is_for(one.called) else False
        if is_for is None:
            yield UNKNOWN
        elif is_for:
            yield alteration
            is_marked = is_marked or alteration.marks


def _inside(altering: tuple[Alteration, ...], one: Kustomization) -> tuple[Alteration, ...]:
    """Return patches for what a kustomization lists, after it has added its labels and annotations."""
    if not (one.labels or one.annotations):
        return altering
    return tuple(each.inside(one.labels, one.annotations) for each in altering)


_TOO_MANY: Final = _Way(_ANYWHERE, is_plain=False)


class Way(NamedTuple):
    """A way in which the resources of a file are applied.

    Attributes:
        namespace: Into which those come that state none; ``None`` where nothing states one, or that is not known.
        root: Where the chain begins by which a controller applies them; empty where none does.
        delivery: The object by which it does so, as `delivery.as_kustomizations` calls it.
        is_plain: Whether they come as they are written: no patch and no other name on the way.
        is_unknown: Whether it is not known which namespace that is, though something states one.
        place: Of the text that states the namespace, where there is one.
        filling: What patches make of the values that ``delivery`` puts in place of variables.
        overrides: Whether the namespace, or the unknown one, is also that of resources that state another one:
            kustomize sets it on all.
    """

    namespace: str | None = None
    root: str = ""
    delivery: str = ""
    is_plain: bool = True
    is_unknown: bool = False
    place: Place | None = None
    filling: tuple[Alteration, ...] = ()
    overrides: bool = False

    def namespace_of(self, stated: str | None) -> str | None:
        """Return the namespace into which a resource comes that states one, or none."""
        return self.namespace if self.overrides else stated or self.namespace


class Placement(NamedTuple):
    """Where the resources of a file go.

    Attributes:
        ways: In which they are applied, by namespace; one at least.
    """

    ways: tuple[Way, ...]

    def unknown(self) -> Placement:
        """Return a placement for the same files that says nothing of where they go."""
        return Placement((Way(is_plain=False, is_unknown=True),))

    @property
    def namespaces(self) -> tuple[str, ...]:
        """All that are known, sorted."""
        return tuple(sorted({way.namespace for way in self.ways if way.namespace is not None}))

    @property
    def namespace(self) -> str | None:
        """The one namespace, where there is no other."""
        return self.namespaces[0] if len(self.namespaces) == 1 else None

    @property
    def sure(self) -> frozenset[str]:
        """The namespaces into which the resources go as they are written."""
        altered = {way.namespace for way in self.ways if not way.is_plain}
        return frozenset(self.namespaces) - altered

    @property
    def roots(self) -> tuple[str, ...]:
        """Where the chains begin by which controllers apply them, sorted."""
        return tuple(sorted({way.root for way in self.ways} - {""}))


def placements(kustomizations: Iterable[Kustomization], budget: Budget) -> dict[str, Placement]:
    """Return where the files that kustomizations list go: the outermost kustomization that sets a namespace wins.

    Files of which neither a namespace is stated nor what applies them are left out.

    Args:
        kustomizations: All of a project.
        budget: That of the project. Files for which it is too small go into an unknown namespace.
    """
    known = by_folder(kustomizations)
    ways = _ways(known, budget)
    of_file: dict[str, set[_Way]] = {}
    for folder, one in known.items():
        own = ways.get(folder, set())
        # Subtracting the keys would go through all kustomizations for each.
        for path in sorted(path for path in one.listed if path not in known):
            found = of_file.setdefault(path, set())
            if budget.grants(folder, steps=1 + len(own) * (1 + len(found) // 4)):  # pairs of clusters are made of them
                found |= own
                _bound(found)
            else:
                of_file[path] = {_TOO_MANY}
    placed = {path: _placement(found) for path, found in sorted(of_file.items())}
    return {path: one for path, one in placed.items() if one is not None}


def roots_of(kustomizations: Iterable[Kustomization], budget: Budget) -> dict[str, tuple[str, ...]]:
    """Return for each file that kustomizations list the outermost ones that lead to it, by their files, sorted.

    Those for which the budget is too small are left out.
    """
    known = by_folder(kustomizations)
    found: dict[str, list[str]] = {}
    for start in starts(known, found):
        root = root_of(start, known)
        waiting = [start]
        while waiting:
            path = waiting.pop()
            own = found.setdefault(path, [])
            if root not in own and len(own) < _MOST_ROOTS:
                listed = sorted(known[path].listed) if path in known else []
                if budget.grants(path, steps=1 + len(listed)):
                    own.append(root)
                    waiting += listed
    return {path: tuple(sorted(roots)) for path, roots in found.items() if path not in known}


def with_components(kustomizations: Sequence[Kustomization], budget: Budget) -> list[Kustomization]:
    """Return kustomizations with what their components do to all that they list, and with whether that is all known.

    What one lists may be a folder of some repository. If the budget is too small for what the components of one do,
    that is unknown.
    """
    known = by_folder(kustomizations)
    if any(one.transformers for one in known.values()):
        known = _transformed(known, kustomizations, budget)
    found: dict[str, Kustomization] = {}

    def whole(folder: str, depth: int = 0) -> Kustomization:
        if folder in found:
            return found[folder]
        one = known[folder]
        is_plain = one.is_plain and all(path in known or path.endswith(_TEXTS) for path in one.listed)
        # Whoever meets it again on the way, in a circle, does not know all that it does.
        found[folder] = one._replace(is_plain=False)
        inside = sorted(path for path in one.components if path in known) if depth < _MOST_DEEP else []
        parts = [whole(path, depth + 1) for path in inside]
        added = sum(len(part.labels) + len(part.annotations) for part in parts)
        if not budget.grants(folder, steps=added * (1 + len(one.altering)) + sum(len(part.altering) for part in parts)):
            found[folder] = one._replace(is_plain=False, altering=(UNKNOWN,))
            return found[folder]
        altering = tuple(each for part in parts for each in part.altering)
        own = one.altering
        for part in parts:
            own = _inside(own, part)
        if not one.namespace:  # A component sets its namespace on all that was read before, then the rest is done.
            setting = next((part for part in reversed(parts) if part.namespace), one)
            one = one._replace(namespace=setting.namespace, place=setting.place)
        found[folder] = one._replace(
            is_plain=is_plain and len(parts) == len(one.components) and all(part.is_plain for part in parts),
            altering=bounded(altering + own),
            labels=tuple(pair for each in (*parts, one) for pair in each.labels),
            annotations=tuple(pair for each in (*parts, one) for pair in each.annotations),
            retargets=one.retargets or any(part.retargets for part in parts),
        )
        return found[folder]

    return [whole(folder) for folder in known]


def _transformed(
    known: Mapping[str, Kustomization], kustomizations: Sequence[Kustomization], budget: Budget
) -> dict[str, Kustomization]:
    """Return kustomizations by their folders, with the namespaces that their transformers set."""
    from .transformer import Transformers

    transformers = Transformers(known, kustomizations, budget)
    return {folder: transformers.applied_to(one) for folder, one in known.items()}


def _placement(ways: set[_Way]) -> Placement | None:
    """Return where a file goes by its ways; ``None`` where they say nothing about it."""
    if all(way.namespace is None and way.default is None and not way.delivery for way in ways):
        return None
    by_root: dict[str, list[_Way]] = {}
    for way in sorted(ways, key=_order):
        by_root.setdefault(way.root if way.delivery else "", []).append(way)
    found: dict[tuple[str | None, str, str, tuple[Alteration, ...]], Way] = {}
    for root, own in by_root.items():
        for one in _of_root(root, own):
            # Sorted: of two places that state one namespace the first stays.
            key = (one.namespace, one.root, one.delivery, one.filling)
            same = found.setdefault(key, one)
            if same.is_plain and not one.is_plain:
                found[key] = same._replace(is_plain=False)
    ordered = sorted(found.values(), key=lambda one: (one.namespace or "", one.root, one.delivery))
    return Placement(tuple(ordered))


def _of_root(root: str, ways: Iterable[_Way]) -> list[Way]:
    """Return the ways from one root: where some state a namespace and others none, or a placeholder, it is unknown."""
    found = [
        Way(
            way.namespace or way.default,
            root,
            way.delivery,
            way.is_plain,
            place=way.place,
            filling=way.filling,
            overrides=bool(way.namespace),
        )
        for way in ways
    ]
    namespaces = {one.namespace for one in found}
    if namespaces == {None} or not any(one in {None, _ANYWHERE} or is_placeholder(one or "") for one in namespaces):
        return found
    return [one._replace(namespace=None, is_plain=False, is_unknown=True, place=None) for one in found]


def _order(way: _Way) -> tuple[str, str, tuple[object, ...], bool, str]:
    """Return what ways are sorted by: where they begin, and the place that decides."""
    place = () if way.place is None else (way.place.key,)
    return way.root, way.delivery, place, way.is_plain, way.namespace or way.default or ""


def _ways(known: Mapping[str, Kustomization], budget: Budget) -> dict[str, set[_Way]]:
    """Return for each kustomization the ways in which what it lists is taken."""
    found: dict[str, set[_Way]] = {}
    for start in starts(known, found):
        waiting: deque[tuple[str, set[_Way]]] = deque([(start, {_Way(root=root_of(start, known))})])
        while waiting:
            folder, outer = waiting.popleft()
            one = known[folder]
            own = found.setdefault(folder, set())
            if _TOO_MANY in own:
                continue
            if budget.grants(folder, steps=len(one.listed) + sum(way.steps_through(one) for way in outer)):
                new = {way.through(one) for way in outer} - own
            else:
                own.clear()
                new = {_TOO_MANY}
            if not new:
                continue
            own |= new
            if _bound(own):
                new = set(own)
            waiting.extend((path, new) for path in sorted(one.listed) if path in known)
    return found


def _bound(ways: set[_Way]) -> bool:
    """Replace too many ways by fewer that say less; return whether they were too many."""
    if len(ways) <= _MOST_NAMESPACES or _TOO_MANY in ways:
        return False
    if len({(way.namespace, way.default) for way in ways}) > _MOST_NAMESPACES:
        fewer = {_TOO_MANY}
    elif len(ways) > _MOST_WAYS:
        fewer = {way._replace(place=None, root="", delivery="", filling=(), altering=()) for way in ways}
    else:
        return False
    ways.clear()
    ways |= fewer
    return True
