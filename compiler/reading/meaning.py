"""What unquoted keys and values of YAML mean, worked out once for each text."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any, Final

from .scalar import MEANINGFUL_FIRST, NULLS, json_number, key_text, plain

if TYPE_CHECKING:
    from .scalar import Dialect

_CACHE_SIZE: Final = 100_000
_LONGEST_CACHED: Final = 64


class Unusual(Exception):  # noqa: N818 - not an error: the exact way takes over
    """The text holds something that the quick way does not read."""


class Values(dict[str, Any]):
    """What unquoted values mean, by their text; worked out once for each text."""

    def __init__(self, dialect: Dialect) -> None:
        super().__init__()
        self._dialect: Dialect = dialect

    def __missing__(self, text: str) -> Any:
        value = self._resolved(text) if text[:1] in MEANINGFUL_FIRST else text
        if len(text) <= _LONGEST_CACHED:
            if len(self) >= _CACHE_SIZE:
                self.clear()
            self[text] = value
        return value

    def _resolved(self, text: str) -> Any:
        value = plain(text, self._dialect)
        if isinstance(value, float) and self._dialect == "kubernetes":
            if not isfinite(value):
                raise Unusual
            return json_number(value)
        return value


class Keys(Values):
    """What unquoted keys become, by their text."""

    def __missing__(self, text: str) -> str:
        if text == "<<" or text in NULLS:
            raise Unusual
        key = key_text(plain(text, self._dialect)) if self._dialect == "kubernetes" else text
        if key is None:
            raise Unusual
        if len(text) <= _LONGEST_CACHED:
            if len(self) >= _CACHE_SIZE:
                self.clear()
            self[text] = key
        return key


VALUES: Final = {"kubernetes": Values("kubernetes"), "vmcp": Values("vmcp")}
KEYS: Final = {"kubernetes": Keys("kubernetes"), "vmcp": Keys("vmcp")}
