"""Values of the operator's charts: each fault at its place, and silence about what has an effect or is of others."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from calling import call

from mcpcfg.compiler.check.full import Options, check
from mcpcfg.compiler.generate.fingerprint import shipped
from mcpcfg.compiler.project.discovery import discover
from mcpcfg.compiler.reading.document import read_documents
from mcpcfg.compiler.toolhive.chart import chart_values
from mcpcfg.compiler.toolhive.release import RELEASES, SCHEMA_CHANGES, have_other_schemas, holds

FOLDER = Path(__file__).parents[2] / "fixtures" / "projects"
BROKEN = [
    ("crds.yaml", 17, "CHT001"),
    ("crds.yaml", 21, "CHT002"),
    ("helmrelease.yaml", 10, "CHT005"),
    ("helmrelease.yaml", 23, "CHT001"),
    ("helmrelease.yaml", 25, "CHT001"),
    ("helmrelease.yaml", 27, "CHT002"),
    ("helmrelease.yaml", 28, "CHT001"),
    ("helmrelease.yaml", 29, "CHT002"),
    ("helmrelease.yaml", 30, "CHT002"),
    ("helmrelease.yaml", 31, "CHT001"),
    ("helmrelease.yaml", 33, "CHT003"),
    ("helmrelease.yaml", 34, "CHT004"),
    ("helmrelease.yaml", 35, "CHT006"),
    ("helmrelease.yaml", 36, "CHT006"),
]

IN_FILES = [
    ("argo/application.yaml", 19, "watchNamespace"),
    ("argo/application.yaml", 21, "operator.replicas"),
    ("argo/application.yaml", 23, "operator.gogc"),
    ("argo/values/operator.yaml", 2, "operator.replicas"),
    ("charts/application.yaml", 17, "operator.gogc"),
    ("charts/platform/values.yaml", 5, "operator.replicas"),
    ("charts/platform/values.yaml", 7, "crds.keeping"),
    ("flux/helmrelease.yaml", 36, "watchNamespace"),
    ("flux/operator-values.yaml", 2, "operator.replicas"),
    ("helmfile/helmfile.yaml", 12, "watchNamespace"),
    ("helmfile/helmfile.yaml", 14, "operator.gogc"),
    ("helmfile/values/operator.yaml", 2, "operator.replicas"),
    ("k3s/helmchart.yaml", 11, "operator.gogc"),
    ("k3s/helmchart.yaml", 13, "watchNamespace"),
    ("k3s/helmchart.yaml", 23, "operator.replicas"),
]
IMAGE = ("operator/helmrelease.yaml", "ghcr.io/acme/vmcp:v0.30.0")
SCOPED = "operator: {rbac: {scope: namespace, allowedNamespaces: [tools]}, features: {storageVersionMigrator: false}}"


UNSHIPPED_SINCE = "0.46.0"
"""The first release whose CRDs are only known from published references."""


def found(folder: Path) -> list[tuple[str, int, str]]:
    findings = check(discover((str(folder),)), Options()).findings
    return [(Path(one.span.file).name, one.span.line, one.rule) for one in findings]


@pytest.mark.parametrize(
    "project", ["operator-values", "values-of-other-charts", "values-in-files", "values-files-of-others"]
)
def test_values_that_have_an_effect_or_are_of_other_charts_get_no_finding(project: str) -> None:
    assert found(FOLDER / project) == []


def test_each_value_without_effect_is_reported_at_its_place() -> None:
    assert found(FOLDER / "broken-operator-values") == BROKEN


@pytest.mark.parametrize(
    ("file", "written", "put", "rules"),
    [
        pytest.param("operator/helmrelease.yaml", "tag: 0.44.0", "tag: 0.27.2", ["CHT001"], id="before"),
        pytest.param("operator/helmrelease.yaml", "tag: 0.44.0", "tag: 0.9.2", [], id="a release without data"),
        pytest.param("operator/helmrelease.yaml", "tag: 0.44.0", "digest: sha256:0a", [], id="an unknown release"),
        pytest.param("operator/helmrelease.yaml", "[ai, tools]", "[ai]", ["CHT004"], id="a namespace less"),
        pytest.param("operator/helmrelease.yaml", "[ai, tools]", "[ai, ${MORE}]", [], id="an unknown namespace"),
        pytest.param(
            "operator/helmrelease.yaml",
            "storageVersionMigrator: false",
            "experimental: true",
            ["CHT003"],
            id="the migrator",
        ),
        pytest.param("operator/helmrelease.yaml", "replicaCount:", "replicas:", ["CHT001"], id="another name"),
        pytest.param("operator/crds.yaml", "install: true", "install: []", [], id="an empty value"),
        pytest.param(*IMAGE, "stacklok/toolhive/vmcp:v0.43.9", ["CHT006"], id="an image of another release"),
        pytest.param(*IMAGE, "toolhive/vmcp:v0.44.9", [], id="an image of a fix"),
        pytest.param(*IMAGE, "toolhive/vmcp:v0.44.0-rc.1", [], id="an image of no release"),
        pytest.param(*IMAGE, "toolhive/proxyrunner:v0.30.0", [], id="an image of another program"),
    ],
)
def test_the_chart_of_the_release_decides(tmp_path: Path, file: str, written: str, put: str, rules: list[str]) -> None:
    shutil.copytree(FOLDER / "operator-values", tmp_path, dirs_exist_ok=True)
    text = (tmp_path / file).read_text("utf-8")
    assert text.count(written) == 1

    (tmp_path / file).write_text(text.replace(written, put), "utf-8")

    assert [rule for _, _, rule in found(tmp_path) if rule.startswith("CHT")] == rules


def test_values_from_elsewhere_keep_what_they_may_change_silent(tmp_path: Path) -> None:
    shutil.copytree(FOLDER / "broken-operator-values", tmp_path, dirs_exist_ok=True)
    file = tmp_path / "operator" / "helmrelease.yaml"

    file.write_text(
        file.read_text("utf-8").replace("  values:", "  valuesFrom: [{kind: Secret, name: x}]\n  values:"), "utf-8"
    )

    rules = {rule for _, _, rule in found(tmp_path)}
    assert {"CHT001", "CHT002"} <= rules
    assert not {"CHT003", "CHT004"} & rules


def test_values_are_read_wherever_what_installs_the_chart_states_them() -> None:
    folder = FOLDER / "broken-values-in-files"
    findings = check(discover((str(folder),)), Options()).findings

    assert {one.rule for one in findings} == {"CHT001"}
    places = [(str(Path(one.span.file).relative_to(folder)), one.span.line) for one in findings]
    assert [(*place, one.message.split('"')[1]) for place, one in zip(places, findings, strict=True)] == IN_FILES


@pytest.mark.parametrize(
    ("folder", "file", "written", "put", "line"),
    [
        pytest.param("argo", "values/operator.yaml", "operator:\n  replicaCount: 1", SCOPED, 1, id="a file of Argo CD"),
        pytest.param("flux", "operator-values.yaml", "operator:\n  replicaCount: 1", SCOPED, 1, id="a ConfigMap"),
        pytest.param("helmfile", "values/operator.yaml", "operator:\n  replicaCount: 1", SCOPED, 1, id="helmfile"),
        pytest.param("k3s", "helmchart.yaml", "operator:\n      replicaCount: 1", SCOPED, 22, id="k3s"),
        pytest.param("charts", "platform/values.yaml", "operator:\n    replicaCount: 1", SCOPED, 4, id="a dependency"),
    ],
)
def test_what_values_from_elsewhere_mean_is_known(
    tmp_path: Path, folder: str, file: str, written: str, put: str, line: int
) -> None:
    shutil.copytree(FOLDER / "values-in-files" / folder, tmp_path / folder)
    shutil.copy(FOLDER / "values-in-files" / "servers.yaml", tmp_path)
    text = (tmp_path / folder / file).read_text("utf-8")
    assert text.count(written) == 1

    (tmp_path / folder / file).write_text(text.replace(written, put), "utf-8")

    assert found(tmp_path) == [(Path(file).name, line, "CHT004")]


@pytest.mark.parametrize(
    ("file", "written", "put"),
    [
        pytest.param("argo/application.yaml", "$values/argo", "$values/elsewhere", id="a file that is not here"),
        pytest.param("flux/helmrelease.yaml", "name: more-values\n      values", "name: x\n      values", id="a map"),
        pytest.param("helmfile/helmfile.yaml", "    set:", "    condition: x.enabled\n    set:", id="a condition"),
        pytest.param("k3s/helmchart.yaml", "  set:", "  valuesSecrets: [{name: x}]\n  set:", id="a Secret"),
    ],
)
def test_values_that_are_not_known_keep_what_they_may_change_silent(
    tmp_path: Path, file: str, written: str, put: str
) -> None:
    project = tmp_path / Path(file).parent
    shutil.copytree(FOLDER / "values-in-files" / project.name, project)
    shutil.copy(FOLDER / "values-in-files" / "servers.yaml", tmp_path)
    for path in project.rglob("*.yaml"):
        scoped = "rbac: {scope: namespace, allowedNamespaces: [tools]}"
        path.write_text(path.read_text("utf-8").replace("replicaCount: 1", scoped), "utf-8")
    assert "CHT004" in {rule for _, _, rule in found(tmp_path)}
    text = (tmp_path / file).read_text("utf-8")
    assert text.count(written) == 1

    (tmp_path / file).write_text(text.replace(written, put), "utf-8")

    assert "CHT004" not in {rule for _, _, rule in found(tmp_path)}


def test_values_of_a_text_that_is_no_yaml_are_not_read(tmp_path: Path) -> None:
    shutil.copytree(FOLDER / "broken-values-in-files" / "argo", tmp_path / "argo")
    file = tmp_path / "argo" / "values" / "operator.yaml"

    file.write_text("operator:\n  {{ if .Values.x }}\n  replicas: [1\n", "utf-8")

    assert {name for name, _, _ in found(tmp_path)} == {"application.yaml"}


def test_the_releases_of_a_helmfile_go_together_or_are_reported(tmp_path: Path) -> None:
    text = """releases:
  - {name: crds, chart: oci://ghcr.io/stacklok/toolhive/toolhive-operator-crds, version: 0.34.0}
  - {name: operator, chart: oci://ghcr.io/stacklok/toolhive/toolhive-operator, version: 0.44.0}
"""
    (tmp_path / "helmfile.yaml").write_text(text, "utf-8")

    assert found(tmp_path) == [("helmfile.yaml", 3, "CHT005")]

    folder = "releases:\n  - {name: other, chart: ./charts/other}\n"
    (tmp_path / "helmfile.yaml").write_text(text.replace("releases:\n", folder), "utf-8")

    assert found(tmp_path) == [("helmfile.yaml", 4, "CHT005")]

    (tmp_path / "helmfile.yaml").write_text(text.replace("0.34.0", "0.44.0"), "utf-8")

    assert found(tmp_path) == []


def test_only_objects_are_the_subject_of_a_finding_about_a_value() -> None:
    findings = check(discover((str(FOLDER / "broken-values-in-files"),)), Options()).findings
    subjects = {Path(one.span.file).name: one.subject and one.subject.kind for one in findings}
    assert subjects["helmfile.yaml"] is None
    assert subjects["application.yaml"] == "Application"


@pytest.mark.parametrize(
    ("release", "install", "expected"),
    [
        pytest.param("0.27.2", "{server: false}", ["CHT007"], id="a kind that is there"),
        pytest.param("0.27.2", "{registry: false}", [], id="a kind that is not there"),
        pytest.param("0.27.2", "{server: false, registry: false, virtualMcp: false}", [], id="all"),
        pytest.param("0.28.0", "{server: false}", ["CHT002"], id="a release without the switches"),
    ],
)
def test_definitions_that_are_left_out_are_missed_by_resources(
    tmp_path: Path, release: str, install: str, expected: list[str]
) -> None:
    shutil.copy(FOLDER / "operator-values" / "servers.yaml", tmp_path)
    chart = f"chart: oci://ghcr.io/stacklok/toolhive/toolhive-operator-crds, version: {release}"
    values = f"values: [{{crds: {{install: {install}}}}}]"

    (tmp_path / "helmfile.yaml").write_text(f"releases: [{{name: crds, {chart}, {values}}}]\n", "utf-8")

    assert [rule for _, _, rule in found(tmp_path) if rule.startswith("CHT")] == expected


def test_values_are_known_by_release() -> None:
    assert "operator.features.server" in chart_values("0.27.2", is_of_crds=False)
    assert "operator.features.server" not in chart_values("0.28.0", is_of_crds=False)
    assert chart_values("0.45.0", is_of_crds=False) == chart_values("0.14.0", is_of_crds=True) == {}


@pytest.mark.parametrize("project", ["charts-of-one-release", "charts-of-two-clusters"])
def test_charts_whose_releases_go_together_get_no_finding(project: str) -> None:
    assert found(FOLDER / project) == []


def test_an_operator_beside_crds_of_another_release_is_reported_with_both() -> None:
    findings = check(discover((str(FOLDER / "charts-of-two-releases"),)), Options()).findings

    [one] = [finding for finding in findings if finding.rule == "CHT005"]
    assert one.message == "the operator is installed at 0.44.0, but its CRDs at 0.34.0"
    assert Path(one.span.file).name == "toolhive-operator.yaml"
    assert [Path(note.span.file).name for note in one.notes if note.span] == ["toolhive-operator-crds.yaml"]


def test_releases_whose_crds_differ_are_those_of_the_fingerprints() -> None:
    fingerprints = json.loads((FOLDER.parent / "releases" / "fingerprints.json").read_text("utf-8"))
    shipped_by = [shipped(fingerprints, release) for release in RELEASES]
    pairs = zip(RELEASES[1:], shipped_by, shipped_by[1:], strict=False)

    changed = [release for release, before, after in pairs if before != after]
    assert [release for release in changed if not holds(UNSHIPPED_SINCE, None, release)] == [
        release for release in SCHEMA_CHANGES if not holds(UNSHIPPED_SINCE, None, release)
    ]
    assert have_other_schemas("0.40.0", "0.41.0")
    assert not have_other_schemas("0.40.1", "0.40.0")


def test_a_list_that_delivers_is_no_object_of_another_program(tmp_path: Path) -> None:
    shutil.copytree(FOLDER / "operator-values", tmp_path, dirs_exist_ok=True)
    target = "targets: [{select: {kind: Kustomization}, fieldPaths: [spec.targetNamespace]}]"

    (tmp_path / "replacements.yaml").write_text(f"- source: {{kind: Namespace}}\n  {target}\n", "utf-8")

    assert found(tmp_path) == []


def test_files_that_stand_alone_see_no_charts_of_others(tmp_path: Path) -> None:
    shutil.copytree(FOLDER / "broken-operator-values", tmp_path, dirs_exist_ok=True)

    values = (tmp_path / "operator" / "helmrelease.yaml").read_text("utf-8")
    servers = (tmp_path / "servers.yaml").read_text("utf-8")
    (tmp_path / "all.yaml").write_text(f"{values}---\n{servers}", "utf-8")

    findings = check(discover((str(tmp_path),)), Options(isolated=True)).findings

    assert {(Path(one.span.file).name, one.rule) for one in findings if one.rule.startswith("CHT")} == {
        ("all.yaml", f"CHT00{number}") for number in (1, 2, 3, 4, 6)
    }


DEFAULTS = """operator:
      defaultRedis: {addr: "redis.db:6379", existingSecret: redis-credentials}
      defaultImagePullSecrets: [regcred, {name: mirror}]
      vmcpImage: example.com/vmcp:1"""
RESOURCES = """apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPServer
metadata: {name: fetch}
spec:
  image: ghcr.io/acme/fetch:1.2
  transport: streamable-http
  resourceOverrides: {proxyDeployment: {imagePullSecrets: [{name: mirror}]}}
---
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPServer
metadata: {name: memory}
spec: {image: ghcr.io/acme/memory:1.2, transport: streamable-http, sessionStorage: {provider: memory}}
---
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPRemoteProxy
metadata: {name: docs}
spec: {remoteUrl: "https://docs.example.com/mcp"}
---
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPRemoteProxy
metadata: {name: local}
spec: {remoteUrl: "https://docs.example.com/mcp", sessionStorage: {provider: memory}}
---
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPGroup
metadata: {name: tools}
---
apiVersion: toolhive.stacklok.dev/v1beta1
kind: VirtualMCPServer
metadata: {name: desk}
spec: {groupRef: {name: tools}, incomingAuth: {type: anonymous}}
---
apiVersion: toolhive.stacklok.dev/v1beta1
kind: EmbeddingServer
metadata: {name: words}
spec: {model: acme/words, image: "ghcr.io/acme/words:1"}
"""


def compiled(folder: Path, release: str, target: str) -> dict[str, Any]:
    chart = (FOLDER / "values-in-files" / "k3s" / "helmchart.yaml").read_text("utf-8")
    chart = chart.replace("operator:\n      replicaCount: 1", DEFAULTS).replace("0.44.0", release)
    (folder / "chart.yaml").write_text(chart, "utf-8")
    (folder / "resources.yaml").write_text(RESOURCES, "utf-8")
    output = folder / "out"
    call("build", "--keep-going", "--target", target, "--output-dir", str(output), str(folder))
    documents = {path.stem: read_documents(path.read_bytes(), path.name)[0][0].data for path in output.rglob("[!.]*.*")}
    shutil.rmtree(output)
    return documents


def pull_secrets(template: dict[str, Any]) -> list[str]:
    return [one["name"] for one in template["template"]["spec"].get("imagePullSecrets", ())]


def test_defaults_in_the_values_of_the_chart_are_compiled(tmp_path: Path) -> None:
    objects = compiled(tmp_path, "0.44.0", "kubernetes")

    assert pull_secrets(objects["deployment-fetch"]["spec"]) == ["mirror", "regcred"]
    assert pull_secrets(objects["deployment-desk"]["spec"]) == ["regcred", "mirror"]
    assert pull_secrets(objects["statefulset-words"]["spec"]) == ["regcred", "mirror"]
    container = objects["deployment-desk"]["spec"]["template"]["spec"]["containers"][0]
    assert container["image"] == "example.com/vmcp:1"
    [password] = [one for one in container["env"] if one["name"] == "THV_SESSION_REDIS_PASSWORD"]
    assert password["valueFrom"]["secretKeyRef"] == {"name": "redis-credentials", "key": "redis-password"}
    assert "provider: redis\n" in objects["configmap-desk-vmcp-config"]["data"]["config.yaml"]
    configs = {name: one.get("scaling_config") for name, one in compiled(tmp_path, "0.44.0", "runconfig").items()}
    redis = {"session_redis": {"address": "redis.db:6379"}}
    assert configs == {"MCPServer-fetch": redis, "MCPServer-memory": redis} | {
        "MCPRemoteProxy-docs": redis,
        "MCPRemoteProxy-local": None,
    }


def test_releases_that_read_no_defaults_have_none_compiled(tmp_path: Path) -> None:
    before = compiled(tmp_path, "0.25.0", "kubernetes")

    assert pull_secrets(before["deployment-fetch"]["spec"]) == ["mirror"]
    assert pull_secrets(before["deployment-desk"]["spec"]) == []
    assert not any(one.get("scaling_config") for one in compiled(tmp_path, "0.30.0", "runconfig").values())


RETAGGED = """apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata: {name: toolhive-operator}
spec: {ref: {tag: 0.34.0}}
"""
OPERATION = "- {op: replace, path: /spec/ref/tag, value: 0.34.0}\n"


@pytest.mark.parametrize(
    ("overlay", "tag", "expected"),
    [
        pytest.param("", "0.44.0", [], id="no patch"),
        pytest.param(f"patches: [{{patch: {json.dumps(RETAGGED)}}}]", "0.44.0", ["CHT005"], id="a part"),
        pytest.param(f"patches: [{{patch: {json.dumps(RETAGGED)}}}]", "0.34.0", ["CHT005"], id="as it is"),
        pytest.param(
            f"patches: [{{target: {{kind: OCIRepository, name: toolhive-operator}}, patch: {json.dumps(OPERATION)}}}]",
            "0.44.0",
            ["CHT005"],
            id="an operation",
        ),
        pytest.param(
            "patches: [{target: {kind: OCIRepository}, patch: '- {op: remove, path: /spec/ref}'}]",
            "0.34.0",
            [],
            id="an unknown version",
        ),
        pytest.param(
            f"patches: [{{target: {{kind: OCIRepository, name: other}}, patch: {json.dumps(OPERATION)}}}]",
            "0.44.0",
            [],
            id="another object",
        ),
        pytest.param("patches: [{path: patch.yaml}]", "0.34.0", [], id="a file that may be applied"),
    ],
)
def test_an_overlay_that_patches_the_pin_is_read(tmp_path: Path, overlay: str, tag: str, expected: list[str]) -> None:
    for folder in ("base", "overlay"):
        (tmp_path / folder).mkdir()
    text = (FOLDER / "operator-values" / "operator" / "helmrelease.yaml").read_text("utf-8")
    values = text.index("  values:")
    (tmp_path / "base" / "operator.yaml").write_text(text[:values].replace("0.44.0", tag), "utf-8")
    crds = text[:values].replace("toolhive-operator\n", "toolhive-operator-crds\n")
    (tmp_path / "base" / "crds.yaml").write_text(crds, "utf-8")
    (tmp_path / "base" / "kustomization.yaml").write_text("resources: [operator.yaml, crds.yaml]\n", "utf-8")
    (tmp_path / "overlay" / "kustomization.yaml").write_text(f"resources: [../base]\n{overlay}\n", "utf-8")
    if "path: patch.yaml" in overlay:
        (tmp_path / "overlay" / "patch.yaml").write_text(RETAGGED.replace("0.34.0", "0.44.0"), "utf-8")

    assert [rule for _, _, rule in found(tmp_path)] == expected


@pytest.mark.parametrize(("image", "expected"), [("v0.34.0", ["CHT005", "CHT006"]), ("main", []), ("v0.44.0", [])])
def test_the_image_of_the_operator_decides_about_its_release(tmp_path: Path, image: str, expected: list[str]) -> None:
    charts = "oci://ghcr.io/stacklok/toolhive/toolhive-operator"
    values = f"[{{operator: {{image: 'ghcr.io/stacklok/toolhive/operator:{image}'}}}}]"
    (tmp_path / "helmfile.yaml").write_text(
        f"releases:\n  - {{name: crds, chart: {charts}-crds, version: 0.44.0}}\n"
        f"  - {{name: operator, chart: {charts}, version: 0.44.0, values: {values}}}\n",
        "utf-8",
    )

    assert [rule for _, _, rule in found(tmp_path)] == expected


def test_the_source_of_the_chart_may_have_any_name(tmp_path: Path) -> None:
    source = "apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata: {name: agents}\nspec: {%s}\n"
    url = "url: oci://ghcr.io/stacklok/toolhive/toolhive-operator, ref: {tag: 0.44.0}"
    release = """\
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: agents
spec:
  chartRef: {kind: OCIRepository, name: agents}
  values:
    operator: {replicas: 2}
"""
    (tmp_path / "release.yaml").write_text(source % url + release, "utf-8")

    assert [(finding.rule, finding.span.line) for finding in check(discover((str(tmp_path),)), Options()).findings] == [
        ("CHT001", 13)
    ]
