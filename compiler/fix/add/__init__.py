"""Add a resource to an existing project, in the folders and the style of its other resources."""
