"""Rules of permission profiles and of references to secrets."""

from __future__ import annotations

from ...diagnostics.finding import Rule
from .page import page

_PROFILE = "toolhive-core 0.0.16, permissions; toolhive 0.21.0, container runtime and egress proxy."
_SECRETS = "toolhive 0.21.0, secrets: parameters, providers, scopes."

UNDECODABLE = Rule(
    id="PRM001",
    name="profile-undecodable",
    stage="process",
    severity="error",
    title="A permission profile cannot be decoded",
    doc=page(
        "A value does not fit the field of the profile that it is read into.",
        "The file is refused, and the workload is not run.",
        example='{ "read": "/etc/hosts" }',
        cure='`{ "read": ["/etc/hosts"] }`.',
        source=_PROFILE,
    ),
)
UNKNOWN_FIELD = Rule(
    id="PRM002",
    name="profile-unknown-field",
    stage="lint",
    severity="warning",
    title="A field of a permission profile is not known",
    doc=page(
        "A key of a profile is none that is known.",
        "It is skipped in silence: a restriction that was meant does not hold.",
        example='{ "network": { "outbound": { "allowed_hosts": ["acme.example"] } } }',
        cure='`"allow_host": ["acme.example"]`.',
        source=_PROFILE,
    ),
)
MOUNT_LOST = Rule(
    id="PRM003",
    name="profile-mount-unusable",
    stage="lint",
    severity="warning",
    title="A mount of a profile is skipped when the container starts",
    doc=page(
        "A mount declaration cannot be read, names a resource by a scheme, or has an empty or relative path in the"
        " container.",
        "Mounts that cannot be used are skipped with a warning in the log: the server does not see the files.",
        example='{ "read": ["/srv/data:/data:ro"] }',
        cure='`{ "read": ["/srv/data:/data"] }`.',
        source=_PROFILE,
    ),
)
TARGET_TWICE = Rule(
    id="PRM004",
    name="profile-target-twice",
    stage="lint",
    severity="warning",
    title="Two mounts of a profile have one target",
    doc=page(
        "Two mounts lead to the same path in the container.",
        "One hides the other; where one is for writing, the path can be written.",
        example='{ "read": ["/a:/data"], "write": ["/b:/data"] }',
        cure="give each its own target.",
        source=_PROFILE,
    ),
)
LISTS_MOOT = Rule(
    id="PRM005",
    name="profile-lists-moot",
    stage="lint",
    severity="warning",
    title="Hosts or ports are listed beside insecure_allow_all",
    doc=page(
        "`insecure_allow_all` is true, and hosts or ports are listed.",
        "Everything may be reached: the lists count for nothing.",
        example='{ "network": { "outbound": { "insecure_allow_all": true, "allow_host": ["acme.example"] } } }',
        cure="drop `insecure_allow_all`, or the lists.",
        source=_PROFILE,
    ),
)
PRIVILEGED = Rule(
    id="PRM006",
    name="profile-privileged",
    stage="lint",
    severity="warning",
    title="A container is privileged",
    doc=page(
        "`privileged` is true.",
        "The container has every right on the host: nothing else of the profile holds it back.",
        example='{ "privileged": true }',
        cure="leave it out.",
        source=_PROFILE,
    ),
)
HOST_NETWORK = Rule(
    id="PRM007",
    name="profile-host-network",
    stage="lint",
    severity="warning",
    title="A container is on the host's network",
    doc=page(
        "The network mode is `host`.",
        "The container reaches whatever the host reaches, and its ports are the host's.",
        example='{ "network": { "mode": "host" } }',
        cure="leave `mode` out.",
        source=_PROFILE,
    ),
)
ISOLATION_CRASH = Rule(
    id="PRM008",
    name="profile-isolation-without-outbound",
    stage="lint",
    severity="warning",
    title="The network is isolated, and the profile says nothing of outbound traffic",
    doc=page(
        "The network is isolated, and `network` is there without `outbound`.",
        "This version does not expect that when it sets up the isolated network, and may fail on it.",
        example='{ "network": { "inbound": {} } } with `"network_isolation": true`',
        cure='`"outbound": {}` to allow nothing, or drop `network` to allow everything.',
        source=_PROFILE,
    ),
)
ISOLATION_BYPASSED = Rule(
    id="PRM009",
    name="profile-isolation-bypassed",
    stage="lint",
    severity="warning",
    title="A network mode bypasses the isolation",
    doc=page(
        "The network is isolated, and the profile has a network mode of its own.",
        "A mode other than the default one goes past the isolated networks: the lists of hosts and ports do not hold.",
        example='{ "network": { "mode": "host", "outbound": { … } } } with `"network_isolation": true`',
        cure="drop `mode`.",
        source=_PROFILE,
    ),
)
PORT_RANGE = Rule(
    id="PRM010",
    name="profile-port-out-of-range",
    stage="lint",
    severity="warning",
    title="A port of a profile is none",
    doc=page(
        "A port in `allow_port` is not between 1 and 65535.",
        "Loading the profile checks nothing; the entry allows nothing.",
        example='{ "network": { "outbound": { "allow_port": [0] } } }',
        cure="name a port from 1 to 65535.",
        source="toolhive-core 0.0.16, permissions in registry schemas.",
    ),
)
HOST_FORM = Rule(
    id="PRM011",
    name="profile-host-unusable",
    stage="lint",
    severity="warning",
    title="A host of a profile is no host name and no domain",
    doc=page(
        "An entry of `allow_host` is neither a host name nor a leading dot and a domain.",
        "A `*` is not a wildcard here: the entry allows nothing.",
        example='{ "network": { "outbound": { "allow_host": ["*.acme.example"] } } }',
        cure='`"allow_host": [".acme.example"]`.',
        source="toolhive-core 0.0.16, permissions in registry schemas.",
    ),
)
SECRET_FORM = Rule(
    id="PRM020",
    name="secret-reference-malformed",
    stage="process",
    severity="error",
    title="A reference to a secret cannot be read",
    doc=page(
        "A secret of a run configuration is not of the form `NAME,target=ENV`, or lacks the name or target.",
        "The workload cannot be started.",
        example='"secrets": ["api-key"]',
        cure='`"secrets": ["api-key,target=API_KEY"]`.',
        source=_SECRETS,
    ),
    is_secret=True,
)
SECRET_TARGET = Rule(
    id="PRM021",
    name="secret-target-unusable",
    stage="lint",
    severity="warning",
    title="The target of a secret is no name of an environment variable",
    doc=page(
        "The target of a secret holds something else than letters, digits and underscores.",
        "It becomes the name of a variable in the container, where nothing can read it.",
        example='{ "name": "api-key", "target": "api-key" }',
        cure='`{ "name": "api-key", "target": "API_KEY" }`.',
        source="POSIX.1-2017, section 8.1: environment variable definition.",
    ),
)
SECRET_TWICE = Rule(
    id="PRM022",
    name="secret-target-twice",
    stage="lint",
    severity="warning",
    title="A variable is set twice",
    doc=page(
        "Two secrets have one target, or a secret has the name of a plain variable.",
        "The later secret wins, and secrets win over plain values.",
        example='"env_vars": { "API_KEY": "x" }, "secrets": [ { "name": "k", "target": "API_KEY" } ]',
        cure="keep one of them.",
        source=_SECRETS,
    ),
)
SECRET_RESERVED = Rule(
    id="PRM023",
    name="secret-name-reserved",
    stage="lint",
    severity="warning",
    title="The name of a secret is reserved",
    doc=page(
        "The name of a secret begins with `__thv_`.",
        "Such names are kept for the product: users cannot read them, and the workload cannot be started.",
        example='{ "name": "__thv_workloads_x", "target": "X" }',
        cure="use a secret of your own.",
        source=_SECRETS,
    ),
)
SECRET_OWNED = Rule(
    id="PRM024",
    name="secret-name-owned",
    stage="lint",
    severity="info",
    title="The name of a secret is one that the product makes up itself",
    doc=page(
        "The name begins like the names of secrets that the product stores for tokens and registry variables.",
        "The product may replace or delete it.",
        example='{ "name": "OAUTH_CLIENT_SECRET_docs", "target": "X" }',
        cure="use a name of your own.",
        source=_SECRETS,
    ),
)

SECRET_UNFIT = Rule(
    id="PRM025",
    name="secret-name-unfit",
    stage="lint",
    severity="warning",
    title="The name of a secret is none that its provider can have",
    doc=page(
        "The name begins with `op://` and has not a vault, an item and a field; or `secretsProvider` of the"
        " configuration says which provider keeps the secrets, and the name is none of it: 1Password's begin with"
        " `op://`, and those of the environment are part of the name of a variable.",
        "The provider does not find the secret, and the workload does not start. A variable `TOOLHIVE_SECRET_NAME`"
        " helps where it is allowed.",
        example='"secrets": ["op://vault/item,target=API_KEY"]',
        cure='`"secrets": ["op://vault/item/field,target=API_KEY"]`.',
        source=_SECRETS,
    ),
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
    SECRET_FORM,
    SECRET_TARGET,
    SECRET_TWICE,
    SECRET_RESERVED,
    SECRET_OWNED,
    SECRET_UNFIT,
)
