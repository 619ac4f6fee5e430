"""Deployment files that were made to do harm end with findings, in bounded time, and show no secret."""

from __future__ import annotations

import json
import os
import re
import time
from typing import TYPE_CHECKING, Any

import pytest
from calling import call

import mcpcfg
from mcpcfg.compiler.check import full, load
from mcpcfg.compiler.check.facts import read_facts
from mcpcfg.compiler.diagnostics.suggestion import MOST_HINTS
from mcpcfg.compiler.editor.diagnostic import diagnostics
from mcpcfg.compiler.editor.hover import hover
from mcpcfg.compiler.editor.line_map import LineMap
from mcpcfg.compiler.editor.session import Home, ProjectSession
from mcpcfg.compiler.editor.subject import FileContext
from mcpcfg.compiler.kube.objectmeta import metadata_faults
from mcpcfg.compiler.project.pin import NearestPins, Pin, Pinned
from mcpcfg.compiler.reading import excerpt
from mcpcfg.compiler.reading.document import Document, Place, read_documents

if TYPE_CHECKING:
    from pathlib import Path

    from mcpcfg.compiler.diagnostics.span import Span

GROUP = "toolhive.stacklok.dev/v1beta1"
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
    "assignments": {"set.yaml": resource_set("<< inputs.a >>", "{a: '" + "=" * MOST + "'}")},
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


def test_a_resource_set_of_many_inputs_and_long_names_ends_soon() -> None:
    inputs = ", ".join(f"{{a: '{'x' * 20}{number}'}}" for number in range(2_000))
    text = resource_set("i:1", inputs).replace("name: s,", f"name: '{'<< inputs.a >>' * 150}',")
    before = time.process_time()

    report = mcpcfg.check(files={"set.yaml": text, "a.yaml": server("proxyPort: 8080")})

    assert time.process_time() - before < 10
    assert {("SYN016", "set.yaml"), ("REF001", "a.yaml")} <= {(one.rule, one.span.file) for one in report.findings}


def test_many_pins_and_folders_are_not_compared_in_pairs() -> None:
    documents, _ = read_documents(b"a: b", "a.yaml")
    places = [Place(documents[0], (str(number),)) for number in range(40_000)]
    pins = [
        Pinned(f"p{number % 4_000}/pins.yaml", Pin(f"0.{number % 20}.0", place)) for number, place in enumerate(places)
    ]
    before = time.process_time()

    nearest = NearestPins(pins)
    found = [nearest.pin_for(f"p{number}/server").pin.place for number in range(2_000)]

    assert time.process_time() - before < 10
    assert found[:2] == places[:2]
    assert nearest.pin_for("elsewhere").pin.release == "0.19.0"


def test_the_line_is_computed_for_one_of_many_pins_and_their_file_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    placed: list[str] = []
    read: list[str] = []
    find_span = Document.span

    def counted_span(self: Document, *path: Any) -> Span:
        placed.append(self.file)
        return find_span(self, *path)

    def counted_facts(*file: Any, **how: Any) -> Any:
        read.append(file[1])
        return read_facts(*file, **how)

    monkeypatch.setattr(Document, "span", counted_span)
    monkeypatch.setattr(load, "read_facts", counted_facts)
    images = "".join(f"- {{name: stacklok/toolhive/operator, newTag: v0.{patch % 45}.0}}\n" for patch in range(1_000))

    report = mcpcfg.check(
        files={"a.yaml": server("proxyPort: x"), "kustomization.yaml": f"{KUSTOMIZATION}images:\n{images}"}
    )

    assert report.findings[0].span.file == "a.yaml"
    assert placed.count("kustomization.yaml") == 1
    assert sorted(read) == ["a.yaml", "a.yaml", "kustomization.yaml"]


def test_a_likely_field_is_looked_for_of_the_first_unknown_ones_alone() -> None:
    faults = metadata_faults({"metadata": {"name": "a"} | {f"labelz{number}": 1 for number in range(5_000)}})

    assert len(faults) == 5_000
    assert sum(one.hint is not None for one in faults) == MOST_HINTS


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
    "elements": {
        "app/b.yaml": server("proxyPort: y").replace("name: a, namespace: tools", "name: b"),
        "set.yaml": "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: s}\nspec:\n"
        "  template: {spec: {source: {path: app}, destination: {namespace: '{{dbPassword}}', name: '{{apiToken}}'}}}\n"
        f"  generators: [{{list: {{elements: [{{dbPassword: {SECRET}, apiToken: {SECRET}}}]}}}}]\n",
    },
    "parameters": {
        "app/b.yaml": server("proxyPort: y").replace("name: a, namespace: tools", "name: b"),
        "app.yaml": "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: s}\n"
        "spec: {destination: {namespace: Not_Valid}, sources: [{path: app}, {chart: c, helm: {parameters: ["
        f"{{name: dbPassword, value: {SECRET}}}, {{value: {SECRET}, forceString: true, name: apiToken}}]}}}}]}}\n",
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
    ("diff", "../old", "."),
    ("diff", ".", "../old", "--format", "json"),
]


@pytest.mark.parametrize("case", SHOWN)
def test_values_with_secret_names_are_never_shown(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = {"../old/a.yaml": server("proxyPort: 8080")}
    for name, text in (old | {"a.yaml": server("proxyPort: x")} | SHOWN[case]).items():
        path = tmp_path / "new" / name
        (tmp_path / "new").mkdir(exist_ok=True)
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    monkeypatch.chdir(tmp_path / "new")

    for words in CALLS:
        outcome = call(*words)
        assert SECRET not in outcome.out + outcome.err, words
        assert words[0] != "diff" or outcome.out + outcome.err
    assert SECRET not in "\n".join(_shown_by_editors())


def _shown_by_editors() -> list[str]:
    """Return the messages and hovers of the language server about all findings of the current folder."""
    snapshot = ProjectSession(Home(os.path.abspath("."), None), full.Options()).check({})
    assert snapshot is not None
    found: list[str] = []
    for file, findings in snapshot.findings.items():
        lines = LineMap(snapshot.loaded.texts[file].decode(), "utf-16")
        around = FileContext(file, snapshot.project.settings.profile, snapshot.kinds.get(file), snapshot.project.root)
        for one in diagnostics(findings, lines):
            found += [one.message, *(note.message for note in one.notes)]
        for finding in findings:
            text = hover(lines.text, lines.extent(finding.span)[0], around, snapshot.workspace, [finding])
            found += [text.markdown, text.plain] if text is not None else []
    assert found
    return found


def test_many_refused_volumes_are_traced_to_their_places_soon() -> None:
    entries = ", ".join(f"{{name: s{number}, key: a.b/c, targetEnvName: A}}" for number in range(3_000))
    before = time.process_time()

    report = mcpcfg.check(files={"a.yaml": server(f"secrets: [{entries}]")})

    assert time.process_time() - before < 20
    assert "POD006" in {finding.rule for finding in report.findings}


def test_a_tag_of_another_type_pins_no_chart() -> None:
    repository = (
        "apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata: {name: toolhive-operator-crds}\n"
        "spec: {url: oci://ghcr.io/stacklok/toolhive/toolhive-operator-crds, ref: {tag: {a: b}}}\n"
    )
    release = (
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: crds}\n"
        "spec: {chartRef: {kind: OCIRepository, name: toolhive-operator-crds}}\n"
    )

    report = mcpcfg.check(files={"a.yaml": repository, "b.yaml": release, "c.yaml": server("proxyPort: 8080")})

    assert [finding.rule for finding in report.findings] == ["REF001"]
