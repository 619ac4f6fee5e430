"""The resources of a project as a graph, and its drawings."""
