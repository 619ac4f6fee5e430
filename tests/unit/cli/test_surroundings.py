"""What surrounds a call may be in its way: one clear line, the findings that there are, and a status, never a trace."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import pytest
from calling import call

from mcpcfg.compiler.check import shard
from mcpcfg.compiler.diagnostics.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable

COMMAND = (sys.executable, "-P", "-m", "mcpcfg")
WRONG = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPGroup\nmetadata: {name: a}\nspec: {descripion: ''}\n"
SERVER = (
    "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPServer\nmetadata: {name: fetch}\n"
    "spec: {image: 'ghcr.io/acme/fetch:1.0', transport: TRANSPORT}\n"
)
FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="no /dev/full")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    (tmp_path / "a.yaml").write_text(WRONG)
    return tmp_path


def run(
    *arguments: str,
    stdout: int | IO[bytes] = subprocess.PIPE,
    before: Callable[[], None] | None = None,
    **environment: str,
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *arguments],
        stdout=stdout,
        stderr=subprocess.PIPE,
        preexec_fn=before,
        env={**os.environ, **environment},
        timeout=60,
        check=False,
    )


def test_an_unreadable_file_hides_no_finding_of_other_files(folder: Path) -> None:
    (folder / "dangling.yaml").symlink_to("nowhere")
    os.mkfifo(folder / "pipe.yaml")

    for format_ in ("text", "json", "github", "junit", "gitlab", "sarif"):
        outcome = call("check", ".", "--format", format_)
        assert outcome.status == 1
        assert all(name in outcome.out for name in ("descripion", "dangling.yaml", "pipe.yaml"))


@needs_full
@pytest.mark.parametrize("arguments", [("check",), ("rules",), ("schema", "--crd"), ("--version",), ("--help",)])
def test_a_full_disk_behind_standard_output_is_reported_in_one_line(arguments: tuple[str, ...]) -> None:
    with FULL.open("wb") as full:
        done = run(*arguments, stdout=full)

    first, *rest = done.stderr.decode().splitlines()[::-1]
    assert (done.returncode, first) == (2, "mcpcfg: cannot write to standard output: no space left on device")
    assert not rest or rest[-1].startswith("1 error; checked 1 file")


def test_both_entry_points_print_the_name_and_the_version() -> None:
    assert run("--version").stdout.decode() == call("--version").out == f"mcpcfg {VERSION}\n"


@pytest.mark.parametrize(("closed", "status"), [(0, 1), (1, 2), (2, 1)])
def test_a_closed_stream_keeps_no_finding_from_the_others(closed: int, status: int) -> None:
    done = run("check", "--output", "json=report.json", before=lambda: os.close(closed))

    assert done.returncode == status
    assert json.loads(Path("report.json").read_text())["summary"]["errors"] == 1
    assert (b"descripion" in done.stdout) == (closed != 1)
    assert b"Traceback" not in done.stderr
    assert (b"cannot write to standard output" in done.stderr) == (closed == 1)


def test_closed_standard_input_is_a_wrong_call() -> None:
    done = run("check", "-", before=lambda: os.close(0))

    assert (done.returncode, done.stderr) == (2, b"mcpcfg: standard input is closed\n")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-16"])
@pytest.mark.parametrize("format_", ["text", "json", "github", "sarif", "junit", "gitlab"])
def test_the_locale_changes_no_byte_of_a_report(folder: Path, encoding: str, format_: str) -> None:
    (folder / "a.yaml").write_text(WRONG.replace("descripion", "naïve-名-😀"), encoding="utf-8")

    done = run("check", "--format", format_, PYTHONIOENCODING=encoding)

    assert done.returncode == 1
    assert done.stdout == run("check", "--format", format_).stdout
    assert "naïve-名" in done.stdout.decode()


def test_an_unwritable_job_summary_is_reported_in_one_line_after_the_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "nowhere/summary.md")

    outcome = call("check", "--format", "github")

    assert outcome.status == 1
    assert outcome.out.startswith("::error file=a.yaml")
    assert outcome.err == "mcpcfg: no job summary: cannot write nowhere/summary.md: no such file or directory\n"


def test_a_report_that_cannot_be_written_hides_neither_the_screen_nor_the_others() -> None:
    outcome = call("check", "--output", "json=nowhere/a.json", "--output", "json=b.json")

    assert outcome.status == 2
    assert "descripion" in outcome.out
    assert outcome.err.endswith("mcpcfg: cannot write nowhere/a.json: no such file or directory\n")
    assert json.loads(Path("b.json").read_text())["summary"]["errors"] == 1


def test_a_file_name_that_is_not_utf_8_works_in_all_commands(folder: Path) -> None:
    name = os.fsencode(folder) + b"/b\xff.yaml"
    Path(os.fsdecode(name)).write_text(SERVER.replace("TRANSPORT", "http"))
    for format_ in ("text", "json", "github", "sarif", "junit", "gitlab"):
        assert call("check", "--format", format_, "--output", f"{format_}=report").status == 1
    assert call("check", "--write-baseline", "known.json").status == 0
    outcome = call("check", "--baseline", "known.json")
    assert (outcome.status, outcome.out) == (0, "")
    assert "known in known.json" in outcome.err
    Path(os.fsdecode(name)).write_text(SERVER.replace("TRANSPORT", "stdio"))
    Path("a.yaml").unlink()
    for _ in range(2):
        assert call("build", "--isolated", "--target", "status", "-o", "../out").status == 0
    assert call("build", "--isolated", "--target", "status", "--check", "../out").status == 0


def _a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def _a_pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def _a_file_for_its_folder(file: Path) -> None:
    for one in file.parent.iterdir():
        one.unlink()
    file.parent.rmdir()
    file.parent.touch()


@pytest.mark.parametrize("way", [_a_folder, _a_pipe, _a_file_for_its_folder])
@pytest.mark.parametrize("name", ["default/MCPServer-fetch.json", ".mcpcfg-manifest"])
def test_an_obstacle_to_the_output_folder_is_reported_in_one_line(
    folder: Path, way: Callable[[Path], None], name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    out = tmp_path_factory.mktemp("beside") / "out"
    (folder / "a.yaml").write_text(SERVER.replace("TRANSPORT", "stdio"))
    arguments = ("build", "--target", "runconfig", "--release", "0.44.0")
    assert call(*arguments, "-o", str(out)).status == 0
    if way is _a_file_for_its_folder and name == ".mcpcfg-manifest":
        (out / "default" / "MCPServer-fetch.json").unlink()
        (out / "default").rmdir()
    way(out / name)

    checked = call(*arguments, "--check", str(out))
    written = call(*arguments, "-o", str(out))

    assert checked.status == 1
    assert len(checked.out.splitlines()) == 1
    assert written.status == 2
    assert len(written.err.splitlines()) == 2


def test_a_cache_that_cannot_be_written_changes_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(70):
        (folder / f"b{number}.yaml").write_text(WRONG.replace("name: a", f"name: b{number}"))
    expected = call("check", "--no-cache")
    monkeypatch.setenv("XDG_CACHE_HOME", os.devnull)

    assert call("check") == expected


def _changed(data: Any, path: list[Any], value: Any) -> None:
    *before, last = path
    for step in before:
        data = data[step]
    data[last] = value


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["shard"], None),
        (["shard"], ["x", 1]),
        (["shard"], [1, 10**9]),
        (["call"], []),
        (["call", "asked"], 1),
        (["call", "config"], True),
        (["call", "other"], 1),
        (["basis"], None),
        (["text"], "[]"),
        (["text"], '{"a.yaml": []}'),
        (["text"], '{"a.yaml": [["/etc/passwd", 1, 0, []], null, [], [], [], [], []]}'),
        (["text"], '{"a.yaml": [["a.yaml", 1, 0, []], 7, [], [], [], [], []]}'),
        (["text"], '{"a.yaml": [["a.yaml", 1, 0, []], null, [1], [], [], [], []]}'),
    ],
)
@pytest.mark.parametrize("is_signed", [False, True])
def test_an_edited_shard_is_refused(path: list[Any], value: Any, *, is_signed: bool) -> None:
    call("check", "--shard", "1/1", "--output", "part")
    assert call("merge", "part").status == 1
    part = json.loads(Path("part").read_text())
    _changed(part, path, value)
    if is_signed:
        text = part.pop("text")
        part.pop("digest")
        part |= {"digest": shard.digest(part, text), "text": text}
    Path("part").write_text(json.dumps(part))

    outcome = call("merge", "part")

    assert (outcome.status, outcome.out) == (2, "")
    assert len(outcome.err.splitlines()) == 1


def test_a_removed_folder_causes_no_internal_error(folder: Path) -> None:
    def vanish() -> None:
        (folder / "gone").mkdir()
        os.chdir(folder / "gone")
        (folder / "gone").rmdir()

    done = run("check", before=vanish)

    assert (done.returncode, done.stdout) == (2, b"")
    assert b"Traceback" not in done.stderr
