"""Reports of findings, as text for people and data for programs. Each format is a module."""
