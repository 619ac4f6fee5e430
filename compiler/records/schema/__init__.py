"""Validate records against their JSON Schemas."""
