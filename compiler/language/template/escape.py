"""The escaping functions ``html``, ``js`` and ``urlquery``.

Source: Go 1.26 text/template and net/url.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from .printer import sprint
from .value import encode

if TYPE_CHECKING:
    from collections.abc import Sequence

_HTML: Final = str.maketrans({"\0": "\ufffd", '"': "&#34;", "'": "&#39;", "&": "&amp;", "<": "&lt;", ">": "&gt;"})
_JS_SPECIAL: Final = re.compile("[^ !#-%(-;?-\\[\\]-\x7f]")
_JS_NAMED: Final = {"\\": "\\\\", "'": "\\'", '"': '\\"'}
_UNRESERVED: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~")


def joined(values: Sequence[Any]) -> str:
    """Return the arguments of an escaping function as one text, formatted as by ``print``."""
    if len(values) == 1 and isinstance(values[0], str):
        return values[0]
    return sprint(["<no value>" if value is None else value for value in values])


def html(text: str) -> str:
    """Return ``text`` escaped for HTML, like ``HTMLEscapeString``."""
    return text.translate(_HTML)


def javascript(text: str) -> str:
    """Return ``text`` escaped for a JavaScript string, like ``JSEscapeString``."""
    return _JS_SPECIAL.sub(_javascript, text)


def _javascript(match: re.Match[str]) -> str:
    char = match[0]
    code = ord(char)
    if char in _JS_NAMED:
        return _JS_NAMED[char]
    if 0xDC80 <= code <= 0xDCFF:  # Go sees U+FFFD for a byte that is not UTF-8, and does not escape it
        return char
    if code >= 0x80 and char.isprintable():
        return char
    return f"\\u{code:04X}"


def query(text: str) -> str:
    """Return ``text`` escaped for the query of a URL, like ``url.QueryEscape``."""
    return "".join(
        chr(byte) if byte in _UNRESERVED else "+" if byte == 0x20 else f"%{byte:02X}" for byte in encode(text)
    )
