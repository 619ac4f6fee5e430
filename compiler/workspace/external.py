"""What a call states about resources outside its files."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .layout import Layout

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Protocol

    from .resource import Resource

    class MadeNames(Protocol):
        """Names that the files make of other names."""

        def have(self, kind: str, name: str) -> bool:
            """Return whether something of ``kind`` is called ``name``."""

        def differ(self, file: str, other: str) -> bool:
            """Return whether resources of one name in two files may have different names in the end."""

        def kinds(self) -> frozenset[str]:
            """Return the kinds of which names are made."""

        def altering_folders(self, files: Iterable[str]) -> Sequence[str]:
            """Return the folders whose kustomization may make something else of what ``files`` declare."""


class World(NamedTuple):
    """What the call states about resources outside its files.

    Attributes:
        closed: The given files are all there is: every reference must resolve.
        external: Kind to the names (or ``*``) that exist elsewhere.
        complete: The call names whole folders or a known project; else a missing resource may be in a file unnamed.
        made: The names that overlays make of those of resources.
        layout: How the files stand to one another.
        unapplied: The files that nothing applies, each with the reason.
        whole: The folder of which the call names a part, where controllers apply more of it.
        others: The objects of other programs that lints look at, a copy for each way in which they are applied.
        mentions: Returns whether any text of the project but its declaration may name an object.
    """

    closed: bool = False
    external: Mapping[str, frozenset[str]] = {}
    complete: bool = True
    made: MadeNames | None = None
    layout: Layout = Layout()
    unapplied: Mapping[str, str] = {}
    whole: str = ""
    others: Sequence[Resource] = ()
    mentions: Callable[[Resource], bool] = lambda _: True

    def has(self, kind: str, name: str) -> bool:
        """Return whether ``name`` exists elsewhere, as the configuration states, or in an overlay."""
        names = self.external.get(kind)
        if names is not None and (name in names or "*" in names):
            return True
        return self.made is not None and self.made.have(kind, name)

    def may_have_any(self, kinds: frozenset[str]) -> bool:
        """Return whether there are resources of ``kinds`` elsewhere, or under other names."""
        if any(names for kind, names in self.external.items() if kind in kinds):
            return True
        return self.made is not None and not kinds.isdisjoint(self.made.kinds())

    def may_alter(self, files: Iterable[str]) -> bool:
        """Return whether a kustomization may change what ``files`` declare."""
        return self.made is not None and bool(self.made.altering_folders(files))
