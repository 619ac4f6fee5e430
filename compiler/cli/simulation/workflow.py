"""``mcpcfg simulate workflow``: run a composite tool."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..complete import PATH
from ..option import namespace_option
from .answer import answer_options, write
from .input import find, mapping_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .input import Subject

KINDS = ("VirtualMCPCompositeToolDefinition", "VirtualMCPServer")


@click.command("workflow")
@click.argument("subject", metavar="DEF", required=False)
@click.argument("paths", nargs=-1, type=PATH, metavar="[PATH]...")
@click.option("--params", type=PATH, metavar="FILE", help="File with the arguments of the composite tool: an object.")
@click.option(
    "--results",
    type=PATH,
    metavar="FILE",
    help="File that maps each tool to its answer: {text: …}, {output: {…}} or {error: …}.",
)
@click.option(
    "--answers",
    type=PATH,
    metavar="FILE",
    help="File that maps each elicitation step to the user's answer: {action: …, content: {…}}.",
)
@click.option("--tool", metavar="NAME", help="Name of the composite tool, if DEF has several.")
@namespace_option
@answer_options("workflow")
def command(subject: str, paths: tuple[str, ...], format_: str, **given: Any) -> int:
    """Run the composite tool DEF on given parameters and answers, without calling anything.

    DEF is the name of a VirtualMCPCompositeToolDefinition or VirtualMCPServer among the paths, or a file that holds
    one, a configuration of a virtual server's process, or a composite tool alone. A tool that --results does not name
    answers with the text "ok"; a question that --answers does not name is accepted without content.
    """
    from ...report import simulated_workflow
    from ...simulate.workflow import read, run

    subject_ = find(subject, paths, KINDS, namespace=given["namespace"], stands_alone=_is_workflow)
    tool = _chosen(_tools(subject_), given["tool"], subject)
    params = mapping_file(given["params"], "--params")
    results = mapping_file(given["results"], "--results")
    answers = mapping_file(given["answers"], "--answers")
    workflow = read(tool)
    outcome = run(tool, params=params, results=results, answers=answers)
    notes = simulated_workflow.notes(workflow, params, results, answers)
    return write(
        format_,
        lambda: simulated_workflow.text(workflow, outcome, notes),
        lambda: simulated_workflow.data(workflow, outcome, notes),
    )


def _is_workflow(data: dict[str, Any]) -> bool:
    return isinstance(data.get("steps"), list) or isinstance(data.get("compositeTools"), list)


def _tools(given: Subject) -> list[Any]:
    tools: Sequence[Any]
    if given.resource is None:
        listed = given.data.get("compositeTools")
        tools = listed if isinstance(listed, list) else [given.data]
    elif given.resource.kind == "VirtualMCPServer":
        from ...emit import vmcpconfig

        tools = vmcpconfig.composite_tools(given.workspace, given.resource)
    else:
        tools = [given.resource.spec]
    return [tool for tool in tools if isinstance(tool, dict)]


def _chosen(tools: list[dict[str, Any]], name: str | None, subject: str) -> dict[str, Any]:
    names = ", ".join(str(tool.get("name")) for tool in tools)
    if not tools:
        raise click.UsageError(f"{subject} has no composite tools")
    if name is None and len(tools) > 1:
        raise click.UsageError(f"{subject} has several composite tools; state which with --tool: {names}")
    for tool in tools:
        if name in (None, tool.get("name")):
            return tool
    raise click.UsageError(f'{subject} has no composite tool "{name}"; there is {names}')
