"""The session in the docs is what the server says, and the MCP Inspector gets the same answers.

``MCPCFG_REWRITE=1`` writes the part of the page that the client of the SDK makes.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import agent_session
import anyio
import pytest
from asking import ask

if TYPE_CHECKING:
    from pathlib import Path

INSPECTOR = os.environ.get("MCPCFG_INSPECTOR", "")


def test_the_session_in_the_docs_is_what_the_server_says(tmp_path: Path) -> None:
    parts = anyio.run(agent_session.session, agent_session.project(str(tmp_path)))

    now = agent_session.HEAD + "\n".join(parts) + "\n"
    before, title, rest = agent_session.PAGE.read_text("utf-8").partition("## The MCP Inspector")
    if os.environ.get("MCPCFG_REWRITE"):
        agent_session.PAGE.write_text(f"{now}{title}{rest}", "utf-8")
        before = now
    assert before == now


@pytest.mark.skipif(not INSPECTOR, reason="make inspector downloads the MCP Inspector")
@pytest.mark.skipif(shutil.which("npx") is None, reason="Node is not installed")
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("check", {"paths": ["."]}),
        ("explain", {"what": "REF004"}),
        ("fix", {"unsafe": True}),
        ("build", {"paths": ["."], "target": "kubernetes"}),
        ("diff", {"old": "shared.yaml"}),
        ("graph", {"allKinds": True}),
        ("simulate", {"subject": "tools", "name": "desk"}),
        ("search_registry", {"file": "../outside.json"}),
    ],
)
def test_the_inspector_gets_what_the_client_of_the_sdk_gets(
    tmp_path: Path, tool: str, arguments: dict[str, Any]
) -> None:
    root = agent_session.project(str(tmp_path))
    words = [f"{name}={value if isinstance(value, str) else json.dumps(value)}" for name, value in arguments.items()]
    given = [part for word in words for part in ("--tool-arg", word)]
    command = ["npx", "--yes", INSPECTOR, "--cli", *agent_session.command(root), "--method", "tools/call"]

    done = subprocess.run(
        [*command, "--tool-name", tool, *given], capture_output=True, text=True, check=False, timeout=300
    )

    seen = json.loads(done.stdout)
    expected = ask(root, tool, **arguments)
    assert seen.get("structuredContent") == expected.structured_content
    assert seen.get("isError", False) == expected.is_error
