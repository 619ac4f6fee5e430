"""The release of the operator that a project pins, in each of the ways in which projects do."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
import yaml
from calling import call

from mcpcfg.compiler.diagnostics.shown import shown
from mcpcfg.compiler.generate import fingerprint
from mcpcfg.compiler.golang.yaml.sigs import dump
from mcpcfg.compiler.toolhive.release import NEWEST_KNOWN, NEWEST_MODELLED

if TYPE_CHECKING:
    from pathlib import Path

SERVER = """\
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPServer
metadata: {name: fetch}
spec:
  image: ghcr.io/stackloklabs/gofetch/server:1.0.5
"""
LATER = f"{SERVER}  imagePullPolicy: Always\n"
OCI_REPOSITORY = """\
apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata: {{name: toolhive-operator}}
spec:
  url: oci://ghcr.io/stacklok/toolhive/{chart}
  ref:
    {ref}
"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "apps" / "fetch").mkdir(parents=True)
    (tmp_path / "apps" / "fetch" / "server.yaml").write_text(SERVER)
    (tmp_path / "apps" / "toolhive").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _oci_repository(ref: str, chart: str = "toolhive-operator") -> str:
    return OCI_REPOSITORY.format(chart=chart, ref=ref)


def _summary(*arguments: str) -> tuple[str, str]:
    found = json.loads(call("check", "--format", "json", *arguments, ".").out)["summary"]["release"]
    return found["version"], found["from"]


WAYS = {
    "OCIRepository": ("a.yaml", _oci_repository("tag: 0.30.1"), 7),
    "OCIRepository, digest": ("a.yaml", _oci_repository("tag: v0.30.1@sha256:0a"), 7),
    "OCIRepository, range": ("a.yaml", _oci_repository('semver: "0.30.x"'), 7),
    "the CRDs": ("a.yaml", _oci_repository("tag: 0.30.1", "toolhive-operator-crds"), 7),
    "HelmRelease": (
        "a.yaml",
        (
            "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: toolhive}\nspec:\n  chart:\n"
            "    spec:\n      chart: toolhive-operator\n      version: 0.30.1\n"
        ),
        8,
    ),
    "HelmChart": (
        "a.yaml",
        (
            "apiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmChart\nmetadata: {name: toolhive}\nspec:\n"
            "  chart: toolhive-operator\n  version: 0.30.1\n"
        ),
        6,
    ),
    "Application": (
        "a.yaml",
        (
            "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: toolhive}\nspec:\n  source:\n"
            "    repoURL: ghcr.io/stacklok/toolhive\n    chart: toolhive-operator\n    targetRevision: 0.30.1\n"
        ),
        8,
    ),
    "Application, sources": (
        "a.yaml",
        (
            "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: toolhive}\nspec:\n  sources:\n"
            "    - {repoURL: 'https://example.com/values', ref: values}\n"
            "    - repoURL: oci://ghcr.io/stacklok/toolhive/toolhive-operator\n      targetRevision: 0.30.1\n"
        ),
        8,
    ),
    "ApplicationSet": (
        "a.yaml",
        (
            "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: toolhive}\nspec:\n  template:\n"
            "    spec:\n      source:\n        chart: toolhive-operator\n        targetRevision: 0.30.1\n"
        ),
        9,
    ),
    "Chart.yaml": (
        "Chart.yaml",
        (
            "apiVersion: v2\nname: platform\nversion: 1.0.0\ndependencies:\n  - name: toolhive-operator\n"
            "    repository: oci://ghcr.io/stacklok/toolhive\n    version: ~0.30.0\n"
        ),
        7,
    ),
    "a copy of the chart": ("Chart.yaml", "apiVersion: v2\nname: toolhive-operator\nversion: 0.30.1\n", 3),
    "Chart.lock": (
        "Chart.lock",
        "dependencies:\n- name: toolhive-operator\n  repository: oci://ghcr.io/stacklok/toolhive\n  version: 0.30.1\n",
        4,
    ),
    "Chart.lock of a chart beside it": (
        "Chart.lock",
        "dependencies:\n- name: toolhive-operator\n  version: 0.30.1\n",
        3,
    ),
    "helmfile": (
        "helmfile.yaml",
        (
            "releases:\n  - name: toolhive\n    chart: oci://ghcr.io/stacklok/toolhive/toolhive-operator\n"
            "    version: 0.30.1\n"
        ),
        4,
    ),
    "kustomize": (
        "kustomization.yaml",
        "helmCharts:\n  - name: toolhive-operator\n    repo: oci://ghcr.io/stacklok/toolhive\n    version: 0.30.1\n",
        4,
    ),
    "kustomize, chart of a folder": (
        "kustomization.yaml",
        "helmGlobals: {chartHome: charts}\nhelmCharts:\n  - name: toolhive-operator\n    version: 0.30.1\n",
        4,
    ),
    "kustomize, image": (
        "kustomization.yaml",
        "resources: [operator.yaml]\nimages:\n  - name: ghcr.io/stacklok/toolhive/operator\n    newTag: v0.30.1\n",
        4,
    ),
    "Kustomization, image": (
        "a.yaml",
        (
            "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: toolhive}\nspec:\n"
            "  images:\n    - {name: ghcr.io/stacklok/toolhive/operator, newTag: v0.30.1}\n"
        ),
        6,
    ),
    "kustomize, raw definition": (
        "kustomization.yaml",
        (
            "resources:\n  - https://raw.githubusercontent.com/stacklok/toolhive/v0.30.1/deploy/charts/operator-crds/files/"
            "crds/toolhive.stacklok.dev_mcpservers.yaml\n"
        ),
        2,
    ),
    "kustomize, remote folder": (
        "kustomization.yaml",
        "resources:\n  - https://github.com/stacklok/toolhive//deploy/charts/operator-crds/files/crds?ref=v0.30.1\n",
        2,
    ),
    "GitRepository": (
        "a.yaml",
        (
            "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: toolhive}\nspec:\n"
            "  url: https://github.com/stacklok/toolhive.git\n  ref: {tag: v0.30.1}\n"
        ),
        6,
    ),
    "Application, folder": (
        "a.yaml",
        (
            "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: toolhive}\nspec:\n  source:\n"
            "    repoURL: https://github.com/stacklok/toolhive\n    path: deploy/charts/operator\n"
            "    targetRevision: v0.30.1\n"
        ),
        8,
    ),
    "ApplicationSet, list": (
        "a.yaml",
        (
            "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: charts}\nspec:\n  generators:\n"
            "    - list:\n        elements:\n          - {chart: toolhive-operator, version: 0.30.1}\n"
            "  template:\n    spec:\n      source: {chart: '{{chart}}', targetRevision: '{{version}}'}\n"
        ),
        8,
    ),
    "ResourceSet": (
        "a.yaml",
        (
            "apiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSet\nmetadata: {name: toolhive}\nspec:\n"
            "  inputs: [{version: 0.30.1}]\n  resources:\n    - apiVersion: source.toolkit.fluxcd.io/v1\n"
            "      kind: OCIRepository\n      metadata: {name: toolhive-operator}\n      spec:\n"
            "        url: oci://ghcr.io/stacklok/toolhive/toolhive-operator\n        ref:\n"
            '          tag: "<< inputs.version >>"\n'
        ),
        13,
    ),
    "Fleet": (
        "fleet.yaml",
        "helm:\n  chart: oci://ghcr.io/stacklok/toolhive/toolhive-operator\n  version: 0.30.1\n",
        3,
    ),
    "k3s": (
        "a.yaml",
        (
            "apiVersion: helm.cattle.io/v1\nkind: HelmChart\nmetadata: {name: toolhive}\nspec:\n"
            "  chart: oci://ghcr.io/stacklok/toolhive/toolhive-operator\n  version: 0.30.1\n"
        ),
        6,
    ),
    "k0s": (
        "a.yaml",
        (
            "apiVersion: k0s.k0sproject.io/v1beta1\nkind: ClusterConfig\nmetadata: {name: k0s}\nspec:\n  extensions:\n"
            "    helm:\n      charts:\n        - name: toolhive\n"
            "          chartname: oci://ghcr.io/stacklok/toolhive/toolhive-operator\n          version: 0.30.1\n"
        ),
        10,
    ),
    "Sveltos": (
        "a.yaml",
        (
            "apiVersion: config.projectsveltos.io/v1beta1\nkind: ClusterProfile\nmetadata: {name: toolhive}\nspec:\n"
            "  helmCharts:\n    - repositoryURL: oci://ghcr.io/stacklok/toolhive\n"
            "      chartName: toolhive-operator\n      chartVersion: 0.30.1\n"
        ),
        8,
    ),
    "Zarf": (
        "zarf.yaml",
        (
            "kind: ZarfPackageConfig\nmetadata: {name: toolhive}\ncomponents:\n  - name: operator\n    charts:\n"
            "      - name: toolhive-operator\n        url: oci://ghcr.io/stacklok/toolhive/toolhive-operator\n"
            "        version: 0.30.1\n"
        ),
        8,
    ),
    "Crossplane": (
        "a.yaml",
        (
            "apiVersion: helm.crossplane.io/v1beta1\nkind: Release\nmetadata: {name: toolhive}\nspec:\n  forProvider:\n"
            "    chart:\n      name: toolhive-operator\n      repository: oci://ghcr.io/stacklok/toolhive\n"
            "      version: 0.30.1\n"
        ),
        9,
    ),
    "Deployment": (
        "a.yaml",
        (
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: operator}\nspec:\n  template:\n    spec:\n"
            "      containers:\n        - image: ghcr.io/stacklok/toolhive/operator:v0.30.1\n"
        ),
        8,
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_the_release_that_a_project_installs_judges_it(way: str, project: Path) -> None:
    name, text, line = WAYS[way]
    (project / "apps" / "toolhive" / name).write_text(text)
    assert _summary() == ("0.30.1", f"apps/toolhive/{name}:{line}")


@pytest.mark.parametrize(
    ("stated", "release"),
    [
        ("^0.30.0", "0.30.1"),
        ("~0.30", "0.30.1"),
        ("0.30", "0.30.1"),
        ("0.28.*", "0.28.3"),
        (">=0.28.0 <0.29.0", "0.28.3"),
        (">= 0.28.0, < 0.29.0", "0.28.3"),
        ("0.22.0 - 0.28.1", "0.28.1"),
        (">0.28.1 <=0.28.2", "0.28.2"),
        ("0.x", NEWEST_KNOWN),
        ("*", NEWEST_KNOWN),
        ("0.22.0 || 0.24.0", "0.24.0"),
        ("~0.30.0 !=0.30.1", "0.30.0"),
        ("0.46.0", "0.46.0"),
    ],
)
def test_of_a_range_the_newest_release_in_it_judges(stated: str, release: str, project: Path) -> None:
    (project / "a.yaml").write_text(_oci_repository(f'semver: "{stated}"'))
    assert _summary() == (release, "a.yaml:7")


@pytest.mark.parametrize(
    "ref",
    [
        *("tag: ${VERSION}", "tag: latest", "tag: '{{ v }}'", "tag: 0.30.1.2.3 x", "branch: main"),
        *("digest: sha256:0a1b", "semver: '>2 <1'", f"tag: {'9' * 200}.1.1"),
    ],
)
def test_a_version_that_names_no_release_is_named_with_its_place(ref: str, project: Path) -> None:
    (project / "a.yaml").write_text(_oci_repository(ref))
    assert _summary() == (NEWEST_MODELLED, "default")
    stated = yaml.safe_load(f"{{{ref}}}" if "{" not in ref else ref)
    (version,) = stated.values()
    assert call("check").err.count("names no release") == 1
    assert call("check").err.endswith(f"; the version {shown(version)} (a.yaml:7) names no release\n")
    assert "names no release" not in call("check", "--release", "0.30.0").err


@pytest.mark.parametrize("last", ["0.10.0", "0.30.0"])
def test_each_pin_that_is_not_modelled_is_named(last: str, project: Path) -> None:
    for folder, release in (("a", "0.80.0"), ("b", "0.10.0"), ("c", last)):
        (project / folder).mkdir()
        (project / folder / "pin.yaml").write_text(_oci_repository(f"tag: {release}"))
        (project / folder / "server.yaml").write_text(SERVER.replace("fetch", folder, 1))
    errors = call("check").err
    assert (
        errors.count("release 0.80.0 (a/pin.yaml:7) is newer than all known ones, up to 0.69.1; judged by 0.51.4") == 1
    )
    assert errors.count("release 0.10.0 (b/pin.yaml:7) is not modelled; judged by 0.21.0") == 1
    assert "0.30.0" not in errors
    stated = json.loads(call("check", "--format", "json").out)["summary"]["release"]
    pins = [stated, *stated["other_pins"]]
    assert {(one["version"], one["judged_by"]) for one in pins} == {("0.80.0", NEWEST_MODELLED), ("0.10.0", "0.21.0")}


@pytest.mark.parametrize(
    ("ref", "version", "judge"),
    [
        ("tag: 0.15.0", "0.15.0", "0.21.0"),
        ("semver: <0.21.0", "0.20.0", "0.21.0"),
        ("semver: 0.10.x", "0.10.0", "0.21.0"),
        ("tag: 0.60.0", "0.60.0", NEWEST_MODELLED),
        ("semver: ~0.80.1", "0.80.1", NEWEST_MODELLED),
        ("semver: '>0.80'", "0.81.0", NEWEST_MODELLED),
        ("semver: 1.x", "1.0.0", NEWEST_MODELLED),
    ],
)
def test_a_release_that_is_not_modelled_is_judged_by_the_nearest(
    ref: str, version: str, judge: str, project: Path
) -> None:
    (project / "a.yaml").write_text(_oci_repository(ref))
    assert json.loads(call("check", "--format", "json").out)["summary"]["release"] == {
        "version": version,
        "from": "a.yaml:7",
        "judged_by": judge,
    }
    errors = call("check").err
    assert f"; release {version} (a.yaml:7) is " in errors
    assert f"; judged by {judge}" in errors
    # Charts did not have the number of their release before 0.10.0.
    assert (f" --version {version} --include-crds" in errors) is (version != "0.5.27")


@pytest.mark.parametrize(
    "text",
    [
        "releases: 1\n",
        "releases: [1, {chart: 2}]\n",
        "dependencies: {a: 1}\nhelmCharts: 1\n",
        "kind: [Application]\napiVersion: {a: 1}\n",
        "labels: {name: toolhive-operator, version: 0.30.1}\n",
        "helm: {chart: toolhive-operator}\nversion: 0.30.1\n",
        "helm: {chart: toolhive-operator, version: '{{ version }}'}\n",
        "helm: {chart: other/toolhive-operator-extras, version: 0.30.1}\n",
        "resources: [https://github.com/stacklok/toolhive//deploy/charts/operator-crds/files/crds?ref=main]\n",
        "resources: [https://github.com/stacklok/toolhive/v0.30.1/docs, 5]\nimages: [{name: 1, newTag: v0.30.1}]\n",
        "kind: GitRepository\nspec: {url: https://github.com/acme/toolhive-registry, ref: {tag: v0.30.1}}\n",
        "kind: GitRepository\nspec: {url: https://github.com/stacklok/toolhive, ref: {branch: main}}\n",
    ],
)
def test_files_of_other_forms_pin_nothing(text: str, project: Path) -> None:
    (project / "a.yaml").write_text(f"{text}more: toolhive-operator\n")
    assert _summary() == (NEWEST_MODELLED, "default")


def test_a_stated_release_overrides_a_pinned_one(project: Path) -> None:
    (project / "a.yaml").write_text(_oci_repository("tag: 0.30.1"))
    assert _summary("--release", "0.28.3") == ("0.28.3", "--release")
    (project / "mcpcfg.yaml").write_text("release: 0.29.0\n")
    assert _summary() == ("0.29.0", "mcpcfg.yaml")


def test_a_pinned_release_overrides_the_api_version(project: Path) -> None:
    (project / "apps" / "fetch" / "server.yaml").write_text(SERVER.replace("v1alpha1", "v1beta1"))
    assert _summary()[0] == NEWEST_MODELLED
    (project / "a.yaml").write_text(_oci_repository("tag: 0.30.1"))
    assert _summary() == ("0.30.1", "a.yaml:7")


def test_the_pin_of_the_operator_overrides_that_of_its_crds(project: Path) -> None:
    (project / "apps" / "toolhive" / "crds.yaml").write_text(_oci_repository("tag: 0.44.0", "toolhive-operator-crds"))
    (project / "apps" / "toolhive" / "app.yaml").write_text(_oci_repository("tag: 0.30.1"))
    assert _summary() == ("0.30.1", "apps/toolhive/app.yaml:7")


GATEWAY = """\
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPAuthzConfig
metadata: {name: shared}
spec: {type: cedarv1, config: {policies: ["permit(principal, action, resource);"]}}
"""


def test_each_file_is_judged_by_the_nearest_pin(project: Path) -> None:
    for cluster, release in (("production", "0.29.0"), ("staging", "0.30.0")):
        folder = project / "clusters" / cluster
        (folder / "operator").mkdir(parents=True)
        (folder / "operator" / "a.yaml").write_text(_oci_repository(f"tag: {release}"))
        (folder / "mcp").mkdir()
        (folder / "mcp" / "authz.yaml").write_text(GATEWAY)

    found = json.loads(call("check", "--format", "json", "clusters").out)
    reported = [(one["file"], one["message"]) for one in found["findings"] if one["severity"] == "error"]

    assert reported == [("clusters/production/mcp/authz.yaml", 'release 0.29.0 has no kind "MCPAuthzConfig"')]
    assert found["summary"]["release"] == {
        "version": "0.30.0",
        "from": "clusters/staging/operator/a.yaml:7",
        "judged_by": "0.30.0",
    }


def test_pins_come_back_from_cache_and_shards(project: Path) -> None:
    (project / "a.yaml").write_text(_oci_repository("tag: 0.30.1"))
    (project / "apps" / "fetch" / "authz.yaml").write_text(GATEWAY)
    whole = call("check", ".")
    assert (whole.status, "by operator release 0.30.1, which a.yaml:7 installs" in whole.err) == (0, True)
    assert call("check", ".") == whole

    for number in (1, 2):
        call("check", "--shard", f"{number}/2", "--output", f"{number}.json.part", ".")
    assert call("merge", "1.json.part", "2.json.part") == whole


def test_a_version_of_any_length_is_read_in_no_time(project: Path) -> None:
    (project / "a.yaml").write_text(_oci_repository(f"tag: {'1' * 500_000}"))
    assert _summary() == (NEWEST_MODELLED, "default")


def test_crds_among_the_files_state_the_newest_release_that_ships_them_all(project: Path) -> None:
    folder = project / "apps" / "toolhive"
    definitions = fingerprint.definitions("0.30.0")
    for kind, one in definitions.items():
        (folder / f"{kind}.yaml").write_text(f"# copied\n{dump(one)}")

    release, place = _summary()

    # 0.30.0 alone has its schemas of proxies; other kinds did not change in later releases.
    assert release == "0.30.0"
    assert place.startswith("apps/toolhive/")


def test_a_crd_that_no_release_ships_states_none(project: Path) -> None:
    one = fingerprint.definitions("0.30.0")["MCPServer"]
    one["spec"]["scope"] = "Cluster"
    (project / "apps" / "toolhive" / "crd.yaml").write_text(dump(one))

    assert _summary()[1] == "default"


def test_the_version_of_a_chart_overrides_neighboring_crds(project: Path) -> None:
    name, text, _ = WAYS["Chart.yaml"]
    (project / "apps" / "toolhive" / name).write_text(text)
    (project / "apps" / "toolhive" / "crd.yaml").write_text(dump(fingerprint.definitions("0.44.0")["MCPServer"]))

    assert _summary()[0] == "0.30.1"


def test_sarif_names_the_release_and_where_it_is_stated(project: Path) -> None:
    name, text, line = WAYS["Chart.yaml"]
    (project / "apps" / "toolhive" / name).write_text(text)
    (run,) = json.loads(call("check", "--format", "sarif").out)["runs"]

    assert run["properties"]["operatorRelease"] == {
        "version": "0.30.1",
        "from": f"apps/toolhive/{name}:{line}",
        "judged_by": "0.30.1",
        "statement": f"judged by operator release 0.30.1, which apps/toolhive/{name}:{line} installs",
    }


VALUES = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: operator}
spec:
  chartRef: {kind: OCIRepository, name: toolhive-operator}
  values:
    operator:
      toolhiveRunnerImage: registry.example.com/proxyrunner:v1
      vmcpImage: ${VMCP}
      proxyHost: 127.0.0.1
"""


@pytest.mark.parametrize("configuration", ["", "images: {proxyRunner: own.example.com/runner:v2}\n"])
def test_the_values_of_the_chart_state_what_is_compiled(configuration: str, project: Path) -> None:
    (project / "apps" / "toolhive" / "release.yaml").write_text(VALUES)
    (project / "mcpcfg.yaml").write_text(configuration)

    compiled = call("build", "--target", "kubernetes").out

    wanted = "own.example.com/runner:v2" if configuration else "registry.example.com/proxyrunner:v1"
    assert f"image: {wanted}" in compiled
    assert '"host": "127.0.0.1"' in call("build", "--target", "runconfig").out


def _images(*arguments: str) -> set[str]:
    lines = call("build", "--target", "kubernetes", *arguments).out.splitlines()
    return {line.partition("image: ")[2] for line in lines if "image: ghcr.io/stacklok/" in line}


def test_the_chart_sets_the_images_of_its_release(project: Path) -> None:
    group = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPGroup\nmetadata: {name: tools}\nspec: {}\n---\n"
    virtual = (
        "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: VirtualMCPServer\nmetadata: {name: gateway}\nspec:\n"
        "  incomingAuth: {type: anonymous}\n  groupRef: {name: tools}\n---\n"
    )
    registry = (
        "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPRegistry\nmetadata: {name: registry}\nspec:\n"
        "  configYAML: |\n    sources: [{name: own, managed: {}}]\n    registries: [{name: own, sources: [own]}]\n"
        "    database: {host: db, port: 5432, user: app, database: catalog}\n    auth: {mode: anonymous}\n"
    )
    (project / "apps" / "all.yaml").write_text(group + virtual + registry)
    defaults = {f"ghcr.io/stacklok/{name}:latest" for name in ("toolhive/proxyrunner", "toolhive/vmcp")}

    assert _images("--keep-going") == {*defaults, "ghcr.io/stacklok/thv-registry-api:latest"}
    for release, registry_image in (("0.24.0", "v1.1.1"), ("0.44.0", "v1.3.0")):
        (project / "apps" / "toolhive" / "a.yaml").write_text(_oci_repository(f"tag: {release}"))
        own = {one.replace("latest", f"v{release}") for one in defaults}
        assert _images("--keep-going") == {*own, f"ghcr.io/stacklok/thv-registry-api:{registry_image}"}
        stated = "example.com/runner:1"
        assert len(_images("--keep-going", "--proxy-runner-image", stated)) == len(own)


def test_definitions_alone_set_no_images(project: Path) -> None:
    (project / "apps" / "toolhive" / "a.yaml").write_text(_oci_repository("tag: 0.44.0", "toolhive-operator-crds"))

    assert _images() == {"ghcr.io/stacklok/toolhive/proxyrunner:latest"}


def test_values_of_one_of_several_sources_count(project: Path) -> None:
    (project / "apps" / "toolhive" / "a.yaml").write_text(
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: toolhive}\nspec:\n  sources:\n"
        "    - {repoURL: 'https://example.com/values', ref: values}\n"
        "    - repoURL: ghcr.io/stacklok/toolhive\n      chart: toolhive-operator\n      targetRevision: 0.44.0\n"
        "      helm: {valuesObject: {operator: {toolhiveRunnerImage: 'ghcr.io/stacklok/mirror:1'}}}\n"
    )

    assert _images() == {"ghcr.io/stacklok/mirror:1"}


def test_values_alone_state_no_release(project: Path) -> None:
    (project / "apps" / "toolhive" / "release.yaml").write_text(VALUES)

    assert _summary()[1] == "default"


OLD = "apiVersion: toolhive.stacklok.dev/v1alpha1\nkind: MCPServer\nmetadata: {name: fetch}\nspec: {image: 'a:1'%s}\n"


def _helm_release(chart: str, version: str) -> str:
    return (
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: a}\nspec:\n  chart:\n    spec:\n"
        f"      chart: {chart}\n      version: {version}\n      sourceRef: {{kind: HelmRepository, name: a}}\n"
    )


@pytest.fixture
def alone(project: Path) -> Path:
    (project / "apps" / "fetch" / "server.yaml").unlink()
    return project


@pytest.mark.parametrize("way", [way for way, (_, text, _) in WAYS.items() if "0.30.1" in text])
def test_a_number_of_the_old_charts_is_told_apart(way: str, alone: Path) -> None:
    name, text, _ = WAYS[way]
    number = "0.0.55" if "operator-crds" in text else "0.5.21"
    (alone / name).parent.mkdir(exist_ok=True, parents=True)
    (alone / name).write_text(text.replace("0.30.1", number))
    (alone / "server.yaml").write_text(OLD % "")
    said = call("check", ".").err
    assert f"{number} ({name}:" in said
    assert "is a number of the old charts (ToolHive 0.6 to 0.9); judged by 0.21.0\n" in said
    assert "is not modelled" not in said


@pytest.mark.parametrize(
    ("stated", "release"),
    [(", maxRequestBodySize: 5", "0.45.0"), (", sessionStorage: {provider: memory}, secrets: []", "")],
)
def test_a_later_field_beside_an_old_number_judges(stated: str, release: str, alone: Path) -> None:
    (alone / "hr.yaml").write_text(_helm_release("toolhive-operator", "0.5.21"))
    (alone / "server.yaml").write_text(OLD % f"{stated}, brandNew: 1")
    outcome = call("check", ".")
    if release:
        cause = "server.yaml:4 has maxRequestBodySize, which needs release 0.45.0"
        assert f"and cannot be what runs: {cause}; judged by 0.45.0\n" in outcome.err
        assert "error[ADM001]" in outcome.out
    else:
        assert "judged by 0.21.0\n" in outcome.err
        assert "warning[ADM001]" in outcome.out
    assert "maxRequestBodySize" not in outcome.out.replace("maxRequestBodySize: 5", "")


def test_a_version_of_the_api_that_the_old_charts_lack_judges(alone: Path) -> None:
    (alone / "hr.yaml").write_text(_helm_release("toolhive-operator", "0.5.21"))
    (alone / "server.yaml").write_text((OLD % "").replace("v1alpha1", "v1beta1"))
    said = call("check", ".").err
    assert "server.yaml:1 has v1beta1, which needs release 0.23.0; judged by 0.23.0\n" in said


@pytest.mark.parametrize(
    ("number", "is_old"), [("0.5.21", True), ("0.0.55", True), ("0.5.2", False), ("0.6.0", False), ("0.10.0", False)]
)
def test_a_stated_number_that_only_charts_had_is_told_apart(number: str, alone: Path, *, is_old: bool) -> None:
    (alone / "server.yaml").write_text(OLD % ", maxRequestBodySize: 5")
    outcome = call("check", ".", "--release", number)
    assert (f"{number} (--release) is a number of the old charts" in outcome.err) is is_old
    assert "error[ADM001]" in outcome.out, "no release before has the field"


def test_tags_of_images_and_repositories_are_no_numbers_of_charts(alone: Path) -> None:
    (alone / "kustomization.yaml").write_text("images:\n- {name: ghcr.io/stacklok/toolhive/operator, newTag: v0.5.2}\n")
    (alone / "server.yaml").write_text(OLD % "")
    assert "release 0.5.2 (kustomization.yaml:2) is not modelled" in call("check", ".").err
