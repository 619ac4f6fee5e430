"""What the API server refuses in the objects that a controller makes: Deployments, Services and the like."""
