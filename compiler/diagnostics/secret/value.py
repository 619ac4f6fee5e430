"""Find secrets in plain data by names, neighbors and forms, and mask them in data and in messages."""

from __future__ import annotations

import re
from bisect import bisect
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from .pattern import (
    ARGUMENT_LISTS,
    HOLDERS,
    PUBLIC_HOLDERS,
    PUBLIC_KEYS,
    REFERENCE_KEYS,
    SECRET_DATA,
    SECRET_KINDS,
    SECRET_MARKS,
    SOURCE_OF_KEY,
    UNNAMED_PATH,
    VALUE_KEYS,
)
from .text import (
    MASK,
    SHORTEST,
    SHORTEST_FORM,
    is_sensitive,
    is_withheld,
    may_have_form,
    may_have_name,
    phrase_ranges,
    secret_ranges,
    starred,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..span import Path

_Ranges = tuple[tuple[int, int], ...]
_Places = dict[tuple[int, Any], _Ranges]
"""The secret ranges of each secret value, by the identity of the mapping or list that has it, and its key."""
_WHOLE: Final[_Ranges] = ((0, -1),)
"""The ranges of a value that is secret as a whole."""
_OPTION: Final = r"-{0,2}(?P<name>[A-Za-z][\w.\-]*)[=:]\s?(?P<value>.+)"
"""An option or a variable with its value in one argument."""
_LITERALS: Final = "literals of a Secret"
_DEEPEST: Final = 5
"""Number of texts within texts that are read, such as JSON in a block of YAML."""


class _Search:
    """A search for the secrets of plain data, which must stay alive as long as the places are used.

    Args:
        depth: Number of texts that the data is within.
    """

    def __init__(self, depth: int = 0) -> None:
        self.places: _Places = {}
        self._depth = depth
        self._texts: list[tuple[int, Any, str]] = []
        """Values that may be secret by form. They are checked together at the end."""

    def run(self, holder: list[Any]) -> _Places:
        """Return the places of the secrets in the only item of ``holder``."""
        root = holder[0]
        waiting: list[tuple[Any, str, bool]] = [(holder, "", False)]
        seen: set[tuple[int, str, bool]] = set()
        while waiting:
            value, name, inherited = waiting.pop()
            if (visit := (id(value), name, inherited)) in seen:  # an alias stands for it
                continue
            seen.add(visit)
            if isinstance(value, dict):
                waiting += self._in_mapping(value, name, is_secret=inherited, is_root=value is root)
            else:
                waiting += self._in_list(value, name, is_secret=inherited)
        # One search of all texts together: in most documents no text contains a secret.
        if may_have_form(joined := "\n".join([text for _, _, text in self._texts])) and secret_ranges(joined):
            for identity, key, text in self._texts:
                self._put(identity, key, secret_ranges(text), len(text))
        return self.places

    def _put(self, holder: int, key: Any, ranges: Iterable[tuple[int, int]], size: int) -> None:
        found = tuple(ranges)
        if found and self.places.get((holder, key)) != _WHOLE:
            self.places[holder, key] = _WHOLE if (0, size) in found else found

    def _in_mapping(
        self, value: dict[Any, Any], above: str, *, is_secret: bool, is_root: bool
    ) -> Iterator[tuple[Any, str, bool]]:
        is_pair = is_sensitive(above) or _is_secret_pair(value, is_root=is_root)
        is_public = re.search(PUBLIC_HOLDERS, above) is not None
        is_object = value.get("kind") in SECRET_KINDS
        if is_object and isinstance(metadata := value.get("metadata"), dict):
            yield [metadata.get("annotations")], "annotations", True
        for key, inner in value.items():
            name = str(key)
            is_data = name == "stringData" or (is_object and name not in PUBLIC_KEYS)
            if isinstance(inner, dict):
                yield inner, name, is_secret or is_data or (_is_holder(name) and not is_public)
            elif isinstance(inner, list):
                is_made = above == "secretGenerator" and name == "literals"
                yield inner, _LITERALS if is_made else name, is_secret or is_data or _is_holder(name)
            elif (
                is_data
                or (is_pair and name in VALUE_KEYS)
                or (is_secret and (above in SECRET_DATA or not _is_reference(name)))
                or (is_sensitive(name) and not is_public and not _is_name_of_key(name, value))
            ):
                self._add_secret(value, key, inner)
            else:
                self._add_text(value, key, inner)

    def _in_list(self, value: list[Any], name: str, *, is_secret: bool) -> Iterator[tuple[Any, str, bool]]:
        singular = name.removesuffix("s")
        is_named = (is_sensitive(name) or is_sensitive(singular)) and not re.search(PUBLIC_HOLDERS, name)
        for number, inner in enumerate(value):
            if isinstance(inner, dict):
                # An item with a name refers to a Secret, as in ``secrets`` of an MCPServer.
                yield inner, singular if is_named else name, is_secret and "name" not in inner
            elif isinstance(inner, list):
                yield inner, name, is_secret
            elif (is_secret or is_named) and name != _LITERALS:
                self._add_secret(value, number, inner)
            else:
                self._add_argument(value, number, inner, is_secret=name == _LITERALS)
        for number, (option, argument) in enumerate(pairwise(value)):
            if (
                isinstance(option, str)
                and option.startswith(("-", *(option[:1] if name in ARGUMENT_LISTS else ())))
                and not any(sign in option for sign in "=: ")
                and is_sensitive(option)
                and not str(argument).startswith("-")
            ):
                self._add_secret(value, number + 1, argument)

    def _add_argument(self, holder: Any, key: Any, value: Any, *, is_secret: bool) -> None:
        match = re.fullmatch(_OPTION, value) if isinstance(value, str) and ("=" in value or ":" in value) else None
        if match is not None and (is_secret or is_sensitive(match["name"])) and is_withheld(match["value"]):
            self._put(id(holder), key, (match.span("value"),), len(value))
        else:
            self._add_text(holder, key, value)

    def _add_secret(self, holder: Any, key: Any, value: Any) -> None:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if is_number or (isinstance(value, str) and is_withheld(value)):
            self.places[id(holder), key] = _WHOLE

    def _add_text(self, holder: Any, key: Any, value: Any) -> None:
        if isinstance(value, str) and len(value) >= SHORTEST_FORM:  # as most values are
            if may_have_name(value):
                self._put(
                    id(holder), key, sorted((*secret_ranges(value), *_ranges(value, self._depth + 1))), len(value)
                )
            else:
                self._texts.append((id(holder), key, value))


def ranges_of(text: str) -> list[tuple[int, int]]:
    """Return the sorted ranges of the secrets of a text of one or more documents. They may overlap."""
    from .outline import documents_of

    ranges, at = secret_ranges(text), 0
    for document in documents_of(text):
        ranges += [(at + start, at + end) for start, end in _ranges(document, 0)]
        at += len(document)
    return sorted(ranges)


def _ranges(text: str, depth: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges of the secrets of a text that its structure or its words tell.

    Args:
        depth: Number of texts that the text is within.
    """
    if not may_have_name(text):
        return
    from .outline import Outline  # a check without findings seldom needs it

    bracket = re.search(r"[\[{]", text) if depth and "\n" not in text else None
    begin = bracket.start() if bracket else 0
    outline = Outline(text[begin:]) if depth < _DEEPEST and (bracket or not depth or "\n" in text) else None
    if outline is None or begin or not any(isinstance(item, dict | list) for item in outline.documents[:-1]):
        yield from phrase_ranges(text)
    if outline is not None:
        for place, parts in _Search(depth).run([outline.documents]).items():
            start, end = (begin + at for at in outline.spans[place])
            yield from [(start, end)] if parts == _WHOLE else [(start + first, start + last) for first, last in parts]


def _is_reference(name: str) -> bool:
    return name in REFERENCE_KEYS or name.endswith(("Ref", "_ref"))


def _is_name_of_key(name: str, siblings: dict[Any, Any]) -> bool:
    return name == "secretKey" and any(re.fullmatch(SOURCE_OF_KEY, str(other)) for other in siblings)


def _is_creation(root: dict[Any, Any]) -> bool:
    """Return whether a document is a request to create or update a secret. Source: ToolHive, createSecretRequest."""
    return "value" in root and "kind" not in root and ("key" in root or len(root) == 1)


def _is_holder(name: str) -> bool:
    return name.lower().replace("_", "").replace("-", "") in HOLDERS


def _is_secret_pair(value: dict[Any, Any], *, is_root: bool) -> bool:
    """Return whether the ``value`` or ``default`` of a mapping is secret by the name, path or mark beside it."""
    if not any(key in value for key in VALUE_KEYS):
        return False
    if any(str(value.get(mark)).lower() == "true" for mark in SECRET_MARKS) or (is_root and _is_creation(value)):
        return True
    path = value.get("path")
    if isinstance(path, str) and "op" in value:
        is_option = str(value.get("value")).startswith("-")
        return any(map(is_sensitive, path.split("/"))) or (
            re.fullmatch(UNNAMED_PATH, path) is not None and not is_option
        )
    return any(isinstance(name := value.get(key), str) and is_sensitive(name) for key in ("name", "key", "path"))


def _parts(value: Any, ranges: _Ranges) -> Iterator[str]:
    text = str(value)
    if ranges == _WHOLE:
        yield text
    else:
        yield from (text[start:end].strip("\"' ") for start, end in ranges)


def without_secrets(data: Any) -> Any:
    """Return plain data with secrets masked. Mappings keep their keys, and lists their lengths.

    A value that is secret at one place is masked at every other place, too.
    """
    holder = [data]
    places = _Search().run(holder)
    if not places:
        return data
    values = {value for _, value, ranges in _secrets(holder, places) if ranges == _WHOLE and _is_distinct(value)}
    return _without(holder, places, values)[0]


def _is_distinct(value: Any) -> bool:
    """Return whether a secret is no word or number that may occur elsewhere by chance."""
    return isinstance(value, str) and len(value) >= SHORTEST and not value.isalpha() and not value.isdigit()


def _without(value: Any, places: _Places, secrets: set[Any]) -> Any:
    if isinstance(value, dict):
        return {key: _shown(value, key, inner, places, secrets) for key, inner in value.items()}
    return [_shown(value, number, inner, places, secrets) for number, inner in enumerate(value)]


def _shown(holder: Any, key: Any, value: Any, places: _Places, secrets: set[Any]) -> Any:
    if isinstance(value, dict | list):
        return _without(value, places, secrets)
    ranges = places.get((id(holder), key))
    if ranges == _WHOLE or (isinstance(value, str) and value in secrets):
        return MASK
    return value if ranges is None else starred(value, ranges)


def _secrets(holder: list[Any], places: _Places) -> Iterator[tuple[Path, Any, _Ranges]]:
    """Yield path, value and ranges of each secret in the only item of ``holder``."""
    waiting: list[tuple[Path, Any]] = [((), holder)] if places else []
    while waiting:
        path, value = waiting.pop()
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(inner, dict | list):
                waiting.append(((*path, key), inner))
            elif (ranges := places.get((id(value), key))) is not None:
                yield (*path[1:], key) if path else (), inner, ranges


def holds_secret(data: Any) -> bool:
    """Return whether plain data contains a secret, as a value or as a key."""
    if secrets_of(data).values:
        return True
    waiting: list[Any] = [data]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting += value.values()
            if any(isinstance(key, str) and secret_ranges(key) for key in value):
                return True
        elif isinstance(value, list):
            waiting += value
    return False


_QUOTED: Final = r'"([^"]*)"'
_NUMBER: Final = r"(?<![\w.])\d+(?![\w.])"
_BEGINNING: Final = 12
"""Number of first characters of a secret that are masked in a message even if the message cuts off the rest.

It is above `SHORTEST`, so a text that begins like a secret by chance is rarely masked.
"""


class Secrets:
    """The secret values of a document, which are masked in messages about the document.

    Short values, words and numbers are masked only if they are the whole of a quoted text or of a number.

    Args:
        values: The secrets, which are strings and numbers or parts of strings.
        paths: The paths of the values that are secret as a whole.
    """

    __slots__ = ("_begun", "_short", "_sizes", "_starts", "paths", "values")

    def __init__(self, values: Iterable[str] = (), paths: Iterable[Path] = ()) -> None:
        self.values = frozenset(values)
        self.paths = tuple(paths)
        self._short: set[str] = set()
        self._begun: dict[str, list[str]] = {}
        for value in sorted(self.values):
            if _is_distinct(value):
                for form in {value, value.replace("\\", "\\\\").replace('"', '\\"')}:
                    self._add_form(form)
        for forms_ in self._begun.values():
            forms_.sort()
        self._starts = {form[:2] for form in (*self._short, *self._begun)}
        self._sizes = sorted({len(form) for form in self._short}, reverse=True)

    def _add_form(self, value: str) -> None:
        if len(value) < _BEGINNING:
            self._short.add(value)
        else:
            self._begun.setdefault(value[:_BEGINNING], []).append(value)

    def without(self, text: str) -> str:
        """Return the message with `MASK` in place of the values. A long value is also found if its end was cut off."""
        if not self.values:
            return text
        text = re.sub(_QUOTED, lambda match: f'"{MASK}"' if match[1] in self.values else match[0], text)
        text = re.sub(_NUMBER, lambda match: MASK if match[0] in self.values else match[0], text)
        if not self._short and not self._begun:
            return text
        out: list[str] = []
        at = shown = 0
        while at < len(text):
            size = self._secret_length_at(text, at) if text[at : at + 2] in self._starts else 0
            if size:
                out += (text[shown:at], MASK)
                shown = at = at + size
            else:
                at += 1
        return "".join((*out, text[shown:]))

    def _secret_length_at(self, text: str, at: int) -> int:
        """Return the length of the secret, or the beginning of a secret, at position ``at``; 0 if there is none."""
        begun = self._begun.get(text[at : at + _BEGINNING])
        if begun is not None:
            near = bisect(begun, text[at:])  # in sorted order, neighbors share the longest prefix
            return max(_shared_prefix_length(value, text, at) for value in begun[max(0, near - 1) : near + 1])
        return next((size for size in self._sizes if text[at : at + size] in self._short), 0)


NO_SECRETS: Final = Secrets()


def secrets_of(data: Any) -> Secrets:
    """Return the secrets of a document, for masking messages about it."""
    holder = [data]
    found = [*_secrets(holder, _Search().run(holder))]
    if not found:
        return NO_SECRETS
    values = (part for _, value, ranges in found for part in _parts(value, ranges) if part)
    return Secrets(values, (path for path, _, ranges in found if ranges == _WHOLE))


def _shared_prefix_length(value: str, text: str, at: int) -> int:
    return next((i for i, char in enumerate(value) if text[at + i : at + i + 1] != char), len(value))
