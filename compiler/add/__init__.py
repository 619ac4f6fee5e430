"""Add a resource to a project that exists: in its folders and in its style."""
