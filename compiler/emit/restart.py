"""The annotations with which a user restarts an MCPServer, and the annotation with which the operator confirms it.

Source: the restart of an MCPServer in the operator, v0.21.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..golang.timestamp import TimestampError, parse_timestamp
from ..toolhive.constants import RESTART_ANNOTATION, RESTARTED_ANNOTATION

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..workspace.resource import Resource


def restart_annotations(resource: Resource, annotations: Mapping[str, str]) -> dict[str, str]:
    """Return the annotation that the operator sets after a restart, or an empty mapping if no restart is pending.

    Args:
        annotations: The current annotations of the MCPServer.
    """
    asked, done = (
        annotations.get(resource.profile.spell(key), "") for key in (RESTART_ANNOTATION, RESTARTED_ANNOTATION)
    )
    wanted = _nanoseconds(asked)
    before = _nanoseconds(done)
    if wanted is None or (before is not None and wanted <= before):
        return {}
    return {resource.profile.spell(RESTARTED_ANNOTATION): asked}


def _nanoseconds(text: str) -> int | None:
    try:
        return parse_timestamp(text)[0]
    except TimestampError:
        return None
