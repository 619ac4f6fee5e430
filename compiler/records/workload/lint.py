"""Check workload requests for questionable values that the service accepts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ...diagnostics.fault import Fault, below
from ...diagnostics.finding import rule
from ...diagnostics.shown import shown
from ...golang import url
from ...golang.image_reference import parse_image
from ...toolhive.constants import SERVER_VARIABLES
from ...toolhive.mount import MountError, parse_mount, split_volume
from ..permission.check import lint_profile
from ..secret.check import lint_secrets
from ..secret.place import is_likely_secret
from ..secret.reference import SecretReference, parse_secret
from .compile import HTTP_TRANSPORTS, is_port, stated_ports, transport_of
from .image import is_package

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ...diagnostics.span import Path
    from ...toolhive.machine import Machine
    from .compile import RegistryLookup

PORT_DRAWN = rule("WRK031 workload-port-drawn", "lint", "The service picks a port at random", severity="info")
TIME_IN_NAME = rule(
    "WRK032 workload-image-named-by-time",
    "lint",
    "The name of the built image contains the time of the build",
    severity="info",
)
IGNORED = rule("WRK033 workload-field-ignored", "lint", "A field of the request has no effect")
REMOTE_BY_NAME = rule("WRK034 workload-remote-by-name", "lint", "A remote server cannot be run by its name")
NAME_AMBIGUOUS = rule(
    "WRK035 workload-name-ambiguous", "lint", "A short name matches several servers, and is used as an image"
)
NO_IMAGE = rule("WRK036 workload-image-unusable", "lint", "The image is not an image reference")
VARIABLE_OVERWRITTEN = rule("WRK037 workload-variable-overwritten", "lint", "A variable is overwritten by the service")
PLAIN_SECRET = rule("WRK038 workload-plain-secret", "lint", "A secret is set as plain text", is_secret=True)
CANNOT_START = rule("WRK039 workload-cannot-start", "lint", "The workload is accepted, but cannot start")
UNSAFE_URL = rule("WRK040 workload-url-not-https", "lint", "A remote server is reached over plain http")
TWO_WAYS_IN = rule("WRK041 workload-two-credentials", "lint", "A request has both a bearer token and OAuth settings")
DEPRECATED = rule("WRK042 workload-deprecated-mode", "lint", "The SSE transport is deprecated", severity="info")
GROUP_NAME = rule("WRK043 workload-group-unlikely", "lint", "No group can have this name")
PATH_ON_HOST = rule("WRK044 workload-path-on-host", "lint", "A volume needs a path on the host", severity="info")
VOLUME_SKIPPED = rule(
    "WRK045 workload-volume-skipped", "lint", "A volume is skipped because its target is already taken"
)


_GROUP = re.compile(r"[a-z0-9_-]+(?: [a-z0-9_-]+)*\Z")
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def lint_workload(request: Mapping[str, Any], lookup: RegistryLookup, machine: Machine) -> Iterator[Fault]:
    """Yield the lints of a decoded request."""
    transport = transport_of(request, lookup)
    yield from _ignored(request, transport)
    yield from _image(request, lookup)
    yield from _remote(request, transport)
    yield from _ports(request, lookup, transport, machine)
    yield from _variables(request)
    yield from _plain_secrets(request, lookup)
    yield from _volumes(request)
    if request["permission_profile"] is not None:
        isolated = request["network_isolation"]
        yield from below(("permission_profile",), lint_profile(request["permission_profile"], isolated=isolated))
    secrets = [(("secrets", i), SecretReference(**secret)) for i, secret in enumerate(request["secrets"] or ())]
    yield from lint_secrets(secrets, request["env_vars"] or {}, machine.secrets_provider)
    for path, secret in secrets:
        if parse_secret(str(secret)) is None:
            part = "target" if secret.name else "name"
            message, hint = f"a secret has no usable {part}, and the workload cannot start", f"set its {part}"
            yield Fault(path, CANNOT_START, message, hint)
    group = request["group"]
    if group and not _GROUP.match(group):
        hint = "write only lower-case letters, digits, hyphens, underscores and single spaces"
        yield Fault(("group",), GROUP_NAME, f"{shown(group)} is not a valid group name", hint)
    for key in ("proxy_mode", "transport"):
        if request[key].lower() == "sse":
            hint = "use streamable-http if the clients support it"
            yield Fault((key,), DEPRECATED, "the SSE transport is deprecated", hint)


def _ignored(request: Mapping[str, Any], transport: str) -> Iterator[Fault]:
    def ignored(path: Path, why: str) -> Fault:
        return Fault(path, IGNORED, f'"{path[-1]}" has no effect: {why}', "remove it", on_key=True)

    if request["url"] and request["image"]:
        yield ignored(("image",), '"url" takes precedence')
    if not request["url"]:
        for key in ("headers", "header_forward"):
            if request[key]:
                yield ignored((key,), "it is for remote servers")
    if request["target_port"] and transport == "stdio":
        yield ignored(("target_port",), "a stdio server listens on no port")
    if request["oidc"]["introspection_url"]:
        yield ignored(("oidc", "introspection_url"), "the service only returns it")
    oauth = request["oauth_config"]
    if oauth["bearer_token"] is not None and any(oauth[key] for key in ("issuer", "authorize_url", "client_id")):
        message = "the bearer token takes precedence over the OAuth settings beside it"
        yield Fault(("oauth_config", "bearer_token"), TWO_WAYS_IN, message, "keep one of them")


def _image(request: Mapping[str, Any], lookup: RegistryLookup) -> Iterator[Fault]:
    image = request["image"]
    if request["url"] or not image:
        return
    if is_package(image):
        message = "the name of the image that is built from it contains the time of the build"
        hint = "set --time, or name an image that is already built"
        yield Fault(("image",), TIME_IN_NAME, message, hint)
    elif lookup.remote:
        message = f'"{image}" is a remote server, whose URL the service does not copy'
        address = lookup.entry["url"] if lookup.entry is not None else ""
        yield Fault(("image",), REMOTE_BY_NAME, message, f'set "url": "{address}"')
    elif lookup.ambiguous:
        message = f'"{image}" matches {" and ".join(lookup.ambiguous[:3])}, and is used as an image'
        yield Fault(("image",), NAME_AMBIGUOUS, message, "write the full name")
    elif lookup.entry is None and parse_image(image, shortest=1) is None:
        message = f"{shown(image)} is neither in the registry nor an image reference"
        hint = "write an image, such as ghcr.io/acme/fetch:1"
        yield Fault(("image",), NO_IMAGE, message, hint)


def _remote(request: Mapping[str, Any], transport: str) -> Iterator[Fault]:
    if transport == "inspector":
        hint = "choose stdio, sse or streamable-http"
        yield Fault(("transport",), CANNOT_START, "no proxy can be started for the transport inspector", hint)
    if not request["url"]:
        return
    if transport == "stdio":
        hint = "remove it: streamable-http is the default for remote servers"
        yield Fault(("transport",), CANNOT_START, "a remote server cannot be run with transport stdio", hint)
    try:
        parts = url.parse(request["url"])
    except url.UrlError:
        parts = url.Url()
    if parts.scheme not in {"http", "https"} or not parts.host:
        hint = "write an address such as https://mcp.example.com/mcp"
        yield Fault(("url",), CANNOT_START, f"{shown(request['url'])} is not an http or https URL", hint)
    elif parts.scheme == "http" and parts.hostname not in _LOOPBACK:
        yield Fault(("url",), UNSAFE_URL, f"{shown(request['url'])} is reached over plain http", "use https")


def _ports(request: Mapping[str, Any], lookup: RegistryLookup, transport: str, machine: Machine) -> Iterator[Fault]:
    port, target = stated_ports(request, lookup, transport)
    if port == 0 and machine.proxy_port is None:
        path: Path = ("proxy_port",) if "proxy_port" in request else ()
        yield Fault(path, PORT_DRAWN, "the service picks the port of the proxy at random", "set proxy_port")
    if (
        not request["url"]
        and transport in HTTP_TRANSPORTS
        and (target == 0 or not is_port(target))
        and machine.target_port is None
    ):
        hint = "set target_port"
        yield Fault(("target_port",), PORT_DRAWN, "the service picks the port of the container at random", hint)


def _variables(request: Mapping[str, Any]) -> Iterator[Fault]:
    for name in SERVER_VARIABLES:
        if name in (request["env_vars"] or {}):
            hint = "remove it, and set target_port or transport"
            yield Fault(("env_vars", name), VARIABLE_OVERWRITTEN, f"the service sets {name} itself", hint)


def _plain_secrets(request: Mapping[str, Any], lookup: RegistryLookup) -> Iterator[Fault]:
    entry = lookup.image_entry
    marked = {spec["name"] for spec in (entry["env_vars"] or () if entry is not None else ()) if spec["secret"]}
    for name, value in (request["env_vars"] or {}).items():
        hint = f'put it in "secrets", with the target {shown(name)}'
        if name in marked:
            message = f"the registry entry marks {shown(name)} as secret, and its value is set in clear text"
            yield Fault(("env_vars", name), PLAIN_SECRET, message, hint)
        elif is_likely_secret(name, value):
            message = f"the value of {name} looks like a secret in plain text"
            yield Fault(("env_vars", name), PLAIN_SECRET, message, hint)
    for name, value in ((request["header_forward"] or {}).get("add_plaintext_headers") or {}).items():
        if is_likely_secret(name, value):
            message = f"the value of the header {name} looks like a secret in plain text"
            path = ("header_forward", "add_plaintext_headers", name)
            yield Fault(path, PLAIN_SECRET, message, 'name a secret in "add_headers_from_secret"')
    if request["oidc"]["client_secret"]:
        message = "the client secret is in the file, and has no effect: the service only returns it"
        yield Fault(("oidc", "client_secret"), PLAIN_SECRET, message, "leave it out")


def _volumes(request: Mapping[str, Any]) -> Iterator[Fault]:
    targets: set[str] = set()
    profile = request["permission_profile"] or {}
    for side in ("read", "write"):
        for text in profile.get(side) or ():
            try:
                targets.add(parse_mount(text).target)
            except MountError:
                continue
    for i, volume in enumerate(request["volumes"] or ()):
        try:
            mount = parse_mount(split_volume(volume)[0])
        except MountError:
            continue
        if mount.target in targets:
            message = f"the target {mount.target} is already taken, so the volume is skipped"
            yield Fault(("volumes", i), VOLUME_SKIPPED, message, "choose another path in the container")
        else:
            message = f"{shown(mount.source)} must exist on the host when the workload is created"
            hint = "make sure that the path exists, and write it as an absolute path"
            yield Fault(("volumes", i), PATH_ON_HOST, message, hint)
        targets.add(mount.target)
