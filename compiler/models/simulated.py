"""JSON that ``mcpcfg simulate`` writes with ``--format json``."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Required, TypedDict

from .output import Count, Version


class SimulatedBackend(TypedDict, total=False):
    """A backend of a virtual server."""

    name: Required[Annotated[str, "Name of the backend."]]
    tools: Required[Annotated[Count, "Number of its known tools."]]
    known: Required[Annotated[str, "Where the tools are known from."]]
    complete: Required[Annotated[bool, "Whether all of its tools are known."]]


class SimulatedRoute(TypedDict, total=False):
    """The backend tool that a call goes to."""

    backend: Required[Annotated[str, "Name of the backend."]]
    tool: Required[Annotated[str, "Name of the tool there."]]


class SimulatedComposites(TypedDict, total=False):
    """The composite tools of a virtual server."""

    offered: Required[Annotated[list[str], "Composite tools that clients see."]]
    withheld: Required[Annotated[dict[str, str], "Composite tools that are not offered, with the reason."]]


class LostTool(TypedDict, total=False):
    """A tool that no client can reach."""

    backend: Required[Annotated[str, "Name of the backend."]]
    tool: Required[Annotated[str, "Name of the tool as the backend lists it."]]
    reason: Required[Annotated[str, "Why it is lost."]]


class SimulateToolsOutput(TypedDict, total=False):
    """The answer of mcpcfg simulate tools."""

    version: Required[Version]
    virtualServer: Required[Annotated[str, "Name of the virtual server."]]
    strategy: Required[Annotated[str, "How conflicts between names are resolved."]]
    complete: Required[Annotated[bool, "Whether the tools of all backends are known."]]
    error: Required[Annotated[str | None, "Why no session gets any tools; null if sessions get tools."]]
    backends: Required[Annotated[list[SimulatedBackend], "The backends."]]
    visible: Required[Annotated[list[str], "The tools that clients see, in the order of tools/list."]]
    hidden: Required[Annotated[list[str], "Tools that only composite tools can call."]]
    routes: Required[Annotated[dict[str, SimulatedRoute], "Where calls go, by the name of the tool."]]
    composites: Required[Annotated[SimulatedComposites, "The composite tools."]]
    dropped: Required[Annotated[list[LostTool], "Tools that no client can reach."]]
    notes: Required[Annotated[list[str], "Settings without effect, or with an unexpected effect."]]


class SimulatedStep(TypedDict, total=False):
    """The outcome of a step."""

    status: Required[Annotated[str, "Status of the step."]]
    arguments: Required[Annotated[Any, "Arguments of its tool; null if it calls none itself."]]
    attempts: Required[Annotated[Count, "Number of calls."]]
    output: Required[Annotated[Any, "Output of the step."]]
    error: Required[Annotated[str | None, "Why the step failed; null if it did not."]]


class SimulatedCall(TypedDict, total=False):
    """A call of a tool, or a question to the user."""

    tool: Annotated[str, "Name of the called tool."]
    arguments: Annotated[Any, "Arguments of the call."]
    elicit: Annotated[str, "Step that asks the user."]
    message: Annotated[Any, "The question."]


class SimulateWorkflowOutput(TypedDict, total=False):
    """The answer of mcpcfg simulate workflow."""

    version: Required[Version]
    tool: Required[Annotated[str, "Name of the composite tool."]]
    definitionError: Required[Annotated[str | None, "Why the virtual server does not start with the tool; else null."]]
    status: Required[Annotated[Literal["completed", "failed", "timed_out"], "Outcome of the run."]]
    error: Required[Annotated[str | None, "Why the run failed; null if it did not."]]
    elapsed: Required[Annotated[str, "Time that the run waits."]]
    levels: Required[Annotated[list[list[str]], "Groups of steps that run at the same time."]]
    steps: Required[Annotated[dict[str, SimulatedStep], "Outcome of each step that began."]]
    calls: Required[Annotated[list[SimulatedCall], "Calls and questions, in order."]]
    output: Required[Annotated[Any, "Output for the client; null if the run failed."]]
    notes: Required[Annotated[list[str], "Input that is not used or is missing."]]


class DecidingPolicy(TypedDict, total=False):
    """A policy that decides on the request, or that cannot be evaluated."""

    policy: Required[Annotated[Count, "Position of the policy, from 0."]]
    effect: Required[Annotated[Literal["permit", "forbid"], "Effect of the policy."]]
    text: Required[Annotated[str, "Text of the policy."]]
    error: Required[Annotated[str | None, "Why it cannot be evaluated; null if it applies."]]


class SimulateAuthzOutput(TypedDict, total=False):
    """The answer of mcpcfg simulate authz."""

    version: Required[Version]
    allowed: Required[Annotated[bool | None, "Whether the request passes; null if that is not known."]]
    error: Required[Annotated[str | None, "Why the request is denied before the policies; else null."]]
    unavailable: Required[Annotated[str | None, "Why the decision is not known; else null."]]
    principal: Required[Annotated[str, "Principal of the request; empty without authorization."]]
    action: Required[Annotated[str, "Action of the request; empty without authorization."]]
    resource: Required[Annotated[str, "Resource of the request; empty without authorization."]]
    groups: Required[Annotated[list[str], "Groups of the principal."]]
    reasons: Required[Annotated[list[DecidingPolicy], "The policies that decide."]]


class TriedRoleMapping(TypedDict, total=False):
    """A role mapping that was tried."""

    mapping: Required[Annotated[Count, "Position of the mapping, from 0."]]
    by: Required[Annotated[str, "Condition of the mapping."]]
    role: Required[Annotated[str, "Role that the mapping assigns."]]
    outcome: Required[Annotated[Literal["matched", "no match", "error"], "Result of the condition."]]
    reason: Required[Annotated[str, "What was compared, or why there is no value."]]


class SimulateRoleOutput(TypedDict, total=False):
    """The answer of mcpcfg simulate role."""

    version: Required[Version]
    role: Required[Annotated[str, "ARN of the role; empty without a role."]]
    fallback: Required[Annotated[bool, "Whether the role is the fallback."]]
    configError: Required[Annotated[str | None, "Why the proxy does not start with the configuration; else null."]]
    error: Required[Annotated[str | None, "Why there is no role; else null."]]
    tried: Required[Annotated[list[TriedRoleMapping], "The mappings, in the order in which they are tried."]]


class RateLimitBucketOutput(TypedDict, total=False):
    """The calls that one rate limit allows."""

    name: Required[Annotated[str, "Name of the limit."]]
    burst: Required[Annotated[int, "Calls that pass at once."]]
    period: Required[Annotated[str, "Time in which the limit is filled again."]]
    perSecond: Required[Annotated[float, "Calls a second in the long run."]]


class LimitedTool(TypedDict, total=False):
    """The calls of one tool that all users together can make."""

    tool: Required[Annotated[str | None, "Name of the tool; null for every other tool."]]
    perSecond: Required[Annotated[float | None, "Calls a second in the long run; null without a limit."]]
    burst: Required[Annotated[int | None, "Calls that pass at once; null without a limit."]]
    binds: Required[Annotated[str | None, "The limit that binds in the long run."]]
    bindsBurst: Required[Annotated[str | None, "The limit that binds at once."]]
    idle: Required[Annotated[list[str], "Limits that never refuse a call."]]


class RedisKeys(TypedDict, total=False):
    """The number of keys in Redis that count calls."""

    shared: Required[Annotated[Count, "Keys for all users."]]
    perUser: Required[Annotated[Count, "Keys for single users."]]
    expireAfter: Required[Annotated[str, "Time after which the keys of a user expire."]]


class SimulateRateLimitOutput(TypedDict, total=False):
    """The answer of mcpcfg simulate rate-limit."""

    version: Required[Version]
    error: Annotated[str, "Why the limits cannot be used. Without it, all other fields are present."]
    users: Annotated[int, "Number of users."]
    buckets: Annotated[list[RateLimitBucketOutput], "The limits."]
    tools: Annotated[list[LimitedTool], "What all users together can call."]
    keys: Annotated[RedisKeys, "The keys in Redis."]
    sharedBindsFromUsers: Annotated[int | None, "Number of users from which the shared limit binds; null for none."]
