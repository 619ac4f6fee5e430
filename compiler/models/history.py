"""The history of fields: removed, renamed, moved and retyped fields, and fields that never existed but users expect.

For a while upstream changed several fields in every release, and its own examples still show some of the old fields.
Admission takes its hints from this table, and ``check --fix`` its rewrites.

Source: the release notes of ToolHive v0.4.1 to v0.23.0, and the schemas of those versions.
"""

# Without postponed annotations, which `NamedTuple` would compile whenever a check has a finding about a field.
from typing import Literal, NamedTuple, TypeAlias

Rewrite: TypeAlias = Literal["rename", "move", "wrap", "drop"]

ANY = "*"
"""Wildcard. In ``kinds``: every kind. In ``path``: every entry of a list or map; as the first step, any prefix."""


class FieldChange(NamedTuple):
    """A field that changed, or that users mistake for an existing field.

    Attributes:
        kinds: The kinds that have the change; ``ANY`` alone for all kinds.
        path: Path of the object that contains the field. A leading ``ANY`` matches any number of steps, another ``ANY``
            one step.
        hint: A clause that says what to write instead.
        version: The first version with the change; ``None`` if the field never existed.
        rewrite: The mechanical fix, or ``None``: ``rename`` the field to ``target``, ``move`` it to the path
            ``target``, ``wrap`` its string into an object with the field ``target``, or ``drop`` the field.
        target: Field name or path for the rewrite; steps are separated by dots.
        only_text: True if the change applies only to values that are strings.
        required_successor: Required field of the same object that replaces this field. It is not reported as missing
            while this field is present.
    """

    kinds: tuple[str, ...]
    path: tuple[str, ...]
    field: str
    hint: str
    version: str | None = None
    rewrite: Rewrite | None = None
    target: str = ""
    only_text: bool = False
    required_successor: str = ""

    @property
    def successor(self) -> str:
        """The field of the same object to write instead, or an empty string."""
        return self.target if self.rewrite == "rename" else self.required_successor


_SERVER = ("MCPServer",)
_PROXIES = ("MCPServer", "MCPRemoteProxy")
_MEMBERS = ("MCPServer", "MCPRemoteProxy", "MCPServerEntry")
_REMOTE = ("MCPRemoteProxy", "MCPServerEntry")
_VIRTUAL = ("VirtualMCPServer",)
_REGISTRY = ("MCPRegistry",)
_AUTH = ("MCPExternalAuthConfig",)
_SPEC = ("spec",)
_HEADER = ("spec", "headerInjection")
_VALUE_REFERENCE = "use valueSecretRef: {name: …, key: …}"
_SECRET = ("spec", "secrets", ANY)
_VARIABLE = (ANY, "env", ANY)

_TOOL_CONFIG = "list them in an MCPToolConfig: toolConfigRef: {name: …}"
_CONFIG_YAML = "write the registry server's own configuration file into configYAML, and mount its sources as volumes"
_SHARED_OIDC = "move the provider into an MCPOIDCConfig and refer to it: oidcConfigRef: {name: …, audience: …}"
_SHARED_TELEMETRY = "move the settings into an MCPTelemetryConfig and refer to it: telemetryConfigRef: {name: …}"
_IN_CONFIG = "it belongs in spec.config"

CHANGES: tuple[FieldChange, ...] = (
    # Ports of MCPServer and MCPRemoteProxy
    FieldChange(_PROXIES, _SPEC, "port", "use proxyPort", "v0.15.0", "rename", "proxyPort"),
    FieldChange(_SERVER, _SPEC, "targetPort", "use mcpPort", "v0.15.0", "rename", "mcpPort"),
    FieldChange(_SERVER, _SPEC, "containerPort", "use mcpPort", None, "rename", "mcpPort"),
    # Tools
    FieldChange(_SERVER, _SPEC, "tools", _TOOL_CONFIG, "v0.15.0"),
    FieldChange(("MCPRemoteProxy",), _SPEC, "tools", _TOOL_CONFIG),
    FieldChange(_PROXIES, _SPEC, "toolsFilter", _TOOL_CONFIG),
    # Remote servers
    FieldChange(_REMOTE, _SPEC, "remoteURL", "use remoteUrl", "v0.19.0", "rename", "remoteUrl"),
    FieldChange(_REMOTE, _SPEC, "url", "use remoteUrl", None, "rename", "remoteUrl"),
    # Groups
    FieldChange(_MEMBERS, _SPEC, "groupRef", "write groupRef: {name: …}", "v0.20.0", "wrap", "name", only_text=True),
    FieldChange(_VIRTUAL, _SPEC, "groupRef", "write groupRef: {name: …}", None, "wrap", "name", only_text=True),
    FieldChange(("MCPGroup",), _SPEC, "servers", "name the group in each server: groupRef: {name: …}", None),
    FieldChange(_VIRTUAL, _SPEC, "group", "use groupRef: {name: …}", None),
    # Authentication of clients
    FieldChange(_PROXIES, _SPEC, "oidcConfig", _SHARED_OIDC, "v0.21.0"),
    FieldChange(_VIRTUAL, (*_SPEC, "incomingAuth"), "oidcConfig", _SHARED_OIDC, "v0.21.0"),
    FieldChange(("MCPOIDCConfig",), (*_SPEC, "inline"), "clientSecret", "use clientSecretRef: {name: …, key: …}"),
    FieldChange(("MCPOIDCConfig",), (*_SPEC, "inline"), "thvCABundlePath", "use caBundleRef: {configMapRef: {…}}"),
    FieldChange(
        ("MCPOIDCConfig",), (*_SPEC, "inline"), "audience", "give it where the provider is used: oidcConfigRef.audience"
    ),
    FieldChange(
        ("MCPOIDCConfig",), (*_SPEC, "inline"), "scopes", "give them where the provider is used: oidcConfigRef.scopes"
    ),
    FieldChange(
        ("MCPOIDCConfig",),
        (*_SPEC, "inline"),
        "resourceUrl",
        "give it where the provider is used: oidcConfigRef.resourceUrl",
    ),
    # Authentication towards others
    FieldChange(_VIRTUAL, (*_SPEC, "outgoingAuth"), "type", "use source", None, "rename", "source"),
    FieldChange(
        ("MCPServerEntry",), _SPEC, "headerInjection", "use headerForward.addHeadersFromSecret, a list of headers"
    ),
    FieldChange(_AUTH, (*_SPEC, "tokenExchange"), "clientSecret", "use clientSecretRef: {name: …, key: …}"),
    FieldChange(_AUTH, _HEADER, "headerValue", _VALUE_REFERENCE, required_successor="valueSecretRef"),
    FieldChange(_AUTH, _HEADER, "value", _VALUE_REFERENCE, required_successor="valueSecretRef"),
    # Telemetry
    FieldChange(_PROXIES, _SPEC, "telemetry", _SHARED_TELEMETRY, "v0.21.0"),
    FieldChange(_VIRTUAL, _SPEC, "telemetry", _SHARED_TELEMETRY, "v0.7.0"),
    # MCPServer: fields of pods that it does not have
    FieldChange(_SERVER, _SPEC, "command", "use args; the command itself comes from the image or from podTemplateSpec"),
    FieldChange(_SERVER, _SPEC, "secretRef", "use secrets, a list of {name: …, key: …}"),
    FieldChange((ANY,), _SPEC, "serviceAccountName", "use serviceAccount", None, "rename", "serviceAccount"),
    FieldChange((ANY,), _SPEC, "podTemplate", "use podTemplateSpec", None, "rename", "podTemplateSpec"),
    FieldChange(
        (ANY,),
        _VARIABLE,
        "valueFrom",
        "use spec.secrets for a Secret; env holds plain values only",
        required_successor="value",
    ),
    FieldChange((ANY,), _VARIABLE, "key", "use name", None, "rename", "name"),
    FieldChange(_SERVER, _SECRET, "secretName", "use name", None, "rename", "name"),
    FieldChange(_SERVER, _SECRET, "secretKey", "use key", None, "rename", "key"),
    FieldChange(_SERVER, _SPEC, "envFrom", "set it on the container mcp in podTemplateSpec"),
    FieldChange(_SERVER, _SPEC, "volumeMounts", "set them on the container mcp in podTemplateSpec"),
    FieldChange(("EmbeddingServer",), (*_SPEC, "resourceOverrides"), "deployment", "use statefulSet"),
    FieldChange(_PROXIES, (*_SPEC, "resourceOverrides"), "deployment", "use proxyDeployment"),
    # VirtualMCPServer: spec and spec.config
    FieldChange(_VIRTUAL, _SPEC, "aggregation", _IN_CONFIG, "v0.7.0", "move", "spec.config.aggregation"),
    FieldChange(_VIRTUAL, _SPEC, "operational", _IN_CONFIG, "v0.7.0", "move", "spec.config.operational"),
    FieldChange(_VIRTUAL, _SPEC, "compositeTools", _IN_CONFIG, "v0.7.0", "move", "spec.config.compositeTools"),
    FieldChange(_VIRTUAL, _SPEC, "compositeToolRefs", _IN_CONFIG, "v0.7.0", "move", "spec.config.compositeToolRefs"),
    FieldChange(_VIRTUAL, _SPEC, "optimizer", _IN_CONFIG, None, "move", "spec.config.optimizer"),
    FieldChange(_VIRTUAL, _SPEC, "audit", _IN_CONFIG, "v0.7.0", "move", "spec.config.audit"),
    FieldChange(
        _VIRTUAL, _SPEC, "authzConfig", "it belongs in incomingAuth", None, "move", "spec.incomingAuth.authzConfig"
    ),
    FieldChange(
        _VIRTUAL,
        (*_SPEC, "config", "aggregation", "tools", ANY),
        "exclude",
        "list the tools to show in filter; overrides cannot hide one",
    ),
    # Composite tools
    FieldChange((ANY,), (ANY,), "failureMode", "set onError of each step", None, "drop"),
    FieldChange((ANY,), (ANY, "onError"), "maxRetries", "use retryCount", None, "rename", "retryCount"),
    # MCPRegistry before v0.19.0
    FieldChange(_REGISTRY, _SPEC, "source", _CONFIG_YAML, "v0.6.7"),
    FieldChange(_REGISTRY, _SPEC, "sources", _CONFIG_YAML, "v0.18.0"),
    FieldChange(_REGISTRY, _SPEC, "registries", _CONFIG_YAML, "v0.18.0"),
    FieldChange(_REGISTRY, _SPEC, "syncPolicy", _CONFIG_YAML, "v0.6.7"),
    FieldChange(_REGISTRY, _SPEC, "filter", _CONFIG_YAML, "v0.6.7"),
    FieldChange(_REGISTRY, _SPEC, "enforceServers", _CONFIG_YAML, "v0.19.0"),
    FieldChange(_REGISTRY, _SPEC, "authConfig", _CONFIG_YAML, "v0.18.0"),
    FieldChange(_REGISTRY, _SPEC, "databaseConfig", _CONFIG_YAML, "v0.18.0"),
)

VALUES: dict[str, str] = {
    "streamablehttp": "streamable-http",
    "streamable_http": "streamable-http",
    "streamableHttp": "streamable-http",
    "http": "streamable-http",
    "none": "anonymous",
    "oidc": "inline",
    "kubernetes": "kubernetesServiceAccount",
    "configmap": "configMap",
    "configMap": "configmap",
}
"""Allowed values by the wrong values that users write for them. A hint proposes a value only if the field allows it."""


UNUSABLE = frozenset({"best_effort"})
"""Values that a schema allows but no process accepts (VMC110), so no hint proposes them."""

MISSING: dict[tuple[str, str], tuple[str, str]] = {
    ("VirtualMCPServer", "groupRef"): ("v0.21.0", "write groupRef: {name: …}; config.groupRef does not count"),
    ("VirtualMCPServer", "incomingAuth"): ("v0.6.12", "write incomingAuth: {type: anonymous}, or oidc"),
    ("MCPRegistry", "configYAML"): ("v0.18.0", "write the registry server's own configuration file, as a text"),
}
"""For each required field of a spec, by kind and name: the first version that requires it, and a hint."""

NEEDED: dict[str, str] = {
    "audience": "the value of the claim aud in the tokens, usually the URL of the server that takes them",
    "image": "HOST/NAME:TAG, the container image of the server",
    "issuer": "the URL in the claim iss of the tokens",
    "maxTokens": "the largest number of calls at once, such as 60",
    "policies": "a list of Cedar policies",
    "refillPeriod": "the time in which an empty bucket fills up, such as 1m",
    "remoteUrl": "the address of the remote server, such as https://mcp.example.com/mcp",
    "steps": "a list such as [{id: first, tool: SERVER.TOOL}]",
    "tokenUrl": "the token endpoint, such as https://login.example.com/oauth/token",
}
"""What required fields hold, by name, for hints. Other fields have only their page."""

SYNONYMS: dict[str, str] = {"environment": "env", "environmentVariables": "env", "envVars": "env"}
"""Fields by other words that users write for them. A hint proposes a field only if its object may have it."""


def change_of(kind: str, path: tuple[str | int, ...], field: str, *, is_text: bool = False) -> FieldChange | None:
    """Return the change of ``field`` in the object at ``path`` of a resource of ``kind``, or ``None`` if there is none.

    Args:
        kind: Kind of the resource.
        path: Path of the object that contains the field.
        field: Name of the field.
        is_text: True if the value of the field is a string.
    """
    for change in CHANGES:
        if (
            change.field == field
            and (kind in change.kinds or change.kinds == (ANY,))
            and (is_text or not change.only_text)
            and _matches(change.path, path)
        ):
            return change
    return None


def version_of_change(kind: str, path: tuple[str | int, ...], value: object, missing: str | None = None) -> str | None:
    """Return the first version that refuses the value at ``path``, or ``None`` if every version is known to refuse it.

    ``missing`` names the required field that ``value`` lacks, if that is the reason.
    """
    if missing is not None:
        return MISSING[kind, missing][0] if path == ("spec",) and (kind, missing) in MISSING else None
    change = change_of(kind, path[:-1], str(path[-1]), is_text=isinstance(value, str)) if path else None
    return None if change is None else change.version


def _matches(pattern: tuple[str, ...], path: tuple[str | int, ...]) -> bool:
    if pattern[0] == ANY:
        pattern = pattern[1:]
        path = path[max(0, len(path) - len(pattern)) :]
    return len(pattern) == len(path) and all(want in (ANY, have) for want, have in zip(pattern, path, strict=True))
