"""What became of a document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ..diagnostics.doubt import Doubt
    from ..diagnostics.finding import Finding
    from ..diagnostics.span import Path


class Admission(NamedTuple):
    """What became of a document.

    Attributes:
        kind: The kind, where it is one of ours; ``None`` where the document is left alone.
        data: The object as it would be stored: defaults filled in, nulls and unknown fields gone. Of one that would be
            refused, what is sound of it (`sound.py`).
        findings: All that the API server would refuse, and numbers that the operator cannot read.
        has_unknown_values: Whether a placeholder, also one of ours, stands where its value decides: in place of a
            number, boolean, list or object, or of a text that is not free.
        renamed: Fields that were written in another spelling: their path as written, and their name in ``data``.
        doubts: Places about which rules of later stages report nothing.
    """

    kind: str | None
    data: Any
    findings: list[Finding]
    has_unknown_values: bool = False
    renamed: tuple[tuple[Path, str], ...] = ()
    doubts: tuple[Doubt, ...] = ()

    @property
    def admitted(self) -> bool:
        """Whether the API server would store it; of a document with too many faults not all are looked at."""
        return not any(one.severity == "error" and one.stage in ("admission", "syntax") for one in self.findings)
