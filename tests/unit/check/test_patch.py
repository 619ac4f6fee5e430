"""Patches of overlays are parts of resources: their fields and values are checked where they are written."""

from __future__ import annotations

import pytest

import mcpcfg

BASE = """\
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPServer
metadata: {name: fetch}
spec: {image: "ghcr.io/acme/fetch:1", transport: stdio}
"""
PATCH = """\
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPServer
metadata: {name: fetch}
spec:
  transprot: sse
  proxyPort: "8080"
  sessionAffinity: Client
  env:
    - name: A
      $patch: delete
  $retainKeys: [image]
"""
OPERATIONS = """\
- {op: replace, path: /spec/proxyPort, value: high}
- {op: add, path: /spec/env/-, value: {name: A, valeu: b}}
- {op: add, path: /spec/transprot, value: sse}
- {op: remove, path: /spec/resurces}
- {op: add, path: /metadata/labels/app.kubernetes.io~1part-of, value: tools}
- {op: add, path: /spec/podTemplateSpec/spec/hostNetwork, value: true}
- {op: test, path: /spec/transport, value: stdoi}
"""


def indented(text: str, by: int) -> str:
    return "".join(f"{' ' * by}{line}\n" for line in text.splitlines())


def found(kustomization: str, **files: str) -> list[tuple[str, str, int, int]]:
    texts = {f"deploy/{name}.yaml": text for name, text in files.items()}
    report = mcpcfg.check(files={"deploy/kustomization.yaml": kustomization, "deploy/base.yaml": BASE} | texts)
    return [
        (one.rule, one.span.file.rpartition("/")[2], one.span.line, one.span.column)
        for one in report.findings
        if one.stage == "admission"
    ]


OF_PATCH = [("ADM001", 5, 3), ("ADM002", 6, 14), ("ADM004", 7, 20)]
OF_OPERATIONS = [("ADM002", 1, 47), ("ADM001", 2, 49), ("ADM001", 3, 19), ("ADM001", 4, 22)]


@pytest.mark.parametrize(
    "entry",
    ["patches: [{path: patch.yaml}]", "patchesStrategicMerge: [patch.yaml]"],
)
def test_fields_and_values_of_a_patch_in_a_file_are_checked(entry: str) -> None:
    rows = found(f"resources: [base.yaml]\n{entry}\n", patch=PATCH)

    assert rows == [(rule, "patch.yaml", line, column) for rule, line, column in OF_PATCH]


@pytest.mark.parametrize("field", ["patches:\n- patch: |-", "patchesStrategicMerge:\n- |-"])
def test_an_inline_patch_is_checked_at_its_place_in_the_kustomization(field: str) -> None:
    rows = found(f"resources: [base.yaml]\n{field}\n{indented(PATCH, 4)}")

    assert rows == [(rule, "kustomization.yaml", line + 3, column + 4) for rule, line, column in OF_PATCH]


@pytest.mark.parametrize("field", ["patches", "patchesJson6902"])
def test_operations_are_checked_by_the_kind_of_their_target(field: str) -> None:
    target = "  target: {kind: MCPServer, name: fetch, group: toolhive.stacklok.dev, version: v1alpha1}\n"
    of_file = found(f"resources: [base.yaml]\n{field}:\n- path: operations.yaml\n{target}", operations=OPERATIONS)
    of_text = found(f"resources: [base.yaml]\n{field}:\n- patch: |-\n{indented(OPERATIONS, 6)}{target}")

    assert of_file == [(rule, "operations.yaml", line, column) for rule, line, column in OF_OPERATIONS]
    assert of_text == [(rule, "kustomization.yaml", line + 3, column + 6) for rule, line, column in OF_OPERATIONS]


@pytest.mark.parametrize(
    "target",
    ["{kind: Deployment}", "{labelSelector: a=b}", '{kind: "MCP.*"}', "{kind: MCPServer, group: example.com}"],
)
def test_a_patch_whose_target_may_be_of_another_kind_is_not_checked(target: str) -> None:
    assert found(f"patches: [{{path: operations.yaml, target: {target}}}]\n", operations=OPERATIONS) == []
    assert found(f"patches: [{{path: patch.yaml, target: {target}}}]\n", patch=PATCH) == []


def test_a_patch_with_a_target_needs_neither_its_kind_nor_its_version() -> None:
    patch = PATCH.replace("kind: MCPServer", "kind: Any").replace("toolhive.stacklok.dev/v1beta1", "any/v1")
    rows = found("patches: [{path: patch.yaml, target: {kind: MCPServer}}]\n", patch=patch)

    assert [row[0] for row in rows] == [rule for rule, *_ in OF_PATCH]


def test_missing_fields_of_a_patch_are_not_reported() -> None:
    patch = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPServer\nmetadata: {name: fetch}\n"

    assert found("patches: [{path: patch.yaml}]\n", patch=f"{patch}spec: {{groupRef: {{}}, transport: null}}\n") == []
    assert found("patches: [{path: patch.yaml}]\n", patch=f"{patch}$patch: delete\n") == []


def test_patches_in_flux_kustomizations_are_checked() -> None:
    flux = (
        "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps}\nspec:\n  path: ./a\n"
    )
    patch = f"  patches:\n  - patch: |\n{indented(PATCH, 6)}    target: {{kind: MCPServer}}\n"
    rows = mcpcfg.check(files={"apps.yaml": flux + patch}).findings

    assert [(one.rule, one.span.line) for one in rows if one.stage == "admission"] == [
        (rule, line + 7) for rule, line, _ in OF_PATCH
    ]


@pytest.mark.parametrize("several", [False, True])
def test_patches_in_argo_cd_applications_are_checked(*, several: bool) -> None:
    head = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: apps}\nspec:\n"
    source = "  sources:\n  - path: ./a\n" if several else "  source:\n    path: ./a\n"
    patch = (
        f"    kustomize:\n      patches:\n      - patch: |\n{indented(PATCH, 10)}        target: {{kind: MCPServer}}\n"
    )
    rows = mcpcfg.check(files={"apps.yaml": head + source + patch}).findings

    assert [(one.rule, one.span.line) for one in rows if one.stage == "admission"] == [
        (rule, line + 9) for rule, line, _ in OF_PATCH
    ]


@pytest.mark.parametrize("steps", [101, 150, 30_000])
def test_the_first_unknown_field_of_a_very_long_path_is_reported(steps: int) -> None:
    far = "".join(f"- {{op: {op}, path: /spec{'/x' * steps}, value: {{a: 1}}}}\n" for op in ("add", "test", "remove"))

    assert found("patches: [{path: far.yaml, target: {kind: MCPServer}}]\n", far=far + OPERATIONS) == [
        *(("ADM001", "far.yaml", line, column) for line, column in ((1, 19), (2, 20), (3, 22))),
        *((rule, "far.yaml", line + 3, column) for rule, line, column in OF_OPERATIONS),
    ]


@pytest.mark.parametrize("op", ["add", "replace", "remove", "move", "copy", "test", "nope", "[add]"])
@pytest.mark.parametrize(
    "path",
    ["/spec/env/99999999999999999999", "/spec/env/-1", "/spec/env/-/value", "/", "//", "''", "/~1~0~2", "5", "[]"],
)
def test_operations_with_very_long_paths_are_skipped_in_bounded_time(op: str, path: str) -> None:
    odd = f"- {{op: {op}, path: {path}, from: /{'a/' * 5_000}, value: [1]}}\n"

    rows = found("patches: [{path: odd.yaml, target: {kind: MCPServer}}]\n", odd=odd + OPERATIONS)

    assert [(rule, line - 1, column) for rule, _, line, column in rows if line > 1] == OF_OPERATIONS


def test_a_comment_in_a_patch_suppresses_its_finding() -> None:
    patch = PATCH.replace("transprot: sse", "transprot: sse  # mcpcfg: ignore[ADM001]")

    assert [row[0] for row in found("patches: [{path: patch.yaml}]\n", patch=patch)] == ["ADM002", "ADM004"]


def test_operations_after_one_without_a_path_are_checked() -> None:
    operations = f"- {{op: test}}\n- nothing\n{OPERATIONS}"

    assert found("patches: [{path: patch.yaml, target: {kind: MCPServer}}]\n", patch=operations) == [
        (rule, "patch.yaml", line + 2, column) for rule, line, column in OF_OPERATIONS
    ]
