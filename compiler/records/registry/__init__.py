"""Read, check, convert and query registries and catalog records."""

LOADER = "toolhive 0.21.0, registry provider: loading a file decodes it and checks nothing else."
PUBLIC = "MCP registry 1.6.0, validators of the publish step. The service itself does not run them."
CONVERTER = "toolhive-core 0.0.16, registry converters."
