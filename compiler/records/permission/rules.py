"""The rules of permission profiles."""

from __future__ import annotations

from ...diagnostics.finding import rule

_PROFILE = "toolhive-core 0.0.16, permissions; toolhive 0.21.0, container runtime and egress proxy."

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
    source=_PROFILE,
)
UNKNOWN_FIELD = rule(
    "PRM002",
    "profile-unknown-field",
    "A field of a permission profile is not known",
    stage="lint",
    checks="A key of a profile is unknown.",
    why="It is silently skipped: an intended restriction does not apply.",
    example='{ "network": { "outbound": { "allowed_hosts": ["acme.example"] } } }',
    fix='Write `"allow_host": ["acme.example"]`.',
    source=_PROFILE,
)
MOUNT_LOST = rule(
    "PRM003",
    "profile-mount-unusable",
    "A mount of a profile is skipped when the container starts",
    stage="lint",
    checks="A mount declaration cannot be read, names a resource with a scheme, or has an empty or relative path in the"
    " container.",
    why="Mounts that cannot be used are skipped with a warning in the log: the server does not see the files.",
    example='{ "read": ["/srv/data:/data:ro"] }',
    fix='Write `{ "read": ["/srv/data:/data"] }`.',
    source=_PROFILE,
)
TARGET_TWICE = rule(
    "PRM004",
    "profile-target-twice",
    "Two mounts of a profile have the same target",
    stage="lint",
    checks="Two mounts have the same path in the container.",
    why="One hides the other; if one of them is writable, the path is.",
    example='{ "read": ["/a:/data"], "write": ["/b:/data"] }',
    fix="Use a different target for each.",
    source=_PROFILE,
)
LISTS_MOOT = rule(
    "PRM005",
    "profile-lists-moot",
    "Hosts or ports are listed beside insecure_allow_all",
    stage="lint",
    checks="`insecure_allow_all` is true, but hosts or ports are listed.",
    why="Everything can be reached: the lists have no effect.",
    example='{ "network": { "outbound": { "insecure_allow_all": true, "allow_host": ["acme.example"] } } }',
    fix="Remove `insecure_allow_all`, or the lists.",
    source=_PROFILE,
)
PRIVILEGED = rule(
    "PRM006",
    "profile-privileged",
    "A container is privileged",
    stage="lint",
    checks="`privileged` is true.",
    why="The container has every right on the host: nothing else in the profile restricts it.",
    example='{ "privileged": true }',
    fix="Remove it.",
    source=_PROFILE,
)
HOST_NETWORK = rule(
    "PRM007",
    "profile-host-network",
    "A container is on the host's network",
    stage="lint",
    checks="The network mode is `host`.",
    why="The container can reach whatever the host can, and its ports are the host's.",
    example='{ "network": { "mode": "host" } }',
    fix="Remove `mode`.",
    source=_PROFILE,
)
ISOLATION_CRASH = rule(
    "PRM008",
    "profile-isolation-without-outbound",
    "The network is isolated, but the profile does not configure outbound traffic",
    stage="lint",
    checks="The network is isolated, but `network` has no `outbound`.",
    why="This version does not expect that when it sets up the isolated network, and may fail.",
    example='{ "network": { "inbound": {} } } with `"network_isolation": true`',
    fix='Write `"outbound": {}` to allow nothing, or remove `network` to allow everything.',
    source=_PROFILE,
)
ISOLATION_BYPASSED = rule(
    "PRM009",
    "profile-isolation-bypassed",
    "A network mode bypasses the isolation",
    stage="lint",
    checks="The network is isolated, but the profile has a network mode of its own.",
    why="A mode other than the default bypasses the isolated networks: the lists of hosts and ports do not apply.",
    example='{ "network": { "mode": "host", "outbound": { … } } } with `"network_isolation": true`',
    fix="Remove `mode`.",
    source=_PROFILE,
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

RULES = (
    UNDECODABLE,
    UNKNOWN_FIELD,
    MOUNT_LOST,
    TARGET_TWICE,
    LISTS_MOOT,
    PRIVILEGED,
    HOST_NETWORK,
    ISOLATION_CRASH,
    ISOLATION_BYPASSED,
    PORT_RANGE,
    HOST_FORM,
)
