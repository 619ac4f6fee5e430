"""Small files that expand to very much end in a finding, within bounds of processor time and memory."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import mcpcfg
from mcpcfg.compiler.check import delivery_plan
from mcpcfg.compiler.diagnostics.budget import OF_PROJECT, Amount, Budget

if TYPE_CHECKING:
    from pathlib import Path

SERVER = """\
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPServer
metadata: {name: a}
spec: {image: 'registry.example.com/a:1', transport: stdio, bogus: 1}
"""
SET = """\
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: s}
spec:
  template:
    spec: {source: {path: '{{a0}}'}, destination: {namespace: '{{cluster}}'}}
  generators:
  - list:
      elements:
"""
RESOURCE_SET = """\
apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: s}
spec:
"""
SECONDS, BYTES = 20, 1_500_000_000


def resource_set(field: str) -> dict[str, str]:
    """Return a ResourceSet of 1,000 inputs, each of which is used a thousand times."""
    inputs = "".join(f"  - {{name: a{number}, v: {'x' * 10_000}}}\n" for number in range(1_000))
    return {"set.yaml": f"{RESOURCE_SET}  inputs:\n{inputs}{field}"}


def levels() -> dict[str, str]:
    """Return levels of two kustomizations that list both of the next, with Kustomizations that lead back to them."""
    files = {"flux/kustomization.yaml": f"resources: [{', '.join(f'f{number}.yaml' for number in range(20))}]\n"}
    flux = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: f}\nspec: "
    for number in range(20):
        files[f"flux/f{number}.yaml"] = f"{flux}{{path: ./l{number % 8}-{number % 2}}}\n"
    for level in range(8):
        listed = "[../flux]" if level == 7 else f"[../l{level + 1}-0, ../l{level + 1}-1]"
        for side in range(2):
            patch = flux.replace("\n", "\n    ") + f"{{targetNamespace: n{level}-{side}}}"
            files[f"l{level}-{side}/kustomization.yaml"] = (
                f"resources: {listed}\npatches:\n- target: {{kind: Kustomization}}\n  patch: |\n    {patch}\n"
            )
    return files


def components() -> dict[str, str]:
    """Return components that each list the next two."""
    return {
        f"c{number}/kustomization.yaml": (
            f"kind: Component\nlabels: [{{pairs: {{l{number}: x}}}}]\n"
            f"components: [../c{number + 1}, ../c{number + 2}]\n"
        )
        for number in range(60)
    }


def deliveries() -> dict[str, str]:
    """Return many Kustomizations that all apply one file of many resources, each to another cluster."""
    flux = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: f}\nspec: "
    spec = "{{path: ./app, targetNamespace: n{0}, kubeConfig: {{secretRef: {{name: c{0}}}}}}}\n"
    files = {f"f{number}.yaml": flux + spec.format(number) for number in range(30)}
    return files | {"app/a.yaml": "---\n".join(SERVER.replace(": a}", f": a{one}}}") for one in range(3_000))}


def variables() -> dict[str, str]:
    """Return a patch that adds 4,000 variables to each of 500 Kustomizations."""
    flux = "---\napiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {{name: f{0}}}\n"
    added = "".join(f"            v{number}: x\n" for number in range(4_000))
    patch = (
        "resources: [all.yaml]\npatches:\n- target: {kind: Kustomization}\n  patch: |\n"
        "    spec:\n      postBuild:\n          substitute:\n" + added
    )
    spec = "spec: {{path: ./app/a{0}, targetNamespace: n{0}}}\n"
    files = {f"app/a{one}/a.yaml": SERVER.replace("a:1", "a:${v1}") for one in range(500)}
    whole = "".join((flux + spec).format(one) for one in range(500))
    return files | {"flux/all.yaml": whole, "flux/kustomization.yaml": patch}


def values() -> dict[str, str]:
    """Return a file of large resources with a variable, which 12 Kustomizations fill in."""
    flux = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: f}\nspec: "
    spec = "{{path: ./app, targetNamespace: n{0}, postBuild: {{substitute: {{v: x{0}}}}}}}\n"
    env = ", ".join(f"{{name: N{number}, value: x}}" for number in range(60))
    large = SERVER.replace("a:1", "a:${v}").replace(", bogus: 1", f", env: [{env}]")
    files = {f"f{number}.yaml": flux + spec.format(number) for number in range(12)}
    return files | {"app/a.yaml": "---\n".join(large.replace(": a}", f": a{one}}}") for one in range(300))}


CASES = {
    "elements": {"set.yaml": SET + "".join(f"      - {{cluster: c{one}, a0: p}}\n" for one in range(20_000))},
    "large elements": {
        "set.yaml": SET.replace("'{{a0}}'", f"'{'{{a0}}' * 1_000}'")
        + "".join(f"      - {{cluster: c{one}, a0: {'p' * 1_000}}}\n" for one in range(256))
    },
    "inputs": resource_set(
        "  resources:\n  - apiVersion: toolhive.stacklok.dev/v1beta1\n    kind: MCPServer\n"
        f"    metadata: {{name: << inputs.name >>}}\n    spec: {{image: '{'<< inputs.v >>' * 1_000}'}}\n"
    ),
    "inputs of a template": resource_set(
        "  resourcesTemplate: |\n    apiVersion: toolhive.stacklok.dev/v1beta1\n    kind: MCPServer\n"
        f"    metadata: {{name: << inputs.name >>}}\n    spec: {{image: '{'<< inputs.v >>' * 1_000}'}}\n"
    ),
    "levels": levels(),
    "components": components(),
    "deliveries": deliveries(),
    "variables": variables(),
    "values": values(),
}


def check(folder: Path, *options: str, status: int = 1, seed: int = 0) -> str:
    """Return what a call prints in a folder, under limits of the processor and of memory, and by a hash seed."""
    seconds = (resource.RLIMIT_CPU, (SECONDS, SECONDS))
    memory = (resource.RLIMIT_AS, (BYTES, BYTES))
    limits = f"import resource as r; r.setrlimit{seconds}; r.setrlimit{memory}; "
    start = "from mcpcfg.compiler.cli.process import run; run()"
    command = [sys.executable, "-P", "-c", limits + start, *options]
    seeded = os.environ | {"PYTHONHASHSEED": str(seed)}
    done = subprocess.run(command, cwd=folder, env=seeded, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stderr
    return done.stdout


@pytest.mark.parametrize("files", CASES.values(), ids=CASES)
def test_what_would_use_up_the_machine_is_a_finding(
    files: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cold, a warm and a merged run say so alike, and what is wrong elsewhere is reported as well.

    A cold run reads all files, and a warm run takes the facts of files from the cache. A merged run takes them from
    two shards, which ``mcpcfg merge`` joins. Each has a hash seed of its own.
    """
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    project = tmp_path / "project"
    for name, text in {**files, "other/a.yaml": SERVER}.items():
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    cold = check(project, "check", ".", "--format", "json")

    beyond = [one for one in json.loads(cold)["findings"] if one["rule"] == "SYN016"]
    assert len(beyond) == 1
    assert "expand" in beyond[0]["message"]
    assert os.path.exists(project / beyond[0]["file"])
    assert [one["rule"] for one in json.loads(cold)["findings"] if one["file"] == "other/a.yaml"] == ["ADM001"]
    assert check(project, "check", ".", "--format", "json", seed=1) == cold
    shards = [f"../facts-{number}.json" for number in (1, 2)]
    for number, shard in enumerate(shards, 1):
        check(project, "check", ".", "--shard", f"{number}/2", "--output", shard, status=0)
    assert check(project, "merge", *shards, "--format", "json", seed=2) == cold


def test_a_large_project_stays_far_below_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """2,000 files, 50 overlays with 300 patches, each with a Kustomization, need less than a tenth."""
    made: list[Budget] = []

    def record(limit: Amount) -> Budget:
        made.append(Budget(limit))
        return made[-1]

    files = {}
    for app in range(50):
        names = [f"s{app}-{number}" for number in range(37)]
        for name in names:
            server = SERVER.replace("name: a", f"name: {name}").replace("a:1", "a:${tag}").replace(", bogus: 1", "")
            files[f"base/a{app}/{name}.yaml"] = server
        listed = ", ".join(f"{name}.yaml" for name in names)
        files[f"base/a{app}/kustomization.yaml"] = f"resources: [{listed}]\n"
        patches = "".join(
            f"- target: {{kind: MCPServer, name: {name}}}\n  patch: |\n"
            "    - {op: add, path: /spec/proxyPort, value: 8080}\n"
            for name in names[:6]
        )
        overlay = f"namespace: n{app}\nresources: [../../base/a{app}]\npatches:\n{patches}"
        files[f"overlays/o{app}/kustomization.yaml"] = overlay
        files[f"flux/f{app}.yaml"] = (
            f"apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {{name: f{app}}}\n"
            f"spec: {{path: ./overlays/o{app}, postBuild: {{substitute: {{tag: '1'}}}}}}\n"
        )
    monkeypatch.setattr(delivery_plan, "Budget", record)

    report = mcpcfg.check(files=files)

    assert len(files) == 2_000
    assert [one for one in report.findings if one.severity == "error"] == []
    for budget in made:
        left = (budget._characters, budget._objects, budget._steps)
        assert left != OF_PROJECT
        assert all(rest > limit * 0.9 for rest, limit in zip(left, OF_PROJECT, strict=True))
    assert made


def test_parameters_of_an_application_set_are_filled_in_once(tmp_path: Path) -> None:
    """34 parameters that each name the next one twice would make 2^34 characters, and Argo CD leaves them alone."""
    keys = "".join(f'        a{number}: "{{{{a{number + 1}}}}}{{{{a{number + 1}}}}}"\n' for number in range(34))
    (tmp_path / "set.yaml").write_text(f"{SET}      -\n{keys}")
    (tmp_path / "a.yaml").write_text(SERVER)

    found = json.loads(check(tmp_path, "check", ".", "--no-cache", "--format", "json"))["findings"]

    assert [one["rule"] for one in found if one["severity"] == "error"] == ["ADM001"]
