"""``mcpcfg simulate rate-limit``: calculate the rates and bursts that limits allow, and the limit that applies."""

from __future__ import annotations

import click

from .answer import answer_options, write
from .input import find


@click.command("rate-limit")
@click.option(
    "--users", type=click.IntRange(1), default=1, show_default=True, help="Number of users that send requests."
)
@answer_options("ratelimit", "NAME")
def command(subject: str, paths: tuple[str, ...], users: int, namespace: str | None, format_: str) -> int:
    """Compute how many calls the rate limits of NAME let through, and which limit decides.

    NAME is the name of an MCPServer among the paths, or a file with an MCPServer or a RunConfig.
    """
    from ...simulate.answer import rate_limit
    from ...simulate.report import rate_limit as simulated_rate_limit

    given = find(subject, paths, rate_limit.KINDS, namespace=namespace, can_be_subject=rate_limit.can_be_subject)
    limits = rate_limit.limits(given, users)
    name = given.resource.name if given.resource is not None else subject
    return write(format_, lambda: simulated_rate_limit.text(name, limits), lambda: simulated_rate_limit.data(limits))
