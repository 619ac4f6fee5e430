"""The pages of rules: one for each rule, written as Markdown, with examples that do what they say."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml
from page_example import outcomes, whole_is_reported

from mcpcfg.compiler.diagnostics.address import TOPICS
from mcpcfg.compiler.fix.fixable import FIXABLE
from mcpcfg.validators.registry import all_rules

if TYPE_CHECKING:
    from mcpcfg.compiler.diagnostics.finding import Rule

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "validators" / "pages"
RULES = all_rules()
TEXTS = {topic: (FOLDER / f"{topic}.md").read_text("utf-8") for topic in TOPICS.split()}
SECTIONS = ["Why this matters", "Wrong", "Right", "Fix", "Source"]
LONGEST = 400
"""Maximum characters of a paragraph. More is a list."""
CODE = re.compile(r"(`+).+?\1", re.DOTALL)
TARGET = re.compile(r"\]\(\S+?\)")
BESIDE_A_FILE = {
    *("ADM093", "ADM094", "ADM095", "CFG010", "WRK018", "REG014", "REG015"),
    *("REF022", "REF026", "REF027", "REF029", "REF030", "REF031", "SKL001", "SKL002", "SKL003", "SKL025", "SYN019"),
    *("CAT019", "CMP022", "SKL006", "SKL011", "SKL012", "SKL021", "SYN015", "SYN016"),
    *("REG011", "RUN061"),
}
"""Rules whose examples are sketches: of several files, of folders, of more text than a page has room for."""


def test_every_rule_has_a_page_and_every_page_a_rule() -> None:
    """A page is a heading with id and name of its rule, in the file of its topic, in the order of ids."""
    assert {file.name for file in FOLDER.iterdir()} == {f"{topic}.md" for topic in TEXTS}
    headings = {topic: re.findall(r"^## (\S+) (\S+)$", text, re.MULTILINE) for topic, text in TEXTS.items()}
    declared: dict[str, list[tuple[str, str]]] = {topic: [] for topic in TEXTS}
    for id_, rule in RULES.items():
        declared[id_[:3]].append((id_, rule.name))
    assert headings == declared


@pytest.mark.parametrize("topic", TEXTS)
def test_every_page_has_its_sections_in_order(topic: str) -> None:
    for page in re.split(r"(?m)^## ", TEXTS[topic])[1:]:
        assert re.findall(r"^### (.*)$", page, re.MULTILINE) == SECTIONS, page[:6]
    assert all(len(line) <= 120 or "](" in line or line[0] in '{"' for line in TEXTS[topic].splitlines() if line)


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.id)
def test_a_page_is_short_paragraphs_and_lists(rule: Rule) -> None:
    for section in (rule.page.checks, rule.page.why, rule.page.fix, rule.page.source):
        assert section
        assert "```" not in section
        assert all(len(TARGET.sub("]", paragraph)) <= LONGEST for paragraph in section.split("\n"))
        assert not re.search(r"[\\<>*_|]", CODE.sub("", TARGET.sub("]", section))), "put it between backticks"
    for section in (rule.page.checks, rule.page.why, rule.page.fix):
        assert section.endswith((".", ".)")) or section.rpartition("\n")[2].startswith("- ")


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.id)
def test_the_sources_of_a_page_are_a_list_of_links(rule: Rule) -> None:
    for item in rule.page.source.split("\n"):
        link = re.fullmatch(r"- \[[^\]]+\]\((?:https://\S+|(docs/\S+\.md))\)", item)
        assert link, item
        assert link[1] is None or (ROOT / link[1]).is_file()


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.id)
def test_a_page_begins_with_a_sentence_that_ends(rule: Rule) -> None:
    first = rule.page.checks.partition("\n")[0]
    assert first[0].isupper() or first[0] == "`"
    assert first[-1] in ".:"


def test_a_page_says_what_a_fix_does_if_there_is_one() -> None:
    assert {rule.id for rule in RULES.values() if "check --fix" in rule.page.fix} == FIXABLE


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.id)
def test_the_wrong_example_of_a_page_is_reported_and_the_right_one_is_not(rule: Rule, tmp_path: Path) -> None:
    wrong, right = rule.page.wrong, rule.page.right
    assert right is not None
    assert (wrong.language == "text") == (rule.id in BESIDE_A_FILE)
    assert "…" not in wrong.text + right.text
    assert (wrong.language, wrong.place) == (right.language, right.place)
    if wrong.language == "text":
        return
    if not wrong.place:
        assert whole_is_reported(wrong, rule, tmp_path)
        assert not whole_is_reported(right, rule, tmp_path)
    else:
        read = json.loads if wrong.language == "json" else yaml.safe_load
        results = list(outcomes(read(wrong.text), read(right.text), wrong.place, rule, tmp_path))
        assert (True, False) in results, f"no file with {wrong.place} shows the difference"
