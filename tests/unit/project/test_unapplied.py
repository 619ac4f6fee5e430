"""What nothing applies is checked, and its errors are warnings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mcpcfg.compiler import api
from mcpcfg.compiler.project.settings import Options

if TYPE_CHECKING:
    from pathlib import Path

WRONG = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPServer\nmetadata: {name: fetch}\nspec: {imgae: 'a:1'}\n"
OTHER = WRONG.replace("fetch", "other")


def flux(path: str) -> str:
    head = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps}\n"
    return f"{head}spec: {{path: {path}}}\n"


def severities(files: dict[str, str], options: Options | None = None) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for one in api.check(files=files, options=options or Options()).findings:
        found.setdefault(one.span.file, set()).add(one.severity)
    return found


FORGOTTEN = {"apps/kustomization.yaml": "resources: [a.yaml]\n", "apps/a.yaml": WRONG, "apps/b.yaml": OTHER}


def test_findings_in_unlisted_files_are_infos_and_their_kustomization_gets_one_warning() -> None:
    files = FORGOTTEN | {"apps/c.yaml": OTHER.replace("other", "third")}

    assert severities(files) == {
        "apps/a.yaml": {"error"},
        "apps/b.yaml": {"info"},
        "apps/c.yaml": {"info"},
        "apps/kustomization.yaml": {"warning"},
    }
    (left_out,) = [one for one in api.check(files=files).findings if one.rule == "REF026"]
    assert (left_out.message, left_out.span.line) == ('nothing applies "b.yaml" and "c.yaml"', 1)


def test_a_sound_file_is_reported_only_if_it_is_next_to_the_kustomization() -> None:
    sound = WRONG.replace("imgae: 'a:1'", "image: 'a:1', transport: stdio")
    other = sound.replace("fetch", "other")
    files = {"apps/kustomization.yaml": "resources: [a.yaml]\n", "apps/a.yaml": sound}
    below = files | {"flux.yaml": flux("./apps"), "apps/sub/kustomization.yaml": "resources: [b.yaml]\n"}
    assert severities(files | {"apps/b.yaml": other}) == {"apps/kustomization.yaml": {"warning"}}
    assert severities(below | {"apps/sub/b.yaml": other}) == {}
    assert severities(below | {"apps/sub/b.yaml": OTHER})["apps/kustomization.yaml"] == {"info"}


def test_a_file_named_in_a_comment_of_the_kustomization_is_omitted_on_purpose() -> None:
    listing = {"apps/kustomization.yaml": "resources:\n- a.yaml\n# - b.yaml\n"}
    assert severities(FORGOTTEN | listing)["apps/kustomization.yaml"] == {"info"}


def test_a_listed_file_that_is_missing_is_reported_at_its_entry() -> None:
    entries = ("a.yaml", "b.yaml", "https://x.io/c.yaml", "d.yaml", "${E}.yaml", "d.yaml")
    listing = {"apps/kustomization.yaml": "resources:\n" + "".join(f"- {entry}\n" for entry in entries)}
    found = [
        one for one in api.check(files=FORGOTTEN | listing).findings if one.span.file.endswith("kustomization.yaml")
    ]
    assert [(one.rule, one.span.line, one.message) for one in found] == [("REF027", 5, 'there is no file "d.yaml"')]


def test_a_missing_file_is_not_reported_in_folders_without_resources_of_the_operator() -> None:
    files = {"apps/a.yaml": WRONG, "other/kustomization.yaml": "resources: [d.yaml]\n"}
    assert severities(files) == {"apps/a.yaml": {"error"}}


def test_the_unused_option_keeps_errors_in_unlisted_files() -> None:
    found = severities(FORGOTTEN, Options(unused="error"))
    assert found == {"apps/a.yaml": {"error"}, "apps/b.yaml": {"error"}, "apps/kustomization.yaml": {"warning"}}
    assert api.check(files=FORGOTTEN | {"mcpcfg.yaml": "unused: error\n"}).findings


@pytest.mark.parametrize(
    "listing",
    [
        {"apps/kustomization.yaml": "resources: [a.yaml, b.yaml]\n"},
        {"overlay/kustomization.yaml": "resources: [../apps/b.yaml]\n"},
        {"apps/kustomization.yaml": "components: [b.yaml]\nresources: [a.yaml]\n"},
    ],
)
def test_a_file_that_some_kustomization_lists_is_applied(listing: dict[str, str]) -> None:
    assert severities(FORGOTTEN | listing)["apps/b.yaml"] == {"error"}


def test_files_without_a_kustomization_in_their_folder_are_applied() -> None:
    files = {"apps/a.yaml": WRONG, "other/kustomization.yaml": "resources: []\n", "cluster/ks.yaml": flux("./other")}
    assert severities(files) == {"apps/a.yaml": {"error"}}


def test_a_folder_that_the_delivered_kustomization_omits_is_not_applied() -> None:
    files = {
        "cluster/ks.yaml": flux("./apps"),
        "apps/kustomization.yaml": "resources: [used]\n",
        "apps/used/kustomization.yaml": "resources: [a.yaml]\n",
        "apps/used/a.yaml": WRONG,
        "apps/idle/kustomization.yaml": "resources: [b.yaml]\n",
        "apps/idle/b.yaml": OTHER,
    }
    assert severities(files) == {
        "apps/used/a.yaml": {"error"},
        "apps/idle/b.yaml": {"info"},
        "apps/kustomization.yaml": {"info"},
    }


SWITCHED_OFF = {
    "cluster/ks.yaml": flux("./apps"),
    "apps/kustomization.yaml": "resources:\n- used/ks.yaml\n",
    "apps/used/ks.yaml": flux("./apps/used/app").replace("name: apps", "name: used"),
    "apps/used/app/a.yaml": WRONG,
    "apps/idle/ks.yaml": flux("./apps/idle/app").replace("name: apps", "name: idle"),
    "apps/idle/app/b.yaml": OTHER,
}


@pytest.mark.parametrize(
    ("listing", "severity"), [("- used/ks.yaml\n", "warning"), ("- used/ks.yaml\n# - ./idle/ks.yaml\n", "info")]
)
def test_a_delivery_that_a_kustomization_leaves_out_applies_nothing(listing: str, severity: str) -> None:
    files = SWITCHED_OFF | {"apps/kustomization.yaml": f"resources:\n{listing}"}
    assert severities(files) == {
        "apps/used/app/a.yaml": {"error"},
        "apps/idle/app/b.yaml": {"info"},
        "apps/kustomization.yaml": {severity},
    }
    (left_out,) = [one for one in api.check(files=files).findings if one.rule == "REF026"]
    assert left_out.message == 'nothing applies "idle/ks.yaml"'


def test_a_chain_may_start_at_the_kustomization_that_leaves_a_delivery_out() -> None:
    files = {path: text for path, text in SWITCHED_OFF.items() if path != "cluster/ks.yaml"}
    assert severities(files)["apps/idle/app/b.yaml"] == {"info"}


def test_a_delivery_that_another_chain_lists_is_applied() -> None:
    files = SWITCHED_OFF | {"other/kustomization.yaml": "resources: [../apps/idle/ks.yaml]\n"}
    assert severities(files)["apps/idle/app/b.yaml"] == {"error"}


def test_a_delivery_that_applies_the_kustomization_above_it_is_applied_by_hand() -> None:
    files = SWITCHED_OFF | {"apps/root.yaml": flux("./apps"), "cluster/ks.yaml": "a: 1\n"}
    assert severities(files)["apps/used/app/a.yaml"] == {"error"}


def test_a_delivery_of_other_programs_that_is_left_out_is_not_reported() -> None:
    files = SWITCHED_OFF | {"apps/idle/app/b.yaml": "apiVersion: v1\nkind: Service\nmetadata: {name: x}\n"}
    assert severities(files) == {"apps/used/app/a.yaml": {"error"}}


def test_an_overlay_that_nobody_lists_may_be_applied_by_hand() -> None:
    files = {
        "kustomization.yaml": "resources: [base]\n",
        "base/kustomization.yaml": "resources: []\n",
        "overlays/prod/kustomization.yaml": "resources: [a.yaml]\n",
        "overlays/prod/a.yaml": WRONG,
    }
    assert severities(files) == {"overlays/prod/a.yaml": {"error"}}


def test_a_refused_resource_in_an_unapplied_file_is_not_compiled() -> None:
    report = api.check(files=FORGOTTEN)
    made = api.build(report, "runconfig", keep_going=True)
    assert made.files == ()
    assert not made.complete


SUSPENDED = flux("./apps").replace("spec: {", "spec: {suspend: true, ")


def test_errors_in_suspended_files_are_warnings() -> None:
    files = {"cluster/ks.yaml": SUSPENDED, "apps/a.yaml": WRONG}
    assert severities(files) == {"apps/a.yaml": {"warning"}}
    (note, *_) = [one.notes for one in api.check(files=files).findings]
    assert note[-1].message == "apps is suspended, so nobody applies this; --unused error makes it an error"
    assert severities(files, Options(unused="error")) == {"apps/a.yaml": {"error"}}


@pytest.mark.parametrize(
    "other",
    [
        {"south/ks.yaml": flux("./apps")},
        {"overlay/kustomization.yaml": "resources: [../apps/a.yaml]\n"},
        {"cluster/ks.yaml": SUSPENDED.replace("true", "${OFF}")},
    ],
)
def test_a_file_that_another_delivery_applies_is_not_suspended(other: dict[str, str]) -> None:
    assert severities({"cluster/ks.yaml": SUSPENDED, "apps/a.yaml": WRONG} | other)["apps/a.yaml"] == {"error"}


def test_a_delivery_that_a_suspended_delivery_applied_stays_active() -> None:
    files = {
        "cluster/ks.yaml": SUSPENDED,
        "apps/kustomization.yaml": "resources: [own.yaml, inner.yaml]\n",
        "apps/own.yaml": OTHER,
        "apps/inner.yaml": flux("./servers").replace("name: apps", "name: servers"),
        "servers/a.yaml": WRONG,
    }
    assert severities(files) == {"apps/own.yaml": {"warning"}, "servers/a.yaml": {"error"}}


def test_resources_of_a_suspended_delivery_satisfy_references() -> None:
    group = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPGroup\nmetadata: {name: tools}\n"
    server = WRONG.replace("imgae: 'a:1'", "image: 'a:1', groupRef: {name: tools}")
    files = {"cluster/ks.yaml": SUSPENDED, "apps/a.yaml": group, "servers/a.yaml": server}
    assert [one for one in api.check(files=files).findings if one.severity != "info"] == []


def test_an_application_that_is_skipped_is_suspended() -> None:
    head = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: apps, annotations: {MARK: 'true'}}\n"
    text = f"{head}spec: {{destination: {{namespace: ai}}, source: {{path: apps}}}}\n"
    skipped = text.replace("MARK", "argocd.argoproj.io/skip-reconcile")
    assert severities({"cluster/app.yaml": skipped, "apps/a.yaml": WRONG}) == {"apps/a.yaml": {"warning"}}
    assert severities({"cluster/app.yaml": text, "apps/a.yaml": WRONG}) == {"apps/a.yaml": {"error"}}


def dependency_findings(folder: Path, name: str, server: str = WRONG) -> list[str]:
    """Return the files with REF029 in a chain whose last Kustomization, which applies a server, depends on ``name``."""
    waiting = flux("./apps/used/app").replace("name: apps", "name: used")
    files = {path: text for path, text in SWITCHED_OFF.items() if "idle" not in path} | {
        "apps/used/ks.yaml": waiting.replace("{path", f"{{dependsOn: [{{name: {name}}}], path"),
        "apps/used/app/a.yaml": server,
    }
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    return [one.span.file for one in api.check(folder).findings if one.rule == "REF029"]


@pytest.mark.parametrize(("name", "count"), [("app", 1), ("apps", 0), ("${NAME}", 0)])
def test_a_dependency_that_no_file_declares_is_reported(tmp_path: Path, name: str, count: int) -> None:
    assert dependency_findings(tmp_path, name) == [str(tmp_path / "apps/used/ks.yaml")] * count


def test_a_dependency_of_another_program_is_not_reported(tmp_path: Path) -> None:
    service = "apiVersion: v1\nkind: Service\nmetadata: {name: x}\n"
    assert dependency_findings(tmp_path, "app", service) == []
