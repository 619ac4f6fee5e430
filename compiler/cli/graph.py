"""``mcpcfg graph``: draw the resources of a project and their references."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from ..check.full import check
from ..diagnostics import file_path
from ..disk.output_file import write_file
from ..graph import page as graph_page
from ..graph import text as graph_text
from ..graph.project import project_graph
from .call import find_asked
from .option import PATH, input_options
from .section import SectionedCommand, section

if TYPE_CHECKING:
    from .option import InputCall


@click.command("graph", cls=SectionedCommand)
@section("Output")
@click.option(
    "--format",
    "-f",
    "format_",
    type=click.Choice(["mermaid", "dot", "html"]),
    default="mermaid",
    help="Format: Mermaid for a README, DOT for Graphviz, or a self-contained HTML page.",
)
@click.option("--output", "-o", type=PATH, metavar="FILE", help="Write the picture to FILE instead of standard output.")
@click.option("--all-kinds", is_flag=True, help="Also draw Secrets and ConfigMaps that nothing refers to.")
@input_options
def command(call: InputCall, format_: str, output: str | None, *, all_kinds: bool) -> int:
    """Draw a project: its resources, their references and findings, and its workflows."""
    project = find_asked(call)
    outcome = check(project, call.options)
    drawn = project_graph(outcome, all_kinds=all_kinds)
    if format_ == "html":
        text = graph_page.render(drawn, _title(call.paths, project.root))
    else:
        text = graph_text.mermaid(drawn) if format_ == "mermaid" else graph_text.dot(drawn)
    if output is None:
        click.echo(text, nl=False)
        return 0
    write_file(output, text)
    return 0


def _title(paths: tuple[str, ...], root: str) -> str:
    folder = paths[0] if len(paths) == 1 and os.path.isdir(paths[0]) else root
    return os.path.basename(file_path.abspath(folder)) or "mcpcfg"
