"""What a compiled status says to people: one text for each reason, in words of our own.

The texts are in ``condition-texts.tsv``: kind, condition, its status, reason, text.
``MCPCFG_REWRITE=1 pytest tests/unit/emit/test_condition_text.py`` writes them anew.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from recorded import ROOT, SELECTION

from mcpcfg.compiler.check.full import Options, check
from mcpcfg.compiler.emit.status import final_status
from mcpcfg.compiler.project.discovery import discover

if TYPE_CHECKING:
    from collections.abc import Iterator

TEXTS = Path(__file__).with_name("condition-texts.tsv")
INPUTS = {
    **dict.fromkeys(sorted(SELECTION.glob("operator/*/input.yaml")), "0.21.0"),
    **dict.fromkeys(sorted(ROOT.glob("fixtures/releases/recorded/*/input.yaml")), "0.44.0"),
}
"""Recorded projects and the release that each is judged by."""


def rows(file: Path, release: str) -> Iterator[str]:
    report = check(discover((str(file),), release=release), Options(closed=True))
    for resource in report.loaded.resources:
        made = final_status(report.workspace, resource) if resource.admitted else None
        if made is None or report.workspace.is_refused(resource):
            continue
        if "message" in made.status:
            yield "\t".join((resource.kind, "", "", str(made.status.get("phase", "")), made.status["message"]))
        for one in made.status.get("conditions", ()):
            yield "\t".join((resource.kind, one["type"], one["status"], one["reason"], one["message"]))


def test_every_condition_has_the_text_that_is_known() -> None:
    found = sorted({row for file, release in INPUTS.items() for row in rows(file, release)})
    text = "".join(f"{row}\n" for row in found)
    if os.environ.get("MCPCFG_REWRITE"):
        TEXTS.write_text(text, encoding="utf-8")

    assert text == TEXTS.read_text(encoding="utf-8")
