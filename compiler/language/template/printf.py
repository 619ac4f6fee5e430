"""``printf`` with Go's format strings.

Source: Go 1.26 fmt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from .printer import Flags, Printer
from .value import go_type

if TYPE_CHECKING:
    from collections.abc import Sequence

_MAX_NUMBER: Final = 1_000_000
"""Go's limit of widths and precisions (``tooLarge`` of package fmt)."""
_DIGITS: Final = frozenset("0123456789")


def sprintf(template: str, values: Sequence[Any]) -> str:
    """Return ``values`` formatted by ``template``, like fmt.Sprintf. Errors are part of the returned text."""
    return _FormatString(template, values).run()


class _FormatString:
    def __init__(self, template: str, values: Sequence[Any]) -> None:
        self.template = template
        self.values = values
        self.at = 0
        self.number = 0  # index of the next argument
        self.good_number = True
        self.after_index = False
        self.reordered = False
        self.out = Printer()

    def run(self) -> str:
        while (percent := self.template.find("%", self.at)) >= 0:
            self.out.write(self.template[self.at : percent])
            self.at = percent + 1
            self._directive()
        self.out.write(self.template[self.at :])
        self._extra()
        return self.out.text()

    def _directive(self) -> None:
        flags = self.out.flags = Flags()
        self.good_number = True
        self._flags(flags)
        self._index()
        self._width(flags)
        if self.at + 1 < len(self.template) and self.template[self.at] == ".":
            self.at += 1
            self._precision(flags)
        if not self.after_index:
            self._index()
        if self.at >= len(self.template):
            self.out.write("%!(NOVERB)")
            return
        verb = self.template[self.at]
        self.at += 1
        self._verb(verb, flags)

    def _verb(self, verb: str, flags: Flags) -> None:
        if verb == "%":
            self.out.write("%")
        elif not self.good_number:
            self.out.write(f"%!{verb}(BADINDEX)")
        elif self.number >= len(self.values):
            self.out.write(f"%!{verb}(MISSING)")
        else:
            if verb in "vw":
                flags.go, flags.sharp, flags.plus = flags.sharp, False, False
            self.out.argument(self.values[self.number], verb)
            self.number += 1

    def _flags(self, flags: Flags) -> None:
        names = {"#": "sharp", "0": "zero", "+": "plus", "-": "minus", " ": "space"}
        self.after_index = False
        while (name := names.get(self.template[self.at : self.at + 1])) is not None:
            setattr(flags, name, True)
            self.at += 1

    def _index(self) -> None:
        """Read an argument index such as ``[3]`` if it is next. An invalid index is recorded in ``good_number``."""
        self.after_index = False
        if not self.template.startswith("[", self.at):
            return
        self.reordered = True
        self.after_index = True
        end = self.template.find("]", self.at + 1)
        inner = self.template[self.at + 1 : end] if end >= 0 else ""
        # Like Go's parseArgNumber, which needs at least three bytes: [n].
        if end >= 0 and len(self.template) - self.at >= 3 and inner and _DIGITS.issuperset(inner):
            self.at = end + 1
            number = _small(inner)
            if number is not None and 1 <= number <= len(self.values):
                self.number = number - 1
                return
            self.good_number = False
            self.after_index = number is not None
            return
        self.good_number = False
        self.after_index = False
        self.at = end + 1 if end >= 0 and len(self.template) - self.at >= 3 else self.at + 1

    def _width(self, flags: Flags) -> None:
        if self.template.startswith("*", self.at):
            self.at += 1
            flags.width = self._star()
            if flags.width is None:
                self.out.write("%!(BADWIDTH)")
            elif flags.width < 0:
                flags.width, flags.minus, flags.zero = -flags.width, True, False
            self.after_index = False
            return
        flags.width = self._digits()
        if self.after_index and flags.width is not None:
            self.good_number = False

    def _precision(self, flags: Flags) -> None:
        if self.after_index:
            self.good_number = False
        self._index()
        if self.template.startswith("*", self.at):
            self.at += 1
            number = self._star()
            flags.precision = number if number is not None and number >= 0 else None
            if flags.precision is None:
                self.out.write("%!(BADPREC)")
            self.after_index = False
            return
        flags.precision = self._digits() or 0

    def _star(self) -> int | None:
        if self.number >= len(self.values):
            return None
        value = self.values[self.number]
        self.number += 1
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _MAX_NUMBER:
            return value
        return None

    def _digits(self) -> int | None:
        start = self.at
        while self.template[self.at : self.at + 1] in _DIGITS:
            self.at += 1
        number = _small(self.template[start : self.at])
        if number is None and self.at > start:
            self.at = len(self.template)  # after a number that is too large, the rest is skipped
        return number

    def _extra(self) -> None:
        if self.reordered or self.number >= len(self.values):
            return
        self.out.flags = Flags()
        self.out.write("%!(EXTRA ")
        for index, value in enumerate(self.values[self.number :]):
            if index:
                self.out.write(", ")
            if value is None:
                self.out.write("<nil>")
            else:
                self.out.write(go_type(value) + "=")
                self.out.argument(value, "v")
        self.out.write(")")


def _small(digits: str) -> int | None:
    number = 0
    for digit in digits:
        if number > _MAX_NUMBER:
            return None
        number = number * 10 + int(digit)
    return number if digits else None
