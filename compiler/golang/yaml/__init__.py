"""YAML in the notation of the two libraries that Kubernetes and the vMCP process use."""
