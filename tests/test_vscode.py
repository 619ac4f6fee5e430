"""The extension for Visual Studio Code agrees with itself, with the language server and with the documentation."""

from __future__ import annotations

import json
import re
from pathlib import Path

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
