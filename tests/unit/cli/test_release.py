"""The release of the operator that a call, or the configuration, asks for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from calling import call

from mcpcfg.compiler.generate import fingerprint
from mcpcfg.compiler.toolhive.release import NEWEST_KNOWN, NEWEST_MODELLED, RELEASES

LATER = """\
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPServer
metadata: {name: fetch}
spec:
  image: ghcr.io/stackloklabs/gofetch/server:1.0.5
  imagePullPolicies: Always
"""
FINGERPRINTS = json.loads((Path(__file__).parents[3] / fingerprint.FINGERPRINTS).read_text(encoding="utf-8"))


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "a.yaml").write_text(LATER)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _summary(*arguments: str) -> object:
    return json.loads(call("check", "--format", "json", *arguments, ".").out)["summary"]["release"]


def chosen(version: str, source: str, judged_by: str | None = None) -> dict[str, str]:
    return {"version": version, "from": source, "judged_by": judged_by or version}


def test_the_option_overrides_the_configuration(project: Path) -> None:
    assert _summary() == chosen(NEWEST_MODELLED, "default")

    (project / "mcpcfg.yaml").write_text('release: "0.28"\n')
    assert _summary() == chosen("0.28.3", "mcpcfg.yaml")
    assert _summary("--release", "v0.44.0") == chosen("0.44.0", "--release")


@pytest.mark.parametrize("version", ["v1alpha1", "v1beta1"])
def test_the_newest_modelled_release_judges_if_nothing_states_one(version: str, project: Path) -> None:
    (project / "a.yaml").write_text(LATER.replace("v1beta1", version))
    assert _summary() == chosen(NEWEST_MODELLED, "default")
    assert f"judged by operator release {NEWEST_MODELLED} (default)\n" in call("check", ".").err


def test_a_documented_release_is_judged_by_the_newest_modelled_one() -> None:
    assert _summary("--release", "0.60.0") == chosen("0.60.0", "--release", NEWEST_MODELLED)
    assert "release 0.60.0 (--release) is known in part" in call("check", "--release", "0.60.0", ".").err


def test_a_field_of_a_later_release_is_not_fixed_as_misspelling(project: Path) -> None:
    text = """\
apiVersion: toolhive.stacklok.dev/v1beta1
kind: VirtualMCPServer
metadata: {name: desk}
spec:
  groupRef: {name: team}
  incomingAuth:
    type: anonymous
    authzConfigRef: {name: shared}
"""
    (project / "a.yaml").write_text(text)
    assert call("check", "--fix", "--unsafe-fixes", ".").status == 1  # neither group nor configuration is there
    assert (project / "a.yaml").read_text() == text


def test_the_closing_line_names_the_release_and_the_option_that_set_it() -> None:
    assert "by operator release 0.44.0 (--release)\n" in call("check", "--release", "0.44.0", ".").err


def test_an_unknown_release_is_refused(project: Path) -> None:
    outcome = call("check", "--release", "latest", ".")
    assert (outcome.status, "latest is no release: write X.Y.Z" in outcome.err) == (2, True)

    (project / "mcpcfg.yaml").write_text("release: latest\n")
    outcome = call("check", ".")
    assert outcome.status == 2
    assert 'mcpcfg.yaml:1:10: release "latest" does not match' in outcome.err


def test_the_reference_engine_has_the_same_result_at_each_release() -> None:
    for release in ("0.21.0", "0.44.0"):
        outcome = call("check", "--release", release, ".")

        assert call("check", "--release", release, "--engine", "reference", ".") == outcome


def test_every_release_is_listed() -> None:
    listed = json.loads(call("releases", "--format", "json").out)

    assert [one["release"] for one in listed] == list(RELEASES)
    assert [one["versions"] for one in listed[1:3]] == [["v1alpha1"], ["v1alpha1", "v1beta1"]]
    assert call("releases").out.startswith(
        "0.21.0  2026-04-16  recorded    v1alpha1            verdicts and compiled output are verified\n"
    )
    levels = {one["release"]: one["level"] for one in listed}
    assert [levels[one] for one in ("0.44.0", "0.45.0", NEWEST_MODELLED, "0.52.0", NEWEST_KNOWN)] == [
        "recorded",
        *["read"] * 2,
        *["documented"] * 2,
    ]
    assert all(one["date"] for one in listed)


@pytest.mark.parametrize("release", ["0.22.0", "0.44.0"])
def test_the_definitions_of_a_release_equal_the_shipped_ones_except_texts(release: str) -> None:
    printed = yaml.safe_load_all(call("schema", "--crd", "--release", release).out)
    digests = {crd["spec"]["names"]["kind"]: fingerprint.digest(crd) for crd in printed}

    assert digests == fingerprint.shipped(FINGERPRINTS, release)


def test_schemas_for_editors_are_those_of_a_release() -> None:
    assert "MCPWebhookConfig" not in call("schema", "--release", "0.21.0").out.split()
    assert "MCPWebhookConfig" in call("schema", "--release", "0.27.0").out.split()

    earlier, later = (json.loads(call("schema", "MCPServer", "--release", one).out) for one in ("0.29.3", "0.30.0"))
    assert "authzConfigRef" not in earlier["$defs"]["MCPServerSpec"]["properties"]
    assert later["$defs"]["MCPServerSpec"]["properties"]["authzConfigRef"]["x-since"] == "0.30.0"
    assert call("schema", "MCPServer", "--release", NEWEST_MODELLED).out == call("schema", "MCPServer").out


def test_a_resource_with_fields_of_a_later_release_is_not_compiled(project: Path) -> None:
    text = LATER.replace("imagePullPolicies: Always", "authzConfigRef: {name: shared}")
    (project / "a.yaml").write_text(text)
    outcome = call("build", "--release", "0.44.0", "--target", "runconfig", "--keep-going", ".")

    assert outcome.out == ""
    assert outcome.status == 1


def test_a_schema_of_a_later_release_is_named_as_one() -> None:
    outcome = call("schema", "mcpwebhookconfig", "--release", "0.21.0")

    assert outcome.status == 2
    assert "release 0.21.0 has no mcpwebhookconfig: state a later one with --release" in outcome.err
    assert call("schema", "MCPWebhookConfig", "--release", "0.27").status == 0


def test_cold_warm_and_merged_runs_agree_on_the_release(project: Path) -> None:
    first = LATER.replace("  imagePullPolicies: Always\n", "")
    (project / "pin.yaml").write_text("releases:\n- {chart: toolhive-operator, version: 0.44.0}\n")
    for number in range(40):
        (project / f"b{number}.yaml").write_text(first.replace("fetch", f"fetch-{number}"))
    cold = call("check", ".")
    assert "judged by operator release 0.44.0, which pin.yaml:2 installs" in cold.err
    (project / "b1.yaml").write_text("")  # not the whole output comes from the cache
    warm = call("check", ".")
    assert warm == call("check", "--no-cache", ".")
    for number in (1, 2):
        call("check", "--shard", f"{number}/2", "--output", f"{number}.part", ".")
    assert call("merge", "1.part", "2.part") == warm
