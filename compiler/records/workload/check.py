"""Check workload requests for faults that the service refuses, and for questionable values that it accepts.

Source: toolhive 0.21.0, workload routes, workload service, RunConfig builder.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ...diagnostics.fault import Fault
from ...diagnostics.finding import rule
from ...diagnostics.named_tuple import NamedTuple
from ...diagnostics.shown import shown
from ...golang import url
from ...golang.image_reference import parse_image
from ...toolhive import header
from ...toolhive.mount import MountError, parse_mount, split_volume
from ..fault import quoted
from ..shape import decode
from ..unknown_key import misfit_faults, unknown_faults
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

AUTHZ_FILE = rule("WRK015 workload-authz-unreadable", "process", "The authorization file cannot be read")
PROXY_PORT = rule("WRK017 workload-proxy-port-refused", "process", "The port of the proxy cannot be bound")

UNKNOWN_FIELD = rule("WRK030 workload-unknown-field", "lint", "A field of the request is not known")

UNDECODABLE = rule(
    "WRK001 workload-undecodable", "process", "The service cannot decode the request", unmodelled="newer"
)
NOTHING_TO_RUN = rule("WRK002 workload-without-image", "process", "The request names neither an image nor a URL")
NAME_REFUSED = rule("WRK003 workload-name-refused", "process", "The name of the workload is refused")
PROXY_MODE = rule("WRK004 workload-proxy-mode-refused", "process", "The proxy mode is unknown")
RESOURCE = rule("WRK005 workload-resource-refused", "process", "The resource indicator is not an absolute URI")
CALLBACK_PORT = rule("WRK006 workload-callback-port-refused", "process", "The callback port is out of range")
HEADER = rule("WRK007 workload-header-refused", "process", "A header of a request cannot be forwarded")
RUNTIME = rule("WRK008 workload-runtime-refused", "process", "The build settings cannot be used")
TRANSPORT = rule("WRK009 workload-transport-refused", "process", "The transport is unknown")
VOLUME = rule("WRK010 workload-volume-refused", "process", "A volume cannot be read")


_PACKAGE = re.compile(r"[A-Za-z0-9._][A-Za-z0-9._+-]*\Z")


class CheckedWorkload(NamedTuple):
    """A checked workload request.

    Attributes:
        request: The decoded request. A missing name is filled in from the registry.
        lookup: The registry's data about the image of the request.
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
