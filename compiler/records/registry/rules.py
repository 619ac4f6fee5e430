"""Rules of registry files."""

from __future__ import annotations

from ...diagnostics.finding import rule

_SCHEMA = "JSON Schemas of toolhive-core 0.0.16: legacy registry, upstream registry, publisher extensions."
_LOADER = "toolhive 0.21.0, registry provider: loading a file decodes it and checks no more."
_CONVERTER = "toolhive-core 0.0.16, registry converters."

FIELD_MISSING = rule(
    "REG001",
    "registry-field-missing",
    "A registry file lacks a field that its schema requires",
    stage="admission",
    checks="An object in a registry file lacks a field that the published schema requires.",
    why="The build of a catalog refuses the file. A service that loads it takes the field as empty, and lists a server"
    " without description, tier or tools.",
    example='"weather": { "image": "ghcr.io/acme/weather:1", "status": "Active" }',
    fix="Add the field.",
    source=_SCHEMA,
)
WRONG_TYPE = rule(
    "REG002",
    "registry-wrong-type",
    "A value in a registry file is not of the type that its schema requires",
    stage="admission",
    checks="A value is of another JSON type than the published schema requires.",
    why="The build of a catalog refuses the file, and the service fails to load it: one number in a list of strings is"
    " enough to lose the whole registry.",
    example='"tools": "fetch"',
    fix='Use the type that is asked for: `"tools": ["fetch"]`.',
    source=_SCHEMA,
)
VALUE_REFUSED = rule(
    "REG003",
    "registry-value-outside-list",
    "A value in a registry file is not one of those allowed",
    stage="admission",
    checks="A value is not one of those that the published schema lists.",
    why="The build of a catalog refuses the file. In the legacy format the words of `status` are written with a"
    " capital letter; in publisher extensions both spellings pass.",
    example='"status": "active"',
    fix='`"status": "Active"`.',
    source=_SCHEMA,
)
TEXT_REFUSED = rule(
    "REG004",
    "registry-text-refused",
    "A string in a registry file does not have the form that its schema requires",
    stage="admission",
    checks="A string is too short, too long, or does not have the form that the published schema requires: a pattern,"
    " a URL, a time, a host name.",
    why="The build of a catalog refuses the file. Images are the usual trap: a digest and capital letters are refused.",
    example='"image": "ghcr.io/acme/weather@sha256:0123…"',
    fix='Name a tag: `"image": "ghcr.io/acme/weather:2.1.0"`.',
    source=_SCHEMA,
)
NUMBER_REFUSED = rule(
    "REG005",
    "registry-number-out-of-range",
    "A number in a registry file is out of range",
    stage="admission",
    checks="A number is smaller or larger than the published schema allows.",
    why="The build of a catalog refuses the file. A port of 0 does not mean that any port will do: leave the field out"
    " for that.",
    example='"target_port": 0',
    fix="Leave the field out, or name a port from 1 to 65535.",
    source=_SCHEMA,
)
LIST_REFUSED = rule(
    "REG006",
    "registry-list-refused",
    "A list in a registry file is too short, or repeats an item",
    stage="admission",
    checks="A list has fewer items than the published schema requires, or holds an item twice.",
    why="The build of a catalog refuses the file. An entry of the legacy format must name at least one tool, and its"
    " tags cannot be an empty list.",
    example='"tags": []',
    fix="Leave the field out, or use items that differ.",
    source=_SCHEMA,
)
UNDECODABLE = rule(
    "REG007",
    "registry-undecodable",
    "The service cannot decode a registry file",
    stage="process",
    checks="A value does not fit the field that the service reads it into, though the published schema does not look"
    " at it: the entry's key does not match, the schema takes 1.0 as a whole number, or does not describe the field.",
    why="Loading the registry fails as a whole, for every server in it.",
    example='"servers": { "ab": { "image": 5 } }',
    fix="Use the type that the field has.",
    source=_LOADER,
)
KEY_UNCHECKED = rule(
    "REG010",
    "registry-key-unchecked",
    "The key of an entry does not match, so nothing looks at the entry",
    stage="lint",
    checks="The key of an entry in the legacy format does not match `^[a-z0-9][a-z0-9-]+[a-z0-9]$`.",
    why="The published schema looks only at entries whose key matches. This one passes whatever it says, and its"
    " mistakes show when somebody runs it.",
    example='"My_Server": { "image": "" }',
    fix="Use three or more small letters, digits and hyphens: `my-server`.",
    source=_SCHEMA,
)
LEGACY_FORMAT = rule(
    "REG011",
    "registry-legacy-format",
    "The registry file is in the legacy format",
    stage="lint",
    severity="info",
    checks="The file has no object under `data`, so the service reads it in the legacy format.",
    why="The service warns each time it loads the file, and support will end. The legacy format cannot carry skills.",
    example='{ "version": "1.0.0", "last_updated": "…", "servers": { … } }',
    fix="`mcpcfg registry convert` writes the upstream format, and reports what is lost.",
    source=_LOADER,
)
NO_SERVERS = rule(
    "REG012",
    "registry-without-servers",
    "The registry holds no server",
    stage="lint",
    checks="A registry file holds no server and no group of servers.",
    why="The service refuses to take such a file as its registry (status 502), although the file is in order.",
    example='"servers": {}',
    fix="Add a server.",
    source="toolhive 0.21.0, config: setting a registry file or URL.",
)
NOT_CONVERTIBLE = rule(
    "REG013",
    "registry-record-unusable",
    "The service skips a record of the registry",
    stage="lint",
    checks="A record has neither remotes nor exactly one package of type `oci`, or the URL of the package cannot be"
    " read.",
    why="The service silently skips the record when it loads the registry: nobody can find or run the server.",
    example='"packages": [ { "registryType": "npm", "identifier": "@acme/server", … } ]',
    fix="Add one package of type `oci`, or a remote.",
    source=_CONVERTER,
)
NAME_TWICE = rule(
    "REG014",
    "registry-name-twice",
    "Two records of the registry have one name",
    stage="lint",
    checks="Two records of one kind have the same name.",
    why="Records become entries under their names: the later one replaces the earlier one.",
    example='[ { "name": "io.acme/a", "version": "1.0.0" }, { "name": "io.acme/a", "version": "1.1.0" } ]',
    fix="Keep one of them.",
    source=_LOADER,
)
AMBIGUOUS_NAME = rule(
    "REG015",
    "registry-short-name-ambiguous",
    "Two servers share the part of their names after the slash",
    stage="lint",
    severity="info",
    checks="The names of two servers are the same after the slash.",
    why="People run servers by the short name. The service refuses a short name that stands for several.",
    example="`io.github.acme/fetch` and `io.github.other/fetch`",
    fix="Have users run the server by its full name.",
    source="toolhive 0.21.0, registry provider: lookup by name.",
)
GROUPS_DROPPED = rule(
    "REG016",
    "registry-groups-dropped",
    "The service drops the groups of an upstream registry",
    stage="lint",
    severity="info",
    checks="A registry file in the upstream format has groups.",
    why="The service drops them when it loads the file: the servers in them cannot be found or run.",
    example='"groups": [ { "name": "team", "description": "…", "servers": [ … ] } ]',
    fix="Put the servers into `data.servers` too.",
    source=_LOADER,
)
UNKNOWN_FIELD = rule(
    "REG017",
    "registry-unknown-field",
    "A key of the registry is not known",
    stage="lint",
    checks="A key is not one of the known ones. It is a warning where one that the object lacks is spelt nearly so,"
    " else an info.",
    why="Unknown keys pass every check and are skipped when the file is loaded: what was meant does not happen.",
    example='"enviroment_vars": [ … ]',
    fix="Use the known key.",
    source=_LOADER,
)
DEFAULT_UNUSED = rule(
    "REG018",
    "registry-default-unused",
    "A required variable has a default, which is never used",
    stage="lint",
    severity="info",
    checks="A variable or header is both required and has a default.",
    why="The default counts only where the variable is not required: a user who gives nothing is refused anyway.",
    example='{ "name": "REGION", "required": true, "default": "eu" }',
    fix='Drop `"required": true`, or the default.',
    source="toolhive 0.21.0, runner: environment variables of registry entries.",
)
DEFAULT_NOT_A_CHOICE = rule(
    "REG019",
    "registry-default-not-a-choice",
    "The default of a header is not one of its choices",
    stage="lint",
    checks="A header has choices and a default that is not one of them.",
    why="Nothing checks it: users get a value that the server says it does not take.",
    example='{ "name": "X-Tier", "choices": ["a", "b"], "default": "c" }',
    fix="Take one of the choices.",
    source="The record HeaderSpec of toolhive-core 0.0.16 (docs/operator/records.md).",
)
OAUTH_UNCLEAR = rule(
    "REG020",
    "registry-oauth-endpoints-unclear",
    "An OAuth configuration mixes discovery with endpoints, or has half of them",
    stage="lint",
    checks="An OAuth configuration names an issuer and an endpoint too, or one endpoint without the other.",
    why="Endpoints are either discovered from the issuer or given as a pair. The command line refuses a mixture, and"
    " half a pair cannot authenticate.",
    example='{ "authorize_url": "https://id.acme.example/authorize" }',
    fix="Set the issuer, or both `authorize_url` and `token_url`.",
    source="The record OAuthConfig of toolhive-core 0.0.16 (docs/operator/records.md).",
)
CALLBACK_PORT = rule(
    "REG021",
    "registry-callback-port-refused",
    "The callback port of an OAuth configuration is refused when the server is run",
    stage="lint",
    checks="A callback port is below 1024.",
    why="The published schema takes it; running the server refuses it: 0 or 1024 to 65535.",
    example='"callback_port": 80',
    fix="Take a port from 1024 on, or leave it out.",
    source="toolhive 0.21.0, networking: callback port.",
)
PORT_WITHOUT_HTTP = rule(
    "REG022",
    "registry-port-without-http",
    "A stdio server has a port, which is not used",
    stage="lint",
    severity="info",
    checks="An entry with transport `stdio` has a `target_port`.",
    why="A stdio server listens nowhere: the port is not used.",
    example='"transport": "stdio", "target_port": 8080',
    fix="Drop the port, or set the transport that the image speaks.",
    source="toolhive 0.21.0, runner: ports of registry entries.",
)
NAME_NOT_KEY = rule(
    "REG023",
    "registry-name-not-key",
    "The name of an entry is not its key, and is replaced",
    stage="lint",
    severity="info",
    checks="An entry of the legacy format has a `name` other than its key.",
    why="When the service loads the file the key becomes the name. The conversion to the upstream format keeps the"
    " written one, so the same server has two names.",
    example='"weather": { "name": "io.acme/weather", … }',
    fix="Drop `name`, or make both equal.",
    source=_LOADER,
)
KUBERNETES = rule(
    "REG024",
    "registry-kubernetes-odd",
    "A server's place in a cluster is not one that a cluster can have",
    stage="lint",
    checks="A value of `metadata.kubernetes` in the legacy format: a name or namespace that Kubernetes does not take, a"
    " `uid` that is no UUID, an unknown transport.",
    why="The published schema of the legacy format does not look at it. That of publisher extensions does, and refuses"
    " the record that a conversion makes of the entry.",
    example='"kubernetes": { "kind": "MCPServer", "name": "My Server" }',
    fix="Write what `kubectl get` shows.",
    source="The published schema of publisher extensions: KubernetesMetadata.",
)

RULES = (
    FIELD_MISSING,
    WRONG_TYPE,
    VALUE_REFUSED,
    TEXT_REFUSED,
    NUMBER_REFUSED,
    LIST_REFUSED,
    UNDECODABLE,
    KEY_UNCHECKED,
    LEGACY_FORMAT,
    NO_SERVERS,
    NOT_CONVERTIBLE,
    NAME_TWICE,
    AMBIGUOUS_NAME,
    GROUPS_DROPPED,
    UNKNOWN_FIELD,
    DEFAULT_UNUSED,
    DEFAULT_NOT_A_CHOICE,
    OAUTH_UNCLEAR,
    CALLBACK_PORT,
    PORT_WITHOUT_HTTP,
    NAME_NOT_KEY,
    KUBERNETES,
)
