"""``mcpcfg simulate rate-limit``: calculate rates and bursts, and find the limit that applies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..complete import PATH
from ..option import namespace_option
from .answer import answer_options, write
from .input import find

if TYPE_CHECKING:
    from .input import Subject


@click.command("rate-limit")
@click.argument("subject", metavar="NAME", required=False)
@click.argument("paths", nargs=-1, type=PATH, metavar="[PATH]...")
@click.option(
    "--users", type=click.IntRange(1), default=1, show_default=True, help="Number of users that send requests."
)
@namespace_option
@answer_options("ratelimit")
def command(subject: str, paths: tuple[str, ...], users: int, namespace: str | None, format_: str) -> int:
    """Work out what the rate limits of NAME let through for so many users, and which limit binds.

    NAME is the name of an MCPServer among the paths, or a file that holds one, or a RunConfig.
    """
    from ...report import simulated_rate_limit
    from ...simulate.ratelimit import rate_limits

    given = find(subject, paths, ("MCPServer",), namespace=namespace, stands_alone=_is_limited)
    limits = rate_limits(_config(given), users)
    name = given.resource.name if given.resource is not None else subject
    return write(format_, lambda: simulated_rate_limit.text(name, limits), lambda: simulated_rate_limit.data(limits))


def _is_limited(data: dict[str, Any]) -> bool:
    return any(isinstance(data.get(key), dict) for key in ("rate_limit_config", "shared", "perUser"))


def _config(given: Subject) -> dict[str, Any]:
    if given.resource is None:
        inner = given.data.get("rate_limit_config")
        return inner if isinstance(inner, dict) else given.data
    limits = given.resource.spec.get("rateLimiting")
    if not isinstance(limits, dict):
        raise click.UsageError(f'MCPServer "{given.resource.name}" has no rateLimiting: every call passes')
    return limits
