"""Check the blocks of a run configuration from which the runner creates middleware.

Source: toolhive 0.21.0 and 0.44.0, the packages of each middleware.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...diagnostics.fault import Fault
from ...diagnostics.finding import rule
from ...diagnostics.shown import shown
from ...diagnostics.version import RECORDED
from ...toolhive import header
from ...toolhive.connection import ENDPOINT, NO_KEYS, collector_fault
from ...toolhive.constants import OIDC_SECRET_VARIABLE, TOKEN_TYPE_URN, TOKEN_TYPES
from ...toolhive.endpoint import endpoint_fault, is_plain_http
from ...toolhive.release import NEWEST_MODELLED, holds
from ..fault import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ...diagnostics.span import Path

PLAIN_SECRET = rule(
    "RUN045 runconfig-plain-secret", "lint", "A run configuration contains a secret in plain text", is_secret=True
)
INSECURE = rule("RUN049 runconfig-plain-http", "lint", "Something is reached over plain HTTP")
TOKEN_URL = rule("RUN051 runconfig-token-exchange-idle", "lint", "A token exchange cannot work")
RATE_LIMIT_IDLE = rule("RUN052 runconfig-rate-limit-idle", "lint", "A rate limit limits nothing")
SAMPLING = rule("RUN053 runconfig-sampling-rate", "lint", "The sampling rate is not a number from 0 to 1")
HEADER_UNUSABLE = rule(
    "RUN056 runconfig-header-unusable", "lint", "The name or value of a forwarded header is not valid"
)
TOKEN_HEADER = rule(
    "RUN013 runconfig-token-header-refused", "process", "The header for a token is not specified", verified=RECORDED
)
RATE_LIMIT = rule(
    "RUN015 runconfig-rate-limit-refused", "process", "A rate limit cannot be enforced", verified=RECORDED
)
TELEMETRY = rule(
    "RUN016 runconfig-telemetry-without-signals",
    "process",
    "Telemetry has an endpoint but nothing to send, or no service name",
    verified=RECORDED,
)
TOOL_FILTER = rule("RUN017 runconfig-tool-filter-refused", "process", "A tool filter names no tools", verified=RECORDED)
HEADER = rule(
    "RUN018 runconfig-header-refused",
    "process",
    "A header of a run configuration cannot be forwarded",
    verified=RECORDED,
)
OIDC_AUDIENCE = rule(
    "RUN062 runconfig-oidc-without-audience",
    "process",
    "Tokens of any client of a provider would be accepted",
    since="0.44.0",
)


STRATEGIES = ("replace", "custom")
GOOGLE_TOKENINFO = "https://oauth2.googleapis.com/tokeninfo"


def oidc_faults(oidc: Mapping[str, Any], release: str = NEWEST_MODELLED, *, has_server: bool) -> Iterator[Fault]:
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
