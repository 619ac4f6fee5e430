"""Check permission profiles in files, requests and run configurations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...diagnostics.fault import Fault
from ...diagnostics.finding import rule
from ...diagnostics.shown import shown
from ...golang.regexp import compile_pattern
from ...toolhive.mount import MountError, parse_mount
from ..schema.format import is_hostname
from ..shape import decode
from ..unknown_key import decoding_faults

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ...diagnostics.span import Path

UNDECODABLE = rule(
    "PRM001 profile-undecodable", "process", "A permission profile cannot be decoded", unmodelled="newer"
)

UNKNOWN_FIELD = rule("PRM002 profile-unknown-field", "lint", "A field of a permission profile is not known")
MOUNT_LOST = rule("PRM003 profile-mount-unusable", "lint", "A mount of a profile is skipped when the container starts")
TARGET_TWICE = rule("PRM004 profile-target-twice", "lint", "Two mounts of a profile have the same target")
LISTS_MOOT = rule("PRM005 profile-lists-moot", "lint", "Hosts or ports are listed beside insecure_allow_all")
PRIVILEGED = rule("PRM006 profile-privileged", "lint", "A container is privileged")
HOST_NETWORK = rule("PRM007 profile-host-network", "lint", "A container is on the host's network")
ISOLATION_CRASH = rule(
    "PRM008 profile-isolation-without-outbound",
    "lint",
    "The network is isolated, but the profile does not configure outbound traffic",
)
ISOLATION_BYPASSED = rule("PRM009 profile-isolation-bypassed", "lint", "A network mode bypasses the isolation")
PORT_RANGE = rule("PRM010 profile-port-out-of-range", "lint", "A port of a permission profile is not a port number")
HOST_FORM = rule(
    "PRM011 profile-host-unusable", "lint", "A host of a permission profile is neither a host name nor a domain"
)


_DOMAIN = compile_pattern(r"^\.[a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?$")


def check_profile(document: Any) -> list[Fault]:
    """Return the faults of a permission profile file, with lints only if the profile can be decoded."""
    profile, misfits, unknown = decode(document, "PermissionProfile")
    faults = decoding_faults("PermissionProfile", misfits, unknown, UNDECODABLE, UNKNOWN_FIELD)
    return faults if misfits else [*faults, *lint_profile(profile)]


def lint_profile(profile: Mapping[str, Any], *, isolated: bool = False) -> Iterator[Fault]:
    """Yield the lints of a decoded profile. ``isolated`` means that the network of the workload is isolated."""
    yield from _lint_mounts(profile)
    if profile["privileged"]:
        yield Fault(("privileged",), PRIVILEGED, "the container has every right on the host", "remove it")
    network = profile["network"]
    if network is None:
        return
    if isolated and network["mode"] not in {"", "default"}:
        message = f"the network mode {shown(network['mode'])} bypasses the isolation"
        yield Fault(("network", "mode"), ISOLATION_BYPASSED, message, "remove it")
    elif network["mode"] == "host":
        yield Fault(("network", "mode"), HOST_NETWORK, "the container is on the host's network", "remove it")
    outbound = network["outbound"]
    if outbound is not None:
        yield from _lint_outbound(outbound)
    elif isolated:
        message = "the network is isolated, but outbound traffic is not configured"
        hint = 'write "outbound": {} to allow nothing, or remove network to allow everything'
        yield Fault(("network",), ISOLATION_CRASH, message, hint)


def _lint_mounts(profile: Mapping[str, Any]) -> Iterator[Fault]:
    targets: dict[str, str] = {}
    for side in ("read", "write"):
        for i, text in enumerate(profile[side] or ()):
            path: Path = (side, i)
            try:
                mount = parse_mount(text)
            except MountError as error:
                hint = "write HOST:CONTAINER"
                yield Fault(path, MOUNT_LOST, f"the mount {shown(text)} cannot be read: {error}", hint)
                continue
            if mount.is_resource:
                message = f"the mount {shown(text)} names a resource, which this version does not mount"
                yield Fault(path, MOUNT_LOST, message, "mount a path of the host instead")
            elif not mount.target.startswith("/"):
                message = f"the mount {shown(text)} has no absolute path in the container"
                hint = "begin the path in the container with a slash"
                yield Fault(path, MOUNT_LOST, message, hint)
            elif mount.target in targets and targets[mount.target] != text:
                message = f"{mount.target} is the target of {shown(targets[mount.target])} too"
                yield Fault(path, TARGET_TWICE, message, "choose another path in the container")
            targets.setdefault(mount.target, text)


def _lint_outbound(outbound: Mapping[str, Any]) -> Iterator[Fault]:
    base: Path = ("network", "outbound")
    if outbound["insecure_allow_all"] and (outbound["allow_host"] or outbound["allow_port"]):
        moot = "allow_host" if outbound["allow_host"] else "allow_port"
        hint: str | None = "remove insecure_allow_all, or the lists"
        yield Fault((*base, moot), LISTS_MOOT, f'"{moot}" has no effect beside "insecure_allow_all"', hint)
    for i, port in enumerate(outbound["allow_port"] or ()):
        # TCP has no other ports.
        if not 1 <= port <= 65535:
            hint = "choose one from 1 to 65535"
            yield Fault((*base, "allow_port", i), PORT_RANGE, f"{port} is not a port", hint)
    for i, host in enumerate(outbound["allow_host"] or ()):
        if not is_hostname(host) and not _DOMAIN.search(host):
            hint = f'"{host[1:]}" stands for the domain and all below it' if host.startswith("*.") else None
            message = f"{shown(host)} is neither a host name nor a domain with a leading dot"
            yield Fault((*base, "allow_host", i), HOST_FORM, message, hint)
