"""Rules of catalog records: ``server.json``, publisher extensions and skills."""

from __future__ import annotations

from ...diagnostics.finding import rule

_SCHEMA = "MCP registry 1.6.0, server.json schema of 2025-12-11; toolhive-core 0.0.16, skill and publisher schemas."
_PUBLIC = "MCP registry 1.6.0, validators of the publish step. The service itself does not run them."
_CONVERTER = "toolhive-core 0.0.16, registry converters."

FIELD_MISSING = rule(
    "CAT001",
    "catalog-field-missing",
    "A catalog record lacks a field that its schema requires",
    stage="admission",
    checks="An object of a server or skill record lacks a field that the published schema requires.",
    why="The catalog refuses the record.",
    example='{ "name": "io.github.acme/weather", "description": "Weather lookups" }',
    fix='Add the field: `"version": "1.0.0"`.',
    source=_SCHEMA,
)
WRONG_TYPE = rule(
    "CAT002",
    "catalog-wrong-type",
    "A value of a catalog record is not of the type that its schema requires",
    stage="admission",
    unmodelled="newer",
    checks="A value has a JSON type other than the one that the published schema requires.",
    why="The catalog refuses the record, and a registry that contains it cannot be loaded.",
    example='"version": 1.0',
    fix='Write `"version": "1.0"`.',
    source=_SCHEMA,
)
VALUE_REFUSED = rule(
    "CAT003",
    "catalog-value-outside-list",
    "A value of a catalog record is not one of those allowed",
    stage="admission",
    checks="A value is not one of those that the published schema lists, or is one that it rules out.",
    why="The catalog refuses the record. A remote cannot be `stdio`; the version of a package cannot be `latest`.",
    example='"transport": { "type": "http" }',
    fix='Write `"transport": { "type": "streamable-http", "url": "http://localhost:8080/mcp" }`.',
    source=_SCHEMA,
)
TEXT_REFUSED = rule(
    "CAT004",
    "catalog-text-refused",
    "A string of a catalog record does not have the form that its schema requires",
    stage="admission",
    checks="A string is too short, too long, or does not have the form that the published schema requires.",
    why="The catalog refuses the record. A server's description has at most 100 characters.",
    example='"name": "weather"',
    fix='Name the owner too: `"name": "io.github.acme/weather"`.',
    source=_SCHEMA,
)
NUMBER_REFUSED = rule(
    "CAT005",
    "catalog-number-out-of-range",
    "A number of a catalog record is out of range",
    stage="admission",
    checks="A number is smaller or larger than the published schema allows.",
    why="The catalog refuses the record.",
    example='"proxy_port": 70000',
    fix="Name a port from 1 to 65535, or leave the field out.",
    source=_SCHEMA,
)
LIST_REFUSED = rule(
    "CAT006",
    "catalog-list-refused",
    "A list of a catalog record repeats an item",
    stage="admission",
    checks="A list whose items must be unique according to the published schema contains an item twice.",
    why="The catalog refuses the record.",
    example='"allowedTools": ["Read", "Read"]',
    fix="Name each item once.",
    source=_SCHEMA,
)
UNDECODABLE = rule(
    "CAT007",
    "catalog-undecodable",
    "The service cannot decode a catalog record",
    stage="process",
    unmodelled="newer",
    checks="A value does not fit the field that the service reads it into, although the published schema does not check"
    " it.",
    why="A registry that contains the record cannot be loaded.",
    example='"transport": { "type": "stdio", "url": 5 }',
    fix="Use the type that the field has.",
    source="toolhive 0.21.0, registry provider.",
)
UNKNOWN_FIELD = rule(
    "CAT008",
    "catalog-unknown-field",
    "A key of a catalog record is not known",
    stage="lint",
    checks="A key is not known, in publisher extensions too. The finding is a warning where the key resembles a known"
    " one that the object lacks, otherwise an info.",
    why="Unknown keys pass every check and are skipped: the setting has no effect.",
    example='"enviromentVariables": [ … ]',
    fix="Use the known key.",
    source=_SCHEMA,
)
NAME_PARTS = rule(
    "CAT010",
    "catalog-name-refused",
    "The public catalog refuses the name of the server",
    stage="lint",
    checks="A part of a server's name does not start and end with a letter or digit, or is one character long.",
    why="The schema accepts it; the publish step of the public catalog does not.",
    example='"name": "io.github.acme/x"',
    fix='Use two or more characters: `"name": "io.github.acme/xy"`.',
    source=_PUBLIC,
)
VERSION_RANGE = rule(
    "CAT011",
    "catalog-version-range",
    "A version is a range or the word latest",
    stage="lint",
    checks="The version of a server or package is `latest`, or looks like a range.",
    why="The public catalog accepts only single versions; a range gives different servers on different days.",
    example='"version": "^1.2.0"',
    fix='Write `"version": "1.2.0"`.',
    source=_PUBLIC,
)
REPOSITORY = rule(
    "CAT012",
    "catalog-repository-refused",
    "The public catalog refuses the repository",
    stage="lint",
    checks="The source of a repository is neither `github` nor `gitlab`, its URL is not a repository there, or its"
    " subfolder is not a plain relative path.",
    why="The publish step of the public catalog refuses the record.",
    example='"repository": { "source": "github", "url": "https://github.com/acme" }',
    fix='Write `"url": "https://github.com/acme/weather"`.',
    source=_PUBLIC,
)
NOT_HTTPS = rule(
    "CAT013",
    "catalog-url-not-https",
    "A home page or icon is not served over https",
    stage="lint",
    checks="`websiteUrl` or the `src` of an icon is not an https URL.",
    why="The publish step of the public catalog refuses the record.",
    example='"websiteUrl": "http://acme.example"',
    fix='Write `"websiteUrl": "https://acme.example"`.',
    source=_PUBLIC,
)
BLANK_TITLE = rule(
    "CAT014",
    "catalog-title-blank",
    "The title is blank",
    stage="lint",
    checks="The title of a server consists only of white space.",
    why="The publish step of the public catalog refuses the record.",
    example='"title": " "',
    fix="Write a title, or leave the field out.",
    source=_PUBLIC,
)
IDENTIFIER = rule(
    "CAT015",
    "catalog-package-refused",
    "The public catalog refuses a package",
    stage="lint",
    checks="A package lacks what its type requires, or has what does not apply to its type: an `oci` package has its"
    " version in the image reference and comes from one of a few hosts, language packages need a version, an `mcpb`"
    " file needs its checksum and comes from a release on GitHub or GitLab. An identifier contains a space.",
    why="The publish step of the public catalog refuses the record.",
    example='{ "registryType": "oci", "identifier": "ghcr.io/acme/weather", "version": "1.0.0" }',
    fix='Write `{ "registryType": "oci", "identifier": "ghcr.io/acme/weather:1.0.0" }`.',
    source=_PUBLIC,
)
NAMED_ARGUMENT = rule(
    "CAT016",
    "catalog-argument-refused",
    "A named argument mixes its name with its value",
    stage="lint",
    checks="The name of a named argument contains a space or one of `<`, `>`, `$`, or its value starts with the name.",
    why="Clients join the name and the value themselves: the command line would contain one of them twice. The publish"
    " step of the public catalog refuses the record.",
    example='{ "type": "named", "name": "--port 8080" }',
    fix='Write `{ "type": "named", "name": "--port", "value": "8080" }`.',
    source=_PUBLIC,
)
TRANSPORT_URL = rule(
    "CAT017",
    "catalog-transport-url-refused",
    "The URL of a transport cannot be used",
    stage="lint",
    checks="A stdio transport has a URL, a URL has no host, or a remote is not https or is on the local machine.",
    why="The publish step of the public catalog refuses the record. A remote on localhost works only on its author's"
    " machine.",
    example='"remotes": [ { "type": "sse", "url": "http://localhost:8080/sse" } ]',
    fix="Set an https URL that clients can reach, or describe a package instead.",
    source=_PUBLIC,
)
TEMPLATE_VARIABLE = rule(
    "CAT018",
    "catalog-url-variable-undefined",
    "A URL names a variable that nothing defines",
    stage="lint",
    checks="A `{name}` in the URL of a package is not an environment variable, argument name or `valueHint` of the"
    " package; or one in the URL of a remote is not a key of its `variables`.",
    why="Nobody can fill it in. The publish step of the public catalog refuses the record.",
    example='"url": "https://{tenant}.acme.example/mcp"',
    fix='Write `"variables": { "tenant": { "isRequired": true } }`.',
    source=_PUBLIC,
)
EXTENSION_SIZE = rule(
    "CAT019",
    "catalog-extension-too-large",
    "The publisher's extensions are larger than the public catalog accepts",
    stage="lint",
    severity="info",
    checks="The publisher-provided part of `_meta` is more than 4096 bytes of JSON.",
    why="The public catalog refuses the record. Private registries have no such limit.",
    example="a long `overview`, or the definitions of many tools",
    fix="Leave out what clients can get from the server.",
    source=_PUBLIC,
)
EXTENSION_KEY = rule(
    "CAT020",
    "catalog-extension-key-mismatch",
    "A publisher extension is not under the image or URL of its record",
    stage="lint",
    checks="A record does not have exactly one extension, under the identifier of the package or the URL of the"
    " remote.",
    why="The service uses any one of them when it loads the record: with several, it is random which.",
    example='"ghcr.io/acme/weather:1": { "status": "active" } beside an identifier `ghcr.io/acme/weather:2`',
    fix="Keep one extension, and name it after the identifier or URL.",
    source=_CONVERTER,
)
EXTENSION_FIELD = rule(
    "CAT021",
    "catalog-extension-field-ignored",
    "A publisher extension has fields that do not apply to its kind of server",
    stage="lint",
    severity="info",
    checks="An extension of a remote server has fields of containers, or the reverse.",
    why="The service does not copy them into the entry: permissions of a remote server, or OAuth of a container, have"
    " no effect.",
    example='"https://mcp.acme.example/mcp": { "status": "active", "permissions": { … } }',
    fix="Remove the field.",
    source=_CONVERTER,
)
PACKAGES_UNUSED = rule(
    "CAT022",
    "catalog-packages-unused",
    "A record with remotes has more than the service uses",
    stage="lint",
    severity="info",
    checks="A record has packages beside its remotes, or more than one remote.",
    why="The service uses the first remote and nothing else.",
    example='"packages": [ … ], "remotes": [ … ]',
    fix="Split it into two records if both are to be run.",
    source=_CONVERTER,
)
DEFAULT_NOT_A_CHOICE = rule(
    "CAT023",
    "catalog-default-not-a-choice",
    "The default or value of an input is not one of its choices",
    stage="lint",
    checks="An input has choices, and a default or value that is not one of them.",
    why="Nothing checks it: users get a value that the server does not accept, by its own description.",
    example='{ "name": "REGION", "choices": ["eu", "us"], "default": "asia" }',
    fix="Use one of the choices.",
    source="MCP registry 1.6.0, server.json schema: Input.",
)
NOT_INSTALLABLE = rule(
    "CAT030",
    "catalog-skill-not-installable",
    "A skill has no package that can be installed",
    stage="lint",
    checks="A skill has neither an `oci` package whose identifier is an image reference nor a `git` package whose URL"
    " the service accepts.",
    why="Installing the skill by its name fails with status 422.",
    example='"packages": [ { "registryType": "git", "ref": "main" } ]',
    fix='Write `{ "registryType": "git", "url": "https://github.com/acme/skills", "subfolder": "report-writer" }`.',
    source="toolhive 0.21.0, skill service: resolving registry packages.",
)
PIN_IGNORED = rule(
    "CAT031",
    "catalog-skill-pin-ignored",
    "The reference or commit of a git package is ignored on installation",
    stage="lint",
    severity="info",
    checks="A `git` package of a skill has a `ref` or `commit`.",
    why="The service installs from the default branch: the pin has no effect.",
    example='{ "registryType": "git", "url": "https://github.com/acme/skills", "commit": "4f2c…" }',
    fix="Publish an `oci` package if the version matters.",
    source="toolhive 0.21.0, skill service: resolving registry packages.",
)
SKILL_NAMESPACE = rule(
    "CAT032",
    "catalog-skill-namespace-odd",
    "The namespace of a skill is not a reversed domain name",
    stage="lint",
    checks="A namespace of one part, or one with characters other than letters, digits, hyphens and dots between"
    " parts.",
    why="The schema accepts any text. Namespace and name are how the skill is requested, as parts of a path.",
    example='"namespace": "acme/skills"',
    fix='Write `"namespace": "io.github.acme"`.',
    source="The record of a skill in a catalog: its namespace is a reverse-DNS name.",
)
SKILL_PACKAGE = rule(
    "CAT033",
    "catalog-skill-package-odd",
    "A package of a skill has an invalid field, or one of another kind of package",
    stage="lint",
    checks="A `digest` that is not `sha256:` and 64 hexadecimal digits, or not that of the identifier; a `commit` that"
    " is not 40 or 64 hexadecimal digits; a `ref` or `subfolder` that Git does not accept; an identifier or URL that"
    " the service cannot use, beside a package that it can; `digest` of a `git` package, `commit` of an `oci` package"
    " and the like.",
    why="The schema accepts any text, and the service ignores it: such a field pins nothing.",
    example='{ "registryType": "oci", "identifier": "ghcr.io/acme/pdf:1.0.0", "digest": "1.0.0" }',
    fix='Write `"digest": "sha256:…"`, as the registry shows it.',
    source="toolhive 0.21.0, skill service: resolving registry packages; OCI image specification: digests.",
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
    SKILL_NAMESPACE,
    SKILL_PACKAGE,
)
