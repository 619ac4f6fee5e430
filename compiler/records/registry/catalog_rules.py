"""Rules of catalog records: ``server.json``, publisher extensions and skills."""

from __future__ import annotations

from ...diagnostics.finding import rule

PUBLIC = "MCP registry 1.6.0, validators of the publish step. The service itself does not run them."
CONVERTER = "toolhive-core 0.0.16, registry converters."

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
    source=PUBLIC,
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
    source=PUBLIC,
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
    source=CONVERTER,
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
    source=CONVERTER,
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
    source=CONVERTER,
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
