"""Check whether the proxy loads a policy, and find parts of a policy that have no effect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...diagnostics.budget import cache_by_text
from ...diagnostics.fault import Flaw, fault_at
from ...diagnostics.suggestion import VAGUE, nearest
from ..fault import FaultError
from .parser import parse
from .syntax import EntityId, Policy

if TYPE_CHECKING:
    from collections.abc import Iterator

ACTIONS: Final = ("call_tool", "get_prompt", "read_resource", "list_tools", "list_prompts", "list_resources")
"""Actions in requests of the proxy."""

PRINCIPAL_TYPE: Final = "Client"
RESOURCE_TYPES: Final = ("Tool", "Prompt", "Resource", "FeatureType")
GROUP_TYPE: Final = "THVGroup"

_REPLACED: Final = str.maketrans(dict.fromkeys(":/\\?&=# .", "_"))


def policy_faults(text: str) -> list[Flaw]:
    """Return the faults for which the proxy would not load ``text`` as a policy; empty if it would.

    The proxy only parses the first policy of the text. `ignored_rest` finds further text.
    """
    policy = _read(text)
    return [] if isinstance(policy, Policy) else list(policy)


@cache_by_text(1024)  # projects repeat policies, and several rules read the same policy
def _read(text: str) -> Policy | tuple[Flaw, ...]:
    try:
        return parse(text)
    except FaultError as error:
        return error.faults


def _policy(text: str) -> Policy:
    policy = _read(text)
    if not isinstance(policy, Policy):
        raise FaultError(text, policy)
    return policy


def ignored_rest(text: str) -> Flaw | None:
    """Return a fault at the text after the first policy, which the proxy ignores, or ``None`` if no text follows.

    Raises:
        FaultError: The first policy is not valid.
    """
    rest = _policy(text).rest
    if rest is None:
        return None
    return fault_at(text, rest, "only the first policy of a text is read; what follows has no effect")


def never_matches(text: str, *, keeps_address: bool) -> Iterator[Flaw]:
    """Yield the reasons why the head of a policy never matches a request of the proxy.

    In a request, the principal is a ``Client``, the resource is a ``Tool``, ``Prompt``, ``Resource`` or
    ``FeatureType``, and the action is one of ``ACTIONS``. The id of a ``Resource`` is its address. Unless
    ``keeps_address``, the proxy replaces the punctuation in the id by ``_``.

    Raises:
        FaultError: The policy is not valid.
    """
    policy = _policy(text)
    principal, resource = policy.principal, policy.resource
    if principal.is_equal and principal.entities[0].type != PRINCIPAL_TYPE:
        yield _fault(text, principal.entities[0], f"a principal is always a {PRINCIPAL_TYPE}")
    if principal.type is not None and principal.type != PRINCIPAL_TYPE:
        yield fault_at(text, 0, f"no principal is a {principal.type}; they are all {PRINCIPAL_TYPE}")
    if resource.type is not None and resource.type not in RESOURCE_TYPES:
        yield fault_at(text, 0, f"no resource is a {resource.type}; they are {', '.join(RESOURCE_TYPES)}")
    yield from _action_faults(text, policy)
    if resource.is_equal:
        yield from _resource_faults(text, resource.entities[0], keeps_address=keeps_address)


def _action_faults(text: str, policy: Policy) -> Iterator[Flaw]:
    for entity in policy.action.entities:
        if entity.type != "Action" or entity.id not in ACTIONS:
            shown = f'{entity.type}::"{entity.id}"'
            message = f"no request has the action {shown}; the actions are {', '.join(ACTIONS)}"
            meant = nearest(entity.id, ACTIONS, likeness=VAGUE)
            yield fault_at(text, entity.offset, message, f'write Action::"{meant}"' if meant else None)


def _resource_faults(text: str, entity: EntityId, *, keeps_address: bool) -> Iterator[Flaw]:
    if entity.type not in RESOURCE_TYPES:
        yield _fault(text, entity, f"no resource is a {entity.type}; they are {', '.join(RESOURCE_TYPES)}")
    elif entity.type == "Resource" and not keeps_address and sanitized(entity.id) != entity.id:
        message = f"the id of this resource is {sanitized(entity.id)!r} in a request; compare resource.uri instead"
        yield _fault(text, entity, message)


def sanitized(address: str) -> str:
    """Return ``address`` with punctuation replaced by ``_``, as older proxies do for the id of a resource."""
    return address.translate(_REPLACED)


def _fault(text: str, entity: EntityId, message: str) -> Flaw:
    return fault_at(text, entity.offset, message)
