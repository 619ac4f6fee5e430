"""``mcpcfg explain``: print the page of a rule or a field."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING

import click

from ...validators import registry
from ..diagnostics.address import rule_address
from ..diagnostics.retired import current_id, retirement
from ..diagnostics.suggestion import several
from ..explain.field_page import field_page, schema_name
from ..toolhive.release import NEWEST
from .call import settings_of_pages
from .complete import explained
from .option import config_option

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..diagnostics.finding import Rule
    from ..toolhive.profile import Profile


WIDTH = 100


@click.command("explain")
@click.argument("what", shell_complete=explained)
@config_option
def command(what: str, config: str | None) -> int:
    """Print the page of WHAT: a rule, a kind or a field.

    A rule by its id or name (REF004, dangling-oidc-config), a kind or file format (MCPServer, runconfig), or a field
    of one (MCPServer.spec.rateLimiting). A field that bears a state lists the states and what leads to each
    (MCPServer.status.phase).
    """
    profile = settings_of_pages(config).profile
    rules = registry.all_rules()
    if retired := retirement(what.upper()):
        click.echo(f"{retired}.")
        if current_id(what.upper()) not in rules:
            return 0
        click.echo()
    matching = [rule for rule in rules.values() if current_id(what.upper()) == rule.id or what.lower() == rule.name]
    if matching:
        click.echo("\n".join(_page(rule.respelt(profile.spell)) for rule in matching), nl=False)
        return 0
    release = profile.judging_release
    page, siblings = field_page(what, profile, release)
    if page is not None:
        click.echo(page)
        return 0
    page, _ = field_page(what, profile, NEWEST)
    if page is not None:
        click.echo(f"{page}\n\nRelease {release} does not have it.")
        return 0
    if schema_name(what, release) is None:
        return _unknown(what, _near_kind(what, [*rules, *(rule.name for rule in rules.values())], profile))
    return _unknown(what, _near_field(what, siblings))


def _page(rule: Rule) -> str:
    level = f"{rule.severity}, off unless configured" if rule.is_opt_in else rule.severity
    page = f"{rule.title}.\n\n{rule.page}".rstrip()
    once = "\n\nOne change is meant for all places: a report names the first, with the others as notes."
    page += once if rule.is_one_change else ""
    link = f"\nOnline: {uri}\n" if (uri := rule_address(rule.id)) else ""
    return f"{rule.id} {rule.name} ({rule.stage} {level})\n\n{_wrapped(page)}\n{link}"


def _wrapped(page: str) -> str:
    """Wrap the paragraphs of a page, except its indented examples and the text attached to them."""
    paragraphs = page.split("\n\n")
    return "\n\n".join(paragraph if "\n " in f"\n{paragraph}" else _filled(paragraph) for paragraph in paragraphs)


def _filled(paragraph: str) -> str:
    return fill(paragraph, WIDTH, break_long_words=False, break_on_hyphens=False)


def _near_kind(what: str, rules: Iterable[str], profile: Profile) -> list[str]:
    """Return the rules with a similar name, and the same field of kinds with a similar name."""
    from ..explain.schema_place import names_of

    kind, dot, rest = what.partition(".")
    kinds = [name for name in names_of() if not name.endswith("List")]
    names = {name.lower(): name for name in ([] if dot else rules)} | {
        name.lower(): f"{name}{dot}{rest}" for name in kinds
    }
    near = [names[name] for name in several(kind.lower(), names)]
    return [name for name in near if not dot or field_page(name, profile)[0] is not None]


def _near_field(what: str, siblings: Iterable[str]) -> list[str]:
    """Return the siblings of the first unknown field that have a similar name, or all siblings if none has."""
    fields = {field.rpartition(".")[2].lower(): field for field in siblings}
    depth = next(iter(fields.values()), "").count(".")
    wanted = what.split(".")[depth].lower() if fields else ""
    near = several(wanted, fields)
    return [fields[name] for name in near] or [field.rpartition(".")[2] for field in fields.values()]


def _unknown(what: str, near: list[str]) -> int:
    hint = f"; did you mean {', '.join(near)}?" if len(near) <= 3 and near else f"; there is {', '.join(near)}"
    raise click.UsageError(f"nothing is known about {what!r}{hint if near else '; see mcpcfg rules'}")
