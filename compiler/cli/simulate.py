"""``mcpcfg simulate``: simulate the behavior of a configuration."""

from __future__ import annotations

from typing import ClassVar

import click

from .main import LazyGroup

SUBJECTS = {
    "tools": "The tools that clients of a virtual server see, and where each goes.",
    "workflow": "A run of a composite tool on given answers.",
    "authz": "An authorization decision, and which policies made it.",
    "role": "The role that a user's request gets, and why.",
    "rate-limit": "Rates, bursts and which limit binds.",
}


class SubjectGroup(LazyGroup):
    """The subcommands of ``mcpcfg simulate``. Each has its own module."""

    table = SUBJECTS
    groups: ClassVar = {"Subjects": SUBJECTS}
    room = "mcpcfg.compiler.cli.simulation"


@click.group("simulate", cls=SubjectGroup, subcommand_metavar="SUBJECT ...")
def command() -> None:
    """Simulate tool names, the run of a workflow, an authorization decision, the choice of a role, or a rate limit."""
