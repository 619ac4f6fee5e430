"""``check --fix`` writes, ``check --diff`` shows, and both report what is left."""

from __future__ import annotations

import io
import os
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from calling import call
from drawing import resource

from mcpcfg.compiler.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

BROKEN = """\
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPServer
metadata: {name: fetch}
spec:
  imagee: ghcr.io/acme/fetch:1.2.0   # pinned
  transport: http
"""
HALF_FIXED = BROKEN.replace("imagee", "image")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "server.yaml").write_text(BROKEN)
    return tmp_path


def status(*args: str) -> int:
    with pytest.raises(SystemExit) as exit_:
        main(list(args))
    return int(exit_.value.code or 0)


def test_fix_writes_and_reports_the_rest(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert status("check", "--fix") == 1

    printed = capsys.readouterr()
    assert (folder / "server.yaml").read_text() == HALF_FIXED
    assert "ADM001" not in printed.out
    assert "ADM004" in printed.out
    assert "fixed 1 fault in 1 file" in printed.err


def test_fix_keeps_the_mode_and_the_link(folder: Path) -> None:
    os.chmod(folder / "server.yaml", 0o640)
    (folder / "link.yaml").symlink_to("server.yaml")

    status("check", "--fix", "link.yaml")

    assert (folder / "link.yaml").is_symlink()
    assert stat.S_IMODE((folder / "server.yaml").stat().st_mode) == 0o640
    assert (folder / "server.yaml").read_text() == HALF_FIXED
    assert sorted(path.name for path in folder.iterdir()) == ["link.yaml", "server.yaml"]


def test_a_second_fix_writes_nothing(folder: Path) -> None:
    status("check", "--fix", "--unsafe-fixes")
    before = (folder / "server.yaml").stat().st_mtime_ns

    assert status("check", "--fix", "--unsafe-fixes") == 0
    assert (folder / "server.yaml").stat().st_mtime_ns == before


def test_diff_writes_nothing_and_can_be_applied(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "server.yaml").write_text(BROKEN.rstrip("\n"))

    assert status("check", "--diff", "--unsafe-fixes") == 1

    patch = capsys.readouterr().out
    assert (folder / "server.yaml").read_text() == BROKEN.rstrip("\n")
    subprocess.run(["git", "apply", "-"], input=patch.encode(), check=True, cwd=folder)
    assert (folder / "server.yaml").read_text() == HALF_FIXED.replace("http", "streamable-http").rstrip("\n")


def test_standard_input_is_fixed_to_standard_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(tmp_path)  # else the checkout would be the project around it
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(BROKEN.encode())))
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.FileIO(1, "w", closefd=False), write_through=True))

    assert status("check", "--fix", "-") == 1

    printed = capfdbinary.readouterr()
    assert printed.out.decode() == HALF_FIXED
    assert b"ADM004" in printed.err


def test_a_plain_check_says_what_fix_would_do(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status("check")

    assert "--fix fixes 1 fault, and 1 more with --unsafe-fixes; --diff shows how" in capsys.readouterr().err


def test_unsafe_fixes_alone_are_a_wrong_call(folder: Path) -> None:
    assert status("check", "--unsafe-fixes") == 2


def test_a_dangling_reference_gets_the_name_that_the_hint_asks_about(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = HALF_FIXED.replace("http", "stdio") + "  groupRef: {name: 'toolz'}   # ours\n"
    (folder / "server.yaml").write_text(text)
    group = BROKEN.partition("spec")[0].replace("MCPServer", "MCPGroup").replace("fetch", "tools")
    (folder / "group.yaml").write_text(group)

    assert status("check", "--fix") == 1
    assert "--fix --unsafe-fixes fixes 1 fault" not in capsys.readouterr().err
    assert status("check") == 1
    assert "--fix --unsafe-fixes fixes 1 fault" in capsys.readouterr().err
    assert status("check", "--fix", "--unsafe-fixes") == 0
    assert (folder / "server.yaml").read_text() == text.replace("toolz", "tools")


def test_a_diff_without_changes_names_the_option_that_shows_more(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(resource("MCPServer", "a", "{image: 'a:1', transport: http}"), "utf-8")

    outcome = call("check", str(tmp_path), "--diff")

    assert (outcome.out, outcome.err) == ("", "--fix --unsafe-fixes fixes 1 fault; --diff --unsafe-fixes shows how\n")


def test_a_diff_of_a_project_without_faults_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(resource("MCPServer", "a", "{image: 'a:1', transport: stdio}"), "utf-8")

    assert call("check", str(tmp_path), "--diff").err == "nothing to fix\n"
