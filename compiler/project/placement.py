"""Compute the kustomizations and deliveries that apply each file, and the namespaces of its resources.

A chain starts at a kustomization that no other kustomization lists and follows the lists down to a file. Deliveries are
links of a chain, too. A delivery applies its files on its own, so links above it change its object but not the files.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.placeholder import is_placeholder
from .alteration import MORE_VARIABLES, UNKNOWN, bounded
from .kustomization import by_folder, chain_starts, root_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ..diagnostics.budget import Budget
    from ..reading.document import Place
    from .alteration import Alteration
    from .kustomization import Kustomization

_MOST_NAMESPACES: Final = 32
"""Maximum number of namespaces of a file; beyond it, the namespace is unknown. All resources are copied for each."""
_MOST_ROOTS: Final = 32
"""Maximum number of roots that are kept for a file, because files are compared by their roots.

Files reached from more roots keep only the first ones, so they are not grouped with the rest.
"""
_MOST_CHAINS: Final = 64
"""Maximum number of chains to a file. Of more chains, roots and deliveries are dropped, so that many become equal."""
_MOST_DEEP: Final = 32
"""Maximum depth of components in components, which are merged recursively. The effect of deeper ones is unknown."""
_ANYWHERE: Final = "*"
_TEXTS: Final = (".yaml", ".yml", ".json")
"""Suffixes of listed files. Other listed paths are folders."""


class _Chain(NamedTuple):
    """The combined effect of the first links of a chain on the files that the chain leads to.

    Attributes:
        is_plain: False if resources are changed in other ways, such as by a patch or a prefix.
        default: Namespace of resources for which nothing else states one.
        place: Place that states the namespace or the default.
        retargets: True if the next Flux Kustomization on the chain gets the namespace as ``targetNamespace``.
        root: Start of the chain; see `kustomization.root_of`.
        delivery: ``folder`` of the last delivery on the chain; empty if there is none.
        variable_changes: Patches that change the variables of the object in ``delivery``.
        alterations: Patches for Flux Kustomizations further down the chain, inner ones first.
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
        added_pairs = 1 + len(link.labels) + len(link.annotations)
        return (
            1
            + len(link.alterations)
            + sum(
                added_pairs + len(alteration.added_labels) + len(alteration.added_annotations)
                for alteration in self.alterations
            )
        )

    def extended(self, link: Kustomization) -> _Chain:
        """Return this chain extended by a kustomization or delivery that the last link lists.

        The namespace of an outer kustomization wins, because it is set last. A delivery applies its files on its own,
        so outer kustomizations do not change these files.
        """
        if link.applied_by:
            return self.through_delivery(link)
        decides = not self.namespace and bool(link.namespace)
        return self._replace(
            namespace=self.namespace or link.namespace,
            is_plain=self.is_plain and link.is_plain,
            default=link.default_namespace or self.default,
            place=link.place if decides or (link.default_namespace and not self.namespace) else self.place,
            retargets=self.retargets or link.retargets,
            alterations=bounded(link.alterations + _relabeled(self.alterations, link)),
        )

    def through_delivery(self, link: Kustomization) -> _Chain:
        """Return this chain extended by a delivery. Patches that target its object change what it applies."""
        chain = _Chain(
            link.namespace,
            link.is_plain,
            link.default_namespace,
            link.place,
            root=self.root,
            delivery=link.folder,
            alterations=link.alterations,
        )
        if not link.object_name:  # An Argo CD Application, which no patch for Flux targets.
            return chain
        if self.retargets and self.namespace:
            chain = chain._replace(namespace=self.namespace, place=self.place, retargets=True)
        alterations = [*link.self_alterations, *_alterations_for(link, self.alterations)]
        for alteration in alterations:
            chain = chain._replace(is_plain=chain.is_plain and alteration.is_plain)
            if alteration.namespace:
                chain = chain._replace(namespace=alteration.namespace, place=alteration.place)
        variable_changes = tuple(alteration for alteration in alterations if alteration.changes_variables)
        # On such a chain, a patch with unknown content may add variables, too.
        return chain._replace(
            variable_changes=variable_changes if self.is_plain else bounded((*variable_changes, MORE_VARIABLES))
        )


def _alterations_for(link: Kustomization, alterations: Iterable[Alteration]) -> Iterator[Alteration]:
    """Yield the patches that target a Flux Kustomization, and ``UNKNOWN`` for each that may target it."""
    has_new_labels = False
    for alteration in alterations:
        is_target = alteration.targets(link.object_name, link.labels, link.annotations)
        # An earlier patch has changed labels or annotations, so it is not known what this one selects.
        if has_new_labels and (alteration.label_selector or alteration.annotation_selector):
            is_target = (
                None
                if alteration._replace(label_selector="", annotation_selector="").targets(link.object_name)
                else False
            )
        if is_target is None:
            yield UNKNOWN
        elif is_target:
            yield alteration
            has_new_labels = has_new_labels or alteration.changes_metadata


def _relabeled(alterations: tuple[Alteration, ...], link: Kustomization) -> tuple[Alteration, ...]:
    if not (link.labels or link.annotations):
        return alterations
    return tuple(alteration.after_adding(link.labels, link.annotations) for alteration in alterations)


_TOO_MANY: Final = _Chain(_ANYWHERE, is_plain=False)
"""Stands for all chains of a file that has too many chains: the namespace of the file is unknown."""


class DeliveryRoute(NamedTuple):
    """The namespace and the delivery that one or more chains with equal effects give to the resources of a file.

    Attributes:
        namespace: Namespace of resources that state none; ``None`` if nothing states one, or if it is unknown.
        root: Start of the chain if a delivery applies the file; otherwise empty.
        delivery: ``folder`` of the delivery that applies the file; empty if there is none.
        is_plain: True if the resources are applied as they are written, without patches or other names.
        is_unknown: True if the chains state a namespace, but its name is unknown.
        variable_changes: Patches that change the variables that ``delivery`` fills in.
        overrides: True if the namespace, known or not, also replaces a namespace that a resource states. Kustomize does
            this; a default does not.
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
        """Return the namespace that a resource gets, or ``None`` if it is unknown or nothing states one.

        ``stated`` is the namespace in the document of the resource, if any.
        """
        return self.namespace if self.overrides else stated or self.namespace


class Placement(NamedTuple):
    """All routes of a file.

    Attributes:
        routes: One or more routes, sorted by namespace.
    """

    routes: tuple[DeliveryRoute, ...]

    @property
    def roots(self) -> tuple[str, ...]:
        """The starts of all chains on which a delivery applies the file, sorted."""
        return tuple(sorted({route.root for route in self.routes} - {""}))


UNKNOWN_PLACEMENT: Final = Placement((DeliveryRoute(is_plain=False, is_unknown=True),))


def placements(kustomizations: Iterable[Kustomization], budget: Budget) -> dict[str, Placement]:
    """Return the placement of each file that a kustomization lists, by path. The outermost namespace wins.

    Files for which no chain states a namespace or contains a delivery are left out.

    Args:
        kustomizations: All kustomizations of a project, including those that stand for deliveries.
        budget: Budget of the project. If it is too small for a file, the namespace of the file is unknown.
    """
    links = by_folder(kustomizations)
    chains_to = _chains_to_lists(links, budget)
    by_file: dict[str, set[_Chain]] = {}
    for folder, link in links.items():
        outer_chains = chains_to.get(folder, set())
        # `listed - links.keys()` would go through all kustomizations for each kustomization.
        for path in sorted(path for path in link.listed if path not in links):
            chains = by_file.setdefault(path, set())
            # The clusters of a file are compared in pairs later, so a file with more chains costs more for each.
            if budget.grants(folder, steps=1 + len(outer_chains) * (1 + len(chains) // 4)):
                chains |= outer_chains
                _reduce_chains(chains)
            else:
                by_file[path] = {_TOO_MANY}
    placements_by_file = {path: _placement(chains) for path, chains in sorted(by_file.items())}
    return {path: placement for path, placement in placements_by_file.items() if placement is not None}


def roots_of(kustomizations: Iterable[Kustomization], budget: Budget) -> dict[str, tuple[str, ...]]:
    """Return the starts of all chains to each file that a kustomization lists, sorted.

    Starts beyond the maximum for a file, and those for which the budget is too small, are left out.
    """
    links = by_folder(kustomizations)
    roots_by_path: dict[str, list[str]] = {}
    for start in chain_starts(links, roots_by_path):
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
    """Return the kustomizations with the effects of their components and transformers.

    A kustomization is not plain if a component or a listed folder is not among the files. If the budget is too small
    for its components, the effect of its patches is unknown.
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
        # A component may list this kustomization again. It then finds this preliminary result, and the recursion ends.
        merged[folder] = link._replace(is_plain=False)
        inner = sorted(path for path in link.components if path in links) if depth < _MOST_DEEP else []
        parts = [merge(path, depth + 1) for path in inner]
        added = sum(len(part.labels) + len(part.annotations) for part in parts)
        cost = added * (1 + len(link.alterations)) + sum(len(part.alterations) for part in parts)
        if not budget.grants(folder, steps=cost):
            merged[folder] = link._replace(is_plain=False, alterations=(UNKNOWN,))
            return merged[folder]
        alterations = link.alterations
        for part in parts:
            alterations = _relabeled(alterations, part)
        # Kustomize first accumulates resources and components, in which each component sets its namespace, and then
        # does what the kustomization itself states.
        if not link.namespace:
            last = next((part for part in reversed(parts) if part.namespace), link)
            link = link._replace(namespace=last.namespace, place=last.place)
        merged[folder] = link._replace(
            is_plain=is_plain and len(parts) == len(link.components) and all(part.is_plain for part in parts),
            alterations=bounded((*(alteration for part in parts for alteration in part.alterations), *alterations)),
            labels=tuple(pair for owner in (*parts, link) for pair in owner.labels),
            annotations=tuple(pair for owner in (*parts, link) for pair in owner.annotations),
            retargets=link.retargets or any(part.retargets for part in parts),
        )
        return merged[folder]

    return [merge(folder) for folder in links]


def _transformed(
    links: Mapping[str, Kustomization], kustomizations: Sequence[Kustomization], budget: Budget
) -> dict[str, Kustomization]:
    from .transformer import Transformers

    transformers = Transformers(links, kustomizations, budget)
    return {folder: transformers.applied_to(link) for folder, link in links.items()}


def _placement(chains: set[_Chain]) -> Placement | None:
    """Return the placement of a file, or ``None`` if its chains have neither a namespace nor a delivery."""
    if all(chain.namespace is None and chain.default is None and not chain.delivery for chain in chains):
        return None
    by_root: dict[str, list[_Chain]] = {}
    for chain in sorted(chains, key=_sort_key):
        by_root.setdefault(chain.root if chain.delivery else "", []).append(chain)
    routes: dict[tuple[str | None, str, str, tuple[Alteration, ...]], DeliveryRoute] = {}
    for root, root_chains in by_root.items():
        for route in _routes_from(root, root_chains):
            # The chains are sorted, so of two places that state the same namespace always the same one stays.
            key = (route.namespace, route.root, route.delivery, route.variable_changes)
            first = routes.setdefault(key, route)
            if first.is_plain and not route.is_plain:
                routes[key] = first._replace(is_plain=False)
    ordered = sorted(routes.values(), key=lambda route: (route.namespace or "", route.root, route.delivery))
    return Placement(tuple(ordered))


def _routes_from(root: str, chains: Iterable[_Chain]) -> list[DeliveryRoute]:
    """Return the routes of all chains with the same root.

    The namespace is unknown if one of the chains states none while others do, or if one of the namespaces is a
    placeholder or unknown.
    """
    routes = [
        DeliveryRoute(
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
    place = () if chain.place is None else (chain.place.key,)
    return chain.root, chain.delivery, place, chain.is_plain, chain.namespace or chain.default or ""


def _chains_to_lists(links: Mapping[str, Kustomization], budget: Budget) -> dict[str, set[_Chain]]:
    """Return the chains that end at each kustomization, by the folder of the kustomization."""
    chains_to: dict[str, set[_Chain]] = {}
    for start in chain_starts(links, chains_to):
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
            if _reduce_chains(chains):
                new = set(chains)
            waiting.extend((path, new) for path in sorted(link.listed) if path in links)
    return chains_to


def _reduce_chains(chains: set[_Chain]) -> bool:
    """Reduce the chains to a file if there are too many, and return whether they were reduced.

    The set is changed in place. Places, roots and patches are dropped, so equal chains merge. If there are too many
    namespaces, only ``_TOO_MANY`` remains.
    """
    if len(chains) <= _MOST_NAMESPACES or _TOO_MANY in chains:
        return False
    if len({(chain.namespace, chain.default) for chain in chains}) > _MOST_NAMESPACES:
        reduced = {_TOO_MANY}
    elif len(chains) > _MOST_CHAINS:
        reduced = {
            chain._replace(place=None, root="", delivery="", variable_changes=(), alterations=()) for chain in chains
        }
    else:
        return False
    chains.clear()
    chains |= reduced
    return True
