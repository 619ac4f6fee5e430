"""Build statuses and their conditions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..diagnostics.named_tuple import NamedTuple
from .build import FIRST_GENERATION

if TYPE_CHECKING:
    from .build import Object


class Settled(NamedTuple):
    """The annotations and the status that the operator writes back to a resource.

    Attributes:
        annotations: All annotations of the resource, or ``None`` without any. In the result of a compile step, they are
            only the annotations that the operator adds.
        status: The status; empty if no controller writes one.
    """

    annotations: dict[str, str] | None
    status: Object


def condition(kind: str, status: bool, reason: str, message: str) -> Object:  # noqa: FBT001 - reads as in Kubernetes
    """Return a condition for a status. ``kind`` is its type."""
    return {"type": kind, "status": "True" if status else "False", "reason": reason, "message": message}


def status_of(conditions: list[Object], **fields: Any) -> Object:
    """Return a status with its conditions sorted by type. Fields that are ``None`` are left out."""
    given = {key: value for key, value in fields.items() if value is not None}
    ordered = sorted(conditions, key=lambda entry: str(entry["type"]))
    return {"conditions": ordered, "observedGeneration": FIRST_GENERATION, **given}
