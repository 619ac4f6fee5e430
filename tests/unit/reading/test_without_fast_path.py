"""The fast path may be taken off: everything is read exactly then, and found alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcpcfg.compiler.check.full import Options, check
from mcpcfg.compiler.project.discovery import discover
from mcpcfg.compiler.reading import excerpt

FIXTURES = Path(__file__).parents[3] / "fixtures"
PROJECTS = sorted(path for path in (FIXTURES / "projects").iterdir() if path.is_dir())
RULES = sorted(path for path in (FIXTURES / "rules").iterdir() if path.is_dir())[::4]


@pytest.fixture
def exactly(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.delattr(excerpt, "read")
    monkeypatch.setattr(excerpt.Excerpt, "read_fast", lambda _, __: None)
    return monkeypatch


@pytest.mark.parametrize("folder", [*PROJECTS, *RULES], ids=lambda path: path.name)
def test_the_exact_reader_alone_gives_the_same_findings(folder: Path, exactly: pytest.MonkeyPatch) -> None:
    found = check(discover((str(folder),)), Options()).findings
    exactly.undo()

    assert found == check(discover((str(folder),)), Options()).findings
