"""Complete and resolve the names and ports of the operator's Services in routes of other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnostics.named_tuple import NamedTuple
from ..emit.made_service import MadeServices
from ..workspace.other_kind import GROUPS
from ..workspace.service_use import route_place_at
from .subject import types_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..diagnostics.span import Path
    from ..workspace.resource import Resource
    from ..workspace.service_use import RoutePlace
    from ..workspace.workspace import Workspace
    from .outline import Outline


class RouteCursor(NamedTuple):
    """A cursor at the name or the port of a Service in a route.

    Attributes:
        place: The field of the route that refers to the Service.
        name: The name of the Service; empty if it is not typed yet.
        namespace: The namespace of the Service; ``None`` if it is not known.
        source: The route object from the last check, or ``None`` if that check did not read it.
    """

    place: RoutePlace
    steps: Path
    name: str
    namespace: str | None
    source: Resource | None


def route_cursor(outline: Outline, path: Path, workspace: Workspace, file: str) -> RouteCursor | None:
    """Return the Service reference at ``path`` of a route, or ``None`` for other documents and paths."""
    kind, version = types_of(outline, ())
    route_place = route_place_at(kind, path) if kind else None
    if route_place is None or (version or "").rpartition("/")[0] not in GROUPS.get(kind or "", ()):
        return None
    place, holder = route_place
    route = outline.scalar(("metadata", "name"))
    others = (other for other in workspace.context.others if other.kind == kind and other.name == route)
    source = next((other for other in others if other.document.file == file), None)
    name, _, domain = (outline.scalar((*holder, place.name)) or "").partition(".")
    stated = outline.scalar((*holder, "namespace")) or domain.partition(".")[0]
    stated = stated or outline.scalar(("metadata", "namespace")) or ""
    namespace = stated or (source.namespace if source is not None else None)
    return RouteCursor(place, path[len(holder) :], name, namespace, source)


def service_resource(outline: Outline, path: Path, workspace: Workspace, file: str) -> Resource | None:
    """Return the resource whose Service a route names at ``path``, or ``None`` if no resource has such a Service."""
    view = workspace.around(file)
    cursor = route_cursor(outline, path, view, file)
    if cursor is None or not cursor.name:
        return None
    matches = view.once(MadeServices).services_named(cursor.name, cursor.namespace, cursor.source)
    return matches[0].resource if matches else None


def service_words(outline: Outline, path: Path, workspace: Workspace, file: str) -> Iterator[tuple[str | int, str]]:
    """Yield the Service names or ports that are valid at ``path`` of a route, each with a description."""
    view = workspace.around(file)
    cursor = route_cursor(outline, path, view, file)
    if cursor is None:
        return
    services = view.once(MadeServices)
    if cursor.steps == (cursor.place.name,):
        for resource in services.makers(cursor.namespace, cursor.source):
            for service in services.services_of(resource)[:1]:
                yield service.name, f"Service of {resource.kind} {resource.name}"
        return
    wanted: tuple[type, ...] = {"number": (int,), "name": (str,)}.get(str(cursor.steps[-1]), (int, str))
    for service in (services.services_named(cursor.name, cursor.namespace, cursor.source) or ())[:1]:
        numbers_and_names: list[str | int] = service.ports
        yield from ((port, f"port of {service.name}") for port in numbers_and_names if isinstance(port, wanted))
