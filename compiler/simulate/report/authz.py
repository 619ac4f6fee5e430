"""Report of a simulated authorization decision, as text and as JSON data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...diagnostics.shown import line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..authz import Authorization


def text(decision: Authorization, upstream: str) -> str:
    """Return an authorization decision as text. ``upstream`` is the provider whose token supplies the claims."""
    return "".join(f"{line(text_line)}\n" for text_line in _lines(decision, upstream))


def data(decision: Authorization) -> dict[str, Any]:
    """Return an authorization decision as JSON data."""
    return {
        "version": 1,
        "allowed": decision.allowed if decision.unavailable is None else None,
        "error": decision.error,
        "unavailable": decision.unavailable,
        "principal": decision.principal,
        "action": decision.action,
        "resource": decision.resource,
        "groups": list(decision.groups),
        "reasons": [
            {"policy": reason.index, "effect": reason.effect, "text": reason.policy, "error": reason.error}
            for reason in decision.reasons
        ],
    }


def _lines(decision: Authorization, upstream: str) -> Iterator[str]:
    if decision.unavailable is not None:
        yield f"not known: {decision.unavailable}"
        return
    yield _verdict(decision)
    if decision.principal:
        yield ""
        groups = f", in {', '.join(decision.groups)}" if decision.groups else ""
        yield f"  principal  {decision.principal}{groups}"
        yield f"  action     {decision.action}"
        yield f"  resource   {decision.resource}"
    if upstream:
        yield f"  claims     those of the token that the upstream provider {upstream} issued"
    for reason in decision.reasons:
        yield ""
        if reason.error is None:
            yield f"policy {reason.index}, which applies, is a {reason.effect}:"
        else:
            yield f"policy {reason.index}, a {reason.effect}, cannot be evaluated: {reason.error}"
        yield from (f"  {line}" for line in reason.policy.strip().splitlines())


def _verdict(decision: Authorization) -> str:
    if decision.error is not None:
        return f"denied: {decision.error}"
    if decision.allowed:
        return "allowed"
    if any(reason.effect == "forbid" for reason in decision.reasons):
        return "denied: a policy forbids it"
    return "denied: no policy permits it"
