"""Compute the calls that the rate limits of a server allow: ``simulate rate-limit``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .subject import QuestionError

if TYPE_CHECKING:
    from ..ratelimit import RateLimits
    from .subject import AnswerSubject

KINDS = ("MCPServer",)


def limits(subject: AnswerSubject, users: int) -> RateLimits:
    """Return how many calls the rate limits of a server allow to a number of users.

    Raises:
        QuestionError: The server has no rate limits.
    """
    from ..ratelimit import rate_limits

    return rate_limits(_config(subject), users)


def can_be_subject(data: dict[str, Any]) -> bool:
    """Return whether a document that is not a resource has rate limits."""
    return any(isinstance(data.get(key), dict) for key in ("rate_limit_config", "shared", "perUser"))


def _config(given: AnswerSubject) -> dict[str, Any]:
    if given.resource is None:
        inner = given.data.get("rate_limit_config")
        return inner if isinstance(inner, dict) else given.data
    limits = given.resource.spec.get("rateLimiting")
    if not isinstance(limits, dict):
        raise QuestionError(f'MCPServer "{given.resource.name}" has no rateLimiting: every call passes')
    return limits
