"""The functions of the MCP tools check, explain, fix and build."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from .. import api
from ..diagnostics.shown import sanitized
from ..diagnostics.span import InputError
from ..disk.confinement import confinement
from ..disk.output_file import Change, write_changes
from ..fix import fixed_file
from ..generate.explain.page import Explanation, explanation
from ..graph.project import project_graph
from ..graph.resource_page import may_name_resource, resource_page
from ..project.discovery import crds_of_pages, settings_of_pages
from .project import Arguments, checked

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..diagnostics.finding import Finding

MOST_FINDINGS: Final = 300
"""Maximum number of findings in an answer, because agents read every answer whole. The summary counts all findings."""
MOST_CHARACTERS: Final = 400_000
"""Maximum number of characters of compiled files in an answer, because agents read every answer whole."""


def check(arguments: Arguments) -> dict[str, Any]:
    """Check files. Return the data of ``check --format json``, with at most `MOST_FINDINGS` findings.

    If there are more, the most severe findings remain, and a remark counts the others.
    """
    report = checked(arguments)
    answer: dict[str, Any] = json.loads(api.render(report, "json", severity=arguments.get("severity")))
    remarks = [*report.project.remarks]
    if report.nothing:
        remarks.append("nothing was checked: no resource or record of ours is in these files; name other paths")
    if len(answer["findings"]) > MOST_FINDINGS:
        by_severity = ("error", "warning", "info")
        first = sorted(answer["findings"], key=lambda finding: by_severity.index(finding["severity"]))
        remarks.append(f"{len(first) - MOST_FINDINGS} more findings are left out; fix these first, and check again")
        answer["findings"] = first[:MOST_FINDINGS]
    return answer | ({"remarks": [*map(sanitized, remarks)]} if remarks else {})


def explain(arguments: Arguments) -> dict[str, Any]:
    """Explain a rule, a kind, a field or a resource of the project. Return the data of ``explain --format json``.

    Raises:
        InputError: The argument ``what`` names none of them.
    """
    what, settings = arguments["what"], settings_of_pages(None)
    try:
        return explanation(what, settings.profile, partial(crds_of_pages, settings)).as_json()
    except InputError as unknown:
        if not may_name_resource(what):
            raise
        graph = project_graph(checked({}), all_kinds=True)
        return Explanation(resource_page(graph, what, unknown)).as_json()


def fix(arguments: Arguments, *, may_write: bool) -> dict[str, Any]:
    """Fix files. Return the changes as diffs, and write the files if the argument ``write`` is true.

    Raises:
        InputError: ``write`` is true, but the server must not write, or the call contains texts instead of paths.
    """
    writes = arguments.get("write", False)
    if writes and not may_write:
        raise InputError("this server writes no files: apply the diff yourself, or start it with --write")
    if writes and arguments.get("files"):
        raise InputError("texts in files are fixed without write: apply the diff to them")
    changes = [*fixed_file.fixed(checked(arguments), unsafe=arguments.get("unsafe", False))]
    files = [
        {
            "file": file,
            "titles": [*map(sanitized, after.titles)],
            "diff": fixed_file.file_patch(file, before, after).decode("utf-8", "replace"),
        }
        for file, before, after in changes
    ]
    for file, before, after in changes if writes else ():
        write_changes({file: Change(before, after.text)}, (confinement() or ".",))
    return {"version": 1, "files": files, "written": bool(writes and changes)}


def build(arguments: Arguments) -> dict[str, Any]:
    """Compile files for a target. Return the texts of the compiled files with secrets masked.

    Files beyond `MOST_CHARACTERS` in total are listed under ``omitted``, without their texts.
    """
    report = checked(arguments)
    artifacts = api.build(
        report,
        arguments["target"],
        standalone=arguments.get("standalone", False),
        keep_going=arguments.get("keepGoing", False),
        cluster=arguments.get("cluster"),
    )
    files, omitted, left = [], [], MOST_CHARACTERS
    for artifact in artifacts.files:
        left -= len(artifact.text)
        if left < 0:
            omitted.append(sanitized(artifact.path))
        else:
            files.append(
                {"path": sanitized(artifact.path), "text": fixed_file.masked_text(artifact.text, artifact.path)}
            )
    remarks = [*artifacts.left_out, *artifacts.remarks]
    if artifacts.stopped:
        remarks.append("nothing was compiled: fix the errors, or compile the rest with keepGoing")
    return {
        "version": 1,
        "target": arguments["target"],
        "files": files,
        "omitted": omitted,
        "complete": artifacts.complete and not omitted,
        "findings": _errors(artifacts.findings),
        "remarks": [*map(sanitized, remarks)],
    }


def _errors(findings: Iterable[Finding]) -> list[dict[str, Any]]:
    errors = [finding.as_json() for finding in findings if finding.severity == "error"]
    return errors[:MOST_FINDINGS]
