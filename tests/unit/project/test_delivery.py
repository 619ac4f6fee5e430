"""What Flux and Argo CD apply decides the namespaces of what lies in the folders."""

from __future__ import annotations

from pathlib import Path

import pytest
from calling import call

from mcpcfg.compiler import api
from mcpcfg.compiler.project.settings import Options

HEAD = "apiVersion: toolhive.stacklok.dev/v1beta1\n"
GROUP = HEAD + "kind: MCPGroup\nmetadata: {name: tools}\n"
SERVER = HEAD + "kind: MCPServer\nmetadata: {name: fetch}\nspec: {image: 'ghcr.io/a/b:1', groupRef: {name: tools}}\n"


def flux(name: str, path: str, more: str = "") -> str:
    head = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"
    return f"---\n{head}metadata: {{name: {name}, namespace: flux-system}}\nspec:\n  path: {path}\n{more}"


def argo_cd(path: str, namespace: str, more: str = "") -> str:
    head = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: servers, namespace: argocd}\n"
    source = f"    repoURL: https://git.example.com/all.git\n    path: {path}\n{more}"
    return f"---\n{head}spec:\n  source:\n{source}  destination:\n    namespace: {namespace}\n"


def namespaces(files: dict[str, str]) -> list[tuple[str, str, str | None]]:
    report = api.check(files=files)
    return sorted((one.document.file, one.name, one.namespace) for one in report.loaded.resources)


def test_the_target_namespace_of_flux_is_set_on_all_resources_below_its_path() -> None:
    files = {
        "cluster/apps.yaml": flux("apps", "./apps/ai", "  targetNamespace: ai\n"),
        "apps/ai/server.yaml": SERVER,
        "apps/ai/below/group.yaml": GROUP,
        "apps/other.yaml": GROUP,
    }
    assert namespaces(files) == [
        ("apps/ai/below/group.yaml", "tools", "ai"),
        ("apps/ai/server.yaml", "fetch", "ai"),
        ("apps/other.yaml", "tools", None),
    ]


def test_the_target_namespace_of_flux_overrides_the_kustomization_in_its_path() -> None:
    files = {
        "cluster/apps.yaml": flux("apps", "apps/ai", "  targetNamespace: ai\n"),
        "apps/ai/kustomization.yaml": "namespace: other\nresources: [../base]\n",
        "apps/ai/unlisted.yaml": GROUP,
        "apps/base/kustomization.yaml": "resources: [server.yaml]\n",
        "apps/base/server.yaml": SERVER,
    }
    assert namespaces(files) == [("apps/ai/unlisted.yaml", "tools", None), ("apps/base/server.yaml", "fetch", "ai")]


def test_a_kustomization_that_lists_a_flux_object_does_not_change_what_the_object_applies() -> None:
    files = {
        "cluster/all.yaml": flux("all", "./apps"),
        "apps/kustomization.yaml": "namespace: outer\nresources: [ai/ks.yaml, group.yaml]\n",
        "apps/group.yaml": GROUP,
        "apps/ai/ks.yaml": flux("ai", "./apps/ai/app", "  targetNamespace: ai\n"),
        "apps/ai/app/server.yaml": SERVER,
    }
    assert namespaces(files) == [("apps/ai/app/server.yaml", "fetch", "ai"), ("apps/group.yaml", "tools", "outer")]


RETARGET = """- source: {kind: Namespace, fieldPath: metadata.name}
  targets: [{select: {kind: Kustomization}, fieldPaths: [spec.targetNamespace], options: {create: true}}]
"""


@pytest.mark.parametrize("inline", [False, True])
def test_a_replacement_copies_the_namespace_into_the_target_namespace(*, inline: bool) -> None:
    above = "replacements:\n" + RETARGET if inline else "replacements: [{path: ../shared/ks.yaml}]\n"
    files = {
        "shared/ks.yaml": RETARGET,
        "apps/kustomization.yaml": f"namespace: ai\nresources: [flux.yaml]\n{above}",
        "apps/flux.yaml": flux("a", "./base/app"),
        "base/app/server.yaml": SERVER,
    }
    assert namespaces(files) == [("base/app/server.yaml", "fetch", "ai")]


def test_one_folder_can_be_applied_to_several_namespaces() -> None:
    files = {
        "cluster/ks.yaml": flux("a", "./apps", "  targetNamespace: a\n")
        + flux("b", "./apps", "  targetNamespace: b\n"),
        "apps/server.yaml": SERVER,
        "groups/ks.yaml": flux("g", "./groups/all", "  targetNamespace: a\n"),
        "groups/all/group.yaml": GROUP,
    }
    assert namespaces(files) == [
        ("apps/server.yaml", "fetch", "a"),
        ("apps/server.yaml", "fetch", "b"),
        ("groups/all/group.yaml", "tools", "a"),
    ]


def test_a_finding_that_names_a_namespace_has_a_note_where_it_is_set() -> None:
    files = {
        "cluster/ks.yaml": flux("a", "./apps", "  targetNamespace: ai\n"),
        "apps/server.yaml": SERVER,
        "tools/group.yaml": GROUP.replace("name: tools", "name: tools, namespace: other"),
    }
    (finding,) = [one for one in api.check(files=files).findings if one.severity == "error"]

    assert finding.span.file == "apps/server.yaml"
    assert 'not in "ai"' in finding.message
    note = finding.notes[-1]
    assert note.message == 'namespace "ai" is set here'
    assert note.span is not None
    assert (note.span.file, note.span.line, note.span.column) == ("cluster/ks.yaml", 7, 20)


def test_the_destination_of_argo_cd_is_a_default_namespace() -> None:
    files = {
        "argo/plain.yaml": argo_cd("servers", "ai"),
        "argo/built.yaml": argo_cd("built", "unused"),
        "servers/server.yaml": SERVER,
        "servers/below/group.yaml": GROUP,
        "built/kustomization.yaml": "namespace: own\nresources: [server.yaml]\n",
        "built/server.yaml": SERVER,
    }
    assert namespaces(files) == [
        ("built/server.yaml", "fetch", "own"),
        ("servers/below/group.yaml", "tools", None),
        ("servers/server.yaml", "fetch", "ai"),
    ]


def test_an_application_can_recurse_and_set_a_kustomize_namespace() -> None:
    files = {
        "argo/deep.yaml": argo_cd("deep", "ai", "    directory: {recurse: true}\n"),
        "argo/set.yaml": argo_cd("built", "unused", "    kustomize: {namespace: set}\n"),
        "deep/below/group.yaml": GROUP,
        "built/kustomization.yaml": "namespace: own\nresources: [server.yaml]\n",
        "built/server.yaml": SERVER,
    }
    assert namespaces(files) == [("built/server.yaml", "fetch", "set"), ("deep/below/group.yaml", "tools", "ai")]


@pytest.mark.parametrize("written", ["{{path}}/{{path.basename}}", "{{.path.path}}/{{ .path.basename }}"])
def test_an_application_set_makes_an_application_of_each_folder(written: str) -> None:
    path, _, name = written.partition("/")
    made = (
        "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: all}\nspec:\n  generators:\n"
        "  - git: {repoURL: 'https://git.example.com/all.git', directories: [{path: 'apps/*'}]}\n"
        f"  template:\n    spec:\n      source: {{path: '{path}'}}\n      destination: {{namespace: 'mcp-{name}'}}\n"
    )
    files = {"sets/all.yaml": made, "apps/a/server.yaml": SERVER, "apps/b/server.yaml": SERVER}
    assert namespaces(files) == [("apps/a/server.yaml", "fetch", "mcp-a"), ("apps/b/server.yaml", "fetch", "mcp-b")]


def test_an_application_set_makes_an_application_of_each_element_of_a_list() -> None:
    made = (
        "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: all}\nspec:\n  generators:\n"
        "  - list: {elements: [{team: a}, {team: b}]}\n"
        "  template:\n    spec:\n      source: {path: 'apps/{{team}}'}\n      destination: {namespace: '{{team}}'}\n"
    )
    files = {"sets/all.yaml": made, "apps/a/server.yaml": SERVER, "apps/b/server.yaml": SERVER}
    assert namespaces(files) == [("apps/a/server.yaml", "fetch", "a"), ("apps/b/server.yaml", "fetch", "b")]


def test_one_resource_in_each_of_several_clusters_is_no_duplicate() -> None:
    files = {
        f"clusters/{one}/{name}": text
        for one in ("north", "south")
        for name, text in (
            ("ks.yaml", flux("apps", f"./clusters/{one}/apps", "  targetNamespace: ai\n")),
            ("apps/server.yaml", SERVER.replace("groupRef: {name: tools}", "")),
        )
    }
    assert [one.rule for one in api.check(files=files).findings if one.severity == "error"] == []
    assert {namespace for _, _, namespace in namespaces(files)} == {"ai"}


def test_a_resource_that_two_deliveries_apply_to_one_cluster_is_a_duplicate() -> None:
    files = {
        "cluster/ks.yaml": flux("a", "./a", "  targetNamespace: ai\n") + flux("b", "./b", "  targetNamespace: ai\n"),
        "a/group.yaml": GROUP,
        "b/group.yaml": GROUP,
    }
    (finding,) = [one for one in api.check(files=files).findings if one.severity == "error"]
    assert (finding.span.file, finding.name) == ("b/group.yaml", "duplicate-resource")


@pytest.mark.parametrize("spec", ["", "spec: 5\n", "spec: {path: 5, kubeConfig: 1}\n", "spec: {path: ../../x}\n"])
@pytest.mark.parametrize("kind", ["Application", "ApplicationSet", "Kustomization"])
def test_a_delivery_without_a_folder_applies_nothing(kind: str, spec: str) -> None:
    group = "kustomize.toolkit.fluxcd.io/v1" if kind == "Kustomization" else "argoproj.io/v1alpha1"
    files = {"a/ks.yaml": f"apiVersion: {group}\nkind: {kind}\nmetadata: {{name: x}}\n{spec}", "b/group.yaml": GROUP}
    assert namespaces(files) == [("b/group.yaml", "tools", None)]


def test_files_from_the_cache_go_into_the_same_namespaces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    files = {
        "project/cluster/ks.yaml": flux("a", "./project/apps", "  targetNamespace: ai\n"),
        "project/apps/server.yaml": SERVER,
        "project/group.yaml": GROUP.replace("name: tools", "name: tools, namespace: other"),
    }
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    first, *later = [call("check", "project").out for _ in range(3)]
    assert 'namespace "ai" is set here (project/cluster/ks.yaml:7:20)' in first
    assert later == [first, first]


def test_a_target_namespace_also_counts_in_a_closed_project() -> None:
    files = {
        "cluster/ks.yaml": flux("a", "./apps", "  targetNamespace: ai\n"),
        "apps/all.yaml": GROUP + "---\n" + SERVER,
    }
    assert list(api.check(files=files, options=Options(closed=True)).findings) == []


def test_the_hint_names_the_whole_repository_if_only_a_part_is_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flux = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: fetch}\n"
    head = "apiVersion: toolhive.stacklok.dev/v1beta1\n"
    apps = tmp_path / "kubernetes" / "apps"
    for name in ("fetch", "groups"):
        (apps / name / "app").mkdir(parents=True)
        (apps / name / "ks.yaml").write_text(f"{flux}spec: {{path: ./kubernetes/apps/{name}/app}}\n")
    server = f"{head}kind: MCPServer\nmetadata: {{name: fetch}}\nspec: {{image: 'a:1', groupRef: {{name: tools}}}}\n"
    (apps / "fetch" / "app" / "server.yaml").write_text(server)
    monkeypatch.chdir(tmp_path)

    assert "hint: declare it; where another folder does, check . as a whole" in call("check", str(apps / "fetch")).out
    assert "check . as a whole" in call("check", "kubernetes/apps/fetch").out
    assert "list it under external" in call("check").out
    (apps / "mcpcfg.yaml").write_text("")
    assert "list it under external" in call("check", "kubernetes/apps").out
    assert "check kubernetes/apps as a whole" in call("check", "kubernetes/apps/fetch").out
    (apps / "groups" / "app" / "group.yaml").write_text(f"{head}kind: MCPGroup\nmetadata: {{name: tools}}\n")
    assert call("check").status == 0


@pytest.mark.parametrize("where", ["flux", "kustomization", "document"])
def test_a_namespace_that_is_a_placeholder_is_unknown(where: str) -> None:
    head = "apiVersion: toolhive.stacklok.dev/v1beta1\n"
    flux = (
        "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: NAME}\nspec: {path: ./NAME"
    )
    own = ", targetNamespace: '${NS:=x}'" if where == "flux" else ""
    stated = ", namespace: '${NS}'" if where == "document" else ""
    server = (
        f"{head}kind: MCPServer\nmetadata: {{name: a{stated}}}\nspec: {{image: 'a/b:1', groupRef: {{name: tools}}}}\n"
    )
    files = {
        "cluster/a.yaml": f"{flux.replace('NAME', 'apps')}{own}}}\n",
        "cluster/b.yaml": f"{flux.replace('NAME', 'groups')}, targetNamespace: ai}}\n",
        "apps/server.yaml": server,
        "groups/group.yaml": f"{head}kind: MCPGroup\nmetadata: {{name: tools}}\n",
    }
    if where == "kustomization":
        files["apps/kustomization.yaml"] = "namespace: ${NS}\nresources: [server.yaml]\n"
    report = api.check(files=files)

    assert [one for one in report.findings if one.severity == "error"] == []
    assert [one.namespace for one in report.loaded.resources if one.kind == "MCPServer"] == [None]


def test_a_resource_with_a_placeholder_as_namespace_is_not_compiled() -> None:
    server = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPServer\nmetadata: {name: a, namespace: '${NS}'}\n"
    built = api.build(api.check(files={"a.yaml": f"{server}spec: {{image: 'a/b:1'}}\n"}), "runconfig", keep_going=True)

    assert built.files == ()
    (reason,) = built.left_out
    assert reason.startswith("a.yaml: MCPServer 'a' holds placeholders and is not compiled")


@pytest.mark.parametrize(
    ("decides", "file", "line"),
    [
        (flux("a", "./apps", "  targetNamespace: AI_bad\n"), "cluster/ks.yaml", 7),
        (argo_cd("apps", "AI_bad"), "cluster/ks.yaml", 10),
        ("namespace: AI_bad\nresources: [server.yaml, group.yaml]\n", "apps/kustomization.yaml", 1),
    ],
)
def test_a_namespace_that_kubernetes_refuses_is_an_error_where_it_is_stated(decides: str, file: str, line: int) -> None:
    files = {file: decides, "apps/server.yaml": SERVER, "apps/group.yaml": GROUP}
    report = api.check(files=files)
    errors = [(one.rule, one.span.file, one.span.line) for one in report.findings if one.severity == "error"]
    assert errors == [("ADM020", file, line)]
    assert not api.check(files={**files, file: decides.replace("AI_bad", "ai")}).findings


def test_build_leaves_out_resources_with_a_refused_namespace(tmp_path: Path) -> None:
    (tmp_path / "kustomization.yaml").write_text("namespace: AI_bad\nresources: [server.yaml]\n")
    (tmp_path / "server.yaml").write_text(SERVER.replace(", groupRef: {name: tools}", ""))
    built = call("build", "--target", "kubernetes", "--keep-going", str(tmp_path))
    assert (built.status, "error[ADM020]" in built.err) == (1, True)
    assert "kind: Deployment" not in built.out


def test_subfolders_with_and_without_a_kustomization_are_applied() -> None:
    files = {
        "cluster/apps.yaml": flux("apps", "apps", "  targetNamespace: ai\n"),
        "apps/a/group.yaml": GROUP,
        "apps/b/kustomization.yaml": "resources: [server.yaml]\n",
        "apps/b/server.yaml": SERVER,
        "apps/c/group.yaml": GROUP.replace("tools", "more"),
    }
    assert namespaces(files) == [
        ("apps/a/group.yaml", "tools", "ai"),
        ("apps/b/server.yaml", "fetch", "ai"),
        ("apps/c/group.yaml", "more", "ai"),
    ]
