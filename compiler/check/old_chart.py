"""Find what shows that an old number of a chart cannot be what runs: a field or version of a later release."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..admission.later import release_of_field, release_of_kind
from ..admission.table import table_of
from ..diagnostics.named_tuple import NamedTuple
from ..toolhive.profile import LATER_VERSION
from ..toolhive.release import OLDEST, SECOND_VERSION_SINCE, release_key
from ..workspace.workspace import CORE_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..diagnostics.span import Path
    from ..workspace.resource import Resource
    from .facts import Facts


class Need(NamedTuple):
    """The release that a resource needs, and the place that needs it.

    Attributes:
        what: The field, kind or version.
        place: File and line.
    """

    release: str
    what: str
    place: str


def latest_need(facts: Iterable[Facts]) -> Need | None:
    """Return the latest release that a resource needs, or ``None`` if the oldest modelled release takes them all."""
    needs = (
        need
        for file_facts in facts
        for resource in file_facts.resources
        if resource.kind not in CORE_KINDS
        for need in _needs(resource)
    )
    return max(needs, key=lambda need: release_key(need.release), default=None)


def _needs(resource: Resource[Any]) -> Iterator[Need]:
    def need(release: str, what: str, path: Path) -> Need:
        span = resource.at(path, on="key")
        return Need(release, what, f"{span.file}:{span.line}")

    if str(resource.data.get("apiVersion")).endswith(f"/{LATER_VERSION}"):
        yield need(SECOND_VERSION_SINCE, LATER_VERSION, ("apiVersion",))
    if resource.kind not in table_of(OLDEST).kinds:
        release = release_of_kind(resource.kind, OLDEST)
        if release is not None:
            yield need(release, f"kind {resource.kind}", ("kind",))
        return
    for path in _paths(resource.spec, ("spec",)):
        if table_of(OLDEST).at(resource.kind, path) is None and resource.states(*path):
            release = release_of_field(resource.kind, path, OLDEST)
            if release is not None:
                yield need(release, str(path[-1]), path)


def _paths(value: Any, path: Path) -> Iterator[Path]:
    """Yield the path of each field below a value."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in entries:
        if isinstance(key, str):
            yield (*path, key)
        yield from _paths(inner, (*path, key))
