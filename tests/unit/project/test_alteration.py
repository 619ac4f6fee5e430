"""Patches of a Kustomization of Flux to those that it applies: their namespaces and their values."""

from __future__ import annotations

import pytest

from mcpcfg.compiler import api

HEAD = "apiVersion: toolhive.stacklok.dev/v1beta1\n"
SERVER = (
    HEAD + "kind: MCPServer\nmetadata: {name: fetch}\nspec:\n  image: ghcr.io/a/b:1\n  args: ['${A}', '${B:=none}']\n"
)
FLUX = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"
SETTINGS = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: flux-system}\ndata: {A: settings}\n"
ALL = "group: kustomize.toolkit.fluxcd.io, kind: Kustomization"


def cluster(patch: str, target: str | None = ALL) -> dict[str, str]:
    """Return a cluster whose Kustomization patches that of an app."""
    lines = "".join(f"        {line}\n" for line in patch.splitlines())
    aimed = f"      target: {{{target}}}\n" if target else ""
    whole = f"{FLUX}metadata: {{name: all, namespace: flux-system}}\nspec:\n  path: ./apps\n  patches:\n"
    return {
        "cluster/all.yaml": f"{whole}    - patch: |\n{lines}{aimed}",
        "apps/kustomization.yaml": "resources: [ks.yaml]\n",
        "apps/ks.yaml": f"{FLUX}metadata: {{name: fetch, namespace: flux-system}}\nspec:\n  path: ./servers\n",
        "servers/server.yaml": SERVER,
        "settings.yaml": SETTINGS,
    }


def part(spec: str) -> str:
    return f"{FLUX}metadata: {{name: _}}\nspec: {spec}\n"


def judged(files: dict[str, str]) -> tuple[str | None, list[str]]:
    (one,) = [one for one in api.check(files=files).loaded.resources if one.kind == "MCPServer"]
    return one.namespace, one.data["spec"]["args"]


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (part("{targetNamespace: ai}"), ("ai", ["${A}", "${B:=none}"])),
        (part("{postBuild: {substitute: {A: x}}}"), (None, ["x", "none"])),
        (part("{postBuild: {substituteFrom: [{kind: ConfigMap, name: settings}]}}"), (None, ["settings", "none"])),
        (part("{postBuild: {substituteFrom: [{kind: Secret, name: s}]}}"), (None, ["${A}", "${B:=none}"])),
        ("- {op: add, path: /spec/targetNamespace, value: ai}", ("ai", ["${A}", "${B:=none}"])),
        ("- {op: add, path: /spec/postBuild, value: {substitute: {A: x}}}", (None, ["x", "none"])),
        ("- {op: add, path: /spec/wait, value: true}", (None, ["${A}", "${B:=none}"])),
        ("- {op: add, path: /spec/postBuild/substitute/A, value: x}", (None, ["${A}", "${B:=none}"])),
    ],
)
def test_a_patch_sets_namespace_and_variables_of_its_flux_kustomizations(
    patch: str, expected: tuple[str | None, list[str]]
) -> None:
    assert judged(cluster(patch)) == expected


@pytest.mark.parametrize(
    ("target", "namespace"),
    [
        (f"{ALL}, name: fe.*", "ai"),
        (f"{ALL}, name: other", None),
        ("kind: HelmRelease", None),
        ("group: helm.toolkit.fluxcd.io, kind: Kustomization", None),
    ],
)
def test_a_patch_applies_to_the_objects_that_its_target_selects(target: str, namespace: str | None) -> None:
    assert judged(cluster(part("{targetNamespace: ai}"), target))[0] == namespace


def test_a_patch_without_a_target_applies_to_the_object_of_its_own_name() -> None:
    assert judged(cluster(part("{targetNamespace: ai}").replace("_", "fetch"), None))[0] == "ai"
    assert judged(cluster(part("{targetNamespace: ai}"), None))[0] is None


def test_an_outer_patch_overrides_a_patch_of_an_inner_kustomization() -> None:
    inner = part("{targetNamespace: inner, postBuild: {substitute: {A: inner, B: inner}}}").splitlines()
    lines = "".join(f"      {line}\n" for line in inner)
    files = cluster(part("{targetNamespace: outer, postBuild: {substitute: {A: outer}}}"))
    files["apps/kustomization.yaml"] += f"patches:\n  - patch: |\n{lines}    target: {{kind: Kustomization}}\n"

    assert judged(files) == ("outer", ["outer", "inner"])


def test_the_patches_of_a_component_apply_to_the_kustomization_that_uses_it() -> None:
    lines = "".join(f"      {line}\n" for line in part("{targetNamespace: ai}").splitlines())
    files = cluster(part("{wait: true}"))
    files["apps/kustomization.yaml"] += "components: [../parts/common]\n"
    patches = f"patches:\n  - patch: |\n{lines}    target: {{kind: Kustomization}}\n"
    files["parts/common/kustomization.yaml"] = f"kind: Component\n{patches}"

    assert judged(files)[0] == "ai"


def test_the_components_of_a_flux_kustomization_are_applied_with_its_path() -> None:
    files = cluster(part("{targetNamespace: ai}"))
    files["apps/ks.yaml"] += "  components: [../parts/group]\n"
    files["parts/group/kustomization.yaml"] = "kind: Component\nresources: [group.yaml]\n"
    files["parts/group/group.yaml"] = HEAD + "kind: MCPGroup\nmetadata: {name: tools}\n"
    loaded = api.check(files=files).loaded

    assert [one.namespace for one in loaded.resources if one.kind == "MCPGroup"] == ["ai"]
    assert loaded.plan.overlays is not None
    assert loaded.plan.overlays.altering_folders(["servers/server.yaml"]) == []
    del files["parts/group/kustomization.yaml"]
    loaded = api.check(files=files).loaded
    assert loaded.plan.overlays is not None
    assert loaded.plan.overlays.altering_folders(["servers/server.yaml"]) == ["apps/ks.yaml"]


def test_patches_of_other_objects_do_not_change_our_resources() -> None:
    release = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: _}\nspec: {timeout: 5m}\n"
    inner = "".join(f"      {line}\n" for line in release.splitlines())
    patch = f"{FLUX}metadata: {{name: _}}\nspec:\n  patches:\n  - patch: |\n{inner}    target: {{kind: HelmRelease}}\n"
    server = "".join(f"      {line}\n" for line in (HEAD + "kind: MCPServer\nmetadata: {name: fetch}\n").splitlines())

    made = api.check(files=cluster(patch)).loaded.plan.overlays
    assert made is not None
    assert made.altering_folders(["servers/server.yaml"]) == []

    other = f"{FLUX}metadata: {{name: _}}\nspec:\n  patches:\n  - patch: |\n{server}"
    made = api.check(files=cluster(other)).loaded.plan.overlays
    assert made is not None
    assert made.altering_folders(["servers/server.yaml"]) == ["cluster/all.yaml"]


def test_two_clusters_can_patch_one_app_differently() -> None:
    files = cluster(part("{targetNamespace: ai, postBuild: {substitute: {A: north}}}"))
    files["south/all.yaml"] = files["cluster/all.yaml"].replace("north", "south").replace("ai,", "tools,")
    found = api.check(files=files).loaded.resources

    assert [(one.namespace, one.data["spec"]["args"][0]) for one in found if one.kind == "MCPServer"] == [
        ("ai", "north"),
        ("tools", "south"),
    ]


def test_a_finding_about_a_value_from_a_patch_has_a_note_at_the_patch() -> None:
    files = cluster(part("{postBuild: {substitute: {A: x, PORT: '99999'}}}"))
    files["servers/server.yaml"] += "  proxyPort: ${PORT}\n"
    (finding,) = [one for one in api.check(files=files).findings if one.severity == "error"]

    assert (finding.span.file, finding.span.line) == ("servers/server.yaml", 7)
    assert [note.span.file for note in finding.notes if note.span] == ["cluster/all.yaml"]


LABELLED = "metadata: {name: fetch, namespace: flux-system, labels: {area: ai}, annotations: {by: us}}"


def labelled(target: str, more: str = "") -> dict[str, str]:
    files = cluster(part("{targetNamespace: ai}"), f"kind: Kustomization, {target}")
    files["apps/ks.yaml"] = f"{FLUX}{LABELLED}\nspec:\n  path: ./servers\n"
    files["apps/kustomization.yaml"] += more
    return files


@pytest.mark.parametrize(
    ("target", "namespace"),
    [
        ("labelSelector: area=ai", "ai"),
        ("labelSelector: area notin (ai)", None),
        ("labelSelector: off notin (true)", "ai"),
        ("annotationSelector: by in (us)", "ai"),
        ("annotationSelector: by=you", None),
        ("labelSelector: area=ai, name: other", None),
        ("labelSelector: area=ai, name: fe.*", "ai"),
        ("labelSelector: added=yes", None),
    ],
)
def test_a_label_selector_decides_whether_a_patch_applies(target: str, namespace: str | None) -> None:
    assert judged(labelled(target))[0] == namespace


@pytest.mark.parametrize(
    "more",
    [
        "commonLabels: {added: 'yes'}\n",
        "labels: [{pairs: {added: 'yes'}}]\n",
        "components: [../parts/common]\n",
    ],
)
def test_label_selectors_match_labels_that_kustomizations_add(more: str) -> None:
    files = labelled("labelSelector: added=yes", more)
    files["parts/common/kustomization.yaml"] = "kind: Component\nlabels: [{pairs: {added: 'yes'}}]\n"

    assert judged(files)[0] == "ai"


def test_a_patch_of_labels_makes_later_label_selectors_undecidable() -> None:
    files = labelled("labelSelector: area=home")
    files["apps/ks.yaml"] += "  postBuild: {substitute: {C: c}}\n"
    patch = "[{op: add, path: /metadata/labels/area, value: home}]"
    files["apps/kustomization.yaml"] += f'patches: [{{target: {{kind: Kustomization}}, patch: "{patch}"}}]\n'
    files["cluster/all.yaml"] = files["cluster/all.yaml"].replace(
        "{targetNamespace: ai}", "{postBuild: {substitute: {A: x}}}"
    )

    assert judged(files) == (None, ["${A}", "${B:=none}"])
    del files["apps/kustomization.yaml"]
    assert judged(files)[1][1] == "none"


@pytest.mark.parametrize(
    ("target", "altered"),
    [
        ("{kind: Cluster, group: postgresql.cnpg.io}", False),
        ("{kind: Deployment|StatefulSet}", False),
        ("{group: apps}", True),
        ("{kind: MCP.*}", True),
        ("{kind: MCPServer}", True),
        ("{kind: .*}", True),
        ("{kind: Secret}", True),
    ],
)
def test_a_patch_alters_the_operators_resources_only_if_its_target_may_match_them(target: str, altered: bool) -> None:
    files = cluster(part("{wait: true}"))
    files["servers/kustomization.yaml"] = (
        f"resources: [server.yaml]\npatches:\n  - {{target: {target}, patch: '[{{op: remove, path: /spec/x}}]'}}\n"
    )
    made = api.check(files=files).loaded.plan.overlays

    assert made is not None
    assert bool(made.altering_folders(["servers/server.yaml"])) is altered


def test_a_patch_whose_label_selector_matches_nothing_has_no_effect() -> None:
    inner = "{patches: [{target: {kind: MCPServer}, patch: '[{op: remove, path: /spec/x}]'}]}"
    files = labelled("labelSelector: area=ai")
    files["cluster/all.yaml"] = cluster(part(inner), "kind: Kustomization, labelSelector: area=home")[
        "cluster/all.yaml"
    ]
    made = api.check(files=files).loaded.plan.overlays

    assert made is not None
    assert made.altering_folders(["servers/server.yaml"]) == []


def instance(patch: str = "", target: str = "kind: Kustomization, name: flux-system") -> dict[str, str]:
    """Return a cluster that a FluxInstance synchronizes, with a patch of its Kustomization."""
    lines = "".join(f"          {line}\n" for line in patch.splitlines())
    patches = f"  kustomize:\n    patches:\n      - target: {{{target}}}\n        patch: |\n{lines}" if patch else ""
    head = "apiVersion: fluxcd.controlplane.io/v1\nkind: FluxInstance\nmetadata: {name: flux, namespace: flux-system}\n"
    return {
        "cluster/flux.yaml": f"{head}spec:\n  sync: {{kind: GitRepository, path: servers}}\n{patches}",
        "servers/server.yaml": SERVER,
        "settings.yaml": SETTINGS,
    }


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        ("", (None, ["${A}", "${B:=none}"])),
        (part("{targetNamespace: ai}"), ("ai", ["${A}", "${B:=none}"])),
        ("- {op: add, path: /spec/postBuild, value: {substitute: {A: x}}}", (None, ["x", "none"])),
        (part("{postBuild: {substituteFrom: [{kind: ConfigMap, name: settings}]}}"), (None, ["settings", "none"])),
    ],
)
def test_a_flux_instance_applies_the_path_of_its_sync(patch: str, expected: tuple[str | None, list[str]]) -> None:
    files = instance(patch)
    assert judged(files) == expected
    assert [way for one in api.check(files=files).loaded.resources for way in one.roots if one.kind == "MCPServer"] == [
        "cluster/"
    ]


def test_patches_of_a_flux_instance_for_other_objects_do_not_change_its_sync() -> None:
    assert judged(instance(part("{targetNamespace: ai}"), "kind: Deployment"))[0] is None
    assert judged(instance(part("{targetNamespace: ai}"), "kind: Kustomization, name: other"))[0] is None


def test_a_flux_instance_without_sync_applies_nothing() -> None:
    files = instance()
    files["cluster/flux.yaml"] = files["cluster/flux.yaml"].replace("sync:", "distribution:")
    assert [one.roots for one in api.check(files=files).loaded.resources if one.kind == "MCPServer"] == [()]
