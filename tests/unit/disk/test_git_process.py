"""Git as a process of ours."""

from __future__ import annotations

import io
import signal
import subprocess

import pytest

from mcpcfg.compiler.disk import git


def test_git_that_does_not_end_is_ended() -> None:
    with subprocess.Popen(["sleep", "600"], start_new_session=True) as process:
        git._kill(process)
        assert process.wait(10) == -signal.SIGKILL


def test_a_git_process_that_has_ended_is_not_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    with subprocess.Popen(["true"], start_new_session=True) as process:
        process.wait(10)
        monkeypatch.setattr("os.killpg", lambda *_: pytest.fail("the process has ended"))
        git._kill(process)
        assert process.returncode == 0


@pytest.mark.parametrize(
    ("answer", "content"),
    [
        (b"ab12 blob 3\nabc\n", b"abc"),
        (b"ab12 tree 3\nabc\n", None),
        (b"dangling 3\nabc\n", None),
        (b"HEAD:a missing\n", None),
        (b"HEAD:a 5 missing\n", None),
        (b"a 5\nabc\n", None),
    ],
)
def test_an_answer_of_git_is_a_file_or_none(answer: bytes, content: bytes | None) -> None:
    assert git._read_response(io.BytesIO(answer), 10) == content
