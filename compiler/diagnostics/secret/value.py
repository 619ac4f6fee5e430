"""Find secrets in plain data by names, neighbors and forms, and mask them in data and in messages."""

from __future__ import annotations

import re
from bisect import bisect
from itertools import takewhile
from operator import eq
from typing import TYPE_CHECKING, Any, Final

from .pattern import PATTERNS, WORDS
from .text import (
    MASK,
    PAD,
    SHORTEST,
    SHORTEST_FORM,
    is_sensitive,
    is_withheld,
    may_have_form,
    may_have_name,
    secret_ranges,
    starred,
    told_ranges,
    without,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..span import Path

_Ranges = tuple[tuple[int, int], ...]
_Places = dict[tuple[int, Any], tuple[Any, _Ranges]]
"""Each secret value with its secret ranges, by the identity of the mapping or list that has it, and its key."""
_COLLECTION: Final = (dict, list)
_WHOLE: Final[_Ranges] = ((0, -1),)  # the ranges of a value that is secret as a whole
_OPTION: Final = r"-{0,2}(?P<name>[A-Za-z][\w.\-]*)[=:]\s?(?P<value>.+)"
"""An option or a variable with its value in one argument."""
_LITERALS: Final = "literals of a Secret"
_DEEPEST: Final = 5  # texts within texts that are read, such as JSON in a block of YAML


class _Search:
    """A search for the secrets of plain data within ``depth`` texts. The data must live as long as the places."""

    def __init__(self, depth: int = 0) -> None:
        self.places: _Places = {}
        self._depth = depth
        self._texts: list[tuple[Any, Any, str]] = []
        """Values that may be secret by form alone. In most documents, one check of them all finds no sign."""

    def run(self, holder: list[Any]) -> _Places:
        """Return the places of the secrets in the only item of ``holder``."""
        self._root = holder[0]
        waiting: list[tuple[Any, str, bool]] = [(holder, "", False)]
        seen: set[tuple[int, str, bool]] = set()
        while waiting:
            value, name, inherited = waiting.pop()
            if (visit := (id(value), name, inherited)) in seen:  # an alias stands for it
                continue
            seen.add(visit)
            if isinstance(value, dict):
                waiting += self._in_mapping(value, name, is_secret=inherited)
            else:
                waiting += self._in_list(value, name, is_secret=inherited)
        texts = self._texts if may_have_form("\n".join([text for _, _, text in self._texts])) else ()
        for place, key, text in texts:
            self._put(place, key, text, secret_ranges(text))
        return self.places

    def _in_mapping(self, value: dict[Any, Any], above: str, *, is_secret: bool) -> Iterator[tuple[Any, str, bool]]:
        is_pair = is_sensitive(above) or _is_secret_pair(value, is_root=value is self._root)
        is_public = re.search(PATTERNS["public holder"], above) is not None
        is_external = not WORDS["source of key"].isdisjoint(value)
        is_object = str(value.get("kind")) in WORDS["kind"]
        metadata = value.get("metadata") if is_object else None
        if isinstance(metadata, dict) and isinstance(annotations := metadata.get("annotations"), dict):
            yield annotations, "annotations", True
        for key, inner in value.items():
            name = str(key).rpartition(PAD)[2]
            is_data = name == "stringData" or (is_object and name not in WORDS["public key"])
            if isinstance(inner, _COLLECTION):
                is_made = above == "secretGenerator" and name == "literals"
                is_held = name.replace("_", "").replace("-", "").lower() in WORDS["holder"] and not is_public
                is_value = is_pair and name == "value"
                yield inner, _LITERALS if is_made else name, is_secret or is_data or is_held or is_value
                continue
            is_named = is_sensitive(name) and not is_public and not (is_external and name == "secretKey")
            is_value = is_pair and name in WORDS["value key"]
            if is_secret and not is_value:
                is_reference = name in WORDS["reference key"] or name.endswith(("Ref", "_ref"))
                is_value = above in WORDS["data key"] or not is_reference
            self._add(value, key, inner, is_secret=is_data or is_named or is_value)

    def _in_list(self, value: list[Any], name: str, *, is_secret: bool) -> Iterator[tuple[Any, str, bool]]:
        singular = name.removesuffix("s")
        is_named = (is_sensitive(name) or is_sensitive(singular)) and not re.search(PATTERNS["public holder"], name)
        is_argument = False
        for number, inner in enumerate(value):
            if isinstance(inner, dict):
                # An item with a name refers to a Secret, as in ``secrets`` of an MCPServer.
                yield inner, singular if is_named else name, is_secret and "name" not in inner
            elif isinstance(inner, list):
                yield inner, name, is_secret
            elif is_argument and not str(inner).startswith("-"):
                self._add(value, number, inner, is_secret=True)
            elif (
                isinstance(inner, str)
                and (match := re.fullmatch(_OPTION, inner))
                and (is_sensitive(match["name"]) or name == _LITERALS)
                and is_withheld(match["value"])
            ):
                self._put(value, number, inner, [match.span("value")])
            else:
                self._add(value, number, inner, is_secret=(is_secret or is_named) and name != _LITERALS)
            is_option = isinstance(inner, str) and not any(sign in inner for sign in "=: ") and is_sensitive(inner)
            is_argument = is_option and (inner.startswith("-") or name in WORDS["argument list"])

    def _add(self, holder: Any, key: Any, value: Any, *, is_secret: bool) -> None:
        is_text = isinstance(value, str)
        if is_secret and (
            is_withheld(value) if is_text else type(value) is not bool and isinstance(value, int | float)
        ):
            self.places[id(holder), key] = value, _WHOLE
        elif is_text and len(value) >= SHORTEST_FORM:  # as most values are
            if may_have_name(value):
                self._put(holder, key, value, ranges_of(value, self._depth + 1))
            else:
                self._texts.append((holder, key, value))

    def _put(self, holder: Any, key: Any, value: str, ranges: list[tuple[int, int]]) -> None:
        if ranges and (id(holder), key) not in self.places:
            self.places[id(holder), key] = value, _WHOLE if (0, len(value)) in ranges else tuple(ranges)


def documents_of(text: str) -> list[str]:
    """Return the documents of a text: what begins with ``---``, and what stands before."""
    return re.split(r"(?m)^(?=---(?:\s|\Z))", text) if "---" in text else [text]


def ranges_of(text: str, depth: int = 0) -> list[tuple[int, int]]:
    """Return the sorted ranges of the secrets of a text, which is within ``depth`` texts. They may overlap."""
    ranges, at = secret_ranges(text), 0
    for document in documents_of(text):
        if may_have_name(document):
            ranges += [(at + start, at + end) for start, end in _document_ranges(document, depth)]
        at += len(document)
    return sorted(ranges)


def _document_ranges(text: str, depth: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges that the structure of a document or its words tell."""
    from .outline import Outline  # a check without findings seldom needs it

    # A line within another text may have a structure from its first bracket on.
    begin = 0 if not depth or "\n" in text else len(re.split(r"[\[{]", text, maxsplit=1)[0])
    outline = Outline(text[begin:] if depth < _DEEPEST else "")
    if begin or not any(isinstance(item, dict | list) for item in outline.roots[:-1]):
        yield from told_ranges(text, "phrase")
    yield from told_ranges(text, "line")
    for place, (_, parts) in _Search(depth).run([outline.roots]).items():
        start, end = (begin + at for at in outline.spans[place])
        yield from [(start, end)] if parts == _WHOLE else [(start + first, start + last) for first, last in parts]


def _is_secret_pair(value: dict[Any, Any], *, is_root: bool) -> bool:
    """Return whether the ``value`` or ``default`` of a mapping is secret by the name, path or mark beside it."""
    if WORDS["value key"].isdisjoint(value):
        return False
    # A request to create or update a secret. Source: ToolHive, createSecretRequest.
    is_creation = is_root and "value" in value and "kind" not in value and ("key" in value or len(value) == 1)
    if is_creation or any(str(value.get(mark)).lower() == "true" for mark in WORDS["mark"]):
        return True
    if "op" in value and isinstance(path := value.get("path"), str):
        is_unnamed = re.fullmatch(PATTERNS["unnamed path"], path) and not str(value.get("value")).startswith("-")
        return bool(is_unnamed) or any(map(is_sensitive, path.split("/")))
    return any(isinstance(name := value.get(key), str) and is_sensitive(name) for key in ("name", "key", "path"))


def without_secrets(data: Any) -> Any:
    """Return plain data with secrets masked. A value that is secret at one place is masked at every other, too."""
    holder = [data]
    places = _Search().run(holder)
    values = {value for value, ranges in places.values() if ranges == _WHOLE and _is_distinct(value)}

    def shown(holder: Any, key: Any, value: Any) -> Any:
        if isinstance(value, dict):
            return {name: shown(value, name, inner) for name, inner in value.items()}
        if isinstance(value, list):
            return [shown(value, number, inner) for number, inner in enumerate(value)]
        _, ranges = places.get((id(holder), key), (value, ()))
        if ranges == _WHOLE or (isinstance(value, str) and value in values):
            return MASK
        return starred(value, ranges) if ranges else value

    return shown(holder, 0, data) if places else data


def _is_distinct(value: Any) -> bool:
    """Return whether a secret is no word or number that may occur elsewhere by chance."""
    return isinstance(value, str) and len(value) >= SHORTEST and not value.isalpha() and not value.isdigit()


def holds_secret(data: Any) -> bool:
    """Return whether plain data contains a secret, as a value or as a key."""
    waiting = [data]
    for value in waiting:
        keys = value if isinstance(value, dict) else ()
        if any(isinstance(key, str) and secret_ranges(key) for key in keys):
            return True
        waiting += value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return bool(secrets_of(data).values)


_QUOTED: Final = r'"(?P<quoted>[^"]*)"|(?<![\w.])(?P<number>\d+)(?![\w.])'
_BEGINNING: Final = 12
"""Number of first characters of a secret that are masked in a message even if the message cuts off the rest."""


class Secrets:
    """The secret values of a document, which are masked in messages about the document.

    Short values, words and numbers are masked only if they are the whole of a quoted text or of a number.

    Args:
        values: The secrets, which are strings and numbers or parts of strings.
        paths: The paths of the values that are secret as a whole.
    """

    __slots__ = ("_begun", "_sizes", "_starts", "paths", "values")

    def __init__(self, values: Iterable[str] = (), paths: Iterable[Path] = ()) -> None:
        self.values = frozenset(values)
        self.paths = tuple(paths)
        distinct = [value for value in self.values if _is_distinct(value)]
        self._begun: dict[str, list[str]] = {}
        for form in sorted({*distinct, *(value.replace("\\", "\\\\").replace('"', '\\"') for value in distinct)}):
            self._begun.setdefault(form[:_BEGINNING], []).append(form)
        self._starts = {beginning[:2] for beginning in self._begun}
        self._sizes = sorted({len(beginning) for beginning in self._begun}, reverse=True)

    def without(self, text: str) -> str:
        """Return the message with `MASK` in place of the values. A long value is also found if its end was cut off."""

        def mask(match: re.Match[str]) -> str:
            word = match[match.lastgroup or 0]
            return match[0].replace(word, MASK) if word in self.values else match[0]

        text = re.sub(_QUOTED, mask, text) if self.values else text
        at, ranges = 0, []
        while at < len(text) and self.values:
            size = self._secret_length_at(text, at) if text[at : at + 2] in self._starts else 0
            ranges += [(at, at + size)] if size else []
            at += size or 1
        return without(text, ranges)

    def _secret_length_at(self, text: str, at: int) -> int:
        """Return the length of the secret, or the beginning of a secret, at position ``at``; 0 if there is none."""
        for size in self._sizes:
            if begun := self._begun.get(text[at : at + size]):
                near = bisect(begun, text[at:])  # in sorted order, neighbors share the longest prefix
                pairs = [map(eq, form, text[at:]) for form in begun[max(0, near - 1) : near + 1]]
                return max(len([*takewhile(bool, equal)]) for equal in pairs)
        return 0


NO_SECRETS: Final = Secrets()


def secrets_of(data: Any) -> Secrets:
    """Return the secrets of a document, for masking messages about it."""
    holder = [data]
    places = _Search().run(holder)
    values: set[str] = set()
    for value, ranges in places.values():
        text = str(value)
        values |= {text} if ranges == _WHOLE else {text[start:end].strip("\"' ") for start, end in ranges}
    return Secrets(values - {""}, _whole_paths(holder, places))


def _whole_paths(holder: list[Any], places: _Places) -> Iterator[Path]:
    """Yield the paths, below ``holder``, of values that are secret as a whole. An alias has a path of its own."""
    waiting: list[tuple[Path, Any]] = [((), holder)] if places else []
    while waiting:
        path, value = waiting.pop()
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(inner, _COLLECTION):
                waiting.append(((*path, key), inner))
            elif places.get((id(value), key), ((), ()))[1] == _WHOLE:
                yield (*path, key)[1:]
