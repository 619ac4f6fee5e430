"""Convert RunConfigs to the WorkloadDetails and WorkloadSummary that the API returns.

Source: toolhive 0.21.0, workload routes, workload manager, proxy URLs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...diagnostics.plain import text_at
from ...golang import url
from ...toolhive.constants import (
    BASE_NAME_LABEL,
    ISOLATION_LABEL,
    OWN_LABEL,
    PORT_LABEL,
    RUN_CONFIG_VERSION,
    TRANSPORT_LABEL,
    WORKLOAD_LABEL,
)
from ..secret.reference import parse_secret
from ..shape import ZERO_TIME, encode, zero
from .compile import LOCALHOST

if TYPE_CHECKING:
    from collections.abc import Mapping

STANDARD_LABELS = frozenset({OWN_LABEL, WORKLOAD_LABEL, BASE_NAME_LABEL, TRANSPORT_LABEL, PORT_LABEL, ISOLATION_LABEL})
"""Labels that ToolHive sets itself, which are not listed."""


def loaded_runconfig(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return a decoded RunConfig with the defaults that the service sets on loading.

    The maps ``env_vars``, ``container_labels`` and ``tools_override`` become empty instead of null.
    """
    out = dict(config)
    for key in ("env_vars", "container_labels", "tools_override"):
        out[key] = out[key] if out[key] is not None else {}
    out["schema_version"] = out["schema_version"] or RUN_CONFIG_VERSION
    out["proxy_mode"] = effective_mode(out["transport"], out["proxy_mode"])
    return out


def effective_mode(transport: str, proxy_mode: str) -> str:
    """Return the protocol between clients and the proxy: the proxy mode for stdio, and otherwise the transport."""
    return (proxy_mode or "streamable-http") if transport == "stdio" else transport


def workload_details(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the WorkloadDetails of a decoded RunConfig, as plain data."""
    oidc, auth = config["oidc_config"], config["remote_auth_config"]
    details = zero("WorkloadRequest")
    details |= {
        "image": config["image"],
        "host": config["host"],
        "cmd_arguments": config["cmd_args"],
        "target_port": config["target_port"],
        "proxy_port": config["port"],
        "env_vars": config["env_vars"],
        "secrets": [secret._asdict() for secret in map(parse_secret, config["secrets"] or ()) if secret is not None],
        "volumes": config["volumes"],
        "transport": config["transport"],
        "permission_profile": config["permission_profile"],
        "proxy_mode": config["proxy_mode"],
        "network_isolation": config["isolate_network"],
        "trust_proxy_headers": config["trust_proxy_headers"],
        "tools": config["tools_filter"],
        "tools_override": config["tools_override"],
        "group": config["group"],
        "url": config["remote_url"],
        "header_forward": config["header_forward"],
        "runtime_config": config["runtime_config"],
        "name": config["name"],
    }
    if oidc is not None:
        details["oidc"] = {
            "issuer": oidc["Issuer"],
            "audience": oidc["Audience"],
            "jwks_url": oidc["JWKSURL"],
            "introspection_url": oidc["IntrospectionURL"],
            "client_id": oidc["ClientID"],
            "client_secret": oidc["ClientSecret"],
            "scopes": oidc["Scopes"],
        }
    if auth is not None:
        oauth = details["oauth_config"]
        oauth |= {key: auth[key] for key in oauth.keys() & auth.keys()}
        for key in ("client_secret", "bearer_token"):
            secret = parse_secret(auth[key])
            oauth[key] = None if secret is None else secret._asdict()
        details["headers"] = auth["headers"]
    return encode(details, "WorkloadRequest")


def workload_summary(config: Mapping[str, Any], status: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the WorkloadSummary of a decoded RunConfig, as plain data.

    Args:
        config: A result of `loaded_runconfig`.
        status: The content of the workload's status file, if it exists.
    """
    state = status or {}
    remote = bool(config["remote_url"])
    name = config["base_name"] or config["container_name"] or config["name"]
    labels = config["container_labels"] or {}
    summary = zero("WorkloadSummary") | {
        "name": name,
        "package": "remote" if remote else config["image"],
        "url": proxy_url(config, name),
        "port": config["port"],
        "transport_type": config["transport"],
        "proxy_mode": effective_mode(config["transport"], config["proxy_mode"]),
        "status": text_at(state, "status") or "unknown",
        "status_context": text_at(state, "status_context"),
        "created_at": text_at(state, "created_at") or ZERO_TIME,
        "labels": labels if remote else {key: labels[key] for key in labels if key not in STANDARD_LABELS},
        "group": config["group"],
        "remote": remote,
        "started_at": ZERO_TIME,
    }
    return encode(summary, "WorkloadSummary")


def proxy_url(config: Mapping[str, Any], name: str, host: str = LOCALHOST) -> str:
    """Return the URL at which clients reach a workload. A URL for SSE ends with ``name`` as its fragment.

    The text is empty if the port or the transport is unknown, or if the URL of a remote server is invalid.
    """
    if config["port"] <= 0:
        return ""
    mode = effective_mode(config["transport"], config["proxy_mode"])
    streams = mode == "sse"
    if not streams and config["transport"] not in {"stdio", "streamable-http"}:
        return ""
    path = "/sse" if streams else "/mcp"
    if config["remote_url"]:
        try:
            remote_path = url.parse(config["remote_url"]).escaped_path
        except url.UrlError:
            return ""
        path = "" if remote_path == "/" else remote_path
        path = path or ("/sse" if streams else "")
    anchor = f"#{url.escape_segment(name)}" if streams else ""
    return f"http://{host}:{config['port']}{path}{anchor}"
