"""Decide requests with cedarpy, the official implementation of Cedar."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ...diagnostics.span import InputError
from .entities import EntityData, Extension
from .expression import depth
from .syntax import EntityId, Policy
from .text import entity_text, id_name, policy_text, type_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_POLICY = re.compile(r"`policy([0-9]+)`: (.*)", re.DOTALL)
_ESCAPES = frozenset({"__entity", "__extn", "__expr"})


MAX_DEPTH: Final = 100
"""Maximum nesting of conditions. A few hundred levels overflow the stack of cedarpy, which ends the process."""

MAX_RELATED: Final = 2_000
"""Maximum number of entities with parents. cedarpy takes quadratic time for them, and many more end the process."""


class UnavailableError(Exception):
    """The request cannot be decided, for a reason other than an error in a policy. The message contains the reason."""


class LibraryMissingError(InputError):
    """The library that decides is not installed. The message contains the command that installs it."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision of the policies on a request.

    Attributes:
        allowed: True if a ``permit`` applies and no ``forbid`` does. Policies with errors do not apply.
        deciding: Indexes of the policies that determined the decision.
        errors: Error messages of policies that could not be evaluated, by index.
    """

    allowed: bool
    deciding: tuple[int, ...]
    errors: Mapping[int, str]


def decide(
    policies: Sequence[Policy],
    entities: Iterable[EntityData],
    request: tuple[EntityId, EntityId, EntityId],
    context: Mapping[str, Any],
) -> Decision:
    """Return the decision of ``policies`` on a request.

    Args:
        policies: Policies that cedar-go has parsed.
        entities: Entities with their attributes and parents.
        request: Principal, action and resource.

    Raises:
        LibraryMissingError: cedarpy is missing.
        UnavailableError: cedarpy refuses something that cedar-go accepts, or the policies or entities
            exceed a limit of this module.
    """
    entities = list(entities)
    if max(map(depth, policies), default=0) > MAX_DEPTH:
        raise UnavailableError(f"a policy nests deeper than {MAX_DEPTH} levels")
    if sum(1 for entity in entities if entity.parents) > MAX_RELATED:
        raise UnavailableError(f"more than {MAX_RELATED} entities have parents")
    try:
        import cedarpy
    except ImportError:
        raise LibraryMissingError(
            "deciding needs the extra cedar: pipx install --force 'PATH/TO/mcpcfg[cedar]' (pip, uv: docs/install.md)"
        ) from None
    principal, action, resource = request
    try:
        result = cedarpy.is_authorized(
            {
                "principal": entity_text(principal),
                "action": entity_text(action),
                "resource": entity_text(resource),
                "context": _record(context),
            },
            "\n".join(policy_text(policy) for policy in policies),
            [_entity(entity) for entity in entities],
        )
    except (ValueError, RecursionError) as error:
        raise UnavailableError(f"cedarpy does not take this: {error}") from None
    diagnostics = result.diagnostics
    if result.decision == cedarpy.Decision.NoDecision:
        raise UnavailableError(f"cedarpy does not take this: {'; '.join(diagnostics.errors)}")
    failed = filter(None, (_POLICY.search(error) for error in diagnostics.errors))
    return Decision(
        result.allowed,
        tuple(sorted(int(name.removeprefix("policy")) for name in diagnostics.reasons)),
        {int(match.group(1)): match.group(2) for match in failed},
    )


def _entity(entity: EntityData) -> dict[str, Any]:
    return {
        "uid": _reference(entity.id),
        "attrs": _record(entity.attributes),
        "tags": _record(entity.tags),
        "parents": [_reference(parent) for parent in entity.parents],
    }


def _reference(entity: EntityId) -> dict[str, str]:
    return {"type": type_name(entity.type), "id": id_name(entity.id)}


def _record(members: Mapping[str, Any]) -> dict[str, Any]:
    if not _ESCAPES.isdisjoint(members):
        names = ", ".join(sorted(_ESCAPES.intersection(members)))
        raise UnavailableError(f"cedarpy does not take records with the member {names}")
    return {_without_surrogates(name): _value(value) for name, value in members.items()}


def _value(value: Any) -> Any:
    match value:
        case EntityId():
            return {"__entity": _reference(value)}
        case Extension(function=function, text=text):
            return {"__extn": {"fn": function, "arg": text}}
        case dict():
            return _record(value)
        case list():
            return [_value(item) for item in value]
        case str():
            return _without_surrogates(value)
        case _:
            return value


def _without_surrogates(text: str) -> str:
    """Return ``text`` with lone surrogates replaced by U+FFFD, as Go does when it parses JSON."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
