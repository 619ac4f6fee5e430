"""The extension for Visual Studio Code agrees with itself, with the language server and with the documentation."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from mcpcfg.compiler.editor import protocol
from mcpcfg.compiler.editor.opened import InitializationOptions

ROOT = Path(__file__).parents[1]
EXTENSION = ROOT / "editors" / "vscode"
MANIFEST = json.loads((EXTENSION / "package.json").read_text())
SOURCE = "\n".join(path.read_text() for path in sorted((EXTENSION / "src").glob("*.ts")))


def test_the_lock_file_names_no_host() -> None:
    packages = json.loads((EXTENSION / "package-lock.json").read_text())["packages"]
    assert len(packages) > 10
    assert [name for name, package in packages.items() if "resolved" in package] == []
    assert packages[""]["devDependencies"] == MANIFEST["devDependencies"]


def test_every_command_is_registered_and_documented() -> None:
    registered = set(re.findall(r'command\("(mcpcfg\.\w+)"', SOURCE))
    declared = {command["command"]: command["title"] for command in MANIFEST["contributes"]["commands"]}
    assert registered == {*declared, protocol.SHOW_REFERENCES, protocol.SHOW_COMPILED}
    assert protocol.COMPILE in SOURCE
    readme = (EXTENSION / "README.md").read_text()
    assert [title for title in declared.values() if f"mcpcfg: {title}" not in readme] == []


def test_every_setting_is_used_and_documented() -> None:
    page = (ROOT / "docs" / "editor.md").read_text()
    for name in MANIFEST["contributes"]["configuration"]["properties"]:
        assert f"`{name}`" in page
        if name != "mcpcfg.trace.server":  # of the library of the client
            assert f'"{name.removeprefix("mcpcfg.")}"' in SOURCE
    for option in InitializationOptions._fields:
        assert f"{option}:" in SOURCE


NODE = shutil.which("node")
WINDOWS, POSIX = r"tools;C:\bin;.;;D:\more", "tools:/bin:.::/more"


@pytest.mark.skipif(NODE is None, reason="Node is not installed")
@pytest.mark.parametrize(
    ("setting", "folders", "platform", "expected"),
    [
        ("", [], "linux", ["/bin/mcpcfg", "/more/mcpcfg"]),
        ("", [], "win32", [r"C:\bin\mcpcfg.exe", r"D:\more\mcpcfg.exe"]),
        ("mcpcfg", ["/a"], "linux", ["/bin/mcpcfg", "/more/mcpcfg"]),
        ("mcpcfg", [r"C:\a"], "win32", [r"C:\bin\mcpcfg.exe", r"D:\more\mcpcfg.exe"]),
        ("other.exe", [r"C:\a"], "win32", [r"C:\bin\other.exe", r"D:\more\other.exe"]),
        ("/opt/mcpcfg", ["/a"], "linux", ["/opt/mcpcfg"]),
        (r"C:\opt\mcpcfg", [], "win32", [r"C:\opt\mcpcfg.exe"]),
        ("./mcpcfg", [], "linux", []),
        (r".\mcpcfg", [], "win32", []),
        ("tools/mcpcfg", ["/a", "/b"], "linux", ["/a/tools/mcpcfg", "/b/tools/mcpcfg"]),
        ("tools/mcpcfg", [r"C:\a"], "win32", [r"C:\a\tools\mcpcfg.exe"]),
        ("", ["/a"], "linux", ["/a/.venv/bin/mcpcfg", "/a/venv/bin/mcpcfg", "/bin/mcpcfg", "/more/mcpcfg"]),
    ],
)
def test_the_program_is_an_absolute_path_that_no_untrusted_folder_provides(
    setting: str, folders: list[str], platform: str, expected: list[str]
) -> None:
    searched = WINDOWS if platform == "win32" else POSIX
    script = "const [, file, given] = process.argv; const { candidates } = require(file);"
    script += " console.log(JSON.stringify(candidates(...JSON.parse(given))))"
    arguments = json.dumps([setting, folders, searched, platform])
    command = [str(NODE), "-e", script, str(EXTENSION / "src" / "candidates.js"), arguments]

    done = subprocess.run(command, capture_output=True, text=True, check=True)

    assert json.loads(done.stdout) == expected


def test_the_manifest_says_what_works_in_an_untrusted_folder() -> None:
    untrusted = MANIFEST["capabilities"]["untrustedWorkspaces"]

    assert (untrusted["supported"], untrusted["restrictedConfigurations"]) == ("limited", ["mcpcfg.path"])
    assert "your own settings or of the PATH" in untrusted["description"]
    assert "candidates(setting, folders" in SOURCE
    assert "isTrusted ?" in SOURCE
