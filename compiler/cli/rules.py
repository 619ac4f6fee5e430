"""``mcpcfg rules``: list the rules."""

from __future__ import annotations

import json

import click

from ...validators import registry
from ..project.discovery import settings_of_pages
from .option import config_option


@click.command("rules")
@click.option("--format", "-f", "format_", type=click.Choice(["text", "json"]), default="text", help="Output format.")
@config_option
def command(format_: str, config: str | None) -> None:
    """List the rules with id, name, stage, severity and title."""
    spell = settings_of_pages(config).profile.spell
    rules = [rule._replace(title=spell(rule.title)) for rule in registry.all_rules().values()]
    if format_ == "json":
        fields = ("id", "name", "stage", "severity", "title", "since", "until", "verified")
        listed = [{field: getattr(rule, field) for field in fields} | {"on": not rule.is_opt_in} for rule in rules]
        click.echo(json.dumps(listed, indent=2, ensure_ascii=False))
        return
    width = max((len(rule.name) for rule in rules), default=0)
    for rule in rules:
        level = "off" if rule.is_opt_in else rule.severity
        click.echo(f"{rule.id}  {rule.name:<{width}}  {rule.stage:<9}  {level:<7}  {rule.title}")
