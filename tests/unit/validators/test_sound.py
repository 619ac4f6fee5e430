"""Projects that follow good practice are checked in silence: not an error, not a warning, not an info."""

from __future__ import annotations

from pathlib import Path

import pytest
from judging import release_of

from mcpcfg.compiler.check.full import Options, check
from mcpcfg.compiler.project.discovery import discover

FOLDER = Path(__file__).parents[3] / "fixtures" / "sound"


@pytest.mark.parametrize("project", sorted(FOLDER.iterdir()), ids=lambda path: path.stem)
def test_a_sound_project_gets_no_finding_at_all(project: Path) -> None:
    found = check(discover((str(project),), release=release_of(project))._replace(complete=True), Options())

    assert found.findings == []
    assert found.loaded.resources
