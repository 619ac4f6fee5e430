"""``mcpcfg cache``: show or clear the cache."""

from __future__ import annotations

import click

from ..disk import cache_file


@click.group("cache")
def command() -> None:
    """Show or clear the cache."""


@command.command("path")
def path() -> None:
    """Print the folder of the cache."""
    click.echo(cache_file.folder())


@command.command("clear")
def clear() -> None:
    """Remove all cached results."""
    click.echo(f"removed {cache_file.clear()} from {cache_file.folder()}", err=True)
