"""The choice of a role, for people and for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..diagnostics.shown import line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..simulate.role import RoleChoice


def text(choice: RoleChoice) -> str:
    """Write a choice as people read it."""
    return "".join(f"{line(one)}\n" for one in _lines(choice))


def data(choice: RoleChoice) -> dict[str, Any]:
    """Return a choice as data; ``tried`` is in the order in which mappings are looked at."""
    return {
        "role": choice.role,
        "fallback": choice.is_fallback,
        "configError": choice.config_error,
        "error": choice.error,
        "tried": [
            {
                "mapping": one.index,
                "by": one.mapping,
                "role": one.role,
                "outcome": one.outcome,
                "reason": one.reason,
            }
            for one in choice.tried
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
    for one in choice.tried:
        yield f"  mapping {one.index}, {one.mapping} for {one.role}"
        yield f"    {one.outcome}: {one.reason}"
