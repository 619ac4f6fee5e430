"""The checker of English: `english`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from english import faults

PROGRAM = Path(__file__).resolve().parent / "support/english.py"


def module(entry: str = "", sentence: str = "Return the name.", body: str = "return name") -> str:
    section = f"\n\n    Args:\n        name: {entry}\n" if entry else ""
    return f'def function(name):\n    """{sentence}{section}\n    """\n    {body}\n'


@pytest.mark.parametrize(
    "entry",
    [
        "Of the resource.",
        "What the file holds.",
        "Where the value stands.",
        "Whether a default counts.",
        "By which it is found.",
        "Its text.",
    ],
)
def test_an_entry_must_begin_with_a_noun(entry: str) -> None:
    first = entry.split(maxsplit=1)[0]
    assert [fault for _, fault in faults(module(entry))] == [
        f'the entry "name" begins with "{first}": begin with a noun',
        *(['"By which": say it plainly'] if first == "By" else []),
    ]


@pytest.mark.parametrize("entry", ["Name.", "The name.", "A name."])
def test_an_entry_must_not_repeat_the_name(entry: str) -> None:
    assert list(faults(module(entry))) == [(1, 'the entry "name" only repeats the name: delete it')]


@pytest.mark.parametrize("entry", ["Name of the resource.", "``None`` if there is no file.", "True to fold lines."])
def test_an_entry_that_begins_with_a_noun_is_clean(entry: str) -> None:
    assert list(faults(module(entry))) == []


@pytest.mark.parametrize(
    "phrase", ["is none", "of ours", "put into words", "anew", "by which", "but for", "leads nowhere"]
)
def test_a_phrase_that_is_hard_to_read_is_reported(phrase: str) -> None:
    expected = f'"{phrase}": say it plainly'
    assert list(faults(module(sentence=f"Return the name that {phrase} here."))) == [(2, expected)]
    assert list(faults(f"value = 1  # {phrase}\n")) == [(1, expected)]


def test_there_is_none_is_clean() -> None:
    assert list(faults(module(sentence="Return the name, or ``None`` if there is none."))) == []


def test_a_phrase_on_two_lines_is_reported() -> None:
    assert list(faults('"""Text that is put\ninto words."""\n')) == [(1, '"put into words": say it plainly')]


@pytest.mark.parametrize(
    "code",
    ["[one for one in values]", "for one in values:\n    print(one)", "def function(one): ...", "lambda one: one"],
)
def test_a_definition_of_one_is_reported_once(code: str) -> None:
    assert list(faults(f"{code}\n")) == [(1, 'the name "one" says nothing: name the thing')]


def test_british_spelling_is_reported_in_text_and_in_names() -> None:
    assert list(faults('"""The colour."""\n')) == [(1, '"colour": use American spelling')]
    assert list(faults("class Licence: ...\n")) == [(1, 'the name "Licence" contains "Licence": use American spelling')]
    assert list(faults("behaviour = 1\n")) == [(1, 'the name "behaviour" contains "behaviour": use American spelling')]


def test_a_name_of_another_library_may_be_british() -> None:
    assert list(faults("print(thing.colour)\n")) == []


def run(folder: Path) -> tuple[int, str]:
    result = subprocess.run([sys.executable, PROGRAM, folder], capture_output=True, text=True, check=False)
    return result.returncode, result.stdout


def test_the_program_prints_the_place_and_fails(tmp_path: Path) -> None:
    bad, good = tmp_path / "bad.py", tmp_path / "good.py"
    bad.write_text("# This is anew.\n", encoding="utf-8")
    good.write_text("# This is new.\n", encoding="utf-8")
    assert run(tmp_path) == (1, f'{bad}:1: "anew": say it plainly\n')
    bad.unlink()
    assert run(tmp_path) == (0, "")


def test_a_folder_that_does_not_exist_is_reported(tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    assert run(missing) == (1, f"{missing}: no such folder\n")
