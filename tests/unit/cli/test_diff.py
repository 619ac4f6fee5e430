"""``mcpcfg diff`` compares what compiles in both trees, and names what does not as its user knows it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from calling import call
from drawing import resource as text_of
from repository import commit

PROJECTS = Path(__file__).parents[3] / "fixtures" / "projects"
SOUND = text_of("MCPServer", "fetch", "{image: 'ghcr.io/acme/fetch:1.0'}")
REFUSED = text_of("MCPServer", "fetch", "{image: 'ghcr.io/acme/fetch:1.0', groupRef: {name: gone}}")
OTHER = text_of("MCPServer", "other", "{image: 'ghcr.io/acme/other:1.0'}")


def _tree(folder: Path, *texts: str) -> str:
    folder.mkdir()
    for number, text in enumerate(texts):
        (folder / f"{number}.yaml").write_text(text)
    return str(folder)


def test_resources_refused_in_the_new_tree_are_not_reported_as_removed(tmp_path: Path) -> None:
    made = call("diff", _tree(tmp_path / "old", SOUND), _tree(tmp_path / "new", REFUSED, OTHER))
    assert "/other" in made.out
    assert "fetch" not in made.out


def test_resources_refused_in_the_old_tree_are_not_reported_as_added(tmp_path: Path) -> None:
    made = call("diff", _tree(tmp_path / "old", REFUSED), _tree(tmp_path / "new", SOUND))
    assert made.out == ""
    assert "old has errors" in made.err


def test_objects_missing_in_the_new_tree_are_reported_as_removed(tmp_path: Path) -> None:
    made = call("diff", _tree(tmp_path / "old", SOUND, OTHER), _tree(tmp_path / "new", OTHER))
    assert "- StatefulSet default/fetch  (pods stop)" in made.out


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_files_of_a_revision_are_named_by_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unfilled = text_of("MCPServer", "unfilled", "{image: 'a:1', replicas: '${N}'}")
    folder = tmp_path / "deploy"
    _tree(folder, REFUSED, unfilled)
    identity = ("-c", "user.name=test", "-c", "user.email=test@example.com")
    for words in (("init", "-q"), ("add", "."), ("commit", "-qm", "first")):
        subprocess.run(["git", *identity, *words], cwd=tmp_path, check=True, capture_output=True)
    (folder / "0.yaml").write_text(SOUND)
    (folder / "1.yaml").unlink()
    monkeypatch.chdir(folder)
    done = call("diff", "--against", "HEAD").err.splitlines()
    assert done[0].startswith("mcpcfg: HEAD:deploy/1.yaml: MCPServer 'unfilled' holds placeholders")
    assert done[1].startswith("mcpcfg: HEAD:deploy has errors")


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_the_configuration_of_the_revision_counts_from_above_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _tree(tmp_path / "deploy", SOUND)
    settings = tmp_path / "mcpcfg.yaml"
    settings.write_text("images: {proxyRunner: 'ghcr.io/acme/runner:1'}\n")
    commit(tmp_path)
    monkeypatch.chdir(tmp_path)

    for path in ("deploy", "deploy/0.yaml"):
        assert call("diff", "--against", "HEAD", path).out == ""
    settings.write_text("images: {proxyRunner: 'ghcr.io/acme/runner:2'}\n")
    assert "runner:2" in call("diff", "--against", "HEAD", "deploy").out


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_a_folder_that_the_revision_lacks_is_all_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _tree(tmp_path / "deploy", SOUND)
    commit(tmp_path)
    _tree(tmp_path / "more", OTHER)
    monkeypatch.chdir(tmp_path)

    assert "+ StatefulSet default/other" in call("diff", "--against", "HEAD", "more").out


def test_isolated_files_of_one_name_are_compared_each_with_itself(tmp_path: Path) -> None:
    changed = SOUND.replace("1.0", "2.0")
    old, new = _tree(tmp_path / "old", SOUND, SOUND), _tree(tmp_path / "new", SOUND, changed)
    made = call("diff", old, new, "--isolated", "--target", "backend")
    assert made.err == ""
    assert "~ StatefulSet default/fetch in 1.yaml" in made.out
    assert "in 0.yaml" not in made.out
    assert '"file": "1.yaml"' in call("diff", old, new, "--isolated", "--format", "json").out
    assert "in 1.yaml" in call("diff", old, new, "--isolated", "--format", "markdown").out
    (tmp_path / "new" / "1.yaml").unlink()
    assert "- StatefulSet default/fetch in 1.yaml" in call("diff", old, new, "--isolated").out


def test_duplicates_that_are_not_compared_are_reported(tmp_path: Path) -> None:
    old, new = _tree(tmp_path / "old", SOUND, SOUND), _tree(tmp_path / "new", SOUND)
    made = call("diff", old, new)
    assert "old holds resources that compile to the same objects" in made.err


def test_resources_refused_on_one_side_are_named_and_set_the_exit_code(tmp_path: Path) -> None:
    old = _tree(tmp_path / "old", SOUND)
    new = _tree(tmp_path / "new", SOUND.replace("{image:", "{unheardOf: 1, image:"))
    made = call("diff", old, new, "--exit-code")

    assert (made.status, made.out) == (1, "")
    assert "no differences in what was compared" in made.err
    assert "not compared, as one side refuses it: MCPServer default/fetch" in made.err


def test_changes_are_reported_by_cluster_and_namespace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(PROJECTS / "values-of-clusters", tmp_path / "old")
    shutil.copytree(tmp_path / "old", tmp_path / "new")
    values = tmp_path / "new" / "clusters" / "north" / "servers.yaml"
    values.write_text(values.read_text().replace('PORT: "8080"', 'PORT: "8090"'))
    monkeypatch.chdir(tmp_path)

    assert call("diff", "old", "old").out == ""
    lines = [line for line in call("diff", "old", "new").out.splitlines() if not line.startswith(" ")]
    assert len(lines) == len([line for line in lines if " of north" in line]) > 0
    assert "~ Deployment mcp/weather of north  (port changes: 8080 to 8090; pods restart)" in lines


def test_one_tree_is_compared_under_two_releases(tmp_path: Path) -> None:
    made = call("diff", _tree(tmp_path / "tree", SOUND), "--from-release", "0.29.3", "--to-release", "0.30.0")
    assert "/data/runconfig.json/middleware_configs/bodylimit: nothing -> " in made.out
    assert "mcpserver-generation" not in made.out, "0.24.1 brought it"
    assert call("diff", str(tmp_path / "tree"), "--from-release", "0.30", "--to-release", "0.30").out == ""


def test_errors_at_one_of_two_releases_are_reported_with_that_release(tmp_path: Path) -> None:
    newer = SOUND.replace("v1alpha1", "v1beta1")
    made = call("diff", _tree(tmp_path / "tree", newer), "--from-release", "0.22.0", "--to-release", "0.23.0")
    assert "tree at release 0.22.0 has errors" in made.err
    assert "tree at release 0.23.0" not in made.err


@pytest.mark.parametrize(
    "words", [("--from-release", "0.30"), ("old", "new", "--from-release", "0.30", "--to-release", "0.31")]
)
def test_two_releases_compare_one_tree(words: tuple[str, ...]) -> None:
    made = call("diff", *words)
    assert made.status == 2
    assert "compare one tree" in made.err
