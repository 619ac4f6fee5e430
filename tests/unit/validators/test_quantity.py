"""Amounts of resources, compared as Kubernetes compares them."""

from __future__ import annotations

import pytest

from mcpcfg.validators.rules.quantity import _exceeds

RISING = ("999m", "1", "1001m", "1023", "1Ki", "1025", "1023Ki", "1Mi", "1025Ki", "1023Mi", "1Gi", "1025Mi", "1024Gi")


@pytest.mark.parametrize("number", range(len(RISING)))
def test_a_larger_amount_exceeds_a_smaller_one_in_whatever_unit(number: int) -> None:
    one = RISING[number]
    assert [other for other in RISING if _exceeds(one, other)] == [*RISING[:number]]
    assert not _exceeds(one, one)


@pytest.mark.parametrize(("one", "other"), [("1024", "1Ki"), ("1000m", "1"), ("1024Mi", "1Gi"), ("1e3", "1k")])
def test_an_amount_that_is_written_otherwise_exceeds_none(one: str, other: str) -> None:
    assert not _exceeds(one, other)
    assert not _exceeds(other, one)
