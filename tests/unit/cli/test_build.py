"""``mcpcfg build``: what it writes, what it refuses to write, and that the same input gives the same bytes."""

from __future__ import annotations

import base64
import json
import random
import re
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from calling import call
from drawing import resource as text_of

ROOT = Path(__file__).parents[3]
GOOD = str(ROOT / "fixtures/projects/virtual-server")
BROKEN = str(ROOT / "fixtures/projects/broken-references")
REFUSED = ROOT / "fixtures/rules/REF011"
TARGETS = ("kubernetes", "backend", "runconfig", "vmcp", "status")


def tree(folder: Path) -> dict[str, bytes]:
    """Read a folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_project_with_errors_compiles_to_nothing_and_says_why(tmp_path: Path) -> None:
    outcome = call("build", BROKEN, "-t", "kubernetes", "-o", str(tmp_path / "out"))
    assert outcome.status == 1
    assert outcome.out == ""
    assert "REF004" in outcome.err
    assert "nothing was compiled: fix the errors above, or" in outcome.err
    assert not (tmp_path / "out").exists()


def test_keep_going_compiles_the_valid_resources_and_still_fails(tmp_path: Path) -> None:
    (tmp_path / "good.yaml").write_text(text_of("MCPServer", "good", "{image: i}"))
    (tmp_path / "bad.yaml").write_text(text_of("MCPServer", "bad", "{image: i, groupRef: {name: gone}}"))
    outcome = call("build", str(tmp_path), "-t", "kubernetes", "--keep-going")
    assert outcome.status == 1
    names = {one["metadata"]["labels"]["toolhive-name"] for one in yaml.safe_load_all(outcome.out) if _labels(one)}
    assert names == {"good"}


def test_the_first_of_two_duplicates_is_compiled(tmp_path: Path) -> None:
    twice = [text_of("MCPServer", "same", f"{{image: '{image}', nope: 1}}") for image in ("x:1", "x:2")]
    twice[0] = twice[0].replace(", nope: 1", "")
    (tmp_path / "all.yaml").write_text("---\n".join(twice))
    outcome = call("build", str(tmp_path), "-t", "runconfig", "--keep-going")
    assert (outcome.status, outcome.out.count('"image": "x:1"'), outcome.out.count("x:2")) == (1, 1, 0)


def test_names_of_any_length_become_files(tmp_path: Path) -> None:
    names = [end.rjust(253, "z") for end in ("a", "b")]
    (tmp_path / "groups.yaml").write_text("---\n".join(text_of("MCPGroup", name) for name in names))
    outcome = call("build", str(tmp_path / "groups.yaml"), "-t", "status", "-o", str(tmp_path / "out"))
    assert (outcome.status, len(tree(tmp_path / "out"))) == (0, 3)


def _labels(compiled: dict[str, dict[str, object]]) -> bool:
    labels = compiled["metadata"].get("labels")
    return isinstance(labels, dict) and "toolhive-name" in labels


def test_two_resources_never_write_one_file(tmp_path: Path) -> None:
    (tmp_path / "all.yaml").write_text(
        text_of("MCPServer", "same", "{image: i}")
        + "---\n"
        + text_of("MCPRemoteProxy", "same", "{remoteUrl: 'https://example.com/mcp'}")
    )
    outcome = call("build", str(tmp_path), "-t", "kubernetes", "-o", str(tmp_path / "out"))
    assert outcome.status == 1
    assert "BLD001" in outcome.err
    assert not (tmp_path / "out").exists()
    outcome = call("build", str(tmp_path), "-t", "kubernetes", "--keep-going", "-o", str(tmp_path / "out"))
    assert outcome.status == 1
    owners = {one["metadata"]["ownerReferences"][0]["kind"] for one in map(_loaded, tree(tmp_path / "out").items())}
    assert "MCPRemoteProxy" in owners


def _loaded(item: tuple[str, bytes]) -> dict[str, dict[str, list[dict[str, str]]]]:
    name, text = item
    empty: dict[str, dict[str, list[dict[str, str]]]] = {"metadata": {"ownerReferences": [{"kind": ""}]}}
    made: dict[str, dict[str, list[dict[str, str]]]] = yaml.safe_load(text) if name.endswith(".yaml") else empty
    return made


def test_check_reports_each_file_that_is_not_what_would_be_written(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert call("build", GOOD, "-t", "kubernetes", "--check", str(out)).status == 1
    assert call("build", GOOD, "-t", "kubernetes", "-o", str(out)).status == 0
    assert call("build", GOOD, "-t", "kubernetes", "--check", str(out)).status == 0
    before = tree(out)
    (out / "support/deployment-fetch.yaml").write_text("changed")
    (out / "support/service-mcp-wiki-remote-proxy.yaml").unlink()
    outcome = call("build", GOOD, "-t", "kubernetes", "--check", str(out))
    assert outcome.status == 1
    assert outcome.out.splitlines() == [
        "support/deployment-fetch.yaml: differs",
        "support/service-mcp-wiki-remote-proxy.yaml: missing",
    ]
    assert call("build", GOOD, "-t", "kubernetes", "-o", str(out)).status == 0
    assert tree(out) == before


HIDDEN = text_of("MCPTelemetryConfig", "otel", "{prometheus: '${PROMETHEUS}'}") + "---\n"
SERVER = "{{image: 'ghcr.io/acme/fetch:1.0', groupRef: {{name: tools}}, {}}}"
REGISTRY = (
    "{sources: [{name: own, managed: {}}], registries: [{name: own, sources: [own]}], auth: {mode: anonymous}, "
    "database: {host: db, port: 5432, user: app, database: catalog, dynamicAuth: {awsRds: {region: eu-west-1}}}}"
)
VIRTUAL = text_of("VirtualMCPServer", "desk", "{incomingAuth: {type: anonymous}, groupRef: {name: tools}}")


def test_a_resource_is_not_compiled_if_its_configuration_has_placeholders() -> None:
    leaning = text_of("MCPServer", "fetch", SERVER.format("telemetryConfigRef: {name: otel}"))
    outcome = call("build", "-t", "kubernetes", "--keep-going", "-", stdin=HIDDEN + leaning)
    assert outcome.status == 1
    assert outcome.out == ""
    assert "'fetch' depends on MCPTelemetryConfig 'otel', which holds placeholders" in outcome.err


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("kind", "spec"),
    [
        ("MCPServer", "{image: i, resources: {limits: {cpu: '${CPU}'}}}"),
        ("MCPServer", "{image: i, podTemplateSpec: {spec: {priority: '${PRIORITY}'}}}"),
        ("MCPRemoteProxy", "{remoteUrl: 'https://example.com/mcp', resources: {requests: {memory: '${MEMORY}'}}}"),
        ("EmbeddingServer", "{image: tei, model: m, modelCache: {size: '${SIZE}'}}"),
        ("MCPRegistry", f"{{configYAML: '{REGISTRY}', " + "volumes: [{name: v, emptyDir: {sizeLimit: '${SIZE}'}}]}"),
    ],
    ids=["quantity", "pod-template", "of-a-proxy", "of-a-cache", "of-a-volume"],
)
def test_a_placeholder_in_a_text_that_is_parsed_is_left_out_and_reported(target: str, kind: str, spec: str) -> None:
    outcome = call("build", "-t", target, "--keep-going", "-", stdin=text_of(kind, "fetch", spec))
    assert outcome.status == 1
    assert outcome.out in ("", "[]\n")
    assert f"{kind} 'fetch' holds placeholders" in outcome.err


@pytest.mark.parametrize(
    ("field", "names"), [("replicas: '${REPLICAS}'", ["desk"]), ("proxyPort: '${PORT}'", [])], ids=["unread", "read"]
)
def test_a_virtual_server_is_not_compiled_if_a_needed_member_field_is_unknown(field: str, names: list[str]) -> None:
    group = text_of("MCPGroup", "tools") + "---\n"
    member = text_of("MCPServer", "fetch", SERVER.format(field)) + "---\n"
    outcome = call("build", "-t", "vmcp", "--keep-going", "-", stdin=group + member + VIRTUAL)
    assert [one["name"] for one in yaml.safe_load_all(outcome.out)] == names


LATER = text_of("MCPServer", "fetch", "{image: 'i:1', authzConfigRef: {name: a}}").replace("v1alpha1", "v1beta1")


def test_a_field_of_a_later_release_is_compiled(tmp_path: Path) -> None:
    (tmp_path / "fetch.yaml").write_text(LATER)

    (tmp_path / "a.yaml").write_text(
        text_of("MCPAuthzConfig", "a", "{type: cedarv1, config: {policies: ['permit(principal, action, resource);']}}")
    )

    outcome = call("build", str(tmp_path), "-t", "runconfig")
    assert outcome.status == 0
    assert json.loads(outcome.out)["authz_config"]["cedar"]["policies"] == ["permit(principal, action, resource);"]


def test_a_resource_with_a_field_that_no_known_release_has_is_not_compiled(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(text_of("MCPServer", "fetch", "{image: 'i:1', newest: {name: a}}"))
    outcome = call("build", str(tmp_path), "-t", "runconfig", "--keep-going", "--release", "9.0.0")

    assert (outcome.status, outcome.out.strip()) == (1, "")


def test_a_type_that_other_builds_of_the_operator_handle_is_refused_and_not_compiled(tmp_path: Path) -> None:
    login = text_of("MCPExternalAuthConfig", "login", "{type: obo, obo: {}}").replace("v1alpha1", "v1beta1")
    server = text_of("MCPServer", "fetch", "{image: 'i:1', externalAuthConfigRef: {name: login}}")
    (tmp_path / "a.yaml").write_text(f"{login}---\n{server}")
    outcome = call("build", str(tmp_path), "-t", "runconfig", "--keep-going")

    assert (outcome.status, outcome.out.strip()) == (1, "")
    assert "error[AUT057]" in outcome.err
    assert "error[REF011]" in outcome.err


@pytest.mark.parametrize(("case", "is_made"), [("parameter", True), ("trusted-issuer", False)])
def test_a_workload_whose_process_refuses_to_start_is_compiled_if_the_operator_creates_its_objects(
    case: str, is_made: bool, tmp_path: Path
) -> None:
    text = (REFUSED / f"invalid-auth-server-{case}.yaml").read_text()
    text = text.replace("  image:", "  groupRef: {name: t}\n  image:")
    spec = "{groupRef: {name: t}, incomingAuth: {type: anonymous}, outgoingAuth: {source: inline}}"
    around = f"---\n{text_of('MCPGroup', 't', '{}')}---\n{text_of('VirtualMCPServer', 'desk', spec)}"
    (tmp_path / "a.yaml").write_text(text + around)
    call_ = ("build", str(tmp_path), "--keep-going", "--release", "0.44.0")
    assert ("backends:\n        - name: fetch\n" in call(*call_, "-t", "vmcp").out) == is_made

    (tmp_path / "mcpcfg.yaml").write_text("rules: {REF011: warning}")
    made = {(one["kind"], one["metadata"]["name"]) for one in yaml.safe_load_all(call(*call_, "-t", "kubernetes").out)}
    assert (("Deployment", "fetch") in made) == (("ConfigMap", "fetch-runconfig") in made) == is_made


def test_a_random_value_is_a_placeholder_with_a_warning(tmp_path: Path) -> None:
    outcome = call("build", GOOD, "-t", "kubernetes", "-o", str(tmp_path))
    assert "warning: support/secret-desk-hmac-secret.yaml holds the placeholder <random>" in outcome.err
    assert _secret(tmp_path) == "<random>"


def test_a_drawn_value_stays_in_the_next_call(tmp_path: Path) -> None:
    drawing = ("build", GOOD, "-t", "kubernetes", "--generate-secrets")
    assert "placeholder" not in call(*drawing, "-o", str(tmp_path)).err
    drawn = _secret(tmp_path)
    assert len(base64.b64decode(base64.b64decode(drawn))) == 32
    assert call(*drawing, "--check", str(tmp_path)).status == 0
    call(*drawing, "-o", str(tmp_path))
    assert _secret(tmp_path) == drawn
    call(*drawing, "-o", str(tmp_path / "other"))
    assert _secret(tmp_path / "other") != drawn


def _secret(folder: Path) -> str:
    value = yaml.safe_load((folder / "support/secret-desk-hmac-secret.yaml").read_text())["data"]["hmac-secret"]
    assert isinstance(value, str)
    return value


def test_kinds_that_compile_to_nothing_are_named() -> None:
    outcome = call("build", f"{GOOD}/shared.yaml", "-t", "kubernetes")
    assert outcome.status == 0
    assert outcome.out == ""
    assert "compile to nothing there: MCPExternalAuthConfig, MCPOIDCConfig, MCPTelemetryConfig" in outcome.err


def test_only_the_named_file_of_a_project_is_compiled() -> None:
    outcome = call("build", f"{GOOD}/desk.yaml", "-t", "vmcp")
    assert [one["name"] for one in yaml.safe_load_all(outcome.out)] == ["desk"]
    outcome = call("build", f"{GOOD}/backends.yaml", "-t", "status")
    assert {one["name"] for one in yaml.safe_load(outcome.out)} == {"fetch", "support-tools", "tickets", "wiki"}


def test_several_targets_want_a_folder(tmp_path: Path) -> None:
    both = ("build", GOOD, "-t", "vmcp", "-t", "status")
    assert call(*both).status == 2
    assert call(*both, "-o", str(tmp_path)).status == 0
    assert {path.split("/")[0] for path in tree(tmp_path)} >= {"vmcp", "status"}


@pytest.mark.parametrize("target", TARGETS)
def test_the_order_of_documents_files_and_paths_does_not_matter(target: str, tmp_path: Path) -> None:
    documents = [
        text
        for file in sorted(Path(GOOD).glob("[!m]*.yaml"))
        for text in re.split(r"(?m)^---\n", file.read_text(encoding="utf-8"))
    ]
    wanted = call("build", GOOD, "-t", target).out
    assert wanted
    for seed in range(4):
        shuffled = random.Random(seed)
        shuffled.shuffle(documents)
        folder = tmp_path / str(seed)
        folder.mkdir()
        paths = []
        for number in range(3):
            path = folder / f"{shuffled.random()}.yaml"
            path.write_text("---\n".join(documents[number::3]), encoding="utf-8")
            paths.append(str(path))
        assert call("build", *paths, "-t", target, "-n", "support").out == wanted


def test_a_thousand_servers_compile_to_files_in_a_millisecond_for_each_object(tmp_path: Path) -> None:
    """The bound is CPU time of the whole call: start, reading, checking, compiling and writing."""
    shared = [
        text_of("MCPOIDCConfig", "login", "{type: inline, inline: {issuer: 'https://login.example.com'}}"),
        text_of("MCPTelemetryConfig", "tracing", "{openTelemetry: {enabled: true, endpoint: 'https://otel:4318', "
                "tracing: {enabled: true}}}"),
        text_of("MCPToolConfig", "tools", "{toolsFilter: [a, b], toolsOverride: {a: {description: d}}}"),
        text_of("MCPGroup", "all"),
    ]  # fmt: skip
    spec = (
        "{image: 'ghcr.io/example/s:1.0.0', transport: streamable-http, mcpPort: 8080, groupRef: {name: all}, "
        "oidcConfigRef: {name: login, audience: a}, telemetryConfigRef: {name: tracing}, toolConfigRef: {name: tools}, "
        "secrets: [{name: token, key: token, targetEnvName: TOKEN}]}"
    )
    servers = [text_of("MCPServer", f"server-{number}", spec) for number in range(1000)]
    (tmp_path / "all.yaml").write_text("---\n".join([*shared, *servers]))
    command = [
        sys.executable,
        "-c",
        "from mcpcfg.compiler.cli.process import run; run()",
        "build",
        str(tmp_path),
        "-t",
        "kubernetes",
    ]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([*command, "-o", str(tmp_path / "out")], capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    written = len(tree(tmp_path / "out")) - 1
    assert done.returncode == 0, done.stderr
    assert written == 7000
    assert spent / written < 0.001, f"{1000 * spent / written:.2f} ms"


def lay_examples(folder: Path) -> Path:
    """Write two examples of one name."""
    folder.mkdir()
    for name in ("one", "two"):
        server = text_of("MCPServer", "fetch", f"{{image: 'ghcr.io/acme/{name}:1', groupRef: {{name: tools}}}}")
        gateway = text_of("VirtualMCPServer", "desk", "{groupRef: {name: tools}, incomingAuth: {type: anonymous}}")
        (folder / f"{name}.yaml").write_text("---\n".join((server, gateway, text_of("MCPGroup", "tools"))))
    return folder


@pytest.mark.parametrize("target", TARGETS)
def test_isolated_files_of_one_name_are_compiled_each_for_itself(tmp_path: Path, target: str) -> None:
    folder = lay_examples(tmp_path / "examples")
    assert call("build", str(folder), "-t", target).status == 1 or target == "vmcp"
    streamed = call("build", str(folder), "-t", target, "--isolated")
    assert streamed.status == 0
    assert streamed.out.count("name: desk") >= 2 or target in ("backend", "runconfig")
    out = tmp_path / "out"
    assert call("build", str(folder), "-t", target, "--isolated", "-o", str(out)).status == 0
    made = {path for path in tree(out) if path != ".mcpcfg-manifest"}
    one, two = ({path for path in made if path.startswith(f"{name}.yaml/")} for name in ("one", "two"))
    assert made == one | two
    assert {path.replace("one.yaml/", "two.yaml/", 1) for path in one} == two
    assert call("build", str(folder), "-t", target, "--isolated", "--check", str(out)).status == 0


@pytest.mark.parametrize("target", ["runconfig", "status", "vmcp", "kubernetes"])
def test_objects_of_different_clusters_are_never_written_to_the_same_file(tmp_path: Path, target: str) -> None:
    lay_examples(tmp_path / "a")
    lay_examples(tmp_path / "b")
    for name in ("a", "b"):
        (tmp_path / name / "two.yaml").unlink()
        one = tmp_path / name / "one.yaml"
        one.write_text(
            one.read_text().replace("{name: ", "{namespace: mcp, name: ").replace("Ref: {namespace: mcp, ", "Ref: {")
        )
    assert call("check", str(tmp_path)).status == 0
    outcome = call("build", str(tmp_path), "-t", target, "-o", str(tmp_path / "out"))
    assert outcome.status == 1
    assert "BLD001" in outcome.err
    assert "folder by folder" in outcome.err
    assert not (tmp_path / "out").exists()
    assert call("build", str(tmp_path / "a"), "-t", target, "-o", str(tmp_path / "out")).status == 0


CLUSTERS = ROOT / "fixtures" / "projects" / "values-of-clusters"


@pytest.mark.parametrize("target", ["runconfig", "kubernetes"])
def test_each_of_several_clusters_is_compiled_into_a_folder_of_its_own(tmp_path: Path, target: str) -> None:
    all_of_them, one = tmp_path / "all", tmp_path / "one"
    assert call("build", str(CLUSTERS), "-t", target, "-o", str(all_of_them)).status == 0
    made = {path: text for path, text in tree(all_of_them).items() if path != ".mcpcfg-manifest"}

    assert {path.split("/")[0] for path in made} == {"lab", "north", "south"}
    assert call("build", str(CLUSTERS), "-t", target, "--check", str(all_of_them)).status == 0
    assert call("build", str(CLUSTERS), "-t", target, "--cluster", "north", "-o", str(one)).status == 0
    of_one = {path: text for path, text in tree(one).items() if path != ".mcpcfg-manifest"}
    assert {f"north/{path}": text for path, text in of_one.items()} == {
        path: text for path, text in made.items() if path.startswith("north/")
    }


def test_on_standard_output_one_of_several_clusters_is_compiled() -> None:
    several = call("build", str(CLUSTERS), "-t", "kubernetes")
    assert several.status == 2
    assert "the files are for the clusters lab, north and south: name one with --cluster" in several.err
    assert call("build", str(CLUSTERS), "-t", "kubernetes", "--cluster", "north").status == 0
    other = call("build", str(CLUSTERS), "-t", "kubernetes", "--cluster", "east")
    assert other.status == 2
    assert "there is no cluster 'east', only lab, north, south" in other.err
    single = call("build", str(CLUSTERS / "servers" / "north"), "-t", "kubernetes", "--cluster", "north")
    assert "the files are for one" in single.err


def test_an_error_in_one_cluster_keeps_no_other_from_being_compiled(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(CLUSTERS, copy)
    own = copy / "servers" / "south" / "own.yaml"
    own.write_text(own.read_text().replace("remoteUrl: ", "remoteURL: "))

    assert call("build", str(copy), "-t", "kubernetes", "-o", str(tmp_path / "all")).status == 1
    assert call("build", str(copy), "-t", "kubernetes", "--cluster", "south").status == 1
    north = call("build", str(copy), "-t", "kubernetes", "--cluster", "north")
    assert "kind: Deployment" in north.out
    assert "remoteURL" in north.err


def test_a_cluster_of_any_name_stays_within_the_folder(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(CLUSTERS, copy)
    for number, path in enumerate(sorted(copy.rglob("clusters/*/*.yaml"))):
        secret = f"  kubeConfig: {{secretRef: {{name: '../../../x{number % 2}'}}}}\n"
        path.write_text(path.read_text().replace("spec:\n", f"spec:\n{secret}"))
    out = tmp_path / "out" / "deep"
    call("build", str(copy), "-t", "kubernetes", "-o", str(out))

    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy", "out"]
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["deep"]
    assert any(out.rglob("*.yaml"))


def test_isolated_files_with_the_same_output_folder_are_refused(tmp_path: Path) -> None:
    folders = [str(lay_examples(tmp_path / name)) for name in ("a", "b")]
    outcome = call("build", *folders, "--isolated", "-t", "runconfig", "-o", str(tmp_path / "out"))
    assert outcome.status == 2
    assert "build them one by one" in outcome.err
    assert not (tmp_path / "out").exists()


def test_isolated_files_of_a_project_are_written_by_their_paths_in_it(tmp_path: Path) -> None:
    lay_examples(tmp_path / "examples")
    (tmp_path / "mcpcfg.yaml").write_text("isolated: [examples/]\n")
    (tmp_path / "plain.yaml").write_text(text_of("MCPServer", "fetch", "{image: i}"))
    assert call("build", str(tmp_path), "-t", "runconfig", "-o", str(tmp_path / "out")).status == 0
    assert {path for path in tree(tmp_path / "out") if path.endswith(".json")} == {
        "default/MCPServer-fetch.json",
        "examples/one.yaml/default/MCPServer-fetch.json",
        "examples/two.yaml/default/MCPServer-fetch.json",
    }


def test_standalone_output_has_a_kustomization_that_lists_it(tmp_path: Path) -> None:
    project = str(ROOT / "fixtures" / "projects" / "first-server")
    out = tmp_path / "out"
    options = ("build", project, "-t", "kubernetes", "-t", "status", "--standalone")

    assert "owner references" not in call(*options, "--output-dir", str(out)).err
    listed = yaml.safe_load((out / "kubernetes" / "kustomization.yaml").read_text())["resources"]
    files = [path.relative_to(out / "kubernetes").as_posix() for path in (out / "kubernetes").rglob("*.yaml")]
    assert sorted([*listed, "kustomization.yaml"]) == sorted(files)
    assert not (out / "status" / "kustomization.yaml").exists()
    assert call(*options, "--check", str(out)).status == 0
    (out / "kubernetes" / "kustomization.yaml").unlink()
    assert call(*options, "--check", str(out)).out == "kubernetes/kustomization.yaml: missing\n"


def test_each_cluster_has_a_kustomization_of_its_own(tmp_path: Path) -> None:
    project = str(ROOT / "fixtures" / "projects" / "values-of-clusters")
    call("build", project, "-t", "kubernetes", "--standalone", "--output-dir", str(tmp_path))
    found = {path.parent.name for path in tmp_path.rglob("kustomization.yaml")}
    assert {"lab", "north", "south"} <= found
    assert all(
        (path.parent / one).is_file()
        for path in tmp_path.rglob("kustomization.yaml")
        for one in yaml.safe_load(path.read_text())["resources"]
    )


def test_owner_references_without_uid_are_named_where_they_are_written(tmp_path: Path) -> None:
    project = str(ROOT / "fixtures" / "projects" / "first-server")
    message = "mcpcfg: owner references have no uid, so kubectl apply refuses them: add --standalone\n"
    assert message in call("build", project, "-t", "kubernetes", "--output-dir", str(tmp_path)).err
    assert message not in call("build", project, "-t", "kubernetes").err
    assert message not in call("build", project, "-t", "vmcp", "--output-dir", str(tmp_path / "vmcp")).err
