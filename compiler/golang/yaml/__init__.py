"""Resolve YAML scalars and write YAML like two Go libraries: yaml.v2 for Kubernetes, yaml.v3 for the vMCP process."""
