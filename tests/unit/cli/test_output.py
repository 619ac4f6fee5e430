"""``check --output``: one run writes several formats."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from calling import Outcome, call

BROKEN = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPGroup\nmetdata: {name: tools}\n"


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    Path("deploy").mkdir()
    Path("deploy/group.yaml").write_text(BROKEN)


def alone(format_: str) -> str:
    return check("--format", format_).out


def check(*args: str) -> Outcome:
    return call("check", *args, "deploy")


@pytest.mark.parametrize("screen", ["text", "github", "json"])
def test_files_in_other_formats_do_not_change_standard_output(screen: str) -> None:
    expected = check("--format", screen)

    done = check("--format", screen, "--output", "sarif=a b.sarif", "--output=junit=junit.xml")

    assert done == expected
    assert done.status == 1
    assert Path("a b.sarif").read_text() == alone("sarif")
    assert Path("junit.xml").read_text() == alone("junit")
    assert json.loads(Path("a b.sarif").read_text())["runs"][0]["results"]


def test_a_file_alone_takes_the_format_and_leaves_text_to_the_screen() -> None:
    text = check()

    done = check("--format", "json", "--output", "out.json", "--output", "sarif=out.sarif")

    assert done == text
    assert Path("out.json").read_text() == alone("json")
    assert Path("out.sarif").read_text() == alone("sarif")


def test_files_are_written_where_nothing_is_found() -> None:
    Path("deploy/group.yaml").write_text(BROKEN.replace("metdata", "metadata"))

    assert check("--output", "json=out.json").status == 0
    assert json.loads(Path("out.json").read_text())["findings"] == []


@pytest.mark.parametrize(
    ("outputs", "complaint"),
    [
        (["sarif=out", "json=./out"], "names one file twice"),
        (["sarif="], "names no file"),
        ([""], "names no file"),
        (["serif=out"], "there is no format 'serif'"),
        (["sarif=missing/out"], "cannot write missing/out"),
    ],
)
def test_an_invalid_output_option_is_a_wrong_call(outputs: list[str], complaint: str) -> None:
    done = check(*(f"--output={one}" for one in outputs))

    assert done.status == 2
    assert complaint in done.err
    assert [path.name for path in Path().iterdir()] == ["deploy"]


def test_a_file_with_the_name_of_a_pair_is_given_by_its_path() -> None:
    assert check("--format", "json", "--output", "./serif=out").status == 1
    assert Path("serif=out").read_text() == alone("json")


def test_a_part_of_a_check_is_written_to_a_single_file() -> None:
    assert check("--shard", "1/2", "--output", "a", "--output", "b").status == 2
    assert check("--shard", "1/2", "--output", "part").status == 0
    assert Path("part").exists()
