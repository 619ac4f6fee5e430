"""The API server's validation of objects that a controller creates: Deployments, Services and others."""
