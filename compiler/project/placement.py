"""How files are applied: the chains of kustomizations and controllers' objects that lead to them, and the namespaces.

A chain begins at a kustomization that no other lists. It leads over what this one lists to a file. Flux and Argo CD
objects are links of a chain like kustomizations; what they apply goes into the cluster apart from what lists them.
"""

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
"""A file that goes into more namespaces has an unknown one, as each makes copies of all resources of the file."""
_MOST_ROOTS: Final = 32
"""Files reached from more roots than this keep only the first ones, so they are not grouped with the rest."""
_MOST_CHAINS: Final = 64
"""Of more chains to one file the roots and the controllers' objects are dropped, which makes them fewer."""
_MOST_DEEP: Final = 32
"""Levels of components in components; the effect of deeper ones is unknown."""
_ANYWHERE: Final = "*"
_TEXTS: Final = (".yaml", ".yml", ".json")


class _Chain(NamedTuple):
    """What a chain does to the resources that it leads to, as far as it has been followed.

    Attributes:
        namespace: The namespace that it sets; ``None`` if it sets none.
        is_plain: Whether it leaves resources as they are written.
        default: The namespace of resources for which nothing else states one.
        place: The place that states the namespace, or the default.
        retargets: Whether the namespace is also that of what controllers' objects on the chain apply.
        root: The start of the chain, as `kustomization.root_of` returns it.
        delivery: The last object of a controller on it, by its ``folder``; empty if it has none.
        variable_changes: What patches make of the values that this object puts in place of variables.
        altering: What patches after this object make of Kustomizations of Flux, inner ones first.
    """

    namespace: str | None = None
    is_plain: bool = True
    default: str | None = None
    place: Place | None = None
    retargets: bool = False
    root: str = ""
    delivery: str = ""
    variable_changes: tuple[Alteration, ...] = ()
    alterations: tuple[Alteration, ...] = ()

    def cost(self, link: Kustomization) -> int:
        """Return how many steps `extended` takes: each patch gets the labels that the kustomization adds."""
        marks = 1 + len(link.labels) + len(link.annotations)
        return (
            1
            + len(link.alterations)
            + sum(marks + len(each.added_labels) + len(each.added_annotations) for each in self.alterations)
        )

    def extended(self, link: Kustomization) -> _Chain:
        """Return the chain to what ``link`` lists, if this chain leads to ``link``.

        An outer kustomization sets its namespace last, so it wins over those that it lists. What a controller applies
        is not touched by the kustomizations that list the controller's object.
        """
        if link.applied_by:
            return self._continued_by_controller(link)
        decides = not self.namespace and bool(link.namespace)
        return self._replace(
            namespace=self.namespace or link.namespace,
            is_plain=self.is_plain and link.is_plain,
            default=link.default_namespace or self.default,
            place=link.place if decides or (link.default_namespace and not self.namespace) else self.place,
            retargets=self.retargets or link.retargets,
            alterations=bounded(link.alterations + _relabeled(self.alterations, link)),
        )

    def _continued_by_controller(self, link: Kustomization) -> _Chain:
        """Return the chain to what a controller's object applies, if this chain leads to the object."""
        chain = _Chain(
            link.namespace,
            link.is_plain,
            link.default_namespace,
            link.place,
            root=self.root,
            delivery=link.folder,
            alterations=link.alterations,
        )
        if not link.object_name:  # of Argo CD: no patch of Flux is for it
            return chain
        if self.retargets and self.namespace:
            chain = chain._replace(namespace=self.namespace, place=self.place, retargets=True)
        alterations = [*link.self_alterations, *_alterations_for(link, self.alterations)]
        for alteration in alterations:
            chain = chain._replace(is_plain=chain.is_plain and alteration.is_plain)
            if alteration.namespace:
                chain = chain._replace(namespace=alteration.namespace, place=alteration.place)
        variable_changes = tuple(alteration for alteration in alterations if alteration.changes_variables)
        # A patch whose content is unknown may add variables, too.
        return chain._replace(
            variable_changes=variable_changes if self.is_plain else bounded((*variable_changes, MORE))
        )


def _alterations_for(link: Kustomization, altering: Iterable[Alteration]) -> Iterator[Alteration]:
    """Yield the patches that are for an object of Flux, and ``UNKNOWN`` for each that may be for it."""
    is_marked = False
    for alteration in altering:
        is_target = alteration.targets(link.object_name, link.labels, link.annotations)
        if is_marked and (alteration.label_selector or alteration.annotation_selector):
            is_target = (
                None
                if alteration._replace(label_selector="", annotation_selector="").targets(link.object_name)
                else False
            )
        if is_target is None:
            yield UNKNOWN
        elif is_target:
            yield alteration
            is_marked = is_marked or alteration.changes_metadata


def _relabeled(altering: tuple[Alteration, ...], link: Kustomization) -> tuple[Alteration, ...]:
    """Return patches as they select what a kustomization lists, which has its labels and annotations."""
    if not (link.labels or link.annotations):
        return altering
    return tuple(each.after_adding(link.labels, link.annotations) for each in altering)


_TOO_MANY: Final = _Chain(_ANYWHERE, is_plain=False)


class Route(NamedTuple):
    """The outcome of one or more chains: how the resources of a file are applied.

    Attributes:
        namespace: The namespace of resources that state none; ``None`` if nothing states one, or it is unknown.
        root: The start of the chain if a controller applies them; else empty.
        delivery: The controller's object that applies them, as `delivery.as_kustomizations` calls it.
        is_plain: Whether they are applied as they are written, without a patch or another name.
        is_unknown: Whether something states a namespace, but it is unknown which.
        place: The place that states the namespace, if any.
        variable_changes: What patches make of the values that ``delivery`` puts in place of variables.
        overrides: Whether the namespace, or the unknown one, is also that of resources that state another one, as
            kustomize sets its namespace on all.
    """

    namespace: str | None = None
    root: str = ""
    delivery: str = ""
    is_plain: bool = True
    is_unknown: bool = False
    place: Place | None = None
    variable_changes: tuple[Alteration, ...] = ()
    overrides: bool = False

    def namespace_of(self, stated: str | None) -> str | None:
        """Return the namespace of a resource; ``stated`` is the one that its document states, if any."""
        return self.namespace if self.overrides else stated or self.namespace


class Placement(NamedTuple):
    """All routes of a file.

    Attributes:
        routes: At least one, sorted by namespace.
    """

    routes: tuple[Route, ...]

    @property
    def roots(self) -> tuple[str, ...]:
        """The starts of the chains by which controllers apply the file, sorted."""
        return tuple(sorted({route.root for route in self.routes} - {""}))


UNKNOWN_PLACEMENT: Final = Placement((Route(is_plain=False, is_unknown=True),))


def placements(kustomizations: Iterable[Kustomization], budget: Budget) -> dict[str, Placement]:
    """Return how the files that kustomizations list are applied; the outermost namespace wins.

    A file is left out if neither its namespace nor the object that applies it is stated.

    Args:
        kustomizations: All kustomizations of a project.
        budget: The budget of the project. Files for which it is too small go into an unknown namespace.
    """
    links = by_folder(kustomizations)
    chains_to = _chains_to_lists(links, budget)
    by_file: dict[str, set[_Chain]] = {}
    for folder, link in links.items():
        new = chains_to.get(folder, set())
        # Subtracting the keys would go through all kustomizations for each.
        for path in sorted(path for path in link.listed if path not in links):
            chains = by_file.setdefault(path, set())
            if budget.grants(folder, steps=1 + len(new) * (1 + len(chains) // 4)):  # pairs of clusters are made of them
                chains |= new
                _bound(chains)
            else:
                by_file[path] = {_TOO_MANY}
    placed = {path: _placement(chains) for path, chains in sorted(by_file.items())}
    return {path: placement for path, placement in placed.items() if placement is not None}


def roots_of(kustomizations: Iterable[Kustomization], budget: Budget) -> dict[str, tuple[str, ...]]:
    """Return the roots of each file that kustomizations list: the starts of all chains that lead to it, sorted.

    Roots for which the budget is too small are left out.
    """
    links = by_folder(kustomizations)
    roots_by_path: dict[str, list[str]] = {}
    for start in starts(links, roots_by_path):
        root = root_of(start, links)
        waiting = [start]
        while waiting:
            path = waiting.pop()
            roots = roots_by_path.setdefault(path, [])
            if root not in roots and len(roots) < _MOST_ROOTS:
                listed = sorted(links[path].listed) if path in links else []
                if budget.grants(path, steps=1 + len(listed)):
                    roots.append(root)
                    waiting += listed
    return {path: tuple(sorted(roots)) for path, roots in roots_by_path.items() if path not in links}


def with_components(kustomizations: Sequence[Kustomization], budget: Budget) -> list[Kustomization]:
    """Return kustomizations that also do what their components do to all that they list.

    A kustomization is not plain if a component, or a listed folder, is not among the files. If the budget is too small
    for its components, what its patches do is unknown.
    """
    links = by_folder(kustomizations)
    if any(link.transformers for link in links.values()):
        links = _transformed(links, kustomizations, budget)
    merged: dict[str, Kustomization] = {}

    def merge(folder: str, depth: int = 0) -> Kustomization:
        if folder in merged:
            return merged[folder]
        link = links[folder]
        is_plain = link.is_plain and all(path in links or path.endswith(_TEXTS) for path in link.listed)
        # In a circle of components, what this one does is not all known yet.
        merged[folder] = link._replace(is_plain=False)
        inner = sorted(path for path in link.components if path in links) if depth < _MOST_DEEP else []
        parts = [merge(path, depth + 1) for path in inner]
        added = sum(len(part.labels) + len(part.annotations) for part in parts)
        cost = added * (1 + len(link.alterations)) + sum(len(part.alterations) for part in parts)
        if not budget.grants(folder, steps=cost):
            merged[folder] = link._replace(is_plain=False, alterations=(UNKNOWN,))
            return merged[folder]
        altering = link.alterations
        for part in parts:
            altering = _relabeled(altering, part)
        if not link.namespace:  # A component sets its namespace on all that was read before, then the rest is done.
            setting = next((part for part in reversed(parts) if part.namespace), link)
            link = link._replace(namespace=setting.namespace, place=setting.place)
        merged[folder] = link._replace(
            is_plain=is_plain and len(parts) == len(link.components) and all(part.is_plain for part in parts),
            alterations=bounded((*(each for part in parts for each in part.alterations), *altering)),
            labels=tuple(pair for each in (*parts, link) for pair in each.labels),
            annotations=tuple(pair for each in (*parts, link) for pair in each.annotations),
            retargets=link.retargets or any(part.retargets for part in parts),
        )
        return merged[folder]

    return [merge(folder) for folder in links]


def _transformed(
    links: Mapping[str, Kustomization], kustomizations: Sequence[Kustomization], budget: Budget
) -> dict[str, Kustomization]:
    """Return kustomizations by their folders, with the namespaces that their transformers set."""
    from .transformer import Transformers

    transformers = Transformers(links, kustomizations, budget)
    return {folder: transformers.applied_to(link) for folder, link in links.items()}


def _placement(chains: set[_Chain]) -> Placement | None:
    """Return the placement of a file to which some chains lead; ``None`` if they say nothing about it."""
    if all(chain.namespace is None and chain.default is None and not chain.delivery for chain in chains):
        return None
    by_root: dict[str, list[_Chain]] = {}
    for chain in sorted(chains, key=_sort_key):
        by_root.setdefault(chain.root if chain.delivery else "", []).append(chain)
    routes: dict[tuple[str | None, str, str, tuple[Alteration, ...]], Route] = {}
    for root, of_root in by_root.items():
        for route in _routes_from(root, of_root):
            # Sorted: of two places that state one namespace the first stays.
            key = (route.namespace, route.root, route.delivery, route.variable_changes)
            first = routes.setdefault(key, route)
            if first.is_plain and not route.is_plain:
                routes[key] = first._replace(is_plain=False)
    ordered = sorted(routes.values(), key=lambda route: (route.namespace or "", route.root, route.delivery))
    return Placement(tuple(ordered))


def _routes_from(root: str, chains: Iterable[_Chain]) -> list[Route]:
    """Return the routes of the chains from one root.

    The namespace is unknown if only some chains state one, or if one of them is a placeholder.
    """
    routes = [
        Route(
            chain.namespace or chain.default,
            root,
            chain.delivery,
            chain.is_plain,
            place=chain.place,
            variable_changes=chain.variable_changes,
            overrides=bool(chain.namespace),
        )
        for chain in chains
    ]
    namespaces = {route.namespace for route in routes}
    if namespaces == {None} or not any(name in {None, _ANYWHERE} or is_placeholder(name or "") for name in namespaces):
        return routes
    return [route._replace(namespace=None, is_plain=False, is_unknown=True, place=None) for route in routes]


def _sort_key(chain: _Chain) -> tuple[str, str, tuple[object, ...], bool, str]:
    """Return the key by which chains are sorted: their starts, then the places that decide the namespace."""
    place = () if chain.place is None else (chain.place.key,)
    return chain.root, chain.delivery, place, chain.is_plain, chain.namespace or chain.default or ""


def _chains_to_lists(links: Mapping[str, Kustomization], budget: Budget) -> dict[str, set[_Chain]]:
    """Return the chains to what each kustomization lists, by the folder of the kustomization."""
    chains_to: dict[str, set[_Chain]] = {}
    for start in starts(links, chains_to):
        waiting: deque[tuple[str, set[_Chain]]] = deque([(start, {_Chain(root=root_of(start, links))})])
        while waiting:
            folder, outer = waiting.popleft()
            link = links[folder]
            chains = chains_to.setdefault(folder, set())
            if _TOO_MANY in chains:
                continue
            if budget.grants(folder, steps=len(link.listed) + sum(chain.cost(link) for chain in outer)):
                new = {chain.extended(link) for chain in outer} - chains
            else:
                chains.clear()
                new = {_TOO_MANY}
            if not new:
                continue
            chains |= new
            if _bound(chains):
                new = set(chains)
            waiting.extend((path, new) for path in sorted(link.listed) if path in links)
    return chains_to


def _bound(chains: set[_Chain]) -> bool:
    """Replace too many chains by fewer that say less; return whether they were too many."""
    if len(chains) <= _MOST_NAMESPACES or _TOO_MANY in chains:
        return False
    if len({(chain.namespace, chain.default) for chain in chains}) > _MOST_NAMESPACES:
        fewer = {_TOO_MANY}
    elif len(chains) > _MOST_CHAINS:
        fewer = {
            chain._replace(place=None, root="", delivery="", variable_changes=(), alterations=()) for chain in chains
        }
    else:
        return False
    chains.clear()
    chains |= fewer
    return True
