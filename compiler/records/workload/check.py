"""Check workload requests for faults that the service refuses, and for questionable values that it accepts.

Source: toolhive 0.21.0, workload routes, workload service, RunConfig builder.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from ...diagnostics.fault import Fault
from ...diagnostics.finding import rule
from ...diagnostics.shown import shown
from ...golang import url
from ...golang.image_reference import parse_image
from ...toolhive import header
from ...toolhive.mount import MountError, parse_mount, split_volume
from ..fault import quoted
from ..shape import decode
from ..unknown_key import misfit_faults, unknown_faults
from . import API, BUILDER
from .compile import RegistryLookup, is_port, look_up, runtime_config, stated_ports, transport_of, workload_name
from .image import is_package
from .lint import lint_workload
from .name import name_fault
from .registry_entry import tool_faults, variable_faults

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ...diagnostics.finding import Severity
    from ...toolhive.machine import Machine
    from ..registry.file import LoadedRegistry

AUTHZ_FILE = rule(
    "WRK015",
    "workload-authz-unreadable",
    "The authorization file cannot be read",
    stage="process",
    checks="`authz_config` names a file that is not among the given files, or is not an authorization configuration."
    " The path is resolved from the request's folder, and from the current one. Without `--closed` the finding is an"
    " info: the file may be on the service's machine.",
    why="The service reads the file when the workload is created, and refuses the request if that fails. Its content"
    " becomes part of the run configuration, so nothing can be compiled without it.",
    example='"authz_config": "policies.toml"',
    fix="Name a JSON or YAML file with `version`, `type` and the policies.",
    source=BUILDER,
)
PROXY_PORT = rule(
    "WRK017",
    "workload-proxy-port-refused",
    "The port of the proxy cannot be bound",
    stage="process",
    checks="The proxy port of the request or the registry entry is not a port number.",
    why="A requested port that cannot be bound is refused, and not replaced with another.",
    example='"proxy_port": 70000',
    fix="Use a port up to 65535, or 0 for any free one.",
    source=BUILDER,
)

UNKNOWN_FIELD = rule(
    "WRK030",
    "workload-unknown-field",
    "A field of the request is not known",
    stage="lint",
    checks="The service does not know a key of the request.",
    why="It is silently skipped: the setting has no effect.",
    example='"oauth_config": { "clientid": "cli" }',
    fix='Write `"oauth_config": { "client_id": "cli" }`.',
    source=API,
)
request_rule = partial(rule, stage="process", source=API)
UNDECODABLE = request_rule(
    "WRK001",
    "workload-undecodable",
    "The service cannot decode the request",
    unmodelled="newer",
    checks="A value does not fit the field that the service reads it into.",
    why="The request is refused with status 400, and nothing runs.",
    example='{ "name": "fetch", "image": "ghcr.io/acme/fetch:1", "proxy_port": "8080" }',
    fix='Write `"proxy_port": 8080`.',
)
NOTHING_TO_RUN = request_rule(
    "WRK002",
    "workload-without-image",
    "The request names neither an image nor a URL",
    checks="Both `image` and `url` are empty or missing.",
    why="There is nothing to run: the request is refused with status 400.",
    example='{ "name": "fetch" }',
    fix='Write `"image": "ghcr.io/acme/fetch:1"`, the name of a server in the registry, or the `url` of a remote one.',
)
NAME_REFUSED = request_rule(
    "WRK003",
    "workload-name-refused",
    "The name of the workload is refused",
    checks="The name is longer than 100 bytes, begins with two dots, or contains something other than letters, digits,"
    " dots, hyphens and underscores; or it is missing, and `image` does not name a container server in a registry among"
    " the files, whose name the workload would get.",
    why="Files and containers are named after the workload. The API refuses other names; the command line rewrites"
    " them.",
    example='"name": "my server"',
    fix='Write `"name": "my-server"`.',
)
PROXY_MODE = request_rule(
    "WRK004",
    "workload-proxy-mode-refused",
    "The proxy mode is unknown",
    checks="`proxy_mode` is neither `sse` nor `streamable-http`.",
    why="The request is refused with status 400.",
    example='"proxy_mode": "http"',
    fix='Write `"proxy_mode": "streamable-http"`, or leave it out.',
)
RESOURCE = request_rule(
    "WRK005",
    "workload-resource-refused",
    "The resource indicator is not an absolute URI",
    checks="`oauth_config.resource` has no scheme, no host, or a fragment.",
    why="RFC 8707 requires an absolute URI. The request is refused with status 400.",
    example='"resource": "mcp.acme.example"',
    fix='Write `"resource": "https://mcp.acme.example"`, or leave it out: it is derived from the URL.',
)
CALLBACK_PORT = request_rule(
    "WRK006",
    "workload-callback-port-refused",
    "The callback port is out of range",
    checks="`oauth_config.callback_port` is neither 0 nor 1024 to 65535.",
    why="The request is refused with status 400.",
    example='"callback_port": 80',
    fix='Write `"callback_port": 8666`, or leave it out.',
)
HEADER = request_rule(
    "WRK007",
    "workload-header-refused",
    "A header of a request cannot be forwarded",
    checks="A header to forward has no valid name, is one that only the proxy may set, has a value with control"
    " characters, or takes its value from a secret without a name.",
    why="The request is refused with status 400. Headers that control the connection or identify the client cannot be"
    " configured.",
    example='"add_plaintext_headers": { "X-Forwarded-For": "10.0.0.1" }',
    fix="Use a header of your own, such as `X-Tenant`.",
)
RUNTIME = request_rule(
    "WRK008",
    "workload-runtime-refused",
    "The build settings cannot be used",
    checks="`runtime_config` is given with a plain image or a URL, or contains an invalid image or package.",
    why="It configures how an image is built from a package (`uvx://`, `npx://`, `go://`); with anything else the"
    " request is refused with status 400.",
    example='"image": "ghcr.io/acme/fetch:1", "runtime_config": { "builder_image": "golang:1.25" }',
    fix="Remove `runtime_config`, or run a package.",
)
TRANSPORT = rule(
    "WRK009",
    "workload-transport-refused",
    "The transport is unknown",
    stage="process",
    checks="`transport`, or that of the registry entry, is unknown to the service.",
    why="The request is refused with status 400.",
    example='"transport": "http"',
    fix='Write `"transport": "streamable-http"`.',
    source=BUILDER,
)
VOLUME = rule(
    "WRK010",
    "workload-volume-refused",
    "A volume cannot be read",
    stage="process",
    checks="A volume is not a path, `host:container` or `scheme://resource:container`, with or without `:ro`.",
    why="The request is refused with status 400. `:rw` is not supported: volumes are writable by default.",
    example='"volumes": ["/srv/data:/data:rw"]',
    fix='Write `"volumes": ["/srv/data:/data"]`.',
    source=BUILDER,
)


_PACKAGE = re.compile(r"[A-Za-z0-9._][A-Za-z0-9._+-]*\Z")


class CheckedWorkload(NamedTuple):
    """A checked workload request.

    Attributes:
        request: The decoded request. A missing name is filled in from the registry.
        lookup: The registry's data about the image of the request.
        faults: All faults and lints.
        refused: True if the service refuses the request. No RunConfig is then compiled.
    """

    request: dict[str, Any]
    lookup: RegistryLookup
    faults: list[Fault]
    refused: bool


def check_workload(document: Any, registry: LoadedRegistry | None, machine: Machine) -> CheckedWorkload:
    """Decode and check a request to create a workload. If a value cannot be decoded, other faults are not searched."""
    request, misfits, unknown = decode(document, "WorkloadRequest")
    faults = list(misfit_faults(misfits, UNDECODABLE))
    if misfits:
        return CheckedWorkload(request, RegistryLookup(), faults, refused=True)
    lookup = look_up(request, registry)
    faults += _refusals(request, lookup, machine)
    request |= {"name": workload_name(request, lookup)}
    refused = any(fault.severity is None for fault in faults)

    faults += unknown_faults(unknown, "WorkloadRequest", UNKNOWN_FIELD)
    faults += lint_workload(request, lookup, machine)
    return CheckedWorkload(request, lookup, faults, refused)


def _refusals(request: Mapping[str, Any], lookup: RegistryLookup, machine: Machine) -> Iterator[Fault]:
    if not request["image"] and not request["url"]:
        hint = "set image, or the url of a remote server"
        yield Fault((), NOTHING_TO_RUN, 'neither "image" nor "url" is set', hint)
    if not workload_name(request, lookup):
        remedy = "name the workload, or a container server of the registry as its image"
        yield Fault((), NAME_REFUSED, "there is no name", remedy)
    elif request["name"] and (reason := name_fault(request["name"])) is not None:
        message = f"the name {shown(request['name'])} is refused: {reason}"
        yield Fault(("name",), NAME_REFUSED, message)
    if request["proxy_mode"] not in {"", "sse", "streamable-http"}:
        message = f'{shown(request["proxy_mode"])} is neither "sse" nor "streamable-http"'
        yield Fault(("proxy_mode",), PROXY_MODE, message)
    yield from _oauth(request["oauth_config"])
    yield from _headers(request["header_forward"])
    yield from _runtime(request)
    yield from _transport(request, lookup)
    for i, volume in enumerate(request["volumes"] or ()):
        try:
            parse_mount(split_volume(volume)[0])
        except MountError as error:
            hint = "remove :rw: volumes are writable by default" if volume.endswith(":rw") else "write HOST:CONTAINER"
            yield Fault(("volumes", i), VOLUME, f"the volume {shown(volume)} cannot be read: {error}", hint)
    if request["authz_config"] and machine.authz(request["authz_config"]) is None:
        message = f"no usable authorization file {shown(request['authz_config'])} is among the given files"
        severity: Severity | None = None if machine.is_complete else "info"
        hint = "name a file with version, type and policies, and check it too"
        yield Fault(("authz_config",), AUTHZ_FILE, message, hint, severity=severity)
    yield from variable_faults(request, lookup)
    yield from tool_faults(request, lookup)


def resource_fault(resource: str) -> str | None:
    """Return why a text is not a resource indicator (RFC 8707), as a clause, or ``None``."""
    try:
        parts = url.parse(resource)
    except url.UrlError as error:
        return str(error)
    if not parts.scheme:
        return "it has no scheme"
    if not parts.host:
        return "it has no host"
    return "it has a fragment" if parts.fragment else None


def _oauth(oauth: Mapping[str, Any]) -> Iterator[Fault]:
    reason = resource_fault(oauth["resource"]) if oauth["resource"] else None
    if reason is not None:
        message = f"{shown(oauth['resource'])} is not a resource indicator: {reason}"
        hint = "write an address such as https://mcp.example.com, or leave it out"
        yield Fault(("oauth_config", "resource"), RESOURCE, message, hint)
    port = oauth["callback_port"]
    # The API refuses privileged ports, which a desktop program cannot open.
    if port != 0 and not 1024 <= port <= 65535:
        message = f"the callback port {port} is not between 1024 and 65535"
        yield Fault(("oauth_config", "callback_port"), CALLBACK_PORT, message)


def _headers(forward: Mapping[str, Any] | None) -> Iterator[Fault]:
    if forward is None:
        return
    for side in ("add_plaintext_headers", "add_headers_from_secret"):
        for name, value in (forward[side] or {}).items():
            reason = header.name_fault(name)
            if reason is None and side == "add_plaintext_headers":
                reason = header.value_fault(value)
            elif reason is None and not value:
                reason = "the secret with its value has no name"
            if reason is not None:
                message = f"the header {shown(name)} cannot be forwarded: {reason}"
                hint = "use a header of your own, such as X-Tenant"
                yield Fault(("header_forward", side, name), HEADER, message, hint, on_key=True)


def _runtime(request: Mapping[str, Any]) -> Iterator[Fault]:
    runtime = runtime_config(request)
    if runtime is None:
        return
    if runtime["builder_image"] and parse_image(runtime["builder_image"]) is None:
        message = f"{shown(runtime['builder_image'])} is not an image reference"
        yield Fault(("runtime_config", "builder_image"), RUNTIME, message, "write an image such as golang:1.25")
    for i, package in enumerate(request["runtime_config"]["additional_packages"] or ()):
        if package.strip() and not _PACKAGE.match(package.strip()):
            message = f"{shown(package)} is not a valid package name"
            hint = "write one name in each item"
            yield Fault(("runtime_config", "additional_packages", i), RUNTIME, message, hint)
    if request["url"] or not is_package(request["image"]):
        message = "only a package (uvx://, npx://, go://) is built, and nothing else has build settings"
        hint = "remove runtime_config, or run a package"
        yield Fault(("runtime_config",), RUNTIME, message, hint, on_key=True)


def _transport(request: Mapping[str, Any], lookup: RegistryLookup) -> Iterator[Fault]:
    transport = transport_of(request, lookup)
    if not transport:
        given = request["transport"] or (lookup.entry or {}).get("transport", "")
        message = f"{shown(given)} is not one of {quoted(['stdio', 'sse', 'streamable-http'])}"
        yield Fault(("transport",), TRANSPORT, message)
    port, _ = stated_ports(request, lookup, transport)
    if not is_port(port):
        hint = "choose one up to 65535, or 0 for any free port"
        yield Fault(("proxy_port",), PROXY_PORT, f"{port} is not a port that can be bound", hint)
