"""Completion and watching."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from mcpcfg.compiler.cli.main import main

MCPCFG = str(Path(sys.executable).with_name("mcpcfg"))
BROKEN = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPGroup\nmetadata: {name: a}\nspce: {}\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_a_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(["completion", shell])

    assert exit_.value.code == 0
    assert f"_MCPCFG_COMPLETE={shell}_complete" in capsys.readouterr().out


def test_commands_and_options_are_completed() -> None:
    def completed(*words: str) -> list[str]:
        environment = {
            **os.environ,
            "_MCPCFG_COMPLETE": "bash_complete",
            "COMP_WORDS": " ".join(("mcpcfg", *words)),
            "COMP_CWORD": str(len(words)),
        }
        done = subprocess.run([MCPCFG], env=environment, capture_output=True, text=True, check=True)
        return [line.partition(",")[2] for line in done.stdout.split()]

    assert "check" in completed("ch")
    assert "--fail-on" in completed("check", "--f")
    assert "sarif" in completed("check", "--format", "s")


def test_a_change_is_checked_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.yaml").write_text(BROKEN)
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) > 1:
            raise KeyboardInterrupt
        Path("a.yaml").write_text(BROKEN.replace("spce", "spec"))

    monkeypatch.setattr("time.sleep", pause)
    with pytest.raises(SystemExit) as exit_:
        main(["check", "--watch", "--no-color"])

    printed = capsys.readouterr()
    assert exit_.value.code == 0
    assert printed.out.count("ADM001") == 1
    assert "no findings" in printed.err
    assert len(re.findall(r"^checked at \d\d:\d\d:\d\d; watching", printed.err, re.MULTILINE)) == 2


@pytest.mark.parametrize(
    ("changed", "options", "checks"),
    [
        ("mcpcfg.yaml", [], 2),
        ("pyproject.toml", [], 2),
        ("../elsewhere.yaml", ["--config=../elsewhere.yaml"], 2),
        ("made/b.yaml", [], 2),
        ("made/b.yaml", ["--exclude=made/"], 1),
        ("c.txt", ["--output=report.json"], 1),
    ],
)
def test_a_change_of_a_file_that_is_read_is_a_change(
    changed: str,
    options: list[str],
    checks: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "elsewhere.yaml").write_text("{}\n")
    (tmp_path / "project" / "made").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "project")
    Path("a.yaml").write_text(BROKEN)
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) > 1:
            raise KeyboardInterrupt
        Path(changed).write_text("# changed\n")

    monkeypatch.setattr("time.sleep", pause)
    with pytest.raises(SystemExit):
        main(["check", "--watch", "--no-color", *options])

    assert capsys.readouterr().err.count("watching for changes") == checks


@pytest.mark.parametrize("option", ["--fix", "--write-baseline=baseline.json"])
def test_watching_excludes_options_that_write(option: str) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(["check", "--watch", option])

    assert exit_.value.code == 2
