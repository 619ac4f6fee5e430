"""The paths of a resource at which rules report nothing, because admission has already reported a fault."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .named_tuple import NamedTuple

if TYPE_CHECKING:
    from .span import Path


class Doubt(NamedTuple):
    """A path with a fault that admission has reported, so later rules report nothing there.

    Attributes:
        path: The path of the fault. Paths below it are included unless ``is_exact`` is true.
        is_lint_alone: True if only lints stay silent, because an unknown field of the object may change their advice.
        is_exact: True if places below ``path`` are not included, because the object at ``path`` only lacks a field.
    """

    path: Path
    is_lint_alone: bool = False
    is_exact: bool = False

    def covers(self, path: Path, *, is_lint: bool) -> bool:
        """Return whether a finding at ``path`` may follow from the reported fault. ``is_lint`` is true for a lint."""
        if self.is_lint_alone and not is_lint:
            return False
        return path == self.path if self.is_exact else path[: len(self.path)] == self.path
