"""Read DER, the binary form of certificates and keys, as the Go package cryptobyte does."""

from __future__ import annotations

from typing import Final

INTEGER: Final = 0x02
BIT_STRING: Final = 0x03
OCTET_STRING: Final = 0x04
OBJECT_ID: Final = 0x06
SEQUENCE: Final = 0x30
SET: Final = 0x31
_HIGH_TAG: Final = 0x1F
_LONG_LENGTH: Final = 0x80
_MOST_LENGTH_BYTES: Final = 4


class DerError(ValueError):
    """The bytes are not the DER that is expected."""


class Reader:
    """Reads the values of a DER text one after the other.

    Args:
        content: Zero or more encoded values, without gaps.
    """

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._position = 0

    @property
    def is_empty(self) -> bool:
        """Whether all values were read."""
        return self._position == len(self._content)

    def peek(self) -> int | None:
        """Return the tag of the next value, or ``None`` at the end."""
        return None if self.is_empty else self._content[self._position]

    def element(self) -> tuple[int, bytes, bytes]:
        """Read any value; return its tag, its content, and its bytes with tag and length."""
        start, content = self._position, self._content
        header = content[start : start + 2]
        if len(header) < 2 or header[0] & _HIGH_TAG == _HIGH_TAG:
            raise DerError
        first, length = start + 2, header[1]
        if length >= _LONG_LENGTH:
            size = length & ~_LONG_LENGTH
            coded = content[first : first + size]
            length = int.from_bytes(coded, "big")
            # The shortest form of a length is required.
            if not 0 < size <= _MOST_LENGTH_BYTES or len(coded) < size or coded[0] == 0 or length < _LONG_LENGTH:
                raise DerError
            first += size
        if first + length > len(content):
            raise DerError
        self._position = first + length
        return header[0], content[first : first + length], content[start : first + length]

    def read(self, tag: int) -> bytes:
        """Read a value with this tag, and return its content."""
        found, content, _ = self.element()
        if found != tag:
            raise DerError
        return content

    def optional(self, tag: int) -> bytes | None:
        """Read a value if it has this tag, and return its content."""
        return self.read(tag) if self.peek() == tag else None

    def inner(self, tag: int = SEQUENCE) -> Reader:
        """Read a value with this tag, and return a reader of its content."""
        return Reader(self.read(tag))

    def integer(self) -> int:
        """Read an integer in its shortest form."""
        content = self.read(INTEGER)
        is_padded = len(content) > 1 and (content[0], content[1] >> 7) in ((0, 0), (0xFF, 1))
        if not content or is_padded:
            raise DerError
        return int.from_bytes(content, "big", signed=True)

    def object_id(self) -> str:
        """Read the identifier of an algorithm or a field, and return it as ``1.2.840``."""
        numbers, number, digits = [], 0, 0
        content = self.read(OBJECT_ID)
        if not content or content[-1] & 0x80:
            raise DerError
        for byte in content:
            if (digits == 0 and byte == 0x80) or number >= 1 << 24:
                raise DerError
            number, digits = number << 7 | byte & 0x7F, digits + 1
            if byte < 0x80:
                numbers.append(number)
                number = digits = 0
        first = min(numbers[0] // 40, 2)
        return ".".join(map(str, (first, numbers[0] - 40 * first, *numbers[1:])))

    def bit_string(self) -> bytes:
        """Read a bit string, and return its bytes. Bits that fill the last byte are not removed."""
        content = self.read(BIT_STRING)
        if not content or (filling := content[0]) > 7 or (len(content) == 1 and filling):
            raise DerError
        if content[-1] & ((1 << filling) - 1) and len(content) > 1:
            raise DerError
        return content[1:]
