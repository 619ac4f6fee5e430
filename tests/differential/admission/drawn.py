"""Objects drawn from the schemas of CRDs, most of them with a fault or two."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Mapping

TEXTS = (
    *("", "a", "Example", "a-b", "30s", "1h30m", "5", "0.5", "https://example.com/a", "http://example.com", "/a"),
    *("a.example.com", "2024-01-02T03:04:05Z", "10Gi", "100m", "10.0.0.1", "::1", "10.0.0.0/8", "aGVsbG8=", "a@b.c"),
    *("arn:aws:iam::123456789012:role/a", "eu-central-1", "ü", "a" * 300, "True", "null", "*", "v1"),
)
NUMBERS = (0, 1, -1, 2, 80, 8080, 65535, 65536, 2**31, -(2**31) - 1, 2**63 - 1, 0.5, 5.0, 1e30)
WRONG: tuple[Any, ...] = (None, True, 7, 1.5, "text", [], {}, [None], {"a": None}, ["a", "a"], {"b": {"c": 1}})
_DEEPEST = 12


def objects(crd: Mapping[str, Any], count: int, source: random.Random) -> Iterator[dict[str, Any]]:
    """Yield objects of a CRD, of each of its versions."""
    spec = crd["spec"]
    for number in range(count):
        version = spec["versions"][number % len(spec["versions"])]
        schema = version["schema"]["openAPIV3Schema"]
        drawn = _value(schema, source, 0)
        one = drawn if isinstance(drawn, dict) else {}
        one |= {
            "apiVersion": f"{spec['group']}/{version['name']}",
            "kind": spec["names"]["kind"],
            "metadata": {"name": "drawn"},
        }
        yield mutated(one, source, source.choice((0, 0, 1, 1, 2)))


def mutated(one: dict[str, Any], source: random.Random, faults: int) -> dict[str, Any]:
    """Return an object with some faults below its identity."""
    out = copy.deepcopy(one)
    for _ in range(faults):
        places = [place for key in out if key in ("spec", "status") for place in _places(out, key)]
        if places:
            _spoil(*source.choice(places), source)
    return out


def _places(holder: Any, key: Any) -> Iterator[tuple[Any, Any]]:
    yield holder, key
    value = holder[key]
    if isinstance(value, dict):
        for name in value:
            yield from _places(value, name)
    elif isinstance(value, list):
        for position in range(len(value)):
            yield from _places(value, position)


def _spoil(holder: Any, key: Any, source: random.Random) -> None:
    kind = source.choice(("typo", "remove", "null", "wrong", "text", "number", "repeat", "extra"))
    value = holder[key]
    if kind == "typo" and isinstance(holder, dict):
        holder[f"{key}x" if source.random() < 0.5 else str(key).swapcase()] = holder.pop(key)
    elif kind == "remove":
        del holder[key]
    elif kind == "null":
        holder[key] = None
    elif kind == "wrong":
        holder[key] = copy.deepcopy(source.choice(WRONG))
    elif kind == "number" or (kind == "text" and isinstance(value, int | float)):
        holder[key] = source.choice(NUMBERS)
    elif kind == "text":
        holder[key] = source.choice(TEXTS)
    elif kind == "repeat" and isinstance(value, list) and value:
        value.append(copy.deepcopy(value[0]))
    elif kind == "extra" and isinstance(value, dict):
        value["extra"] = source.choice(TEXTS)


def _value(schema: Mapping[str, Any], source: random.Random, depth: int) -> Any:
    if schema.get("enum") and source.random() < 0.95:
        return copy.deepcopy(source.choice(schema["enum"]))
    kind = schema.get("type")
    if kind == "object":
        return _object(schema, source, depth)
    if kind == "array":
        few = schema.get("minItems", 0)
        most = min(schema.get("maxItems", 3), few + 2)
        return [_value(schema["items"], source, depth + 1) for _ in range(source.randint(few, max(few, most)))]
    if kind == "boolean":
        return source.random() < 0.5
    if kind in ("integer", "number"):
        bounds = [schema[one] for one in ("minimum", "maximum") if one in schema]
        return source.choice((*bounds, *bounds, 1, 2, source.choice(NUMBERS)))
    if kind == "string":
        return _text(schema, source)
    return copy.deepcopy(source.choice((*TEXTS[:6], *NUMBERS[:5], {"a": 1})))


def _text(schema: Mapping[str, Any], source: random.Random) -> str:
    import re2

    fitting = [one for one in TEXTS if "pattern" not in schema or re2.search(schema["pattern"], one)]
    if "maxLength" in schema:
        fitting = [one for one in fitting if len(one) <= schema["maxLength"]]
    fitting = [one for one in fitting if len(one) >= schema.get("minLength", 0)]
    return source.choice(fitting or TEXTS) if source.random() < 0.95 else source.choice(TEXTS)


def _object(schema: Mapping[str, Any], source: random.Random, depth: int) -> dict[str, Any]:
    fields: dict[str, Any] = schema.get("properties", {})
    if not fields:
        values = schema.get("additionalProperties")
        below = values if isinstance(values, dict) else {}
        return {name: _value(below, source, depth + 1) for name in source.sample(("a", "b-c", "d.e/f"), 2)}
    required = schema.get("required", ())
    chance = 0.5 if len(fields) < 8 else 0.25
    return {
        name: _value(below, source, depth + 1)
        for name, below in fields.items()
        if (name in required and source.random() < 0.98) or (depth < _DEEPEST and source.random() < chance)
    }
