"""Report of the tools that a virtual server offers, as text and as JSON data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...diagnostics.shown import line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..session import Session

LONGEST_DESCRIPTION = 60
"""Maximum characters of a description, so that a tool stays on one line."""


def text(name: str, session: Session) -> str:
    """Return the tools of a session as text. ``name`` is the name of the virtual server."""
    return "".join(f"{line(text_line)}\n" for text_line in _lines(name, session))


def data(name: str, session: Session) -> dict[str, Any]:
    """Return the tools of a session as JSON data. ``visible`` is the response to ``tools/list``, in its order."""
    aggregation = session.aggregation
    return {
        "version": 1,
        "virtualServer": name,
        "strategy": session.strategy,
        "complete": session.is_certain,
        "error": aggregation.error,
        "backends": [
            {"name": entry.name, "tools": len(entry.tools), "known": entry.source, "complete": entry.is_complete}
            for entry in session.backends
        ],
        "visible": list(session.visible),
        "hidden": list(session.hidden),
        "routes": {name: {"backend": tool.backend, "tool": tool.called_name} for name, tool in session.routed.items()},
        "composites": {"offered": list(session.composites.offered), "withheld": dict(session.composites.withheld)},
        "dropped": [
            {"backend": entry.tool.backend, "tool": entry.tool.listed_name, "reason": entry.reason}
            for entry in aggregation.dropped
        ],
        "notes": list(aggregation.notes),
    }


def _lines(name: str, session: Session) -> Iterator[str]:
    yield f"{name}: conflicts resolved by {session.strategy}"
    yield from _section(
        "Backends", [(entry.name, _tool_count(entry.tools, entry.source)) for entry in session.backends]
    )
    aggregation = session.aggregation
    if aggregation.error is not None:
        yield from ("", f"No session gets any tools: {aggregation.error}")
        return
    title = "Clients see" if session.is_certain else "Clients see, as far as is known"
    if session.has_optimizer:
        yield from _section(title, [(name, "of the optimizer") for name in session.visible])
        yield from _section("They find through it", [*_routes(session, aggregation.advertised), *_composites(session)])
    else:
        yield from _section(title, [*_routes(session, aggregation.advertised), *_composites(session)])
    yield from _section("Hidden, for composite tools alone", _routes(session, session.hidden))
    withheld = session.composites.withheld.items()
    doubt = "" if session.is_certain else "; a backend whose tools are unknown may have it"
    yield from _section("Composite tools not offered", [(name, reason + doubt) for name, reason in withheld])
    lost = [(f"{entry.tool.backend}: {entry.tool.listed_name}", entry.reason) for entry in aggregation.dropped]
    yield from _section("Lost", lost)
    yield from _section("Notes", [(note, "") for note in aggregation.notes])
    if not session.is_certain:
        yield from ("", "List the tools of the backends with --backend-tools FILE to know all.")


def _tool_count(tools: tuple[Any, ...], source: str) -> str:
    return f"{len(tools)} tool{'' if len(tools) == 1 else 's'}, {source}" if tools else source


def _routes(session: Session, names: Iterable[str]) -> list[tuple[str, str]]:
    rows = []
    for name in names:
        tool = session.routed[name]
        description = " ".join(tool.description.split())
        if len(description) > LONGEST_DESCRIPTION:
            description = description[: LONGEST_DESCRIPTION - 1] + "…"
        rows.append((name, f"{tool.backend}: {tool.called_name}" + (f"  {description}" if description else "")))
    return rows


def _composites(session: Session) -> list[tuple[str, str]]:
    return [(name, "composite tool") for name in session.composites.offered]


def _section(title: str, rows: list[tuple[str, str]]) -> Iterator[str]:
    if rows:
        yield from ("", title)
        width = max(len(first) for first, _ in rows)
        for first, second in rows:
            yield f"  {first:<{width}}  {second}".rstrip()
