"""Each rule of admission over its examples: those that are sound, and those that it is about."""

from __future__ import annotations

from pathlib import Path

import pytest
from judging import release_of

from mcpcfg.compiler.admission import describe, describe_bound, explain_metadata, identity
from mcpcfg.compiler.check.full import Options, check
from mcpcfg.compiler.project.discovery import discover
from mcpcfg.validators.registry import rules_of

_RULES = Path(__file__).parents[3] / "fixtures" / "rules"
_MODULES = (describe, describe_bound, explain_metadata, identity)
_OURS = {one.id: one for module in _MODULES for one in rules_of(module) if one.id != "ADM093"}
"""ADM093 is about words of schemas that only CRDs of other programs use."""
_CASES = [file for id_ in sorted(_OURS) for file in sorted((_RULES / id_).glob("*.yaml"))]


@pytest.mark.parametrize("file", _CASES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_an_example_is_reported_where_it_is_invalid(file: Path) -> None:
    findings = check(discover((str(file),), release=release_of(file)), Options()).findings
    reported = [one.rule for one in findings if one.rule in _OURS]

    assert reported == ([file.parent.name] if file.stem.startswith("invalid") else [])


@pytest.mark.parametrize("id_", sorted(_OURS))
def test_each_rule_has_two_examples(id_: str) -> None:
    names = [file.stem.partition("-")[0] for file in (_RULES / id_).glob("*.yaml")]

    assert names.count("valid") >= 1
    assert names.count("invalid") >= 2
