"""``mcpcfg skill``: validate, show and list skills in folders and installed ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..diagnostics.shown import line, lines
from . import record
from .option import FOLDER, PATH

if TYPE_CHECKING:
    from ..records.skill.list import SkillRoots

Command = Any


def _place_options(function: Command) -> Command:
    scope = click.option(
        "--scope",
        type=click.Choice(["user", "project"]),
        help="List only skills of the home folder, or of the project.",
    )
    project = click.option(
        "--project-root", type=FOLDER, metavar="DIR", help="Root of a project that skills are installed for."
    )
    return record.home_options(project(scope(function)))


@click.group("skill")
def command() -> None:
    """Validate, show and list skills."""


@command.command("validate", short_help="Check the folder of a skill as the service does.")
@click.argument("folder", type=FOLDER, metavar="PATH")
@record.format_option
def validate_command(folder: str, format_: str) -> int:
    """Check the folder of a skill as the service does (SkillValidation). The exit status is 1 for an invalid skill.

    mcpcfg check reports the same faults with their positions, and more.
    """
    from ..records.skill.check import check_skill
    from ..records.skill.folder import read_skill_folder
    from ..records.skill.list import skill_validation

    result = skill_validation(check_skill(read_skill_folder(record.folder(folder))))
    printed = [*(line(f"error: {message}") for message in result.get("errors", ()))]
    printed += [line(f"warning: {message}") for message in result.get("warnings", ())]
    printed.append("valid" if result["valid"] else "not valid")
    record.write(format_, result, lambda _: "".join(f"{message}\n" for message in printed))
    return 0 if result["valid"] else 1


@command.command("show", short_help="Show the skill in a folder, or an installed one.")
@click.argument("skill", type=PATH, metavar="PATH|NAME")
@_place_options
@record.format_option
def show_command(skill: str, format_: str, **given: Any) -> int:
    """Show the skill in the folder PATH (SkillContent), or the installed skill NAME (SkillDetails).

    mcpcfg looks for installed skills below --home and --project-root.
    """
    from ..report.record_table import facts

    places, scope = _places(given)
    if places.home or places.project:
        from ..records.skill.list import skill_details

        details = skill_details(places, skill, scope=scope)
        if details is None:
            raise click.ClickException(f"no skill {skill!r} is installed there")

        def text(shown: Any) -> str:
            rest = shown["installed_skill"]
            pairs = [*shown["metadata"].items(), *((key, value) for key, value in rest.items() if key != "metadata")]
            return facts([(key.replace("_", " "), value) for key, value in pairs])

        record.write(format_, details, text)
        return 0
    return _show_folder(skill, format_)


def _show_folder(folder: str, format_: str) -> int:
    from ..records.skill.check import check_skill
    from ..records.skill.folder import read_skill_folder
    from ..records.skill.list import skill_content
    from ..report.record_table import facts

    read = read_skill_folder(record.folder(folder))
    checked = check_skill(read)
    if checked.front is None:
        raise click.ClickException(f"{folder} holds no skill that can be read; mcpcfg skill validate reports why")
    content = skill_content(read, checked)
    files = [f"{file['path']} ({file['size']} bytes)" for file in content["files"]]

    def text(shown: Any) -> str:
        pairs = [(key, value) for key, value in shown.items() if key not in {"body", "files"}]
        return facts([*pairs, ("files", files)]) + f"\n{lines(shown['body'].strip())}\n"

    record.write(format_, content, text)
    return 0


@command.command("list", short_help="List the installed skills.")
@_place_options
@click.option("--client", help="List only skills that are installed for a client.")
@click.option("--group", help="List only skills in a group; needs --home.")
@record.format_option
def list_command(client: str | None, group: str | None, format_: str, **given: Any) -> None:
    """List the installed skills (InstalledSkill) below --home and --project-root."""
    from ..records.skill.list import installed_skills
    from ..records.state_folder import read_group
    from ..report.record_table import table
    from ..toolhive.client import BY_NAME

    places, scope = _places(given)
    if not places.home and not places.project:
        raise click.UsageError("state where to look: --home DIR, --project-root DIR or both")
    if client is not None and client not in BY_NAME:
        raise click.UsageError(f"there is no client {client!r}; mcpcfg client list names them")
    names = None
    if group is not None:
        if places.home is None:
            raise click.UsageError("groups are kept below the home folder: name it with --home DIR")
        names = frozenset(read_group(places.home, places.platform, group).get("skills") or ())
    skills = installed_skills(places, scope=scope, client=client or "", names=names)

    def text(shown: Any) -> str:
        rows = [
            (item["metadata"]["name"], item["metadata"]["version"], item["scope"], item["status"], item.get("clients"))
            for item in shown["skills"]
        ]
        return table(("name", "version", "scope", "status", "clients"), rows)

    record.write(format_, {"skills": skills}, text)


def _places(given: dict[str, Any]) -> tuple[SkillRoots, str]:
    from ..records.skill.list import SkillRoots

    home, root = given["home"], given["project_root"]
    for folder in (home, root):
        if folder is not None:
            record.folder(folder)
    return SkillRoots(home, root, given["platform"]), given["scope"] or ""
