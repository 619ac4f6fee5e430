"""What is doubtful in an entry of a legacy registry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...diagnostics.fault import Fault
from ...diagnostics.shown import shown
from . import rules as rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ...diagnostics.span import Path

LEAST_CALLBACK_PORT = 1024


def lint_entry(key: str, entry: Mapping[str, Any], path: Path) -> Iterator[Fault]:
    """Check an entry as it was decoded."""
    if entry["name"] and entry["name"] != key:
        message = f'"{entry["name"]}" is replaced by the key "{key}" when the file is loaded'
        yield Fault((*path, "name"), rule.NAME_NOT_KEY, message, "remove name, or make the two equal")
    if entry["transport"] == "stdio" and entry.get("target_port"):
        message = "a stdio server listens on no port"
        hint = "remove target_port, or state the transport that the image speaks"
        yield Fault((*path, "target_port"), rule.PORT_WITHOUT_HTTP, message, hint)
    for side in ("env_vars", "headers"):
        for i, spec in enumerate(entry.get(side) or ()):
            if spec is not None:
                yield from _lint_spec(spec, (*path, side, i))
    if entry.get("oauth_config") is not None:
        yield from lint_oauth(entry["oauth_config"], (*path, "oauth_config"))


def lint_oauth(oauth: Mapping[str, Any], path: Path) -> Iterator[Fault]:
    """Check the OAuth configuration of an entry or an extension."""
    endpoints = [name for name in ("authorize_url", "token_url") if oauth[name]]
    if oauth["issuer"] and endpoints:
        message = f'"{endpoints[0]}" is set beside "issuer", from which it would be discovered'
        hint = "remove the issuer, or the endpoints that would be discovered from it"
        yield Fault((*path, endpoints[0]), rule.OAUTH_UNCLEAR, message, hint)
    elif len(endpoints) == 1:
        other = "token_url" if endpoints[0] == "authorize_url" else "authorize_url"
        hint = f"set {other}"
        yield Fault((*path, endpoints[0]), rule.OAUTH_UNCLEAR, f'"{endpoints[0]}" needs "{other}" beside it', hint)
    if 0 < oauth["callback_port"] < LEAST_CALLBACK_PORT:
        message = f"the callback port {oauth['callback_port']} is below {LEAST_CALLBACK_PORT}"
        hint = f"choose one from {LEAST_CALLBACK_PORT} on, or leave it out"
        yield Fault((*path, "callback_port"), rule.CALLBACK_PORT, message, hint)


def _lint_spec(spec: Mapping[str, Any], path: Path) -> Iterator[Fault]:
    if spec["required"] and spec["default"]:
        message, hint = (
            f"{shown(spec['default'])} is never used: the value is required",
            "remove required, or the default",
        )
        yield Fault((*path, "default"), rule.DEFAULT_UNUSED, message, hint)
    if spec.get("choices") and spec["default"] and spec["default"] not in spec["choices"]:
        message = f"{shown(spec['default'])} is not one of the choices"
        yield Fault((*path, "default"), rule.DEFAULT_NOT_A_CHOICE, message, "choose one of them, or add it")
