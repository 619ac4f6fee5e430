"""A recorded input that one release admits is admitted by a later one once it is rewritten, and is settled then."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from recorded import ROOT, SELECTION, SHARED

from mcpcfg.compiler.check.full import Options, check
from mcpcfg.compiler.fix.upgrade import upgraded
from mcpcfg.compiler.project.discovery import Project, project_of_texts
from mcpcfg.compiler.reading.excerpt import decode

if TYPE_CHECKING:
    from pathlib import Path

    from mcpcfg.compiler.diagnostics.finding import Finding

OLDEST, NEWEST = "0.21.0", "0.44.0"
RECORDED = SHARED if SHARED.is_dir() else SELECTION
INPUTS = sorted(
    [
        *(path for group in ("operator", "openshift", "corners") for path in (RECORDED / group).glob("*/input.yaml")),
        *(path for path in (RECORDED / "composites").glob("*/*.yaml") if path.name.startswith("input")),
        *(ROOT / "fixtures" / "admission").glob("*.yaml"),
        *(ROOT / "fixtures" / "sound").glob("*.yaml"),
        *(path for path in (ROOT / "fixtures" / "fix").glob("*.yaml") if ".expected" not in path.name),
    ]
)
PARTS = 16
BY_SERVER = ("syntax", "admission")


def project(release: str) -> Project:
    return project_of_texts(["input.yaml"], release=release)


def errors(text: bytes, release: str) -> list[Finding]:
    found = check(project(release), Options(buffers={"input.yaml": text})).findings
    return [one for one in found if one.severity == "error" and one.stage != "lint"]


def comments(text: bytes) -> list[str]:
    return sorted(line.split("#", 1)[1].strip() for line in decode(text).splitlines() if "#" in line)


def faults(path: Path) -> str:
    """Return what is wrong with an input after it was rewritten, if anything is."""
    text = path.read_bytes()
    after = upgraded(text, "input.yaml", project(NEWEST)).text
    # What no operator of the old release ran may have been refused later, or sooner, by another: by a schema.
    refused = {one.document for one in errors(text, OLDEST)}
    new = [one for one in errors(after, NEWEST) if one.stage in BY_SERVER and one.document not in refused]
    if new:
        return f"newly refused: {new}"
    if upgraded(after, "input.yaml", project(NEWEST)).titles:
        return "a second run changes it"
    return "" if comments(after) == comments(text) else "a comment is lost"


@pytest.mark.parametrize("part", range(PARTS))
def test_rewritten_text_is_admitted_stable_and_keeps_its_comments(part: int) -> None:
    found = {str(path): fault for path in INPUTS[part::PARTS] if (fault := faults(path))}
    assert found == {}
