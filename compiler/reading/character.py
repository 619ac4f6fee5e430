"""Report characters that YAML forbids."""

from __future__ import annotations

import re
from typing import Final

from ..diagnostics.finding import rule
from .fault import ReadError

FORBIDDEN_CHARACTER = rule(
    "SYN015 forbidden-character", "syntax", "The text contains characters that YAML does not allow"
)

_FORBIDDEN: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
"""Characters that are not ``c-printable`` in YAML 1.1. Surrogates stand for bytes that are not UTF-8."""
_INNER_MARK: Final = re.compile("(?<=[\n\r])\ufeff")
_LEADING: Final = re.compile("(?:---[ \t]*(?:\r\n?|\n))?\ufeff?")


def forbidden(body: str) -> None:
    """Check an excerpt for characters that YAML forbids, or only allows at the start.

    Raises:
        ReadError: The excerpt contains such a character. The error is at the first of them.
    """
    match = _FORBIDDEN.search(body)
    if match:
        message, hint = _named(match[0])
        raise ReadError(FORBIDDEN_CHARACTER, message, match.start(), match.end(), hint=hint)
    if "\ufeff" in body:
        leading = _LEADING.match(body)
        match = _INNER_MARK.search(body, leading.end() if leading else 0)
        if match:
            message = "a byte order mark inside the file becomes part of what follows"
            hint = "delete the invisible character U+FEFF"
            raise ReadError(FORBIDDEN_CHARACTER, message, match.start(), match.end(), hint=hint)


def _named(char: str) -> tuple[str, str]:
    """Return the message and the hint about a forbidden character. A surrogate represents a byte that is not UTF-8."""
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:  # `surrogateescape` decodes an invalid byte b as U+DC00 + b (PEP 383)
        return f"the byte 0x{code - 0xDC00:02x} is not part of any character", "save the file as UTF-8"
    if code == 0:
        return (
            "the text contains a NUL character",
            "check that this is a text file: NULs occur in binary files and in UTF-16 without a byte order mark",
        )
    hint = f'delete it, or write it in double quotes as the escape "\\u{code:04x}"'
    return f"the text contains the control character U+{code:04X}", hint
