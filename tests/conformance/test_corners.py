"""Every corner is judged and compiled as the operator did: inputs that mcpcfg once had wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from recorded import Case, beyond, checked, corners, first_difference, identity, read_all

from mcpcfg.compiler.diagnostics.finding import STAGES
from mcpcfg.compiler.emit.build import Build
from mcpcfg.compiler.emit.target import artifacts, stream
from mcpcfg.compiler.toolhive.operator import OperatorSettings

if TYPE_CHECKING:
    from mcpcfg.compiler.check.full import Report
    from mcpcfg.compiler.emit.target import Target

UNSEEN = beyond()
REFUSES = {
    "syntax": "not-admitted",
    "admission": "not-admitted",
    "operator": "operator-refuses",
    "process": "process-refuses",
}
FILES: dict[str, Target] = {"objects.yaml": "kubernetes", "backend.yaml": "backend", "status.yaml": "status"}


@pytest.mark.parametrize("case", corners(), ids=lambda case: case.folder.name)
def test_every_document_of_a_corner_gets_the_recorded_verdict(case: Case) -> None:
    report = checked(case)
    known = {row["document"] for row in case.verdicts if "document" in row}
    rows = [(row["kind"], row["name"], row["verdict"], row.get("document")) for row in case.verdicts]
    assert [(kind, name, _verdict(report, kind, name, at, known), at) for kind, name, _, at in rows] == rows


@pytest.mark.parametrize(
    ("case", "file"),
    [
        pytest.param(case, file, id=f"{case.folder.name}/{file}")
        for case in corners()
        for file in FILES
        if (case.folder / file).is_file() and case.accepted
    ],
)
def test_output_of_corner_cases_equals_recorded_output(case: Case, file: str) -> None:
    report = checked(case)
    accepted = [one for one in report.loaded.resources if one.admitted and one.identity in case.accepted]
    compiled, collisions = artifacts(FILES[file], Build(report.workspace, OperatorSettings()), accepted)
    assert not collisions
    made = _by_identity(stream(FILES[file], compiled), file)
    recorded = _by_identity((case.folder / file).read_text(), file)
    want = {key: one for key, one in recorded.items() if _is_of(one, case.accepted)}
    assert made.keys() == want.keys()
    assert {key: first_difference(want[key], made[key]) for key in want} == dict.fromkeys(want)


def _verdict(report: Report, kind: str, name: str, document: int | None, others: set[int]) -> str:
    """Return the verdict on a document, or on the one of that name that no other row is about."""
    stages = {
        finding.stage
        for finding in report.findings
        if finding.severity == "error"
        and finding.rule not in UNSEEN
        and finding.subject is not None
        and (finding.subject.kind, finding.subject.name) == (kind, name)
        and (finding.document == document if document is not None else finding.document not in others)
    }
    return REFUSES[min(stages, key=STAGES.index)] if stages else "accepted"


def _by_identity(text: str, file: str) -> dict[tuple[str, str, str], Any]:
    documents = read_all(text)
    if file != "status.yaml":
        return {identity(one): _without(one, "uid") for one in documents}
    rows = documents[0] if documents else []
    return {(row["kind"], row["namespace"], row["name"]): _without(row, "message") for row in rows}


def _is_of(recorded: Any, accepted: set[tuple[str, str, str]]) -> bool:
    """Return whether an object or a status was made of a resource that was accepted."""
    if "status" in recorded:
        return (recorded["kind"], recorded["namespace"], recorded["name"]) in accepted
    meta = recorded["metadata"]
    if "ownerReferences" not in meta:
        return ("MCPServer", meta["namespace"], meta["labels"]["app"]) in accepted
    return any((owner["kind"], meta["namespace"], owner["name"]) in accepted for owner in meta["ownerReferences"])


def _without(value: Any, *fields: str) -> Any:
    """Leave out the owners' ids, and texts: they are the reference's own words."""
    if isinstance(value, dict):
        return {key: _without(item, *fields) for key, item in value.items() if key not in fields}
    return [_without(item, *fields) for item in value] if isinstance(value, list) else value
