"""Every finding of every example stands at the value or the key that is to be changed."""

from __future__ import annotations

from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from sample import resource

from mcpcfg.compiler import api
from mcpcfg.compiler.check.full import Options, check
from mcpcfg.compiler.project.discovery import discover
from mcpcfg.compiler.reading.document import read_documents
from mcpcfg.compiler.reading.excerpt import decode
from mcpcfg.validators.rules.volume import _problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcpcfg.compiler.diagnostics.finding import Finding
    from mcpcfg.compiler.diagnostics.span import Span
    from mcpcfg.compiler.reading.document import Document

FIXTURES = Path(__file__).parents[3] / "fixtures"
NO_INPUT = ("mcpcfg", "expected", "objects", "backend", "status")
FILES = sorted(
    path
    for folder in ("rules", "projects", "conformance", "composites", "vmcp")
    for path in (FIXTURES / folder).rglob("*")
    if path.suffix in (".yaml", ".json") and not path.name.startswith(NO_INPUT)
)


def folder(path: Path) -> str:
    """Return the topic of the rule whose examples a file belongs to, or the name of another collection.

    The example of one rule may consist of files that have no finding each on its own.
    """
    collection, inner, *_ = path.relative_to(FIXTURES).parts
    return f"{collection}/{inner[:3]}" if collection == "rules" else collection


BY_FOLDER = {name: list(files) for name, files in groupby(FILES, folder)}
"""Together, as in many a sound example nothing is found."""
each_folder = pytest.mark.parametrize("files", BY_FOLDER.values(), ids=BY_FOLDER)
OF_THE_WHOLE = {"ADM033", "RES004", "VMC001", "VMC101"}
"""Findings about a document as a whole: it lacks its kind, its spec or another part on its first level."""


@cache
def findings(path: Path) -> Sequence[Finding]:
    return check(discover((str(path),))._replace(complete=True), Options(closed=True)).findings


def begins_within(inner: Span, outer: Span) -> bool:
    begin, end = (outer.line, outer.column), (outer.end_line, outer.end_column)
    return begin <= (inner.line, inner.column) <= end and (inner.end_line, inner.end_column) <= end


@each_folder
def test_every_finding_points_to_its_place_in_the_file(files: list[Path]) -> None:
    for path in files:
        check_places(path)


def check_places(path: Path) -> None:
    text = decode(path.read_bytes())
    lines = text.splitlines() or [""]
    documents: dict[str, list[Document]] = {}
    for finding in findings(path):
        span = finding.span
        assert Path(span.file).resolve() == path
        assert 1 <= span.line <= span.end_line <= len(lines) + 1
        assert 1 <= span.column <= len((*lines, "")[span.line - 1]) + 1
        assert (span.line, span.column) <= (span.end_line, span.end_column)
        if finding.path is None or finding.document is None:
            continue
        if not documents:
            for dialect in ("kubernetes", "vmcp"):
                documents[dialect] = list(read_documents(text, str(path), dialect=dialect)[0])
        own = [read[finding.document] for read in documents.values() if finding.document < len(read)]
        places = [place for one in own for place in (one.span(finding.path), one.key_span(finding.path))]
        assert any(begins_within(span, place) for place in places), finding
        assert finding.path or finding.rule in OF_THE_WHOLE, finding
        # Only its last field may be missing: the place of what leads nowhere else is that of something around it.
        assert min(missing_steps(one.data, finding.path) for one in own) <= 1, finding


def missing_steps(value: Any, path: tuple[str | int, ...]) -> int:
    """Return how many steps of a path lead nowhere."""
    for number, step in enumerate(path):
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return len(path) - number
    return 0


@each_folder
def test_every_message_and_hint_is_a_single_clause(files: list[Path]) -> None:
    for finding in (finding for path in files for finding in findings(path)):
        for text in (finding.message, finding.hint or "x"):
            assert text == text.strip()
            assert text
            assert "\n" not in text
            assert not text.endswith(".") or text.endswith(("…", "...")), text
        first = finding.message.split()[0].strip('"(,:')
        assert not (first.istitle() and first.isalpha() and first.lower() in ORDINARY), finding.message


ORDINARY = frozenset({"a", "an", "the", "this", "these", "no", "there", "it", "nothing", "only", "write", "set"})
"""Words that begin a sentence, and so no clause."""


def test_a_colon_is_reported_in_the_path_that_has_it() -> None:
    assert _problem({"name": "a", "hostPath": "c", "mountPath": "/x:/y"}) == ("mountPath", "a path contains a colon")
    assert _problem({"name": "a", "hostPath": "c:/x", "mountPath": "/y"}) == ("hostPath", "a path contains a colon")


def test_an_override_of_a_shared_configuration_is_pointed_to() -> None:
    text = (
        resource("MCPGroup", "g")
        + "---\n"
        + resource("MCPServer", "web", "image: a:1", "groupRef: {name: g}")
        + "---\n"
        + resource("MCPToolConfig", "shared", "toolsOverride: {fetch: {annotations: {title: Fetch}}}")
        + "---\n"
        + resource(
            "VirtualMCPServer",
            "front",
            "groupRef: {name: g}",
            "incomingAuth: {type: anonymous}",
            "config: {aggregation: {tools: [{workload: web, toolConfigRef: {name: shared}}]}}",
        )
    )
    found = [one for one in api.check(files={"a.yaml": text}).findings if one.stage == "process"]

    assert [[note.message for note in one.notes] for one in found] == [["the override is here"]]
