"""The rules of the reader: their identities and pages."""

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


WITHOUT_TEXT = {"SYN015", "SYN016", "SYN019"}
"""Rules whose fault no page can show: bytes that are not text, enormous files, files that are not there."""
WITH_EXAMPLE = [rule for rule in RULES if rule.id not in WITHOUT_TEXT]


@pytest.mark.parametrize("rule", WITH_EXAMPLE, ids=lambda rule: rule.id)
def test_the_wrong_example_of_a_page_has_only_its_fault_and_the_right_one_has_none(rule: Rule) -> None:
    right = rule.page.right
    assert right is not None
    name = "a.json" if rule.id == "SYN018" else "a.yaml"
    faulty = rule.page.wrong.text.replace("<tab>", "\t")
    assert {finding.rule for finding in read_documents(f"{faulty}\n", name)[1]} == {rule.id}
    assert read_documents(f"{right.text}\n", name)[1] == []
