"""Check entries of a legacy registry for questionable values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...diagnostics.fault import Fault
from ...diagnostics.finding import rule
from ...diagnostics.shown import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ...diagnostics.span import Path

DEFAULT_UNUSED = rule(
    "REG018 registry-default-unused", "lint", "A required variable has a default, which is never used", severity="info"
)
DEFAULT_NOT_A_CHOICE = rule(
    "REG019 registry-default-not-a-choice", "lint", "The default of a header is not one of its choices"
)
OAUTH_UNCLEAR = rule(
    "REG020 registry-oauth-endpoints-unclear",
    "lint",
    "An OAuth configuration mixes discovery with endpoints, or has only one endpoint",
)
CALLBACK_PORT = rule(
    "REG021 registry-callback-port-refused",
    "lint",
    "The callback port of an OAuth configuration is refused when the server is run",
)
PORT_WITHOUT_HTTP = rule(
    "REG022 registry-port-without-http", "lint", "A stdio server has a port, which is not used", severity="info"
)
NAME_NOT_KEY = rule(
    "REG023 registry-name-not-key", "lint", "The name of an entry is not its key, and is replaced", severity="info"
)


LEAST_CALLBACK_PORT = 1024
"""The product refuses lower ports (``ValidateCallbackPort``)."""


def lint_entry(key: str, entry: Mapping[str, Any], path: Path) -> Iterator[Fault]:
    """Yield the lints of a decoded entry. ``key`` is its key in the registry, and ``path`` its path in the file."""
    if entry["name"] and entry["name"] != key:
        message = f'"{entry["name"]}" is replaced by the key "{key}" when the file is loaded'
        yield Fault((*path, "name"), NAME_NOT_KEY, message, "remove name, or make the two equal")
    if entry["transport"] == "stdio" and entry.get("target_port"):
        message = "a stdio server listens on no port"
        hint = "remove target_port, or state the transport that the image speaks"
        yield Fault((*path, "target_port"), PORT_WITHOUT_HTTP, message, hint)
    for side in ("env_vars", "headers"):
        for i, spec in enumerate(entry.get(side) or ()):
            if spec is not None:
                yield from _lint_spec(spec, (*path, side, i))
    if entry.get("oauth_config") is not None:
        yield from lint_oauth(entry["oauth_config"], (*path, "oauth_config"))


def lint_oauth(oauth: Mapping[str, Any], path: Path) -> Iterator[Fault]:
    """Yield the lints of the OAuth configuration at ``path``, which is in an entry or an extension."""
    endpoints = [name for name in ("authorize_url", "token_url") if oauth[name]]
    if oauth["issuer"] and endpoints:
        message = f'"{endpoints[0]}" is set beside "issuer", from which it would be discovered'
        hint = "remove the issuer, or the endpoints that would be discovered from it"
        yield Fault((*path, endpoints[0]), OAUTH_UNCLEAR, message, hint)
    elif len(endpoints) == 1:
        other = "token_url" if endpoints[0] == "authorize_url" else "authorize_url"
        hint = f"set {other}"
        yield Fault((*path, endpoints[0]), OAUTH_UNCLEAR, f'"{endpoints[0]}" needs "{other}" beside it', hint)
    if 0 < oauth["callback_port"] < LEAST_CALLBACK_PORT:
        message = f"the callback port {oauth['callback_port']} is below {LEAST_CALLBACK_PORT}"
        hint = f"choose one from {LEAST_CALLBACK_PORT} on, or leave it out"
        yield Fault((*path, "callback_port"), CALLBACK_PORT, message, hint)


def _lint_spec(spec: Mapping[str, Any], path: Path) -> Iterator[Fault]:
    if spec["required"] and spec["default"]:
        message, hint = (
            f"{shown(spec['default'])} is never used: the value is required",
            "remove required, or the default",
        )
        yield Fault((*path, "default"), DEFAULT_UNUSED, message, hint)
    if spec.get("choices") and spec["default"] and spec["default"] not in spec["choices"]:
        message = f"{shown(spec['default'])} is not one of the choices"
        yield Fault((*path, "default"), DEFAULT_NOT_A_CHOICE, message, "choose one of them, or add it")
