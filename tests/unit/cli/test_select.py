"""``--select``, ``--ignore`` and ``--exclude`` limit what a call reports, as with other linters."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from calling import call

if TYPE_CHECKING:
    from pathlib import Path

SERVER = """\
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPServer
metadata: {name: fetch}
spec:
  image: ghcr.io/acme/fetch
  transport: stdio   # mcpcfg: ignore[NAM001]
  groupRef: {name: gone}
  permissionProfile: {type: builtin, name: network}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path.parent / "cache"))
    (tmp_path / "server.yaml").write_text(SERVER)
    return tmp_path


def rules(*options: str) -> list[str]:
    return [one["rule"] for one in json.loads(call("check", "--format", "json", *options).out)["findings"]]


@pytest.mark.parametrize(
    ("options", "reported"),
    [
        ((), ["IMG001", "CFG001", "REF001"]),
        (("--select", "REF"), ["REF001"]),
        (("--select", "REF001,IMG"), ["IMG001", "REF001"]),
        (("--select", "REF", "--select", "IMG001"), ["IMG001", "REF001"]),
        (("--ignore", "REF, IMG"), ["CFG001"]),
        (("--ignore", "NAM"), ["IMG001", "REF001"]),
        (("--select", "CFG,REF"), ["REF001"]),
        (("--select", "CFG,NAM"), ["CFG001"]),
        (("--select", "REF001", "--ignore", "REF"), ["REF001"]),
        (("--select", "REF", "--ignore", "REF001"), []),
        (("--select", "REF", "--ignore", "REF"), []),
        (("--select", "PRF003"), ["PRF003"]),
        (("--select", "PRF"), []),
    ],
)
def test_the_longest_beginning_of_an_id_decides(options: tuple[str, ...], reported: list[str]) -> None:
    assert rules(*options) == reported


def test_only_selected_rules_decide_the_exit_status_and_are_fixed(folder: Path) -> None:
    (folder / "server.yaml").write_text(SERVER.replace("image", "imagee"))
    assert call("check", "--select", "IMG").status == 0
    assert call("check", "--fix", "--select", "REF").status == 1
    assert (folder / "server.yaml").read_text() == SERVER.replace("image", "imagee")
    assert call("check", "--fix", "--select", "ADM").status == 0
    assert (folder / "server.yaml").read_text() == SERVER


def test_a_baseline_does_not_miss_what_is_not_selected(folder: Path) -> None:
    assert call("check", "--write-baseline", "known.json").status == 0
    assert "gone" not in call("check", "--baseline", "known.json", "--select", "REF").err


def test_an_id_that_no_rule_has_is_a_wrong_call() -> None:
    for option in ("--select", "--ignore"):
        outcome = call("check", option, "REF,XYZ0")
        assert outcome.status == 2
        assert f"{option}: no rule's id begins with XYZ0; mcpcfg rules lists them" in outcome.err


def test_rules_of_the_project_are_selected_too(folder: Path) -> None:
    rule = "{id: ACM001, kind: MCPServer, expression: 'false', message: never}"
    (folder / "mcpcfg.yaml").write_text(f"customRules: [{rule}]\n")
    assert rules("--select", "ACM") == ["ACM001"]


def test_excluded_paths_are_left_out_besides_those_of_the_configuration(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in ("drafts", "tools/a", "tools/b", "tools/c"):
        (folder / place).mkdir(parents=True)
        (folder / place / "other.yaml").write_text(SERVER.replace("fetch}", f"{place[-1]}}}"))
    (folder / "mcpcfg.yaml").write_text("exclude: [drafts/]\n")

    def files(*options: str) -> set[str]:
        found = json.loads(call("check", "--format", "json", "--select", "IMG", *options).out)["findings"]
        return {one["file"] for one in found}

    assert files() == {"server.yaml", "tools/a/other.yaml", "tools/b/other.yaml", "tools/c/other.yaml"}
    assert files("--exclude", "tools/a,server.yaml", "--exclude", "c/") == {"tools/b/other.yaml"}
    monkeypatch.chdir(folder / "tools")
    assert files("--exclude", "a/other.yaml") == {"b/other.yaml", "c/other.yaml"}
    outcome = call("check", "--exclude", "*.yaml")
    assert "no file is left to check: 3 files are left out by" in outcome.err


def test_a_warm_cache_prints_what_is_selected_now(folder: Path) -> None:
    for number in range(70):
        (folder / f"{number}.yaml").write_text(SERVER.replace("fetch}", f"s{number}}}"))
    whole = call("check")
    assert call("check", "--select", "REF").out.count("[REF001]") == 71
    assert "[IMG001]" not in call("check", "--select", "REF").out
    assert call("check") == whole


def test_a_shard_refuses_options_that_select_rules_or_files() -> None:
    outcome = call("check", "--shard", "1/2", "--select", "REF")
    assert (outcome.status, outcome.out) == (2, "")
    assert "--shard does not go with --select, --ignore and --exclude: use the configuration" in outcome.err


@pytest.mark.parametrize("command", [("build", "-t", "runconfig", "--keep-going"), ("graph",)])
def test_other_commands_leave_out_excluded_paths(folder: Path, command: tuple[str, ...]) -> None:
    (folder / "drafts").mkdir()
    other = SERVER.replace("fetch}", "other}").replace("  groupRef: {name: gone}\n", "")
    (folder / "drafts" / "other.yaml").write_text(other)

    whole, limited = call(*command, str(folder)), call(*command, str(folder), "--exclude", "drafts/")

    assert ("other" in whole.out, "other" in limited.out) == (True, False)
