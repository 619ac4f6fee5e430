"""File access: walk folders, match ignore patterns, read within bounds, read Git revisions, write atomically, cache."""
