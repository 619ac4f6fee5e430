"""Answers the questions of the page with mcpcfg. Questions and answers are JSON.

What only some answers need is imported when the first of them is asked for, so the first finding appears sooner.
"""

from __future__ import annotations

import json
import os
import shutil
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mcpcfg

if TYPE_CHECKING:
    from mcpcfg import Report

ROOT = Path("/project")
"""Folder of the files, in the memory of the page."""
FORMATS = (".yaml", ".yml", ".json")

_checked: tuple[str, Report] | None = None
"""The last question about files, and its report. Several answers use it."""


def answer(question: str) -> str:
    """Return the answer to a question. A fault of the program is an answer too: ``{"failed": …}``."""
    asked = json.loads(question)
    try:
        return json.dumps(_ANSWERS[asked["ask"]](asked))
    except Exception:  # noqa: BLE001 - the page shows it, and the next question is answered
        from mcpcfg.compiler.fix.fixed_file import safe_text

        return json.dumps({"failed": safe_text(traceback.format_exc(limit=-3))})


def _report(asked: dict[str, Any]) -> Report:
    global _checked  # noqa: PLW0603 - one page, one project
    key = json.dumps([asked["files"], asked["release"]])
    if _checked is None or _checked[0] != key:
        # Each file is named, so a text that is not YAML or JSON is a finding, and not a file that is left alone.
        options = mcpcfg.Options(release=asked["release"] or None)
        _checked = key, mcpcfg.check(".", *_write(asked["files"]), options=options)
    return _checked[1]


def _write(files: dict[str, str]) -> list[str]:
    """Make the files those of the current folder, so that they are one project. Return those with YAML or JSON."""
    os.chdir("/")
    shutil.rmtree(ROOT, ignore_errors=True)
    ROOT.mkdir()
    os.chdir(ROOT)
    written = [name for name in files if Path(name).resolve().is_relative_to(ROOT)]
    for name in written:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(files[name], encoding="utf-8")
    return sorted(name for name in written if name.endswith(FORMATS))


def _check(asked: dict[str, Any]) -> dict[str, Any]:
    """Return the findings as ``mcpcfg check --format json`` prints them, and the summary as a sentence."""
    try:
        report = _report(asked)
    except (mcpcfg.InputError, ValueError) as error:
        return {"refused": str(error)}
    checked: dict[str, Any] = json.loads(mcpcfg.render(report, "json", severity="info"))
    return checked


def _fixes(asked: dict[str, Any]) -> dict[str, Any]:
    """Return the edits that fix findings in a file, each with its title and the place of its finding."""
    from mcpcfg.compiler.editor.action import actions
    from mcpcfg.compiler.editor.line_map import LineMap
    from mcpcfg.compiler.fix.fix import kinds_of

    report, file = _report(asked), asked["file"]
    text = asked["files"][file]
    findings = [finding for finding in report.findings if finding.span.file == file]
    kind = kinds_of(report.loaded.records).get(file)
    out = []
    for action in actions(LineMap(text, "utf-32"), findings, report.project, file, kind):
        if action.finding is None or action.sort == "ignore":
            continue
        place = action.finding.span
        edits = [{"from": edit.start, "to": edit.end, "text": edit.text} for edit in action.edits]
        out.append(
            {
                "rule": action.finding.rule,
                "line": place.line,
                "column": place.column,
                "title": action.title,
                "safe": action.is_safe,
                "edits": edits,
            }
        )
    return {"fixes": out}


def _build(asked: dict[str, Any]) -> dict[str, Any]:
    """Return what the operator would write for a target: named texts, and sentences about what is missing."""
    built = mcpcfg.build(_report(asked), asked["target"], keep_going=True)
    return {
        "files": [{"name": artifact.path, "text": artifact.text} for artifact in built.files],
        "remarks": [*built.left_out, *built.remarks],
    }


def _graph(asked: dict[str, Any]) -> dict[str, Any]:
    """Return the page with the graph."""
    from mcpcfg.compiler.graph import page
    from mcpcfg.compiler.graph.project import project_graph

    return {"page": page.render(project_graph(_report(asked), all_kinds=False), "the project")}


_ANSWERS = {"check": _check, "fixes": _fixes, "build": _build, "graph": _graph}
