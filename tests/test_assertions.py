"""A test that executes no assertion fails: the hooks of ``conftest.py``, in a folder of their own."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

HOOKS = Path(__file__).with_name("conftest.py")
HEAD = "import hypothesis\nimport hypothesis.strategies\nimport pytest\n\n"
SOUND = {
    "assert": "def test_it():\n    assert True\n",
    "loop": "def test_it():\n    for _ in range(2):\n        assert True\n",
    "raises": "def test_it():\n    with pytest.raises(ValueError, match='x'):\n        raise ValueError('x')\n",
    "skip": "def test_it():\n    pytest.skip('not here')\n",
    "fixture": "@pytest.fixture\ndef sound():\n    assert True\n\ndef test_it(sound):\n    assert True\n",
    "property": "@hypothesis.given(hypothesis.strategies.text())\ndef test_it(text):\n    assert text == text\n",
}
FAILING = {"false": "def test_it():\n    assert False\n"}
EMPTY = {
    "call": "def test_it():\n    len('x')\n",
    "empty-loop": "def test_it():\n    for one in ():\n        assert one\n",
    "fixture-alone": "@pytest.fixture\ndef sound():\n    assert True\n\ndef test_it(sound):\n    len('x')\n",
    "empty-property": "@hypothesis.given(hypothesis.strategies.text())\ndef test_it(text):\n    len(text)\n",
}


@pytest.fixture(scope="module")
def failures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return why each of the tests above fails when pytest runs them; an empty text for one that does not."""
    folder = tmp_path_factory.mktemp("tests")
    shutil.copy(HOOKS, folder)
    support = HOOKS.with_name("support")
    (folder / "pytest.ini").write_text(f"[pytest]\nenable_assertion_pass_hook = true\npythonpath = {support}\n")
    for name, text in (SOUND | FAILING | EMPTY).items():
        (folder / f"test_{name.replace('-', '_')}.py").write_text(HEAD + text)
    command = [sys.executable, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junitxml=report.xml", "."]
    subprocess.run(command, cwd=folder, capture_output=True, check=False)
    cases = ET.parse(folder / "report.xml").iter("testcase")
    return {
        str(case.get("classname")).removeprefix("test_").replace("_", "-"): "".join(
            str(fault.get("message")) for fault in (*case.iter("failure"), *case.iter("error"))
        )
        for case in cases
    }


def test_a_test_has_to_execute_an_assertion(failures: dict[str, str]) -> None:
    assert set(failures) == {*SOUND, *FAILING, *EMPTY}
    assert {name for name, reason in failures.items() if not reason} == set(SOUND)
    assert {name for name, reason in failures.items() if "executed no assertion" in reason} == set(EMPTY)
