"""Standard input that was rendered from files of the project: its resources stand in for those of the files."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..project.overlay import OverlayNames
    from ..workspace.resource import Resource


def without_sources(resources: Sequence[Resource], stream: str, made: OverlayNames | None) -> list[Resource]:
    """Return resources without those of files from which standard input may have been rendered.

    That is a resource whose name, or a name that an overlay gives it, standard input declares too, with the same kind
    and in the same namespace. If one copy of a resource goes, all of them go.

    Args:
        resources: All of a project, in reading order.
        stream: The name of standard input in findings.
        made: The names that overlays make.
    """
    plain: dict[tuple[str, str], set[str | None]] = {}
    renamed: dict[tuple[str, str], set[str | None]] = {}
    for one in resources:
        if one.document.file == stream:
            plain.setdefault((one.kind, one.name), set()).add(one.namespace)
            for name in made.sources(one.name) if made is not None else ():
                renamed.setdefault((one.kind, name), set()).add(one.namespace)
    sources = set()
    for one in resources:
        file = one.document.file
        names = renamed if made is not None and made.is_renamed(file) else plain
        namespaces = names.get((one.kind, one.name), set())
        if file != stream and namespaces and (one.namespace is None or namespaces & {one.namespace, None}):
            sources.add(one.declared_at)
    return [one for one in resources if one.declared_at not in sources]
