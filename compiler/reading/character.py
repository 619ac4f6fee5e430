"""Characters that YAML does not allow."""

from __future__ import annotations

import re
from typing import Final

from . import rules as rule
from .fault import ReadError

_FORBIDDEN: Final = re.compile("[^\t\n\r -~\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_INNER_MARK: Final = re.compile("(?<=[\n\r])\ufeff")
_LEADING: Final = re.compile("(?:---[ \t]*(?:\r\n?|\n))?\ufeff?")


def forbidden(body: str) -> None:
    """Refuse an excerpt with a character that YAML does not allow, or allows only at the beginning.

    Raises:
        ReadError: At the first such character.
    """
    match = _FORBIDDEN.search(body)
    if match:
        message, hint = _named(match[0])
        raise ReadError(rule.FORBIDDEN_CHARACTER, message, match.start(), match.end(), hint=hint)
    if "\ufeff" in body:
        leading = _LEADING.match(body)
        match = _INNER_MARK.search(body, leading.end() if leading else 0)
        if match:
            message = "a byte order mark inside the file becomes part of what follows"
            hint = "delete the invisible character U+FEFF"
            raise ReadError(rule.FORBIDDEN_CHARACTER, message, match.start(), match.end(), hint=hint)


def _named(char: str) -> tuple[str, str]:
    """Return what ``char`` is, and what to do about it."""
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:
        return f"the byte 0x{code - 0xDC00:02x} is not part of any character", "save the file as UTF-8"
    if code == 0:
        return (
            "the text contains a NUL character",
            "check that this is a text file: NULs occur in binary files and in UTF-16 without a byte order mark",
        )
    hint = f'delete it, or write it in double quotes as the escape "\\u{code:04x}"'
    return f"the text contains the control character U+{code:04X}", hint
