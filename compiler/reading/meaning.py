"""What unquoted keys and values of YAML mean, worked out once for each text."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any, Final

from .scalar import MEANINGFUL_FIRST, NULLS, json_number, key_text, plain

if TYPE_CHECKING:
    from .scalar import Dialect


class Unusual(Exception):  # noqa: N818 - not an error: the exact way takes over
    """The text holds something that the quick way does not read."""


class Known(dict[str, Any]):
    """What texts mean in a dialect, worked out once for each text that is not long.

    Attributes:
        MOST: How many texts are remembered.
        LONGEST: Of how many code points.
    """

    MOST = 100_000
    LONGEST = 64

    def __init__(self, dialect: Dialect) -> None:
        super().__init__()
        self.dialect: Dialect = dialect

    def __missing__(self, text: str) -> Any:
        value = self.work_out(text)
        if len(text) <= self.LONGEST:
            if len(self) >= self.MOST:
                self.clear()
            self[text] = value
        return value

    def work_out(self, text: str) -> Any:
        """Return what ``text`` means.

        Raises:
            Unusual: Another way has to read it.
        """
        raise NotImplementedError


class Values(Known):
    """What unquoted values mean."""

    def work_out(self, text: str) -> Any:
        """As `Known.work_out`."""
        if text[:1] not in MEANINGFUL_FIRST:
            return text
        value = plain(text, self.dialect)
        if isinstance(value, float) and self.dialect == "kubernetes":
            if not isfinite(value):
                raise Unusual
            return json_number(value)
        return value


class Keys(Known):
    """What unquoted keys become."""

    def work_out(self, text: str) -> str:
        """As `Known.work_out`."""
        if text == "<<" or text in NULLS:
            raise Unusual
        key = key_text(plain(text, self.dialect)) if self.dialect == "kubernetes" else text
        if key is None:
            raise Unusual
        return key


VALUES: Final = {"kubernetes": Values("kubernetes"), "vmcp": Values("vmcp")}
KEYS: Final = {"kubernetes": Keys("kubernetes"), "vmcp": Keys("vmcp")}
