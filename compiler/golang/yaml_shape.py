"""YAML data to Go structs: what gopkg.in/yaml.v3 decodes, and refuses, with known fields only.

Unlike JSON, a key fits a field only letter for letter, every scalar fits a text, ``yes`` and ``off`` fit a truth value,
and a number with a fraction fits an integer, which loses the fraction. A ``duration`` is a scalar that reads as a Go
duration; it is decoded to nanoseconds. A decoded struct holds every field, zero values included.

Source: gopkg.in/yaml.v3 v3.0.1, decode.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from .duration import DurationError, parse_duration
from .shape import INT32, ZERO, Decoder
from .value import INT64, SortedMap

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ..diagnostics.span import Path
    from .shape import Shape, Types

_EXPECTED: Final = {
    "string": "a text",
    "bool": "true or false",
    "int": "a whole number",
    "int32": "a whole number of 32 bits",
    "float": "a number",
    "duration": "a duration such as 30s",
}
_WORDS: Final = dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "on", "On", "ON"), True) | dict.fromkeys(
    ("n", "N", "no", "No", "NO", "off", "Off", "OFF"), False
)


class YamlDecoder(Decoder):
    """Decodes YAML, and refuses unknown keys. A null never gets to a hook.

    Attributes:
        text: Gives the text of the scalar at a path as it is written, which a text field takes whatever it means.
    """

    def __init__(self, types: Types, *, text: Callable[[Path], str | None]) -> None:
        super().__init__(types)
        self.text = text

    def decode(self, value: Any, shape: Shape, path: Path = ()) -> Any:
        """Return ``value`` as the Go type holds it; what does not fit, and null, leave the zero value."""
        if value is None:
            return self.types.zero(shape)
        if isinstance(shape, str):
            return self._scalar(value, shape, path)
        kind, inner = shape
        if kind == "ptr":
            return self.decode(value, inner, path)
        if kind == "list":
            if not isinstance(value, list):
                return self.misfit(path, "a list", value, None)
            kept = ((i, item) for i, item in enumerate(value) if item is not None or inner[0] in ("ptr", "list", "map"))
            return [self.decode(item, inner, (*path, i)) for i, item in kept]
        if not isinstance(value, dict):
            return self.misfit(path, "a mapping", value, self.types.zero(shape))
        if kind == "map":
            return SortedMap((str(key), self.decode(item, inner, (*path, key))) for key, item in value.items())
        return self._struct(value, inner, path)

    def _struct(self, value: Mapping[str, Any], name: str, path: Path) -> dict[str, Any]:
        out: dict[str, Any] = self.types.zero_struct(name)
        fields = self.types.fields(name)
        for key, item in value.items():
            if key not in fields:
                self.unknown.append((*path, key))
            else:
                out[key] = self.decode(item, fields[key][1], (*path, key))
        return out

    def _scalar(self, value: Any, shape: str, path: Path) -> Any:
        hook = self.types.hooks.get(shape)
        if hook is not None:
            return self.hooked(hook, value, path)
        if shape in ("any", "raw"):
            return value
        if not isinstance(value, (dict, list)):
            found = self._typed(value, shape, path)
            if found is not None:
                return found
        return self.misfit(path, _EXPECTED[shape], value, ZERO[shape])

    def _typed(self, value: Any, shape: str, path: Path) -> Any:
        """Return a scalar as a field of this type takes it, ``None`` where it does not."""
        if shape == "string":
            return self._written(value, path)
        if shape == "duration":
            return self._duration(self._written(value, path))
        if shape == "bool":
            return value if isinstance(value, bool) else _WORDS.get(value) if isinstance(value, str) else None
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return None
        if shape == "float":
            return value
        bounds = INT32 if shape == "int32" else INT64
        return int(value) if bounds.start <= value < bounds.stop else None

    def _duration(self, text: str) -> int | None:
        try:
            return parse_duration(text)
        except DurationError:
            return None

    def _written(self, value: Any, path: Path) -> str:
        """Return the scalar as the file has it: ``1.10`` stays ``1.10``."""
        if isinstance(value, str):
            return value
        text = self.text(path)
        return str(value) if text is None else text
