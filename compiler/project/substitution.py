"""Replace the variables ``${NAME}`` of resources by their values, as Flux does when it applies the resources.

Source: the Kustomization API of Flux (postBuild) and drone/envsubst, as of 2026.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.placeholder import is_placeholder
from ..diagnostics.secret.text import is_sensitive, is_withheld
from ..golang.yaml.resolve import resolve_plain
from ..reading.document import Place
from ..workspace.resource import POST_BUILD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ..diagnostics.budget import Budget
    from ..diagnostics.span import Path
    from .alteration import Alteration
    from .delivery import Delivery

_VARIABLE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?:(:?[-=])([^}]*+))?(\}?)")
"""A variable. Without the closing brace the match is ordinary text, which stays as it is."""
_PLAIN: Final = r"[\w${}./=@,+\-](?:[\w${}./=@,+\- ]|:(?! |$))*\Z"
"""Pattern of a text that YAML writes without quotes. Flux parses such a text again, so its type may change."""
DISABLED: Final = "kustomize.toolkit.fluxcd.io/substitute"
"""Annotation or label. With the value ``disabled``, Flux leaves the variables of the resource as they are."""


class FluxVariable(NamedTuple):
    """The value of a variable.

    Attributes:
        value: Text that replaces the variable.
        place: Place that states the value, or the block that states none; ``None`` for a default.
    """

    value: str
    place: Place | None = None


class Substitution(NamedTuple):
    """The known variables of one delivery, and whether there may be more.

    Attributes:
        layers: Variables by name, in several mappings. The first mapping that has a name wins.
        is_complete: True if ``layers`` has all stated variables, so any other variable has its default or is empty.
        unstated: The value of variables that no layer states, with the block that could state them.
    """

    layers: tuple[Mapping[str, FluxVariable], ...]
    is_complete: bool
    unstated: FluxVariable = FluxVariable("")

    def stated(self, name: str) -> FluxVariable | None:
        """Return the value that a layer states for a variable, or ``None`` if no layer does."""
        return next((layer[name] for layer in self.layers if name in layer), None)

    def variable(self, name: str, default: str | None, *, if_empty: bool) -> FluxVariable | None:
        """Return the value that replaces a variable; ``None`` if it is not known.

        Args:
            default: Default in the text, if any.
            if_empty: True if the default also replaces an empty value, as in ``${NAME:-default}``.
        """
        stated = self.stated(name)
        variable = stated or (self.unstated if self.is_complete else None)
        is_missing = variable is not None and (not variable.value if if_empty else stated is None)
        return FluxVariable(default) if default is not None and is_missing else variable


ReadLayer: TypeAlias = "Callable[[str, str], Mapping[str, FluxVariable] | None]"
"""Returns the variables in a ConfigMap or Secret, by kind and name of the object; ``None`` if they are not known."""


_SUBSTITUTE: Final = (*POST_BUILD, "substitute")


def substitution(delivery: Delivery, patches: Sequence[Alteration], read_layer: ReadLayer) -> Substitution | None:
    """Return the variables of a delivery; ``None`` if it does not fill in any.

    Args:
        delivery: Object whose resources contain the variables.
        patches: Alterations of the delivery, in the order in which they are applied.
        read_layer: Returns the variables in a ConfigMap or Secret, by kind and name; ``None`` if they are unknown.
    """
    inline = {
        name: FluxVariable(value, Place(delivery.document, (*_SUBSTITUTE, name))) for name, value in delivery.variables
    }
    sources, is_complete = delivery.sources, True
    for patch in patches:
        inline |= {name: FluxVariable(value, patch.place) for name, value in patch.variables}
        sources = sources if patch.sources is None else patch.sources
        is_complete = is_complete and patch.is_known
    if not inline and not sources:
        return None
    layers: list[Mapping[str, FluxVariable]] = [inline]
    for kind, name in reversed(sources):
        variables = read_layer(kind, name)
        if variables is None:
            # Unknown variables win over those in earlier sources, so the rest is not known.
            return Substitution(tuple(layers), is_complete=False)
        layers.append(variables)
    unstated = FluxVariable("", Place(delivery.document, POST_BUILD))
    return Substitution(tuple(layers), is_complete=is_complete, unstated=unstated)


def substituted(data: Any, variables: Substitution, file: str, budget: Budget) -> tuple[Any, dict[Path, Place]]:
    """Return data with known variables filled in, and for each changed path the place that states the value.

    A variable with the name of a secret stays as it is, because findings would show its value. So does a text with
    ``$$``.

    Args:
        data: Plain data of a resource.
        variables: Variables of the delivery that applies the resource.
        file: File of the resource, for the budget.
        budget: Budget of the project. Variables for which it is too small stay as they are.
    """
    places: dict[Path, Place] = {}

    def walk(value: Any, path: Path) -> Any:
        if isinstance(value, dict):
            return {key: walk(inner, (*path, key)) for key, inner in value.items()}
        if isinstance(value, list):
            return [walk(inner, (*path, number)) for number, inner in enumerate(value)]
        if not isinstance(value, str) or "${" not in value or "$$" in value:
            return value
        if not budget.grants(file, characters=len(value)):
            return value
        text, places_of_values = _fill_in(value, variables, file, budget)
        if text == value:
            return value
        if places_of_values:
            places[path] = places_of_values[0]
        return (
            text if is_placeholder(text) or re.compile(_PLAIN).match(value) is None else resolve_plain(text, v3=False)
        )

    return walk(data, ()), places


def _fill_in(text: str, variables: Substitution, file: str, budget: Budget) -> tuple[str, Sequence[Place]]:
    places: list[Place] = []

    def fill(match: re.Match[str]) -> str:
        name, operator, default, brace = match.groups()
        is_default_for_empty = bool(operator) and operator.startswith(":")
        variable = variables.variable(name, default, if_empty=is_default_for_empty) if brace else None
        if (
            variable is None
            or (is_sensitive(name) and is_withheld(variable.value))
            or not budget.grants(file, characters=len(variable.value), steps=1 + len(variables.layers))
        ):
            return match[0]
        if variable.place is not None:
            places.append(variable.place)
        return variable.value

    return _VARIABLE.sub(fill, text), places


def is_disabled(data: Any) -> bool:
    """Return whether an annotation or label of a resource tells Flux not to fill in its variables."""
    metadata = data.get("metadata") if isinstance(data, dict) else None
    metadata_fields = [metadata.get(field) for field in ("annotations", "labels")] if isinstance(metadata, dict) else []
    return any(isinstance(marks, dict) and marks.get(DISABLED) == "disabled" for marks in metadata_fields)


def has_variable(value: Any) -> bool:
    """Return whether any text in the data has a variable."""
    return any(True for _ in variable_names(value))


def variable_names(value: Any) -> Iterator[str]:
    """Yield the name of each variable in the texts of the data."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from variable_names(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from variable_names(inner)
    elif isinstance(value, str) and "${" in value:
        yield from (match[1] for match in _VARIABLE.finditer(value) if match[4])
