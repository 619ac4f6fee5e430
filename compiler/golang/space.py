"""White space in Go: ``unicode.IsSpace``, which differs from Python's definition."""

from __future__ import annotations

import re
from typing import Final

SPACE: Final = "\t\n\v\f\r \x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"
"""All white space characters."""

_LEADING: Final = (
    rb"(?:[\t-\r ]|\xc2[\x85\xa0]|\xe1\x9a\x80|\xe2\x80[\x80-\x8a\xa8\xa9\xaf]|\xe2\x81\x9f|\xe3\x80\x80)*+"
)
_TRAILING: Final = (
    rb"(?:[\t-\r ]|[\x85\xa0]\xc2|\x80\x9a\xe1|[\x80-\x8a\xa8\xa9\xaf]\x80\xe2|\x9f\x81\xe2|\x80\x80\xe3)*+"
)
_TO_BLANK: Final = dict.fromkeys(map(ord, SPACE), " ")


def trim(text: str) -> str:
    """Return ``text`` without white space at both ends, like ``strings.TrimSpace``."""
    return text.strip(SPACE)


def fields(text: str) -> list[str]:
    """Return the words of ``text`` between white space, like ``strings.Fields``."""
    return [part for part in text.translate(_TO_BLANK).split(" ") if part]


def trimmed(data: bytes) -> tuple[int, int]:
    """Return the indexes of ``data`` at which its content without surrounding white space starts and ends."""
    leading = re.compile(_LEADING).match(data)
    start = leading.end() if leading else 0
    trailing = re.compile(_TRAILING).match(data[start:][::-1])
    return start, len(data) - (trailing.end() if trailing else 0)
