"""Decode plain data into Go structs like encoding/json and gopkg.in/yaml.v3.

A decoded struct has every field of the Go type, including zero values, so ``record["image"]`` always exists.

The two decoders differ. The JSON decoder ignores the case of keys (except for data that Kubernetes stores), and a field
accepts only values of its own type. The YAML decoder matches keys exactly. There, a string field accepts every scalar,
a boolean field accepts ``yes`` and ``off``, and an integer field accepts a number and drops its fraction. ToolHive
refuses unknown keys in YAML and ignores them in JSON. `Decoder` lists them in both.

Source: Go 1.26 standard library, encoding/json: Unmarshal; sigs.k8s.io/json, UnmarshalCaseSensitivePreserveInts;
gopkg.in/yaml.v3 v3.0.1, decode.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from .duration import DurationError, parse_duration
from .letter import folded
from .shape import HELD_DURATION, INT32, Misfit, MisfitError, kind_of
from .strconv import NumberError
from .value import INT64, SortedMap, json_numbers, sorted_maps

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ..diagnostics.span import Path
    from .shape import Form, Hook, Shape, Types

_DURATIONS: Final = frozenset({"duration", "held-duration"})
_DURATION: Final = "a duration such as 30s"
_COMMON: Final = {
    "bool": "true or false",
    "int": "a whole number",
    "int32": "a whole number of 32 bits",
    "float": "a number",
}
_EXPECTED: Final[dict[Form, dict[str, str]]] = {
    "json": _COMMON
    | {"string": "a string", "map": "an object", "duration": "a duration of at most 292 years, such as 30s"},
    "yaml": _COMMON | {"string": "a text", "map": "a mapping", "duration": _DURATION},
}
_WORDS: Final = dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "on", "On", "ON"), True) | dict.fromkeys(
    ("n", "N", "no", "No", "NO", "off", "Off", "OFF"), False
)
_TYPES: Final = {"string": str, "bool": bool}
"""Types whose values both decoders accept without conversion."""


class Decoder:
    """Decodes data by a table of types, and collects values that do not fit.

    Attributes:
        misfits: Values that Go would refuse. Go itself reports only the first.
        unknown: Paths of keys that no field of their struct has.

    Args:
        text: Returns the source text of the YAML scalar at a path, or ``None``. A string field gets this text, so
            ``1.10`` keeps its zero.
        stored: True for data as the API server stores it: a float without fraction is an integer, keys match exactly,
            and missing fields stay missing.
    """

    def __init__(
        self,
        types: Types,
        form: Form = "json",
        *,
        text: Callable[[Path], str | None] | None = None,
        stored: bool = False,
    ) -> None:
        self.types = types
        self.misfits: list[Misfit] = []
        self.unknown: list[Path] = []
        self._is_yaml = form == "yaml"
        self._expected = _EXPECTED[form]
        self._text = text
        self._is_stored = stored
        self._is_exact = stored or self._is_yaml

    def decode(self, value: Any, shape: Shape, path: Path = ()) -> Any:
        """Return ``value`` decoded as the Go type ``shape``. A misfit is recorded and becomes the zero value."""
        if isinstance(shape, str):
            return self._named(value, shape, path)
        if value is None:
            return self.types.zero(shape)
        kind, inner = shape
        if kind == "ptr":
            return self.decode(value, inner, path)
        if kind == "list":
            if not isinstance(value, list):
                return self._misfit(path, "a list", value, None)
            # The YAML decoder drops null from a list whose items cannot be nil.
            keeps_null = not self._is_yaml or inner[0] in ("ptr", "list", "map")
            items = ((i, item) for i, item in enumerate(value) if item is not None or keeps_null)
            return [self.decode(item, inner, (*path, i)) for i, item in items]
        if not isinstance(value, dict):
            return self._misfit(path, self._expected["map"], value, self.types.zero(shape))
        if kind == "map":
            return SortedMap((str(key), self.decode(item, inner, (*path, key))) for key, item in value.items())
        return self._struct(value, inner, path)

    def _struct(self, value: Mapping[str, Any], name: str, path: Path) -> dict[str, Any]:
        out: dict[str, Any] = {} if self._is_stored else self.types.zero_struct(name)
        fields = self.types.fields(name) if self._is_exact else self.types.folded_fields(name)
        hooks = self.types.hooks
        for key, item in value.items():
            field = fields.get(key)
            # encoding/json prefers an exact match, and otherwise ignores case.
            if field is None and not self._is_exact:
                field = fields.get(folded(key))
            if field is None:
                self.unknown.append((*path, key))
                continue
            shape = field[1]
            if _TYPES.get(shape) is type(item):  # as most are
                out[field[0]] = item
            # Go leaves a plain field unchanged for null; hooks and durations handle null themselves.
            elif (
                item is not None
                or not isinstance(shape, str)
                or shape in ("duration", "held-duration")
                or shape in hooks
            ):
                out[field[0]] = self.decode(item, shape, (*path, key))
        return out

    def _named(self, value: Any, shape: str, path: Path) -> Any:
        """Return ``value`` decoded as a type that a single word names: a scalar, free JSON or a hook.

        As in Go, only JSON passes null to a hook or a duration, and a duration refuses null.
        """
        hook = self.types.hooks.get(shape)
        if value is None and (self._is_yaml or (hook is None and shape not in _DURATIONS)):
            return self.types.zero(shape)
        if hook is not None:
            return self._hooked(hook, value, path)
        if shape == "raw":
            return value
        if shape in ("any", "json", "json-map"):
            return self._free(value, shape, path)
        if shape == "held-duration" and self._is_yaml:
            return self._held_duration(value, path)
        if shape in _DURATIONS:
            return self._duration(value, path)
        decoded = self._yaml_scalar(value, shape, path) if self._is_yaml else self._json_scalar(value, shape)
        return self._misfit(path, self._expected[shape], value, self.types.zero(shape)) if decoded is None else decoded

    def _hooked(self, hook: Hook, value: Any, path: Path) -> Any:
        decode = hook.decode_yaml if self._is_yaml and hook.decode_yaml is not None else hook.decode
        try:
            return decode(value)
        except MisfitError as error:
            return self._misfit(path, str(error), value, hook.zero)

    def _free(self, value: Any, shape: str, path: Path) -> Any:
        if shape == "json-map" and not isinstance(value, dict):
            return self._misfit(path, self._expected["map"], value, None)
        try:
            free = sorted_maps(value) if self._is_yaml else json_numbers(value)
        except NumberError as error:
            return self._misfit(path, error.args[-1], value, None)
        return None if shape == "json-map" and not free else free

    def _duration(self, value: Any, path: Path) -> Any:
        text = self._source_text(value, path) if self._is_yaml else value
        if not isinstance(text, str):
            return self._misfit(path, _DURATION, value, 0)
        try:
            return parse_duration(text)
        except DurationError:
            return self._misfit(path, self._expected["duration"], value, 0)

    def _held_duration(self, value: Any, path: Path) -> Any:
        """Return the nanoseconds of Kubernetes' duration struct, which is ``{duration: 30s}`` in YAML."""
        if not isinstance(value, dict):
            return self._misfit(path, f'a mapping with the key "{HELD_DURATION}"', value, 0)
        self.unknown += [(*path, key) for key in value if key != HELD_DURATION]
        item = value.get(HELD_DURATION)
        return 0 if item is None else self._duration(item, (*path, HELD_DURATION))

    def _json_scalar(self, value: Any, shape: str) -> Any:
        if shape == "string":
            return value if isinstance(value, str) else None
        if isinstance(value, bool):
            return value if shape == "bool" else None
        if shape == "float":
            return value if isinstance(value, (int, float)) else None
        if self._is_stored and isinstance(value, float) and value.is_integer():
            value = int(value)
        is_whole = shape != "bool" and isinstance(value, int) and value in (INT32 if shape == "int32" else INT64)
        return value if is_whole else None

    def _yaml_scalar(self, value: Any, shape: str, path: Path) -> Any:
        """Return the scalar converted to this type like yaml.v3, or ``None`` if the type does not accept it."""
        if shape == "string":
            return self._source_text(value, path)
        if shape == "bool":
            return value if isinstance(value, bool) else _WORDS.get(value) if isinstance(value, str) else None
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return None
        if shape == "float":
            return value
        bounds = INT32 if shape == "int32" else INT64
        return int(value) if bounds.start <= value < bounds.stop else None

    def _source_text(self, value: Any, path: Path) -> str | None:
        """Return the source text of a scalar, so ``1.10`` stays ``1.10``; ``None`` for a list or mapping."""
        if isinstance(value, (dict, list)):
            return None
        if isinstance(value, str):
            return value
        text = self._text(path) if self._text is not None else None
        return str(value) if text is None else text

    def _misfit(self, path: Path, expected: str, value: Any, zero: Any) -> Any:
        self.misfits.append(Misfit(path, expected, kind_of(value)))
        return zero
