"""Generated data: JSON Schemas and CRDs. See ``make generate``."""
