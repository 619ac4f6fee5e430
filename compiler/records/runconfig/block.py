"""Check the blocks of a run configuration from which the runner creates middleware.

Source: toolhive 0.21.0 and 0.44.0, the packages of each middleware.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...diagnostics.fault import Fault
from ...diagnostics.finding import rule
from ...diagnostics.shown import shown
from ...diagnostics.version import RELEASE
from ...toolhive import header
from ...toolhive.connection import ENDPOINT, NO_KEYS, collector_fault
from ...toolhive.constants import OIDC_SECRET_VARIABLE, TOKEN_TYPE_URN, TOKEN_TYPES
from ...toolhive.endpoint import endpoint_fault, is_plain_http
from ...toolhive.release import holds
from ..fault import quoted
from . import LINT_READER, middleware_rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ...diagnostics.span import Path

PLAIN_SECRET = rule(
    "RUN045",
    "runconfig-plain-secret",
    "A run configuration contains a secret in plain text",
    stage="lint",
    checks="`client_secret` or `bearer_token` of `remote_auth_config` is not a reference `NAME,target=…`, or"
    " `ClientSecret` of the OIDC provider or `client_secret` of the token exchange is given, or a variable or header"
    " contains what its name (`…_TOKEN`, `…_PASSWORD`) or its form marks as a secret. The value is never printed.",
    why="Whoever can read the file has the secret. Loading the file moves the first two into the secret store, and"
    " fails where there is none.",
    example='"remote_auth_config": { "client_secret": "…" }',
    fix='Write `"client_secret": "docs-client,target=oauth_secret"` or, for the others, set the variables'
    " `TOOLHIVE_OIDC_CLIENT_SECRET` and `TOOLHIVE_TOKEN_EXCHANGE_CLIENT_SECRET`. For other variables use `secrets`, for"
    " headers `add_headers_from_secret`.",
    source=LINT_READER,
    is_secret=True,
)
INSECURE = rule(
    "RUN049",
    "runconfig-plain-http",
    "Something is reached over plain HTTP",
    stage="lint",
    checks="`remote_url`, a token endpoint, or an address of the OIDC provider is http to another machine.",
    why="Tokens and data can be read in transit. Unless `InsecureAllowHTTP` is true, the OIDC provider is never"
    " contacted and every request is refused.",
    example='"remote_url": "http://mcp.acme.io/mcp"',
    fix="Use https.",
    source="toolhive 0.21.0, package networking.",
)
TOKEN_URL = rule(
    "RUN051",
    "runconfig-token-exchange-idle",
    "A token exchange cannot work",
    stage="lint",
    checks="`token_url` is missing or not a URL, or `subject_token_type` is not a type of token that can be exchanged.",
    why="The runner starts, but every request that carries a token fails.",
    example='"token_exchange_config": { "audience": "backend" }',
    fix='Write `"token_url": "https://id.acme.io/token"`.',
    source="toolhive 0.21.0, package auth/tokenexchange.",
)
RATE_LIMIT_IDLE = rule(
    "RUN052",
    "runconfig-rate-limit-idle",
    "A rate limit limits nothing",
    stage="lint",
    checks="`rate_limit_config` or a tool in it has no bucket, or a tool occurs twice.",
    why="No request is limited. Of two entries for the same tool the later one is used.",
    example='"rate_limit_config": { "tools": [{ "name": "fetch" }] }',
    fix="Set `shared` or `perUser`.",
    source="toolhive 0.21.0, package ratelimit.",
)
SAMPLING = rule(
    "RUN053",
    "runconfig-sampling-rate",
    "The sampling rate is not a number from 0 to 1",
    stage="lint",
    checks="`samplingRate` cannot be read as a number, or is not between 0 and 1.",
    why="A value that cannot be read counts as 0: no traces are sent.",
    example='"samplingRate": "10%"',
    fix='Write `"0.1"`.',
    source="toolhive 0.21.0, package telemetry.",
)
HEADER_UNUSABLE = rule(
    "RUN056",
    "runconfig-header-unusable",
    "The name or value of a forwarded header is not valid",
    stage="lint",
    checks="The name of a header contains characters that header names cannot contain, or is longer than 256 bytes, or"
    " its value has control characters or more than 8192 bytes.",
    why="The runner starts, but every request to the server fails.",
    example='"add_plaintext_headers": { "X Tenant": "a" }',
    fix='Write `"X-Tenant"`.',
    source="toolhive 0.21.0, package transport/middleware; net/http of Go.",
)
TOKEN_HEADER = middleware_rule(
    "RUN013",
    "runconfig-token-header-refused",
    "The header for a token is not specified",
    checks="The `header_strategy` of the token exchange or of the upstream swap is neither `replace` nor `custom`, or"
    " is `custom` without the name of a header, or the swap in `middleware_configs` has no `provider_name`.",
    example='"token_exchange_config": { "token_url": "https://id.acme.io/token", "header_strategy": "custom" }',
    fix='Write `"external_token_header_name": "X-Upstream-Token"` beside it.',
    source="toolhive 0.21.0, packages auth/tokenexchange and auth/upstreamswap.",
)
RATE_LIMIT = middleware_rule(
    "RUN015",
    "runconfig-rate-limit-refused",
    "A rate limit cannot be enforced",
    checks="There is a rate limit but no `scaling_config.session_redis`; or a bucket has less than one token or a"
    " refill period that is not positive.",
    example='"rate_limit_config": { "shared": { "maxTokens": 10, "refillPeriod": "1m" } }',
    fix='Write `"scaling_config": { "session_redis": { "address": "redis:6379" } }`.',
    source="toolhive 0.21.0, package ratelimit.",
)
TELEMETRY = middleware_rule(
    "RUN016",
    "runconfig-telemetry-without-signals",
    "Telemetry has an endpoint but nothing to send, or no service name",
    checks="`endpoint` is set, and both `tracingEnabled` and `metricsEnabled` are false; or `serviceName` is empty.",
    example='"telemetry_config": { "endpoint": "otel:4318" }',
    fix='Write `"tracingEnabled": true`, or no endpoint.',
    source="toolhive 0.21.0, package telemetry.",
)
TOOL_FILTER = middleware_rule(
    "RUN017",
    "runconfig-tool-filter-refused",
    "A tool filter names no tools",
    checks="`tools_filter` has an empty name, or the filter in `middleware_configs` has neither tools nor overrides.",
    example='"tools_filter": [""]',
    fix="Name the tools, or leave the filter out.",
    source="toolhive 0.21.0, package mcp.",
)
HEADER = middleware_rule(
    "RUN018",
    "runconfig-header-refused",
    "A header of a run configuration cannot be forwarded",
    checks="A header of `header_forward` is one that only the proxy may set, or a secret for a header has no name.",
    example='"add_plaintext_headers": { "Host": "acme.io" }',
    fix="Leave it out.",
    source="toolhive 0.21.0, package transport/middleware.",
)
OIDC_AUDIENCE = rule(
    "RUN062",
    "runconfig-oidc-without-audience",
    "Tokens of any client of a provider would be accepted",
    stage="process",
    checks="`IntrospectionURL` is Google's tokeninfo endpoint, and `Audience` is empty.",
    why="The answer of that endpoint does not show for which client a token was issued; the runner exits.",
    example='"oidc_config": { "Issuer": …, "IntrospectionURL": "https://oauth2.googleapis.com/tokeninfo" }',
    fix='Write `"Audience": "1234.apps.googleusercontent.com"`.',
    source="toolhive 0.44.0, package auth: NewTokenValidator.",
    since="0.44.0",
)


STRATEGIES = ("replace", "custom")
GOOGLE_TOKENINFO = "https://oauth2.googleapis.com/tokeninfo"


def oidc_faults(oidc: Mapping[str, Any], release: str = RELEASE, *, has_server: bool) -> Iterator[Fault]:
    """Yield the faults of a decoded OIDC provider: missing keys, insecure addresses, and a secret in plain text.

    If ``has_server`` is true, an embedded authorization server provides the signing keys.
    """
    if not oidc["Issuer"] and not oidc["JWKSURL"] and not has_server:
        yield Fault((), NO_KEYS, "the OIDC provider has neither an Issuer nor a JWKSURL", "set Issuer, or JWKSURL")
    is_any_client = oidc["IntrospectionURL"] == GOOGLE_TOKENINFO and not oidc["Audience"].strip()
    if is_any_client and holds(OIDC_AUDIENCE.since, None, release):
        message = "tokens of any client of this provider would be accepted, because there is no Audience"
        yield Fault(("IntrospectionURL",), OIDC_AUDIENCE, message, "set the audience of the tokens")
    keys = (
        "JWKSURL" if oidc["JWKSURL"] else "Issuer"
    )  # the issuer is not asked for keys if the URL of the keys is stated
    for key in (keys, "IntrospectionURL"):
        reason = endpoint_fault(oidc[key]) if oidc[key] and not oidc["InsecureAllowHTTP"] and not has_server else None
        if reason is not None:
            hint = "write an https address"
            yield Fault((key,), INSECURE, f"{shown(oidc[key])} {reason}: every request will be refused", hint)
    if oidc["ClientSecret"]:
        hint = f"remove it, and set {OIDC_SECRET_VARIABLE} where the runner starts"
        yield Fault(("ClientSecret",), PLAIN_SECRET, "the client secret is in the file", hint)


def token_exchange_faults(exchange: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield the faults of a decoded token exchange. Paths are relative to ``exchange``."""
    yield from _strategy(exchange, "external_token_header_name")
    address = exchange["token_url"]
    if not address:
        yield Fault((), TOKEN_URL, 'the token exchange has no "token_url"', "set token_url")
    elif is_plain_http(address):
        yield Fault(("token_url",), INSECURE, f"{shown(address)} is plain http", "use https")
    elif (reason := endpoint_fault(address)) is not None:
        hint: str | None = "write an https address"
        yield Fault(("token_url",), TOKEN_URL, f"{shown(address)} {reason}", hint)
    kind = exchange["subject_token_type"]
    full = [TOKEN_TYPE_URN + token_type for token_type in TOKEN_TYPES]
    if kind and kind not in full:
        match = next((token_type for token_type in full if token_type.endswith(f":{kind}")), None)
        hint = f'write "{match}"' if match else None
        message = f"{shown(kind)} is not a type of token that can be exchanged"
        yield Fault(("subject_token_type",), TOKEN_URL, message, hint)
    if exchange["client_secret"]:
        hint = "remove it, and set TOOLHIVE_TOKEN_EXCHANGE_CLIENT_SECRET where the runner starts"
        yield Fault(("client_secret",), PLAIN_SECRET, "the client secret is in the file", hint)


def upstream_swap_faults(swap: Mapping[str, Any], *, is_filled: bool) -> Iterator[Fault]:
    """Yield the faults of the block that forwards the token of an upstream provider.

    If ``is_filled`` is true, the runner fills in a missing ``provider_name``.
    """
    if not swap["provider_name"] and not is_filled:
        yield Fault((), TOKEN_HEADER, 'the upstream swap has no "provider_name"', "set provider_name")
    yield from _strategy(swap, "custom_header_name")


def _strategy(block: Mapping[str, Any], name_key: str) -> Iterator[Fault]:
    strategy = block["header_strategy"]
    if strategy and strategy not in STRATEGIES:
        message = f"{shown(strategy)} is neither {quoted(STRATEGIES, last='nor')}"
        yield Fault(("header_strategy",), TOKEN_HEADER, message)
    elif strategy == "custom" and not block[name_key]:
        hint = f"set {name_key}"
        yield Fault(("header_strategy",), TOKEN_HEADER, f'"{name_key}" does not name the header', hint)


def tool_filter_faults(tools: Iterable[str], path: Path) -> Iterator[Fault]:
    """Yield a fault for each empty name in a tool filter. ``path`` is the path of the list ``tools``."""
    for number, tool in enumerate(tools):
        if not tool:
            hint = "name the tool, or remove the item"
            yield Fault((*path, number), TOOL_FILTER, "the name of a tool is empty", hint)


def rate_limit_faults(limits: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield the faults of decoded rate limits: invalid limits, and limits without effect."""
    for key in ("shared", "perUser"):
        yield from _bucket(limits[key], (key,))
    seen: set[str] = set()
    for number, tool in enumerate(limits["tools"] or ()):
        for key in ("shared", "perUser"):
            yield from _bucket(tool[key], ("tools", number, key))
        if tool["shared"] is None and tool["perUser"] is None:
            message = f"the tool {shown(tool['name'])} has no limit"
            yield Fault(("tools", number), RATE_LIMIT_IDLE, message, "set shared or perUser")
        if tool["name"] in seen:
            message = f"the tool {shown(tool['name'])} already has limits above, but these are used"
            yield Fault(("tools", number, "name"), RATE_LIMIT_IDLE, message, "keep one of the two")
        seen.add(tool["name"])
    if limits["shared"] is None and limits["perUser"] is None and not limits["tools"]:
        yield Fault((), RATE_LIMIT_IDLE, "nothing is limited", "set shared, perUser or tools")


def _bucket(bucket: Mapping[str, Any] | None, path: Path) -> Iterator[Fault]:
    if bucket is None:
        return
    if bucket["maxTokens"] < 1:
        yield Fault((*path, "maxTokens"), RATE_LIMIT, f"{bucket['maxTokens']} tokens are fewer than one")
    if bucket["refillPeriod"] <= 0:
        hint = "write a period such as 1m"
        yield Fault((*path, "refillPeriod"), RATE_LIMIT, "the refill period is not positive", hint)


def telemetry_faults(telemetry: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield the faults of decoded telemetry: in the service name, the endpoint and the sampling rate."""
    if not telemetry["serviceName"]:
        yield Fault((), TELEMETRY, 'there is no "serviceName"', "write one: the name of the server")
    if telemetry["endpoint"] and not telemetry["tracingEnabled"] and not telemetry["metricsEnabled"]:
        message = "there is an endpoint, but neither tracingEnabled nor metricsEnabled is true"
        hint = "set tracingEnabled or metricsEnabled, or remove the endpoint"
        yield Fault(("endpoint",), TELEMETRY, message, hint)
    elif telemetry["metricsEnabled"] and (fault := collector_fault(telemetry["endpoint"])):
        hint = "write HOST:PORT, such as otel:4318"
        yield Fault(("endpoint",), ENDPOINT, f"{shown(telemetry['endpoint'])} {fault}", hint)
    rate = telemetry["samplingRate"]
    if rate and not _is_rate(rate):
        yield Fault(("samplingRate",), SAMPLING, f"{shown(rate)} is not a number from 0 to 1")


def _is_rate(text: str) -> bool:
    try:
        return 0 <= float(text) <= 1
    except ValueError:
        return False


def header_faults(headers: Mapping[str, str]) -> Iterator[Fault]:
    """Yield the faults of headers that are forwarded with plain values. Paths begin with the name of the header."""
    for name, value in headers.items():
        reason = header.name_fault(name) or header.value_fault(value)
        if reason is not None:
            fault_rule = HEADER if header.is_restricted(name) else HEADER_UNUSABLE
            hint = "use a header of your own" if fault_rule is HEADER else "correct it, or remove it"
            message = f"the header {shown(name)} cannot be forwarded: {reason}"
            yield Fault((name,), fault_rule, message, hint, on_key=True)
