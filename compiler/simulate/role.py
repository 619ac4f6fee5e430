"""Simulate which IAM role the cloud STS middleware of a proxy chooses for a user."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from ..golang.strconv import NumberError
from ..golang.value import json_numbers
from ..language.fault import FaultError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

DEFAULT_CLAIM: Final = "groups"
"""The claim that mappings compare with if the configuration states no ``role_claim``."""

SESSION_SECONDS: Final = range(900, 43_201)
"""The durations that AWS STS accepts for a session: 15 minutes to 12 hours."""

_ARN = re.compile(r"arn:[^:]*:iam:[^:]*:[0-9]{12}:role/.*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class TriedMapping:
    """A role mapping that was evaluated.

    Attributes:
        index: The position in the configuration, starting at 0.
        mapping: The condition as text: ``claim 'admins'``, or ``matcher`` with its expression.
        outcome: ``matched``, ``no match``, or ``error`` if the condition cannot be evaluated, which counts as no match.
        reason: The result of the comparison, or the reason why the condition cannot be evaluated.
    """

    index: int
    mapping: str
    role: str
    outcome: Literal["matched", "no match", "error"]
    reason: str


@dataclass(frozen=True, slots=True)
class RoleChoice:
    """The decision of the role mapper.

    Attributes:
        role: The ARN of the role; empty if there is none.
        config_error: The reason why the process would not start with this configuration, or ``None``. If there is one,
            all other attributes are empty.
        error: The reason why the user gets no role, or ``None``.
        tried: The evaluated mappings in order, up to the mapping that matched.
        is_fallback: True if no mapping matched, so the role is the fallback.
    """

    role: str = ""
    config_error: str | None = None
    error: str | None = None
    tried: tuple[TriedMapping, ...] = ()
    is_fallback: bool = False


def choose_role(config: Any, claims: Any) -> RoleChoice:
    """Choose the role that the role mappings of a proxy give to a user.

    Source: the recorded role mappings; docs/operator/proxy.md, "Roles".

    Args:
        config: The ``aws_sts_config`` of a RunConfig, as plain data of any shape.
        claims: The claims of the user's token, as plain data.
    """
    claims = {} if claims is None else claims
    try:
        _check_shape(config, claims)
        claims = json_numbers(claims)
        mappings = config.get("role_mappings") or []
        _check(config, mappings)
        tests = [_mapping_test(index, mapping, config) for index, mapping in enumerate(mappings)]
    except (_ConfigError, NumberError) as error:
        return RoleChoice(config_error=str(error))
    tried: list[TriedMapping] = []
    for index in sorted(range(len(mappings)), key=lambda at: _priority(mappings[at])):
        outcome, reason = tests[index](claims)
        role = str(mappings[index]["role_arn"])
        tried.append(TriedMapping(index, _shown(mappings[index]), role, outcome, reason))
        if outcome == "matched":
            return RoleChoice(role, tried=tuple(tried))
    fallback = config.get("fallback_role_arn") or ""
    if fallback:
        return RoleChoice(fallback, tried=tuple(tried), is_fallback=True)
    return RoleChoice(error="no mapping matches these claims, and there is no fallback role", tried=tuple(tried))


def answer(question: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer to a line of ``mcpcfg simulate role --json-lines``.

    A question has ``config`` and ``claims``; see `choose_role`. The answer has ``role`` and ``error``, or only
    ``configError`` if the process would not start.
    """
    choice = choose_role(question.get("config"), question.get("claims"))
    if choice.config_error is not None:
        return {"configError": choice.config_error}
    return {"role": choice.role, "error": choice.error}


def config_of_spec(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return the ``aws_sts_config`` for the ``awsSts`` block of an MCPExternalAuthConfig."""
    names = {
        "region": "region",
        "service": "service",
        "fallbackRoleArn": "fallback_role_arn",
        "roleClaim": "role_claim",
        "sessionDuration": "session_duration",
        "sessionNameClaim": "session_name_claim",
    }
    config = {ours: spec[theirs] for theirs, ours in names.items() if spec.get(theirs)}
    mappings = [
        {"role_arn" if name == "roleArn" else name: value for name, value in mapping.items() if value is not None}
        for mapping in spec.get("roleMappings") or []
    ]
    return {**config, "role_mappings": mappings} if mappings else config


class _ConfigError(Exception):
    """The process would not start with the configuration. The message is the reason."""


_CONFIG_SHAPE: Final = (
    ("region", str),
    ("role_claim", str),
    ("fallback_role_arn", str),
    ("role_mappings", list),
    ("session_duration", int),
)
_MAPPING_SHAPE: Final = (("claim", str), ("matcher", str), ("role_arn", str), ("priority", int))


def _check_shape(config: Any, claims: Any) -> None:
    for value, name in ((config, "the configuration"), (claims, "the claims")):
        if not isinstance(value, dict):
            raise _ConfigError(f"{name} must be an object")
    _check_members(config, _CONFIG_SHAPE, "")
    for index, mapping in enumerate(config.get("role_mappings") or []):
        if not isinstance(mapping, dict):
            raise _ConfigError(f"role mapping {index} is not an object")
        _check_members(mapping, _MAPPING_SHAPE, f"role mapping {index}: ")


def _check_members(value: Mapping[str, Any], shape: tuple[tuple[str, type], ...], where: str) -> None:
    for name, kind in shape:
        member = value.get(name)
        if member is not None and type(member) is not kind:
            raise _ConfigError(f"{where}{name} has the wrong type")


def _check(config: Mapping[str, Any], mappings: Sequence[Mapping[str, Any]]) -> None:
    if not config.get("region"):
        raise _ConfigError("the region is missing")
    fallback = config.get("fallback_role_arn") or ""
    if not fallback and not mappings:
        raise _ConfigError("neither a fallback role nor role mappings are set")
    if fallback:
        _check_role(fallback, "the fallback role")
    for index, mapping in enumerate(mappings):
        where = f"role mapping {index}"
        if bool(mapping.get("claim")) == bool(mapping.get("matcher")):
            raise _ConfigError(f"{where} needs either a claim or a matcher, and not both")
        _check_role(mapping.get("role_arn") or "", where)
    duration = config.get("session_duration") or 0
    if duration and duration not in SESSION_SECONDS:
        bounds = f"{SESSION_SECONDS.start} to {SESSION_SECONDS.stop - 1}"
        raise _ConfigError(f"the session duration of {duration} seconds is not within {bounds}")


def _check_role(arn: str, where: str) -> None:
    if not _ARN.fullmatch(arn):
        raise _ConfigError(f"{where}: {arn!r} is not the ARN of an IAM role")


def _mapping_test(index: int, mapping: Mapping[str, Any], config: Mapping[str, Any]) -> Callable[[Any], _Outcome]:
    claim = mapping.get("claim")
    if claim:
        return _claim_test(str(claim), str(config.get("role_claim") or DEFAULT_CLAIM))
    return _matcher_test(index, str(mapping.get("matcher")))


def _claim_test(value: str, name: str) -> Callable[[Any], _Outcome]:
    def test(claims: Any) -> _Outcome:
        given = claims.get(name)
        if isinstance(given, list | dict):
            return ("matched", f"{value!r} is in {name!r}") if value in given else ("no match", f"not in {name!r}")
        if name in claims:
            return "error", f"the claim {name!r} is not a list"
        return "error", f"the token has no claim {name!r}"

    return test


def _matcher_test(index: int, matcher: str) -> Callable[[Any], _Outcome]:
    from ..language.cel.rule import compile_matcher
    from ..language.cel.transpile import TooDeepError
    from ..language.cel.value import CelError

    try:
        rule = compile_matcher(matcher)
    except TooDeepError:
        return lambda _: ("error", "mcpcfg does not evaluate a matcher that nests so deep")
    except FaultError as error:
        raise _ConfigError(f"role mapping {index}: {error}") from None

    def test(claims: Any) -> _Outcome:
        try:
            return ("matched", "the matcher is true") if rule(claims=claims) else ("no match", "the matcher is false")
        except CelError as error:
            return "error", str(error)

    return test


def _priority(mapping: Mapping[str, Any]) -> tuple[bool, int]:
    priority = mapping.get("priority")
    return (priority is None, priority or 0)


def _shown(mapping: Mapping[str, Any]) -> str:
    return f"claim {mapping['claim']!r}" if mapping.get("claim") else f"matcher {mapping['matcher']}"


if TYPE_CHECKING:
    from typing import TypeAlias

    _Outcome: TypeAlias = tuple[Literal["matched", "no match", "error"], str]
