"""Blocks of a run configuration that the runner makes middleware of, each checked by itself.

Source: toolhive 0.21.0 and 0.44.0, the packages of each middleware.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...diagnostics.fault import Fault
from ...diagnostics.shown import shown
from ...diagnostics.version import RELEASE
from ...toolhive import header
from ...toolhive.connection import collector_fault
from ...toolhive.constants import OIDC_SECRET_VARIABLE, TOKEN_TYPE_URN, TOKEN_TYPES
from ...toolhive.endpoint import endpoint_fault, is_plain_http
from ...toolhive.release import holds
from ..fault import quoted
from . import lint_rules as lint
from . import rules as rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ...diagnostics.span import Path

STRATEGIES = ("replace", "custom")
GOOGLE_TOKENINFO = "https://oauth2.googleapis.com/tokeninfo"


def oidc_faults(oidc: Mapping[str, Any], release: str = RELEASE, *, has_server: bool) -> Iterator[Fault]:
    """Check a decoded OIDC provider; ``has_server``: whether an embedded authorization server knows the keys."""
    if not oidc["Issuer"] and not oidc["JWKSURL"] and not has_server:
        yield Fault((), rule.OIDC, "the OIDC provider has neither an Issuer nor a JWKSURL", "set Issuer, or JWKSURL")
    is_any_client = oidc["IntrospectionURL"] == GOOGLE_TOKENINFO and not oidc["Audience"].strip()
    if is_any_client and holds(rule.OIDC_AUDIENCE.since, None, release):
        message = "tokens of any client of this provider would be accepted, because there is no Audience"
        yield Fault(("IntrospectionURL",), rule.OIDC_AUDIENCE, message, "set the audience of the tokens")
    keys = "JWKSURL" if oidc["JWKSURL"] else "Issuer"  # the issuer is not asked for keys whose place is stated
    for key in (keys, "IntrospectionURL"):
        reason = endpoint_fault(oidc[key]) if oidc[key] and not oidc["InsecureAllowHTTP"] and not has_server else None
        if reason is not None:
            hint = "write an https address"
            yield Fault((key,), lint.INSECURE, f"{shown(oidc[key])} {reason}: every request will be refused", hint)
    if oidc["ClientSecret"]:
        hint = f"remove it, and set {OIDC_SECRET_VARIABLE} where the runner starts"
        yield Fault(("ClientSecret",), lint.PLAIN_SECRET, "the client secret is in the file", hint)


def token_exchange_faults(exchange: Mapping[str, Any]) -> Iterator[Fault]:
    """Check a decoded exchange of tokens."""
    yield from _strategy(exchange, "external_token_header_name")
    address = exchange["token_url"]
    if not address:
        yield Fault((), lint.TOKEN_URL, 'the token exchange has no "token_url"', "set token_url")
    elif is_plain_http(address):
        yield Fault(("token_url",), lint.INSECURE, f"{shown(address)} is plain http", "use https")
    elif (reason := endpoint_fault(address)) is not None:
        hint: str | None = "write an https address"
        yield Fault(("token_url",), lint.TOKEN_URL, f"{shown(address)} {reason}", hint)
    kind = exchange["subject_token_type"]
    full = [TOKEN_TYPE_URN + one for one in TOKEN_TYPES]
    if kind and kind not in full:
        meant = next((one for one in full if one.endswith(f":{kind}")), None)
        hint = f'write "{meant}"' if meant else None
        message = f"{shown(kind)} is not a type of token that can be exchanged"
        yield Fault(("subject_token_type",), lint.TOKEN_URL, message, hint)
    if exchange["client_secret"]:
        hint = "remove it, and set TOOLHIVE_TOKEN_EXCHANGE_CLIENT_SECRET where the runner starts"
        yield Fault(("client_secret",), lint.PLAIN_SECRET, "the client secret is in the file", hint)


def upstream_swap_faults(swap: Mapping[str, Any], *, is_filled: bool) -> Iterator[Fault]:
    """Check how a token of an upstream provider is handed on; ``is_filled``: whether the runner names the provider."""
    if not swap["provider_name"] and not is_filled:
        yield Fault((), rule.TOKEN_HEADER, 'the upstream swap has no "provider_name"', "set provider_name")
    yield from _strategy(swap, "custom_header_name")


def _strategy(block: Mapping[str, Any], name_key: str) -> Iterator[Fault]:
    strategy = block["header_strategy"]
    if strategy and strategy not in STRATEGIES:
        message = f"{shown(strategy)} is neither {quoted(STRATEGIES, last='nor')}"
        yield Fault(("header_strategy",), rule.TOKEN_HEADER, message)
    elif strategy == "custom" and not block[name_key]:
        hint = f"set {name_key}"
        yield Fault(("header_strategy",), rule.TOKEN_HEADER, f'"{name_key}" does not name the header', hint)


def tool_filter_faults(tools: Iterable[str], path: Path) -> Iterator[Fault]:
    """Check the names of the tools that clients see; ``path`` leads to them."""
    for number, tool in enumerate(tools):
        if not tool:
            hint = "name the tool, or remove the item"
            yield Fault((*path, number), rule.TOOL_FILTER, "the name of a tool is empty", hint)


def rate_limit_faults(limits: Mapping[str, Any]) -> Iterator[Fault]:
    """Check decoded limits of requests."""
    for key in ("shared", "perUser"):
        yield from _bucket(limits[key], (key,))
    seen: set[str] = set()
    for number, tool in enumerate(limits["tools"] or ()):
        for key in ("shared", "perUser"):
            yield from _bucket(tool[key], ("tools", number, key))
        if tool["shared"] is None and tool["perUser"] is None:
            message = f"the tool {shown(tool['name'])} has no limit"
            yield Fault(("tools", number), lint.RATE_LIMIT_IDLE, message, "set shared or perUser")
        if tool["name"] in seen:
            message = f"the tool {shown(tool['name'])} already has limits above, but these are used"
            yield Fault(("tools", number, "name"), lint.RATE_LIMIT_IDLE, message, "keep one of the two")
        seen.add(tool["name"])
    if limits["shared"] is None and limits["perUser"] is None and not limits["tools"]:
        yield Fault((), lint.RATE_LIMIT_IDLE, "nothing is limited", "set shared, perUser or tools")


def _bucket(bucket: Mapping[str, Any] | None, path: Path) -> Iterator[Fault]:
    if bucket is None:
        return
    if bucket["maxTokens"] < 1:
        yield Fault((*path, "maxTokens"), rule.RATE_LIMIT, f"{bucket['maxTokens']} tokens are fewer than one")
    if bucket["refillPeriod"] <= 0:
        hint = "write a period such as 1m"
        yield Fault((*path, "refillPeriod"), rule.RATE_LIMIT, "the refill period is not positive", hint)


def telemetry_faults(telemetry: Mapping[str, Any]) -> Iterator[Fault]:
    """Check where traces and metrics go."""
    if not telemetry["serviceName"]:
        yield Fault((), rule.TELEMETRY, 'there is no "serviceName"', "write one: the name of the server")
    if telemetry["endpoint"] and not telemetry["tracingEnabled"] and not telemetry["metricsEnabled"]:
        message = "there is an endpoint, but neither tracingEnabled nor metricsEnabled is true"
        hint = "set tracingEnabled or metricsEnabled, or remove the endpoint"
        yield Fault(("endpoint",), rule.TELEMETRY, message, hint)
    elif telemetry["metricsEnabled"] and (fault := collector_fault(telemetry["endpoint"])):
        hint = "write HOST:PORT, such as otel:4318"
        yield Fault(("endpoint",), rule.COLLECTOR, f"{shown(telemetry['endpoint'])} {fault}", hint)
    rate = telemetry["samplingRate"]
    if rate and not _is_rate(rate):
        yield Fault(("samplingRate",), lint.SAMPLING, f"{shown(rate)} is not a number from 0 to 1")


def _is_rate(text: str) -> bool:
    try:
        return 0 <= float(text) <= 1
    except ValueError:
        return False


def header_faults(headers: Mapping[str, str]) -> Iterator[Fault]:
    """Check headers with plain values; paths begin at them."""
    for name, value in headers.items():
        reason = header.name_fault(name) or header.value_fault(value)
        if reason is not None:
            found = rule.HEADER if header.is_restricted(name) else lint.HEADER_UNUSABLE
            hint = "use a header of your own" if found is rule.HEADER else "correct it, or remove it"
            message = f"the header {shown(name)} cannot be forwarded: {reason}"
            yield Fault((name,), found, message, hint, on_key=True)
