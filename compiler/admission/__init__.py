"""Check a document against its kind like the API server: unknown fields, schema, defaults, list types, CEL rules."""
