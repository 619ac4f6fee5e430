"""The pages that ``make docs`` generates, and the links of those that it copies."""

from __future__ import annotations

import html
import re
import tomllib
from typing import TYPE_CHECKING

import catches
import front_page
import pictures
import pytest
from calling import call
from distributions import with_address
from field_links import linked
from site_pages import ROOT, pages, relinked, sources, with_tries

from mcpcfg.compiler.cli.main import COMMANDS
from mcpcfg.validators.registry import all_rules

if TYPE_CHECKING:
    from collections.abc import Callable

PAGES = pages()
PLACES = sources()
RULE_SECTIONS = ["What it checks", "Why this matters", "Wrong", "Right", "Fix", "Source"]
FIXTURE = "In a whole file"


def test_each_rule_has_a_page_with_its_sections() -> None:
    found = {rule: re.findall(r"^## (.*)$", PAGES[f"rules/{rule}.md"], re.MULTILINE) for rule in all_rules()}
    assert [rule for rule, sections in found.items() if sections[:6] != RULE_SECTIONS] == []
    assert {section for sections in found.values() for section in sections[6:]} == {FIXTURE}
    assert all(f"[{rule}]({rule}.md)" in PAGES["rules/index.md"] for rule in found)


def test_the_page_of_a_rule_shows_what_its_fixtures_check() -> None:
    page = PAGES["rules/REF004.md"]
    fixture = ROOT / "fixtures" / "rules" / "REF004" / "invalid-wrong-kind.yaml"
    assert fixture.read_text(encoding="utf-8") in page
    assert '7:25: "login" is of kind MCPExternalAuthConfig, but MCPOIDCConfig is asked for' in page


def test_the_page_of_a_rule_links_to_its_neighbors_and_to_the_fields_that_it_names() -> None:
    page = PAGES["rules/REF004.md"]
    assert "Previous: [REF003 dangling-external-auth-config](REF003.md) · Next: [REF005 " in page
    assert "[`oidcConfigRef.name`](../reference/MCPServer.md#mcpoidcconfigreference)" in page
    assert linked("`priority` of a VirtualMCPServer\n\n```\n`spec.groupRef`\n```\n") == (
        "`priority` of a VirtualMCPServer\n\n```\n`spec.groupRef`\n```\n"
    )


def test_the_front_page_shows_findings_as_they_are_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    page, folder = PAGES["index.md"], ROOT / "fixtures" / "catches"
    monkeypatch.chdir(folder)
    for name in front_page.SHOWN:
        printed = call("check", f"{name}.yaml").out.partition("\n\n")[0].splitlines()
        shown = page.partition(f"$ mcpcfg check {name}.yaml</span></span>")[2].partition("</pre>")[0]
        assert [html.unescape(re.sub("<.*?>", "", line)) for line in shown.split('<span class="line">')[1:]] == printed
        assert f'<a href="playground/#catch={name}">Try it</a>' in page
    assert len(front_page.SHOWN) == 3


def test_the_sentences_of_the_front_page_stand_in_the_readme_or_only_there() -> None:
    readme, own = (ROOT / "README.md").read_text("utf-8"), (ROOT / "docs" / "site" / "front.md.j2").read_text("utf-8")
    page = PAGES["index.md"]
    assert readme.split("\n\n")[1] in page
    assert "```sh\npipx install .\n```" in page
    sentences = [part for part in re.findall(r"[A-Z][^.\n]{30,}\.", own) if part in readme]
    assert sentences == []
    assert "](docs/" not in page
    assert "](overview.md)" in page


def test_each_fault_of_the_page_about_them_opens_in_the_playground() -> None:
    page = with_tries(catches.PAGE.read_text(encoding="utf-8"))
    tried = re.findall(r'<a href="playground/#catch=([\w-]+)">Try it</a>', page)
    assert tried == re.findall(r"^\$ mcpcfg check fixtures/catches/(\S+)\.yaml$", page, re.MULTILINE)
    assert len(tried) > 12


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_a_page_with_its_help(command: str) -> None:
    assert f"Usage: mcpcfg {command} [OPTIONS]" in PAGES[f"commands/{command}.md"]
    assert f"[{command}]({command}.md)" in PAGES["commands/index.md"]


def test_links_lead_from_page_to_page_and_links_to_code_become_text() -> None:
    text = (
        "[a](docs/usage.md#check) [b](docs/decisions) [c](Makefile) [d](https://x.example) ![e](docs/images/graph.svg)"
    )
    expected = "[a](usage.md#check) [b](decisions/index.md) c [d](https://x.example) ![e](images/graph.svg)"
    assert relinked(f"{text}\n```\n[a](docs/usage.md)\n```", ROOT / "README.md", PLACES) == (
        f"{expected}\n```\n[a](docs/usage.md)\n```"
    )


def test_the_links_of_the_readme_in_a_package_lead_to_the_site() -> None:
    site = "https://mcpcfg.example/"
    readme = {"pyproject.toml": "", "README.md": (ROOT / "README.md").read_text(encoding="utf-8")}
    linked = re.findall(r"\]\(([^)\s]+)\)", with_address(readme, site)["README.md"])
    pages_of_site = {re.sub(r"(^|/)index\.md$|\.md$", "/", place).lstrip("/") for place in PLACES.values()}
    assert len(linked) > 20
    assert {link.partition("#")[0].removeprefix(site).rstrip("/") for link in linked} <= {
        page.rstrip("/") for page in pages_of_site
    }


def test_the_menu_names_pages_of_the_site() -> None:
    settings = tomllib.loads((ROOT / "docs" / "site.toml").read_text(encoding="utf-8"))["project"]
    named = [page for entry in settings["nav"] for part in entry.values() for page in _pages(part)]
    assert set(named) - {*PLACES.values(), *PAGES} == set()
    top = {place for place in PLACES.values() if place.endswith(".md") and "/" not in place}
    assert top - set(named) == set()
    assert settings["theme"]["font"] is False


def _pages(part: str | list[dict[str, str]]) -> list[str]:
    return [part] if isinstance(part, str) else [page for entry in part for page in entry.values()]


@pytest.mark.parametrize("picture", [pictures.session, pictures.graph])
def test_a_picture_shows_what_mcpcfg_prints(picture: Callable[[], str]) -> None:
    """``python docs/pictures.py`` draws the pictures again."""
    assert (ROOT / "docs" / "images" / f"{picture.__name__}.svg").read_text(encoding="utf-8") == picture()
