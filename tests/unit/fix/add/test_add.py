"""``mcpcfg add`` in projects of different layouts."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from calling import call
from laying import lay
from sample import resource

from mcpcfg.compiler.disk.open_folder import OpenFolder

MCPCFG = os.path.join(os.path.dirname(sys.executable), "mcpcfg")
SERVER = ("image: ghcr.io/acme/x:1.0", "transport: stdio", "proxyPort: 8080", "groupRef:", "  name: tools")
CALL = ("add", "mcpserver", "brave", "--image", "ghcr.io/acme/brave:1.0", "--yes")
SECRETS = (*CALL, "--secret", "API_KEY")
HEAD = "---\n# yaml-language-server: $schema=https://example.com/toolhive.stacklok.dev/mcpserver_v1alpha1.json\n"
KUSTOMIZATION = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
WRITTEN = """\
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPServer
metadata:
  name: brave
spec:
  image: ghcr.io/acme/brave:1.0
  transport: stdio
  proxyPort: 8080
  groupRef:
    name: tools
"""
KS = """\
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: &app {name}-mcp
spec:
  interval: 1h
  path: ./apps/{name}-mcp/app
  prune: true
  sourceRef: {{kind: GitRepository, name: flux-system, namespace: flux-system}}
  targetNamespace: ai
"""
EXTERNAL = """\
apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata:
  name: git-keys
spec:
  refreshInterval: 12h
  secretStoreRef:
    kind: ClusterSecretStore
    name: vault
  target:
    name: git-keys
    creationPolicy: Owner
  dataFrom:
  - extract:
      key: git
"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def added(*args: str) -> dict[str, str]:
    """Return the text of each file that a call has written or changed."""
    before = {str(path): path.read_text() for path in Path().rglob("*") if path.is_file()}
    outcome = call(*args)
    assert outcome.status == 0, outcome.err
    after = {str(path): path.read_text() for path in Path().rglob("*") if path.is_file()}
    return {file: text for file, text in sorted(after.items()) if before.get(file) != text}


def server(name: str, *lines: str) -> str:
    return resource("MCPServer", name, *SERVER, *lines)


def flux() -> dict[str, str]:
    """Return a project of Flux with a folder for each server."""
    files = {
        "apps/kustomization.yaml": (
            f"{KUSTOMIZATION}# all servers\nresources:\n  - ./git-mcp/ks.yaml   # first\n  - ./web-mcp/ks.yaml\n"
        ),
        "group.yaml": resource("MCPGroup", "tools"),
    }
    for name in ("git", "web"):
        files[f"apps/{name}-mcp/ks.yaml"] = KS.format(name=name)
        files[f"apps/{name}-mcp/app/mcpserver.yaml"] = HEAD + server(name)
        files[f"apps/{name}-mcp/app/kustomization.yaml"] = (
            f"---\n{KUSTOMIZATION}resources:\n  - ./mcpserver.yaml\n  - ./rbac.yaml\n"
        )
        files[f"apps/{name}-mcp/app/rbac.yaml"] = f"apiVersion: v1\nkind: ServiceAccount\nmetadata: {{name: {name}}}\n"
    return files


def test_each_server_of_flux_gets_a_folder() -> None:
    lay(flux())
    assert added(*CALL) == {
        "apps/brave-mcp/app/kustomization.yaml": f"---\n{KUSTOMIZATION}resources:\n  - ./mcpserver.yaml\n",
        "apps/brave-mcp/app/mcpserver.yaml": HEAD + WRITTEN,
        "apps/brave-mcp/ks.yaml": KS.format(name="brave"),
        "apps/kustomization.yaml": (
            f"{KUSTOMIZATION}# all servers\nresources:\n"
            "  - ./brave-mcp/ks.yaml\n  - ./git-mcp/ks.yaml   # first\n  - ./web-mcp/ks.yaml\n"
        ),
    }


def test_a_server_that_depends_on_its_app_is_no_model() -> None:
    files = flux()
    files["apps/git-mcp/ks.yaml"] += "  dependsOn:\n    - name: git\n"
    lay(files)

    assert added(*CALL)["apps/brave-mcp/ks.yaml"] == KS.format(name="brave")


def test_a_secret_has_the_form_that_the_project_uses() -> None:
    files = flux()
    files["apps/git-mcp/app/externalsecret.yaml"] = EXTERNAL
    files["apps/git-mcp/app/mcpserver.yaml"] += "  secrets: [{name: git-keys, key: K, targetEnvName: K}]\n"
    lay(files)
    changed = added(*SECRETS)
    assert changed["apps/brave-mcp/app/externalsecret.yaml"] == "---\n" + EXTERNAL.replace("git", "brave")
    assert "  - ./externalsecret.yaml\n  - ./mcpserver.yaml\n" in changed["apps/brave-mcp/app/kustomization.yaml"]
    assert "name: brave-keys\n" in changed["apps/brave-mcp/app/mcpserver.yaml"]


def test_a_file_for_each_server_is_called_like_the_others() -> None:
    listed = "resources: [mcpserver-git.yaml, mcpserver-web.yaml, group.yaml]\n"
    lay(
        {
            "deploy/kustomization.yaml": KUSTOMIZATION + listed,
            "deploy/mcpserver-git.yaml": server("git"),
            "deploy/mcpserver-web.yaml": server("web"),
            "deploy/group.yaml": resource("MCPGroup", "tools"),
        }
    )
    assert added(*CALL) == {
        "deploy/kustomization.yaml": KUSTOMIZATION
        + "resources: [mcpserver-brave.yaml, mcpserver-git.yaml, mcpserver-web.yaml, group.yaml]\n",
        "deploy/mcpserver-brave.yaml": WRITTEN,
    }


def test_a_file_with_several_servers_gets_one_more() -> None:
    text = "---\n".join((resource("MCPGroup", "tools"), server("git"), server("web").rstrip("\n")))
    lay({"servers.yaml": text})
    assert added(*CALL) == {"servers.yaml": f"{text}\n---\n{WRITTEN}"}


def test_a_folder_of_argo_cd_needs_no_list() -> None:
    application = (
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: mcp}\nspec:\n"
        "  source: {repoURL: https://example.com/r.git, path: mcp}\n  destination: {namespace: mcp}\n"
    )
    namespaced = resource("MCPServer", "git", *SERVER, namespace="mcp")
    lay(
        {
            "argo.yaml": application,
            "mcp/git.yaml": namespaced,
            "mcp/g.yaml": resource("MCPGroup", "tools", namespace="mcp"),
        }
    )
    changed = added(*CALL)
    assert list(changed) == ["mcp/brave.yaml"]
    assert "  name: brave\n  namespace: mcp\n" in changed["mcp/brave.yaml"]


def test_the_settings_of_a_server_come_from_a_registry() -> None:
    entry = {
        "image": "ghcr.io/acme/brave:2.0",
        "transport": "streamable-http",
        "target_port": 9000,
        "args": ["serve"],
        "env_vars": [
            {"name": "API_KEY", "required": True, "secret": True},
            {"name": "REGION", "required": True, "default": "us"},
            {"name": "DEBUG", "default": "no"},
        ],
    }
    registry = {"version": "1.0.0", "last_updated": "2026-01-01T00:00:00Z", "servers": {"brave": entry}}
    lay({"registry.json": json.dumps(registry), "a/git.yaml": server("git"), "a/g.yaml": resource("MCPGroup", "tools")})
    changed = added("add", "mcpserver", "brave", "--from-registry", "brave", "--yes")
    assert list(changed) == ["a/brave-secret.yaml", "a/brave.yaml"]
    text = changed["a/brave.yaml"]
    for expected in ("image: ghcr.io/acme/brave:2.0", "mcpPort: 9000", "- serve", "value: us", "name: brave\n"):
        assert expected in text
    assert "DEBUG" not in text
    assert changed["a/brave-secret.yaml"].endswith('stringData:\n  API_KEY: ""\n')
    for args, why in (
        (("mcpremoteproxy", "b", "--from-registry", "brave"), '"brave" is a container: add it as an MCPServer'),
        (("mcpserver", "b", "--from-registry", "none"), 'no registry has a server "none"'),
    ):
        outcome = call("add", *args, "--yes")
        assert (outcome.status, why in outcome.err) == (2, True)


def test_a_secret_of_sops_is_a_file_to_encrypt() -> None:
    encrypted = (
        "apiVersion: v1\nkind: Secret\nmetadata: {name: git}\nstringData: {K: 'ENC[a]'}\nsops: {version: 3.9.0}\n"
    )
    lay({"a/git.yaml": server("git"), "a/git.sops.yaml": encrypted, "a/g.yaml": resource("MCPGroup", "tools")})
    changed = added(*SECRETS)
    assert changed["a/brave.sops.yaml"].startswith("# Fill in the values, then run: sops --encrypt")
    sealed = encrypted.replace("kind: Secret", "kind: SealedSecret").replace("v1\n", "bitnami.com/v1alpha1\n", 1)
    Path("a/git.sops.yaml").write_text(sealed)
    Path("a/brave.sops.yaml").unlink()
    outcome = call("add", "mcpserver", "other", "--image", "ghcr.io/acme/o:1", "--secret", "K", "--yes")
    assert "seal a Secret other with K" in outcome.err
    assert not list(Path("a").glob("other*secret*"))


def test_a_resource_that_check_refuses_is_not_added() -> None:
    lay({"a/git.yaml": server("git"), "a/g.yaml": resource("MCPGroup", "tools")})
    for args, why in (
        (("mcpserver", "brave", "--image", "x", "--set", "transport=http"), "ADM"),
        (("mcpserver", "brave", "--image", "ghcr.io/acme/b:1", "--group", "none"), "REF001"),
    ):
        outcome = call("add", *args, "--yes", "--to", "a/new.yaml")
        assert (outcome.status, why in outcome.err, outcome.out) == (1, True, ""), outcome.err
        assert "nothing was written" in outcome.err
    assert sorted(path.name for path in Path("a").iterdir()) == ["g.yaml", "git.yaml"]


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (("server", "brave"), "KIND server is not one of"),
        (("mcpserver", "Brave"), "NAME Brave may have lower-case letters"),
        (("mcpserver", "brave"), "--image or --from-registry states the image"),
        (("mcpserverentry", "brave"), "--url or --from-registry states the address"),
        (("mcpserver", "brave", "--image", "a", "--env", "X"), "--env X: write NAME=VALUE"),
        (("mcpserver", "brave", "--image", "a", "--set", "x=[", "--to", "a"), "--set x: the value is not YAML"),
        (("mcpserver", "brave", "--image", "a", "--set", "image.x=1"), "--set image.x: image is no object"),
        (("mcpserver", "git", "--image", "a", "--to", "b"), "there is already a MCPServer git: a/git.yaml:4"),
        (("mcpgroup", "brave"), "no file has a resource of the operator yet"),
    ],
)
def test_a_wrong_call_says_what_is_missing(args: tuple[str, ...], why: str) -> None:
    if "git" in args:
        lay({"a/git.yaml": server("git")})
    outcome = call("add", *args, "--yes")
    assert (outcome.status, why in outcome.err) == (2, True), outcome.err


def test_the_change_is_shown_before_anything_is_written() -> None:
    lay({"a/git.yaml": server("git"), "a/g.yaml": resource("MCPGroup", "tools")})
    outcome = call(*CALL[:-1])
    assert outcome.status == 2
    assert outcome.out.startswith("--- /dev/null\n+++ b/a/brave.yaml\n@@ -0,0 +1,9 @@\n+apiVersion: ")
    assert "nothing was written: add --yes" in outcome.err
    assert not Path("a/brave.yaml").exists()
    for answer, is_written in (("n", False), ("y", True)):
        terminal, inner = pty.openpty()
        os.write(terminal, f"{answer}\n".encode())
        done = subprocess.run(
            [MCPCFG, *CALL[:-1]], stdin=inner, capture_output=True, text=True, check=False, timeout=60
        )
        os.close(terminal)
        os.close(inner)
        assert "Write 1 file?" in done.stderr
        assert Path("a/brave.yaml").exists() is is_written


def test_the_place_may_be_named() -> None:
    lay({"a/git.yaml": HEAD + server("git"), "a/g.yaml": resource("MCPGroup", "tools")})
    assert list(added(*CALL, "--to", "b")) == ["b/brave.yaml"]
    changed = added("add", "mcpserver", "c", "--image", "ghcr.io/acme/c:1", "--yes", "--to", "a/git.yaml")
    assert changed["a/git.yaml"].count(HEAD.partition("\n")[2]) == 2
    changed = added(
        "add",
        "mcptelemetryconfig",
        "otel",
        "--yes",
        "--set",
        "openTelemetry={enabled: true, endpoint: h:1, metrics: {enabled: true}}",
    )
    assert (
        "  openTelemetry:\n    enabled: true\n    endpoint: h:1\n    metrics:\n      enabled: true\n"
        in changed["a/otel.yaml"]
    )


def test_the_first_resource_of_a_kind_lies_with_the_shared_ones() -> None:
    lay(flux() | {"apps/shared/mcpgroup.yaml": HEAD + resource("MCPGroup", "more")})
    Path("group.yaml").rename("apps/shared/group.yaml")
    changed = added("add", "mcpoidcconfig", "login", "--issuer", "https://login.example.com", "--yes")
    assert [*changed] in (["apps/shared/login.yaml"], ["apps/shared/mcpoidcconfig.yaml"])


def test_a_link_out_of_the_project_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outside = tmp_path / "outside"
    inside = tmp_path / "inside"
    lay({str(inside / "a" / "git.yaml"): server("git"), str(inside / "a" / "g.yaml"): resource("MCPGroup", "tools")})
    outside.mkdir()
    (inside / "b").symlink_to(outside)
    monkeypatch.chdir(inside)
    outcome = call(*CALL, "--to", "b/brave.yaml")
    assert (outcome.status, "outside of the project" in outcome.err) == (2, True)
    assert not list(outside.iterdir())


def test_bytes_that_are_no_text_stay_as_they_are() -> None:
    lay({"a/git.yaml": server("git"), "a/web.yaml": server("web"), "a/g.yaml": resource("MCPGroup", "tools")})
    listing = KUSTOMIZATION.encode() + b"# caf\xe9\nresources: [git.yaml, web.yaml, g.yaml]\n"
    Path("a/kustomization.yaml").write_bytes(listing)
    outcome = call(*CALL)
    assert (outcome.status, Path("a/brave.yaml").exists()) == (0, True), outcome.err
    assert b"# caf\xe9\n" in Path("a/kustomization.yaml").read_bytes()
    Path("a/kustomization.yaml").write_bytes(b"\xef\xbb\xbf" + listing.replace(b"\xe9", b"e"))
    Path("a/brave.yaml").unlink(missing_ok=True)
    outcome = call(*CALL)
    assert (outcome.status, "begins with a byte order mark" in outcome.err) == (2, True), outcome.err


def test_a_link_to_a_device_is_not_read() -> None:
    lay({"a/git.yaml": server("git"), "a/g.yaml": resource("MCPGroup", "tools")})
    Path("a/kustomization.yaml").symlink_to("/dev/zero")
    assert list(added(*CALL)) == ["a/brave.yaml"]
    Path("a/new.yaml").symlink_to("/dev/zero")
    outcome = call("add", "mcpserver", "x", "--image", "ghcr.io/acme/x:1", "--yes", "--to", "a/new.yaml")
    assert (outcome.status, "outside of the project" in outcome.err) == (2, True), outcome.err


def test_a_large_project_takes_seconds() -> None:
    files = flux()
    for number in range(300):
        files[f"apps/app{number}-mcp/ks.yaml"] = KS.format(name=f"app{number}")
        files[f"apps/app{number}-mcp/app/mcpserver.yaml"] = HEAD + server(f"app{number}")
    lay(files)
    start = time.process_time()
    assert "apps/brave-mcp/ks.yaml" in added(*CALL)
    assert time.process_time() - start < 20


def test_a_remote_server_of_a_registry_has_its_address() -> None:
    entry = {
        "url": "https://docs.example.com/mcp",
        "transport": "sse",
        "headers": [{"name": "X-Key", "required": True, "secret": True}],
    }
    registry = {"version": "1.0.0", "last_updated": "2026-01-01T00:00:00Z", "remote_servers": {"docs": entry}}
    lay({"r.json": json.dumps(registry), "a/git.yaml": server("git"), "a/g.yaml": resource("MCPGroup", "tools")})
    outcome = call("add", "mcpserverentry", "docs", "--from-registry", "docs", "--yes", "--registry", "r.json")
    assert outcome.status == 0, outcome.err
    assert "the server requires the headers X-Key" in outcome.err
    text = Path("a/docs.yaml").read_text()
    assert "  remoteUrl: https://docs.example.com/mcp\n  transport: sse\n" in text
    assert "    name: tools\n" in text


TWO_SERVERS = {"git.yaml": server("git"), "web.yaml": server("web"), "g.yaml": resource("MCPGroup", "tools")}


@pytest.mark.parametrize("target", [".git/config", "../outside.txt"])
def test_the_text_of_a_file_outside_is_not_shown_through_a_link(target: str) -> None:
    lay({f"a/{name}": text for name, text in TWO_SERVERS.items()} | {".git/config": "password = hunter2\n"})
    Path("../outside.txt").write_text("password = hunter2\n")
    Path("newone.yaml").symlink_to(target)
    Path("a/kustomization.yaml").write_text(KUSTOMIZATION + "resources: [git.yaml, web.yaml, g.yaml]\n")

    for options in (["--yes"], []):
        outcome = call("add", "mcpserver", "x", "--image", "ghcr.io/acme/x:1", *options, "--to", "newone.yaml")
        assert (outcome.status, outcome.out) == (2, ""), outcome.err
        assert "hunter2" not in outcome.err

    assert Path(target).read_text() == "password = hunter2\n"
    assert "x" not in Path("a/kustomization.yaml").read_text().split("resources:")[1]


def test_no_file_is_written_if_another_one_is_refused() -> None:
    lay({f"a/{name}": text for name, text in TWO_SERVERS.items()})
    Path("../elsewhere").mkdir(exist_ok=True)
    listing = KUSTOMIZATION + "resources: [git.yaml, web.yaml, g.yaml]\n"
    Path("a/kustomization.yaml").write_text(listing)
    Path("../elsewhere/brave.yaml").unlink(missing_ok=True)
    Path("a/brave.yaml").symlink_to("../../elsewhere/brave.yaml")

    outcome = call(*CALL)

    assert outcome.status == 2, outcome
    assert Path("a/kustomization.yaml").read_text() == listing
    assert not Path("../elsewhere/brave.yaml").exists()


def test_a_pipe_in_place_of_a_file_is_refused() -> None:
    lay({f"a/{name}": text for name, text in TWO_SERVERS.items()})
    os.mkfifo("a/brave.yaml")
    done = subprocess.run(
        [MCPCFG, *CALL, "--to", "a/brave.yaml"], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, "not a regular file" in done.stderr) == (2, True), done.stderr


@pytest.mark.parametrize(("steps", "status"), [(60, 1), (101, 1), (102, 2), (1500, 2), (100_000, 2)])
def test_a_field_may_be_nested_to_a_bound(steps: int, status: int) -> None:
    lay({f"a/{name}": text for name, text in TWO_SERVERS.items()})

    outcome = call(*CALL, "--set", f"{'.'.join(['a'] * steps)}=1")

    assert outcome.status == status, outcome.err[-300:]
    assert len(outcome.err) < 2_000


def test_calls_at_the_same_time_lose_no_entry() -> None:
    lay({f"a/{name}": text for name, text in TWO_SERVERS.items()})
    Path("a/kustomization.yaml").write_text(KUSTOMIZATION + "resources:\n- git.yaml\n- web.yaml\n- g.yaml\n")
    words = [MCPCFG, "add", "mcpserver", "--image", "ghcr.io/acme/x:1", "--yes"]
    names = [f"n{number}" for number in range(8)]
    for start in (0, 4):
        calls = [subprocess.Popen([*words, name], stdout=subprocess.DEVNULL) for name in names[start : start + 4]]
        assert [one.wait(timeout=120) for one in calls] == [0] * 4

    listed = Path("a/kustomization.yaml").read_text()
    assert [name for name in names if f"- {name}.yaml" not in listed] == []
    assert all(Path(f"a/{name}.yaml").exists() for name in names)


def test_a_project_that_changes_all_the_time_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    lay({f"a/{name}": text for name, text in TWO_SERVERS.items()})
    listing = Path("a/kustomization.yaml")
    listing.write_text(KUSTOMIZATION + "resources: [git.yaml, web.yaml, g.yaml]\n")
    opened = OpenFolder.__enter__

    def changed(folder: OpenFolder) -> OpenFolder:
        listing.write_text(listing.read_text() + "# changed\n")
        return opened(folder)

    monkeypatch.setattr(OpenFolder, "__enter__", changed)
    monkeypatch.setattr("mcpcfg.compiler.cli.add._MOST_ATTEMPTS", 3)
    outcome = call(*CALL)

    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.count("a/kustomization.yaml has changed since it was read: nothing was written") == 4
    assert not Path("a/brave.yaml").exists()


@pytest.mark.parametrize("field", ["spec", "spec.secrets", "metadata.labels", "spec.resources", "spec.groupRef"])
@pytest.mark.parametrize("value", [None, 5, "x", [5], {"a": 5}], ids=str)
def test_a_refused_neighbor_does_not_stop_a_new_resource(field: str, value: object) -> None:
    for file, group, kind in (
        ("one", "toolhive.stacklok.dev/v1beta1", "MCPServer"),
        ("two", "external-secrets.io/v1", "ExternalSecret"),
    ):
        above, _, last = field.rpartition(".")
        document: dict[str, Any] = {"apiVersion": group, "kind": kind, "metadata": {"name": file}, "spec": {}}
        (document[above] if above else document)[last] = value
        Path(f"{file}.yaml").write_text(json.dumps(document))

    assert set(added(*SECRETS, "--to", "brave.yaml")) == {"brave.yaml", "brave-secret.yaml"}
