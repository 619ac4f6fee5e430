"""CRDs of the user: releases --from-crds compares them, check --crds - reads them, and explain knows their fields."""

from __future__ import annotations

import copy
import json
import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from calling import Outcome, call

from mcpcfg.compiler.generate import fingerprint
from mcpcfg.compiler.golang.yaml.sigs import dump

ROOT = Path(__file__).parents[3]
EXPORTED = (ROOT / "fixtures" / "rendered" / "crds.yaml").read_text("utf-8")
GROUP = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPGroup\nmetadata: {name: a}\nspec: "
ONE_KIND = "1 kind; the nearest known release is 0.69.1; 1 CRD of other groups left out"


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def server(change: Any) -> str:
    """Return the CRD of MCPServer as a text, after a call of ``change`` with the schema of its spec."""
    crd = copy.deepcopy(fingerprint.definitions("0.51.4")["MCPServer"])
    change(crd["spec"]["versions"][-1]["schema"]["openAPIV3Schema"]["properties"]["spec"])  # both versions share it
    return dump(crd)


def lines_of(change: Any) -> list[str]:
    outcome = call("releases", "--from-crds", "-", stdin=server(change))
    assert outcome.status == 0, outcome.err
    return [line.strip() for line in outcome.out.splitlines() if line.startswith("  ")]


def limited(spec: dict[str, Any]) -> None:
    spec["required"].append("limit")
    spec["properties"]["limit"] = {
        "type": "object",
        "required": ["per"],
        "properties": {
            "per": {"type": "integer", "minimum": 1, "default": 3},
            "of": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}},
        },
        "x-kubernetes-validations": [{"rule": "has(self.of)", "message": "of is needed"}],
    }


def changed(spec: dict[str, Any]) -> None:
    properties = spec["properties"]
    properties["transport"]["enum"] = ["stdio", "streamable-http", "websocket"]
    properties["mcpPort"]["maximum"] = 9
    del properties["proxyPort"]["default"], properties["endpointPrefix"]
    spec["required"] = []
    spec["x-kubernetes-validations"][0] = {"rule": "has(self.image)", "message": "image is needed"}


@pytest.mark.parametrize("release", ["0.21.0", "0.33.0", "0.44.0", "0.51.4"])
def test_crds_of_a_known_release_are_recognized(release: str, tmp_path: Path) -> None:
    for kind, crd in fingerprint.definitions(release).items():
        (tmp_path / f"{kind}.yaml").write_text(dump(crd), "utf-8")

    outcome = call("releases", "--from-crds", str(tmp_path))

    assert (outcome.status, outcome.out.count("\n")) == (0, 1)
    assert re.fullmatch(r"\d+ kinds, as release (\S+) ships them\n", outcome.out)
    assert (release in outcome.out) or release == "0.51.4"  # later releases may ship the same


def test_fields_that_no_release_has_are_told_in_words() -> None:
    assert lines_of(limited) == [
        "MCPServer.spec.limit: new field: object, required, 1 rule",
        "MCPServer.spec.limit.of: new field: array",
        "MCPServer.spec.limit.of[]: each item: string, one of a, b",
        "MCPServer.spec.limit.per: new field: integer, required, default 3, minimum 1",
    ]


def test_other_differences_are_told_in_words() -> None:
    lines = lines_of(changed)

    assert lines[:4] == [
        "MCPServer.spec: new rule: has(self.image) (image is needed)",
        "MCPServer.spec.mcpPort: maximum 9; known: 65535",
        "MCPServer.spec.proxyPort: no default; known: 8080",
        "MCPServer.spec.transport: also allows websocket",
    ]
    assert "MCPServer.spec.transport: does not allow sse" in lines
    assert "MCPServer.spec.image: is not required" in lines
    assert "MCPServer.spec.endpointPrefix: not in the CRD" in lines
    assert any(line.startswith("MCPServer.spec: without the rule !(has(self.authzConfig)") for line in lines)


def test_the_export_of_a_cluster_is_compared_and_its_other_crds_are_counted() -> None:
    outcome = call("releases", "--from-crds", "-", "--format", "json", stdin=EXPORTED)
    data = json.loads(outcome.out)

    assert call("releases", "--from-crds", "-", stdin=EXPORTED).out.startswith(ONE_KIND)
    assert data["configuration"] == {"crds": ["-"]}
    assert data["unknown"] == [
        {
            "kind": "MCPGroup",
            "path": "spec.displayName",
            "change": "new field",
            "sentence": "new field: string, maximum length 64",
        }
    ]


def checked(fields: str, *options: str) -> Outcome:
    Path("group.yaml").write_text(GROUP + fields + "\n", "utf-8")
    return call("check", "--crds", "-", "--closed", *options, "group.yaml", stdin=EXPORTED)


def test_crds_from_standard_input_admit_exactly() -> None:
    accepted, refused = checked("{displayName: Tools}", "--select", "ADM"), checked("{displayNam: Tools}")

    assert (accepted.status, accepted.out) == (0, "")
    assert "the given CRDs admit its kinds" in accepted.err
    assert 'error[ADM001] (admission) MCPGroup/a: unknown field "displayNam" in spec' in refused.out
    assert 'did you mean "displayName"?' in refused.out
    assert "ADM001" in checked("{displayNam: Tools}", "--release", "0.90.0").out


@pytest.mark.parametrize(("field", "is_reported"), [("quota", False), ("quotas", True)])
def test_a_field_of_config_is_read_if_the_crd_names_it(field: str, *, is_reported: bool) -> None:
    crd = copy.deepcopy(fingerprint.definitions("0.51.4")["VirtualMCPServer"])
    spec = crd["spec"]["versions"][-1]["schema"]["openAPIV3Schema"]["properties"]["spec"]
    spec["properties"]["config"]["properties"]["quota"] = {"type": "integer"}
    head = GROUP.replace("MCPGroup", "VirtualMCPServer")
    text = f"{head}{{groupRef: {{name: g}}, incomingAuth: {{type: anonymous}}, config: {{{field}: 1}}}}\n"
    Path("server.yaml").write_text(text, "utf-8")

    outcome = call("check", "--crds", "-", "--select", "VMC202,ADM", "server.yaml", stdin=dump(crd))

    assert ("config has no field" in outcome.out) is is_reported
    assert "ADM" not in outcome.out


def test_standard_input_cannot_be_both_crds_and_project() -> None:
    outcome = call("check", "--crds", "-", "-", stdin=EXPORTED)

    assert outcome.status == 2
    assert "only one of them can be -" in outcome.err


@pytest.mark.parametrize("text", ["", "kind: Namespace\napiVersion: v1\nmetadata: {name: a}\n"])
def test_standard_input_without_crds_is_refused(text: str) -> None:
    for command in (("check", "--crds", "-"), ("releases", "--from-crds", "-")):
        outcome = call(*command, stdin=text)
        assert (outcome.status, outcome.out) == (2, "")
        assert "standard input has no CustomResourceDefinition" in outcome.err


def test_crds_of_other_groups_alone_cannot_be_compared() -> None:
    items = yaml.safe_load(EXPORTED)["items"][1:]
    outcome = call("releases", "--from-crds", "-", stdin=yaml.safe_dump({"kind": "List", "items": items}))

    assert outcome.status == 2
    assert "no CRD of toolhive.stacklok.dev that can be used" in outcome.err


def test_explain_knows_the_fields_of_given_and_configured_crds(tmp_path: Path) -> None:
    page = "MCPGroup.spec.displayName: string, optional\n\nThe name of the group for people.\n\nBounds: maxLength 64\n"
    assert call("explain", "--crds", "-", "MCPGroup.spec.displayName", stdin=EXPORTED).out == page
    assert call("explain", "MCPGroup.spec.displayName").status == 2

    (tmp_path / "crds.yaml").write_text(EXPORTED, "utf-8")
    (tmp_path / "mcpcfg.yaml").write_text("crds: [crds.yaml]\n", "utf-8")

    assert call("explain", "mcpgroup.spec.displayname").out == page
    assert "did you mean MCPGroup.spec.displayName?" in call("explain", "MCPGroup.spec.displayNam").err
    assert call("explain", "MCPServer.spec.image").out.startswith("MCPServer.spec.image: string, required")
    assert call("explain", "REF004").out.startswith("REF004 dangling-oidc-config")


def test_pod_templates_of_a_crd_are_explained() -> None:
    text = server(dict.copy)

    outcome = call("explain", "--crds", "-", "MCPServer.spec.podTemplateSpec.spec.containers", stdin=text)

    assert "imagePullPolicy" in outcome.out


def hostile() -> dict[str, str]:
    """Return texts with CRDs that no API server accepts, or that are made to cost much."""
    crd = yaml.safe_load(EXPORTED)["items"][0]
    texts = {"cycle": "kind: CustomResourceDefinition\napiVersion: apiextensions.k8s.io/v1\nspec: &a {b: *a}\n"}
    texts["syntax"] = "kind: CustomResourceDefinition\nspec: {a: [\n"
    ladder = "".join(f"  x{n}: &x{n} [{', '.join([f'*x{n - 1}'] * 9)}]\n" for n in range(1, 12))
    texts["ladder"] = (
        f"kind: CustomResourceDefinition\napiVersion: apiextensions.k8s.io/v1\nspec:\n  x0: &x0 [a]\n{ladder}"
    )
    for name in ("group", "names", "versions", "scope"):
        wrong_values: tuple[Any, ...] = (None, [[]], {"a": 1})
        for value in wrong_values:
            wrong = copy.deepcopy(crd)
            wrong["spec"][name] = value
            texts[f"{name}={value}"] = yaml.safe_dump(wrong)
    keywords: dict[str, Any] = {
        "properties": {"a": 3},
        "description": {"a": 1},
        "x-kubernetes-validations": [{"rule": 3}],
        "required": [{"a": 1}],
        "enum": 3,
        "pattern": "(a+)+$(",
        "default": {"a": [{}]},
        "discriminator": {"propertyName": "a"},
    }
    for name, value in keywords.items():
        wrong = copy.deepcopy(crd)
        for version in wrong["spec"]["versions"]:
            version["schema"]["openAPIV3Schema"]["properties"]["spec"][name] = value
        texts[name] = yaml.safe_dump(wrong)
    wrong = copy.deepcopy(crd)
    for version in wrong["spec"]["versions"]:
        version["additionalPrinterColumns"] = [3, {"a": 1}]
    texts["columns"] = yaml.safe_dump(wrong)
    wrong["metadata"], wrong["spec"]["names"]["shortNames"] = [], [3, {"a": "b"}]
    return {**texts, "short names": yaml.safe_dump(wrong)}


@pytest.mark.parametrize("name", hostile())
def test_hostile_crds_are_findings_or_refused(name: str) -> None:
    Path("group.yaml").write_text(GROUP + "{displayName: Tools}\n", "utf-8")
    for command in (
        ("releases", "--from-crds", "-"),
        ("check", "--crds", "-", "group.yaml"),
        ("explain", "--crds", "-", "MCPGroup.spec"),
    ):
        outcome = call(*command, stdin=hostile()[name])
        assert outcome.status in (0, 1, 2), outcome.err
        assert "Traceback" not in outcome.err + outcome.out


def test_texts_of_crds_reach_the_terminal_without_control_characters() -> None:
    crd = server(lambda spec: spec["properties"].update({"a\x1b[2Jb": {"type": "string", "description": "x\x1b]0;y"}}))
    outcome = call("releases", "--from-crds", "-", stdin=crd)
    page = call("explain", "--crds", "-", "MCPServer.spec", stdin=crd)

    assert "a\\x1b[2Jb" in outcome.out
    assert "\x1b" not in outcome.out + page.out
    assert page.status == 0


def program(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\necho \"{name} $*\" >> '{folder}/calls'\n{text}\n", "utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


@pytest.mark.skipif(not all(map(shutil.which, ("bash", "git"))), reason="bash or git is not installed")
@pytest.mark.parametrize("is_changed", [True, False])
def test_the_workflow_of_the_documentation_keeps_the_crds_current(tmp_path: Path, *, is_changed: bool) -> None:
    text = (ROOT / "docs" / "gitops.md").read_text("utf-8")
    workflow = next(block for block in re.findall(r"```yaml\n(.*?)```", text, re.DOTALL) if "name: crds" in block)
    steps = {step["name"]: step["run"] for step in yaml.safe_load(workflow)["jobs"]["crds"]["steps"] if "run" in step}
    stubs, project = tmp_path / "stubs", tmp_path / "project"
    stubs.mkdir()
    shutil.copytree(ROOT / "fixtures" / "rendered" / "cluster", project)
    (project / "crds").mkdir()
    (project / "crds" / "toolhive.yaml").write_text("old" if is_changed else EXPORTED, "utf-8")
    program(stubs, "helm", f"cat '{ROOT}/fixtures/rendered/crds.yaml'")
    program(stubs, "gh", "exit 1")
    program(stubs, "python", f"exec '{sys.executable}' \"$@\"")
    program(stubs, "mcpcfg", f"exec '{sys.executable}' -P -m mcpcfg \"$@\"")
    environment = {**os.environ, "PATH": f"{stubs}{os.pathsep}{os.environ['PATH']}"}
    who = ("-c", "user.name=a", "-c", "user.email=a@example.com")
    subprocess.run(["git", "init", "-q", "--bare", str(tmp_path / "origin")], check=True)
    for arguments in (
        ("init", "-q", "-b", "main"),
        ("remote", "add", "origin", str(tmp_path / "origin")),
        ("add", "."),
        (*who, "commit", "-qm", "first"),
    ):
        subprocess.run(["git", *arguments], cwd=project, check=True)
    for name in ("export", "open a pull request"):
        command = ["bash", "-e", "-c", steps[name]]
        done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == int(is_changed and name != "export"), done.stderr  # gh is a stub that fails

    calls = (stubs / "calls").read_text("utf-8")
    assert "--version 0.70.0 --include-crds" in calls
    assert "MCPGroup.spec.displayName: new field" in (project / "differences.txt").read_text("utf-8")
    assert ("gh pr create --head crds" in calls) is is_changed
