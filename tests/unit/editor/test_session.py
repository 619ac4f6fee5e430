"""A project between edits: what is kept from the last check never shows in what the next one finds."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

import pytest
from recorded import ROOT
from sample import random_text, resource

from mcpcfg.compiler.check import full
from mcpcfg.compiler.editor.session import Home, ProjectSession, home_of
from mcpcfg.compiler.project import baseline
from mcpcfg.compiler.project.discovery import discover

if TYPE_CHECKING:
    from pathlib import Path

    from mcpcfg.compiler.editor.session import Snapshot

GROUP = resource("MCPGroup", "team")
SERVER = resource("MCPServer", "one", "image: ghcr.io/acme/one:1.0", "transport: stdio", "groupRef: {name: team}")


def session(folder: Path, settings: str | None = None) -> ProjectSession:
    if settings is not None:
        (folder / "mcpcfg.yaml").write_text(settings)
        return ProjectSession(Home(str(folder), str(folder / "mcpcfg.yaml")), full.Options())
    return ProjectSession(Home(str(folder), None), full.Options())


def errors(snapshot: Snapshot | None, file: Path) -> list[str]:
    assert snapshot is not None
    return [one.rule for one in snapshot.findings.get(str(file), ()) if one.severity == "error"]


@pytest.mark.parametrize("seed", range(6))
def test_a_check_after_an_edit_finds_what_a_first_check_would(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    names = [f"f{number}.yaml" for number in range(6)] + ["kustomization.yaml"]
    for name in names:
        (tmp_path / name).write_text(random_text(rng))
    own = session(tmp_path)
    buffers: dict[str, bytes] = {}
    for _ in range(25):
        path = str(tmp_path / rng.choice(names))
        what = rng.random()
        if what < 0.6:
            buffers[path] = random_text(rng).encode()
        elif what < 0.8:
            buffers.pop(path, None)
        else:
            (tmp_path / os.path.basename(path)).write_text(random_text(rng))
        found = own.check(buffers)
        assert found is not None
        reported = sorted(one for findings in found.findings.values() for one in findings)
        project = discover((str(tmp_path),))
        fresh = full.check(project, full.Options(buffers=buffers))
        assert reported == sorted(fresh.findings)


def test_an_edit_of_one_file_is_reported_in_another(tmp_path: Path) -> None:
    server, group = tmp_path / "server.yaml", tmp_path / "group.yaml"
    server.write_text(SERVER)
    group.write_text(GROUP)
    own = session(tmp_path)
    assert errors(own.check({str(server): SERVER.encode()}), server) == []
    renamed = GROUP.replace("team", "crew").encode()
    assert errors(own.check({str(server): SERVER.encode(), str(group): renamed}), server) == ["REF001"]
    assert errors(own.check({str(server): SERVER.encode()}), server) == []


def test_a_document_that_was_not_saved_yet_belongs_to_the_project(tmp_path: Path) -> None:
    server = tmp_path / "server.yaml"
    server.write_text(SERVER)
    own = session(tmp_path, "exclude: [drafts/]\n")
    new = {str(tmp_path / "group.yaml"): GROUP.encode()}
    assert errors(own.check(new), server) == []
    for left_out in ("drafts/group.yaml", ".hidden/group.yaml", "group.txt"):
        assert errors(own.check({str(tmp_path / left_out): GROUP.encode()}), server) == ["REF001"]


def test_excluded_files_are_not_checked(tmp_path: Path) -> None:
    (tmp_path / "drafts").mkdir()
    draft = tmp_path / "drafts" / "server.yaml"
    draft.write_text(SERVER)
    found = session(tmp_path, "exclude: [drafts/]\n").check({str(draft): SERVER.encode()})
    assert errors(found, draft) == []


def test_a_document_under_the_name_of_a_link_is_the_file_that_it_leads_to(tmp_path: Path) -> None:
    folder = tmp_path / "real"
    folder.mkdir()
    (folder / "server.yaml").write_text(SERVER + GROUP.join(("---\n", "")))
    (tmp_path / "link").symlink_to(folder)
    own = session(folder)
    path = str(tmp_path / "link" / "server.yaml")
    found = own.check({path: SERVER.encode()})
    assert own.name_of(path) == str(folder / "server.yaml")
    assert errors(found, folder / "server.yaml") == ["REF001"]


def test_an_invalid_configuration_keeps_the_last_valid_one_in_use(tmp_path: Path) -> None:
    server = tmp_path / "server.yaml"
    server.write_text(SERVER)
    own = session(tmp_path, "external: {MCPGroup: [team]}\n")
    assert errors(own.check({}), server) == []
    (tmp_path / "mcpcfg.yaml").write_text("external: [\n")
    own.rediscover()
    assert errors(own.check({str(server): SERVER.encode() + b"# more\n"}), server) == []
    assert "mcpcfg.yaml" in str(own.fault)
    (tmp_path / "mcpcfg.yaml").write_text("closed: 1\n")
    own.rediscover()
    own.check({})
    assert own.fault is not None
    (tmp_path / "mcpcfg.yaml").write_text("{}\n")
    own.rediscover()
    assert errors(own.check({}), server) == ["REF001"]
    assert own.fault is None


def test_a_configuration_that_is_broken_from_the_start_is_a_fault(tmp_path: Path) -> None:
    own = session(tmp_path, "rules: 1\n")
    assert own.check({}) is None
    assert own.snapshot is None
    assert own.fault is not None


def test_a_document_outside_of_any_folder_is_checked_alone(tmp_path: Path) -> None:
    (tmp_path / "group.yaml").write_text(GROUP)
    path = str(tmp_path / "server.yaml")
    home = home_of(path, ())
    assert home == Home(path, None)
    found = ProjectSession(home, full.Options()).check({path: SERVER.encode()})
    assert found is not None
    assert [(one.rule, one.severity) for one in found.findings[path]] == [("REF001", "warning")]


def test_the_home_of_a_document_is_the_nearest_configuration_else_the_innermost_folder(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    path = str(inner / "new" / "server.yaml")
    assert home_of(path, (str(tmp_path), str(tmp_path / "a"))) == Home(str(tmp_path / "a"), None)
    (tmp_path / "mcpcfg.yaml").write_text("{}\n")
    assert home_of(path, (str(inner),)) == Home(str(tmp_path), str(tmp_path / "mcpcfg.yaml"))


def test_a_folder_with_too_many_files_is_not_a_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcpcfg.compiler.editor.session.MOST_FILES", 1)
    server, group = tmp_path / "server.yaml", tmp_path / "group.yaml"
    server.write_text(SERVER)
    group.write_text(GROUP)
    found = session(tmp_path).check({str(server): SERVER.encode()})
    assert found is not None
    assert [(one.rule, one.severity) for one in found.findings[str(server)]] == [("REF001", "warning")]


def test_nothing_is_done_again_where_nothing_has_changed(tmp_path: Path) -> None:
    (tmp_path / "server.yaml").write_text(SERVER)
    own = session(tmp_path)
    assert own.check({}) is own.check({})


def test_an_incomplete_record_keeps_its_last_kind(tmp_path: Path) -> None:
    file = tmp_path / "tools.yaml"
    text = b"toolsOverride:\n  fetch:\n    name: get\n"
    file.write_bytes(text)
    own = session(tmp_path)
    for content in (text, b"toolsOverride: [\n"):
        found = own.check({str(file): content})
        assert found is not None
        assert found.kinds[str(file)].name == "tool-override"


def test_findings_in_the_baseline_are_not_reported(tmp_path: Path) -> None:
    server = tmp_path / "server.yaml"
    server.write_text(SERVER)
    (tmp_path / "broken.yaml").write_text("apiVersion: [\n")
    project = discover((str(tmp_path),))
    report = full.check(project, full.Options())
    inside = [one._replace(span=one.span._replace(file=os.path.basename(one.span.file))) for one in report.findings]
    (tmp_path / "known.json").write_text(baseline.write(inside))
    own = session(tmp_path, "baseline: known.json\n")
    found = own.check({})
    assert found is not None
    assert found.findings == {}
    found = own.check({str(server): SERVER.replace("one", "two").encode()})
    assert errors(found, server) == ["REF001"]


def test_a_baseline_that_cannot_be_read_is_a_fault_that_hides_nothing(tmp_path: Path) -> None:
    server = tmp_path / "server.yaml"
    server.write_text(SERVER)
    own = session(tmp_path, "baseline: absent.json\n")
    assert errors(own.check({}), server) == ["REF001"]
    assert "absent.json" in str(own.fault)


def test_after_an_internal_error_the_next_check_is_complete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = tmp_path / "server.yaml"
    server.write_text(SERVER)
    own = session(tmp_path)
    own.check({})
    with monkeypatch.context() as broken:
        broken.setattr("mcpcfg.compiler.editor.session.kinds_of", lambda _: 1 // 0)
        with pytest.raises(ZeroDivisionError):
            own.check({str(server): GROUP.encode()})
    assert errors(own.check({str(server): SERVER.encode()}), server) == ["REF001"]


def test_a_merged_finding_is_shown_at_each_place(tmp_path: Path) -> None:
    lines = ("image: ghcr.io/acme/one", "transport: stdio", "resources: {limits: {cpu: '1'}}")
    for name in ("a", "b"):
        (tmp_path / f"{name}.yaml").write_text(resource("MCPServer", name, *lines))
    found = session(tmp_path, "severity: error\n").check({})
    assert found is not None
    reported = [(one.rule, one.severity, one.notes) for findings in found.findings.values() for one in findings]
    assert reported == [("IMG001", "info", ()), ("RES002", "warning", ())] * 2


def test_the_release_that_the_project_installs_judges_what_is_typed(tmp_path: Path) -> None:
    server, chart = tmp_path / "server.yaml", tmp_path / "Chart.yaml"
    later = resource("MCPServer", "one", "image: ghcr.io/acme/one:1.0", "authzConfigRef: {name: shared}")
    later = later.replace("v1beta1", "v1alpha1")
    server.write_text(later)
    own = session(tmp_path)
    assert "ADM001" not in errors(own.check({str(server): later.encode()}), server)
    pin = "apiVersion: v2\nname: toolhive-operator\nversion: 0.22.0\n"
    chart.write_text(pin)
    own.rediscover()
    assert "ADM001" in errors(own.check({str(server): later.encode()}), server)
    newer = pin.replace("0.22.0", "0.44.0").encode()
    assert "ADM001" not in errors(own.check({str(server): later.encode(), str(chart): newer}), server)


def test_crds_of_the_configuration_admit_what_is_typed(tmp_path: Path) -> None:
    (tmp_path / "crds").mkdir()
    definition = ROOT / "fixtures" / "crds" / "definitions" / "release.yaml"
    (tmp_path / "crds" / "release.yaml").write_text(definition.read_text("utf-8"))
    one = tmp_path / "one.yaml"
    typed = "apiVersion: delivery.example.com/v2\nkind: Release\nmetadata: {name: a}\nspec: {interval: 5x}\n"
    one.write_text(typed)
    own = session(tmp_path, "crds: [crds]\n")

    assert errors(own.check({str(one): typed.encode()}), one) == ["ADM005"]
