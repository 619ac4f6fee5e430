"""What rules found, as plain data, in the cache or from another process; and what of it still stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from mcpcfg.compiler.reading.placeholder import is_placeholder
from mcpcfg.validators.engine import is_cautious
from mcpcfg.validators.recall import ALL, Recall, Verdict, bears_on, unknown_key

from .stored import pack_findings, unpack_findings

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from mcpcfg.compiler.resource import Resource
    from mcpcfg.validators.recall import Watched

    from .facts import Facts
    from .stored import Plain

_Rows: TypeAlias = "Sequence[tuple[Resource, Sequence[tuple[str, str]]]]"
"""Resources, each with kind and name of what it names."""


def remember(
    recall: Recall, workspace: Watched, found: Sequence[Facts], touched: Container[str] | None = None
) -> Plain:
    """Give the verdicts of this time, as plain data: about all files, or those that are ``touched``."""
    present = _present(workspace)
    files = {
        facts.file: tuple([(_standing(one, present), _pack(recall.verdicts.get(id(one)))) for one in facts.resources])
        for facts in found
        if facts.resources and (touched is None or facts.file in touched)
    }
    surveys = {name: _pack(verdict) for name, verdict in recall.surveys.items()}
    return _basis(workspace), files, surveys


def touched(recall: Recall, found: Sequence[Facts], known: Container[str]) -> set[str]:
    """Give the files about which something is to be remembered that was not ``known``."""
    return {
        facts.file
        for facts in found
        if facts.file not in known
        or any(id(one) in recall.judged or id(one) in recall.moved for one in facts.resources)
    }


def recollect(memory: Any, workspace: Watched, found: Sequence[Facts], stale: Sequence[Plain]) -> Recall:
    """Give what still stands of the verdicts of last time.

    Args:
        memory: What `remember` gave, ``None`` where there is nothing.
        workspace: What the rules look at now.
        found: The facts of now.
        stale: The facts, as plain data, of files that have changed or gone since.
    """
    if memory is None or memory[0] != _basis(workspace):
        return Recall(workspace)
    changed: set[str] = set()
    for file, _, _, resources, *_ in stale:
        for one, (standing, _) in zip(resources, memory[1].get(file, ()), strict=True):
            changed |= bears_on(one[1], standing[0] if standing else one[3], one[2], one[7])
    gone = {facts[0] for facts in stale}
    verdicts = {file: one for file, one in memory[1].items() if file not in gone}
    moved: set[int] = set()
    known = _known(verdicts, _present(workspace), found, changed, moved)
    surveys = {name: _unpack(one) for name, one in memory[2].items()}
    return Recall(workspace, known, surveys=surveys, changed=changed, moved=moved)


def rejoin(memories: Sequence[Plain], workspace: Watched, found: Sequence[Facts]) -> Recall:
    """Give what stands of verdicts that were found about parts of the workspace, each as if there were no other.

    Args:
        memories: What `remember` gave of each part.
        workspace: What the rules look at: all parts.
        found: The facts of all.
    """
    parts = {file: part for part, memory in enumerate(memories) for file in memory[1]}
    own: list[list[Facts]] = [[] for _ in (*memories, None)]  # the last: of files that belong to no part
    for facts in found:
        if facts.resources:
            own[parts.get(facts.file, -1)].append(facts)
    bearing = _bearing_across(own)
    changed: set[str] = set()
    known: dict[int, Verdict] = {}
    doubtful: set[int] = set()
    basis, present = _basis(workspace), _present(workspace)
    for part, memory in enumerate(memories):
        of_part = _known(memory[1], present, own[part], changed, set())
        known |= of_part
        if memory[0] != basis:
            doubtful.update(of_part)
            continue
        foreign = set().union(*bearing[:part], *bearing[part + 1 :])
        doubtful.update([identity for identity, verdict in of_part.items() if not foreign.isdisjoint(verdict.keys)])
    return Recall(workspace, known, doubtful, changed=changed)


def _bearing_across(parts: Sequence[Sequence[Facts]]) -> list[set[str]]:
    """Give for each part the keys that its resources bear on, as far as other parts may ask for them.

    But for keys of whole kinds these are about names that occur in several parts: most names do not. Where all
    resources have a namespace, a name is another in each, but for who asks why nothing is found.
    """
    of_parts = [[(one, one.targets) for facts in part for one in facts.resources] for part in parts]
    tells_namespaces = all(one.namespace is not None for rows in of_parts for one, _ in rows)
    mentioned = _names_in_namespaces if tells_namespaces else _names
    shared_names = _shared(map(_names, of_parts))
    shared = _shared(map(mentioned, of_parts)) if tells_namespaces else shared_names
    bearing: list[set[str]] = []
    for rows in of_parts:
        keys = {f"{kind}/*" for kind in {one.kind for one, _ in rows}}
        keys.update([f"*/{one.name}" for one, _ in rows if one.name in shared_names])
        keys.update([unknown_key(kind) for _, targets in rows for kind, name in targets if is_placeholder(name)])
        for row in rows if shared else ():
            if not shared.isdisjoint(mentioned([row])):
                one = row[0]
                keys |= bears_on(one.kind, one.namespace, one.name, one.named)
        bearing.append(keys | {ALL} if keys else keys)
    return bearing


def _names(rows: _Rows) -> Iterator[str]:
    """Yield the names of resources, and those that they give."""
    for one, targets in rows:
        yield one.name
        for _, name in targets:
            yield name


def _names_in_namespaces(rows: _Rows) -> Iterator[str]:
    for one, targets in rows:
        namespace = one.namespace
        yield f"{namespace}/{one.name}"
        for _, name in targets:
            yield f"{namespace}/{name}"


def _shared(parts: Iterable[Iterable[str]]) -> set[str]:
    """Give what occurs in more than one part."""
    seen: set[str] = set()
    shared: set[str] = set()
    for part in parts:
        own = set(part)
        shared |= seen & own
        seen |= own
    return shared


def _known(
    verdicts: Mapping[str, Any], present: frozenset[int], found: Sequence[Facts], changed: set[str], moved: set[int]
) -> dict[int, Verdict]:
    """Give the verdicts about the resources of ``found``.

    ``changed`` takes the keys of those about which other files now decide otherwise, ``moved`` who they are.
    """
    known: dict[int, Verdict] = {}
    for facts in found:
        of_file = verdicts.get(facts.file)
        if of_file is None:
            for resource in facts.resources:
                changed |= bears_on(resource.kind, resource.namespace, resource.name, resource.named)
            continue
        for resource, (standing, verdict) in zip(facts.resources, of_file, strict=True):
            if _standing(resource, present) != standing:
                moved.add(id(resource))
                for namespace in {resource.namespace, standing[0] if standing else resource.namespace}:
                    changed |= bears_on(resource.kind, namespace, resource.name, resource.named)
            if verdict is not None:
                known[id(resource)] = _unpack(verdict)
    return known


def _present(workspace: Watched) -> frozenset[int]:
    return frozenset(map(id, workspace.resources))


def _standing(resource: Resource, present: frozenset[int]) -> tuple[str | None, bool] | None:
    """Give what other files decide about a resource; ``None`` where they make it a part of another."""
    return (resource.namespace, resource.admitted) if id(resource) in present else None


def _pack(verdict: Verdict | None) -> tuple[Any, ...] | None:
    if verdict is None:
        return None
    findings = pack_findings(verdict.findings) if verdict.findings else ()
    return tuple(verdict.keys), findings, verdict.refused, dict(verdict.notes) or None


def _unpack(plain: Sequence[Any]) -> Verdict:
    keys, findings, refused, notes = plain
    return Verdict(keys, unpack_findings(findings) if findings else [], refused, notes or {})


def _basis(workspace: Watched) -> Plain:
    """Give what the rules depend on that is no matter of single resources."""
    world = workspace.world
    external = sorted((kind, tuple(sorted(names))) for kind, names in world.external.items())
    made = "" if world.made is None else world.made.digest()
    return is_cautious(workspace.resources), world.complete, tuple(external), made, world.has_copies
