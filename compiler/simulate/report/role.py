"""Report of the AWS role that a proxy chooses for a user, as text and as JSON data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...diagnostics.shown import line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..role import RoleChoice


def text(choice: RoleChoice) -> str:
    """Return the choice of a role as text."""
    return "".join(f"{line(text_line)}\n" for text_line in _lines(choice))


def data(choice: RoleChoice) -> dict[str, Any]:
    """Return the choice of a role as JSON data. ``tried`` lists the role mappings in the order of the attempts."""
    return {
        "version": 1,
        "role": choice.role,
        "fallback": choice.is_fallback,
        "configError": choice.config_error,
        "error": choice.error,
        "tried": [
            {
                "mapping": attempt.index,
                "by": attempt.mapping,
                "role": attempt.role,
                "outcome": attempt.outcome,
                "reason": attempt.reason,
            }
            for attempt in choice.tried
        ],
    }


def _lines(choice: RoleChoice) -> Iterator[str]:
    if choice.config_error is not None:
        yield f"the proxy does not start with it: {choice.config_error}"
        return
    if choice.error is not None:
        yield f"no role: {choice.error}"
    else:
        yield f"{choice.role}{', the fallback' if choice.is_fallback else ''}"
    if choice.tried:
        yield ""
    for attempt in choice.tried:
        yield f"  mapping {attempt.index}, {attempt.mapping} for {attempt.role}"
        yield f"    {attempt.outcome}: {attempt.reason}"
