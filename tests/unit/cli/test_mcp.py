"""``mcpcfg mcp`` as people call it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from calling import call

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_without_the_extra_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] in {"mcp", "mcp_types"}]:
        monkeypatch.delitem(sys.modules, name)
    for name in [name for name in sys.modules if name.startswith("mcpcfg.compiler.agent.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp", None)
    monkeypatch.setitem(sys.modules, "mcp_types", None)

    outcome = call("mcp")

    assert outcome.status == 2
    assert outcome.err == (
        "mcpcfg: the MCP server needs the extra mcp:"
        " pipx install --force 'PATH/TO/mcpcfg[mcp]' (pip, uv: docs/install.md)\n"
    )


def test_the_root_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    for root in ("file", "gone"):
        outcome = call("mcp", "--root", str(tmp_path / root))
        assert outcome.status == 2
        assert outcome.err == f"mcpcfg: no such folder: {tmp_path / root}\n"
