"""``mcpcfg upgrade`` rewrites a project for a later release, keeps all else, and reports what that release does."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from calling import call

if TYPE_CHECKING:
    from pathlib import Path

EARLIER = """\
# of the team
apiVersion: toolhive.stacklok.dev/v1alpha1   # first
kind: MCPServer
metadata: {name: fetch}
spec:
  image: ghcr.io/acme/fetch:1.0
  port: 8080   # where clients connect
  audit: {enabled: true}
  groupRef: team
---
apiVersion: 'toolhive.stacklok.dev/v1alpha1'
kind: MCPGroup
metadata: {name: team}
"""
LATER = """\
# of the team
apiVersion: toolhive.stacklok.dev/v1beta1   # first
kind: MCPServer
metadata: {name: fetch}
spec:
  image: ghcr.io/acme/fetch:1.0
  proxyPort: 8080   # where clients connect
  audit: {enabled: true}
  groupRef:
    name: team
---
apiVersion: 'toolhive.stacklok.dev/v1beta1'
kind: MCPGroup
metadata: {name: team}
"""
SOUND = LATER.replace("v1beta1", "v1alpha1")
PROVIDER = """\
apiVersion: toolhive.stacklok.dev/v1alpha1
kind: MCPOIDCConfig
metadata: {name: login}
spec:
  type: inline
  inline: {issuer: "http://login.example.com"}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "server.yaml").write_text(EARLIER)
    return tmp_path


def events(*words: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(
        call("upgrade", "--release", "0.21.0", *words, "--diff", "--format", "json").out
    )["events"]
    return found


def effects(text: str) -> int:
    """Return the number of effects that a report lists."""
    return sum(line.startswith("    ") and not line.startswith("     ") for line in text.splitlines())


def test_versions_and_fields_are_rewritten_and_comments_stay(folder: Path) -> None:
    made = call("upgrade", "--release", "0.21.0", "--to", "0.45")
    assert (folder / "server.yaml").read_text() == LATER
    assert made.status == 0
    last = made.out.splitlines()[-1]
    assert last == f"0.21.0 to 0.45.0: 4 edits made in 1 file; {effects(made.out)} effects listed above"


def test_a_second_run_changes_nothing(folder: Path) -> None:
    call("upgrade", "--release", "0.21.0", "--to", "0.45")
    made = call("upgrade", "--release", "0.21.0", "--to", "0.45")
    assert (folder / "server.yaml").read_text() == LATER
    assert made.out == "0.21.0 to 0.45.0: nothing to rewrite, and no effects\n"


def test_diff_shows_a_patch_and_writes_nothing(folder: Path) -> None:
    made = call("upgrade", "--release", "0.21.0", "--to", "0.45", "--diff")
    assert made.status == 1
    assert "\n-  port: 8080   # where clients connect\n+  proxyPort: 8080   # where clients connect\n" in made.out
    assert "to make in 1 file" in made.err
    assert (folder / "server.yaml").read_text() == EARLIER


def test_a_release_without_the_second_version_keeps_the_first(folder: Path) -> None:
    call("upgrade", "--release", "0.21.0", "--to", "0.22.0")
    assert (folder / "server.yaml").read_text() == SOUND


def test_standard_input_is_written_to_standard_output() -> None:
    made = call("upgrade", "--release", "0.21.0", "--to", "0.45", "-", stdin=EARLIER)
    assert made.out == LATER
    assert "made in 1 file" in made.err


def test_settings_that_start_to_act_are_reported_by_release_and_place(folder: Path) -> None:
    (folder / "server.yaml").write_text(SOUND)
    found = {one["release"]: one for one in events("--to", "0.41.0") if one["what"] == "acts"}
    assert list(found) == ["0.22.0", "0.24.1", "0.28.0", "0.30.0", "0.30.1", "0.41.0"]
    assert found["0.41.0"]["message"] == "requests that authentication refuses are in the audit log"
    assert found["0.41.0"]["restarts"]
    place = {"file": "server.yaml", "line": 4, "column": 18, "kind": "MCPServer", "resource": "fetch"}
    assert found["0.41.0"]["resources"] == [place | {"namespace": "default"}]


def test_an_upgrade_to_a_documented_release_lists_what_is_documented_and_says_that_more_may_change(
    folder: Path,
) -> None:
    (folder / "server.yaml").write_text(
        LATER + "---\napiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPRemoteProxy\nmetadata: {name: remote}\n"
        "spec: {remoteUrl: 'https://mcp.example.com'}\n"
    )
    server = (folder / "server.yaml").read_text()
    (folder / "server.yaml").write_text(
        server.replace("  proxyPort", "  permissionProfile: {type: builtin, name: none}\n  proxyPort")
    )
    made = call("upgrade", "--release", "0.51.4", "--to", "0.69.1", "--diff", "--format", "json")
    found = {one["release"]: one for one in json.loads(made.out)["events"] if one["what"] == "acts"}
    assert list(found) == ["0.53.0", "0.67.0"]
    assert [one["resource"] for one in found["0.53.0"]["resources"]] == ["fetch"]
    assert [one["resource"] for one in found["0.67.0"]["resources"]] == ["remote"]
    text = call("upgrade", "--release", "0.51.4", "--to", "0.69.1", "--diff")
    shown = text.out + text.err
    assert "release 0.69.1 is known in part: of the changes after 0.51.4, only those that are documented are" in shown


def test_a_new_refusal_is_reported_with_the_first_release_that_has_it(folder: Path) -> None:
    (folder / "server.yaml").write_text(PROVIDER)
    [found] = [one for one in events("--to", "0.45.0") if one["what"] == "refused"]
    assert (found["release"], found["rule"]) == ("0.42.1", "OID018")
    assert not [one for one in events("--to", "0.42.0") if one["what"] == "refused"]
    assert call("upgrade", "--release", "0.21.0", "--to", "0.45.0").status == 1


def test_a_refusal_by_a_schema_is_looked_for_in_the_releases_between(folder: Path) -> None:
    storage = "storage: {type: redis, redis: {sentinelConfig: {masterName: main, sentinelAddrs: ['redis:26379']},"
    storage += " aclUserConfig: {usernameSecretRef: {name: a, key: u}, passwordSecretRef: {name: a, key: p}}}}"
    server = "{issuer: 'https://auth.example.com', " + storage
    server += ", upstreamProviders: [{name: main, type: oidc, oidcConfig: {issuerUrl: 'https://accounts.example.com',"
    server += " clientId: a, redirectUri: 'https://auth.example.com/oauth/callback'}}]}"
    (folder / "server.yaml").write_text(
        "apiVersion: toolhive.stacklok.dev/v1alpha1\nkind: MCPExternalAuthConfig\nmetadata: {name: auth}\n"
        f"spec: {{type: embeddedAuthServer, embeddedAuthServer: {server}}}\n"
    )
    assert {one["release"] for one in events("--to", "0.27.0") if one["what"] == "refused"} == {"0.27.0"}
    assert not [one for one in events("--to", "0.27.1") if one["what"] == "refused"]


def test_errors_at_both_releases_are_counted_and_are_no_events(folder: Path) -> None:
    (folder / "server.yaml").write_text(SOUND.replace("name: team\n---", "name: gone\n---"))
    made = call("upgrade", "--release", "0.21.0", "--to", "0.45.0", "--format", "json")
    assert json.loads(made.out)["refused"] == 1
    assert "refused" not in {one["what"] for one in json.loads(made.out)["events"]}


def test_a_pin_is_named_that_has_to_follow(folder: Path) -> None:
    (folder / "release.yaml").write_text(
        "apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata: {name: operator}\nspec:\n"
        "  url: oci://ghcr.io/stacklok/toolhive/toolhive-operator\n  ref: {tag: 0.30.0}\n"
    )
    made = call("upgrade", "--to", "0.45.0")
    assert "release.yaml:6 states release 0.30.0: raise it to 0.45.0 together with these files\n" in made.out
    assert "release 0.28.0" not in made.out, "0.30.0 has it"


def test_patches_that_are_written_out_follow_the_resource(folder: Path) -> None:
    patch = "kind: Kustomization\nresources: [server.yaml]\npatches:\n  - target: {group: toolhive.stacklok.dev,"
    patch += " version: VERSION, kind: MCPServer}\n    patch: |\n      # more\n      apiVersion:"
    patch += " toolhive.stacklok.dev/VERSION\n      kind: MCPServer\n      metadata: {name: fetch}\n"
    (folder / "kustomization.yaml").write_text(patch.replace("VERSION", "v1alpha1"))
    call("upgrade", "--release", "0.21.0", "--to", "0.45.0")
    assert (folder / "kustomization.yaml").read_text() == patch.replace("VERSION", "v1beta1")


def test_a_kind_without_the_second_version_keeps_the_first(folder: Path) -> None:
    text = "apiVersion: toolhive.stacklok.dev/v1alpha1\nkind: MCPWebhookConfig\nmetadata: {name: guard}\nspec:\n"
    text += "  validating: [{name: guard, url: 'https://guard.example.com', failurePolicy: fail}]\n"
    (folder / "server.yaml").write_text(text)
    call("upgrade", "--release", "0.21.0", "--to", "0.45.0")
    assert (folder / "server.yaml").read_text() == text


def test_a_vmcp_configuration_gets_the_mode_that_the_later_process_takes(folder: Path) -> None:
    text = "name: team\ngroupRef: team\nincomingAuth: {type: anonymous}\noutgoingAuth: {source: inline}\n"
    text += "aggregation: {conflictResolution: prefix}\noperational:\n  failureHandling:\n"
    text += "    partialFailureMode: bestEffort   # go on\n"
    (folder / "vmcp.yaml").write_text(text)
    call("upgrade", "--release", "0.21.0", "--to", "0.21.0", "vmcp.yaml")
    assert (folder / "vmcp.yaml").read_text() == text
    call("upgrade", "--release", "0.21.0", "--to", "0.22.0", "vmcp.yaml")
    assert (folder / "vmcp.yaml").read_text() == text.replace("bestEffort", "best_effort")


def test_changes_that_need_a_review_are_only_made_on_request(folder: Path) -> None:
    text = SOUND + "---\n" + SOUND.partition("---\n")[0].replace("fetch}", "other}")
    text += "  oidcConfig: {type: inline, inline: {issuer: 'https://a.example.com', audience: other}}\n"
    text = text.replace("{type: inline, inline: {", "\n    type: inline\n    inline:\n      ").replace("'}}", "'")
    text = text.replace(", audience: other}}", "\n      audience: other")
    (folder / "server.yaml").write_text(text)
    call("upgrade", "--release", "0.21.0", "--to", "0.45.0")
    assert "oidcConfig:" in (folder / "server.yaml").read_text()
    call("upgrade", "--release", "0.21.0", "--to", "0.45.0", "--unsafe-fixes")
    written = (folder / "server.yaml").read_text()
    assert "oidcConfig:" not in written
    assert written.endswith("issuer: 'https://a.example.com'\n")
    assert "v1alpha1" not in written


@pytest.mark.parametrize("release", ["0.20.0", "0.99.0", "next"])
def test_a_release_that_is_not_modelled_is_a_wrong_call(folder: Path, release: str) -> None:
    del folder
    made = call("upgrade", "--to", release)
    assert made.status == 2
    assert "is not known: 0.21.0 to 0.69.1 are" in made.err


def test_an_upgrade_to_an_earlier_release_is_refused(folder: Path) -> None:
    (folder / "server.yaml").write_text(LATER)
    made = call("upgrade", "--to", "0.30.0")
    assert made.status == 2
    assert "is before release 0.51.4, which judges the project; if an earlier release is installed, add" in made.err


def test_only_named_files_are_rewritten(folder: Path) -> None:
    (folder / "mcpcfg.yaml").write_text("namespace: tools\n")
    (folder / "other.yaml").write_text(EARLIER.replace("name: fetch", "name: other").partition("---")[0])
    call("upgrade", "--release", "0.21.0", "--to", "0.45.0", "other.yaml")
    assert (folder / "server.yaml").read_text() == EARLIER
    assert "v1beta1" in (folder / "other.yaml").read_text()


def test_a_resource_of_several_overlays_is_listed_once(folder: Path) -> None:
    (folder / "server.yaml").write_text(SOUND)
    for overlay in ("one", "two"):
        (folder / overlay).mkdir()
        (folder / overlay / "kustomization.yaml").write_text(f"resources: [..]\nnamespace: {overlay}\n")
    (folder / "kustomization.yaml").write_text("resources: [server.yaml]\n")

    out = json.loads(call("upgrade", "--to", "0.44.0", "--release", "0.23.0", "--diff", "-f", "json", ".").out)
    places = [[(case["file"], case["line"]) for case in event["resources"]] for event in out["events"]]
    assert places
    assert all(len(place) == len(set(place)) for place in places)


def test_crds_of_a_call_that_are_missing_are_named(folder: Path) -> None:
    outcome = call("upgrade", "--to", "0.45", "--diff", "--crds", "nowhere.yaml")
    assert outcome.status == 2
    assert "nowhere.yaml" in outcome.err


@pytest.mark.parametrize("kind", ["{a: b}", "[a]", "1"])
def test_a_kind_that_is_no_text_is_left_alone(folder: Path, kind: str) -> None:
    (folder / "odd.yaml").write_text(f"apiVersion: toolhive.stacklok.dev/v1alpha1\nkind: {kind}\nresources: []\n")

    assert call("upgrade", ".", "--to", "0.45.0", "--release", "0.44.0").status in {0, 1}
