"""Find the values in a run configuration that have no effect, or an unexpected effect.

Source: toolhive 0.21.0 and 0.44.0, packages runner, runtime, transport and auth/remote.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...diagnostics.fault import Fault, below
from ...diagnostics.finding import rule
from ...diagnostics.shown import shown
from ...toolhive.constants import HOST_VARIABLE, PORT_VARIABLES, RUN_CONFIG_VERSION, TRANSPORT_VARIABLE
from ...toolhive.endpoint import is_plain_http
from ...toolhive.mount import MountError, parse_mount, split_volume
from ..permission.check import TARGET_TWICE
from ..secret.place import is_likely_secret
from ..secret.reference import parse_secret
from ..workload.group_name import group_fault, label_fault
from ..workload.name import name_fault
from .block import INSECURE, PLAIN_SECRET
from .browser_origin import origin_faults
from .image_build import build_faults

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

DEPRECATED = rule("RUN044 runconfig-field-deprecated", "lint", "A field of a run configuration is no longer used")

SCHEMA_VERSION = rule("RUN041 runconfig-schema-version", "lint", "A run configuration has an unknown schema version")
IGNORED = rule("RUN042 runconfig-field-ignored", "lint", "A field of a run configuration has no effect")
VARIABLE_OVERWRITTEN = rule(
    "RUN046 runconfig-variable-overwritten", "lint", "A variable is overwritten when the server starts"
)
VOLUME_UNMOUNTED = rule("RUN047 runconfig-volume-not-mounted", "lint", "A volume of a run configuration is not mounted")
AUTHENTICATION_TWICE = rule(
    "RUN048 runconfig-authentication-twice", "lint", "A remote server has both a bearer token and OAuth settings"
)
NAME_ODD = rule(
    "RUN050 runconfig-name-odd", "lint", "A name, a group or a label is one that the product refuses elsewhere"
)
ENDPOINT_PREFIX = rule(
    "RUN055 runconfig-endpoint-prefix",
    "lint",
    "The prefix of endpoints of a run configuration does not begin with a slash",
)


_REPLACED = {
    "env_file_dir": ("", "put the variables into env_vars"),
    "thv_ca_bundle": ("CACertPath", "write it as CACertPath of the OIDC provider"),
    "jwks_auth_token_file": ("AuthTokenFile", "write it as AuthTokenFile of the OIDC provider"),
}
"""For each old key: the key of the OIDC provider that replaces it (empty if there is none), and a hint.

The product still writes the old key beside the new key, so two equal values are no fault.
"""

_OAUTH = ("client_id", "client_secret", "client_secret_file", "issuer", "authorize_url", "token_url")
_BEARER = ("bearer_token", "bearer_token_file")


def lint_runconfig(config: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield the lints of a decoded run configuration."""
    if config["schema_version"] not in {"", RUN_CONFIG_VERSION}:
        message = f"{shown(config['schema_version'])} is read as {RUN_CONFIG_VERSION}"
        yield Fault(("schema_version",), SCHEMA_VERSION, message, f"write {RUN_CONFIG_VERSION}")
    provider = _provider(config)
    for key, (current, instead) in _REPLACED.items():
        if config[key] and provider.get(current) != config[key]:
            yield Fault((key,), DEPRECATED, f'"{key}" is ignored', instead, on_key=True)
    yield from _ineffective_fields(config)
    yield from below(("allowed_origins",), origin_faults(config.get("allowed_origins") or ()))
    yield from _remote(config)
    yield from _variables(config)
    yield from _plain_secrets(config)
    yield from _volumes(config)
    yield from _names(config)
    if config["runtime_config"] is not None:
        yield from build_faults(config["runtime_config"])
    prefix = config["endpoint_prefix"]
    if prefix and not prefix.startswith("/"):
        message = f"the prefix {shown(prefix)} does not begin with a slash"
        yield Fault(("endpoint_prefix",), ENDPOINT_PREFIX, message, f"write {shown(f'/{prefix}')}")


def _provider(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the OIDC provider of the auth middleware, or else ``oidc_config``; empty if both are missing."""
    for middleware in config["middleware_configs"] or ():
        parameters = middleware["parameters"]
        if (
            middleware["type"] == "auth"
            and isinstance(parameters, dict)
            and isinstance(parameters.get("oidc_config"), dict)
        ):
            provider: Mapping[str, Any] = parameters["oidc_config"]
            return provider
    return config["oidc_config"] or {}


def _ineffective_fields(config: Mapping[str, Any]) -> Iterator[Fault]:
    remote, transport, mode = config["remote_url"], config["transport"], config["proxy_mode"]
    reasons = {
        "image": bool(remote)
        and config["image"] not in {remote, config["registry_server_name"]}
        and "no container is run for a remote server",
        "proxy_mode": transport not in {"stdio", mode} and f"it becomes {shown(transport)}, the transport",
        "header_forward": not remote and "headers are forwarded only to remote servers",
        "remote_auth_config": not remote
        and any((config["remote_auth_config"] or {}).get(key) for key in (*_OAUTH, *_BEARER))
        and "there is no remote server to authenticate to",
        "strict_protocol_validation": (transport != "stdio" or mode == "sse")
        and "versions are checked only for stdio servers behind streamable-http",
        "allow_docker_gateway": not config["isolate_network"] and "the network is not isolated",
        "upstream_swap_config": (
            config["embedded_auth_server_config"] is None
            and not config["middleware_configs"]
            and "there is no embedded authorization server"
        ),
    }
    for key, reason in reasons.items():
        if reason and config.get(key):
            yield Fault((key,), IGNORED, f'"{key}" has no effect: {reason}', "remove it", on_key=True)


def _remote(config: Mapping[str, Any]) -> Iterator[Fault]:
    if is_plain_http(config["remote_url"]):
        yield Fault(("remote_url",), INSECURE, f"{shown(config['remote_url'])} is plain http", "use https")
    auth = config["remote_auth_config"]
    if auth is None:
        return
    for key in ("client_secret", "bearer_token"):
        if auth[key] and parse_secret(auth[key]) is None:
            message = f'the "{key}" is the secret itself, not a reference to one'
            hint = f"keep it in the secret store, and write NAME,target={key}"
            yield Fault(("remote_auth_config", key), PLAIN_SECRET, message, hint)
    if any(auth[key] for key in _BEARER) and any(auth[key] for key in _OAUTH):
        key = next(key for key in _OAUTH if auth[key])
        message = f'"{key}" is not used, because there is a bearer token'
        hint = "remove one of the two"
        yield Fault(("remote_auth_config", key), AUTHENTICATION_TWICE, message, hint, on_key=True)


def _variables(config: Mapping[str, Any]) -> Iterator[Fault]:
    transport, port = config["transport"], config["target_port"]
    set_by_runner = {TRANSPORT_VARIABLE: transport}
    if transport != "stdio":
        set_by_runner |= dict.fromkeys(PORT_VARIABLES, str(port))
        if config["target_host"]:
            set_by_runner[HOST_VARIABLE] = config["target_host"]
    for name, value in set_by_runner.items():
        given = (config["env_vars"] or {}).get(name)
        if given is not None and given != value and not config["remote_url"]:
            message = f"{name} becomes {shown(value)} when the server starts"
            hint = "remove it, and set target_port, target_host or transport"
            yield Fault(("env_vars", name), VARIABLE_OVERWRITTEN, message, hint)


def _plain_secrets(config: Mapping[str, Any]) -> Iterator[Fault]:
    for name, value in (config["env_vars"] or {}).items():
        if is_likely_secret(name, value):
            message = f"the value of {name} looks like a secret in plain text"
            hint = f'keep it in the secret store, and write "NAME,target={name}" in "secrets"'
            yield Fault(("env_vars", name), PLAIN_SECRET, message, hint)
    forward = config["header_forward"] or {}
    for name, value in (forward.get("add_plaintext_headers") or {}).items():
        if is_likely_secret(name, value):
            message = f"the value of the header {name} looks like a secret in plain text"
            hint = 'keep it in the secret store, and name it in "add_headers_from_secret"'
            yield Fault(("header_forward", "add_plaintext_headers", name), PLAIN_SECRET, message, hint)


def _volumes(config: Mapping[str, Any]) -> Iterator[Fault]:
    profile = config["permission_profile"] or {}
    mounted = {*(profile.get("read") or ()), *(profile.get("write") or ())}
    targets: dict[str, str] = {}
    for number, volume in enumerate(config["volumes"] or ()):
        path = ("volumes", number)
        declaration, _ = split_volume(volume)
        try:
            target = parse_mount(declaration).target
        except MountError as error:
            hint = "write HOST:CONTAINER"
            yield Fault(path, VOLUME_UNMOUNTED, f"the volume {shown(volume)} cannot be mounted: {error}", hint)
            continue
        rival = targets.setdefault(target, volume)
        if rival is not volume:
            message = f"{shown(rival)} is mounted at {shown(target)} too"
            yield Fault(path, TARGET_TWICE, message, "choose another path in the container")
        if declaration not in mounted and not config["remote_url"]:
            message = f"the permission profile does not mount {shown(declaration)}"
            yield Fault(path, VOLUME_UNMOUNTED, message, "list it under read or write of permission_profile")


def _names(config: Mapping[str, Any]) -> Iterator[Fault]:
    reason = name_fault(config["name"]) if config["name"] else None
    if reason is not None:
        message = f"the API refuses the name {shown(config['name'])}: {reason}"
        yield Fault(("name",), NAME_ODD, message)
    reason = group_fault(config["group"]) if config["group"] else None
    if reason is not None:
        message = f"no group can be called {shown(config['group'])}: {reason}"
        yield Fault(("group",), NAME_ODD, message)
    for key, value in (config["container_labels"] or {}).items():
        reason = label_fault(key, value)
        if reason is not None:
            message = f"the label {shown(key)} cannot be used as a filter: {reason}"
            yield Fault(("container_labels", key), NAME_ODD, message, severity="info")
