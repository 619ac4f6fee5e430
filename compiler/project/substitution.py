"""What Flux puts in place of ``${NAME}`` in the resources that a Kustomization applies.

Source: the Kustomization API of Flux (postBuild) and drone/envsubst, as of 2026.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from ..diagnostics.placeholder import is_placeholder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ..diagnostics.span import Path, Span
    from .delivery import Delivery
    from .kustomization import Kustomization

_VARIABLE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?:(:?[-=])([^}]*))?\}")
_PLAIN: Final = re.compile(r"[\w${}./=@,+\-](?:[\w${}./=@,+\- ]|:(?! |$))*\Z")
"""Texts that are written without quotes before Flux substitutes, and so are read anew after it."""
DISABLED: Final = "kustomize.toolkit.fluxcd.io/substitute"


MOST_FILLED: Final = 16_000_000
"""Characters, in all files of a call: a few lines may hold a large value ten thousand times."""


class Room:
    """What may still come in place of variables; beyond it they are unknown."""

    def __init__(self) -> None:
        self._left = MOST_FILLED

    def takes(self, text: str) -> bool:
        """Return whether there is room for a text, and take it up."""
        self._left -= len(text)
        return self._left >= 0


class Variable(NamedTuple):
    """What a variable is known to hold.

    Attributes:
        value: Its text.
        place: Where that is stated, if it is.
    """

    value: str
    place: Span | None = None


class Substitution(NamedTuple):
    """What is known of the variables of what one file is applied by.

    Attributes:
        known: By name.
        is_complete: Whether there are no others: those are empty, or have their default.
    """

    known: Mapping[str, Variable]
    is_complete: bool

    def variable(self, name: str, default: str | None, *, if_empty: bool) -> Variable | None:
        """Return what a variable stands for; ``None`` where that is not known."""
        found = self.known.get(name) or (Variable("") if self.is_complete else None)
        is_missing = found is not None and (not found.value if if_empty else name not in self.known)
        return Variable(default) if default is not None and is_missing else found


Held: TypeAlias = "Callable[[str, str], Mapping[str, Variable] | None]"
"""Returns what a ConfigMap or Secret holds, by kind and name; ``None`` where that is not known."""


def substitutions(
    deliveries: Iterable[Delivery],
    kustomizations: Iterable[Kustomization],
    held: Held,
) -> dict[str, Substitution]:
    """Return what is substituted in each file that Flux applies with variables.

    Args:
        deliveries: Of all files.
        kustomizations: What those lead to, as `delivery.as_kustomizations` returns it.
        held: Returns what ConfigMaps and Secrets hold.
    """
    deliveries = list(deliveries)
    by_folder = {os.path.normpath(one.folder or "."): one for one in kustomizations}
    # A patch may add variables to the Kustomizations that it is for.
    may_be_patched = not all(one.is_plain for one in by_folder.values())
    found: dict[str, Substitution] = {}
    for one in deliveries:
        if not (one.variables or one.sources):
            continue
        own = _of(one, held, may_be_patched=may_be_patched)
        for file in _files(one, by_folder):
            found[file] = _agreed(found[file], own) if file in found else own
    return found


def _of(one: Delivery, held: Held, *, may_be_patched: bool) -> Substitution:
    known: dict[str, Variable] = {}
    is_complete = not may_be_patched
    for kind, name in one.sources:
        variables = held(kind, name)
        if variables is None:
            is_complete = False
            known.clear()  # it wins over those before it
        else:
            known |= variables
    known |= {name: Variable(value, place) for name, value, place in one.variables}
    return Substitution(known, is_complete)


def _agreed(one: Substitution, other: Substitution) -> Substitution:
    """Return what two ways of applying a file have in common."""
    same = {name: found for name, found in one.known.items() if _value(other, name) == found.value}
    is_complete = one.is_complete and other.is_complete and len(same) == len(one.known) == len(other.known)
    return Substitution(same, is_complete)


def _value(one: Substitution, name: str) -> str | None:
    found = one.known.get(name)
    return None if found is None else found.value


def _files(one: Delivery, by_folder: Mapping[str, Kustomization]) -> Iterator[str]:
    """Yield the files that a delivery applies itself, by kustomizations or without."""
    prefix = f"{os.path.normpath(one.file)}#{one.name}."
    waiting = [key for key in by_folder if key.startswith(prefix)]
    reached = set(waiting)
    while waiting:
        for path in sorted(by_folder[waiting.pop()].listed - reached):
            reached.add(path)
            if path not in by_folder:
                yield path
            elif not by_folder[path].applied_by:
                waiting.append(path)


def substituted(
    data: Any, known: Substitution, resolve: Callable[[str], Any], room: Room
) -> tuple[Any, dict[Path, Span]]:
    """Return data with what is known put in place of variables, and what states the values of texts by their paths.

    Args:
        data: Plain data of a resource.
        known: The variables.
        resolve: Returns what a plain scalar of YAML means.
        room: Of the call.
    """
    places: dict[Path, Span] = {}

    def walk(value: Any, path: Path) -> Any:
        if isinstance(value, dict):
            return {key: walk(one, (*path, key)) for key, one in value.items()}
        if isinstance(value, list):
            return [walk(one, (*path, number)) for number, one in enumerate(value)]
        if not isinstance(value, str) or "${" not in value or "$$" in value:
            return value
        text, stated = _filled(value, known, room)
        if text == value:
            return value
        if stated:
            places[path] = stated[0]
        return text if is_placeholder(text) or _PLAIN.match(value) is None else resolve(text)

    return walk(data, ()), places


def _filled(text: str, known: Substitution, room: Room) -> tuple[str, Sequence[Span]]:
    stated: list[Span] = []

    def fill(match: re.Match[str]) -> str:
        name, operator, default = match.groups()
        found = known.variable(name, default, if_empty=bool(operator) and operator.startswith(":"))
        if found is None or not room.takes(found.value):
            return match[0]
        if found.place is not None:
            stated.append(found.place)
        return found.value

    return _VARIABLE.sub(fill, text), stated


def is_disabled(data: Any) -> bool:
    """Return whether a resource asks Flux to leave its variables alone."""
    metadata = data.get("metadata") if isinstance(data, dict) else None
    stated = [metadata.get(field) for field in ("annotations", "labels")] if isinstance(metadata, dict) else []
    return any(isinstance(one, dict) and one.get(DISABLED) == "disabled" for one in stated)


def holds_variable(value: Any) -> bool:
    """Return whether a text anywhere in data may hold a variable."""
    if isinstance(value, dict):
        return any(map(holds_variable, value.values()))
    if isinstance(value, list):
        return any(map(holds_variable, value))
    return isinstance(value, str) and "${" in value
