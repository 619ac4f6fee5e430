"""CEL functions that Kubernetes adds to the standard library, for the validation rules of CRDs."""
