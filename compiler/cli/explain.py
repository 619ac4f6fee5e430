"""``mcpcfg explain``: print the page of a rule or a field."""

from __future__ import annotations

import sys

import click

from ..diagnostics.shown import in_json
from ..diagnostics.span import InputError
from ..generate.explain.page import WIDTH, explanation
from ..project.discovery import settings_of_pages
from .complete import explained
from .option import columns, config_option


@click.command("explain")
@click.argument("what", shell_complete=explained)
@click.option("--format", "-f", "format_", type=click.Choice(["text", "json"]), default="text", help="Output format.")
@config_option
def command(what: str, format_: str, config: str | None) -> int:
    """Print the page of WHAT: a rule, a kind or a field.

    WHAT is the id or name of a rule (REF004, dangling-oidc-config), a kind or file format (MCPServer, runconfig), or
    the path of a field (MCPServer.spec.rateLimiting). For a field with a state, such as MCPServer.status.phase, the
    page lists the states and the cause of each.
    """
    profile = settings_of_pages(config).profile
    try:
        explained_ = explanation(what, profile)
    except InputError as error:
        raise click.UsageError(str(error)) from None
    if format_ == "json":
        import json

        click.echo(in_json(json.dumps(explained_.as_json(), indent=2, ensure_ascii=False)))
    else:
        available = (columns(sys.stdout) if sys.stdout.isatty() else None) or WIDTH
        click.echo(explained_.wrapped(min(available, WIDTH)), nl=False)
    return 0
