"""Admission beside the recorded judgements of the API server's own validation."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from mcpcfg.compiler.admission.admit import admit
from mcpcfg.compiler.reading.document import read_documents
from mcpcfg.compiler.toolhive.profile import TOOLHIVE, profile_of_release
from mcpcfg.compiler.toolhive.release import OLDEST

_PROFILE = profile_of_release(TOOLHIVE, OLDEST)
_ROOT = Path(__file__).parents[3]
_FIXTURES = _ROOT / "fixtures" / "admission"
_SHARED = Path(os.environ.get("MCPCFG_CONFORMANCE", _ROOT.parent / "shared" / "conformance"))


def _rows(folder: Path) -> list[dict[str, Any]]:
    text = (folder / "verdicts.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


def _pointer(recorded: str) -> str:
    return "/" + recorded.replace("[", "/").replace("]", "").replace(".", "/")


def _differences(folder: Path, row: dict[str, Any]) -> list[Any]:
    """Return what differs: a document judged otherwise, or one fault reported elsewhere than at its place or parent."""
    documents, findings = read_documents((folder / row["file"]).read_bytes(), row["file"])
    assert not findings
    assert len(documents) == row["documents"]
    refused = {one["index"]: one["findings"] for one in row["refused"]}
    out: list[Any] = []
    for document in documents:
        admission = admit(document, profile=_PROFILE)
        recorded = refused.get(document.index, [])
        if admission.admitted == bool(recorded):
            out.append((row["file"], document.index, admission.findings))
        elif len(recorded) == 1 and recorded[0]["path"]:
            place = _pointer(recorded[0]["path"])
            reported = {"".join(f"/{step}" for step in one.path or ()) for one in admission.findings}
            if not reported & {place, place.rpartition("/")[0]}:
                out.append((row["file"], document.index, place, reported))
    return out


@pytest.mark.parametrize("row", _rows(_FIXTURES), ids=lambda row: row["file"].removesuffix(".yaml"))
def test_a_recorded_project_is_judged_as_recorded(row: dict[str, Any]) -> None:
    assert _differences(_FIXTURES, row) == []


@pytest.mark.skipif(not _SHARED.exists(), reason="the recorded conformance cases are not beside this checkout")
def test_every_recorded_project_is_judged_as_recorded() -> None:
    folder = _SHARED / "admission"

    assert [difference for row in _rows(folder) for difference in _differences(folder, row)] == []


@pytest.mark.skipif(not _SHARED.exists(), reason="the recorded conformance cases are not beside this checkout")
def test_resources_of_operator_cases_are_admitted_as_recorded() -> None:
    differing = []
    for case in sorted((_SHARED / "operator").iterdir()):
        recorded = json.loads((case / "expected.json").read_text(encoding="utf-8"))
        refused = {one["document"] for one in recorded if one["verdict"] == "not-admitted"}
        documents, _ = read_documents((case / "input.yaml").read_bytes(), "input.yaml")
        differing += [
            (case.name, document.index)
            for document in documents
            if admit(document, profile=_PROFILE).admitted == (document.index in refused)
        ]
    assert differing == []
