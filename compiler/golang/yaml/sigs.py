"""YAML as the Kubernetes libraries write it: the output of ``kubectl get -o yaml``.

Source: sigs.k8s.io/yaml v1.6, Marshal: the value goes through JSON text into go.yaml.in/yaml/v2 v2.4.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ..strconv import NumberError, format_float, format_plain
from ..value import INT64, as_float
from .block import BlockLayout, document
from .order import natural_order
from .scalar import SIGS

if TYPE_CHECKING:
    from collections.abc import Iterable


def dump(value: Any) -> str:
    """Return ``value`` as one document with sorted keys and a final line break.

    The original library loses a next-line character (U+0085) and refuses control characters from U+007F on. Here both
    are kept, escaped.

    Raises:
        NumberError: A number is infinite or NaN, which JSON cannot express.
    """
    return document(value, _LAYOUT)


def number(value: float) -> str:
    """Return a number as yaml.v2 writes it after JSON: a 64-bit integer in full, any other number as a float.

    Raises:
        NumberError: ``value`` is infinite, NaN, or an integer out of range of float64.
    """
    if isinstance(value, int):
        if value in INT64:
            return int.__repr__(value)
        value = as_float(value)
    if not math.isfinite(value):
        raise NumberError(str(value), "a JSON number")
    # From 1e21 on, Go's encoding/json writes an exponent, so YAML reads a float.
    if not value.is_integer() or abs(value) >= 1e21:
        return format_float(value)
    digits = int(format_plain(value))
    # yaml.v2 reads digits as an int64 or a uint64 if they fit, and otherwise as a float.
    return int.__repr__(digits) if -(1 << 63) <= digits < 1 << 64 else format_float(value)


def _keys(value: dict[str, Any]) -> Iterable[str]:
    return natural_order(value, v3=False)


_LAYOUT = BlockLayout(SIGS, _keys, number)
