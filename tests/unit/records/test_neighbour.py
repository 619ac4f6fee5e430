"""A sound entry of a list hides no fault of another entry of a record."""

from __future__ import annotations

import copy
import json
from collections import defaultdict
from functools import cache
from typing import Any

import pytest
from merge_patch import merged
from neighbour import Place, lists, lists_around, moved, unnumbered

from mcpcfg.compiler.toolhive.release import OLDEST

from .test_rule_fixture import BASES, EXAMPLES, ROWS, RULES, findings

AT_MOST = 4
"""Neighbours that are tried in one place."""


@cache
def entries() -> dict[tuple[str, Place], list[Any]]:
    """Return the entries of all lists of the examples, by kind and path."""
    found: dict[tuple[str, Place], dict[str, Any]] = defaultdict(dict)
    for base in BASES.values():
        patches = [row["patch"] for row in ROWS.values() if BASES[row["base"]] is base]
        for data in (base["document"], *(merged(base["document"], patch) for patch in patches)):
            for path, values in lists(data):
                found[base["kind"], unnumbered(path)] |= {json.dumps(one): one for one in values}
    return {place: list(values.values()) for place, values in found.items()}


def reported(rule: str, data: Any) -> set[tuple[str, Place]]:
    base = BASES[ROWS[rule]["base"]]
    beside = merged(EXAMPLES["beside"], ROWS[rule].get("beside", {}))
    found = findings(base["kind"], data, beside, RULES[rule[:6]].since or OLDEST)
    return {(one.rule, one.path) for one in found if one.path is not None}


@pytest.mark.parametrize("base", BASES)
def test_a_fault_is_found_in_an_entry_after_another_entry(base: str) -> None:
    kind = BASES[base]["kind"]
    lost = []
    for rule in [one for one in ROWS if ROWS[one]["base"] == base]:
        data = merged(BASES[base]["document"], ROWS[rule]["patch"])
        before = reported(rule, data)
        for below in lists_around(path for one, path in before if one == rule[:6]):
            expected = {(one, moved(path, below)) for one, path in before}
            for neighbour in entries()[kind, unnumbered(below)][:AT_MOST]:
                changed = copy.deepcopy(data)
                place = changed
                for step in below:
                    place = place[step]
                place.insert(0, copy.deepcopy(neighbour))
                after = reported(rule, changed)
                if after < expected:
                    lost.append((rule, below, neighbour, expected - after))
    assert lost == []
