"""Where a fault is: its page, its object, and what the admission table says of the place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from mcpcfg.compiler.admission.fault import Sort
from mcpcfg.compiler.admission.table import SHAPES, checks_of, shape_at

from .edit import Change, Cure, Edit

if TYPE_CHECKING:
    from mcpcfg.compiler.admission.fault import Violation
    from mcpcfg.compiler.finding import Finding
    from mcpcfg.compiler.profile import Profile
    from mcpcfg.compiler.source import Path

    from .page import Page

_HARMLESS = (Sort.PLACEHOLDER, Sort.RENAMED, Sort.WIDTH)


class Site(NamedTuple):
    """One finding and all that a cure looks at.

    Attributes:
        page: The text and the document.
        finding: The fault.
        kind: The kind of the object.
        prefix: Where the object stands in the document: below ``items`` for one of a List.
        profile: The names that the operator goes by.
    """

    page: Page
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

    def shape(self, inner: Path) -> int | None:
        """Give the position in the admission table of what may stand at a path of the object."""
        return shape_at(self.kind, inner)

    def faults(self, position: int, value: Any) -> list[Violation]:
        """Give what the API server would say of ``value`` where the shape at ``position`` is asked for."""
        found: list[Violation] = []
        checks_of(self.profile).checks.check(position)(value, found)
        return [fault for fault in found if fault.sort not in _HARMLESS]

    def fields(self, inner: Path) -> tuple[str, ...]:
        """Give the fields that the object at ``inner`` may have."""
        position = self.shape(inner)
        shape = SHAPES[position] if position is not None else ("any",)
        return tuple(key for key, _ in shape[2]) if shape[0] == "object" else ()

    def cure(self, title: str, edits: tuple[Edit, ...], *changes: Change, is_safe: bool = True) -> Cure:
        """Make a cure of this document."""
        return Cure(title, edits, changes, self.page.document.index, is_safe)
