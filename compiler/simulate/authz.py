"""Whether the authorization middleware of a proxy would let a request pass."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..diagnostics.plain import value_at
from ..diagnostics.version import RELEASE
from ..golang.strconv import NumberError
from ..golang.value import json_numbers
from ..language.cedar.engine import Decision, UnavailableError, decide
from ..language.cedar.entities import EntityData, Extension, by_id, parse_entities
from ..language.cedar.extension import decimal_of_float
from ..language.cedar.parser import parse
from ..language.cedar.policy import GROUP_TYPE, PRINCIPAL_TYPE, sanitized
from ..language.cedar.syntax import EntityId, Policy
from ..language.fault import FaultError
from ..toolhive.release import ADDRESSES_KEPT_SINCE, CLAIM_SETS_SINCE, GROUP_TYPE_SINCE, holds

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

GROUP_CLAIMS: Final = ("groups", "roles", "cognito:groups")
"""Where groups are looked for, after the configured claim; the first claim that the token has decides."""

_OPERATIONS: Final = {
    ("tool", "call"): ("call_tool", "Tool"),
    ("prompt", "get"): ("get_prompt", "Prompt"),
    ("resource", "read"): ("read_resource", "Resource"),
}


NESTED_GROUPS_SINCE: Final = "0.22.0"
"""The first release that finds groups in nested claims, and in the claim of roles too."""
SERVER_SINCE: Final = "0.23.0"
"""The first release whose resources are in a server."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A policy that had a part in the decision.

    Attributes:
        index: Its place in the configuration, from 0.
        effect: ``permit`` or ``forbid``.
        policy: Its text.
        error: Why it has no value for this request; ``None`` where it decided.
    """

    index: int
    effect: str
    policy: str
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Authorization:
    """What the authorizer would answer.

    Attributes:
        allowed: Whether the request passes.
        error: Why there was no decision: the request is refused then.
        unavailable: Why mcpcfg cannot decide; nothing else holds then.
        principal: The user, as policies see it; empty where it did not come to that. So the next two.
        action: What is to be done.
        resource: What it is done to.
        groups: The groups of the user.
        reasons: The policies that decided, and those that failed.
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
    """A request with everything that policies may look at."""

    principal: EntityId
    action: EntityId
    resource: EntityId
    entities: tuple[EntityData, ...]
    context: Mapping[str, Any]
    groups: tuple[str, ...] = field(default=())


class _Refused(Exception):  # noqa: N818 - it is the answer
    """There is no decision; the message is the reason."""


class _Ways(NamedTuple):
    """How a release makes entities of a request.

    Attributes:
        finds_groups: Groups are found in nested claims and in the claim of roles too; they are no entities of their
            own; a resource's attribute ``name`` is its address as it stands.
        has_server: Resources are in the server.
        has_group_type: The type of groups may be configured.
        has_sets: Claims with several values may be configured.
        keeps_address: The id of a resource is its address as it stands.
    """

    finds_groups: bool
    has_server: bool
    has_group_type: bool
    has_sets: bool
    keeps_address: bool

    @classmethod
    def of(cls, release: str) -> _Ways:
        """Return the ways of a release."""
        return cls(
            finds_groups=holds(NESTED_GROUPS_SINCE, None, release),
            has_server=holds(SERVER_SINCE, None, release),
            has_group_type=holds(GROUP_TYPE_SINCE, None, release),
            has_sets=holds(CLAIM_SETS_SINCE, None, release),
            keeps_address=holds(ADDRESSES_KEPT_SINCE, None, release),
        )


def authorize(config: Any, claims: Any, request: Any, *, release: str = RELEASE, server: str = "") -> Authorization:
    """Decide one request, as the middleware of a release does.

    Args:
        config: The ``cedar`` object of an authorization configuration, plain data of any shape.
        claims: The claims of the user's token, or those of the upstream provider where the configuration names one.
        request: ``feature`` (tool, prompt, resource), ``operation`` (call, get, read, list), ``resource`` (its name
            or address), ``arguments``.
        release: Of the operator that started the middleware.
        server: The name of the server, which policies see as an ``MCP`` that resources are in.

    Source: the recorded decisions; documentation of the product, "Authorization policy reference"; of later releases
    the Cedar authorizer, v0.22.0 to v0.44.0.
    """
    try:
        _check_shape(config, claims, request)
        policies = _policies(config)
        fixed = _entities(config)
        asked = _request(config, json_numbers(claims or {}), json_numbers(request), _Ways.of(release), server)
    except (_Refused, NumberError) as refused:
        return Authorization(error=str(refused))
    entities = {**by_id(fixed), **by_id(asked.entities)}
    try:
        decision = decide(policies, entities.values(), (asked.principal, asked.action, asked.resource), asked.context)
    except UnavailableError as error:
        return Authorization(unavailable=str(error))
    return _outcome(config["policies"], policies, asked, decision)


def answer(question: Mapping[str, Any]) -> dict[str, Any]:
    """Answer one question of ``mcpcfg simulate authz --json-lines``: ``config``, ``claims`` and ``request``."""
    result = authorize(question.get("config"), question.get("claims"), question.get("request"))
    if result.unavailable is not None:
        return {"allowed": False, "error": result.unavailable, "unavailable": True}
    return {"allowed": result.allowed, "error": result.error}


def _check_shape(config: Any, claims: Any, request: Any) -> None:
    if not isinstance(config, dict):
        raise _Refused("the configuration must be an object")
    policies = config.get("policies")
    if not isinstance(policies, list) or not policies or not all(isinstance(policy, str) for policy in policies):
        raise _Refused("the configuration needs at least one policy, and policies are strings")
    for name in ("entities_json", "group_claim_name", "role_claim_name", "group_entity_type"):
        if not isinstance(config.get(name), str | None):
            raise _Refused(f"{name} must be a string")
    if not isinstance(claims, dict | None):
        raise _Refused("the claims must be an object")
    if not isinstance(request, dict) or not isinstance(request.get("arguments"), dict | None):
        raise _Refused("the request must be an object, and so must its arguments")
    for name in ("feature", "operation", "resource"):
        if not isinstance(request.get(name), str | None):
            raise _Refused(f"the request's {name} must be a string")


def _policies(config: Mapping[str, Any]) -> list[Policy]:
    found = []
    for index, text in enumerate(config["policies"]):
        try:
            found.append(parse(text))
        except FaultError as error:
            raise _Refused(f"policy {index} does not load: {error}") from None
    return found


def _entities(config: Mapping[str, Any]) -> tuple[EntityData, ...]:
    try:
        return parse_entities(config.get("entities_json") or "")
    except FaultError as error:
        raise _Refused(f"the entities do not load: {error}") from None


def _request(
    config: Mapping[str, Any], claims: Mapping[str, Any], request: Mapping[str, Any], ways: _Ways, server: str
) -> _Request:
    """Make of a request what policies see. What it brings replaces entities of the same id."""
    subject = claims.get("sub")
    if not isinstance(subject, str) or not subject:
        raise _Refused("the token has no subject")
    arguments = _arguments(request.get("arguments") or {})
    action, resource, attributes = _target(request, ways)
    groups = _later_groups(config, claims) if ways.finds_groups else _groups(config, claims)
    kind = (config.get("group_entity_type") if ways.has_group_type else None) or GROUP_TYPE
    parents = tuple(EntityId(kind, group) for group in groups)
    principal = EntityId(PRINCIPAL_TYPE, subject)
    listed = [name for name in config.get("multi_valued_claims") or () if name in claims] if ways.has_sets else []
    known = _record({f"claim_{name}": _as_text(value, name in listed) for name, value in claims.items()})
    known |= {f"claimset_{name}": found for name in listed if (found := _members(claims[name])) is not None}
    entities = (
        EntityData(principal, known, parents=parents),
        # Where groups are no entities of their own, those that are configured keep their parents.
        *(() if ways.finds_groups else (EntityData(parent) for parent in parents)),
        EntityData(action, {"operation": action.id}),
        EntityData(
            resource,
            {**arguments, "name": resource.id, **attributes},
            parents=(EntityId("MCP", server),) if ways.has_server and server else (),
        ),
    )
    return _Request(principal, action, resource, entities, {**known, **arguments}, groups)


def _target(request: Mapping[str, Any], ways: _Ways) -> tuple[EntityId, EntityId, dict[str, Any]]:
    """Return the action, the resource, and the attributes of the resource."""
    feature, operation = (str(request.get(name) or "") for name in ("feature", "operation"))
    named = str(request.get("resource") or "")
    attributes = {"operation": operation, "feature": feature}
    if (feature, operation) in _OPERATIONS:
        action, kind = _OPERATIONS[feature, operation]
        if kind != "Resource":
            return EntityId("Action", action), EntityId(kind, named), attributes
        attributes |= {"uri": named} | ({"name": named} if ways.finds_groups else {})
        return EntityId("Action", action), EntityId(kind, named if ways.keeps_address else sanitized(named)), attributes
    if operation == "list":
        action_id = EntityId("Action", f"list_{feature}s")
        return action_id, EntityId("FeatureType", feature), {**attributes, "type": feature}
    raise _Refused(f"there is nothing to {operation or 'do'} with the feature {feature!r}")


def _groups(config: Mapping[str, Any], claims: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the groups of the user, as 0.21.0 does: it reads no ``role_claim_name``."""
    custom = config.get("group_claim_name")
    for name in (*((custom,) if custom else ()), *GROUP_CLAIMS):
        if name in claims:
            value = claims[name]
            groups = value if isinstance(value, list) else []
            return tuple(dict.fromkeys(group for group in groups if isinstance(group, str)))
    return ()


def _later_groups(config: Mapping[str, Any], claims: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the groups of the user: of the first claim that is a list, and the roles."""
    names = (config.get("group_claim_name"), *GROUP_CLAIMS)
    groups = next((found for name in names if (found := _names(claims, name)) is not None), [])
    return tuple(dict.fromkeys((*groups, *(_names(claims, config.get("role_claim_name")) or ()))))


def _names(claims: Mapping[str, Any], path: Any) -> list[str] | None:
    """Return the texts of a list in a token: that of a claim, or one within claims: ``realm_access.roles``."""
    if not isinstance(path, str) or not path:
        return None
    value: Any = claims.get(path)
    if value is None and "." in path:
        value = value_at(claims, tuple(path.split(".")))
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else None


def _as_text(value: Any, is_listed: bool) -> Any:  # noqa: FBT001 - one call
    """Return a claim with several values as one text, its members one space apart."""
    return " ".join(one for one in value if isinstance(one, str)) if is_listed and isinstance(value, list) else value


def _members(value: Any) -> list[str] | None:
    """Return the members of a claim with several values, be it a text or a list."""
    if isinstance(value, str):
        return value.split()
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else None


def _arguments(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Scalars as ``arg_NAME``; of everything else only ``arg_NAME_present``."""
    made: dict[str, Any] = {}
    for name, value in arguments.items():
        if isinstance(value, str | bool | float):
            made[f"arg_{name}"] = value
        else:
            made[f"arg_{name}_present"] = True
    return _record(made)


def _record(members: Mapping[str, Any]) -> dict[str, Any]:
    converted = ((name, _value(value, within_list=False)) for name, value in members.items())
    return {name: value for name, value in converted if value is not None}


def _value(value: Any, *, within_list: bool) -> Any:
    """Return what policies see of a value in a token or an argument: every number is a decimal, objects are dropped."""
    match value:
        case str() | bool():
            return value
        case float():
            text = decimal_of_float(value)
            return None if text is None else Extension("decimal", text)
        case list() if not within_list:
            items = (_value(item, within_list=True) for item in value)
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
