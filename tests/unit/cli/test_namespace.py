"""A namespace that cannot be is a wrong call, and a wrong configuration."""

from __future__ import annotations

from pathlib import Path

import pytest
from calling import call

SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n"
IMPOSSIBLE = {
    "Bad NS": 'may have lower-case letters, digits and "-" only',
    "": "must not be empty",
    "a.b": "must not have dots",
    "a" * 64: "must have at most 63 characters, not 64",
}


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.yaml").write_text(SECRET)


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_a_call_with_a_namespace_that_cannot_be_is_wrong(name: str) -> None:
    outcome = call("check", "--namespace", name)

    assert outcome.status == 2
    assert f'"{name}" {IMPOSSIBLE[name]}' in outcome.err


@pytest.mark.parametrize(
    "command",
    [
        ("build", "--target", "kubernetes"),
        ("diff", "a.yaml", "a.yaml"),
        ("client", "config", "cursor"),
        *(("simulate", one, "a.yaml") for one in ("tools", "workflow", "authz", "role", "rate-limit")),
    ],
    ids=" ".join,
)
def test_every_command_refuses_an_invalid_namespace(command: tuple[str, ...]) -> None:
    outcome = call(*command, "-n", "a_b")

    assert outcome.status == 2
    assert '"a_b" may have lower-case letters' in outcome.err


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_an_invalid_namespace_in_the_configuration_is_reported_at_its_place(name: str) -> None:
    Path("mcpcfg.yaml").write_text(f"failOn: error\nnamespace: '{name}'\n")

    outcome = call("check")

    assert outcome.status == 2
    assert outcome.err.count("mcpcfg.yaml:2:12") == 1
    assert f'namespace "{name}" {IMPOSSIBLE[name]}' in outcome.err


def test_a_valid_namespace_is_accepted() -> None:
    outcome = call("check", "-n", "team-7")
    assert (outcome.status, outcome.out) == (0, "")
    assert "team-7" not in outcome.err
