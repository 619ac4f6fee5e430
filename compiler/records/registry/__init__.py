"""Registries and catalog records: read, checked, converted, asked."""
