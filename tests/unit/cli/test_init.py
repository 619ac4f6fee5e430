"""What ``init`` writes passes its own check, and compiles."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from mcpcfg.compiler.cli.main import main
from mcpcfg.compiler.project.scaffold import LAYOUTS
from mcpcfg.compiler.toolhive.release import NEWEST_MODELLED

MCPCFG = str(Path(sys.executable).with_name("mcpcfg"))


def status(*args: str) -> int:
    with pytest.raises(SystemExit) as exit_:
        main(list(args))
    return int(exit_.value.code or 0)


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("namespace", [None, "tools"])
def test_a_new_project_passes_and_compiles(layout: str, namespace: str | None) -> None:
    stated = [] if namespace is None else ["--namespace", namespace]

    assert status("init", "--kind", layout, "--ci", "gitlab", *stated) == 0
    assert status("check", "--fail-on", "info", "--closed") == 0
    assert status("build", "--target", "kubernetes", "--output-dir", "compiled") == 0
    assert status("build", "--target", "kubernetes", "--check", "compiled") == 0
    assert status("check", "--fail-on", "info") == 0
    folder = Path("compiled") / (namespace or "default")
    assert len(list(folder.iterdir())) >= 4


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_new_project_is_of_the_newest_modelled_release(layout: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert status("init", "--kind", layout) == 0
    assert status("check", "--fail-on", "info") == 0
    assert f"by operator release {NEWEST_MODELLED} (mcpcfg.yaml)" in capsys.readouterr().err
    assert status("build", "--target", "kubernetes") == 0
    ours = [file for file in Path("deploy").glob("*.yaml") if file.name != "kustomization.yaml"]
    versions = {yaml.safe_load(file.read_text())["apiVersion"] for file in ours}
    assert versions == {"toolhive.stacklok.dev/v1beta1"}


def test_a_project_is_of_the_release_that_the_call_states(capsys: pytest.CaptureFixture[str]) -> None:
    assert status("init", "--kind", "server", "--release", "0.22") == 0
    assert status("check", "--fail-on", "info") == 0

    assert "by operator release 0.22.0 (mcpcfg.yaml)" in capsys.readouterr().err
    assert yaml.safe_load(Path("deploy/fetch.yaml").read_text())["apiVersion"] == "toolhive.stacklok.dev/v1alpha1"
    assert yaml.safe_load(Path("mcpcfg.yaml").read_text())["release"] == "0.22.0"


def test_a_new_project_takes_the_release_of_the_surrounding_configuration() -> None:
    Path("mcpcfg.yaml").write_text('release: "0.30.1"\n')

    assert status("init", "tools", "--kind", "server") == 0
    assert yaml.safe_load(Path("tools/mcpcfg.yaml").read_text())["release"] == "0.30.1"


INSTALLING = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: toolhive-operator, namespace: toolhive-system}
spec:
  chart: {spec: {chart: toolhive-operator, version: 0.22.0}}
"""


@pytest.mark.parametrize(("folder", "stated"), [(".", None), ("apps/tools", "0.22.0")])
def test_the_release_that_the_repository_installs_decides(
    folder: str, stated: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(".git").mkdir()
    Path("clusters").mkdir()
    Path("clusters/operator.yaml").write_text(INSTALLING)

    assert status("init", folder, "--kind", "server") == 0
    assert "release is 0.22.0, which clusters/operator.yaml:5 installs" in capsys.readouterr().err
    settings = Path(folder, "mcpcfg.yaml").read_text()
    assert "clusters/operator.yaml installs" in settings
    assert yaml.safe_load(settings).get("release") == stated
    assert "/v1alpha1" in Path(folder, "deploy/fetch.yaml").read_text()
    assert status("check", folder, "--fail-on", "info") == 0
    assert "by operator release 0.22.0" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["on", "yes", "no"])
def test_names_that_yaml_reads_as_something_else_are_quoted(name: str) -> None:
    assert status("init", "--kind", "server", "--name", name, "--image", "a b: # c", "--namespace", name) == 0

    server = yaml.safe_load(Path("deploy", f"{name}.yaml").read_text())
    assert server["metadata"]["name"] == name
    assert server["spec"]["image"] == "a b: # c"
    assert yaml.safe_load(Path("mcpcfg.yaml").read_text())["namespace"] == name


def test_nothing_is_ever_overwritten(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mcpcfg.yaml").write_text("mine")

    assert status("init", "--kind", "server") == 2
    assert "mcpcfg.yaml is there already" in capsys.readouterr().err
    assert os.listdir() == ["mcpcfg.yaml"]


@pytest.mark.parametrize(
    "wrong",
    [
        ["--name", "../x"],
        ["--name", "kustomization"],
        ["--namespace", "A"],
        ["--kind", "remote-proxy", "--url", "file:///x"],
        ["--kind", "remote-proxy", "--url", "http://localhost:8080"],
        ["--kind", "virtual-server", "--name", "group"],
    ],
)
def test_wrong_answers_write_nothing(wrong: list[str]) -> None:
    assert status("init", "--kind", "server", *wrong) == 2
    assert os.listdir() == []


def test_without_a_terminal_the_defaults_of_the_questions_count() -> None:
    done = subprocess.run([MCPCFG, "init"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)

    assert done.returncode == 0
    assert Path("deploy/fetch.yaml").exists()
    assert "the hook runs the mcpcfg of the PATH: pipx install PATH/TO/mcpcfg puts it there\n" in done.stderr


@pytest.mark.parametrize(("ci", "place"), [("github", "Actions, Variables"), ("gitlab", "in this file")])
def test_init_prints_the_variables_to_set_before_ci_runs(
    ci: str, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status("init", "--ci", ci) == 0
    message = capsys.readouterr().err
    assert "set MCPCFG_SOURCE to a source for pip" in message
    assert place in message


def test_on_a_terminal_a_wrong_answer_is_asked_for_again() -> None:
    terminal, inner = pty.openpty()
    os.write(terminal, b"server\nBad_Name\nhello\n\nA\ntools\ny\nnone\n")
    done = subprocess.run([MCPCFG, "init"], stdin=inner, capture_output=True, text=True, check=False, timeout=60)
    os.close(terminal)
    os.close(inner)

    assert done.returncode == 0, done.stderr
    assert "Error: Bad_Name must be lower case letters, digits and dashes, and begin with a letter" in done.stdout
    assert Path("deploy/hello.yaml").exists()
    assert yaml.safe_load(Path("mcpcfg.yaml").read_text())["namespace"] == "tools"


def test_init_asks_questions_on_a_terminal() -> None:
    terminal, inner = pty.openpty()
    os.write(terminal, b"server\nhello\n\n\ny\nnone\n")
    done = subprocess.run([MCPCFG, "init"], stdin=inner, capture_output=True, text=True, check=False, timeout=60)
    os.close(terminal)
    os.close(inner)

    assert done.returncode == 0, done.stderr
    assert sorted(os.listdir()) == [".pre-commit-config.yaml", "deploy", "mcpcfg.yaml"]
    assert status("check") == 0


@pytest.mark.parametrize(
    ("options", "written"),
    [
        ([], {"transport": "stdio", "proxyMode": "streamable-http"}),
        (["--transport", "sse"], {"transport": "sse", "mcpPort": 8080}),
        (["--transport", "streamable-http", "--port", "3000"], {"transport": "streamable-http", "mcpPort": 3000}),
    ],
)
def test_an_image_without_record_is_run_as_the_call_says(options: list[str], written: dict[str, object]) -> None:
    assert status("init", "--kind", "server", "--name", "a", "--image", "ghcr.io/acme/a:1.0", *options) == 0

    spec = yaml.safe_load(Path("deploy/a.yaml").read_text())["spec"]
    assert {key: spec[key] for key in ("transport", "proxyMode", "mcpPort") if key in spec} == written
    assert status("check", "--fail-on", "info", "--closed") == 0


def test_a_port_does_not_go_with_stdio(capsys: pytest.CaptureFixture[str]) -> None:
    assert status("init", "--kind", "server", "--image", "ghcr.io/acme/a:1.0", "--port", "3000") == 2
    assert "--port is of servers that speak over HTTP" in capsys.readouterr().err
    assert os.listdir() == []


def test_on_a_terminal_it_asks_how_an_unknown_image_speaks() -> None:
    terminal, inner = pty.openpty()
    os.write(terminal, b"server\nhello\nghcr.io/acme/a:1.0\nsse\n\ny\nnone\n")
    done = subprocess.run([MCPCFG, "init"], stdin=inner, capture_output=True, text=True, check=False, timeout=60)
    os.close(terminal)
    os.close(inner)

    assert done.returncode == 0, done.stderr
    assert yaml.safe_load(Path("deploy/hello.yaml").read_text())["spec"]["transport"] == "sse"


@pytest.mark.skipif(sys.platform == "win32", reason="a limit of POSIX")
@pytest.mark.parametrize("most", [0, 100, 1000])
def test_a_full_disk_leaves_nothing(tmp_path: Path, most: int) -> None:
    import resource

    done = subprocess.run(
        [MCPCFG, "init", "new", "--ci", "github"],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)),
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )

    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert "file too large" in done.stderr
    assert list(tmp_path.iterdir()) == []
    assert status("init", "new", "--ci", "github") == 0


def test_the_text_of_a_file_outside_is_not_shown_through_a_link(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "outside.txt").write_text("repos: hunter2\n")
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / ".pre-commit-config.yaml").symlink_to("../outside.txt")

    assert status("init", "project", "--yes") == 2

    assert "hunter2" not in "".join(capsys.readouterr())
    assert (tmp_path / "outside.txt").read_text() == "repos: hunter2\n"
    assert sorted(path.name for path in (tmp_path / "project").iterdir()) == [".pre-commit-config.yaml"]
