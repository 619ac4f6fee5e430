"""What Go's ``fmt`` prints."""

from __future__ import annotations

import math
from typing import Any

import pytest

from mcpcfg.compiler.language.template.number import float_text
from mcpcfg.compiler.language.template.printer import MAX_TEXT, Printer
from mcpcfg.compiler.language.template.printf import sprintf
from mcpcfg.compiler.language.template.value import LimitError

PRINTED: list[tuple[str, Any, str]] = [
    ("%d", 42, "42"),
    ("%b", 5, "101"),
    ("%o", 8, "10"),
    ("%O", 8, "0o10"),
    ("%x", 255, "ff"),
    ("%X", 255, "FF"),
    ("%x", -255, "-ff"),
    ("%#x", 255, "0xff"),
    ("%#o", 8, "010"),
    ("%+d", 5, "+5"),
    ("% d", 5, " 5"),
    ("%5d|", 42, "   42|"),
    ("%-5d|", 42, "42   |"),
    ("%05d", 42, "00042"),
    ("%-05d|", 42, "42   |"),
    ("%08d", -42, "-0000042"),
    ("%.3d", 7, "007"),
    ("%5.0d|", 0, "     |"),
    ("%c", 65, "A"),
    ("%q", 120, "'x'"),
    ("%U", 10, "U+000A"),
    ("%#U", 0x2318, "U+2318 '⌘'"),
    ("%t", True, "true"),
    ("%x", 1.5, "0x1.8p+00"),
    ("%.3x", 1.5, "0x1.800p+00"),
    ("%.0x", 1.5, "0x1p+01"),
    ("%5s|", "ab", "   ab|"),
    ("%-5s|", "ab", "ab   |"),
    ("%.2s", "abc", "ab"),
    ("%q", "a\n", '"a\\n"'),
    ("%+q", "é", '"\\u00e9"'),
    ("%#q", "a", "`a`"),
    ("%x", "hi", "6869"),
    ("% x", "hi", "68 69"),
    ("%e", 1234.5678, "1.234568e+03"),
    ("%g", 1e21, "1e+21"),
    ("%#g", 1.0, "1.00000"),
    ("%#g", 1e21, "1.00000e+21"),
    ("%.2f", 3.14159, "3.14"),
    ("%6.2f|", 3.14159, "  3.14|"),
    ("%d", "a", "%!d(string=a)"),
    ("%z", 1, "%!z(int=1)"),
    ("%s", None, "%!s(<nil>)"),
    ("%v", None, "<nil>"),
]


@pytest.mark.parametrize(("form", "value", "expected"), PRINTED)
def test_a_verb_prints_as_in_go(form: str, value: Any, expected: str) -> None:
    assert sprintf(form, [value]) == expected


def test_a_text_of_ten_mebibytes_is_the_longest() -> None:
    printer = Printer()
    printer.write("a" * MAX_TEXT)
    with pytest.raises(LimitError, match="10 MiB"):
        printer.write("a")


@pytest.mark.parametrize(("value", "text"), [(math.inf, "+Inf"), (-math.inf, "-Inf"), (math.nan, "NaN")])
def test_infinities_and_nan_have_names(value: float, text: str) -> None:
    assert float_text(value, "e", 2) == text
