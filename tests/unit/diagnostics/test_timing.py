"""Where the time goes can be asked for, and shows on terminals when it takes long."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from mcpcfg.compiler.cli.check import command
from mcpcfg.compiler.diagnostics import timing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

GROUP = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPGroup\nmetadata:\n  name: one\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.yaml").write_text(GROUP)
    yield tmp_path
    timing._watch.observer = None  # there is one for the whole process


def test_verbose_names_the_stages_on_standard_error() -> None:
    result = CliRunner().invoke(command, ["--verbose", "--format", "json"], standalone_mode=False)
    assert json.loads(result.stdout)["summary"]["documents"] == 1
    stages = ("find files", "read and admit files", "merge", "index resources", "run rules")
    for name in (*stages, "check records", "suppress and sort", "report"):
        assert f"\n{name}  " in result.stderr, name


def test_without_a_terminal_nothing_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    timing.watch()
    timing.step("read", 64, 100)
    timing.clear()
    assert capsys.readouterr().err == ""


def test_a_terminal_shows_progress_after_a_second(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    timing.watch()
    timing.step("read", 64, 1000)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(timing, "_PATIENCE", 0.0)
    timing.step("read", 640, 1000)
    assert "read … 640 of 1,000" in capsys.readouterr().err
    timing.clear()
    assert capsys.readouterr().err == "\r\x1b[K"
