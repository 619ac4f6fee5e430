"""The page in a real browser, where one is installed."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from drawing import drawn, resource

from mcpcfg.compiler.graph import page as graph_page

if TYPE_CHECKING:
    from pathlib import Path

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed")

NAME = "</script><script>document.title='owned'</script>"


def dom_after(page: str, script: str, folder: Path) -> str:
    """Load a page, run a script in it and return the document after that."""
    file = folder / "page.html"
    file.write_text(page.replace("</body>", f"<script>{script}</script></body>"), encoding="utf-8")
    assert BROWSER is not None
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}"]
    done = subprocess.run(
        [*command, "--virtual-time-budget=1000", "--dump-dom", file.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return done.stdout


def details(dom: str) -> str:
    """Return the panel beside the picture."""
    return dom.partition('<aside id="details"')[2].partition("</aside>")[0]


@pytest.fixture(scope="module")
def page() -> str:
    steps = "[{id: one, tool: a.x}, {id: two, tool: a.y, dependsOn: [one]}]"
    return graph_page.render(
        drawn(
            resource("MCPServer", "fetch", "{image: i, groupRef: {name: gone}}"),
            resource("MCPGroup", json.dumps(NAME)),
            resource("VirtualMCPCompositeToolDefinition", "flow", f"{{name: f, description: d, steps: {steps}}}"),
        ),
        "a title",
    )


def test_a_click_shows_findings_references_and_workflows(page: str, tmp_path: Path) -> None:
    click = "document.querySelector('[data-id=\"%s\"]').dispatchEvent(new MouseEvent('click', {bubbles: true}))"
    shown = details(dom_after(page, click % "MCPServer/default/fetch", tmp_path))
    assert "refused: operator" in shown
    assert "MCPGroup gone" in shown
    shown = details(dom_after(page, click % "VirtualMCPCompositeToolDefinition/default/flow", tmp_path))
    assert "Workflow f" in shown
    assert shown.count('class="step"') == 2


def test_a_search_fades_what_does_not_match(page: str, tmp_path: Path) -> None:
    typed = "const s = document.getElementById('search'); s.value = 'FETCH'; s.dispatchEvent(new Event('input'))"
    dom = dom_after(page, typed, tmp_path)
    assert dom.count('class="node refused faded"') == 1
    assert dom.count(' faded"') == 3


def test_a_hostile_name_runs_no_script(page: str, tmp_path: Path) -> None:
    dom = dom_after(page, "", tmp_path)
    assert "<title>a title</title>" in dom
    assert "&lt;/script&gt;" in details(dom)


def test_the_overview_begins_with_errors_and_names_the_namespace(tmp_path: Path) -> None:
    shared = "{image: 'a:1', groupRef: {name: %s}}"
    several = graph_page.render(
        drawn(
            resource("MCPServer", "any", "{image: a}").replace("{name: any", "{namespace: mine, name: any"),
            resource("MCPServer", "other", shared % "gone").replace("{name: other", "{namespace: yours, name: other"),
        ),
        "several",
    )
    shown = details(dom_after(several, "", tmp_path))

    assert shown.index("MCPServer other") < shown.index("MCPServer any")
    assert [f'<span class="quiet"> {name}</span>' in shown for name in ("mine", "yours")] == [True, True]
