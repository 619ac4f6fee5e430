"""Compute the tools that a virtual server offers, and the backend that each call is routed to."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.plain import mapping
from ..diagnostics.shown import shown
from ..toolhive.release import NEWEST_MODELLED, OLDEST, PRIORITY_NEEDS_ALL_SINCE, holds
from .block import well_typed, well_typed_tools

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_DEFAULT_PREFIX: Final = "{workload}_"


@dataclass(frozen=True, slots=True)
class BackendTool:
    """A tool of a backend.

    Attributes:
        called_name: The name in calls to the backend. The server derives the name from the overrides.
        listed_name: The name that the backend lists. It differs from ``called_name`` if the override of another tool
            sets ``name``.
        name: The name after the overrides of its workload.
        description: The description after the overrides.
        annotations: The annotations of MCP for clients, after the overrides.
    """

    backend: str
    called_name: str
    listed_name: str
    name: str
    description: str
    annotations: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Dropped:
    """A tool that neither clients nor composite tools can call, with the reason."""

    tool: BackendTool
    reason: str


@dataclass(frozen=True, slots=True)
class Aggregation:
    """The tools of all backends after the aggregation.

    Attributes:
        tools: Every tool that can be called, by its name for clients and composite tools, sorted by name.
        advertised: The names of tools that clients see, sorted.
        dropped: The tools that cannot be called, because another tool has their name or an override misroutes them.
        notes: Clauses about settings that have no effect, or an unexpected effect.
        error: The reason why the session has no tools. All other attributes are then empty.
    """

    tools: Mapping[str, BackendTool]
    advertised: tuple[str, ...]
    dropped: tuple[Dropped, ...] = ()
    notes: tuple[str, ...] = ()
    error: str | None = None


class _Conflict(Exception):  # noqa: N818 - it ends the aggregation; the text is the answer
    pass


def aggregate(
    config: Mapping[str, Any], backend_tools: Mapping[str, Iterable[Mapping[str, Any]]], release: str = NEWEST_MODELLED
) -> Aggregation:
    """Compute the tools of a session from the tools that each backend lists.

    If the vMCP server leaves the outcome to chance, backends are handled in the order of their names.

    Source: docs/operator/virtual-server.md, "Tools of a session".

    Args:
        config: The ``aggregation`` block of a vMCP configuration.
        backend_tools: The tools that each backend lists, with ``name``, ``description`` and ``annotations``.
        release: The release of the operator, which is also that of the vMCP server.
    """
    workloads = {str(entry.get("workload")): entry for entry in config.get("tools") or () if isinstance(entry, dict)}
    notes: list[str] = []
    dropped: list[Dropped] = []
    renamed = {
        backend: _overridden(backend, backend_tools[backend], workloads.get(backend) or {}, dropped, notes)
        for backend in sorted(backend_tools)
    }
    try:
        tools = dict(_resolve(config, workloads, renamed, dropped, release))
    except _Conflict as conflict:
        return Aggregation({}, (), notes=tuple(notes), error=str(conflict))
    names = sorted(tools)
    advertised = [
        name for name in names if _is_advertised(config, workloads.get(tools[name].backend) or {}, tools[name])
    ]
    return Aggregation({name: tools[name] for name in names}, tuple(advertised), tuple(dropped), tuple(notes))


def answer(question: dict[str, Any], release: str = OLDEST) -> dict[str, Any]:
    """Return the answer to a line of ``mcpcfg simulate tools --json-lines``, by a release of the operator.

    A question has ``aggregation`` and ``tools``; see `aggregate`. The answer has ``advertised``, ``all`` and
    ``routes``, or only ``error`` if the session has no tools.
    """
    aggregation = well_typed(mapping(question.get("aggregation")))
    result = aggregate(aggregation, well_typed_tools(mapping(question.get("tools"))), release)
    if result.error is not None:
        return {"error": result.error}

    def listed(names: Iterable[str]) -> list[dict[str, Any]]:
        return [{"name": name, "description": result.tools[name].description} for name in names]

    return {
        "advertised": listed(result.advertised),
        "all": listed(result.tools),
        "routes": {name: {"backend": tool.backend, "tool": tool.called_name} for name, tool in result.tools.items()},
    }


def _overridden(
    backend: str,
    tools: Iterable[Mapping[str, Any]],
    workload: Mapping[str, Any],
    dropped: list[Dropped],
    notes: list[str],
) -> list[BackendTool]:
    """Return the tools of a backend with the overrides of its workload applied.

    To route a call, the server looks for the override that sets the tool's final name. It does not check whether that
    override was applied to the tool. A tool may therefore be called under another tool's name, or be lost. If several
    overrides set the name, the server picks any. The simulation prefers an override that keeps the name, then the
    first.
    """
    overrides = {name: override for name, override in (workload.get("overrides") or {}).items() if override is not None}
    claims: dict[str, str] = {}
    for name, override in sorted(overrides.items(), key=lambda item: (item[1].get("name") != item[0], item[0])):
        if override.get("name"):
            claims.setdefault(override["name"], name)
    unfit = next((name for name in sorted(overrides) if not name or not _has_effect(overrides[name])), None)
    if unfit is not None:
        why = f"that of {shown(unfit)} has no name and no description" if unfit else "one is of a tool without a name"
        notes.append(f"{shown(backend)} loses all overrides: {why}")
    applied = {} if unfit is not None else overrides
    listed = list(tools)
    listed_names = {str(tool.get("name") or "") for tool in listed}
    out = []
    for original in listed:
        tool = _renamed(backend, original, applied, claims)
        if tool.called_name in listed_names:
            out.append(tool)
        elif unfit is not None:  # no override was applied, so the tool stays, but its calls go to another name
            out.append(tool)
            notes.append(
                f"calls of {shown(tool.name)} go to {shown(tool.called_name)}, which {shown(backend)} does not have:"
                " an override that was not applied gives its name"
            )
        else:
            reason = f"an override gives its name to {shown(tool.called_name)}, which {shown(backend)} does not have"
            dropped.append(Dropped(tool, reason))
    return out


def _has_effect(override: Mapping[str, Any]) -> bool:
    return bool(override.get("name") or override.get("description"))


def _renamed(
    backend: str, tool: Mapping[str, Any], overrides: Mapping[str, Mapping[str, Any]], claims: Mapping[str, str]
) -> BackendTool:
    listed = str(tool.get("name") or "")
    override = overrides.get(listed) or {}
    name = override.get("name") or listed
    return BackendTool(
        backend=backend,
        called_name=claims.get(name, name),
        listed_name=listed,
        name=name,
        description=override.get("description") or str(tool.get("description") or ""),
        annotations={**(tool.get("annotations") or {}), **(override.get("annotations") or {})},
    )


def _is_advertised(config: Mapping[str, Any], workload: Mapping[str, Any], tool: BackendTool) -> bool:
    if config.get("excludeAllTools") or workload.get("excludeAll"):
        return False
    wanted = workload.get("filter") or ()
    return not wanted or tool.name in wanted


# Conflicts.


def _resolve(
    config: Mapping[str, Any],
    workloads: Mapping[str, Mapping[str, Any]],
    tools: Mapping[str, list[BackendTool]],
    dropped: list[Dropped],
    release: str,
) -> Iterator[tuple[str, BackendTool]]:
    settings = config.get("conflictResolutionConfig") or {}
    match config.get("conflictResolution") or "prefix":
        case "prefix":
            return _prefixed(settings.get("prefixFormat") or _DEFAULT_PREFIX, tools, dropped)
        case "priority":
            needs_all = holds(PRIORITY_NEEDS_ALL_SINCE, None, release)
            return _resolve_by_priority(settings.get("priorityOrder") or [], tools, dropped, needs_all=needs_all)
        case "manual":
            return _resolve_manually(workloads, tools)
        case other:
            raise _Conflict(f"the strategy {shown(other)} is not one of prefix, priority, manual")


def _prefixed(
    prefix: str, tools: Mapping[str, list[BackendTool]], dropped: list[Dropped]
) -> Iterator[tuple[str, BackendTool]]:
    seen: dict[str, BackendTool] = {}
    for backend, listed in tools.items():
        for tool in listed:
            name = prefix.replace("{workload}", backend) + tool.name
            if name in seen:
                other = seen[name]
                reason = f"{shown(name)} is taken by {shown(other.listed_name)} of {shown(other.backend)}"
                dropped.append(Dropped(tool, reason))
                continue
            seen[name] = tool
            yield name, tool


def _group_by_name(tools: Mapping[str, list[BackendTool]]) -> dict[str, list[BackendTool]]:
    groups: dict[str, list[BackendTool]] = defaultdict(list)
    for listed in tools.values():
        for tool in listed:
            groups[tool.name].append(tool)
    return groups


def _resolve_by_priority(
    order: list[str], tools: Mapping[str, list[BackendTool]], dropped: list[Dropped], *, needs_all: bool
) -> Iterator[tuple[str, BackendTool]]:
    """Yield the tools under their names.

    Of several tools with one name, the backend that comes first in ``order`` wins. If ``needs_all`` is true, all of
    them are dropped unless ``order`` lists all their backends.
    """
    if not order or "" in order:
        raise _Conflict("the priority order is empty or names an empty backend")
    rank = {backend: place for place, backend in enumerate(order)}
    for name, candidates in _group_by_name(tools).items():
        ranked = [tool for tool in candidates if tool.backend in rank]
        if len(candidates) == 1:
            yield name, candidates[0]
        elif needs_all and len(ranked) < len(candidates):
            unlisted = ", ".join(shown(tool.backend) for tool in candidates if tool.backend not in rank)
            reason = f"{shown(name)} is a tool of several backends, and the priority order lacks {unlisted}"
            dropped += [Dropped(tool, reason) for tool in candidates]
        elif ranked:
            winner = min(ranked, key=lambda tool: rank[tool.backend])
            yield name, winner
            reason = f"{shown(name)} goes to {shown(winner.backend)}, which comes first in the priority order"
            dropped += [Dropped(tool, reason) for tool in candidates if tool is not winner]
        else:
            for tool in candidates:
                yield f"{tool.backend}_{name}", tool


def _resolve_manually(
    workloads: Mapping[str, Mapping[str, Any]], tools: Mapping[str, list[BackendTool]]
) -> Iterator[tuple[str, BackendTool]]:
    def override(tool: BackendTool) -> Mapping[str, Any] | None:
        entry = (workloads.get(tool.backend, {}).get("overrides") or {}).get(tool.name)
        return entry if isinstance(entry, dict) else None

    for name, candidates in sorted(_group_by_name(tools).items()):
        if len(candidates) > 1 and any(override(tool) is None for tool in candidates):
            backends = ", ".join(tool.backend for tool in candidates)
            raise _Conflict(f"{shown(name)} is a tool of {backends}, and not each of them overrides it")
    seen: dict[str, BackendTool] = {}
    for listed in tools.values():
        for tool in listed:
            again = override(tool) or {}
            name = again.get("name") or tool.name
            if name in seen:
                raise _Conflict(
                    f"{shown(name)} is a tool of {seen[name].backend} and {tool.backend}, also after the overrides"
                )
            seen[name] = tool
            yield name, replace(tool, description=again.get("description") or tool.description)
