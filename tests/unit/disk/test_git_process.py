"""Git as a process of ours."""

from __future__ import annotations

import signal
import subprocess

from mcpcfg.compiler.disk import git


def test_git_that_does_not_end_is_ended() -> None:
    with subprocess.Popen(["sleep", "600"], start_new_session=True) as process:
        git._kill(process)
        assert process.wait(10) == -signal.SIGKILL


def test_git_that_has_ended_is_left_alone() -> None:
    with subprocess.Popen(["true"], start_new_session=True) as process:
        process.wait(10)
        git._kill(process)
        assert process.returncode == 0
