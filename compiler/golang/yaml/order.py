"""The order of map keys in go-yaml: letters by code point, digits as numbers.

Source: go.yaml.in/yaml/v2 v2.4 and gopkg.in/yaml.v3 v3.0.1, the comparison of their key lists.
"""

from __future__ import annotations

import re
from functools import cmp_to_key
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

# For these characters code point order equals natural order: no digits, and all signs sort before letters.
_EASY = re.compile(r"[A-Za-z\-./ ]*\Z").match


def natural_order(keys: Iterable[str], *, v3: bool) -> list[str]:
    """Return ``keys`` in natural order: ``a9`` before ``a10``, signs before letters.

    Args:
        keys: Distinct strings.
        v3: True for the rules of yaml.v3, in which a letter precedes a sign after equal digits.
    """
    names = sorted(keys)
    return names if _EASY("".join(names)) else sorted(names, key=_V3 if v3 else _V2)


def _comparison(*, v3: bool) -> Callable[[str, str], int]:
    def compare(left: str, right: str) -> int:
        return -1 if _less(left, right, v3=v3) else int(_less(right, left, v3=v3))

    return compare


def _less(left: str, right: str, *, v3: bool) -> bool:
    at = 0
    for left_char, right_char in zip(left, right, strict=False):
        if left_char != right_char:
            break
        at += 1
    else:
        return len(left) < len(right)
    if left_char.isalpha():
        return left_char < right_char if right_char.isalpha() else v3 and at > 0 and left[at - 1].isdecimal()
    if right_char.isalpha():
        return not (v3 and at > 0 and left[at - 1].isdecimal())
    number, end = _number_at(left, at, right_char)
    rival, rival_end = _number_at(right, at, left_char)
    if number != rival:
        return number < rival
    return end < rival_end if end != rival_end else left_char < right_char


def _number_at(text: str, at: int, rival: str) -> tuple[int, int]:
    """Return the number whose digits start at index ``at``, and the index after its last digit.

    ``rival`` is the character at ``at`` in the other key. If either character is a zero, a nonzero digit before the
    zeros counts as a leading 1, as in ``100`` against ``10x``. Like Go's int64, a large number wraps around.
    """
    number = 0
    if text[at] == "0" or rival == "0":
        # A zero inside a longer number is significant: 100 against 10x.
        before = at - 1
        while before >= 0 and text[before] == "0":
            before -= 1
        number = int(before >= 0 and text[before].isdecimal())
    end = at
    while end < len(text) and text[end].isdecimal():
        number = (number * 10 + ord(text[end]) - ord("0")) % (1 << 64)
        end += 1
    return number if number < 1 << 63 else number - (1 << 64), end


_V2 = cmp_to_key(_comparison(v3=False))
_V3 = cmp_to_key(_comparison(v3=True))
