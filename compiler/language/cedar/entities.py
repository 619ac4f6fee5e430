"""Parser of the entities of a policy set: a JSON list, parsed as the proxy does.

Source: cedar-go v1.6, package ``types`` (``Entity``, ``EntityUID``, ``Record``, ``Set``), with Go's ``encoding/json``:
member names ignore case, the last duplicate wins, and unknown members are ignored.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NoReturn, Self

from ..fault import FaultError
from ..trampoline import Step, run
from .extension import PARSERS
from .syntax import EntityId

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ...diagnostics.fault import Flaw

_LARGEST: Final = (1 << 63) - 1
"""The largest integer of Cedar, which has 64 bits."""


@dataclass(frozen=True, slots=True)
class Extension:
    """A value of an extension type: ``decimal``, ``ip``, ``datetime`` or ``duration``."""

    function: str
    text: str


@dataclass(frozen=True, slots=True)
class EntityData:
    """An entity. Its attributes and tags contain plain data, ``EntityId`` and ``Extension``."""

    id: EntityId
    attributes: Mapping[str, Any] = field(default_factory=dict)
    tags: Mapping[str, Any] = field(default_factory=dict)
    parents: tuple[EntityId, ...] = ()


class _Members(list[tuple[str, Any]]):
    """The members of a JSON object in their order, including duplicates."""

    def find(self, name: str) -> tuple[bool, Any]:
        """Return whether a member is called ``name``, and the value of the last such member, or ``None``.

        Names are compared without case, and ``name`` is in lower case.
        """
        return next(((True, value) for key, value in reversed(self) if key.casefold() == name), (False, None))


class _InvalidEntity(Exception):  # noqa: N818 - it becomes a fault
    """The proxy refuses a value in an entity. The message contains the reason."""


def entities_faults(text: str) -> list[Flaw]:
    """Return the faults for which the proxy would not load ``text`` as entities. It loads an empty text."""
    try:
        parse_entities(text)
    except FaultError as error:
        return list(error.faults)
    return []


def parse_entities(text: str) -> tuple[EntityData, ...]:
    """Return the entities in ``text``. If several have the same type and id, only the last is returned.

    Raises:
        FaultError: The proxy would not load the text. The fault is at the refused entity or character.
    """
    if not text:
        return ()
    items = _list(text)
    entities: dict[tuple[str, str], EntityData] = {}
    for index, item in enumerate(items):
        try:
            entity = _entity(item)
        except _InvalidEntity as refused:
            message = f"entity {index}: {refused}"
            raise FaultError.at(text, _offset_of_item(text, index), message) from None
        entities[entity.id.type, entity.id.id] = entity
    return tuple(entities.values())


def _list(text: str) -> list[Any]:
    try:
        value = json.loads(text, object_pairs_hook=_Members, parse_constant=_refuse_constant, parse_int=_Integer)
    except json.JSONDecodeError as error:
        ends = error.pos >= len(text.rstrip()) or not text.strip()
        message = (
            "the JSON text ends too early" if ends else f"this is not JSON: {error.msg[:1].lower()}{error.msg[1:]}"
        )
        raise FaultError.at(text, error.pos, message) from None
    except _InvalidEntity as refused:
        raise FaultError.at(text, 0, str(refused)) from None
    except RecursionError:
        raise FaultError.at(text, 0, "the JSON text nests too deep") from None
    if value is None:
        return []
    if not isinstance(value, list) or isinstance(value, _Members):
        raise FaultError.at(text, 0, f"the entities must be a JSON list, this is {_kind(value)}", "write [], or a list")
    return value


class _Integer(int):
    """An integer literal.

    A literal of 25 or more digits becomes 2**64, which Cedar refuses too. Python converts long literals slowly.
    """

    def __new__(cls, digits: str) -> Self:
        return super().__new__(cls, digits if len(digits) < 25 else 1 << 64)


def _refuse_constant(name: str) -> NoReturn:
    raise _InvalidEntity(f"{name} is not JSON")


def _offset_of_item(text: str, item_index: int) -> int:
    decoder = json.JSONDecoder()
    at = text.index("[") + 1
    for index in range(item_index + 1):
        while text[at] in " \t\r\n,":
            at += 1
        if index < item_index:
            at = decoder.raw_decode(text, at)[1]
    return at


def _entity(item: Any) -> EntityData:
    if item is None:
        return EntityData(EntityId("", ""))
    if not isinstance(item, _Members):
        raise _InvalidEntity(f"it must be an object, this is {_kind(item)}")
    uid, attributes, tags, parents = (item.find(name) for name in ("uid", "attrs", "tags", "parents"))
    return EntityData(
        _id(uid[1], "uid") if uid[0] else EntityId("", ""),
        _record(attributes[1], "attrs"),
        _record(tags[1], "tags"),
        _parents(parents[1]),
    )


def _id(value: Any, place: str) -> EntityId:
    if isinstance(value, str):
        raise _InvalidEntity(f'{place} must be an object such as {{"type": "Tool", "id": "weather"}}, this is a string')
    if not isinstance(value, _Members):
        raise _InvalidEntity(
            f'{place} must be an object such as {{"type": "Tool", "id": "weather"}}, this is {_kind(value)}'
        )
    reference = _reference(value)
    if reference is not None:
        return reference
    kind, name = value.find("type")[1], value.find("id")[1]
    if kind is None or name is None:
        raise _InvalidEntity(f'{place} needs a "type" and an "id"')
    return EntityId(kind, name)


def _reference(value: _Members) -> EntityId | None:
    """Return the id in ``{"__entity": {"type": …, "id": …}}``, or ``None`` if ``__entity`` is missing or null."""
    for name in ("type", "id"):
        if not isinstance(value.find(name)[1], str | None):
            raise _InvalidEntity(f"{name!r} must be a string")
    inner = value.find("__entity")[1]
    if inner is None:
        return None
    if not isinstance(inner, _Members):
        raise _InvalidEntity('"__entity" must be an object')
    parts = [inner.find(name)[1] for name in ("type", "id")]
    if not all(isinstance(part, str | None) for part in parts):
        raise _InvalidEntity('"__entity" needs strings for "type" and "id"')
    return EntityId(parts[0] or "", parts[1] or "")


def _parents(value: Any) -> tuple[EntityId, ...]:
    if value is None:
        return ()
    if not isinstance(value, list) or isinstance(value, _Members):
        raise _InvalidEntity(f"parents must be a list, this is {_kind(value)}")
    return tuple(_id(parent, f"parent {index}") for index, parent in enumerate(value))


def _record(value: Any, place: str) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, _Members):
        raise _InvalidEntity(f"{place} must be an object, this is {_kind(value)}")
    return {name: run(_value(member, f"{place}.{name}")) for name, member in value}


def _value(value: Any, place: str) -> Step[Any]:
    match value:
        case _Members():
            return (yield _object(value, place))
        case list():
            items = []
            for index, item in enumerate(value):
                items.append((yield _value(item, f"{place}[{index}]")))
            return items
        case str() | bool():
            return value
        case _Integer() if -_LARGEST - 1 <= value <= _LARGEST:
            return int(value)
        case _:
            raise _InvalidEntity(f"{place} is {_kind(value)}; Cedar knows booleans, strings and integers of 64 bits")


def _object(value: _Members, place: str) -> Step[Any]:
    extension = _extension(value, place)
    if extension is not None:
        return extension
    try:
        reference = _reference(value)
    except _InvalidEntity:
        reference = None
    if reference is not None:
        return reference
    members = {}
    for name, member in value:
        members[name] = yield _value(member, f"{place}.{name}")
    return members


def _extension(value: _Members, place: str) -> Extension | None:
    inner = value.find("__extn")[1]
    if not isinstance(inner, _Members):
        return None
    function, text = (inner.find(name)[1] for name in ("fn", "arg"))
    if not all(isinstance(part, str | None) for part in (function, text)):
        return None
    parse = PARSERS.get(function or "")
    if parse is None:
        raise _InvalidEntity(f"{place}: there is no extension {function or ''!r}")
    try:
        return Extension(function, parse(text or ""))
    except ValueError as error:
        raise _InvalidEntity(f"{place}: {error}") from None


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, str):
        return "a string"
    if isinstance(value, _Members):
        return "an object"
    if isinstance(value, list):
        return "a list"
    return "an integer of more than 64 bits" if isinstance(value, int) else "a number with a fraction or an exponent"


def by_id(entities: Iterable[EntityData]) -> dict[tuple[str, str], EntityData]:
    """Return entities by type and id. If several have the same type and id, the last one is in the result."""
    return {(entity.id.type, entity.id.id): entity for entity in entities}
