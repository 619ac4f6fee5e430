"""Rules of registry files."""

from __future__ import annotations

from ...diagnostics.finding import rule

_SCHEMA = "JSON Schemas of toolhive-core 0.0.16: legacy registry, upstream registry, publisher extensions."
_LOADER = "toolhive 0.21.0, registry provider: loading a file decodes it and checks nothing else."
_CONVERTER = "toolhive-core 0.0.16, registry converters."

FIELD_MISSING = rule(
    "REG001",
    "registry-field-missing",
    "A registry file lacks a field that its schema requires",
    stage="admission",
    checks="An object in a registry file lacks a field that the published schema requires.",
    why="The build of a catalog refuses the file. A service that loads it treats the field as empty, and lists a server"
    " without a description, tier or tools.",
    example='"weather": { "image": "ghcr.io/acme/weather:1", "status": "Active" }',
    fix="Add the field that the message names.",
    source=_SCHEMA,
)
WRONG_TYPE = rule(
    "REG002",
    "registry-wrong-type",
    "A value in a registry file is not of the type that its schema requires",
    stage="admission",
    unmodelled="newer",
    checks="A value has a JSON type other than the one that the published schema requires.",
    why="The build of a catalog refuses the file, and the service fails to load it: one number in a list of strings is"
    " enough to lose the whole registry.",
    example='"tools": "fetch"',
    fix='Use the required type: `"tools": ["fetch"]`.',
    source=_SCHEMA,
)
VALUE_REFUSED = rule(
    "REG003",
    "registry-value-outside-list",
    "A value in a registry file is not one of those allowed",
    stage="admission",
    checks="A value is not one of those that the published schema lists.",
    why="The build of a catalog refuses the file. In the legacy format the values of `status` begin with a capital"
    " letter; in publisher extensions both spellings are allowed.",
    example='"status": "active"',
    fix='Write `"status": "Active"`.',
    source=_SCHEMA,
)
TEXT_REFUSED = rule(
    "REG004",
    "registry-text-refused",
    "A string in a registry file does not have the form that its schema requires",
    stage="admission",
    checks="A string is too short, too long, or does not have the form that the published schema requires: a pattern,"
    " a URL, a time, a host name.",
    why="The build of a catalog refuses the file. Images are a common pitfall: digests and capital letters are"
    " refused.",
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
    why="The build of a catalog refuses the file. A port of 0 does not stand for any port: leave the field out for"
    " that.",
    example='"target_port": 0',
    fix="Leave the field out, or name a port from 1 to 65535.",
    source=_SCHEMA,
)
LIST_REFUSED = rule(
    "REG006",
    "registry-list-refused",
    "A list in a registry file is too short, or repeats an item",
    stage="admission",
    checks="A list has fewer items than the published schema requires, or contains an item twice.",
    why="The build of a catalog refuses the file. An entry of the legacy format must name at least one tool, and its"
    " tags cannot be an empty list.",
    example='"tags": []',
    fix="Leave the field out, or list enough distinct items.",
    source=_SCHEMA,
)
UNDECODABLE = rule(
    "REG007",
    "registry-undecodable",
    "The service cannot decode a registry file",
    stage="process",
    unmodelled="newer",
    checks="A value does not fit the field that the service reads it into, although the published schema accepts it:"
    " the entry's key does not match, the schema treats 1.0 as a whole number, or does not describe the field.",
    why="Loading the registry fails, for every server in it.",
    example='"servers": { "ab": { "image": 5 } }',
    fix="Use the type that the field has.",
    source=_LOADER,
)
KEY_UNCHECKED = rule(
    "REG010",
    "registry-key-unchecked",
    "The key of an entry does not match, so nothing checks the entry",
    stage="lint",
    checks="The key of an entry in the legacy format does not match `^[a-z0-9][a-z0-9-]+[a-z0-9]$`.",
    why="The published schema checks only entries whose key matches. This one passes whatever it contains, and its"
    " mistakes show when somebody runs it.",
    example='"My_Server": { "image": "" }',
    fix="Use three or more lower-case letters, digits and hyphens: `my-server`.",
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
    fix="Run `mcpcfg registry convert`, which writes the upstream format and reports what is lost.",
    source=_LOADER,
)
NO_SERVERS = rule(
    "REG012",
    "registry-without-servers",
    "The registry contains no servers",
    stage="lint",
    checks="A registry file contains neither servers nor groups of servers.",
    why="The service refuses such a file as its registry (status 502), although the file is valid.",
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
    "Two records of the registry have the same name",
    stage="lint",
    checks="Two records of one kind have the same name.",
    why="The service stores records by name: the later one replaces the earlier one.",
    example='[ { "name": "io.acme/a", "version": "1.0.0" }, { "name": "io.acme/a", "version": "1.1.0" } ]',
    fix="Keep one of the two.",
    source=_LOADER,
)
AMBIGUOUS_NAME = rule(
    "REG015",
    "registry-short-name-ambiguous",
    "Two servers have the same name after the slash",
    stage="lint",
    severity="info",
    checks="The names of two servers are the same after the slash.",
    why="People run servers by the short name. The service refuses a short name that several servers share.",
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
    fix="List the servers in `data.servers` too.",
    source=_LOADER,
)
UNKNOWN_FIELD = rule(
    "REG017",
    "registry-unknown-field",
    "A key of the registry is not known",
    stage="lint",
    checks="A key is not known. The finding is a warning where the key resembles a known one that the object lacks,"
    " otherwise an info.",
    why="Unknown keys pass every check and are skipped when the file is loaded: the setting has no effect.",
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
    checks="A variable or header is required, and also has a default.",
    why="The default is used only where the variable is not required: a user who sets no value is refused anyway.",
    example='{ "name": "REGION", "required": true, "default": "eu" }',
    fix='Remove `"required": true`, or the default.',
    source="toolhive 0.21.0, runner: environment variables of registry entries.",
)
DEFAULT_NOT_A_CHOICE = rule(
    "REG019",
    "registry-default-not-a-choice",
    "The default of a header is not one of its choices",
    stage="lint",
    checks="A header has choices and a default that is not one of them.",
    why="Nothing checks it: users get a value that the server does not accept, by its own description.",
    example='{ "name": "X-Tier", "choices": ["a", "b"], "default": "c" }',
    fix="Use one of the choices.",
    source="The record HeaderSpec of toolhive-core 0.0.16 (docs/operator/records.md).",
)
OAUTH_UNCLEAR = rule(
    "REG020",
    "registry-oauth-endpoints-unclear",
    "An OAuth configuration mixes discovery with endpoints, or has only one endpoint",
    stage="lint",
    checks="An OAuth configuration names both an issuer and an endpoint, or one endpoint without the other.",
    why="Endpoints are either discovered from the issuer or given as a pair. The command line refuses a mixture, and"
    " one endpoint alone cannot authenticate.",
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
    why="The published schema accepts it, but the server cannot be run with it: the port must be 0 or 1024 to 65535.",
    example='"callback_port": 80',
    fix="Use a port from 1024 to 65535, or leave it out.",
    source="toolhive 0.21.0, networking: callback port.",
)
PORT_WITHOUT_HTTP = rule(
    "REG022",
    "registry-port-without-http",
    "A stdio server has a port, which is not used",
    stage="lint",
    severity="info",
    checks="An entry with transport `stdio` has a `target_port`.",
    why="A stdio server does not listen: the port is not used.",
    example='"transport": "stdio", "target_port": 8080',
    fix="Remove the port, or set the transport that the image speaks.",
    source="toolhive 0.21.0, runner: ports of registry entries.",
)
NAME_NOT_KEY = rule(
    "REG023",
    "registry-name-not-key",
    "The name of an entry is not its key, and is replaced",
    stage="lint",
    severity="info",
    checks="An entry of the legacy format has a `name` other than its key.",
    why="When the service loads the file, the key becomes the name. The conversion to the upstream format keeps the"
    " written name, so the same server has two names.",
    example='"weather": { "name": "io.acme/weather", … }',
    fix="Remove `name`, or make the two equal.",
    source=_LOADER,
)
KUBERNETES = rule(
    "REG024",
    "registry-kubernetes-odd",
    "A server's location in a cluster is invalid",
    stage="lint",
    checks="A value of `metadata.kubernetes` in the legacy format: a name or namespace that Kubernetes refuses, a `uid`"
    " that is not a UUID, an unknown transport.",
    why="The published schema of the legacy format does not check it. That of publisher extensions does, and refuses"
    " the record into which the entry is converted.",
    example='"kubernetes": { "kind": "MCPServer", "name": "My Server" }',
    fix="Write the values that `kubectl get` shows.",
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
