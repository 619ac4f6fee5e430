"""The rules of the reader: their identities and pages."""

import re
from textwrap import dedent

import pytest

from mcpcfg.compiler.diagnostics.finding import Rule
from mcpcfg.compiler.diagnostics.retired import RETIRED
from mcpcfg.compiler.reading.document import read_documents
from mcpcfg.validators.registry import all_rules

RULES = [rule for rule in all_rules().values() if rule.id.startswith("SYN")]


def test_the_numbers_of_rules_have_no_gaps() -> None:
    ids = [rule.id for rule in RULES]
    gone = [id_ for id_ in RETIRED if id_.startswith("SYN")]
    numbers = range(1, len(ids) + len(gone) + 1)
    assert sorted([*ids, *gone]) == [f"SYN{number:03}" for number in numbers]
    assert len({rule.name for rule in RULES}) == len(RULES)


def _blocks(text: str) -> list[str]:
    """Return the indented blocks of a text."""
    return [
        dedent(block).replace("<tab>", "\t")
        for block in re.findall(r"(?:^    .*\n(?:\n(?=    ))?)+", f"{text}\n", re.MULTILINE)
    ]


IN_WORDS = {"SYN015", "SYN016", "SYN019"}
"""Rules whose fault no page can show: bytes that are not text, enormous files, files that are not there."""
WITH_EXAMPLE = [rule for rule in RULES if rule.id not in IN_WORDS]


@pytest.mark.parametrize("rule", WITH_EXAMPLE, ids=lambda rule: rule.id)
def test_the_example_of_a_page_is_reported_and_its_fix_is_not(rule: Rule) -> None:
    faulty = dedent(rule.page.example).strip("\n").replace("<tab>", "\t") + "\n"
    fixed = _blocks(rule.page.fix)
    name = "a.json" if rule.id == "SYN018" else "a.yaml"

    for example in faulty.split("\n\n"):
        assert {finding.rule for finding in read_documents(example, name)[1]} == {rule.id}, example
    for example in fixed:
        assert read_documents(example, name)[1] == []
