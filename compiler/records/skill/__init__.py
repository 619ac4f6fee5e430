"""Check skill folders, and list installed skills."""
