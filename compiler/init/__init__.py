"""The files of a starting project."""
