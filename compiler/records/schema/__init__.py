"""Records against their JSON Schemas."""
