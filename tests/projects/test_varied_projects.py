"""Projects drawn from the models are checked and built without a crash, whatever they vary."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from varied import names, varied

from mcpcfg.compiler.api import build
from mcpcfg.compiler.check.full import Options, check
from mcpcfg.compiler.emit.target import TARGETS, stream
from mcpcfg.compiler.models.kind import kinds_of
from mcpcfg.compiler.project.discovery import discover
from mcpcfg.compiler.toolhive.release import OLDEST

if TYPE_CHECKING:
    from pathlib import Path

SAMPLE = 500


def test_projects_of_every_kind_are_drawn_each_once_and_alike_in_every_run() -> None:
    drawn = list(varied(SAMPLE))
    assert drawn == list(varied(SAMPLE))
    assert len(set(names())) == len(names())
    assert {name.partition(".")[0] for name in names()} == {kind.name for kind in kinds_of(OLDEST)}


def test_projects_of_every_sort_are_checked_and_built(tmp_path: Path) -> None:
    stages: Counter[str] = Counter()
    file = tmp_path / "project.yaml"
    for one in varied(SAMPLE):
        file.write_text(one.text)
        report = check(discover((str(file),)), Options(closed=True))
        refused_by: set[str] = {finding.stage for finding in report.findings if finding.severity == "error"}
        stages.update(refused_by or {"none"})
        for target in TARGETS:
            stream(target, build(report, target, keep_going=True).files)
    assert stages.keys() == {"none", "admission", "operator", "process"}
    assert stages["none"] > SAMPLE / 2
