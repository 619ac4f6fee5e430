"""Kubernetes' CEL functions beyond the standard library, for the rules of CRDs."""
