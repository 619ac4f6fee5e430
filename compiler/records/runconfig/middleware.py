"""Check the middleware of a run configuration, which is described by blocks or by an explicit list.

If ``middleware_configs`` exists, only the list counts. Otherwise the runner creates middleware from the blocks.

Source: toolhive 0.21.0 and 0.44.0, package runner (middleware configurations) and the packages of each middleware.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...diagnostics.fault import Fault, below
from ...diagnostics.finding import rule
from ...diagnostics.named_tuple import NamedTuple
from ...diagnostics.plain import listed, mapping
from ...diagnostics.shown import shown
from ...diagnostics.suggestion import did_you_mean
from ...diagnostics.version import RECORDED
from ...toolhive.release import BODY_LIMIT_SINCE, NEWEST_MODELLED, holds
from .._structs import PARAMETERS
from ..shape import decode
from ..side_file.audit import audit_faults
from ..side_file.authz import check_authz
from ..side_file.tool_override import override_faults
from ..side_file.webhook import webhook_faults
from ..unknown_key import decoding_faults
from .block import (
    RATE_LIMIT,
    TOKEN_HEADER,
    TOOL_FILTER,
    header_faults,
    oidc_faults,
    rate_limit_faults,
    telemetry_faults,
    token_exchange_faults,
    tool_filter_faults,
    upstream_swap_faults,
)
from .browser_origin import ORIGIN, origin_faults
from .lint import IGNORED
from .sts import STS, sts_faults

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ...diagnostics.span import Path

UNKNOWN_FIELD = rule("RUN040 runconfig-unknown-field", "lint", "A key of a run configuration is not known")
SHADOWED = rule(
    "RUN043 runconfig-block-shadowed", "lint", "A block of a run configuration is shadowed by middleware_configs"
)
UNDECODABLE = rule(
    "RUN001 runconfig-undecodable",
    "process",
    "A value of a run configuration does not fit its key",
    unmodelled="newer",
    verified=RECORDED,
)
MIDDLEWARE = rule(
    "RUN011 runconfig-middleware-refused",
    "process",
    "A middleware does not exist, or lacks its parameters",
    verified=RECORDED,
)
INJECTION = rule(
    "RUN061 runconfig-injection-contradicted",
    "process",
    "A server must not get a token, but credentials are configured for it",
    since="0.30.0",
    verified=("0.30.0", "0.44.0"),
)


TYPES = (*PARAMETERS, "mcp-parser", "usagemetrics", "recovery", "obo", "strip-auth")
SINCE = {"obo": "0.28.1", "bodylimit": BODY_LIMIT_SINCE, "strip-auth": "0.30.0", "origin": "0.32.0"}
"""The first release with a type of middleware, for types that v0.21.0 does not have."""

BLOCKS = {
    "oidc_config": "auth",
    "token_exchange_config": "tokenexchange",
    "aws_sts_config": "awssts",
    "tools_filter": "tool-filter",
    "tools_override": "tool-filter",
    "rate_limit_config": "ratelimit",
    "telemetry_config": "telemetry",
    "authz_config": "authorization",
    "audit_config": "audit",
    "validating_webhooks": "validating-webhook",
    "mutating_webhooks": "mutating-webhook",
}
"""The type of middleware that the runner creates from each block."""


def block_faults(config: Mapping[str, Any], release: str = NEWEST_MODELLED) -> Iterator[Fault]:
    """Yield the faults of the blocks that describe middleware. The configuration has no ``middleware_configs``."""
    has_server = config["embedded_auth_server_config"] is not None
    if config["oidc_config"] is not None:
        yield from below(("oidc_config",), oidc_faults(config["oidc_config"], release, has_server=has_server))
    if config["token_exchange_config"] is not None:
        yield from below(("token_exchange_config",), token_exchange_faults(config["token_exchange_config"]))
    if config["upstream_swap_config"] is not None and has_server:
        swap = config["upstream_swap_config"]
        yield from below(("upstream_swap_config",), upstream_swap_faults(swap, is_filled=True))
    if config["aws_sts_config"] is not None:
        if not config["remote_url"]:
            message = "requests are signed only for remote servers, but there is no remote_url"
            yield Fault(("aws_sts_config",), STS, message, on_key=True)
        yield from below(("aws_sts_config",), sts_faults(config["aws_sts_config"]))
    yield from tool_filter_faults(config["tools_filter"] or (), ("tools_filter",))
    yield from below(("tools_override",), override_faults(config["tools_override"] or {}))
    if config["rate_limit_config"] is not None:
        if (config["scaling_config"] or {}).get("session_redis") is None:
            message = "limits are counted in Redis, but there is no scaling_config.session_redis"
            hint = "set scaling_config.session_redis"
            yield Fault(("rate_limit_config",), RATE_LIMIT, message, hint, on_key=True)
        yield from below(("rate_limit_config",), rate_limit_faults(config["rate_limit_config"]))
    if config["telemetry_config"] is not None:
        yield from below(("telemetry_config",), telemetry_faults(config["telemetry_config"]))
    if config["authz_config"] is not None:
        yield from below(("authz_config",), check_authz(config["authz_config"], release))
    if config["audit_config"] is not None:
        yield from below(("audit_config",), audit_faults(config["audit_config"]))
    for key in ("validating_webhooks", "mutating_webhooks"):
        yield from below((key,), webhook_faults(config[key] or (), release))
    for number, middleware in enumerate(config.get("additional_middleware_configs") or ()):
        path = ("additional_middleware_configs", number)
        yield from below(path, _middleware(middleware, release, has_server=has_server))
    yield from _injection_faults(config)


def _injection_faults(config: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield a fault for each block that adds credentials although ``disable_upstream_token_injection`` is set."""
    if (config["embedded_auth_server_config"] or {}).get("disable_upstream_token_injection"):
        for key in ("token_exchange_config", "aws_sts_config"):
            if config[key] is not None:
                message = "the server must not get a token, according to disable_upstream_token_injection"
                yield Fault((key,), INJECTION, message, "remove one of the two", on_key=True)


def list_faults(config: Mapping[str, Any], release: str = NEWEST_MODELLED) -> Iterator[Fault]:
    """Yield the faults of ``middleware_configs``, and a fault for each block that has no effect because of it."""
    has_server = config["embedded_auth_server_config"] is not None
    types = set()
    for number, middleware in enumerate(config["middleware_configs"]):
        types.add(middleware["type"])
        yield from below(("middleware_configs", number), _middleware(middleware, release, has_server=has_server))
    for key, kind in BLOCKS.items():
        if config[key] and kind not in types:
            message = f'"{key}" does nothing, because middleware_configs has no middleware of type {kind}'
            hint = "list it there, or remove middleware_configs"
            yield Fault((key,), SHADOWED, message, hint, on_key=True)
    for number, middleware in enumerate(config.get("additional_middleware_configs") or ()):
        if middleware["type"] not in types:
            message = "this middleware does nothing, because middleware_configs does not list it"
            hint = "list it there, or remove middleware_configs"
            yield Fault(("additional_middleware_configs", number), SHADOWED, message, hint)


def without_parameters(document: Any) -> Iterator[Fault]:
    """Yield a fault for each middleware ``auth`` without the key ``parameters``. An explicit ``null`` is accepted.

    Other middlewares lack a parameter that they need, which `list_faults` reports.

    Args:
        document: The parsed JSON.
    """
    for number, entry in enumerate(listed(mapping(document).get("middleware_configs"))):
        if mapping(entry).get("type") == "auth" and "parameters" not in map(str.lower, entry):
            message, hint = 'the middleware auth has no "parameters"', "add parameters: {}"
            yield Fault(("middleware_configs", number), MIDDLEWARE, message, hint)


def _middleware(middleware: Mapping[str, Any], release: str, *, has_server: bool) -> Iterator[Fault]:
    kind = middleware["type"]
    kinds = [middleware for middleware in TYPES if holds(SINCE.get(middleware), None, release)]
    if kind not in kinds:
        hint = did_you_mean(kind, kinds)
        path: Path = ("type",) if kind else ()
        message = f"there is no middleware of type {shown(kind)}" if kind else 'a middleware has no "type"'
        yield Fault(path, MIDDLEWARE, message, hint)
        return
    if kind not in PARAMETERS:
        return
    given = middleware["parameters"]
    parameters, misfits, unknown = decode(given, PARAMETERS[kind], release)
    faults = decoding_faults(PARAMETERS[kind], misfits, unknown, UNDECODABLE, UNKNOWN_FIELD)
    yield from below(("parameters",), faults)
    if not misfits:
        place = ("parameters",) if given is not None else ()
        yield from below(place, _PARAMETER_CHECKS[kind](parameters, _Runner(release, has_server)))


class _Runner(NamedTuple):
    """The process that reads the parameters.

    Attributes:
        has_server: True if an authorization server is embedded.
    """

    release: str
    has_server: bool


def _auth(parameters: Mapping[str, Any], runner: _Runner) -> Iterator[Fault]:
    if parameters["oidc_config"] is not None:
        provider = parameters["oidc_config"]
        yield from below(("oidc_config",), oidc_faults(provider, runner.release, has_server=runner.has_server))


def _with_block(
    key: str, check: Callable[[Mapping[str, Any]], Iterator[Fault]]
) -> Callable[[Mapping[str, Any], _Runner], Iterator[Fault]]:
    def find(parameters: Mapping[str, Any], _: _Runner) -> Iterator[Fault]:
        if parameters[key] is None:
            yield Fault((), MIDDLEWARE, f'"{key}" is missing')
        else:
            yield from below((key,), check(parameters[key]))

    return find


def _swap(parameters: Mapping[str, Any], _: _Runner) -> Iterator[Fault]:
    given = parameters["config"]
    if given is None:
        yield Fault((), TOKEN_HEADER, 'the upstream swap has no "provider_name"', "set provider_name")
    else:
        yield from below(("config",), upstream_swap_faults(given, is_filled=False))


def _tools(parameters: Mapping[str, Any], _: _Runner) -> Iterator[Fault]:
    filtered, overrides = parameters["filter_tools"] or (), parameters["tools_override"] or {}
    yield from tool_filter_faults(filtered, ("filter_tools",))
    yield from below(("tools_override",), override_faults(overrides))
    if not filtered and not overrides:
        hint = "name tools, or remove the filter"
        yield Fault((), TOOL_FILTER, "the filter has neither tools nor overrides", hint)


def _limits(parameters: Mapping[str, Any], _: _Runner) -> Iterator[Fault]:
    if not parameters["redis_addr"]:
        hint = "set redis_addr"
        yield Fault((), RATE_LIMIT, 'limits are counted in Redis, but "redis_addr" is missing', hint)
    if parameters["config"] is not None:
        yield from below(("config",), rate_limit_faults(parameters["config"]))


def _authorization(parameters: Mapping[str, Any], runner: _Runner) -> Iterator[Fault]:
    if parameters["config_data"] is not None:
        yield from below(("config_data",), check_authz(parameters["config_data"], runner.release))
    elif not parameters["config_path"]:
        yield Fault((), MIDDLEWARE, 'neither "config_data" nor "config_path" is set')


def _audit(parameters: Mapping[str, Any], _: _Runner) -> Iterator[Fault]:
    if parameters["config_data"] is not None:
        yield from below(("config_data",), audit_faults(parameters["config_data"]))


def _headers(parameters: Mapping[str, Any], _: _Runner) -> Iterator[Fault]:
    yield from below(("add_headers",), header_faults(parameters["add_headers"] or {}))


def _webhooks(parameters: Mapping[str, Any], runner: _Runner) -> Iterator[Fault]:
    if not parameters["webhooks"]:
        yield Fault((), MIDDLEWARE, "there are no webhooks")
    yield from below(("webhooks",), webhook_faults(parameters["webhooks"] or (), runner.release))


def _body_limit(parameters: Mapping[str, Any], _: _Runner) -> Iterator[Fault]:
    if parameters["max_bytes"] < 0:
        message = f"{parameters['max_bytes']} is ignored: request bodies have at most 8388608 bytes"
        yield Fault(("max_bytes",), IGNORED, message, "remove it")


def _origins(parameters: Mapping[str, Any], _: _Runner) -> Iterator[Fault]:
    if not parameters["allowed_origins"]:
        hint = "list origins, or remove the middleware"
        yield Fault((), ORIGIN, "no origin is checked, because none is listed", hint)
    yield from below(("allowed_origins",), origin_faults(parameters["allowed_origins"] or ()))


_PARAMETER_CHECKS = {
    "auth": _auth,
    "tokenexchange": _with_block("token_exchange_config", token_exchange_faults),
    "upstreamswap": _swap,
    "awssts": _with_block("aws_sts_config", sts_faults),
    "tool-filter": _tools,
    "tool-call-filter": _tools,
    "ratelimit": _limits,
    "telemetry": _with_block("config", telemetry_faults),
    "authorization": _authorization,
    "audit": _audit,
    "header-forward": _headers,
    "validating-webhook": _webhooks,
    "mutating-webhook": _webhooks,
    "bodylimit": _body_limit,
    "origin": _origins,
}
