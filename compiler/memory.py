"""What rules found, as plain data beside the facts in the cache, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcpcfg.validators.recall import Recall, Verdict, bears_on

from .stored import pack_findings, unpack_findings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcpcfg.validators.recall import Watched

    from .facts import Facts
    from .stored import Plain


def remember(recall: Recall, workspace: Watched, found: Sequence[Facts]) -> Plain:
    """Give the verdicts of this time, as plain data."""
    files = {
        facts.file: tuple(
            (resource.namespace, resource.admitted, *_pack(recall.verdicts.get(id(resource))))
            for resource in facts.resources
        )
        for facts in found
        if facts.resources
    }
    return _basis(workspace, found), files, tuple(_pack(verdict) for verdict in recall.project)


def recollect(memory: Any, workspace: Watched, found: Sequence[Facts], stale: Sequence[Plain]) -> Recall:
    """Give what still stands of the verdicts of last time.

    Args:
        memory: What `remember` gave, ``None`` where there is nothing.
        workspace: What the rules look at now.
        found: The facts of now.
        stale: The facts, as plain data, of files that have changed or gone since.
    """
    known: dict[int, Verdict] = {}
    if memory is None or memory[0] != _basis(workspace, found):
        return Recall(workspace, known, [], set())
    changed: set[str] = set()
    for _, _, _, resources, *_ in stale:
        for one in resources:
            changed |= bears_on(one[1], one[2], one[7])
    gone = {facts[0] for facts in stale}
    for facts in found:
        verdicts = None if facts.file in gone else memory[1].get(facts.file)
        if verdicts is None:
            for resource in facts.resources:
                changed |= bears_on(resource.kind, resource.name, resource.named)
            continue
        for resource, (namespace, admitted, *verdict) in zip(facts.resources, verdicts, strict=True):
            if resource.namespace != namespace or resource.admitted != admitted:
                changed |= bears_on(resource.kind, resource.name, resource.named)
            if verdict[0] is not None:
                known[id(resource)] = _unpack(verdict)
    return Recall(workspace, known, [_unpack(verdict) for verdict in memory[2]], changed)


def _pack(verdict: Verdict | None) -> tuple[Any, ...]:
    if verdict is None:
        return None, (), None
    return tuple(verdict.keys), pack_findings(verdict.findings) if verdict.findings else (), verdict.refused


def _unpack(plain: Sequence[Any]) -> Verdict:
    keys, findings, refused = plain
    return Verdict(keys, unpack_findings(findings) if findings else [], refused)


def _basis(workspace: Watched, found: Sequence[Facts]) -> Plain:
    """Give what the rules depend on that is no matter of single resources.

    A placeholder anywhere makes them cautious; the kinds that occur decide which are run.
    """
    resources = [resource for facts in found for resource in facts.resources]
    external = sorted((kind, tuple(sorted(names))) for kind, names in workspace.world.external.items())
    cautious = any(resource.has_unknown_values for resource in resources)
    return cautious, tuple(sorted({resource.kind for resource in resources})), tuple(external)
