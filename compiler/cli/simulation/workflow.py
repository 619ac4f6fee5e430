"""``mcpcfg simulate workflow``: run a composite tool without calling its tools."""

from __future__ import annotations

from typing import Any

import click

from ..option import PATH
from .answer import answer_options, write
from .input import find, mapping_file


@click.command("workflow")
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
@answer_options("workflow", "DEF")
def command(subject: str, paths: tuple[str, ...], format_: str, **given: Any) -> int:
    """Run the composite tool DEF on given parameters and answers, without calling anything.

    DEF is the name of a VirtualMCPCompositeToolDefinition or VirtualMCPServer among the paths, or a file with
    such a resource, with the configuration of a virtual server's process, or with a composite tool alone. A tool that
    --results does not name answers with the text "ok". A question that --answers does not name is accepted without
    content.
    """
    from ...simulate.answer import workflow
    from ...simulate.report import workflow as simulated_workflow

    subject_ = find(
        subject, paths, workflow.KINDS, namespace=given["namespace"], can_be_subject=workflow.can_be_subject
    )
    params = mapping_file(given["params"], "--params")
    results = mapping_file(given["results"], "--results")
    answers = mapping_file(given["answers"], "--answers")
    definition, outcome = workflow.run(subject_, subject, given["tool"], params, results, answers)
    notes = simulated_workflow.notes(definition, params, results, answers)
    return write(
        format_,
        lambda: simulated_workflow.text(definition, outcome, notes),
        lambda: simulated_workflow.data(definition, outcome, notes),
    )
