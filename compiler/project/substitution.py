"""What Flux puts in place of ``${NAME}`` in the resources that a Kustomization applies.

Source: the Kustomization API of Flux (postBuild) and drone/envsubst, as of 2026.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from ..diagnostics.placeholder import is_placeholder
from ..diagnostics.secret_text import is_sensitive, is_withheld
from ..golang.yaml.resolve import resolve_plain
from ..reading.document import Place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ..diagnostics.budget import Budget
    from ..diagnostics.span import Path
    from .alteration import Alteration
    from .delivery import Delivery

_VARIABLE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?:(:?[-=])([^}]*+))?(\}?)")
"""A variable; without its brace it is none, and its text stays as it is."""
_PLAIN: Final = re.compile(r"[\w${}./=@,+\-](?:[\w${}./=@,+\- ]|:(?! |$))*\Z")
"""Texts that are written without quotes before Flux substitutes, and so are read anew after it."""
DISABLED: Final = "kustomize.toolkit.fluxcd.io/substitute"


class Variable(NamedTuple):
    """What a variable is known to hold.

    Attributes:
        value: Its text.
        place: Where that is stated, if it is.
    """

    value: str
    place: Place | None = None


class Substitution(NamedTuple):
    """What is known of the variables of what one delivery applies.

    Attributes:
        known: By name, in several mappings: one before others wins.
        is_complete: Whether there are no others: those are empty, or have their default.
    """

    known: tuple[Mapping[str, Variable], ...]
    is_complete: bool

    def stated(self, name: str) -> Variable | None:
        """Return what is stated of a variable."""
        return next((one[name] for one in self.known if name in one), None)

    def variable(self, name: str, default: str | None, *, if_empty: bool) -> Variable | None:
        """Return what a variable stands for; ``None`` where that is not known."""
        stated = self.stated(name)
        found = stated or (Variable("") if self.is_complete else None)
        is_missing = found is not None and (not found.value if if_empty else stated is None)
        return Variable(default) if default is not None and is_missing else found


Held: TypeAlias = "Callable[[str, str], Mapping[str, Variable] | None]"
"""Returns what a ConfigMap or Secret holds, by kind and name; ``None`` where that is not known."""


_SUBSTITUTE: Final = ("spec", "postBuild", "substitute")


def substitution(one: Delivery, filling: Sequence[Alteration], held: Held) -> Substitution | None:
    """Return what a delivery has put in place of variables; ``None`` where it leaves them as they are.

    Args:
        one: The delivery.
        filling: What patches make of that, the last one last.
        held: Returns what ConfigMaps and Secrets hold.
    """
    stated = {name: Variable(value, Place(one.document, (*_SUBSTITUTE, name))) for name, value in one.variables}
    sources, is_complete = one.sources, True
    for alteration in filling:
        stated |= {name: Variable(value, alteration.place) for name, value in alteration.variables}
        sources = sources if alteration.sources is None else alteration.sources
        is_complete = is_complete and alteration.is_known
    if not stated and not sources:
        return None
    known: list[Mapping[str, Variable]] = [stated]
    for kind, name in reversed(sources):
        variables = held(kind, name)
        if variables is None:
            # It wins over those before it.
            return Substitution(tuple(known), is_complete=False)
        known.append(variables)
    return Substitution(tuple(known), is_complete=is_complete)


def substituted(data: Any, known: Substitution, file: str, budget: Budget) -> tuple[Any, dict[Path, Place]]:
    """Return data with what is known put in place of variables, and what states the values of texts by their paths.

    A variable whose name says that it is secret stays as it is: findings would show its value.

    Args:
        data: Plain data of a resource.
        known: The variables.
        file: The file of the resource.
        budget: That of the project. Variables for which it is too small stay as they are.
    """
    places: dict[Path, Place] = {}

    def walk(value: Any, path: Path) -> Any:
        if isinstance(value, dict):
            return {key: walk(one, (*path, key)) for key, one in value.items()}
        if isinstance(value, list):
            return [walk(one, (*path, number)) for number, one in enumerate(value)]
        if not isinstance(value, str) or "${" not in value or "$$" in value:
            return value
        if not budget.grants(file, characters=len(value)):
            return value
        text, stated = _filled(value, known, file, budget)
        if text == value:
            return value
        if stated:
            places[path] = stated[0]
        return text if is_placeholder(text) or _PLAIN.match(value) is None else resolve_plain(text, v3=False)

    return walk(data, ()), places


def _filled(text: str, known: Substitution, file: str, budget: Budget) -> tuple[str, Sequence[Place]]:
    stated: list[Place] = []

    def fill(match: re.Match[str]) -> str:
        name, operator, default, brace = match.groups()
        found = known.variable(name, default, if_empty=bool(operator) and operator.startswith(":")) if brace else None
        if (
            found is None
            or (is_sensitive(name) and is_withheld(found.value))
            or not budget.grants(file, characters=len(found.value), steps=1 + len(known.known))
        ):
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


def has_variable(value: Any) -> bool:
    """Return whether a text anywhere in data may hold a variable."""
    return any(True for _ in variable_names(value))


def variable_names(value: Any) -> Iterator[str]:
    """Yield the names of the variables that texts anywhere in data may hold."""
    if isinstance(value, dict):
        for one in value.values():
            yield from variable_names(one)
    elif isinstance(value, list):
        for one in value:
            yield from variable_names(one)
    elif isinstance(value, str) and "${" in value:
        yield from (match[1] for match in _VARIABLE.finditer(value) if match[4])
