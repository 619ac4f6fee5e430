"""What scalars mean to go-yaml; the values were asked of both versions themselves."""

import math
import re
from typing import Any

import pytest

from mcpcfg.compiler.golang.yaml.resolve import is_timestamp, resolve_plain, resolve_tagged

BOTH: dict[str, Any] = {
    ".5_0": 0.5,
    "._5": "._5",
    ".5_": ".5_",
    ".5e1_0": 5e9,
    ".5p3": ".5p3",
    ".e5": ".e5",
    ".5e400": ".5e400",
    ".5e-400": 0.0,
    "5_0.5": 50.5,
    "0x1p3": "0x1p3",
    "0b-1": -1,
    "0b+1": 1,
    "-0b-1": "-0b-1",
    "-0o-7": "-0o-7",
    "0o": "0o",
    "1__": 1,
    "_1": "_1",
    "+": "+",
    "+_": "+_",
    "+1_0": 10,
    "1e5_0": 1e50,
    "0_7": 7,
    "0_8": 8.0,
    "08.5": 8.5,
    "+010": 8,
    "-0x1F": -31,
    "0B11": 3,
    "-0O17": -15,
    "18446744073709551615": 18446744073709551615,
    "18446744073709551616": 1.8446744073709552e19,
    "+18446744073709551615": 1.8446744073709552e19,
    "-9223372036854775808": -9223372036854775808,
    "-9223372036854775809": -9.223372036854775808e18,
    "0xFFFFFFFFFFFFFFFF": 18446744073709551615,
    "0x1FFFFFFFFFFFFFFFF": "0x1FFFFFFFFFFFFFFFF",
    "0b" + "1" * 65: "0b" + "1" * 65,
    "1e309": "1e309",
    "1e-400": 0.0,
    "NaN": "NaN",
    "inf": "inf",
    "+.inf": math.inf,
    "-.INF": -math.inf,
    "+.nan": "+.nan",
    "yEs": "yEs",
    "nUll": "nUll",
    "~": None,
    "": None,
    "2001-01-01": "2001-01-01",
    "1:30": "1:30",
    "<<": "<<",
    "0" * 10_000: 0,
    "1" * 10_000: "1" * 10_000,
}


@pytest.mark.parametrize("text", BOTH)
@pytest.mark.parametrize("v3", [False, True])
def test_a_plain_scalar_means_what_go_reads(text: str, v3: bool) -> None:
    value = resolve_plain(text, v3=v3)

    assert (type(value), value) == (type(BOTH[text]), BOTH[text])


@pytest.mark.parametrize(
    ("text", "v2", "v3"),
    [("yes", True, "yes"), ("N", False, "N"), ("on", True, "on"), ("0o-7", "0o-7", -7), ("0o+7", "0o+7", 7)],
)
def test_the_versions_differ_in_words_and_signed_octals(text: str, v2: object, v3: object) -> None:
    assert (resolve_plain(text, v3=False), resolve_plain(text, v3=True)) == (v2, v3)


@pytest.mark.parametrize(
    ("tag", "text", "value"),
    [
        ("int", "5", 5),
        ("float", "1", 1.0),
        ("float", "0x10", 16.0),
        ("bool", "true", True),
        ("null", "~", None),
        ("timestamp", "2001-12-14 21:59:43.10", "2001-12-14 21:59:43.10"),
    ],
)
def test_a_tagged_scalar_has_the_type_of_its_tag(tag: str, text: str, value: object) -> None:
    found = resolve_tagged(text, tag, v3=False)

    assert (type(found), found) == (type(value), value)


@pytest.mark.parametrize(
    ("tag", "text"),
    [("int", "x"), ("int", "1.5"), ("int", ""), ("float", "18446744073709551615"), ("bool", "1"), ("null", "0")],
)
def test_a_scalar_that_does_not_fit_its_tag_is_refused(tag: str, text: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(text)}$"):
        resolve_tagged(text, tag, v3=False)


def test_only_version_2_reads_yes_as_a_boolean() -> None:
    assert resolve_tagged("yes", "bool", v3=False) is True
    with pytest.raises(ValueError, match="yes"):
        resolve_tagged("yes", "bool", v3=True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2001-1-1", True),
        ("2001-02-29", False),
        ("2000-02-29", True),
        ("1900-02-29", False),
        ("2004-02-29", True),
        ("2001-13-01", False),
        ("2001-12-14t21:59:43.10-05:00", True),
        ("2001-12-14T21:59:43", False),
        ("2001-12-14 21:59:43Z", False),
        ("2001-12-14T24:00:00Z", False),
        ("2001-12-14T00:00:00+25:00", False),
        ("201-1-1", False),
    ],
)
def test_timestamps_have_one_of_four_layouts(text: str, expected: bool) -> None:
    assert is_timestamp(text) is expected
