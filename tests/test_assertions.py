"""A test that executes no assertion fails: the hooks of ``conftest.py``, in a folder of their own."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HOOKS = Path(__file__).with_name("conftest.py")
RAISES = "def test_it():\n    with pytest.raises(ValueError, match='x'):\n        raise ValueError('x')\n"


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("def test_it():\n    assert True\n", 0),
        ("def test_it():\n    for _ in range(2):\n        assert True\n", 0),
        (RAISES, 0),
        ("def test_it():\n    pytest.skip('not here')\n", 0),
        ("def test_it():\n    assert False\n", 1),
        ("def test_it():\n    len('x')\n", 1),
        ("def test_it():\n    for one in ():\n        assert one\n", 1),
        ("@pytest.fixture\ndef sound():\n    assert True\n\ndef test_it(sound):\n    len('x')\n", 1),
        ("@pytest.fixture\ndef sound():\n    assert True\n\ndef test_it(sound):\n    assert True\n", 0),
        ("@hypothesis.given(hypothesis.strategies.text())\ndef test_it(text):\n    len(text)\n", 1),
        ("@hypothesis.given(hypothesis.strategies.text())\ndef test_it(text):\n    assert text == text\n", 0),
    ],
)
def test_a_test_has_to_execute_an_assertion(tmp_path: Path, text: str, status: int) -> None:
    shutil.copy(HOOKS, tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\nenable_assertion_pass_hook = true\n")
    (tmp_path / "test_it.py").write_text(f"import hypothesis\nimport hypothesis.strategies\nimport pytest\n\n{text}")
    command = [sys.executable, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert done.returncode == status, done.stdout
    assert ("executed no assertion" in done.stdout) == (status == 1 and "assert False" not in text)
