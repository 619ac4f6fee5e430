"""Places of a resource about which rules report nothing more."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .span import Path


class Doubt(NamedTuple):
    """A place about which later rules report nothing, as admission has reported its fault.

    Attributes:
        path: The place; all that lies below it is meant too.
        is_lint_alone: Whether only lints are silent, because a later release's field there may change what is good.
        is_exact: Whether nothing below is meant: the object at ``path`` lacks something.
    """

    path: Path
    is_lint_alone: bool = False
    is_exact: bool = False

    def covers(self, path: Path, *, is_lint: bool) -> bool:
        """Return whether a finding at ``path`` may follow from what is wrong here."""
        if self.is_lint_alone and not is_lint:
            return False
        return path == self.path if self.is_exact else path[: len(self.path)] == self.path
