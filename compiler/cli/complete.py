"""Shell completion of rules, fields and schemas."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click


def explained(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the rules, kinds, file formats and fields that begin with ``incomplete``."""
    del ctx, param
    from ...validators import registry
    from ..generate.explain.field_page import beginning, names_beginning

    rules = registry.all_rules().values()
    names = [*(rule.id for rule in rules), *(rule.name for rule in rules), *names_beginning(incomplete)]
    return beginning(names, incomplete)


def schemas(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the names of the newest release's schemas that begin with ``incomplete``."""
    del ctx, param
    from ..generate.explain.field_page import beginning
    from ..generate.explain.schema_place import names_of
    from ..toolhive.release import NEWEST_KNOWN

    return beginning(names_of(NEWEST_KNOWN), incomplete)
