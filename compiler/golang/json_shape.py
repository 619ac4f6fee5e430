"""JSON data to Go structs: what encoding/json decodes, and refuses.

A decoded struct holds every field of the Go type, zero values included, so that ``record["image"]`` always answers.

Source: Go 1.26 standard library, encoding/json: Unmarshal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from .shape import INT32, ZERO, Decoder, folded
from .strconv import NumberError
from .value import INT64, SortedMap, json_numbers

if TYPE_CHECKING:
    from ..diagnostics.span import Path
    from .shape import Shape, Types

_EXPECTED: Final = {
    "string": "a string",
    "bool": "true or false",
    "int": "a whole number",
    "int32": "a whole number of 32 bits",
    "float": "a number",
}


class JsonDecoder(Decoder):
    """Decodes JSON. Go names the first misfit only, and skips unknown keys in silence.

    Attributes:
        judges_only: The data that comes out is not asked for: fields that are missing are left out of it.
    """

    def __init__(self, types: Types, *, judges_only: bool = False) -> None:
        super().__init__(types)
        self.judges_only = judges_only

    def decode(self, value: Any, shape: Shape, path: Path = ()) -> Any:
        """Return ``value`` as the Go type holds it; a value that does not fit leaves the zero value."""
        if isinstance(shape, str):
            return self._scalar(value, shape, path)
        kind, inner = shape
        if kind == "ptr":
            return None if value is None else self.decode(value, inner, path)
        if kind == "struct":
            return self._struct(value, inner, path)
        if value is None:
            return None
        if kind == "list":
            if not isinstance(value, list):
                return self.misfit(path, "a list", value, None)
            return [self.decode(item, inner, (*path, i)) for i, item in enumerate(value)]
        if not isinstance(value, dict):
            return self.misfit(path, "an object", value, None)
        return SortedMap((key, self.decode(item, inner, (*path, key))) for key, item in value.items())

    def _struct(self, value: Any, name: str, path: Path) -> dict[str, Any]:
        out: dict[str, Any] = {} if self.judges_only else self.types.zero_struct(name)
        if value is None:
            return out
        if not isinstance(value, dict):
            self.misfit(path, "an object", value, None)
            return out
        fields, hooks = self.types.folded_fields(name), self.types.hooks
        for key, item in value.items():
            found = fields.get(key) or fields.get(folded(key))
            if found is None:
                self.unknown.append((*path, key))
            elif item is not None or not isinstance(found[1], str) or found[1] in hooks:
                out[found[0]] = self.decode(item, found[1], (*path, key))
        return out

    def _scalar(self, value: Any, shape: str, path: Path) -> Any:
        hook = self.types.hooks.get(shape)
        if hook is not None:
            return self.hooked(hook, value, path)
        if shape == "raw":
            return value
        if shape == "any":
            try:
                return json_numbers(value)
            except NumberError as error:
                return self.misfit(path, error.args[-1], value, None)
        if value is None:
            return ZERO[shape]
        if _fits(value, shape):
            return value
        return self.misfit(path, _EXPECTED[shape], value, ZERO[shape])


def _fits(value: Any, shape: str) -> bool:
    if shape == "string":
        return isinstance(value, str)
    if isinstance(value, bool):
        return shape == "bool"
    if shape == "bool":
        return False
    if shape == "float":
        return isinstance(value, (int, float))
    return isinstance(value, int) and value in (INT32 if shape == "int32" else INT64)
