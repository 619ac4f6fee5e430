"""Add the pre-commit hook and the CI job to existing files, for ``mcpcfg init``."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

import click

from ..diagnostics import file_path
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.shown import line
from ..diagnostics.span import InputError
from ..disk.output_file import Change, read_inside
from ..disk.walk import boundary
from ..fix.add.automation import INCLUDED, with_hook, with_include, with_job
from ..fix.fixed_file import text_patch
from ..project.scaffold import CI

if TYPE_CHECKING:
    from collections.abc import Mapping

_HOOKS: Final = ".pre-commit-config.yaml"


class Amendment(NamedTuple):
    """The change of an existing file.

    Attributes:
        after: New text; equal to ``before`` if mcpcfg is already set up.
        added: Text of the file `INCLUDED`, if the change makes a GitLab configuration include it; otherwise empty.
    """

    path: str
    before: str
    after: str
    added: str = ""


def amendments(folder: str, texts: Mapping[str, str], workflow: str | None) -> dict[str, Amendment]:
    """Return the changes of existing files, each by the file of ``texts`` that the change replaces.

    Args:
        texts: Files of a new project by path.
        workflow: Path of the GitHub workflow that gets the job; ``None`` for the default one.

    Raises:
        InputError: A file cannot be changed, or the workflow does not exist.
    """
    amended: dict[str, Amendment] = {}
    for file in (_HOOKS, *CI.values()):
        path = workflow if file == CI["github"] and workflow else file_path.join(folder, file)
        if path == workflow and not os.path.lexists(path):
            raise InputError(f"there is no file {path}: nothing was written")
        if file not in texts or not os.path.lexists(path):
            continue
        before = (read_inside(path, (boundary(folder),)) or b"").decode("utf-8", "surrogateescape")
        try:
            if file == _HOOKS:
                after, added = with_hook(before, path, texts[file]), ""
            elif file == CI["github"]:
                after, added = with_job(before, path, texts[file]), ""
            else:
                after, added = with_include(before, path), texts[file]
        except ValueError as error:
            raise InputError(f"{error}: nothing was written") from None
        amended[file] = Amendment(path, before, after or before, added if after else "")
    return amended


def asked_workflow(folder: str) -> str | None:
    """Ask the user which workflow gets the job. Return its path, or ``None`` for the default workflow.

    The user is not asked if the project has no workflows or already has the default one.
    """
    workflows = file_path.join(folder, os.path.dirname(CI["github"]))
    names = sorted(os.listdir(workflows)) if os.path.isdir(workflows) else []
    names = [name for name in names if name.endswith((".yaml", ".yml"))]
    if not names or os.path.basename(CI["github"]) in names:
        return None
    new = "a new one"
    answer = click.prompt("Workflow that the job is added to", type=click.Choice([*names, new]), default=new)
    return None if answer == new else file_path.join(workflows, answer)


def agree(amended: Mapping[str, Amendment], *, yes: bool) -> None:
    """Show the changes of existing files, and ask the user whether to make them.

    Nothing is shown or asked if ``yes`` is true or no file changes.

    Raises:
        InputError: Standard input is not a terminal, so nobody can be asked.
        click.Abort: The user declines.
    """
    changes = [amendment for amendment in amended.values() if amendment.after != amendment.before]
    if not changes or yes:
        return
    if sys.stdin is None or not sys.stdin.isatty():
        files = ", ".join(amendment.path for amendment in changes)
        verb = "are" if len(changes) > 1 else "is"
        raise InputError(f"{files} {verb} there already: nothing was written; --yes adds the hook or the job")
    for amendment in changes:
        click.echo(text_patch(amendment.path, amendment.before, amendment.after), err=True, nl=False)
    click.confirm(f"Change {len(changes)} file{'s' * (len(changes) > 1)}?", abort=True, err=True)


def new_files(amended: Mapping[str, Amendment]) -> dict[str, str]:
    """Return the path and the text of the file that a changed GitLab configuration includes, if there is one."""
    added = [amendment.added for amendment in amended.values() if amendment.added]
    return dict.fromkeys([INCLUDED], added[0]) if added else {}


def changes_of(amended: Mapping[str, Amendment]) -> dict[str, Change]:
    """Return the changes of existing files, by file. Files that have mcpcfg already are left out, and named."""
    changes: dict[str, Change] = {}
    for amendment in amended.values():
        if amendment.after == amendment.before:
            click.echo(line(f"{amendment.path} has mcpcfg already"), err=True)
            continue
        before, after = (text.encode("utf-8", "surrogateescape") for text in (amendment.before, amendment.after))
        changes[amendment.path] = Change(before, after)
    return changes
