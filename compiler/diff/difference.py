"""Compare two sets of compiled objects, object by object and field by field."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.secret.text import masked_path
from ..diagnostics.secret.value import without_secrets
from ..diagnostics.shown import in_one_line
from ..diagnostics.span import Path, pointer
from ..reading.document import read_documents
from ..toolhive.constants import AUTHZ_KEY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

Object: TypeAlias = dict[str, Any]
Identity: TypeAlias = tuple[str, str, str]
"""Namespace, kind and name of an object."""

MISSING: Any = object()
"""Stands for the value at a path that only the other object has."""

CHECKSUMS = ("checksum", "-hash")
"""Suffixes of annotations with hashes of other values. Their changes are not reported."""

_LONGEST = 120
"""Maximum characters of a value in a report, so a change stays readable on a line."""
_BEFORE = 30
"""Characters of a long value before the first difference, as context."""


class ValueChange(NamedTuple):
    """A changed value at a path of an object. ``old`` or ``new`` is ``MISSING`` if one object has no value there."""

    path: Path
    old: Any
    new: Any

    @property
    def pointer(self) -> str:
        """The path as a JSON Pointer. Secrets that occur in keys are masked."""
        return pointer(masked_path(self.path))

    @property
    def shown(self) -> tuple[str, str]:
        """The old and the new value, each on one line. Long values are cut to the part that differs."""
        old, new = _value_text(self.old), _value_text(self.new)
        same = next((i for i, (left, right) in enumerate(zip(old, new, strict=False)) if left != right), 0)
        start = max(0, same - _BEFORE) if max(len(old), len(new)) > _LONGEST else 0
        return _cut(old, start), _cut(new, start)


class ObjectChange(NamedTuple):
    """A changed object.

    Attributes:
        identity: Namespace, kind and name.
        fields: Changed fields; empty for an added or removed object.
        file: The file that the object is compiled from, if the file is isolated from the others; otherwise empty.
        cluster: Cluster of the object, if the project has several; otherwise empty.
    """

    identity: Identity
    change: Literal["added", "removed", "changed"]
    fields: tuple[ValueChange, ...]
    effects: tuple[str, ...]
    file: str = ""
    cluster: str = ""


def identity(compiled: Object) -> Identity:
    """Return namespace, kind and name of an object."""
    metadata = compiled["metadata"]
    return (metadata.get("namespace", ""), compiled["kind"], metadata["name"])


def compare(old: Iterable[Object], new: Iterable[Object]) -> list[ObjectChange]:
    """Return the changes between two sets of objects, sorted by namespace, kind and name."""
    before = {identity(compiled): compiled for compiled in old}
    after = {identity(compiled): compiled for compiled in new}
    changes: list[ObjectChange] = []
    for key in sorted(before.keys() | after.keys()):
        if key not in before:
            changes.append(ObjectChange(key, "added", (), effects_of_new(after[key])))
        elif key not in after:
            changes.append(ObjectChange(key, "removed", (), _effects_of_removal(before[key])))
        elif before[key] != after[key]:
            fields = tuple(_fields(_Side.of(before[key]), _Side.of(after[key]), ()))
            changes.append(ObjectChange(key, "changed", fields, tuple(effects(key, fields, after[key]))))
    return changes


class _Side(NamedTuple):
    """A value of one object, and the same value without secrets. `ValueChange` gets only the second."""

    value: Any
    shown: Any

    @classmethod
    def of(cls, value: Any) -> _Side:
        return cls(value, without_secrets(value))

    def at(self, key: Any) -> _Side:
        """Return the part at ``key``; ``MISSING`` if there is none."""
        is_there = not isinstance(self.value, dict) or key in self.value
        return _Side(self.value[key], self.shown[key]) if is_there else _Side(MISSING, MISSING)

    def by(self, name: str) -> _Side:
        """Return a list as a mapping from the values of the field ``name`` to the items."""
        keys = [item[name] for item in self.value]
        return _Side(dict(zip(keys, self.value, strict=True)), dict(zip(keys, self.shown, strict=True)))


def _fields(old: _Side, new: _Side, path: Path) -> Iterator[ValueChange]:
    if isinstance(old.value, dict) and isinstance(new.value, dict):
        for key in sorted(old.value.keys() | new.value.keys()):
            yield from _fields(old.at(key), new.at(key), (*path, key))
    elif isinstance(old.value, list) and isinstance(new.value, list) and (name := _list_key(old.value, new.value)):
        yield from _fields(old.by(name), new.by(name), path)
    elif old.value != new.value:
        inner = _embedded(old.value, path), _embedded(new.value, path)
        if isinstance(inner[0], dict) and isinstance(inner[1], dict):
            yield from _fields(_Side.of(inner[0]), _Side.of(inner[1]), path)
        elif not (path and isinstance(path[-1], str) and path[-1].endswith(CHECKSUMS)):
            yield ValueChange(path, old.shown, new.shown)


def _list_key(*lists: list[Any]) -> str | None:
    for key in ("name", "type"):
        if all(_is_key(items, key) for items in lists):
            return key
    return None


def _is_key(items: list[Any], key: str) -> bool:
    # A repeated name identifies nothing, so such lists are compared as a whole.
    values = [item.get(key) if isinstance(item, dict) else None for item in items]
    return all(isinstance(value, str) for value in values) and len(set(values)) == len(values)


def _embedded(text: Any, path: Path) -> Any:
    """Return the data of a JSON or YAML file in a ConfigMap, to compare its fields, and any other value unchanged."""
    if not isinstance(text, str) or path[:1] != ("data",) or len(path) != 2:
        return text
    name = str(path[1])
    if name.endswith(".json"):
        try:
            return json.loads(text)
        except ValueError:
            return text
    if name.endswith((".yaml", ".yml")):
        documents, findings = read_documents(text, name)
        if len(documents) == 1 and not findings:
            return documents[0].data
    return text


def effects(key: Identity, fields: Iterable[ValueChange], compiled: Mapping[str, Any]) -> Iterator[str]:
    """Yield the effects of an object's changes on its users, as distinct clauses, most severe first."""
    kind = key[1]
    distinct: dict[str, None] = {}
    changed = list(fields)
    for check in (_permissions, _authentication, _images, _ports, _replicas):
        for effect in check(kind, changed):
            distinct[effect] = None
    restarts = kind in ("Deployment", "StatefulSet") and any(
        field.path[:2] == ("spec", "template") for field in changed
    )
    if kind in ("Deployment", "StatefulSet") and (restarts or _has_checksum(compiled)):
        distinct["pods restart"] = None
    yield from distinct


def _has_checksum(compiled: Mapping[str, Any]) -> bool:
    """Return whether the pod template has a checksum. Its changes restart the pods, although they are not reported."""
    annotations = compiled["spec"]["template"].get("metadata", {}).get("annotations") or {}
    return any(name.endswith(CHECKSUMS) for name in annotations)


def effects_of_new(compiled: Object) -> tuple[str, ...]:
    """Return the effects of a new object on its users, as clauses."""
    if compiled["kind"] in ("Role", "ClusterRole"):
        return ("permission widens: a new role",)
    if compiled["kind"] == "Service":
        ports = ", ".join(str(port["port"]) for port in compiled["spec"]["ports"])
        return (f"port changes: {ports} opens",)
    return ("pods start",) if compiled["kind"] in ("Deployment", "StatefulSet") else ()


def _effects_of_removal(compiled: Object) -> tuple[str, ...]:
    if compiled["kind"] in ("Deployment", "StatefulSet"):
        return ("pods stop",)
    return ("port changes: the address goes",) if compiled["kind"] == "Service" else ()


def _permissions(kind: str, fields: list[ValueChange]) -> Iterator[str]:
    for field in fields:
        path = field.path
        if kind == "Role" and path[:1] == ("rules",):
            yield "permission changes: " + ("rules differ" if len(path) == 1 else pointer(masked_path(path)))
        elif "insecure_allow_all" in path:
            yield "permission widens: all hosts can be reached" if field.new is True else "permission narrows"
        elif "permission_profile" in path and path[-1] != "name":
            yield "permission changes: the permission profile differs"
        elif path[-1:] in (("privileged",), ("allowPrivilegeEscalation",), ("hostNetwork",), ("hostPID",)):
            yield f"permission {'widens' if field.new is True else 'narrows'}: {path[-1]}"
        elif "hostPath" in path:
            yield "permission changes: a path of the node is mounted otherwise"


AUTHENTICATION = {
    "oidc_config",
    "token_exchange_config",
    "authz_config",
    "remote_auth_config",
    "aws_sts_config",
    "embedded_auth_server_config",
    "incomingAuth",
    "outgoingAuth",
    "header_forward",
    "upstreams",
}
"""Fields of a RunConfig, a vMCP configuration or an auth server's configuration that decide authentication."""


def _authentication(kind: str, fields: list[ValueChange]) -> Iterator[str]:
    if kind == "ConfigMap":
        for field in fields:
            section = next((step for step in field.path if step in AUTHENTICATION), None)
            if section is not None:
                yield f"auth changes: {section}"
            elif field.path[-1:] == (AUTHZ_KEY,):
                yield "auth changes: the authorization policies"


def _images(_: str, fields: list[ValueChange]) -> Iterator[str]:
    for field in fields:
        if field.path[-1:] == ("image",):
            yield f"image changes: {_one_line(field.old)} to {_one_line(field.new)}"


def _ports(kind: str, fields: list[ValueChange]) -> Iterator[str]:
    if kind in ("Service", "Deployment", "StatefulSet"):
        numbers: tuple[list[str], list[str]] = ([], [])
        for field in fields:
            if "ports" in field.path:
                numbers[0].extend(_port_numbers(field.old))
                numbers[1].extend(_port_numbers(field.new))
        if numbers != ([], []):
            yield f"port changes: {', '.join(numbers[0]) or 'none'} to {', '.join(numbers[1]) or 'none'}"


def _port_numbers(value: Any) -> list[str]:
    if isinstance(value, int):
        return [str(value)]
    if isinstance(value, dict):
        return _port_numbers(value.get("port", value.get("containerPort")))
    return [number for item in value for number in _port_numbers(item)] if isinstance(value, list) else []


def _replicas(kind: str, fields: list[ValueChange]) -> Iterator[str]:
    if kind in ("Deployment", "StatefulSet"):
        for field in fields:
            if field.path == ("spec", "replicas"):
                yield f"replicas change: {_one_line(field.old)} to {_one_line(field.new)}"


def _one_line(value: Any) -> str:
    return _cut(_value_text(value), 0)


def _value_text(value: Any) -> str:
    if value is MISSING:
        return "nothing"
    return in_one_line(value, by_key=True)


def _cut(text: str, start: int) -> str:
    before = "…" if start else ""
    end = start + _LONGEST - len(before)
    return before + text[start:] if len(text) <= end else f"{before}{text[start : end - 1]}…"
