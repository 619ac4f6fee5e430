"""A call that is made again says the same, from what was kept or anew."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from mcpcfg.compiler import pipeline
from mcpcfg.compiler.cli import repetition
from mcpcfg.compiler.cli.main import program

if TYPE_CHECKING:
    from pathlib import Path

SERVER = """apiVersion: toolhive.stacklok.dev/v1alpha1
kind: MCPServer
metadata: {name: one}
spec: {image: "ghcr.io/acme/one:1.0", transport: stdio, groupRef: {name: GROUP}}
"""
GROUP = "apiVersion: toolhive.stacklok.dev/v1alpha1\nkind: MCPGroup\nmetadata: {name: tools}\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project that is not fresh, and a cache for few files."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("CI", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pipeline, "FEWEST_KEPT", 1)
    tree = tmp_path / "tree"
    tree.mkdir()
    monkeypatch.chdir(tree)
    write(tree / "server.yaml", SERVER)
    write(tree / "group.yaml", GROUP)
    return tree


def write(path: Path, text: str) -> None:
    """Write a file as if a while ago."""
    path.write_text(text, encoding="utf-8")
    before = time.time_ns() - 3_600_000_000_000
    os.utime(path, ns=(before, before))


def check(*options: str) -> Result:
    return CliRunner().invoke(program, ["check", *options], standalone_mode=False)


def said(result: Result) -> tuple[object, ...]:
    assert result.exception is None, result.output
    return result.stdout, result.stderr, result.return_value


@pytest.mark.parametrize("options", [(), ("--format", "json"), ("--format", "sarif"), ("--color",)], ids=" ".join)
def test_the_same_call_says_the_same_again(options: tuple[str, ...]) -> None:
    anew = said(check("--no-cache", *options))
    assert "GROUP" in str(anew[0])
    for _ in range(3):
        assert said(check(*options)) == anew


def test_nothing_is_told_anew_where_nothing_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    first = said(check())
    monkeypatch.setattr("mcpcfg.compiler.cli.check.write_findings", None)
    assert said(check()) == first


def test_another_call_or_another_text_is_told_anew(folder: Path) -> None:
    assert said(check())[2] == 1
    assert said(check("--fail-on", "never"))[2] == 0
    assert said(check("--format", "json")) == said(check("--no-cache", "--format", "json"))
    write(folder / "server.yaml", SERVER.replace("GROUP", "tools") + "# mended\n")
    mended = said(check())
    assert mended == said(check("--no-cache"))
    assert mended[2] == 0
    write(folder / "server.yaml", SERVER)
    assert said(check())[2] == 1


def test_what_is_damaged_is_told_anew(folder: Path) -> None:
    first = said(check())
    (kept,) = (folder.parent / "cache" / "mcpcfg").glob("*.said")
    kept.write_bytes(kept.read_bytes()[:-5] + b"xxxxx")
    assert said(check()) == first


def test_a_baseline_and_a_file_for_the_report_are_never_left_out(folder: Path) -> None:
    check()
    report = folder.parent / "report.json"
    for _ in range(2):
        check("--format", "json", "--output", str(report))
        assert report.read_text(encoding="utf-8").startswith("{")
        report.unlink()
    check("--write-baseline", str(folder.parent / "known.json"))
    for _ in range(2):
        assert said(check("--baseline", str(folder.parent / "known.json")))[2] == 0
    assert said(check())[2] == 1


def test_the_kept_words_are_those_of_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    kept = repetition.repeated
    monkeypatch.setattr(repetition, "repeated", lambda cache, call, tell: calls.append(call) or kept(cache, call, tell))
    check()
    check("--format", "json")
    assert len(set(map(repr, calls))) == 2
