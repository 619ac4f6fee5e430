"""Simulate the authorization middleware of a proxy, which decides whether a request may pass."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.plain import value_at
from ..golang.strconv import NumberError
from ..golang.value import json_numbers
from ..language.cedar.engine import Decision, UnavailableError, decide
from ..language.cedar.entities import EntityData, Extension, by_id, parse_entities
from ..language.cedar.extension import decimal_of_float
from ..language.cedar.parser import parse
from ..language.cedar.policy import GROUP_TYPE, PRINCIPAL_TYPE, sanitized
from ..language.cedar.syntax import EntityId, Policy
from ..language.fault import FaultError
from ..toolhive.release import ADDRESSES_KEPT_SINCE, CLAIM_SETS_SINCE, GROUP_TYPE_SINCE, NEWEST_MODELLED, OLDEST, holds

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

GROUP_CLAIMS: Final = ("groups", "roles", "cognito:groups")
"""The claims that may hold groups, in order, after the configured claim. The first claim in the token counts."""

_OPERATIONS: Final = {
    ("tool", "call"): ("call_tool", "Tool"),
    ("prompt", "get"): ("get_prompt", "Prompt"),
    ("resource", "read"): ("read_resource", "Resource"),
}
"""The id of the Cedar action and the type of the Cedar resource, by feature and operation."""


NESTED_GROUPS_SINCE: Final = "0.22.0"
"""The first release that finds groups in nested claims and in the claim ``role_claim_name``."""
SERVER_SINCE: Final = "0.23.0"
"""The first release whose Cedar resources belong to a server entity."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A policy that decided, or that could not be evaluated.

    Attributes:
        index: The position of the policy in the configuration, starting at 0.
        effect: ``permit`` or ``forbid``.
        error: The reason why the policy could not be evaluated for this request, or ``None`` if it decided.
    """

    index: int
    effect: str
    policy: str
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Authorization:
    """The answer of the authorizer.

    Attributes:
        allowed: True if the request passes.
        error: The reason why there was no decision. The request is then refused.
        unavailable: The reason why mcpcfg cannot decide. All other attributes are then meaningless.
        principal: The user as a Cedar entity; empty if there was no decision.
        action: The action as a Cedar entity; empty if there was no decision.
        resource: The resource as a Cedar entity; empty if there was no decision.
        reasons: The policies that decided, and the policies that could not be evaluated.
    """

    allowed: bool = False
    error: str | None = None
    unavailable: str | None = None
    principal: str = ""
    action: str = ""
    resource: str = ""
    groups: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class _Request:
    """A request as Cedar entities and context, which policies are evaluated with."""

    principal: EntityId
    action: EntityId
    resource: EntityId
    entities: tuple[EntityData, ...]
    context: Mapping[str, Any]
    groups: tuple[str, ...] = field(default=())


class _NoDecision(Exception):  # noqa: N818 - it is the answer
    """The authorizer cannot decide. The message is the reason."""


class _Features(NamedTuple):
    """Differences between releases in how a request becomes Cedar entities.

    Attributes:
        finds_nested_groups: True if groups are found in nested claims and in the claim of roles. Groups are then not
            added as entities, and the attribute ``name`` of a resource is its unchanged address.
        has_server: True if resources belong to a server entity.
        has_group_type: True if the configuration may state the entity type of groups.
        has_sets: True if the configuration may list claims with several values.
        keeps_address: True if the id of a resource is its unchanged address.
    """

    finds_nested_groups: bool
    has_server: bool
    has_group_type: bool
    has_sets: bool
    keeps_address: bool

    @classmethod
    def of(cls, release: str) -> _Features:
        return cls(
            finds_nested_groups=holds(NESTED_GROUPS_SINCE, None, release),
            has_server=holds(SERVER_SINCE, None, release),
            has_group_type=holds(GROUP_TYPE_SINCE, None, release),
            has_sets=holds(CLAIM_SETS_SINCE, None, release),
            keeps_address=holds(ADDRESSES_KEPT_SINCE, None, release),
        )


def authorize(
    config: Any, claims: Any, request: Any, *, release: str = NEWEST_MODELLED, server: str = ""
) -> Authorization:
    """Decide whether a request may pass, like the middleware of a release.

    Source: the recorded decisions; documentation of ToolHive, "Authorization policy reference"; for later
    releases the code of the Cedar authorizer, v0.22.0 to v0.44.0.

    Args:
        config: The ``cedar`` object of an authorization configuration, as plain data of any shape.
        claims: The claims of the user's token, or of the upstream provider's token if the configuration names one.
        request: A mapping with ``feature`` (tool, prompt, resource), ``operation`` (call, get, read, list),
            ``resource`` (name or address) and ``arguments``.
        release: The release of the operator that started the middleware.
        server: The name of the server, which becomes the ``MCP`` entity that Cedar resources belong to.
    """
    try:
        _check_shape(config, claims, request)
        policies = _policies(config)
        fixed = _entities(config)
        asked = _request(config, json_numbers(claims or {}), json_numbers(request), _Features.of(release), server)
    except (_NoDecision, NumberError) as refused:
        return Authorization(error=str(refused))
    entities = {**by_id(fixed), **by_id(asked.entities)}
    try:
        decision = decide(policies, entities.values(), (asked.principal, asked.action, asked.resource), asked.context)
    except UnavailableError as error:
        return Authorization(unavailable=str(error))
    return _outcome(config["policies"], policies, asked, decision)


def answer(question: Mapping[str, Any], release: str = OLDEST) -> dict[str, Any]:
    """Return the answer to a line of ``mcpcfg simulate authz --json-lines``, by a release of the operator.

    A question has ``config``, ``claims`` and ``request``. The answer has ``allowed`` and ``error``. If mcpcfg
    cannot decide, ``allowed`` is ``None``, and the answer has ``unavailable``, too.
    """
    result = authorize(question.get("config"), question.get("claims"), question.get("request"), release=release)
    if result.unavailable is not None:
        return {"allowed": None, "error": result.unavailable, "unavailable": True}
    return {"allowed": result.allowed, "error": result.error}


def _check_shape(config: Any, claims: Any, request: Any) -> None:
    if not isinstance(config, dict):
        raise _NoDecision("the configuration must be an object")
    policies = config.get("policies")
    if not isinstance(policies, list) or not policies or not all(isinstance(policy, str) for policy in policies):
        raise _NoDecision("the configuration needs at least one policy, and policies are strings")
    for name in ("entities_json", "group_claim_name", "role_claim_name", "group_entity_type"):
        if not isinstance(config.get(name), str | None):
            raise _NoDecision(f"{name} must be a string")
    if not isinstance(claims, dict | None):
        raise _NoDecision("the claims must be an object")
    if not isinstance(request, dict) or not isinstance(request.get("arguments"), dict | None):
        raise _NoDecision("the request must be an object, and so must its arguments")
    for name in ("feature", "operation", "resource"):
        if not isinstance(request.get(name), str | None):
            raise _NoDecision(f"the request's {name} must be a string")


def _policies(config: Mapping[str, Any]) -> list[Policy]:
    policies = []
    for index, text in enumerate(config["policies"]):
        try:
            policies.append(parse(text))
        except FaultError as error:
            raise _NoDecision(f"policy {index} does not load: {error}") from None
    return policies


def _entities(config: Mapping[str, Any]) -> tuple[EntityData, ...]:
    try:
        return parse_entities(config.get("entities_json") or "")
    except FaultError as error:
        raise _NoDecision(f"the entities do not load: {error}") from None


def _request(
    config: Mapping[str, Any], claims: Mapping[str, Any], request: Mapping[str, Any], features: _Features, server: str
) -> _Request:
    """Return a request as Cedar entities and context. Its entities replace configured ones with the same id."""
    subject = claims.get("sub")
    if not isinstance(subject, str) or not subject:
        raise _NoDecision("the token has no subject")
    arguments = _arguments(request.get("arguments") or {})
    action, resource, attributes = _target(request, features)
    groups = _groups_with_roles(config, claims) if features.finds_nested_groups else _groups(config, claims)
    kind = (config.get("group_entity_type") if features.has_group_type else None) or GROUP_TYPE
    parents = tuple(EntityId(kind, group) for group in groups)
    principal = EntityId(PRINCIPAL_TYPE, subject)
    listed = [name for name in config.get("multi_valued_claims") or () if name in claims] if features.has_sets else []
    claims_record = _record(
        {f"claim_{name}": _claim_attribute(value, name in listed) for name, value in claims.items()}
    )
    claims_record |= {
        f"claimset_{name}": members for name in listed if (members := _claim_words(claims[name])) is not None
    }
    entities = (
        EntityData(principal, claims_record, parents=parents),
        # In later releases, groups are not added as entities, so configured groups keep their parents.
        *(() if features.finds_nested_groups else (EntityData(parent) for parent in parents)),
        EntityData(action, {"operation": action.id}),
        EntityData(
            resource,
            {**arguments, "name": resource.id, **attributes},
            parents=(EntityId("MCP", server),) if features.has_server and server else (),
        ),
    )
    return _Request(principal, action, resource, entities, {**claims_record, **arguments}, groups)


def _target(request: Mapping[str, Any], features: _Features) -> tuple[EntityId, EntityId, dict[str, Any]]:
    """Return the ids of the Cedar action and resource of a request, and the attributes of the resource."""
    feature, operation = (str(request.get(name) or "") for name in ("feature", "operation"))
    named = str(request.get("resource") or "")
    attributes = {"operation": operation, "feature": feature}
    if (feature, operation) in _OPERATIONS:
        action, kind = _OPERATIONS[feature, operation]
        if kind != "Resource":
            return EntityId("Action", action), EntityId(kind, named), attributes
        attributes |= {"uri": named} | ({"name": named} if features.finds_nested_groups else {})
        return (
            EntityId("Action", action),
            EntityId(kind, named if features.keeps_address else sanitized(named)),
            attributes,
        )
    if operation == "list":
        action_id = EntityId("Action", f"list_{feature}s")
        return action_id, EntityId("FeatureType", feature), {**attributes, "type": feature}
    raise _NoDecision(f"there is nothing to {operation or 'do'} with the feature {feature!r}")


def _groups(config: Mapping[str, Any], claims: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the groups of the user as releases before `NESTED_GROUPS_SINCE` find them.

    These releases use the first claim that is present, and ignore ``role_claim_name``.
    """
    custom = config.get("group_claim_name")
    for name in (*((custom,) if custom else ()), *GROUP_CLAIMS):
        if name in claims:
            value = claims[name]
            groups = value if isinstance(value, list) else []
            return tuple(dict.fromkeys(group for group in groups if isinstance(group, str)))
    return ()


def _groups_with_roles(config: Mapping[str, Any], claims: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the groups in the first claim that is a list, followed by the roles, as later releases find them."""
    names = (config.get("group_claim_name"), *GROUP_CLAIMS)
    groups = next((list_of_names for name in names if (list_of_names := _claim_strings(claims, name)) is not None), [])
    return tuple(dict.fromkeys((*groups, *(_claim_strings(claims, config.get("role_claim_name")) or ()))))


def _claim_strings(claims: Mapping[str, Any], path: Any) -> list[str] | None:
    """Return the strings in the claim at ``path``, such as ``realm_access.roles``; ``None`` if the claim is no list."""
    if not isinstance(path, str) or not path:
        return None
    value: Any = claims.get(path)
    if value is None and "." in path:
        value = value_at(claims, tuple(path.split(".")))
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else None


def _claim_attribute(value: Any, is_listed: bool) -> Any:  # noqa: FBT001 - one call
    """Return the value of a claim as an attribute.

    If ``is_listed`` is true, because the claim is configured as multi-valued, the strings of a list are joined by
    spaces. All other values stay unchanged.
    """
    return " ".join(item for item in value if isinstance(item, str)) if is_listed and isinstance(value, list) else value


def _claim_words(value: Any) -> list[str] | None:
    if isinstance(value, str):
        return value.split()
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else None


def _arguments(arguments: Mapping[str, Any]) -> dict[str, Any]:
    context: dict[str, Any] = {}
    for name, value in arguments.items():
        if isinstance(value, str | bool | float):
            context[f"arg_{name}"] = value
        else:
            context[f"arg_{name}_present"] = True
    return _record(context)


def _record(members: Mapping[str, Any]) -> dict[str, Any]:
    converted = ((name, _cedar_value(value, within_list=False)) for name, value in members.items())
    return {name: value for name, value in converted if value is not None}


def _cedar_value(value: Any, *, within_list: bool) -> Any:
    """Return a value of a token or an argument as policies see it, or ``None`` if it is dropped.

    Every number becomes a Cedar decimal. Objects, lists within lists, and numbers beyond a decimal are dropped.
    """
    match value:
        case str() | bool():
            return value
        case float():
            text = decimal_of_float(value)
            return None if text is None else Extension("decimal", text)
        case list() if not within_list:
            items = (_cedar_value(item, within_list=True) for item in value)
            return [item for item in items if item is not None]
        case _:
            return None


def _outcome(texts: Sequence[str], policies: Sequence[Policy], asked: _Request, decision: Decision) -> Authorization:
    reasons = [Reason(index, policies[index].effect, texts[index]) for index in decision.deciding]
    reasons += [Reason(index, policies[index].effect, texts[index], why) for index, why in decision.errors.items()]
    error = "; ".join(f"policy {index}: {why}" for index, why in sorted(decision.errors.items())) or None
    return Authorization(
        allowed=decision.allowed and error is None,
        error=error,
        principal=_shown(asked.principal),
        action=_shown(asked.action),
        resource=_shown(asked.resource),
        groups=asked.groups,
        reasons=tuple(sorted(reasons, key=lambda reason: reason.index)),
    )


def _shown(entity: EntityId) -> str:
    return f'{entity.type}::"{entity.id}"'
