"""Rules of catalog records: ``server.json``, publisher extensions and skills."""

from __future__ import annotations

from ...diagnostics.finding import Rule
from .page import page

_SCHEMA = "MCP registry 1.6.0, server.json schema of 2025-12-11; toolhive-core 0.0.16, skill and publisher schemas."
_PUBLIC = "MCP registry 1.6.0, validators of the publish step. The service itself does not run them."
_CONVERTER = "toolhive-core 0.0.16, registry converters."

FIELD_MISSING = Rule(
    id="CAT001",
    name="catalog-field-missing",
    stage="admission",
    severity="error",
    title="A catalog record lacks a field that its schema requires",
    doc=page(
        "An object of a server or skill record lacks a field that the published schema requires.",
        "The catalog refuses the record.",
        example='{ "name": "io.github.acme/weather", "description": "Weather lookups" }',
        cure='add the field: `"version": "1.0.0"`.',
        source=_SCHEMA,
    ),
)
WRONG_TYPE = Rule(
    id="CAT002",
    name="catalog-wrong-type",
    stage="admission",
    severity="error",
    title="A value of a catalog record is not of the type that its schema asks for",
    doc=page(
        "A value is of another JSON type than the published schema asks for.",
        "The catalog refuses the record, and a registry that holds it cannot be loaded.",
        example='"version": 1.0',
        cure='`"version": "1.0"`.',
        source=_SCHEMA,
    ),
)
VALUE_REFUSED = Rule(
    id="CAT003",
    name="catalog-value-outside-list",
    stage="admission",
    severity="error",
    title="A value of a catalog record is none of those allowed",
    doc=page(
        "A value is none of those that the published schema lists, or is one that it rules out.",
        "The catalog refuses the record. A remote cannot be `stdio`; the version of a package cannot be `latest`.",
        example='"transport": { "type": "http" }',
        cure='`"transport": { "type": "streamable-http", "url": "http://localhost:8080/mcp" }`.',
        source=_SCHEMA,
    ),
)
TEXT_REFUSED = Rule(
    id="CAT004",
    name="catalog-text-refused",
    stage="admission",
    severity="error",
    title="A text of a catalog record has not the form that its schema asks for",
    doc=page(
        "A text is too short, too long, or has not the form that the published schema asks for.",
        "The catalog refuses the record. Descriptions of servers end at 100 characters.",
        example='"name": "weather"',
        cure='name the owner too: `"name": "io.github.acme/weather"`.',
        source=_SCHEMA,
    ),
)
NUMBER_REFUSED = Rule(
    id="CAT005",
    name="catalog-number-out-of-range",
    stage="admission",
    severity="error",
    title="A number of a catalog record is out of range",
    doc=page(
        "A number is smaller or larger than the published schema allows.",
        "The catalog refuses the record.",
        example='"proxy_port": 70000',
        cure="name a port from 1 to 65535, or leave the field out.",
        source=_SCHEMA,
    ),
)
LIST_REFUSED = Rule(
    id="CAT006",
    name="catalog-list-refused",
    stage="admission",
    severity="error",
    title="A list of a catalog record repeats an item",
    doc=page(
        "A list of which the published schema wants different items holds one twice.",
        "The catalog refuses the record.",
        example='"allowedTools": ["Read", "Read"]',
        cure="name each item once.",
        source=_SCHEMA,
    ),
)
UNDECODABLE = Rule(
    id="CAT007",
    name="catalog-undecodable",
    stage="process",
    severity="error",
    title="The service cannot decode a catalog record",
    doc=page(
        "A value does not fit the field that the service reads it into, though the published schema does not look at"
        " it.",
        "A registry that holds the record cannot be loaded.",
        example='"transport": { "type": "stdio", "url": 5 }',
        cure="give the type that the field has.",
        source="toolhive 0.21.0, registry provider.",
    ),
)
UNKNOWN_FIELD = Rule(
    id="CAT008",
    name="catalog-unknown-field",
    stage="lint",
    severity="warning",
    title="A field of a catalog record is probably misspelt",
    doc=page(
        "A key is none of the known ones, and much like one that is missing from the object.",
        "Unknown keys pass every check and are skipped: what was meant does not happen.",
        example='"enviromentVariables": [ … ]',
        cure="use the known key.",
        source=_SCHEMA,
    ),
)
NAME_PARTS = Rule(
    id="CAT010",
    name="catalog-name-refused",
    stage="lint",
    severity="warning",
    title="The public catalog refuses the name of the server",
    doc=page(
        "A part of a server's name does not start and end with a letter or digit, or is one character long.",
        "The schema takes it; the publish step of the public catalog does not.",
        example='"name": "io.github.acme/x"',
        cure='use two or more characters: `"name": "io.github.acme/xy"`.',
        source=_PUBLIC,
    ),
)
VERSION_RANGE = Rule(
    id="CAT011",
    name="catalog-version-range",
    stage="lint",
    severity="warning",
    title="A version is a range or the word latest",
    doc=page(
        "The version of a server or package is `latest`, or looks like a range.",
        "The public catalog takes single versions only; a range gives different servers on different days.",
        example='"version": "^1.2.0"',
        cure='`"version": "1.2.0"`.',
        source=_PUBLIC,
    ),
)
REPOSITORY = Rule(
    id="CAT012",
    name="catalog-repository-refused",
    stage="lint",
    severity="warning",
    title="The public catalog refuses the repository",
    doc=page(
        "The source of a repository is neither `github` nor `gitlab`, its URL is no repository there, or its subfolder"
        " is no plain relative path.",
        "The publish step of the public catalog refuses the record.",
        example='"repository": { "source": "github", "url": "https://github.com/acme" }',
        cure='`"url": "https://github.com/acme/weather"`.',
        source=_PUBLIC,
    ),
)
NOT_HTTPS = Rule(
    id="CAT013",
    name="catalog-url-not-https",
    stage="lint",
    severity="warning",
    title="A home page or icon is not served over https",
    doc=page(
        "`websiteUrl` or the `src` of an icon is not an https URL.",
        "The publish step of the public catalog refuses the record.",
        example='"websiteUrl": "http://acme.example"',
        cure='`"websiteUrl": "https://acme.example"`.',
        source=_PUBLIC,
    ),
)
BLANK_TITLE = Rule(
    id="CAT014",
    name="catalog-title-blank",
    stage="lint",
    severity="warning",
    title="The title is blank",
    doc=page(
        "The title of a server holds white space alone.",
        "The publish step of the public catalog refuses the record.",
        example='"title": " "',
        cure="write a title, or leave the field out.",
        source=_PUBLIC,
    ),
)
IDENTIFIER = Rule(
    id="CAT015",
    name="catalog-package-refused",
    stage="lint",
    severity="warning",
    title="The public catalog refuses a package",
    doc=page(
        "A package does not say what its type needs, or says what the type has no place for: an `oci` package has its"
        " version in the image reference and comes from one of a few hosts, packages of languages need a version, an"
        " `mcpb` file needs its checksum and comes from a release on GitHub or GitLab. No identifier holds a space.",
        "The publish step of the public catalog refuses the record.",
        example='{ "registryType": "oci", "identifier": "ghcr.io/acme/weather", "version": "1.0.0" }',
        cure='`{ "registryType": "oci", "identifier": "ghcr.io/acme/weather:1.0.0" }`.',
        source=_PUBLIC,
    ),
)
NAMED_ARGUMENT = Rule(
    id="CAT016",
    name="catalog-argument-refused",
    stage="lint",
    severity="warning",
    title="A named argument mixes its name with its value",
    doc=page(
        "The name of a named argument holds a space or one of `<`, `>`, `$`, or its value starts with the name.",
        "Clients put the name and the value together themselves: the command line would hold one of them twice. The"
        " publish step of the public catalog refuses the record.",
        example='{ "type": "named", "name": "--port 8080" }',
        cure='`{ "type": "named", "name": "--port", "value": "8080" }`.',
        source=_PUBLIC,
    ),
)
TRANSPORT_URL = Rule(
    id="CAT017",
    name="catalog-transport-url-refused",
    stage="lint",
    severity="warning",
    title="The URL of a transport cannot be used",
    doc=page(
        "A stdio transport has a URL, a URL has no host, or a remote is not https or on the local machine.",
        "The publish step of the public catalog refuses the record. A remote on localhost runs nowhere but on the"
        " machine of its author.",
        example='"remotes": [ { "type": "sse", "url": "http://localhost:8080/sse" } ]',
        cure="give the https URL that clients reach, or describe a package instead.",
        source=_PUBLIC,
    ),
)
TEMPLATE_VARIABLE = Rule(
    id="CAT018",
    name="catalog-url-variable-undefined",
    stage="lint",
    severity="warning",
    title="A URL names a variable that nothing defines",
    doc=page(
        "A `{name}` in the URL of a package is no environment variable, argument name or `valueHint` of the package; or"
        " one in the URL of a remote is no key of its `variables`.",
        "Nobody can fill it in. The publish step of the public catalog refuses the record.",
        example='"url": "https://{tenant}.acme.example/mcp"',
        cure='`"variables": { "tenant": { "isRequired": true } }`.',
        source=_PUBLIC,
    ),
)
EXTENSION_SIZE = Rule(
    id="CAT019",
    name="catalog-extension-too-large",
    stage="lint",
    severity="info",
    title="The publisher's extensions are larger than the public catalog takes",
    doc=page(
        "The publisher-provided part of `_meta` is more than 4096 bytes of JSON.",
        "The public catalog refuses the record. Registries of one's own have no such limit.",
        example="a long `overview`, or the definitions of many tools",
        cure="leave out what clients can ask the server for.",
        source=_PUBLIC,
    ),
)
EXTENSION_KEY = Rule(
    id="CAT020",
    name="catalog-extension-key-mismatch",
    stage="lint",
    severity="warning",
    title="A publisher extension is not under the image or URL of its record",
    doc=page(
        "The extensions of a record are not exactly one, under the identifier of the package or the URL of the remote.",
        "The service takes any one of them when it loads the record: with several, which one is chance.",
        example='"ghcr.io/acme/weather:1": { "status": "active" } beside an identifier `ghcr.io/acme/weather:2`',
        cure="keep one extension, and name it after the identifier or URL.",
        source=_CONVERTER,
    ),
)
EXTENSION_FIELD = Rule(
    id="CAT021",
    name="catalog-extension-field-ignored",
    stage="lint",
    severity="info",
    title="A publisher extension says something that its kind of server has no place for",
    doc=page(
        "An extension of a remote server has fields of containers, or the reverse.",
        "The service does not take them over into the entry: permissions of a remote server, or OAuth of a container,"
        " have no effect.",
        example='"https://mcp.acme.example/mcp": { "status": "active", "permissions": { … } }',
        cure="drop the field.",
        source=_CONVERTER,
    ),
)
PACKAGES_UNUSED = Rule(
    id="CAT022",
    name="catalog-packages-unused",
    stage="lint",
    severity="info",
    title="A record with remotes has more than the service uses",
    doc=page(
        "A record has packages beside its remotes, or more than one remote.",
        "The service uses the first remote and nothing else.",
        example='"packages": [ … ], "remotes": [ … ]',
        cure="make two records of it where both are to be run.",
        source=_CONVERTER,
    ),
)
DEFAULT_NOT_A_CHOICE = Rule(
    id="CAT023",
    name="catalog-default-not-a-choice",
    stage="lint",
    severity="warning",
    title="The default or value of an input is none of its choices",
    doc=page(
        "An input has choices, and a default or value that is none of them.",
        "Nothing checks it: users get a value that the server says it does not take.",
        example='{ "name": "REGION", "choices": ["eu", "us"], "default": "asia" }',
        cure="take one of the choices.",
        source="MCP registry 1.6.0, server.json schema: Input.",
    ),
)
NOT_INSTALLABLE = Rule(
    id="CAT030",
    name="catalog-skill-not-installable",
    stage="lint",
    severity="warning",
    title="A skill has no package that can be installed",
    doc=page(
        "A skill has neither an `oci` package whose identifier is an image reference nor a `git` package whose URL the"
        " service takes.",
        "Installing the skill by its name fails with status 422.",
        example='"packages": [ { "registryType": "git", "ref": "main" } ]',
        cure='`{ "registryType": "git", "url": "https://github.com/acme/skills", "subfolder": "report-writer" }`.',
        source="toolhive 0.21.0, skill service: resolving registry packages.",
    ),
)
PIN_IGNORED = Rule(
    id="CAT031",
    name="catalog-skill-pin-ignored",
    stage="lint",
    severity="info",
    title="The reference or commit of a git package is not used for installing",
    doc=page(
        "A `git` package of a skill has a `ref` or `commit`.",
        "The service installs from the default branch: the pin has no effect.",
        example='{ "registryType": "git", "url": "https://github.com/acme/skills", "commit": "4f2c…" }',
        cure="publish an `oci` package where the version matters.",
        source="toolhive 0.21.0, skill service: resolving registry packages.",
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
    UNKNOWN_FIELD,
    NAME_PARTS,
    VERSION_RANGE,
    REPOSITORY,
    NOT_HTTPS,
    BLANK_TITLE,
    IDENTIFIER,
    NAMED_ARGUMENT,
    TRANSPORT_URL,
    TEMPLATE_VARIABLE,
    EXTENSION_SIZE,
    EXTENSION_KEY,
    EXTENSION_FIELD,
    PACKAGES_UNUSED,
    DEFAULT_NOT_A_CHOICE,
    NOT_INSTALLABLE,
    PIN_IGNORED,
)
