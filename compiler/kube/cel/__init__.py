"""The functions that CEL has in Kubernetes beside its standard library, by which CRDs state their rules."""
