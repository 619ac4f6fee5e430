"""Check permission profiles in files, requests and run configurations."""

from __future__ import annotations

from functools import partial
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

PROFILE = "toolhive-core 0.0.16, permissions; toolhive 0.21.0, container runtime and egress proxy."
UNDECODABLE = rule(
    "PRM001",
    "profile-undecodable",
    "A permission profile cannot be decoded",
    stage="process",
    unmodelled="newer",
    checks="A value does not fit its field of the profile.",
    why="The file is refused, and the workload does not run.",
    example='{ "read": "/etc/hosts" }',
    fix='Write `{ "read": ["/etc/hosts"] }`.',
    source=PROFILE,
)
lint_rule = partial(rule, stage="lint", source=PROFILE)
UNKNOWN_FIELD = lint_rule(
    "PRM002",
    "profile-unknown-field",
    "A field of a permission profile is not known",
    checks="A key of a profile is unknown.",
    why="It is silently skipped: an intended restriction does not apply.",
    example='{ "network": { "outbound": { "allowed_hosts": ["acme.example"] } } }',
    fix='Write `"allow_host": ["acme.example"]`.',
)
MOUNT_LOST = lint_rule(
    "PRM003",
    "profile-mount-unusable",
    "A mount of a profile is skipped when the container starts",
    checks="A mount declaration cannot be read, names a resource with a scheme, or has an empty or relative path in the"
    " container.",
    why="Mounts that cannot be used are skipped with a warning in the log: the server does not see the files.",
    example='{ "read": ["/srv/data:/data:ro"] }',
    fix='Write `{ "read": ["/srv/data:/data"] }`.',
)
TARGET_TWICE = lint_rule(
    "PRM004",
    "profile-target-twice",
    "Two mounts of a profile have the same target",
    checks="Two mounts have the same path in the container.",
    why="One hides the other; if one of them is writable, the path is.",
    example='{ "read": ["/a:/data"], "write": ["/b:/data"] }',
    fix="Use a different target for each.",
)
LISTS_MOOT = lint_rule(
    "PRM005",
    "profile-lists-moot",
    "Hosts or ports are listed beside insecure_allow_all",
    checks="`insecure_allow_all` is true, but hosts or ports are listed.",
    why="Everything can be reached: the lists have no effect.",
    example='{ "network": { "outbound": { "insecure_allow_all": true, "allow_host": ["acme.example"] } } }',
    fix="Remove `insecure_allow_all`, or the lists.",
)
PRIVILEGED = lint_rule(
    "PRM006",
    "profile-privileged",
    "A container is privileged",
    checks="`privileged` is true.",
    why="The container has every right on the host: nothing else in the profile restricts it.",
    example='{ "privileged": true }',
    fix="Remove it.",
)
HOST_NETWORK = lint_rule(
    "PRM007",
    "profile-host-network",
    "A container is on the host's network",
    checks="The network mode is `host`.",
    why="The container can reach whatever the host can, and its ports are the host's.",
    example='{ "network": { "mode": "host" } }',
    fix="Remove `mode`.",
)
ISOLATION_CRASH = lint_rule(
    "PRM008",
    "profile-isolation-without-outbound",
    "The network is isolated, but the profile does not configure outbound traffic",
    checks="The network is isolated, but `network` has no `outbound`.",
    why="This version does not expect that when it sets up the isolated network, and may fail.",
    example='{ "network": { "inbound": {} } } with `"network_isolation": true`',
    fix='Write `"outbound": {}` to allow nothing, or remove `network` to allow everything.',
)
ISOLATION_BYPASSED = lint_rule(
    "PRM009",
    "profile-isolation-bypassed",
    "A network mode bypasses the isolation",
    checks="The network is isolated, but the profile has a network mode of its own.",
    why="A mode other than the default bypasses the isolated networks: the lists of hosts and ports do not apply.",
    example='{ "network": { "mode": "host", "outbound": { … } } } with `"network_isolation": true`',
    fix="Remove `mode`.",
)
PORT_RANGE = rule(
    "PRM010",
    "profile-port-out-of-range",
    "A port of a permission profile is not a port number",
    stage="lint",
    checks="A port in `allow_port` is not between 1 and 65535.",
    why="Nothing checks it when the profile is loaded, and the entry allows nothing.",
    example='{ "network": { "outbound": { "allow_port": [0] } } }',
    fix="Use a port from 1 to 65535.",
    source="toolhive-core 0.0.16, permissions in registry schemas.",
)
HOST_FORM = rule(
    "PRM011",
    "profile-host-unusable",
    "A host of a permission profile is neither a host name nor a domain",
    stage="lint",
    checks="An entry of `allow_host` is neither a host name nor a leading dot and a domain.",
    why="A `*` is not a wildcard here: the entry allows nothing.",
    example='{ "network": { "outbound": { "allow_host": ["*.acme.example"] } } }',
    fix='Write `"allow_host": [".acme.example"]`.',
    source="toolhive-core 0.0.16, permissions in registry schemas.",
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
