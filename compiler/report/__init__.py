"""Reports of findings, as text for people and as data for programs. Each output format is a module."""
