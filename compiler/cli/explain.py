"""``mcpcfg explain``: the page of a rule or of a field, in the terminal."""

from __future__ import annotations

from difflib import get_close_matches

import click

from mcpcfg.compiler.models import kind as kinds
from mcpcfg.validators import registry


@click.command("explain")
@click.argument("what")
def command(what: str) -> int:
    """Print the page of WHAT: a rule's id or name, or a field such as MCPServer.spec.rateLimiting."""
    rules = registry.all_rules()
    rule = rules.get(what.upper()) or next((rule for rule in rules.values() if rule.name == what.lower()), None)
    if rule is not None:
        click.echo(f"{rule.id} {rule.name} ({rule.stage} {rule.severity})\n\n{rule.doc.strip()}")
        return 0
    if what.partition(".")[0].lower() in {kind.name.lower() for kind in kinds.KINDS}:
        from mcpcfg.compiler.field_page import field_page

        page, near_fields = field_page(what)
        if page is not None:
            click.echo(page)
            return 0
        return _unknown(what, near_fields)
    return _unknown(what, [*rules, *(rule.name for rule in rules.values()), *(kind.name for kind in kinds.KINDS)])


def _unknown(what: str, known: list[str]) -> int:
    near = get_close_matches(what, known, n=3)
    hint = f"; did you mean {', '.join(near)}?" if near else "; see mcpcfg rules"
    raise click.UsageError(f"nothing is known about {what!r}{hint}")
