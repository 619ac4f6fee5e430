"""Where a fault is: its page, its object, and what the admission table holds for the place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..admission.fault import Sort
from ..admission.table import checks_of
from .edit import Change, Edit, Fix

if TYPE_CHECKING:
    from ..admission.fault import Violation
    from ..admission.table import Table
    from ..diagnostics.finding import Finding
    from ..diagnostics.span import Path
    from ..toolhive.profile import Profile
    from .source_buffer import SourceBuffer

_HARMLESS = (Sort.PLACEHOLDER, Sort.RENAMED, Sort.WIDTH)


class FixContext(NamedTuple):
    """One finding and all that a fix looks at.

    Attributes:
        page: The text and the document.
        finding: The fault.
        kind: The kind of the object.
        prefix: Where the object stands in the document: below ``items`` for one of a List.
        profile: The names that the operator goes by.
    """

    page: SourceBuffer
    finding: Finding
    kind: str
    prefix: Path
    profile: Profile

    @property
    def path(self) -> Path:
        """The finding's path, from the document's root."""
        return self.finding.path or ()

    @property
    def inner(self) -> Path:
        """The finding's path, from the object's root."""
        return self.path[len(self.prefix) :]

    @property
    def table(self) -> Table:
        """What the API server checks in the release of the profile."""
        return checks_of(self.profile).table

    @property
    def release(self) -> str:
        """The release by which the object is judged."""
        return self.profile.judging_release

    def shape(self, inner: Path) -> int | None:
        """Return the position in the admission table of what may stand at a path of the object."""
        return self.table.at(self.kind, inner)

    def faults(self, position: int, value: Any) -> list[Violation]:
        """Return what the API server would report of ``value`` where the shape at ``position`` is asked for."""
        found: list[Violation] = []
        checks_of(self.profile).checks.check(position)(value, found)
        return [fault for fault in found if fault.sort not in _HARMLESS]

    def fields(self, inner: Path) -> tuple[str, ...]:
        """Return the fields that the object at ``inner`` may have."""
        position = self.shape(inner)
        shape = self.table.shapes[position] if position is not None else ("any",)
        return tuple(key for key, _ in shape[2]) if shape[0] == "object" else ()

    def fix(self, title: str, edits: tuple[Edit, ...], *changes: Change, is_safe: bool = True) -> Fix:
        """Return a fix of this document; it is not safe if a release that is not modelled may accept the fault."""
        is_certain = self.profile.is_modelled or self.finding.severity == "error"
        return Fix(title, edits, changes, self.page.document.index, is_safe and is_certain)
