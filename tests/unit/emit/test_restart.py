"""What the operator writes back to an MCPServer that is to be restarted."""

from __future__ import annotations

import pytest
from admitted import only

from mcpcfg.compiler.emit.restart import restart_annotations

PREFIX = "mcpserver.toolhive.stacklok.dev/"
SERVER = only("apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPServer\nmetadata: {name: a}\nspec: {image: x}\n")


def written(asked: str, done: str | None = None) -> str | None:
    given = {"restarted-at": asked} | ({} if done is None else {"last-processed-restart": done})
    found = restart_annotations(SERVER, {f"{PREFIX}{key}": value for key, value in given.items()})
    assert found.keys() <= {f"{PREFIX}last-processed-restart"}
    return found.get(f"{PREFIX}last-processed-restart")


@pytest.mark.parametrize("done", [None, "2025-09-14T10:29:59Z", "2025-09-14T12:30:00+02:01", "yesterday", ""])
def test_a_time_later_than_the_last_restart_is_noted(done: str | None) -> None:
    assert written("2025-09-14T10:30:00Z", done) == "2025-09-14T10:30:00Z"


@pytest.mark.parametrize("done", ["2025-09-14T10:30:00Z", "2025-09-14T12:30:00+02:00", "2026-01-01T00:00:00Z"])
def test_a_time_that_is_no_later_changes_nothing(done: str) -> None:
    assert written("2025-09-14T10:30:00Z", done) is None


@pytest.mark.parametrize("asked", ["", "now", "2025-09-14", "2025-09-14 10:30:00Z"])
def test_a_time_that_the_operator_cannot_read_changes_nothing(asked: str) -> None:
    assert written(asked) is None
