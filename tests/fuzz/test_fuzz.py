"""The attack of ``make fuzz``, small and from one seed; and what it found before."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from area import FOUND, Area, fault, kept
from areas import AREAS

if TYPE_CHECKING:
    from pathlib import Path

BY_NAME = {area.name: area for area in AREAS}


@pytest.mark.parametrize("area", AREAS, ids=lambda area: area.name)
def test_the_claim_of_an_area_holds_of_mutated_fixtures(area: Area) -> None:
    chance = random.Random(area.name)

    for _ in range(area.sample):
        tree = area.draw(chance)
        assert fault(area, tree) is None, tree


@pytest.mark.parametrize("folder", sorted(FOUND.glob("*-*")), ids=lambda folder: folder.name)
def test_what_was_found_once_is_found_no_more(folder: Path) -> None:
    assert fault(BY_NAME[folder.name.rpartition("-")[0]], kept(folder)) is None
