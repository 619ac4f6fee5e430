"""``mcpcfg explain``: print the page of a rule, a field or a resource of the project."""

from __future__ import annotations

import sys
from functools import partial

import click

from ..diagnostics.shown import in_json
from ..diagnostics.span import InputError
from ..generate.explain.page import WIDTH, Explanation, explanation
from ..project.discovery import crds_of_pages, settings_of_pages
from ..project.settings import Options
from .call import find_project
from .complete import explained
from .option import PATH, columns, config_option


def _resource_explanation(what: str, config: str | None, unknown: InputError) -> Explanation:
    from ..check.full import check
    from ..graph.project import project_graph
    from ..graph.resource_page import may_name_resource, resource_page

    if not may_name_resource(what):
        raise unknown
    graph = project_graph(check(find_project((), settings_file=config), Options()), all_kinds=True)
    return Explanation(resource_page(graph, what, unknown))


@click.command("explain")
@click.argument("what", shell_complete=explained)
@click.option("--format", "-f", "format_", type=click.Choice(["text", "json"]), default="text", help="Output format.")
@click.option(
    "--crds",
    type=PATH,
    multiple=True,
    metavar="PATH",
    help="File or folder of CRDs, or - for standard input, whose kinds and fields to explain.",
)
@config_option
def command(what: str, format_: str, config: str | None, crds: tuple[str, ...]) -> int:
    """Print the page of WHAT: a rule, a kind, a field, or a resource of the project.

    WHAT is the id or name of a rule (REF004, dangling-oidc-config), a kind or file format (MCPServer, runconfig), or
    the path of a field (MCPServer.spec.rateLimiting). For a field with a state, such as MCPServer.status.phase, the
    page lists the states and the cause of each. CRDs of the configuration replace the known fields of their kinds.

    WHAT may also be a resource of the project in the current folder (MCPServer/fetch, fetch) or a file with resources.
    The page then lists their references and findings.
    """
    settings = settings_of_pages(config)
    try:
        explained_ = explanation(what, settings.profile, partial(crds_of_pages, settings, crds))
    except InputError as unknown:
        try:
            explained_ = _resource_explanation(what, config, unknown)
        except InputError as error:
            raise click.UsageError(str(error)) from None
    if format_ == "json":
        import json

        click.echo(in_json(json.dumps(explained_.as_json(), indent=2, ensure_ascii=False)))
    else:
        available = (columns(sys.stdout) if sys.stdout.isatty() else None) or WIDTH
        click.echo(explained_.wrapped(min(available, WIDTH)), nl=False)
    return 0
