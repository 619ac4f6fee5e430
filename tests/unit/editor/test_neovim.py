"""A session in a real Neovim without a screen: diagnostics, hover, a quick fix, rename, a lens, and completion."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from sample import resource

NEOVIM = shutil.which("nvim")
SCRIPT = Path(__file__).with_name("session.lua")
SERVER = resource("MCPServer", "git", "imag: ghcr.io/acme/git:1.0", "transport: stdio", "groupRef: {name: team}")
COMMAND = [sys.executable, "-P", "-c", "from mcpcfg.compiler.cli.process import run; run()", "lsp"]


@pytest.mark.skipif(NEOVIM is None, reason="needs nvim on the PATH (Neovim 0.7 or later)")
def test_a_session_in_neovim(tmp_path: Path) -> None:
    (tmp_path / "server.yaml").write_text(SERVER)
    (tmp_path / "group.yaml").write_text(resource("MCPGroup", "team"))
    homes = {name: str(tmp_path / name) for name in ("HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    environment = {**os.environ, **homes, "MCPCFG_SERVER": "\n".join(COMMAND), "MCPCFG_FILE": "server.yaml"}
    ended = subprocess.run(
        [str(NEOVIM), "--headless", "--clean", "-c", f"luafile {SCRIPT}", "-c", "quitall!"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    answers = dict(json.loads(line) for line in ended.stdout.splitlines() if line.startswith("["))
    assert answers.pop("hover", "").startswith("`MCPServer.spec.transport`"), ended.stderr
    assert answers == {
        "diagnostics": ["ADM001"],
        "fixed": [[], "  image: ghcr.io/acme/git:1.0"],
        "renamed": "  groupRef: {name: crew}",
        "lens": "no references",
        "listed": ["1 reference", "  groupRef: {name: crew}"],
        "completion": ["stdio", "streamable-http", "sse"],
    }
