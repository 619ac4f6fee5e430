"""Print values like Go's package fmt.

Source: Go 1.26 fmt.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ...golang.strconv import quote
from .number import float_text, integer_text
from .value import Byte, LimitError, NilMap, encode, go_type, sorted_items

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_TEXT: Final = 10 * 1024 * 1024
"""Maximum size of one text, which is the output limit of the vMCP server."""

_MAX_DEPTH: Final = 200
"""Maximum nesting of a printed value, because printing is recursive. No answer of a tool is deeper."""
_MAX_RUNE: Final = 0x10FFFF
"""The largest code point of Unicode."""
_BASES: Final = {"v": 10, "d": 10, "b": 2, "o": 8, "O": 8, "x": 16, "X": 16}


@dataclass(slots=True)
class Flags:
    """Flags between ``%`` and the verb. ``go`` is true for ``%#v``, which prints a value in Go syntax."""

    plus: bool = False
    minus: bool = False
    sharp: bool = False
    space: bool = False
    zero: bool = False
    go: bool = False
    width: int | None = None
    precision: int | None = None


class Printer:
    """Collects printed text. Its methods raise ``LimitError`` if the text exceeds `MAX_TEXT`."""

    def __init__(self) -> None:
        self.flags = Flags()
        self._parts: list[str] = []
        self._size = 0

    def text(self) -> str:
        """Return the printed text."""
        return "".join(self._parts)

    def write(self, text: str) -> None:
        """Append ``text``."""
        self._size += len(text)
        if self._size > MAX_TEXT:
            raise LimitError("the text grows beyond 10 MiB")
        self._parts.append(text)

    def argument(self, value: Any, verb: str) -> None:
        """Append ``value``, formatted with ``verb`` and the current flags."""
        if value is None:
            if verb in "Tv":
                self._pad("<nil>")
            else:
                self.write(f"%!{verb}(<nil>)")
        elif verb == "T":
            self._string(go_type(value))
        elif verb == "p" or (verb == "w" and isinstance(value, (dict, list))):
            self._bad_verb(value, verb)
        else:
            self._value(value, verb, 0)

    def _value(self, value: Any, verb: str, depth: int) -> None:
        if depth > _MAX_DEPTH:
            raise LimitError("a value is nested too deeply to print")
        if value is None:
            self.write("interface {}(nil)" if self.flags.go else "<nil>")
        elif isinstance(value, bool):
            self._boolean(value, verb)
        elif isinstance(value, int):
            self._integer(value, verb)
        elif isinstance(value, float):
            self._float(value, verb)
        elif isinstance(value, complex):
            self._complex(value, verb)
        elif isinstance(value, str):
            self._text(value, verb)
        elif isinstance(value, dict):
            self._map(value, verb, depth)
        else:
            self._list(value, verb, depth)

    def _bad_verb(self, value: Any, verb: str) -> None:
        self.write(f"%!{verb}({go_type(value)}=")
        self._value(value, "v", 0)
        self.write(")")

    # Composite values.

    def _map(self, value: dict[str, Any], verb: str, depth: int) -> None:
        if self.flags.go and isinstance(value, NilMap):
            self.write(f"{go_type(value)}(nil)")
            return
        opening, between, closing = (f"{go_type(value)}{{", ", ", "}") if self.flags.go else ("map[", " ", "]")
        self.write(opening)
        for index, (key, child) in enumerate(sorted_items(value)):
            if index:
                self.write(between)
            self._text(key, verb)
            self.write(":")
            self._value(child, verb, depth + 1)
        self.write(closing)

    def _list(self, value: Sequence[Any], verb: str, depth: int) -> None:
        opening, between, closing = (f"{go_type(value)}{{", ", ", "}") if self.flags.go else ("[", " ", "]")
        self.write(opening)
        for index, child in enumerate(value):
            if index:
                self.write(between)
            self._value(child, verb, depth + 1)
        self.write(closing)

    # Basic values.

    def _boolean(self, value: bool, verb: str) -> None:  # noqa: FBT001 - the value that is printed
        if verb in "tv":
            self._pad("true" if value else "false")
        else:
            self._bad_verb(value, verb)

    def _integer(self, value: int, verb: str) -> None:
        if verb in _BASES:
            unsigned = isinstance(value, Byte)
            if verb == "v" and self.flags.go and unsigned:
                self._digits(value, 16, "v", sharp=True)
            else:
                self._digits(value, _BASES[verb], verb, sharp=self.flags.sharp)
        elif verb == "c":
            self._pad(_rune(value))
        elif verb == "q":
            self._pad(_quoted_rune(value, ascii_only=self.flags.plus))
        elif verb == "U":
            # Like Go's fmtInteger, which passes a negative number on as the uint64 with the same bits.
            self._unicode(value & 0xFFFFFFFFFFFFFFFF)
        else:
            self._bad_verb(value, verb)

    def _digits(self, value: int, base: int, verb: str, *, sharp: bool) -> None:
        flags = self.flags
        precision = 0
        if flags.precision is not None:
            precision = flags.precision
            if precision == 0 and value == 0:
                self.write(" " * (flags.width or 0))
                return
        elif flags.zero and not flags.minus and flags.width is not None:
            precision = flags.width - (value < 0 or flags.plus or flags.space)
        text = integer_text(abs(value), base, upper=verb == "X").rjust(precision, "0")
        if sharp:
            prefix = {2: "0b", 8: "" if text[0] == "0" else "0", 16: "0X" if verb == "X" else "0x"}.get(base, "")
            text = prefix + text
        if verb == "O":
            text = "0o" + text
        sign = "-" if value < 0 else "+" if flags.plus else " " if flags.space else ""
        self._pad(sign + text, zeros=False)

    def _unicode(self, code: int) -> None:
        # Go's fmtUnicode writes four digits at least.
        precision = max(self.flags.precision or 0, 4)
        text = "U+" + format(code, "X").rjust(precision, "0")
        if self.flags.sharp and code <= _MAX_RUNE and chr(code).isprintable():
            text += f" '{chr(code)}'"
        self._pad(text, zeros=False)

    def _float(self, value: float, verb: str) -> None:
        if verb in "vbgGxX":
            self._float_digits(value, "g" if verb == "v" else verb, -1)
        elif verb in "feEF":
            # Go's fmtFloat prints six decimals if no precision is stated.
            self._float_digits(value, "f" if verb == "F" else verb, 6)
        else:
            self._bad_verb(value, verb)

    def _float_digits(self, value: float, verb: str, precision: int) -> None:
        flags = self.flags
        if flags.precision is not None:
            precision = flags.precision
        number = float_text(value, verb, precision)
        if number[0] not in "+-":
            number = "+" + number
        if flags.space and number[0] == "+" and not flags.plus:
            number = " " + number[1:]
        if number[1] in "IN":
            bare = number[1] == "N" and not flags.space and not flags.plus
            self._pad(number[bare:], zeros=False)
            return
        if flags.sharp and verb != "b":
            number = _with_point(number, verb, precision)
        if not flags.plus and number[0] == "+":
            self._pad(number[1:])
        elif flags.zero and not flags.minus and flags.width is not None and flags.width > len(number):
            self.write(number[0] + "0" * (flags.width - len(number)) + number[1:])
        else:
            self._pad(number)

    def _complex(self, value: complex, verb: str) -> None:
        if verb not in "vbgGxXfFeE":
            self._bad_verb(value, verb)
            return
        plus = self.flags.plus
        self.write("(")
        self._float(value.real, verb)
        self.flags.plus = True
        self._float(value.imag, verb)
        self.write("i)")
        self.flags.plus = plus

    def _text(self, value: str, verb: str) -> None:
        if verb == "q" or (verb == "v" and self.flags.go):
            self._quoted(value)
        elif verb in "vs":
            self._string(value)
        elif verb in "xX":
            self._hexadecimal(encode(value), upper=verb == "X")
        else:
            self._bad_verb(value, verb)

    def _string(self, value: str) -> None:
        self._pad(value if self.flags.precision is None else value[: self.flags.precision])

    def _quoted(self, value: str) -> None:
        if self.flags.precision is not None:
            value = value[: self.flags.precision]
        if self.flags.sharp and _fits_backquotes(value):
            self._pad(f"`{value}`")
        else:
            self._pad(_ascii_quote(value) if self.flags.plus else quote(value))

    def _hexadecimal(self, data: bytes, *, upper: bool) -> None:
        flags = self.flags
        if flags.precision is not None:
            data = data[: flags.precision]
        prefix = ("0X" if upper else "0x") if flags.sharp and data else ""
        digits = data.hex(" ") if flags.space else data.hex()
        text = prefix + (digits.upper() if upper else digits)
        if flags.space and prefix:
            text = text.replace(" ", " " + prefix)
        self._pad(text)

    def _pad(self, text: str, *, zeros: bool = True) -> None:
        width = self.flags.width or 0
        if len(text) >= width:
            self.write(text)
        elif self.flags.minus:
            self.write(text.ljust(width))
        else:
            self.write(text.rjust(width, "0" if zeros and self.flags.zero else " "))


def sprint(values: Sequence[Any]) -> str:
    """Return ``values`` as text like fmt.Sprint, with a space between two neighbors if neither is a string."""
    printer = Printer()
    after_string = True
    for value in values:
        is_string = isinstance(value, str)
        if not is_string and not after_string:
            printer.write(" ")
        printer.argument(value, "v")
        after_string = is_string
    return printer.text()


def sprintln(values: Sequence[Any]) -> str:
    """Return ``values`` as text like fmt.Sprintln, with spaces between them and a final newline."""
    printer = Printer()
    for index, value in enumerate(values):
        if index:
            printer.write(" ")
        printer.argument(value, "v")
    printer.write("\n")
    return printer.text()


def _rune(code: int) -> str:
    # Go prints U+FFFD for an integer that is not a code point, or is one of a surrogate.
    if not 0 <= code <= _MAX_RUNE or 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return chr(code)


def _quoted_rune(code: int, *, ascii_only: bool) -> str:
    char = _rune(code)
    if char == "'":
        return "'\\''"
    if char == '"':
        return "'\"'"
    text = _ascii_quote(char) if ascii_only else quote(char)
    return f"'{text[1:-1]}'"


def _ascii_quote(value: str) -> str:
    def escaped(char: str) -> str:
        code = ord(char)
        # These surrogates stand for bytes that are not UTF-8. `quote` writes them like Go.
        if char.isascii() or 0xDC80 <= code <= 0xDCFF:
            return quote(char)[1:-1]
        return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"

    return '"' + "".join(map(escaped, value)) + '"'


def _fits_backquotes(value: str) -> bool:
    # strconv.CanBackquote refuses control characters, U+FEFF and bytes that are not UTF-8.
    def fits(char: str) -> bool:
        return (char >= " " or char == "\t") and char not in "`\x7f\ufeff" and not 0xDC80 <= ord(char) <= 0xDCFF

    return all(map(fits, value))


def _with_point(number: str, verb: str, precision: int) -> str:
    """Return ``number``, which starts with a sign, with the decimal point and trailing zeros of the flag ``#``."""
    digits = 0
    if verb in "gGx":
        # Go's fmtFloat counts six digits if no precision is stated.
        digits = 6 if precision == -1 else precision
    tail = ""
    for index, char in enumerate(number):
        if char in "pP" or (char in "eE" and verb not in "xX"):
            number, tail = number[:index], number[index:]
            break
    seen = False
    for char in number[1:]:
        if char == ".":
            continue
        seen = seen or char != "0"
        digits -= seen
    if "." not in number:
        digits -= number[1:] == "0"
        number += "."
    return number + "0" * max(digits, 0) + tail
