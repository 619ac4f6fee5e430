"""Sections that group the options in the help of a command."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable

_TITLES: dict[click.Parameter, str] = {}
"""Title of the section of each option."""


def section(title: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that puts the options below it into a help section, except options that already have one."""

    def put(function: Callable[..., Any]) -> Callable[..., Any]:
        for parameter in getattr(function, "__click_params__", ()):
            _TITLES.setdefault(parameter, title)
        return function

    return put


class SectionedCommand(click.Command):
    """A command whose help lists its options in sections."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options into the help, section by section. Options without a section come last."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx) if isinstance(parameter, click.Option) else None
            if record is not None:
                sections.setdefault(_TITLES.get(parameter, "Other options"), []).append(record)
        for title, records in sections.items():
            with formatter.section(title):
                formatter.write_dl(records)
