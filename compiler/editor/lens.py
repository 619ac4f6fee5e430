"""Lenses: lines that an editor shows above a resource, with its references and the objects it compiles to."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.named_tuple import NamedTuple
from ..emit.build import Build
from ..emit.made_service import CREATING
from ..emit.target import OBJECT_STEPS
from .mention import mentions
from .navigation import symbols

if TYPE_CHECKING:
    from ..diagnostics.span import Span
    from ..emit.target import Artifact
    from ..workspace.resource import Resource
    from .outline import Extent
    from .session import Snapshot
    from .subject import FileContext

UNREAD: Final = "references unknown: the document cannot be read"
UNCOMPILED: Final = "not compiled: it has errors or unknown values"


class Lens(NamedTuple):
    """A lens without its title, which is computed when the client resolves the lens.

    Attributes:
        extent: Range of the name of the resource.
        sort: ``references`` or ``compiled``.
        number: Number of resources with the same kind and name that precede this one in the text.
    """

    extent: Extent
    kind: str
    name: str
    sort: str
    number: int


def lenses(text: str, file_context: FileContext) -> list[Lens]:
    """Return the lenses of the resources in a text: their references and, if they create objects, their objects."""
    seen: Counter[tuple[str, str]] = Counter()
    offered: list[Lens] = []
    for symbol in symbols(text, file_context):
        key = symbol.kind, symbol.name
        sorts = ("references", "compiled") if symbol.kind in CREATING else ("references",)
        offered += [Lens(symbol.place, *key, sort, seen[key]) for sort in sorts]
        seen[key] += 1
    return offered


def lens_resource(file: str, kind: str, name: str, number: int, snapshot: Snapshot) -> Resource | None:
    """Return the resource of a lens, or ``None`` if the last check did not read it.

    Args:
        file: Name of the file, as in findings.
    """
    places: dict[Any, Resource] = {}
    for resource in snapshot.workspace.read_of_kind(kind):
        if resource.name == name and resource.document.file == file:
            places.setdefault(resource.declared_at, resource)  # several copies, if kustomizations share it
    return next(iter(list(places.values())[number : number + 1]), None)


def reference_spans(resource: Resource, snapshot: Snapshot) -> list[Span]:
    """Return the places that name a resource, sorted."""
    return sorted(mention.span for mention in mentions(resource, snapshot.workspace, snapshot.loaded))


def reference_title(count: int) -> str:
    """Return the title of a lens that counts references, such as ``2 references``."""
    return f"{count or 'no'} reference{'' if count == 1 else 's'}"


def compiled_title(resource: Resource, snapshot: Snapshot) -> str:
    """Return the title of a lens: the kinds of the objects that a resource compiles to."""
    files = compiled_files(resource, snapshot)
    counts = Counter(str(file.compiled["kind"]) for file in files if file.compiled is not None)
    kinds = [f"{count} {kind}s" if count > 1 else kind for kind, count in sorted(counts.items())]
    return f"compiles to {', '.join(kinds)}" if kinds else UNCOMPILED


def compiled_files(resource: Resource, snapshot: Snapshot) -> list[Artifact]:
    """Return the objects that a resource compiles to, objects of its proxy last; empty if the resource has errors."""
    from ..check.compilable import compilable, refusing_later
    from ..emit.target import artifacts

    selection = compilable(refusing_later(snapshot.report), wanted=frozenset((resource,)))
    build = Build(snapshot.workspace, snapshot.project.settings.operator)
    return [file for target in OBJECT_STEPS for file in artifacts(target, build, selection.resources)[0]]
