"""Candidate rewrites of a value or key of a record. `RecordFixer` selects the one that removes the finding."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Literal

from ..admission.place import dotted
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.suggestion import folded, sure_match
from ..golang.duration import DurationError, parse_duration
from ..records.secret.reference import SecretReference, parse_secret
from ..toolhive.constants import RUN_CONFIG_VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ..diagnostics.span import Path
    from ..reading.document import Document

_NUMBER: Final = re.compile(r"-?(0|[1-9][0-9]{0,14})")
_SPACED_REFERENCE: Final = re.compile(r"\s*([^,\s]+)\s*,\s*target\s*=\s*([A-Za-z_][A-Za-z0-9_]*)\s*")
_PERCENT: Final = re.compile(r"(100|[1-9]?[0-9])\s?%")
_WORDS: Final = (
    *("stdio", "sse", "streamable-http", "fail", "ignore", "replace", "custom", "oidc", "oauth2", "memory", "redis"),
    *("cedarv1", "httpv1"),
)
_SCHEMAS: Final = ("registry", "registry-legacy", "server", "catalog-skill")


class RewriteSite(NamedTuple):
    """The value in a record that has a finding."""

    document: Document
    path: Path
    value: Any

    @property
    def key(self) -> str:
        """The last step of the path, as text."""
        return str(self.path[-1])

    @property
    def name(self) -> str:
        """The path as messages and titles show it."""
        return dotted(self.path)


class Rewrite(NamedTuple):
    """A candidate rewrite.

    Attributes:
        sort: ``put`` replaces the value, ``rename`` the key.
        value: The new value or key.
        title: Imperative sentence that names the effect, without values that may be secret.
        is_safe: True if the rewrite certainly keeps the meaning; otherwise a person has to review it.
    """

    sort: Literal["put", "rename"]
    value: Any
    title: str
    is_safe: bool = True


def other_types(place: RewriteSite) -> Iterator[Rewrite]:
    """Yield rewrites of the value to other types: number, boolean, string, list, duration or secret reference."""
    value = place.value
    if isinstance(value, str):
        yield from _types_of_text(place, value)
    elif isinstance(value, bool | int | float):
        yield from _types_of_scalar(place, value)
    elif isinstance(value, dict) and value.keys() == {"name", "target"}:
        reference = SecretReference(str(value["name"]), str(value["target"]))
        if parse_secret(str(reference)) == reference:
            yield Rewrite("put", str(reference), f"write {place.name} as NAME,target=VARIABLE")


def _types_of_text(place: RewriteSite, text: str) -> Iterator[Rewrite]:
    if _NUMBER.fullmatch(text):
        yield Rewrite("put", int(text), f"take {place.name} out of its quotes")
    if text.lower() in {"true", "false"}:
        yield Rewrite("put", text.lower() == "true", f"take {place.name} out of its quotes")
    reference = parse_secret(text)
    if reference is not None:
        yield Rewrite("put", reference._asdict(), f"write {place.name} as an object with name and target")
    nanoseconds = _nanoseconds(text) if place.key.lower() == "timeout" else None
    if nanoseconds is not None:
        yield Rewrite("put", nanoseconds, "write the timeout in nanoseconds")
    is_single = not any(char.isspace() or char == "," for char in text)
    yield Rewrite("put", [text], f"write {place.name} as a list", is_safe=is_single)


def _nanoseconds(text: str) -> int | None:
    try:
        return parse_duration(text)
    except DurationError:
        return None


def _types_of_scalar(place: RewriteSite, value: float) -> Iterator[Rewrite]:
    written = place.document.scalar(place.path)
    if written is not None:
        yield Rewrite("put", written, f"put {place.name} into quotes")
        if not isinstance(value, bool) and value > 0:
            yield Rewrite("put", f"{written}s", f"write {place.name} with its unit", is_safe=False)
    if isinstance(value, float) and value.is_integer() and abs(value) < 1 << 53:  # a float64 is exact up to here
        yield Rewrite("put", int(value), f"write {place.name} as a whole number")


def other_words(place: RewriteSite) -> Iterator[Rewrite]:
    """Yield rewrites to allowed words that differ from the value only in case and separators."""
    if not isinstance(place.value, str):
        return
    for word in sorted(_words()):
        if folded(word) == folded(place.value) and word != place.value:
            yield Rewrite("put", word, f"write {word} for {place.name}")


def other_keys(place: RewriteSite) -> Iterator[Rewrite]:
    """Yield rewrites of the key to known keys that differ only in case and separators.

    If there are none, yield an unsafe rewrite to the most similar key.
    """
    known_keys = _keys()
    same = [key for key in sorted(known_keys) if folded(key) == folded(place.key) and key != place.key]
    if same:
        yield from (Rewrite("rename", key, f"rename {place.key} to {key}") for key in same)
        return
    meant = sure_match(place.key, known_keys)
    if meant is not None:
        yield Rewrite("rename", meant, f"rename {place.key} to {meant}", is_safe=False)


def other_texts(place: RewriteSite) -> Iterator[Rewrite]:
    """Yield a rewrite of ``version`` without its leading ``v``."""
    if isinstance(place.value, str) and place.key == "version" and place.value[:1] in {"v", "V"}:
        yield Rewrite("put", place.value[1:], "leave out the v of the version")


def schema_version(place: RewriteSite) -> Iterator[Rewrite]:
    """Yield a rewrite of ``schema_version`` in a run configuration if its value is ``v0.1.0`` in another spelling."""
    if isinstance(place.value, str) and place.value.lower().lstrip("v") == "0.1.0":
        yield Rewrite("put", RUN_CONFIG_VERSION, f"write {RUN_CONFIG_VERSION} for schema_version")


def reference(place: RewriteSite) -> Iterator[Rewrite]:
    """Yield a rewrite of a secret reference without its spaces."""
    match = _SPACED_REFERENCE.fullmatch(place.value) if isinstance(place.value, str) else None
    if match is not None:
        yield Rewrite("put", f"{match[1]},target={match[2]}", "leave out the blanks of the reference")


def writable_volume(place: RewriteSite) -> Iterator[Rewrite]:
    """Yield a rewrite of a volume without ``:rw``, because volumes are writable by default."""
    if isinstance(place.value, str) and place.value.endswith(":rw"):
        yield Rewrite("put", place.value.removesuffix(":rw"), "leave out :rw")


def rooted(place: RewriteSite) -> Iterator[Rewrite]:
    """Yield a rewrite of a path prefix with a leading slash."""
    if isinstance(place.value, str):
        yield Rewrite("put", f"/{place.value}", f"begin {place.name} with a slash")


def share(place: RewriteSite) -> Iterator[Rewrite]:
    """Yield a rewrite of a percentage as a fraction: ``0.5`` for ``50%``."""
    match = _PERCENT.fullmatch(place.value) if isinstance(place.value, str) else None
    if match is not None:
        yield Rewrite("put", f"{int(match[1]) / 100:g}", f"write {place.name} as a share of one")


DECODING: Final = frozenset({"RUN001", "WRK001", "FIL001", "PRM001", "REG002", "REG007"})
"""Rules about values of a wrong type. They prevent all other checks, so fixing them may reveal more findings."""

REWRITES: Final[Mapping[str, Callable[[RewriteSite], Iterator[Rewrite]]]] = {
    **dict.fromkeys(DECODING, other_types),
    **dict.fromkeys(("RUN040", "WRK030", "FIL002", "PRM002", "REG017"), other_keys),
    **dict.fromkeys(("RUN003", "RUN006", "RUN011", "RUN013", "RUN021", "RUN025"), other_words),
    **dict.fromkeys(("WRK004", "WRK009", "FIL011", "FIL020", "FIL030", "REG003"), other_words),
    "RUN041": schema_version,
    "RUN047": writable_volume,
    "RUN053": share,
    "RUN055": rooted,
    "WRK010": writable_volume,
    "PRM020": reference,
    "REG004": other_texts,
}
"""Function that yields the candidate rewrites, by rule."""


@cache
def _keys() -> frozenset[str]:
    from ..records.shape import types_of
    from ..toolhive.release import NEWEST_KNOWN

    return frozenset(key for fields in types_of(NEWEST_KNOWN).structs.values() for key, *_ in fields)


@cache
def _words() -> frozenset[str]:
    from ..records.runconfig.middleware import TYPES
    from ..records.schema.check import load_schema
    from ..toolhive.audit_event import EVENT_TYPES

    words = {*_WORDS, *EVENT_TYPES, *TYPES}
    waiting: list[Any] = [load_schema(name) for name in _SCHEMAS]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            words |= {word for word in node.get("enum", ()) if isinstance(word, str)}
            waiting += node.values()
        elif isinstance(node, list):
            waiting += node
    return frozenset(words)
