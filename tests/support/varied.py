"""Projects drawn from the models: every kind plain, with each of its fields, at each bound, with each pair of fields.

A project holds the resource that is varied, and all that it refers to. What a CEL rule asks for besides is added where
it can be found; the others are refused at admission, as their bounds may be.
"""

from __future__ import annotations

import copy
import itertools
import random
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml
from plain_value import COMPANIONS, NAME, OBJECTS, plain, plain_object, text

from mcpcfg.compiler.admission._shapes import KINDS as POSITIONS
from mcpcfg.compiler.admission.table import checks_of
from mcpcfg.compiler.admission.violation import Sort, Violation
from mcpcfg.compiler.generate.declaration import DeclarationReader
from mcpcfg.compiler.generate.model import Model, Value
from mcpcfg.compiler.models.kind import kinds_of
from mcpcfg.compiler.toolhive.profile import TOOLHIVE
from mcpcfg.compiler.toolhive.release import OLDEST

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_READER = DeclarationReader(of_crd=False, release=OLDEST)
_SPECS = {kind.name: _READER.model(kind.spec) for kind in kinds_of(OLDEST)}
_CERTIFICATE = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"
_POLICY = "permit(principal, action, resource);"
ODD = (
    *("${UNKNOWN}", "$ref", "{{.x}}", "<<", "a\tb\n\tc", '"', "ünï", "."),
    *("0s", "-5m", "0", "-1", "1e30", "5Ki", "true"),
    *("ftp://there", "http://there", "https://there/a?b#c", "http://127.0.0.1:1", "there:port", "/a/../b", "a,b"),
    *("Host", "X-Forwarded-For", "authorization", "A=B", "Upper", "name.with.dots", "mcp_tool"),
)
"""Texts that some field does not take, whatever it is for."""


class Varied(NamedTuple):
    """A project that differs in one respect from the plainest one of its kind.

    Attributes:
        name: The kind and what is different, such as ``MCPServer.proxyPort=65535``.
        text: Its resources as YAML.
    """

    name: str
    text: str


def varied(sample: int | None = None, *, kinds: Sequence[str] = tuple(_SPECS), seed: int = 0) -> Iterator[Varied]:
    """Yield projects, the same in every run.

    Args:
        sample: How many, drawn evenly from all; all where it is ``None``.
        kinds: The kinds that are varied.
        seed: Of the draw.
    """
    drawn = list(_drawn(kinds))
    if sample is not None and sample < len(drawn):
        places = sorted(random.Random(seed).sample(range(len(drawn)), sample))
        drawn = [drawn[place] for place in places]
    for kind, label, spec in drawn:
        varying = label.rpartition(".")[2].partition("=")[0].split("+")
        own = _completed(_resource(kind, "varied", spec), varying)
        yield Varied(f"{kind}{label}", yaml.safe_dump_all([*_around(own), own], sort_keys=False))


def names() -> list[str]:
    """Return the names of all projects, which are not made for it."""
    return [f"{kind}{label}" for kind, label, _ in _drawn(tuple(_SPECS))]


def _drawn(kinds: Sequence[str]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    return ((kind, label, spec) for kind in kinds for label, spec in _objects(_SPECS[kind], ()))


def _objects(model: Model, above: tuple[str, ...]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the objects of a model: the plainest, with each value of each field, with each two optional fields."""
    base = plain_object(model)
    if model.name in above:
        return
    yield "", base
    for field in model.fields:
        for label, value in _values(field.value, model, field.key, above):
            yield f".{field.key}{label}", _beside(base | {field.key: value}, model, (field.key,))
    optional = [field for field in model.fields if not field.required]
    for one, other in itertools.combinations(optional, 2):
        pair = {field.key: plain(field.value, model, field.key) for field in (one, other)}
        yield f".{one.key}+{other.key}", _beside(base | pair, model, tuple(pair))
    for one, other in itertools.permutations(model.fields, 2):
        for choice in one.value.enum if not other.required else ():
            pair = {one.key: choice, other.key: plain(other.value, model, other.key)}
            yield f".{one.key}={choice}+{other.key}", _beside(base | pair, model, tuple(pair))


def _beside(data: dict[str, Any], model: Model, varying: Sequence[str]) -> dict[str, Any]:
    """Return an object with the companions of the fields that are varied, but for those that are varied themselves."""
    companions = {key: value for one in varying for key, value in COMPANIONS.get(f"{model.name}.{one}", {}).items()}
    data = data | {key: value for key, value in companions.items() if key not in varying}
    return {key: value for key, value in data.items() if value is not None}


def _values(value: Value, model: Model, key: str, above: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """Yield what may stand in a field, each with what it differs in."""
    if value.models:
        for branch in value.models:
            yield from _objects(branch, (*above, model.name))
    elif value.type == "list" and value.items is not None:
        yield from _lists(value, model, key, above)
    elif value.type == "map" and value.items is not None:
        yield "={}", {}
        for label, item in _values(value.items, model, key, above):
            yield label, {"some-key" if value.items.type == "string" else NAME: item}
    elif value.type in {"object", "any"}:
        yield from ((f"={position}", one) for position, one in enumerate(OBJECTS.get(key, ({},))))
    elif value.type == "boolean":
        yield from (("=true", True), ("=false", False))
    elif value.type == "string":
        yield from ((f"={one if len(one) < 60 else len(one)}", one) for one in _texts(value, model, key))
    else:
        yield from ((f"={one}", one) for one in _numbers(value))


def _lists(value: Value, model: Model, key: str, above: tuple[str, ...]) -> Iterator[tuple[str, list[Any]]]:
    assert value.items is not None
    one = plain(value.items, model, key)
    for size in dict.fromkeys((0, 2, value.min_items or 1, value.max_items or 1, (value.max_items or 0) + 1)):
        yield f"={size} items", [_apart(one, position) for position in range(size)]
    yield "=twice the same", [one, one]
    for label, item in _values(value.items, model, key, above):
        yield label, [item]


def _apart(item: Any, position: int) -> Any:
    """Return an item that differs from those before it in its name or id."""
    if isinstance(item, dict):
        keys = [key for key in ("name", "id", "workload") if isinstance(item.get(key), str) and item[key] != NAME]
        return item | {key: f"{item[key]}{position or ''}" for key in keys}
    return f"{item}{position or ''}" if isinstance(item, str) else item


def _texts(value: Value, model: Model, key: str) -> Iterator[str]:
    fitting = text(value, model, key)
    yield from dict.fromkeys((fitting, *value.enum, ""))
    if value.reference is not None:
        yield "nowhere"
    if value.max_length is not None:
        yield from (fitting[0] * value.max_length, fitting[0] * (value.max_length + 1))
    if not value.enum:
        yield from (f"{fitting} two", *ODD)


def _numbers(value: Value) -> Iterator[float]:
    bounds = [bound for bound in (value.minimum, value.maximum) if bound is not None]
    steps = (-1, 0, 1)
    found = dict.fromkeys([0, 1, *(bound + step for bound in bounds for step in steps)])
    yield from (float(one) if value.type == "number" else int(one) for one in found)


def _resource(kind: str, name: str, spec: dict[str, Any]) -> dict[str, Any]:
    return {
        "apiVersion": f"{TOOLHIVE.api_group}/v1alpha1",
        "kind": kind,
        "metadata": {"name": name},
        "spec": copy.deepcopy(spec),
    }


def _faults(resource: dict[str, Any]) -> list[Violation]:
    faults: list[Violation] = []
    checks_of(TOOLHIVE).checks.check(POSITIONS[resource["kind"]])(resource, faults)
    return [one for one in faults if one.sort is not Sort.PLACEHOLDER]


def _completed(resource: dict[str, Any], varying: Sequence[str]) -> dict[str, Any]:
    """Return a resource with what its CEL rules ask for, as long as a field or two are enough for each."""
    for _ in range(5):
        faults = _faults(resource)
        rule = next((one for one in faults if one.sort is Sort.RULE), None)
        if rule is None:
            break
        model, path = _model_at(resource["kind"], rule.path[::-1])
        found: dict[str, Any] | None = None
        for tried in _with_choices(resource, path, [one for one in _choices(model) if one[0] not in varying]):
            left = _faults(tried)
            if len(left) < len(faults):
                found = tried
                break
            if found is None and len(left) == len(faults) and all(one.detail != rule.detail for one in left):
                found = tried
        if found is None:
            break
        resource = found
    return resource


def _with_choices(
    resource: dict[str, Any], path: list[str | int], choices: list[tuple[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Yield a resource with one of the values at a path, then with two."""
    for chosen in itertools.chain(*(itertools.combinations(choices, count) for count in (1, 2))):
        tried = copy.deepcopy(resource)
        place: Any = tried
        for step in path:
            place = place[step]
        place.update({key: value for key, value in chosen if key not in place or isinstance(value, str)})
        yield tried


def _model_at(kind: str, path: list[str | int]) -> tuple[Model, list[str | int]]:
    """Return the innermost object at or above a path, with its own path."""
    value: Value | None = Value(type="object", model=_SPECS[kind])
    model, own = _SPECS[kind], 1
    for position, step in enumerate(path[1:], start=2):
        if value is None:
            break
        value = value.models[0].field(str(step)).value if value.models else value.items
        if value is not None and value.models:
            model, own = value.models[0], position
    return model, path[:own]


def _choices(model: Model) -> list[tuple[str, Any]]:
    """Return values of a model's fields: the plainest, each text of an enumeration, and objects with such texts."""
    found: list[tuple[str, Any]] = []
    for field in model.fields:
        value = field.value
        found += [(field.key, one) for one in value.enum or (plain(value, model, field.key),)]
        found += [
            (field.key, plain_object(below) | {inner.key: one})
            for below in value.models
            for inner in below.fields
            for one in inner.value.enum
        ]
    return found


def _around(own: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what a resource refers to, and what that does."""
    wanted, found = [own["kind"]], dict[str, list[dict[str, Any]]]()
    for kind in wanted:
        objects = [own] if own["kind"] == kind and not found else found[kind]
        below = {name for one in objects for name in _referred(_SPECS.get(kind), one.get("spec"))}
        for name in sorted(below - found.keys()):
            found[name] = _declared(name)
            wanted.append(name)
    if own["kind"] == "VirtualMCPServer":
        member = _resource("MCPServer", "member", plain_object(_SPECS["MCPServer"]) | {"groupRef": {"name": NAME}})
        found["member"] = [member]
    return [one for objects in found.values() for one in objects]


def _referred(model: Model | None, data: Any) -> Iterator[str]:
    """Yield the kinds that the fields of an object refer to."""
    if model is None or not isinstance(data, dict):
        return
    for field in model.fields:
        if field.key in data:
            yield from _referred_by(field.value, data[field.key])


def _referred_by(value: Value, data: Any) -> Iterator[str]:
    if value.reference is not None:
        yield value.reference.kind
    if value.items is not None and isinstance(data, list | dict):
        for item in data.values() if isinstance(data, dict) else data:
            yield from _referred_by(value.items, item)
    for model in value.models:
        yield from _referred(model, data)


def _declared(kind: str) -> list[dict[str, Any]]:
    """Return the resources of a kind that others may refer to."""
    if kind in {"Secret", "ConfigMap", "ServiceAccount"}:
        held = {
            "Secret": {"stringData": {"key": "0123456789abcdef0123456789abcdef"}},
            "ConfigMap": {
                "data": {
                    "key": "value",
                    "ca.crt": _CERTIFICATE,
                    "profile.json": '{"network": {"outbound": {"insecure_allow_all": true}}}',
                    "authz.json": f'{{"version":"1.0","type":"cedarv1","cedar":{{"policies":["{_POLICY}"]}}}}',
                }
            },
        }
        return [{"apiVersion": "v1", "kind": kind, "metadata": {"name": NAME}, **held.get(kind, {})}]
    found = [_completed(_resource(kind, NAME, plain_object(_SPECS[kind])), ())]
    if kind == "MCPExternalAuthConfig":
        found.append(_completed(_resource(kind, "login", {"type": "embeddedAuthServer"}), ["type"]))
    return found
