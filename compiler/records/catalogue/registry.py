"""Rules of registry files."""

from __future__ import annotations

from ...diagnostics.finding import Rule
from .page import page

_SCHEMA = "JSON Schemas of toolhive-core 0.0.16: legacy registry, upstream registry, publisher extensions."
_LOADER = "toolhive 0.21.0, registry provider: loading a file decodes it and checks no more."
_CONVERTER = "toolhive-core 0.0.16, registry converters."

FIELD_MISSING = Rule(
    id="REG001",
    name="registry-field-missing",
    stage="admission",
    severity="error",
    title="A registry file lacks a field that its schema requires",
    doc=page(
        "An object in a registry file lacks a field that the published schema requires.",
        "The build of a catalog refuses the file. A service that loads it takes the field as empty, and lists a server"
        " without description, tier or tools.",
        example='"weather": { "image": "ghcr.io/acme/weather:1", "status": "Active" }',
        cure="add the field.",
        source=_SCHEMA,
    ),
)
WRONG_TYPE = Rule(
    id="REG002",
    name="registry-wrong-type",
    stage="admission",
    severity="error",
    title="A value in a registry file is not of the type that its schema asks for",
    doc=page(
        "A value is of another JSON type than the published schema asks for.",
        "The build of a catalog refuses the file, and the service fails to load it: one number in a list of strings is"
        " enough to lose the whole registry.",
        example='"tools": "fetch"',
        cure='give the type that is asked for: `"tools": ["fetch"]`.',
        source=_SCHEMA,
    ),
)
VALUE_REFUSED = Rule(
    id="REG003",
    name="registry-value-outside-list",
    stage="admission",
    severity="error",
    title="A value in a registry file is none of those allowed",
    doc=page(
        "A value is none of those that the published schema lists.",
        "The build of a catalog refuses the file. In the legacy format the words of `status` are written with a"
        " capital letter; in publisher extensions both spellings pass.",
        example='"status": "active"',
        cure='`"status": "Active"`.',
        source=_SCHEMA,
    ),
)
TEXT_REFUSED = Rule(
    id="REG004",
    name="registry-text-refused",
    stage="admission",
    severity="error",
    title="A text in a registry file has not the form that its schema asks for",
    doc=page(
        "A text is too short, too long, or has not the form that the published schema asks for: a pattern, a URL, a"
        " time, a host name.",
        "The build of a catalog refuses the file. Images are the usual trap: a digest and capital letters are refused.",
        example='"image": "ghcr.io/acme/weather@sha256:0123…"',
        cure='name a tag: `"image": "ghcr.io/acme/weather:2.1.0"`.',
        source=_SCHEMA,
    ),
)
NUMBER_REFUSED = Rule(
    id="REG005",
    name="registry-number-out-of-range",
    stage="admission",
    severity="error",
    title="A number in a registry file is out of range",
    doc=page(
        "A number is smaller or larger than the published schema allows.",
        "The build of a catalog refuses the file. A port of 0 does not mean that any port will do: leave the field out"
        " for that.",
        example='"target_port": 0',
        cure="leave the field out, or name a port from 1 to 65535.",
        source=_SCHEMA,
    ),
)
LIST_REFUSED = Rule(
    id="REG006",
    name="registry-list-refused",
    stage="admission",
    severity="error",
    title="A list in a registry file is too short, or repeats an item",
    doc=page(
        "A list has fewer items than the published schema asks for, or holds an item twice.",
        "The build of a catalog refuses the file. An entry of the legacy format must name at least one tool, and its"
        " tags cannot be an empty list.",
        example='"tags": []',
        cure="leave the field out, or give items that differ.",
        source=_SCHEMA,
    ),
)
UNDECODABLE = Rule(
    id="REG007",
    name="registry-undecodable",
    stage="process",
    severity="error",
    title="The service cannot decode a registry file",
    doc=page(
        "A value does not fit the field that the service reads it into, though the published schema does not look at"
        " it: the entry's key does not match, the schema takes 1.0 as a whole number, or does not describe the field.",
        "Loading the registry fails as a whole, for every server in it.",
        example='"servers": { "ab": { "image": 5 } }',
        cure="give the type that the field has.",
        source=_LOADER,
    ),
)
KEY_UNCHECKED = Rule(
    id="REG010",
    name="registry-key-unchecked",
    stage="lint",
    severity="warning",
    title="The key of an entry does not match, so nothing looks at the entry",
    doc=page(
        "The key of an entry in the legacy format does not match `^[a-z0-9][a-z0-9-]+[a-z0-9]$`.",
        "The published schema looks only at entries whose key matches. This one passes whatever it says, and its"
        " mistakes show when somebody runs it.",
        example='"My_Server": { "image": "" }',
        cure="use three or more small letters, digits and hyphens: `my-server`.",
        source=_SCHEMA,
    ),
)
LEGACY_FORMAT = Rule(
    id="REG011",
    name="registry-legacy-format",
    stage="lint",
    severity="info",
    title="The registry file is in the legacy format",
    doc=page(
        "The file has no object under `data`, so the service reads it in the legacy format.",
        "The service warns each time it loads the file, and support will end. The legacy format cannot carry skills.",
        example='{ "version": "1.0.0", "last_updated": "…", "servers": { … } }',
        cure="`mcpcfg registry convert` writes the upstream format, and tells what is lost.",
        source=_LOADER,
    ),
)
NO_SERVERS = Rule(
    id="REG012",
    name="registry-without-servers",
    stage="lint",
    severity="warning",
    title="The registry holds no server",
    doc=page(
        "A registry file holds no server and no group of servers.",
        "The service refuses to take such a file as its registry (status 502), although the file is in order.",
        example='"servers": {}',
        cure="add a server.",
        source="toolhive 0.21.0, config: setting a registry file or URL.",
    ),
)
NOT_CONVERTIBLE = Rule(
    id="REG013",
    name="registry-record-unusable",
    stage="lint",
    severity="warning",
    title="The service skips a record of the registry",
    doc=page(
        "A record has neither remotes nor exactly one package of type `oci`, or the URL of the package cannot be read.",
        "The service skips the record in silence when it loads the registry: nobody can find or run the server.",
        example='"packages": [ { "registryType": "npm", "identifier": "@acme/server", … } ]',
        cure="add one package of type `oci`, or a remote.",
        source=_CONVERTER,
    ),
)
NAME_TWICE = Rule(
    id="REG014",
    name="registry-name-twice",
    stage="lint",
    severity="warning",
    title="Two records of the registry have one name",
    doc=page(
        "Two records of one kind have the same name.",
        "Records become entries under their names: the later one replaces the earlier one.",
        example='[ { "name": "io.acme/a", "version": "1.0.0" }, { "name": "io.acme/a", "version": "1.1.0" } ]',
        cure="keep one of them.",
        source=_LOADER,
    ),
)
AMBIGUOUS_NAME = Rule(
    id="REG015",
    name="registry-short-name-ambiguous",
    stage="lint",
    severity="info",
    title="Two servers share the part of their names after the slash",
    doc=page(
        "The names of two servers are the same after the slash.",
        "People run servers by the short name. The service refuses a short name that stands for several.",
        example="`io.github.acme/fetch` and `io.github.other/fetch`",
        cure="tell users the full name.",
        source="toolhive 0.21.0, registry provider: lookup by name.",
    ),
)
GROUPS_DROPPED = Rule(
    id="REG016",
    name="registry-groups-dropped",
    stage="lint",
    severity="info",
    title="The service drops the groups of an upstream registry",
    doc=page(
        "A registry file in the upstream format has groups.",
        "The service drops them when it loads the file: the servers in them cannot be found or run.",
        example='"groups": [ { "name": "team", "description": "…", "servers": [ … ] } ]',
        cure="put the servers into `data.servers` too.",
        source=_LOADER,
    ),
)
UNKNOWN_FIELD = Rule(
    id="REG017",
    name="registry-unknown-field",
    stage="lint",
    severity="warning",
    title="A field of the registry is probably misspelt",
    doc=page(
        "A key is none of the known ones, and much like one that is missing from the object.",
        "Unknown keys pass every check and are skipped when the file is loaded: what was meant does not happen.",
        example='"enviroment_vars": [ … ]',
        cure="use the known key.",
        source=_LOADER,
    ),
)
DEFAULT_UNUSED = Rule(
    id="REG018",
    name="registry-default-unused",
    stage="lint",
    severity="info",
    title="A required variable has a default, which is never used",
    doc=page(
        "A variable or header is both required and has a default.",
        "The default counts only where the variable is not required: a user who gives nothing is refused all the same.",
        example='{ "name": "REGION", "required": true, "default": "eu" }',
        cure='drop `"required": true`, or the default.',
        source="toolhive 0.21.0, runner: environment variables of registry entries.",
    ),
)
DEFAULT_NOT_A_CHOICE = Rule(
    id="REG019",
    name="registry-default-not-a-choice",
    stage="lint",
    severity="warning",
    title="The default of a header is none of its choices",
    doc=page(
        "A header has choices and a default that is none of them.",
        "Nothing checks it: users get a value that the server says it does not take.",
        example='{ "name": "X-Tier", "choices": ["a", "b"], "default": "c" }',
        cure="take one of the choices.",
        source="Document 000, HeaderSpec.",
    ),
)
OAUTH_UNCLEAR = Rule(
    id="REG020",
    name="registry-oauth-endpoints-unclear",
    stage="lint",
    severity="warning",
    title="An OAuth configuration mixes discovery with endpoints, or has half of them",
    doc=page(
        "An OAuth configuration names an issuer and an endpoint too, or one endpoint without the other.",
        "Endpoints are either discovered from the issuer or given as a pair. The command line refuses a mixture, and"
        " half a pair cannot authenticate.",
        example='{ "authorize_url": "https://id.acme.example/authorize" }',
        cure="give the issuer, or both `authorize_url` and `token_url`.",
        source="Document 000, OAuthConfig.",
    ),
)
CALLBACK_PORT = Rule(
    id="REG021",
    name="registry-callback-port-refused",
    stage="lint",
    severity="warning",
    title="The callback port of an OAuth configuration is refused when the server is run",
    doc=page(
        "A callback port is below 1024.",
        "The published schema takes it; running the server refuses it: 0 or 1024 to 65535.",
        example='"callback_port": 80',
        cure="take a port from 1024 on, or leave it out.",
        source="toolhive 0.21.0, networking: callback port.",
    ),
)
PORT_WITHOUT_HTTP = Rule(
    id="REG022",
    name="registry-port-without-http",
    stage="lint",
    severity="info",
    title="A stdio server has a port, which is not used",
    doc=page(
        "An entry with transport `stdio` has a `target_port`.",
        "A stdio server listens nowhere: the port is not used.",
        example='"transport": "stdio", "target_port": 8080',
        cure="drop the port, or set the transport that the image speaks.",
        source="toolhive 0.21.0, runner: ports of registry entries.",
    ),
)
NAME_NOT_KEY = Rule(
    id="REG023",
    name="registry-name-not-key",
    stage="lint",
    severity="info",
    title="The name of an entry is not its key, and is replaced",
    doc=page(
        "An entry of the legacy format has a `name` other than its key.",
        "When the service loads the file the key becomes the name. The conversion to the upstream format keeps the"
        " written one, so the same server has two names.",
        example='"weather": { "name": "io.acme/weather", … }',
        cure="drop `name`, or make both equal.",
        source=_LOADER,
    ),
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
)
