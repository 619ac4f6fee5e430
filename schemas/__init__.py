"""Generated: JSON Schemas, CRDs and the compact tables that checking loads. See ``make generate``."""
