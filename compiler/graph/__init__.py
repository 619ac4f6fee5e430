"""The resources of a project as a graph, and how it is drawn."""
