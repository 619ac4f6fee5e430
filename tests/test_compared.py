"""The page that compares mcpcfg with other programs: its tables show the record, and the record is of these files."""

from __future__ import annotations

import json

import checkers
import compared
import pytest

RECORD = json.loads(compared.RECORD.read_text(encoding="utf-8"))
PROGRAMS = {program["name"]: program for program in RECORD["programs"]}


def test_the_tables_show_the_record() -> None:
    """``make compared COMPARED=--render`` writes them again."""
    text = compared.PAGE.read_text(encoding="utf-8")
    assert compared.page(text, RECORD) == text


def test_the_record_is_of_these_files() -> None:
    """``make compared`` runs all programs again."""
    assert (RECORD["files"], RECORD["release"]) == (compared.digest(), checkers.RELEASE)


def test_each_program_stands_in_the_record_once() -> None:
    assert set(PROGRAMS) == {*checkers.MODULES, "yaml-language-server", "mcpcfg"}
    assert len(PROGRAMS) == len(RECORD["programs"])


@pytest.mark.parametrize(
    ("wrong", "right", "verdict"),
    [
        (["1: a fault"], [], compared.FOUND),
        ([], [], compared.MISSED),
        (["1: a fault"], ["1: a fault"], compared.FALSE_ALARM),
        ([], ["1: a fault"], compared.FALSE_ALARM),
    ],
)
def test_a_program_that_reports_the_right_file_has_not_found_the_fault(
    wrong: list[str], right: list[str], verdict: str
) -> None:
    assert compared.verdict({"reported": {"a.yaml": wrong, "right/a.yaml": right}}, "a.yaml") == verdict
    assert compared.verdict({"reported": {}}, "a.yaml") == compared.OTHER_SUBJECT


def test_mcpcfg_finds_all_of_them() -> None:
    """``tests/test_catches.py`` shows that it still does."""
    assert {compared.verdict(PROGRAMS["mcpcfg"], name) for name in compared.faults()} == {compared.FOUND}
