"""Workload requests: what the service refuses, and what it takes though it is doubtful.

Source: toolhive 0.21.0, workload routes, workload service, RunConfig builder.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from ...diagnostics.fault import Fault
from ...diagnostics.shown import shown
from ...golang import url
from ...golang.image_reference import parse_image
from ...toolhive import header
from ...toolhive.mount import MountError, parse_mount, split_volume
from ..fault import quoted
from ..permission.check import misfit_faults
from ..secret.reference import SecretReference, supplies
from ..shape import decode
from ..unknown_key import unknown_faults
from . import rules as rule
from .compile import Lookup, Machine, is_port, look_up, name_of, runtime_config, transport_of, wanted_ports
from .image import is_package
from .lint import lint_workload
from .name import name_fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ...diagnostics.finding import Severity
    from ..registry.file import LoadedRegistry

_PACKAGE = re.compile(r"[A-Za-z0-9._][A-Za-z0-9._+-]*\Z")


class CheckedWorkload(NamedTuple):
    """A request that was read.

    Attributes:
        request: The request, decoded, with the name that it takes from the registry where it has none.
        lookup: What the registry knows of its image.
        faults: What is wrong or doubtful.
        refused: Whether the service refuses it; there is no RunConfig then.
    """

    request: dict[str, Any]
    lookup: Lookup
    faults: list[Fault]
    refused: bool


def check_workload(document: Any, registry: LoadedRegistry | None, machine: Machine) -> CheckedWorkload:
    """Check a request to create a workload, against a registry where there is one."""
    request, misfits, unknown = decode(document, "WorkloadRequest")
    faults = list(misfit_faults(misfits, rule.UNDECODABLE))
    if misfits:
        return CheckedWorkload(request, Lookup(), faults, refused=True)
    lookup = look_up(request, registry)
    faults += _refusals(request, lookup, machine)
    request |= {"name": name_of(request, lookup)}
    refused = any(fault.severity is None for fault in faults)
    from .lint_rules import UNKNOWN_FIELD

    faults += unknown_faults(unknown, "WorkloadRequest", UNKNOWN_FIELD)
    faults += lint_workload(request, lookup, machine)
    return CheckedWorkload(request, lookup, faults, refused)


def _refusals(request: Mapping[str, Any], lookup: Lookup, machine: Machine) -> Iterator[Fault]:
    if not request["image"] and not request["url"]:
        hint = "set image, or the url of a remote server"
        yield Fault((), rule.NOTHING_TO_RUN, 'neither "image" nor "url" is set', hint)
    if not name_of(request, lookup):
        remedy = "name the workload, or a container server of the registry as its image"
        yield Fault((), rule.NAME_REFUSED, "there is no name", remedy)
    elif request["name"] and (reason := name_fault(request["name"])) is not None:
        message = f"the name {shown(request['name'])} is refused: {reason}"
        yield Fault(("name",), rule.NAME_REFUSED, message)
    if request["proxy_mode"] not in {"", "sse", "streamable-http"}:
        message = f'{shown(request["proxy_mode"])} is neither "sse" nor "streamable-http"'
        yield Fault(("proxy_mode",), rule.PROXY_MODE, message)
    yield from _oauth(request["oauth_config"])
    yield from _headers(request["header_forward"])
    yield from _runtime(request)
    yield from _transport(request, lookup)
    for i, volume in enumerate(request["volumes"] or ()):
        try:
            parse_mount(split_volume(volume)[0])
        except MountError as error:
            hint = "remove :rw: volumes are writable by default" if volume.endswith(":rw") else "write HOST:CONTAINER"
            yield Fault(("volumes", i), rule.VOLUME, f"the volume {shown(volume)} cannot be read: {error}", hint)
    if request["authz_config"] and machine.authz(request["authz_config"]) is None:
        message = f"no usable authorization file {shown(request['authz_config'])} is among the given files"
        severity: Severity | None = None if machine.is_complete else "info"
        hint = "name a file with version, type and policies, and check it too"
        yield Fault(("authz_config",), rule.AUTHZ_FILE, message, hint, severity=severity)
    yield from _variables(request, lookup)
    yield from _tools(request, lookup)


def resource_fault(resource: str) -> str | None:
    """Return why a text is no resource indicator (RFC 8707), or ``None``."""
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
        yield Fault(("oauth_config", "resource"), rule.RESOURCE, message, hint)
    port = oauth["callback_port"]
    if port != 0 and not 1024 <= port <= 65535:
        message = f"the callback port {port} is not between 1024 and 65535"
        yield Fault(("oauth_config", "callback_port"), rule.CALLBACK_PORT, message)


def _headers(forward: Mapping[str, Any] | None) -> Iterator[Fault]:
    if forward is None:
        return
    for side in ("add_plaintext_headers", "add_headers_from_secret"):
        for name, value in (forward[side] or {}).items():
            reason = header.name_fault(name)
            if reason is None:
                reason = header.value_fault(value) if side == "add_plaintext_headers" else _secret_fault(value)
            if reason is not None:
                message = f"the header {shown(name)} cannot be forwarded: {reason}"
                hint = "use a header of your own, such as X-Tenant"
                yield Fault(("header_forward", side, name), rule.HEADER, message, hint, on_key=True)


def _secret_fault(name: str) -> str | None:
    return None if name else "the secret with its value has no name"


def _runtime(request: Mapping[str, Any]) -> Iterator[Fault]:
    runtime = runtime_config(request)
    if runtime is None:
        return
    if runtime["builder_image"] and parse_image(runtime["builder_image"]) is None:
        message = f"{shown(runtime['builder_image'])} is not an image reference"
        yield Fault(("runtime_config", "builder_image"), rule.RUNTIME, message, "write an image such as golang:1.25")
    for i, package in enumerate(request["runtime_config"]["additional_packages"] or ()):
        if package.strip() and not _PACKAGE.match(package.strip()):
            message = f"{shown(package)} is not a valid package name"
            hint = "write one name in each item"
            yield Fault(("runtime_config", "additional_packages", i), rule.RUNTIME, message, hint)
    if request["url"] or not is_package(request["image"]):
        message = "only a package (uvx://, npx://, go://) is built, and nothing else has build settings"
        hint = "remove runtime_config, or run a package"
        yield Fault(("runtime_config",), rule.RUNTIME, message, hint, on_key=True)


def _transport(request: Mapping[str, Any], lookup: Lookup) -> Iterator[Fault]:
    transport = transport_of(request, lookup)
    if not transport:
        given = request["transport"] or (lookup.entry or {}).get("transport", "")
        message = f"{shown(given)} is not one of {quoted(['stdio', 'sse', 'streamable-http'])}"
        yield Fault(("transport",), rule.TRANSPORT, message)
    port, _ = wanted_ports(request, lookup, transport)
    if not is_port(port):
        hint = "choose one up to 65535, or 0 for any free port"
        yield Fault(("proxy_port",), rule.PROXY_PORT, f"{port} is not a port that can be bound", hint)


def _variables(request: Mapping[str, Any], lookup: Lookup) -> Iterator[Fault]:
    entry = lookup.image_entry
    if entry is None:
        return
    references = [str(SecretReference(**secret)) for secret in request["secrets"] or ()]
    given = request["env_vars"]
    for spec in entry["env_vars"] or ():
        name = spec["name"]
        if name in (given or {}) or any(supplies(reference, name) for reference in references):
            continue
        if spec["required"]:
            message = f'the registry entry "{entry["name"]}" requires the variable "{name}"'
            hint = 'put it in "secrets"' if spec["secret"] else 'put it in "env_vars"'
            yield Fault((), rule.VARIABLE_MISSING, message, hint)
        elif spec["secret"]:
            message = f'the registry entry "{entry["name"]}" marks the variable "{name}" as secret, but nothing sets it'
            yield Fault((), rule.SECRET_MISSING, message, 'put it in "secrets"')
        elif spec["default"] and given is None:
            message = f'the service fails on the default of "{name}" where "env_vars" is missing'
            yield Fault((), rule.DEFAULT_CRASH, message, 'add "env_vars": {}')


def _tools(request: Mapping[str, Any], lookup: Lookup) -> Iterator[Fault]:
    overrides = request["tools_override"] or {}
    for name, new in overrides.items():
        if not new["name"] and not new["description"]:
            message = f'the override of "{name}" has neither a name nor a description'
            hint: str | None = "set a name or a description, or remove the override"
            yield Fault(("tools_override", name), rule.OVERRIDE_EMPTY, message, hint)
    entry = lookup.image_entry
    if entry is None or entry["tools"] is None:
        return
    known = entry["tools"]
    for name in overrides:
        if name not in known:
            message = f'"{name}" is not one of the tools of "{entry["name"]}"'
            yield Fault(("tools_override", name), rule.TOOL_UNKNOWN, message, on_key=True)
    actual = {new["name"]: name for name, new in sorted(overrides.items(), reverse=True)}
    for i, tool in enumerate(request["tools"] or ()):
        if actual.get(tool, tool) not in known:
            message = f'"{tool}" is not one of the tools of "{entry["name"]}"'
            hint = f"it has {quoted(known, last='and')}" if len(known) <= 8 else None
            yield Fault(("tools", i), rule.TOOL_UNKNOWN, message, hint)
