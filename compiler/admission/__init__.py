"""A document against its kind, as the API server does: unknown fields, schema, defaults, list types, CEL."""
