"""Standard input is checked with the project of the current folder, from which it may have been rendered."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest
from calling import call

if TYPE_CHECKING:
    from pathlib import Path

SERVER = """\
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPServer
metadata: {name: fetch}
spec:
  image: ghcr.io/acme/fetch:1
  transport: stdio
  groupRef: {name: tools}
"""
GROUP = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPGroup\nmetadata: {name: tools}\n"
PIN = """\
apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata: {name: toolhive-operator}
spec: {url: oci://ghcr.io/stacklok/toolhive/toolhive-operator, ref: {tag: RELEASE}}
"""
KEY = "  secrets: [{name: login, key: user, targetEnvName: USER_NAME}]\n"
SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {name: login}\nstringData: {token: x}\n"


@pytest.fixture(autouse=True, name="folder")
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder, which holds no configuration."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(**files: str) -> None:
    for name, text in files.items():
        path = f"{name.replace('__', '/')}.yaml"
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def check(stdin: str, *args: str) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(call("check", "-", "-f", "json", *args, stdin=stdin).out)
    return report


def rules(stdin: str, *args: str) -> list[str]:
    return [one["rule"] for one in check(stdin, *args)["findings"]]


def test_files_of_the_folder_satisfy_references_but_only_the_stream_has_findings() -> None:
    assert rules(SERVER + KEY) == ["REF001"]
    write(group=GROUP, faulty=SERVER.replace("fetch", "other").replace("stdio", "nonsense"), secret=SECRET)
    (finding,) = check(SERVER + KEY)["findings"]
    assert (finding["rule"], finding["file"], finding["severity"]) == ("REF010", "<stdin>", "error")


def test_a_rendered_stream_does_not_duplicate_the_files_it_was_rendered_from() -> None:
    write(server=SERVER, group=GROUP, base__server=SERVER, base__kustomization="resources: [server.yaml]\n")
    assert rules(f"{SERVER}---\n{GROUP}") == []
    assert rules(f"{SERVER}---\n{GROUP}---\n{SERVER}") == ["ADM090"]


@pytest.mark.parametrize("affix", ["namePrefix: prod-", "nameSuffix: -prod"])
def test_a_stream_with_renamed_resources_replaces_those_of_its_files(affix: str) -> None:
    write(
        base__server=SERVER,
        base__group=GROUP,
        base__kustomization="resources: [server.yaml, group.yaml]\n",
        prod__kustomization=f"resources: [../base]\nnamespace: prod\n{affix}\n",
        staging__kustomization="resources: [../base]\nnamespace: staging\n",
    )
    tools = "prod-tools" if "Prefix" in affix else "tools-prod"
    server = SERVER.replace("{name: fetch}", f"{{name: {tools.replace('tools', 'fetch')}, namespace: prod}}")
    group = GROUP.replace("{name: tools}", f"{{name: {tools}, namespace: prod}}")
    assert rules(f"{server}---\n{group}") == ["REF001"]
    renamed = server.replace("{name: tools}", f"{{name: {tools}}}")
    assert rules(f"{renamed}---\n{group}") == []


def test_the_nearest_pin_chooses_the_release_for_a_stream() -> None:
    pins = {cluster: PIN.replace("RELEASE", release) for cluster, release in (("a", "0.30.0"), ("b", "0.40.0"))}
    write(group=GROUP, clusters__a__operator=pins["a"], clusters__b__operator=pins["b"])
    chosen = [
        check(text, *args)["summary"]["release"]
        for text, args in (
            (SERVER, ()),
            (SERVER, ("--stdin-filename", "clusters/a/all.yaml")),
            (f"{PIN.replace('RELEASE', '0.36.0')}---\n{SERVER}", ()),
        )
    ]
    assert [(one["version"], one["from"]) for one in chosen] == [
        ("0.40.0", "clusters/b/operator.yaml:4"),
        ("0.30.0", "clusters/a/operator.yaml:4"),
        ("0.36.0", "<stdin>:4"),
    ]


def test_the_nearest_configuration_above_the_current_folder_is_used_for_a_stream(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(mcpcfg="external: {MCPGroup: [tools]}\nrules: {REF010: warning}\n", apps__secret=SECRET)
    (folder / "charts").mkdir()
    monkeypatch.chdir(folder / "charts")
    (finding,) = check(SERVER + KEY)["findings"]
    assert (finding["rule"], finding["severity"]) == ("REF010", "warning")


def test_a_stream_with_the_name_of_a_file_replaces_it() -> None:
    write(group=GROUP, all=SERVER, kustomization="resources: [all.yaml, group.yaml]\nnamespace: prod\n")
    assert rules(SERVER.replace("fetch", "search"), "--stdin-filename", "./all.yaml") == []
    (finding,) = check(SERVER.replace("tools", "tool"), "--stdin-filename", "all.yaml")["findings"]
    assert (finding["rule"], finding["namespace"], finding["severity"]) == ("REF001", "prod", "error")


def test_a_kustomization_beside_the_stream_does_not_leave_it_unapplied() -> None:
    write(kustomization="resources: []\n")
    (finding,) = check(SERVER)["findings"]
    assert (finding["rule"], finding["severity"]) == ("REF001", "error")


def test_the_home_folder_without_a_configuration_is_no_project(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(group=GROUP)
    monkeypatch.setenv("HOME", str(folder / "user"))
    (finding,) = check(SERVER)["findings"]
    assert (finding["rule"], finding["severity"]) == ("REF001", "warning")
    write(mcpcfg="{}\n")
    assert rules(SERVER) == []


def test_only_the_stream_is_compiled_and_rewritten() -> None:
    write(group=GROUP, other=SERVER.replace("fetch", "other"), secret=SECRET.replace("token", "user"))
    made = call("build", "-", "-t", "runconfig", stdin=SERVER + KEY)
    assert (made.status, made.out.count('"schema_version"')) == (0, 1)
    earlier = SERVER.replace("v1beta1", "v1alpha1")
    assert call("upgrade", "-", "--release", "0.21", "--to", "0.44", stdin=earlier).out == SERVER
