"""Reports, editors, pages and metadata link to the address of the project if it has one."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from calling import call
from distributions import with_address
from lsprotocol import types

from mcpcfg.compiler.diagnostics import address
from mcpcfg.compiler.diagnostics.finding import Finding
from mcpcfg.compiler.diagnostics.secret.text import Shown
from mcpcfg.compiler.diagnostics.span import Span
from mcpcfg.compiler.editor import protocol
from mcpcfg.compiler.editor.diagnostic import diagnostics
from mcpcfg.compiler.editor.line_map import LineMap
from mcpcfg.compiler.report import gitlab, markdown, sarif
from mcpcfg.compiler.toolhive.profile import TOOLHIVE, ReleaseChoice
from mcpcfg.validators.registry import all_rules

ROOT = Path(__file__).parents[1]
SITE = "https://mcpcfg.example/"
PAGE = f"{SITE}rules/REF004/"
CHOICE = ReleaseChoice(TOOLHIVE, "", "default", "")
PLACE = Span("a.yaml", 1, 1, 1, 2)
FINDING = Finding("REF004", "dangling-oidc-config", "error", "operator", PLACE, Shown("it is missing"), 0)
CUSTOM = FINDING._replace(rule="OWN001", name="own-rule")


@pytest.fixture(params=["", SITE], ids=["no address", "address"])
def site(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(address, "ADDRESS", request.param)
    return str(request.param)


def test_the_address_is_empty_or_a_folder() -> None:
    assert address.ADDRESS == "" or (address.ADDRESS.startswith("https://") and address.ADDRESS.endswith("/"))


def test_sarif_links_to_the_project_and_its_rules(site: str) -> None:
    driver = json.loads(sarif.render([FINDING, CUSTOM], all_rules(), "1"))["runs"][0]["tool"]["driver"]
    uris = [driver.get("informationUri"), *(rule.get("helpUri") for rule in driver["rules"])]
    assert uris == ([SITE, None, PAGE] if site else [None] * 3)


def test_gitlab_names_the_page_of_a_rule(site: str) -> None:
    described = [entry["description"] for entry in json.loads(gitlab.render([FINDING, CUSTOM], CHOICE))]
    assert described == [f"it is missing ({PAGE})" if site else "it is missing", "it is missing"]


def test_markdown_links_to_the_page_of_a_rule(site: str) -> None:
    text = markdown.render([FINDING, CUSTOM], "2 errors", failed=True)
    assert (f"| [REF004]({PAGE}) dangling-oidc-config " in text) == bool(site)
    assert ("| REF004 dangling-oidc-config " in text) != bool(site)
    assert "| OWN001 own-rule " in text


def test_editors_get_the_page_of_a_rule(site: str) -> None:
    client = protocol.Capabilities(types.ClientCapabilities())
    shown = [
        protocol.diagnostic(entry, client, lambda _: None) for entry in diagnostics([FINDING, CUSTOM], LineMap("a\n"))
    ]
    assert [entry.code_description for entry in shown] == [types.CodeDescription(PAGE) if site else None, None]


def test_explain_ends_with_the_page_of_a_rule(site: str) -> None:
    lines = call("explain", "REF004").out.splitlines()
    assert (lines[-1] == f"Online: {PAGE}") == bool(site)


def test_the_metadata_of_a_release_links_to_the_site(site: str) -> None:
    readme = "[a](docs/usage.md#exit) [b](SECURITY.md) [c](docs/decisions/index.md) [d](#top) ![e](docs/images/a.svg)"
    texts = with_address({"pyproject.toml": (ROOT / "pyproject.toml").read_text("utf-8"), "README.md": readme}, site)
    project: dict[str, Any] = tomllib.loads(texts["pyproject.toml"])["project"]
    assert project.get("urls") == ({"Documentation": SITE} if site else None)
    linked = f"[a]({SITE}usage/#exit) [b]({SITE}SECURITY/) [c]({SITE}decisions/) [d](#top) ![e]({SITE}images/a.svg)"
    assert texts["README.md"] == (linked if site else readme)
