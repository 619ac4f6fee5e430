"""Shell completion of arguments: paths, rules, fields and schemas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from ..diagnostics.file_path import with_slashes

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class _Path(click.Path):
    """A path argument. Every text is valid, because a missing file is reported when it is opened."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:  # type: ignore[override]
        return with_slashes(str(super().convert(value, param, ctx)))


class _Folder(_Path):
    """A path argument for which shells complete only folders."""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        del ctx, param
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="dir")]


PATH: Final = _Path(readable=False)
"""A path argument that shells complete. Click does not check it: errors are reported when the file is opened."""
FOLDER: Final = _Folder(readable=False)


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
