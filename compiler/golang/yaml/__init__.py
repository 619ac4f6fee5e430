"""YAML as the two libraries write it that Kubernetes and the vMCP process use."""
