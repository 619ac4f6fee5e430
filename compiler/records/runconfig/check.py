"""Find the values in a run configuration that the runner can read, but that keep it from starting.

Source: toolhive 0.21.0 and 0.44.0, packages runner, runtime and transport.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ...diagnostics.fault import Fault, below
from ...diagnostics.finding import rule
from ...diagnostics.plain import mapping
from ...diagnostics.shown import shown
from ...diagnostics.suggestion import nearest
from ...diagnostics.version import RECORDED
from ...golang.duration import DurationError, parse_duration
from ...toolhive.connection import key_prefix_fault, redis_fault
from ...toolhive.constants import METRICS_PORT, OLD_AUTH_KEYS
from ...toolhive.endpoint import remote_fault
from ...toolhive.profile import TOOLHIVE, Profile
from ...toolhive.release import METRICS_PORT_SINCE, holds
from ..permission.check import lint_profile
from ..secret.check import SECRET_FORM, lint_secrets
from ..secret.reference import parse_secret
from ..shape import decode
from ..unknown_key import misfit_faults, unknown_faults
from .auth_server import auth_server_faults
from .block import HEADER, header_faults
from .container import container_faults
from .edition_name import EditionNames
from .lint import DEPRECATED, lint_runconfig
from .middleware import UNDECODABLE, UNKNOWN_FIELD, block_faults, list_faults, without_parameters
from .origin import is_of_operator, is_reported_elsewhere

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

LIFETIME = rule(
    "RUN059 runconfig-session-lifetime-refused",
    "process",
    "The lifetime of idle sessions is not a duration",
    since="0.28.0",
    verified=("0.28.0", "0.44.0"),
)

NOTHING_TO_RUN = rule(
    "RUN002 runconfig-without-image",
    "process",
    "A run configuration names neither an image nor a URL",
    verified=RECORDED,
)
TRANSPORT = rule(
    "RUN003 runconfig-transport-refused",
    "process",
    "The transport of a run configuration cannot be started",
    verified=RECORDED,
)
REMOTE_URL = rule(
    "RUN004 runconfig-remote-url-refused", "process", "The URL of a remote server is not an http or https URL"
)
PORT = rule(
    "RUN005 runconfig-port-refused", "process", "A port of a run configuration is not a port number", verified=RECORDED
)
PROXY_MODE = rule(
    "RUN006 runconfig-proxy-mode-refused", "process", "The proxy mode of a stdio server is unknown", verified=RECORDED
)
STATELESS = rule("RUN007 runconfig-stateless-stdio", "process", "A stdio server cannot be stateless", verified=RECORDED)
NAME = rule("RUN008 runconfig-name-unsafe", "process", "A name of a run configuration cannot be a file name")
ENVIRONMENT = rule(
    "RUN009 runconfig-variable-refused",
    "process",
    "The name of an environment variable is not valid",
    verified=RECORDED,
)
POD_PATCH = rule(
    "RUN010 runconfig-pod-patch-refused",
    "process",
    "The patch of the pod template is not a JSON object",
    verified=RECORDED,
)
SESSIONS = rule(
    "RUN057 runconfig-session-storage-refused",
    "process",
    "The configuration of session storage in Redis is refused",
    verified=RECORDED,
)


TRANSPORTS = ("stdio", "sse", "streamable-http")
PROXY_MODES = ("sse", "streamable-http")
_MOST_PORT = 65535
"""The largest port of TCP."""
_LEAST_CALLBACK_PORT = 1024
"""The API refuses lower ports (``ValidateCallbackPort``)."""


def check_runconfig(document: Any, provider: str = "", profile: Profile = TOOLHIVE) -> list[Fault]:
    """Return the faults of a run configuration.

    Args:
        document: The parsed JSON.
        provider: The secrets provider; empty if it is unknown.
    """
    names = EditionNames(profile)
    current, is_old = _rename_old_keys(names.to_models(document))
    release = profile.judging_release
    config, misfits, unknown = decode(current, "RunConfig", release)
    faults = list(misfit_faults(misfits, UNDECODABLE))
    for number, fault in enumerate(faults):
        if fault.path == ("remote_auth_config", "timeout"):
            faults[number] = fault._replace(hint="write nanoseconds: 5m is 300000000000")
    faults += unknown_faults(unknown, "RunConfig", UNKNOWN_FIELD)
    if not misfits:
        faults += _refusals(config, provider, release)
        faults += without_parameters(current)
        faults += lint_runconfig(config)
        if is_of_operator(config):
            faults = [fault for fault in faults if not is_reported_elsewhere(fault)]
    if is_old:
        faults = [fault._replace(path=_old_path(fault.path)) for fault in faults]
        message = "these are the keys of an old version"
        faults.append(Fault(("remote_auth_config",), DEPRECATED, message, on_key=True))
    return [names.original_fault(fault, document) for fault in faults]


def _rename_old_keys(document: Any) -> tuple[Any, bool]:
    block = document.get("remote_auth_config") if isinstance(document, dict) else None
    if not isinstance(block, dict) or "ClientID" not in block:
        return document, False
    renamed = {OLD_AUTH_KEYS[key]: value for key, value in block.items() if key in OLD_AUTH_KEYS}
    return {**document, "remote_auth_config": renamed}, True


def _old_path(path: tuple[str | int, ...]) -> tuple[str | int, ...]:
    if path[:1] != ("remote_auth_config",) or len(path) < 2:
        return path
    old = next((key for key, new in OLD_AUTH_KEYS.items() if new == path[1]), path[1])
    return (path[0], old, *path[2:])


def _refusals(config: Mapping[str, Any], provider: str, release: str) -> Iterator[Fault]:
    if not config["image"] and not config["remote_url"]:
        yield Fault((), NOTHING_TO_RUN, 'neither "image" nor "remote_url" is set', "set image or remote_url")
    yield from container_faults(config)
    yield from _transport(config)
    yield from _ports(config)
    if holds(METRICS_PORT_SINCE, None, release):
        yield from _metrics_port(config)
    for key in ("base_name", "container_name"):
        if any(part in config[key] for part in ("/", "\\", "\x00")) or config[key].startswith(".."):
            hint = "write a name without slashes or leading dots"
            yield Fault((key,), NAME, f"{shown(config[key])} is not a valid file name", hint)
    for name in config["env_vars"] or {}:
        if not name or "=" in name or "\x00" in name:
            message = f"{shown(name)} cannot be the name of a variable" if name else "a variable has no name"
            hint = "write the name alone, without an equals sign"
            yield Fault(("env_vars", name), ENVIRONMENT, message, hint, on_key=True)
    yield from _secrets(config, provider)
    if config["k8s_pod_template_patch"]:
        yield from _pod_patch(config["k8s_pod_template_patch"])
    if config["permission_profile"] is not None:
        yield from below(
            ("permission_profile",), lint_profile(config["permission_profile"], isolated=config["isolate_network"])
        )
    yield from list_faults(config, release) if config["middleware_configs"] else block_faults(config, release)
    yield from _sessions((config["scaling_config"] or {}).get("session_redis"))
    yield from _lifetime(config.get("session_ttl") or "")
    if config["header_forward"] is not None and config["remote_url"]:
        yield from _header_forward(config["header_forward"])
    if config["embedded_auth_server_config"] is not None:
        yield from below(
            ("embedded_auth_server_config",), auth_server_faults(config["embedded_auth_server_config"], release=release)
        )


def _transport(config: Mapping[str, Any]) -> Iterator[Fault]:
    transport, remote = config["transport"], config["remote_url"]
    if transport not in TRANSPORTS:
        match = nearest(transport, TRANSPORTS)
        hint = f'write "{match}"' if match else None
        message = f"the transport {shown(transport)} cannot be started" if transport else "the transport is missing"
        yield Fault(("transport",) if transport else (), TRANSPORT, message, hint)
    elif remote and transport == "stdio":
        hint = 'write "streamable-http" or "sse", as the server speaks'
        yield Fault(("transport",), TRANSPORT, "a remote server cannot be reached over stdio", hint)
    if remote and remote_fault(remote) is not None:
        hint = "write an address such as https://mcp.example.com/mcp"
        yield Fault(("remote_url",), REMOTE_URL, f"{shown(remote)} {remote_fault(remote)}", hint)
    mode = config["proxy_mode"]
    if transport == "stdio" and mode and mode not in PROXY_MODES:
        message = f'{shown(mode)} is neither "sse" nor "streamable-http"'
        yield Fault(("proxy_mode",), PROXY_MODE, message)
    if transport == "stdio" and config["stateless"]:
        hint = "remove it, or use another transport"
        yield Fault(("stateless",), STATELESS, "a server that speaks stdio cannot be stateless", hint)


def _ports(config: Mapping[str, Any]) -> Iterator[Fault]:
    for key in ("port", "target_port"):
        if not 0 <= config[key] <= _MOST_PORT:
            yield Fault((key,), PORT, f"{config[key]} is not a port", f"choose one up to {_MOST_PORT}")
    for number, item in enumerate(config["publish"] or ()):
        reason = _publish_fault(item)
        if reason is not None:
            hint = 'write a port, or both as in "8080:80"'
            yield Fault(("publish", number), PORT, f"{shown(item)} {reason}", hint)
    callback = (config["remote_auth_config"] or {}).get("callback_port", 0)
    if callback and not _LEAST_CALLBACK_PORT <= callback <= _MOST_PORT:
        message = f"the callback port {callback} is not between {_LEAST_CALLBACK_PORT} and {_MOST_PORT}"
        yield Fault(("remote_auth_config", "callback_port"), PORT, message)


def _metrics_port(config: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield a fault if metrics have an invalid port, or that of the proxy, which then cannot listen."""
    stated = config["telemetry_config"] or {}
    middlewares = [
        mapping(middleware["parameters"])
        for middleware in config["middleware_configs"] or ()
        if middleware["type"] == "telemetry"
    ]
    serving = (
        [mapping(middleware.get("config")) for middleware in middlewares] if config["middleware_configs"] else [stated]
    )
    if not any(middleware.get("enablePrometheusMetricsPath") is True for middleware in serving):
        return
    port = stated.get("prometheusPort") or METRICS_PORT
    path = ("telemetry_config", "prometheusPort") if stated.get("prometheusPort") else ("port",)
    if not 0 <= port <= _MOST_PORT:
        yield Fault(path, PORT, f"{port} is not a port", f"choose one up to {_MOST_PORT}")
    elif port == config["port"]:
        message = f"metrics are served on port {port}, so the proxy cannot listen there"
        yield Fault(path, PORT, message, "choose another port")


def _publish_fault(item: str) -> str | None:
    parts = item.split(":")
    if len(parts) > 2:
        return "is neither a port nor HOST:CONTAINER"
    for part in parts:
        digits = part[1:] if part[:1] in {"+", "-"} else part
        if not (digits.isascii() and digits.isdigit()):
            return f"has {shown(part)} for a port"
        # Cut before int(): Python refuses to convert thousands of digits.
        if not 0 <= int(part[:12]) <= _MOST_PORT:
            return f"has {part[:12]} for a port, which is not a port number"
    return None


def _secrets(config: Mapping[str, Any], provider: str) -> Iterator[Fault]:
    read = []
    for number, text in enumerate(config["secrets"] or ()):
        secret = parse_secret(text)
        if secret is None:
            hint = "write NAME,target=VARIABLE, with no space before target"
            message = "the secret is not written as NAME,target=VARIABLE"
            yield Fault(("secrets", number), SECRET_FORM, message, hint)
        else:
            read.append((("secrets", number), secret))
    yield from lint_secrets(read, config["env_vars"] or {}, provider)


def _pod_patch(text: str) -> Iterator[Fault]:
    try:
        patch = json.loads(text)
    except (ValueError, RecursionError) as error:
        reason = str(error).lower() if isinstance(error, ValueError) else "it is nested too deeply"
        hint = 'write a JSON object, such as {"spec": {}}'
        yield Fault(("k8s_pod_template_patch",), POD_PATCH, f"the patch is not JSON: {reason}", hint)
        return
    if not isinstance(patch, dict):
        hint = 'write a JSON object, such as {"spec": {}}'
        yield Fault(("k8s_pod_template_patch",), POD_PATCH, f"the patch is {shown(patch)}, not an object", hint)


def _sessions(redis: Mapping[str, Any] | None) -> Iterator[Fault]:
    if redis is None:
        return
    path = ("scaling_config", "session_redis")
    address, prefix = redis["address"], redis["key_prefix"]
    if fault := redis_fault(address):
        place = (*path, "address") if address else path
        yield Fault(place, SESSIONS, f"{shown(address) if address else 'the address of Redis'} {fault}")
    if fault := key_prefix_fault(prefix):
        yield Fault((*path, "key_prefix"), SESSIONS, f"{shown(prefix)} {fault}", "add a colon at its end")


def _lifetime(text: str) -> Iterator[Fault]:
    """Yield a fault if the lifetime of idle sessions is negative or no duration. Empty and 0 stand for two hours."""
    try:
        reason = "is negative" if text and parse_duration(text) < 0 else None
    except DurationError:
        reason = "is not a duration"
    if reason is not None:
        yield Fault(("session_ttl",), LIFETIME, f"{shown(text)} {reason}", "write it as 30m or 2h")


def _header_forward(forward: Mapping[str, Any]) -> Iterator[Fault]:
    yield from below(("header_forward", "add_plaintext_headers"), header_faults(forward["add_plaintext_headers"] or {}))
    secrets = forward["add_headers_from_secret"] or {}
    yield from below(("header_forward", "add_headers_from_secret"), header_faults(dict.fromkeys(secrets, "")))
    for name, secret in secrets.items():
        if not secret:
            path = ("header_forward", "add_headers_from_secret", name)
            hint = "name the secret that holds its value"
            yield Fault(path, HEADER, f"the secret for the header {shown(name)} has no name", hint)
