"""The option ``--namespace``: a name that a namespace can have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable


def namespace_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the namespace of documents that state none."""
    add = click.option("--namespace", "-n", callback=_possible, help="Namespace of documents that state none.")
    return add(function)


def _possible(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Refuse what the API server takes as no namespace's name."""
    if value is not None:
        from ..kube.names import dns_label_faults

        for fault in dns_label_faults(value):
            raise click.BadParameter(f'"{value}" {fault}', ctx=ctx, param=param)
    return value
