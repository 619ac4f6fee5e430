"""Plain data in the shape that Go writes it in: keys in order of declaration, empty ones left out where Go does."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from mcpcfg.schemas._emission import STRUCTS

from .golang.duration import DurationError, format_duration, parse_duration
from .golang.value import SortedMap, json_numbers

Form: TypeAlias = Literal["json", "yaml"]

_ZERO: dict[str, Any] = {"string": "", "bool": False, "int": 0, "float": 0, "duration_text": "0s", "duration": 0}
_EMPTY: dict[str, dict[str, Any]] = {}
_FORMS: dict[str, Form] = {"VMCPConfig": "yaml"}


def shape(value: dict[str, Any], model: str, form: Form | None = None) -> dict[str, Any]:
    """Give ``value`` as Go writes a value of ``model``.

    Keys that the model does not have are left out, as Go does not decode them; durations get Go's normal form.

    Args:
        value: Plain data; ``None`` and a missing key are the same.
        model: The name of the model: ``VMCPConfig``, ``RunConfig``.
        form: What it is written as; that of the model's own file unless told otherwise. YAML leaves an empty struct
            out where JSON writes it, and writes a list or map that is nil as an empty one where JSON writes null.
    """
    return _Shaper(form or _FORMS.get(model, "json")).struct(value, model)


class _Shaper:
    def __init__(self, form: Form) -> None:
        self._is_yaml = form == "yaml"

    def struct(self, value: dict[str, Any], model: str) -> dict[str, Any]:
        out = {}
        for key, kind, always in STRUCTS[model]:
            given = value.get(key)
            if given is None:
                if always:
                    out[key] = self._zero(kind)
                continue
            shaped = self._shaped(given, kind)
            if always or not self._is_empty(shaped, kind):
                out[key] = shaped
        return out

    def _shaped(self, value: Any, kind: Any) -> Any:
        if isinstance(kind, str):
            return self._scalar(value, kind)
        word, inner = kind
        if value is None:
            return self._zero(kind)
        if word == "ptr":
            return self._shaped(value, inner)
        if word == "struct":
            return self.struct(value, inner)
        if word == "list":
            return [self._shaped(item, inner) for item in value]
        return SortedMap((key, self._shaped(item, inner)) for key, item in value.items())

    def _scalar(self, value: Any, kind: str) -> Any:
        if kind == "any":
            return json_numbers(value) if self._is_yaml else value
        if value is None:
            return _ZERO[kind]
        if kind in ("duration", "duration_text") and isinstance(value, str):
            try:
                nanoseconds = parse_duration(value)
            except DurationError:
                return value
            return nanoseconds if kind == "duration" else format_duration(nanoseconds)
        if kind == "int" and isinstance(value, float) and value.is_integer():
            return int(value)
        return value

    def _zero(self, kind: Any) -> Any:
        if isinstance(kind, str):
            return _ZERO.get(kind)
        word, inner = kind
        if word == "struct":
            return self.struct({}, inner)
        if self._is_yaml and word != "ptr":
            return [] if word == "list" else {}
        return None

    def _empty(self, model: str) -> dict[str, Any]:
        """Give what a struct comes to that is given nothing; it is only to be compared with."""
        if model not in _EMPTY:
            _EMPTY[model] = _Shaper("yaml").struct({}, model)
        return _EMPTY[model]

    def _is_empty(self, value: Any, kind: Any) -> bool:
        if isinstance(kind, str):
            return value is None or (kind != "any" and value == _ZERO[kind])
        word, inner = kind
        if word == "ptr":
            return value is None
        if word == "struct":
            return self._is_yaml and value == self._empty(inner)
        return not value
