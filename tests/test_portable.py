"""The program gives the same results on each system, in each locale, and with each line end.

Windows is simulated: `windows.py` replaces what Python's modules give by what they give there.
"""

from __future__ import annotations

import io
import json
import ntpath
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from calling import CHECKOUT, Outcome, call

from mcpcfg.compiler.cli import process
from mcpcfg.compiler.diagnostics import file_path
from mcpcfg.compiler.diagnostics.span import InputError
from mcpcfg.compiler.disk import output_folder, revision
from mcpcfg.compiler.editor.opened import Opened

if TYPE_CHECKING:
    from collections.abc import Sequence

PROJECTS = CHECKOUT / "fixtures" / "projects"
COMPILED = ("first-server", "overlays-and-patches", "three-clusters", "values-with-objects")
FORMATS = ("text", "json", "sarif", "github", "junit")
SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {k: v}\n"


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    """A drive whose folder ``my project`` has a file."""
    folder = tmp_path / "drive" / "my project"
    folder.mkdir(parents=True)
    (folder / "server.yaml").write_text(
        "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPServer\nmetadata: {name: a}\n"
        "spec: {image: i, transport: stdio, groupRef: {nam: none}}\n"
    )
    return tmp_path / "drive"


def on_windows(drive: Path, *calls: Sequence[str], folder: str = r"C:\my project") -> list[Outcome]:
    """Make calls where a folder is ``C:``."""
    done = subprocess.run(
        [sys.executable, "-P", str(CHECKOUT / "tests/support/windows.py"), str(drive), folder],
        input=json.dumps(calls),
        env={**os.environ, "XDG_CACHE_HOME": r"C:\cache", "TMPDIR": "C:\\", "USERPROFILE": r"C:\home"},
        text=True,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [Outcome(*outcome) for outcome in json.loads(done.stdout)]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_only_one_module_makes_paths_with_the_separator_of_the_system() -> None:
    pattern = r"os\.(path\.(abspath|commonpath|expanduser|join|normpath|realpath|relpath)|(alt)?sep|getcwd)\b"
    modules = [path for room in ("compiler", "validators") for path in (CHECKOUT / room).rglob("*.py")]
    using = {path.name for path in modules if re.search(pattern, path.read_text("utf-8"))}

    assert using == {"file_path.py", "revision.py"}  # the latter asks what a name may not contain


def test_calls_have_the_same_results_on_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = [["check", ".", "-f", format_] for format_ in FORMATS]
    calls += [["build", name, "--output-dir", f"out/{name}"] for name in COMPILED]
    calls += [["build", "three-clusters", "--output-dir", "out/three-clusters", "--check"]]
    calls += [["graph", "overlays-and-patches"], ["diff", "overlays-and-patches", "three-clusters"]]
    calls += [["init", "new/first", "--kind", "server"], ["check", "new/first"], ["build", "new/first/server.yaml"]]
    calls += [["check", "broken-login", "--write-baseline", "out/known.json"]]
    calls += [["check", "broken-login", "--baseline", "out/known.json"]]
    windows, here = tmp_path / "windows", tmp_path / "here"
    for folder in (windows / "my project", here):
        shutil.copytree(PROJECTS, folder)
    written = [[part if part[0] == "-" else part.replace("/", "\\") for part in arguments] for arguments in calls]
    monkeypatch.chdir(here)

    assert on_windows(windows, *written) == [call(*arguments) for arguments in calls]
    assert contents(windows / "my project") == contents(here)


def test_line_ends_of_windows_change_no_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outcomes = []
    for line_end in (b"\n", b"\r\n"):
        folder = tmp_path / str(len(line_end))
        shutil.copytree(PROJECTS, folder)
        for path in folder.rglob("*.y*ml"):
            path.write_bytes(path.read_bytes().replace(b"\n", line_end))
        monkeypatch.chdir(folder)
        outcomes += [call("check", ".", "-f", "json"), call("build", "overlays-and-patches")]

    assert outcomes[:2] == outcomes[2:]
    assert outcomes[0].out.count('"rule"') > 40


def test_two_spellings_of_a_file_are_one_file(drive: Path) -> None:
    (drive / "my project" / "secrets").mkdir()
    (drive / "my project" / "secrets" / "a.yaml").write_text(SECRET)

    once, twice, mixed = on_windows(
        drive, ["check", "secrets"], ["check", "secrets", r"SECRETS\A.yaml"], ["check", r"c:\MY PROJECT\Secrets"]
    )

    assert once == twice == mixed
    assert "checked 1 file" in once.err


def test_paths_of_other_drives_are_absolute(drive: Path) -> None:
    outcome, missing = on_windows(
        drive, ["check", r"C:\my project", "-f", "json"], ["check", r"D:\x"], folder="D:\\other"
    )

    assert json.loads(outcome.out)["findings"][0]["file"] == "C:/my project/server.yaml"
    assert missing == Outcome(2, "", "mcpcfg: no such file or folder: D:/x\n")


@pytest.mark.parametrize("setting", ["crds: ['{}']", "baseline: '{}'"])
@pytest.mark.parametrize("share", ["//machine/share/x", r"\\machine\share\x"])
def test_a_configuration_cannot_have_another_machine_called(drive: Path, setting: str, share: str) -> None:
    (drive / "my project" / "mcpcfg.yaml").write_text(setting.format(share) + "\n")

    (outcome,) = on_windows(drive, ["check", "."])

    assert (outcome.status, outcome.out) == (2, "")
    assert "outside of the project" in outcome.err


def test_a_project_cannot_have_another_machine_called(drive: Path) -> None:
    folder = drive / "my project"
    (folder / ".git").write_text("gitdir: //machine/share/x\n")
    (folder / "kustomization.yaml").write_text("resources: [server.yaml, //machine/share/x, '\\\\machine\\share\\y']\n")

    (outcome,) = on_windows(drive, ["check", "."])

    assert outcome.status == 1
    assert "server.yaml:4" in outcome.out
    assert "Traceback" not in outcome.err


def test_a_revision_is_compared_on_windows(drive: Path) -> None:
    folder = drive / "my project"
    for command in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a", "commit", "-qm", "a"]):
        subprocess.run(["git", *command], cwd=folder, check=True)
    path = folder / "server.yaml"
    text = path.read_text()
    (folder / "second.yaml").write_text(text.replace("name: a", "name: b"))
    (folder / "third.yaml").write_text(text.replace("name: a", "name: c").replace(", groupRef: {nam: none}", ""))

    since, diff = on_windows(
        drive, ["check", ".", "--changed-since", "HEAD", "-f", "json"], ["diff", "--against", "HEAD"]
    )

    assert {finding["file"] for finding in json.loads(since.out)["findings"]} == {"second.yaml", "third.yaml"}
    assert "Deployment default/c" in diff.out


@pytest.mark.parametrize("path", ["C:/x.yaml", "C:x.yaml", "a/b:c.yaml", r"..\x.yaml", "a/.. /x.yaml", ".git./x.yaml"])
def test_a_commit_writes_no_file_that_windows_places_elsewhere(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert revision._is_safe(path)

    monkeypatch.setattr(os, "sep", "\\")

    assert not revision._is_safe(path)
    assert revision._is_safe("a/b.yaml")


def test_paths_of_windows_are_written_with_slashes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sep", "\\")
    monkeypatch.setattr(os, "path", ntpath)
    monkeypatch.setattr(os, "getcwd", lambda: "c:\\a b")

    assert file_path.getcwd() == "C:/a b"
    assert file_path.abspath("x\\y.yaml") == "C:/a b/x/y.yaml"
    assert file_path.join("C:/a", "b", "") == "C:/a/b/"
    assert file_path.normpath(".\\a\\..\\b") == "b"
    assert file_path.relpath("C:/A B/x/y") == "x/y"
    assert file_path.relpath("D:\\x") == "D:/x"
    assert file_path.relpath(r"\\machine\share\x", "C:/") == "//machine/share/x"
    assert file_path.commonpath(["C:\\a\\b", "C:/a/c"]) == "C:/a"
    assert file_path.commonpath(["C:\\a", "D:\\a"]) == ""
    assert file_path.is_remote(r"\\machine\share\x", "C:/")
    assert not file_path.is_remote(r"\\machine\share\x", "//MACHINE/share")


def test_an_editor_names_a_drive_in_lower_case(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sep", "\\")
    monkeypatch.setattr(os, "path", ntpath)

    assert Opened("file:///c%3A/a/x.yaml", "c:\\a\\x.yaml", "", 1, "utf-16").path == "C:/a/x.yaml"


def test_output_has_line_feeds_and_utf_8_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="cp1252", newline="\r\n"))

    process._settle_streams()
    sys.stdout.write("a\n→\n")
    sys.stdout.flush()

    assert written.getvalue() == "a\n→\n".encode()


def test_files_whose_paths_differ_in_case_are_refused_where_they_are_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"a/Server.yaml": "1\n", "a/server.yaml": "2\n"}
    assert output_folder.write(str(tmp_path / "sensitive"), files).written == sorted(files)

    lexists = os.path.lexists
    monkeypatch.setattr(os.path, "lexists", lambda path: lexists(path) or lexists(str(path).lower()))
    folder = tmp_path / "insensitive"

    with pytest.raises(InputError, match=r"a/Server.yaml and a/server.yaml are the same file"):
        output_folder.write(str(folder), files)
    assert [path.name for path in folder.iterdir()] == [output_folder.MANIFEST]


def test_a_file_that_changes_its_case_is_kept_where_both_are_one(tmp_path: Path) -> None:
    folder = str(tmp_path)
    output_folder.write(folder, {"Server.yaml": "1\n"})
    os.link(tmp_path / "Server.yaml", tmp_path / "server.yaml")  # one file under both names, as on such a disk

    result = output_folder.write(folder, {"server.yaml": "1\n"})

    assert (result.removed, result.kept) == ([], [])
    assert (tmp_path / "server.yaml").read_text() == "1\n"


@pytest.mark.parametrize(
    ("name", "locale"),
    [
        ("größe →", {"LC_ALL": "C"}),  # Python then takes names for UTF-8 by itself
        ("a b", {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}),
    ],
)
def test_a_locale_without_utf_8_changes_no_byte(name: str, locale: dict[str, str], tmp_path: Path) -> None:
    folder = tmp_path / name
    folder.mkdir()
    text = (PROJECTS / "broken-login" / "login.yaml").read_text()
    (folder / "a.yaml").write_text(text.replace("name: ", "name: ü→", 1), encoding="utf-8")

    expected, outcome = (
        subprocess.run(
            [Path(sys.executable).with_name("mcpcfg"), "check", folder, "--no-cache"],
            env={**os.environ, **variables},
            capture_output=True,
            check=False,
        )
        for variables in ({"LC_ALL": "C.UTF-8"}, locale)
    )

    assert (outcome.returncode, outcome.stdout, outcome.stderr) == (1, expected.stdout, expected.stderr)
    assert "ü→".encode() in outcome.stdout
    assert name.encode() in outcome.stdout
