"""Read, check, convert and query registries and catalog records."""
