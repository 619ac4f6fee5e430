"""``mcpcfg cache``: where results are kept, and forgetting them."""

from __future__ import annotations

import click

from mcpcfg.compiler.intake import cache


@click.group("cache")
def command() -> None:
    """Show or clear what is kept of earlier checks."""


@command.command("path")
def path() -> None:
    """Print the folder in which results are kept."""
    click.echo(cache.folder())


@command.command("clear")
def clear() -> None:
    """Remove all that is kept."""
    click.echo(f"removed {cache.clear()} from {cache.folder()}", err=True)
