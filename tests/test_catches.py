"""The page about what mcpcfg catches: its files are those of ``fixtures/catches``, and their right versions pass."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from calling import call

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "fixtures" / "catches"
PAGE = (ROOT / "docs" / "catches.md").read_text(encoding="utf-8")
NAMES = sorted(path.name for path in FOLDER.glob("*.yaml") if path.name != "mcpcfg.yaml")


def test_each_file_stands_on_the_page() -> None:
    block_and_name = r"```yaml\n(.*?)```\n.*?^\$ mcpcfg check fixtures/catches/(\S+)$"
    shown = re.findall(block_and_name, PAGE, re.DOTALL | re.MULTILINE)
    assert {name: text for text, name in shown} == {name: (FOLDER / name).read_text("utf-8") for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_the_right_version_has_no_finding(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    assert call("check", "--fail-on", "warning", f"right/{name}").status == 0
    assert call("check", "--fail-on", "warning", name).status == 1
