"""``mcpcfg cache``: where results are kept, and forgetting them."""

from __future__ import annotations

import click

from ..speed import cache_file


@click.group("cache")
def command() -> None:
    """Tell where earlier checks are kept, and forget them."""


@command.command("path")
def path() -> None:
    """Print the folder in which results are kept."""
    click.echo(cache_file.folder())


@command.command("clear")
def clear() -> None:
    """Remove all that is kept."""
    click.echo(f"removed {cache_file.clear()} from {cache_file.folder()}", err=True)
