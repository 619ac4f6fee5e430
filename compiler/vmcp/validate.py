"""What the validator of the vMCP process refuses: in ``validate`` and at every start.

The configuration is plain data in the shape in which Go writes it: defaults filled in, empty fields left out, durations
as texts in Go's form. Paths lead from the configuration's root; for something missing, to where it belongs.

Source: docs/operator/virtual-server.md, "The validator".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.fault import Flaw
from ..diagnostics.plain import listed, mapping
from ..diagnostics.shown import shown
from ..diagnostics.suggestion import VAGUE, did_you_mean
from ..diagnostics.version import RELEASE
from ..golang.duration import SECOND, DurationError, format_duration, parse_duration
from ..toolhive.constants import TOKEN_TYPE_URN
from ..toolhive.release import BEST_EFFORT_SINCE, holds

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..diagnostics.span import Path

STRATEGIES: Final = ("unauthenticated", "header_injection", "token_exchange", "upstream_inject")
RESOLUTIONS: Final = ("prefix", "priority", "manual")
LATER_STRATEGIES: Final = {"aws_sts": "0.26.0", "obo": "0.32.0", "xaa": "0.32.0"}
"""Each with the first release that has it."""
FAILURE_MODES: Final = ("fail", "bestEffort")
LATER_FAILURE_MODES: Final = ("fail", "best_effort")
VISIBILITIES: Final = ("allow", "deny")
ID_TOKEN: Final = f"{TOKEN_TYPE_URN}id_token"
CA_HINT: Final = "write a path such as /etc/certs/ca.crt"
CREDENTIALS: Final = ("Authorization", "Cookie")
CREDENTIALS_SINCE: Final = "0.43.0"
"""The first release that refuses to pass on `CREDENTIALS`, and not only the headers that no proxy forwards."""


def config_faults(config: Mapping[str, Any], release: str = RELEASE) -> list[Flaw]:
    """Find everything that the validator refuses; empty when it passes.

    The process reports the first fault of each section. Here all are reported: each stops it once the others are
    fixed.

    Args:
        config: The configuration.
        release: The release whose validator it is.
    """
    return [
        *_basic(config),
        *_incoming(config),
        *_outgoing(config, release),
        *_aggregation(config),
        *_operational(mapping(config.get("operational")), release),
        *_handed_on(listed(config.get("passthroughHeaders")), release),
        *_backends(listed(config.get("backends"))),
        *_composite_tools(listed(config.get("compositeTools"))),
        *_composite_refs(listed(config.get("compositeToolRefs"))),
    ]


def _basic(config: Mapping[str, Any]) -> Iterator[Flaw]:
    if not config.get("name"):
        yield Flaw(("name",), "name-missing", "the virtual server has no name")
    if not config.get("groupRef"):
        yield Flaw(("groupRef",), "group-missing", "no group is named", "set groupRef")


# Authentication.


def _incoming(config: Mapping[str, Any]) -> Iterator[Flaw]:
    given, path = config.get("incomingAuth"), ("incomingAuth",)
    if given is None:
        hint = "without authentication, write incomingAuth: {type: anonymous}"
        yield Flaw(path, "incoming-auth-missing", "nothing states how clients authenticate", hint)
        return
    yield from _one_of((*path, "type"), given.get("type"), ("oidc", "local", "anonymous"), "incoming-auth-type")
    if given.get("type") == "oidc":
        oidc = given.get("oidc")
        if oidc is None:
            message = "clients authenticate with OIDC, but there is no oidc block"
            yield Flaw((*path, "oidc"), "oidc-missing", message, "write oidc with issuer and audience")
        else:
            for field in ("issuer", "audience"):
                if not oidc.get(field):
                    yield Flaw((*path, "oidc", field), "oidc-incomplete", f"the OIDC provider has no {field}")
            bundle = oidc.get("caBundlePath") or ""
            if bundle and not _is_plain_path(bundle):
                message = f'the path {shown(bundle)} of the CA bundle is not an absolute path without ".."'
                yield Flaw((*path, "oidc", "caBundlePath"), "oidc-ca-path", message, CA_HINT)
    authz = given.get("authz")
    if authz is not None:
        yield from _authz(authz, (*path, "authz"))


def _authz(authz: Mapping[str, Any], path: Path) -> Iterator[Flaw]:
    if authz.get("type") not in ("cedar", "none"):
        message = f"authorization has the type {shown(authz.get('type') or '')}; the process knows cedar and none"
        yield Flaw((*path, "type"), "authz-type", message, "write cedar, or remove authz")
    elif authz["type"] == "cedar" and not authz.get("policies"):
        yield Flaw(
            (*path, "policies"),
            "policies-missing",
            "Cedar authorization has no policies",
            "write policies, or type: none",
        )


def _outgoing(config: Mapping[str, Any], release: str) -> Iterator[Flaw]:
    given, path = config.get("outgoingAuth"), ("outgoingAuth",)
    if given is None:
        hint = "write outgoingAuth: {source: inline}"
        yield Flaw(path, "outgoing-auth-missing", "nothing states how to authenticate to backends", hint)
        return
    yield from _one_of((*path, "source"), given.get("source"), ("inline", "discovered"), "outgoing-auth-source")
    if given.get("default") is not None:
        yield from _strategy(given["default"], (*path, "default"), release)
    for name, strategy in mapping(given.get("backends")).items():
        yield from _strategy(strategy, (*path, "backends", name), release)


def _strategy(strategy: Mapping[str, Any] | None, path: Path, release: str) -> Iterator[Flaw]:
    if strategy is None:
        yield Flaw(path, "strategy-missing", f"{shown(path[-1])} has no authentication strategy")
        return
    kind = strategy.get("type")
    known = (*STRATEGIES, *(one for one, since in LATER_STRATEGIES.items() if holds(since, None, release)))
    if kind not in known:
        yield from _one_of((*path, "type"), kind, known, "strategy-type")
    elif kind == "token_exchange":
        yield from _needs(strategy, path, "tokenExchange", ("tokenUrl",))
    elif kind == "header_injection":
        yield from _needs(strategy, path, "headerInjection", ("headerName",))
    elif kind == "upstream_inject":
        yield from _needs(strategy, path, "upstreamInject", ())
    elif kind == "aws_sts":
        yield from _needs(strategy, path, "awsSts", ("region",))
    elif kind == "obo":
        yield from _needs(strategy, path, "obo", ("tokenUrl",))
        given = mapping(strategy.get("obo"))
        if given.get("clientSecret") and given.get("clientSecretEnv"):
            message = "the strategy obo has a clientSecret and a clientSecretEnv"
            yield Flaw((*path, "obo", "clientSecretEnv"), "strategy-incomplete", message, "keep one of the two")
    elif kind == "xaa":
        yield from _needs(strategy, path, "xaa", ("idpTokenUrl", "targetTokenUrl", "targetAudience"))
        kind = mapping(strategy.get("xaa")).get("subjectTokenType") or ID_TOKEN
        if kind != ID_TOKEN:
            message = f"the strategy xaa does not take tokens of type {shown(kind)}"
            yield Flaw((*path, "xaa", "subjectTokenType"), "strategy-incomplete", message, f"write {ID_TOKEN}")


def _needs(strategy: Mapping[str, Any], path: Path, block: str, fields: Sequence[str]) -> Iterator[Flaw]:
    given = strategy.get(block)
    if given is None:
        message = f"the strategy {strategy['type']} needs the block {block}"
        yield Flaw((*path, block), "strategy-incomplete", message)
        return
    for field in fields:
        if not given.get(field):
            message = f"the strategy {strategy['type']} has no {field}"
            yield Flaw((*path, block, field), "strategy-incomplete", message)


# Aggregation.


def _aggregation(config: Mapping[str, Any]) -> Iterator[Flaw]:
    given, path = config.get("aggregation"), ("aggregation",)
    if given is None:
        yield Flaw(path, "aggregation-missing", "nothing states how the tools of several backends are aggregated")
        return
    strategy = given.get("conflictResolution")
    yield from _one_of((*path, "conflictResolution"), strategy, RESOLUTIONS, "resolution-type")
    detail, tools = given.get("conflictResolutionConfig"), listed(given.get("tools"))
    place = (*path, "conflictResolutionConfig")
    if detail is None:
        hint = "write conflictResolutionConfig, at least {}"
        yield Flaw(place, "resolution-incomplete", "conflictResolutionConfig is missing", hint)
    elif strategy == "prefix" and not detail.get("prefixFormat"):
        message = "names are prefixed, but prefixFormat is empty"
        yield Flaw((*place, "prefixFormat"), "resolution-incomplete", message, 'write prefixFormat: "{workload}_"')
    elif strategy == "priority" and not detail.get("priorityOrder"):
        message = "conflicts are resolved by priority, but there is no priorityOrder"
        yield Flaw(
            (*place, "priorityOrder"), "resolution-incomplete", message, "list the backends, highest priority first"
        )
    if strategy == "manual" and not tools:
        message = "conflicts are resolved manually, but no tools are listed"
        yield Flaw((*path, "tools"), "resolution-incomplete", message, "list the renamed tools under tools")
    visibility = given.get("defaultToolVisibility")
    if visibility:
        yield from _one_of((*path, "defaultToolVisibility"), visibility, VISIBILITIES, "resolution-type")
    if strategy == "priority" and visibility == "deny":
        yield from _hidden(listed(mapping(detail).get("priorityOrder")), tools, (*place, "priorityOrder"))
    yield from _tools(tools, (*path, "tools"))


def _hidden(order: Sequence[Any], tools: Sequence[Mapping[str, Any]], path: Path) -> Iterator[Flaw]:
    """Yield the backends that win names and show nothing, where only what is listed is shown."""
    listing = [entry.get("workload") for entry in tools]
    for number, workload in enumerate(order):
        if workload not in listing:
            message = f"{shown(workload)} has priority, but exposes no tools: defaultToolVisibility is deny"
            hint = "add an entry for it under aggregation.tools, or remove it from priorityOrder"
            yield Flaw((*path, number), "priority-hidden", message, hint)


def _handed_on(names: Sequence[Any], release: str) -> Iterator[Flaw]:
    """Yield the headers of clients that are handed on to no backend."""
    if not names:
        return
    from ..toolhive.header import canonical, name_fault

    credentials = CREDENTIALS if holds(CREDENTIALS_SINCE, None, release) else ()
    for number, name in enumerate(names):
        path: Path = ("passthroughHeaders", number)
        if not isinstance(name, str):
            continue
        why = "it holds credentials of the client" if canonical(name) in credentials else name_fault(name)
        if why is not None:
            yield Flaw(path, "header-restricted", f"header {shown(name)} cannot be passed on: {why}", "remove it")


def _tools(tools: Sequence[Mapping[str, Any]], path: Path) -> Iterator[Flaw]:
    seen: dict[str, int] = {}
    for i, entry in enumerate(tools):
        workload = entry.get("workload")
        if not workload:
            message = f"entry {i} of tools names no workload"
            yield Flaw((*path, i, "workload"), "workload-missing", message, "name a backend")
        elif seen.setdefault(workload, i) != i:
            message = f"{shown(workload)} already has an entry: tools[{seen[workload]}]"
            yield Flaw((*path, i, "workload"), "workload-duplicate", message, "merge the two entries")
        for name, override in mapping(entry.get("overrides")).items():
            if not override or not (override.get("name") or override.get("description")):
                message = f"the override of {shown(name)} sets neither a name nor a description"
                hint = "repeat the tool's own name or description: annotations alone are refused"
                yield Flaw((*path, i, "overrides", name), "override-empty", message, hint)


# Operation.


def _operational(given: Mapping[str, Any], release: str) -> Iterator[Flaw]:
    path: Path = ("operational",)
    timeouts = mapping(given.get("timeouts"))
    if "default" in timeouts:
        yield from _positive(timeouts["default"], (*path, "timeouts", "default"), "timeout-range")
    for name, timeout in mapping(timeouts.get("perWorkload")).items():
        yield from _positive(timeout, (*path, "timeouts", "perWorkload", name), "timeout-range")
    failure = given.get("failureHandling")
    if failure is not None:
        yield from _failure_handling(failure, (*path, "failureHandling"), release)


def _failure_handling(given: Mapping[str, Any], path: Path, release: str) -> Iterator[Flaw]:
    interval = duration(given.get("healthCheckInterval"))
    timeout = duration(given.get("healthCheckTimeout"))
    yield from _positive(given.get("healthCheckInterval"), (*path, "healthCheckInterval"), "health-check-range")
    if given.get("unhealthyThreshold", 0) <= 0:
        message = f"unhealthyThreshold is {given.get('unhealthyThreshold', 0)}, not 1 or more"
        yield Flaw(
            (*path, "unhealthyThreshold"), "health-check-range", message, "write how many checks may fail, such as 3"
        )
    if timeout < 0:
        yield Flaw((*path, "healthCheckTimeout"), "health-check-range", "healthCheckTimeout is negative")
    elif 0 < interval <= timeout:
        message = (
            f"a health check may take {format_duration(timeout)}, not less than the {format_duration(interval)} "
            "from one check to the next"
        )
        hint = "set healthCheckTimeout below healthCheckInterval"
        yield Flaw((*path, "healthCheckTimeout"), "health-check-overlap", message, hint)
    yield from _failure_mode(given.get("partialFailureMode"), (*path, "partialFailureMode"), release)
    breaker = mapping(given.get("circuitBreaker"))
    if breaker.get("enabled"):
        yield from _circuit_breaker(breaker, (*path, "circuitBreaker"))


def _failure_mode(mode: Any, path: Path, release: str) -> Iterator[Flaw]:
    known = LATER_FAILURE_MODES if holds(BEST_EFFORT_SINCE, None, release) else FAILURE_MODES
    if mode not in known:
        message = f"partialFailureMode is {shown(mode or '')}; the process knows {' and '.join(known)}"
        yield Flaw(path, "failure-mode", message)


def _circuit_breaker(given: Mapping[str, Any], path: Path) -> Iterator[Flaw]:
    if given.get("failureThreshold", 0) < 1:
        message = f"failureThreshold is {given.get('failureThreshold', 0)}, not 1 or more"
        hint = "write how many calls may fail, such as 5"
        yield Flaw((*path, "failureThreshold"), "circuit-breaker-range", message, hint)
    if duration(given.get("timeout")) < SECOND:
        message = f"the timeout of the circuit breaker is {given.get('timeout', '0s')}, not 1s or more"
        yield Flaw((*path, "timeout"), "circuit-breaker-range", message, "write a duration, such as 60s")


def _positive(text: Any, path: Path, code: str) -> Iterator[Flaw]:
    if duration(text) <= 0:
        yield Flaw(path, code, f"{path[-1]} is {text or '0s'}, not positive", "write a duration, such as 30s")


def duration(text: Any) -> int:
    """Return nanoseconds; a duration that is missing or cannot be read is zero."""
    try:
        return parse_duration(text) if isinstance(text, str) else 0
    except DurationError:
        return 0


# Backends and composite tools.


def _backends(backends: Sequence[Mapping[str, Any]]) -> Iterator[Flaw]:
    for i, backend in enumerate(backends):
        path: Path = ("backends", i)
        kind, bundle = backend.get("type") or "", backend.get("caBundlePath") or ""
        if kind not in ("", "entry"):
            message = f"the backend has the type {shown(kind)}; it must be entry or none"
            yield Flaw((*path, "type"), "backend-type", message, "write entry, or remove type")
        if not bundle:
            continue
        if kind != "entry":
            message = f"backend {shown(backend.get('name') or '')} has a CA bundle, but is not of type entry"
            hint = "write type: entry, or remove caBundlePath"
            yield Flaw((*path, "caBundlePath"), "backend-ca-bundle", message, hint)
        elif not _is_plain_path(bundle):
            message = f'the path {shown(bundle)} of the CA bundle is not an absolute path without ".."'
            yield Flaw((*path, "caBundlePath"), "backend-ca-path", message, CA_HINT)


def _is_plain_path(path: str) -> bool:
    return path.startswith("/") and "\0" not in path and ".." not in path


def _composite_tools(tools: Sequence[Mapping[str, Any]]) -> Iterator[Flaw]:
    if not tools:
        return
    from ..workflow.model import read
    from ..workflow.validate import validation_faults

    first: dict[str, int] = {}
    for i, tool in enumerate(tools):
        name = tool.get("name") or ""
        if name and first.setdefault(name, i) != i:
            message = f"two composite tools are called {shown(name)}"
            yield Flaw(("compositeTools", i, "name"), "composite-tool-duplicate", message, "rename or remove one")
        for fault in validation_faults(read(tool)):
            yield fault._replace(path=("compositeTools", i, *fault.path))


def _composite_refs(refs: Sequence[Mapping[str, Any]]) -> Iterator[Flaw]:
    first: dict[str, int] = {}
    for i, ref in enumerate(refs):
        name, path = ref.get("name") or "", ("compositeToolRefs", i, "name")
        if not name:
            yield Flaw(path, "composite-ref", f"reference {i} to a composite tool names none", "name one, or remove it")
        elif first.setdefault(name, i) != i:
            message = f"composite tool {shown(name)} is referred to twice"
            yield Flaw(path, "composite-ref", message, "remove one of the two")


def _one_of(path: Path, value: Any, known: Sequence[str], code: str) -> Iterator[Flaw]:
    if value in known:
        return
    listing = ", ".join(known)
    message = (
        f"{path[-1]} is {shown(value)}, none of {listing}" if value else f"{path[-1]} is missing: one of {listing}"
    )
    yield Flaw(
        path, code, message, did_you_mean(value, known, likeness=VAGUE) if isinstance(value, str) and value else None
    )
