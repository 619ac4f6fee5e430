"""The configuration as the operator writes it: in Go's order, without empty fields, durations in normal form."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final

from ...schemas._vmcp_structs import STRUCTS
from ..golang.duration import DurationError, format_duration, parse_duration
from ..golang.shape import Encoder, Hook, Types
from ..golang.value import json_numbers


def written(config: dict[str, Any]) -> dict[str, Any]:
    """Return a configuration in the shape of its file.

    Args:
        config: Plain data, as the API server stores it; ``None`` and a missing key are the same. Keys that the
            configuration does not have are left out, as Go does not decode them.
    """
    out: dict[str, Any] = _ENCODER.encode(config, ("struct", "VMCPConfig"))
    return out


def has_headed_text(data: Any) -> bool:
    """Return whether any text has several lines and begins with a space or line break: it may not be read as written.

    URLs are looked at without their scheme, which the operator drops from some.
    """
    values = [data]
    for item in values:  # which grows by what is within
        if type(item) is str:
            if "\n" in item and _HEAD.match(item):
                return True
        elif isinstance(item, dict):
            values += item.values()
        elif isinstance(item, (list, tuple)):
            values += item
    return False


_HEAD: Final = re.compile("(?:https?://)*[ \n\u2028\u2029]")


def _as_it_is(value: Any) -> Any:
    return value


def _normal_form(value: Any) -> Any:
    return _normal_text(value) if isinstance(value, str) else value


@lru_cache(1024)
def _normal_text(text: str) -> str:
    try:
        return format_duration(parse_duration(text))
    except DurationError:
        return text


def _whole(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


_INTEGER: Final = Hook(_as_it_is, _whole, zero=0)
_TYPES: Final = Types(
    STRUCTS,
    {
        "duration": Hook(_as_it_is, _normal_form, zero="0s"),
        "int": _INTEGER,
        "int32": _INTEGER,
        "json": Hook(_as_it_is, json_numbers),
        "json-map": Hook(_as_it_is, json_numbers, zero={}),
    },
)
_ENCODER: Final = Encoder(_TYPES, form="yaml")
