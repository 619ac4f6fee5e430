"""Find the blocks of a PEM text as the Go package encoding/pem does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ..diagnostics.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_BEGIN: Final = b"-----BEGIN "
_END: Final = b"\n-----END "
_DASHES: Final = b"-----"
_SPACES: Final = b" \t\r\n"
_BASE64: Final = re.compile(rb"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")


class Block(NamedTuple):
    """A block between a BEGIN and an END line.

    Attributes:
        label: The text after BEGIN, such as ``CERTIFICATE``.
        has_headers: True if the block begins with lines ``KEY: VALUE``, such as those of old encrypted keys.
        content: The decoded bytes.
    """

    label: bytes
    has_headers: bool
    content: bytes


class _UnfinishedError(Exception):
    """The text ends within the headers of a block. Go looks for no further block."""


def blocks(text: bytes) -> Iterator[Block]:
    """Yield the blocks of a PEM text. A block that Go cannot decode is left out."""
    start = after_end = 0
    while (end := text.find(_END, after_end)) >= 0:
        after_end = end + len(_END)
        # The last BEGIN before the first END: a BEGIN without its END is skipped.
        begin = text.rfind(_BEGIN, start, end)
        if begin < 0 or (begin > start and text[begin - 1 : begin] != b"\n"):
            start = after_end
            continue
        try:
            block = _block(text, begin + len(_BEGIN), end, after_end)
        except _UnfinishedError:
            return
        start = after_end
        if block is not None:
            yield block
            start = after_end = _line(text, after_end)[1]


def _block(text: bytes, begin: int, end: int, after_end: int) -> Block | None:
    """Return the block whose label begins at ``begin``, or ``None`` if Go skips it.

    Args:
        text: The PEM text.
        begin: The position after ``-----BEGIN``.
        end: The position of the line feed before ``-----END``.
        after_end: The position after ``-----END``.
    """
    line, position = _line(text, begin)
    if not line.endswith(_DASHES):
        return None
    label, has_headers = line.removesuffix(_DASHES), False
    while b":" in (found := _line(text, position))[0]:
        has_headers, position = True, found[1]
    if position == len(text):
        raise _UnfinishedError
    if has_headers and position > end:
        return None
    trailer = label + _DASHES
    last, _ = _line(text, after_end + len(trailer))
    if not text.startswith(trailer, after_end) or last:
        return None
    coded = text[position:end].translate(None, _SPACES)
    if not _BASE64.fullmatch(coded):
        return None
    import binascii

    return Block(label, has_headers, binascii.a2b_base64(coded))


def _line(text: bytes, position: int) -> tuple[bytes, int]:
    end = text.find(b"\n", position)
    if end < 0:
        return text[position:].rstrip(b" \t"), len(text)
    line = text[position:end]
    return line.removesuffix(b"\r").rstrip(b" \t"), end + 1
