"""Parts of a check, joined, report the same as one check."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

import click
import pytest
from click.testing import CliRunner
from sample import random_text, resource

from mcpcfg.compiler.cli.main import program
from mcpcfg.compiler.diagnostics.span import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tree").mkdir()
    rng = random.Random(5)
    for number in range(40):
        (tmp_path / "tree" / f"f{number}.yaml").write_text(random_text(rng))
    (tmp_path / "tree" / "chart" / "templates").mkdir(parents=True)
    (tmp_path / "tree" / "chart" / "Chart.yaml").touch()
    (tmp_path / "tree" / "chart" / "templates" / "a.yaml").write_text("kind: {{ .Values.kind }}\n")
    (tmp_path / "tree" / "registry.json").write_text(
        json.dumps({"version": "1", "last_updated": "2026-01-01T00:00:00Z", "servers": {"x": {"image": 7}}})
    )
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(program, arguments, standalone_mode=False)


def parts(count: int) -> list[str]:
    names = [f"facts-{number}.json" for number in range(1, count + 1)]
    for number, name in enumerate(names, 1):
        assert run("check", "tree", "--shard", f"{number}/{count}", "--output", name).return_value == 0
    return names


@pytest.mark.parametrize("count", [1, 2, 5])
def test_joined_parts_report_the_same_bytes_as_one_check(count: int) -> None:
    whole = run("check", "tree", "--no-cache", "--format", "json")
    joined = run("merge", *reversed(parts(count)), "--format", "json")
    assert (joined.return_value, joined.stdout) == (whole.return_value, whole.stdout)
    summary = json.loads(whole.stdout)["summary"]
    assert summary["errors"] > 5
    assert summary["templates"] > 0


def test_a_missing_part_is_reported() -> None:
    names = parts(3)
    error = run("merge", names[0], names[2]).exception
    assert isinstance(error, InputError)
    assert "part 2 of 3 is missing" in str(error)


def test_merge_refuses_parts_of_another_set_of_files(folder: Path) -> None:
    names = parts(2)
    (folder / "tree" / "new.yaml").write_text("a: b\n")
    error = run("merge", *names).exception
    assert isinstance(error, InputError)
    assert "other files" in str(error)


def test_a_changed_or_foreign_file_is_reported(folder: Path) -> None:
    names = parts(2)
    text = (folder / names[0]).read_text()
    (folder / names[0]).write_text(text.replace("MCPServer", "MCPServes"))
    assert "changed since it was written" in str(run("merge", *names).exception)
    (folder / names[0]).write_text("[]")
    assert "not written by" in str(run("merge", *names).exception)
    assert "not parts of one check" in str(run("merge", names[1], *_others()).exception)


def _others() -> list[str]:
    run("check", "tree", "--closed", "--shard", "1/2", "--output", "other.json")
    return ["other.json"]


@pytest.mark.parametrize("text", ["0/2", "3/2", "1", "x/2", "1/0"])
def test_a_part_that_does_not_exist_is_refused(text: str) -> None:
    error = run("check", "tree", "--shard", text).exception
    assert isinstance(error, click.UsageError)


def test_merged_parts_of_isolated_files_stay_isolated(folder: Path) -> None:
    for name in ("one", "two"):
        (folder / "tree" / f"{name}.yaml").write_text(resource("MCPGroup", "twice", namespace="elsewhere"))
    names = [f"isolated-{number}.json" for number in (1, 2)]
    for number, name in enumerate(names, 1):
        run("check", "tree", "--isolated", "--shard", f"{number}/2", "--output", name)
    whole = run("check", "tree", "--no-cache", "--isolated", "--format", "json").stdout
    assert run("merge", *names, "--format", "json").stdout == whole
    assert "declared a second time" in run("check", "tree", "--no-cache").stdout
