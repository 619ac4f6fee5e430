"""Findings that a baseline knows are left out, wherever they have moved to."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest
from calling import call

from mcpcfg.compiler.diagnostics.finding import Finding, Subject
from mcpcfg.compiler.diagnostics.secret.text import Shown
from mcpcfg.compiler.diagnostics.span import InputError, Span
from mcpcfg.compiler.project.baseline import compare, entry_of, load, read, write
from mcpcfg.compiler.reading.bound import MAX_FILE_BYTES

if TYPE_CHECKING:
    from pathlib import Path


def finding(message: str = "no version", *, line: int = 1, file: str = "a.yaml", name: str | None = "fetch") -> Finding:
    subject = None if name is None else Subject("MCPServer", "default", name)
    return Finding(
        rule="IMG001",
        name="untagged-image",
        severity="info",
        stage="lint",
        span=Span(file, line, 1, line, 2),
        message=Shown(message),
        subject=subject,
    )


def test_a_written_baseline_accepts_its_findings() -> None:
    findings = [finding(), finding("other"), finding(name=None)]
    compared = compare(findings, read(write(findings), "baseline.json"))

    assert (compared.new, compared.accepted, compared.gone) == ([], 3, [])


def test_a_baseline_accepts_a_finding_in_another_line_and_file() -> None:
    known = read(write([finding()]), "baseline.json")

    assert compare([finding(line=40, file="b.yaml")], known).new == []


def test_without_a_resource_a_finding_is_identified_by_its_file() -> None:
    known = read(write([finding(name=None)]), "baseline.json")

    assert compare([finding(name=None, line=9)], known).new == []
    assert len(compare([finding(name=None, file="b.yaml")], known).new) == 1


def test_a_third_equal_finding_is_new_if_the_baseline_accepts_two() -> None:
    known = read(write([finding(line=1), finding(line=2)]), "baseline.json")
    third = finding(line=3)

    compared = compare([finding(line=1), finding(line=2), third], known)

    assert compared.new == [third]
    assert compared.accepted == 2


def test_a_fixed_finding_is_reported_as_gone() -> None:
    known = read(write([finding(), finding(line=2), finding("other")]), "baseline.json")

    compared = compare([finding()], known)

    assert compared.gone == [(entry_of(finding()), 1), (entry_of(finding("other")), 1)]


def test_a_baseline_is_sorted_and_indented() -> None:
    text = write([finding("b", line=1), finding("a", line=2), finding("a", line=3)])

    assert text == write([finding("a", line=9), finding("b", line=8), finding("a", line=7)])
    assert json.loads(text) == {
        "version": 1,
        "findings": [
            {
                "rule": "IMG001",
                "kind": "MCPServer",
                "namespace": "default",
                "resource": "fetch",
                "message": "a",
                "count": 2,
            },
            {"rule": "IMG001", "kind": "MCPServer", "namespace": "default", "resource": "fetch", "message": "b"},
        ],
    }


def test_an_empty_baseline_accepts_nothing() -> None:
    assert compare([finding()], read(write([]), "baseline.json")).accepted == 0


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("{", "the baseline is not JSON"),
        ("[" * 100_000, "the baseline is not JSON"),
        ("[]", "this is not a baseline"),
        ('{"version": 2, "findings": []}', "of version 2, not 1"),
        ('{"version": 1, "findings": [1]}', r"findings\[0\] needs a rule and a message"),
        ('{"version": 1, "findings": [{"rule": "A", "message": "b", "kind": 1}]}', "of another type"),
        ('{"version": 1, "findings": [{"rule": "A", "message": "b", "count": 0}]}', "of another type"),
    ],
)
def test_a_text_that_is_no_baseline_is_refused(text: str, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        read(text, "baseline.json")


def test_a_baseline_has_the_size_limit_of_other_files(tmp_path: Path) -> None:
    file = tmp_path / "known.json"
    with file.open("wb") as stream:
        stream.truncate(MAX_FILE_BYTES + 1)

    with pytest.raises(InputError, match="larger than 64 MiB"):
        load(str(file))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_baseline_that_is_a_pipe_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "known.json")
    (tmp_path / "mcpcfg.yaml").write_text("baseline: known.json\n")
    (tmp_path / "group.yaml").write_text("kind: MCPGroup\n")
    monkeypatch.chdir(tmp_path)

    done = call("check")

    assert (done.status, done.err.splitlines()[-1]) == (2, "mcpcfg: known.json: not a regular file")
