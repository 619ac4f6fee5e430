"""Deployment files that were made to do harm end with findings, in bounded time, and show no secret."""

from __future__ import annotations

import json
import re
import time
from typing import TYPE_CHECKING

import pytest
from calling import call

import mcpcfg
from mcpcfg.compiler.project.pin import Nearest, Pin, Pinned
from mcpcfg.compiler.reading import excerpt

if TYPE_CHECKING:
    from pathlib import Path

GROUP = "toolhive.stacklok.dev/v1alpha1"
KUSTOMIZATION = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
SECRET = "S3cr3tHunter"


def server(spec: str) -> str:
    return (
        f"apiVersion: {GROUP}\nkind: MCPServer\nmetadata: {{name: a, namespace: tools}}\n"
        f"spec: {{image: 'i:1', transport: stdio, groupRef: {{name: nope}}, {spec}}}\n"
    )


def flux(name: str, more: str = "") -> str:
    return (
        f"apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {{name: {name}, namespace: f}}\n"
        f"spec: {{path: ./app, prune: true, sourceRef: {{kind: GitRepository, name: x}}{more}}}\n"
    )


def patched(target: dict[str, str], patch: str, resource: str = "a.yaml") -> str:
    entry = {"target": target, "patch": patch}
    return f"{KUSTOMIZATION}resources: [{resource}]\npatches: [{json.dumps(entry)}]\n"


def resource_set(image: str, inputs: str = "{a: b}", more: str = "") -> str:
    return (
        "apiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSet\nmetadata: {name: r, namespace: tools}\n"
        f"spec:\n  inputs: [{inputs}]\n  resources:\n  - apiVersion: {GROUP}\n    kind: MCPServer\n"
        f"    metadata: {{name: s, namespace: tools}}\n"
        f"    spec: {{transport: stdio, image: {json.dumps(image)}{more}}}\n"
    )


PATCH = "- op: add\n  path: /spec/targetNamespace\n  value: x\n"
MOST = 1_000_000
SLOW = {
    "kind": {"kustomization.yaml": patched({"kind": "(.*)*_"}, PATCH)},
    "long-kind": {"kustomization.yaml": patched({"kind": "(.*)*" * 1_000 + "_"}, PATCH)},
    "name": {
        "app/kustomization.yaml": f"{KUSTOMIZATION}resources: [../a.yaml]\n",
        "cluster/fk.yaml": flux("a" * 60),
        "cluster/kustomization.yaml": patched({"kind": "Kustomization", "name": "(a*)*b"}, PATCH, "fk.yaml"),
    },
    "actions": {"set.yaml": resource_set("<<" * (MOST // 2))},
    "blank": {"set.yaml": resource_set("<<" + " " * MOST)},
    "quotes": {
        "set.yaml": resource_set("<< inputs.a >>").replace(
            "  resources:", f"  resourcesTemplate: '<< \"{chr(92)}\"{'x' * 9} >>'\n  resources:"
        )
    },
    "variables": {
        "app/b.yaml": server(f"imagePullPolicy: '{'${a:-' * (MOST // 5)}'").replace("name: a,", "name: b,"),
        "cluster/fk.yaml": flux("app", ", postBuild: {substitute: {b: c}}"),
    },
    "pin": {
        "kustomization.yaml": f"{KUSTOMIZATION}resources: [deploy/charts/operator/{'/toolhive/' * (MOST // 10)}]\n"
    },
}


@pytest.mark.parametrize("case", SLOW)
def test_patterns_take_linear_time(case: str) -> None:
    before = time.process_time()

    report = mcpcfg.check(files={"a.yaml": server("proxyPort: 8080")} | SLOW[case])

    assert time.process_time() - before < 20
    assert ("REF001", "a.yaml") in {(one.rule, one.span.file) for one in report.findings}


def test_many_pins_and_folders_are_not_compared_in_pairs() -> None:
    pins = [Pinned(f"p{number % 4_000}/pins.yaml", Pin(f"0.{number % 20}.0", number)) for number in range(40_000)]
    before = time.process_time()

    nearest = Nearest(pins)
    lines = [nearest.of(f"p{number}/server").pin.line for number in range(2_000)]

    assert time.process_time() - before < 10
    assert lines[:2] == [0, 1]
    assert nearest.of("elsewhere").pin.release == "0.19.0"


def test_comments_before_a_directive_are_read_in_one_way() -> None:
    """A line that ends in CR and LF is no two lines, or the ways to read many lines would double with each."""
    assert re.match(excerpt._ODD_BEGINNING, " #a\r\n" * 50_000 + "a") is None
    assert re.match(excerpt._ODD_BEGINNING, " #a\r\n\n\r# b\n%YAML 1.1\n") is not None


USED = (
    'proxyPort: "${DB_PASSWORD}", proxyMode: "x-${DB_PASSWORD}", oidcConfigRef: {name: "${DB_PASSWORD}", audience: a},'
    ' env: [{name: A, vlaue: "${DB_PASSWORD}"}], permissionProfile: {type: builtin, name: "x-${DB_PASSWORD}"}'
)
OPERATIONS = [
    {"op": "add", "path": "/spec/password", "value": SECRET},
    {"op": "add", "value": SECRET, "path": "/spec/tokens/apiToken/0"},
    {"op": "replace", "path": "/spec/proxyPort", "value": {"password": SECRET}},
    {"op": "replace", "path": "/spec/oidcConfigRef/clientSecret", "value": SECRET},
]
IN_YAML = f"""\
{KUSTOMIZATION}resources: [a.yaml]
patches:
- target: {{kind: MCPServer}}
  patch: |
    - op: add
      path: /spec/password
      value: {SECRET}
    - value: {SECRET}
      op: add
      path: /spec/clientSecret
    - {{value: {SECRET}, path: /spec/apiToken, op: add}}
"""
SHOWN = {
    "variable": {
        "app/b.yaml": server(USED),
        "fk.yaml": flux("app", f", postBuild: {{substitute: {{DB_PASSWORD: {SECRET}}}}}"),
    },
    "config-map": {
        "app/b.yaml": server(USED),
        "fk.yaml": flux("app", ", postBuild: {substituteFrom: [{kind: ConfigMap, name: c}]}"),
        "c.yaml": "apiVersion: v1\nkind: ConfigMap\n"
        f"metadata: {{name: c, namespace: f}}\ndata: {{DB_PASSWORD: {SECRET}}}\n",
    },
    "default": {
        "app/b.yaml": server(USED.replace("PASSWORD}", f"PASSWORD:-{SECRET}}}")),
        "fk.yaml": flux("app", ", postBuild: {substitute: {a: b}}"),
    },
    "input": {
        "set.yaml": resource_set(
            "<< inputs.dbPassword >>", f"{{dbPassword: {SECRET}}}", ', proxyMode: "<< inputs.dbPassword >>"'
        )
    },
    "patch": {"kustomization.yaml": IN_YAML},
    "patch-json": {"kustomization.yaml": patched({"kind": "MCPServer"}, json.dumps(OPERATIONS) + "\n")},
    "patch-lines": {
        "kustomization.yaml": patched({"kind": "MCPServer"}, f"- op: add\n  path: /spec/password\n  value: {SECRET}\n")
    },
    "secrets": {"b.yaml": server(f"secrets: [{{name: x, key: k, value: {SECRET}}}]").replace("name: a,", "name: b,")},
    "secrets-block": {
        "b.yaml": f"apiVersion: {GROUP}\nkind: MCPServer\nmetadata: {{name: c}}\nspec:\n  secrets:\n"
        f"  - name: x\n    value: {SECRET}\n  - value: {SECRET}\n    name: y\n    key: [z]\n  image: [i]\n"
    },
}
CALLS = [
    *(
        ("check", ".", "--severity", "info", "--no-cache", "--format", form)
        for form in ("text", "json", "sarif", "github", "gitlab", "junit")
    ),
    ("check", ".", "--no-cache", "--diff", "--unsafe-fixes"),
    ("graph", ".", "--format", "html"),
    ("build", ".", "--target", "kubernetes", "--keep-going"),
    ("build", ".", "--target", "runconfig", "--keep-going"),
]


@pytest.mark.parametrize("case", SHOWN)
def test_what_is_secret_by_its_name_is_shown_nowhere(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in ({"a.yaml": server("proxyPort: x")} | SHOWN[case]).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)

    for words in CALLS:
        outcome = call(*words)
        assert SECRET not in outcome.out + outcome.err, words
