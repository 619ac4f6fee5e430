"""The context of a project's resources: objects that exist elsewhere, names from overlays, and unapplied files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnostics.named_tuple import NamedTuple
from .layout import Layout

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Protocol

    from .resource import Resource

    class GivenNames(Protocol):
        """Names that kustomizations give to resources, by prefixes, suffixes, generators and patches."""

        def may_have(self, kind: str, name: str) -> bool:
            """Return whether a resource of ``kind`` may get the name ``name``."""

        def is_renamed(self, file: str) -> bool:
            """Return whether the resources of a file get a prefix or a suffix."""

        def may_differ(self, file: str, other: str) -> bool:
            """Return whether resources of one name in two files may get different names."""

        def kinds(self) -> frozenset[str]:
            """Return the kinds whose resources may get other names."""

        def altering_folders(self, files: Iterable[str]) -> Sequence[str]:
            """Return the folders of kustomizations that may change resources of ``files``."""

    class Mentions(Protocol):
        """Tells whether a name is mentioned in the project."""

        def __call__(self, name: str, declaring: Resource, *, with_variables: bool) -> bool:
            """Return whether a text outside of the document of ``declaring`` mentions ``name``.

            With ``with_variables``, a text such as ``${APP}-secret`` may be the name.
            """

    class States(Protocol):
        """Tells whether pairs of a key and a text are stated in the project."""

        def __call__(self, pairs: Iterable[tuple[str, str]], *, kinds: Iterable[str] = ()) -> bool:
            """Return whether an object of another program that makes pods, or one of ``kinds``, may state all pairs."""


class ProjectContext(NamedTuple):
    """The context in which the resources of a project are checked.

    Attributes:
        closed: True if the given files are everything in the cluster, so every reference must resolve.
        external: Names that exist elsewhere, by kind; ``*`` stands for all names.
        complete: True if whole folders or a configured project are checked. Otherwise, a missing resource may be in a
            file that was not given.
        overlays: The names that kustomizations give to resources, if there are kustomizations.
        unapplied: The files that nothing applies, each with the reason.
        whole: The folder of the configuration, or else the folder that controllers apply, if only a part of it is
            checked; else empty.
        others: The objects of other programs that lints read, with a copy for each route that applies them.
        mentions: Returns whether any text of the project, apart from the document of a resource, may mention a name.
        states: Returns whether an object of another program may state labels or a name.
    """

    closed: bool = False
    external: Mapping[str, frozenset[str]] = {}
    complete: bool = True
    overlays: GivenNames | None = None
    layout: Layout = Layout()
    unapplied: Mapping[str, str] = {}
    whole: str = ""
    others: Sequence[Resource] = ()
    mentions: Mentions = lambda *_, **__: True
    states: States = lambda *_, **__: False

    def has(self, kind: str, name: str) -> bool:
        """Return whether an object is configured as external, or may get this name from a kustomization."""
        names = self.external.get(kind)
        if names is not None and (name in names or "*" in names):
            return True
        return self.overlays is not None and self.overlays.may_have(kind, name)

    def may_have_any(self, kinds: frozenset[str]) -> bool:
        """Return whether resources of ``kinds`` may exist elsewhere, or get other names from a kustomization."""
        if any(names for kind, names in self.external.items() if kind in kinds):
            return True
        return self.overlays is not None and not kinds.isdisjoint(self.overlays.kinds())

    def may_alter(self, files: Iterable[str]) -> bool:
        """Return whether a kustomization may change resources of ``files``."""
        return self.overlays is not None and bool(self.overlays.altering_folders(files))
